"""Matthews' correlation, parameter groups of an optimizer, and the sharpness of a minimum, in NumPy.

The correlation is from Matthews (1975, Biochimica et Biophysica Acta 405), and GLUE uses it for CoLA (Wang et
al., 2019, arXiv 1804.07461, section 3.1); `minibert.tasks.metrics` computes it with scikit-learn. BERT uses
Adam with weight decay (Devlin et al., 2019, arXiv 1810.04805, appendix A.2), which does not apply to biases
and LayerNorms (optimization.py in google-research/bert); `minibert.finetuning.layers` groups the actual
tensors. Filter-normalised directions are from Li et al. (2018, arXiv 1712.09913), section 4. Hao et al.
(2019, arXiv 1908.05620), section 4, show that pretraining leads to wider optima; `loss_surface` does this for
entire models.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np


def matthews_correlation(gold: Sequence[int] | np.ndarray, predicted: Sequence[int] | np.ndarray) -> float:
    """Return Matthews' correlation, from -1 to 1, of gold and predicted labels that are 0 or 1.

    gold, predicted: (N,). If either is constant, the correlation is undefined (0 / 0), and the result is 0.0.
    Raises ValueError for empty lists, lists of different lengths, and labels other than 0 and 1.

    >>> matthews_correlation([1, 1, 1, 0], [1, 1, 1, 1]), matthews_correlation([1, 1, 0, 0], [1, 1, 0, 0])
    (0.0, 1.0)
    """
    gold, predicted = np.asarray(gold), np.asarray(predicted)
    if gold.ndim != 1 or gold.shape != predicted.shape or not gold.size:
        raise ValueError(
            f"the labels have shape {gold.shape} and the answers {predicted.shape}, but both must have "
            "shape (N,), "
            "with the same N of at least 1"
        )
    for side in (gold, predicted):
        for label in side[~np.isin(side, (0, 1))][:1]:
            raise ValueError(f"the label {label} must be 0 or 1")
    tp, tn = (int(((gold == label) & (predicted == label)).sum()) for label in (1, 0))
    fp, fn = (int(((gold != label) & (predicted == label)).sum()) for label in (1, 0))
    below = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)  # Python integers, because int64 would overflow
    return (tp * tn - fp * fn) / math.sqrt(below) if below else 0.0


ENCODER = "encoder."  # the prefix of the encoder's parameters; all others belong to the head


def parameter_groups(
    names: Iterable[str],
    encoder_rate: float,
    head_rate: float,
    weight_decay: float = 0.01,
    frozen_layers: int = 0,
) -> list[dict[str, Any]]:
    """Split parameters into the groups {"names": [...], "lr": learning rate, "weight_decay": decay}.

    The order of the groups is: encoder with decay, encoder without, head with, head without. Empty groups
    are left out. names: the names of a Model's parameters, as in `named_parameters`; each group keeps their
    order. Biases and the parameters of a LayerNorm (modules `norm` or `..._norm`) have weight decay 0.0.
    frozen_layers: if above 0, the embeddings and this many lowest layers are in no group. Raises ValueError
    for a learning rate that is not above 0, and for a negative decay or number of layers.

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
    frozen = tuple(
        [f"{ENCODER}embeddings."] * (frozen_layers > 0)
        + [f"{ENCODER}layers.{i}." for i in range(frozen_layers)]
    )
    trained = [name for name in names if not name.startswith(frozen)]
    groups = [
        {
            "names": [
                name for name in trained if name.startswith(ENCODER) == encoder and decays(name) == decayed
            ],
            "lr": encoder_rate if encoder else head_rate,
            "weight_decay": weight_decay if decayed else 0.0,
        }
        for encoder in (True, False)
        for decayed in (True, False)
    ]
    return [group for group in groups if group["names"]]


def decays(name: str) -> bool:
    """Return whether weight decay applies to a parameter; biases and LayerNorms are excluded.

    >>> [decays(f"heads.label.{name}") for name in ("pooler.weight", "pooler.bias", "norm.weight")]
    [True, False, False]
    """
    module, _, kind = name.rpartition(".")
    return kind != "bias" and not module.endswith("norm")


Arrays = Mapping[str, np.ndarray]


def sharpness(
    loss: Callable[[dict[str, np.ndarray]], float],
    weights: Arrays,
    directions: Sequence[Arrays],
    radius: float,
) -> tuple[float, float]:
    """Return the mean and the maximum increase of the loss at the distance `radius` from `weights`.

    loss: a function of weights that returns a number. weights: a dict that maps names to matrices and
    vectors. directions: dicts of random arrays with the same names and shapes. Each row of a direction's
    matrix is scaled to the norm of the same row of the weights; vectors (biases, LayerNorms) do not change.
    The loss is computed on both sides, at + radius and - radius along each direction. The mean is called
    average-case sharpness, and the maximum worst-case sharpness.

    >>> weights, ahead = {"w": np.array([[3.0, 4.0]])}, {"w": np.array([[1.0, 0.0]])}
    >>> sharpness(lambda w: float(w["w"][0, 0] ** 2), weights, [ahead], radius=0.1)     # 3.5 and 2.5
    (0.25, 3.25)
    """
    centre, increases = loss(dict(weights)), []
    for direction in directions:
        steps = {name: filter_normalised(direction[name], weights[name]) for name in weights}
        increases += [
            loss({name: weights[name] + side * steps[name] for name in weights}) - centre
            for side in (radius, -radius)
        ]
    return float(np.mean(increases)), float(max(increases))


def filter_normalised(direction: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return `direction` with each row scaled to the norm of the same row of `weights`; zeros for a vector.

    >>> filter_normalised(np.array([[0.0, 2.0], [1.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0., 5.],
           [0., 0.]])
    """
    if weights.ndim < 2:
        return np.zeros_like(weights)
    return direction * (
        np.linalg.norm(weights, axis=1, keepdims=True) / np.linalg.norm(direction, axis=1, keepdims=True)
    )
