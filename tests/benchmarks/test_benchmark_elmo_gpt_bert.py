"""The benchmark of lesson 9: its results are of the kept recipes, and an interrupted run continues."""

import dataclasses
import json

import pytest
import torch

from minibert.course.models import elmo_gpt_bert as twins
from minibert.course.tables import place
from minibert.generated.fingerprint import fingerprint

TABLE = json.loads(place("elmo_gpt_bert").read_text(encoding="utf-8"))
MODELS = tuple(twins.RECIPES)


@pytest.fixture
def benchmark(script):
    return script("elmo_gpt_bert")


@pytest.fixture
def made(benchmark, monkeypatch):
    """What was run, each with a made-up result; few enough to count."""
    calls = []

    def result(kind, line):
        def call(what):
            calls.append(what)
            assert what["run"] == kind
            return {"seconds": 2.0, **line(what)}

        return call

    cost = {"tokens": 1000, "questions": 150}
    reachable = {"limits": {"left": {"all": 75.0}, "both": {"all": 100.0}}, "hidden": {"all": 4}}
    runs = {
        "limits": lambda what: reachable,
        "try recipe": lambda what: cost | {"dev": {"all": 7.0, "elsewhere": 1.0, "loss": 3.0}},
        "pretrain": lambda what: cost | {"scores": {"all": 10.0 * what["seed"]}},
        "try rate": lambda what: {"score": 10.0 + (what["rate"] == 2e-3)},
        "tune": lambda what: {"score": 50.0 + what["seed"]},
    }
    for name, value in {
        "RUNS": {kind: result(kind, line) for kind, line in runs.items()},
        "SEEDS": (1, 3),
        "LENGTHS": (5, 10),
        "LAST": 10,
        "TUNED_LENGTHS": (10,),
        "ABLATIONS": ("GPT + BiLSTM",),
        "TRIALS": {"GPT": [{"peak_rate": 0.5}]},
        "FAMILIES": ("GPT", "BERT", "ELMo"),
        "RATES": (1e-3, 2e-3),
        "TUNING": {"ner": (30, 20, 4)},
        "write_examples": lambda so_far: None,
        "check_recipes": lambda trials: None,
    }.items():
        monkeypatch.setattr(benchmark, name, value)
    return calls


def kinds(calls):
    return [call["run"] for call in calls]


def test_the_committed_table_is_of_the_kept_recipes_and_today_s_language():
    again = "python benchmarks/elmo_gpt_bert.py makes the table anew"
    assert TABLE["shared"] == dataclasses.asdict(twins.SHARED), f"other settings: {again}"
    assert TABLE["recipes"] == twins.RECIPES, f"another recipe: {again}"
    assert TABLE["language"] == fingerprint(), f"another language: {again}"


def test_no_recipe_that_was_tried_is_clearly_better_than_the_package_s(benchmark, monkeypatch):
    trials = [{"of": run, "dev": run["dev"]} for run in TABLE["recipes tried"]]
    for model in MODELS:
        tried = [
            json.dumps(trial["of"]["recipe"])
            for trial in trials
            if (trial["of"]["model"], trial["of"]["steps"]) == (model, benchmark.TRIAL_STEPS)
        ]
        assert sorted(map(tried.count, set(tried)))[-3:] == [1, 3, 3], "two with three seeds each"
    benchmark.check_recipes(trials)
    monkeypatch.setattr(benchmark, "TIE", 0.0)
    with pytest.raises(ValueError, match="BERT is trained with .* but .* is better"):
        benchmark.check_recipes(trials)
    monkeypatch.undo()
    monkeypatch.setitem(twins.RECIPES, "GPT", {"peak_rate": 0.25})
    with pytest.raises(ValueError, match="GPT is trained with .*0.25.* but .* is better"):
        benchmark.check_recipes(trials)


def test_the_committed_table_has_every_model_with_the_same_seeds(benchmark):
    for steps in benchmark.LENGTHS:
        seeds = {
            model: sorted(
                run["seed"] for run in TABLE["pretrained"] if (run["model"], run["steps"]) == (model, steps)
            )
            for model in MODELS
        }
        assert set(map(tuple, seeds.values())) == {benchmark.SEEDS}, steps


def mean(model, steps, kind):
    found = [
        run["scores"][kind] for run in TABLE["pretrained"] if (run["model"], run["steps"]) == (model, steps)
    ]
    return sum(found) / len(found)


def test_what_lesson_9_leads_up_to_holds(benchmark):
    """BERT starts last, ends ahead of GPT, and alone learns what a later sentence tells."""
    first, last = benchmark.LENGTHS[0], benchmark.LAST
    assert mean("BERT", first, "all") < min(mean("GPT", first, "all"), mean("ELMo", first, "all"))
    assert mean("BERT", last, "all") > mean("GPT", last, "all")
    assert mean("BERT", last, "right") > 2 * max(mean("GPT", last, "right"), mean("ELMo", last, "right"))


@pytest.mark.parametrize("kind", ["all", "right", "elsewhere"])
def test_gpt_passes_the_limit_of_the_left_side_by_chance_at_most(benchmark, kind):
    for steps in benchmark.LENGTHS:
        assert mean("GPT", steps, kind) < TABLE["limits"]["left"][kind] + 4


