# %% [markdown]
# # 1 in class · Learning from gaps
#
# BERT learned English without a teacher: words were hidden, and it had to find them again. In this lesson you play the
# same game, beat a machine at it, and find a sentence that fools it.
#
# **After this lesson you can**
#
# - say how a text becomes its own teacher, and what transfer learning is,
# - say what both sides of a gap are good for,
# - hide words as BERT does, and say how many of them,
# - show that such a model learns which words occur together, and not what is true.
#
# **You need** a little Python and nothing else. **Time:** 45 minutes in pairs; the code alone runs in less than a minute
# on two cores. Run each cell with Shift + Enter, and agree on a guess before you look.
#
# <details><summary><b>Without a network</b></summary>
#
# A network is needed once, to fetch the English model of the first cell (91 MB). Without one, a line says so, and a model
# of a small, generated language takes its place. If you can, run the first cell before class.
# </details>
#
# ## Try it (5 minutes)
#
# A model fills the gap: the bars show how probable it finds each word. Write your own sentence, with `[MASK]` for the gap,
# and press Enter. Find one gap that you both fill better than the model.

# %%
from minibert.course.unit01 import views

views.fill_mask("The teacher wrote the answer on the [MASK].")

# %% [markdown]
# ## 1 · A text that asks its own questions (10 minutes)
#
# A program that learns to sort letters into spam and no spam needs thousands of them that people have sorted: each has a
# **label**, the right answer. This is **supervised** learning. BERT's trick needs nobody. Take any text, hide a word (we
# say **mask** it), and you have a question whose answer you know. This is **self-supervised** learning.
#
# **Your turn.** Turn a text into such questions: the words on the left and right of a gap, and the word in it.

# %%
from minibert.course.widgets.try_it import try_it

def make_examples(words):
    """Return ((left word, right word), the word between them) for each place that has both.

    >>> make_examples(["the", "cat", "sat", "down"])
    [(('the', 'sat'), 'cat'), (('cat', 'down'), 'sat')]
    >>> make_examples(["too", "short"])
    []
    """
    ...

try_it(make_examples)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def make_examples(words):
#     return [((left, right), word) for left, word, right in zip(words, words[1:], words[2:])]
# ```
# </details>
#
# A simple model now learns from your questions: it counts which word came most often between these two. Its rivals see
# two words on the left of the gap, or two on the right. Each has seen 2,000 documents of a generated, simple English, and
# is tested on others. **Guess** together: which one is right most often?

# %%
views.guess_side(make_examples)

# %% [markdown]
# Now the English model, with one side and with both:

# %%
views.left_only()

# %% [markdown]
# GPT, the model behind chat programs, sees the left side only, because it writes one word after the other. BERT sees both
# sides, because it reads.
#
# ## 2 · How BERT hides words (10 minutes)
#
# BERT is asked for 15% of the words. Most of these become `[MASK]`, some are **replaced** by another word, and some are
# **kept** as they are. Press *New draw* until you have seen all three, then *100 more* a few times.
#
# **Decide** together, with a sentence of your own: up to which **masking rate** (the share of chosen words) could you
# still guess most of the words? Write it down. And why are some words kept?

# %%
views.draws()

# %% [markdown]
# ## 3 · You against the model (8 minutes)
#
# A whole text is masked at your rate. One of you reads it aloud and guesses, the other counts. Then look at the model's
# words. Who is better at 15%? Who is better at your rate, and who at 80%?

# %%
views.my_text()

# %% [markdown]
# ## 4 · What it has not learned (8 minutes)
#
# What can a bird do, and what can it *not* do? Look at both lists. Then try your own sentences with *can* or *is*: find
# one in which the *not* changes nothing, and one in which it changes everything.

# %%
views.with_not()

# %% [markdown]
# **Discuss.** Does this model know that birds fly? What would you have to see before you said yes? Where would you use
# such a model, and where would you not?
#
# ## In short (4 minutes)
#
# - **Self-supervised** learning hides a part of the data and predicts it: the text has the answers.
# - After this long **pretraining**, a short training with labels is enough for many tasks. To reuse in one task what was
#   learned in another is called **transfer learning**.
# - Both sides of a gap help.
# - The model learns which words occur together. That is a lot, and it is not the same as what is true.
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
# | 0–5 | Try it | *board* or another thing to write on; gaps that need facts or names are won by people | What did you know that it did not? |
# | 5–15 | 1 | one word on each side wins, by a few points; most pairs need six minutes for the function | Why can GPT not look to the right? |
# | 15–25 | 2 | rates between 30 and 60% | At which rate does *nobody* learn anything? |
# | 25–33 | 3 | close at 15%; at 80% both find little more than *the* and *and* | Which words stay easy? |
# | 33–41 | 4 | often the same words with and without *not* | What would it have had to read? |
# | 41–45 | In short | | What else can be hidden and predicted? |
#
# **Answers.** *Why not look to the right?* The next word would stand there, and a model that may copy learns nothing.
# *Why are words kept?* The texts that BERT reads later have no `[MASK]`: it must also learn that the word it sees may be
# the right one. *Which rate?* BERT's 15% was a guess; Wettig et al. (2023) found 40% better for a model of BERT-large's
# size. With hardly any masks, a pass over the text asks few questions; with too many, nothing is left to answer from.
# *Does it know?* Accept every answer that says what would count as knowing. Kassner and Schütze (2020) found the same for
# BERT: it says what a bird can do, with and without the *not*. *What else?* Parts of a picture, the colours of a photo,
# a second of a recording.
#
# **Short of time?** Give the function away, and leave out the second view of part 1. **Time left?** In part 2, cut a long
# word in two and mask one half: how easy is it? The full lesson, [01_self_supervision](01_self_supervision.ipynb), has
# static and dynamic masks, spans, and the best rate.
# </details>
