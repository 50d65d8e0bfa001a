"""The answer from several windows of a passage, with three planted bugs, and what each of them breaks.

Devlin et al. (2019, arXiv 1810.04805), section 4.3: no answer where [CLS] scores higher than the best span,
by a threshold. A window: (begin, first, start scores, end scores), the scores of a whole sequence [CLS]
question [SEP] passage [SEP].
"""
from collections.abc import Callable

import numpy as np

from minibert import reference

from ..engine.exercise import Invariant

LONGEST, SURE = 30, 1e6     # a threshold that no score reaches: it always answers


def version(left: frozenset[int]) -> Callable:
    """Build the function with the bugs `left`.

    1: it also answers from the question; 2: it keeps the last window's score of [CLS]; 3: it forgets `begin`.
    """
    def answer_question(windows, threshold):
        best, null = (0, 0, -np.inf), np.inf
        for begin, first, start_logits, end_logits in windows:
            none = start_logits[0] + end_logits[0]
            null = none if 2 in left else min(null, none)
            low = 1 if 1 in left else first
            start, end, score = reference.best_span(start_logits[low:-1], end_logits[low:-1], LONGEST)
            if score > best[2]:
                shift = low - first if 3 in left else begin + low - first
                best = start + shift, end + shift, score
        return () if null - best[2] > threshold else (int(best[0]), int(best[1]))
    return answer_question


def row(rng: np.random.Generator, begin: int, first: int = 4, size: int = 9, none: float = 0.0,
        question: float = 0.0, at: tuple[int, int] | None = None) -> tuple[int, int, np.ndarray, np.ndarray]:
    """A window with random scores below 1.

    none: both scores of [CLS]; question: added to those of the question; at: where in the window the best
    span begins and ends, or None.
    """
    start, end = rng.random((2, first + size + 1))
    start[0] = end[0] = none
    start[1:first] += question
    end[1:first] += question
    if at is not None:
        start[first + at[0]] += 3
        end[first + at[1]] += 3
    start[-1] = end[-1] = 9.0  # the last [SEP] is not an answer either
    return begin, first, start, end


def cases(rng: np.random.Generator) -> list[tuple]:
    low, high = -5.0, 5.0
    return [([row(rng, 0, none=low), row(rng, 6, none=low, at=(2, 4))], 0.0),
            ([row(rng, 0, none=low, question=8.0), row(rng, 6, none=low, at=(1, 1))], 0.0),
            ([row(rng, 0, none=low), row(rng, 6, none=high, at=(2, 4))], 0.0),
            ([row(rng, 0, none=high), row(rng, 6, none=high, at=(3, 4))], 0.0),
            ([row(rng, 0, none=high), row(rng, 5, none=3.0, at=(3, 5)), row(rng, 10, none=4.5, at=(0, 1))],
             -1.0),
            ([row(rng, 0, none=high), row(rng, 4, none=low, at=(1, 1)), row(rng, 8, none=-1.0)], 0.0),
            ([row(rng, 3, first=3, size=6, none=low, at=(0, 5))], -2.0),
            ([row(rng, 0, none=low), row(rng, 4, none=high), row(rng, 8, none=high, at=(1, 2), question=9.0)],
             1.0)]


def not_from_the_question(f: Callable, rng: np.random.Generator) -> bool:
    windows = [row(rng, 0, at=(2, 3), none=-5.0), row(rng, 6, none=-5.0)]
    louder = [(begin, first, start.copy(), end.copy()) for begin, first, start, end in windows]
    for _, first, start, end in louder:
        start[1:first] = end[1:first] = 50.0
    return tuple(f(windows, SURE)) == tuple(f(louder, SURE))


def order_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    windows = [row(rng, 0, none=5.0, question=-9.0), row(rng, 6, none=-5.0, question=-9.0, at=(2, 4)),
               row(rng, 12, none=5.0, question=-9.0)]
    return len({str(f([windows[i] for i in order], 0.0)) for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))}) == 1


def counted_in_the_passage(f: Callable, rng: np.random.Generator) -> bool:
    begin, *scores = row(rng, 4, question=-9.0, none=-5.0, at=(1, 3))
    early, late = f([(begin, *scores)], SURE), f([(begin + 7, *scores)], SURE)
    return bool(early and late) and tuple(np.subtract(late, early)) == (7, 7)


def threshold_decides(f: Callable, rng: np.random.Generator) -> bool:
    windows = [row(rng, 0, question=-9.0, at=(2, 4))]
    return not f(windows, -SURE) and bool(f(windows, SURE))


BROKEN = (
    Invariant("no answer lies in the question: its scores, however high, change nothing",
              not_from_the_question),
    Invariant("the order of the windows does not matter", order_does_not_matter),
    Invariant("places are counted in the passage: where a window begins 7 pieces later, its answer does too",
              counted_in_the_passage),
)
KEPT = (
    Invariant("with a very low threshold it never answers, with a very high one always", threshold_decides),
    Invariant("the last [SEP] is not an answer",
              lambda f, rng: f([row(rng, 0, none=-5.0, question=-9.0, at=(1, 2))], SURE) == (1, 2)),
)
