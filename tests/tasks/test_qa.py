"""Questions to rows, logits to spans of the original text; windows as Google's."""

import json
import re
from dataclasses import dataclass, field

import numpy as np
import pytest

from minibert.data.batch import SPECIAL_TOKENS, Specials
from minibert.readers.squad import iter_squad
from minibert.tasks.qa import CERTAIN, LISTED, QA
from minibert.tokenizer import WordPiece
from minibert.tokenizer.fast import FastWordPiece

VOCAB = [*SPECIAL_TOKENS, *(mark + c for mark in ("", "##") for c in "abcdehmnorstwxy")]


@dataclass
class Example:
    question: str
    context: str
    answers: list = field(default_factory=list)


class Characters:
    """A tokenizer whose pieces are the characters."""

    specials = Specials()

    def encode(self, text):
        return type(
            "Encoding",
            (),
            {"ids": [5 + ord(c) % 90 for c in text], "offsets": [(i, i + 1) for i in range(len(text))]},
        )


def example(context="the cat sat on the mat by the door", answer="on the mat"):
    return Example("where?", context, [(answer, context.index(answer))])


def perfect_logits(rows, labels):
    """Logits that point at the labels, rows without an answer flat."""
    logits = []
    for (a, b), (start, end) in zip(rows, labels):
        row = np.zeros((len(a) + len(b) + 3, 2))
        if start:
            row[start, 0] = row[end, 1] = 5
        logits.append(row)
    return logits


@pytest.mark.parametrize("max_length", [64, 40, 31])
def test_encode_then_decode_finds_the_answer_also_over_windows(max_length):
    task, examples = (
        QA(Characters(), max_length),
        [example(), example(answer="door"), example(answer="the cat")],
    )
    rows, labels, origins = task.encode(examples)
    assert all(len(a) + len(b) + 3 <= max_length for a, b in rows)
    answers = [found.text for found in task.decode(examples, origins, perfect_logits(rows, labels))]
    assert answers == [e.answers[0][0] for e in examples]
    assert task.metric(examples, answers) == {"exact match": 100, "F1": 100}


def test_a_question_never_takes_more_than_its_half_of_the_row():
    rows, _, _ = QA(Characters(), 11).encode([Example("x" * 20, "abcdef")])
    assert [(len(a), len(b)) for a, b in rows] == [(4, 4), (4, 4)]


@pytest.mark.parametrize(
    "settings, message",
    [
        ({"max_length": 5}, "max_length=5 must be at least 6"),
        ({"stride": 0}, "stride=0, .*: each must be at least 1"),
        ({"longest_question": 0}, "longest_question=0, .* at least 1"),
        ({"longest_answer": 0}, "longest_answer=0: each must be"),
    ],
)
def test_settings_that_leave_nothing_to_read_are_errors(settings, message):
    with pytest.raises(ValueError, match=message):
        QA(Characters(), **{"max_length": 40, **settings})


def scored(task, examples, wanted, height=5.0, null=None):
    """Origins, and logits that point at the characters `wanted` of each passage; `null` for [CLS]."""
    rows, _, origins = task.encode(examples)
    logits = [np.zeros((len(a) + len(b) + 3, 2)) for a, b in rows]
    for (index, first, offsets, _), row in zip(origins, logits):
        for i, (left, right) in enumerate(offsets):
            row[first + i] = height * (left == wanted[index][0]), height * (right == wanted[index][1])
        row[0] = null[index] / 2 if null else 0
    return origins, logits


def test_a_span_is_taken_only_from_the_window_that_shows_its_start_with_most_context():
    task, examples = QA(Characters(), 31, stride=5), [example()]
    origins, logits = scored(task, examples, [(20, 23)])
    holding = [i for i, o in enumerate(origins) if (20, 21) in o.offsets and (22, 23) in o.offsets]
    owner = next(i for i in holding if origins[i].owned[origins[i].offsets.index((20, 21))])
    assert len(holding) > 1
    for i in holding:
        logits[i][:, 0] *= 1 if i == owner else 100
    best = task.decode(examples, origins, logits)[0].best[0]
    assert (best.start, best.end, best.score) == (20, 23, 10.0)


def test_the_list_holds_different_texts_with_probabilities_best_first():
    task = QA(Characters(), 64)
    examples = [example(context="ab ab ab", answer="ab")]
    origins, logits = scored(task, examples, [(3, 5)])
    prediction = task.decode(examples, origins, logits)[0]
    texts = [answer.text for answer in prediction.best]
    assert prediction.text == texts[0] == "ab" and len(set(texts)) == len(texts) <= LISTED and "" not in texts
    assert sum(answer.probability for answer in prediction.best) == pytest.approx(1)
    scores = [answer.score for answer in prediction.best]
    assert scores == sorted(scores, reverse=True) and scores[0] == 10
    assert prediction.best[0].probability / prediction.best[1].probability == pytest.approx(
        np.exp(scores[0] - scores[1])
    )
    assert all(examples[0].context[answer.start : answer.end] == answer.text for answer in prediction.best)


@pytest.mark.parametrize(
    "null, threshold, said", [(8, 0, "mat"), (12, 0, ""), (12, 2, "mat"), (12, 1.9, ""), (8, -2.1, "")]
)
def test_a_question_stays_unanswered_where_null_odds_exceed_the_threshold(null, threshold, said):
    task, examples = QA(Characters(), 64, unanswerable=True, threshold=threshold), [example()]
    origins, logits = scored(task, examples, [(19, 22)], null=[null])
    prediction = task.decode(examples, origins, logits)[0]
    assert prediction.text == said and prediction.null_odds == null - 10
    assert sorted(answer.text for answer in prediction.best[:2]) == ["", "mat"]
    assert len(prediction.best) == LISTED + 1


