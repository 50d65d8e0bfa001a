"""One command makes every stored table of the generated language: it knows all, skips fresh ones, goes on."""

import json
import re
from pathlib import Path

import pytest

from minibert.course.tables import UNITS
from minibert.generated.fingerprint import fingerprint

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "benchmarks"


def written(folder, name, language):
    (folder / f"{name}.json").write_text(json.dumps({"language": language}), encoding="utf-8")


def place_in(folder):
    return lambda name: folder / f"{name}.json"


@pytest.fixture
def tables(script):
    return script("tables")


@pytest.fixture
def made(tables, tmp_path):
    """(make, names of what was made): make(names, language, but) stops before the table `but`."""
    names = []

    def make(wanted, language, but=None):
        def run(name):
            if name == but:
                raise KeyboardInterrupt
            names.append(name)
            if name == "labels":
                (tmp_path / "build" / "labels" / "0" / "bert").mkdir(parents=True, exist_ok=True)

        tables.make(wanted, language, tmp_path / "tables.json", run, tmp_path / "build")

    return make, names


def test_it_knows_every_table_that_a_lesson_reads(tables):
    assert set(UNITS) | tables.WITHOUT_TABLE == set(tables.TABLES)
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "lessons").glob("*.nb.py"))
    assert set(re.findall(r'\bstored\("(\w+)"', text)) <= set(UNITS)


def test_no_table_is_of_another_language(tables):
    stamps = tables.stamps_of(FOLDER / "results" / "tables.json")
    stale = tables.stale(fingerprint(), stamps)
    assert not stale, f"python benchmarks/tables.py --only {' '.join(stale)}"


def test_every_table_has_a_script_with_the_options_that_it_is_given(tables):
    for name, table in tables.TABLES.items():
        script = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
        if "runs.options(" in script:  # those that several benchmarks share
            script += (FOLDER / "runs.py").read_text(encoding="utf-8")
        assert all(f'"{word}"' in script for word in table.options if word.startswith("--")), name
        assert set(table.after) <= set(list(tables.TABLES)[: list(tables.TABLES).index(name)])
        assert re.search(rf"\b{name} {table.minutes}\b", tables.__doc__)


def test_a_command_line_names_the_models_that_are_there(tables, tmp_path):
    for seed in "10":
        (tmp_path / "labels" / seed / "bert").mkdir(parents=True)
    models = [str(tmp_path / "labels" / seed / "bert") for seed in "01"]
    assert tables.command("frozen", tmp_path, 2, "data")[2:] == ["--model", *models]
    assert tables.command("sizes", tmp_path, 2, "data")[2:] == ["--model", models[0]]
    assert tables.command("inside", tmp_path, 3, "data")[2:] == ["--data", "data", "--processes", "3"]


def test_what_is_finished_is_fresh_until_the_language_changes(tables, made, tmp_path):
    make, names = made
    with pytest.raises(KeyboardInterrupt):
        make(list(tables.TABLES), "a", but="frozen")
    assert names == list(tables.TABLES)[:4]
    for name in names:
        written(tmp_path, name, "a")
    stamps = tables.stamps_of(tmp_path / "tables.json")
    assert tables.stale("a", stamps, place_in(tmp_path)) == list(tables.TABLES)[4:]
    assert tables.stale("b", stamps, place_in(tmp_path)) == list(tables.TABLES)


def test_a_report_without_a_table_is_noted_next_to_what_another_call_noted(tables, tmp_path):
    path = tmp_path / "tables.json"

    def run(name):  # the other call finishes one meanwhile
        path.write_text('{"other": "a"}', encoding="utf-8")

    tables.make(["frozen"], "a", path, run, tmp_path / "build")
    assert json.loads(path.read_text(encoding="utf-8")) == {"frozen": "a", "other": "a"}


def test_a_table_names_its_language_and_follows_what_it_stands_on(tables, tmp_path):
    for name in ("elmo_gpt_bert", "finetuning_well"):
        written(tmp_path, name, "a")
    assert not {"elmo_gpt_bert", "finetuning_well"} & set(tables.stale("a", {}, place_in(tmp_path)))
    written(tmp_path, "elmo_gpt_bert", "b")
    assert {"elmo_gpt_bert", "finetuning_well"} <= set(tables.stale("a", {}, place_in(tmp_path)))


def test_models_of_another_language_are_set_aside_and_those_that_are_gone_made_first(made, tmp_path):
    make, names = made
    make(["labels", "sizes"], "a")
    make(["sizes"], "a")
    assert names == ["labels", "sizes", "sizes"]
    make(["sizes"], "b")
    assert names[3:] == ["labels", "sizes"]
    assert (tmp_path / "build" / "labels of a" / "0" / "bert").is_dir()
    assert (tmp_path / "build" / "language.txt").read_text(encoding="utf-8") == "b\n"


def test_a_plain_model_is_pretrained_once_on_the_text_of_labels(script, monkeypatch, tmp_path):
    module, calls = script("world_plain"), []
    monkeypatch.setattr(module.labels, "pretrained", lambda seed, stages: module.labels.TOUR)

    def pretrain(text, out, **options):
        calls.append((text, options["phases"], options["steps"]))
        out.mkdir()
        (out / "model.safetensors").touch()

    monkeypatch.setattr(module.minibert, "pretrain", pretrain)
    assert module.pretrained(1, tmp_path / "1", tmp_path / "stages", 3) == tmp_path / "1"
    module.pretrained(1, tmp_path / "1", tmp_path / "stages", 3)
    assert calls == [(tmp_path / "stages" / "train.txt", "plain", 3)]
