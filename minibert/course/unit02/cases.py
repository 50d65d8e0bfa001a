"""Inputs for the checks of unit 02.

Axes: B batch, T queries, S keys, H heads, K head size, D hidden, F feed-forward. Most inputs have axes of
different lengths, to reveal swapped axes, and small scores, to keep softmax away from 0 and 1.
"""

import numpy as np

from minibert import config
from minibert.data.batch import visible_all, visible_causal

from .random_weights import attention_weights, layer_weights, rows, with_huge_values

PADDED = np.array([[True] * 5, [True] * 3 + [False] * 2])  # (B, T): the second row ends in two [PAD]


def softmax_cases(rng: np.random.Generator) -> list[tuple]:
    x, near = rows(rng, 3, 4, 5), 1e4 - np.arange(4.0)  # exp(1e4) overflows
    wide = np.array([1e4, 0.0, -1e4, -2e4])
    return [
        (x, -1),
        (x, 1),
        (x, 0),
        (rows(rng, 1, 7, 2),),
        (rows(rng, 5), 0),
        (rows(rng, 2, 6, dtype=np.float32), -1),
        (np.stack([near, -near, wide, rows(rng, 4)]), -1),
        (np.stack([-near, -near - 5.0, -800.0 - rows(rng, 4)]), -1),  # only very low scores
        (np.stack([300 * rows(rng, 4), rows(rng, 4) - 900, rows(rng, 4) + 600]), 1),
        (np.array([[95.0, 100.0, -110.0], [-120.0, -119.0, -118.5]], np.float32), -1),
        (rows(rng, 3, 6).round(), 0),
        (rows(rng, 6, 4)[::-2].T, -2),
        (rows(rng, 1, 1), -1),
        (np.array([[2.0, 2.0, -1e6], [1e-8, 2e-8, 0.0]]), 1),
        (rows(rng, 2, 3, 2, 4), 2),
        (1e-8 * rows(rng, 3, 4), 0),
        (1e6 - rng.integers(9, size=(4, 3)), 1),
        (1e4 * rows(rng, 1, 2), 1),
        (1e4 * rows(rng, 2, 1), 1),
        (np.full((2, 3), -2e6), 0),
        (np.array([[2e3, 0.0, -2e3], [3.0, 0.0, 1e4]]), 1),
        *(
            (np.array(low, np.float32), axis)
            for axis in (0, -1)
            for low in ([[95], [-120]], 2 * [3 * [-110]], [[95, 100, 95], [-120, -119, -120]])
        ),
    ]


def some_visible(rng: np.random.Generator, *shape: int) -> np.ndarray:
    """Return a random bool attention mask of this shape that lets every query attend to the first key."""
    visible = rng.random(shape) < 0.6
    visible[..., 0] = True
    return visible


