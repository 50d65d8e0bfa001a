"""Three hints for each exercise of unit 06, from a nudge to nearly the line; `check.NAME.hint()` shows the next."""

HINTS = {
    "classifier_logits": (
        "Only one token of each row is read. What is left are two linear maps, with a tanh between them.",
        "`hidden[:, 0]` takes the first token of every row: (B, D). A linear map is `x @ W.T + b`, for a row of W makes one "
        "output number.",
        "`np.tanh(hidden[:, 0] @ weights[\"pooler.weight\"].T + weights[\"pooler.bias\"])` is the pooled vector. The same form "
        "once more, with the classifier's weights and without tanh, gives the logits."),
    "choice_logits": (
        "Each row is scored by itself, as in exercise 1. Only then do the options of an example come together.",
        "Your `classifier_logits` gives (B·C, 1). What is left is a change of shape. The options of an example are neighbours, "
        "so they belong along the last axis.",
        "`.reshape(-1, num_choices)`, where -1 lets NumPy count the examples."),
    "matthews_correlation": (
        "Count first, without a loop over the examples. Then ask of the fraction: what may become 0, and what too large?",
        "Comparing arrays gives True and False, and their sum counts: `((gold == 1) & (predicted == 0)).sum()` is fn. Turn each "
        "count into a `float` or an `int` of Python's own.",
        "`tp = int(((gold == 1) & (predicted == 1)).sum())`, and so on. Multiply the four sums to `below`. Return 0.0 if it is "
        "0, else `(tp * tn - fp * fn) / math.sqrt(below)`."),
    "opposite_verdicts": (
        "Let one label be rare. What do accuracy and Matthews say of a model that never gives it?",
        "One model never says the rare label. The other one finds it each time, and pays with a few false alarms. How many must "
        "they be, so that its accuracy is low enough?",
        "Take 20 questions, two of them with gold 1. Nothing but zeros is right 18 times. The other model has both ones right, "
        "and each false alarm costs it 0.05 of its accuracy."),
    "parameter_groups": (
        "Three questions for each name, in helpers of their own: is it in the trunk, does it decay, is it frozen?",
        "`name.split(\".\")` gives the parts. Two loops, one in the other, over (True, False) make the four groups in the right "
        "order. With n > 0, frozen is what begins with \"encoder.embeddings.\" or \"encoder.layers.i.\", for i below n.",
        "In the loops: `[name for name in names if trunk(name) == inside and decays(name) == heavy and not frozen(name)]`. If it "
        "is not empty, it makes a group; `inside` decides on its rate, `heavy` on its decay."),
}
