"""Steps before and after a fine-tuning run: checking the start, saving the result."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..model.checkpoints.pretrained import Pretrained
from ..model.checkpoints.published import longest
from ..readers import Example
from ..readers.wording import format_scores, plural
from ..tokenizer import WordPiece
from ..training.distributed import team
from ..training.log import write_log
from ..training.pretraining import SETTINGS, forget
from ..training.progress import tell
from ..training.storage import write_json, write_with_retries
from .dev_scores import SCORES
from .finetuned import Finetuned
from .registry import entry_of


def check_start(start: Pretrained, task: str, max_length: int | None) -> Pretrained:
    """Return a pretrained model if a task can start from it; warn if it lacks a pooler.

    Raises ValueError if the model does not use WordPiece, or if max_length is too long for it.
    """
    if not isinstance(start.tokenizer, WordPiece):
        raise ValueError(
            f"{start.name}: its tokenizer is not BERT's WordPiece, so it can fill masks and encode texts, "
            f"but not be fine-tuned here ({start.tokenizer.why}); start from a BERT or ELECTRA model"
        )
    if max_length is not None and max_length > longest(start.encoder):
        raise ValueError(f"max_length={max_length} must be at most {longest(start.encoder)} for {start.name}")
    if start.pooler is None and entry_of(task).task.pooled and team().first:
        tell(f"{start.name}: has no pooler weights; the pooler for {task} starts with random weights")
    return start


def keep_finetuned(
    tuned: Finetuned,
    log: list[dict[str, Any]],
    dev: Sequence[Example],
    folder: Path | None,
    about: dict[str, Any],
    progress: bool,
) -> None:
    """Save a fine-tuned model, print its scores on dev examples, and delete its checkpoints.

    about: the training settings that are saved with the model.
    """
    dev = [*tuned.task.relabelled(dev)]
    if dev:
        tuned.task.tune(tuned.model, dev)
    if folder:
        write_with_retries(lambda: tuned.save(folder))
        write_log(folder / "log.jsonl", log)
        write_json(folder / SETTINGS, about)
        if (folder / "training" / SCORES).is_file():
            shutil.copy(folder / "training" / SCORES, folder / SCORES)
    if progress and dev:
        print_scores(tuned, dev)
    if folder:
        if progress:
            print(f"Model: {folder}")
        forget(folder / "training")  # last, so that a run stopped before this can still resume


def print_scores(tuned: Finetuned, examples: Sequence[Example]) -> None:
    scores = tuned.task.metric(examples, tuned.task.answer(tuned.model, examples))
    print(f"{plural(len(examples), 'example')}: {format_scores(scores)}")
