"""A fine-tuned teacher of four layers, which the tests of compression share."""

import functools

import torch
from small_task import EXAMPLES, TOKENIZER, tuned
from tiny import CONFIG

from minibert.model import Encoder
from minibert.model.transfer import CPU, to_torch


@functools.cache
def teacher():
    """A tiny classifier of four layers; tests must not change it."""
    torch.manual_seed(3)
    encoder = Encoder(CONFIG.replace(vocab_size=len(TOKENIZER), num_hidden_layers=4))
    found = tuned(encoder, epochs=12)
    found.model.zero_grad()
    return found


def some_batch():
    """Inputs and labels of three examples of different lengths, as tensors; the first is the shortest."""
    task = teacher().task
    rows, labels, _ = task.encode(EXAMPLES[::9][:3])
    inputs, targets = task.corrupt(
        task.collate([(ids[: 2 + i], None) for i, (ids, _) in enumerate(rows)], labels)
    )
    return to_torch(inputs, CPU), to_torch(targets, CPU)
