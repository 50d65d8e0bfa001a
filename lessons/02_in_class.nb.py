# %% [markdown]
# # 2 in class · How words look at each other
#
# *She swam to the bank. She paid at the bank.* You know at once which bank is meant, because you have seen the other
# words. In this lesson you write the two small functions with which BERT does the same, and let them run a trained model.
#
# **After this lesson you can**
#
# - compute by hand how one word takes something from another,
# - say what a query, a key and a value are,
# - look at the attention of a trained model, and doubt what it seems to say.
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
# This is a BERT: a program that fills gaps in sentences, which it learned from text. Click a layer to open it, then one
# of its **heads**. The lines show which word looks at which. Type your own sentence, and click a word to mask it. Which
# words does the gap look at?

# %%
import minibert
from minibert.course.widgets.explorer.widget import explore

english = minibert.load("english")
explore(english, "She swam to the [MASK].")

# %% [markdown]
# ## 1 · One word, many meanings (6 minutes)
#
# To a model, each word is a **vector**, a list of numbers; ours has 384. *bank* starts with the same list in every
# sentence. In each layer of the model it takes something from the other words. Their **cosine** says how alike two
# vectors are: 1 if they point in the same direction, 0 if they have nothing in common. **Guess** together:

# %%
from minibert.course.unit02 import views

views.guess_same_word()

# %% [markdown]
# ## 2 · One word looks around (20 minutes)
#
# How does *bank* take something from *swam*? Each word has three vectors:
#
# - a **query**: what am I looking for?
# - a **key**: what do I offer to those who look?
# - a **value**: what do I hand over when somebody looks at me?
#
# In BERT they are learned. Ours have four numbers, which we wrote by hand. In queries and keys they mean *who*,
# *action*, *place*, *small word*; in values *person*, *water (+) or money (−)*, *place*, *movement*. Press **Next step**.
# One of you computes each number on paper before the other presses.

# %%
views.steps()

# %% [markdown]
# **Your turn.** First the score of a query and a key. (We divide by the root of d so that long vectors do not make large
# scores.)

# %%
from minibert.course.widgets.try_it import try_it

def score(q, k):
    """Multiply q and k number by number, add up, and divide by √d, where d is how many numbers each has.

    >>> score([1, 2, 1, 0], [0, 3, 1, 0])
    3.5
    >>> score([3], [2])
    6.0
    """
    ...

try_it(score)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def score(q, k):
#     return sum(a * b for a, b in zip(q, k)) / len(q) ** 0.5
# ```
# </details>
#
# The **softmax** turns the scores into **attention weights**, which are positive and sum to 1. Then the result, called
# the **context**, is the sum of all values, each times its weight:

# %%
def mix(weights, v):
    """Return the context as a list: the rows of v, each times its weight, added up.

    >>> mix([0.5, 0.5], [[2, 0, 0], [0, 4, 0]])
    [1.0, 2.0, 0.0]
    >>> mix([0.75, 0.25, 0], [[4], [-4], [100]])
    [2.0]
    """
    ...

try_it(mix)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def mix(weights, v):
#     return [sum(w * row[i] for w, row in zip(weights, v)) for i in range(len(v[0]))]
# ```
# </details>
#
# With your two functions, the same *bank* in two sentences:

# %%
views.context_of_bank(score, mix)

# %% [markdown]
# And here they run in the English model: each of its 72 heads calls your `score` for every pair of words and your `mix`
# for every word.

# %%
views.with_mine(score, mix)

# %% [markdown]
# ## 3 · Does attention say why? (10 minutes)
#
# A picture of attention looks like an explanation: *the model looked at this word, so that is why*. Is it one? We
# measured where each of the 72 heads looks most of the time. **Guess** first:

# %%
views.guess_jobs()

# %% [markdown]
# **Discuss.** A bank's program refuses a loan and shows the words to which it gave the most attention as its reasons.
# Would you accept them? Which test would convince you? (Think of a sentence from which you take one word away.)
#
# ## In short (4 minutes)
#
# - A word compares its **query** with the **keys** of all words; the softmax makes weights of the scores; the result is
#   the sum of the **values**, each times its weight.
# - This happens in several **heads** at the same time and in several layers, so the same word gets another vector in
#   another sentence.
# - A weight says where one step of the calculation looks. It does not say why the model answers as it does.
#
# Your guesses:

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# <details><summary><b>For the teacher</b></summary>
#
# **The day before.** Run the notebook once on a machine of the class: it fetches the English model.
#
# | minutes | part | expect | ask the class |
# |---|---|---|---|
# | 0–5 | Try it | lines to *swam*, and many to [CLS] and [SEP] | What could [CLS] and [SEP] be? |
# | 5–11 | 1 | the two rivers are closer to each other, but no pair is far apart | Why is the number not near 0? |
# | 11–18 | 2, steps | the paper is one step ahead in half of the pairs | Why is a large score not enough to win? |
# | 18–31 | 2, functions | `score` without the root, or a `mix` that returns one number | What changes in the model without the root? |
# | 31–41 | 3 | many guess grammar; most heads look at [CLS], [SEP] or a neighbour | Would you accept the bank's reasons? |
# | 41–45 | In short | | What can a head not do alone? |
#
# **Answers.** *[CLS] and [SEP]* are signs that mark the beginning and the end of a text. *Not near 0*: both are the word
# *bank* in a short sentence, and vectors of one model have a common part. *Not enough to win*: the softmax compares a score
# with all other scores. *Without the root* the weights were never trained for such large scores, and the probabilities
# change. *The bank's reasons*: a head is one of 72, six layers mix what the words pass on, and a word can matter without
# a large weight anywhere. A better test takes a word away, or replaces it, and looks at the decision. *Alone*: a head only
# averages; the layer around it does the rest.
#
# **Short of time?** Give `mix` away. **Time left?** Let the pairs leave out the division by √d, and run the model again.
# The full lesson, [02_attention](02_attention.ipynb), has masks, several heads, the whole layer and positions.
# </details>
