"""Known mistakes about BERT's parameter count, alone and two at a time, by how much each changes the count.

Axes: D hidden, F feed-forward, V vocabulary, L layers, H heads, P positions, S segments.
"""

import itertools
from collections.abc import Callable

from ..checks.exercise import Mistake

# Each entry: what is wrong, and by how much it changes the count of (V, D, L, H, F, P positions, S segments).
MISCOUNTED = (
    ("the word embeddings are missing", lambda V, D, L, H, F, P, S: -V * D),
    ("the position embeddings are missing", lambda V, D, L, H, F, P, S: -P * D),
    ("the segment embeddings are missing", lambda V, D, L, H, F, P, S: -S * D),
    (
        "the LayerNorm after the embeddings is missing (a gamma and a beta)",
        lambda V, D, L, H, F, P, S: -2 * D,
    ),
    ("all LayerNorms are missing", lambda V, D, L, H, F, P, S: -2 * D - L * 4 * D),
    (
        "each layer lacks 4 D numbers: its two LayerNorms (gamma and beta each), or the four biases of "
        "attention",
        lambda V, D, L, H, F, P, S: -L * 4 * D,
    ),
    ("each layer has one LayerNorm too few: there are two", lambda V, D, L, H, F, P, S: -L * 2 * D),
    (
        "each LayerNorm has two vectors, gamma and beta; you count one",
        lambda V, D, L, H, F, P, S: -D - L * 2 * D,
    ),
    ("the pooler is missing: a D x D matrix and its bias", lambda V, D, L, H, F, P, S: -D * D - D),
    ("the bias of the pooler is missing", lambda V, D, L, H, F, P, S: -D),
    ("all biases of matrices are missing", lambda V, D, L, H, F, P, S: -L * (5 * D + F) - D),
    ("the biases in the layers are missing", lambda V, D, L, H, F, P, S: -L * (5 * D + F)),
    ("the biases of the feed-forward part are missing: F + D", lambda V, D, L, H, F, P, S: -L * (F + D)),
    (
        "the feed-forward biases have lengths F and D; you count D twice",
        lambda V, D, L, H, F, P, S: L * (D - F),
    ),
    (
        "the feed-forward biases have lengths F and D; you count F twice",
        lambda V, D, L, H, F, P, S: L * (F - D),
    ),
    ("attention is missing", lambda V, D, L, H, F, P, S: -L * 4 * (D * D + D)),
    (
        "the output projection of attention is missing: it is the fourth D x D matrix",
        lambda V, D, L, H, F, P, S: -L * (D * D + D),
    ),
    (
        "query, key and value are counted for one head only, D x K each; with all heads they are D x D",
        lambda V, D, L, H, F, P, S: L * 3 * (D + 1) * (D // H - D),
    ),
    (
        "each head is counted with D x D matrices. A head has D x K; all H together make D x D",
        lambda V, D, L, H, F, P, S: L * 3 * (D * D + D) * (H - 1),
    ),
    (
        "the feed-forward part is missing: D x F and F x D, with biases",
        lambda V, D, L, H, F, P, S: -L * (2 * D * F + F + D),
    ),
    (
        "the feed-forward part has two matrices, D x F and F x D; one is missing",
        lambda V, D, L, H, F, P, S: -L * D * F,
    ),
    (
        "the output layer over the vocabulary is counted; it belongs to the MLM head, which shares the word "
        "embeddings",
        lambda V, D, L, H, F, P, S: V * D,
    ),
    (
        "the pooler is counted once per layer; there is one pooler",
        lambda V, D, L, H, F, P, S: (L - 1) * (D * D + D),
    ),
    ("the pooler is counted twice", lambda V, D, L, H, F, P, S: D * D + D),
    ("there is one layer too few", lambda V, D, L, H, F, P, S: -(4 * (D * D + D) + 2 * D * F + F + 5 * D)),
    ("there are two segments in your code. Use `type_vocab_size`", lambda V, D, L, H, F, P, S: (2 - S) * D),
    ("a bias over the vocabulary is counted; it belongs to the MLM head", lambda V, D, L, H, F, P, S: V),
    (
        "each LayerNorm is counted once per head; a layer has two, whatever the number of heads",
        lambda V, D, L, H, F, P, S: (2 * D + L * 4 * D) * (H - 1),
    ),
    (
        "the layers are counted once, not L times",
        lambda V, D, L, H, F, P, S: (1 - L) * (4 * (D * D + D) + 2 * D * F + F + D + 4 * D),
    ),
)


# sizes (V, D, L, H, F, P, S) on which no two changes agree by chance
GENERIC = (10007, 7 * 11, 13, 7, 1009, 499, 83)


def miscounted(count: Callable) -> tuple[Mistake, ...]:
    """The Mistakes of `count` with one or two miscounts; of those that come to the same, the first."""
    changes: dict[int, tuple] = {0: ()}  # by how much -> which mistakes
    for some in (*((one,) for one in MISCOUNTED), *itertools.combinations(MISCOUNTED, 2)):
        changes.setdefault(sum(change(*GENERIC) for _, change in some), some)

    def wrong(some):
        return lambda *sizes: count(*sizes) + sum(change(*sizes) for _, change in some)

    return tuple(
        Mistake("; and ".join(text for text, _ in some) + ".", wrong(some))
        for some in changes.values()
        if some
    )
