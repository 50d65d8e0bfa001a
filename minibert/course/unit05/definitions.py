"""The cost of a pretraining run in tokens, operations and days.

The sizes are from Devlin et al. (2019, arXiv 1810.04805), appendix A.2; the 6 operations per parameter and
token are from Kaplan et al. (2020, arXiv 2001.08361), section 2.1.
"""

from collections.abc import Iterable


def pretraining_cost(
    parameters: int, phases: Iterable[tuple[int, int, int]], chips: int, peak: float, utilisation: float
) -> dict[str, float]:
    """Estimate the cost of a pretraining run in tokens, operations and days.

    parameters: the number of parameters of the model. phases: (steps, sequences per batch, tokens per
    sequence) for each phase. chips: the number of chips. peak: operations per second of one chip.
    utilisation: the share of the peak that is reached, above 0 and at most 1. Returns {"tokens": total over
    all phases, "flops": operations, "days": duration on these chips}.

    >>> pretraining_cost(1000, [(10, 4, 8), (2, 4, 16)], chips=2, peak=1e3, utilisation=0.5)["flops"]
    2688000
    """
    tokens = sum(steps * rows * length for steps, rows, length in phases)
    flops = 6 * parameters * tokens  # forward: a product and a sum per parameter; backward: twice that
    return {"tokens": tokens, "flops": flops, "days": flops / (chips * peak * utilisation) / 86_400}
