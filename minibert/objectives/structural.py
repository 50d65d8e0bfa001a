"""Word and sentence structure: restore shuffled words; distinguish next, previous and unrelated sentences.

Wang et al. (2020, arXiv 1908.04577), section 2: StructBERT. SentenceStructure adds a third class to `nsp`,
and WordStructure adds word order to `mlm`. Label 0 = B follows A, 1 = B precedes A, 2 = B comes from another
document.
"""

import numpy as np
from torch import nn
from torch.nn import functional as F

from ..data.batch import IGNORE, Batch
from ..data.noising import shuffle_runs
from ..data.packing import structural_examples
from ..model.goal import Arrays, Tensors
from ..model.heads import Backbone, ClassifierHead
from .base import Documents, Row
from .mlm import MLM
from .nsp import NSP


class SentenceStructure(NSP):
    """The sentence objective: predict whether B is the next, the previous or an unrelated segment."""

    name = "structure"

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return structural_examples(docs, self.max_length, rng)

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"pair": ClassifierHead(encoder.config, 3)}


class WordStructure(MLM):
    """The word objective: predict masked tokens, and the original order of some shuffled trigrams.

    trigrams: the fraction of unmasked trigrams to shuffle. The label of a shuffled position is its original
    token. One head predicts masked and shuffled tokens; both losses have equal weight.
    """

    terms = {"mlm": "chosen", "order": "moved"}
    trigrams = 0.05

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        inputs, labels = super().corrupt(batch, rng)
        chosen = labels["tokens"] != IGNORE  # (B, T)
        free = self.candidates(batch) & ~chosen  # (B, T)
        seen, moved = shuffle_runs(inputs["input_ids"], free, self.trigrams, rng)
        tokens = np.where(moved, batch.input_ids, labels["tokens"])
        return {**inputs, "input_ids": seen}, {"tokens": tokens, "chosen": chosen, "moved": moved}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        tokens = labels["tokens"]  # (B, T), or (N,) of the counted tokens
        logits = outputs["tokens"].float().flatten(0, -2)
        losses = F.cross_entropy(logits, tokens.flatten(), reduction="none", ignore_index=IGNORE)
        chosen, moved = (losses.view(tokens.shape)[labels[name]] for name in ("chosen", "moved"))
        # A batch may have no shuffled trigram.
        return {"mlm": chosen.mean(), "order": moved.sum() / max(len(moved), 1)}
