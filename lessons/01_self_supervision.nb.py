# %% [markdown]
# # 1 · Self-supervision: learning from masked words
#
# *She brushed her ▨▨▨ and went to bed.* You filled the gap at once: you know which words go together. A machine can
# learn this from text alone. We **mask** (hide) some words, and it predicts them from the others. That is how BERT
# learns.
#
# **After this lesson you can**
#
# - tell supervised, unsupervised and self-supervised learning apart, and say what transfer learning is,
# - say what a masked language model sees that a language model does not, and what this costs,
# - mask a sentence as BERT does (15%, 80/10/10), with static or dynamic masks, by pieces, words or spans,
# - fill gaps in your own English sentences with a model, and say which gaps it cannot fill.
#
# **You need** Python and a little NumPy, but no machine learning. **Time:** about 75 minutes with guessing, playing
# and writing three small functions; the code alone runs in about 25 seconds (30 more, once, if a model has to be
# trained for section 8).
#
# Run the cells in order with Shift + Enter. Guess before you read on: we remember best what we first got wrong.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(1)

# %% [markdown]
# ## The finished thing first
#
# This model fills gaps in English. (Section 9 says how it was trained. If a message names the course's own model,
# that one knows only the small language of section 3.)

# %%
import minibert

english = minibert.load("english")

# %% [markdown]
# The bars show how likely it finds each word. Write your own sentence, with `[MASK]` for a gap, and press Enter.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess import FillMask

def knows(model, text, word, least=0):
    """Does the model find the masked word most likely, and give it at least this probability?"""
    first, probability = model.fill_mask(text)[0][0]
    return first == word and probability >= least

def first_known(model, puzzles, least=0):
    """The first (text, masked word) that the model knows; if it knows none, the first of all."""
    return next((each for each in puzzles if knows(model, *each, least)), puzzles[0])

STARTS = [("Once upon a [MASK] there was a king.", "time"), ("She wrote a long [MASK] to her mother.", "letter"),
          ("An hour has sixty [MASK].", "minutes"), ("Every morning the cook walks to the [MASK].", "kitchen")]
FillMask(english, first_known(english, STARTS)[0])

# %% [markdown]
# ## 1 · Three ways to learn
#
# **Supervised** learning has a right answer to each question, a **label** that somebody wrote. **Unsupervised**
# learning has no answers. **Self-supervised** learning masks a part of the data and predicts it: the answers are in
# the data.
#
# | | who wrote the answers | examples |
# |---|---|---|
# | supervised | people | film reviews, each marked good or bad; sentences with their translations |
# | unsupervised | nobody: there are none | **clustering** puts texts that are alike into groups; **PCA** (principal component analysis) describes many numbers by a few |
# | self-supervised | nobody: they are in the data | predict the next word, a masked word, the gap in a picture, the colours of a black-and-white photo |
#
# Labels are expensive, plain text is cheap. Nobody has labelled *every morning the cook walks to the kitchen*. Mask one
# or more of its words, and you have a question with a known answer.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessCurve, GuessNumber, my_guesses

words = "every morning the cook walks to the kitchen".split()
GuessNumber("Mask one or more of the eight words, even all. How many different questions can you make?",
            lambda number=len(words): 2 ** number - 1, within=50,
            see=lambda: "<p>Each of the eight words is masked or not: 2⁸ = 256 ways, less the one that masks "
                        "nothing.</p>")

# %% [markdown]
# With one masked word, there are eight questions:

# %%
for i, word in enumerate(words):
    print(*words[:i], "____", *words[i + 1:], f"   (answer: {word})")

# %% [markdown]
# To answer them all, you need grammar, and you need to know what cooks do.
#
# <details><summary><b>Why not simply call it unsupervised?</b></summary>
#
# Many papers do, BERT's too. But as in supervised learning, every prediction is compared with a right answer, so the
# method has a name of its own.
# </details>
#
# ### Learned once, used again
#
# BERT (*Bidirectional Encoder Representations from Transformers*) learned from 3.3 billion words without labels (Devlin
# et al., section 3.1). After this long **pretraining** comes **fine-tuning**, a short supervised training on a labelled
# task. Using in one task what was learned in another is **transfer learning**. It is older than BERT:
#
# | year | what was pretrained | how | new |
# |---|---|---|---|
# | 2013 | [word2vec](https://arxiv.org/abs/1301.3781) | self-supervised: a word predicts its neighbours, or they predict it | a vector (list of numbers) for each word, the same in every sentence |
# | 2014 | [GloVe](https://aclanthology.org/D14-1162) | from counts: which words stand near each other | word vectors from the statistics of the whole text |
# | 2014 | [ImageNet networks](https://arxiv.org/abs/1411.1792) | supervised, on labelled photos | a whole network is fine-tuned for another task with pictures |
# | 2017 | [fastText](https://arxiv.org/abs/1607.04606) | like word2vec | vectors of word parts, so that an unseen word gets one too |
# | 2017 | [CoVe](https://arxiv.org/abs/1708.00107) | supervised, on translation | a word's vector depends on its sentence: *bank* gets more than one |
# | 2018 | [ELMo](https://arxiv.org/abs/1802.05365) | self-supervised: the next word, and the previous one | vectors that depend on the sentence, from plain text |
# | 2018 | [GPT](https://cdn.openai.com/research-covers/language-unsupervised/language_understanding_paper.pdf) | self-supervised: the next word | a whole Transformer is fine-tuned |
# | 2018 | [BERT](https://arxiv.org/abs/1810.04805) | self-supervised: masked words (and next sentences, lesson 4) | each layer sees both sides |
#
# A year later, Google used BERT in its search engine (October 2019). A survey of over 150 studies of BERT calls it a
# "ubiquitous baseline": a model with which new ones are compared everywhere (Rogers et al., 2020).
#
# <details><summary><b>What do the words behind BERT's letters mean?</b></summary>
#
# | | stands for | which means | lesson |
# |---|---|---|---|
# | **B** | Bidirectional | it sees both sides of each word | 1 |
# | **E** | Encoder | it turns each word into numbers, and does not write text | 2 |
# | **R** | Representations | these numbers describe the word in its sentence; other tasks build on them | 6 to 8 |
# | **T** | from Transformers | the kind of network ([Vaswani et al., 2017](https://arxiv.org/abs/1706.03762)) | 2 |
# </details>

