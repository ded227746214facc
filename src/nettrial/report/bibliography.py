"""The works that methods paragraphs cite, for text and for BibTeX."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..errors import unknown_choice


@dataclass(frozen=True, slots=True)
class Work:
    """One entry: how it is named in text, its BibTeX type and fields."""

    short: str
    kind: str
    fields: dict[str, str]


def _article(short: str, author: str, title: str, journal: str, year: int, **more: str) -> Work:
    fields = {"author": author, "title": title, "journal": journal, "year": str(year)}
    return Work(short, "article", fields | more)


def _talk(short: str, author: str, title: str, book: str, year: int, **more: str) -> Work:
    fields = {"author": author, "title": title, "booktitle": book, "year": str(year)}
    return Work(short, "inproceedings", fields | more)


WORKS: dict[str, Work] = {
    "neville2009": _talk(
        "Neville et al. 2009",
        "Neville, Jennifer and Gallagher, Brian and Eliassi-Rad, Tina",
        "Evaluating statistical tests for within-network classifiers of relational data",
        "IEEE International Conference on Data Mining", 2009, pages="397--406",
        doi="10.1109/ICDM.2009.50",
    ),
    "liang1986": _article(
        "Liang and Zeger 1986", "Liang, Kung-Yee and Zeger, Scott L.",
        "Longitudinal data analysis using generalized linear models", "Biometrika", 1986,
        volume="73", pages="13--22", doi="10.1093/biomet/73.1.13",
    ),
    "blondel2008": _article(
        "Blondel et al. 2008",
        "Blondel, Vincent D. and Guillaume, Jean-Loup and Lambiotte, Renaud and Lefebvre, Etienne",
        "Fast unfolding of communities in large networks", "Journal of Statistical Mechanics",
        2008, pages="P10008", doi="10.1088/1742-5468/2008/10/P10008",
    ),
    "hothorn2008": _article(
        "Hothorn et al. 2008", "Hothorn, Torsten and Bretz, Frank and Westfall, Peter",
        "Simultaneous inference in general parametric models", "Biometrical Journal", 2008,
        volume="50", pages="346--363", doi="10.1002/bimj.200810425",
    ),
    "holm1979": _article(
        "Holm 1979", "Holm, Sture", "A simple sequentially rejective multiple test procedure",
        "Scandinavian Journal of Statistics", 1979, volume="6", pages="65--70",
    ),
    "piepho2004": _article(
        "Piepho 2004", "Piepho, Hans-Peter",
        "An algorithm for a letter-based representation of all-pairwise comparisons",
        "Journal of Computational and Graphical Statistics", 2004, volume="13", pages="456--466",
        doi="10.1198/1061860043515",
    ),
    "demsar2006": _article(
        "Demsar 2006", r"Dem{\v{s}}ar, Janez",
        "Statistical comparisons of classifiers over multiple data sets",
        "Journal of Machine Learning Research", 2006, volume="7", pages="1--30",
    ),
    "benavoli2017": _article(
        "Benavoli et al. 2017",
        r"Benavoli, Alessio and Corani, Giorgio and Dem{\v{s}}ar, Janez and Zaffalon, Marco",
        "Time for a change: a tutorial for comparing multiple classifiers through Bayesian "
        "analysis", "Journal of Machine Learning Research", 2017, volume="18", pages="1--36",
    ),
    "hartung2001": _article(
        "Hartung and Knapp 2001", "Hartung, Joachim and Knapp, Guido",
        "A refined method for the meta-analysis of controlled clinical trials with binary outcome",
        "Statistics in Medicine", 2001, volume="20", pages="3875--3889", doi="10.1002/sim.1009",
    ),
    "nadeau2003": _article(
        "Nadeau and Bengio 2003", "Nadeau, Claude and Bengio, Yoshua",
        "Inference for the generalization error", "Machine Learning", 2003, volume="52",
        pages="239--281", doi="10.1023/A:1024068626366",
    ),
    "hung2019": _article(
        "Hung and Fithian 2019", "Hung, Kenneth and Fithian, William",
        "Rank verification for exponential families", "The Annals of Statistics", 2019,
        volume="47", pages="758--782", doi="10.1214/17-AOS1634",
    ),
    "kunsch1989": _article(
        "Kunsch 1989", r"K{\"u}nsch, Hans R.",
        "The jackknife and the bootstrap for general stationary observations",
        "The Annals of Statistics", 1989, volume="17", pages="1217--1241",
        doi="10.1214/aos/1176347265",
    ),
    "efron1981": _article(
        "Efron 1981", "Efron, Bradley", "Nonparametric standard errors and confidence intervals",
        "The Canadian Journal of Statistics", 1981, volume="9", pages="139--158",
        doi="10.2307/3314608",
    ),
}  # fmt: skip


def bibtex(keys: Iterable[str]) -> str:
    """Give the BibTeX entries of these works, in the order of the keys, each once.

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
        if key not in WORKS:
            raise unknown_choice("reference", key, WORKS)
        work = WORKS[key]
        lines = [f"  {name} = {{{value}}}," for name, value in work.fields.items()]
        entries.append("\n".join([f"@{work.kind}{{{key},", *lines, "}"]))
    return "\n\n".join(entries) + "\n"
