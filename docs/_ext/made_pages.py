"""What the site shows of the product, made anew with every build: figures, a report, tables."""

from __future__ import annotations

import inspect
import re
import warnings
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

# books on politics that were bought together (Krebs, 2004; Newman's collection): beside the
# repository, and no part of it; the gallery shows a generated network where it is missing
BOOKS = Path(__file__).resolve().parents[3] / "shared/data/original/polbooks/polbooks.gml"
# names that several examples use -> the code that makes them
GIVEN = {
    "network": 'network = nettrial.read("polbooks.gml")'
    if BOOKS.exists()
    else "network = nettrial.latent_group_network(300, seed=0)",
    "schools": """schools = {
    f"school {i}": nettrial.latent_group_network(200, seed=i) for i in range(6)
}""",
}
# what is drawn -> what it is for, and the code that makes it; `found` is the result
RESULTS = {
    "Two models": (
        "Does A beat B on other networks like this one?",
        'found = nettrial.compare(network, "wvrn", "nbc", labeled=0.3, seed=0)',
    ),
    "Several models": (
        "Which of several models differ?",
        'found = nettrial.compare(network, ["wvrn", "nbc", "cdrn"], seed=0)',
    ),
    "Several proportions of labels": (
        "Does the order of the models change with the share of labels?",
        """rates = [0.1, 0.2, 0.3, 0.5]
found = nettrial.sweep(network, ["wvrn", "nbc", "cdrn"], labeled=rates, test="network_hac")""",
    ),
    "Several networks, two models": (
        "Is A better in schools like these?",
        'found = nettrial.compare_across(schools, ["wvrn", "nbc"], test="network_hac")',
    ),
    "What a difference depends on": (
        "Does the difference change with the autocorrelation of the school?",
        """both = ["wvrn", "nbc"]
found = nettrial.compare_across(schools, both, test="network_hac", moderator="autocorrelation")""",
    ),
    "Several networks, several models": (
        "Which models differ over networks like these?",
        """models = ["wvrn", "nbc", "cdrn", "prior"]
found = nettrial.compare_across(schools, models, test="network_hac")""",
    ),
    "Where the variance comes from": (
        "Networks, splits or seeds: which makes the result uncertain?",
        'found = nettrial.compare(network, "gcn", "sage", n_seeds=3, test="network_hac", seed=0)',
    ),
    "Grouped items without a network": (
        "Is a new language model better on documents like these?",
        """import numpy as np

rng = np.random.default_rng(0)
document = np.repeat(np.arange(30), 8)
new, old = (rng.random((2, 240)) < [[0.75], [0.68]]).astype(int)
found = nettrial.compare_grouped(new, old, document, names=("new", "old"))""",
    ),
    "A published table": (
        "Which bold entries hold?",
        """table = {
    "model": ["GCN", "GAT", "MLP"],
    "cora": ["81.5 ± 0.5", "83.0 ± 0.7", "55.1 ± 1.2"],
    "citeseer": ["70.3 ± 0.6", "72.5 ± 0.7", "46.5 ± 1.0"],
    "pubmed": ["79.0 ± 0.4", "79.0 ± 0.3", "71.4 ± 0.8"],
}
found = nettrial.leaderboard(table, n_splits=10, test_share=0.3)""",
    ),
    "A network": (
        "What was read: degrees, classes, components, communities?",
        "print(nettrial.summarize(network))\nfound = network",
    ),
    "Is this comparison fair?": (
        "Twins, leaks, overlapping test sets: what makes a comparison unfair?",
        """from nettrial.splits import RandomResampling

splits = RandomResampling(labeled=0.3, n_splits=4, seed=0).split_network(network)
found = nettrial.check(network, splits=splits)""",
    ),
    "Which test to trust": (
        "How often does each test raise a false alarm on networks like this one?",
        'found = nettrial.audit(network, "wvrn", "nbc", n_replicates=120, n_inner=10, n_jobs=1)',
    ),
    "What it takes": (
        "How many nodes, labels or splits does a difference need?",
        'found = nettrial.plan(network, "wvrn", "nbc", difference=0.03, n_replicates=40)',
    ),
}
# whose thumbnail is not the first figure
THUMBNAILS = {"Where the variance comes from": 3, "What a difference depends on": 2}
# what else a page of the gallery says
REMARKS = {
    "A network": "The books are conservative (c), liberal (l) or neutral (n).",
    "Which test to trust": "So that the site is made quickly, this audit is short: 120 networks "
    "of either kind, with 10 replicates inside each. With the default, 500 and 30, the audit of "
    "these books [recommends the community bootstrap](../user/audit.md).",
}
# pictures of measures, which no page of a result holds
CURVES = {
    "ROC curve": "axes = metrics.roc_curve(truth, scores).plot()",
    "Precision-recall curve": "axes = metrics.precision_recall_curve(truth, scores).plot()",
    "Measures by threshold": "axes = metrics.threshold_curve(truth, scores).plot()",
    "Q-Q plot of differences": """
from nettrial.stats.quantiles import normal_quantiles

axes = normal_quantiles(rng.normal(size=40)).plot()
""",
}
SCORES = """
import numpy as np
from nettrial import metrics

rng = np.random.default_rng(0)
truth = rng.integers(0, 2, 200)
scores = rng.normal(truth)
"""


