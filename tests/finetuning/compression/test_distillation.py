"""Distillation: the losses, their gradients, and students that learn from a teacher."""

import numpy as np
import pytest
import torch
from small_task import EXAMPLES, accuracy, small_encoder, tuned
from small_teacher import some_batch, teacher
from tiny import CONFIG, SPECIALS, documents, fit

from minibert.data.batch import IGNORE
from minibert.finetuning.compression.distilbert import DistilBERT
from minibert.finetuning.compression.distillation import (
    Distillation,
    LogitDistillation,
    distillation_loss,
    soften,
)
from minibert.finetuning.compression.pkd import PatientDistillation
from minibert.finetuning.compression.student import layer_map, start_from
from minibert.finetuning.compression.tinybert import MapDistillation, centred
from minibert.model import BiLSTM, Encoder, FastEncoder
from minibert.objectives import MLM
from minibert.reference import losses as reference
from minibert.training.config import TrainConfig


@pytest.fixture
def logits():
    rng = np.random.default_rng(0)
    return 5 * rng.normal(size=(2, 4, 3))  # student and teacher, (4, 3) each


@pytest.mark.parametrize("temperature", [0.5, 1.0, 4.0])
def test_the_loss_is_that_of_the_definition_and_of_pytorch(logits, temperature):
    student, teacher = torch.from_numpy(logits)
    expected = temperature**2 * torch.nn.functional.kl_div(
        (student / temperature).log_softmax(-1), (teacher / temperature).softmax(-1), reduction="batchmean"
    )
    assert reference.distillation_loss(*logits, temperature) == pytest.approx(expected.item(), rel=1e-12)
    assert distillation_loss(student, teacher, temperature).item() == pytest.approx(expected.item(), rel=1e-5)
    torch.testing.assert_close(
        soften(student, temperature), torch.from_numpy(reference.soften(logits[0], temperature))
    )


def test_the_definition_is_finite_for_extreme_logits():
    student, teacher = np.array([[1e4, 0.0]]), np.array([[0.0, 1e4]])
    assert reference.distillation_loss(student, teacher, 1.0) == pytest.approx(1e4)


def test_the_gradient_keeps_its_size_with_the_temperature_and_does_not_reach_the_teacher():
    student = torch.tensor([[0.3, -0.2, 0.1]], requires_grad=True)
    teacher = torch.tensor([[-0.1, 0.2, 0.4]], requires_grad=True)
    norms = []
    for temperature in (10.0, 100.0):
        student.grad = None
        distillation_loss(student, teacher, temperature).backward()
        norms.append(student.grad.norm().item())
    assert norms[0] == pytest.approx(norms[1], rel=0.05)
    assert teacher.grad is None


@pytest.mark.parametrize("temperature", [0, -1, float("nan")])
def test_a_temperature_must_be_above_0(logits, temperature):
    for soft in (reference.soften, soften):
        with pytest.raises(ValueError, match="must be above 0"):
            soft(torch.zeros(2) if soft is soften else logits, temperature)


@pytest.mark.parametrize(
    "how, twelve, seven",
    [
        ("every", [1, 3, 5, 7, 9, 11], [1, 3, 6]),
        ("skip", [0, 2, 4, 7, 9, 11], [0, 3, 6]),
        ("top", [6, 7, 8, 9, 10, 11], [4, 5, 6]),
        ("bottom", [0, 1, 2, 3, 4, 5], [0, 1, 2]),
    ],
)
def test_layer_maps(how, twelve, seven):
    assert layer_map(12, 6, how) == twelve
    assert layer_map(7, 3, how) == seven
    assert layer_map(5, 5, how) == [0, 1, 2, 3, 4]
    assert len(layer_map(12, 1, how)) == 1


