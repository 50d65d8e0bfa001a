# %% [markdown]
# # 6 · Classification: pretrain once, fine-tune many times
#
# Is this review positive? Do two questions ask the same thing? Which of four endings makes sense? Before 2018, most such
# tasks had a network of their own. BERT needs one pretrained encoder, and for each task a small output layer.
#
# **After this lesson you can**
#
# - turn a pretrained encoder into a classifier of texts, pairs and choices,
# - say what a score hides, and when a model has found a shortcut,
# - choose between a frozen and a trained encoder, on dev data and with several seeds,
# - fine-tune an English model for a task of your own.
#
# **You need** lessons 1 to 5. **Time:** 50 minutes, and 20 more for *Going further*. The code runs in about two minutes
# on two cores.

# %%
from minibert.course.widgets.here import here

here(6)

# %% [markdown]
# ## Try it first
#
# Is a text positive or negative? This task is called **sentiment analysis**. An English model was pretrained as in
# lesson 5, then fine-tuned on film reviews. Write one of your own, and press Enter. Can you turn the verdict round by
# changing one word?

# %%
from minibert.course.unit06 import views

views.my_review()

# %% [markdown]
# (If a message says that the English model is missing, the verdicts come from random weights.)
#
# ## 1 · What it gets, and what it misses
#
# Which word does the verdict rest on? We leave out one word at a time, and see how the probability of *positive* changes:

# %%
views.without_each()

# %% [markdown]
# One word can be enough, because people who write *wonderful* or *terrible* mostly mean it. But what if they don't?

# %%
views.guess_roundabout()

# %% [markdown]
# What *if you need to sleep* does to *great* must be learned from the few reviews that say such things. And the
# probability is no warning: look at the wrong answers that come with more than 90%. Section 5 will teach the same
# model something new, with only 36 sentences.

# %% [markdown]
# ## 2 · One token speaks for the whole text
#
# The encoder returns a vector for each token. A classifier reads only the one of `[CLS]`. It goes through the **pooler**
# (a linear layer with tanh, pretrained together with the encoder), and then through one new linear layer:

# %%
views.plan()

# %% [markdown]
# Why `[CLS]`? It is not a word, so it has no meaning of its own to keep, and in every layer it attends to all other
# tokens. Before fine-tuning, its vector represents the text poorly, as Devlin et al. say (footnote in section 3.1).
# The new layer's gradient teaches it what to collect.
#
# **Your turn.** Write the new layer: a logit for each label, then the softmax.

# %%
import numpy as np
from minibert.course.widgets.try_it import try_it

def classify(pooled, weight, bias):
    """Return the probability of each label. pooled: (D,). weight: (labels, D). bias: (labels,).

    >>> classify(np.array([1.0, 0.0]), np.array([[2.0, 5.0], [2.0, -5.0]]), np.array([0.0, 0.0]))
    array([0.5, 0.5])
    >>> classify(np.array([0.0, 1.0]), np.zeros((2, 2)), np.array([0.0, np.log(3.0)]))
    array([0.25, 0.75])
    """
    ...

try_it(classify)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def classify(pooled, weight, bias):
#     logits = weight @ pooled + bias
#     exp = np.exp(logits - logits.max())
#     return exp / exp.sum()
# ```
# </details>
#
# With the fine-tuned weights, your function judges reviews:

# %%
views.with_mine(classify)

# %% [markdown]
# In BERT-base, two labels need 2 · 768 + 2 = 1,538 new parameters, on top of 110 million pretrained ones.

# %% [markdown]
# ## 3 · One text, two texts, four endings
#
# **GLUE** is a collection of nine tasks with one text or two (Wang et al., 2019). In **SWAG** (Zellers et al., 2018) one
# chooses from four endings. A text A **entails** B if B must be true whenever A is.
#
# | task | sequence | question | metric | examples |
# |---|---|---|---|---|
# | SST-2 | a sentence | is it positive? | accuracy | 67,000 |
# | CoLA | a sentence | is it acceptable? | Matthews | 8,500 |
# | MNLI | A and B | does A entail B, contradict it, or neither? | accuracy | 392,000 |
# | QNLI | A and B | does sentence B answer question A? | accuracy | 108,000 |
# | RTE | A and B | does A entail B? | accuracy | 2,500 |
# | WNLI | A and B | does B replace A's pronoun correctly? | accuracy | 634 |
# | QQP | A and B | do they ask the same thing? | F1, accuracy | 363,000 |
# | MRPC | A and B | do they say the same thing? | F1, accuracy | 3,500 |
# | STS-B | A and B | how similar, 0 to 5? | Pearson, Spearman | 5,700 |
# | SWAG | four pairs | which ending fits best? | accuracy | 73,000 |
#
# The same encoder reads all of them. Choose a task, and see its sequence (lesson 3):

