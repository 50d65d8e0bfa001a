"""A model for a task, with its tokenizer and a method to predict for a single input."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..config import ModelConfig
from ..model import Model
from ..model.checkpoints.published import longest, summary
from ..model.encoding import Pooling, encode
from ..readers.wording import plural
from ..tasks.base import Task
from ..tokenizer import WordPiece
from .notices import telling_truncation


@dataclass(frozen=True, repr=False)
class TaskModel:
    """A model with the task for which it is trained, the task's name, and the fine-tuning approach.

    columns: the names of the columns of the training data, as for `minibert.finetune`.
    """

    name: str
    task: Task
    model: Model
    approach: str = "full"
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def tokenizer(self) -> WordPiece:
        return self.task.tokenizer

    @property
    def config(self) -> ModelConfig:
        return self.model.encoder.config

    @property
    def labels(self) -> list[str] | None:
        """Return the class names in the order of the logits, or None for a task without classes."""
        return self.task.labels

    def __repr__(self) -> str:
        classes = f", {plural(len(self.labels), 'label')}" if self.labels else ""
        return f"Finetuned({self.name}: {summary(self.model)}{classes})"

    def encode(
        self, texts: str | Iterable[str], pooling: Pooling | None = "mean", batch_size: int = 32
    ) -> np.ndarray | list[np.ndarray]:
        """Return the vector of a string, or the vectors of multiple strings; see `minibert.encode`."""
        encoder = self.model.encoder
        return encode(encoder, self.tokenizer, texts, pooling, longest(encoder, self.tokenizer), batch_size)

    def example(self, **inputs: str | None) -> Any:
        """Make an unlabelled example from named strings, such as `question`; None means not given.

        Raises ValueError if a string is missing or invalid, or if the task does not accept it.
        """
        given = {name: text for name, text in inputs.items() if text is not None}
        needed = self.task.input_names
        if not needed:
            raise ValueError(
                f"a model for {self.name} can only make predictions for files; use `predict_file`"
            )
        if not set(needed) <= given.keys() <= {*needed, *self.task.optional_names}:
            wanted, got = " and ".join(needed), " and ".join(given) or "nothing"
            raise ValueError(f"a model for {self.name} needs {wanted}, but got {got}")
        return self.task.example(**given)

    def ask(self, **inputs: str | None) -> tuple[Any, Any]:
        """Return (example, prediction) for named strings; see `example`."""
        example = self.example(**inputs)
        with telling_truncation(self.task, self.name):
            return example, self.task.predict(self.model, [example])[0]
