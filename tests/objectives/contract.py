"""What every objective must keep, as checks of one case; `test_contract.py` runs them over all, and over
broken ones.

A check speaks to an objective as the training loop does, through build, collate, corrupt, model and step.
What a step says and is asked, whatever networks are behind it, is what reaches `loss`: named logits and
named labels, at all positions here, at the counted ones in the loop.
"""

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import torch
from small import LENGTH, V, batch_of, model_of, tensors
from tiny import SPECIALS, documents

from minibert.data.batch import IGNORE
from minibert.model import Encoder
from minibert.training.config import TrainConfig
from minibert.training.loop import train
from minibert.training.micro_batch import loss_of_batch

# of inputs (B, ...); the others: S, or S S
AXES = {"target_ids": "T", "target_visible": "TT", "source_visible": "TS"}


@dataclass(frozen=True)
class Case:
    """make: () -> the objective; classes: {term of the loss: its number of classes}; trunk: config -> trunk.

    shift: {label name: s} where the label at position t is the token at t + s. masked: whether a token is
    hidden only where [MASK] stands for it; otherwise by what is visible. ends: whether [SEP] is predicted,
    too. everywhere: (model, inputs) -> the logits of all positions. by_token: whether another token at a
    place hides other places.
    """

    name: str
    make: Callable
    classes: dict
    trunk: Callable = Encoder
    shift: dict = field(default_factory=lambda: {"tokens": 0})
    masked: bool = True
    ends: bool = False
    by_token: bool = False
    everywhere: Callable = lambda model, inputs: model(**inputs)

    def batch(self, count=8):
        return batch_of(self.make(), count)

    def model(self):
        return model_of(self.make(), self.trunk)

    def corrupt(self, batch, seed=0):
        return self.make().corrupt(batch, np.random.default_rng(seed))

    @torch.no_grad()
    def outputs(self, model, inputs):
        """Arrays to the logits of all positions."""
        return self.everywhere(model, tensors(inputs))

    @torch.no_grad()
    def step(self, model, batch, seed=0, chosen=None):
        """(terms of the loss, outputs, labels): the price of one step, what it says, and what it is asked.

        chosen: the places that are asked.
        """
        objective, heard = self.make(), []
        if chosen is not None:
            choose = objective.choose
            objective.choose = lambda batch, rng: (choose(batch, rng), chosen)[1]  # as many numbers are drawn
        loss = objective.loss
        objective.loss = lambda outputs, labels: heard.append((outputs, labels)) or loss(outputs, labels)
        terms = objective.step(model, *map(tensors, objective.corrupt(batch, np.random.default_rng(seed))))
        return terms, *heard[0]


def same(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[key], b[key]) for key in a)


def copied(value):
    return {
        f.name: None if (v := getattr(value, f.name)) is None else v.copy() for f in dataclasses.fields(value)
    }


def another(token):
    """An ordinary id that goes on a word, or not, as `token` does."""
    first, size = (5, 56) if token <= 60 else (61, V - 61)
    return first + (token - first + 1) % size


def real_axes(inputs):
    """{"S", "T": (B, S) and (B, T) bool}: the real places of what is read and of what is answered."""
    return {
        "S": inputs["input_ids"] != SPECIALS.pad,
        "T": inputs.get("target_ids", inputs["input_ids"]) != SPECIALS.pad,
    }


def row_alone(inputs, row):
    """The inputs of one row as a batch of its own, without its padding."""
    real = {axis: places[row] for axis, places in real_axes(inputs).items()}
    cut = {}
    for name, array in inputs.items():
        cut[name] = array[[row]]
        for number, axis in enumerate(AXES.get(name, "S" * (array.ndim - 1)), 1):
            cut[name] = np.compress(real[axis], cut[name], axis=number)
    return cut


def leaves_its_arguments_alone(case):
    docs, objective, model = documents(), case.make(), case.model()
    rows, labels = objective.build(docs, np.random.default_rng(1))
    assert docs == documents(), "build changes the documents"
    batch = objective.collate(rows, labels)
    before = copied(batch)
    for change in (
        lambda rng: objective.corrupt(batch, rng),
        lambda rng: loss_of_batch(objective, model, batch, rng),
    ):
        change(np.random.default_rng(0))
        after = copied(batch)
        assert all(np.array_equal(before[name], after[name]) for name in before), "the batch is changed"


