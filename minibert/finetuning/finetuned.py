"""A fine-tuned model, and the folder in which it is saved.

`run` makes fine-tuned models, `predict` and `evaluate` use them, and `minibert.load` loads them.
"""

import json
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch

from ..model.checkpoints.files import check_vocab
from ..model.checkpoints.published import load_model, save_model
from ..model.low_rank import without_adapters
from ..readers.json_file import read_json
from ..readers.writing import write_text
from ..tasks.records import NamedEntity
from ..tokenizer.fast import FastWordPiece
from .approaches import heads_for
from .predict import predict_file
from .records import TaskModel
from .registry import REGISTRY


@dataclass(frozen=True)
class Finetuned(TaskModel):
    """A fine-tuned model, which predicts for single inputs and files, and can be saved to a folder."""

    def predict(
        self,
        text: str | None = None,
        *,
        text_pair: str | None = None,
        question: str | None = None,
        context: str | None = None,
    ) -> str | float | list[NamedEntity]:
        """Return the model's prediction for one input, see `minibert.predict`."""
        answered = self.ask(text=text, text_pair=text_pair, question=question, context=context)
        return self.task.result(*answered)

    def predict_file(self, path: str | Path, out: str | Path | None = None, **files: Any) -> int:
        """Write predictions for a file of the task, see `minibert.finetuning.predict.predict_file`."""
        return predict_file(self, path, out, **files)

    def save(self, folder: str | Path) -> None:
        """Save the model to a folder, as Hugging Face's files and `task.json` with the task's settings.

        Low-rank adapters are merged into the weights, so that the folder contains an ordinary model.
        """
        settings = {
            "task": self.name,
            "max_length": self.task.max_length,
            "lower_case": self.task.tokenizer.lower_case,
            "settings": self.task.settings,
            "way": self.approach,
        }
        save_model(without_adapters(self.model), folder, self.task.tokenizer, self.labels)
        write_text(Path(folder) / "task.json", json.dumps(settings, indent=2) + "\n")

    @classmethod
    def load(cls, folder: str | Path, device: str | torch.device = "cpu") -> "Finetuned":
        """Load a model from a folder written by `save`, and move it to `device`.

        Raises ValueError if the folder does not contain a fine-tuned model.
        """
        path = Path(folder) / "task.json"
        if not path.is_file():
            raise ValueError(f"{path}: no such file; give a folder written by `minibert finetune`")
        settings = read_json(path)
        lacking = sorted(
            {"task", "max_length", "lower_case", "settings"}
            - set(settings if isinstance(settings, dict) else ())
        )
        if lacking or settings["task"] not in REGISTRY:
            raise ValueError(
                f"{path}: "
                + (
                    f"has no {', '.join(lacking)}"
                    if lacking
                    else f"unknown task {settings['task']!r}; known tasks: {', '.join(REGISTRY)}"
                )
            )
        for name, kind in {"max_length": int, "lower_case": bool, "settings": dict}.items():
            if not isinstance(settings[name], kind):
                raise ValueError(f"{path}: {name} must be of type {kind.__name__}, not {settings[name]!r}")
        approach = settings.get("way", "full")  # missing in folders of earlier versions
        tokenizer = FastWordPiece.load(Path(folder) / "vocab.txt", lower_case=settings["lower_case"])
        try:
            task = REGISTRY[settings["task"]].task(tokenizer, settings["max_length"], **settings["settings"])
            model = load_model(folder, partial(heads_for, task, approach))
        except TypeError as error:
            raise ValueError(
                f"{path}: its settings do not fit the task {settings['task']!r} ({error})"
            ) from None
        check_vocab(folder, tokenizer, model.encoder.config)
        return cls(settings["task"], task, model.to(device), approach)
