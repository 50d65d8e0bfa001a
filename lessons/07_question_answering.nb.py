# %% [markdown]
# # 7 · Question answering: mark the place
#
# Somebody gives you a passage and a question. You put one finger where the answer begins and another where it ends.
# That is how BERT answers, too.
#
# **After this lesson you can**
#
# - say what BERT computes to answer a question: two scores for each token,
# - turn an answer into a label, and two rows of scores into an answer,
# - score answers by exact match and F1, and say what each of them forgives,
# - say what misleads such a model, and when it should say nothing.
#
# **You need** lessons 1 to 6. **Time:** 50 minutes, and 15 more for *Going further*. The code runs in about a minute and a
# half on two cores. For a class that has never heard of BERT, take [the in-class notebook](07_in_class.ipynb) instead.

# %%
from minibert.course.widgets.here import here

here(7)

# %% [markdown]
# ## Try it first
#
# This English model marks answers. Ask something else, change a name in the text, or paste a text of your own. Can you find a
# question that it gets wrong?

# %%
from minibert.course.unit07 import views

views.ask()

# %% [markdown]
# (If a message says that the English model is missing, the marks are random.)
#
# ## 1 · You are the model
#
# **SQuAD**, the *Stanford Question Answering Dataset*, has 100,000 questions that people wrote about paragraphs of Wikipedia.
# Here is one, shortened, with two of its questions as they are, slips included. Click the first word of the answer, then
# the last. (With keys: Tab, arrows, Enter.)

# %%
views.mark()

# %% [markdown]
# (SQuAD 1.1, dev set, article *1973 oil crisis*, CC BY-SA 4.0.)
#
# This is **extractive question answering**: the answer is a **span**, a stretch of the passage. A program can check
# a span, and a model that must point at a place cannot invent anything. Several people answered each question
# of the test, and they differ by a *to* or a %. One of them marked *last week of February 1974*, by mistake.
#
# For training, the label of an answer is two numbers, the positions of its first and its last token. SQuAD gives the
# *character* where an answer begins. A tokenizer gives each token's **offsets**: the characters where it starts and ends.
#
# **Your turn.** Find the tokens that share a character with the answer.

# %%
from minibert.course.widgets.try_it import try_it

def token_span(offsets, begin, text):
    """Return the first and the last token of an answer that begins at character `begin`.

    >>> token_span([(0, 3), (4, 9), (10, 12), (13, 17)], 10, "in Rome")
    [2, 3]
    >>> token_span([(0, 5), (5, 7), (8, 11)], 5, "ly")
    [1, 1]
    """
    ...

try_it(token_span)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def token_span(offsets, begin, text):
#     inside = [i for i, (start, end) in enumerate(offsets) if start < begin + len(text) and end > begin]
#     return [inside[0], inside[-1]]
# ```
# </details>
#
# *Who built the lighthouse?* Your function makes the label. Type another answer from the passage:

# %%
views.label(token_span)

# %% [markdown]
# ## 2 · Two scores for each token
#
# The new head is one linear layer. It turns the vector of each token into a **start score** and an **end score**:

# %%
views.plan()

# %% [markdown]
# A softmax over all tokens turns the start scores into probabilities, another one the end scores. The loss is the mean
# of the two cross-entropies. In the fine-tuned English model, the two ribbons show these probabilities. Find a question
# for which they point to different places.

# %%
views.ribbons()

# %% [markdown]
# (If the two best spans are *Rome* and *in Rome*, the model has found the place, and hesitates only about its edge.)
#
# Now teach one yourself. The course's small model learns from 800 questions about its generated language, once from its
# pretrained weights and once from scratch. A model that wavers between four names has a loss of ln 4 ≈ 1.4; with 80 equally
# likely tokens, it is ln 80 ≈ 4.4. How low will the two get? (About a minute.)

# %%
views.teach()

# %% [markdown]
# *Held out* are 100 questions about other people, from which it does not learn. If that loss rises while the training loss
# still falls, the model **overfits**. (One confident mistake can cost more than ten hesitant ones, so the loss is no count
# of right answers: look at the table.) In English, neither can answer: they have never read any.

# %% [markdown]
# ## 3 · Two ends, one answer

# %%
views.guess_two_ends()

# %% [markdown]
# So score whole spans: all pairs of a start and an end with start ≤ end, each by the sum of its two scores. The authors'
# program also limits a span to 30 tokens.
#
# <details><summary><b>Why not swap the two, or use one softmax over all pairs?</b></summary>
#
# Swapped, the span begins where the model saw an end: *Rome and then in New*. One softmax over all pairs is possible, but 384
# tokens make 73,920 pairs. The paper trains two softmaxes, and searches the pairs afterwards (Devlin et al., section 4.2).
# </details>

