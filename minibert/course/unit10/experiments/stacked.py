"""Stack layers on a small scale: train a shallow model, put a copy on top, and continue training.

Gong et al. (2019, ICML, Efficient training of BERT by progressively stacking).
"""

import dataclasses
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from minibert.model import Encoder
from minibert.model.growth import stack_layers
from minibert.training.phases import Phase, stacking_phases

from .shared import (
    RECIPE,
    Material,
    PretrainingRecipe,
    fresh_encoder,
    held_out_scores,
    material,
    mlm,
    trained,
)

DEEP = dataclasses.replace(RECIPE, layers=8, steps=400)
WAYS = ("plain", "stacked")
EVERY = 20  # steps between scores


def stacking_run(way: str, seed: int, recipe: PretrainingRecipe = DEEP, every: int = EVERY) -> dict[str, Any]:
    """Train a model of `recipe.layers` layers, either from scratch or by doubling a shallow model twice.

    way: "plain" or "stacked". Returns lists of the "steps", the training time in "seconds" and the held-out
    "loss" after every `every` steps, and the final result of `likeness`.
    """
    shared = material(dataclasses.replace(RECIPE, documents=recipe.documents))
    objective, config = mlm(recipe, shared.tokenizer), recipe.training(seed)
    phases = (
        stacking_phases(config, recipe.length, recipe.layers)
        if way == "stacked"
        else [Phase(config, recipe.length, recipe.layers)]
    )
    sizes = recipe.config(shared.tokenizer).replace(num_hidden_layers=phases[0].layers)
    model = objective.model(fresh_encoder(sizes, seed))
    found: dict[str, Any] = {"steps": [], "seconds": [], "loss": []}
    begin, scoring, steps = time.process_time(), 0.0, 0

    def score(_):
        nonlocal scoring, steps
        steps += 1
        if steps % every == 0:
            now = time.process_time()
            found["steps"].append(steps)
            found["seconds"].append(round(now - begin - scoring, 2))
            found["loss"].append(held_out_scores(model, recipe, shared)["loss"])
            scoring += time.process_time() - now

    for phase in phases:
        stack_layers(model.encoder, phase.layers or recipe.layers)
        trained(model, objective, shared.docs, phase.config, score)
    return {**found, "likeness": likeness(model.encoder, shared, recipe).round(4).tolist()}


@torch.no_grad()
def likeness(encoder: Encoder, shared: Material, recipe: PretrainingRecipe) -> np.ndarray:
    """Return the mean similarity of attention between layers that are 1, 2, ..., L - 1 apart, (L - 1,)."""
    objective = mlm(recipe, shared.tokenizer)
    rows = objective.build(shared.held_out[:32], np.random.default_rng(0))[0]
    batch = objective.collate([row for row in rows if len(row[0]) == objective.max_length - 2])
    ids = torch.from_numpy(batch.input_ids)
    out = encoder.eval()(ids, None, torch.zeros_like(ids), with_probs=True)
    shares = shared_attention(out["probs"])  # (L, L)
    return np.array([shares.diagonal(distance).mean().item() for distance in range(1, len(shares))])


def shared_attention(probs: Sequence[Tensor]) -> Tensor:
    """Return how similarly each pair of L layers distributes attention, from 0 to 1, (L, L).

    probs: attention weights (B, H, T, T) for each layer, without padding. They are averaged over the heads,
    whose order has no meaning. The similarity is 1 minus half the sum of the absolute differences of a
    token's weights, averaged over tokens.

    >>> first, second = torch.tensor([[[[1.0, 0.0], [1.0, 0.0]]]]), torch.tensor([[[[0.5, 0.5], [1.0, 0.0]]]])
    >>> shared_attention([first, second]).tolist()
    [[1.0, 0.75], [0.75, 1.0]]
    """
    maps = torch.stack([layer.mean(1) for layer in probs])  # (L, B, T, T)
    return 1 - (maps[:, None] - maps[None]).abs().sum(-1).mean((2, 3)) / 2
