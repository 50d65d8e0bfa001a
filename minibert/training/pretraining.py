"""From documents to a pretrained BERT, and how good it is on held-out documents.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: masked language model plus next sentence prediction.
"""
import dataclasses

import numpy as np
import torch

from ..batch import IGNORE
from ..model import Encoder, Model
from ..objectives import MLM, NSP, Sum
from ..objectives.base import to_torch
from .loop import train


def bert_objective(tokenizer, max_length):
    """BERT = Sum(NSP, MLM)."""
    arguments = tokenizer.specials, len(tokenizer), max_length
    return Sum(NSP(*arguments), MLM(*arguments))


def encode_documents(documents, tokenizer):
    """Documents (lists of sentences, text) to lists of sentences of ids."""
    return [[encoding.ids for encoding in tokenizer.encode_batch(document)] for document in documents]


def new_model(config, heads, seed, device="cpu"):
    """A Model with fresh weights that depend on the seed alone."""
    torch.manual_seed(seed)
    encoder = Encoder(config)
    return Model(encoder, heads(encoder)).to(device)


def pretrain(docs, tokenizer, model_config, train_config, max_length, device, **options):
    """Train a fresh BERT on encoded documents. Returns (model, log). options: of `train`, such as `checkpoint`."""
    objective = bert_objective(tokenizer, max_length)
    model_config = dataclasses.replace(model_config, vocab_size=len(tokenizer))
    model = new_model(model_config, objective.heads, train_config.seed, device)
    log = train(model, objective, lambda rng: objective.build(docs, rng), train_config, **options)
    return model, log


@torch.no_grad()
def evaluate_pretraining(model, tokenizer, docs, max_length, seed=0, batch_size=64):
    """Accuracy, 0 to 100, of hidden tokens (all as [MASK]) and of next sentences on held-out encoded documents.

    Beside them what needs no model: always answering the most frequent token of these documents, and the larger class.
    """
    objective = bert_objective(tokenizer, max_length)
    rng = np.random.default_rng([seed, 2])
    rows, row_labels = objective.build(docs, rng)
    device = next(model.parameters()).device
    right, hidden, pairs = [], [], []
    for start in range(0, len(rows), batch_size):
        batch = objective.collate(rows[start:start + batch_size], row_labels[start:start + batch_size])
        inputs, labels = objective.corrupt(batch, rng)
        counted = labels["tokens"] != IGNORE                                    # (B, T)
        inputs["input_ids"] = np.where(counted, tokenizer.specials.mask, batch.input_ids)
        outputs = model.eval()(**to_torch(inputs, device), counted=torch.from_numpy(counted).to(device))
        tokens = labels["tokens"][counted]                                      # (N,)
        right.append(outputs["tokens"].argmax(-1).cpu().numpy() == tokens)
        hidden.append(tokens)
        pairs.append(outputs["pair"].argmax(-1).cpu().numpy() == labels["pair"])
    hidden = np.concatenate(hidden)
    return {"mlm": 100 * np.concatenate(right).mean(), "mlm_frequency": 100 * np.bincount(hidden).max() / len(hidden),
            "nsp": 100 * np.concatenate(pairs).mean(),
            "nsp_chance": 100 * max(np.mean(row_labels), 1 - np.mean(row_labels)), "hidden_tokens": len(hidden),
            "pairs": len(row_labels)}
