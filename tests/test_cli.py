"""The commands on small real files, and one clear line for bad input."""

import inspect
import io
import json
import pkgutil
import re
import shlex
import stat
import subprocess
import sys
from typing import get_args

import pytest
from conftest import ROOT
from echo import squad

import minibert
from minibert import finetune, pretrain
from minibert.cli import main as cli
from minibert.cli import version
from minibert.course.models import class_model
from minibert.generated.files import FILE_KINDS
from minibert.readers import READERS
from minibert.training.config import HOW, WHERE, Phases, TrainConfig
from minibert.training.distributed import Team, acting_as
from minibert.training.run import Run

TEXT = "\n\n".join(
    "\n".join(f"The {a} sat on the {b} of Ashby number {i}." for b in ("mat", "rug", "hat", "log", "box"))
    for i, a in enumerate(["cat", "dog", "cow", "hen", "owl", "pig", "fox", "ant"])
)
WHERE_SHE_LIVES = ("Where does Mira live?", "Ashby")
PRETRAIN = "pretrain --corpus text.txt --steps 3 --batch-size 4 --vocab-size 120 --max-length 32"
FINETUNE = "finetune ner --train ner.conll --dev ner.conll"
TUNED = f"{FINETUNE} --model bert --epochs 1 --out ner"
CONLL = "Mira B-PER\nlives O\nin O\nAshby B-LOC\n. O\n"


def ran(command):
    """Run a command, which succeeds."""
    assert cli.main(shlex.split(command)) == 0


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(class_model.platformdirs, "user_cache_dir", lambda name: str(tmp_path / "cache"))
    (tmp_path / "text.txt").write_text(TEXT)
    squad(tmp_path / "squad.json", [WHERE_SHE_LIVES], "Mira lives in Ashby.")
    (tmp_path / "ner.conll").write_text(CONLL)
    return tmp_path


@pytest.fixture
def pretrained(files):
    ran(f"{PRETRAIN} --out bert")
    return files


def test_pretrain_leaves_a_model_and_a_log_and_nothing_half_written(pretrained, capsys):
    assert sorted(p.name for p in (pretrained / "bert").iterdir()) == [
        "config.json",
        "log.jsonl",
        "model.safetensors",
        "tokenizer_config.json",
        "training.json",
        "vocab.txt",
    ]
    assert len((pretrained / "bert" / "log.jsonl").read_text().splitlines()) == 3


@pytest.mark.parametrize("phases", get_args(Phases))
def test_pretrain_in_the_regime_that_is_asked_for(files, monkeypatch, phases):
    seen, gather = [], Run.gather
    monkeypatch.setattr(
        Run, "gather", lambda run: seen.append((run.config, len(run.model.encoder.layers))) or gather(run)
    )
    options = "--warmup 0.5 --weight-decay 0.2 --clip 0.5 --save-every 3"
    ran(f"{PRETRAIN} --steps 4 --out m --preset tiny --phases {phases} {options}")
    assert {(c.warmup, c.weight_decay, c.clip, c.save_every) for c, _ in seen} == {(0.5, 0.2, 0.5, 3)}
    assert len(seen) == 4
    assert [layers for _, layers in seen][::3] == ([1, 2] if phases in ("growing", "stacking") else [2, 2])


def test_the_defaults_of_pretrain_are_those_of_the_settings():
    options, fields = inspect.signature(pretrain).parameters, TrainConfig.__dataclass_fields__
    assert all(
        options[name].default == fields[name].default
        for name in ("warmup", "weight_decay", "clip", "save_every", "schedule")
    )


def test_each_option_that_decides_no_result_is_one():
    options = {**inspect.signature(pretrain).parameters, **inspect.signature(finetune).parameters}
    assert {*HOW, *WHERE} <= set(options)


def test_pretrain_writes_as_many_documents_as_asked_and_takes_a_vocabulary(pretrained, capsys):
    capsys.readouterr()
    what = "--documents 30 --vocab bert/vocab.txt --cache here --workers 2 --out m"
    ran(f"pretrain {what} --steps 1 --batch-size 4 --max-length 32")
    out = capsys.readouterr().out
    assert "\nEncoded: 30 documents, " in out and "28 documents to train on, 2 held out" in out
    assert [path.name[:10] for path in (pretrained / "here").iterdir()] == ["documents-"]
    assert (pretrained / "m" / "vocab.txt").read_bytes() == (pretrained / "bert" / "vocab.txt").read_bytes()


