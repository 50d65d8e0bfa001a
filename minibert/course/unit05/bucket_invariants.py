"""Properties that `bucket_by_length` must have, and hints for common mistakes."""

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
            f"you return a {type(got).__name__}. Return a list of lists, with the indices of the sequences "
            "of each batch."
        )
    rows = flat(got)
    if not all(isinstance(row, (int, np.integer)) and not isinstance(row, bool) for row in rows):
        return "the batches do not contain indices. Return the index of each sequence, an integer below n."
    if rows and min(rows) > 100:
        return "the batches contain lengths. Return the index of each sequence, from 0 to n - 1."
    return True


def each_row_once(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    for n in (50, 64, 5):
        rows = sorted(map(int, flat(answer(LENGTHS[:n], SIZE, 3, rng))))
        if rows != list(range(n)):
            missing, twice = n - len(set(rows)), len(rows) - len(set(rows))
            if twice:
                return (
                    f"{missing} of the {n} sequences are in no batch, and {twice} appear more than once. "
                    "Put each sequence into exactly one batch."
                )
            return (
                f"{missing} of the {n} sequences are in no batch. Keep the last sequences even if they do "
                "not fill a batch."
            )
    rows = sorted(map(int, flat(answer(LENGTHS[:50] % 3 + 1, SIZE, 3, rng))))
    if len(rows) != len(set(rows)):
        return (
            "if many sequences have the same length, some appear twice and others are missing. Sort the "
            "indices of the sequences, and do not look up a sequence by its length."
        )
    if rows != list(range(50)):
        return f"if all sequences are short, {50 - len(rows)} of 50 are in no batch. Do not leave any out."
    return True


def full_batches(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    for n, pool in ((50, 3), (64, 2), (50, 1), (60, 10)):
        sizes = sorted(len(batch) for batch in answer(LENGTHS[:n], SIZE, pool, rng))
        if sizes[-1] > SIZE:
            return f"a batch has {sizes[-1]} sequences. Put at most batch_size={SIZE} into each."
        if sizes[0] == 0:
            return "a batch is empty. Return only batches with at least one sequence."
        if sum(size < SIZE for size in sizes) > 1:
            return (
                f"{sum(size < SIZE for size in sizes)} batches are not full, for {n} sequences and "
                f"pool={pool}. A pool holds `pool` full batches, so only the last batch of the last pool "
                "may be smaller."
            )
    return True


def mean_reach(lengths: np.ndarray, batches: list[list[int]]) -> float:
    """Return the difference in length between a full batch's longest and shortest sequence, on average.

    lengths: the length of each sequence. batches: lists of indices into `lengths`.
    """
    reach = [np.ptp([lengths[row] for row in batch]) for batch in batches if len(batch) == SIZE]
    return float(np.mean(reach)) if reach else 0.0


def expected_reach(pool_rows: int) -> float:
    """Return the expected result of `mean_reach` if LENGTHS is sorted in pools of `pool_rows` sequences.

    All lengths are distinct, so neighbours in a sorted pool are equally far apart on average.
    """
    return (SIZE - 1) * (len(LENGTHS) + 1) / (pool_rows + 1)


COMPANY = (  # the number of sequences sorted together, and its hint
    (
        len(LENGTHS),
        "you sort the sequences of the whole epoch, so the same ones share a batch in every epoch. Cut "
        "the shuffled sequences into pools first, then sort each pool.",
    ),
    (50 * SIZE, "a pool has 50 batches in your answer, whatever `pool` is. Use the argument `pool`."),
    (
        SIZE,
        "the sequences of a batch are no more similar in length than any other sequences. Sort each pool by "
        "length before you cut it into batches.",
    ),
    (
        POOL,
        "a pool has only `pool` sequences in your answer. It should have enough for `pool` batches.",
    ),
    (
        len(LENGTHS) // POOL,
        "you make `pool` pools, but `pool` is the number of batches in each of them.",
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
        f"the longest and shortest sequences of a batch differ by {reach:.0f} tokens on average; with "
        "pools of `pool` batches, sorted by length, the difference should be about "
        f"{expected_reach(POOL * SIZE):.0f}."
    )


def one_pool_sorts_all(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return whether the batches' ranges of lengths do not overlap if there is only one pool."""
    return all(
        disjoint(lengths, answer(lengths, SIZE, 10, rng))
        for lengths in (LENGTHS[:60], 1 + rng.permutation(60))
    )


def small_pools(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if small pools have the right size and leftovers form an extra pool, else a hint."""
    __tracebackhide__ = True
    for pool in (1, 2):
        reach = mean_reach(LENGTHS, answer(LENGTHS.copy(), SIZE, pool, rng))
        if abs(reach / expected_reach(pool * SIZE) - 1) > 0.2:
            how = "more" if reach < expected_reach(pool * SIZE) else "less"
            return (
                f"with pool={pool} the lengths in a batch are {how} similar than they should be. Put "
                "enough sequences for exactly `pool` batches into each pool."
            )
    lengths = LENGTHS[: 6 * SIZE]
    return not disjoint(lengths, answer(lengths, SIZE, 5, rng)) or (
        "the last sequences, too few for a whole pool, are sorted together with the pool before them. "
        "Sort them separately."
    )


def shuffled_before(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    in_order = np.arange(len(LENGTHS)) + 1  # a corpus that is already sorted by length
    reach = mean_reach(in_order, answer(in_order, SIZE, POOL, rng))
    return reach > 3 * SIZE or (
        "a pool contains neighbours in the corpus, so the same sequences share a batch in every epoch. "
        "Shuffle all sequences before you cut them into pools."
    )


def permuted_batches(lengths: np.ndarray, batch_size: int, pool: int, rng: np.random.Generator) -> np.ndarray:
    n = len(lengths)
    return rng.permutation([[0] * min(batch_size, n - start) for start in range(0, n, batch_size)])


BUCKET_CRASHES = (
    Mistake(
        "rng.permutation cannot shuffle batches of different lengths, because it turns them into an "
        "array. Shuffle their indices instead.",
        permuted_batches,
    ),
)
BUCKETS = (
    Invariant("returns lists of sequence indices", row_numbers),
    Invariant("draws from `rng` only", obeys((LENGTHS[:64], SIZE, 2))),
    Invariant("each sequence is in exactly one batch", each_row_once),
    Invariant("all batches but one are full", full_batches),
    Invariant("sequences in a batch have similar lengths, as far as their pool allows", alike_in_length),
    Invariant("the batches of one pool do not overlap in length", one_pool_sorts_all),
    Invariant("pools have the requested size, and only the last one may be smaller", small_pools),
    Invariant("the pools hold random sequences", shuffled_before),
    Invariant("the batches come in random order", order_is_random),
    Invariant("the batches of all pools are shuffled together", pools_mixed),
    Invariant("draws a new order at each call", fresh((LENGTHS[:64], SIZE, 2))),
    Invariant("any batch may come at any position", any_place),
)
