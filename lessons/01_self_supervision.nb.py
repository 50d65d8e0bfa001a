# %% [markdown]
# # 1 · Self-supervision: learning from masked words
#
# *She brushed her ▨▨▨ and went to bed.* You filled the gap at once. Nobody told you the answer: you know which words
# go together. A machine can learn this from text alone. We **mask** (hide) some words, and it predicts them from the
# others. This is how BERT learns.
#
# **After this lesson you can**
#
# - tell supervised, unsupervised and self-supervised learning apart,
# - say what a masked language model sees that a language model does not, and what this costs,
# - mask a sentence as BERT does, and explain the 15% and the 80/10/10,
# - compare static and dynamic masks, and masks over pieces, words, spans, names and phrases,
# - judge when masking is too little and when too much,
# - fill gaps in your own English sentences with a model, and say which gaps it cannot fill.
#
# **You need** Python and a little NumPy, but no machine learning. **Time:** about 75 minutes with guessing and
# playing; the code alone runs in about 20 seconds (30 more, once, if a model has to be trained for section 9).
#
# Run the cells in order with Shift + Enter. Guess before you read on: we remember best what we first got wrong. The
# last section counts your guesses.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(1)

# %% [markdown]
# ## The finished thing first
#
# This model was trained in the way that this lesson explains. Loading it takes a few seconds. (If a line says that the
# course's own model takes its place, that one knows only the small language of section 3, not English.)

# %%
import minibert

english = minibert.load("english")

# %% [markdown]
# It fills the gap of a first, easy sentence. Then write your own: put `[MASK]` where the model should predict a word,
# and press Enter. The bars show how likely each word is, in the model's view.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import FillMask

STARTS = ["Once upon a [MASK] there was a king.", "She wrote a long [MASK] to her mother.",
          "An hour has sixty [MASK].", "Every morning the cook walks to the [MASK] and greets the ladle."]
FillMask(english, max(STARTS, key=lambda text: english.fill_mask(text)[0][0][1]))

# %% [markdown]
# ## 1 · Three ways to learn
#
# | | what the learner gets | who wrote the answers | example |
# |---|---|---|---|
# | **supervised** | questions with answers (**labels**) | people | 10,000 film reviews, each marked good or bad |
# | **unsupervised** | data without answers | nobody: there are none | sorting texts into groups that are alike |
# | **self-supervised** | data; a part is masked | the data itself | predict a masked word from the others |
#
# Labels written by people are expensive: somebody has to read every review. Plain text is cheap.
#
# Nobody has labelled this sentence: *every morning the cook walks to the kitchen*. Mask one or more of its words, and
# you have a question with a known answer.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessCurve, GuessNumber, my_guesses

words = "every morning the cook walks to the kitchen".split()
GuessNumber("One or more of the eight words are masked, up to all. How many different questions can be made?",
            lambda number=len(words): 2 ** number - 1, within=50,
            see=lambda: "<p>Each of the eight words is masked or not: 2⁸ = 256 ways, less the one that masks "
                        "nothing.</p>")

# %% [markdown]
# With one masked word, there are eight questions:

# %%
for i, word in enumerate(words):
    print(*words[:i], "____", *words[i + 1:], f"   (answer: {word})")

# %% [markdown]
# No person wrote these answers. BERT learned from 3.3 billion words of text (Devlin et al., section 3.1).
#
# Some questions are easy (*walks ____ the kitchen*), some are hard (*every morning the ____*). To answer them all you
# need grammar, and you need to know what cooks do. Whoever learns to fill gaps learns a lot on the way, and can use it
# in other tasks.
#
# <details><summary><b>Why not simply call it unsupervised?</b></summary>
#
# Many papers do, BERT's too. But as in supervised learning, every prediction is compared with a right answer, so the
# method has a name of its own.
# </details>

# %% [markdown]
# ## 2 · A hole in a picture
#
# Filling the gaps of a picture is called **inpainting**. We make a picture of a sun over hills: 48 rows of 72 grey
# values between 0 and 1. (Below, 0 is drawn in blue and 1 in yellow.)

# %%
import numpy as np

rng = np.random.default_rng(0)
y, x = np.mgrid[0:48, 0:72]
sky = 0.45 + 0.4 * y / 48 + 0.35 * ((x - 52) ** 2 + (y - 13) ** 2 < 50)
hills = 0.2 + 0.12 * np.sin(x / 2 + y / 3)
picture = np.where(y > 31 + 5 * np.sin(x / 9), hills, sky) + rng.normal(0, 0.02, (48, 72))   # a little noise

# %% [markdown]
# Can we predict the grey value of a pixel from its neighbours? The right answers are in the picture already.

# %%
NEIGHBOURS = {"left": picture[1:-1, :-2], "right": picture[1:-1, 2:], "above": picture[:-2, 1:-1],
              "below": picture[2:, 1:-1]}       # each (46, 70): the neighbours of all inner pixels
answers = picture[1:-1, 1:-1].ravel()           # the labels are the pixels themselves

