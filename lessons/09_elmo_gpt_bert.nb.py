# %% [markdown]
# # 9 · ELMo, GPT, BERT: who may see what
#
# In 2018 three models were pretrained on plain text and then used for many tasks. They differ in one thing above all:
# what each word may look at. You train a small one of each, and then follow the same three through longer training.
#
# **After this lesson you can**
#
# - say which words each model may use to predict a word,
# - show why a deep model cannot simply look both ways, and how [MASK] solves this,
# - compare models fairly: at several lengths of training, beside the best possible score, over several seeds,
# - read the ablations of BERT's paper, and say which of its results a small model repeats,
# - measure how much the words on the right help a model that reads both sides.
#
# **You need** lessons 1 to 8.
# **Time:** about 70 minutes; the code alone runs in one to two minutes on two cores.
#
# Run the cells in order with Shift + Enter. Three functions, marked **Your turn**, are yours to write.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(9)

# %% [markdown]
# ## First, the finished thing
#
# A model that reads both sides predicts [MASK]. At the left end of the picture it sees nothing after [MASK], like GPT;
# with each step to the right it sees one more token. The lines are the two likeliest words at each end. (Among
# 22 sentences, this is the clearest case of a corrected prediction.) Write your own.

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
import numpy as np
import torch
from minibert.english.everyday import everyday
from minibert.course.unit09.views.right_side import curves_html, step_by_step
from minibert.course.widgets.view import Controls
from minibert.course.widgets.guess import sentence_box

english = minibert.load("english")

GAPS = {gap.text: gap.words for gap in everyday() if len(gap.text.partition("[MASK]")[2].split()) >= 3}
assert len(GAPS) == 20
CLEAR = GAPS | {"The [MASK] was shining in the sky.": ("sun", "moon"),
                "He drank the [MASK] before it got cold.": ("tea", "coffee")}

def meant(text):
    """The ids of the words meant for the gap."""
    ids = [english.tokenizer.encode(word).ids for word in CLEAR[text]]
    return [word[0] for word in ids if len(word) == 1]              # a word of several tokens fits in no gap

def chances(text):
    """The probability that the gap gets one of the words meant: right side hidden, right side seen."""
    return step_by_step(english, text)[0][[0, -1]][:, meant(text)].sum(axis=1)

def help_from_the_right(text):
    """(whether the right side turns a wrong prediction into a right one, what it adds to the probability)."""
    ends, ids = step_by_step(english, text)[0][[0, -1]], meant(text)
    hidden, seen = (int(probs.argmax()) in ids for probs in ends)
    return seen and not hidden, float((ends[1] - ends[0])[ids].sum())

clearest = max(CLEAR, key=help_from_the_right)
Controls(lambda text: curves_html(english, text), text=sentence_box(clearest))

# %% [markdown]
# ## Do you remember?
#
# Choose an answer. You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("What does a language model predict, and from what?", [
        Choice("A masked word, from both sides", False, "That is a masked language model, lesson 1."),
        Choice("The next word, from those before it", True, "Right."),
        Choice("The next sentence", False, "That is NSP, lesson 4."),
    ]),
    QuizQuestion("In a decoder, query t may look at the keys …", [
        Choice("from t on", False, "Then it would see the word it has to predict."),
        Choice("up to t − 1", False, "It may see itself: it predicts the next word, not its own."),
        Choice("up to t, itself included", True, "Right: it predicts token t + 1."),
    ]),
    QuizQuestion("BERT predicts 15% of the tokens. How many of a sequence of 100 count in its MLM loss?", [
        Choice("About 15", True, "Right. Section 5 shows what this costs."),
        Choice("100", False, "Only the chosen tokens count."),
        Choice("85", False, "Those are the tokens that it only reads."),
    ]),
])

# %% [markdown]
# ## 1 · Who may see what
#
# **ELMo** (Peters et al.) has two LSTMs (lesson 6): one reads everything to the left of a word, the other everything to
# its right. **GPT** (Radford et al.) is a Transformer that looks to the left only. **BERT** (Devlin et al.) looks both
# ways in every layer. Here they predict a word, each with two layers; every path to the prediction is lit.

# %%
from minibert.course.unit09.views.architectures import architectures, meets
from minibert.course.widgets.view import Controls, View, show

tokens = "the cat that they feed sleeps".split()
show(*architectures(tokens, 3, "What reaches the prediction of “they”?"))

# %% [markdown]
# ELMo and BERT use the same five words. But do left and right meet on the way?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

THREE = ["ELMo", "GPT", "BERT"]
met = [name for name in THREE if meets(name, len(tokens), 3, 0, 5)]
assert met == ["BERT"]

def only_at_the_end():
    return ("<p>In BERT every state may read both sides, so <i>the</i> and <i>sleeps</i> can be combined in the "
            "first layer. ELMo's sides meet only after the last layer, and GPT predicts <i>they</i> before it has "
            "read <i>sleeps</i>.</p>")

GuessChoice("On the way to “they”, in which model does a state read both “the” and “sleeps”?", THREE,
            lambda: met[0], see=only_at_the_end)

# %% [markdown]
# Let them predict other words:

# %%
def draw_paths(word):
    return architectures(tokens, tokens.index(word), f"What reaches the prediction of “{word}”?")

Controls(draw_paths, word=widgets.ToggleButtons(options=tokens, value="sleeps", description="Token"))

# %% [markdown]
# <details><summary><b>Why does GPT give up the right side?</b></summary>
#
# It can predict every word of the text, and it can write: each new word is predicted from those before it. While a
# text is being written there is no right side yet.
# </details>

# %% [markdown]
# ## 2 · Three objectives, two diffs
#
# In this package three methods make an objective: `corrupt` makes the input and the labels, `heads` makes the output
# head, and `loss` computes the loss.

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
# There is a second label, the token *before*, with its own loss. The two LSTMs share their embeddings and their softmax
# layer, and nothing else (Peters et al., section 3.1). The attention mask allows everything (`visible_all`): two
# separate networks keep the directions apart.
#
# **Your turn.** Write ELMo's two lists of labels: the next token at each place, and the one before, or -100 where there
# is no token.

# %%
from minibert.course.widgets.try_it import try_it

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
# Some tokens are masked (`hide`), everything is visible, and each label stands at the token's own place.
#
# ## 3 · Why not simply look both ways?
#
# Why mask anything? Let each word look at all the others but not at itself, and predict every word instead of 15%. We
# try it with vectors that list which word stands where, so that we see what is passed on:

