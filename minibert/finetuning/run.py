"""Fine-tune any encoder for any task, and keep the result as a folder that `predict` and `evaluate` read.

Devlin et al. (2019, arXiv 1810.04805), sections 3.2 and A.3: all parameters are trained, for a few epochs.
`approaches` has others.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ..config import ModelConfig
from ..model import Encoder, FastEncoder, Model
from ..model.checkpoints.files import check_vocab
from ..model.checkpoints.published import load_model, save_model
from ..model.heads import ClassifierHead
from ..model.low_rank import with_low_rank, without_adapters
from ..readers.json_file import read_json
from ..readers.wording import plural
from ..readers.writing import write_text
from ..tasks.base import Task
from ..tokenizer import WordPiece
from ..tokenizer.fast import FastWordPiece
from ..training.config import TrainConfig
from ..training.loop import train
from .approaches import RANK, check_approach, heads_for, training_context
from .dev_scores import DevScores, EarlyStop, check_monitoring
from .label_notices import tell_label_notice
from .layers import check_rates, rate_groups
from .predict import Entity, answer_inputs, predict_file
from .registry import REGISTRY, entry_of


@dataclass(frozen=True)
class Finetuned:
    """A fine-tuned model: the name of its task, the Task, the Model, and the approach (see `approaches`)."""

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

    def predict(self, text: str | None = None, **inputs: Any) -> str | float | list[Entity]:
        """The model's answer to one input: see `minibert.predict`."""
        return answer_inputs(self, text, **inputs)

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


def finetune(
    name: str,
    encoder: Encoder,
    tokenizer: WordPiece,
    examples: Sequence[Any],
    *,
    epochs: int | None = None,
    steps: int | None = None,
    batch_size: int = 16,
    peak_rate: float = 5e-4,
    seed: int = 0,
    max_length: int | None = None,
    approach: str = "full",
    encoder_rate: float | None = None,
    layer_decay: float = 1.0,
    pooler: nn.Module | None = None,
    dev: Sequence[Any] = (),
    score_every: int | None = None,
    patience: int | None = None,
    tensorboard: str | Path | None = None,
    settings: dict[str, Any] | None = None,
    about: dict[str, Any] | None = None,
    head_seed: int | None = None,
    **options: Any,
) -> tuple[Finetuned, list[dict[str, Any]]]:
    """Train `encoder`, in place, and a new head on labelled examples. Returns (Finetuned, log).

    Give `epochs` or `steps`. approach: how the encoder is used, see `approaches`; all but "full" leave it
    unchanged. encoder_rate, layer_decay: see `parameter_groups`. pooler: the pooler that was pretrained with
    `encoder`, from which a head that has one starts, as in the authors' code. dev: examples to be scored
    later, whose labels are checked now. score_every, patience, tensorboard: see `DevScores`; with patience
    alone, the model is scored once an epoch. settings: of the task, beyond what it takes from the examples,
    such as {"document_context": True}. about: of `train`; a run that goes on from a checkpoint must have the
    same task, approach and settings. head_seed: of the new weights (see `seeds`), where they differ from
    `seed`, from which the order of the examples and dropout are drawn. options: of `train`, such as `label`
    and `checkpoint`, and further fields of TrainConfig, such as `accumulate`.
    """
    check_settings(approach, peak_rate, encoder_rate, layer_decay, patience, score_every, tensorboard, dev)
    if (epochs is None) == (steps is None):
        raise ValueError(f"epochs={epochs}, steps={steps}: give one of them")
    for what, value in (("epochs", epochs), ("batch_size", batch_size)):
        if value is not None and value < 1:
            raise ValueError(f"{what}={value} must be at least 1")
    max_length = max_length or encoder.config.max_position_embeddings
    task = entry_of(name).task.fit(tokenizer, max_length, examples, **(settings or {}))
    task.encode(task.unlabelled(dev))
    tell_label_notice(task, dev, "dev")
    rows, labels, _ = task.encode(examples)
    if not rows:
        raise ValueError(f"{plural(len(examples), 'example')} to train on, and no word in them")
    epoch = -(-len(rows) // batch_size)
    steps = epochs * epoch if steps is None and epochs is not None else steps
    torch.manual_seed(seed if head_seed is None else head_seed)
    fast: Any = FastEncoder.of(encoder)  # shares the weights
    if approach == "lora":
        fast = with_low_rank(fast, RANK)
    model = Model(fast, heads_for(task, approach, fast)).to(next(encoder.parameters()).device)
    for head in model.heads.values():
        if pooler is not None and isinstance(head, ClassifierHead):
            head.pooler.load_state_dict(pooler.state_dict())
    fields = {name: options.pop(name) for name in TrainConfig.__dataclass_fields__.keys() & options.keys()}
    config = TrainConfig(steps=steps or 0, batch_size=batch_size, peak_rate=peak_rate, seed=seed, **fields)
    about = {
        "task": name,
        "way": approach,
        "max_length": max_length,
        "settings": task.settings,
        **(about or {}),
    }
    watch = None
    if score_every or patience or tensorboard:
        watch = DevScores(
            model,
            task,
            dev,
            config.steps,
            patience=patience,
            log_dir=tensorboard,
            every=score_every or (epoch if dev and patience else None),
            folder=options.get("checkpoint"),
            label=options.get("label", "finetune"),
            show=options.pop("progress", True),
        )
        options["progress"] = watch
    with training_context(model, task, approach, rows):
        groups = rate_groups(model, peak_rate, encoder_rate, layer_decay)
        log: list[dict[str, Any]] = []
        with suppress(EarlyStop):
            log = train(
                model, task, lambda rng: (rows, labels), config, groups=groups, about=about, **options
            )
        if watch:
            watch.finish()
            log = watch.log
    return Finetuned(name, task, model, approach), log


def check_settings(
    approach: str,
    peak_rate: float,
    encoder_rate: float | None,
    layer_decay: float,
    patience: int | None,
    score_every: int | None,
    tensorboard: str | Path | None,
    dev: str | Path | Sequence[Any],
) -> None:
    """Raise ValueError for settings of `finetune` that cannot work, before anything is read or computed."""
    check_approach(approach, encoder_rate, layer_decay)
    check_rates(peak_rate, encoder_rate, layer_decay)
    check_monitoring(patience, score_every, dev, tensorboard)