def test_pretrain_prints_the_layout_of_each_file_once_or_reads_the_given_one(pretrained, capsys):
    (pretrained / "book.txt").write_text("It was cold. She sang.\n\n" * 40)
    command = "pretrain --corpus text.txt book.txt --steps 1 --batch-size 4 --vocab vocab.txt --max-length 32"
    (pretrained / "vocab.txt").write_bytes((pretrained / "bert" / "vocab.txt").read_bytes())
    for layout, lines in (
        ("", ["text.txt: read as sentences: ", "book.txt: read as prose: "]),
        ("--layout prose", []),
    ):
        capsys.readouterr()
        ran(f"{command} --out m {layout}")
        said = capsys.readouterr().out.splitlines()
        assert [line[: line.index(": ", 12) + 2] for line in said if ": read as " in line] == lines
        assert "Loaded" not in "".join(said)


def test_finetune_evaluate_and_predict_qa(pretrained, capsys, monkeypatch):
    ran("finetune qa --train squad.json --dev squad.json --model bert --epochs 60 --out qa")
    assert "exact match 100.0, F1 100.0" in capsys.readouterr().out
    ran("evaluate squad.json --model qa")
    assert "1 example: exact match 100.0" in capsys.readouterr().out
    ran("predict --model qa --question 'Where does Mira live?' --context 'Mira lives in Ashby.'")
    assert capsys.readouterr().out == "Ashby\n"
    ran("predict --model qa --file squad.json --out answers.json")
    assert json.loads((pretrained / "answers.json").read_text()) == {"q0": "Ashby"}
    monkeypatch.setattr("sys.stdin", io.StringIO("Mira lives in Ashby.\n\nWhere does Mira live?\n"))
    capsys.readouterr()
    ran("predict qa --model qa")
    assert capsys.readouterr().out.startswith("Ashby  (")
    ran("evaluate squad.json --model qa --out report")
    said = capsys.readouterr().out
    assert "| where " in said and (pretrained / "report" / "analysis.svg").read_text().startswith("<svg role")
    assert cli.main("evaluate squad.json --model qa --fit-threshold".split()) == 2
    assert "qa answers every question, so it has no threshold to fit" in capsys.readouterr().err
    assert cli.main("predict ner --model qa --text Mira".split()) == 2
    assert "qa was fine-tuned for qa, not for ner" in capsys.readouterr().err


def test_questions_without_an_answer_get_a_threshold_that_is_kept(pretrained, capsys):
    squad(pretrained / "two.json", [WHERE_SHE_LIVES, ("Who sings?", "")], "Mira lives in Ashby.")
    ran("finetune qa --train two.json --dev two.json --model bert --epochs 2 --out qa")
    task = pretrained / "qa" / "task.json"
    settings = json.loads(task.read_text())["settings"]
    assert settings["unanswerable"] and settings["threshold"] != 0
    said = capsys.readouterr().out
    assert "NoAns F1" in said
    task.write_text(task.read_text().replace(f'"threshold": {settings["threshold"]}', '"threshold": -99.0'))
    ran("evaluate two.json --model qa --out before")
    ran("evaluate two.json --model qa --fit-threshold --out fitted")
    assert json.loads(task.read_text())["settings"] == pytest.approx(settings)
    ran("evaluate two.json --model qa --out after")
    before, fitted, after = (
        json.loads((pretrained / out / "scores.json").read_text()) for out in ("before", "fitted", "after")
    )
    assert fitted == after != before, "what is written belongs to the threshold that is kept"


def test_finetune_and_predict_ner(pretrained, capsys):
    ran("finetune ner --train ner.conll --dev ner.conll --model bert --epochs 60 --out ner")
    assert "F1 100.0" in capsys.readouterr().out
    ran("predict --model ner --text 'Mira lives in Ashby.'")
    assert capsys.readouterr().out == "[Mira PER] lives in [Ashby LOC].\n"
    ran("predict --model ner --text 'Mira sings.' --probabilities")
    assert re.fullmatch(r" *\d+%  \[Mira PER\]\n", capsys.readouterr().out)
    ran("predict ner --model ner --file ner.conll --probabilities --out lines")
    assert {"text", "entities"} == json.loads((pretrained / "lines").read_text().splitlines()[0]).keys()
    ran("predict ner --model ner --file ner.conll --html page.html")
    assert "Mira</bdi> <b>PER</b></mark>" in (pretrained / "page.html").read_text()
    page = (pretrained / "page.html").read_text()
    for options, message in (
        ("--file ner.conll --html page.html --out page.html", "must be different files"),
        ("--file ner.conll --out ner.conll", "must be different files"),
        ("--file ner.conll --text Mira", "--file already has its own texts"),
        ("--text Mira --out tags.txt", "--out tags.txt needs --file"),
        ("--text Mira --html tags.txt --probabilities", "--html shows no probabilities"),
    ):
        capsys.readouterr()
        assert cli.main(f"predict ner --model ner {options}".split()) == 2
        assert message in capsys.readouterr().err
    assert (pretrained / "page.html").read_text() == page and not (pretrained / "tags.txt").exists()
    ran("evaluate ner.conll --model ner --out report")
    assert "2 of 2 are right; none are wrong" in (pretrained / "report" / "analysis.svg").read_text()


