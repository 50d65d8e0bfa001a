"""From documents to a pretrained BERT, and how good it is on held-out documents.

Devlin et al. (2019, arXiv 1810.04805), section 3.1: masked language model plus next sentence prediction.
"""
import shutil
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import torch

from ..batch import IGNORE, visible_all
from ..corpora.text.encoded import Documents
from ..model import Encoder
from ..model.growth import add_layers
from ..objectives import NSP, LookUpMLM, Sum, WholeWordMLM
from ..objectives.base import to_torch
from .distributed import team
from .feed import Shards
from .loop import measured, train
from .phases import Phase
from .starts import start_from_sinusoids
from .storage import read_state


def bert_objective(tokenizer, max_length, rate=0.15):
    """BERT = Sum(NSP, MLM), the words hidden whole as in the authors' second release."""
    return with_pairs(WholeWordMLM(tokenizer.specials, tokenizer.vocab, max_length, rate=rate))


def with_pairs(words):
    """NSP and this objective of hidden words, in rows of pairs."""
    return Sum(NSP(words.specials, words.vocab_size, words.max_length), words)


def frequent_pieces(docs, count=200):
    """The ids of the pieces that stand most often in encoded documents: for LookUpMLM, those that tell
    nothing.
    """
    counts = np.bincount([i for doc in docs for sentence in doc for i in sentence])
    return np.argsort(-counts, kind="stable")[:count]


def look_up_objective(tokenizer, max_length, common, pairs=False, **options):
    """Whole documents with the words hidden that their row gives away; pairs: BERT's rows and NSP, too;
    options: of LookUpMLM.
    """
    words = LookUpMLM(tokenizer.specials, tokenizer.vocab, max_length, common, **options)
    return with_pairs(words) if pairs else words


def encode_documents(documents, tokenizer):
    """Documents (lists of sentences, text) to lists of sentences of ids."""
    return [[encoding.ids for encoding in tokenizer.encode_batch(document)] for document in documents]


def new_model(config, objective, seed, device="cpu"):
    """What `objective` trains, around a fresh Encoder; all weights depend on the seed alone."""
    torch.manual_seed(seed)
    return objective.model(Encoder(config)).to(device)


def pretrain(docs, tokenizer, model_config, phases, device, *, make_objective=bert_objective, grow=add_layers,
             start=start_from_sinusoids, checkpoint=None, label="pretrain", **options):
    """Train a fresh BERT, or what another objective asks for, on encoded documents. Returns (model, log).

    docs: a list in memory, or Documents, which are read shard by shard. phases: Phases, or pairs
    (TrainConfig, row length), one after the other. make_objective: (tokenizer, row length) -> Objective; a
    phase may have one of its own. grow: (encoder, layers, seed), how a trunk gets more layers, see
    `model.growth`. start: (encoder), what changes the fresh trunk in place, see `starts`. checkpoint: a
    folder, where each phase has its own, `phase-1`, `phase-2`; a phase that is finished there is loaded, not
    trained again. options: of `train`; a precision that is not given is chosen once, for all phases.
    """
    phases, layers = [Phase(*phase) for phase in phases], model_config.num_hidden_layers
    config = model_config.replace(vocab_size=len(tokenizer), num_hidden_layers=phases[0].layers or layers)
    seed = phases[0].config.seed
    model, log = new_model(config, make_objective(tokenizer, phases[0].max_length), seed, device), []
    start(model.encoder)
    if options.get("precision") is None:
        options["precision"] = saved_precision(checkpoint) or measured(model, options.get("progress", True))
    before = 0                                                                  # steps of the phases before
    for number, phase in enumerate(phases, 1):
        grow(model.encoder, phase.layers or layers, seed + number)
        objective = (phase.make_objective or make_objective)(tokenizer, phase.max_length)
        folder = checkpoint and Path(checkpoint) / f"phase-{number}"
        rows = Shards(objective.build, docs) if isinstance(docs, Documents) else partial(objective.build,
                                                                                         docs)
        phase_log = train(model, objective, rows, phase.config, checkpoint=folder, whole=checkpoint,
                          label=f"{label}, {phase.max_length} tokens a row", **options)
        log += [{**entry, "step": entry["step"] + before} for entry in phase_log]
        before += phase.config.steps
    return model, log


def saved_precision(checkpoint):
    """The precision of the run whose phases have their checkpoints in this folder; None where there is none
    yet.
    """
    def look():
        for path in Path(checkpoint).glob("phase-*/step-*"):
            with suppress(ValueError, KeyError):  # `train` will say what is wrong with it
                return getattr(torch, read_state(path)["precision"])
    return team().once(look) if checkpoint else None


def forget(checkpoint):
    """Delete the folder of checkpoints of `train` or `pretrain`, now that the model is saved elsewhere."""
    shutil.rmtree(checkpoint, ignore_errors=True)


@torch.no_grad()
def evaluate_pretraining(model, tokenizer, docs, max_length, seed=0, batch_size=64):
    """Accuracy, 0 to 100, of hidden tokens (all as [MASK]) and of next sentences on held-out encoded
    documents.

    Beside them what needs no model: always answering the most frequent token of these documents, and the
    larger class.
    """
    objective = bert_objective(tokenizer, max_length)
    rng = np.random.default_rng([seed, 2])
    rows, sequence_labels = objective.build(docs, rng)
    device = next(model.parameters()).device
    right, hidden, pairs = [], [], []
    for start in range(0, len(rows), batch_size):
        batch = objective.collate(rows[start:start + batch_size], sequence_labels[start:start + batch_size])
        inputs, labels = objective.corrupt(batch, rng)
        counted = labels["tokens"] != IGNORE                                    # (B, T)
        inputs["input_ids"] = np.where(counted, tokenizer.specials.mask, batch.input_ids)
        outputs = model.eval()(**to_torch(inputs, device), counted=torch.from_numpy(counted).to(device))
        tokens = labels["tokens"][counted]                                      # (N,)
        right.append(outputs["tokens"].argmax(-1).cpu().numpy() == tokens)
        hidden.append(tokens)
        pairs.append(outputs["pair"].argmax(-1).cpu().numpy() == labels["pair"])
    hidden = np.concatenate(hidden)
    return {"mlm": 100 * np.concatenate(right).mean(),
            "mlm_frequency": 100 * np.bincount(hidden).max() / len(hidden),
            "nsp": 100 * np.concatenate(pairs).mean(),
            "nsp_chance": 100 * max(np.mean(sequence_labels), 1 - np.mean(sequence_labels)),
            "hidden_tokens": len(hidden),
            "pairs": len(sequence_labels)}


def model_answers(model, specials):
    """The answers of a model, for `corpora.world.reachable.scored`: whether its likeliest piece is right, and
    the truth's share.
    """
    @torch.no_grad()
    def answer(row):
        device = next(model.parameters()).device
        ids = torch.from_numpy(np.where(row.hidden, specials.mask, row.ids))[None]
        visible = torch.from_numpy(visible_all(np.ones((1, len(row.ids)), bool)))
        inputs = (x.to(device) for x in (ids, visible, torch.zeros_like(ids)))
        logits = model(*inputs,
                       counted=torch.from_numpy(row.hidden)[None].to(device))["tokens"].cpu()     # (N, V)
        truth = torch.from_numpy(row.ids[row.hidden])                           # (N,)
        shares = logits.float().log_softmax(-1)[torch.arange(len(truth)), truth].exp()
        return list(zip((logits.argmax(-1) == truth).float().tolist(), shares.tolist(), strict=True))
    return answer
