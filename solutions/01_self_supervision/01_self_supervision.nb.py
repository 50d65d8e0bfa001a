# %% [markdown] nb="read intro"
# # Unit 01 · Self-supervision: mask words, and mask them well
#
# BERT learns from plain text: some tokens are masked, and it has to predict them. You will write the code that masks
# them, first as in the BERT paper, then for many epochs, then whole words, then spans as in SpanBERT. Each function is a
# few lines of NumPy.
#
# | | exercise | points | minutes | difficulty |
# | --- | --- | --- | --- | --- |
# | 1 | `choose_positions` | 3 | 10 | ●○○ |
# | 2 | `corrupt_80_10_10` | 5 | 20 | ●●○ |
# | 3 | Why keep some? (in words) | 2 | 5 | ●○○ |
# | 4 | Find the bug | 2 | 10 | ●●○ |
# | 5 | `epoch_masks` | 3 | 15 | ●●○ |
# | 6 | `whole_word_positions` | 4 | 20 | ●●○ |
# | 7 | `span_positions` | 4 | 25 | ●●● |
# | 8 | Find three bugs | 3 | 15 | ●●○ |
# | 9 | Write a test | 3 | 20 | ●●○ |
# | | together | **29** | **140** | |
#
# The finished notebook runs in 3 seconds on two cores, and its last cell, with a model, in a few more.
#
# **How it works.** Write your code where it says `YOUR CODE HERE`, and delete the line `raise NotImplementedError()`.
# Run the cell, then the check below it. The check tells you what is wrong, as often as you like. The number under
# its verdict is what the cell earns so far: at most half of its points until all is right. More points are given after
# you hand in, for the same function on other inputs: solve the exercise, not the check. What a function is given, it must
# not change.
#
# **Stuck?** Each exercise has folded hints; open them one by one. `check.choose_positions.hint()` in a cell of your own
# shows three more, one each time you run it, and likewise for the others.
#
# **Chance.** Exercises 1, 2, 5, 6 and 7 draw at random, so no single result is right. The checks look at many results:
# what must always hold, and how often what happens. All randomness comes from the argument `rng`, a NumPy generator:
# `rng.random(shape)` draws numbers from 0 to 1, `rng.integers(n)` whole numbers below n, `rng.choice(array)` one of an
# array, and `rng.permutation(array)` shuffles a copy. With the same seed, the same is drawn: that makes a training
# run repeatable.
#
# **Axes.** In the comments, **B** counts the sequences of a batch and **T** the tokens of a sequence.

# %% nb="read imports"
import numpy as np

from minibert.data.batch import IGNORE
from minibert.course import unit01 as check
from minibert.course.checks.student_tests import by_name

# %% [markdown] nb="read example-text"
# Here is a sequence to try things on. A tokenizer has cut rare words into **subwords**; `##` marks one that continues a
# word.

# %% nb="read example"
TOKENS = ("[CLS] the phil ##harm ##onic plays in the old town [SEP] "
          "every ##body lis ##tens [SEP] [PAD] [PAD]").split()
WORDS = np.array([-1, 0, 1, 1, 1, 2, 3, 4, 5, 6, -1, 7, 7, 8, 8, -1, -1, -1])  # (T,): -1 is special


def show(chosen):
    """The tokens, with a line under each chosen one."""
    print(" ".join(TOKENS))
    print(" ".join(("^" if hit else " ") * len(token) for token, hit in zip(TOKENS, chosen, strict=True)))


show(WORDS == 1)  # all subwords of word 1

