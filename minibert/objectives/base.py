"""The interface between data, trunk and loss; an objective does not know what the trunk is made of."""
import numpy as np
import torch
from torch.nn import functional as F

from ..batch import IGNORE, collate
from ..model.heads import Model
from ..reference.packing import join


class Objective:
    """build and corrupt are NumPy, take their random generator, and change nothing; loss is PyTorch and draws nothing.

    specials: ids of the special tokens; vocab_size: V; max_length: of a row, special tokens included.
    """

    name = "?"

    def __init__(self, specials, vocab_size, max_length):
        self.specials, self.vocab_size, self.max_length = specials, vocab_size, max_length

    def build(self, docs, rng):
        """Documents (lists of sentences of ids) to rows (A, B or None) and row labels or None; once an epoch.

        Here: each document's text cut into rows that are full (FULL-SENTENCES of RoBERTa, without its cut at sentences).
        """
        room = self.max_length - 2                                              # [CLS] A [SEP]
        texts = [join(doc) for doc in docs]
        return [(text[i:i + room], None) for text in texts for i in range(0, len(text), room)], None

    def collate(self, rows, row_labels=None, length=None):
        """Rows to a padded Batch."""
        return collate(rows, self.specials, row_labels, length)

    def candidates(self, batch):
        """(B, T) bool: what may be predicted at all; [CLS], [SEP] and padding never."""
        return batch.real & ~np.isin(batch.input_ids, self.specials.ids)

    def corrupt(self, batch, rng):
        """A Batch to (inputs of the model, labels of the loss), two dicts of arrays; every step."""
        raise NotImplementedError

    def heads(self, encoder):
        """The output layers it needs, by the name of their logits."""
        raise NotImplementedError

    def model(self, encoder):
        """What is trained: a Model of this trunk and fresh heads; an objective that needs more around the trunk overrides it."""
        return Model(encoder, self.heads(encoder))

    def loss(self, outputs, labels):
        """Logits and labels by name to a scalar."""
        raise NotImplementedError

    def parts(self, outputs, labels):
        """The loss of each part by name, for the log; one part unless the objective is a sum."""
        return {self.name: self.loss(outputs, labels)}

    def step(self, model, batch, rng):
        """corrupt, forward, loss: (scalar, parts). Token logits are computed only where a label counts."""
        device = next(model.parameters()).device
        inputs, labels = (to_torch(arrays, device) for arrays in self.corrupt(batch, rng))
        if "tokens" in labels:
            inputs["counted"] = labels["tokens"] != IGNORE
        parts = self.parts(model(**inputs), labels)
        return sum(parts.values()), parts


def to_torch(arrays, device):
    """A dict of arrays as tensors on a device."""
    return {name: torch.from_numpy(array).to(device, non_blocking=True) for name, array in arrays.items()}


def token_loss(logits, labels):
    """Mean cross-entropy over labels (B, T) other than IGNORE; logits (B, T, V), or (N, V) at the counted ones only."""
    if logits.dim() == 2:
        labels = labels[labels != IGNORE]                                       # (N,)
    return F.cross_entropy(logits.float().flatten(0, -2), labels.flatten(), ignore_index=IGNORE)