# %% [markdown]
# The simplest learner gives each neighbour a weight. Least squares finds the weights with the smallest squared errors.

# %%
def learn(sides):
    inputs = np.stack([NEIGHBOURS[side].ravel() for side in sides], axis=1)     # (pixels, sides)
    rule = np.linalg.lstsq(inputs, answers, rcond=None)[0]
    return rule, np.abs(inputs @ rule - answers).mean()

# %% [markdown]
# The learner may see one neighbour, two that come *before* the pixel in reading order (left and above), two on *both
# sides* (left and right), or all four.

# %%
KNOWN = {"left": ["left"], "left, above": ["left", "above"], "left, right": ["left", "right"],
         "all four": [*NEIGHBOURS]}
errors = {known: learn(sides)[1] for known, sides in KNOWN.items()}

# %% [markdown]
# The errors are computed, but not shown yet.

# %% jupyter={"source_hidden": true}
from minibert.viz.plots import bars

def compare_neighbours():
    before, around = errors["left, above"], errors["left, right"]
    return bars(list(errors), list(errors.values()), "mean error of the predicted grey value",
                f"Error with left and above: {before:.3f}. With left and right: {around:.3f}", chosen=2, form="{:.3f}")

GuessChoice("Two neighbours are visible. With which two is the error smaller?", ["left, above", "left, right"],
            lambda: min(["left, above", "left, right"], key=errors.get), see=compare_neighbours)

# %% [markdown]
# Remember the winner for section 3. From left and right, the learned rule takes about half of each. (See it with
# `learn(["left", "right"])[0].round(2)`.)
#
# Now we repair damaged pictures with such a rule: each missing pixel becomes the mean of its four neighbours, again
# and again, until the values settle.

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
# We damage the picture in four ways: three times we remove scattered pixels, once a whole block.

# %%
luck = rng.random(picture.shape)
HOLES = {"15% of the pixels": luck < 0.15, "50% of the pixels": luck < 0.5, "95% of the pixels": luck < 0.95,
         "one block": (abs(x - 52) < 8) & (abs(y - 13) < 8)}

def how_wrong(hole):
    missing = HOLES[hole]
    return np.abs(fill_in(np.where(missing, np.nan, picture)) - picture)[missing].mean()

# %% [markdown]
# The error is the mean difference between the predicted and the true grey values.

# %% jupyter={"source_hidden": true}
def shape_of_holes():
    scattered, block = how_wrong("50% of the pixels"), how_wrong("one block")
    return (f"<p>The mean error is {scattered:.3f} where half of the pixels are missing, and {block:.3f} in the block. "
            "A scattered gap nearly always has a visible neighbour. The block hides the sun, and nothing at its border "
            "tells of it.</p>")

GuessChoice("Which is harder to repair?", ["half of all pixels, here and there", "one block with 7% of the pixels"],
            lambda: max(("50% of the pixels", "half of all pixels, here and there"),
                        ("one block", "one block with 7% of the pixels"), key=lambda pair: how_wrong(pair[0]))[1],
            see=shape_of_holes)

# %% [markdown]
# Choose each kind of damage in turn. Can you still recognise the picture when only 5% of its pixels are left?

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
from minibert.viz.explorer import Explorer
from minibert.viz.masking import pictures

def damage(hole):
    missing = HOLES[hole]
    damaged = np.where(missing, np.nan, picture)
    filled = fill_in(damaged)
    title = f"Missing: {hole}. Mean error of the repair: {how_wrong(hole):.3f}"
    return pictures({"the picture": picture, "damaged": damaged, "repaired": filled}, title)

Explorer(damage, hole=widgets.Dropdown(options=list(HOLES), description="Hidden"))

# %% [markdown]
# Two things matter: **how much** is masked, and **in what shape**. Sections 6 and 8 ask the same about words.

# %% [markdown]
# ## 3 · Left only, or both sides
#
# Now words. A **language model** reads from left to right and predicts the next word, so it sees only the left side. A
# **masked language model** predicts masked words from both sides.
#
# We need text. This course has a small generated language of its own, about people, places, trades and animals. Until
# lesson 3 a *word* is whatever stands between spaces, in lowercase and without punctuation.

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
# Our learner only counts: *with these two words around the gap, which word came most often?* Three learners see two
# words each, one sees none.

# %%
def contexts(words, i):
    return {"nothing": (), "two words before": (words[i - 2], words[i - 1]),
            "one word on each side": (words[i - 1], words[i + 1]), "two words after": (words[i + 1], words[i + 2])}

# %% [markdown]
# They learn from every word of the text; its label is the word itself.

# %%
from collections import Counter, defaultdict

counts = {name: defaultdict(Counter) for name in contexts(train[0], 2)}
for words in train:
    for i in range(2, len(words) - 2):
        for name, context in contexts(words, i).items():
            counts[name][context][words[i]] += 1

# %% [markdown]
# Then we test them on **held-out** documents, which they have not read. A learner's **accuracy** is the share of the
# words that it predicts right.