def test_layer_maps_refuse_what_is_impossible():
    with pytest.raises(ValueError, match="student_layers=7 must be between 1 and teacher_layers=6"):
        layer_map(6, 7, "top")
    with pytest.raises(ValueError, match="student_layers=0"):
        layer_map(6, 0, "top")
    with pytest.raises(ValueError, match="did you mean 'bottom'"):
        layer_map(6, 3, "botom")


def test_a_student_starts_with_copies_of_the_teachers_layers():
    encoder = teacher().model.encoder
    student = start_from(encoder, [1, 3])
    assert student.config.num_hidden_layers == len(student.layers) == 2
    for layer, number in zip(student.layers, [1, 3]):
        for name, value in encoder.layers[number].state_dict().items():
            assert torch.equal(layer.state_dict()[name], value)
    with torch.no_grad():
        student.layers[0].attention.out.weight.zero_()
    assert encoder.layers[1].attention.out.weight.any()
    with pytest.raises(ValueError, match=r"layers=\[4\] must be numbers between 0 and 3"):
        start_from(encoder, [4])
    with pytest.raises(ValueError, match="at least one"):
        start_from(encoder, [])


def goals():
    layers = [1, 3]
    return {
        "soft": lambda task: Distillation(task, teacher().model, share=1.0),
        "logits": lambda task: LogitDistillation(task, teacher().model, share=1.0),
        "patient": lambda task: PatientDistillation(task, teacher().model, layers),
        "maps": lambda task: MapDistillation(task, teacher().model, layers),
    }


@pytest.mark.parametrize("name", ["soft", "logits"])
def test_a_student_learns_from_the_teacher_without_labels(name):
    wrong = [type(one)(one.first, None, "0" if i % 2 else "1", "0", 1) for i, one in enumerate(EXAMPLES)]
    student = tuned(small_encoder(), wrong, epochs=16, goal=goals()[name])
    assert accuracy(student.model, student.task) >= 95
    assert accuracy(teacher().model, teacher().task) >= 95


def test_a_bilstm_can_be_the_student():
    torch.manual_seed(0)
    student = tuned(BiLSTM(small_encoder().config), epochs=24, peak_rate=2e-2, goal=goals()["logits"])
    assert accuracy(student.model, student.task) >= 95


@pytest.mark.parametrize("name", goals())
def test_the_teacher_and_its_heads_do_not_change(name):
    before = {key: value.clone() for key, value in teacher().model.state_dict().items()}
    student = tuned(start_from(teacher().model.encoder, [1, 3]), epochs=1, goal=goals()[name])
    after = teacher().model.state_dict()
    assert before.keys() == after.keys()
    assert all(torch.equal(before[key], after[key]) for key in before)
    assert all(parameter.grad is None for parameter in teacher().model.encoder.layers.parameters())
    assert list(student.model.heads) == ["label"]


@pytest.mark.parametrize("name", ["patient", "maps"])
def test_an_identical_student_has_no_loss_inside(name):
    goal = goals()[name](teacher().task)
    goal.layers, goal.project = [0, 1, 2, 3], False
    own = start_from(teacher().model.encoder, [0, 1, 2, 3])
    model = goal.model(own).eval()
    inputs, labels = some_batch()
    terms = goal.step(model, inputs, labels)
    assert terms.keys() == goal.terms.keys()
    for term in goal.extra:
        assert terms[term].item() == pytest.approx(0, abs=1e-6)
    other = goal.model(start_from(teacher().model.encoder, [3, 1, 2, 0])).eval()
    terms = goal.step(other, inputs, labels)
    assert all(terms[term] > 1e-4 for term in goal.extra if term != "embeddings"), terms


