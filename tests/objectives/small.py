"""What the tests of objectives share beside the tiny sizes: a batch, a fresh model, and what it says."""

import numpy as np
import torch
from tiny import CONFIG, documents

from minibert.model import Encoder

V, LENGTH = CONFIG.vocab_size, 32
VOCAB = ["##x" if i > 60 else "x" for i in range(V)]  # the larger ids go on a word


def tensors(arrays):
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def batch_of(objective, count=8):
    """All rows of `count` documents, of unequal length."""
    return objective.collate(*objective.build(documents(count=count), np.random.default_rng(1)))


def model_of(objective, trunk=Encoder, config=CONFIG):
    """What the objective trains, fresh and in evaluation mode; the same at every call."""
    torch.manual_seed(0)
    return objective.model(trunk(config)).eval()


def loud(model):
    """The same model with larger weights, so that a leak cannot hide in rounding."""
    with torch.no_grad():
        for value in model.parameters():
            value.mul_(5) if value.dim() > 1 else value.add_(0.3 * torch.randn_like(value))
    return model


def token_logits(model, inputs):
    """Arrays to the logits (B, T, V)."""
    return model(**tensors(inputs))["tokens"]
