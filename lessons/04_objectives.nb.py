# %% [markdown]
# # 4 · Objectives: what BERT is asked
#
# *The cook stirs the ▨▨▨▨.* A model gives *soup* a probability of 54%. How good is that? A pretraining **objective** says
# what a model must predict, and turns its predictions into one number, the **loss**: the lower, the better. BERT has two:
# predict masked tokens, and answer *does this text follow that one?*
#
# **After this lesson you can**
#
# - compute the loss of a masked token by hand, and recognise a loss that counts the wrong positions,
# - explain what it means that BERT's output layer is tied to its embeddings,
# - draw sentence pairs from documents, and show what predicts their label without reading,
# - compare next sentence prediction with ALBERT's and StructBERT's objectives.
#
# **You need** lessons 1 to 3, and logarithms. **Time:** 50 minutes, and 15 more for *Going further*. The code runs in half a
# minute on two cores.

# %%
from minibert.course.widgets.here import here

here(4)

# %% [markdown]
# ## Try it first
#
# Which word does not belong? Our English BERT masks each token in turn, and predicts it from all the others. The bar over a token
# is its loss: the higher, the less the model expected it. Try *She opened the giraffe and went in*, then a sentence of
# yours in which one word is wrong.

# %%
from minibert.course.unit04 import views

views.odd_word()

# %% [markdown]
# ## 1 · One masked word, by hand
#
# The encoder's output is one vector for each token, its **hidden state**. BERT's **output head** turns the hidden state at
# a `[MASK]` into a probability for every word. Our vocabulary has 6 words, and each vector 4 numbers, which mean
# *edible, liquid, a tool, a person*. The encoder has read *the cook stirs the [MASK]*; the hidden state is (1, 1, −1, 0): rather
# edible, rather liquid, not a tool. The scores that go into the softmax are called **logits**.
#
# Which two words will be the most probable? Press **Next step**. Then type another vector.

# %%
views.walk()

# %% [markdown]
# The loss is the **cross-entropy**: −ln p, where p is the probability of the right word. A model that knows nothing gives each
# of V words the probability 1/V, so its loss is ln V: 1.8 for our six words, 10.3 for BERT's 30,522 tokens. If a
# training run does not start near it, look for a bug.
#
# **Your turn.** Compute the loss from the logits. (exp(1000) is too large for a computer: subtract the largest logit from all.)

# %%
import numpy as np
from minibert.course.widgets.try_it import try_it

def token_loss(logits, right):
    """Return −ln of the softmax of the logits, (V,), at the id `right`, as a float.

    >>> token_loss(np.zeros(4), 2)
    1.386...
    >>> token_loss(np.array([1000.0, 0.0]), 1)
    1000.0
    """
    ...

try_it(token_loss)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def token_loss(logits, right):
#     shifted = logits - logits.max()
#     return float(np.log(np.exp(shifted).sum()) - shifted[right])
# ```
# </details>
#
# Now your function measures the English model. Which token will have the highest loss? Replace a word with a synonym,
# or break the grammar.

# %%
views.with_mine(token_loss)

# %% [markdown]
# ## 2 · Why minus the logarithm?
#
# A prediction that is right and certain should cost nothing, a wrong one a lot. So why not 1 − p?

# %%
views.guess_cheapest()

# %% [markdown]
# So 1 − p rewards exaggeration, and −ln p rewards honesty: the cheapest prediction is the true share. There is a second reason.
# A hopeless prediction (p = 0.001) costs hardly more than a bad one (0.01) with 1 − p, and teaches hardly anything: the gradient with
# respect to the right word's logit is −p (1 − p). With −ln p it is −(1 − p), close to −1.

# %% [markdown]
# ## 3 · A table used twice
#
# The last step of the head is a dot product with one vector for each token of the vocabulary. The embedding table (lesson 3) has
# such vectors, too, and BERT uses the same ones: the output is **tied** to the embeddings. So the head asks: *whose embedding fits
# this vector best?* Tokens with similar embeddings get similar logits. These are the nearest in the English model:

