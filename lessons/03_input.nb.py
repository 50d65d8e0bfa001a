# %% [markdown]
# # 3 · Input: from text to vectors
#
# *The glassblower's cat sat on the sofa 🛋.* A model reads numbers, so something must get a number: every word? every
# letter? And what about words that nobody has seen before?
#
# **After this lesson you can**
#
# - train a vocabulary of subwords, merge by merge, and split any word by hand,
# - say what happens to accents, other scripts and emoji, and who pays for a vocabulary made for English,
# - pack one or two texts into a sequence, and say what padding costs,
# - add up the three embeddings, and feed a real model with functions of your own.
#
# **You need** lessons 1 and 2, and Python. **Time:** 50 minutes, and 20 more for *Going further*.

# %%
from minibert.course.widgets.here import here

here(3)

# %% [markdown]
# ## Try it first
#
# This is what BERT reads in place of your text: **tokens**, which are words or parts of words, and below each one its
# **id**, a number. Type anything: your name, a long word, another language. What happened at the ✗?

# %%
from minibert.course.unit03 import views

views.read()

# %% [markdown]
# At the end of this lesson, three functions that you have written make such an input, and the English model reads it.
#
# ## 1 · Words, letters, or something between
#
# We need a text to learn from, a **corpus**: the book *Alice in Wonderland*. We then test on forty other short texts.
# With *Alice* as our list of words, how many words of these texts are not on it? And what if every letter gets a
# number? (A punctuation mark counts as a word.)

# %%
views.words_or_letters()

# %% [markdown]
# A model that knows only whole words must read each new one as `[UNK]`, for *unknown*. And there are always new words:
# names, typing errors, *glassblowers* where only *glassblower* was known. Letters can spell them all (here, only digits
# and signs are missing), but a text then has almost four times as many tokens. That makes it slow to read, and BERT takes
# no more than 512 at once.
#
# **Subwords** lie between the two: frequent words stay whole, rare ones are cut into a few parts.
#
# <details><summary><b>Why not simply a longer list of words?</b></summary>
#
# In BERT-base every entry has an embedding of 768 numbers, and a rare word is seen too seldom to learn them. *glassblower*
# and *glassblowers* would be two strangers. Subwords share: `glass` is learned from both. (Frequent forms, such as *hug*
# and *hugs*, still get a token each.)
# </details>

# %% [markdown]
# ## 2 · Training, merge by merge
#
# Nobody writes the list of subwords by hand. It is trained, by merging:
#
# 1. Begin with single characters. All but the first of a word are written with `##`: *cook* is `c ##o ##o ##k`.
# 2. Count how often each pair of neighbours occurs. **Merge** the most frequent pair into one token, everywhere.
# 3. Repeat until the list, the vocabulary, is large enough.
#
# Here are seven words, and how often each occurs. Press **Next step**. After which merge is *cook* a single token?

# %%
views.merges()

# %% [markdown]
# *cook* is whole after three merges. This is **byte-pair encoding** (**BPE**; Sennrich et al., 2016). Each merge, such as `##o + ##o`, is noted as a **merge
# rule**. **WordPiece**, BERT's method, merges in the same way, but it is usually described with a different score. Not *how
# often does the pair occur?* but *how much more often than by chance?*
#
# $$\text{ratio} = \frac{\text{pair}}{\text{left} \cdot \text{right}}$$
#
# Here *pair* is how often the pair occurs, *left* and *right* how often its two parts do, together or apart.

# %%
views.guess_ratio()

# %% [markdown]
# So the ratio finds what belongs together, even if it is too rare to be of use. Google never released the
# program that made BERT's vocabulary; the most widely used library, `tokenizers`, trains "WordPiece" by frequency, and so do we. (Section A
# compares them.)
#
# Now *Alice* as a whole, by frequency. Choose larger and larger vocabularies: which words become whole first?

# %%
views.sizes()

# %% [markdown]
# The last vocabulary is BERT's, and our English model uses it, too. (What such a size costs: section B.)

# %% [markdown]
# ## 3 · Reading a word
#
# With a vocabulary, how is a new word split? WordPiece is **greedy**: it takes the longest token that begins the word,
# then the longest that can follow, and so on.

# %%
views.guess_mothership()

