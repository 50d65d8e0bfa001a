"""The bug hunt `answer_question`: choosing an answer from multiple windows, with three planted bugs.

Devlin et al. (2019, arXiv 1810.04805), section 4.3: there is no answer if [CLS] scores higher than the best
span by more than a threshold. A window is (begin, first, start scores, end scores): its position in the
passage, the index of its first passage token, and the scores of the entire sequence [CLS] question [SEP]
passage [SEP].
"""

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from minibert.data import spans

from ..checks.exercise import Invariant, Mistake

LONGEST, SURE = 30, 1e6  # SURE is a threshold that no score reaches, so there is always an answer


def version(left: frozenset[int]) -> Callable:
    """Return `answer_question` with the planted bugs whose numbers (1 to 3) are in `left`.

    Bug 1: the answer may come from the question. Bug 2: only the score of [CLS] in the last window is used.
    Bug 3: the position of a window in the passage is ignored.
    """
    return changed(left)


def changed(
    left: frozenset[int] = frozenset(),
    last: int | None = -1,
    none_of: Callable = lambda nones: min(map(sum, nones)),
    unanswered: Callable = lambda none, best, threshold: none - best > threshold,
    counts: Callable = lambda none, score, threshold: True,
    origin: Callable = lambda begin, first: begin,
) -> Callable:
    """Return `answer_question` with the planted bugs in `left` and other parts replaced.

    last: the index at which the search in a window ends. none_of: computes the score of "no answer" from
    [CLS]'s start and end scores in all windows. unanswered: decides whether there is no answer. counts:
    decides whether a window may contain the answer. origin: the place of the first passage token.
    """

    def answer_question(windows, threshold):
        best, nones = (0, 0, -np.inf), []
        for begin, first, start_logits, end_logits in windows:
            nones.append((start_logits[0], end_logits[0]))
            low = 1 if 1 in left else first
            start, end, score = spans.best_span(start_logits[low:last], end_logits[low:last], LONGEST)
            if score > best[2] and counts(sum(nones[-1]), score, threshold):
                shift = low - first + (0 if 3 in left else origin(begin, first))
                best = start + shift, end + shift, score
        none = sum(nones[-1]) if 2 in left else none_of(nones)
        return [] if unanswered(none, best[2], threshold) else [int(best[0]), int(best[1])]  # plain ints

    return answer_question


MISTAKES = (
    *(
        Mistake(
            f"you {what} the places that `best_span` returns. They are counted from where your slice begins; "
            "add only the window's position in the passage.",
            changed(origin=origin),
        )
        for what, origin in (
            ("also add the index of the first passage token to", lambda begin, first: begin + first),
            ("subtract the index of the first passage token from", lambda begin, first: begin - first),
            ("add 1 to", lambda begin, first: begin + 1),
            ("subtract 1 from", lambda begin, first: begin - 1),
        )
    ),
    Mistake(
        'you take the highest score of "no answer" over the windows. Take the lowest score.',
        changed(none_of=lambda nones: max(map(sum, nones))),
    ),
    Mistake(
        'your lowest score of "no answer" starts at 0, and stays 0 if all scores are positive. Start at '
        "infinity, or with the score of the first window.",
        changed(none_of=lambda nones: min(0, *map(sum, nones))),
    ),
    Mistake(
        "you combine the start score of [CLS] from one window with the end score from another. Add up the "
        "two scores of each window, then take the lowest sum.",
        changed(none_of=lambda nones: sum(map(min, zip(*nones, strict=True)))),
    ),
    Mistake(
        'you average the scores of "no answer" over the windows. Take the lowest score.',
        changed(none_of=lambda nones: sum(map(sum, nones)) / len(nones)),
    ),
    Mistake(
        'you add up the scores of "no answer" over the windows. Take the lowest score.',
        changed(none_of=lambda nones: sum(map(sum, nones))),
    ),
    Mistake(
        "you also search the last [SEP]. Leave it out, because it is not part of the passage.",
        changed(last=None),
    ),
    Mistake(
        "you do not search the last token of the passage. The slice must end just before the last [SEP].",
        changed(last=-2),
    ),
    Mistake(
        'you also choose "no answer" if its score is higher by exactly the threshold. It must be '
        "higher by more than the threshold.",
        changed(unanswered=lambda none, best, threshold: none - best >= threshold),
    ),
    Mistake(
        'the threshold has the wrong sign. Choose "no answer" if its score is higher than that of the best '
        "span by more than the threshold.",
        changed(unanswered=lambda none, best, threshold: none - best > -threshold),
    ),
    Mistake(
        'you do not use the threshold. Choose "no answer" if its score is higher than that of the best span '
        "by more than the threshold.",
        changed(unanswered=lambda none, best, threshold: none > best),
    ),
    Mistake(
        "you decide separately for each window whether it has an answer. Compare the best span of all "
        'windows with the lowest score of "no answer".',
        changed(
            counts=lambda none, score, threshold: none - score <= threshold,
            unanswered=lambda none, best, threshold: best == -np.inf,
        ),
    ),
)


