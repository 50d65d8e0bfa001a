"""Three hints for each exercise of unit 12, from a nudge to almost the whole line.

`check.NAME.hint()` shows the next one.
"""

HINTS = {
    "self_similarity": (
        "Make all cosines first, as one table with a row and a column for each occurrence. Which of its "
        "cells belong to a word, and which of these are pairs of two different occurrences?",
        "`unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)`, and `unit @ unit.T` is the "
        "table. A block of n rows and columns has n n cells; n of them are i = j.",
        "For a block `s` of n occurrences, the mean is `(s.sum() - np.trace(s)) / (n * n - n)`. The baseline "
        "is the same of the whole table.",
    ),
    "effective_attention": (
        "What can be seen of a head's weights in its output A V? Which direction of a row of A would V send "
        "to 0?",
        "`u, s, _ = np.linalg.svd(V, full_matrices=False)`: the columns of u whose singular value is not 0 "
        "span the space of V's columns. Everything at right angles to them is the null space.",
        "For each head: `span = u[:, s > 1e-8 * s[0]]`, and the effective attention is `A @ span @ span.T`.",
    ),
    "head_importance": (
        "Put a factor on a head's output. How does the loss of one sequence change with it? That is one "
        "number for each layer, sequence and head.",
        "The derivative is the sum of `contexts * gradients` over the last two axes. Then the absolute "
        "value, then the mean over the sequences, then the norm of each layer.",
        "`scores = np.abs((contexts * gradients).sum((3, 4))).mean(1)`, and `norms = np.linalg.norm(scores, "
        "axis=1, keepdims=True)`. Where a norm is 0, divide by 1.",
    ),
    "nearest_sense": (
        "Which occurrences may answer for occurrence i? Those of the same word, but for i itself. Make that "
        "a table of True and False.",
        "`np.concatenate(list(layers[-4:]), axis=-1)` puts the layers side by side. Make cosines of that, "
        "set all that may not answer to -np.inf, and take the argmax of each row.",
        "`may = (words[:, None] == words) & ~np.eye(N, dtype=bool)`, then `nearest = np.where(may, cosines, "
        "-np.inf).argmax(1)`, and -1 where `may` has no True in its row.",
    ),
    "token_attribution": (
        "For one output t and one input s there are D times E derivatives. Make one number of them first.",
        "The norm is `np.sqrt((jacobian ** 2).sum((1, 3)))`, which is (T, T). Divide each row by its sum, "
        "with `keepdims=True`. The distances are a table, too: |t - s|.",
        "`t = np.arange(T)`, `far = abs(t[:, None] - t)`, and `by_distance = np.array([share[far == "
        "d].mean() for d in t])`.",
    ),
    "control_selectivity": (
        "The same probe is trained twice, on the same tokens. What differs is only what it is to learn. So "
        "write a helper that takes the labels.",
        "The control task's labels are `behaviour[words]`. Score both probes where `~trained` holds and the "
        "word of the token is among `words[trained]`: np.isin says so.",
        "`tested = ~trained & np.isin(words, words[trained])`, and for any labels y the accuracy is `(probe("
        "x[trained], y[trained], x[tested]) == y[tested]).mean()`.",
    ),
    "probe_layers": (
        "Take one sentence of the examination that is BROKEN. Which line of the function looks at tokens "
        "that it should know nothing of?",
        "A leak may be in the split (where is the rest of the sentence?), in the mean and deviation (of "
        "which tokens?), and in the choice of the layer (on which part?).",
        "`part = sentence % 5`; the mean and std of `x[train]`; and the layer is chosen by `accuracy(x, "
        "validation)`.",
    ),
    "test_tree_distances": (
        "Draw a tree of five or six words, and write its table of distances down by hand. Which wrong "
        "function would give the same table?",
        "Take a root in the middle, a word whose head is word 0, two words that meet below the root, and two "
        "that are 4 edges apart. And look at `parents` afterwards.",
        "`parents = [2, 0, -1, 2, 3, 3]`: the distance of words 4 and 5 is 2, that of 1 and 4 is 4. Compare "
        "the whole table with `np.array_equal`.",
    ),
}
