"""Tagging: a tag for each word, predicted at its first subword: entities, chunks, part-of-speech tags.

Devlin et al. (2019, arXiv 1810.04805), section 5.3. Texts longer than a sequence are read in overlapping
windows, as in `qa`; here each word is predicted once, in training too, in the window that shows most of its
context.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from ..data.batch import IGNORE
from ..data.tagging import legal_tags
from ..model.heads import Backbone, TokenClassifierHead
from .base import Task, few
from .entity_score import accuracy, entities, entity_f1, entity_f1_by_type

__all__ = [
    "PlainTagging",
    "Tagging",
    "entities",
    "entity_f1",
    "entity_f1_by_type",
    "half_overlapping_windows",
]


class Tagging(Task):
    """Tagging of entities; examples are like `minibert.readers.conll.Sentence`, with BIO2 tags.

    They have `words` and `tags`. tags: the label set, in order. document_context: False = a row holds (a
    window of) one sentence; True = of one document, so that a word sees the neighbouring sentences, the
    "maximal document context" of the paper. It needs examples in the order of their file with a `document`;
    an example with None stands alone.

    `constrained` may be set to True at any time; it changes answers alone. They have no stray I- then: see
    `legal_tags`.
    # paper: not constrained
    """

    name = "tags"
    constrained = False

    def __init__(self, tokenizer, max_length, tags, document_context=False):
        super().__init__(tokenizer, max_length)
        if max_length < 3:
            raise ValueError(f"max_length={max_length} must be at least 3: [CLS], a word, [SEP]")
        self.tags, self.document_context = list(tags), document_context
        self.numbers = {tag: i for i, tag in enumerate(self.tags)}

    @classmethod
    def fit(cls, tokenizer: Any, max_length: int, examples: Sequence[Any], **settings: Any) -> Tagging:
        """Return the task with the tags of the examples. Raises ValueError where all have the same one tag.

        settings: document_context.
        """
        tags = cls.tag_set(examples)
        if len(tags) < 2:
            raise ValueError(
                f"{len(tags)} tag(s) in training, where at least 2 are to be told apart: {', '.join(tags)}"
            )
        return cls(tokenizer, max_length, tags, **settings)

    @property
    def settings(self) -> dict[str, Any]:
        return {"tags": self.tags, "document_context": self.document_context}

    @staticmethod
    def tag_set(examples: Sequence[Any]) -> list[str]:
        """Return all tags of the examples, "O" first, then sorted; each type has both B- and I-."""
        types = {tag[2:] for example in examples for tag in example.tags if tag != "O"}
        return ["O"] + sorted(f"{edge}-{type_}" for type_ in types for edge in "BI")

    def unlabelled(self, examples: Sequence[Any]) -> list[Any]:
        return [replace(example, tags=self.tags[:1] * len(example.words)) for example in examples]

    def encode(
        self, examples: Sequence[Any]
    ) -> tuple[list[Any], list[list[int]], list[list[tuple[int, int, int]]]]:
        """Return one row for each window, a tag id for each of its tokens, and the words that it answers for.

        A label is IGNORE except at the first subwords of these words. They are listed as (example index, word
        index, row position of the first subword). A window that answers for no word, as inside a word longer
        than a row, makes no row. Raises ValueError for a tag that is not in the label set.
        """
        rows, labels, origins = [], [], []
        ids = [[self.tag_id(example, word) for word in range(len(example.words))] for example in examples]
        for text in self.texts(examples):
            pieces, firsts = self.pieces(examples, text)
            begins, owners = half_overlapping_windows(
                len(pieces), self.max_length - 2, [first for *_, first in firsts]
            )
            for number, owned in groupby(zip(owners, firsts), key=lambda pair: pair[0]):
                begin = begins[number]
                origin = [(index, word, first - begin + 1) for _, (index, word, first) in owned]  # + 1: [CLS]
                row = pieces[begin : begin + self.max_length - 2]
                label = [IGNORE] * (len(row) + 2)
                for index, word, position in origin:
                    label[position] = ids[index][word]
                rows.append((row, None))
                labels.append(label)
                origins.append(origin)
        return rows, labels, origins

    def texts(self, examples: Sequence[Any]) -> list[list[int]]:
        """Return lists of example indices, each of which is read as one text."""
        found: list[list[int]] = []
        for index, example in enumerate(examples):
            if index and self.together(examples[index - 1], example):
                found[-1].append(index)
            else:
                found.append([index])
        return found

    def together(self, one: Any, other: Any) -> bool:
        return self.document_context and one.document is not None and one.document == other.document

    def pieces(
        self, examples: Sequence[Any], text: Sequence[int]
    ) -> tuple[list[int], list[tuple[int, int, int]]]:
        """Return the ids of a text, and of each word (example index, word index, place of its first one).

        text: indices of the examples that make it up. A word without a subword, such as a control character,
        is left out.
        """
        ids: list[int] = []
        firsts: list[tuple[int, int, int]] = []
        for index in text:
            encoding = self.tokenizer.encode_words(examples[index].words)
            firsts += [
                (index, word, len(ids) + i)
                for i, word in enumerate(encoding.words)
                if i == 0 or word != encoding.words[i - 1]
            ]
            ids += encoding.ids
        return ids, firsts

    def tag_id(self, example: Any, word: int) -> int:
        """Return the index of a word's tag. Raises ValueError for a tag that is not in the label set."""
        tag = example.tags[word]
        if tag not in self.numbers:
            raise ValueError(
                f"the sentence at line {example.line}: tag {tag!r} "
                f"(word {example.words[word]!r}) was not seen in training; "
                f"known tags: {few(self.tags)}"
            )
        return self.numbers[tag]

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"tags": TokenClassifierHead(encoder.config, len(self.tags))}

    def loss(self, outputs: Mapping[str, torch.Tensor], labels: torch.Tensor) -> torch.Tensor:
        """Return the mean cross-entropy over the words; labels (B, T)."""
        return F.cross_entropy(outputs["tags"].float().flatten(0, 1), labels.flatten(), ignore_index=IGNORE)

    def decode(
        self,
        examples: Sequence[Any],
        origins: Sequence[list[tuple[int, int, int]]],
        logits: Sequence[np.ndarray],
    ) -> list[list[str]]:
        """Return one list of tags for each example.

        A word without a subword gets the first tag, which is O where tags mark entities.
        """
        scores = [np.full((len(example.words), len(self.tags)), -np.inf) for example in examples]
        for table in scores:
            table[:, 0] = 0
        for origin, row in zip(origins, logits):
            for index, word, position in origin:
                scores[index][word] = row[position]
        if self.constrained:
            return [legal_tags(table, self.tags) for table in scores]
        return [[self.tags[best] for best in table.argmax(-1)] for table in scores]

    def text(self, examples: Sequence[Any], answers: Sequence[Sequence[str]]) -> str:
        """Return lines of word, the file's tag where it is known, and answer, as conlleval reads them.

        A blank line follows each sentence; columns are separated as in the file that they came from (by tabs:
        `conlleval -d "\\t"`). Marks of documents are left out.
        """
        columns = (
            [example.words, *([example.tags] if example.known else []), tags]
            for example, tags in zip(examples, answers)
        )
        return "".join(
            "".join(example.separator.join(line) + "\n" for line in zip(*cells)) + "\n"
            for example, cells in zip(examples, columns)
        )

    def metric(self, examples: Sequence[Any], answers: Sequence[Sequence[str]]) -> dict[str, float]:
        """Return precision, recall, F1 and accuracy; entities of a type unseen in training are missed."""
        return entity_f1([example.tags for example in examples], answers)

    def unseen(self, examples: Sequence[Any]) -> list[str]:
        return sorted({tag for example in examples for tag in example.tags} - set(self.tags))


