# %% [markdown]
# # 9 · ELMo, GPT, BERT: who may see what
#
# In 2018 three models were pretrained on plain text and then used for everything. They differ in one thing above all:
# what each word may look at. Here you train all three, small, on the same text, and see what each can know.
#
# **After this lesson you can**
#
# - say for each model and each word what it may use,
# - show why a deep model cannot simply look both ways and predict each word, and why [MASK] repairs that,
# - compare such models fairly: each beside the best score possible for what it may see, over several seeds,
# - read the experiments of BERT's paper in which one part is taken away, and say which of them a small model can repeat,
# - measure on sentences of your own what the right side is worth to a model that reads both.
#
# **You need** lessons 1, 2, 4 and 5: masks, attention, losses, the loop.
# **Time:** about 60 minutes with guessing and playing; the code alone runs in 60 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is remembered
# best. Those that begin with **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(9)

# %% [markdown]
# ## First, the finished thing
#
# A model that reads both sides fills [MASK]. At the left end of the picture it sees nothing after [MASK], like GPT; with each
# step to the right it sees one token more. Each line is one word and its probability: the two likeliest words at the left
# end, and the two likeliest at the right end. Run the folded cell: of twenty everyday sentences, it shows the one in which
# the right side helps most. Then write a sentence of your own.

# %% jupyter={"source_hidden": true}
import html
import ipywidgets as widgets
import minibert
import numpy as np
import torch
from minibert.batch import pack
from minibert.english.everyday import everyday
from minibert.pretrained import ids_with_masks
from minibert.viz.explorer import Explorer, figure_html
from minibert.viz.guess import sentence_box
from minibert.viz.plots import curves

english = minibert.load("english")

@torch.no_grad()
def step_by_step(text):
    ids, types = pack(ids_with_masks(english.tokenizer, text), None, english.tokenizer.specials)
    if ids.count(english.tokenizer.specials.mask) != 1 or len(ids) > 32:
        raise ValueError("write a sentence of at most 30 tokens with one [MASK]")
    at, T = ids.index(english.tokenizer.specials.mask), len(ids)
    n = T - at - 1                                                  # steps: 0 tokens of the right side to all of them
    visible = np.ones((n, T, T), bool)
    for shown in range(n):
        visible[shown, :, at + 1 + shown:T - 1] = False             # nobody may look at the rest; [SEP] stays
    inputs, segments = (torch.tensor(np.tile(row, (n, 1))) for row in (ids, types))             # (n, T) each
    gaps = inputs == english.tokenizer.specials.mask
    logits = english.model(inputs, torch.from_numpy(visible), segments, counted=gaps)["tokens"]  # (n, V)
    return logits[:, :len(english.tokenizer)].softmax(-1).numpy(), [english.tokenizer.vocab[i] for i in ids[at + 1:-1]]

def draw_steps(text):
    probs, right = step_by_step(text)                               # (n, V), n - 1 tokens
    if not right:
        raise ValueError("write something after [MASK], too")
    none, all_of_it = np.argsort(-probs[0])[:2], np.argsort(-probs[-1])[:2]
    lines = {english.tokenizer.vocab[i]: 100 * probs[:, i] for i in dict.fromkeys([*none, *all_of_it])}
    said = [f"“{english.tokenizer.vocab[i[0]]}” {step[i[0]]:.0%}"
            for i, step in ((none, probs[0]), (all_of_it, probs[-1]))]
    picture = curves(range(len(probs)), {"probability, %": lines}, "tokens to the right that may be seen",
                     f"Hidden: {said[0]}; seen: {said[1]}")
    names = ", ".join(f"{number} {token}" for number, token in enumerate(right, 1))
    return figure_html(*picture) + f"<p>The tokens to the right: {html.escape(names)}</p>"

GAPS = {gap.text: gap.words for gap in everyday() if len(gap.text.partition("[MASK]")[2].split()) >= 3}

def chances(text):
    """The probability that the gap gets one of the words meant: right side hidden, right side seen."""
    probs, ids = step_by_step(text)[0], [english.tokenizer.encode(word).ids for word in GAPS[text]]
    whole = [word[0] for word in ids if len(word) == 1]             # a word of several tokens fits in no gap
    return probs[[0, -1]][:, whole].sum(axis=1)

clearest = max(GAPS, key=lambda text: np.diff(chances(text)).item())
Explorer(draw_steps, text=sentence_box(clearest))

# %% [markdown]
# ## Do you remember?
#
# Three questions about what this lesson builds on. Run the folded cell below and choose; you may choose again.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("What does a language model predict, and from what?", [
        Choice("The next word, from those before it", True, "Right."),
        Choice("A hidden word, from both sides", False, "That is a masked language model, lesson 1."),
        Choice("The next sentence", False, "That is NSP, lesson 4."),
    ]),
    Question("In a decoder, query t may look at the keys …", [
        Choice("up to t, itself included", True, "Right: what it predicts is t + 1."),
        Choice("up to t − 1", False, "It may see itself: its own word is no secret."),
        Choice("from t on", False, "Those are the ones it has to predict."),
    ]),
    Question("BERT predicts 15% of the words. How many of the 100 words of a row add to its MLM loss?", [
        Choice("About 15", True, "Right. Keep it in mind: it has a price, section 4."),
        Choice("100", False, "Only the hidden words are asked for."),
        Choice("85", False, "Those are the words that it reads."),
    ]),
])

# %% [markdown]
# ## 1 · Who may see what
#
# **ELMo** (Peters et al.) is two recurrent networks: one has read everything to the left of a word, the other everything
# to its right, and neither knows what the other has read. **GPT** (Radford et al.) is a Transformer that looks to the
# left only. **BERT** (Devlin et al.) looks both ways at once, at every layer.
#
# The sentence is *the cat that they feed sleeps*. Here is what GPT may use: each row is a word to predict, each column a
# word, and 1 says that it may be used.

# %%
import numpy as np
from minibert.batch import visible_all, visible_causal

tokens = "the cat that they feed sleeps".split()
real = np.ones((1, len(tokens)), bool)
up_to, all_words = visible_causal(real)[0], visible_all(real)[0]
left = up_to & ~np.eye(len(tokens), dtype=bool)     # what stands before the word to predict
print(left.astype(int))

# %% [markdown]
# And the other two? (ELMo counts as one model: what either of its networks uses.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
from minibert.viz.explorer import Explorer, View, show
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses
from minibert.viz.visibility import model_visibility

MAPS = {"ELMo: two readers": left + 2 * left.T, "GPT: one reader": left.astype(int),
        "BERT: one reader, the word hidden": 3 * (all_words & ~np.eye(len(tokens), dtype=bool))}