# %% [markdown]
# ### How good is an answer?
#
# SQuAD compares an answer with the **reference answers** that people gave, in lowercase, without punctuation and the articles
# *a, an, the*. **Exact match** (EM) is 1 if the two are then the same. **F1** is 2 × common words / (words of the one + words
# of the other). The best reference counts. Find a right answer with an F1 of 0.80, and a wrong one with 0.50. (In the box, |
# separates references.)

# %%
views.exact_and_f1()

# %% [markdown]
# F1 forgives a word too many, as most readers would. But *Emily Fenford* gets half a point where *Daren Fenford* is right.
# How good is the English model?

# %%
views.how_good()

# %% [markdown]
# ## 4 · Long passages: windows
#
# BERT reads at most 512 tokens. A longer passage is read in **windows** of equal length that overlap. The **stride** is the
# distance from the beginning of one window to the beginning of the next. Here a passage has 60 tokens, and the answer has five.
# Move it: at which stride does some window always hold the whole of it?

# %%
views.long_passage()

# %% [markdown]
# In training, a window without the whole answer gets the label 0: `[CLS]`, *not here*. (If the answer is *New York* and the
# window ends after *New*, then *New* as a label would teach the model to stop too early.)
#
# <details><summary><b>Which strides are safe? And which window decides?</b></summary>
#
# With a window of 24 and an answer of five tokens, a stride of 20 or less: then two neighbours share at least four tokens, and
# an answer that runs over the end of one lies wholly in the next.
#
# A token in several windows has several scores. The authors take them from the window with the most context: count the tokens to its
# left and to its right; the smaller number is its context. (In Hugging Face's tokenizers, `stride` is the number of
# tokens by which two windows *overlap*: window minus our stride.)
# </details>

# %% [markdown]
# ## 5 · Break it
#
# Does the model read, or does it take whatever is of the right kind? We add a sentence about somebody else. No person would
# change the answer. Try all sentences, before the passage and after it.

# %%
views.add_sentence()

# %% [markdown]
# One example proves little. Take all test questions of section 2 for which other passages lend such a sentence, and ask the
# model that you have taught. The control is a sentence about somebody else and *another* kind of fact:

# %%
views.guess_misled()

# %% [markdown]
# Part of the loss comes from any sentence in front; the rest is what the model confuses. **Adversarial examples**, inputs
# changed so that a model fails though a person does not, test *why* a model is right. Jia and Liang (2017) added a sentence
# at the *end* of SQuAD's passages: the mean F1 of sixteen published models fell from 75 to 36.
#
# What else can a model not do that points at places?

# %%
views.guess_traps()

# %% [markdown]
# It cannot count or add, or say *yes*. And the English model cannot say nothing: its training questions all have an answer.

# %% [markdown]
# ## 6 · When the passage does not say
#
# SQuAD 2.0 adds 53,775 questions that only look answerable. For these, BERT learns to point at `[CLS]`, whose start score plus
# end score is the **null score**. A question stays unanswered if the null score beats the best span by more than a
# **threshold** τ:
#
# $$s_{\text{null}} - s_{\text{best}} > \tau$$
#
# **Your turn.** The difference on the left is the *null odds*. How good is a threshold? An answer scores its F1; silence
# scores 1 if the passage has no answer, otherwise 0.

# %%
import numpy as np

def score_at(threshold, odds, f1, has_answer):
    """Return the mean score; a question is answered if its null odds are at most the threshold.

    >>> score_at(0, [-3.0, 5.0], [0.5, 0.0], [True, False])
    0.75
    >>> score_at(9, [-3.0, 5.0], [0.5, 0.0], [True, False])
    0.25
    """
    ...

try_it(score_at)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def score_at(threshold, odds, f1, has_answer):
#     silent = np.array(odds) > threshold
#     return float(np.where(silent, ~np.array(has_answer), f1).mean())
# ```
# </details>
#
# The questions of section 2 have both kinds, and your function draws the curves. For which line must every step to the right
# lose? Which threshold would you choose for a medical text, and which for a quiz show?

# %%
views.silence(score_at)

# %% [markdown]
# A higher threshold means more answers, so *without an answer* can only lose. For medicine, choose a low one: silence is safer than a wrong answer.
# In a quiz, a wrong answer may cost nothing.
#
# ## 7 · What the paper measured
#
# On SQuAD 1.1 (Devlin et al., table 2; an **ensemble** is several models that answer together):
#
# | | dev EM | dev F1 | test EM | test F1 |
# |---|---|---|---|---|
# | human | – | – | 82.3 | 91.2 |
# | BiDAF+ELMo, one model | – | 85.6 | – | 85.8 |
# | BERT-base | 80.8 | 88.5 | – | – |
# | BERT-large | 84.1 | 90.9 | – | – |
# | BERT-large + TriviaQA | 84.2 | 91.1 | 85.1 | **91.8** |
# | BERT-large + TriviaQA, ensemble | 86.2 | 92.2 | 87.4 | **93.2** |
#
# Two test figures of BERT-large are quoted: 91.8 is one model, 93.2 an ensemble of seven. Both were first fine-tuned on
# **TriviaQA**, other questions with answers in texts, which adds 0.2 points on dev to one model. The test set is not public:
# one handed in a model, and got its score.
#
# ## Check yourself

