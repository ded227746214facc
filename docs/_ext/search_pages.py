"""The words of all pages in one script, from which the search cuts excerpts without a server."""

from __future__ import annotations

import json
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx


def words(tree: nodes.document) -> str:
    """Return the text of a page, paragraph by paragraph."""
    note = [
        each.astext()
        for each in tree.findall(nodes.TextElement)
        if not isinstance(each.parent, nodes.TextElement)
        and not isinstance(each, (nodes.raw, nodes.comment))
    ]
    return " ".join(" ".join(note).split())


def write_texts(app: Sphinx, failure: Exception | None) -> None:
    """Write the script beside the index that the search reads."""
    if failure is None and app.builder.name == "html":
        pages = {name: words(app.env.get_doctree(name)) for name in sorted(app.env.found_docs)}
        script = f"Search.setTexts({json.dumps(pages, ensure_ascii=False)});\n"
        Path(app.outdir, "searchtexts.js").write_text(script, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", write_texts)
    return {"parallel_read_safe": True}
