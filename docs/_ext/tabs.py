"""The sections of the site, above every page."""

from __future__ import annotations

from typing import Any

from sphinx.application import Sphinx

# a section's page -> its name, and how the pages in it begin
TABS = {
    "index": ("Start", ("tours/",)),
    "guide": ("Guide", ("howto/", "user/", "lab/")),
    "gallery": ("Examples", ("gallery/", "tutorials/")),
    "user/commands": ("Commands", ("cli/",)),
    "api/index": ("API", ("api/",)),
    "changes": ("What's new", ()),
    "project/help": ("Help", ()),
}


def show(_app: Sphinx, page: str, _template: str, context: dict[str, Any], *_: Any) -> None:
    """Give the template the sections, and which of them a page is in."""
    context["tabs"] = [
        (name, words, {page} if page.startswith(inside) and page not in TABS else ())
        for name, (words, inside) in TABS.items()
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", show)
    return {"parallel_read_safe": True}
