"""The records of fine-tuning: a model for a task, and an entity that a tagger finds."""

from dataclasses import dataclass
from typing import NamedTuple

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
        """The tokenizer of the model."""
        return self.task.tokenizer

    @property
    def config(self) -> ModelConfig:
        """The sizes of the encoder."""
        return self.model.encoder.config

    @property
    def labels(self) -> list[str] | None:
        """The names of the classes in the order of the logits; None for a task without classes."""
        names = getattr(self.task, "tags", None) or getattr(self.task, "labels", None)
        return None if names is None else [str(name) for name in names]


class NamedEntity(NamedTuple):
    """What a tagging task found in a text: the words, their type, and where they are, text[start:end]."""

    text: str
    type: str
    start: int
    end: int
