"""Layers that are made anew, frozen, or compared."""

import copy

import pytest
import torch
from tiny import CONFIG

from minibert.finetuning.layers import changes_by_layer, freeze_lowest, reinitialise_top
from minibert.model import BiLSTM, Encoder


@pytest.fixture
def encoder():
    torch.manual_seed(0)
    made = Encoder(CONFIG.replace(num_hidden_layers=3))
    with torch.no_grad():
        for parameter in made.parameters():
            parameter += 0.5
    return made


def test_only_the_top_layers_are_made_anew_and_as_before_pretraining(encoder):
    before = copy.deepcopy(encoder)
    reinitialise_top(encoder, 2, torch.Generator().manual_seed(1))
    changes = changes_by_layer(before, encoder)
    assert changes[:2] == [0, 0] and min(changes[2:]) > 0.5
    top = encoder.layers[-1]
    assert not top.feed_forward.up.bias.any() and (top.attention_norm.weight == 1).all()
    assert top.feed_forward.up.weight.std().item() == pytest.approx(CONFIG.initializer_range, rel=0.1)


def test_the_generator_decides_the_new_weights(encoder):
    one, same, other = (copy.deepcopy(encoder) for _ in range(3))
    for made, seed in ((one, 1), (same, 1), (other, 2)):
        reinitialise_top(made, 1, torch.Generator().manual_seed(seed))
    assert changes_by_layer(one, same) == [0] * 4 and changes_by_layer(one, other)[-1] > 0


def test_the_embeddings_and_the_lowest_layers_are_frozen(encoder):
    freeze_lowest(encoder, 1)
    parts = [encoder.embeddings, *encoder.layers]
    assert [all(p.requires_grad for p in part.parameters()) for part in parts] == [False, False, True, True]
    assert not any(p.requires_grad for part in parts[:2] for p in part.parameters())


def test_changes_are_relative_lengths(encoder):
    after = copy.deepcopy(encoder)
    with torch.no_grad():
        for parameter in after.layers[1].parameters():
            parameter *= 1.25
    assert changes_by_layer(encoder, after) == pytest.approx([0, 0, 0.25, 0])


@pytest.mark.parametrize("count", [-1, 4])
def test_more_layers_than_there_are_cannot_be_treated(encoder, count):
    for treat in (
        lambda: reinitialise_top(encoder, count, torch.Generator()),
        lambda: freeze_lowest(encoder, count),
    ):
        with pytest.raises(ValueError, match=f"the number of layers is {count}, but must be between 0 and 3"):
            treat()
    with pytest.raises(ValueError, match="3 and 2 layers"):
        changes_by_layer(encoder, Encoder(CONFIG))


def test_an_encoder_without_a_list_of_layers_is_refused():
    with pytest.raises(ValueError, match="the number of layers is 1, but must be between 0 and 0"):
        freeze_lowest(BiLSTM(CONFIG), 1)
