"""Tagging: a tag for each word, predicted at its first subword: entities, chunks, part-of-speech tags.

Devlin et al. (2019, arXiv 1810.04805), section 5.3. Texts longer than a sequence are read in overlapping
windows, as in `qa`; here each word is predicted once, in training too, in the window that shows most of its
context.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
from torch import nn
from torch.nn import functional as F

from ..data.batch import IGNORE
from ..data.tagging import legal_tags
from ..model.goal import Tensors
from ..model.heads import Backbone, TokenClassifierHead
from ..readers.conll import Sentence
from ..tokenizer import BasicTokenizer
from .base import Task, check_text, few
from .entity_score import accuracy, entities, entity_f1
from .error_analysis import Table, confusion, entity_pairs, type_scores
from .records import BRACKETS, NamedEntity, Style, TypedText


class Tagging(Task[Sentence, list[str]]):
    """Tagging of entities by BIO2 tags, one for each word of a sentence.

    tags: the label set, in order. document_context: False = a row holds (a window of) one sentence; True = of
    one document, so that a word sees the neighbouring sentences, the "maximal document context" of the paper.
    It needs examples in the order of their file with a `document`; an example with None stands alone.

    `constrained` may be set to True at any time; it changes answers alone. They have no stray I- then: see
    `legal_tags`.
    # paper: not constrained
    """

    name = "tags"
    input_names = ("text",)
    prompt = "sentence> "
    constrained = False

    def __init__(self, tokenizer, max_length, tags, document_context=False):
        super().__init__(tokenizer, max_length)
        if max_length < 3:
            raise ValueError(f"max_length={max_length} must be at least 3: [CLS], a word, [SEP]")
        self.tags = self.labels = list(tags)
        self.document_context = document_context
        self.numbers = {tag: i for i, tag in enumerate(self.tags)}

    @classmethod
    def fit(cls, tokenizer: Any, max_length: int, examples: Sequence[Sentence], **settings: Any) -> Tagging:
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
    def tag_set(examples: Sequence[Sentence]) -> list[str]:
        """Return all tags of the examples, "O" first, then sorted; each type has both B- and I-."""
        types = {tag[2:] for example in examples for tag in example.tags if tag != "O"}
        return ["O"] + sorted(f"{edge}-{type_}" for type_ in types for edge in "BI")

    def example(self, text: str) -> TypedText:
        """Return the words of a text."""
        check_text(text, "text")
        places = [(word.start, word.end) for word in BasicTokenizer(lower_case=False).split(text)]
        if not places:
            raise ValueError("the text is empty")
        words = [text[start:end] for start, end in places]
        return TypedText(words, ["O"] * len(words), 1, text=text, places=places)

    def unlabelled(self, examples: Sequence[Sentence]) -> list[Sentence]:
        return [replace(example, tags=self.tags[:1] * len(example.words)) for example in examples]

    def encode(
        self, examples: Sequence[Sentence]
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

    def texts(self, examples: Sequence[Sentence]) -> list[list[int]]:
        """Return lists of example indices, each of which is read as one text."""
        found: list[list[int]] = []
        for index, example in enumerate(examples):
            if index and self.together(examples[index - 1], example):
                found[-1].append(index)
            else:
                found.append([index])
        return found

    def together(self, one: Sentence, other: Sentence) -> bool:
        return self.document_context and one.document is not None and one.document == other.document

    def pieces(
        self, examples: Sequence[Sentence], text: Sequence[int]
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

    def tag_id(self, example: Sentence, word: int) -> int:
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

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        """Return the mean cross-entropy over the words; labels (B, T)."""
        logits, tags = outputs["tags"].float().flatten(0, 1), labels["tags"].flatten()
        return {"tags": F.cross_entropy(logits, tags, ignore_index=IGNORE)}

    def decode(
        self,
        examples: Sequence[Sentence],
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

    def metric(self, examples: Sequence[Sentence], answers: Sequence[Sequence[str]]) -> dict[str, float]:
        """Return precision, recall, F1 and accuracy; entities of a type unseen in training are missed."""
        return entity_f1([example.tags for example in examples], answers)

    def unseen(self, examples: Sequence[Sentence]) -> list[str]:
        return sorted({tag for example in examples for tag in example.tags} - set(self.tags))

    def errors(self, examples: Sequence[Sentence], answers: Sequence[Sequence[str]]) -> list[Table]:
        """Return the scores of each type of entity, and the confusion table of the types."""
        gold = [example.tags for example in examples]
        pairs = (
            pair
            for right, given in zip(gold, answers)
            for pair in entity_pairs(entities(right), entities(given))
        )
        return [type_scores(gold, answers), confusion(pairs, "entity")]

    @property
    def types(self) -> list[str]:
        """Return the types of entities in the label set, sorted."""
        return sorted({tag[2:] for tag in self.tags if tag != "O"})

    @staticmethod
    def spans(tags: Sequence[str]) -> list[tuple[int, int, str]]:
        """Return what tags mark, in order, as (first word, last word, type).

        >>> Tagging.spans(["B-PER", "I-PER", "O"]), PlainTagging.spans(["NOUN", "VERB"])
        ([(0, 1, 'PER')], [(0, 0, 'NOUN'), (1, 1, 'VERB')])
        """
        return sorted((first, last, type_) for type_, first, last in entities(tags))

    def result(self, example: Sentence, prediction: Sequence[str]) -> list[NamedEntity]:
        """Return the entities of an example's text, in order."""
        text, places = example.located()
        found = [(places[first][0], places[last][1], type_) for first, last, type_ in self.spans(prediction)]
        return [NamedEntity(text[start:end], type_, start, end) for start, end, type_ in found]

    def show(self, example: Sentence, prediction: Sequence[str], style: Style = BRACKETS) -> str:
        """Return the text with its entities marked: [Mira Harlow PER] lives in [Ashby LOC]."""
        return marked(example.located()[0], self.result(example, prediction), style)

    def write(self, example: Sentence, prediction: Sequence[str]) -> dict[str, str]:
        """Return lines of word, the file's tag where it is known, and answer, as conlleval reads them.

        A blank line follows; columns are separated as in the file that they came from (by tabs: `conlleval -d
        "\\t"`). Marks of documents are left out.
        """
        columns = [example.words, *([example.tags] if example.known else []), prediction]
        lines = (example.separator.join(cells) + "\n" for cells in zip(*columns))
        return {"predictions": "".join(lines) + "\n"}


