"""Check the exercises of unit 01, self-supervision.

Devlin et al. (2019, arXiv 1810.04805), section 3.1; Liu et al. (2019, arXiv 1907.11692), section 4.1; Joshi
et al. (2020, arXiv 1907.10529), section 3.1. Most exercises involve randomness, so the checks test properties
of every sample and proportions in large samples.
"""

import itertools
from collections.abc import Callable

import numpy as np

from minibert import reference
from minibert.data import masking

from ..checks.chance import array_like, fresh, obeys
from ..checks.exercise import Exercise, Invariant, Mistake, pairs
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import bug_hunt, versions
from .choose_invariants import extreme_rates, only_candidates, own_toss, right_rate
from .corrupt_invariants import (
    CLS,
    MASK,
    ORDINARY,
    SEP,
    known_ids,
    may_come_twice,
    others_stay,
    right_shares,
    whole_vocabulary,
)
from .epoch_invariants import EPOCH_CRASHES, EPOCH_INVARIANTS, SENTENCE, one_for_each_epoch
from .hints import HINTS
from .span_invariants import SPANS_INVARIANTS
from .whole_word_invariants import WORDS_INVARIANTS, row

IDS = np.where(SENTENCE, ORDINARY[:40], 0)
WORDS = row(0, 1, 2, 1, 4, 1, 0, 1, 3, 1, 1, 2, 0, 0, 0)  # two sentences, then padding


def choose_cases(rng: np.random.Generator) -> list[tuple]:
    return [
        (SENTENCE.copy(), 0.15, rng),
        (SENTENCE[0].copy(), 0.4, rng),
        (np.zeros((2, 3), bool), 0.15, rng),
        (SENTENCE.T, 0.4, rng),
        (np.ones(1, bool), 0.15, rng),
    ]


choose_positions = Exercise(
    "choose_positions",
    ("candidates", "rate", "rng"),
    choose_cases,
    implementations=(masking.choose_positions,),
    hints=HINTS["choose_positions"],
    invariants=(
        Invariant(
            "returns True or False for each position",
            array_like(
                bool,
                ((SENTENCE, 0.15), SENTENCE.shape),
                ((SENTENCE[0], 0.15), (40,)),
                ((SENTENCE.reshape(2, 3, 40), 0.4), (2, 3, 40)),
            ),
            "dtype",
        ),
        Invariant("draws from `rng` only", obeys((SENTENCE, 0.4)), "deterministic"),
        Invariant("chooses candidates only", only_candidates),
        Invariant("chooses every candidate with rate 1, and none with rate 0", extreme_rates),
        Invariant("makes new choices in each call", fresh((SENTENCE, 0.4))),
        Invariant("draws separately for each candidate", own_toss),
        Invariant("chooses a share `rate` of the candidates", right_rate),
    ),
)


def corrupt_cases(rng: np.random.Generator) -> list[tuple]:
    nothing = np.zeros(SENTENCE.shape, bool)
    return [
        (IDS.copy(), SENTENCE.copy(), MASK, ORDINARY.copy(), rng),
        (IDS.copy(), nothing, MASK, ORDINARY.copy(), rng),
        (np.array([[CLS, 200, SEP]], np.int32), np.array([[False, True, False]]), MASK, np.array([200]), rng),
        (IDS.T, SENTENCE.T, MASK, ORDINARY.astype(np.int32), rng),
        (np.zeros((0, 4), int), np.zeros((0, 4), bool), MASK, ORDINARY.copy(), rng),
    ]


corrupt_80_10_10 = Exercise(
    "corrupt_80_10_10",
    ("input_ids", "chosen", "mask_id", "ordinary_ids", "rng"),
    corrupt_cases,
    implementations=(masking.corrupt_80_10_10,),
    hints=HINTS["corrupt_80_10_10"],
    invariants=(
        Invariant(
            "returns a token id for each position",
            array_like(int, ((IDS, SENTENCE, MASK, ORDINARY), IDS.shape)),
            "dtype",
        ),
        Invariant("draws from `rng` only", obeys((IDS, SENTENCE, MASK, ORDINARY)), "deterministic"),
        Invariant("leaves positions that are not chosen unchanged", others_stay),
        Invariant("writes only [MASK] and ordinary ids", known_ids),
        Invariant(
            "turns 80% into [MASK] and 10% into random tokens and keeps 10%, each position independently",
            right_shares,
        ),
        Invariant("draws random tokens from all of `ordinary_ids` with equal probability", whole_vocabulary),
        Invariant("draws random tokens with replacement", may_come_twice),
        Invariant("makes new draws in each call", fresh((IDS, SENTENCE, MASK, ORDINARY))),
    ),
)


def epoch_cases(rng: np.random.Generator) -> list[tuple]:
    return [
        (SENTENCE.copy(), 0.15, 4, 2, rng),
        (SENTENCE[0].copy(), 0.4, 5, None, rng),
        (np.ones(1, bool), 0.15, 3, 1, rng),
        (SENTENCE.T, 0.4, 2, 5, rng),
        (np.zeros((2, 3), bool), 0.15, 3, None, rng),
    ]


