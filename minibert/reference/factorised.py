"""How many parameters ALBERT's two ways to save leave: factorised embeddings, and layers that are shared.

Lan et al. (2020, arXiv 1909.11942), section 3.1 and table 1. `minibert.config.count_parameters` counts BERT,
where the embeddings are as wide as the hidden states and each layer has parameters of its own.
"""
from collections.abc import Mapping


def factorised_parameters(config: Mapping[str, int], shared: bool) -> dict[str, int]:
    """Count the parameters of an encoder with its pooler, in four parts whose sum is the total.

    config: sizes under Hugging Face's names: vocab_size V, embedding_size E, hidden_size D, num_hidden_layers
    L, intermediate_size F, max_position_embeddings, type_vocab_size; others are ignored. All embeddings and
    their LayerNorm have the width E; where E is not D, a linear layer projects them. shared: all L layers
    use the parameters of one. Returns {"embeddings", "projection", "layers", "pooler"}. Raises ValueError for
    a size below 1.

    >>> base = dict(vocab_size=30000, embedding_size=128, hidden_size=768, num_hidden_layers=12,
    ...             intermediate_size=3072, max_position_embeddings=512, type_vocab_size=2)
    >>> sum(factorised_parameters(base, shared=True).values())       # ALBERT-base, 12M in the paper
    11683584
    >>> sum(factorised_parameters(base | dict(vocab_size=30522, embedding_size=768), False).values())   # BERT
    109482240
    """
    names = ("vocab_size", "embedding_size", "hidden_size", "num_hidden_layers", "intermediate_size",
             "max_position_embeddings", "type_vocab_size")
    for name in names:
        if config[name] < 1:
            raise ValueError(f"{name}={config[name]} must be at least 1")
    V, E, D, L, F, positions, segments = (config[name] for name in names)
    attention, feed_forward, norms = 4 * (D * D + D), D * F + F + F * D + D, 2 * 2 * D
    return {"embeddings": (V + positions + segments) * E + 2 * E,
            "projection": E * D + D if E != D else 0,  # paper's code: also where E is D
            "layers": (1 if shared else L) * (attention + feed_forward + norms),
            "pooler": D * D + D}
