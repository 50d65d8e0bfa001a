# %% [markdown]
# # 1 · Self-supervision: learning from hidden words
#
# *She brushed her ▨▨▨ and went to bed.* You filled the gap at once. Nobody told you the answer: you know how words go
# together. A machine can learn that from text alone, by hiding words and guessing them. That is how BERT learns, and
# this lesson is about nothing else.
#
# **After this lesson you can**
#
# - tell supervised, unsupervised and self-supervised learning apart,
# - say what a masked language model sees that a language model does not, and what it pays for it,
# - mask a sentence as BERT does, and explain the 15% and the 80/10/10,
# - compare static and fresh masks, and masks over pieces, words, spans, names and phrases,
# - judge when masking is too little and when too much,
# - fill gaps in English sentences of your own with a model, and say which gaps it cannot fill.
#
# **You need** Python and a little NumPy. No machine learning yet.
# **Time:** about 75 minutes with guessing and playing; the code alone runs in 15 seconds on two cores (once 30
# more, if a model has to be trained for section 9).
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is remembered
# best. Those that begin with **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(1)

# %% [markdown]
# ## The finished thing first
#
# This model was trained in the way that the lesson explains, and now it fills gaps. It starts with an easy one: of four
# sentences, the one it is most sure about. Then write your own: put `[MASK]` where the model should guess a word, and
# press Enter. (Loading takes a few seconds. The model reads English; if a line says that the course's own model takes
# its place, that one reads only the small language of section 3, and is lost outside of it.)

# %%
import minibert
from minibert.viz.guess import FillMask

english = minibert.load("english")
STARTS = ["Once upon a [MASK] there was a king.", "She wrote a long [MASK] to her mother.",
          "An hour has sixty [MASK].", "Every morning the cook walks to the [MASK] and greets the ladle."]
FillMask(english, max(STARTS, key=lambda text: english.fill_mask(text)[0][0][1]))

# %% [markdown]
# ## 1 · Three ways to learn
#
# | | what the learner gets | who wrote the answers | example |
# |---|---|---|---|
# | **supervised** | questions with answers | people | 10,000 film reviews, each marked good or bad |
# | **unsupervised** | data, no answers | nobody; there are none | sorting texts into groups that are alike |
# | **self-supervised** | data; it hides a part and asks for it | the data itself | guess a hidden word from the others |
#
# Answers by people are dear: somebody reads every review. Text costs nothing, and all of it can be turned into
# questions.
#
# Nobody has labelled this sentence: *every morning the cook walks to the kitchen*. Hide one of its words, or several at
# a time, and you have a question whose answer is known.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessCurve, GuessNumber, my_guesses

words = "every morning the cook walks to the kitchen".split()
GuessNumber("One word is hidden, or several, up to all eight. How many different questions can be made of this sentence?",
            lambda number=len(words): 2 ** number - 1, within=50,
            see=lambda: "<p>Each of the eight words is hidden or not: 2⁸ ways, less the one that hides nothing.</p>")

# %% [markdown]
# With one hidden word they are:

# %%
for i, word in enumerate(words):
    print(*words[:i], "____", *words[i + 1:], f"   (answer: {word})")

# %% [markdown]
# No person wrote these answers. BERT's authors had 3,300 million words to ask about (Devlin et al., section 3.1).
#
# Some of the questions are easy (*to the kitchen*), some hard (*every morning the ____*). To answer them all you need
# grammar, and you need to know what cooks do. That is the point: whoever can fill gaps has learned a lot on the way,
# and keeps it for other tasks.
#
# <details><summary><b>Why not simply call it unsupervised?</b></summary>
#
# Many papers do, BERT's too: no person wrote a label. But the learner is corrected at every step, as in supervised
# learning: it says a word, and the hidden word is right or wrong. Only the teacher is the text itself. That deserves a
# word of its own.
# </details>

# %% [markdown]
# ## 2 · A hole in a picture
#
# The same game in pictures is called **inpainting**. We make a picture of a sun over hills: 48 rows of 72 grey values
# between 0 and 1. (Below we draw 0 in blue and 1 in yellow.)

# %%
import numpy as np

rng = np.random.default_rng(0)
y, x = np.mgrid[0:48, 0:72]
sky = 0.45 + 0.4 * y / 48 + 0.35 * ((x - 52) ** 2 + (y - 13) ** 2 < 50)
hills = 0.2 + 0.12 * np.sin(x / 2 + y / 3)
picture = np.where(y > 31 + 5 * np.sin(x / 9), hills, sky) + rng.normal(0, 0.02, (48, 72))   # a little noise

# %% [markdown]
# Each pixel asks: which grey am I, if you know only my neighbours? The answers stand in the picture already.

# %%
NEIGHBOURS = {"left": picture[1:-1, :-2], "right": picture[1:-1, 2:], "above": picture[:-2, 1:-1],
              "below": picture[2:, 1:-1]}       # each (46, 70): the neighbours of all inner pixels
answers = picture[1:-1, 1:-1].ravel()           # the labels: the pixels themselves

# %% [markdown]
# The simplest learner gives each neighbour a weight. Least squares finds the weights that guess best.

# %%
def learn(sides):
    inputs = np.stack([NEIGHBOURS[side].ravel() for side in sides], axis=1)     # (pixels, sides)
    rule = np.linalg.lstsq(inputs, answers, rcond=None)[0]
    return rule, np.abs(inputs @ rule - answers).mean()

# %% [markdown]
# We let it know one neighbour, two that come *before* the pixel in reading order (left and above), two from *both sides*
# (left and right), or all four.

# %%
KNOWN = {"left": ["left"], "left, above": ["left", "above"], "left, right": ["left", "right"],
         "all four": [*NEIGHBOURS]}
errors = {known: learn(sides)[1] for known, sides in KNOWN.items()}

# %% [markdown]
# The errors are computed, and wait for your guess.

# %% jupyter={"source_hidden": true}
from minibert.viz.plots import bars

