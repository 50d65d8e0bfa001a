"""Sentence classification and regression: predict a label or a score of one or two texts from [CLS].

Devlin et al. (2019, arXiv 1810.04805), section 4.1; the tasks and their metrics are those of GLUE (Wang et
al., 2019, arXiv 1804.07461, section 3).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import softmax
from torch import nn
from torch.nn import functional as F

from ..data.batch import IGNORE
from ..data.packing import available_tokens, truncate_pair
from ..model.goal import Tensors
from ..model.heads import Backbone, ClassifierHead
from ..readers.glue import HIGHEST, TextExample
from ..readers.wording import plural
from . import metrics
from .base import P, Task, check_text, few
from .error_analysis import Table, confusion
from .label_names import other_names, renamed
from .records import BRACKETS, LINES, Style

AT_ONCE = 1000  # texts for one call of the tokenizer, whose encodings need much more memory than the ids
PAIR = ("text", "text_pair")


class Texts(Task[TextExample, P]):
    """The base class of tasks that predict a label or a score for one or two texts."""

    pooled = True
    input_names: tuple[str, ...] = ("text",)
    file_format = LINES._replace(header="index\tprediction\n")

    def example(self, text: str, text_pair: str | None = None) -> TextExample:
        check_text(text, "text")
        if text_pair is not None:
            check_text(text_pair, "second text")
        return TextExample(text, text_pair, None, "0", 1)

    def encode(self, examples: Sequence[TextExample]) -> tuple[list[Any], list[Any], list[int]]:
        """Return (rows, labels, indices), with one of each for every example.

        If a pair is too long, tokens are dropped from the end of the longer text, one by one. Raises
        ValueError if max_length is too short.
        """
        rows = []
        for start in range(0, len(examples), AT_ONCE):
            some = examples[start : start + AT_ONCE]
            firsts, seconds = self.ids([e.first for e in some]), self.ids([e.second or "" for e in some])
            rows += [self.row(a, None if e.second is None else b) for e, a, b in zip(some, firsts, seconds)]
        return rows, [self.target(example) for example in examples], list(range(len(examples)))

    def ids(self, texts: list[str]) -> list[list[int]]:
        return [encoding.ids for encoding in self.tokenizer.encode_batch(texts)]

    def row(self, first: list[int], second: list[int] | None) -> tuple[list[int], list[int] | None]:
        """Truncate two lists of ids to fit into one sequence; the second may be None."""
        segments = 1 if second is None else 2
        room = available_tokens(self.max_length, segments)
        self.truncated += len(first) + len(second or ()) > room
        return (first[:room], None) if second is None else truncate_pair(first, second, room)

    def target(self, example: TextExample) -> float:
        """Return an example's label as a number for the loss."""
        raise NotImplementedError

    def unlabelled(self, examples: Sequence[TextExample]) -> list[TextExample]:
        return [replace(example, label=None) for example in examples]

    @staticmethod
    def gold(examples: Sequence[TextExample]) -> list[Any]:
        """Return the labels of examples. Raises ValueError if an example has no label."""
        for example in examples:
            if example.label is None:
                raise ValueError(f"line {example.line}: the example has no label")
        return [example.label for example in examples]

    def write(self, example: TextExample, prediction: P) -> dict[str, str]:
        """Return a line with the example's id and the answer, as in submissions to GLUE."""
        return {"predictions": f"{example.id}\t{prediction}\n"}


