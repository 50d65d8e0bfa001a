"""Known mistakes about `span_boundary_inputs`, what SpanBERT predicts a span's tokens from, and its inputs.

Joshi et al. (2020, arXiv 1907.10529), section 3.2. Axes: B batch, T tokens, D hidden, N masked tokens, P
rows of the place table.
"""

from collections.abc import Callable

import numpy as np

from ..checks.exercise import Mistake, pairs

# Sequences by their masked tokens; the last token of each is never masked, nor is the first
SHAPES = (
    ("0110",),
    ("01011100", "00000010"),
    ("0101010", "0011110", "0000000"),
    ("010",),
    ("00111011000",),
    ("0111110", "0110010"),
)


def masks(shape: tuple[str, ...]) -> np.ndarray:
    return np.array([[sign == "1" for sign in row] for row in shape])  # (B, T)


def inputs(
    rng: np.random.Generator, shape: tuple[str, ...], D: int = 3, more: int = 0, dtype: type = np.float64
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(hidden, chosen, place_embeddings); `more` rows of the table than the text has tokens."""
    chosen = masks(shape)
    B, T = chosen.shape
    return (rng.normal(size=(B, T, D)).astype(dtype), chosen, rng.normal(size=(T + more, D)).astype(dtype))


def cases(rng: np.random.Generator) -> list[tuple]:
    return [
        inputs(rng, SHAPES[0], 2),
        inputs(rng, SHAPES[1], 3, 2),
        inputs(rng, SHAPES[2], 4, 1),
        inputs(rng, SHAPES[3], 2, 3),
        inputs(rng, SHAPES[4], 5, 0, np.float32),
        inputs(rng, SHAPES[5], 2, 1),
    ]


def edges(chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """For each token of a span, the position right before the span and right behind it, (B, T) each."""
    T = np.arange(chosen.shape[1])
    left = np.maximum.accumulate(np.where(chosen, 0, T), axis=1)
    right = np.minimum.accumulate(np.where(chosen, chosen.shape[1] - 1, T)[:, ::-1], axis=1)[:, ::-1]
    return left, right


def position(chosen: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.broadcast_to(np.arange(chosen.shape[1]), chosen.shape)


def from_left(chosen: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The place of each token in its span, from 1."""
    return position(chosen, left, right) - left


def left_edge(chosen: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return left


def right_edge(chosen: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return right


def read(hidden: np.ndarray, rows: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return hidden[rows, positions]


def boundary(
    before: Callable = left_edge,
    behind: Callable = right_edge,
    place: Callable = from_left,
    states: Callable = read,
    order: tuple[int, ...] = (0, 1, 2),
    combine: Callable = lambda parts: np.concatenate(parts, -1),
) -> Callable:
    """Build the function with some pieces replaced.

    before, behind, place: numbers (B, T) from the masks and the spans' edges; order: of the three parts.
    """

    def span_boundary_inputs(hidden, chosen, place_embeddings):
        left, right = edges(chosen)
        rows = np.nonzero(chosen)[0]
        first, last, number = (one(chosen, left, right)[chosen] for one in (before, behind, place))
        parts = (states(hidden, rows, first), states(hidden, rows, last), place_embeddings[number])
        return combine([parts[i] for i in order])

    return span_boundary_inputs


def of_the_first_row(hidden: np.ndarray, rows: np.ndarray, positions: np.ndarray) -> np.ndarray:
    return hidden[0, positions]


def among_all_masked(chosen: np.ndarray, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return np.cumsum(chosen, axis=1)


def every_token(hidden: np.ndarray, chosen: np.ndarray, place_embeddings: np.ndarray) -> np.ndarray:
    """The inputs of all tokens, (B * T, 3D), masked or not."""
    left, right = edges(chosen)
    rows = np.arange(len(hidden))[:, None]  # (B, 1)
    parts = hidden[rows, left], hidden[rows, right], place_embeddings[from_left(chosen, left, right)]
    return np.concatenate(parts, axis=-1).reshape(-1, 3 * hidden.shape[-1])


def all_masked_as_one(hidden: np.ndarray, chosen: np.ndarray, place_embeddings: np.ndarray) -> np.ndarray:
    """The inputs if a sequence had one span, from its first masked token to its last."""
    one = np.maximum.accumulate(chosen, 1) & np.maximum.accumulate(chosen[:, ::-1], 1)[:, ::-1]  # (B, T)
    return boundary()(hidden, one, place_embeddings)[chosen[one]]


def a_row_for_each_span(hidden: np.ndarray, chosen: np.ndarray, place_embeddings: np.ndarray) -> np.ndarray:
    first = chosen & ~np.roll(chosen, 1, axis=1)  # of each span, (B, T)
    return boundary()(hidden, chosen, place_embeddings)[first[chosen]]


INSIDE = "Read the two tokens around the span, which are not masked"
BOUNDARY = (
    Mistake(
        "places are counted from 0 in your answer. The first token of a span has place 1: its embedding "
        "is row 1 of the table.",
        boundary(place=lambda c, left, right: from_left(c, left, right) - 1),
    ),
    Mistake(
        f"you read the neighbours of each token, which in a longer span are masked themselves. {INSIDE}.",
        boundary(
            lambda c, left, right: position(c, left, right) - 1,
            lambda c, left, right: position(c, left, right) + 1,
        ),
    ),
    Mistake(
        f"you read the first and the last token of the span itself. {INSIDE}.",
        boundary(lambda c, left, right: left + 1, lambda c, left, right: right - 1),
    ),
    Mistake(
        f"on the left you read the first token of the span itself. {INSIDE}.",
        boundary(lambda c, left, right: left + 1),
    ),
    Mistake(
        f"on the right you read the last token of the span itself. {INSIDE}.",
        boundary(behind=lambda c, left, right: right - 1),
    ),
    Mistake(
        "on the left you read one token too far out: take the one right before the span.",
        boundary(lambda c, left, right: left - 1),
    ),
    Mistake(
        "on the right you read the first token of the text. Take the token right behind the span.",
        boundary(behind=lambda c, left, right: np.zeros_like(right)),
    ),
    Mistake(
        "left and right have changed places: first the token before the span, then the one behind it.",
        boundary(order=(1, 0, 2)),
    ),
    Mistake("the place embedding stands first. The order is left, right, place.", boundary(order=(2, 0, 1))),
    Mistake(
        "the place embedding stands in the middle. The order is left, right, place.",
        boundary(order=(0, 2, 1)),
    ),
    Mistake(
        "places are counted from the right end of the span. Count from the left.",
        boundary(place=lambda c, left, right: right - position(c, left, right)),
    ),
    Mistake(
        "the place is the position in the text. It is the position in the span, from 1.",
        boundary(place=position),
    ),
    Mistake(
        "the place goes on over all masked tokens of a sequence. It begins at 1 in each span.",
        boundary(place=among_all_masked),
    ),
    Mistake(
        "each token of a span gets the length of the span for its place. Count within the span: 1, 2, ...",
        boundary(place=lambda c, left, right: right - left - 1),
    ),
    Mistake(
        "each token of a span has place 1. Count within the span: 1, 2, ...",
        boundary(place=lambda c, left, right: np.ones_like(left)),
    ),
    Mistake(
        "all hidden states are those of the first sequence. Each span reads its own sequence.",
        boundary(states=of_the_first_row),
    ),
    Mistake(
        "the left part is always [CLS], the first token. Take the token right before the span.",
        boundary(before=lambda c, left, right: np.zeros_like(left)),
    ),
    Mistake(
        "the right part is always the last token of the sequence. Take the token right behind the span.",
        boundary(behind=lambda c, left, right: np.full_like(right, c.shape[1] - 1)),
    ),
    Mistake(
        "left and right are the same token in your answer: the left one. Behind the span stands another.",
        boundary(behind=left_edge),
    ),
    Mistake(
        "left and right are the same token in your answer: the right one. Before the span stands another.",
        boundary(before=right_edge),
    ),
    Mistake(
        "the three parts are added up. They stand side by side: 3 D numbers.",
        boundary(combine=lambda parts: np.sum(parts, 0)),
    ),
    Mistake(
        "the three parts are stacked along an axis of their own. They stand side by side: 3 D numbers.",
        boundary(combine=lambda parts: np.stack(parts, 1)),
    ),
    Mistake(
        "the three parts are joined below each other. They stand side by side: 3 D numbers in each row.",
        boundary(combine=lambda parts: np.concatenate(parts, 0)),
    ),
    Mistake(
        "every token has a row in your answer. Only masked tokens are predicted: keep the rows where "
        "`chosen` is True.",
        every_token,
    ),
    Mistake(
        "all masked tokens of a sequence are one span in your answer. A span ends at a token that is not "
        "masked, and a sequence may have several.",
        all_masked_as_one,
    ),
    Mistake(
        "each span has one row in your answer. Each of its tokens is predicted: give each a row, with "
        "its own place.",
        a_row_for_each_span,
    ),
    Mistake(
        "the place embedding is missing: without it all tokens of a span get the same prediction.",
        boundary(order=(0, 1)),
    ),
    *pairs(
        boundary,
        (dict(place=lambda c, left, right: from_left(c, left, right) - 1), "places are counted from 0"),
        (dict(order=(1, 0, 2)), "left and right have changed places"),
        (dict(states=of_the_first_row), "all hidden states are those of the first sequence"),
        (dict(place=position), "the place is the position in the text"),
        (
            dict(before=lambda c, left, right: left + 1),
            "on the left the first token of the span itself is read",
        ),
    ),
)


def span_is_not_read(f: Callable, rng: np.random.Generator) -> bool:
    """True if the hidden states of masked tokens change nothing."""
    hidden, chosen, places = inputs(rng, SHAPES[1])
    other = np.where(chosen[..., None], rng.normal(size=hidden.shape), hidden)
    return np.array_equal(f(hidden, chosen, places), f(other, chosen, places))


def tokens_of_a_span_differ_in_place(f: Callable, rng: np.random.Generator) -> bool:
    """True if two tokens of a span get the same but for the last third."""
    hidden, chosen, places = inputs(rng, SHAPES[0])
    first, second = f(hidden, chosen, places)
    return np.array_equal(first[:6], second[:6]) and not np.array_equal(first[6:], second[6:])


def sequences_do_not_meet(f: Callable, rng: np.random.Generator) -> bool:
    hidden, chosen, places = inputs(rng, SHAPES[5])
    alone = [f(hidden[b : b + 1], chosen[b : b + 1], places) for b in range(2)]
    return np.array_equal(f(hidden, chosen, places), np.concatenate(alone))
