"""Students' common mistakes in `pretraining_cost`, and properties that it must have."""

import math
from collections.abc import Callable

import numpy as np

from ..checks.edits import edits
from ..checks.exercise import Invariant
from .definitions import pretraining_cost

DAY = 86_400  # seconds


def tokens_of(phases: list[tuple[int, int, int]]) -> int:
    """Return the number of tokens in a run: the sum of steps * sequences * length over all phases."""
    return sum(math.prod(phase) for phase in phases)


# parameters, phases, chips, peak, utilisation
RUN = (3e6, [(10, 4, 8), (3, 5, 7), (2, 6, 9)], 4, 1e9, 0.25)


def holds(relation: Callable) -> Callable:
    """Return a check that two numbers computed from a student's result are almost equal.

    relation(result, *arguments): returns the two numbers.
    """

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

    you count only the forward pass. The backward pass adds four operations per parameter and token.
        6 * => 2 *
    you count only the backward pass. The forward pass adds two operations per parameter and token.
        6 * => 4 *
    you count a product and a sum as a single operation. Count them as two.
        6 * => 3 *
    you count a single operation per parameter and token. Forward and backward pass together need six.
        6 * parameters => parameters
    only the last phase is counted. Add the tokens of all phases.
        in phases => in phases[-1:]
    only the first phase is counted, perhaps because the `return` is inside the loop. Add the tokens of all
    phases.
        in phases => in phases[:1]
    you count sequences instead of tokens. Multiply by the length too.
        $tokens => steps * rows
    you count one sequence per step. Multiply by the number of sequences in a batch too.
        $tokens => steps * length
    you count the tokens of one batch only. Multiply by the number of steps too.
        $tokens => rows * length
    you add up steps, sequences and lengths before you multiply. Multiply within each phase, then add.
        $all => math.prod(map(sum, zip(*phases)))
    you ignore `utilisation`. Chips reach only this share of their peak.
        $work => (chips * peak)
    you multiply the time by the utilisation. Divide by it, because a low utilisation makes a run longer.
        $work => (chips * peak) * utilisation
    you divide the utilisation by 100. Use it as it is, because it is a share already, such as 0.3.
        $work => (chips * peak * utilisation / 100)
    you use 1 - utilisation, the share that is not reached. Use `utilisation` itself.
        $work => (chips * peak * (1 - utilisation))
    you divide by the first factor only. Put the product in parentheses.
        $work => chips * peak * utilisation
    you ignore `chips`. Divide by the number of chips too, because they share the work.
        $work => (peak * utilisation)
    you multiply the time by the number of chips. Divide by it, because the chips work at the same time.
        $work => (peak * utilisation) * chips
    the time is in seconds. Divide it by 86,400, the number of seconds in a day.
        86_400 => 1
    the time is in hours. Divide it by 24, the number of hours in a day.
        86_400 => 3600
    the time is in minutes. Divide it by 1,440, the number of minutes in a day.
        86_400 => 60
    the number of seconds in a day is wrong. Use 24 * 60 * 60, with the factor 60 twice.
        86_400 => (24 * 60)
    """,
    math=math,
)
