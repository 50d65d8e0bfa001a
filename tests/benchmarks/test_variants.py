"""The benchmark of lesson 10: its results are of today's recipe, and an interrupted run continues."""

import dataclasses
import json

import pytest

from minibert.course.tables import place
from minibert.course.unit10 import experiments as small

TABLE = json.loads(place("variants").read_text(encoding="utf-8"))


@pytest.fixture
def benchmark(script):
    return script("variants")


@pytest.fixture
def made(benchmark, monkeypatch):
    """What was run, each with a made-up result."""
    calls = []

    def run(what, quick):
        calls.append(what)
        return {
            "of": what,
            "settings": benchmark.settings(what, quick),
            "seconds": 1.0,
            "found": {"entities": 10 * what.get("rate", 0) + what["seed"]},
        }

    monkeypatch.setattr(benchmark, "run", run)
    monkeypatch.setattr(benchmark, "fingerprint_once", lambda: "today")
    return calls


def test_the_committed_table_is_of_the_lessons_recipe():
    assert TABLE["recipe"] == dataclasses.asdict(small.RECIPE), (
        "another recipe: python benchmarks/variants.py makes the table anew"
    )
    assert TABLE["epochs"] == list(small.EPOCHS) and TABLE["budgets"] == list(small.BUDGETS)


def test_the_committed_table_has_every_row_with_the_same_seeds(benchmark):
    rates = dict.fromkeys(small.OBJECTIVES, 1.0)
    for experiment in benchmark.EXPERIMENTS:
        names = {
            f"{what['name']} {what['budget']}" if "budget" in what else what["name"]
            for what in benchmark.plan(experiment, 1, rates)
        }
        assert set(TABLE[experiment]) == names
        seeds = {tuple(run["seed"] for run in runs) for runs in TABLE[experiment].values()}
        assert len(seeds) == 1 and 11 not in next(iter(seeds))  # the lesson's live seed


def test_a_finished_run_is_not_made_again_and_another_language_begins_anew(
    benchmark, made, tmp_path, monkeypatch
):
    path, plan = tmp_path / "runs.jsonl", list(benchmark.plan("masks", 1, {}))
    whole = benchmark.Lines(path, None, False, False).of(plan)
    assert len(whole) == len(made) == len(small.MASKS)
    path.write_text(path.read_text()[:-5])  # the last line is cut off
    assert benchmark.Lines(path, None, False, False).of(plan) == whole and len(made) == len(plan) + 1
    monkeypatch.setattr(benchmark, "fingerprint_once", lambda: "tomorrow")
    assert not benchmark.Lines(path, None, False, so_far=True).of(plan)


def test_each_objective_takes_the_rate_that_did_best_on_dev(benchmark, made, tmp_path):
    lines = benchmark.Lines(tmp_path / "runs.jsonl", None, False, False).of(benchmark.rate_trials())
    assert {line["of"]["seed"] for line in lines} == {benchmark.TRIAL_SEED}
    assert benchmark.best_rates(lines) == dict.fromkeys(small.OBJECTIVES, max(small.RATES))
    assert benchmark.best_rates([]) == dict.fromkeys(small.OBJECTIVES, small.RATES[1])


def test_the_tables_have_a_mean_and_a_range(benchmark):
    found = {
        "command": "c",
        "language": "l",
        "minutes": 1.0,
        "masks": {
            "one mask": [{"seed": seed, "held out": [1.0, last]} for seed, last in ((1, 2.0), (2, 4.0))]
        },
        "ernie": {"plan": [{"seed": 1, "stages": [{"words": 1.0}, {"words": 9.0}]}]},
    }
    report = benchmark.report(found)
    assert "| one mask | 2 | 3.00 (2.00 to 4.00) |" in report and "| plan | 1 | 9.0 |" in report


def test_what_there_is_so_far_is_printed_and_replaces_no_table(script, tmp_path, capsys):
    finish = script("runs").finish
    finish("one", {"a": 1}, "| a |\n", tmp_path, so_far=True)
    assert capsys.readouterr().out == "| a |\n" and not list(tmp_path.iterdir())
    finish("one", {"a": 1}, "| a |\n", tmp_path)
    assert json.loads((tmp_path / "one.json").read_text()) == {"a": 1}
    assert (tmp_path / "one.md").read_text() == "| a |\n"
