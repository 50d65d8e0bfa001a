"""Properties that `corrupt_80_10_10` must have, and hints for common mistakes.

Devlin et al. (2019, arXiv 1810.04805), section 3.1 and appendix A.1. Mistakes are recognised by how often
each outcome occurs. Axes: B batch, T tokens.
"""

from collections.abc import Callable

import numpy as np

from ..checks.chance import all_plausible, named, plausible
from ..checks.guard import many
from .choose_invariants import candidate_rows

CLS, SEP, MASK = 112, 113, 114  # not 101 to 103, the well-known ids of BERT's vocabulary
# with gaps, as in real vocabularies
ORDINARY = np.setdiff1d(np.arange(60, 1000), [CLS, SEP, MASK, *range(700, 740)])


def sentences(
    rng: np.random.Generator, rows: int = 300, length: int = 300, chosen_share: float = 0.85
) -> tuple[np.ndarray, np.ndarray]:
    """Return token ids (rows, length), including special tokens and padding, and a mask of chosen tokens."""
    candidates = candidate_rows(rng, rows, length)
    ids = np.where(candidates, rng.choice(ORDINARY, size=candidates.shape), 0)
    ids[:, 0] = CLS
    ids[np.arange(rows), candidates.sum(1) + 1] = SEP
    return ids, candidates & (rng.random(candidates.shape) < chosen_share)


