"""What is measured on a GPU: the benchmark on the processor, and the figures that are quoted from it."""

import json

import pytest
import torch
from conftest import ROOT

from minibert.bench import material
from minibert.bench.table import BenchmarkReport
from minibert.config import preset


def test_each_way_to_compute_takes_the_same_steps(script, tmp_path):
    gpu = script("gpu")
    gpu.STEPS, gpu.FIRST = 3, 1
    report = BenchmarkReport(tmp_path, "gpu")
    tokenizer, _ = material.language(30, 200)
    gpu.ways(report, tokenizer, torch.device("cpu"), preset("class", vocab_size=len(tokenizer)), 4, 16)
    rows = json.loads((tmp_path / "gpu.json").read_text())["rows"]
    assert [row["what"] for row in rows] == list(gpu.WAYS) and all(row["value"]["median"] > 0 for row in rows)
    first = [float(row["note"].split("loss ")[1].split(",")[0]) for row in rows]
    assert first == pytest.approx([first[0]] * len(first), rel=1e-3)


def test_what_the_page_of_results_and_the_lesson_say_of_a_gpu_was_measured():
    rows = json.loads((ROOT / "benchmarks/results/gpu.json").read_text())["rows"]
    speed = {row["model"]: row["value"]["median"] for row in rows if row["what"] == "minibert, compiled"}
    ratio = {row["model"]: row["note"].split()[-4] for row in rows if row["what"] == "Hugging Face, compiled"}
    share = [row["value"]["median"] for row in rows if row["what"].startswith("minibert, compiled: share")]
    short, long = speed
    said = " ".join((ROOT / "docs" / "results.md").read_text().split())
    speeds = (
        f"{speed[short] / 1e3:.0f},000 tokens a second in sequences of 128 tokens",
        f"{speed[long] / 1e3:.0f},000 in",
    )
    assert all(figure in said for figure in speeds) and f"{share[0]:.0f} and {share[1]:.0f}%" in said
    assert f"{ratio[short]} and {ratio[long]} times" in said
    lesson = (ROOT / "lessons/05_pretraining.nb.py").read_text()
    hours = 256 * (9e5 * 128 / speed[short] + 1e5 * 512 / speed[long]) / 3600
    assert all(figure in lesson for figure in speeds) and f"card {hours:.0f} hours" in lesson