# %% [markdown]
# ## 2 · A hole in a picture
#
# Filling the gaps of a picture is called **inpainting**. This one has 48 × 72 pixels, with a brightness from 0 (blue)
# to 1 (yellow).

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import numpy as np
from minibert.course.widgets.view import Controls, show
from minibert.course.widgets.masking import pictures

rng = np.random.default_rng(0)
y, x = np.mgrid[0:48, 0:72]
sky = 0.45 + 0.4 * y / 48 + 0.35 * ((x - 52) ** 2 + (y - 13) ** 2 < 50)
hills = 0.2 + 0.12 * np.sin(x / 2 + y / 3)
picture = np.where(y > 31 + 5 * np.sin(x / 9), hills, sky) + rng.normal(0, 0.02, (48, 72))   # a little noise
show(*pictures({"brightness": picture}, "A sun over hills"))

# %% [markdown]
# Our learner predicts a pixel from its neighbours, each times a weight from least squares. It may see one, two that come
# *before* the pixel in reading order (left and above), one on *each side*, or all four.

# %%
NEIGHBOURS = {"left": picture[1:-1, :-2], "right": picture[1:-1, 2:], "above": picture[:-2, 1:-1],
              "below": picture[2:, 1:-1]}       # each (46, 70): the neighbours of all inner pixels
answers = picture[1:-1, 1:-1].ravel()           # the labels are the pixels themselves

def mean_error(sides):
    inputs = np.stack([NEIGHBOURS[side].ravel() for side in sides], axis=1)     # (pixels, sides)
    weights = np.linalg.lstsq(inputs, answers, rcond=None)[0]
    return np.abs(inputs @ weights - answers).mean()

KNOWN = {"left": ["left"], "left, above": ["left", "above"], "left, right": ["left", "right"],
         "all four": [*NEIGHBOURS]}
errors = {known: mean_error(sides) for known, sides in KNOWN.items()}

# %% [markdown]
# Two before, or one on each side?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.plots import bars

def compare_neighbours():
    before, around = errors["left, above"], errors["left, right"]
    return bars(list(errors), list(errors.values()), "mean error of the predicted brightness",
                f"Error with left and above: {before:.3f}. With left and right: {around:.3f}", chosen=2, form="{:.3f}")

GuessChoice("Two neighbours are visible. With which two is the error smaller?", ["left, above", "left, right"],
            lambda: min(["left, above", "left, right"], key=errors.get), see=compare_neighbours)

# %% [markdown]
# Now we repair damaged pictures: each missing pixel becomes the mean of its four neighbours, again and again.

# %%
def fill_in(damaged):
    missing = np.isnan(damaged)
    filled = np.where(missing, np.nanmean(damaged), damaged)
    for _ in range(400):
        p = np.pad(filled, 1, mode="edge")
        mean = (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1]) / 4
        filled = np.where(missing, mean, damaged)
    return filled

# %% [markdown]
# Some pixels are missing here and there, or a whole block.

# %% jupyter={"source_hidden": true}
luck = rng.random(picture.shape)
HOLES = {"15% of the pixels": luck < 0.15, "50% of the pixels": luck < 0.5, "95% of the pixels": luck < 0.95,
         "one block": (abs(x - 52) < 8) & (abs(y - 13) < 8)}

def how_wrong(hole):
    missing = HOLES[hole]
    return np.abs(fill_in(np.where(missing, np.nan, picture)) - picture)[missing].mean()

def shape_of_holes():
    scattered, block = how_wrong("50% of the pixels"), how_wrong("one block")
    return (f"<p>The mean error is {scattered:.3f} where half of the pixels are missing, and {block:.3f} in the block. "
            "A scattered gap nearly always has a visible neighbour. The block hides the sun, and nothing at its border "
            "tells of it.</p>")

DAMAGE = {"half of all pixels, here and there": "50% of the pixels",
          f"one block with {HOLES['one block'].mean():.0%} of the pixels": "one block"}
GuessChoice("Where is a missing pixel harder to repair?", list(DAMAGE),
            lambda: max(DAMAGE, key=lambda name: how_wrong(DAMAGE[name])), see=shape_of_holes)

# %% [markdown]
# Choose each kind of damage in turn.

# %% jupyter={"source_hidden": true}
def damage(hole):
    missing = HOLES[hole]
    damaged = np.where(missing, np.nan, picture)
    title = f"Missing: {hole}. Mean error of the repair: {how_wrong(hole):.3f}"
    return pictures({"the picture": picture, "damaged": damaged, "repaired": fill_in(damaged)}, title)

Controls(damage, hole=widgets.Dropdown(options=list(HOLES), description="Missing"))

# %% [markdown]
# So it matters how much is masked (section 7), and in what shape (section 6).

# %% [markdown]
# ## 3 · Left only, or both sides
#
# A **language model** predicts the next word, from the left side. A **masked language model** predicts masked words,
# from both sides.
#
# This course generates its text, in a small English about invented people. Until lesson 3, a *word* is whatever stands
# between spaces, in lowercase and without punctuation.

# %%
import re
import textwrap
from minibert.generated import World

def words_of(document):
    return re.findall(r"[a-z0-9']+", document.text.lower())

train = [words_of(document) for document in World(7).documents(2000, seed=1)]       # 7, 1: seeds
held_out = [words_of(document) for document in World(7).documents(200, seed=1, split="dev")]
print(textwrap.fill(f"{sum(map(len, train)):,} words, for example: {' '.join(train[0])}", 100))

# %% [markdown]
# **Your turn.** Write a function that makes all questions of a text: two words with a gap are the question, the word
# between them is the answer.

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
#
# </details>

# %% [markdown]
# Our learners only count: *with these words around the gap, which word came most often?* Three of them see two words,
# one sees none.

# %%
from collections import Counter, defaultdict

def contexts(words, i):
    return {"nothing": (), "two words before": (words[i - 2], words[i - 1]),
            "one word on each side": (words[i - 1], words[i + 1]), "two words after": (words[i + 1], words[i + 2])}

counts = {name: defaultdict(Counter) for name in contexts(train[0], 2)}
for words in train:
    for i in range(2, len(words) - 2):
        for name, context in contexts(words, i).items():
            counts[name][context][words[i]] += 1        # the label is the word itself

