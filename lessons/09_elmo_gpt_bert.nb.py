# %% [markdown]
# # 9 · ELMo, GPT, BERT: who may see what
#
# In 2018 three models were pretrained on plain text and then used for many tasks. They differ in one thing above all:
# what each word may look at. Here you train a small version of each on the same text, and see what each can know.
#
# **After this lesson you can**
#
# - say which words each model may use to predict a word,
# - show why a deep model cannot simply look both ways and predict each word, and how [MASK] solves this,
# - compare such models fairly: beside the best score that is possible for what each may see, over several seeds,
# - read the ablations of BERT's paper, in which one part is taken away, and say which of them a small model can repeat,
# - measure, on sentences of your own, how much the words on the right help a model that reads both sides.
#
# **You need** lessons 1, 2, 4 and 5: masks, attention, losses, the training loop.
# **Time:** about 60 minutes with guessing and playing; the code alone runs in one to two minutes on two cores.
#
# Run the cells in order with Shift + Enter. Where a question asks for your guess, give one: wrong guesses are
# remembered best. Those that begin with **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(9)

# %% [markdown]
# ## First, the finished thing
#
# A model that reads both sides predicts [MASK]. At the left end of the picture it sees nothing after [MASK], like GPT;
# with each step to the right it sees one more token. Each line is the probability of one word: the two likeliest words
# at the left end, and the two likeliest at the right end. Run the folded cell, then write a sentence of your own.

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
    said = [f"“{english.tokenizer.vocab[i[0]]}” ({step[i[0]]:.0%})"
            for i, step in ((none, probs[0]), (all_of_it, probs[-1]))]
    picture = curves(range(len(probs)), {"probability, %": lines}, "number of tokens to the right that the model sees",
                     f"Likeliest without the right side: {said[0]}; with it: {said[1]}")
    names = ", ".join(f"{number} {token}" for number, token in enumerate(right, 1))
    return figure_html(*picture) + f"<p>The tokens to the right: {html.escape(names)}</p>"

GAPS = {gap.text: gap.words for gap in everyday() if len(gap.text.partition("[MASK]")[2].split()) >= 3}

def meant(text):
    """The ids of the words meant for the gap."""
    ids = [english.tokenizer.encode(word).ids for word in GAPS[text]]
    return [word[0] for word in ids if len(word) == 1]              # a word of several tokens fits in no gap

def chances(text):
    """The probability that the gap gets one of the words meant: right side hidden, right side seen."""
    return step_by_step(text)[0][[0, -1]][:, meant(text)].sum(axis=1)

def help_from_the_right(text):
    """(whether the right side turns a wrong prediction into a right one, what it adds to the probability)."""
    ends, ids = step_by_step(text)[0][[0, -1]], meant(text)
    hidden, seen = (int(probs.argmax()) in ids for probs in ends)
    return seen and not hidden, float((ends[1] - ends[0])[ids].sum())

clearest = max(GAPS, key=help_from_the_right)
Explorer(draw_steps, text=sentence_box(clearest))

# %% [markdown]
# ## Do you remember?
#
# Three questions about what this lesson builds on. Run the folded cell and choose; you may choose again.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("What does a language model predict, and from what?", [
        Choice("The next word, from those before it", True, "Right."),
        Choice("A hidden word, from both sides", False, "That is a masked language model, lesson 1."),
        Choice("The next sentence", False, "That is NSP, lesson 4."),
    ]),
    Question("In a decoder, query t may look at the keys …", [
        Choice("up to t, itself included", True, "Right: it predicts token t + 1."),
        Choice("up to t − 1", False, "It may see itself: it predicts the next word, not its own."),
        Choice("from t on", False, "Those are the ones it has to predict."),
    ]),
    Question("BERT predicts 15% of the tokens. How many of a sequence of 100 count in its MLM loss?", [
        Choice("About 15", True, "Right. Section 4 shows what this costs."),
        Choice("100", False, "Only the masked tokens count."),
        Choice("85", False, "Those are the tokens that it only reads."),
    ]),
])

# %% [markdown]
# ## 1 · Who may see what
#
# **ELMo** (Peters et al.) is two recurrent networks, of a kind called **LSTM**. Such a network reads word by word and
# carries along what it has read so far. One reads everything to the left of a word, the other everything to its
# right, and neither knows what the other has read. **GPT** (Radford et al.) is a Transformer that looks to the left
# only. **BERT** (Devlin et al.) looks both ways at once, in every layer.
#
# The sentence is *the cat that they feed sleeps*. Here is what GPT may use: each row is a word to predict, each column
# a word, and 1 means that it may be used.

# %%
import numpy as np
from minibert.batch import visible_all, visible_causal

tokens = "the cat that they feed sleeps".split()
real = np.ones((1, len(tokens)), bool)
up_to, all_words = visible_causal(real)[0], visible_all(real)[0]
left = up_to & ~np.eye(len(tokens), dtype=bool)     # what stands before the word to predict
print(left.astype(int))

# %% [markdown]
# And the other two? (For ELMo, count what either of its two networks may use.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
from minibert.viz.explorer import Explorer, View, show
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses
from minibert.viz.visibility import model_visibility

MAPS = {"ELMo: two readers": left + 2 * left.T, "GPT: one reader": left.astype(int),
        "BERT: one reader, the word masked": 3 * (all_words & ~np.eye(len(tokens), dtype=bool))}
PAIRS = {"ELMo and GPT": (0, 1), "ELMo and BERT": (0, 2), "GPT and BERT": (1, 2)}

def draw_visibility(word):
    at = tokens.index(word)
    number = {name.partition(":")[0]: np.count_nonzero(sides[at]) for name, sides in MAPS.items()}
    said = ", ".join(f"{name} {count}" for name, count in number.items())
    return model_visibility(MAPS, at, tokens, f"Number of words that may be used to predict “{word}”: {said}.")

def same_words():
    used = [sides[tokens.index("cat")] > 0 for sides in MAPS.values()]
    return next(pair for pair, (one, other) in PAIRS.items() if np.array_equal(used[one], used[other]))

GuessChoice("To predict “cat”, which two models may use the same words?", list(PAIRS), same_words,
            see=lambda: draw_visibility("cat"))

# %% [markdown]
# Now click other words. Blue, L: read from the left; orange, R: read from the right; grey, LR: both sides at once.

