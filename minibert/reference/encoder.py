"""BERT's encoder, in NumPy: the definition that `minibert.model.encoder` is held against.

Devlin et al. (2019, arXiv 1810.04805), section 3; sublayers of Vaswani et al. (2017), sections 3.1 and 3.3.
The norms at their other place, before the sublayers: Xiong et al. (2020, arXiv 2002.04745), section 3.
Parameters `p` are a flat dict of arrays, keyed like `state_dict()` of the PyTorch module of the same name.
"""
import math

import numpy as np

from .attention import multi_head_attention


def sub(p, prefix):
    """The entries of `p` below `prefix.`, with the prefix cut off."""
    return {key[len(prefix) + 1:]: value for key, value in p.items() if key.startswith(prefix + ".")}


def linear(x, p):
    """x W^T + b, PyTorch's layout: p["weight"] (out, in), p["bias"] (out,)."""
    return x @ p["weight"].T + p["bias"]


def gelu(x):
    """x times the probability that a standard normal variable is below x (Hendrycks and Gimpel, 2016, arXiv
    1606.08415).
    """
    from scipy.special import erf  # here, for it loads longer than all the rest of `reference`
    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


def gelu_tanh(x):
    """The same paper's approximation of `gelu` by a tanh; some BERT code computes this one."""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))


def dropout(x, prob, rng):
    """Each number becomes 0 with probability `prob`, the others grow by 1 / (1 - prob), so that the mean
    stays.

    For training only. Raises ValueError for a prob outside [0, 1).
    """
    if not 0 <= prob < 1:
        raise ValueError(f"dropout prob={prob} must be at least 0 and below 1")
    kept = rng.random(x.shape) >= prob
    return x * kept / (1 - prob)


def layer_norm(x, p, eps=1e-12):
    """Each row to mean 0 and variance 1 over its last axis, then scaled and shifted (Ba et al., 2016, arXiv
    1607.06450).

    x: (..., D); p["weight"] is the paper's gamma, p["bias"] its beta, both (D,). The variance divides by D,
    not D - 1.
    """
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)             # (..., 1)
    return p["weight"] * (x - mean) / np.sqrt(var + eps) + p["bias"]


def feed_forward(x, p):
    """Each token alone: D -> F, GELU, F -> D."""
    return linear(gelu(linear(x, sub(p, "up"))), sub(p, "down"))                # (B, T, F) -> (B, T, D)


def embeddings(input_ids, token_type_ids, p, eps=1e-12, position_ids=None):
    """Word + learned position + segment, then LayerNorm (Devlin et al., figure 2). Ids (B, T) -> (B, T, D).

    position_ids: (B, T), or None = 0 to T - 1; then a row longer than the position table raises ValueError.
    """
    T, longest = input_ids.shape[1], len(p["position.weight"])
    if position_ids is None and T > longest:
        raise ValueError(f"a row of {T} tokens is longer than max_position_embeddings={longest}")
    position_ids = np.arange(T) if position_ids is None else position_ids       # (T,) or (B, T)
    x = (p["word.weight"][input_ids] + p["position.weight"][position_ids]
         + p["token_type.weight"][token_type_ids])                              # (B, T, D)
    return layer_norm(x, sub(p, "norm"), eps)


def encoder_layer(x, p, num_heads, visible=None, gate=None, eps=1e-12):
    """LayerNorm(x + attention(x)), then LayerNorm(x + feed_forward(x)): norms after the residuals, as in both
    papers.

    x: (B, T, D); visible: (B, T, T) bool or None; gate: (H,) or None. Returns (x (B, T, D), probs (B, H, T,
    T)).
    """
    attended, probs = multi_head_attention(x, sub(p, "attention"), num_heads, visible, gate)
    x = layer_norm(x + attended, sub(p, "attention_norm"), eps)
    x = layer_norm(x + feed_forward(x, sub(p, "feed_forward")), sub(p, "feed_forward_norm"), eps)
    return x, probs


def pre_norm_encoder_layer(x, p, num_heads, visible=None, gate=None, eps=1e-12):
    """x + attention(LayerNorm(x)), then x + feed_forward(LayerNorm(x)); arguments and result as of
    encoder_layer.
    """
    normal = layer_norm(x, sub(p, "attention_norm"), eps)                       # (B, T, D)
    attended, probs = multi_head_attention(normal, sub(p, "attention"), num_heads, visible, gate)
    x = x + attended
    x = x + feed_forward(layer_norm(x, sub(p, "feed_forward_norm"), eps), sub(p, "feed_forward"))
    return x, probs


def encoder(input_ids, visible, token_type_ids, p, config, gate=None, position_ids=None, layer=encoder_layer):
    """All layers. Returns {"hidden": (B, T, D), "layers": (B, L + 1, T, D), "probs": (B, L, H, T, T)}.

    `layers` holds the embeddings first, then each layer's output; gate: (L, H) or None; position_ids: see
    embeddings; layer: the function of one layer.
    """
    x = embeddings(input_ids, token_type_ids, sub(p, "embeddings"), config.layer_norm_eps, position_ids)
    hidden, probs = [x], []
    for i in range(config.num_hidden_layers):
        x, layer_probs = layer(x, sub(p, f"layers.{i}"), config.num_attention_heads, visible,
                               None if gate is None else gate[i], config.layer_norm_eps)
        hidden.append(x)
        probs.append(layer_probs)
    return {"hidden": x, "layers": np.stack(hidden, 1), "probs": np.stack(probs, 1)}


def pre_norm_encoder(input_ids, visible, token_type_ids, p, config, gate=None, position_ids=None):
    """As encoder, with norms before the sublayers and a last one, p["norm.weight"], p["norm.bias"], on what
    leaves the trunk.

    "hidden" and the last of "layers" are normalised, the other layers are not.
    """
    out = encoder(input_ids, visible, token_type_ids, p, config, gate, position_ids,
                  layer=pre_norm_encoder_layer)
    hidden = layer_norm(out["hidden"], sub(p, "norm"), config.layer_norm_eps)   # (B, T, D)
    return {**out, "hidden": hidden, "layers": np.concatenate([out["layers"][:, :-1], hidden[:, None]], 1)}


def encoder_shapes(config):
    """The shape of each parameter of `encoder`, by name.

    >>> from minibert.config import preset
    >>> encoder_shapes(preset("base"))["layers.0.feed_forward.up.weight"]
    (3072, 768)
    """
    D, F = config.hidden_size, config.intermediate_size
    layer = {f"attention.{name}": (D, D) for name in ("query", "key", "value", "out")}
    layer |= {"attention_norm": (D,), "feed_forward.up": (F, D), "feed_forward.down": (D, F),
              "feed_forward_norm": (D,)}
    weights = {"embeddings.norm": (D,)}
    weights |= {f"layers.{i}.{name}": shape for i in range(config.num_hidden_layers)
                for name, shape in layer.items()}
    shapes = {"embeddings.word.weight": (config.vocab_size, D),
              "embeddings.token_type.weight": (config.type_vocab_size, D),
              "embeddings.position.weight": (config.max_position_embeddings, D)}
    for name, shape in weights.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}          # a bias for each output
    return shapes


def init_weights(shapes, std, rng):
    """Fresh parameters: normal(0, std) for matrices, 0 for biases, 1 for the weights of LayerNorm.

    shapes: see encoder_shapes. The paper gives no rule; the authors' code draws from a normal truncated at 2
    std.
    """
    return {name: np.zeros(shape) if name.endswith("bias") else np.ones(shape) if name.endswith("norm.weight")
            else rng.normal(0, std, shape) for name, shape in shapes.items()}