epoch_masks = Exercise(
    "epoch_masks",
    ("candidates", "rate", "epochs", "copies", "rng"),
    epoch_cases,
    implementations=(masking.epoch_masks, masking.choose_positions),
    hints=HINTS["epoch_masks"],
    mistakes=EPOCH_CRASHES,
    invariants=(
        Invariant("returns a mask for each epoch", one_for_each_epoch, "dtype"),
        Invariant("draws from `rng` only", obeys((SENTENCE, 0.4, 3, 2)), "deterministic"),
        *EPOCH_INVARIANTS,
        Invariant("makes new draws in each call", fresh((SENTENCE, 0.4, 3, 2))),
    ),
)


def words_cases(rng: np.random.Generator) -> list[tuple]:
    return [(WORDS.copy(), 0.15, rng), (WORDS.copy(), 0.5, rng), (row(0, 1, 0), 0.15, rng)]


def choices_of_words(name: str, implementation: Callable, own: tuple[Invariant, ...]) -> Exercise:
    """Return an exercise whose function chooses whole words to mask.

    implementation: the package's version of the function. own: the properties required only of this
    function.
    """
    return Exercise(
        name,
        ("words", "rate", "rng"),
        words_cases,
        implementations=(implementation,),
        hints=HINTS[name],
        invariants=(
            Invariant(
                "returns True or False for each position",
                array_like(bool, ((WORDS, 0.15), WORDS.shape)),
                "dtype",
            ),
            Invariant("draws from `rng` only", obeys((WORDS, 0.4)), "deterministic"),
            *own,
            Invariant("makes new choices in each call", fresh((WORDS, 0.3))),
        ),
    )


whole_word_positions = choices_of_words(
    "whole_word_positions", masking.whole_word_positions, WORDS_INVARIANTS
)
span_positions = choices_of_words("span_positions", masking.span_positions, SPANS_INVARIANTS)


SHARES = 0.72, 0.1, 0.18  # [MASK], random, kept: the second draw overwrites a tenth of the 80% [MASK]


def shares_of_colleague() -> tuple[float, float, float]:
    return SHARES


def told(shares: tuple[float, ...] = SHARES, order: tuple[int, ...] = (0, 1, 2), whole: int = 1) -> Callable:
    return lambda: tuple(whole * shares[i] for i in order)


colleague_shares = Exercise(
    "colleague_shares",
    (),
    lambda rng: [()],
    shares_of_colleague,
    atol=0.005,  # two decimals, or measured
    hints=HINTS["colleague_shares"],
    mistakes=(
        Mistake(
            "these are the shares that the comments promise, but the code produces others. What happens "
            "to a token if both draws succeed?",
            told((0.8, 0.1, 0.1)),
        ),
        Mistake(
            "these would be the shares if the second draw were made only after the first failed. But it "
            "is made for every chosen token, even for one that is already [MASK].",
            told((0.8, 0.02, 0.18)),
        ),
        Mistake(
            "the share of [MASK] is too large, while the other two shares are correct. Subtract the 10% of "
            "the [MASK] tokens that the second step overwrites.",
            told((0.8, 0.1, 0.18)),
        ),
        Mistake(
            "only the share of [MASK] is correct. Random tokens make up 10% of all chosen tokens, because "
            "the second draw does not depend on the first.",
            told((0.72, 0.08, 0.2)),
        ),
        Mistake(
            "the shares of [MASK] and random tokens are correct, but the three shares must sum to 1. Count "
            "every other token as kept.",
            told((0.72, 0.1, 0.1)),
        ),
        Mistake(
            "you replace only 10% of the remaining 90% by random tokens. The second step replaces 10% of all "
            "chosen tokens.",
            told((0.81, 0.09, 0.1)),
        ),
        Mistake(
            "these are percentages. Give shares between 0 and 1, such as 0.25 for a quarter.", told(whole=100)
        ),
        *(
            Mistake(
                "the three shares are correct, but in the wrong order. Return the share of [MASK] first, "
                "then random, then kept.",
                told(order=order),
            )
            for order in list(itertools.permutations(range(3)))[1:]
        ),
        *pairs(
            told,
            (
                dict(shares=(0.8, 0.1, 0.1)),
                "the shares are those that the comments promise, not those that the code produces",
            ),
            (
                dict(shares=(0.8, 0.02, 0.18)),
                "the second draw is made for every chosen token, not only for the remaining ones",
            ),
            (dict(shares=(0.8, 0.1, 0.18)), "the second step overwrites 10% of the [MASK] tokens"),
            (
                dict(shares=(0.81, 0.09, 0.1)),
                "the second step replaces 10% of all chosen tokens, not of the remaining 90%",
            ),
            (dict(whole=100), "the values are percentages: give shares between 0 and 1"),
        ),
    ),
)

hide = planted(
    "hide",
    ("input_ids", "special", "draws", "fates", "tokens"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    hints=HINTS["hide"],
    mistakes=bug_hunt.MISTAKES,
)

test_whole_words = student_test(
    "test_whole_words", ("whole_word_positions",), versions, HINTS["test_whole_words"]
)
