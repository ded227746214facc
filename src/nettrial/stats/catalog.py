"""Every test by name: when to use it, what table it needs, where its function is."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown, unknown_choice
from ..core.plain_text import letters
from ..core.results import Result

Shape: TypeAlias = Literal[
    "errors", "two errors", "sample", "pairs", "pairs by replicate", "five by two", "two samples",
    "predictions", "scores", "two scores", "scores by class", "several scores", "groups", "table",
    "table with gaps", "criteria pairs", "criteria groups", "clustered sample", "clustered pairs",
    "pairs by data set", "p-values",
]  # fmt: skip

SHAPES: dict[Shape, str] = {
    "errors": "one column of 0 (right) and 1 (wrong), or two numbers: errors and cases",
    "two errors": "two columns of 0 and 1 on separate test sets, blank where there is no case, or "
    "four numbers: errors and cases of A and of B",
    "sample": "one column of numbers",
    "pairs": "two columns of numbers, one row per pair",
    "pairs by replicate": "two columns of numbers, replicates one after the other",
    "five by two": "two columns of ten numbers, both folds of a replicate one after the other",
    "two samples": "two columns of numbers, blank where there is no value",
    "predictions": "the true class and two predictions, or two columns of 0 (right) and 1 (wrong), "
    "or four numbers: cases that both get wrong, only A, only B, neither",
    "scores": "the true class, 0 or 1, and two scores",
    "two scores": "the true class, 0 or 1, and two scores, blank where there is no case",
    "scores by class": "the true class, and one column of scores a class for A and as many for B, "
    "in the order of the classes",
    "several scores": "the true class, 0 or 1, and one column of scores a classifier",
    "groups": "one column per classifier, blank where there is no value",
    "table": "one column per classifier, one row per fold or data set",
    "table with gaps": "one column per classifier, one row per data set, blank where there is no "
    "value",
    "criteria pairs": "several columns for A and as many for B, one a criterion",
    "criteria groups": "several columns, one a criterion, and a column that names the classifier",
    "clustered sample": "one column of numbers and a column that names the cluster",
    "clustered pairs": "two columns of numbers and a column that names the cluster",
    "pairs by data set": "two columns of numbers, one row per split, and a column of the data set",
    "p-values": "one column of p-values",
}


class Words(NamedTuple):
    """How a test speaks."""

    what: str  # what differs or does not
    # of one or two classifiers, what the estimate is, with {estimate} and the names of the test's
    # details; of several, the detail that says by how much
    amount: str
    # what a test of one or two claims, with {a}, {b}, {null} and {way}, which is "lower" or
    # "higher"
    directed: str = ""
    undirected: str = ""  # the same where no direction is claimed
    null: str = ""  # name of the detail that the estimate is compared with; "" for 0


def _of(what: str) -> Words:
    return Words(
        what,
        f"difference in {what} {{estimate}} ({{a}} minus {{b}})",
        f"{{a}} has a {{way}} {what} than {{b}}",
        f"{{a}} and {{b}} differ in {what}",
    )


def _against(what: str) -> Words:
    return Words(
        what,
        f"{what} {{estimate}}",
        f"the {what} of {{a}} is {{way}} than {{null}}",
        f"the {what} of {{a}} differs from {{null}}",
        "null_value",
    )


def _ordered(amount: str) -> Words:
    return Words(
        "values",
        amount,
        "{a} tends to be {way} than {b}",
        "one of {a} and {b} tends to be higher than the other",
    )


MEAN, ERROR_RATE = _of("mean"), _of("error rate")
SIGN = Words(
    "values",
    "{a} is higher in {n_larger}, lower in {n_smaller} and equal in {n_ties} pairs, which counts "
    "as a share of {estimate}",
    "{a} is {way} than {b} in more than half of such pairs",
    "one of {a} and {b} is higher than the other in more than half of such pairs",
    "half",
)
STOCHASTIC_ORDER = Words(
    "values",
    "violation ratio {estimate}, threshold {threshold}",
    "{a} is {way} than {b} at nearly all quantiles",
    "one of {a} and {b} is higher than the other at nearly all quantiles",
)
DATA_SETS, SPLITS = "data sets", "splits of one data set"


@dataclass(frozen=True, slots=True)
class TestSpecification(Result):
    """One test of the catalog.

    Attributes
    ----------
    name : str
        Its name on the command line.
    shape : str
        The input that it takes, one of `SHAPES`.
    target : str
        Its function, as module.function below `nettrial.stats`.
    use : str
        When to use it, in one line.
    aliases : tuple of str
        Other names that lead to it.
    rows : str
        What a row of its table is, where that decides what may be said of it.
    words : Words
        How its verdict speaks.
    brings : dict
        Settings that a name of R or of a document brings with it, by that name.
    remarks : dict
        What R or a document does otherwise under a name, by that name.
    """

    __test__: ClassVar[bool] = False  # keeps pytest from collecting the class

    name: str
    shape: Shape
    target: str
    use: str
    aliases: tuple[str, ...] = ()
    rows: str = ""
    words: Words = MEAN
    brings: dict[str, dict[str, Any]] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)

    def by_name(self, name: str) -> tuple[dict[str, Any], str]:
        """Return the settings and the remark of a name that leads here.

        R's names are those with the dot: McNemar's test is not `mcnemar.test`.
        """
        own = {key for key in self.brings | self.remarks if _as_written(key) == _as_written(name)}
        key = next(iter(own), "")
        return dict(self.brings.get(key, {})), self.remarks.get(key, "")

    def to_dict(self) -> dict[str, Any]:
        """Return all but the words, as plain Python values that JSON can hold."""
        return {key: value for key, value in Result.to_dict(self).items() if key != "words"}

    def load(self) -> Callable[..., Any]:
        """Import the function."""
        module, function = self.target.rsplit(".", 1)
        found: Callable[..., Any] = getattr(
            importlib.import_module(f"{__package__}.{module}"), function
        )
        return found


CATALOG: dict[str, TestSpecification] = {
    test.name: test
    for test in (
        TestSpecification("binomial", "errors", "proportions.binomial_test",
            "one classifier, one test set of independent cases, against a given error rate "
            "(exact)", words=_against("error rate"), aliases=("binom.test", "19.10.1")),
        TestSpecification("proportion-z", "errors", "proportions.proportion_z_test",
            "the same for many cases, by the normal approximation (approximate normal test)",
            words=_against("error rate"),
            aliases=("z-test", "normal", "approximate-normal", "prop.test", "19.10.2"),
            brings={"prop.test": {"continuity_correction": True}}),
        TestSpecification("interval", "errors", "intervals.proportion_interval",
            "recipe 1, recipe 2: the true error from the sample error, with a confidence interval",
            aliases=("confidence-interval", "sample-error", "true-error", "recipe-1", "recipe-2"),
            brings={"recipe-1": {"method": "wald"}, "recipe-2": {"method": "wald"}}),
        TestSpecification("credible", "errors", "beta.beta_posterior",
            "the error rate of one classifier, with its posterior, MAP and a credibility interval",
            aliases=("map", "credibility-interval", "credible-interval")),
        TestSpecification("two-proportions", "two errors", "proportions.two_proportion_test",
            "two classifiers on two separate test sets (recipe 3)", words=ERROR_RATE,
            aliases=("recipe-3",)),
        TestSpecification("two-proportions-score", "two errors",
            "proportion_score.two_proportion_score_test",
            "the same for few errors, rates of 0 or 1, or against a difference other than 0",
            words=ERROR_RATE),
        TestSpecification("one-sample-t", "sample", "paired.one_sample_t_test",
            "one classifier on several disjoint test sets, against a given error rate",
            words=_against("mean"), aliases=("19.10.3",)),
        TestSpecification("paired-t", "pairs", "paired.paired_t_test",
            "two classifiers on up to 30 disjoint test sets with separate training sets (recipe"
            " 4)", rows=SPLITS, aliases=("t.test", "recipe-4"),
            remarks={"t.test": "R's is welch-t unless paired; so is this with --set paired=false",
                     "recipe-4": "for more than 30 test sets the recipe is paired-z"}),
        TestSpecification("paired-z", "pairs", "paired.paired_z_test",
            "two classifiers on more than 30 disjoint test sets (recipe 4), separate training "
            "sets"),
        TestSpecification("pooled-t", "two samples", "paired.pooled_t_test",
            "two classifiers on different test sets, equal spread", aliases=("unpaired-t",)),
        TestSpecification("welch-t", "two samples", "paired.welch_t_test",
            "two classifiers on different test sets, any spread"),
        TestSpecification("stochastic-order", "two samples",
            "stochastic_order.almost_stochastic_order",
            "two classifiers over independent seeds or test sets, at nearly every quantile",
            words=STOCHASTIC_ORDER),
        TestSpecification("two-sample-permutation", "two samples",
            "permutation_independent.two_sample_permutation_test",
            "two classifiers on different test sets, by dealing the values anew"),
        TestSpecification("mann-whitney", "two samples", "mann_whitney.mann_whitney_test",
            "two classifiers on different test sets, by ranks",
            words=_ordered("medians {median_a} ({a}) and {median_b} ({b}), Cliff's delta "
            "{estimate}")),
        TestSpecification("hodges-lehmann", "pairs", "shift.hodges_lehmann",
            "by how much two classifiers differ over data sets, as the Wilcoxon test sees it",
            rows=DATA_SETS),
        TestSpecification("sign", "pairs", "sign.sign_test",
            "two classifiers over data sets when only who wins counts", words=SIGN, rows=DATA_SETS),
        TestSpecification("mcnemar", "predictions", "mcnemar.mcnemar_test_predictions",
            "two trained classifiers on one test set of independent cases", words=ERROR_RATE,
            aliases=("19.11.1",),
            brings={"mcnemar.test": {"method": "corrected"}, "19.11.1": {"method": "corrected"}}),
        TestSpecification("wilcoxon", "pairs", "signed_rank.wilcoxon_test",
            "two classifiers over several data sets", rows=DATA_SETS,
            aliases=("wilcoxon-signed-rank", "wilcox", "19.13.1"),
            remarks={"wilcox.test": "R's is mann-whitney unless paired; so is this with --set "
                     "paired=false"},
            words=_ordered("median difference {median_difference} ({a} minus {b}), rank-biserial "
            "correlation {estimate}")),
        TestSpecification("kfold-t", "pairs", "cross_validation.kfold_t_test",
            "two classifiers in one k-fold cross-validated paired t; rejects somewhat too often",
            rows=SPLITS, aliases=("k-fold-cross-validated-paired-t", "k-fold-cv-paired-t",
            "k-fold-cv", "19.11.2")),
        TestSpecification("5x2cv-t", "five by two", "cross_validation.cv5x2_t_test",
            "two classifiers in five replicates of two-fold cross-validation",
            aliases=("5x2cv-paired-t", "5x2cv", "19.11.3"),
            words=MEAN._replace(amount="mean difference {mean_difference} ({a} minus {b}); the "
            "test takes the first of the ten, {estimate}"),
            rows=SPLITS),
        TestSpecification("5x2cv-f", "five by two", "cross_validation.cv5x2_f_test",
            "the same, using all ten differences", rows=SPLITS,
            words=MEAN._replace(directed=MEAN.undirected)),
        TestSpecification("corrected-resampled-t", "pairs",
            "cross_validation.corrected_resampled_t_test",
            "two classifiers on overlapping random splits of independent cases, or in one k-fold",
            rows=SPLITS, aliases=("nadeau-bengio",)),
        TestSpecification("corrected-repeated-kfold-t", "pairs by replicate",
            "cross_validation.corrected_repeated_kfold_t_test",
            "two classifiers in repeated k-fold cross-validation of independent cases",
            rows=SPLITS),
        TestSpecification("rsc-paired", "pairs", "rsc.rsc_paired_t_test",
            "two classifiers on few random splits of one network, with estimates of their errors",
            words=ERROR_RATE),
        TestSpecification("rsc-unpaired", "pairs", "rsc.rsc_unpaired_t_test",
            "the same without pairing the splits", words=ERROR_RATE),
        TestSpecification("bayesian-correlated-t", "pairs",
            "bayes_correlated.bayesian_correlated_t_test",
            "probability that A is better, equal or worse, from correlated splits of one data set",
            rows=SPLITS),
        TestSpecification("permutation", "pairs", "resampling.permutation_test",
            "two classifiers on independent pairs, by exchanging A and B"),
        TestSpecification("pairs-bootstrap", "pairs", "resampling.bootstrap_test",
            "two classifiers on independent pairs, by resampling the pairs",
            aliases=("bootstrap",)),
        TestSpecification("oneway-anova", "groups", "anova.oneway_anova",
            "several classifiers on different test sets", words=Words("mean", "means"),
            aliases=("aov", "oneway", "anova", "analysis-of-variance", "19.12"),
            brings={"oneway.test": {"method": "welch"}}),
        TestSpecification("tukey-hsd", "groups", "anova_posthoc.tukey_hsd",
            "all pairs of several classifiers on different test sets, equal spread",
            words=Words("mean", "means")),
        TestSpecification("games-howell", "groups", "anova_posthoc.games_howell",
            "all pairs of several classifiers on different test sets, any spread",
            words=Words("mean", "means")),
        TestSpecification("rm-anova", "table", "anova.repeated_measures_anova",
            "several classifiers on the same disjoint test sets", words=Words("mean", "means")),
        TestSpecification("paired-comparisons", "table", "anova_posthoc.paired_comparisons",
            "all pairs of several classifiers on the same disjoint test sets, by paired t",
            words=Words("mean", "means"), aliases=("pairwise.t",),
            remarks={"pairwise.t.test": "R's takes columns for unpaired and pools their spread"}),
        TestSpecification("kruskal-wallis", "groups", "kruskal.kruskal_wallis_test",
            "several classifiers on different test sets, by ranks",
            words=Words("distribution", "mean_ranks"), aliases=("kruskal", "19.13.2")),
        TestSpecification("dunn", "groups", "kruskal.dunn_test",
            "all pairs of several classifiers on different test sets, after Kruskal-Wallis",
            words=Words("mean rank", "mean_ranks")),
        TestSpecification("friedman", "table", "friedman.friedman_test",
            "several classifiers over many data sets", words=Words("rank", "mean_ranks"),
            rows=DATA_SETS),
        TestSpecification("aligned-friedman", "table", "aligned_ranks.aligned_friedman_test",
            "few classifiers over data sets, whose values are ranked together",
            words=Words("aligned rank", "mean_ranks"), rows=DATA_SETS),
        TestSpecification("skillings-mack", "table with gaps",
            "skillings_mack.skillings_mack_test",
            "several classifiers over data sets, some of which some classifiers lack",
            words=Words("rank", "adjusted_rank_sums"), rows=DATA_SETS),
        TestSpecification("iman-davenport", "table", "friedman.iman_davenport_test",
            "several classifiers over several data sets; better than Friedman's chi-square",
            words=Words("rank", "mean_ranks"), rows=DATA_SETS),
        TestSpecification("nemenyi", "table", "nemenyi.nemenyi_test",
            "all pairs of several classifiers over data sets, after Friedman",
            words=Words("mean rank", "mean_ranks"), rows=DATA_SETS),
        TestSpecification("siegel", "table", "friedman_posthoc.siegel_test",
            "the same with Holm's or another adjustment, which has more power",
            words=Words("mean rank", "mean_ranks"), rows=DATA_SETS),
        TestSpecification("conover", "table", "friedman_posthoc.conover_test",
            "the same for few data sets or with ties, by t",
            words=Words("mean rank", "mean_ranks"), rows=DATA_SETS),
        TestSpecification("quade", "table", "quade.quade_test",
            "few classifiers over data sets, those with large differences counting more",
            words=Words("weighted rank", "mean_ranks"), rows=DATA_SETS),
        TestSpecification("quade-comparisons", "table", "quade.quade_comparisons",
            "all pairs of several classifiers over data sets, after Quade",
            words=Words("weighted mean rank", "mean_ranks"), rows=DATA_SETS),
        TestSpecification("bonferroni-dunn", "table", "nemenyi.control_comparisons",
            "one control against several classifiers over data sets, after Friedman",
            words=Words("mean rank", "mean_ranks"), rows=DATA_SETS),
        TestSpecification("cochran-q", "table", "cochran.cochran_q_test",
            "several trained classifiers on one test set of independent cases (0 and 1)",
            words=Words("error rate", "column_sums")),
        TestSpecification("hotelling-paired", "criteria pairs",
            "multivariate.hotelling_paired_test",
            "two classifiers by several criteria at once, on the same test sets",
            words=Words("the means of their criteria", "mean_difference"), aliases=("19.14.1",)),
        TestSpecification("hotelling-two-sample", "criteria pairs",
            "multivariate.hotelling_two_sample_test",
            "two classifiers by several criteria at once, on different test sets",
            words=Words("the means of their criteria", "mean_difference")),
        TestSpecification("manova", "criteria groups", "manova.manova_test",
            "several classifiers by several criteria at once",
            words=Words("means of the criteria", ""), aliases=("19.14.2",)),
        TestSpecification("bayesian-signed-rank", "pairs",
            "bayes_signed_rank.bayesian_signed_rank_test",
            "probability that A is better, equal or worse over data sets", rows=DATA_SETS),
        TestSpecification("bayesian-sign", "pairs", "bayes_signed_rank.bayesian_sign_test",
            "the same where only who wins beyond the rope counts", rows=DATA_SETS),
        TestSpecification("bayesian-hierarchical", "pairs by data set",
            "bayes_hierarchical.bayesian_hierarchical_test",
            "the same for a new data set, from several splits of each of several data sets"),
        TestSpecification("cluster-mean", "clustered sample", "clustered.cluster_mean_test",
            "one classifier on cases that depend inside clusters, against a given mean",
            words=_against("mean")),
        TestSpecification("cluster-robust-t", "clustered pairs", "clustered.cluster_paired_test",
            "two classifiers on cases that depend inside clusters (nodes by community)",
            aliases=("clustered-t", "cluster-paired")),
        TestSpecification("cluster-sign-flip", "clustered pairs", "cluster_flips.sign_flip_test",
            "the same with few or uneven clusters", aliases=("sign-flip",)),
        TestSpecification("delong", "scores", "delong.delong_test",
            "the AUCs of two scorings of one test set of independent cases", words=_of("AUC")),
        TestSpecification("delong-partial", "scores", "delong_areas.delong_partial_test",
            "the same up to a false positive rate, where few false alarms can be borne",
            words=_of("partial AUC")),
        TestSpecification("delong-unpaired", "two scores", "delong_unpaired.delong_unpaired_test",
            "the AUCs of two scorings of different test sets", words=_of("AUC")),
        TestSpecification("delong-multiclass", "scores by class",
            "delong_areas.delong_multiclass_test",
            "the mean AUCs of two classifiers of several classes on one test set",
            words=_of("mean AUC")),
        TestSpecification("delong-several", "several scores", "delong_several.delong_omnibus_test",
            "the AUCs of several scorings of one test set of independent cases",
            words=Words("AUC", "auc")),
        TestSpecification("delong-comparisons", "several scores",
            "delong_several.delong_comparisons",
            "all pairs of several scorings of one test set, by AUC", words=Words("AUC", "auc")),
        TestSpecification("adjust", "p-values", "adjusted.adjusted_pvalues",
            "p-values of a family of tests, adjusted for their number",
            aliases=("p.adjust",)),
    )
}  # fmt: skip


# what has another place or is not built in, by its name without capitals and separators
NEARBY = {
    "var": "there is no test of equal spread; welch-t and games-howell do without it",
    "shapiro": "there is no test of normality; draw the differences with --qq PICTURE (paired-t)",
    "chisq": "use mcnemar for one test set, two-proportions-score for two",
    "fisher": "use two-proportions-score",
    "ks": "use mann-whitney or stochastic-order",
    "hotelling": "use hotelling-paired for the same test sets, hotelling-two-sample for others",
    "hypergeometric": "nettrial theory gives its variance with q=1 (Theorem 2)",
    "qqnorm": "draw the differences with --qq PICTURE (paired-t)",
    "power.t": "use nettrial power",
    "multivariate": "use hotelling-paired or hotelling-two-sample for two, manova for several",
    "crossvalidation": "use kfold-t or 5x2cv-t; nettrial split --design kfold draws the folds",
    **dict.fromkeys(
        ("theorem", "theorem1", "theorem2", "theorem3", "theorem4"),
        "nettrial theory gives the variances of Theorems 1 to 4",
    ),
}


def plain(name: str) -> str:
    """Return what is left of a test's name however it is written, with the word test or not."""
    return letters(str(name)).removesuffix("test")


def _as_written(name: str) -> str:
    return name.lower() if name.lower().endswith(".test") else letters(name)


@check_arguments
def specification(name: str) -> TestSpecification:
    """Return the test of that name or alias, whatever its capitals, hyphens, dots or spaces.

    Raises
    ------
    InputError
        For an unknown name, with the nearest one suggested.

    Examples
    --------
    >>> specification("cluster_robust_t").target
    'clustered.cluster_paired_test'
    >>> specification("binom.test").name, specification("5x2 cv paired t-test").name
    ('binomial', '5x2cv-t')
    """
    word = plain(name)
    for test in CATALOG.values():
        if word in map(plain, (test.name, *test.aliases)):
            return test
    hints = {letters(key): hint for key, hint in NEARBY.items()}
    if word in hints:
        raise InputError(f"no test is called {shown(name)}", parameter="test", hint=hints[word])
    raise unknown_choice("test", name, CATALOG, listing="listing")
