"""Test ALBERT's two ways of saving parameters on a small scale: narrower embeddings and shared layers.

Lan et al. (2019, arXiv 1909.11942), section 3.1, tables 3 and 4.
"""

import dataclasses
import time
from typing import Any

import numpy as np
import torch
from torch import nn

from minibert.config import ModelConfig
from minibert.data.batch import visible_all
from minibert.model import FastEncoder
from minibert.model.variants.albert import AlbertEncoder, FactorisedConfig
from minibert.model.variants.electra import ElectraConfig, ElectraEncoder
from minibert.model.variants.fast import FastAlbertEncoder, FastElectraEncoder
from minibert.model.variants.sharing import count, share_layers
from minibert.training.recipes import start_from_sinusoids

from .shared import RECIPE, PretrainingRecipe, entity_f1, held_out_scores, material, mlm, trained

NARROWER = 2  # D / E
ALBERT = dataclasses.replace(RECIPE, layers=4, steps=900, peak_rate=2e-3)
SHARINGS = {  # (factorised, shared)
    "BERT": (False, False),
    "factorised": (True, False),
    "shared": (False, True),
    "ALBERT": (True, True),
}


def albert_encoder(name: str, config: ModelConfig, seed: int) -> FastEncoder:
    """Return a new encoder with one, both or neither of ALBERT's two ways of saving parameters.

    name: a key of SHARINGS. Position embeddings are initialised with sinusoids, and the projection of narrow
    embeddings with orthogonal columns, so that the first layer's input has the same scale as in BERT.
    """
    # paper: all weights are drawn from one normal distribution
    factorised, shared = SHARINGS[name]
    torch.manual_seed(seed)
    wide = dataclasses.asdict(config)
    if factorised:
        kind: Any = FastAlbertEncoder if shared else FastElectraEncoder
        sizes: Any = FactorisedConfig if shared else ElectraConfig
        encoder = kind(sizes(**wide, embedding_size=config.hidden_size // NARROWER, hidden_act="gelu"))
        nn.init.orthogonal_(encoder.embeddings.project.weight, NARROWER**0.5)
    else:
        encoder = FastEncoder(config)
        if shared:
            share_layers(encoder)
    start_from_sinusoids(encoder)
    return encoder


def albert_run(name: str, seed: int, recipe: PretrainingRecipe = ALBERT) -> dict[str, Any]:
    """Pretrain and fine-tune a model with the encoder `name`, a key of SHARINGS, and return its scores.

    The scores are its number of "parameters", the "loss" and accuracy ("words") on masked tokens, and the F1
    of "entities".
    """
    shared = material(dataclasses.replace(RECIPE, documents=recipe.documents))
    objective = mlm(recipe, shared.tokenizer)
    model = objective.model(albert_encoder(name, recipe.config(shared.tokenizer), seed))
    parameters = count(model.encoder)
    trained(model, objective, shared.docs, recipe.training(seed))
    return {
        "parameters": parameters,
        **held_out_scores(model, recipe, shared),
        "entities": entity_f1(model.encoder, shared, seed),
    }


def parameter_parts(sizes: dict[str, int], embedding_size: int, shared: bool) -> dict[str, int]:
    """Return the number of parameters in each part of an encoder with BERT's pooler, by name.

    sizes: fields of ModelConfig. embedding_size: E; BERT has E = hidden_size. shared: whether all layers
    share their parameters. Uses PyTorch's "meta" device, which allocates no memory.
    """
    kind: Any = AlbertEncoder if shared else ElectraEncoder
    settings: Any = FactorisedConfig if shared else ElectraConfig
    with torch.device("meta"):
        encoder = kind(settings(**sizes, embedding_size=embedding_size))
    D, embeddings = encoder.config.hidden_size, encoder.embeddings
    words = count(embeddings.word)
    narrow = embedding_size != D
    projection = count(embeddings.project) if narrow else 0
    # Unlike BERT, AlbertEncoder also has a projection from D to D if E = D; it is not counted.
    rest = count(embeddings) - words - (count(embeddings.project) if hasattr(embeddings, "project") else 0)
    return {
        "word embeddings": words,
        "projection": projection,
        "positions, segments, LayerNorm": rest,
        "layers": count(encoder.layers),
        "pooler": D * D + D,
    }


def milliseconds(
    encoder: FastEncoder, length: int = 64, batch_size: int = 32, rounds: int = 7
) -> dict[str, float]:
    """Measure how long an encoder takes for a training step and for a prediction, in milliseconds.

    Returns a dict with "train" (forward and backward pass) and "predict" (forward pass): the shortest
    CPU time for a batch of random tokens in `rounds` repetitions. Use one thread.
    """
    ids = torch.randint(5, encoder.config.vocab_size, (batch_size, length))
    inputs = ids, torch.from_numpy(visible_all(np.ones(ids.shape, bool))), torch.zeros_like(ids)

    def train_once():
        encoder.train()(*inputs)["hidden"].square().mean().backward()

    def predict_once():
        with torch.no_grad():
            encoder.eval()(*inputs)

    found = {}
    for name, once in (("train", train_once), ("predict", predict_once)):
        once()
        times = []
        for _ in range(rounds):
            begin = time.process_time()
            once()
            times.append(1000 * (time.process_time() - begin))
        found[name] = round(min(times), 2)
    return found