# %% [markdown] nb="read choose-positions-text"
# ## 1 · Choose what to predict
# **3 points · 10 minutes · ●○○**
#
# BERT predicts 15% of the tokens, but never `[CLS]`, `[SEP]` or padding. Write `choose_positions`: each candidate gets
# a toss of its own and is chosen with probability `rate`.
#
# | | shape | |
# | --- | --- | --- |
# | `candidates` | any, such as (B, T), bool | True: this position may be chosen |
# | `rate` | a number from 0 to 1 | the probability of each candidate |
# | `rng` | | where the draws come from |
# | returns | as `candidates`, bool | True: this position is to be predicted |
#
# With rate 1 every candidate is chosen, with rate 0 none. The input stays as it is.
#
# <details><summary>Hint</summary>
# Draw one number from 0 to 1 for each position, in the shape of <code>candidates</code>. How often is it below 0.15?
# </details>
# <details><summary>Common error</summary>
# Forgetting <code>candidates</code>: then 15% of the padding is predicted too. Two conditions must hold at once, and
# <code>&</code> combines them.
# </details>
# <details><summary>Why a toss for each, and not exactly 15%?</summary>
# Both exist; BERT's own code takes an exact number. Tosses are simpler and give 15% on average, and in a short sequence
# they do not force the same number each time.
# </details>


# %% nb="solution choose-positions"
def choose_positions(candidates, rate, rng):
    """Each of `candidates` (bool, any shape) with probability `rate`. Returns bool of the same shape."""
    ### BEGIN SOLUTION
    return candidates & (rng.random(candidates.shape) < rate)
    ### END SOLUTION


# %% nb="tests choose-positions-visible 2"
check.choose_positions(choose_positions, points=2)

# %% nb="tests choose-positions-hidden 1"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.choose_positions(choose_positions, seed=6173, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# See what your answer does to a sentence:

# %%
show(choose_positions(WORDS >= 0, 0.15, np.random.default_rng()))  # run it several times

# %% [markdown] nb="read corrupt-text"
# ## 2 · What the model gets to see
# **5 points · 20 minutes · ●●○**
#
# A chosen token meets one of three fates. In 80% of the cases the model sees `[MASK]` in its place, in 10% a random
# token, and in 10% the token itself. The fates exclude each other, and each position has its own.
#
# | | shape | |
# | --- | --- | --- |
# | `input_ids` | (B, T), int | the tokens |
# | `chosen` | (B, T), bool | True: this position is to be predicted |
# | `mask_id` | int | the id of `[MASK]` |
# | `ordinary_ids` | (N,), int | the ids a random token is drawn from, all alike; no special tokens, and with gaps |
# | `rng` | | where the draws come from |
# | returns | (B, T), int | a new array: what the model sees |
#
# Positions that are not chosen stay. A random token may happen to be the old one; that is fine.
#
# <details><summary>Hint</summary>
# One number from 0 to 1 for each position, cut in three: below 0.8, from 0.8 to 0.9, and the rest.
# <code>np.where(condition, a, b)</code> takes from a where the condition is True, and else from b.
# </details>
# <details><summary>Common error</summary>
# A new draw for each fate. "80%: [MASK]; else with 10%: random" replaces only 10% of the remaining 20%, which is 2%.
# </details>
# <details><summary>Why not a random id below the vocabulary size?</summary>
# Then [PAD], [CLS] or [MASK] itself would come up in the middle of a sentence. So the ids to draw from are given:
# take <code>ordinary_ids[index]</code>, not the index.
# </details>


# %% nb="solution corrupt"
def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
    """input_ids (B, T) int, chosen (B, T) bool, ordinary_ids (N,) int. Returns what the model sees, a new (B, T)."""
    ### BEGIN SOLUTION
    fate = rng.random(input_ids.shape)                          # (B, T)
    token = rng.choice(ordinary_ids, size=input_ids.shape)      # (B, T)
    masked = chosen & (fate < 0.8)
    replaced = chosen & (fate >= 0.8) & (fate < 0.9)
    return np.where(masked, mask_id, np.where(replaced, token, input_ids))
    ### END SOLUTION


# %% nb="tests corrupt-visible 3"
check.corrupt_80_10_10(corrupt_80_10_10, points=3)

# %% nb="tests corrupt-hidden 2"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.corrupt_80_10_10(corrupt_80_10_10, seed=2908, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-keep-text"
# ## 3 · Why keep some?
# **2 points · 5 minutes · ●○○**
#
# Say in two or three sentences: what would go wrong if every chosen token became `[MASK]`? And what does the model
# learn from chosen tokens that are simply left as they are? Think of the day when the trained model reads real text.
#
# <details><summary>Hint</summary>
# How many [MASK] will it see when it answers questions? And, when it sees a word during training, can it tell whether
# it will be asked about it?
# </details>

