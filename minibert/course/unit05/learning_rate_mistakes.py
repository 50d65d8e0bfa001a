"""Known mistakes about `learning_rate`, the linear warm-up and decay."""

import math
from collections.abc import Callable

from minibert.training import schedule

from ..checks.exercise import Mistake

DAY = 86_400


def rate(
    up: Callable = lambda step, warmup: (step + 1) / warmup,
    down: Callable = lambda step, steps, warmup: (steps - step) / (steps - warmup),
    still_up: Callable = lambda step, warmup: step < warmup,
) -> Callable:
    """Build a schedule with one piece replaced.

    up, down: the share of the peak on the way up or down; still_up: whether a step belongs to the warm-up.
    """

    def wrong(step, steps, peak, warmup):
        return peak * (up(step, warmup) if still_up(step, warmup) else down(step, steps, warmup))

    return wrong


def from_the_start(step: int, steps: int, warmup: int) -> float:
    return 1 - step / steps


LEARNING_RATE = (
    *(
        Mistake(
            "with warmup=0 you divide by 0. Test `if step < warmup` first; then no step gets there.",
            lambda step, steps, peak, warmup, one=one: one / warmup,
        )
        for one in (1, 1.0)
    ),
    *(
        Mistake(
            "where all steps are warm-up you divide by 0. Compute the way down only for steps that are on "
            "it.",
            lambda step, steps, peak, warmup, one=one: one / (steps - warmup),
        )
        for one in (1, 1.0)
    ),
    Mistake(
        "the first step's learning rate is 0, so this step is wasted. Step 0 is the first of `warmup` "
        "steps on the way up: peak * (step + 1) / warmup.",
        rate(up=lambda s, w: s / w),
    ),
    Mistake(
        "the decay counts from the start of the run, so the learning rate jumps down after the warm-up. "
        "Count from the end: (steps - step) steps are left of the (steps - warmup) after the warm-up.",
        rate(down=from_the_start),
    ),
    Mistake(
        "after the warm-up the learning rate stays at the peak. It must go down, in a straight line, to "
        "0 after the last step.",
        rate(down=lambda s, n, w: 1.0),
    ),
    Mistake(
        "there is no warm-up: for step < warmup the learning rate is peak * (step + 1) / warmup.",
        rate(still_up=lambda s, w: False),
    ),
    Mistake(
        "there is no warm-up, and no decay that reaches 0 after the last step.",
        rate(still_up=lambda s, w: False, down=(lambda s, n, w: 1.0)),
    ),
    Mistake(
        "there is no warm-up, and the decay counts from the start of the run.",
        rate(still_up=lambda s, w: False, down=from_the_start),
    ),
    Mistake(
        "the last step has the learning rate 0, so this step is wasted. The line reaches 0 one step "
        "after the last: (steps - step) / (steps - warmup).",
        rate(down=lambda s, n, w: (n - 1 - s) / (n - 1 - w)),
    ),
    Mistake(
        "the last step has the learning rate 0, so this step is wasted, and the first step after the "
        "warm-up is below the peak. The line reaches 0 one step after the last.",
        rate(down=lambda s, n, w: (n - 1 - s) / (n - w)),
    ),
    Mistake(
        "after the warm-up the way down is counted from the wrong end: (steps - step) are left, (step - "
        "warmup) are gone.",
        rate(down=lambda s, n, w: (s - w) / (n - w)),
    ),
    Mistake(
        "the way down is half a wave of a cosine. BERT's is a straight line.",
        rate(down=lambda s, n, w: (1 + math.cos(math.pi * (s - w) / (n - w))) / 2),
    ),
    Mistake(
        "this is the schedule of the first Transformer, which falls with the root of the step. BERT's "
        "falls in a straight line to 0.",
        rate(down=lambda s, n, w: math.sqrt(w / (s + 1))),
    ),
    Mistake(
        "the warm-up is one step too long: it ends when step reaches warmup, so use <, not <=.",
        rate(still_up=lambda s, w: s <= w),
    ),
    Mistake(
        "`warmup` is a number of steps here, not a share of them.",
        lambda step, steps, peak, warmup: rate()(step, steps, peak, warmup * steps),
    ),
    Mistake(
        "you return the share of the peak. Multiply it by peak.",
        lambda step, steps, peak, warmup: schedule.learning_rate(step, steps, 1.0, warmup),
    ),
    Mistake(
        "a run without warm-up gets one step of it in your answer: with warmup=0 the way down begins at "
        "once.",
        lambda step, steps, peak, warmup: rate()(step, steps, peak, max(1, warmup)),
    ),
    Mistake(
        "the peak is never above 1 in your answer. Any peak is allowed.",
        lambda step, steps, peak, warmup: rate()(step, steps, min(1, peak), warmup),
    ),
    *(
        Mistake(
            "there is a floor under the learning rate: it does not go down to one part of the peak above "
            "0. Leave the floor out.",
            lambda step, steps, peak, warmup, part=part: max(part * peak, rate()(step, steps, peak, warmup)),
        )
        for part in (0.1, 0.05, 0.01, 0.001)
    ),
    *(
        Mistake(
            "the learning rate ends at a share of the peak. It goes down to one part above 0: peak / "
            "(steps - warmup).",
            rate(down=lambda s, n, w, part=part: part + (1 - part) * (n - s) / (n - w)),
        )
        for part in (0.1, 0.05, 0.01)
    ),
    Mistake(
        "the way up is divided into one part too many. Its last step, warmup - 1, has the peak.",
        rate(up=lambda s, w: (s + 1) / (w + 1)),
    ),
    Mistake(
        "the way down is divided into one part too many. Its first step has the peak.",
        rate(down=lambda s, n, w: (n - s) / (n - w + 1)),
    ),
    Mistake(
        "whole-number division: // throws the fraction away. Use /.",
        rate(up=lambda s, w: (s + 1) // w, down=(lambda s, n, w: (n - s) // (n - w))),
    ),
)
