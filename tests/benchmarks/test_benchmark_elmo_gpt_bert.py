"""The benchmark of lesson 9: its results are of the lesson's budget, and an interrupted run continues."""
import dataclasses
import json

import pytest
from conftest import ROOT

from minibert.corpora.world.posterior.reachable import Score
from minibert.elmo_gpt_bert import MODELS, Budget, limits, masked_words, pretraining_text

TABLE = json.loads((ROOT / "benchmarks" / "elmo_gpt_bert.json").read_text(encoding="utf-8"))


@pytest.fixture
def benchmark(script):
    return script("elmo_gpt_bert")


@pytest.fixture
def made(benchmark, monkeypatch):
    """What was run, each with a made-up result; small enough to count."""
    calls = []

    def pretrain(material, model, seed, steps):
        calls.append((model, seed, steps))
        return {"curve": [[60, 1.0]], "tokens": 1000, "questions": 150, "seconds": 2.0,
                "scores": {model: {"all": 10.0 * seed}}}

    def tune(material, model, seed, steps, task, way):
        calls.append((model, seed, steps, task, way))
        return {"score": 50.0 + seed, "seconds": 1.0}
    for name, value in {"pretrain": pretrain, "tune": tune, "Material": object, "SEEDS": (1, 3),
                        "LONGER_SEEDS": (1,),
                        "TUNING": {"ner": (30, 20, 4)}, "TUNED": ("BERT", "GPT + BiLSTM")}.items():
        monkeypatch.setattr(benchmark, name, value)
    return calls


def test_the_committed_table_is_of_the_lessons_budget():
    lesson = (ROOT / "lessons" / "09_elmo_gpt_bert.nb.py").read_text(encoding="utf-8")
    assert "\nBUDGET = Budget()\n" in lesson
    assert TABLE["budget"] == dataclasses.asdict(Budget()), (
        "another budget: python benchmarks/elmo_gpt_bert.py makes the table anew")


@pytest.mark.slow
def test_the_committed_table_is_of_today_s_text():
    tokenizer, _ = pretraining_text(Budget())
    found = limits(masked_words(Budget(), tokenizer), tokenizer)
    assert TABLE["hidden"] == {kind: score.count for kind, score in found["both"].items()}, (
        "another text: python benchmarks/elmo_gpt_bert.py makes the table anew")
    assert TABLE["limits"] == {side: {kind: round(100 * score.accuracy, 2) for kind, score in scores.items()}
                               for side, scores in found.items()}


def test_the_committed_table_has_every_model_with_the_same_seeds(benchmark):
    runs = [run for run in TABLE["pretrained"] if run["steps"] == Budget().steps]
    seeds = {model: sorted(run["seed"] for run in runs if run["model"] == model) for model in MODELS}
    assert set(map(tuple, seeds.values())) == {benchmark.SEEDS}
    assert 0 not in benchmark.SEEDS                         # the lesson's live seed


def test_every_model_is_pretrained_before_any_is_fine_tuned(benchmark, made, tmp_path):
    benchmark.run_all(tmp_path / "benchmark.jsonl")
    models = ("ELMo", "GPT", "BERT", "BERT with NSP")
    assert [call[:2] for call in made[:8]] == [(model, seed) for seed in (1, 3) for model in models]
    assert ("BERT", 3, benchmark.BUDGET.steps, "ner", "sum-all") in made
    assert ("BERT", 1, benchmark.LONGER.steps) in made[8:]


def test_a_finished_run_is_not_made_again(benchmark, made, tmp_path):
    path = tmp_path / "benchmark.jsonl"
    whole = benchmark.run_all(path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    count = len(made)
    assert benchmark.run_all(path) == whole and len(made) == count + 1 and made[-1] == made[count - 1]


def test_another_budget_begins_anew_and_another_way_to_tune_makes_that_task_alone(
        benchmark, made, tmp_path, monkeypatch):
    path = tmp_path / "benchmark.jsonl"
    benchmark.run_all(path)
    made.clear()
    monkeypatch.setitem(benchmark.TUNING, "ner", (30, 20, 5))
    benchmark.run_all(path)
    assert made and all(len(call) == 5 for call in made)
    made.clear()
    monkeypatch.setattr(benchmark, "BUDGET", dataclasses.replace(benchmark.BUDGET, peak_rate=1e-3))
    benchmark.run_all(path)
    assert {len(call) for call in made} == {3, 5} and {call[2] for call in made} == {benchmark.BUDGET.steps}


def test_the_tables_hold_mean_and_spread(benchmark, made, tmp_path):
    score = Score(count=4, right=3)
    found = benchmark.elmo_gpt_bert_table.collected(
        benchmark.run_all(tmp_path / "benchmark.jsonl"), {"left": {"all": score}, "both": {"all": score}},
        budget=dataclasses.asdict(benchmark.BUDGET), tuning_batch=8,
        tuning={"ner": {"labelled": 30, "test": 20, "steps": 4}})
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in benchmark.elmo_gpt_bert_table.report(found).splitlines()]
    assert ["GPT", "20.0 ± 14.1", "1,000", "150", "2", "2"] in rows
    assert ["best, left", "75.0", "", "", "", ""] in rows
    assert ["BERT, frozen, BiLSTM on all layers", "52.0 ± 1.4", "2"] in rows
    assert found["hidden"] == {"all": 4}
    assert not {"settings", "of"} & found["tuned"][0].keys()
