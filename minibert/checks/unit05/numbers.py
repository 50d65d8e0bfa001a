"""The known mistakes about the learning rate of a step and about what a run costs; see unit05.py."""
import math

from minibert import reference

from ..engine.base import Mistake

DAY = 86_400


def rate(up=lambda step, warmup: (step + 1) / warmup, down=lambda step, steps, warmup:
         (steps - step) / (steps - warmup),
         still_up=lambda step, warmup: step < warmup):
    """The schedule with one piece replaced: the share of the peak on the way up or down, or where the way up
    ends.
    """
    def wrong(step, steps, peak, warmup):
        return peak * (up(step, warmup) if still_up(step, warmup) else down(step, steps, warmup))
    return wrong


def from_the_start(step, steps, warmup):
    return 1 - step / steps


RATE = (
    *(Mistake("with warmup=0 you divide by 0. Ask `if step < warmup` first; then no step gets there.",
              lambda step, steps, peak, warmup, one=one: one / warmup) for one in (1, 1.0)),
    *(Mistake(
        "where all steps are warm-up you divide by 0. Compute the way down only for steps that are on it.",
              lambda step, steps, peak, warmup, one=one: one / (steps - warmup)) for one in (1, 1.0)),
    Mistake("the first step's rate is 0, so this step is wasted. Step 0 is the first of `warmup` steps on "
            "the way up: "
            "peak * (step + 1) / warmup.", rate(up=lambda s, w: s / w)),
    Mistake("the decay counts from the start of the run, so the rate jumps down after the warm-up. Count "
            "from the end: "
            "(steps - step) steps are left of the (steps - warmup) after the warm-up.",
            rate(down=from_the_start)),
    Mistake("after the warm-up the rate stays at the peak. It must go down, in a straight line, to 0 after "
            "the last step.",
            rate(down=lambda s, n, w: 1.0)),
    Mistake("there is no warm-up: for step < warmup the rate is peak * (step + 1) / warmup.",
            rate(still_up=lambda s, w: False)),
    Mistake("there is no warm-up, and no decay that reaches 0 after the last step.",
            rate(still_up=lambda s, w: False, down=(
        lambda s, n, w: 1.0))),
    Mistake("there is no warm-up, and the decay counts from the start of the run.",
            rate(still_up=lambda s, w: False, down=from_the_start)),
    Mistake("the last step has rate 0, so this step is wasted. The line reaches 0 one step after the last: "
            "(steps - step) / (steps - warmup).", rate(down=lambda s, n, w: (n - 1 - s) / (n - 1 - w))),
    Mistake("the last step has rate 0, so this step is wasted, and the first step after the warm-up is "
            "below the peak. The line "
            "reaches 0 one step after the last.", rate(down=lambda s, n, w: (n - 1 - s) / (n - w))),
    Mistake("after the warm-up the way down is counted from the wrong end: (steps - step) are left, (step - "
            "warmup) are gone.",
            rate(down=lambda s, n, w: (s - w) / (n - w))),
    Mistake("the way down is half a wave of a cosine. BERT's is a straight line.",
            rate(down=lambda s, n, w: (1 + math.cos(math.pi * (s - w) / (n - w))) / 2)),
    Mistake("this is the schedule of the first Transformer, which falls with the root of the step. BERT's "
            "falls in a straight "
            "line to 0.", rate(down=lambda s, n, w: math.sqrt(w / (s + 1)))),
    Mistake("the warm-up is one step too long: it ends when step reaches warmup, so use <, not <=.",
            rate(still_up=lambda s, w: s <= w)),
    Mistake("`warmup` is a number of steps here, not a share of them.",
            lambda step, steps, peak, warmup: rate()(step, steps, peak, warmup * steps)),
    Mistake("you return the share of the peak. Multiply it by peak.",
            lambda step, steps, peak, warmup: reference.learning_rate(step, steps, 1.0, warmup)),
    Mistake("whole-number division: // throws the fraction away. Use /.",
            rate(up=lambda s, w: (s + 1) // w, down=(
        lambda s, n, w: (n - s) // (n - w)))),
)


def cost(tokens=lambda phases: sum(math.prod(phase) for phase in phases), factor=6, seconds=None, unit=DAY):
    """The price with one piece replaced. seconds(flops, chips, peak, utilisation)."""
    def wrong(parameters, phases, chips, peak, utilisation):
        count = tokens(phases)
        flops = factor * parameters * count
        took = seconds(flops, chips, peak, utilisation) if seconds else flops / (chips * peak * utilisation)
        return {"tokens": count, "flops": flops, "days": took / unit}
    return wrong


COST = (
    Mistake("2 operations a parameter and token are the forward pass alone. The backward pass takes twice "
            "as many: 6 together.",
            cost(factor=2)),
    Mistake("4 operations a parameter and token are the backward pass alone. With the forward pass they are "
            "6.", cost(factor=4)),
    Mistake("3 operations a parameter and token: a product and a sum are two operations, so 6.",
            cost(factor=3)),
    Mistake("a parameter takes 6 operations for each token; the 6 is missing.", cost(factor=1)),
    Mistake("only the last phase is counted. Add the tokens of all phases.",
            cost(lambda phases: math.prod(phases[-1]))),
    Mistake("only the first phase is counted. Add the tokens of all phases. Is the `return` inside the loop?",
            cost(lambda phases: math.prod(phases[0]))),
    Mistake("you count rows, not tokens: multiply by the length too.",
            cost(lambda phases: sum(s * r for s, r, _ in phases))),
    Mistake("you count the tokens of one row a step: multiply by the rows of a batch too.",
            cost(lambda phases: sum(s * n for s, _, n in phases))),
    Mistake("you count the tokens of one batch: multiply by the steps too.",
            cost(lambda phases: sum(r * n for _, r, n in phases))),
    Mistake(
        "you add up steps, rows and lengths, and then multiply the sums. Multiply within a phase, then add.",
            cost(lambda phases: math.prod(map(sum, zip(*phases))))),
    Mistake("`utilisation` is ignored: chips reach only this share of their peak, so the run takes longer.",
            cost(seconds=lambda flops, chips, peak, use: flops / (chips * peak))),
    Mistake("a low utilisation makes a run longer, not shorter: divide by it.",
            cost(seconds=lambda flops, chips, peak, use: flops / (chips * peak) * use)),
    Mistake("a / b * c * d divides by b alone. The chips together do chips * peak * utilisation operations "
            "a second: put the "
            "product in brackets.", cost(seconds=lambda flops, chips, peak, use: flops / chips * peak * use)),
    Mistake("`chips` is ignored: they share the work.",
            cost(seconds=lambda flops, chips, peak, use: flops / (peak * use))),
    Mistake("you multiply the time by the number of chips: those are chip-days. They work at the same time, "
            "so divide.",
            cost(seconds=lambda flops, chips, peak, use: flops / (peak * use) * chips)),
    Mistake("the time is in seconds; a day has 86,400.", cost(unit=1)),
    Mistake("the time is in hours; a day has 24 of them.", cost(unit=3600)),
    Mistake("the time is in minutes; a day has 1,440 of them.", cost(unit=60)),
    Mistake("a day has 24 * 60 * 60 seconds; one 60 is missing, or one is too many.", cost(unit=24 * 60)),
)
