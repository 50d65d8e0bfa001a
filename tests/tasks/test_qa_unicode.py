"""Whatever a passage is written in, a span of a row is one of the original text, and no run stops."""

import time
import unicodedata
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minibert.data.batch import SPECIAL_TOKENS
from minibert.tasks.qa import QA
from minibert.tokenizer import WordPiece
from minibert.tokenizer.fast import FastWordPiece

SIGNS = "abcdehmnorstwxyé"
VOCAB = [*SPECIAL_TOKENS, "של", "##ום", "漢", *(mark + c for mark in ("", "##") for c in SIGNS)]
ODD = [
    *"\u0301\u0323\u302e\u200d\u200f\u202e\ufe0f👩🏽🇫🇷ﷺİﬁ각가漢Σ🎵\x00\u00a0\n ",
    *"של וםם \u0f71\u0f72\u0f74 ab can't $5 नमस्ते".split(" "),
]
TEXT = st.lists(st.one_of(st.sampled_from(ODD), st.characters(exclude_categories=["Cs"])), max_size=12).map(
    "".join
)
TOKENIZERS = [kind(VOCAB, lower_case=lower) for kind in (WordPiece, FastWordPiece) for lower in (True, False)]


@dataclass
class Example:
    question: str
    context: str
    answers: list = field(default_factory=list)


def seen(text):
    """The characters of a text that a tokenizer keeps: no space, no control character, no mark."""
    return [c for c in text if not c.isspace() and unicodedata.category(c)[0] not in "CM" and c != "\ufffd"]


@pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=lambda t: f"{type(t).__name__}-{t.lower_case}")
@settings(deadline=None, max_examples=150)
@given(context=TEXT, question=TEXT, seed=st.integers(0, 99), unanswerable=st.booleans())
def test_every_answer_is_a_stretch_of_the_passage_that_cuts_no_sign(
    tokenizer, context, question, seed, unanswerable
):
    task, examples = QA(tokenizer, 16, unanswerable=unanswerable), [Example(question, context)]
    rows, _, origins = task.encode(examples)
    rng = np.random.default_rng(seed)
    assert all(
        len(a) + len(b) + 3 <= 16 and len(origin.offsets) == len(b) for (a, b), origin in zip(rows, origins)
    )
    prediction = task.decode(examples, origins, [rng.normal(size=(len(a) + len(b) + 3, 2)) for a, b in rows])[
        0
    ]
    for answer in prediction.best:
        assert 0 <= answer.start <= answer.end <= len(context)
        assert context[answer.start : answer.end] == answer.text
        after = context[answer.end : answer.end + 1]
        assert not answer.text or not after or unicodedata.category(after)[0] != "M"


@pytest.mark.parametrize("tokenizer", TOKENIZERS, ids=lambda t: f"{type(t).__name__}-{t.lower_case}")
@settings(deadline=None, max_examples=150)
@given(before=TEXT, answer=TEXT, after=TEXT)
def test_the_labelled_pieces_hold_every_character_of_the_answer(tokenizer, before, answer, after):
    task, context = QA(tokenizer, 400), before + answer + after
    (_,), (label,), (origin,) = task.encode([Example("a", context, [(answer, len(before))])])
    if label == (0, 0):
        assert not seen(answer)  # nothing of it is a piece: it cannot be learnt, and does no harm
    else:
        start, end = origin.offsets[label[0] - origin.first][0], origin.offsets[label[1] - origin.first][1]
        places = [len(before) + i for i, c in enumerate(answer) if seen(c)]
        assert all(start <= place < end for place in places)


@pytest.mark.parametrize(
    "context, answer",
    [
        ("שלום עולם, מה שלומך", "עולם"),
        ("مرحبا بالعالم", "بالعالم"),
        ("cafe\u0301 noir", "cafe\u0301"),
        ("東京は日本の首都", "日本"),
        ("I ❤️ 👩‍👩‍👧 and 🇫🇷!", "👩‍👩‍👧"),
        ("x\u0000\u200by", "x\u0000\u200by"),
    ],
)
def test_answers_in_any_script_come_back_as_they_were_written(context, answer):
    task, examples = (
        QA(FastWordPiece(VOCAB), 64),
        [Example("who", context, [(answer, context.index(answer))])],
    )
    rows, labels, origins = task.encode(examples)
    row = np.zeros((len(rows[0][0]) + len(rows[0][1]) + 3, 2))
    row[labels[0][0], 0] = row[labels[0][1], 1] = 9
    assert task.decode(examples, origins, [row])[0].text == answer


def test_a_passage_of_100_000_words_is_read_in_seconds():
    context = (
        " ".join(["Mara", "sang", "in", "Ashby", "with", "the", "band", "."] * 12_500) + " Bo rests here"
    )
    task, examples = (
        QA(FastWordPiece(VOCAB), 128),
        [Example("who rests", context, [("Bo", len(context) - 13)])] * 2,
    )
    began = time.process_time()
    rows, labels, origins = task.encode(examples)
    logits = [np.zeros((len(a) + len(b) + 3, 2), np.float32) for a, b in rows]
    for row, (start, end) in zip(logits, labels):
        if start:
            row[start, 0] = row[end, 1] = 9
    texts = [found.text for found in task.decode(examples, origins, logits)]
    assert texts == ["Bo", "Bo"] and len(rows) > 2 * 100_000 / 60
    assert time.process_time() - began < 30
