"""The views of lesson 2: a student's functions inside the English model, and claims that the lesson makes."""

import re

import numpy as np
import pytest
from conftest import ROOT

from minibert import load
from minibert.course.unit02.views import (
    context_of_bank,
    everyone,
    guess_jobs,
    guess_same_word,
    neurons,
    same_word,
    what_matters,
    with_mine,
)
from minibert.course.unit02.views.encoder_layer import SHOWN, cosines, dog, through
from minibert.course.unit02.views.english import READY, fill, packed, starred, vectors
from minibert.course.unit02.views.toy import EMBEDDING, MATRICES, TABLE, look_up, our_mix, our_score

pytestmark = pytest.mark.usefixtures("english_encoder")
TEXT = "She swam to the [MASK]."


def unwritten(*_):
    return None


def without_division(q, k):
    return float(np.dot(q, k))


def filled(score, mix):
    ids, types, tokens = packed(TEXT)
    return fill(ids.numpy(), types.numpy(), tokens.index("[MASK]"), score, mix)


def test_the_model_on_two_functions_is_the_model():
    english = load("english")
    expected = dict(english.fill_mask(TEXT, top=5)[0])
    probs = filled(our_score, our_mix)
    found = {english.tokenizer.vocab[i]: probs[i] for i in np.argsort(-probs)[:5]}
    assert found == pytest.approx(expected, abs=1e-4)


def test_a_score_without_the_division_changes_the_prediction():
    assert abs(filled(without_division, our_mix) - filled(our_score, our_mix)).sum() > 0.1


def test_functions_that_are_not_written_are_lent_and_this_is_said():
    assert "With our score and mix, until yours are written" in with_mine(unwritten, unwritten).view.value
    assert "With your score, and our mix" in with_mine(our_score, unwritten).view.value
    assert "With your score and your mix" in context_of_bank(our_score, our_mix).content


def test_the_matrices_make_the_queries_keys_and_values():
    for word, x in EMBEDDING.items():
        assert [(np.array(x) @ W).tolist() for W in MATRICES.values()] == list(TABLE[word])


def test_an_unknown_word_is_named():
    with pytest.raises(ValueError, match="no query, key and value for 'ran'; the words are she, swam"):
        look_up("she ran")


def test_the_guess_about_bank_holds_in_the_english_model():
    asked = guess_same_word()
    assert asked.answer() == "They fished from the muddy bank."
    asked.show_me.click()
    assert "1 is closer to 3 (cosine 0.81) than to 4 (0.73)" in asked.said.value


@pytest.mark.parametrize("word, sentences", READY.items())
def test_the_two_meanings_of_a_ready_word_are_two_blocks(word, sentences):
    unit = vectors(sentences)
    cosines = unit @ unit.T
    assert all(starred(line)[1] == word for line in sentences)
    assert min(cosines[:3, :3].min(), cosines[3:, 3:].min()) > cosines[:3, 3:].max()


def test_own_sentences_replace_the_ready_ones_and_what_is_wrong_with_them_is_said():
    view = same_word()
    view.controls["own"].value = "The *sea* is <blue>.\nHe saw the *Sea*."
    assert "The <b>sea</b> is &lt;blue&gt;." in view.view.value and "1 and 2 0." in view.view.value
    for text, said in (
        ("The *sea* is blue.", "write 2 to 8 sentences, one per line (now 1)"),
        ("The *sea* is blue.\nHe ran.", "“He ran.” has 0 words in stars: put stars around one"),
        ("The *sea* is blue.\nHe *floccinaucinihilipilificates*.", "is not one token of the model"),
    ):
        view.controls["own"].value = text
        assert said in view.view.value and "ValueError" not in view.view.value


@pytest.mark.parametrize("seed", range(3))
def test_the_residual_keeps_words_apart_and_larger_weights_only_slow_this(seed):
    fresh, larger = 0.55, 1.1
    assert through(fresh, True, True, True, seed)[0, -1] < 0.5
    assert through(fresh, False, True, True, seed)[0, 2] > 0.99
    assert through(larger, True, True, True, seed)[0, -1] > 0.99  # what a fold says
    assert through(fresh, True, False, True, seed)[1, -1] > 2 > through(fresh, True, True, True, seed)[1, -1]


def test_only_positions_tell_orders_apart():
    one, other = "dog bites man", "man bites dog"
    assert abs(dog(one, False) - dog(other, False)).max() < 1e-12
    assert abs(dog(one, True) - dog(other, True)).max() > 0.1


def test_padding_has_columns_but_no_rows():
    view = everyone()
    assert "give 0% of their attention to [PAD]" in view.view.value
    view.controls["padding"].value = False
    assert "give 0%" not in view.view.value and "bank sees 7 of 7." in view.view.value


def test_a_neuron_fires_for_each_kind_of_bank_alone():
    shown = neurons().content
    assert shown.count("<td") == 20 and shown.count(">2.3<") == 2
    assert shown.count(">0.0<") + shown.count(">−0.1<") == 18


def test_most_heads_prefer_cls():
    asked = guess_jobs()
    assert asked.answer() == "Nearly all"
    asked.show_me.click()
    assert "68 of 72" in asked.said.value


def test_what_the_lesson_says_of_the_english_model_was_measured():
    lesson = " ".join(
        (ROOT / "lessons/02_attention.nb.py").read_text(encoding="utf-8").replace("\n# ", " ").split()
    )
    view = with_mine(our_score, our_mix)

    def top(text):
        words = []
        for divided in (True, False):
            view.controls["text"].value, view.controls["divided"].value = text, divided
            words.append(re.search(r" says: (\w+) ([\d.]+)%", view.view.value).groups())
        return words

    (dog, before), (other, after) = top("The [MASK] barked at the postman.")
    assert dog == other == "dog" and f"*dog* falls from {before}% to {after}%" in lesson
    (fly, before), (swim, after) = top("Birds can [MASK].")
    assert f"*{fly}* ({before}%) but *{swim}* ({after}%)" in lesson
    alike = vectors(["The *bank* is closed.", "The *bank* is muddy."])
    assert f"come out at {alike[0] @ alike[1]:.2f}" in lesson
    hits, sentences = map(int, re.search(r"is right in (\d+) of (\d+)", what_matters().content).groups())
    assert f"In {sentences - hits} of our {sentences} test sentences" in lesson


def test_the_english_model_has_learned_waves_of_its_own():
    table = load("english").model.encoder.embeddings.position.weight.detach().numpy()[:SHOWN]
    for position in (15, 20, 40):
        alike = cosines(table, position)
        peaks = (alike[1:-1] > alike[:-2]) & (alike[1:-1] > alike[2:])
        assert set(np.argsort(-alike)[:3]) == {position - 1, position, position + 1} and peaks.sum() > 4
