"""What every objective must keep, as checks of one case; `test_contract.py` runs them over all, and over broken ones."""
import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from tiny import CONFIG, SPECIALS, documents

from minibert.batch import IGNORE
from minibert.model import Encoder, Model
from minibert.training import TrainConfig, train

V, LENGTH = CONFIG.vocab_size, 32
VOCAB = ["##x" if i > 60 else "x" for i in range(V)]       # the larger ids go on a word


@dataclass(frozen=True)
class Case:
    """make: () -> the objective; classes: {part of the loss: its number of classes}; trunk: config -> trunk.

    shift: {label name: s} where the label at position t is the token at t + s. hides: whether the same places are hidden when
    a token changes.
    """

    name: str
    make: Callable
    classes: dict
    trunk: Callable = Encoder
    shift: dict = field(default_factory=lambda: {"tokens": 0})
    hides: bool = True

    def batch(self, count=8):
        objective = self.make()
        return objective.collate(*objective.build(documents(count=count), np.random.default_rng(1)))

    def model(self):
        torch.manual_seed(0)
        trunk = self.trunk(CONFIG)
        return Model(trunk, self.make().heads(trunk))

    def corrupt(self, batch, seed=0):
        return self.make().corrupt(batch, np.random.default_rng(seed))


def tensors(arrays):
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


@torch.no_grad()
def outputs_of(model, inputs):
    return model.double().eval()(**tensors(inputs))


def same(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[key], b[key]) for key in a)


def copied(value):
    return {f.name: None if (v := getattr(value, f.name)) is None else v.copy() for f in dataclasses.fields(value)}


def another(token):
    """An ordinary id that goes on a word, or not, as `token` does."""
    first, size = (5, 56) if token <= 60 else (61, V - 61)
    return first + (token - first + 1) % size


