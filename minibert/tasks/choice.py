"""Multiple choice: choose the option that best continues a text or answers a question.

Devlin et al. (2019, arXiv 1810.04805), section 4.4: one sequence for each option, one score from its [CLS],
and a softmax over the options of an example.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from scipy.special import softmax
from torch import nn
from torch.nn import functional as F

from ..data.batch import IGNORE, Batch, collate, visible_all
from ..model import Model
from ..model.goal import Arrays, Tensors
from ..model.heads import Backbone, ClassifierHead
from ..readers.multiple_choice import ChoiceExample
from .base import Task
from .metrics import accuracy


class MultipleChoice(Task[ChoiceExample, int]):
    """The multiple choice task.

    A row is a tuple of C pairs (context, ending), so that a batch keeps the options of an example together.
    All examples of a file have the same number of options C. The head has a single output, so a trained model
    also works for other values of C.
    """

    name = "choice"
    pooled = True

    def __init__(self, tokenizer, max_length):
        super().__init__(tokenizer, max_length)
        if max_length < 5:
            raise ValueError(
                f"max_length={max_length} must be at least 5, for [CLS] context [SEP] option [SEP]"
            )

    def encode(self, examples: Sequence[ChoiceExample]) -> tuple[list[Any], list[int], list[int]]:
        """Return (rows, labels, indices): each example's C pairs, its correct option, and its index.

        The label is IGNORE if the correct option is unknown. If a pair is too long, its context is truncated
        at the end. If the ending alone is too long, its beginning is cut, which is usually the question that
        all options share. Raises ValueError if examples have different numbers of options.
        """
        contexts = self.tokenizer.encode_batch([example.context for example in examples])
        endings = iter(
            self.tokenizer.encode_batch([ending for example in examples for ending in example.endings])
        )
        rows = []
        for index, (example, context) in enumerate(zip(examples, contexts)):
            if len(example.options) != len(examples[0].options):
                raise ValueError(
                    f"example {index} has {len(example.options)} options, but the first one has "
                    f"{len(examples[0].options)}: all examples need the same number of options"
                )
            pairs = [(context.ids, next(endings).ids) for _ in example.options]
            self.truncated += any(len(a) + len(b) > self.max_length - 3 for a, b in pairs)
            rows.append(tuple(self.row(*pair) for pair in pairs))
        labels = [IGNORE if example.label is None else example.label for example in examples]
        return rows, labels, list(range(len(examples)))

    def row(self, context: list[int], ending: list[int]) -> tuple[list[int], list[int]]:
        """Truncate the ids of a context and an ending to fit into [CLS] context [SEP] ending [SEP]."""
        room = self.max_length - 3
        ending = ending[-(room - 1) :]
        return context[: room - len(ending)], ending

    def collate(self, rows: list[Any], labels: Any = None, length: int | None = None) -> Batch:
        """Pad B examples with C options each into a Batch of arrays (B, C, T), with labels (B,)."""
        flat = collate([pair for row in rows for pair in row], self.specials, None, length)
        input_ids, token_type_ids, real = (
            array.reshape(len(rows), -1, array.shape[-1])
            for array in (flat.input_ids, flat.token_type_ids, flat.real)
        )
        sequence_labels = None if labels is None else np.asarray(labels, np.int64)  # (B,)
        return Batch(input_ids, token_type_ids, real, sequence_labels)

    def corrupt(self, batch: Batch, rng: np.random.Generator | None = None) -> tuple[Arrays, Arrays]:
        """Return (inputs, labels) of a batch: ids (B, C, T), labels (B,)."""
        B, C, T = batch.real.shape
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real.reshape(B * C, T)).reshape(B, C, T, T),
        }
        return inputs, {} if batch.sequence_labels is None else {self.name: batch.sequence_labels}

    def step(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        """Run the model on all options as separate sequences, and return the loss."""
        flat: Any = {
            name: None if tensor is None else tensor.flatten(0, 1)  # None: no attention mask
            for name, tensor in inputs.items()
        }
        return super().step(model, flat, labels)

    def inputs(self, batch: Batch, device: torch.device | str) -> Tensors:
        return {name: tensor.flatten(0, 1) for name, tensor in super().inputs(batch, device).items()}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        # paper: a single vector; we use the pooler before it, like the released code
        return {"choice": ClassifierHead(encoder.config, 1)}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        scores = outputs["choice"].float().view(len(labels["choice"]), -1)  # (B, C)
        return {"choice": F.cross_entropy(scores, labels["choice"], ignore_index=IGNORE)}

    def logits(self, model: Model, rows: Sequence[Any], batch_size: int = 32) -> list[np.ndarray]:
        """Return the scores (C,) of each example; options of similar length are batched together."""
        options = [(pair,) for row in rows for pair in row]
        scores = iter(super().logits(model, options, batch_size))  # B * C times (1,)
        return [np.concatenate([next(scores) for _ in row]) for row in rows]

    def decode(
        self, examples: Sequence[ChoiceExample], origins: Sequence[int], logits: Sequence[np.ndarray]
    ) -> list[int]:
        return [int(scores.argmax()) for scores in logits]

    def distributions(
        self, examples: Sequence[ChoiceExample], origins: Sequence[int], logits: Sequence[np.ndarray]
    ) -> list[dict[Any, float]]:
        """Return the probability of each option by its index, in the order of the options."""
        return [dict(enumerate(softmax(scores.astype(np.float64)).tolist())) for scores in logits]

    def record(self, example: ChoiceExample, prediction: int, shares: Mapping[int, float]) -> dict[str, Any]:
        """Return the prediction and the probabilities, with options named as in the file."""
        named = {example.names[option]: share for option, share in shares.items()}
        return {"prediction": example.names[prediction], "probabilities": named}

    def unlabelled(self, examples: Sequence[ChoiceExample]) -> list[ChoiceExample]:
        return [replace(example, label=None) for example in examples]

    def write(self, example: ChoiceExample, prediction: int) -> dict[str, str]:
        return {"predictions": f"{example.names[prediction]}\n"}

    def metric(self, examples: Sequence[ChoiceExample], answers: Sequence[int]) -> dict[str, float]:
        """Return the accuracy, 0 to 100. Raises ValueError if the correct option of an example is unknown."""
        for index, example in enumerate(examples):
            if example.label is None:
                raise ValueError(f"example {index} has no label: its right option is unknown")
        return {"accuracy": 100 * accuracy([example.label for example in examples], answers)}
