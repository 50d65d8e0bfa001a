"""Output heads, which turn hidden states into logits, and `Model`, which combines an encoder with its heads.

Devlin et al. (2019, arXiv 1810.04805), figure 1 and section 3.1. A head lists its inputs in `reads`: outputs
of the encoder, `visible`, `counted`, or other inputs of the model; the default is "hidden". Its attribute
`tokens` specifies which hidden vectors it uses: FIRST, COUNTED or, by default, all.
"""

import copy
from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from ..config import ModelConfig
from .bilstm import BiLSTM
from .encoder import Encoder, init_weights
from .fast import FastEncoder, select, use_fast_dropout

FIRST, COUNTED = "first", "counted"
Backbone = Encoder | BiLSTM  # encoders on which output heads can be placed


class TokenHead(nn.Module):
    """The masked language modelling head: transform, GELU, LayerNorm, then the tied word embeddings.

    output: name of the encoder output that is its input, such as "forward" of a BiLSTM.
    """

    tokens = COUNTED

    def __init__(self, config: ModelConfig, word_embeddings: nn.Embedding, output: str = "hidden"):
        super().__init__()
        self.reads = (output, "counted")
        E, self.gelu = word_embeddings.weight.shape[1], config.gelu  # E = D in BERT
        self.transform = nn.Linear(config.hidden_size, E)
        self.norm = nn.LayerNorm(E, eps=config.layer_norm_eps)
        self.decoder = nn.Linear(E, config.vocab_size)
        self.decoder.weight = word_embeddings.weight  # tied

    def forward(self, hidden: Tensor, counted: Tensor | None = None) -> Tensor:
        """Compute logits: hidden (B, T, D) -> (B, T, V), or (N, V) for only the `counted` tokens.

        counted: (B, T) bool, or flat indices (N,); see `select`.
        """
        hidden = select(hidden, counted)  # (N, D)
        return self.decoder(self.norm(F.gelu(self.transform(hidden), approximate=self.gelu)))


class NextTokenHead(nn.Module):
    """A head that predicts the next token with the word embeddings alone (Radford et al., 2018, equation 2).

    output: name of the encoder output that is its input, (B, T, D).
    """

    tokens = COUNTED

    def __init__(self, word_embeddings: nn.Embedding, output: str = "hidden"):
        super().__init__()
        self.reads = (output, "counted")
        self.decoder = nn.Linear(word_embeddings.embedding_dim, word_embeddings.num_embeddings, bias=False)
        self.decoder.weight = word_embeddings.weight  # tied

    def forward(self, hidden: Tensor, counted: Tensor | None = None) -> Tensor:
        """Compute logits: hidden (..., D) -> (..., V). counted: see TokenHead.forward."""
        return self.decoder(select(hidden, counted))


class BoundaryHead(nn.Module):
    """SpanBERT's head, which predicts the tokens of a span from the two tokens next to the span.

    Joshi et al. (2020, arXiv 1907.10529), section 3.2: linear, GELU and LayerNorm, twice, on [left; right;
    place] (..., 3D), then the word embeddings.
    """

    reads = ("hidden", "left", "right", "counted")

    def __init__(self, config: ModelConfig, word_embeddings: nn.Embedding):
        super().__init__()
        D, eps = config.hidden_size, config.layer_norm_eps
        self.place = nn.Embedding(config.max_position_embeddings, D)
        self.first, self.first_norm = nn.Linear(3 * D, D), nn.LayerNorm(D, eps=eps)
        self.second, self.second_norm = nn.Linear(D, D), nn.LayerNorm(D, eps=eps)
        self.decoder = nn.Linear(D, config.vocab_size)
        self.decoder.weight = word_embeddings.weight  # tied

    def forward(self, hidden: Tensor, left: Tensor, right: Tensor, counted: Tensor | None = None) -> Tensor:
        """Compute logits (B, T, V) from hidden (B, T, D) and the neighbours of the spans.

        left, right: the neighbours' positions (B, T), from `run_edges`; counted: see TokenHead.forward.
        """
        B, T, _ = hidden.shape
        rows = torch.arange(B, device=hidden.device)[:, None]  # (B, 1)
        place = torch.arange(T, device=hidden.device) - left  # (B, T), 1 for the first token of a span
        x = torch.cat([hidden[rows, left], hidden[rows, right], self.place(place)], dim=-1)  # (B, T, 3D)
        x = self.first_norm(F.gelu(self.first(select(x, counted))))  # (N, D)
        return self.decoder(self.second_norm(F.gelu(self.second(x))))


