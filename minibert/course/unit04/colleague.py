"""`colleague_losses`: what a loss that asks for [PAD] everywhere prints, and what the right one says.

The model gives 0.99 to [PAD] at every position, and the rest equally to all other tokens.
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
    """False if the 0.01 is shared by V tokens, or by V - 2: the sixth digit tells. Others are not judged."""
    numbers = [float(number) for number in answer()]
    near, there = (np.allclose(numbers, right_colleague_losses(), rtol=rtol, atol=0) for rtol in (1e-4, 1e-6))
    return there or not near


HERS = """
    $hers = hers = (1 - RATE) * pad + RATE * other

    hers also counts the 85% of the positions that were not chosen, where she asks for [PAD]
        $hers => hers = other
    hers is a mean over all positions: 15% of them have a real label, 85% the label [PAD], each with its own
    -log p
        $hers => hers = RATE * other
    in hers 15% and 85% are exchanged
        $hers => hers = RATE * pad + (1 - RATE) * other
    hers is not the mean of the two: 85% of the positions ask for [PAD], 15% for another token
        $hers => hers = (pad + other) / 2
    in hers all positions count, not only those with the label [PAD]
        $hers => hers = pad
    in hers the chosen positions count too, 15% of all
        $hers => hers = (1 - RATE) * pad
    hers is a mean, so 85% and 15% are the weights of the two
        $hers => hers = pad + other
    hers is a mean; divide by the number of positions
        $hers => hers = 17 * pad + 3 * other
    hers averages the -log p; you take the logarithm of a mean probability
        $hers => hers = -math.log((1 - RATE) * math.exp(-pad) + RATE * math.exp(-other))
"""
CORRECT = """
    $correct = correct = other

    the right loss asks only for the chosen tokens, none of which is [PAD]
        $correct => correct = (1 - RATE) * pad + RATE * other
    the right loss asks only for the chosen tokens, and none of them is [PAD]
        $correct => correct = pad
    the second is not ln V: this model knows something, and it is wrong
        $correct => correct = math.log(SIZE)
    the right loss does not divide by the positions that were not chosen
        $correct => correct = RATE * other
    the right loss is a mean; divide by the number of chosen positions
        $correct => correct = 3 * other
    none of the chosen tokens is [PAD], so its probability has no part in the right loss
        $correct => correct = RATE * pad + (1 - RATE) * other
"""
BOTH = """
    the 30,521 other tokens share the 0.01 that is left: each has 0.01 / 30,521, not 0.01.
        (SIZE - 1) => 1
    these are logarithms to base 2. Take the natural one.
        math.log =>> math.log2
    these are logarithms to base 10. Take the natural one.
        math.log =>> math.log10
    the share of all other tokens is 1 - 0.99 = 0.01; you take 0.1.
        SURE =>> 0.9
        or
        (1 - SURE) => 10 * (1 - SURE)
    these are probabilities. A loss is -log p.
        -math.log =>>
    this is 1 - p. A loss is -log p.
        -math.log =>> 1 -
    you give the probabilities to a softmax. The logits are their logarithms: np.log(probabilities).
        -math.log(SURE) => math.log(math.exp(SURE) + SIZE - 1) - SURE
        -math.log((1 - SURE) / (SIZE - 1)) => math.log(math.exp(SURE) + SIZE - 1)
    these are the right numbers, rounded. Give all their digits.
        return tuple(round(x, {0 | 1 | 2 | 3 | 4}) for x in result)
    these are e to the power of the losses. Leave the last exp out.
        return tuple(math.exp(x) for x in result)
    the sign is wrong: the losses are means of -log p.
        return tuple(-x for x in result)
"""
EXCHANGED = """
    these two are exchanged: first what her function prints, then what the right one says.
        return result[::-1]
"""


def one_wrong(hint: str, table: str) -> tuple[Mistake, ...]:
    """Build the Mistakes of which one number is right; `hint` says which, and takes a table's clause."""
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
        Invariant("the 0.01 that is left is shared by all tokens but [PAD]: by V - 1 of them", all_digits),
    ),
    mistakes=(
        *edits(right_colleague_losses, EXCHANGED),
        *one_wrong("the second number is right, but {}.", HERS),
        *one_wrong("the first number is right, but {}.", CORRECT),
        *pairs_of_edits(right_colleague_losses, HERS + CORRECT),
        *edits(right_colleague_losses, BOTH),
    ),
)
