"""Extractive question answering: predict the first and last token of the answer in a passage, or no answer.

Devlin et al. (2019, arXiv 1810.04805), sections 4.2 (SQuAD 1.1) and 4.3 (SQuAD 2.0, with [CLS] for no
answer). Passages longer than a sequence are divided into overlapping windows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from torch import nn
from torch.nn import functional as F

from ..data.spans import LONGEST_ANSWER, windows
from ..model import Model
from ..model.goal import Tensors
from ..model.heads import Backbone, TokenClassifierHead
from ..readers.squad import QAExample
from ..readers.wording import truncation
from .base import Task, check_text
from .evaluation import QuestionEvaluation
from .records import BRACKETS, JSON_OBJECT, Answer, Prediction, Style, Window
from .spans import best_spans, owned, whole_characters
from .squad_score import best_threshold, exact_match_and_f1, gold_answers, mean_scores

LONGEST_QUESTION = 64  # tokens
LISTED = 20  # answers in an n-best list; like LONGEST_QUESTION, as in the paper's code
SHOWN = 5  # answers that are shown with their probabilities
CERTAIN = 1e6  # null odds of a passage without tokens: much larger than any from logits


class QA(Task[QAExample, Prediction]):
    """The task of extractive question answering.

    stride: the number of tokens between window starts, by default half a window. longest_question,
    longest_answer: maximum numbers of tokens. unanswerable: True if questions may have no answer; a question
    is then left unanswered if the score of "no answer" exceeds the best answer's score by more than
    `threshold`.
    """

    name = "span"
    threshold: float
    input_names = ("question", "context")
    prompt = "question> "
    files = ("predictions", "nbest", "null_odds")  # as written by `run_squad.py`
    file_format = JSON_OBJECT

    def __init__(
        self,
        tokenizer: Any,
        max_length: int,
        stride: int | None = None,
        longest_question: int = LONGEST_QUESTION,
        longest_answer: int = LONGEST_ANSWER,
        unanswerable: bool = False,
        threshold: float = 0.0,
    ) -> None:
        super().__init__(tokenizer, max_length)
        if max_length < 6:
            raise ValueError(
                f"max_length={max_length} must be at least 6, for [CLS] question [SEP] passage [SEP]"
            )
        if longest_question < 1 or longest_answer < 1 or (stride is not None and stride < 1):
            raise ValueError(
                f"stride={stride}, longest_question={longest_question}, "
                f"longest_answer={longest_answer}: each must be at least 1"
            )
        self.stride, self.longest_question, self.longest_answer = stride, longest_question, longest_answer
        self.unanswerable, self.threshold = unanswerable, threshold

    @classmethod
    def fit(cls, tokenizer: Any, max_length: int, examples: Sequence[QAExample], **settings: Any) -> QA:
        """Build the task; questions may be left unanswered if any training example has no answer."""
        return cls(
            tokenizer, max_length, **{"unanswerable": any(not e.answers for e in examples), **settings}
        )

    @property
    def settings(self) -> dict[str, Any]:
        return {
            "stride": self.stride,
            "longest_question": self.longest_question,
            "longest_answer": self.longest_answer,
            "unanswerable": self.unanswerable,
            "threshold": self.threshold,
        }

    def example(self, question: str, context: str) -> QAExample:
        check_text(question, "question")
        check_text(context, "context")
        return QAExample("0", question, context, [], False, "")

    def encode(self, examples: Sequence[QAExample]) -> tuple[list[Any], list[tuple[int, int]], list[Window]]:
        """Return a sequence for each window of a passage, the answer's (start, end) in it, and its Window.

        start and end are positions in the row, or (0, 0), which is [CLS], if the answer is not in the window.
        A question is truncated to `longest_question` tokens, and to half of the row.
        """
        rows, labels, origins = [], [], []
        context: Any = None
        passage: Any = None
        longest = self.room_for_question
        for index, example in enumerate(examples):
            question = self.tokenizer.encode(example.question).ids
            self.truncated += len(question) > longest
            question = question[:longest]
            if example.context is not context:  # consecutive questions share a passage, so encode it once
                context, passage = example.context, self.tokenizer.encode(example.context)
            room = self.max_length - len(question) - 3  # [CLS] question [SEP] passage [SEP]
            first, answer = len(question) + 2, answer_pieces(example, passage.offsets)
            begins = windows(len(passage.ids), room, self.stride)
            for begin, flags in zip(begins, owned(begins, room, len(passage.ids))):
                end = begin + len(flags)
                rows.append((question, passage.ids[begin:end]))
                labels.append(
                    (first + answer[0] - begin, first + answer[1] - begin)
                    if answer is not None and begin <= answer[0] and answer[1] < end
                    else (0, 0)
                )
                origins.append(Window(index, first, passage.offsets[begin:end], flags))
        return rows, labels, origins

    @property
    def room_for_question(self) -> int:
        return min(self.longest_question, (self.max_length - 3) // 2)

    def truncation(self, count: int) -> str:
        return truncation(count, "question", self.room_for_question)

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"span": TokenClassifierHead(encoder.config, 2)}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        """Return the mean of the cross-entropies of the start and end positions; labels (B, 2)."""
        start, end = outputs["span"].float().unbind(-1)  # (B, T) each
        first, last = labels["span"].unbind(-1)  # (B,) each
        return {"span": (F.cross_entropy(start, first) + F.cross_entropy(end, last)) / 2}

    def decode(
        self, examples: Sequence[QAExample], origins: Sequence[Window], logits: Sequence[np.ndarray]
    ) -> list[Prediction]:
        """Return one Prediction for each example, from all its windows.

        A span may only start in the window in which its first token has the most context. "No answer" gets
        the lowest score of [CLS] over all windows, as in `run_squad.py`.
        """
        found: list[list[tuple[int, int, float, float]]] = [[] for _ in examples]
        null = [(np.inf, np.inf)] * len(examples)
        for (index, first, offsets, flags), row in zip(origins, logits):
            row = row.astype(np.float64)  # (T, 2)
            null[index] = min(null[index], (float(row[0, 0]), float(row[0, 1])), key=sum)
            starts, ends = row[first : first + len(offsets)].T  # of the passage
            best = best_spans(starts, ends, LISTED, self.longest_answer, flags)
            found[index] += [
                (offsets[start][0], offsets[end][1], float(starts[start]), float(ends[end]))
                for start, end, _ in best
            ]
        return [
            self.prediction(example.context, spans, none)
            for example, spans, none in zip(examples, found, null)
        ]

    def distributions(
        self, examples: Sequence[QAExample], origins: Sequence[Window], logits: Sequence[np.ndarray]
    ) -> list[dict[Any, float]]:
        """Return the probabilities of the best answers, best first; "" means no answer."""
        found = self.decode(examples, origins, logits)
        return [{one.text: one.probability for one in prediction.best} for prediction in found]

    def prediction(
        self, context: str, spans: Iterable[tuple[int, int, float, float]], none: tuple[float, float]
    ) -> Prediction:
        """Return the Prediction for the spans of all windows and the two logits of "no answer".

        spans: (start, end, start logit, end logit) of each span.
        """
        listed: dict[str, tuple[int, int, float, float]] = {}
        for start, end, at_start, at_end in sorted(spans, key=lambda span: (-sum(span[2:]), span)):
            start, end = whole_characters(context, start, end)
            if len(listed) < LISTED:
                listed.setdefault(context[start:end], (start, end, at_start, at_end))
        best = next(iter(listed), "")
        odds = 0.0 if not self.unanswerable else sum(none) - sum(listed[best][2:]) if listed else CERTAIN
        if self.unanswerable or not listed:
            listed[""] = (0, 0, *none)
        ranked = sorted(listed.items(), key=lambda entry: -sum(entry[1][2:]))
        scores = np.array([sum(place[2:]) for _, place in ranked])
        weights = np.exp(scores - scores[0])
        answers = [
            Answer(text, *place, float(weight))
            for (text, place), weight in zip(ranked, weights / weights.sum())
        ]
        return Prediction(best if not self.unanswerable or odds <= self.threshold else "", odds, answers)

    def answer(self, model: Model, examples: Sequence[QAExample], batch_size: int = 32) -> list[str]:
        return [prediction.text for prediction in self.predict(model, examples, batch_size)]

    def tune(self, model: Model, examples: Sequence[QAExample]) -> None:
        """Set the threshold that gives the best F1 on examples, if questions may have no answer."""
        if self.unanswerable:
            predictions = self.predict(model, examples)
            scores = [
                exact_match_and_f1(prediction.best_text, gold_answers(example))[1]
                for example, prediction in zip(examples, predictions)
            ]
            odds = [prediction.null_odds for prediction in predictions]
            self.threshold = best_threshold(scores, [bool(example.answers) for example in examples], odds)[1]

    def metric(self, examples: Sequence[QAExample], answers: Sequence[str]) -> dict[str, float]:
        scores = [
            exact_match_and_f1(answer, gold_answers(example)) for example, answer in zip(examples, answers)
        ]
        return mean_scores(scores, [bool(example.answers) for example in examples])

    def evaluation(self) -> QuestionEvaluation:
        return QuestionEvaluation(self)

    def result(self, example: QAExample, prediction: Prediction) -> str:
        """Return the text of the answer, or "" for no answer."""
        return prediction.text

    def reply(self, example: QAExample, prediction: Prediction, style: Style = BRACKETS) -> str:
        """Return the answer with its probability among the best answers."""
        probability = next((one.probability for one in prediction.best if one.text == prediction.text), 0.0)
        return f"{prediction.text or '(no answer)'}  ({100 * probability:.0f}%)"

    def show_probabilities(self, shares: Mapping[str, float]) -> str:
        """Return the SHOWN most probable answers with their probabilities, one on each line."""
        best = list(shares.items())[:SHOWN]
        return super().show_probabilities({text or "(no answer)": share for text, share in best})

    def write(self, example: QAExample, prediction: Prediction) -> dict[str, str]:
        best = [
            {
                "text": answer.text,
                "probability": answer.probability,
                "start_logit": answer.start_logit,
                "end_logit": answer.end_logit,
            }
            for answer in prediction.best
        ]
        values = {"predictions": prediction.text, "nbest": best, "null_odds": prediction.null_odds}
        key = json.dumps(example.id, ensure_ascii=False)
        return {name: f"{key}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()}


def answer_pieces(example: QAExample, offsets: Sequence[tuple[int, int]]) -> tuple[int, int] | None:
    """Return the indices of the first and last token of an example's first answer, or None.

    offsets: (start, end) of each token of the passage, in characters.
    """
    if not example.answers or not offsets:
        return None
    text, start = example.answers[0]
    lefts, rights = np.array(offsets).T  # both are in ascending order
    first = np.searchsorted(rights, start, "right")
    last = np.searchsorted(lefts, start + len(text), "left") - 1
    return (int(first), int(last)) if first <= last else None
