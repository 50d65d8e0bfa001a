# %% [markdown]
# # 2 · Attention: how words look at each other
#
# *She swam to the bank. She paid at the bank.* You know at once which bank is meant, because you look at the other
# words. This lesson builds, number by number, the part of BERT that does the same: **attention**.
#
# **After this lesson you can**
#
# - compute scaled dot-product attention by hand, for one word and for a whole sentence,
# - say who may look at whom in BERT, in GPT and in a translator,
# - explain what √K, heads, residuals, LayerNorm and positions are for,
# - count the parameters of the Transformer, of BERT-base and of BERT-large,
# - read the attention of a trained model on a sentence of your own, and say what it does not tell you.
#
# **You need** lesson 1, and matrix products in NumPy.
# **Time:** about 60 minutes with guessing and playing; the code alone runs in 10 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess teaches
# most. Questions that begin with **Your guess** are counted; at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(2)

# %% [markdown]
# ## First, the finished thing
#
# In this model, each word looks at all the others. Where to look was learned in training; nobody wrote rules for it.
# The model has several **layers**, one after the other, and in each layer a word looks in several ways at once; one
# such way is called a **head**. Run the folded cell: it finds the head in which a word pays most attention to a distant
# one. Then write a sentence of your own and choose another word.

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
import numpy as np
import torch
from minibert.batch import pack
from minibert.pretrained import ids_with_masks
from minibert.viz.explorer import Explorer
from minibert.viz.guess import sentence_box
from minibert.viz.plots import bars

english = minibert.load("english")

def packed(text):
    ids, types = pack(ids_with_masks(english.tokenizer, text), None, english.tokenizer.specials)
    if not 2 < len(ids) <= 40:
        raise ValueError(f"{len(ids)} tokens with [CLS] and [SEP]: write a sentence of 3 to 40")
    return torch.tensor([ids]), torch.tensor([types]), [english.tokenizer.vocab[i] for i in ids]

@torch.no_grad()
def look(text):
    ids, types, tokens = packed(text)
    out = english.encoder(ids, None, types, with_probs=True)
    return tokens, torch.cat(out["probs"]).numpy()              # T tokens, weights (L, H, T, T)

def draw_look(text, word):
    tokens, probs = look(text)
    first = [*english.tokenizer.encode(word).pieces, "nothing"][0]
    if first not in tokens:
        raise ValueError(f"“{word}” is not in the sentence")
    at, place = tokens.index(first), np.arange(len(tokens))
    far = (abs(place - at) > 1) & (place > 0) & (place < len(tokens) - 1)       # no neighbour, [CLS] or [SEP]
    if not far.any():
        raise ValueError("all other words are neighbours: write a longer sentence")
    layer, head, most = np.unravel_index((probs[:, :, at] * far).argmax(), probs.shape[:3])
    row = probs[layer, head, at]
    title = f"Layer {layer + 1}, head {head + 1}: “{first}” looks at “{tokens[most]}”, {row[most]:.0%}"
    return bars(tokens, row, "weight", title, most, form="{:.0%}", limit=1.1)

Explorer(draw_look, text=sentence_box("She swam to the bank."),
         word=widgets.Text("bank", description="Word", continuous_update=False))

# %% [markdown]
# ## Do you remember lesson 1?
#
# Run the folded cell below and choose. You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("Where do the labels of masked language modelling come from?", [
        Choice("From the text itself", True, "Right. The masked word is the label."),
        Choice("From people who read and label sentences", False, "That would be supervised learning, and far too "
               "expensive for billions of words."),
        Choice("There are none", False, "There is one at each masked position: the word that was there."),
    ]),
    Question("BERT reads 1,000 tokens. On average, how many does it see as [MASK]?", [
        Choice("150", False, "150 are chosen, but only 80% of those become [MASK]."),
        Choice("120", True, "Right: 15% of 1,000 are chosen, and 80% of these 150 become [MASK]."),
        Choice("800", False, "80% is a share of the chosen tokens, not of all tokens."),
    ]),
    Question("Why do some chosen tokens stay as they are?", [
        Choice("To save time", False, "The time is the same: every chosen position is predicted."),
        Choice("To teach the model to read visible words", True, "Right. In fine-tuning there is no [MASK], so real "
               "words must be read with care too."),
        Choice("Because they are too hard to guess", False, "The choice is random. It does not know what is hard."),
    ]),
])

# %% [markdown]
# ## 1 · One word looks around
#
# Every token (here each word is one token) has three short lists of numbers, called vectors:
#
# - a **query** *q*: what am I looking for?
# - a **key** *k*: what do I offer to those who look?
# - a **value** *v*: what do I hand over when somebody looks at me?
#
# In BERT three learned matrices compute them. Here we wrote them by hand, so that each number has a meaning:
#
# | | 1st number | 2nd | 3rd | 4th |
# |---|---|---|---|---|
# | query and key | who | action | place | small word |
# | value | person | water (+) or money (−) | place | movement |
#
# So *bank*, with the query (1, 2, 1, 0), looks for an action above all. Its value says that it is
# a place, and nothing yet about water or money.

# %%
TABLE = {  # word: query, key, value
    "she": ([0, 2, 0, 1], [3, 0, 0, 0], [2, 0, 0, 0]),
    "swam": ([2, 0, 2, 0], [0, 3, 1, 0], [0, 4, 0, 3]),
    "paid": ([2, 0, 2, 0], [0, 3, 1, 0], [0, -4, 0, 0]),
    "to": ([0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 1]),
    "at": ([0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0]),
    "the": ([0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0]),
    "bank": ([1, 2, 1, 0], [0, 0, 2, 0], [0, 0, 3, 0]),
    "[PAD]": ([1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]),
}

# %% [markdown]
# Now we look up the words of a sentence. `S` words with `K` = 4 numbers each give three arrays of shape `(S, K)`.

# %%
import numpy as np

def look_up(sentence):
    words = sentence.split()
    q, k, v = (np.array([TABLE[word][i] for word in words], float) for i in range(3))   # (S, K) each
    return words, q, k, v

words, q, k, v = look_up("she swam to the bank")
print("query of bank:", q[4])
print("key of swam:  ", k[1])

# %% [markdown]
# How well does the key of *swam* fit the query of *bank*? Multiply the two lists number by number and add up: this is
# their **dot product**. Work it out on paper.
#
# It is the first of the five lines of attention. The third and fourth are the **softmax**, which turns any scores into
# positive weights that add up to 1. The last mixes the values into one vector, the **context**:

# %%
def by_hand(q, k, v):
    dots = k @ q                        # (S,)  how well each key fits the query
    scores = dots / np.sqrt(len(q))     # (S,)  scaled
    exps = np.exp(scores)               # (S,)  positive
    probs = exps / exps.sum()           # (S,)  the attention weights: together 1
    return dict(dots=dots, scores=scores, exps=exps, probs=probs, context=probs @ v)

# %% [markdown]
# Press **Next step** and check every number. Then choose the other sentence, and other queries.

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
from minibert.viz.attention_steps import STEPS, attention_steps
from minibert.viz.stepper import Stepper

SENTENCES = ["she swam to the bank", "she paid at the bank"]
MEANINGS = ["person", "water (+) or money (−)", "place", "movement"]
QUERIES = [("bank", 4), ("she", 0), ("swam / paid", 1), ("to / at", 2), ("the", 3)]

