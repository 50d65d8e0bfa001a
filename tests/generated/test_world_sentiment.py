"""Sentiment and senses of the generated language: right labels, no sentence in two splits, the official
forms.
"""

from collections import Counter

import pytest

from minibert.generated import World
from minibert.generated.labels.sentiment import sentiment_examples, write_sst2
from minibert.generated.labels.word_senses import uses, words_in_context, write_wic
from minibert.generated.posterior.needs import WORD
from minibert.generated.sentences.reviews import REVIEW_CAUSE, REVIEW_END, REVIEW_MORE
from minibert.generated.sentences.senses import SENSES

# The generated language changes with its fingerprint only, which `tests/course/test_tables.py` watches.
pytestmark = pytest.mark.slow

WORLD = World(seed=0)
SPLITS = ("train", "dev", "test")


def literal(template):
    """The words of a template outside its slots, as a set."""
    return set(WORD.findall(" ".join(part.split("}")[-1] for part in template.lower().split("{"))))


def test_sentences_carry_the_polarity_of_the_list_they_are_from():
    bad = [literal(t) for (p, _), pool in REVIEW_CAUSE.items() if p == "bad" for t in pool]
    bad += [literal(t) for t in REVIEW_MORE["bad"] + REVIEW_END["bad"]]
    good = [literal(t) for (p, _), pool in REVIEW_CAUSE.items() if p == "good" for t in pool]
    good += [literal(t) for t in REVIEW_MORE["good"] + REVIEW_END["good"]]
    for example in sentiment_examples(WORLD, 200, seed=1):
        words = set(WORD.findall(example.sentence.lower()))
        best = max(
            ((len(t) if t <= words else 0, label) for label, pool in ((1, good), (0, bad)) for t in pool)
        )
        assert best[0] and best[1] == example.label, example


@pytest.mark.parametrize("make", [sentiment_examples, words_in_context])
def test_half_of_the_labels_are_true(make):
    assert Counter(int(example.label) for example in make(WORLD, 100, seed=1)) == {0: 50, 1: 50}


@pytest.mark.parametrize("make", [sentiment_examples, uses])
def test_no_sentence_stands_in_two_splits(make):
    train, dev, test = ({example.sentence for example in make(WORLD, 600, 1, split)} for split in SPLITS)
    assert train and dev and test and not train & dev and not train & test and not dev & test


def test_uses_point_at_their_word_and_name_its_sense():
    for use in uses(WORLD, 300, seed=2):
        assert WORD.findall(use.sentence)[use.index].lower() in {use.word, use.word + "s", use.word + "es"}
        assert use.sense in SENSES[use.word]
        assert any(literal(t) <= set(WORD.findall(use.sentence.lower())) for t in SENSES[use.word][use.sense])


def test_pairs_share_a_word_and_say_whether_they_share_its_sense():
    for pair in words_in_context(WORLD, 200, seed=3, split="test"):
        assert pair.first.word == pair.second.word and pair.first.template != pair.second.template
        assert pair.label == (pair.first.sense == pair.second.sense)
        pools = [SENSES[use.word][use.sense] for use in (pair.first, pair.second)]
        places = [
            pool.index(use.template) - len(pool)
            for pool, use in zip(pools, (pair.first, pair.second), strict=True)
        ]
        assert -1 in places and -2 not in places  # a wording of the test, none of dev


@pytest.mark.parametrize("make", [sentiment_examples, uses, words_in_context])
def test_seeds_reproduce_and_bad_requests_are_refused(make):
    assert list(make(WORLD, 20, seed=1)) == list(make(WORLD, 30, seed=1))[:20] or make is not uses
    assert list(make(WORLD, 20, seed=1)) == list(make(WORLD, 20, seed=1)) != list(make(WORLD, 20, seed=2))
    with pytest.raises(ValueError, match="count -1 must not be negative"):
        list(make(WORLD, -1, seed=1))
    with pytest.raises(ValueError, match="'valid' must be one of"):
        list(make(WORLD, 1, seed=1, split="valid"))


def test_files_have_the_official_form(tmp_path):
    write_sst2(sentiment_examples(WORLD, 10, seed=1), tmp_path / "train.tsv")
    lines = (tmp_path / "train.tsv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "sentence\tlabel" and len(lines) == 11
    assert all(line.split("\t")[1] in "01" and len(line.split("\t")) == 2 for line in lines[1:])
    write_wic(words_in_context(WORLD, 200, seed=1), tmp_path / "data.txt", tmp_path / "gold.txt")
    rows = [line.split("\t") for line in (tmp_path / "data.txt").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 200 and (tmp_path / "gold.txt").read_text().split() == [
        "T" if pair.label else "F" for pair in words_in_context(WORLD, 200, seed=1)
    ]
    owners = [
        row
        for row in rows
        for sentence, index in zip(row[3:], row[2].split("-"), strict=True)
        if "'s" in sentence.split()[: int(index)]
    ]
    assert owners and not [row for row in rows if " ' s " in row[3] + row[4]]
    for word, part, indices, *sentences in rows:
        assert part == "N" and len(sentences) == 2
        for index, sentence in zip(indices.split("-"), sentences, strict=True):
            assert sentence.split()[int(index)].lower() in {word, word + "s", word + "es"}
