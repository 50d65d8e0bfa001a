"""Check the exercises of unit 07, question answering.

Devlin et al. (2019, arXiv 1810.04805), sections 4.2 and 4.3; Rajpurkar et al. (2016, arXiv 1606.05250),
section 6.1. Axes: B sequences of a batch, T positions; their sizes differ in every input.
"""

from collections.abc import Callable

import numpy as np

from minibert import reference
from minibert.data import spans
from minibert.tasks import answers

from ..checks.compare import as_array, close
from ..checks.exercise import Exercise, Invariant
from ..checks.planted_bugs import planted
from ..checks.student_tests import student_test
from . import bug_hunt, versions
from .hints import HINTS
from .loss_mistakes import LOSS
from .score_mistakes import SCORES
from .span_mistakes import SPANS
from .window_mistakes import SPLIT, right_split


def batch(rng: np.random.Generator, B: int, T: int, dtype: type = np.float64) -> tuple[np.ndarray, ...]:
    """Return random start and end scores (B, T), and the start and end positions of the answers (B,).

    The first sequence has no answer, so both of its positions are 0.
    """
    start_logits, end_logits = rng.normal(0, 1.5, (2, B, T)).astype(dtype)
    starts = rng.integers(1, T - 1, B)
    ends = starts + rng.integers(1, T - starts)
    starts[0] = ends[0] = 0
    return start_logits, end_logits, starts, ends


def loss_cases(rng: np.random.Generator) -> list[tuple]:
    def steps(x):  # values that float32 represents exactly, however large
        return np.round(8 * x) / 8

    start_logits, end_logits, starts, ends = batch(rng, 3, 6)
    start_logits, end_logits = steps(start_logits), steps(end_logits)
    high = start_logits + 1e3, end_logits - 1e3, starts, ends  # exp(1000) overflows
    clear = *(1e3 * (np.arange(6) == places[:, None]) for places in (starts, ends)), starts, ends
    sure = start_logits * 1e3, end_logits * 1e3, starts, ends  # and exp(-1000) is 0
    far = np.array([[0.0], [2e3], [-3e3]])  # rows of different sizes
    long, small = batch(rng, 3, 45), batch(rng, 2, 5)
    one = (np.array([[3.0], [-2.0]]), np.zeros((2, 1)), *np.zeros((2, 2), int))
    return [
        batch(rng, 4, 7),
        batch(rng, 2, 9, np.float32),
        high,
        batch(rng, 5, 3),
        clear,
        sure,
        (sure[0] - 1e4, sure[1] - 1e4, starts, ends),
        (start_logits + far, end_logits - far, starts, ends),
        (small[0] * 1e-8, small[1] * 1e6, *small[2:]),
        batch(rng, 1, 4),
        one,
        batch(rng, 3, 7),
        (steps(long[0]) + far, steps(long[1]) - far, *long[2:]),
    ]


def untrained_loss(f: Callable, rng: np.random.Generator) -> bool:
    return close(f(np.zeros((3, 7)), np.zeros((3, 7)), np.array([1, 0, 6]), np.array([2, 0, 6])), np.log(7))


def shifted_loss(f: Callable, rng: np.random.Generator) -> bool:
    start_logits, end_logits, starts, ends = batch(rng, 3, 6)
    return close(
        f(start_logits + 3, end_logits - 2, starts, ends), as_array(f(start_logits, end_logits, starts, ends))
    )


span_loss = Exercise(
    "span_loss",
    ("start_logits", "end_logits", "starts", "ends"),
    loss_cases,
    reference.span_loss,
    hints=HINTS["span_loss"],
    mistakes=LOSS,
    implementations=(reference.mlm_loss, reference.nsp_loss),
    invariants=(
        Invariant("if all scores are equal, the loss is ln T", untrained_loss),
        Invariant("adding the same number to all start scores changes nothing", shifted_loss),
    ),
)


