"""Train in two stages: first on a related task with many labels, or on the task's own text.

Phang et al. (2018, arXiv 1811.01088), STILTs, MNLI before RTE; Gururangan et al. (2020, arXiv 2004.10964).
Comparing two texts requires a larger model than the other experiments, so these use the course's own model.
For English, the first stage is an adapter that comes with the course, merged into the published encoder.
"""

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from minibert.course.models.class_model import class_model
from minibert.course.models.elmo_gpt_bert import load_trained
from minibert.english.model import english_task, shared
from minibert.finetuning.run import finetune
from minibert.model import Encoder
from minibert.model.low_rank import merged
from minibert.readers.glue import TextExample
from minibert.training.config import TrainConfig

from ..methods.two_stage import further_pretrained
from .shared import PLAIN, RECIPE, FinetuningRecipe, TaskExamples, examples, line, prepared, tune, tuned

FIRST = {  # first stage -> its task
    "nothing": None,
    "mnli first": "mnli",
    "sentiment first": "sst2",
}
SECOND = ("rte", "cola")
READS = ("plain", "further pretraining")
MANY = FinetuningRecipe(labelled=4000, validation=10, test=10, epochs=4, per_epoch=1, peak_rate=5e-4)
FEW = FinetuningRecipe(labelled=300, validation=150, test=300, epochs=6, per_epoch=1, peak_rate=5e-4)
READ, READING = 1200, 150  # of further pretraining: the number of texts of the task, and of steps
ENGLISH = {  # first stage before QNLI -> its adapter
    "nothing": None,
    "questions first": "english-qa",
    "sentiment first": "english-sentiment",
}
# QNLI's training examples of each label, the number of epochs, and the peak learning rate
ENGLISH_FEW, ENGLISH_EPOCHS, ENGLISH_RATE = 100, 3, 1e-3


@functools.cache
def stage_material(name: str, recipe: FinetuningRecipe) -> TaskExamples:
    """Return the examples for a task, tokenized for the course's own model."""
    _, tokenizer = class_model()
    counts = {"train": recipe.labelled, "validation": recipe.validation, "test": recipe.test}
    return prepared(name, tokenizer, {part: examples(name, count, part) for part, count in counts.items()})


@functools.cache
def after_first(first: str, many: FinetuningRecipe = MANY) -> Encoder:
    """Return the course's own encoder after the first stage of fine-tuning.

    first: a key of FIRST, which names the task of the first stage, if any.
    """
    model, _ = class_model()
    task = FIRST[first]
    if task is None:
        return model.encoder
    return tuned(stage_material(task, many), 0, 0, many, PLAIN, model.encoder).encoder


def stage_run(
    first: str, second: str, seed: int, few: FinetuningRecipe = FEW, many: FinetuningRecipe = MANY
) -> dict[str, Any]:
    """Fine-tune on few labels of a task after a first stage, and return the results as `line` does.

    first: a key of FIRST, which names the first stage; it is the same for all seeds. second: the task, one of
    SECOND.
    """
    return line(tuned(stage_material(second, few), seed, seed, few, PLAIN, after_first(first, many)))


def further_pretraining_run(
    way: str, task: str, seed: int, recipe: FinetuningRecipe = RECIPE, steps: int = READING
) -> dict[str, Any]:
    """Fine-tune the small encoder on a task, and return the results as `line` does.

    way: "plain", or "further pretraining", which first continues pretraining on the task's text.
    """
    encoder = None if way == "plain" else further_pretrained_encoder(task, seed, steps)
    return line(tune(task, seed, seed, recipe, encoder=encoder))


@functools.cache
def further_pretrained_encoder(task: str, seed: int, steps: int) -> Encoder:
    """Return the small encoder after further pretraining on texts that are not in the task's examples."""
    model, tokenizer, _ = load_trained("BERT")
    texts = [example.first for example in examples(task, READ, "unlabelled")]
    config = TrainConfig(steps=steps, batch_size=16, peak_rate=1e-3, seed=seed)
    read, _ = further_pretrained(model, tokenizer, texts, config, 64, precision=torch.float32, progress=False)
    return read.encoder


@functools.cache
def english_encoder(first: str) -> Encoder:
    """Return the published English encoder after the first stage of fine-tuning.

    first: a key of ENGLISH, which names the first stage, if any. Raises EnglishMissing if the encoder is not
    available.
    """
    name = ENGLISH[first]
    return shared().encoder if name is None else merged(english_task(name).model.encoder)


def english_run(
    first: str, seed: int, train: Sequence[TextExample], test: Sequence[TextExample], few: int = ENGLISH_FEW
) -> dict[str, Any]:
    """Train low-rank adapters on a few examples of QNLI, after training on another task or on none.

    first: a key of ENGLISH, which names this first stage. few: the number of examples for each label. The
    seed determines the examples, their order and the new weights. Returns the accuracy on `test` in percent
    and the mean loss of the last ten steps.
    """
    order = np.random.default_rng(seed).permutation(len(train))
    chosen = [
        train[i]
        for label in sorted({str(one.label) for one in train})
        for i in [i for i in order if train[i].label == label][:few]
    ]
    published: Any = shared()
    tuned, log = finetune(
        "qnli",
        english_encoder(first),
        published.tokenizer,
        chosen,
        approach="lora",
        seed=seed,
        epochs=ENGLISH_EPOCHS,
        peak_rate=ENGLISH_RATE,
        max_length=96,
        pooler=published.pooler,
        precision=torch.bfloat16,
        progress=False,
    )
    accuracy = tuned.task.metric(test, tuned.task.answer(tuned.model, test))["accuracy"]
    return {
        "accuracy": round(float(accuracy), 2),
        "loss": round(float(np.mean([entry["loss"] for entry in log[-10:]])), 4),
    }