# %%
Explorer(draw_visibility, word=widgets.ToggleButtons(options=tokens, value="sleeps", description="Token"))

# %% [markdown]
# It also matters **when** left and right meet. In BERT they meet in every layer, so that *the*, *feed* and *sleeps* can
# be combined to predict *cat*. In ELMo they meet only at the end, when the outputs of the two networks are combined.
#
# <details><summary><b>Why does GPT give up the right side?</b></summary>
#
# It can predict every word of the text, and it can write: each new word is predicted from those before it. While a
# text is being written there is no right side yet.
# </details>

# %% [markdown]
# ## 2 · Three objectives, two diffs
#
# In this package a model is an encoder and an objective. An objective has three methods: `corrupt` makes the input and
# the labels, `heads` makes the output head, and `loss` computes the loss.

# %%
import difflib
import inspect
from minibert.objectives import CLM, MLM, BiLM

def heart(objective):
    return "".join(inspect.getsource(getattr(objective, name)) for name in ("corrupt", "heads", "loss")).splitlines()

# %% [markdown]
# GPT's objective is a **causal language model** (CLM). `shifted(tokens, 1)` puts the token at t + 1 at place t, so that
# each token has the next one as its label:

# %%
print("\n".join(heart(CLM)))

# %% [markdown]
# ELMo's is a **bidirectional language model** (BiLM). From GPT's to ELMo's, lines with − are removed and lines with +
# are added:

# %%
def difference(old, new):
    lines = list(difflib.unified_diff(heart(old), heart(new), lineterm="", n=0))[2:]
    print("\n".join(line for line in lines if not line.startswith("@@")))

difference(CLM, BiLM)

# %% [markdown]
# There is a second label, the token *before*, with its own loss. ELMo's attention mask even allows everything
# (`visible_all`): what keeps the directions apart is not the mask but that there are two networks.
#
# **Your turn.** Write ELMo's two lists of labels for a sequence of ids: the next token at each place, and the one
# before. Where there is none, the label is -100.

# %%
from minibert.viz.try_it import try_it

def elmo_labels(ids):
    """Return the labels of the forward and of the backward network.

    >>> elmo_labels([5, 6, 7])
    ([6, 7, -100], [-100, 5, 6])
    >>> elmo_labels([8])
    ([-100], [-100])
    """
    ...

try_it(elmo_labels)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def elmo_labels(ids):
#     return [*ids[1:], -100], [-100, *ids[:-1]]
# ```
# </details>
#
# And from GPT's to BERT's, the masked language model (MLM):

# %%
difference(CLM, MLM)

# %% [markdown]
# Some tokens are chosen and masked (`hide`), everything is visible, and the label stands at the token's own place.

# %% [markdown]
# ## 3 · Why not simply look both ways?
#
# Why mask anything? Let each word look at all the others but not at itself, and predict every word of the text instead
# of 15%. Let us try it. Each vector below simply lists which word stands at which place, so we can see what is passed
# on.

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
# `copied` reads from the vector at t what it says about the word at t. Our words are random, so none can be *predicted*
# from the others, except by chance: one in twelve.

# %%
rng = np.random.default_rng(0)
texts = rng.integers(V, size=(1000, T))
copies = {layers: np.mean([copied(ids, layers) == ids for ids in texts]) for layers in (1, 2, 3)}

# %% [markdown]
# How many words are right after one layer, after two, after three?

# %% jupyter={"source_hidden": true}
def indirectly():
    return (f"<p>With one layer {copies[1]:.0%} are right, where chance gets {1 / V:.0%}. With two layers "
            f"{copies[2]:.0%} are: the word's neighbours have seen it, and it looks at its neighbours. The loss would "
            "decrease to 0, and the model would learn nothing about language. This is what the paper means by a word "
            "that could “indirectly see itself” (section 3.1).</p>")

GuessBars("Of 100 words, how many are read correctly?", ["1 layer", "2 layers", "3 layers"],
          lambda: [100 * share for share in copies.values()], top=100, within=10, axis="words right", unit="%",
          see=indirectly)

# %% [markdown]
# **Your turn.** After two layers, t knows of s if t looks at some k and k looks at s. So with the attention mask as a
# matrix of 0 and 1, the product of two such matrices counts the ways. Write a function that says after how many layers
# some token knows of itself. (`np.diag` gives the diagonal.) The examples: two words that look at each other, and three
# that look to the left only.

# %%
def layers_until_leak(mask, most=10):
    """Return the first number of layers after which a token sees itself; 0 if none up to `most` does.

    >>> layers_until_leak([[0, 1], [1, 0]])
    2
    >>> layers_until_leak([[0, 0, 0], [1, 0, 0], [1, 1, 0]])
    0
    """
    ...

try_it(layers_until_leak)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def layers_until_leak(mask, most=10):
#     mask = np.array(mask)
#     ways = np.eye(len(mask), dtype=int)
#     for layers in range(1, most + 1):
#         ways = ways @ mask
#         if np.diag(ways).any():
#             return layers
#     return 0
# ```
# </details>
#
# Now BERT's way: one word is taken out of the **input** before any layer sees it. We give [MASK] the id 0; the
# attention stays as it was.

# %%
def hidden_and_copied(ids, t, layers):
    seen = ids.copy()
    seen[t] = 0                                                 # [MASK]
    return copied(seen, layers)[t]

# %% [markdown]
# The same experiment, with ids from 1 for the words:

# %%
texts = rng.integers(1, V, size=(1000, T))      # 0 is [MASK] now
for layers in (2, 3):
    right = np.mean([hidden_and_copied(ids, 2, layers) == ids[2] for ids in texts])
    print(f"{layers} layers, one word masked: {right:.0%} right")

# %% [markdown]
# There is nothing to copy: what comes back after two layers is [MASK]. So a model has to predict.
#
# <details><summary><b>Why does ELMo not leak, though it has two layers and looks both ways?</b></summary>
#
# Its two networks never look at each other's states while they predict. Everything in the forward network comes from
# the left, layer after layer, and its label, the next word, stands on the right. In the backward network it is the
# other way round.
# </details>
#
# <details><summary><b>Why does GPT not leak, however deep it is?</b></summary>
#
# In every layer, each token looks only at itself and to its left. However many such steps follow each other, none of
# them leads to the right, where the label stands.
# </details>