# %% [markdown]
# We test them on **held-out** documents, which they have not read. **Accuracy** is the share of right predictions.

# %%
def favourite(counter):
    return max(counter, key=counter.get, default=None)

right = {name: [] for name in counts}
for words in held_out:
    for i in range(2, len(words) - 2):
        for name, context in contexts(words, i).items():
            right[name].append(favourite(counts[name][context]) == words[i])

# %% [markdown]
# Which learner is best?

# %% jupyter={"source_hidden": true}
accuracy = {name: 100 * np.mean(hits) for name, hits in right.items()}

def who_wins():
    before, around, after = (accuracy[name] for name in ("two words before", "one word on each side",
                                                         "two words after"))
    gap = around - max(before, after)
    said = ("As with the pixels, both sides win." if gap > 1 else
            "One side wins." if gap < -1 else "That is a tie within one point.")
    return (f"<p>One word on each side: {around:.0f}% right. Two words before: {before:.0f}%. Two words after: "
            f"{after:.0f}%. {said}</p>")

GuessBars("What share of the words does each learner predict right?", list(accuracy),
          lambda: list(accuracy.values()), top=100, within=8, axis="accuracy", unit="%", see=who_wins)

# %% [markdown]
# The two kinds of model side by side:
#
# | | language model (GPT) | masked language model (BERT) |
# |---|---|---|
# | sees | the left side only | both sides |
# | learns, in one pass over a text, from | every word | a few words (15% in BERT) |
# | can write text | yes, word after word | not directly |
# | good for | writing | reading: classify texts, find answers, tag names |
#
# <details><summary><b>Why does a language model not look to the right as well?</b></summary>
#
# The word on the right is the next one it has to predict. If the model saw it, it would copy it and learn nothing. A
# masked word cannot be copied from its place, so a masked language model may look to both sides.
# </details>
#
# <details><summary><b>Does BERT learn more slowly, then?</b></summary>
#
# A little: it predicts 15% of the words, a left-to-right model all of them. Devlin et al. measured it (appendix C.1):
# the masked model converges slightly more slowly, but is the better one almost from the start.
# </details>

# %% [markdown]
# ## 4 · Which words, and what to put there
#
# First, choose the tokens to predict. (A **token** is what the model reads; here, each word is one.) The share that is
# chosen is the **masking rate**. A text for BERT, called a **sequence**, begins with `[CLS]` and ends with `[SEP]`
# (lesson 3 says why). These are never chosen. The comment `(T,)` says that an array has one entry for each of the T
# tokens.

# %%
from minibert.data.masking import choose_positions, corrupt_80_10_10

sequence = np.array("[CLS] every morning the cook walks to the kitchen [SEP]".split())      # (T,)
candidates = (sequence != "[CLS]") & (sequence != "[SEP]")                  # (T,)
chosen = choose_positions(candidates, 0.3, np.random.default_rng(3))        # (T,)
print("to predict:", *sequence[chosen])

# %% [markdown]
# Second, decide what the model sees there. Each chosen token meets one of three fates:
#
# | fate | share | the model sees |
# |---|---|---|
# | masked | 80% | `[MASK]` |
# | replaced | 10% | a random token |
# | kept | 10% | the token itself |
#
# You will write both functions in the exercises. Here we try them on 100,000 random words, at BERT's 15%. The
# **vocabulary** is the list of all V tokens that a model knows; the **id** of a token is its place in it.

# %%
vocabulary = np.array(["[MASK]", *sorted({word for words in train for word in words})])     # (V,)
MASK, ordinary = 0, np.arange(1, len(vocabulary))
ids = rng.choice(ordinary, 100_000)                                 # (T,)
chosen = choose_positions(np.ones(len(ids), bool), 0.15, rng)       # (T,)
seen = corrupt_80_10_10(ids, chosen, mask_id=MASK, ordinary_ids=ordinary, rng=rng)          # (T,)

# %% [markdown]
# How often does each fate occur?

# %% jupyter={"source_hidden": true}
FATES = {"masked": (seen == MASK).sum(), "replaced": ((seen != MASK) & (seen != ids)).sum(),
         "kept": (chosen & (seen == ids)).sum()}
def three_fates(number=chosen.sum()):
    shares = ", ".join(f"{count / number:.1%} {name}" for name, count in FATES.items())
    return (f"<p>{number:,} words are chosen. Of these: {shares}. (A replacement is drawn from all words, so very "
            "rarely it is the old word again.)</p>")

GuessBars("Of the 100,000 words, how many meet each fate?", list(FATES), lambda: list(FATES.values()), top=20_000,
          within=700, axis="words", see=three_fates)

# %% [markdown]
# **Try** it with a sentence of your own:
#
# - Press *New draw* until you have seen all three fates, then *100 more* a few times.
# - Set the masking rate to 5, 40 and 90%. At which could *you* no longer guess the words?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.masking import ManyRedraws, masking_view

def draw_masks(sentence, rate, number):
    words = sentence.split()
    names = np.array(["[MASK]", *words, *vocabulary[1:]])       # your words come first: their ids are 1, 2, 3, ...
    ids, ordinary = np.arange(1, len(words) + 1), np.arange(1, len(names))
    for seed in range(number):
        rng = np.random.default_rng(seed)
        chosen = choose_positions(np.ones(len(ids), bool), rate, rng)
        yield words, chosen, names[corrupt_80_10_10(ids, chosen, MASK, ordinary, rng)]

WIDE = {"description_width": "initial"}

ManyRedraws(lambda sentence, rate, number: masking_view(list(draw_masks(sentence, rate / 100, number))),
            sentence=widgets.Text("every morning the cook walks to the kitchen", description="My sentence",
                                  layout={"width": "620px"}, style=WIDE, continuous_update=False),
            rate=widgets.IntSlider(15, 0, 100, 5, description="Masking rate (%)", style=WIDE))

