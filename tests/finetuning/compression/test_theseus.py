"""BERT-of-Theseus: the growing rate, one step, and an encoder that replaces its layers."""

import pytest
import torch
from small_task import accuracy, tuned
from small_teacher import some_batch, teacher

from minibert.finetuning.compression.student import start_from
from minibert.finetuning.compression.theseus import TheseusEncoder, replacing_rate, theseus_step


def test_the_rate_grows_linearly_and_stays_at_1():
    rates = [replacing_rate(step, 4, 0.2) for step in range(7)]
    assert rates == pytest.approx([0.2, 0.4, 0.6, 0.8, 1, 1, 1])
    assert replacing_rate(0, 1, 1.0) == 1


@pytest.mark.parametrize(
    "values, message",
    [
        ((-1, 4, 0.5), "step=-1 must be at least 0"),
        ((0, 0, 0.5), "steps=0 at least 1"),
        ((0, 4, 1.5), "start=1.5 is a probability"),
    ],
)
def test_a_rate_needs_valid_values(values, message):
    with pytest.raises(ValueError, match=message):
        replacing_rate(*values)


def test_a_step_runs_each_module_old_or_new_in_order():
    groups = [[lambda x: [*x, "a"], lambda x: [*x, "b"]], [lambda x: [*x, "c"]]]
    successors = [lambda x: [*x, "A"], lambda x: [*x, "C"]]
    for draws, expected in (((0.6, 0.4), "abC"), ((0.5, 0.5), "abc"), ((0.0, 0.49), "AC")):
        assert "".join(theseus_step([], groups, successors, 0.5, draws)) == expected
    assert "".join(theseus_step([], groups, successors, 0.0, (0.0, 0.0))) == "abc"


def encoder_and_inputs(steps=5, start=0.5):
    return TheseusEncoder(teacher().model.encoder, 2, steps, start), some_batch()[0]


def test_in_evaluation_mode_only_new_layers_run():
    theseus, inputs = encoder_and_inputs()
    student = start_from(teacher().model.encoder, [0, 1]).eval()
    found = theseus.eval()(**inputs)["hidden"]
    torch.testing.assert_close(found, student(**inputs)["hidden"])
    torch.testing.assert_close(theseus.successor()(**inputs)["hidden"], found)
    assert int(theseus.count) == 0


def test_with_rate_0_the_old_model_runs_and_later_the_new_one():
    theseus, inputs = encoder_and_inputs(steps=2, start=0.0)
    theseus.train()
    old = teacher().model.encoder(**inputs)["hidden"]
    torch.testing.assert_close(theseus(**inputs)["hidden"], old)  # no dropout in this encoder
    theseus(**inputs)
    torch.testing.assert_close(theseus(**inputs)["hidden"], theseus.eval()(**inputs)["hidden"])
    assert int(theseus.count) == 3


def test_only_new_layers_are_trained():
    start = TheseusEncoder(teacher().model.encoder, 2, 10)
    before = {name: value.clone() for name, value in start.state_dict().items()}
    found = tuned(start, epochs=4, heads=teacher().model.heads)
    after = found.model.encoder.state_dict()
    changed = {name.split(".")[0] for name in before if not torch.equal(before[name], after[name])}
    assert changed == {"layers", "count"}
    assert accuracy(found.model.with_part("encoder", found.model.encoder.successor()), found.task) >= 95


def test_a_run_with_the_same_seed_replaces_the_same_layers():
    runs = [
        tuned(TheseusEncoder(teacher().model.encoder, 2, 10), epochs=2, seed=seed).model.encoder.state_dict()
        for seed in (1, 1, 2)
    ]
    assert all(torch.equal(runs[0][name], runs[1][name]) for name in runs[0])
    assert any(not torch.equal(runs[0][name], runs[2][name]) for name in runs[0])
