"""BERT on one page, from token ids to logits for masked language modelling and next sentence prediction.

Devlin et al. (2019, arXiv 1810.04805), figures 1 and 2; the layer is from Vaswani et al. (2017, arXiv
1706.03762), section 3. This file imports nothing from this package, so that you can read it from top to
bottom. Axes: B batch, T tokens (S keys), H heads, K head size, D hidden, F feed-forward, V vocabulary.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

Array = np.ndarray
Weights = Mapping[str, Any]  # "attention" -> {"query" -> {"weight" -> array, "bias" -> array}, ...}


def gelu(x: Array) -> Array:
    from scipy.special import erf  # imported here, because SciPy loads more slowly than the rest of this file

    return x * 0.5 * (1 + erf(x / math.sqrt(2)))


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def linear(x: Array, weight: Array, bias: Array) -> Array:
    return x @ weight.T + bias


def layer_norm(x: Array, weight: Array, bias: Array, eps: float = 1e-12) -> Array:
    return weight * (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) + bias


def attention(
    x: Array, visible: Array, heads: int, query: Weights, key: Weights, value: Weights, out: Weights
) -> Array:
    B, T, D = x.shape
    q, k, v = (linear(x, **p).reshape(B, T, heads, D // heads).swapaxes(1, 2) for p in (query, key, value))
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(D // heads)  # (B, H, T, S)
    scores = np.where(visible[:, None], scores, np.finfo(x.dtype).min)
    context = softmax(scores) @ v  # (B, H, T, K)
    return linear(context.swapaxes(1, 2).reshape(B, T, D), **out)


def feed_forward(x: Array, up: Weights, down: Weights) -> Array:
    return linear(gelu(linear(x, **up)), **down)  # D -> F -> D


def layer(x: Array, visible: Array, heads: int, p: Weights) -> Array:
    x = layer_norm(x + attention(x, visible, heads, **p["attention"]), **p["attention_norm"])
    return layer_norm(x + feed_forward(x, **p["feed_forward"]), **p["feed_forward_norm"])


def embed(
    input_ids: Array,
    token_type_ids: Array,
    word: Weights,
    position: Weights,
    token_type: Weights,
    norm: Weights,
) -> Array:
    x = word["weight"][input_ids] + token_type["weight"][token_type_ids]
    x = x + position["weight"][: input_ids.shape[1]]  # (B, T, D)
    return layer_norm(x, **norm)


def bert(
    input_ids: Array,
    token_type_ids: Array,
    visible: Array,
    encoder: Weights,
    heads: Weights,
    num_attention_heads: int,
) -> tuple[Array, Array]:
    """Return BERT's logits for the token at each position, (B, T, V), and for the pair, (B, 2).

    The pair's logit 0 means that B follows A. input_ids, token_type_ids: (B, T) int. visible: (B, T, T) bool,
    True where a query may attend to a key. encoder, heads: the weights of a Model, as returned by `nested`:

        tokens, pair = bert(ids, types, visible, **nested(weights), num_attention_heads=12)
    """
    x = embed(input_ids, token_type_ids, **encoder["embeddings"])
    for i in range(len(encoder["layers"])):
        x = layer(x, visible, num_attention_heads, encoder["layers"][str(i)])
    tokens, pair = heads["tokens"], heads["pair"]
    h = layer_norm(gelu(linear(x, **tokens["transform"])), **tokens["norm"])
    first = np.tanh(linear(x[:, 0], **pair["pooler"]))  # (B, D), from [CLS]
    return linear(h, **tokens["decoder"]), linear(first, **pair["classifier"])


def nested(weights: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Convert a dictionary with dotted names to nested dictionaries.

    >>> nested({"norm.weight": 1, "norm.bias": 2})
    {'norm': {'weight': 1, 'bias': 2}}
    """
    tree: dict[str, Any] = {}
    for name, array in weights.items():
        *path, last = name.split(".")
        place = tree
        for part in path:
            place = place.setdefault(part, {})
        place[last] = array
    return tree
