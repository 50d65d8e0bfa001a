"""Test inputs for `number_masked` and `mask_predict`, which fills all masks at once, and common mistakes.

Ghazvininejad et al. (2019, arXiv 1904.09324), section 3. Axes: T tokens, V vocabulary, P free positions.
"""

import math
from collections.abc import Callable

import numpy as np

from minibert.generation.sampling import LogProbs

from ..checks.edits import edits, pairs_of_edits
from .definitions import number_masked
from .table_models import fits, table_model


def number_cases(rng: np.random.Generator) -> list[tuple]:
    """Return numbers of tokens, iterations from 0, and how many iterations there are."""
    n, iterations = int(rng.integers(30, 90)), int(rng.integers(7, 12))
    return [
        (12, 0, 3),
        (12, 1, 3),
        (12, 2, 3),
        (10, 9, 10),  # 10 * (1 - 0.9) is 0.9999999999999998 in a computer
        (49, 48, 49),  # and 49 * (1 / 49) is 0.9999999999999999
        (12, 3, 9),  # 12 - 12 / 9 - 12 / 9 - 12 / 9 is 7.999999999999999
        (14, 5, 10),
        (8, 1, 3),
        (7, 2, 4),
        (11, 3, 4),
        (3, 4, 5),
        (2, 1, 8),
        (1, 0, 1),
        (20, 0, 1),
        (1, 3, 10),
        (n, 2, iterations),
        (n, iterations - 1, iterations),
        (5 * n, 4, iterations),
        (1000, 29, 100),
    ]


def number_allowed(n: int, t: int, iterations: int) -> bool:
    return n >= 1 and 0 <= t < iterations


def number(n: int, t: int, iterations: int) -> int:
    """Return what `number_masked` should."""
    left = iterations - t
    return n * left // iterations


NUMBER = edits(
    number,
    """
    $number = n * left // iterations

    you round to the nearest number. Round down.
        $number => round(n * left / iterations)
        or
        $number => int(n * left / iterations + 0.5)
    you round up. Round down.
        $number => -(-n * left // iterations)
        or
        $number => n - n * t // iterations
    a rounding error can lose a token: 10 * (1 - 0.9) is 0.9999999999999998. Use whole numbers: multiply
    first, then use `//`.
        $number => int(n * (1 - t / iterations))
        or
        $number => int(n * (left / iterations))
    you divide before you multiply, so everything after the point is lost. Multiply first.
        $number => n // iterations * left
        or
        $number => left // iterations * n
    the first iteration masks all tokens: t counts from 0.
        iterations - t => iterations - t - 1
    you count t from 1. It counts from 0, so the first iteration masks all n tokens.
        iterations - t => iterations - t + 1
    the number grows with t. It decreases, from n in the first iteration.
        $number => n * t // iterations
        or
        $number => n * (t + 1) // iterations
    the last iteration masks nothing in your formula. Divide by the number of iterations, not by one less.
        $number => n * (left - 1) // max(iterations - 1, 1)
    the number should not be rounded up to 1. With more iterations than tokens, it may be 0.
        $number => max(1, n * left // iterations)
    all tokens are masked in each iteration of yours. The number decreases with t.
        $number => n
    the number decreases by one in each iteration of yours. It decreases by n / iterations.
        $number => max(n - t, 0)
    the number is halved in each iteration of yours. It decreases by the same amount.
        $number => n // 2**t
    this is a cosine, as in a later paper. Here the number decreases linearly.
        $number => int(n * math.cos(math.pi / 2 * t / iterations))
    this is a share. Multiply it by n, and round down.
        $number => left / iterations
    you do not round. Return a whole number.
        $number => n * left / iterations
    you return how many tokens are kept. Return how many are masked.
        $number => n - n * left // iterations
    """,
    math=math,
)


def all_at_first(f: Callable, rng: np.random.Generator) -> bool:
    return all(f(n, 0, T) == n for n, T in ((12, 3), (7, 10), (1, 1)))


def never_grows(f: Callable, rng: np.random.Generator) -> bool:
    numbers = [f(17, t, 6) for t in range(6)]
    return numbers == sorted(numbers, reverse=True)


