"""Models that `transformers` has fine-tuned: the task is derived from their `config.json`.

In folders written by this package, `task.json` names the task for which a model was fine-tuned. In other
folders, the class of the model and the names of its labels determine the task.
"""

from pathlib import Path
from typing import Any

from ..model import Model
from ..model.checkpoints.files import check_vocab, read_json
from ..model.checkpoints.published import FORMATS
from ..model.checkpoints.tokenizer_files import load_tokenizer
from ..model.checkpoints.weights import read_config, read_model
from ..readers.conll import TAG
from ..tasks.base import Task
from ..tokenizer import WordPiece
from .registry import entry_of

# The end of the name of a class in `transformers`: our name of its head, or None if no task has such a head.
HEADS = {
    "ForSequenceClassification": "label",
    "ForTokenClassification": "tags",
    "ForQuestionAnswering": "span",
    "ForMultipleChoice": None,
}


class UnsupportedHead(ValueError):
    """Raised if a model has a kind of head that this package does not support."""


def fine_tuned_class(folder: str | Path) -> str | None:
    """Return the `transformers` class of a fine-tuned model, or None if the model is only pretrained."""
    names = read_json(Path(folder) / "config.json").get("architectures")
    name = str(names[0]) if isinstance(names, list) and names else ""
    return name if name.endswith(tuple(HEADS)) else None


def load_published(folder: str | Path) -> tuple[str, Task, Model]:
    """Load a model that `transformers` has fine-tuned, and return (name of the task, task, model).

    Sequence classification is the task "text", whose examples may be single texts or pairs; token
    classification is "ner" or, if its labels are not O, B-TYPE and I-TYPE, "pos"; question answering is "qa",
    and every question gets an answer. Raises UnsupportedHead, naming the class, for other heads; ValueError,
    naming the file, if a file is damaged or lacks weights of the head.
    """
    folder, kind = Path(folder), fine_tuned_class(folder) or ""
    head = next((head for end, head in HEADS.items() if kind.endswith(end)), None)
    form, config = read_config(folder, FORMATS)
    tokenizer = load_tokenizer(folder)
    about = f"{folder}: the head of {kind}"
    if head is None or f"heads.{head}.classifier" not in {ours for _, ours in form.table}:
        raise UnsupportedHead(f"{about} is not supported")
    if not isinstance(tokenizer, WordPiece):
        raise UnsupportedHead(
            f"{about} cannot be used, because its tokenizer is not BERT's WordPiece ({tokenizer.why})"
        )
    name, settings = task_of(folder, head, about)
    most = form.longest(config)
    task = entry_of(name).task(tokenizer, min(most, tokenizer.max_length or most), **settings)
    model, lacking = read_model(folder, task.heads, FORMATS)
    if lacking:
        raise ValueError(f"{about} has no weights in the model's file")
    check_vocab(folder, tokenizer, config)
    return name, task, model


def task_of(folder: Path, head: str, about: str) -> tuple[str, dict[str, Any]]:
    """Return (name, settings) of the task for a kind of head. about: the head's name in error messages."""
    if head == "span":
        return "qa", {}
    values = read_json(folder / "config.json")
    names = values.get("id2label") or {"0": "LABEL_0", "1": "LABEL_1"}  # the default is not in the file
    labels = [names.get(str(i)) for i in range(len(names))]
    if not all(isinstance(label, str) for label in labels) or len(set(labels)) < len(labels):
        raise UnsupportedHead(f"{about} has labels that are not distinct names, numbered from 0: {names}")
    problem = values.get("problem_type") or ("regression" if len(labels) == 1 else None)
    if head == "label" and problem not in (None, "single_label_classification"):
        raise UnsupportedHead(f"{about} has the problem type {problem}, which is not supported")
    if head == "label":
        return "text", {"labels": labels, "pair": None}
    return "ner" if all(TAG.fullmatch(str(label)) for label in labels) else "pos", {"tags": labels}
