"""What surrounds the model while it is pretrained: the rate of a step, which rows share a batch, and what it
all costs.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2, for the rate and the sizes; 6 operations a parameter and
token: Kaplan et al. (2020, arXiv 2001.08361), section 2.1. `minibert.training` calls the first two at every
step and every epoch.
"""


def learning_rate(step, steps, peak, warmup):
    """The rate of step 0, 1, ..., steps - 1: up to `peak` over the first `warmup` steps, then down to 0 after
    the last.

    >>> [learning_rate(s, steps=6, peak=1.0, warmup=2) for s in range(6)]
    [0.5, 1.0, 1.0, 0.75, 0.5, 0.25]
    """
    if not 0 <= warmup <= steps:
        raise ValueError(f"warmup={warmup} must lie between 0 and steps={steps}")
    if step < warmup:
        return peak * (step + 1) / warmup
    return peak * (steps - step) / (steps - warmup)


def bucket_by_length(lengths, batch_size, pool, rng):
    """Row numbers in batches, for one epoch: rows of like length together, yet in random company and order.

    lengths: of n rows; pool: batches whose rows are drawn together, then sorted by length, so that little is
    padding. Returns a list of lists that hold each of 0 ... n - 1 once, all of `batch_size` rows but one,
    where they do not come out even.

    >>> from numpy.random import default_rng
    >>> bucket_by_length([5, 9, 6, 8, 5, 9], batch_size=2, pool=3, rng=default_rng(0))
    [[4, 0], [2, 3], [5, 1]]
    """
    indices = rng.permutation(len(lengths))
    size = pool * batch_size
    pools = [sorted(indices[i:i + size].tolist(), key=lambda j: lengths[j])
             for i in range(0, len(lengths), size)]
    cut = [group[i:i + batch_size] for group in pools for i in range(0, len(group), batch_size)]
    return [cut[i] for i in rng.permutation(len(cut))]


def pretraining_cost(parameters, phases, chips, peak, utilisation):
    """What a run takes: {"tokens": read in all, "flops": operations, "days": on these chips}.

    parameters: of the model. phases: (steps, rows of a batch, tokens of a row) of each. chips: how many;
    peak: operations a second that one can do; utilisation: the share of it that becomes the model's, above 0
    to 1.

    >>> pretraining_cost(1000, [(10, 4, 8), (2, 4, 16)], chips=2, peak=1e3, utilisation=0.5)["flops"]
    2688000
    """
    tokens = sum(steps * rows * length for steps, rows, length in phases)
    flops = 6 * parameters * tokens  # forward: a product and a sum for each parameter; backward: twice that
    return {"tokens": tokens, "flops": flops, "days": flops / (chips * peak * utilisation) / 86_400}
