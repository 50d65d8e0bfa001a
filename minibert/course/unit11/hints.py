"""Hints for the exercises of unit 11, from a first idea to nearly complete code."""

HINTS = {
    "distillation_loss": (
        "Two distributions are compared, the teacher's and the student's. Which one is the target? Only one"
        " of the two models should get a gradient. How does PyTorch leave a tensor out of it?",
        "Divide the logits of both by the temperature, and take `log_softmax` over the last axis, for the "
        "teacher after `detach()`. KL weights the difference of the logarithms by the teacher's "
        "probabilities. Add up the classes, take the mean over the examples, and multiply by the square of "
        "the temperature.",
        "With `p = F.log_softmax(teacher.detach() / temperature, dim=-1)` and the same for the student as "
        "`q`, the loss of each example is `(p.exp() * (p - q)).sum(dim=-1)`. PyTorch's `F.kl_div(q, p, "
        "reduction='batchmean', log_target=True)` computes their mean.",
    ),
    "quantize_int8": (
        "What is the largest number that int8 holds with both signs? Which weight should become this "
        "number? With an axis, the question has an answer for each channel.",
        "The scale is the largest absolute value over 127. With an axis, take the maximum over all *other* "
        "axes, with `keepdims=True`. Replace scales of 0 by 1. Divide, round with `np.round`, then convert.",
        "The other axes are `tuple(a for a in range(weights.ndim) if a != axis)`. With `largest = "
        "abs(weights).max(axis=others, keepdims=True)`, the scale is `np.where(largest == 0, 1, largest / "
        "127)`. Without an axis, return a plain float.",
    ),
    "dequantize": (
        "The scale is the size of one step. How large is a weight of 127 steps?",
        "Multiply the numbers by the scale. NumPy broadcasts a scale with axes of length 1.",
        "`quantized * scale` is a float if the scale is one.",
    ),
    "magnitude_mask": (
        "How many weights are removed, and which ones? Sorting the numbers is not enough: you need their "
        "places.",
        "Flatten the absolute values, and use `np.argsort(..., kind='stable')`, which keeps equal ones in "
        "order. The first round(share * size) places are those to remove. Start from a mask of True "
        "everywhere.",
        "With `order = np.argsort(abs(weights).ravel(), kind='stable')`, set `mask[order[:round(share * "
        "weights.size)]] = False` in a flat mask, and reshape it.",
    ),
    "pruned_step": (
        "What moves a weight that has been removed? There are two things, and one of them is from the past.",
        "Compute the new velocity and the new weights as if there were no mask. Then set the removed "
        "weights to 0. Do not change the arguments.",
        "Use `velocity = momentum * velocity + gradient`. The new weights are `weights - learning_rate * "
        "velocity`, multiplied by the mask.",
    ),
    "replacing_rate": (
        "At step 0 the rate is `start`, at step `steps` it is 1. Which straight line goes through both "
        "points? What happens after them?",
        "Between the two ends, 1 - start is added in `steps` equal parts. Limit the result to 1, in a way "
        "that also works for arrays.",
        "Use `np.minimum(1, ...)` of `start + (1 - start) * step / steps`.",
    ),
    "theseus_step": (
        "Follow the hidden states through the modules. What is the input of module 3, and which of the two "
        "modules 3 gets it? When is this decided?",
        "Loop over both lists together. In each turn, draw one number with `rng.random()`; if it is below "
        "the rate, run the new module, otherwise the old one, on the output of the turn before.",
        "In `for before, after in zip(old, new)`, assign `hidden = run_part(hidden, after if rng.random()"
        " < rate else before)`.",
    ),
    "layer_map": (
        "Write down the four lists for T = 6 and S = 3 by hand. How is number i of each list computed from "
        "i, T and S?",
        'For "every" use `//` after multiplying, so that nothing is lost if S does not divide T. For '
        '"skip", S layers have S - 1 gaps. Python rounds 2.5 to 2; add a half and round down '
        "instead. With S = 1 there is no gap to divide by.",
        '"every" is `(i + 1) * T // S - 1`. "skip" is `int(i * (T - 1) / max(S - 1, 1) + 0.5)`.',
    ),
    "int8_linear": (
        "Start with one rule that is reported as BROKEN. What is the largest product of two int8 numbers? "
        "Which tokens decide the scale of a token? In which unit is the bias?",
        "Products of int8 numbers need a larger dtype *before* they are multiplied. The scale of a token "
        "comes from its own row. The sums are multiplied by both scales; the bias has never been divided by"
        " them.",
        "Use `abs(hidden).max(axis=1, keepdims=True)`, convert `h` and `w` with `astype(np.int32)`, and add"
        " the bias last.",
    ),
    "test_remove_neurons": (
        "Use different sizes for D, F and K, and a different number at every place. Which neurons would a "
        "wrong version keep?",
        "Keep some neurons in the middle and leave out the first one, so that no version is right by taking"
        " the first ones. Compare shapes and values of all three results, and keep copies of the arguments "
        "to see whether they change.",
        "With `kept = np.array([False, True, False, True])` and random `up` (4, 3), `bias` (4,), `down` (3,"
        " 4), assert that the three results equal `up[kept]`, `bias[kept]` and `down[:, kept]`, with "
        "`np.array_equal`, and that the arguments equal their copies.",
    ),
}
