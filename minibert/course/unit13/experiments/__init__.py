"""Small fine-tuning experiments for lesson 13: the same encoder, with one thing changed at a time.

The lesson runs some of them live; `benchmarks/finetuning_well.py` runs all of them with many seeds.
"""

from .knowledge import WAYS, knowledge_run
from .remedies import BATCHES, REMEDIES, batch_run, remedy_run
from .shapes import SHAPES, shape_run
from .shared import (
    PLAIN,
    RECIPE,
    TASKS,
    Change,
    FinetuningRecipe,
    FinetuningRun,
    backbone,
    line,
    material,
    recipe_of,
    tune,
    weights_digest,
)
from .stages import english_run, further_pretraining_run, stage_run
from .swaps import ADAPTERS, RATES, adapter_run
