# %% [markdown] nb="read intro"
# # Unit 04 · Objectives: what BERT predicts, and what a wrong prediction costs
#
# BERT learned from two questions: *which token was here?* and *does this sentence follow that one?* You will write the
# loss for each, a test, and the code that draws sentence pairs from documents, which has its pitfalls. Then you will
# write the pairs of ALBERT, which ask about the order, and those of StructBERT, which ask about both. Each function is
# a few lines of NumPy.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `mlm_loss` | 5 | 20 | ●●○ |
# | 2 | Find the bug | 2 | 10 | ●●○ |
# | 3 | Write a test | 2 | 15 | ●●○ |
# | 4 | `nsp_loss` | 2 | 5 | ●○○ |
# | 5 | Find three more bugs | 3 | 20 | ●●○ |
# | 6 | `nsp_examples` | 5 | 25 | ●●● |
# | 7 | `sop_examples` | 4 | 15 | ●●○ |
# | 8 | `structbert_examples` | 4 | 20 | ●●○ |
# | 9 | Why is 98% suspicious? (in words) | 2 | 10 | ●○○ |
# | | total | **29** | **140** | |
#
# The finished notebook runs in 2 seconds on two cores. Its last cell, which uses a model, takes a few more.
#
# {{how it works}}
#
# **Stuck?** Run `check.mlm_loss.hint()` in a new cell to see a hint; run it again for a stronger one, up to three. The
# other functions have hints of the same kind. Common errors are folded below each task. An earlier function that is not
# right yet does not block you: if a later check fails because of it, the check uses our version instead and says so.
#
# **Axes.** In the comments, **B** is the number of sequences in a batch, **T** the number of tokens in a sequence,
# **D** the hidden size and **V** the size of the vocabulary. **Logits** are the scores of a model before the softmax:
# they can be any numbers, and a larger logit means a larger probability.

# %% nb="read imports"
import numpy as np

from minibert.course import unit04 as check
from minibert.course.checks.student_tests import by_name

# %% [markdown] nb="read mlm-loss-text"
# ## 1 · The loss of the masked language model
# **5 points · 20 minutes · ●●○**
#
# At each chosen position, the model gives a score to every token of the vocabulary. The softmax turns the scores into
# probabilities; the loss of the position is $-\log p$ of the original token, with the natural logarithm. Write
# `mlm_loss`: the mean over all positions that have a label. A position without a label, such as padding or a token that
# was not chosen, has -100. It must not count in the sum, nor in the number by which you divide.
#
# | | shape | |
# | --- | --- | --- |
# | `logits` | (B, T, V), float | the model's scores |
# | `labels` | (B, T), int | the original id, from 0 to V - 1, or -100 for no label; at least one position has a label |
# | returns | one number | the mean loss |
#
# Take care of two things. First, logits may be large (1,000 and more), and a token may be so unlikely that its
# probability is rounded to 0: neither may give `nan` or `inf`. Second, do not change the inputs.
#
# <details><summary>Common error</summary>
# Using -100 as an index: in Python, negative indices count from the end. Or summing over the right positions, and then
# dividing by B x T.
# </details>
# <details><summary>Why one mean, and not the mean of each sequence first?</summary>
# Then a sequence with one chosen token would count as much as a sequence with fifty, so its single token would count
# fifty times as much as each of those.
# </details>


# %% nb="solution mlm-loss"
def mlm_loss(logits, labels):
    """logits (B, T, V), labels (B, T) int, with -100 for no label. Return the mean of -log p, a number."""
    ### BEGIN SOLUTION
    counted = labels != -100                                                    # (B, T)
    logits, labels = logits[counted], labels[counted]                           # (N, V), (N,)
    logits = logits - logits.max(axis=-1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))     # (N, V)
    return -log_probs[np.arange(len(labels)), labels].mean()
    ### END SOLUTION


# %% nb="tests mlm-loss-visible 3"
check.mlm_loss(mlm_loss, points=3)

# %% nb="tests mlm-loss-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.mlm_loss(mlm_loss, seed=4127, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# A good habit before any training is to compute the loss of a model that knows nothing. It gives all tokens the same
# probability, so the loss must be ln V.

# %%
vocab_size = 30_522
print("a model that knows nothing:", mlm_loss(np.zeros((1, 2, vocab_size)), np.array([[2005, -100]])))
print("ln V:                      ", np.log(vocab_size))