# %% [markdown] nb="manual why-keep 2"
# `[MASK]` never occurs in the text that the model reads later, in fine-tuning. If every chosen token became `[MASK]`,
# the model would have to say something only where it sees `[MASK]`, and need not represent the other words well. With
# 10% random and 10% kept tokens any word may be asked about, and may be wrong. So the model keeps a representation of
# every token, drawn from its context; the kept ones pull that representation towards the word that really stands there.
#
# **Mark scheme.** 1 point: `[MASK]` is missing in fine-tuning (or in real text), so training and use would differ.
# 1 point: the model cannot know which visible tokens it will be asked about, so it must represent them all; or: kept
# tokens teach it that the visible word is usually right. Other words for the same are as good.

# %% [markdown] nb="read colleague-text"
# ## 4 · Find the bug
# **2 points · 10 minutes · ●●○**
#
# A colleague has written the same function. It runs, it looks tidy, and its comments promise 80, 10 and 10 percent.
# What are the shares really?

# %% nb="read colleague"
def corrupt_by_colleague(input_ids, chosen, mask_id, ordinary_ids, rng):
    seen = input_ids.copy()
    hide = chosen & (rng.random(seen.shape) < 0.8)      # 80%: [MASK]
    seen[hide] = mask_id
    swap = chosen & (rng.random(seen.shape) < 0.1)      # 10%: a random token
    seen[swap] = rng.choice(ordinary_ids, size=swap.sum())
    return seen                                         # the other 10% stay


# %% [markdown] nb="read colleague-task"
# Let `colleague_shares` return three numbers between 0 and 1: the shares of the chosen tokens that become `[MASK]`,
# become a random token, and stay. Two decimals are enough. Think of a vocabulary so large that a random token is never
# the old one by chance.
#
# <details><summary>Hint</summary>
# Two coins are tossed for each chosen token, and neither knows of the other. Four things can happen: go through them.
# </details>
# <details><summary>Common error</summary>
# Trusting the comments. What does a token become for which both conditions hold?
# </details>
# <details><summary>Another way</summary>
# Measure: run the function on a million chosen tokens, count, and round to two decimals.
# </details>


# %% nb="solution colleague-shares"
def colleague_shares():
    """Returns the shares (masked, random, kept) of corrupt_by_colleague."""
    ### BEGIN SOLUTION
    hide, swap = 0.8, 0.1
    return hide * (1 - swap), swap, (1 - hide) * (1 - swap)
    ### END SOLUTION


# %% nb="tests colleague-shares-visible 2"
check.colleague_shares(colleague_shares, points=2)

# %% [markdown] nb="read epoch-masks-text"
# ## 5 · A stored mask, or a fresh one each time
# **3 points · 15 minutes · ●●○**
#
# A model reads its text in many epochs. BERT's own code masked ten copies of the text in advance, and used them again and
# again: *static masking*. RoBERTa draws a new mask each time: *dynamic masking*. Write `epoch_masks`, which says for each
# epoch which positions are to be predicted.
#
# | | shape | |
# | --- | --- | --- |
# | `candidates` | any, such as (B, T), bool | True: this position may be chosen |
# | `rate` | a number from 0 to 1 | the probability of each candidate, in each mask |
# | `epochs` | int, at least 1 | how often the text is read |
# | `copies` | int, at least 1, or None | how many masks are stored; None: none is, each epoch has a fresh one |
# | `rng` | | where the draws come from |
# | returns | (epochs, ...), such as (epochs, B, T), bool | the mask of each epoch |
#
# Each mask is drawn as in exercise 1, whatever was drawn before. Stored masks **take turns**: the first epoch has the
# first one, the second epoch the second one, and after the last one it begins again with the first. With 5 epochs and 2
# copies, the result holds the masks a, b, a, b, a; with None it holds a, b, c, d, e. There may be more copies than
# epochs: then some are never used. You may call your `choose_positions` if it passes its check, or write its line again.
#
# <details><summary>Hint</summary>
# How many masks are to be drawn in each case? Put them in a list first. <code>epoch % copies</code> is the remainder: it
# counts 0, 1, 0, 1, 0 for 2 copies. <code>np.stack</code> makes one array of a list of arrays.
# </details>
# <details><summary>Common error</summary>
# <code>[choose_positions(...)] * copies</code>: that draws once, and stores the same mask again and again. Or counting
# with <code>copies</code> before looking whether it is None.
# </details>
# <details><summary>Why does it matter?</summary>
# With one stored mask, 85% of the words are never asked about, however long one trains; with ten, it is 20%. Fresh masks
# ask for each word sooner or later, and no answer can be learned by heart together with its gap.
# </details>


