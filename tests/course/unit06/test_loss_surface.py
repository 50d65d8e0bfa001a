"""The loss around a solution, on a loss whose surface is known."""

import pytest
import torch
from torch import nn

from minibert.course.unit06.loss_surface import losses_around, random_direction, weights_of


@pytest.fixture
def model():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))


def square(model):
    return sum(tensor.square().sum() for tensor in model.parameters())


def test_the_loss_is_that_of_the_moved_weights_and_the_model_is_as_before(model):
    centre, drawn = weights_of(model), torch.Generator().manual_seed(1)
    first, second = random_direction(centre, drawn), random_direction(centre, drawn)
    rows = losses_around(model, square, centre, first, second, [0.0, 0.5], [-1.0, 0.0, 2.0])
    expected = [
        [
            sum((centre[n] + a * first[n] + b * second[n]).square().sum() for n in centre)
            for b in (-1.0, 0.0, 2.0)
        ]
        for a in (0.0, 0.5)
    ]
    assert torch.allclose(torch.tensor(rows), torch.tensor(expected))
    assert all(torch.equal(value, centre[name]) for name, value in weights_of(model).items())


def test_the_model_has_its_weights_again_when_the_loss_fails(model):
    centre = weights_of(model)

    def fails(model):
        raise RuntimeError("no loss")

    with pytest.raises(RuntimeError, match="no loss"):
        losses_around(model, fails, centre, centre, at_first=[1.0])
    assert all(torch.equal(value, centre[name]) for name, value in weights_of(model).items())


def test_a_random_direction_has_rows_as_long_as_the_weights_and_leaves_vectors(model):
    weights = weights_of(model)
    direction = random_direction(weights, torch.Generator().manual_seed(2))
    for name, tensor in weights.items():
        if tensor.dim() > 1:
            assert torch.allclose(direction[name].norm(dim=1), tensor.norm(dim=1))
            assert not torch.allclose(direction[name], tensor)
        else:
            assert not direction[name].any()


def test_the_same_generator_draws_the_same_direction(model):
    weights = weights_of(model)
    one, same, other = (random_direction(weights, torch.Generator().manual_seed(seed)) for seed in (3, 3, 4))
    assert torch.equal(one["0.weight"], same["0.weight"])
    assert not torch.equal(one["0.weight"], other["0.weight"])


def test_what_is_not_trained_does_not_move(model):
    model[0].weight.requires_grad_(False)
    assert "0.weight" not in weights_of(model)
