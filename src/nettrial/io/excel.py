"""Excel workbooks (.xlsx): a sheet of links, and one of nodes; needs openpyxl."""

from __future__ import annotations

from .adjacencycsv import found_matrix
from .edgelist import choose_columns, found_links, read_any
from .excel_file import choose_sheets, is_excel, read_sheets, rows_of
from .format import Format, Request
from .found import Found
from .ids import same_kind
from .labels import add_columns
from .node_tables import add_nodes
from .square import is_matrix


def read_excel(request: Request) -> Found:
    """Read the links of one sheet, and nodes of the others or of files."""
    path, nodes, header, columns = request.path, request.nodes, request.header, request.columns
    asked = dict(columns)
    key = asked.pop("id", None)
    sheets = read_sheets(path, header=header)
    links, others = choose_sheets(path, sheets, request.member)
    tables = [read_any(node, header=header)[0] for node in nodes]
    tables = tables or [sheets[name] for name in others]
    if not columns and is_matrix(rows_of(sheets[links])):
        found = found_matrix(sheets[links])
        for table in tables:
            add_columns(found, table, len(found.nodes))
    else:
        found = found_links(
            sheets[links], choose_columns(sheets[links], asked), request.missing_weight
        )
        if tables:
            add_nodes(found, tables, key)
        else:
            found.source, found.target = same_kind(found.source, found.target)
    found.format = "Excel"
    found.notes.append(f"links from the sheet {links!r}")
    used = () if nodes else others
    found.notes += [f"nodes from the sheet {name!r}" for name in used]
    left = [name for name in sheets if name != links and name not in used]
    found.notes += [f"the sheet {name!r} is not used" for name in left]
    return found


FILE_FORMATS = (
    Format("excel", lambda path, head: is_excel(head, path), read_excel, order=10,
           files="`.xlsx` (extra `excel`): a sheet of links and one of nodes; NodeXL",
           holds="as `table` or `adjacency`; `file#SHEET` chooses the sheet of links",
           takes_nodes=True, takes_columns=True, members=True),
)  # fmt: skip