# %% nb="solution epoch-masks"
def epoch_masks(candidates, rate, epochs, copies, rng):
    """candidates bool, any shape. Returns (epochs, ...) bool: `copies` masks in turn, or fresh ones with None."""
    ### BEGIN SOLUTION
    count = epochs if copies is None else copies
    drawn = [candidates & (rng.random(candidates.shape) < rate) for _ in range(count)]
    return np.stack([drawn[epoch % count] for epoch in range(epochs)])          # (epochs, ...)
    ### END SOLUTION


# %% nb="tests epoch-masks-visible 2"
check.epoch_masks(epoch_masks, points=2)

# %% nb="tests epoch-masks-hidden 1"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.epoch_masks(epoch_masks, seed=7254, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# What share of 10,000 words has been predicted at least once, with one stored mask, with ten, and with fresh ones?

# %%
for copies in (1, 10, None):
    masks = epoch_masks(np.ones(10_000, dtype=bool), 0.15, 40, copies, np.random.default_rng(0))    # (40, T)
    print(f"copies={copies}:", ", ".join(f"{masks[:n].any(axis=0).mean():.0%} after {n}" for n in (1, 4, 10, 40)))

# %% [markdown] nb="read whole-word-text"
# ## 6 · Whole words
# **4 points · 20 minutes · ●●○**
#
# If only `##harm` is masked in `phil ##harm ##onic`, its neighbours give it away. So choose whole words: all subwords of
# a word, or none.
#
# | | shape | |
# | --- | --- | --- |
# | `words` | (T,), int | the number of each token's word: 0, 1, 2, ...; -1 is a special token |
# | `rate` | a number from 0 to 1 | how much to choose |
# | `rng` | | where the draws come from |
# | returns | (T,), bool | True: this position is to be predicted |
#
# 1. The budget is `rate` times the number of subwords, rounded, and at least 1. Special tokens (-1) do not count, and
#    are never chosen.
# 2. Go through the words in random order. Take the first one, whatever its size.
# 3. Take each further word if it fits into what is left of the budget; if not, skip it and go on with the next.
#
# A sequence may be all special tokens: then nothing is chosen. `words` stays as it is.
#
# <details><summary>Hint</summary>
# <code>np.unique(words[words >= 0])</code> lists the words, <code>words == word</code> are the subwords of one, and
# <code>.sum()</code> of booleans counts. Begin with a result that is False everywhere, and add words to it.
# </details>
# <details><summary>Common error</summary>
# Looking at the budget only before a word is added, and not at the size of the word: a long one then overshoots. Or
# taking -1 for a word.
# </details>
# <details><summary>Why take the first word in any case?</summary>
# Otherwise a short sequence with long words would have nothing to predict, and long words would never be chosen there.
# </details>


# %% nb="solution whole-word"
def whole_word_positions(words, rate, rng):
    """words (T,) int, -1 for special tokens. Returns (T,) bool: whole words, about `rate` of the subwords."""
    ### BEGIN SOLUTION
    budget = max(1, round(rate * (words >= 0).sum()))
    chosen = np.zeros(len(words), dtype=bool)
    for word in rng.permutation(np.unique(words[words >= 0])):
        pieces = words == word
        if not chosen.any() or chosen.sum() + pieces.sum() <= budget:
            chosen = chosen | pieces
    return chosen
    ### END SOLUTION


# %% nb="tests whole-word-visible 2"
check.whole_word_positions(whole_word_positions, points=2)

# %% nb="tests whole-word-hidden 2"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.whole_word_positions(whole_word_positions, seed=5417, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# See what your answer does to a sentence:

