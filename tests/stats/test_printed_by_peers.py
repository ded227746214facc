"""Numbers that packages of R print in their own tests and vignettes, where R cannot be asked.

scmamp: its vignette "Statistical assessment of the differences" of 2019-02-24, on the accuracies of
five classifiers on 30 data sets of García and Herrera (2008), table 2. DescTools: its
tests/misc.R, on the differences of two proportions of Newcombe (1998), table II.
"""

from __future__ import annotations

import numpy as np
import pytest

from nettrial import stats

NAMES = ["C4.5", "1-NN", "NaiveBayes", "Kernel", "CN2"]
# in thousandths
ACCURACIES = (
    "219 202 249 165 261 / 803 750 813 692 798 / 859 814 845 542 816 / 809 774 673 275 785 / "
    "768 790 727 872 706 / 759 654 734 703 714 / 693 611 572 689 572 / 544 531 558 439 541 / "
    "945 954 978 541 858 / 725 705 739 625 717 / 674 736 721 356 704 / 801 357 520 309 520 / "
    "785 770 841 659 759 / 710 402 728 120 674 / 691 827 667 527 638 / 743 739 830 549 746 / "
    "990 482 941 857 990 / 867 98 915 986 784 / 821 872 815 885 778 / 893 824 902 739 885 / "
    "799 655 925 517 755 / 845 731 693 653 704 / 741 701 591 663 619 / 799 994 603 269 621 / "
    "949 955 989 770 954 / 555 505 569 312 556 / 928 928 945 419 897 / 915 857 860 700 777 / "
    "855 796 857 607 809 / 906 359 895 641 918"
)
TABLE = np.array([[int(cell) for cell in row.split()] for row in ACCURACIES.split("/")])
# of the pairs in the order of `siegel_test`
FRIEDMAN_POST = [4.848763e-03, 8.064959e-01, 4.486991e-08, 1.276301e-02, 1.011233e-02,
                 7.963489e-03, 7.439715e-01, 1.736118e-07, 2.474467e-02, 2.880485e-03]  # fmt: skip
ALIGNED_POST = [1.174850e-03, 3.341698e-01, 2.843421e-10, 1.845167e-02, 2.265711e-02,
                2.197407e-03, 3.742777e-01, 9.226472e-08, 1.643229e-01, 7.793722e-05]  # fmt: skip
SHAFFER = [7.049103e-03, 6.683396e-01, 2.843421e-09, 7.380668e-02, 9.062842e-02,
           1.318444e-02, 6.683396e-01, 5.535883e-07, 4.929688e-01, 4.676233e-04]  # fmt: skip
BERGMANN = [7.049103e-03, 6.683396e-01, 2.843421e-09, 5.535501e-02, 6.797132e-02,
            8.789629e-03, 6.683396e-01, 5.535883e-07, 1.643229e-01, 3.117489e-04]  # fmt: skip


def test_scmamp_ranks_and_pairs():
    found = stats.siegel_test(TABLE, names=NAMES, higher_is_better=True)
    assert list(found.details["mean_ranks"].values()) == pytest.approx(
        [2.1, 3.25, 2.2, 13 / 3, 187 / 60]
    )
    np.testing.assert_allclose(found.pvalue, FRIEDMAN_POST, rtol=1e-6)


def test_scmamp_adjustments_of_all_pairs():
    np.testing.assert_allclose(stats.adjust_pairs(ALIGNED_POST), SHAFFER, rtol=1e-6)
    found = stats.adjust_pairs(ALIGNED_POST, method="bergmann-hommel")
    np.testing.assert_allclose(found, BERGMANN, rtol=1e-6)


def test_scmamp_statistics_but_for_its_ties():
    # scmamp takes the variance of ranks without ties, which makes its statistics smaller
    n, k = TABLE.shape
    ranks = np.array(stats.friedman_test(TABLE, higher_is_better=True).details["mean_ranks"])
    untied = 12 * n / (k * (k + 1)) * np.square(ranks - (k + 1) / 2).sum()
    assert untied == pytest.approx(39.647, abs=5e-4)
    assert (n - 1) * untied / (n * (k - 1) - untied) == pytest.approx(14.309, abs=5e-4)
    found = stats.friedman_test(TABLE, higher_is_better=True)
    sizes = [np.unique(row, return_counts=True)[1] for row in TABLE]
    tied = 1 - sum((s**3 - s).sum() for s in sizes) / (n * (k**3 - k))
    assert found.statistic == pytest.approx(untied / tied, rel=1e-12)


# counts, then the intervals that DescTools' tests print: Wald's, Mee's and Newcombe's ("score")
DIFFERENCES = [
    ((56, 70, 48, 80), (0.0575, 0.3425), (0.0534, 0.3377), (0.0524, 0.3339)),
    ((9, 10, 3, 10), (0.2605, 0.9395), (0.1821, 0.8370), (0.1705, 0.8090)),
    ((10, 10, 0, 20), (1.0, 1.0), (0.7224, 1.0), (0.6791, 1.0)),
    ((84, 101, 89, 105), (-0.1162, 0.0843), (-0.1188, 0.0858), (-0.1177, 0.0851)),
]


@pytest.mark.parametrize(("counts", "wald", "mee", "newcombe"), DIFFERENCES)
def test_desctools_intervals_of_differences(counts, wald, mee, newcombe):
    for kind, ends in (("wald", wald), ("newcombe", newcombe)):
        found = stats.risk_difference(*counts, interval=kind)
        assert (found.ci_low, found.ci_high) == pytest.approx(ends, abs=6e-5)
    score = stats.two_proportion_score_test(*counts)
    # three of Mee's ends are 0.0533, 0.7225 and 0.0857 in print and here; DescTools' tests note
    # that theirs differ by one in the last digit
    assert (score.ci_low, score.ci_high) == pytest.approx(mee, abs=1.5e-4)


def test_mees_intervals_as_printed():
    printed = {(56, 70, 48, 80): 0.0533, (10, 10, 0, 20): 0.7225}
    for counts, low in printed.items():
        assert round(stats.two_proportion_score_test(*counts).ci_low, 4) == low
    assert round(stats.two_proportion_score_test(84, 101, 89, 105).ci_high, 4) == 0.0857
