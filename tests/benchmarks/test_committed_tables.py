"""The committed tables are of today's language and recipes, are complete, and show what the lessons say."""

import dataclasses
import hashlib
import json
import re

import numpy as np
import pytest
from conftest import ROOT

from minibert.course.models import elmo_gpt_bert
from minibert.course.tables import UNITS, place
from minibert.course.unit10 import experiments as variants
from minibert.course.unit11 import experiments as small
from minibert.course.unit12.experiments import fixed, models
from minibert.course.unit13 import experiments as finetuning
from minibert.course.unit13.experiments import shapes, stages
from minibert.course.unit14.experiments import course_search, far_away, long_texts, registers, writing
from minibert.english.model import BASE, TASKS, WEIGHTS
from minibert.generated.fingerprint import fingerprint

FOLDER = ROOT / "benchmarks"
MODELS = tuple(elmo_gpt_bert.RECIPES)
ELMO_GPT_BERT, VARIANTS, SMALL, INSIDE, FINETUNING, AFTER_BERT = (
    json.loads(place(name).read_text(encoding="utf-8"))
    for name in ("elmo_gpt_bert", "variants", "small_berts", "inside", "finetuning_well", "after_bert")
)


# All tables: `python benchmarks/tables.py` makes those that are stale.


def test_every_table_that_a_lesson_reads_can_be_made(script):
    tables = script("tables")
    assert set(UNITS) | tables.WITHOUT_TABLE == set(tables.TABLES)
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "lessons").glob("*.nb.py"))
    assert set(re.findall(r'\bstored\("(\w+)"', text)) <= set(UNITS)


def test_no_table_is_of_another_language(script):
    tables = script("tables")
    stale = tables.stale(fingerprint(), tables.stamps_of(FOLDER / "results" / "tables.json"))
    assert not stale, f"python benchmarks/tables.py --only {' '.join(stale)}"


def test_a_table_is_stale_if_its_language_or_a_table_that_it_builds_on_is(script, tmp_path):
    tables, pair = script("tables"), {"elmo_gpt_bert", "finetuning_well"}

    def stale_of_pair(first_language):
        for name, language in zip(sorted(pair), (first_language, "today")):
            (tmp_path / f"{name}.json").write_text(json.dumps({"language": language}), encoding="utf-8")
        return pair & set(tables.stale("today", {}, lambda name: tmp_path / f"{name}.json"))

    assert stale_of_pair("today") == set() and stale_of_pair("another") == pair


def test_every_table_has_a_script_with_the_options_that_it_is_given(script):
    tables = script("tables")
    for name, table in tables.TABLES.items():
        text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
        if "runs.options(" in text:  # those that several benchmarks share
            text += (FOLDER / "runs.py").read_text(encoding="utf-8")
        assert all(f'"{word}"' in text for word in table.options if word.startswith("--")), name
        assert set(table.after) <= set(list(tables.TABLES)[: list(tables.TABLES).index(name)])


# Lesson 9.


def test_elmo_gpt_bert_is_of_the_kept_recipes():
    again = "python benchmarks/elmo_gpt_bert.py makes the table anew"
    assert ELMO_GPT_BERT["shared"] == dataclasses.asdict(elmo_gpt_bert.SHARED), f"other settings: {again}"
    assert ELMO_GPT_BERT["recipes"] == elmo_gpt_bert.RECIPES, f"another recipe: {again}"


def test_no_recipe_that_was_tried_is_clearly_better_than_the_kept_one(script):
    benchmark = script("elmo_gpt_bert")
    trials = [{"of": run, "dev": run["dev"]} for run in ELMO_GPT_BERT["recipes tried"]]
    assert not {run["seed"] for run in ELMO_GPT_BERT["recipes tried"]} & set(benchmark.SEEDS)
    for model in MODELS:
        tried = [
            json.dumps(trial["of"]["recipe"])
            for trial in trials
            if (trial["of"]["model"], trial["of"]["steps"]) == (model, benchmark.TRIAL_STEPS)
        ]
        assert sorted(map(tried.count, set(tried)))[-3:] == [1, 3, 3], "two with three seeds each"
    benchmark.check_recipes(trials)
    for trial in trials:  # a check that cannot fail proves nothing
        if trial["of"]["model"] == "BERT" and trial["of"]["recipe"] != elmo_gpt_bert.RECIPES["BERT"]:
            trial["dev"] = {**trial["dev"], "all": 100.0}
    with pytest.raises(ValueError, match="BERT is trained with .* but .* is better"):
        benchmark.check_recipes(trials)


