"""Known mistakes about `embed`, the sum of word, position and segment embeddings.

Devlin et al. (2019, arXiv 1810.04805), section 3 and figure 2. Axes: B batch, T tokens, D hidden.
"""

from collections.abc import Callable

import numpy as np

from minibert import reference
from minibert.reference.encoder import layer_norm, sub

from ..checks.exercise import Mistake


def embedder(
    word: Callable = lambda table, ids: table[ids],
    position: Callable = lambda table, ids: table[: ids.shape[1]],
    kind: Callable = lambda table, types: table[types],
    norm: Callable = lambda x, weights, eps: layer_norm(x, sub(weights, "norm"), eps),
    total: Callable = lambda x, y, z: x + y + z,
) -> Callable:
    """Build `embed` with some of its steps replaced."""

    def wrong(input_ids, token_type_ids, weights, eps=1e-12):
        parts = (
            word(weights["word.weight"], input_ids),
            position(weights["position.weight"], input_ids),
            kind(weights["token_type.weight"], token_type_ids),
        )  # (B, T, D), (T, D), (B, T, D)
        return norm(total(*parts), weights, eps)

    return wrong


def normed_over(axis: int | None) -> Callable:
    def norm(x, weights, eps):
        mean, var = x.mean(axis, keepdims=True), x.var(axis, keepdims=True)
        return weights["norm.weight"] * (x - mean) / np.sqrt(var + eps) + weights["norm.bias"]

    return norm


def normed(
    gamma: Callable = lambda gamma: gamma,
    beta: Callable = lambda beta: beta,
    scale: Callable = lambda x, eps: np.sqrt(x.var(-1, keepdims=True) + eps),
    centre: Callable = lambda x: x.mean(-1, keepdims=True),
) -> Callable:
    """Build a LayerNorm with some of its pieces replaced."""
    return lambda x, weights, eps: (
        gamma(weights["norm.weight"]) * (x - centre(x)) / scale(x, eps) + beta(weights["norm.bias"])
    )


def default_eps(
    input_ids: np.ndarray, token_type_ids: np.ndarray, weights: dict[str, np.ndarray], eps: float = 1e-5
) -> np.ndarray:
    return embedder()(input_ids, token_type_ids, weights, eps)


def normed_alone(
    input_ids: np.ndarray, token_type_ids: np.ndarray, weights: dict[str, np.ndarray], eps: float = 1e-12
) -> np.ndarray:
    def norm(x):
        return layer_norm(x, sub(weights, "norm"), eps)

    positions = weights["position.weight"][: input_ids.shape[1]]
    return (
        norm(weights["word.weight"][input_ids])
        + norm(positions)
        + norm(weights["token_type.weight"][token_type_ids])
    )


def normed_words(
    input_ids: np.ndarray, token_type_ids: np.ndarray, weights: dict[str, np.ndarray], eps: float = 1e-12
) -> np.ndarray:
    words = layer_norm(weights["word.weight"][input_ids], sub(weights, "norm"), eps)  # (B, T, D)
    return (
        words
        + weights["position.weight"][: input_ids.shape[1]]
        + weights["token_type.weight"][token_type_ids]
    )


def restarting(
    input_ids: np.ndarray, token_type_ids: np.ndarray, weights: dict[str, np.ndarray], eps: float = 1e-12
) -> np.ndarray:
    """`embed` with positions that start again in segment B."""
    place = np.arange(input_ids.shape[1]) - (token_type_ids == 0).sum(1, keepdims=True) * token_type_ids
    return reference.embeddings(input_ids, token_type_ids, weights, eps, place)


def waves(table: np.ndarray, ids: np.ndarray) -> np.ndarray:
    T, D = ids.shape[1], table.shape[1]
    return reference.positional_encoding(T, D) if D % 2 == 0 else table[:T]


def scaled(table: np.ndarray, ids: np.ndarray) -> np.ndarray:
    return table[ids] * np.sqrt(table.shape[1])