def depends_on_its_generator_alone(case):
    batch, model = case.batch(), case.model()
    state, torch_state = np.random.get_state()[1].copy(), torch.get_rng_state()
    objective = case.make()
    assert objective.build(documents(), np.random.default_rng(3)) == objective.build(
        documents(), np.random.default_rng(3)
    )
    first, second = (objective.corrupt(batch, np.random.default_rng(7)) for _ in range(2))
    assert same(first[0], second[0]) and same(first[1], second[1]), "the same seed gives something else"
    losses = [loss_of_batch(case.make(), model, batch, np.random.default_rng(7))[0].item() for _ in range(2)]
    assert losses[0] == losses[1], "the same seed gives another loss"
    assert np.array_equal(state, np.random.get_state()[1]) and torch.equal(
        torch_state, torch.get_rng_state()
    ), "it draws from a global generator"


def builds_rows_that_fit(case):
    batch = case.batch()
    assert batch.input_ids.shape[1] <= LENGTH
    assert (batch.input_ids[batch.real] != SPECIALS.pad).all()
    assert case.corrupt(batch)[0]["input_ids"].shape[1] <= LENGTH, "what is read outgrows the row"


def counts_only_ordinary_tokens(case):
    batch = case.batch()
    _, _, labels = case.step(case.model(), batch)
    never = [i for i in SPECIALS.ids if not (case.ends and i == SPECIALS.sep)]
    tokens = np.where(batch.real & ~np.isin(batch.input_ids, never), batch.input_ids, IGNORE)
    for name, label in labels.items():
        label = label.numpy()
        if name in case.shift:
            counted = label != IGNORE
            sources = np.argwhere(counted) + [0, case.shift[name]]
            assert counted.any()
            assert np.array_equal(label[counted], tokens[tuple(sources.T)]), (
                "a label is not the token it stands for"
            )
        elif label.ndim == 2 and label.dtype != bool:
            assert (label[~batch.real] == IGNORE).all(), "it counts padding"
        elif label.ndim == 1 and label.shape != batch.real.shape[:1]:  # tokens that are not padding
            assert len(label) == batch.real.sum(), "it counts padding"


def starts_at_guessing(case):
    objective = case.make()
    _, terms = loss_of_batch(objective, case.model(), case.batch(), np.random.default_rng(0))
    assert terms.keys() == objective.terms.keys() == case.classes.keys()
    for name, loss in terms.items():
        guess = math.log(case.classes[name])
        assert abs(loss.item() - guess) < 0.15 * guess, (
            f"{name} starts at {loss.item():.3f}, guessing is {guess:.3f}"
        )


def learns_a_batch_by_heart(case, steps=160):
    objective = case.make()
    rows, labels = objective.build(documents(count=3), np.random.default_rng(1))
    rows, labels = rows[:8], labels and labels[:8]
    corrupt = objective.corrupt
    objective.corrupt = lambda batch, rng: corrupt(batch, np.random.default_rng(0))
    config = TrainConfig(steps=steps, batch_size=len(rows), peak_rate=5e-3, warmup=0.1)
    log = train(
        case.model(), objective, lambda rng: (rows, labels), config, precision=torch.float32, progress=False
    )
    for name, share in {"loss": 0.35, **dict.fromkeys(case.classes, 0.5)}.items():
        assert log[-1][name] < share * log[0][name], (
            f"{name} only falls from {log[0][name]:.3f} to {log[-1][name]:.3f}"
        )


def loses_the_same_where_only_counted_positions_are_computed(case):
    objective, batch, model = case.make(), case.batch(), case.model()
    _, counted = loss_of_batch(objective, model, batch, np.random.default_rng(0))
    everywhere, _, _ = case.step(model, batch)
    for name, term in counted.items():
        assert abs(everywhere[name].item() - term.item()) < 1e-5 * max(1, term.item())


def treats_rows_alone(case):
    """A row's outputs do not depend on its neighbours, their order, or how far it is padded."""
    batch, model = case.batch(), case.model().double()
    inputs, labels = case.corrupt(batch)
    together, places = case.outputs(model, inputs), real_axes(inputs)["T"]
    row = int(batch.real.sum(1).argmin())
    for name, logits in case.outputs(model, row_alone(inputs, row)).items():
        expected = together[name][[row]]
        if expected.shape[1] == places.shape[1]:  # an answer for each token, not for the row
            expected = expected[:, places[row]]
        assert (logits - expected).abs().max() < 1e-10, f"{name} of a row depends on padding or neighbours"
    turned = np.random.default_rng(0).permutation(len(batch.real))
    other = case.outputs(model, {name: a[turned] for name, a in inputs.items()})
    for name in together:
        assert (together[name][turned] - other[name]).abs().max() < 1e-10
    with torch.no_grad():
        (first, second) = (
            case.make().step(
                model,
                *({name: torch.from_numpy(a[order]) for name, a in x.items()} for x in (inputs, labels)),
            )
            for order in (slice(None), turned)
        )
    for name, term in first.items():
        assert abs(term - second[name]) < 1e-6 * max(1, term), "the loss depends on the order of the rows"


