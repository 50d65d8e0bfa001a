"""Next sentence prediction: does segment B follow segment A?

Devlin et al. (2019, arXiv 1810.04805), section 3.1, task 2. Label 0 = B follows A, 1 = B comes from another
document.
"""

import numpy as np
from torch import nn
from torch.nn import functional as F

from ..data.batch import Batch, visible_all
from ..data.packing import nsp_examples
from ..model.goal import Arrays, Tensors
from ..model.heads import Backbone, ClassifierHead
from .base import Documents, Objective, Row


class NSP(Objective):
    """The next sentence prediction objective; in about half of the examples, segment B follows segment A."""

    name, label = "nsp", "pair"

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return nsp_examples(docs, self.max_length, rng)

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        inputs = {
            "input_ids": batch.input_ids,
            "token_type_ids": batch.token_type_ids,
            "visible": visible_all(batch.real),
        }
        return inputs, {"pair": batch.sequence_labels}  # type: ignore[dict-item]  # `build` gives labels

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {"pair": ClassifierHead(encoder.config, 2)}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {self.name: F.cross_entropy(outputs["pair"].float(), labels["pair"])}