def row(
    rng: np.random.Generator,
    begin: int,
    first: int = 4,
    size: int = 9,
    none: float = 0.0,
    question: float = 0.0,
    at: tuple[int, int] | None = None,
) -> tuple[int, int, np.ndarray, np.ndarray]:
    """Return a window (begin, first, start scores, end scores) with random scores between 0 and 1.

    begin: the window's position in the passage. first: the index of its first passage token. size: the number
    of passage tokens. none: the start and end score of [CLS]. question: a number to add to the scores of the
    question. at: the first and last token of the best span, or None.
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


def plain(
    begin: int, none: float, at: int, best: float = 3.0, last: float = 9.0
) -> tuple[int, int, np.ndarray, np.ndarray]:
    """Return a window in which the best span is the single passage token `at`.

    begin: the window's position in the passage. none: the start and end score of [CLS]. best: the start and
    end score of the token `at`; other passage tokens have the score 0. last: that of the last [SEP].
    """
    scores = np.zeros(13)
    scores[0], scores[3 + at], scores[1:3], scores[-1] = none, best, -9.0, last
    return begin, 3, scores, scores.copy()


def crossing() -> list[tuple[int, int, np.ndarray, np.ndarray]]:
    """Return two windows: the first has the highest start score, but the second has the best span."""
    windows = [plain(0, 1.0, 2), plain(6, 1.0, 4)]
    for (_, first, start, end), at, scores in zip(windows, (2, 4), ((6.0, 0.5), (3.0, 4.0))):
        start[first + at], end[first + at] = scores
    return windows


def lopsided() -> list[tuple[int, int, np.ndarray, np.ndarray]]:
    """Return two windows in which the start and end scores of [CLS] differ but add up to 6."""
    windows = [plain(0, 0.0, 2, best=2.0), plain(6, 0.0, 4, best=1.5)]
    windows[0][2][0] = windows[1][3][0] = 6.0
    return windows


def cases(rng: np.random.Generator) -> list[tuple]:
    low, high = -5.0, 5.0
    far = row(rng, 0, size=40, none=low, question=-9.0, at=(3, 35))
    below = [
        tuple(x - 50.0 if isinstance(x, np.ndarray) else x for x in row(rng, begin, none=1.0, at=(2, begin)))
        for begin in (3, 5)
    ]
    usual = [row(rng, 0, none=low), row(rng, 6, none=low, at=(2, 4))]
    cases: list[tuple] = [
        (usual, 0.0),
        *(
            ([(begin, first, scale * start, scale * end) for begin, first, start, end in usual], 0.0)
            for scale in (1e-8, 1e6)
        ),
        *(
            ([plain(0, 2.0, 2), plain(4, 2.5, 5, best=2.0)], threshold)
            for threshold in (-3.0, -2.0, -1.75, 0.5, 3.0)
        ),
        ([plain(2, 3.0, 1, best=2.0), plain(6, 2.5, 8)], 0.5),
        (crossing(), SURE),
        (crossing()[::-1], SURE),
        (lopsided(), 0.0),
        ([far], SURE),
        ([row(rng, 0, none=low, at=(8, 8))], 0.0),
        (below, 0.0),
        (below, 100.0),
        ([row(rng, 0, none=low, question=8.0), row(rng, 6, none=low, at=(1, 7))], 0.0),
        ([row(rng, 0, none=low), row(rng, 6, none=high, at=(2, 4))], 0.0),
        ([row(rng, 0, none=high), row(rng, 6, none=high, at=(3, 4))], 0.0),
        ([row(rng, 0, none=high), row(rng, 5, none=3.0, at=(3, 5)), row(rng, 10, none=4.5, at=(0, 1))], -1.0),
        ([row(rng, 0, none=high), row(rng, 4, none=low, at=(1, 1)), row(rng, 8, none=-1.0)], 0.0),
        ([row(rng, 3, first=3, size=6, none=low, at=(0, 5))], -2.0),
        (
            [row(rng, 0, none=low), row(rng, 4, none=high), row(rng, 8, none=high, at=(1, 7), question=9.0)],
            1.0,
        ),
    ]
    return cases + [(21 * windows, threshold) for windows, threshold in cases[::4]]


def parts(answer: Any) -> tuple | None:
    """Return whether there is an answer, its length and its place, or None if it has another form."""
    with contextlib.suppress(TypeError, ValueError):
        start, end = answer if len(answer) else (0, -1)
        return len(answer) > 0, end - start + 1, start
    return None


def same(one: Sequence[int], other: Sequence[int]) -> bool:
    """Return whether two spans (lists, tuples or arrays) are equal. An empty span means no answer."""
    return np.array_equal(np.asarray(one), np.asarray(other))


def not_from_the_question(f: Callable, rng: np.random.Generator) -> bool:
    windows = [row(rng, 0, at=(2, 3), none=-5.0), row(rng, 6, none=-5.0)]
    louder = [(begin, first, start.copy(), end.copy()) for begin, first, start, end in windows]
    for _, first, start, end in louder:
        start[1:first] = end[1:first] = 50.0
    return same(f(windows, SURE), f(louder, SURE))


def order_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    windows = [
        row(rng, 0, none=5.0, question=-9.0),
        row(rng, 6, none=-5.0, question=-9.0, at=(2, 4)),
        row(rng, 12, none=5.0, question=-9.0),
    ]
    found = [f([windows[i] for i in order], 0.0) for order in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
    return all(same(found[0], other) for other in found)


def counted_in_the_passage(f: Callable, rng: np.random.Generator) -> bool:
    begin, *scores = row(rng, 4, question=-9.0, none=-5.0, at=(1, 3))
    return all(same(f([(begin + by, *scores)], SURE), (begin + by + 1, begin + by + 3)) for by in (0, 7))


def threshold_is_a_distance(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f chooses "no answer" only if it beats the best span by more than the threshold."""
    return all(
        bool(len(f([plain(0, none, 2)], threshold))) == (2 * none - 6.0 <= threshold)
        for none in (2.0, 3.0, 4.0)
        for threshold in (-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0)
    )


