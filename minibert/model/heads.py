"""Output layers, hidden states to logits, and `Model`, which joins a trunk and its heads.

Devlin et al. (2019, arXiv 1810.04805), figure 1 and section 3.1; every head returns logits, every loss takes
logits. A head names what it reads in `reads`: outputs of the trunk, `visible`, `counted`, further inputs of
the model. Without, it reads "hidden". `tokens` says of which tokens it reads the last hidden vector: FIRST,
COUNTED or, without, all.
"""
import torch
from torch import nn
from torch.nn import functional as F

from .dropout import Dropout
from .encoder import Encoder, init_weights

FIRST, COUNTED = "first", "counted"


class TokenHead(nn.Module):
    """hidden (..., D) -> logits (..., V): transform, GELU, LayerNorm, then the word embeddings as output
    matrix.

    output: the name of the trunk's output it reads, such as "forward" of a BiLSTM.
    """

    tokens = COUNTED

    def __init__(self, config, word_embeddings, output="hidden"):
        super().__init__()
        self.reads = (output, "counted")
        E, self.gelu = word_embeddings.weight.shape[1], config.gelu              # E = D in BERT
        self.transform = nn.Linear(config.hidden_size, E)
        self.norm = nn.LayerNorm(E, eps=config.layer_norm_eps)
        self.decoder = nn.Linear(E, config.vocab_size)
        self.decoder.weight = word_embeddings.weight                            # tied

    def forward(self, hidden, counted=None):
        """counted: (B, T) bool; if given, only those positions are computed: logits (N, V)."""
        if counted is not None:
            hidden = hidden[counted]                                            # (N, D)
        return self.decoder(self.norm(F.gelu(self.transform(hidden), approximate=self.gelu)))


class NextTokenHead(nn.Module):
    """hidden (..., D) -> logits (..., V): the word embeddings alone (Radford et al., 2018, section 3.1,
    equation 2).

    output: the name of the trunk's output it reads, (B, T, D).
    """

    tokens = COUNTED

    def __init__(self, word_embeddings, output="hidden"):
        super().__init__()
        self.reads = (output, "counted")
        self.decoder = nn.Linear(word_embeddings.embedding_dim, word_embeddings.num_embeddings, bias=False)
        self.decoder.weight = word_embeddings.weight                            # tied

    def forward(self, hidden, counted=None):
        """counted: see TokenHead.forward."""
        return self.decoder(hidden if counted is None else hidden[counted])


class BoundaryHead(nn.Module):
    """[left; right; place] (..., 3D) -> logits (..., V): two layers of linear, GELU, LayerNorm, then the word
    embeddings.

    SpanBERT's: left and right are the tokens around a hidden span, place is where in it a token stands
    (section 3.2).
    """

    reads = ("hidden", "left", "right", "counted")

    def __init__(self, config, word_embeddings):
        super().__init__()
        D, eps = config.hidden_size, config.layer_norm_eps
        self.place = nn.Embedding(config.max_position_embeddings, D)
        self.first, self.first_norm = nn.Linear(3 * D, D), nn.LayerNorm(D, eps=eps)
        self.second, self.second_norm = nn.Linear(D, D), nn.LayerNorm(D, eps=eps)
        self.decoder = nn.Linear(D, config.vocab_size)
        self.decoder.weight = word_embeddings.weight                            # tied

    def forward(self, hidden, left, right, counted=None):
        """hidden (B, T, D); left, right (B, T) as from run_edges. counted: see TokenHead.forward."""
        B, T, _ = hidden.shape
        rows = torch.arange(B, device=hidden.device)[:, None]                   # (B, 1)
        place = torch.arange(T, device=hidden.device) - left  # (B, T) 1 for the first token of a span
        x = torch.cat([hidden[rows, left], hidden[rows, right], self.place(place)], dim=-1)     # (B, T, 3D)
        x = x if counted is None else x[counted]                                # (N, 3D)
        x = self.first_norm(F.gelu(self.first(x)))
        return self.decoder(self.second_norm(F.gelu(self.second(x))))


class ClassifierHead(nn.Module):
    """hidden (B, T, D) -> logits (B, C): the pooler, tanh of a linear map of [CLS], then a linear layer."""

    tokens = FIRST

    def __init__(self, config, num_labels):
        super().__init__()
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, num_labels)

    def forward(self, hidden):
        return self.classifier(self.dropout(self.pooler(hidden[:, 0]).tanh()))


class TokenClassifierHead(nn.Module):
    """hidden (B, T, D) -> logits (B, T, C): the same linear layer at every token."""

    def __init__(self, config, num_labels):
        super().__init__()
        self.dropout = Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, num_labels)

    def forward(self, hidden):
        return self.classifier(self.dropout(hidden))


class Model(nn.Module):
    """A trunk and named heads: inputs -> {head name: logits}."""

    def __init__(self, encoder, heads):
        super().__init__()
        self.encoder, self.heads = encoder, nn.ModuleDict(heads)
        for head in self.heads.values():
            tied = getattr(head, "decoder", None)
            for module in head.modules():
                if module is not tied:  # the tied matrix is the encoder's
                    init_weights(module, encoder.config.initializer_range)
            if tied is not None and tied.bias is not None:
                nn.init.zeros_(tied.bias)

    def forward(self, input_ids, visible, token_type_ids, counted=None, **more):
        """Ids and segment ids (B, T), visible (B, T, T) bool. counted: see TokenHead.forward.

        more: what a head reads goes to it; the rest goes to the trunk, such as `gate` or `position_ids`.
        """
        for_heads = {key for head in self.heads.values() for key in reads(head)}
        trunk = {key: value for key, value in more.items() if key not in for_heads}
        # a GPU would wait for their number
        if isinstance(self.encoder, Encoder) and input_ids.device.type == "cpu":
            trunk["wanted"] = tokens_read(self.heads.values(), input_ids, counted)
        known = {**self.encoder(input_ids, visible, token_type_ids, **trunk), "visible": visible,
                 "counted": counted, **more}
        return {name: head(*(known[key] for key in reads(head))) for name, head in self.heads.items()}


def tokens_read(heads, input_ids, counted):
    """(B, T) bool, the tokens of which some head reads the last hidden vector; None where one reads all."""
    kinds = {getattr(head, "tokens", None) for head in heads}
    if not kinds <= {FIRST, COUNTED} or COUNTED in kinds and counted is None:
        return None
    read = counted.clone() if COUNTED in kinds else torch.zeros_like(input_ids, dtype=torch.bool)
    if FIRST in kinds:
        read[:, 0] = True
    return read


def reads(head):
    """The names of a head's inputs."""
    return getattr(head, "reads", ("hidden",))
