"""A trunk that stays as it is: what it makes of a training row is computed once, before training, and kept.

Devlin et al. (2019, arXiv 1810.04805), section 5.3: representations are computed once, and many cheap models
run on top of them. Without this file a frozen trunk would be run again in every epoch; the answers would be
the same.
"""
from contextlib import contextmanager

import torch
from torch import nn

from ..batch import row_size


class Remembered(nn.Module):
    """Stands in for a trunk: the same outputs, without dropout and without gradients, looked up where the row
    is known.

    places: which of "layers" are kept, a slice; None = "hidden" alone. The trunk is no part of this module,
    hence is not trained, not saved and not set to training mode with it. Kept are 4 bytes a number: of each
    token, D for each place.
    """

    def __init__(self, encoder, places=None):
        super().__init__()
        self.config, self.places, self.rows, self.trunk = encoder.config, places, {}, (encoder.eval(),)

    def learn(self, input_ids, visible, token_type_ids):
        """Keep the outputs of the rows of a batch."""
        kept = self.read(input_ids, visible, token_type_ids)
        for i, key in enumerate(keys(input_ids, visible, token_type_ids)):
            self.rows[key] = kept[:, i, :len(key[0])].clone()                   # (n, T, D), padding cut off

    @torch.no_grad()
    def read(self, *inputs):
        """What is to be kept of a batch: (n, B, T, D)."""
        out = self.trunk[0](*inputs)
        return torch.stack([out["hidden"]] if self.places is None else out["layers"][self.places])

    def forward(self, input_ids, visible, token_type_ids):
        """As Encoder.forward; "layers" has None where nothing is kept."""
        known = [self.rows.get(key) for key in keys(input_ids, visible, token_type_ids)]
        if any(row is None for row in known):
            kept = self.read(input_ids, visible, token_type_ids)                # (n, B, T, D)
        else:
            kept = known[0].new_zeros(len(known[0]), *input_ids.shape, known[0].shape[-1])
            for i, row in enumerate(known):
                kept[:, i, :row.shape[1]] = row
        layers = [None] * (self.config.num_hidden_layers + 1)
        layers[-1:] = [kept[-1]]
        if self.places is not None:
            layers[self.places] = kept
        return {"hidden": layers[-1], "layers": layers, "probs": None}


def keys(input_ids, visible, token_type_ids):
    """What tells each row of a batch from others: its ids and segment ids, without padding."""
    lengths = visible.any(dim=1).sum(dim=1).tolist()
    return [(tuple(ids[:n]), tuple(types[:n]))
            for ids, types, n in zip(input_ids.tolist(), token_type_ids.tolist(), lengths)]


@contextmanager
def frozen(model, task, rows, places=None, batch_size=32):
    """While it lasts, a Remembered that knows `rows` is the model's trunk; places: as there."""
    encoder = model.encoder
    memory = Remembered(encoder, places)
    by_length = sorted(rows, key=row_size)
    for start in range(0, len(rows), batch_size):
        memory.learn(**task.inputs(task.collate(by_length[start:start + batch_size]),
                                   next(encoder.parameters()).device))
    model.encoder = memory
    try:
        yield
    finally:
        model.encoder = encoder
