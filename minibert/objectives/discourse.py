"""Two sentence objectives of ERNIE 2.0: the order of segments, and the distance between two sentences.

Sun et al. (2020, arXiv 1907.12412), structure-aware tasks. Like `nsp`, with other examples and more classes.
"""

import numpy as np
from torch import nn
from torch.nn import functional as F

from ..data.batch import Batch
from ..data.packing import distance_examples, reordering_classes, reordering_examples
from ..model.goal import Arrays, Tensors
from ..model.heads import Backbone, ClassifierHead
from .base import Documents, Row
from .nsp import NSP


class SentenceReordering(NSP):
    """The sentence reordering objective: predict how the 1 to `most` segments of a paragraph were shuffled.

    Each possible order is a class.
    """

    name, label, most = "reordering", "order", 3  # paper: 1 to m segments

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return reordering_examples(docs, self.max_length, rng, self.most)

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        inputs, labels = super().corrupt(batch, rng)
        return inputs, {"order": labels["pair"]}

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"order": ClassifierHead(encoder.config, reordering_classes(self.most))}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {"reordering": F.cross_entropy(outputs["order"].float(), labels["order"])}


class SentenceDistance(NSP):
    """The sentence distance objective: predict where segment B comes from, relative to segment A.

    0 = B follows A, 1 = B comes from elsewhere in the same document, 2 = B comes from another document.
    """

    name = "distance"

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return distance_examples(docs, self.max_length, rng)

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"pair": ClassifierHead(encoder.config, 3)}
