"""The learning rate of a step.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: linear warm-up, then linear decay to 0.
"""


def learning_rate(step, steps, peak, warmup):
    """The rate of step 0, 1, ..., steps - 1: up to `peak` over the first `warmup` steps, then down to 0 after the last.

    >>> [learning_rate(s, steps=6, peak=1.0, warmup=2) for s in range(6)]
    [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
    """
    if not 0 <= warmup <= steps:
        raise ValueError(f"warmup={warmup} must lie between 0 and steps={steps}")
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * (steps - step) / (steps - warmup)
