# %% [markdown]
# # 2 · Attention: how words look at each other
#
# *She swam to the bank. She paid at the bank.* You know which bank is meant, because you look at the other words. This
# lesson builds the part of BERT that does the same: **attention**.
#
# **After this lesson you can**
#
# - compute attention by hand, for one word and for a sentence,
# - say who may look at whom in BERT, in GPT and in a translator,
# - explain each part of a Transformer layer, and count its parameters,
# - read a trained model's attention, and say what it does not tell you.
#
# **You need** lesson 1, and matrix products in NumPy. **Time:** about 80 minutes; the code alone runs in 20 seconds.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(2)

# %% [markdown]
# ## The finished thing first
#
# In this trained model, each word looks at all the others. It has several **layers**, calculations one after the other;
# in each, a word looks in several ways, called **heads**. Here is the head in which *bank* looks most at a word that is
# not its neighbour. Try other words and sentences.

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
import numpy as np
import torch
from minibert.data.batch import pack
from minibert.model.checkpoints.pretrained import ids_with_masks
from minibert.course.widgets.view import Controls
from minibert.course.widgets.guess import sentence_box
from minibert.course.widgets.plots import bars

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

Controls(draw_look, text=sentence_box("She swam to the bank."),
         word=widgets.Text("bank", description="Word", continuous_update=False))

# %% [markdown]
# ## Do you remember lesson 1?
#
# Choose an answer:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("Where do the labels of masked language modelling come from?", [
        Choice("From the text itself", True, "Right. The masked word is the label."),
        Choice("From people who read and label sentences", False, "That would be supervised learning, and far too "
               "expensive for billions of words."),
        Choice("There are none", False, "There is one at each masked position: the word that was there."),
    ]),
    QuizQuestion("Of 1,000 tokens, how many does BERT see as [MASK] on average?", [
        Choice("150", False, "150 are chosen, but only 80% of those become [MASK]."),
        Choice("120", True, "Right: 15% of 1,000 are chosen, and 80% of these 150 become [MASK]."),
        Choice("800", False, "80% is a share of the chosen tokens, not of all tokens."),
    ]),
    QuizQuestion("Why are 10% of the chosen tokens kept as they are?", [
        Choice("To save time", False, "The time is the same: every chosen position is predicted."),
        Choice("To pull the model's description of a word towards the word that is really there", True,
               "Right. If all were masked or replaced, the right prediction would never be the word that is seen."),
        Choice("Because they are too hard to guess", False, "The choice is random. It does not know what is hard."),
    ]),
])

# %% [markdown]
# ## 1 · One word looks around
#
# Every token (here each word is one) has three **vectors**, short lists of numbers:
# - a **query** *q*: what am I looking for?
# - a **key** *k*: what do I offer to those who look?
# - a **value** *v*: what do I hand over when somebody looks at me?
#
# In BERT, learned matrices compute them. We wrote ours by hand, so that each number has a meaning:
#
# | | 1st number | 2nd | 3rd | 4th |
# |---|---|---|---|---|
# | query and key | who | action | place | small word |
# | value | person | water (+) or money (−) | place | movement |
#
# So *bank*, with the query (1, 2, 1, 0), looks for an action above all.

# %%
TABLE = {  # word: query, key, value
    "she": ([0, 2, 0, 1], [3, 0, 0, 0], [2, 0, 0, 0]),
    "swam": ([2, 0, 2, 0], [0, 3, 1, 0], [0, 4, 0, 3]),
    "paid": ([2, 0, 2, 0], [0, 3, 1, 0], [0, -4, 0, 0]),
    "to": ([0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 1]),
    "at": ([0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0]),
    "the": ([0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0]),
    "bank": ([1, 2, 1, 0], [0, 0, 2, 0], [0, 0, 3, 0]),
    "[PAD]": ([1, 1, 1, 1], [1, 1, 1, 1], [1, 1, 1, 1]),    # a filler, for section 4
}

# %% [markdown]
# A sentence of `S` words gives three arrays of shape `(S, K)`, with `K` = 4:

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
# How well does the key of *swam* fit the query of *bank*? Compute their **dot product** on paper: multiply them number
# by number and add up. The **softmax** turns such scores into **attention weights**, which are positive and sum to 1.
# They say how much of each value goes into the result, the **context**.
#
# **Your turn.** Write this last step: add up the values, each times its weight.

# %%
from minibert.course.widgets.try_it import try_it

def mix(weights, v):
    """Return the context as a list: the rows of v, each times its weight, added up.

    >>> mix([0.5, 0.5], [[2, 0, 0], [0, 4, 0]])
    [1.0, 2.0, 0.0]
    >>> mix([0.75, 0.25, 0], [[4], [-4], [100]])
    [2.0]
    """
    ...

try_it(mix)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def mix(weights, v):
#     return (np.array(weights) @ np.array(v)).tolist()
# ```
# </details>
#
# Attention takes five lines:

# %%
def by_hand(q, k, v):
    dots = k @ q                        # (S,)  how well each key fits the query
    scores = dots / np.sqrt(len(q))     # (S,)  scaled
    exps = np.exp(scores)               # (S,)  softmax: e to the power of each score,
    probs = exps / exps.sum()           # (S,)  divided by their sum: the attention weights
    return dict(dots=dots, scores=scores, exps=exps, probs=probs, context=probs @ v)

# %% [markdown]
# Press **Next step** and check every number. Then change query and sentence.

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
from minibert.course.widgets.attention_steps import STEPS, attention_steps
from minibert.course.widgets.stepper import Stepper

SENTENCES = ["she swam to the bank", "she paid at the bank"]
MEANINGS = ["person", "water (+) or money (−)", "place", "movement"]
QUERIES = [("bank", 4), ("she", 0), ("swam / paid", 1), ("to / at", 2), ("the", 3)]

def draw(sentence, query, step):
    words, q, k, v = look_up(sentence)
    return attention_steps(words, query, q[query], k, v, MEANINGS, step=step, **by_hand(q[query], k, v))

Stepper(draw, STEPS, sentence=widgets.Dropdown(options=SENTENCES, description="Sentence"),
        query=widgets.Dropdown(options=QUERIES, description="Query"))

# %% [markdown]
# *bank* has the same query, key and value in both sentences, but a different context. That is what *contextual*
# means:

# %%
for sentence in SENTENCES:
    words, q, k, v = look_up(sentence)
    result = by_hand(q[4], k, v)
    most = result["probs"].argmax()
    print(f"{sentence}: bank gives {result['probs'][most]:.0%} of its attention to {words[most]}; "
          f"the second number of its context (water +, money −) is {result['context'][1]:+.2f}")

# %% [markdown]
# **Try:** type a query that gives *she* more than 90%. Then give most to *she* and *bank*, in equal parts.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.view import Controls, show
from minibert.course.widgets.plots import bars

def draw_mine(query):
    words, q, k, v = look_up(SENTENCES[0])
    probs = by_hand(np.array([float(number) for number in query.split()]), k, v)["probs"]
    most = probs.argmax()
    title = f"The query ({query}) looks most at “{words[most]}”: {probs[most]:.0%}"
    return bars(words, probs, "weight", title, most, form="{:.0%}", limit=1.1)

