"""What a hidden word needs: labels that agree with the text, and with what the exact posterior can know."""

from collections import Counter

import numpy as np
import pytest

from minibert.generated import World
from minibert.generated.posterior.needs import NEEDS, WORD, needs, shown_words
from minibert.generated.posterior.reachable import (
    best_answers,
    best_left_answers,
    frequency_answers,
    hidden_rows,
    scored,
    split_pairs,
)
from minibert.generated.posterior.reader import Reader
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece

# The generated language changes with its fingerprint only, which `tests/course/test_tables.py` watches.
pytestmark = pytest.mark.slow

WORLD = World(seed=0)
PAGES = list(WORLD.pages(250, seed=1, split="pretrain"))


def text_of(page):
    return " ".join(page.sentences)


def test_every_word_of_a_page_has_one_label_in_reading_order():
    for page in PAGES:
        labels = needs(page)
        text = text_of(page)
        assert "".join(text[need.start : need.end] for need in labels) == text.replace(" ", "")
        assert {need.label for need in labels} <= set(NEEDS)


def test_a_word_that_another_sentence_repeats_stands_there():
    for page in PAGES:
        text = text_of(page)
        bounds = np.cumsum([0, *(len(sentence) + 1 for sentence in page.sentences)])
        for need in needs(page):
            if need.label in ("left", "right", "both"):
                word = text[need.start : need.end].lower()
                at = int(np.searchsorted(bounds, need.start, side="right")) - 1
                sides = page.sentences[:at], page.sentences[at + 1 :]
                before, after = (set(WORD.findall(" ".join(side).lower())) for side in sides)
                pronoun = word in ("she", "he", "her", "him", "his")
                assert pronoun or need.label == "right" or word in before, (need, text)
                assert pronoun or need.label == "left" or word in after, (need, text)
                assert need.elsewhere


def test_shown_words_spell_what_they_show():
    for page in PAGES:
        text = text_of(page)
        for shown in shown_words(page):
            assert shown.form == "pronoun" or text[shown.start : shown.end].lower() in shown.form


def test_words_that_only_another_sentence_gives_away_are_frequent():
    labels = Counter()
    for page in PAGES:
        text = text_of(page)
        labels.update(need.elsewhere for need in needs(page) if text[need.start].isalnum())
    assert labels[True] / labels.total() >= 0.15


@pytest.fixture(scope="module")
def scores():
    words = count_words(s for page in PAGES for s in page.sentences)
    tokens = FastWordPiece(train_wordpiece(words, 2500))  # most names are one token: no half gives them away
    reader = Reader(WORLD, lambda text: tokens.encode(text).ids, tokens.specials)
    pages = WORLD.pages(120, seed=3, split="pretrain")
    rows = list(hidden_rows(pages, tokens.encode, tokens.specials, 160, np.random.default_rng(0)))
    counts = np.bincount(np.concatenate([row.ids for row in rows]), minlength=len(tokens))
    return {
        name: scored(rows, answer)
        for name, answer in (
            ("best", best_answers(reader)),
            ("left", best_left_answers(reader)),
            ("frequency", frequency_answers(counts)),
        )
    }


def test_the_exact_reader_finds_what_the_labels_say_can_be_found(scores):
    best = scores["best"]
    assert best["syntax"].accuracy > 0.95 and best["nothing"].accuracy < 0.4
    assert all(best[name].accuracy > 0.75 for name in ("left", "right", "both", "world", "elsewhere"))


def test_a_reader_of_the_left_side_lacks_what_stands_on_the_right(scores):
    best, left = scores["best"], scores["left"]
    assert left["all"].loss > 2 * best["all"].loss
    assert left["right"].accuracy < 0.4 < 0.7 < best["right"].accuracy
    assert left["left"].accuracy > left["right"].accuracy + 0.25


def test_frequency_alone_knows_little(scores):
    assert scores["frequency"]["all"].accuracy < 0.2 and scores["frequency"]["all"].loss > 4


def test_a_score_counts_as_by_hand(scores):
    counts = {name: score.count for name, score in scores["best"].items()}
    assert counts["all"] == sum(counts[name] for name in NEEDS)
    assert counts["left"] + counts["right"] + counts["both"] <= counts["elsewhere"] < counts["all"]


def test_pairs_are_cut_between_sentences_and_half_of_them_belong_together():
    documents = [[[10 * d + s] * (s + 1) for s in range(5)] for d in range(400)]
    labels = []
    for number, (a, b, label) in enumerate(split_pairs(documents, np.random.default_rng(0))):
        assert a and b and a == [x for s in documents[number][: len(set(a))] for x in s]
        owner = b[0] // 10
        assert (owner != number) == bool(label)
        assert b == [x for s in documents[owner][5 - len(set(b)) :] for x in s]
        labels.append(label)
    assert 0.42 < np.mean(labels) < 0.58
    with pytest.raises(ValueError, match="but there are 1"):
        next(split_pairs(documents[:1] + [[[1]]], np.random.default_rng(0)))
