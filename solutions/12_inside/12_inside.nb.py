# %% [markdown] nb="read intro"
# # Unit 12 · Inside BERT: what the layers know, what the heads do
#
# How do we know what a model has learned, and in which layer? The papers on BERT rely on a handful of measures. You
# will write six of them: how much a word's vector depends on its sentence, which part of attention has an effect, how
# important a head is, which sense a word has, what each token contributes, and how much of a probe's success is due to
# the probe itself. You will also find the leaks in a probe, and write a test for the distances in a syntax tree.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `self_similarity` | 4 | 15 | ●○○ |
# | 2 | `effective_attention` | 4 | 25 | ●●● |
# | 3 | `head_importance` | 4 | 15 | ●●○ |
# | 4 | `nearest_sense` | 4 | 20 | ●●○ |
# | 5 | `token_attribution` | 4 | 15 | ●●○ |
# | 6 | `control_selectivity` | 4 | 20 | ●●○ |
# | 7 | `probe_layers`: find three leaks | 3 | 20 | ●●○ |
# | 8 | `test_tree_distances`: write a test | 2 | 10 | ●●○ |
# | 9 | Encoded, and used? (in words) | 2 | 5 | ●●○ |
# | | total | **31** | **145** | |
#
# The finished notebook runs in 2 seconds on two cores; its last cells, which use a model, take about 20 seconds more.
#
# {{how it works}}
#
# **Stuck?** `check.self_similarity.hint()` shows a hint; each further call shows a stronger one, three in all. The
# other exercises have hints, too. You can do the exercises in any order.
#
# **Axes.** **N** is the number of occurrences of words, **L** the layers, **B** the sequences of a batch, **H**
# the heads, **T** the tokens of a sequence, **S** the tokens that are attended to, **K** the size of a head,
# **D** the size of a hidden state.

# %% nb="read imports"
import numpy as np

from minibert.course import unit12 as check
from minibert.course.checks.student_tests import by_name

# %% [markdown] nb="read self_similarity-text"
# ## 1 · How much does a vector depend on its sentence?
# **4 points · 15 minutes · ●○○**
#
# Take a word that occurs in many sentences. If the model gave it the same vector everywhere, all pairs of these vectors
# would have the cosine 1. Ethayarajh (2019, section 3.3) calls the mean cosine the word's **self-similarity** in a
# layer: the lower it is, the more the vector depends on the sentence.
#
# But in the upper layers *any* two vectors are similar: they point into a narrow cone (**anisotropy**). A cosine of 0.6
# means little if it is also 0.6 for two random words. So a baseline is subtracted (section 3.4):
#
# - **self-similarity** of a word: the mean cosine of all pairs of two different occurrences;
# - **baseline**: the mean cosine of all pairs of two different rows of `vectors`, whatever their words (the paper draws
#   such pairs at random).
#
# | | | |
# | --- | --- | --- |
# | `vectors` | (N, D), float | a vector for each occurrence of a word, none of them 0 |
# | `words` | (N,), int | the word of each occurrence |
# | returns | dict | word -> self-similarity minus baseline, for each word that occurs at least twice |
#
# For example, let `vectors` be [[1, 0], [1, 0], [0, 1]] and `words` [7, 7, 3]. The pairs have the cosines 1
# (first and second), 0 and 0, so the baseline is 1/3. Word 7 has one pair, with cosine 1: the result is {7:
# **0.667**}. Word 3 occurs once.
#
# The cosine of two vectors is their dot product, divided by both norms.
#
# <details><summary>Common error</summary>
# Comparing each occurrence with itself. In a table of n x n cosines, the n cells of the diagonal are 1 for every model.
# </details>
# <details><summary>Why not average a word's vectors first?</summary>
# The mean of vectors that point in all directions is short, and the cosine ignores its length. So each vector's cosine
# with the mean says less than the pairs do.
# </details>


# %% nb="solution self_similarity"
def self_similarity(vectors, words):
    """vectors (N, D), words (N,). Returns a dict: word -> mean cosine of its pairs, minus that of all pairs."""
    ### BEGIN SOLUTION
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = unit @ unit.T                                                     # (N, N)

    def mean_of_pairs(rows):
        block, n = cosines[np.ix_(rows, rows)], len(rows)
        return (block.sum() - np.trace(block)) / (n * n - n)
    found = {}
    for word in np.unique(words):
        rows = np.flatnonzero(words == word)
        if len(rows) > 1:
            found[int(word)] = mean_of_pairs(rows) - mean_of_pairs(np.arange(len(words)))
    return found
    ### END SOLUTION


# %% nb="tests self_similarity-visible 2"
check.self_similarity(self_similarity, points=2)