PAIRS = {"ELMo and GPT": (0, 1), "ELMo and BERT": (0, 2), "GPT and BERT": (1, 2)}

def draw_visibility(word):
    at = tokens.index(word)
    number = {name.partition(":")[0]: np.count_nonzero(sides[at]) for name, sides in MAPS.items()}
    said = ", ".join(f"{name} {count}" for name, count in number.items())
    return model_visibility(MAPS, at, tokens, f"To predict “{word}”, so many of the other words may be used: {said}.")

def same_words():
    used = [sides[tokens.index("cat")] > 0 for sides in MAPS.values()]
    return next(pair for pair, (one, other) in PAIRS.items() if np.array_equal(used[one], used[other]))

GuessChoice("To predict “cat”, which two models may use the same words?", list(PAIRS), same_words,
            see=lambda: draw_visibility("cat"))

# %% [markdown]
# Now click other words. Blue and L: read from the left; orange and R: read from the right; grey and LR: both sides at
# once.

# %%
Explorer(draw_visibility, word=widgets.ToggleButtons(options=tokens, value="sleeps", description="Token"))

# %% [markdown]
# Not only *which* words count, but also **when** left and right meet. In BERT they meet in every layer, so that *the*,
# *feed* and *sleeps* can tell of *cat* together. In ELMo they meet at the end: two finished opinions are put side by side.
#
# <details><summary><b>Why does GPT give up the right side?</b></summary>
#
# It predicts every word of the text, and it can write: each new word is predicted from those before it. A model that
# needs the right side to predict has nothing to look at when it writes.
# </details>

# %% [markdown]
# ## 2 · Three objectives, two diffs
#
# In this package a model is a trunk and an objective. An objective is made of three methods: what goes in and what is
# asked (`corrupt`), the output layer (`heads`), and the `loss`.

# %%
import difflib
import inspect
from minibert.objectives import CLM, MLM, BiLM

def heart(objective):
    return "".join(inspect.getsource(getattr(objective, name)) for name in ("corrupt", "heads", "loss")).splitlines()

# %% [markdown]
# GPT's:

# %%
print("\n".join(heart(CLM)))

# %% [markdown]
# From GPT's to ELMo's: a line with − goes, a line with + comes.

# %%
def difference(old, new):
    lines = list(difflib.unified_diff(heart(old), heart(new), lineterm="", n=0))[2:]
    print("\n".join(line for line in lines if not line.startswith("@@")))

difference(CLM, BiLM)

# %% [markdown]
# A second question is added, the token *before*, with its loss. The objective even says `visible_all`: it is the two
# networks that keep one direction from seeing the other, not a table. And from GPT's to BERT's:

# %%
difference(CLM, MLM)

# %% [markdown]
# Some tokens are chosen and hidden (`hide`), everything is visible, and the label stands at the token's own place instead
# of one place earlier.

# %% [markdown]
# ## 3 · Why not simply look both ways?
#
# Why hide anything? Let each word look at all the others but not at itself, and predict every word of the text, not
# 15% of them! We try it. To see what is passed on, each vector says in plain numbers which word stands at which place.

# %%
T, V = 6, 12
others = (1 - np.eye(T)) / (T - 1)                              # (T, T): the mean of all the others

def first_vectors(ids):
    return np.eye(T * V)[np.arange(T) * V + ids]                # (T, T * V): one 1 each

def copied(ids, layers):
    x = first_vectors(ids)
    for _ in range(layers):
        x = others @ x                                          # a layer: look at all but yourself
    about_itself = x.reshape(T, T, V)[np.arange(T), np.arange(T)]   # (T, V): what t knows about place t
    return about_itself.argmax(-1)

# %% [markdown]
# `copied` reads off what the vector at t says about the word at t. Ours are random words: nobody can *predict* one from
# the others, except by chance, one in twelve.

# %%
rng = np.random.default_rng(0)
texts = rng.integers(V, size=(1000, T))
copies = {layers: np.mean([copied(ids, layers) == ids for ids in texts]) for layers in (1, 2, 3)}

# %% [markdown]
# How many are right after one layer, after two, after three?

# %% jupyter={"source_hidden": true}
def indirectly():
    return (f"<p>With one layer {copies[1]:.0%} are right, where chance gets {1 / V:.0%}. With two layers "
            f"{copies[2]:.0%} are copied: the neighbours have seen the word, and it looks at the neighbours. The loss "
            "would go down to 0, and the model would have learned nothing about language. That is what the paper means "
            "by a word that could “indirectly see itself” (section 3.1).</p>")

GuessBars("Of 100 words, how many can be read off?", ["1 layer", "2 layers", "3 layers"],
          lambda: [100 * share for share in copies.values()], top=100, within=10, axis="words right", unit="%",
          see=indirectly)

# %% [markdown]
# Now BERT's way: one word is taken out of the **input** before anybody looks. We give [MASK] the id 0; who looks
# at whom stays as it was.

# %%
def hidden_and_copied(ids, t, layers):
    seen = ids.copy()
    seen[t] = 0                                                 # [MASK]
    return copied(seen, layers)[t]

# %% [markdown]
# The same experiment, with words from 1 on.

# %%
texts = rng.integers(1, V, size=(1000, T))      # 0 is [MASK] now, no word
for layers in (2, 3):
    right = np.mean([hidden_and_copied(ids, 2, layers) == ids[2] for ids in texts])
    print(f"{layers} layers, one word hidden: {right:.0%} right")

# %% [markdown]
# Nothing to copy: what comes back after two layers is [MASK]. What is left to the model is to predict.
#
# <details><summary><b>Why does ELMo not leak, though it has two layers and looks both ways?</b></summary>
#
# Its two directions never look at each other's states while they predict. Everything in the forward network comes from
# the left, layer after layer, and its answer, the next word, stands on the right. In the backward network it is the other
# way round.
# </details>
#
# <details><summary><b>Why does GPT not leak, however deep it is?</b></summary>
#
# What is left of something on the left is left, too. A path through any number of layers never leads back to the right.
# </details>

# %% [markdown]
# ## 4 · The same text for all three
#
# Now we train them: ELMo's two LSTMs, GPT's and BERT's Transformer, on the same documents, the same rows, equally many
# steps. First the text: the lives of our generated language.

# %%
from minibert.elmo_gpt_bert import Budget, pretraining_text

BUDGET = Budget()
pieces, text = pretraining_text(BUDGET)
print(f"{len(text):,} documents, {sum(len(ids) for life in text for ids in life):,} tokens; {len(pieces):,} pieces")

# %% [markdown]
# What each of the three gets, and what it will be asked afterwards, stands in one place:

# %%
from dataclasses import asdict

print("\n".join(f"{name:12s} {value:g}" for name, value in asdict(BUDGET).items()))

