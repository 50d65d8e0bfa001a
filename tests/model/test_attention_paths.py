"""The readable and the fast attention agree in value and gradient: every visibility, gates, two sequences,
half precision.
"""
import sys

import numpy as np
import pytest
import torch
from tiny import CONFIG, B, D, H, K, T, ragged

from minibert.batch import visible_all, visible_causal, visible_window
from minibert.model import Encoder, MultiHeadAttention, attention, attention_fast
from minibert.model.attention import attention_products
from minibert.reference import multi_head_attention

S = 7
REAL = ragged()[1]
VISIBLE = {"nothing is hidden": None, "padding": visible_all(REAL), "the future": visible_causal(REAL),
           "the distance": visible_window(REAL, 2, np.arange(T) == np.zeros((B, 1)))}
# bfloat16 keeps 8 binary digits: two ways of rounding may differ by a few units in the last of them (4 were
# seen).
HALF_TOLERANCE = 8 * 2 ** -8


@pytest.fixture(params=VISIBLE)
def visible(request):
    array = VISIBLE[request.param]
    return None if array is None else torch.from_numpy(array)


def module_and_input(length=T):
    torch.manual_seed(0)
    module = MultiHeadAttention(CONFIG).double()
    with torch.no_grad():
        for value in module.parameters():
            value.copy_(torch.randn_like(value) / 4)
    return module, torch.randn(B, length, D, dtype=torch.float64, requires_grad=True)


def value_and_gradients(module, x, with_probs, visible, gate=None, memory=None):
    """The output, and the gradients of x, gate, memory and all parameters."""
    module.zero_grad()
    inputs = [tensor for tensor in (x, gate, memory) if tensor is not None]
    for tensor in inputs:
        tensor.grad = None
    output, probs = module(x, visible, gate, with_probs, memory)
    assert (probs is not None) == with_probs
    (output * torch.randn(output.shape, generator=torch.Generator().manual_seed(1),
                          dtype=output.dtype)).sum().backward()
    return [output.detach(), *(t.grad for t in inputs), *(p.grad for p in module.parameters())]


@pytest.mark.parametrize("gated", [False, True])
def test_both_paths_agree_in_value_and_gradient(visible, gated):
    module, x = module_and_input()
    gate = torch.rand(H, dtype=torch.float64, requires_grad=True) if gated else None
    readable, fast = (value_and_gradients(module, x, with_probs, visible, gate)
                      for with_probs in (True, False))
    for a, b in zip(readable, fast):
        assert a.abs().max() > 0 and (a - b).abs().max() < 1e-12


@pytest.mark.parametrize("real, masked", [(np.ones((B, T), bool), False), (REAL, True)],
                         ids=["full rows", "padding"])
def test_the_layers_get_a_mask_only_where_it_hides_something(monkeypatch, real, masked):
    got = []
    monkeypatch.setattr(sys.modules["minibert.model.attention"], "attention_fast",
                        lambda q, k, v, visible, dropout: got.append(visible)
                        or attention_fast(q, k, v, visible, dropout))
    torch.manual_seed(0)
    encoder, ids, types = Encoder(CONFIG).double().eval(), *(torch.from_numpy(x)
                                                             for x in (ragged()[0], ragged()[2]))
    visible = torch.from_numpy(visible_all(real))
    hidden = encoder(ids, visible, types)["hidden"]
    assert [mask is not None for mask in got] == [masked] * CONFIG.num_hidden_layers
    expected = encoder(ids, visible, types, with_probs=True)["hidden"]          # the readable path
    assert (hidden - expected)[torch.from_numpy(real)].abs().max() < 1e-12


def test_both_paths_agree_from_one_sequence_to_another():
    module, x = module_and_input()
    memory = torch.randn(B, S, D, dtype=torch.float64, requires_grad=True)
    visible = torch.from_numpy(np.arange(S) < np.array([7, 2, 5])[:, None])[:, None].expand(B, T, S)
    gate = torch.rand(H, dtype=torch.float64, requires_grad=True)
    readable, fast = (value_and_gradients(module, x, with_probs, visible, gate, memory)
                      for with_probs in (True, False))
    for a, b in zip(readable, fast):
        assert a.abs().max() > 0 and (a - b).abs().max() < 1e-12