# %%
views.neighbours()

# %% [markdown]
# Tying saves 30,522 · 768 = 23.4 million weights, a fifth of BERT-base. And a row of the table learns whenever its word is read, not only
# when it is asked for: tying improves language models (Press and Wolf, 2017; Inan et al., 2017).
#
# <details><summary><b>What are the transform before the table, and the bias after it, for?</b></summary>
#
# Without the transform (a linear layer, GELU and LayerNorm), the last layer itself would have to produce vectors in the space of the
# embeddings. It translates, and is thrown away after pretraining. The bias stores how frequent each token is, so that the
# vectors need not.
# </details>

# %% [markdown]
# ## 4 · Only the chosen positions count
#
# In masked language modeling (MLM, lesson 1), 15% of the tokens are chosen. Their label is their true id; everywhere else it is
# −100: this position is left out. 80% of the chosen tokens become `[MASK]`, 10% a random token, 10% stay. Here are sixteen
# sentences. Which of the framed tokens were masked, replaced, kept?

# %%
views.chosen()

# %% [markdown]
# **Your turn.** The loss of a batch is one mean over all chosen positions.

# %%
def mean_loss(losses, labels):
    """Return the mean of `losses` where `labels` is not −100, as a float; both: (B, T).

    >>> mean_loss(np.array([[1.0, 2.0], [3.0, 9.0]]), np.array([[5, -100], [7, -100]]))
    2.0
    >>> mean_loss(np.array([[4.0, 1.0], [2.0, 0.0]]), np.array([[0, 8], [3, -100]]))
    2.333...
    """
    ...

try_it(mean_loss)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def mean_loss(losses, labels):
#     return float(losses[labels != -100].mean())
# ```
# </details>
#
# Three other means that are easily computed by mistake: divide by all positions; give the seen tokens a label, too; or use `[PAD]` as the label in place of −100
# (we assume that `[PAD]` gets 1/V). We pad the same batch to other lengths:

# %%
views.paddings(mean_loss)

# %% [markdown]
# A loss that depends on the padding, or counts seen tokens, cannot be compared across batches or with a paper's. Before you ask
# how low a loss is, ask what it counts.

# %% [markdown]
# ## 5 · The second question: does B follow A?
#
# Many tasks are about two texts, such as a question and a passage. So BERT has a second objective, **next sentence prediction**
# (NSP). In half of the examples B follows A (label 0, *IsNext*). In the other half B comes from another document (label 1,
# *NotNext*). The model predicts the label from the vector of `[CLS]`, and the training loss is the sum of both
# (Devlin et al., appendix A.2).
#
# Each sentence counts as one token here, and a sequence has room for four. Press *New draw* a few times. Which label do pairs that begin
# with R1 get?

# %%
views.two_segments()

# %% [markdown]
# Despite its name, *next sentence* is about segments of one or more sentences. R has no sentence after R1, so B must be foreign.
#
# BERT reached 97 to 98% (section 3.1). What did it learn?

# %%
views.guess_exchanged()

# %% [markdown]
# A reader would accept only the true B. The model never saw A and B exchanged in training, or shuffled words. There, a false B came from another
# document, mostly about something else. A model learns only what it needs to tell the pairs of its training apart.
#
# ### A model that reads nothing
#
# How far does one get by the topic alone? Take a **bag of words** for A and one for B: their words without order. The fewer texts a
# word occurs in, the more it counts (**inverse document frequency**, IDF). **Your turn.** Add up the weights of the
# words that are in both.

# %%
def shared_weight(a, b, weights):
    """Return the sum of the weights of the words that are in both lists, each word once.

    >>> shared_weight(["the", "cook", "sings"], ["the", "cook", "the"], {"the": 0.5, "cook": 2, "sings": 3})
    2.5
    >>> shared_weight(["the", "cook"], ["a", "storm"], {})
    0
    """
    ...

