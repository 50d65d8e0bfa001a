"""Train multiple tasks in sequence, together, or added one by one, as ERNIE 2.0 does.

Sun et al. (2020, arXiv 1907.12412), section 3: sequential learning forgets earlier tasks, multi-task learning
needs all tasks from the start, and continual multi-task learning keeps training on the earlier ones.
"""

from typing import Any

import numpy as np
import torch

from minibert.model.heads import Model
from minibert.objectives import SOP, Objective, TokenRelation
from minibert.training.micro_batch import loss_of_batch
from minibert.training.optimizers import make_optimizer, set_learning_rate

from .shared import (
    RECIPE,
    Material,
    PretrainingRecipe,
    fresh_encoder,
    held_out_scores,
    material,
    mlm,
    pair_accuracy,
)

TASKS = ("words", "relation", "order")  # masked words, token-document relation, sentence order
EACH = 250  # steps of each task, in every plan
# plan -> stages -> the share of its EACH steps that a task gets in the stage
PLANS: dict[str, tuple[tuple[float, float, float], ...]] = {
    "one after the other": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "one added at a time": ((0.4, 0, 0), (0.3, 0.5, 0), (0.3, 0.5, 1)),
    "all together": ((1 / 3, 1 / 3, 1 / 3),) * 3,
}


def ernie_run(plan: str, seed: int, recipe: PretrainingRecipe = RECIPE, each: int = EACH) -> dict[str, Any]:
    """Train one encoder on three tasks in stages; each task gets `each` steps in total.

    plan: a key of PLANS, which says what share of its steps a task gets in each stage. Returns {"stages": the
    tasks' accuracies in percent, for each stage}. The task changes from step to step, so this function has
    its own training loop.
    """
    shared = material(recipe)
    sizes = shared.tokenizer.specials, len(shared.tokenizer), recipe.length
    tasks: dict[str, Objective] = {
        "words": mlm(recipe, shared.tokenizer),
        "relation": TokenRelation(*sizes),
        "order": SOP(*sizes),
    }
    encoder = fresh_encoder(recipe.config(shared.tokenizer), seed)
    heads = {name: head for task in tasks.values() for name, head in task.heads(encoder).items()}
    model = Model(encoder, heads)
    config = recipe.training(seed, steps=len(TASKS) * each)
    optimizer, rng, step, stages = make_optimizer(model, config), np.random.default_rng(seed), 0, []
    rows = {name: task.build(shared.docs, rng) for name, task in tasks.items()}
    for stage in PLANS[plan]:
        turns = [name for name, share in zip(TASKS, stage) for _ in range(round(share * each))]
        for name in rng.permutation(turns):
            sequences, labels = rows[name]
            some = rng.integers(len(sequences), size=recipe.batch_size)
            batch = tasks[name].collate([sequences[i] for i in some], labels and [labels[i] for i in some])
            set_learning_rate(optimizer, config, min(step, config.steps - 1))
            optimizer.zero_grad()
            loss_of_batch(tasks[name], model.train(), batch, rng)[0].backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), config.clip)
            optimizer.step()
            step += 1
        stages.append(task_scores(model, tasks, recipe, shared))
    return {"stages": stages}


def task_scores(
    model: Model, tasks: dict[str, Any], recipe: PretrainingRecipe, shared: Material
) -> dict[str, float]:
    """Return {task: the model's accuracy in percent} on held-out documents."""
    return {
        "words": held_out_scores(model, recipe, shared)["words"],
        "relation": relation_accuracy(model, tasks["relation"], shared),
        "order": pair_accuracy(model, tasks["order"], shared.held_out),
    }


@torch.no_grad()
def relation_accuracy(model: Model, objective: TokenRelation, shared: Material) -> float:
    """Return the accuracy (%) of predicting whether a token also occurs elsewhere in its document."""
    rows, labels = objective.build(shared.held_out, np.random.default_rng(0))
    batch = objective.collate(rows, labels)
    inputs, right = objective.corrupt(batch, np.random.default_rng(0))
    logits = model.eval()(**{name: torch.from_numpy(array) for name, array in inputs.items()})["relation"]
    counted = right["relation"] != -100
    return round(100 * float(np.mean(logits.argmax(-1).numpy()[counted] == right["relation"][counted])), 2)