def test_none_scores_as_in_the_window_where_it_scores_lowest():
    task, examples = QA(Characters(), 31, unanswerable=True), [example()]
    origins, logits = scored(task, examples, [(19, 22)], null=[12])
    logits[-1][0] = 1.5
    prediction = task.decode(examples, origins, logits)[0]
    assert len(origins) > 1 and prediction.null_odds == 3 - 10 and len(prediction.best) == LISTED + 1


def test_where_every_question_has_an_answer_one_is_given_whatever_cls_scores():
    task, examples = QA(Characters(), 64, threshold=-1), [example()]
    origins, logits = scored(task, examples, [(19, 22)], null=[99])
    prediction = task.decode(examples, origins, logits)[0]
    assert (prediction.text, prediction.null_odds) == ("mat", 0)


@pytest.mark.parametrize("context", ["", " \n\t"])
@pytest.mark.parametrize("unanswerable", [False, True])
def test_an_empty_passage_gives_no_answer_and_no_error(context, unanswerable):
    task, examples = QA(WordPiece(VOCAB), 64, unanswerable=unanswerable), [Example("x", context), example()]
    rows, labels, origins = task.encode(examples)
    logits = [np.zeros((len(a) + len(b) + 3, 2)) for a, b in rows]
    empty, full = task.decode(examples, origins, logits)
    assert labels[0] == (0, 0) and empty.text == "" and [answer.text for answer in empty.best] == [""]
    assert empty.null_odds == (CERTAIN if unanswerable else 0) and full.text and len(f"{CERTAIN:.1f}") < 10
    assert task.metric([Example("x", context)], [""])["F1"] == 100


def test_an_answer_without_a_piece_cannot_be_learnt_and_does_no_harm():
    assert QA(WordPiece(VOCAB), 64).encode([Example("x", " ", [(" ", 0)])])[1] == [(0, 0)]


def test_a_span_is_at_most_as_long_as_the_limit():
    examples = [example()]
    for longest in (3, 10):
        task = QA(Characters(), 64, longest_answer=longest)
        origins, logits = scored(task, examples, [(4, 14)])
        text = task.decode(examples, origins, logits)[0].text
        assert len(text) <= longest and (text == "cat sat on") == (longest == 10)


def test_the_threshold_is_tuned_to_the_best_f1_and_kept_with_the_task():
    examples = [example(), Example("why?", "the cat sat"), example(answer="mat")]
    task = QA.fit(Characters(), 64, examples, stride=7)
    origins, logits = scored(task, examples, [(12, 22), (0, 3), (19, 22)], null=[11.0, 13.0, 12.0])
    task.logits = lambda model, rows, batch_size: logits
    assert task.answer(None, examples) == ["", "", ""]
    task.tune(None, examples)
    assert task.threshold == 2 and task.settings == QA(Characters(), 64, **task.settings).settings
    assert task.metric(examples, task.answer(None, examples))["F1"] == 100


def test_only_examples_without_answers_teach_a_task_to_leave_questions_open():
    assert not QA.fit(Characters(), 64, [example()]).unanswerable
    assert QA.fit(Characters(), 64, [example(), Example("why?", "x")]).unanswerable
    task = QA.fit(Characters(), 64, [example()])
    task.tune(None, [example()])
    assert task.threshold == 0


@pytest.fixture(scope="module")
def google(shared):
    """Our task, and our rows, labels and windows beside the features of Google's code."""
    task = QA(
        FastWordPiece.load(shared / "data" / "vocab" / "bert-base-uncased-vocab.txt"),
        128,
        stride=48,
        longest_question=24,
    )
    examples = list(iter_squad(shared / "data" / "squad_v2" / "train_small.json"))[:150]
    lines = (
        (shared / "golden" / "squad_features" / "v2_train_shared.features.jsonl")
        .read_text(encoding="utf-8")
        .splitlines()
    )
    return task, examples, list(zip(*task.encode(examples), map(json.loads, lines), strict=True))


def test_rows_are_google_berts(google):
    task, _, windows = google
    assert len(windows) == 277
    for (a, b), _, origin, feature in windows:
        vocab = task.tokenizer.vocab
        question, passage = ([vocab[i] for i in segment] for segment in (a, b))
        assert ["[CLS]", *question, "[SEP]", *passage, "[SEP]"] == feature["tokens"]
        assert origin.example == feature["example_index"]


def test_pieces_lie_in_the_words_that_google_bert_names(google):
    _, examples, windows = google
    for _, _, origin, feature in windows:
        words = [match.span() for match in re.finditer(r"\S+", examples[origin.example].context)]
        for i, (left, right) in enumerate(origin.offsets):
            start, end = words[feature["token_to_orig_map"][str(origin.first + i)]]
            assert start <= left < right <= end


def test_pieces_are_owned_where_google_bert_says_so(google):
    for _, _, origin, feature in google[2]:
        flags = {str(origin.first + i): bool(flag) for i, flag in enumerate(origin.owned)}
        assert flags == feature["token_is_max_context"]


def test_answers_begin_and_end_where_google_bert_says_so(google):
    assert all(
        label == (feature["start_position"], feature["end_position"]) for _, label, _, feature in google[2]
    )
    assert sum(label != (0, 0) for _, label, _, _ in google[2]) > 60
