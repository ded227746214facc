"""Which test fits a design, why, and which common ones do not."""

from __future__ import annotations

from collections.abc import Mapping

from ..core.arguments import check_arguments
from ..core.errors import InputError
from ..core.option_names import option
from ..numeric.checks import count
from ._advice import CLUSTERS, DEMSAR, HOLM, NADEAU, NEVILLE, Design, Recommendation, advice
from ._advice_one_data_set import many, one, two

GAPS = (
    "a result must not be missing because it would have been bad, as where a model ran out of time"
)

__all__ = ["Recommendation", "recommend"]


@check_arguments
def recommend(
    *,
    classifiers: int = 2,
    test_sets: int = 1,
    overlapping: bool = False,
    shared_training: bool | None = None,
    data_sets: int = 1,
    grouped: bool = False,
    predictions: bool = True,
    criteria: int = 1,
    gaps: bool = False,
) -> Recommendation:
    """Return which test is valid for a design, why, and which common tests are not.

    Use it before running a comparison, best before collecting the data. It assumes that the
    design is described truthfully, and does not look at data: assumptions about their
    distribution are named in the chosen function's docstring.

    Parameters
    ----------
    classifiers : int
        How many are compared; 1 means one against a given value.
    test_sets : int
        Test sets (folds, splits) in each data set.
    overlapping : bool
        Whether a case can be in more than one test set, as in repeated random splits.
    shared_training : bool, optional
        Whether training sets share cases, as in cross-validation; by default true for more
        than one test set.
    data_sets : int
        Independent data sets or networks.
    grouped : bool
        Whether cases depend on each other in groups: nodes of a network, questions of one
        document, pages of one site.
    predictions : bool
        Whether the outcome of each case is known, not only a score for each test set.
    criteria : int
        Measures that are tested at once.
    gaps : bool
        Whether some classifiers have no result on some of several data sets.

    Returns
    -------
    Recommendation

    Raises
    ------
    InputError
        For numbers below 1, or a design that contradicts itself.

    References
    ----------
    Dietterich (1998), Neural Computation 10, 1895-1923. Demšar (2006), J. of Machine Learning
    Research 7, 1-30. Nadeau and Bengio (2003), Machine Learning 52, 239-281.

    Examples
    --------
    >>> print(recommend(classifiers=2, test_sets=10, overlapping=True, grouped=True).test)
    cluster-robust-t
    >>> recommend(classifiers=4, data_sets=20).test
    'iman-davenport'
    >>> recommend(classifiers=4, data_sets=20, gaps=True).test
    'skillings-mack'
    """
    sizes = {
        "classifiers": classifiers,
        "test_sets": test_sets,
        "data_sets": data_sets,
        "criteria": criteria,
    }
    for name, value in sizes.items():
        count(name, value)
    if test_sets == 1 and (overlapping or shared_training):
        raise InputError(
            parameter=("overlapping", "shared_training"),
            expected="False with one test set",
            got="True",
            hint="set test_sets to the number of test sets in each data set",
        )
    shared = (test_sets > 1) if shared_training is None else shared_training
    if overlapping and not shared:
        raise InputError(
            parameter="shared_training",
            expected="True for overlapping test sets of one data set, whose training sets share "
            "cases too",
            got="False",
            hint="leave it out",
        )
    if gaps and (classifiers == 1 or data_sets == 1 or criteria > 1):
        raise InputError(
            parameter="gaps",
            expected="False but for two or more classifiers on several data sets by one measure",
            got="True",
            hint="leave out the rows that lack a result",
        )
    design = Design(
        classifiers, test_sets, overlapping, shared, data_sets, grouped, predictions, criteria,
        gaps,
    )  # fmt: skip
    if criteria > 1:
        return _several_criteria(design)
    if data_sets > 1:
        return _several_data_sets(design)
    if grouped:
        return _grouped(design)
    return (one, two, many)[min(classifiers, 3) - 1](design)


def _several_criteria(d: Design) -> Recommendation:
    notes: tuple[str, ...] = (
        "it says that some criterion differs, not which: follow with one test per criterion and "
        "Holm's correction",
    )
    units = d.data_sets if d.data_sets > 1 else d.test_sets
    if d.data_sets == 1 and (d.shared_training or d.grouped):
        notes += (
            "rows must be independent: folds of one data set share training cases and nodes of "
            "one network depend on each other, so p is too small here",
        )
    if units <= d.criteria:
        notes += (
            f"{units} rows cannot test {d.criteria} criteria: more rows than criteria are needed",
        )
    wrong = {"paired-t": "one test per criterion without correction finds something too often"}
    question = "Do the classifiers differ in any of the criteria?"
    if d.classifiers <= 2:
        return advice(
            "hotelling-paired",
            "the criteria of two classifiers on the same rows form paired vectors (with one "
            "classifier, B holds the given values)",
            question,
            "H. Hotelling (1931), Annals of Mathematical Statistics 2",
            wrong=wrong,
            notes=notes,
        )
    return advice(
        "manova",
        "several classifiers are compared by several criteria; give the rows (folds, data sets) "
        "as blocks",
        question,
        "T. W. Anderson (2003), An Introduction to Multivariate Statistical Analysis, chapter 8",
        wrong=wrong,
        notes=notes,
    )


