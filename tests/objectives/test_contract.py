"""One contract for every objective: pure, seeded, labels only where counted, no leak, ln V at start, learns one batch."""
import math

import numpy as np
import pytest
import torch
from tiny import CONFIG, SPECIALS, documents

from minibert.batch import IGNORE
from minibert.model import Encoder, Model
from minibert.objectives import MLM, NSP, Sum, WholeWordMLM
from minibert.training import TrainConfig, train

V, LENGTH = CONFIG.vocab_size, 32
VOCAB = ["##x" if i > 60 else "x" for i in range(V)]       # the larger ids go on a word


def objectives():
    nsp, mlm = NSP(SPECIALS, V, LENGTH), MLM(SPECIALS, V, LENGTH)
    whole = WholeWordMLM(SPECIALS, VOCAB, LENGTH)
    return {"mlm": mlm, "whole": whole, "nsp": nsp, "bert": Sum(nsp, mlm), "bert whole": Sum(nsp, whole)}


@pytest.fixture(params=objectives())
def objective(request):
    return objectives()[request.param]


@pytest.fixture
def batch(objective):
    rows, labels = objective.build(documents(), np.random.default_rng(1))
    return objective.collate(rows, labels)


def model_for(objective, seed=0):
    torch.manual_seed(seed)
    encoder = Encoder(CONFIG)
    return Model(encoder, objective.heads(encoder))


def same(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[key], b[key]) for key in a)


def test_corrupt_leaves_the_batch_alone(objective, batch):
    before = batch.input_ids.copy(), batch.real.copy()
    objective.corrupt(batch, np.random.default_rng(0))
    assert np.array_equal(before[0], batch.input_ids) and np.array_equal(before[1], batch.real)


def test_the_same_seed_gives_the_same_and_the_global_generator_is_untouched(objective, batch):
    state = np.random.get_state()[1].copy()
    first, second = (objective.corrupt(batch, np.random.default_rng(7)) for _ in range(2))
    assert same(first[0], second[0]) and same(first[1], second[1])
    assert np.array_equal(state, np.random.get_state()[1])


def test_labels_count_only_ordinary_tokens(objective, batch):
    _, labels = objective.corrupt(batch, np.random.default_rng(0))
    for name, label in labels.items():
        if name == "tokens":
            counted = label != IGNORE
            assert counted.any() and not counted[~batch.real].any()
            assert not np.isin(batch.input_ids[counted], SPECIALS.ids).any()
            assert np.array_equal(label[counted], batch.input_ids[counted])
        else:
            assert set(label) <= {0, 1}


def test_an_untrained_loss_is_that_of_guessing(objective, batch):
    model = model_for(objective).eval()
    _, parts = objective.step(model, batch, np.random.default_rng(0))
    for name, guess in (("mlm", math.log(V)), ("nsp", math.log(2))):
        if name in parts:
            assert abs(parts[name].item() - guess) < 0.15 * guess


def test_it_learns_one_batch_by_heart(objective, batch):
    rows, labels = objective.build(documents(count=3), np.random.default_rng(1))
    model = model_for(objective)
    config = TrainConfig(steps=150, batch_size=len(rows), peak_rate=5e-3, warmup=0.1)
    once = type("Fixed", (), {"collate": objective.collate,
                              "step": lambda self, m, b, rng: objective.step(m, b, np.random.default_rng(0))})()
    log = train(model, once, lambda rng: (rows, labels), config, precision=torch.float32, progress=False)
    assert log[-1]["loss"] < 0.35 * log[0]["loss"]


def test_the_loss_of_counted_positions_is_the_loss_of_all(objective, batch):
    model = model_for(objective).eval()
    inputs, labels = objective.corrupt(batch, np.random.default_rng(0))
    inputs, labels = ({name: torch.from_numpy(a) for name, a in arrays.items()} for arrays in (inputs, labels))
    everywhere = objective.loss(model(**inputs), labels)
    total, _ = objective.step(model, batch, np.random.default_rng(0))
    assert abs(everywhere.item() - total.item()) < 1e-5


def test_rows_do_not_depend_on_their_neighbours_or_their_padding(objective, batch):
    model = model_for(objective).double().eval()
    inputs, _ = objective.corrupt(batch, np.random.default_rng(0))
    together = model(**{name: torch.from_numpy(a) for name, a in inputs.items()})
    row = int(batch.real.sum(1).argmin())
    size = int(batch.real[row].sum())
    alone = model(**{name: torch.from_numpy(a[[row], :size, :size] if name == "visible" else a[[row], :size])
                     for name, a in inputs.items()})
    for name, logits in alone.items():
        expected = together[name][[row], :size] if name == "tokens" else together[name][[row]]
        assert (logits - expected).abs().max() < 1e-10


def test_what_stands_in_the_padding_does_not_leak(objective, batch):
    model = model_for(objective).double().eval()
    inputs, _ = objective.corrupt(batch, np.random.default_rng(0))
    changed = {**inputs, "input_ids": np.where(batch.real, inputs["input_ids"], 77)}
    a, b = (model(**{name: torch.from_numpy(x) for name, x in arrays.items()}) for arrays in (inputs, changed))
    for name in a:
        real = torch.from_numpy(batch.real) if name == "tokens" else slice(None)
        assert (a[name][real] - b[name][real]).abs().max() < 1e-10


def test_the_model_never_sees_a_token_it_must_predict_when_all_are_hidden():
    mlm = MLM(SPECIALS, V, LENGTH)
    rows, _ = mlm.build(documents(), np.random.default_rng(1))
    batch = mlm.collate(rows)
    shares = []
    for seed in range(40):
        inputs, labels = mlm.corrupt(batch, np.random.default_rng(seed))
        counted = labels["tokens"] != IGNORE
        shares.append((inputs["input_ids"][counted] == SPECIALS.mask).mean())
    assert 0.75 < np.mean(shares) < 0.85


def test_a_batch_with_one_ordinary_token_still_has_a_label():
    mlm = MLM(SPECIALS, V, LENGTH)
    batch = mlm.collate([([9], None)])
    for seed in range(20):
        assert (mlm.corrupt(batch, np.random.default_rng(seed))[1]["tokens"] != IGNORE).sum() == 1


def test_a_causal_trunk_does_not_see_the_right(batch):
    from minibert.batch import visible_causal
    encoder = Encoder(CONFIG).double().eval()
    ids, real = batch.input_ids, np.ones_like(batch.real)
    changed = ids.copy()
    changed[:, 6] = np.where(ids[:, 6] == 50, 51, 50)
    types = torch.from_numpy(batch.token_type_ids)
    a, b = (encoder(torch.from_numpy(i), torch.from_numpy(visible_causal(real)), types)["hidden"] for i in (ids, changed))
    assert (a - b)[:, :6].abs().max() == 0 and (a - b)[:, 6:].abs().max() > 1e-6


def test_batch_is_frozen(batch):
    with pytest.raises(AttributeError):
        batch.input_ids = None


def test_whole_words_are_hidden_whole():
    whole = WholeWordMLM(SPECIALS, VOCAB, LENGTH)
    batch = whole.collate([([10, 70, 71, 11, 12, 80], None)])
    seen = set()
    for seed in range(200):
        chosen = whole.corrupt(batch, np.random.default_rng(seed))[1]["tokens"][0] != IGNORE
        assert chosen[1] == chosen[2] == chosen[3] and chosen[5] == chosen[6] and not chosen[[0, 7]].any()
        seen |= {tuple(chosen)}
    assert len(seen) >= 6
