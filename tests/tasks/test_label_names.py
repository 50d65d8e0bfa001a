"""Labels with several names have one meaning, and a name that may mean two things has none."""

import pytest

from minibert.data.batch import SPECIAL_TOKENS
from minibert.readers.conll import Sentence
from minibert.readers.glue import TextExample
from minibert.tasks.classification import Categories
from minibert.tasks.label_names import other_names, other_types, renamed
from minibert.tasks.tagging import PlainTagging, Tagging
from minibert.tokenizer import WordPiece

TOKENIZER = WordPiece([*SPECIAL_TOKENS, "a"])


@pytest.mark.parametrize(
    "labels, found, meant",
    [
        (["NEGATIVE", "POSITIVE"], "0 1 negative Positive", "NEGATIVE POSITIVE NEGATIVE POSITIVE"),
        (["LABEL_0", "LABEL_1", "LABEL_2"], "2 0 label_1 3", "LABEL_2 LABEL_0 LABEL_1 3"),
        (["entailment", "neutral", "contradiction"], "0 1 2", "entailment neutral contradiction"),
        # the model has another order, or data sets number these labels differently: numbers stay numbers
        (["contradiction", "neutral", "entailment"], "0 1 2 Neutral", "0 1 2 neutral"),
        (["positive", "negative"], "0 1", "0 1"),
        (["entailment", "not_entailment"], "0 1", "0 1"),
        (["joy", "anger"], "0 1 Joy", "0 1 joy"),
        (["yes", "Yes"], "YES yes", "YES yes"),
        (["1", "0"], "0 1", "0 1"),
    ],
)
def test_other_names_of_a_label_are_read_as_this_label_if_there_is_no_doubt(labels, found, meant):
    assert [renamed(one, labels, other_names(labels)) for one in found.split()] == meant.split()


@pytest.mark.parametrize(
    "types, found, meant",
    [
        ("PER LOC ORG MISC", "person location GROUP creative-work MISC", "PER LOC ORG MISC MISC"),
        ("person product", "PER PRODUCT group", "person product group"),
        ("PER PERSON", "Person per LOC", "PERSON PER LOC"),
    ],
)
def test_other_names_of_a_type_are_read_as_this_type(types, found, meant):
    others = other_types(types.split())
    assert [renamed(one, types.split(), others) for one in found.split()] == meant.split()


def test_examples_get_the_model_s_names_and_keep_unknown_ones():
    task = Categories(TOKENIZER, 20, ["bad", "good"])
    examples = [TextExample("a", None, label, "0", 1) for label in ("Good", "bad", "dull", None)]
    assert [one.label for one in task.relabelled(examples)] == ["good", "bad", "dull", None]
    assert task.renamed == {"Good": "good"}
    tagged = [Sentence(["Mira", "H", "left"], ["B-person", "I-person", "O"], 1)]
    tagger = Tagging(TOKENIZER, 20, ["O", "B-PER", "I-PER"])
    assert [one.tags for one in tagger.relabelled(tagged)] == [["B-PER", "I-PER", "O"]]
    nouns = [Sentence(["Mira"], ["noun"], 1)]
    assert [one.tags for one in PlainTagging(TOKENIZER, 20, ["NOUN"]).relabelled(nouns)] == [["NOUN"]]


def test_if_no_label_is_known_both_lists_are_named():
    tagger = Tagging(TOKENIZER, 20, ["O", "B-PER", "I-PER"])
    other = [Sentence(["Mira", "left"], ["B-city", "O"], 1)]
    with pytest.raises(ValueError, match=r"its labels \(city\) are not those of the model \(PER\)"):
        tagger.notice(other)
    assert tagger.notice([Sentence(["left"], ["O"], 1)]) == ""  # a text may well have no entities