# %% [markdown]
# The model sees which words are masked (▨), and can often tell which were replaced (⇄). A kept word (=) looks like any
# other.
#
# <details><summary><b>Why mask most, replace some, and keep some?</b></summary>
#
# - **80% masked**: `[MASK]` takes every hint away except the context.
# - **Not all masked**: there is no `[MASK]` in the texts that BERT reads later. A model that only ever had to predict
#   at `[MASK]` might pay little attention to ordinary words.
# - **10% replaced**: now the model must check for every word whether it fits its context. This does little harm, since
#   10% of 15% is 1.5% of all words.
# - **10% kept**: otherwise the right prediction would never be the word that is seen. The kept words pull the model's
#   description of a word towards the word that is really there (Devlin et al., appendix A.1).
# </details>
#
# <details><summary><b>Why is nothing chosen in some draws?</b></summary>
#
# Each of the eight words stays unchosen with probability 85%, so all eight do with 0.85⁸ = 27%. In BERT's sequences of
# up to 512 tokens this hardly ever happens. (BERT's own code chooses a fixed number: 15% of
# the sequence, rounded.)
# </details>

# %% [markdown]
# Devlin et al. measured how much this matters on two tasks (appendix C.2, table 8, held-out data; 100 is perfect).
# **MNLI** asks whether one sentence follows from another (**entailment**); **named entity recognition** (**NER**) finds
# the names in a text. A **frozen** BERT stays as it is, and only a small model on top of it is trained:
#
# | `[MASK]` / replaced / kept | MNLI, fine-tuned | NER, fine-tuned | NER, frozen |
# |---|---|---|---|
# | 80% / 10% / 10% | 84.2 | 95.4 | 94.9 |
# | 100% / 0% / 0% | 84.3 | 94.9 | 94.0 |
#
# It matters more for a frozen BERT, which cannot get used to texts without `[MASK]`.
#
# <details><summary><b>Why not [UNK] instead of [MASK]?</b></summary>
#
# It was tried. A vocabulary has a token for what it does not know: `[UNK]`, unknown. Clinchant et al. (2019), who used
# BERT to translate, masked words with `[UNK]`. In `corrupt_80_10_10` this changes one argument, `mask_id`. `[MASK]`
# never appears in real texts, but `[UNK]` does, for a rare letter, an emoji or a foreign script. So the model may learn
# to read around unknown words. The price: one token now has two meanings.
# </details>

# %% [markdown]
# ## 5 · Always the same mask, or a fresh one each time
#
# A model reads its text many times; each pass is an **epoch**. Are the words masked once, before training
# (**static masking**), or anew in each epoch (**dynamic masking**, with fresh masks)? Each mask chooses 15% of the
# words.

# %% jupyter={"source_hidden": true}
GuessNumber("Fresh masks, ten epochs. What share of the words is predicted at least once?",
            lambda: 100 * (1 - 0.85 ** 10), within=6, form="{:.0f}%",
            see=lambda: "<p>A word escapes one mask with probability 85%, and ten of them with 0.85¹⁰.</p>")

# %% [markdown]
# **Your turn.** Write this as a function, for any masking rate and any number of fresh masks.

# %%
def ever_predicted(rate, masks):
    """Return the expected share of words that at least one of the masks chooses, rounded to 3 decimals.

    >>> ever_predicted(0.5, 2)
    0.75
    >>> ever_predicted(0.15, 1)
    0.15
    >>> ever_predicted(0.4, 3)
    0.784
    """
    ...

try_it(ever_predicted)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def ever_predicted(rate, masks):
#     return round(1 - (1 - rate) ** masks, 3)
# ```
#
# </details>

# %% [markdown]
# Now with 24 words. Increase the number of epochs: when has every word been predicted?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.masking import coverage_view

TEXT = train[1][:24]

def compare_masks(epochs, rate):
    every = np.ones((epochs, len(TEXT)), bool)      # (epochs, words): the words predicted in each epoch
    fresh = choose_positions(every, rate / 100, np.random.default_rng(5))
    static = every & fresh[0]                       # the first mask again and again
    title = (f"After epoch {epochs}, words predicted: {static.any(axis=0).mean():.0%} with one static mask, "
             f"{fresh.any(axis=0).mean():.0%} with fresh masks")
    return coverage_view(TEXT, {"one static mask": static, "fresh masks": fresh}, title)

Controls(compare_masks, epochs=widgets.BoundedIntText(3, min=1, max=60, description="Epochs"),
         rate=widgets.BoundedFloatText(15, min=1, max=90, step=5, description="Rate (%)"))

# %% [markdown]
# BERT's authors made ten copies of the text, each with its own mask, for 40 epochs (Liu et al., section 4.1). The
# expected shares:

# %% jupyter={"source_hidden": true}
print("epochs   one static mask   ten masks   fresh masks")
for epochs in (2, 4, 10, 40):
    print(f"{epochs:6}{0.15:18.1%}{1 - 0.85 ** min(epochs, 10):12.1%}{1 - 0.85 ** epochs:14.1%}")

# %% [markdown]
# Liu et al.'s RoBERTa (lesson 10) draws fresh masks. The difference is small (table 1, medians of five seeds). **F1** is
# a score from 0 to 100 (lesson 7). **SQuAD** asks questions about a passage, **SST-2** whether a film review is good:
#
# | task | score | static | dynamic |
# |---|---|---|---|
# | SQuAD 2.0 | F1 | 78.3 | 78.7 |
# | MNLI | accuracy | 84.3 | 84.0 |
# | SST-2 | accuracy | 92.5 | 92.9 |
#
# <details><summary><b>Why does this matter more in longer training?</b></summary>
#
# With ten masks, 20% of the words are never predicted, however many epochs there are. Fresh masks keep changing.
# </details>

# %% [markdown]
# ## 6 · What is masked together
#
# BERT's tokens are **subwords**, pieces of words: a rare word like *glassblower* becomes `glass ##blow ##er`, where
# `##` marks a piece that continues a word (lesson 3; here we cut by hand). And a named entity like *dako caldgrove* has
# two words. So what is masked as one unit?

# %% jupyter={"source_hidden": true}
CUT = {
    "pieces": "the|glass|##blow|##er|dako|cald|##grove|moved|to|old|sel|##ton|in|december|1958",
    "whole words": "the|glass ##blow ##er|dako|cald ##grove|moved|to|old|sel ##ton|in|december|1958",
    "named entities": "the|glass ##blow ##er|dako cald ##grove|moved|to|old sel ##ton|in|december 1958",
    "phrases": "the glass ##blow ##er|dako cald ##grove|moved|to old sel ##ton|in december 1958",
}
for unit, cut in CUT.items():
    print(f"{unit:16}{cut.replace('|', ' | ')}")

# %% [markdown]
# A fifth way is **spans**: several neighbouring words, a random number of them (in SpanBERT 3.8 on average, at most
# ten). Look at several draws of each. Which gaps still have help right beside them?