def compare_neighbours():
    before, around = errors["left, above"], errors["left, right"]
    return bars(list(errors), list(errors.values()), "mean error of the guessed grey",
                f"Two that come before: {before:.3f}. Two from both sides: {around:.3f}", chosen=2, form="{:.3f}")

GuessChoice("Two neighbours are allowed. Which two are better?", ["left, above", "left, right"],
            lambda: min(["left, above", "left, right"], key=errors.get), see=compare_neighbours)

# %% [markdown]
# Keep the winner in mind for section 3. No person labelled a pixel, and yet a rule was learned. From left and right it
# is: half of the one plus half of the other. (See it with `learn(["left", "right"])[0].round(2)`.)
#
# So let us repair damaged pictures in this way: guess each hidden pixel as the mean of its four neighbours, again and
# again, until the guesses settle.

# %%
def fill_in(damaged):
    hidden = np.isnan(damaged)
    filled = np.where(hidden, np.nanmean(damaged), damaged)
    for _ in range(400):
        p = np.pad(filled, 1, mode="edge")
        mean = (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1]) / 4
        filled = np.where(hidden, mean, damaged)
    return filled

# %% [markdown]
# We make four kinds of holes: three that are scattered over the picture, and one block.

# %%
luck = rng.random(picture.shape)
HOLES = {"15% of the pixels": luck < 0.15, "50% of the pixels": luck < 0.5, "95% of the pixels": luck < 0.95,
         "one block": (abs(x - 52) < 8) & (abs(y - 13) < 8)}
print({hole: f"{hidden.mean():.0%} of all pixels" for hole, hidden in HOLES.items()})

def how_wrong(hole):
    hidden = HOLES[hole]
    return np.abs(fill_in(np.where(hidden, np.nan, picture)) - picture)[hidden].mean()

# %% [markdown]
# How wrong is the mean guess in each?

# %% jupyter={"source_hidden": true}
def shape_of_holes():
    scattered, block = how_wrong("50% of the pixels"), how_wrong("one block")
    return (f"<p>The guesses are wrong by {scattered:.3f} on average where half of the pixels are gone, and by {block:.3f} "
            "in the block. Next to a scattered gap there is always a neighbour. In the block was the sun, and nothing at "
            "its border tells of it.</p>")

GuessChoice("Which is harder to repair?", ["half of all pixels, here and there", "one block with 7% of the pixels"],
            lambda: max(("50% of the pixels", "half of all pixels, here and there"),
                        ("one block", "one block with 7% of the pixels"), key=lambda pair: how_wrong(pair[0]))[1],
            see=shape_of_holes)

# %% [markdown]
# Look at each of them. How does a picture come out of which only 5% of the pixels are left?

# %%
import ipywidgets as widgets
from minibert.viz.explorer import Explorer, show
from minibert.viz.masking import pictures

def damage(hole):
    hidden = HOLES[hole]
    damaged = np.where(hidden, np.nan, picture)
    filled = fill_in(damaged)
    title = f"Hidden: {hole}. The guesses are wrong by {how_wrong(hole):.3f} on average"
    return pictures({"the picture": picture, "what the model sees": damaged, "filled in": filled}, title)

Explorer(damage, hole=widgets.Dropdown(options=list(HOLES), description="Hidden"))

# %% [markdown]
# Two things decide: **how much** is hidden, and **in what shape**. Sections 6 and 8 ask the same of words.

# %% [markdown]
# ## 3 · Left only, or both sides
#
# Now words. A **language model** reads from left to right and guesses the next word: it sees only the left. A **masked
# language model** hides some words and guesses them from both sides.
#
# We need text. This course has a small generated language of its own: free, offline, about people, places, trades,
# animals. Until lesson 3 a *word* is what stands between spaces, in lowercase and without punctuation.

# %%
import re
import textwrap
from minibert.corpora.world import World

def words_of(document):
    return re.findall(r"[a-z0-9']+", document.text.lower())

train = [words_of(document) for document in World(7).documents(2000, seed=1)]
held_out = [words_of(document) for document in World(7).documents(200, seed=1, split="dev")]
print(textwrap.fill(f"{sum(map(len, train)):,} words, for example: {' '.join(train[0])}", 100))

# %% [markdown]
# Our learner only counts: *after these two words, which word came most often?* Three learners see two words each, one
# sees none.

# %%
def contexts(words, i):
    return {"nothing": (), "two words before": (words[i - 2], words[i - 1]),
            "one word on each side": (words[i - 1], words[i + 1]), "two words after": (words[i + 1], words[i + 2])}

# %% [markdown]
# It learns from every word of the text. Again the answer is the word itself.

# %%
from collections import Counter, defaultdict

counts = {name: defaultdict(Counter) for name in contexts(train[0], 2)}
for words in train:
    for i in range(2, len(words) - 2):
        for name, context in contexts(words, i).items():
            counts[name][context][words[i]] += 1

# %% [markdown]
# Then it takes an exam, on documents that it has not read.

# %%
right = {name: [] for name in counts}
for words in held_out:
    for i in range(2, len(words) - 2):
        for name, context in contexts(words, i).items():
            guess = counts[name][context].most_common(1) or [("", 0)]
            right[name].append(guess[0][0] == words[i])

# %% [markdown]
# Which of the three with two words guesses best, and by how much? Drag each bar to the share that you expect.

# %% jupyter={"source_hidden": true}
accuracy = {name: 100 * np.mean(hits) for name, hits in right.items()}

def who_wins():
    before, around = accuracy["two words before"], accuracy["one word on each side"]
    return (f"<p>One word on each side: {around:.0f}% right. Two words from the left: {before:.0f}%. As with the pixels, "
            f"{'both sides win' if around > before else 'one side wins'}.</p>")

GuessBars("How many words does each learner guess right?", list(accuracy), lambda: list(accuracy.values()), top=100,
          within=8, axis="words guessed right", unit="%", see=who_wins)

