"""Known mistakes about `stopping_cost`, what starting many and continuing some costs, and its inputs.

Dodge et al. (2020, arXiv 2002.06305), section 5: (t f + p (1 - f)) s.
"""

from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import stopping_cost


def cases(rng: np.random.Generator) -> list[tuple]:
    """Shares as a number and as an array; all sizes differ."""
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

        it is p (1 - f), with a minus: the p runs are already trained for the share f, and 1 - f is left.
            (1 - f) => (1 + f)
        the p runs are counted from their beginning. Their first f s steps are among the t f s already: only
        1 - f is left.
            p * (1 - f) => p
        p runs are continued, not the other t - p.
            p * (1 - f) => (t - p) * (1 - f)
        only the runs that are stopped are counted. The p runs that go on train for s steps each.
            $all => (t - p) * f * s
        the p runs are missing in the first part: all t runs train for f s steps.
            t * f => (t - p) * f
        t and p have changed places.
            $all => (p * f + t * (1 - f)) * s
        the part of the p runs that go on is missing: p (1 - f) s.
            $all => t * f * s
        the part of the t runs that are started is missing: t f s.
            $all => p * (1 - f) * s
        the sign is wrong: what the p runs cost comes on top.
            f + p => f - p
        f is counted for the p runs. They go on for the rest, 1 - f.
            p * (1 - f) => p * f
        this is the cost of t full runs, without stopping any.
            $all => (t + 0 * f) * s
        this is the cost of p full runs. The others cost something, too.
            $all => (p + 0 * f) * s
        the steps of a run are missing: this is the cost in full runs. Multiply by s.
            ) * s => )
        this is divided by s. Each full run has s steps: multiply.
            ) * s => ) / s
        this is the mean over the t runs. The cost is that of all of them together.
            return result / t
        s belongs to both parts: (t f + p (1 - f)) s, with brackets.
            $all => t * f + p * (1 - f) * s
        int(...) takes one number, and f may be an array of shares. Return the steps as they come out.
            return int(result)
        """,
    ),
    *pairs_of_edits(
        stopping_cost,
        """
        it is p (1 - f), with a minus
            (1 - f) => (1 + f)
        the p runs are counted from their beginning
            p * (1 - f) => p
        t and p have changed places
            t * f + p * (1 - f) => p * f + t * (1 - f)
        the steps of a run are missing
            * s => * 1
        """,
    ),
)


def never_stopped(f: Callable, rng: np.random.Generator) -> bool:
    return bool(np.isclose(f(6, 1.0, 2, 50), 300) and np.isclose(f(6, 0.3, 6, 50), 300))


def each_run_more(f: Callable, rng: np.random.Generator) -> bool:
    """True if one more run that is started costs f s steps, and one more that is continued (1 - f) s."""
    t, p, s = int(rng.integers(10, 20)), int(rng.integers(2, 9)), 100
    base = f(t, 0.25, p, s)
    return bool(np.isclose(f(t + 1, 0.25, p, s) - base, 25) and np.isclose(f(t, 0.25, p + 1, s) - base, 75))
