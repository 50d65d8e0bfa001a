"""Two more questions about sentences: in which order a paragraph's segments stand, and how far two sentences
are apart.

Sun et al. (2020, arXiv 1907.12412), ERNIE 2.0, its structure-aware tasks. They differ from `nsp` in rows and
number of classes.
"""
from torch.nn import functional as F

from ..model.heads import ClassifierHead
from ..reference.packing import distance_examples, reordering_classes, reordering_examples
from .nsp import NSP


class SentenceReordering(NSP):
    """A paragraph in one to `most` segments, shuffled; each order of each number of segments is a class."""

    name, label, most = "reordering", "order", 3        # paper: 1 to m segments

    def build(self, docs, rng):
        return reordering_examples(docs, self.max_length, rng, self.most)

    def corrupt(self, batch, rng):
        return super().corrupt(batch, rng)[0], {"order": batch.sequence_labels}

    def heads(self, encoder):
        return {"order": ClassifierHead(encoder.config, reordering_classes(self.most))}

    def loss(self, outputs, labels):
        return F.cross_entropy(outputs["order"].float(), labels["order"])


class SentenceDistance(NSP):
    """Two sentences: 0 = B follows A, 1 = elsewhere in the same document, 2 = in another document."""

    name = "distance"

    def build(self, docs, rng):
        return distance_examples(docs, self.max_length, rng)

    def heads(self, encoder):
        return {"pair": ClassifierHead(encoder.config, 3)}
