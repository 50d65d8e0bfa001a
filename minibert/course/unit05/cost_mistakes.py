"""Known mistakes about `pretraining_cost`: tokens, operations and days of a run."""

import math
from collections.abc import Callable

import numpy as np

from ..checks.exercise import Invariant, Mistake

DAY = 86_400  # seconds


def tokens_of(phases: list[tuple[int, int, int]]) -> int:
    """The number of tokens of a run: steps times sequences times length, added up over the phases."""
    return sum(math.prod(phase) for phase in phases)


def cost(
    tokens: Callable = tokens_of, factor: int = 6, seconds: Callable | None = None, unit: int = DAY
) -> Callable:
    """Build a pretraining_cost with one piece replaced. seconds(flops, chips, peak, utilisation)."""

    def wrong(parameters, phases, chips, peak, utilisation):
        count = tokens(phases)
        flops = factor * parameters * count
        took = seconds(flops, chips, peak, utilisation) if seconds else flops / (chips * peak * utilisation)
        return {"tokens": count, "flops": flops, "days": took / unit}

    return wrong


# parameters, phases, chips, peak, utilisation
RUN = (3e6, [(10, 4, 8), (3, 5, 7), (2, 6, 9)], 4, 1e9, 0.25)


def holds(relation: Callable) -> Callable:
    """Build the `holds` of an invariant: relation(result, *RUN) gives two numbers that are equal."""

    def equal(f, rng):
        got, right = relation({name: float(x) for name, x in f(*RUN).items()}, *RUN)
        return np.isclose(got, right, rtol=1e-4)

    return equal


COSTS = (
    Invariant(
        '"tokens" are steps * rows * length of each phase, added up over all phases',
        holds(lambda cost, N, phases, *_: (cost["tokens"], tokens_of(phases))),
    ),
    Invariant(
        '"flops" are 6 * parameters * tokens, on whatever chips',
        holds(lambda cost, N, *_: (cost["flops"], 6 * N * cost["tokens"])),
    ),
    Invariant(
        "twice the chips take half the days",
        lambda f, rng: np.isclose(
            f(1e6, [(10, 4, 8)], 2, 1e3, 0.5)["days"], 2 * f(1e6, [(10, 4, 8)], 4, 1e3, 0.5)["days"]
        ),
    ),
    Invariant(
        '"days" are flops / (chips * peak * utilisation) seconds, 86,400 of them to a day; not rounded',
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
PRETRAINING_COST = (
    Mistake(
        "2 operations per parameter and token are the forward pass alone. The backward pass takes twice "
        "as many: 6 together.",
        cost(factor=2),
    ),
    Mistake(
        "4 operations per parameter and token are the backward pass alone. With the forward pass they are 6.",
        cost(factor=4),
    ),
    Mistake(
        "3 operations per parameter and token: a product and a sum are two operations, so 6.", cost(factor=3)
    ),
    Mistake("a parameter takes 6 operations for each token; the 6 is missing.", cost(factor=1)),
    Mistake(
        "only the last phase is counted. Add the tokens of all phases.",
        cost(lambda phases: math.prod(phases[-1])),
    ),
    Mistake(
        "only the first phase is counted. Add the tokens of all phases. Is the `return` inside the loop?",
        cost(lambda phases: math.prod(phases[0])),
    ),
    Mistake(
        "you count sequences, not tokens: multiply by the length too.",
        cost(lambda phases: sum(s * r for s, r, _ in phases)),
    ),
    Mistake(
        "you count the tokens of one sequence a step: multiply by the sequences of a batch too.",
        cost(lambda phases: sum(s * n for s, _, n in phases)),
    ),
    Mistake(
        "you count the tokens of one batch: multiply by the steps too.",
        cost(lambda phases: sum(r * n for _, r, n in phases)),
    ),
    Mistake(
        "you add up steps, sequences and lengths, and then multiply the sums. Multiply within a phase, "
        "then add.",
        cost(lambda phases: math.prod(map(sum, zip(*phases)))),
    ),
    Mistake(
        "`utilisation` is ignored: chips reach only this share of their peak, so the run takes longer.",
        cost(seconds=lambda flops, chips, peak, use: flops / (chips * peak)),
    ),
    Mistake(
        "a low utilisation makes a run longer, not shorter: divide by it.",
        cost(seconds=lambda flops, chips, peak, use: flops / (chips * peak) * use),
    ),
    Mistake(
        "utilisation is a share already, 0.3 and not 30: do not divide it by 100.",
        cost(seconds=lambda flops, chips, peak, use: flops / (chips * peak * use / 100)),
    ),
    Mistake(
        "1 - utilisation is the share that is not reached. Take utilisation.",
        cost(seconds=lambda flops, chips, peak, use: flops / (chips * peak * (1 - use))),
    ),
    Mistake(
        "a / b * c * d divides by b alone. The chips together do chips * peak * utilisation operations a "
        "second: put the product in brackets.",
        cost(seconds=lambda flops, chips, peak, use: flops / chips * peak * use),
    ),
    Mistake(
        "`chips` is ignored: they share the work.",
        cost(seconds=lambda flops, chips, peak, use: flops / (peak * use)),
    ),
    Mistake(
        "you multiply the time by the number of chips: those are chip-days. They work at the same time, "
        "so divide.",
        cost(seconds=lambda flops, chips, peak, use: flops / (peak * use) * chips),
    ),
    Mistake("the time is in seconds; a day has 86,400.", cost(unit=1)),
    Mistake("the time is in hours; a day has 24 of them.", cost(unit=3600)),
    Mistake("the time is in minutes; a day has 1,440 of them.", cost(unit=60)),
    Mistake(
        "a day has 24 * 60 * 60 seconds; one 60 is missing, or there is one too many.", cost(unit=24 * 60)
    ),
)
