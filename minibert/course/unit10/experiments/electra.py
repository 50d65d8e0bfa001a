"""Compare ELECTRA with masked language modelling (MLM) at equal compute, for generators of different sizes.

Clark et al. (2020, arXiv 2003.10555), sections 3.2 and 3.5, figures 2 and 3.
"""

from typing import Any, cast

import numpy as np
import torch

from minibert.model.electra import Electra
from minibert.model.encoder import EncoderLayer
from minibert.objectives import RTD, Objective

from .shared import RECIPE, PretrainingRecipe, entity_f1, fresh_encoder, material, mlm, trained

OBJECTIVES = {
    "MLM": None,
    "ELECTRA": 1 / 2,
    "ELECTRA, large generator": 1.0,
}  # the generator's relative width
WEIGHT = 10.0  # of the discriminator's loss  # paper: 50
LAST = 30  # the last steps, over which the generator's final loss is averaged
BUDGETS = (125, 250, 500, 1000, 2000)  # in steps of MLM
RATES = (1e-3, 2e-3, 4e-3)  # learning rates; each objective uses its best one


def electra_objective(name: str, recipe: PretrainingRecipe, tokenizer: Any) -> Objective:
    """Return the training objective `name`, a key of OBJECTIVES. All mask the same share of the tokens."""
    size = OBJECTIVES[name]
    if size is None:
        return mlm(recipe, tokenizer)
    objective = RTD(tokenizer.specials, len(tokenizer), recipe.length, size=size, rate=recipe.mask_rate)
    objective.weights = {"rtd": WEIGHT}
    return objective


@torch.no_grad()
def start_generator(model: Electra) -> None:
    """Initialise the attention heads in the generator's first layer so that they attend to neighbours.

    The generator reads only some columns of the shared embeddings: the first position columns, and as many
    word columns as fit its width.
    """
    attention = cast(EncoderLayer, model.encoder.layers[0]).attention
    own = cast(EncoderLayer, model.generator.layers[0]).attention
    D, narrow = model.encoder.config.hidden_size, model.generator.project.out_features
    head_size = D // attention.num_heads
    first = min(head_size, D // 4)  # the encoder's columns of positions
    K = min(first, narrow // 4)  # those of them that the generator reads
    read = [*range(K), *range(first, first + narrow - K)]
    model.generator.project.weight.copy_(torch.eye(D)[read])  # (narrow, D)
    for name in ("query", "key"):
        heads = getattr(attention, name).weight.view(-1, head_size, D)
        own_heads = getattr(own, name).weight.zero_().view(own.num_heads, -1, narrow)
        own_heads[:, :K, :K] = heads[: own.num_heads, :K, :K]


def forward_flops(config: Any, tokens: int, asked: int, size: float | None) -> float:
    """Return the number of floating-point operations in a forward pass, estimated from the matrix sizes.

    tokens: the number of tokens in a batch without padding. asked: the number of tokens to predict. size: the
    generator's relative width, or None for a masked language model.
    """
    T, V = config.max_position_embeddings, config.vocab_size

    def layers(D):
        return config.num_hidden_layers * tokens * (2 * 12 * D * D + 4 * T * D)

    D = config.hidden_size
    words = asked * 2 * (D * D + V * D)
    if size is None:
        return layers(D) + words
    narrow = round(size * D)
    generator = layers(narrow) + tokens * 2 * D * narrow + asked * 2 * (narrow * D + V * D)
    return layers(D) + generator + tokens * 2 * (D * D + D)


def steps_for(name: str, budget: int, recipe: PretrainingRecipe, tokenizer: Any) -> int:
    """Return how many steps of the objective `name` cost as much compute as `budget` steps of MLM."""
    config, tokens = recipe.config(tokenizer), recipe.batch_size * recipe.length
    asked = round(recipe.mask_rate * tokens)
    of_mlm, own = (forward_flops(config, tokens, asked, size) for size in (None, OBJECTIVES[name]))
    return round(budget * of_mlm / own)


def electra_run(
    name: str, budget: int, seed: int, rate: float, recipe: PretrainingRecipe = RECIPE, dev: bool = False
) -> dict[str, Any]:
    """Pretrain a model with the compute of `budget` MLM steps, then fine-tune it on named entities.

    name: the training objective, a key of OBJECTIVES. rate: the peak learning rate. dev: whether to score the
    dev sentences instead of the test sentences. Returns the number of "steps", the F1 of "entities" in
    percent, and for ELECTRA the mean loss of the "generator" over the last steps.
    """
    shared = material(recipe)
    objective = electra_objective(name, recipe, shared.tokenizer)
    model = objective.model(fresh_encoder(recipe.config(shared.tokenizer), seed))
    if isinstance(model, Electra):
        start_generator(model)
    steps = steps_for(name, budget, recipe, shared.tokenizer)
    log = trained(model, objective, shared.docs, recipe.training(seed, steps=steps, peak_rate=rate))
    found = {"steps": steps, "entities": entity_f1(model.encoder, shared, seed, dev)}
    if name != "MLM":
        found["generator"] = round(float(np.mean([entry["mlm"] for entry in log[-LAST:]])), 3)
    return found