def draw(sentence, query, step):
    words, q, k, v = look_up(sentence)
    return attention_steps(words, query, q[query], k, v, MEANINGS, step=step, **by_hand(q[query], k, v))

Stepper(draw, STEPS, sentence=widgets.Dropdown(options=SENTENCES, description="Sentence"),
        query=widgets.Dropdown(options=QUERIES, description="Query"))

# %% [markdown]
# The word *bank* has the same query, key and value in both sentences, but not the same context:

# %%
for sentence in SENTENCES:
    words, q, k, v = look_up(sentence)
    result = by_hand(q[4], k, v)
    most = result["probs"].argmax()
    print(f"{sentence}: bank gives {result['probs'][most]:.0%} of its attention to {words[most]}; "
          f"its second number (water +, money −) becomes {result['context'][1]:+.2f}")

# %% [markdown]
# That is what *contextual* means: one word, different vectors, depending on its company.
#
# **Your turn.** Type a query of four numbers that gives more than 90% of the attention to *she*. Then find one that
# shares its attention equally between *she* and *bank*.

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import Explorer, show
from minibert.viz.plots import bars

def draw_mine(query):
    words, q, k, v = look_up(SENTENCES[0])
    probs = by_hand(np.array([float(number) for number in query.split()]), k, v)["probs"]
    most = probs.argmax()
    title = f"The query ({query}) looks most at “{words[most]}”: {probs[most]:.0%}"
    return bars(words, probs, "weight", title, most, form="{:.0%}", limit=1.1)

Explorer(draw_mine, query=widgets.Text("1 2 1 0", description="My query", continuous_update=False))

# %% [markdown]
# <details><summary><b>One answer</b></summary>
#
# `3 0 0 0` looks for *who* and gives *she* 96%. Larger numbers make the choice sharper. `2 0 3 0` looks for *who* and
# *place*, and gives *she* and *bank* 43% each.
# </details>
#
# <details><summary><b>Why three lists and not one?</b></summary>
#
# With one list for everything, a word would mostly fit itself best, and *she* would fit *swam* exactly as well as
# *swam* fits *she*. With a query and a key, looking need not be mutual: *bank* gives *swam* 78%, *swam* gives *bank*
# 23%. And with a value of its own, a word can hand over something other than what it was found by.
# </details>

# %% [markdown]
# Where do the three vectors come from? In BERT the word's embedding x is multiplied by three learned matrices:
# $q = x W^Q$, $k = x W^K$ and $v = x W^V$. Here are an embedding of six numbers and three matrices that give the numbers
# of our table. Each number of x is the weight of the row beside it, and the weighted rows are added up.

# %% jupyter={"source_hidden": true}
from minibert.viz.attention_steps import vector
from minibert.viz.explorer import View

FEATURES = ["person", "action", "place", "small word", "water (+) or money (−)", "movement"]
EMBEDDING = {"she": [1, 0, 0, 0, 0, 0], "swam": [0, 1, 0, 0, 1, 3], "paid": [0, 1, 0, 0, -1, 0],
             "to": [0, 0, 0, 1, 0, 1], "bank": [0, 0, 1, 0, 0, 0]}
