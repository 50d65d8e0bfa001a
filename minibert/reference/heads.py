"""BERT's output layers, hidden states to logits, in NumPy: the definition; `encoder` gives the hidden states.

Devlin et al. (2019, arXiv 1810.04805), figures 1 and 4 and section 3.1. Parameters `p` as in `encoder`.
"""
import numpy as np

from .encoder import gelu, layer_norm, linear, sub


def pooler(hidden, p):
    """tanh of a linear map of [CLS], the first token: hidden (B, T, D) -> (B, D)."""
    return np.tanh(linear(hidden[:, 0], p))


def token_head(hidden, p, counted=None, eps=1e-12):
    """hidden (..., D) -> logits (..., V): transform, GELU, LayerNorm, then the word embeddings as output
    matrix.

    `decoder.weight` in p is that matrix, (V, D). counted: (B, T) bool; if given, logits (N, V) at those
    positions only.
    """
    if counted is not None:
        hidden = hidden[counted]                                                # (N, D)
    x = layer_norm(gelu(linear(hidden, sub(p, "transform"))), sub(p, "norm"), eps)
    return linear(x, sub(p, "decoder"))


def next_token_head(hidden, p, counted=None):
    """hidden (..., D) -> logits (..., V): the word embeddings `decoder.weight` (V, D) alone, without a bias;
    counted as above.

    Radford et al. (2018, Improving language understanding by generative pre-training), section 3.1, equation
    (2).
    """
    return (hidden if counted is None else hidden[counted]) @ p["decoder.weight"].T


def boundary_head(hidden, left, right, p, counted=None, eps=1e-12):
    """[left; right; place] (..., 3D) -> logits (..., V): two layers of linear, GELU, LayerNorm, then the word
    embeddings.

    hidden (B, T, D); left, right (B, T): positions of the tokens around each token's span, as from
    `run_edges`; place is where in its span a token stands. counted as above. Joshi et al. (2020, arXiv
    1907.10529), section 3.2.
    """
    B, T, _ = hidden.shape
    rows = np.arange(B)[:, None]                                                # (B, 1)
    place = np.arange(T) - left  # (B, T) 1 for the first token of a span
    x = np.concatenate([hidden[rows, left], hidden[rows, right], p["place.weight"][place]],
                       axis=-1)        # (B, T, 3D)
    x = x if counted is None else x[counted]                                    # (N, 3D)
    for layer in ("first", "second"):
        x = layer_norm(gelu(linear(x, sub(p, layer))), sub(p, f"{layer}_norm"), eps)
    return linear(x, sub(p, "decoder"))


def classifier_head(hidden, p):
    """hidden (B, T, D) -> logits (B, C) of whole rows: the pooler, then a linear layer."""
    return linear(pooler(hidden, sub(p, "pooler")), sub(p, "classifier"))


def choice_head(hidden, p, num_choices):
    """hidden (B * C, T, D), the C options of an example one after the other -> logits (B, C): the head with
    one output a row.

    Section 4.4. The softmax runs over the options, which are rows, not over outputs. Raises ValueError where
    rows do not divide.
    """
    if num_choices < 1 or len(hidden) % num_choices:
        raise ValueError(f"{len(hidden)} rows cannot be examples with {num_choices} options each")
    return classifier_head(hidden, p).reshape(-1, num_choices)                  # (B * C, 1) -> (B, C)


def token_classifier_head(hidden, p):
    """hidden (B, T, D) -> logits (B, T, C): the same linear layer at every token."""
    return linear(hidden, sub(p, "classifier"))