def test_predict_takes_a_text_or_two_for_sentence_tasks(pretrained, capsys):
    (pretrained / "one.csv").write_text("text,category\nhi,greeting\nbye,parting\n")
    (pretrained / "two.tsv").write_text(
        "index\tsentence1\tsentence2\tscore\n0\tMira lives.\tMira lives.\t5\n1\tMira lives.\tNobody.\t0\n"
    )
    for task, file in (("text", "one.csv"), ("stsb", "two.tsv")):
        ran(f"finetune {task} --train {file} --dev {file} --model bert --epochs 1")
    capsys.readouterr()
    for given in ("--text hi", "hi"):
        ran(f"predict text {given}")
        assert capsys.readouterr().out in ("greeting\n", "parting\n")
    ran("finetune text --train one.csv --model bert --epochs 1")
    assert (
        "finetuned-text contains a finished model, which the new model will replace\n"
        in capsys.readouterr().out
    )
    ran("predict stsb --text 'Mira lives.' --text-pair Mira.")
    assert re.fullmatch(r"-?\d\.\d{3}\n", capsys.readouterr().out)
    for command, needed in (
        ("text --text hi --text-pair ho", "--text, or --file"),
        ("text", "--text, or --file"),
        ("stsb --text hi", "--text and --text-pair, or --file"),
    ):
        assert cli.main(f"predict {command}".split()) == 2
        assert f"give {needed}\n" in capsys.readouterr().err


def test_one_document_is_not_one_documents(files, capsys):
    assert cli.main("pretrain --documents 1 --out m --vocab-size 120 --steps 1".split()) == 2
    said = capsys.readouterr()
    assert "Encoded: 1 document, " in said.out
    assert (
        "minibert pretrain: got only 1 document, but training and evaluation together need at least 4"
        in said.err
    )


def test_world_writes_the_files_it_is_asked_for(files, capsys):
    ran("world --documents 3 --out w")
    assert sorted(p.name for p in (files / "w").iterdir()) == ["train-v1.1.json", "train.conll", "train.txt"]
    ran("world --documents 3 --split dev --kind sst2 --out v")
    assert (files / "v" / "sst2-dev.tsv").read_text(encoding="utf-8").count("\n") == 4
    ran("world --documents 2 --split pretrain --out p")
    assert [path.name for path in (files / "p").iterdir()] == ["pretrain.txt"]
    capsys.readouterr()
    ran("world --documents 2")
    assert capsys.readouterr().out.count("\n") == 3


