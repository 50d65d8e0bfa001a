"""Word and sentence structure: put shuffled words back in order, and tell next, previous and foreign
sentences apart.

Wang et al. (2020, arXiv 1908.04577), section 2: StructBERT = Sum(SentenceStructure, WordStructure). The first
adds to `nsp` a third class, the second to `mlm` the order. Label 0 = B follows A, 1 = B precedes A, 2 = B
comes from another document.
"""
import numpy as np
from torch.nn import functional as F

from ..batch import IGNORE
from ..model.heads import ClassifierHead
from ..reference.noising import shuffle_runs
from ..reference.packing import structural_examples
from .mlm import MLM
from .nsp import NSP


class SentenceStructure(NSP):
    """A third of the rows each."""

    name = "structure"

    def build(self, docs, rng):
        return structural_examples(docs, self.max_length, rng)

    def heads(self, encoder):
        return {"pair": ClassifierHead(encoder.config, 3)}


class WordStructure(MLM):
    """Of the trigrams that the masked language model leaves alone, `trigrams` are shuffled; the label is the
    token that belongs.

    The two losses have equal weight and one head.
    """

    trigrams = 0.05

    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        free = self.candidates(batch) & (labels["tokens"] == IGNORE)            # (B, T)
        seen, moved = shuffle_runs(inputs["input_ids"], free, self.trigrams, rng)
        tokens = np.where(moved, batch.input_ids, labels["tokens"])
        return {**inputs, "input_ids": seen}, {"tokens": tokens, "moved": moved}

    def parts(self, outputs, labels):
        counted = labels["tokens"] != IGNORE                                    # (B, T)
        logits = outputs["tokens"] if outputs["tokens"].dim() == 2 else outputs["tokens"][counted]  # (N, V)
        losses = F.cross_entropy(logits.float(), labels["tokens"][counted], reduction="none")  # (N,)
        moved = labels["moved"][counted]                                        # (N,)
        return {self.name: losses[~moved].mean(),
                # a batch may have no trigram to shuffle
                "order": losses[moved].sum() / moved.sum().clamp(min=1)}

    def counts(self, labels):
        counted, moved = labels["tokens"] != IGNORE, labels["moved"]            # (B, T) each
        return {self.name: int((counted & ~moved).sum()), "order": int(moved.sum())}

    def loss(self, outputs, labels):
        return sum(self.parts(outputs, labels).values())
