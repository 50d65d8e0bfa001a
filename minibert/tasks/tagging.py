"""Tagging: one tag a word, read off the word's first piece; named entities, chunks, parts of speech.

Devlin et al. (2019, arXiv 1810.04805), section 5.3. Texts longer than a row are read in overlapping windows,
as in `qa`; here each word is asked about once, in the window that shows most of what stands around it, in
training too.
"""
from dataclasses import replace
from itertools import groupby

import numpy as np
from torch.nn import functional as F

from ..batch import IGNORE
from ..model.heads import TokenClassifierHead
from .base import Task, few
from .entity_score import accuracy, entities, entity_f1, entity_f1_by_type

__all__ = ["PlainTagging", "Tagging", "entities", "entity_f1", "entity_f1_by_type", "windows"]


class Tagging(Task):
    """Examples have `words` and `tags` (BIO2), as `minibert.corpora.readers.conll.Sentence`. tags: the label
    set, in order.

    document_context: False = a row holds (a window of) one sentence; True = of one document, so that a word
    sees the sentences around its own, the "maximal document context" of the paper. It needs examples in the
    order of their file that say their `document`; one that says None stands alone.
    """

    name = "tags"

    def __init__(self, tokenizer, max_length, tags, document_context=False):
        super().__init__(tokenizer, max_length)
        if max_length < 3:
            raise ValueError(f"max_length={max_length} must be at least 3: [CLS], a word, [SEP]")
        self.tags, self.document_context = list(tags), document_context
        self.numbers = {tag: i for i, tag in enumerate(self.tags)}

    @classmethod
    def fit(cls, tokenizer, max_length, examples, **settings):
        """settings: document_context. Raises ValueError for examples that all have the same one tag."""
        tags = cls.tag_set(examples)
        if len(tags) < 2:
            raise ValueError(
                f"{len(tags)} tag(s) in training, where at least 2 are to be told apart: {', '.join(tags)}")
        return cls(tokenizer, max_length, tags, **settings)

    @property
    def settings(self):
        return {"tags": self.tags, "document_context": self.document_context}

    @staticmethod
    def tag_set(examples):
        """All tags of the examples, "O" first, then sorted; each type has its B- and its I-, be one of them
        never seen.
        """
        types = {tag[2:] for example in examples for tag in example.tags if tag != "O"}
        return ["O"] + sorted(f"{edge}-{type_}" for type_ in types for edge in "BI")

    def unlabelled(self, examples):
        return [replace(example, tags=self.tags[:1] * len(example.words)) for example in examples]

    def encode(self, examples):
        """One row per window; a label is one tag id per token of the row, IGNORE but at the words that the
        row answers for.

        An origin is [(example index, word index, row position of its first piece)]. A window that answers for
        no word, as inside a word longer than a row, makes no row. Raises ValueError for a tag that is not in
        the label set.
        """
        rows, labels, origins = [], [], []
        ids = [[self.tag_id(example, word) for word in range(len(example.words))] for example in examples]
        for text in self.texts(examples):
            pieces, firsts = self.pieces(examples, text)
            begins, owners = windows(len(pieces), self.max_length - 2, [first for *_, first in firsts])
            for number, owned in groupby(zip(owners, firsts), key=lambda pair: pair[0]):
                begin = begins[number]
                origin = [(index, word, first - begin + 1) for _, (index, word, first) in owned]  # + 1: [CLS]
                row = pieces[begin:begin + self.max_length - 2]
                label = [IGNORE] * (len(row) + 2)
                for index, word, position in origin:
                    label[position] = ids[index][word]
                rows.append((row, None))
                labels.append(label)
                origins.append(origin)
        return rows, labels, origins

    def texts(self, examples):
        """Lists of example indices, each to be read as one text."""
        found = []
        for index, example in enumerate(examples):
            if index and self.together(examples[index - 1], example):
                found[-1].append(index)
            else:
                found.append([index])
        return found

    def together(self, one, other):
        return self.document_context and one.document is not None and one.document == other.document

    def pieces(self, examples, text):
        """The piece ids of some examples, joined, and of each word (example index, word index, place of its
        first piece).

        A word that leaves no piece, such as a control character, is not among them.
        """
        ids, firsts = [], []
        for index in text:
            encoding = self.tokenizer.encode_words(examples[index].words)
            firsts += [(index, word, len(ids) + i) for i, word in enumerate(encoding.words)
                       if i == 0 or word != encoding.words[i - 1]]
            ids += encoding.ids
        return ids, firsts

    def tag_id(self, example, word):
        """The number of a word's tag."""
        tag = example.tags[word]
        if tag not in self.numbers:
            raise ValueError(f"the sentence at line {example.line}: tag {tag!r} (word "
                             f"{example.words[word]!r}) was not seen in "
                             f"training; known tags: {few(self.tags)}")
        return self.numbers[tag]

    def heads(self, encoder):
        return {"tags": TokenClassifierHead(encoder.config, len(self.tags))}

    def loss(self, outputs, labels):
        """Mean cross-entropy over the words; labels (B, T)."""
        return F.cross_entropy(outputs["tags"].float().flatten(0, 1), labels.flatten(), ignore_index=IGNORE)

    def decode(self, examples, origins, logits):
        """One list of tags per example; a word without a piece gets the first tag, which is O where tags mark
        entities.
        """
        answers = [self.tags[:1] * len(example.words) for example in examples]
        for origin, row in zip(origins, logits):
            best = row.argmax(-1)                                               # (T,)
            for index, word, position in origin:
                answers[index][word] = self.tags[best[position]]
        return answers

    def text(self, examples, answers):
        """Lines of word, tag of the file where it is known, and answer, as conlleval reads them, with a blank
        line after each sentence; parted as in the file that they came from (by tabs: `conlleval -d "\\t"`).
        Marks of documents are left out.
        """
        columns = ([example.words, *([example.tags] if example.known else []), tags]
                   for example, tags in zip(examples, answers))
        return "".join("".join(example.separator.join(line) + "\n" for line in zip(*cells)) + "\n"
                       for example, cells in zip(examples, columns))

    def metric(self, examples, answers):
        """Precision, recall, F1 and accuracy; entities of a type that training lacked count as missed."""
        return entity_f1([example.tags for example in examples], answers)

    def unseen(self, examples):
        return sorted({tag for example in examples for tag in example.tags} - set(self.tags))


class PlainTagging(Tagging):
    """Tags that are no parts of entities, such as parts of speech: any words, and the accuracy is all that is
    scored.
    """

    @staticmethod
    def tag_set(examples):
        """All tags of the examples, sorted."""
        return sorted({tag for example in examples for tag in example.tags})

    def metric(self, examples, answers):
        return {"accuracy": accuracy([example.tags for example in examples], answers)}


def windows(length, room, places):
    """Windows of `room` pieces over `length` pieces, each half over the one before, and who answers for which
    place.

    Returns (first places of the windows, for each of `places` the number of the window whose middle is
    nearest, hence where the nearer end is farthest; the earlier one of two).

    >>> windows(10, 4, [0, 2, 3, 4, 9])
    ([0, 2, 4, 6], [0, 0, 1, 1, 3])
    """
    last, step = max(length - room, 0), max(room // 2, 1)
    begins = np.minimum(np.arange(0, last + step, step), last)  # the last window ends with the text
    between = (begins[1:] + begins[:-1] + room - 1) / 2  # halfway from one middle to the next
    return begins.tolist(), np.searchsorted(between, places, side="left").tolist()