# %% [markdown]
# So a token need not mean anything, and *unhappiness* shares nothing with *unhappy*, which is a token of its own. What
# matters is that a word is always cut in the same way: then the layers can learn what `mothers ##hip` means.
#
# **Your turn.** Write the step that is repeated. The first text is a whole word; then it is `##` and what is left of it.

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
# Your function now reads with BERT's vocabulary. Into how many tokens is your own name cut? Then try long words and very
# new ones.

# %%
views.cut(longest)

# %% [markdown]
# If nothing fits, not even a single character, then the **whole** word becomes `[UNK]`.

# %% [markdown]
# ## 4 · Before WordPiece: Unicode
#
# What is a word? The **basic tokenizer** splits a text at spaces, and makes each punctuation mark and each Chinese
# character a word. It also makes letters lowercase and strips accents: such a model is **uncased**. A **cased** model
# keeps both, and has its own vocabulary.
#
# Write something in your language. Then untick the box: our vocabulary has no capitals and no accents.

# %%
views.my_text()

# %% [markdown]
# Is *schön* (beautiful) the same word as *schon* (already)? For an uncased BERT, it is:

# %%
views.hard_cases()

# %% [markdown]
# The vocabulary has only the characters that were frequent in its training text. What if the character is what matters?

# %%
views.guess_emoji()

# %% [markdown]
# `[UNK]` is one token for everything that cannot be spelled, and nothing warns you. Try other sentences and other emoji:

# %%
views.two_texts()

# %% [markdown]
# <details><summary><b>Can this be avoided?</b></summary>
#
# GPT-2 and RoBERTa begin with the 256 values of a byte instead of characters (**byte-level BPE**), so they can spell
# everything. BERT's vocabulary has unused entries, and a new token can take one of them; but its embedding means nothing
# until the model has been trained on texts that contain it.
# </details>
#
# ### Who pays?
#
# The same ten simple sentences, in six languages: *The old woman sells bread at the market ...*

# %%
views.guess_language()

# %% [markdown]
# A language that is cut into many tokens pays three times: more to compute, less text in 512 tokens, and tokens that mean
# little. (What multilingual models do about it: section C.)

# %% [markdown]
# ## 5 · One sequence for one or two texts
#
# Some tasks need one text, others two: a question and a passage, or two sentences to compare. BERT reads both in one
# **sequence** of up to 512 tokens:
#
# - `[CLS]` begins it. Its final vector is used to classify the whole (lesson 6).
# - `[SEP]` ends each text.
# - Each token also gets a **segment**: 0 for the first text, A, and 1 for the second, B. (In Hugging Face's library:
#   `token_type_ids`.)
#
# **Your turn.** If there is no second text, `b` is empty.

# %%
def pack(a, b):
    """Return the tokens [CLS] A [SEP] B [SEP], or [CLS] A [SEP], and the segment of each token.

    >>> pack(["who", "?"], ["me"])
    (['[CLS]', 'who', '?', '[SEP]', 'me', '[SEP]'], [0, 0, 0, 0, 1, 1])
    >>> pack(["hello"], [])
    (['[CLS]', 'hello', '[SEP]'], [0, 0, 0])
    """
    ...

try_it(pack)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def pack(a, b):
#     first, second = ["[CLS]", *a, "[SEP]"], [*b, "[SEP]"] if b else []
#     return first + second, [0] * len(first) + [1] * len(second)
# ```
# </details>
#
# Write your own two texts. Then empty the second one. At Length 10, which text loses a token first?

# %%
views.sequence(pack)

# %% [markdown]
# A pair that is too long is **truncated**. In our package, the longer text loses its last token, again and again, until
# both fit: a short question stays whole, and the long passage is cut.
#
# In a batch, all sequences have the same length, so shorter ones are filled up with `[PAD]`. The attention mask (lesson 2)
# keeps them from changing any result. But each `[PAD]` costs as much as a token. How much of the work is wasted? Change the
# batch size.

# %%
views.padding()

# %% [markdown]
# Every short sequence is computed at the length of the longest in its batch. Sorted by length, a batch has little to fill
# up; then the batches are shuffled.

