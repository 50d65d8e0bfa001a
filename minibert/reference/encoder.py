"""BERT's encoder, in NumPy: the definition that `minibert.model.encoder` is held against.

Devlin et al. (2019, arXiv 1810.04805), section 3; sublayers of Vaswani et al. (2017), sections 3.1 and 3.3.
Parameters `p` are a flat dict of arrays, keyed like `state_dict()` of the PyTorch module of the same name.
"""
import math

import numpy as np
from scipy.special import erf

from .attention import multi_head_attention


def sub(p, prefix):
    """The entries of `p` below `prefix.`, with the prefix cut off."""
    return {key[len(prefix) + 1:]: value for key, value in p.items() if key.startswith(prefix + ".")}


def linear(x, p):
    """x W^T + b, PyTorch's layout: p["weight"] (out, in), p["bias"] (out,)."""
    return x @ p["weight"].T + p["bias"]


def gelu(x):
    """x times the probability that a standard normal variable is below x (Hendrycks and Gimpel, 2016, arXiv 1606.08415)."""
    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


def layer_norm(x, p, eps=1e-12):
    """Each row to mean 0 and variance 1 over its last axis, then scaled and shifted (Ba et al., 2016, arXiv 1607.06450).

    x: (..., D); p["weight"] is the paper's gamma, p["bias"] its beta, both (D,). The variance divides by D, not D - 1.
    """
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)             # (..., 1)
    return p["weight"] * (x - mean) / np.sqrt(var + eps) + p["bias"]


def feed_forward(x, p):
    """Each token alone: D -> F, GELU, F -> D."""
    return linear(gelu(linear(x, sub(p, "up"))), sub(p, "down"))                # (B, T, F) -> (B, T, D)


def embeddings(input_ids, token_type_ids, p, eps=1e-12):
    """Word + position + segment, then LayerNorm (Devlin et al., figure 2). Ids (B, T) -> (B, T, D)."""
    positions = np.arange(input_ids.shape[1])                                   # (T,)
    x = (p["word.weight"][input_ids] + p["position.weight"][positions]
         + p["token_type.weight"][token_type_ids])                              # (B, T, D)
    return layer_norm(x, sub(p, "norm"), eps)


def encoder_layer(x, p, num_heads, visible=None, gate=None, eps=1e-12):
    """LayerNorm(x + attention(x)), then LayerNorm(x + feed_forward(x)): norms after the residuals, as in both papers.

    x: (B, T, D); visible: (B, T, T) bool or None; gate: (H,) or None. Returns (x (B, T, D), probs (B, H, T, T)).
    """
    attended, probs = multi_head_attention(x, sub(p, "attention"), num_heads, visible, gate)
    x = layer_norm(x + attended, sub(p, "attention_norm"), eps)
    x = layer_norm(x + feed_forward(x, sub(p, "feed_forward")), sub(p, "feed_forward_norm"), eps)
    return x, probs


def encoder(input_ids, visible, token_type_ids, p, config, gate=None):
    """All layers. Returns {"hidden": (B, T, D), "layers": (B, L + 1, T, D), "probs": (B, L, H, T, T)}.

    `layers` holds the embeddings first, then each layer's output; gate: (L, H) or None.
    """
    x = embeddings(input_ids, token_type_ids, sub(p, "embeddings"), config.layer_norm_eps)
    hidden, probs = [x], []
    for i in range(config.num_hidden_layers):
        x, layer_probs = encoder_layer(x, sub(p, f"layers.{i}"), config.num_attention_heads, visible,
                                       None if gate is None else gate[i], config.layer_norm_eps)
        hidden.append(x)
        probs.append(layer_probs)
    return {"hidden": x, "layers": np.stack(hidden, 1), "probs": np.stack(probs, 1)}
