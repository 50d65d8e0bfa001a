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
# - compare models that see different things fairly: each beside the best that its reader could reach,
# - read the ablations of BERT's paper, and say which of them a small model can repeat.
#
# **You need** lessons 1, 2, 4 and 5: masks, attention, losses, the loop.
# **Time:** about 50 minutes with guessing and playing; the code alone runs in 180 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where it says **Guess first**, do: a wrong guess is remembered best.

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
# **Guess first.** The sentence is *the cat that they feed sleeps*. To predict *cat*, which words may each model use?

# %%
import numpy as np
from minibert.batch import visible_all, visible_causal

tokens = "the cat that they feed sleeps".split()
real = np.ones((1, len(tokens)), bool)
up_to, all_words = visible_causal(real)[0], visible_all(real)[0]
left = up_to & ~np.eye(len(tokens), dtype=bool)     # what stands before the word to predict
print(left.astype(int))

# %% [markdown]
# Each row is a word to predict, each column one that may be used. Click a word. Blue and L: read from the left; orange
# and R: read from the right; grey and LR: both sides at once.

# %%
import ipywidgets as widgets
from minibert.viz.explorer import Explorer, show
from minibert.viz.sights import sights

MAPS = {"ELMo: two readers": left + 2 * left.T, "GPT: one reader": left.astype(int),
        "BERT: one reader, the word hidden": 3 * (all_words & ~np.eye(len(tokens), dtype=bool))}

def draw_sights(word):
    at = tokens.index(word)
    return sights(MAPS, at, tokens, f"To predict “{word}”, GPT may use {at} of the other words, ELMo and BERT {len(tokens) - 1}.")

Explorer(draw_sights, word=widgets.ToggleButtons(options=tokens, value="cat", description="Token"))

# %% [markdown]
# ELMo and BERT use the same words. The difference is **when** left and right meet. In BERT they meet in every layer, so
# *cat* can be told from *feed* and *sleeps* together with *the*. In ELMo they meet at the end: two finished opinions
# are put side by side.
#
# <details><summary><b>Why does GPT give up the right side?</b></summary>
#
# It predicts every word of the text, and it can write: each new word is predicted from those before it. A model that
# needs the right side to predict has nothing to look at when it writes.
# </details>

# %% [markdown]
# ## 2 · Three objectives, two diffs
#
# In this package a model is a trunk and an objective. Apart from comments, what makes GPT's objective are three
# methods: what goes in and what is asked (`corrupt`), the output layer, the loss.

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
# **Guess first.** What must change for ELMo? For BERT? A line with − goes, a line with + comes.

# %%
def difference(old, new):
    lines = list(difflib.unified_diff(heart(old), heart(new), lineterm="", n=0))[2:]
    print("\n".join(line for line in lines if not line.startswith("@@")))

difference(CLM, BiLM)

# %% [markdown]
# ELMo: a second question, the token *before*, and its loss. Its objective even says `visible_all`: that one direction
# does not see the other is the nature of the two networks, not of a table.

# %%
difference(CLM, MLM)

# %% [markdown]
# BERT: some tokens are chosen and hidden (`hide`), everything is visible, and the label stands at the token's own place
# instead of one place earlier.

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
# the others, except by chance, one in twelve. **Guess first.** How many are right after one layer? After two?

# %%
rng = np.random.default_rng(0)
texts = rng.integers(V, size=(1000, T))
for layers in (1, 2, 3):
    right = np.mean([copied(ids, layers) == ids for ids in texts])
    print(f"{layers} layer(s): {right:.0%} right (chance: {1 / V:.0%})")

# %% [markdown]
# With two layers every word is copied: the neighbours have seen it, and it looks at the neighbours. The loss would fall
# to 0, and the model would have learned nothing about language. That is what the paper means by a word that could
# "indirectly see itself" (section 3.1).
#
# Now BERT's way: one word is taken out of the **input** before anybody looks. We give [MASK] the id 0 and let every
# place see everything, itself too.

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
# the left, layer after layer; the answer is on the right, or it is the next word.
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
from minibert.class_model import WORLD_SEED
from minibert.corpora.world import World
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training import encode_documents

world = World(WORLD_SEED)
lives = [d.sentences for d in world.documents(8000, seed=1, split="pretrain") if d.kind == "life"]
pieces = FastWordPiece(train_wordpiece(count_words(sentence for life in lives for sentence in life), 1000))
# %% [markdown]
# Words become pieces, and pieces ids.