# %% [markdown]
# ## 6 · Three embeddings, one vector
#
# A token's id is only a place in a table. For each token BERT looks up **three** learned vectors and adds them: one for
# the token, one for its position, one for its segment. A LayerNorm (lesson 2) follows, with a learned scale and shift for each column:
#
# $$x = \operatorname{LayerNorm}(\text{word} + \text{position} + \text{segment})$$
#
# These are numbers of the English model. *the* is at positions 1, 4 and 8. Which of the three rows stay the same?

# %%
views.embedding()

# %% [markdown]
# Only the word's row is the same at all three, so the first layer gets three different vectors for *the*.
#
# **Your turn.** Add up the rows. The tables are NumPy arrays, with one row for each token, position or segment.

# %%
import numpy as np

def add_up(ids, segments, word, position, segment):
    """Return the sum of the three embeddings of each token, without the LayerNorm.

    >>> word, place, kind = np.array([[1], [2], [3]]), np.array([[10], [20], [30]]), np.array([[0], [50]])
    >>> add_up([2, 0], [0, 1], word, place, kind)
    array([[13], [71]])
    >>> add_up([1], [0], word, place, kind)
    array([[12]])
    """
    ...

try_it(add_up)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def add_up(ids, segments, word, position, segment):
#     return word[ids] + position[:len(ids)] + segment[segments]
# ```
# </details>
#
# What if the segment or the positions are not the usual ones?

# %%
views.guess_change()

# %% [markdown]
# The embeddings of the two segments are similar (cosine 0.86), and in training this model
# met sentences in both. Those of positions 100 apart are not (0.35 on average here), and what the model learned at position 5 need not hold at position 105, even if the words are as far from
# each other as before. And with all words at the same position, no order is left.
#
# ### Your functions in a real model
#
# Now all three work together: your `longest` cuts the words, your `pack` makes the sequence, your `add_up` the
# vectors. The English model takes over from there. What else fits in *She picked up the `[MASK]`*? Empty the second text, or write another.

# %%
views.with_mine(longest, pack, add_up)

# %% [markdown]
# With lesson 2, that is BERT from the text to the last layer. In the exercise, you write it for whole batches.
#
# ## Check yourself

# %%
views.quiz()

# %% [markdown]
# ## In short
#
# - **Subwords** lie between words (there are always new ones) and letters (sequences get too long).
# - **Training** merges the best pair, again and again. **Reading** in WordPiece is greedy.
# - What the vocabulary cannot spell is **`[UNK]`**: most emoji, rare characters. All of them look the same.
# - A language that the vocabulary was not made for is cut into **many small tokens**.
# - **Sequences** are `[CLS] A [SEP] B [SEP]`; **vectors** are word + position + segment, then LayerNorm.
# - **Padding** changes no result, but costs time.
#
# **Next**: [the exercise](../exercises/03_input/03_input.ipynb), then lesson 4: what the model is asked. What follows
# here goes further; each section can be read alone.

# %%
from minibert.course.widgets.guess_then_see import my_guesses

my_guesses()

# %% [markdown]
# ## Going further
#
# ### A · Which score, and which way to read?
#
# *pair* and *ratio* are those of section 2. A third score is the **gain**: pair · log(N · ratio), where N is the number of
# tokens in the corpus before any merge. It is roughly how much a merge raises the log-probability of the corpus, if each
# token is drawn independently, and so it is close to what Schuster and Nakajima (2012) describe. We train 1,000 tokens on *Alice* with each score, and read the forty other texts:

# %%
views.scores()

# %% [markdown]
# By the ratio, the first merges spell *1865*, the year of the book: its digits occur nowhere else. Such tokens save
# almost nothing: with 1,000 tokens by the ratio, a word takes 3.27 tokens, more than with only 100 by frequency (3.17,
# section B). Frequency and gain are close.
#
# <details><summary><b>Why do some call the ratio a likelihood?</b></summary>
#
# Many texts do, and so do our package and the exercise (`"likelihood"`), but it is not one. By chance, two parts would
# meet left · right / N times. The ratio compares that with how often they do; its logarithm is, up to a constant, their
# **pointwise mutual information**, which says how strongly two things go together.
# </details>
#
# BPE does not look for the longest token. It spells a word in characters and applies its merge rules in the order in which they were
# learned. Here both read the forty texts with the same 3,000 tokens:

# %%
views.orders()

