"""Leaks: the encoder's result moves exactly where the visibility lets a changed token through."""

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, B, T, ragged

from minibert.data.permutation import permutation_visible
from minibert.model import Encoder, Model, TokenHead

BATCH = ragged()


def encoder(config=CONFIG):
    torch.manual_seed(0)
    module = Encoder(config).double().eval()
    with torch.no_grad():
        for value in module.parameters():
            value.add_(0.1 * torch.randn_like(value))
    return module


def moved(module, ids, changed, visible, types, **more):
    """(B, T) bool: where the last hidden state differs."""
    a, b = (module(*map(torch.from_numpy, (i, visible, types)), **more)["hidden"] for i in (ids, changed))
    return (a - b).detach().abs().amax(-1).numpy() > 1e-12


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_each_layer_widens_a_window_by_its_reach(layers):
    ids, types, reach = BATCH[0], BATCH[2], 1
    changed = ids.copy()
    changed[:, 5] = np.where(ids[:, 5] == 50, 51, 50)
    near = np.abs(np.subtract.outer(np.arange(T), np.arange(T))) <= reach
    visible = np.broadcast_to(near, (B, T, T)).copy()
    got = moved(encoder(CONFIG.replace(num_hidden_layers=layers)), ids, changed, visible, types)
    assert np.array_equal(got, np.broadcast_to(np.abs(np.arange(T) - 5) <= layers * reach, (B, T)))


def two_streams(ids, real, types, rank):
    """XLNet's two streams in one row of 2T: the tokens, then as many [MASK] that know only their position."""
    content, query = permutation_visible(real, rank)
    visible = np.block([[content, np.zeros_like(content)], [query, np.zeros_like(query)]])  # (B, 2T, 2T)
    place = torch.arange(T).expand(B, T)
    inputs = [np.concatenate([ids, np.full_like(ids, SPECIALS.mask)], 1), visible, np.tile(types, 2)]
    return inputs, {"position_ids": torch.cat([place, place], 1)}


def test_the_query_stream_sees_what_comes_before_it_in_the_order_and_never_itself():
    ids, _, types = BATCH
    real = np.ones_like(ids, bool)
    rank = np.random.default_rng(0).permuted(np.tile(np.arange(T), (B, 1)), axis=1)
    place = 6
    changed = ids.copy()
    changed[:, place] = np.where(ids[:, place] == 50, 51, 50)
    inputs, position_ids = two_streams(ids, real, types, rank)
    other, _ = two_streams(changed, real, types, rank)
    got = moved(encoder(), inputs[0], other[0], *inputs[1:], **position_ids)
    assert np.array_equal(got[:, :T], rank >= rank[:, [place]])
    sees = inputs[1].any(-1)  # the first of the order sees nothing: no context is defined
    assert np.array_equal(got[:, T:][sees[:, T:]], (rank > rank[:, [place]])[sees[:, T:]])
    assert (~sees).sum() == B


def test_the_query_stream_knows_where_it_is():
    ids, real, types = BATCH
    # the first four are context for all others
    rank = np.where(np.arange(T) < 4, -1, 0) * np.ones((B, 1), int)
    inputs, position_ids = two_streams(ids, real, types, rank)
    hidden = encoder()(*map(torch.from_numpy, inputs), **position_ids)["hidden"]
    assert (hidden[:, T + 5] - hidden[:, T + 6]).abs().max() > 1e-3


def test_positions_given_are_those_of_the_reference_and_the_default_counts_from_0():
    from minibert import reference

    ids, real, types = BATCH
    module = encoder()
    p = {name: value.numpy() for name, value in module.state_dict().items()}
    visible = real[:, None].repeat(T, 1)
    place = np.random.default_rng(0).integers(0, 40, (B, T))
    expected = reference.encoder(ids, visible, types, p, CONFIG, position_ids=place)["hidden"]
    tensors = [torch.from_numpy(a) for a in (ids, visible, types)]
    got = module(*tensors, position_ids=torch.from_numpy(place))["hidden"]
    assert np.abs(got.detach().numpy() - expected).max() < 1e-12
    counted = module(*tensors, position_ids=torch.arange(T).expand(B, T))["hidden"]
    assert torch.equal(counted, module(*tensors)["hidden"]) and not torch.equal(counted, got)


def test_a_model_hands_further_inputs_to_its_trunk():
    module = encoder()
    model = Model(module, {"tokens": TokenHead(CONFIG, module.embeddings.word)}).double().eval()
    ids, real, types = BATCH
    inputs = [torch.from_numpy(a) for a in (ids, real[:, None].repeat(T, 1), types)]
    gate = torch.zeros(CONFIG.num_hidden_layers, CONFIG.num_attention_heads, dtype=torch.float64)
    expected = model.heads["tokens"](module(*inputs, gate=gate)["hidden"])
    assert torch.equal(model(*inputs, gate=gate)["tokens"], expected)
    assert not torch.equal(model(*inputs)["tokens"], expected)
