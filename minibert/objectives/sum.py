"""Several objectives on one batch: BERT = Sum(NSP, MLM), ALBERT = Sum(SOP, NgramMLM).

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: the training loss is the sum of the two mean
likelihoods.
"""
from .base import Objective


class Sum(Objective):
    """The first part builds the rows; each part corrupts them in turn, and a later part's inputs replace an
    earlier's.

    Raises ValueError for a part with a step or a model of its own (RTD, PLM, Denoise): what it adds would be
    lost.
    """

    def __init__(self, *objectives):
        for part in objectives:
            own = [name for name in ("step", "model")
                   if getattr(type(part), name) is not getattr(Objective, name)]
            if own:
                raise ValueError(f"part {part.name!r} has its own {' and '.join(own)}: a sum takes only "
                                 f"parts that share one pass "
                                 "of one trunk with heads")
        first = objectives[0]
        super().__init__(first.specials, first.vocab_size, first.max_length)
        self.objectives = objectives
        self.name = "+".join(objective.name for objective in objectives)

    def build(self, docs, rng):
        return self.objectives[0].build(docs, rng)

    def collate(self, rows, sequence_labels=None, length=None):
        return self.objectives[0].collate(rows, sequence_labels, length)

    def corrupt(self, batch, rng):
        inputs, labels = {}, {}
        for objective in self.objectives:
            more_inputs, more_labels = objective.corrupt(batch, rng)
            inputs, labels = inputs | more_inputs, labels | more_labels
        return inputs, labels

    def heads(self, encoder):
        return {name: head for objective in self.objectives
                for name, head in objective.heads(encoder).items()}

    def parts(self, outputs, labels):
        return {name: loss for objective in self.objectives
                for name, loss in objective.parts(outputs, labels).items()}

    def counts(self, labels):
        return {name: count for objective in self.objectives
                for name, count in objective.counts(labels).items()}

    def loss(self, outputs, labels):
        return sum(self.parts(outputs, labels).values())
