"""Words to first pieces and back, windows over sentences and documents, and entity scores as conlleval's."""

import re
import warnings
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minibert.data.batch import IGNORE, Specials
from minibert.readers.conll import Sentence, read_conll
from minibert.tasks.entity_score import entities, entity_counts, entity_f1, scores
from minibert.tasks.tagging import PlainTagging, Tagging, half_overlapping_windows


@dataclass
class Example:
    words: list
    tags: list
    document: int | None = None
    line: int = 5


class Halves:
    """A tokenizer that cuts every word into pieces of two characters."""

    specials = Specials()

    def encode_words(self, words):
        pieces = [(w, word[i : i + 2]) for w, word in enumerate(words) for i in range(0, len(word), 2)]
        return type(
            "Encoding", (), {"ids": [5 + hash(p) % 90 for _, p in pieces], "words": [w for w, _ in pieces]}
        )


EXAMPLES = [
    Example(["Mira", "Harlow", "left", "Ashby"], ["B-PER", "I-PER", "O", "B-LOC"]),
    Example(["ok"], ["O"]),
]


def test_a_tag_unseen_in_training_is_named():
    with pytest.raises(
        ValueError,
        match=r"the sentence at line 5: tag 'B-PER' \(word 'Mira'\) was not seen in training; "
        "known tags: O$",
    ):
        Tagging(Halves(), 32, ["O"]).encode(EXAMPLES)


def test_a_type_has_both_its_tags_and_an_answer_does_not_look_at_the_labels():
    assert Tagging.tag_set([Example(["Ashby"], ["B-PER"])]) == ["O", "B-PER", "I-PER"]
    assert Tagging.tag_set(EXAMPLES) == ["O", "B-LOC", "B-PER", "I-LOC", "I-PER"]
    task = Tagging(Halves(), 32, ["O"])
    seen = []

    def logits(model, rows, batch_size):
        seen.append(rows)
        return [np.zeros((len(a) + 2, 1)) for a, _ in rows]

    task.logits = logits
    assert task.answer(None, EXAMPLES) == [["O"] * 4, ["O"]] and len(seen[0]) == 2


@pytest.mark.parametrize(
    "tags, expected",
    [
        ("O B-X I-X O", {("X", 1, 2)}),
        ("I-X I-X B-X", {("X", 0, 1), ("X", 2, 2)}),
        ("B-X I-Y", {("X", 0, 0), ("Y", 1, 1)}),
        ("B-X", {("X", 0, 0)}),
        ("O O", set()),
    ],
)
def test_entities_of_legal_and_illegal_sequences(tags, expected):
    assert entities(tags.split()) == expected


@pytest.mark.parametrize(
    "length, room", [(0, 4), (3, 4), (4, 4), (5, 4), (21, 5), (24, 6), (7, 1), (9, 2), (40, 7)]
)
def test_windows_cover_the_text_and_a_place_belongs_to_the_one_that_shows_most_on_its_poorer_side(
    length, room
):
    begins, owners = half_overlapping_windows(length, room, list(range(length)))
    assert begins[0] == 0 and begins[-1] == max(length - room, 0) and len(set(begins)) == len(begins)
    for place, owner in enumerate(owners):
        seen = [min(place - b, min(b + room, length) - 1 - place) if length > room else 0 for b in begins]
        assert seen[owner] == max(seen) >= 0 and owner == seen.index(max(seen))


def texts(max_words=12):
    words = st.lists(
        st.tuples(st.text("abcdef", max_size=9), st.sampled_from(["O", "B-X", "I-X", "B-Y"])),
        max_size=max_words,
    )
    return st.lists(st.tuples(words, st.sampled_from([None, 1, 2])), max_size=6)


@settings(deadline=None, max_examples=60)
@given(texts(), st.integers(3, 12), st.booleans())
def test_every_word_with_a_piece_is_asked_about_once_at_its_first_piece_and_comes_back(
    drawn, max_length, document_context
):
    examples = [Example([w for w, _ in pairs], [t for _, t in pairs], document) for pairs, document in drawn]
    task = Tagging(Halves(), max_length, ["O", "B-X", "B-Y", "I-X", "I-Y"], document_context)
    rows, labels, origins = task.encode(examples)
    asked = [(index, word) for origin in origins for index, word, _ in origin]
    assert asked == [(i, w) for i, e in enumerate(examples) for w, word in enumerate(e.words) if word]
    for (row, _), label, origin in zip(rows, labels, origins, strict=True):
        assert len(row) + 2 == len(label) <= max_length
        assert sum(number != IGNORE for number in label) == len(origin) > 0
        assert all(row[position - 1] == 5 + hash(examples[i].words[w][:2]) % 90 for i, w, position in origin)
    logits = [np.eye(5)[np.where(np.array(label) == IGNORE, 1, label)] for label in labels]
    expected = [[tag if word else "O" for word, tag in zip(e.words, e.tags)] for e in examples]
    assert task.decode(examples, origins, logits) == expected


