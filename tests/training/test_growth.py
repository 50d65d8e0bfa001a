"""Growing a trunk, Muon, and the phases of a run: each keeps its promise."""

import dataclasses
from functools import partial

import numpy as np
import pytest
import torch
from killable import mlm, pretrained
from tiny import CONFIG, SPECIALS, documents, fit

from minibert.data.batch import visible_all
from minibert.model import Encoder, Model, positional_encoding
from minibert.model.growth import add_layers, stack_layers
from minibert.objectives import MLM, RTD
from minibert.training.config import TrainConfig
from minibert.training.optimizers import OptimizerGroup, hidden_matrices, make_optimizer, set_rate
from minibert.training.phases import Phase, stacking_phases, two_lengths
from minibert.training.pretraining import pretrain
from minibert.training.recipes import (
    copying_phases,
    frequent_tokens,
    growing_phases,
    look_up_objective,
    phases_of,
    start_from_neighbours,
    start_from_sinusoids,
)


def encoder(layers=1):
    torch.manual_seed(0)
    return Encoder(CONFIG.replace(num_hidden_layers=layers)).eval()


def batch():
    objective = MLM(SPECIALS, CONFIG.vocab_size, 16)
    rows, _ = objective.build(documents(), np.random.default_rng(0))
    return objective.collate(rows[:4])


def hidden(trunk):
    b = batch()
    return trunk(*map(torch.from_numpy, (b.input_ids, visible_all(b.real), b.token_type_ids)))["hidden"]


def test_new_layers_change_nothing_at_first_and_train_afterwards():
    trunk = encoder()
    before = hidden(trunk)
    add_layers(trunk, 3, seed=1)
    after = hidden(trunk.eval())
    assert torch.allclose(after, before, atol=1e-4)
    assert len(trunk.layers) == trunk.config.num_hidden_layers == 3
    (after * torch.randn_like(after)).sum().backward()
    assert all(layer.attention.out.weight.grad.abs().sum() > 0 for layer in trunk.layers)
    assert all(layer.attention.query.weight.std() > 0 for layer in trunk.layers)


def test_new_layers_depend_on_the_seed_alone_and_cannot_be_fewer():
    first, again, other = encoder(), encoder(), encoder()
    for trunk, seed in ((first, 1), (again, 1), (other, 2)):
        add_layers(trunk, 2, seed)
    query = [trunk.layers[1].attention.query.weight for trunk in (first, again, other)]
    assert torch.equal(query[0], query[1]) and not torch.equal(query[0], query[2])
    with pytest.raises(ValueError, match="count=1 is less than the 2 layers"):
        add_layers(first, 1, seed=0)


def test_stacked_layers_are_copies_in_order_that_learn_apart():
    trunk = encoder(2)
    stack_layers(trunk, 5)
    query = [layer.attention.query.weight for layer in trunk.layers]
    assert trunk.config.num_hidden_layers == 5 and not torch.equal(query[0], query[1])
    assert all(torch.equal(query[i], query[i - 2]) and query[i] is not query[i - 2] for i in (2, 3, 4))
    with pytest.raises(ValueError, match="count=4 is less than the 5 layers"):
        stack_layers(trunk, 4)


def test_progressive_stacking_doubles_the_trunk_and_trains_all_of_it():
    phases = stacking_phases(TrainConfig(steps=10, batch_size=4), 24, 4, times=2, shares=(0.2, 0.5))
    assert [(phase.config.steps, phase.config.first_step, phase.layers) for phase in phases] == [
        (2, 0, 1),
        (3, 2, 2),
        (5, 5, 4),
    ]
    grown = []

    def grow(trunk, count, seed):
        stack_layers(trunk, count)
        grown.append([layer.feed_forward.up.weight.detach().clone() for layer in trunk.layers])

    model, log = pretrained(phases, CONFIG.replace(num_hidden_layers=4), grow=grow)
    assert [len(layers) for layers in grown] == [1, 2, 4] and len(log) == 10
    assert torch.equal(grown[2][2], grown[2][0]) and torch.equal(grown[2][3], grown[2][1])
    assert not torch.equal(
        model.encoder.layers[2].feed_forward.up.weight, model.encoder.layers[0].feed_forward.up.weight
    )