# %%
right = {name: [] for name in counts}
for words in held_out:
    for i in range(2, len(words) - 2):
        for name, context in contexts(words, i).items():
            found = counts[name][context].most_common(1) or [("", 0)]
            right[name].append(found[0][0] == words[i])

# %% [markdown]
# Three of the learners see two words. Which of these is best?

# %% jupyter={"source_hidden": true}
accuracy = {name: 100 * np.mean(hits) for name, hits in right.items()}

def who_wins():
    before, around = accuracy["two words before"], accuracy["one word on each side"]
    return (f"<p>One word on each side: {around:.0f}% right. Two words before: {before:.0f}%. As with the pixels, "
            f"{'both sides win' if around > before else 'one side wins'}.</p>")

GuessBars("What share of the words does each learner predict right?", list(accuracy),
          lambda: list(accuracy.values()), top=100, within=8, axis="accuracy", unit="%", see=who_wins)

# %% [markdown]
# The two kinds of model side by side:
#
# | | language model (GPT) | masked language model (BERT) |
# |---|---|---|
# | sees | the left side only | both sides |
# | learns, in one pass over a text, from | every word | the masked words only, 15% in BERT |
# | can write text | yes, word after word | not directly |
# | good for | writing | reading: classify texts, find answers, tag names |
#
# <details><summary><b>Why does a language model not look to the right as well?</b></summary>
#
# The word on the right is the next one it has to predict. If the model saw it, it would copy it and learn nothing. A
# masked word cannot be copied from anywhere, so a masked language model may look to both sides.
# </details>
#
# <details><summary><b>Why does BERT learn more slowly at first?</b></summary>
#
# It predicts 15% of the words, a left-to-right model all of them. Devlin et al. measured it (appendix C.1): the masked
# model converges slightly more slowly, but is the better one almost from the start.
# </details>

# %% [markdown]
# ## 4 · Which words, and what to put there
#
# BERT's recipe has two steps. First, choose the words to predict. The share that is chosen is the **masking rate**.
# This is the package's own code (a **token** is what the model reads; here, each word is one):

# %%
import inspect
from minibert.reference import choose_positions

print(inspect.getsource(choose_positions))

# %% [markdown]
# A text for BERT, called a **sequence**, begins with `[CLS]` and ends with `[SEP]` (lesson 3 says why). These two are
# never chosen: there is nothing to learn from predicting them. Here we choose 30% of a short sequence. The comment
# `(T,)` says that an array has one entry for each of the T tokens.

# %%
sequence = "[CLS] every morning the cook walks to the kitchen [SEP]".split()
candidates = np.array([word not in ("[CLS]", "[SEP]") for word in sequence])     # (T,)
chosen = choose_positions(candidates, 0.3, np.random.default_rng(3))        # (T,)
print("to predict:", *np.array(sequence)[chosen])

# %% [markdown]
# Second, decide what the model sees in their place. Read the last lines: one random number for each token, `fate`, is
# cut in three. (`(B, T)` means B sequences of T tokens.)

# %%
from minibert.reference import corrupt_80_10_10

print(inspect.getsource(corrupt_80_10_10))

# %% [markdown]
# BERT chooses 15%. We try it on 100,000 random words. The model's **vocabulary** is the list of all V tokens it knows,
# and the **id** of a token is its place in that list.

# %%
vocabulary = np.array(["[MASK]", *sorted({word for words in train for word in words})])     # (V,)
MASK, ordinary = 0, np.arange(1, len(vocabulary))
ids = rng.choice(ordinary, 100_000)                                 # (T,)
chosen = choose_positions(np.ones(len(ids), bool), 0.15, rng)       # (T,)
seen = corrupt_80_10_10(ids, chosen, MASK, ordinary, rng)           # (T,)

# %% [markdown]
# Each chosen word meets one of three fates.

# %% jupyter={"source_hidden": true}
FATES = {"[MASK]": (seen == MASK).sum(), "another word": ((seen != MASK) & (seen != ids)).sum(),
         "predicted, but untouched": (chosen & (seen == ids)).sum()}
def three_fates(number=chosen.sum()):
    return (f"<p>{number:,} words are chosen, about 15%. Of these, 80% become [MASK], 10% another word, 10% stay. (A "
            "replacement is drawn from all words, so very rarely it is the old word again.)</p>")

GuessBars("Of 100,000 words, how many meet each fate?", list(FATES), lambda: list(FATES.values()), top=20_000,
          within=700, axis="words", see=three_fates)

# %% [markdown]
# Now with a sentence of your own. Each draw uses this function:

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
# - Press *100 more* a few times. How close do the shares come to 80%, 10% and 10%?
# - Set the masking rate (in percent) to 5, 40 and 90. From which one on could *you* no longer guess the words?

# %% jupyter={"source_hidden": true}
from minibert.viz.masking import ManyRedraws, masking_view

WIDE = {"description_width": "initial"}

ManyRedraws(lambda sentence, rate, number: masking_view(list(draw_masks(sentence, rate / 100, number))),
            sentence=widgets.Text("every morning the cook walks to the kitchen", description="My sentence",
                                  layout={"width": "620px"}, style=WIDE, continuous_update=False),
            rate=widgets.IntSlider(15, 0, 100, 5, description="Masking rate", style=WIDE))

