"""`minibert.load("english")`: the encoder with its adapters, or what stands in and a line that says why."""

import copy

import pytest
import torch
from tiny import CONFIG, ragged

import minibert
from minibert.cli.main import main
from minibert.course.models import class_model
from minibert.data.batch import SPECIAL_TOKENS, visible_all
from minibert.english import model as module
from minibert.english.adapter import Adapter, untied, values
from minibert.english.published import EnglishMissing
from minibert.finetuning.run import finetune
from minibert.model import ClassifierHead, Encoder, FastEncoder, Model, TokenHead
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.model.checkpoints.published import save_model
from minibert.readers.conll import Sentence
from minibert.tokenizer.fast import FastWordPiece


@pytest.fixture
def made(tmp_path, monkeypatch):
    """A small encoder in the place of the published one, and what was added to it; returns the model."""
    torch.manual_seed(0)
    words = [f"w{i}" for i in range(CONFIG.vocab_size - len(SPECIAL_TOKENS))]
    published = Model(FastEncoder(CONFIG), {"pair": ClassifierHead(CONFIG, 2)})
    save_model(published, tmp_path / "published", FastWordPiece([*SPECIAL_TOKENS, *words]))
    encoder = copy.deepcopy(published.encoder)
    differences = {
        name: 0.1 * torch.randn_like(p)
        for name, p in encoder.named_parameters()
        if name != "embeddings.word.weight"
    }
    factors = {
        "embeddings.word.weight.a": torch.randn(2, CONFIG.hidden_size),
        "embeddings.word.weight.b": 0.1 * torch.randn(CONFIG.vocab_size, 2),
    }
    with torch.no_grad():
        for name, value in differences.items():
            encoder.get_parameter(name).add_(value)
        encoder.embeddings.word.weight.add_(
            factors["embeddings.word.weight.b"] @ factors["embeddings.word.weight.a"]
        )
    model = Model(
        encoder, {"tokens": TokenHead(CONFIG, encoder.embeddings.word), "pair": ClassifierHead(CONFIG, 2)}
    ).eval()
    Adapter({**differences, **factors}, values(untied(model.heads)), "abc", {}).save(
        tmp_path / "mlm.safetensors"
    )
    monkeypatch.setattr(module, "WEIGHTS", tmp_path)
    monkeypatch.setattr(module, "BASE", "abc")
    monkeypatch.setattr(module, "encoder_folder", lambda: tmp_path / "published")
    module.shared.cache_clear()
    yield model
    module.shared.cache_clear()


@pytest.fixture
def missing(made, monkeypatch):
    def encoder_folder():
        raise EnglishMissing("no network; `minibert download english` gets it")

    monkeypatch.setattr(module, "encoder_folder", encoder_folder)


def test_it_is_the_encoder_with_what_was_added_and_its_heads(made):
    english = minibert.load("english")
    ids, real, types = ragged()
    arrays = [torch.from_numpy(x) for x in (ids, visible_all(real), types)]
    assert english.name == "english" and type(english.encoder) in (Encoder, FastEncoder)
    for name, value in made(*arrays).items():
        assert torch.allclose(english.model(*arrays)[name], value, atol=0.05), name
    (((word, _),),) = english.fill_mask("w1 w2 [MASK] w4", top=1)
    assert word in english.tokenizer.vocab


def test_where_it_cannot_be_had_the_course_s_model_takes_its_place(made, missing, monkeypatch, capsys):
    monkeypatch.setattr(class_model, "class_model", lambda: (made, FastWordPiece(SPECIAL_TOKENS)))
    assert minibert.load("english").name == "tour"
    said = capsys.readouterr().out
    assert said == (
        "Using the course's own model instead of english: no network; `minibert download english` gets it\n"
    )


def test_a_command_that_asks_for_it_says_what_is_missing(missing):
    with pytest.raises(ValueError, match="no network; `minibert download english` gets it"):
        minibert.fill_mask("a [MASK]", model="english")