def heights_do_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    begin, first, start, end = row(rng, 0, question=-9.0, none=2.0, at=(1, 3))
    return all(
        same(f([(begin, first, start + by, end + by)], threshold), f([(begin, first, start, end)], threshold))
        for by in (-100.0, 100.0)
        for threshold in (-9.0, 9.0)
    )


def louder_does_not_matter(f: Callable, rng: np.random.Generator) -> bool:
    quiet, loud = plain(4, 2.0, 2), plain(0, 20.0, 1, best=1.0)
    return all(same(f([loud, quiet], threshold), f([quiet], threshold)) for threshold in (-9.0, 0.0, 9.0))


def best_window_wins(f: Callable, rng: np.random.Generator) -> bool:
    strong, weak = row(rng, 0, question=-9.0, none=-5.0, at=(2, 4)), row(rng, 6, question=-9.0, none=-5.0)
    alone, (other, best) = f([strong], SURE), crossing()
    if not all(same(f(windows, SURE), f([best], SURE)) for windows in ([other, best], [best, other])):
        return False
    return all(
        same(f(windows, SURE), alone) for windows in ([strong, weak], [weak, strong], [weak, strong, weak])
    )


def thirty_at_most(f: Callable, rng: np.random.Generator) -> bool:
    def length(at):
        start, end = f([row(rng, 0, size=40, question=-9.0, none=-5.0, at=at)], SURE)
        return end - start + 1

    return length((3, 32)) == 30 and length((3, 33)) <= 30


def threshold_decides(f: Callable, rng: np.random.Generator) -> bool:
    windows = [row(rng, 0, question=-9.0, at=(2, 4))]
    return not len(f(windows, -SURE)) and bool(len(f(windows, SURE)))


BROKEN = (
    Invariant(
        "the answer is never in the question: its scores, however high, change nothing", not_from_the_question
    ),
    Invariant("the order of the windows does not matter", order_does_not_matter),
    Invariant(
        "places are counted in the passage: if a window begins 7 tokens later, so does its answer",
        counted_in_the_passage,
    ),
)
KEPT = (
    Invariant(
        "with a very low threshold there is never an answer, with a very high one always", threshold_decides
    ),
    Invariant(
        "the last [SEP] is not an answer: its scores change nothing",
        lambda f, rng: same(*(f([plain(0, 1.0, 2, last=score)], SURE) for score in (-9.0, 9.0))),
    ),
    Invariant(
        "the last token of the passage may be the answer",
        lambda f, rng: same(np.subtract(*(f([plain(0, 1.0, at)], SURE) for at in (8, 7))), (1, 1)),
    ),
    Invariant(
        '"no answer" wins if it scores higher by more than the threshold, and only then',
        threshold_is_a_distance,
    ),
    Invariant('an earlier window with a higher score of "no answer" changes nothing', louder_does_not_matter),
    Invariant("adding the same number to all scores changes nothing", heights_do_not_matter),
    Invariant("another window whose best span scores lower changes nothing", best_window_wins),
    Invariant("an answer has at most 30 tokens", thirty_at_most),
)