# %% [markdown]
# The model can tell at once that a ▨ word is hidden (masked), and often that a ⇄ word was replaced. A word marked =
# was kept and looks like all others: the model does not know that it has to predict it.
#
# <details><summary><b>Why is nothing chosen in some draws?</b></summary>
#
# Each of the eight words stays unchosen with probability 85%, so all eight do with 0.85⁸ = 27%. In BERT's sequences of
# up to 512 tokens this hardly ever happens.
# </details>
#
# <details><summary><b>Why mask most of the chosen words (80%)?</b></summary>
#
# `[MASK]` takes every hint away except the context.
# </details>
#
# <details><summary><b>Why then not mask all of them?</b></summary>
#
# There is no `[MASK]` in the texts that BERT reads later. A model that only ever had to predict at `[MASK]` might pay
# little attention to ordinary words.
# </details>
#
# <details><summary><b>Why replace some (10%)?</b></summary>
#
# Now the model must check for every word whether it fits its context. This does little harm, since 10% of 15% is 1.5%
# of all words (Devlin et al., appendix A.1).
# </details>
#
# <details><summary><b>Why keep some (10%)?</b></summary>
#
# If every chosen word were masked or replaced, the right prediction would never be the word that is seen. The kept
# words pull the model's description of a word towards the word that is really there (appendix A.1).
# </details>

# %% [markdown]
# How much does this matter? Devlin et al. tried it on two tasks. MNLI asks whether one sentence follows from another;
# named entity recognition (NER) asks where the names are (lessons 6 and 8). **Fine-tuned** means that all of BERT is
# trained further on the task; **frozen** means that BERT stays as it is and only a small model on top of it is
# trained. Higher is better, 100 is perfect (appendix C.2, table 8):
#
# | `[MASK]` / replaced / kept | MNLI, fine-tuned | NER, fine-tuned | NER, frozen |
# |---|---|---|---|
# | 80% / 10% / 10% | 84.2 | 95.4 | 94.9 |
# | 100% / 0% / 0% | 84.3 | 94.9 | 94.0 |
#
# It matters little when BERT is fine-tuned, and more when it is frozen: then nothing can make up for the fact that it
# never had to predict at an ordinary word.

# %% [markdown]
# A colleague draws two random numbers for each chosen word. With the first, 10% are kept. With the second, 10% of the
# *others* are replaced, and the rest become `[MASK]`.

# %%
kept = rng.random(1_000_000) < 0.1
replaced = ~kept & (rng.random(1_000_000) < 0.1)

# %% [markdown]
# Does she get BERT's shares?

# %% jupyter={"source_hidden": true}
def drawn_twice():
    return ("<p>Her second 10% are 10% of 90%. Our function draws once and cuts the number in three. (Drawing twice is "
            "right, too, if it is done in this order: hide 80%, then replace half of the rest.)</p>")

GuessBars("What does she get, in percent of the chosen words?", ["[MASK]", "another word", "kept"],
          lambda: [100 * (~kept & ~replaced).mean(), 100 * replaced.mean(), 100 * kept.mean()], top=100, within=1,
          axis="share of the chosen words", unit="%", see=drawn_twice)

# %% [markdown]
# ## 5 · One mask for ever, or a fresh one each time
#
# A model reads its text many times; each pass over the text is an **epoch**. Are the words masked once, before
# training (**static masking**), or anew in each epoch (**dynamic masking**, with fresh masks)?

# %%
def predicted(words, rate, epochs, masks, rng):
    """(epochs, words) bool: the words predicted in each epoch; `masks` masks are used in turn."""
    drawn = [choose_positions(np.ones(len(words), bool), rate, rng) for _ in range(masks)]
    return np.stack([drawn[epoch % masks] for epoch in range(epochs)])

# %% [markdown]
# At each epoch, 15% of the words are chosen.

# %% jupyter={"source_hidden": true}
GuessNumber("Fresh masks, ten epochs. What share of the words is predicted at least once?",
            lambda: 100 * (1 - 0.85 ** 10), within=6, form="{:.0f}%")

# %% [markdown]
# Now with only 24 words. Increase the number of epochs: when has every word been predicted?

# %% jupyter={"source_hidden": true}
from minibert.viz.masking import coverage_view

TEXT = train[1][:24]

def compare_masks(epochs, rate):
    static = predicted(TEXT, rate / 100, epochs, 1, np.random.default_rng(5))
    fresh = predicted(TEXT, rate / 100, epochs, epochs, np.random.default_rng(5))
    title = (f"After epoch {epochs}, words predicted: {static.any(axis=0).mean():.0%} with one static mask, "
             f"{fresh.any(axis=0).mean():.0%} with fresh masks")
    return coverage_view(TEXT, {"one static mask": static, "fresh masks": fresh}, title)

Explorer(compare_masks, epochs=widgets.BoundedIntText(3, min=1, max=60, description="Epochs"),
         rate=widgets.BoundedFloatText(15, min=1, max=90, step=5, description="Rate (%)"))

