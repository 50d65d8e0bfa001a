"""The two directions of ELMo's trunk: equal to the definition, blind to the other side and to padding."""

import math

import numpy as np
import pytest
import torch
from tiny import CONFIG, B, D, T, ragged

from minibert.analysis.layers import scalar_mix
from minibert.course.unit09 import definitions
from minibert.data.batch import visible_all, visible_causal
from minibert.model import BiLSTM, ClassifierHead, Model, ScalarMix, TokenClassifierHead, TokenHead

L, V = CONFIG.num_hidden_layers, CONFIG.vocab_size
BATCH = ragged()


def trunk(config=CONFIG):
    """In float64, with every parameter of a size that matters."""
    torch.manual_seed(0)
    module = BiLSTM(config).double().eval()
    with torch.no_grad():
        for value in module.parameters():
            value.copy_(torch.randn_like(value) / 4)
    return module


def run(module, ids, real, types=BATCH[2]):
    with torch.no_grad():
        return module(*map(torch.from_numpy, (ids, visible_all(real), types)))


@pytest.mark.parametrize("visibility", [visible_all, visible_causal])
def test_it_equals_the_reference_in_float64(visibility):
    ids, real, types = BATCH
    module = trunk(CONFIG.replace(num_hidden_layers=3))
    p = {name: value.numpy() for name, value in module.state_dict().items()}
    expected = definitions.bi_lstm(ids, visibility(real), types, p, module.config)
    got = module(*map(torch.from_numpy, (ids, visibility(real), types)))
    for name in ("forward", "backward", "hidden"):
        assert np.abs(got[name].detach().numpy() - expected[name]).max() < 1e-12, name
    for ours, theirs in zip(got["layers"], expected["layers"]):
        assert np.abs(ours.detach().numpy() - theirs).max() < 1e-12
    assert len(got["layers"]) == len(expected["layers"]) == 4 and got["probs"] is None


@pytest.mark.parametrize("place", [0, 5, 10])
def test_forward_never_sees_the_right_and_backward_never_the_left(place):
    ids, _, _ = BATCH
    real = np.ones_like(ids, bool)
    changed = ids.copy()
    changed[:, place] = np.where(ids[:, place] == 50, 51, 50)
    a, b = (run(trunk(), i, real) for i in (ids, changed))
    for i in range(L + 1):
        moved = (a["layers"][i] - b["layers"][i]).abs().amax(0)  # (T, 2D)
        forward, backward = moved[:, :D].amax(1), moved[:, D:].amax(1)
        assert not forward[:place].any() and not backward[place + 1 :].any()
        assert forward[place] > 1e-6 and backward[place] > 1e-6
    for name, seen in (("forward", slice(place, None)), ("backward", slice(0, place + 1))):
        moved = (a[name] - b[name]).abs().amax((0, 2))
        assert (moved[seen] > 1e-9).all() and moved.count_nonzero() == len(moved[seen])


@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_the_directions_share_nothing_but_the_embeddings(direction):
    module = trunk()
    out = module(*map(torch.from_numpy, (BATCH[0], visible_all(BATCH[1]), BATCH[2])))
    out[direction].square().sum().backward()
    touched = {
        name.split(".")[0] for name, p in module.named_parameters() if p.grad is not None and p.grad.any()
    }
    assert touched == {"embeddings", f"{direction}_layers"}


def test_padding_does_not_leak_into_either_direction():
    ids, real, _ = BATCH
    a, b = (run(trunk(), i, real) for i in (ids, np.where(real, ids, 77)))
    for name in ("forward", "backward", "hidden"):
        assert torch.equal(a[name][torch.from_numpy(real)], b[name][torch.from_numpy(real)]), name


