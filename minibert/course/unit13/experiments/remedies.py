"""Try remedies for unstable fine-tuning: more steps, another optimizer, layer-wise changes, smoothness.

Mosbach et al. (2021, arXiv 2006.04884) use more steps and bias correction, and Zhang et al. (2021, arXiv
2006.05987) reinitialise top layers. The papers on the other remedies are cited in `minibert.finetuning`.
"""

from dataclasses import replace
from functools import partial
from typing import Any

import torch

from minibert.finetuning.layers import freeze_lowest, parameter_groups, reinitialise_top
from minibert.model import Model

from ..methods.mixout import with_mixout
from ..methods.pooling import DeepAndOutputHead, MixedHead, PooledHead
from ..methods.smart import Smart, SmartConfig
from .shared import PLAIN, RECIPE, Change, FinetuningRecipe, line, material, tune

MORE, DECAY, MIXOUT = 3, 0.6, 0.3
BATCHES, BATCH_RATES = (4, 16, 64), (6e-4, 2e-3, 6e-3)  # a grid, with the same number of epochs
SMART = SmartConfig(weight=1.0, proximal=1.0, radius=0.1, noise=0.01, step=0.1, momentum=0.9)


def new_top(model: Model) -> None:
    """Reinitialise the top layer, using the seed for all new weights."""
    seed = int(torch.randint(2**31, ()))
    reinitialise_top(model.encoder, 1, torch.Generator().manual_seed(seed))


def low_frozen(model: Model) -> None:
    """Freeze the embeddings and the first layer."""
    freeze_lowest(model.encoder, 1)


def all_frozen(model: Model) -> None:
    """Freeze the entire encoder, so that only the classifier is trained."""
    freeze_lowest(model.encoder, len(model.encoder.layers))


def mixed_out(model: Model) -> None:
    """Apply mixout to the encoder, which resets a random share of its weights in each step."""
    with_mixout(model.encoder.layers, MIXOUT)


def decayed(model: Model, rate: float) -> list[dict[str, Any]]:
    """Return parameter groups for the optimizer, with lower learning rates for lower layers."""
    return parameter_groups(model, rate, layer_decay=DECAY)


REMEDIES: dict[str, Change] = {
    "plain": PLAIN,
    "no bias correction": Change(training={"optimizer": "bert_adam"}),
    "no warm-up": Change(training={"warmup": 0.0}),
    f"{MORE} times the steps": Change(times=MORE),
    "a third of the rate": Change(training={"peak_rate": RECIPE.peak_rate / 3}),
    "new top layer": Change(model=new_top),
    "layer-wise decay": Change(groups=decayed),
    "first layer frozen": Change(model=low_frozen),
    "encoder frozen": Change(model=all_frozen),
    "weighted layers": Change(head=MixedHead),
    "deep and output layer": Change(head=DeepAndOutputHead),
    "normalised [CLS]": Change(head=partial(PooledHead, pool="normalised cls")),
    "mean of the tokens": Change(head=partial(PooledHead, pool="mean")),
    "maximum of the tokens": Change(head=partial(PooledHead, pool="max")),
    "mixout": Change(model=mixed_out),
    "SMART": Change(goal=lambda task: Smart(task, SMART)),
}


def remedy_run(name: str, task: str, seed: int, recipe: FinetuningRecipe = RECIPE) -> dict[str, Any]:
    """Fine-tune on a task with a remedy for unstable training, a key of REMEDIES, and return the results.

    These are the results of `line`, plus the layers' "shares" if the classifier mixes layers.
    """
    run = tune(task, seed, seed, recipe, REMEDIES[name])
    kept = line(run)
    mixing = getattr(run.model.heads["label"], "shares", None)
    return kept | ({"shares": [round(share, 3) for share in mixing]} if mixing else {})


def batch_run(
    batch_size: int, rate: float, task: str, seed: int, recipe: FinetuningRecipe = RECIPE
) -> dict[str, Any]:
    """Fine-tune with the given batch size and peak learning rate, and return the results as `line` does."""
    own = replace(recipe, batch_size=batch_size, peak_rate=rate)
    return line(tune(task, seed, seed, own, given=material(task, recipe)))
