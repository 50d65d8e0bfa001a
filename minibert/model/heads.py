"""Output layers, hidden states to logits, and `Model`, which joins a trunk and its heads.

Devlin et al. (2019, arXiv 1810.04805), figure 1 and section 3.1; every head returns logits, every loss takes logits.
"""
from torch import nn
from torch.nn import functional as F

from .encoder import init_weights


class TokenHead(nn.Module):
    """hidden (..., D) -> logits (..., V): transform, GELU, LayerNorm, then the word embeddings as output matrix.

    reads: the name of the trunk's output that Model hands to it, such as "forward" of a BiLSTM.
    """

    def __init__(self, config, word_embeddings, reads="hidden"):
        super().__init__()
        self.reads = reads
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


class ClassifierHead(nn.Module):
    """hidden (B, T, D) -> logits (B, C): the pooler, tanh of a linear map of [CLS], then a linear layer."""

    def __init__(self, config, num_labels):
        super().__init__()
        self.pooler = nn.Linear(config.hidden_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.classifier = nn.Linear(config.hidden_size, num_labels)

    def forward(self, hidden):
        return self.classifier(self.dropout(self.pooler(hidden[:, 0]).tanh()))


class TokenClassifierHead(nn.Module):
    """hidden (B, T, D) -> logits (B, T, C): the same linear layer at every token."""

    def __init__(self, config, num_labels):
        super().__init__()
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
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
                if module is not tied:                                          # the tied matrix is the encoder's
                    init_weights(module, encoder.config.initializer_range)
            if tied is not None:
                nn.init.zeros_(tied.bias)

    def forward(self, input_ids, visible, token_type_ids, counted=None, **trunk):
        """Ids and segment ids (B, T), visible (B, T, T) bool. counted: see TokenHead.forward.

        trunk: what else the trunk takes by name, such as `gate` or `position_ids`.
        """
        states = self.encoder(input_ids, visible, token_type_ids, **trunk)
        return {name: head(states[head.reads], counted) if isinstance(head, TokenHead) else head(states["hidden"])
                for name, head in self.heads.items()}
