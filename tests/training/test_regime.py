"""The papers' regime: each optimiser and schedule equals its reference, and a batch in parts is the batch."""

import json

import numpy as np
import pytest
import torch
from conftest import ROOT
from many import backward
from tiny import CONFIG, SPECIALS, documents, fit
from torch import nn

from minibert.model import Encoder, FastEncoder, Model
from minibert.model.fast import fast_layer
from minibert.model.transfer import to_torch
from minibert.objectives import MLM, NSP, RTD, SOP, Sum, WordStructure
from minibert.training.config import TrainConfig
from minibert.training.distributed import Team
from minibert.training.feed import READY
from minibert.training.loop import train
from minibert.training.micro_batch import loss_of_batch
from minibert.training.optimizers import BertAdam, make_optimizer
from minibert.training.run import Run
from minibert.training.schedule import learning_rate, momentum_of, rate_of
from minibert.training.step import Step, prepared_layers

GOLDEN = ROOT.parent / "shared" / "golden" / "optimizer"
needs_golden = pytest.mark.skipif(not GOLDEN.is_dir(), reason="no golden outputs beside this checkout")


@pytest.fixture
def golden():
    return json.loads((GOLDEN / "adam_variants.json").read_text())


class Weights(nn.Module):
    """A matrix of one row: weight decay is for matrices."""

    def __init__(self, start):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([start], dtype=torch.float64))


def walk(name, golden, rates):
    """The weights after each of the golden gradients, with the optimiser that TrainConfig names."""
    model, seen = Weights(golden["w0"]), []
    optimizer = make_optimizer(
        model, TrainConfig(steps=1, optimizer=name, peak_rate=1.0, weight_decay=golden["params"]["wd"])
    )
    for gradient, rate in zip(golden["gradients"], rates, strict=True):
        for group in optimizer.param_groups:
            group["lr"] = rate
        model.w.grad = torch.tensor([gradient], dtype=torch.float64)
        optimizer.step()
        seen.append(model.w.detach()[0].tolist())
    return np.array(seen)


@needs_golden
def test_adamw_is_the_published_one_and_bert_adam_that_of_bert_s_code(golden):
    rates = {"adamw": [golden["adamw_lr"]] * len(golden["gradients"]), "bert_adam": golden["schedule_bert"]}
    for name in rates:
        assert np.abs(walk(name, golden, rates[name]) - golden[f"{name}_weights"]).max() < 1e-9


@needs_golden
def test_the_gradient_is_clipped_as_in_the_reference(golden):
    for gradient, clipped in zip(golden["gradients"], golden["clipped_norm_1"]):  # the first few
        model, task = Weights(golden["w0"]), MLM(SPECIALS, CONFIG.vocab_size, 24)
        wanted = torch.tensor([gradient], dtype=torch.float64)
        task.step = lambda model, inputs, labels, wanted=wanted: {"mlm": (wanted * model.w).sum()}
        fit(model, task, TrainConfig(steps=1, clip=1.0))
        assert np.abs(model.w.grad[0].numpy() - clipped).max() < 1e-6  # PyTorch adds 1e-6 to the norm


@needs_golden
def test_the_linear_schedule_is_the_known_one_without_its_first_step_of_rate_0(golden):
    known = golden["schedule_hf_linear"]
    own = [learning_rate(step, len(known), 0.01, 4) for step in range(len(known))]
    assert own[:4] == pytest.approx(known[1:5], abs=1e-12) and own[4:] == pytest.approx(known[4:], abs=1e-12)


@needs_golden
def test_the_schedule_of_bert_s_code(golden):
    known = golden["schedule_bert"]
    config = TrainConfig(steps=len(known), schedule="bert", warmup=4 / len(known), peak_rate=0.01)
    assert [rate_of(config, step) for step in range(len(known))] == pytest.approx(known, abs=1e-12)


