"""Three hints for each exercise of unit 12, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "self_similarity": (
        "First compute all cosines, as a table with a row and a column for each occurrence. Which of its "
        "cells belong to a word, and which of these are pairs of two different occurrences?",
        "Divide each vector by its norm; then one matrix product gives the table of all cosines. A block of "
        "n rows and columns has n n cells; n of them are i = j.",
        "`unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)`, and the table is `unit @ "
        "unit.T`. For a block `s` of n occurrences, the mean is `(s.sum() - np.trace(s)) / (n * n - n)`. The "
        "baseline is the same mean over the whole table.",
    ),
    "effective_attention": (
        "How much of a head's weights A is visible in its output A V? Which directions of "
        "a row of A does V map to 0?",
        "Take the singular value decomposition of V, with `full_matrices=False`: the columns "
        "of u whose singular value is not 0 span the space of V's columns. Everything "
        "orthogonal to them is the null space.",
        "For each head: `u, s, _ = np.linalg.svd(V, full_matrices=False)`, `span = u[:, s > 1e-8 * s[0]]`, "
        "and the effective attention is `A @ span @ span.T`.",
    ),
    "head_importance": (
        "Imagine a factor on a head's output. How does the loss of one sequence change with it? That is one "
        "number for each layer, sequence and head.",
        "The derivative is the sum of `contexts * gradients` over the last two axes. Then take the absolute "
        "value, then the mean over the sequences, then divide by each layer's norm.",
        "`scores = np.abs((contexts * gradients).sum((3, 4))).mean(1)`, and `norms = np.linalg.norm(scores, "
        "axis=1, keepdims=True)`. If a norm is 0, divide by 1.",
    ),
    "nearest_sense": (
        "Which occurrences may be the neighbour of occurrence i? All of the same word, except i itself. Make "
        "a table of True and False for this.",
        "Concatenate the last four layers along the last axis. Compute the cosines of these vectors, set "
        "those that are not allowed to -inf, and take the argmax of each row.",
        "`vectors = np.concatenate(list(layers[-4:]), axis=-1)`, `may = (words[:, None] == words) & "
        "~np.eye(N, dtype=bool)`, then `nearest = np.where(may, cosines, -np.inf).argmax(1)`, and -1 if "
        "`may` has no True in its row.",
    ),
    "token_attribution": (
        "One output t and one input s have D times E derivatives. First turn these into a single number.",
        "The norm is the root of the sum of squares over the axes 1 and 3, which leaves a (T, T) table. "
        "Divide each row by its sum, with `keepdims=True`. The distances are a (T, T) table, too: |t - s|.",
        "`norms = np.sqrt((jacobian ** 2).sum((1, 3)))`, `t = np.arange(T)`, `far = abs(t[:, None] - t)`, "
        "and `by_distance = np.array([share[far == d].mean() for d in t])`.",
    ),
    "control_selectivity": (
        "The same kind of probe is trained twice, on the same tokens. Only the labels differ. So write a "
        "helper function that takes the labels.",
        "The control task's labels are `behaviour[words]`. Score both probes on the tokens that are not "
        "`trained` and whose word is among `words[trained]`; np.isin finds these.",
        "`tested = ~trained & np.isin(words, words[trained])`, and for any labels y the accuracy is `(probe("
        "x[trained], y[trained], x[tested]) == y[tested]).mean()`.",
    ),
    "probe_layers": (
        "Take one BROKEN line of the examination. Which line of the function uses tokens that it "
        "should know nothing about?",
        "There may be a leak in the split (where are the other tokens of the sentence?), in the mean and "
        "standard deviation (of which tokens?), and in the choice of the layer (on which part?).",
        "Use `part = sentence % 5` and the mean and std of `x[train]`, and choose the layer by "
        "`accuracy(x, validation)`.",
    ),
    "test_tree_distances": (
        "Draw a tree of five or six words, and write down its table of distances. Which wrong function "
        "would give the same table?",
        "Use a root in the middle, a word whose head is word 0, two words that meet below the root, and two "
        "that are 4 edges apart. And look at `parents` afterwards.",
        "With `parents = [2, 0, -1, 2, 3, 3]`, the distance between words 4 and 5 is 2, and that between 1 "
        "and 4 is 4. Compare the whole table with `np.array_equal`.",
    ),
}