# %% [markdown]
# And the three models: two layers, 64 numbers a token. The two Transformers are the same, except that BERT's output layer
# is slightly larger.

# %%
import torch
from minibert.elmo_gpt_bert import MODELS, new_model, objective_of

print(inspect.getsource(new_model))

# %% [markdown]
# All three start from the same seed.

# %%
SEED = 0
OBJECTIVES = {name: objective_of(name, BUDGET, pieces) for name in MODELS}
readers = {name: new_model(name, BUDGET, pieces, SEED) for name in MODELS}

# %% [markdown]
# Equal budgets are never quite equal. We keep the tokens read equal. What a batch of 8 rows asks differs:

# %%
rows, _ = OBJECTIVES["BERT"].build(text, np.random.default_rng(0))
batch = OBJECTIVES["BERT"].collate(rows[:8])
for name, objective in OBJECTIVES.items():
    _, labels = objective.corrupt(batch, np.random.default_rng(0))
    asked = sum(int((label >= 0).sum()) for label in labels.values())
    weights = sum(p.numel() for p in readers[name].parameters())
    print(f"{name:5s} {weights:,} weights; a batch of {batch.real.sum()} tokens asks {asked:,} questions")

# %% [markdown]
# This is the price of masking: BERT gets about a seventh of GPT's questions from the same text.
#
# How shall we measure models that see different things? Hide a word of a new document, and ask each reader for it with
# what it may see. GPT answers at the place before; ELMo's two readers at the places before and after it. And as we
# own the grammar, we know the best possible answer, for a reader of the left side and for one of both sides.

# %%
from minibert.elmo_gpt_bert import limits, masked_words

tests = masked_words(BUDGET, pieces)
best = limits(tests, pieces)
print(f"{len(tests)} documents, {best['both']['all'].count} hidden pieces. Best with the left side: "
      f"{best['left']['all'].accuracy:.0%}, with both: {best['both']['all'].accuracy:.0%}")

# %% [markdown]
# Now the answers of the models. Two things are noted for each hidden word: is the likeliest piece right, and how probable
# was the right one? GPT answers at the place before it:

# %%
from minibert.elmo_gpt_bert import elmo_answers, gpt_answers

print(inspect.getsource(gpt_answers))

# %% [markdown]
# ELMo has two opinions, $p_L$ and $p_R$, about the same word. If the two sides were independent given the word, both
# together would say $p_L\,p_R / p$, where $p$ is how frequent the word is (the *unigram*); we make the shares sum to 1
# again. With logarithms:

# %%
from minibert.elmo_gpt_bert import product

print(inspect.getsource(product), inspect.getsource(elmo_answers), sep="\n")

# %% [markdown]
# BERT answers at the place itself, where it reads [MASK].

# %%
from minibert.elmo_gpt_bert import COMBINED, answers_of, log_unigram

unigram = log_unigram(text, pieces)                                         # (V,)
ANSWERS = {name: answers_of(name, readers[name], pieces, unigram) for name in MODELS}

# %% [markdown]
# One unfairness remains, and it is against BERT: GPT and ELMo read true words all around, while for BERT all hidden words
# of the row are hidden at once.
#
# The three were also trained in advance, five times each, with other seeds. Who was ahead?

# %% jupyter={"source_hidden": true}
import json
from minibert.commands import ROOT

def in_advance():
    """The percent of the hidden words that each reader guesses right, a mean over five runs; the best first."""
    runs = json.loads((ROOT / "benchmarks" / "elmo_gpt_bert.json").read_text())["pretrained"]
    found = {name: np.mean([run["scores"]["ELMo, product" if name == "ELMo" else name]["all"] for run in runs
                            if (run["model"], run["steps"]) == (name, BUDGET.steps)]) for name in MODELS}
    return sorted(found, key=found.get, reverse=True)

def in_order():
    return f"<p>The order is: {', '.join(in_advance())}. Now watch your own three, and their first 100 steps.</p>"

GuessChoice(f"After {BUDGET.steps} steps, who guesses most of the hidden words right?", list(MODELS),
            lambda: in_advance()[0], see=in_order)

# %% [markdown]
# Next, your own. We measure while they are trained.

# %%
from functools import partial
from minibert.corpora.world.posterior.reachable import scored
from minibert.training import train
from minibert.viz.training import LiveCurve

# %% [markdown]
# The curves are drawn beside the two limits.

# %%
LINES = {f"best, {side}": 100 * best[side]["all"].accuracy for side in best}
few = tests[:BUDGET.curve_tests]
live = LiveCurve("hidden words guessed right, %", every=BUDGET.every, lines=LINES, limits=(0, 100),
                 value=lambda log: 100 * scored(few, ANSWERS[now])["all"].accuracy)

# %% [markdown]
# This is the cell that takes its time, up to a minute and a half. Each curve is one reader; it is measured on 30 of the
# documents.

# %%
logs = {}
for now, objective in OBJECTIVES.items():
    live.line(now)
    logs[now] = train(readers[now], objective, partial(objective.build, text), BUDGET.training(SEED), progress=live,
                      precision=torch.float32)

# %% [markdown]
# What did it cost? The tokens are equal; the questions and the seconds are not.

# %%
from minibert.elmo_gpt_bert import questions_of

for name, log in logs.items():
    asked = questions_of(log, OBJECTIVES[name], text, np.random.default_rng(0))
    print(f"{name:5s} {len(log)} steps, {sum(entry['tokens'] for entry in log):,} tokens read, {asked:,} questions, "
          f"{sum(entry['seconds'] for entry in log):.0f} seconds")

# %% [markdown]
# ## 5 · What each of them knows
#
# Now all documents. The hidden words are sorted by what tells them: their own sentence, an earlier one, a later one, or
# the world; *elsewhere* is all that only another sentence tells. The best that a left reader can do is the limit of GPT,
# the best with both sides that of BERT. ELMo is compared with BERT's limit. Its own is higher, since it reads the other
# hidden words, and we have not computed it.

# %%
results = {f"ELMo, {way}": scored(tests, answers_of("ELMo", readers["ELMo"], pieces, unigram, way)) for way in COMBINED}
results |= {name: scored(tests, ANSWERS[name]) for name in ("GPT", "BERT")}
results |= {"best, left side": best["left"], "best, both sides": best["both"]}
KINDS = {"all": "all", "syntax": "its sentence", "left": "an earlier one", "right": "a later one", "world": "the world",
         "elsewhere": "elsewhere"}

# %% [markdown]
# Take the words that only a *later* sentence tells.

# %% jupyter={"source_hidden": true}
def too_late():
    return (f"<p>A left reader can only guess them, whatever its size. With both sides the best reader gets "
            f"{best['both']['right'].accuracy:.0%}.</p>")

