"""Sentence order prediction: do the two segments stand in their order, or were they swapped?

Lan et al. (2020, arXiv 1909.11942), section 3.1: ALBERT. Label 0 = in order, 1 = swapped. It differs from
`nsp` in the rows: both segments come from one document, so that their topic tells nothing.
"""
from ..reference.packing import sop_examples
from .nsp import NSP


class SOP(NSP):
    """Half the rows are swapped."""

    name = "sop"

    def build(self, docs, rng):
        return sop_examples(docs, self.max_length, rng)
