"""Excel workbooks (.xlsx): a sheet of links, and one of nodes; needs openpyxl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from .build import Found
from .edgelist import choose_columns, found_links, read_any
from .excel_file import choose_sheets, read_sheets
from .ids import same_kind
from .node_tables import add_nodes


def read_excel(
    path: Path,
    nodes: Sequence[Path] = (),
    member: str | None = None,
    columns: Mapping[str, str] | None = None,
    header: bool | None = None,
) -> Found:
    """Read the links of one sheet, and nodes of the others or of files."""
    asked = dict(columns or {})
    key = asked.pop("id", None)
    sheets = read_sheets(path, header=header)
    links, others = choose_sheets(path, sheets, member)
    found = found_links(sheets[links], choose_columns(sheets[links], asked))
    found.format = "Excel"
    found.notes.append(f"links from the sheet {links!r}")
    tables = [read_any(node, header=header)[0] for node in nodes]
    if not nodes:
        tables = [sheets[name] for name in others]
        found.notes += [f"nodes from the sheet {name!r}" for name in others]
    left = [name for name in sheets if name != links and (nodes or name not in others)]
    found.notes += [f"the sheet {name!r} is not used" for name in left]
    if tables:
        add_nodes(found, tables, {} if key is None else {"id": key})
    else:
        found.source, found.target = same_kind(found.source, found.target)
    return found
