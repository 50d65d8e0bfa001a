"""The training loop: one function from batches to a trained model, for every objective and task.

Devlin et al. (2019, arXiv 1810.04805), appendix A.2: Adam with decoupled weight decay, warm-up, linear decay,
clipping. All that a step draws comes from the seed and the step's number: to go on exactly, a run needs no
other random state. What can go wrong around it, and how a run goes on after it, is in `run`.
"""

import time
from typing import Any

from torch import nn

from ..model.goal import Goal
from .config import TrainConfig
from .feed import MakeRows
from .optimizers import set_learning_rate
from .run import running


def train(
    model: nn.Module, objective: Goal, make_rows: MakeRows, config: TrainConfig, **options: Any
) -> list[dict]:
    """Train `model` in place and return its log, a dict for each step.

    objective: an Objective or a Task. make_rows(rng) -> (sequences, labels or None), called once an epoch, or
    Shards. options: checkpoint, score, groups, precision, progress and more, see `running`. Raises
    FloatingPointError where the loss or its gradient is not finite, with the weights of the step before;
    KeyboardInterrupt after Ctrl-C, with the step saved; what else `running` raises.
    """
    with running(model, objective, make_rows, config, **options) as run:
        for step in run.steps:
            start = time.perf_counter()
            rate = set_learning_rate(run.optimizer, config, step)
            batch, parts = next(run.batches)  # made while the step before was computed
            loss, terms = run.forward_and_backward(parts, step)
            norm = run.clip()
            run.refuse_if_not_finite(step, loss, norm, rate)
            run.update_weights()
            run.log.append(
                {
                    "step": step + 1,
                    "loss": loss,
                    **terms,
                    "rate": rate,
                    "tokens": int(batch.real.sum()),
                    "seconds": time.perf_counter() - start,
                }
            )
            run.save_or_stop(step)
    model.eval()
    return run.log
