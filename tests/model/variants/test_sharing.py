"""Layers that share parameters: which ones, how many are left, and that a gradient is a sum over all uses."""

import copy

import pytest
import torch
from tiny import CONFIG, ragged

from minibert.data.batch import visible_all
from minibert.model import Encoder, FastEncoder
from minibert.model.variants import share_layers
from minibert.model.variants.sharing import PARTS, count

CONFIG3 = CONFIG.replace(num_hidden_layers=3)


def encoder(kind=Encoder):
    torch.manual_seed(0)
    return kind(CONFIG3).double()


def hidden(model):
    ids, real, types = ragged()
    return model(*map(torch.from_numpy, (ids, visible_all(real), types)))["hidden"]


@pytest.mark.parametrize("what", PARTS)
def test_only_the_named_parts_are_shared(what):
    one = encoder()
    own = sum(count(getattr(one.layers[0], part)) for part in PARTS[what])
    before = count(one)
    share_layers(one, what)
    assert count(one) == before - 2 * own
    for layer in one.layers[1:]:
        for part in PARTS["all"]:
            assert (getattr(layer, part) is getattr(one.layers[0], part)) == (part in PARTS[what])


@pytest.mark.parametrize("what", PARTS)
def test_it_computes_what_layers_with_equal_weights_compute_and_sums_their_gradients(what):
    one, apart = encoder(), encoder()
    share_layers(one, what)
    for layer in apart.layers[1:]:
        for part in PARTS[what]:
            setattr(layer, part, copy.deepcopy(getattr(apart.layers[0], part)))
    probe = torch.randn(hidden(one).shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
    assert torch.equal(hidden(one), hidden(apart))
    for each in (one, apart):
        (hidden(each) * probe).sum().backward()
    for name in PARTS[what]:
        shared = getattr(one.layers[0], name).parameters()
        for mine, *theirs in zip(shared, *(getattr(layer, name).parameters() for layer in apart.layers)):
            assert torch.allclose(mine.grad, sum(p.grad for p in theirs), rtol=1e-9, atol=1e-12)


def test_the_fast_encoder_shares_alike():
    one, fast = encoder(), encoder(FastEncoder)
    for each in (one, fast):
        share_layers(each)
    assert torch.allclose(hidden(one), hidden(fast), atol=1e-12)


def test_another_part_is_an_error():
    with pytest.raises(ValueError, match="what='heads' must be one of 'all', 'attention', 'feed_forward'"):
        share_layers(encoder(), "heads")
