# %% [markdown] nb="read intro"
# # Unit 01 · Self-supervision: mask words, and mask them well
#
# BERT learns from plain text: some tokens are masked, and the model has to predict them. You will write the code that
# masks them: first as in the BERT paper, then for many epochs, then for whole words, and finally for spans as in
# SpanBERT. Each function is a few lines of NumPy.
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
# | | total | **29** | **140** | |
#
# The finished notebook runs in 3 seconds on two cores. Its last cell, which uses a model, takes a few more.
#
# {{how it works}}
#
# **Stuck?** Each exercise has folded hints; open them one by one. For three more hints, run
# `check.choose_positions.hint()` in a new cell: it shows one each time. The other exercises have hints of the
# same kind.
#
# **Randomness.** The functions of exercises 1, 2, 5, 6 and 7 draw at random, so there is no single right result. The
# checks look at many results: at what must always be true, and at how often each outcome occurs. All randomness comes
# from the argument `rng`, a NumPy generator: `rng.random(shape)` draws numbers between 0 and 1, `rng.integers(n)` draws
# integers below n, `rng.choice(array)` draws an element of an array, and `rng.permutation(array)` returns a shuffled
# copy. The same seed gives the same draws, which makes a training run reproducible.
#
# **Axes.** In the comments, **B** is the number of sequences in a batch and **T** the number of tokens in a sequence.

# %% nb="read imports"
import numpy as np

from minibert.data.batch import IGNORE
from minibert.course import unit01 as check
from minibert.course.checks.student_tests import by_name

# %% [markdown] nb="read example-text"
# Here is a sequence to try things on. The tokenizer has split rare words into **subwords**; `##` marks a subword that
# continues a word.

# %% nb="read example"
TOKENS = ("[CLS] the phil ##harm ##onic plays in the old town [SEP] "
          "every ##body lis ##tens [SEP] [PAD] [PAD]").split()
WORDS = np.array([-1, 0, 1, 1, 1, 2, 3, 4, 5, 6, -1, 7, 7, 8, 8, -1, -1, -1])  # (T,): -1 is special


def show(chosen):
    """Print the tokens, with a mark under each chosen one."""
    print(" ".join(TOKENS))
    print(" ".join(("^" if hit else " ") * len(token) for token, hit in zip(TOKENS, chosen, strict=True)))


show(WORDS == 1)  # all subwords of word 1

# %% [markdown] nb="read choose-positions-text"
# ## 1 · Choose what to predict
# **3 points · 10 minutes · ●○○**
#
# BERT predicts 15% of the tokens, but never `[CLS]`, `[SEP]` or padding. Write `choose_positions`: it chooses each
# candidate with probability `rate`, independently of the others.
#
# | | shape | |
# | --- | --- | --- |
# | `candidates` | any, such as (B, T), bool | True: this position may be chosen |
# | `rate` | a number from 0 to 1 | the probability of each candidate |
# | `rng` | | the generator for all draws |
# | returns | like `candidates`, bool | True: this position is to be predicted |
#
# With rate 1 every candidate is chosen, with rate 0 none.
#
# <details><summary>Hint</summary>
# Draw one number between 0 and 1 for each position, in the shape of <code>candidates</code>. How often is it
# below 0.15?
# </details>
# <details><summary>Common error</summary>
# Forgetting <code>candidates</code>: then 15% of the padding is predicted too. Two conditions must hold; combine them
# with <code>&</code>.
# </details>
# <details><summary>Why not choose exactly 15%?</summary>
# Both schemes exist; BERT's own code chooses an exact number. Independent draws are simpler and give 15% on average,
# and they do not force the same number on every short sequence.
# </details>


# %% nb="solution choose-positions"
def choose_positions(candidates, rate, rng):
    """Choose each of `candidates` (bool, any shape) with probability `rate`. Return bool of the same shape."""
    ### BEGIN SOLUTION
    return candidates & (rng.random(candidates.shape) < rate)
    ### END SOLUTION


# %% nb="tests choose-positions-visible 2"
check.choose_positions(choose_positions, points=2)

# %% nb="tests choose-positions-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.choose_positions(choose_positions, seed=6173, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Try your function on the sequence:

# %%
show(choose_positions(WORDS >= 0, 0.15, np.random.default_rng()))  # run it several times