GuessNumber("Of 100 such words, how many can the best left reader guess right?",
            lambda: 100 * best["left"]["right"].accuracy, within=8, form="{:.0f}%", see=too_late)

# %% [markdown]
# All readers, all kinds:

# %%
print(f"{'hidden words right, %':22s}" + "".join(f"{name:>17s}" for name in KINDS.values()))
for name, scores in results.items():
    print(f"{name:22s}" + "".join(f"{100 * scores[kind].accuracy:17.0f}" for kind in KINDS))
print(f"{'hidden words':22s}" + "".join(f"{best['both'][kind].count:17d}" for kind in KINDS))

# %% [markdown]
# Now one hidden word, as ELMo's two readers see it, each alone and both together.

# %%
from minibert.elmo_gpt_bert import log_probs
from minibert.viz.entities import score_table

def around(row, at):
    shown = [pieces.vocab[i] for i in row.ids]
    return " ".join([*shown[max(at - 7, 0):at], "[ ? ]", *shown[at + 1:at + 7]]).replace(" ##", "")

def likeliest(logs, count=3):
    shares, ids = logs.exp().topk(count)
    return ", ".join(f"{pieces.vocab[i]} {share:.0%}" for i, share in zip(ids.tolist(), shares.tolist()))

# %% [markdown]
# The first hidden piece of a row is asked for. We begin with a row for which neither reader alone is right, but the
# product is. **Try** other rows: can you find one in which a reader alone is better than the product?

# %% jupyter={"source_hidden": true}
def right_alone_and_together(row):
    return [elmo_answers(readers["ELMo"], unigram, way, row)[0][0] for way in COMBINED]

telling = next((number for number, row in enumerate(tests, 1) if right_alone_and_together(row) == [0, 0, 1]), 1)

def draw_opinions(row):
    row = tests[row - 1]
    at = int(np.flatnonzero(row.hidden)[0])
    logs, truth = log_probs(readers["ELMo"], row.ids, visible_all), int(row.ids[at])
    left, right = logs["next"][at - 1], logs["previous"][at + 1]
    said = {way: join(left, right, unigram) for way, join in COMBINED.items()}
    said["unigram alone"] = unigram
    rows = [(way, likeliest(logs), f"{logs[truth].exp():.1%}") for way, logs in said.items()]
    names = ["reader", "likeliest pieces", f"share of “{pieces.vocab[truth]}”, the truth"]
    return score_table(names, rows, around(row, at))

Explorer(draw_opinions, row=widgets.BoundedIntText(telling, min=1, max=len(tests), description="Row"))

# %% [markdown]
# All hidden words now, each reader beside the limit of what it sees (for ELMo, BERT's).

# %%
from minibert.viz.pretraining import accuracy_ranges

names = ["GPT", "ELMo, product", "BERT"]
reached = [100 * results[name]["all"].accuracy for name in names]
top = [100 * best[side]["all"].accuracy for side in ("left", "both", "both")]
frequent = int(unigram.argmax())
floor = [100 * float(np.mean([word == frequent for row in tests for word in row.ids[row.hidden]]))] * 3
title = "; ".join(f"{name}: {r:.0f}% of a possible {t:.0f}%" for name, r, t in zip(names, reached, top))
show(*accuracy_ranges(names, floor, reached, top, title + ".", "most frequent piece"))

# %% [markdown]
# Read the two rows of limits in the table first; they hold for a GPT and a BERT of any size. Where the sentence itself
# tells, the left side gets far.
#
# One limit looks odd: for *an earlier one* the left side is better than both. It is the unfairness from above: for the
# reader of both sides other words are hidden too, sometimes the very one that tells.
#
# Then the models. They are small and young, and two things come together: how much a reader *may* see, and how many
# questions it was asked. A model that is ahead here is ahead **at this budget**. The limits say who has room to grow.

# %% [markdown]
# ## 6 · Other seeds, and five times the steps
#
# One seed is one seed: differences of a few points may turn round with another. So `benchmarks/elmo_gpt_bert.py` has
# trained the three again, with five other seeds and all else as here.

# %%
table = json.loads((ROOT / "benchmarks" / "elmo_gpt_bert.json").read_text())
same = table["budget"] == asdict(BUDGET) and table["hidden"] == {kind: score.count for kind, score in best["both"].items()}
print("the table is of the budget and of the words that you have just used" if same else
      "the table is of ANOTHER budget or text than yours: what is live does not belong beside it, and is left out")

# %% [markdown]
# What it holds: for each reader and number of steps a run for each seed, with its scores by kind.

# %%
SHORT, LONG = table["budget"]["steps"], table["longer"]["steps"]

def runs_of(name, steps=SHORT):
    return [run for run in table["pretrained"] if (run["model"], run["steps"]) == (name, steps)]

def scores_of(name, steps=SHORT):
    key = "ELMo, product" if name == "ELMo" else name
    scores = [[run["scores"][key][kind] for kind in KINDS] for run in runs_of(name, steps)]
    return np.array(scores)                                         # (seeds, kinds)

# %% [markdown]
# You have seen in which order your three readers came out. In the answer each bar reaches from the lowest to the highest
# seed, and the large open mark is your own run.

# %% jupyter={"source_hidden": true}
from minibert.viz.seeds import seed_bands, seed_rows

by_seed = {name: scores_of(name) for name in MODELS}
yours = {name: [100 * results[key][kind].accuracy for kind in KINDS] for name, key in zip(MODELS, (
    "ELMo, product", "GPT", "BERT"))} if same else {}
live_order = np.argsort([results[key]["all"].accuracy for key in ("ELMo, product", "GPT", "BERT")])

def seeds_in_this_order():
    orders = np.argsort([by_seed[name][:, 0] for name in MODELS], axis=0)       # (3, seeds)
    return int(np.all(orders == live_order[:, None], axis=0).sum())

def all_seeds():
    means = {name: by_seed[name][:, 0].mean() for name in sorted(MODELS, key=lambda name: -by_seed[name][:, 0].mean())}
    title = f"After {SHORT} steps, all words: " + ", ".join(f"{name} {mean:.0f}%" for name, mean in means.items())
    bounds = {f"best, {side}": [table["limits"][side][kind] for kind in KINDS] for side in ("left", "both")}
    return seed_rows(list(KINDS.values()), by_seed, yours, "hidden words guessed right, %", title, bounds)

GuessNumber("In how many of the five seeds do the three come out in the same order as in your run?",
            seeds_in_this_order, within=0, see=all_seeds)

# %% [markdown]
# Does it hold for each kind of word? We count seeds for the words that only another sentence tells.

# %%
def ahead(one, other, kind):
    at = list(KINDS).index(kind)
    gaps = by_seed[one][:, at] - by_seed[other][:, at]
    seeds = f"{np.sum(gaps > 0)} of {len(gaps)} seeds"
    return f"{one} ahead of {other}, {KINDS[kind]}: {seeds}, by {gaps.mean():.1f} points"