# %% [markdown]
# The two kinds of model side by side:
#
# | | language model (GPT) | masked language model (BERT) |
# |---|---|---|
# | sees | the left side only | both sides |
# | learns, per pass over a text, from | every word | the hidden words only, 15% in BERT |
# | can write text | yes, word after word | not directly |
# | good for | writing | reading: classify, find answers, tag names |
#
# <details><summary><b>Why does a language model not look to the right as well?</b></summary>
#
# The word on the right is the next one it has to guess. If it saw it, it would copy instead of learning. Hiding is what
# makes looking to both sides possible: a masked word cannot be copied from anywhere.
# </details>
#
# <details><summary><b>Why is BERT slower to learn at first?</b></summary>
#
# It is corrected at 15% of the words, a left-to-right model at all of them. Devlin et al. measured it (appendix C.1):
# the masked model converges slightly slower, but is the better one almost from the start.
# </details>

# %% [markdown]
# ## 4 · Which words, and what to put there
#
# BERT's recipe has two steps. First, choose the words to predict. This is the package's own code:

# %%
import inspect
from minibert.reference import choose_positions

print(inspect.getsource(choose_positions))

# %% [markdown]
# A row for BERT begins with `[CLS]` and ends with `[SEP]` (lesson 3 says what for). They are no candidates: there is
# nothing to learn from guessing them.

# %%
row = "[CLS] every morning the cook walks to the kitchen [SEP]".split()
candidates = np.array([word not in ("[CLS]", "[SEP]") for word in row])     # (T,)
chosen = choose_positions(candidates, 0.3, np.random.default_rng(3))        # (T,)
print("to predict:", *np.array(row)[chosen])

# %% [markdown]
# Second, decide what the model sees in their place. Read the last three lines: one random number, cut in three.

# %%
from minibert.reference import corrupt_80_10_10

print(inspect.getsource(corrupt_80_10_10))

# %% [markdown]
# BERT chooses 15% of the words. We do it with a text of 100,000 words.

# %%
vocabulary = np.array(["[MASK]", *sorted({word for words in train for word in words})])     # (V,)
MASK, ordinary = 0, np.arange(1, len(vocabulary))
ids = rng.choice(ordinary, 100_000)                                 # (T,)
chosen = choose_positions(np.ones(len(ids), bool), 0.15, rng)       # (T,)
seen = corrupt_80_10_10(ids, chosen, MASK, ordinary, rng)           # (T,)

# %% [markdown]
# How many of the 100,000 become `[MASK]`, how many are replaced by another word, how many are predicted although they
# look untouched?

# %% jupyter={"source_hidden": true}
FATES = {"[MASK]": (seen == MASK).sum(), "another word": ((seen != MASK) & (seen != ids)).sum(),
         "predicted, but untouched": (chosen & (seen == ids)).sum()}
def three_fates(number=chosen.sum()):
    return (f"<p>{number:,} words are chosen: 15% of all. Of these, 80% become [MASK], 10% another word, and 10% stay. (A "
            "replacement is drawn from all words, so very rarely it is the old word again.)</p>")

GuessBars("Of 100,000 words, how many meet each fate?", list(FATES), lambda: list(FATES.values()), top=20_000, within=700,
          axis="words", see=three_fates)

# %% [markdown]
# Now with a sentence of yours. Each draw uses this function:

# %%
def draw_masks(sentence, rate, number):
    words = sentence.split()
    names = np.array(["[MASK]", *words, *vocabulary[1:]])       # your words come first: their ids are 1, 2, 3, ...
    ids, ordinary = np.arange(1, len(words) + 1), np.arange(1, len(names))
    for seed in range(number):
        rng = np.random.default_rng(seed)
        chosen = choose_positions(np.ones(len(ids), bool), rate, rng)
        yield words, chosen, names[corrupt_80_10_10(ids, chosen, MASK, ordinary, rng)]

# %% [markdown]
# **Try:**
#
# - Type a sentence of your own. Press *New draw* until you have seen all three fates.
# - Press *100 more* a few times. How close do the shares come to 80, 10 and 10%?
# - Move the rate to 5, 40 and 90. From which rate on could *you* no longer guess?

# %%
from minibert.viz.masking import ManyRedraws, masking_view

WIDE = {"description_width": "initial"}

ManyRedraws(lambda sentence, rate, number: masking_view(list(draw_masks(sentence, rate / 100, number))),
            sentence=widgets.Text("every morning the cook walks to the kitchen", description="My sentence",
                                  layout={"width": "620px"}, style=WIDE, continuous_update=False),
            rate=widgets.IntSlider(15, 0, 100, 5, description="Masking rate", style=WIDE))

# %% [markdown]
# (The rate is in percent.) A ▨ hidden word looks wrong to the model, a ⇄ replaced one often does. A = kept word looks
# like all others: the model does not know that it will be asked about it.
#
# <details><summary><b>Why is nothing chosen in some draws?</b></summary>
#
# Each of the eight words stays unchosen with probability 85%, so all eight do with 0.85⁸ = 27%. In BERT's rows of up
# to 512 tokens it hardly ever happens.
# </details>
#
# <details><summary><b>Why hide most of the chosen words (80%)?</b></summary>
#
# A word that can be seen need not be guessed. `[MASK]` takes every hint away except the context.
# </details>
#
# <details><summary><b>Why then not hide all of them?</b></summary>
#
# There is no `[MASK]` in the texts that BERT reads later. A model that only ever had to think at `[MASK]` might pay
# little attention to ordinary words.
# </details>
#
# <details><summary><b>Why replace some (10%)?</b></summary>
#
# Now no word can be trusted blindly. The model must ask of every word whether it fits its context. It harms little:
# 10% of 15% is 1.5% of all words (Devlin et al., appendix A.1).
# </details>
#
# <details><summary><b>Why keep some (10%)?</b></summary>
#
# If every chosen word looked wrong, the best answer would never be the word that is seen. The kept ones pull the
# model's description of a word towards the word that is really there (appendix A.1).
# </details>