# %% [markdown] nb="read corrupt-text"
# ## 2 · What the model gets to see
# **5 points · 20 minutes · ●●○**
#
# What does the model see at a chosen position? In 80% of the cases `[MASK]`, in 10% a random token, and in 10% the
# token itself. Exactly one of the three happens, and it is drawn separately for each position.
#
# | | shape | |
# | --- | --- | --- |
# | `input_ids` | (B, T), int | the tokens |
# | `chosen` | (B, T), bool | True: this position is to be predicted |
# | `mask_id` | int | the id of `[MASK]` |
# | `ordinary_ids` | (N,), int | the ids of ordinary tokens, all equally likely as a random token; there are gaps |
# | `rng` | | the generator for all draws |
# | returns | (B, T), int | a new array: what the model sees |
#
# Positions that are not chosen keep their tokens. A random token may happen to be the original one; that is fine.
#
# <details><summary>Hint</summary>
# Draw one number between 0 and 1 for each position, and divide its range into three: below 0.8, from 0.8 to 0.9, and
# the rest. <code>np.where(condition, a, b)</code> takes a where the condition is True, and b elsewhere.
# </details>
# <details><summary>Common error</summary>
# Making a new draw for each outcome. "80%: [MASK]; otherwise 10%: random" replaces only 10% of the remaining 20%, which
# is 2%.
# </details>
# <details><summary>Why not a random id below the vocabulary size?</summary>
# Because then [PAD], [CLS] or [MASK] could be drawn in the middle of a sentence. That is why you get the ids to draw
# from: take <code>ordinary_ids[index]</code>, not the index.
# </details>


# %% nb="solution corrupt"
def corrupt_80_10_10(input_ids, chosen, mask_id, ordinary_ids, rng):
    """input_ids (B, T) int, chosen (B, T) bool, ordinary_ids (N,) int. Return the model's input, a new array (B, T)."""
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
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.corrupt_80_10_10(corrupt_80_10_10, seed=2908, hidden=True)
### END HIDDEN TESTS

# %% [markdown] nb="read why-keep-text"
# ## 3 · Why keep some?
# **2 points · 5 minutes · ●○○**
#
# Explain in two or three sentences: what would go wrong if every chosen token became `[MASK]`? And what does the model
# learn from chosen tokens that are left unchanged? Think of what the trained model reads later.
#
# <details><summary>Hint</summary>
# How many [MASK] tokens will the model see when it answers questions? And when it sees a word during training, can it
# know whether it has to predict that word?
# </details>

# %% [markdown] nb="manual why-keep 2"
# `[MASK]` never occurs in the text that the model reads later, in fine-tuning. If every chosen token became `[MASK]`,
# the model would have to predict something only where it sees `[MASK]`, and would not need to represent the other words
# well. With 10% random and 10% kept tokens, the model may have to predict any word, and any word may be wrong. So it
# keeps a representation of every token that depends on the context; the kept tokens pull that representation towards
# the original word.
#
# **Mark scheme.** 1 point: `[MASK]` does not occur in fine-tuning (or in real text), so training and use would differ.
# 1 point: the model cannot know which visible tokens it has to predict, so it must represent them all; or: kept tokens
# teach it that the visible word is usually right. Accept other wordings of the same ideas.

# %% [markdown] nb="read colleague-text"
# ## 4 · Find the bug
# **2 points · 10 minutes · ●●○**
#
# A colleague has written the same function. It runs, it looks tidy, and its comments promise 80, 10 and 10 percent.
# What are the real shares?

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
# become a random token, and stay the same. Two decimals are enough. Assume a vocabulary so large that a random token is
# never the original one by chance.
#
# <details><summary>Hint</summary>
# Two independent draws are made for each chosen token. That gives four cases: go through them.
# </details>
# <details><summary>Common error</summary>
# Trusting the comments. What does a token become if both conditions hold for it?
# </details>
# <details><summary>Another way</summary>
# Measure: run the function on a million chosen tokens, count, and round to two decimals.
# </details>


# %% nb="solution colleague-shares"
def colleague_shares():
    """Return the shares (masked, random, kept) of corrupt_by_colleague."""
    ### BEGIN SOLUTION
    hide, swap = 0.8, 0.1
    return hide * (1 - swap), swap, (1 - hide) * (1 - swap)
    ### END SOLUTION


# %% nb="tests colleague-shares-visible 2"
check.colleague_shares(colleague_shares, points=2)