MATRICES = {"query": [[0, 2, 0, 1], [2, 0, 2, 0], [1, 2, 1, 0], [0, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
            "key": [[3, 0, 0, 0], [0, 3, 1, 0], [0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]],
            "value": [[2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0], [0, 4, 0, 0], [0, 0, 0, 1]]}
for word, x in EMBEDDING.items():
    assert [(np.array(x) @ W).tolist() for W in MATRICES.values()] == list(TABLE[word])

def products(word):
    x = EMBEDDING[word]
    heads = "".join(f"<th>{name}</th>" for name in (f"x of “{word}”", "W<sup>Q</sup>", "W<sup>K</sup>", "W<sup>V</sup>"))
    lines = "".join(f'<tr><td style="text-align:right">{name} {vector([number], "token")}</td>'
                    + "".join(f"<td>{vector(W[i], role)}</td>" for role, W in MATRICES.items()) + "</tr>"
                    for i, (name, number) in enumerate(zip(FEATURES, x)))
    sums = "".join(f"<td><b>= {role[0]}</b> {vector(np.array(x) @ W, role)}</td>" for role, W in MATRICES.items())
    return f'<table style="margin:0">{"<tr>" + heads + "</tr>" + lines}<tr><td></td>{sums}</tr></table>'

View(products("swam"))

# %% [markdown]
# ## 2 · All words at once
#
# Every word of a sentence looks at all words of the same sentence: this is **self-attention**. No loop is needed,
# because the queries are the rows of one matrix. This is the package's own code, equation (1) of *Attention Is All You
# Need*. (Its argument `visible` comes in section 4.)

# %%
import inspect
from minibert.reference import attention

print(inspect.getsource(attention))

# %% [markdown]
# `probs`, the attention weights, has a row for each of T queries and a column for each of S keys; here both are 5:

# %%
from minibert.viz.attention import attention_map

words, q, k, v = look_up(SENTENCES[0])
context, probs = attention(q, k, v)
print("probs", probs.shape, "  context", context.shape)
print("rows add up to", probs.sum(axis=1).round(2))

# %% [markdown]
# The row of *bank* must be what you stepped through:

# %%
assert np.allclose(probs[4], by_hand(q[4], k, v)["probs"])
assert np.allclose(context[4], by_hand(q[4], k, v)["context"])
print("bank: by hand and all at once agree.")

# %% [markdown]
# A column tells how much attention one word gets from all five. Look at the table of section 1: whose key fits which
# query?

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

def looked_at(probs=probs, words=words):
    most = probs.sum(axis=0).argmax()
    title = f"“{words[most]}” gets most attention: {probs[:, most].sum():.1f} of {len(words)} in all"
    return attention_map(probs, words, title)

GuessBars("Each of the five words gives away 1. How much does each get, from all five together?", words,
          lambda gets=probs.sum(axis=0): gets, top=3, within=0.3, axis="attention received", see=looked_at)

# %% [markdown]
# Below your guess the weights appear as a **heat map**. Read it row by row: each row is one word looking around.
#
# <details><summary><b>Why does each row add up to 1?</b></summary>
#
# The softmax runs along each row: a query has one unit of attention to give away. Nothing limits how much a key
# receives.
# </details>
#
# <details><summary><b>Why is this faster than reading word by word?</b></summary>
#
# A recurrent network reads word 5 only after words 1 to 4. Here all rows are one matrix product, and any two words are
# one step apart. The price: `probs` has S² numbers, at BERT's 512 tokens 262,144 for each of 12 heads in 12 layers
# (Vaswani et al., section 4).
# </details>

# %% [markdown]
# ## 3 · Why divide by √K?
#
# Our queries have K = 4 numbers; in a head of BERT, K = 64. A dot product is a sum of K products, so its spread (the
# standard deviation) grows with K. We measure it with random queries and keys, whose numbers have standard deviation 1.

# %%
rng = np.random.default_rng(2)
SIZES = np.array([4, 16, 64, 256, 1024])
spreads = {K: (rng.normal(size=(2000, K)) * rng.normal(size=(2000, K))).sum(axis=1).std() for K in SIZES}

# %% [markdown]
# How fast does the spread grow?

# %% jupyter={"source_hidden": true}
from minibert.viz.entities import score_table

def all_spreads():
    off = max(abs(spread / np.sqrt(K) - 1) for K, spread in spreads.items())
    rows = [(str(K), spread, np.sqrt(K)) for K, spread in spreads.items()]
    table = score_table(["K", "measured spread", "√K"], rows, f"The spread grows like √K, here to within {off:.0%}")
    return f"{table}<p>So dividing by √K keeps the spread at 1, whatever K is.</p>"

GuessNumber("K grows from 4 to 64, sixteen times. How many times as large does the spread of the dot products become?",
            lambda: spreads[64] / spreads[4], within=0.5, form="{:.1f}", see=all_spreads)

# %% [markdown]
# What does the softmax make of scores that are far apart? Choose a K, then tick and untick the box.

# %% jupyter={"source_hidden": true}
from minibert.reference import softmax

def draw_weights(K, divided):
    rng = np.random.default_rng(5)
    q, k = rng.normal(size=K), rng.normal(size=(8, K))
    probs = softmax(k @ q / (np.sqrt(K) if divided else 1))
    title = f"K = {K}, {'divided by √K' if divided else 'not divided'}: one of 8 keys gets {probs.max():.1%}"
    order = np.argsort(-probs)
    return bars([f"key {i + 1}" for i in order], probs[order], "weight, largest first", title, form="{:.1%}", limit=1.1)

Explorer(draw_weights, K=widgets.Dropdown(options=[4, 16, 64, 256, 1024], value=64, description="K"),
         divided=widgets.Checkbox(True, description="Divide by √K"))

# %% [markdown]
# Without the division, at a large K one key takes nearly everything: the softmax is **saturated**. Is that bad? A model
# learns from **gradients**, slopes that say how much a result moves when a number moves a little. The largest weight p
# of a softmax moves with its score at a slope of p (1 − p). We measure it for 20 random keys:

# %%
winners = {"divided by √K": [], "not divided": []}
for K in SIZES:
    scores = (rng.normal(size=(500, 1, K)) * rng.normal(size=(500, 20, K))).sum(axis=2)     # 500 queries, 20 keys
    winners["divided by √K"].append(np.median(softmax(scores / np.sqrt(K)).max(axis=1)))
    winners["not divided"].append(np.median(softmax(scores).max(axis=1)))
slopes = {name: np.array(p) * (1 - np.array(p)) for name, p in winners.items()}

# %% [markdown]
# How much of the slope is left if we do not divide?

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import figure_html
from minibert.viz.plots import curves

times = slopes["divided by √K"][-1] / slopes["not divided"][-1]
PARTS = {"a half": 1 / 2, "a tenth": 1 / 10, "a hundredth": 1 / 100, "a ten-thousandth": 1 / 10_000}

def both_slopes():
    drawn = curves(SIZES, {"largest weight": winners, "slope p (1 − p)": slopes}, "K, size of a query",
                   f"Without the division the slope at K = {SIZES[-1]} is {times:,.0f} times smaller",
                   logx=True, logy=["slope p (1 − p)"])
    return (f"{figure_html(*drawn)}<p>Where the slope is almost 0, the gradient has almost no effect: the model can "
            "hardly learn to look elsewhere.</p>")

GuessChoice("K = 1024. What part of the slope is left without the division? Choose the closest.", list(PARTS),
            lambda: min(PARTS, key=lambda part: abs(np.log(PARTS[part] * times))), see=both_slopes)

# %% [markdown]
# <details><summary><b>Why √K and not K?</b></summary>
#
# K independent products with variance 1 have a sum with variance K, so a standard deviation of √K. Dividing by K would
# make the scores too small for large K: all weights would be nearly equal (Vaswani et al., section 3.2.1).
# </details>

# %% [markdown]
# ## 4 · Who may look at whom
#
# Attention lets everyone look at everyone. Two things must sometimes stay hidden:
#
# - **padding**: a model reads several sequences at once, a **batch**, and the shorter ones are filled up with the
#   meaningless token [PAD];
# - **the future**: a model that predicts the next word must not see it. **Causal** attention hides all later words.
#
# A table of True and False, `visible`, says who may look at whom, and the softmax runs over what is visible. Such a
# table is called an **attention mask**. (In Hugging Face's library, `attention_mask` has one number for each token: 1,
# or 0 for padding.)

# %%
from minibert.batch import visible_all, visible_causal

PADDED = "she swam to the bank [PAD] [PAD]"
words, q, k, v = look_up(PADDED)
real = np.array([[word != "[PAD]" for word in words]])      # (B, T), B = 1 sentence
everything = np.ones_like(real)

VISIBLE = {
    "all": visible_all(everything)[0],
    "causal": visible_causal(everything)[0],
    "padding hidden": visible_all(real)[0],
    "causal + padding hidden": visible_causal(real)[0],
}                                                           # each (T, T)

# %% [markdown]
# Make up your mind first: with *causal* visibility, whom may *she* look at, and whom may *bank*? Then choose each
# visibility in turn. How much attention goes to [PAD]?

# %% jupyter={"source_hidden": true}
from minibert.viz.attention import visibility_map

def draw_visibility(visibility):
    words, q, k, v = look_up(PADDED)
    visible = VISIBLE[visibility]                           # (T, T)
    context, probs = attention(q, k, v, visible)            # (T, K), (T, T)
    wasted = probs[:5, 5:].sum() / 5
    title = f"{visible.sum()} of {visible.size} pairs visible; the words give {wasted:.0%} of their attention to [PAD]"
    return visibility_map(visible, probs, words, title)

Explorer(draw_visibility, visibility=widgets.Dropdown(options=list(VISIBLE), description="Visibility"))

# %% [markdown]
# <details><summary><b>Why may [PAD] itself still look?</b></summary>
#
# Its row is computed and then ignored: nobody looks at [PAD], and training does not count it. Hiding columns is enough.
# </details>
#
# <details><summary><b>Why does the code write a very small number for a hidden score, not −∞?</b></summary>
#
# e to the power of the smallest number is 0, as wanted. But a query that sees nothing at all would have only −∞ in its
# row, and −∞ − (−∞) is nan, which spoils the whole batch. With a finite number the query gets equal weights.
# </details>

# %% [markdown]
# Does anything leak from the future? We change the value of *bank*, the last word, and see whose context changes:

# %%
def moved(visible):
    other = v.copy()
    other[4] += 10                                          # bank now hands over something else
    change = attention(q, k, other, visible)[0] - attention(q, k, v, visible)[0]
    return [word for word, row in zip(words[:5], change) if abs(row).max() > 1e-12]

print("all:   ", *moved(VISIBLE["all"]))
print("causal:", *moved(VISIBLE["causal"]))
assert moved(VISIBLE["causal"]) == ["bank"]

# %% [markdown]
# With *causal* visibility, a later word changes nothing before it. This is GPT's rule. BERT hides only padding.
#
# ### Two sentences: encoder-decoder attention
#
# The first Transformer was a translator: its **encoder** reads English, its **decoder** writes German. When the decoder
# looks at the English words, the **queries** come from the German sentence, the **keys and values** from the English
# one. The formula is the same; only the table of weights is no longer square.

# %%
GERMAN = {"sie": [3, 0, 0, 0], "schwamm": [0, 3, 0, 0], "ans": [0, 0, 0, 5], "Ufer": [0, 0, 6, 0]}
words, q, k, v = look_up(SENTENCES[0])
q_german = np.array(list(GERMAN.values()), float)           # (T, K)
context, probs = attention(q_german, k, v)                  # (T, K), (T, S)
print("T =", len(GERMAN), "queries, S =", len(words), "keys, probs", probs.shape)

# %% [markdown]
# *ans* is short for *an das*, “to the”. What is its row of weights?

# %% jupyter={"source_hidden": true}
def german_finds_english(probs=probs, words=words):
    drawn = attention_map(probs, list(GERMAN), "Where each German word looks", keys=words)
    return (f"{figure_html(*drawn)}<p>“ans” gives {probs[2, 2]:.0%} to “to” and {probs[2, 3]:.0%} to “the”: one query "
            "may look at several keys.</p>")

GuessBars("How much of its attention does “ans” give to each English word?", words, lambda row=100 * probs[2]: row,
          top=100, within=8, axis="attention of “ans”", unit="%", see=german_finds_english)

# %% [markdown]
# | attention | queries from | keys and values from | visible | who has it |
# |---|---|---|---|---|
# | encoder self-attention | the sentence | the same sentence | all but padding | BERT, translator |
# | decoder self-attention | the text so far | the text so far | itself and what came before | GPT, translator |
# | encoder-decoder attention | the text so far | the other sentence | all but padding | translator |
#
# <details><summary><b>Why may BERT look to the right without cheating?</b></summary>
#
# It does not predict the next word, but words that were taken out of the input. It cannot peek at them on either side.
# </details>

# %% [markdown]
# ## 5 · Several heads
#
# *swam* has two questions: **who** swam, and **where**? But one softmax has one unit of attention, and the answers must
# share it. So cut the D = 4 columns into H heads of K = D / H columns. Each head has a softmax of its own.

# %%
from minibert.reference import merge_heads, split_heads

x = q[None]                                                 # a batch of B = 1 sentence, (B, T, D)
print("(B, T, D) =", x.shape, " becomes  (B, H, T, K) =", split_heads(x, 2).shape)
assert (merge_heads(split_heads(x, 2)) == x).all()
print("and merge_heads puts the two heads together again")

# %% [markdown]
# With two heads, the first gets the columns *who* and *action*, the second *place* and *small word*. Below you first
# see one head. With two, how much will *swam* give to *she*, and how much to *bank*? Make up your mind, then choose 2.

# %% jupyter={"source_hidden": true}
from minibert.viz.attention import attention_maps

SEES = {1: ["all four"], 2: ["who, action", "place, small word"], 4: ["who", "action", "place", "small word"]}

def in_heads(num_heads):
    words, *tables = look_up(SENTENCES[0])
    split = (split_heads(array[None], num_heads)[0] for array in tables)          # (H, T, K) each
    return attention(*split)

def draw_heads(heads):
    context, probs = in_heads(heads)
    title = f"In {heads} heads" if heads > 1 else "In one head"
    title += f" “swam” gives away {probs[:, 1].sum():.0f} in all"
    return attention_maps(probs, SENTENCES[0].split(), SEES[heads], title)

Explorer(draw_heads, heads=widgets.Dropdown(options=[1, 2, 4], description="Heads"))

# %% [markdown]
# With four heads of one number each, look at the row of *swam* in the second and in the last head: where a query is 0,
# its attention is spread evenly.
#
# In BERT each head has its own part of the three learned matrices, and a fourth matrix mixes the heads' results.
# (`memory` is the other sentence of a translator; `gate` can switch heads off.)

# %%
from minibert.reference import multi_head_attention

print(inspect.getsource(multi_head_attention))

# %% [markdown]
# How many **parameters** (learned numbers) does the attention need, with so many heads? The package can count them.

# %%
from minibert.config import count_parameters, preset

def attention_parameters(heads):
    """How many parameters the attention of one layer of BERT-base would have."""
    return count_parameters(preset("base", num_attention_heads=heads))["attention"] // 12

# %% [markdown]
# BERT-base has D = 768 and 12 heads.

# %% jupyter={"source_hidden": true}
ANSWERS = ["fewer", "the same number", "more"]

def heads_counted():
    rows = [(str(heads), str(768 // heads), f"{attention_parameters(heads):,}") for heads in (1, 12, 24)]
    assert attention_parameters(1) == attention_parameters(24) == 4 * (768 ** 2 + 768)
    table = score_table(["heads", "columns of each", "parameters of one layer's attention"], rows)
    return (f"{table}<p>Heads divide the columns, they add none: four matrices of 768 × 768 and four biases of 768 "
            "numbers, however you cut.</p>")

GuessChoice("With 24 heads, would BERT-base have fewer parameters, the same number, or more?", ANSWERS,
            lambda: ANSWERS[1 + int(np.sign(attention_parameters(24) - attention_parameters(12)))], see=heads_counted)

# %% [markdown]
# <details><summary><b>Why does BERT not have 768 heads?</b></summary>
#
# Each head would compare a single number. To tell many things apart, a head needs some width. In the Transformer paper
# 8 and 16 heads did equally well, 1 and 32 did worse (Vaswani et al., table 3, rows A).
# </details>

# %% [markdown]
# ## 6 · One layer of the encoder
#
# Attention mixes words. Then a small network, the **feed-forward** part, works on each word alone. After each of the
# two there is a **residual connection** (add what came in) and a **LayerNorm** (bring the numbers to the same size).
# Here is the plan:

# %%
from minibert.viz.attention import layer_plan

show(*layer_plan())

# %% [markdown]
# And here is the code. Read it with a finger on the plan:

# %%
from minibert.reference import encoder_layer, feed_forward, layer_norm

print(inspect.getsource(encoder_layer))

# %% [markdown]
# LayerNorm takes the numbers of one word and makes their mean 0 and their standard deviation 1. Then it multiplies them
# by learned numbers and adds others (before training 1 and 0).
#
# We try it with 2, 4, 6, 8, and with ten times these numbers:

# %%
fresh = {"weight": 1.0, "bias": 0.0}
normed = layer_norm(np.array([[2.0, 4.0, 6.0, 8.0], [20.0, 40.0, 60.0, 80.0]]), fresh)

# %% [markdown]
# The second list goes in ten times as large. How does it come out?

# %% jupyter={"source_hidden": true}
OUTCOMES = ["ten times as large", "a little larger", "the same"]

def both_lists():
    gone = "<p>Only the pattern is left. The size is gone.</p>" if np.allclose(*normed) else ""
    return "".join(f"<p>{', '.join(f'{x:.2f}' for x in numbers)}</p>" for numbers in normed) + gone

GuessChoice("After LayerNorm, how does the second list compare with the first?", OUTCOMES, see=both_lists,
            answer=lambda: OUTCOMES[2 if np.allclose(*normed) else 0 if np.allclose(10 * normed[0], normed[1]) else 1])

# %% [markdown]
# Next we need a whole layer. Before training, BERT's matrices are random, with standard deviation 0.02 at a width of
# D = 768. That is 0.55 / √D. We do the same at D = 64, with F = 256 numbers inside the feed-forward part:

# %% jupyter={"source_hidden": true}
D, F = 64, 256

def random_layer(rng, size=0.55):
    shapes = {f"attention.{name}": (D, D) for name in ("query", "key", "value", "out")}
    shapes |= {"feed_forward.up": (F, D), "feed_forward.down": (D, F)}
    p = {f"{name}.weight": rng.normal(0, size / np.sqrt(D), shape) for name, shape in shapes.items()}
    p |= {f"{name}.bias": np.zeros(shape[0]) for name, shape in shapes.items()}
    for norm in ("attention_norm", "feed_forward_norm"):
        p |= {f"{norm}.weight": np.ones(D), f"{norm}.bias": np.zeros(D)}
    return p

# %% [markdown]
# A word goes in and comes out with 64 numbers, so layers can be stacked:

# %%
p = random_layer(rng)
x = rng.normal(size=(1, 10, D))                             # (B, T, D): ten words
out, probs = encoder_layer(x, p, num_heads=4)
print("in", x.shape, "  out", out.shape, "  probs", probs.shape)

# %% [markdown]
# Now we change word 3 (of 0 to 9). Which words' results change, in the feed-forward part and in the whole layer?

# %%
from minibert.reference.encoder import sub

y = x + (np.arange(10) == 3)[:, None]                       # (B, T, D): 1 is added to word 3
for name, part in {"feed-forward": lambda x: feed_forward(x, sub(p, "feed_forward")),
                   "the whole layer": lambda x: encoder_layer(x, p, 4)[0]}.items():
    print(f"changed by {name}:", *np.flatnonzero(abs(part(y) - part(x))[0].max(axis=1) > 1e-12))

# %% [markdown]
# Between its two matrices the feed-forward part has an **activation function**, applied to each number: ReLU in the
# Transformer, GELU in BERT.

# %%
from minibert.reference import gelu

z = np.linspace(-3, 3, 61)
relu = np.maximum(z, 0)
show(*curves(z, {"output": {"GELU (BERT)": gelu(z), "ReLU (Transformer)": relu}}, "input",
             f"GELU, a rounded ReLU: {abs(gelu(z) - relu).max():.2f} apart at most", markers=False))

# %% [markdown]
# What are the residual and the LayerNorm good for? We stack twelve layers and take them away. A layer with switches:

# %%
def add_and_norm(x, change, residual, norm):
    x = x + change if residual else change
    return layer_norm(x, fresh) if norm else x

def layer(x, p, residual=True, norm=True, feed=True):
    x = add_and_norm(x, multi_head_attention(x, sub(p, "attention"), 4)[0], residual, norm)
    return add_and_norm(x, feed_forward(x, sub(p, "feed_forward")), residual, norm) if feed else x

assert np.allclose(layer(x, p), encoder_layer(x, p, 4)[0])

# %% [markdown]
# After each layer we measure how alike the ten words are (the mean cosine of two words: 1 means the same direction),
# and how large their numbers are.

# %% jupyter={"source_hidden": true}
def watch(x):
    unit = x[0] / np.linalg.norm(x[0], axis=1, keepdims=True)       # (T, D)
    T = len(unit)
    return ((unit @ unit.T).sum() - T) / (T * (T - 1)), np.sqrt((x ** 2).mean())

def through(layers, size, **switches):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(1, 10, D))
    seen = [watch(x)]
    for _ in range(layers):
        x = layer(x, random_layer(rng, size), **switches)
        seen.append(watch(x))
    return np.array(seen).T                                         # (2, layers + 1)

# %% [markdown]
# Without the residual, attention replaces a word by an average of words. What will ten different words look like after
# a few layers? Make up your mind, then switch **Residual** off. Then switch it on again, **LayerNorm** off, and choose
# the larger weights.

# %% jupyter={"source_hidden": true}
WEIGHTS = [("as in a fresh BERT", 0.55), ("twice as large", 1.1)]

def draw_depth(residual, norm, feed, weights):
    alike, size = through(12, weights, residual=residual, norm=norm, feed=feed)
    title = f"After 12 layers: cosine of two words {alike[-1]:.2f}, size of their numbers {size[-1]:,.2f}"
    panels = {"how alike (cosine)": {"two words": alike}, "size (root mean square)": {"numbers": size}}
    return curves(np.arange(13), panels, "layer", title, logy=["size (root mean square)"],
                  at_least={"how alike (cosine)": (-0.05, 1.05), "size (root mean square)": (0.01, 100)})

Explorer(draw_depth, residual=widgets.Checkbox(True, description="Residual"),
         norm=widgets.Checkbox(True, description="LayerNorm"), feed=widgets.Checkbox(True, description="Feed-forward"),
         weights=widgets.Dropdown(options=WEIGHTS, description="Weights"))

# %% [markdown]
# <details><summary><b>Why does the residual help so much?</b></summary>
#
# It carries each word past the mixing, unchanged; a layer only adds a correction. It also gives gradients a direct way
# back through all layers, so that deep stacks can learn at all. But it only slows the mixing: with the larger weights
# the words become alike in spite of it.
# </details>
#
# <details><summary><b>Why is LayerNorm after the residual, and not before the attention?</b></summary>
#
# Both papers have it there. Later models have it before the attention and before the feed-forward part, which makes the
# training of deep stacks more stable.
# </details>

# %% [markdown]
# ## 7 · Where is a word?
#
# We shuffle the ten words and run the layer. For comparison, we run it on the old order and then shuffle the results.

# %%
order = rng.permutation(10)
shuffled_first = encoder_layer(x[:, order], p, 4)[0]
shuffled_after = encoder_layer(x, p, 4)[0][:, order]

# %% [markdown]
# This function returns the layer's result for *dog* in a short sentence. (`positions` is for later.)

# %%
vectors = dict(zip(("dog", "bites", "man"), rng.normal(size=(3, D))))

def result_for_dog(sentence, positions=0):
    words = sentence.split()
    x = np.array([vectors[word] for word in words]) + positions     # (T, D)
    return encoder_layer(x[None], p, 4)[0][0, words.index("dog")]

# %% [markdown]
# Does the layer notice the order of the words?

# %% jupyter={"source_hidden": true}
FATES = ["it stays the same", "it depends on the new neighbours", "it becomes like the others"]

def no_order():
    gap = abs(shuffled_first - shuffled_after).max()
    dogs = abs(result_for_dog("dog bites man") - result_for_dog("man bites dog")).max()
    assert max(gap, dogs) < 1e-12
    return (f"<p>Shuffle first or shuffle after: the results differ by {gap:.1e}, which is rounding. This is "
            "<b>permutation equivariance</b>: shuffled in, shuffled out, and nothing else. To such a layer, <i>dog "
            "bites man</i> and <i>man bites dog</i> are the same bag of words: its results for <i>dog</i> differ by "
            f"{dogs:.1e}, rounding again.</p>")

GuessChoice("The ten words are shuffled. What happens to the result of each word?", FATES,
            lambda: FATES[0 if np.allclose(shuffled_first, shuffled_after) else 1], see=no_order)

# %% [markdown]
# *dog bites man* and *man bites dog* should give *dog* two different vectors. So we add to each word a vector that
# depends only on its position:

# %%
from minibert.reference import positional_encoding

positions = positional_encoding(3, D)                               # (T, D)
gap = abs(result_for_dog("dog bites man", positions) - result_for_dog("man bites dog", positions)).max()
assert gap > 0.1
print(f"with positions, the results for dog differ by {gap:.2f}")

# %% [markdown]
# The Transformer's positions are sines and cosines, each pair slower than the one before, like the hands of a clock:
#
# $$PE_{t,2i} = \sin\!\left(t / 10000^{2i/D}\right) \qquad PE_{t,2i+1} = \cos\!\left(t / 10000^{2i/D}\right)$$
#
# Look for two things. Which columns change fastest from one position to the next? And which positions have the largest
# dot product with position 20?

# %% jupyter={"source_hidden": true}
from minibert.viz.attention import position_view

def draw_positions(length, hidden_size, position):
    if position >= length:
        raise ValueError(f"position {position} of {length}: the last one is {length - 1}")
    encoding = positional_encoding(length, hidden_size)             # (T, D)
    products = encoding @ encoding[position]                        # (T,)
    neighbour = products[position - 1 if position else 1]
    title = f"Position {position} times itself: {products[position]:.1f}; times its neighbour: {neighbour:.1f}"
    return position_view(encoding, products, position, title)

Explorer(draw_positions, length=widgets.BoundedIntText(60, min=2, max=512, description="Length"),
         hidden_size=widgets.Dropdown(options=[4, 16, 64, 128, 512], value=64, description="Hidden size"),
         position=widgets.BoundedIntText(20, min=0, max=511, description="Position"))

# %% [markdown]
# Change the position: the curve on the right moves along, but keeps its shape. The dot product depends on the distance
# alone:

# %%
encoding = positional_encoding(60, 64)
products = encoding @ encoding.T                                    # (T, T)
for distance in (0, 1, 2, 5, 10, 20):
    diagonal = np.diagonal(products, distance)
    assert np.allclose(diagonal, diagonal[0])
    print(f"distance {distance:2d}: dot product {diagonal[0]:5.1f}, the same for all {len(diagonal)} pairs")

# %% [markdown]
# <details><summary><b>Why is it the distance only?</b></summary>
#
# A pair gives sin a sin b + cos a cos b = cos(a − b), and a − b is the distance times the speed of that pair. The sum
# over all pairs then also depends on the distance alone.
# </details>
#
# <details><summary><b>Does BERT do it like this?</b></summary>
#
# No. BERT learns a table of 512 vectors, one for each position. It needs no formula, but it has no position 513, so
# longer texts must be cut. The Transformer's authors tried both and found nearly the same quality (table 3, row E).
# </details>

# %% [markdown]
# ## 8 · Count the parameters
#
# Below BERT's layers are the **embeddings**, a table with one vector for each word, position and segment (lesson 3);
# above them the **pooler**, one more matrix for [CLS]. With width D, feed-forward width F and V words in the
# vocabulary:
#
# | part | parameters |
# |---|---|
# | embeddings of words, positions, segments | (V + 512 + 2) · D |
# | attention, in each layer | 4 · (D² + D) |
# | feed-forward, in each layer | D·F + F + F·D + D |
# | LayerNorm, one after the embeddings and two in each layer | 2 · D each |
# | pooler | D² + D |
#
# BERT-base has V = 30,522, D = 768, F = 3,072 and L = 12 layers. That makes:

# %%
counts = count_parameters(preset("base"))
print(f"{sum(counts.values()):,} parameters")
assert sum(counts.values()) == 109_482_240

# %% [markdown]
# Where are most of them? Use the formulas, or guess.

# %% jupyter={"source_hidden": true}
LARGE = ["word embeddings", "attention", "feed-forward"]

def all_counts():
    return score_table(["part", "parameters"], [(part, f"{count:,}") for part, count in counts.items()])

GuessBars("What percent of BERT-base's parameters is in each part, the 12 layers taken together?", LARGE,
          lambda: [100 * counts[part] / sum(counts.values()) for part in LARGE], top=100, within=7,
          axis="share of all parameters", unit="%", see=all_counts)

# %% [markdown]
# Now change the sizes. You start with a single layer. Make it BERT-base, with 12 layers. Then double the layers, or the
# hidden size (the width D). Then make it BERT-large: 24 layers, 1024 wide, 16 heads.

# %% jupyter={"source_hidden": true}
def draw_counts(layers, hidden, heads, vocabulary):
    config = preset("base", num_hidden_layers=layers, hidden_size=hidden, num_attention_heads=heads,
                    intermediate_size=4 * hidden, vocab_size=vocabulary)
    counts = count_parameters(config)
    total, largest = sum(counts.values()), max(counts, key=counts.get)
    title = f"{total:,} parameters; the largest part is {largest} with {counts[largest] / total:.0%}"
    return bars(list(counts), [n / 1e6 for n in counts.values()], "million parameters", title,
                list(counts).index(largest), form="{:,.3f}")

Explorer(draw_counts, layers=widgets.BoundedIntText(1, min=1, max=48, description="Layers"),
         hidden=widgets.BoundedIntText(768, min=1, max=4096, description="Hidden size"),
         heads=widgets.BoundedIntText(12, min=1, max=64, description="Heads"),
         vocabulary=widgets.BoundedIntText(30522, min=5, max=500000, description="Vocabulary"))

# %% [markdown]
# The four sizes, in parameters:

# %%
totals = {name: sum(count_parameters(preset(name)).values()) for name in ("base", "large")}
deeper = sum(count_parameters(preset("base", num_hidden_layers=24)).values())
wider = sum(count_parameters(preset("base", hidden_size=1536, intermediate_size=6144)).values())
assert totals == {"base": 109_482_240, "large": 335_141_888}
named = {"base": totals["base"], "twice the layers": deeper, "twice the width": wider, "large": totals["large"]}
for name, total in named.items():
    print(f"{name:16s} {total:>11,}")

# %% [markdown]
# Twice the width costs far more, because the matrices grow in both directions. The number of heads changes nothing here
# (section 5 says why), but it must divide the width.
#
# **And the first Transformer?** It has 6 encoder and 6 decoder layers, D = 512, F = 2,048, and one table of 37,000
# subwords for both languages and the output. A decoder layer has two attentions. In the paper's formulas their matrices
# have no biases, and sines need no parameters.

# %%
def count_transformer(V, D, F, L):
    attention, feed, norm = 4 * D * D, 2 * D * F + F + D, 2 * D
    encoder = L * (attention + feed + 2 * norm)
    decoder = L * (2 * attention + feed + 3 * norm)
    return V * D + encoder + decoder

transformer = count_transformer(V=37_000, D=512, F=2_048, L=6)
print(f"Transformer base: {transformer:,}")

# %% [markdown]
# Now we compare with what the papers say, in millions (M):

# %%
SAID = {"Transformer base": (65, transformer), "BERT-base": (110, totals["base"]), "BERT-large": (340, totals["large"])}
for name, (said, count) in SAID.items():
    print(f"{name:17s} paper {said:3d}M   counted {count / 1e6:5.1f}M   difference {count / 1e6 - said:+.1f}M")

# %% [markdown]
# The BERT paper rounds to the nearest ten million. The Transformer paper does not list its parts, so we cannot say
# where its other 2M are.

# %% [markdown]
# ## 9 · The same in PyTorch
#
# NumPy is easy to read; for training and for GPUs there is PyTorch. First we compare its own attention with ours:

# %%
from torch.nn.functional import scaled_dot_product_attention

words, q, k, v = look_up(SENTENCES[0])
theirs = scaled_dot_product_attention(*(torch.tensor(array)[None] for array in (q, k, v)))[0]
gap = abs(theirs.numpy() - attention(q, k, v)[0]).max()
assert gap < 1e-12
print(f"PyTorch's own attention and ours differ by {gap:.1e}")

# %% [markdown]
# Then a whole encoder layer, with our parameters:

# %%
from minibert.config import ModelConfig
from minibert.model import EncoderLayer

config = ModelConfig(hidden_size=D, num_attention_heads=4, intermediate_size=F)
twin = EncoderLayer(config).double().eval()
twin.load_state_dict({name: torch.tensor(array) for name, array in p.items()})
with torch.no_grad():
    theirs, _ = twin(torch.tensor(x))
assert np.allclose(theirs.numpy(), encoder_layer(x, p, 4)[0], atol=1e-12)
print(f"one layer, {sum(w.numel() for w in twin.parameters()):,} parameters: NumPy and PyTorch agree to 12 decimals")

# %% [markdown]
# And the count: twelve such layers of BERT-base have exactly as many parameters in PyTorch as in the formulas.

# %%
base = preset("base")
with torch.device("meta"):                                          # shapes without memory
    one_layer = sum(weight.numel() for weight in EncoderLayer(base).parameters())
formula = counts["attention"] + counts["feed-forward"] + counts["layer LayerNorms"]
assert 12 * one_layer == formula
print(f"12 layers: {12 * one_layer:,} in PyTorch, {formula:,} by the formulas")

# %% [markdown]
# ## 10 · In real English
#
# Back to the model at the top of this lesson. Here are all attention weights of one head, for a sentence of yours. Will
# the heads of the first layer look alike? Make up your mind, then go through them, and through the last layer.

# %% jupyter={"source_hidden": true}
def draw_head(text, layer, head):
    tokens, probs = look(text)
    weights = probs[layer - 1, head - 1]                        # (T, T)
    most = weights[1:-1].max(axis=1).mean()                     # over the words, without [CLS] and [SEP]
    title = f"Layer {layer}, head {head}: a word's largest weight is {most:.0%} on average"
    return attention_map(weights, tokens, title)

Explorer(draw_head, text=sentence_box("She swam to the bank."),
         layer=widgets.BoundedIntText(1, min=1, max=english.config.num_hidden_layers, description="Layer"),
         head=widgets.BoundedIntText(1, min=1, max=english.config.num_attention_heads, description="Head"))

# %% [markdown]
# Does a head have a job of its own? We measure five simple jobs on four sentences: how much of their attention do the
# words give to the token before them, to the one after them, to themselves, to [CLS], to [SEP]? (This model learned in
# part by imitating the attention of a larger one: lesson 1.)

# %% jupyter={"source_hidden": true}
SAMPLES = ["The animal did not cross the street because it was too tired.", "My uncle bought a new car last week.",
           "When the rain stopped, the children ran outside.", "The book on the table belongs to my teacher."]

def share_of_jobs(text):
    tokens, probs = look(text)
    place, T = np.arange(len(tokens)), len(tokens)
    step = place - place[:, None]                               # (T, T): from the query to the key
    jobs = {"the token before": step == -1, "the token after": step == 1, "itself": step == 0,
            "[CLS]": place == 0, "[SEP]": place == T - 1}       # each (T, T), or (T,) for all queries
    return {job: (probs * where)[:, :, 1:-1].sum(axis=-1).mean(axis=-1) for job, where in jobs.items()}    # (L, H)

measured = [share_of_jobs(text) for text in SAMPLES]
mean_share = {job: np.mean([shares[job] for shares in measured], axis=0) for job in measured[0]}
best_head = {job: np.unravel_index(shares.argmax(), shares.shape) for job, shares in mean_share.items()}

# %% [markdown]
# We say that a head prefers the one of the five to which it gives most:

# %%
JOBS = list(mean_share)
preferred = np.argmax([mean_share[job] for job in JOBS], axis=0)     # (L, H): the number of each head's job

# %% [markdown]
# Are the five jobs spread evenly over the heads?

# %% jupyter={"source_hidden": true}
def specialists():
    rows = []
    for i, (job, shares) in enumerate(mean_share.items()):
        in_layer, head = best_head[job]
        rows.append((job, f"{np.sum(preferred == i)} of {shares.size}", f"layer {in_layer + 1}, head {head + 1}",
                     f"{shares.max():.0%}"))
    alike = np.mean([1 / len(look(text)[0]) for text in SAMPLES])
    table = score_table(["job", "heads that prefer it", "best head for it", "its share"], rows)
    return f"{table}<p>For comparison: a head that gives all tokens the same gives each {alike:.0%}.</p>"

GuessChoice("Which of the five do most heads prefer?", JOBS,
            lambda: JOBS[np.bincount(preferred.ravel(), minlength=len(JOBS)).argmax()], see=specialists)

# %% [markdown]
# We chose the best head for each job on our four sentences, and the best of many always looks good where it was chosen.
# Does it do the same on yours?

# %% jupyter={"source_hidden": true}
def draw_job(text, job):
    tokens, probs = look(text)
    layer, head = best_head[job]
    ours, yours = mean_share[job][layer, head], share_of_jobs(text)[job][layer, head]
    title = f"Layer {layer + 1}, head {head + 1} gives to {job}: {ours:.0%} in our sentences, {yours:.0%} in yours"
    return attention_map(probs[layer, head], tokens, title)

Explorer(draw_job, text=sentence_box("Nobody knows where the cat sleeps."),
         job=widgets.Dropdown(options=list(best_head), description="Job"))

# %% [markdown]
# <details><summary><b>Why is one of the five the favourite of so many heads?</b></summary>
#
# Each query must give away all of its attention, even where its head finds nothing that it looks for. A token that is
# in every sentence, [CLS] or [SEP], may be a good resting place. That is a guess, and it does not say which of the two:
# in BERT it is mostly [SEP] (Clark et al., 2019, *What Does BERT Look At?*, [arXiv
# 1906.04341](https://arxiv.org/abs/1906.04341), section 3.2). They also found heads for the word before and after
# (section 3.1), and for parts of grammar (section 4).
# </details>
#
# An attention weight says where a query looks. Does it also say what **matters**? Here is another measure. Hide one
# word, as we hid [PAD] in section 4, and compare the model's predictions at [MASK] with and without it: 0% means that
# nothing changed, 100% that all of the probability moved to other words.
#
# **Guess first.** Type the word that matters most for [MASK].

# %% jupyter={"source_hidden": true}
from minibert.viz.guess import GuessWord

@torch.no_grad()
def what_matters(text):
    ids, types, tokens = packed(text)
    places = [at for at, token in enumerate(tokens) if token not in ("[CLS]", "[SEP]", "[MASK]")]
    if tokens.count("[MASK]") != 1 or not places:
        raise ValueError("write a sentence with one [MASK]")
    n, T = len(places) + 1, len(tokens)
    visible = torch.ones(n, T, T, dtype=torch.bool)             # one copy of the sentence for each word to hide,
    visible[range(n - 1), :, places] = False                    # and a last one that hides nothing
    ids, types = ids.expand(n, T), types.expand(n, T)
    probs = english.model(ids, visible, types, counted=ids == english.tokenizer.specials.mask)["tokens"].softmax(-1)
    moved = abs(probs[:-1] - probs[-1]).sum(-1) / 2             # (n - 1,)
    return [tokens[at] for at in places], moved.tolist()

GuessWord(what_matters, "The [MASK] barked at the postman.", "probability that moves when the word is hidden")

# %% [markdown]
# <details><summary><b>Does the result surprise you?</b></summary>
#
# A small word can tell what *kind* of word must follow. Hiding it may move more probability than hiding a hint about
# the meaning.
# </details>
#
# This measure is not perfect either: in training, the model never met a word that nobody may look at.
#
# Now both measures, on six sentences:

# %%
GAPS = ["The [MASK] barked at the postman.", "She paid the bill at the [MASK] with her card.",
        "The doctor gave the [MASK] some medicine.", "The king lived in a large [MASK] on the hill.",
        "He drank a cup of hot [MASK] with sugar.", "It was raining, so he took his [MASK]."]

# %% [markdown]
# In each we find the word that [MASK] looks at most, on average over all heads and layers, and the word that matters
# most. [CLS], [SEP] and [MASK] itself are left out.

# %% jupyter={"source_hidden": true}
from scipy.stats import spearmanr

both = []                                                   # sentence, looked at, matters, rank correlation
for text in GAPS:
    tokens, probs = look(text)
    words, moved_by = what_matters(text)
    weights = probs.mean(axis=(0, 1))[tokens.index("[MASK]")]
    weights = [weight for weight, token in zip(weights, tokens) if token not in ("[CLS]", "[SEP]", "[MASK]")]
    both.append((text, words[np.argmax(weights)], words[np.argmax(moved_by)], spearmanr(weights, moved_by).statistic))

# %% [markdown]
# Do the two measures name the same word?

# %% jupyter={"source_hidden": true}
def side_by_side():
    rows = [(text, looked, matters, f"{rank:+.1f}".replace("-", "−")) for text, looked, matters, rank in both]
    table = score_table(["sentence", "looked at most", "matters most", "rank correlation"], rows)
    return (f"{table}<p>The <b>rank correlation</b> compares the two measures over all words of the sentence: it is 1 "
            "if they put the words in the same order, 0 if the orders have nothing to do with each other, −1 if one is "
            "the reverse of the other.</p><p>A mean over all heads is a crude summary, and six sentences are few. "
            "Still, read attention weights with care: they show where one step of the calculation looks, not why the "
            "model says what it says.</p>")

GuessNumber("In how many of the six sentences is the word that [MASK] looks at most also the word that matters most?",
            lambda: sum(looked == matters for _, looked, matters, _ in both), within=1, see=side_by_side)

# %% [markdown]
# <details><summary><b>Why are the two measures not the same thing?</b></summary>
#
# What is handed over is the *value*: even a small weight counts if the value is large. A word also reaches [MASK] by
# detours: a neighbour looks at it in one layer, and [MASK] looks at the neighbour in the next. Jain and Wallace (2019,
# *Attention is not Explanation*, [arXiv 1902.10186](https://arxiv.org/abs/1902.10186)) began a long debate, for
# recurrent networks with one attention; Kobayashi et al. (2020, [arXiv 2004.10102](https://arxiv.org/abs/2004.10102))
# weigh values in BERT.
# </details>

# %% [markdown]
# You know every part now, so here is the whole model, live. Type a sentence, click a word to mask it, click a layer to
# open it, and in the layer a head. **Guided tour** walks you through. Then switch layers and heads off: which one does
# the prediction need most?

# %%
from minibert.viz import explore

explore(english, "She swam to the [MASK].")

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    Question("A query gives weight 0.9 to one key. What do the other keys get together?", [
        Choice("0.1", True, "Right: the attention weights of one query add up to 1."),
        Choice("0.9 each, if they fit as well", False, "The softmax shares one unit out: two keys that fit "
               "equally well get at most a half each."),
        Choice("That depends on the values", False, "Weights come from queries and keys; they only mix the values."),
    ]),
    Question("Without the division by √K, what goes wrong when K is large?", [
        Choice("The weights no longer add up to 1", False, "They always do: the softmax sees to that."),
        Choice("The softmax saturates, and its gradient is almost 0", True, "Right. One key takes nearly everything, and "
               "learning almost stops."),
        Choice("All weights become equal", False, "The other way round: that happens if we divide by too much."),
    ]),
    Question("Who may the third of five words look at in BERT, and who in GPT?", [
        Choice("BERT: all five. GPT: the first three", True, "Right. A word may always look at itself."),
        Choice("BERT: the other four. GPT: the first two", False, "In both a word may look at itself, too."),
        Choice("All five in both", False, "Then GPT could read the word it should predict."),
    ]),
    Question("We go from 12 heads to 6 and keep the width of 768. What changes?", [
        Choice("Half the weights", False, "The matrices stay 768 × 768. Only the cuts move."),
        Choice("Each head is twice as wide", True, "Right: 6 × 128 instead of 12 × 64, with as many parameters."),
        Choice("The result has half the width", False, "The heads are put together: 6 × 128 = 768 again."),
    ]),
    Question("An encoder without positions reads two sentences with the same words in another order. What happens?", [
        Choice("Each word gets the same vector in both", True, "Right: permutation equivariance."),
        Choice("The first word counts most", False, "There is no first word: attention has no order of its own."),
        Choice("It fails with an error", False, "It runs well, and that is the trap."),
    ]),
    Question("Which sentence about 110M and 340M is right?", [
        Choice("They are exact", False, "Exact counts have nine digits: 109,482,240 and 335,141,888."),
        Choice("They are rounded", True, "Right: counted part by part, they have 109.5M and 335.1M parameters."),
        Choice("They count the heads twice", False, "Heads add no parameters at all."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **Attention**: compare a query with all keys, divide by √K, softmax, mix the values. `softmax(q kᵀ / √K) v`.
# - **√K** keeps the spread of the scores at 1, so that the softmax has gradients to learn from.
# - **Attention mask**: BERT hides padding, GPT also the future. A translator's decoder looks at the other sentence,
#   too.
# - **Heads**: several softmaxes on parts of the width, with no extra parameters.
# - **A layer**: attention mixes words, the feed-forward part works on each alone; residuals slow the mixing, LayerNorm
#   keeps the numbers at the same size.
# - **Positions** must be added, or a sentence is a bag of words. The Transformer uses sines, BERT a learned table.
# - **In a trained model** some heads have jobs that you can name. Attention weights say where a head looks, not what
#   matters most.
# - **Counted**: Transformer base 63.0M (paper: 65M), BERT-base 109.5M (110M), BERT-large 335.1M (340M).
#
# ## Read on
#
# - Vaswani et al. (2017), *Attention Is All You Need*, [arXiv 1706.03762](https://arxiv.org/abs/1706.03762): section
#   3.2 (attention, heads), 3.3 (feed-forward), 3.5 (positions), table 3 (what each part is worth).
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 3 (sizes), figure 2
#   (input).
# - Ba et al. (2016), *Layer Normalization*, [arXiv 1607.06450](https://arxiv.org/abs/1607.06450): section 3.
# - Clark et al. (2019), *What Does BERT Look At?*, [arXiv 1906.04341](https://arxiv.org/abs/1906.04341): section 3.
# - Hendrycks and Gimpel (2016), *Gaussian Error Linear Units*, [arXiv 1606.08415](https://arxiv.org/abs/1606.08415):
#   section 2.
# - In the package: `minibert/reference/attention.py`, `positions.py` and `encoder.py`; `minibert/model/` has the same
#   in PyTorch.
#
# **Next**: the exercise `exercises/02_attention`, where you write all of this yourself. Then lesson 3: how text becomes
# the numbers that go in.