# %% [markdown]
# How much does it matter? Devlin et al. tried (appendix C.2, table 8). **Fine-tuned** means that all of BERT is trained
# further on a task; **frozen**, that BERT stays as it is and only a small model on top of it is trained. MNLI asks
# whether one sentence follows from another, NER where the names are (lessons 6 and 8). More is better, 100 is perfect:
#
# | hidden / replaced / kept | MNLI, fine-tuned | names (NER), fine-tuned | names, BERT frozen |
# |---|---|---|---|
# | 80 / 10 / 10 | 84.2 | 95.4 | 94.9 |
# | 100 / 0 / 0 | 84.3 | 94.9 | 94.0 |
#
# Little, when all of BERT is trained further on the task. More, when it stays frozen: then nobody can repair that it
# never met ordinary words while it was asked something.

# %% [markdown]
# A colleague draws two random numbers for each chosen word. By the first, 10% are kept. By the second, 10% of the
# *others* are replaced, and the rest becomes `[MASK]`.

# %%
kept = rng.random(1_000_000) < 0.1
replaced = ~kept & (rng.random(1_000_000) < 0.1)

# %% [markdown]
# Does she get BERT's shares?

# %% jupyter={"source_hidden": true}
def drawn_twice():
    return ("<p>Her second 10% are 10% of 90%. Our function draws once and cuts the number in three. (Drawing twice is right, "
            "too, if it is done in this order: hide 80%, then replace half of the rest.)</p>")

GuessBars("What does she get, in percent of the chosen words?", ["[MASK]", "another word", "kept"],
          lambda: [100 * (~kept & ~replaced).mean(), 100 * replaced.mean(), 100 * kept.mean()], top=100, within=1,
          axis="share of the chosen words", unit="%", see=drawn_twice)

# %% [markdown]
# ## 5 · One mask for ever, or a fresh one each time
#
# A model reads its text many times; each reading is an **epoch**. Are the words hidden once, before training
# (**static**), or anew in each epoch (**dynamic**)?

# %%
def predicted(words, rate, epochs, masks, rng):
    """(epochs, words) bool: the words predicted in each epoch, when so many masks are used in turn."""
    drawn = [choose_positions(np.ones(len(words), bool), rate, rng) for _ in range(masks)]
    return np.stack([drawn[epoch % masks] for epoch in range(epochs)])

# %% [markdown]
# 15% are chosen, and the text is read ten times.

# %% jupyter={"source_hidden": true}
GuessNumber("Fresh masks, ten epochs. Which share of the words has the model been asked about at least once?",
            lambda: 100 * (1 - 0.85 ** 10), within=6, form="{:.0f}%")

# %% [markdown]
# Now with a text of 24 words, in which chance moves the share up or down a little. Change the number of epochs: when has
# every word had its turn?

# %% jupyter={"source_hidden": true}
from minibert.viz.masking import coverage_view

TEXT = train[1][:24]

def compare_masks(epochs, rate):
    static = predicted(TEXT, rate / 100, epochs, 1, np.random.default_rng(5))
    fresh = predicted(TEXT, rate / 100, epochs, epochs, np.random.default_rng(5))
    title = (f"After epoch {epochs}, one static mask has asked for {static.any(axis=0).mean():.0%} of the words, "
             f"fresh masks for {fresh.any(axis=0).mean():.0%}")
    return coverage_view(TEXT, {"one static mask": static, "fresh masks": fresh}, title)

Explorer(compare_masks, epochs=widgets.BoundedIntText(10, min=1, max=60, description="Epochs"),
         rate=widgets.BoundedFloatText(15, min=1, max=90, step=5, description="Rate (%)"))

# %% [markdown]
# The static mask asks the same few words again and again: soon they are known by heart. What should come out on
# average? A word escapes a fresh mask with probability 85%, and *n* masks with 0.85ⁿ:

# %%
for epochs in (2, 4, 10, 40):
    print(f"{epochs:2d} epochs: one static mask {0.15:.0%}, ten masks in turn {1 - 0.85 ** min(epochs, 10):.0%}, "
          f"fresh masks {1 - 0.85 ** epochs:.1%}")

# %% [markdown]
# *Ten masks in turn* is what BERT really did: the text was copied ten times, each copy masked differently, and each mask
# was seen about four times in 40 epochs. RoBERTa draws fresh masks, and found a small difference: F1 on SQuAD 2.0 rises
# from 78.3 to 78.7, accuracy on SST-2 from 92.5 to 92.9, on MNLI it falls from 84.3 to 84.0 (Liu et al., section 4.1,
# table 1). Fresh masks also need no copies on the disk. (SQuAD asks questions about a passage, SST-2 whether a film
# review is good. F1 is a score from 0 to 100: lesson 7.)
#
# <details><summary><b>Why does it matter more, the longer one trains?</b></summary>
#
# With ten masks, 20% of the words are never asked for, in however many epochs, and every mask comes back again and
# again. Fresh masks never repeat.
# </details>

# %% [markdown]
# ## 6 · Pieces, words, spans, names, phrases
#
# BERT does not read words but **pieces** of words: a rare word like *glassblower* becomes `glass ##blow ##er`, where
# `##` means *goes on*. (Lesson 3 shows how. Here we cut by hand.) And a name like *dako caldgrove* has two words.
#
# We write one sentence, with bars between its units.

# %%
CUT = {
    "pieces": "the|glass|##blow|##er|dako|cald|##grove|moved|to|old|sel|##ton|in|december|1958|and|sold|bottle|##s",
    "whole words": "the|glass ##blow ##er|dako|cald ##grove|moved|to|old|sel ##ton|in|december|1958|and|sold|"
                   "bottle ##s",
    "names": "the|glass ##blow ##er|dako cald ##grove|moved|to|old sel ##ton|in|december 1958|and|sold|bottle ##s",
    "phrases": "the glass ##blow ##er|dako cald ##grove|moved|to old sel ##ton|in december 1958|and|sold bottle ##s",
}
pieces = CUT["pieces"].split("|")

# %% [markdown]
# The masking functions want the number of each piece's unit. Pieces with the same number belong together:

