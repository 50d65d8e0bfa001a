"""Models that are tables: the exact conditionals of a small joint distribution, and inconsistent ones."""

import numpy as np

V, T, MASK = 3, 3, 3  # token ids 0 to 2, and [MASK]
EVERY = np.stack(np.meshgrid(*[np.arange(V)] * T, indexing="ij"), -1).reshape(-1, T)  # all texts (V^T, T)


def joint(seed=0):
    """Return the probabilities of all texts, (V^T,)."""
    return np.random.default_rng(seed).dirichlet(np.ones(V**T))


def number(ids):
    """Return the index in EVERY of each text (N, T)."""
    return ids @ V ** np.arange(T)[::-1]


def conditionals(probs):
    """Return the joint distribution's model; other masks than the one of a position are summed out."""

    def log_probs(ids):
        fits = ((EVERY == ids[:, None]) | (ids[:, None] == MASK)).all(-1)  # (N, V^T)
        out = np.full((*ids.shape, V), -np.inf)
        for t in range(T):
            for token in range(V):
                with np.errstate(divide="ignore"):
                    out[:, t, token] = np.log((fits * (EVERY[:, t] == token)) @ probs)
        return out - np.logaddexp.reduce(out, -1, keepdims=True)  # (N, T, V)

    return log_probs


def inconsistent(seed=1):
    """Return a model whose conditionals belong to no joint distribution."""
    table = np.log(
        np.random.default_rng(seed).dirichlet(np.ones(V), (V + 1,) * T + (T,))
    )  # (V + 1, ..., T, V)
    return lambda ids: table[tuple(ids.T)]


def distance(ids, probs):
    """Return the total variation distance between the shares of texts (N, T) and probabilities."""
    return abs(np.bincount(number(ids), minlength=V**T) / len(ids) - probs).sum() / 2