@pytest.mark.parametrize(
    "way, layers, expected, grow",
    [
        ("growing", 4, [(20, 32, 1), (30, 96, 2), (50, 96, 4)], add_layers),
        ("two-lengths", 4, [(90, 24, None), (10, 96, None)], add_layers),
        ("stacking", 4, [(10, 96, 1), (20, 96, 2), (70, 96, 4)], stack_layers),
        ("stacking", 2, [(30, 96, 1), (70, 96, 2)], stack_layers),
        ("plain", 4, [(100, 96, None)], add_layers),
    ],
)
def test_phases_by_their_names(way, layers, expected, grow):
    phases, how = phases_of(way, TrainConfig(steps=100), 96, layers)
    assert [(phase.config.steps, phase.max_length, phase.layers) for phase in phases] == expected
    assert how is grow


def test_two_lengths_are_the_paper_s_nine_tenths_and_one():
    phases = two_lengths(TrainConfig(steps=100, batch_size=6), 16, 24)
    assert [
        (p.config.steps, p.config.first_step, p.config.all_steps, p.max_length, p.layers) for p in phases
    ] == [(90, 0, 100, 16, None), (10, 90, 100, 24, None)]
    assert [phase.max_length for phase in two_lengths(TrainConfig(steps=3), 16, 24, share=1.0)] == [16]


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda c: two_lengths(c, 24, 24), "short=24 must be greater than 0 and less than long=24"),
        (lambda c: two_lengths(c, share=1.5), "share=1.5 is a fraction of the steps"),
        (lambda c: phases_of("two", c, 24, 2), "phases 'two' must be one of 'growing', 'two-lengths'"),
        (lambda c: phases_of("stacking", c, 24, 3), "layers=3 must be a multiple of 2: "),
        (lambda c: phases_of("growing", c, 4, 2), "phases='growing' with max_length=4 has sequences of 4"),
        (
            lambda c: phases_of("two-lengths", c, 16, 2),
            "phases='two-lengths' with max_length=16 has sequences of 4 tokens",
        ),
        (lambda c: stacking_phases(c, 24, 6), "layers=6 must be a multiple of 4: "),
        (lambda c: stacking_phases(c, 24, 8, shares=(0.5, 0.2)), "must be 2 increasing numbers"),
        (lambda c: stacking_phases(c, 24, 8, shares=(0.5, 0.5)), "must be 2 increasing numbers"),
        (lambda c: stacking_phases(c, 24, 8, shares=(0.5, 1.5)), "must be 2 increasing numbers"),
    ],
)
def test_phases_that_make_no_sense_are_named(make, message):
    with pytest.raises(ValueError, match=message):
        make(TrainConfig(steps=10))


def test_positions_start_as_sinusoids():
    trunk = encoder()
    start_from_sinusoids(trunk, size=0.5)
    expected = 0.5 * positional_encoding(*trunk.embeddings.position.weight.shape).float()
    assert torch.allclose(trunk.embeddings.position.weight, expected)
    assert trunk.embeddings.position.weight.requires_grad


def test_a_fresh_encoder_is_prepared_on_the_processor_before_it_moves_to_its_device():
    def start(encoder):
        raise ValueError(f"prepared on {next(encoder.parameters()).device}")

    phases = [(TrainConfig(steps=1), 24)]
    with pytest.raises(ValueError, match="prepared on cpu"):
        pretrain(
            documents(), range(CONFIG.vocab_size), CONFIG, phases, "meta", start=start, make_objective=mlm
        )


