"""Invariants of `corrupt_80_10_10`; known mistakes are recognised by the shares of the three outcomes.

Devlin et al. (2019, arXiv 1810.04805), section 3.1 and appendix A.1. Axes: B batch, T tokens. `chance` judges
the shares.
"""

from collections.abc import Callable

import numpy as np

from ..checks.chance import all_plausible, named, plausible
from ..checks.guard import many
from .choose_invariants import candidate_rows

CLS, SEP, MASK = 112, 113, 114  # not 101 to 103, which many know by heart
# with gaps, as in real vocabularies
ORDINARY = np.setdiff1d(np.arange(60, 1000), [CLS, SEP, MASK, *range(700, 740)])


def sentences(
    rng: np.random.Generator, rows: int = 300, length: int = 300, chosen_share: float = 0.85
) -> tuple[np.ndarray, np.ndarray]:
    """Ids (B, T) of a large batch with [CLS], [SEP] and padding, and which of its tokens are chosen."""
    candidates = candidate_rows(rng, rows, length)
    ids = np.where(candidates, rng.choice(ORDINARY, size=candidates.shape), 0)
    ids[:, 0] = CLS
    ids[np.arange(rows), candidates.sum(1) + 1] = SEP
    return ids, candidates & (rng.random(candidates.shape) < chosen_share)