# %%
T, V = 6, 12
others = (1 - np.eye(T)) / (T - 1)                              # (T, T): the mean of all the others

def first_vectors(ids):
    return np.eye(T * V)[np.arange(T) * V + ids]                # (T, T * V): one 1 each

def copied(ids, layers):
    x = first_vectors(ids)
    for _ in range(layers):
        x = others @ x                              # a layer without residual: look at all but yourself
    about_itself = x.reshape(T, T, V)[np.arange(T), np.arange(T)]   # (T, V): what t knows about place t
    return about_itself.argmax(-1)

# %% [markdown]
# `copied` reads from the vector at t what it says about the word at t. The words are random, so they can't be
# *predicted*: by chance, one in twelve is right.

# %%
rng = np.random.default_rng(0)
texts = rng.integers(V, size=(1000, T))
copies = {layers: np.mean([copied(ids, layers) == ids for ids in texts]) for layers in (1, 2, 3)}

# %% [markdown]
# How many words are right?

# %% jupyter={"source_hidden": true}
def indirectly():
    return (f"<p>With one layer {copies[1]:.0%} are right, where chance gets {1 / V:.0%}. With two layers "
            f"{copies[2]:.0%} are: the word's neighbours have seen it, and it looks at its neighbours. The loss could "
            "decrease to 0, and the model need not learn anything about language. This is what the paper means by a "
            "word that could “indirectly see itself” (section 3.1).</p>")

GuessBars("Of 100 words, how many are read correctly?", ["1 layer", "2 layers", "3 layers"],
          lambda: [100 * share for share in copies.values()], top=100, within=10, axis="words right", unit="%",
          see=indirectly)

# %% [markdown]
# **Your turn.** Write a test that finds such leaks. `mask[t][s]` is 1 where t looks at s. After two layers t knows of s
# if t looks at some k that looks at s; the product of two masks counts these k. After how many layers does some token
# know of itself? (`np.diag` gives the diagonal.)

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
# BERT takes the word out of the **input**, before any layer sees it. Here [MASK] has the id 0:

# %%
def masked_and_copied(ids, t, layers):
    seen = ids.copy()
    seen[t] = 0                                                 # [MASK]
    return copied(seen, layers)[t]

texts = rng.integers(1, V, size=(1000, T))                      # the words have ids from 1
for layers in (2, 3):
    right = np.mean([masked_and_copied(ids, 2, layers) == ids[2] for ids in texts])
    print(f"{layers} layers, one word masked: {right:.0%} right")

# %% [markdown]
# What comes back is [MASK]. Nothing can be copied, so a model has to predict. The price: only the masked tokens are
# predicted. Two later models see both sides in other ways:
#
# - **XLNet** (Yang et al., 2019) has no [MASK]. It predicts in a random order, and each token sees those that come
#   earlier in this order, on both sides. A second stream of vectors, which knows a token's position but not the token,
#   keeps it from seeing itself. It pays, too: only about the last sixth of this order is predicted.
# - **ELECTRA** (Clark et al., 2020) does not pay this price. A small model fills the masks, and ELECTRA says of *every*
#   token whether it was replaced. On GLUE this gives 85.0; with a loss on the masked 15% alone, 82.4. BERT gets 82.2
#   (table 5).
#
# <details><summary><b>Why do ELMo and GPT not leak?</b></summary>
#
# Everything in ELMo's forward network comes from the left, layer after layer, and its label stands on the right; in the
# backward network it is the other way round. The two never read each other's states. In GPT, each token looks only at
# itself and to its left, in every layer: no number of such steps leads to the right, where the label stands.
# </details>

# %% [markdown]
# ## 4 · How the three are used
#
# **ELMo** is not fine-tuned. The task has its own network, which reads a **scalar mix** of ELMo's frozen layers: a
# weighted sum whose weights come from a softmax and are learned with the task (Peters et al., equation 1):
#
# $$\mathrm{ELMo}_t = \gamma \sum_{j=0}^{L} s_j\, h_{t,j}, \qquad s = \mathrm{softmax}(w)$$
#
# Here $h_{t,0}$ is the embedding of token t, $h_{t,j}$ holds what both LSTMs say of it in layer j, and $\gamma$ is one
# more learned number. **Try:** which $w$ gives one layer a weight of 99%?

# %% jupyter={"source_hidden": true}
from minibert.reference import softmax
from minibert.course.widgets.plots import bars

def draw_shares(embeddings, first, second):
    shares = softmax(np.array([embeddings, first, second]))
    names = ["embeddings", "first LSTM layer", "second LSTM layer"]
    most = int(np.argmax(shares))
    return bars(names, list(shares), "weight in the sum", f"{names[most]}: a weight of {shares[most]:.0%}",
                form="{:.0%}", limit=1.1)

WIDE = {"description_width": "initial"}
Controls(draw_shares, **{name: widgets.FloatText(value, step=0.5, description=name, style=WIDE)
                         for name, value in (("embeddings", 0.0), ("first", 0.0), ("second", 2.0))})

# %% [markdown]
# **GPT** is fine-tuned as a whole, so one architecture has to fit both the language model and the task. A pair becomes
# one sequence with new tokens: *start*, text A, *delimiter*, text B, *extract*. A linear layer reads the output at
# *extract*, the only place that has seen everything. The language model goes on as an auxiliary task (Radford et al.,
# section 3.2):
#
# $$\mathrm{loss} = \mathrm{loss}_\mathrm{task} + \lambda\, \mathrm{loss}_\mathrm{LM}, \qquad \lambda = 0.5$$
#
# It helped on larger data sets, not on smaller ones (section 5). **BERT** knows [CLS] and [SEP] from
# pretraining on, and is fine-tuned with the task's loss alone.
#
# What else differs (Devlin et al., appendix A.2 and A.4; Radford et al.; Peters et al.):
#
# | | ELMo | GPT | BERT-base |
# | --- | --- | --- | --- |
# | text | One Billion Word Benchmark, news | BooksCorpus, 800M words | BooksCorpus and Wikipedia, 3,300M words |
# | network | two layers of LSTMs each way | 12 layers, 768 wide | 12 layers, 768 wide |
# | tokens in a batch | – | 64 × 512 = 33,000 | 256 × 128 = 33,000 in 90% of the steps, then 256 × 512 |
# | new tokens of the task | – | learned in fine-tuning | [CLS], [SEP], segments in pretraining |
#
# So when BERT-base beats GPT by 4.5 points on GLUE (79.6 to 75.1, table 1), its text is a confounder: BooksCorpus
# alone is a quarter of it. Section 8 shows how the paper tells the causes apart.
#
# <details><summary><b>What came before GPT?</b></summary>
#
# context2vec (Melamud et al., 2016) combined two LSTMs to predict a word from both sides. TagLM (Peters et al., 2017)
# gave a tagger the states of pretrained language models. CoVe (McCann et al., 2017) took the vectors of a translation
# model's encoder. ELMo was new in using all layers, for six tasks. Peters et al. also trained the biLM further on a
# task's own text; in some cases this helped (section 3.4). ULMFiT (Howard and Ruder, 2018) fine-tuned a whole LSTM
# language model.
# </details>

