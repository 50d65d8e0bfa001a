"""Test inputs for `factorised_parameters`, which counts ALBERT's parameters, and common mistakes.

Lan et al. (2020, arXiv 1909.11942), section 3.1 and table 1. Axes: V vocabulary, E embeddings, D hidden, F
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
    """Return random, distinct sizes for a small model, with those in `fixed` in place of random ones."""
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
    """Return sizes of ALBERT-base, BERT-base, and small models with E below, equal to and above D."""
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
    only the words have the width E in your count. So do positions and segments, because their sum is
    projected.
        $embeddings => V * E + (positions + segments) * D + 2 * E
    your LayerNorm of the embeddings has the width D. It comes before the projection, so its width is E.
        $embeddings => (V + positions + segments) * E + 2 * D
    only the words have the width E in your count. So do positions, segments and the LayerNorm, because the
    projection comes last.
        $embeddings => V * E + (positions + segments) * D + 2 * D
    the LayerNorm of the embeddings is missing. Add its weight and its bias, 2 E numbers.
        $embeddings => (V + positions + segments) * E
    you count E numbers for the LayerNorm of the embeddings. It has 2 E numbers, a weight and a bias.
        $embeddings => (V + positions + segments) * E + E
    the positions are missing from the embeddings. Add their table, which has max_position_embeddings rows.
        $embeddings => (V + segments) * E + 2 * E
    the segments are missing from the embeddings. Add their table, which has type_vocab_size rows.
        $embeddings => (V + positions) * E + 2 * E
    positions and segments are missing from the embeddings. Add a table for each.
        $embeddings => V * E + 2 * E
    the embeddings have the width D in your count, as in BERT. Use the width E.
        $embeddings => (V + positions + segments) * D + 2 * D
    the bias of the projection is missing. Like any linear layer, the projection has one.
        $projection => E * D if E != D else 0
    you count E numbers for the bias of the projection. It has as many numbers as the projection's output.
        $projection => E * D + E if E != D else 0
    you count a projection even if E equals D. There is nothing to project in this case.
        $projection => E * D + D
    your projection has no bias, and you count it even if E equals D. It has a bias, and exists only if E and
    D differ.
        $projection => E * D
    you count the projection only if E is smaller than D. Count it whenever E and D differ.
        $projection => E * D + D if E < D else 0
    each word has its own projection in your count. All words share one.
        $projection => V * (E * D + D) if E != D else 0
    the projection is missing. Count it unless E equals D.
        $projection => 0
    you ignore `shared`. If it is True, all layers use the same parameters, so count one.
        $times => L
    you always count a single layer. If `shared` is False, each layer has its own parameters.
        $times => 1
    your use of `shared` is inverted. If it is True, count the layers once, otherwise L times.
        $times => (L if shared else 1)
    with `shared`, your layers share only the attention. Let them share all their parameters.
        $times * $layer => $times * attention + L * (feed_forward + norms)
    with `shared`, your layers share only the feed-forward layers. Let them share all their parameters.
        $times * $layer => $times * feed_forward + L * (attention + norms)
    with `shared`, your layers do not share their LayerNorms. Let them share all their parameters.
        $times * $layer => $times * (attention + feed_forward) + L * norms
    you count three linear layers for the attention. It has four: query, key, value and output.
        $attention => 3 * (D * D + D)
    you multiply by the number of heads. They divide the D numbers among them, so the count stays the same.
        $attention => 4 * config["num_attention_heads"] * (D * D + D)
    you count only one of the two linear layers of the feed-forward layer. One goes from D to F, the other
    back.
        $forward => D * F + F
    the biases of the feed-forward layer are missing. Add one for each of its two linear layers.
        $forward => 2 * D * F
    you count the same number for both biases of the feed-forward layer. The first has F numbers, the second
    D.
        $forward => 2 * D * F + 2 * F
        or
        $forward => 2 * D * F + 2 * D
    you assume that F is 4 D, which is not always true. Read it from intermediate_size.
        $forward => 8 * D * D + 5 * D
    you count only one LayerNorm in a layer. There are two, after the attention and after the feed-forward
    layer.
        $norms => 2 * D
    your layers have 4 D numbers too few: those of the two LayerNorms, or of the attention's four biases.
        $norms => 0
    the bias of the pooler is missing. The pooler is a linear layer from D to D, so add D numbers.
        $pooler => "pooler": D * D
    you count the pooler once per layer. There is only one, above all layers.
        $pooler => "pooler": L * (D * D + D)
    the pooler is missing. Add it: it is a linear layer from D to D, applied to [CLS].
        $pooler => "pooler": 0
    your layers have 8 D numbers too few: those of the two LayerNorms, and of the attention's four biases.
        $norms => 0
        $attention => 4 * D * D
    you count no biases. Each linear layer has one, with as many numbers as its output.
        $attention => 4 * D * D
        $forward => 2 * D * F
        $projection => E * D if E != D else 0
        $pooler => "pooler": D * D
    """,
) + pairs_of_edits(
    factorised_parameters,
    PIECES
    + """
    you do not count the bias of the projection (D numbers)
        $projection => E * D if E != D else 0
    only the words have the width E in your count, not positions and segments
        $embeddings => V * E + (positions + segments) * D + 2 * E
    the LayerNorm of the embeddings has the width D in your count, but it should have E
        $embeddings => (V + positions + segments) * E + 2 * D
    `shared` is not used, although it decides how often a layer counts
        $times * $layer => L * $layer
    only the attention is shared in your count, not the whole layer
        $times * $layer => $times * attention + L * (feed_forward + norms)
    you count only one LayerNorm in a layer, but there are two
        $norms => 2 * D
    the bias of the pooler is missing, which has D numbers
        $pooler => "pooler": D * D
    """,
)