class Classification(Texts[str]):
    """Classification of one text, scored by accuracy: SST-2, SST-5.

    labels: the list of labels, in the order of the logits.
    """

    name = "label"
    labels: list[str]

    def __init__(self, tokenizer, max_length, labels):
        super().__init__(tokenizer, max_length)
        self.labels = list(labels)

    @classmethod
    def fit(
        cls, tokenizer: Any, max_length: int, examples: Sequence[TextExample], **settings: Any
    ) -> Classification:
        """Build the task with the sorted labels of the training examples.

        Raises ValueError if there are fewer than two distinct labels, or if an example has none.
        """
        labels = sorted(set(cls.gold(examples)))
        if len(labels) < 2:
            raise ValueError(
                f"the training examples have only {plural(len(labels), 'distinct label')} "
                f"({', '.join(labels)}), but at least 2 are needed"
            )
        return cls(tokenizer, max_length, labels)

    @property
    def settings(self) -> dict[str, Any]:
        return {"labels": self.labels}

    def target(self, example: TextExample) -> int:
        """Return the index of an example's label, or IGNORE if it has none; ValueError if it is unknown."""
        label: Any = example.label
        if label is None:
            return IGNORE
        if label not in self.labels:
            raise ValueError(
                f"line {example.line}: label {label!r} was not seen in training; "
                f"known labels: {few(self.labels)}"
            )
        return self.labels.index(label)

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"label": ClassifierHead(encoder.config, len(self.labels))}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {"label": F.cross_entropy(outputs["label"].float(), labels["label"])}

    def decode(
        self, examples: Sequence[TextExample], origins: Sequence[int], logits: Sequence[np.ndarray]
    ) -> list[str]:
        return [self.labels[int(row.argmax())] for row in logits]

    def distributions(
        self, examples: Sequence[TextExample], origins: Sequence[int], logits: Sequence[np.ndarray]
    ) -> list[dict[Any, float]]:
        """Return the probability of each label, the most likely label first."""
        tables = [zip(self.labels, softmax(row.astype(np.float64)).tolist()) for row in logits]
        return [dict(sorted(table, key=lambda pair: -pair[1])) for table in tables]

    def metric(self, examples: Sequence[TextExample], answers: Sequence[str]) -> dict[str, float]:
        return {name: 100 * score for name, score in self.scores(self.gold(examples), answers).items()}

    def unseen(self, examples: Sequence[TextExample]) -> list[str]:
        return sorted(self.label_names(examples)[0] - {*self.labels})

    def label_names(self, examples: Sequence[TextExample]) -> tuple[set[str], Sequence[str]]:
        labels: set[Any] = {example.label for example in examples} - {None}
        return labels, self.labels

    def relabelled(self, examples: Iterable[TextExample]) -> Iterator[TextExample]:
        others = other_names(self.labels)
        for example in examples:
            if isinstance(example.label, str):
                label = renamed(example.label, self.labels, others)
                if label != example.label:
                    self.renamed[example.label] = label
                    example = replace(example, label=label)
            yield example

    def scores(self, gold: Sequence[str], answers: Sequence[str]) -> dict[str, float]:
        return {"accuracy": metrics.accuracy(gold, answers)}


class Inference(Classification):
    """Classification of two texts, scored by accuracy: MNLI, QNLI, RTE, WNLI, SNLI."""

    input_names = PAIR


class Paraphrase(Classification):
    """Paraphrase detection (MRPC, QQP), scored by accuracy and the F1 of label "1" (same meaning)."""

    input_names = PAIR

    def scores(self, gold: Sequence[str], answers: Sequence[str]) -> dict[str, float]:
        return {"accuracy": metrics.accuracy(gold, answers), "F1": metrics.f1(gold, answers, positive="1")}


class Acceptability(Classification):
    """Linguistic acceptability (CoLA), scored by Matthews' correlation, -100 to 100.

    It is 0 if every answer is the more frequent label.
    """

    def scores(self, gold: Sequence[str], answers: Sequence[str]) -> dict[str, float]:
        return {"Matthews": metrics.matthews(gold, answers)}


