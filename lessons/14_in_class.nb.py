# %% [markdown]
# # 14 in class · Search by meaning
#
# A university's help desk has 28 answers, and students ask in their own words. Which answer belongs to which
# question? In this lesson two programs compete: one counts words, the other compares meanings. You find out where
# each fails, and decide which one goes online.
#
# **After this lesson you can**
#
# - say how a search by words and a search by meaning work,
# - write questions on which one of them fails,
# - choose a search for a purpose, and say what its mistakes cost.
#
# **You need** a little Python and nothing else. **Time:** 45 minutes in pairs; the code alone runs in half a minute
# on two cores. Run each cell with Shift + Enter, and agree on a guess before you look.
#
# <details><summary><b>Without a network</b></summary>
#
# A network is needed once, to fetch the model (91 MB). Without one, a line says so, and a model that cannot compare
# English takes its place. If you can, run the first cell before class.
# </details>
#
# ## Try it (5 minutes)
#
# Type a question as you would say it. The first list counts words, the second compares meanings.

# %%
from minibert.course.unit14 import views

views.help_desk()

# %% [markdown]
# These are the answers; the help desk is invented.

# %%
views.all_answers()

# %% [markdown]
# ## 1 · Counting words (8 minutes)
#
# The first program is called **BM25**. An answer gets points for each word that the question has, too. A rare word such as
# *canteen* gives many points, a common one such as *the* few. *Bike* and *bicycles* have nothing in common.
#
# **Your turn.** Add up the points. (BM25 also looks at how long an answer is, and how often it repeats a word.)

# %%
from minibert.course.widgets.try_it import try_it

def in_common(question, answer, points):
    """Return the sum of the points of the words that are in both lists, each word once.

    >>> in_common(["the", "bike"], ["the", "car"], {"the": 0.5, "car": 3.0})
    0.5
    >>> in_common(["bus", "or", "bus"], ["a", "bus"], {"a": 0.5, "bus": 2.0})
    2.0
    """
    ...

try_it(in_common)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def in_common(question, answer, points):
#     return sum(points[word] for word in set(question) & set(answer))
# ```
# </details>
#
# Which words decide? Find a question for which the *wrong* answer is first.

# %%
views.counted_words(in_common)

# %% [markdown]
# ## 2 · Comparing meanings (7 minutes)
#
# The second program is a **neural network** of the kind called **BERT**. It reads a whole text and turns it into a
# **vector**, here a list of 384 numbers. It was trained on pairs of texts that belong together, such as a question
# and its answer, until their vectors pointed in a similar direction.
#
# **Your turn.** How similar are two directions? The **cosine** is 1 for the same direction and 0 for a right angle:
# the dot product, divided by both lengths.

# %%
import numpy as np

def cosine(a, b):
    """Return the dot product of two vectors, divided by both lengths, as a float.

    >>> cosine(np.array([3.0, 4.0]), np.array([6.0, 8.0]))
    1.0
    >>> cosine(np.array([2.0, 0.0]), np.array([3.0, 4.0]))
    0.6
    """
    ...

try_it(cosine)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def cosine(a, b):
#     return float(a @ b / np.sqrt((a @ a) * (b @ b)))
# ```
# </details>
#
# ## 3 · The duel (10 minutes)
#
# Your function now compares the vectors. **Write six questions**, one on each line:
#
# - two that only *meaning* answers,
# - two that only *counting words* answers,
# - two that neither answers, though the answer is there.
#
# Keep them. What do the questions of each kind have in common?

# %%
views.duel(cosine)

# %% [markdown]
# ## 4 · Take both? (5 minutes)
#
# Why not combine them? Each answer gets points for its place in both lists, and the one with the most points wins. We
# wrote 21 questions: some with the answer's own words, some in other words, and some with a code such as *F9*.
# **Guess** together.

# %%
views.guess_both()

# %% [markdown]
# **Surprised?** Look at the numbers again. Why does a good list get worse when a bad one is added?

# %%
views.by_kind()

# %% [markdown]
# ## 5 · Which one goes online? (7 minutes)
#
# **Decide**, and write down one reason each, with a number from the chart or a question of yours:
#
# 1. this help desk, on a phone,
# 2. a shop for spare parts (*hinge 40-B, left*),
# 3. a service for people who seek help in a crisis.
#
# **Discuss** in class: each program nearly always has a first answer, even for *How do I cook rice?* Try it. Should a help
# desk show it? What would you need in order to say *I do not know*, and who decides how often it may be wrong?
#
# ## In short (3 minutes)
#
# - Counting words finds names, numbers and codes. It knows no other word for the same thing.
# - Vectors find the same meaning in other words. They confuse codes that look alike.
# - A combination is as good as its parts allow; test it on your own questions.
#
# Your guess:

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# <details><summary><b>For the teacher</b></summary>
#
# **The day before.** Run the notebook once on a machine of the class: it fetches the model.
#
# | minutes | part | expect | ask the class |
# |---|---|---|---|
# | 0–5 | Try it | the lists often differ | Which words did the first list use? |
# | 5–13 | 1 | without a rare word in common, *with* or *my* decide | Which words of your question help, which mislead? |
# | 13–20 | 2 | most write it; the fold helps the others | What is the cosine of a text with itself? |
# | 20–30 | 3 | other words for meaning; codes for counting | Read out your best one: who can explain it? |
# | 30–35 | 4 | most guess *better*; it is *worse* | When would you combine them all the same? |
# | 35–42 | 5 | no single winner | What does a wrong answer cost, and whom? |
# | 42–45 | In short | | Whose questions should the test contain? |
#
# **Answers.** *Misled*: in *I have to bring back a novel and I am late*, *bring* leads to the graduation party.
# *Itself*: 1. *Only meaning*: “Where do I park my bike?”, “How do I get online with my laptop?” *Only words*: “What
# is in B12?” (meaning finds form F12), “What is in A101?” The network cuts a code into parts that other codes have,
# too. *Neither*: “Who looks after my baby during lectures?”, “I want to live close to the university”. *Both is
# worse*: if no rare word matches, the first list is nearly random, but its places count as much as the others. It
# helps when both lists are good, as with codes. *Which one*: accept every choice that is argued. (1) Meaning or both;
# our 21 questions are few, and we knew the answers when we wrote them, so the pairs' own questions are a better test.
# (2) Words, or exact look-up. (3) Neither alone: the cost of a wrong answer is high, so show a person's number first.
# *I do not know*: a lowest score, chosen on questions without an answer; cosines of right and wrong answers overlap,
# so it costs right answers.
#
# **Short of time?** Leave out the function of part 1. **Time left?** Translate a question into another language: what
# does each list do now? The full lesson, [14_after_bert](14_after_bert.ipynb), trains such a network, and searches
# this course.
# </details>
