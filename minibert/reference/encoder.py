"""The reference implementation, in NumPy, of BERT's encoder.

Devlin et al. (2019, arXiv 1810.04805), section 3; sublayers: Vaswani et al. (2017), sections 3.1 and 3.3. The
parameters `p` are a flat dict of arrays, with the keys of `state_dict()` of the PyTorch module of the same
name.
"""

import math
from collections.abc import Mapping

import numpy as np

from ..config import ModelConfig
from .attention import multi_head_attention


def sub(p: Mapping[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    """Return the entries of `p` whose keys start with `prefix.`, with that prefix removed.

    >>> sub({"up.weight": 1, "up.bias": 2, "down.bias": 3}, "up")
    {'weight': 1, 'bias': 2}
    """
    return {key[len(prefix) + 1 :]: value for key, value in p.items() if key.startswith(prefix + ".")}


def linear(x: np.ndarray, p: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return x W^T + b, in PyTorch's layout: p["weight"] (out, in), p["bias"] (out,)."""
    return x @ p["weight"].T + p["bias"]


def gelu(x: np.ndarray) -> np.ndarray:
    """Return x times the probability that a standard normal variable is below x.

    Hendrycks and Gimpel (2016, arXiv 1606.08415).
    """
    from scipy.special import erf  # imported here, because SciPy loads more slowly than all of `reference`

    return 0.5 * x * (1 + erf(x / math.sqrt(2)))


def gelu_tanh(x: np.ndarray) -> np.ndarray:
    """Return the tanh approximation of `gelu`, which some implementations of BERT use."""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def dropout(x: np.ndarray, prob: float, rng: np.random.Generator) -> np.ndarray:
    """Set each number to 0 with probability `prob`, and divide the others by 1 - prob to keep the mean.

    Dropout is only used in training. Raises ValueError if prob is outside [0, 1).
    """
    if not 0 <= prob < 1:
        raise ValueError(f"dropout prob={prob} must be at least 0 and below 1")
    kept = rng.random(x.shape) >= prob
    return x * kept / (1 - prob)


def layer_norm(x: np.ndarray, p: Mapping[str, np.ndarray], eps: float = 1e-12) -> np.ndarray:
    """Normalise x to mean 0 and variance 1 over its last axis, then scale and shift it.

    Ba et al. (2016, arXiv 1607.06450). x: (..., D); p["weight"] is the paper's gamma and p["bias"] its beta,
    both (D,). The variance divides by D, not by D - 1.
    """
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)  # (..., 1)
    return p["weight"] * (x - mean) / np.sqrt(var + eps) + p["bias"]


def feed_forward(x: np.ndarray, p: Mapping[str, np.ndarray]) -> np.ndarray:
    """Transform each token separately: linear D -> F, GELU, linear F -> D."""
    return linear(gelu(linear(x, sub(p, "up"))), sub(p, "down"))  # (B, T, F) -> (B, T, D)


def embeddings(
    input_ids: np.ndarray,
    token_type_ids: np.ndarray,
    p: Mapping[str, np.ndarray],
    eps: float = 1e-12,
    position_ids: np.ndarray | None = None,
) -> np.ndarray:
    """Return the sum of word, position and segment embeddings after LayerNorm: ids (B, T) -> (B, T, D).

    Devlin et al., figure 2. position_ids: (B, T), or None for 0 to T - 1; in that case, a sequence longer
    than the position table raises ValueError.
    """
    T, longest = input_ids.shape[1], len(p["position.weight"])
    if position_ids is None and longest < T:
        raise ValueError(f"a sequence of {T} tokens is longer than max_position_embeddings={longest}")
    position_ids = np.arange(T) if position_ids is None else position_ids  # (T,) or (B, T)
    x = (
        p["word.weight"][input_ids]
        + p["position.weight"][position_ids]
        + p["token_type.weight"][token_type_ids]
    )  # (B, T, D)
    return layer_norm(x, sub(p, "norm"), eps)


def encoder_layer(
    x: np.ndarray,
    p: Mapping[str, np.ndarray],
    num_heads: int,
    visible: np.ndarray | None = None,
    gate: np.ndarray | None = None,
    eps: float = 1e-12,
) -> tuple[np.ndarray, np.ndarray]:
    """Apply one layer: LayerNorm(x + attention(x)), then LayerNorm(x + feed_forward(x)).

    The norms come after the residual connections, as in both papers. x: (B, T, D); visible: (B, T, T) bool or
    None; gate: (H,) or None. Returns (x (B, T, D), probs (B, H, T, T)).
    """
    attended, probs = multi_head_attention(x, sub(p, "attention"), num_heads, visible, gate)
    x = layer_norm(x + attended, sub(p, "attention_norm"), eps)
    x = layer_norm(x + feed_forward(x, sub(p, "feed_forward")), sub(p, "feed_forward_norm"), eps)
    return x, probs


def encoder(
    input_ids: np.ndarray,
    visible: np.ndarray | None,
    token_type_ids: np.ndarray,
    p: Mapping[str, np.ndarray],
    config: ModelConfig,
    gate: np.ndarray | None = None,
    position_ids: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Apply the embeddings and all layers; return the hidden states and the attention probabilities.

    input_ids, token_type_ids: (B, T) int; visible: (B, T, T) bool or None; gate: (L, H) or None;
    position_ids: see embeddings. Returns a dict: "hidden" (B, T, D) is the output of the last layer; "layers"
    (B, L + 1, T, D) are the embeddings and the output of each layer; "probs" (B, L, H, T, T).
    """
    x = embeddings(input_ids, token_type_ids, sub(p, "embeddings"), config.layer_norm_eps, position_ids)
    hidden, probs = [x], []
    for i in range(config.num_hidden_layers):
        x, layer_probs = encoder_layer(
            x,
            sub(p, f"layers.{i}"),
            config.num_attention_heads,
            visible,
            None if gate is None else gate[i],
            config.layer_norm_eps,
        )
        hidden.append(x)
        probs.append(layer_probs)
    return {"hidden": x, "layers": np.stack(hidden, 1), "probs": np.stack(probs, 1)}


def encoder_shapes(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    """Return the shape of each parameter of `encoder`, by name.

    >>> from minibert.config import preset
    >>> encoder_shapes(preset("base"))["layers.0.feed_forward.up.weight"]
    (3072, 768)
    """
    D, F = config.hidden_size, config.intermediate_size
    layer: dict[str, tuple[int, ...]] = {
        f"attention.{name}": (D, D) for name in ("query", "key", "value", "out")
    }
    layer |= {
        "attention_norm": (D,),
        "feed_forward.up": (F, D),
        "feed_forward.down": (D, F),
        "feed_forward_norm": (D,),
    }
    weights: dict[str, tuple[int, ...]] = {"embeddings.norm": (D,)}
    weights |= {
        f"layers.{i}.{name}": shape for i in range(config.num_hidden_layers) for name, shape in layer.items()
    }
    shapes: dict[str, tuple[int, ...]] = {
        "embeddings.word.weight": (config.vocab_size, D),
        "embeddings.token_type.weight": (config.type_vocab_size, D),
        "embeddings.position.weight": (config.max_position_embeddings, D),
    }
    for name, shape in weights.items():
        shapes |= {f"{name}.weight": shape, f"{name}.bias": shape[:1]}  # one bias for each output
    return shapes


def init_weights(
    shapes: Mapping[str, tuple[int, ...]], std: float, rng: np.random.Generator
) -> dict[str, np.ndarray]:
    """Draw initial parameters: normal(0, std) for matrices, 0 for biases, 1 for the weights of LayerNorm."""
    # paper: no rule is given; the authors' code draws from a normal distribution truncated at 2 std
    return {
        name: np.zeros(shape)
        if name.endswith("bias")
        else np.ones(shape)
        if name.endswith("norm.weight")
        else rng.normal(0, std, shape)
        for name, shape in shapes.items()
    }