def test_the_products_agree_with_the_readable_path_in_value_and_gradient(visible):
    torch.manual_seed(0)
    q, k, v, d_out = (torch.randn(B, H, T, K, dtype=torch.float64, requires_grad=True) for _ in range(4))
    results = []
    for function in (attention, attention_products):
        context = function(q, k, v, None if visible is None else visible[:, None])
        context = context[0] if isinstance(context, tuple) else context
        results.append([context, *torch.autograd.grad((context * d_out).sum(), (q, k, v))])
    for readable, products in zip(*results):
        assert (readable - products).abs().max() < 1e-12


def test_both_paths_agree_in_bfloat16(visible):
    results = {}
    for function in (attention, attention_fast):
        for dtype in (torch.bfloat16, torch.float64):
            torch.manual_seed(0)
            q, k, v, d_out = (torch.randn(B, H, T, K).to(torch.bfloat16).to(dtype).requires_grad_(i < 3)
                              for i in range(4))
            context = function(q, k, v, None if visible is None else visible[:, None])
            context = context[0] if isinstance(context, tuple) else context
            (context * d_out).sum().backward()
            assert context.dtype == dtype
            results[function, dtype] = [t.detach().double() for t in (context, q.grad, k.grad, v.grad)]
    exact = results[attention, torch.float64]
    for function in (attention, attention_fast):
        for half, value in zip(results[function, torch.bfloat16], exact):
            assert (half - value).abs().max() < HALF_TOLERANCE * value.abs().max()


def test_one_sequence_asks_another_as_in_the_reference():
    module, x = module_and_input()
    p = {name: value.numpy() for name, value in module.state_dict().items()}
    rng = np.random.default_rng(0)
    memory, visible, gate = rng.normal(size=(B, S, D)), rng.random((B, T, S)) < 0.7, rng.random(H)
    expected = multi_head_attention(x.detach().numpy(), p, H, visible, gate, memory)
    got = module(x, *map(torch.from_numpy, (visible, gate)), memory=torch.from_numpy(memory))
    for ours, theirs in zip(got, expected):
        assert np.abs(ours.detach().numpy() - theirs).max() < 1e-12
    assert got[1].shape == (B, H, T, S)


@pytest.mark.parametrize("asks_itself", [True, False])
def test_heads_projections_and_visibility_are_those_of_pytorch(asks_itself):
    module, x = module_and_input()
    theirs = torch.nn.MultiheadAttention(D, H, batch_first=True, dtype=torch.float64)
    parts = (module.query, module.key, module.value)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([part.weight for part in parts]))
        theirs.in_proj_bias.copy_(torch.cat([part.bias for part in parts]))
    theirs.out_proj.load_state_dict(module.out.state_dict())
    memory = x if asks_itself else torch.randn(B, S, D, dtype=torch.float64)
    visible = torch.rand(B, T, memory.shape[1], generator=torch.Generator().manual_seed(2)) < 0.8
    visible[:, :, 0] = True
    output, probs = theirs(x, memory, memory, attn_mask=~visible.repeat_interleave(H, 0),
                           average_attn_weights=False)
    ours = module(x, visible, memory=None if asks_itself else memory)
    assert (ours[0] - output).abs().max() < 1e-12 and (ours[1] - probs).abs().max() < 1e-12


def test_the_one_who_asks_does_not_see_hidden_memory():
    module, x = module_and_input()
    memory = torch.randn(B, S, D, dtype=torch.float64)
    visible = torch.ones(B, T, S, dtype=torch.bool)
    visible[:, :, 4] = False
    changed = memory.clone()
    changed[:, 4] += 1
    for with_probs in (True, False):
        a, b = (module(x, visible, None, with_probs, m)[0] for m in (memory, changed))
        assert torch.equal(a, b)
    assert not torch.equal(module(x, None, memory=memory)[0], module(x, None, memory=changed)[0])
