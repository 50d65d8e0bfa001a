"""The exercise `colleague_losses`: a loss that counts [PAD] everywhere, compared with the correct loss.

The model gives [PAD] the probability 0.99 at every position, and divides the rest equally among all
other tokens.
"""

import math
from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from ..checks.exercise import Exercise, Invariant, Mistake
from .hints import HINTS

# V, share of positions chosen, p of [PAD] everywhere
SIZE, RATE, SURE = 30_522, 0.15, 0.99


def right_colleague_losses() -> tuple[float, float]:
    pad, other = -math.log(SURE), -math.log((1 - SURE) / (SIZE - 1))
    hers = (1 - RATE) * pad + RATE * other
    correct = other
    return hers, correct


def all_digits(answer: Callable, rng: np.random.Generator) -> bool:
    """Return False if the 0.01 is divided by V or V - 2 instead of V - 1, which shows in the sixth digit."""
    numbers = [float(number) for number in answer()]
    near, there = (np.allclose(numbers, right_colleague_losses(), rtol=rtol, atol=0) for rtol in (1e-4, 1e-6))
    return there or not near


HERS = """
    $hers = hers = (1 - RATE) * pad + RATE * other

    her loss also counts the 85% of the positions that were not chosen, whose label is [PAD]
        $hers => hers = other
    her loss is a mean over all positions: 15% have a real label and 85% have the label [PAD], each with its
    own -log p
        $hers => hers = RATE * other
    you exchanged 15% and 85% in her loss
        $hers => hers = RATE * pad + (1 - RATE) * other
    her loss is not the simple mean of the two: 85% of the positions have the label [PAD], 15% another token
        $hers => hers = (pad + other) / 2
    her loss counts all positions, not only those with the label [PAD]
        $hers => hers = pad
    her loss also counts the chosen positions, which are 15%
        $hers => hers = (1 - RATE) * pad
    her loss is a mean, so weight the two with 85% and 15%
        $hers => hers = pad + other
    her loss is a mean, so divide by the number of positions
        $hers => hers = 17 * pad + 3 * other
    her loss averages -log p, but you take the logarithm of a mean probability
        $hers => hers = -math.log((1 - RATE) * math.exp(-pad) + RATE * math.exp(-other))
"""
CORRECT = """
    $correct = correct = other

    the correct loss counts only the chosen tokens, not the [PAD] at the other positions
        $correct => correct = (1 - RATE) * pad + RATE * other
    the correct loss counts only the chosen tokens, and none of them is [PAD]
        $correct => correct = pad
    the second number is not ln V: this model has learned something, and it is wrong
        $correct => correct = math.log(SIZE)
    the correct loss does not count the positions that were not chosen when it divides
        $correct => correct = RATE * other
    the correct loss is a mean, so divide by the number of chosen positions
        $correct => correct = 3 * other
    none of the chosen tokens is [PAD], so its probability does not matter for the correct loss
        $correct => correct = RATE * pad + (1 - RATE) * other
"""
BOTH = """
    the 30,521 other tokens share the remaining 0.01: each has 0.01 / 30,521, not 0.01.
        (SIZE - 1) => 1
    these are logarithms to base 2. Use the natural logarithm.
        math.log =>> math.log2
    these are logarithms to base 10. Use the natural logarithm.
        math.log =>> math.log10
    you use 0.1 for all other tokens together. Use 1 - 0.99 = 0.01.
        SURE =>> 0.9
        or
        (1 - SURE) => 10 * (1 - SURE)
    these are probabilities. A loss is -log p.
        -math.log =>>
    this is 1 - p. A loss is -log p.
        -math.log =>> 1 -
    you pass the probabilities to a softmax. The logits are their logarithms: np.log(probabilities).
        -math.log(SURE) => math.log(math.exp(SURE) + SIZE - 1) - SURE
        -math.log((1 - SURE) / (SIZE - 1)) => math.log(math.exp(SURE) + SIZE - 1)
    these are the right numbers, but rounded. Return all their digits.
        return tuple(round(x, {0 | 1 | 2 | 3 | 4}) for x in result)
    these are e to the power of the losses. Remove the last exp.
        return tuple(math.exp(x) for x in result)
    the sign is wrong. The losses are means of -log p.
        return tuple(-x for x in result)
"""
EXCHANGED = """
    these two are exchanged. Return the loss of her function first, then the correct loss.
        return result[::-1]
"""


def one_wrong(hint: str, table: str) -> tuple[Mistake, ...]:
    """Build the Mistakes with one right number: `hint` says which, with a gap for a clause of the table."""
    return tuple(
        Mistake(hint.format(mistake.hint), mistake.function)
        for mistake in edits(right_colleague_losses, table)
    )


colleague_losses = Exercise(
    "colleague_losses",
    (),
    lambda rng: [()],
    right_colleague_losses,
    hints=HINTS["colleague_losses"],
    invariants=(
        Invariant(
            "the remaining 0.01 is divided by V - 1, the number of tokens other than [PAD]", all_digits
        ),
    ),
    mistakes=(
        *edits(right_colleague_losses, EXCHANGED),
        *one_wrong("the second number is right, but {}.", HERS),
        *one_wrong("the first number is right, but {}.", CORRECT),
        *pairs_of_edits(right_colleague_losses, HERS + CORRECT),
        *edits(right_colleague_losses, BOTH),
    ),
)
