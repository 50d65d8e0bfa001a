"""Properties that `epoch_masks` must have: which epochs share a mask, and how each mask is drawn.

Static masking comes from the code released with arXiv 1810.04805, which masks multiple copies of the text;
dynamic masking from Liu et al. (2019, arXiv 1907.11692), section 4.1. Axes: epochs, B batch, T tokens.
"""

import itertools
from collections.abc import Callable

import numpy as np

from ..checks.chance import named, plausible
from ..checks.exercise import Invariant, Mistake
from .choose_invariants import RATES, candidate_rows, share_hints

SENTENCE = np.array([[False] + [True] * 30 + [False] * 9] * 6)  # (B, T): [CLS], words, then padding
ALL = np.ones((20, 60), bool)  # two masks of it are never equal by chance
PLANS = ((7, 3), (8, 2), (5, 1), (6, 6), (3, 5), (9, 4), (5, None), (1, None))  # (epochs, copies)


def one_for_each_epoch(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if the result is a bool array (epochs, ...) with one mask for each epoch, else a hint."""
    __tracebackhide__ = True
    for candidates, epochs, copies in (
        (SENTENCE, 4, 2),
        (SENTENCE[0], 3, None),
        (SENTENCE, 2, 5),
        (SENTENCE.reshape(2, 3, 40), 3, 1),
        (ALL, 1, None),
    ):
        got, shape = answer(candidates, 0.4, epochs, copies, rng), (epochs, *candidates.shape)
        if not isinstance(got, np.ndarray):
            return (
                f"you return a {type(got).__name__}. Return a NumPy array, with the masks stacked along "
                "the first axis."
            )
        if got.shape == candidates.shape:
            return (
                "you return only one mask. Return one for each epoch: the first axis of the result is the "
                "epoch."
            )
        if copies and got.shape == (copies, *candidates.shape):
            return (
                f"with {epochs} epochs and {copies} copies you return only the {copies} stored masks. Return "
                f"one mask for each epoch, {epochs} in total."
            )
        if got.shape != shape:
            return (
                f"the shape is {got.shape}; it should be {shape}: one mask in the shape of `candidates` for "
                "each epoch."
            )
        if got.dtype.kind != "b":
            return f"the dtype is {got.dtype}; it should be bool (True and False)."
    return True


def only_candidates(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if masks choose only candidates, all of them at rate 1 and none at rate 0, else a hint."""
    __tracebackhide__ = True
    candidates = candidate_rows(rng)
    for copies in (2, None):
        if answer(candidates, 0.4, 3, copies, rng)[:, ~candidates].any():
            return (
                "it chooses positions that are not candidates. The result must be False where "
                "`candidates` is False, in every epoch."
            )
        if not answer(candidates, 1.0, 3, copies, rng)[:, candidates].all():
            return "with rate 1 every candidate must be chosen in every epoch, but you leave some out."
        if answer(candidates, 0.0, 3, copies, rng).any():
            return "with rate 0 nothing may be chosen, but you choose some positions."
    return True


def firsts(masks: list) -> list[int]:
    """Return, for each mask, the index of the first mask that equals it.

    >>> firsts([7, 8, 7, 9])
    [0, 1, 0, 3]
    """
    return [next(f for f, other in enumerate(masks) if np.array_equal(mask, other)) for mask in masks]


def in_turn(epoch: int, epochs: int, copies: int | None) -> int:
    """Return the index of an epoch's mask if `copies` stored masks are used in turn; None means no reuse."""
    return epoch % copies if copies else epoch


OTHER_PLANS: tuple[tuple[str, Callable], ...] = (
    (
        "each epoch has a new mask, whatever `copies` is. Draw `copies` masks before the first epoch, and "
        "use them in turn.",
        lambda epoch, epochs, copies: epoch,
    ),
    (
        "stored and fresh masks are swapped. If `copies` is a number, reuse that many stored masks; if it is "
        "None, draw a fresh mask in each epoch.",
        lambda epoch, epochs, copies: epoch if copies else 0,
    ),
    (
        "all stored masks are the same. Make a new draw for each of them instead of repeating one mask.",
        lambda epoch, epochs, copies: 0 if copies else epoch,
    ),
    (
        "every epoch has the same mask. With copies=None, draw a fresh mask for each epoch; otherwise, use "
        "the `copies` stored masks in turn.",
        lambda epoch, epochs, copies: 0,
    ),
    (
        "with copies=None every epoch has the same mask. Store nothing in this case, and make a new draw "
        "for each epoch.",
        lambda epoch, epochs, copies: epoch % (copies or 1),
    ),
    (
        "once all stored masks have been used, you keep using the last one. Start again with the first.",
        lambda epoch, epochs, copies: min(epoch, copies - 1) if copies else epoch,
    ),
    (
        "a stored mask is used in several consecutive epochs. Use the masks in turn: 0, 1, 2, then 0, 1, "
        "2 again.",
        lambda epoch, epochs, copies: epoch * copies // epochs if copies else epoch,
    ),
    (
        "a stored mask is used in several consecutive epochs. Use the masks in turn: 0, 1, 2, then 0, 1, "
        "2 again.",
        lambda epoch, epochs, copies: epoch // copies if copies else epoch,
    ),
    (
        "a stored mask is used in several consecutive epochs. Use the masks in turn: 0, 1, 2, then 0, 1, "
        "2 again.",
        lambda epoch, epochs, copies: epoch // -(-epochs // copies) if copies else epoch,
    ),
    (
        "a stored mask is used in several consecutive epochs. Use the masks in turn: 0, 1, 2, then 0, 1, "
        "2 again.",
        lambda epoch, epochs, copies: epoch // copies % copies if copies else epoch,
    ),
    (
        "you store one mask too many. Store `copies` masks.",
        lambda epoch, epochs, copies: epoch % (copies + 1) if copies else epoch,
    ),
    (
        "one stored mask is never used. Use the indices from 0 to copies - 1.",
        lambda epoch, epochs, copies: epoch % max(1, copies - 1) if copies else epoch,
    ),
    (
        "you use the stored masks forwards and then backwards. After the last one, start again with "
        "the first.",
        lambda epoch, epochs, copies: (
            min(epoch % (2 * copies), 2 * copies - 1 - epoch % (2 * copies)) if copies else epoch
        ),
    ),
)


def take_turns(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if stored masks are used in turn, else a hint.

    With copies=None, no mask may be used twice.
    """
    __tracebackhide__ = True
    found = [firsts([*answer(ALL, 0.4, epochs, copies, rng)]) for epochs, copies in PLANS]

    def planned(plan):
        return [firsts([plan(epoch, epochs, copies) for epoch in range(epochs)]) for epochs, copies in PLANS]

    if found == planned(in_turn):
        return True
    for hint, plan in OTHER_PLANS:
        if found == planned(plan):
            return hint
    if all(len({*masks}) <= copies for masks, (_, copies) in zip(found, PLANS) if copies):
        return (
            "the stored masks are not used in turn. Use them in their order, without shuffling or picking "
            "at random."
        )
    return (
        "some epochs have the wrong mask. With 2 copies, the epochs use the masks 0, 1, 0, 1, 0; with "
        "copies=None, each epoch has a new mask."
    )


def own_draws(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if every position of every mask is drawn independently, else a hint."""
    __tracebackhide__ = True
    masks = np.concatenate([answer(ALL, 0.4, 6, None, rng), answer(ALL, 0.4, 6, 6, rng)])  # (12, B, T)
    if all(mask.all() or not mask.any() for mask in masks):
        return (
            "all or nothing is chosen, because a single draw decides for a whole mask. Make a separate "
            "draw for each position."
        )
    if (masks == masks[:, :1]).all():
        return "every sequence of the batch has the same mask. Make separate draws for each sequence."
    if (masks == masks[:, :, :1]).all():
        return "one draw decides for a whole sequence. Make a separate draw for each position."
    if len({int(mask.sum()) for mask in masks}) == 1:
        return (
            "you choose the same number of positions in each mask. Make a separate draw for each "
            "candidate, as in exercise 1."
        )
    for some in (masks[:6], masks[6:]):
        shares = some.mean((1, 2))
        if all(plausible(int(mask.sum()), mask.size, 1 - 0.6**k) for k, mask in enumerate(some, 1)):
            return (
                "the masks accumulate: each mask contains all positions of the earlier masks. Start each "
                "mask with nothing chosen."
            )
        if not all(plausible(int(mask.sum()), mask.size, 0.4) for mask in some):
            return (
                f"the masks of six epochs choose {shares.min():.0%} to {shares.max():.0%} of the positions; "
                "with rate 40% each should choose about 40%."
            )
        for before, after in itertools.combinations(some, 2):
            if any(
                np.array_equal(np.roll(before, by, axis), after)
                for axis in (None, 0, 1)
                for by in range(1, 60)
            ):
                return "one mask is a shifted copy of another. Make a new draw for each mask."
            both = int((before & after).sum())
            if not both:
                return (
                    "a position that was chosen in one mask is never chosen in another. Make a new draw "
                    "for each mask, whatever was chosen before."
                )
            if not plausible(both, ALL.size, 0.4**2):
                return (
                    f"{both / before.sum():.0%} of the positions chosen in one mask are also chosen in "
                    "another; by chance it would be 40%, the rate. Make a new draw for each mask, whatever "
                    "was chosen before."
                )
    return True


def right_rate(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if masks choose close to the requested share of the candidates, else a hint."""
    __tracebackhide__ = True
    for rate, copies in itertools.product(RATES, (2, None)):
        candidates = candidate_rows(rng)
        masks = answer(candidates, rate, 2, copies, rng)
        for mask in masks:
            n, count = int(candidates.sum()), int(mask[candidates].sum())
            if not plausible(count, n, rate):
                divided = (
                    (rate / 2, 1 - rate / 2),
                    f"You choose {rate / 2:.1%} of the candidates in an epoch, but the rate is {rate:.0%}. "
                    "Do not divide the rate among the masks.",
                )
                return named((count, n - count), [divided, *share_hints(rate, n / candidates.size)]) or (
                    f"a mask chooses {count / n:.1%} of {n:,} candidates; with rate {rate:.0%}, that is too "
                    "far off to be chance."
                )
    return True


def none_as_a_number(
    candidates: np.ndarray, rate: float, epochs: int, copies: int | None, rng: np.random.Generator
) -> int:
    return epochs % copies  # type: ignore[operator]  # the mistake


def none_as_a_count(
    candidates: np.ndarray, rate: float, epochs: int, copies: int | None, rng: np.random.Generator
) -> range:
    return range(copies)  # type: ignore[arg-type]  # the mistake


def past_the_last(
    candidates: np.ndarray, rate: float, epochs: int, copies: int | None, rng: np.random.Generator
) -> float:
    return float(np.zeros(copies or 0)[copies or 0])


def past_the_last_of_a_list(
    candidates: np.ndarray, rate: float, epochs: int, copies: int | None, rng: np.random.Generator
) -> float:
    return ([0.0] * (copies or 0))[copies or 0]


NO_NUMBER = (
    "`copies` may be None, but you calculate with it. Handle None first: draw a fresh mask for each epoch."
)
PAST = (
    "an index is past the last of the `copies` stored masks. After the last mask, start again with the first."
)
EPOCH_CRASHES = (
    Mistake(NO_NUMBER, none_as_a_number),
    Mistake(NO_NUMBER, none_as_a_count),
    Mistake(PAST, past_the_last),
    Mistake(PAST, past_the_last_of_a_list),
)

EPOCH_INVARIANTS = (
    Invariant("chooses only candidates: all of them with rate 1, none with rate 0", only_candidates),
    Invariant("uses stored masks in turn, and a fresh mask in each epoch with None", take_turns),
    Invariant("makes a new draw for each position of each mask", own_draws),
    Invariant("chooses a share `rate` of the candidates in each mask", right_rate),
)