# %% [markdown]
# ## 4 · The same text for all three
#
# Now we train them: ELMo's two LSTMs, and GPT's and BERT's Transformers, on the same sequences and for equally many
# steps. The text is the *lives* of our generated language, as in lesson 5.

# %%
from minibert.elmo_gpt_bert import Budget, pretraining_text

BUDGET = Budget()
pieces, text = pretraining_text(BUDGET)
number_of_tokens = sum(len(ids) for life in text for ids in life)
print(f"{len(text):,} documents, {number_of_tokens:,} tokens; a vocabulary of {len(pieces):,}")

# %% [markdown]
# All sizes are in one place, the same for the three models:

# %%
print(inspect.getsource(Budget).split("    def ")[0])

# %% [markdown]
# And here are the models. The two Transformers are the same, except that BERT's output head is slightly larger.

# %%
import torch
from minibert.elmo_gpt_bert import MODELS, new_model, objective_of

print(inspect.getsource(new_model))

# %% [markdown]
# We make all three, with the same seed.

# %%
SEED = 0
OBJECTIVES = {name: objective_of(name, BUDGET, pieces) for name in MODELS}
readers = {name: new_model(name, BUDGET, pieces, SEED) for name in MODELS}

# %% [markdown]
# All three read equally many tokens. But how many tokens do they predict in a batch of 8 sequences?

# %%
rows, _ = OBJECTIVES["BERT"].build(text, np.random.default_rng(0))
batch = OBJECTIVES["BERT"].collate(rows[:8])
for name, objective in OBJECTIVES.items():
    _, labels = objective.corrupt(batch, np.random.default_rng(0))
    asked = sum(int((label >= 0).sum()) for label in labels.values())
    weights = sum(p.numel() for p in readers[name].parameters())
    print(f"{name:5s} {weights:,} weights; {asked:,} predictions in a batch of {batch.real.sum()} tokens")

# %% [markdown]
# This is the price of masking: BERT makes about a seventh of GPT's predictions on the same text.
#
# How can we measure models that see different things? We mask a word of a new document, and ask each model for it,
# given what that model may see. As we wrote the grammar of this language, we can also compute the best possible
# predictions: from the left side alone, and from both sides. Their accuracies are the **limits** of such models.

# %%
from minibert.elmo_gpt_bert import limits, masked_words

tests = masked_words(BUDGET, pieces)
best = limits(tests, pieces)
print(f"{len(tests)} documents, {best['both']['all'].count} masked tokens. Best with the left side: "
      f"{best['left']['all'].accuracy:.0%}, with both: {best['both']['all'].accuracy:.0%}")

# %% [markdown]
# For each masked token we note two things: is the model's likeliest token right, and what is the probability of the
# right one? GPT predicts it at the place before it:

# %%
from minibert.elmo_gpt_bert import elmo_answers, gpt_answers

print(inspect.getsource(gpt_answers))

# %% [markdown]
# ELMo makes two predictions of the same token, $p_L$ at the place before it and $p_R$ at the place after it. If the two
# sides were independent given the token, both together would give $p_L\,p_R / p$, normalised to sum to 1. Here $p$ is
# how frequent the token is (its *unigram* probability). With logarithms:

# %%
from minibert.elmo_gpt_bert import product

print(inspect.getsource(product), inspect.getsource(elmo_answers), sep="\n")

# %% [markdown]
# BERT predicts it at its own place, where it reads [MASK].

# %%
from minibert.elmo_gpt_bert import COMBINED, answers_of, log_unigram

unigram = log_unigram(text, pieces)                                         # (V,)
ANSWERS = {name: answers_of(name, readers[name], pieces, unigram) for name in MODELS}

# %% [markdown]
# One unfairness remains, and it is against BERT: GPT and ELMo read the true text all around, while BERT's input has
# [MASK] at all masked tokens of the sequence at once.
#
# The three were also trained in advance, five times each, with other seeds. Which was ahead?

# %% jupyter={"source_hidden": true}
import json
from minibert.commands import ROOT

def in_advance():
    """The models by how many masked tokens they predict right, a mean over five runs; the best first."""
    runs = json.loads((ROOT / "benchmarks" / "elmo_gpt_bert.json").read_text())["pretrained"]
    found = {name: np.mean([run["scores"]["ELMo, product" if name == "ELMo" else name]["all"] for run in runs
                            if (run["model"], run["steps"]) == (name, BUDGET.steps)]) for name in MODELS}
    return sorted(found, key=found.get, reverse=True)

def in_order():
    return f"<p>From best to worst: {', '.join(in_advance())}. Now watch your own three.</p>"

GuessChoice(f"After {BUDGET.steps} steps, which model predicts most of the masked tokens right?", list(MODELS),
            lambda: in_advance()[0], see=in_order)

# %% [markdown]
# Next, your own. The folded cell prepares a picture of their accuracy, beside the two limits.

# %% jupyter={"source_hidden": true}
from functools import partial
from minibert.corpora.world.posterior.reachable import scored
from minibert.training import train
from minibert.viz.training import LiveCurve

LINES = {f"best, {side}": 100 * best[side]["all"].accuracy for side in best}
few = tests[:BUDGET.curve_tests]
live = LiveCurve("masked tokens predicted right, %", every=BUDGET.every, lines=LINES, limits=(0, 100),
                 value=lambda log: 100 * scored(few, ANSWERS[now])["all"].accuracy)

# %% [markdown]
# The training takes up to a minute and a half. The points of the curves are measured on 30 of the documents.

# %%
logs = {}
for now, objective in OBJECTIVES.items():
    live.line(now)
    logs[now] = train(readers[now], objective, partial(objective.build, text), BUDGET.training(SEED), progress=live,
                      precision=torch.float32)

# %% [markdown]
# What did it cost? The tokens read are equal; the predictions and the seconds are not.

# %%
from minibert.elmo_gpt_bert import questions_of

for name, log in logs.items():
    asked = questions_of(log, OBJECTIVES[name], text, np.random.default_rng(0))
    print(f"{name:5s} {len(log)} steps, {sum(entry['tokens'] for entry in log):,} tokens read, {asked:,} predictions, "
          f"{sum(entry['seconds'] for entry in log):.0f} seconds")