def whole(code: str) -> str:
    """Return the code of an example with what it takes for granted."""
    given = [made for name, made in GIVEN.items() if re.search(rf"\b{name}\b", code)]
    return "\n".join(["import nettrial", "", *given, code])


def gallery(srcdir: Path) -> str:
    """Draw every figure that results hold, write a page for each, and return the thumbnails."""
    import nettrial
    from nettrial.report.canvas import drawn_for_phones
    from nettrial.report.describe import describe
    from nettrial.report.display import Display
    from nettrial.report.document import Figure
    from nettrial.report.html import render as page_of

    folder = srcdir / "_made"
    shown: set[type] = set()
    pages, cards = {}, []
    for title, (question, code) in RESULTS.items():
        names: dict[str, Any] = {}
        run(whole(code), names)
        document = describe(names["found"])
        parts = [f"# {title}", question, f"```python\n{whole(code)}\n```"]
        parts.append(f"> {document.verdict.text}")
        parts += [REMARKS[title]] if title in REMARKS and BOOKS.exists() else []
        blocks = [*document.blocks, *document.details()]
        for number, block in enumerate(b for b in blocks if isinstance(b, Figure)):
            name = f"{slug(title)}-{number + 1}.svg"
            block.display.save(folder / name)
            if number + 1 == THUMBNAILS.get(title, 1):
                with drawn_for_phones():
                    block.display.save(folder / f"{slug(title)}.svg")
            shown.add(type(block.display))
            parts.append(picture(f"../_made/{name}", block.caption, block.title))
        report = f"{slug(title)}-report.html"
        found = None if isinstance(names["found"], nettrial.Network) else names["found"]
        (folder / "pages" / report).write_text(page_of(document, found), encoding="utf-8")
        parts.append(f'<a href="../{report}">The whole report</a>')
        pages[slug(title)] = parts
        cards.append(card(title, question, f"{slug(title)}.svg"))
    missing = {each.__name__ for each in subclasses(Display)} - {each.__name__ for each in shown}
    if missing:
        raise RuntimeError(f"the gallery lacks {', '.join(sorted(missing))}")
    names = {}
    run(SCORES, names)
    question = "How good are scores, threshold by threshold?"
    parts = ["# Measures of scores", question, f"```python\n{SCORES.strip()}\n```"]
    for title, code in CURVES.items():
        run(code, names)
        name = f"{slug(title)}.svg"
        names["axes"].figure.savefig(folder / name, metadata={"Date": None})
        drawn = picture(f"../_made/{name}", title, title, "narrow")
        parts.append(f"```python\n{code.strip()}\n```\n{drawn}")
    pages["measures-of-scores"] = parts
    cards.append(card("Measures of scores", question, "roc-curve.svg"))
    write(srcdir / "gallery", {name: "\n\n".join(parts) + "\n" for name, parts in pages.items()})
    tree = "\n".join(
        ["```{toctree}", ":hidden:", "", *(f"gallery/{name}" for name in pages), "```"]
    )
    return "\n".join(["::::{grid} 1 2 3 3", ":gutter: 3", "", *cards, "::::", "", tree, ""])


