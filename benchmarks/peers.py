"""Hold nettrial's numbers against those of other libraries, as their own test suites ask for them.

    python benchmarks/peers.py [--folder DIR] [--python PYTHON] [--golden DIR] [--page FILE]

Installs the peers beside nettrial in an environment of its own under DIR (or takes PYTHON, which
has them), runs their test suites while `peer_calls.recording` writes down what they ask of their
functions, puts every question to nettrial, and writes the page docs/lab/peers.md. Ends with 1 where
a case differs without a reason, or a test of ours fails. `--golden` is the folder of
what R computed, where there is one.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent
PACKAGES = ("scipy", "statsmodels", "scikit-learn", "pingouin", "mlstatkit", "mlxtend",
            "scikit-posthocs", "torch", "torch-geometric", "ogb", "cloudpickle", "hypothesis",
            "pytest", "pytest-xdist", "pytest-timeout")  # fmt: skip


@dataclass(frozen=True)
class Suite:
    """The tests of one peer: where they are, and the functions whose calls are kept."""

    package: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]
    from_source: bool = False


def _names(prefix: str, words: str) -> tuple[str, ...]:
    return tuple(f"{prefix}.{word}" for word in words.split())


SUITES = (
    Suite(
        "scipy",
        _names("scipy.stats", "ttest_1samp ttest_rel ttest_ind wilcoxon mannwhitneyu kruskal "
               "friedmanchisquare f_oneway binomtest tukey_hsd false_discovery_control "
               "permutation_test"),
        _names("scipy.stats.tests", "test_stats test_morestats test_hypotests test_resampling"),
    ),
    Suite(
        "statsmodels",
        _names("statsmodels.stats",
               "contingency_tables.mcnemar contingency_tables.cochrans_q multitest.multipletests "
               "multitest.fdrcorrection proportion.proportion_confint proportion.proportions_ztest "
               "proportion.test_proportions_2indep proportion.confint_proportions_2indep "
               "proportion.binom_test oneway.anova_oneway anova.AnovaRM.fit weightstats.ttest_ind "
               "weightstats.ttost_ind weightstats.ttost_paired weightstats.DescrStatsW.ttest_mean "
               "weightstats.CompareMeans.ttest_ind power.TTestPower.power "
               "power.TTestIndPower.power power.TTestPower.solve_power "
               "power.TTestIndPower.solve_power multicomp.pairwise_tukeyhsd "
               "multivariate.test_mvmean multivariate.test_mvmean_2indep "
               "meta_analysis.combine_effects descriptivestats.sign_test"),
        _names("statsmodels.stats.tests",
               "test_anova_rm test_contingency_tables test_descriptivestats test_groups_sw "
               "test_meta test_multi test_multivariate test_nonparametric test_oneway "
               "test_pairwise test_power test_proportion test_tost test_weightstats"),
    ),
    Suite(
        "scikit-learn",
        _names("sklearn.metrics", "roc_auc_score average_precision_score precision_score "
               "recall_score f1_score fbeta_score log_loss brier_score_loss matthews_corrcoef "
               "balanced_accuracy_score confusion_matrix accuracy_score zero_one_loss roc_curve "
               "precision_recall_curve"),
        _names("sklearn.metrics.tests", "test_classification test_ranking"),
    ),
    Suite(
        "pingouin",
        _names("pingouin", "ttest wilcoxon mwu kruskal friedman cochran anova welch_anova rm_anova "
               "pairwise_tukey pairwise_gameshowell multicomp compute_effsize tost power_ttest "
               "power_ttest2n multivariate_ttest chi2_mcnemar epsilon"),
        ("tests",),
        from_source=True,
    ),
    Suite("mlstatkit", ("MLstatkit.Delong_test",), ("tests/test_delong.py",), from_source=True),
)  # fmt: skip
# values printed in papers and by NIST, which tests of ours hold
PRINTED = (
    "tests/stats/test_stats_shift.py::test_simon_and_lesages_sets_are_as_exact_as_doubles",
    "tests/stats/test_stats_shift.py::test_the_atomic_weight_of_silver",
    "tests/stats/test_stats_shift.py::test_the_resistivity_of_silicon",
    "tests/stats/test_stats_shift.py::test_univariate_sets",
    "tests/stats/test_wrong_results.py::test_value_of_its_source",
    "tests/stats/test_wrong_results.py::test_friedman_of_demsars_table_6",
    "tests/stats/test_wrong_results.py::test_wilcoxon_of_demsars_table_2",
    "tests/stats/test_wrong_results.py::test_mcnemar_published_examples_of_mlxtend",
    "tests/stats/test_wrong_results.py::test_5x2cv_of_the_iris_example_of_mlxtend",
    "tests/stats/test_effect_size.py::test_newcombe_interval_equals_the_published_table",
    "tests/stats/test_power.py::test_t_sample_sizes_equal_published_ones",
    "tests/stats/test_friedman_family.py::test_quade_of_a_printed_example",
    "tests/stats/test_stats_friedman_kruskal_cochran.py::test_critical_values_of_demsars_table_5",
    "tests/stats/test_mann_whitney.py::test_hodges_lehmann_of_printed_examples",
    "tests/metrics/test_delong_several.py::test_the_printed_example",
    "tests/stats/test_printed_by_peers.py",
)  # fmt: skip


def run(*words: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run a command and return what it wrote."""
    return subprocess.run([str(w) for w in words], text=True, capture_output=True, **options)