# %%
text = encode_documents(lives, pieces)
print(f"{len(lives):,} documents, {sum(len(ids) for life in text for ids in life):,} tokens; {len(pieces):,} pieces")

# %% [markdown]
# And the three models. The two Transformers are the same, to the last weight but BERT's slightly larger output layer.
# Two layers, 64 numbers a token.

# %%
import torch
from minibert.config import preset
from minibert.model import Encoder
from minibert.model.bilstm import BiLSTM
from minibert.training.pretraining import start_from_sinusoids

LENGTH = 112
SMALL = preset("class", num_hidden_layers=2, hidden_size=64, intermediate_size=256, vocab_size=len(pieces))
OBJECTIVES = {name: kind(pieces.specials, len(pieces), LENGTH) for name, kind in (("ELMo", BiLM), ("GPT", CLM), ("BERT", MLM))}

def new_reader(name):
    torch.manual_seed(0)
    trunk = (BiLSTM if name == "ELMo" else Encoder)(SMALL)
    if name != "ELMo":
        start_from_sinusoids(trunk)
    return OBJECTIVES[name].model(trunk)

# %% [markdown]
# All three start from the same seed.

# %%
readers = {name: new_reader(name) for name in OBJECTIVES}

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
from minibert.corpora.world.posterior import Reader
from minibert.corpora.world.reachable import best_answers, best_left_answers, hidden_rows, scored

pages = [page for page in world.pages(450, 1001, "pretrain") if page.kind == "life"]
tests = list(hidden_rows(pages, pieces.encode, pieces.specials, LENGTH, np.random.default_rng(0)))[:40]
reader = Reader(world, lambda sentence: pieces.encode(sentence).ids, pieces.specials, "pretrain")
best = {"left": scored(tests, best_left_answers(reader)), "both": scored(tests, best_answers(reader))}
print(f"{len(tests)} documents, {best['both']['all'].count} hidden pieces. Best with the left side: "
      f"{best['left']['all'].accuracy:.0%}, with both: {best['both']['all'].accuracy:.0%}")

# %% [markdown]
# Now the answers of the models. ELMo has two opinions, $p_L$ and $p_R$, about the same word. If the two sides were
# independent given the word, both together would say $p_L\,p_R / p$, where $p$ is how frequent the word is; we make the
# shares sum to 1 again.

# %%
from minibert.training.pretraining import model_answers

counts = np.bincount(np.concatenate([ids for life in text for ids in life]), minlength=len(pieces)) + 1
unigram = torch.tensor(counts / counts.sum()).log()                         # (V,)
JOINED = {"left": lambda left, right: left, "right": lambda left, right: right,
          "product": lambda left, right: (left + right - unigram).log_softmax(-1)}

@torch.no_grad()
def log_shares(model, row, visible):
    ids, real = torch.from_numpy(row.ids)[None], np.ones((1, len(row.ids)), bool)
    logits = model.eval()(ids, torch.from_numpy(visible(real)), torch.zeros_like(ids))
    return {name: scores[0].log_softmax(-1) for name, scores in logits.items()}

# %% [markdown]
# What each place says about each piece is judged by two numbers: is the likeliest piece right, and the truth's share.

# %%
def judged(row, logs):
    truth = torch.from_numpy(row.ids[row.hidden])
    return [(float(at.argmax() == word), float(at[word].exp())) for at, word in zip(logs, truth)]

# %% [markdown]
# One function of a row for each reader, as `scored` wants them.

# %%
def gpt_answers(row):
    before = np.flatnonzero(row.hidden) - 1
    return judged(row, log_shares(readers["GPT"], row, visible_causal)["tokens"][before])

# %% [markdown]
# ELMo reads at both places and joins what it finds; BERT reads at the place itself.

# %%
def elmo_answers(way):
    def answer(row):
        at, logs = np.flatnonzero(row.hidden), log_shares(readers["ELMo"], row, visible_all)
        return judged(row, JOINED[way](logs["next"][at - 1], logs["previous"][at + 1]))
    return answer

def bert_answers(row):
    return model_answers(readers["BERT"].eval(), pieces.specials)(row)

ANSWERS = {"ELMo": elmo_answers("product"), "GPT": gpt_answers, "BERT": bert_answers}

# %% [markdown]
# One unfairness remains, and it is against BERT: GPT and ELMo read true words all around, BERT has all hidden words of
# the row hidden at once.
#
# **Guess first.** After 600 steps, who guesses most of the hidden words right: ELMo, GPT or BERT? And in the first 100?

# %%
from functools import partial
from minibert.training import TrainConfig, train
from minibert.viz.training import LiveCurve

