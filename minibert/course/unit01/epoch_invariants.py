"""Invariants of `epoch_masks`: which epochs share a mask, and that each mask is drawn like the first.

Static masking: the release of arXiv 1810.04805, which masks several copies of the text; dynamic masking: Liu
et al. (2019, arXiv 1907.11692), section 4.1. Axes: B batch, T tokens; epochs come first.
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
    """`holds`: an array (epochs, ...) of True and False, in each epoch one value for each position."""
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
                f"it returns a {type(got).__name__}; it should return a NumPy array. np.stack(masks) "
                "makes one of a list of masks."
            )
        if got.shape == candidates.shape:
            return "it returns one mask. Each epoch has one: the first axis of the result counts the epochs."
        if copies and got.shape == (copies, *candidates.shape):
            return (
                f"with {epochs} epochs and {copies} copies you return {copies} masks: those that are "
                f"stored. Return the mask of each epoch: {epochs}."
            )
        if got.shape != shape:
            return (
                f"the shape is {got.shape}; it should be {shape}: for each epoch a mask in the shape of "
                "`candidates`."
            )
        if got.dtype.kind != "b":
            return f"the dtype is {got.dtype}; it should be bool, True and False."
    return True


def only_candidates(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: nothing but candidates is chosen, and with rate 1 all of them, with rate 0 none."""
    __tracebackhide__ = True
    candidates = candidate_rows(rng)
    for copies in (2, None):
        if answer(candidates, 0.4, 3, copies, rng)[:, ~candidates].any():
            return (
                "it chooses positions that are not candidates. Where `candidates` is False, the result "
                "is False in every epoch."
            )
        if not answer(candidates, 1.0, 3, copies, rng)[:, candidates].all():
            return "with rate 1 every candidate is chosen in every epoch, but yours leaves some out."
        if answer(candidates, 0.0, 3, copies, rng).any():
            return "with rate 0 nothing may be chosen."
    return True


def firsts(masks: list) -> list[int]:
    """For each mask the number of the first one that equals it.

    >>> firsts([7, 8, 7, 9])
    [0, 1, 0, 3]
    """
    return [next(f for f, other in enumerate(masks) if np.array_equal(mask, other)) for mask in masks]


def in_turn(epoch: int, epochs: int, copies: int | None) -> int:
    """Which of the drawn masks an epoch has."""
    return epoch % copies if copies else epoch


OTHER_PLANS: tuple[tuple[str, Callable], ...] = (
    (
        "each epoch has a mask of its own, whatever `copies` says. Draw `copies` masks first, before any "
        "epoch, and use them in turn.",
        lambda epoch, epochs, copies: epoch,
    ),
    (
        "static and fresh are exchanged: a number of `copies` means stored masks, None means a fresh one in "
        "each epoch.",
        lambda epoch, epochs, copies: epoch if copies else 0,
    ),
    (
        "the stored masks are all the same one: [mask] * copies repeats it. Draw anew for each of them.",
        lambda epoch, epochs, copies: 0 if copies else epoch,
    ),
    (
        "every epoch has the same mask. With copies=None each has a fresh one, else `copies` stored ones "
        "take turns.",
        lambda epoch, epochs, copies: 0,
    ),
    (
        "with copies=None every epoch has the same mask. Nothing is stored then: draw anew for each epoch.",
        lambda epoch, epochs, copies: epoch % (copies or 1),
    ),
    (
        "after the stored masks have been used once, the last one stays. Begin again with the first: epoch % "
        "copies.",
        lambda epoch, epochs, copies: min(epoch, copies - 1) if copies else epoch,
    ),
    (
        "a stored mask is used in several epochs one after the other. They take turns: with 3 of them 0, 1, "
        "2, then 0, 1, 2 again.",
        lambda epoch, epochs, copies: epoch * copies // epochs if copies else epoch,
    ),
    (
        "a stored mask is used in several epochs one after the other. They take turns: with 3 of them 0, 1, "
        "2, then 0, 1, 2 again.",
        lambda epoch, epochs, copies: epoch // copies if copies else epoch,
    ),
    (
        "a stored mask is used in several epochs one after the other. They take turns: with 3 of them 0, 1, "
        "2, then 0, 1, 2 again.",
        lambda epoch, epochs, copies: epoch // -(-epochs // copies) if copies else epoch,
    ),
    (
        "a stored mask is used in several epochs one after the other. They take turns: with 3 of them 0, 1, "
        "2, then 0, 1, 2 again.",
        lambda epoch, epochs, copies: epoch // copies % copies if copies else epoch,
    ),
    (
        "one mask too many is stored. There are `copies` of them.",
        lambda epoch, epochs, copies: epoch % (copies + 1) if copies else epoch,
    ),
    (
        "one stored mask is never used. There are `copies` of them, numbered from 0 to copies - 1.",
        lambda epoch, epochs, copies: epoch % max(1, copies - 1) if copies else epoch,
    ),
    (
        "the stored masks go forth and back. After the last one, begin again with the first.",
        lambda epoch, epochs, copies: (
            min(epoch % (2 * copies), 2 * copies - 1 - epoch % (2 * copies)) if copies else epoch
        ),
    ),
)


