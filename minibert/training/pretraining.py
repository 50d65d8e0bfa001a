"""From documents to a pretrained BERT, and how good it is on held-out documents.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: masked language model plus next sentence prediction.
"""
import dataclasses
from functools import partial
from pathlib import Path

import numpy as np
import torch

from ..batch import IGNORE
from ..model import Encoder
from ..objectives import NSP, Sum, WholeWordMLM
from ..objectives.base import to_torch
from .loop import train


def bert_objective(tokenizer, max_length):
    """BERT = Sum(NSP, MLM), the words hidden whole as in the authors' second release."""
    return Sum(NSP(tokenizer.specials, len(tokenizer), max_length),
               WholeWordMLM(tokenizer.specials, tokenizer.vocab, max_length))


def encode_documents(documents, tokenizer):
    """Documents (lists of sentences, text) to lists of sentences of ids."""
    return [[encoding.ids for encoding in tokenizer.encode_batch(document)] for document in documents]


def new_model(config, objective, seed, device="cpu"):
    """What `objective` trains, around a fresh Encoder; all weights depend on the seed alone."""
    torch.manual_seed(seed)
    return objective.model(Encoder(config)).to(device)


def two_phases(config, max_length, short_length=24, share=0.25):
    """The schedule of the paper in small: most rows short first, full rows after. Returns [(TrainConfig, row length)].

    The first `share` of the steps reads rows of `short_length` tokens, as many tokens a step. Attention over few tokens finds
    its neighbours early; with long rows alone a small model stands still for more than a thousand steps.
    # paper: 90% of the steps at 128 tokens, the rest at 512
    """
    short_length = min(short_length, max_length)
    steps = max(1, round(share * config.steps))
    short = dataclasses.replace(config, steps=steps, batch_size=config.batch_size * max_length // short_length)
    return [(short, short_length), (dataclasses.replace(config, steps=max(1, config.steps - steps)), max_length)]


def pretrain(docs, tokenizer, model_config, phases, device, *, make_objective=bert_objective, checkpoint=None,
             label="pretrain", **options):
    """Train a fresh BERT, or what another objective asks for, on encoded documents. Returns (model, log).

    phases: [(TrainConfig, row length)], one after the other. make_objective: (tokenizer, row length) -> Objective.
    checkpoint: a path; each phase keeps its state beside it, as `.1`, `.2`. options: of `train`.
    """
    model_config = dataclasses.replace(model_config, vocab_size=len(tokenizer))
    model = new_model(model_config, make_objective(tokenizer, phases[0][1]), phases[0][0].seed, device)
    log = []
    for number, (config, max_length) in enumerate(phases, 1):
        objective = make_objective(tokenizer, max_length)
        state = checkpoint and Path(f"{checkpoint}.{number}")
        phase_log = train(model, objective, partial(objective.build, docs), config, checkpoint=state,
                          label=f"{label}, {max_length} tokens a row", **options)
        log += [{**entry, "step": entry["step"] + len(log)} for entry in phase_log]
    return model, log


def forget(checkpoint):
    """Delete the states that `pretrain` kept; its model is saved elsewhere."""
    for path in Path(checkpoint).parent.glob(Path(checkpoint).name + ".*"):
        path.unlink()


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