# %% [markdown]
# ## 5 · A slow start
#
# Now train the three, about equal in size, on the same text: the *lives* of our generated language. (Making the text
# takes some seconds.)

# %%
from minibert.course.models.elmo_gpt_bert.training import (
    MODELS,
    log_unigram,
    masked_words,
    new_model,
    objective_of,
)
from minibert.course.models.elmo_gpt_bert import RECIPES, SHARED, trained_budget, trained_text

pieces, text = trained_text()
tests, unigram = masked_words(SHARED, pieces), log_unigram(text, pieces)
print(f"{len(text):,} documents, {sum(len(ids) for life in text for ids in life):,} tokens; "
      f"a vocabulary of {len(pieces):,}")

# %% [markdown]
# In the longest trials, no other recipe beat these by a point on dev data. All else is shared:

# %%
for name, recipe in RECIPES.items():
    masked = f", {recipe['mask_rate']:.0%} masked" if "mask_rate" in recipe else ""
    print(f"{name}: learning rate {recipe['peak_rate']:g}{masked}")
print(f"all: {SHARED.layers} layers, {SHARED.hidden_size} wide, {SHARED.batch_size} sequences a step, "
      "Muon (LSTMs: AdamW)")

# %% [markdown]
# Each will train for 188 steps:

# %%
SEED, LIVE = 0, 188
BUDGETS = {name: trained_budget(name, steps=LIVE) for name in MODELS}
OBJECTIVES = {name: objective_of(name, BUDGETS[name], pieces) for name in MODELS}
readers = {name: new_model(name, BUDGETS[name], pieces, SEED) for name in MODELS}

# %% [markdown]
# How many predictions does each make in a batch?

# %%
rows, _ = OBJECTIVES["BERT"].build(text[:200], np.random.default_rng(0))
batch = OBJECTIVES["BERT"].collate(rows[:SHARED.batch_size])
for name, objective in OBJECTIVES.items():
    _, labels = objective.corrupt(batch, np.random.default_rng(0))
    asked = sum(int((label >= 0).sum()) for label in labels.values())
    weights = sum(p.numel() for p in readers[name].parameters())
    print(f"{name:5s} {weights:,} weights; {asked:,} predictions in a batch of {batch.real.sum():,} tokens")

# %% [markdown]
# To measure them, we mask tokens of new documents. GPT predicts such a token at the place before it. ELMo predicts it
# from both sides, $p_L$ and $p_R$; if the sides were independent given the token, together they would say
# $p_L\,p_R / p$, normalised, where $p$ is the token's frequency. BERT predicts it at its own place.

# %%
from minibert.course.models.elmo_gpt_bert.training import answers_of, product

print(inspect.getsource(product))
ANSWERS = {name: answers_of(name, readers[name], pieces, unigram) for name in MODELS}

# %% [markdown]
# As we wrote the grammar of this language, we can also compute the best possible predictions, from the left side alone
# and from both sides. These are the **limits** in the pictures below.
#
# <details><summary><b>What is unfair in this comparison?</b></summary>
#
# GPT and ELMo read the true text around a masked word, BERT finds [MASK] at all 15% at once. That is against BERT. Its
# limit counts this; ELMo's own limit, with all other words given, cannot be lower than the one drawn.
# </details>
#
# The same was done in advance with other seeds, for six lengths of training (`benchmarks/elmo_gpt_bert.py`):

# %% jupyter={"source_hidden": true}
from collections import defaultdict
from dataclasses import asdict

from minibert.course.tables import stored

table = stored("elmo_gpt_bert", shared=asdict(SHARED), recipes=RECIPES)
trained = defaultdict(dict)                                         # [model, steps][seed] -> run
for run in table["pretrained"]:
    trained[run["model"], run["steps"]][run["seed"]] = run
LENGTHS = sorted({steps for model, steps in trained if model == "BERT"})
SEEDS = sorted(set.intersection(*(set(trained[name, steps]) for name in MODELS for steps in LENGTHS)))
LAST = LENGTHS[-1]
assert LIVE in LENGTHS

def scores_of(name, kind="all", steps=None):
    """Accuracy in percent, (seeds, lengths)."""
    return np.array([[trained[name, at][seed]["scores"][kind] for at in ([steps] if steps else LENGTHS)]
                     for seed in SEEDS])

def means_of(kind="all"):
    return {name: scores_of(name, kind).mean(axis=0) for name in MODELS}

print(f"{len(SEEDS)} seed{'s' * (len(SEEDS) > 1)}; {', '.join(f'{steps:,}' for steps in LENGTHS)} steps")

# %% [markdown]
# Which is ahead at first?

# %% jupyter={"source_hidden": true}
at_first = {name: float(scores_of(name, steps=LIVE).mean()) for name in MODELS}

def in_order():
    said = ", ".join(f"{name} {at_first[name]:.0f}%" for name in sorted(at_first, key=at_first.get, reverse=True))
    return f"<p>Masked tokens predicted right, on average: {said}. Now watch your own three.</p>"

GuessChoice(f"After {LIVE} steps, which model predicts most of the masked tokens right?", list(MODELS),
            lambda: max(at_first, key=at_first.get), see=in_order)

# %% [markdown]
# The training takes about a minute.

# %%
from functools import cache, partial
from minibert.generated.posterior.reachable import scored
from minibert.training.loop import train
from minibert.course.widgets.learning_curves import LiveCurve

