"""A fine-tuned model, and the folder that holds it.

`run` makes one, `predict` and `evaluate` use one, and `minibert.load` reads one.
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
    """A fine-tuned model, which answers inputs and files, and which a folder can hold."""

    def predict(
        self,
        text: str | None = None,
        *,
        text_pair: str | None = None,
        question: str | None = None,
        context: str | None = None,
    ) -> str | float | list[NamedEntity]:
        """Return the model's answer to one input: see `minibert.predict`."""
        answered = self.ask(text=text, text_pair=text_pair, question=question, context=context)
        return self.task.result(*answered)

    def predict_file(self, path: str | Path, out: str | Path | None = None, **files: Any) -> int:
        """Write the answers to a file of the task: see `minibert.finetuning.predict.predict_file`."""
        return predict_file(self, path, out, **files)

    def save(self, folder: str | Path) -> None:
        """Write the model's folder: Hugging Face's files, and `task.json` with what the task needs.

        Low-rank adapters are added to the weights: the folder holds an ordinary model.
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
        """Read such a folder and move the model to `device`.

        Raises ValueError for a folder without a fine-tuned model.
        """
        path = Path(folder) / "task.json"
        if not path.is_file():
            raise ValueError(f"{path}: no such file; `minibert finetune` writes it")
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
                raise ValueError(f"{path}: {name} {settings[name]!r} is no {kind.__name__}")
        approach = settings.get("way", "full")  # folders of earlier versions do not say
        tokenizer = FastWordPiece.load(Path(folder) / "vocab.txt", lower_case=settings["lower_case"])
        try:
            task = REGISTRY[settings["task"]].task(tokenizer, settings["max_length"], **settings["settings"])
            model = load_model(folder, partial(heads_for, task, approach))
        except TypeError as error:
            raise ValueError(
                f"{path}: its values are not those of the task {settings['task']!r} ({error})"
            ) from None
        check_vocab(folder, tokenizer, model.encoder.config)
        return cls(settings["task"], task, model.to(device), approach)