def does_not_read_the_padding(case):
    batch, model = case.batch(), case.model().double()
    inputs, _ = case.corrupt(batch)
    real = real_axes(inputs)
    assert not all(places.all() for places in real.values()), "this batch has no padding"
    noise = {
        name: np.where(real[axis], inputs[name], 77)
        for name, axis in (("input_ids", "S"), ("target_ids", "T"))
        if name in inputs
    }
    a, b = case.outputs(model, inputs), case.outputs(model, {**inputs, **noise})
    for name in a:
        counts = torch.from_numpy(real["T"]) if a[name].shape[1] == real["T"].shape[1] else slice(None)
        assert (a[name][counts] - b[name][counts]).abs().max() < 1e-10, f"{name} reads the padding"


def does_not_see_what_it_predicts(case, tries=12):
    """Another token in place of a hidden one, and nothing that a step says about that place moves."""
    batch, model = case.batch(), case.model().double()
    inputs, _ = case.corrupt(batch)
    _, before, labels = case.step(model, batch)
    ordinary, moved = ~np.isin(batch.input_ids, SPECIALS.ids), []
    for name in labels.keys() & case.shift.keys():
        places = [
            (n, b, t, t + case.shift[name])
            for n, (b, t) in enumerate(np.argwhere(labels[name].numpy() != IGNORE))
        ]
        places = [place for place in places if ordinary[place[1], place[3]]]
        if case.masked:  # kept and shuffled tokens are not hidden
            places = [place for place in places if inputs["input_ids"][place[1], place[3]] == SPECIALS.mask]
        chosen = labels[name].numpy() != IGNORE if case.by_token else None
        for n, b, t, source in places[:: max(1, len(places) // tries)]:
            ids = batch.input_ids.copy()
            ids[b, source] = another(ids[b, source])
            _, after, _ = case.step(model, dataclasses.replace(batch, input_ids=ids), chosen=chosen)
            for output in [key for key in before if labels.get(key) is labels[name] or key not in labels]:
                assert before[output].shape == after[output].shape, "what is hidden depends on the tokens"
                # (N, V), of counted places only, or (B, T, V)
                place = n if before[output].dim() == 2 else (b, t)
                moved.append((before[output][place] - after[output][place]).abs().max().item() > 1e-10)
    assert moved, "no token is hidden"
    assert True not in moved, "a prediction moves with the token it is to find"


def adds_up_over_rows(case):
    """What some rows add to loss and gradient is the whole once all rows had a turn; one may be empty."""
    batch = case.batch(count=3)

    def turn(rows):
        model = case.model().double()
        loss, terms = loss_of_batch(case.make(), model, batch, np.random.default_rng(0), rows)
        if loss.requires_grad:
            loss.backward()
        gradients = [
            torch.zeros_like(value) if value.grad is None else value.grad for value in model.parameters()
        ]
        return torch.stack([loss, *terms.values()]).detach(), torch.cat([g.flatten() for g in gradients])

    whole, gradient = turn(slice(None))
    for turns in (3, len(batch.real) + 1):
        losses, gradients = zip(*(turn(slice(first, None, turns)) for first in range(turns)))
        assert (sum(losses) - whole).abs().max() < 1e-5 * max(1, whole[0]), (
            f"{turns} turns lose {sum(losses)}, all rows {whole}"
        )
        assert (sum(gradients) - gradient).norm() < 1e-4 * gradient.norm(), (
            f"{turns} turns add up to another gradient"
        )


CHECKS = [
    leaves_its_arguments_alone,
    depends_on_its_generator_alone,
    builds_rows_that_fit,
    counts_only_ordinary_tokens,
    starts_at_guessing,
    learns_a_batch_by_heart,
    loses_the_same_where_only_counted_positions_are_computed,
    treats_rows_alone,
    does_not_read_the_padding,
    does_not_see_what_it_predicts,
    adds_up_over_rows,
]
