"""Known mistakes about `span_boundary_inputs`, what SpanBERT predicts a span's tokens from, and its inputs.

Joshi et al. (2020, arXiv 1907.10529), section 3.2. Axes: B batch, T tokens, D hidden, N masked tokens, P
rows of the place table.
"""

from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import span_boundary_inputs

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
    """Return (hidden, chosen, place_embeddings); `more` rows of the table than the text has tokens."""
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


BOUNDARY = edits(
    span_boundary_inputs,
    r"""
    $before = hidden[rows, left]
    $behind = hidden[rows, right]
    $place = positions - left
    $side_by_side = np.concatenate(around, axis=-1)

    places are counted from 0 in your answer. The first token of a span has place 1: its embedding is row 1 of
    the table.
        $place => $place - 1
    you read the neighbours of each token, which in a longer span are masked themselves. Read the two tokens
    around the span, which are not masked.
        $before, $behind => hidden[rows, positions - 1], hidden[rows, positions + 1]
    you read the first and the last token of the span itself. Read the two tokens around the span, which are
    not masked.
        $before, $behind => hidden[rows, left + 1], hidden[rows, right - 1]
    on the left you read the first token of the span itself. Read the two tokens around the span, which are
    not masked.
        $before => hidden[rows, left + 1]
    on the right you read the last token of the span itself. Read the two tokens around the span, which are
    not masked.
        $behind => hidden[rows, right - 1]
    on the left you read one token too far out: take the one right before the span.
        $before => hidden[rows, left - 1]
    on the right you read the first token of the text. Take the token right behind the span.
        $behind => hidden[rows, 0]
    left and right have changed places: first the token before the span, then the one behind it.
        $before, $behind => $behind, $before
    the place embedding comes first. The order is left, right, place.
        (around, axis => (around[2:] + around[:2], axis
    the place embedding is in the middle. The order is left, right, place.
        (around, axis => (around[::2] + around[1:2], axis
    places are counted from the right end of the span. Count from the left.
        $place => right - positions
    the place is the position in the text. It is the position in the span, from 1.
        $place => positions
    the place is counted over all masked tokens of a sequence. It begins at 1 in each span.
        $place => np.cumsum(chosen, axis=1)[chosen]
    each token of a span gets the length of the span for its place. Count within the span: 1, 2, ...
        $place => right - left - 1
    each token of a span has place 1. Count within the span: 1, 2, ...
        $place => 0 * left + 1
    all hidden states are those of the first sequence. Each span reads its own sequence.
        hidden[rows =>> hidden[0 * rows
    the left part is always [CLS], the first token. Take the token right before the span.
        $before => hidden[rows, 0]
    the right part is always the last token of the sequence. Take the token right behind the span.
        $behind => hidden[rows, -1]
    left and right are the same token in your answer: the left one. Another token is behind the span.
        $behind => $before
    left and right are the same token in your answer: the right one. Another token is before the span.
        $before => $behind
    the three parts are added up. Put them side by side: 3 D numbers.
        $side_by_side => np.sum(around, axis=0)
    the three parts are stacked along a new axis. Put them side by side: 3 D numbers.
        $side_by_side => np.stack(around, axis=1)
    the three parts are below each other. Put them side by side: 3 D numbers in each row.
        $side_by_side => np.concatenate(around)
    every token has a row in your answer. Only masked tokens are predicted: keep the rows where `chosen` is
    True.
        np.nonzero(chosen) => np.indices(chosen.shape).reshape(2, -1)
        edge[chosen] => edge.ravel()
    all masked tokens of a sequence are one span in your answer. A span ends at a token that is not masked,
    and a sequence may have several.
        rows, positions = => together = np.maximum.accumulate\nrows, positions =
        run_edges(chosen) => run_edges(together(chosen, 1) & together(chosen[:, ::-1], 1)[:, ::-1])
    each span has one row in your answer. Each of its tokens is predicted: give each a row, with its own
    place.
        $side_by_side => $side_by_side[positions == left + 1]
    the place embedding is missing: without it all tokens of a span get the same prediction.
        (around, axis => (around[:2], axis
    """,
) + pairs_of_edits(
    span_boundary_inputs,
    r"""
    places are counted from 0
        positions - left => positions - left - 1
    left and right have changed places
        (around, axis => (around[1::-1] + around[2:], axis
    all hidden states are those of the first sequence
        around = => rows = 0 * rows\naround =
    the place is the position in the text
        positions - left => positions
    on the left the first token of the span itself is read
        hidden[rows, left] => hidden[rows, left + 1]
    """,
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