# %% [markdown]
# The curves are drawn beside the two limits.

# %%
LINES = {f"best, {side}": 100 * best[side]["all"].accuracy for side in best}
plan = TrainConfig(steps=600, batch_size=8, peak_rate=3e-3)
live = LiveCurve("hidden words guessed right, %", every=60, lines=LINES, limits=(0, 100), value=lambda log: 100 * scored(
    tests[:30], ANSWERS[now])["all"].accuracy)

# %% [markdown]
# This is the cell that takes its time, up to a minute and a half. Each curve is one reader; it is measured on 30 of the
# documents.

# %%
logs = {}
for now, objective in OBJECTIVES.items():
    live.line(now)
    logs[now] = train(readers[now], objective, partial(objective.build, text), plan, progress=live, precision=torch.float32)

# %% [markdown]
# What the budget was, beside the curve:

# %%
for name, log in logs.items():
    print(f"{name:5s} read {sum(entry['tokens'] for entry in log):,} tokens in {len(log)} steps")

# %% [markdown]
# ## 5 · What each of them knows
#
# All documents now, by what the hidden word needs; *elsewhere* is all that only another sentence tells. The best answer
# of a left reader is the limit of GPT, that of a reader of both sides the limit of BERT and ELMo.

# %%
results = {"ELMo, left": scored(tests, elmo_answers("left")), "ELMo, right": scored(tests, elmo_answers("right")),
           "ELMo, product": scored(tests, ANSWERS["ELMo"]), "GPT": scored(tests, gpt_answers),
           "BERT": scored(tests, bert_answers), "best, left side": best["left"], "best, both sides": best["both"]}
KINDS = {"all": "all", "syntax": "its sentence", "left": "an earlier one", "right": "a later one", "world": "the world",
         "elsewhere": "elsewhere"}

# %% [markdown]
# **Guess first.** For a word that only a *later* sentence tells, how far can the best left reader come?

# %%
print(f"{'hidden words right, %':22s}" + "".join(f"{name:>17s}" for name in KINDS.values()))
for name, scores in results.items():
    print(f"{name:22s}" + "".join(f"{100 * scores[kind].accuracy:17.0f}" for kind in KINDS))
print(f"{'hidden words':22s}" + "".join(f"{best['both'][kind].count:17d}" for kind in KINDS))

# %% [markdown]
# The same for all hidden words, each reader beside the limit of what it sees.

# %%
from minibert.viz.pretraining import standing

names = ["GPT", "ELMo, product", "BERT"]
reached = [100 * results[name]["all"].accuracy for name in names]
top = [100 * best[side]["all"].accuracy for side in ("left", "both", "both")]
floor = [100 * float(np.mean([word == counts.argmax() for row in tests for word in row.ids[row.hidden]]))] * 3
title = "; ".join(f"{name}: {r:.0f}% of a possible {t:.0f}%" for name, r, t in zip(names, reached, top))
show(*standing(names, floor, reached, top, title + ".", "most frequent piece"))

# %% [markdown]
# Read the two columns of limits first; they hold for models of any size. Where a later sentence tells, a left reader can
# only guess, and its limit says so. Where grammar decides, the left side gets far: much of English stands in order.
#
# Then the models. They are small and young, and two things come together: how much a reader *may* see, and how many
# questions it was asked. In our runs BERT, with a seventh of GPT's questions, stands after 600 steps hardly above the
# most frequent piece: it has not begun to read. That is the slow start at its starkest, and no verdict on masking: a model that
# is ahead here is ahead **at this budget**. The limits say who has room to grow. (Lesson 5 gave BERT more steps, rows and width,
# and twice the questions: it went far beyond this.)
#
# ELMo was asked most, and GPT is ahead of it: the number of questions is not everything. And its two opinions together
# are right more often than either alone.
#
# One limit looks odd: for *an earlier one* the left side is better than both. It is the unfairness from above: for the
# reader of both sides other words are hidden too, sometimes the very one that tells.
#
# One seed is one seed: differences of a few points may turn round with another. The table's kinds with fewer than a
# hundred words are shakier still.

# %% [markdown]
# ## 6 · What the papers measured
#
# The question of this lesson was put by BERT's authors at full size. They pretrained BERT-base again, with the same
# text and steps, and took things away (Devlin et al., table 5, development sets):

