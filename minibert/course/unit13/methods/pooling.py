"""Classify a sentence by its [CLS], by the mean or maximum of its tokens, or by multiple layers.

Devlin et al. (2019, arXiv 1810.04805) use the last layer's [CLS]. Su and Cheng (2019, arXiv 1910.03176) and
Kondratyuk and Straka (2019, arXiv 1904.02099) let the classifier weight all layers; Yang and Zhao (2019,
arXiv 1911.01940) add deep layers to the output. Axes: B sequences, T tokens, D hidden, L layers, C labels.
"""

from collections.abc import Callable, Mapping, Sequence

import torch
from torch import Tensor, nn

from minibert.config import ModelConfig
from minibert.model import ClassifierHead, ScalarMix

Pooling = Callable[[Tensor, Tensor], Tensor]


def first(hidden: Tensor, real: Tensor) -> Tensor:
    """Return the hidden state of [CLS], (B, D), from hidden (B, T, D); real is not used."""
    return hidden[:, 0]


def normalised_first(hidden: Tensor, real: Tensor) -> Tensor:
    """Return the hidden state of [CLS], normalised to mean 0 and variance 1 as in LayerNorm, (B, D)."""
    return nn.functional.layer_norm(hidden[:, 0], hidden.shape[-1:])


def mean(hidden: Tensor, real: Tensor) -> Tensor:
    """Return the mean hidden state over the real tokens, (B, D). real: (B, T) bool, False for padding."""
    return (hidden * real[..., None]).sum(1) / real.sum(1, keepdim=True)


def maximum(hidden: Tensor, real: Tensor) -> Tensor:
    """Return the element-wise maximum over real tokens, (B, D). real: (B, T) bool, False for padding."""
    return hidden.masked_fill(~real[..., None], torch.finfo(hidden.dtype).min).amax(1)


POOLS: dict[str, Pooling] = {"cls": first, "normalised cls": normalised_first, "mean": mean, "max": maximum}


class PooledHead(nn.Module):
    """A classification head that reads one pooled vector per sequence instead of [CLS].

    pool: a key of POOLS.
    """

    reads = ("hidden", "visible")

    def __init__(self, config: ModelConfig, num_labels: int, pool: str) -> None:
        super().__init__()
        self.head = ClassifierHead(config, num_labels)
        if pool not in POOLS:
            raise ValueError(f"unknown pool {pool!r}; known pools: {', '.join(POOLS)}")
        self.pool = POOLS[pool]

    def forward(self, hidden: Tensor, visible: Tensor) -> Tensor:
        """Return logits (B, C) for hidden (B, T, D); a token that no other token sees is padding."""
        pooled = self.pool(hidden, visible.any(dim=1))  # (B, D)
        return self.head(pooled[:, None])


class MixedHead(nn.Module):
    """A classification head that reads a learned mix of the [CLS] vectors of all layers.

    dropout: the probability that a layer is left out of the mix in a training step (Kondratyuk and Straka,
    section 3.2), so that the head does not rely on a single layer.
    """

    reads = ("layers",)

    def __init__(self, config: ModelConfig, num_labels: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.head = ClassifierHead(config, num_labels)
        self.mix, self.left_out = ScalarMix(config.num_hidden_layers + 1), dropout

    def forward(self, layers: Sequence[Tensor]) -> Tensor:
        """Return logits (B, C) for the L + 1 hidden states (B, T, D), the embeddings first."""
        firsts = [layer[:, :1] for layer in layers]  # (B, 1, D) each
        if not self.training or not self.left_out:
            return self.head(self.mix(firsts))
        gone = torch.rand(len(firsts), device=self.mix.weights.device) < self.left_out
        gone &= ~gone.all()  # at least one layer must stay
        shares = self.mix.weights.masked_fill(gone, torch.finfo(torch.float32).min).softmax(0)
        mixed: Tensor = sum(share * x for share, x in zip(shares, firsts))  # type: ignore[assignment]
        return self.head(self.mix.gamma * mixed)

    @property
    def shares(self) -> list[float]:
        """Return each layer's share in the mix, the embeddings first; the shares add up to 1."""
        return self.mix.weights.softmax(0).tolist()


class DeepAndOutputHead(nn.Module):
    """A classification head that reads the [CLS] vectors of the last layer and of one earlier layer.

    deep: the index of the earlier layer; halfway up by default.
    """

    # paper: a gated network over all layers makes the second part; here, it is one layer, halfway up.

    reads = ("layers",)

    def __init__(self, config: ModelConfig, num_labels: int, deep: int | None = None) -> None:
        super().__init__()
        self.deep = config.num_hidden_layers // 2 if deep is None else deep
        self.pooler = nn.Linear(2 * config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, num_labels)

    def forward(self, layers: Sequence[Tensor]) -> Tensor:
        """Return logits (B, C) for the L + 1 hidden states (B, T, D), the embeddings first."""
        both = torch.cat([layers[self.deep][:, 0], layers[-1][:, 0]], dim=-1)  # (B, 2D)
        return self.classifier(self.dropout(self.pooler(both).tanh()))


def replaced(
    heads: Mapping[str, nn.Module], config: ModelConfig, make: Callable[[ModelConfig, int], nn.Module]
) -> dict[str, nn.Module]:
    """Return a task's heads with each classification head replaced by `make(config, number of labels)`."""
    return {
        name: make(config, head.classifier.out_features) if isinstance(head, ClassifierHead) else head
        for name, head in heads.items()
    }