for pair in (("GPT", "BERT"), ("ELMo", "BERT"), ("GPT", "ELMo")):
    print(ahead(*pair, "elsewhere"))

# %% [markdown]
# And is your run an ordinary one? Five seeds do not show all that can happen: by chance alone, a sixth lies outside their
# range one time in three.

# %%
for name, values in yours.items():
    low, high = by_seed[name][:, 0].min(), by_seed[name][:, 0].max()
    where = "within" if low <= values[0] <= high else "outside"
    print(f"{name:5s} live {values[0]:.1f}, the five from {low:.1f} to {high:.1f}: {where}")

# %% [markdown]
# ELMo's two readers, alone and together:

# %%
opinions = {way: np.array([run["scores"][f"ELMo, {way}"]["all"] for run in runs_of("ELMo")]) for way in COMBINED}
better = opinions["product"] > np.maximum(opinions["left"], opinions["right"])
print(", ".join(f"{way} {values.mean():.1f}%" for way, values in opinions.items()))
print(f"the product is ahead of both in {better.sum()} of {len(better)} seeds")

# %% [markdown]
# Now the start itself. *Beginning to read* shall mean: five points more than the most frequent piece gets, as a mean over
# the seeds.

# %%
def curves_of(steps):
    found = {name: runs_of(name, steps) for name in MODELS}
    return {name: ([step for step, _ in runs[0]["curve"]], [[value for _, value in run["curve"]] for run in runs])
            for name, runs in found.items() if runs}

def beginning(x, values):
    """The first step of a curve at which the mean over seeds is five points above the most frequent piece, or None."""
    return next((step for step, right in zip(x, np.mean(values, 0)) if right > floor[0] + 5), None)

# %% [markdown]
# The curves are drawn as bands over the seeds.

# %%
def draw_start(steps):
    found = curves_of(steps)
    began = {name: beginning(*line) for name, line in found.items()}
    title = "; ".join(f"{name} begins by step {at:,}" if at else f"{name} does not begin" for name, at in began.items())
    yours = {name: tuple(zip(*points)) for name, points in live.curves.items()} if same and steps == SHORT else {}
    heights = {"best, left": table["limits"]["left"]["all"], "best, both": table["limits"]["both"]["all"]}
    return seed_bands(found, yours, "step", "hidden words guessed right, %", title, heights, list(MODELS))

# %% [markdown]
# GPT and BERT were also trained for five times the steps, with three seeds. They are measured every 300 steps.

# %% jupyter={"source_hidden": true}
def longer_runs():
    last = by_seed["BERT"][:, 0]
    stuck = np.sum(last <= floor[0] + 5)
    return (figure_html(*draw_start(LONG))
            + f"<p>In {SHORT} steps BERT had not begun in {stuck} of {len(last)} seeds: it said little more than the "
            "most frequent piece. This is MLM's slow start at its starkest, and no verdict on masking. (Lesson 5 gave "
            "BERT more rows and width, and twice the questions: it went far beyond this.)</p>")

GuessNumber(f"At which step of {LONG:,} does BERT begin to read? (Type 0 for never.)",
            lambda: beginning(*curves_of(LONG)["BERT"]) or 0, within=300, see=longer_runs)

# %% [markdown]
# The short runs, with your own points on the bands:

# %%
Explorer(draw_start, steps=widgets.Dropdown(options=sorted({run["steps"] for run in table["pretrained"]}), value=SHORT,
                                            description="Steps"))

# %% [markdown]
# What did all these runs cost, and what did they reach?

# %%
print(f"{'':14s}{'right, %':>10s}{'lowest':>8s}{'highest':>9s}{'tokens':>12s}{'questions':>12s}{'seconds':>9s}"
      f"{'seeds':>7s}")
for name, steps in dict.fromkeys((run["model"], run["steps"]) for run in table["pretrained"] if run["model"] in MODELS):
    runs, right = runs_of(name, steps), scores_of(name, steps)[:, 0]
    cost = [np.mean([run[key] for run in runs]) for key in ("tokens", "questions", "seconds")]
    print(f"{name:5s} {steps:>8,}{right.mean():10.1f}{right.min():8.1f}{right.max():9.1f}"
          f"{cost[0]:12,.0f}{cost[1]:12,.0f}{cost[2]:9.0f}{len(runs):7d}")

# %% [markdown]
# Counted in questions instead of steps, where does each begin?

# %%
for steps in (SHORT, LONG):
    for name, line in curves_of(steps).items():
        asked, at = np.mean([run["questions"] for run in runs_of(name, steps)]) / steps, beginning(*line)
        began = f"after {at * asked:,.0f} questions (step {at:,})" if at else "never"
        print(f"{name:5s}run of {steps:5,} steps: {began}")

# %% [markdown]
# Counted in questions, the order of the three is not the one in steps. (This is coarse: a point lies every 60 steps, in
# the long runs every 300, and the long GPT had begun before its first.)
#
# <details><summary><b>Why may a question to BERT teach less at the start than one to GPT?</b></summary>
#
# GPT answers at the word before, which by itself tells much of what comes next: a first success needs no attention at
# all. BERT answers at [MASK], which tells nothing. It must first find out that its neighbours are worth a look, and which.
# </details>
#
# <details><summary><b>Why is the table's number of seconds another than yours?</b></summary>
#
# It was made on one thread of another machine. Tokens and questions are the same everywhere; seconds say what the same
# budget costs in time, and only compare within one machine.
# </details>

# %% [markdown]
# ## 7 · What the papers measured, and what we did
#
# The question of this lesson was put by BERT's authors at full size. They pretrained BERT-base again, with the same
# text and steps, and took things away: first NSP, then the right side too, which leaves a GPT with BERT's text and input
# (Devlin et al., table 5, development sets).

# %% jupyter={"source_hidden": true}
ABLATIONS = {
    "BERT-base": (84.4, 88.4, 86.7, 92.7, 88.5),
    "no NSP": (83.9, 84.9, 86.5, 92.6, 87.9),
    "left-to-right, no NSP": (82.1, 84.3, 77.5, 92.1, 77.8),
    "+ BiLSTM on top": (82.1, 84.1, 75.7, 91.6, 84.9),
}
TASKS = ("MNLI-m", "QNLI", "MRPC", "SST-2", "SQuAD F1")

def what_is_lost(one="no NSP", other="left-to-right, no NSP"):
    return dict(zip(TASKS, np.subtract(ABLATIONS[one], ABLATIONS[other]).round(1)))

