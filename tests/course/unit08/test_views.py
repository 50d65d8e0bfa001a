"""The views of lesson 8: the student's functions are used, and the text's claims hold."""

import re

import numpy as np
import pytest

from minibert.course.unit08 import views
from minibert.course.unit08.views import english, generated, layers, words


def unwritten(*_):
    """Return something.

    >>> unwritten()
    1
    """


def inside_only(count, entities):
    """Return tags without B-.

    >>> inside_only(1, [])
    ['O']
    """
    return [tag.replace("B-", "I-") for tag in words.our_bio_tags(count, entities)]


def never(before, tag):
    """Return False.

    >>> never("O", "O")
    False
    """
    return False


def empty_list(pairs):
    """Return no words.

    >>> empty_list([])
    {}
    """
    return {}


# Words and tags.


def test_the_tags_come_from_the_students_function():
    ours, theirs = (views.tags(function) for function in (unwritten, inside_only))
    assert "B-PER" in ours.view.value and "B-PER" not in theirs.view.value
    ours.controls["entities"].value = "PER 0"
    assert "“PER 0”: write a type and two numbers from 0 to 10" in ours.view.value
    ours.controls["entities"].value = ""
    assert "B-" not in ours.view.value


def test_strays_are_those_of_the_students_rule_and_are_read_as_conlleval_does():
    ours, theirs = (views.strays(function).view.value for function in (unwritten, never))
    assert "1 stray I-" in ours and "5 stray I-" in theirs
    assert "PER: Mira Harlow; LOC: Old Ashby" in ours


@pytest.mark.usefixtures("english_encoder")
def test_a_long_word_has_one_label_on_its_first_piece():
    assert views.guess_pieces().answer() == "B-PER, then no label"
    assert re.search(
        r"5 of \d+ tokens carry a label \(yellow\); there are 5 words", views.tokens().view.value
    )


# Scores.


def test_the_lazy_tagger_has_most_words_and_no_entity():
    assert re.fullmatch(r"8\d% of the words and an F1 of 0", views.guess_lazy().answer())


def test_only_i_for_b_loses_no_f1():
    kept = [fault for fault in generated.FAULTS if generated.scores_of(fault)["F1"] > 99.99]
    assert kept == ["says I- where it should say B-"]


def test_nine_in_ten_words_of_the_names_of_the_test_are_new():
    train, test = (
        {
            word
            for sentence in generated.sentences(split)
            for word, tag in zip(sentence.words, sentence.tags)
            if tag[2:] in ("PER", "LOC", "ORG")
        }
        for split in ("train", "test")
    )
    assert len(train & test) < len(test) / 10


def test_the_list_of_the_student_is_scored(monkeypatch):
    class Silent:
        model = None

        def answer(self, model, examples):
            return [["O"] * len(sentence.words) for sentence in examples]

    silent = Silent()
    silent.task = silent
    monkeypatch.setattr(generated, "tuned", lambda scratch, curve: silent)
    ours, theirs = (views.teach(function).content for function in (unwritten, empty_list))
    by_heart = r"by heart</th><td[^>]*>([\d.]+)</td><td[^>]*>([\d.]+)</td><td[^>]*>([\d.]+)</td>"
    assert float(re.search(by_heart, theirs)[3]) == 0 < float(re.search(by_heart, ours)[3]) < 30


# English, and features.


@pytest.mark.usefixtures("english_encoder")
def test_a_well_known_name_often_wins_over_its_context():
    right, shown = english.in_frames("Washington")
    assert english.in_frames("Okafor")[0] == 9, "as the lesson says"
    assert 3 < right < 7 and shown.count("✓") == right and views.guess_name().answer() == english.SOME


@pytest.mark.usefixtures("english_encoder")
def test_capitals_are_gone_before_the_first_layer():
    assert "The three have the same ids" in views.spelling().view.value


def test_embeddings_alone_are_far_behind_and_fine_tuning_is_first_in_both():
    ours = {name: np.mean(scores) for name, scores in layers.measured().items()}
    for table in (ours, layers.PAPER):
        others = [table[name] for name in layers.PAPER if name != "embeddings"]
        assert max(table, key=table.get) == "fine-tuning" and table["embeddings"] < min(others) - 3
    assert layers.PAPER["fine-tuning"] - layers.PAPER["concat-last-four"] == pytest.approx(0.3)
    assert {*layers.PAPER} < {*ours}