# %%
show(whole_word_positions(WORDS, 0.3, np.random.default_rng()))

# %% [markdown] nb="read span-text"
# ## 7 · Spans
# **4 points · 25 minutes · ●●●**
#
# SpanBERT masks several neighbouring words at once. That is harder: inside a span, no word helps with the next.
#
# 1. The budget is as before: `rate` times the number of subwords, rounded, and at least 1.
# 2. Draw a start: a word, each as likely as any other.
# 3. Draw a length of 1 to 10 words, where n has a probability proportional to $0.8^{\,n-1}$. That is a geometric
#    distribution without its tail: a length above 10 is drawn again. The average is 3.8 words.
# 4. Choose the words from the start on, all subwords of each. The span ends early before a special token (-1), also
#    before the `[SEP]` between two sentences, and at the end of the sequence.
# 5. Repeat from 2 until at least the budget is chosen. Spans may overlap; the last one is kept whole, even if it
#    overshoots.
#
# Arguments and result are those of `whole_word_positions`.
#
# <details><summary>Hint</summary>
# Walk along the sequence with a position t. Start at the first subword of the word; for each of the n words, stop if t
# is at the end or <code>words[t]</code> is -1, else choose all subwords of the word and move t behind them.
# </details>
# <details><summary>Common error</summary>
# <code>min(length, 10)</code>: it turns all long spans into spans of 10, so that these come up four times too often.
# And words 6 and 7 of the sequence at the top are neighbours by number, but <code>[SEP]</code> stands between them.
# </details>
# <details><summary>How to draw the length</summary>
# <code>rng.geometric(0.2)</code>, again and again while it is above 10. Or <code>rng.choice</code> with the numbers 1
# to 10 and probabilities <code>p=</code> that you compute once and divide by their sum.
# </details>


# %% nb="solution span"
def span_positions(words, rate, rng):
    """words (T,) int, -1 for special tokens. Returns (T,) bool: spans of whole words, at least `rate` of the subwords."""
    ### BEGIN SOLUTION
    budget = max(1, round(rate * (words >= 0).sum()))
    unique = np.unique(words[words >= 0])
    chosen = np.zeros(len(words), dtype=bool)
    while len(unique) and chosen.sum() < budget:
        length = rng.geometric(0.2)
        while length > 10:
            length = rng.geometric(0.2)
        t = np.argmax(words == rng.choice(unique))              # the first subword of the word drawn
        for _ in range(length):
            if t == len(words) or words[t] < 0:
                break
            pieces = words == words[t]
            chosen = chosen | pieces
            t += pieces.sum()
    return chosen
    ### END SOLUTION


# %% nb="tests span-visible 2"
check.span_positions(span_positions, points=2)

# %% nb="tests span-hidden 2"
# After you hand in, more inputs are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.span_positions(span_positions, seed=3361, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# See what your answer does to a sentence:

# %%
show(span_positions(WORDS, 0.3, np.random.default_rng()))

# %% [markdown] nb="read hide-text"
# ## 8 · Find three bugs
# **3 points · 15 minutes · ●●○**
#
# Here are all steps in one function: what the model sees, and the labels that say what it is asked. So that its result
# can be checked number by number, it draws nothing itself; the draws are arguments.
#
# | | shape | |
# | --- | --- | --- |
# | `input_ids` | (B, T), int | the tokens |
# | `special` | (B, T), bool | True: `[CLS]`, `[SEP]` or padding, which must be left alone |
# | `draws` | (B, T), from 0 to 1 | a position is chosen where its draw is below 0.15 |
# | `fates` | (B, T), from 0 to 1 | of a chosen position: below 0.8 `[MASK]`, from 0.8 to 0.9 random, else kept |
# | `tokens` | (B, T), int | the random tokens, one for each position in case it is needed |
# | returns `seen` | (B, T), int | what the model sees |
# | returns `labels` | (B, T), int | the word that it is asked for at a chosen position, elsewhere `IGNORE` |
#
# It has three bugs. It runs all the same, and its shapes are right: nothing in the output shows them at a glance.

