"""Sentiment and senses of the generated language: right labels, balanced, told by no single word."""

from collections import Counter

import pytest

from minibert.generated import World
from minibert.generated.labels.sentiment import sentiment_examples
from minibert.generated.labels.word_senses import uses, words_in_context
from minibert.generated.posterior.needs import WORD
from minibert.generated.sentences.reviews import REVIEW_CAUSE, REVIEW_END, REVIEW_MORE
from minibert.generated.sentences.senses import SENSES

# The generated language changes with its fingerprint only, which `tests/course/test_tables.py` watches.
pytestmark = pytest.mark.slow

WORLD = World(seed=0)


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
