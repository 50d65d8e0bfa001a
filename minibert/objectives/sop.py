"""Sentence order prediction: do the two segments stand in their order, or were they swapped?

Lan et al. (2020, arXiv 1909.11942), section 3.1: ALBERT. Label 0 = in order, 1 = swapped. It differs from
`nsp` in the examples: both segments come from one document, so that their topic gives nothing away.
"""

import numpy as np

from ..data.packing import sop_examples
from .base import Documents, Row
from .nsp import NSP


class SOP(NSP):
    """Half of the examples are swapped."""

    name = "sop"

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return sop_examples(docs, self.max_length, rng)
