"""SMART's terms against their definitions, mixout's mean, and training that goes on with both."""

import copy

import numpy as np
import pytest
import torch
from small_task import EXAMPLES, TOKENIZER, accuracy, small_encoder
from tiny import fit
from torch import nn
from torch.distributions import Categorical, kl_divergence

from minibert.course.unit13.methods.mixout import Mixout, with_mixout
from minibert.course.unit13.methods.smart import (
    Smart,
    SmartConfig,
    moved,
    squared_difference,
    symmetric_kl,
    worst_move,
)
from minibert.finetuning.registry import REGISTRY
from minibert.model import FastEncoder
from minibert.training.config import TrainConfig


def test_the_divergence_is_both_kl_divergences_and_0_for_equal_outputs():
    one, other = torch.randn(2, 5, 3)
    p, q = Categorical(logits=one), Categorical(logits=other)
    both = (kl_divergence(p, q) + kl_divergence(q, p)).mean()
    assert torch.allclose(symmetric_kl(one, other), both, atol=1e-5)
    assert symmetric_kl(one, other) == symmetric_kl(other, one) and symmetric_kl(one, one) == 0
    assert squared_difference(torch.tensor([1.0]), torch.tensor([3.0])) == 4


class Linear(nn.Module):
    """Embeddings (2, 3, 4) times weights, whose worst move is known: the sign of the weights."""

    def __init__(self):
        super().__init__()
        self.embeddings = nn.Identity()
        self.x, self.weight = torch.randn(2, 3, 4), torch.randn(4, 2)

    def output(self):
        return self.embeddings(self.x).sum(1) @ self.weight


def test_the_worst_move_stays_within_the_radius_and_beats_random_ones():
    torch.manual_seed(0)
    model, config = Linear(), SmartConfig(radius=1e-2, noise=1e-2, step=1.0)
    clean = model.output()

    def distance(move):
        with moved(model.embeddings, move):
            return symmetric_kl(model.output(), clean).item()

    worst = worst_move(
        model.output, model.embeddings, config.noise * torch.randn(2, 3, 4), clean, config, symmetric_kl
    )
    randoms = [distance(config.radius * torch.randn(2, 3, 4).sign()) for _ in range(200)]
    assert abs(worst).max() <= config.radius * (1 + 1e-6) and distance(worst) > max(randoms)
    assert torch.equal(model.output(), clean)  # nothing is moved any more


@pytest.mark.parametrize(
    "options, said",
    [({"radius": 0.0}, "radius=0.0"), ({"momentum": 1.0}, "momentum=1.0"), ({"weight": -1.0}, "weight=-1.0")],
)
def test_numbers_out_of_range_are_refused(options, said):
    with pytest.raises(ValueError, match=said):
        SmartConfig(**options)


def fitted(goal_of, steps):
    task = REGISTRY["sst2"].task.fit(TOKENIZER, 12, EXAMPLES)
    torch.manual_seed(0)
    goal = goal_of(task)
    model = task.model(FastEncoder.of(small_encoder()))
    config = TrainConfig(steps=steps, batch_size=8, peak_rate=2e-3)
    return task, model, fit(model, goal, config, task.encode(EXAMPLES)[:2])


def test_a_task_learns_with_both_terms_and_they_are_in_the_log():
    task, model, log = fitted(lambda task: Smart(task, SmartConfig(radius=1e-2, noise=1e-3, step=1e-2)), 60)
    assert accuracy(model, task) == 100
    assert log[0]["proximal"] == 0 and max(entry["proximal"] for entry in log) > 0
    assert all(
        entry["smooth"] >= 0
        and entry["loss"] == pytest.approx(entry[task.name] + entry["smooth"] + entry["proximal"], rel=1e-4)
        for entry in log
    )


def test_without_weight_both_terms_change_nothing():
    _, plain, _ = fitted(lambda task: task, 5)
    _, same, _ = fitted(lambda task: Smart(task, SmartConfig(weight=0.0, proximal=0.0)), 5)
    assert all(torch.allclose(a, b, atol=1e-5) for a, b in zip(plain.parameters(), same.parameters()))


def test_the_proximal_term_keeps_the_output_near_what_it_was():
    task, free, _ = fitted(lambda task: task, 30)
    _, held, _ = fitted(lambda task: Smart(task, SmartConfig(weight=0.0, proximal=100.0)), 30)
    rows = task.encode(EXAMPLES)[0]
    gaps = [np.ptp(np.array(task.logits(model, rows)) @ [1, -1]) for model in (free, held)]
    assert gaps[1] < gaps[0] / 2  # outputs that began alike are still nearer to each other


def test_mixout_keeps_the_mean_and_evaluation_sees_the_trained_weights():
    torch.manual_seed(0)
    layer = nn.Linear(6, 5)
    start = layer.weight.detach().clone()
    with_mixout(layer, 0.4)
    with torch.no_grad():
        layer.parametrizations.weight.original += torch.randn(5, 6)
    trained = layer.parametrizations.weight.original.detach().clone()
    drawn = torch.stack([layer.weight.detach() for _ in range(4000)])
    assert torch.allclose(drawn.mean(0), trained, atol=0.1)
    back = (start - 0.4 * start) / 0.6  # a weight that is put back: start itself
    assert set(torch.unique(((drawn - back).abs() < 1e-5).float().mean(0) > 0.3).tolist()) == {True}
    assert torch.equal(layer.eval().weight, trained)


def test_mixout_trains_and_a_share_of_1_is_refused():
    torch.manual_seed(0)
    encoder = FastEncoder.of(small_encoder())
    before = copy.deepcopy(encoder.layers[0].feed_forward.up.weight)
    with_mixout(encoder.layers, 0.5)
    assert isinstance(encoder.layers[0].feed_forward.up.parametrizations.weight[0], Mixout)
    encoder.train()
    encoder(torch.tensor([[2, 7, 3]]), None, torch.zeros(1, 3, dtype=torch.long))["hidden"].sum().backward()
    assert encoder.layers[0].feed_forward.up.parametrizations.weight.original.grad is not None
    assert torch.equal(encoder.eval().layers[0].feed_forward.up.weight, before)
    with pytest.raises(ValueError, match="prob=1"):
        with_mixout(encoder, 1)
