"""The small experiments of lesson 10: sizes, fairness, and that each runs, on a few steps."""

import dataclasses

import numpy as np
import pytest
import torch

from minibert.config import count_parameters, preset
from minibert.course.unit10 import experiments as small
from minibert.course.unit10.experiments import shared
from minibert.course.unit10.experiments.electra import electra_objective, forward_flops, start_generator
from minibert.course.unit10.experiments.roberta import format_objective

QUICK = dataclasses.replace(
    small.RECIPE, documents=300, pieces=300, steps=3, batch_size=4, length=32, hidden_size=32
)
BASE = {
    "vocab_size": 30522,
    "hidden_size": 768,
    "num_hidden_layers": 12,
    "num_attention_heads": 12,
    "intermediate_size": 3072,
}


@pytest.fixture(autouse=True)
def little(monkeypatch):
    """Short texts and short fine-tuning."""
    text = shared.material(QUICK)
    few = dataclasses.replace(
        text, held_out=text.held_out[:8], labelled=text.labelled[:40], test=text.test[:5], dev=text.dev[:5]
    )
    for module in ("albert", "electra", "ernie", "roberta", "stacked"):
        monkeypatch.setattr(f"minibert.course.unit10.experiments.{module}.material", lambda recipe=None: few)
    monkeypatch.setattr(shared, "TUNING_STEPS", 2)
    monkeypatch.setattr(shared, "LABELLED", 8)
    return few


def test_the_counts_are_those_of_bert_and_of_the_published_alberts():
    assert (
        sum(small.parameter_parts(BASE, 768, shared=False).values())
        == sum(count_parameters(preset("base")).values())
        == 109_482_240
    )
    albert = BASE | {"vocab_size": 30000}
    assert sum(small.parameter_parts(albert, 128, shared=True).values()) == 11_683_584
    xxlarge = albert | {"hidden_size": 4096, "num_attention_heads": 64, "intermediate_size": 16384}
    assert sum(small.parameter_parts(xxlarge, 128, shared=True).values()) == 222_595_584


def test_the_four_encoders_differ_in_their_parameters_alone(little):
    config, ids = QUICK.config(little.tokenizer), torch.randint(5, 200, (2, 9))
    sizes = {}
    for name in small.SHARINGS:
        encoder = small.albert_encoder(name, config, seed=0)
        assert encoder(ids, None, torch.zeros_like(ids))["hidden"].shape == (2, 9, QUICK.hidden_size)
        sizes[name] = small.count(encoder)
    assert sizes["ALBERT"] < sizes["shared"] < sizes["BERT"] and sizes["factorised"] < sizes["BERT"]
    assert set(small.milliseconds(encoder, length=8, batch_size=2, rounds=1)) == {"train", "predict"}


def test_compute_is_equal(little):
    steps = {name: small.steps_for(name, 1000, QUICK, little.tokenizer) for name in small.OBJECTIVES}
    assert steps["MLM"] == 1000 > steps["ELECTRA"] > steps["ELECTRA, large generator"] > 400
    config = QUICK.config(little.tokenizer)
    assert forward_flops(config, 64, 10, None) == (
        2 * (2 * 64 * 12 * 32**2 + 64 * 4 * 32 * 32) + 2 * 10 * (32**2 + len(little.tokenizer) * 32)
    )


@pytest.mark.parametrize("name", ["ELECTRA", "ELECTRA, large generator"])
def test_the_generators_heads_begin_by_looking_at_neighbours(name, little):
    model = electra_objective(name, QUICK, little.tokenizer).model(
        shared.fresh_encoder(QUICK.config(little.tokenizer, hidden_dropout_prob=0.0), seed=0)
    )
    start_generator(model)
    ids = torch.randint(5, 200, (1, 9))
    embedded = model.generator.project(model.encoder.embeddings(ids, torch.zeros_like(ids)))
    attention = model.generator.layers[0].attention
    heads = attention.num_heads, -1
    query, key = (linear(embedded)[0].unflatten(-1, heads) for linear in (attention.query, attention.key))
    looked_at = torch.einsum("thk,shk->hts", query, key).argmax(-1)  # (H, T)
    assert looked_at[0, 2:].tolist() == list(range(1, 8))  # one to the left


@pytest.mark.parametrize("name", small.FORMATS)
def test_each_format_is_trained_with_as_many_tokens_a_step(name, little):
    objective = format_objective(name, QUICK, little.tokenizer)
    rows, labels = objective.build(little.docs, np.random.default_rng(0))
    assert (labels is None) == ("SENTENCES" in name)
    assert max(len(a) + len(b or ()) for a, b in rows) <= QUICK.length - 2 - (labels is not None)
    found = small.format_run(name, 1, QUICK)
    tokens = found["sequences"] * np.mean([len(a) + len(b or ()) + 2 + (b is not None) for a, b in rows])
    assert abs(tokens / (QUICK.batch_size * QUICK.length) - 1) < 0.15
    assert {"words", "entities", "next", "order"} <= found.keys()


@pytest.mark.parametrize("kind", small.MASKS)
def test_masks_are_scored_after_each_of_the_epochs(kind):
    found = small.masks_run(kind, 1, QUICK, (1, 3), few=6)
    assert len(found["held out"]) == len(found["read"]) == 2 and found["steps"] >= 2


def test_the_other_experiments_run():
    assert small.albert_run("ALBERT", 1, QUICK)["parameters"] > 0
    assert small.electra_run("ELECTRA", 4, 1, 2e-3, QUICK)["steps"] == 3
    deep = dataclasses.replace(QUICK, layers=4, steps=10)
    runs = {way: small.stacking_run(way, 1, deep, every=5) for way in small.WAYS}
    for run in runs.values():
        assert run["steps"] == [5, 10] and len(run["likeness"]) == 3 and run["seconds"][0] < run["seconds"][1]
        assert all(0 < share <= 1 for share in run["likeness"])


@pytest.mark.parametrize("plan", small.PLANS)
def test_each_plan_gives_each_task_as_many_steps(plan):
    assert np.allclose(np.sum(small.PLANS[plan], axis=0), 1)
    stages = small.ernie_run(plan, 1, QUICK, each=4)["stages"]
    assert len(stages) == 3 and all(set(stage) == set(small.TASKS) for stage in stages)


def test_the_same_seed_gives_the_same_result():
    one, other = (small.masks_run("fresh masks", seed, QUICK, (2,), few=6) for seed in (1, 1))
    assert one == other
