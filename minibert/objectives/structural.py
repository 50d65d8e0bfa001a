"""Word and sentence structure: reorder shuffled words; tell next, previous and unrelated sentences apart.

Wang et al. (2020, arXiv 1908.04577), section 2: StructBERT = Sum(SentenceStructure, WordStructure). The first
adds a third class to `nsp`, the second adds the order of words to `mlm`. Label 0 = B follows A, 1 = B
precedes A, 2 = B comes from another document.
"""

import numpy as np
from torch import Tensor, nn
from torch.nn import functional as F

from ..data.batch import IGNORE, Batch
from ..data.noising import shuffle_runs
from ..data.packing import structural_examples
from ..model.fast import select
from ..model.goal import Arrays, Tensors, total
from ..model.heads import Backbone, ClassifierHead
from .base import Documents, Row
from .mlm import MLM
from .nsp import NSP


class SentenceStructure(NSP):
    """Predict next, previous or unrelated: a third of the examples each."""

    name = "structure"

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return structural_examples(docs, self.max_length, rng)

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"pair": ClassifierHead(encoder.config, 3)}


class WordStructure(MLM):
    """Predict masked tokens, and the right order of a share `trigrams` of the unmasked trigrams.

    A shuffled token's label is the token that belongs there. The two losses have equal weight and one head.
    """

    trigrams = 0.05

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        inputs, labels = super().corrupt(batch, rng)
        free = self.candidates(batch) & (labels["tokens"] == IGNORE)  # (B, T)
        seen, moved = shuffle_runs(inputs["input_ids"], free, self.trigrams, rng)
        tokens = np.where(moved, batch.input_ids, labels["tokens"])
        return {**inputs, "input_ids": seen}, {"tokens": tokens, "moved": moved}

    def places(self, labels: Arrays) -> Arrays:
        moved = labels["moved"][labels["tokens"] != IGNORE]  # (N,)
        return super().places(labels) | {"moved at": np.flatnonzero(moved), "rest at": np.flatnonzero(~moved)}

    def parts(self, outputs: Tensors, labels: Tensors) -> Tensors:
        counted, moved, rest = map(self.with_places(labels).__getitem__, ("tokens at", "moved at", "rest at"))
        logits = outputs["tokens"] if outputs["tokens"].dim() == 2 else select(outputs["tokens"], counted)
        losses = F.cross_entropy(logits.float(), select(labels["tokens"], counted), reduction="none")  # (N,)
        # a batch may have nothing to shuffle
        return {self.name: losses[rest].mean(), "order": losses[moved].sum() / max(len(moved), 1)}

    def counts(self, labels: Arrays) -> dict[str, int]:
        counted, moved = labels["tokens"] != IGNORE, labels["moved"]  # (B, T) each
        return {self.name: int((counted & ~moved).sum()), "order": int(moved.sum())}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensor:
        return total(self.parts(outputs, labels).values())
