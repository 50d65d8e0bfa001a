"""What a task adds to the trunk: choices from the rows of a head, a correlation, groups by name."""

import numpy as np
import pytest
import torch
from tiny import CONFIG

from minibert import reference
from minibert.course.unit06 import definitions
from minibert.model import Encoder, Model
from minibert.model.heads import ClassifierHead
from minibert.tasks.metrics import matthews

B, C, T, D = 3, 4, 5, 6


def head(labels, rng):
    shapes = {
        "pooler.weight": (D, D),
        "pooler.bias": (D,),
        "classifier.weight": (labels, D),
        "classifier.bias": (labels,),
    }
    return {name: rng.normal(size=shape) for name, shape in shapes.items()}


def test_an_option_is_scored_by_its_own_row():
    rng = np.random.default_rng(0)
    hidden, p = rng.normal(size=(B * C, T, D)), head(1, rng)
    scores = reference.choice_head(hidden, p, C)
    assert scores.shape == (B, C)
    assert np.isclose(scores[2, 1], reference.classifier_head(hidden[2 * C + 1 : 2 * C + 2], p)[0, 0])


@pytest.mark.parametrize("rows, choices", [(7, 3), (6, 0)])
def test_rows_that_are_no_examples_are_an_error(rows, choices):
    rng = np.random.default_rng(0)
    with pytest.raises(
        ValueError, match=f"{rows} sequences cannot be divided into examples with {choices} options"
    ):
        reference.choice_head(rng.normal(size=(rows, T, D)), head(1, rng), choices)


@pytest.mark.parametrize(
    "share, wrong", [(0.5, 0.1), (0.05, 0.05), (0.9, 0.8), (0.3, 0.0), (0.3, 1.0), (0.0, 0.2), (0.4, None)]
)
def test_matthews_by_hand_equals_the_librarys(share, wrong):
    rng = np.random.default_rng(3)
    gold = (rng.random(200) < share).astype(int)
    answers = np.zeros(200, int) if wrong is None else np.where(rng.random(200) < wrong, 1 - gold, gold)
    assert definitions.matthews_correlation(gold, answers) == pytest.approx(
        matthews(gold, answers), abs=1e-12
    )


@pytest.mark.parametrize(
    "gold, answers, said",
    [
        ([1, 0], [1], r"labels have shape \(2,\) and the answers \(1,\)"),
        ([], [], r"labels have shape \(0,\)"),
        ([1, 2], [1, 0], "the label 2"),
        ([1, 0], [1, -1], "the label -1"),
    ],
)
def test_labels_that_cannot_be_scored_are_named(gold, answers, said):
    with pytest.raises(ValueError, match=said):
        definitions.matthews_correlation(gold, answers)


def test_groups_by_name_decay_what_the_optimiser_decays():
    model = Model(Encoder(CONFIG), {"label": ClassifierHead(CONFIG, 3)})
    tensors = dict(model.named_parameters())
    groups = definitions.parameter_groups(list(tensors), 2e-5, 1e-3, 0.1)
    assert [(group["lr"], group["weight_decay"]) for group in groups] == [
        (2e-5, 0.1),
        (2e-5, 0.0),
        (1e-3, 0.1),
        (1e-3, 0.0),
    ]
    assert sorted(name for group in groups for name in group["names"]) == sorted(tensors)
    for group in groups:  # `make_optimizer` tells them by their axes: matrices decay, vectors do not
        assert {tensors[name].dim() > 1 for name in group["names"]} == {group["weight_decay"] > 0}


def test_frozen_layers_and_the_embeddings_below_them_do_not_move():
    torch.manual_seed(0)
    model = Model(Encoder(CONFIG), {"label": ClassifierHead(CONFIG, 3)})
    tensors = dict(model.named_parameters())
    groups = definitions.parameter_groups(list(tensors), 2e-5, 1e-3, frozen_layers=1)
    before = {name: tensor.detach().clone() for name, tensor in tensors.items()}
    ids = torch.arange(5, 11)[None]  # (1, T)
    model(ids, torch.ones(1, 6, 6, dtype=torch.bool), torch.zeros_like(ids))[
        "label"
    ].square().sum().backward()
    for group in groups:
        group["params"] = [tensors[name] for name in group.pop("names")]
    torch.optim.AdamW(groups).step()
    moved = {name for name, tensor in tensors.items() if not torch.equal(tensor, before[name])}
    assert moved and not any(name.startswith(("encoder.embeddings.", "encoder.layers.0.")) for name in moved)
    assert {"encoder.layers.1.attention.out.weight", "heads.label.pooler.weight"} <= moved


def test_groups_of_nothing_are_left_out():
    assert (
        definitions.parameter_groups(["encoder.layers.0.attention.out.bias"], 1e-5, 1e-3, frozen_layers=1)
        == []
    )
    assert len(definitions.parameter_groups(["heads.label.classifier.bias"], 1e-5, 1e-3)) == 1


@pytest.mark.parametrize(
    "changes, said",
    [
        ({"encoder_rate": 0.0}, "encoder_rate=0.0 must be above 0"),
        ({"head_rate": -1e-3}, "head_rate=-0.001 must be above 0"),
        ({"weight_decay": -0.1}, "weight_decay=-0.1 must be at least 0"),
        ({"frozen_layers": -1}, "frozen_layers=-1 must be at least 0"),
    ],
)
def test_settings_that_make_no_sense_are_named(changes, said):
    with pytest.raises(ValueError, match=said):
        definitions.parameter_groups([], **{"encoder_rate": 1e-5, "head_rate": 1e-3, **changes})
