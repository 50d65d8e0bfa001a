"""Multi-head attention over another sequence equals the reference and PyTorch's own, and does not leak."""

import numpy as np
import pytest
import torch
from tiny import CONFIG, B, D, H, T

from minibert.model import MultiHeadAttention
from minibert.reference import multi_head_attention

S = 7


def module_and_input(length=T):
    torch.manual_seed(0)
    module = MultiHeadAttention(CONFIG).double()
    with torch.no_grad():
        for value in module.parameters():
            value.copy_(torch.randn_like(value) / 4)
    return module, torch.randn(B, length, D, dtype=torch.float64, requires_grad=True)


def test_one_sequence_asks_another_as_in_the_reference():
    module, x = module_and_input()
    p = {name: value.numpy() for name, value in module.state_dict().items()}
    rng = np.random.default_rng(0)
    memory, visible, gate = rng.normal(size=(B, S, D)), rng.random((B, T, S)) < 0.7, rng.random(H)
    expected = multi_head_attention(x.detach().numpy(), p, H, visible, gate, memory)
    got = module(x, *map(torch.from_numpy, (visible, gate, memory)))
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
    output, probs = theirs(
        x, memory, memory, attn_mask=~visible.repeat_interleave(H, 0), average_attn_weights=False
    )
    ours = module(x, visible, memory=None if asks_itself else memory)
    assert (ours[0] - output).abs().max() < 1e-12 and (ours[1] - probs).abs().max() < 1e-12


def test_a_key_that_is_not_visible_does_not_matter():
    module, x = module_and_input()
    memory = torch.randn(B, S, D, dtype=torch.float64)
    visible = torch.ones(B, T, S, dtype=torch.bool)
    visible[:, :, 4] = False
    changed = memory.clone()
    changed[:, 4] += 1
    before, after = (module(x, visible, memory=m)[0] for m in (memory, changed))
    assert torch.equal(before, after)
    assert not torch.equal(module(x, None, memory=memory)[0], module(x, None, memory=changed)[0])