# %% [markdown]
# ## 5 · What each of them knows
#
# Now we use all documents. We sort the masked tokens by where the evidence for them is: in their own sentence, in an
# earlier one, in a later one, or in facts about the world. *Elsewhere* is all those that only another sentence gives
# away. GPT is compared with the limit of the left side, BERT with that of both sides. ELMo is compared with BERT's
# limit; its own is higher, since it reads the other masked tokens, and we have not computed it.

# %%
results = {f"ELMo, {way}": scored(tests, answers_of("ELMo", readers["ELMo"], pieces, unigram, way)) for way in COMBINED}
results |= {name: scored(tests, ANSWERS[name]) for name in ("GPT", "BERT")}
results |= {"best, left side": best["left"], "best, both sides": best["both"]}
KINDS = {"all": "all", "syntax": "its sentence", "left": "an earlier one", "right": "a later one", "world": "the world",
         "elsewhere": "elsewhere"}

# %% [markdown]
# Take the tokens that only a *later* sentence gives away.

# %% jupyter={"source_hidden": true}
def too_late():
    return (f"<p>From the left side they can only be guessed, by a model of any size. From both sides the best "
            f"possible accuracy is {best['both']['right'].accuracy:.0%}.</p>")

GuessNumber("Of 100 such tokens, how many can be predicted right from the left side, at best?",
            lambda: 100 * best["left"]["right"].accuracy, within=8, form="{:.0f}%", see=too_late)

# %% [markdown]
# All models, all kinds:

# %%
from minibert.viz.entities import score_table

by_kind = [(name, *(f"{100 * scores[kind].accuracy:.0f}" for kind in KINDS)) for name, scores in results.items()]
count = ("number of tokens", *(str(best["both"][kind].count) for kind in KINDS))
View(score_table(["", *KINDS.values()], [*by_kind, count],
                 "Masked tokens predicted right, %, by where the evidence is"))

# %% [markdown]
# Look at the two rows of limits first; they hold for a GPT and a BERT of any size. Where the token's own sentence gives
# it away, the left side gets far. One limit looks odd: for *an earlier one* the left side is better than both. This is
# the unfairness from above: with both sides, other tokens are masked too, sometimes the very one that gives it away.
#
# Now one masked token, as ELMo's two networks predict it, each alone and both together (*product*). For each document
# you see one that only the product predicts right, or, if there is none, its first. **Try** other rows: can you find
# one in which one network alone gives the true token a higher probability than the product does?

# %% jupyter={"source_hidden": true}
from minibert.elmo_gpt_bert import log_probs

def around(row, at):
    shown = [pieces.vocab[i] for i in row.ids]
    return " ".join([*shown[max(at - 7, 0):at], "[ ? ]", *shown[at + 1:at + 7]]).replace(" ##", "")

def likeliest(logs, count=3):
    shares, ids = logs.exp().topk(count)
    return ", ".join(f"{pieces.vocab[i]} {share:.0%}" for i, share in zip(ids.tolist(), shares.tolist()))

def right_alone_and_together(row):
    """For each masked token: is it predicted right from the left, from the right, by the product?"""
    return list(zip(*([right for right, _ in elmo_answers(readers["ELMo"], unigram, way, row)] for way in COMBINED)))

def only_together(row):
    """The number of the first masked token that only the product predicts right, or None."""
    return next((i for i, right in enumerate(right_alone_and_together(row)) if right == (0, 0, 1)), None)

telling = next((number for number, row in enumerate(tests, 1) if only_together(row) is not None), 1)

def draw_opinions(row):
    row = tests[row - 1]
    at = int(np.flatnonzero(row.hidden)[only_together(row) or 0])
    logs, truth = log_probs(readers["ELMo"], row.ids, visible_all), int(row.ids[at])
    left, right = logs["next"][at - 1], logs["previous"][at + 1]
    said = {way: join(left, right, unigram) for way, join in COMBINED.items()}
    said["unigram alone"] = unigram
    rows = [(way, likeliest(logs), f"{logs[truth].exp():.1%}") for way, logs in said.items()]
    names = ["prediction", "likeliest tokens", f"probability of the true token, “{pieces.vocab[truth]}”"]
    return score_table(names, rows, around(row, at))

Explorer(draw_opinions, row=widgets.BoundedIntText(telling, min=1, max=len(tests), description="Row"))

# %% [markdown]
# Now all masked tokens: each model beside the limit for what it sees (for ELMo, BERT's).

# %%
from minibert.viz.pretraining import accuracy_ranges

names = ["GPT", "ELMo, product", "BERT"]
reached = [100 * results[name]["all"].accuracy for name in names]
top = [100 * best[side]["all"].accuracy for side in ("left", "both", "both")]
frequent = int(unigram.argmax())
floor = [100 * float(np.mean([word == frequent for row in tests for word in row.ids[row.hidden]]))] * 3
title = "; ".join(f"{name}: {r:.0f}% of a possible {t:.0f}%" for name, r, t in zip(names, reached, top))
show(*accuracy_ranges(names, floor, reached, top, title + ".", "most frequent token"))

# %% [markdown]
# The models are small and were trained briefly, and two things come together: how much a model *may* see, and how many
# predictions it made in training. A model that is ahead here is ahead **at this budget**. The limits say how much room
# each has to grow.

# %% [markdown]
# ## 6 · Other seeds, and five times the steps
#
# One seed says little: differences of a few points may reverse with another. So `benchmarks/elmo_gpt_bert.py` trained
# the three again, with five other seeds and all else the same. The folded cell reads its results.

# %% jupyter={"source_hidden": true}
from dataclasses import asdict

table = json.loads((ROOT / "benchmarks" / "elmo_gpt_bert.json").read_text())
counts = {kind: score.count for kind, score in best["both"].items()}
same = table["budget"] == asdict(BUDGET) and table["hidden"] == counts
SHORT, LONG = table["budget"]["steps"], table["longer"]["steps"]

def runs_of(name, steps=SHORT):
    return [run for run in table["pretrained"] if (run["model"], run["steps"]) == (name, steps)]

def scores_of(name, steps=SHORT):
    key = "ELMo, product" if name == "ELMo" else name
    scores = [[run["scores"][key][kind] for kind in KINDS] for run in runs_of(name, steps)]
    return np.array(scores)                                         # (seeds, kinds)

