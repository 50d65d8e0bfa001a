"""Test inputs for `successive_stopping`, which starts many runs and continues some, and common mistakes.

Dodge et al. (2020, arXiv 2002.06305), section 5. Axes: N runs, of which t are started, E evaluations.
"""

import math
from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits

# These scores separate the known mistakes: run 1 falls back, run 2 would win in the end although it is
# dropped, runs 5 and 6 are not started, and some scores are equal at the stop and at the end.
RACE = (
    (62.0, 70.0, 74.0, 80.0),
    (75.0, 78.0, 95.0, 66.0),
    (50.0, 55.0, 85.0, 95.0),
    (64.0, 78.0, 80.0, 84.0),
    (79.0, 76.0, 83.0, 84.0),
    (90.0, 91.0, 96.0, 97.0),
    (61.0, 70.0, 99.0, 60.0),
)


def table(rng: np.random.Generator, N: int, E: int, step: float = 0.1) -> np.ndarray:
    """Return random scores (N, E) of runs that tend to improve, rounded to multiples of `step`."""
    walk = rng.uniform(55, 80, (N, 1)) + np.cumsum(rng.normal(0.5, 4, (N, E)), axis=1)
    return np.round(walk / step) * step


def turning(rng: np.random.Generator, N: int, E: int, stop: int) -> np.ndarray:
    """Return scores (N, E) that rank the runs differently before, at and after evaluation `stop`."""
    order = rng.permutation(N)
    scores = np.sort(rng.uniform(55, 90, N))
    before, at, after = scores[order], scores[::-1][order], np.roll(scores, 1)[order]
    columns = [before] * (stop - 1) + [at] + [after] * (E - stop)
    return np.round(np.stack(columns, axis=1) + 0.01 * np.arange(E), 2)


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return test inputs with equal scores, with shares that need rounding, and with all runs kept."""
    race = np.array(RACE)
    turned = np.array(
        [[70.0, 70.0, 70.0], [80.0, 60.0, 75.0], [60.0, 80.0, 75.0], [85.0, 72.0, 75.0], [71.0, 66.0, 75.0]]
    )
    early = np.array([[50.0, 80.0, 70.0, 75.0], [79.0, 75.0, 71.0, 70.0], [60.0, 60.0, 72.0, 90.0]])
    equal = np.array([[60.0, 70.0, 66.0, 75.0], [64.0, 80.0, 61.0, 70.0], [66.0, 70.0, 80.0, 90.0]])
    return [
        (race, 5, 0.5, 2),
        (early, 3, 0.75, 1),
        (equal, 3, 0.5, 2),
        (race, 5, 0.25, 3),
        (race, 3, 0.75, 2),
        (turned, 5, 1 / 3, 4),
        (table(rng, 6, 4), 5, 0.75, 2),
        (table(rng, 7, 5, 10.0), 6, 0.4, 3),
        (turning(rng, 4, 50, 29), 4, 0.58, 2),
        (turning(rng, 4, 25, 7), 4, 0.28, 2),
        (table(rng, 5, 3), 4, 1.0, 3),
        (table(rng, 5, 4), 4, 0.5, 4),
        (table(rng, 3, 6).astype(np.float32), 3, 0.5, 2),
        (table(rng, 1, 2), 1, 0.5, 1),
    ]


def allowed(curves: np.ndarray, t: int, f: float, p: int) -> bool:
    """Return whether t and p fit the number of runs, and f times the evaluations is a whole number."""
    stop = f * curves.shape[1]
    return 1 <= p <= t <= len(curves) and round(stop) >= 1 and abs(stop - round(stop)) < 1e-6


def plain(curves: np.ndarray, t: int, f: float, p: int) -> tuple[list[int], int]:
    stop = round(f * curves.shape[1])
    scores = curves[:t, stop - 1]
    order = np.argsort(-scores, kind="stable")
    kept = order[:p]
    best = kept[curves[kept, -1].argmax()]
    return kept.tolist(), int(best)


# In the mistakes about equal scores, the higher number comes first: np.argsort without `kind` may not match
# any of them on all inputs.
STOPPING = (
    *edits(
        plain,
        """
        $scores = curves[:t, stop - 1]
        $order = np.argsort(-scores, kind="stable")
        $rising = np.argsort(scores, kind="stable")
        $best = kept[curves[kept, -1].argmax()]

        you compare the runs by their last scores, which are not known yet. Use those at the stop.
            $scores => curves[:t, -1]
        you compare the scores one evaluation too late. Evaluations count from 1, columns from 0.
            $scores => curves[:t, min(stop, curves.shape[1] - 1)]
        you compare the scores one evaluation too early. Evaluations count from 1, columns from 0.
            $scores => curves[:t, max(stop - 2, 0)]
        you round down, but 0.58 * 50 is 28.999999999999996 in a computer. Round to the nearest integer.
            round( => int(
        you round up, but 0.28 * 25 is 7.000000000000001 in a computer. Round to the nearest integer.
            round( => math.ceil(
        you treat f as the share of training that is left at the stop. It is the share that has been
        completed.
            round(f * curves.shape[1]) => max(curves.shape[1] - round(f * curves.shape[1]), 1)
        you compare the best score of each run so far. Compare the scores at the stop itself.
            $scores => curves[:t, :stop].max(1)
        you compare the mean score of each run so far. Compare the scores at the stop itself.
            $scores => curves[:t, :stop].mean(1)
        you compare how much each run has improved. Compare the scores at the stop.
            $scores => curves[:t, stop - 1] - curves[:t, 0]
        you use all runs of the table. Start only runs 0 to t - 1.
            $scores => curves[:, stop - 1]
        if scores are equal at the stop, you put the higher number first. Use a stable sort, which keeps the
        order of equal scores.
            $order => $rising[::-1]
        you start the last t runs of the table. Start the first t, runs 0 to t - 1.
            $scores => curves[-t:, stop - 1]
        you keep the worst runs, because the lowest score comes first. Reverse the order of the scores.
            $order => $rising
        you keep the first p runs without sorting them. Sort them by their scores at the stop first.
            $order => np.arange(len(scores))
        you keep one run too many. Keep exactly p runs.
            order[:p] => order[: p + 1]
        you keep one run too few. Keep exactly p runs.
            order[:p] => order[: p - 1]
        you keep all t runs. Keep only p of them.
            order[:p] => order
        you stop p runs and keep the others. Keep p runs and stop the others.
            order[:p] => order[: len(order) - p]
        `kept` is sorted by the numbers of the runs. Sort it by their scores at the stop, with the best run
        first.
            order[:p] => np.sort(order[:p])
        `kept` ends with the best run. Put the best run first.
            order[:p] => order[:p][::-1]
        `kept` ends with the best run, and if scores are equal, with the lower number. Put the best run first,
        with a stable sort.
            $order => $rising[::-1]
            order[:p] => order[:p][::-1]
        you choose the run that was best at the stop. Choose the one with the highest *last* score.
            $best => kept[0]
        you choose the best of all runs that were started. A stopped run has no last score; choose among those
        in `kept`.
            $best => curves[:t, -1].argmax()
        you choose the best of all runs of the table. Only those in `kept` reach the end.
            $best => curves[:, -1].argmax()
        you return a position in `kept`. Return the number of the run at this position.
            $best => curves[kept, -1].argmax()
        you choose the run with the highest score at any evaluation. Compare the last scores.
            $best => kept[curves[kept].max(1).argmax()]
        you choose the run with the lowest last score. Choose the one with the highest.
            argmax => argmin
        if last scores are equal, you choose the run with the lower number. Choose the run that comes first in
        `kept`.
            $best => np.sort(kept)[curves[np.sort(kept), -1].argmax()]
        if last scores are equal, you choose the run that comes last in `kept`. Choose the one that comes
        first.
            $best => kept[::-1][curves[kept[::-1], -1].argmax()]
        your second result is the score of the best run. Return the number of this run.
            int(best) => float(curves[best, -1])
        your first result contains scores. Return the numbers of the runs that were kept.
            kept.tolist() => curves[kept, -1].tolist()
        """,
        math=math,
    ),
    *pairs_of_edits(
        plain,
        """
        you compare the scores one evaluation too late, although the stop is in column f E - 1
            , stop - 1] => , min(stop, curves.shape[1] - 1)]
        you use all runs of the table, not only the first t
            [:t, => [:,
        if scores are equal at the stop, the run with the higher number comes first, not the lower one
            np.argsort(-scores, kind="stable") => np.argsort(scores, kind="stable")[::-1]
        you choose the run that was best at the stop, not the one with the highest last score
            kept[curves[kept, -1].argmax()] => kept[0]
        `kept` is sorted by the numbers of the runs, not by their scores at the stop
            order[:p] => np.sort(order[:p])
        you use int(), which rounds down, instead of `round`
            round( => int(
        """,
    ),
)


def stopped_runs_are_not_seen(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's result is independent of the later scores of stopped runs."""
    curves = table(rng, 6, 4)
    kept, best = f(curves, 6, 0.5, 2)
    other = curves.copy()
    dropped = np.setdiff1d(np.arange(6), np.argsort(-curves[:, 1], kind="stable")[:2])
    other[dropped, 2:] = 1000.0
    again, same = f(other, 6, 0.5, 2)
    return list(kept) == list(again) and int(best) == int(same)


def runs_behind_t_are_not_started(f: Callable, rng: np.random.Generator) -> bool:
    curves = table(rng, 6, 4)
    other = curves.copy()
    other[4:] = 1000.0
    (kept, best), (again, same) = f(curves, 4, 0.5, 2), f(other, 4, 0.5, 2)
    return list(kept) == list(again) and int(best) == int(same)


def of_equals_the_lower(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f returns runs with equal scores at the stop in the order of their numbers."""
    curves = table(rng, 40, 2)
    curves[:, 0] = rng.integers(60, 63, 40)
    kept, _ = f(curves, 40, 0.5, 40)
    return list(map(int, kept)) == np.argsort(-curves[:, 0], kind="stable").tolist()


def nobody_is_stopped(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether, for p = t, f keeps all runs and chooses the one with the highest last score."""
    curves = table(rng, 5, 4, 0.001)
    kept, best = f(curves, 5, 0.25, 5)
    return sorted(map(int, kept)) == list(range(5)) and int(best) == curves[:, -1].argmax()
