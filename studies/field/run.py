"""Judge beliefs of the field on real networks, cell by cell.

    python studies/field/run.py --data DIR --studies DIR [--belief NAME] [--network NAME]

`plan.toml` says what is asked. A cell is a belief on a network at a proportion of labels; its
answer is kept in `results/`, its predictions in a study file in the folder of --studies. What is
there is not run again, so the study can be done in parts. Cells stop being started after --minutes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
import tomllib
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nettrial

HERE = Path(__file__).resolve().parent


class Cell(NamedTuple):
    """One question."""

    belief: dict[str, Any]
    network: str  # path below the data folder
    labeled: float

    @property
    def name(self) -> str:
        """What its files are called."""
        share = f"{100 * self.labeled:g}"
        return f"{self.belief['name']}/{Path(self.network).name}-{share}"


def cells(plan: dict[str, Any]) -> Iterator[Cell]:
    """Yield all cells; for each network and proportion all beliefs, so that parts are whole."""
    featured, links = plan["networks"]["featured"], plan["networks"]["links"]
    for network in (*featured, *links):
        for labeled in plan["rules"]["labeled"]:
            for belief in plan["belief"]:
                if network in featured or not belief["features"]:
                    yield Cell(belief, network, labeled)


def model(name: str, plan: dict[str, Any]) -> Any:
    """Return a model by its name in the plan."""
    base = name.removeprefix("tuned:")
    return name if base == name else nettrial.tuned(base, plan["tuned"][base])


def answer(cell: Cell, network: nettrial.Network, plan: dict[str, Any], store: Path) -> Any:
    """Return what compare() says of a cell, or why it does not."""
    rules, belief = plan["rules"], cell.belief
    store.parent.mkdir(parents=True, exist_ok=True)
    try:
        found = nettrial.compare(
            network,
            model(belief["a"], plan),
            model(belief["b"], plan),
            labeled=cell.labeled,
            seed=rules["seed"],
            margin=rules["margin"],
            budget=rules["budget"],
            store=store,
        )
    except nettrial.InputError as error:
        return {"answer": "failed", "why": str(error)}
    result = found.to_dict()
    return {"answer": ending(result)} | result


def ending(result: dict[str, Any]) -> str:
    """Return the answer that a result is, by the rules of the plan."""
    if result["ending"].startswith("better"):
        return "holds" if result["difference"] < 0 else "reversed"
    return str(result["ending"]).replace("_", " ")


def main() -> None:
    """Run what is missing."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--data", type=Path, required=True, help="folder of real networks")
    parser.add_argument("--studies", type=Path, required=True, help="folder for the study files")
    parser.add_argument("--belief", help="only this one")
    parser.add_argument("--network", help="only this one")
    parser.add_argument("--minutes", type=float, default=60.0)
    given = parser.parse_args()
    plan = tomllib.loads((HERE / "plan.toml").read_text(encoding="utf-8"))
    commit = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=HERE, text=True).strip()
    end = time.monotonic() + 60 * given.minutes
    at: tuple[str, nettrial.Network] | None = None
    for cell in cells(plan):
        kept = HERE / "results" / f"{cell.name}.json"
        chosen = given.belief in (None, cell.belief["name"])
        chosen = chosen and given.network in (None, Path(cell.network).name)
        if kept.exists() or not chosen:
            continue
        if time.monotonic() > end:
            break
        if at is None or at[0] != cell.network:
            at = cell.network, nettrial.read(given.data / cell.network)
        start = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they are in the result
            found = answer(cell, at[1], plan, given.studies / f"{cell.name}.nettrial")
        found |= {"commit": commit, "seconds": round(time.process_time() - start, 1)}
        kept.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(found, indent=1).replace(f"{given.data}/", "")  # where the data lie here
        kept.write_text(text, encoding="utf-8")
        print(f"{cell.name}: {found['answer']}", flush=True)


if __name__ == "__main__":
    main()