class PlainTagging(Tagging):
    """Tagging with tags that mark no entities, such as part-of-speech tags, scored by accuracy alone."""

    @staticmethod
    def tag_set(examples: Sequence[Sentence]) -> list[str]:
        """Return all tags of the examples, sorted."""
        return sorted({tag for example in examples for tag in example.tags})

    def metric(self, examples: Sequence[Sentence], answers: Sequence[Sequence[str]]) -> dict[str, float]:
        return {"accuracy": accuracy([example.tags for example in examples], answers)}

    def errors(self, examples: Sequence[Sentence], answers: Sequence[Sequence[str]]) -> list[Table]:
        """Return the confusion table of the tags."""
        pairs = (pair for example, given in zip(examples, answers) for pair in zip(example.tags, given))
        return [confusion(pairs, "tag")]

    @property
    def types(self) -> list[str]:
        """Return the tags, sorted."""
        return sorted(set(self.tags) - {"O"})

    @staticmethod
    def spans(tags: Sequence[str]) -> list[tuple[int, int, str]]:
        """Return each word with its tag, as (word, word, tag)."""
        return [(i, i, tag) for i, tag in enumerate(tags)]


def marked(text: str, found: Iterable[NamedEntity], style: Style) -> str:
    """Return a text with each entity that was found in it marked, and the rest plain.

    >>> found = [NamedEntity("Mira", "PER", 0, 4), NamedEntity("Ashby", "LOC", 10, 15)]
    >>> marked("Mira left Ashby.", found, Style("<{} {}>".format, str.upper))
    '<Mira PER> LEFT <Ashby LOC>.'
    """
    shown, last = "", 0
    for entity in found:
        shown += style.plain(text[last : entity.start]) + style.mark(entity.text, entity.type)
        last = entity.end
    return shown + style.plain(text[last:])


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
