"""Known mistakes in `factorised_parameters` (the count of ALBERT's parameters), and the test inputs.

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
    """Draw small sizes that all differ, except for those in `fixed`."""
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
    """Return the sizes of ALBERT-base and BERT-base, and small ones that cover E below, at and above D."""
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
    only the words have the width E in your count. Positions and segments have it too, because the sum of the
    three embeddings is what gets projected.
        $embeddings => V * E + (positions + segments) * D + 2 * E
    the LayerNorm of the embeddings has the width E, because it comes before the projection.
        $embeddings => (V + positions + segments) * E + 2 * D
    only the words have the width E in your count, and the LayerNorm has the width D. Positions, segments and
    LayerNorm have the width E, too: the projection comes last.
        $embeddings => V * E + (positions + segments) * D + 2 * D
    the LayerNorm of the embeddings is missing. It has a weight and a bias for each of the E numbers.
        $embeddings => (V + positions + segments) * E
    a LayerNorm has a weight and a bias, so in the embeddings it has 2 E numbers, not E.
        $embeddings => (V + positions + segments) * E + E
    the positions are missing from the embeddings. They have a table of max_position_embeddings rows.
        $embeddings => (V + segments) * E + 2 * E
    the segments are missing from the embeddings. They have a table of type_vocab_size rows.
        $embeddings => (V + positions) * E + 2 * E
    positions and segments are missing from the embeddings. Each has its own table.
        $embeddings => V * E + 2 * E
    the embeddings have the width D in your count, as in BERT. Here they have the width E.
        $embeddings => (V + positions + segments) * D + 2 * D
    the projection is a linear layer, so it has a bias of D numbers in addition to its matrix.
        $projection => E * D if E != D else 0
    the bias of a linear layer is as wide as its output. For the projection that is D numbers, not E.
        $projection => E * D + E if E != D else 0
    if E equals D, there is nothing to project: the count is 0.
        $projection => E * D + D
    your projection has no bias, and you count it even if E equals D. It is a linear layer from E to D,
    and 0 if the two are equal.
        $projection => E * D
    you count the projection only if E is below D. A wider embedding is projected, too.
        $projection => E * D + D if E < D else 0
    each word has its own projection in your count. All words share a single one, from E to D.
        $projection => V * (E * D + D) if E != D else 0
    the projection is missing. Its count is 0 only if E equals D.
        $projection => 0
    you do not use `shared`. If it is True, all layers use the parameters of one.
        $times => L
    your layers always share their parameters. Without `shared`, each of the L layers has its own.
        $times => 1
    this is the wrong way round. With `shared` the layers count once, without it L times.
        $times => (L if shared else 1)
    with `shared`, your layers share only the attention. They share the feed-forward layers, too.
        $times * $layer => $times * attention + L * (feed_forward + norms)
    with `shared`, your layers share only the feed-forward layers. They share the attention, too.
        $times * $layer => $times * feed_forward + L * (attention + norms)
    with `shared`, your layers do not share their LayerNorms. They share everything.
        $times * $layer => $times * (attention + feed_forward) + L * norms
    the attention has four linear layers: query, key, value and output. You count three.
        $attention => 3 * (D * D + D)
    you multiply by the number of heads. It does not change the count, because the heads
    divide the D numbers among them.
        $attention => 4 * config["num_attention_heads"] * (D * D + D)
    the feed-forward layer goes up from D to F and back down to D. These are two matrices, each with a bias.
        $forward => D * F + F
    the two linear layers of the feed-forward layer each have a bias: F numbers and D numbers.
        $forward => 2 * D * F
    the biases of the feed-forward layer have F numbers on the way up and D on the way down.
        $forward => 2 * D * F + 2 * F
        or
        $forward => 2 * D * F + 2 * D
    F is not always 4 D. Take it from intermediate_size.
        $forward => 8 * D * D + 5 * D
    a layer has two LayerNorms, one after the attention and one after the feed-forward layer. With a weight
    and a bias each, they have 4 D numbers.
        $norms => 2 * D
    your layers have 4 D numbers too few. What is missing is either the two LayerNorms, each with a weight and
    a bias, or the biases of the attention's four linear layers.
        $norms => 0
    the pooler is a linear layer from D to D, so it has a bias of D numbers.
        $pooler => "pooler": D * D
    you count the pooler once per layer. It is not part of the layers: there is only one,
    a linear layer from D to D.
        $pooler => "pooler": L * (D * D + D)
    the pooler is missing. It is a linear layer from D to D, applied to [CLS].
        $pooler => "pooler": 0
    your layers have 8 D numbers too few. What is missing are the two LayerNorms, each with a weight and a
    bias, and the biases of the attention's four linear layers.
        $norms => 0
        $attention => 4 * D * D
    no linear layer has a bias in your count. Each has one, as wide as its output.
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
