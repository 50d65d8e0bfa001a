"""Three hints for each exercise of unit 06, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "classifier_logits": (
        "Only one token of each sequence is read. What is left are two linear maps, with a tanh between "
        "them.",
        "`hidden[:, 0]` takes the first token of every sequence: (B, D). A linear map is `x @ W.T + b`, for "
        "a row of W makes one output number.",
        '`np.tanh(hidden[:, 0] @ weights["pooler.weight"].T + weights["pooler.bias"])` is the pooled '
        "vector. The same form once more, with the classifier's weights and without tanh, gives the "
        "logits.",
    ),
    "choice_logits": (
        "Each sequence is scored by itself, as in exercise 1. Only then do the options of an example come "
        "together.",
        "Your `classifier_logits` gives (B·C, 1). What is left is a change of shape. The options of an "
        "example are neighbours, so they belong along the last axis.",
        "`.reshape(-1, num_choices)`, where -1 lets NumPy count the examples.",
    ),
    "matthews_correlation": (
        "Count first, without a loop over the examples. Then ask of the fraction: what may become 0, and "
        "what too large?",
        "Comparing arrays gives True and False, and their sum counts: `((gold == 1) & (predicted == "
        "0)).sum()` is fn. Turn each count into a `float` or an `int` of Python's own.",
        "`tp = int(((gold == 1) & (predicted == 1)).sum())`, and so on. Multiply the four sums to `below`. "
        "Return 0.0 if it is 0, else `(tp * tn - fp * fn) / math.sqrt(below)`.",
    ),
    "opposite_verdicts": (
        "Let one label be rare. What do accuracy and Matthews say of a model that never gives it?",
        "One model never says the rare label. The other one finds it each time, and pays with a few false "
        "alarms. How many must they be, so that its accuracy is low enough?",
        "Take 20 questions, two of them with gold 1. Nothing but zeros is right 18 times. The other model "
        "has both ones right, and each false alarm costs it 0.05 of its accuracy.",
    ),
    "parameter_groups": (
        "Three questions for each name, in helpers of their own: is it in the encoder, does it decay, is it "
        "frozen?",
        '`name.split(".")` gives the parts. Two loops, one in the other, over (True, False) make the four '
        'groups in the right order. With n > 0, frozen is what begins with "encoder.embeddings." or '
        '"encoder.layers.i.", for i below n.',
        "In the loops: `[name for name in names if in_encoder(name) == inside and decays(name) == heavy and "
        "not frozen(name)]`. If it is not empty, it makes a group; `inside` decides on its learning rate, "
        "`heavy` on its decay.",
    ),
    "sharpness": (
        "Three parts: the loss at the weights themselves; a step for each tensor of a direction; the loss "
        "after the step, to both sides. Collect the increases of all directions in one list.",
        "`np.linalg.norm(x, axis=1, keepdims=True)` gives the lengths of the rows of a matrix, (rows, 1). A "
        "row of the direction is divided by its own length and multiplied by that of the weights' row. Where "
        "`w.ndim` is 1, the step is 0.",
        "`step = d / np.linalg.norm(d, axis=1, keepdims=True) * np.linalg.norm(w, axis=1, keepdims=True)`. "
        "Then for `side` in (radius, -radius): a new dict with `w + side * step` for each name, and `loss` "
        "of it minus the loss of `weights`. Return the list's mean and its `max`.",
    ),
    "test_matthews": (
        "What do you know of every correlation, without computing it? And for which four counts can you work "
        "it out by hand?",
        "By hand, take counts that all differ, such as tp = 1, fn = 5, tn = 3, fp = 0. Then the two ends, 1 "
        "and -1, and both kinds of 0 / 0: one side constant, both sides constant.",
        "`np.isclose(matthews_correlation(gold, answers), 0.25)` for the counts of the second hint; 0 for "
        "ones against ones; and `gold = np.arange(400_000) % 2` against itself and against `1 - gold`.",
    ),
    "f1_of_batches": (
        "Take one sentence of the examination that is BROKEN, and ask at which line a batch could make it "
        "fail. One of the bugs is a line that is not there.",
        "Not the scores of the batches are to be put together, but their counts. Which examples count at "
        "all? And is every right answer a 1 that was found?",
        "Add up `right`, `said` and `wanted` over the batches, and divide once, behind the loop. `real = "
        "labels != IGNORE` goes into `said`; `right` counts `(answers == labels) & (labels == 1)`.",
    ),
}
