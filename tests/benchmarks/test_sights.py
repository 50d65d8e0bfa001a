"""The benchmark of lesson 9's readers: what the lesson reads is of its own budget, and an interrupted run
goes on.
"""
import dataclasses
import json

import pytest
from conftest import ROOT

from minibert.corpora.world.posterior.reachable import Score
from minibert.elmo_gpt_bert import READERS, Budget

TABLE = json.loads((ROOT / "benchmarks" / "sights.json").read_text(encoding="utf-8"))


@pytest.fixture
def sights(script):
    return script("sights")


@pytest.fixture
def made(sights, monkeypatch):
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
        monkeypatch.setattr(sights, name, value)
    return calls


def test_the_committed_table_is_of_the_lessons_budget():
    lesson = (ROOT / "lessons" / "09_elmo_gpt_bert.nb.py").read_text(encoding="utf-8")
    assert "\nBUDGET = Budget()\n" in lesson
    assert TABLE["budget"] == dataclasses.asdict(Budget(
        )), "another budget: python benchmarks/sights.py makes the table anew"


def test_the_committed_table_has_every_reader_with_the_same_seeds(sights):
    runs = [run for run in TABLE["pretrained"] if run["steps"] == Budget().steps]
    seeds = {model: sorted(run["seed"] for run in runs if run["model"] == model) for model in READERS}
    assert set(map(tuple, seeds.values())) == {
        sights.SEEDS} and 0 not in sights.SEEDS      # 0 is the lesson's live one


def test_every_reader_is_pretrained_before_any_is_fine_tuned(sights, made, tmp_path):
    sights.run_all(tmp_path / "sights.jsonl")
    assert [call[:2] for call in made[:8]] == [(model, seed) for seed in (1, 3)
                                               for model in ("ELMo", "GPT", "BERT",
                                                                                             "BERT with NSP")]
    assert ("BERT", 3, sights.BUDGET.steps, "ner", "sum-all") in made and ("BERT", 1,
                                                                           sights.LONGER.steps) in made[8:]


def test_a_finished_run_is_not_made_again(sights, made, tmp_path):
    path = tmp_path / "sights.jsonl"
    whole = sights.run_all(path)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    count = len(made)
    assert sights.run_all(path) == whole and len(made) == count + 1 and made[-1] == made[count - 1]


def test_another_budget_begins_anew_and_another_way_to_tune_makes_that_task_alone(sights, made, tmp_path,
                                                                                  monkeypatch):
    path = tmp_path / "sights.jsonl"
    sights.run_all(path)
    made.clear()
    monkeypatch.setitem(sights.TUNING, "ner", (30, 20, 5))
    sights.run_all(path)
    assert made and all(len(call) == 5 for call in made)
    made.clear()
    monkeypatch.setattr(sights, "BUDGET", dataclasses.replace(sights.BUDGET, peak_rate=1e-3))
    sights.run_all(path)
    assert {len(call) for call in made} == {3, 5} and {call[2] for call in made} == {sights.BUDGET.steps}


def test_the_tables_hold_mean_and_spread(sights, made, tmp_path):
    score = Score(count=4, right=3)
    found = sights.sights_table.collected(
        sights.run_all(tmp_path / "sights.jsonl"), {"left": {"all": score}, "both": {"all": score}},
        budget=dataclasses.asdict(sights.BUDGET), tuning_batch=8,
        tuning={"ner": {"labelled": 30, "test": 20, "steps": 4}})
    rows = [[cell.strip() for cell in line.strip("|").split("|")]
            for line in sights.sights_table.report(found).splitlines()]
    assert ["GPT", "20.0 ± 14.1", "1,000", "150", "2", "2"] in rows and ["best, left", "75.0", "", "", "",
                                                                         ""] in rows
    assert ["BERT, frozen, BiLSTM on all layers", "52.0 ± 1.4", "2"] in rows
    assert found["hidden"] == {"all":
                               4} and "settings" not in found["tuned"][0] and "of" not in found["tuned"][0]
