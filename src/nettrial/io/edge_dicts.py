"""Attributes behind the two ends of a link, as networkx writes them: ``a b {'weight': 2}``."""

from __future__ import annotations

import re
from pathlib import Path

from .guards import note

DICT = re.compile(rb"[ \t,;|]*\{([^{}\n]*)\}[ \t]*$", re.M)
WEIGHT = re.compile(rb"(?:^|[,\s])['\"]weight['\"]\s*:\s*([^,\s]+)")


def cut_dicts(path: Path, data: bytes) -> tuple[bytes, bool]:
    """Put weights in place of the attributes, where every row has one, else leave them out.

    Also returns whether the last column is the weight now.

    Examples
    --------
    >>> cut_dicts(Path("x"), b"a b {'weight': 2}\\nb c {'weight': 3, 'kind': 'x'}\\n")
    (b'a b 2\\nb c 3\\n', True)
    >>> cut_dicts(Path("x"), b"a b {}\\nb c {}\\n"), cut_dicts(Path("x"), b"a b 2\\n")
    ((b'a b\\nb c\\n', False), (b'a b 2\\n', False))
    """
    first = data.lstrip()[:4096].split(b"\n", 1)[0]
    if not DICT.search(first) or first.lstrip().startswith(b"{"):
        return data, False
    found = DICT.findall(data)
    weights = [WEIGHT.search(attributes) for attributes in found]
    rows = sum(1 for line in data.split(b"\n") if line.strip())
    weighted = len(found) == rows and all(weights)
    if any(map(bytes.strip, found)):
        rest = "" if weighted else " and not used, since not every link has a weight"
        note(
            f"{path.name}: attributes of links stand in braces{rest or ', of which weight is used'}"
        )
    values = iter(weights)

    def written(_: re.Match[bytes]) -> bytes:
        weight = next(values)
        return b"" if weight is None or not weighted else separator + weight.group(1)

    separator = b"," if b"," in DICT.sub(b"", first) else b"\t" if b"\t" in first else b" "
    return DICT.sub(written, data), weighted