# %% nb="tests self_similarity-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.self_similarity(self_similarity, seed=1213, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read effective_attention-text"
# ## 2 · Which part of attention has an effect?
# **4 points · 25 minutes · ●●●**
#
# A head multiplies its attention weights **A** (T, S) by its values **V** (S, K). A text of S = 100 tokens has
# 100 values of K = 64 numbers each. So there are directions x of 100 numbers with **x V = 0**: if you add one of
# them to a row of A, the output A V stays the same. These directions are the **null space** of V, of dimension
# S - rank V (Brunner et al., 2020, section 3, where the projected values are called T). So A alone does not show what a
# head really does.
#
# The **effective attention** is A without its part in the null space. Everything orthogonal to the null space is the
# space that the *columns* of V span. So project each row of A onto that space.
#
# | | | |
# | --- | --- | --- |
# | `probs` | (H, T, S), float | the attention weights of each head; T and S may differ |
# | `values` | (H, S, K), float | the values of each head; no head has only zeros |
# | returns | (H, T, S), float | the effective attention of each head |
#
# `u, s, v = np.linalg.svd(V, full_matrices=False)` returns in the columns of u orthonormal directions that span the
# space of V's columns, and in s their sizes, the singular values, the largest first. **A size below 1e-8 times the
# largest counts as 0**: its column of u is rounding noise and does not belong to the space. The projection of a row a
# is a U Uᵀ, where U has only the columns that count.
#
# For example, take one head with `probs` [[[0.2, 0.6, 0.2]]] and `values` [[[1], [1], [0]]]: the first two
# tokens have the same value, so only the sum of their weights matters. The result is [[[**0.4, 0.4, 0**]]]. The
# output is 0.8 in both cases.
#
# Effective attention is not a distribution: its rows need not sum to 1, and it may contain negative
# numbers. Do not normalise it.
#
# <details><summary>Common error</summary>
# Projecting onto the space of the <i>rows</i> of V. They have K numbers; the weights of a token have S.
# </details>
# <details><summary>Why is nothing removed in a short text?</summary>
# If a text has no more tokens than a head has numbers, S ≤ K, the columns of V usually span all S dimensions, and the
# null space contains only 0. BERT-base has K = 64, so the two kinds of attention differ from 65 tokens on.
# </details>


# %% nb="solution effective_attention"
def effective_attention(probs, values):
    """probs (H, T, S), values (H, S, K). Returns (H, T, S): probs projected onto the columns of each head's values."""
    ### BEGIN SOLUTION
    heads = []
    for weights, value in zip(probs, values):
        u, sizes, _ = np.linalg.svd(value, full_matrices=False)                 # (S, R), (R,)
        span = u[:, sizes > 1e-8 * sizes[0]]                                    # (S, rank)
        heads.append(weights @ span @ span.T)
    return np.stack(heads)
    ### END SOLUTION


# %% nb="tests effective_attention-visible 2"
check.effective_attention(effective_attention, points=2)

# %% nb="tests effective_attention-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.effective_attention(effective_attention, seed=2389, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read head_importance-text"
# ## 3 · How important is a head?
# **4 points · 15 minutes · ●●○**
#
# One could switch off each head and measure the loss: one run for each of 144 heads. Michel et al. (2019, section 4)
# need a single forward and backward pass. Imagine a factor of 1 on each head's output. The derivative of the loss for
# that factor shows how the loss would change if the head were turned down a little.
#
# For one sequence, the derivative is the sum, over all tokens and all numbers of the head, of **output times gradient**. Then
#
# 1. take its absolute value **for each sequence** (a head matters whether it lowers the loss or raises it),
# 2. take the mean over the sequences of the batch,
# 3. divide each layer's scores by their Euclidean norm, the root of the sum of their squares; if a layer's scores
#    are all 0, leave them.
#
# | | | |
# | --- | --- | --- |
# | `contexts` | (L, B, H, T, K), float | the output of each head, before the heads are concatenated |
# | `gradients` | (L, B, H, T, K), float | the gradient of each sequence's loss for these numbers |
# | returns | (L, H), float | the importance of each head |
#
# For example, take one layer, two sequences, two heads, one token and K = 1. The outputs are all 1; the two heads'
# gradients are 3 and 4 in the first sequence, -3 and 4 in the second. The scores are (3 + 3) / 2 = 3 and (4 + 4) / 2 =
# 4, their norm is 5, and the result is [[**0.6, 0.8**]].
#
# <details><summary>Common error</summary>
# Adding the sequences first, which is what a single <code>backward()</code> for the loss of the whole
# batch does. In the example, the first head's derivatives 3 and -3 would cancel, and a head that matters
# in every sequence would get 0.
# </details>
# <details><summary>Why is each layer divided by its norm?</summary>
# Gradients of lower and upper layers differ in size. Without the norm, pruning might remove one whole layer first. It
# is a rule of thumb, not a law.
# </details>