# %% [markdown] nb="read colleague-text"
# ## 2 · Find the bug
# **2 points · 10 minutes · ●●○**
#
# A colleague wrote the same function. Her loss quickly decreases from 10.3 to about 2, and she is very proud. But the
# model cannot predict a single masked token. `[PAD]` has the id 0.

# %% nb="read colleague"
def loss_by_colleague(logits, labels):
    labels = np.where(labels == -100, 0, labels)        # -100 is not an index
    logits = logits - logits.max(axis=-1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return -np.take_along_axis(log_probs, labels[..., None], axis=-1).mean()


# %% [markdown] nb="read colleague-task"
# Her model has learned only one thing: to predict `[PAD]`. At every position it gives `[PAD]` the probability 0.99, and
# divides the remaining 0.01 equally among the 30,521 other tokens. In her data, 15% of the positions were chosen, and
# none of the chosen tokens is `[PAD]`.
#
# Let `colleague_losses` return two numbers with all their digits: the loss of this model according to her function, and
# according to the correct `mlm_loss`.
#
# <details><summary>Another way</summary>
# Measure: make 20 positions, 3 of them chosen, with the logarithms of these probabilities as logits. Then call
# both functions.
# </details>


# %% nb="solution colleague-losses"
def colleague_losses():
    """Return (loss_by_colleague, mlm_loss) of the model that predicts [PAD] everywhere."""
    ### BEGIN SOLUTION
    pad, other = -np.log(0.99), -np.log(0.01 / 30_521)
    return 0.85 * pad + 0.15 * other, other
    ### END SOLUTION


# %% nb="tests colleague-losses-visible 2"
check.colleague_losses(colleague_losses, points=2)

# %% [markdown]
# Compare both with ln V = 10.33, the loss of a model that knows nothing. Her model has become worse than that, although
# her loss decreases.

# %%
hers, truth = colleague_losses()
print(f"her curve: {hers:.2f}   the truth: {truth:.2f}   a model that knows nothing: {np.log(vocab_size):.2f}")

# %% [markdown] nb="read test-text"
# ## 3 · Write a test
# **2 points · 15 minutes · ●●○**
#
# She had no test. Write one that would have caught her bug. `test_mlm_loss` gets a function that claims to be
# `mlm_loss(logits, labels)`, written by anyone. If the function is right, your test does nothing; if it is wrong, an
# `assert` fails:
#
# `assert np.isclose(mlm_loss(np.zeros((1, 1, 4)), np.array([[2]])), np.log(4)), "equal logits: the loss is ln V"`
#
# The check runs your test on right versions, which it must accept, and on wrong ones, which it must catch. Some wrong
# versions are added after you hand in. So think of what must be true of every masked loss. Which loss can you work out
# by hand? What do the positions with -100 contribute? Is id 0 a token? Does a sequence with one label count as much as
# one with two? What happens with logits like 1,000, and with a very unlikely token? Are the inputs unchanged
# afterwards? The check needs the line `@by_name`: leave it there.
#
# <details><summary>Common error</summary>
# Comparing with <code>==</code>. A right version may differ in the last digit because of rounding, or in the seventh if
# it computes in float32: <code>np.isclose</code> allows for both.
# </details>
# <details><summary>Why not use logarithms of probabilities as logits?</summary>
# Their exponentials already sum to 1, so the softmax changes nothing, and a version without a softmax passes. Every
# mistake stays invisible on some inputs: equal logits hide which token is the label, and a single label hides how the
# mean is taken. A good test chooses its inputs so that mistakes become visible.
# </details>


# %% nb="solution test"
@by_name
def test_mlm_loss(mlm_loss):
    """Fail at an assert if mlm_loss(logits, labels) is not the mean of -log p over the labels other than -100."""
    ### BEGIN SOLUTION
    logits = np.log(np.array([[[1, 2, 5], [3, 3, 2], [1, 1, 6]], [[2, 2, 4], [6, 1, 1], [4, 2, 2.0]]]))     # (B, T, V)
    labels = np.array([[2, 0, -100], [-100, 1, -100]])                                                      # (B, T)
    before = logits.copy(), labels.copy()
    assert np.isclose(mlm_loss(logits, labels), -np.mean(np.log([5 / 8, 3 / 8, 1 / 8]))), "by hand"
    assert (logits == before[0]).all() and (labels == before[1]).all(), "an input is changed"
    far = np.array([[[1000.0, 0.0]]])
    assert np.isclose(mlm_loss(far, np.array([[0]])), 0), "large logits, sure and right"
    assert np.isclose(mlm_loss(far, np.array([[1]])), 1000), "large logits, sure and wrong"
    ### END SOLUTION


# %% nb="tests test-visible 1"
check.test_mlm_loss(test_mlm_loss, points=1)

# %% nb="tests test-hidden 1"
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_mlm_loss(test_mlm_loss, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does your test accept your own loss? And does it catch hers?

# %%
test_mlm_loss(mlm_loss)
try:
    test_mlm_loss(loss_by_colleague)
except AssertionError as error:
    print("hers is stopped:", error)

# %% [markdown] nb="read nsp-loss-text"
# ## 4 · The loss of next sentence prediction
# **2 points · 5 minutes · ●○○**
#
# For each pair, the model returns two logits: one for label 0, *B follows A*, and one for label 1, *B comes from
# another document*. (This is BERT's own convention. Some libraries use the opposite, so always check.) Write
# `nsp_loss`: the mean of $-\log p$ of the label, with a softmax over the two logits.
#
# | | shape | |
# | --- | --- | --- |
# | `logits` | (B, 2), float | the model's scores for the labels 0 and 1 |
# | `labels` | (B,), int | 0 or 1; every pair has a label |
# | returns | one number | the mean loss |
#
# Logits may be large, as before. You may call your `mlm_loss`, or write the loss again.
#
# <details><summary>Common error</summary>
# Ignoring label 0, because 0 means padding elsewhere. A well-known BERT implementation did that, with one loss for both
# questions: the model learned nothing from the examples with that label.
# </details>


# %% nb="solution nsp-loss"
def nsp_loss(logits, labels):
    """logits (B, 2), labels (B,): 0 = B follows A, 1 = from another document. Return the mean of -log p, a number."""
    ### BEGIN SOLUTION
    logits = logits - logits.max(axis=-1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))     # (B, 2)
    return -log_probs[np.arange(len(labels)), labels].mean()
    ### END SOLUTION


# %% nb="tests nsp-loss-visible 1"
check.nsp_loss(nsp_loss, points=1)

# %% nb="tests nsp-loss-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.nsp_loss(nsp_loss, seed=9054, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read mend-text"
# ## 5 · Find three more bugs
# **3 points · 20 minutes · ●●○**
#
# Now compute both losses from the hidden states of BERT's last layer. Scores for all 30,522 tokens are expensive, so
# only the positions to predict go through the output layer: like BERT's own code, this function gathers their states
# first. Each sequence has P slots; an unused slot has the label -100.
#
# | | shape | |
# | --- | --- | --- |
# | `hidden` | (B, T, D), float | the hidden state of each token; the first one of each sequence belongs to `[CLS]` |
# | `places` | (B, P), int | for each slot, the position of the token to predict in its sequence, from 0 to T - 1 |
# | `labels` | (B, P), int | the original id, from 0 to V - 1, or -100 if the slot is unused |
# | `row_labels` | (B,), int | 0 = B follows A, 1 = B comes from another document |
# | `weights` | dict | see the next cell; `word.weight` is also the table of the word embeddings: the weights are tied |
# | returns | one number | the sum of two means: the loss of exercise 1 and that of exercise 4 |
#
# (BERT has another small layer before each of the two output layers, which is left out here.)

# %% nb="read mend-weights"
weights = check.head_weights(np.random.default_rng(0), vocab_size=9, hidden_size=4)
{name: weight.shape for name, weight in weights.items()}

# %% [markdown] nb="read mend-broken-text"
# Here is the function, with your own losses inside. It runs, and the loss decreases in training. But it has three bugs.

# %% nb="read broken_pretraining_loss"
def broken_pretraining_loss(hidden, places, labels, row_labels, weights):
    B, T, D = hidden.shape
    asked = hidden.reshape(B * T, D)[places]                                # (B, P, D)
    logits = asked @ weights["word.weight"].T + weights["word.bias"]        # (B, P, V)
    mlm = mlm_loss(logits, labels)
    pooled = hidden.mean(axis=1)                                            # (B, D)
    nsp = nsp_loss(pooled @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
    counted = (labels != -100).sum()
    return (counted * mlm + B * nsp) / (counted + B)                        # every label counts equally


# %% [markdown] nb="read mend-examine"
# Let the check examine it: it tests what must be true of such a loss for any weights, and shows which of these
# properties hold.

# %% nb="read mend-examined"
check.pretraining_loss.examine(broken_pretraining_loss)

# %% [markdown] nb="read mend-task"
# Copy the function's body into `pretraining_loss`, and fix it. You can examine `pretraining_loss` as often as you like.
# {{each bug}}
#
# <details><summary>Common error</summary>
# Writing <code>hidden[:, places]</code>: its shape is (B, B, P, D), the positions of all sequences in each sequence.
# Each sequence needs its own positions: use one index for the sequence, and one for the position.
# </details>
# <details><summary>Why does training not reveal such bugs?</summary>
# The loss decreases with all three. A model can predict frequent tokens without seeing the right state, and the mean of
# all states contains some information about the pair. It even includes the padding: the same pair gets a different
# prediction in a longer batch.
# </details>


# %% nb="solution mend"
def pretraining_loss(hidden, places, labels, row_labels, weights):
    """hidden (B, T, D), places and labels (B, P), row_labels (B,). Return BERT's loss, a number: MLM + NSP."""
    ### BEGIN SOLUTION
    B = len(hidden)
    asked = hidden[np.arange(B)[:, None], places]                           # (B, P, D)
    logits = asked @ weights["word.weight"].T + weights["word.bias"]        # (B, P, V)
    mlm = mlm_loss(logits, labels)
    first = hidden[:, 0]                                                    # (B, D)
    nsp = nsp_loss(first @ weights["nsp.weight"].T + weights["nsp.bias"], row_labels)
    return mlm + nsp
    ### END SOLUTION


# %% nb="tests mend-1 1"
check.pretraining_loss.bug(1)(pretraining_loss)
### BEGIN HIDDEN TESTS
check.pretraining_loss.bug(1)(pretraining_loss, seed=6018, hidden=True)
### END HIDDEN TESTS

# %% nb="tests mend-2 1"
check.pretraining_loss.bug(2)(pretraining_loss)
### BEGIN HIDDEN TESTS
check.pretraining_loss.bug(2)(pretraining_loss, seed=2295, hidden=True)
### END HIDDEN TESTS

# %% nb="tests mend-3 1"
check.pretraining_loss.bug(3)(pretraining_loss)
### BEGIN HIDDEN TESTS
check.pretraining_loss.bug(3)(pretraining_loss, seed=9473, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read nsp-examples-text"
# ## 6 · Pairs for next sentence prediction
# **5 points · 25 minutes · ●●●**
#
# Turn documents into examples: pairs (A, B) with a label. In BERT, a segment consists of several sentences; here it is
# one sentence, but the rules are BERT's. Go through the documents in order, and start each with its first sentence as
# A:
#
# 1. If a sentence follows A in its document, toss a fair coin, separately for each pair. Heads: B is that sentence, and
#    the label is 0. Both sentences are used up: the next A is the sentence **after B**.
# 2. Tails: B is a random sentence of a random **other** document (each other document is equally likely, and so is each
#    of its sentences), and the label is 1. The sentence after A was not used: **it is the next A**.
# 3. If no sentence follows A, do not toss a coin, but apply rule 2. This is always the case in a document with one
#    sentence.
#
# | | | |
# | --- | --- | --- |
# | `docs` | list of at least 2 documents | a document is a list of at least 1 sentence; a sentence is a list of ids |
# | `rng` | NumPy generator | the generator for all draws: `rng.random()` from 0 to 1, `rng.integers(n)` from 0 to n - 1 |
# | returns `rows` | list of pairs (A, B) | A and B are unchanged sentences of `docs` |
# | returns `labels` | list of 0 and 1, one for each pair | 0 = B follows A, 1 = B comes from another document |
#
# You do not need to look inside a sentence, and must not change `docs`. No sentence occurs twice in the documents of
# the check.
#
# <details><summary>Common error</summary>
# Drawing from all documents: then in one of n pairs with label 1 (for n documents), B comes from A's own document, and
# may be the true continuation with the wrong label. Or using <code>doc[i + 1]</code> if nothing follows.
# </details>
# <details><summary>Why is the sentence after A used again after label 1?</summary>
# Otherwise every label 1 would waste the sentence after A, and it could never appear in a pair with label 0.
# </details>


# %% nb="solution nsp-examples"
def nsp_examples(docs, rng):
    """docs: lists of sentences. Return (rows, labels): pairs (A, B), and 0 = B follows A, 1 = from another document."""
    ### BEGIN SOLUTION
    rows, labels = [], []
    for d, doc in enumerate(docs):
        i = 0
        while i < len(doc):
            if i + 1 < len(doc) and rng.random() < 0.5:
                rows.append((doc[i], doc[i + 1]))
                labels.append(0)
                i += 2
            else:
                other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
                rows.append((doc[i], other[rng.integers(len(other))]))
                labels.append(1)
                i += 1
    return rows, labels
    ### END SOLUTION


# %% nb="tests nsp-examples-visible 3"
check.nsp_examples(nsp_examples, points=3)

# %% nb="tests nsp-examples-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.nsp_examples(nsp_examples, seed=7716, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# See what it does with three small documents. (Your function works with words as well as with ids.)

# %%
DOCS = [["the cook wakes up .".split(), "he greets the ladle .".split(), "the soup is hot .".split()],
        ["a storm came .".split(), "the river rose .".split()],
        ["for sale : one cello .".split()]]


def show(rows, labels):
    """Print each pair on a line, with its label."""
    for (a, b), label in zip(rows, labels, strict=True):
        print(int(label), " ".join(a).ljust(24), "|", " ".join(b))


show(*nsp_examples(DOCS, np.random.default_rng()))  # run it several times

# %% [markdown] nb="read sop-examples-text"
# ## 7 · Pairs for sentence order
# **4 points · 15 minutes · ●●○**
#
# ALBERT asks a different question: are the two sentences in the right order? Both come from the same document, so their
# topic is no help. Write `sop_examples`:
#
# 1. Cut each document into pairs of neighbours: sentences 0 and 1, then 2 and 3, and so on. Leave out a single last
#    sentence.
# 2. Toss a fair coin for each pair. Heads: the pair stays in order, with label 0. Tails: swap the two sentences, with
#    label 1.
#
# The arguments and results are the same as for `nsp_examples`. Return the pairs in the order of the text. A document of
# one sentence gives no pair.
#
# <details><summary>Common error</summary>
# Taking sentences 0 and 1, then 1 and 2: then almost every sentence is used twice. Or pairing the last sentence of one
# document with the first of the next.
# </details>


# %% nb="solution sop-examples"
def sop_examples(docs, rng):
    """docs: lists of sentences. Return (rows, labels): pairs of neighbours, and 0 = in order, 1 = swapped."""
    ### BEGIN SOLUTION
    rows, labels = [], []
    for doc in docs:
        for i in range(0, len(doc) - 1, 2):
            exchanged = rng.random() < 0.5
            rows.append((doc[i + 1], doc[i]) if exchanged else (doc[i], doc[i + 1]))
            labels.append(int(exchanged))
    return rows, labels
    ### END SOLUTION


# %% nb="tests sop-examples-visible 2"
check.sop_examples(sop_examples, points=2)

# %% nb="tests sop-examples-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.sop_examples(sop_examples, seed=1385, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Try it on the same documents:

# %%
show(*sop_examples(DOCS, np.random.default_rng()))

# %% [markdown] nb="read structbert-examples-text"
# ## 8 · Next, previous, or foreign
# **4 points · 20 minutes · ●●○**
#
# StructBERT combines the two questions: its pairs have three labels. Write `structbert_examples`. Go through the
# documents in order. Each sentence is an A once, in the order of the text, and B depends on the label:
#
# | label | B | not possible if A is |
# | --- | --- | --- |
# | 0 | the sentence right **after** A | the last sentence of its document |
# | 1 | the sentence right **before** A | the first sentence of its document |
# | 2 | a random sentence of a random **other** document, drawn as in exercise 6 | always possible |
#
# Draw a label for each pair from those that are possible, with equal probability. So inside a document, each label has
# the probability 1/3; for a first or last sentence, two labels have 1/2 each. In a document of one sentence, the label
# is 2.
#
# The arguments and results are the same as for `nsp_examples`, except that the labels are 0, 1 and 2. For instance, the
# documents `[[s, t, u], [v]]` give four pairs, one for each sentence. The second is (t, u) with label 0, (t, s) with
# label 1 or (t, v) with label 2, with probability 1/3 each. The first is (s, t) with label 0 or (s, v) with label 2,
# with probability 1/2 each.
#
# <details><summary>Common error</summary>
# Using <code>doc[i - 1]</code> if i is 0: Python counts -1 from the end, so B is the last sentence of the document, and
# there is no error. Or making up to three draws in turn, each with probability 1/3: the second is made only if the
# first failed, so label 1 gets a third of two thirds.
# </details>
# <details><summary>Why draw only from the possible labels?</summary>
# If you replaced an impossible label by 2, first and last sentences would have label 2 with probability 2/3. A model
# could then learn that first sentences, such as titles, usually come with a sentence from another document.
# </details>
# <details><summary>What does a model need for three labels?</summary>
# With labels 0 and 1, A and B have the same topic, so the topic only separates them from label 2. Labels 0 and 1 of the
# same two sentences differ in the order. A model needs both clues to predict all three labels.
# </details>


# %% nb="solution structbert-examples"
def structbert_examples(docs, rng):
    """docs: lists of sentences. Return (rows, labels): pairs, and 0 = B follows A, 1 = B precedes A, 2 = foreign."""
    ### BEGIN SOLUTION
    rows, labels = [], []
    for d, doc in enumerate(docs):
        for i, a in enumerate(doc):
            other = docs[(d + rng.integers(1, len(docs))) % len(docs)]
            offers = {2: other[rng.integers(len(other))]}
            if i + 1 < len(doc):
                offers[0] = doc[i + 1]
            if i > 0:
                offers[1] = doc[i - 1]
            label = list(offers)[rng.integers(len(offers))]
            rows.append((a, offers[label]))
            labels.append(label)
    return rows, labels
    ### END SOLUTION


# %% nb="tests structbert-examples-visible 2"
check.structbert_examples(structbert_examples, points=2)

# %% nb="tests structbert-examples-hidden 2"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.structbert_examples(structbert_examples, seed=6492, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Try it on the same documents:

# %%
show(*structbert_examples(DOCS, np.random.default_rng()))

# %% [markdown] nb="read why-text"
# ## 9 · Why is 98% suspicious?
# **2 points · 10 minutes · ●○○**
#
# On the same documents, a model reaches 98% accuracy in next sentence prediction, but only 50% in sentence order
# prediction. Explain in two or three sentences what it has probably learned, and why that is enough for one question
# and not for the other.
#
# <details><summary>Hint</summary>
# Where does a wrong B come from in each of the two tasks? Which words do A and B share?
# </details>

# %% [markdown] nb="manual why 2"
# It probably compares the topics of A and B: shared names and words. In next sentence prediction, a wrong B comes from
# another document, which is usually about something else, so the topic is enough. In sentence order prediction, both
# sentences come from the same document and share their topic, whatever the label is. The only clue is how one sentence
# leads to the next, which the model has not learned, so its accuracy is at chance level.
#
# **Mark scheme.** 1 point: it uses the topic (shared words, names), which differs between documents. 1 point: in
# sentence order prediction, both labels have the same two sentences, so the topic does not help, and the model would
# need order or coherence. Accept other wordings of the same ideas.

# %% [markdown]
# ## Your functions and a model that knows English
#
# Your `nsp_examples` draws pairs from the three small documents, a trained model makes predictions, and your two losses
# score them. Below, you see the losses of the package's own training step on the same batch: the numbers must be equal,
# apart from the last digit. (The cell first loads the model, which takes up to a minute.)

# %%
import minibert
import torch
from minibert.training.micro_batch import loss_of_batch
from minibert.training.pretraining import bert_objective

english = minibert.load("english")
as_ids = [[english.tokenizer.encode(" ".join(sentence)).ids for sentence in doc] for doc in DOCS]
rows, row_labels = nsp_examples(as_ids, np.random.default_rng(0))
objective = bert_objective(english.tokenizer, max_length=64, rate=0.3)
batch = objective.collate(rows, np.array(row_labels))
inputs, labels = objective.corrupt(batch, np.random.default_rng(1))
with torch.no_grad():
    out = english.model(**{name: torch.tensor(array) for name, array in inputs.items()})
    _, parts = loss_of_batch(objective, english.model, batch, np.random.default_rng(1))
print(f"yours:   MLM {mlm_loss(out['tokens'].numpy(), labels['tokens']):.4f}   "
      f"NSP {nsp_loss(out['pair'].numpy(), labels['pair']):.4f}")
print(f"package: MLM {parts['mlm'].item():.4f}   NSP {parts['nsp'].item():.4f}")

# %% [markdown] nb="read end"
# ## Done?
#
# Restart the kernel, run all cells, and make sure that each check says `passed`. Then hand in.
#
# **Further reading.** Both questions: Devlin et al. (2019), [arXiv 1810.04805](https://arxiv.org/abs/1810.04805),
# section 3.1 and appendix A.2. Without the second question: Liu et al. (2019),
# [arXiv 1907.11692](https://arxiv.org/abs/1907.11692), section 4.2. Order: Lan et al. (2020),
# [arXiv 1909.11942](https://arxiv.org/abs/1909.11942), sections 3.1 and 4.6. Three labels: Wang et al. (2020),
# [arXiv 1908.04577](https://arxiv.org/abs/1908.04577), section 2.2.