BAD = [
    ("pretrain --corpus missing.txt --out m", "missing.txt: no such file"),
    ("pretrain --corpus empty.txt --out m", "empty.txt: the file is empty"),
    ("pretrain --corpus latin.txt --out m", "latin.txt:1: not UTF-8"),
    ("pretrain --corpus text.txt --out m --layout verse", "layout='verse' must be one of"),
    ("pretrain --out m --layout prose", "layout='prose' needs a corpus"),
    ("pretrain --corpus text.txt --out m --preset huge", "unknown preset 'huge'"),
    ("pretrain --corpus text.txt --out m --steps 0", "steps=0 must be at least 1"),
    ("pretrain --corpus text.txt --out m --peak-rate nan", "peak_rate=nan must be finite and greater than 0"),
    (
        "pretrain --corpus text.txt --out m --max-length 4",
        "phases='growing' with max_length=4 has sequences of 4 tokens",
    ),
    ("pretrain --corpus text.txt --out m --warmup 2", "warmup=2.0 is a fraction of the steps"),
    ("pretrain --corpus text.txt --out m --vocab-size 10", "vocab"),
    (
        "pretrain --corpus text.txt --out m --max-length 4000",
        "max_length=4000 is too large: a model of this size reads at most 128",
    ),
    ("pretrain --corpus text.txt --out m --vocab missing.txt", "missing.txt: no such file"),
    ("pretrain --documents -1 --out m", "count=-1 must not be negative"),
    ("world --kind text poem --out w", "unknown kind 'poem'"),
    ("world --kind ner", "kind ner can only be written to files; give a folder for them as out"),
    ("world --kind ner --split pretrain --out w", "'ner' has labels"),
    ("finetune qa --train cut.json --dev squad.json --out m", "cut.json:1"),
    ("finetune qa --train squad.json --dev missing.json --out m", "missing.json: no such file"),
    ("finetune ner --train ragged.conll --dev ner.conll --out m", "ragged.conll:2: "),
    ("finetune ner --train ner.conll --dev ner.conll --model missing --out m", "missing"),
    ("predict --model missing --text x", "task.json: no such file"),
    ("predict cola", "task.json: no such file"),
    ("predict --question x", "give a task, such as qa, or a model with --model"),
    ("lab 77", "no lesson '77'"),
    # A misspelt name: the nearest one is suggested.
    ("finetune nerr --train ner.conll --out m", "; did you mean 'ner'?"),
    ("finetune ner --train ner.conll --approach lorra --out m", "; did you mean 'lora'?"),
    ("predict sentiment --model english-sentimnet --text x", "; did you mean 'english-sentiment'?"),
    ("predict --model brt --text x", "; did you mean 'bert'?"),
    ("explore --html page.html --model ./brt", "; did you mean 'bert'?"),
    ("download sqaud", "; did you mean 'squad'?"),
    ("download bert_base", "; did you mean 'bert-base'?"),
    ("world --kind sqad2 --out w", "; did you mean 'squad2'?"),
    ("pretrain --out m --phases stackin", "; did you mean 'stacking'?"),
    ("pretrain --out m --preset Larg", "; did you mean 'large'?"),
    ("lab attenton", "; did you mean '02_attention'?"),
    ("finetune ner --train ner.conl --out m", "ner.conl: no such file; did you mean 'ner.conll'?"),
    ("finetune ner --train ner.conll --lr 1e-4", "Unknown option: --lr. Did you mean --peak-rate?"),
]


def test_the_documents_that_the_readme_shows_are_those_of_now(capsys):
    ran("world --documents 20 --split pretrain --seed 7")
    assert capsys.readouterr().out == (ROOT / "benchmarks" / "results" / "world_samples.txt").read_text(
        encoding="utf-8"
    ), "minibert world --documents 20 --split pretrain --seed 7 > benchmarks/results/world_samples.txt"


@pytest.mark.parametrize("command, message", BAD, ids=[command for command, _ in BAD])
def test_bad_input_is_one_clear_line_and_leaves_nothing(files, capsys, command, message):
    (files / "empty.txt").write_text("")
    (files / "latin.txt").write_bytes("Café".encode("latin-1"))
    (files / "cut.json").write_text((files / "squad.json").read_text()[:60])
    (files / "ragged.conll").write_text("Mira NNP B-PER\nlives O\n")
    (files / "bert").mkdir()
    (files / "bert" / "config.json").write_text("{}")
    before = sorted(files.iterdir())
    assert cli.main(command.split()) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert sorted(files.iterdir()) == before