class ClassifierHead(nn.Module):
    """A head that classifies a sequence: a pooler (tanh of a linear map of [CLS]) and a linear layer."""

    tokens = FIRST

    def __init__(self, config: ModelConfig, num_labels: int):
        super().__init__()
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, num_labels)

    def forward(self, hidden: Tensor) -> Tensor:
        """Compute logits: hidden (B, T, D) -> (B, C)."""
        return self.classifier(self.dropout(self.pooler(hidden[:, 0]).tanh()))


class TokenClassifierHead(nn.Module):
    """A head that classifies each token with the same linear layer."""

    def __init__(self, config: ModelConfig, num_labels: int):
        super().__init__()
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, num_labels)

    def forward(self, hidden: Tensor) -> Tensor:
        """Compute logits: hidden (B, T, D) -> (B, T, C)."""
        return self.classifier(self.dropout(hidden))


class Model(nn.Module):
    """An encoder with named output heads; it maps its inputs to {head name: logits}."""

    encoder: Any  # an Encoder, a BiLSTM, or a substitute while it is fine-tuned

    def __init__(self, encoder: Backbone, heads: Mapping[str, nn.Module]):
        super().__init__()
        self.encoder: Any = encoder  # the caller knows its type
        self.heads = nn.ModuleDict(heads)
        for head in self.heads.values():
            tied = getattr(head, "decoder", None)
            for module in head.modules():
                if module is not tied:  # the tied matrix belongs to the encoder
                    init_weights(module, encoder.config.initializer_range)
            if tied is not None and tied.bias is not None:
                nn.init.zeros_(tied.bias)
        if isinstance(encoder, FastEncoder):
            use_fast_dropout(self.heads)

    def with_part(self, name: str, part: nn.Module) -> "Model":
        """Return a copy of this model in which the "encoder" or "heads" is `part`; the rest is shared."""
        other = copy.copy(self)
        other._modules = {**self._modules, name: part}
        return other

    @property
    def mask_optional(self) -> bool:
        """Return whether `visible` may be None if every token may attend to every other token."""
        return isinstance(self.encoder, FastEncoder) and not any(
            "visible" in reads(head) for head in self.heads.values()
        )

    def forward(
        self,
        input_ids: Tensor,
        visible: Tensor,
        token_type_ids: Tensor,
        counted: Tensor | None = None,
        **more: Tensor,
    ) -> dict[str, Tensor]:
        """Return {head name: logits} for ids and segment ids (B, T) and visible (B, T, T) bool.

        counted: see TokenHead.forward. more: additional inputs; those that a head reads are passed to it, and
        the others, such as `gate` or `position_ids`, to the encoder.
        """
        for_heads = {key for head in self.heads.values() for key in reads(head)}
        for_encoder: dict[str, Tensor | None] = {
            key: value for key, value in more.items() if key not in for_heads
        }
        # Only on the CPU: on a GPU, we would have to wait for the number of these tokens.
        if isinstance(self.encoder, FastEncoder) and input_ids.device.type == "cpu":
            for_encoder["wanted"] = tokens_read(self.heads.values(), input_ids, counted)
        states = self.encoder(input_ids, visible, token_type_ids, **for_encoder)
        return self.read({**states, "visible": visible, "counted": counted, **more})

    def read(self, known: Mapping[str, Any]) -> dict[str, Tensor]:
        """Return {head name: logits}, given everything that the heads read, by name."""
        return {name: head(*(known[key] for key in reads(head))) for name, head in self.heads.items()}


def tokens_read(heads: Iterable[nn.Module], input_ids: Tensor, counted: Tensor | None) -> Tensor | None:
    """Return which tokens' last hidden vectors the heads use, (B, T) bool, or None for all tokens."""
    kinds = {getattr(head, "tokens", None) for head in heads}
    if not kinds <= {FIRST, COUNTED} or COUNTED in kinds and counted is None:
        return None
    read = torch.zeros_like(input_ids, dtype=torch.bool)
    if counted is not None and COUNTED in kinds:
        (read if counted.dtype == torch.bool else read.view(-1))[counted] = True
    if FIRST in kinds:
        read[:, 0] = True
    return read


def reads(head: nn.Module) -> tuple[str, ...]:
    return getattr(head, "reads", ("hidden",))