class Categories(Classification):
    """Classification with any labels, scored by accuracy and macro F1, the mean of the labels' F1 scores.

    pair: whether an example is a pair of texts; None if it may be a single text or a pair.
    """

    def __init__(self, tokenizer, max_length, labels, pair=False):
        super().__init__(tokenizer, max_length, labels)
        self.pair = pair
        self.input_names = PAIR if pair else PAIR[:1]
        self.optional_names = PAIR[1:] if pair is None else ()

    @classmethod
    def fit(
        cls, tokenizer: Any, max_length: int, examples: Sequence[TextExample], **settings: Any
    ) -> Categories:
        labels = super().fit(tokenizer, max_length, examples).labels
        return cls(tokenizer, max_length, labels, examples[0].second is not None)

    @property
    def settings(self) -> dict[str, Any]:
        return {"labels": self.labels, "pair": self.pair}

    def encode(self, examples: Sequence[TextExample]) -> tuple[list[Any], list[Any], list[int]]:
        """Return (rows, labels, indices); see `Texts.encode`.

        Raises ValueError if an example has more or fewer texts than the training examples.
        """
        for example in examples:
            if self.pair not in (None, example.second is not None):
                texts = ("one text", "two texts (text and text_pair)")
                raise ValueError(
                    f"line {example.line} has {texts[not self.pair]}, but the first "
                    f"training example has {texts[self.pair]}"
                )
        return super().encode(examples)

    def scores(self, gold: Sequence[str], answers: Sequence[str]) -> dict[str, float]:
        return {"accuracy": metrics.accuracy(gold, answers), "macro F1": metrics.macro_f1(gold, answers)}


class Similarity(Texts[float]):
    """Semantic similarity (STS-B): regression with one logit, scored by two correlations.

    The logit is the standardised score: the score minus the mean of the training scores, divided by their
    standard deviation.
    """

    name = "score"
    input_names = PAIR

    def __init__(self, tokenizer, max_length, mean, deviation):
        super().__init__(tokenizer, max_length)
        self.mean, self.deviation = mean, deviation

    @classmethod
    def fit(
        cls, tokenizer: Any, max_length: int, examples: Sequence[TextExample], **settings: Any
    ) -> Similarity:
        """Build the task with the mean and standard deviation of the training scores, which must differ."""
        scores = cls.gold(examples)
        if len(set(scores)) < 2:
            raise ValueError(
                f"the training examples have only {plural(len(set(scores)), 'distinct score')}, but at least "
                "2 are needed"
            )
        return cls(tokenizer, max_length, float(np.mean(scores)), float(np.std(scores)))

    @property
    def settings(self) -> dict[str, Any]:
        return {"mean": self.mean, "deviation": self.deviation}

    def target(self, example: TextExample) -> float:
        """Return an example's standardised score, or nan if it has none."""
        # The raw score is more usual.
        return float("nan") if example.label is None else (example.label - self.mean) / self.deviation

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"score": ClassifierHead(encoder.config, 1)}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {"score": F.mse_loss(outputs["score"].float().squeeze(1), labels["score"])}

    def decode(
        self, examples: Sequence[TextExample], origins: Sequence[int], logits: Sequence[np.ndarray]
    ) -> list[float]:
        """Return a score for each example, which may be outside 0 to HIGHEST; `write` clips it."""
        return [self.mean + self.deviation * float(row[0]) for row in logits]

    def metric(self, examples: Sequence[TextExample], answers: Sequence[float]) -> dict[str, float]:
        gold = self.gold(examples)
        return {
            "Pearson": 100 * metrics.pearson(gold, answers),
            "Spearman": 100 * metrics.spearman(gold, answers),
        }

    def errors(self, examples: Sequence[TextExample], answers: Sequence[float]) -> list[Table]:
        """Return the confusion table of the rounded scores."""
        pairs = ((f"{example.label:.0f}", f"{answer:.0f}") for example, answer in zip(examples, answers))
        return [confusion(pairs, "score, rounded,")]

    def show(self, example: TextExample, prediction: float, style: Style = BRACKETS) -> str:
        return f"{prediction:.3f}"

    def write(self, example: TextExample, prediction: float) -> dict[str, str]:
        return {"predictions": f"{example.id}\t{min(max(prediction, 0), HIGHEST):.3f}\n"}
