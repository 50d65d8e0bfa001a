"""Train, score and predict on an emulated GPU or Mac: as on the processor, and nothing stays there."""

import math

import numpy as np
import pytest
import torch
from emulated import NEAR, emulated
from small import LENGTH, model_of
from test_contract import BY_NAME
from tiny import CONFIG, documents

import minibert
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.registry import REGISTRY, read_examples
from minibert.finetuning.run import finetune
from minibert.generated import World
from minibert.generated.files import write_files
from minibert.model import BiLSTM, FastEncoder
from minibert.model.checkpoints import published
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.config import TrainConfig
from minibert.training.device_check import check_device
from minibert.training.feed import pad_to_multiple
from minibert.training.loop import train
from minibert.training.pretraining import bert_objective, evaluate_pretraining, new_model

KINDS = ("cuda", "mps")


# What the emulated device refuses, since a run on it shows nothing else.


@pytest.mark.parametrize("kind", KINDS)
def test_tensors_of_two_devices_are_refused(kind):
    with emulated(kind) as device:
        here, there = torch.ones(3, device=kind), torch.ones(3)
        for mix in (
            lambda: here + there,
            lambda: there.add_(here),
            lambda: torch.cat([here, there]),
            lambda: torch.nn.functional.embedding(there.long(), here[:, None]),
            lambda: there[here.long()],
            lambda: torch._foreach_add([here], [there]),
        ):
            with pytest.raises(RuntimeError, match="same device"):
                mix()
        with pytest.raises(RuntimeError, match="device type for generator"):
            torch.zeros(4, device=kind).normal_(generator=torch.Generator())
        with pytest.raises(TypeError, match=f"can't convert {device} device type tensor to numpy"):
            np.asarray(here)
        assert (here * torch.tensor(2.0))[torch.tensor([1])].tolist() == [2]  # scalars and indices may be
    assert not torch.cuda.is_available() and not torch.backends.mps.is_available()


def test_what_a_mac_lacks_is_refused():
    with emulated("mps"):
        for double in (
            lambda: torch.zeros(2, dtype=torch.float64, device="mps"),
            lambda: torch.from_numpy(np.ones(2)).to("mps"),
            lambda: torch.zeros(2, device="mps").double(),
        ):
            with pytest.raises(TypeError, match="doesn't support float64"):
                double()
        with pytest.raises(NotImplementedError, match="'aten::mode' is not implemented"):
            torch.mode(torch.eye(3, device="mps"))
        with pytest.raises(RuntimeError, match="non_blocking=True may have wrong values"):
            torch.ones(3).to("mps", non_blocking=True)


# Pretraining.


def pretraining_losses(name, kind, steps=3, **options):
    """The losses of a short run on a device that is emulated already, or on the processor.

    Sequences have the lengths of a GPU on the processor, too, so that both mask the same tokens.
    """
    objective = BY_NAME[name].make()
    collate = objective.collate
    objective.collate = lambda *rows: pad_to_multiple(collate(*rows), 8, LENGTH, objective.specials.pad)
    rows = objective.build(documents(), np.random.default_rng(1))
    model = model_of(objective, BiLSTM if name == "bilm" else FastEncoder).to(kind)
    settings = {"optimizer": options.pop("optimizer", "adamw"), "save_every": 2}
    config = TrainConfig(steps=steps, batch_size=4, peak_rate=5e-3, **settings)
    options = {"precision": torch.float32, "progress": False} | options
    return [entry["loss"] for entry in train(model, objective, lambda rng: rows, config, **options)]


@pytest.mark.parametrize("name", BY_NAME)
def test_every_objective_trains_as_on_the_processor(name):
    with emulated("mps"):
        found = pretraining_losses(name, "mps")
    if name == "rtd":  # another device draws other words
        assert all(map(math.isfinite, found))
    else:
        assert found == pytest.approx(pretraining_losses(name, "cpu"), rel=NEAR)


@pytest.mark.parametrize("optimizer", ["adamw", "bert_adam", "muon"])
def test_every_optimizer_trains_on_a_gpu_and_goes_on_on_the_processor(optimizer, tmp_path):
    with emulated("cuda"):
        pretraining_losses("BERT", "cuda", 4, optimizer=optimizer, checkpoint=tmp_path)
    last = tmp_path / "step-00000004"  # as if the run had ended after step 2
    last.rename(tmp_path.with_name(f"{tmp_path.name} apart"))
    found = pretraining_losses("BERT", "cpu", 4, optimizer=optimizer, checkpoint=tmp_path)
    assert found == pytest.approx(pretraining_losses("BERT", "cpu", 4, optimizer=optimizer), rel=NEAR)