LIMITS = {f"best, {side}": table["limits"][side]["all"] for side in ("left", "both")}
live = LiveCurve("masked tokens predicted right, %", every=47, lines=LIMITS, limits=(0, 100),
                 value=lambda log: 100 * scored(tests[:30], ANSWERS[now])["all"].accuracy)
for now, objective in OBJECTIVES.items():
    live.line(now)
    train(readers[now], objective, partial(objective.build, text), BUDGETS[now].training(SEED), progress=live,
          precision=torch.float32)

# %% [markdown]
# On all test documents, beside the seeds of the benchmark:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.tables import score_table

mine = {name: 100 * scored(tests, ANSWERS[name])["all"].accuracy for name in MODELS}
frequent = int(unigram.argmax())
floor = 100 * float(np.mean(np.concatenate([row.ids[row.hidden] == frequent for row in tests])))

def spread(values):
    """The mean, and ± the standard deviation where there are several."""
    return f"{np.mean(values):.1f}" + (f" ± {np.std(values, ddof=1):.1f}" if len(values) > 1 else "")

lines = [(name, f"{mine[name]:.1f}", spread(scores_of(name, steps=LIVE).ravel()),
          f"{np.mean([run['questions'] for run in trained[name, LIVE].values()]):,.0f}") for name in MODELS]
View(score_table(["model", "yours", "the benchmark's", "predictions made in training"], lines,
                 f"Masked tokens predicted right, %, after {LIVE} steps. Always saying “{pieces.vocab[frequent]}” "
                 f"gets {floor:.1f}."))

# %% [markdown]
# <details><summary><b>Why may a prediction teach BERT less at the start?</b></summary>
#
# GPT predicts a word at the word before it, which by itself says much about what comes next: a first success needs no
# attention at all. BERT predicts at [MASK], which says nothing. It must first learn to attend to its neighbours.
# </details>
#
# ## 6 · Trained for longer
#
# BERT's paper asks the same (appendix C.1, figure 5): is masking slower? It converges slightly more slowly than a
# left-to-right model, but after fine-tuning on MNLI it is ahead almost from the start. And it pays to go on: a million
# steps give almost 1.0% more on MNLI than 500,000.
#
# In our benchmark, each point is a full run of that length. Before you see the curves: where do they cross?
#
# **Your turn.** Write the function that decides it.

# %%
def passes(steps, one, other):
    """Return the first number of steps from which `one` stays above `other`; 0 if it is not above at the end.

    >>> passes([100, 200, 400], [5, 30, 60], [20, 40, 50])
    400
    >>> passes([100, 200, 400], [30, 10, 60], [20, 40, 50])
    400
    >>> passes([100, 200], [5, 30], [20, 30])
    0
    """
    ...

try_it(passes)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def passes(steps, one, other):
#     first = 0
#     for step, a, b in zip(steps, one, other):
#         first = (first or step) if a > b else 0
#     return first
# ```
# </details>
#
# Now guess:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.view import figure_html
from minibert.course.widgets.seeds import seed_bands, seed_rows

KINDS = {"all": "anywhere", "syntax": "its own sentence", "left": "an earlier sentence", "right": "a later sentence",
         "world": "facts about the world"}
COST = {"steps": ("steps of training", 1), "questions": ("predictions made in training, thousands", 1000),
        "seconds": ("seconds of training, one thread", 1)}

def crossing(one, other, kind):
    """From which length on one model is above the other in every seed; 0: not at the end."""
    first = 0
    for step, lead in zip(LENGTHS, (scores_of(one, kind) - scores_of(other, kind)).min(axis=0)):
        first = (first or step) if lead > 0 else 0
    return first

def when_above(one, other, kind):
    at = crossing(one, other, kind)
    return f"above {other} from {at:,} steps on" if at else f"not above {other} at the end"

def draw_lengths(kind, over="steps"):
    axis, unit = COST[over]
    lines = {name: ([np.mean([run.get(over, steps) for run in trained[name, steps].values()]) / unit
                     for steps in LENGTHS], scores_of(name, kind)) for name in MODELS}
    above = [when_above("BERT", other, kind) for other in ("GPT", "ELMo")]
    title = f"{'All tokens' if kind == 'all' else 'Clue in ' + KINDS[kind]}. BERT in every seed: {'; '.join(above)}"
    limits = {f"best, {side}": table["limits"][side][kind] for side in ("left", "both")}
    return seed_bands(lines, {}, axis, "masked tokens predicted right, %", title, limits, logx=True)

GuessChoice("Of all masked tokens: from how many steps on is BERT above GPT, in every seed?",
            [*(f"{steps:,}" for steps in LENGTHS), "never"],
            lambda: f"{crossing('BERT', 'GPT', 'all'):,}" if crossing("BERT", "GPT", "all") else "never",
            see=lambda: draw_lengths("all"))

# %% [markdown]
# Why do the curves flatten where they do? We sort the masked tokens by where the clue is: in their own sentence, in
# another sentence, or in facts about the world (a baker has an oven). Which of these is hardest for ELMo?

# %% jupyter={"source_hidden": true}
SORTS = {"its own sentence": "syntax", "another sentence": "elsewhere", "facts about the world": "world"}

def share_learned(name, kind):
    return means_of(kind)[name][-1] / table["limits"]["both"][kind]

def least_learned(name="ELMo"):
    return min(SORTS, key=lambda sort: share_learned(name, SORTS[sort]))

def through_one_vector():
    rows = [(sort, *(f"{means_of(kind)[name][-1]:.0f}" for name in MODELS),
             *(f"{table['limits'][side][kind]:.0f}" for side in ("left", "both"))) for sort, kind in SORTS.items()]
    return (score_table(["clue in", *MODELS, "best, left", "best, both"], rows,
                        f"Masked tokens predicted right after {LAST:,} steps, %")
            + f"<p>A likely reason: an LSTM carries all that it has read in states of fixed size, here "
            f"{SHARED.hidden_size} numbers each. Attention goes back to the word itself.</p>")

GuessChoice("Which kind of masked token does ELMo predict worst, compared with what is possible?", list(SORTS),
            least_learned, see=through_one_vector)

# %% [markdown]
# ## 7 · What each can know
#
# Take the tokens whose only clue is in a *later* sentence. From the left side, a model of any size can only guess
# them.

