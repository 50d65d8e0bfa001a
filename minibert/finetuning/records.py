"""A model for a task, with its tokenizer and a method to predict for a single input."""

from dataclasses import dataclass
from typing import Any

from ..config import ModelConfig
from ..model import Model
from ..tasks.base import Task
from ..tokenizer import WordPiece


@dataclass(frozen=True)
class TaskModel:
    """A model for a task: the task's name, the Task, the Model with its heads, and the approach.

    The module `approaches` describes the approaches.
    """

    name: str
    task: Task
    model: Model
    approach: str = "full"

    @property
    def tokenizer(self) -> WordPiece:
        """Return the model's tokenizer."""
        return self.task.tokenizer

    @property
    def config(self) -> ModelConfig:
        """Return the configuration of the encoder."""
        return self.model.encoder.config

    @property
    def labels(self) -> list[str] | None:
        """Return the class names in the order of the logits, or None for a task without classes."""
        return self.task.labels

    def ask(self, **inputs: str | None) -> tuple[Any, Any]:
        """Return (example, prediction) for named texts, such as `question`; None means not given.

        Raises ValueError if a text is missing or invalid, or if the task does not accept it.
        """
        given = {name: text for name, text in inputs.items() if text is not None}
        needed = self.task.input_names
        if not needed:
            raise ValueError(f"a model for {self.name} can only predict for files: use `predict_file`")
        if given.keys() != set(needed):
            wanted, got = " and ".join(needed), " and ".join(given) or "nothing"
            raise ValueError(f"a model for {self.name} needs {wanted}, but got {got}")
        example = self.task.example(**given)
        return example, self.task.predict(self.model, [example])[0]