def test_padding_does_not_count_inside():
    goal = MapDistillation(teacher().task, teacher().model, [1, 3], project=False)
    model = goal.model(start_from(teacher().model.encoder, [0, 2])).eval()
    inputs, labels = some_batch()
    rows = {name: value[:1] for name, value in inputs.items()}
    length = int(rows["visible"].any(1).sum())
    assert length < inputs["input_ids"].shape[1]
    cut = {
        "input_ids": rows["input_ids"][:, :length],
        "token_type_ids": rows["token_type_ids"][:, :length],
        "visible": rows["visible"][:, :length, :length],
    }
    target = {"label": labels["label"][:1]}
    padded, plain = goal.step(model, rows, target), goal.step(model, cut, target)
    assert padded["states"].item() == pytest.approx(plain["states"].item(), rel=1e-4)
    assert padded["embeddings"].item() == pytest.approx(plain["embeddings"].item(), rel=1e-4, abs=1e-7)


def test_centred_scores_are_the_scores_without_their_mean():
    scores = torch.randn(2, 3, 4, 5, generator=torch.Generator().manual_seed(0))
    visible = torch.ones(2, 4, 5, dtype=torch.bool)
    visible[1, :, 3:] = False
    hidden = scores.masked_fill(~visible[:, None], -torch.inf)
    found = centred(hidden.softmax(-1), visible)
    expected = scores - scores[..., :3].mean(-1, keepdim=True)
    torch.testing.assert_close(found[1, ..., :3], expected[1, ..., :3], rtol=1e-4, atol=1e-5)
    assert not found[1, ..., 3:].any()
    torch.testing.assert_close(found[0], (scores - scores.mean(-1, keepdim=True))[0], rtol=1e-4, atol=1e-5)


def test_the_share_weighs_labels_and_soft_targets():
    goal = Distillation(teacher().task, teacher().model, share=0.25)
    assert goal.weights == {"label": 0.75, "soft": 0.25}
    assert goal.terms == {"label": "label", "soft": "label"}


def test_only_counted_tokens_and_whole_positions_are_compared():
    goal = Distillation(teacher().task, teacher().model)
    tags = torch.tensor([[1, IGNORE, 2], [IGNORE, IGNORE, 0]])
    scores = torch.randn(2, 3, 5)
    assert torch.equal(goal.counted(scores, tags), scores[tags != IGNORE])
    spans = torch.randn(4, 7, 2)
    assert torch.equal(goal.counted(spans, torch.zeros(4, 2)), spans.transpose(1, 2))


def test_distilbert_has_three_losses_on_masked_tokens():
    mlm = MLM(SPECIALS, CONFIG.vocab_size, 12)
    torch.manual_seed(0)
    big = mlm.model(FastEncoder(CONFIG.replace(num_hidden_layers=4)))
    goal = DistilBERT(mlm, big, layer_map(4, 2, "every"))
    model = goal.model(start_from(big.encoder, goal.layers))
    rows = mlm.build(documents(), np.random.default_rng(0))
    log = fit(model, goal, TrainConfig(steps=3, batch_size=4), rows)
    for entry in log:
        total = 2 * entry["mlm"] + 5 * entry["soft"] + entry["cosine"]
        assert entry["loss"] == pytest.approx(total, rel=1e-4)
    assert 0 < log[0]["cosine"] < 2


def test_what_does_not_fit_is_refused():
    task, model = teacher().task, teacher().model
    with pytest.raises(ValueError, match=r"share=1\.5 must be between 0 and 1"):
        Distillation(task, model, share=1.5)
    narrow = Encoder(CONFIG.replace(num_hidden_layers=2, hidden_size=16))
    with pytest.raises(ValueError, match="hidden sizes 16 and 32 differ: give project=True"):
        PatientDistillation(task, model, [1, 3]).heads(narrow)
    assert PatientDistillation(task, model, [1, 3], project=True).heads(narrow).keys() == {"label", "states"}
    with pytest.raises(ValueError, match=r"layers=\[3\] must name one layer for each of 2"):
        PatientDistillation(task, model, [3]).heads(narrow)
    with pytest.raises(ValueError, match="use LogitDistillation for a regression"):
        Distillation(task, model).soft(
            {"label": torch.zeros(2, 1)}, {"label": torch.zeros(2, 1)}, {"label": torch.zeros(2)}
        )