# %% jupyter={"source_hidden": true}
def at_the_end():
    kinds = list(KINDS)[1:]
    lines = {name: np.column_stack([scores_of(name, kind)[:, -1] for kind in kinds]) for name in MODELS}
    limits = {f"best, {side}": [table["limits"][side][kind] for kind in kinds] for side in ("left", "both")}
    later = {name: means_of("right")[name][-1] for name in MODELS}
    title = "Clue in a later sentence only: " + ", ".join(f"{name} {value:.0f}%" for name, value in later.items())
    return seed_rows([KINDS[kind] for kind in kinds], lines, {}, "masked tokens predicted right, %", title, limits)

GuessBars(f"Of 100 such tokens, how many does each predict right after {LAST:,} steps?", list(MODELS),
          lambda: [means_of("right")[name][-1] for name in MODELS], top=100, within=10, axis="tokens right", unit="%",
          see=at_the_end)

# %% [markdown]
# The curves of each kind, over steps, predictions or seconds:

# %% jupyter={"source_hidden": true}
OVER = {axis.split(",")[0]: name for name, (axis, _) in COST.items()}
Controls(draw_lengths, kind=widgets.Dropdown(options=[(said, kind) for kind, said in KINDS.items()], value="right",
                                             description="Clue in"),
         over=widgets.Dropdown(options=list(OVER.items()), description="Over"))

# %% [markdown]
# <details><summary><b>Why can the limit of the left side be the higher one, for an earlier sentence?</b></summary>
#
# With both sides, other tokens are masked, too, and sometimes the very clue. The left side is read without
# masks.
# </details>
#
# Three of these models come with the package, of the longest training and the seed with BERT's best test accuracy:

# %%
from minibert.course.models.elmo_gpt_bert import load_trained

twins = {name: load_trained(name)[0] for name in MODELS}
dev = masked_words(SHARED, pieces, seed=1002)[:80]

# %% [markdown]
# Ask them for one masked word. For each kind you see the dev document whose other sentences help BERT most; for *its
# own sentence*, the one where BERT is surest. Then tick the box to leave only the gap's sentence. Who loses the word?

# %% jupyter={"source_hidden": true}
from minibert.course.models.elmo_gpt_bert.training import gap_probs
from minibert.course.widgets.guess import sentence_html

MASK, STOP = pieces.specials.mask, pieces.vocab.index(".")

def with_gap(row, at):
    ids = row.ids.copy()
    ids[at] = MASK
    return ids

def own_sentence(ids):
    """[CLS], the sentence with the gap, [SEP]."""
    at, ends = int(np.flatnonzero(ids == MASK)[0]), np.flatnonzero(ids == STOP)
    begin = max([0, *(end for end in ends if end < at)])
    end = min([len(ids) - 2, *(end for end in ends if end > at)])
    return np.array([ids[0], *ids[begin + 1:end + 1], ids[-1]])

def at_gap(name, ids):
    return gap_probs(name, twins[name], ids, int(np.flatnonzero(ids == MASK)[0]), unigram)      # (V,)

def clear(row, at, kind):
    """(does its sentence alone mislead BERT, what the others add to its probability); for syntax: its probability."""
    ids, truth = with_gap(row, at), int(row.ids[at])
    whole, alone = at_gap("BERT", ids), at_gap("BERT", own_sentence(ids))
    if kind == "syntax":
        return True, float(whole[truth])
    return int(whole.argmax()) == truth != int(alone.argmax()), float(whole[truth] - alone[truth])

def whole_word(row, at):
    word, after = (pieces.vocab[i] for i in row.ids[at:at + 2])
    return word.isalnum() and len(word) >= 4 and not after.startswith("##")

def showcase(kind):
    """(document with a gap, the masked token)."""
    found = [(row, at) for row in dev for at, need in zip(np.flatnonzero(row.hidden), row.needs)
             if need.label == kind and whole_word(row, at)]
    row, at = max(found, key=lambda pair: clear(*pair, kind))
    return with_gap(row, at), int(row.ids[at])

SHOWN = {kind: showcase(kind) for kind in list(KINDS)[1:]}

def text_of(ids):
    return " ".join(pieces.vocab[i] for i in ids[1:-1]).replace(" ##", "").replace(" ' ", "'")

def answers_table(ids, truth=None):
    rows = []
    for name in MODELS:
        shares, words = (x.tolist() for x in at_gap(name, ids).topk(4))
        said = ", ".join(f"{pieces.vocab[i]} {share:.0%}" for i, share in zip(words, shares))
        sign = "" if truth is None else "✓" if words[0] == truth else "✗"
        rows.append((name, sign, said))
    names = ["model", "" if truth is None else f"“{pieces.vocab[truth]}”?", "likeliest tokens"]
    return sentence_html(text_of(ids)) + score_table(names, rows)

def draw_gap(kind, alone):
    ids, truth = SHOWN[kind]
    return answers_table(own_sentence(ids) if alone else ids, truth)

ASKED = [(said, kind) for kind, said in KINDS.items() if kind != "all"]
Controls(draw_gap, kind=widgets.Dropdown(options=ASKED, value="right", description="Clue in"),
         alone=widgets.Checkbox(False, description="This sentence alone"))

# %% [markdown]
# Now with a text of your own. Write the word over [MASK], and [MASK] over its later copy: which models find it now?

# %% jupyter={"source_hidden": true}
from minibert.model.checkpoints.pretrained import ids_with_masks

def draw_own(text):
    specials = pieces.specials
    ids = np.array([specials.cls, *ids_with_masks(pieces, text), specials.sep])
    if (ids == MASK).sum() != 1 or len(ids) > SHARED.length:
        raise ValueError(f"write a text of at most {SHARED.length - 2} tokens with one [MASK]")
    return answers_table(ids)

Controls(draw_own, text=widgets.Textarea(text_of(SHOWN["right"][0]), description="My text", rows=4,
                                         continuous_update=False, layout={"width": "95%"}))

# %% [markdown]
# ## 8 · The paper's experiments, in small
#
# BERT's authors pretrained BERT-base again, with the same text and steps, and took parts away, which is called an
# **ablation**: first NSP, then the right side too. What is left is a GPT with BERT's text and input (*LTR*,
# left-to-right; Devlin et al., table 5, development sets).

