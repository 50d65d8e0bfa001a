"""Dropout drops what it should, keeps the mean, and is silent where nothing is to be dropped."""

import pytest
import torch

from minibert.model.fast_dropout import LEVELS, FastDropout, dropout


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_the_share_that_is_dropped_is_p_and_the_rest_is_scaled(p, dtype):
    torch.manual_seed(0)
    out = dropout(torch.ones(500, 401, dtype=dtype), p)
    share = (out == 0).double().mean().item()
    assert abs(share - p) < 5 * (p * (1 - p) / out.numel()) ** 0.5 + 1 / LEVELS
    kept = out[out != 0]
    assert out.dtype == dtype and kept.unique().numel() == 1
    assert abs(kept[0].item() * (1 - p) - 1) < torch.finfo(dtype).eps + 1 / (LEVELS * (1 - p))


@pytest.mark.parametrize("p", [1.0, 1 - 1e-9])
def test_all_may_be_dropped(p):
    assert torch.equal(dropout(torch.ones(3, 5), p), torch.zeros(3, 5))


def test_neighbours_are_dropped_independently():
    torch.manual_seed(0)
    dropped = (dropout(torch.ones(400_000), 0.25) == 0).float()
    for distance in (1, 2, 3, 4):  # four decisions come from one draw
        both = (dropped[distance:] * dropped[:-distance]).mean().item()
        assert abs(both - 0.25**2) < 0.002


def test_the_gradient_passes_where_the_number_passed():
    torch.manual_seed(0)
    x = torch.randn(7, 5, requires_grad=True)
    out = dropout(x, 0.5)
    out.sum().backward()
    assert torch.equal(x.grad == 0, out == 0) and torch.allclose(x.grad * x, out)


def test_the_seed_decides_and_each_call_differs():
    x = torch.ones(64)
    torch.manual_seed(3)
    first, second = dropout(x, 0.5), dropout(x, 0.5)
    torch.manual_seed(3)
    assert torch.equal(dropout(x, 0.5), first) and not torch.equal(first, second)


def test_nothing_is_drawn_in_evaluation_or_at_rate_0():
    x, state = torch.ones(8), torch.get_rng_state()
    assert FastDropout(0.5).eval()(x) is x and FastDropout(0.0)(x) is x
    assert torch.equal(torch.get_rng_state(), state)
    assert FastDropout(0.5)(x) is not x
