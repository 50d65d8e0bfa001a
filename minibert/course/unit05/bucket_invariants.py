"""Invariants of `bucket_by_length`, with hints for known mistakes."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ..checks.chance import fresh, obeys
from ..checks.compare import is_list
from ..checks.exercise import Invariant, Mistake
from .bucket_order import LENGTHS, POOL, SIZE, any_place, disjoint, order_is_random, pools_mixed


def flat(batches: Iterable[Sequence[int]]) -> list[int]:
    return [row for batch in batches for row in batch]


def row_numbers(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    got = answer(LENGTHS[:50] + 100, SIZE, 3, rng)
    if not is_list(got) or not all(map(is_list, got)):
        return (
            f"it returns a {type(got).__name__} that is no list of lists: one list of sequence numbers "
            "for each batch."
        )
    rows = flat(got)
    if not all(isinstance(row, (int, np.integer)) and not isinstance(row, bool) for row in rows):
        return "the batches must hold sequence numbers, whole numbers from 0 to n - 1."
    if rows and min(rows) > 100:
        return (
            "the batches hold lengths. They must hold sequence numbers, 0 to n - 1, so that the "
            "sequences can be looked up."
        )
    return True


def each_row_once(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    for n in (50, 64, 5):
        rows = sorted(map(int, flat(answer(LENGTHS[:n], SIZE, 3, rng))))
        if rows != list(range(n)):
            missing, twice = n - len(set(rows)), len(rows) - len(set(rows))
            if twice:
                return (
                    f"of {n} sequences, {missing} are in no batch and {twice} come again. Each sequence "
                    "belongs in one batch."
                )
            return (
                f"of {n} sequences, {missing} are in no batch. The last sequences may fill a batch only "
                "in part: keep them, or they are not learned from in this epoch."
            )
    rows = sorted(map(int, flat(answer(LENGTHS[:50] % 3 + 1, SIZE, 3, rng))))
    if len(rows) != len(set(rows)):
        return (
            "where many sequences are of one length, some come twice and others never. Do you find a "
            "sequence again by its length? Sort sequence numbers instead."
        )
    if rows != list(range(50)):
        return f"where sequences are short, {50 - len(rows)} of 50 are in no batch."
    return True


def full_batches(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    for n, pool in ((50, 3), (64, 2), (50, 1), (60, 10)):
        sizes = sorted(len(batch) for batch in answer(LENGTHS[:n], SIZE, pool, rng))
        if sizes[-1] > SIZE:
            return f"a batch has {sizes[-1]} sequences; batch_size={SIZE} is the most."
        if sizes[0] == 0:
            return "a batch is empty."
        if sum(size < SIZE for size in sizes) > 1:
            return (
                f"{sum(size < SIZE for size in sizes)} batches are not full, for {n} sequences and "
                f"pool={pool}. A pool has pool * batch_size sequences, so that only the last batch of "
                "the last pool may be smaller."
            )
    return True


def mean_reach(lengths: np.ndarray, batches: list[list[int]]) -> float:
    """The mean difference between the longest and shortest sequence of a batch, over the full batches."""
    reach = [np.ptp([lengths[row] for row in batch]) for batch in batches if len(batch) == SIZE]
    return float(np.mean(reach)) if reach else 0.0


def expected_reach(pool_rows: int) -> float:
    """The mean_reach to expect if pools of so many sequences of LENGTHS are sorted.

    All lengths differ, so that neighbours in a sorted pool are equally far apart on average.
    """
    return (SIZE - 1) * (len(LENGTHS) + 1) / (pool_rows + 1)


COMPANY = (  # rows sorted together -> what that means
    (
        len(LENGTHS),
        "sequences are sorted over the whole epoch, not pool by pool: the same sequences would "
        "meet in each epoch. Cut the shuffled sequences into pools of pool * batch_size first, "
        "and sort inside each.",
    ),
    (50 * SIZE, "a pool has 50 batches in your answer, whatever `pool` says. Use the argument."),
    (
        SIZE,
        "sequences of one batch are no more similar in length than any other sequences. Sort each pool by "
        "length before you cut it into batches.",
    ),
    (
        POOL,
        "a pool has `pool` sequences in your answer. It should have pool * batch_size: `pool` counts "
        "batches.",
    ),
    (
        len(LENGTHS) // POOL,
        "there are `pool` pools in your answer. It says how many batches one pool holds: pools of pool * "
        "batch_size sequences.",
    ),
)


def alike_in_length(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    reach = mean_reach(LENGTHS, answer(LENGTHS.copy(), SIZE, POOL, rng))
    if abs(reach / expected_reach(POOL * SIZE) - 1) < 0.15:
        return True
    for rows, hint in COMPANY:
        if abs(reach / expected_reach(rows) - 1) < 0.15:
            return hint
    return (
        f"the lengths of a batch reach {reach:.0f} tokens from the shortest to the longest, on average; "
        "with pools of pool * batch_size sequences, sorted by length, it should be about "
        f"{expected_reach(POOL * SIZE):.0f}."
    )


def one_pool_sorts_all(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: no two batches of one pool overlap in length, whether lengths are close or far apart."""
    return all(
        disjoint(lengths, answer(lengths, SIZE, 10, rng))
        for lengths in (LENGTHS[:60], 1 + rng.permutation(60))
    )


