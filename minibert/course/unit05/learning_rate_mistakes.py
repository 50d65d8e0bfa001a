"""Known mistakes in `learning_rate`, the linear warm-up and decay."""

from minibert.training.schedule import learning_rate

from ..checks.edits import edits

LEARNING_RATE = edits(
    learning_rate,
    r"""
    $test = if step < warmup:
    $up = (step + 1) / warmup
    $down = (steps - step) / (steps - warmup)

    with warmup=0 you divide by 0. Check `if step < warmup` first; then no step reaches that division.
        $test => {1 | 1.0} / warmup\n$test
    if all steps are warm-up you divide by 0. Compute the way down only for steps that are on it.
        $test => {1 | 1.0} / (steps - warmup)\n$test
    the first step's learning rate is 0, so this step is wasted. Step 0 is the first of `warmup` steps on the
    way up: peak * (step + 1) / warmup.
        $up => step / warmup
    the decay counts from the start of the run, so the learning rate jumps down after the warm-up. Count from
    the end: (steps - step) of the (steps - warmup) steps after the warm-up are left.
        $down => (1 - step / steps)
    after the warm-up the learning rate stays at the peak. It must decrease linearly
    and reach 0 after the last step.
        $down => 1.0
    there is no warm-up. For step < warmup the learning rate is peak * (step + 1) / warmup.
        $test => if False:
    there is no warm-up, and no decay that reaches 0 after the last step. Treat the way
    up and the way down separately.
        $test => if False:
        $down => 1.0
    there is no warm-up, and the decay counts from the start of the run. Count it from the end of the warm-up.
        $test => if False:
        $down => (1 - step / steps)
    the last step has the learning rate 0, so this step is wasted. The line reaches 0 one step after the
    last: (steps - step) / (steps - warmup).
        $down => (steps - 1 - step) / (steps - 1 - warmup)
    the last step has the learning rate 0, so this step is wasted, and the first step after the warm-up is
    below the peak. The line reaches 0 one step after the last.
        $down => (steps - 1 - step) / (steps - warmup)
    the way down is counted from the wrong end: (steps - step) steps are left, (step - warmup) are done.
        $down => (step - warmup) / (steps - warmup)
    the way down follows half a cosine wave. BERT's is a straight line.
        $down => (1 + math.cos(math.pi * (step - warmup) / (steps - warmup))) / 2
    this is the schedule of the original Transformer, which decays with the inverse square root of the step.
    BERT's decays to 0 in a straight line.
        $down => math.sqrt(warmup / (step + 1))
    the warm-up is one step too long: it ends when step reaches warmup, so use <, not <=.
        step < warmup => step <= warmup
    `warmup` is a number of steps here, not a share of them.
        $test => warmup *= steps\n$test
    you return a share of the peak. Multiply it by peak.
        return right(step, steps, 1.0, warmup)
    a run without warm-up gets one warm-up step in your answer. With warmup=0 the way down begins at step 0.
        $test => warmup = max(1, warmup)\n$test
    you limit the peak to 1. Any peak is allowed.
        return right(step, steps, min(1, peak), warmup)
    the learning rate has a lower bound, so it does not get small enough at the
    end of the run. Remove the bound.
        return max({0.1 | 0.05 | 0.01 | 0.001} * peak, result)
    the learning rate ends at a fixed share of the peak. The last step's is peak / (steps - warmup).
        $down => (1 - (1 - {0.1 | 0.05 | 0.01}) * (step - warmup) / (steps - warmup))
    the way up is divided into one part too many. Its last step, warmup - 1, should reach the peak.
        $up => (step + 1) / (warmup + 1)
    the way down is divided into one part too many. Its first step should have the peak.
        $down => (steps - step) / (steps - warmup + 1)
    you use integer division: // throws the fraction away. Use /.
        $up => ((step + 1) // warmup)
        $down => ((steps - step) // (steps - warmup))
    """,
)