# %% [markdown] nb="read epoch-masks-text"
# ## 5 · Stored masks, or a fresh one in each epoch
# **3 points · 15 minutes · ●●○**
#
# A model reads its training text for many epochs. BERT's own code masked ten copies of the text in advance, and used
# them again and again: *static masking*. RoBERTa draws a new mask each time: *dynamic masking*. Write `epoch_masks`,
# which returns the positions to predict in each epoch.
#
# | | shape | |
# | --- | --- | --- |
# | `candidates` | any, such as (B, T), bool | True: this position may be chosen |
# | `rate` | a number from 0 to 1 | the probability of each candidate, in each mask |
# | `epochs` | int, at least 1 | how many times the text is read |
# | `copies` | int, at least 1, or None | how many masks are stored; None: store none, each epoch has a fresh one |
# | `rng` | | the generator for all draws |
# | returns | (epochs, ...), such as (epochs, B, T), bool | the mask of each epoch |
#
# Each mask is drawn as in exercise 1, independently of the others. Stored masks **take turns**: the first epoch
# uses the first mask, the second epoch the second, and after the last mask comes the first again. With 5 epochs and
# 2 copies, the result holds the masks a, b, a, b, a; with None it holds a, b, c, d, e. There may be more copies
# than epochs: then some are never used. You may call your `choose_positions` if it passes its check, or write its
# line again.
#
# <details><summary>Hint</summary>
# How many masks do you have to draw in each case? Put them in a list first. <code>epoch % copies</code> is the
# remainder: it counts 0, 1, 0, 1, 0 for 2 copies. <code>np.stack</code> makes one array from a list of arrays.
# </details>
# <details><summary>Common error</summary>
# Writing <code>[choose_positions(...)] * copies</code>: that draws once, and stores the same mask several times. Or
# calculating with <code>copies</code> before checking whether it is None.
# </details>
# <details><summary>Why does it matter?</summary>
# With one stored mask, the model never predicts 85% of the words, however long it trains; with ten, it never predicts
# 20%. With fresh masks, it predicts every word sooner or later, and cannot memorise a masked position together with
# its answer.
# </details>


# %% nb="solution epoch-masks"
def epoch_masks(candidates, rate, epochs, copies, rng):
    """candidates bool, any shape. Return (epochs, ...) bool: `copies` masks in turn, or fresh ones with None."""
    ### BEGIN SOLUTION
    count = epochs if copies is None else copies
    drawn = [candidates & (rng.random(candidates.shape) < rate) for _ in range(count)]
    return np.stack([drawn[epoch % count] for epoch in range(epochs)])          # (epochs, ...)
    ### END SOLUTION


# %% nb="tests epoch-masks-visible 2"
check.epoch_masks(epoch_masks, points=2)

