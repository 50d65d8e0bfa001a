"""Check that `bucket_by_length` returns the batches of all pools in random order."""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ..checks.chance import plausible
from ..checks.guard import many

LENGTHS = np.random.default_rng(5).permutation(1600) + 1  # (n,): distinct, in random order
SIZE, POOL = 8, 24  # batch and pool size in the checks of similar length and of order


def disjoint(lengths: np.ndarray, batches: Iterable[Sequence[int]]) -> bool:
    """Return whether the ranges of lengths in the batches do not overlap.

    lengths: the length of each sequence. batches: lists of indices into `lengths`.
    """
    ends = sorted(
        (min(found), max(found)) for found in ([lengths[row] for row in batch] for batch in batches)
    )
    return all(before[1] < after[0] for before, after in zip(ends, ends[1:]))


def order_is_random(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    batches = answer(LENGTHS[:800], SIZE, 100, rng)  # one pool
    means = np.array([np.mean([LENGTHS[row] for row in batch]) for batch in batches])
    rising = np.mean(np.diff(means) > 0)
    if rising > 0.9:
        return "the batches are sorted from short to long sequences. Shuffle the batches too."
    if rising < 0.1:
        return "the batches are sorted from long to short sequences. Shuffle the batches too."
    batches = answer(LENGTHS.copy(), SIZE, POOL, rng)
    means = np.array([np.mean([LENGTHS[row] for row in batch]) for batch in batches])
    return bool(0.25 < np.mean(np.diff(means) > 0) < 0.75) or (
        "the batches of a pool come in order of length. Shuffle the batches too."
    )


def any_place(answer: Callable, rng: np.random.Generator, calls: int = 200) -> bool | str:
    """Return True if the smallest batch comes first or last as often as chance predicts, else a hint.

    The same must hold for the batches with the longest and the shortest sequence.
    """
    __tracebackhide__ = True
    lengths, n = LENGTHS[: 6 * SIZE + 2], 7  # one pool of 7 batches
    found: dict[str, list[int]] = {}
    for batches in many(
        answer,
        [(lengths, SIZE, 9, np.random.default_rng(int(seed))) for seed in rng.integers(2**32, size=calls)],
    ):
        for name, value in (
            ("smaller batch", [-len(batch) for batch in batches]),
            ("batch with the longest sequence", [max(lengths[row] for row in batch) for batch in batches]),
            ("batch with the shortest sequence", [-min(lengths[row] for row in batch) for batch in batches]),
        ):
            found.setdefault(name, []).append(int(np.argmax(value)))
    for name, places in found.items():
        for place, word in ((0, "first"), (n - 1, "last")):
            if not plausible(places.count(place), calls, 1 / n):
                often = "too often" if places.count(place) > calls / n else "too rarely"
                return (
                    f"the {name} comes {word} {often}. Make all batches, then shuffle them together, so that "
                    "each may come at any position."
                )
    return True


def pools_mixed(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if the batches of two pools are mixed rather than one pool coming first, else a hint."""
    lengths, half = LENGTHS[: 20 * SIZE], 10  # two pools of 10 batches
    tries = [[*answer(lengths, SIZE, half, rng)] for _ in range(4)]
    return not all(disjoint(lengths, batches[:half]) for batches in tries) or (
        "the batches of a pool come one after the other. Shuffle the batches of all pools together."
    )