def span_cases(rng: np.random.Generator) -> list[tuple]:
    """Return inputs for `best_span`: random scores of various lengths, and scores that each test one rule."""

    def drawn(T, longest, dtype=np.float64):
        return (*rng.normal(0, 2, (2, T)).astype(dtype), longest)

    T = int(rng.integers(7, 10))
    behind, before = np.full((2, T), -1.0)
    behind[5], before[1] = 4.0, 5.0  # the best end comes before the best start
    behind[0], before[6] = 3.5, 2.5
    far = np.full((2, T), -2.0)
    # the best ends are too far away for `longest` = 3, 4, 5, 6
    far[0][0], far[1][6], far[1][4], far[1][3] = 6.0, 5.0, 4.0, 3.5
    small = rng.integers(0, 3, (2, 6)).astype(float)  # many equal scores
    alone = np.zeros((2, T))
    alone[0][3] = alone[1][3] = 7.0
    first, hidden = np.full((2, 9), -1.0), np.zeros((2, 9))
    first[0][[0, 5]] = first[1][[1, 2, 5, 8]] = 4.0  # (0, 1), (0, 2), (5, 5) and (5, 8) score the same
    hidden[0], hidden[1] = (
        -np.arange(9.0),
        -np.abs(np.arange(9.0) - 8),
    )  # the answer's start and end are not among the best five
    return [
        (behind, before, T),
        (np.array([5.0, 0.0]), np.array([0.0, 5.0]), 2),  # the whole passage
        *((*far, longest) for longest in (7, 6, 5, 4, 3)),
        (*alone, 4),
        (*(alone - 9.0), 4),
        drawn(12, 4),
        drawn(12, 12),
        drawn(11, 1),
        (*small, 3),
        (*small, 6),
        drawn(9, 5, np.float32),
        drawn(1, 3),
        drawn(1, 1),
        (*first, 4),
        (*np.zeros((2, 5)), 4),
        (*hidden, 1),
        (*rng.normal(0, 1e-8, (2, 7)), 3),
        (*rng.normal(0, 1e6, (2, 7)), 3),
        (np.array([-3.0, -1.0, -2.0]), np.array([-4.0, -5.0, -1.5]), 2),
        (np.array([1.0, 2.0, 3.0]), np.array([-4.0, -5.0, -1.5]), 2),  # all products are negative
        drawn(8, 30),
        *((*(scale * small), longest) for scale in (2.0**-27, 2.0**20) for longest in (3, 6)),
        (*(small - 9), 3),
        (*(small - 9), 6),
        drawn(9, 4),
        *((*x.astype(np.float32), longest) for x in (far, alone, small, first, hidden) for longest in (3, 6)),
    ]


def legal(f: Callable, rng: np.random.Generator) -> bool:
    found = [f(*rng.normal(0, 2, (2, 9)), 4) for _ in range(20)]
    return all(0 <= end - start < 4 for start, end, _ in found)


