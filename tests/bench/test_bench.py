"""The contestants do the same work, the yardstick counts it rightly, and the report says what is missing."""

import json
import os
import sys
from types import SimpleNamespace

import numpy as np
import psutil
import pytest
import torch
from patience import processor_time, waited
from tiny import CONFIG

from minibert.bench import material, run, whole
from minibert.bench.clock import Spread, busy_core, take_turns, times_faster
from minibert.bench.gpu import gpu
from minibert.bench.parts import REST, part_of, time_by_part
from minibert.bench.peers import hugging_face, ours, with_torch_encoder
from minibert.bench.products import Products, useful_work
from minibert.bench.table import BenchmarkReport
from minibert.data.batch import IGNORE
from minibert.training.pretraining import bert_objective

SIZE, COUNT, LENGTH = 4, 3, 128


@pytest.fixture(scope="module")
def text():
    return material.language(60, 300)


@pytest.fixture(scope="module")
def rows(text):
    return material.natural_rows(*text, SIZE * COUNT, LENGTH, np.random.default_rng(0))


@pytest.fixture
def small(text, monkeypatch):
    """The benchmark on a model of seconds; returns its configuration."""
    config = CONFIG.replace(vocab_size=len(text[0]), max_position_embeddings=LENGTH)
    monkeypatch.setattr(run, "MODELS", dict.fromkeys(run.MODELS, (config, SIZE, COUNT, LENGTH)))
    monkeypatch.setattr(material, "language", lambda *_: text)
    return config


def objective(text):
    return bert_objective(text[0], LENGTH)


def test_both_orders_hold_the_same_tokens_and_predict_the_same_positions(rows):
    def content(batches):
        found = []
        for batch in batches:
            for i, real in enumerate(batch.real):
                found.append(
                    (
                        batch.model["input_ids"][i, real].tolist(),
                        batch.labels["tokens"][i, real].tolist(),
                        int(batch.labels["pair"][i]),
                    )
                )
                assert (batch.labels["tokens"][i, ~real] == IGNORE).all()
        return sorted(found)

    plain, like = material.as_they_come(rows, SIZE), material.by_length(rows, SIZE)
    assert content(plain) == content(like) and len(content(plain)) == SIZE * COUNT
    assert all(batch.real.shape[1] % material.MULTIPLE == 0 for batch in like)
    assert sum(batch.real.numel() for batch in like) < sum(batch.real.numel() for batch in plain)
    assert sum(batch.predicted for batch in like) == (rows.labels != IGNORE).sum()


def test_too_few_rows_are_refused(text):
    with pytest.raises(ValueError, match="sequences, but 9999 are needed"):
        material.natural_rows(*text, 9999, LENGTH, np.random.default_rng(0))


def test_all_contestants_take_the_same_steps_in_float32(text, rows, small):
    first = ours(small, objective(text), torch.float32)
    batch = material.as_they_come(rows, SIZE)[0]
    peers = hugging_face(first, torch.float32), with_torch_encoder(first, torch.float32), first
    losses = [[peer.step(batch).item() for _ in range(4)] for peer in peers]
    assert losses[0][0] - losses[0][-1] > 1e-3  # it trains
    assert np.abs(np.array(losses) / losses[-1] - 1).max() < 1e-5


def test_unequal_contestants_are_refused(text, rows, small, monkeypatch):
    def shaken(peer, precision):
        other = with_torch_encoder(peer, precision)
        with torch.no_grad():
            other.module.encoder.layers.layers[0].norm1.bias[0].add_(0.1)
        return other

    monkeypatch.setattr(run, "with_torch_encoder", shaken)
    with pytest.raises(FloatingPointError, match="float32 losses of .* differ by"):
        run.check_equal(
            BenchmarkReport(), "s", "class", small, objective(text), material.as_they_come(rows, SIZE)[0], 2
        )


def test_the_yardstick_runs_the_products_that_it_counts(small):
    products = Products(small, 3, 16, 7, torch.float32)
    done = sum(
        times * 2 * np.prod(left.shape[:-2], dtype=int) * left.shape[-2] * left.shape[-1] * right.shape[-1]
        for left, right, times in products.pairs
    )
    assert done == products.work == useful_work(small, [16] * 3, 7)
    assert useful_work(small, [16, 16, 9], 7) < products.work < useful_work(small, [16] * 3, 7, read=48)
    products.step()


@pytest.mark.parametrize(
    "operation, part",
    [
        ("aten::baddbmm", "matrix"),
        ("aten::gelu_backward", "activations"),
        ("aten::_log_softmax", "loss"),
        ("aten::ge", "dropout"),
        ("aten::_softmax", "activations"),
        ("aten::_fused_adamw_", "optimiser"),
        ("aten::copy_", "copies"),
        ("aten::mul", "sums"),
        ("aten::linalg_vector_norm", "optimiser"),
        ("aten::native_layer_norm", "activations"),
        ("aten::index_select", "the rest"),
        ("aten::cat", "copies"),
        ("aten::scatter_", "the rest"),
    ],
)
def test_an_operation_counts_for_its_part(operation, part):
    assert part_of(operation).startswith(part)