# %%
def units(cut):
    sizes = [len(unit.split()) for unit in cut.split("|")]
    return np.repeat(np.arange(len(sizes)), sizes)      # (T,)

print(*pieces[:8])
print(*units(CUT["whole words"])[:8], "...")

# %% [markdown]
# One function masks whole units, be they words, names or phrases:

# %%
from minibert.reference import whole_word_positions

print(inspect.getsource(whole_word_positions))

# %% [markdown]
# Another masks **spans**: several words in a row, as long as chance wants.

# %%
from minibert.reference import span_positions

print(inspect.getsource(span_positions))

# %% [markdown]
# How long is a span on average? SpanBERT takes p = 0.2 and at most ten words:

# %%
n = np.arange(1, 11)
chance = 0.2 * 0.8 ** (n - 1)
print(f"{(n * chance).sum() / chance.sum():.1f} words on average; one word only: {chance[0] / chance.sum():.0%}")

# %% [markdown]
# **Guess first.** Which of these is easiest to guess for the model, which is hardest? Think of the sun in the picture.
# Then look at several draws of each.

# %%
def choose(unit, rate, rng):
    if unit == "spans":
        return span_positions(units(CUT["whole words"]), rate, rng)     # (T,)
    return whole_word_positions(units(CUT[unit]), rate, rng)            # (T,)

# %% [markdown]
# Here every chosen piece is hidden, so that the shapes are easy to see. Sign and colour are those of section 4.

# %%
from minibert.viz.masking import Redraws, words_html

def draw_units(unit, number):
    chosen = choose(unit, 0.25, np.random.default_rng([5, number]))
    told = f"<p>{chosen.sum()} of {len(pieces)} pieces are hidden, as {unit}.</p>"
    return words_html(pieces, chosen, np.where(chosen, "[MASK]", pieces)) + told

Redraws(draw_units, unit=widgets.Dropdown(options=[*CUT, "spans"], description="Mask"))

# %% [markdown]
# When single pieces are hidden, the rest of the word often stays: `glass [MASK] ##er`. How often can a hidden piece be
# seen through like this? A piece counts when another piece of the same word can be seen.

# %%
def seen_through(unit, draws=400):
    words, leaks = units(CUT["whole words"]), []
    for seed in range(draws):
        chosen = choose(unit, 0.15, np.random.default_rng(seed))
        leaks += [np.any(~chosen & (words == words[t])) for t in np.flatnonzero(chosen)]
    return np.mean(leaks)

leaks = [seen_through(unit) for unit in [*CUT, "spans"]]

# %% [markdown]
# The sentence has 20 pieces, and a piece is hidden with probability 15%.

# %% jupyter={"source_hidden": true}
def all_leaks():
    none = "of whole words none" if leaks[1] == 0 else f"of whole words {leaks[1]:.0%}"
    return bars([*CUT, "spans"], leaks, "share of hidden pieces whose word shows another piece",
                f"{leaks[0]:.0%} of single pieces can be seen through, {none}", chosen=0, form="{:.0%}")

GuessNumber("Single pieces are masked. Of how many hidden pieces can another piece of the same word be seen?",
            lambda: 100 * leaks[0], within=10, form="{:.0f}%", see=all_leaks)

# %% [markdown]
# A model that may look at half a word learns to spell. One that may not has to understand the sentence.
#
# | unit | who | what they report |
# |---|---|---|
# | pieces | BERT (Devlin et al., 2018) | the beginning |
# | whole words | BERT's authors (release of May 2019) | BERT-large (uncased): F1 on SQuAD 1.1 from 91.0 to 92.8 |
# | phrases, then names | ERNIE (Sun et al., Baidu, 2019) | better on five Chinese tasks |
# | spans | SpanBERT (Joshi et al., 2020) | better above all where answers are spans |
#
# Take care: **two** models are called ERNIE. The other one (Zhang et al., 2019) feeds knowledge about entities into the
# model, which is another idea.
#
# <details><summary><b>Why do names teach something that words do not?</b></summary>
#
# With *dako* in sight, *caldgrove* is learned as the word that follows *dako*. When the whole name is hidden, the model
# must know from the sentence who it was that moved in 1958. That is knowledge about the world, not about spelling.
# </details>

# %% [markdown]
# ## 7 · [UNK] instead of [MASK]
#
# Every vocabulary has a token for what it does not know: `[UNK]`, unknown. Clinchant et al. (2019), who used BERT to
# translate, hid words with `[UNK]` instead of `[MASK]`. In the code that is one argument.

# %%
names = np.array(["[UNK]", *pieces])
ids = np.arange(1, len(names))                                          # (T,)
chosen = choose("whole words", 0.25, np.random.default_rng(6))          # (T,)
seen = corrupt_80_10_10(ids, chosen, 0, ids, np.random.default_rng(6))  # mask_id is now the id of [UNK]

# %% [markdown]
# **Guess first.** `[MASK]` never appears in real texts. Does `[UNK]`? What could the model gain?

# %%
from minibert.viz.explorer import View

View(words_html(pieces, chosen, names[seen], sign="[UNK]"))

# %% [markdown]
# `[UNK]` does appear: a rare letter, an emoji, a foreign script. So the hidden words look like something the model will
# meet again, and it learns on the way to read around an unknown word. The price: one sign now has two meanings.

# %% [markdown]
# ## 8 · Too little, too much
#
# A higher rate does two things at once. Each pass over the text asks **more questions**. And each question becomes
# **harder**, since its neighbours are hidden too.
#
# Our counting learner can show it. It guesses from the neighbours that are still visible: both, or one, or none.

# %%
sides = {"both": defaultdict(Counter), "left": defaultdict(Counter), "right": defaultdict(Counter), "none": Counter()}
for words in train:
    sides["none"].update(words)
    for left, word, right_word in zip(words, words[1:], words[2:]):
        sides["both"][left, right_word][word] += 1
        sides["left"][left][word] += 1
        sides["right"][right_word][word] += 1