# %% nb="solution head_importance"
def head_importance(contexts, gradients):
    """contexts, gradients (L, B, H, T, K). Returns (L, H): mean size of each sequence's derivative, by layer of norm 1."""
    ### BEGIN SOLUTION
    derivatives = (contexts * gradients).sum(axis=(3, 4))                       # (L, B, H)
    scores = np.abs(derivatives).mean(axis=1)                                   # (L, H)
    norms = np.linalg.norm(scores, axis=1, keepdims=True)                       # (L, 1)
    return scores / np.where(norms == 0, 1, norms)
    ### END SOLUTION


# %% nb="tests head_importance-visible 2"
check.head_importance(head_importance, points=2)

# %% nb="tests head_importance-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.head_importance(head_importance, seed=3461, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read nearest_sense-text"
# ## 4 · Which sense does a word have?
# **4 points · 20 minutes · ●●○**
#
# *Bank* in "the bank of a river" and in "a bank gave him a loan" should have different vectors. If they do, the sense
# can be found without any training: look for the most similar occurrence of the word whose sense is known, and take its
# sense. This is the nearest-neighbour method, k = 1, of Wiedemann et al. (2019).
#
# Here each occurrence gets its sense from **all others of the same word**:
#
# 1. an occurrence is represented by its hidden states in the **last four layers, concatenated**: 4 D numbers;
# 2. the neighbour is the other occurrence of the same word with the largest cosine;
# 3. the answer is the neighbour's sense, or **-1** if the word occurs only once.
#
# | | | |
# | --- | --- | --- |
# | `layers` | (L, N, D), float | the hidden states of each layer, L at least 4, lowest first; no occurrence has only zeros in the last four |
# | `words` | (N,), int | the word of each occurrence |
# | `senses` | (N,), int | the sense in which it is used, 0 or more. Each word has its own senses: sense 0 of two words is not the same |
# | returns | (N,), int | the sense of the nearest neighbour, or -1 |
#
# For example, let all four layers be [[1, 0], [0, 1], [3, 1], [1, 1]], `words` [5, 5, 5, 6] and `senses` [0, 1, 0,
# 2]. The cosines of word 5 are 0 (occurrences 0 and 1), 0.95 (0 and 2) and 0.32 (1 and 2). So the neighbour of 0 is
# 2, that of 1 is 2, and that of 2 is 0; occurrence 3 is the only one of word 6. The result is [0, 0, 0, **-1**],
# which is wrong only for occurrence 1.
#
# <details><summary>Common error</summary>
# Finding each occurrence itself: nothing is more similar to a vector than the vector itself. The accuracy is
# then 100% for every model.
# </details>
# <details><summary>Why the last four layers?</summary>
# In the BERT paper's comparison of ways to use frozen layers for named entities (table 7), the concatenation of the
# last four was the best. Wiedemann et al. adopted it. Which layers separate senses best may differ from model to model.
# </details>


# %% nb="solution nearest_sense"
def nearest_sense(layers, words, senses):
    """layers (L, N, D); words, senses (N,). Returns (N,): the sense of the most similar other occurrence, or -1."""
    ### BEGIN SOLUTION
    vectors = np.concatenate(list(layers[-4:]), axis=-1)                        # (N, 4 D)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    may = (words[:, None] == words) & ~np.eye(len(words), dtype=bool)           # (N, N)
    nearest = np.where(may, unit @ unit.T, -np.inf).argmax(axis=1)              # (N,)
    return np.where(may.any(axis=1), senses[nearest], -1)
    ### END SOLUTION


# %% nb="tests nearest_sense-visible 2"
check.nearest_sense(nearest_sense, points=2)

