"""Which parameters an optimiser trains, how fast, and which of them decay, told by their names alone.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2, for Adam with weight decay; google-research/bert,
optimization.py, leaves biases and LayerNorm out of it. `minibert.finetuning.layers` makes groups of tensors,
with a rate for each layer.
"""
TRUNK = "encoder."          # how the names of a trunk's parameters begin; all others are the head's


def parameter_groups(names, encoder_rate, head_rate, weight_decay=0.01, frozen_layers=0):
    """Groups {"names": [...], "lr": rate, "weight_decay": decay}: trunk decayed, trunk not, head decayed,
    head not.

    names: of a Model's parameters, as `named_parameters` gives them; each stays in its order, and groups
    without any are left out. Biases and the parameters of a LayerNorm (modules `norm` or `..._norm`) have
    decay 0.0. frozen_layers: n = the embeddings and the first n layers are in no group, 0 = all is trained.
    Raises ValueError for a rate that is not above 0, a negative decay or a negative number of layers.

    >>> parameter_groups(["encoder.layers.0.attention.out.weight", "heads.label.classifier.bias"], 2e-5, 1e-3)[1]
    {'names': ['heads.label.classifier.bias'], 'lr': 0.001, 'weight_decay': 0.0}
    """
    for name, value in (("encoder_rate", encoder_rate), ("head_rate", head_rate)):
        if value <= 0:
            raise ValueError(f"{name}={value} must be above 0")
    for name, value in (("weight_decay", weight_decay), ("frozen_layers", frozen_layers)):
        if value < 0:
            raise ValueError(f"{name}={value} must be at least 0")
    frozen = tuple([f"{TRUNK}embeddings."] * (frozen_layers > 0) + [f"{TRUNK}layers.{i}."
                                                                    for i in range(frozen_layers)])
    trained = [name for name in names if not name.startswith(frozen)]
    groups = [{"names": [name for name in trained if name.startswith(TRUNK) == trunk
                         and decays(name) == decayed],
               "lr": encoder_rate if trunk else head_rate, "weight_decay": weight_decay if decayed else 0.0}
              for trunk in (True, False) for decayed in (True, False)]
    return [group for group in groups if group["names"]]


def decays(name):
    """False for a bias, and for a parameter of a LayerNorm.

    >>> [decays(name) for name in ("heads.label.pooler.weight", "heads.label.pooler.bias", "encoder.embeddings.norm.weight")]
    [True, False, False]
    """
    module, _, kind = name.rpartition(".")
    return kind != "bias" and not module.endswith("norm")