def over(real, T):
    """Which of T input positions are real; an input may hold a row's tokens several times over."""
    return np.tile(real, T // len(real))


def leaves_its_arguments_alone(case):
    docs, objective = documents(), case.make()
    rows, labels = objective.build(docs, np.random.default_rng(1))
    assert docs == documents(), "build changes the documents"
    batch = objective.collate(rows, labels)
    before = copied(batch)
    objective.corrupt(batch, np.random.default_rng(0))
    after = copied(batch)
    assert all(np.array_equal(before[name], after[name]) for name in before), "corrupt changes the batch"


def depends_on_its_generator_alone(case):
    batch, state = case.batch(), np.random.get_state()[1].copy()
    objective = case.make()
    assert objective.build(documents(), np.random.default_rng(3)) == objective.build(documents(), np.random.default_rng(3))
    first, second = (objective.corrupt(batch, np.random.default_rng(7)) for _ in range(2))
    assert same(first[0], second[0]) and same(first[1], second[1]), "the same seed gives something else"
    assert np.array_equal(state, np.random.get_state()[1]), "it draws from the global generator"


def builds_rows_that_fit(case):
    batch = case.batch()
    assert batch.input_ids.shape[1] <= LENGTH
    assert (batch.input_ids[batch.real] != SPECIALS.pad).all()


def counts_only_ordinary_tokens(case):
    batch = case.batch()
    _, labels = case.corrupt(batch)
    tokens = np.where(batch.real & ~np.isin(batch.input_ids, SPECIALS.ids), batch.input_ids, IGNORE)
    for name, label in labels.items():
        if name in case.shift:
            counted = label != IGNORE
            sources = np.argwhere(counted) + [0, case.shift[name]]
            assert counted.any()
            assert np.array_equal(label[counted], tokens[tuple(sources.T)]), "a label is not the token it stands for"
        elif label.ndim == 2 and label.dtype != bool:
            assert (label[:, :batch.real.shape[1]][~batch.real] == IGNORE).all(), "it counts padding"


def starts_at_guessing(case):
    _, parts = case.make().step(case.model().eval(), case.batch(), np.random.default_rng(0))
    assert parts.keys() == case.classes.keys()
    for name, loss in parts.items():
        guess = math.log(case.classes[name])
        assert abs(loss.item() - guess) < 0.15 * guess, f"{name} starts at {loss.item():.3f}, guessing is {guess:.3f}"


def learns_a_batch_by_heart(case, steps=100, share=0.35):
    objective = case.make()
    rows, labels = objective.build(documents(count=3), np.random.default_rng(1))
    rows, labels = rows[:8], labels and labels[:8]
    once = type("Once", (), {"collate": objective.collate,
                             "step": lambda self, m, b, rng: objective.step(m, b, np.random.default_rng(0))})()
    config = TrainConfig(steps=steps, batch_size=len(rows), peak_rate=5e-3, warmup=0.1)
    log = train(case.model(), once, lambda rng: (rows, labels), config, precision=torch.float32, progress=False)
    assert log[-1]["loss"] < share * log[0]["loss"], f"{log[0]['loss']:.3f} only falls to {log[-1]['loss']:.3f}"


def loses_the_same_where_only_counted_positions_are_computed(case):
    model, batch, objective = case.model().eval(), case.batch(), case.make()
    inputs, labels = case.corrupt(batch)
    everywhere = objective.loss(model(**tensors(inputs)), tensors(labels))
    total, _ = objective.step(model, batch, np.random.default_rng(0))
    assert abs(everywhere.item() - total.item()) < 1e-5


def treats_rows_alone(case):
    """A row's outputs do not depend on its neighbours, their order, or how far it is padded."""
    batch = case.batch()
    inputs, labels = case.corrupt(batch)
    model, T = case.model(), inputs["input_ids"].shape[1]
    together = outputs_of(model, inputs)
    row = int(batch.real.sum(1).argmin())
    keep = over(batch.real[row], T)
    alone = outputs_of(model, {name: a[[row]][:, keep][:, :, keep] if name == "visible" else a[[row]][:, keep]
                               for name, a in inputs.items()})
    for name, logits in alone.items():
        expected = together[name][[row]][:, keep] if logits.dim() == 3 else together[name][[row]]
        assert (logits - expected).abs().max() < 1e-10, f"{name} of a row depends on padding or neighbours"
    turned = np.random.default_rng(0).permutation(len(batch.real))
    other = outputs_of(model, {name: a[turned] for name, a in inputs.items()})
    for name in together:
        assert (together[name][turned] - other[name]).abs().max() < 1e-10
    losses = [case.make().loss(outputs, tensors(of)).item()
              for outputs, of in ((together, labels), (other, {name: a[turned] for name, a in labels.items()}))]
    assert abs(losses[0] - losses[1]) < 1e-6, "the loss depends on the order of the rows"


def does_not_read_the_padding(case):
    batch, model = case.batch(), case.model()
    assert not batch.real.all(), "this batch has no padding"
    inputs, _ = case.corrupt(batch)
    real = np.array([over(row, inputs["input_ids"].shape[1]) for row in batch.real])
    a, b = (outputs_of(model, {**inputs, "input_ids": ids}) for ids in
            (inputs["input_ids"], np.where(real, inputs["input_ids"], 77)))
    for name in a:
        counts = torch.from_numpy(real) if a[name].dim() == 3 else slice(None)
        assert (a[name][counts] - b[name][counts]).abs().max() < 1e-10, f"{name} reads the padding"


def does_not_see_what_it_predicts(case, tries=12):
    """Another token in place of a hidden one, and nothing that the model says about that place moves."""
    batch, model, objective = case.batch(), case.model(), case.make()
    inputs, labels = case.corrupt(batch)
    before, moved = outputs_of(model, inputs), set()
    for name in labels.keys() & case.shift.keys():
        places = [(b, t, t + case.shift[name]) for b, t in np.argwhere(labels[name] != IGNORE)]
        if case.shift[name] == 0:                           # kept and shuffled tokens are not hidden
            places = [place for place in places if inputs["input_ids"][place[0], place[2]] == SPECIALS.mask]
        assert places
        for b, t, source in places[::max(1, len(places) // tries)]:
            ids = batch.input_ids.copy()
            ids[b, source] = another(ids[b, source])
            changed, _ = objective.corrupt(dataclasses.replace(batch, input_ids=ids), np.random.default_rng(0))
            after = outputs_of(model, changed)
            for output in [key for key in before if labels.get(key) is labels[name] or key not in labels]:
                if before[output].dim() == 3:
                    moved.add((before[output][b, t] - after[output][b, t]).abs().max().item() > 1e-10)
    assert True not in moved, "a prediction moves with the token it is to find"


CHECKS = [leaves_its_arguments_alone, depends_on_its_generator_alone, builds_rows_that_fit, counts_only_ordinary_tokens,
          starts_at_guessing, learns_a_batch_by_heart, loses_the_same_where_only_counted_positions_are_computed,
          treats_rows_alone, does_not_read_the_padding, does_not_see_what_it_predicts]