def test_document_context_shows_the_sentences_around_and_none_of_another_document():
    words = [["aa", "bb"], ["cc"], ["dd"], ["ee"], ["ff"]]
    examples = [Example(w, ["O"] * len(w), document) for w, document in zip(words, [1, 1, 2, None, None])]
    rows, _, origins = Tagging(Halves(), 32, ["O"], document_context=True).encode(examples)
    joined = [["aa", "bb", "cc"], ["dd"], ["ee"], ["ff"]]
    assert [row for row, _ in rows] == [Halves().encode_words(sentence).ids for sentence in joined]
    assert origins[0] == [(0, 0, 1), (0, 1, 2), (1, 0, 3)]
    assert len(Tagging(Halves(), 32, ["O"]).encode(examples)[0]) == 5


def test_a_word_of_a_thousand_pieces_makes_no_row_without_a_label():
    rows, labels, _ = Tagging(Halves(), 10, ["O"]).encode([Example(["a", "x" * 2000, "b"], ["O"] * 3)])
    assert len(rows) == 2 and all(any(number != IGNORE for number in label) for label in labels)


def test_a_row_without_room_is_an_error():
    with pytest.raises(ValueError, match=r"max_length=2 must be at least 3, for \[CLS\], a word and \[SEP\]"):
        Tagging(Halves(), 2, ["O"])


def test_parts_of_speech_are_scored_by_accuracy_alone_and_stay_as_they_are():
    examples = [Example(["Mira", "sang"], ["NNP", "VBD"]), Example([".", "B-x"], [".", "I-"])]
    task = PlainTagging.fit(Halves(), 9, examples)
    assert task.tags == [".", "I-", "NNP", "VBD"]
    assert task.metric(examples, [["NNP", "NNP"], [".", "I-"]]) == {"accuracy": 75.0}


@pytest.mark.parametrize("kind, tag", [(Tagging, "O"), (PlainTagging, "NN")])
def test_one_tag_alone_is_nothing_to_learn(kind, tag):
    with pytest.raises(ValueError, match=rf"have only 1 distinct tag \({tag}\), but at least 2 are needed$"):
        kind.fit(Halves(), 9, [Example(["a", "b"], [tag] * 2)])


@pytest.mark.parametrize(
    "kind, scores",
    [(Tagging, {"precision": 0, "recall": 0, "F1": 0, "accuracy": 40}), (PlainTagging, {"accuracy": 40})],
)
def test_tags_that_training_lacked_count_as_missed_and_are_told_of_without_a_warning(kind, scores):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert kind(Halves(), 32, ["O"]).metric(EXAMPLES, [["O"] * 4, ["O"]]) == scores
    known = ["O", "B-LOC"]
    assert (
        kind(Halves(), 32, known).notice(EXAMPLES)
        == "labels not seen in training, scored as wrong: B-PER, I-PER"
    )
    assert kind.fit(Halves(), 32, EXAMPLES).notice(EXAMPLES) == ""


@pytest.mark.parametrize(
    "kind, tags, found",
    [
        (Tagging, "O O O O", []),
        (Tagging, "B-X I-X O B-Y", [("a bc", "X"), ("e", "Y")]),
        (PlainTagging, "DET N V N", [("a", "DET"), ("bc", "N"), ("d", "V"), ("e", "N")]),
    ],
)
def test_entities_of_a_sentence_are_stretches_of_its_words_joined_by_spaces(kind, tags, found):
    sentence, tags = Sentence(["a", "bc", "d", "e"], ["O"] * 4, 1), tags.split()
    entities = kind(Halves(), 32, tags).result(sentence, tags)
    assert [(entity.text, entity.type) for entity in entities] == found
    assert all("a bc d e"[entity.start : entity.end] == entity.text for entity in entities)


