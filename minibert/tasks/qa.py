"""Extractive question answering: mark the answer's first and last token in the passage.

Devlin et al. (2019, arXiv 1810.04805), section 4.2; passages longer than a row are read in overlapping windows.
Scores as Rajpurkar et al. (2016, arXiv 1606.05250), section 6.
"""
import re
import string
from collections import Counter

import numpy as np
from torch.nn import functional as F

from ..corpora.squad import predictions_text
from ..model.heads import TokenClassifierHead
from .base import Task

LONGEST_ANSWER = 30     # pieces; the paper's code has the same limit
LONGEST_QUESTION = 64   # pieces


class QA(Task):
    """Examples have `question`, `context`, `answers` [(text, start)], as `minibert.corpora.squad.QAExample`."""

    name = "span"

    def encode(self, examples):
        """One row per window. A label is (start, end), positions in the row, (0, 0) = [CLS] where no answer is inside.

        An origin is (example index, row position of the window's first piece, character offsets of its pieces).
        """
        rows, labels, origins = [], [], []
        for index, example in enumerate(examples):
            question = self.tokenizer.encode(example.question).ids[:LONGEST_QUESTION]
            passage = self.tokenizer.encode(example.context)
            room = self.max_length - len(question) - 3                          # [CLS] question [SEP] passage [SEP]
            if room < 2:
                raise ValueError(f"max_length={self.max_length} leaves no room beside a question of {len(question)} pieces")
            first = len(question) + 2
            for begin in windows(len(passage.ids), room):
                offsets = passage.offsets[begin:begin + room]
                rows.append((question, passage.ids[begin:begin + room]))
                labels.append(self.label(example, offsets, first))
                origins.append((index, first, offsets))
        return rows, labels, origins

    @staticmethod
    def label(example, offsets, first):
        """Row positions of the first answer's first and last piece, or (0, 0)."""
        if not example.answers:
            return 0, 0
        text, start = example.answers[0]
        end = start + len(text)
        inside = [i for i, (left, right) in enumerate(offsets) if left < end and right > start]
        if not inside or offsets[0][0] > start or offsets[-1][1] < end:
            return 0, 0
        return first + inside[0], first + inside[-1]

    def heads(self, encoder):
        return {"span": TokenClassifierHead(encoder.config, 2)}

    def loss(self, outputs, labels):
        """Mean of the two cross-entropies over positions; labels (B, 2)."""
        start, end = outputs["span"].float().unbind(-1)                         # (B, T) each
        return (F.cross_entropy(start, labels[:, 0]) + F.cross_entropy(end, labels[:, 1])) / 2

    def decode(self, examples, origins, logits):
        """The text of the best span of each example, over all its windows."""
        best = {}
        for (index, first, offsets), row in zip(origins, logits):
            start, end, score = best_span(row[first:first + len(offsets), 0], row[first:first + len(offsets), 1])
            if index not in best or score > best[index][0]:
                best[index] = score, examples[index].context[offsets[start][0]:offsets[end][1]]
        return [best[index][1] if index in best else "" for index in range(len(examples))]

    def text(self, examples, answers):
        """A JSON object, question id to answer, as SQuAD's official scripts read it."""
        return predictions_text({example.id: answer for example, answer in zip(examples, answers)})

    def metric(self, examples, answers):
        scores = [exact_match_and_f1(answer, [text for text, _ in example.answers] or [""])
                  for example, answer in zip(examples, answers)]
        exact, f1 = np.mean(scores, axis=0) * 100
        return {"exact match": exact, "F1": f1}


def windows(length, room):
    """First positions of windows of `room` pieces, each half over the one before, that cover `length` pieces.

    >>> windows(10, 4), windows(3, 4)
    ([0, 2, 4, 6], [0])
    """
    return list(range(0, max(length - room, 0) + 1, max(room // 2, 1))) + (
        [length - room] if length > room and (length - room) % max(room // 2, 1) else [])


def best_span(start_logits, end_logits, longest=LONGEST_ANSWER):
    """(start, end, score) with the largest start_logits[start] + end_logits[end], start <= end < start + longest.

    >>> best_span(np.array([0.0, 2.0, 1.0]), np.array([3.0, 0.0, 1.0]))[:2]
    (0, 0)
    """
    T = len(start_logits)
    scores = start_logits[:, None] + end_logits[None, :]                        # (T, T)
    distance = np.arange(T)[None, :] - np.arange(T)[:, None]
    scores = np.where((distance >= 0) & (distance < longest), scores, -np.inf)
    start, end = np.unravel_index(scores.argmax(), scores.shape)
    return int(start), int(end), float(scores[start, end])


def normalize_answer(text):
    """Lower case, without punctuation, articles and extra white space: what SQuAD's scorer compares.

    >>> normalize_answer("The  Cat's!")
    'cats'
    """
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def exact_match_and_f1(answer, gold):
    """(exact match, F1 of the words), 0 to 1, each the best over the reference answers `gold`.

    >>> exact_match_and_f1("in Marlow town", ["Marlow town", "Ashby"])
    (0.0, 0.8)
    """
    def score(reference):
        predicted, wanted = normalize_answer(answer), normalize_answer(reference)
        a, b = predicted.split(), wanted.split()
        common = sum((Counter(a) & Counter(b)).values())
        f1 = 2 * common / (len(a) + len(b)) if a and b else float(a == b)
        return float(predicted == wanted), f1
    scores = [score(reference) for reference in gold]
    return max(exact for exact, _ in scores), max(f1 for _, f1 in scores)
