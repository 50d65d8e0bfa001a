"""How often the host waits for the device in a step of training, by objective and by task."""

import threading
from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import torch
from emulated import emulated
from small import model_of
from test_contract import BY_NAME
from tiny import CONFIG, documents

from minibert.finetuning.registry import read_examples
from minibert.finetuning.run import finetune
from minibert.generated import World
from minibert.generated.files import write_files
from minibert.model import BiLSTM, FastEncoder
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.config import TrainConfig
from minibert.training.loop import train

TASKS = {
    "qa": "squad",
    "ner": "ner",
    "pos": "pos",
    "sst2": "sst2",
    "cola": "cola",
    "mnli": "mnli",
    "mrpc": "mrpc",
    "stsb": "stsb",
    "swag": "swag",
    "race": "race",
}
APPROACHES = ("full", "frozen", "last")
TUNED = [
    (task, approach)
    for task in TASKS
    for approach in APPROACHES
    if approach != "last" or task in ("ner", "pos")
]
OPTIONS = {"steps": 8, "batch_size": 4}
FIRST, LAST = 3, 7  # what is counted begins and ends after these steps


class Costs(NamedTuple):
    """What a step costs on the average: waits for results, waits for copies, and copies to the device.

    Waits are those of the thread that trains. lines: where it waited.
    """

    reads: float
    blocking: float
    copies: float
    lines: list[str]


class Meter:
    """A view of a run that notes what its middle steps cost."""

    def __init__(self, device: Any):
        self.device, self.noted = device, []

    def begin(self, log: list) -> None:
        pass

    def update(self) -> None:
        self.noted.append((len(self.device.waits), len(self.device.copies)))

    def end(self) -> None:
        pass

    def costs(self) -> Costs:
        """Return the costs of a step."""
        (waits, copies), (last_wait, last_copy) = self.noted[FIRST - 1], self.noted[LAST - 1]
        name = threading.current_thread().name
        waited = [event for event in self.device.waits[waits:last_wait] if event.thread == name]
        steps = LAST - FIRST
        blocking = sum(event.kind == "copy" for event in waited)
        lines = [f"{count / steps:g} x {event}" for event, count in Counter(map(str, waited)).most_common()]
        return Costs((len(waited) - blocking) / steps, blocking / steps, (last_copy - copies) / steps, lines)


def costs_of_objective(name: str, kind: str = "cuda", **options: Any) -> Costs:
    """Measure a step of pretraining. options: further fields of TrainConfig."""
    objective = BY_NAME[name].make()
    rows = objective.build(documents(), np.random.default_rng(1))
    with emulated(kind) as device:
        model = model_of(objective, BiLSTM if name == "bilm" else FastEncoder).to(kind)
        meter = Meter(device)
        train(
            model,
            objective,
            lambda rng: rows,
            TrainConfig(**OPTIONS, **options),
            precision=torch.float32,
            progress=meter,
        )
        return meter.costs()


def costs_of_task(name: str, approach: str, folder: Any, kind: str = "cuda", **options: Any) -> Costs:
    """Measure a step of fine-tuning. folder: where files may be written."""
    (path,) = write_files(World(0), 1 if name in ("qa", "ner") else 8, 1, "train", [TASKS[name]], folder)
    tokenizer = FastWordPiece(
        train_wordpiece(count_words(["abcdefghijklmnopqrstuvwxyz0123456789.,?!'-"]), 120)
    )
    with emulated(kind) as device:
        torch.manual_seed(0)
        config = CONFIG.replace(vocab_size=len(tokenizer), num_hidden_layers=4, max_position_embeddings=64)
        meter = Meter(device)
        finetune(
            name,
            FastEncoder(config).to(kind),
            tokenizer,
            read_examples(name, path)[:8],
            approach=approach,
            precision=torch.float32,
            progress=meter,
            **OPTIONS,
            **options,
        )
        return meter.costs()