try_it(shared_weight)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def shared_weight(a, b, weights):
#     return sum(weights[word] for word in set(a) & set(b))
# ```
# </details>
#
# Ask it, and BERT next to it. Exchange A and B; keep only a name in B; put this name into a sentence about something else.

# %%
views.bags(shared_weight)

# %% [markdown]
# The threshold is learned from half of the passages. On the other half:

# %%
views.guess_bags()

# %% [markdown]
# These are 38 pairs, so the two are not separated, and our English model accepts 38% of the foreign pairs: its second head is
# weak. Still, a score in NSP says little about reading. This is a **shortcut**: a sign that predicts the label without the skill that we
# want to teach. (Section B has two more, which careless drawing lets in.)

# %% [markdown]
# ## 6 · Sentence order
#
# ALBERT (Lan et al., 2020) replaces NSP with **sentence order prediction** (SOP): A and B are consecutive segments of one document,
# exchanged in half of the examples. So the topic says nothing: the sum of section 5 is the same in both orders. Where is
# document R?

# %%
views.orders()

# %% [markdown]
# A single sentence has no order, so R is left out. StructBERT asks for topic and order at once:
#
# | objective | from | labels (B follows A = next, A follows B = previous) |
# |---|---|---|
# | NSP | BERT (Devlin et al., 2019) | next, foreign: a half each |
# | SOP | ALBERT (Lan et al., 2020) | next, previous: a half each |
# | sentence structural objective | StructBERT (Wang et al., 2020) | next, previous, foreign: a third each |
#
# ### Was it worth it?
#
# What matters is how well a model does after fine-tuning. Three papers removed or replaced NSP (development sets: F1 for SQuAD 1.1,
# accuracy for the others; the best of each paper in bold).
#
# | paper | trained with | SQuAD 1.1 | MNLI | SST-2 |
# |---|---|---|---|---|
# | BERT, table 5 | NSP | **88.5** | **84.4** | **92.7** |
# | | no NSP | 87.9 | 83.9 | 92.6 |
# | RoBERTa, table 2 | NSP, pairs of segments | 90.4 | 84.0 | **92.9** |
# | | NSP, pairs of single sentences | 88.7 | 82.9 | 92.1 |
# | | no NSP, full sequences | 90.4 | **84.7** | 92.5 |
# | | no NSP, one document each | **90.6** | **84.7** | 92.7 |
# | ALBERT, table 5 | no NSP | 88.6 | 81.5 | 89.9 |
# | | NSP | 88.4 | 81.6 | **91.1** |
# | | SOP | **89.3** | **82.0** | 90.3 |
#
# - **BERT** is a little worse without NSP, and clearly worse on **QNLI** (does a sentence answer a question? 84.9 against 88.4).
# - **RoBERTa** is about as good without. Its authors suspect that BERT's experiment removed the *loss* but kept the *pairs* (section 4.2).
# - **ALBERT**: SOP is best on average over five tasks (80.1, NSP 79.2, neither 79.0). A model trained with NSP gets 90.5% in NSP but 52.0% in
#   SOP, near chance. Trained with SOP: 78.9% in NSP, 86.5% in SOP.
#
# Most later encoders dropped the second question. And today's chat models ask only one: *which token comes next?* (Lesson 9 asks why.)
#
# ## Check yourself

# %%
views.quiz()

