"""Students' common mistakes in counting BERT's parameters, alone and in pairs.

Axes: D hidden, F feed-forward, V vocabulary, L layers, H heads, P positions, S segments.
"""

import itertools

from minibert import config

from ..checks.edits import edits
from ..checks.exercise import Mistake


def count(V: int, D: int, L: int, H: int, F: int, P: int, S: int) -> int:
    """Return the number of parameters in a BERT encoder and its pooler."""
    return sum(config.count_parameters(config.ModelConfig(V, D, L, H, F, P, S)).values())


MISCOUNTED = edits(
    count,
    """
    $layer = (4 * (D * D + D) + 2 * D * F + F + 5 * D)

    the word embeddings are missing: add V D
        return result - V * D
    the position embeddings are missing: add P D
        return result - P * D
    the segment embeddings are missing: add S D
        return result - S * D
    the LayerNorm after the embeddings is missing: add 2 D, for its gamma and its beta
        return result - 2 * D
    all LayerNorms are missing: add 2 D for each, one after the embeddings and two in each layer
        return result - 2 * D - L * 4 * D
    each layer lacks 4 D numbers: add its two LayerNorms (gamma and beta each) or the four biases of attention
        return result - L * 4 * D
    you count one LayerNorm in each layer, but there are two
        return result - L * 2 * D
    you count one vector for each LayerNorm, but it has two vectors, gamma and beta
        return result - D - L * 2 * D
    the pooler is missing: add a D x D matrix and its bias
        return result - D * D - D
    the bias of the pooler is missing: add D
        return result - D
    the biases of all matrices are missing: add one bias for each output of a matrix
        return result - L * (5 * D + F) - D
    the biases in the layers are missing: add one for each output of each of the six matrices
        return result - L * (5 * D + F)
    the biases of the feed-forward network are missing: add F + D in each layer
        return result - L * (F + D)
    you count the feed-forward biases as D + D, but their sizes are F and D
        return result + L * (D - F)
    you count the feed-forward biases as F + F, but their sizes are F and D
        return result + L * (F - D)
    attention is missing: add four D x D matrices with their biases in each layer
        return result - L * 4 * (D * D + D)
    the output projection of attention is missing: add a fourth D x D matrix with its bias in each layer
        return result - L * (D * D + D)
    you count query, key and value for one head only, D x K each, but for all H heads they are D x D each
        return result + L * 3 * (D + 1) * (D // H - D)
    you count D x D matrices for each head, but each head has only D x K, and all H heads together have D x D
        return result + L * 3 * (D * D + D) * (H - 1)
    the feed-forward network is missing: add a D x F and an F x D matrix with their biases in each layer
        return result - L * (2 * D * F + F + D)
    one of the two feed-forward matrices is missing: count both D x F and F x D in each layer
        return result - L * D * F
    you count an output matrix over the vocabulary, but it belongs to the MLM head, which shares it with the
    word embeddings
        return result + V * D
    you count a pooler in each layer, but the model has only one
        return result + (L - 1) * (D * D + D)
    you count the pooler twice, but the model has only one
        return result + D * D + D
    you count one layer too few: there are L layers
        return result - $layer
    the number of segments is hard-coded as 2 in your answer: use `type_vocab_size`
        return result + (2 - S) * D
    you count a bias of size V, but it belongs to the MLM head
        return result + V
    you count each LayerNorm once per head, but a layer has two LayerNorms, whatever the number of heads
        return result + (2 * D + L * 4 * D) * (H - 1)
    you count only one layer, but there are L layers
        return result - (L - 1) * $layer
    """,
)

# sizes (V, D, L, H, F, P, S) for which no two mistakes give the same count by chance
GENERIC = (10007, 7 * 11, 13, 7, 1009, 499, 83)


def together(some: tuple[Mistake, ...], sizes: tuple[int, ...]) -> int:
    """Return the parameter count for model sizes (V, D, L, H, F, P, S) with all the mistakes in `some`."""
    return count(*sizes) + sum(mistake.function(*sizes) - count(*sizes) for mistake in some)


def miscounted() -> tuple[Mistake, ...]:
    """Return the single mistakes and pairs of mistakes that lead to distinct wrong parameter counts."""
    found: dict[int, tuple[Mistake, ...]] = {count(*GENERIC): ()}  # count -> the mistakes that give it
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