def table_5():
    lost, back = what_is_lost(), what_is_lost("+ BiLSTM on top", "left-to-right, no NSP")
    helped = [task for task in TASKS if back[task] > 0]
    most = max(TASKS, key=lost.get)
    return (score_table(["", *TASKS], [(name, *scores) for name, scores in ABLATIONS.items()])
            + f"<p>{most} loses {lost[most]:.1f} points without the right side. It asks of each word whether the "
            "answer ends there, and that depends on what follows. SST-2 asks for the mood of a sentence and loses "
            f"{lost['SST-2']:.1f}: at its end, a left reader has read everything.</p><p>A BiLSTM on top, which "
            f"reads the model's output from both sides, brings back {back[most]:.1f} points on {most}: now the right "
            f"side is seen, if only once. It helps on {len(helped)} of the {len(TASKS)} tasks.</p>")

GuessChoice("Which of the five tasks suffers most without the right side?", list(TASKS),
            lambda: max(TASKS, key=what_is_lost().get), see=table_5)

# %% [markdown]
# What each step takes away from the whole BERT, task by task. (*On top*: a BiLSTM reads the output of the finished
# left-to-right model from both sides.)

# %%
from minibert.viz.plots import bars

def draw_loss(model):
    lost = [before - after for before, after in zip(ABLATIONS["BERT-base"], ABLATIONS[model])]
    most = int(np.argmax(lost))
    return bars(TASKS, lost, "points below BERT-base", f"{model}: {TASKS[most]} loses most, {lost[most]:.1f} points",
                chosen=most, form="{:.1f}", limit=13)

Explorer(draw_loss, model=widgets.Dropdown(options=list(ABLATIONS)[1:], value="no NSP", description="Model"))

# %% [markdown]
# The paper also looked at the slow start (appendix C.1): masking learns a little more slowly than reading from the left,
# but is ahead in accuracy after fine-tuning almost from the beginning.
#
# **And ours?** `benchmarks/elmo_gpt_bert.py` has fine-tuned every reader of section 6 on three tasks of our language: is
# the sentence *acceptable*, which words are *names* (lesson 8), where is the answer to a *question* (lesson 7). *Random
# weights* is a fresh Transformer that sees both sides, for comparison. GPT keeps looking to the left only; the last token
# of its row answers for the sentence.

# %%
from collections import defaultdict

tuned = defaultdict(dict)                                      # [reader, way, steps, task][seed] -> score
for run in table["tuned"]:
    tuned[run["model"], run["way"], run["steps"], run["task"]][run["seed"]] = run["score"]
NAMED = {"cola": "acceptable, Matthews", "ner": "names, F1", "qa": "questions, F1"}
PAPER_ROW = {"BERT with NSP": "BERT-base", "BERT": "no NSP", "GPT": "left-to-right, no NSP",
             "GPT + BiLSTM": "+ BiLSTM on top"}

# %% [markdown]
# For two readers: in how many seeds is the one above the other, and by how many points on average?

# %%
def compare(one, other, steps=SHORT):
    said = []
    for task, name in NAMED.items():
        first, second = (tuned[model, "full", steps, task] for model in (one, other))
        gaps = np.array([first[seed] - second[seed] for seed in first if seed in second])
        if len(gaps):
            said.append(f"{name.split(',')[0]} {np.sum(gaps > 0)} of {len(gaps)} seeds ({np.mean(gaps):+.1f})")
    return f"{one} above {other}: {'; '.join(said) or 'not measured'}"

# %% [markdown]
# After 600 steps our BERT says little more than the most frequent piece. Then it is fine-tuned to find names. Was its
# pretraining of any use?

# %% jupyter={"source_hidden": true}
def ahead_on_names():
    mine, fresh = (tuned[name, "full", SHORT, "ner"] for name in ("BERT", "random weights"))
    return sum(mine[seed] > fresh[seed] for seed in mine)

def against_random_weights():
    lines = [compare(name, "random weights") for name in ("BERT with NSP", "BERT", "GPT", "ELMo")]
    return "".join(f"<p>{line}.</p>" for line in lines)

GuessNumber("In how many of the five seeds does this BERT find names better than random weights do?", ahead_on_names,
            within=0, see=against_random_weights)

# %% [markdown]
# Means over seeds ± their standard deviation, the paper's SQuAD beside them:

# %%
def spread(scores):
    values = list(scores.values())
    mean = f"{np.mean(values):.1f}" if values else ""
    return mean + (f" ± {np.std(values, ddof=1):.1f}" if len(values) > 1 else "")

lines = [(name, ABLATIONS[PAPER_ROW[name]][-1] if name in PAPER_ROW and steps == SHORT else None, f"{steps:,}",
          *(spread(tuned[name, "full", steps, task]) for task in NAMED))
         for name, steps in dict.fromkeys((run["model"], run["steps"]) for run in table["tuned"])]
sizes = ", ".join(f"{size['labelled']} labelled for {NAMED[task].split(',')[0]}"
                  for task, size in table["tuning"].items())
View(score_table(["reader", "paper: SQuAD F1", "steps", *NAMED.values()], lines, f"Fine-tuned: {sizes}"))

# %% [markdown]
# What carries over from the paper? Each step of its table, and ELMo, in our seeds:

# %%
for pair in (("BERT with NSP", "BERT"), ("BERT", "GPT"), ("GPT + BiLSTM", "GPT"), ("ELMo", "GPT"), ("ELMo", "BERT")):
    print(compare(*pair))

# %% [markdown]
# And with five times the steps:

# %%
if runs_of("BERT", LONG):
    guessed = ", ".join(f"{name} {scores_of(name, LONG)[:, 0].mean():.0f}%" for name in ("GPT", "BERT"))
    print(f"hidden words guessed right: {guessed}\n{compare('BERT', 'GPT', LONG)}")

# %% [markdown]
# Beside the paper's table:
#
# - **The right side.** There BERT without NSP is above the left reader on all five tasks; here it is below it on all
#   three. Ours has learned next to nothing in its pretraining, so it brings little along. This is our budget, not a fact
#   about sight.
# - **A BiLSTM on top** brings back 7 of 10 points on SQuAD there, and helps on none of the others. Here it costs points on
#   names, in every seed: it starts from random weights, and has 240 steps.
# - **NSP** is worth 0.6 points on SQuAD there. Here the difference is smaller than the spread over seeds. (With NSP the
#   rows have two parts and are shorter, so that fewer tokens are read in as many steps.)
# - **What holds here**: GPT, which guessed most hidden words, is the first of the three on all tasks, in every seed.
# - **With five times the steps** BERT still guesses far fewer hidden words than GPT. And yet it has caught up with it on
#   names, where both sides of a word count; on questions it is behind in every seed. (In the paper it is ahead on all
#   five tasks.) With three seeds, a lead in two of them is no finding.
#
# <details><summary><b>What carries over to our scale, and what does not?</b></summary>
#
# The limits do: they are facts about who sees what. The leak does: it is arithmetic. That masking starts more slowly
# does, and far more so. The order of the models after fine-tuning does not: ours read 0.4 million tokens, or 2 million in
# the long runs; BERT read about 128,000 in each of a million steps, long after the start.
# </details>

