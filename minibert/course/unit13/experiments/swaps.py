"""Train only a small part of a model, and measure its accuracy, speed and file size.

The papers are cited in `minibert.course.unit13.methods.adapters` and `minibert.model.low_rank`.
"""

from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import torch
from safetensors.torch import save_file
from torch import nn

from minibert.model import Encoder
from minibert.model.low_rank import with_low_rank

from ..methods import adapters
from .shared import PLAIN, RECIPE, Change, FinetuningRecipe, line, tune

RANK, BOTTLENECK, PROMPTS = 4, 8, 8
RATES = (1e-3, 3e-3, 1e-2)  # learning rates; the best one for each method is chosen on validation


def prompted(encoder: Encoder) -> adapters.PromptedEncoder:
    """Return the encoder with PROMPTS trained vectors before each text."""
    seed = int(torch.randint(2**31, ()))
    return adapters.PromptedEncoder(encoder, PROMPTS, torch.Generator().manual_seed(seed))


ADAPTERS: dict[str, Change] = {
    "full": PLAIN,
    "Houlsby": Change(encoder=partial(adapters.houlsby, bottleneck=BOTTLENECK)),
    "Pfeiffer": Change(encoder=partial(adapters.pfeiffer, bottleneck=BOTTLENECK)),
    "LoRA": Change(encoder=partial(with_low_rank, rank=RANK)),
    "BitFit": Change(encoder=adapters.bitfit),
    "prompt vectors": Change(encoder=prompted),
}


def file_size(module: nn.Module) -> int:
    """Return the size in bytes of a file that contains all trained parameters of a module."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "trained.safetensors"
        save_file(
            {name: tensor.detach().contiguous() for name, tensor in adapters.trained(module).items()}, path
        )
        return path.stat().st_size


def adapter_run(
    name: str, task: str, seed: int, rate: float, recipe: FinetuningRecipe = RECIPE
) -> dict[str, Any]:
    """Fine-tune on a task with the method `name`, a key of ADAPTERS, and the peak learning rate `rate`.

    Returns the run's results, its number of trained parameters, and the size of a file that contains them.
    """
    change = ADAPTERS[name]
    run = tune(task, seed, seed, recipe, Change(encoder=change.encoder, training={"peak_rate": rate}))
    trained, _ = adapters.counts(run.model)
    return line(run) | {"parameters": trained, "bytes": file_size(run.model)}
