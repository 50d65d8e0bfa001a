"""Six ways to use what a trunk says of each token without training it: which layers are read, and a small
BiLSTM over them.

Devlin et al. (2019, arXiv 1810.04805), section 5.3 and table 7. `frozen` keeps what the trunk says; this file
is what reads it. The weighted sums are ELMo's scalar mix (Peters et al., 2018, arXiv 1802.05365, equation 1) 
# paper: does not say which.
"""
import torch
from torch import nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from ..model import ScalarMix
from ..model.heads import TokenClassifierHead
from ..reference.tagging import LAYERS as WAYS


class FeatureTagger(nn.Module):
    """The outputs of a trunk (B, T, D) -> logits (B, T, C): the layers of a way, a BiLSTM of two layers, a
    linear layer.

    The BiLSTM reads all pieces of a row and gives D numbers for each, half of them from either direction: the
    paper's is "768-dimensional", which is BERT-base's D; whether one direction or both make it up, it does
    not say. Raises ValueError for a trunk with too few layers.
    """

    reads = ("layers", "visible")
    role = "features"                   # no head that other libraries know

    def __init__(self, config, num_labels, way):
        super().__init__()
        self.places = WAYS[way]
        outputs, D = config.num_hidden_layers + 1, config.hidden_size
        count = len(range(outputs)[self.places])
        if way.endswith("four") and count < 4:
            raise ValueError(f"way {way!r} reads 4 outputs of the trunk, but this one has {outputs}, its "
                             f"embeddings included")
        self.mix = ScalarMix(count) if way.startswith("sum") else None
        self.dropout = nn.Dropout(config.hidden_dropout_prob)
        self.lstm = nn.LSTM(D if self.mix else count * D, D // 2, num_layers=2, bidirectional=True,
                            batch_first=True,
                            dropout=config.hidden_dropout_prob)
        self.classifier = nn.Linear(2 * (D // 2), num_labels)

    def forward(self, layers, visible):
        """layers: L + 1 tensors (B, T, D), None where the way does not look; visible: (B, T, T) bool, padding
        is seen by nobody.
        """
        chosen = layers[self.places]
        x = self.mix(chosen) if self.mix else torch.cat(chosen, dim=-1)         # (B, T, D) or (B, T, count D)
        lengths = visible.any(dim=1).sum(dim=1).cpu()                           # (B,)
        with torch.autocast(x.device.type, enabled=False):  # PyTorch's LSTM is float32 on a processor
            packed = pack_padded_sequence(self.dropout(x.float()), lengths, batch_first=True,
                                          enforce_sorted=False)
            states, _ = pad_packed_sequence(self.lstm(packed)[0], batch_first=True,
                                            total_length=x.shape[1])    # (B, T, D)
        return self.classifier(self.dropout(states))


def feature_heads(heads, config, way):
    """Heads that label tokens, as a task makes them, each replaced by a FeatureTagger for as many labels.

    Raises ValueError for a head that answers for whole rows.
    """
    for name, head in heads.items():
        if not isinstance(head, TokenClassifierHead):
            raise ValueError(f"way {way!r} labels tokens, but the head {name!r} is a {type(head).__name__}; "
                             "ways for every task: full, frozen")
    return {name: FeatureTagger(config, head.classifier.out_features, way) for name, head in heads.items()}