# %% nb="read broken-hide"
def broken_hide(input_ids, special, draws, fates, tokens):
    MASK = 4
    seen = input_ids.copy()
    chosen = draws < 0.15
    masked = chosen & (fates < 0.8)
    seen[masked] = MASK
    replaced = chosen & (fates < 0.9)
    seen[replaced] = tokens[replaced]
    labels = np.where(chosen, seen, IGNORE)
    return seen, labels


# %% [markdown] nb="read hide-examine"
# You need not stare at it. Have it examined: the check tries what must hold of such a function, whatever the numbers,
# and shows what does and what does not.

# %% nb="read hide-examined"
check.hide.examine(broken_hide)

# %% [markdown] nb="read hide-task"
# Copy the function's body into `hide`, and mend it. Each bug is worth a point; examine `hide` as often as you like.
#
# <details><summary>Hint</summary>
# Each broken line of the examination has one cause. For each, ask: which line of the code makes this true, or should?
# An argument that is never used is worth a look.
# </details>
# <details><summary>Common error</summary>
# Mending more than is broken, such as new borders for the fates. Three small changes are enough.
# </details>
# <details><summary>Why does training not fail at once with such bugs?</summary>
# The loss decreases in each case. With labels taken from what is seen, copying is enough to be right; with special
# tokens to predict, part of the loss is easy to win. A decreasing loss shows that something is learned, not what.
# </details>


# %% nb="solution hide"
def hide(input_ids, special, draws, fates, tokens):
    """All arguments (B, T). Returns (seen, labels), both (B, T)."""
    ### BEGIN SOLUTION
    MASK = 4
    seen = input_ids.copy()
    chosen = (draws < 0.15) & ~special
    seen[chosen & (fates < 0.8)] = MASK
    replaced = chosen & (fates >= 0.8) & (fates < 0.9)
    seen[replaced] = tokens[replaced]
    return seen, np.where(chosen, input_ids, IGNORE)
    ### END SOLUTION


# %% nb="tests hide-1 1"
check.hide.bug(1)(hide)
### BEGIN HIDDEN TESTS
check.hide.bug(1)(hide, seed=8147, hidden=True)
### END HIDDEN TESTS

# %% nb="tests hide-2 1"
check.hide.bug(2)(hide)
### BEGIN HIDDEN TESTS
check.hide.bug(2)(hide, seed=1905, hidden=True)
### END HIDDEN TESTS

