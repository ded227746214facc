"""The papers behind the numbers of a report."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reference:
    """A paper, what it stands for in a report, and the tests or measures that rest on it.

    Attributes
    ----------
    text : str
        Authors, year, title, place.
    role : str
        What was taken from it.
    tests : frozenset of str
        Names of the tests that use it.
    measures : frozenset of str
        Names of the measures that use it. Where both are empty, every comparison does.
    """

    text: str
    role: str
    tests: frozenset[str] = frozenset()
    measures: frozenset[str] = frozenset()


REFERENCES = (
    Reference(
        "T. Wang, J. Neville, B. Gallagher, T. Eliassi-Rad (2011). Correcting bias in statistical "
        "tests for network classifier evaluation. ECML PKDD 2011, Part III, LNCS 6913, 506–521. "
        "doi:10.1007/978-3-642-23808-6_33",
        "the parameters p, q, ρ and |L|, the variance theorems, Lemma 1, the RS-C correction",
    ),
    Reference(
        "J. Neville, B. Gallagher, T. Eliassi-Rad (2009). Evaluating statistical tests for "
        "within-network classifiers of relational data. IEEE International Conference on Data "
        "Mining (ICDM), 397–406. doi:10.1109/ICDM.2009.50",
        "random and equal resampling, network cross-validation, false alarms of paired tests",
    ),
    Reference(
        "S. A. Macskassy, F. Provost (2007). Classification in networked data: a toolkit and a "
        "univariate case study. Journal of Machine Learning Research 8, 935–983.",
        "relational classifiers and collective inference",
    ),
    Reference(
        "M. E. J. Newman (2003). Mixing patterns in networks. Physical Review E 67, 026126. "
        "doi:10.1103/PhysRevE.67.026126",
        "autocorrelation of the classes (assortativity coefficient)",
    ),
    Reference(
        "V. D. Blondel, J.-L. Guillaume, R. Lambiotte, E. Lefebvre (2008). Fast unfolding of "
        "communities in large networks. Journal of Statistical Mechanics, P10008. "
        "doi:10.1088/1742-5468/2008/10/P10008",
        "communities, where they were not given (Louvain)",
        frozenset({"bootstrap", "cluster_robust_t", "cluster_sign_flip"}),
    ),
    Reference(
        "H. R. Künsch (1989). The jackknife and the bootstrap for general stationary observations. "
        "Annals of Statistics 17(3), 1217–1241. doi:10.1214/aos/1176347265",
        "the bootstrap draws blocks of dependent observations, here communities, whole",
        frozenset({"bootstrap"}),
    ),
    Reference(
        "B. Efron (1981). Nonparametric standard errors and confidence intervals. Canadian Journal "
        "of Statistics 9(2), 139–158. doi:10.2307/3314608",
        "communities drawn such that the models come out equal (exponential tilting)",
        frozenset({"bootstrap"}),
    ),
    Reference(
        "F. E. Satterthwaite (1946). An approximate distribution of estimates of variance "
        "components. Biometrics Bulletin 2(6), 110–114. doi:10.2307/3002019",
        "degrees of freedom of the bootstrap's standard error",
        frozenset({"bootstrap"}),
    ),
    Reference(
        "D. Kojevnikov, V. Marmer, K. Song (2021). Limit theorems for network dependent random "
        "variables. Journal of Econometrics 222(2), 882–908. doi:10.1016/j.jeconom.2020.05.024",
        "variance of the mean difference from pairs of nodes by their distance",
        frozenset({"network_hac"}),
    ),
    Reference(
        "D. N. Politis (2003). Adaptive bandwidth choice. Journal of Nonparametric Statistics "
        "15(4–5), 517–533. doi:10.1080/10485250310001604659",
        "how far the variance by distance reaches",
        frozenset({"network_hac"}),
    ),
    Reference(
        "G. W. Imbens, M. Kolesár (2016). Robust standard errors in small samples: some practical "
        "advice. Review of Economics and Statistics 98(4), 701–712. doi:10.1162/REST_a_00552",
        "degrees of freedom from a working model of the dependence",
        frozenset({"network_hac"}),
    ),
    Reference(
        "K.-Y. Liang, S. L. Zeger (1986). Longitudinal data analysis using generalized linear "
        "models. Biometrika 73(1), 13–22. doi:10.1093/biomet/73.1.13",
        "standard error that lets errors within a community depend on each other",
        frozenset({"cluster_robust_t"}),
    ),
    Reference(
        "I. A. Canay, J. P. Romano, A. M. Shaikh (2017). Randomization tests under an approximate "
        "symmetry assumption. Econometrica 85(3), 1013–1030. doi:10.3982/ECTA13081",
        "sign flips of whole communities",
        frozenset({"cluster_sign_flip"}),
    ),
    Reference(
        "C. Nadeau, Y. Bengio (2003). Inference for the generalization error. Machine Learning "
        "52(3), 239–281. doi:10.1023/A:1024068626366",
        "corrected resampled t-test",
        frozenset({"nadeau_bengio"}),
    ),
    Reference(
        "T. G. Dietterich (1998). Approximate statistical tests for comparing supervised "
        "classification learning algorithms. Neural Computation 10(7), 1895–1923. "
        "doi:10.1162/089976698300017197",
        "why paired and pooled t-tests on resampled test sets claim too much",
        frozenset({"paired_t", "pooled_t"}),
    ),
    Reference(
        "F. Wilcoxon (1945). Individual comparisons by ranking methods. Biometrics Bulletin 1(6), "
        "80–83. doi:10.2307/3001968",
        "signed rank test",
        frozenset({"wilcoxon"}),
    ),
    Reference(
        "F. R. Hampel (1974). The influence curve and its role in robust estimation. Journal of "
        "the American Statistical Association 69(346), 383–393. doi:10.2307/2285666",
        "what each node contributes to a measure that is no mean",
        measures=frozenset({"auc", "macro_f1"}),
    ),
    Reference(
        "E. R. DeLong, D. M. DeLong, D. L. Clarke-Pearson (1988). Comparing the areas under two or "
        "more correlated receiver operating characteristic curves. Biometrics 44(3), 837–845. "
        "doi:10.2307/2531595",
        "placements of the nodes, of which the AUC is the mean",
        measures=frozenset({"auc"}),
    ),
    Reference(
        "G. W. Brier (1950). Verification of forecasts expressed in terms of probability. Monthly "
        "Weather Review 78(1), 1–3.",
        "squared loss of probabilities",
        measures=frozenset({"squared_loss"}),
    ),
)


def used_references(tests: Iterable[str], measure: str = "error") -> list[Reference]:
    """Give the references that a report with these tests and this measure rests on.

    Examples
    --------
    >>> [r.role for r in used_references(["wilcoxon"])][-1]
    'signed rank test'
    """
    made = set(tests)
    return [
        r
        for r in REFERENCES
        if r.tests & made or measure in r.measures or not (r.tests or r.measures)
    ]
