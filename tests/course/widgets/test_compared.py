"""BERT-base next to the English model: a small random BERT in its place in the hub's cache, or none."""

import socket

import pytest
import torch
from huggingface_hub import constants
from tiny import CONFIG

from minibert.course.unit09.views.right_side import curves_html, ranking_html, rankings
from minibert.course.unit12.experiments.models import mask_probs
from minibert.course.widgets import compared
from minibert.course.widgets.compared import compared_models, predictions, with_bert_base
from minibert.course.widgets.explorer.widget import explore
from minibert.course.widgets.guess import FillMask, GuessFirst, filled_by_html, gaps_html, guesses_html
from minibert.data.batch import SPECIAL_TOKENS
from minibert.model import ClassifierHead, Encoder, Model, TokenHead
from minibert.model.checkpoints.files import NAMED, cached_folder
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.model.checkpoints.published import save_model
from minibert.tokenizer.fast import FastWordPiece

TEXT = "Mira sings in [MASK] with me."
OFFER = "minibert download bert-base"


def tokenizer(lower_case, *words):
    """A tokenizer of 97 tokens: letters, then these words."""
    letters = [*"abcdefghijklmnopqrstuvwxyz.M", *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]
    tokens = [*SPECIAL_TOKENS, *letters, *words]
    unused = [f"[unused{number}]" for number in range(97 - len(tokens))]
    return FastWordPiece([*tokens, *unused], lower_case=lower_case)


def bert(seed):
    torch.manual_seed(seed)
    encoder = Encoder(CONFIG)
    heads = {"tokens": TokenHead(CONFIG, encoder.embeddings.word), "pair": ClassifierHead(CONFIG, 2)}
    model = Model(encoder, heads).eval()
    with torch.no_grad():
        for value in model.parameters():
            value.add_(0.1 * torch.randn_like(value))
    return model


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    """The folder in which the hub's cache keeps BERT-base, which is not there yet; and no network."""
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(socket.socket, "connect", lambda *_: pytest.fail("a view uses the network"))
    compared.offer.cache_clear()
    compared.loaded.cache_clear()
    name, commit, _ = NAMED["bert-base"]
    return tmp_path / f"models--{name.replace('/', '--')}" / "snapshots" / commit


@pytest.fixture
def ours():
    return Pretrained(bert(1), tokenizer(True, "mira", "sings", "in", "with", "me"), name="english")


@pytest.fixture
def base(cache):
    """BERT-base in the cache, in Google's format; this one is cased."""
    save_model(bert(2), cache, tokenizer(False, "Mira", "sing"))
    return Pretrained.load(cache)


def test_without_bert_base_every_view_is_as_it_is_for_any_other_model(ours, capsys):
    other = Pretrained(ours.model, ours.tokenizer, name="other")
    words, chosen = TEXT.replace("[MASK]", "ash").split(), [False, False, False, True, False, False]
    for view in (
        lambda model: FillMask(model, TEXT).view.value,
        lambda model: gaps_html(model, TEXT),
        lambda model: filled_by_html(model, words, chosen),
        lambda model: curves_html(model, TEXT),
        lambda model: ranking_html(model, TEXT, 1),
        lambda model: explore(model, TEXT).get_state(["first", "second", "models"]),
    ):
        assert view(ours) == view(other)
        assert "BERT-base" not in str(view(ours))
    (guesses,) = ours.fill_mask(TEXT)
    assert gaps_html(ours, TEXT) == guesses_html(guesses)
    assert with_bert_base({"ours": ours}) == {"ours": ours}


def test_how_to_download_it_is_said_once_and_for_the_english_model_alone(ours, capsys):
    gaps_html(Pretrained(ours.model, ours.tokenizer, name="tour"), TEXT)
    assert OFFER not in capsys.readouterr().out
    for _ in range(2):
        FillMask(ours, TEXT)
        explore(ours, TEXT)
    said = capsys.readouterr().out
    assert said.count("'text/plain'") == 1 and f"run `{OFFER}`" in said


