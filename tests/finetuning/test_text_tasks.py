"""Fine-tuning on labelled texts from the command line: every task of the generated language."""

import json
import subprocess
import sys

import pytest
import torch
from conftest import ROOT
from tiny import CONFIG

from minibert.cli import main as cli
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.registry import REGISTRY, read_examples
from minibert.finetuning.run import finetune
from minibert.generated import World
from minibert.generated.files import write_files
from minibert.model import Encoder
from minibert.model.checkpoints.published import save_model
from minibert.readers import READERS
from minibert.readers.glue import FORMATS, TextExample
from minibert.readers.inputs import as_examples
from minibert.tokenizer import FastWordPiece, WordPiece, count_words, train_wordpiece
from minibert.training.pretraining import bert_objective, new_model

SCORES = dict.fromkeys("sst2 mnli rte qnli wnli".split(), "accuracy") | dict.fromkeys(("qqp", "mrpc"), "F1")
SCORES |= {"cola": "Matthews", "stsb": "Pearson"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Files of every task, and a tiny model with fresh weights whose pieces are the letters."""
    path = tmp_path_factory.mktemp("texts")
    for split, count in (("train", 12), ("dev", 6)):
        write_files(World(0), count, 1, split, SCORES, path)
    vocab = train_wordpiece(count_words(["abcdefghijklmnopqrstuvwxyz"]), 90)
    tokenizer = FastWordPiece(vocab)
    model = new_model(CONFIG.replace(vocab_size=len(tokenizer)), bert_objective(tokenizer, 32), seed=0)
    save_model(model, path / "bert", tokenizer.vocab)
    return path


@pytest.mark.parametrize("task", SCORES)
def test_a_task_is_learned_scored_and_predicted_from_its_files(folder, task, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    train, dev = f"{task}-train.tsv", f"{task}-dev.tsv"
    learn = f"finetune {task} --train {train} --dev {dev} --model bert --epochs 2 --out {task}"
    assert cli.main(learn.split()) == 0
    tuned = capsys.readouterr().out
    assert cli.main(f"evaluate {dev} --model {task}".split()) == 0
    scored = capsys.readouterr().out
    assert scored.startswith("6 examples: ") and scored in tuned and SCORES[task] in scored
    assert cli.main(f"predict --model {task} --file {dev} --out {task}.tsv".split()) == 0
    text = (folder / f"{task}.tsv").read_text(encoding="utf-8")
    lines = [line.split("\t") for line in text.splitlines()]
    assert lines[0] == ["index", "prediction"]
    assert [number for number, _ in lines[1:]] == [str(i) for i in range(6)]
    loaded, examples = Finetuned.load(folder / task), read_examples(task, folder / dev)
    answered = zip(examples, loaded.task.predict(loaded.model, examples))
    entries = (loaded.task.write(*one)["predictions"] for one in answered)
    assert text == loaded.task.file_format.header + "".join(entries)


@pytest.mark.parametrize("name", FORMATS)
def test_a_person_gives_as_many_texts_as_a_line_of_the_file_has(name):
    assert len(REGISTRY[name].task.input_names) == len(FORMATS[name].texts)


def test_unlabelled_files_are_predicted_too(folder, monkeypatch):
    monkeypatch.chdir(folder)
    learn = "finetune rte --train rte-train.tsv --dev rte-dev.tsv --model bert --epochs 1 --out unlabelled"
    assert cli.main(learn.split()) == 0
    (folder / "test.tsv").write_text(
        "index\tsentence1\tsentence2\n31\tIt rained.\tIt was wet.\n", encoding="utf-8"
    )
    assert cli.main("predict --model unlabelled --file test.tsv --out answers.tsv".split()) == 0
    answer = (folder / "answers.tsv").read_text(encoding="utf-8")
    assert answer in [f"index\tprediction\n31\t{label}\n" for label in ("entailment", "not_entailment")]


def test_labels_that_training_lacked_are_told_of_once_and_count_as_wrong(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    (folder / "few.csv").write_text("text,category\nhi,greeting\nbye,parting\n", encoding="utf-8")
    (folder / "more.csv").write_text("text,category\nhi,greeting\nwhen,question\n", encoding="utf-8")
    learn = "finetune text --train few.csv --dev more.csv --model bert --epochs 1 --out few"
    assert cli.main(learn.split()) == 0
    tuned = capsys.readouterr()
    assert tuned.err == "dev: labels not seen in training, scored as wrong: question\n"
    assert cli.main("evaluate more.csv --model few --out more".split()) == 0
    scored = capsys.readouterr()
    assert scored.err == "more.csv: labels not seen in training, scored as wrong: question\n"
    assert scored.out.splitlines()[0] in tuned.out and "| question" in scored.out
    assert len((folder / "more" / "predictions.txt").read_text(encoding="utf-8").splitlines()) == 3


def test_a_file_without_any_label_of_the_model_is_refused_and_other_names_are_understood(
    folder, capsys, monkeypatch
):
    monkeypatch.chdir(folder)
    for name, labels in {"named": ("Negative", "Positive"), "01": "01", "stars": "15"}.items():
        lines = ["text\tlabel", *(f"{'good bad'.split()[i % 2]}\t{labels[i % 2]}" for i in range(4))]
        (folder / f"{name}.tsv").write_text("\n".join(lines), encoding="utf-8")
    learn = (
        "finetune text --train named.tsv --dev 01.tsv --model bert --max-steps 1 --score-every 1 --out names"
    )
    assert cli.main(learn.split()) == 0
    said = capsys.readouterr()
    assert "dev: labels that mean the same: 0 = Negative, 1 = Positive\n" in said.err
    assert cli.main("evaluate named.tsv --model names".split()) == 0
    named = capsys.readouterr().out
    assert cli.main("evaluate 01.tsv --model names".split()) == 0
    scored = capsys.readouterr()
    assert scored.out == named and named.startswith("4 examples: accuracy 50.0")
    assert "01.tsv: labels that mean the same: 0 = Negative, 1 = Positive" in scored.err
    assert cli.main("evaluate stars.tsv --model names --out stars".split()) == 2
    wrong = capsys.readouterr().err
    assert "stars.tsv: its labels (1, 5) are not those of the model (Negative, Positive), so there" in wrong
    assert not [*(folder / "stars").glob("*")]


def test_labels_are_listed_and_swapped_columns_are_suspected(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    rows = [f"text {number},{'abc'[number % 3]}\n" for number in range(12)]
    (folder / "labels.csv").write_text("".join(["text,label\n", *rows]), encoding="utf-8")
    (folder / "swapped.csv").write_text("".join(["label,text\n", *rows]), encoding="utf-8")
    learn = "finetune text --dev labels.csv --model bert --max-steps 1 --out labels --train "
    assert cli.main([*learn.split(), "labels.csv"]) == 0
    said = capsys.readouterr()
    assert "12 training examples, 3 labels: a, b, c\n12 dev examples, 3 labels: a, b, c\n" in said.out
    assert not said.err
    assert cli.main([*learn.split(), "swapped.csv"]) == 2
    said = capsys.readouterr()
    assert "train: 12 labels, 12 of them only once: are the columns swapped?\n" in said.err
    assert "finetune: dev: its labels (a, b, c) are not those of the model (text" in said.err
    with pytest.raises(ValueError, match="fine-tuned for text, so it cannot predict masked tokens"):
        Finetuned.load(folder / "labels").fill_mask("[MASK]")


def test_a_pretrained_pooler_is_where_the_head_starts():
    examples = [TextExample("a", None, "0", "0", 1), TextExample("b", None, "1", "1", 2)]
    tokenizer = WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b"])
    torch.manual_seed(1)
    pooler = torch.nn.Linear(CONFIG.hidden_size, CONFIG.hidden_size)
    options = {"steps": 1, "peak_rate": 1e-9, "progress": False}
    given, _ = finetune("sst2", Encoder(CONFIG), tokenizer, examples, pooler=pooler, **options)
    fresh, _ = finetune("sst2", Encoder(CONFIG), tokenizer, examples, **options)
    assert (given.model.heads["label"].pooler.weight - pooler.weight).abs().max() < 1e-6
    assert given.model.heads["label"].pooler.weight is not pooler.weight
    assert (fresh.model.heads["label"].pooler.weight - pooler.weight).abs().max() > 0.01


def test_the_command_line_knows_every_task_and_loads_no_pytorch_for_its_help():
    assert set(REGISTRY) == set(READERS)
    code = (
        "import atexit, sys; from minibert.cli import main as cli; atexit.register(lambda: print('torch' in "
        "sys.modules)); "
        "cli.main(['finetune', '--help'])"
    )
    said = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True).stdout
    assert said.endswith("\nFalse\n") and set(REGISTRY) <= set(said.replace("(", " ").split())


def test_pairs_with_any_labels_are_learned_from_a_table_and_from_json_lines(folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    rows = [("Is it late?", "It is.", "yes"), ("Is it red?", "It is not.", "no")] * 4
    with open("pairs.csv", "w") as table, open("pairs.jsonl", "w") as lines:
        table.write("asked,said,fits\n" + "".join(",".join(row) + "\n" for row in rows))
        lines.writelines(json.dumps(dict(zip(("asked", "said", "fits"), row))) + "\n" for row in rows)
    columns = ["--columns", "text=asked", "text_pair=said", "label=fits"]
    command = "finetune text --train pairs.csv --dev pairs.jsonl --model bert --epochs 1 --out pairs"
    assert cli.main([*command.split(), *columns]) == 0
    assert cli.main(["evaluate", "pairs.jsonl", "--model", "pairs"]) == 0  # the columns are stored
    assert "8 examples: accuracy" in capsys.readouterr().out
    predict = ["predict", "--model", "pairs"]
    assert cli.main([*predict, "--text", "Is it red?", "--text-pair", "It is."]) == 0
    assert capsys.readouterr().out in ("yes\n", "no\n")
    assert cli.main([*predict, "--file", "pairs.csv", "--out", "answers"]) == 0
    assert len((folder / "answers").read_text().splitlines()) == 9
    assert cli.main([*predict, "--text", "Is it red?"]) == 2
    assert cli.main([*predict, "--file", "pairs.csv", "--columns", "text_pair=text"]) == 2
    single, file = capsys.readouterr().err.splitlines()[1:]
    assert single.endswith("pairs was fine-tuned for text: give --text and --text-pair, or --file")
    assert file.endswith("pairs.csv:1: no column 'text' in the header: asked, said, fits")
    task = json.loads((folder / "pairs" / "task.json").read_text())
    assert task.pop("columns") == {"text": "asked", "text_pair": "said", "label": "fits"}
    (folder / "pairs" / "task.json").write_text(json.dumps(task))  # as earlier versions wrote it
    assert cli.main(["evaluate", "pairs.jsonl", "--model", "pairs"]) == 2
    assert cli.main(["evaluate", "pairs.jsonl", "--model", "pairs", *columns]) == 0


def test_the_number_of_texts_is_the_same_in_all_examples():
    tokenizer = WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b"])
    options = {"steps": 1, "progress": False}
    pairs = as_examples("text", [("a", "b", "x"), ("b", "a", "y")], {}, "train")
    both = [*pairs, *as_examples("text", [("a", "x")], {}, "train")]
    with pytest.raises(ValueError, match="line 1 has one text, but the first training example has two texts"):
        finetune("text", Encoder(CONFIG), tokenizer, both, **options)
    with pytest.raises(ValueError, match="line 2 has two texts .*, but the first training example has one"):
        finetune("text", Encoder(CONFIG), tokenizer, both[::-1], **options)
    tuned, _ = finetune("text", Encoder(CONFIG), tokenizer, pairs, **options)
    assert tuned.predict("a", text_pair=["a", "b"], probabilities=True)[1].keys() == {"x", "y"}
    with pytest.raises(ValueError, match="a model for text needs text and text_pair, but got text"):
        tuned.predict("a")
