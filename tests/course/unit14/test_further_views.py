"""Views of lesson 14's further sections: long texts, languages, domains, modern encoders, pronouns."""

import re

import numpy as np
import pytest
import torch

from minibert.config import ModelConfig
from minibert.course.texts.declaration import declaration
from minibert.course.unit14 import views
from minibert.course.unit14.views import bias, domains, languages, long, modern
from minibert.data.batch import SPECIAL_TOKENS
from minibert.data.languages import sampling_shares
from minibert.model import FastEncoder, Model, TokenHead
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.model.long import bigbird_visible, longformer_visible, sliding_window_visible
from minibert.tokenizer.fast import FastWordPiece

FAR = {
    "window": [{"distances": [8, 100], "accuracy": [100, 12.0], "without answer": [12, 13]}] * 2,
    "global": [{"distances": [8, 100], "accuracy": [100, 98.0], "without answer": [11, 14]}] * 2,
}
REGISTERS = {
    "neither": [{"right": {"bank": 30.0, "films": 20.0}}],
    "bank": [{"right": {"bank": 40.0, "films": 19.0}}, {"right": {"bank": 42.0, "films": 18.0}}],
    "films": [{"right": {"bank": 28.5, "films": 25.0}}, {"right": {"bank": 29.5, "films": 26.0}}],
}


@pytest.fixture(scope="module")
def model():
    letters = "abcdefghijklmnopqrstuvwxyz."
    words = ["he", "she", "works", "as", "a", "is", "nurse"]
    tokenizer = FastWordPiece(
        [*SPECIAL_TOKENS, *words, *letters.replace("a", ""), *(f"##{letter}" for letter in letters)]
    )
    config = ModelConfig(
        vocab_size=len(tokenizer),
        hidden_size=32,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=48,
        max_position_embeddings=100,
    )
    torch.manual_seed(0)
    encoder = FastEncoder(config)
    net = Model(encoder, {"tokens": TokenHead(config, encoder.embeddings.word)}).eval()
    return Pretrained(net, tokenizer, name="tiny")


def test_the_pictures_are_the_masks_of_the_library():
    T, made = long.LENGTH, lambda name: long.pattern_visible(name, 3, long.attends)
    window, longformer, bigbird, full = map(made, long.PATTERNS)
    assert (window == sliding_window_visible(T, 3)).all() and full.all()
    assert (longformer == longformer_visible(T, 3, [0])).all()
    rng = np.random.default_rng(long.SEED)
    assert (bigbird == bigbird_visible(T, 3, [0], long.RANDOM, rng)).all()


def test_a_window_needs_a_layer_for_each_reach_and_a_global_token_two():
    window, longformer, _, full = (long.pattern_visible(name, 3, long.attends) for name in long.PATTERNS)
    distance = abs(np.subtract.outer(range(long.LENGTH), range(long.LENGTH)))
    assert (long.layers_needed(window) == np.maximum(1, np.ceil(distance / 3))).all()
    assert long.layers_needed(longformer).max() == 2 and long.layers_needed(full).max() == 1
    assert (long.layers_needed(np.eye(3, dtype=bool)) == np.eye(3)).all()


def test_a_students_rule_makes_the_mask():
    def sees_nothing_else(query, key, reach, far):
        """Say whether both are the same.

        >>> sees_nothing_else(1, 2, 3, [])
        False
        """
        return query == key

    view = views.who_reads_whom(sees_nothing_else)
    assert f"{long.LENGTH} of {long.LENGTH**2} pairs" in view.view.value
    assert "Your <code>sees_nothing_else</code>" in view.view.value


def test_far_away_only_those_that_find_the_answer_are_named():
    fig, said = long.far_plot(FAR)
    assert said.startswith("100 tokens away, only “global” find the answer") and "100 12%" in said


def test_a_lower_exponent_helps_the_rare_language_and_costs_the_largest():
    equal, as_is = languages.fertilities(0.0), languages.fertilities(1.0)
    names = list(languages.SIZES)
    assert equal[names.index("Icelandic")] < as_is[names.index("Icelandic")] - 0.5
    assert equal[names.index("English")] > as_is[names.index("English")]
    shares = sampling_shares(list(languages.SIZES.values()), 1.0)
    assert shares[0] / shares[-1] == pytest.approx(1000)