@pytest.mark.parametrize(
    "command, message",
    [
        ("world --seed -1", "seed=-1 must be at least 0"),
        ("world --out text.txt", "text.txt is a file, but a folder is needed"),
        ("world --out=", "the name of a folder is empty"),
        ("world --split all", "split='all' must be one of ('train', 'dev', 'test', 'pretrain')"),
        ("pretrain --out text.txt/m", "text.txt is a file, but a folder is needed"),
        ("pretrain --out /proc/m", "/proc cannot be written to"),
        ("pretrain --out m --max-length 0", "max_length=0 must be at least 1"),
        ("pretrain --out m --mask-rate nan", "mask_rate=nan must be above 0 and at most 1"),
        ("pretrain --out m --mask-rate=-1", "mask_rate=-1.0 must be above 0 and at most 1"),
        ("pretrain --out m --workers 0", "workers=0 must be at least 1"),
        ("pretrain --out m --workers -1", "workers=-1 must be at least 1"),
        ("pretrain --out m --seed -1", "seed=-1 must be at least 0"),
        ("pretrain --out m --save-every 0", "save_every=0 must be at least 1"),
        ("pretrain --out m --optimizer sgd", "optimizer='sgd' must be one of 'adamw', 'bert_adam', 'muon'"),
        ("pretrain --out m --phases two", "phases 'two' must be one of 'growing', "),
        ("pretrain --out m --precision half", "precision 'half' must be one of auto, float32, "),
        ("predict qa --file squad.json --out none/a.json", "none/a.json: there is no folder none"),
        ("predict qa --file squad.json --nbest .", ". is a folder, but a file is needed"),
        ("predict qa --file squad.json --out /proc/answers.json", "/proc cannot be written to"),
        (f"{FINETUNE} --batch-size 0", "batch_size=0 must be at least 1"),
        (f"{FINETUNE} --epochs -2", "epochs=-2 must be at least 1"),
        (f"{FINETUNE} --save-every 0", "save_every=0 must be at least 1"),
        (f"{FINETUNE} --seed -1", "seed=-1 must be at least 0"),
        (f"{FINETUNE} --patience 0", "patience=0 must be at least 1"),
        (f"{FINETUNE} --out /proc/m", "/proc cannot be written to"),
        *(
            (f"{FINETUNE} --encoder-rate {rate}", f"encoder_rate={float(rate)} must be above 0 and at most 1")
            for rate in ("inf", "nan", "1e30", "0")
        ),
        ("bench --out text.txt", "text.txt is a file, but a folder is needed"),
        ("grade 02 --jobs 0", "jobs=0 must be at least 1"),
        ("grade 02 --sandbox jail", "unknown sandbox 'jail'; choose one of bwrap, docker"),
        ("mark 02 --port -1", "port=-1 must be at least 0"),
        ("pretrain", 'Command "pretrain" parameter --out requires an argument.'),
        ("finetune --train a --dev b", 'Command "finetune" parameter TASK requires an argument.'),
        ("evaluate f --model m --steps 3", "Unknown option: --steps."),
        ("pretrain --out m --step 3", "Unknown option: --step. Did you mean --steps?"),
        ("pretrain --out m --steps x", 'Invalid value for --steps: unable to convert "x" into int.'),
        ("pretran --out m", 'Unknown command "pretran". Did you mean "pretrain"?'),
    ],
)
def test_a_value_or_a_place_that_cannot_be_is_refused_before_the_work(files, capsys, command, message):
    (files / "text.txt").write_text("Mira lives.\n")
    before = sorted(files.iterdir())
    assert cli.main(command.split()) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    name = "" if "Unknown command" in message else f" {command.split()[0]}"
    assert error.startswith(f"minibert{name}: ")
    assert sorted(files.iterdir()) == before


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path):
    command = f"{sys.executable} -m minibert world --documents 3000 | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.count("\n") == 1


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda settings: settings | {"max_length": "128"}, "max_length must be of type int, not '128'"),
        (
            lambda settings: settings | {"settings": settings["settings"] | {"colour": "red"}},
            "its settings do not fit the task 'ner'",
        ),
    ],
)
def test_a_fine_tuned_folder_whose_values_were_changed_is_named(pretrained, capsys, change, message):
    ran(TUNED)
    task = pretrained / "ner" / "task.json"
    task.write_text(json.dumps(change(json.loads(task.read_text()))))
    assert cli.main("predict ner --model ner --text Mira".split()) == 2
    error = capsys.readouterr().err
    assert "task.json" in error and message in error


@pytest.mark.parametrize(
    "change", [lambda lines: [*lines, "zzzz"], lambda lines: lines[:-40]], ids=["longer", "shorter"]
)
def test_a_vocabulary_of_another_size_than_the_embeddings_is_refused(pretrained, capsys, monkeypatch, change):
    vocab = pretrained / "bert" / "vocab.txt"
    vocab.write_text("\n".join(change(vocab.read_text().split())) + "\n")
    monkeypatch.setattr("minibert.model.checkpoints.files.PADDING", 40)
    assert cli.main(TUNED.split()) == 2
    assert "tokens, but config.json says vocab_size=" in capsys.readouterr().err


def test_weights_can_be_read_by_whom_their_configuration_can(pretrained):
    modes = {
        stat.S_IMODE((pretrained / "bert" / name).stat().st_mode)
        for name in ("config.json", "model.safetensors")
    }
    assert len(modes) == 1


