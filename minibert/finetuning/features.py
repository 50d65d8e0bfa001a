"""Feature-based approaches: a small BiLSTM on top of some layers of an encoder that is not trained.

Devlin et al. (2019, arXiv 1810.04805), section 5.3 and table 7, with six choices of layers. The weighted sums
are ELMo's scalar mix (Peters et al., 2018, arXiv 1802.05365, equation 1).
"""
# paper: does not say how its sums are weighted

import torch
from torch import nn

from ..analysis.layers import LAYERS
from ..config import ModelConfig
from ..model import ScalarMix
from ..model.bilstm import run_lstm
from ..model.heads import TokenClassifierHead


class FeatureTagger(nn.Module):
    """A head with a two-layer BiLSTM, which computes tag logits (B, T, C) from some layers of an encoder.

    The BiLSTM's output for each token has D numbers, half of them from each direction; the paper's
    "768-dimensional" may also mean each direction. Raises ValueError if the encoder has too few layers.
    """

    reads = ("layers", "visible")
    role = "features"  # other libraries do not have this head

    def __init__(self, config: ModelConfig, num_labels: int, approach: str) -> None:
        super().__init__()
        self.places = LAYERS[approach]
        outputs, D = config.num_hidden_layers + 1, config.hidden_size
        count = len(range(outputs)[self.places])
        if approach.endswith("four") and count < 4:
            raise ValueError(
                f"approach {approach!r} needs 4 outputs of the encoder, but this one has {outputs}, "
                f"including its embeddings"
            )
        self.mix = ScalarMix(count) if approach.startswith("sum") else None
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.lstm = nn.LSTM(
            D if self.mix else count * D,
            D // 2,
            num_layers=2,
            bidirectional=True,
            batch_first=True,
            dropout=config.hidden_dropout_prob,
        )
        self.classifier = nn.Linear(2 * (D // 2), num_labels)

    def forward(self, layers: list[torch.Tensor], visible: torch.Tensor) -> torch.Tensor:
        """Return logits (B, T, C) for L + 1 layers (B, T, D) and the attention mask (B, T, T).

        Layers that the approach does not use may be None.
        """
        chosen = layers[self.places]
        x = self.mix(chosen) if self.mix else torch.cat(chosen, dim=-1)  # (B, T, D) or (B, T, count D)
        lengths = visible.any(dim=1).sum(dim=1).cpu()  # (B,)
        with torch.autocast(x.device.type, enabled=False):  # on a CPU, PyTorch's LSTM needs float32
            states = run_lstm(self.lstm, self.dropout(x.float()), lengths)  # (B, T, D)
        return self.classifier(self.dropout(states))


def feature_heads(heads: dict[str, nn.Module], config: ModelConfig, approach: str) -> dict[str, nn.Module]:
    """Return a dict with a FeatureTagger in place of each tagging head.

    Raises ValueError if a head labels whole sequences.
    """
    taggers: dict[str, nn.Module] = {}
    for name, head in heads.items():
        if not isinstance(head, TokenClassifierHead):
            raise ValueError(
                f"approach {approach!r} is only for tasks that label tokens; this task labels whole texts: "
                "use 'full', 'lora' or 'frozen', which work for every task"
            )
        taggers[name] = FeatureTagger(config, head.classifier.out_features, approach)
    return taggers
