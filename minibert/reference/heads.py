"""The reference implementation, in NumPy, of BERT's output heads, from hidden states to logits.

Devlin et al. (2019, arXiv 1810.04805), figures 1 and 4 and section 3.1. The keys of the parameters `p` are
those of `state_dict()` of the PyTorch module of the same name.
"""

from collections.abc import Mapping

import numpy as np

from .encoder import gelu, layer_norm, linear, sub


def pooler(hidden: np.ndarray, p: Mapping[str, np.ndarray]) -> np.ndarray:
    """Apply a linear map and tanh to [CLS], the first token: hidden (B, T, D) -> (B, D)."""
    return np.tanh(linear(hidden[:, 0], p))


def token_head(
    hidden: np.ndarray, p: Mapping[str, np.ndarray], counted: np.ndarray | None = None, eps: float = 1e-12
) -> np.ndarray:
    """Return a logit for each vocabulary entry at each token: hidden (..., D) -> logits (..., V).

    This is the masked-LM head: a linear transform, GELU, LayerNorm, then the word embeddings as the output
    matrix, which is `decoder.weight` (V, D) in p. counted: (B, T) bool; if given, only the logits (N, V) at
    those positions are returned.
    """
    if counted is not None:
        hidden = hidden[counted]  # (N, D)
    x = layer_norm(gelu(linear(hidden, sub(p, "transform"))), sub(p, "norm"), eps)
    return linear(x, sub(p, "decoder"))


def classifier_head(hidden: np.ndarray, p: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the logits for whole sequences: hidden (B, T, D) -> pooler -> linear layer -> (B, C)."""
    return linear(pooler(hidden, sub(p, "pooler")), sub(p, "classifier"))


def choice_head(hidden: np.ndarray, p: Mapping[str, np.ndarray], num_choices: int) -> np.ndarray:
    """Return a logit for each option of multiple-choice examples: hidden (B * C, T, D) -> logits (B, C).

    The C options of an example are consecutive, and the softmax runs over them (section 4.4). Raises
    ValueError if the number of sequences is not a multiple of num_choices.
    """
    if num_choices < 1 or len(hidden) % num_choices:
        raise ValueError(
            f"{len(hidden)} sequences cannot be divided into examples with {num_choices} options each"
        )
    return classifier_head(hidden, p).reshape(-1, num_choices)  # (B * C, 1) -> (B, C)


def token_classifier_head(hidden: np.ndarray, p: Mapping[str, np.ndarray]) -> np.ndarray:
    """Apply the same linear layer to each token: hidden (B, T, D) -> logits (B, T, C)."""
    return linear(hidden, sub(p, "classifier"))
