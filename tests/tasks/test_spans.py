"""Windows over long passages and the best spans in them: the fast paths equal the readable definitions."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from minibert.data.spans import best_span, windows
from minibert.tasks.spans import best_spans, owned, whole_characters

LOGITS = st.integers(1, 14).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(-3, 3), min_size=n, max_size=n)] * 2)
)


@pytest.mark.parametrize(
    "length, room, stride", [(1, 5, None), (5, 5, 2), (6, 5, 2), (23, 5, 5), (24, 6, 1), (7, 2, 9), (0, 4, 2)]
)
def test_windows_cover_every_piece_one_stride_apart_and_no_window_is_idle(length, room, stride):
    starts = windows(length, room, stride)
    assert set(range(length)) <= {i for s in starts for i in range(s, s + room)}
    assert set(np.diff(starts)) <= {min(stride or room // 2, room)}
    assert starts[0] == 0 and all(start + room < length for start in starts[:-1])


@pytest.mark.parametrize("room, stride", [(0, 1), (4, 0), (4, -1)])
def test_windows_without_room_or_stride_are_errors(room, stride):
    with pytest.raises(ValueError, match=f"room={room} and stride={stride} must both be at least 1"):
        windows(9, room, stride)


def most_context(position, spans):
    """The index of the window in which a token has the most context, as `run_squad.py` finds it."""
    values = [
        min(position - begin, end - 1 - position) + 0.01 * (end - begin) if begin <= position < end else -1.0
        for begin, end in spans
    ]
    return int(np.argmax(values))


@given(st.integers(0, 40), st.integers(1, 12), st.integers(1, 12))
@example(310, 300, 150)  # the second window is so much shorter that its length counts
def test_each_piece_is_owned_by_the_window_with_most_context(length, room, stride):
    begins = windows(length, room, stride)
    spans = [(begin, min(begin + room, length)) for begin in begins]
    flags = owned(begins, room, length)
    assert [len(f) for f in flags] == [end - begin for begin, end in spans]
    owners = [
        [w for w, (begin, end) in enumerate(spans) if begin <= i < end and flags[w][i - begin]]
        for i in range(length)
    ]
    assert owners == [[most_context(i, spans)] for i in range(length)]


def test_best_span_is_the_best_of_all_legal_spans():
    rng = np.random.default_rng(0)
    for _ in range(50):
        start, end = rng.normal(size=(2, 12))
        legal = [(start[i] + end[j], i, j) for i in range(12) for j in range(i, min(12, i + 4))]
        assert best_span(start, end, longest=4)[:2] == max(legal)[1:]


def test_ends_before_starts_are_never_chosen():
    assert best_span(np.array([0, 9.0]), np.array([9.0, 0]))[:2] in ((0, 0), (1, 1))


@given(LOGITS, st.integers(1, 6), st.integers(1, 30))
def test_the_best_spans_are_all_legal_spans_sorted_and_the_first_is_the_best_span(logits, longest, count):
    start, end = np.array(logits, np.float32)  # whole numbers: many equal scores
    T = len(start)
    legal = [(i, j, float(start[i] + end[j])) for i in range(T) for j in range(i, min(T, i + longest))]
    found = best_spans(start, end, count, longest)
    assert found == sorted(legal, key=lambda span: (-span[2], span[:2]))[:count]
    assert found[0] == best_span(start, end, longest)


@given(LOGITS, st.data())
def test_spans_start_only_where_they_may(logits, data):
    start, end = np.array(logits, np.float32)
    allowed = np.array(data.draw(st.lists(st.booleans(), min_size=len(start), max_size=len(start))))
    every = best_spans(start, end, 1000, longest=5)
    assert best_spans(start, end, 1000, longest=5, starts=allowed) == [
        span for span in every if allowed[span[0]]
    ]


def test_no_position_has_no_span():
    assert best_spans(np.zeros(0), np.zeros(0), 3) == []
    with pytest.raises(ValueError, match="there are no positions: a span needs at least one"):
        best_span(np.zeros(0), np.zeros(0))


@pytest.mark.parametrize(
    "text, span, expected",
    [
        ("cafe\u0301!", (0, 4), "cafe\u0301"),
        ("नमस्ते।", (0, 3), "नमस्"),
        ("❤\ufe0f x", (0, 1), "❤\ufe0f"),
        ("cafe!", (0, 4), "cafe"),
        ("e\u0301", (0, 1), "e\u0301"),
    ],
)
def test_an_answer_keeps_the_marks_of_its_last_character(text, span, expected):
    start, end = whole_characters(text, *span)
    assert text[start:end] == expected
