"""Known mistakes about BERT's parameter count, alone and two at a time, by how much each changes the count.

Axes: D hidden, F feed-forward, V vocabulary, L layers, H heads, P positions, S segments.
"""

import itertools

from minibert import config

from ..checks.edits import edits
from ..checks.exercise import Mistake


def count(V: int, D: int, L: int, H: int, F: int, P: int, S: int) -> int:
    """Return the number of parameters of the encoder with its pooler."""
    return sum(config.count_parameters(config.ModelConfig(V, D, L, H, F, P, S)).values())


MISCOUNTED = edits(
    count,
    """
    $layer = (4 * (D * D + D) + 2 * D * F + F + 5 * D)

    the word embeddings are missing
        return result - V * D
    the position embeddings are missing
        return result - P * D
    the segment embeddings are missing
        return result - S * D
    the LayerNorm after the embeddings is missing (a gamma and a beta)
        return result - 2 * D
    all LayerNorms are missing
        return result - 2 * D - L * 4 * D
    each layer lacks 4 D numbers: its two LayerNorms (gamma and beta each), or the four biases of attention
        return result - L * 4 * D
    each layer has one LayerNorm too few: there are two
        return result - L * 2 * D
    each LayerNorm has two vectors, gamma and beta; you count one
        return result - D - L * 2 * D
    the pooler is missing: a D x D matrix and its bias
        return result - D * D - D
    the bias of the pooler is missing
        return result - D
    all biases of matrices are missing
        return result - L * (5 * D + F) - D
    the biases in the layers are missing
        return result - L * (5 * D + F)
    the biases of the feed-forward part are missing: F + D
        return result - L * (F + D)
    the feed-forward biases have lengths F and D; you count D twice
        return result + L * (D - F)
    the feed-forward biases have lengths F and D; you count F twice
        return result + L * (F - D)
    attention is missing
        return result - L * 4 * (D * D + D)
    the output projection of attention is missing: it is the fourth D x D matrix
        return result - L * (D * D + D)
    query, key and value are counted for one head only, D x K each; with all heads they are D x D
        return result + L * 3 * (D + 1) * (D // H - D)
    each head is counted with D x D matrices. A head has D x K; all H together make D x D
        return result + L * 3 * (D * D + D) * (H - 1)
    the feed-forward part is missing: D x F and F x D, with biases
        return result - L * (2 * D * F + F + D)
    the feed-forward part has two matrices, D x F and F x D; one is missing
        return result - L * D * F
    the output layer over the vocabulary is counted; it belongs to the MLM head, which shares the word
    embeddings
        return result + V * D
    the pooler is counted once per layer; there is one pooler
        return result + (L - 1) * (D * D + D)
    the pooler is counted twice
        return result + D * D + D
    there is one layer too few
        return result - $layer
    there are two segments in your code. Use `type_vocab_size`
        return result + (2 - S) * D
    a bias over the vocabulary is counted; it belongs to the MLM head
        return result + V
    each LayerNorm is counted once per head; a layer has two, whatever the number of heads
        return result + (2 * D + L * 4 * D) * (H - 1)
    the layers are counted once, not L times
        return result - (L - 1) * $layer
    """,
)

# sizes (V, D, L, H, F, P, S) on which no two changes agree by chance
GENERIC = (10007, 7 * 11, 13, 7, 1009, 499, 83)


def together(some: tuple[Mistake, ...], sizes: tuple[int, ...]) -> int:
    """Return the count with all of the miscounts `some`."""
    return count(*sizes) + sum(mistake.function(*sizes) - count(*sizes) for mistake in some)


def miscounted() -> tuple[Mistake, ...]:
    """Return the Mistakes with one or two miscounts; of those that come to the same, the first."""
    found: dict[int, tuple[Mistake, ...]] = {count(*GENERIC): ()}  # count -> which miscounts
    for some in (*((one,) for one in MISCOUNTED), *itertools.combinations(MISCOUNTED, 2)):
        found.setdefault(together(some, GENERIC), some)
    return tuple(
        Mistake(
            "; and ".join(mistake.hint for mistake in some) + ".",
            lambda *sizes, some=some: together(some, sizes),
        )
        for some in found.values()
        if some
    )
