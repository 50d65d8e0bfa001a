"""Known mistakes about `factorised_parameters`, the count of ALBERT's parameters, and its inputs.

Lan et al. (2020, arXiv 1909.11942), section 3.1 and table 1. V vocabulary, E embeddings, D hidden, F
feed-forward, L layers.
"""

import numpy as np

from ..checks.edits import edits, pairs_of_edits
from .definitions import factorised_parameters

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
    """Draw small sizes that all differ, except for those that are `fixed`."""
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
    """Return ALBERT-base and BERT-base; then E below, above and equal to D, one layer and one segment."""
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


PIECES = """
    $embeddings = (V + positions + segments) * E + 2 * E
    $projection = E * D + D if E != D else 0
    $times = (1 if shared else L)
    $layer = (attention + feed_forward + norms)
    $attention = 4 * (D * D + D)
    $forward = D * F + F + F * D + D
    $norms = 2 * 2 * D
    $pooler = "pooler": D * D + D
    """
COUNT = edits(
    factorised_parameters,
    PIECES
    + """
    only the words have the width E in your count. Positions and segments have it too: the sum of the three is
    what gets projected.
        $embeddings => V * E + (positions + segments) * D + 2 * E
    the LayerNorm of the embeddings has the width E: it comes before the projection.
        $embeddings => (V + positions + segments) * E + 2 * D
    only the words have the width E in your count, and the LayerNorm has the width D. Positions, segments and
    LayerNorm have the width E, too: the projection comes last.
        $embeddings => V * E + (positions + segments) * D + 2 * D
    the LayerNorm of the embeddings is missing: a weight and a bias for each of its E numbers.
        $embeddings => (V + positions + segments) * E
    a LayerNorm has a weight and a bias: 2 E numbers in the embeddings, not E.
        $embeddings => (V + positions + segments) * E + E
    the positions are missing among the embeddings: they have a table of max_position_embeddings rows.
        $embeddings => (V + segments) * E + 2 * E
    the segments are missing among the embeddings: they have a table of type_vocab_size rows.
        $embeddings => (V + positions) * E + 2 * E
    positions and segments are missing among the embeddings: each has its own table.
        $embeddings => V * E + 2 * E
    the embeddings have the width D in your count. That is BERT: here they have the width E.
        $embeddings => (V + positions + segments) * D + 2 * D
    the projection is a linear layer: it has a bias of D numbers in addition to its matrix.
        $projection => E * D if E != D else 0
    the bias of the projection is as wide as what comes out: D numbers, not E.
        $projection => E * D + E if E != D else 0
    where E is D, nothing needs projecting: 0.
        $projection => E * D + D
    the projection has no bias in your count, and is there where E is D. It is a linear layer from E to D, and
    0 where the two are equal.
        $projection => E * D
    the projection is counted only where E is below D. A wider embedding is projected, too.
        $projection => E * D + D if E < D else 0
    each word has its own projection in your count. All words share one, E x D.
        $projection => V * (E * D + D) if E != D else 0
    the projection is missing: it is 0 only where E is D.
        $projection => 0
    `shared` is not used: your layers never share. With it, all layers use the parameters of one.
        $times => L
    your layers always share. Without `shared` each of the L layers has its own parameters.
        $times => 1
    this is the wrong way round: with `shared` the layers count once, without it L times.
        $times => (L if shared else 1)
    with `shared` only the attention is shared in your count. The feed-forward layers are, too.
        $times * $layer => $times * attention + L * (feed_forward + norms)
    with `shared` only the feed-forward layers are shared in your count. The attention is, too.
        $times * $layer => $times * feed_forward + L * (attention + norms)
    with `shared` the LayerNorms of the layers are shared, too: everything in a layer is.
        $times * $layer => $times * (attention + feed_forward) + L * norms
    the attention has four linear layers: query, key, value and output. You count three.
        $attention => 3 * (D * D + D)
    the number of heads changes nothing: the heads divide the D numbers among them.
        $attention => 4 * config["num_attention_heads"] * (D * D + D)
    the feed-forward layer goes up from D to F and down again: two matrices with a bias each.
        $forward => D * F + F
    the two linear layers of the feed-forward layer have a bias each: F numbers and D numbers.
        $forward => 2 * D * F
    the biases of the feed-forward layer are F numbers on the way up and D on the way down.
        $forward => 2 * D * F + 2 * F
        or
        $forward => 2 * D * F + 2 * D
    F is not always 4 D: take intermediate_size.
        $forward => 8 * D * D + 5 * D
    a layer has two LayerNorms, one behind the attention and one behind the feed-forward layer, with a weight
    and a bias each: 4 D numbers.
        $norms => 2 * D
    each layer lacks 4 D numbers in your count: either its two LayerNorms, with a weight and a bias each, or
    the biases of the attention's four linear layers.
        $norms => 0
    the pooler is a linear layer from D to D: it has a bias of D numbers.
        $pooler => "pooler": D * D
    the pooler is not part of the layers: it is there once, a linear layer from D to D.
        $pooler => "pooler": L * (D * D + D)
    the pooler is missing: a linear layer from D to D, on [CLS].
        $pooler => "pooler": 0
    each layer lacks 8 D numbers in your count: its two LayerNorms, with a weight and a bias each, and the
    biases of the attention's four linear layers.
        $norms => 0
        $attention => 4 * D * D
    no linear layer has a bias in your count. Each has one, as wide as what comes out of it.
        $attention => 4 * D * D
        $forward => 2 * D * F
        $projection => E * D if E != D else 0
        $pooler => "pooler": D * D
    """,
) + pairs_of_edits(
    factorised_parameters,
    PIECES
    + """
    the projection has no bias
        $projection => E * D if E != D else 0
    only the words have the width E
        $embeddings => V * E + (positions + segments) * D + 2 * E
    the LayerNorm has the width E
        $embeddings => (V + positions + segments) * E + 2 * D
    `shared` is not used
        $times * $layer => L * $layer
    only the attention is shared
        $times * $layer => $times * attention + L * (feed_forward + norms)
    a layer has two LayerNorms
        $norms => 2 * D
    the pooler has no bias
        $pooler => "pooler": D * D
    """,
)
