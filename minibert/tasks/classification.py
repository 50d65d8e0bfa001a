"""One text or two to a label, or to a score: the head reads [CLS].

Devlin et al. (2019, arXiv 1810.04805), section 4.1; the tasks and their metrics are those of GLUE (Wang et
al., 2019, arXiv 1804.07461, section 3). Classes below `Classification` differ in their metric alone.
"""
from dataclasses import replace

import numpy as np
from torch.nn import functional as F

from ..batch import IGNORE, Batch, collate
from ..corpora.readers.glue import HIGHEST
from ..model.heads import ClassifierHead
from ..reference.packing import room_for, truncate_pair
from . import metrics
from .base import Task, few

# texts in the tokenizer's hands: its encodings are much larger than the ids that are kept of them
AT_ONCE = 1000


class Texts(Task):
    """What classification and regression share. Examples: `minibert.corpora.readers.glue.TextExample`."""

    header = "index\tprediction\n"

    def encode(self, examples):
        """One row per example; a pair that is too long loses pieces from the end of the longer text, one by
        one.

        A label is what `target` says, an origin the example's index. Raises ValueError where max_length
        leaves no room.
        """
        rows = []
        for start in range(0, len(examples), AT_ONCE):
            some = examples[start:start + AT_ONCE]
            firsts, seconds = self.ids([e.first for e in some]), self.ids([e.second or "" for e in some])
            rows += [self.row(a, None if e.second is None else b) for e, a, b in zip(some, firsts, seconds)]
        return rows, [self.target(example) for example in examples], list(range(len(examples)))

    def ids(self, texts):
        """The ids of each text."""
        return [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]

    def row(self, first, second):
        """Two lists of ids (the second may be None), cut to fit."""
        if second is None:
            return first[:room_for(self.max_length, segments=1)], None
        return truncate_pair(first, second, room_for(self.max_length, segments=2))

    def collate(self, rows, labels=None):
        """Rows to a padded Batch; sequence_labels (B,): class ids or scores."""
        batch = collate(rows, self.specials)
        return batch if labels is None else Batch(batch.input_ids, batch.token_type_ids, batch.real,
                                                  np.asarray(labels))

    def unlabelled(self, examples):
        return [replace(example, label=None) for example in examples]

    @staticmethod
    def gold(examples):
        """The labels. Raises ValueError for an example without one, of a file that was read without its
        labels.
        """
        for example in examples:
            if example.label is None:
                raise ValueError(f"line {example.line}: the example has no label")
        return [example.label for example in examples]

    def text(self, examples, answers):
        """The lines of a table as GLUE's site takes it: the example's id and the answer."""
        return "".join(f"{example.id}\t{answer}\n" for example, answer in zip(examples, answers))


class Classification(Texts):
    """labels: the label set, in order. Scored by accuracy: SST-2, SST-5, MNLI, QNLI, RTE, WNLI, SNLI."""

    name = "label"

    def __init__(self, tokenizer, max_length, labels):
        super().__init__(tokenizer, max_length)
        self.labels = list(labels)

    @classmethod
    def fit(cls, tokenizer, max_length, examples):
        """The labels are those of the examples, sorted. Raises ValueError for fewer than two, or an example
        without.
        """
        labels = sorted(set(cls.gold(examples)))
        if len(labels) < 2:
            raise ValueError(f"{len(labels)} label(s) in training, where at least 2 are to be told apart: "
                             f"{', '.join(labels)}")
        return cls(tokenizer, max_length, labels)

    @property
    def settings(self):
        return {"labels": self.labels}

    def target(self, example):
        """The number of a label, IGNORE for none. Raises ValueError for one that is not in the label set."""
        if example.label is None:
            return IGNORE
        if example.label not in self.labels:
            raise ValueError(f"line {example.line}: label {example.label!r} was not seen in training; "
                             f"known labels: {few(self.labels)}")
        return self.labels.index(example.label)

    def heads(self, encoder):
        return {"label": ClassifierHead(encoder.config, len(self.labels))}

    def loss(self, outputs, labels):
        """Mean cross-entropy; labels (B,)."""
        return F.cross_entropy(outputs["label"].float(), labels)

    def decode(self, examples, origins, logits):
        """The likeliest label of each example."""
        return [self.labels[int(row.argmax())] for row in logits]

    def metric(self, examples, answers):
        """Scores, 0 to 100; a label that is not in the label set counts as wrong. Raises ValueError for an
        example without one.
        """
        return {name: 100 * score for name, score in self.scores(self.gold(examples), answers).items()}

    def unseen(self, examples):
        return sorted({example.label for example in examples} - {*self.labels, None})

    def scores(self, gold, answers):
        """Scores by name, 0 to 1."""
        return {"accuracy": metrics.accuracy(gold, answers)}


class Paraphrase(Classification):
    """MRPC and QQP: many more pairs of one label than of the other, so F1 of "1", which says that both mean
    the same, too.
    """

    def scores(self, gold, answers):
        return {"accuracy": metrics.accuracy(gold, answers), "F1": metrics.f1(gold, answers, positive="1")}


class Acceptability(Classification):
    """CoLA: Matthews' correlation, -100 to 100, in which always giving the more frequent label is worth
    nothing.
    """

    def scores(self, gold, answers):
        return {"Matthews": metrics.matthews(gold, answers)}


class Categories(Classification):
    """Any labels: also the mean F1 of all, in which a rare label counts as much as a frequent one."""

    def scores(self, gold, answers):
        return {"accuracy": metrics.accuracy(gold, answers), "macro F1": metrics.macro_f1(gold, answers)}


class Similarity(Texts):
    """STS-B: one logit, in units of the training scores' deviation from their mean. Scored by two
    correlations.
    """

    name = "score"

    def __init__(self, tokenizer, max_length, mean, deviation):
        super().__init__(tokenizer, max_length)
        self.mean, self.deviation = mean, deviation

    @classmethod
    def fit(cls, tokenizer, max_length, examples):
        """Raises ValueError for training scores that are all the same."""
        scores = cls.gold(examples)
        if len(set(scores)) < 2:
            raise ValueError(
                f"{len(set(scores))} different score(s) in training, where there should be at least 2")
        return cls(tokenizer, max_length, float(np.mean(scores)), float(np.std(scores)))

    @property
    def settings(self):
        return {"mean": self.mean, "deviation": self.deviation}

    def target(self, example):
        """The score in standard units, which a fresh head is close to; nan for none.  # usual: the raw
        score
        """
        return float("nan") if example.label is None else (example.label - self.mean) / self.deviation

    def heads(self, encoder):
        return {"score": ClassifierHead(encoder.config, 1)}

    def loss(self, outputs, labels):
        """Mean squared error; labels (B,)."""
        return F.mse_loss(outputs["score"].float().squeeze(1), labels.float())

    def decode(self, examples, origins, logits):
        """A score each; nothing holds it between 0 and HIGHEST, except in the file that `text` writes."""
        return [self.mean + self.deviation * float(row[0]) for row in logits]

    def metric(self, examples, answers):
        """Correlations, -100 to 100."""
        gold = self.gold(examples)
        return {"Pearson": 100 * metrics.pearson(gold, answers),
                "Spearman": 100 * metrics.spearman(gold, answers)}

    def text(self, examples, answers):
        return super().text(examples, [f"{min(max(answer, 0), HIGHEST):.3f}" for answer in answers])
