"""Invariants of `choose_positions`; known mistakes are recognised by the shares that they choose.

Devlin et al. (2019, arXiv 1810.04805), section 3.1. Axes: B batch, T tokens. `chance` judges the shares.
"""

from collections.abc import Callable

import numpy as np

from ..checks.chance import named, plausible
from ..checks.guard import many

RATES = (0.4, 0.15)


def candidate_rows(rng: np.random.Generator, rows: int = 240, length: int = 80) -> np.ndarray:
    """Candidates (B, T) bool: sentences of different lengths between [CLS] and [SEP], then padding."""
    ends = rng.integers(length // 2, length, size=rows)  # (B,) where [SEP] stands
    positions = np.arange(length)
    return (positions > 0) & (positions < ends[:, None])


def only_candidates(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: nothing but candidates is chosen."""
    __tracebackhide__ = True
    candidates = candidate_rows(rng)
    chosen = answer(candidates, 0.4, rng)
    inside, outside = chosen[candidates], chosen[~candidates]
    if not outside.any():
        return True
    if not inside.any():
        return (
            "`candidates` is read the wrong way round: you choose the padding and the special tokens. "
            "True means: may be chosen."
        )
    if inside.all():
        return (
            "every candidate is chosen, and others too. Both must hold at once, candidate and lucky "
            "draw: `&`, not `|`."
        )
    if plausible(outside.sum(), outside.size, 0.4):
        return (
            "the rate applies to all positions: you choose as many of the padding and of [CLS] and [SEP] "
            "as of the words. Choose only where `candidates` is True."
        )
    return "it chooses positions that are not candidates. Where `candidates` is False, the result is False."


def extreme_rates(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: rate 1 chooses every candidate, rate 0 none."""
    __tracebackhide__ = True
    candidates = candidate_rows(rng)
    everything, nothing = answer(candidates, 1.0, rng), answer(candidates, 0.0, rng)
    if nothing.sum() == candidates.sum() and not everything.any():
        return (
            "the comparison is the wrong way round: rate 0 chooses every candidate, and rate 1 none. "
            "Choose where the draw is below `rate`."
        )
    if not everything.any() and not nothing.any():
        return "it never chooses anything, not even with rate 1."
    if nothing.any():
        return f"with rate 0 nothing may be chosen, but {int(nothing.sum())} positions are."
    return (
        bool((everything == candidates).all())
        or "with rate 1 every candidate must be chosen, but some are not."
    )


def own_toss(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: each candidate has a draw of its own.

    It finds a draw shared by a row, a column or the whole array, and a fixed number of chosen positions.
    """
    __tracebackhide__ = True
    candidates = np.ones((20, 100), bool)
    calls = np.array([*many(answer, [(candidates, 0.4, rng)] * 20)])  # (calls, B, T)
    if all(call.all() or not call.any() for call in calls):
        return (
            "all or nothing: one single draw decides for the whole array. Each candidate needs a draw of "
            "its own: give rng.random the shape of `candidates`."
        )
    if (calls.all(2) | ~calls.any(2)).all():
        return (
            "one draw decides for a whole sequence. Each candidate needs its own: draw in the full shape "
            "of `candidates`."
        )
    if (calls == calls[:, :1]).all():
        return (
            "every sequence of the batch chooses the same positions: one draw is shared by all "
            "sequences. Draw in the full shape of `candidates`."
        )
    if (calls.sum(2) == calls[0, 0].sum()).all() or len(set(calls.sum((1, 2)).tolist())) == 1:
        return (
            "the number of chosen positions is the same each time. That is another scheme, an exact "
            "quota. Here each candidate has its own toss, so the number varies around the rate."
        )
    return True


def share_hints(rate: float, part: float) -> list[tuple[tuple[float, float], str]]:
    """(shares, hint) of the usual mistakes; part: the share of candidates among all positions."""
    fix = f"You choose {{:.0%}} of the candidates where the rate is {rate:.0%}"
    return [
        ((share, 1 - share), f"{fix.format(share)}: {hint}")
        for share, hint in (
            (
                1 - rate,
                "the comparison is the wrong way round. A draw below `rate` has probability `rate`; above "
                "it, 1 - rate.",
            ),
            (rate**2, "you toss twice, and both tosses must succeed."),
            (
                min(1.0, rate / part),
                "you count the rate over all positions, padding included. It is a share of the candidates.",
            ),
            (
                rate * part,
                "you draw positions from the whole sequence and drop those that are not candidates. Draw "
                "among the candidates.",
            ),
            (0.15, "0.15 is written into your answer. Use the argument `rate`."),
            (
                0.85,
                "0.15 is written into your answer, and the comparison is the wrong way round. Choose where "
                "the draw is below `rate`.",
            ),
            (0.5, "a fair coin decides. Compare the draw with `rate`."),
            (
                1 - np.exp(-rate),
                "you draw positions with replacement, so some come twice and too few are chosen in the end.",
            ),
        )
    ]


def right_rate(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: the share of chosen candidates is `rate`, both at the start of a row and at its end."""
    __tracebackhide__ = True
    for rate in RATES:
        candidates = candidate_rows(rng)
        chosen = answer(candidates, rate, rng)
        n, count = int(candidates.sum()), int(chosen[candidates].sum())
        if not plausible(count, n, rate):
            return named((count, n - count), share_hints(rate, n / candidates.size)) or (
                f"you choose {count / n:.1%} of {n:,} candidates; with rate {rate:.0%} that cannot be chance."
            )
        for half, where in ((slice(0, 20), "first"), (slice(40, None), "last")):
            n, count = int(candidates[:, half].sum()), int(chosen[:, half].sum())
            if not plausible(count, n, rate):
                return (
                    f"the {where} positions of a sequence are chosen in {count / n:.0%} of the cases, "
                    f"though the rate is {rate:.0%}. Where a candidate stands must not matter."
                )
    return True
