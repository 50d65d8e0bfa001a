"""BERT's output layers, from hidden states to logits, in NumPy: the definition.

Devlin et al. (2019, arXiv 1810.04805), figures 1 and 4 and section 3.1. The hidden states come from
`encoder`; the parameters `p` are keyed like the `state_dict()` of the PyTorch module of the same name.
"""
from collections.abc import Mapping

import numpy as np

from .encoder import gelu, layer_norm, linear, sub
from .masking import run_edges


def pooler(hidden: np.ndarray, p: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the tanh of a linear map of [CLS], the first token: hidden (B, T, D) -> (B, D)."""
    return np.tanh(linear(hidden[:, 0], p))


def token_head(hidden: np.ndarray, p: Mapping[str, np.ndarray], counted: np.ndarray | None = None,
               eps: float = 1e-12) -> np.ndarray:
    """Return a logit for every vocabulary entry at each token: hidden (..., D) -> logits (..., V).

    The masked-LM head: a linear transform, GELU, LayerNorm, then the word embeddings as output matrix, which
    is `decoder.weight` (V, D) in p. counted: (B, T) bool; if given, returns logits (N, V) at those positions
    only.
    """
    if counted is not None:
        hidden = hidden[counted]                                                # (N, D)
    x = layer_norm(gelu(linear(hidden, sub(p, "transform"))), sub(p, "norm"), eps)
    return linear(x, sub(p, "decoder"))


def next_token_head(hidden: np.ndarray, p: Mapping[str, np.ndarray],
                    counted: np.ndarray | None = None) -> np.ndarray:
    """Return a logit for every vocabulary entry, by the word embeddings alone: (..., D) -> logits (..., V).

    GPT's head: `decoder.weight` (V, D), without a bias. counted as in token_head. Radford et al. (2018,
    Improving language understanding by generative pre-training), section 3.1, equation (2).
    """
    return (hidden if counted is None else hidden[counted]) @ p["decoder.weight"].T


def boundary_head(hidden: np.ndarray, left: np.ndarray, right: np.ndarray, p: Mapping[str, np.ndarray],
                  counted: np.ndarray | None = None, eps: float = 1e-12) -> np.ndarray:
    """Return a logit for every vocabulary entry from the tokens around a span: (..., 3D) -> logits (..., V).

    The input of each token is [left; right; place]: the hidden states before and after its span, and an
    embedding of where in the span it stands. Two layers of linear, GELU, LayerNorm follow, then the word
    embeddings. hidden (B, T, D); left, right (B, T): positions of the tokens around each token's span, as
    from `run_edges`. counted as in token_head. Joshi et al. (2020, arXiv 1907.10529), section 3.2.
    """
    B, T, _ = hidden.shape
    rows = np.arange(B)[:, None]                                                # (B, 1)
    place = np.arange(T) - left                                 # (B, T), 1 for the first token of a span
    around = [hidden[rows, left], hidden[rows, right], p["place.weight"][place]]
    x = np.concatenate(around, axis=-1)                                         # (B, T, 3D)
    x = x if counted is None else x[counted]                                    # (N, 3D)
    for layer in ("first", "second"):
        x = layer_norm(gelu(linear(x, sub(p, layer))), sub(p, f"{layer}_norm"), eps)
    return linear(x, sub(p, "decoder"))


def span_boundary_inputs(hidden: np.ndarray, chosen: np.ndarray, place_embeddings: np.ndarray) -> np.ndarray:
    """Return what `boundary_head` reads for each masked token: [left; right; place], (N, 3D).

    A span is a run of neighbouring masked tokens. left and right: the hidden states of the tokens right
    before and right behind it; place: the embedding of where in the span the token stands, counted from 1.
    hidden: (B, T, D); chosen: (B, T) bool, the N masked tokens; place_embeddings: (P, D), of which row 0 is
    not used. The rows come sequence by sequence, from left to right. Raises ValueError where a span touches
    the edge of a sequence. Joshi et al. (2020, arXiv 1907.10529), section 3.2.

    >>> hidden = np.array([[[1.0], [2.0], [3.0], [4.0]]])
    >>> span_boundary_inputs(hidden, np.array([[False, True, True, False]]), np.array([[0.0], [.5], [.6]]))
    array([[1. , 4. , 0.5],
           [1. , 4. , 0.6]])
    """
    rows, positions = np.nonzero(chosen)                                        # (N,) each
    left, right = (edge[chosen] for edge in run_edges(chosen))                  # (N,) each
    around = [hidden[rows, left], hidden[rows, right], place_embeddings[positions - left]]
    return np.concatenate(around, axis=-1)                                      # (N, 3D)


def classifier_head(hidden: np.ndarray, p: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the logits of whole sequences: hidden (B, T, D) -> pooler -> linear layer -> (B, C)."""
    return linear(pooler(hidden, sub(p, "pooler")), sub(p, "classifier"))


def choice_head(hidden: np.ndarray, p: Mapping[str, np.ndarray], num_choices: int) -> np.ndarray:
    """Return a logit for each option of multiple-choice examples: hidden (B * C, T, D) -> logits (B, C).

    The C options of an example follow one another. The head is a classifier with one output for each
    sequence; the softmax will run over an example's options, not over the outputs of one sequence (section
    4.4). Raises ValueError where the number of sequences is not a multiple of num_choices.
    """
    if num_choices < 1 or len(hidden) % num_choices:
        raise ValueError(f"{len(hidden)} sequences cannot be examples with {num_choices} options each")
    return classifier_head(hidden, p).reshape(-1, num_choices)                  # (B * C, 1) -> (B, C)


def token_classifier_head(hidden: np.ndarray, p: Mapping[str, np.ndarray]) -> np.ndarray:
    """Apply the same linear layer at every token: hidden (B, T, D) -> logits (B, T, C)."""
    return linear(hidden, sub(p, "classifier"))
