"""Parameter groups of an optimiser: which parameters are trained, with which learning rate and weight decay.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2, for Adam with weight decay; google-research/bert,
optimization.py, exempts biases and LayerNorm from it. Names alone decide. `minibert.finetuning.layers` makes
groups of tensors, with a learning rate for each layer.
"""
from collections.abc import Iterable
from typing import Any

ENCODER = "encoder."        # how the names of the encoder's parameters start; all others are the head's


def parameter_groups(names: Iterable[str], encoder_rate: float, head_rate: float, weight_decay: float = 0.01,
                     frozen_layers: int = 0) -> list[dict[str, Any]]:
    """Split parameters into the groups {"names": [...], "lr": learning rate, "weight_decay": decay}.

    The groups are, in this order: encoder with decay, encoder without, head with, head without; groups that
    would be empty are left out. names: of a Model's parameters, as `named_parameters` gives them; each group
    keeps their order. Biases and the parameters of a LayerNorm (modules `norm` or `..._norm`) have weight
    decay 0.0. frozen_layers: the embeddings and that many first layers are in no group; 0 = everything is
    trained. Raises ValueError for a learning rate that is not above 0, a negative decay or a negative number
    of layers.

    >>> names = ["encoder.layers.0.attention.out.weight", "heads.label.classifier.bias"]
    >>> parameter_groups(names, encoder_rate=2e-5, head_rate=1e-3)[1]
    {'names': ['heads.label.classifier.bias'], 'lr': 0.001, 'weight_decay': 0.0}
    """
    for name, value in (("encoder_rate", encoder_rate), ("head_rate", head_rate)):
        if value <= 0:
            raise ValueError(f"{name}={value} must be above 0")
    for name, value in (("weight_decay", weight_decay), ("frozen_layers", frozen_layers)):
        if value < 0:
            raise ValueError(f"{name}={value} must be at least 0")
    frozen = tuple([f"{ENCODER}embeddings."] * (frozen_layers > 0)
                   + [f"{ENCODER}layers.{i}." for i in range(frozen_layers)])
    trained = [name for name in names if not name.startswith(frozen)]
    groups = [{"names": [name for name in trained if name.startswith(ENCODER) == encoder
                         and decays(name) == decayed],
               "lr": encoder_rate if encoder else head_rate, "weight_decay": weight_decay if decayed else 0.0}
              for encoder in (True, False) for decayed in (True, False)]
    return [group for group in groups if group["names"]]


def decays(name: str) -> bool:
    """Return True for a parameter with weight decay: False for biases and the parameters of a LayerNorm.

    >>> [decays(f"heads.label.{name}") for name in ("pooler.weight", "pooler.bias", "norm.weight")]
    [True, False, False]
    """
    module, _, kind = name.rpartition(".")
    return kind != "bias" and not module.endswith("norm")
