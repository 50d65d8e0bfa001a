"""Known mistakes about `successive_stopping`, start many - stop early - continue some, and its inputs.

Dodge et al. (2020, arXiv 2002.06305), section 5. N runs in the table, E evaluations of each; t are started.
"""

import math
from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits

# Scores chosen so that the known mistakes differ: run 1 falls back, run 2 wins in the end although it is
# dropped, runs 5 and 6 are not started; equal scores at the stop and at the end.
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
    """Scores of N runs that wander upwards, (N, E), rounded to multiples of `step`."""
    walk = rng.uniform(55, 80, (N, 1)) + np.cumsum(rng.normal(0.5, 4, (N, E)), axis=1)
    return np.round(walk / step) * step


def turning(rng: np.random.Generator, N: int, E: int, stop: int) -> np.ndarray:
    """Scores (N, E) whose order of runs is another one before evaluation `stop`, at it, and after it."""
    order = rng.permutation(N)
    scores = np.sort(rng.uniform(55, 90, N))
    before, at, after = scores[order], scores[::-1][order], np.roll(scores, 1)[order]
    columns = [before] * (stop - 1) + [at] + [after] * (E - stop)
    return np.round(np.stack(columns, axis=1) + 0.01 * np.arange(E), 2)


def cases(rng: np.random.Generator) -> list[tuple]:
    """The race first; then tables with many equal scores, shares that are rounded, and all runs kept."""
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


def plain(curves: np.ndarray, t: int, f: float, p: int) -> tuple[list[int], int]:
    """Return what `successive_stopping` returns, for arguments that fit."""
    stop = round(f * curves.shape[1])
    scores = curves[:t, stop - 1]
    order = np.argsort(-scores, kind="stable")
    kept = order[:p]
    best = kept[curves[kept, -1].argmax()]
    return kept.tolist(), int(best)


# Of the mistakes about equal scores, the higher number comes first: np.argsort without `kind` may fit none of
# them on all inputs.
STOPPING = (
    *edits(
        plain,
        """
        $scores = curves[:t, stop - 1]
        $order = np.argsort(-scores, kind="stable")
        $rising = np.argsort(scores, kind="stable")
        $best = kept[curves[kept, -1].argmax()]

        you compare the runs by their last scores: at the stop nobody knows how a run goes on. Take the scores
        of evaluation number f E.
            $scores => curves[:t, -1]
        you look one evaluation too late: number f E, counted from 1, is column f E - 1.
            $scores => curves[:t, min(stop, curves.shape[1] - 1)]
        you look one evaluation too early: number f E, counted from 1, is column f E - 1.
            $scores => curves[:t, max(stop - 2, 0)]
        int() cuts off, and 0.58 * 50 is 28.999999999999996 on a computer. Use round(f * E).
            round( => int(
        ceil rounds up, and 0.28 * 25 is 7.000000000000001 on a computer. Use round(f * E).
            round( => math.ceil(
        f is the share that has been trained at the stop, not the share that is left.
            round(f * curves.shape[1]) => max(curves.shape[1] - round(f * curves.shape[1]), 1)
        you compare each run's best score so far. Compare the scores at the stop itself.
            $scores => curves[:t, :stop].max(1)
        you compare each run's mean score so far. Compare the scores at the stop itself.
            $scores => curves[:t, :stop].mean(1)
        you compare how far each run has improved. Compare the scores at the stop.
            $scores => curves[:t, stop - 1] - curves[:t, 0]
        all runs of the table take part in your answer. Only runs 0 to t - 1 are started.
            $scores => curves[:, stop - 1]
        of equal scores at the stop, the higher number comes first in your answer. np.argsort(-scores,
        kind='stable') puts the lower number first.
            $order => $rising[::-1]
        you start the last t runs of the table. Runs 0 to t - 1 are started.
            $scores => curves[-t:, stop - 1]
        you keep the worst runs: argsort begins with the lowest score.
            $order => $rising
        the runs are not sorted by their scores: you keep the first p of them.
            $order => np.arange(len(scores))
        you keep one run too many. p runs are continued.
            order[:p] => order[: p + 1]
        you keep one run too few. p runs are continued.
            order[:p] => order[: p - 1]
        all t runs are kept in your answer. Only p of them are continued.
            order[:p] => order
        p is the number of runs that are continued, not of those that are stopped.
            order[:p] => order[: len(order) - p]
        `kept` is sorted by the runs' numbers. The best at the stop comes first.
            order[:p] => np.sort(order[:p])
        `kept` ends with the best run. It should begin with it.
            order[:p] => order[:p][::-1]
        `kept` ends with the best run, as np.argsort(scores)[-p:] does. It should begin with it:
        np.argsort(-scores, kind='stable')[:p].
            $order => $rising[::-1]
            order[:p] => order[:p][::-1]
        the best is the one that led at the stop. The p runs go on to the end: take the one with the highest
        *last* score.
            $best => kept[0]
        the best is chosen from all runs that were started. A run that was stopped has no last score.
            $best => curves[:t, -1].argmax()
        the best is chosen from all runs of the table. Only those in `kept` reach the end.
            $best => curves[:, -1].argmax()
        `best` is the place in `kept`. It should be the number of the run: kept[...].
            $best => curves[kept, -1].argmax()
        the best is the run with the highest score at any evaluation. Compare the last scores.
            $best => kept[curves[kept].max(1).argmax()]
        the best is the run with the lowest last score.
            argmax => argmin
        of equal last scores you take the lower number. Take the run that comes first in `kept`.
            $best => np.sort(kept)[curves[np.sort(kept), -1].argmax()]
        of equal last scores you take the run that comes last in `kept`. Take the first.
            $best => kept[::-1][curves[kept[::-1], -1].argmax()]
        the second result is a score. It should be the number of the run.
            int(best) => float(curves[best, -1])
        the first result holds scores. It should hold the numbers of the runs.
            kept.tolist() => curves[kept, -1].tolist()
        """,
        math=math,
    ),
    *pairs_of_edits(
        plain,
        """
        you look one evaluation too late
            , stop - 1] => , min(stop, curves.shape[1] - 1)]
        all runs of the table take part
            [:t, => [:,
        of equal scores at the stop, the higher number comes first
            np.argsort(-scores, kind="stable") => np.argsort(scores, kind="stable")[::-1]
        the best is the one that led at the stop
            kept[curves[kept, -1].argmax()] => kept[0]
        `kept` is sorted by the runs' numbers
            order[:p] => np.sort(order[:p])
        int() cuts off
            round( => int(
        """,
    ),
)


def stopped_runs_are_not_seen(f: Callable, rng: np.random.Generator) -> bool:
    """True if what the runs that are stopped would have done changes nothing."""
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
    """True if runs with equal scores at the stop are kept by their numbers, as a stable sort leaves them."""
    curves = table(rng, 40, 2)
    curves[:, 0] = rng.integers(60, 63, 40)
    kept, _ = f(curves, 40, 0.5, 40)
    return list(map(int, kept)) == np.argsort(-curves[:, 0], kind="stable").tolist()


def nobody_is_stopped(f: Callable, rng: np.random.Generator) -> bool:
    """True if with p = t all runs are kept, and the best of all at the end is chosen."""
    curves = table(rng, 5, 4, 0.001)
    kept, best = f(curves, 5, 0.25, 5)
    return sorted(map(int, kept)) == list(range(5)) and int(best) == curves[:, -1].argmax()