print("These results have the budget and the masked tokens that you have just used." if same else
      "These results have ANOTHER budget or text than yours, so your own run is left out of what follows.")

# %% [markdown]
# You have seen in which order your three models came out. In the answer, each bar reaches from the lowest to the
# highest seed, and the large hollow mark is your own run.

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
    title = f"After {SHORT} steps, all tokens: " + ", ".join(f"{name} {mean:.0f}%" for name, mean in means.items())
    bounds = {f"best, {side}": [table["limits"][side][kind] for kind in KINDS] for side in ("left", "both")}
    return seed_rows(list(KINDS.values()), by_seed, yours, "masked tokens predicted right, %", title, bounds)

GuessNumber("In how many of the five seeds do the three come out in the same order as in your run?",
            seeds_in_this_order, within=0, see=all_seeds)

# %% [markdown]
# Does the order also hold for the tokens that only another sentence gives away?

# %%
def ahead(one, other, kind):
    at = list(KINDS).index(kind)
    gaps = by_seed[one][:, at] - by_seed[other][:, at]
    seeds = f"{np.sum(gaps > 0)} of {len(gaps)} seeds"
    return f"{one} ahead of {other}, {KINDS[kind]}: {seeds}, by {gaps.mean():.1f} points"

for pair in (("GPT", "BERT"), ("ELMo", "BERT"), ("GPT", "ELMo")):
    print(ahead(*pair, "elsewhere"))

# %% [markdown]
# Is your own run typical? By chance alone, a sixth seed lies outside the range of five others one time in three.

# %%
for name, values in yours.items():
    low, high = by_seed[name][:, 0].min(), by_seed[name][:, 0].max()
    where = "within" if low <= values[0] <= high else "outside"
    print(f"{name:5s} your run {values[0]:.1f}%: {where} the range of the five, {low:.1f}% to {high:.1f}%")

# %% [markdown]
# ELMo's two networks, alone and together:

# %%
opinions = {way: np.array([run["scores"][f"ELMo, {way}"]["all"] for run in runs_of("ELMo")]) for way in COMBINED}
better = opinions["product"] > np.maximum(opinions["left"], opinions["right"])
print(", ".join(f"{way} {values.mean():.1f}%" for way, values in opinions.items()))
print(f"the product is ahead of both in {better.sum()} of {len(better)} seeds")

# %% [markdown]
# Now the start of the training. We say that a model *begins to learn* at the first measured step at which its mean over
# the seeds is five points above always predicting the most frequent token.

# %% jupyter={"source_hidden": true}
def curves_of(steps):
    found = {name: runs_of(name, steps) for name in MODELS}
    return {name: ([step for step, _ in runs[0]["curve"]], [[value for _, value in run["curve"]] for run in runs])
            for name, runs in found.items() if runs}

def beginning(x, values):
    """The first step of a curve at which the mean over seeds is five points above the most frequent token, or None."""
    return next((step for step, right in zip(x, np.mean(values, 0)) if right > floor[0] + 5), None)

def draw_start(steps):
    found = curves_of(steps)
    began = {name: beginning(*line) for name, line in found.items()}
    title = "; ".join(f"{name} begins by step {at:,}" if at else f"{name} does not begin" for name, at in began.items())
    yours = {name: tuple(zip(*points)) for name, points in live.curves.items()} if same and steps == SHORT else {}
    heights = {"best, left": table["limits"]["left"]["all"], "best, both": table["limits"]["both"]["all"]}
    return seed_bands(found, yours, "step", "masked tokens predicted right, %", title, heights, list(MODELS))

# %% [markdown]
# GPT and BERT were also trained for five times as many steps, with three seeds, and measured every 300 steps.

# %% jupyter={"source_hidden": true}
def longer_runs():
    last = by_seed["BERT"][:, 0]
    stuck = np.sum(last <= floor[0] + 5)
    return (figure_html(*draw_start(LONG))
            + f"<p>Within {SHORT} steps BERT had not begun in {stuck} of {len(last)} seeds: it predicted little but "
            "the most frequent token. This is an extreme case of MLM's slow start, not a verdict on masking. (In "
            "lesson 5, with more sequences, a larger hidden size and twice the predictions, BERT got far further.)</p>")

GuessNumber(f"At which step of {LONG:,} does BERT begin to learn? (Type 0 for never.)",
            lambda: beginning(*curves_of(LONG)["BERT"]) or 0, within=300, see=longer_runs)

# %% [markdown]
# The short runs: each band reaches from the lowest to the highest seed, and the hollow marks are your own run.

# %%
Explorer(draw_start, steps=widgets.Dropdown(options=sorted({run["steps"] for run in table["pretrained"]}), value=SHORT,
                                            description="Steps"))

# %% [markdown]
# What did these runs cost, and what did they reach? These are means over the seeds. (The seconds are of one thread of
# another machine.)

# %% jupyter={"source_hidden": true}
reached_by = []
for name, steps in dict.fromkeys((run["model"], run["steps"]) for run in table["pretrained"] if run["model"] in MODELS):
    runs, right = runs_of(name, steps), scores_of(name, steps)[:, 0]
    cost = (f"{np.mean([run[key] for run in runs]):,.0f}" for key in ("tokens", "questions", "seconds"))
    reached_by.append((name, f"{steps:,}", str(len(runs)), right.mean(), right.min(), right.max(), *cost))
View(score_table(["model", "steps", "seeds", "right, %", "lowest", "highest", "tokens read", "predictions", "seconds"],
                 reached_by))

# %% [markdown]
# After how many predictions does each begin to learn?

# %%
for steps in (SHORT, LONG):
    for name, line in curves_of(steps).items():
        asked, at = np.mean([run["questions"] for run in runs_of(name, steps)]) / steps, beginning(*line)
        began = f"after {at * asked:,.0f} predictions (step {at:,})" if at else "never"
        print(f"{name:4s} in the run of {steps:5,} steps: {began}")

# %% [markdown]
# BERT needs fewer predictions than ELMo to begin, though more steps. (This is coarse: there is a point every 60 steps,
# in the long runs every 300, and the long GPT had begun before its first.)
#
# <details><summary><b>Why may a prediction teach BERT less at the start than GPT?</b></summary>
#
# GPT predicts a word at the word before it, which by itself says much about what comes next: a first success needs no
# attention at all. BERT predicts at [MASK], which says nothing. It must first learn that its neighbours are worth
# attending to, and which.
# </details>

