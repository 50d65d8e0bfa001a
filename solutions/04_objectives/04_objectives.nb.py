# %% [markdown] nb="read intro"
# # Unit 04 · Objectives: what BERT is asked, and what a wrong answer costs
#
# BERT learned from two questions: *which token was here?* and *does this sentence follow that one?* You will write the
# loss of each, a test, and the code that draws the sentence pairs from documents, with its traps. Then the pairs of
# ALBERT, which ask for the order, and those of StructBERT, which ask for both. Each function is a few lines of NumPy.
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
# | | together | **29** | **140** | |
#
# The finished notebook runs in 2 seconds on two cores, and its last cell, with a model, in a few more.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`.
# Run the cell, then the check below it. The check tells you what is wrong, as often as you like. The number under
# its verdict is what the cell earns so far: at most half of its points until all is right. More points are given after
# you hand in, for the same function on other inputs: solve the exercise, not the check.
#
# **Stuck?** `check.mlm_loss.hint()` in a cell of your own shows a hint; run it again for a stronger one, three in all. So
# do the other functions. Common errors are folded below each task. And an earlier function that is not right yet does
# not hold you back: if a later check fails because of it, the check lends you ours and says so.
#
# **Axes.** In the comments, **B** counts the sequences of a batch, **T** the tokens of a sequence, **D** the numbers of a
# state, **V** the vocabulary. **Logits** are a model's scores before the softmax: any numbers, the larger the likelier.

# %% nb="read imports"
import numpy as np

from minibert.course import unit04 as check
from minibert.course.checks.student_tests import by_name

# %% [markdown] nb="read mlm-loss-text"
# ## 1 · The loss of the masked language model
# **5 points · 20 minutes · ●●○**
#
# At each chosen position the model gives a score to every token of the vocabulary. The softmax makes probabilities of
# them; the loss there is $-\log p$ of the token that really stood there, with the natural logarithm. Write `mlm_loss`:
# the mean over all positions that have a label. A position without one, such as padding or a token that was not chosen,
# carries -100. It counts nowhere: not in the sum, and not in the number by which the sum is divided.
#
# | | shape | |
# | --- | --- | --- |
# | `logits` | (B, T, V), float | the model's scores |
# | `labels` | (B, T), int | the right id, from 0 to V - 1, or -100 where nothing is asked; at least one is asked |
# | returns | one number | the mean loss |
#
# Two things to see to. Logits may be large (1,000 and more), and a token may be so unlikely that its probability is
# rounded to 0: neither may give `nan` or `inf`. And the inputs stay as they are.
#
# <details><summary>Common error</summary>
# Using -100 as an index: in Python it counts from the end. Or summing over the right positions, and then dividing by
# B x T.
# </details>
# <details><summary>Why one mean, and not the mean of each sequence first?</summary>
# A sequence with one chosen token would then weigh as much as one with fifty, and its one token fifty times as much as
# each of those.
# </details>


