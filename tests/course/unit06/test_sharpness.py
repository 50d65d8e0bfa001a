"""The loss around a minimum: the NumPy definition, and that PyTorch's directions are the same."""

import numpy as np
import pytest
import torch

from minibert.course.unit06.definitions import filter_normalised, sharpness
from minibert.course.unit06.loss_surface import random_direction


def bowl(weights):
    return float(sum((value**2).sum() for value in weights.values()))


def drawn(seed=0):
    rng = np.random.default_rng(seed)
    return {"matrix": rng.normal(size=(3, 4)), "bias": rng.normal(size=3)}


def test_in_a_bowl_every_direction_has_the_same_average_sharpness():
    """At both sides |w + r d|^2 + |w - r d|^2 = 2 |w|^2 + 2 r^2 |d|^2, and d has the lengths of w."""
    weights = drawn()
    mean, largest = sharpness(bowl, weights, [drawn(1), drawn(2)], radius=0.5)
    assert mean == pytest.approx(0.25 * (weights["matrix"] ** 2).sum()) and largest > mean


def test_on_a_hill_the_largest_increase_is_negative():
    flat = {"matrix": np.full((1, 2), 1e-9)}
    assert sharpness(lambda w: -bowl(w), {"matrix": np.eye(2)}, [{"matrix": np.eye(2)[::-1]}], 1.0)[1] < 0
    assert sharpness(bowl, flat, [{"matrix": np.ones((1, 2))}], 1.0)[0] == pytest.approx(2e-18)


def test_rows_are_as_long_as_in_pytorchs_random_direction():
    ruler = {name: torch.from_numpy(value) for name, value in drawn().items()}
    theirs = random_direction(ruler, torch.Generator().manual_seed(0))
    for name, value in drawn().items():
        ours = filter_normalised(drawn(3)[name], value)
        if value.ndim == 1:
            assert not ours.any() and not theirs[name].any()
        else:
            lengths = np.linalg.norm(value, axis=1)
            assert np.allclose(np.linalg.norm(ours, axis=1), lengths)
            assert np.allclose(theirs[name].norm(dim=1).numpy(), lengths)


def test_neither_weights_nor_directions_are_changed():
    weights, direction = drawn(), drawn(1)
    sharpness(bowl, weights, [direction], 0.3)
    assert all(np.array_equal(weights[name], drawn()[name]) for name in weights)
    assert all(np.array_equal(direction[name], drawn(1)[name]) for name in direction)