# %% [markdown]
# ## 7 · What the papers measured, and what we did
#
# BERT's authors asked the question of this lesson at full size. They pretrained BERT-base again, with the same text and
# steps, and took parts away, which is called an **ablation**: first NSP, then the right side too. What is left is a GPT
# with BERT's text and input (Devlin et al., table 5, development sets). Lesson 6 explains the first four tasks, lesson
# 7 explains SQuAD.

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
            "answer ends there, and that depends on what follows. SST-2 asks for the sentiment of a sentence and loses "
            f"{lost['SST-2']:.1f}: at the end of the sentence, GPT has read all of it.</p><p>A BiLSTM on top, two "
            f"LSTMs that read the model's output in both directions, brings back {back[most]:.1f} points on {most}: "
            f"now the right side is seen, if only once. It helps on {len(helped)} of the {len(TASKS)} tasks.</p>")

GuessChoice("Which of the five tasks suffers most without the right side?", list(TASKS),
            lambda: max(TASKS, key=what_is_lost().get), see=table_5)

# %% [markdown]
# How much does each ablation cost, task by task?

# %% jupyter={"source_hidden": true}
from minibert.viz.plots import bars

def draw_loss(model):
    lost = [before - after for before, after in zip(ABLATIONS["BERT-base"], ABLATIONS[model])]
    most = int(np.argmax(lost))
    return bars(TASKS, lost, "points below BERT-base", f"{model}: {TASKS[most]} loses most, {lost[most]:.1f} points",
                chosen=most, form="{:.1f}", limit=13)

Explorer(draw_loss, model=widgets.Dropdown(options=list(ABLATIONS)[1:], value="no NSP", description="Model"))

# %% [markdown]
# The paper also looked at the slow start (appendix C.1): masking learns a little more slowly than reading from the
# left, but is ahead in accuracy after fine-tuning almost from the beginning.
#
# **And ours?** `benchmarks/elmo_gpt_bert.py` has fine-tuned each model of section 6 on three tasks in our language:
# *acceptability* (is the sentence acceptable?), *named entities* (lesson 8) and *question answering* (lesson 7). *From
# scratch* is a Transformer like BERT's, without pretraining. GPT keeps looking to the left only; for acceptability, the
# last token of its sequence is classified. The folded cell reads the results.

# %% jupyter={"source_hidden": true}
from collections import defaultdict

tuned = defaultdict(dict)                                      # [model, way, steps, task][seed] -> score
for run in table["tuned"]:
    name = run["model"].replace("random weights", "from scratch")
    tuned[name, run["way"], run["steps"], run["task"]][run["seed"]] = run["score"]
NAMED = {"cola": "acceptability, Matthews", "ner": "named entities, F1", "qa": "question answering, F1"}
PAPER_ROW = {"BERT with NSP": "BERT-base", "BERT": "no NSP", "GPT": "left-to-right, no NSP",
             "GPT + BiLSTM": "+ BiLSTM on top"}

def compare(pairs, steps=SHORT):
    """A table: for each pair and task, in how many seeds the first model is better, and its mean lead."""
    rows = []
    for one, other in pairs:
        cells = []
        for task in NAMED:
            first, second = (tuned[model, "full", steps, task] for model in (one, other))
            leads = [first[seed] - second[seed] for seed in first if seed in second]
            cells.append(f"{sum(lead > 0 for lead in leads)} of {len(leads)} ({np.mean(leads).round(1) + 0:+.1f})"
                         if leads else "not measured")
        rows.append((f"{one} better than {other}", *cells))
    return score_table(["", *(name.split(",")[0] for name in NAMED.values())], rows,
                       "In how many seeds (and the mean difference in points)")

# %% [markdown]
# After 600 steps our BERT predicts little but the most frequent token. Then it is fine-tuned to find named entities.
# Was its pretraining of any use?

# %% jupyter={"source_hidden": true}
def ahead_on_names():
    mine, fresh = (tuned[name, "full", SHORT, "ner"] for name in ("BERT", "from scratch"))
    return sum(mine[seed] > fresh[seed] for seed in mine)

def against_random_weights():
    return compare([(name, "from scratch") for name in ("BERT with NSP", "BERT", "GPT", "ELMo")])

GuessNumber("In how many of the five seeds does this BERT find named entities better than a model from scratch?",
            ahead_on_names, within=0, see=against_random_weights)

# %% [markdown]
# Here are the means over seeds ± their standard deviation, with the paper's SQuAD beside them.

# %% jupyter={"source_hidden": true}
def spread(scores):
    values = list(scores.values())
    mean = f"{np.mean(values).round(1) + 0:.1f}" if values else ""
    return mean + (f" ± {np.std(values, ddof=1):.1f}" if len(values) > 1 else "")

lines = [(name, ABLATIONS[PAPER_ROW[name]][-1] if name in PAPER_ROW and steps == SHORT else None, f"{steps:,}",
          *(spread(tuned[name, "full", steps, task]) for task in NAMED))
         for name, steps in dict.fromkeys((name, steps) for name, way, steps, task in tuned if way == "full")]
sizes = ", ".join(f"{size['labelled']:,} for {NAMED[task].split(',')[0]}" for task, size in table["tuning"].items())
View(score_table(["model", "paper: SQuAD F1", "steps", *NAMED.values()], lines, f"Labelled examples: {sizes}"))

# %% [markdown]
# Which of the paper's results do our seeds repeat? Each of its ablations, and ELMo:

# %%
View(compare([("BERT with NSP", "BERT"), ("BERT", "GPT"), ("GPT + BiLSTM", "GPT"), ("ELMo", "GPT"), ("ELMo", "BERT")]))

# %% [markdown]
# And with five times as many steps:

# %%
View(compare([("BERT", "GPT")], LONG))