def best_of_all(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether no allowed span of a short random sequence scores higher than the one f finds."""
    start_logits, end_logits = rng.normal(0, 2, (2, 6))
    score = f(start_logits, end_logits, 3)[2]
    return all(
        start_logits[i] + end_logits[j] <= score + 1e-4 for i in range(6) for j in range(i, min(i + 3, 6))
    )


best_span = Exercise(
    "best_span",
    ("start_logits", "end_logits", "longest"),
    span_cases,
    spans.best_span,
    examples=(
        ((np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0]), 4), (2, 3, 8.0)),
        ((np.array([1.0, 0.0, 5.0, 0.0]), np.array([0.0, 6.0, 0.0, 3.0]), 1), (1, 1, 6.0)),
    ),
    hints=HINTS["best_span"],
    mistakes=SPANS,
    invariants=(
        Invariant("the answer has start <= end and at most `longest` tokens", legal),
        Invariant("no allowed span has a higher score", best_of_all),
    ),
)

test_best_span = student_test("test_best_span", ("best_span",), versions, HINTS["test_best_span"])


def split_cases(rng: np.random.Generator) -> list[tuple]:
    """Return inputs for `split_passage`, with various answers and with last windows that are exactly full."""

    def pieces(count):
        return rng.integers(5, 900, count).tolist()

    long, twice = pieces(11), ["the", "boat", "the", "boat", "by", "the", "boat"]
    places = [(0, 0), (0, 1), (2, 3), (3, 4), (4, 4), (3, 6), (5, 5), (8, 10), (10, 10), (0, 7)]
    cases = [
        *((long, place, 5, 3) for place in places),
        (long, None, 5, 3),
        (pieces(10), (4, 5), 4, 3),
        (pieces(9), (7, 8), 5, 2),
        (pieces(4), (1, 2), 6, 3),
        (pieces(6), (0, 5), 6, 3),
        (pieces(7), (6, 6), 3, 3),
        (pieces(12), (5, 7), 7, 2),
        (pieces(1), None, 3, 1),
        (pieces(7), (3, 4), 5, 1),
        (pieces(3), (1, 1), 1, 1),
        (pieces(5), (0, 4), 5, 2),
        (twice, (2, 3), 5, 2),
        (twice, (6, 6), 4, 3),
        (pieces(8), (1, 6), 4, 2),
        (pieces(45), (20, 22), 7, 3),
        (pieces(50), None, 6, 4),
    ]
    return cases + [(12 * row, *rest) for row, *rest in cases]


def every_piece(f: Callable, rng: np.random.Generator) -> bool:
    pieces = rng.integers(5, 900, 13).tolist()
    seen = {begin + i for begin, window, _ in f(pieces, None, 5, 2) for i in range(len(window))}
    return seen == set(range(13))


def place_holds_the_answer(f: Callable, rng: np.random.Generator) -> bool:
    pieces = list(range(100, 117))
    found = [(list(window), place) for _, window, place in f(pieces, (6, 8), 7, 3) if place is not None]
    return bool(found) and all(window[first : last + 1] == [106, 107, 108] for window, (first, last) in found)


split_passage = Exercise(
    "split_passage",
    ("pieces", "answer", "room", "stride"),
    split_cases,
    right_split,
    examples=(
        (
            (["the", "heron", "came", "from", "port", "ashby", "."], (4, 5), 5, 2),
            [
                (0, ["the", "heron", "came", "from", "port"], None),
                (2, ["came", "from", "port", "ashby", "."], (2, 3)),
            ],
        ),
    ),
    whole=True,
    hints=HINTS["split_passage"],
    mistakes=SPLIT,
    implementations=(spans.windows,),
    invariants=(
        Invariant("every token of the passage is in a window", every_piece),
        Invariant("if a window has a place for the answer, the answer is there", place_holds_the_answer),
    ),
)

ANSWERS = (  # answer, references
    ("The red boat", ["red boat"]),
    ("in the red boat", ["Red boat", "a boat"]),
    ("Cat's cradle!", ["cats cradle"]),
    ("the theatre, an anthem", ["theatre anthem"]),
    ("tre band", ["theatre band"]),
    ("a man and an apple", ["man apple"]),
    ("", [""]),
    ("", ["1904"]),
    ("the", [""]),
    ("1904", [""]),
    ("1904", ["1906"]),
    ("tom tom tom", ["Tom Tom"]),
    ("tom", ["tom tom tom"]),
    ('"The" end', ["end"]),
    ("forty metres", ["forty metres above the water", "forty metres"]),
    ("north-west wind", ["northwest", "north west wind"]),
    ("an old, old, old boat", ["the old boat of old", "boat"]),
    ("x y", ["x", "y z x y q r", "z"]),
    ("red boat", ["blue car", "red boat"]),
    ("red boat", ["red boat", "blue car"]),
    ("boat red", ["red boat"]),
    ("boat red", ["red boat", "boat red"]),
    ("red red boat", ["red boat boat"]),
    ("\u201cred\u201d boat", ["red boat"]),
    ("under_score", ["underscore"]),
    ("$5 + 3", ["5 3"]),
    ("red - boat", ["red boat"]),
    ("red\tboat\n", ["red  boat"]),
    ("boat the", ["boat"]),
    ("a red a boat", ["the red boat"]),
    ("!?", [""]),
    ("", ["boat", ""]),
    ("boat", ["", "red boat"]),
    ("3.5 metres", ["35 metres"]),
    ("red boat", ["red", "boat"]),
    ("the old, red_boat by the (sea) and a very old car", ["old redboat by the sea and one very old house"]),
    ("", ["the", "the"]),
    ("red boat", ["blue", "red", "red"]),
    ("Emily Roebling", ["Emily", "Emily and John Roebling", "his wife"]),
)
WORDS = ("the", "a", "Boat", "boat", "red", "red,", "An", "1904.", "old", "Tom's", "sea")


def score_cases(rng: np.random.Generator) -> list[tuple]:
    def text(most):
        return " ".join(WORDS[i] for i in rng.integers(0, len(WORDS), int(rng.integers(1, most))))

    drawn = [(text(7), [text(6) for _ in range(int(rng.integers(1, 4)))]) for _ in range(8)]
    return [*((answer, list(gold)) for answer, gold in ANSWERS), *drawn]


def order_of_references(f: Callable, rng: np.random.Generator) -> bool:
    gold = ["red boat", "the old boat", "sea"]
    return all(
        close(f(answer, gold), tuple(f(answer, gold[::-1]))) for answer in ("boat", "old sea", "the red boat")
    )


exact_match_and_f1 = Exercise(
    "exact_match_and_f1",
    ("answer", "gold"),
    score_cases,
    answers.exact_match_and_f1,
    examples=(
        (("in Marlow town", ["Marlow town", "Ashby"]), (0.0, 0.8)),
        (("The  Cat's!", ["cats"]), (1.0, 1.0)),
    ),
    free=("answer",),
    hints=HINTS["exact_match_and_f1"],
    mistakes=SCORES,
    implementations=(answers.normalize_answer,),
    invariants=(
        Invariant(
            "an answer that equals its only reference gets 1 and 1",
            lambda f, rng: close(f("The Red Boat!", ["The Red Boat!"]), (1.0, 1.0)),
        ),
        Invariant("the order of the references does not matter", order_of_references),
    ),
)

answer_question = planted(
    "answer_question",
    ("windows", "threshold"),
    bug_hunt.cases,
    bug_hunt.version,
    bug_hunt.BROKEN,
    bug_hunt.KEPT,
    left_out=("whole", "equal", "ties"),  # if scores are equal, any span may win
    parts=bug_hunt.parts,
    hints=HINTS["answer_question"],
    mistakes=bug_hunt.MISTAKES,
    builds_on=(best_span,),
)