# %%
ABLATIONS = {
    "BERT-base": (84.4, 88.4, 86.7, 92.7, 88.5),
    "no NSP": (83.9, 84.9, 86.5, 92.6, 87.9),
    "left-to-right, no NSP": (82.1, 84.3, 77.5, 92.1, 77.8),
    "+ BiLSTM on top": (82.1, 84.1, 75.7, 91.6, 84.9),
}
TASKS = ("MNLI-m", "QNLI", "MRPC", "SST-2", "SQuAD F1")

# %% [markdown]
# *Left-to-right* is a GPT with BERT's text and input. **Guess first.** Which of the five tasks suffers most without the
# right side, and which least? And is what is lost brought back by a BiLSTM that reads the finished model's output from
# both sides?

# %%
print(f"{'':24s}" + "".join(f"{task:>10s}" for task in TASKS))
for name, scores in ABLATIONS.items():
    print(f"{name:24s}" + "".join(f"{score:10.1f}" for score in scores))

# %% [markdown]
# What each step takes away, task by task:

# %%
from minibert.viz.plots import bars

def draw_loss(model):
    lost = [before - after for before, after in zip(ABLATIONS["BERT-base"], ABLATIONS[model])]
    most = int(np.argmax(lost))
    return bars(TASKS, lost, "points below BERT-base", f"{model}: {TASKS[most]} loses most, {lost[most]:.1f} points",
                chosen=most, form="{:.1f}", limit=13)

Explorer(draw_loss, model=widgets.Dropdown(options=list(ABLATIONS)[1:], value="left-to-right, no NSP", description="Model"))

# %% [markdown]
# SQuAD needs, for each word, what comes after it: is this the end of the answer? A left reader cannot know; a BiLSTM on
# top brings back seven of the ten points, because the right side is at least seen once. For the mood of a sentence
# (SST-2) a left reader does nearly as well: at its end it has read everything.
#
# The paper also looked at the slow start (appendix C.1): masking learns a little more slowly than reading from the left,
# but is ahead in accuracy after fine-tuning almost from the beginning.
#
# <details><summary><b>What carries over to our scale, and what does not?</b></summary>
#
# The limits do: they are facts about who sees what. The leak does: it is arithmetic. That fewer questions mean a slower
# start does. How *far* each model gets does not: ours read well under a million tokens, BERT about 128,000 in each
# of a million steps. And the paper's table is about tasks after fine-tuning; our measure is the hidden word itself.
# </details>

# %% [markdown]
# ## 7 · How the three are used
#
# **ELMo** is not fine-tuned. The task's own network reads its layers, frozen, in a mix that it learns: shares from a
# softmax, and one factor (Peters et al., equation 1).

# %%
from minibert.reference import scalar_mix

print(inspect.getsource(scalar_mix))

# %% [markdown]
# Three layers here: the embeddings and two LSTM layers. **Guess first.** With the weights 0, 0, 2, which share has the
# top layer?

# %%
from minibert.reference import softmax

def draw_shares(embeddings, first, second):
    shares = softmax(np.array([embeddings, first, second]))
    names = ["embeddings", "first LSTM", "second LSTM"]
    most = int(np.argmax(shares))
    return bars(names, list(shares), "share in the mix", f"{names[most]} counts {shares[most]:.0%} of the mix", limit=1.1)

Explorer(draw_shares, **{name: widgets.FloatText(value, step=0.5, description=name, style={"description_width": "initial"})
                         for name, value in (("embeddings", 0.0), ("first", 0.0), ("second", 2.0))})

# %% [markdown]
# In the ELMo that you have trained, these weights have not moved: no language model reads the mix, only a task does.

# %%
print(readers["ELMo"].encoder.mix.weights.tolist())

# %% [markdown]
# **GPT** and **BERT** are fine-tuned: one new layer on top, and all weights move. Published averages on the test sets of
# GLUE (Devlin et al., table 1): BiLSTM + ELMo + attention 71.0, GPT 75.1, BERT-base 79.6, BERT-large 82.1. Here
# nothing is held equal: text, size and training differ. That is why the paper has a table of ablations.

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
        Choice("An answer's ends depend on what follows; a mood can be judged at the end", True, "Right."),
        Choice("SQuAD's texts are too long for GPT", False, "Both models read the same lengths."),
    ]),
    Question("GPT guesses more words than BERT after 600 of our steps. What follows?", [
        Choice("GPT is the better model", False, "At this budget, at this question."),
        Choice("Left-to-right learns faster per token at the start", True, "Right; its limit is lower."),
        Choice("Masking does not work", False, "It was asked fewer questions so far."),
    ]),
])

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
# - **Ablations** hold the rest equal. Without the right side BERT-base loses 10.7 points on SQuAD, 0.6 on SST-2.
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