@needs_golden
def test_adamw_passes_the_optimiser_check_of_the_minbert_exercise():
    rng = np.random.default_rng(0)
    torch.manual_seed(0)
    model = nn.Linear(3, 2, bias=False)
    optimizer = make_optimizer(model, TrainConfig(steps=1, peak_rate=1e-3, weight_decay=1e-4))
    for _ in range(1000):
        x = torch.tensor(rng.uniform(size=3), dtype=torch.float32)
        target = torch.stack([x[0] + x[1], -x[2]])
        optimizer.zero_grad()
        ((target - model(x)) ** 2).sum().backward()
        optimizer.step()
    assert np.abs(model.weight.detach().numpy() - np.load(GOLDEN / "minbert_optimizer_test.npy")).max() < 1e-4


def test_without_the_correction_the_first_steps_are_longer():
    moved = {}
    for name in ("bert_adam", "adamw"):
        model = Weights([1.0, -2.0])
        optimizer = make_optimizer(
            model, TrainConfig(steps=1, optimizer=name, peak_rate=0.1, weight_decay=0.0)
        )
        model.w.grad = torch.ones_like(model.w)
        optimizer.step()
        moved[name] = 1 - model.w[0, 0].item()
    assert moved["adamw"] == pytest.approx(0.1, rel=1e-4)
    assert moved["bert_adam"] == pytest.approx(
        0.1 * (1 - 0.9) / np.sqrt(1 - 0.999), rel=1e-4
    )  # 3.16 times as long


@pytest.mark.parametrize("name", ["bert_adam", "adamw", "muon"])
def test_weight_decay_shrinks_matrices_and_leaves_biases_and_layer_norms(name):
    model = Model(Encoder(CONFIG), {})
    optimizer = make_optimizer(model, TrainConfig(steps=1, optimizer=name, peak_rate=0.1, weight_decay=0.5))
    before = {key: p.detach().clone() for key, p in model.named_parameters()}
    for p in model.parameters():
        p.grad = torch.zeros_like(p)
    optimizer.step()
    for key, p in model.named_parameters():
        shrunk = p.dim() > 1
        assert shrunk == (not ("norm" in key or "bias" in key))
        assert bool(p.norm() < before[key].norm()) == shrunk and torch.equal(p, before[key]) != shrunk


def test_bert_adam_passes_over_what_has_no_gradient():
    model = Weights([1.0])
    BertAdam(model.parameters(), lr=1.0).step()
    assert model.w.item() == 1.0


@pytest.mark.parametrize("steps, warmup", [(20, 0.3), (100, 0.25), (7, 0.5)])
def test_onecycle_is_pytorch_s(steps, warmup):
    config = TrainConfig(steps=steps, schedule="onecycle", warmup=warmup, peak_rate=0.01)
    optimizer = torch.optim.AdamW([torch.zeros(1, requires_grad=True)], lr=1.0)
    theirs = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.01, total_steps=steps, pct_start=warmup)
    for step in range(steps):
        group = optimizer.param_groups[0]
        assert rate_of(config, step) == pytest.approx(group["lr"], rel=1e-9)
        assert momentum_of(config, step) == pytest.approx(group["betas"][0], rel=1e-9)
        optimizer.step()
        if step + 1 < steps:
            theirs.step()


@pytest.mark.parametrize("steps, warmup", [(1, 0.1), (1, 1.0), (3, 0.0), (3, 1.0), (2, 0.5)])
@pytest.mark.parametrize("schedule", ["linear", "onecycle"])
def test_every_length_and_warm_up_has_rates(steps, warmup, schedule):
    config = TrainConfig(steps=steps, warmup=warmup, schedule=schedule, peak_rate=0.01)
    assert all(0 < rate_of(config, step) <= 0.01 for step in range(steps))


