"""Test inputs for `span_boundary_inputs`, SpanBERT's output head, and common mistakes.

Joshi et al. (2020, arXiv 1907.10529), section 3.2. Axes: B batch, T tokens, D hidden, N masked tokens, P rows
of the table of position embeddings.
"""

from collections.abc import Callable

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import span_boundary_inputs

# One sequence per string, 1 = masked. The first and the last token of a sequence are never masked.
SHAPES = (
    ("0110",),
    ("01011100", "00000010"),
    ("0101010", "0000000", "0011110"),
    ("010",),
    ("00111011000",),
    ("0111110", "0110010"),
)


def masks(shape: tuple[str, ...]) -> np.ndarray:
    return np.array([[sign == "1" for sign in row] for row in shape])  # (B, T)


def allowed(hidden: np.ndarray, chosen: np.ndarray, place_embeddings: np.ndarray) -> bool:
    """Return whether a token is masked, but neither the first nor the last of a sequence."""
    return bool(chosen.any() and not chosen[:, [0, -1]].any())


def inputs(
    rng: np.random.Generator, shape: tuple[str, ...], D: int = 3, more: int = 0, dtype: type = np.float64
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (hidden, chosen, place_embeddings); the last `more` rows of place_embeddings are not used."""
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

    you count places from 0. Count from 1: the first token of a span uses row 1 of the table.
        $place => $place - 1
    you read the neighbours of each token, which may be masked. Read the two tokens around the span.
        $before, $behind => hidden[rows, positions - 1], hidden[rows, positions + 1]
    you read the first and the last token of the span, which are masked. Read the two tokens around it.
        $before, $behind => hidden[rows, left + 1], hidden[rows, right - 1]
    on the left you read the first token of the span, which is masked. Read the token before it.
        $before => hidden[rows, left + 1]
    on the right you read the last token of the span, which is masked. Read the token after it.
        $behind => hidden[rows, right - 1]
    on the left you read a token too far from the span. Read the token immediately before the span.
        $before => hidden[rows, left - 1]
    on the right you read the first token of the text. Read the token immediately after the span.
        $behind => hidden[rows, 0]
    you swapped left and right. The token before the span comes first, then the token after it.
        $before, $behind => $behind, $before
    the place embedding comes first. The order is left, right, place.
        (around, axis => (around[2:] + around[:2], axis
    the place embedding is in the middle. The order is left, right, place.
        (around, axis => (around[::2] + around[1:2], axis
    you count places from the right end of the span. Count them from the left end.
        $place => right - positions
    you use the position in the text as the place. Use the position within the span, counted from 1.
        $place => positions
    you continue to count places from one span to the next. Start again at 1 in each span.
        $place => np.cumsum(chosen, axis=1)[chosen]
    you use the length of a span as the place of each token. Count the tokens from 1.
        $place => right - left - 1
    you give each token of a span place 1. Count the tokens from 1.
        $place => 0 * left + 1
    you read all hidden states from the first sequence. Read them from the sequence that contains the span.
        hidden[rows =>> hidden[0 * rows
    your left part is always [CLS], the first token. Read the token immediately before the span.
        $before => hidden[rows, 0]
    your right part is always the last token of the sequence. Read the token immediately after the span.
        $behind => hidden[rows, -1]
    you use the token before the span on both sides. Use the token after it on the right.
        $behind => $before
    you use the token after the span on both sides. Use the token before it on the left.
        $before => $behind
    you add the three parts. Concatenate them, so that each row has 3 D numbers.
        $side_by_side => np.sum(around, axis=0)
    you stack the three parts along a new axis. Concatenate them along the last axis, so that each row has 3 D
    numbers.
        $side_by_side => np.stack(around, axis=1)
    you concatenate the three parts along the first axis. Use the last axis, so that each row has 3 D numbers.
        $side_by_side => np.concatenate(around)
    you return a row for every token. Return rows only for the masked tokens, where `chosen` is True.
        np.nonzero(chosen) => np.indices(chosen.shape).reshape(2, -1)
        edge[chosen] => edge.ravel()
    you treat all masked tokens of a sequence as one span. A token that is not masked ends a span.
        rows, positions = => together = np.maximum.accumulate\nrows, positions =
        run_edges(chosen) => run_edges(together(chosen, 1) & together(chosen[:, ::-1], 1)[:, ::-1])
    you return one row for each span. Return one row for each token of a span, each with its own place.
        $side_by_side => $side_by_side[positions == left + 1]
    the place embedding is missing. Without it, all tokens of a span get the same prediction.
        (around, axis => (around[:2], axis
    """,
) + pairs_of_edits(
    span_boundary_inputs,
    r"""
    places are counted from 0, not from 1
        positions - left => positions - left - 1
    left and right are swapped, although the left one should come first
        (around, axis => (around[1::-1] + around[2:], axis
    all hidden states are read from the first sequence, not from the sequence of the span
        around = => rows = 0 * rows\naround =
    the position in the text is used as the place, not the position within the span
        positions - left => positions
    the first token of the span is read on the left, not the token before it
        hidden[rows, left] => hidden[rows, left + 1]
    """,
)


def span_is_not_read(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's result is independent of the hidden states at masked tokens."""
    hidden, chosen, places = inputs(rng, SHAPES[1])
    other = np.where(chosen[..., None], rng.normal(size=hidden.shape), hidden)
    return np.array_equal(f(hidden, chosen, places), f(other, chosen, places))


def tokens_of_a_span_differ_in_place(f: Callable, rng: np.random.Generator) -> bool:
    """Return whether f's results for two tokens of a span differ only in their place embeddings."""
    hidden, chosen, places = inputs(rng, SHAPES[0])
    first, second = f(hidden, chosen, places)
    return np.array_equal(first[:6], second[:6]) and not np.array_equal(first[6:], second[6:])


def sequences_do_not_meet(f: Callable, rng: np.random.Generator) -> bool:
    hidden, chosen, places = inputs(rng, SHAPES[5])
    alone = [f(hidden[b : b + 1], chosen[b : b + 1], places) for b in range(2)]
    return np.array_equal(f(hidden, chosen, places), np.concatenate(alone))
