"""The kinds of problems: code, what it is called, what to do, and who shows it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from ..core.errors import InputError, unknown_choice
from . import answers, leaks, near, nodes, results, runs, trials
from .problem import Problem


class Kind(NamedTuple):
    """A kind of problem."""

    code: str  # stable, as NT101; the first digit is what it is about
    title: str
    check: Callable[..., Problem | None]  # returns the problem, or None; takes what `takes` names
    takes: tuple[str, ...]  # fields of `inputs.Parts`, or labeled, design, times
    # without which it is not checked; "classes" and "features" are those of the network
    needs: tuple[str, ...]
    advice: str  # what to do


_ALL = (
    Kind("NT101", "twins in training and test set", nodes.check_twins,
         ("network", "splits"), ("features", "classes"),
         "keep one node of each group, or all of them on one side of a split"),
    Kind("NT102", "nodes in training and test set", nodes.check_both_sides,
         ("splits",), ("splits",), "draw both sets from different nodes"),
    Kind("NT103", "test sets overlap", nodes.check_overlap,
         ("splits",), ("splits",),
         "use a test that allows for it, as the verdict of compare does, not a paired t-test"),
    Kind("NT104", "classes absent from training", nodes.check_absent_classes,
         ("network", "splits"), ("classes", "splits"),
         "draw training sets by class, or leave the class out"),
    Kind("NT105", "unlabeled nodes tested", nodes.check_unlabeled,
         ("network", "splits"), ("classes", "splits"), "leave them out of the test sets"),
    Kind("NT106", "copies by their links", nodes.check_copies,
         ("network", "splits"), ("classes",),
         "find out how the network was made; keep one node of each group, or all on one side"),
    Kind("NT107", "near copies in training and test set", near.check_near,
         ("network", "splits"), ("features", "classes"),
         "find out how they came about; keep one node of each group, or all on one side"),
    Kind("NT108", "same text in training and test set", near.check_texts,
         ("network", "splits"), ("texts", "classes"),
         "keep one node of each text, or all of them on one side of a split"),
    Kind("NT109", "tiny test classes", near.check_tiny_classes,
         ("network", "splits"), ("classes", "splits"),
         "report them together, or draw test sets by class"),
    Kind("NT201", "a feature is the class", answers.check_recoded,
         ("network",), ("features", "classes"),
         "find out how the column was made, and leave it out unless it is known before the class"),
    Kind("NT202", "nodes listed class by class", answers.check_order,
         ("network",), ("classes",),
         "harmless unless a model sees node numbers or folds are taken in order; else shuffle"),
    Kind("NT203", "links join one class only", answers.check_links,
         ("network",), ("classes",), "find out whether links were made from the classes"),
    Kind("NT204", "a node column is the class", answers.check_node_columns,
         ("network",), ("classes",), "keep it from models of your own that read node columns"),
    Kind("NT205", "features made from labels of test nodes", leaks.check_made_of_labels,
         ("network", "splits"), ("features", "classes"),
         "compute them anew for each split, from training labels alone"),
    Kind("NT206", "training nodes later than test nodes", leaks.check_times,
         ("network", "splits", "times"), ("dated",),
         "split by time, as the design temporal:COLUMN does"),
    Kind("NT207", "links after the cut", leaks.check_link_times,
         ("network", "link_splits", "times"), ("dated_links",),
         "hide later links while models train, as cross_links and the temporal designs do"),
    Kind("NT301", "another training share than claimed", runs.check_training_share,
         ("network", "splits", "labeled"), ("splits", "labeled"),
         "report the share that was used, validation nodes included"),
    Kind("NT302", "models on different splits", runs.check_same_splits,
         ("entries",), ("entries",), "run all models on the same splits"),
    Kind("NT303", "another design than claimed", runs.check_design,
         ("network", "splits", "design"), ("classes", "splits", "design"),
         "name the design that was used, or draw the splits by the one that is named"),
    Kind("NT304", "validation labels", runs.check_validation,
         ("network", "splits", "valid", "labeled"), ("splits",),
         "count validation nodes as training nodes in the share that is reported"),
    Kind("NT305", "models tested on different nodes", runs.check_tested,
         ("tested",), ("tested",), "compare models on the nodes that all of them predict"),
    Kind("NT306", "runs on different splits or seeds", trials.check_same_runs,
         ("runs",), ("runs",), "run all models on the same splits, with as many seeds"),
    Kind("NT307", "scores on different scales", trials.check_scales,
         ("runs", "entries"), ("scores",), "write all as proportions, or all as percentages"),
    Kind("NT401", "one class only", runs.check_one_class,
         ("predictions",), ("predictions",), "find out why the model did not learn"),
    Kind("NT402", "no better than the commonest class", runs.check_baseline,
         ("predictions",), ("predictions",),
         "find out why, or compare by a measure that allows for unequal classes"),
    Kind("NT403", "identical predictions", runs.check_identical,
         ("predictions",), ("predictions",), "check that two different models were run"),
    Kind("NT404", "no probabilities", runs.check_sums,
         ("predictions", "tested"), ("predictions",),
         "divide percentages by 100, take the softmax of logits, divide the rest by their sum"),
    Kind("NT405", "not one error", runs.check_perfect,
         ("predictions",), ("predictions",),
         "look for the answer in features, links and training sets"),
    Kind("NT406", "training seeds change nothing", runs.check_seeds,
         ("predictions", "runs"), ("seeds",),
         "leave n_seeds at 1 for such models, or pass the seed on to the training"),
    Kind("NT407", "unequal budgets of tuning", trials.check_budgets,
         ("runs",), ("settings",), "try as many settings for each model, or report how many"),
    Kind("NT408", "some models tuned, others not", trials.check_tuned,
         ("predictions",), ("own",), "tune all models by `tuned`, or none"),
    Kind("NT501", "best entries not supported", runs.check_leaders,
         ("board", "shared"), ("board",),
         "call them the best only with the reading of leaderboard"),
    Kind("NT502", "seeds taken for splits", trials.check_only_seeds,
         ("runs",), ("runs",), "run models on several splits, with the same seeds"),
    Kind("NT503", "splits taken for networks", results.check_networks,
         ("entries",), ("entries",), "test on one network by `compare`, or count networks"),
    Kind("NT504", "another question than other networks", results.check_question,
         ("results",), ("results",), "say that the verdict is on this network alone"),
    Kind("NT505", "best entries not adjusted", results.check_unadjusted,
         ("board",), ("board",), "adjust for the number of claims, as leaderboard does"),
    Kind("NT506", "a lead that a seed moves", trials.check_moved_by_seeds,
         ("runs",), ("leads",), "report both as equal, or run more seeds"),
    Kind("NT507", "several comparisons, none adjusted", results.check_repeated,
         ("results",), ("results",), "compare all models at once, or say how many came before"),
)  # fmt: skip
SIDES = " in training and test set"  # ends titles of what is counted without splits too
KINDS: Mapping[str, Kind] = {kind.code: kind for kind in _ALL}


def chosen(select: Sequence[str] | None, ignore: Sequence[str]) -> tuple[Kind, ...]:
    """Return the kinds that begin with a selected code and with none that is ignored.

    Examples
    --------
    >>> [kind.code for kind in chosen(["NT20", "NT405"], ["NT201", "NT202"])]
    ['NT203', 'NT204', 'NT205', 'NT206', 'NT207', 'NT405']
    """
    for name, codes in (("select", () if select is None else tuple(select)), ("ignore", ignore)):
        for code in codes:
            if not code or not any(each.startswith(code) for each in KINDS):
                raise unknown_choice(name, code, KINDS)
    kept = tuple(
        kind
        for kind in _ALL
        if (select is None or kind.code.startswith(tuple(select)))
        and not kind.code.startswith(tuple(ignore))
    )
    if not kept:
        raise InputError(parameter="ignore", expected="fewer codes", got="all that are selected")
    return kept
