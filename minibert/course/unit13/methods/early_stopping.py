"""Stop bad runs early to save budget for good ones, simulated on a table of real runs.

Dodge et al. (2020, arXiv 2002.06305), section 5: start many, stop early, continue some. Dodge et al. (2019,
arXiv 1909.03004) and Tang et al. (2020, arXiv 2004.13705): the expected best of k runs. Li et al. (2018, JMLR
18, arXiv 1603.06560): Hyperband. Axes: N runs, E evenly spaced evaluations of a run, the last one at its end.
"""

import math

import numpy as np

from minibert.tasks.metrics import spearman

from ..definitions import expected_maximum, stopping_cost, successive_stopping


def expected_curve(scores: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the standard deviation of the best of 1, 2, ..., `most` runs, each (most,).

    scores: (N,). Runs are drawn with replacement, so near N runs the mean is too low, because many draws
    miss the best run (Tang et al., section 3); `unbiased_maximum` has no such bias.
    """
    pairs = np.array([expected_maximum(scores, k) for k in range(1, most + 1)])  # (most, 2)
    return pairs[:, 0], np.sqrt(pairs[:, 1])


def unbiased_maximum(scores: np.ndarray, k: int) -> float:
    """Return the best score of k different runs, averaged over all choices of k of the N runs.

    scores: (N,). This is an unbiased estimate of the expected maximum of k runs, because runs are drawn
    without replacement (Tang et al., 2020, section 4). Raises ValueError for a k outside 1 to N.

    >>> unbiased_maximum(np.array([70.0, 90.0]), 2)
    90.0
    """
    ordered = np.sort(np.asarray(scores, float))  # (N,)
    N = len(ordered)
    if not 1 <= k <= N:
        raise ValueError(f"k={k} must be from 1 to {N}, the number of runs")
    chance = [math.comb(i, k - 1) / math.comb(N, k) for i in range(N)]  # i other scores are below it
    return float(np.dot(chance, ordered))


def stopped(
    curves: np.ndarray, t: int, f: float, p: int, rng: np.random.Generator, draws: int = 1000
) -> np.ndarray:
    """Return the final scores of the runs that early stopping chooses from t random runs, (draws,).

    curves: (N, E). draws: the number of trials. For t, f, p and the errors raised, see `successive_stopping`.
    """
    results = np.empty(draws)
    for draw in range(draws):
        table = curves[rng.choice(len(curves), size=t, replace=False)] if t <= len(curves) else curves
        results[draw] = table[successive_stopping(table, t, f, p)[1], -1]
    return results


def plain(curves: np.ndarray, budget: float) -> float:
    """Return the expected best final score of as many full runs as `budget` allows.

    curves: (N, E). budget: 1 to N full runs; the result is interpolated linearly between whole numbers.
    """
    low = math.floor(budget)
    below = unbiased_maximum(curves[:, -1], low)
    if low == budget:
        return below
    return below + (budget - low) * (unbiased_maximum(curves[:, -1], low + 1) - below)


def relative_error_reduction(score: float, baseline: float, best: float = 100.0) -> float:
    """Return the share of the baseline's error that `score` avoids.

    best: the score without any error. Raises ValueError if the baseline is not below it.

    >>> relative_error_reduction(92.0, 90.0)
    0.2
    """
    if baseline >= best:
        raise ValueError(f"baseline={baseline} must be below the best score, which is {best}")
    return (score - baseline) / (best - baseline)


def gain(
    curves: np.ndarray,
    t: int,
    f: float,
    p: int,
    rng: np.random.Generator,
    draws: int = 1000,
    best: float = 100.0,
) -> tuple[float, float]:
    """Return early stopping's cost in full runs, and its error reduction relative to that many full runs.

    curves: (N, E), with N at least the cost. For the other arguments, see `stopped` and
    `relative_error_reduction`.
    """
    budget = float(stopping_cost(t, f, p, 1.0))
    score = float(stopped(curves, t, f, p, rng, draws).mean())
    return budget, relative_error_reduction(score, plain(curves, budget), best)


def rank_correlation_with_end(curves: np.ndarray) -> np.ndarray:
    """Return the rank correlation between the scores at each evaluation and the final scores, (E,).

    curves: (N, E). If it is near 1, the final ranking can be predicted at this evaluation.
    """
    return np.array([spearman(list(column), list(curves[:, -1])) for column in curves.T])


def best_by_validation(validation: np.ndarray, test: np.ndarray, every: int = 1) -> tuple[float, float]:
    """Return the mean validation and the mean test score of N runs at each run's best evaluation.

    validation, test: (N, E). The evaluation is chosen by the validation score, from every `every`-th one,
    counting back from the last. With more of these, the validation score rises anyway; only the test score
    shows a real gain. Raises ValueError if the shapes differ, or if `every` is below 1.
    """
    if validation.shape != test.shape or every < 1:
        raise ValueError(
            f"the tables have shapes {validation.shape} and {test.shape}, and every={every}; the shapes must "
            "be equal, and every must be at least 1"
        )
    places = np.arange(validation.shape[1])[::-1][::every][::-1]  # counted from the end
    chosen = places[validation[:, places].argmax(1)]  # (N,)
    runs = np.arange(len(validation))
    return float(validation[runs, chosen].mean()), float(test[runs, chosen].mean())


def hyperband_brackets(longest: int, eta: int = 3) -> list[list[tuple[int, float]]]:
    """Return Hyperband's plan: for each bracket, rounds of (number of runs, steps of each so far).

    longest: the steps of a full run (R). eta: each round keeps 1 / eta of its runs and trains them eta times
    as long. The first bracket starts the most runs and stops them earliest; the last one stops none. Stopping
    once with t, f and p is like a bracket with freely chosen numbers (algorithm 1 of the paper). Raises
    ValueError if longest is below 1 or eta is below 2.

    >>> hyperband_brackets(9)
    [[(9, 1.0), (3, 3.0), (1, 9.0)], [(5, 3.0), (1, 9.0)], [(3, 9.0)]]
    """
    if longest < 1 or eta < 2:
        raise ValueError(f"longest={longest} must be at least 1, and eta={eta} at least 2")
    most = 0  # s_max = floor(log_eta R)
    while eta ** (most + 1) <= longest:
        most += 1
    plan = []
    for s in range(most, -1, -1):
        runs = -(-(most + 1) * eta**s // (s + 1))  # rounded up
        plan.append([(runs // eta**i, longest / eta ** (s - i)) for i in range(s + 1)])
    return plan
