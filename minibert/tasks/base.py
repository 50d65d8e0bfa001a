"""The interface of a task: that of an objective, and everything else that differs from task to task.

A caller never asks which task it holds: the task makes an example of what a person gives, decodes, scores,
shows and writes its predictions. Devlin et al. (2019, arXiv 1810.04805), section 3.2: one encoder, and one
small new output layer for each task. In this file `rows` are sequences before padding: pairs (A, B) of lists
of ids, where B may be None.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy as np
import torch
from torch import nn

from ..data.batch import Batch, row_size, visible_all
from ..model import Model
from ..model.goal import Arrays, Goal, Tensors
from ..model.heads import Backbone
from ..model.transfer import input_device, tensor_cores, to_torch
from ..readers.squad import HALF
from .error_analysis import Table, confusion
from .evaluation import Evaluation
from .records import BRACKETS, LINES, Style

NAMED = 8  # labels that a message names; a file may have hundreds
E = TypeVar("E")  # an example
P = TypeVar("P")  # a prediction


def few(names: Sequence[str]) -> str:
    """Return names for a message: all of a few, or the first NAMED and the number of all.

    >>> few(["no", "yes"]), few([str(i) for i in range(39)])
    ('no, yes', '0, 1, 2, 3, 4, 5, 6, 7, … (39 in all)')
    """
    shown = ", ".join(f"{name:.60}" for name in names[:NAMED])
    return f"{shown}, … ({len(names)} in all)" if len(names) > NAMED else shown


def check_text(text: str, name: str) -> None:
    """Raise ValueError for a text that cannot be read."""
    if not text.strip():
        raise ValueError(f"the {name} is empty")
    if HALF.search(text):
        raise ValueError(f"the {name} holds half of a surrogate pair, or a byte that is not UTF-8")


class Task(Goal, Generic[E, P]):
    """What a model is fine-tuned for. Task[E, P]: examples are of the class E, predictions of the class P.

    tokenizer: encodes text; max_length: of a row, special tokens included.
    """

    name = "?"
    pooled = False  # True: the head reads [CLS] through a pooler, which may come from pretraining
    labels: list[str] | None = None  # the names of the classes, in the order of the logits
    input_names: tuple[str, ...] = ()  # the arguments of `example`; none: the task answers files only
    prompt = ""  # asks for the first of them in a terminal; "": the task holds no conversation
    files: tuple[str, ...] = ("predictions",)  # that `write` has entries for
    file_format = LINES  # of each of them
    unanswerable = False  # True: examples may have no answer
    threshold: float | None = None  # of the odds that an example has none

    def __init__(self, tokenizer, max_length):
        self.tokenizer, self.specials, self.max_length = tokenizer, tokenizer.specials, max_length

    @classmethod
    def fit(cls, tokenizer: Any, max_length: int, examples: Sequence[E], **settings: Any) -> Task[E, P]:
        """Return the task for these training examples, from which it takes, for example, the labels.

        settings: further arguments of the constructor.
        """
        return cls(tokenizer, max_length, **settings)

    @property
    def settings(self) -> dict[str, Any]:
        """Return the constructor's further arguments, plain values, to make the task again from a folder."""
        return {}

    def encode(self, examples: Sequence[E]) -> tuple[list[Any], list[Any], list[Any]]:
        """Turn examples into (rows, labels, origins).

        The labels are for the loss, the origins lead from an answer back to the text.
        """
        raise NotImplementedError

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        """Return the new output layers, by the name of their logits."""
        raise NotImplementedError

    def decode(self, examples: Sequence[E], origins: Sequence[Any], logits: Sequence[np.ndarray]) -> list[P]:
        """Return one prediction for each example, from the logits of its rows."""
        raise NotImplementedError

    def metric(self, examples: Sequence[E], answers: Sequence[Any]) -> dict[str, float]:
        """Return scores by name, each 0 to 100.

        A label that did not occur in training counts as wrong, see `notice`.
        """
        raise NotImplementedError

    def errors(self, examples: Sequence[Any], answers: Sequence[Any]) -> list[Table]:
        """Return tables of which answers are wrong: by default, the confusion table of each `label`."""
        return [confusion((str(example.label), str(answer)) for example, answer in zip(examples, answers))]

    def evaluation(self) -> Evaluation:
        """Return an empty Evaluation, which takes in the predictions for a file."""
        return Evaluation(self)

    def unseen(self, examples: Sequence[E]) -> list[str]:
        """Return the labels that never occurred in training, so cannot be predicted, sorted.

        By default there are none.
        """
        return []

    def notice(self, examples: Sequence[E]) -> str:
        """Return a warning about labelled examples that are to be scored, "" if there is none."""
        unseen = self.unseen(examples)
        return f"labels not seen in training, counted as wrong: {few(unseen)}" if unseen else ""

    def example(self, *args: Any, **inputs: Any) -> E:
        """Return an example without labels, made of the texts that a person gives, see `input_names`.

        Raises ValueError for a text that is empty or cannot be read.
        """
        raise NotImplementedError

    def result(self, example: E, prediction: P) -> Any:
        """Return what a person wants to know of a prediction, as a value: by default all of it."""
        return prediction

    def show(self, example: E, prediction: P, style: Style = BRACKETS) -> str:
        """Return the result as text."""
        return str(self.result(example, prediction))

    def reply(self, example: E, prediction: P, style: Style = BRACKETS) -> str:
        """Return what is said in a conversation: by default the result as text."""
        return self.show(example, prediction, style)

    @property
    def types(self) -> list[str]:
        """Return the types that `show` marks in a text; by default there are none."""
        return []

    def write(self, example: E, prediction: P) -> dict[str, str]:
        """Return a prediction as an entry for each of `files`, in the format of its kind."""
        raise NotImplementedError

    def corrupt(self, batch: Batch, rng: np.random.Generator | None = None) -> tuple[Arrays, Arrays]:
        """Return (inputs of the model, labels) of a batch; nothing is masked, and nothing is drawn."""
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
        }
        return inputs, {} if batch.sequence_labels is None else {self.name: batch.sequence_labels}

    def inputs(self, batch: Batch, device: torch.device | str) -> Tensors:
        """Return a Batch as arguments of the model."""
        return to_torch(self.corrupt(batch)[0], torch.device(device))

    def together(self, one: E, other: E) -> bool:
        """Return True for neighbouring examples that are read as one text, so must be answered together."""
        return False

    def unlabelled(self, examples: Sequence[E]) -> Sequence[E]:
        """Return the examples without their labels; by default unchanged."""
        return examples

    def tune(self, model: Model, examples: Sequence[E]) -> None:
        """Choose on held-out labelled examples what training does not learn, such as a threshold.

        By default there is nothing to choose.
        """

    def predict(self, model: Model, examples: Sequence[E], batch_size: int = 32) -> list[P]:
        """Return one prediction for each example, by a trained model; it does not see their labels."""
        rows, _, origins = self.encode(self.unlabelled(examples))
        return self.decode(examples, origins, self.logits(model, rows, batch_size))

    def answer(self, model: Model, examples: Sequence[E], batch_size: int = 32) -> list[Any]:
        """Return one answer for each example, as `metric` needs it: by default the prediction."""
        return self.predict(model, examples, batch_size)

    @torch.no_grad()
    def logits(self, model: Model, rows: Sequence[Any], batch_size: int = 32) -> list[np.ndarray]:
        """Return float32 logits of each row: (T, C) without padding, or (C,) for whole sequences.

        Rows of similar length share a batch.
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
