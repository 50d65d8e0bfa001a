"""A sum of several objectives on one batch: BERT = Sum(NSP, MLM), ALBERT = Sum(SOP, NgramMLM).

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: the training loss is the sum of the mean losses of both
objectives.
"""

import numpy as np
from torch import nn

from ..data.batch import Batch
from ..model.goal import Arrays, Tensors
from ..model.heads import Backbone
from .base import Documents, Objective, Row


class Sum(Objective):
    """A sum of objectives: the first one builds the sequences, and each one corrupts them in turn.

    Raises ValueError for an objective that overrides `model` or `step`, such as RTD, because a sum ignores
    both.
    """

    def __init__(self, *objectives: Objective):
        for part in objectives:
            own = [
                name
                for name in ("model", "step")
                if getattr(type(part), name) is not getattr(Objective, name)
            ]
            if own:
                raise ValueError(
                    f"objective {part.name!r} has its own {' and '.join(own)}: in a sum, all objectives "
                    "must share one forward pass of one encoder with heads"
                )
        first = objectives[0]
        super().__init__(first.specials, first.vocab_size, first.max_length)
        self.objectives = objectives
        self.name = "+".join(objective.name for objective in objectives)
        self.weights = {term: weight for part in objectives for term, weight in part.weights.items()}

    def build(self, docs: Documents, rng: np.random.Generator) -> tuple[list[Row], list | None]:
        return self.objectives[0].build(docs, rng)

    def corrupt(self, batch: Batch, rng: np.random.Generator) -> tuple[Arrays, Arrays]:
        inputs: Arrays = {}
        labels: Arrays = {}
        for objective in self.objectives:
            more_inputs, more_labels = objective.corrupt(batch, rng)
            inputs, labels = inputs | more_inputs, labels | more_labels
        return inputs, labels

    def heads(self, encoder: Backbone) -> dict[str, nn.Module]:
        return {
            name: head for objective in self.objectives for name, head in objective.heads(encoder).items()
        }

    @property
    def terms(self) -> dict[str, str]:
        return {name: label for objective in self.objectives for name, label in objective.terms.items()}

    def loss(self, outputs: Tensors, labels: Tensors) -> Tensors:
        return {
            name: term
            for objective in self.objectives
            for name, term in objective.loss(outputs, labels).items()
        }