# %% [markdown]
# Some methods look for the best split instead: SentencePiece's unigram model takes the likeliest one. There are also
# several ways to mark where a word begins or ends. The original BPE marks the end of a word (`</w>`), GPT-2 and
# SentencePiece the space before it (`Ġ`, `▁`), WordPiece the tokens that continue it (`##`).
#
# ### B · How large a vocabulary?
#
# Merges are made one after the other, so a smaller vocabulary is the beginning of a larger one. More tokens make a text
# shorter, but the table of embeddings grows, and each token must occur often enough in the corpus for its embedding to
# be learned:

# %%
views.prices()

# %% [markdown]
# (With 100 tokens, most are single characters, some of them rare. The last row is BERT's vocabulary; its corpus was far larger than *Alice*.) The paper says 30,000 tokens (Devlin et al.,
# section 3); the released file has 30,522 lines, some of them unused.
#
# ### C · One vocabulary, many languages
#
# **Multilingual BERT** has one vocabulary: 119,547 tokens for 104 languages (the cased model). Fine-tuned in one of them, it also works in
# the others, though less well (Pires et al., 2019). But what does sharing a vocabulary do to each? From the
# ten sentences of section 4 we train three vocabularies of 500 tokens: one on English only, one as on the web (numbers
# that we made up: English 100 times, Russian 20, German and Spanish 10, Chinese 5, Finnish once), one with all alike. Each
# then reads all sixty sentences; the last two have been trained on them. Below the bars is *The dog sleeps under the kitchen table* in
# Finnish.

# %%
views.languages()

# %% [markdown]
# A short bar means little if the words are `[UNK]`. Otherwise, a language with more text gets more merges, and so
# fewer tokens, except in Chinese, whose characters are words.
#
# Multilingual BERT raises each language's share of the text to the power of 0.7, divides by the sum, and samples text in
# these proportions, for its vocabulary and for training. **XLM-R** takes 0.3 (Conneau et al., section 3). Our shares:

# %%
views.sampled()

# %% [markdown]
# With equal shares (power 0), languages with little text would get tokens that rarely occur, English would pay for it,
# and a tiny Wikipedia would be read thousands of times.
#
# ### D · Other embeddings
#
# Other models add other embeddings in the same way:
#
# | model | added to the token's embedding |
# |---|---|
# | BERT | position, segment |
# | RoBERTa | position |
# | TAPAS, which reads tables (Herzig et al., section 2) | position, segment, column, row, rank, previous answer |
# | TableFormer (Yang et al.) | no row or column: attention has learned biases instead, so their order cannot matter |
#
# BERT has segments because it is also trained to say whether B follows A. RoBERTa dropped that task (lesson 4 asks
# whether it was missed), and with it segment B. The embedding of segment A alone is a constant: it can be added to the word table once and
# for all.
#
# <details><summary><b>Why add them, and not write them side by side?</b></summary>
#
# Side by side, either each would keep its own part of the 768 columns, or every later matrix would have to be wider.
# When they are added, training decides how they share the columns.
# </details>
#
# <details><summary><b>Why can BERT not read 513 tokens?</b></summary>
#
# The position table has 512 learned rows, and no formula gives the next one. Longer texts are truncated, or read in
# overlapping parts (lesson 7).
# </details>
#
# ### Papers
#
# - Devlin et al. (2019): [BERT](https://arxiv.org/abs/1810.04805), section 3, figure 2.
# - Sennrich et al. (2016): [byte-pair encoding](https://arxiv.org/abs/1508.07909), section 3.2.
# - Schuster and Nakajima (2012): *Japanese and Korean Voice Search*, section 3, where WordPiece began.
# - Wu et al. (2016): [Google's translator](https://arxiv.org/abs/1609.08144), section 4.1, WordPiece.
# - Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692), section 4.4, bytes.
# - Conneau et al. (2020): [XLM-R](https://arxiv.org/abs/1911.02116), section 3. Multilingual BERT: the file
#   `multilingual.md` in google-research/bert.
# - Pires et al. (2019): [How multilingual is Multilingual BERT?](https://arxiv.org/abs/1906.01502)
# - Herzig et al. (2020): [TAPAS](https://arxiv.org/abs/2004.02349). Yang et al. (2022):
#   [TableFormer](https://arxiv.org/abs/2203.00274).
# - In the package: `minibert/tokenizer/`, `minibert/data/batch.py`, `minibert/reference/encoder.py`.