@pytest.mark.parametrize("optimizer", ["bert_adam", "adamw", "muon"])
def test_the_loop_sets_rate_and_momentum_and_learns(optimizer):
    seen, task = [], MLM(SPECIALS, CONFIG.vocab_size, 24)
    torch.manual_seed(0)
    encoder = Encoder(CONFIG)
    model = Model(encoder, task.heads(encoder))
    config = TrainConfig(
        steps=60, batch_size=8, peak_rate=3e-3, optimizer=optimizer, schedule="onecycle", warmup=0.3
    )
    gather = Step.gather

    def watching(self):
        seen.append(
            [group.get("momentum", group.get("betas", [None])[0]) for group in self.optimizer.param_groups]
        )
        return gather(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Step, "gather", watching)
        log = fit(model, task, config)
    assert [entry["rate"] for entry in log] == [rate_of(config, step) for step in range(60)]
    assert all(
        value == pytest.approx(momentum_of(config, step))
        for step, values in enumerate(seen)
        for value in values
    )
    assert np.mean([e["loss"] for e in log[-10:]]) < np.mean([e["loss"] for e in log[:10]]) - 0.2


def objectives():
    V = CONFIG.vocab_size
    return {
        "mlm": MLM(SPECIALS, V, 24),
        "bert": Sum(NSP(SPECIALS, V, 24), MLM(SPECIALS, V, 24)),
        "albert": Sum(SOP(SPECIALS, V, 24), MLM(SPECIALS, V, 24)),
        "rtd": RTD(SPECIALS, V, 24),
        "structure": WordStructure(SPECIALS, V, 24),
    }


@pytest.mark.parametrize("turns", [2, 3, 7])
@pytest.mark.parametrize("name", objectives())
def test_a_batch_in_parts_has_the_gradient_and_the_losses_of_the_whole(name, turns):
    task = objectives()[name]
    rows, labels = task.build(documents(), np.random.default_rng(0))
    batch = task.collate(rows[:7], None if labels is None else labels[:7])
    found = []
    for accumulate in (1, turns):
        torch.manual_seed(0)
        model = task.model(Encoder(CONFIG)).double()
        config = TrainConfig(steps=1, batch_size=7, accumulate=accumulate)
        step = Step(model, task, None, config, torch.float32, Team())
        found.append((*backward(step, batch, 3), {key: p.grad for key, p in model.named_parameters()}))
    (loss, parts, gradients), (loss_again, parts_again, gradients_again) = found
    assert loss_again == pytest.approx(loss, rel=1e-6) and parts_again == pytest.approx(parts, rel=1e-6)
    for key, gradient in gradients.items():
        if gradient is not None:
            assert torch.allclose(gradients_again[key], gradient, rtol=1e-5, atol=1e-7), key


def test_a_run_in_parts_is_that_of_whole_batches_though_parts_may_count_nothing():
    def run(accumulate):
        task = MLM(SPECIALS, CONFIG.vocab_size, 24)
        ordinary = task.candidates
        # two sequences of each batch have something to predict, in each step others: one part has none
        task.candidates = lambda batch: (
            ordinary(batch) & ((np.arange(len(batch.real)) - batch.input_ids.sum()) % 6 < 2)[:, None]
        )
        torch.manual_seed(0)
        return fit(
            task.model(Encoder(CONFIG)),
            task,
            TrainConfig(steps=8, batch_size=6, peak_rate=3e-3, accumulate=accumulate),
        )

    for entry, in_parts in zip(run(1), run(3), strict=True):
        assert in_parts["loss"] == pytest.approx(entry["loss"], rel=1e-4)


def small(**changes):
    task = MLM(SPECIALS, CONFIG.vocab_size, 24)
    config = TrainConfig(**{"steps": 6, "batch_size": 6, "peak_rate": 3e-3, **changes})
    torch.manual_seed(0)
    encoder = FastEncoder(CONFIG.replace(hidden_dropout_prob=0.2))
    return Model(encoder, task.heads(encoder)), task, lambda rng: task.build(documents(), rng), config


def clipped(step):
    """The norm of the gradient, which is clipped as `train` does it."""
    return nn.utils.clip_grad_norm_(step.model.parameters(), step.config.clip).item()