def others_stay(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if a student's function leaves the ids at unchosen positions unchanged, else a hint."""
    __tracebackhide__ = True
    ids, chosen = sentences(rng, 40, 80)
    changed = answer(ids, chosen, MASK, ORDINARY, rng) != ids
    if not changed[~chosen].any():
        return True
    if not changed[chosen].any():
        return (
            "you use `chosen` the wrong way round: you change the positions where it is False. Change those "
            "where it is True."
        )
    if changed[~chosen].mean() > 0.8:
        return "you ignore `chosen`: you change even padding. Change only positions where `chosen` is True."
    return (
        f"{changed[~chosen].mean():.0%} of the positions that are not chosen change too. Write both [MASK] "
        "and random tokens only at chosen positions."
    )


def known_ids(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if each chosen position holds [MASK], one of `ordinary_ids` or its old id, else a hint."""
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
            f"you write {values[0]}, which is neither `mask_id` nor one of `ordinary_ids`. Write only these "
            "ids at chosen positions, or keep the token."
        )
    if random_ids.max() < len(ORDINARY):
        return (
            "you write an index into `ordinary_ids` instead of the id at that index, so even special "
            "tokens may appear. Look up the id."
        )
    return (
        "the random token may be any id, even a special or an unused one. Draw from `ordinary_ids`, which "
        "may have gaps."
    )


def fates(ids: np.ndarray, got: np.ndarray, chosen: np.ndarray) -> tuple[int, int, int]:
    """Return how many chosen positions became [MASK], how many became another token and how many stayed.

    ids, got: the token ids before and after masking.
    """
    masked = int((got == MASK)[chosen].sum())
    kept = int((got == ids)[chosen].sum())
    return masked, int(chosen.sum()) - masked - kept, kept


def seen_shares(masked: float, other: float, kept: float) -> tuple[float, float, float]:
    """Return the observable shares of masked, random and kept tokens, given the true shares.

    One in len(ORDINARY) random tokens happens to equal the original, so it looks like a kept token.
    """
    again = other / len(ORDINARY)
    return masked, other - again, kept + again


RIGHT = seen_shares(0.8, 0.1, 0.1)
FATES = [
    (
        seen_shares(*shares),
        f"of the chosen tokens, {shares[0]:.0%} become [MASK], {shares[1]:.0%} become random and "
        f"{shares[2]:.0%} stay, instead of 80, 10 and 10: {hint}",
    )
    for shares, hint in (
        (
            (1, 0, 0),
            "every chosen position becomes [MASK], so the model need not represent the words that it "
            "sees. Use all three outcomes.",
        ),
        ((0.8, 0.2, 0), "you forgot to keep 10% as they are."),
        ((0.9, 0.1, 0), "you forgot to keep 10% as they are."),
        ((0.8, 0, 0.2), "you forgot to replace 10% by a random token."),
        ((0.9, 0, 0.1), "you forgot to replace 10% by a random token."),
        (
            (0.81, 0.09, 0.1),
            "you make a second draw for the remaining tokens, and 10% of them are too few. Divide a "
            "single draw into three ranges.",
        ),
        (
            (0.72, 0.1, 0.18),
            "a second draw for the random tokens overwrites some of the [MASK]. Divide a single draw into "
            "three ranges.",
        ),
        (
            (0.8, 0.02, 0.18),
            "you make a second draw for the random tokens, but only 20% of the tokens are left for it. "
            "Use the first draw again.",
        ),
        (
            (0.8, 0.18, 0.02),
            "you make a second draw for the kept tokens, but only 20% of the tokens are left for it. Use "
            "the first draw again.",
        ),
        (
            (0.648, 0.09, 0.262),
            "each of your three draws overwrites the one before. Divide a single draw into three ranges.",
        ),
        ((0.7, 0.1, 0.2), "the thresholds should be 0.8 and 0.9."),
        ((0.1, 0.8, 0.1), "[MASK] and random tokens are swapped."),
        (
            (0.1, 0.1, 0.8),
            "[MASK] and kept tokens are swapped, because a comparison is the wrong way round.",
        ),
        ((0.2, 0, 0.8), "the comparison is the wrong way round: a draw is below 0.8 in 80% of the cases."),
        (
            (0, 0.9, 0.1),
            "random tokens overwrite [MASK], because most draws below 0.9 are also below 0.8. Write no "
            "random token there.",
        ),
        ((0, 0.1, 0.9), "no token becomes [MASK]. Write `mask_id` where the draw is below 0.8."),
        ((0, 0, 1), "nothing changes. Do you return the new array?"),
        ((1 / 3, 1 / 3, 1 / 3), "your three outcomes are equally likely. Use the thresholds 0.8 and 0.9."),
        ((0.12, 0.015, 0.865), "you choose 15% once more. Change all the positions in `chosen`."),
        ((0.12, 0.1, 0.78), "you choose 15% once more. Change all the positions in `chosen`."),
    )
]


def one_at_a_time(answer: Callable, rng: np.random.Generator, calls: int = 300) -> tuple[int, ...]:
    """Return how often a single chosen token is masked, replaced at random and kept in `calls` calls.

    This reveals a fixed quota or a rounded share, which a large batch hides.
    """
    ids = np.full((1, 3), ORDINARY[5])
    chosen = np.array([[False, True, False]])
    counts = np.zeros(3, int)
    for got in many(answer, [(ids, chosen, MASK, ORDINARY, rng)] * calls):
        counts += fates(ids, got, chosen)
    return tuple(counts.tolist())


def shared_draw(ids: np.ndarray, got: np.ndarray, chosen: np.ndarray) -> str:
    """Return "row" or "column" if chosen positions in the same row or column share a draw, else "".

    ids, got: the token ids before and after masking.
    """
    met = np.stack([got == MASK, (got != ids) & (got != MASK), got == ids]) & chosen  # (3, B, T)
    if met.any((1, 2)).sum() == 1:
        return ""  # the shares reveal this mistake
    for axis, name in ((1, "column"), (2, "row")):
        if met.sum(axis).max(0).sum() > 0.98 * chosen.sum():  # a random token may be the original one
            return name
    return ""


def right_shares(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if chosen tokens become [MASK] (80%), become random (10%) or stay (10%), else a hint.

    Each token's outcome must be drawn independently.
    """
    __tracebackhide__ = True
    ids, chosen = sentences(rng, 400, 330)
    got = answer(ids, chosen, MASK, ORDINARY, rng)
    counts, single = fates(ids, got, chosen), one_at_a_time(answer, rng)
    shared = shared_draw(ids, got, chosen)
    if shared:
        return (
            f"all chosen positions of a {shared} have the same outcome: they share one draw. Make a separate "
            "draw for each position."
        )
    if max(counts) == sum(counts) and sum(count > 0 for count in single) > 1:
        return "one draw decides for all positions of a call. Make a separate draw for each position."
    values, often = np.unique(got[chosen], return_counts=True)
    if not counts[0] and often.max() > 0.5 * sum(counts):
        return (
            f"you write {values[often.argmax()]} instead of [MASK], but `mask_id` is {MASK}. Use the "
            "argument `mask_id`."
        )
    if not all_plausible(counts, RIGHT):
        masked, other, kept = (f"{count / sum(counts):.1%}" for count in counts)
        return named(counts, FATES) or (
            f"of {sum(counts):,} chosen positions, {masked} become [MASK], {other} become a random token "
            f"and {kept} stay. It should be 80%, 10% and 10%."
        )
    if not all_plausible(single, RIGHT):
        return (
            "a large batch has the correct shares, but if only one position is chosen, it becomes [MASK] in "
            f"{single[0] / sum(single):.0%} of the calls. This looks like a fixed quota. Draw separately "
            "for each position."
        )
    return True


def whole_vocabulary(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if random tokens are drawn separately and uniformly from `ordinary_ids`, else a hint."""
    __tracebackhide__ = True
    few = np.array([60, 65, 104, 200, 999])
    ids, chosen = np.full((150, 100), 65), np.ones((150, 100), bool)  # (B, T)
    got = answer(ids, chosen, MASK, few, rng)
    counts = {int(token): int((got == token).sum()) for token in few if token != 65}
    total = max(1, sum(counts.values()))
    if max(counts.values()) in (0, total):  # 0: the only id is 65 itself
        return "all random tokens of a call are the same id. Draw a new one for each position."
    missing = [token for token, count in counts.items() if not count]
    if missing:
        where = "the last" if missing == [999] else "the first" if missing == [60] else "one"
        return f"{where} of `ordinary_ids` is never drawn. Check the range of the indices that you draw."
    if not all(plausible(count, total, 1 / 4) for count in counts.values()):
        return "some of `ordinary_ids` are drawn more often than others. Make all of them equally likely."
    random_ids = np.where(got != MASK, got, -1)  # (B, T)
    same = [len(set(line[(line != -1) & (line != 65)].tolist())) <= 1 for line in random_ids]
    return (
        not all(same) or "all random tokens of a sequence are the same id. Draw a new one for each position."
    )


def may_come_twice(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if random tokens are drawn with replacement, so that an id can occur twice, else a hint.

    In each call, about 5 of 50 positions get one of 60 ids. They all differ in 84% of the calls, but almost
    never in all 200 calls.
    """
    __tracebackhide__ = True
    few, ids, chosen = ORDINARY[:60], np.full((1, 50), ORDINARY[-1]), np.ones((1, 50), bool)
    for got in many(answer, [(ids, chosen, MASK, few, rng)] * 200):
        drawn = got[(got != MASK) & (got != ids)]
        if len(np.unique(drawn)) < len(drawn):
            return True
    return (
        "no random token ever occurs twice in a call. Draw with replacement: each position may get any of "
        "`ordinary_ids`, whatever the others got."
    )