# %% [markdown]
# A model soon knows the few words of a static mask by heart. What should we expect on average? A word escapes one
# fresh mask with probability 85%, and *n* of them with 0.85ⁿ. (*Ten masks* are drawn once and then used in turn.)

# %%
print("epochs   one static mask   ten masks   fresh masks")
for epochs in (2, 4, 10, 40):
    print(f"{epochs:6}{0.15:18.1%}{1 - 0.85 ** min(epochs, 10):12.1%}{1 - 0.85 ** epochs:14.1%}")

# %% [markdown]
# *Ten masks* is what BERT did: the text was copied ten times, each copy was masked differently, and each mask was seen
# about four times in 40 epochs. RoBERTa draws fresh masks, which also need no copies on the disk. The difference is
# small (Liu et al., section 4.1, table 1; F1 is a score from 0 to 100, see lesson 7):
#
# | task | what it asks | score | static | dynamic |
# |---|---|---|---|---|
# | SQuAD 2.0 | answer questions about a passage | F1 | 78.3 | 78.7 |
# | MNLI | does one sentence follow from another? | accuracy | 84.3 | 84.0 |
# | SST-2 | is a film review good or bad? | accuracy | 92.5 | 92.9 |
#
# <details><summary><b>Why does it matter more, the longer one trains?</b></summary>
#
# With ten masks, 20% of the words are never predicted, however many epochs there are. Fresh masks keep changing.
# </details>

# %% [markdown]
# ## 6 · Pieces, words, spans, names, phrases
#
# BERT's tokens are not words but **subwords**, pieces of words: a rare word like *glassblower* becomes `glass ##blow
# ##er`, where `##` marks a piece that continues a word. (Lesson 3 shows how. Here we cut by hand.) And a name like
# *dako caldgrove* has two words.
#
# Here is one sentence, cut into units in four ways. A unit is masked as a whole.

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
# The masking functions need the number of the unit that each piece belongs to. Pieces with the same number belong
# together:

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
# Another masks **spans**: several words in a row, with a random length.

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
# This function chooses in any of the five ways:

# %%
def choose(unit, rate, rng):
    if unit == "spans":
        return span_positions(units(CUT["whole words"]), rate, rng)     # (T,)
    return whole_word_positions(units(CUT[unit]), rate, rng)            # (T,)

# %% [markdown]
# **Guess first.** Pieces, whole words, names, phrases, spans: which gaps are the easiest for a model, and which the
# hardest? Think of the sun in the picture. Then look at several draws of each. (Here every chosen piece becomes
# `[MASK]`.)

# %% jupyter={"source_hidden": true}
from minibert.viz.masking import Redraws, words_html

def draw_units(unit, number):
    chosen = choose(unit, 0.25, np.random.default_rng([5, number]))
    told = f"<p>{chosen.sum()} of {len(pieces)} pieces are masked (unit: {unit}).</p>"
    return words_html(pieces, chosen, np.where(chosen, "[MASK]", pieces)) + told

Redraws(draw_units, unit=widgets.Dropdown(options=[*CUT, "spans"], description="Mask"))

# %% [markdown]
# When single pieces are masked, the rest of the word often stays: `glass [MASK] ##er`. How often does another piece of
# the same word give a masked piece away? We count it in 400 draws.

# %%
def seen_through(unit, draws=400):
    words, leaks = units(CUT["whole words"]), []
    for seed in range(draws):
        chosen = choose(unit, 0.15, np.random.default_rng(seed))
        leaks += [np.any(~chosen & (words == words[t])) for t in np.flatnonzero(chosen)]
    return np.mean(leaks)

leaks = [seen_through(unit) for unit in [*CUT, "spans"]]

# %% [markdown]
# The sentence has 19 pieces, and 15% of them, so 3, are masked in each draw.

# %% jupyter={"source_hidden": true}
def all_leaks():
    none = "for no whole word" if leaks[1] == 0 else f"for {leaks[1]:.0%} in whole words"
    return bars([*CUT, "spans"], leaks, "share of masked pieces with another piece of the word in sight",
                f"Another piece is in sight: for {leaks[0]:.0%} of single pieces, {none}", chosen=0, form="{:.0%}")

GuessNumber("Single pieces are masked. For what share of them is another piece of the same word in sight?",
            lambda: 100 * leaks[0], within=10, form="{:.0f}%", see=all_leaks)

# %% [markdown]
# With a part of the word in sight, a model can get by with spelling. Otherwise it has to understand the sentence.
#
# | unit | who | what they report |
# |---|---|---|
# | pieces | BERT (Devlin et al., 2018) | the starting point |
# | whole words | BERT's authors (release of May 2019) | BERT-large (uncased): F1 on SQuAD 1.1 from 91.0 to 92.8 |
# | phrases, then names | ERNIE (Sun et al., Baidu, 2019) | better on five Chinese tasks |
# | spans | SpanBERT (Joshi et al., 2020) | better, above all where answers are spans |
#
# **Two** models are called ERNIE. The other one (Zhang et al., 2019) feeds knowledge about entities into the model,
# which is another idea.
#
# <details><summary><b>Why do names teach something that words do not?</b></summary>
#
# With *dako* in sight, *caldgrove* is learned as the word that follows *dako*. When the whole name is masked, the
# model must know from the sentence who moved in 1958. That is knowledge about the world, not about spelling.
# </details>

