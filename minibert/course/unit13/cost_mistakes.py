"""Known mistakes in `stopping_cost` (the cost of starting many runs and continuing some), and the inputs.

Dodge et al. (2020, arXiv 2002.06305), section 5: (t f + p (1 - f)) s.
"""

from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import stopping_cost


def cases(rng: np.random.Generator) -> list[tuple]:
    """Return arguments with a single share or an array of shares; all sizes differ."""
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


COST = (
    *edits(
        stopping_cost,
        """
        $all = (t * f + p * (1 - f)) * s

        the second part is p (1 - f), with a minus. The p runs are already trained for the
        share f, so 1 - f is left.
            (1 - f) => (1 + f)
        the p runs are counted from their beginning. Their first f s steps are already in t f s, so
        only the share 1 - f is left.
            p * (1 - f) => p
        you continue t - p runs. Only p runs are continued.
            p * (1 - f) => (t - p) * (1 - f)
        you count only the runs that are stopped. The p runs that continue train for s steps each.
            $all => (t - p) * f * s
        the p runs are missing from the first part. All t runs train for f s steps.
            t * f => (t - p) * f
        t and p are swapped.
            $all => (p * f + t * (1 - f)) * s
        you left out the second part: the p runs that continue cost p (1 - f) s.
            $all => t * f * s
        you left out the first part: the t runs that are started cost t f s.
            $all => p * (1 - f) * s
        the sign is wrong. Add the cost of the p runs.
            f + p => f - p
        you count the share f for the p runs. They continue for the rest, 1 - f.
            p * (1 - f) => p * f
        this is the cost of t full runs, none of which is stopped.
            $all => (t + 0 * f) * s
        this is the cost of p full runs. Add the cost of the others.
            $all => (p + 0 * f) * s
        this is the cost in full runs, not in steps. Multiply by s.
            ) * s => )
        you divide by s. Each full run has s steps: multiply.
            ) * s => ) / s
        this is the mean over the t runs. The cost is the sum over all of them.
            return result / t
        s belongs to both parts. Put brackets around their sum.
            $all => t * f + p * (1 - f) * s
        int(...) takes a single number, but f may be an array of shares. Return the
        steps without a conversion.
            return int(result)
        """,
    ),
    *pairs_of_edits(
        stopping_cost,
        """
        the second part is p (1 - f), with a minus
            (1 - f) => (1 + f)
        the p runs are counted from their beginning
            p * (1 - f) => p
        t and p are swapped
            t * f + p * (1 - f) => p * f + t * (1 - f)
        s is missing
            * s => * 1
        """,
    ),
)


def never_stopped(f: Callable, rng: np.random.Generator) -> bool:
    return bool(np.isclose(f(6, 1.0, 2, 50), 300) and np.isclose(f(6, 0.3, 6, 50), 300))


def each_run_more(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether one more started run costs f s steps, and one more continued run (1 - f) s."""
    t, p, s = int(rng.integers(10, 20)), int(rng.integers(2, 9)), 100
    base = f(t, 0.25, p, s)
    return bool(np.isclose(f(t + 1, 0.25, p, s) - base, 25) and np.isclose(f(t, 0.25, p + 1, s) - base, 75))