def take_turns(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: stored masks are used in turn, and with None no mask comes twice."""
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
            "the stored masks come in another order than in turn. Is one drawn for each epoch, or are "
            "they shuffled in between? Epoch e has the mask number e % copies."
        )
    return (
        "the masks do not belong to the epochs as they should. With 2 copies the epochs have the masks "
        "0, 1, 0, 1, 0; with copies=None each has one of its own."
    )


def own_draws(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: each position of each mask has a draw of its own, whatever was drawn for other masks."""
    __tracebackhide__ = True
    masks = np.concatenate([answer(ALL, 0.4, 6, None, rng), answer(ALL, 0.4, 6, 6, rng)])  # (12, B, T)
    if all(mask.all() or not mask.any() for mask in masks):
        return (
            "all or nothing: one single draw decides for a whole mask. Each position needs a draw of its "
            "own, as in exercise 1."
        )
    if (masks == masks[:, :1]).all():
        return "every sequence of the batch has the same mask. Draw in the full shape of `candidates`."
    if (masks == masks[:, :, :1]).all():
        return "one draw decides for a whole sequence. Draw in the full shape of `candidates`."
    if len({int(mask.sum()) for mask in masks}) == 1:
        return (
            "the number of chosen positions is the same in each mask. That is an exact quota; here each "
            "candidate has a toss of its own, as in exercise 1."
        )
    for some in (masks[:6], masks[6:]):
        shares = some.mean((1, 2))
        if all(plausible(int(mask.sum()), mask.size, 1 - 0.6**k) for k, mask in enumerate(some, 1)):
            return (
                "the masks are added up: a later one has all positions of the earlier ones. Begin each "
                "with nothing chosen."
            )
        if not all(plausible(int(mask.sum()), mask.size, 0.4) for mask in some):
            return (
                f"the masks of six epochs choose {shares.min():.0%} to {shares.max():.0%}; with rate 40% "
                "each should choose about 40%."
            )
        for before, after in itertools.combinations(some, 2):
            if any(
                np.array_equal(np.roll(before, by, axis), after)
                for axis in (None, 0, 1)
                for by in range(1, 60)
            ):
                return (
                    "a mask is another one, moved along. Draw each anew: then which positions come in "
                    "both is chance."
                )
            both = int((before & after).sum())
            if not both:
                return (
                    "a position that was chosen in one mask is never chosen in another. Each mask is "
                    "drawn anew, whatever was chosen before."
                )
            if not plausible(both, ALL.size, 0.4**2):
                return (
                    f"{both / before.sum():.0%} of the positions in one mask are in another one, too; by "
                    "chance it would be 40%, the rate. Draw each mask anew, whatever was chosen before."
                )
    return True


def right_rate(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: each mask chooses the share `rate` of the candidates."""
    __tracebackhide__ = True
    for rate, copies in itertools.product(RATES, (2, None)):
        candidates = candidate_rows(rng)
        masks = answer(candidates, rate, 2, copies, rng)
        for mask in masks:
            n, count = int(candidates.sum()), int(mask[candidates].sum())
            if not plausible(count, n, rate):
                divided = (
                    (rate / 2, 1 - rate / 2),
                    f"You choose {rate / 2:.1%} of the candidates in an "
                    f"epoch where the rate is {rate:.0%}: the rate is not divided among the masks.",
                )
                return named((count, n - count), [divided, *share_hints(rate, n / candidates.size)]) or (
                    f"a mask chooses {count / n:.1%} of {n:,} candidates; with rate {rate:.0%} that cannot "
                    "be chance."
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
    "`copies` may be None, and you compute with it. Look at that case first: no mask is stored "
    "then, each epoch has a fresh one."
)
PAST = (
    "an index is past the last stored mask. There are `copies` of them; after the last one, begin again "
    "with the first: epoch % copies."
)
EPOCH_CRASHES = (
    Mistake(NO_NUMBER, none_as_a_number),
    Mistake(NO_NUMBER, none_as_a_count),
    Mistake(PAST, past_the_last),
    Mistake(PAST, past_the_last_of_a_list),
)

EPOCH_INVARIANTS = (
    Invariant("chooses candidates only; with rate 1 all of them, with rate 0 none", only_candidates),
    Invariant("stored masks take turns; with None each epoch has a fresh one", take_turns),
    Invariant("each mask is drawn anew, position by position", own_draws),
    Invariant("each mask chooses the share `rate`", right_rate),
)
