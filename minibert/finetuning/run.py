"""Fine-tuning of any encoder for any task.

Devlin et al. (2019, arXiv 1810.04805), sections 3.2 and A.3: all parameters are trained for a few epochs.
Other approaches are in `approaches`.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch
from torch import nn

from ..model import Encoder, FastEncoder, Model
from ..model.goal import Goal
from ..model.heads import ClassifierHead
from ..model.low_rank import with_low_rank
from ..readers import Example
from ..readers.wording import plural
from ..tasks.base import Task
from ..tokenizer import WordPiece
from ..training.config import TrainConfig, at_least
from ..training.distributed import team
from ..training.loop import train
from .approaches import RANK, check_approach, heads_for, training_context
from .dev_scores import DevScores, EarlyStop, check_monitoring
from .finetuned import Finetuned
from .layers import check_rates, rate_groups
from .notices import check_labels, telling_truncation
from .registry import entry_of


def finetune(
    name: str,
    encoder: Encoder,
    tokenizer: WordPiece,
    examples: Sequence[Example],
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
    dev: Sequence[Example] = (),
    score_every: int | None = None,
    patience: int | None = None,
    tensorboard: str | Path | None = None,
    settings: dict[str, Any] | None = None,
    about: dict[str, Any] | None = None,
    head_seed: int | None = None,
    goal: Callable[[Task], Goal] | None = None,
    heads: nn.ModuleDict | None = None,
    **options: Any,
) -> tuple[Finetuned, list[dict[str, Any]]]:
    """Train `encoder`, in place, and a new head on labelled examples, and return (Finetuned, log).

    name: the task. Give `epochs` or `steps`; if both are given, `steps` counts. approach: how the
    encoder is used, see `approaches`; all except "full" leave it unchanged. encoder_rate, layer_decay: see
    `parameter_groups`. pooler: the pooler that was pretrained with `encoder`; a head with a pooler starts
    from its weights, as in the authors' code. dev: examples for later scoring, whose labels are checked at
    the start. score_every, patience, tensorboard: see `DevScores`; if only patience is given, the model is
    scored once per epoch. settings: the task's settings that are not derived from the examples, such as
    {"document_context": True}. head_seed: the seed of the new weights, by default `seed`, which also
    determines the order of the examples and dropout. goal: a function that wraps the task in the goal to
    train, such as `compression.distillation.Distillation`; heads that only this goal needs are removed at the
    end. heads: trained heads of the same task, to continue from instead of new ones. about, options: passed
    to `train`, such as `label` and `checkpoint`, except fields of TrainConfig, such as `accumulate`.
    """
    check_settings(approach, peak_rate, encoder_rate, layer_decay, patience, score_every, tensorboard, dev)
    if epochs is None and steps is None:
        raise ValueError("neither epochs nor steps was given; give at least one of them")
    at_least(1, epochs=epochs, batch_size=batch_size)
    max_length = max_length or encoder.config.max_position_embeddings
    task: Task = entry_of(name).task.fit(tokenizer, max_length, examples, **(settings or {}))
    with telling_truncation(task, "dev"):
        task.encode(task.unlabelled(dev))
    dev = [*task.relabelled(dev)]
    check_labels(task, dev, "dev")
    with telling_truncation(task, "train"):
        rows, labels, _ = task.encode(examples)
    if not rows:
        raise ValueError(f"there are no words to train on in {plural(len(examples), 'example')}")
    epoch = -(-len(rows) // batch_size)
    if epochs and steps and options.get("progress", True) and team().first:
        print(f"Steps {steps:,} ({steps / epoch:.3g} epochs)")
    steps = steps or (epochs or 0) * epoch
    torch.manual_seed(seed if head_seed is None else head_seed)
    fast: Any = FastEncoder.of(encoder)  # shares the weights
    if approach == "lora":
        fast = with_low_rank(fast, RANK)
    own = heads_for(task, approach, fast)
    aim = task if goal is None else goal(task)
    model = Model(fast, own if goal is None else {**aim.heads(fast), **own})
    model.to(next(encoder.parameters()).device)
    for head in model.heads.values():
        if pooler is not None and isinstance(head, ClassifierHead):
            head.pooler.load_state_dict(pooler.state_dict())
    if heads is not None:
        model.heads.load_state_dict({**model.heads.state_dict(), **heads.state_dict()})
    fields = {name: options.pop(name) for name in TrainConfig.__dataclass_fields__.keys() & options.keys()}
    config = TrainConfig(steps=steps, batch_size=batch_size, peak_rate=peak_rate, seed=seed, **fields)
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
            log = train(model, aim, lambda rng: (rows, labels), config, groups=groups, about=about, **options)
        if watch:
            watch.finish()
            log = watch.log
    for name in model.heads.keys() - own.keys():
        del model.heads[name]
    return Finetuned(name, task, model, approach), log


def check_settings(
    approach: str,
    peak_rate: float | None,
    encoder_rate: float | None,
    layer_decay: float,
    patience: int | None,
    score_every: int | None,
    tensorboard: str | Path | None,
    dev: Any,
) -> None:
    """Raise ValueError if an argument of `finetune` is invalid, before training starts."""
    check_approach(approach, encoder_rate, layer_decay)
    check_rates(peak_rate, encoder_rate, layer_decay)
    check_monitoring(patience, score_every, dev, tensorboard)