@pytest.fixture
def tagger(made, tmp_path):
    """The model fine-tuned for named entities with low-rank adapters, and its file among the weights."""
    base = Pretrained.load(tmp_path / "published")
    people = [Sentence(["w1", "w2", "w3"], ["B-PER", "O", "O"], 1), Sentence(["w4", "w1"], ["O", "B-PER"], 2)]
    options = {"steps": 30, "approach": "lora", "peak_rate": 1e-2, "progress": False}
    tuned, _ = finetune("ner", base.encoder, base.tokenizer, people, **options)
    module.task_adapter(tuned, {"data": "two sentences"}).save(tmp_path / "ner.safetensors")
    return tuned


def test_a_task_is_a_small_file_beside_the_encoder_that_all_share(tagger):
    one, other = (minibert.load("english-ner") for _ in range(2))
    assert [(e.text, e.type) for e in one.predict("w2 w1")] == [("w1", "PER")] and not other.predict("w2 w3")
    weights = [dict(found.model.encoder.named_parameters()) for found in (one, other)]
    name = "embeddings.word.weight"
    assert weights[0][name].data_ptr() == weights[1][name].data_ptr()


def test_adapters_of_other_published_weights_are_refused(tagger, monkeypatch):
    monkeypatch.setattr(module, "BASE", "abd")
    with pytest.raises(ValueError, match="the adapter was made for weights with sha256 abc, not abd"):
        minibert.load("english-ner")


def test_where_the_encoder_is_missing_a_task_has_no_model_but_the_one_that_is_given(tagger, missing, capsys):
    module.shared.cache_clear()
    with pytest.raises(EnglishMissing, match="`minibert download english` gets it"):
        minibert.load("english-ner")
    assert minibert.load("english-ner", instead=tagger) is tagger
    assert capsys.readouterr().out.startswith("Using the course's own model instead of english-ner: no net")


def test_predict_without_a_model_asks_the_english_one(tagger, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["predict", "ner", "--text", "w2 w1", "--device", "cpu"]) == 0
    assert capsys.readouterr().out == "w2 [w1 PER]\n"


def test_predict_prefers_what_finetune_left_here(tagger, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    tagger.save(tmp_path / "finetuned-ner")
    (tmp_path / "ner.safetensors").unlink()
    assert main(["predict", "ner", "--text", "w2 w1", "--device", "cpu"]) == 0
    assert capsys.readouterr().out == "w2 [w1 PER]\n"


def test_predict_fills_masks(made, capsys):
    assert main(["predict", "fill", "--text", "w1 [MASK] w2 [MASK]"]) == 0
    first, second = capsys.readouterr().out.strip().split("\n\n")
    assert len(first.split("\n")) == len(second.split("\n")) == 5 and "%" in first


@pytest.mark.parametrize(
    "options, message",
    [
        ([], 'fill needs a text: give --text "a sentence with [MASK]"'),
        (["--text", "w1 w2"], "no [MASK] in 'w1 w2': write it where the model should predict a word"),
    ],
)
def test_predict_says_what_filling_needs(made, options, message, capsys):
    assert main(["predict", "fill", *options]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "name, value, message",
    [
        (
            "embeddings.position.weight",
            torch.zeros(1, 1),
            r"no parameter embeddings.position.weight of shape \(1, 1\)",
        ),
        (
            "layers.99.attention.query.weight",
            torch.zeros(2, 2),
            "this encoder has no parameter layers.99.attention.query.weight",
        ),
        (
            "embeddings.word.weight.a",
            torch.zeros(2, 2),
            "this encoder has no parameter embeddings.word.weight of",
        ),
    ],
)
def test_what_does_not_fit_the_encoder_is_named(name, value, message):
    differences = {name: value, "embeddings.word.weight.b": torch.zeros(3, 2)}
    with pytest.raises(ValueError, match=message):
        module.add(FastEncoder(CONFIG), differences)
