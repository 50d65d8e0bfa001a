"""Words to first pieces and back, and entity scores as conlleval's."""
import re
from dataclasses import dataclass

import numpy as np
import pytest

from minibert.batch import IGNORE, Specials
from minibert.tasks.tagging import Tagging, entities, entity_f1


@dataclass
class Example:
    words: list
    tags: list


class Halves:
    """A tokenizer that cuts every word into pieces of two characters."""

    specials = Specials()

    def encode_words(self, words):
        pieces = [(w, word[i:i + 2]) for w, word in enumerate(words) for i in range(0, len(word), 2)]
        return type("Encoding", (), {"ids": [5 + hash(p) % 90 for _, p in pieces], "words": [w for w, _ in pieces]})


EXAMPLES = [Example(["Mira", "Harlow", "left", "Ashby"], ["B-PER", "I-PER", "O", "B-LOC"]), Example(["ok"], ["O"])]


@pytest.mark.parametrize("max_length", [32, 6, 5])
def test_encode_then_decode_gives_the_tags_back_also_over_windows(max_length):
    task = Tagging(Halves(), max_length, Tagging.tag_set(EXAMPLES))
    rows, labels, origins = task.encode(EXAMPLES)
    logits = [np.eye(len(task.tags))[np.where(np.array(label) == IGNORE, 0, label)] for label in labels]
    assert all(len(a) + 2 <= max_length for a, _ in rows)
    assert task.decode(EXAMPLES, origins, logits) == [e.tags for e in EXAMPLES]


def test_only_first_pieces_have_labels():
    _, labels, _ = Tagging(Halves(), 32, Tagging.tag_set(EXAMPLES)).encode(EXAMPLES)
    assert [label != IGNORE for label in labels[0]] == [c == "1" for c in "010100101000"]


def test_a_tag_unseen_in_training_is_named():
    with pytest.raises(ValueError, match="example 0: tag 'B-PER' was not seen in training; known tags: O"):
        Tagging(Halves(), 32, ["O"]).encode(EXAMPLES)


def test_a_type_has_both_its_tags_and_an_answer_does_not_look_at_the_labels():
    assert Tagging.tag_set([Example(["Ashby"], ["B-PER"])]) == ["O", "B-PER", "I-PER"]
    assert Tagging.tag_set(EXAMPLES) == ["O", "B-LOC", "B-PER", "I-LOC", "I-PER"]
    task = Tagging(Halves(), 32, ["O"])
    seen = []
    task.logits = lambda model, rows, batch_size: seen.append(rows) or [np.zeros((len(a) + 2, 1)) for a, _ in rows]
    assert task.answer(None, EXAMPLES) == [["O"] * 4, ["O"]] and len(seen[0]) == 2


@pytest.mark.parametrize("tags, expected", [
    ("O B-X I-X O", {("X", 1, 2)}), ("I-X I-X B-X", {("X", 0, 1), ("X", 2, 2)}), ("B-X I-Y", {("X", 0, 0), ("Y", 1, 1)}),
    ("B-X", {("X", 0, 0)}), ("O O", set())])
def test_entities_of_legal_and_illegal_sequences(tags, expected):
    assert entities(tags.split()) == expected


def test_saying_o_everywhere_scores_nothing_but_accuracy():
    scores = entity_f1([["O"] * 9 + ["B-X"]], [["O"] * 10])
    assert scores["F1"] == 0 and scores["accuracy"] == pytest.approx(90)


@pytest.mark.parametrize("name", ["ground_truth", "wnut17_shared_test_noise"])
def test_scores_equal_conlleval(shared, name):
    folder = shared / "golden" / "conlleval"
    gold, predicted = [[]], [[]]
    for line in (folder / f"{name}.gold_pred.txt").read_text().splitlines():
        columns = line.split()
        if not columns:
            gold.append([])
            predicted.append([])
        else:
            gold[-1].append(columns[-2])
            predicted[-1].append(columns[-1])
    text = (folder / f"{name}.expected.txt").read_text()
    numbers = re.search(r"accuracy:\s*([\d.]+)%; precision:\s*([\d.]+)%; recall:\s*([\d.]+)%; FB1:\s*([\d.]+)", text)
    scores = entity_f1(gold, predicted)
    for key, number in zip(("accuracy", "precision", "recall", "F1"), numbers.groups()):
        assert round(scores[key], 2) == pytest.approx(float(number), abs=0.0051), key
