"""`colleague_losses`: what a loss that asks for [PAD] everywhere prints, and what the right one says.

The model gives 0.99 to [PAD] at every position, and the rest equally to all other tokens.
"""

import math
from collections.abc import Callable

import numpy as np

from ..checks.exercise import Exercise, Invariant, Mistake, pairs
from .hints import HINTS

# V, share of positions chosen, p of [PAD] everywhere
SIZE, RATE, SURE = 30_522, 0.15, 0.99
Formula = Callable[[float, float], float]  # of -log p of [PAD], and of another token


def surprise(sure: float = SURE, others: float = SIZE - 1, log: Callable = math.log) -> tuple[float, float]:
    """-log p of [PAD], and of each other token."""
    return -log(sure), -log((1 - sure) / others)


def colleague(
    hers: Formula = lambda pad, other: (1 - RATE) * pad + RATE * other,
    right: Formula = lambda pad, other: other,
    given: Callable[[], tuple[float, float]] = surprise,
) -> Callable[[], tuple[float, float]]:
    """Build a `colleague_losses` with some of its pieces replaced."""
    return lambda: (hers(*given()), right(*given()))


def right_colleague_losses() -> tuple[float, float]:
    return colleague()()


def all_digits(answer: Callable, rng: np.random.Generator) -> bool:
    """False if the 0.01 is shared by V tokens, or by V - 2: the sixth digit tells. Others are not judged."""
    numbers = [float(number) for number in answer()]
    near, there = (np.allclose(numbers, right_colleague_losses(), rtol=rtol, atol=0) for rtol in (1e-4, 1e-6))
    return there or not near


HERS: tuple[tuple[Formula, str], ...] = (
    (
        lambda pad, other: other,
        "hers also counts the 85% of the positions that were not chosen, where she asks for [PAD]",
    ),
    (
        lambda pad, other: RATE * other,
        "hers is a mean over all positions: 15% of them have a real label, 85% the label [PAD], each with "
        "its own -log p",
    ),
    (lambda pad, other: RATE * pad + (1 - RATE) * other, "in hers 15% and 85% are exchanged"),
    (
        lambda pad, other: (pad + other) / 2,
        "hers is not the mean of the two: 85% of the positions ask for [PAD], 15% for another token",
    ),
    (lambda pad, other: pad, "in hers all positions count, not only those with the label [PAD]"),
    (lambda pad, other: (1 - RATE) * pad, "in hers the chosen positions count too, 15% of all"),
    (lambda pad, other: pad + other, "hers is a mean, so 85% and 15% are the weights of the two"),
    (lambda pad, other: 17 * pad + 3 * other, "hers is a mean; divide by the number of positions"),
    (
        lambda pad, other: -math.log((1 - RATE) * math.exp(-pad) + RATE * math.exp(-other)),
        "hers averages the -log p; you take the logarithm of a mean probability",
    ),
)
THE_RIGHT: tuple[tuple[Formula, str], ...] = (
    (
        lambda pad, other: (1 - RATE) * pad + RATE * other,
        "the right loss asks only for the chosen tokens, none of which is [PAD]",
    ),
    (lambda pad, other: pad, "the right loss asks only for the chosen tokens, and none of them is [PAD]"),
    (
        lambda pad, other: math.log(SIZE),
        "the second is not ln V: this model knows something, and it is wrong",
    ),
    (lambda pad, other: RATE * other, "the right loss does not divide by the positions that were not chosen"),
    (lambda pad, other: 3 * other, "the right loss is a mean; divide by the number of chosen positions"),
    (
        lambda pad, other: RATE * pad + (1 - RATE) * other,
        "none of the chosen tokens is [PAD], so its probability has no part in the right loss",
    ),
)
GIVEN = (
    (
        lambda: surprise(others=1),
        "the 30,521 other tokens share the 0.01 that is left: each has 0.01 / 30,521, not 0.01.",
    ),
    (lambda: surprise(log=math.log2), "these are logarithms to base 2. Take the natural one."),
    (lambda: surprise(log=math.log10), "these are logarithms to base 10. Take the natural one."),
    *(
        (given, "the share of all other tokens is 1 - 0.99 = 0.01; you take 0.1.")
        for given in (lambda: surprise(0.9), lambda: surprise(others=(SIZE - 1) / 10))
    ),
    (lambda: (SURE, (1 - SURE) / (SIZE - 1)), "these are probabilities. A loss is -log p."),
    (lambda: (1 - SURE, 1 - (1 - SURE) / (SIZE - 1)), "this is 1 - p. A loss is -log p."),
    (
        lambda: (math.log(math.exp(SURE) + SIZE - 1) - SURE, math.log(math.exp(SURE) + SIZE - 1)),
        "you give the probabilities to a softmax. The logits are their logarithms: np.log(probabilities).",
    ),
)

colleague_losses = Exercise(
    "colleague_losses",
    (),
    lambda rng: [()],
    right_colleague_losses,
    hints=HINTS["colleague_losses"],
    invariants=(
        Invariant("the 0.01 that is left is shared by all tokens but [PAD]: by V - 1 of them", all_digits),
    ),
    mistakes=(
        Mistake(
            "these two are exchanged: first what her function prints, then what the right one says.",
            lambda: right_colleague_losses()[::-1],
        ),
        *(
            Mistake(f"the second number is right, but {clause}.", colleague(hers=hers))
            for hers, clause in HERS
        ),
        *(
            Mistake(f"the first number is right, but {clause}.", colleague(right=right))
            for right, clause in THE_RIGHT
        ),
        *pairs(
            colleague,
            *((dict(hers=hers), clause) for hers, clause in HERS),
            *((dict(right=right), clause) for right, clause in THE_RIGHT),
        ),
        *(Mistake(clause, colleague(given=given)) for given, clause in GIVEN),
        *(
            Mistake(
                "these are the right numbers, rounded. Give all their digits.",
                lambda digits=digits: tuple(round(x, digits) for x in right_colleague_losses()),
            )
            for digits in range(5)
        ),
        Mistake(
            "these are e to the power of the losses. Leave the last exp out.",
            lambda: tuple(math.exp(x) for x in right_colleague_losses()),
        ),
        Mistake(
            "the sign is wrong: the losses are means of -log p.",
            lambda: tuple(-x for x in right_colleague_losses()),
        ),
    ),
)
