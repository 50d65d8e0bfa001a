"""The commands on small real files, and one clear line for bad input."""
import io
import json
import pkgutil
import re
import shlex

import pytest
from conftest import ROOT

from minibert import class_model, cli
from minibert.corpora.readers import READERS
from minibert.corpora.world.files import FILE_KINDS
from minibert.training.distributed import Team, acting_as

TEXT = "\n\n".join("\n".join(f"The {a} sat on the {b} of Ashby number {i}." for b in ("mat", "rug", "hat", "log", "box"))
                   for i, a in enumerate(["cat", "dog", "cow", "hen", "owl", "pig", "fox", "ant"]))
SQUAD = {"version": "1.1", "data": [{"title": "t", "paragraphs": [{"context": "Mira lives in Ashby.", "qas": [
    {"id": "q1", "question": "Where does Mira live?", "answers": [{"text": "Ashby", "answer_start": 14}]}]}]}]}
CONLL = "Mira B-PER\nlives O\nin O\nAshby B-LOC\n. O\n"


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(class_model.platformdirs, "user_cache_dir", lambda name: str(tmp_path / "cache"))
    (tmp_path / "text.txt").write_text(TEXT)
    (tmp_path / "squad.json").write_text(json.dumps(SQUAD))
    (tmp_path / "ner.conll").write_text(CONLL)
    return tmp_path


@pytest.fixture
def pretrained(files):
    assert cli.main("pretrain --corpus text.txt --out bert --steps 3 --batch-size 4 --vocab-size 120 --max-length 32".split()) == 0
    return files


def test_pretrain_leaves_a_model_and_a_log_and_nothing_half_written(pretrained, capsys):
    assert sorted(p.name for p in (pretrained / "bert").iterdir()) == ["config.json", "log.jsonl", "model.safetensors", "vocab.txt"]
    assert len((pretrained / "bert" / "log.jsonl").read_text().splitlines()) == 3