def card(title: str, question: str, image: str) -> str:
    """Return a thumbnail that leads to a page of the gallery."""
    return (
        f":::{{grid-item-card}} {title}\n:link: gallery/{slug(title)}\n:link-type: doc\n"
        f":img-top: _made/{image}\n:img-alt: {title}\n\n{question}\n:::"
    )


def write(folder: Path, pages: dict[str, str]) -> None:
    """Write pages, leave those that are as they were, and remove others."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.md"):
        if old.stem not in pages:
            old.unlink()
    for name, text in pages.items():
        target = folder / f"{name}.md"
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")


def subclasses(kind: type) -> list[type]:
    """Return all classes below one that can be made."""
    below = [each for child in kind.__subclasses__() for each in (child, *subclasses(child))]
    return [each for each in below if not inspect.isabstract(each)]


def run(code: str, names: dict[str, Any]) -> None:
    """Run code; what it warns of stands in the result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(code.replace("polbooks.gml", BOOKS.as_posix()), names)  # noqa: S102 - the code above


def picture(path: str, caption: str, title: str, kind: str = "wide") -> str:
    """Return a figure in MyST; a wide one moves sideways on a phone."""
    head = f"**{title}**\n\n" if title else ""
    options = f":alt: {title or caption[:80]}\n:figclass: {kind}"
    return f"{head}:::{{figure}} {path}\n{options}\n\n{caption}\n:::\n"


def slug(title: str) -> str:
    """Return a name for a file."""
    return re.sub(r"[^a-z-]", "", title.lower().replace(" ", "-"))


def table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table in Markdown."""
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def tests_table() -> str:
    """List the tests of a comparison by what they answer."""
    from nettrial.core.wording import listed
    from nettrial.inference.registry import PROCEDURES
    from nettrial.report.questions import QUESTIONS, answers_for

    rows = [
        (f"`{each.name}`", each.words, answers_for(each.question),
         "the models again" if each.needs == "models" else "predictions",
         listed(each.predicted))
        for each in PROCEDURES.values()
    ]  # fmt: skip
    asked = dict.fromkeys(each.question for each in PROCEDURES.values())
    questions = "\n".join(f'- {QUESTIONS[each][0]}: "{each}"' for each in asked)
    head = ("test", "what it is", "answers for", "needs", "predicted")
    return f"{questions}\n\n{table(head, rows)}"


def designs_table() -> str:
    """List the designs of splits with their options."""
    from nettrial.splits import DESIGNS
    from nettrial.splits.names import described, options

    rows = [
        (f"`{name}`", described(name),
         f"{{py:obj}}`nettrial.splits.{design.__name__}`",
         ", ".join(f"`{option}`" for option in options(name)))
        for name, design in DESIGNS.items()
    ]  # fmt: skip
    return table(("name", "splits by", "class", "options"), rows)


def classical_table() -> str:
    """List the classical tests of the command line."""
    from nettrial.stats.catalog import CATALOG

    rows = [
        (f"`{spec.name}`", spec.use, f"{{py:obj}}`nettrial.stats.{spec.target.split('.')[-1]}`")
        for spec in CATALOG.values()
    ]
    return table(("`nettrial test`", "for", "in Python"), rows)


def commands_table() -> str:
    """List the commands."""
    from nettrial.cli import COMMANDS

    return table(
        ("command", "what it does"),
        [(f"[`nettrial {name}`](../cli/{name}.md)", text) for name, (_, text) in COMMANDS.items()],
    )


TABLES = {
    "tests": tests_table,
    "designs": designs_table,
    "classical": classical_table,
    "commands": commands_table,
}


def make(app: Sphinx) -> None:
    """Make everything before the pages are read."""
    folder = Path(app.srcdir, "_made")
    (folder / "pages").mkdir(parents=True, exist_ok=True)
    for name, made in TABLES.items():
        (folder / f"{name}.md").write_text(made(), encoding="utf-8")
    (folder / "gallery.md").write_text(gallery(Path(app.srcdir)), encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", make)
    return {"parallel_read_safe": True}
