"""Views of lesson 14: search, chains, Mask-Predict, the stored results and the family, on tiny models."""

import json
import re

import numpy as np
import pytest
import torch
from conftest import ROOT

from minibert.config import ModelConfig
from minibert.course.unit14 import views
from minibert.course.unit14.sections import Section
from minibert.course.unit14.views import at_once, chains, ours, results, search, today, vectors
from minibert.data.batch import SPECIAL_TOKENS
from minibert.finetuning.sentences import in_batch_loss
from minibert.model import Encoder, Model, TokenHead
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.tokenizer.fast import FastWordPiece

SECTIONS = (
    Section("02_attention", "Several heads", "a head looks at one word and another head at the next"),
    Section("03_input", "Padding", "short texts are filled up with tokens that nobody reads"),
    Section("08_tagging", "Names of *people*", "every word gets a tag and a tag may begin a name"),
)
WORDS = "a the dog cat king sat slept barked on his chair with friends in evening"


@pytest.fixture
def model(monkeypatch):
    words = sorted({*WORDS.split(), *"head looks at one word tag name".split()})
    tokenizer = FastWordPiece([*SPECIAL_TOKENS, *words, ".", "##s"])
    config = ModelConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=48,
        max_position_embeddings=40,
    )
    torch.manual_seed(0)
    encoder = Encoder(config)
    model = Model(encoder, {"tokens": TokenHead(config, encoder.embeddings.word)}).eval()
    tiny = Pretrained(model, tokenizer, name="tiny")
    for module in (chains, at_once, search):
        monkeypatch.setattr(module, "english", lambda: tiny)
    monkeypatch.setattr(search, "encoder_of", lambda name, pooling="mean": (encoder, tokenizer))
    monkeypatch.setattr(search, "sections", lambda: SECTIONS)
    kept = chains.english_log_probs, chains.words_alone, search.course
    for cached in kept:
        cached.cache_clear()
    yield tiny
    for cached in kept:
        cached.cache_clear()


def test_the_batch_loss_is_the_librarys():
    rng = np.random.default_rng(0)
    queries, answers = rng.normal(size=(2, 5, 8))
    cosines = np.array([[ours.cosine(a, b) for b in answers] for a in queries])
    wanted = in_batch_loss(torch.tensor(queries), torch.tensor(answers), temperature=0.05)
    assert ours.batch_loss(cosines / 0.05) == pytest.approx(float(wanted))


def test_a_shared_word_finds_a_section_and_is_bold(model):
    view = views.ask_the_course("Where does the name of a person begin?")
    view.controls["way"].value = search.WORDS
    first = view.view.value.split("<li>")[1]
    assert 'href="08_tagging.ipynb"' in first and ">lesson 8: Names of people</a>" in first
    assert "<b>begin</b>" in first
    for way in (search.MEANING, search.TOGETHER):
        view.controls["way"].value = way
        assert view.error is None and view.view.value.count("<li>") == 3
    view.controls["question"].value = " ?"
    assert "Type a question" in view.view.value


def test_a_search_by_words_shows_the_passage_that_has_them(model, monkeypatch):
    long = "a tag looks at one word " * 20 + "with friends in the evening " * 24
    monkeypatch.setattr(search, "sections", lambda: [Section("02_attention", "Long", long)])
    view = views.ask_the_course("friends")
    view.controls["way"].value = search.WORDS
    assert view.view.value.count("<b>friends</b>") > 5
    monkeypatch.setattr(search.course()[0].index, "scores", lambda question: np.array([1.0, 0.0]))
    view.controls["way"].value = search.MEANING
    assert "<b>friends</b>" not in view.view.value and "looks" in view.view.value