# %% nb="tests nearest_sense-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.nearest_sense(nearest_sense, seed=4597, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read token_attribution-text"
# ## 5 · Which tokens contribute to a hidden state?
# **4 points · 15 minutes · ●●○**
#
# The attention of one layer says little about the origin of a hidden state in layer 6: each layer mixes the tokens
# again, and the residual connections pass them on. Brunner et al. (2020, section 5) use the gradient: how does the
# hidden state at t change if the *input* at s changes? This is a matrix of derivatives for each pair of tokens.
#
# - The **contribution** of s to t is the norm of this matrix: the root of the sum of the squares of all its numbers.
# - As a **share**, it is divided by the contributions of all tokens to t.
# - **By distance**: the mean share of all pairs (t, s) with |t - s| = d, for d = 0 (the token itself), 1, ..., T - 1.
#
# | | | |
# | --- | --- | --- |
# | `jacobian` | (T, D, T, E), float | [t, i, s, j] is the derivative of number i of the output at t for number j of the input at s |
# | returns `share` | (T, T), float | row t: the share of each input token in the output at t |
# | returns `by_distance` | (T,), float | the mean share at each distance |
#
# For example, take two tokens and D = E = 1: output 0 has the derivatives 3 and 1 for the two inputs, output 1 has 1
# and 1. The shares are [[0.75, 0.25], [0.5, 0.5]]. At distance 0 the mean is (0.75 + 0.5) / 2 = **0.625**, at distance
# 1 it is (0.25 + 0.5) / 2 = **0.375**.
#
# <details><summary>Common error</summary>
# Calling <code>output[t].sum().backward()</code> and taking the norm of the gradient. This is the gradient of the sum
# of all D numbers, in which positive and negative derivatives cancel. Each number has its own gradient.
# </details>
# <details><summary>Why a mean and not a sum at each distance?</summary>
# A sentence of T tokens has T pairs at distance 0, but only two at distance T - 1. A sum would suggest that near tokens
# matter more even if all shares were equal.
# </details>


# %% nb="solution token_attribution"
def token_attribution(jacobian):
    """jacobian (T, D, T, E). Returns (share (T, T), by_distance (T,))."""
    ### BEGIN SOLUTION
    norms = np.sqrt((jacobian ** 2).sum(axis=(1, 3)))                           # (T, T)
    share = norms / norms.sum(axis=1, keepdims=True)
    t = np.arange(len(share))
    far = np.abs(t[:, None] - t)                                                # (T, T)
    return share, np.array([share[far == d].mean() for d in t])
    ### END SOLUTION


# %% nb="tests token_attribution-visible 2"
check.token_attribution(token_attribution, points=2)

# %% nb="tests token_attribution-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.token_attribution(token_attribution, seed=5639, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read control_selectivity-text"
# ## 6 · Does the model know it, or does the probe learn it?
# **4 points · 20 minutes · ●●○**
#
# A **probe** is a small classifier that is trained on frozen hidden states: if it can separate verbs from nouns, the
# states are said to encode part-of-speech tags. But a probe can also memorise which word has which tag. Hewitt and
# Liang (2019, section 2) measure this with a **control task**: each word gets a random label, the same wherever it
# occurs. A probe that is good at this task has memorised the words, because there is nothing else to learn. The
# **selectivity** of a probe is its accuracy on the real task minus its accuracy on the control task.
#
# You are given this probe:

# %% nb="read probe"
def probe(x, labels, new):
    """Train a linear probe on x (n, D) with labels (n,); return its label for each row of new (m, D)."""
    names = np.unique(labels)
    x, new = (np.c_[rows, np.ones(len(rows))] for rows in (x, new))             # the last column is a bias
    wanted = (labels[:, None] == names).astype(float)                           # (n, C)
    weights = np.linalg.solve(x.T @ x + np.eye(x.shape[1]), x.T @ wanted)       # (D + 1, C)
    return names[(new @ weights).argmax(axis=1)]


# %% [markdown] nb="read control_selectivity-task"
# | | | |
# | --- | --- | --- |
# | `x` | (N, D), float | a vector for each token |
# | `words` | (N,), int | the word of each token, 0 to V - 1 |
# | `labels` | (N,), int | the real task: the label of each token |
# | `behaviour` | (V,), int | the control task: the random label of each *word* |
# | `trained` | (N,), bool | True: the probe is trained on this token |
# | returns | three numbers | the accuracy, the accuracy on the control task, the selectivity |
#
# Both probes are trained on the tokens where `trained` is True, and both are scored on the same tokens: those that are
# **not trained on, but whose word is**. (The random label of a new word cannot be known. The paper includes new words,
# too.) There is at least one such token. The accuracy is the share of right labels, 0 to 1.
#
# For example, let x be [-2, 2, -2, 2] (D = 1), the words 0, 1, 0, 1, the labels 5, 6, 5, 6, and the first two tokens
# the training tokens. The probe is right on both others. If `behaviour` is [6, 6], it is also right on the control
# task, so the result is (**1, 1, 0**): this task shows nothing.
#
# <details><summary>Common error</summary>
# Giving each <i>token</i> a random label. Then nothing can be learned at all, and the control accuracy is pure chance.
# </details>
# <details><summary>Why not simply compare with a model of random weights?</summary>
# Do that as well. It answers another question: random weights still distinguish words, so a probe learns a lot from
# them. The control task measures how much <i>this</i> probe can memorise from <i>these</i> vectors.
# </details>