# %% [markdown]
# ## 8 · How the three are used
#
# **ELMo** is not fine-tuned. The task's own network reads its layers, frozen, in a mix that it learns: shares from a
# softmax, and one factor (Peters et al., equation 1).

# %%
from minibert.reference import scalar_mix

print(inspect.getsource(scalar_mix))

# %% [markdown]
# Three layers here: the embeddings and two LSTM layers. **Try:** let one of them count 99%.

# %%
from minibert.reference import softmax

def draw_shares(embeddings, first, second):
    shares = softmax(np.array([embeddings, first, second]))
    names = ["embeddings", "first LSTM", "second LSTM"]
    most = int(np.argmax(shares))
    return bars(names, list(shares), "share in the mix", f"{names[most]} counts {shares[most]:.0%} of the mix",
                form="{:.0%}", limit=1.1)

WIDE = {"description_width": "initial"}
Explorer(draw_shares, **{name: widgets.FloatText(value, step=0.5, description=name, style=WIDE)
                         for name, value in (("embeddings", 0.0), ("first", 0.0), ("second", 2.0))})

# %% [markdown]
# In the ELMo that you have trained, these weights have not moved: no language model reads the mix, only a task does.

# %%
print(readers["ELMo"].encoder.mix.weights.tolist())

# %% [markdown]
# Before ELMo a word had one vector, whatever stood around it: that is word2vec's idea, and still the first layer of all
# three. We take two sentences with *bank*. (The word is rare in our text, so it is cut, and we take the vector of its last
# piece.)

# %%
BANKS = {"at the bank she paid / at the bank she swam": ("at the bank she paid", "at the bank she swam"),
         "she paid at the bank / she swam to the bank": ("she paid at the bank", "she swam to the bank")}

@torch.no_grad()
def vectors_of(name, sentence):
    ids = np.array([pieces.specials.cls, *pieces.encode(sentence).ids, pieces.specials.sep])[None]
    visible = (visible_causal if name == "GPT" else visible_all)(np.ones(ids.shape, bool))
    at = len(pieces.encode(sentence[:sentence.index("bank") + len("bank")]).ids)        # the last piece of "bank"
    out = readers[name].encoder(*map(torch.from_numpy, (ids, visible, np.zeros_like(ids))))
    parts = ("forward", "backward") if name == "ELMo" else ("hidden",)
    return {"embedding": readers[name].encoder.embeddings.word(torch.from_numpy(ids))[0, at],
            **{part: out[part][0, at] for part in parts}}

# %% [markdown]
# The cosine of the two vectors is 1 where they point in the same direction.

# %%
def cosines(sentences):
    found = {}
    for name in MODELS:
        one, other = (vectors_of(name, sentence) for sentence in BANKS[sentences])
        for part in one:
            label = "embedding, any reader" if part == "embedding" else f"{name}, {part}"
            found[label] = float(torch.cosine_similarity(one[part], other[part], dim=0))
    return found

def same_in_both(sentences):
    return [label for label, cosine in cosines(sentences).items() if cosine > 1 - 1e-5]

# %% [markdown]
# *At the bank she paid*, *at the bank she swam*. There are five vectors of *bank* to compare: the embedding, those of
# ELMo's forward and backward networks, GPT's and BERT's.

# %% jupyter={"source_hidden": true}
def draw_banks(sentences):
    found, title = cosines(sentences), f"The same vector in both: {'; '.join(same_in_both(sentences))}"
    return bars(list(found), list(found.values()), "cosine of the two vectors of “bank”", title, form="{:.3f}",
                limit=1.2)

def not_read_yet():
    return (figure_html(*draw_banks(list(BANKS)[0]))
            + "<p>The embedding cannot tell a river from a purse. Nor can a reader that has not read the word "
            "that tells: here it comes later. How far apart the others put the two, they have hardly learned.</p>")

GuessNumber("How many of the five are the same in both sentences?", lambda: len(same_in_both(list(BANKS)[0])),
            within=0, see=not_read_yet)

# %% [markdown]
# In another pair of sentences, the word that tells comes first. What changes?

# %%
Explorer(draw_banks, sentences=widgets.Dropdown(options=list(BANKS), value=list(BANKS)[1], description="Sentences",
                                                layout={"width": "430px"}))

# %% [markdown]
# **GPT** and **BERT** are fine-tuned: one new layer on top, and all weights move. Published averages on the test sets of
# GLUE (Devlin et al., table 1): BiLSTM + ELMo + attention 71.0, GPT 75.1, BERT-base 79.6, BERT-large 82.1. Here
# nothing is held equal: text, size and training differ. That is why the paper has a table of ablations.
#
# How much does training the trunk matter? Names, once with the trunk fine-tuned, and once ELMo's way: the trunk frozen,
# and a BiLSTM that reads a mix of its layers.

# %%
for name, steps in (("GPT", SHORT), ("BERT", SHORT), ("GPT", LONG), ("BERT", LONG)):
    full, read = (tuned[name, way, steps, "ner"] for way in ("full", "sum-all"))
    wins = sum(full[seed] > read[seed] for seed in read)
    print(f"{name:4s} after {steps:5,} steps: fine-tuned {spread(full):12s} read {spread(read):12s} "
          f"fine-tuning ahead in {wins} of {len(read)} seeds")

# %% [markdown]
# ## 9 · In real English
#
# Now you are the left reader, in a real language: you see what stands before the gap and nothing else. For the model the
# right side is hidden by `visible`, as in the first picture.
#
# **Guess first.** How many of the five words can you guess from the left side? Your first guess counts. The sentences are
# the first five of the twenty; they were not chosen by looking at a model's answers.

# %%
from minibert.viz.guess import GuessFirst

def ranking(probs, count=5):
    return [(english.tokenizer.vocab[i], float(probs[i])) for i in np.argsort(-probs)[:count]]

WHOLE = {text.partition("[MASK]")[0] + "[MASK]": text for text in list(GAPS)[:5]}       # left side: whole sentence
GuessFirst(lambda left: ranking(step_by_step(WHOLE[left])[0][0]), [(left, GAPS[WHOLE[left]][0]) for left in WHOLE])

# %% [markdown]
# The next five with both sides, for you and for the model. Compare the scores of the two games. (The sentences are others,
# so a part of the difference is luck.)