# %%
views.quiz()

# %% [markdown]
# ## In short
#
# - An answer is a **span**: each token gets a start score and an end score, and two softmaxes are trained.
# - **Search the pairs**: the best start and the best end may belong to two answers.
# - **Exact match** is strict, **F1** counts common words; the best reference counts.
# - Long passages are read in overlapping **windows**. A window with half an answer is labelled *not here*.
# - A **sentence about somebody else** can change the answer. A model that only points cannot count.
# - **No answer**: the null score against the best span. Choose the threshold on dev data.
#
# **Next**: in [the exercise](../exercises/07_question_answering/07_question_answering.ipynb) you write the loss, the
# search, the windows and the scores. Then comes lesson 8: a label for every word. What follows here goes further.

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# ## Going further
#
# ### A · SQuAD in numbers
#
# | questions | train | dev | test |
# |---|---|---|---|
# | SQuAD 1.1 | 87,599 | 10,570 | 9,533 |
# | SQuAD 2.0 | 130,319 | 11,873 | 8,862 |
# | … of these without an answer | 43,498 | 5,945 | 4,332 |
#
# (Rajpurkar et al., 2018, table 2. Dev and test of version 2.0 leave out articles without unanswerable questions.) The
# people who wrote these were asked for questions that *look* answerable, with a plausible wrong answer in the passage.
#
# The rest of the tables, test sets, on 10 December 2018 for version 1.1:
#
# | SQuAD 1.1 | EM | F1 |
# |---|---|---|
# | leaderboard: nlnet, ensemble | 86.0 | 91.7 |
# | leaderboard: QANet, ensemble | 84.5 | 90.5 |
# | R.M. Reader, ensemble (dev: 81.2, 87.9) | 82.3 | 88.5 |
# | BERT-large, ensemble, dev set | 85.8 | 91.8 |
#
# | SQuAD 2.0, section 4.3 and table 3 | EM | F1 |
# |---|---|---|
# | human (dev: 86.3, 89.0) | 86.9 | 89.5 |
# | leaderboard: MIR-MRC (F-Net), one model | 74.8 | 78.0 |
# | leaderboard: nlnet, one model | 74.2 | 77.1 |
# | unet, ensemble | 71.4 | 74.9 |
# | SLQA+, one model | 71.4 | 74.4 |
# | BERT-large (dev: 78.7, 81.9) | 80.0 | 83.1 |
#
# BERT was fine-tuned for 3 epochs with a learning rate of 5e-5 and batches of 32; on SQuAD 2.0 for 2 epochs with batches of
# 48, without TriviaQA.
#
# ### B · The sign of the threshold, and several windows
#
# Section 6 has the form of the authors' program. In the paper (section 4.3), the sign of τ is the opposite: a question is
# answered if $s_{\text{best}} > s_{\text{null}} + \tau$, so a larger τ means fewer answers. With several windows, the lowest
# of their null scores counts: one window with an answer is enough.
#
# ### C · Why *not* is hard
#
# For many questions of SQuAD it is enough to find words of the right kind whose surroundings are most like the question
# (Weissenborn et al., 2017). In *The blue house has a garden. The red house does not have a garden.* the words *a garden* are
# near both houses, so similar words do not help. If the model got both right, try longer sentences in the first box, with the
# *not* farther away.
#
# ### D · Look inside
#
# The English encoder before fine-tuning. Click *lighthouse* in the column *Tokens*: in which layers does it attend to the same
# word on the other side of `[SEP]`?

# %%
import minibert
from minibert.course.widgets.explorer.widget import explore

explore(minibert.load("english"), "Who built the lighthouse?", "The lighthouse was [MASK] by Martha Lindqvist in 1862.")

# %% [markdown]
# ### Papers
#
# - Devlin et al. (2019): [BERT](https://arxiv.org/abs/1810.04805), sections 4.2 and 4.3, tables 2 and 3.
# - Rajpurkar et al. (2016): [SQuAD](https://arxiv.org/abs/1606.05250), sections 3 (how it was made) and 6.1 (the scores).
#   Rajpurkar et al. (2018): [Know what you don't know](https://arxiv.org/abs/1806.03822), section 4.
# - Joshi et al. (2017): [TriviaQA](https://arxiv.org/abs/1705.03551). Weissenborn et al. (2017): [simple
#   baselines](https://arxiv.org/abs/1703.04816).
# - Jia and Liang (2017): [adversarial examples](https://arxiv.org/abs/1707.07328), sections 3 and 4.
# - In the package: `minibert/tasks/qa.py`, and `minibert/data/spans.py` for its loss, windows and search.
