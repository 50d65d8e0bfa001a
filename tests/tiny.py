"""The tiny sizes that tests share: every axis has another length, so that swapped axes fail."""

import numpy as np
import torch

from minibert.config import ModelConfig
from minibert.data.batch import Specials
from minibert.training.loop import train

SPECIALS = Specials()
CONFIG = ModelConfig(
    vocab_size=97,
    hidden_size=32,
    num_hidden_layers=2,
    num_attention_heads=4,
    intermediate_size=48,
    max_position_embeddings=40,
    hidden_dropout_prob=0.0,
    attention_probs_dropout_prob=0.0,
)
GOLDEN = CONFIG.replace(hidden_size=24, num_hidden_layers=3, intermediate_size=56)  # of shared/golden
B, T, H, K, D = 3, 11, 4, 8, 32


def documents(seed=0, count=8):
    """Documents of sentences of ordinary ids; neighbours in a document share a few favourite ids."""
    rng = np.random.default_rng(seed)
    docs = []
    for _ in range(count):
        favourites = rng.integers(5, 97, 6)
        docs.append([[int(i) for i in rng.choice(favourites, rng.integers(4, 9))] for _ in range(6)])
    return docs


def fit(model, task, config, rows=None, **options):
    """Train a model on (rows, labels), or on the documents, in float32, in silence; returns the log."""
    options = {"precision": torch.float32, "progress": False, **options}
    return train(model, task, lambda rng: rows or task.build(documents(), rng), config, **options)


def ragged(seed=0):
    """input_ids, real, token_type_ids, each (B, T): rows of 11, 7 and 9 tokens."""
    rng = np.random.default_rng(seed)
    real = np.arange(T) < np.array([11, 7, 9])[:, None]
    ids = np.where(real, rng.integers(5, 97, (B, T)), SPECIALS.pad)
    types = np.where(real & (np.arange(T) > 4), 1, 0)
    return ids, real, types