Controls(draw_mine, query=widgets.Text("1 2 1 0", description="My query", continuous_update=False))

# %% [markdown]
# <details><summary><b>One answer</b></summary>
#
# `3 0 0 0` looks for *who* and gives *she* 96%. Larger numbers make the choice sharper. `2 0 3 0` looks for *who* and
# *place*, and gives *she* and *bank* 43% each.
# </details>
#
# <details><summary><b>Why three vectors and not one?</b></summary>
#
# With one vector for everything, a word would mostly fit itself best, and *she* would fit *swam* exactly as well as
# *swam* fits *she*. With a query and a key, looking need not be mutual: *bank* gives *swam* 78%, *swam* gives *bank*
# 23%. And with a value of its own, a word can hand over something other than what it was found by.
# </details>
#
# Learned matrices compute the three from the word's **embedding** x, a learned vector: $q = x W^Q$, $k = x W^K$, $v = x
# W^V$. Each number of x weights the row beside it, and the rows are added up:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.attention_steps import vector
from minibert.course.widgets.view import View

FEATURES = ["person", "action", "place", "small word", "water (+) or money (−)", "movement"]
EMBEDDING = {"she": [1, 0, 0, 0, 0, 0], "swam": [0, 1, 0, 0, 1, 3], "paid": [0, 1, 0, 0, -1, 0],
             "to": [0, 0, 0, 1, 0, 1], "bank": [0, 0, 1, 0, 0, 0]}
