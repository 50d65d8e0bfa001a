"""A model stacked in training is the reference's, learns apart, and goes on as if it had always been deep."""

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, fit

from minibert.course.unit10 import definitions
from minibert.model import Encoder, Model
from minibert.model.variants import AlbertEncoder, FactorisedConfig, share_layers
from minibert.objectives import MLM
from minibert.training.config import TrainConfig
from minibert.training.optimizers import make_optimizer, parts_of
from minibert.training.stacking import stack

OBJECTIVE = MLM(SPECIALS, CONFIG.vocab_size, 24)
STEPS = 3


def trained(optimizer="adamw", layers=2):
    """A model after a few steps, its optimizer, and its configuration."""
    torch.manual_seed(0)
    encoder = Encoder(CONFIG.replace(num_hidden_layers=layers))
    model = Model(encoder, OBJECTIVE.heads(encoder))
    config = TrainConfig(steps=STEPS, batch_size=4, optimizer=optimizer)
    made = make_optimizer(model, config)
    run(model, made, config)
    return model, made, config


def run(model, optimizer, config):
    return fit(model, OBJECTIVE, config, optimizer=optimizer)


def as_reference(model, optimizer):
    """(weights, state) of the reference, with names that begin with "layers."."""
    names = {parameter: name.removeprefix("encoder.") for name, parameter in model.named_parameters()}
    state = {names[parameter]: of for part in parts_of(optimizer) for parameter, of in part.state.items()}
    assert state.keys() == set(names.values())
    (step,) = {int(of["step"]) for of in state.values()}
    return (
        {name: parameter.detach().numpy().copy() for parameter, name in names.items()},
        {
            "step": step,
            **{
                short: {name: of[long].numpy().copy() for name, of in state.items()}
                for short, long in (("m", "exp_avg"), ("v", "exp_avg_sq"))
            },
        },
    )


def test_weights_and_state_are_those_of_the_reference():
    model, optimizer, _ = trained()
    expected = definitions.stack_layers(*as_reference(model, optimizer))
    stack(model, optimizer)
    weights, state = as_reference(model, optimizer)
    assert model.encoder.config.num_hidden_layers == len(model.encoder.layers) == 4
    assert state["step"] == expected[1]["step"] == STEPS
    for got, wanted in ((weights, expected[0]), *((state[name], expected[1][name]) for name in "mv")):
        assert got.keys() == wanted.keys() and all(np.array_equal(got[name], wanted[name]) for name in wanted)


@pytest.mark.parametrize("optimizer", ["adamw", "bert_adam", "muon"])
def test_every_parameter_is_in_the_group_and_place_of_a_fresh_optimizer(optimizer):
    model, made, config = trained(optimizer)
    stack(model, made)
    fresh = make_optimizer(model, config)
    for ours, theirs in zip(parts_of(made), parts_of(fresh), strict=True):
        for group, other in zip(ours.param_groups, theirs.param_groups, strict=True):
            assert [id(p) for p in group["params"]] == [id(p) for p in other["params"]]
            assert group["weight_decay"] == other["weight_decay"]
        assert all(parameter in ours.state for group in ours.param_groups for parameter in group["params"])
    fresh.load_state_dict(made.state_dict())


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_training_goes_on_and_the_copies_learn_apart(optimizer):
    model, made, config = trained(optimizer)
    stack(model, made)
    old, new = (model.encoder.layers[i].feed_forward.up.weight for i in (0, 2))
    assert torch.equal(old, new) and old.data_ptr() != new.data_ptr()
    before = new.detach().clone()
    run(model, made, config)
    assert not torch.equal(old, new) and not torch.equal(new, before)
    steps = {int(of["step"]) for of in parts_of(made)[0].state.values()}
    assert steps == {2 * STEPS}


def test_an_optimizer_beside_groups_is_refused():
    model, made, config = trained()
    with pytest.raises(ValueError, match="an existing optimizer already has its groups"):
        fit(
            model,
            OBJECTIVE,
            config,
            optimizer=made,
            groups=[{"params": list(model.parameters()), "lr": 1e-3}],
        )


def shared():
    encoder = Encoder(CONFIG)
    share_layers(encoder, "attention")
    return encoder


@pytest.mark.parametrize(
    "make", [shared, lambda: AlbertEncoder(FactorisedConfig(**CONFIG.to_dict(), embedding_size=22))]
)
def test_shared_layers_cannot_be_stacked(make):
    model = Model(make(), {})
    with pytest.raises(ValueError, match="layer 2 of 2 shares parameters"):
        stack(model, torch.optim.AdamW(model.parameters()))
    assert len(model.encoder.layers) == 2