# %% [markdown]
# It takes the best of what it can see, and knows of no other hint:

# %%
def guess(left, right_word):
    """The likeliest word between two neighbours, each of them None where hidden."""
    found = (sides["both"].get((left, right_word)) or sides["right"].get(right_word)
             or sides["left"].get(left) or sides["none"])
    return found.most_common(1)[0][0]

# %% [markdown]
# Then it takes the exam at many rates, with 200 documents it has not read.

# %%
def exam(rate, rng):
    hits = []
    for words in held_out:
        hidden = choose_positions(np.ones(len(words), bool), rate, rng)
        shown = [None if gone else word for word, gone in zip(words, hidden)]
        hits += [guess(shown[i - 1], shown[i + 1]) == words[i] for i in range(1, len(words) - 1) if hidden[i]]
    return np.mean(hits)

rates = np.array([5, 15, 30, 40, 60, 80, 95])
scores = np.array([exam(rate / 100, rng) for rate in rates])

# %% [markdown]
# The number of questions grows with the rate. How does the share of right answers change: slowly at first, or at once?

# %% jupyter={"source_hidden": true}
from minibert.viz.plots import curves

def both_curves():
    best = (rates * scores).argmax()
    return curves(rates, {"% guessed right": {"counting": 100 * scores},
                          "right answers per 100 words": {"counting": rates * scores}},
                  "masking rate in %", f"More masking: answers get worse, {scores[0]:.0%} to {scores[-1]:.0%} right; "
                  f"most right ones at {rates[best]}%", at_least={"% guessed right": (0, 40)})

GuessCurve("Which share of the hidden words does it guess right?", [f"{rate}%" for rate in rates], lambda: 100 * scores,
           top=100, within=8, axis="guessed right", along="masking rate", unit="%", at=rates)

# %% [markdown]
# Few questions with good answers, or many with bad ones: the right answers in 100 words of text are the product of both.

# %% jupyter={"source_hidden": true}
GuessChoice("At which masking rate are the most words of a text guessed right?", [f"{rate}%" for rate in rates],
            lambda: f"{rates[(rates * scores).argmax()]}%", see=both_curves)

# %% [markdown]
# - **Too little**: few questions per pass; most of the reading teaches nothing.
# - **Too much**: too little is left to guess from; in the end only *which words are frequent* can be learned.
#
# Where is the best rate? Right answers are not what counts: what counts is how well the model does afterwards. BERT
# took 15%. Wettig et al. (2023, *Should You Mask 15% in Masked Language Modeling?*) looked again:
#
# - 15% is not best everywhere: **larger models should mask more**. At the size of BERT-large, 40% beat 15% on GLUE and
#   SQuAD.
# - Even at 80% a model kept 95% of its quality after fine-tuning.
# - Scattered masks want a higher rate than spans do. (You know why: scattered gaps are the easier ones.)
#
# <details><summary><b>Why can a larger model bear more hiding?</b></summary>
#
# It makes more of what is left. What is too hard for a small model is just hard enough for a large one, and it gets
# more questions from the same text.
# </details>

# %% [markdown]
# ## 9 · You against a model
#
# Enough counting. This is a real, small BERT. It has read the generated language for a while and guessed masked pieces,
# and whether two texts belong together (lesson 4 tells why).

# %%
bert = minibert.load()

# %% [markdown]
# Play fair: **guess first**, then see its five likeliest pieces of words. In some sentences the hint is near, in some it
# is far away or to the right, and in one there is none. (The code is folded: it holds the answers.)

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import GuessFirst

PUZZLES = [
    ("Chesworth was born [MASK] Lambury in 1946.", "in"),
    ("Thornby is a baker. Nobody else bakes [MASK] like Thornby.", "bread"),
    ("Sako plays the violin. When the [MASK] of the violin broke, Sako cried for a day.", "bow"),
    ("Kalin plays the cello. Kalin plays the [MASK] best when nobody listens.", "cello"),
    ("Nomi is a [MASK]. Every morning Nomi walks to the kitchen and greets the ladle.", "cook"),
    ("Talin has a [MASK] called Pomkin. Like every cow, Pomkin kicks buckets.", "cow"),
    ("Bexford has a [MASK] called Tibmo.", "owl"),
]
GuessFirst(lambda text: bert.fill_mask(text)[0], PUZZLES)

# %% [markdown]
# When it is unsure, several words that fit share the probability. Nothing tells what animal Tibmo is, so there it is
# right to be unsure. Where another sentence says the word itself (*every cow*), it has learned to look there. Where one
# must know the world, it has learned a part: who greets a ladle, but hardly what of a violin breaks. There you win.
# (`##` marks a piece that goes on with a word. A model that was trained just now, without `make tour`, is a beginner: it
# knows kinds of words at best, and has read about people only.)
#
# Now ask it yourself. Its world is small (bakers, violins, hens, rivers ...), so stay inside it. **Guess first**, each
# time.

# %%
FillMask(bert, "Nomi works as a [MASK] and plays the [MASK].")

# %% [markdown]
# **Try:** put a hint only to the right of the gap. Take the hint away. Write a wrong word (*a baker shapes [MASK]*).
# Hide more and more words of the same sentence, and watch it get lost: too much masking.
#
# <details><summary><b>Why are two gaps next to each other filled so badly?</b></summary>
#
# BERT guesses all gaps at the same time, each for itself. It does not know what it has put into the other gap, so the
# two words need not fit each other.
# </details>

# %% [markdown]
# ## 10 · In real English
#
# Back to the model from the top of the lesson. Its last training was the kind that you have just learned about: words of
# English books, articles and web pages were masked, and it guessed them; nobody wrote a label. (If the course's own
# model took its place, you will win this game.)
#
# <details><summary><b>Where does this model come from?</b></summary>
#
# It did not begin with random weights. It is all-MiniLM-L6-v2, a published encoder of six layers. That one first learned to
# imitate the attention of a larger model (Wang et al., 2020, [arXiv 2002.10957](https://arxiv.org/abs/2002.10957)), and was
# then tuned on about a billion pairs of sentences, some of them labelled by people, so that sentences with the same
# meaning get similar vectors. For this course it was trained further on masked tokens and next sentences, on some
# millions of tokens of text. So “nobody wrote a label” is true of the last step only.
# </details>
#
# **Guess first.** You against it, in everyday English. Look at its other four words as well: which of them would fit the
# grammar of the sentence, and which its meaning? (The code is folded: it holds the answers.)