def step(n: int, iterations: int) -> Callable:
    """Return a test of whether n tokens decrease by n / iterations, a whole number, each time."""

    def holds(f, rng):
        return [f(n, t, iterations) for t in range(iterations)] == [
            n - t * (n // iterations) for t in range(iterations)
        ]

    return holds


def text_cases(rng: np.random.Generator) -> list[tuple]:
    """Return texts (T,), free positions, models, ids of [MASK], and numbers of iterations."""

    def drawn(T: int, V: int, iterations: int, mask: int, share: float = 0.8) -> tuple:
        free = rng.random(T) < share
        free[rng.integers(T)] = True
        ids = rng.integers(V - 1, size=T)
        ids += ids >= mask
        return np.where(free, mask, ids), free, table_model(rng, V, mask), mask, iterations

    ids, free, *others = drawn(9, 7, 4, 6)
    masked, some, *rest = drawn(10, 8, 4, 2, 0.6)
    masked[0], some[:2] = 2, [False, True]  # this [MASK] stays
    return [
        (ids, free, *others),
        (np.where(free, rng.integers(6, size=9), ids), free, *others),  # other tokens than [MASK] at first
        drawn(6, 8, 3, 0, 1.0),
        drawn(12, 6, 4, 3),
        drawn(10, 9, 1, 8),
        drawn(12, 5, 10, 2, 0.9),
        drawn(5, 6, 8, 5, 0.5),  # more iterations than free positions
        drawn(8, 7, 2, 4, 0.5),
        drawn(1, 5, 3, 1),
        drawn(11, 10, int(rng.integers(3, 6)), 7),
        drawn(14, 9, 17, 3, 0.7),
        drawn(25, 12, 8, 5),
        drawn(40, 20, 6, 11),
        (masked, some, *rest),
    ]


def text_allowed(ids: np.ndarray, free: np.ndarray, log_probs: LogProbs, mask: int, iterations: int) -> bool:
    return ids.shape == free.shape and bool(free.any()) and iterations >= 1 and fits(ids, log_probs, mask)


def write(ids: np.ndarray, free: np.ndarray, log_probs: LogProbs, mask: int, iterations: int) -> np.ndarray:
    """Return what `mask_predict` should."""
    positions = np.flatnonzero(free)
    ids, certainty = ids.copy(), np.zeros(len(ids))
    texts = []
    for t in range(iterations):
        order = positions[np.argsort(certainty[positions], kind="stable")]
        again = order[: number_masked(len(positions), t, iterations)]
        ids[again] = mask
        logs = log_probs(ids[None])[0]
        ids[again] = logs[again].argmax(1)
        certainty[again] = logs[again].max(1)
        texts.append(ids.copy())
    return np.array(texts)


WRITE = (
    *edits(
        write,
        r"""
        $order = order = positions[np.argsort(certainty[positions], kind="stable")]
        $again = again = order[: number_masked(len(positions), t, iterations)]
        $hide = ids[again] = mask
        $fill = ids[again] = logs[again].argmax(1)
        $keep = certainty[again] = logs[again].max(1)
        $count = number_masked(len(positions), t, iterations)

        you mask the most certain tokens again. Mask the least certain ones.
            np.argsort(certainty[positions], => np.argsort(-certainty[positions],
            or
            $order => $order[::-1]
        you mask the first free tokens again, however certain they are. Sort by certainty.
            $order => order = positions
        you mask the last free tokens again, however certain they are. Sort by certainty.
            $order => order = positions[::-1]
        the other tokens' certainties change, too, in your answer. Only the masked ones get a new one.
            $keep => certainty = logs.max(1)
            or
            $keep => certainty = logs[np.arange(len(ids)), ids]
            or
            $keep => certainty[positions] = logs[positions].max(1)
        you choose the least certain tokens by the first iteration alone. Update the certainties each time.
            $keep => certainty[again] = logs[again].max(1) if t == 0 else certainty[again]
        the least certain tokens are not masked again, so the model reads the old ones. Put [MASK] there.
            $hide => ids[again] = mask if t == 0 else ids[again]
        you never mask anything. Put [MASK] where the text is written again.
            $hide => pass
        the model reads a text without any of the free tokens each time. After the first iteration, mask only
        the least certain ones.
            $again => again = positions
            or
            log_probs(ids[None])[0] => log_probs(np.where(free, mask, ids)[None])[0]
        all free tokens are written again. Write only those that are masked in this iteration.
            $fill => ids[positions] = logs[positions].argmax(1)
            or
            $fill => ids[positions] = logs[positions].argmax(1)
            $keep => certainty[positions] = logs[positions].max(1)
        tokens that are not free are written again. Keep those of the text.
            $fill => ids = logs.argmax(1)
            or
            positions = np.flatnonzero(free) => positions = np.arange(len(ids))
        the share of masked tokens should be one of the free tokens, not of all.
            number_masked(len(positions), => number_masked(len(ids),
        you count the iterations from 1. The first one, t = 0, masks all free tokens.
            $again => again = order[: number_masked(len(positions), t + 1, iterations)]
            or
            $again => again = order[: number_masked(len(positions), max(t - 1, 0), iterations)]
        the number of masked tokens is that of kept ones in your answer.
            $again => again = order[: len(positions) - $count or len(positions)]
        one token more is masked than `number_masked` says.
            $again => again = order[: number_masked(len(positions), t, iterations) + 1]
        where nothing is to be masked, you mask everything: `[-0:]` takes all.
            $order => order = positions[np.argsort(-certainty[positions], kind="stable")]
            $again => again = order[-number_masked(len(positions), t, iterations) :]
        the tokens are filled in one after another. The model reads the text once in each iteration.
            $fill => for place in again: ids[place] = log_probs(ids[None])[0][place].argmax()
        you return the last text alone. Return the text after each iteration.
            return np.array(texts) => return ids
        the same array is appended each time, so all rows are the last text. Append a copy.
            texts.append(ids.copy()) => texts.append(ids)
        the rows are in reverse order. The first one is the text after the first iteration.
            return np.array(texts) => return np.array(texts[::-1])
        each row should be the text after the predictions, without [MASK].
            texts.append(ids.copy()) => texts.append(np.where(np.isin(np.arange(len(ids)), again), mask, ids))
            or
            $keep\ntexts.append(ids.copy()) => $keep
            $hide => $hide\ntexts.append(ids.copy())
        the first row should be the text after the first iteration, not the one before it.
            texts = [] => texts = [np.where(free, mask, ids)]
            return np.array(texts) => return np.array(texts)[:-1]
            or
            texts = [] => texts = [ids.copy()]
            return np.array(texts) => return np.array(texts)[:-1]
        there is one row too many. Return the text after each iteration, without the one before the first.
            texts = [] => texts = [np.where(free, mask, ids)]
            or
            texts = [] => texts = [ids.copy()]
        you take the least probable tokens. Take the most probable ones.
            $fill => ids[again] = np.where(np.isneginf(logs[again]), np.inf, logs[again]).argmin(1)
        the certainty is that of the least probable token. Keep the probability of the one chosen.
            $keep => certainty[again] = np.where(np.isneginf(logs[again]), np.inf, logs[again]).min(1)
        the certainty should be the probability of the chosen token, not its distance to the second one.
            $keep => certainty[again] = np.diff(np.sort(logs[again], axis=1)[:, -2:])[:, 0]
            or
            $keep => certainty[again] = np.diff(np.exp(np.sort(logs[again], axis=1)[:, -2:]))[:, 0]
        the certainty should be the probability of the chosen token, not the entropy.
            $keep => certainty[again] = (np.exp(logs[again]) * np.maximum(logs[again], -1e9)).sum(1)
        """,
    ),
    *pairs_of_edits(
        write,
        """
        the most certain tokens are masked again, instead of the least certain ones
            np.argsort(certainty[positions], => np.argsort(-certainty[positions],
        all certainties change, although only the masked tokens get a new one
            certainty[again] = logs[again].max(1) => certainty = logs.max(1)
        the iterations are counted from 1
            (len(positions), t, iterations) => (len(positions), t + 1, iterations)
        the same array is appended each time
            texts.append(ids.copy()) => texts.append(ids)
        """,
    ),
)


def one_iteration(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether one iteration fills all masks with the most probable tokens."""
    ids, free, log_probs, mask, _ = text_cases(rng)[0]
    best = log_probs(np.where(free, mask, ids)[None])[0].argmax(1)
    return np.array_equal(f(ids, free, log_probs, mask, 1), [np.where(free, best, ids)])


def fixed_stay(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether the tokens that are not free stay."""
    ids, free, log_probs, mask, iterations = text_cases(rng)[0]
    texts = np.asarray(f(ids, free, log_probs, mask, iterations))
    return bool((texts[:, ~free] == ids[~free]).all())


def few_change(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether an iteration changes at most as many tokens as it masks."""
    ids, free, log_probs, mask, _ = text_cases(rng)[3]
    P = int(free.sum())
    texts = np.asarray(f(ids, free, log_probs, mask, 4))
    changed = (texts[1:] != texts[:-1]).sum(1)
    return bool((changed <= [number_masked(P, t, 4) for t in (1, 2, 3)]).all())


def masks_decrease(f: Callable, rng: np.random.Generator) -> bool | str:
    """Return whether the model reads texts with fewer and fewer masks, or a message."""
    ids, free, log_probs, mask, iterations = text_cases(rng)[0]
    read = []

    def noted(some):
        read.append(int((np.array(some) == mask).sum()))
        return log_probs(some)

    f(ids, free, noted, mask, iterations)
    wanted = [number_masked(int(free.sum()), t, iterations) for t in range(iterations)]
    if len(read) != iterations:
        return f"you ask the model {len(read)} times in {iterations} iterations. Ask it once in each."
    return read == wanted or (
        f"the model reads texts with {', '.join(map(str, read))} masks; it should be "
        f"{', '.join(map(str, wanted))}."
    )
