"""NetKit's variants on its own test network, with values worked out by hand.

Four movies show their label; class order is Average, Blockbuster, Dud.
"""

from __future__ import annotations

import csv
from fractions import Fraction

import numpy as np
import pytest

from nettrial.models import NBC, WVRN, RelaxationLabeling, by_name
from nettrial.network.network import Network

SHOWN = {
    "Terminator": "Blockbuster",
    "TrueLies": "Blockbuster",
    "KindergardenCop": "Average",
    "OtherPeoplesMoney": "Dud",
}
CLASSES = ["Average", "Blockbuster", "Dud"]


@pytest.fixture(scope="module")
def movies(data):
    folder = data / "neutral" / "netkit_test_movies"
    with (folder / "edges.csv").open() as lines:
        links = list(csv.DictReader(lines))
    with (folder / "nodes.csv").open() as lines:
        nodes = [row["node"] for row in csv.DictReader(lines)]
    return Network.from_links(
        [row["source"] for row in links],
        [row["target"] for row in links],
        nodes=nodes,
        labels=[SHOWN.get(node) for node in nodes],
        classes=CLASSES,
    )


def ask(model, network, name):
    where = {node: i for i, node in enumerate(network.ids)}
    train = np.array(sorted(where[node] for node in SHOWN))
    return model.fit(network, train).predict_proba(network, np.array([where[name]]))[0]


def test_reversed_mixing_by_hand(movies):
    """GetShorty's neighbors: JonnyDangerously, OtherPeoplesMoney (Dud), Twins.

    The prior is (1/4, 1/2, 1/4). JonnyDangerously's neighbors: GetShorty, OtherPeoplesMoney,
    Twins. Twins' neighbors: GetShorty, JonnyDangerously, OtherPeoplesMoney (D), KindergardenCop
    (A), LastActionHero, Terminator (B), Terminator2, Terminator3, TrueLies (B).
    The first sweep is F(P) in full: GetShorty = JonnyDangerously = (prior + Dud + prior) / 3
    = (1/6, 1/3, 1/2). Twins = (5 prior + D + A + 2 B) / 9 = (9/36, 18/36, 9/36).
    The second keeps 0.99 of the old: F = ((1/6, 1/3, 1/2) + D + (1/4, 1/2, 1/4)) / 3,
    for the class Average 0.99 / 6 + 0.01 * 5/36 = 599/3600.
    """
    first = [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)]
    one = WVRN(inference=RelaxationLabeling(iterations=1, mixing="netkit", tolerance=9))
    np.testing.assert_allclose(ask(one, movies, "GetShorty"), [float(p) for p in first], atol=1e-6)
    twins = [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    np.testing.assert_allclose(ask(one, movies, "Twins"), [float(p) for p in twins], atol=1e-6)
    dud = [0, 0, 1]
    second = [
        Fraction(99, 100) * old + Fraction(1, 100) * (old + d + t) / 3
        for old, d, t in zip(first, dud, twins)
    ]
    assert second[0] == Fraction(599, 3600)
    two = WVRN(inference=RelaxationLabeling(iterations=2, mixing="netkit"))
    np.testing.assert_allclose(ask(two, movies, "GetShorty"), [float(p) for p in second], atol=1e-6)


def test_count_normalization_by_hand(movies):
    """Links between labeled movies: Terminator-TrueLies (B-B), KindergardenCop-Terminator and
    KindergardenCop-TrueLies (A-B); OtherPeoplesMoney has none.

    With 1 added, n[own, neighbor] in the order A, B, D: A (1, 3, 1), B (3, 3, 1), D (1, 1, 1).
    Divided by the sum over own: for neighbor A (1/5, 3/5, 1/5), B (3/7, 3/7, 1/7),
    D (1/3, 1/3, 1/3). The smoothed prior is (2, 3, 2) / 7. GetShorty after one sweep: prior times
    P(own | D) times E^2, where E = sum over the prior (1/4, 1/2, 1/4) at the start.
    """
    by_neighbor = [
        [Fraction(1, 5), Fraction(3, 5), Fraction(1, 5)],
        [Fraction(3, 7), Fraction(3, 7), Fraction(1, 7)],
        [Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)],
    ]
    start = [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    smoothed = [Fraction(2, 7), Fraction(3, 7), Fraction(2, 7)]
    product = []
    for own in range(3):
        expected = sum(s * row[own] for s, row in zip(start, by_neighbor))
        product.append(smoothed[own] * by_neighbor[2][own] * expected**2)
    answer = [float(p / sum(product)) for p in product]
    assert product[0] == Fraction(2, 7) * Fraction(1, 3) * Fraction(73, 210) ** 2
    netkit = RelaxationLabeling(iterations=1, mixing="netkit", tolerance=9)
    model = NBC(counts="netkit", inference=netkit)
    np.testing.assert_allclose(ask(model, movies, "GetShorty"), answer, atol=1e-6)


def test_paper_form_differs_and_names_give_the_variants(movies):
    paper, netkit = (ask(by_name(name), movies, "GetShorty") for name in ("nbc", "nbc-netkit"))
    assert np.abs(paper - netkit).max() > 1e-3
    assert by_name("nbc-netkit").counts == "netkit"
    assert by_name("wvrn-netkit").inference.mixing == "netkit"