# %% jupyter={"source_hidden": true}
ABLATIONS = {
    "BERT-base": (84.4, 88.4, 86.7, 92.7, 88.5),
    "No NSP": (83.9, 84.9, 86.5, 92.6, 87.9),
    "LTR & No NSP": (82.1, 84.3, 77.5, 92.1, 77.8),
    "+ BiLSTM": (82.1, 84.1, 75.7, 91.6, 84.9),
}
TASKS = ("MNLI-m", "QNLI", "MRPC", "SST-2", "SQuAD F1")

def what_is_lost(one="No NSP", other="LTR & No NSP"):
    return dict(zip(TASKS, np.subtract(ABLATIONS[one], ABLATIONS[other]).round(1)))

def table_5():
    lost, back = what_is_lost(), what_is_lost("+ BiLSTM", "LTR & No NSP")
    helped = [task for task in TASKS if back[task] > 0]
    most = max(TASKS, key=lost.get)
    return (score_table(["", *TASKS], [(name, *scores) for name, scores in ABLATIONS.items()])
            + f"<p>{most.split()[0]} loses {lost[most]:.1f} points without the right side. It asks of each word "
            "whether the answer begins or ends there, and that depends on what follows. SST-2 asks for the sentiment "
            f"of a sentence and loses {lost['SST-2']:.1f}: at its end, GPT has read all of it.</p><p>A BiLSTM on top, "
            f"two LSTMs that read the model's output in both directions, brings back {back[most]:.1f} points. "
            f"It helps on {len(helped)} of the {len(TASKS)} tasks.</p>")

GuessChoice("Which of the five tasks suffers most without the right side?", list(TASKS),
            lambda: max(TASKS, key=what_is_lost().get), see=table_5)

# %% [markdown]
# How much does each ablation cost, task by task?

# %% jupyter={"source_hidden": true}
def draw_loss(model):
    lost = [before - after for before, after in zip(ABLATIONS["BERT-base"], ABLATIONS[model])]
    most = int(np.argmax(lost))
    return bars(TASKS, lost, "points below BERT-base", f"{model}: {TASKS[most]} loses most, {lost[most]:.1f} points",
                chosen=most, form="{:.1f}", limit=13)

Controls(draw_loss, model=widgets.Dropdown(options=list(ABLATIONS)[1:], value="No NSP", description="Model"))

# %% [markdown]
# **And ours?** First a task of our own, where only the right side decides: is the name that of a person (PER), a place
# (LOC) or a firm (ORG)? Each beginning stands once before each of the three.

# %%
from minibert.generated import World
from minibert.generated.labels.right_context import SORTS as TYPES, names_in_right_context
from minibert.course.widgets.entities import entity_lines

made = list(names_in_right_context(World(7), 9, seed=1, split="test"))
View(entity_lines([("", "".join(each.sentences), [(one.start, one.end, one.label) for one in each.entities])
                   for each in made], list(TYPES)))

# %% [markdown]
# The benchmark has fine-tuned its models on such sentences. GPT keeps looking to the left only, but in *GPT + BiLSTM*
# two LSTMs then read its output in both directions. What F1 does each reach?

# %% jupyter={"source_hidden": true}
tuned = defaultdict(dict)                                           # [model, steps, task][seed] -> score
for run in table["tuned"]:
    tuned[run["model"], run["steps"], run["task"]][run["seed"]] = run["score"]
FOUR = ("ELMo", "GPT", "GPT + BiLSTM", "BERT")

def by_chance():
    scores = {name: list(tuned[name, LAST, "later"].values()) for name in FOUR}
    chance = 100 / len(TYPES)
    assert max(scores["GPT"]) < chance + 10 and min(sum((scores[name] for name in FOUR if name != "GPT"), [])) > 60
    said = ", ".join(f"{name} {spread(scores[name])}" for name in FOUR)
    return (f"<p>F1: {said}. GPT tags the name before it has read what follows, so it gets one of three right "
            f"({chance:.0f}). The words are in the sentence, but not in its reach; two LSTMs on top are enough to "
            "bring them there.</p>")

GuessBars("F1 of the names, in percent", FOUR,
          lambda: [np.mean(list(tuned[name, LAST, "later"].values())) for name in FOUR], top=100, within=10,
          axis="F1", unit="%", see=by_chance)

# %% [markdown]
# In the other tasks both sides hold clues, but the left one may be enough: is a sentence acceptable, where are the
# named entities, and what is the answer to a question? Some questions have **two hops**: “Where does the owner of Tiblet
# live?” needs one sentence that tells whose pet Tiblet is, and one that tells where this person lives.

# %% jupyter={"source_hidden": true}
from minibert.course.models.class_model import WORLD_SEED
from minibert.generated.labels.two_hops import answers_for_all
from minibert.tasks.answers import exact_match_and_f1

NAMED = {"cola": "acceptability, Matthews", "ner": "named entities, F1", "qa": "question answering, F1",
         "hops": "two hops, F1"}
SHORT = {task: said.split(",")[0] for task, said in NAMED.items()}

def leads_of(one, other, task, steps=LAST):
    """What one model is ahead of the other, in points, for each seed that both have."""
    first, second = tuned[one, steps, task], tuned[other, steps, task]
    return [first[seed] - second[seed] for seed in sorted(set(first) & set(second))]

def mean_lead(task, one="BERT", other="GPT"):
    return float(np.mean(leads_of(one, other, task)))

def order_of(task):
    """The three models by their mean, with ≈ where the seeds disagree or the means are within a point."""
    means = {name: np.mean(list(tuned[name, LAST, task].values())) for name in MODELS}
    names = sorted(means, key=means.get, reverse=True)
    said = f"{names[0]} {means[names[0]]:.1f}"
    for one, other in zip(names, names[1:]):
        leads = leads_of(one, other, task)
        level = np.mean(leads) < 1 or min(leads) <= 0
        said += f" {'≈' if level else '>'} {other} {means[other]:.1f}"
    return said

@cache
def guess_of_the_right_kind(questions=300):
    """F1 on two hops for one who knows the kind of answer, but not who is meant."""
    answers = answers_for_all(World(WORLD_SEED), questions, seed=10**6, split="test")       # the right one first
    return 100 * float(np.mean([np.mean([exact_match_and_f1(guess, [told[0]])[1] for guess in told])
                                for told in answers]))

