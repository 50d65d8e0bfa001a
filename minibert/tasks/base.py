"""The base class of fine-tuning tasks, which defines everything that differs from task to task.

Devlin et al. (2019, arXiv 1810.04805), section 3.2: one encoder, and one small new output layer for each
task. In this file `rows` are sequences before padding: pairs (A, B) of lists of ids, where B may be None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from torch import nn

from ..data.batch import Batch, row_size, visible_all
from ..model import Model
from ..model.goal import Arrays, Goal, Tensors
from ..model.heads import Backbone
from ..model.transfer import input_device, tensor_cores, to_torch
from ..readers.utf8_text import check_characters
from ..readers.wording import truncation
from .error_analysis import Table, confusion
from .evaluation import Evaluation
from .records import BRACKETS, LINES, Style

NAMED = 8  # maximum number of labels in a message; a file may have hundreds
E = TypeVar("E")  # an example
P = TypeVar("P")  # a prediction


def few(names: Sequence[str]) -> str:
    """Return names for a message: all of them if there are few, or the first NAMED and the total number.

    >>> few(["no", "yes"]), few([str(i) for i in range(39)])
    ('no, yes', '0, 1, 2, 3, 4, 5, 6, 7, … (39 in all)')
    """
    shown = ", ".join(f"{name:.60}" for name in names[:NAMED])
    return f"{shown}, … ({len(names)} in all)" if len(names) > NAMED else shown


def check_text(text: str, name: str) -> None:
    """Raise ValueError for a string that is empty or not valid Unicode."""
    if not text.strip():
        raise ValueError(f"the {name} is empty")
    check_characters(text, f"the {name}")


class Task(Goal, Generic[E, P]):
    """A task for fine-tuning. Task[E, P] has examples of class E and predictions of class P.

    tokenizer: encodes text. max_length: maximum length of a sequence, including special tokens.
    """

    name = "?"
    pooled = False  # True if the head uses [CLS] through a pooler, which may come from pretraining
    labels: list[str] | None = None  # the names of the classes, in the order of the logits
    input_names: tuple[str, ...] = ()  # the arguments of `example`; empty if the task only predicts for files
    optional_names: tuple[str, ...] = ()  # further arguments of `example`, which may be missing
    prompt = ""  # asks for the first of these inputs in a terminal; "" if the task is not interactive
    files: tuple[str, ...] = ("predictions",)  # the files that `write` returns entries for
    file_format = LINES  # the format of these files
    unanswerable = False  # True if examples may have no answer
    threshold: float | None = None  # of the odds that an example has no answer

    def __init__(self, tokenizer, max_length):
        self.tokenizer, self.specials, self.max_length = tokenizer, tokenizer.specials, max_length
        self.truncated = 0  # how many examples `encode` has truncated; a caller may set it back to 0
        self.renamed: dict[str, str] = {}  # the labels that `relabelled` has replaced, and by which ones

    @classmethod
    def fit(cls, tokenizer: Any, max_length: int, examples: Sequence[E], **settings: Any) -> Task[E, P]:
        """Build the task from training examples; a classification task takes its labels from them."""
        return cls(tokenizer, max_length, **settings)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the constructor's other arguments as a dict of plain values, to save with a model."""
        return {}

    def encode(self, examples: Sequence[E]) -> tuple[list[Any], list[Any], list[Any]]:
        """Convert examples to (rows, labels, origins); an origin identifies a row's text."""
        raise NotImplementedError

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        """Return the new output layers, keyed by the names of their logits."""
        raise NotImplementedError

    def decode(self, examples: Sequence[E], origins: Sequence[Any], logits: Sequence[np.ndarray]) -> list[P]:
        """Return one prediction for each example, from the logits of its rows."""
        raise NotImplementedError

    def metric(self, examples: Sequence[E], answers: Sequence[Any]) -> dict[str, float]:
        """Return named scores, each 0 to 100; a label that did not occur in training is scored as wrong."""
        raise NotImplementedError

    def errors(self, examples: Sequence[Any], answers: Sequence[Any]) -> list[Table]:
        """Return tables that analyse the errors: by default, the confusion table of the labels."""
        return [confusion((str(example.label), str(answer)) for example, answer in zip(examples, answers))]

    def evaluation(self) -> Evaluation:
        return Evaluation(self)

    def unseen(self, examples: Sequence[E]) -> list[str]:
        """Return the sorted labels that did not occur in training, so that they cannot be predicted."""
        return []

    def relabelled(self, examples: Iterable[E]) -> Iterator[E]:
        """Yield labelled examples with the model's names for labels that have other names in their file."""
        yield from examples

    def label_names(self, examples: Sequence[E]) -> tuple[set[str], Sequence[str]]:
        """Return the labels or types of entities in labelled examples, and those of the model."""
        return set(), ()

    def notice(self, examples: Sequence[E]) -> str:
        """Return a warning about labelled examples that will be scored, or "" if there is none.

        Raises ValueError if all their labels are unknown to the model, or if some of them are numbers that
        `relabelled` has replaced and some are other numbers, such as numbers of stars.
        """
        found, known = self.label_names(examples)
        unseen = self.unseen(examples)
        mixed = any(map(str.isdecimal, unseen)) and any(map(str.isdecimal, self.renamed))
        if found and (mixed or found.isdisjoint(known)):
            original = sorted({*found.difference(self.renamed.values()), *self.renamed})
            raise ValueError(
                f"its labels ({few(original)}) are not those of the model ({few(known)}), "
                "so there is nothing to score"
            )
        return f"labels not seen in training, scored as wrong: {few(unseen)}" if unseen else ""

    def truncation(self, count: int) -> str:
        return truncation(count, "example", self.max_length)

    def example(self, *args: Any, **inputs: Any) -> E:
        """Make an unlabelled example from the user's texts, named as in `input_names`.

        Raises ValueError for a text that is empty or not valid Unicode.
        """
        raise NotImplementedError

    def result(self, example: E, prediction: P) -> Any:
        """Return the part of a prediction that a user needs; by default, the whole prediction."""
        return prediction

    def show(self, example: E, prediction: P, style: Style = BRACKETS) -> str:
        """Return the result of a prediction as a string, with spans marked as in `style`."""
        return str(self.result(example, prediction))

    def reply(self, example: E, prediction: P, style: Style = BRACKETS) -> str:
        """Return the reply to an interactive user: by default the result as a string."""
        return self.show(example, prediction, style)

    @property
    def types(self) -> list[str]:
        """Return the types of the spans that `show` marks in a text."""
        return []

    def write(self, example: E, prediction: P) -> dict[str, str]:
        """Return the entries for a prediction, as a dict with the names of the output `files` as keys."""
        raise NotImplementedError

    def show_probabilities(self, shares: Mapping[Any, float]) -> str:
        """Return the probabilities of the answers to one example as a string, one line per answer."""
        return "\n".join(f"{share:4.0%}  {answer}" for answer, share in shares.items())

    def record(self, example: E, prediction: P, shares: Mapping[Any, float]) -> dict[str, Any]:
        """Return a prediction and the probabilities of the answers as plain values, for a line of JSON."""
        answer = self.result(example, prediction)
        return {"id": vars(example)["id"], "prediction": answer, "probabilities": dict(shares)}

    def corrupt(self, batch: Batch, rng: np.random.Generator | None = None) -> tuple[Arrays, Arrays]:
        """Return (model inputs, labels) of a batch, without masking and without random numbers."""
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
        }
        return inputs, {} if batch.sequence_labels is None else {self.name: batch.sequence_labels}

    def inputs(self, batch: Batch, device: torch.device | str) -> Tensors:
        return to_torch(self.corrupt(batch)[0], torch.device(device))

    def together(self, one: E, other: E) -> bool:
        """Return whether adjacent examples are read as one text and must therefore be answered together."""
        return False

    def unlabelled(self, examples: Sequence[E]) -> Sequence[E]:
        """Return the examples without their labels; by default they are unchanged."""
        return examples

    def tune(self, model: Model, examples: Sequence[E]) -> None:
        """Tune settings that training does not learn, such as a threshold, on held-out labelled examples."""

    def predict(self, model: Model, examples: Sequence[E], batch_size: int = 32) -> list[P]:
        """Return one prediction by a trained model for each example; labels are not used."""
        rows, _, origins = self.encode(self.unlabelled(examples))
        return self.decode(examples, origins, self.logits(model, rows, batch_size))

    def probabilities(
        self, model: Model, examples: Sequence[E], batch_size: int = 32
    ) -> list[dict[Any, float]]:
        """Return the probabilities of the possible answers to each example; see `distributions`."""
        return [shares for _, shares in self.predict_both(model, examples, batch_size)]

    def predict_both(
        self, model: Model, examples: Sequence[E], batch_size: int = 32
    ) -> list[tuple[P, dict[Any, float]]]:
        """Return (prediction, probabilities) for each example, as from `predict` and `probabilities`."""
        rows, _, origins = self.encode(self.unlabelled(examples))
        logits = self.logits(model, rows, batch_size)
        shares = self.distributions(examples, origins, logits)
        return list(zip(self.decode(examples, origins, logits), shares))

    def distributions(
        self, examples: Sequence[E], origins: Sequence[Any], logits: Sequence[np.ndarray]
    ) -> list[dict[Any, float]]:
        """Return the probabilities of the possible answers, from the logits of each example's rows.

        Raises ValueError if the task has no probabilities, which is the default.
        """
        raise ValueError("the predictions of this task have no probabilities")

    def answer(self, model: Model, examples: Sequence[E], batch_size: int = 32) -> list[Any]:
        """Return one answer for each example, in the form that `metric` needs: by default the prediction."""
        return self.predict(model, examples, batch_size)

    @torch.no_grad()
    def logits(self, model: Model, rows: Sequence[Any], batch_size: int = 32) -> list[np.ndarray]:
        """Return the float32 logits of each row: (T, C) without padding, or (C,) for whole sequences.

        Rows of similar length are batched together.
        """
        model.eval()
        device = input_device(model)
        by_length = sorted(range(len(rows)), key=lambda i: row_size(rows[i]))
        result = [np.empty(0)] * len(rows)
        for start in range(0, len(rows), batch_size):
            indices = by_length[start : start + batch_size]
            batch = self.collate([rows[i] for i in indices])
            with tensor_cores(device):
                outputs = model(**self.inputs(batch, device))
            logits = outputs[self.name].float().cpu().numpy()  # (B, T, C) or (B, C)
            for i, row_logits, real in zip(indices, logits, batch.real):
                result[i] = row_logits[: real.sum()] if row_logits.ndim == 2 else row_logits
        return result
