"""A fine-tuned model, and the folder in which it is saved."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import torch

from ..model.checkpoints.files import check_vocab
from ..model.checkpoints.published import load_model, save_model
from ..model.low_rank import without_adapters
from ..readers.inputs import as_texts
from ..readers.json_file import read_json
from ..readers.writing import write_text
from ..tasks.records import Result
from ..tokenizer.added import CONFIG
from ..tokenizer.fast import FastWordPiece
from ..tokenizer.settings import VOCAB
from .approaches import heads_for
from .notices import telling_truncation
from .predict import predict_file
from .published import fine_tuned_class, load_published
from .records import TaskModel
from .registry import entry_of


@dataclass(frozen=True, repr=False)
class Finetuned(TaskModel):
    """A fine-tuned model, which predicts for single inputs and files, and can be saved to a folder."""

    def predict(
        self,
        text: str | Iterable[str] | None = None,
        *,
        text_pair: str | Iterable[str] | None = None,
        question: str | Iterable[str] | None = None,
        context: str | Iterable[str] | None = None,
        probabilities: bool = False,
    ) -> Result | list[Result]:
        """Return the prediction for one input, or a list for a list of inputs; see `minibert.predict`."""
        given = {"text": text, "text_pair": text_pair, "question": question, "context": context}
        examples = self.examples({name: value for name, value in given.items() if value is not None})
        task = self.task
        with telling_truncation(task, self.name):
            if probabilities:
                found: list[Any] = task.probabilities(self.model, examples)
            else:
                predictions = task.predict(self.model, examples)
                found = [task.result(example, each) for example, each in zip(examples, predictions)]
        single = all(isinstance(value, str | None) for value in given.values())
        return found[0] if single else found

    def fill_mask(self, *inputs: Any, **named: Any) -> NoReturn:
        """Raise ValueError, because a fine-tuned model has no output head for masked tokens."""
        raise ValueError(f"this model was fine-tuned for {self.name}, so it cannot predict masked tokens")

    def examples(self, given: Mapping[str, str | Iterable[str]]) -> list[Any]:
        """Make unlabelled examples from named inputs, each a string or a list of strings.

        A single string is combined with each string of the other inputs. Raises ValueError, naming the input,
        if lists have different lengths or a string is invalid.
        """
        columns = {name: as_texts(value, name) for name, value in given.items()}
        lengths = {name: len(columns[name]) for name, value in given.items() if not isinstance(value, str)}
        if len(set(lengths.values())) > 1:
            counts = " and ".join(f"{count} in {name}" for name, count in lengths.items())
            raise ValueError(f"the lists must have the same length, but there are {counts}")
        count = next(iter(lengths.values()), 1)
        rows = [{name: texts[i % len(texts)] for name, texts in columns.items()} for i in range(count)]
        if not lengths:
            return [self.example(**rows[0])]
        found = []
        for place, row in enumerate(rows):
            try:
                found.append(self.example(**row))
            except ValueError as error:
                raise ValueError(f"input {place}: {error}") from None
        return found

    def predict_file(self, path: str | Path, out: str | Path | None = None, **files: Any) -> int:
        """Write predictions for a file of examples, and return their number.

        The arguments are those of `predict.predict_file`.
        """
        return predict_file(self, path, out, **files)

    def save(self, folder: str | Path) -> None:
        """Save the model to a folder in Hugging Face's format, with the task's settings in `task.json`.

        Low-rank adapters are merged into the weights, so that the folder contains an ordinary model.
        """
        settings = {
            "task": self.name,
            "max_length": self.task.max_length,
            "lower_case": self.task.tokenizer.lower_case,
            "settings": self.task.settings,
            "way": self.approach,
            "columns": dict(self.columns),
        }
        save_model(without_adapters(self.model), folder, self.task.tokenizer, self.labels)
        write_text(Path(folder) / "task.json", json.dumps(settings, indent=2) + "\n")

    @classmethod
    def load(cls, folder: str | Path, device: str | torch.device = "cpu") -> "Finetuned":
        """Load a model from a folder written by `save` or by `transformers`, and move it to `device`.

        Raises ValueError if the folder does not contain a fine-tuned model; UnsupportedHead, see
        `published.load_published`, if `transformers` has written it, but its head is not supported.
        """
        path = Path(folder) / "task.json"
        if not path.is_file() and (Path(folder) / "config.json").is_file() and fine_tuned_class(folder):
            name, task, model = load_published(folder)
            return cls(name, task, model.to(device))
        if not path.is_file():
            raise ValueError(f"{path}: no such file; give a folder written by `minibert finetune`")
        settings = read_json(path)
        lacking = sorted(
            {"task", "max_length", "lower_case", "settings"}
            - set(settings if isinstance(settings, dict) else ())
        )
        if lacking:
            raise ValueError(f"{path}: missing: {', '.join(lacking)}")
        try:
            make = entry_of(settings["task"]).task
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        for name, kind in {"max_length": int, "lower_case": bool, "settings": dict, "columns": dict}.items():
            if not isinstance(settings.setdefault(name, {}), kind):
                raise ValueError(f"{path}: {name} must be of type {kind.__name__}, not {settings[name]!r}")
        # missing in folders of earlier versions
        approach, columns = settings.get("way", "full"), settings["columns"]
        tokenizer = saved_tokenizer(Path(folder), settings["lower_case"])
        try:
            task = make(tokenizer, settings["max_length"], **settings["settings"])
            model = load_model(folder, partial(heads_for, task, approach))
        except TypeError as error:
            raise ValueError(
                f"{path}: its settings do not fit the task {settings['task']!r} ({error})"
            ) from None
        check_vocab(folder, tokenizer, model.encoder.config)
        return cls(settings["task"], task, model.to(device), approach, columns)


def saved_tokenizer(folder: Path, lower_case: bool) -> FastWordPiece:
    """Load the tokenizer of a fine-tuned model. lower_case: the setting in its task.json.

    Raises ValueError if tokenizer_config.json contradicts it; folders of early versions have no such file.
    """
    has_config = (folder / CONFIG).is_file()
    found = FastWordPiece.load(folder / VOCAB, None if has_config else lower_case)
    if found.lower_case != lower_case:
        raise ValueError(
            f"{folder / 'task.json'}: has lower_case={lower_case}, but {CONFIG} has {found.lower_case}"
        )
    return found