def small_pools(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: pools have the asked size where it is small, and the last one is a pool of its own."""
    __tracebackhide__ = True
    for pool in (1, 2):
        reach = mean_reach(LENGTHS, answer(LENGTHS.copy(), SIZE, pool, rng))
        if abs(reach / expected_reach(pool * SIZE) - 1) > 0.2:
            how = "more" if reach < expected_reach(pool * SIZE) else "less"
            return (
                f"with pool={pool} the sequences of a batch are {how} alike in length than they should "
                "be. A pool has pool * batch_size sequences, neither more nor fewer."
            )
    lengths = LENGTHS[: 6 * SIZE]
    return not disjoint(lengths, answer(lengths, SIZE, 5, rng)) or (
        "the last sequences, too few for a whole pool, are sorted together with the pool before. They are a "
        "pool of their own."
    )


def shuffled_before(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    in_order = np.arange(len(LENGTHS)) + 1  # a corpus that is sorted by length already
    reach = mean_reach(in_order, answer(in_order, SIZE, POOL, rng))
    return reach > 3 * SIZE or (
        "the pools hold neighbouring sequences: if a corpus is sorted, the same "
        "sequences meet in each epoch. Shuffle all sequences before you cut them "
        "into pools."
    )


def permuted_batches(lengths: np.ndarray, batch_size: int, pool: int, rng: np.random.Generator) -> np.ndarray:
    n = len(lengths)
    return rng.permutation([[0] * min(batch_size, n - start) for start in range(0, n, batch_size)])


BUCKET_CRASHES = (
    Mistake(
        "rng.permutation(batches) makes an array of the batches, which must then be equally long, and "
        "the last one may not be. Shuffle their places: [batches[i] for i in "
        "rng.permutation(len(batches))].",
        permuted_batches,
    ),
)
BUCKETS = (
    Invariant("gives lists of sequence numbers", row_numbers),
    Invariant("draws from `rng` only", obeys((LENGTHS[:64], SIZE, 2))),
    Invariant("each sequence is in one batch, once", each_row_once),
    Invariant("all batches but one are full", full_batches),
    Invariant("sequences of a batch are of similar length, as far as their pool allows", alike_in_length),
    Invariant("the batches of one pool do not overlap in length", one_pool_sorts_all),
    Invariant("pools have the asked size, and the last one may be smaller", small_pools),
    Invariant("the pools hold random sequences", shuffled_before),
    Invariant("the batches come in random order", order_is_random),
    Invariant("the batches of all pools are shuffled together", pools_mixed),
    Invariant("draws anew at each call", fresh((LENGTHS[:64], SIZE, 2))),
    Invariant("each batch may come at any place", any_place),
)
