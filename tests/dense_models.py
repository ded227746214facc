"""Relational classifiers as plain loops over a dense matrix, written from the formulas."""

from __future__ import annotations

import math

import numpy as np


def dense_weights(source, target, weight, n, directed, direction):
    """Dense matrix from raw rows: loops left out, repeats merged as Network documents."""
    A = np.zeros((n, n))
    for row, (i, j) in enumerate(zip(source, target)):
        if i == j:
            continue
        for a, b in ((i, j),) if directed else ((i, j), (j, i)):
            A[a, b] = 1.0 if weight is None else A[a, b] + weight[row]
    if directed and direction == "in":
        A = A.T
    if directed and direction == "both":
        A = A + A.T
    return A


def reaches_label(A, labels):
    found = {i for i, label in enumerate(labels) if label >= 0}
    while True:
        more = {i for i in range(len(A)) if any(A[i, j] > 0 for j in found)} - found
        if not more:
            return found
        found |= more


def class_prior(labels, k):
    return np.array([np.sum(labels == c) for c in range(k)]) / np.sum(labels >= 0)


def bayes_table(A, labels, k, smoothing):
    T = np.full((k, k), float(smoothing))
    for i in range(len(A)):
        for j in range(len(A)):
            if labels[i] >= 0 and labels[j] >= 0:
                T[labels[i], labels[j]] += A[i, j]
    for c in range(k):
        T[c] = T[c] / T[c].sum() if T[c].sum() > 0 else 1 / k
    return np.maximum(T, 1e-6)


def wvrn_estimate(A, i, P, _):
    return sum(A[i, j] * P[j] for j in range(len(A))) / A[i].sum()


def nbc_estimate(A, i, P, learnt):
    prior, T = learnt
    score = np.full(len(prior), -math.inf)
    for c in range(len(prior)):
        if prior[c] > 0:
            terms = [math.log(prior[c])]
            for j in range(len(A)):
                if A[i, j] > 0:
                    e = sum(P[j][k] * T[c, k] for k in range(len(prior)))
                    terms.append(A[i, j] * math.log(e))
            score[c] = math.fsum(terms)
    odds = np.exp(score - score.max())
    return odds / odds.sum()


def relax(A, labels, k, estimate, learnt, weights, tolerance=None):
    """Relaxation labelling; gives probabilities, sweeps and the residual of the last sweep."""
    prior = class_prior(labels, k)
    P = np.array([np.eye(k)[label] if label >= 0 else prior for label in labels])
    reached = reaches_label(A, labels)
    free = [i for i in range(len(A)) if labels[i] < 0 and i in reached]
    residual = 0.0
    for sweep, beta in enumerate(weights):
        F = {i: estimate(A, i, P, learnt) for i in free}
        residual = max([np.abs(F[i] - P[i]).max() for i in free], default=0.0)
        new = P.copy()
        for i in free:
            new[i] = beta * F[i] + (1 - beta) * P[i]
        P = new
        if tolerance is not None and residual < tolerance:
            return P, sweep + 1, residual
    return P, len(weights), residual