# %% [markdown]
# ## 7 · [UNK] instead of [MASK]
#
# A vocabulary has a token for what it does not know: `[UNK]`, unknown. Clinchant et al. (2019), who used BERT to
# translate, masked words with `[UNK]` instead of `[MASK]`. In the code this changes one argument.

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
# `[UNK]` does appear, for a rare letter, an emoji or a foreign script. So the model learns to read around unknown
# words. The price: one token now has two meanings.

# %% [markdown]
# ## 8 · Too little, too much
#
# A higher masking rate gives the model **more questions** in each pass over the text. But each question becomes
# **harder**, since its neighbours may be masked too.
#
# Our counting learner can show this. It predicts from the neighbours that it can still see: both, one, or none.

# %%
sides = {"both": defaultdict(Counter), "left": defaultdict(Counter), "right": defaultdict(Counter), "none": Counter()}
for words in train:
    sides["none"].update(words)
    for left, word, right_word in zip(words, words[1:], words[2:]):
        sides["both"][left, right_word][word] += 1
        sides["left"][left][word] += 1
        sides["right"][right_word][word] += 1

# %% [markdown]
# It uses the best hint it has:

# %%
def predict(left, right_word):
    """Return the most likely word between two neighbours; a masked neighbour is None."""
    found = (sides["both"].get((left, right_word)) or sides["right"].get(right_word)
             or sides["left"].get(left) or sides["none"])
    return found.most_common(1)[0][0]

# %% [markdown]
# We test it at many masking rates, on the 200 held-out documents.

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
# The number of questions grows with the masking rate. What happens to the accuracy?

# %% jupyter={"source_hidden": true}
from minibert.viz.plots import curves

def both_curves():
    best = (rates * scores).argmax()
    return curves(rates, {"accuracy in %": {"counting": 100 * scores},
                          "right answers per 100 words": {"counting": rates * scores}},
                  "masking rate in %", f"Accuracy: {scores[0]:.0%} at {rates[0]}% masked, "
                  f"{scores[-1]:.0%} at {rates[-1]}%. "
                  f"Most right answers: at {rates[best]}%", at_least={"accuracy in %": (0, 40)})

GuessCurve("What share of the masked words does it predict right?", [f"{rate}%" for rate in rates],
           lambda: 100 * scores, top=100, within=8, axis="accuracy", along="masking rate", unit="%", at=rates)

# %% [markdown]
# Few questions with good answers, or many with bad ones: the number of right answers in a text depends on both.

# %% jupyter={"source_hidden": true}
GuessChoice("At which masking rate does it predict the most words of a text right?", [f"{rate}%" for rate in rates],
            lambda: f"{rates[(rates * scores).argmax()]}%", see=both_curves)

# %% [markdown]
# - **Too little**: few questions per pass; most of the reading teaches nothing.
# - **Too much**: there is too little left to predict from; in the end a model can only learn *which words are
#   frequent*.
#
# Which masking rate is best? What counts is how well the model does its tasks afterwards. BERT took 15%. Wettig et al.
# (2023, *Should You Mask 15% in Masked Language Modeling?*) looked again:
#
# - **Larger models should mask more** than 15%. At the size of BERT-large, 40% beat 15% on GLUE (a collection of
#   tasks) and SQuAD.
# - Even at 80% a model kept 95% of its quality after fine-tuning.
# - Scattered masks need a higher masking rate than spans: they are easier to fill, as in the picture.
#
# <details><summary><b>Why can a larger model cope with more masking?</b></summary>
#
# It makes more of what is left. What is too hard for a small model is just hard enough for a large one, and it gets
# more questions from the same text.
# </details>

# %% [markdown]
# ## 9 · You against a model
#
# This is a real, small BERT. On the generated language, it learned to predict masked tokens, and whether two texts
# belong together (lesson 4).

# %%
bert = minibert.load()

# %% [markdown]
# **Guess first**, then see the model's five most likely tokens. The hint is near, far away or to the right, and one
# sentence has none. Try all seven.

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
# <details><summary><b>Why was it sure in some sentences, and unsure in others?</b></summary>
#
# When several words fit, they share the probability. Nothing tells what animal Tibmo is, so there the model should be
# unsure. Where another sentence says the word itself (*every cow*), it has learned to copy it. Where one must know the
# world, it has learned a part: who greets a ladle, but hardly what part of a violin breaks. (`##` marks a piece that
# continues a word. A model that was trained just now, without `make tour`, is a beginner: it knows kinds of words at
# best, and has read about people only.)
# </details>
#
# Now write sentences of your own. The model's world is small (bakers, violins, hens, rivers ...), so stay inside it.
# Guess each time before you press Enter.

