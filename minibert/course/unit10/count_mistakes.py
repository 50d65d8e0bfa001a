"""Known mistakes about `factorised_parameters`, the count of ALBERT's parameters, and its inputs.

Lan et al. (2020, arXiv 1909.11942), section 3.1 and table 1. V vocabulary, E embeddings, D hidden, F
feed-forward, L layers, P positions, S segments.
"""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..checks.exercise import Mistake, pairs

NAMES = {
    "V": "vocab_size",
    "E": "embedding_size",
    "D": "hidden_size",
    "L": "num_hidden_layers",
    "F": "intermediate_size",
    "P": "max_position_embeddings",
    "S": "type_vocab_size",
}
ALBERT = {
    "vocab_size": 30000,
    "embedding_size": 128,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
    "max_position_embeddings": 512,
    "type_vocab_size": 2,
}
BERT = ALBERT | {"vocab_size": 30522, "embedding_size": 768}


def sizes(rng: np.random.Generator, **fixed: int) -> dict[str, int]:
    """Small sizes that all differ, drawn anew but for those that are `fixed`."""
    drawn = {
        "vocab_size": int(rng.integers(41, 61)),
        "embedding_size": int(rng.integers(3, 6)),
        "hidden_size": 6 * int(rng.integers(2, 4)),
        "num_hidden_layers": int(rng.choice([2, 6])),
        "num_attention_heads": 3,
        "intermediate_size": int(rng.integers(20, 30)),
        "max_position_embeddings": int(rng.integers(30, 40)),
        "type_vocab_size": 7,
    }
    return drawn | fixed


def cases(rng: np.random.Generator) -> list[tuple]:
    """ALBERT-base and BERT-base; then E below, above and equal to D, one layer and one segment."""
    return [
        (ALBERT, True),
        (BERT, False),
        (sizes(rng), True),
        (sizes(rng), False),
        (sizes(rng, embedding_size=12, hidden_size=12), True),
        (sizes(rng, embedding_size=18, hidden_size=18), False),
        (sizes(rng, num_hidden_layers=1), False),
        (sizes(rng, embedding_size=40), True),
        (sizes(rng, type_vocab_size=1), False),
    ]


def embeddings(c: Any) -> int:
    return (c.V + c.P + c.S) * c.E + 2 * c.E


def projection(c: Any) -> int:
    return c.E * c.D + c.D if c.E != c.D else 0


def attention(c: Any) -> int:
    return 4 * (c.D * c.D + c.D)


def feed_forward(c: Any) -> int:
    return c.D * c.F + c.F + c.F * c.D + c.D


def norms(c: Any) -> int:
    return 4 * c.D


def pooler(c: Any) -> int:
    return c.D * c.D + c.D


def times(L: int, shared: bool) -> tuple[int, int, int]:
    """How many attentions, feed-forwards and pairs of LayerNorms count."""
    return (1, 1, 1) if shared else (L, L, L)


def counted(
    embeddings: Callable = embeddings,
    projection: Callable = projection,
    attention: Callable = attention,
    feed_forward: Callable = feed_forward,
    norms: Callable = norms,
    times: Callable = times,
    pooler: Callable = pooler,
) -> Callable:
    """Build the count with some pieces replaced."""

    def wrong(config, shared):
        c = SimpleNamespace(**{short: config[name] for short, name in NAMES.items()})
        parts = zip(times(c.L, shared), (attention, feed_forward, norms))
        return {
            "embeddings": embeddings(c),
            "projection": projection(c),
            "layers": sum(number * part(c) for number, part in parts),
            "pooler": pooler(c),
        }

    return wrong