# %% nb="tests hide-3 1"
check.hide.bug(3)(hide)
### BEGIN HIDDEN TESTS
check.hide.bug(3)(hide, seed=4412, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read test-text"
# ## 9 · Write a test
# **3 points · 20 minutes · ●●○**
#
# Now change sides: write the check. `test_whole_words` gets a function that claims to be `whole_word_positions`, from
# exercise 6. It may be anybody's. Your test says nothing when all is well, and stops at an `assert` when it is not:
#
# `assert not chosen[words < 0].any(), "a special token is chosen"`
#
# The function draws at random, so call it many times, with a generator of your own such as
# `np.random.default_rng(0)`, and ask for what must hold each time: of special tokens, of the subwords of a word, of the
# budget, of a sequence in which no word fits into it. Something can also be seen in many results together, such as
# whether every word has its turn. And what happens to `words` itself?
#
# The check hands your test right versions, which it must accept, and wrong ones, which it must catch. Some wrong ones
# come after you hand in. The line `@by_name` above the function lets the check do that: leave it there.
#
# <details><summary>Hint</summary>
# A loop of 100 calls with <code>WORDS</code> and a rate of 0.3, and four asserts in it. For the sequence in which nothing
# fits: <code>np.array([-1, 0, 0, 0, 0, -1])</code> with rate 0.15 has the budget 1, and its one word is taken whole.
# </details>
# <details><summary>Common error</summary>
# Asking for what is usual instead of what must be: "15% are chosen" does not hold of a single sequence. Or forgetting
# that one word alone may be larger than the budget.
# </details>
# <details><summary>When is a budget used up?</summary>
# When no word that was left out would still fit: chosen subwords and the subwords of the smallest such word are together
# more than the budget.
# </details>


# %% nb="solution test-whole-words"
@by_name
def test_whole_words(whole_word_positions):
    """Stops at an assert where whole_word_positions(words, rate, rng) does not do what exercise 6 asks for."""
    ### BEGIN SOLUTION
    rng, often = np.random.default_rng(0), np.zeros(len(WORDS))
    for words in [WORDS, np.array([-1, 0, 0, 0, 0, -1])] * 200:
        before = words.copy()
        chosen = whole_word_positions(words, 0.3, rng)
        assert (words == before).all(), "the input is changed"
        assert not (chosen & (words == -1)).any(), "a special token is chosen"
        assert chosen.any(), "nothing is chosen"
        taken = np.unique(words[chosen])
        assert (chosen == np.isin(words, taken)).all(), "a word is cut"
        budget = max(1, round(0.3 * (words >= 0).sum()))
        assert chosen.sum() <= budget or len(taken) == 1, "the budget is exceeded"
        left = [(words == word).sum() for word in np.unique(words[~chosen & (words >= 0)])]
        assert not left or chosen.sum() + min(left) > budget, "a word would still fit"
        often[:len(words)] += chosen if len(words) == len(WORDS) else 0
    assert (often[WORDS >= 0] > 0).all(), "a word is never chosen"
    ### END SOLUTION


# %% nb="tests test-whole-words-visible 2"
check.test_whole_words(test_whole_words, points=2)

# %% nb="tests test-whole-words-hidden 1"
# After you hand in, more wrong versions are tried here. There is nothing to write.
### BEGIN HIDDEN TESTS
check.test_whole_words(test_whole_words, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does it accept your own answer to exercise 6? If nothing is printed, it does:

# %%
test_whole_words(whole_word_positions)

# %% [markdown]
# Last, your functions at work: they mask 30% of the tokens of forty texts, in three shapes, and a model that has learned
# with such masks guesses them. Guess first: which shape is hardest? (Where the English model cannot be had, a line says
# so, and the course's own takes its place: it knows little of these texts.)

# %%
import minibert
import torch
from minibert.data.batch import pack
from minibert.course.texts.passages import passages

english = minibert.load("english")
vocab, specials = np.array(english.tokenizer.vocab), english.tokenizer.specials
ordinary = np.flatnonzero(~np.char.startswith(vocab, "["))
room = english.config.max_position_embeddings - 2                           # longer texts are cut

for shape, choose in {"single tokens": lambda words, rate, rng: choose_positions(words >= 0, rate, rng),
                      "whole words": whole_word_positions, "spans": span_positions}.items():
    rng, right = np.random.default_rng(1), []
    for passage in passages():
        text = english.tokenizer.encode(" ".join(passage.sentences[:3]))
        words = np.array([-1, *text.words[:room], -1])                      # (T,)
        ids = np.array([pack(text.ids[:room], None, specials)[0]])          # (1, T)
        chosen = choose(words, 0.3, rng)[None]                              # (1, T)
        seen = torch.tensor(corrupt_80_10_10(ids, chosen, specials.mask, ordinary, rng))
        visible = torch.ones(1, len(words), len(words), dtype=torch.bool)
        outputs = english.model(seen, visible, torch.zeros_like(seen), torch.tensor(chosen))
        guesses = outputs["tokens"].argmax(-1).numpy()                      # (N,)
        right += (guesses == ids[chosen]).tolist()
    print(f"{shape}: {len(right)} tokens to predict, {np.mean(right):.0%} right. In the last text it saw:")
    print("   ", *vocab[seen[0, 1:21]], "...\n")

# %% [markdown] nb="read end"
# ## Done?
#
# Restart the kernel, run all cells, and see that each check says `passed`. Then hand in.
#
# **Where to read on.** Masking: Devlin et al. (2019), [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), section 3.1
# and appendix A.1, with the ablation of 80/10/10 in appendix C.2. Spans: Joshi et al. (2020),
# [arXiv 1907.10529](https://arxiv.org/abs/1907.10529), section 3.1. Static and dynamic masks: Liu et al. (2019),
# [arXiv 1907.11692](https://arxiv.org/abs/1907.11692), section 4.1.
