"""Named entity recognition: one BIO tag per word, read off the word's first piece.

Devlin et al. (2019, arXiv 1810.04805), section 5.3. Entity scores as the CoNLL-2003 shared task (Tjong Kim Sang and
De Meulder, 2003): an entity counts when its type and both its ends are right.
"""
from dataclasses import replace

import numpy as np
from torch.nn import functional as F

from ..batch import IGNORE
from ..model.heads import TokenClassifierHead
from .base import Task


class Tagging(Task):
    """Examples have `words` and `tags` (BIO2), as `minibert.corpora.conll.Sentence`. tags: the label set, in order."""

    name = "tags"

    def __init__(self, tokenizer, max_length, tags):
        super().__init__(tokenizer, max_length)
        self.tags = list(tags)

    @classmethod
    def fit(cls, tokenizer, max_length, examples):
        return cls(tokenizer, max_length, cls.tag_set(examples))

    @property
    def settings(self):
        return {"tags": self.tags}

    @staticmethod
    def tag_set(examples):
        """All tags of the examples, "O" first, then sorted; each type has its B- and its I-, be one of them never seen.
        """
        types = {tag[2:] for example in examples for tag in example.tags if tag != "O"}
        return ["O"] + sorted(f"{edge}-{type_}" for type_ in types for edge in "BI")

    def unlabelled(self, examples):
        return [replace(example, tags=["O"] * len(example.words)) for example in examples]

    def encode(self, examples):
        """One row per window of a sentence; a label is one tag id per token of the row, IGNORE but at first pieces.

        An origin is (example index, [(word index, row position of its first piece)]). Raises ValueError for a tag that
        is not in the label set.
        """
        rows, labels, origins = [], [], []
        for index, example in enumerate(examples):
            pieces = self.tokenizer.encode_words(example.words)
            ids = [self.tag_id(tag, index) for tag in example.tags]
            room = self.max_length - 2                                          # [CLS] words [SEP]
            for begin in range(0, max(len(pieces.ids), 1), room):
                words = pieces.words[begin:begin + room]
                previous = pieces.words[begin - 1] if begin else -1
                firsts = [(word, i + 1) for i, word in enumerate(words) if word != (words[i - 1] if i else previous)]
                label = [IGNORE] * (len(words) + 2)
                for word, position in firsts:
                    label[position] = ids[word]
                rows.append((pieces.ids[begin:begin + room], None))
                labels.append(label)
                origins.append((index, firsts))
        return rows, labels, origins

    def tag_id(self, tag, index):
        """The number of a tag."""
        if tag not in self.tags:
            raise ValueError(f"example {index}: tag {tag!r} was not seen in training; known tags: {', '.join(self.tags)}")
        return self.tags.index(tag)

    def heads(self, encoder):
        return {"tags": TokenClassifierHead(encoder.config, len(self.tags))}

    def loss(self, outputs, labels):
        """Mean cross-entropy over the words; labels (B, T)."""
        return F.cross_entropy(outputs["tags"].float().flatten(0, 1), labels.flatten(), ignore_index=IGNORE)

    def decode(self, examples, origins, logits):
        """One list of tags per example; a word whose pieces fell away gets O."""
        answers = [["O"] * len(example.words) for example in examples]
        for (index, firsts), row in zip(origins, logits):
            for word, position in firsts:
                answers[index][word] = self.tags[int(row[position].argmax())]
        return answers

    def text(self, examples, answers):
        """Lines of word and tag, a blank line between sentences."""
        return "\n".join("".join(f"{word} {tag}\n" for word, tag in zip(example.words, tags))
                         for example, tags in zip(examples, answers))

    def metric(self, examples, answers):
        return entity_f1([example.tags for example in examples], answers)


def entities(tags):
    """The entities of a tag sequence, a set of (type, first word, last word); a stray I-X opens one, as in conlleval.

    >>> sorted(entities(["B-PER", "I-PER", "O", "B-LOC", "I-ORG"]))
    [('LOC', 3, 3), ('ORG', 4, 4), ('PER', 0, 1)]
    """
    found, start = set(), None
    for i, tag in enumerate([*tags, "O"]):
        kind = tag[2:]
        if start is not None and (tag[0] != "I" or kind != tags[start][2:]):
            found.add((tags[start][2:], start, i - 1))
            start = None
        if tag[0] == "B" or tag[0] == "I" and start is None:
            start = i
    return found


def entity_f1(gold, predicted):
    """Precision, recall and F1 over the entities of all sentences, and accuracy over the words, each 0 to 100."""
    pairs = [(entities(g), entities(p)) for g, p in zip(gold, predicted)]
    right = sum(len(g & p) for g, p in pairs)
    wanted, found = sum(len(g) for g, _ in pairs), sum(len(p) for _, p in pairs)
    precision, recall = right / max(found, 1), right / max(wanted, 1)
    words = np.concatenate([np.array(g) == np.array(p) for g, p in zip(gold, predicted) if g] or [np.zeros(0, bool)])
    return {"precision": 100 * precision, "recall": 100 * recall,
            "F1": 200 * precision * recall / (precision + recall) if right else 0.0,
            "accuracy": 100 * float(words.mean()) if len(words) else 0.0}