def environment(folder: Path) -> Path:
    """Make an environment with nettrial and the peers; return its Python."""
    python = folder / "env" / "bin" / "python"
    if not python.exists():
        run(sys.executable, "-m", "venv", folder / "env", check=True)
    done = run(python, "-m", "pip", "install", "--upgrade", "-e", REPOSITORY, *PACKAGES)
    if done.returncode:
        raise SystemExit(f"peers: pip could not install them\n{done.stderr[-2000:]}")
    return python


def installed(package: str, python: Path) -> str:
    """Return the version that is installed."""
    words = (python, "-c", f"import importlib.metadata as m; print(m.version('{package}'))")
    return run(*words, check=True).stdout.strip()


def source(package: str, python: Path, folder: Path) -> Path:
    """Return the unpacked source distribution of the version that is installed."""
    version, place = installed(package, python), folder / "sources"
    made = place / f"{package}-{version}"
    if not made.exists():
        place.mkdir(parents=True, exist_ok=True)
        run(python, "-m", "pip", "download", "--no-deps", "--no-binary", ":all:", "-d", place,
            f"{package}=={version}", check=True)  # fmt: skip
        with tarfile.open(next(place.glob(f"*{version}.tar.gz"))) as packed:
            packed.extractall(place, filter="data")
    return made


def record(suite: Suite, python: Path, folder: Path) -> str:
    """Run the tests of the installed version, keep what they ask, and return pytest's last line."""
    name = f"{suite.package}-{installed(suite.package, python)}"
    calls, said = folder / f"{name}.calls", folder / f"{name}.tests"
    if calls.exists() and said.exists():
        return said.read_text()
    for old in folder.glob(f"{suite.package}*.calls"):  # the page reads every file of calls
        old.unlink()
    tests: list[str | Path] = []
    for test in suite.tests:
        tests += [source(suite.package, python, folder) / test] if suite.from_source else [
            "--pyargs", test]  # fmt: skip
    paths = os.pathsep.join([str(HERE), str(REPOSITORY / "src")])
    surroundings = {**os.environ, "PYTHONPATH": paths, "PEER_CALLS": str(calls),
                    "PEER_FUNCTIONS": ",".join(suite.functions), "MPLBACKEND": "agg"}  # fmt: skip
    done = run(python, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider",
               "-o", "addopts=", "-p", "peer_calls.recording", "-W", "ignore", *tests,
               env=surroundings, cwd=folder)  # fmt: skip
    last = re.sub(r" in [\d.]+s.*", "", (done.stdout.strip().splitlines() or [""])[-1]).strip("= ")
    if not calls.exists():
        raise SystemExit(f"peers: the tests of {suite.package} did not run\n{done.stdout[-2000:]}")
    said.write_text(last)
    return last


def golden(python: Path, folder: Path | None) -> tuple[int, int] | None:
    """Return how many of R's cases are equal, and how many are not; None without them."""
    if folder is None:
        return None
    return outcome(python, "tests/system/test_golden.py", "--golden", str(folder))


def outcome(python: Path, *words: str) -> tuple[int, int]:
    """Return how many tests of ours pass, and how many fail or break."""
    done = run(python, "-m", "pytest", "-q", "-p", "no:randomly", "-p", "no:cacheprovider",
               "-o", "addopts=", *words, cwd=REPOSITORY)  # fmt: skip
    counts = {w: int(n) for n, w in re.findall(r"(\d+) (passed|failed|error)", done.stdout)}
    failed = counts.get("failed", 0) + counts.get("error", 0)
    if done.returncode:  # without a count of what failed, pytest did not run at all
        print(f"peers: tests of ours fail\n{done.stdout[-2000:]}{done.stderr[-2000:]}",
              file=sys.stderr)  # fmt: skip
        failed = failed or 1
    return counts.get("passed", 0), failed


def main() -> int:
    """Run all of it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "peers")
    parser.add_argument("--python", type=Path, help="a Python that has the peers")
    parser.add_argument("--golden", type=Path, help="what R computed")
    parser.add_argument("--page", type=Path, default=REPOSITORY / "docs" / "lab" / "peers.md")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    python = options.python or environment(options.folder)
    tests = {suite.package: record(suite, python, options.folder) for suite in SUITES}
    r, printed = golden(python, options.golden), outcome(python, *PRINTED)
    claims = run(python, HERE / "resampled_tests.py")
    if claims.returncode:
        print(f"peers: {claims.returncode} rates are outside their bounds\n{claims.stdout}"
              f"{claims.stderr}", file=sys.stderr)  # fmt: skip
    counts = repr((tests, r, printed, claims.stdout.strip()))
    paths = os.pathsep.join([str(HERE), str(REPOSITORY / "src")])
    done = subprocess.run(
        [python, "-m", "peer_calls.page", options.folder, options.page, counts],
        env={**os.environ, "PYTHONPATH": paths},
    )
    return done.returncode or claims.returncode or int(printed[1] > 0 or (r or (0, 0))[1] > 0)


if __name__ == "__main__":
    raise SystemExit(main())