# %% jupyter={"source_hidden": true}
EVERYDAY = [
    ("He shook his [MASK] and said no.", "head"),
    ("She looked at him and did not say a [MASK].", "word"),
    ("My brother is two years younger [MASK] I am.", "than"),
    ("A week has seven [MASK].", "days"),
    ("They have two children, a son and a [MASK].", "daughter"),
    ("He closed his [MASK] and fell asleep.", "eyes"),
    ("He knocked at the door, but nobody opened the [MASK].", "door"),
    ("The king and the [MASK] sat on their thrones.", "queen"),
]
GuessFirst(lambda text: english.fill_mask(text)[0], EVERYDAY)

# %% [markdown]
# Some of these gaps need a fixed phrase, some grammar, and some need to know how the world is. In which was it right?
#
# Now sentences of your own. **Try:** a gap in which many words would fit, and one in which a single word fits: how sure
# is it of each? Delete the words on the left of a gap, then those on the right. Ask for something that few people know,
# such as a street in your town.

# %%
FillMask(english, "The old [MASK] sat by the fire and told the children a [MASK].")

# %% [markdown]
# Look at the second gap once more. With two gaps, the model fills each without knowing what it puts into the other.
#
# Next, a whole text is masked at a rate that you choose. Only words that are a single token of the model are masked,
# since one `[MASK]` stands for one token (lesson 3). So long and rare words stay in sight, and help a little.

# %%
def masked(text, rate, number):
    """The T words and punctuation marks of a text, and (T,) bool: which of them are masked."""
    words = re.findall(r"\w+|[^\w\s]", text)
    can = [word.isalpha() and english.tokenizer.encode(word).pieces == [word.lower()] for word in words]
    return np.array(words), choose_positions(np.array(can, bool), rate, np.random.default_rng(number))

def guessed(words, chosen):
    """The model's likeliest word for each masked one."""
    text = " ".join(np.where(chosen, "[MASK]", words))
    return [top[0][0] for top in english.fill_mask(text, 1)] if chosen.any() else []

# %% [markdown]
# **Guess first.** How many of the masked words will it get right? Type the number; the answer waits for it. Then take
# 40 and 80%, other draws, and a text of your own.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import CommitFirst, filled_html, sentence_html

def how_many(text, rate, number):
    words, chosen = masked(text, rate / 100, number)
    shown = sentence_html(" ".join(np.where(chosen, "[MASK]", words)))
    return f"{shown}<p>Masked words: {chosen.sum()}. How many of them will the model guess right?</p>"

def filled(text, rate, number):
    words, chosen = masked(text, rate / 100, number)
    return filled_html(words, chosen, guessed(words, chosen))

STORY = ("My grandmother lives in a small house by the sea. Every morning she opens the window, makes a cup "
         "of tea and looks at the water. When the weather is good, she goes out for a walk and talks to the "
         "people in the village.")
CommitFirst(how_many, filled, text=widgets.Textarea(STORY, description="My text", continuous_update=False,
                                                    layout={"width": "620px", "height": "90px"}),
            rate=widgets.Dropdown(options=[15, 40, 80], description="Rate (%)"),
            number=widgets.BoundedIntText(1, min=1, max=1000, description="Draw"))

# %% [markdown]
# One text is a matter of luck, so here are the beginnings of forty passages about all kinds of things. At 15% each is
# masked five times, at 40% twice, at 80% once: that way each bar rests on about the same number of hidden words. A word
# that fits but is not the author's counts as wrong, so nobody would reach 100%. (The model was trained with about 15%
# masked, and has never practised 80%. Which rate is best for *training* is another question.)

# %%
import functools
import itertools
from minibert.corpora.passages import passages

texts = [" ".join(passage.sentences[:2]) for passage in passages()]

def share_right(rate):
    hits = []
    for text, number in itertools.product(texts, range(round(0.8 / rate))):
        words, chosen = masked(text, rate, number)
        hits += [word.lower() == guess for word, guess in zip(words[chosen], guessed(words, chosen))]
    return np.mean(hits)

# %% [markdown]
# The last bar is a model that says the most frequent word every time.

# %%
@functools.cache
def shares_right():
    return [share_right(rate) for rate in (0.15, 0.4, 0.8)]

def all_rates():
    words = np.concatenate([words[can] for words, can in (masked(text, 1, 1) for text in texts)])
    word, times = Counter(map(str.lower, words)).most_common(1)[0]
    shares = shares_right()
    title = f"Guessed right: {shares[0]:.0%} at 15% masked, {shares[1]:.0%} at 40%, {shares[2]:.0%} at 80%"
    return bars(["15% masked", "40% masked", "80% masked", f"always “{word}”"], [*shares, times / len(words)],
                "share of the masked words guessed right", title, form="{:.0%}")

# %% [markdown]
# Of five words, the model sees one.

# %% jupyter={"source_hidden": true}
GuessNumber("80% of the words are masked. Of 100 masked words, how many does it guess right?",
            lambda: 100 * shares_right()[2], within=5, form="{:.0f}%", see=all_rates)

# %% [markdown]
# And where is such a model fooled, though hardly anything is masked? Ettinger (2020) asked BERT about pairs of
# sentences that differ in the word *not* alone.
#
# **Guess first.** *A robin is a ▨▨▨. A robin is not a ▨▨▨.* How many of its five likeliest words are the same? Then
# write sentences of your own with the word *is*.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import guesses_html

