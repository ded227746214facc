"""Gibbs sampling of the classes of linked nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..core.arguments import check_arguments
from ..core.errors import InputError, shown
from .convergence import Convergence
from .evidence import Evidence, clamp
from .rule import Rule


@check_arguments
@dataclass(frozen=True, slots=True)
class GibbsSampling:
    """Gibbs sampling: one node after the other draws its class given its neighbors' classes.

    All unlabeled nodes start with a class drawn from the prior (or from the local classifier's
    probabilities) and are visited in the order of the network, sweep after sweep. The
    probabilities given are the shares of each class among the samples. Random numbers come from
    Philox 4x32-10, keyed by seed, chain, node and sweep.

    Parameters
    ----------
    burn_in : int
        Sweeps that are not counted.
    samples : int
        Sweeps that are counted, in each chain.
    chains : int
        Independent chains of each label set.

    References
    ----------
    Macskassy and Provost (2007), Classification in networked data, JMLR 8, section 3.4.1.

    Examples
    --------
    >>> GibbsSampling()
    GibbsSampling(burn_in=200, samples=2000, chains=1)
    """

    burn_in: int = 200
    samples: int = 2000
    chains: int = 1

    @check_arguments
    def run(
        self, evidence: Evidence, rule: Rule, seeds: Sequence[int]
    ) -> tuple[NDArray[np.float32], Convergence]:
        """Infer all label sets, each with the random numbers of its own seed."""
        from .labeling_blocks import Chains, in_chains

        for name, least in (("burn_in", 0), ("samples", 1), ("chains", 1)):
            if getattr(self, name) < least:
                raise InputError(
                    parameter=name,
                    expected=f"an integer >= {least}",
                    got=shown(getattr(self, name)),
                    where="GibbsSampling",
                )
        n_sets, n = evidence.labels.shape
        parts = np.zeros((n_sets, n, evidence.n_classes), dtype=np.uint32)
        sets = np.repeat(np.arange(n_sets), self.chains)
        chain = np.tile(np.arange(self.chains, dtype=np.uint32), n_sets)

        def work(chains: Chains, rows: slice) -> None:
            key = np.zeros((chains.width, 3), dtype=np.uint32)
            for lane, s in enumerate(sets[rows]):
                key[lane, :2] = words_of(int(seeds[s]))
            key[: rows.stop - rows.start, 2] = chain[rows]
            tally = chains.sample(key, self.burn_in, self.samples)
            tallies.append((rows, tally[:, :, : rows.stop - rows.start]))

        tallies: list[tuple[slice, NDArray[np.uint32]]] = []
        in_chains(evidence, rule, sets, work)
        for rows, tally in tallies:
            for lane, s in enumerate(sets[rows]):
                parts[s] += tally[:, :, lane]
        out = np.empty(parts.shape, dtype=np.float32)
        for s in range(n_sets):
            out[s] = parts[s] / (self.samples * self.chains)
            out[s][evidence.lost[s]] = np.broadcast_to(evidence.guess[s], (n, evidence.n_classes))[
                evidence.lost[s]
            ]
            clamp(out[s], evidence.labels[s])
        sweeps = np.full(n_sets, self.burn_in + self.samples, dtype=np.int64)
        return out, Convergence(sweeps, np.full(n_sets, np.nan))


def words_of(seed: int) -> tuple[int, int]:
    """Return two 32-bit words for a seed of any size; seeds below 2^64 are taken as they are."""
    if seed < 2**64:
        return seed & 0xFFFFFFFF, seed >> 32
    low, high = np.random.SeedSequence(seed).generate_state(2)
    return int(low), int(high)