def test_errors_are_of_types_of_entities_or_of_tags():
    sentences = [Sentence(["a", "b"], ["B-X", "O"], 1)]
    scores, types = Tagging(Halves(), 32, ["O"]).errors(sentences, [["B-Y", "O"]])
    assert [row[0] for row in scores.rows] == ["X", "Y"] and types.rows == [["X", 0, 1], ["Y", 0, 0]]
    (tags,) = PlainTagging(Halves(), 32, ["O"]).errors(sentences, [["B-Y", "O"]])
    assert tags.head == ["right tag", "B-X", "B-Y", "O"] and tags.rows[0] == ["B-X", 0, 1, 0]


def test_predictions_are_parted_as_the_file_is():
    task = Tagging(Halves(), 32, ["O"])
    sentences = [Sentence(["ok"], ["O"], 1), Sentence(["1 1/2", "l"], ["O", "O"], 1, separator="\t")]
    texts = [task.write(*one)["predictions"] for one in zip(sentences, [["O"], ["O", "O"]])]
    assert texts == ["ok O\n\n", "1 1/2\tO\nl\tO\n\n"]


def test_predictions_hold_the_tags_of_a_file_whose_tags_were_read_before_the_answers(tmp_path):
    (tmp_path / "x.conll").write_text("Ada\tNNP\tI-X\nsang\tVBD\tO\n")
    task = Tagging(Halves(), 32, ["O", "B-X", "I-X"])
    for labelled, text in ((True, "Ada\tB-X\tO\nsang\tO\tB-X\n\n"), (False, "Ada\tO\nsang\tB-X\n\n")):
        (sentence,) = read_conll(tmp_path / "x.conll", labelled)
        assert task.write(sentence, ["O", "B-X"]) == {"predictions": text}


def test_answers_of_another_length_are_named():
    with pytest.raises(ValueError, match="sentence 1 has 2 words but 1 predicted tag;"):
        entity_f1([["O"], ["O", "O"]], [["O"], ["O"]])


def golden(shared, name):
    """(gold tags, predicted tags, the output of conlleval) of a file."""
    folder = shared / "golden" / "conlleval"
    blocks = (folder / f"{name}.gold_pred.txt").read_text().split("\n\n")
    lines = [[line.split() for line in block.splitlines() if line.split()] for block in blocks]
    return *([[cells[column] for cells in block] for block in lines] for column in (-2, -1)), (
        folder / f"{name}.expected.txt"
    ).read_text()


NUMBERS = r"precision: +([\d.]+)%; recall: +([\d.]+)%; FB1: +([\d.]+)"


@pytest.mark.parametrize("name", ["ground_truth", "ground_truth_inv", "wnut17_shared_test_noise"])
def test_scores_equal_conlleval_s_overall_and_by_type(shared, name):
    gold, predicted, text = golden(shared, name)
    found = entity_f1(gold, predicted)
    expected = re.search(rf"accuracy: +([\d.]+)%; {NUMBERS}", text).groups()
    assert [f"{found[key]:.2f}" for key in ("accuracy", "precision", "recall", "F1")] == list(expected)
    expected = {
        kind: (*numbers, count)
        for kind, *numbers, count in re.findall(rf"^ +(\S+): {NUMBERS} +(\d+)$", text, re.M)
    }
    assert len(expected) > 1 and expected == {
        kind: (*(f"{score:.2f}" for score in scores(*counts).values()), str(counts[1]))
        for kind, counts in entity_counts(gold, predicted).items()
    }


ANY_TAG = st.sampled_from(["O", "B-X", "I-X", "B-Y-Z", "I-Y-Z", "I-Z"])
SEQUENCES = st.lists(st.lists(st.tuples(ANY_TAG, ANY_TAG), min_size=1, max_size=9), min_size=1, max_size=4)


@settings(deadline=None)
@given(SEQUENCES)
def test_scores_equal_seqeval_s_on_any_sequence_of_b_i_and_o(drawn):
    seqeval = pytest.importorskip("seqeval.metrics", reason="seqeval is not installed")
    gold, predicted = ([[pair[side] for pair in sentence] for sentence in drawn] for side in (0, 1))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns where there is nothing to divide by
        theirs = [
            function(gold, predicted)
            for function in (
                seqeval.precision_score,
                seqeval.recall_score,
                seqeval.f1_score,
                seqeval.accuracy_score,
            )
        ]
    ours = entity_f1(gold, predicted)
    shares = [ours[key] / 100 for key in ("precision", "recall", "F1", "accuracy")]
    assert shares == pytest.approx(theirs, abs=1e-12)
