"""The benchmark of lesson 12: its results are of today's recipe, and an interrupted run continues."""

import json

import numpy as np
import platformdirs
import pytest

from minibert.course.tables import place
from minibert.course.unit12.experiments import fixed, models

TABLE = json.loads(place("inside").read_text(encoding="utf-8"))


@pytest.fixture
def benchmark(script):
    return script("inside")


@pytest.fixture
def made(benchmark, monkeypatch):
    """What was run, each with a made-up result."""
    calls = []

    def run(what, quick, files):
        calls.append(what)
        return {
            "of": what,
            "settings": benchmark.settings(what, quick, files),
            "seconds": 1.0,
            "found": {"x": 1.0},
        }

    monkeypatch.setattr(benchmark, "run", run)
    monkeypatch.setattr(benchmark, "fingerprint_once", lambda: "today")
    monkeypatch.setattr(benchmark, "weights_of", lambda name: f"weights of {name}")
    return calls


def test_the_committed_table_has_every_row_with_the_same_seeds(benchmark):
    for experiment in benchmark.EXPERIMENTS:
        names = {what["name"] for what in benchmark.plan(experiment, 1)}
        assert set(TABLE[experiment]) == names
        seeds = {
            tuple(run["seed"] for run in runs)
            for name, runs in TABLE[experiment].items()
            if experiment != "senses" or name == models.RANDOM
        }
        assert len(seeds) == 1 and len(next(iter(seeds))) >= 3
    assert TABLE["fixed"]["all fixed"][0]["steps"] == list(fixed.SCORED_AT)
    assert set(benchmark.RELATIONS) < set(TABLE["relations"][models.ENGLISH][0])


def test_a_finished_run_is_not_made_again_and_another_language_begins_anew(
    benchmark, made, tmp_path, monkeypatch
):
    path, plan = tmp_path / "runs.jsonl", list(benchmark.plan("probes", 1))
    whole = benchmark.Lines(path, None, False, False, {}).of(plan)
    assert len(whole) == len(made) == len(models.NAMES)
    path.write_text(path.read_text()[:-5])  # the last line is cut off
    assert benchmark.Lines(path, None, False, False, {}).of(plan) == whole and len(made) == len(plan) + 1
    monkeypatch.setattr(benchmark, "fingerprint_once", lambda: "tomorrow")
    assert not benchmark.Lines(path, None, False, True, {}).of(plan)


def test_text_is_found_in_a_folder_or_without_one_in_the_cache_and_another_file_begins_anew(
    benchmark, made, tmp_path, monkeypatch
):
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda name: str(tmp_path / "cache"))
    assert benchmark.files_of(None) == benchmark.files_of(tmp_path / "data") == {}
    for where in ("cache/data/ewt/en_ewt-ud-dev.conllu", "data/ud_ewt/dev.conllu"):
        (tmp_path / where).parent.mkdir(parents=True)
        (tmp_path / where).write_text(where)
    (tmp_path / "data" / "wsd").mkdir()
    cached, given = benchmark.files_of(None), benchmark.files_of(tmp_path / "data")
    assert {name: path.name for name, path in cached.items()} == {"ewt": "en_ewt-ud-dev.conllu"}
    assert {name: path.name for name, path in given.items()} == {"ewt": "dev.conllu", "wsd": "wsd"}
    for files in (cached, given, cached):
        benchmark.Lines(tmp_path / "runs.jsonl", None, False, False, files).of(benchmark.plan("relations", 1))
    assert len(made) == 2 * len(models.NAMES)


@pytest.mark.parametrize("files, left_out", [((), 3), (("ewt",), 2), (("ewt", "wikigold", "wsd"), 0)])
def test_experiments_whose_text_is_not_there_are_left_out_and_named(
    benchmark, made, tmp_path, monkeypatch, capsys, files, left_out
):
    monkeypatch.setattr(benchmark, "files_of", lambda data: dict.fromkeys(files, tmp_path))
    monkeypatch.setattr(benchmark, "BUILD", tmp_path)
    monkeypatch.setattr("sys.argv", ["inside.py", "--seeds", "1", "--out", str(tmp_path)])
    benchmark.main()
    assert capsys.readouterr().out.count("without ") == left_out
    assert len({what["run"] for what in made}) == len(benchmark.EXPERIMENTS) - left_out


def test_senses_have_one_run_of_trained_models_and_one_a_seed_of_random_weights(benchmark):
    assert len(list(benchmark.plan("senses", 1))) == 3
    assert [what["name"] for what in benchmark.plan("senses", 2)] == [models.RANDOM]


def test_the_tables_have_a_mean_and_a_range_and_relations_their_offset(benchmark):
    found = {
        "command": "c",
        "language": "l",
        "minutes": 1.0,
        "fixed": {"all fixed": [{"seed": s, "words": [1.0, last]} for s, last in ((1, 2.0), (2, 4.0))]},
        "pruning": {"English": [{"seed": 1, "agreement": 0.25}, {"seed": 2, "agreement": 0.75}]},
        "relations": {"English": [{"seed": 1, "det": {"right": 90.0, "offset": 40.0, "layer": 1}}]},
    }
    report = benchmark.report(found)
    assert "| all fixed | 2 | 1, 3 |" in report and "0.50 (0.25 to 0.75)" in report and "| 90, 40 |" in report


def test_a_head_that_is_gone_is_not_tried_again(benchmark):
    gate = np.ones((1, 3))
    gate[0, 1] = 0
    found = benchmark.one_off_from(lambda g: np.array([g.sum()]), gate)
    assert found.tolist() == [[-1.0, 0.0, -1.0]]


NAF = """<NAF><text>
<wf id="w0" sent="1">Banks</wf><wf id="w1" sent="1">lend</wf>
<wf id="w2" sent="2">A</wf><wf id="w3" sent="2">bank</wf>
</text><terms>
<term id="t0" pos="NNS" lemma="bank"><span><target id="w0"/></span><externalReferences>
<externalRef reftype="lexical_key" reference="1:14:00::"/></externalReferences></term>
<term id="t1" pos="VBP" lemma="lend"><span><target id="w1"/></span></term>
</terms></NAF>"""


def test_semcor_gives_sentences_and_marked_words(benchmark, tmp_path):
    folder = tmp_path / "wsd" / "semcor_naf"
    folder.mkdir(parents=True)
    (folder / "a.naf").write_text(NAF, encoding="utf-8")
    sentences, marked = benchmark.semcor(tmp_path / "wsd")
    assert sentences == [["Banks", "lend"], ["A", "bank"]] and marked == [(0, 0, "bank N", "1:14:00::")]


def test_wic_has_the_word_in_its_sentence_and_before_its_definition(benchmark, tmp_path):
    folder = tmp_path / "wsd" / "wic_tsv"
    folder.mkdir(parents=True)
    for kind, text in (("examples", "bank\t1\tthe bank"), ("definitions", "a slope"), ("labels", "T")):
        (folder / f"dev_{kind}.txt").write_text(text + "\n", encoding="utf-8")
    rows, labels = benchmark.read_wic(tmp_path / "wsd", "dev")
    assert rows == [(["the", "bank"], 1, ["bank", ":", "a", "slope"])] and labels.tolist() == [True]
