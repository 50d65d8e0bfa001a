"""Small experiments for lesson 10: each makes one change to BERT, at equal compute, in seconds.

The lesson runs some of them live with one seed; `benchmarks/variants.py` runs all with multiple seeds.
`shared` has the text, the recipe and the scores; each of the other files implements the change proposed in
one paper.
"""

from .albert import ALBERT, SHARINGS, albert_encoder, albert_run, count, milliseconds, parameter_parts
from .electra import BUDGETS, OBJECTIVES, RATES, electra_run, steps_for
from .ernie import PLANS, TASKS, ernie_run
from .roberta import EPOCHS, FORMATS, MASKS, format_run, masks_run
from .shared import RECIPE, PretrainingRecipe, material
from .stacked import DEEP, WAYS, likeness, shared_attention, stacking_run
from .verdict import mean_and_range, verdict