def test_three_ways_uses_the_students_cosine_once_it_is_right(model):
    called = []

    def cosine(a, b):
        called.append(len(a))
        return ours.cosine(a, b)

    cosine.__doc__ = ours.cosine.__doc__.replace("6.0, 8.0", "3.0, 4.0")
    view = views.three_ways(cosine)
    assert view.error is None and "Your <code>cosine</code>" in view.view.value
    assert len(called) > len(SECTIONS) and search.WORDS in view.view.value


def test_words_that_no_section_has_find_nothing(model):
    assert search.first_three(np.zeros(3)) == []
    assert "nothing" in search.three_columns({"words": []})


def test_similarity_maps_show_the_loss_of_each_encoder(model):
    content = views.before_and_after(ours.batch_loss).content
    assert content.count("loss") >= 2 * len(vectors.PANELS) and "Before, other answers" in content


@pytest.mark.parametrize("by", [chains.GIBBS, chains.METROPOLIS])
@pytest.mark.parametrize("start", [chains.OWN, chains.MASKS])
def test_a_chain_writes_words_and_depends_on_its_draw_alone(model, monkeypatch, by, start):
    monkeypatch.setattr(chains, "TEXT", "the king sat on his chair .")
    view = views.chain(ours.draw_again)
    view.controls["by"].value, view.controls["start"].value = by, start
    first = view.view.value
    last = re.sub("<[^>]+>", " ", first.split("<tr>")[-1].split("</tr>")[0])
    assert view.error is None and first.count("sweep ") == chains.SWEEPS and "[MASK]" not in last
    assert "##" not in last and last.split()[-1] == "."
    view.controls["seed"].value = 2
    other = view.view.value
    view.controls["seed"].value = 1
    assert view.view.value == first != other


def test_a_gap_gets_whole_words_with_probabilities(model):
    words, probs = chains.predict(["the", "[MASK]", "sat", "[MASK]"], 3)
    assert probs.sum() == pytest.approx(1) and "##s" not in words and "[CLS]" not in words
    assert {*WORDS.split()} <= {*words}


def test_each_gap_gets_its_own_word(model, monkeypatch):
    vocab = model.tokenizer.vocab

    def log_probs(ids):  # the first gap is a king, the second a cat
        found = np.full((*ids.shape, len(vocab)), -9.0)
        for place, word in zip(np.flatnonzero(ids[0] == model.tokenizer.specials.mask), ("king", "cat")):
            found[0, place, vocab.index(word)] = 0
        return found

    monkeypatch.setattr(chains, "english_log_probs", lambda: log_probs)
    text = ["[MASK]", "sat", "[MASK]"]
    assert [chains.predict(text, place)[0][0] for place in (0, 2)] == ["king", "cat"]


def test_conditionals_of_one_joint_distribution_give_the_same_number_at_either_gap(model, monkeypatch):
    joint = np.random.default_rng(0).random((len(model.tokenizer),) * 2)
    mask, first = model.tokenizer.specials.mask, 2  # [CLS] the _ _

    def log_probs(ids):
        found = np.full((*ids.shape, len(joint)), np.nan)
        for row, text in enumerate(ids):
            gap = int(np.flatnonzero(text == mask)[0])
            found[row, gap] = np.log(joint[:, text[first + 1]] if gap == first else joint[text[first]])
        return found

    monkeypatch.setattr(chains, "english_log_probs", lambda: log_probs)
    one, two = chains.odds_ratios("the {} {}", ("dog", "cat"), ("barked", "slept"))
    assert one == pytest.approx(two)
    sharper = np.where(np.arange(5) == first, 2, 1)[:, None]
    monkeypatch.setattr(chains, "english_log_probs", lambda: lambda ids: log_probs(ids) * sharper)
    one, two = chains.odds_ratios("the {} {}", ("dog", "cat"), ("barked", "slept"))
    assert one != pytest.approx(two)


def test_the_largest_disagreement_of_two_gaps_is_the_finding(model):
    assert "asked at either gap" in views.two_answers().content
    found = {text: (2.0, 3.0) for text, *_ in chains.SQUARES[1:]} | {"The last {} {}.": (8.0, 2.0)}
    assert "differ by up to 4 times" in chains.pairs_of_odds(found)[1]