# %%
views.one_sequence()

# %% [markdown]
# In one sequence, every word of A can attend to every word of B, in every layer: *lacto-vegetarian* to *cheese*. The
# price is a sequence for every pair. (Lesson 14 shows another way, which can search a million texts.)
#
# With four endings, each becomes a sequence of its own and gets **one** score; the softmax runs over the four. This is
# **multiple choice**. You are the head: write four scores, then add 5 to all of them. What changes?

# %%
views.options()

# %% [markdown]
# ### Does it read both texts?

# %%
views.guess_one_half()

# %% [markdown]
# So a good score need not mean that the task was solved. The baseline that may see only half of the input belongs in
# every such table. And MNLI has another shortcut: models fine-tuned on it answer *entailment* to nearly every pair in which
# all words of B occur in A, as in *The doctor was paid by the actor* and *The doctor paid the actor*. The test set
# **HANS** was made to show this (McCoy et al., 2019).

# %% [markdown]
# ## 4 · What a score hides
#
# Of 100 emails, 95 are good and 5 are spam. A useless filter says *good* to all of them. How good does it look?
#
# - **Accuracy**: how many answers are right.
# - **Precision** of spam: of what was called spam, how much is spam. **Recall**: of the spam, how much was called spam.
#   **F1** = 2PR / (P + R) combines the two, and **macro F1** is the mean over the labels.
# - **Matthews**: the correlation between labels and answers. It is 100 if all are right, 0 for chance and for one
#   answer to everything, −100 if all are wrong.
# - For numbers, as in STS-B: **Pearson** is 1 if the answers lie on a rising straight line over the right ones,
#   **Spearman** if they are in the right order.

# %%
views.guess_useless()

# %% [markdown]
# All of these come from four counts, the **confusion matrix**: how often each label got each answer. **Your turn.**

# %%
def confusion(labels, answers):
    """Return counts: a row for each label, 0 and 1, and a column for each answer.

    >>> confusion([1, 1, 1, 0], [1, 1, 0, 1])
    [[0, 1], [1, 2]]
    >>> confusion([0, 0, 1, 0], [0, 1, 1, 0])
    [[2, 1], [0, 1]]
    """
    ...

try_it(confusion)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def confusion(labels, answers):
#     counts = [[0, 0], [0, 0]]
#     for label, answer in zip(labels, answers):
#         counts[label][answer] += 1
#     return counts
# ```
# </details>
#
# A second filter gets 80% of the good emails right, and 80% of the spam. Make spam rarer: which metrics begin to rank the
# useless filter above it?

# %%
views.filters(confusion)

# %% [markdown]
# That is why CoLA is scored by Matthews (70% of its sentences are acceptable), and QQP by the F1 of *duplicate* (63% are
# not).

# %% [markdown]
# ## 5 · Fine-tuning, live
#
# Sixty everyday sentences have two labels each: food, travel or health, and past or future. From 36 of them, the English
# model learns both tasks, in 20 passes over the sentences. Its rival has the same layers and starts **from scratch**, with
# random weights. This takes about a minute. Then write a sentence of your own.

# %%
views.teach()

# %% [markdown]
# *Past or future?* hangs on one word, *will* or *going*, so even 36 sentences show it often: the model from scratch does well.
# But the test has other foods and other trains than the training sentences. That *noodles* are like *pizza*, only the pretrained
# model knows. (Write about music: the probabilities of the labels add up to 1, so one must win. *Something else* is not a label.)
#
# How many labels is pretraining worth? That takes exact labels in any number, so here we use the language that our
# program generates (lesson 1), with three seeds. How many labels does the model from scratch need to catch up? (For
# *similarity*, 100 labels teach neither. Pretraining brings knowledge, but only labels say what is asked.)

# %%
views.labels()

