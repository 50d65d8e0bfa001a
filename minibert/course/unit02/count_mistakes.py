"""Known mistakes in BERT's parameter count, alone and in pairs, given by how much each one changes the count.

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
    each layer has one LayerNorm too few: there should be two
        return result - L * 2 * D
    you count one vector for each LayerNorm, but it has two, gamma and beta
        return result - D - L * 2 * D
    the pooler is missing: a D x D matrix and its bias
        return result - D * D - D
    the bias of the pooler is missing
        return result - D
    the biases of all matrices are missing
        return result - L * (5 * D + F) - D
    the biases in the layers are missing
        return result - L * (5 * D + F)
    the biases of the feed-forward network are missing: F + D
        return result - L * (F + D)
    you count D twice for the feed-forward biases, but they have lengths F and D
        return result + L * (D - F)
    you count F twice for the feed-forward biases, but they have lengths F and D
        return result + L * (F - D)
    attention is missing
        return result - L * 4 * (D * D + D)
    the output projection of attention is missing: it is the fourth D x D matrix
        return result - L * (D * D + D)
    you count query, key and value for one head only, D x K each. For all heads together they are D x D
        return result + L * 3 * (D + 1) * (D // H - D)
    you count D x D matrices for each head. A head has D x K; all H heads together have D x D
        return result + L * 3 * (D * D + D) * (H - 1)
    the feed-forward network is missing: D x F and F x D, with biases
        return result - L * (2 * D * F + F + D)
    one of the two feed-forward matrices, D x F and F x D, is missing
        return result - L * D * F
    you count the output layer over the vocabulary, but it belongs to the MLM head, which shares the word
    embeddings
        return result + V * D
    you count the pooler once per layer, but there is only one
        return result + (L - 1) * (D * D + D)
    you count the pooler twice
        return result + D * D + D
    there is one layer too few
        return result - $layer
    the number of segments is hard-coded as 2. Use `type_vocab_size`
        return result + (2 - S) * D
    you count a bias over the vocabulary, but it belongs to the MLM head
        return result + V
    you count each LayerNorm once per head, but a layer has two, whatever the number of heads
        return result + (2 * D + L * 4 * D) * (H - 1)
    you count only one layer instead of L
        return result - (L - 1) * $layer
    """,
)

# sizes (V, D, L, H, F, P, S) for which no two miscounts agree by chance
GENERIC = (10007, 7 * 11, 13, 7, 1009, 499, 83)


def together(some: tuple[Mistake, ...], sizes: tuple[int, ...]) -> int:
    """Return the parameter count with all the miscounts in `some`."""
    return count(*sizes) + sum(mistake.function(*sizes) - count(*sizes) for mistake in some)


def miscounted() -> tuple[Mistake, ...]:
    """Return the Mistakes with one or two miscounts. If several give the same count, keep the first."""
    found: dict[int, tuple[Mistake, ...]] = {count(*GENERIC): ()}  # count -> the miscounts that give it
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