def test_a_gpu_trains_in_bfloat16_near_to_what_float32_gives():
    with emulated("cuda"):
        found = pretraining_losses("BERT", "cuda", precision=torch.bfloat16)
    expected = pretraining_losses("BERT", "cpu")
    assert found == pytest.approx(expected, rel=0.03) and found != expected


def test_a_pretrained_model_is_evaluated_as_on_the_processor(texts):
    model = new_model(CONFIG.replace(vocab_size=len(texts)), bert_objective(texts, 32), seed=0)
    expected = evaluate_pretraining(model, texts, documents(seed=9), 32)
    with emulated("mps"):
        found = evaluate_pretraining(model.to("mps"), texts, documents(seed=9), 32)
    assert found == pytest.approx(expected)


@pytest.mark.parametrize("kind", KINDS)
def test_the_check_of_a_device_finds_nothing_wrong(kind):
    with emulated(kind) as device:
        assert [str(result) for result in check_device(device) if not result.fine] == []


# Fine-tuning.


@pytest.fixture(scope="module")
def texts():
    vocab = train_wordpiece(count_words(["abcdefghijklmnopqrstuvwxyz 0123456789 . , ? ! ' - ( )"]), 120)
    return FastWordPiece(vocab)


@pytest.fixture
def path(tmp_path):
    """A function from the name of a task to a file of few examples."""

    def path(name):
        kind = {"qa": "squad2"}.get(name, name)
        return write_files(World(0), 1 if name in ("qa", "ner") else 12, 1, "train", [kind], tmp_path)[0]

    return path


@pytest.fixture(autouse=True)
def lengths_of_a_gpu(monkeypatch):
    """Questions are padded to the lengths of a GPU on the processor, too: their loss depends on it."""
    collate = REGISTRY["qa"].task.collate
    monkeypatch.setattr(
        REGISTRY["qa"].task,
        "collate",
        lambda self, *rows: pad_to_multiple(collate(self, *rows), 8, self.max_length, self.specials.pad),
    )


DEEP = CONFIG.replace(num_hidden_layers=4, max_position_embeddings=64)


def tuned(name, kind, texts, examples, encoder=None, **options):
    if encoder is None:
        torch.manual_seed(3)
        encoder = FastEncoder(DEEP.replace(vocab_size=len(texts))).eval()
    settings = {"steps": 3, "batch_size": 3, "peak_rate": 5e-3, "precision": torch.float32}
    found, log = finetune(name, encoder.to(kind), texts, examples, progress=False, **settings, **options)
    return found, [entry["loss"] for entry in log]


def check_same_answers(found, expected, examples):
    """Two Finetuned have about the same logits for the examples, and the first one answers all of them."""
    rows = found.task.encode(examples)[0]
    for a, b in zip(
        found.task.logits(found.model, rows), expected.task.logits(expected.model, rows), strict=True
    ):
        np.testing.assert_allclose(a, b, rtol=1e-3, atol=1e-3)
    assert len(found.task.answer(found.model, examples)) == len(examples)


def places(tuned):
    return {weight.device for weight in tuned.model.parameters()}


@pytest.mark.parametrize(
    "name, approach, kind",
    [
        ("qa", "full", "mps"),
        ("swag", "full", "mps"),
        ("stsb", "full", "cuda"),
        ("sst2", "frozen", "cuda"),
        ("ner", "full", "cuda"),
        ("ner", "lora", "mps"),
        ("ner", "frozen", "mps"),
        ("ner", "concat-last-four", "mps"),
    ],
)
def test_a_task_is_learned_saved_and_loaded_as_on_the_processor(name, approach, kind, texts, path, tmp_path):
    examples = read_examples(name, path(name))
    examples = examples[:3] + examples[-3:]
    expected, losses = tuned(name, "cpu", texts, examples, approach=approach)
    with emulated(kind) as device:
        found, losses_there = tuned(name, kind, texts, examples, approach=approach)
        assert losses_there == pytest.approx(losses, rel=NEAR)
        found.save(tmp_path / "there")
        loaded = Finetuned.load(tmp_path / "there", kind)
        for one in (found, loaded):
            assert places(one) == {device}
            check_same_answers(one, expected, examples)
    check_same_answers(Finetuned.load(tmp_path / "there"), expected, examples)


