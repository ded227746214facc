"""What the search needs without a server: the words of all pages, and where some lead first."""

from __future__ import annotations

import json
import re
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# what readers look for -> the page that answers it; terms of the glossary lead there otherwise
FIRST = {
    "p-value": "user/which_test",
    "significance": "user/verdict",
    "significant": "user/verdict",
    "confidence interval": "user/verdict",
    "margin": "user/verdict",
    "equivalence": "user/verdict",
    "t-test": "user/which_test",
    "which test": "user/which_test",
    "mcnemar": "user/which_test",
    "wilcoxon": "user/which_test",
    "homophily": "user/glossary",
    "communities": "user/bootstrap",
    "bootstrap": "user/bootstrap",
    "halves": "user/halves",
    "budget": "user/halves",
    "network hac": "user/methods",
    "few labels": "user/several_models",
    "label rate": "user/several_models",
    "labels per class": "user/several_models",
    "multiple comparisons": "user/several_models",
    "power": "user/audit",
    "sample size": "user/audit",
    "nodes.csv": "howto/your_files",
    "edges.csv": "howto/your_files",
    "file formats": "user/formats",
    "missing labels": "user/formats",
    "missing values": "user/formats",
    "missing data": "user/formats",
    "predictions": "howto/predictions",
    "logits": "user/formats",
    "pytorch": "tours/graph_neural_networks",
    "gcn": "user/graph_neural_networks",
    "seed": "user/graph_neural_networks",
    "cross-validation": "user/splits",
    "train test split": "user/splits",
    "temporal split": "user/splits",
    "auc": "user/measures",
    "average precision": "user/measures",
    "f1": "user/measures",
    "regression": "user/regression",
    "link prediction": "user/link_prediction",
    "multi-label": "howto/several_labels",
    "leakage": "user/check",
    "latex": "howto/paper",
    "latex table": "howto/paper",
    "report p-value": "howto/paper",
    "how to write the p-value": "howto/paper",
    "slurm": "user/distributed",
    "time limit": "user/distributed",
    "time limits": "user/distributed",
    "timeout": "user/distributed",
    "memory limit": "user/distributed",
    "ogbn-arxiv": "user/distributed",
    "large graphs": "user/distributed",
    "exit status": "user/exit_codes",
    "exit code": "user/exit_codes",
    "docker": "howto/containers",
    "container": "howto/containers",
    "gate": "howto/ci",
    "ci gate": "howto/ci",
    "ci": "howto/ci",
    "pipeline": "howto/ci",
    "json schema": "user/results",
    "fraud": "tours/bank",
    "leaderboard": "user/leaderboard",
    "cite": "project/help",
    "recipe": "lab/sources",  # and places in the papers and slides
    **{f"table {n}": "lab/sources" for n in range(1, 8)},
    **{f"{place} {n}": "lab/sources" for place in ("theorem", "recipe") for n in range(1, 5)},
    **{f"figure {n}": "lab/sources" for n in range(1, 4)},
    **{f"figure {n}({part})": "lab/sources" for n in range(1, 4) for part in "abcdef"},
    "icdm": "lab/sources",
    "formula": "lab/sources",
}
GLOSSARY, SOURCES = "user/glossary", "lab/sources"


def words(tree: nodes.document) -> str:
    """Return the text of a page, paragraph by paragraph."""
    note = [
        each.astext()
        for each in tree.findall(nodes.TextElement)
        if not isinstance(each.parent, (nodes.TextElement, addnodes.pending_xref))
        and not isinstance(each, (nodes.raw, nodes.comment))
    ]
    return " ".join(" ".join(note).split())


def terms(glossary: nodes.document) -> dict[str, list[str]]:
    """Return where each term of the glossary stands: page, title and anchor."""
    return {
        term.astext().split(" (")[0].lower(): [GLOSSARY, f"Glossary: {term.astext()}", anchor]
        for term in glossary.findall(nodes.term)
        for anchor in [f"#{term['ids'][0]}"]
    }


def sections(sources: nodes.document) -> set[str]:
    """Return the numbers of sections that the page on the sources has rows for: 5.1, 19.11."""
    numbers = set()
    for row in sources.findall(nodes.row):
        for number in re.findall(r"\d+(?:\.\d+)+", row.children[0].astext()):
            parts = number.split(".")
            numbers |= {".".join(parts[:length]) for length in range(2, len(parts) + 1)}
    return numbers | {f"section {number}" for number in numbers}


def write_texts(app: Sphinx, failure: Exception | None) -> None:
    """Write the script beside the index that the search reads."""
    if failure is None and app.builder.name == "html":
        pages = {name: words(app.env.get_doctree(name)) for name in sorted(app.env.found_docs)}
        if lacking := set(FIRST.values()) - set(pages):
            raise ExtensionError(f"the search leads to pages that are not there: {lacking}")
        titles = {name: app.env.titles[name].astext() for name in set(FIRST.values())}
        first = terms(app.env.get_doctree(GLOSSARY))
        first |= {word: [page, titles[page], ""] for word, page in FIRST.items()}
        numbers = sections(app.env.get_doctree(SOURCES))
        first |= {number: [SOURCES, titles[SOURCES], ""] for number in numbers}
        script = (
            f"Search.setTexts({json.dumps(pages, ensure_ascii=False)});\n"
            f"Search.setFirst({json.dumps(first, ensure_ascii=False)});\n"
        )
        Path(app.outdir, "searchtexts.js").write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True}
