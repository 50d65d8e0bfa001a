"""The gradients written by hand equal those of autograd, in float64."""

import numpy as np
import pytest
import torch
from tiny import B, D, H, K, T

from minibert import reference
from minibert.config import ModelConfig
from minibert.data.batch import IGNORE, visible_all, visible_causal
from minibert.model import MultiHeadAttention, attention

S, CLOSE = 7, 1e-10


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def autograd(function, d_out, *arrays):
    """The gradients of sum(function(*arrays) * d_out) with respect to each array."""
    tensors = [torch.tensor(array, requires_grad=True) for array in arrays]
    (function(*tensors) * torch.from_numpy(d_out)).sum().backward()
    return [tensor.grad.numpy() for tensor in tensors]


def assert_close(ours, theirs):
    assert len(ours) == len(theirs)
    for a, b in zip(ours, theirs):
        assert a.shape == b.shape and np.abs(a - b).max() < CLOSE


def test_softmax(rng):
    x, d_probs = rng.normal(size=(2, B, T, S))
    assert_close(
        [reference.softmax_backward(d_probs, reference.softmax(x))],
        autograd(lambda x: x.softmax(-1), d_probs, x),
    )


@pytest.mark.parametrize("hidden", ["nothing", "some keys, and all of one query's"])
def test_attention(rng, hidden):
    q, d_context, k, v = (rng.normal(size=(B, H, n, K)) for n in (T, T, S, S))
    visible = None
    if hidden != "nothing":
        visible = rng.random((B, 1, T, S)) < 0.6
        visible[0, 0, 2] = False
    seen = None if visible is None else torch.from_numpy(visible)
    assert_close(
        reference.attention_backward(d_context, q, k, v, visible),
        autograd(lambda q, k, v: attention(q, k, v, seen)[0], d_context, q, k, v),
    )


@pytest.mark.parametrize("visibility", [None, visible_all, visible_causal])
@pytest.mark.parametrize("gated", [False, True])
def test_multi_head_attention(rng, visibility, gated):
    config = ModelConfig(hidden_size=D, num_attention_heads=H, attention_probs_dropout_prob=0.0)
    module = MultiHeadAttention(config).double()
    p = {name: value.detach().numpy() for name, value in module.named_parameters()}
    x, d_out = rng.normal(size=(2, B, T, D))
    visible = None if visibility is None else visibility(np.arange(T) < np.array([11, 7, 9])[:, None])
    seen = None if visible is None else torch.from_numpy(visible)
    gate = rng.random(H) if gated else None
    d_x, d_p, d_gate = reference.multi_head_attention_backward(d_out, x, p, H, visible, gate)
    theirs = autograd(
        lambda *tensors: module(tensors[0], seen, *tensors[1:])[0], d_out, x, *([gate] if gated else [])
    )
    assert_close([d_x] + ([d_gate] if gated else []), theirs)
    assert gated or d_gate is None
    assert d_p.keys() == p.keys()
    assert_close(list(d_p.values()), [module.get_parameter(name).grad.numpy() for name in d_p])


def test_linear(rng):
    x, d_out = rng.normal(size=(B, T, D)), rng.normal(size=(B, T, S))
    weight, bias = rng.normal(size=(S, D)), rng.normal(size=S)
    d_x, d_p = reference.linear_backward(d_out, x, {"weight": weight, "bias": bias})
    assert_close(
        [d_x, d_p["weight"], d_p["bias"]], autograd(torch.nn.functional.linear, d_out, x, weight, bias)
    )


@pytest.mark.parametrize("eps", [1e-12, 0.1])
def test_layer_norm(rng, eps):
    x, d_out = rng.normal(size=(2, B, T, D))
    weight, bias = rng.normal(size=(2, D))
    d_x, d_p = reference.layer_norm_backward(d_out, x, {"weight": weight, "bias": bias}, eps)
    expected = autograd(
        lambda x, w, b: torch.nn.functional.layer_norm(x, (D,), w, b, eps), d_out, x, weight, bias
    )
    assert_close([d_x, d_p["weight"], d_p["bias"]], expected)


def test_the_masked_lm_loss_counts_only_its_positions(rng):
    logits, labels = rng.normal(size=(B, T, 13)), rng.integers(0, 13, (B, T))
    labels[rng.random((B, T)) < 0.7] = IGNORE
    d_logits = reference.cross_entropy_backward(logits, labels)
    tensor = torch.tensor(logits, requires_grad=True)
    torch.nn.functional.cross_entropy(
        tensor.flatten(0, 1), torch.from_numpy(labels).flatten(), ignore_index=IGNORE
    ).backward()
    assert_close([d_logits], [tensor.grad.numpy()])
    assert not d_logits[labels == IGNORE].any() and d_logits[labels != IGNORE].any()


def test_the_gradient_of_no_labels_is_an_error():
    with pytest.raises(ValueError, match=f"all 2 labels are {IGNORE}"):
        reference.cross_entropy_backward(np.zeros((2, 3)), np.full(2, IGNORE))
