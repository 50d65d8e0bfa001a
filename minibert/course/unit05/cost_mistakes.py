"""Known mistakes and invariants of `pretraining_cost`: tokens, operations and days of a run."""

import math
from collections.abc import Callable

import numpy as np

from ..checks.edits import edits
from ..checks.exercise import Invariant
from .definitions import pretraining_cost

DAY = 86_400  # seconds


def tokens_of(phases: list[tuple[int, int, int]]) -> int:
    """Return the number of tokens in a run: steps times sequences times length, added up over the phases."""
    return sum(math.prod(phase) for phase in phases)


# parameters, phases, chips, peak, utilisation
RUN = (3e6, [(10, 4, 8), (3, 5, 7), (2, 6, 9)], 4, 1e9, 0.25)


def holds(relation: Callable) -> Callable:
    """Build an invariant's `holds` from relation(result, *RUN), which returns two numbers to compare."""

    def equal(f, rng):
        got, right = relation({name: float(x) for name, x in f(*RUN).items()}, *RUN)
        return np.isclose(got, right, rtol=1e-4)

    return equal


COSTS = (
    Invariant(
        '"tokens" is steps * rows * length, added up over all phases',
        holds(lambda cost, N, phases, *_: (cost["tokens"], tokens_of(phases))),
    ),
    Invariant(
        '"flops" is 6 * parameters * tokens, whatever the chips',
        holds(lambda cost, N, *_: (cost["flops"], 6 * N * cost["tokens"])),
    ),
    Invariant(
        "twice as many chips take half the days",
        lambda f, rng: np.isclose(
            f(1e6, [(10, 4, 8)], 2, 1e3, 0.5)["days"], 2 * f(1e6, [(10, 4, 8)], 4, 1e3, 0.5)["days"]
        ),
    ),
    Invariant(
        '"days" is flops / (chips * peak * utilisation) seconds, converted to days of '
        "86,400 seconds and not rounded",
        holds(
            lambda cost, N, phases, chips, peak, use: (cost["days"] * DAY * chips * peak * use, cost["flops"])
        ),
    ),
    Invariant(
        "the order of the phases does not matter",
        lambda f, rng: np.isclose(
            f(1e6, [(10, 4, 8), (3, 5, 7)], 2, 1e3, 0.5)["flops"],
            f(1e6, [(3, 5, 7), (10, 4, 8)], 2, 1e3, 0.5)["flops"],
        ),
    ),
)
PRETRAINING_COST = edits(
    pretraining_cost,
    """
    $tokens = steps * rows * length
    $all = sum(steps * rows * length for steps, rows, length in phases)
    $work = (chips * peak * utilisation)

    2 operations per parameter and token cover the forward pass only. The backward pass
    takes twice as many, which makes 6.
        6 * => 2 *
    4 operations per parameter and token cover the backward pass only. With the forward pass it is 6.
        6 * => 4 *
    you count 3 operations per parameter and token. A product and a sum are two operations, which makes 6.
        6 * => 3 *
    the factor 6 is missing. Each parameter needs 6 operations for each token.
        6 * parameters => parameters
    only the last phase is counted. Add the tokens of all phases.
        in phases => in phases[-1:]
    only the first phase is counted. Add the tokens of all phases. Is the `return` inside the loop?
        in phases => in phases[:1]
    you count sequences, not tokens: multiply by the length too.
        $tokens => steps * rows
    you count one sequence per step: multiply by the sequences of a batch too.
        $tokens => steps * length
    you count the tokens of one batch only: multiply by the steps too.
        $tokens => rows * length
    you add up steps, sequences and lengths first, then multiply the sums.
    Multiply within each phase, then add.
        $all => math.prod(map(sum, zip(*phases)))
    `utilisation` is ignored. Chips reach only this share of their peak, so the run takes longer.
        $work => (chips * peak)
    a low utilisation makes a run longer, not shorter: divide by it.
        $work => (chips * peak) * utilisation
    utilisation is already a share, such as 0.3 and not 30: do not divide it by 100.
        $work => (chips * peak * utilisation / 100)
    1 - utilisation is the share that is not reached. Use utilisation itself.
        $work => (chips * peak * (1 - utilisation))
    a / b * c * d divides by b only. Together the chips do chips * peak * utilisation operations per second:
    put the product in brackets.
        $work => chips * peak * utilisation
    `chips` is ignored. The chips share the work, so more of them need less time.
        $work => (peak * utilisation)
    you multiply the time by the number of chips, which gives chip-days. The chips
    work at the same time, so divide.
        $work => (peak * utilisation) * chips
    the time is in seconds. A day has 86,400 seconds.
        86_400 => 1
    the time is in hours. A day has 24 hours.
        86_400 => 3600
    the time is in minutes. A day has 1,440 minutes.
        86_400 => 60
    a day has 24 * 60 * 60 seconds. You left out one 60, or used one too many.
        86_400 => (24 * 60)
    """,
    math=math,
)
