"""The tasks, recipe and runs shared by the small fine-tuning experiments.

The encoder is the BERT in `models.elmo_gpt_bert`, so that stored tables and live runs start from the same
weights. Axes: E evaluations of a run, B sequences, C labels.
"""

import copy
import functools
import hashlib
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import torch
from torch import nn

from minibert.course.models.class_model import WORLD_SEED
from minibert.course.models.elmo_gpt_bert import FOLDER, load_trained
from minibert.course.unit10.experiments.shared import StepCallback
from minibert.finetuning.partial_embedding import train_seen_embeddings
from minibert.finetuning.registry import REGISTRY, read_examples
from minibert.generated import World
from minibert.generated.files import write_files
from minibert.generated.labels.syntax import tagged
from minibert.model import Encoder, FastEncoder, Model
from minibert.model.goal import Goal
from minibert.readers.glue import TextExample
from minibert.tasks.base import Task
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.config import TrainConfig
from minibert.training.loop import train

from ..methods.pooling import replaced

SEEDS = {"train": 1, "validation": 2, "test": 3, "unlabelled": 4}  # of the examples
PARTS = ("train", "validation", "test")
ORDER, CLAUSE = "word order", "clause"
LONGEST = 12  # words of a sentence at most


@dataclass(frozen=True)
class FinetuningRecipe:
    """The default training and evaluation settings of a run."""

    labelled: int = 400  # training examples
    validation: int = 150
    test: int = 300
    epochs: int = 3
    per_epoch: int = 10  # evaluations per epoch, evenly spaced
    batch_size: int = 16
    peak_rate: float = 6e-3

    @property
    def steps(self) -> int:
        """Return the number of optimizer steps in a run."""
        return self.epochs * -(-self.labelled // self.batch_size)

    @property
    def evaluations(self) -> int:
        """Return the number of evaluations in a run, the last of which is at its end."""
        return self.epochs * self.per_epoch


RECIPE = FinetuningRecipe()
LAST = 10  # the last steps, over which the final training loss is averaged
# name here -> the package's task
TASKS = {"acceptable": "cola", ORDER: "text", "sentiment": "sst2", CLAUSE: "text"}
EASY = {"labelled": 150, "batch_size": 8}  # for the two tasks that need fewer labels


def recipe_of(name: str, recipe: FinetuningRecipe = RECIPE) -> FinetuningRecipe:
    """Return the recipe for the task `name`, a key of TASKS; easy tasks need fewer labels."""
    return replace(recipe, **EASY) if name in ("sentiment", CLAUSE) else recipe


@functools.cache
def backbone() -> tuple[Encoder, FastWordPiece]:
    """Return the pretrained encoder that all runs start from, and its tokenizer."""
    model, tokenizer, _ = load_trained("BERT")
    return model.encoder, tokenizer


def weights_digest() -> str:
    """Return 12 hex digits that identify the pretrained weights."""
    return hashlib.sha256((FOLDER / "BERT.safetensors").read_bytes()).hexdigest()[:12]


def examples(name: str, count: int, part: str, without: Collection[str] = ()) -> list[Any]:
    """Return `count` labelled examples of a task.

    name: a key of TASKS, whose examples are sentences of at most LONGEST words, half of them with each label;
    or one of the package's tasks. part: "train", "validation", "test" or "unlabelled". without: sentences to
    omit.
    """
    if name in TASKS:
        short = [
            one
            for one in longer(name, 5 * count, part)
            if len(one.first.split()) <= LONGEST and one.first not in without
        ]
        halves = (
            [one for one in short if one.label == label][: count // 2]
            for label in sorted({one.label for one in short})
        )
        return [one for pair in zip(*halves) for one in pair]
    return longer(name, count, part)


def longer(name: str, count: int, part: str) -> list[Any]:
    """Return `count` labelled examples of a task, including long sentences."""
    if made := {ORDER: exchanged, CLAUSE: with_clauses}.get(name):
        return made(count, SEEDS[part])
    with TemporaryDirectory() as folder:
        (path,) = write_files(World(WORLD_SEED), count, SEEDS[part], "train", [TASKS.get(name, name)], folder)
        return read_examples(TASKS.get(name, name), path)


def exchanged(count: int, seed: int) -> list[TextExample]:
    """Return sentences from biographies; in every other one, two adjacent words (not names) are swapped."""
    rng, sentences = np.random.default_rng(seed), sentences_of_lives(3 * count, seed)
    found: list[TextExample] = []
    for number in rng.permutation(len(sentences)):
        words = sentences[number].split(" ")
        inner = [at for at in range(1, len(words) - 1) if words[at].isalpha() and words[at].islower()]
        pairs = [at for at in inner if at + 1 in inner and words[at] != words[at + 1]]
        if pairs and len(found) < count:
            if label := len(found) % 2:
                at = int(rng.choice(pairs))
                words[at : at + 2] = words[at + 1], words[at]
            found.append(
                TextExample(" ".join(words), None, "yes" if label else "no", str(len(found)), len(found) + 1)
            )
    return found


def with_clauses(count: int, seed: int) -> list[TextExample]:
    """Return sentences from biographies, half of them with a subordinate clause or a quotation."""
    found: dict[str, list[str]] = {"no": [], "yes": []}
    pages = World(WORLD_SEED).pages(4 * count, seed, "train", stream="syntax")
    for page in (page for page in pages if page.kind == "life"):
        for number, sentence in enumerate(page.sentences):
            words = tagged(page, number)
            half = found["yes" if any(word.depth for word in words) else "no"]
            if len(half) < count // 2 and sentence not in half:
                half.append(sentence)
    return [
        TextExample(sentence, None, label, str(number), number + 1)
        for number, pair in enumerate(zip(*found.values()))
        for label, sentence in zip(found, pair)
    ]


def sentences_of_lives(documents: int, seed: int) -> list[str]:
    """Return the sentences of all biographies among the given number of generated documents."""
    return [
        sentence
        for document in World(WORLD_SEED).documents(documents, seed, "train")
        if document.kind == "life"
        for sentence in document.sentences
    ]


class ScoredExamples:
    """Examples for scoring models repeatedly, padded only once."""

    def __init__(self, task: Task, scored: Sequence[Any], batch_size: int = 100) -> None:
        rows, labels, _ = task.encode(scored)
        self.gold = np.array(labels)  # (N,)
        self.batches = padded(task, rows, batch_size)

    def of(self, task: Task, rows: Sequence[Any]) -> "ScoredExamples":
        """Return a copy with the same labels but different sequences, `rows`."""
        other = copy.copy(self)
        other.batches = padded(task, rows)
        return other

    @torch.no_grad()
    def answers(self, model: nn.Module) -> np.ndarray:
        """Return the label that the model considers most likely for each example, (N,)."""
        training, found = model.training, np.empty_like(self.gold)
        model.eval()
        for places, inputs in self.batches:
            found[places] = model(**inputs)["label"].argmax(-1).numpy()
        model.train(training)
        return found

    def right(self, model: nn.Module) -> int:
        """Return the number of examples that the model classifies correctly."""
        return int((self.answers(model) == self.gold).sum())


def padded(task: Task, rows: Sequence[Any], batch_size: int = 100) -> list[tuple[list[int], Any]]:
    """Return batches of sequences of similar length, as pairs (indices in `rows`, inputs of the model)."""
    by_length = sorted(range(len(rows)), key=lambda i: sum(map(len, filter(None, rows[i]))))
    return [
        (places, task.inputs(task.collate([rows[i] for i in places]), "cpu"))
        for places in (by_length[start : start + batch_size] for start in range(0, len(rows), batch_size))
    ]


@dataclass(frozen=True)
class TaskExamples:
    """The examples for a task, ready for training and scoring."""

    task: Task
    rows: list[Any]
    labels: list[Any]
    validation: ScoredExamples
    test: ScoredExamples
    texts: dict[str, list[Any]] = field(repr=False)


@functools.cache
def material(name: str, recipe: FinetuningRecipe = RECIPE) -> TaskExamples:
    _, tokenizer = backbone()
    texts: dict[str, list[Any]] = {}
    for part in PARTS:
        count = getattr(recipe, "labelled" if part == "train" else part)
        seen = {one.first for found in texts.values() for one in found}
        texts[part] = examples(name, count, part, seen)
    return prepared(TASKS[name], tokenizer, texts)


def prepared(task_name: str, tokenizer: FastWordPiece, texts: dict[str, list[Any]]) -> TaskExamples:
    """Return the examples for a task, prepared from `texts`, which maps parts of the data to examples."""
    task = REGISTRY[task_name].task.fit(tokenizer, 64, texts["train"])
    rows, labels, _ = task.encode(texts["train"])
    return TaskExamples(
        task,
        rows,
        labels,
        ScoredExamples(task, texts["validation"]),
        ScoredExamples(task, texts["test"]),
        texts,
    )


def nothing(_: Any) -> None:
    """Do nothing: the default for a change of a model."""


def same(one: Any) -> Any:
    """Return the argument unchanged: the default for a change of a setting."""
    return one


@dataclass(frozen=True)
class Change:
    """How a run differs from plain fine-tuning; every field is optional."""

    encoder: Callable[[Encoder], Any] = same  # for example, adds adapters
    head: Callable[..., nn.Module] | None = None  # (config, labels) -> a replacement for the classifier
    model: Callable[[Model], None] = nothing  # changes the model in place, before training
    groups: Callable[[Model, float], list[dict[str, Any]] | None] = lambda model, rate: None
    goal: Callable[[Task], Goal] = same
    training: Mapping[str, Any] = field(default_factory=dict)  # fields of TrainConfig
    times: float = 1  # factor on the number of steps


PLAIN = Change()


@dataclass(frozen=True)
class FinetuningRun:
    """A finished fine-tuning run: its model, its correct answers at each evaluation, and its cost."""

    model: Model
    task: Task
    validation: list[int]  # (E,)
    test: list[int]  # (E,)
    loss: float  # on the training examples, mean over the last steps
    seconds: float  # CPU time of training only

    @property
    def encoder(self) -> Any:
        """Return the fine-tuned encoder."""
        return self.model.encoder


def tune(
    name: str,
    init: int,
    order: int,
    recipe: FinetuningRecipe = RECIPE,
    change: Change = PLAIN,
    encoder: Encoder | None = None,
    given: TaskExamples | None = None,
) -> FinetuningRun:
    """Fine-tune a copy of the encoder on the task `name`, a key of TASKS, and evaluate it repeatedly.

    init: the seed for all new weights. order: the seed for the order of the examples. change: how the run
    differs from plain fine-tuning. encoder: an encoder to use instead of `backbone`. given: examples to use
    instead of the task's own.
    """
    return tuned(
        given or material(name, recipe),
        init,
        order,
        recipe,
        change,
        backbone()[0] if encoder is None else encoder,
    )


def tuned(
    given: TaskExamples, init: int, order: int, recipe: FinetuningRecipe, change: Change, encoder: Any
) -> FinetuningRun:
    """Fine-tune as `tune` does, but without default arguments."""
    torch.manual_seed(init)
    fast: Any = FastEncoder.of(copy.deepcopy(encoder))
    own = change.encoder(fast)
    heads = given.task.heads(own)
    if change.head:
        heads = replaced(heads, own.config, change.head)
    model = Model(own, heads)
    change.model(model)
    steps = round(change.times * recipe.steps)
    due = {round((i + 1) * steps / recipe.evaluations) for i in range(recipe.evaluations)}
    found: dict[str, list[int]] = {"validation": [], "test": []}
    looking = 0.0

    def look(step: int) -> None:
        nonlocal looking
        if step not in due:
            return
        begin = time.process_time()
        for part, counts in found.items():
            counts.append(getattr(given, part).right(model))
        looking += time.process_time() - begin

    config = TrainConfig(
        **{
            "steps": steps,
            "batch_size": recipe.batch_size,
            "peak_rate": recipe.peak_rate,
            "seed": order,
            **change.training,
        }
    )
    begin = time.process_time()
    with train_seen_embeddings(model, given.task, given.rows) if change.encoder is same else nullcontext():
        log = train(
            model,
            change.goal(given.task),
            lambda rng: (given.rows, given.labels),
            config,
            groups=change.groups(model, recipe.peak_rate),
            precision=torch.float32,
            progress=StepCallback(look),
        )
    loss = float(np.mean([entry["loss"] for entry in log[-LAST:]]))
    return FinetuningRun(
        model,
        given.task,
        **found,
        loss=round(loss, 4),
        seconds=round(time.process_time() - begin - looking, 2),
    )


def line(run: FinetuningRun) -> dict[str, Any]:
    """Return a run's results for a stored table, by name.

    The keys are "validation" and "test", the numbers correct at each evaluation, "loss" and "seconds".
    """
    return {"validation": run.validation, "test": run.test, "loss": run.loss, "seconds": run.seconds}
