"""Settings of the documentation site.

    sphinx-build -W --keep-going docs site

Tables, figures and the pages of the API are made anew from the package with every build; whatever
is broken, undocumented or prints something else than it says ends the build.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

from nettrial import __version__  # noqa: E402 - the extensions must be found first

project = "nettrial"
author = "The nettrial authors"
project_copyright = author
version = release = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "numpydoc",
    "myst_nb",
    "sphinx_copybutton",
    "sphinx_design",
    "api_pages",
    "made_pages",
    "command_pages",
    "split_pictures",
    "tabs",
    "search_pages",
    "sphinx-mathjax-offline",  # formulas without a network, also from a folder
    "stored_outputs",
]
# notes for maintainers, read in the repository
NOTES = ["lab/torture.md", "lab/versions.md", "lab/releasing.md"]
exclude_patterns = ["_ext", "_made/*.md", "tutorials/data", *NOTES]
# the notebooks' data lie beside the repository, and are no part of it; a build without them shows
# the outputs that the notebooks hold
DATA, LINKED = HERE.parents[1] / "shared/data", HERE / "tutorials/data"
if DATA.exists() and not LINKED.exists():
    LINKED.symlink_to(DATA)
templates_path = ["_templates"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb", ".rst": "restructuredtext"}

default_role = "py:obj"
autodoc_typehints = "none"  # numpydoc's sections say it in words
viewcode_line_numbers = True
autosummary_generate = False
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_excludepatterns = [] if LINKED.exists() else ["tutorials/*.ipynb"]
nb_execution_timeout = 300
nb_merge_streams = True
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"nettrial {version}"
html_logo = html_favicon = "_static/logo.svg"
html_theme_options = {"announcement": "tabs"}  # its place; _templates/page.html fills it
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
(HERE / "_made" / "pages").mkdir(parents=True, exist_ok=True)  # is looked for before it is filled
html_extra_path = ["_made/pages"]
html_show_sphinx = False
