"""The benchmark of lesson 13: its results are of today's recipe, and an interrupted run continues."""

import dataclasses
import json

import numpy as np
import pytest

from minibert.course.tables import place
from minibert.course.unit13 import experiments as small
from minibert.course.unit13.experiments import shapes, stages

PATH = place("finetuning_well")
TABLE = json.loads(PATH.read_text(encoding="utf-8"))


@pytest.fixture
def benchmark(script):
    return script("finetuning_well")


@pytest.fixture
def made(benchmark, monkeypatch):
    """What was run, each with a made-up result."""
    calls = []

    def run(what, quick):
        calls.append(what)
        right = int(1e4 * what.get("rate", 0)) + what.get("init", 0)
        return {
            "of": what,
            "settings": benchmark.settings(what, quick),
            "seconds": 1.0,
            "found": {"validation": [1, right], "test": [1, right], "loss": 1.0, "seconds": 0.5},
        }

    monkeypatch.setattr(benchmark, "run", run)
    monkeypatch.setattr(benchmark, "fingerprint_once", lambda: "today")
    return calls


def test_the_committed_table_is_of_the_lessons_recipe_and_encoder():
    assert TABLE["encoder"] == small.weights_digest()
    assert TABLE["recipes"] == {task: dataclasses.asdict(small.recipe_of(task)) for task in small.TASKS}, (
        "another recipe: python benchmarks/finetuning_well.py makes the table anew"
    )


def test_the_committed_grid_is_whole(benchmark):
    assert TABLE["side"] == benchmark.SIDE and set(TABLE["grid"]) == set(small.TASKS)
    for task, cells in TABLE["grid"].items():
        shape = benchmark.SIDE, benchmark.SIDE, small.recipe_of(task).evaluations
        assert np.shape(cells["validation"]) == np.shape(cells["test"]) == shape
        assert 0 <= np.min(cells["test"]) and np.max(cells["test"]) <= small.RECIPE.test


def test_the_committed_table_has_every_row_with_the_same_seeds(benchmark):
    for part in benchmark.PARTS[1:]:
        rates = dict.fromkeys(small.ADAPTERS, 0)
        planned = [
            tuple(str(what.get(key)) for key in ("task", "second", "name", "seed"))
            for what in benchmark.plan(part, benchmark.SEEDS[part], rates)
        ]
        found = [
            tuple(str(row.get(key)) for key in ("task", "second", "name", "seed")) for row in TABLE[part]
        ]
        assert sorted(found) == sorted(planned), part


def test_a_finished_run_is_not_made_again_and_another_language_begins_anew(
    benchmark, made, tmp_path, monkeypatch
):
    path, plan = tmp_path / "runs.jsonl", list(benchmark.grid_plan(2))
    whole = benchmark.Lines(path, None, False, False).of(plan)
    assert len(whole) == len(made) == 4 * len(small.TASKS)
    path.write_text(path.read_text()[:-5])  # the last line is cut off
    assert benchmark.Lines(path, None, False, False).of(plan) == whole and len(made) == len(plan) + 1
    monkeypatch.setattr(benchmark, "fingerprint_once", lambda: "tomorrow")
    assert not benchmark.Lines(path, None, False, so_far=True).of(plan)


def test_a_grid_that_was_stopped_gives_the_largest_square(benchmark, made, tmp_path):
    plan = [
        what
        for what in benchmark.grid_plan(3)
        if (what["init"], what["order"], what["task"]) != (2, 2, "clause")
    ]
    lines = benchmark.Lines(tmp_path / "runs.jsonl", None, False, False).of(plan)
    found = benchmark.collected({"grid": lines}, {}, False)
    assert found["side"] == 2 and np.shape(found["grid"]["clause"]["test"]) == (2, 2, 2)
    assert "2 initialisations x 2 data orders" in benchmark.report({**found, "minutes": {"grid": 1.0}})


def test_each_adapter_takes_the_rate_that_did_best_on_validation(benchmark, made, tmp_path):
    lines = benchmark.Lines(tmp_path / "runs.jsonl", None, False, False).of(benchmark.rate_trials())
    assert {line["of"]["seed"] for line in lines} == {benchmark.TRIAL_SEED}
    assert benchmark.best_rates(lines) == dict.fromkeys(small.ADAPTERS, max(small.RATES))
    assert benchmark.best_rates([]) == dict.fromkeys(small.ADAPTERS, small.RATES[1])


def test_a_part_without_runs_stays_as_it_was_unless_the_language_is_another(benchmark, made, tmp_path):
    path = tmp_path / "old.json"
    new = {**benchmark.collected({}, {}, False), "minutes": {"shapes": 2.0}, "shapes": [{"name": "new"}]}
    old = {**new, "minutes": {"knowledge": 1.0, "shapes": 9.0}, "knowledge": [{"name": "old"}], "shapes": []}
    path.write_text(json.dumps(old))
    found = benchmark.with_stored(new, path, benchmark.PARTS)
    assert found["knowledge"] == old["knowledge"] and found["shapes"] == new["shapes"]
    assert found["minutes"] == {"knowledge": 1.0, "shapes": 2.0}
    path.write_text(json.dumps({**old, "language": "another"}))
    assert benchmark.with_stored(new, path, benchmark.PARTS) == new


def test_the_committed_shapes_and_english_runs_are_of_todays_settings(benchmark):
    for row in TABLE["shapes"]:
        assert row["steps"] == shapes.steps_of(shapes.SHAPES[row["name"]], shapes.BRIEFLY, range(1000))
    assert {name: benchmark.adapter_digest(name) for name in stages.ENGLISH} == TABLE["shipped"]
