"""The exercise `colleague_losses`: compare a loss that also counts unmasked positions with the correct loss.

The model gives [PAD] the probability 0.99 at every position, and divides the rest equally among all other
tokens.
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
    """Return False if the two losses are slightly wrong, as if 0.01 were divided by V instead of V - 1."""
    numbers = [float(number) for number in answer()]
    near, there = (np.allclose(numbers, right_colleague_losses(), rtol=rtol, atol=0) for rtol in (1e-4, 1e-6))
    return there or not near


HERS = """
    $hers = hers = (1 - RATE) * pad + RATE * other

    your colleague's loss also counts the 85% of the positions that were not chosen, whose label is [PAD]
        $hers => hers = other
    your colleague's loss is a mean over all positions, and must include the 85% that have the label [PAD]
        $hers => hers = RATE * other
    you swapped 15% and 85% in your colleague's loss
        $hers => hers = RATE * pad + (1 - RATE) * other
    your colleague's loss is a weighted mean, because 85% of the positions have the label [PAD] and only 15%
    another token
        $hers => hers = (pad + other) / 2
    your colleague's loss counts all positions, not only the positions with the label [PAD]
        $hers => hers = pad
    your colleague's loss also counts the 15% of the positions that were chosen
        $hers => hers = (1 - RATE) * pad
    your colleague's loss is a mean, so weight -log p of [PAD] with 85% and -log p of a chosen token with 15%
        $hers => hers = pad + other
    your colleague's loss is a mean, so divide by the number of positions
        $hers => hers = 17 * pad + 3 * other
    your colleague's loss averages -log p, but you take the logarithm of a mean probability
        $hers => hers = -math.log((1 - RATE) * math.exp(-pad) + RATE * math.exp(-other))
"""
CORRECT = """
    $correct = correct = other

    the correct loss counts only the chosen tokens, not the [PAD] at the other positions
        $correct => correct = (1 - RATE) * pad + RATE * other
    the correct loss counts only the chosen tokens, none of which is [PAD]
        $correct => correct = pad
    the correct loss is not ln V, because this model does not give all tokens the same probability
        $correct => correct = math.log(SIZE)
    the correct loss is divided by the number of chosen positions, not of all positions
        $correct => correct = RATE * other
    the correct loss is a mean, so divide by the number of chosen positions
        $correct => correct = 3 * other
    the correct loss does not depend on -log p of [PAD], because none of the chosen tokens is [PAD]
        $correct => correct = RATE * pad + (1 - RATE) * other
"""
BOTH = """
    you give each other token the probability 0.01. The 30,521 other tokens share it, so use 0.01 / 30,521.
        (SIZE - 1) => 1
    you use logarithms to base 2. Use the natural logarithm.
        math.log =>> math.log2
    you use logarithms to base 10. Use the natural logarithm.
        math.log =>> math.log10
    you use 0.1 as the probability of all other tokens together. Use 1 - 0.99 = 0.01.
        SURE =>> 0.9
        or
        (1 - SURE) => 10 * (1 - SURE)
    you return means of probabilities. Return means of -log p.
        -math.log =>>
    you return means of 1 - p. Return means of -log p.
        -math.log =>> 1 -
    you pass the probabilities to a softmax. Pass their logarithms instead.
        -math.log(SURE) => math.log(math.exp(SURE) + SIZE - 1) - SURE
        -math.log((1 - SURE) / (SIZE - 1)) => math.log(math.exp(SURE) + SIZE - 1)
    you round the correct numbers. Return them with all their digits.
        return tuple(round(x, {0 | 1 | 2 | 3 | 4}) for x in result)
    you return e to the power of the losses. Remove the last exp.
        return tuple(math.exp(x) for x in result)
    the sign is wrong. Return means of -log p, which are positive.
        return tuple(-x for x in result)
"""
EXCHANGED = """
    the two losses are in the wrong order. Return your colleague's loss first, then the correct loss.
        return result[::-1]
"""


def one_wrong(hint: str, table: str) -> tuple[Mistake, ...]:
    """Return a Mistake for each edit in `table` that makes one of the two numbers wrong.

    hint: a sentence that says which number is correct, in which {} stands for the edit's own hint.
    """
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
        *one_wrong("the second number is correct, but {}.", HERS),
        *one_wrong("the first number is correct, but {}.", CORRECT),
        *pairs_of_edits(right_colleague_losses, HERS + CORRECT),
        *edits(right_colleague_losses, BOTH),
    ),
)