# %% nb="solution mlm-loss"
def mlm_loss(logits, labels):
    """logits (B, T, V), labels (B, T) int with -100 where nothing is asked. Returns the mean of -log p, a number."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.mlm_loss(mlm_loss, seed=4127, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# A good habit before any training: what does your loss say of a model that knows nothing? All tokens are alike then, so
# it must be ln V.

# %%
vocab_size = 30_522
print("a model that knows nothing:", mlm_loss(np.zeros((1, 2, vocab_size)), np.array([[2005, -100]])))
print("ln V:                      ", np.log(vocab_size))

# %% [markdown] nb="read colleague-text"
# ## 2 · Find the bug
# **2 points · 10 minutes · ●●○**
#
# A colleague wrote the same function. Her loss decreases at once from 10.3 to about 2, which makes her very proud. But
# the model fills no gap. `[PAD]` has the id 0.

# %% nb="read colleague"
def loss_by_colleague(logits, labels):
    labels = np.where(labels == -100, 0, labels)        # -100 is no index
    logits = logits - logits.max(axis=-1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    return -np.take_along_axis(log_probs, labels[..., None], axis=-1).mean()


# %% [markdown] nb="read colleague-task"
# Her model has learned one thing only: to say `[PAD]`. At every position it gives 0.99 to `[PAD]`, and the rest, 0.01,
# equally to the 30,521 other tokens. Of her positions 15% were chosen, and none of the chosen tokens is `[PAD]`.
#
# Let `colleague_losses` return two numbers with all their digits: what her function prints for this model, and what the
# right `mlm_loss` says of it.
#
# <details><summary>Another way</summary>
# Measure: 20 positions, 3 of them chosen, logits that are the logarithms of these probabilities. Then call both functions.
# </details>


# %% nb="solution colleague-losses"
def colleague_losses():
    """Returns (what loss_by_colleague prints, what mlm_loss says) of the model that says [PAD] everywhere."""
    ### BEGIN SOLUTION
    pad, other = -np.log(0.99), -np.log(0.01 / 30_521)
    return 0.85 * pad + 0.15 * other, other
    ### END SOLUTION


# %% nb="tests colleague-losses-visible 2"
check.colleague_losses(colleague_losses, points=2)

# %% [markdown]
# Compare both with ln V = 10.33 of a model that knows nothing. Her model has become worse than that, and her loss
# is decreasing.

# %%
hers, truth = colleague_losses()
print(f"her curve: {hers:.2f}   the truth: {truth:.2f}   a model that knows nothing: {np.log(vocab_size):.2f}")

# %% [markdown] nb="read test-text"
# ## 3 · Write a test
# **2 points · 15 minutes · ●●○**
#
# She had no test. Write the one that would have stopped her. `test_mlm_loss` gets a function that claims to be an
# `mlm_loss(logits, labels)`; it may be anybody's. Your test says nothing when all is well, and stops at an `assert` when
# it is not:
#
# `assert np.isclose(mlm_loss(np.zeros((1, 1, 4)), np.array([[2]])), np.log(4)), "equal logits: the loss is ln V"`
#
# The check hands your test right versions, which it must accept, and wrong ones, which it must catch. Some wrong ones
# come after you hand in. So think of what must hold of every masked loss. Which loss can you work out by hand? What do
# the positions with -100 add? Is id 0 a token? Does a sequence with one label weigh as much as one with two? What about
# logits like 1,000, and a token that is hopeless? Are the inputs the same afterwards? The line `@by_name` lets the check
# hand over its versions: leave it there.
#
# <details><summary>Common error</summary>
# Comparing with <code>==</code>. A right version may round differently in the last digit, and one that computes in
# float32 in the seventh: <code>np.isclose</code> allows for both.
# </details>
# <details><summary>Why not take logarithms of probabilities as logits?</summary>
# Their exponentials sum to 1 already, so the softmax changes nothing, and a version that forgot it passes. Each mistake
# has inputs on which it does not show: equal logits hide which token was asked for, one label hides how the mean is
# taken. A good test chooses inputs so that mistakes show.
# </details>


# %% nb="solution test"
@by_name
def test_mlm_loss(mlm_loss):
    """Stops at an assert where mlm_loss(logits, labels) is not the mean of -log p over the labels other than -100."""
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
# After you hand in, more wrong versions are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.test_mlm_loss(test_mlm_loss, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does it accept your own loss? If nothing is printed, it does. And what does it say of hers?

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
# For each pair, the model gives two logits: for label 0, *B follows A*, and for label 1, *B comes from another document*.
# (That is BERT's own convention. Some libraries have it the other way round, so always look.) Write `nsp_loss`: the mean
# of $-\log p$ of the label, with a softmax over the two.
#
# | | shape | |
# | --- | --- | --- |
# | `logits` | (B, 2), float | the model's scores for the labels 0 and 1 |
# | `labels` | (B,), int | 0 or 1; every pair has one |
# | returns | one number | the mean loss |
#
# Large logits as before. You may call your `mlm_loss`, or write it anew.
#
# <details><summary>Common error</summary>
# Leaving label 0 out, because 0 meant padding elsewhere. A well-known BERT code did that, with one loss for both
# questions: the examples of one label taught it nothing.
# </details>


# %% nb="solution nsp-loss"
def nsp_loss(logits, labels):
    """logits (B, 2), labels (B,): 0 = B follows A, 1 = from another document. Returns the mean of -log p, a number."""
    ### BEGIN SOLUTION
    logits = logits - logits.max(axis=-1, keepdims=True)
    log_probs = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))     # (B, 2)
    return -log_probs[np.arange(len(labels)), labels].mean()
    ### END SOLUTION


# %% nb="tests nsp-loss-visible 1"
check.nsp_loss(nsp_loss, points=1)

# %% nb="tests nsp-loss-hidden 1"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.nsp_loss(nsp_loss, seed=9054, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read mend-text"
# ## 5 · Find three more bugs
# **3 points · 20 minutes · ●●○**
#
# Now both losses from the states of BERT's last layer. Only the asked places go through the output layer, since a score
# for each of 30,522 tokens is expensive. So the code that came with BERT gathers their states first. Each sequence has P
# slots; one that is not used has the label -100.
#
# | | shape | |
# | --- | --- | --- |
# | `hidden` | (B, T, D), float | a state for each token; the first of each sequence is that of `[CLS]` |
# | `places` | (B, P), int | where a token is asked for: for each slot, its place in its sequence, from 0 to T - 1 |
# | `labels` | (B, P), int | the right id, from 0 to V - 1, or -100 where the slot is not used |
# | `row_labels` | (B,), int | 0 = B follows A, 1 = B comes from another document |
# | `weights` | dict | in the next cell; `word.weight` is the table of the word embeddings: the output layer is tied |
# | returns | one number | the sum of two means, the loss of exercise 1 and that of exercise 4 |
#
# (BERT has one more small layer before each of the two; it is left out here.)

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
    return (counted * mlm + B * nsp) / (counted + B)                        # every label counts alike


# %% [markdown] nb="read mend-examine"
# Have it examined. What must hold of such a loss, whatever the weights, and what does hold?

# %% nb="read mend-examined"
check.pretraining_loss.examine(broken_pretraining_loss)

# %% [markdown] nb="read mend-task"
# Copy the function's body into `pretraining_loss`, and mend it. Each bug is worth a point; examine `pretraining_loss` as
# often as you like.
#
# <details><summary>Common error</summary>
# <code>hidden[:, places]</code> has the shape (B, B, P, D): the places of all sequences, in each sequence. Each needs its
# own: one index for the sequence, beside one for the place.
# </details>
# <details><summary>Why would training not tell?</summary>
# The loss decreases with all three. A model can guess frequent tokens without seeing the right state, and the mean of all
# states holds something of <code>[CLS]</code>. It even counts the padding: the same pair gets another answer in a
# longer batch.
# </details>


# %% nb="solution mend"
def pretraining_loss(hidden, places, labels, row_labels, weights):
    """hidden (B, T, D), places and labels (B, P), row_labels (B,). Returns BERT's loss, a number: MLM + NSP."""
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
# Documents become examples: pairs (A, B) with a label. In BERT a segment is a stretch of sentences; here it is one
# sentence, but the rules are BERT's. Go through the documents in their order, and in each start with its first sentence
# as A:
#
# 1. If a sentence follows A in its document, toss a fair coin, anew for each pair. Heads: B is that sentence, the label
#    is 0. Both are used up: the next A is the sentence **behind B**.
# 2. Tails: B is a random sentence of a random **other** document (each other document alike, then each of its sentences
#    alike), the label is 1. The sentence behind A was not used: **it is the next A**.
# 3. If no sentence follows A, there is nothing to toss: rule 2 holds. That is so for every document with one sentence.
#
# | | | |
# | --- | --- | --- |
# | `docs` | list of at least 2 documents | a document is a list of at least 1 sentence; a sentence is a list of ids |
# | `rng` | NumPy generator | where all draws come from: `rng.random()` from 0 to 1, `rng.integers(n)` from 0 to n - 1 |
# | returns `rows` | list of pairs (A, B) | A and B are sentences as they stand in `docs` |
# | returns `labels` | list of 0 and 1, one for each pair | 0 = B follows A, 1 = B comes from another document |
#
# You need not look inside a sentence, and `docs` stays as it is. No sentence occurs twice in the documents of the check.
#
# <details><summary>Common error</summary>
# Drawing among all documents: with n of them, one in n of the label-1 pairs is then from A's own document, and may be the
# true continuation, labelled as false. Or <code>doc[i + 1]</code> where nothing follows.
# </details>
# <details><summary>Why does the skipped sentence come back?</summary>
# Else every label 1 would throw away the text behind A, and half of the text would never be seen in a pair with label 0.
# </details>


