"""Hints for the exercises of unit 05, from a nudge to a nearly complete line of code."""

HINTS = {
    "learning_rate": (
        "There are two cases. During the warm-up, what share of it is done after this step? During the "
        "decay, what share of the steps after the warm-up remains, including this one?",
        "Step 0 is the first of `warmup` steps, so after a step, step + 1 of them are done. During the "
        "decay, steps - step of the steps - warmup steps remain. Check first which case it is, so that you "
        "never divide by 0.",
        "If `step < warmup`, the learning rate is `peak * (step + 1) / warmup`. The decay has the same form: "
        "peak times the number of remaining steps, divided by the number of steps after the warm-up.",
    ),
    "one_cycle_rate": (
        "The warm-up and the decay have the same shape: half a cosine wave from a number a to a number b. "
        "What are a and b in each part, and what share of the part is done at a given step?",
        "In the warm-up, the share is 0 at step 0 and 1 at its last step, `top = steps // 10 - 1`. The decay "
        "also begins at `top`, and ends at `steps - 1`. In each part, divide the steps taken by the number "
        "of steps from its beginning to its end.",
        "In the warm-up, a = peak / 100, b = peak and share = step / top. In the decay, a = peak, b = peak / "
        "10000 and share = (step - top) / (steps - 1 - top). In both, the result is `b + (a - b) * (1 + "
        "math.cos(math.pi * share)) / 2`.",
    ),
    "training_step": (
        "Each part is one line, except for the loop of part 1. Keep the order of the list: each part needs "
        "the result of the previous one.",
        "You need four methods and functions of PyTorch: `zero_grad` and `step` of the optimizer, "
        "`backward` of the loss, and `torch.nn.utils.clip_grad_norm_`. A parameter group is a dictionary: "
        'set its "lr".',
        'Part 1 is `for group in optimizer.param_groups: group["lr"] = rate`. Part 5 is '
        "`torch.nn.utils.clip_grad_norm_(model.parameters(), clip)`. Return `loss.item()`, a plain number.",
    ),
    "pack_sentences": (
        "Keep one open sequence and a list of finished sequences. For each sentence, first check whether it "
        "still fits into the open sequence. What is left to do when the text ends?",
        "The first sentence of a document is special. With cross=True, add a separator and the sentence to "
        "the open sequence, if it is not empty and both fit. With cross=False, the sentence begins a new "
        "sequence. A new sequence begins without a separator.",
        "For each sentence, let `border = [sep] if first and current else []`. If `len(current) + "
        "len(border) + len(sentence) > room`, close `current`, and set both `current` and `border` to []. "
        "Then set `current = current + border + sentence`.",
    ),
    "bucket_by_length": (
        "The five steps are: shuffle, cut, sort, cut, shuffle. Which steps work on sequences, and which on "
        "batches?",
        "`rng.permutation(n)` returns the integers 0 to n - 1 in random order; you need it twice. `sorted` "
        "with a `key` sorts the indices of sequences by length. `range` with a step gives the positions at "
        "which to cut.",
        "For each start in `range(0, n, pool * batch_size)`, sort `order[start:start + pool * batch_size]` "
        "with `key=lambda row: lengths[row]`, cut it into batches, and add them to one list. Return "
        "`[batches[i] for i in rng.permutation(len(batches))]`.",
    ),
    "pretraining_cost": (
        "You need three numbers, each computed from the previous one: tokens, then operations, then time.",
        "The tokens of a phase are steps times sequences times length; add them up over the phases. How "
        "many operations do all chips together do in a second, at this utilisation?",
        "The number of operations is `6 * parameters * tokens`, and the time in seconds is `flops / (chips * "
        "peak * utilisation)`, with the parentheses. How many seconds does a day have?",
    ),
    "test_learning_rate": (
        "Exercise 1 lists all learning rates of a run of six steps. Which mistakes would a test with this "
        "run miss, because of its peak or its warm-up?",
        "Compare the six learning rates with `np.allclose`. Then try a small peak such as 1e-4, a run with "
        "`warmup=0`, and a run with `warmup` equal to `steps`.",
        "Let `rates = [learning_rate(step, 6, 1e-4, 2) for step in range(6)]`, and assert "
        "`np.allclose(rates, [0.5e-4, 1e-4, ...])`. With peak 2, both `learning_rate(0, 4, 2.0, 0)` and "
        "`learning_rate(3, 4, 2.0, 4)` are 2.",
    ),
    "adamw_step": (
        "Start with one rule that is reported as BROKEN. Follow a gradient through the code, line by line. "
        "Which line treats it differently from the rule?",
        "Both running means begin at 0 and need a correction. The decay is applied to the weights, together "
        "with the move. The norm for clipping is that of the gradients of all parameters together.",
        "Before the loop, write `length = np.sqrt(sum((g ** 2).sum() for g in gradients.values()))`. In the "
        "loop, use `length`, `np.sqrt(square[name] / (1 - 0.999 ** step))`, and `after[name] = w - rate * "
        "(move + decay * w)`.",
    ),
}