def test_each_curve_of_fine_tuning_has_every_seed(benchmark):
    models = dict.fromkeys(MODELS, benchmark.TUNED_LENGTHS)
    models |= dict.fromkeys(benchmark.ABLATIONS, [benchmark.LAST])
    for model, lengths in models.items():
        for steps in lengths:
            for task in benchmark.TUNING:
                seeds = sorted(
                    run["seed"]
                    for run in TABLE["tuned"]
                    if (run["model"], run["steps"], run["task"]) == (model, steps, task)
                )
                assert tuple(seeds) == benchmark.SEEDS, (model, steps, task)


def test_no_trial_has_the_seed_of_a_run(benchmark):
    seeds = {run["seed"] for run in TABLE["recipes tried"]}
    assert seeds and not seeds & set(benchmark.SEEDS)


def test_trials_come_before_what_they_decide(benchmark, made, tmp_path):
    benchmark.run_all(benchmark.Lines(tmp_path / "runs.jsonl"))
    order = list(dict.fromkeys(kinds(made)))
    assert order == ["try recipe", "limits", "pretrain", "try rate", "tune"]
    tuned = [call for call in made if call["run"] == "tune"]
    assert {call["rate"] for call in tuned} == {2e-3}  # which the trials have found best
    assert ("GPT + BiLSTM", 3, 10) in {(call["model"], call["seed"], call["steps"]) for call in tuned}
    assert len(made) == 4 + 2 * 7 + 6 + 2 * 4


def test_a_finished_run_is_not_made_again(benchmark, made, tmp_path):
    path = tmp_path / "runs.jsonl"
    whole = benchmark.run_all(benchmark.Lines(path))
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    count = len(made)
    assert benchmark.run_all(benchmark.Lines(path, so_far=True)) == whole[:-1] and len(made) == count
    assert benchmark.run_all(benchmark.Lines(path)) == whole
    assert len(made) == count + 1 and made[-1] == made[count - 1]


def test_another_recipe_language_or_way_to_tune_makes_its_runs_anew(benchmark, made, tmp_path, monkeypatch):
    def again():
        made.clear()
        benchmark.run_all(benchmark.Lines(tmp_path / "runs.jsonl"))
        return made

    everything = len(again())
    assert not again()
    monkeypatch.setitem(benchmark.TUNING, "ner", (30, 20, 5))
    assert set(kinds(again())) == {"try rate", "tune"}
    monkeypatch.setitem(twins.RECIPES, "BERT", {"peak_rate": 1e-3, "mask_rate": 0.2})
    assert {call["model"].split()[0] for call in again()} == {"BERT"}
    monkeypatch.setattr(benchmark, "fingerprint_once", lambda: "another")
    assert len(again()) == everything


def test_frozen_models_have_a_rate_of_their_own_and_parts_that_of_the_whole(benchmark):
    assert [
        benchmark.family_of(model)
        for model in ("BERT with NSP", "GPT + BiLSTM", "GPT, frozen", "ELMo", "from scratch")
    ] == ["BERT", "GPT", "ELMo, frozen", "ELMo", "from scratch"]


def test_a_run_that_goes_on_counts_only_its_own_steps(benchmark):
    steps = benchmark.Steps()
    steps.begin([{}] * 7)
    steps.update()
    steps.end()
    assert steps.count == 1


@pytest.mark.parametrize("model", ["ELMo", "GPT", "BERT"])
def test_what_is_pretrained_is_fine_tuned(benchmark, model, monkeypatch, tmp_path):
    words = benchmark.elmo_gpt_bert.FastWordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *"abc"])
    monkeypatch.setattr(benchmark, "material", lambda: benchmark.SimpleNamespace(tokenizer=words))
    monkeypatch.setattr(benchmark, "BUILD", tmp_path)
    whole = benchmark.elmo_gpt_bert.new_model(model, twins.trained_budget(model), words, seed=5)
    torch.save(whole.state_dict(), benchmark.weights_file(model, 1, 10))
    word = whole.encoder.embeddings.word.weight
    frozen = benchmark.encoder_of(f"{model}, frozen", 1, 10)
    inside = benchmark.encoder_of(model, 1, 10)
    inside = inside.encoder if model == "GPT" else inside
    assert torch.equal(inside.embeddings.word.weight, word)
    assert any(torch.equal(weights, word) and not weights.requires_grad for weights in frozen.parameters())


def test_the_tables_hold_mean_and_spread(benchmark, made, tmp_path):
    lines = benchmark.run_all(benchmark.Lines(tmp_path / "runs.jsonl"))
    found = benchmark.elmo_gpt_bert_table.collected(
        lines,
        shared=dataclasses.asdict(twins.SHARED),
        language="abc",
        tuning_batch=8,
        tuning={"ner": {"labelled": 30, "test": 20, "steps": 4}},
    )
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in benchmark.elmo_gpt_bert_table.report(found).splitlines()
    ]
    assert ["GPT", "10", "20.0 ± 14.1", "1,000", "150", "2", "2"] in rows
    assert ["best, left", "", "75.0", "", "", "", ""] in rows
    assert ["GPT + BiLSTM", "10", "52.0 ± 1.4", "2"] in rows
    assert ["GPT", "0.5", "", "1000", "103", "7.0", "1.0", "3.0"] in rows
    assert ["BERT", "10.0", "11.0"] in rows
    assert found["hidden"] == {"all": 4}
    assert not {"settings", "of", "run"} & found["tuned"][0].keys()
