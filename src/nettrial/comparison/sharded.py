"""compare_shard(): one share of a comparison, on a machine of its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from ..core.errors import InputError
from ..core.progress import Progress
from ..inference.choice import RERUNS
from ..models.base import Model
from ..network.network import Network
from ..replicates.base import Replicates
from ..replicates.blocks import BootstrapError, take_apart
from ..store.shards import Rounds, Shard, begin
from ..store.status import StudyStatus, study_status
from ..store.units import IncompleteStudyError
from ..study.parallel import complete
from .options import Asked, Options, takes_options
from .setup import Setup


@takes_options
def compare_shard(
    network: Network,
    models: Sequence[str | Model] | Mapping[str, str | Model],
    *,
    shard: str,
    labeled: float | None = None,
    **options: Unpack[Asked],
) -> StudyStatus:
    """Run one share of a comparison of two or more models, for example as one job of an array.

    The units of work (one model on one split; all models on one drawn network, or on one half
    of the communities) are dealt to the shards in turn. Each has a seed of its own, so that it
    comes out the same in whichever shard and on however many machines. A shard that was
    interrupted goes on with what is left in it.

    Where the bootstrap gives the verdict, what came of the networks drawn as the network is
    decides how the second kind of networks is drawn: all shards have to run twice. The second
    run of a shard does the second round, when the first one of all shards is complete.

    Parameters
    ----------
    network, models
        As for `compare_models`.
    shard : str
        Which of how many, as "3/16".
    store : path
        Folder of all shards; it may lie on a network file system. Made where there is none.
    n_splits : int, optional
        By default 10; "auto" means that too, since units are dealt before any has run.
    n_replicates : int, optional
        As for `compare_models`, by default 200 networks of either kind or 40 halvings.

    Returns
    -------
    StudyStatus
        How far all shards have come, and what is to be run next. When all is done,
        `nettrial.store.merge_shards` joins them to a study file.

    Raises
    ------
    InputError
        As `compare_models`; where the folder was begun with other inputs or settings.
    IncompleteStudyError
        Where units of this shard failed, when all others of it have ended.

    Examples
    --------
    >>> import tempfile, nettrial
    >>> from nettrial.store import merge_shards
    >>> net = nettrial.latent_group_network(60, seed=1)
    >>> with tempfile.TemporaryDirectory() as place:
    ...     for shard in ("1/2", "2/2"):
    ...         found = nettrial.compare_shard(
    ...             net, ["wvrn", "nbc"], shard=shard, store=f"{place}/shards", n_splits=3,
    ...             test="cluster_robust_t",
    ...         )
    ...     merged = merge_shards(f"{place}/shards", f"{place}/study.nettrial")
    >>> found.done, found.open, merged.done
    (6, 0, 6)
    """
    asked = Options(labeled=labeled, **options)
    if asked.store is None:
        raise InputError(
            parameter="store",
            expected="the folder of all shards",
            got="none",
            where="shard",
        )
    share = Shard.named(shard, asked.store)
    kept = asked.but(store=share.folder)
    setup = Setup.of(network, models, kept).kept_in(share)
    drawn, plan = _drawn(setup), setup.plan()
    begun = begin(
        share,
        network=setup.network,
        splits=setup.splits,
        models=tuple(setup.models),
        rounds=_rounds(setup, drawn),
        inputs=plan.inputs(setup.drawn()),
        analysis=setup.analysis.to_dict(),
    )
    total = sum(number == share.number for number in begun.shard_of.values())
    with Progress(f"shard {share}", total=total, enabled=setup.options.progress) as bar:
        with plan.record(share, drawn=setup.drawn(), retry=setup.options.retry) as record:
            complete(setup.network, plan.work, plan.blocks, record, setup.options.n_jobs, bar)
        if drawn is not None:
            drawn.run_share(setup.runner(bar, retry=setup.options.retry))
    found = study_status(share.folder)
    _check_own(found, share)
    return found


def _drawn(setup: Setup) -> Replicates[Any] | None:
    """Return the networks on which models are run again; None where they are not."""
    choice = setup.analysis.choice
    if choice.name not in RERUNS:
        return None
    try:
        return setup.replicates(take_apart(setup.network, setup.analysis.groups))
    except BootstrapError:
        if choice.forced:
            raise
        return None  # a test on predictions takes its place


def _rounds(setup: Setup, drawn: Replicates[Any] | None) -> Rounds:
    """List all units of a study."""
    first = [unit for block in setup.plan().blocks for unit in block]
    if drawn is None:
        return Rounds(tuple(first))
    own, *later = map(tuple, drawn.rounds())
    return Rounds((*first, *own), *later)


def _check_own(found: StudyStatus, share: Shard) -> None:
    failed = found.wanting.get(share.number, (0, 0))[1]
    if failed:
        raise IncompleteStudyError(
            f"{share.path}: {failed} of its units failed. The others are kept; "
            "run the shard again with retry (--retry) when the cause is removed; `nettrial status "
            f"{share.folder}` shows more"
        )