# %% [markdown]
# ## 6 · Freeze it, or train it with care
#
# A pretrained encoder can be used in three ways:
#
# - **frozen**: only the head learns. One encoder then serves many tasks.
# - **full fine-tuning**: all weights learn, with one learning rate. BERT's authors chose from 5e-5, 3e-5 and 2e-5, on
#   the **dev** (development) set of each task.
# - **two learning rates**: a larger one for the new head, a smaller one for the encoder. Howard and Ruder (ULMFiT, 2018)
#   lower it from each layer to the one below.
#
# The best of several scores is partly luck. So we compare settings on dev data, and test only the chosen one. **Your turn.**
# Choose the setting with the highest mean over the seeds.

# %%
def best_on_dev(scores):
    """Return the name with the highest mean; scores: {name: [a score for each seed]}.

    >>> best_on_dev({"1e-4": [20, 22, 24], "1e-3": [35, 18, 31]})
    '1e-3'
    >>> best_on_dev({"small": [70, 50, 51], "large": [61, 60, 62]})
    'large'
    """
    ...

try_it(best_on_dev)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def best_on_dev(scores):
#     return max(scores, key=lambda name: np.mean(scores[name]))
# ```
# </details>
#
# Is a generated sentence acceptable? A small model of ours learned it from 1,000 labelled ones, in 300 steps. These scores were
# stored beforehand: eight settings, five seeds each. Your function chooses for each start. (Small models need larger learning
# rates than BERT.)

# %%
views.settings(best_on_dev)

# %% [markdown]
# A **frozen** `[CLS]` knows little of this task: it was trained to say whether B follows A. Too large a rate destroys what
# pretraining has taught. In the first steps the head is random, and so is the gradient that it sends into the encoder:
# this is **catastrophic forgetting**. (Sun et al., 2019, section 5.3: BERT-base learns with 2e-5, and fails with 4e-4.)

# %% [markdown]
# ## 7 · The table that made BERT famous

# %%
views.guess_leads()

# %% [markdown]
# (Devlin et al., table 1, test sets. QQP and MRPC: F1; STS-B: Spearman; CoLA: Matthews; the others: accuracy. *SOTA*: state
# of the art.) BERT-base is about as large as GPT, and better in all nine columns. That its lead is larger where examples are
# few fits section 5, but nine columns with four metrics prove little. Compare any two systems:

# %%
views.leads()

# %% [markdown]
# The test labels are secret, so nobody could train on them. But the table shows no seeds: BERT-large sometimes failed on
# small tasks, so its authors ran it several times and kept the run that was best on dev data (section 4.1). Lesson 13 shows
# what that can do.
#
# ## Check yourself

# %%
views.quiz()

# %% [markdown]
# ## In short
#
# - **One encoder, many heads**: `[CLS]`, the pooler and a linear layer classify texts, pairs and options.
# - **A score can hide** that nothing was read. Compare with one answer to everything, and with half of the input.
# - **Pretraining saves labels.** In English, 36 sentences can teach a simple task.
# - **Frozen, full, or two rates**: choose on dev data, with several seeds. Then test once.
#
# **Next**: [the exercise](../exercises/06_classification/06_classification.ipynb), then lesson 7: finding the answer to a
# question in a text. What follows here goes further; each section can be read alone.

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# ## Going further
#
# ### A · Too sure
#
# The course's model trains on the same task for 1, 2, 5 and 10 epochs, three seeds each (live: half a minute; all weights, rate
# 1e-3). Does it get worse?

# %%
views.too_sure()

# %% [markdown]
# A model is **overconfident** if the mean probability of its answers is above the share that is right. Accuracy only asks
# which label is more probable. The loss also asks how probable: a model that is very sure of its mistakes pays for each of
# them, so the dev loss can rise while the accuracy stays.
#
# ### B · Task by task
#
# Small versions of all tasks in the generated language, learned beforehand. As Devlin et al. did, we chose the learning rate on
# dev data, from two. How many labels each task got, we chose after seeing scores of an earlier version: do not compare tasks.

# %%
views.task_by_task()

# %% [markdown]
# - **Words and grammar** gain most (SWAG, named entities, CoLA): predicting masked words teaches them, even to a small model.
# - **Binding** gains least: in many pairs of QQP, RTE and WNLI the texts differ only in who did it. A small model learns this
#   with many labels, or not at all.
# - BERT needs only 2,500 labels for RTE. It has nearly a hundred times as many parameters: these are limits of our small
#   model, not of the idea.
#
# If a task gains nothing, check the learning rate first.
#
# ### C · Choices: SWAG and RACE
#
# SWAG asks what happens next in a video. The right ending is its next caption; a language model wrote the wrong ones, and
# those that fooled other models were kept.

