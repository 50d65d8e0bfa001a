"""Test inputs for `stopping_cost`, the cost of starting many runs and continuing some, and common mistakes.

Dodge et al. (2020, arXiv 2002.06305), section 5: (t f + p (1 - f)) s.
"""

from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import stopping_cost


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return `stopping_cost` arguments (t, f, p, s) in which f is a share or an array of shares."""
    t, p, s = int(rng.integers(20, 40)), int(rng.integers(3, 9)), int(rng.integers(50, 90))
    return [
        (20, 0.25, 5, 1000),
        (t, float(rng.choice([0.1, 0.3, 0.6])), p, s),
        (t, np.array([0.1, 0.2, 0.5, 0.9]), p, s),
        (7, 0.4, 7, 10),
        (12, 1.0, 4, 300),
        (9, 0.125, 1, 1),
        (30, np.array([0.3]), 6, 250),
    ]


def allowed(t: int, f: float | np.ndarray, p: int, s: float) -> bool:
    """Return whether f is a share or an array of shares, from 0 to 1."""
    return bool(np.all((np.asarray(f) >= 0) & (np.asarray(f) <= 1)))


COST = (
    *edits(
        stopping_cost,
        """
        $all = (t * f + p * (1 - f)) * s

        your second part has a plus sign. The p runs have already been trained for the share f; count only the
        rest.
            (1 - f) => (1 + f)
        you count the p runs from their beginning. Their first part is already in the cost of all t runs.
            p * (1 - f) => p
        you continue t - p runs. Continue only p runs.
            p * (1 - f) => (t - p) * (1 - f)
        you count only the runs that are stopped. Add the p runs that continue, which train for s steps each.
            $all => (t - p) * f * s
        the p runs are missing from the first part. Include them: all t runs train for f s steps.
            t * f => (t - p) * f
        you swapped t and p. All t runs train for the first part, and only p runs for the rest.
            $all => (p * f + t * (1 - f)) * s
        you left out the second part, the cost of continuing p runs.
            $all => t * f * s
        you left out the first part, the cost of all t runs until the stop.
            $all => p * (1 - f) * s
        you subtract the cost of the p runs that continue. Add it.
            f + p => f - p
        you count the share f for the p runs that continue. Count the rest, 1 - f.
            p * (1 - f) => p * f
        you return the cost of t full runs. Only p runs are full: the others are stopped after f s steps.
            $all => (t + 0 * f) * s
        you return the cost of p full runs. Add the cost of the runs that are stopped.
            $all => (p + 0 * f) * s
        you return the cost in full runs, not in steps. Multiply it by s.
            ) * s => )
        you divide by s. Multiply by it, because each full run has s steps.
            ) * s => ) / s
        you return the mean cost of the t runs. Return their total cost.
            return result / t
        you multiply only the second part by s. Put the sum of the two parts in parentheses, and multiply it
        by s.
            $all => t * f + p * (1 - f) * s
        you convert the result to a single number, but f may be an array of shares. Leave it as it is.
            return int(result)
        """,
    ),
    *pairs_of_edits(
        stopping_cost,
        """
        the second part has a plus sign, but it should be p (1 - f)
            (1 - f) => (1 + f)
        the p runs are counted from their beginning, although only the share 1 - f is left
            p * (1 - f) => p
        you swapped t and p, although all t runs train for the first f s steps
            t * f + p * (1 - f) => p * f + t * (1 - f)
        you do not multiply by s, the number of steps of a full run
            * s => * 1
        """,
    ),
)


def never_stopped(f: Callable, rng: np.random.Generator) -> bool:
    return bool(np.isclose(f(6, 1.0, 2, 50), 300) and np.isclose(f(6, 0.3, 6, 50), 300))


def each_run_more(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether starting another run costs f s steps, and continuing another costs (1 - f) s steps."""
    t, p, s = int(rng.integers(10, 20)), int(rng.integers(2, 9)), 100
    base = f(t, 0.25, p, s)
    return bool(np.isclose(f(t + 1, 0.25, p, s) - base, 25) and np.isclose(f(t, 0.25, p + 1, s) - base, 75))