def test_dev_scores_and_the_best_weights(texts, path, tmp_path):
    examples = read_examples("ner", path("ner"))
    options = {"dev": examples, "patience": 2, "score_every": 1}
    expected, losses = tuned("ner", "cpu", texts, examples, **options)
    with emulated("mps"):
        for _ in range(2):  # the second call finds all steps done
            found, losses_there = tuned("ner", "mps", texts, examples, checkpoint=tmp_path, **options)
            assert losses_there == pytest.approx(losses, rel=NEAR)
            check_same_answers(found, expected, examples)


@pytest.mark.parametrize("form", ["ALBERT", "ELECTRA", "ROBERTA"])
def test_a_published_architecture_is_loaded_and_fine_tuned(form, texts, path, tmp_path):
    made = getattr(published, form)
    shared = set(vars(DEEP)) - {"vocab_size", "type_vocab_size", "initializer_range"}
    fields = {name: value for name, value in vars(DEEP).items() if name in shared}
    torch.manual_seed(0)
    encoder = made.fast(made.config(**fields, vocab_size=len(texts))).eval()
    published.save_model(bert_objective(texts, 32).model(encoder), tmp_path / "bert", texts)
    examples = read_examples("ner", path("ner"))

    def learned(kind):
        encoder = published.load_model(tmp_path / "bert").encoder
        return tuned("ner", kind, texts, examples, encoder, max_length=32)

    expected, losses = learned("cpu")
    with emulated("mps"):
        found, losses_there = learned("mps")
        assert losses_there == pytest.approx(losses, rel=NEAR)
        check_same_answers(found, expected, examples)


# The public functions.


@pytest.mark.parametrize("name, kind", [("qa", "cuda"), ("ner", "mps"), ("sst2", "mps")])
def test_a_fine_tuned_model_is_scored_and_predicts_as_on_the_processor(name, kind, texts, path, tmp_path):
    file = path(name)
    made, _ = tuned(name, "cpu", texts, read_examples(name, file))
    made.save(tmp_path / "made")
    inputs = {"question": "Who left?", "context": "Mira left."} if name == "qa" else {"text": "Mira left."}
    report, answer = minibert.evaluate(made, file), minibert.predict(made, **inputs)
    with emulated(kind):
        there = minibert.evaluate(str(tmp_path / "made"), file, device=kind)
        assert there.scores == pytest.approx(report.scores, rel=NEAR)
        assert minibert.predict(str(tmp_path / "made"), device=kind, **inputs) == answer
        minibert.load(tmp_path / "made", device=kind).predict_file(file, tmp_path / "answers")
        assert (tmp_path / "answers").stat().st_size


@pytest.mark.parametrize("kind, where", [("cuda", {}), ("mps", {"device": "mps"})])
def test_pretrain_fine_tune_score_and_predict_by_the_public_functions(kind, where, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    sentences = [f"The {a} sat on the {b}." for a in ("cat", "dog", "hen") for b in ("mat", "rug", "ox")]
    (tmp_path / "text.txt").write_text("\n\n".join("\n".join(sentences[i:]) for i in range(8)))
    (tmp_path / "train.conll").write_text("Mira B-PER\nHarlow I-PER\nlives O\nin O\nAshby B-LOC\n. O\n")
    sizes = {"batch_size": 4, "vocab_size": 90, "max_length": 32, "preset": CONFIG, "workers": 1}
    with emulated(kind) as device:
        bert = minibert.pretrain("text.txt", "bert", steps=3, **sizes, **where)
        found = minibert.fill_mask("The cat sat on the [MASK].", minibert.load("bert", device=kind))
        for row, expected in zip(found, minibert.fill_mask("The cat sat on the [MASK].", "bert")):
            assert row == [(token, pytest.approx(share, rel=1e-3)) for token, share in expected]
        files = ("train.conll", "train.conll")
        for model in ("bert", bert):
            tuned = minibert.finetune("ner", *files, model=model, epochs=2, out="ner", max_length=32, **where)
            assert places(tuned) == places(bert) == {device}
        minibert.evaluate("ner", "train.conll", **where)
        minibert.predict("ner", "Mira lives in Ashby.", **where)
        bert.save("again")
    assert minibert.load("again").fill_mask("The cat [MASK].")
