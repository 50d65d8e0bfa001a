"""Four endings or answers to choose from: one is right, and no surface sign tells which."""

import re
from collections import Counter

import numpy as np
import pytest

from minibert.generated import World
from minibert.generated.labels.race import race_examples
from minibert.generated.labels.swag import CLOSE, HINTS, swag_examples
from minibert.generated.sentences.facts import ANIMALS, TRADES
from minibert.generated.sentences.plans import FAMILIES

# The generated language changes with its fingerprint only, which `tests/course/test_tables.py` watches.
pytestmark = pytest.mark.slow

WORLD = World(seed=0)
WORD = re.compile(r"\w+")


@pytest.fixture(scope="session")
def swag():
    return {split: list(swag_examples(WORLD, 600, 1, split)) for split in ("train", "dev", "test")}


@pytest.fixture(scope="session")
def race():
    return {split: list(race_examples(WORLD, 150, 1, split)) for split in ("train", "dev", "test")}


def rows_of(text):
    """The trades and animals that a text shows any of the forms of."""
    return {row[0] for row in TRADES + ANIMALS if any(re.search(rf"\b{form}\b", text) for form in row[1:])}


def test_the_right_ending_is_the_only_one_that_fits_what_the_text_tells(swag):
    """By the tables: the row behind an ending is named in the text as this person's trade or animal."""
    for example in swag["train"]:
        told = [
            any(re.search(rf"\b{name}\b", example.sent1) for name in rows_of(ending))
            for ending in example.endings
        ]
        assert told[example.label], example


def test_with_one_trade_in_the_text_only_one_ending_fits(swag):
    one = 0
    for example in swag["train"]:
        told = [
            any(re.search(rf"\b{name}\b", example.sent1) for name in rows_of(ending))
            for ending in example.endings
        ]
        one += sum(told) == 1
    assert one > 0.6 * len(swag["train"])


def test_endings_differ_in_facts_alone(swag):
    values = sorted({value for row in TRADES + ANIMALS for value in row}, key=len, reverse=True)
    facts = re.compile(rf"\b(an? )?({'|'.join(values)})\b")
    for example in swag["train"]:
        assert (
            len(set(example.endings)) == 4
            and len({facts.sub("#", ending) for ending in example.endings}) == 1
        )


def test_the_right_ending_does_not_repeat_how_the_text_told_the_fact(swag):
    for example in swag["train"]:
        for name in rows_of(example.endings[example.label]):
            if re.search(rf"\b{name}\b", example.sent1):
                values = " ".join(next(row for row in TRADES + ANIMALS if row[0] == name)).split()
                shown = set(values) & set(WORD.findall(example.endings[example.label]))
                assert not [word for word in shown if word[:4] in name], example


def test_articles_fit_the_endings(swag):
    texts = [f"{e.sent2} {ending}" for examples in swag.values() for e in examples for ending in e.endings]
    assert not [text for text in texts if re.search(r"\b[Aa] [aeio]\w|\b[Aa]n [^aeioh\W]", text)]


def test_hints_and_rows_that_are_taken_for_one_another_exist():
    assert all(key in FAMILIES[family] for family, key in HINTS)
    known = {row[0] for row in TRADES + ANIMALS}
    assert {word for groups in CLOSE.values() for group in groups for word in group.split()} <= known


def chosen_without_text(train, dev):
    """Naive Bayes over the words of an ending alone: the share of right choices."""
    right, wrong = Counter(), Counter()
    for endings, label in train:
        for place, ending in enumerate(endings):
            (right if place == label else wrong).update(WORD.findall(ending))
    scale = sum(right.values()) / sum(wrong.values())
    score = {word: np.log((right[word] + 0.5) / (scale * wrong[word] + 0.5)) for word in right | wrong}
    return np.mean(
        [
            label
            == int(
                np.argmax([sum(score.get(word, 0) for word in WORD.findall(ending)) for ending in endings])
            )
            for endings, label in dev
        ]
    )


def chosen_by_overlap(rows):
    """The option with the most words of the text, ties shared."""
    share = 0
    for text, options, label in rows:
        words = set(WORD.findall(text))
        overlap = [len(words & set(WORD.findall(option))) for option in options]
        best = [place for place in range(4) if overlap[place] == max(overlap)]
        share += (label in best) / len(best)
    return share / len(rows)


def questions_of(examples):
    return [
        (example.article, options, "ABCD".index(answer))
        for example in examples
        for options, answer in zip(example.options, example.answers)
    ]


def test_endings_alone_and_word_overlap_tell_little(swag):
    alone = chosen_without_text(*([(e.endings, e.label) for e in swag[split]] for split in ("train", "dev")))
    overlap = chosen_by_overlap([(e.sent1, e.endings, e.label) for e in swag["dev"]])
    print(f"endings alone {alone:.3f}, overlap {overlap:.3f}")
    assert alone < 0.33 and overlap < 0.33


def test_options_alone_tell_little_and_the_passage_leaves_at_least_two(race):
    alone = chosen_without_text(
        *([row[1:] for row in questions_of(race[split])] for split in ("train", "dev"))
    )
    overlap = chosen_by_overlap(questions_of(race["dev"]))
    print(f"options alone {alone:.3f}, overlap {overlap:.3f}")
    assert alone < 0.33 and overlap < 0.82  # of half the questions, no wrong option stands in the passage


@pytest.mark.parametrize("split", ["train", "dev", "test"])
def test_each_place_is_right_equally_often(swag, race, split):
    for labels in ([e.label for e in swag[split]], [label for _, _, label in questions_of(race[split])]):
        assert max(Counter(labels).values()) < 1.25 * len(labels) / 4 and len(set(labels)) == 4


def test_the_answer_of_a_question_stands_in_the_passage_and_options_differ(race):
    for article, options, label in questions_of(race["train"]):
        assert len(set(options)) == 4 and all(word in article for word in options[label].split())
        assert not [
            one for one in options for other in options if one != other and re.search(rf"\b{one}\b", other)
        ], options


def test_options_of_a_date_are_from_the_same_years(race):
    for _, options, _ in questions_of(race["train"]):
        years = [int(option[-4:]) for option in options if option[-4:].isdigit()]
        assert len(years) in (0, 4) and (not years or max(years) - min(years) < 36)


def test_the_answer_is_the_one_of_the_question_behind_it(race):
    """Questions about a year of birth, answered by a pattern of the text."""
    found = 0
    for example in race["train"]:
        for question, options, answer in zip(example.questions, example.options, example.answers):
            who = re.fullmatch(r"What is (.*)'s year of birth\?", question)
            told = who and re.search(
                rf"{who[1].split()[-1]} was born in (?:(?:[A-Z]\w+ )+in )?(\d+)", example.article
            )
            if told:
                found += 1
                assert options["ABCD".index(answer)] == told[1]
    assert found > 5