def draw_task(task):
    lengths = sorted({steps for name, steps, of in tuned if name == "BERT" and of == task})
    seeds = sorted(set.intersection(*(set(tuned[name, steps, task]) for steps in lengths for name in MODELS)))
    lines = {name: (lengths, [[tuned[name, steps, task][seed] for steps in lengths] for seed in seeds])
             for name in MODELS}
    limits = {"from scratch": float(np.mean(list(tuned["from scratch", LAST, task].values())))}
    if task == "hops":
        limits["a guess of the right kind"] = guess_of_the_right_kind()
    return seed_bands(lines, {}, "steps of pretraining", NAMED[task],
                      f"After {LAST:,} steps: {order_of(task)}", limits, logx=True)

def all_tasks():
    orders = "".join(f"<li>{SHORT[task]}: {order_of(task)}</li>" for task in NAMED)
    return "".join(figure_html(*draw_task(task)) for task in NAMED) + (
        f"<p>In GLUE's table, BERT > GPT > ELMo. Here, after {LAST:,} steps (≈: no clear lead):</p><ul>{orders}</ul>"
        f"<p>On two hops, whoever knows which kind of answer is asked for, but not who is meant, reaches "
        f"{guess_of_the_right_kind():.0f}. Only what is above shows that a model has found the person.</p>")

GuessChoice(f"After {LAST:,} steps, on which task is GPT best in comparison with BERT?", list(SHORT.values()),
            lambda: SHORT[min(SHORT, key=mean_lead)], see=all_tasks)

# %% [markdown]
# The paper's ablations and ours (means ± standard deviation over seeds). *Right-side names* are those of “We talked
# about …”. *ELMo, frozen* is ELMo's own way, a BiLSTM on its weighted sum; *from scratch* is a BERT without pretraining.

# %% jupyter={"source_hidden": true}
PAPER_ROW = {"BERT with NSP": "BERT-base", "BERT": "No NSP", "GPT": "LTR & No NSP", "GPT + BiLSTM": "+ BiLSTM"}
HEADS = {"cola": "acceptability", "ner": "entities", "later": "right-side names", "qa": "questions",
         "hops": "two hops"}

def known(name, key):
    return spread([run["scores"][key] for run in trained[name, LAST].values()]) if trained[name, LAST] else ""

rows = [(name, f"{PAPER_ROW[name]}: {ABLATIONS[PAPER_ROW[name]][-1]}" if name in PAPER_ROW else "",
         *(spread(list(tuned[name, LAST, task].values())) if tuned[name, LAST, task] else "" for task in HEADS),
         known(name, "all"))
        for name in ("BERT with NSP", "BERT", "GPT", "GPT + BiLSTM", "ELMo", "ELMo, frozen", "from scratch")]
rows.append(("labelled examples", "", *(f"{table['tuning'][task]['labelled']:,}" for task in HEADS), ""))
View(score_table(["ours", "the paper's: SQuAD F1", *HEADS.values(), "masked, %"], rows,
                 f"After {LAST:,} steps: acceptability in Matthews, other tasks in F1, masked tokens predicted right"))

# %% [markdown]
# Which of the paper's results do our seeds repeat?

# %% jupyter={"source_hidden": true}
from minibert.course.checks.guard import and_list
from minibert.readers.wording import with_minus

PAIRS = {("BERT with NSP", "BERT"): "NSP helps", ("BERT", "GPT"): "the right side helps",
         ("GPT + BiLSTM", "GPT"): "a BiLSTM on top helps"}

def in_seeds(one, other, task):
    leads = leads_of(one, other, task)
    if not leads:
        return "–"
    return f"{sum(lead > 0 for lead in leads)} of {len(leads)} ({with_minus(np.mean(leads), '{:+.1f}')})"

def in_the_paper(one, other):
    gaps = what_is_lost(PAPER_ROW[one], PAPER_ROW[other])
    return f"{sum(gap > 0 for gap in gaps.values())} of {len(gaps)} tasks"

def verdict(tasks):
    """{what it is: [task, ...]} for BERT against GPT: ahead in every seed, behind in every seed, or neither."""
    found = defaultdict(list)
    for task in tasks:
        leads = leads_of("BERT", "GPT", task)
        found["ahead" if min(leads) > 0 else "behind" if max(leads) < 0 else "neither"].append(HEADS[task])
    return found

found = verdict([task for task in HEADS if leads_of("BERT", "GPT", task)])
WORDS = {"ahead": "as in the paper, the right side helps in every seed: {}",
         "behind": "unlike in the paper, the model that looks left is ahead in every seed: {}",
         "neither": "the seeds disagree: {}"}
said = "; ".join(WORDS[how].format(and_list(found[how])) for how in WORDS if found[how])
read = [np.mean([run["tokens"] for run in trained[name, LAST].values()]) / 1e6 for name in ("BERT with NSP", "BERT")]
assert read[0] < read[1]
View(score_table(["", "in the paper", *HEADS.values()], [
    (helps, in_the_paper(*pair), *(in_seeds(*pair, task) for task in HEADS)) for pair, helps in PAIRS.items()],
    "In how many tasks, or seeds (and the mean lead in points)")
    + f"<p>{said[0].upper()}{said[1:]}. With NSP, BERT reads fewer tokens: {read[0]:.1f} million, "
    f"not {read[1]:.1f}.</p>")

# %% [markdown]
# <details><summary><b>Why may our order differ from the paper's?</b></summary>
#
# Our models are two layers deep and read about eight million tokens; BERT read about 43 billion. An LSTM learns word
# order and the grammar of a sentence quickly, and some of our tasks need little else. As in the paper, the question
# stands before the passage, so a model that looks left has read it at each word. These are possible reasons: only
# further ablations would tell.
# </details>

# %% [markdown]
# ## 9 · In real English
#
# Now you are GPT, in English: you see what stands before the gap and nothing else. The attention mask hides the right
# side from the model, too.
#
# **Guess first.** How many of the five words can you guess? Your first guess counts. (The first five of twenty
# sentences; no model's predictions chose them.)

# %% jupyter={"source_hidden": true}
from minibert.course.unit09.views.right_side import rankings
from minibert.course.widgets.guess import GuessFirst

WHOLE = {text.partition("[MASK]")[0] + "[MASK]": text for text in list(GAPS)[:5]}       # left side: whole sentence
GuessFirst(lambda left: rankings(english, WHOLE[left], 0), [(left, GAPS[WHOLE[left]][0]) for left in WHOLE])

# %% [markdown]
# Now the next five, with both sides for you and for the model. (Other sentences: part of the difference is luck.)

