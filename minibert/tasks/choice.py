"""Multiple choice: which of several options goes on, or answers, best.

Devlin et al. (2019, arXiv 1810.04805), section 4.4: one row an option, one score from each row's [CLS],
softmax over the options of an example. It differs from classification in what the softmax runs over: rows,
not the outputs of one row.
"""
from dataclasses import replace

import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

from ..batch import IGNORE, Batch, collate, visible_all
from ..model.goal import Arrays, Tensors
from ..model.heads import ClassifierHead
from .base import Task
from .metrics import accuracy


class Choice(Task):
    """Examples are as `minibert.corpora.readers.multiple_choice.ChoiceExample`: `context`, `endings`,
    `label`, `names` of the options.

    A row of this task is a tuple of C rows (context, ending), so that a batch keeps the options of an example
    together. All examples of a file have the same C; the head has one output, so that a model may be asked
    with another C later.
    """

    name = "choice"

    def __init__(self, tokenizer, max_length):
        super().__init__(tokenizer, max_length)
        if max_length < 5:
            raise ValueError(
                f"max_length={max_length} must be at least 5: [CLS], a context, [SEP], an option, [SEP]")

    def encode(self, examples):
        """C rows an example. A label is the right option's number, IGNORE where none is known; an origin is
        the example's index.

        What is too long loses the end of its context: one and the same context may be cut differently for two
        options. Only an ending that would leave no room for a piece of the context is cut too, and loses its
        beginning, as it is mostly the question that is long, which all options share. Raises ValueError for
        an example with fewer or more options than the first.
        """
        contexts = self.tokenizer.encode_batch([example.context for example in examples])
        endings = iter(self.tokenizer.encode_batch([ending for example in examples
                                                    for ending in example.endings]))
        rows = []
        for index, (example, context) in enumerate(zip(examples, contexts)):
            if len(example.options) != len(examples[0].options):
                raise ValueError(f"example {index} has {len(example.options)} options, the first one has "
                                 f"{len(examples[0].options)}: all need the same number")
            rows.append(tuple(self.row(context.ids, next(endings).ids) for _ in example.options))
        labels = [IGNORE if example.label is None else example.label for example in examples]
        return rows, labels, list(range(len(examples)))

    def row(self, context, ending):
        """Ids of a context and an ending, cut to fit: [CLS] context [SEP] ending [SEP]."""
        room = self.max_length - 3
        ending = ending[-(room - 1):]
        return context[:room - len(ending)], ending

    def collate(self, rows, labels=None):
        """B examples to a Batch whose arrays are (B, C, T), an example's options together; labels (B,)."""
        flat = collate([pair for row in rows for pair in row], self.specials)
        grouped = (array.reshape(len(rows), -1, array.shape[-1])
                   for array in (flat.input_ids, flat.token_type_ids, flat.real))
        return Batch(*grouped, None if labels is None else np.asarray(labels, np.int64))

    def corrupt(self, batch: Batch, rng: np.random.Generator | None = None) -> tuple[Arrays, Arrays]:
        """Return (inputs, labels) of B examples of C options: ids (B, C, T), visible (B, C, T, T), labels
        (B,).
        """
        B, C, T = batch.real.shape
        inputs = {"input_ids": batch.input_ids, "token_type_ids": batch.token_type_ids,
                  "visible": visible_all(batch.real.reshape(B * C, T)).reshape(B, C, T, T)}
        return inputs, {} if batch.sequence_labels is None else {self.name: batch.sequence_labels}

    def outputs(self, model: nn.Module, inputs: Tensors) -> Tensors:
        """Run the model on the options as B * C sequences of their own."""
        return model(**{name: tensor.flatten(0, 1) for name, tensor in inputs.items()})

    def inputs(self, batch: Batch, device: torch.device | str) -> Tensors:
        """Return a Batch as arguments of the model: B * C sequences."""
        return {name: tensor.flatten(0, 1) for name, tensor in super().inputs(batch, device).items()}

    def heads(self, encoder):
        # paper: a vector alone; the pooler before it as in the releases
        return {"choice": ClassifierHead(encoder.config, 1)}

    def loss(self, outputs, labels):
        """Mean cross-entropy over examples; scores (B * C, 1), labels (B,)."""
        scores = outputs["choice"].float().view(len(labels), -1)                # (B, C)
        return F.cross_entropy(scores, labels, ignore_index=IGNORE)

    def logits(self, model, rows, batch_size=32):
        """Scores (C,) of each example. There is no softmax to take, so each option is a row of its own, among
        others as long.
        """
        scores = iter(super().logits(model, [(pair,) for row in rows for pair in row],
                                     batch_size))     # B * C times (1,)
        return [np.concatenate([next(scores) for _ in row]) for row in rows]

    def decode(self, examples, origins, logits):
        """The number of the option with the highest score, of each example."""
        return [int(scores.argmax()) for scores in logits]

    def unlabelled(self, examples):
        return [replace(example, label=None) for example in examples]

    def text(self, examples, answers):
        """One answer a line, as the file names its options: a number or a letter."""
        return "".join(f"{example.names[answer]}\n" for example, answer in zip(examples, answers))

    def metric(self, examples, answers):
        """Accuracy, 0 to 100. Raises ValueError for an example whose right option is not known."""
        for index, example in enumerate(examples):
            if example.label is None:
                raise ValueError(f"example {index} has no label: its right option is not known")
        return {"accuracy": 100 * accuracy([example.label for example in examples], answers)}
