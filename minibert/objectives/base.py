"""The interface between data, trunk and loss; an objective does not know what the trunk is made of."""
import numpy as np
import torch
from torch.nn import functional as F

from ..batch import ALL, IGNORE, collate
from ..model.heads import Model
from ..reference.packing import join


class Objective:
    """build and corrupt are NumPy, take their random generator, and change nothing; loss is PyTorch and draws
    nothing.

    specials: ids of the special tokens; vocab_size: V; max_length: of a row, special tokens included.
    """

    name = "?"
    label = "tokens"                        # the labels that its loss is a mean over

    def __init__(self, specials, vocab_size, max_length):
        self.specials, self.vocab_size, self.max_length = specials, vocab_size, max_length

    def build(self, docs, rng):
        """Documents (lists of sentences of ids) to rows (A, B or None) and sequence labels or None; once an epoch.

        Here: each document's text cut into rows that are full (FULL-SENTENCES of RoBERTa, without its cut at
        sentences).
        """
        room = self.max_length - 2                                              # [CLS] A [SEP]
        texts = [join(doc) for doc in docs]
        return [(text[i:i + room], None) for text in texts for i in range(0, len(text), room)], None

    def collate(self, rows, sequence_labels=None, length=None):
        """Rows to a padded Batch."""
        return collate(rows, self.specials, sequence_labels, length)

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
        """What is trained: a Model of this trunk and fresh heads; an objective that needs more around the
        trunk overrides it.
        """
        return Model(encoder, self.heads(encoder))

    def loss(self, outputs, labels):
        """Logits and labels by name to a scalar."""
        raise NotImplementedError

    def parts(self, outputs, labels):
        """The loss of each part by name, for the log; one part unless the objective is a sum."""
        return {self.name: self.loss(outputs, labels)}

    def counts(self, labels):
        """How many labels each part of the loss is a mean over, by part."""
        return {self.name: int((labels[self.label] != IGNORE).sum())}

    def step(self, model, batch, rng, rows=ALL):
        """corrupt, forward, loss: (scalar, parts). Token logits are computed only where a label counts.

        rows: a slice, those of the batch to compute; corrupted are all. The losses are then what these rows
        add to those of the batch, so that several processes with some rows each do together one step on the
        batch.
        """
        device = next(model.parameters()).device
        inputs, labels = self.corrupt(batch, rng)
        shares = shares_of(rows, labels, self.counts)
        inputs, labels = (to_torch(arrays, device, rows) for arrays in (inputs, labels))
        if "tokens" in labels:
            inputs["counted"] = labels["tokens"] != IGNORE
        parts = weigh(shares, lambda: self.parts(model(**inputs), labels), device)
        return sum(parts.values()), parts


def to_torch(arrays, device, rows=ALL):
    """A dict of arrays, or some of their rows, as tensors on a device."""
    tensors = {name: torch.from_numpy(array[rows]) for name, array in arrays.items()}
    if device.type == "cuda":  # a GPU fetches pinned memory by itself: nobody waits
        tensors = {name: tensor.pin_memory() for name, tensor in tensors.items()}
    return {name: tensor.to(device, non_blocking=True) for name, tensor in tensors.items()}


def shares_of(rows, labels, counts):
    """The share of a batch's counted labels that are in some of its rows, by part of the loss; counts: of an
    Objective.
    """
    some, whole = counts({name: array[rows] for name, array in labels.items()}), counts(labels)
    return {name: some[name] / max(whole[name], 1) for name in whole}


def weigh(shares, parts, device):
    """Means over some rows to what they add to the means over the batch. parts: () -> {name: mean}, not
    called for nothing.

    A mean over no label is not a number, and 0 times it neither: such a part is replaced, and has no
    gradient.
    """
    means = parts() if any(shares.values()) else {}
    return {name: means[name] * share if share else torch.zeros((), device=device)
            for name, share in shares.items()}


def token_loss(logits, labels):
    """Mean cross-entropy over labels (B, T) other than IGNORE; logits (B, T, V), or (N, V) at the counted
    ones only.
    """
    if logits.dim() == 2:
        labels = labels[labels != IGNORE]                                       # (N,)
    return F.cross_entropy(logits.float().flatten(0, -2), labels.flatten(), ignore_index=IGNORE)
