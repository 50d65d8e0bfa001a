"""A model for a task, which is asked about one input at a time."""

from dataclasses import dataclass
from typing import Any

from ..config import ModelConfig
from ..model import Model
from ..tasks.base import Task
from ..tokenizer import WordPiece


@dataclass(frozen=True)
class TaskModel:
    """A task's name, the Task, the Model with its heads, and the approach (see `approaches`)."""

    name: str
    task: Task
    model: Model
    approach: str = "full"

    @property
    def tokenizer(self) -> WordPiece:
        """Return the tokenizer of the model."""
        return self.task.tokenizer

    @property
    def config(self) -> ModelConfig:
        """Return the sizes of the encoder."""
        return self.model.encoder.config

    @property
    def labels(self) -> list[str] | None:
        """Return the names of the classes in the order of the logits; None for a task without classes."""
        return self.task.labels

    def ask(self, **inputs: str | None) -> tuple[Any, Any]:
        """Return (example, prediction) for texts by their names, such as `question`; None = not given.

        Raises ValueError if a text is missing or cannot be read, or if the task does not take it.
        """
        given = {name: text for name, text in inputs.items() if text is not None}
        needed = self.task.input_names
        if not needed:
            raise ValueError(f"a model for {self.name} answers files only")
        if given.keys() != set(needed):
            wanted, got = " and ".join(needed), " and ".join(given) or "nothing"
            raise ValueError(f"a model for {self.name} takes {wanted}, not {got}")
        example = self.task.example(**given)
        return example, self.task.predict(self.model, [example])[0]