def test_recomputed_layers_give_the_same_run_with_dropout_too():
    logs = [
        train(*small(recompute=recompute), precision=torch.float32, progress=False)
        for recompute in (False, True)
    ]
    assert [entry["loss"] for entry in logs[0]] == pytest.approx(
        [entry["loss"] for entry in logs[1]], rel=1e-6
    )


def test_recomputed_layers_keep_less_and_are_ordinary_ones_afterwards():
    kept = {}
    for recompute in (False, True):
        model, task, make_rows, config = small(recompute=recompute)
        batch, saved = task.collate(make_rows(np.random.default_rng(0))[0][:6]), set()

        def pack(tensor, saved=saved):
            saved.add((tensor.data_ptr(), tensor.numel()))
            return tensor

        hooks = torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor)
        with prepared_layers(model, config), hooks:
            loss_of_batch(task, model, batch, np.random.default_rng(0))
        kept[recompute] = sum(size for _, size in saved)
        assert model.encoder.layer_pass is fast_layer
    assert kept[True] < 0.7 * kept[False]


def test_compiling_without_a_gpu_is_told_and_left_out(capsys):
    train(*small(steps=1, compile=True), precision=torch.float32, progress=False)
    if not torch.cuda.is_available():
        assert "compile: works only on a GPU; this run trains without it" in capsys.readouterr().err


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA GPU")
@pytest.mark.parametrize(
    "changes, precision",
    [
        ({"compile": True}, torch.bfloat16),
        ({}, torch.float16),
        ({"recompute": True, "accumulate": 2}, torch.bfloat16),
    ],
)
def test_a_gpu_learns_as_the_processor_does(changes, precision):
    expected = train(*small(), precision=torch.float32, progress=False)
    model, *rest = small(**changes)
    log = train(model.cuda(), *rest, precision=precision, progress=False)
    assert [entry["loss"] for entry in log] == pytest.approx([entry["loss"] for entry in expected], rel=0.1)


def test_float16_trains_with_a_scaled_loss_and_leaves_out_a_step_that_overflows(tmp_path):
    model, task, make_rows, config = small(steps=12)
    gather, save_or_stop, before, same = Step.gather, Run.save_or_stop, [], []

    def overflowing(self):
        result = gather(self)
        if len(before) == 4:  # as if the scaled gradient had overflowed
            self.model.encoder.embeddings.norm.bias.grad[0] = float("inf")
        before.append((self.scaler.get_scale(), next(self.model.parameters()).detach().clone()))
        return result

    def watching(self, step):
        same.append(torch.equal(next(self.model.parameters()), before[-1][1]))
        save_or_stop(self, step)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Step, "gather", overflowing)
        patch.setattr(Run, "save_or_stop", watching)
        log = train(
            model, task, make_rows, config, precision=torch.float16, checkpoint=tmp_path / "c", progress=False
        )
    assert same == [number == 4 for number in range(12)]
    scales = [scale for scale, _ in before]
    assert scales[:5] == [65536.0] * 5 and scales[5:] == [32768.0] * 7
    assert all(np.isfinite(entry["loss"]) for entry in log)
    state = json.loads((tmp_path / "c" / "step-00000012" / "state.json").read_text())
    assert state["scaler"]["scale"] == 32768.0 and state["config"]["precision"] == "float16"


@pytest.mark.parametrize("where", ["encoder.embeddings.norm.bias", "encoder.layers.0.feed_forward.up.weight"])
def test_where_float16_overflows_none_of_several_optimisers_moves(where):
    """Muon has the matrices, AdamW the rest: an overflow in one of them is one of the whole gradient."""
    model, task, make_rows, config = small(optimizer="muon")
    step = Step(model, task, make_optimizer(model, config), config, torch.float16, Team())
    backward(step, task.collate(make_rows(np.random.default_rng(0))[0][:6]), 0)
    dict(model.named_parameters())[where].grad.view(-1)[0] = float("inf")
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    scale = step.scaler.get_scale()
    step.leave_out_overflow(clipped(step))
    step.optimizer.step()
    assert all(torch.equal(p, before[name]) for name, p in model.named_parameters())
    assert step.scaler.get_scale() == scale / 2
    backward(step, task.collate(make_rows(np.random.default_rng(0))[0][:6]), 1)
    step.leave_out_overflow(norm := clipped(step))
    assert 0 < norm < float("inf")
    step.optimizer.step()
    assert not torch.equal(
        model.encoder.layers[0].feed_forward.up.weight, before["encoder.layers.0.feed_forward.up.weight"]
    )