# %% [markdown]
# Compared with the paper's table:
#
# - **The right side.** There, BERT without NSP is better than the left-to-right model on all five tasks; here it is
#   worse on all three, in every seed. Ours had hardly begun to learn: this says nothing against looking both ways.
# - **A BiLSTM on top** helps only on SQuAD there. Here it costs points on named entities and question answering, in
#   every seed: it starts from random weights, and has only a few hundred steps.
# - **NSP** is worth 0.6 points on SQuAD there. Here the differences are smaller than the spread over seeds.
# - **GPT**, which predicted most masked tokens right, is also the best of the three on named entities and question
#   answering in every seed, and on acceptability in four of five.
# - **With five times as many steps** BERT still predicts far fewer masked tokens right than GPT. Its mean on named
#   entities has caught up; on the two other tasks it is behind in each of the three seeds.
#
# <details><summary><b>What carries over to our scale, and what does not?</b></summary>
#
# The limits and the leak do: they depend only on who sees what. Masking's slow start does, and is far slower here. The
# order of the models after fine-tuning does not: ours read 0.4 million tokens, or 2 million in the long runs; BERT read
# about 128,000 in each of a million steps.
# </details>

# %% [markdown]
# ## 8 · How the three are used
#
# **ELMo** is not fine-tuned. The task's own network reads a **scalar mix** of ELMo's frozen layers: a weighted sum,
# whose weights come from a softmax and are learned with the task, times one learned factor $\gamma$ (Peters et al.,
# equation 1).

# %%
from minibert.reference import scalar_mix

print(inspect.getsource(scalar_mix))

# %% [markdown]
# There are three layers here: the embeddings and two LSTM layers. **Try:** give one of them a weight of 99%.

# %% jupyter={"source_hidden": true}
from minibert.reference import softmax

def draw_shares(embeddings, first, second):
    shares = softmax(np.array([embeddings, first, second]))
    names = ["embeddings", "first LSTM", "second LSTM"]
    most = int(np.argmax(shares))
    return bars(names, list(shares), "weight in the mix", f"{names[most]}: a weight of {shares[most]:.0%}",
                form="{:.0%}", limit=1.1)

WIDE = {"description_width": "initial"}
Explorer(draw_shares, **{name: widgets.FloatText(value, step=0.5, description=name, style=WIDE)
                         for name, value in (("embeddings", 0.0), ("first", 0.0), ("second", 2.0))})

# %% [markdown]
# In the ELMo that you have trained, these numbers are still where they began, at equal weights: only a task reads the
# mix, and pretraining does not.

# %%
print(readers["ELMo"].encoder.mix.weights.tolist())

# %% [markdown]
# Before ELMo, with word2vec for example, a word had one vector, whatever stood around it. Such a vector, the embedding,
# is still the first layer of all three models. We take the sentences *at the bank she paid* and *at the bank she swam*.
#
# There are five vectors of *bank* to compare: the embedding, those of ELMo's forward and backward networks, GPT's and
# BERT's. (The word is rare in our text, so it is split into several tokens, and we take the vector of the last.) We
# compare them by their cosine, which is 1 where two vectors point in the same direction.

# %% jupyter={"source_hidden": true}
BANKS = {"at the bank she paid / at the bank she swam": ("at the bank she paid", "at the bank she swam"),
         "she paid at the bank / she swam to the bank": ("she paid at the bank", "she swam to the bank")}

@torch.no_grad()
def vectors_of(name, sentence):
    ids = np.array([pieces.specials.cls, *pieces.encode(sentence).ids, pieces.specials.sep])[None]
    visible = (visible_causal if name == "GPT" else visible_all)(np.ones(ids.shape, bool))
    at = len(pieces.encode(sentence[:sentence.index("bank") + len("bank")]).ids)        # the last token of "bank"
    out = readers[name].encoder(*map(torch.from_numpy, (ids, visible, np.zeros_like(ids))))
    parts = {"ELMo, forward": "forward", "ELMo, backward": "backward"} if name == "ELMo" else {name: "hidden"}
    return {"embedding, any model": readers[name].encoder.embeddings.word(torch.from_numpy(ids))[0, at],
            **{label: out[part][0, at] for label, part in parts.items()}}

def cosines(sentences):
    found = {}
    for name in MODELS:
        one, other = (vectors_of(name, sentence) for sentence in BANKS[sentences])
        for label in one:
            found[label] = float(torch.cosine_similarity(one[label], other[label], dim=0))
    return found

def same_in_both(sentences):
    return [label for label, cosine in cosines(sentences).items() if cosine > 1 - 1e-5]

def draw_banks(sentences):
    found, title = cosines(sentences), f"The same vector in both: {'; '.join(same_in_both(sentences))}"
    return bars(list(found), list(found.values()), "cosine of the two vectors of “bank”", title, form="{:.3f}",
                limit=1.2)

def not_read_yet():
    return (figure_html(*draw_banks(list(BANKS)[0]))
            + "<p>The embedding cannot tell a river bank from a bank for money. Nor can a model that has read only the "
            "left side: <i>paid</i> and <i>swam</i> come later. How far apart the other vectors lie says little, as "
            "these models are small and were trained briefly.</p>")

GuessNumber("How many of the five are the same in both sentences?", lambda: len(same_in_both(list(BANKS)[0])),
            within=0, see=not_read_yet)

# %% [markdown]
# In another pair of sentences, *paid* and *swam* come before *bank*. What changes?

# %%
Explorer(draw_banks, sentences=widgets.Dropdown(options=list(BANKS), value=list(BANKS)[1], description="Sentences",
                                                layout={"width": "430px"}))

# %% [markdown]
# **GPT** and **BERT** are fine-tuned: one new layer on top, and all weights are trained. Published averages on the test
# sets of GLUE (Devlin et al., table 1): BiLSTM + ELMo + attention 71.0, GPT 75.1, BERT-base 79.6, BERT-large 82.1.
# Nothing is held equal here: text, size and training all differ. That is why the paper has ablations.
#
# How much does it help to train the encoder, too? Here is the F1 for named entities: once fine-tuned, and once
# *frozen*, ELMo's way, with a BiLSTM that reads a mix of the layers.

# %% jupyter={"source_hidden": true}
two_ways = []
for name, steps in (("GPT", SHORT), ("BERT", SHORT), ("GPT", LONG), ("BERT", LONG)):
    full, read = (tuned[name, way, steps, "ner"] for way in ("full", "sum-all"))
    wins = f"{sum(full[seed] > read[seed] for seed in read)} of {len(read)} seeds"
    two_ways.append((name, f"{steps:,}", spread(full), spread(read), wins))