MATRICES = {"query": [[0, 2, 0, 1], [2, 0, 2, 0], [1, 2, 1, 0], [0, 0, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
            "key": [[3, 0, 0, 0], [0, 3, 1, 0], [0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]],
            "value": [[2, 0, 0, 0], [0, 0, 0, 0], [0, 0, 3, 0], [0, 0, 0, 0], [0, 4, 0, 0], [0, 0, 0, 1]]}
given = {query: by_hand(np.array(query, float), *look_up(SENTENCES[0])[2:])["probs"].round(2).tolist()
         for query in [(3, 0, 0, 0), (2, 0, 3, 0), (1, 2, 1, 0), (2, 0, 2, 0)]}         # what the folds above say
assert given[3, 0, 0, 0][0] == 0.96 and given[2, 0, 3, 0][0] == given[2, 0, 3, 0][4] == 0.43
assert given[1, 2, 1, 0][1] == 0.78 and given[2, 0, 2, 0][4] == 0.23
for word, x in EMBEDDING.items():
    assert [(np.array(x) @ W).tolist() for W in MATRICES.values()] == list(TABLE[word])

def products(word):
    x = EMBEDDING[word]
    names = f"x of “{word}”", "W<sup>Q</sup>", "W<sup>K</sup>", "W<sup>V</sup>"
    heads = "".join(f"<th>{name}</th>" for name in names)
    lines = "".join(f'<tr><td style="text-align:right">{name} {vector([number], "token")}</td>'
                    + "".join(f"<td>{vector(W[i], role)}</td>" for role, W in MATRICES.items()) + "</tr>"
                    for i, (name, number) in enumerate(zip(FEATURES, x)))
    sums = "".join(f"<td><b>= {role[0]}</b> {vector(np.array(x) @ W, role)}</td>" for role, W in MATRICES.items())
    return f'<table style="margin:0">{"<tr>" + heads + "</tr>" + lines}<tr><td></td>{sums}</tr></table>'

View(products("swam"))

# %% [markdown]
# ## 2 · All words at once
#
# In **self-attention**, the words of a sentence look at one another. Their queries are the rows of a matrix Q, their
# keys of K, and their values of V. This is equation (1) of Vaswani et al. (2017), who built a network from attention,
# the **Transformer**:
#
# $$\operatorname{Attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# From now on, K is again the number $d_k$, the size of a query. In code, T counts queries and S keys; `visible` is
# for section 4.

# %%
from minibert.reference import attention
from minibert.course.widgets.source import show_source

show_source(attention, fold="The code: an exercise asks you to write it, so try that first")

# %% [markdown]
# `probs` has a row for each query and a column for each key:

# %%
words, q, k, v = look_up(SENTENCES[0])
context, probs = attention(q, k, v)
print("probs", probs.shape, "  context", context.shape, "  rows add up to", probs.sum(axis=1).round(2))
assert np.allclose(probs[4], by_hand(q[4], k, v)["probs"])
assert np.allclose(context[4], by_hand(q[4], k, v)["context"])
print("bank: by hand and all at once agree.")

# %% [markdown]
# How much attention does each word *get*?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.attention import attention_map
from minibert.course.widgets.view import figure_html
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

def looked_at(probs=probs, words=words):
    most = probs.sum(axis=0).argmax()
    title = f"“{words[most]}” gets the most attention: {probs[:, most].sum():.1f} of {len(words)}"
    return (figure_html(*attention_map(probs, words, title))
            + "<p>This is a <b>heat map</b>. Read it row by row: each row is one word looking around.</p>")

GuessBars("Each of the five words gives away 1. How much does each get, from all five together?", words,
          lambda gets=probs.sum(axis=0): gets, top=3, within=0.3, axis="attention received", see=looked_at)

# %% [markdown]
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
# A dot product is a sum of K products, so its spread (the standard deviation) grows with K (4 here, 64 in a head of
# BERT). How fast? We measure it on random queries and keys with standard deviation 1:

# %% jupyter={"source_hidden": true}
rng = np.random.default_rng(2)
SIZES = np.array([4, 16, 64, 256, 1024])
spreads = {K: (rng.normal(size=(2000, K)) * rng.normal(size=(2000, K))).sum(axis=1).std() for K in SIZES}

from minibert.course.widgets.tables import score_table

def all_spreads():
    off = max(abs(spread / np.sqrt(K) - 1) for K, spread in spreads.items())
    rows = [(str(K), spread, np.sqrt(K)) for K, spread in spreads.items()]
    table = score_table(["K", "measured spread", "√K"], rows, f"The spread grows like √K, here to within {off:.0%}")
    return f"{table}<p>So dividing by √K keeps the spread at 1, whatever K is.</p>"

GuessNumber("K grows from 4 to 64, sixteen times. How many times as large does the spread of the dot products become?",
            lambda: spreads[64] / spreads[4], within=0.5, form="{:.1f}", see=all_spreads)

# %% [markdown]
# What does the softmax make of larger scores? Choose a K, then untick the box.

# %% jupyter={"source_hidden": true}
from minibert.reference import softmax

def draw_weights(K, divided):
    rng = np.random.default_rng(5)
    q, k = rng.normal(size=K), rng.normal(size=(8, K))
    probs = softmax(k @ q / (np.sqrt(K) if divided else 1))
    title = f"K = {K}, {'divided by √K' if divided else 'not divided'}: one of 8 keys gets {probs.max():.1%}"
    order = np.argsort(-probs)
    return bars([f"key {i + 1}" for i in order], probs[order], "weight, largest first", title, form="{:.1%}", limit=1.1)

Controls(draw_weights, K=widgets.Dropdown(options=[4, 16, 64, 256, 1024], value=64, description="K"),
         divided=widgets.Checkbox(True, description="Divide by √K"))

# %% [markdown]
# Without the division, at a large K one key takes nearly everything: the softmax is **saturated**. A model learns from
# **gradients**, which say how much a result changes when a number changes a little. Those of the largest weight p, with
# respect to its query and key, contain the factor $p\,(1-p)$, almost 0 if p is almost 1.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.plots import curves

def winner(K, divide_by):
    """Return the median largest weight of 500 queries, and the median and mean length of its gradient at them."""
    rng = np.random.default_rng(K)
    q, k = rng.normal(size=(500, 1, K)), rng.normal(size=(500, 20, K))
    probs = softmax((q * k).sum(axis=2) / divide_by)                    # (500, 20)
    p, its_key = probs.max(axis=1), k[np.arange(500), probs.argmax(axis=1)]
    mean_key = (probs[:, :, None] * k).sum(axis=1)                      # (500, K)
    gradient = p[:, None] * (its_key - mean_key) / divide_by            # of p with respect to q
    lengths = np.linalg.norm(gradient, axis=1)
    return np.median(p), np.median(lengths), lengths.mean()

measured_at = {"divided by √K": [winner(K, np.sqrt(K)) for K in SIZES],
               "not divided": [winner(K, 1) for K in SIZES]}
largest, gradients = ({name: np.array(pairs)[:, i] for name, pairs in measured_at.items()} for i in (0, 1))
times = gradients["divided by √K"] / gradients["not divided"]
assert measured_at["not divided"][-1][2] > 100 * gradients["not divided"][-1]       # what the fold on medians says
PARTS = {"all of it or more": 2, "a half": 1 / 2, "a tenth": 1 / 10, "a hundredth": 1 / 100}

def both_gradients():
    drawn = curves(SIZES, {"largest weight": largest, "gradient at the query": gradients}, "K, size of a query",
                   f"Without the division the gradient at K = {SIZES[-1]} is {times[-1]:,.0f} times smaller",
                   logx=True, logy=["gradient at the query"])
    return (f"{figure_html(*drawn)}<p>Where the gradients at queries and keys vanish, nothing tells the model how to "
            "look elsewhere: the weights no longer move. At K = 64, without the division, the largest weight is "
            f"{largest['not divided'][2]:.0%}, and the gradient is {1 / times[2]:.1f} times the one with the "
            "division.</p>")

GuessChoice("K = 1024. How much of the gradient at the query is left without the division? Choose the closest.",
            list(PARTS), lambda: min(PARTS, key=lambda part: abs(np.log(PARTS[part] * times[-1]))), see=both_gradients)

# %% [markdown]
# <details><summary><b>Why √K and not K?</b></summary>
#
# K independent products with variance 1 have a sum with variance K, so a standard deviation of √K (Vaswani et al.,
# section 3.2.1). Dividing by K would make the scores too small for large K: all weights would be nearly equal.
# </details>
#
# <details><summary><b>Why does the plot show medians and not means?</b></summary>
#
# A few queries stand between two keys that fit equally well. There a tiny change moves everything from one key to the
# other. At K = 1024, not divided, their gradients lift the mean to more than 100 times the median.
# </details>

# %% [markdown]
# ## 4 · Attention masks: who may look at whom
#
# Two things must sometimes be hidden:
# - **padding**: several sequences are read at once, in a **batch**; the shorter ones are filled up with [PAD];
# - **the future**: a model that predicts the next word must not see it. Attention that hides later words is **causal**.
#
# An **attention mask** says who may look at whom: here `visible`, True or False for each pair. (Hugging Face's
# `attention_mask` has one number for each token: 1, or 0 for padding.)

# %%
from minibert.data.batch import visible_all, visible_causal

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
# Whom may *bank* see with a causal mask? Think first, then choose each mask. How much goes to [PAD]?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.attention import visibility_map

def draw_visibility(visibility):
    words, q, k, v = look_up(PADDED)
    visible = VISIBLE[visibility]                           # (T, T)
    context, probs = attention(q, k, v, visible)            # (T, K), (T, T)
    wasted = probs[:5, 5:].sum() / 5
    title = f"{visible.sum()} of {visible.size} pairs visible; the words give {wasted:.0%} of their attention to [PAD]"
    return visibility_map(visible, probs, words, title)

Controls(draw_visibility, visibility=widgets.Dropdown(options=list(VISIBLE), description="Visibility"))

# %% [markdown]
# <details><summary><b>Why may [PAD] itself still look?</b></summary>
#
# Its row is computed and then ignored: nobody looks at [PAD], and training does not count it. Hiding columns is enough.
# </details>
#
# <details><summary><b>Why is a hidden score the most negative number, and not −∞?</b></summary>
#
# e to the power of that number is 0, as wanted. But a query that sees nothing at all would have only −∞ in its
# row, and −∞ − (−∞) is nan, which spoils the whole batch. With a finite number the query gets equal weights.
# </details>
#
# Does the future leak? We change the last word's value and see whose context changes:

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
# A causal mask is GPT's rule. BERT hides only padding.
#
# ### Two sequences: cross-attention
#
# The first Transformer was a translator: its **encoder** reads English, its **decoder** writes German, word by word. In
# **cross-attention**, the query of a German word meets the keys and values of the English words.
#
# | attention | queries from | keys and values from | visible | who has it |
# |---|---|---|---|---|
# | encoder self-attention | the text | the same text | all but padding | BERT, translator |
# | decoder self-attention | the text so far | the text so far | itself and what came before | GPT, translator |
# | cross-attention (encoder-decoder attention) | the text so far | the other text | all but padding | translator |
#
# <details><summary><b>Why may BERT look to the right without cheating?</b></summary>
#
# It predicts chosen words, not the next one. 90% of them were taken out of the input: it cannot peek at those.
# </details>

# %% [markdown]
# ## 5 · Several heads
#
# *swam* asks **who** swam, and **where**, but one softmax must split its attention between the two. So we cut the D = 4
# numbers of each vector into H heads of K = D / H numbers, each with its own softmax:

# %%
from minibert.reference import merge_heads, split_heads

x = q[None]                                                 # (B, T, D): B = 1 sentence, with its two [PAD]
print("(B, T, D) =", x.shape, " becomes  (B, H, T, K) =", split_heads(x, 2).shape)
assert (merge_heads(split_heads(x, 2)) == x).all()
print("and merge_heads puts the two heads together again")

# %% [markdown]
# With two heads, the first gets *who* and *action*, the second *place* and *small word*. How much will *swam* give to
# *she* and to *bank*? Think first, then choose 2, then 4.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.attention import attention_maps

SEES = {1: ["all four numbers"], 2: ["who, action", "place, small word"], 4: ["who", "action", "place", "small word"]}

def in_heads(num_heads):
    words, *tables = look_up(SENTENCES[0])
    split = (split_heads(array[None], num_heads)[0] for array in tables)          # (H, T, K) each
    return attention(*split)

def draw_heads(heads):
    context, probs = in_heads(heads)
    title = f"In {heads} heads" if heads > 1 else "In one head"
    title += f" “swam” gives away {probs[:, 1].sum():.0f} in all"
    return attention_maps(probs, SENTENCES[0].split(), SEES[heads], title)

Controls(draw_heads, heads=widgets.Dropdown(options=[1, 2, 4], description="Heads"))

# %% [markdown]
# <details><summary><b>With four heads, why does “swam” look equally at all words in two of them?</b></summary>
#
# There its query is 0, so all scores are 0, and the softmax shares its unit equally.
# </details>
#
# In BERT, each head has its own part of the three matrices, and a fourth mixes the results. (`memory` is for
# cross-attention; `gate` can switch heads off.)

# %%
from minibert.reference import multi_head_attention

show_source(multi_head_attention, fold="The code: an exercise asks you to write it, so try that first")

# %% [markdown]
# How many **parameters** (learned numbers) does that take? BERT-base has D = 768 and 12 heads.

# %% jupyter={"source_hidden": true}
from minibert.config import count_parameters, preset

def attention_parameters(heads):
    """How many parameters the attention of one layer of BERT-base would have."""
    return count_parameters(preset("base", num_attention_heads=heads))["attention"] // 12

ANSWERS = ["fewer", "the same number", "more"]

def heads_counted():
    rows = [(str(heads), str(768 // heads), f"{attention_parameters(heads):,}") for heads in (1, 12, 24)]
    assert attention_parameters(1) == attention_parameters(24) == 4 * (768 ** 2 + 768)
    table = score_table(["heads", "columns of each", "parameters of one layer's attention"], rows)
    return (f"{table}<p>Heads divide the columns and add none: four matrices of 768 × 768 and four biases of 768 "
            "numbers, however you cut.</p>")

GuessChoice("With 24 heads, would BERT-base have fewer parameters, the same number, or more?", ANSWERS,
            lambda: ANSWERS[1 + int(np.sign(attention_parameters(24) - attention_parameters(12)))], see=heads_counted)

# %% [markdown]
# <details><summary><b>Are more heads better? Why not 768?</b></summary>
#
# Each of 768 heads would compare a single number. The Transformer paper tried several numbers of heads, measured by
# **BLEU**, a score of translations where higher is better (Vaswani et al., table 3, rows A and B):
#
# | heads | 1 | 4 | 8 | 16 | 32 | 8 | 8 |
# |---|---|---|---|---|---|---|---|
# | K, numbers in a query | 512 | 128 | 64 | 32 | 16 | 32 | 16 |
# | BLEU | 24.9 | 25.5 | 25.8 | 25.8 | 25.4 | 25.4 | 25.1 |
#
# In the first five columns, heads times K is always 512: more heads, but narrower ones, so the two effects are mixed.
# In the last two only K is smaller than in the third, and BLEU falls. (These models also have fewer parameters.)
# </details>

# %% [markdown]
# ## 6 · One layer of the encoder
#
# After attention, a **feed-forward** network works on each word alone. Each of the two is followed by a
# **residual connection**, which adds what came in, and a **LayerNorm**, which brings numbers to the same size:

# %%
from minibert.course.widgets.attention import layer_plan

show(*layer_plan())

# %% [markdown]
# The same in code:

# %%
from minibert.reference import encoder_layer, feed_forward, layer_norm

show_source(encoder_layer, fold="The code: an exercise asks you to write it, so try that first")

# %% [markdown]
# ### What is the feed-forward part for?
#
# Attention only averages values. To detect that a word is a place *and* has to do with water, we need two matrices and,
# between them, a nonlinear **activation function**; ours lets only large numbers through:
#
# $$\operatorname{FFN}(x) = \operatorname{GELU}(x W_1 + b_1)\, W_2 + b_2$$
#
# Each column of $W_1$ makes a **neuron**. We write two; x is a word's value plus its context, without
# LayerNorm:

# %%
from minibert.reference import gelu

W1 = np.array([[0, 0], [1, -1], [2, 2], [0, 0]])        # water + 2 · place; money + 2 · place
b1 = np.array([-8, -8])                                 # only a sum above 8 gets through

def two_neurons(sentence):
    words, q, k, v = look_up(sentence)
    x = v + attention(q, k, v)[0]                       # (S, K)
    return gelu(x @ W1 + b1)                            # (S, 2)

# %% [markdown]
# Guess first:

# %% jupyter={"source_hidden": true}
from minibert.readers.wording import with_minus
from minibert.course.widgets.tables import score_table

NEURONS = ["place and water", "place and money"]

def neuron_table(sentence):
    rows = [(word, *(with_minus(x, "{:.2f}") for x in row)) for word, row in zip(sentence.split(), two_neurons(sentence))]
    return score_table(["word", *NEURONS], rows)

awake = {(sentence.split()[word], NEURONS[neuron]) for sentence in SENTENCES
         for word, neuron in np.argwhere(two_neurons(sentence) > 0.5)}
assert awake == {("bank", name) for name in NEURONS}

def both_sentences():
    return ("<p><b>Only “bank” wakes a neuron: a different one in each sentence</b></p>"
            f'<div style="display:flex;flex-wrap:wrap;gap:0 3em">{"".join(map(neuron_table, SENTENCES))}</div>')

GuessChoice(f"“{SENTENCES[0]}”: which word wakes the neuron for {NEURONS[0]}?", SENTENCES[0].split(),
            lambda: SENTENCES[0].split()[two_neurons(SENTENCES[0])[:, 0].argmax()], see=both_sentences)

# %% [markdown]
# $W_2$ turns an active neuron into a vector that is added to the word. BERT-base has F = 3,072 neurons in each layer.
# Its activation function is **GELU**, a rounded form of **ReLU**, which sets negative numbers to 0:

# %%
z = np.linspace(-3, 3, 61)
relu = np.maximum(z, 0)
show(*curves(z, {"output": {"GELU (BERT)": gelu(z), "ReLU (Transformer), dashed": relu}}, "input",
             f"GELU, a rounded ReLU: {abs(gelu(z) - relu).max():.2f} apart at most", markers=False))

# %% [markdown]
# ### LayerNorm and the residual
#
# LayerNorm gives a word's numbers mean 0 and standard deviation 1, then scales and shifts them by learned numbers. We
# try 2, 4, 6, 8, and ten times these:

# %% jupyter={"source_hidden": true}
fresh = {"weight": 1.0, "bias": 0.0}
normed = layer_norm(np.array([[2.0, 4.0, 6.0, 8.0], [20.0, 40.0, 60.0, 80.0]]), fresh)

D, F = 64, 256          # BERT-base: 768, 3072, with a standard deviation of 0.02, which is 0.55 / √D

def random_layer(rng, size=0.55):
    shapes = {f"attention.{name}": (D, D) for name in ("query", "key", "value", "out")}
    shapes |= {"feed_forward.up": (F, D), "feed_forward.down": (D, F)}
    p = {f"{name}.weight": rng.normal(0, size / np.sqrt(D), shape) for name, shape in shapes.items()}
    p |= {f"{name}.bias": np.zeros(shape[0]) for name, shape in shapes.items()}
    for norm in ("attention_norm", "feed_forward_norm"):
        p |= {f"{norm}.weight": np.ones(D), f"{norm}.bias": np.zeros(D)}
    return p

OUTCOMES = ["ten times as large", "a little larger", "the same"]

def both_lists():
    gone = "<p>Only the pattern is left. The size is gone.</p>" if np.allclose(*normed) else ""
    lines = (", ".join(with_minus(x, "{:.2f}") for x in numbers) for numbers in normed)
    return "".join(f"<p>{line}</p>" for line in lines) + gone

GuessChoice("After LayerNorm, how does the second list compare with the first?", OUTCOMES, see=both_lists,
            answer=lambda: OUTCOMES[2 if np.allclose(*normed) else 0 if np.allclose(10 * normed[0], normed[1]) else 1])

# %% [markdown]
# Here is a whole layer, random as in a fresh BERT but smaller (D = 64, F = 256). We change word 3 (of 0 to 9) and see
# which results change:

# %%
from minibert.reference.encoder import sub

p = random_layer(rng)
x = rng.normal(size=(1, 10, D))                             # (B, T, D): ten words
out, probs = encoder_layer(x, p, num_heads=4)
print("in", x.shape, "  out", out.shape, "  probs", probs.shape)

y = x + (np.arange(10) == 3)[:, None]                       # (B, T, D): 1 is added to word 3
for name, part in {"feed-forward": lambda x: feed_forward(x, sub(p, "feed_forward")),
                   "the whole layer": lambda x: encoder_layer(x, p, 4)[0]}.items():
    print(f"changed by {name}:", *np.flatnonzero(abs(part(y) - part(x))[0].max(axis=1) > 1e-12))

# %% [markdown]
# Now a layer with switches for residual, LayerNorm and feed-forward:

# %%
def add_and_norm(x, change, residual, norm):
    x = x + change if residual else change
    return layer_norm(x, fresh) if norm else x

def layer(x, p, residual=True, norm=True, feed=True):
    x = add_and_norm(x, multi_head_attention(x, sub(p, "attention"), 4)[0], residual, norm)
    return add_and_norm(x, feed_forward(x, sub(p, "feed_forward")), residual, norm) if feed else x

assert np.allclose(layer(x, p), encoder_layer(x, p, 4)[0])

# %% [markdown]
# After each of twelve layers we measure how alike ten words are (mean **cosine**; 1 means the same direction) and how
# large their numbers are. What happens without the residual? Think first, then switch **Residual** off. Then try
# **LayerNorm** off, with the residual and the larger weights.

# %% jupyter={"source_hidden": true}
def watch(x):
    unit = x[0] / np.linalg.norm(x[0], axis=1, keepdims=True)       # (T, D)
    T = len(unit)
    return ((unit @ unit.T).sum() - T) / (T * (T - 1)), np.sqrt((x ** 2).mean())

def through(layers, size, seed=0, **switches):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(1, 10, D))
    seen = [watch(x)]
    for _ in range(layers):
        x = layer(x, random_layer(rng, size), **switches)
        seen.append(watch(x))
    return np.array(seen).T                                         # (2, layers + 1)

WEIGHTS = [("as in a fresh BERT", 0.55), ("twice as large", 1.1)]
for seed in range(3):                           # what the fold below says: the residual helps, but only slows
    assert through(12, 0.55, seed)[0, -1] < 0.5 < 0.99 < through(2, 0.55, seed, residual=False)[0, -1]
    assert through(12, 1.1, seed)[0, -1] > 0.99

def draw_depth(residual, norm, feed, weights):
    alike, size = through(12, weights, residual=residual, norm=norm, feed=feed)
    title = f"After 12 layers: cosine of two words {alike[-1]:.2f}, size of their numbers {size[-1]:,.2f}"
    panels = {"how alike (cosine)": {"two words": alike}, "size (root mean square)": {"numbers": size}}
    return curves(np.arange(13), panels, "layer", title, logy=["size (root mean square)"],
                  at_least={"how alike (cosine)": (-0.05, 1.05), "size (root mean square)": (0.01, 100)})

Controls(draw_depth, residual=widgets.Checkbox(True, description="Residual"),
         norm=widgets.Checkbox(True, description="LayerNorm"), feed=widgets.Checkbox(True, description="Feed-forward"),
         weights=widgets.Dropdown(options=WEIGHTS, description="Weights"))

# %% [markdown]
# <details><summary><b>Why does the residual help so much?</b></summary>
#
# Attention replaces a word by an average of words. The residual carries each word past the mixing, unchanged; a layer
# only adds a correction. It also gives gradients a shorter way back through the layers, past attention and
# feed-forward, so that deep stacks can learn. But it only slows the mixing: with the larger weights the words become
# alike in spite of it.
# </details>
#
# **Post-norm** puts LayerNorm after the residual, as here. **Pre-norm**, in many later models, puts LayerNorm before
# each part f.
#
# $$\text{post-norm: } \operatorname{LayerNorm}(x + f(x)) \qquad \text{pre-norm: } x + f(\operatorname{LayerNorm}(x))$$
#
# <details><summary><b>Why did they change it?</b></summary>
#
# At the start of training, post-norm has large gradients near the output, so the first steps must be small (a
# *warm-up*, lesson 5). With pre-norm, Xiong et al. (2020, [arXiv 2002.04745](https://arxiv.org/abs/2002.04745)) could
# train without one.
# </details>
#
# In training only, **dropout** sets each number to 0 with probability 0.1 and scales up the rest, so that the model
# cannot rely on any single one (Devlin et al., appendix A.2).

# %% [markdown]
# ## 7 · Where is a word?
#
# Does the layer notice the order of its ten words? We shuffle them before or after it, and look at *dog* in two
# sentences:

# %%
order = rng.permutation(10)
shuffled_first = encoder_layer(x[:, order], p, 4)[0]
shuffled_after = encoder_layer(x, p, 4)[0][:, order]

vectors = dict(zip(("dog", "bites", "man"), rng.normal(size=(3, D))))

def result_for_dog(sentence, positions=0):
    words = sentence.split()
    x = np.array([vectors[word] for word in words]) + positions     # (T, D)
    return encoder_layer(x[None], p, 4)[0][0, words.index("dog")]

# %% [markdown]
# Guess first:

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
# So we add to each word a vector that depends only on its position:

# %%
from minibert.reference import positional_encoding

positions = positional_encoding(3, D)                               # (T, D)
gap = abs(result_for_dog("dog bites man", positions) - result_for_dog("man bites dog", positions)).max()
assert gap > 0.1
print(f"with positions, the results for dog differ by {gap:.2f}")

# %% [markdown]
# The Transformer's **positional encoding** of position t is made of sines and cosines, from fast (i = 0) to slow:
#
# $$PE_{t,2i} = \sin\!\left(t / 10000^{2i/D}\right) \qquad PE_{t,2i+1} = \cos\!\left(t / 10000^{2i/D}\right)$$
#
# Change the position. Does the curve on the right keep its shape?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.attention import position_view

def draw_positions(length, hidden_size, position):
    if position >= length:
        raise ValueError(f"position {position} of {length}: the last one is {length - 1}")
    encoding = positional_encoding(length, hidden_size)             # (T, D)
    products = encoding @ encoding[position]                        # (T,)
    neighbour = products[position - 1 if position else 1]
    title = f"Position {position} times itself: {products[position]:.1f}; times its neighbour: {neighbour:.1f}"
    return position_view(encoding, products, position, title)

between = positional_encoding(60, 64) @ positional_encoding(60, 64).T           # (T, T)
assert all(np.allclose(row[0], row) for row in (np.diagonal(between, distance) for distance in range(60)))

Controls(draw_positions, length=widgets.BoundedIntText(60, min=2, max=512, description="Length"),
         hidden_size=widgets.Dropdown(options=[4, 16, 64, 128, 512], value=64, description="Hidden size"),
         position=widgets.BoundedIntText(20, min=0, max=511, description="Position"))

# %% [markdown]
# <details><summary><b>Why does the dot product depend on the distance alone?</b></summary>
#
# A sine and its cosine give sin a sin b + cos a cos b = cos(a − b), and a − b is the distance times their speed. So
# the sum over all such pairs depends on the distance alone.
# </details>
#
# BERT learns a table of 512 position vectors instead, so longer texts must be cut.
#
# <details><summary><b>Which is better?</b></summary>
#
# The Transformer's authors tried both: 25.8 BLEU with sines, 25.7 with a learned table (table 3, row E; BLEU scores
# translations).
# </details>

# %% [markdown]
# ## 8 · Count the parameters
#
# Below the layers, BERT adds up three embeddings: of the word, its position, and its **segment** (first or second text,
# lesson 3). Above them, the **pooler** computes tanh(W h + b) from the last vector h of [CLS], for tasks about the
# whole input. With V tokens in the vocabulary:
#
# | part | parameters |
# |---|---|
# | embeddings of words, positions, segments | (V + 512 + 2) · D |
# | attention, in each layer | 4 · (D² + D) |
# | feed-forward, in each layer | D·F + F + F·D + D |
# | LayerNorm, one after the embeddings and two in each layer | 2 · D each |
# | pooler | D² + D |
#
# A **configuration** lists a model's sizes. BERT-base has GPT's size, so that the two can be compared (Devlin et al.,
# section 3):

# %%
SYMBOLS = dict(vocab_size="V", hidden_size="D", num_hidden_layers="L", num_attention_heads="H", intermediate_size="F")
for name, value in preset("base").to_dict().items():                # the names are those of Hugging Face
    print(f"{SYMBOLS.get(name, ' ')}  {name:30s}{value:>8,}")

counts = count_parameters(preset("base"))
print(f"\n{sum(counts.values()):,} parameters")
assert sum(counts.values()) == 109_482_240

# %% [markdown]
# Where are most of them?

# %% jupyter={"source_hidden": true}
LARGE = ["word embeddings", "attention", "feed-forward"]

def all_counts():
    return score_table(["part", "parameters"], [(part, f"{count:,}") for part, count in counts.items()])

GuessBars("What percent of BERT-base's parameters is in each part, the 12 layers taken together?", LARGE,
          lambda: [100 * counts[part] / sum(counts.values()) for part in LARGE], top=100, within=7,
          axis="share of all parameters", unit="%", see=all_counts)

# %% [markdown]
# Build BERT-base: 12 layers. Double the layers, or the hidden size D. Then build BERT-large: 24 layers, 1024 wide, 16
# heads.

# %% jupyter={"source_hidden": true}
totals = {name: sum(count_parameters(preset(name)).values()) for name in ("base", "large")}
deeper = sum(count_parameters(preset("base", num_hidden_layers=24)).values())
wider = sum(count_parameters(preset("base", hidden_size=1536, intermediate_size=6144)).values())
assert totals == {"base": 109_482_240, "large": 335_141_888} and wider > 1.5 * deeper

def draw_counts(layers, hidden, heads, vocabulary):
    config = preset("base", num_hidden_layers=layers, hidden_size=hidden, num_attention_heads=heads,
                    intermediate_size=4 * hidden, vocab_size=vocabulary)
    counts = count_parameters(config)
    total, largest = sum(counts.values()), max(counts, key=counts.get)
    title = f"{total:,} parameters; the largest part is {largest} with {counts[largest] / total:.0%}"
    return bars(list(counts), [n / 1e6 for n in counts.values()], "million parameters", title,
                list(counts).index(largest), form="{:,.3f}")

Controls(draw_counts, layers=widgets.BoundedIntText(1, min=1, max=48, description="Layers"),
         hidden=widgets.BoundedIntText(768, min=1, max=4096, description="Hidden size"),
         heads=widgets.BoundedIntText(12, min=1, max=64, description="Heads"),
         vocabulary=widgets.BoundedIntText(30522, min=5, max=500000, description="Vocabulary"))

# %% [markdown]
# <details><summary><b>Why does twice the width cost more than twice the depth?</b></summary>
#
# Most parameters are in matrices whose two sides both grow with the width: they become four times as large.
# </details>
#
# **The first Transformer** has 6 encoder layers, and 6 decoder layers with two attentions each. English and German
# share about 37,000 tokens, made by byte-pair encoding (lesson 3). Here are the papers' counts and ours:

# %%
def count_transformer(V, D, F, L):      # attention without biases, sines without parameters, as in the paper
    attention, feed, norm = 4 * D * D, 2 * D * F + F + D, 2 * D
    encoder = L * (attention + feed + 2 * norm)
    decoder = L * (2 * attention + feed + 3 * norm)
    return V * D + encoder + decoder

transformer = count_transformer(V=37_000, D=512, F=2_048, L=6)
SAID = {"Transformer base": (65, transformer), "BERT-base": (110, totals["base"]), "BERT-large": (340, totals["large"])}
for name, (said, count) in SAID.items():
    print(f"{name:17s} paper {said:3d}M   counted {count / 1e6:5.1f}M   difference {count / 1e6 - said:+.1f}M")

# %% [markdown]
# <details><summary><b>Why do the papers have other numbers?</b></summary>
#
# BERT's are ours, rounded to the nearest ten million. The Transformer's authors do not list its parts, so we cannot
# explain the other 2M.
# </details>

# %% [markdown]
# ## 9 · The same in PyTorch, and a decoder
#
# A layer in PyTorch agrees with our NumPy:

# %%
from minibert.config import ModelConfig
from minibert.model import EncoderLayer

twin = EncoderLayer(ModelConfig(hidden_size=D, num_attention_heads=4, intermediate_size=F)).double().eval()
twin.load_state_dict({name: torch.tensor(array) for name, array in p.items()})
with torch.no_grad():
    theirs = twin(torch.tensor(x))[0].numpy()
assert np.allclose(theirs, encoder_layer(x, p, 4)[0], rtol=0, atol=1e-12)

in_pytorch = 12 * sum(weight.numel() for weight in EncoderLayer(preset("base")).parameters())
assert in_pytorch == counts["attention"] + counts["feed-forward"] + counts["layer LayerNorms"]
print(f"the same to 12 decimals; 12 layers of BERT-base: {in_pytorch:,} parameters, as by the formulas")

# %% [markdown]
# ### A decoder translates
#
# A decoder layer has three parts: causal self-attention, cross-attention to the encoder's `states`, feed-forward.

# %%
from minibert.model import DecoderLayer

show_source(DecoderLayer.forward)

# %% [markdown]
# In **greedy decoding**, a decoder writes the likeliest word, reads all it has written, and writes the next. **Your
# turn.** `next_word(words)` gives the likeliest word after the list `words`. Write the loop.

# %%
def decode(next_word):
    """Return the words that next_word gives, one after the other, up to "[END]", which is left out.

    >>> text = ["sie", "schwamm", "[END]"]
    >>> decode(lambda words: text[len(words)])
    ['sie', 'schwamm']
    >>> decode(lambda words: "[END]")
    []
    """
    ...

try_it(decode)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def decode(next_word):
#     words = []
#     while (word := next_word(words)) != "[END]":
#         words.append(word)
#     return words
# ```
# </details>
#
# We train a small translator on toy sentences. In German the participle comes last (*gekauft*, bought), and *the* is
# *den*, *die* or *das*, as the noun demands.

# %%
from minibert.course.unit02.toy_translation import ToyTranslator, toy_pairs

pairs = toy_pairs()
unseen, seen = pairs[:100], pairs[100:1300]
translator = ToyTranslator(seen)
right = [(source, target) for source, target in unseen if translator.translate(source)[0] == target]
print(f"{len(right)} of {len(unseen)} sentences that it has never seen are translated without a mistake")

# %% [markdown]
# Once finished, your loop translates one with an adjective and *yesterday*:

# %%
source, target = next((source, target) for source, target in right
                      if source[-4] == "the" and source[-1] == "yesterday")     # the ADJECTIVE NOUN yesterday
mine = decode(lambda words: translator.decode(source, words)[0])
print(" ".join(source))
print(" ".join(mine or translator.translate(source)[0]))

# %% [markdown]
# The decoder must choose the article before it writes the noun.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.attention import attention_maps

HEAD_NAMES = ["head 1", "head 2"]
looks = translator.translate(source)[1]                             # (H, T, S), the weights of cross-attention
article, = (word for word in target if word in ("den", "die", "das"))
NEAR = source[-5:-1]                                                # verb, "the", adjective, noun
near = looks[:, target.index(article), -5:-1].mean(axis=0)          # (4,), over both heads

def look_at_source():
    title = (f"Writing “{article}”, the decoder gives {near[3]:.0%} of its attention to “{NEAR[3]}” and {near[1]:.0%} "
             "to “the” (mean of both heads)")
    return attention_maps(looks, target, HEAD_NAMES, title, keys=source)

GuessChoice("At which of these words does the decoder look most when it writes the article?", NEAR,
            lambda: NEAR[near.argmax()], see=look_at_source)

# %% [markdown]
# Hide an English word from the cross-attention. Which German words suffer?

# %% jupyter={"source_hidden": true}
HIDE = {"nothing": 0, "the verb": -5, "“the”": -4, "the adjective": -3, "the noun": -2, "the time": -1}

def draw_translation(hidden):
    german, weights = translator.translate(source, [HIDE[hidden]] if HIDE[hidden] else [])
    said = "right" if german == target else "wrong"
    title = f"Hidden: {hidden}. The translation is {said}: {' '.join(german)}"
    if not HIDE[hidden]:                                # that map is the answer to the question above
        return f"<p><b>{title}</b></p>"
    return attention_maps(weights, german, HEAD_NAMES, title, keys=source)

Controls(draw_translation, hidden=widgets.Dropdown(options=list(HIDE), description="Hidden"))

# %% [markdown]
# <details><summary><b>Whose query is it?</b></summary>
#
# Each row is the step that writes its word. The decoder has read only the words above, so the query comes from the last
# of them (at first, from a token that says [START]).
# </details>
#
# <details><summary><b>Why can a hidden word still be translated, or another go wrong?</b></summary>
#
# The encoder's own self-attention runs first. After it, the vector of every English word also knows something about the
# others, so the decoder may get a hidden word from its neighbours, or lose with it what it needs for another.
# </details>

# %% [markdown]
# ## 10 · In real English
#
# Back to the model at the top. Do its heads look at the same words? Go through the first layer, then the last.

# %% jupyter={"source_hidden": true}
def draw_head(text, layer, head):
    tokens, probs = look(text)
    weights = probs[layer - 1, head - 1]                        # (T, T)
    most = weights[1:-1].max(axis=1).mean()                     # over the words, without [CLS] and [SEP]
    title = f"Layer {layer}, head {head}: a word's largest weight is {most:.0%} on average"
    return attention_map(weights, tokens, title)

Controls(draw_head, text=sentence_box("She swam to the bank."),
         layer=widgets.BoundedIntText(1, min=1, max=english.config.num_hidden_layers, description="Layer"),
         head=widgets.BoundedIntText(1, min=1, max=english.config.num_attention_heads, description="Head"))

# %% [markdown]
# **Your turn.** Some heads look at the token before. Compute how much: the mean over all tokens but the first.

# %%
def share_before(probs):
    """Return the mean attention to the token before, over all rows but the first, with two decimals.

    >>> share_before([[1, 0], [0.25, 0.75]])
    0.25
    >>> share_before([[1, 0, 0], [0.5, 0.5, 0], [0, 1, 0]])
    0.75
    """
    ...

try_it(share_before)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def share_before(probs):
#     return round(float(np.diagonal(probs, -1).mean()), 2)
# ```
# </details>
#
# A head's job may be to look at the token before, the token after, itself, [CLS], or [SEP]. It prefers the one that
# gets most attention over four sentences:

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
JOBS = list(mean_share)
preferred = np.argmax([mean_share[job] for job in JOBS], axis=0)     # (L, H): the number of each head's job
if english.name == "english":                                  # what the fold below says of it
    assert JOBS[np.bincount(preferred.ravel()).argmax()] == "[CLS]"

def specialists():
    rows = []
    for i, (job, shares) in enumerate(mean_share.items()):
        in_layer, head = best_head[job]
        rows.append((job, f"{np.sum(preferred == i)} of {shares.size}", f"layer {in_layer + 1}, head {head + 1}",
                     f"{shares.max():.0%}"))
    alike = np.mean([1 / len(look(text)[0]) for text in SAMPLES])
    table = score_table(["job", "heads that prefer it", "best head for it", "its share"], rows)
    return f"{table}<p>For comparison: a head that looks equally at all tokens gives each {alike:.0%}.</p>"

GuessChoice("Which of the five do most heads prefer?", JOBS,
            lambda: JOBS[np.bincount(preferred.ravel(), minlength=len(JOBS)).argmax()], see=specialists)

# %% [markdown]
# Each job's best head was chosen on our four sentences. Is it as good on yours?

# %% jupyter={"source_hidden": true}
def draw_job(text, job):
    tokens, probs = look(text)
    layer, head = best_head[job]
    ours, yours = mean_share[job][layer, head], share_of_jobs(text)[job][layer, head]
    title = f"Layer {layer + 1}, head {head + 1} gives to {job}: {ours:.0%} in our sentences, {yours:.0%} in yours"
    return attention_map(probs[layer, head], tokens, title)

Controls(draw_job, text=sentence_box("Nobody knows where the cat sleeps."),
         job=widgets.Dropdown(options=list(best_head), description="Job"))

# %% [markdown]
# <details><summary><b>Why would so many heads prefer the same?</b></summary>
#
# Each query must give away all of its attention, even where its head finds nothing that it looks for. A token that is
# in every sentence may be a good resting place. In this model it is [CLS]; in BERT it is mostly [SEP], and Clark et al.
# (2019, *What Does BERT Look At?*, [arXiv 1906.04341](https://arxiv.org/abs/1906.04341), section 3.2) argue that a head
# looks there when its job does not apply. They also found heads for the word before and after (section 3.1), and for
# parts of grammar (section 4).
# </details>
#
# A weight says where a query looks. Does it also say what **matters**? We hide one word, as we hid [PAD], and see how
# much probability moves at [MASK]. **Guess first:** type the word that matters most.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess import GuessWord

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

BARKED = "The [MASK] barked at the postman."
if english.name == "english":                                   # what the fold below says of it
    the, barked, _, _, post, *_ = what_matters(BARKED)[1]
    assert barked > the > post

GuessWord(what_matters, BARKED, "probability that moves when the word is hidden")

# %% [markdown]
# <details><summary><b>Does the result surprise you?</b></summary>
#
# A small word can tell what *kind* of word must follow. Hiding the first *the* moves more probability than hiding
# *post*, a hint about the meaning. This measure is not perfect either: in training, the model never met a word that
# nobody may look at.
# </details>
#
# Do the two measures agree? We take six sentences:

# %% jupyter={"source_hidden": true}
GAPS = [BARKED, "She paid the bill at the [MASK] with her card.",
        "The doctor gave the [MASK] some medicine.", "The king lived in a large [MASK] on the hill.",
        "He drank a cup of hot [MASK] with sugar.", "It was raining, so he took his [MASK]."]

from scipy.stats import spearmanr

both = []                                                   # sentence, looked at, matters, rank correlation
for text in GAPS:
    tokens, probs = look(text)
    words, moved_by = what_matters(text)
    weights = probs.mean(axis=(0, 1))[tokens.index("[MASK]")]
    weights = [weight for weight, token in zip(weights, tokens) if token not in ("[CLS]", "[SEP]", "[MASK]")]
    both.append((text, words[np.argmax(weights)], words[np.argmax(moved_by)], spearmanr(weights, moved_by).statistic))

def side_by_side():
    rows = [(text, looked, matters, with_minus(rank, "{:.2f}")) for text, looked, matters, rank in both]
    table = score_table(["sentence", "looked at most", "matters most", "rank correlation"], rows)
    ranks, same = [rank for *_, rank in both], sum(looked == matters for _, looked, matters, _ in both)
    return (f"{table}<p>The <b>rank correlation</b> compares the two measures over all words, without [CLS] and "
            "[SEP]: it is 1 if they put the words in the same order, 0 if the orders have nothing to do with each "
            "other, −1 if one is the reverse of the other. Here it is "
            f"{min(ranks):.2f} to {max(ranks):.2f}, and the top word is the same in {same} of {len(both)} sentences.</p>"
            "<p>A mean over all heads is a crude summary, and six sentences are few. Still, read attention weights with "
            "care: they show where one step of the calculation looks, not why the model says what it says.</p>")

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
#
# The whole encoder, live: click a word to mask it, a layer to open it, then a head. **Guided tour** walks you
# through. Switch parts off: which layer or head does the prediction need most?

# %%
from minibert.course.widgets.explorer.widget import explore

explore(english, "She swam to the [MASK].")

# %% [markdown]
# ## Check yourself
#
# Choose an answer:

# %% jupyter={"source_hidden": true}
Quiz([
    QuizQuestion("A query gives weight 0.9 to one key. What do the other keys get together?", [
        Choice("0.1", True, "Right: the attention weights of one query add up to 1."),
        Choice("0.9 each, if they fit as well", False, "The softmax shares one unit out: two keys that fit "
               "equally well get at most a half each."),
        Choice("That depends on the values", False, "Weights come from queries and keys; they only mix the values."),
    ]),
    QuizQuestion("Without the division by √K, what goes wrong when K is large?", [
        Choice("The weights no longer add up to 1", False, "They always do: the softmax sees to that."),
        Choice("The softmax saturates, and its gradient is almost 0", True, "Right. One key takes nearly everything, "
               "and learning almost stops."),
        Choice("All weights become equal", False, "The other way round: that happens if we divide by too much."),
    ]),
    QuizQuestion("Which words may the third of five words look at in BERT, and which in GPT?", [
        Choice("BERT: all five. GPT: the first three", True, "Right. A word may always look at itself."),
        Choice("BERT: the other four. GPT: the first two", False, "In both a word may look at itself, too."),
        Choice("All five in both", False, "Then GPT could read the word it should predict."),
    ]),
    QuizQuestion("We go from 12 heads to 6 and keep the width of 768. What changes?", [
        Choice("There are half as many parameters", False, "The matrices stay 768 × 768. Only the cuts move."),
        Choice("Each head is twice as wide", True, "Right: 6 × 128 instead of 12 × 64, with as many parameters."),
        Choice("The result has half the width", False, "The heads are put together: 6 × 128 = 768 again."),
    ]),
    QuizQuestion("An encoder without positions reads two sentences with the same words in another order. What happens?", [
        Choice("Each word gets the same vector in both", True, "Right: permutation equivariance."),
        Choice("The first word counts most", False, "There is no first word: attention has no order of its own."),
        Choice("It fails with an error", False, "It runs well, and that is the trap."),
    ]),
    QuizQuestion("A trained head gives a word 90% of [MASK]'s attention. What follows?", [
        Choice("Hiding that word would change the prediction most", False, "That must be measured: other heads, other "
               "layers and the size of the values count, too."),
        Choice("90% of that word's value goes into this head's result", True, "Right. How much the prediction depends "
               "on it is another question."),
        Choice("The two words mean nearly the same", False, "A key that fits a query need not be similar in meaning: "
               "a verb may look for its subject."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **Attention** compares a query with all keys, divides by √K, takes the softmax, and mixes the values. Without √K the
#   softmax saturates at a large K, and gradients vanish.
# - **Masks** hide padding in BERT, and in GPT also the future. **Cross-attention** reads another text.
# - **Heads** are softmaxes on parts of the width, with no extra parameters.
# - **In a layer**, attention mixes words, and the feed-forward part works on each alone.
# - **Positions** must be added, or the order of the words is lost.
# - **Trained attention** says where a head looks, not always what matters most.
#
# ## Read on
#
# <details><summary><b>Papers and code</b></summary>
#
# - Vaswani et al. (2017), *Attention Is All You Need*, [arXiv 1706.03762](https://arxiv.org/abs/1706.03762): section
#   3.2 (attention, heads), 3.3 (feed-forward), 3.5 (positions), table 3 (what each part is worth).
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 3 (sizes), figure 2
#   (input).
# - Ba et al. (2016), *Layer Normalization*, [arXiv 1607.06450](https://arxiv.org/abs/1607.06450): section 3.
# - Hendrycks and Gimpel (2016), *Gaussian Error Linear Units*, [arXiv 1606.08415](https://arxiv.org/abs/1606.08415):
#   section 2.
# - Clark et al. (2019), *What Does BERT Look At?*, [arXiv 1906.04341](https://arxiv.org/abs/1906.04341): section 3.
# - In the package: `minibert/reference/attention.py`, `positions.py` and `encoder.py`; `minibert/model/` has the same
#   in PyTorch, and `decoder.py`.
# </details>
#
# **Next**: [the exercise](../exercises/02_attention/02_attention.ipynb), then lesson 3.