# %%
GuessFirst(lambda text: rankings(english, text), [(text, GAPS[text][0]) for text in list(GAPS)[5:10]])

# %% [markdown]
# Often several words fit. For all twenty sentences we compute the probability of **all accepted words** together, with
# and without the right side.

# %% jupyter={"source_hidden": true}
@cache
def rows_of_twenty():
    """(sentence, percent with the right side hidden, percent with it), the largest gain first."""
    return sorted(((text, *(100 * chances(text))) for text in GAPS), key=lambda row: row[1] - row[2])

def raised():
    return sum(hidden < seen for _, hidden, seen in rows_of_twenty())

def all_twenty():
    rows, higher = rows_of_twenty(), raised()
    mean = np.mean([row[1:] for row in rows], axis=0)
    most = max(hidden.round(1) - seen.round(1) for _, hidden, seen in rows)             # as the table shows them
    lowered = f"<p>Where it lowers the probability, it does so by at most {most:.1f} points.</p>"
    said = f"Higher with the right side: {higher} of {len(rows)}; on average {mean[0]:.0f}% and {mean[1]:.0f}%"
    return (score_table(["sentence", "right side hidden, %", "seen, %"], rows, said)
            + (lowered if most > 0 else ""))

GuessNumber("In how many of the twenty sentences does the right side raise the probability?", raised, within=2,
            see=all_twenty)

# %% [markdown]
# Now **your** sentence. The slider sets how many tokens of the right side the model sees; ▨ is one that it does not.
# Can a single token on the right change the likeliest word?

# %% jupyter={"source_hidden": true}
from minibert.course.unit09.views.right_side import ranking_html

Controls(lambda text, tokens: ranking_html(english, text, tokens), text=sentence_box(clearest),
         tokens=widgets.IntSlider(0, min=0, max=29, description="Tokens", continuous_update=False))

# %% [markdown]
# <details><summary><b>Why is this model, with its right side hidden, not a GPT?</b></summary>
#
# It was trained with both sides, so it has never practised reading one alone. [SEP] stays visible, and its position
# tells how many tokens are missing; and the words on the left still look at each other both ways. A GPT of the same
# size and text should do better with the left side alone. So the numbers show only what **this** model makes of the
# right side.
# </details>

# %% [markdown]
# Finally, look inside: a curve that comes up to a token from below brings something from the **right**. In a
# left-to-right model there are no such curves.

# %%
from minibert.course.widgets.explorer.widget import explore

explore(english, "The [MASK] barked at the postman.")

# %% [markdown]
# ## Check yourself
#
# Choose an answer to each.

# %% jupyter={"source_hidden": true}
Quiz([
    QuizQuestion("Which words can ELMo's forward network use to predict the fourth word?", [
        Choice("All but the fourth", False, "Both networks together; the forward one has read the left side only."),
        Choice("The first four", False, "Then it would only have to copy."),
        Choice("The first three", True, "Right."),
    ]),
    QuizQuestion("Each word sees all the others but not itself. From how many layers on can it be copied?", [
        Choice("One", False, "After one layer the others have read it, but it has not yet read this from them."),
        Choice("Two", True, "Right: one layer to its neighbours, and one back."),
        Choice("Never, it does not see itself", False, "Not directly. But the others have seen it."),
    ]),
    QuizQuestion("Why may GPT see its own word at t?", [
        Choice("It predicts the next one", True, "Right: the word at t is evidence, not the label."),
        Choice("It is masked", False, "Nothing is masked in GPT."),
        Choice("It may not", False, "Without it the newest word would be missing."),
    ]),
    QuizQuestion("What does BERT pay for seeing both sides?", [
        Choice("It needs two networks", False, "That is ELMo."),
        Choice("It predicts the masked tokens only", True, "Right. So it starts more slowly on the same text."),
        Choice("It cannot be fine-tuned", False, "It was made to be."),
    ]),
    QuizQuestion("Without the right side, SQuAD falls by ten points and SST-2 by less than one. Why?", [
        Choice("SST-2 has less training data", False, "Hardly: 67,000 sentences to SQuAD's 88,000 questions."),
        Choice("SQuAD's texts are too long for GPT", False, "Both models read the same lengths."),
        Choice("The end of an answer depends on what follows", True,
               "Right. The sentiment can be judged at the end of the sentence."),
    ]),
    QuizQuestion("After a short training GPT predicts more masked tokens right than BERT. What follows?", [
        Choice("GPT is the better model", False, "Only at this length of training, on this measure."),
        Choice("GPT learns faster at the start", True, "Right; its limit is lower."),
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
# - **ELMo**: two LSTMs that meet at the end. **GPT**: from the left. **BERT**: both sides in every layer.
# - **A deep model that looks both ways copies** the word through its neighbours. [MASK] takes the word out of the
#   input, so no path brings it back.
# - **The price**: only the masked tokens are predicted, so the start is slower. ELECTRA avoids it.
# - **Compare fairly**: each model with its own best recipe, at several lengths, over several seeds, beside the limit
#   for what it sees. The order may change with the length and the task.
# - **Ablations** keep all else equal. Without the right side, BERT-base (no NSP) loses 10.1 points on SQuAD, 0.5 on
#   SST-2.
#
# ## Read on
#
# - Peters et al. (2018), *ELMo*, [arXiv 1802.05365](https://arxiv.org/abs/1802.05365): section 3.
# - Radford et al. (2018), *Improving Language Understanding by Generative Pre-Training*: section 3.
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): 3.1, 5.1, appendix A.4 and C.1.
# - Yang et al. (2019), *XLNet*, [1906.08237](https://arxiv.org/abs/1906.08237); Clark et al. (2020), *ELECTRA*,
#   [2003.10555](https://arxiv.org/abs/2003.10555).
# - Before ELMo: context2vec, [K16-1006](https://aclanthology.org/K16-1006); TagLM,
#   [1705.00108](https://arxiv.org/abs/1705.00108); CoVe, [1708.00107](https://arxiv.org/abs/1708.00107).
# - In the package: `minibert/objectives/clm.py`, `bilm.py` and `mlm.py`; `minibert/model/bilstm.py`.
#
# **Next**: [the exercise](../exercises/09_elmo_gpt_bert/09_elmo_gpt_bert.ipynb). You write the attention masks, ELMo's
# loss and mix, and a test that finds leaks in any model.
