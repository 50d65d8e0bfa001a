"""Three hints for each exercise of unit 05, from a first nudge to almost the complete code.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "learning_rate": (
        "There are two cases. On the way up, what share of the warm-up is done after this step? On the way "
        "down, what share of the steps after the warm-up is still to come, including this one?",
        "Step 0 is the first of `warmup` steps, so after a step, step + 1 of them are done. On the way "
        "down, steps - step of the steps - warmup steps are still to come. Find out first which case it is; "
        "then you never divide by 0.",
        "If `step < warmup`, it is `peak * (step + 1) / warmup`. The way down has the same form: peak, "
        "times the steps still to come, divided by the number of steps after the warm-up.",
    ),
    "one_cycle_rate": (
        "The cycle has two sides of the same shape: half a wave from a number a to a number b. What are a "
        "and b on each side, and what share of the side is done at a given step?",
        "On the way up, the share is 0 at step 0 and 1 at the last step of the warm-up, `top = steps // 10 "
        "- 1`. The way down also begins at `top`, and ends at `steps - 1`. In each case, divide the steps "
        "taken by the length of the side.",
        "On the way up, a = peak / 100, b = peak, share = step / top. On the way down, a = peak, b = peak / "
        "10000, share = (step - top) / (steps - 1 - top). In both cases the result is `b + (a - b) * (1 + "
        "math.cos(math.pi * share)) / 2`.",
    ),
    "training_step": (
        "Each part is one line, except for the loop of part 1. Keep the order of the list: each part needs "
        "the result of the previous one.",
        "You need four methods and functions of PyTorch: `zero_grad` and `step` of the "
        "optimiser, `backward` of the loss, and `torch.nn.utils.clip_grad_norm_`. A group is a "
        "dictionary: assign to its key.",
        'Part 1 is `for group in optimizer.param_groups: group["lr"] = rate`. Part 5 is '
        "`torch.nn.utils.clip_grad_norm_(model.parameters(), clip)`. `loss.item()` is the plain number.",
    ),
    "pack_sentences": (
        "Keep one open sequence and a list of finished ones. For each sentence, first ask whether it still "
        "fits into the open one. What is left to do when the text ends?",
        "A document's first sentence is special. With cross=True it comes with a separator if the open "
        "sequence is not empty, and both must fit; with cross=False it begins a new sequence. A new "
        "sequence begins without a separator.",
        "For each sentence: `border = [sep] if first and current else []`. If `len(current) + len(border) + "
        "len(sentence) > room`, close `current`, and set both `current` and `border` to []. Then `current = "
        "current + border + sentence`.",
    ),
    "bucket_by_length": (
        "The five steps are: shuffle, cut, sort, cut, shuffle. Which of them work on "
        "sequences, and which on batches?",
        "`rng.permutation(n)` returns the numbers 0 to n - 1 in random order; you need it twice. `sorted` "
        "with a `key` sorts sequence numbers by length. `range` with a step gives the places to cut.",
        "For each start in `range(0, n, pool * batch_size)`: sort `order[start:start + pool * batch_size]` "
        "by `key=lambda row: lengths[row]`, cut it into batches, and add these to one list. Return "
        "`[batches[i] for i in rng.permutation(len(batches))]`.",
    ),
    "pretraining_cost": (
        "You need three numbers, each computed from the previous one: tokens, then operations, then time.",
        "The tokens of a phase are steps times sequences times length; add them up over the phases. How "
        "many operations do all chips together do in a second, at this utilisation?",
        "`flops = 6 * parameters * tokens`. The seconds are `flops / (chips * peak * utilisation)`, with the "
        "brackets. How many seconds does a day have?",
    ),
    "test_learning_rate": (
        "Exercise 1 lists all learning rates of a run of six steps. Which mistakes would this run miss, "
        "because of its peak or its warm-up?",
        "Compare the six learning rates with `np.allclose`. Then try a small peak such as 1e-4, a run with "
        "`warmup=0`, and a run with `warmup` equal to `steps`.",
        "Let `rates = [learning_rate(step, 6, 1e-4, 2) for step in range(6)]`, and assert "
        "`np.allclose(rates, [0.5e-4, 1e-4, ...])`. With peak 2, both `learning_rate(0, 4, 2.0, 0)` and "
        "`learning_rate(3, 4, 2.0, 4)` are 2.",
    ),
    "adamw_step": (
        "Start with one rule that is reported as BROKEN. Follow a gradient line by line. Where is something "
        "done to it that should be done to something else?",
        "Both memories begin at 0 and need a correction. Decay is applied to the weights, next to the move. "
        "And the gradients of all parameters share one length.",
        "Before the loop, write `length = np.sqrt(sum((g ** 2).sum() for g in "
        "gradients.values()))`. Inside it, use `np.sqrt(square[name] / (1 - 0.999 ** step))`, and "
        "`after[name] = w - rate * (move + decay * w)`.",
    ),
}