@pytest.mark.parametrize("divided", [growing_phases, partial(copying_phases, look_up=look_up_objective)])
@pytest.mark.parametrize("steps", [1, 2, 3, 10, 101])
@pytest.mark.parametrize("layers", [1, 2, 3, 12])
def test_the_phases_add_up_to_the_run(steps, layers, divided):
    config = TrainConfig(steps=steps, batch_size=6)
    phases = divided(config, 64, layers)
    assert sum(phase.config.steps for phase in phases) == steps
    assert all(isinstance(phase, Phase) for phase in phases)
    assert [phase.config.first_step for phase in phases] == np.cumsum([0, *(p.config.steps for p in phases)])[
        :-1
    ].tolist()
    assert {phase.config.all_steps for phase in phases} == {steps} and phases[-1].layers == layers
    assert [phase.layers for phase in phases] == sorted(phase.layers for phase in phases)
    assert {phase.config.batch_size * phase.max_length for phase in phases} <= {6 * 64}


def test_the_rate_runs_over_the_phases_as_over_one_run():
    objective = MLM(SPECIALS, CONFIG.vocab_size, 24)

    def rates(config):
        trunk = encoder()
        log = fit(Model(trunk, objective.heads(trunk)), objective, config)
        return [entry["rate"] for entry in log]

    whole = TrainConfig(steps=6, batch_size=4, warmup=0.5)
    parts = [
        dataclasses.replace(whole, steps=2, first_step=0, all_steps=6),
        dataclasses.replace(whole, steps=4, first_step=2, all_steps=6),
    ]
    assert [rate for part in parts for rate in rates(part)] == rates(whole)


def test_muon_takes_the_hidden_matrices_and_adamw_the_rest():
    objective = MLM(SPECIALS, CONFIG.vocab_size, 24)
    trunk = encoder(2)
    model = Model(trunk, objective.heads(trunk))
    names = {id(p): name for name, p in model.named_parameters()}
    hidden_names = {names[id(p)] for p in hidden_matrices(model)}
    assert all(
        name.endswith("weight") and "embeddings" not in name and "decoder" not in name
        for name in hidden_names
    )
    assert len(hidden_names) == 2 * 6 + 1  # 6 a layer, and the head's transform
    detector = RTD(SPECIALS, CONFIG.vocab_size, 24, size=0.5).model(encoder(2))
    projection = detector.generator.project.weight  # of the embeddings, whose optimiser is AdamW
    assert all(p is not projection for p in hidden_matrices(detector))
    optimizer = make_optimizer(model, TrainConfig(steps=1, optimizer="muon"))
    assert isinstance(optimizer, OptimizerGroup)
    shared = [id(p) for group in optimizer.param_groups for p in group["params"]]
    assert sorted(shared) == sorted(names)  # each parameter once
    peaks = [group["lr"] for group in optimizer.param_groups]
    set_rate(optimizer, 0.5)
    set_rate(optimizer, 0.25)
    assert [group["lr"] for group in optimizer.param_groups] == pytest.approx([0.25 * peak for peak in peaks])
    assert not any(
        id(p) in {id(q) for q in hidden_matrices(model)}
        for g in make_optimizer(model, TrainConfig(steps=1, optimizer="muon")).optimizers[0].param_groups
        for p in g["params"]
    )


def test_muon_learns_and_resumes_to_the_bit(tmp_path):
    objective = MLM(SPECIALS, CONFIG.vocab_size, 24)

    def run(steps, **options):
        trunk = encoder(2)
        model = Model(trunk, objective.heads(trunk))
        config = TrainConfig(steps=20, batch_size=4, save_every=5, optimizer="muon")
        calls = iter(range(steps))

        class Stopping(MLM):
            def step(self, *arguments):
                next(calls)
                return super().step(*arguments)

        return model, fit(model, Stopping(SPECIALS, CONFIG.vocab_size, 24), config, **options)

    whole, log = run(100)
    assert log[-1]["loss"] < log[0]["loss"]
    with pytest.raises(StopIteration):
        run(8, checkpoint=tmp_path / "state")
    resumed, _ = run(100, checkpoint=tmp_path / "state")
    assert all(
        torch.equal(a, b)
        for a, b in zip(whole.state_dict().values(), resumed.state_dict().values(), strict=True)
    )