def test_a_row_is_the_same_alone_without_its_padding_and_with_padding_on_the_left():
    ids, real, types = BATCH
    together = run(trunk(), *BATCH)
    row, size = 1, int(real[1].sum())
    alone = run(trunk(), ids[[row], :size], real[[row], :size], types[[row], :size])
    left = run(trunk(), np.roll(ids[[row]], T - size), np.roll(real[[row]], T - size), types[[row]])
    for name in ("forward", "backward", "hidden"):
        assert (alone[name] - together[name][[row], :size]).abs().max() < 1e-12, name
        assert (alone[name] - left[name][:, T - size :]).abs().max() < 1e-12, name


def test_it_fits_every_head_and_a_head_may_read_one_direction():
    torch.manual_seed(0)
    module = BiLSTM(CONFIG)
    word = module.embeddings.word
    model = Model(
        module,
        {
            "tokens": TokenHead(CONFIG, word),
            "next": TokenHead(CONFIG, word, output="forward"),
            "previous": TokenHead(CONFIG, word, output="backward"),
            "pair": ClassifierHead(CONFIG, 2),
            "tags": TokenClassifierHead(CONFIG, 5),
        },
    ).eval()
    ids, real, types = BATCH
    inputs = [torch.from_numpy(a) for a in (ids, visible_all(real), types)]
    out, states = model(*inputs), module(*inputs)
    assert {name: tuple(x.shape) for name, x in out.items()} == {
        "tokens": (B, T, V),
        "next": (B, T, V),
        "previous": (B, T, V),
        "pair": (B, 2),
        "tags": (B, T, 5),
    }
    for name, state in (("tokens", "hidden"), ("next", "forward"), ("previous", "backward")):
        assert torch.equal(out[name], model.heads[name](states[state]))
        loss = torch.nn.functional.cross_entropy(out[name].flatten(0, 1), inputs[0].flatten())
        assert abs(loss.item() - math.log(V)) < 0.15 * math.log(V)  # an untrained model guesses
    assert model(*inputs, counted=torch.from_numpy(real))["next"].shape == (real.sum(), V)


@pytest.mark.parametrize("other", ["dropout", "embeddings.dropout"])
def test_dropout_acts_on_embeddings_and_layers_in_training_only(other):
    module = BiLSTM(CONFIG.replace(hidden_dropout_prob=0.3))
    module.get_submodule(other).p = 0.0
    inputs = [torch.from_numpy(a) for a in (BATCH[0], visible_all(BATCH[1]), BATCH[2])]
    assert not torch.equal(module(*inputs)["hidden"], module(*inputs)["hidden"])
    module.eval()
    assert torch.equal(module(*inputs)["hidden"], module(*inputs)["hidden"])


def test_a_fresh_mix_is_the_mean_and_a_large_weight_picks_its_layer():
    layers = torch.randn(3, B, T, D)
    mix = ScalarMix(3)
    assert torch.allclose(mix(list(layers)), layers.mean(0), atol=1e-6)
    with torch.no_grad():
        mix.weights.copy_(torch.tensor([0.0, 50.0, 0.0]))
        mix.gamma.fill_(2.0)
    assert torch.allclose(mix(list(layers)), 2 * layers[1], atol=1e-5)


def test_the_mix_equals_its_definition():
    rng = np.random.default_rng(0)
    layers, mix = rng.normal(size=(3, B, T, D)), ScalarMix(3).double()
    p = {"weights": rng.normal(size=3), "gamma": rng.normal(size=1)}
    mix.load_state_dict({name: torch.from_numpy(value) for name, value in p.items()})
    assert np.abs(mix(torch.from_numpy(layers)).detach().numpy() - scalar_mix(layers, p)).max() < 1e-12


def test_a_mix_of_another_number_of_layers_is_an_error():
    with pytest.raises(ValueError, match="the number of layers is 2, but must be 3"):
        ScalarMix(3)([torch.zeros(1), torch.zeros(1)])
    with pytest.raises(ValueError, match="the number of layers is 2, but must be 3"):
        scalar_mix([np.zeros(1)] * 2, {"weights": np.zeros(3), "gamma": np.ones(1)})