class PlainTagging(Tagging):
    """Tagging with tags that mark no entities, such as part-of-speech tags, scored by accuracy alone."""

    @staticmethod
    def tag_set(examples: Sequence[Any]) -> list[str]:
        """Return all tags of the examples, sorted."""
        return sorted({tag for example in examples for tag in example.tags})

    def metric(self, examples: Sequence[Any], answers: Sequence[Sequence[str]]) -> dict[str, float]:
        return {"accuracy": accuracy([example.tags for example in examples], answers)}


def half_overlapping_windows(length: int, room: int, places: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return windows of `room` tokens over `length` tokens, and which window answers for each of `places`.

    Each window overlaps half of the one before. Returns (first places of the windows, for each of `places`
    the index of the window whose middle is nearest, hence where the nearer end is farthest; the earlier one
    of two).

    >>> half_overlapping_windows(10, 4, [0, 2, 3, 4, 9])
    ([0, 2, 4, 6], [0, 0, 1, 1, 3])
    """
    last, step = max(length - room, 0), max(room // 2, 1)
    begins = np.minimum(np.arange(0, last + step, step), last)  # the last window ends with the text
    between = (begins[1:] + begins[:-1] + room - 1) / 2  # halfway between two middles
    return begins.tolist(), np.searchsorted(between, places, side="left").tolist()