def test_vocabularies_are_tested_on_other_articles():
    for language in languages.SIZES:
        articles = declaration()[language]
        assert {*languages.HELD_OUT} < {*articles}
        unseen = [text for number, text in articles.items() if number not in languages.HELD_OUT]
        assert not {*unseen} & {*languages.held_out(language)}


def test_words_are_cut_as_the_tokenizer_cuts_them(model):
    assert domains.pieces(model, "nurses") == ["nurse", "##s"]
    view = views.cut_words(model)
    view.controls["words"].value = "nurse <b>"
    assert "yours" in view.view.value and "<b>" not in view.view.value.replace("<b></b>", "")
    assert view.error is None


def test_a_register_is_compared_with_the_other_one():
    _, said = domains.register_plot(REGISTERS)
    assert "gains 5.5 to 11.0 points; on the other one, it changes by −1.5 to −1.0" in said


def test_each_domain_model_and_each_encoder_names_what_it_changes():
    assert all(re.search(r"\(20\d\d\)", row[-1]) for row in domains.MODELS)
    for name in ("SciBERT", "BioBERT", "ClinicalBERT", "FinBERT"):
        assert name in views.domain_models().content
    for name in modern.ENCODERS:
        changed = [row.part for row in modern.differences(name) if row.changed]
        assert bool(changed) == (name != modern.BERT)
    view = views.since_bert()
    for name in view.controls["model"].options:
        view.controls["model"].value = name
        assert view.error is None and view.view.value.count("≠ ") == len(
            [row for row in modern.differences(name) if row.changed]
        )


def test_rotary_scores_depend_on_the_distance_alone():
    maps = modern.score_maps(9)
    added, rotary = maps.values()
    for shift in range(-8, 9):
        diagonal = np.diagonal(rotary, shift)
        assert np.allclose(diagonal, diagonal[0])
    assert np.ptp(np.diagonal(added)) > 0.1
    vector = np.arange(1.0, 7.0)
    assert np.allclose(modern.rotate(vector, 0), vector)
    assert np.linalg.norm(modern.rotate(vector, 5)) == pytest.approx(np.linalg.norm(vector))


def test_a_pronoun_is_compared_in_the_same_sentence(model):
    found = bias.leaning(model, "nurse")
    assert found.shape == (len(bias.TEMPLATES),)
    she, he = (model.tokenizer.encode(word).ids[0] for word in bias.PRONOUNS)
    filled = dict(model.fill_mask("[MASK] works as a nurse.", len(model.tokenizer))[0])
    assert found[1] == pytest.approx(np.log2(filled["she"] / filled["he"]), abs=1e-3)


def test_only_words_beyond_all_neutral_ones_are_counted():
    leans = {"a": np.array([-3.0, -1.0]), "b": np.array([0.9, 0.9]), "c": np.array([1.0, 2.0])}
    _, said = bias.lean_plot(leans, {"x": np.array([-1.0, -1.0]), "y": np.array([0.0, 2.0])})
    assert said.startswith("Of 3 words, 1 lean to “he” and 1 to “she” more than any of 2 neutral words")


def test_the_views_draw_without_an_error(model):
    drawn = {
        "masks": views.who_reads_whom(long.attends),
        "languages": views.shared_vocabulary(model),
        "rotary": views.rotary(6),
        "pronouns": views.two_pronouns(model),
    }
    drawn["pronouns"].controls["word"].value = "baker"
    assert "baker" in drawn["pronouns"].view.value
    drawn["pronouns"].controls["word"].value = "two words"
    assert "Type one word" in drawn["pronouns"].view.value
    for name, view in drawn.items():
        for control in view.controls.values():
            for value in getattr(control, "options", ()) or [getattr(control, "max", control.value)]:
                control.value = value
                assert view.error is None, f"{name}: {view.error}"
    assert "T^1.0" in views.growth().content
