"""How sharp a minimum is: the loss around it, in NumPy; `minibert.course.unit06.loss_surface` has whole models.

Li et al. (2018, arXiv 1712.09913), section 4: filter-normalised directions. Hao et al. (2019, arXiv
1908.05620), section 4: pretraining leads to wider optima. Here, weights and directions are dicts of arrays.
"""
from collections.abc import Callable, Mapping, Sequence

import numpy as np

Arrays = Mapping[str, np.ndarray]


def sharpness(loss: Callable[[dict[str, np.ndarray]], float], weights: Arrays, directions: Sequence[Arrays],
              radius: float) -> tuple[float, float]:
    """Return the mean and the largest increase of the loss at `radius` from `weights`.

    loss: weights -> a number. weights: name -> a matrix or a vector. directions: random arrays of the same
    shapes. Each row of a matrix of a direction gets the length of that row of the weights; vectors (biases,
    LayerNorms) stay where they are. Every direction is walked to both sides: + radius and - radius. The mean
    is called average-case sharpness, the largest worst-case sharpness.

    >>> weights, ahead = {"w": np.array([[3.0, 4.0]])}, {"w": np.array([[1.0, 0.0]])}
    >>> sharpness(lambda w: float(w["w"][0, 0] ** 2), weights, [ahead], radius=0.1)     # 3.5 and 2.5
    (0.25, 3.25)
    """
    centre, increases = loss(dict(weights)), []
    for direction in directions:
        steps = {name: filter_normalised(direction[name], weights[name]) for name in weights}
        for side in (radius, -radius):
            increases.append(loss({name: weights[name] + side * steps[name] for name in weights}) - centre)
    return float(np.mean(increases)), float(max(increases))


def filter_normalised(direction: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return the direction with rows as long as those of `weights`; zeros for a vector.

    >>> filter_normalised(np.array([[0.0, 2.0], [1.0, 0.0]]), np.array([[3.0, 4.0], [0.0, 0.0]]))
    array([[0., 5.],
           [0., 0.]])
    """
    if weights.ndim < 2:
        return np.zeros_like(weights)
    return direction * (np.linalg.norm(weights, axis=1, keepdims=True)
                        / np.linalg.norm(direction, axis=1, keepdims=True))