EMBED = (
    Mistake(
        "the positions are missing: the same word gets the same vector at each place.",
        embedder(position=lambda t, ids: 0),
    ),
    Mistake(
        "the segments are missing: add a row of token_type.weight for each token.",
        embedder(kind=lambda t, types: 0),
    ),
    Mistake(
        "the words are missing: add a row of word.weight for each token.", embedder(word=lambda t, ids: 0)
    ),
    Mistake("the LayerNorm at the end is missing.", embedder(norm=lambda x, weights, eps: x)),
    Mistake("each part is normalised by itself. Add the three first, then normalise the sum.", normed_alone),
    Mistake("only the words are normalised. Add the three first, then normalise the sum.", normed_words),
    Mistake(
        "this is the mean of the three; add them. (LayerNorm hides the factor, except for eps.)",
        embedder(total=lambda x, y, z: (x + y + z) / 3),
    ),
    Mistake("the parts are multiplied; add them.", embedder(total=lambda x, y, z: x * y * z)),
    Mistake(
        "the positions are counted from 1. The first token has position 0.",
        embedder(position=lambda t, ids: t[1 : ids.shape[1] + 1]),
    ),
    *(
        Mistake(
            "the position table is indexed by the tokens' ids. Row t of the table belongs to place t.",
            embedder(position=rows),
        )
        for rows in (lambda t, ids: t[ids], lambda t, ids: t[ids % len(t)])
    ),
    Mistake(
        "every token has the first position. Position t belongs to the token at place t.",
        embedder(position=lambda t, ids: t[0]),
    ),
    Mistake(
        "the positions are reversed: the first token takes row 0.",
        embedder(position=lambda t, ids: t[: ids.shape[1]][::-1]),
    ),
    Mistake("the positions begin anew in segment B. In BERT they count on through the sequence.", restarting),
    Mistake(
        "these are sines and cosines, as in the Transformer. BERT learns its positions: position.weight.",
        embedder(position=waves),
    ),
    Mistake(
        "the segments are swapped: segment id 0 takes row 0 of token_type.weight.",
        embedder(kind=lambda t, types: t[1 - types]),
    ),
    Mistake("every token has segment 0: use token_type_ids.", embedder(kind=lambda t, types: t[0])),
    Mistake(
        "the words are multiplied by the square root of D, as in the Transformer. BERT does not.",
        embedder(word=scaled),
    ),
    Mistake(
        "LayerNorm runs over the tokens. It looks at one token at a time: the last axis.",
        embedder(norm=normed_over(1)),
    ),
    Mistake(
        "LayerNorm runs over the whole array. It looks at one token at a time: the last axis.",
        embedder(norm=normed_over(None)),
    ),
    Mistake("gamma is ignored: norm.weight multiplies.", embedder(norm=normed(gamma=lambda gamma: 1))),
    Mistake("beta is ignored: norm.bias is added.", embedder(norm=normed(beta=lambda beta: 0))),
    Mistake(
        "1 is added to gamma. Multiply by norm.weight as it is.",
        embedder(norm=normed(gamma=lambda gamma: 1 + gamma)),
    ),
    Mistake(
        "`eps` is added to the standard deviation. It is added to the variance, under the root.",
        embedder(norm=normed(scale=lambda x, eps: x.std(-1, keepdims=True) + eps)),
    ),
    Mistake(
        "`eps` is squared. Add it to the variance as it is.",
        embedder(norm=normed(scale=lambda x, eps: np.sqrt(x.var(-1, keepdims=True) + eps**2))),
    ),
    Mistake(
        "the variance is divided by D - 1 (ddof=1). LayerNorm divides by D.",
        embedder(norm=normed(scale=lambda x, eps: np.sqrt(x.var(-1, keepdims=True, ddof=1) + eps))),
    ),
    Mistake("the mean is not subtracted in the LayerNorm.", embedder(norm=normed(centre=lambda x: 0))),
    Mistake("the positions are added twice.", embedder(position=lambda t, ids: 2 * t[: ids.shape[1]])),
    Mistake(
        "the positions are those of the table's end. The first token takes row 0.",
        embedder(position=lambda t, ids: t[-ids.shape[1] :]),
    ),
    Mistake(
        "all sequences of the batch get the segments of the first one.",
        embedder(kind=lambda t, types: t[types[:1]]),
    ),
    Mistake(
        "all sequences of the batch get the words of the first one.",
        embedder(word=lambda t, ids: np.repeat(t[ids[:1]], len(ids), 0)),
    ),
    Mistake(
        "segment id 0 adds nothing in your answer. It has a row of token_type.weight, too.",
        embedder(kind=lambda t, types: t[1] * types[..., None]),
    ),
    Mistake(
        "segment id 1 adds nothing in your answer. It has a row of token_type.weight, too.",
        embedder(kind=lambda t, types: t[0] * (1 - types[..., None])),
    ),
    *(
        Mistake(
            "the result is rounded. Return all its digits.",
            embedder(
                norm=lambda x, weights, eps, digits=digits: layer_norm(x, sub(weights, "norm"), eps).round(
                    digits
                )
            ),
        )
        for digits in (1, 2, 3, 4)
    ),
    Mistake("without the argument `eps`, it is 1e-12: leave the default as it is.", default_eps),
    Mistake(
        "gamma and beta are ignored: norm.weight multiplies, norm.bias is added.",
        embedder(
            norm=lambda x, weights, eps: (
                (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps)
            )
        ),
    ),
    *(
        Mistake(
            "`eps` is a fixed number in your answer. Pass the argument on.",
            embedder(norm=lambda x, weights, eps, fixed=fixed: layer_norm(x, sub(weights, "norm"), fixed)),
        )
        for fixed in (1e-12, 1e-6, 1e-5)
    ),
    Mistake(
        "the whole position table is added, also the places after the end of the sequence. Take the "
        "first T rows.",
        embedder(position=lambda t, ids: t),
    ),
)
