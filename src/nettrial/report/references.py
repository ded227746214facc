"""The sources behind the numbers: one table, for text, pages and BibTeX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..errors import unknown_choice
from ..inference.registry import PROCEDURES

# marks sources in a methods paragraph; names that were cleaned hold no such character
CITED = re.compile("\ue000([\\w,]+)\ue001")


@dataclass(frozen=True, slots=True)
class Source:
    """A published work.

    Attributes
    ----------
    short : str
        As text cites it.
    kind : str
        Its BibTeX type.
    fields : mapping of str to str
        Its BibTeX fields, accents and dashes as plain letters.
    role : str
        What was taken from it.
    """

    short: str
    kind: str
    fields: Mapping[str, str]
    role: str

    @property
    def text(self) -> str:
        """Authors, year, title and place.

        Examples
        --------
        >>> SOURCES["holm1979"].text
        'S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian \
Journal of Statistics 6(2), 65–70.'
        """
        f = self.fields
        names = (name.partition(", ") for name in f["author"].split(" and "))
        authors = ", ".join(f"{_initials(first)} {last}" for last, _, first in names)
        place = f.get("journal") or f["booktitle"]
        volume = " " * ("volume" in f) + f.get("volume", "")
        issue = f"({f['number']})" if "number" in f else ""
        pages = f", {f['pages']}" if "pages" in f else ""
        doi = f" doi:{f['doi']}" if "doi" in f else ""
        title = f"{f['title']}{'' if f['title'].endswith('?') else '.'}"
        return f"{authors} ({f['year']}). {title} {place}{volume}{issue}{pages}.{doi}"


def _initials(first: str) -> str:
    """Shorten first names to initials; those joined by a hyphen stay joined."""
    return " ".join("-".join(f"{part[0]}." for part in name.split("-")) for name in first.split())


def _article(
    short: str, role: str, author: str, title: str, journal: str, year: int, **more: str
) -> Source:
    fields = {"author": author, "title": title, "journal": journal, "year": str(year)}
    return Source(short, "article", fields | more, role)


def _talk(
    short: str, role: str, author: str, title: str, book: str, year: int, **more: str
) -> Source:
    fields = {"author": author, "title": title, "booktitle": book, "year": str(year)}
    return Source(short, "inproceedings", fields | more, role)


SOURCES: dict[str, Source] = {
    "wang2011": _talk(
        "Wang et al. 2011",
        "the parameters p, q, ρ and |L|, the variance theorems, Lemma 1, the RS-C correction",
        "Wang, Tao and Neville, Jennifer and Gallagher, Brian and Eliassi-Rad, Tina",
        "Correcting bias in statistical tests for network classifier evaluation",
        "ECML PKDD 2011, Part III, LNCS 6913", 2011, pages="506–521",
        doi="10.1007/978-3-642-23808-6_33",
    ),
    "neville2009": _talk(
        "Neville et al. 2009",
        "random and equal resampling, network cross-validation, Type I error of paired tests",
        "Neville, Jennifer and Gallagher, Brian and Eliassi-Rad, Tina",
        "Evaluating statistical tests for within-network classifiers of relational data",
        "IEEE International Conference on Data Mining (ICDM)", 2009, pages="397–406",
        doi="10.1109/ICDM.2009.50",
    ),
    "macskassy2007": _article(
        "Macskassy and Provost 2007", "relational classifiers and collective inference",
        "Macskassy, Sofus A. and Provost, Foster",
        "Classification in networked data: a toolkit and a univariate case study",
        "Journal of Machine Learning Research", 2007, volume="8", pages="935–983",
    ),
    "newman2003": _article(
        "Newman 2003", "autocorrelation of the classes (assortativity coefficient)",
        "Newman, Mark E. J.", "Mixing patterns in networks", "Physical Review E", 2003,
        volume="67", pages="026126", doi="10.1103/PhysRevE.67.026126",
    ),
    "blondel2008": _article(
        "Blondel et al. 2008", "communities, where they were not given (Louvain)",
        "Blondel, Vincent D. and Guillaume, Jean-Loup and Lambiotte, Renaud and Lefebvre, Etienne",
        "Fast unfolding of communities in large networks", "Journal of Statistical Mechanics",
        2008, pages="P10008", doi="10.1088/1742-5468/2008/10/P10008",
    ),
    "kunsch1989": _article(
        "Künsch 1989", "the bootstrap draws blocks of dependent observations, here communities, "
        "whole",
        "Künsch, Hans R.", "The jackknife and the bootstrap for general stationary observations",
        "Annals of Statistics", 1989, volume="17", number="3", pages="1217–1241",
        doi="10.1214/aos/1176347265",
    ),
    "efron1981": _article(
        "Efron 1981",
        "communities drawn such that the models come out equal (exponential tilting)",
        "Efron, Bradley", "Nonparametric standard errors and confidence intervals",
        "Canadian Journal of Statistics", 1981, volume="9", number="2", pages="139–158",
        doi="10.2307/3314608",
    ),
    "satterthwaite1946": _article(
        "Satterthwaite 1946", "degrees of freedom of the bootstrap's standard error",
        "Satterthwaite, Franklin E.",
        "An approximate distribution of estimates of variance components",
        "Biometrics Bulletin", 1946, volume="2", number="6", pages="110–114",
        doi="10.2307/3002019",
    ),
    "kojevnikov2021": _article(
        "Kojevnikov et al. 2021",
        "variance of the mean difference from pairs of nodes by their distance",
        "Kojevnikov, Denis and Marmer, Vadim and Song, Kyungchul",
        "Limit theorems for network dependent random variables", "Journal of Econometrics", 2021,
        volume="222", number="2", pages="882–908", doi="10.1016/j.jeconom.2020.05.024",
    ),
    "politis2003": _article(
        "Politis 2003", "how far the variance by distance reaches",
        "Politis, Dimitris N.", "Adaptive bandwidth choice", "Journal of Nonparametric Statistics",
        2003, volume="15", number="4–5", pages="517–533", doi="10.1080/10485250310001604659",
    ),
    "imbens2016": _article(
        "Imbens and Kolesár 2016",
        "degrees of freedom from a working model of the dependence",
        "Imbens, Guido W. and Kolesár, Michal",
        "Robust standard errors in small samples: some practical advice",
        "Review of Economics and Statistics", 2016, volume="98", number="4", pages="701–712",
        doi="10.1162/REST_a_00552",
    ),
    "liang1986": _article(
        "Liang and Zeger 1986",
        "standard errors that let errors within a community depend on each other",
        "Liang, Kung-Yee and Zeger, Scott L.",
        "Longitudinal data analysis using generalized linear models", "Biometrika", 1986,
        volume="73", number="1", pages="13–22", doi="10.1093/biomet/73.1.13",
    ),
    "canay2017": _article(
        "Canay et al. 2017", "sign flips of whole communities or groups",
        "Canay, Ivan A. and Romano, Joseph P. and Shaikh, Azeem M.",
        "Randomization tests under an approximate symmetry assumption", "Econometrica", 2017,
        volume="85", number="3", pages="1013–1030", doi="10.3982/ECTA13081",
    ),
    "nadeau2003": _article(
        "Nadeau and Bengio 2003", "the corrected resampled t-test",
        "Nadeau, Claude and Bengio, Yoshua", "Inference for the generalization error",
        "Machine Learning", 2003, volume="52", number="3", pages="239–281",
        doi="10.1023/A:1024068626366",
    ),
    "dietterich1998": _article(
        "Dietterich 1998",
        "why paired and pooled t-tests on resampled test sets claim too much",
        "Dietterich, Thomas G.",
        "Approximate statistical tests for comparing supervised classification learning "
        "algorithms", "Neural Computation", 1998, volume="10", number="7", pages="1895–1923",
        doi="10.1162/089976698300017197",
    ),
    "wilcoxon1945": _article(
        "Wilcoxon 1945", "the signed-rank test",
        "Wilcoxon, Frank", "Individual comparisons by ranking methods", "Biometrics Bulletin",
        1945, volume="1", number="6", pages="80–83", doi="10.2307/3001968",
    ),
    "hampel1974": _article(
        "Hampel 1974", "what each node contributes to a measure that is not a mean",
        "Hampel, Frank R.", "The influence curve and its role in robust estimation",
        "Journal of the American Statistical Association", 1974, volume="69", number="346",
        pages="383–393", doi="10.2307/2285666",
    ),
    "delong1988": _article(
        "DeLong et al. 1988", "placements of the nodes, of which the AUC is the mean",
        "DeLong, Elizabeth R. and DeLong, David M. and Clarke-Pearson, Daniel L.",
        "Comparing the areas under two or more correlated receiver operating characteristic "
        "curves", "Biometrics", 1988, volume="44", number="3", pages="837–845",
        doi="10.2307/2531595",
    ),
    "brier1950": _article(
        "Brier 1950", "squared loss of probabilities",
        "Brier, Glenn W.", "Verification of forecasts expressed in terms of probability",
        "Monthly Weather Review", 1950, volume="78", number="1", pages="1–3",
    ),
    "hothorn2008": _article(
        "Hothorn et al. 2008", "simultaneous intervals and adjusted p-values (max-t)",
        "Hothorn, Torsten and Bretz, Frank and Westfall, Peter",
        "Simultaneous inference in general parametric models", "Biometrical Journal", 2008,
        volume="50", number="3", pages="346–363", doi="10.1002/bimj.200810425",
    ),
    "holm1979": _article(
        "Holm 1979", "adjustment of p-values for their number", "Holm, Sture",
        "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics", 1979, volume="6", number="2", pages="65–70",
    ),
    "piepho2004": _article(
        "Piepho 2004", "letters that models share which do not differ significantly",
        "Piepho, Hans-Peter",
        "An algorithm for a letter-based representation of all-pairwise comparisons",
        "Journal of Computational and Graphical Statistics", 2004, volume="13", number="2",
        pages="456–466", doi="10.1198/1061860043515",
    ),
    "demsar2006": _article(
        "Demšar 2006", "tests over several data sets, and critical differences",
        "Demšar, Janez", "Statistical comparisons of classifiers over multiple data sets",
        "Journal of Machine Learning Research", 2006, volume="7", pages="1–30",
    ),
    "benavoli2017": _article(
        "Benavoli et al. 2017", "the Bayesian signed-rank test",
        "Benavoli, Alessio and Corani, Giorgio and Demšar, Janez and Zaffalon, Marco",
        "Time for a change: a tutorial for comparing multiple classifiers through Bayesian "
        "analysis", "Journal of Machine Learning Research", 2017, volume="18", pages="1–36",
    ),
    "hartung2001": _article(
        "Hartung and Knapp 2001", "intervals of random-effects means",
        "Hartung, Joachim and Knapp, Guido",
        "A refined method for the meta-analysis of controlled clinical trials with binary outcome",
        "Statistics in Medicine", 2001, volume="20", number="24", pages="3875–3889",
        doi="10.1002/sim.1009",
    ),
    "hung2019": _article(
        "Hung and Fithian 2019", "when the best of several may be called the best",
        "Hung, Kenneth and Fithian, William", "Rank verification for exponential families",
        "Annals of Statistics", 2019, volume="47", number="2", pages="758–782",
        doi="10.1214/17-AOS1634",
    ),
    "wilson1927": _article(
        "Wilson 1927", "intervals of shares of drawn networks",
        "Wilson, Edwin B.", "Probable inference, the law of succession, and statistical inference",
        "Journal of the American Statistical Association", 1927, volume="22", number="158",
        pages="209–212", doi="10.1080/01621459.1927.10502953",
    ),
}  # fmt: skip

ALWAYS = ("wang2011", "neville2009", "macskassy2007", "newman2003")  # every trial rests on them
OF_TESTS: Mapping[str, tuple[str, ...]] = {
    name: each.references for name, each in PROCEDURES.items() if each.references
}
OF_MEASURES: Mapping[str, tuple[str, ...]] = {
    "auc": ("hampel1974", "delong1988"),
    "macro_f1": ("hampel1974",),
    "squared_loss": ("brier1950",),
}
ACCENTS = {"š": r"{\v{s}}", "ü": r"{\"u}", "á": r"{\'a}", "–": "--"}


def cite(*keys: str) -> str:
    """Mark sources in a methods paragraph; nothing where there are none."""
    return f"\ue000{','.join(keys)}\ue001" if keys else ""


def sources_of(tests: Iterable[str], measure: str = "error") -> tuple[str, ...]:
    """Return the keys of what these tests and this measure rest on, each once.

    Examples
    --------
    >>> sources_of(["wilcoxon"])[-1]
    'wilcoxon1945'
    """
    keys = list(ALWAYS)
    for test in tests:
        keys += OF_TESTS.get(test, ())
    return tuple(dict.fromkeys([*keys, *OF_MEASURES.get(measure, ())]))


def bibtex(keys: Iterable[str]) -> str:
    """Return the BibTeX entries of these sources, in the order of the keys, each once.

    Raises
    ------
    InputError
        For an unknown key.

    Examples
    --------
    >>> print(bibtex(["holm1979"]).splitlines()[0])
    @article{holm1979,
    """
    entries = []
    for key in dict.fromkeys(keys):
        if key not in SOURCES:
            raise unknown_choice("reference", key, SOURCES)
        source = SOURCES[key]
        lines = [f"  {name} = {{{_ascii(text)}}}," for name, text in source.fields.items()]
        entries.append("\n".join([f"@{source.kind}{{{key},", *lines, "}"]))
    return "\n\n".join(entries) + "\n"


def _ascii(text: str) -> str:
    return "".join(ACCENTS.get(letter, letter) for letter in text)
