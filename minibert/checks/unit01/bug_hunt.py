"""Masking with all random draws given as arguments, its three planted bugs, and what each of them breaks.

Devlin et al. (2019, arXiv 1810.04805), section 3.1. Axes: B batch, T tokens. Without a generator inside,
every right version gives the same result, so that values can decide.
"""
from collections.abc import Callable

import numpy as np

from minibert.batch import IGNORE

from ..engine.exercise import Invariant

MASK, RATE = 4, 0.15


def version(left: frozenset[int]) -> Callable:
    """Build the function with the bugs `left`.

    1: the labels are what the model sees; 2: special tokens are masked; 3: random tokens overwrite [MASK].
    """
    def hide(input_ids, special, draws, fates, tokens):
        chosen = draws < RATE if 2 in left else (draws < RATE) & ~special                       # (B, T)
        masked, below = chosen & (fates < 0.8), chosen & (fates < 0.9)
        seen = np.where(masked, MASK, input_ids)                                                # (B, T)
        seen = np.where(below if 3 in left else below & ~masked, tokens, seen)
        return seen, np.where(chosen, seen if 1 in left else input_ids, IGNORE)
    return hide


def given(rng: np.random.Generator, rows: int, length: int) -> tuple[np.ndarray, ...]:
    """Random arguments of one call.

    Ids from 10 to 89 with special tokens at both ends and some padding, two draws for each position, and
    random tokens.
    """
    ids = rng.integers(10, 90, size=(rows, length))                                             # (B, T)
    special = np.zeros((rows, length), bool)
    special[:, 0] = special[:, -1] = special[0, -length // 4:] = True
    draws, fates = rng.random((2, rows, length))
    return np.where(special, 1, ids), special, draws, fates, rng.integers(10, 90, size=(rows, length))


def cases(rng: np.random.Generator) -> list[tuple]:
    ids, special, draws, fates, tokens = given(rng, 3, 80)
    coarse = ids, special, draws.astype(np.float32), fates.astype(np.float32), tokens
    return [given(rng, 6, 200), given(rng, 1, 60), coarse]


def asks_for_the_words(f: Callable, rng: np.random.Generator) -> bool:
    ids, special, draws, fates, tokens = given(rng, 6, 200)
    labels = f(ids, special, draws, fates, tokens)[1]
    return bool((labels == ids)[(draws < RATE) & ~special].all())


def leaves_special_tokens(f: Callable, rng: np.random.Generator) -> bool:
    ids, special, *rest = given(rng, 6, 200)
    seen, labels = f(ids, special, *rest)
    return bool((seen == ids)[special].all() and (labels == IGNORE)[special].all())


def writes_masks(f: Callable, rng: np.random.Generator) -> bool:
    ids, special, draws, fates, tokens = given(rng, 6, 200)
    hidden = (draws < RATE) & ~special & (fates < 0.8)
    return bool((f(ids, special, draws, fates, tokens)[0][hidden] == MASK).all())


def leaves_the_others(f: Callable, rng: np.random.Generator) -> bool:
    ids, special, draws, *rest = given(rng, 6, 200)
    seen, labels = f(ids, special, draws, *rest)
    return bool((seen == ids)[draws >= RATE].all() and (labels == IGNORE)[draws >= RATE].all())


BROKEN = (
    Invariant("at a chosen position, the label is the word that stood there", asks_for_the_words),
    Invariant("special tokens are left alone: not masked, and not predicted", leaves_special_tokens),
    Invariant("a chosen position with a fate below 0.8 shows [MASK]", writes_masks),
)
KEPT = (Invariant("where the draw is 0.15 or more, nothing is masked and nothing is predicted",
                  leaves_the_others),)