# %%
FillMask(bert, "Nomi works as a [MASK] and plays the [MASK].")

# %% [markdown]
# **Try:** put a hint only to the right of the gap, then take it away. Mask more and more words of the same sentence,
# and watch the model get lost.
#
# <details><summary><b>Why do two gaps next to each other often not fit together?</b></summary>
#
# BERT predicts all gaps at the same time, each for itself. It does not know what it has put into the other gap.
# </details>

# %% [markdown]
# ## 10 · In real English
#
# Back to the model from the top of the lesson. In its last training, it predicted masked words of English books,
# articles and web pages. (If the course's own model took its place, you will win this game.)
#
# <details><summary><b>Where does this model come from?</b></summary>
#
# It was not trained from scratch. It is all-MiniLM-L6-v2, a published encoder of six layers. That one first learned to
# imitate the attention of a larger model (Wang et al., 2020, [arXiv 2002.10957](https://arxiv.org/abs/2002.10957)),
# and was then tuned on about a billion pairs of sentences, some of them labelled by people, so that sentences with the
# same meaning get similar vectors. For this course it was trained further on masked tokens and next sentences, on some
# millions of tokens of text. So only its last training was purely self-supervised.
# </details>
#
# **Guess first.** You against the model, in everyday English. Look at its other four words as well: which of them
# would fit the grammar of the sentence, and which its meaning?

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
# Some of these gaps need a fixed phrase, some grammar, some knowledge of the world. Which did the model get right?
#
# Now sentences of your own. **Try:** a gap in which many words would fit, and one in which only one word fits: how
# sure is the model of each? Delete the words on the left of a gap, then those on the right. Ask for a street in your
# town.

# %%
FillMask(english, "The old [MASK] sat by the fire and told the children a [MASK].")

# %% [markdown]
# Next, a whole text is masked at a rate that you choose. Only words that are a single token of the model are masked,
# since one `[MASK]` stands for one token (lesson 3). So long and rare words stay in sight.

# %%
def masked(text, rate, number):
    """Return the T words and punctuation marks of a text, and (T,) bool: which of them are masked."""
    words = re.findall(r"\w+|[^\w\s]", text)
    can = [word.isalpha() and english.tokenizer.encode(word).pieces == [word.lower()] for word in words]
    return np.array(words), choose_positions(np.array(can, bool), rate, np.random.default_rng(number))

def predictions(words, chosen):
    """Return the model's most likely word for each masked one."""
    text = " ".join(np.where(chosen, "[MASK]", words))
    return [top[0][0] for top in english.fill_mask(text, 1)] if chosen.any() else []

# %% [markdown]
# **Guess first.** How many of the masked words will the model get right? Then try 40% and 80%, other draws, and a text
# of your own.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import CommitFirst, filled_html, sentence_html

def how_many(text, rate, number):
    words, chosen = masked(text, rate / 100, number)
    shown = sentence_html(" ".join(np.where(chosen, "[MASK]", words)))
    return f"{shown}<p>Masked words: {chosen.sum()}. How many of them will the model get right?</p>"

def filled(text, rate, number):
    words, chosen = masked(text, rate / 100, number)
    return filled_html(words, chosen, predictions(words, chosen))

STORY = ("My grandmother lives in a small house by the sea. Every morning she opens the window, makes a cup "
         "of tea and looks at the water. When the weather is good, she goes out for a walk and talks to the "
         "people in the village.")
CommitFirst(how_many, filled, text=widgets.Textarea(STORY, description="My text", continuous_update=False,
                                                    layout={"width": "620px", "height": "90px"}),
            rate=widgets.Dropdown(options=[15, 40, 80], description="Rate (%)"),
            number=widgets.BoundedIntText(1, min=1, max=1000, description="Draw"))

# %% [markdown]
# A single text is a matter of luck, so we take the beginnings of forty passages. Each is masked five times at 15%,
# twice at 40%, once at 80%, which gives about as many masked words each time. A word that fits but is not the author's
# counts as wrong, so nobody would reach 100%. (The model was trained with about 15% masked. So this does not tell
# which masking rate is best for *training*.)

# %%
import functools
import itertools
from minibert.corpora.passages import passages

texts = [" ".join(passage.sentences[:2]) for passage in passages()]

def share_right(rate):
    hits = []
    for text, number in itertools.product(texts, range(round(0.8 / rate))):
        words, chosen = masked(text, rate, number)
        hits += [word.lower() == said for word, said in zip(words[chosen], predictions(words, chosen))]
    return np.mean(hits)

# %% [markdown]
# At 80%, the model sees only about one word in five, besides those that are never masked. For comparison, the last bar
# of the answer is a model that always says the most frequent word.

# %% jupyter={"source_hidden": true}
@functools.cache
def shares_right():
    return [share_right(rate) for rate in (0.15, 0.4, 0.8)]

