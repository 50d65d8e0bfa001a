# %% [markdown]
# # 11 in class · How small can a model be?
#
# A language model fills gaps in sentences, but it is too large for your phone. In this lesson you make it smaller, break
# it, and choose a model for three customers.
#
# **After this lesson you can**
#
# - say where a model's megabytes and its time are,
# - store its numbers in fewer bits, and say when that breaks it,
# - choose a model for a budget, and doubt a table.
#
# **You need** a little Python and nothing else. **Time:** 45 minutes in pairs; the code alone runs in about a minute on
# two cores. Run each cell with Shift + Enter, and agree on a guess before you look.
#
# <details><summary><b>Without a network</b></summary>
#
# A network is needed once, to fetch the English model of the first cell (91 MB). Without one, a line says so, and a model
# of a small, generated language takes its place. If you can, run the first cell before class.
# </details>
#
# ## Try it (5 minutes)
#
# On the left the model as it is, on the right a smaller copy: the words that each puts into the gap. Choose each of the
# four ways. Which ones save megabytes? Which ones save time? Write your own sentence, with `[MASK]` for the gap.

# %%
import minibert
from minibert.course.unit11 import views

english = minibert.load("english")
views.shrink(english)

# %% [markdown]
# ## 1 · Where are the megabytes? (8 minutes)
#
# The model is **BERT**, a **neural network**: a program with very many adjustable numbers, its **weights**, which were
# learned from text. A table, the **embeddings**, has a list of numbers for each word or part of a word. Then six
# **layers** follow. In each, **attention** lets words look at one another, in several **heads** at the same time, and a
# **feed-forward** part computes with each word alone.
#
# **Your turn.** How large is the file? Each weight usually takes 32 bits.

# %%
from minibert.course.widgets.try_it import try_it

def megabytes(weights, bits):
    """Return the size of a file. A byte has 8 bits, a megabyte a million bytes.

    >>> megabytes(1_000_000, 32)
    4.0
    >>> megabytes(8_000_000, 4)
    4.0
    """
    ...

try_it(megabytes)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def megabytes(weights, bits):
#     return weights * bits / 8 / 1_000_000
# ```
# </details>
#
# **Guess**, then look: your function computes the left half of the picture, for our model and for one of the first and
# best known BERTs.

# %%
views.guess_half_the_layers(english)

# %%
views.where_it_is(english, megabytes)

# %% [markdown]
# ## 2 · Fewer bits (12 minutes)
#
# A weight such as 0.0731 does not need 32 bits. **Quantisation** stores a small whole number instead, which is multiplied
# by a **step**. With 8 bits, the whole numbers go from −127 to 127, with 2 bits from −1 to 1.
#
# **Your turn.** Round to whole multiples of the step. The largest weight gets the largest whole number.

# %%
import numpy as np

def rounded(weights, largest, bits):
    """Return the weights, rounded to multiples of a step; `largest` is the last multiple.

    >>> rounded(np.array([0.3, -1.0, 0.6]), 1.0, 2)
    array([ 0., -1.,  1.])
    >>> rounded(np.array([0.25, -6.0, 2.5]), 6.0, 3)
    array([ 0., -6.,  2.])
    """
    ...

try_it(rounded)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def rounded(weights, largest, bits):
#     step = largest / (2 ** (bits - 1) - 1)
#     return np.round(weights / step) * step
# ```
# </details>
#
# Some words of sentences are masked, and the model predicts them. **Guess** together, before the next cell shows it: how
# much is left at each number of bits, if all weights of a table share one step?

# %%
views.guess_bits(english)

# %% [markdown]
# Now your function rounds the model. Choose 5 bits: why are so many weights 0 now? (Look for the outliers on the left.)
# Then let only a row, or 128 weights, share a step, and find the fewest bits with which the model still works.

# %%
views.fewer_bits(english, rounded)

# %% [markdown]
# ## 3 · Fewer layers (5 minutes)
#
# **Guess**, then choose your own layers. Which single layer would you keep?

# %%
views.guess_layers(english)

# %%
views.keep_layers(english)

# %% [markdown]
# ## 4 · Three customers (8 minutes)
#
# The model was trained to say whether a film review is positive, and made smaller in many ways. Each was scored on 600
# reviews. A **distilled** model is a small one that was trained to give the same answers as the large one. Grey points are
# controls, such as heads removed at random, or a list of words with weights.
#
# **Decide**, and write down why: (a) a keyboard app may take 15 MB; (b) a website must answer in half of the original's
# time; (c) a lab wants the best score that fits into 60 MB. Which model does each get?

# %%
views.chart()

# %% [markdown]
# ## 5 · Two numbers for one model (4 minutes)
#
# These are published numbers. **Discuss**: which one would an advertisement print? What would you ask its author?

# %%
views.two_numbers()

# %% [markdown]
# ## In short (3 minutes)
#
# - The table of words costs megabytes, the layers cost time.
# - One large weight makes the step large for all that share it.
# - A number such as “twice as fast” means nothing without “than what, on what”.
#
# Your guesses:

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# <details><summary><b>For the teacher</b></summary>
#
# **The day before.** Run the notebook once on a machine of the class: it fetches the English model. Times in *Try it*
# depend on the machine, so look at them before.
#
# | minutes | part | expect | ask the class |
# |---|---|---|---|
# | 0–5 | Try it | bits save megabytes and no time; layers save time, and few megabytes | Why is the time the same with 8 bits? |
# | 5–13 | 1 | about three quarters | What would a smaller table of words cost? |
# | 13–25 | 2 | good at 8 bits, nonsense at 5 and below; with groups of 128, good down to 4 | Who pays for one outlier? |
# | 25–30 | 3 | the top half is worst; the bottom half is best or nearly so | Why can the top layers not work alone? |
# | 30–38 | 4 | few bits for (a); for (b) and (c), often the same model | Who takes the best of so many scores: is it skill or luck? |
# | 38–42 | 5 | “than BERT-large” | Than what, on what, at what score? |
# | 42–45 | In short | | Which of the three would you have believed this morning? |
#
# **Answers.** *Why the same time?* This program turns the small numbers back into 32 bits before it multiplies. Where a
# processor and a program multiply whole numbers, 8 bits can be faster: compare *ONNX Runtime* with 32 and 8 bits. *A smaller
# table* makes rare words into many parts, so texts get longer. *The outlier*: every weight that shares its step.
# *Top layers* expect what the layers below them make; they have never seen the table's own vectors. *Three customers*:
# accept every choice that fits the budget and is argued with the numbers. On 600 reviews, differences below about 3 points
# say little: the first of so many scores was partly lucky, so try it on new reviews. *Than what?* ALBERT's speeds are
# relative to the large BERT, and they are speeds of training, not of answering.
#
# **Short of time?** Leave out the function in part 1. **Time left?** Find, in part 3, the best pair of layers. The full
# lesson, [11_small_berts](11_small_berts.ipynb), has teachers and students, heads, the papers, and the lottery question.
# </details>
