"""Sentence vectors for search: two texts that belong together get similar vectors.

Reimers and Gurevych (2019, arXiv 1908.10084), section 3: one encoder for both texts, and the mean of its last
layer. The loss is that of Henderson et al. (2017, arXiv 1705.00652), section 4.4, which needs only pairs: the
other answers of a batch are the negatives. `model/encoding.py` computes the vectors, `search` compares them.
"""
# paper: Sentence-BERT itself is trained on labelled pairs of NLI; its library also has this loss

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..data.batch import Batch, collate, visible_all
from ..model import Encoder, FastEncoder, Model
from ..model.encoding import Pooling
from ..model.goal import Arrays, Goal, Tensors
from ..model.heads import Backbone
from ..training.config import TrainConfig
from ..training.loop import train

TEMPERATURE = 0.05  # of cosine similarities, which are between -1 and 1


def in_batch_loss(
    queries: Tensor, answers: Tensor, temperature: float = TEMPERATURE, same: Tensor | None = None
) -> Tensor:
    """Compute the loss of `reference.losses.in_batch_loss` from vectors (B, D), a scalar.

    same: (B, B) bool, True if two answers are the same text, so that neither is a negative for the other's
    query; None if all differ.
    """
    scores = F.normalize(queries, dim=-1) @ F.normalize(answers, dim=-1).T / temperature  # (B, B)
    if same is not None:
        others = same & ~torch.eye(len(same), dtype=torch.bool, device=same.device)  # (B, B)
        scores = scores.masked_fill(others, torch.finfo(scores.dtype).min)
    return F.cross_entropy(scores, torch.arange(len(scores), device=scores.device))


class SentenceHead(nn.Module):
    """A head without weights: the mean of the non-padding tokens, or the vector of [CLS]."""

    reads = ("hidden", "visible")

    def __init__(self, pooling: Pooling = "mean"):
        super().__init__()
        self.pooling = pooling

    def forward(self, hidden: Tensor, visible: Tensor) -> Tensor:
        """Pool hidden (B, T, D) to (B, D); visible: (B, T, T) bool."""
        if self.pooling == "cls":
            return hidden[:, 0]
        real = visible.any(dim=1).to(hidden.dtype)[:, :, None]  # (B, T, 1)
        return (hidden * real).sum(1) / real.sum(1)


class SentencePairs(Goal):
    """The goal of training on pairs of texts that belong together, such as a question and its answer.

    A row is a tuple of two sequences, so that a batch keeps the two texts of a pair together. With
    `accumulate`, the negatives of a query are only those of its micro-batch.
    """

    name = "pairs"

    def __init__(
        self, tokenizer: Any, max_length: int, temperature: float = TEMPERATURE, pooling: Pooling = "mean"
    ):
        self.tokenizer, self.specials, self.max_length = tokenizer, tokenizer.specials, max_length
        self.temperature, self.pooling = temperature, pooling

    def encode(self, pairs: Sequence[tuple[str, str]]) -> list[Any]:
        """Return the rows of pairs of texts; longer texts are truncated to `max_length` tokens."""
        sides = [self.tokenizer.encode_batch(list(side)) for side in zip(*pairs)]
        room = self.max_length - 2  # [CLS] text [SEP]
        return [tuple((text.ids[:room], None) for text in pair) for pair in zip(*sides)]

    def collate(self, rows: list[Any], labels: Any = None, length: int | None = None) -> Batch:
        """Pad B pairs into a Batch of arrays (B, 2, T)."""
        flat = collate([text for row in rows for text in row], self.specials, None, length)
        arrays = (flat.input_ids, flat.token_type_ids, flat.real)
        return Batch(*(array.reshape(len(rows), 2, -1) for array in arrays))

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        """Return (inputs, labels) of a batch: ids (B, 2, T), and the row (B,) of each query's answer."""
        B, _, T = batch.real.shape
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real.reshape(2 * B, T)).reshape(B, 2, T, T),
        }
        return inputs, {self.name: np.arange(B)}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"sentence": SentenceHead(self.pooling)}

    def step(self, model: nn.Module, inputs: Tensors, labels: Tensors) -> Tensors:
        """Run the model on both texts of each pair, and return the loss."""
        answers = inputs["input_ids"][:, 1]  # (B, T)
        same = (answers[:, None] == answers).all(-1)  # (B, B)
        outputs = model(**{name: tensor.flatten(0, 1) for name, tensor in inputs.items()})
        return self.loss(outputs, {**labels, "same": same})

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        queries, answers = outputs["sentence"].float().unflatten(0, (-1, 2)).unbind(1)  # (B, D) each
        return {self.name: in_batch_loss(queries, answers, self.temperature, labels.get("same"))}


def train_sentences(
    encoder: Encoder,
    tokenizer: Any,
    pairs: Sequence[tuple[str, str]],
    *,
    steps: int,
    batch_size: int = 32,
    peak_rate: float = 5e-5,
    temperature: float = TEMPERATURE,
    pooling: Pooling = "mean",
    max_length: int = 128,
    seed: int = 0,
    **options: Any,
) -> list[dict[str, Any]]:
    """Train `encoder`, in place, on pairs of texts that belong together, and return the log of `train`.

    pairs: such as (question, answer). batch_size: also the number of answers from which a query's answer is
    chosen. max_length: of a text, in tokens. options: passed to `train`, such as `precision`.

    Raises ValueError if there are fewer than two pairs, because a query then has no negatives.
    """
    if len(pairs) < 2:
        raise ValueError(
            f"{len(pairs)} pairs: at least 2 are needed, because the other answers are negatives"
        )
    goal = SentencePairs(tokenizer, max_length, temperature, pooling)
    rows = goal.encode(pairs)
    model = Model(FastEncoder.of(encoder), goal.heads(encoder))  # type: ignore[arg-type]
    config = TrainConfig(steps=steps, batch_size=batch_size, peak_rate=peak_rate, seed=seed)
    log = train(model, goal, lambda rng: (rows, None), config, label="sentences", **options)
    encoder.eval()
    return log