# %% nb="solution control_selectivity"
def control_selectivity(x, words, labels, behaviour, trained):
    """x (N, D); words, labels (N,) int; behaviour (V,) int; trained (N,) bool. Returns (accuracy, control, selectivity)."""
    ### BEGIN SOLUTION
    tested = ~trained & np.isin(words, words[trained])

    def accuracy(wanted):
        return (probe(x[trained], wanted[trained], x[tested]) == wanted[tested]).mean()
    right, control = accuracy(labels), accuracy(behaviour[words])
    return right, control, right - control
    ### END SOLUTION


# %% nb="tests control_selectivity-visible 2"
check.control_selectivity(control_selectivity, points=2)

# %% nb="tests control_selectivity-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.control_selectivity(control_selectivity, seed=6733, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read probe_layers-text"
# ## 7 · Find three leaks
# **3 points · 20 minutes · ●●○**
#
# In which layer are part-of-speech tags easiest to read? A colleague probes all layers and reports the best one
# with its accuracy on held-out text. Her numbers are too good: in three places, information about the held-out
# text leaks into the probe.
#
# | | | |
# | --- | --- | --- |
# | `layers` | (L, N, D), float | the hidden states of N tokens in each layer |
# | `tags` | (N,), int | the tag of each token |
# | `sentence` | (N,), int | the number of the sentence that the token is in |
# | returns | (int, float) | the chosen layer, counted from 0, and its accuracy on the test part |
#
# This is what she wants to do: sentences whose number, divided by 5, leaves a remainder of 0, 1 or 2 are for training,
# 3 is for validation, 4 for testing. Each number of a vector is standardised: its mean is subtracted, and it is divided
# by its standard deviation. The layer is chosen on the validation part, the first one if several
# are equally good. `probe` of exercise 6 is correct.

# %% nb="read broken-probe_layers"
def broken_probe_layers(layers, tags, sentence):
    part = np.arange(len(tags)) % 5
    train, validation, test = (np.isin(part, some) for some in ((0, 1, 2), (3,), (4,)))     # (N,) bool each

    def accuracy(x, on):
        x = (x - x.mean(axis=0)) / x.std(axis=0)                                # (N, D)
        return float((probe(x[train], tags[train], x[on]) == tags[on]).mean())
    best = int(np.argmax([accuracy(x, test) for x in layers]))
    return best, accuracy(layers[best], test)


# %% [markdown] nb="read probe_layers-examine"
# Examine it. Which properties should it have if nothing leaks, and which of them does it have?

# %% nb="read probe_layers-examined"
check.probe_layers.examine(broken_probe_layers)

# %% [markdown] nb="read probe_layers-mend"
# Copy the function's body into `probe_layers`, and fix it. You can examine `probe_layers` as often as you like.
# {{each bug}}
#
# <details><summary>Hint</summary>
# Go through the function line by line, and ask of each line: which tokens does it use, and which may it use?
# </details>
# <details><summary>Why is a token not held out if its sentence is not?</summary>
# Hidden states of one sentence share their context, so they are more similar than those of two sentences. A probe that
# has seen a token's neighbours has seen a good deal of the token, too.
# </details>
# <details><summary>Why is choosing a layer on the test part a leak?</summary>
# The best of several noisy numbers is too high, even if all layers are equally good. A choice must be evaluated on text
# that did not influence it.
# </details>


# %% nb="solution probe_layers"
def probe_layers(layers, tags, sentence):
    """layers (L, N, D); tags, sentence (N,) int. Returns (the chosen layer, its accuracy on the test part)."""
    ### BEGIN SOLUTION
    part = sentence % 5
    train, validation, test = (np.isin(part, some) for some in ((0, 1, 2), (3,), (4,)))     # (N,) bool each

    def accuracy(x, on):
        x = (x - x[train].mean(axis=0)) / x[train].std(axis=0)                  # (N, D)
        return float((probe(x[train], tags[train], x[on]) == tags[on]).mean())
    best = int(np.argmax([accuracy(x, validation) for x in layers]))
    return best, accuracy(layers[best], test)
    ### END SOLUTION


# %% nb="tests probe_layers-1 1"
check.probe_layers.bug(1)(probe_layers)
### BEGIN HIDDEN TESTS
check.probe_layers.bug(1)(probe_layers, seed=7841, hidden=True)
### END HIDDEN TESTS

# %% nb="tests probe_layers-2 1"
check.probe_layers.bug(2)(probe_layers)
### BEGIN HIDDEN TESTS
check.probe_layers.bug(2)(probe_layers, seed=8923, hidden=True)
### END HIDDEN TESTS

