"""The bug hunt `hide`: a masking function with three planted bugs, and the properties that the bugs violate.

Devlin et al. (2019, arXiv 1810.04805), section 3.1. Axes: B batch, T tokens. The random draws are arguments,
so every correct version returns the same values.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import IGNORE

from ..checks.exercise import Invariant, Mistake

MASK, RATE = 4, 0.15


def version(left: frozenset[int]) -> Callable:
    """Return the masking function with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: the labels are taken from the masked input. Bug 2: special tokens are masked. Bug 3: random tokens
    overwrite [MASK].
    """

    def hide(input_ids, special, draws, fates, tokens):
        chosen = draws < RATE if 2 in left else (draws < RATE) & ~special  # (B, T)
        masked, below = chosen & (fates < 0.8), chosen & (fates < 0.9)
        seen = np.where(masked, MASK, input_ids)  # (B, T)
        seen = np.where(below if 3 in left else below & ~masked, tokens, seen)
        return seen, np.where(chosen, seen if 1 in left else input_ids, IGNORE)

    return hide


def mended(
    rate: float = RATE,
    first: float = 0.8,
    second: float = 0.9,
    mask: int = MASK,
    ignored: Callable = lambda ids: np.full_like(ids, IGNORE),
    special_too: Callable = lambda special: special,
    drawn: Callable = lambda tokens, ids: tokens,
    asked: Callable = lambda chosen, fates: chosen,
    give: Callable = lambda seen, labels: (seen, labels),
) -> Callable:
    """Return a bug-free version of the masking function `hide`; each argument overrides one part."""

    def wrong(input_ids, special, draws, fates, tokens):
        chosen = (draws < rate) & ~special_too(special)  # (B, T)
        masked, below = chosen & (fates < first), chosen & (fates < second)
        seen = np.where(masked, mask, np.where(below & ~masked, drawn(tokens, input_ids), input_ids))
        return give(seen, np.where(asked(chosen, fates), input_ids, ignored(input_ids)))

    return wrong


MISTAKES = (
    Mistake("the masking rate has changed: choose a position if its draw is below 0.15.", mended(rate=0.2)),
    Mistake("the masking rate has changed: choose a position if its draw is below 0.15.", mended(rate=0.1)),
    *(
        Mistake(
            "the threshold for [MASK] has changed: write [MASK] where `fates` is below 0.8.",
            mended(first=border),
        )
        for border in (0.7, 0.75, 0.85)
    ),
    *(
        Mistake(
            "the threshold between random and kept tokens has changed: set it back to 0.9.",
            mended(second=border),
        )
        for border in (0.85, 0.95)
    ),
    Mistake(
        "no chosen token is kept: where `fates` is 0.9 or more, leave the token unchanged.",
        mended(second=np.inf),
    ),
    Mistake(
        "no random token is written: where `fates` is between 0.8 and 0.9, write the token from `tokens`.",
        mended(second=0.8),
    ),
    Mistake("the id of [MASK] has changed: set it back to 4.", mended(mask=103)),
    Mistake(
        "the random tokens are altered: write the values of `tokens` as they are.",
        mended(drawn=lambda tokens, ids: tokens + 1),
    ),
    *(
        Mistake(
            "positions that are not chosen have a wrong label: their label must be IGNORE.",
            mended(ignored=lambda ids, other=other: np.full_like(ids, other)),
        )
        for other in (0, -1)
    ),
    Mistake(
        "every position has a token as its label. Only chosen positions are predicted, so the label of all "
        "others must be IGNORE.",
        mended(ignored=lambda ids: ids),
    ),
    Mistake(
        "only special tokens are chosen. Choose the positions where `special` is False.",
        mended(special_too=lambda special: ~special),
    ),
    Mistake(
        "the chosen tokens that are kept have no labels. The model must predict them too, so give every "
        "chosen token a label.",
        mended(asked=lambda chosen, fates: chosen & (fates < 0.9)),
    ),
    Mistake(
        "only positions with [MASK] have labels. The model must predict every chosen token, so give each "
        "of them a label.",
        mended(asked=lambda chosen, fates: chosen & (fates < 0.8)),
    ),
    Mistake(
        "the two results are in the wrong order. Return `seen` first, then `labels`.",
        mended(give=lambda seen, labels: (labels, seen)),
    ),
)


def given(rng: np.random.Generator, rows: int, length: int) -> tuple[np.ndarray, ...]:
    """Return random arguments for one call of `hide`: five arrays (rows, length).

    The token ids are between 10 and 89, with special tokens at both ends and some padding.
    """
    ids = rng.integers(10, 90, size=(rows, length))  # (B, T)
    special = np.zeros((rows, length), bool)
    special[:, 0] = special[:, -1] = special[0, -length // 4 :] = True
    draws, fates = rng.random((2, rows, length))
    return np.where(special, 1, ids), special, draws, fates, rng.integers(10, 90, size=(rows, length))


def cases(rng: np.random.Generator) -> list[tuple]:
    ids, special, draws, fates, tokens = given(rng, 3, 80)
    coarse = ids, special, draws.astype(np.float32), fates.astype(np.float32), tokens
    stepped = ids, special, draws.round(2), fates.round(2), tokens
    far = ids, special, np.where(special, 1e6, draws), fates, tokens
    return [
        given(rng, 6, 200),
        given(rng, 1, 60),
        coarse,
        stepped,
        far,
        *(
            (ids, special, np.full_like(draws, 0.1), fate, tokens)
            for fate in (fates, *(np.full_like(fates, one) for one in (0.5, 0.85, 0.95)))
        ),
        *((ids, special, draws, np.full_like(fates, one), tokens) for one in (0.5, 0.85, 0.95)),
    ]


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
    Invariant("at a chosen position, the label is the original token", asks_for_the_words),
    Invariant("special tokens are neither masked nor predicted", leaves_special_tokens),
    Invariant("a chosen position with a fate below 0.8 shows [MASK]", writes_masks),
)
KEPT = (
    Invariant("a position whose draw is 0.15 or more is neither masked nor predicted", leaves_the_others),
)