COUNT = (
    Mistake(
        "only the words have the width E in your count. Positions and segments have it too: the sum of "
        "the three is what gets projected.",
        counted(lambda c: c.V * c.E + (c.P + c.S) * c.D + 2 * c.E),
    ),
    Mistake(
        "the LayerNorm of the embeddings has the width E: it comes before the projection.",
        counted(lambda c: (c.V + c.P + c.S) * c.E + 2 * c.D),
    ),
    Mistake(
        "only the words have the width E in your count, and the LayerNorm has the width D. Positions, "
        "segments and LayerNorm have the width E, too: the projection comes last.",
        counted(lambda c: c.V * c.E + (c.P + c.S) * c.D + 2 * c.D),
    ),
    Mistake(
        "the LayerNorm of the embeddings is missing: a weight and a bias for each of its E numbers.",
        counted(lambda c: (c.V + c.P + c.S) * c.E),
    ),
    Mistake(
        "a LayerNorm has a weight and a bias: 2 E numbers in the embeddings, not E.",
        counted(lambda c: (c.V + c.P + c.S) * c.E + c.E),
    ),
    Mistake(
        "the positions are missing among the embeddings: they have a table of max_position_embeddings rows.",
        counted(lambda c: (c.V + c.S) * c.E + 2 * c.E),
    ),
    Mistake(
        "the segments are missing among the embeddings: they have a table of type_vocab_size rows.",
        counted(lambda c: (c.V + c.P) * c.E + 2 * c.E),
    ),
    Mistake(
        "positions and segments are missing among the embeddings: each has a table of its own.",
        counted(lambda c: c.V * c.E + 2 * c.E),
    ),
    Mistake(
        "the embeddings have the width D in your count. That is BERT: here they have the width E.",
        counted(lambda c: (c.V + c.P + c.S) * c.D + 2 * c.D),
    ),
    Mistake(
        "the projection is a linear layer: it has a bias of D numbers beside its matrix.",
        counted(projection=lambda c: c.E * c.D if c.E != c.D else 0),
    ),
    Mistake(
        "the bias of the projection is as wide as what comes out: D numbers, not E.",
        counted(projection=lambda c: c.E * c.D + c.E if c.E != c.D else 0),
    ),
    Mistake("where E is D, nothing needs projecting: 0.", counted(projection=lambda c: c.E * c.D + c.D)),
    Mistake(
        "the projection has no bias in your count, and is there where E is D. It is a linear layer from "
        "E to D, and 0 where the two are equal.",
        counted(projection=lambda c: c.E * c.D),
    ),
    Mistake(
        "the projection is counted only where E is below D. A wider embedding is projected, too.",
        counted(projection=lambda c: c.E * c.D + c.D if c.E < c.D else 0),
    ),
    Mistake(
        "each word has a projection of its own in your count. All words share one, E x D.",
        counted(projection=lambda c: c.V * (c.E * c.D + c.D) if c.E != c.D else 0),
    ),
    Mistake("the projection is missing: it is 0 only where E is D.", counted(projection=lambda c: 0)),
    Mistake(
        "`shared` is not used: your layers never share. With it, all layers use the parameters of one.",
        counted(times=lambda L, shared: (L, L, L)),
    ),
    Mistake(
        "your layers always share. Without `shared` each of the L layers has parameters of its own.",
        counted(times=lambda L, shared: (1, 1, 1)),
    ),
    Mistake(
        "this is the wrong way round: with `shared` the layers count once, without it L times.",
        counted(times=lambda L, shared: times(L, not shared)),
    ),
    Mistake(
        "with `shared` only the attention is shared in your count. The feed-forward layers are, too.",
        counted(times=lambda L, shared: (1, L, L) if shared else (L, L, L)),
    ),
    Mistake(
        "with `shared` only the feed-forward layers are shared in your count. The attention is, too.",
        counted(times=lambda L, shared: (L, 1, L) if shared else (L, L, L)),
    ),
    Mistake(
        "with `shared` the LayerNorms of the layers are shared, too: everything in a layer is.",
        counted(times=lambda L, shared: (1, 1, L) if shared else (L, L, L)),
    ),
    Mistake(
        "the attention has four linear layers: query, key, value and output. You count three.",
        counted(attention=lambda c: 3 * (c.D * c.D + c.D)),
    ),
    Mistake(
        "the number of heads changes nothing: the heads divide the D numbers among them.",
        lambda config, shared: counted(attention=lambda c: config["num_attention_heads"] * attention(c))(
            config, shared
        ),
    ),
    Mistake(
        "the feed-forward layer goes up from D to F and down again: two matrices with a bias each.",
        counted(feed_forward=lambda c: c.D * c.F + c.F),
    ),
    Mistake(
        "the two linear layers of the feed-forward layer have a bias each: F numbers and D numbers.",
        counted(feed_forward=lambda c: 2 * c.D * c.F),
    ),
    Mistake(
        "the biases of the feed-forward layer are F numbers on the way up and D on the way down.",
        counted(feed_forward=lambda c: 2 * c.D * c.F + 2 * c.F),
    ),
    Mistake(
        "the biases of the feed-forward layer are F numbers on the way up and D on the way down.",
        counted(feed_forward=lambda c: 2 * c.D * c.F + 2 * c.D),
    ),
    Mistake(
        "F is not always 4 D: take intermediate_size.",
        counted(feed_forward=lambda c: 8 * c.D * c.D + 5 * c.D),
    ),
    Mistake(
        "a layer has two LayerNorms, one behind the attention and one behind the feed-forward layer, "
        "with a weight and a bias each: 4 D numbers.",
        counted(norms=lambda c: 2 * c.D),
    ),
    Mistake(
        "each layer lacks 4 D numbers in your count: either its two LayerNorms, with a weight and a bias "
        "each, or the biases of the attention's four linear layers.",
        counted(norms=lambda c: 0),
    ),
    Mistake(
        "the pooler is a linear layer from D to D: it has a bias of D numbers.",
        counted(pooler=lambda c: c.D * c.D),
    ),
    Mistake(
        "the pooler is no part of the layers: it is there once, a linear layer from D to D.",
        counted(pooler=lambda c: c.L * (c.D * c.D + c.D)),
    ),
    Mistake("the pooler is missing: a linear layer from D to D, on [CLS].", counted(pooler=lambda c: 0)),
    Mistake(
        "each layer lacks 8 D numbers in your count: its two LayerNorms, with a weight and a bias each, "
        "and the biases of the attention's four linear layers.",
        counted(norms=lambda c: 0, attention=lambda c: 4 * c.D * c.D),
    ),
    Mistake(
        "no linear layer has a bias in your count. Each has one, as wide as what comes out of it.",
        counted(
            attention=lambda c: 4 * c.D * c.D,
            feed_forward=lambda c: 2 * c.D * c.F,
            projection=lambda c: c.E * c.D if c.E != c.D else 0,
            pooler=lambda c: c.D * c.D,
        ),
    ),
    *pairs(
        counted,
        (dict(projection=lambda c: c.E * c.D if c.E != c.D else 0), "the projection has no bias"),
        (
            dict(embeddings=lambda c: c.V * c.E + (c.P + c.S) * c.D + 2 * c.E),
            "only the words have the width E",
        ),
        (dict(embeddings=lambda c: (c.V + c.P + c.S) * c.E + 2 * c.D), "the LayerNorm has the width E"),
        (dict(times=lambda L, shared: (L, L, L)), "`shared` is not used"),
        (dict(times=lambda L, shared: (1, L, L) if shared else (L, L, L)), "only the attention is shared"),
        (dict(norms=lambda c: 2 * c.D), "a layer has two LayerNorms"),
        (dict(pooler=lambda c: c.D * c.D), "the pooler has no bias"),
    ),
)