# %% jupyter={"source_hidden": true}
from minibert.data.masking import span_positions, whole_word_positions
from minibert.course.widgets.masking import Redraws, words_html

n = np.arange(1, 11)
assert abs((n * 0.8 ** (n - 1)).sum() / (0.8 ** (n - 1)).sum() - 3.8) < 0.05      # SpanBERT's p is 0.2
pieces = CUT["pieces"].split("|")

def units(cut):
    """The T pieces' units: pieces with the same number belong together."""
    sizes = [len(unit.split()) for unit in cut.split("|")]
    return np.repeat(np.arange(len(sizes)), sizes)      # (T,)

def choose(unit, rate, rng):
    if unit == "spans":
        return span_positions(units(CUT["whole words"]), rate, rng)     # (T,)
    return whole_word_positions(units(CUT[unit]), rate, rng)            # (T,)

def draw_units(unit, number):
    chosen = choose(unit, 0.25, np.random.default_rng([23, number]))
    told = f"<p>{chosen.sum()} of {len(pieces)} pieces are masked (unit: {unit}).</p>"
    return words_html(pieces, chosen, np.where(chosen, "[MASK]", pieces)) + told

Redraws(draw_units, unit=widgets.Dropdown(options=[*CUT, "spans"], description="Mask"))

# %% [markdown]
# **Your turn.** When single pieces are masked, the rest of the word often stays: `glass [MASK] ##er`. Write a function
# that says whether another piece of the same word is still in sight.

# %%
def in_sight(words, chosen, t):
    """Return whether a piece that is not chosen belongs to the same word as piece t.

    words: the number of each piece's word. chosen: whether each piece is chosen.

    >>> in_sight([0, 1, 1, 1], [False, True, False, False], 1)
    True
    >>> in_sight([0, 1, 1, 1], [False, True, True, True], 1)
    False
    """
    ...

try_it(in_sight)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def in_sight(words, chosen, t):
#     return any(word == words[t] and not masked for word, masked in zip(words, chosen))
# ```
#
# </details>

# %% [markdown]
# How much does the rest of a word give away? We cut our documents with the English model's vocabulary. This learner
# never reads the sentence. It counts, and sees only the other pieces of the word.

# %%
def cut_words(documents):
    words = {word for words in documents for word in words if word.isalnum()}
    known = {word: english.tokenizer.encode(word).pieces for word in words}
    return [known[word] for words in documents for word in words if len(known.get(word, [])) > 1]

def rest_and_piece(word):
    return [((tuple(word[:i]), tuple(word[i + 1:])), piece) for i, piece in enumerate(word)]

speller = defaultdict(Counter)
for word in cut_words(train):
    for rest, piece in rest_and_piece(word):
        speller[rest][piece] += 1

# %% [markdown]
# We test it on the cut words of the held-out documents.

# %% jupyter={"source_hidden": true}
from minibert.course.texts.passages import passages
from minibert.course.widgets.view import figure_html

ENGLISH = [" ".join(passage.sentences) for passage in passages()]
tests = [pair for word in cut_words(held_out) for pair in rest_and_piece(word)]
spelled = np.mean([favourite(speller[rest]) == piece for rest, piece in tests])
most = favourite(Counter(piece for word in cut_words(train) for piece in word))

def share_cut(texts):
    sizes = [np.bincount(english.tokenizer.encode(text).words) for text in texts]      # pieces of each word
    return sum(size[size > 1].sum() for size in sizes) / sum(size.sum() for size in sizes)

def rest_of_the_word():
    always = np.mean([piece == most for _, piece in tests])
    drawn = bars(["the rest of the word in sight", f"nothing in sight: always “{most}”"], [spelled, always],
                 "accuracy on the pieces of cut words",
                 f"Without reading the sentence, {spelled:.0%} are right if the rest of the word is in sight",
                 chosen=0, form="{:.0%}")
    return figure_html(*drawn) + (
        f"<p>In these documents, {share_cut(map(' '.join, held_out)):.0%} of all pieces belong to words that are cut. "
        f"In {len(ENGLISH)} English texts it is {share_cut(ENGLISH):.0%}.</p>")

GuessNumber("It sees the rest of the word, but not the sentence. What share of the pieces does it predict right?",
            lambda: 100 * spelled, within=12, form="{:.0f}%", see=rest_of_the_word)

# %% [markdown]
# With whole words masked, a model has to read the sentence. (**BERT-large** has 24 layers, BERT-base 12. An **uncased**
# model reads lowercased text.)
#
# | unit | who | what they report | what else they changed |
# |---|---|---|---|
# | pieces | BERT (Devlin et al., 2019) | the starting point | |
# | whole words | BERT's authors (release of May 2019) | BERT-large (uncased): F1 on SQuAD 1.1 from 91.0 to 92.8 | nothing |
# | phrases, then named entities | ERNIE (Sun et al., Baidu, 2019) | better on five Chinese tasks | more kinds of text, and a second training task with dialogues |
# | spans | SpanBERT (Joshi et al., 2020) | better, above all where answers are spans | a second training task (predict a span from its two edges), no next sentences (lesson 4), one long text per sequence |
#
# So masking alone need not explain the gains of ERNIE and SpanBERT. With all else equal (Joshi et al., section 6.1,
# table 6), spans were best, or nearly so, on every task but **coreference** (which words mean the same person or
# thing), where single pieces were best.
#
# <details><summary><b>Why might named entities teach something that words do not?</b></summary>
#
# With *dako* in sight, *caldgrove* is learned as the word that follows *dako*. When the whole name is masked, the
# model must know which glassblower moved in 1958. That is knowledge about the world, not about spelling.
# </details>
#
# <details><summary><b>Why are two models called ERNIE?</b></summary>
#
# The names are a coincidence (ELMo and BERT are characters of a children's programme; so is Ernie). The other one
# (Zhang et al., 2019) feeds knowledge about entities into the model, which is another idea.
# </details>

# %% [markdown]
# ## 7 · Too little, too much
#
# A higher masking rate gives the model **more questions** in each pass. But each one becomes **harder**, since its
# neighbours may be masked too. Our counting learner predicts from the neighbours that it can still see:

# %%
sides = {"both": defaultdict(Counter), "left": defaultdict(Counter), "right": defaultdict(Counter), "none": Counter()}
for words in train:
    sides["none"].update(words)
    for left, word, right_word in zip(words, words[1:], words[2:]):
        sides["both"][left, right_word][word] += 1
        sides["left"][left][word] += 1
        sides["right"][right_word][word] += 1

def predict(left, right_word):      # a masked neighbour is None
    return favourite(sides["both"].get((left, right_word)) or sides["left"].get(left)
                     or sides["right"].get(right_word) or sides["none"])

# %% [markdown]
# We test it at many masking rates.

# %%
def exam(rate, rng):
    hits = []
    for words in held_out:
        masked = choose_positions(np.ones(len(words), bool), rate, rng)
        shown = [None if mask else word for word, mask in zip(words, masked)]
        hits += [predict(shown[i - 1], shown[i + 1]) == words[i] for i in range(1, len(words) - 1) if masked[i]]
    return np.mean(hits)

rates = np.array([5, 15, 30, 40, 60, 80, 95])
scores = np.array([exam(rate / 100, rng) for rate in rates])

# %% [markdown]
# What happens to the accuracy as the masking rate grows?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.plots import curves

def both_curves():
    best = (rates * scores).argmax()
    return curves(rates, {"accuracy in %": {"counting": 100 * scores},
                          "right answers per 100 words": {"counting": rates * scores}},
                  "masking rate in %", f"Accuracy: {scores[0]:.0%} at {rates[0]}% masked, "
                  f"{scores[-1]:.0%} at {rates[-1]}%. "
                  f"Most right answers: at {rates[best]}%",
                  at_least={"accuracy in %": (0, 50), "right answers per 100 words": (0, 14)})

GuessCurve("What share of the masked words does it predict right?", [f"{rate}%" for rate in rates],
           lambda: 100 * scores, top=100, within=8, axis="accuracy", along="masking rate", unit="%", at=rates)

# %% [markdown]
# Few questions with good answers, or many with bad ones?

# %% jupyter={"source_hidden": true}
GuessChoice("At which masking rate does it predict the most words of a text right?", [f"{rate}%" for rate in rates],
            lambda: f"{rates[(rates * scores).argmax()]}%", see=both_curves)

# %% [markdown]
# With **too little** masking, a model gets few questions. With **too much**, it can only learn *which words are
# frequent*. What counts is how well it does its tasks afterwards. BERT took 15%. Wettig et al. (2023) tried other
# rates:
#
# - **Larger models should mask more.** At the size of BERT-large, 40% beat 15% on SQuAD and on **GLUE** (a collection
#   of nine tasks, lesson 6).
# - Even at 80%, a model kept 95% of its quality after fine-tuning.
#
# <details><summary><b>Why can a larger model cope with more masking?</b></summary>
#
# Probably it makes more of what is left: what is too hard for a small model is just hard enough for a large one, which
# gets more questions from the same text. (Scattered masks are easier to fill than spans. So they need a higher masking
# rate.)
# </details>

# %% [markdown]
# ## 8 · You against a model
#
# This small BERT has read much of our generated text:

# %%
bert = minibert.load()

# %% [markdown]
# **Guess first**, then see its five most likely tokens. (The first six have a hint, and are chosen among those that the
# model gets right, if there are any. The last has no hint.)

# %% jupyter={"source_hidden": true}
from functools import partial

from minibert.course.widgets.compared import first_gap
from minibert.course.widgets.guess import GuessFirst

KINDS = [
    [("Chesworth was born [MASK] Lambury in 1946.", "in"), ("Nomi moved [MASK] Lambury in 1946.", "to")],
    [("Thornby is a baker. Nobody else bakes [MASK] like Thornby.", "bread"),
     ("Renel is a carpenter and builds [MASK] every day.", "tables"),
     ("Renel is a photographer and takes [MASK] every day.", "photographs")],
    [("Sako plays the violin. When the [MASK] of the violin broke, Sako cried for a day.", "bow"),
     ("Nomi plays the [MASK]. When the string of the violin broke, Nomi cried.", "violin")],
    [("Kalin plays the cello. Kalin plays the [MASK] best when nobody listens.", "cello"),
     ("Kalin plays the violin. Kalin plays the [MASK] best when nobody listens.", "violin"),
     ("Kalin plays the flute. Kalin plays the [MASK] best when nobody listens.", "flute")],
    [("Nomi is a [MASK]. Every morning Nomi walks to the kitchen and greets the ladle.", "cook"),
     ("Nomi is a [MASK]. Every morning Nomi walks to the bakery.", "baker")],
    [("Talin has a [MASK] called Pomkin. Like every cow, Pomkin kicks buckets.", "cow"),
     ("Talin has a [MASK] called Pomkin. Like every magpie, Pomkin hides spoons.", "magpie")],
]
PUZZLES = [*(first_known(bert, kind) for kind in KINDS), ("Bexford has a [MASK] called Tibmo.", "owl")]
GuessFirst(partial(first_gap, bert), PUZZLES)

# %% [markdown]
# <details><summary><b>Why is it sure in some sentences, and unsure in others?</b></summary>
#
# When several words fit, they share the probability: nothing tells what animal Tibmo is. Elsewhere grammar helps (*born
# in*), or the trade (a baker bakes bread). Or the word itself stands in the other sentence: you copy it at once, this
# small model may hesitate. (`##` marks a piece that continues a word. A model that was trained just now, without
# `make tour`, is a beginner: it knows kinds of words at best, and has read about people only.)
# </details>

# %% [markdown]
# Now break it: **delete the words that help**. How sure is it then? Write your own sentences (its world is small:
# bakers, violins, hens, rivers), and mask more and more words.

# %% jupyter={"source_hidden": true}
others = [pair for kind in reversed(KINDS) for pair in kind if pair not in PUZZLES]
FillMask(bert, first_known(bert, others, least=0.5)[0])

# %% [markdown]
# <details><summary><b>Why do two gaps next to each other often not fit together?</b></summary>
#
# BERT predicts all gaps at the same time, each for itself. It does not know what it has put into the other gap.
# </details>