# %% [markdown]
# ## In short
#
# - **From hidden state to loss**: transform, dot product with every embedding (one **tied** table), bias, softmax, −ln p of the
#   right word. A model that knows nothing has the loss ln V.
# - **−ln p rewards honesty**: the cheapest prediction is the true probability.
# - **Only the chosen positions count**, in the sum and in what it is divided by.
# - **NSP** can be answered by the **topic**. **SOP** exchanges two segments of one text; **StructBERT** asks for next, previous and
#   foreign. RoBERTa dropped NSP, and most scores rose a little.
#
# **Next**: [the exercise](../exercises/04_objectives/04_objectives.ipynb), where you write `mlm_loss`, `nsp_loss`, `nsp_examples` and
# `sop_examples`. Then lesson 5: the training loop. What follows here goes further; each section can be read alone.

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# ## Going further
#
# ### A · Pseudo-perplexity
#
# In section 1, a text of T tokens became T sequences, and each masked another token. e to the power of the mean loss is the text's
# **pseudo-perplexity** (Salazar et al., 2020): the model is as uncertain as if it chose among that many equally likely tokens.
# *Pseudo*, because each token is predicted from all the others. In the **perplexity** of a language model it is predicted from those
# before it, and the product of these probabilities is that of the sentence.
#
# A long and rare word need not have the highest loss. It is cut into subwords, only one is masked at a time, and the others betray it. To
# compare sentences, also mask the subwords to the right in the same word (Kauf and Ivanova, 2023).
#
# ### B · Leaks and wrong labels
#
# Shortcuts can also leak in when pairs are drawn. If documents are short, B must often be foreign:

# %%
views.short_documents()

# %% [markdown]
# So compare a score with the larger class, never with 50%. **Lengths** are another leak, if a foreign B is one sentence and the true B is the
# rest of the document. And if the foreign B is drawn from *all* n documents, one in n comes from A's own: that is no leak but **label
# noise**. BERT's own code draws again, up to ten times.
#
# SOP has a shortcut, too: some words open a text, others continue one. But that one is about how texts go on.
#
# Cheng et al. (2019) added *previous* to NSP as well, and gave sentences near A **label smoothing**: a little less than 1 for
# the label, the rest for the other classes.
#
# ### C · Your own pair

# %%
views.my_pair()

# %% [markdown]
# Write a B that contradicts A, and one that begins with *Therefore* but has nothing to do with A. Why might NSP help with QNLI
# all the same? It also compares two texts, and *are they about the same thing?* is a good part of the answer.
#
# ### D · Why not ask at every position?
#
# It needs logits at all positions instead of 15%, for tokens that are soon copied without a mistake. But more questions for
# each text can pay. ELECTRA's authors tried it with replaced tokens in place of `[MASK]`, so that the model cannot know which ones to
# copy: 84.3 on GLUE, against BERT's 82.2 (Clark et al., 2020, table 5). Best of all was another question at every position: *was
# this token replaced?* (85.0)
#
# In rich text, a model may know only the frequencies of words for a long time: it stays on a **plateau**, where the loss hardly
# decreases (lesson 10). Compare objectives only after it.
#
# ### Papers
#
# - Devlin et al. (2019): [BERT](https://arxiv.org/abs/1810.04805), section 3.1, appendix A.2; section 5.1 and table 5 without NSP.
# - Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692), section 4.2, table 2. Lan et al. (2020):
#   [ALBERT](https://arxiv.org/abs/1909.11942), sections 3.1 and 4.6, table 5.
# - Wang et al. (2020): [StructBERT](https://arxiv.org/abs/1908.04577), section 2. Cheng, Xu et al. (2019): [Symmetric
#   Regularization based BERT](https://arxiv.org/abs/1909.03405). Clark et al. (2020):
#   [ELECTRA](https://arxiv.org/abs/2003.10555), table 5.
# - Tied embeddings: Press and Wolf (2017): [the output embedding](https://arxiv.org/abs/1608.05859); Inan et al. (2017): [word
#   vectors and word classifiers](https://arxiv.org/abs/1611.01462).
# - Salazar et al. (2020): [masked language model scoring](https://arxiv.org/abs/1910.14659). Kauf and Ivanova (2023): [a better
#   way](https://arxiv.org/abs/2305.10588).
# - In the package: `minibert/reference/heads.py`, `losses.py`; `minibert/data/packing.py`; `minibert/objectives/`.
