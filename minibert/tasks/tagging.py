"""Tagging of entities, chunks or part-of-speech tags, with one tag per word, predicted at its first subword.

Devlin et al. (2019, arXiv 1810.04805), section 5.3. Texts longer than a sequence are divided into overlapping
windows, and each word is assigned to the window in which it has the most context.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
from scipy.special import softmax
from torch import nn
from torch.nn import functional as F

from ..data.batch import IGNORE
from ..data.tagging import legal_tags
from ..model.goal import Tensors
from ..model.heads import Backbone, TokenClassifierHead
from ..readers.conll import Sentence
from ..readers.wording import plural
from .base import Task, check_text, few
from .entity_score import accuracy, entities, entity_f1
from .error_analysis import Table, confusion, entity_pairs, type_scores
from .label_names import other_types, renamed
from .records import BRACKETS, NamedEntity, Style, TypedText
from .typed_words import typed_words


class Tagging(Task[Sentence, list[str]]):
    """Named entity recognition with BIO2 tags, one for each word of a sentence.

    tags: the list of tags, in the order of the logits. document_context: False to read each sentence alone;
    True to read whole documents, so that neighbouring sentences are visible (the paper's "maximal document
    context"). That needs examples in the order of their file with a `document`. `constrained` may be set to
    True at any time to exclude illegal tag sequences from predictions.
    """

    name = "tags"
    input_names = ("text",)
    prompt = "sentence> "
    constrained = False  # paper: not constrained
    edge = 2  # length of B- and I-, which precede a type in a tag

    def __init__(self, tokenizer, max_length, tags, document_context=False):
        super().__init__(tokenizer, max_length)
        if max_length < 3:
            raise ValueError(f"max_length={max_length} must be at least 3, for [CLS], a word and [SEP]")
        self.tags = self.labels = list(tags)
        self.document_context = document_context
        self.numbers = {tag: i for i, tag in enumerate(self.tags)}

    @classmethod
    def fit(cls, tokenizer: Any, max_length: int, examples: Sequence[Sentence], **settings: Any) -> Tagging:
        """Build the task with the tags of the training examples.

        settings: may contain `document_context`. Raises ValueError if there are fewer than two distinct tags.
        """
        tags = cls.tag_set(examples)
        if len(tags) < 2:
            raise ValueError(
                f"the training examples have only {plural(len(tags), 'distinct tag')} "
                f"({', '.join(tags)}), but at least 2 are needed"
            )
        return cls(tokenizer, max_length, tags, **settings)

    @property
    def settings(self) -> dict[str, Any]:
        return {"tags": self.tags, "document_context": self.document_context}

    @staticmethod
    def tag_set(examples: Sequence[Sentence]) -> list[str]:
        """Return "O" followed by the sorted tags of the examples, with both B- and I- for each type."""
        types = {tag[2:] for example in examples for tag in example.tags if tag != "O"}
        return ["O"] + sorted(f"{edge}-{type_}" for type_ in types for edge in "BI")

    def example(self, text: str) -> TypedText:
        """Make an unlabelled example from a text by splitting it into words; see `typed_words`."""
        check_text(text, "text")
        places = typed_words(text)
        if not places:
            raise ValueError("the text is empty")
        words = [text[start:end] for start, end in places]
        return TypedText(words, ["O"] * len(words), 1, text=text, places=places)

    def unlabelled(self, examples: Sequence[Sentence]) -> list[Sentence]:
        return [replace(example, tags=self.tags[:1] * len(example.words)) for example in examples]

    def encode(
        self, examples: Sequence[Sentence]
    ) -> tuple[list[Any], list[list[int]], list[list[tuple[int, int, int]]]]:
        """Return a row for each window, a tag id for each of its tokens, and the words assigned to it.

        The words are given as (example index, word index, position of the first subword in the row). The
        label is the word's tag at these positions, and IGNORE elsewhere. Windows without assigned words, such
        as those inside a very long word, are dropped. Raises ValueError for an unknown tag.
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
        """Return a list for each text that is read as a whole: the indices of its examples."""
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
        """Return the ids of a text, and (example index, word index, position of its first id) for each word.

        text: the indices of its examples. A word without subwords, such as a control character, is omitted.
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
        logits, tags = outputs["tags"].float().flatten(0, 1), labels["tags"].flatten()
        return {"tags": F.cross_entropy(logits, tags, ignore_index=IGNORE)}

    def decode(
        self,
        examples: Sequence[Sentence],
        origins: Sequence[list[tuple[int, int, int]]],
        logits: Sequence[np.ndarray],
    ) -> list[list[str]]:
        """Return a list of tags for each example.

        A word without subwords gets the tag O or, if there is none, the first tag.
        """
        return [self.best_tags(table) for table in self.by_word(examples, origins, logits)]

    def distributions(
        self,
        examples: Sequence[Sentence],
        origins: Sequence[list[tuple[int, int, int]]],
        logits: Sequence[np.ndarray],
    ) -> list[dict[Any, float]]:
        """Return a dict for each example that maps each predicted entity to its probability, in text order.

        The probability of an entity is the product of the probabilities of its words' tags.
        """
        found = []
        for example, table in zip(examples, self.by_word(examples, origins, logits)):
            tags, probs = self.best_tags(table), softmax(table, axis=-1)  # (words, C)
            sure = [float(row[self.numbers[tag]]) for row, tag in zip(probs, tags)]
            shares = [math.prod(sure[first : last + 1]) for first, last, _ in self.spans(tags)]
            found.append(dict(zip(self.result(example, tags), shares)))
        return found

    def by_word(
        self,
        examples: Sequence[Sentence],
        origins: Sequence[list[tuple[int, int, int]]],
        logits: Sequence[np.ndarray],
    ) -> list[np.ndarray]:
        scores = [np.full((len(example.words), len(self.tags)), -np.inf) for example in examples]
        for table in scores:
            table[:, self.numbers.get("O", 0)] = 0
        for origin, row in zip(origins, logits):
            for index, word, position in origin:
                scores[index][word] = row[position]
        return scores

    def best_tags(self, table: np.ndarray) -> list[str]:
        if self.constrained:
            return legal_tags(table, self.tags)
        return [self.tags[best] for best in table.argmax(-1)]

    def metric(self, examples: Sequence[Sentence], answers: Sequence[Sequence[str]]) -> dict[str, float]:
        """Return precision, recall, F1 and accuracy by name; entities of unseen types count as missed."""
        return entity_f1([example.tags for example in examples], answers)

    def unseen(self, examples: Sequence[Sentence]) -> list[str]:
        return sorted({tag for example in examples for tag in example.tags} - set(self.tags))

    def label_names(self, examples: Sequence[Sentence]) -> tuple[set[str], Sequence[str]]:
        return {type_ for example in examples for *_, type_ in self.spans(example.tags)}, self.types

    def relabelled(self, examples: Iterable[Sentence]) -> Iterator[Sentence]:
        types, others = self.types, other_types(self.types)
        for example in examples:
            found = {tag[self.edge :] for tag in example.tags}
            new = {type_: name for type_ in found if (name := renamed(type_, types, others)) != type_}
            self.renamed |= new
            tags = [tag[: self.edge] + new.get(tag[self.edge :], tag[self.edge :]) for tag in example.tags]
            yield replace(example, tags=tags) if new else example

    def errors(self, examples: Sequence[Sentence], answers: Sequence[Sequence[str]]) -> list[Table]:
        """Return the scores of each entity type, and the confusion table of the types."""
        gold = [example.tags for example in examples]
        pairs = (
            pair
            for right, given in zip(gold, answers)
            for pair in entity_pairs(entities(right), entities(given))
        )
        return [type_scores(gold, answers), confusion(pairs, "entity")]

    @property
    def types(self) -> list[str]:
        return sorted({tag[2:] for tag in self.tags if tag != "O"})

    @staticmethod
    def spans(tags: Sequence[str]) -> list[tuple[int, int, str]]:
        """Return the spans marked by tags, in order, as (first word, last word, type).

        >>> Tagging.spans(["B-PER", "I-PER", "O"]), PlainTagging.spans(["NOUN", "VERB"])
        ([(0, 1, 'PER')], [(0, 0, 'NOUN'), (1, 1, 'VERB')])
        """
        return sorted((first, last, type_) for type_, first, last in entities(tags))

    def result(self, example: Sentence, prediction: Sequence[str]) -> list[NamedEntity]:
        """Return the predicted entities of an example's text, in text order."""
        text, places = example.located()
        found = [(places[first][0], places[last][1], type_) for first, last, type_ in self.spans(prediction)]
        return [NamedEntity(text[start:end], type_, start, end) for start, end, type_ in found]

    def show(self, example: Sentence, prediction: Sequence[str], style: Style = BRACKETS) -> str:
        """Return the text with marked entities, such as [Mira Harlow PER] lives in [Ashby LOC]."""
        return marked(example.located()[0], self.result(example, prediction), style)

    def show_probabilities(self, shares: Mapping[NamedEntity, float]) -> str:
        """Return the entities found with their probabilities, one on each line."""
        return super().show_probabilities(
            {BRACKETS.mark(found.text, found.type): share for found, share in shares.items()}
        )

    def record(
        self, example: Sentence, prediction: list[str], shares: Mapping[NamedEntity, float]
    ) -> dict[str, Any]:
        found = [{**entity._asdict(), "probability": share} for entity, share in shares.items()]
        return {"text": example.located()[0], "entities": found}

    def write(self, example: Sentence, prediction: Sequence[str]) -> dict[str, str]:
        r"""Return a line for each word, for conlleval: word, tag in the file (if known), predicted tag.

        A blank line follows. Columns are separated as in the original file (for tabs, use `conlleval -d
        "\\t"`).
        """
        columns = [example.words, *([example.tags] if example.known else []), prediction]
        lines = (example.separator.join(cells) + "\n" for cells in zip(*columns))
        return {"predictions": "".join(lines) + "\n"}


class PlainTagging(Tagging):
    """Tagging with tags that do not mark entities, such as part-of-speech tags, scored by accuracy only."""

    edge = 0

    @staticmethod
    def tag_set(examples: Sequence[Sentence]) -> list[str]:
        return sorted({tag for example in examples for tag in example.tags})

    def metric(self, examples: Sequence[Sentence], answers: Sequence[Sequence[str]]) -> dict[str, float]:
        return {"accuracy": accuracy([example.tags for example in examples], answers)}

    def errors(self, examples: Sequence[Sentence], answers: Sequence[Sequence[str]]) -> list[Table]:
        pairs = (pair for example, given in zip(examples, answers) for pair in zip(example.tags, given))
        return [confusion(pairs, "tag")]

    @property
    def types(self) -> list[str]:
        return sorted(set(self.tags) - {"O"})

    @staticmethod
    def spans(tags: Sequence[str]) -> list[tuple[int, int, str]]:
        return [(i, i, tag) for i, tag in enumerate(tags)]


def marked(text: str, found: Iterable[NamedEntity], style: Style) -> str:
    """Format a text with a style that marks the entities found in it.

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
    """Divide `length` tokens into half-overlapping windows of `room` tokens, and assign positions to them.

    Returns (start of each window, index of the window for each position in `places`). A position is assigned
    to the window whose middle is nearest, so that it is far from both ends; in a tie, to the earlier one.

    >>> half_overlapping_windows(10, 4, [0, 2, 3, 4, 9])
    ([0, 2, 4, 6], [0, 0, 1, 1, 3])
    """
    last, step = max(length - room, 0), max(room // 2, 1)
    begins = np.minimum(np.arange(0, last + step, step), last)  # the last window ends with the text
    between = (begins[1:] + begins[:-1] + room - 1) / 2  # halfway between two middles
    return begins.tolist(), np.searchsorted(between, places, side="left").tolist()
