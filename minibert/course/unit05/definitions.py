"""What a pretraining run costs: tokens, operations and days.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2, for the sizes; 6 operations for each parameter and
token: Kaplan et al. (2020, arXiv 2001.08361), section 2.1.
"""

from collections.abc import Iterable


def pretraining_cost(
    parameters: int, phases: Iterable[tuple[int, int, int]], chips: int, peak: float, utilisation: float
) -> dict[str, float]:
    """Estimate a run's cost: {"tokens": read in all, "flops": operations, "days": on these chips}.

    parameters: of the model. phases: (steps, sequences in a batch, tokens in a sequence) of each. chips: how
    many; peak: operations a second of one chip; utilisation: the share of these that the model's computation
    uses, above 0 and at most 1.

    >>> pretraining_cost(1000, [(10, 4, 8), (2, 4, 16)], chips=2, peak=1e3, utilisation=0.5)["flops"]
    2688000
    """
    tokens = sum(steps * rows * length for steps, rows, length in phases)
    flops = 6 * parameters * tokens  # forward: a product and a sum for each parameter; backward: twice that
    return {"tokens": tokens, "flops": flops, "days": flops / (chips * peak * utilisation) / 86_400}