# %% nb="tests probe_layers-3 1"
check.probe_layers.bug(3)(probe_layers)
### BEGIN HIDDEN TESTS
check.probe_layers.bug(3)(probe_layers, seed=9931, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-text"
# ## 8 · Write a test
# **2 points · 10 minutes · ●●○**
#
# The structural probe of Hewitt and Manning (2019, section 2) asks whether a model contains whole syntax trees: it
# learns a map after which the distances between vectors are the **distances between words in the dependency tree**, the
# number of edges on the path from one to the other. A function `tree_distances(parents)` computes these distances:
#
# | | | |
# | --- | --- | --- |
# | `parents` | list of int | for each word the position of its head, counted from 0; -1 for the single root; the list is not changed |
# | returns | (T, T), a table of numbers | the number of edges between any two words |
#
# For example, *the dog barked*: the head of *the* is *dog*, the head of *dog* is *barked*, which is the root. So
# `tree_distances([1, 2, -1])` is [[0, 1, 2], [1, 0, 1], [2, 1, 0]].
#
# You do not write `tree_distances`, but a test for it: `test_tree_distances` gets a function that claims to be
# `tree_distances`. If the function is right, the test does nothing; if it is wrong, the test fails at an `assert`:
#
# `assert np.array_equal(tree_distances([1, -1]), [[0, 1], [1, 0]]), "one edge"`
#
# The check gives your test right versions, which it must accept, and wrong ones, which it must catch. Some of the wrong
# ones are tried only after you hand in. Think of what may go wrong: where is the root, how deep is the tree, where do
# two words meet? Keep the line `@by_name`: the check needs it to pass its versions to your test.
#
# <details><summary>Common error</summary>
# Testing only a chain like the one above, in which the distance in the tree equals the distance in the text.
# </details>
# <details><summary>Why <code>np.array_equal</code> and not <code>==</code>?</summary>
# For two arrays, <code>==</code> returns an array, and an <code>assert</code> cannot decide whether it is true.
# Besides, a right version may return 2.0 for 2: <code>np.array_equal</code> accepts both.
# </details>


# %% nb="solution test"
@by_name
def test_tree_distances(tree_distances):
    """Fail at an assert unless tree_distances(parents) is the table of the edges between any two words."""
    ### BEGIN SOLUTION
    parents = [2, 0, -1, 2, 3, 3, 5]        # words 4 and 5 meet at 3, below the root 2; the head of 1 is 0
    expected = [[0, 1, 1, 2, 3, 3, 4],
                [1, 0, 2, 3, 4, 4, 5],
                [1, 2, 0, 1, 2, 2, 3],
                [2, 3, 1, 0, 1, 1, 2],
                [3, 4, 2, 1, 0, 2, 3],
                [3, 4, 2, 1, 2, 0, 1],
                [4, 5, 3, 2, 3, 1, 0]]
    assert np.array_equal(tree_distances(parents), expected), "a tree of seven words"
    assert parents == [2, 0, -1, 2, 3, 3, 5], "parents has changed"
    ### END SOLUTION


# %% nb="tests test-visible 1"
check.test_tree_distances(test_tree_distances, points=1)

# %% nb="tests test-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_tree_distances(test_tree_distances, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-text"
# ## 9 · Encoded, and used?
# **2 points · 5 minutes · ●●○**
#
# A probe reads the number of a verb's subject (singular or plural) from layer 4, with an accuracy of 95% and a high
# selectivity. Someone concludes: "the model uses the number when it predicts the next words". Explain in two or three
# sentences why this does not follow, and describe one experiment that would show whether the model uses it.
#
# <details><summary>Hint</summary>
# The probe reads the hidden state. What else would have to read it?
# </details>

# %% [markdown] nb="manual why 2"
# The probe shows that the number can be read from the hidden states, not that any later layer reads it: it may be
# there as a by-product of something else. To find out, one has to change the model: remove the directions from
# which the probe reads the number (so that no linear probe finds it any more), let the upper layers continue from
# there, and see whether the model's predictions get worse, and those of verbs more than if the same number of
# random directions is removed.
#
# **Mark scheme.** 1 point: what a probe can read need not be used by the model (encoded is not used). 1
# point: an intervention on the model with a comparison: remove or change the information and measure the
# predictions. "Look at the attention weights" is not an intervention: no point for it. The control with
# random directions is good but not needed.

# %% [markdown] nb="read try-text"
# ## Your functions inside a model that knows English
#
# Now apply your functions to a real model of 6 layers with 12 heads each. There are no points for this. (The model is
# loaded first, which takes up to a minute.) First, the word *bank*. Think before you run: in which layer will the two
# senses be easiest to separate, and will the vectors of a word get more or less similar from layer to layer?

# %%
import minibert
import torch
from minibert.data.batch import pack
from minibert.model import Encoder, split_heads

english = minibert.load("english")
plain = Encoder(english.config).eval()          # the encoder to read: it returns the attention weights, too
plain.load_state_dict(english.encoder.state_dict())
english.model.encoder = plain
words, specials, L = english.tokenizer, english.tokenizer.specials, english.config.num_hidden_layers


def seen(text):
    ids, types = (torch.tensor(x)[None] for x in pack(words.encode(text).ids, None, specials))      # (1, T) each
    return ids, torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool), types