# %% nb="tests epoch-masks-hidden 1"
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.epoch_masks(epoch_masks, seed=7254, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# What share of 10,000 words has been predicted at least once, with one stored mask, with ten, and with fresh masks?

# %%
for copies in (1, 10, None):
    masks = epoch_masks(np.ones(10_000, dtype=bool), 0.15, 40, copies, np.random.default_rng(0))    # (40, T)
    print(f"copies={copies}:", ", ".join(f"{masks[:n].any(axis=0).mean():.0%} after {n}" for n in (1, 4, 10, 40)))

# %% [markdown] nb="read whole-word-text"
# ## 6 · Whole words
# **4 points · 20 minutes · ●●○**
#
# If only `##harm` is masked in `phil ##harm ##onic`, its neighbours give it away. So choose whole words: all subwords
# of a word, or none of them.
#
# | | shape | |
# | --- | --- | --- |
# | `words` | (T,), int | the number of each token's word: 0, 1, 2, ...; -1 is a special token |
# | `rate` | a number from 0 to 1 | the share of the subwords to choose |
# | `rng` | | the generator for all draws |
# | returns | (T,), bool | True: this position is to be predicted |
#
# 1. The budget is `rate` times the number of subwords, rounded, and at least 1. Special tokens (-1) do not count, and
#    are never chosen.
# 2. Go through the words in random order. Take the first one, whatever its size.
# 3. Take each further word if it fits into the rest of the budget; if not, skip it and try the next one.
#
# A sequence may consist of special tokens only: then nothing is chosen.
#
# <details><summary>Hint</summary>
# <code>np.unique(words[words >= 0])</code> lists the words, <code>words == word</code> marks the subwords of one word,
# and <code>.sum()</code> of booleans counts the True values. Start with a result that is False everywhere, and add
# words to it.
# </details>
# <details><summary>Common error</summary>
# Checking only whether the budget is used up, and not the size of the next word: then a long word exceeds it. Or
# treating -1 as a word.
# </details>
# <details><summary>Why always take the first word?</summary>
# Otherwise a short sequence of long words would have nothing to predict, and its long words would never be chosen.
# </details>


# %% nb="solution whole-word"
def whole_word_positions(words, rate, rng):
    """words (T,) int, -1 for special tokens. Return (T,) bool: whole words, about `rate` of the subwords."""
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
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.whole_word_positions(whole_word_positions, seed=5417, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Try your function on the sequence:

# %%
show(whole_word_positions(WORDS, 0.3, np.random.default_rng()))

# %% [markdown] nb="read span-text"
# ## 7 · Spans
# **4 points · 25 minutes · ●●●**
#
# SpanBERT masks several neighbouring words together. That makes the task harder, because inside a span no word helps to
# predict the next.
#
# 1. The budget is as before: `rate` times the number of subwords, rounded, and at least 1.
# 2. Draw a word as the start, with equal probability for each word.
# 3. Draw a length of 1 to 10 words. The probability of length n is proportional to $0.8^{\,n-1}$: a geometric
#    distribution without its tail, in which a length above 10 is drawn again. The average is 3.8 words.
# 4. Choose that many words from the start, with all their subwords. The span ends early before a special token (-1),
#    including the `[SEP]` between two sentences, and at the end of the sequence.
# 5. Repeat from step 2 until the budget is reached. Spans may overlap; keep the last one whole, even if it exceeds
#    the budget.
#
# The arguments and the result are the same as for `whole_word_positions`, and special tokens alone give nothing.
#
# <details><summary>Hint</summary>
# Walk along the sequence with a position t. Start at the first subword of the word. For each of the n words, stop if t
# is at the end or <code>words[t]</code> is -1; otherwise choose all subwords of the word and move t past them.
# </details>
# <details><summary>Common error</summary>
# Writing <code>min(length, 10)</code>: it turns all longer spans into spans of 10, which are then four times too
# frequent. Or running over a special token: words 6 and 7 of the sequence at the top have neighbouring numbers, but
# <code>[SEP]</code> is between them.
# </details>
# <details><summary>How do I draw the length?</summary>
# Call <code>rng.geometric(0.2)</code>, and repeat while the length is above 10. Or call <code>rng.choice</code> with
# the numbers 1 to 10 and probabilities <code>p=</code> that you compute once and divide by their sum.
# </details>


# %% nb="solution span"
def span_positions(words, rate, rng):
    """words (T,) int, -1 for special tokens. Return (T,) bool: spans of words, at least `rate` of the subwords."""
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
# After you hand in, this cell tries more inputs. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.span_positions(span_positions, seed=3361, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Try your function on the sequence:

# %%
show(span_positions(WORDS, 0.3, np.random.default_rng()))

# %% [markdown] nb="read hide-text"
# ## 8 · Find three bugs
# **3 points · 15 minutes · ●●○**
#
# Here are all the steps in one function. It returns the model's input and the labels to predict. It makes no draws of
# its own, but gets them as arguments, so that every number of its result can be checked.
#
# | | shape | |
# | --- | --- | --- |
# | `input_ids` | (B, T), int | the tokens |
# | `special` | (B, T), bool | True: `[CLS]`, `[SEP]` or padding, which must not be masked or predicted |
# | `draws` | (B, T), from 0 to 1 | a position is chosen if its draw is below 0.15 |
# | `fates` | (B, T), from 0 to 1 | a chosen position shows `[MASK]` below 0.8, a random token from 0.8 to 0.9, else the original |
# | `tokens` | (B, T), int | a random token for each position, in case it is needed |
# | returns `seen` | (B, T), int | what the model sees |
# | returns `labels` | (B, T), int | the original token at a chosen position, `IGNORE` elsewhere |
#
# The function has three bugs. It still runs, and its shapes are right: you cannot see the bugs in its output at
# a glance.

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
# Do not just stare at the code: let the check examine it. It tests what must be true of a correct function for any
# input, and shows which of these properties hold.

# %% nb="read hide-examined"
check.hide.examine(broken_hide)

# %% [markdown] nb="read hide-task"
# Copy the function's body into `hide`, and fix it. You can examine `hide` as often as you like.
# {{each bug}}
#
# <details><summary>Hint</summary>
# Each line marked BROKEN has one cause. For each of them, ask which line of the code should make it true. Also look for
# an argument that is never used.
# </details>
# <details><summary>Common error</summary>
# Changing more than is broken, such as the limits 0.8 and 0.9. Three small changes are enough.
# </details>
# <details><summary>Why does training not fail immediately with such bugs?</summary>
# The loss decreases with each of them. If the labels are taken from the model's input, copying is enough to be right;
# if special tokens are predicted, part of the task is very easy. A decreasing loss shows that the model learns
# something, but not what.
# </details>


# %% nb="solution hide"
def hide(input_ids, special, draws, fates, tokens):
    """All arguments (B, T). Return (seen, labels), both (B, T)."""
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
# Now change sides and write the check yourself. `test_whole_words` gets a function that claims to be
# `whole_word_positions` from exercise 6, written by anyone. If the function is right, your test does nothing; if it is
# wrong, an `assert` fails:
#
# `assert not chosen[words < 0].any(), "a special token is chosen"`
#
# The function draws at random, so call it many times, with your own generator such as `np.random.default_rng(0)`, and
# check what must be true each time: for special tokens, for the subwords of a word, for the budget, and for a sequence
# in which no word fits into the budget. Some errors only show in many results together, such as a word that is never
# chosen. And does the function change `words`?
#
# The check runs your test on right versions, which it must accept, and on wrong ones, which it must catch. Some wrong
# versions are added after you hand in. The check needs the line `@by_name` above the function: leave it there.
#
# <details><summary>Hint</summary>
# Write a loop of 100 calls with <code>WORDS</code> and a rate of 0.3, and put four asserts into it. A sequence in which
# nothing fits is <code>np.array([-1, 0, 0, 0, 0, -1])</code>: with rate 0.15 it has a budget of 1, and its only word is
# taken whole.
# </details>
# <details><summary>Common error</summary>
# Checking what is usual instead of what must be true: "15% are chosen" is not true of every sequence. Or forgetting
# that a single word may be larger than the budget.
# </details>
# <details><summary>When is a budget used up?</summary>
# When none of the remaining words would still fit: the chosen subwords and the subwords of the shortest remaining word
# together exceed the budget.
# </details>


# %% nb="solution test-whole-words"
@by_name
def test_whole_words(whole_word_positions):
    """Fail at an assert if whole_word_positions(words, rate, rng) does not do what exercise 6 asks for."""
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
# After you hand in, this cell tries more wrong versions. You do not have to write anything here.
### BEGIN HIDDEN TESTS
check.test_whole_words(test_whole_words, hidden=True)
### END HIDDEN TESTS

# %% [markdown]
# Does your test accept your own answer to exercise 6? If nothing is printed, it does:

# %%
test_whole_words(whole_word_positions)

# %% [markdown]
# Finally, see your functions at work. They mask 30% of the tokens of forty texts in three ways, and a model trained on
# such masks predicts them. Make a guess first: which way is hardest for the model? (If the English model is not
# available, a message says so and the course's own model is used instead, which knows little about these texts.)

# %%
import minibert
import torch
from minibert.data.batch import pack
from minibert.course.texts.passages import passages

english = minibert.load("english")
vocab, specials = np.array(english.tokenizer.vocab), english.tokenizer.specials
ordinary = np.flatnonzero(~np.char.startswith(vocab, "["))
room = english.config.max_position_embeddings - 2                           # longer texts are cut off

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
# Restart the kernel, run all cells, and make sure that each check says `passed`. Then hand in.
#
# **Further reading.** Masking: Devlin et al. (2019), [arXiv 1810.04805](https://arxiv.org/abs/1810.04805), section 3.1
# and appendix A.1, with the ablation of 80/10/10 in appendix C.2. Spans: Joshi et al. (2020),
# [arXiv 1907.10529](https://arxiv.org/abs/1907.10529), section 3.1. Static and dynamic masks: Liu et al. (2019),
# [arXiv 1907.11692](https://arxiv.org/abs/1907.11692), section 4.1.
