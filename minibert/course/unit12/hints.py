"""Hints for the exercises of unit 12, from a first idea to nearly complete code."""

HINTS = {
    "self_similarity": (
        "First compute all cosines, as a table with a row and a column for each occurrence. Which cells "
        "belong to one word, and which of these cells are pairs of two different occurrences?",
        "Divide each vector by its norm. Then a single matrix product gives the table of all cosines. A "
        "block of n rows and columns has n n cells, and i = j in n of them.",
        "With `unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)`, the table is `unit @ "
        "unit.T`. For a block `s` of n occurrences, the mean is `(s.sum() - np.trace(s)) / (n * n - n)`. The "
        "baseline is the same mean over the whole table.",
    ),
    "effective_attention": (
        "Which part of a head's weights A affects its output A V? Which directions of a row of A does V map "
        "to 0?",
        "Take the singular value decomposition of V, with `full_matrices=False`. The columns of u whose "
        "singular value is not 0 span the column space of V. Everything orthogonal to them is the null "
        "space.",
        "For each head, use `u, s, _ = np.linalg.svd(V, full_matrices=False)` and `span = u[:, s > 1e-8 * "
        "s[0]]`. The effective attention is `A @ span @ span.T`.",
    ),
    "head_importance": (
        "Imagine that a head's output is multiplied by a factor. What is the derivative of one sequence's "
        "loss for this factor? It is one number for each layer, sequence and head.",
        "The derivative is the sum of `contexts * gradients` over the last two axes. Take its absolute "
        "value, then the mean over the sequences. Then divide by the norm of each layer.",
        "Use `scores = np.abs((contexts * gradients).sum((3, 4))).mean(1)` and `norms = "
        "np.linalg.norm(scores, axis=1, keepdims=True)`. If a norm is 0, divide by 1 instead.",
    ),
    "nearest_sense": (
        "Which occurrences may be the neighbour of occurrence i? All occurrences of the same word, except i "
        "itself. Make a table of True and False for this.",
        "Concatenate the last four layers along the last axis. Compute the cosines of these vectors, set the "
        "cosines that are not allowed to -inf, and take the argmax of each row.",
        "Use `vectors = np.concatenate(list(layers[-4:]), axis=-1)`, `may = (words[:, None] == words) & "
        "~np.eye(N, dtype=bool)` and `nearest = np.where(may, cosines, -np.inf).argmax(1)`. Return -1 where "
        "a row of `may` has no True.",
    ),
    "token_attribution": (
        "One output t and one input s have D times E derivatives. First combine these into a single number.",
        "The norm is the square root of the sum of squares over axes 1 and 3, which leaves a (T, T) table. "
        "Divide each row by its sum, with `keepdims=True`. The distances |t - s| form another (T, T) table.",
        "Use `norms = np.sqrt((jacobian ** 2).sum((1, 3)))`, `t = np.arange(T)`, `far = abs(t[:, None] - "
        "t)`, and `by_distance = np.array([share[far == d].mean() for d in t])`.",
    ),
    "control_selectivity": (
        "You train the same kind of probe twice, on the same tokens. Only the labels differ, so write a "
        "helper function that takes the labels.",
        "The labels of the control task are `behaviour[words]`. Score both probes on the tokens for which "
        "`trained` is False and whose word is among `words[trained]`; np.isin finds these words.",
        "Use `tested = ~trained & np.isin(words, words[trained])`. For any labels y, the accuracy is "
        "`(probe(x[trained], y[trained], x[tested]) == y[tested]).mean()`.",
    ),
    "probe_layers": (
        "Start with one rule that is reported as BROKEN. Which line of the function uses tokens that it "
        "should not know?",
        "There may be a leak in the split (where are the other tokens of a sentence?), in the mean and "
        "standard deviation (over which tokens?), and in the choice of the layer (on which part?).",
        "Use `part = sentence % 5`, use the mean and std of `x[train]`, and choose the layer by `accuracy(x, "
        "validation)`.",
    ),
    "test_tree_distances": (
        "Draw a tree of five or six words, and write down its table of distances. Which wrong version would "
        "return the same table?",
        "Use a root in the middle, a word whose head is word 0, two words that meet below the root, and two "
        "words that are 4 edges apart. Also check `parents` afterwards.",
        "For `parents = [2, 0, -1, 2, 3, 3]`, the distance between words 4 and 5 is 2, and the distance "
        "between words 1 and 4 is 4. Compare the whole table with `np.array_equal`. Then assert that "
        "`parents` still equals the list that you wrote.",
    ),
}
