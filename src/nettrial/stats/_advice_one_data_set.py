"""Recommendations for independent cases of one data set."""

from __future__ import annotations

from ._advice import DEMSAR, DIETTERICH, HOLM, NADEAU, Design, Recommendation, advice

KFOLD = (
    "this is the textbooks' and slides' paired t over the K folds of one cross-validation, with "
    "K - 1 degrees of freedom; any two of its training sets share K - 2 of the K folds, so that "
    "the differences are correlated and it rejects somewhat too often"
)


def one(d: Design) -> Recommendation:
    if d.test_sets == 1 or (d.predictions and not d.shared_training):
        return advice(
            "binomial",
            "cases are independent, so the number of errors is binomial",
            "Does this trained classifier have the given error rate on cases like these?",
            "C. Clopper, E. S. Pearson (1934), Biometrika 26",
            also=("proportion-z",),
            wrong={"one-sample-t": "errors of cases are 0 and 1; the exact test is as easy"},
        )
    if d.overlapping or d.shared_training:
        return advice(
            "corrected-resampled-t",
            "scores from shared training cases are correlated, and the correction allows for "
            "that; B holds the given value",
            "Does the learning algorithm have the given mean error on training sets of this size?",
            NADEAU,
            wrong={"one-sample-t": "it counts correlated scores as independent"},
        )
    return advice(
        "one-sample-t",
        "separate training and test sets make the scores an ordinary sample",
        "Does the learning algorithm have the given mean error?",
        "Student (1908), Biometrika 6",
        wrong={"paired-z": "with up to 30 scores the normal distribution is too narrow"},
    )


def two(d: Design) -> Recommendation:
    if d.test_sets == 1:
        if d.predictions:
            return advice(
                "mcnemar",
                "both classifiers see the same independent cases; only those where one errs "
                "carry information",
                "Do these two trained classifiers differ on cases like these? Not: would they "
                "after training on other data",
                f"{DIETTERICH}; M. W. Fagerland et al. (2013), BMC Medical Research Methodology 13",
                also=("permutation", "cluster-sign-flip", "delong"),
                wrong={"two-proportions": "it ignores that the cases are the same"},
                notes=("delong compares AUCs of scores, not error rates",),
            )
        return advice(
            "two-proportions",
            "from two error rates alone it is all that can be done; on one common test set it is "
            "usually conservative, since good classifiers err on the same cases",
            "Do these two trained classifiers differ on cases like these?",
            DIETTERICH,
            wrong={"paired-t": "one pair of scores has no spread"},
            notes=("keep the outcome of each case and use mcnemar instead",),
        )
    question = "Do the learning algorithms differ on training sets of this size?"
    if d.overlapping or d.shared_training:
        wrong = {
            "paired-t": "scores that share cases are correlated; it rejects too often",
            "paired-z": "scores that share cases are correlated; it rejects too often",
            "kfold-t": KFOLD,
        }
        ratio = (
            "n_test/n_train is that of the split"
            if d.overlapping
            else f"n_test/n_train is 1/{d.test_sets - 1} in one cross-validation of {d.test_sets} "
            "folds"
        )
        return advice(
            "corrected-resampled-t",
            "scores that share cases are correlated, and the correction allows for that",
            question,
            f"{NADEAU}; R. R. Bouckaert, E. Frank (2004), PAKDD",
            also=("corrected-repeated-kfold-t", "bayesian-correlated-t"),
            wrong=wrong,
            notes=(
                ratio,
                "corrected-repeated-kfold-t is for repeated cross-validation",
                "when the design is still open, 5x2cv-f holds its level with ten trainings",
            ),
        )
    large = d.test_sets > 30
    return advice(
        "paired-z" if large else "paired-t",
        "separate training and test sets make the paired differences an ordinary sample",
        question,
        DIETTERICH,
        also=("paired-t" if large else "permutation", "wilcoxon", "pairs-bootstrap"),
        wrong={
            "pooled-t" if large else "paired-z": "it ignores the pairing"
            if large
            else "with up to 30 differences the normal distribution is too narrow",
            "welch-t": "it ignores the pairing",
        },
    )


def many(d: Design) -> Recommendation:
    pairs = f"test every pair and correct the p-values by Holm ({HOLM})"
    if d.test_sets == 1:
        if d.predictions:
            return advice(
                "cochran-q",
                "all classifiers see the same independent cases, right or wrong",
                "Do any of these trained classifiers differ on cases like these?",
                "W. G. Cochran (1950), Biometrika 37",
                wrong={
                    "mcnemar": "one test for every pair without correction finds something too "
                    "often",
                    "oneway-anova": "the classifiers share the cases",
                },
                notes=("if it rejects: mcnemar for every pair with Holm's correction",),
            )
        return advice(
            "two-proportions",
            "from error rates alone it is all that can be done, and usually conservative",
            "Do two of these trained classifiers differ on cases like these?",
            DIETTERICH,
            wrong={"oneway-anova": "one score a classifier has no spread"},
            notes=(pairs, "keep the outcome of each case and use cochran-q instead"),
        )
    if d.overlapping or d.shared_training:
        return advice(
            "corrected-resampled-t",
            "scores that share cases are correlated, and the correction allows for that",
            "Do two of the learning algorithms differ on training sets of this size?",
            f"{NADEAU}; {HOLM}",
            also=("corrected-repeated-kfold-t",),
            wrong={
                "rm-anova": "scores that share cases are correlated; it rejects too often",
                "friedman": "scores that share cases are correlated; it rejects too often",
            },
            notes=(pairs,),
        )
    return advice(
        "rm-anova",
        "separate training and test sets make the rows independent",
        "Do any of the learning algorithms differ?",
        f"{DEMSAR}, section 3.2.1",
        also=("iman-davenport", "friedman"),
        wrong={
            "paired-t": "one test for every pair without correction finds something too often",
            "oneway-anova": "the classifiers share the test sets",
        },
        notes=("if it rejects, compare pairs with Holm's correction",),
    )