# %% [markdown]
# ## 9 · In real English
#
# Back to the first model. It was last trained mostly on masked words of English books, Wikipedia and web pages. It is
# small, and predicts fewer than half of the masked tokens of a book that it has not read. Google's BERT-base has nearly
# five times as many parameters. If you have a network connection, `minibert download bert-base` in a terminal downloads
# it (440 MB, once). From then on, every lesson shows its predictions next to those of our English model.
#
# <details><summary><b>Where does this model come from?</b></summary>
#
# It was not trained **from scratch**, that is, from random weights. It is all-MiniLM-L6-v2, a published model: six
# layers of a model of twelve, which had learned to imitate the attention of a larger one (Wang et al., 2020,
# [arXiv 2002.10957](https://arxiv.org/abs/2002.10957)). These were tuned on about a billion pairs of sentences, some of
# them labelled by people, so that sentences with the same meaning get similar vectors. For this course it was trained
# further on masked tokens and next sentences, on over a hundred million tokens, among them plain sentences written for
# it. So only its last training was purely self-supervised.
# </details>

# %% [markdown]
# **Guess first.** (First come sentences whose masked word the model finds, then some in which it prefers another one.)

# %% jupyter={"source_hidden": true}
CANDIDATES = [
    ("He shook his [MASK] and said no.", "head"),
    ("She looked at him and did not say a [MASK].", "word"),
    ("My brother is two years younger [MASK] I am.", "than"),
    ("A week has seven [MASK].", "days"),
    ("He closed his [MASK] and fell asleep.", "eyes"),
    ("They have two children, a son and a [MASK].", "daughter"),
    ("He knocked at the door, but nobody opened the [MASK].", "door"),
    ("The king and the [MASK] sat on their thrones.", "queen"),
    ("He put the letter into an [MASK].", "envelope"),
    ("Neither the king [MASK] the queen came.", "nor"),
    ("Bees make [MASK].", "honey"),
    ("Thank you very [MASK] for your letter.", "much"),
    ("The [MASK] is shining and the sky is blue.", "sun"),
    ("I have known him [MASK] ten years.", "for"),
    ("A year has twelve [MASK].", "months"),
]
found = [knows(english, *pair) for pair in CANDIDATES]
KNOWN_ONES, MISSED = ([pair for pair, hit in zip(CANDIDATES, found) if hit is wanted] for wanted in (True, False))
EVERYDAY = [*KNOWN_ONES[:6], *MISSED[:2], *MISSED[2:], *KNOWN_ONES[6:]][:8]
GuessFirst(partial(first_gap, english), EVERYDAY)

# %% [markdown]
# **Try** to break this one as well: delete the words on the right of the gap, or only those on the left. Ask for a
# street in your town.

# %% jupyter={"source_hidden": true}
FillMask(english, first_known(english, [("The [MASK] barked all night at the cat.", "dog"),
                                        ("She could not open the [MASK], because she had lost her key.", "door"),
                                        *STARTS[1:]])[0])

# %% [markdown]
# Now a whole text, masked at a rate that you choose. **Guess first.** How many words will the model get right? Then try
# 40% and 80%, other draws, and a text of your own.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess import CommitFirst, filled_by_html, sentence_html

def masked(text, rate, number):
    """Return the T words and punctuation marks of a text, and (T,) bool: which of them are masked.

    Only words that are a single token are masked, since one [MASK] stands for one token.
    """
    words = re.findall(r"\w+|[^\w\s]", text)
    can = [word.isalpha() and english.tokenizer.encode(word).pieces == [word.lower()] for word in words]
    return np.array(words), choose_positions(np.array(can, bool), rate, np.random.default_rng(number))

def predictions(words, chosen):
    """Return the model's most likely word for each masked one."""
    text = " ".join(np.where(chosen, "[MASK]", words))
    return [top[0][0] for top in english.fill_mask(text, 1)] if chosen.any() else []

def how_many(text, rate, number):
    words, chosen = masked(text, rate / 100, number)
    shown = sentence_html(" ".join(np.where(chosen, "[MASK]", words)))
    return f"{shown}<p>Masked words: {chosen.sum()}. How many of them will the model get right?</p>"

def filled(text, rate, number):
    return filled_by_html(english, *masked(text, rate / 100, number))

STORY = ("My grandmother lives in a small house by the sea. Every morning she opens the window, makes a cup "
         "of tea and looks at the water. When the weather is good, she goes out for a walk and talks to the "
         "people in the village.")
CommitFirst(how_many, filled, text=widgets.Textarea(STORY, description="My text", continuous_update=False,
                                                    layout={"width": "620px", "height": "90px"}),
            rate=widgets.Dropdown(options=[15, 40, 80], description="Rate (%)"),
            number=widgets.BoundedIntText(1, min=1, max=1000, description="Draw"))

# %% [markdown]
# A single text is a matter of luck, so we take the beginnings of forty texts. A word that fits, but is not the
# author's, counts as wrong.

# %% jupyter={"source_hidden": true}
import functools
import itertools

BEGINNINGS = [" ".join(passage.sentences[:2]) for passage in passages()]
assert len(BEGINNINGS) == 40

def share_right(rate):
    hits = []
    for text, number in itertools.product(BEGINNINGS, range(round(0.8 / rate))):    # 5, 2 and 1 draws
        words, chosen = masked(text, rate, number)
        hits += [word.lower() == said for word, said in zip(words[chosen], predictions(words, chosen))]
    return np.mean(hits)

@functools.cache
def shares_right():
    return [share_right(rate) for rate in (0.15, 0.4, 0.8)]

def all_rates():
    words = np.concatenate([words[can] for words, can in (masked(text, 1, 1) for text in BEGINNINGS)])
    word, times = Counter(map(str.lower, words)).most_common(1)[0]
    shares = shares_right()
    title = f"Accuracy: {shares[0]:.0%} at 15% masked, {shares[1]:.0%} at 40%, {shares[2]:.0%} at 80%"
    return bars(["15% masked", "40% masked", "80% masked", f"always “{word}”"], [*shares, times / len(words)],
                "accuracy on the masked words", title, form="{:.0%}")

GuessNumber("80% of the words are masked. What share of them does it predict right?",
            lambda: 100 * shares_right()[2], within=5, form="{:.0f}%", see=all_rates)

# %% [markdown]
# <details><summary><b>Why does this not tell the best masking rate for training?</b></summary>
#
# The English model's last training masked 20%, whatever it is asked here. Section 7 is about models that were trained
# at other rates.
# </details>

