# %% [markdown]
# # 3 in class · What a model reads
#
# A language model never sees your words: it sees pieces, and a number for each. In this lesson you cut words as BERT does,
# find a text that it cannot read, and find out which languages pay for a list made for English.
#
# **After this lesson you can**
#
# - cut any word into BERT's pieces, with a function of your own,
# - say what is lost before a model reads a text,
# - say what a vocabulary costs those for whom it was not made.
#
# **You need** a little Python and nothing else. **Time:** 45 minutes in pairs; the code alone runs in less than a minute
# on two cores. Run each cell with Shift + Enter, and agree on a guess before you look.
#
# <details><summary><b>Without a network</b></summary>
#
# A network is needed once, to fetch the English model of the first cell (91 MB). Without one, a line says so, and a model of a
# small, generated language takes its place. If you can, run the first cell before class.
# </details>
#
# ## Try it (6 minutes)
#
# This is what **BERT**, a model that learned English from text, reads in place of your words: **tokens**, which are words
# or parts of words, and below each one its number in a list of 30,522. `##` marks a token that continues a word; `[CLS]`
# and `[SEP]` mark the beginning and the end. Type both of your names, a long word, another language, an emoji. Who of you
# has the longer name, for the model?

# %%
from minibert.course.unit03 import views

views.read()

# %% [markdown]
# ## 1 · How is a word cut? (16 minutes)
#
# The list of tokens is the **vocabulary**. Frequent words are on it as a whole, rare ones are not. With whole words only,
# each new name would be unknown; with single letters, a text would become four times as long as in words. So rare words
# are cut into parts. How? **Guess** together:

# %%
views.guess_mothership()

# %% [markdown]
# **Your turn.** Write the step that is repeated until the word is used up. The first text is a whole word; then it is
# `##` and what is left of it.

# %%
from minibert.course.widgets.try_it import try_it

def longest(text, vocab):
    """Return the longest beginning of text that is in vocab, or "" if there is none.

    >>> longest("mothership", {"moth", "mother", "mothers", "##hip"})
    'mothers'
    >>> longest("##hip", {"##h", "##hip", "hip"})
    '##hip'
    >>> longest("ø", {"o"})
    ''
    """
    ...

try_it(longest)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def longest(text, vocab):
#     for end in range(len(text), 0, -1):
#         if text[:end] in vocab:
#             return text[:end]
#     return ""
# ```
# </details>
#
# Your function now reads with BERT's vocabulary. Find the longest word that is still one token, and the shortest word
# that needs three.

# %%
views.cut(longest)

# %% [markdown]
# ## 2 · What is lost on the way (6 minutes)
#
# A word that cannot be spelled with the vocabulary becomes `[UNK]`, for *unknown*. **Guess**, then try other emoji:

# %%
views.guess_emoji()

# %%
views.two_texts()

# %% [markdown]
# ## 3 · Who pays? (10 minutes)
#
# Ten simple sentences, in six languages: *The old woman sells bread at the market ...* In English they take 84 tokens.

# %%
views.guess_language()

# %% [markdown]
# **Decide** in your pair, and write down two reasons. A company offers a chat program to its customers all over the
# world, and its price depends on the number of tokens. (a) One price per token for all. (b) One price per word.
# (c) A vocabulary for each language. Which one would you choose, and who would complain?
#
# <details><summary><b>One more question</b></summary>
#
# BERT reads at most 512 tokens at once. How much of a newspaper article is that in English, and how much in the language
# with the most tokens?
# </details>
#
# ## In short (4 minutes)
#
# - A model reads **tokens** from a fixed **vocabulary**; rare words are cut, the longest beginning first.
# - What cannot be spelled is **`[UNK]`**, and all of these look the same.
# - A language that is cut into many tokens costs more and gets less.
#
# Your guesses:

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# <details><summary><b>For the teacher</b></summary>
#
# **The day before.** Run the notebook once on a machine of the class.
#
# | minutes | part | expect | ask the class |
# |---|---|---|---|
# | 0–6 | Try it | English first names are one token, others two to four | Is a name in three parts a problem? |
# | 6–10 | 1, guess | many cut by meaning: *mother*, *ship* | Who decided where to cut? |
# | 10–22 | 1, function | a loop from short to long, which returns the first hit | What is the worst case of your loop? |
# | 22–28 | 2 | the two emoji cannot be told apart | For which task does this not matter? |
# | 28–41 | 3 | Finnish or Chinese are named first; it is Russian, spelled letter by letter | Who would complain, and who would not notice? |
# | 41–45 | In short | | What would a vocabulary for your class look like? |
#
# **Answers.** *A name in three parts* can be read, but the model has to put it together from parts of other words.
# *Who decided?* Nobody: the vocabulary was made by counting, and the cutting is greedy. *The worst case*: a word of n
# letters that is cut into letters takes about n²/2 looks at the vocabulary. *Does not matter*: for finding names or
# dates, but not for telling whether a review is friendly. *Who pays?* Accept every choice that is argued. (a) is what most
# services do; speakers of languages with many tokens pay for it. (b) needs somebody to say what a word is, which is not
# clear in Chinese or Finnish. (c) costs a model for each language, and people mix languages in one message.
#
# **Short of time?** Leave out *Find the longest word* after the function. **Time left?** Write the loop that calls
# `longest` until the word is used up. The full lesson, [03_input](03_input.ipynb), has the training of a vocabulary, pairs
# of texts, and the vectors.
# </details>