def states(text):
    """Return the tokens of a text and their hidden states (L + 1, T, D)."""
    inputs = seen(text)
    with torch.no_grad():
        return inputs[0][0].tolist(), torch.stack(english.encoder(*inputs)["layers"])[:, 0].numpy()


told = [(0, "He sat on the bank and watched the river."), (0, "Reeds grow along the bank of the stream."),
        (0, "The boat was tied up at the bank."), (0, "She swam across the river to the other bank."),
        (1, "She put her money in the bank."), (1, "The bank gave him a loan for the house."),
        (1, "He works as a clerk in a bank."), (1, "The bank raised its interest rates.")]
bank, = words.encode("bank").ids
read = [states(text) for _, text in told]
layers = np.stack([hidden[:, tokens.index(bank)] for tokens, hidden in read], axis=1)       # (L + 1, N, D)
senses = np.array([sense for sense, _ in told])
found = nearest_sense(layers, np.zeros(len(told), int), senses)
print(f"the last four layers: {(found == senses).sum()} of {len(told)} senses right")
for layer in range(L + 1):
    tokens = np.array([token for tokens, _ in read for token in tokens[1:-1]])
    vectors = np.concatenate([hidden[layer, 1:-1] for _, hidden in read])
    alone = nearest_sense(np.repeat(layers[layer:layer + 1], 4, axis=0), np.zeros(len(told), int), senses)
    of_bank = self_similarity(vectors, tokens)[bank]
    print(f"layer {layer}: {(alone == senses).sum()} of {len(told)} right; self-similarity of bank, above the baseline: {of_bank:.2f}")

# %% [markdown]
# How much of attention has an effect? The text below has more tokens than a head has numbers, so there is a null
# space. And which input tokens contribute to a hidden state? (To save time, only the first 12 numbers of each
# output are differentiated.)

# %%
text = ("The old lighthouse keeper climbed the stairs every evening, lit the lamp, wrote the weather into his book, and looked "
        "out over the sea, where the fishing boats were coming home one after the other before the storm began to rise.")
inputs = seen(text)
with torch.no_grad():
    out = english.encoder(*inputs)
H, T = english.config.num_attention_heads, inputs[0].shape[1]
for layer in range(L):
    attention = english.encoder.layers[layer].attention
    with torch.no_grad():
        values = split_heads(attention.value(out["layers"][layer]), H)[0].double().numpy()         # (H, T, K)
    probs = out["probs"][layer][0].double().numpy()                                                 # (H, T, T)
    effective = effective_attention(probs, values)
    alike = [np.corrcoef(a.ravel(), e.ravel())[0, 1] for a, e in zip(probs, effective)]
    print(f"layer {layer + 1}: {T} tokens, {values.shape[-1]} numbers in a head; correlation of raw and effective attention "
          f"{np.mean(alike):.2f}")

ids, visible, types = seen("The dog ran home because it was afraid.")
embedded = english.encoder.embeddings(ids, types).detach()


def first_numbers(x, upper):
    for layer in english.encoder.layers[:upper]:
        x, _ = layer(x, visible)
    return x[0, :, :12]                                                                            # (T, 12)


