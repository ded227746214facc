"""compare_shard(): one share of a comparison, on a machine of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Unpack

from ..core.errors import InputError
from ..core.progress import Progress
from ..inference.choice import BOOTSTRAP, RERUNS
from ..models.base import Model
from ..network.network import Network
from ..replicates.blocks import Blocks, BootstrapError, take_apart
from ..replicates.half_samples import run_on_halves, units_of_halves
from ..replicates.halving_plan import HalvingPlan
from ..replicates.pair_results import plain_sets, sets_of
from ..replicates.replicate_runner import NULL, PLAIN, as_it_is, where_equal
from ..replicates.replicate_runs import ReplicateScores, units_of
from ..store.shards import Rounds, Shard, begin
from ..store.status import StudyStatus, study_status
from ..store.units import IncompleteStudyError, Unit
from ..study.parallel import complete
from .halved import halves_trial
from .judge import rerun_of
from .links import LinkSetup, are_links
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
    setup: Setup | LinkSetup
    if are_links(models):
        linked = LinkSetup.of(network, models, kept)
        setup = replace(linked, options=kept.but(store=share))
    else:
        setup = Setup.of(network, models, kept).kept_in(share)
    blocks = _taken_apart(setup)
    plan = setup.plan()
    begun = begin(
        share,
        network=setup.network,
        splits=setup.splits,
        models=tuple(setup.models),
        rounds=_rounds(setup, blocks),
        inputs=plan.inputs(setup.drawn()),
        analysis=setup.analysis.to_dict(),
    )
    total = sum(number == share.number for number in begun.shard_of.values())
    with Progress(f"shard {share}", total=total, enabled=setup.options.progress) as bar:
        with plan.record(share, drawn=setup.drawn(), retry=setup.options.retry) as record:
            complete(setup.network, plan.task, plan.blocks, record, setup.options.n_jobs, bar)
        if blocks is not None and isinstance(setup, Setup):
            _run_again(setup, blocks, bar)
    found = study_status(share.folder)
    _check_own(found, share)
    return found


def _taken_apart(setup: Setup | LinkSetup) -> Blocks | None:
    """Return the network's communities; None where models are not run again."""
    choice = setup.analysis.choice
    if choice.name not in RERUNS:
        return None
    try:
        return take_apart(setup.network, setup.analysis.groups)
    except BootstrapError:
        if choice.forced:
            raise
        return None  # a test on predictions takes its place


def _rounds(setup: Setup | LinkSetup, blocks: Blocks | None) -> Rounds:
    """List all units of a study."""
    choice, plan = setup.analysis.choice, setup.plan()
    first = [unit for block in plan.blocks for unit in block]
    if blocks is None:
        return Rounds(tuple(first))
    if choice.name != BOOTSTRAP:
        return Rounds((*first, *units_of_halves(choice.n_replicates)))
    pairs = setup.analysis.pairs(tuple(setup.models))
    plain = plain_sets(pairs, choice.compiled)
    null = [sets.null for sets in sets_of(pairs, choice.compiled)]
    first += [unit for place in plain for unit in units_of(place, choice.n_replicates)]
    return Rounds(
        tuple(first),
        tuple(unit for place in null for unit in units_of(place, choice.n_replicates)),
    )


def _run_again(setup: Setup, blocks: Blocks, bar: Progress) -> None:
    """Run the models on this shard's share of what is drawn from the network."""
    choice, plan, drawn = setup.analysis.choice, setup.plan(), setup.drawn()

    def records(units: Sequence[Unit]):  # type: ignore[no-untyped-def]
        return plan.record(setup.options.store, units, drawn=drawn, retry=setup.options.retry)

    if choice.name != BOOTSTRAP:
        halvings = HalvingPlan(choice.n_replicates, len(setup.splits))
        with _others_may_lack():
            run_on_halves(
                setup.network,
                halves_trial(setup, blocks),
                n_halvings=halvings.n_halvings,
                records=records,
                n_jobs=setup.options.n_jobs,
                progress=bar,
            )
        return
    rerun = rerun_of(setup, blocks, records, bar)
    pairs = setup.analysis.pairs(tuple(setup.models))
    together = plain_sets(pairs, choice.compiled)
    plain: dict[int, ReplicateScores] = {}
    for place, models in together.items():
        with _others_may_lack():
            plain[place] = rerun.draw(models, as_it_is(blocks), place, PLAIN)
    if len(plain) < len(together):
        return
    for (first, second), sets in zip(pairs, sets_of(pairs, choice.compiled)):
        at = together[sets.plain]
        both = plain[sets.plain].of(at.index(first), at.index(second))
        with _others_may_lack():
            rerun.draw((first, second), where_equal(both), sets.null, NULL)


@contextlib.contextmanager
def _others_may_lack() -> Iterator[None]:
    """Go on where results of other shards are missing, or what is drawn cannot be used.

    The latter is reported, as by a run in one piece, by the comparison.
    """
    with contextlib.suppress(IncompleteStudyError, BootstrapError):
        yield


def _check_own(found: StudyStatus, share: Shard) -> None:
    failed = found.wanting.get(share.number, (0, 0))[1]
    if failed:
        raise IncompleteStudyError(
            f"{share.path}: {failed} of its units failed. The others are kept; "
            "run the shard again with retry (--retry) when the cause is removed; `nettrial status "
            f"{share.folder}` shows more"
        )