# %% nb="solution nsp-examples"
def nsp_examples(docs, rng):
    """docs: lists of sentences. Returns (rows, labels): pairs (A, B), and 0 = B follows A, 1 = from another document."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.nsp_examples(nsp_examples, seed=7716, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# See what it makes of three small documents. (To your function a word is as good as an id.)

# %%
DOCS = [["the cook wakes up .".split(), "he greets the ladle .".split(), "the soup is hot .".split()],
        ["a storm came .".split(), "the river rose .".split()],
        ["for sale : one cello .".split()]]


def show(rows, labels):
    """Each pair on a line, with its label."""
    for (a, b), label in zip(rows, labels, strict=True):
        print(int(label), " ".join(a).ljust(24), "|", " ".join(b))


show(*nsp_examples(DOCS, np.random.default_rng()))  # run it several times

# %% [markdown] nb="read sop-examples-text"
# ## 7 · Pairs for sentence order
# **4 points · 15 minutes · ●●○**
#
# ALBERT asks another question: do the two sentences stand in their order? Both come from one document, so that their
# topic tells nothing. Write `sop_examples`:
#
# 1. Cut each document into pairs of neighbours: its sentences 0 and 1, then 2 and 3, and so on. An odd last one is left out.
# 2. Toss a fair coin for each pair, anew. Heads: the pair is in order, label 0. Tails: the two are exchanged, label 1.
#
# Arguments and results are those of `nsp_examples`; the pairs follow the text. A document of one sentence gives none.
#
# <details><summary>Common error</summary>
# Taking 0 and 1, then 1 and 2: then almost every sentence is read twice. Or pairing the last sentence of one document with
# the first of the next.
# </details>


# %% nb="solution sop-examples"
def sop_examples(docs, rng):
    """docs: lists of sentences. Returns (rows, labels): pairs of neighbours, and 0 = in order, 1 = exchanged."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.sop_examples(sop_examples, seed=1385, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# The same documents:

