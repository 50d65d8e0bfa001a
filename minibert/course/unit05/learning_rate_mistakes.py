"""Students' common mistakes in `learning_rate`, the linear warm-up and decay."""

from minibert.training.schedule import learning_rate

from ..checks.edits import edits

LEARNING_RATE = edits(
    learning_rate,
    r"""
    $test = if step < warmup:
    $up = (step + 1) / warmup
    $down = (steps - step) / (steps - warmup)

    with warmup=0 you divide by 0. Divide by `warmup` only during the warm-up.
        $test => {1 | 1.0} / warmup\n$test
    if all steps are warm-up, you divide by 0. Compute the decay only for steps after the warm-up.
        $test => {1 | 1.0} / (steps - warmup)\n$test
    the first step's learning rate is 0, so this step is wasted. Count the step itself as done.
        $up => step / warmup
    the decay counts from the start of the run, so the learning rate jumps down after the warm-up. Divide the
    number of remaining steps by the number of steps after the warm-up.
        $down => (1 - step / steps)
    after the warm-up, the learning rate stays at the peak. Let it decrease linearly, and reach 0 after the
    last step.
        $down => 1.0
    there is no warm-up. Before step `warmup`, let the learning rate rise in equal steps.
        $test => if False:
    there is no warm-up, and no decay to 0 after the last step. Compute the two parts separately.
        $test => if False:
        $down => 1.0
    there is no warm-up, and the decay counts from the start of the run. Count it from the end of the warm-up.
        $test => if False:
        $down => (1 - step / steps)
    the last step has the learning rate 0, so this step is wasted. Count it among the remaining steps.
        $down => (steps - 1 - step) / (steps - 1 - warmup)
    the last step has the learning rate 0, and the first step after the warm-up is below the peak. Count each
    step among the remaining ones.
        $down => (steps - 1 - step) / (steps - warmup)
    the decay is counted from the wrong end. Use the number of remaining steps, not of those done.
        $down => (step - warmup) / (steps - warmup)
    the decay follows half a cosine wave. Let it follow a straight line, as in BERT.
        $down => (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2
    the learning rate decays with the inverse square root of the step, as in the original Transformer. Let it
    decay to 0 in a straight line, as in BERT.
        $down => math.sqrt(warmup / (step + 1))
    the warm-up is one step too long. It ends when step equals warmup.
        step < warmup => step <= warmup
    you use `warmup` as a share of the steps, but it is a number of steps.
        $test => warmup *= steps\n$test
    you return a share of the peak. Multiply it by peak.
        return right(step, steps, 1.0, warmup)
    a run without warm-up gets one warm-up step in your answer. Begin the decay at step 0 if warmup=0.
        $test => warmup = max(1, warmup)\n$test
    you limit the peak to 1. Use `peak` as it is, however large.
        return right(step, steps, min(1, peak), warmup)
    the learning rate has a lower bound, so it is too large at the end of the run. Remove the bound.
        return max({0.1 | 0.05 | 0.01 | 0.001} * peak, result)
    the learning rate ends at a fixed share of the peak. It should decrease by the same amount in every step,
    and reach 0 after the last.
        $down => (1 - (1 - {0.1 | 0.05 | 0.01}) * (step - warmup) / (steps - warmup))
    the warm-up is divided into one part too many. Its last step should have the peak.
        $up => (step + 1) / (warmup + 1)
    the decay is divided into one part too many. The first step after the warm-up should have the peak.
        $down => (steps - step) / (steps - warmup + 1)
    you use integer division, which discards the fraction. Use ordinary division.
        $up => ((step + 1) // warmup)
        $down => ((steps - step) // (steps - warmup))
    """,
)