def test_the_parts_of_a_step_sum_to_all_of_it(small, text, rows):
    peer = ours(small.replace(hidden_dropout_prob=0.1), objective(text), torch.float32).at(torch.bfloat16)
    batches = material.by_length(rows, SIZE)
    shares = time_by_part(lambda: run.each(peer.step, batches))
    assert sum(shares.values()) == pytest.approx(100)
    assert list(shares.values()) == sorted(shares.values(), reverse=True)
    assert all(share > 0 for share in shares.values()) and shares[REST] < 60
    x = torch.ones(300, 300)
    assert time_by_part(lambda: [x @ x for _ in range(9)])["matrix products"] > 80


def test_contestants_take_turns_and_the_first_rounds_do_not_count():
    calls = []
    seconds = take_turns({name: lambda name=name: calls.append(name) for name in "abc"}, rounds=2, warm=1)
    assert "".join(calls) == "abcbcacab" and all(len(values) == 2 for values in seconds.values())


def test_a_core_is_busy_in_its_context_and_free_again_after_it():
    before = psutil.Process().children()  # helpers of other tests' processes

    def new():
        return [process for process in psutil.Process().children() if process not in before]

    with busy_core():
        busy = waited(
            lambda: any(process.cpu_times().user > 0.1 for process in new()),
            lambda: processor_time(os.getpid(), own=False),
        )
        assert busy
    assert new() == []


def test_a_ratio_is_taken_round_by_round():
    assert times_faster(np.array([1.0, 2.0, 4.0]), np.array([3.0, 6.0, 12.0])) == Spread(3, 3, 3)
    assert Spread.of([1, 2, 3, 4, 5]) == Spread(3, 2, 4)


def test_the_report_is_written_row_by_row(tmp_path):
    report = BenchmarkReport(tmp_path)
    report.add("Speed", "class", "minibert", Spread(1234.5, 1200, 1300), "tokens/s", "quiet")
    report.add("Speed", "class", "other", None, "", "not installed")
    report.say("One sentence.")
    text = (tmp_path / "speed.md").read_text()
    assert "| class | minibert | 1,234 (1,200 to 1,300) tokens/s | quiet |" in text
    assert "- One sentence." in text
    assert "| class | other | not measured | not installed |" in text
    read = json.loads((tmp_path / "speed.json").read_text())
    assert [row["value"] and row["value"]["median"] for row in read["rows"]] == [1234.5, None]
    assert read["machine"]["threads"] == torch.get_num_threads()


def test_the_section_of_a_gpu_runs_on_any_device(text, small):
    report, config = BenchmarkReport(), small.replace(hidden_dropout_prob=0.1)
    gpu(report, text[0], torch.device("cpu"), 1, config, (16, 32), 64, 64)
    assert [row.model for row in report.rows[::5]] == ["4 sequences of 16", "2 sequences of 32"]
    assert len(report.rows) == 10
    teraflops, tokens, share, _, theirs = (row.value.median for row in report.rows[:5])
    predicted = material.as_they_come(material.full_rows(text[0], 4, 16, np.random.default_rng(0)), 4)[
        0
    ].predicted
    work = useful_work(config, [16] * 4, predicted, read=64)
    assert tokens / 64 * work / (teraflops * 1e12) == pytest.approx(share / 100) and theirs > 0


@pytest.mark.slow
def test_every_section_runs_and_the_summary_names_both_ratios(small, text, monkeypatch, tmp_path):
    for name, value in {"STEPS": 2, "EVERY": 2, "MOST": 2, "TARGET": 0.0, "HELD_OUT": 9}.items():
        monkeypatch.setattr(whole, name, value)
    monkeypatch.setattr(
        run,
        "GROWTH",
        {"depth": [({"num_hidden_layers": 1, "hidden_size": 32, "num_attention_heads": 2}, 2, 16)]},
    )
    monkeypatch.setattr(whole, "memory", lambda report, models: None)  # each needs a process, see below
    report = run.bench(full=True, out=tmp_path, rounds=2)
    assert len({row.section for row in report.rows}) == 6
    assert len(report.summary) == 5 and "times the speed of Hugging Face's default" in report.summary[0]
    assert sum("matrix products take" in sentence for sentence in report.summary) == 2
    assert all(row.value is not None for row in report.rows if "autocast" not in row.note)
    assert sum(row.what == run.BUSY for row in report.rows) == 3


def test_without_transformers_its_rows_say_so(small, text, rows, monkeypatch):
    monkeypatch.setitem(sys.modules, "transformers", None)
    report = BenchmarkReport()
    peers = run.contest(report, "Speed", "class", small, objective(text))
    assert not any("Hugging" in name for name in peers) and "transformers" not in report.machine
    assert report.rows[0].value is None and "transformers is not installed" in report.rows[0].note


@pytest.mark.slow
def test_memory_is_measured_in_a_process_of_its_own(monkeypatch):
    report = BenchmarkReport()
    whole.memory(report, ["no such model"])
    assert len(report.rows) == 3
    assert all(row.value is None and "no such model" in row.note for row in report.rows)


@pytest.mark.parametrize("reached, expected", [(7, 9), (99, None)])
def test_training_ends_with_the_evaluation_that_reaches_the_target(monkeypatch, reached, expected):
    monkeypatch.setattr(whole, "EVERY", 3)
    monkeypatch.setattr(whole, "MOST", 12)
    seen = []
    peer = SimpleNamespace(step=seen.append, module=seen)
    feed = (i for i in range(1000))
    found = whole.seconds_to_target(peer, feed, lambda module: whole.TARGET if len(module) >= reached else 0)
    assert seen == list(range(expected or 12)) and (found[1] if found else None) == expected
    assert next(feed, "closed") == "closed", "the thread that makes batches has ended"