def test_the_middle_looks_up_and_the_ends_ask_for_next_sentences():
    hide = partial(look_up_objective, common=frequent_tokens(documents(), 3))
    phases = copying_phases(TrainConfig(steps=20, batch_size=4), 24, 3, hide, short_length=12)
    assert [phase.make_objective for phase in phases] == [None, hide, None]
    _, log = pretrained(phases, make_objective=partial(hide, share=0.3, pairs=True))
    assert ["nsp" in entry for entry in log] == [True] * 2 + [False] * 13 + [True] * 5
    assert all("mlm" in entry for entry in log)


def test_the_most_frequent_tokens_are_those_that_stand_most_often():
    assert frequent_tokens([[[5, 6, 6], [7]], [[6, 7, 9]]], 2).tolist() == [6, 7]


def test_word_embeddings_may_have_a_rate_of_their_own():
    objective = MLM(SPECIALS, CONFIG.vocab_size, 24)
    trunk = encoder(2)
    model = Model(trunk, objective.heads(trunk))
    config = TrainConfig(steps=1, optimizer="muon", peak_rate=1e-3, embedding_share=4)
    rates = {
        id(p): group["lr"]
        for group in make_optimizer(model, config).optimizers[0].param_groups
        for p in group["params"]
    }
    assert rates.pop(id(trunk.embeddings.word.weight)) == 4e-3 and set(rates.values()) == {1e-3}
    names = (
        {id(p) for p in model.parameters()}
        - {id(p) for p in hidden_matrices(model)}
        - {id(trunk.embeddings.word.weight)}
    )
    assert names == set(rates)
    with pytest.raises(ValueError, match="embedding_share=4 cannot be combined with groups"):
        make_optimizer(
            model,
            dataclasses.replace(config, optimizer="adamw"),
            [{"params": list(model.parameters()), "lr": 1e-3}],
        )


@pytest.mark.parametrize("share, rate", [({}, 1e-2), ({"muon_share": 3}, 3e-3)])
def test_muon_has_a_rate_of_its_own(share, rate):
    objective = MLM(SPECIALS, CONFIG.vocab_size, 24)
    trunk = encoder(2)
    config = TrainConfig(steps=1, optimizer="muon", peak_rate=1e-3, **share)
    optimizers = make_optimizer(Model(trunk, objective.heads(trunk)), config).optimizers
    assert [group["lr"] for group in optimizers[1].param_groups] == [pytest.approx(rate)]


def test_a_start_is_passed_on():
    for size in (0.2, 0.01):
        phases = [(TrainConfig(steps=1, batch_size=2, peak_rate=1e-6), 12)]
        model, _ = pretrained(phases, start=partial(start_from_sinusoids, size=size))
        assert model.encoder.embeddings.position.weight.abs().max().item() == pytest.approx(size, rel=0.01)


@pytest.mark.parametrize("size", [0.1, 1.0])
@pytest.mark.parametrize("heads", [1, 4, 6])
def test_heads_of_the_first_layer_start_at_their_neighbours(heads, size):
    torch.manual_seed(0)
    trunk = Encoder(
        CONFIG.replace(hidden_size=96, num_attention_heads=heads, max_position_embeddings=64)
    ).eval()
    start_from_neighbours(trunk, size)
    ids = torch.randint(CONFIG.vocab_size, (3, 64))
    probs = trunk(ids, torch.ones(3, 64, 64, dtype=torch.bool), torch.zeros_like(ids))["probs"][0]
    for head, distance in enumerate([-1, 1, -2, 2, -3, 3][:heads]):
        inside = range(max(0, -distance), 64 - max(0, distance))  # places that have such a neighbour
        # sharp, but not so that nothing learns
        assert 0.6 < probs[:, head, inside, [t + distance for t in inside]].mean() < 0.97
    assert trunk.embeddings.word.weight[:, -72:].std() > 0.01  # room for words is left