def with_not(text):
    if " is " not in text:
        raise ValueError("the sentence needs the word is, with a space before and after it")
    tops = {each: english.fill_mask(each)[0] for each in (text, text.replace(" is ", " is not ", 1))}
    same = set.intersection(*({word for word, _ in top} for top in tops.values()))
    lists = "".join(sentence_html(each) + guesses_html(top) for each, top in tops.items())
    return f"{lists}<p>{len(same)} of the five words are in both lists.</p>"

CommitFirst(lambda text: f"{sentence_html(text)}<p>Now <i>not</i> is put after <i>is</i>: how many words stay?</p>",
            with_not, text=widgets.Text("A robin is a [MASK].", description="With is",
                                        layout={"width": "420px"}, continuous_update=False))

# %% [markdown]
# A masked language model says what people write, not what is true. Which of its words are false?
#
# <details><summary><b>Why did the two lists come out like this?</b></summary>
#
# A likely reason: self-supervision teaches what texts teach. People deny what somebody might believe, so after *is not a*
# they write much the same kinds of words as after *is a*; hardly anybody writes *a robin is not a fish*. In training,
# *not* changed the masked word very little. Ettinger found the same in BERT for such made-up sentences, and better
# answers where a *not* is what a person would really say.
# </details>

# %% [markdown]
# ## Check yourself
#
# Every choice is explained, the wrong ones too. Try them. (The code is folded: it holds the answers.)

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("Which of these is self-supervised?", [
        Choice("Sorting photos into groups that look alike", False, "There is no right answer to compare with: "
               "unsupervised."),
        Choice("Guessing the colours of photos from their black-and-white copies", True, "Right. The data has the "
               "answer: take the colour away, then ask for it."),
        Choice("Learning from photos to which people wrote what they show", False, "People wrote the answers: "
               "supervised."),
    ]),
    Question("A row has 200 words. With BERT's recipe, how many are predicted, on average, and how many are [MASK]?", [
        Choice("30 predicted, 30 [MASK]", False, "30 are chosen, but only 80% of them are hidden."),
        Choice("160 predicted, 24 [MASK]", False, "80% is a share of the chosen words, not of all."),
        Choice("30 predicted, 24 [MASK]", True, "Right. 15% of 200 are predicted; 80% of these are hidden, 3 replaced, "
               "3 kept."),
        Choice("24 predicted, 24 [MASK]", False, "Replaced and kept words are predicted too."),
    ]),
    Question("A chosen word was kept. What happens at its place?", [
        Choice("It is predicted, and a wrong guess counts, as for all chosen words", True, "Right. Only the model does not "
               "know that it is asked."),
        Choice("Nothing, it is an ordinary word", False, "It was chosen, so it is predicted: that is what makes it "
               "different from the other 85%."),
        Choice("It is hidden in the next epoch", False, "With fresh masks the next epoch draws anew, and remembers "
               "nothing."),
    ]),
    Question("What can a masked language model use that a left-to-right model cannot?", [
        Choice("The hidden word itself", False, "No: then there would be nothing to learn."),
        Choice("More training examples per text", False, "Fewer: 15% of the words instead of all."),
        Choice("The words to the right of the gap", True, "Right: greets the ladle tells of the kitchen before it."),
    ]),
    Question("One static mask at 15%, a hundred epochs. How many of the words has the model been asked about?", [
        Choice("15%", True, "Right. It is the same 15% every time."),
        Choice("Nearly all", False, "With fresh masks, yes: 1 − 0.85¹⁰⁰. A static one never changes."),
        Choice("80%", False, "That is ten different masks: 1 − 0.85¹⁰."),
    ]),
    Question("glass [MASK] ##er can be filled without reading the sentence. What helps?", [
        Choice("A lower masking rate", False, "Then even more of each word stays in sight."),
        Choice("Masking whole words", True, "Right. Then no piece of a hidden word is left to look at."),
        Choice("[UNK] instead of [MASK]", False, "That changes the sign, not what stands beside it."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **Self-supervised**: hide a part of the data and guess it. The data is its own teacher.
# - A **masked language model** sees both sides of a gap, and pays with fewer questions per pass.
# - BERT **predicts 15%** of the tokens. Of these, **80% are hidden, 10% replaced, 10% kept**, by one draw cut in three.
#   Hidden, so that it must guess; replaced, so that it trusts no word; kept, so that it also describes what it sees.
# - **Fresh masks** ask for every word sooner or later; a static one always for the same.
# - **Whole words, names, phrases, spans** are harder to see through than pieces.
# - `[UNK]` can stand in for `[MASK]`.
# - **Too little** masking wastes reading, **too much** leaves nothing to guess from. Larger models bear more.
# - A model made in this way fills gaps in **real English**, but a small word such as *not* may hardly change its mind.
#
# Next: the exercises of this unit, where you write `choose_positions`, `corrupt_80_10_10`, `whole_word_positions` and
# `span_positions` yourself. Then lesson 2: how BERT looks at the words around a gap.

# %% [markdown]
# ## Read on
#
# - Devlin, Chang, Lee, Toutanova (2019): [BERT](https://arxiv.org/abs/1810.04805). Section 3.1, task 1; appendix A.1
#   for 80/10/10, C.1 for slower learning, C.2 for other shares.
# - Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692). Section 4.1: static and dynamic masks.
# - Joshi et al. (2020): [SpanBERT](https://arxiv.org/abs/1907.10529). Section 3.1: spans.
# - Sun et al. (2019): [ERNIE](https://arxiv.org/abs/1904.09223), by Baidu: names and phrases. Not to be confused with
#   Zhang et al. (2019): [ERNIE](https://arxiv.org/abs/1905.07129).
# - Clinchant, Jung, Nikoulina (2019): [On the use of BERT for Neural Machine
#   Translation](https://arxiv.org/abs/1909.12744), with `[UNK]` as the mask.
# - Ettinger (2020): [What BERT is not](https://arxiv.org/abs/1907.13528): where masked words fool it.
# - Wettig, Gao, Zhong, Chen (2023): [Should You Mask 15% in Masked Language
#   Modeling?](https://arxiv.org/abs/2202.08005)
