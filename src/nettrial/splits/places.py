"""Where the nodes that a file names stand in the network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.errors import shown
from ..io.guards import fail
from ..network.network import Network


def places_of(path: Path | str, network: Network, ids: Any) -> NDArray[np.intp]:
    """Return the index in the network of each node id; ids are the same if their text is.

    A whole number written with a point, as 3.0, stands for 3 where no id of the network is
    written so.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=3, ids=[5, 6, 7])
    >>> places_of("file", net, ["6", "5.0"]).tolist()
    [1, 0]
    """
    import pandas as pd

    known = pd.Index([str(i) for i in network.ids.tolist()])
    if not known.is_unique:
        fail(path, "cannot be matched: two node ids of the network look the same as text")
    values = np.asarray(ids)
    codes, names = pd.factorize(values)
    words = pd.Index([str(name) for name in names.tolist()])
    found = known.get_indexer(words)
    if (found < 0).any():
        whole = known.get_indexer(words.str.replace(r"\.0*$", "", regex=True))
        found = np.where(found < 0, whole, found)
    places = np.where(codes < 0, -1, found[codes])
    unknown = places < 0
    if unknown.any():
        first = str(values[unknown][0])
        hint = ""
        if positions_of(values, network) is not None and unknown.all():
            hint = "; if these are places in the network, counted from 0, call the column index"
        fail(
            path,
            f"names {np.unique(codes[unknown]).size} nodes that the network does not hold, in "
            f"{np.count_nonzero(unknown)} rows, for example {shown(first)}; ids of the network are "
            f"{', '.join(repr(i) for i in known[:3])}, ...{hint}",
        )
    return np.asarray(places, dtype=np.intp)


def positions_of(values: Any, network: Network) -> NDArray[np.intp] | None:
    """Return values as indices of nodes, None where some are none.

    Examples
    --------
    >>> net = Network([0], [1], n_nodes=3, ids=["x", "y", "z"])
    >>> positions_of(["2", 0.0], net).tolist(), positions_of([3], net)
    ([2, 0], None)
    """
    import pandas as pd

    numbers = pd.to_numeric(pd.Series(np.asarray(values, dtype=object)), errors="coerce")
    array = numbers.to_numpy(np.float64)
    inside = (array >= 0) & (array < network.n_nodes) & (array == np.floor(array))
    return array.astype(np.intp) if inside.all() else None


def order_note(network: Network) -> str:
    """Return the note that node numbers are positions, where ids could be meant as well; else "".

    Examples
    --------
    >>> order_note(Network([0], [1], n_nodes=3, ids=[2, 0, 1]))[:69]
    'numbers of nodes are taken for places in the network, counted from 0,'
    """
    ids, places = network.ids.tolist(), list(range(network.n_nodes))
    if ids == places or not all(isinstance(one, int) for one in ids) or sorted(ids) != places:
        return ""
    return (
        "numbers of nodes are taken for places in the network, counted from 0, not for its ids, "
        f"which are the same numbers in another order ({', '.join(map(str, ids[:4]))}, ...); give "
        "the ids beside them if that is not so"
    )