def test_every_model_of_elmo_gpt_bert_is_pretrained_and_fine_tuned_with_the_same_seeds(script):
    benchmark = script("elmo_gpt_bert")
    planned = {(model, steps, None) for model in MODELS for steps in benchmark.LENGTHS}
    tuned = dict.fromkeys(MODELS, benchmark.TUNED_LENGTHS) | dict.fromkeys(
        benchmark.ABLATIONS, [benchmark.LAST]
    )
    planned |= {
        (model, steps, task)
        for model, lengths in tuned.items()
        for steps in lengths
        for task in benchmark.TUNING
    }
    runs = ELMO_GPT_BERT["pretrained"] + ELMO_GPT_BERT["tuned"]
    for model, steps, task in planned:
        seeds = sorted(
            run["seed"]
            for run in runs
            if (run["model"], run["steps"], run.get("task")) == (model, steps, task)
        )
        assert tuple(seeds) == benchmark.SEEDS, (model, steps, task)


def mean(model, steps, kind):
    return np.mean(
        [
            run["scores"][kind]
            for run in ELMO_GPT_BERT["pretrained"]
            if (run["model"], run["steps"]) == (model, steps)
        ]
    )


def test_what_lesson_9_leads_up_to_holds(script):
    """BERT starts last, ends ahead of GPT, and it alone learns what a later sentence says."""
    benchmark = script("elmo_gpt_bert")
    first, last = benchmark.LENGTHS[0], benchmark.LAST
    assert mean("BERT", first, "all") < min(mean("GPT", first, "all"), mean("ELMo", first, "all"))
    assert mean("BERT", last, "all") > mean("GPT", last, "all")
    assert mean("BERT", last, "right") > 2 * max(mean("GPT", last, "right"), mean("ELMo", last, "right"))
    for steps in benchmark.LENGTHS:
        for kind in ("all", "right", "elsewhere"):  # by chance, GPT may pass what the left side allows
            assert mean("GPT", steps, kind) < ELMO_GPT_BERT["limits"]["left"][kind] + 4


# Lesson 10.


def test_variants_is_of_the_lessons_recipe():
    again = "another recipe: python benchmarks/variants.py makes the table anew"
    assert VARIANTS["recipe"] == dataclasses.asdict(variants.RECIPE), again
    assert VARIANTS["epochs"] == list(variants.EPOCHS) and VARIANTS["budgets"] == list(variants.BUDGETS)


def test_variants_has_every_row_with_the_same_seeds(script):
    benchmark = script("variants")
    rates = dict.fromkeys(variants.OBJECTIVES, 1.0)
    for experiment in benchmark.EXPERIMENTS:
        names = {
            f"{what['name']} {what['budget']}" if "budget" in what else what["name"]
            for what in benchmark.plan(experiment, 1, rates)
        }
        assert set(VARIANTS[experiment]) == names
        seeds = {tuple(run["seed"] for run in runs) for runs in VARIANTS[experiment].values()}
        assert len(seeds) == 1 and 11 not in next(iter(seeds))  # the lesson's live seed


# Lesson 11.


def test_small_berts_is_of_the_recipe_and_of_the_original_that_ships(script):
    assert SMALL["recipe"] == dataclasses.asdict(small.RECIPE), "python benchmarks/small_berts.py"
    weights = (WEIGHTS / TASKS[small.NAME]).read_bytes()
    assert SMALL["adapter"] == hashlib.sha256(weights).hexdigest()[:12] and BASE.startswith(SMALL["encoder"])


def test_small_berts_has_all_seeds_of_a_row_and_sizes_next_to_the_original(script):
    benchmark = script("small_berts")
    rows = {name: [row for row in SMALL["runs"] if row["name"] == name] for name in small.WAYS}
    assert sum(map(len, rows.values())) == len(SMALL["runs"])
    original = rows["original"][0]
    for name, found in rows.items():
        way = small.WAYS[name][0]
        seeds = range(1 if way in small.ONCE else benchmark.SEEDS)
        assert [row["seed"] for row in found] in ([], [*seeds]), name  # all seeds, or not run
        for row in found:
            assert row["way"] == way and 0 < row["score"] < 100
            assert row is original or row["megabytes"] < original["megabytes"]
            assert (row["milliseconds"] is None) == (name not in benchmark.SPEED_OF)
    assert {row["way"] for row in SMALL["runs"]} == {way for way, _ in small.WAYS.values()}


# Lesson 12.


def test_inside_has_every_row_with_the_same_seeds(script):
    benchmark = script("inside")
    for experiment in benchmark.EXPERIMENTS:
        assert set(INSIDE[experiment]) == {what["name"] for what in benchmark.plan(experiment, 1)}
        seeds = {
            tuple(run["seed"] for run in runs)
            for name, runs in INSIDE[experiment].items()
            if experiment != "senses" or name == models.RANDOM
        }
        assert len(seeds) == 1 and len(next(iter(seeds))) >= 3
    assert INSIDE["fixed"]["all fixed"][0]["steps"] == list(fixed.SCORED_AT)
    assert set(benchmark.RELATIONS) < set(INSIDE["relations"][models.ENGLISH][0])


