"""Relational classifiers as plain loops over a dense matrix, written from the formulas."""

from __future__ import annotations

import functools
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


def relax(A, labels, k, estimate, learnt, weights, tolerance=None, guess=None):
    """Relaxation labeling; gives probabilities, sweeps and the residual of the last sweep."""
    if guess is None:
        guess = [class_prior(labels, k)] * len(A)
    P = np.array([np.eye(k)[label] if label >= 0 else guess[i] for i, label in enumerate(labels)])
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


def neighbor_counts(A, labels, k):
    counts = np.zeros((len(A), k))
    for i in range(len(A)):
        for j in range(len(A)):
            if labels[i] >= 0 and labels[j] >= 0:
                counts[i, labels[j]] += A[i, j]
    return counts


def nlb_learn(A, labels, k):
    """A list of (class, coefficients, intercept); classes never seen are left out."""
    from sklearn.linear_model import LogisticRegression

    counts = neighbor_counts(A, labels, k)
    rows = [i for i in range(len(A)) if counts[i].sum() > 0]
    X = np.array([counts[i] / counts[i].sum() for i in rows])
    y = [labels[i] for i in rows]
    if not rows:
        return [(c, np.zeros(k), math.log(p)) for c, p in enumerate(class_prior(labels, k)) if p]
    if len(set(y)) == 1:
        return [(y[0], np.zeros(k), 0.0)]
    model = LogisticRegression(max_iter=1000, tol=1e-6).fit(X, y)
    if len(model.classes_) == 2:
        first = (model.classes_[0], np.zeros(k), 0.0)
        return [first, (model.classes_[1], model.coef_[0], model.intercept_[0])]
    return list(zip(model.classes_, model.coef_, model.intercept_))


def nlb_estimate(A, i, P, learnt):
    f = wvrn_estimate(A, i, P, None)
    f = f / f.sum()
    score = np.zeros(len(f))
    top = max(a @ f + b for _, a, b in learnt)
    for c, a, b in learnt:
        score[c] = math.exp(a @ f + b - top)
    return score / score.sum()


def cdrn_learn(A, labels, k):
    counts = neighbor_counts(A, labels, k)
    prior = class_prior(labels, k)
    means = [counts[labels == c].mean(axis=0) if prior[c] else np.zeros(k) for c in range(k)]
    return prior, means


def cdrn_estimate(A, i, P, learnt):
    prior, references = learnt
    v = sum(A[i, j] * P[j] for j in range(len(A)))
    likeness = np.zeros(len(prior))
    for c, r in enumerate(references):
        if r.any() and v.any():
            likeness[c] = (v @ r) / math.sqrt((v @ v) * (r @ r))
    share = np.linalg.norm(v) / max(v.sum(), 1e-300)
    return likeness / likeness.sum() if share * likeness.sum() > 1e-6 else prior


def one_hot(code, k):
    return np.eye(k)[code] if code >= 0 else np.zeros(k)


def estimate_from_codes(A, i, codes, k, estimate, learnt, guess):
    """Only neighbors that have a code count; None where there is none."""
    seen = A * (codes >= 0)
    if not seen[i].any():
        return None
    return estimate(seen, i, [one_hot(c, k) for c in codes], learnt)


def estimates(A, labels, codes, k, estimate, learnt, guess):
    reached = reaches_label(A, labels)
    out = []
    for i in range(len(A)):
        P = estimate_from_codes(A, i, codes, k, estimate, learnt, guess)
        P = guess[i] if P is None or i not in reached else P
        out.append(one_hot(labels[i], k) if labels[i] >= 0 else P)
    return np.array(out)


def iterate(A, labels, k, estimate, learnt, guess, passes, local=False):
    """Iterative classification; gives the final codes and the passes (0: not settled)."""
    reached = reaches_label(A, labels)
    codes = labels.copy()
    if local:
        for i in np.flatnonzero(labels < 0):
            codes[i] = first_of_best(guess[i])
    order = list(range(len(A)))
    for turn in range(passes):
        shuffle(order, 1, turn)
        changed = False
        for i in order:
            if labels[i] >= 0 or i not in reached:
                continue
            P = estimate_from_codes(A, i, codes, k, estimate, learnt, guess)
            if P is not None and codes[i] != first_of_best(P):
                codes[i] = first_of_best(P)
                changed = True
        if not changed:
            return codes, turn + 1
    return codes, 0


def sample(A, labels, k, estimate, learnt, guess, burn_in, samples, seed, chain=0):
    """Gibbs sampling in node order; gives the shares of the classes."""
    reached = reaches_label(A, labels)
    codes, counts = labels.copy(), np.zeros((len(A), k))
    for sweep in range(burn_in + samples + 1):
        for i in range(len(A)):
            if labels[i] >= 0:
                continue
            word = philox((i // 4, sweep, chain, 0), (seed & 0xFFFFFFFF, seed >> 32))[i % 4]
            P = None
            if sweep > 0 and i in reached:
                P = estimate_from_codes(A, i, codes, k, estimate, learnt, guess)
            P = guess[i] if P is None else P
            codes[i] = sum((word >> 8) / 2**24 >= total for total in np.cumsum(P)[:-1])
            counts[i, codes[i]] += sweep > burn_in
    for i in range(len(A)):
        if labels[i] >= 0:
            counts[i] = samples * one_hot(labels[i], k)
        elif i not in reached:
            counts[i] = samples * guess[i]
    return counts / samples


def first_of_best(P):
    return int(np.argmax(np.asarray(P) >= max(P) - 1e-6))


@functools.cache
def philox(counter, key):
    """Philox 4x32-10 in whole numbers of any size, from the paper's figure."""
    c, k = list(counter), list(key)
    for _ in range(10):
        high0, low0 = divmod(0xD2511F53 * c[0], 2**32)
        high1, low1 = divmod(0xCD9E8D57 * c[2], 2**32)
        c = [high1 ^ c[1] ^ k[0], low1, high0 ^ c[3] ^ k[1], low0]
        k = [(k[0] + 0x9E3779B9) % 2**32, (k[1] + 0xBB67AE85) % 2**32]
    return c


def shuffle(order, stream, step):
    for last in range(len(order) - 1, 0, -1):
        word = philox((last, step, 0, stream), (0, 0))[0]
        other = word * (last + 1) >> 32
        order[last], order[other] = order[other], order[last]
