"""BERT's encoder in PyTorch; mirrors `minibert.reference.encoder`. It adds dropout and initialisation.

Devlin et al. (2019, arXiv 1810.04805), section 3 and appendix A.2. The norms at their other place, before the
sublayers: Xiong et al. (2020, arXiv 2002.04745), section 3. Axes: B batch, T tokens, H heads, K head size, D
hidden, F feed-forward, L layers.
"""
from torch import nn
from torch.nn import functional as F

from .attention import MultiHeadAttention, none_hidden, tokens_at
from .dropout import Dropout


class Embeddings(nn.Module):
    """Word + position + segment, then LayerNorm (figure 2)."""

    def __init__(self, config):
        super().__init__()
        self.word = nn.Embedding(config.vocab_size, config.hidden_size)
        self.position = nn.Embedding(config.max_position_embeddings, config.hidden_size)
        self.token_type = nn.Embedding(config.type_vocab_size, config.hidden_size)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids, token_type_ids, position_ids=None):
        T, longest = input_ids.shape[1], self.position.num_embeddings
        if position_ids is None and T > longest:
            raise ValueError(f"a row of {T} tokens is longer than max_position_embeddings={longest}")
        position = self.position.weight[:T] if position_ids is None else self.position(position_ids)
        x = self.word(input_ids) + position + self.token_type(token_type_ids)
        return self.dropout(self.norm(x))                                       # (B, T, D)


class FeedForward(nn.Module):
    """Each token alone: D -> F, GELU, F -> D."""

    def __init__(self, config):
        super().__init__()
        self.up = nn.Linear(config.hidden_size, config.intermediate_size)
        self.down = nn.Linear(config.intermediate_size, config.hidden_size)

    def forward(self, x):
        return self.down(F.gelu(self.up(x)))                                    # (B, T, F) -> (B, T, D)


class EncoderLayer(nn.Module):
    """LayerNorm(x + attention(x)), then LayerNorm(x + feed_forward(x)): norms after the residuals, as in both
    papers.
    """

    def __init__(self, config):
        super().__init__()
        self.attention = MultiHeadAttention(config)
        self.attention_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.feed_forward = FeedForward(config)
        self.feed_forward_norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)
        self.dropout = Dropout(config.hidden_dropout_prob)

    def forward(self, x, visible=None, gate=None, with_probs=True, places=None):
        """places: None, or those of the tokens that are asked for (`tokens_at`); the first result then is (N,
        D).
        """
        attended, probs = self.attention(x, visible, gate, with_probs, places=places)
        x = self.attention_norm(tokens_at(x, places) + self.dropout(attended))
        x = self.feed_forward_norm(x + self.dropout(self.feed_forward(x)))
        return x, probs  # (B, T, D), (B, H, T, T) or None


class PreNormEncoderLayer(EncoderLayer):
    """x + attention(LayerNorm(x)), then x + feed_forward(LayerNorm(x)): no norm stands on the way of the
    residuals.
    """

    def forward(self, x, visible=None, gate=None, with_probs=True, places=None):
        """As EncoderLayer.forward."""
        attended, probs = self.attention(self.attention_norm(x), visible, gate, with_probs, places=places)
        x = tokens_at(x, places) + self.dropout(attended)
        x = x + self.dropout(self.feed_forward(self.feed_forward_norm(x)))
        return x, probs  # (B, T, D), (B, H, T, T) or None


def init_weights(module, std):
    """Normal(0, std) for matrices, 0 for biases; LayerNorm keeps 1 and 0.  # paper's code: normal truncated
    at 2 std
    """
    if isinstance(module, (nn.Linear, nn.Embedding)):
        nn.init.normal_(module.weight, std=std)
    if isinstance(module, nn.Linear):
        nn.init.zeros_(module.bias)


class Encoder(nn.Module):
    """The Transformer trunk. It does not know what it is trained for."""

    layer = EncoderLayer

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.embeddings = Embeddings(config)
        self.layers = nn.ModuleList(self.layer(config) for _ in range(config.num_hidden_layers))
        self.apply(lambda module: init_weights(module, config.initializer_range))

    def forward(self, input_ids, visible, token_type_ids, gate=None, with_probs=False, position_ids=None,
                wanted=None):
        """Ids (B, T), visible (B, T, T) bool, gate (L, H) or None, position_ids (B, T) or None = 0 to T - 1.

        wanted: (B, T) bool, the tokens whose last vector is asked for, or None = all. What no other token
        reads any more, the end of the last layer, is not computed for the others: their last vector is 0.
        Returns {"hidden": (B, T, D), "layers": L + 1 tensors (B, T, D), embeddings first, "probs": L tensors
        (B, H, T, T) or, without `with_probs`, None}. Raises ValueError for rows longer than the position
        table.
        """
        x = self.embeddings(input_ids, token_type_ids, position_ids)
        hidden, probs = [x], []
        visible = none_hidden(visible)
        places = None if wanted is None else wanted.flatten().nonzero().flatten()           # (N,)
        for i, layer in enumerate(self.layers):
            asked = places if i == len(self.layers) - 1 else None
            x, layer_probs = layer(x, visible, None if gate is None else gate[i], with_probs, asked)
            hidden.append(x)
            probs.append(layer_probs)
        if places is not None:
            B, T, D = hidden[0].shape
            hidden[-1] = x.new_zeros(B * T, D).index_copy(0, places, x).view(B, T, D)
        return {"hidden": hidden[-1], "layers": hidden, "probs": probs if with_probs else None}


class PreNormEncoder(Encoder):
    """The trunk with its norms before the sublayers, and a last one: without it, the sum of all sublayers
    would go to the heads.
    """

    layer = PreNormEncoderLayer

    def __init__(self, config):
        super().__init__(config)
        self.norm = nn.LayerNorm(config.hidden_size, eps=config.layer_norm_eps)

    def forward(self, input_ids, visible, token_type_ids, gate=None, with_probs=False, position_ids=None,
                wanted=None):
        """As Encoder.forward; "hidden" and the last of "layers" are normalised, the other layers are not."""
        out = super().forward(input_ids, visible, token_type_ids, gate, with_probs, position_ids, wanted)
        hidden = self.norm(out["hidden"])                                       # (B, T, D)
        return {**out, "hidden": hidden, "layers": [*out["layers"][:-1], hidden]}
