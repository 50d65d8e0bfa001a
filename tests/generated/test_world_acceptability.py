"""Judged sentences: each mistake breaks what it names, and nothing else tells the classes apart."""

import re
from collections import Counter

import numpy as np
import pytest

from minibert.generated import World
from minibert.generated.labels import acceptability
from minibert.generated.labels.acceptability import acceptability_examples
from minibert.generated.labels.syntax import tagged
from minibert.generated.labels.violations import VIOLATIONS, TaggedSentence, violated
from minibert.generated.sentences.facts import NUMBERS
from minibert.generated.writer.grammar import Page

# The generated language changes with its fingerprint only, which `tests/course/test_tables.py` watches.
pytestmark = pytest.mark.slow

WORLD = World(seed=0)


@pytest.fixture(scope="session")
def train():
    return list(acceptability_examples(WORLD, 3000, seed=1))


@pytest.fixture(scope="session")
def dev():
    return list(acceptability_examples(WORLD, 600, seed=1, split="dev"))


def sentence(text, firm=False):
    page = Page(None, "life", {})
    page.say(text, {}, ("", ""))
    return TaggedSentence(text, tuple(tagged(page, 0)), firm, "she")


@pytest.mark.parametrize(
    "name, text, broken",
    [
        ("agreement", "She has a cat.", ["She have a cat."]),
        ("agreement", "The neighbours hate it.", ["The neighbours hates it."]),
        ("agreement", "The school has a clock.", []),  # "the school have" is said in Britain
        ("agreement", "She was tired.", []),
        ("article", "She has an old hat.", ["She has a old hat."]),
        ("order", "She lived in the school.", ["She lived the in school.", "She lived in school the."]),
        ("order", "The air is good.", []),  # the article comes first, so the swap would move a capital
        ("missing verb", "She has a cat.", ["She a cat."]),
        ("missing verb", "She sits and talks.", []),  # the other verb could take its place
        ("double subject", "She has a cat.", []),
        ("verb form", "They have never lived here.", ["They have never live here."]),
        ("verb form", "They have worked here.", []),  # "they have work here" is right
        ("verb form", "She prefers to buy bread.", ["She prefers to bought bread."]),
        ("verb form", "She went back to see it.", []),  # "to saw it" is right
        ("pronoun case", "He sleeps without her.", ["Him sleeps without her.", "He sleeps without she."]),
        (
            "pronoun case",
            "She is as old as her mother.",
            ["Her is as old as her mother.", "She is as old as she mother."],
        ),
        ("missing preposition", "They talk to nobody.", ["They talk nobody."]),
        ("missing preposition", "They work in the garden.", []),  # "they work the garden" is right
        ("doubled word", "The cat has a name.", ["The the cat has a name.", "The cat has a a name."]),
    ],
)
def test_a_mistake_is_made_only_where_it_breaks_the_sentence(name, text, broken):
    assert violated(sentence(text), name) == broken


def test_a_firm_may_take_a_plural_verb():
    assert violated(sentence("The business has a rival."), "agreement") == ["The business have a rival."]
    assert violated(sentence("The business has a rival.", firm=True), "agreement") == []


def test_a_name_is_doubled_by_its_own_pronoun():
    found = [each for page in WORLD.pages(50, 1) for each in acceptability.sentences(page)]
    doubled = [text for each in found for text in violated(each, "double subject")]
    assert doubled and all(
        re.match(r"([A-Z]\w+ )+(and )?(Partners )?(he|she|it) \w", text) for text in doubled
    )


def test_a_firm_a_place_and_a_pet_are_it():
    its = 0
    for page in WORLD.pages(300, 1):
        things = {
            text
            for (_, slot), (_, text, _) in page.told.items()
            if slot in ("firm", "birthplace", "pet", "home")
        }
        for each in acceptability.sentences(page):
            for text in violated(each, "double subject"):
                if thing := next(
                    (thing for thing in things if re.match(rf"{thing} (he|she|it) ", text)), None
                ):
                    its += 1
                    assert text.startswith(f"{thing} it "), text
    assert its > 50


def test_sources_name_the_mistakes_and_labels_say_whether_there_is_one(train):
    assert {example.source for example in train} == set(VIOLATIONS) | {"correct"}
    assert all((example.source == "correct") == (example.label == 1) for example in train)


def test_half_of_the_sentences_are_acceptable_and_mistakes_are_equally_common(train):
    count = Counter(example.source for example in train)
    assert abs(count["correct"] / len(train) - 0.5) < 0.04
    shares = [count[name] * 2 * len(VIOLATIONS) / len(train) for name in VIOLATIONS]
    assert 0.75 < min(shares) and max(shares) < 1.25


VALUES = {
    name for field in ("bases", "firsts", "pets") for name in getattr(WORLD.names["pretrain"], field)
} | {form for number in NUMBERS for form in (number, number.capitalize())}


def skeleton(text):
    """A sentence without its names and numbers."""
    return re.sub(
        "N( N)+",
        "N",
        re.sub(r"\w+", lambda match: "N" if match[0] in VALUES or match[0].isdigit() else match[0], text),
    )


def test_no_sentence_of_the_language_is_called_wrong(train):
    known = {skeleton(text) for page in WORLD.pages(12000, 2) for text in page.sentences}
    right = sum(skeleton(example.sentence) in known for example in train if example.label)
    assert right > 0.8 * sum(example.label for example in train)
    assert not [example for example in train if not example.label and skeleton(example.sentence) in known]


def test_single_words_do_not_give_the_label_away(train, dev):
    """Naive Bayes over words finds little more than what lone wrong words ("an baker" aside) must show."""
    words = {word: place for place, word in enumerate({w for e in train for w in e.sentence.lower().split()})}

    def counts(examples):
        table = np.zeros((len(examples), len(words)))
        for row, example in enumerate(examples):
            for word in example.sentence.lower().split():
                if word in words:
                    table[row, words[word]] += 1
        return table, np.array([example.label for example in examples])

    table, labels = counts(train)
    rates = [
        np.log((table[labels == label].sum(0) + 1) / (table[labels == label].sum() + len(words)))
        for label in (0, 1)
    ]
    table, labels = counts(dev)
    accuracy = np.mean((table @ (rates[1] - rates[0]) > 0) == labels)
    print(f"naive Bayes: {accuracy:.3f}")
    assert accuracy < 0.68
