"""ELMo's encoder in PyTorch: two LSTM language models that read a text in opposite directions.

Peters et al. (2018, arXiv 1802.05365), sections 3.1 to 3.4. The two models share only their embeddings and
the softmax matrix. Axes: B batch, T tokens, D hidden, L layers.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ..config import ModelConfig
from .encoder import init_weights
from .transfer import to_torch


class WordEmbeddings(nn.Module):
    """Token embeddings without positions or segments, which ELMo's LSTMs do not need."""

    # paper: a CNN over the characters of each word

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.word = nn.Embedding(config.vocab_size, config.hidden_size)
        self.dropout = nn.Dropout(config.hidden_dropout_prob)

    def forward(self, input_ids: Tensor) -> Tensor:
        return self.dropout(self.word(input_ids))  # (B, T, D)


class ScalarMix(nn.Module):
    """A learned weighted sum of layers: gamma * sum over j of softmax(weights)_j * layers[j], equation (1).

    Initially, all layers have the same weight, and gamma is 1.
    """

    def __init__(self, num_layers: int):
        super().__init__()
        self.weights = nn.Parameter(torch.zeros(num_layers))
        self.gamma = nn.Parameter(torch.ones(1))

    def forward(self, layers: Sequence[Tensor]) -> Tensor:
        """Return the weighted sum of one tensor per layer, all of the same shape.

        Raises ValueError unless there is one tensor per weight.
        """
        if len(layers) != len(self.weights):
            raise ValueError(
                f"the number of layers is {len(layers)}, but must be {len(self.weights)}, the number "
                "of weights"
            )
        return self.gamma * sum(share * layer for share, layer in zip(self.weights.softmax(0), layers))


def reading_order(real: Tensor, backward: bool) -> Tensor:
    """Return the positions (B, T) in the order in which an LSTM reads them, with padding last.

    real: (B, T) bool, False = padding. backward: True to read the text from its end.
    """
    T = real.shape[1]
    place = torch.arange(T, device=real.device)
    return torch.where(real, -place if backward else place, T).argsort(dim=1, stable=True)


def take(x: Tensor, order: Tensor) -> Tensor:
    """Reorder the tokens of x (B, T, D) by the positions in order (B, T)."""
    return x.gather(1, order[..., None].expand_as(x))


def outputs_of(lstm: nn.Module, x: Tensor) -> Tensor:
    """Return an LSTM's outputs for x, computed in float32 if PyTorch has no bfloat16 LSTM for this CPU."""
    lowered = x.device.type == "cpu" and torch.is_autocast_enabled("cpu")
    if not (lowered and torch.backends.mkldnn.is_available()) or torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return lstm(x)[0]
    with torch.autocast("cpu", enabled=False):
        return lstm(x.to(next(lstm.parameters()).dtype))[0]


def run_lstm(lstm: nn.LSTM, x: Tensor, lengths: Tensor) -> Tensor:
    """Run an LSTM over sequences x (B, T, D) of different lengths; outputs at padding are 0.

    lengths: (B,) int64 on the CPU. They are sorted here: PyTorch's own sorting would make the CPU wait for a
    GPU.
    """
    lengths, order = lengths.sort(descending=True)
    there, back = to_torch({"there": order.numpy(), "back": order.argsort().numpy()}, x.device).values()
    packed = pack_padded_sequence(x.index_select(0, there), lengths, batch_first=True)
    outputs, _ = pad_packed_sequence(lstm(packed)[0], batch_first=True, total_length=x.shape[1])
    return outputs.index_select(0, back)


class BiLSTM(nn.Module):
    """A bidirectional LSTM encoder with the vocabulary size, width, depth and dropout of a ModelConfig."""

    def __init__(self, config: ModelConfig):
        super().__init__()
        self.config = config
        D, L = config.hidden_size, config.num_hidden_layers
        self.embeddings = WordEmbeddings(config)
        self.forward_layers, self.backward_layers = (  # paper: 4096 cells per layer, projected to D = 512
            nn.ModuleList(nn.LSTM(D, D, batch_first=True) for _ in range(L)) for _ in range(2)
        )
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.mix = ScalarMix(L + 1)
        self.join = nn.Linear(2 * D, D)  # paper: no projection, a task uses all 2D numbers
        self.apply(lambda module: init_weights(module, config.initializer_range))

    def read(self, x: Tensor, order: Tensor, lstms: Iterable[nn.Module]) -> list[Tensor]:
        """Return the outputs of one direction: L tensors (B, T, D), in the order of the text.

        x: embeddings (B, T, D). order: see `reading_order`. lstms: one for each layer.
        """
        back = order.argsort(dim=1)
        x, outputs = take(x, order), []
        for i, lstm in enumerate(lstms):
            states = self.dropout(outputs_of(lstm, x))  # (B, T, D)
            x = states if i == 0 else x + states  # residual connections from the second layer on
            outputs.append(take(x, back))
        return outputs

    def forward(self, input_ids: Tensor, visible: Tensor, token_type_ids: Tensor) -> dict[str, Any]:
        """Encode ids (B, T) in both directions.

        visible (B, T, T) only shows where the padding is; token_type_ids is ignored. Returns a dict:
        "forward" and "backward" (B, T, D), the last layer of each direction, in which position t depends on
        the tokens up to t, or from t on; "layers": L + 1 tensors (B, T, 2D), both directions concatenated,
        beginning with the embeddings (twice); "hidden": (B, T, D), the mix of all layers, projected to D;
        "probs": None.
        """
        x = self.embeddings(input_ids)  # (B, T, D)
        real = visible.any(dim=1)  # (B, T)
        forward = self.read(x, reading_order(real, backward=False), self.forward_layers)
        backward = self.read(x, reading_order(real, backward=True), self.backward_layers)
        layers = [torch.cat(pair, dim=-1) for pair in [(x, x), *zip(forward, backward)]]
        hidden = self.join(self.mix(layers))
        return {
            "forward": forward[-1],
            "backward": backward[-1],
            "hidden": hidden,
            "layers": layers,
            "probs": None,
        }
