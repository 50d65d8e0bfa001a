"""Known mistakes about `stopping_cost`, what starting many and continuing some costs, and its inputs.

Dodge et al. (2020, arXiv 2002.06305), section 5: (t f + p (1 - f)) s.
"""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake, pairs


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


def total(t: float, f: float, p: float) -> float:
    return t * f + p * (1 - f)


def cost(full: Callable = total, times: Callable = lambda runs, s: runs * s) -> Callable:
    """Build the function with some pieces replaced: full(t, f, p) in full runs, times(runs, s)."""
    return lambda t, f, p, s: times(full(t, f, p), s)


COST = (
    Mistake(
        "it is p (1 - f), with a minus: the p runs are already trained for the share f, and 1 - f is left.",
        cost(lambda t, f, p: t * f + p * (1 + f)),
    ),
    Mistake(
        "the p runs are counted from their beginning. Their first f s steps are among the t f s already: "
        "only 1 - f is left.",
        cost(lambda t, f, p: t * f + p),
    ),
    Mistake("p runs are continued, not the other t - p.", cost(lambda t, f, p: t * f + (t - p) * (1 - f))),
    Mistake(
        "only the runs that are stopped are counted. The p runs that go on train for s steps each.",
        cost(lambda t, f, p: (t - p) * f),
    ),
    Mistake(
        "the p runs are missing in the first part: all t runs train for f s steps.",
        cost(lambda t, f, p: (t - p) * f + p * (1 - f)),
    ),
    Mistake("t and p have changed places.", cost(lambda t, f, p: p * f + t * (1 - f))),
    Mistake("the part of the p runs that go on is missing: p (1 - f) s.", cost(lambda t, f, p: t * f)),
    Mistake("the part of the t runs that are started is missing: t f s.", cost(lambda t, f, p: p * (1 - f))),
    Mistake(
        "the sign is wrong: what the p runs cost comes on top.", cost(lambda t, f, p: t * f - p * (1 - f))
    ),
    Mistake(
        "f is counted for the p runs. They go on for the rest, 1 - f.", cost(lambda t, f, p: t * f + p * f)
    ),
    Mistake("this is the cost of t full runs, without stopping any.", cost(lambda t, f, p: t + 0 * f)),
    Mistake(
        "this is the cost of p full runs. The others cost something, too.", cost(lambda t, f, p: p + 0 * f)
    ),
    Mistake(
        "the steps of a run are missing: this is the cost in full runs. Multiply by s.",
        cost(times=lambda runs, s: runs),
    ),
    Mistake(
        "this is divided by s. Each full run has s steps: multiply.", cost(times=lambda runs, s: runs / s)
    ),
    Mistake(
        "this is the mean over the t runs. The cost is that of all of them together.",
        cost(lambda t, f, p: total(t, f, p) / t),
    ),
    Mistake(
        "s belongs to both parts: (t f + p (1 - f)) s, with brackets.",
        lambda t, f, p, s: t * f + p * (1 - f) * s,
    ),
    Mistake(
        "int(...) takes one number, and f may be an array of shares. Return the steps as they come out.",
        lambda t, f, p, s: int(total(t, f, p) * s),
    ),
    *pairs(
        cost,
        (dict(full=lambda t, f, p: t * f + p * (1 + f)), "it is p (1 - f), with a minus"),
        (dict(full=lambda t, f, p: t * f + p), "the p runs are counted from their beginning"),
        (dict(full=lambda t, f, p: p * f + t * (1 - f)), "t and p have changed places"),
        (dict(times=lambda runs, s: runs), "the steps of a run are missing"),
    ),
)


def never_stopped(f: Callable, rng: np.random.Generator) -> bool:
    return bool(np.isclose(f(6, 1.0, 2, 50), 300) and np.isclose(f(6, 0.3, 6, 50), 300))


def each_run_more(f: Callable, rng: np.random.Generator) -> bool:
    """True if one more run that is started costs f s steps, and one more that is continued (1 - f) s."""
    t, p, s = int(rng.integers(10, 20)), int(rng.integers(2, 9)), 100
    base = f(t, 0.25, p, s)
    return bool(np.isclose(f(t + 1, 0.25, p, s) - base, 25) and np.isclose(f(t, 0.25, p + 1, s) - base, 75))