def _several_data_sets(d: Design) -> Recommendation:
    question = "Would they differ on other data sets like these?"
    first = "first average each classifier's results inside each data set"
    notes: tuple[str, ...] = (first,) if d.test_sets > 1 or d.predictions else ()
    mixing = "splits of one data set are not independent; only data sets count as observations"
    if d.classifiers == 1:
        return advice(
            "one-sample-t",
            "data sets are independent, so their mean errors are an ordinary sample",
            "Is the mean error over data sets like these the given value?",
            DEMSAR,
            also=("sign",),
            wrong={"binomial": "cases of one data set share one trained model"},
            notes=notes,
        )
    if d.classifiers == 2:
        if d.data_sets < 6:
            notes += (
                f"with {d.data_sets} data sets the exact two-sided p cannot be below "
                f"{2 / 2**d.data_sets:g}: it cannot reject at 0.05",
            )
        if d.gaps:
            notes += (f"leave out the data sets that one of the two lacks; {GAPS}",)
        return advice(
            "wilcoxon",
            "data sets are independent and their differences can be ordered but hardly averaged",
            question,
            f"{DEMSAR}, section 3.1.3",
            also=("sign", "bayesian-signed-rank", "paired-t"),
            wrong={
                "corrected-resampled-t": mixing,
                "mcnemar": "pooling the cases of all data sets ignores that results vary by them",
            },
            notes=notes,
        )
    if d.gaps:
        return advice(
            "skillings-mack",
            "data sets are independent blocks, and ranks inside each are of those that are there",
            "Do any of the classifiers differ over data sets like these?",
            "J. H. Skillings, G. A. Mack (1981), Technometrics 23",
            wrong={
                "iman-davenport": "it needs every cell, and data sets with a gap would be lost",
                "oneway-anova": "the classifiers share the data sets, so columns depend on each "
                "other",
            },
            notes=(
                *notes,
                GAPS,
                f"if it rejects: wilcoxon for every pair over the data sets that both have, with "
                f"the p-values corrected by Holm ({HOLM})",
            ),
        )
    return advice(
        "iman-davenport",
        "data sets are independent blocks, and ranks inside each need no common scale",
        "Do any of the classifiers differ over data sets like these?",
        f"{DEMSAR}, section 3.2.2",
        also=("friedman", "rm-anova"),
        wrong={
            "wilcoxon": "one test for every pair without correction finds something too often",
            "oneway-anova": "the classifiers share the data sets, so columns depend on each other",
        },
        notes=(
            *notes,
            "if it rejects: siegel for all pairs (nemenyi detects less; conover where data sets "
            "are few or tied), or bonferroni-dunn (better: Holm) against one control",
        ),
    )


def _grouped(d: Design) -> Recommendation:
    wrong = {"mcnemar": "it counts dependent cases as independent and rejects far too often"}
    if d.test_sets > 1:
        wrong["paired-t"] = (
            "test sets of one network overlap or are linked; the more splits, the more often it "
            "rejects without a difference"
        )
    question = (
        "Do the classifiers, as trained, differ on other groups like these? Not: after training "
        "on other networks"
    )
    if not d.predictions:
        return _scores_of_grouped(d, wrong)
    few: tuple[str, ...] = (
        "with fewer than about 10 groups, or one giant group, use cluster-sign-flip, or t with the "
        "effective degrees of freedom",
        "average a case's results over the splits that test it before the test",
        "no test of predictions sees dependence made by collective inference across groups; "
        "where the models can be re-run, resample whole groups and train again",
    )
    if d.classifiers == 1:
        return advice(
            "cluster-mean",
            "cases depend inside groups, and the variance over group sums allows for that",
            "Is the mean error over groups like these the given value?",
            CLUSTERS,
            also=("cluster-sign-flip",),
            wrong={"binomial": wrong["mcnemar"]},
            notes=few,
        )
    if d.classifiers > 2:
        few += (f"test every pair and correct the p-values by Holm ({HOLM})",)
        wrong = {"cochran-q": wrong.pop("mcnemar"), **wrong}
    return advice(
        "cluster-robust-t",
        "cases depend inside groups, and the variance over group sums of the paired differences "
        "allows for that",
        question,
        f"{CLUSTERS}; {NEVILLE}, on what goes wrong without it",
        also=("cluster-sign-flip",),
        wrong=wrong,
        notes=few,
    )


def _scores_of_grouped(d: Design, wrong: Mapping[str, str]) -> Recommendation:
    if d.test_sets == 1:
        raise InputError(
            parameter="test_sets",
            expected="at least two",
            got="one score a classifier on one network, for which no test is valid",
            hint=f"keep the outcome of each case ({option('predictions', True)}) or use several "
            "networks (data_sets)",
        )
    notes: tuple[str, ...] = (
        "weak advice: keep the outcome of each case and use cluster-robust-t instead",
    )
    if d.classifiers > 2:
        notes += (f"test every pair and correct the p-values by Holm ({HOLM})",)
    return advice(
        "corrected-resampled-t",
        "of the tests that need scores only it allows for shared cases; links between cases it "
        "does not see, but it rarely rejects on networks",
        "Do they differ after training on other random parts of this one network?",
        f"{NADEAU}; {NEVILLE}",
        wrong={k: v for k, v in wrong.items() if k != "mcnemar"},
        notes=notes,
    )