# %%
GuessFirst(lambda text: ranking(step_by_step(text)[0][-1]), [(text, GAPS[text][0]) for text in list(GAPS)[5:10]])

# %% [markdown]
# Often several words would do. So we ask for all twenty, both ways: how probable does the model find **one of the words that
# would do** in the whole sentence, with and without its right side?
#
# Both probabilities are computed for each sentence.

# %%
from functools import cache

@cache
def rows_of_twenty():
    """(sentence, percent with the right side hidden, percent with it), the largest gain first."""
    return sorted(((text, *(100 * chances(text))) for text in GAPS), key=lambda row: row[1] - row[2])

def raised():
    return sum(hidden < seen for _, hidden, seen in rows_of_twenty())

# %% [markdown]
# All sentences stand in the answer.

# %% jupyter={"source_hidden": true}
def all_twenty():
    rows, higher = rows_of_twenty(), raised()
    mean = np.mean([row[1:] for row in rows], axis=0)
    misled = ("<p>More to see also means more to be misled by. Where the right side lowers the probability, the model "
              "may prefer a word that goes well with one on the right and not with the sentence.</p>")
    said = f"Higher with the right side: {higher} of {len(rows)}; on average {mean[0]:.0f}% and {mean[1]:.0f}%"
    return (score_table(["sentence", "right side hidden, %", "seen, %"], rows, said)
            + (misled if any(hidden > seen for _, hidden, seen in rows) else ""))

GuessNumber("In how many of the twenty sentences does the right side raise the probability?", raised, within=2,
            see=all_twenty)

# %% [markdown]
# Now **your** sentence. With the slider you say how many tokens of the right side the model may see; ▨ is hidden. Can you
# write a sentence in which a single token on the right overturns the ranking?

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import guesses_html

def draw_ranking(text, tokens):
    probs, right = step_by_step(text)
    shown = min(tokens, len(right))
    before = [word for word, _ in ranking(probs[0], 8)]
    now = ranking(probs[shown], 8)
    notes = {word: f"was number {before.index(word) + 1}" if word in before else "new" for word, _ in now if shown}
    line = f"{text.partition('[MASK]')[0]}[MASK] {' '.join([*right[:shown], *['▨'] * (len(right) - shown)])}"
    return f"<p>{html.escape(line)}</p>{guesses_html(now, notes)}"

Explorer(draw_ranking, text=sentence_box(clearest),
         tokens=widgets.IntSlider(0, min=0, max=29, description="Tokens", continuous_update=False))

# %% [markdown]
# <details><summary><b>Why is this model, with its right side hidden, not a GPT?</b></summary>
#
# It was trained with both sides, and now we take one away: it has never practised this. [SEP] stays in sight, and its
# position tells how many tokens are hidden, and the words on the left still look at each other both ways. A GPT of the
# same size, trained to read from the left on the same text, should do better with the left side alone. So the numbers
# here show what **this** model makes of the right side. What a reader of each kind *can* reach, only the limits of
# section 5 tell; for English nobody knows them.
# </details>

# %% [markdown]
# Both sides, seen from inside: each row is a token, and a curve that comes up to a row from below brings something from the
# **right**. In a left-to-right model there are no such curves. Delete the words after the gap, and compare.

# %%
from minibert.viz import explore

explore(english, "The [MASK] barked at the postman.")

# %% [markdown]
# ## Check yourself
#
# Six questions about the whole lesson; run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    Question("Which words can ELMo's forward network use to predict the fourth word?", [
        Choice("The first three", True, "Right."),
        Choice("All but the fourth", False, "Both networks together; the forward one has read the left side only."),
        Choice("The first four", False, "Then it would only have to copy."),
    ]),
    Question("Each word sees all the others but not itself. From how many layers on can it be copied?", [
        Choice("One", False, "After one layer the others know it; it does not yet look at them."),
        Choice("Two", True, "Right: one layer to the neighbours, one back."),
        Choice("Never, it does not see itself", False, "Not directly. But the others have seen it."),
    ]),
    Question("Why may GPT see its own word at t?", [
        Choice("It predicts the next one", True, "Right: the word at t is evidence, not the answer."),
        Choice("It is masked", False, "Nothing is masked in GPT."),
        Choice("It may not", False, "Without it the newest word would be missing."),
    ]),
    Question("What does BERT pay for seeing both sides?", [
        Choice("It is asked for 15% of the words only", True, "Right, so that it starts more slowly at equal text."),
        Choice("It needs two networks", False, "That is ELMo."),
        Choice("It cannot be fine-tuned", False, "It was made to be."),
    ]),
    Question("Without the right side, SQuAD falls by ten points and SST-2 by less than one. Why?", [
        Choice("SST-2 has less training data", False, "It has 67,000 sentences."),
        Choice("The end of an answer depends on what follows", True, "Right. A mood can be judged at the end."),
        Choice("SQuAD's texts are too long for GPT", False, "Both models read the same lengths."),
    ]),
    Question("GPT guesses more words than BERT after 600 of our steps. What follows?", [
        Choice("GPT is the better model", False, "At this budget, at this question."),
        Choice("Left-to-right learns faster per token at the start", True, "Right; its limit is lower."),
        Choice("Masking does not work", False, "It was asked fewer questions so far."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **ELMo**: two readers, one from each side, that meet at the end. **GPT**: one from the left. **BERT**: both sides in
#   every layer.
# - **A deep model that looks both ways copies** the word through its neighbours: one layer there, one back. [MASK]
#   takes the answer out of the input, so no path brings it back.
# - **The price**: 15% of the words are asked for, so the start is slower.
# - **Compare like with like**: each reader beside the best that its side of the text allows; and say what was held
#   equal (here: text, rows, steps), and what was not (questions, seconds).
# - **Count seeds**: one run is an anecdote. Say in how many of them a claim holds, and how far they lie apart.
# - **In English**: hide the right side from a model that reads both, and see what it is worth, word by word. It can
#   mislead, too.
# - **Ablations** hold the rest equal. Both without NSP, the left-to-right BERT-base is 10.1 points behind on SQuAD, 0.5
#   on SST-2.
#
# ## Read on
#
# - Peters et al. (2018), *Deep contextualized word representations*, [arXiv
#   1802.05365](https://arxiv.org/abs/1802.05365): section 3.
# - Radford et al. (2018), *Improving Language Understanding by Generative Pre-Training*: section 3.1.
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 3.1 (masking), 5.1 and
#   table 5 (ablations), appendix A.4 (the three compared), C.1 (the slow start).
# - In the package: `minibert/objectives/clm.py`, `bilm.py` and `mlm.py`; `minibert/model/bilstm.py`.
#
# **Next**: the exercise `exercises/09_elmo_gpt_bert`. You write the visibility, ELMo's loss and mix, and a test that
# finds leaks in any model.