def test_predict_asks_for_what_the_task_needs(pretrained, capsys):
    ran(TUNED)
    for options in ("--question Who?", "--nbest x", "--html x"):
        assert cli.main(f"predict --model ner {options}".split()) == 2
        assert "fine-tuned for ner: give --text, or --file" in capsys.readouterr().err
    with acting_as(Team(0, 2)):
        assert cli.main("predict --model ner --text Mira".split()) == 2
        assert "2 processes can only share the work on a file: give --file and" in capsys.readouterr().err


def test_a_keyboard_interrupt_says_how_to_go_on(files, monkeypatch, capsys):
    def interrupt(seed):
        raise KeyboardInterrupt

    monkeypatch.setattr("minibert.generated.World", interrupt)
    assert cli.main(["world"]) == 130
    assert "Run the same command again to continue" in capsys.readouterr().err
    monkeypatch.setattr("minibert.grading.intake.doctor.main", lambda *_: interrupt(0))
    assert cli.main(["doctor"]) == 130
    assert capsys.readouterr().err == "\nInterrupted.\n"


COMMANDS = [name for name in cli.app if not name.startswith("-")]


def help_of(capsys, *command):
    assert cli.main([*command, "--help"]) == 0
    return re.sub(r"[│\s]+", " ", capsys.readouterr().out)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_help_says_what_each_option_is_for_and_a_python_call_that_is_there(name, capsys):
    for option in cli.app[name].assemble_argument_collection(parse_docstring=True):
        assert option.parameter.help, option.name
    example, call = re.search(r"Example: minibert (.*?) In Python: ([\w.]+)", help_of(capsys, name)).groups()
    assert callable(pkgutil.resolve_name(call.rstrip(".")))
    assert shlex.split(example)[0] == name and cli.app.parse_args(shlex.split(example), exit_on_error=False)


def test_the_version_names_the_commit_that_git_or_the_wheel_knows(monkeypatch, tmp_path):
    commit = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout
    stated = re.fullmatch(r"minibert \d+\.\d+\.\d+ \(commit (\w+)(-dirty)?\)", version.version_line())
    assert commit.startswith(stated[1])
    monkeypatch.setattr(version, "__file__", str(tmp_path / "minibert" / "cli" / "version.py"))
    assert version.version_line() == f"minibert {minibert.__version__}"
    (tmp_path / "minibert").mkdir()
    (tmp_path / "minibert" / "commit.txt").write_text("1a2b3c4d\n")
    assert version.version_line() == f"minibert {minibert.__version__} (commit 1a2b3c4d)"


def test_the_help_lists_the_commands_of_each_reader(capsys):
    said = help_of(capsys)
    places = [
        said.index(f" {word} ")
        for word in ("Students", "tour", "Instructors", "regrade", "Engineers", "pretrain")
    ]
    assert places == sorted(places)


def test_the_help_of_world_knows_every_kind_of_file_and_that_of_finetune_every_task(capsys):
    assert f"files to write: {' '.join(FILE_KINDS)} (" in help_of(capsys, "world")
    assert f"task that the files are for: {' '.join(READERS)} (" in help_of(capsys, "finetune")


def test_the_last_of_two_values_counts_and_a_flag_that_is_on_can_be_off(files, capsys):
    ran("world --documents 9 --documents 2")
    assert capsys.readouterr().out.count("\n") == 3
    assert cli.main(f"{PRETRAIN} --out m --no-progress".split()) == 0 and capsys.readouterr().out == ""


def test_a_shell_completes_commands_and_options():
    script = cli.app.generate_completion(shell="bash")
    assert "export-autograder" in script and "--peak-rate" in script


PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCKS = [
    block
    for page in PAGES
    for block in re.findall(r"^```\w*\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
]
SHOWN = [line for block in BLOCKS for line in re.findall(r"^(?:\.venv/bin/)?minibert (.+)", block, re.M)]


@pytest.mark.parametrize("line", SHOWN)
def test_a_command_that_the_pages_show_is_one(line):
    tokens = shlex.split(line, comments=True)
    cli.app.parse_args(tokens, print_error=False, exit_on_error=False)
    assert tokens[0] in COMMANDS


def test_the_page_of_the_command_line_shows_every_command_and_every_task():
    page = (ROOT / "docs" / "command_line.md").read_text(encoding="utf-8")
    marked = {word for words in re.findall(r"`([^`\n]+)`", page) for word in words.split()}
    assert set(READERS) <= marked and set(COMMANDS) <= marked