View(score_table(["model", "steps", "fine-tuned", "frozen", "fine-tuned better in"], two_ways))

# %% [markdown]
# ## 9 · In real English
#
# Now you are GPT, in English: you see what stands before the gap and nothing else. The attention mask hides the right
# side from the model, too, as in the first picture.
#
# **Guess first.** How many of the five words can you guess from the left side? Your first guess counts. The sentences
# are the first five of twenty; they were not chosen by looking at a model's predictions.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import GuessFirst

def ranking(probs, count=5):
    return [(english.tokenizer.vocab[i], float(probs[i])) for i in np.argsort(-probs)[:count]]

WHOLE = {text.partition("[MASK]")[0] + "[MASK]": text for text in list(GAPS)[:5]}       # left side: whole sentence
GuessFirst(lambda left: ranking(step_by_step(WHOLE[left])[0][0]), [(left, GAPS[WHOLE[left]][0]) for left in WHOLE])

# %% [markdown]
# Now the next five, with both sides for you and for the model. Compare the scores of the two games. (The sentences
# differ, so part of the difference is luck.)

# %%
GuessFirst(lambda text: ranking(step_by_step(text)[0][-1]), [(text, GAPS[text][0]) for text in list(GAPS)[5:10]])

# %% [markdown]
# Often several words would fit. So for all twenty sentences we compute, with and without the right side, the
# probability that the model gives to **all the words that would fit**, together.

# %% jupyter={"source_hidden": true}
from functools import cache

@cache
def rows_of_twenty():
    """(sentence, percent with the right side hidden, percent with it), the largest gain first."""
    return sorted(((text, *(100 * chances(text))) for text in GAPS), key=lambda row: row[1] - row[2])

def raised():
    return sum(hidden < seen for _, hidden, seen in rows_of_twenty())

def all_twenty():
    rows, higher = rows_of_twenty(), raised()
    mean = np.mean([row[1:] for row in rows], axis=0)
    misled = ("<p>The right side can also mislead. Where it lowers the probability, the model may prefer a word that "
              "goes well with a single word on the right but not with the whole sentence.</p>")
    said = f"Higher with the right side: {higher} of {len(rows)}; on average {mean[0]:.0f}% and {mean[1]:.0f}%"
    return (score_table(["sentence", "right side hidden, %", "seen, %"], rows, said)
            + (misled if any(hidden > seen for _, hidden, seen in rows) else ""))

GuessNumber("In how many of the twenty sentences does the right side raise the probability?", raised, within=2,
            see=all_twenty)

# %% [markdown]
# Now **your** sentence. The slider sets how many tokens of the right side the model may see; ▨ is a token it may not
# see. Can you write a sentence in which a single token on the right changes the likeliest word?

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
# It was trained with both sides, so it has never practised reading one alone. [SEP] stays visible, and its position
# tells how many tokens are hidden; and the words on the left still look at each other both ways. A GPT of the same
# size, trained to read from the left on the same text, should do better with the left side alone. So the numbers here
# show only what **this** model makes of the right side.
# </details>

# %% [markdown]
# Finally, look inside: each row is a token, and a curve that comes up to a row from below brings something from the
# **right**. In a left-to-right model there are no such curves. Delete the words after [MASK], and compare.

# %%
from minibert.viz import explore

explore(english, "The [MASK] barked at the postman.")

# %% [markdown]
# ## Check yourself
#
# Six questions about the whole lesson. Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    Question("Which words can ELMo's forward network use to predict the fourth word?", [
        Choice("The first three", True, "Right."),
        Choice("All but the fourth", False, "Both networks together; the forward one has read the left side only."),
        Choice("The first four", False, "Then it would only have to copy."),
    ]),
    Question("Each word sees all the others but not itself. From how many layers on can it be copied?", [
        Choice("One", False, "After one layer the others have read it, but it has not yet read this from them."),
        Choice("Two", True, "Right: one layer to its neighbours, and one back."),
        Choice("Never, it does not see itself", False, "Not directly. But the others have seen it."),
    ]),
    Question("Why may GPT see its own word at t?", [
        Choice("It predicts the next one", True, "Right: the word at t is evidence, not the label."),
        Choice("It is masked", False, "Nothing is masked in GPT."),
        Choice("It may not", False, "Without it the newest word would be missing."),
    ]),
    Question("What does BERT pay for seeing both sides?", [
        Choice("It is asked for 15% of the words only", True, "Right. So it starts more slowly on the same text."),
        Choice("It needs two networks", False, "That is ELMo."),
        Choice("It cannot be fine-tuned", False, "It was made to be."),
    ]),
    Question("Without the right side, SQuAD falls by ten points and SST-2 by less than one. Why?", [
        Choice("SST-2 has less training data", False, "It has 67,000 sentences."),
        Choice("The end of an answer depends on what follows", True,
               "Right. The sentiment can be judged at the end of the sentence."),
        Choice("SQuAD's texts are too long for GPT", False, "Both models read the same lengths."),
    ]),
    Question("After 600 of our steps GPT predicts more masked tokens right than BERT. What follows?", [
        Choice("GPT is the better model", False, "Only at this budget, on this measure."),
        Choice("Left-to-right learns faster per token at the start", True, "Right; its limit is lower."),
        Choice("Masking does not work", False, "BERT has made fewer predictions so far."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **ELMo**: two networks, one from each side, that meet at the end. **GPT**: one from the left. **BERT**: both sides
#   in every layer.
# - **A deep model that looks both ways copies** the word through its neighbours: one layer there, one back. [MASK]
#   takes the word out of the input, so no path brings it back.
# - **The price**: only 15% of the tokens are predicted, so the start is slower.
# - **Compare fairly**: put each model beside the limit for what it sees, and say what was held equal (here text,
#   sequences and steps) and what was not (predictions, seconds).
# - **Count seeds**: one run says little. Say in how many seeds a claim holds, and how far the seeds lie apart.
# - **In English**: hide the right side from a model that reads both, and you see how much it helps. It can also
#   mislead.
# - **Ablations** keep all else equal. Both without NSP, the left-to-right BERT-base is 10.1 points behind on SQuAD, 0.5
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
# **Next**: the exercise `exercises/09_elmo_gpt_bert`. You write the attention masks, ELMo's loss and mix, and a test
# that finds leaks in any model.