@pytest.mark.parametrize("lost", ["config.json", "vocab.txt", "model.safetensors"])
def test_an_incomplete_download_counts_as_none(ours, base, cache, lost):
    assert cached_folder("bert-base") == cache
    (cache / lost).unlink()
    assert cached_folder("bert-base") is None and list(compared_models(ours)) == ["the model"]


def test_bert_base_is_loaded_once_and_only_when_it_is_asked(ours, base, monkeypatch, capsys):
    loads, load = [], Pretrained.load
    monkeypatch.setattr(Pretrained, "load", lambda folder: loads.append(folder) or load(folder))
    models = compared_models(ours)
    assert list(models) == ["our English model", "BERT-base"] and models["our English model"]() is ours
    explore(ours, TEXT)
    assert loads == []
    models["BERT-base"]()
    FillMask(ours, TEXT)
    assert len(loads) == 1 and OFFER not in capsys.readouterr().out


def test_each_model_reads_the_text_with_its_own_tokenizer(ours, base):
    found = predictions(ours, TEXT, 3)
    assert found == {"our English model": ours.fill_mask(TEXT, 3), "BERT-base": base.fill_mask(TEXT, 3)}
    assert base.tokenizer.encode("Mira").pieces == ["Mira"] != ours.tokenizer.encode("Mira").pieces
    assert dict(rankings(ours, TEXT)["BERT-base"]) == pytest.approx(dict(base.fill_mask(TEXT)[0]))


def bars(model, name, text=TEXT):
    """The bars of a model's first gap, as they are in the middle of a picture of two models."""
    return guesses_html(model.fill_mask(text)[0], None, name, 120)


def test_both_models_fill_the_gaps_of_a_sentence_side_by_side(ours, base):
    shown = FillMask(ours, TEXT)
    for model, name in ((ours, "our English model"), (base, "BERT-base")):
        assert bars(model, name) in shown.view.value
    assert 'aria-label="BERT-base says: ' in shown.view.value
    assert shown.view.value.index("Our English model</b>") < shown.view.value.index("BERT-base</b>")
    shown.controls["text"].set_state({"value": "a [MASK] b [MASK]"})
    assert shown.view.value.count("BERT-base</b>") == 2 and "Gap 2" in shown.view.value


def test_a_model_that_is_not_the_english_one_stays_alone(ours, base):
    other = Pretrained(ours.model, ours.tokenizer, name="tour")
    assert "BERT-base" not in gaps_html(other, TEXT)


def test_the_student_plays_against_both_models(ours, base):
    (best, share), *_ = base.fill_mask(TEXT)[0]
    game = GuessFirst(lambda text: rankings(ours, text), [(TEXT, best.lower())])
    game.controls["guess"].set_state({"value": "hay"})
    told = game.view.value
    assert "You say <b>hay</b>, our English model says <b>" in told and "BERT-base says <b>" in told
    assert "not among our English model's top 5 or BERT-base's top 5." in told
    assert "you 0, our English model 0, BERT-base 1, out of 1." in told


def test_a_text_is_filled_by_both_models(ours, base):
    words, chosen = ["Mira", "sings", "."], [True, False, False]
    shown = filled_by_html(ours, words, chosen)
    assert "Our English model predicts " in shown and "BERT-base predicts " in shown
    assert "0 of 0 masked words" in filled_by_html(ours, words, [False] * 3)


def test_the_right_side_is_hidden_from_both_models(ours, base):
    hidden, seen = (rankings(ours, TEXT, shown)["BERT-base"] for shown in (0, -1))
    assert hidden != seen
    assert curves_html(ours, TEXT).count("<svg") == 2
    ranked = ranking_html(ours, TEXT, 1)
    assert ranked.count("[MASK] with ▨") == 1  # BERT-base spells "with" with four tokens
    assert ranked.count("[MASK] w ▨ ▨ ▨") == 1


def test_lesson_12_asks_bert_base_for_single_words(ours, base):
    probs = mask_probs(with_bert_base({})["BERT-base"], TEXT, ["sing", "Mira", "with"])
    assert 0 < probs["sing"] < 1 and 0 < probs["Mira"] < 1 and probs["with"] is None