def all_rates():
    words = np.concatenate([words[can] for words, can in (masked(text, 1, 1) for text in texts)])
    word, times = Counter(map(str.lower, words)).most_common(1)[0]
    shares = shares_right()
    title = f"Accuracy: {shares[0]:.0%} at 15% masked, {shares[1]:.0%} at 40%, {shares[2]:.0%} at 80%"
    return bars(["15% masked", "40% masked", "80% masked", f"always “{word}”"], [*shares, times / len(words)],
                "accuracy on the masked words", title, form="{:.0%}")

GuessNumber("80% of the words are masked. What share of them does it predict right?",
            lambda: 100 * shares_right()[2], within=5, form="{:.0f}%", see=all_rates)

# %% [markdown]
# And what fools such a model, even if hardly anything is masked? Ettinger (2020) asked BERT about pairs of sentences
# that differ only in the word *not*.
#
# **Guess first.** *A robin is a ▨▨▨. A robin is not a ▨▨▨.* How many of the model's five most likely words are the
# same? Then write sentences of your own with the word *is*.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import guesses_html

def with_not(text):
    if " is " not in text:
        raise ValueError("the sentence needs the word is, with a space before and after it")
    tops = {each: english.fill_mask(each)[0] for each in (text, text.replace(" is ", " is not ", 1))}
    same = set.intersection(*({word for word, _ in top} for top in tops.values()))
    lists = "".join(sentence_html(each) + guesses_html(top) for each, top in tops.items())
    return f"{lists}<p>{len(same)} of the five words are in both lists.</p>"

CommitFirst(lambda text: f"{sentence_html(text)}<p>Now <i>not</i> is put after <i>is</i>: "
                         "how many of the five words stay?</p>",
            with_not, text=widgets.Text("A robin is a [MASK].", description="With is",
                                        layout={"width": "420px"}, continuous_update=False))

# %% [markdown]
# A masked language model says what people write, not what is true. Which of its words are false?
#
# <details><summary><b>Why did the two lists come out like this?</b></summary>
#
# A likely reason: people deny what somebody might believe, so after *is not a* they write much the same kinds of words
# as after *is a*; hardly anybody writes *a robin is not a fish*. So in training, a *not* told the model very little
# about the masked word. Ettinger found the same in BERT for such made-up sentences, and better answers where a person
# would really say *not*.
# </details>

# %% [markdown]
# ## Check yourself
#
# Every choice is explained, the wrong ones too.

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
    Question("A sequence has 200 words. With BERT's recipe, how many on average are predicted, and how many "
             "become [MASK]?", [
        Choice("30 predicted, 30 [MASK]", False, "30 are chosen, but only 80% of them become [MASK]."),
        Choice("160 predicted, 24 [MASK]", False, "80% is a share of the chosen words, not of all."),
        Choice("30 predicted, 24 [MASK]", True, "Right. 15% of 200 are predicted; 80% of these become [MASK], "
               "3 are replaced, 3 kept."),
        Choice("24 predicted, 24 [MASK]", False, "Replaced and kept words are predicted too."),
    ]),
    Question("A chosen word was kept. What happens at its position?", [
        Choice("It is predicted, and a wrong guess counts, as for all chosen words", True, "Right. The model just "
               "cannot tell that it is tested on this word."),
        Choice("Nothing, it is an ordinary word", False, "It was chosen, so it is predicted: that is what makes it "
               "different from the other 85%."),
        Choice("It is masked in the next epoch", False, "With fresh masks the next epoch draws anew, and remembers "
               "nothing."),
    ]),
    Question("What can a masked language model use that a left-to-right model cannot?", [
        Choice("The masked word itself", False, "No: then there would be nothing to learn."),
        Choice("More training examples per text", False, "Fewer: 15% of the words instead of all."),
        Choice("The words to the right of the gap", True, "Right: “greets the ladle” points back to the kitchen."),
    ]),
    Question("One static mask at 15%, a hundred epochs. What share of the words has been predicted?", [
        Choice("15%", True, "Right. It is the same 15% every time."),
        Choice("Nearly all", False, "With fresh masks, yes: 1 − 0.85¹⁰⁰. A static one never changes."),
        Choice("80%", False, "That would be ten different masks: 1 − 0.85¹⁰."),
    ]),
    Question("glass [MASK] ##er can be filled without reading the sentence. What helps?", [
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
# - **Self-supervised**: mask a part of the data and predict it. The labels come from the data itself.
# - A **masked language model** sees both sides of a gap, but gets fewer questions per pass over the text.
# - BERT **predicts 15%** of the tokens. Of these, **80% become `[MASK]`, 10% are replaced, 10% are kept**. Masked, so
#   that the model must use the context; replaced, so that it trusts no word blindly; kept, so that it also describes
#   what it sees.
# - **Dynamic masking** asks for every word sooner or later; a static mask always asks for the same words.
# - **Whole words, names, phrases, spans** are harder to predict than single pieces.
# - `[UNK]` can stand in for `[MASK]`.
# - **Too little** masking wastes reading, **too much** leaves nothing to predict from. Larger models can cope with
#   more.
# - A model trained in this way fills gaps in **real English**, but a small word such as *not* may hardly change its
#   predictions.
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
