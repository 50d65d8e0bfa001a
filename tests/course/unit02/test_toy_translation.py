"""The translator that lesson 02 trains: its sentences, its masks, and that it learns."""

import numpy as np
import pytest

from minibert.course.unit02.toy_translation import ToyTranslator, toy_pairs

PAIRS = toy_pairs()


@pytest.fixture(scope="module")
def fresh():
    return ToyTranslator(PAIRS[100:400], steps=2)


def test_an_article_fits_its_noun_and_the_verb_comes_second():
    german = {" ".join(source): " ".join(target) for source, target in PAIRS}
    assert len(german) == len(PAIRS)
    assert german["she has seen the old dog yesterday"] == "gestern hat sie den alten Hund gesehen"
    assert german["the teacher has bought the new cat"] == "der Lehrer hat die neue Katze gekauft"
    assert german["my sister has drawn the house"] == "meine Schwester hat das Haus gezeichnet"


def test_the_order_is_drawn_by_the_seed():
    assert toy_pairs() == PAIRS and sorted(toy_pairs(1)) == sorted(PAIRS) and toy_pairs(1) != PAIRS


def test_a_translation_has_weights_over_the_source_for_each_word(fresh):
    german, probs = fresh.translate(PAIRS[0][0])
    assert probs.shape == (2, len(german), len(PAIRS[0][0])) and len(german) < fresh.longest
    assert np.allclose(probs.sum(axis=-1), 1, atol=1e-6)


def test_a_hidden_word_gets_no_attention(fresh):
    _, probs = fresh.decode(PAIRS[0][0], ["sie", "hat"], hidden=[1])
    assert probs.shape[1] == 3 and not probs[..., 1].any() and probs[..., 0].all()


def test_what_comes_later_changes_no_earlier_weights(fresh):
    short, long = (fresh.decode(PAIRS[0][0], words)[1] for words in (["sie"], ["sie", "hat"]))
    assert np.allclose(short, long[:, :2], atol=1e-6)


def test_the_same_seed_gives_the_same_model(fresh):
    again = ToyTranslator(PAIRS[100:400], steps=2)
    assert np.array_equal(again.decode(PAIRS[0][0], [])[1], fresh.decode(PAIRS[0][0], [])[1])


@pytest.mark.slow
def test_it_learns_to_translate_unseen_sentences():
    translator = ToyTranslator(PAIRS[100:1300])
    assert np.mean([translator.translate(source)[0] == target for source, target in PAIRS[:50]]) > 0.9