def test_pretrain_finds_the_vocabulary_and_the_ids_of_the_run_before(pretrained, capsys):
    capsys.readouterr()
    assert cli.main("pretrain --corpus text.txt --out again --steps 1 --batch-size 4 --vocab-size 120 --max-length 32".split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Vocabulary trained before: ") and lines[1].startswith("Encoded before: 8 documents, ")


def test_pretrain_writes_as_many_documents_as_asked_and_takes_a_vocabulary(pretrained, capsys):
    capsys.readouterr()
    assert cli.main("pretrain --documents 30 --vocab bert/vocab.txt --cache here --workers 2 --out m --steps 1 --batch-size 4 "
                    "--max-length 32".split()) == 0
    out = capsys.readouterr().out
    assert out.startswith("Encoded: 30 documents, ") and "28 documents to train on, 2 held out" in out
    assert [path.name[:10] for path in (pretrained / "here").iterdir()] == ["documents-"]
    assert (pretrained / "m" / "vocab.txt").read_bytes() == (pretrained / "bert" / "vocab.txt").read_bytes()


def test_finetune_evaluate_and_predict_qa(pretrained, capsys, monkeypatch):
    assert cli.main("finetune qa --train squad.json --dev squad.json --model bert --epochs 60 --out qa".split()) == 0
    assert "exact match 100.0, F1 100.0" in capsys.readouterr().out
    assert cli.main("evaluate squad.json --model qa".split()) == 0
    assert "1 examples: exact match 100.0" in capsys.readouterr().out
    assert cli.main(["predict", "--model", "qa", "--question", "Where does Mira live?", "--context", "Mira lives in Ashby."]) == 0
    assert capsys.readouterr().out == "Ashby\n"
    assert cli.main("predict --model qa --file squad.json --out answers.json".split()) == 0
    assert json.loads((pretrained / "answers.json").read_text()) == {"q1": "Ashby"}
    monkeypatch.setattr("sys.stdin", io.StringIO("Mira lives in Ashby.\n\nWhere does Mira live?\n"))
    capsys.readouterr()
    assert cli.main("predict qa --model qa".split()) == 0
    assert capsys.readouterr().out.startswith("Ashby  (")
    assert cli.main("evaluate squad.json --model qa --out report".split()) == 0
    said = capsys.readouterr().out
    assert "| where " in said and (pretrained / "report" / "analysis.svg").read_text().startswith("<svg role")
    assert cli.main("evaluate squad.json --model qa --fit-threshold".split()) == 2
    assert "qa answers every question: there is no threshold to fit" in capsys.readouterr().err
    assert cli.main("predict ner --model qa --text Mira".split()) == 2
    assert "qa was fine-tuned for qa, not for ner" in capsys.readouterr().err


def test_questions_without_an_answer_get_a_threshold_that_is_kept(pretrained, capsys):
    two = json.loads(json.dumps(SQUAD))
    two["data"][0]["paragraphs"][0]["qas"].append({"id": "q2", "question": "Who sings?", "answers": [], "is_impossible": True})
    (pretrained / "two.json").write_text(json.dumps(two))
    assert cli.main("finetune qa --train two.json --dev two.json --model bert --epochs 2 --out qa".split()) == 0
    settings = json.loads((pretrained / "qa" / "task.json").read_text())["settings"]
    assert settings["unanswerable"] and settings["threshold"] != 0
    said = capsys.readouterr().out
    assert "NoAns F1" in said
    (pretrained / "qa" / "task.json").write_text((pretrained / "qa" / "task.json").read_text().replace(
        f'"threshold": {settings["threshold"]}', '"threshold": 99.0'))
    assert cli.main("evaluate two.json --model qa --fit-threshold".split()) == 0
    assert json.loads((pretrained / "qa" / "task.json").read_text())["settings"] == pytest.approx(settings)


def test_finetune_and_predict_ner(pretrained, capsys):
    assert cli.main("finetune ner --train ner.conll --dev ner.conll --model bert --epochs 60 --out ner".split()) == 0
    assert "F1 100.0" in capsys.readouterr().out
    assert cli.main(["predict", "--model", "ner", "--text", "Mira lives in Ashby."]) == 0
    assert capsys.readouterr().out == "[Mira PER] lives in [Ashby LOC].\n"
    assert cli.main("predict ner --model ner --file ner.conll --html page.html".split()) == 0
    assert "Mira</bdi> <b>PER</b></mark>" in (pretrained / "page.html").read_text()
    assert cli.main("evaluate ner.conll --model ner --out report".split()) == 0
    assert "2 of 2 right; none wrong" in (pretrained / "report" / "analysis.svg").read_text()


def test_world_writes_the_files_it_is_asked_for(files, capsys):
    assert cli.main("world --documents 3 --out w".split()) == 0
    assert sorted(p.name for p in (files / "w").iterdir()) == ["train-v1.1.json", "train.conll", "train.txt"]
    assert cli.main("world --documents 3 --split dev --kind sst2 --out v".split()) == 0
    assert (files / "v" / "sst2-dev.tsv").read_text(encoding="utf-8").count("\n") == 4
    capsys.readouterr()
    assert cli.main("world --documents 2".split()) == 0
    assert capsys.readouterr().out.count("\n") == 3


BAD = [
    ("pretrain --corpus missing.txt --out m", "missing.txt: no such file"),
    ("pretrain --corpus empty.txt --out m", "empty.txt: the file is empty"),
    ("pretrain --corpus latin.txt --out m", "latin.txt:1: not UTF-8"),
    ("pretrain --corpus text.txt --out m --preset huge", "unknown preset 'huge'"),
    ("pretrain --corpus text.txt --out m --steps 0", "steps=0 must be at least 1"),
    ("pretrain --corpus text.txt --out m --vocab-size 10", "vocab"),
    ("pretrain --corpus text.txt --out m --max-length 4000", "--max-length 4000"),
    ("pretrain --corpus text.txt --out m --workers 0", "workers=0 must be at least 1"),
    ("pretrain --corpus text.txt --out m --vocab missing.txt", "missing.txt: no such file"),
    ("pretrain --documents -1 --out m", "count -1 must not be negative"),
    ("world --kind text poem --out w", "unknown kind 'poem'"),
    ("world --kind ner --split pretrain --out w", "'ner' has labels"),
    ("finetune qa --train cut.json --dev squad.json --out m", "cut.json:1"),
    ("finetune qa --train squad.json --dev missing.json --out m", "missing.json: no such file"),
    ("finetune ner --train ragged.conll --dev ner.conll --out m", "ragged.conll:2: "),
    ("finetune ner --train ner.conll --dev ner.conll --model missing --out m", "missing"),
    ("predict --model missing --text x", "task.json: no such file"),
    ("predict qa", "task.json: no such file"),
    ("predict --question x", "give the task, such as qa, or --model"),
    ("lab 77", "no lesson '77'"),
]


@pytest.mark.parametrize("command, message", BAD, ids=[command for command, _ in BAD])
def test_bad_input_is_one_clear_line_and_leaves_nothing(files, capsys, command, message):
    (files / "empty.txt").write_text("")
    (files / "latin.txt").write_bytes("Café".encode("latin-1"))
    (files / "cut.json").write_text(json.dumps(SQUAD)[:60])
    (files / "ragged.conll").write_text("Mira NNP B-PER\nlives O\n")
    before = sorted(files.iterdir())
    assert cli.main(command.split()) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert sorted(files.iterdir()) == before


def test_predict_asks_for_what_the_task_needs(pretrained, capsys):
    cli.main("finetune ner --train ner.conll --dev ner.conll --model bert --epochs 1 --out ner".split())
    for options in ("--question Who?", "--nbest x", "--html x"):
        assert cli.main(f"predict --model ner {options}".split()) == 2
        assert "fine-tuned for ner: give --text, or --file" in capsys.readouterr().err
    with acting_as(Team(0, 2)):
        assert cli.main("predict --model ner --text Mira".split()) == 2
        assert "2 processes share the answers to a file: give --file and --out" in capsys.readouterr().err


def test_a_keyboard_interrupt_says_how_to_go_on(files, monkeypatch, capsys):
    def interrupt(arguments):
        raise KeyboardInterrupt
    monkeypatch.setattr(cli, "run_world", interrupt)
    assert cli.main(["world"]) == 130
    assert "Start the same command again to go on" in capsys.readouterr().err


COMMANDS = cli.parser()._subparsers._group_actions[0].choices


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_says_what_each_option_is_for_its_default_and_a_python_call_that_is_there(name):
    for action in COMMANDS[name]._actions:
        assert action.help, action.dest
        if isinstance(action.default, list):
            assert f"(default: {' '.join(action.default)})" in action.help
        elif action.option_strings and action.default not in ("==SUPPRESS==", None) and action.default is not False:
            assert "(default: %(default)s)" in action.help, action.dest
    call = re.match(r"In Python: ([\w.]+)\(", COMMANDS[name].epilog).group(1)
    assert callable(pkgutil.resolve_name(call))


def test_the_help_of_world_knows_every_kind_of_file():
    kinds = next(action.help for action in COMMANDS["world"]._actions if action.dest == "kind")
    assert f"what to write: {' '.join(FILE_KINDS)} (" in " ".join(kinds.split())


PAGES = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md")}
SHOWN = [line for page in PAGES.values() for line in re.findall(r"^(?:\.venv/bin/)?minibert (.+)", page, re.M)]


@pytest.mark.parametrize("line", SHOWN)
def test_a_command_that_the_pages_show_is_one(line):
    assert cli.parser().parse_args(shlex.split(line, comments=True)).command in COMMANDS


def test_the_readme_shows_every_command_and_every_task():
    marked = {word for words in re.findall(r"`([^`\n]+)`", PAGES["README.md"]) for word in words.split()}
    shown = {line.split()[0] for line in SHOWN} | {"lab", "build"}                  # `make lab`; `build` is for those who write
    assert set(READERS) <= marked and set(COMMANDS) <= marked | shown