# Lesson 13.


def test_finetuning_well_is_of_the_lessons_recipe_and_encoder(script):
    assert FINETUNING["encoder"] == finetuning.weights_digest()
    recipes = {task: dataclasses.asdict(finetuning.recipe_of(task)) for task in finetuning.TASKS}
    again = "another recipe: python benchmarks/finetuning_well.py makes the table anew"
    assert FINETUNING["recipes"] == recipes, again
    shipped = {name: script("finetuning_well").adapter_digest(name) for name in stages.ENGLISH}
    assert FINETUNING["shipped"] == shipped
    for row in FINETUNING["shapes"]:
        assert row["steps"] == shapes.steps_of(shapes.SHAPES[row["name"]], shapes.BRIEFLY, range(1000))


def test_finetuning_well_has_the_whole_grid_and_every_row_with_the_same_seeds(script):
    benchmark = script("finetuning_well")
    assert FINETUNING["side"] == benchmark.SIDE and set(FINETUNING["grid"]) == set(finetuning.TASKS)
    for task, cells in FINETUNING["grid"].items():
        shape = benchmark.SIDE, benchmark.SIDE, finetuning.recipe_of(task).evaluations
        assert np.shape(cells["validation"]) == np.shape(cells["test"]) == shape
        assert 0 <= np.min(cells["test"]) and np.max(cells["test"]) <= finetuning.RECIPE.test

    def keys(rows):
        return sorted([str(row.get(key)) for key in ("task", "second", "name", "seed")] for row in rows)

    for part in benchmark.PARTS[1:]:
        rates = dict.fromkeys(finetuning.ADAPTERS, 0)
        assert keys(FINETUNING[part]) == keys(benchmark.plan(part, benchmark.SEEDS[part], rates)), part


# Lesson 14.


def test_after_bert_has_every_way_to_search_and_to_write():
    assert AFTER_BERT["encoder"] == finetuning.weights_digest()
    assert AFTER_BERT["training"] == course_search.TRAINING
    assert {*course_search.WAYS} - {"trained on pairs, mean"} <= {*AFTER_BERT["search"]}
    assert all(len(row["ranks"]) == len(course_search.questions()) for row in AFTER_BERT["search"].values())
    for task, ways in AFTER_BERT["writing"].items():
        assert set(ways) >= {*writing.WAYS} - ({writing.WAYS[-1]} if task == "whole" else set())
        assert ways["real text"]["grammatical"] == ways["real text"]["documents"] == [100, 100, 100]


def test_search_by_meaning_needs_training_on_sentences_and_bert_writes_worse_than_gpt():
    hits = {way: row["measures"]["hit@3"] for way, row in AFTER_BERT["search"].items()}
    published = hits["published, mean"]
    assert all(hits[f"English model, {name}"][2] < published[1] for name in ("cls", "mean"))
    assert hits["random weights, mean"][2] < published[1] < published[0] < hits[course_search.BOTH][0]
    for ways in AFTER_BERT["writing"].values():
        shares = {way: row["grammatical"] for way, row in ways.items() if way not in ("real text", "GPT")}
        assert all(share[2] < ways["GPT"]["grammatical"][1] for share in shares.values()), shares


def test_long_attention_grows_with_the_length_and_full_attention_with_its_square():
    found = AFTER_BERT["long"]
    assert found["lengths"] == list(long_texts.LENGTHS) and found["difference"]["float32"] < 1e-5
    assert abs(found["full"]["bytes exponent"] - 2) < 0.02 > abs(found["linear"]["bytes exponent"] - 1)
    assert found["linear"]["time exponent"] < 1.3 and found["full"]["time exponent"] > 1.7


def test_a_window_ends_at_depth_times_reach_and_a_global_token_reads_everything():
    found, chance = AFTER_BERT["far"], 100 / far_away.ANSWERS
    assert [*found] == [*far_away.KINDS] and {len(seeds) for seeds in found.values()} == {3}
    for name, seeds in found.items():
        kind = far_away.KINDS[name]
        for seed in seeds:
            assert seed["distances"] == list(far_away.DISTANCES)
            assert max(seed["without answer"]) < 2.5 * chance
            for distance, right in zip(seed["distances"], seed["accuracy"]):
                seen = kind.reach is None or kind.far or distance <= kind.layers * kind.reach
                assert right > 95 if seen else right < 2.5 * chance, (name, distance)


def test_each_register_gains_most_from_being_read():
    found = AFTER_BERT["registers"]
    assert [*found] == [registers.NEITHER, *registers.REGISTERS]
    before = found[registers.NEITHER][0]["right"]
    for one in registers.REGISTERS:
        assert len(found[one]) == 3
        for seed in found[one]:
            assert all((seed["right"][other] > before[other]) == (one == other) for other in before)
