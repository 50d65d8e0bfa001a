"""Known mistakes about `training_step`: steps put together from parts, one of them missing or wrong.

PyTorch is imported only where a part runs, so that the check opens without it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..checks.exercise import Mistake
from .step_parts import (
    bounded,
    by_hand,
    clip_at_most_one,
    clip_by,
    clip_each,
    clip_to_one,
    clip_values,
    clip_weight,
    clip_weights,
    evaluating,
    first_group,
    lower_rate,
    move,
    move_if_short,
    scale_rate,
    set_rate,
    shorten,
    stretch,
    training,
    twice,
    uphill,
    zero,
    zero_group,
)
from .step_rehearsal import rehearsal


def step_of(
    *parts: Callable | str,
    returned: Callable = lambda loss, again: loss.item(),
    backward: Callable = lambda loss: loss.backward(),
) -> Callable:
    """Build a training step from its parts, in order.

    "loss" and "backward" stand where the loss and its gradient are computed.
    """

    def training_step(model, optimizer, loss_of, batch, rate, clip):
        loss = None
        for part in parts:
            if part == "loss":
                loss = loss_of(model, batch)
            elif part == "backward":
                backward(loss)
            else:
                part(model, optimizer, rate, clip)
        return returned(loss, lambda: loss_of(model, batch))

    return training_step


RIGHT = (set_rate, zero, "loss", "backward", shorten, move)
WRONG: tuple[tuple[str, tuple, dict[str, Any]], ...] = (
    (
        "the weights stay as they are: optimizer.step() is missing, or finds no gradient. The order is: "
        "zero_grad(), loss, backward(), clip, optimizer.step().",
        (set_rate, zero, "loss", move),
        {},
    ),
    (
        "the old gradients are still there: backward() adds to them. Call optimizer.zero_grad() before it, "
        "in every step.",
        (set_rate, "loss", "backward", shorten, move),
        {},
    ),
    (
        "the rate is not set: the optimiser goes on with the one it was made with. Write `rate` into "
        'group["lr"] for each group in optimizer.param_groups.',
        (zero, "loss", "backward", shorten, move),
        {},
    ),
    (
        "the rate is set in the first group only. An optimiser can have several: loop over "
        "optimizer.param_groups.",
        (first_group, zero, "loss", "backward", shorten, move),
        {},
    ),
    (
        "the rate is set after the update, so each step takes the rate of the one before.",
        (zero, "loss", "backward", shorten, move, set_rate),
        {},
    ),
    (
        "you multiply the old rate by `rate`; write `rate` in its place.",
        (scale_rate, zero, "loss", "backward", shorten, move),
        {},
    ),
    (
        "the gradient is not clipped, or too early, or too late: "
        "torch.nn.utils.clip_grad_norm_(model.parameters(), clip), between backward() and optimizer.step().",
        (set_rate, zero, "loss", "backward", move),
        {},
    ),
    (
        "you clip each number of the gradient by itself (clip_grad_value_), which bends its direction. Clip "
        "its length: clip_grad_norm_.",
        (set_rate, zero, "loss", "backward", clip_values, move),
        {},
    ),
    (
        "you clip each parameter's gradient by itself. `clip` is for the length of all of them together: "
        "give clip_grad_norm_ all of model.parameters() at once.",
        (set_rate, zero, "loss", "backward", clip_each, move),
        {},
    ),
    (
        "you bring every gradient to the length `clip`, also one that is shorter. Only a longer one is "
        "shortened.",
        (set_rate, zero, "loss", "backward", stretch, move),
        {},
    ),
    (
        "you clip to 1, whatever `clip` says. Use the argument.",
        (set_rate, zero, "loss", "backward", clip_to_one, move),
        {},
    ),
    (
        "you clip the weights. What must not be too long is their gradient.",
        (set_rate, zero, "loss", "backward", move, clip_weights),
        {},
    ),
    (
        "the weights move by rate times gradient alone. Let your optimizer do it, optimizer.step(): it "
        "remembers earlier steps. Do not move the weights yourself, make no new optimizer, and leave its "
        "memory as it is.",
        (set_rate, zero, "loss", "backward", shorten, by_hand),
        {},
    ),
    ("the weights go uphill: the gradient has the wrong sign.", RIGHT, {"backward": uphill}),
    (
        "you return the loss as a tensor, which keeps the whole computation in memory for as long as the log "
        "lives. Return a number: loss.item().",
        RIGHT,
        {"returned": lambda loss, again: loss},
    ),
    (
        "you return the loss after the update. Return the one that was computed for the gradient: a second "
        "pass costs a third of the step.",
        RIGHT,
        {"returned": lambda loss, again: again().item()},
    ),
    (
        "the loss is computed twice. Compute it once, and use it for the gradient and for the result: a "
        "second pass costs a third of the step.",
        (set_rate, zero, "loss", "loss", "backward", shorten, move),
        {},
    ),
    (
        "eval() is called in the step. It turns dropout off, for training too: leave the model in the mode "
        "it is in.",
        (evaluating, *RIGHT),
        {},
    ),
    (
        "eval() is called in the step. It turns dropout off, for training too: leave the model in the mode "
        "it is in.",
        (set_rate, zero, evaluating, "loss", training, "backward", shorten, move),
        {},
    ),
    (
        "optimizer.step() is called twice. One step moves the weights once.",
        (set_rate, zero, "loss", "backward", shorten, move, move),
        {},
    ),
    (
        "the gradient is twice as long as it should be. Is backward() called twice, or the loss multiplied?",
        (set_rate, zero, "loss", "backward", shorten, move),
        {"backward": twice},
    ),
    (
        "you clip the largest number of the gradient (norm_type=inf). `clip` is for its length: leave "
        "norm_type out.",
        (set_rate, zero, "loss", "backward", clip_by(math.inf), move),
        {},
    ),
    (
        "you clip the sum of absolute values (norm_type=1). `clip` is for the length: leave norm_type out.",
        (set_rate, zero, "loss", "backward", clip_by(1), move),
        {},
    ),
    (
        "only the parameters of the first group are clipped. Give clip_grad_norm_ all of model.parameters().",
        (set_rate, zero, "loss", "backward", clip_weight, move),
        {},
    ),
    (
        "the gradient is never longer than 1, whatever `clip` says. Use the argument as it is.",
        (set_rate, zero, "loss", "backward", clip_at_most_one, move),
        {},
    ),
    (
        "a step whose gradient is too long is left out. Shorten the gradient, and make the step.",
        (set_rate, zero, "loss", "backward", move_if_short),
        {},
    ),
    *(
        (
            "the old gradients of some parameters are still there: backward() adds to them. "
            "optimizer.zero_grad() forgets all.",
            (set_rate, zero_group(number), "loss", "backward", shorten, move),
            {},
        )
        for number in (0, 1)
    ),
    (
        "a rate is written only if it is lower than the one before. Write `rate` as it is.",
        (lower_rate, zero, "loss", "backward", shorten, move),
        {},
    ),
    *(
        (
            "the rate has a floor in your answer. Write `rate` as it is, however small.",
            (bounded(max, limit), zero, "loss", "backward", shorten, move),
            {},
        )
        for limit in (1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.1)
    ),
    *(
        (
            "the rate is never above a bound in your answer. Write `rate` as it is, however large.",
            (bounded(min, limit), zero, "loss", "backward", shorten, move),
            {},
        )
        for limit in (0.1, 1.0)
    ),
    *(
        (
            "the loss is rounded. Return it as it is: loss.item().",
            RIGHT,
            {"returned": lambda loss, again, digits=digits: round(loss.item(), digits)},
        )
        for digits in (2, 3, 4)
    ),
    ("it returns None. Is the `return` missing?", RIGHT, {"returned": lambda loss, again: None}),
)


def played(training_step: Callable) -> Callable:
    return functools.partial(rehearsal, training_step)


def right_rehearsal(batches: dict[str, np.ndarray], rates: np.ndarray, clip: float) -> dict[str, np.ndarray]:
    """What a right step does in the rehearsal."""
    return rehearsal(step_of(*RIGHT), batches, rates, clip)


TRAINING_STEP = (
    *(Mistake(hint, played(step_of(*parts, **changes))) for hint, parts, changes in WRONG),
    Mistake(
        "optimizer.step() comes before backward(): it uses the gradient of the step before, or none.",
        played(step_of(set_rate, "loss", move, zero, "backward", shorten)),
    ),
)