def others_stay(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: positions that are not chosen keep their ids."""
    __tracebackhide__ = True
    ids, chosen = sentences(rng, 40, 80)
    changed = answer(ids, chosen, MASK, ORDINARY, rng) != ids
    if not changed[~chosen].any():
        return True
    if not changed[chosen].any():
        return "`chosen` is read the wrong way round: you change the positions that are not chosen."
    if changed[~chosen].mean() > 0.8:
        return "`chosen` is ignored: you change every position, chosen or not, padding included."
    return (
        f"{changed[~chosen].mean():.0%} of the positions that are not chosen change too. The random "
        "tokens, for one, belong at chosen positions only."
    )


def known_ids(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: a chosen position holds [MASK], one of ordinary_ids, or its old id."""
    __tracebackhide__ = True
    ids, chosen = sentences(rng, 120, 200)
    got = answer(ids, chosen, MASK, ORDINARY, rng)
    foreign = got[chosen & (got != MASK) & (got != ids) & ~np.isin(got, ORDINARY)]
    if not foreign.size:
        return True
    values, random_ids = np.unique(foreign), got[chosen & (got != MASK) & (got != ids)]
    if np.isin(values, [0, CLS, SEP]).all():
        return (
            "the random token is sometimes [CLS], [SEP] or [PAD]. Draw it from `ordinary_ids`, which "
            "leaves the special tokens out."
        )
    if len(values) == 1:
        return (
            f"it writes {values[0]}, which is neither [MASK] nor one of `ordinary_ids`. What the model "
            "sees is always a token id."
        )
    if random_ids.max() < len(ORDINARY):
        return (
            "the random token is an index into `ordinary_ids`, not the id that stands there. Take "
            "ordinary_ids[index]: otherwise special tokens come up too."
        )
    return (
        "the random token may be any id, special and unused ones included. Draw it from `ordinary_ids`: "
        "these ids have gaps."
    )


def fates(ids: np.ndarray, got: np.ndarray, chosen: np.ndarray) -> tuple[int, int, int]:
    """How many of the chosen positions became [MASK], became another token, and stayed."""
    masked = int((got == MASK)[chosen].sum())
    kept = int((got == ids)[chosen].sum())
    return masked, int(chosen.sum()) - masked - kept, kept


def seen_shares(masked: float, other: float, kept: float) -> tuple[float, float, float]:
    """The three shares as they are observed.

    In one of len(ORDINARY) cases the random token is the old one, which counts as kept.
    """
    again = other / len(ORDINARY)
    return masked, other - again, kept + again


RIGHT = seen_shares(0.8, 0.1, 0.1)
FATES = [
    (
        seen_shares(*shares),
        f"of the chosen, {shares[0]:.0%} become [MASK], {shares[1]:.0%} random, "
        f"{shares[2]:.0%} stay, not 80, 10, 10: {hint}",
    )
    for shares, hint in (
        (
            (1, 0, 0),
            "every chosen position becomes [MASK]. Then the model never has to represent a word that it can "
            "see.",
        ),
        ((0.8, 0.2, 0), "you forgot to keep 10% as they are."),
        ((0.9, 0.1, 0), "you forgot to keep 10% as they are."),
        ((0.8, 0, 0.2), "you forgot to replace 10% by a random token."),
        ((0.9, 0, 0.1), "you forgot to replace 10% by a random token."),
        (
            (0.81, 0.09, 0.1),
            "each fate has a draw of its own, and 10% of the remaining 90% are only 9%. Cut one draw in "
            "three.",
        ),
        (
            (0.72, 0.1, 0.18),
            "a second draw for the random tokens overwrites some of the [MASK]. One draw cut in three makes "
            "the fates exclude each other.",
        ),
        (
            (0.8, 0.02, 0.18),
            "a second draw decides about the random tokens, but only 20% are left for it. Use the same draw "
            "for both: below 0.8, and between 0.8 and 0.9.",
        ),
        (
            (0.8, 0.18, 0.02),
            "a second draw decides about keeping, but only 20% are left for it. Use the same draw for all "
            "three.",
        ),
        (
            (0.648, 0.09, 0.262),
            "three draws of their own, each overwriting the one before. Cut one draw in three.",
        ),
        ((0.7, 0.1, 0.2), "the borders are 0.8 and 0.9."),
        ((0.1, 0.8, 0.1), "[MASK] and random are exchanged."),
        ((0.1, 0.1, 0.8), "[MASK] and kept are exchanged: a comparison is the wrong way round."),
        ((0.2, 0, 0.8), "the comparison is the wrong way round: a draw is below 0.8 in 80% of the cases."),
        (
            (0, 0.9, 0.1),
            "[MASK] is overwritten by random tokens. A draw below 0.9 is often below 0.8 too: exclude those.",
        ),
        ((0, 0.1, 0.9), "no [MASK] at all."),
        ((0, 0, 1), "nothing changes at all. Do you return the new array?"),
        ((1 / 3, 1 / 3, 1 / 3), "the three fates are equally likely."),
        ((0.12, 0.015, 0.865), "you choose 15% once more. The positions in `chosen` are all meant."),
        ((0.12, 0.1, 0.78), "you choose 15% once more. The positions in `chosen` are all meant."),
    )
]


def one_at_a_time(answer: Callable, rng: np.random.Generator, calls: int = 300) -> tuple[int, ...]:
    """Count the outcomes of a single chosen position over many calls.

    This reveals a fixed quota and a rounded share, which look right in a large batch.
    """
    ids = np.full((1, 3), ORDINARY[5])
    chosen = np.array([[False, True, False]])
    counts = np.zeros(3, int)
    for got in many(answer, [(ids, chosen, MASK, ORDINARY, rng)] * calls):
        counts += fates(ids, got, chosen)
    return tuple(counts.tolist())


def shared_draw(ids: np.ndarray, got: np.ndarray, chosen: np.ndarray) -> str:
    """Name the axis along which chosen positions share one draw ("column" or "row"), or an empty string."""
    met = np.stack([got == MASK, (got != ids) & (got != MASK), got == ids]) & chosen  # (3, B, T)
    if met.any((1, 2)).sum() == 1:
        return ""  # the shares tell
    for axis, name in ((1, "column"), (2, "row")):
        if met.sum(axis).max(0).sum() > 0.98 * chosen.sum():  # a random token may be the old one
            return name
    return ""


def right_shares(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: 80% [MASK], 10% random, 10% kept, each position with a draw of its own."""
    __tracebackhide__ = True
    ids, chosen = sentences(rng, 400, 330)
    got = answer(ids, chosen, MASK, ORDINARY, rng)
    counts, single = fates(ids, got, chosen), one_at_a_time(answer, rng)
    shared = shared_draw(ids, got, chosen)
    if shared:
        return (
            f"all chosen positions of a {shared} meet the same fate: they share one draw. Each position "
            "needs its own."
        )
    if max(counts) == sum(counts) and sum(count > 0 for count in single) > 1:
        return (
            "one draw decides for all positions of a call together. Each position needs its own: give "
            "rng.random the shape of input_ids."
        )
    values, often = np.unique(got[chosen], return_counts=True)
    if not counts[0] and often.max() > 0.5 * sum(counts):
        return (
            f"you write {values[often.argmax()]} for [MASK], where `mask_id` is {MASK}. Use the argument "
            "`mask_id`."
        )
    if not all_plausible(counts, RIGHT):
        masked, other, kept = (f"{count / sum(counts):.1%}" for count in counts)
        return named(counts, FATES) or (
            f"of {sum(counts):,} chosen positions {masked} become [MASK], "
            f"{other} a random token and {kept} stay. Asked for: 80, 10, 10."
        )
    if not all_plausible(single, RIGHT):
        return (
            "a large batch has the right shares, but where one position is chosen alone, it becomes "
            f"[MASK] in {single[0] / sum(single):.0%} of the calls. A fixed quota does that. Draw for "
            "each position separately."
        )
    return True


def whole_vocabulary(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: the random tokens are drawn one by one, each of ordinary_ids with equal probability."""
    __tracebackhide__ = True
    few = np.array([60, 65, 104, 200, 999])
    ids, chosen = np.full((150, 100), 65), np.ones((150, 100), bool)  # (B, T)
    got = answer(ids, chosen, MASK, few, rng)
    counts = {int(token): int((got == token).sum()) for token in few if token != 65}
    total = max(1, sum(counts.values()))
    if max(counts.values()) in (0, total):  # 0: the one id is 65 itself
        return (
            "all random tokens of a call are one and the same id. Draw a new one for each position: "
            "rng.choice(..., size=...)."
        )
    missing = [token for token, count in counts.items() if not count]
    if missing:
        where = "the last" if missing == [999] else "the first" if missing == [60] else "one"
        return (
            f"{where} of `ordinary_ids` is never drawn. rng.integers(n) gives 0 to n - 1, and rng.choice "
            "takes the array itself."
        )
    if not all(plausible(count, total, 1 / 4) for count in counts.values()):
        return "some of `ordinary_ids` are drawn more often than others. All are equally likely."
    random_ids = np.where(got != MASK, got, -1)  # (B, T)
    same = [len(set(line[(line != -1) & (line != 65)].tolist())) <= 1 for line in random_ids]
    return (
        not all(same)
        or "all random tokens of a sequence are one and the same id. Draw a new one for each position."
    )


def may_come_twice(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: random tokens are drawn with replacement, so that one id comes twice now and then.

    About 5 of 50 positions get one of 60 ids; all of them differ in 84% of the calls, in all 200 never.
    """
    __tracebackhide__ = True
    few, ids, chosen = ORDINARY[:60], np.full((1, 50), ORDINARY[-1]), np.ones((1, 50), bool)
    for got in many(answer, [(ids, chosen, MASK, few, rng)] * 200):
        drawn = got[(got != MASK) & (got != ids)]
        if len(np.unique(drawn)) < len(drawn):
            return True
    return (
        "no random token ever comes twice in a call. You draw without replacement; each position draws "
        "from all of `ordinary_ids`, whatever the others got."
    )