def test_float16_clips_the_gradient_of_the_loss_and_not_of_the_scaled_one():
    """Adam does not feel the scale, so no loss would tell; the length that is clipped does."""
    found = {}
    for precision in (torch.float32, torch.float16):
        model, task, make_rows, config = small(clip=0.01)
        step = Step(model, task, make_optimizer(model, config), config, precision, Team())
        backward(step, task.collate(make_rows(np.random.default_rng(0))[0][:6]), 0)
        found[precision] = (
            clipped(step),
            torch.cat([p.grad.flatten() for p in model.parameters() if p.grad is not None]),
        )
    (norm, gradient), (norm16, gradient16) = found.values()
    assert norm > 1 and norm16 == pytest.approx(norm, rel=0.01)
    assert gradient16.norm().item() == pytest.approx(0.01, rel=1e-3)
    assert torch.cosine_similarity(gradient, gradient16, dim=0) > 0.999


@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
@pytest.mark.parametrize("precision", [torch.float32, torch.float16])
def test_a_batch_in_which_nothing_counts_moves_no_weight(precision, optimizer):
    model, task, make_rows, config = small(steps=3, optimizer=optimizer)
    task.candidates = lambda batch: np.zeros(batch.real.shape, bool)
    before = {name: p.detach().clone() for name, p in model.named_parameters()}
    log = train(model, task, make_rows, config, precision=precision, progress=False)
    assert [entry["loss"] for entry in log] == [0.0] * 3
    assert all(torch.equal(p, before[name]) for name, p in model.named_parameters())


def test_float16_takes_the_gradient_of_other_processes_where_this_one_counts_nothing():
    class Others(Team):
        def sum(self, model, losses, flag):
            for p in model.parameters():
                p.grad = torch.ones_like(p)
            return losses.tolist(), flag

    model, task, make_rows, config = small()
    task.candidates = lambda batch: np.zeros(batch.real.shape, bool)
    step = Step(model, task, make_optimizer(model, config), config, torch.float16, Others())
    backward(step, task.collate(make_rows(np.random.default_rng(0))[0][:6]), 0)
    count = sum(p.numel() for p in model.parameters())
    assert clipped(step) == pytest.approx(count**0.5 / step.scaler.get_scale(), rel=1e-4)
    before = model.encoder.embeddings.word.weight.clone()
    step.optimizer.step()
    assert not torch.equal(model.encoder.embeddings.word.weight, before)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA GPU")
def test_arrays_reach_a_gpu_as_they_are():
    array = np.arange(12).reshape(4, 3)
    arrived = to_torch({"a": array[1::2], "b": array > 3, "c": array}, torch.device("cuda"))
    assert {name: tensor.tolist() for name, tensor in arrived.items()} == {
        "a": array[1::2].tolist(),
        "b": (array > 3).tolist(),
        "c": array.tolist(),
    }


@pytest.mark.parametrize("accumulate", [1, 3])
def test_a_batch_is_corrupted_once_a_step_in_however_many_parts(accumulate):
    model, task, make_rows, config = small(steps=4, accumulate=accumulate)
    corrupt, calls = task.corrupt, []
    task.corrupt = lambda batch, rng: calls.append(1) or corrupt(batch, rng)
    train(model, task, make_rows, config, precision=torch.float32, progress=False)
    assert 4 <= len(calls) <= 4 + READY  # some are made ahead