# %%
views.swag()

# %% [markdown]
# (Devlin et al., table 4. ESIM has attention between two **LSTM**s, networks that read word by word. *Expert* is one
# person, *five humans* are five together, on 100 examples only: a few points may be chance.)
#
# The new layer is one vector, without a bias: a bias would add the same number to all options. And each option has a
# sequence of its own, so their order cannot matter.
#
# **RACE** (Lai et al., 2017) has 100,000 questions from English exams for Chinese pupils: A is the text, B a question with one
# answer. Accuracy on its test set: GPT 59.0 (Radford et al., 2018), BERT-large 72.0, RoBERTa-large 83.2 (Liu et al.,
# 2019, table 7), crowd workers 73.3 (Lai et al.).
#
# ### D · More about scores
#
# Three ways to answer STS-B wrongly, and what its two correlations say:

# %%
views.correlations()

# %% [markdown]
# The first answers are all wrong, and neither notices.
#
# GLUE's printed average mixes accuracies, F1 scores and correlations, and in BERT's paper it leaves out WNLI, on which every
# system so far had done worse than always giving the more frequent answer. GLUE also has a **diagnostic set**: pairs
# written by hand, each marked with what makes it hard, such as a negation or a quantifier. It shows where a model fails
# (Wang et al., section 4).
#
# In none of these tasks does the model write: translation, summarisation and parsing were not tried. (Lesson 14 lets BERT
# write.)
#
# ### E · Wide valleys
#
# Training walks downhill on the **loss surface**, the loss as a function of all weights. Hao et al. (2019) found that
# fine-tuning BERT ends in wider valleys than training from scratch. In a wide valley, a small shift hardly changes the loss,
# and the surface of other texts is shifted a little. But a width depends on the ruler: the same step is small beside
# large weights, and large beside small ones. And two valleys can only be compared at the same height, which two models rarely
# have: with 300 steps, ours from scratch is far above the pretrained one. In the exercise you measure how sharp a valley is, by a ruler
# that fits the weights (Li et al., 2018).
#
# ### F · An encoder for every task?
#
# After full fine-tuning, each task has an encoder of its own. The English sentiment model was trained in another way, with
# **low-rank adapters** (LoRA; Hu et al., 2022): the encoder's matrices stay as they are, and for each of them the task
# learns two thin ones, whose product is added to it. A task is then a small file, and many tasks share one encoder.
#
# ### Papers
#
# - Devlin et al. (2019): [BERT](https://arxiv.org/abs/1810.04805), sections 4.1 and 4.4, appendices A.3 and B.1.
# - Wang et al. (2019): [GLUE](https://arxiv.org/abs/1804.07461), section 3. Zellers et al. (2018):
#   [SWAG](https://arxiv.org/abs/1808.05326). Lai et al. (2017): [RACE](https://arxiv.org/abs/1704.04683). Williams et al.
#   (2018): [MultiNLI](https://arxiv.org/abs/1704.05426). Socher et al. (2013): [Stanford Sentiment
#   Treebank](https://aclanthology.org/D13-1170/).
# - Gururangan et al. (2018): [Annotation artifacts](https://arxiv.org/abs/1803.02324). McCoy et al. (2019):
#   [HANS](https://arxiv.org/abs/1902.01007).
# - Howard and Ruder (2018): [ULMFiT](https://arxiv.org/abs/1801.06146), sections 3.2 and 5. Sun et al. (2019): [How to
#   fine-tune BERT](https://arxiv.org/abs/1905.05583), section 5.3. Peters et al. (2019): [To tune or not to
#   tune?](https://arxiv.org/abs/1903.05987) Hu et al. (2022): [LoRA](https://arxiv.org/abs/2106.09685).
# - Hao et al. (2019): [the effectiveness of BERT](https://arxiv.org/abs/1908.05620). Li et al. (2018): [the loss
#   surface](https://arxiv.org/abs/1712.09913), section 4.
# - Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692), table 7. Radford et al. (2018): *GPT*.
# - In the package: `minibert/finetuning/`, `minibert/tasks/`, `minibert/reference/heads.py`.