for upper in (1, L // 2, L):
    jacobian = torch.autograd.functional.jacobian(lambda x, upper=upper: first_numbers(x, upper), embedded)[:, :, 0]
    _, by_distance = token_attribution(jacobian.double().numpy())
    print(f"layer {upper}: the token itself {by_distance[0]:.0%}, a neighbour {by_distance[1]:.0%}, "
          f"a token 5 places away {by_distance[5]:.0%}")

# %% [markdown]
# Which heads does the model need? Some words are masked, and each sentence's loss is propagated back to the outputs
# of the heads. Then the six most important heads are switched off, and the six least important ones. Guess first: how
# much does the loss change?

# %%
texts = ["The cat sat on the mat and slept.", "She opened the window to let the air in.", "He drank a cup of tea before breakfast.",
         "The train was late because of the snow.", "They planted a tree in front of the house."]
T = min(seen(text)[0].shape[1] for text in texts)
contexts, gradients, kept = [], [], []
hooks = [layer.attention.out.register_forward_pre_hook(lambda module, args: kept.append(args[0]) or args[0].retain_grad())
         for layer in english.encoder.layers]


def loss_of(text, gate=None):
    ids, visible, types = seen(text)
    places = torch.arange(ids.shape[1])[1:-1][2::4]
    logits = english.model(ids.index_fill(1, places, specials.mask), visible, types, **({} if gate is None else {"gate": gate}))["tokens"]
    return torch.nn.functional.cross_entropy(logits[0, places], ids[0, places])


for text in texts:
    kept.clear()
    loss_of(text).backward()
    for name, arrays in (("context", contexts), ("gradient", gradients)):
        tensors = [(x if name == "context" else x.grad).detach() for x in kept]
        arrays.append(np.stack([split_heads(x, H)[0, :, :T].numpy() for x in tensors]))            # (L, H, T, K)
for hook in hooks:
    hook.remove()
importance = head_importance(np.stack(contexts, 1), np.stack(gradients, 1))                        # (L, H)
order = np.argsort(importance, axis=None)
for name, off in (("all heads", []), ("without the six most important", order[-6:]), ("without the six least important", order[:6])):
    gate = torch.ones(L * H)
    gate[torch.tensor(list(off), dtype=torch.long)] = 0
    with torch.no_grad():
        print(f"{name:34s}loss of the masked words {np.mean([loss_of(text, gate.view(L, H)).item() for text in texts]):.2f}")

# %% [markdown]
# And what do the layers encode of part-of-speech tags? The sentences come from the generated language, whose
# tags are known. The probe is that of exercise 6, so the control task shows how much it memorises. The last
# rows are for random weights.

# %%
from minibert.generated import World
from minibert.generated.labels.syntax import tagged_sentences

text = list(tagged_sentences(World(7), 25, seed=1, split="train"))[:150]


def probed(encoder):
    """Return the vectors of all words in each layer, (L + 1, N, D): for each word, that of its first token."""
    found = []
    for sentence in text:
        encoding = words.encode_words([word.form for word in sentence])
        ids, types = (torch.tensor(x)[None] for x in pack(encoding.ids, None, specials))
        with torch.no_grad():
            out = encoder(ids, torch.ones(1, ids.shape[1], ids.shape[1], dtype=torch.bool), types)
        first = [1 + encoding.words.index(number) for number in range(len(sentence))]
        found.append(torch.stack(out["layers"])[:, 0, first].double().numpy())
    return np.concatenate(found, axis=1)


forms, form = np.unique([word.form.lower() for sentence in text for word in sentence], return_inverse=True)
_, tags = np.unique([word.upos for sentence in text for word in sentence], return_inverse=True)
number = np.repeat(np.arange(len(text)), [len(sentence) for sentence in text])
behaviour = np.random.default_rng(0).integers(tags.max() + 1, size=len(forms))
torch.manual_seed(0)
for name, encoder in (("trained", english.encoder), ("random weights", Encoder(english.config).eval())):
    vectors = probed(encoder)
    for layer in (0, L // 2, L):
        right, control, selectivity = control_selectivity(vectors[layer], form, tags, behaviour, number % 5 < 3)
        print(f"{name:16s}layer {layer}: tags {right:.0%}, control task {control:.0%}, selectivity {selectivity:.2f}")
    best, accuracy = probe_layers(vectors, tags, number)
    print(f"{name:16s}layer {best} is chosen on the validation part, and has {accuracy:.0%} on the test part")

# %% [markdown] nb="read end"
# ## Done
#
# You have written six measures that the papers on BERT rely on, and you know how each of them can mislead. In the
# package, the same functions are in `minibert/analysis/definitions.py`, and everything that is built on them is
# in `minibert/analysis/`.
#
# **Before you hand in**: restart the kernel and run all cells, or let `minibert doctor` check your notebook.
#
# **Further reading**: Rogers, Kovaleva and Rumshisky (2020), *A primer in BERTology*, [arXiv
# 2002.12327](https://arxiv.org/abs/2002.12327), a map of what is known. Ethayarajh (2019), *How contextual are contextualized
# word representations?*, [arXiv 1909.00512](https://arxiv.org/abs/1909.00512), section 3. Brunner et al. (2020), *On
# identifiability in Transformers*, [arXiv 1908.04211](https://arxiv.org/abs/1908.04211), sections 3 and 5. Michel et al.
# (2019), *Are sixteen heads really better than one?*, [arXiv 1905.10650](https://arxiv.org/abs/1905.10650), section 4.
# Wiedemann et al. (2019), *Does BERT make any sense?*, [arXiv 1909.10430](https://arxiv.org/abs/1909.10430). Hewitt and Liang
# (2019), *Designing and interpreting probes with control tasks*, [arXiv 1909.03368](https://arxiv.org/abs/1909.03368),
# section 2. Hewitt and Manning (2019), *A structural probe for finding syntax in word representations*, [ACL
# anthology](https://aclanthology.org/N19-1419/).
