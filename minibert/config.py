"""The configuration of a model: a frozen dataclass, named presets, and parameter counts.

Devlin et al. (2019, arXiv 1810.04805), section 3 and appendix A.2. The field names are the keys of Hugging
Face's `config.json`. The axes have the same letters everywhere: B batch, T tokens (S for
keys if they differ), H heads, K head size, D hidden size, F feed-forward size, V vocabulary, L layers.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .spelling import did_you_mean


@dataclass(frozen=True)
class ModelConfig:
    """The sizes and constants of a BERT encoder; the defaults are those of BERT-base.

    Raises ValueError, with the value and the rule, if a value is invalid or sizes do not fit together.
    """

    vocab_size: int = 30522  # V
    hidden_size: int = 768  # D; the paper's H
    num_hidden_layers: int = 12  # L
    num_attention_heads: int = 12  # H; the paper's A
    intermediate_size: int = 3072  # F; 4H in the paper
    max_position_embeddings: int = 512  # the longest sequence
    type_vocab_size: int = 2  # segments A and B
    hidden_dropout_prob: float = 0.1  # after the embeddings and after each sublayer
    attention_probs_dropout_prob: float = 0.1  # on the attention probabilities
    layer_norm_eps: float = 1e-12
    initializer_range: float = 0.02  # standard deviation of initial weights

    # PyTorch's name for the exact GELU. It is not a field: only variants use "tanh", the approximation.
    gelu = "none"

    def __post_init__(self):
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            if field.type in (int, "int") and (not isinstance(value, int) or value < 1):
                raise ValueError(f"{field.name}={value!r} must be a whole number of at least 1")
            if field.name.endswith("_prob") and not 0 <= value < 1:
                raise ValueError(f"{field.name}={value!r} must be at least 0 and below 1")
        if self.hidden_size % self.num_attention_heads:
            raise ValueError(
                f"hidden_size={self.hidden_size} is not a multiple of "
                f"num_attention_heads={self.num_attention_heads}"
            )

    @property
    def head_size(self) -> int:
        """Return K, the width of one head; d_k in Vaswani et al. (2017)."""
        return self.hidden_size // self.num_attention_heads

    def replace(self, **changes: Any) -> ModelConfig:
        """Return a copy with some fields changed. An unknown name raises ValueError with a suggestion."""
        return type(self)(**{**dataclasses.asdict(self), **known_fields(changes, type(self))})

    def to_dict(self) -> dict[str, Any]:
        """Return the fields as a dictionary, ready for `config.json`."""
        return dataclasses.asdict(self)


def known_fields(values: Mapping[str, Any], kind: type = ModelConfig) -> Mapping[str, Any]:
    """Return `values` unchanged, or raise ValueError for the first key that is not a field of `kind`.

    kind: a configuration class, such as ModelConfig.

    >>> known_fields({"hidden_sise": 8})
    Traceback (most recent call last):
        ...
    ValueError: unknown configuration key 'hidden_sise'; did you mean 'hidden_size'?
    """
    names = [field.name for field in dataclasses.fields(kind)]
    for key in values:
        if key not in names:
            hint = did_you_mean(key, names) or f"; known keys: {', '.join(names)}"
            raise ValueError(f"unknown configuration key {key!r}{hint}")
    return values


def _miniature(layers, hidden):
    """Return a small ModelConfig with K = 64 and F = 4D, as in Turc et al. (2019, arXiv 1908.08962)."""
    return ModelConfig(
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=hidden // 64,
        intermediate_size=4 * hidden,
    )


PRESETS = {
    "class": ModelConfig(
        vocab_size=4000,
        hidden_size=128,
        num_hidden_layers=3,
        num_attention_heads=4,
        intermediate_size=512,
        max_position_embeddings=128,
        hidden_dropout_prob=0.0,
        attention_probs_dropout_prob=0.0,
        initializer_range=0.05,
    ),  # trains in minutes on a laptop
    "tiny": _miniature(2, 128),
    "mini": _miniature(4, 256),
    "small": _miniature(4, 512),
    "medium": _miniature(8, 512),
    "base": ModelConfig(),
    "large": ModelConfig(
        hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096
    ),
}


def preset(name: str, **changes: Any) -> ModelConfig:
    """Return a preset configuration by name, such as "base", with some fields changed.

    >>> preset("base").head_size
    64
    """
    if name not in PRESETS:
        raise ValueError(
            f"unknown preset {name!r}; known presets: {', '.join(PRESETS)}{did_you_mean(name, PRESETS)}"
        )
    return PRESETS[name].replace(**changes)


def count_parameters(config: ModelConfig) -> dict[str, int]:
    """Count the parameters of each part of the encoder and its pooler; the sum is the total.

    >>> sum(count_parameters(preset("base")).values()), sum(count_parameters(preset("large")).values())
    (109482240, 335141888)
    """
    D, F, L = config.hidden_size, config.intermediate_size, config.num_hidden_layers
    norm = 2 * D  # weight (gamma) and bias (beta)
    return {
        "word embeddings": config.vocab_size * D,
        "position embeddings": config.max_position_embeddings * D,
        "segment embeddings": config.type_vocab_size * D,
        "embedding LayerNorm": norm,
        "attention": L * 4 * (D * D + D),  # query, key, value, output
        "feed-forward": L * (D * F + F + F * D + D),
        "layer LayerNorms": L * 2 * norm,
        "pooler": D * D + D,
    }


def count_transformer(
    vocab_size: int = 37_000, hidden_size: int = 512, num_layers: int = 6, intermediate_size: int = 2048
) -> dict[str, int]:
    """Count the parameters of each part of the original encoder-decoder Transformer (base model).

    Vaswani et al. (2017, arXiv 1706.03762), table 3 and sections 3.1 to 3.4 and 5.1: num_layers layers in the
    encoder and in the decoder, one matrix shared by both embeddings and the softmax, attention projections
    without biases, and sinusoidal positions. Table 3 gives 65 million in total; the paper does not list the
    parts.

    >>> sum(count_transformer().values())
    63045632
    """
    D, F, L = hidden_size, intermediate_size, num_layers
    attention, feed_forward, norm = 4 * D * D, D * F + F + F * D + D, 2 * D
    return {
        "shared embeddings": vocab_size * D,
        "encoder attention": L * attention,
        "encoder feed-forward": L * feed_forward,
        "encoder LayerNorms": L * 2 * norm,
        "decoder self-attention": L * attention,
        "encoder-decoder attention": L * attention,
        "decoder feed-forward": L * feed_forward,
        "decoder LayerNorms": L * 3 * norm,
    }