def test_mask_predict_masks_fewer_words_each_time_and_tries_every_length(model):
    view = views.mask_predict_steps()
    assert view.error is None
    assert re.findall(r"<small>(\d) masked", view.view.value) == ["6", "4", "2"]
    assert view.view.value.count("<tr>") == 3 + 1 + len(at_once.LENGTHS)
    view.controls["length"].value, view.controls["iterations"].value = 3, 1
    assert re.findall(r"<small>(\d) masked", view.view.value) == ["3"]
    view.controls["frame"].value = "no dots"
    assert "three dots" in view.view.value


def test_only_the_cross_attention_of_a_decoder_is_new(model):
    size = sum(x.numel() for name, x in model.encoder.named_parameters() if name.startswith("layers"))
    said = views.decoder_parts().content
    D = model.config.hidden_size
    new = 2 * (4 * (D * D + D) + 2 * D)
    share = 1 - new / (size + new + D * (model.config.max_position_embeddings + 2))
    assert f"{share:.0%} of its weights are copied" in said


def test_the_stored_results_are_drawn():
    guess = views.guess_search()
    guess.give(guess.box.options[1])
    assert guess.answer() == guess.box.options[0] and "minibert-error" not in guess.said.value
    guess = views.guess_writes()
    guess.give(guess.box.options[0])
    assert guess.answer() == "hardly any" and "not run" in guess.said.value
    assert "after one sweep" in views.over_sweeps().content
    view = views.samples()
    for task in view.controls["task"].options:
        for _, by in view.controls["by"].options:
            view.controls["task"].value, view.controls["by"].value = task, by
            assert view.error is None
            assert "was not run" in view.view.value or "sentences" in view.view.value


def test_what_the_lesson_says_of_the_search_was_measured():
    table = json.loads((ROOT / "minibert/course/unit14/tables/after_bert.json").read_text())
    hits = {way: row["measures"]["hit@3"] for way, row in table["search"].items()}
    lesson = " ".join((ROOT / "lessons/14_after_bert.nb.py").read_text().replace("\n# ", " ").split())
    assert f"With only {table['asked']} questions, BM25 and the published encoder" in lesson
    bm25, published = hits["BM25"], hits["published, mean"]
    assert published[1] < bm25[0] < published[2]  # not separated
    before, after = hits["English model, mean"], hits["trained on pairs, mean"]
    assert f"{table['training']['steps']} steps hardly helped" in lesson
    assert before[1] < after[0] < before[2] < published[1]


def test_every_way_of_the_table_has_a_name():
    found = results.written()
    assert {*results.LABELS, "real text", "GPT"} == {*found["last"]}
    assert set(search.LABELS) == {*search.course_search.WAYS}


def test_the_hours_on_one_gpu_come_from_the_measured_speed():
    rows = json.loads((ROOT / "benchmarks/results/gpu.json").read_text())["rows"]
    speed = [row["value"]["median"] for row in rows if row["what"] == "minibert, compiled"]
    assert [*today.SPEED.values()] == [round(x) for x in speed]
    guess = views.guess_cost()
    guess.give("about an hour")
    assert guess.answer() == "about a day" and f"{today.hours_now():.0f} hours" in guess.said.value


def test_the_family_is_in_order_and_the_ten_have_a_kind():
    dates = [(year, month) for _, _, year, month in today.FAMILY]
    assert dates == sorted(dates) and {kind for _, kind, *_ in today.FAMILY} == {*today.FILLS}
    content = views.family().content
    assert all(name in content for name, *_ in today.FAMILY)
    kinds = [one.kind for one in today.LED]
    assert len(kinds) == 10 and kinds.count("encoder") == 9
    assert views.first_ten().content.count("<tr") == 11