def loud_hidden_key(rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    """Return attention inputs q, k, v and mask in which the masked key scores high and the others low."""
    q, k = np.array([[[200.0, 0.0, 0.0, 0.0]]]), np.zeros((1, 3, 4))  # (B, T, K), (B, S, K)
    k[0, :, 0] = [-150.0, -150.01, 200.0]
    return q, k, rows(rng, 1, 3, 4), np.array([[[True, True, False]]])


def attention_cases(rng: np.random.Generator) -> list[tuple]:
    qkv = [rows(rng, 2, t, 4) for t in (3, 5, 5)]
    square = [rows(rng, 4, 3) for _ in range(3)]  # no batch axis
    heads = [rows(rng, 2, 3, t, 5, dtype=np.float32) for t in (4, 6, 6)]  # (B, H, T or S, K)
    padding = np.array([[[True] * 3 + [False] * 2], [[True] * 5]])  # (B, 1, S)
    scores = np.tile(qkv[1].sum(-1)[:, None], (1, 3, 1))  # (B, T, S), the queries are equal
    loudest_hidden = scores < scores.max(-1, keepdims=True)
    return [
        (*qkv, None),
        (*qkv, some_visible(rng, 2, 3, 5)),
        (*qkv, padding),
        (*square, np.tril(np.ones((4, 4), bool))),
        (*heads, some_visible(rng, 2, 1, 4, 6)),
        tuple(rows(rng, 1, t, 2) for t in (3, 5, 5)),
        tuple(100 * rows(rng, 1, t, 2) for t in (3, 5, 5)),
        loud_hidden_key(rng),
        (*qkv, np.array([[[True] * 5], [[True] + [False] * 4]])),
        (rows(rng, 2, 1, 4), rows(rng, 2, 1, 4), 1e4 * rows(rng, 2, 1, 4), None),
        (*(rows(rng, 2, t, 8)[..., ::-2] for t in (3, 5, 5)), some_visible(rng, 3, 5)),
        (*(1e-8 * x for x in qkv[:2]), qkv[2], some_visible(rng, 2, 3, 5)),
        (*qkv[:2], 1e7 * rows(rng, 2, 5, 4), some_visible(rng, 2, 3, 5)),
        (
            np.full((1, 2, 4), 200.0),
            np.full((1, 3, 4), -150.0),
            rows(rng, 1, 3, 4),
            np.tile(np.arange(3) < 2, (1, 2, 1)),
        ),
        (-abs(qkv[0]) - 1, -abs(qkv[1]) - 1, qkv[2], some_visible(rng, 2, 3, 5)),
        (np.full((2, 3, 4), 50.0), 50 * qkv[1], 1e-8 * qkv[2], loudest_hidden),
    ]


def split_cases(rng: np.random.Generator) -> list[tuple]:
    return [
        (rows(rng, 2, 5, 12), 3),
        (rows(rng, 1, 4, 6, dtype=np.float32), 2),
        (rows(rng, 3, 2, 20), 5),
        (rows(rng, 2, 3, 4), 1),
        (rows(rng, 2, 3, 4), 4),
        (rows(rng, 1, 1, 6), 3),
        (rng.integers(9, size=(2, 7, 6)), 2),
        (rows(rng, 12, 5, 2).T[:, ::-1], 3),
        (1e6 * rows(rng, 2, 4, 6).round(), 3),
        (-abs(rows(rng, 1, 4, 6)), 2),
        (rows(rng, 2, 3, 48), 8),
        (rows(rng, 1, 50, 4), 2),
    ]


def multi_head_cases(rng: np.random.Generator) -> list[tuple]:
    x, weights = rows(rng, 2, 5, 12), attention_weights(rng, 12)
    return [
        (x, weights, 3, None),
        (x, weights, 3, visible_all(PADDED[::-1])),
        (x, weights, 3, visible_causal(PADDED)),
        (rows(rng, 1, 4, 6), attention_weights(rng, 6), 2),
        (rows(rng, 3, 2, 20), attention_weights(rng, 20), 5),
        (rows(rng, 2, 3, 8, dtype=np.float32), attention_weights(rng, 8, np.float32), 4),
        *(
            (rows(rng, 2, 5, 8, dtype=np.float32), attention_weights(rng, 8, np.float32), 4, visible)
            for visible in (visible_all(PADDED), visible_causal(PADDED))
        ),
        (rows(rng, 2, 1, 6), attention_weights(rng, 6), 1),
        (rows(rng, 2, 4, 6), attention_weights(rng, 6), 6),
        (x[:, :1], weights, 3, np.ones((2, 1, 1), bool)),
        (x[:1], weights, 3, visible_causal(PADDED)[:1]),
        (x[1:], weights, 3, visible_all(PADDED)[1:]),
        *(
            (abs(x), with_huge_values(weights), 3, visible)
            for visible in (None, visible_all(PADDED[::-1]), visible_causal(PADDED))
        ),
        (rows(rng, 2, 10, 12)[:, ::-2], weights, 3, visible_causal(PADDED)),
    ]


def positions_cases(rng: np.random.Generator) -> list[tuple]:
    return [
        (7, 6),
        (int(rng.integers(20, 60)), 2 * int(rng.integers(7, 20))),
        (3, 10),
        (1, 4),
        (5, 2),
        (1, 2),
        (400, 8),
        (2, 512),
        (700, 2),
    ]


def layer_norm_cases(rng: np.random.Generator) -> list[tuple]:
    x, gamma, beta = 3 * rows(rng, 2, 3, 5) + 1, rows(rng, 5), rows(rng, 5)
    flat = x.copy()
    flat[1, 2] = 0.5  # one row of equal numbers
    small = [rows(rng, *shape, dtype=np.float32) for shape in ((4, 6), (6,), (6,))]
    return [
        (x, gamma, beta, 1e-12),
        (flat, gamma, beta),
        (x, gamma, beta, 0.5),
        (1e4 + 10 * x, gamma, beta, 1e-12),
        (*small, 1e-5),
        (rows(rng, 1, 1, 5), gamma, beta, 1e-12),
        (rows(rng, 5), gamma, beta, 1e-3),
        (1e-6 * x, gamma, beta, 1e-12),
        (1e6 * x, gamma, beta),
        (rows(rng, 3, 1), gamma[:1], beta[:1]),
        (rows(rng, 4, 5).round(), gamma, beta),
        (rows(rng, 2, 2, 3, 5)[..., ::-1], gamma, beta),
        (rows(rng, 1, 1, 5), gamma, beta, 0.5),
        (*small, 0.5),
        (rows(rng, 1, 4, 5), gamma, beta),
        (rows(rng, 2, 1, 5), gamma, beta),
    ]


def encoder_layer_cases(rng: np.random.Generator) -> list[tuple]:
    x, weights = rows(rng, 2, 5, 12), layer_weights(rng, 12, 20)
    return [
        (x, weights, 3, None),
        (x, weights, 3, visible_all(PADDED)),
        (x, weights, 3, visible_causal(PADDED)),
        (rows(rng, 1, 4, 6), layer_weights(rng, 6, 8), 2),
        (rows(rng, 2, 3, 8, dtype=np.float32), layer_weights(rng, 8, 12, np.float32), 4),
        (rows(rng, 2, 1, 6), layer_weights(rng, 6, 8), 1),
        (x[:1], weights, 3, visible_causal(PADDED)[:1]),
        (x[1:], weights, 3, visible_all(PADDED)[1:]),
        *(
            (abs(x), with_huge_values(weights, "attention."), 3, visible)
            for visible in (None, visible_all(PADDED[::-1]), visible_causal(PADDED))
        ),
        (rows(rng, 2, 10, 12)[:, ::-2], weights, 3, visible_causal(PADDED)),
    ]


SIZES = (
    "vocab_size",
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "intermediate_size",
    "max_position_embeddings",
    "type_vocab_size",
)


def count_cases(rng: np.random.Generator) -> list[tuple]:
    def drawn():
        ends = (9000, 30000), (5, 12), (3, 9), (5, 12), (700, 2000), (300, 600), (60, 200)
        vocab, layers, heads, head_size, inner, longest, segments = (
            int(rng.integers(*between)) for between in ends
        )
        return vocab, heads * head_size, layers, heads, inner, longest, segments

    presets = [tuple(getattr(config.preset(name), size) for size in SIZES) for name in ("base", "large")]
    return [
        drawn(),
        *presets,
        drawn(),
    ]  # start with many segments, since two of them count as much as a LayerNorm
