"""Three hints for each exercise of unit 05, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "learning_rate": (
        "Two cases. On the way up: which share of the warm-up is done when this step is? On the way down: "
        "which share of the steps after the warm-up is still to do, this one included?",
        "Step 0 is the first of `warmup` steps: when it is done, step + 1 of them are. From `warmup` on, "
        "steps - step are still to do, of steps - warmup. Test `if step < warmup` first; then nothing is "
        "divided by 0.",
        "Up it is `peak * (step + 1) / warmup`. Down it has the same form: peak, times the steps still to "
        "do, divided by all steps after the warm-up.",
    ),
    "one_cycle_rate": (
        "The cycle has two sides of the same form: from a number a to a number b, along half a wave. Which "
        "are a and b on each side, and which share of the side is behind a step?",
        "Step 0 has the share 0 of the way up, and the last step of the warm-up, `top = steps // 10 - 1`, "
        "has the share 1: `step / top`. The way down begins at `top`, too, and ends at `steps - 1`.",
        "Up: a = peak / 100, b = peak, share = step / top. Down: a = peak, b = peak / 10000, share = (step - "
        "top) / (steps - 1 - top). In both cases `b + (a - b) * (1 + math.cos(math.pi * share)) / 2`.",
    ),
    "training_step": (
        "One line per part, except for the loop of part 1. Keep the order of the list: each part needs what "
        "the one before it left.",
        "The calls are `optimizer.zero_grad()`, `loss.backward()`, "
        "`torch.nn.utils.clip_grad_norm_(parameters, clip)` and `optimizer.step()`. A group is a dictionary: "
        "write into it.",
        'Part 1 is `for group in optimizer.param_groups: group["lr"] = rate`. The parameters of part 5 are '
        "`model.parameters()`. `loss.item()` makes the plain number.",
    ),
    "pack_sentences": (
        "Keep one open sequence and a list of those that are closed. For each sentence, ask first: does it "
        "still go into the open one? What must be closed when the text ends?",
        "A document's first sentence is special. With cross=True it brings a separator along if the open "
        "sequence is not empty, and both must fit; with cross=False it begins a new sequence. Where a new "
        "sequence begins, the separator is left out.",
        "For each sentence: `border = [sep] if first and current else []`. If `len(current) + len(border) + "
        "len(sentence) > room`, close `current`, and set both `current` and `border` to []. Then `current = "
        "current + border + sentence`.",
    ),
    "bucket_by_length": (
        "Shuffle, cut, sort, cut, shuffle. Which of these five work on sequences, and which on batches?",
        "`rng.permutation(n)` gives the numbers 0 to n - 1 in random order; you need it twice. "
        "`sorted(rows, key=lambda row: lengths[row])` sorts sequence numbers by length. `range(0, n, size)` "
        "gives the places to cut.",
        "For each start in `range(0, n, pool * batch_size)`: sort `order[start:start + pool * batch_size]`, "
        "cut it in the same way, and add its batches to one list. Return `[batches[i] for i in "
        "rng.permutation(len(batches))]`.",
    ),
    "pretraining_cost": (
        "Three numbers, each made of the one before: tokens, then operations, then time.",
        "Tokens: in each phase steps times sequences times length, added up over the phases. Together the "
        "chips do `chips * peak * utilisation` operations a second.",
        "`flops = 6 * parameters * tokens`. The seconds are `flops / (chips * peak * utilisation)`, with the "
        "brackets. How many seconds does a day have?",
    ),
    "test_learning_rate": (
        "Exercise 1 has a run of six steps with all its rates. Which mistakes would not show in it, because "
        "of its peak or its warm-up?",
        "Compare the six rates with `np.allclose`. Then try a small peak such as 1e-4, a run with `warmup` "
        "0, and one in which `warmup` equals `steps`.",
        "`rates = [learning_rate(step, 6, 1e-4, 2) for step in range(6)]` and `np.allclose(rates, [0.5e-4, "
        "1e-4, ...])`; with peak 2, `learning_rate(0, 4, 2.0, 0)` is 2, and so is `learning_rate(3, 4, 2.0, "
        "4)`.",
    ),
    "adamw_step": (
        "Take one sentence of the examination that is BROKEN. What becomes of a gradient, line by line, and "
        "where is something done to it that should be done to something else?",
        "Both memories begin at 0 and need a correction. Decay acts on the weights, beside the move. And "
        "there is one length for the gradients of all parameters.",
        "Before the loop: `length = np.sqrt(sum((g ** 2).sum() for g in gradients.values()))`. In it: "
        "`np.sqrt(square[name] / (1 - 0.999 ** step))`, and `after[name] = w - rate * (move + decay * w)`.",
    ),
}