# %% [markdown]
# What fools such a model? Ettinger (2020) gave BERT *A robin is a ▨▨▨* and *A robin is not a ▨▨▨*.
# **Guess first**, then write sentences of your own with the word *is*.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.compared import labelled
from minibert.course.widgets.guess import columns_html

def with_not(text):
    if " is " not in text:
        raise ValueError("the sentence needs the word is, with a space before and after it")
    both = text, text.replace(" is ", " is not ", 1)
    tops = [first_gap(english, each) for each in both]
    same = {name: dict(top).keys() & dict(tops[1][name]) for name, top in tops[0].items()}
    said = {name: f"<p>{len(words)} of the five words are in both lists.</p>" for name, words in same.items()}
    return "".join(sentence_html(each) + columns_html(top) for each, top in zip(both, tops)) + labelled(said)

THINGS = [("A robin is a [MASK].", "bird"), ("A dog is an [MASK].", "animal"), ("A cat is an [MASK].", "animal"),
          ("London is a [MASK].", "city"), ("A hammer is a [MASK].", "tool"), ("Gold is a [MASK].", "metal")]
CommitFirst(lambda text: f"{sentence_html(text)}<p>The model names five words. Put <i>not</i> after "
                         "<i>is</i>: how many of the five does it name again?</p>",
            with_not, text=widgets.Text(first_known(english, THINGS)[0], description="With is",
                                        layout={"width": "420px"}, continuous_update=False))

# %% [markdown]
# A masked language model says what people write, not what is true.
#
# <details><summary><b>Why may <i>not</i> change so little?</b></summary>
#
# A likely reason: people deny what somebody might believe, so after *is not a* they write much the same kinds of words
# as after *is a*; hardly anybody writes *a robin is not a fish*. So in training, a *not* told the model very little
# about the masked word. Ettinger found the same in BERT for such made-up sentences, and better answers where a person
# would really say *not*.
# </details>

# %% [markdown]
# ## Check yourself
#
# Six questions:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("Which of these is self-supervised?", [
        Choice("Putting photos that look alike into groups", False, "There is no right answer to compare with: "
               "unsupervised."),
        Choice("Guessing the colours of photos from their black-and-white copies", True, "Right. The data has the "
               "answer: take the colour away, then ask for it."),
        Choice("Learning from photos to which people wrote what they show", False, "People wrote the answers: "
               "supervised."),
    ]),
    QuizQuestion("A sequence has 200 words. With BERT's recipe, how many on average are predicted, and how many "
                 "become [MASK]?", [
        Choice("30 predicted, 30 [MASK]", False, "30 are chosen, but only 80% of them become [MASK]."),
        Choice("160 predicted, 24 [MASK]", False, "80% is a share of the chosen words, not of all."),
        Choice("30 predicted, 24 [MASK]", True, "Right. 15% of 200 are predicted; 80% of these become [MASK], "
               "3 are replaced, 3 kept."),
        Choice("24 predicted, 24 [MASK]", False, "Replaced and kept words are predicted too."),
    ]),
    QuizQuestion("A chosen word was kept. What happens at its position?", [
        Choice("It is predicted, and a wrong guess counts, as for all chosen words", True, "Right. The model just "
               "cannot tell that it is tested on this word."),
        Choice("Nothing, it is an ordinary word", False, "It was chosen, so it is predicted: that is what makes it "
               "different from the other 85%."),
        Choice("It is masked in the next epoch", False, "With fresh masks the next epoch draws anew, and remembers "
               "nothing."),
    ]),
    QuizQuestion("What can a masked language model use that a left-to-right model cannot?", [
        Choice("The masked word itself", False, "No: then there would be nothing to learn."),
        Choice("More training examples per text", False, "Fewer: 15% of the words instead of all."),
        Choice("The words to the right of the gap", True, "Right: “barked all night” points back to the dog."),
    ]),
    QuizQuestion("One static mask at 15%, a hundred epochs. What share of the words has been predicted?", [
        Choice("15%", True, "Right. It is the same 15% every time."),
        Choice("Nearly all", False, "With fresh masks, yes: 1 − 0.85¹⁰⁰. A static one never changes."),
        Choice("80%", False, "That would be ten different masks: 1 − 0.85¹⁰."),
    ]),
    QuizQuestion("glass [MASK] ##er can be filled without reading the sentence. What prevents this?", [
        Choice("A lower masking rate", False, "Then even more of each word stays in sight."),
        Choice("Masking whole words", True, "Right. Then no piece of a masked word is left to look at."),
        Choice("[UNK] instead of [MASK]", False, "That changes the token, not what stands beside it."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **Self-supervised**: mask a part of the data and predict it. **Transfer learning**: use elsewhere what was learned.
# - A **masked language model** sees both sides of a gap, but gets fewer questions per pass.
# - BERT **predicts 15%** of the tokens. Of these, **80% become `[MASK]`** (use the context), **10% are replaced** (trust
#   no word blindly), **10% are kept** (describe what is there).
# - With **dynamic masking** each word is predicted sooner or later, with a static mask always the same ones.
# - Masking **whole words, entities, phrases or spans** leaves no piece of a masked word in sight.
# - **Too little** masking gives few questions, **too much** leaves nothing to predict from.
#
# Next: [the exercise](../exercises/01_self_supervision/01_self_supervision.ipynb), then lesson 2: how BERT looks at the
# words around a gap.

# %% [markdown]
# ## Read on
#
# - Devlin et al. (2019): [BERT](https://arxiv.org/abs/1810.04805), section 3.1; appendices A.1, C.1, C.2.
# - Rogers et al. (2020): [A Primer in BERTology](https://arxiv.org/abs/2002.12327), the survey.
# - Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692), section 4.1.
# - Joshi et al. (2020): [SpanBERT](https://arxiv.org/abs/1907.10529), sections 3.1 and 6.1.
# - Sun et al. (2019): [ERNIE](https://arxiv.org/abs/1904.09223). Zhang et al. (2019):
#   [the other ERNIE](https://arxiv.org/abs/1905.07129).
# - Clinchant et al. (2019): [On the use of BERT for Neural Machine Translation](https://arxiv.org/abs/1909.12744).
# - Ettinger (2020): [What BERT is not](https://arxiv.org/abs/1907.13528).
# - Wettig et al. (2023): [Should You Mask 15% in Masked Language Modeling?](https://arxiv.org/abs/2202.08005)
