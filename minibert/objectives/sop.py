"""Sentence order prediction: are the two segments in their original order, or were they swapped?

Lan et al. (2020, arXiv 1909.11942), section 3.1: ALBERT. Label 0 = in order, 1 = swapped. Unlike in `nsp`,
both segments come from one document, so their topics do not reveal the label.
"""

import numpy as np

from ..data.packing import sop_examples
from .base import Documents, Row
from .nsp import NSP


class SOP(NSP):
    """The sentence order prediction objective; in about half of the examples, the segments are swapped."""

    name = "sop"

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return sop_examples(docs, self.max_length, rng)