# %%
show(*sop_examples(DOCS, np.random.default_rng()))

# %% [markdown] nb="read structbert-examples-text"
# ## 8 · Next, previous, or foreign
# **4 points · 20 minutes · ●●○**
#
# StructBERT asks for both at once: its pairs have three labels. Write `structbert_examples`. Go through the documents in
# their order. Each sentence is an A once, in the order of the text, and B depends on a label:
#
# | label | B | not possible where A is |
# | --- | --- | --- |
# | 0 | the sentence right **after** A | the last sentence of its document |
# | 1 | the sentence right **before** A | the first sentence of its document |
# | 2 | a random sentence of a random **other** document, drawn as in exercise 6 | always possible |
#
# Draw the label anew for each pair, among those that are possible there, all alike. So inside a document each has a
# third, and a first or last sentence has two labels with a half each. In a document of one sentence the label is 2.
#
# Arguments and results are those of `nsp_examples`, but for the labels: 0, 1 and 2. For instance, with the documents
# `[[s, t, u], [v]]` four pairs come out, one for each sentence. The second may be (t, u) with label 0, (t, s) with label
# 1 or (t, v) with label 2, a third each. The first may be (s, t) with label 0 or (s, v) with label 2, a half each.
#
# <details><summary>Common error</summary>
# <code>doc[i - 1]</code> where i is 0: Python counts -1 from the end, so B is the document's last sentence, without an
# error. Or three draws in turn, each with 1/3: the second one is only made where the first failed, and label 1 gets
# a third of two thirds.
# </details>
# <details><summary>Why draw among those that are possible?</summary>
# Taking label 2 in place of an impossible one would give it two thirds at the edges. A model could then learn that first
# sentences, such as titles, mostly stand beside a foreign one.
# </details>
# <details><summary>What do three labels ask for?</summary>
# Labels 0 and 1 have the same topic, so the topic only tells label 2 from them. Label 0 and label 1 of the same two
# sentences differ in their order. A model needs both to be right about all three.
# </details>


# %% nb="solution structbert-examples"
def structbert_examples(docs, rng):
    """docs: lists of sentences. Returns (rows, labels): pairs, and 0 = B follows A, 1 = B precedes A, 2 = foreign."""
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
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.structbert_examples(structbert_examples, seed=6492, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Once more the same documents:

# %%
show(*structbert_examples(DOCS, np.random.default_rng()))

# %% [markdown] nb="read why-text"
# ## 9 · Why is 98% suspicious?
# **2 points · 10 minutes · ●○○**
#
# A model reaches 98% in next sentence prediction, but only 50% in sentence order, on the same documents. Say in two or
# three sentences what it has probably learned, and why that is enough for the one question and not for the other.
#
# <details><summary>Hint</summary>
# Where does a wrong B come from in each? Which words do A and B share?
# </details>

# %% [markdown] nb="manual why 2"
# It probably compares what A and B are about: shared names and words. In next sentence prediction a wrong B comes from
# another document, which is mostly about something else, so that is enough. In sentence order both sentences come from
# one document and share their topic whatever the label is; only how one sentence leads to the next can tell, and that it
# has not learned, so it is at chance.
#
# **Mark scheme.** 1 point: it uses the topic (shared words, names), which differs between documents. 1 point: in sentence
# order both labels have the same two sentences, so the topic says nothing, and order or coherence would be needed. Other
# words for the same are as good.

# %% [markdown]
# ## Your functions and a model that knows English
#
# Your `nsp_examples` draws pairs from the three small documents, a real model answers, and your two losses score its
# answers. Below them stands what the package's own training step says of the same batch: the numbers must be equal, up
# to the last digit. (The model is loaded first, which takes up to a minute.)

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
# Restart the kernel, run all cells, and see that each check says `passed`. Then hand in.
#
# **Where to read on.** Both questions: Devlin et al. (2019), [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), section
# 3.1 and appendix A.2. Without the second question: Liu et al. (2019), [arXiv
# 1907.11692](https://arxiv.org/abs/1907.11692), section 4.2. Order: Lan et al. (2020), [arXiv
# 1909.11942](https://arxiv.org/abs/1909.11942), sections 3.1 and 4.6. Three labels: Wang et al. (2020), [arXiv
# 1908.04577](https://arxiv.org/abs/1908.04577), section 2.2.
