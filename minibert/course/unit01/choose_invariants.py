"""Properties that `choose_positions` must have, and hints for common mistakes.

Devlin et al. (2019, arXiv 1810.04805), section 3.1. Mistakes are recognised by the share of positions chosen.
Axes: B batch, T tokens.
"""

from collections.abc import Callable

import numpy as np

from ..checks.chance import named, plausible
from ..checks.guard import many

RATES = (0.4, 0.15)


def candidate_rows(rng: np.random.Generator, rows: int = 240, length: int = 80) -> np.ndarray:
    """Return a bool array (rows, length) that is True for words and False for special tokens and padding."""
    ends = rng.integers(length // 2, length, size=rows)  # (B,) the positions of [SEP]
    positions = np.arange(length)
    return (positions > 0) & (positions < ends[:, None])


def only_candidates(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if a student's function chooses only positions that may be masked, else a hint."""
    __tracebackhide__ = True
    candidates = candidate_rows(rng)
    chosen = answer(candidates, 0.4, rng)
    inside, outside = chosen[candidates], chosen[~candidates]
    if not outside.any():
        return True
    if not inside.any():
        return (
            "you use `candidates` the wrong way round: you choose the padding and the special tokens. Choose "
            "only positions where it is True."
        )
    if inside.all():
        return (
            "every candidate is chosen, and other positions too. A chosen position must meet both "
            "conditions: it is a candidate, and its draw is below the rate."
        )
    if plausible(outside.sum(), outside.size, 0.4):
        return (
            "you choose padding, [CLS] and [SEP] as often as words. Choose only where `candidates` is True."
        )
    return (
        "it chooses positions that are not candidates. The result must be False where `candidates` is False."
    )


def extreme_rates(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if a student's function chooses all candidates at rate 1 and none at 0, else a hint."""
    __tracebackhide__ = True
    candidates = candidate_rows(rng)
    everything, nothing = answer(candidates, 1.0, rng), answer(candidates, 0.0, rng)
    if nothing.sum() == candidates.sum() and not everything.any():
        return (
            "the comparison is the wrong way round: rate 0 chooses every candidate, and rate 1 none. "
            "Choose where the draw is below `rate`."
        )
    if not everything.any() and not nothing.any():
        return "nothing is ever chosen, not even with rate 1. Choose where the draw is below `rate`."
    if nothing.any():
        return f"with rate 0 nothing may be chosen, but you choose {int(nothing.sum())} positions."
    return (
        bool((everything == candidates).all())
        or "with rate 1 every candidate must be chosen, but you leave some out."
    )


def own_toss(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if a student's function draws a separate random number for each candidate, else a hint.

    This detects a draw shared by a row, a column or the whole array, and a fixed number of chosen
    positions.
    """
    __tracebackhide__ = True
    candidates = np.ones((20, 100), bool)
    calls = np.array([*many(answer, [(candidates, 0.4, rng)] * 20)])  # (calls, B, T)
    if all(call.all() or not call.any() for call in calls):
        return (
            "all or nothing is chosen, because a single draw decides for the whole array. Make a separate "
            "draw for each position."
        )
    if (calls.all(2) | ~calls.any(2)).all():
        return "one draw decides for a whole sequence. Make a separate draw for each position."
    if (calls == calls[:, :1]).all():
        return (
            "the same positions are chosen in every sequence of the batch. Make separate draws for each "
            "sequence."
        )
    if (calls.sum(2) == calls[0, 0].sum()).all() or len(set(calls.sum((1, 2)).tolist())) == 1:
        return (
            "you always choose the same number of positions. Make a separate draw for each candidate, so "
            "that the number varies."
        )
    return True


def share_hints(rate: float, part: float) -> list[tuple[tuple[float, float], str]]:
    """Return ((share of candidates chosen, share not chosen), hint) for each common mistake.

    rate: the share of candidates that should be chosen. part: the share of all positions that are candidates.
    """
    fix = f"You choose {{:.0%}} of the candidates, but the rate is {rate:.0%}"
    return [
        ((share, 1 - share), f"{fix.format(share)}: {hint}")
        for share, hint in (
            (
                1 - rate,
                "the comparison is the wrong way round. A draw is below `rate` with probability `rate`, "
                "and above it with 1 - rate.",
            ),
            (rate**2, "you draw twice, and both draws must succeed. One draw is enough."),
            (
                min(1.0, rate / part),
                "you apply the rate to all positions, even padding. It is a share of the candidates.",
            ),
            (
                rate * part,
                "you draw from all positions and then drop those that are not candidates. Draw only from "
                "the candidates.",
            ),
            (0.15, "0.15 is hard-coded in your answer. Use the argument `rate`."),
            (
                0.85,
                "0.15 is hard-coded in your answer, and the comparison is the wrong way round. Choose "
                "where the draw is below `rate`.",
            ),
            (0.5, "you choose each candidate with probability one half. Compare the draw with `rate`."),
            (
                1 - np.exp(-rate),
                "you draw positions with replacement, so some are drawn twice and too few are chosen. Make "
                "one draw for each candidate.",
            ),
        )
    ]


def right_rate(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if the requested share of candidates is chosen throughout the sequences, else a hint."""
    __tracebackhide__ = True
    for rate in RATES:
        candidates = candidate_rows(rng)
        chosen = answer(candidates, rate, rng)
        n, count = int(candidates.sum()), int(chosen[candidates].sum())
        if not plausible(count, n, rate):
            return named((count, n - count), share_hints(rate, n / candidates.size)) or (
                f"you choose {count / n:.1%} of {n:,} candidates; with rate {rate:.0%}, that is too far off "
                "to be chance."
            )
        for half, where in ((slice(0, 20), "first"), (slice(40, None), "last")):
            n, count = int(candidates[:, half].sum()), int(chosen[:, half].sum())
            if not plausible(count, n, rate):
                return (
                    f"the {where} positions of a sequence are chosen in {count / n:.0%} of the cases, "
                    f"although the rate is {rate:.0%}. The position of a candidate must not matter."
                )
    return True
