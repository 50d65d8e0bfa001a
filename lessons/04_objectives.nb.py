# %% [markdown]
# # 4 · Objectives: what BERT is asked
#
# *The cook stirs the ▨▨▨▨.* A model gives *soup* a probability of 54%. How good is that? A pretraining **objective**
# says what a model must predict, and turns its predictions into one number, the **loss**: the lower, the better. BERT
# has two: predict masked tokens, and answer *does this text follow that one?* You will see a model that cannot read
# answer the second.
#
# **After this lesson you can**
#
# - compute the loss of a masked token by hand, and recognise a loss that counts the wrong positions,
# - explain what it means that BERT's output layer is tied to its embeddings,
# - draw sentence pairs from documents, and name three ways in which they give away their label,
# - compare next sentence prediction with ALBERT's and StructBERT's objectives, and say why it is in doubt,
# - score an English sentence token by token.
#
# **You need** lessons 1 to 3, and logarithms. **Time:** about 85 minutes with guessing, playing and writing three small
# functions; the code alone runs in 40 seconds on two cores.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(4)

# %% [markdown]
# ## Which word does not belong?
#
# In each of eight English sentences, one word was replaced with a wrong one. Can our English BERT find it? We mask each
# token in turn, and the model predicts it from all the others. The bar over a token is its loss: the higher, the less
# the model expected it. You start with the sentence in which the wrong word stands out most. **Try** *She opened the
# giraffe and went in*.

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
import numpy as np
import torch
from minibert.data.batch import collate, visible_all
from minibert.course.widgets.view import Controls
from minibert.course.widgets.guess import sentence_box
from minibert.course.widgets.guess_then_see import GuessNumber
from minibert.course.widgets.word_to_loss import losses_html

english = minibert.load("english")
WITH_A_WRONG_WORD = {
    "The baker takes the hot bread out of the piano.": "piano", "We watched the moon rise over the cheese.": "cheese",
    "The doctor listened to the heart of her thunder.": "thunder", "In winter the lake is covered with soup.": "soup",
    "He put on his coat and his potato and went out.": "potato", "The ship sailed across the sandwich.": "sandwich",
    "The children played in the garden until it was purple.": "purple", "She opened the giraffe and went in.": "giraffe"}

def masked_in_turn(text):
    """Inputs and labels, (T, T + 2) each, for a text of T tokens: row i masks token i and asks for it."""
    ids, specials = english.tokenizer.encode(text).ids, english.tokenizer.specials
    if not 1 <= len(ids) <= 60:
        raise ValueError(f"{len(ids)} tokens: type a text of 1 to 60")
    batch = collate([(ids, None)] * len(ids), specials)
    asked = np.eye(*batch.input_ids.shape, k=1, dtype=bool)             # [CLS] stands before the first token
    return np.where(asked, specials.mask, batch.input_ids), np.where(asked, batch.input_ids, -100)

def predictions(seen, **counted):
    visible = visible_all(np.ones(seen.shape, bool))                    # no padding: all rows are equally long
    with torch.no_grad():
        return english.model(*map(torch.tensor, (seen, visible, 0 * seen)), **counted)["tokens"]

def losses_in_turn(text):
    """The tokens of a text, and the loss of each, (T,)."""
    seen, labels = masked_in_turn(text)
    logits = predictions(seen, counted=torch.tensor(labels != -100))        # (T, V): at the masked tokens alone
    right = labels[labels != -100]
    losses = -logits.log_softmax(-1)[range(len(right)), right].numpy()
    return [english.tokenizer.vocab[i] for i in right], losses

def stands_out(text):
    """Highest loss of the wrong word's tokens, minus the highest of the others."""
    encode = english.tokenizer.encode
    (_, losses), wrong = losses_in_turn(text), np.isin(encode(text).ids, encode(WITH_A_WRONG_WORD[text]).ids)
    return losses[wrong].max() - losses[~wrong].max()

margins = {text: stands_out(text) for text in WITH_A_WRONG_WORD}

def all_eight():
    return "".join(f"<p>{'✓' if margins[text] > 0 else '✗'} {text.replace(word, f'<b>{word}</b>')}</p>"
                   for text, word in WITH_A_WRONG_WORD.items())

display(Controls(lambda text: losses_html(*losses_in_turn(text)),
                 text=sentence_box(max(margins, key=margins.get))))
GuessNumber("In how many of the eight sentences does the highest bar stand over the wrong word?",
            lambda: sum(margin > 0 for margin in margins.values()), within=1, see=all_eight)

# %% [markdown]
# ## Do you remember lesson 3?
#
# You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("Two texts become one input sequence. In which order do its parts stand?", [
        Choice("[CLS] A [SEP] B [SEP]", True, "Right: [CLS] first, and a [SEP] after each text."),
        Choice("[CLS] A [CLS] B [SEP]", False, "A sequence has one [CLS], at its start."),
        Choice("A [SEP] B [CLS]", False, "[CLS] comes first, so that its place never depends on the texts."),
    ]),
    QuizQuestion("What tells the model whether a token belongs to A or to B?", [
        Choice("Its position", False, "Positions count from the left, but B can start at any of them."),
        Choice("A segment embedding", True, "Right. It is added to the token's own and its position's."),
        Choice("A different vocabulary for B", False, "Both texts use the same tokens."),
    ]),
    QuizQuestion("Why does a batch contain [PAD]?", [
        Choice("To hide words from the model", False, "That is [MASK]. [PAD] hides nothing."),
        Choice("To make all sequences equally long", True, "Right. The attention mask keeps it out of sight. Section "
               "4 asks what happens if the loss counts it."),
        Choice("To end a sentence", False, "That is [SEP]."),
    ]),
])

# %% [markdown]
# ## 1 · One masked word, by hand
#
# The encoder's output is one vector for each token, its **hidden state**. BERT's **output head** turns the hidden state
# at a `[MASK]` into a probability for every word of the vocabulary. Our vocabulary has 6 words, and each vector 4 numbers,
# which mean *edible, liquid, a tool, a person*. The head's own matrix W adds half of *liquid* to *edible*, and doubles
# *liquid*.

# %%
import numpy as np

WORDS = ["soup", "tea", "bread", "ladle", "river", "cook"]
TABLE = np.array([[2, 2, 0, 0], [1, 3, 0, 0], [3, 0, 0, 0],
                  [0, 0, 3, 0], [-2, 3, 0, 0], [0, 0, 0, 3.0]])             # (V, D): a row for each word
BIAS = np.array([1, 0, 0.5, 0, 0, 0.5])                                     # (V,): how frequent each is
W = np.array([[1, 0.5, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])  # (D, D)

# %% [markdown]
# You know GELU, LayerNorm and the softmax from lesson 2. The scores that go into the softmax are called **logits**.

# %%
from minibert.reference import gelu

def by_hand(hidden):
    transformed = W @ hidden                                        # (D,)
    activated = gelu(transformed)                                   # (D,)
    normed = (activated - activated.mean()) / np.sqrt(activated.var() + 1e-12)      # (D,)
    dots = TABLE @ normed                                           # (V,)  how well does each word fit?
    logits = dots + BIAS                                            # (V,)
    exps = np.exp(logits)                                           # (V,)
    return dict(transformed=transformed, activated=activated, normed=normed, dots=dots, logits=logits,
                exps=exps, probs=exps / exps.sum())

# %% [markdown]
# **Guess first.** The encoder has read *the cook stirs the [MASK]*. The hidden state at `[MASK]` is (1, 1, −1, 0):
# rather edible, rather liquid, not a tool. Which two words will be the most probable? Press **Next step** and check
# each number. Then choose another word as the right one, and type another vector.

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
from minibert.course.widgets.stepper import Stepper
from minibert.course.widgets.word_to_loss import STEPS, word_to_loss

def walk(vector, stood_there, step):
    hidden = np.array([float(number) for number in vector.split()])
    return word_to_loss(WORDS, TABLE, WORDS.index(stood_there), hidden, bias=BIAS, step=step,
                        **by_hand(hidden))

Stepper(walk, STEPS, vector=widgets.Text("1 1 -1 0", description="Vector", continuous_update=False),
        stood_there=widgets.Dropdown(options=WORDS, description="Word"))

# %% [markdown]
# The package's own head gives the same logits:

# %%
from minibert.reference import token_head

hidden = np.array([1, 1, -1, 0.0])
head = {"transform.weight": W, "transform.bias": np.zeros(4), "norm.weight": np.ones(4),
        "norm.bias": np.zeros(4), "decoder.weight": TABLE, "decoder.bias": BIAS}
assert np.allclose(token_head(hidden, head), by_hand(hidden)["logits"])
p = by_hand(hidden)["probs"][WORDS.index("soup")]
print(f"logits {token_head(hidden, head).round(2)}; soup: p = {p:.2f}, loss −ln p = {-np.log(p):.2f}")

# %% [markdown]
# The loss is the **cross-entropy**: −ln p, where p is the probability of the right word.
#
# <details><summary><b>Why does one right word teach something about all the others?</b></summary>
#
# Probabilities sum to 1. To give *soup* more, the model must take it from the others, so the gradient reaches the
# logits of all six words, and in BERT those of all 30,522 tokens.
# </details>
#
# ## 2 · Why minus the logarithm?
#
# A prediction that is right and certain should cost nothing, a wrong one a lot. So why not 1 − p? Take two bad
# predictions: one gives the right word p = 0.01, the other 0.001.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses
from minibert.course.widgets.plots import bars, curves

def both_costs():
    p = np.linspace(0.001, 0.99, 200)           # at 1 both lines end in one point
    return curves(100 * p, {"cost of the prediction": {"−ln p": np.log(1 / p), "1 − p": 1 - p}},
                  "p of the right word (%)",
                  f"−ln p never stops growing: {-np.log(p[0]):.1f} at p = 0.001, where 1 − p is {1 - p[0]:.3f}",
                  markers=False)

GuessNumber("With 1 − p, the second prediction costs 0.009 more than the first. How much more with −ln p?",
            lambda: np.log(0.01 / 0.001), within=0.4, form="{:.1f}", see=both_costs)

# %% [markdown]
# With 1 − p, a hopeless prediction costs hardly more than a bad one, and teaches hardly anything: the gradient with
# respect to the right word's logit is −p (1 − p), close to 0. With −ln p it is −(1 − p), close to −1.
#
# There is a deeper reason. Suppose the masked word is *soup* in 70 of 100 texts, *tea* in 30, and nothing else differs.
# An honest model gives 70% and 30%. **Your turn:** write the mean cost of a prediction. Weight the cost of each word by
# its share.

# %%
from math import log
from minibert.course.widgets.try_it import try_it

def mean_cost(shares, probs):
    """Return the mean of −ln p, rounded to 2 digits. `shares`: how often each word is right.

    >>> mean_cost([0.7, 0.3], [0.7, 0.3])
    0.61
    >>> mean_cost([0.7, 0.3], [0.9, 0.1])
    0.76
    """
    ...

try_it(mean_cost)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def mean_cost(shares, probs):
#     return round(sum(-share * log(p) for share, p in zip(shares, probs)), 2)
# ```
#
# </details>
#
# The honest prediction costs 0.61, the boastful one more. Training moves a model to where the cost is lowest. And with
# 1 − p?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.view import figure_html

said = np.linspace(0.001, 0.999, 999)                           # probability that the model gives to soup
costs = {"−ln p": -0.7 * np.log(said) - 0.3 * np.log(1 - said), "1 − p": 0.7 * (1 - said) + 0.3 * said}
cheapest = {name: said[cost.argmin()] for name, cost in costs.items()}

def cheapest_words():
    truth, boast = cheapest["−ln p"], cheapest["1 − p"]
    drawing = curves(100 * said, {"mean cost": costs}, "probability given to soup (%)",
                     f"Cheapest: {truth:.0%} with −ln p, the true share; {boast:.0%} with 1 − p", markers=False)
    return figure_html(*drawing) + (
        "<p>So 1 − p rewards exaggeration.</p>")

GuessNumber("The cost is 1 − p. What percentage for soup costs least on average?",
            lambda: 100 * cheapest["1 − p"], within=5, form="{:.0f}%", see=cheapest_words)

# %% [markdown]
# With −ln p, no model can do better than 0.61 here. A model that knows nothing gives each of V words the probability
# 1/V, so its loss is ln V. If a training run does not start near it, look for a bug.

# %%
for size, name in ((6, "our six words"), (2, "yes or no"), (30_522, "BERT's vocabulary")):
    print(f"{name + ':':19s} ln {size:,} = {np.log(size):.2f}")

# %% [markdown]
# ## 3 · The same in a real model, and a table used twice
#
# Now the small BERT of this course, and lives (short biographies) in our generated language that it has not read.
# (Without the model, a smaller one is trained first, in half a minute.)

# %%
import torch
from minibert.data.batch import collate, visible_all
from minibert.course.models.class_model import class_model
from minibert.generated import World
from minibert.training.pretraining import encode_documents

model, tokenizer = class_model()
vocab, PAD = list(tokenizer.vocab), tokenizer.specials.pad
documents = list(World(7).documents(600, seed=3, split="dev"))
lives = [document.sentences for document in documents if document.kind == "life"]
held_out_lives = encode_documents(lives, tokenizer)

# %% [markdown]
# Its output head has the same parts as ours:

# %%
real_head = {name: weight.numpy() for name, weight in model.heads["tokens"].state_dict().items()}
for name, weight in real_head.items():
    print(f"{name:18s} {weight.shape}")
print(f"ln V = ln {len(vocab):,} = {np.log(len(vocab)):.2f}")

# %% [markdown]
# You start with the first word of five letters or more that the model gets right. Which other word gives it away?
# **Delete** it: how does the loss change? Then **try** a text of your own.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.view import Controls
from minibert.course.widgets.guess import guesses_html

def hidden_at_mask(text):
    """The hidden state at the one [MASK] of a text, (D,)."""
    if text.count("[MASK]") != 1:
        raise ValueError(f"{text.count('[MASK]')} times [MASK]: there must be one")
    left, right = text.split("[MASK]")
    ids = [*tokenizer.encode(left).ids, tokenizer.specials.mask, *tokenizer.encode(right).ids]
    batch = collate([(ids, None)], tokenizer.specials)
    with torch.no_grad():
        inputs = map(torch.tensor, (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
        out = model.encoder(*inputs)
    return out["hidden"][0, batch.input_ids[0].tolist().index(tokenizer.specials.mask)].numpy()

def probs_at_mask(text):
    logits = token_head(hidden_at_mask(text), real_head)                        # (V,)
    return np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()

def first_right():
    """The first held-out sentence with a masked word that the model gets right (or any), and this word."""
    tried = []
    for sentence in (sentence for life in lives for sentence in life):
        words = sentence.split()
        for i, word in enumerate(words[:-1]):
            masked = " ".join([*words[:i], "[MASK]", *words[i + 1:]])
            if len(word) > 4 and word in vocab:
                tried.append((masked, word))
                if vocab[probs_at_mask(masked).argmax()] == word:
                    return masked, word
    return tried[0]

def ask(text, word):
    if word not in vocab:
        raise ValueError(f"{word!r} is not a token of this vocabulary")
    probs = probs_at_mask(text)
    mine, top = vocab.index(word), probs.argsort()[::-1][:5]
    loss = -np.log(probs[mine])
    told = f"<p>“{word}” got p = {probs[mine]:.4f}, so the loss is −ln p = <b>{loss:.2f}</b>.</p>"
    return told + guesses_html([(vocab[i], probs[i]) for i in top])

known, known_word = first_right()
Controls(ask, text=widgets.Text(known, description="My text", layout={"width": "620px", "max_width": "98%"},
                                continuous_update=False),
         word=widgets.Text(known_word, description="Right word", continuous_update=False))

# %% [markdown]
# `decoder.weight` has one vector for each token of the vocabulary. So has the embedding table, and for a good reason:

# %%
embeddings = model.encoder.embeddings.word.weight                       # (V, D)
print("decoder.weight is the embedding table:", model.heads["tokens"].decoder.weight is embeddings)

# %% [markdown]
# The output head is **tied** to the embeddings: a token's row is its vector in the input and its weights in the output.
# The head asks: *whose embedding fits this vector best?* Tokens with similar embeddings get similar logits. The nearest
# neighbours of a few words:

# %%
unit = embeddings.detach().numpy()
unit = unit / np.linalg.norm(unit, axis=1, keepdims=True)               # (V, D)
for word in ("cook", "owl", "violin", "march"):
    if word in vocab:
        near = (unit @ unit[vocab.index(word)]).argsort()[::-1][1:6]
        print(f"{word:8s}", *(vocab[i] for i in near))

# %% [markdown]
# BERT-base has 109.5 million weights without its heads, with embeddings of 768 numbers for each of 30,522 tokens.

# %% jupyter={"source_hidden": true}
V, D = 30_522, 768

def head_in_parts():
    parts = {"BERT-base without heads": 109_482_240, "transform and LayerNorm": D * D + D + 2 * D,
             "a bias for each token": V, "a second table, if not tied": V * D}
    title = f"Tying saves {V * D / 1e6:.1f} million weights; the head adds {(D * D + 3 * D + V) / 1e6:.2f} million"
    return bars(list(parts), [size / 1e6 for size in parts.values()], "million weights", title, chosen=3,
                form="{:.2f}")

GuessNumber("How many million weights more would BERT-base have if its output used a second table?",
            lambda: V * D / 1e6, within=3, form="{:.1f} million", see=head_in_parts)

# %% [markdown]
# <details><summary><b>Why does tying help, apart from the size?</b></summary>
#
# A row of a second table would be pulled towards its contexts only when its word is chosen. A shared row also learns
# whenever the word is read. Press and Wolf (2017) and Inan et al. (2017) showed that tying improves language models.
# </details>
#
# <details><summary><b>Why the transform before the table?</b></summary>
#
# Without it, the encoder's last layer itself would have to produce vectors in the space of the embeddings. The
# transform translates, and is thrown away after pretraining. (The paper does not mention it; the authors' code has it.)
# </details>
#
# <details><summary><b>Why a bias for each token?</b></summary>
#
# *the* is more frequent than *ladle*, whatever the text. The bias can store that, so that the vectors need not.
# </details>
#
# ## 4 · Only the chosen positions count
#
# In masked language modeling (MLM), 15% of the tokens are chosen. Their label is their true id. Everywhere else the
# label is −100 (`IGNORE`): this position is left out. `hide` replaces 80% of the chosen tokens with `[MASK]`, 10% with
# random ones, and keeps 10%:

# %%
from minibert.objectives import MLM
from minibert.course.widgets.source import show_source

show_source(MLM.corrupt)

# %% [markdown]
# We apply it to 64 sequences, and compute −ln p of the true token at every position.

# %%
from scipy.special import log_softmax

objective = MLM(tokenizer.specials, len(tokenizer), max_length=24)
batch = objective.collate(objective.build(held_out_lives, None)[0][:64])
inputs, labels = objective.corrupt(batch, np.random.default_rng(4))
labels = labels["tokens"]                                                       # (B, T)
with torch.no_grad():
    logits = model(**{name: torch.tensor(array) for name, array in inputs.items()})["tokens"]
logits = logits.numpy()                                                         # (B, T, V)
losses = -np.take_along_axis(log_softmax(logits, -1), batch.input_ids[..., None], -1)[..., 0]   # (B, T)

# %% [markdown]
# Chosen tokens are framed, with label and loss below. Which were masked, replaced, kept? Choose other sequences, too.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.word_to_loss import row_losses

def draw_row(row):
    seen = [vocab[i] for i in inputs["input_ids"][row]]
    asked = [vocab[i] if i >= 0 else "" for i in labels[row]]
    return row_losses(seen, asked, losses[row])

masked, kept = inputs["input_ids"] == tokenizer.specials.mask, inputs["input_ids"] == labels
kinds = [(some & (labels != -100)).any(axis=1) for some in (masked, kept, ~(masked | kept))]
most_varied = int(np.sum(kinds, axis=0).argmax())                       # all three kinds, if a sequence has them
Controls(draw_row, row=widgets.BoundedIntText(most_varied, min=0, max=63, description="Sequence"))

# %% [markdown]
# The loss of a batch is one mean over the chosen positions of all its sequences:

# %%
from minibert.reference import mlm_loss

count = (labels != -100).sum()
assert np.isclose(mlm_loss(logits, labels), losses[labels != -100].mean())
print(f"{labels.size} positions, {batch.real.sum()} without padding, {count} of them chosen")
print(f"mlm_loss: {mlm_loss(logits, labels):.3f}")

# %% [markdown]
# Three ways to get it wrong: divide by all positions; give the seen tokens a label, too; or use `[PAD]` as the label in
# place of −100 (we assume that our model, which never learned to predict `[PAD]`, gives it 1/V).

# %%
def four_means(length):
    """The four formulas, with the sequences padded to this length."""
    positions, chosen, real = len(labels) * length, losses[labels != -100], losses[batch.real]
    return {"chosen only (right)": chosen.mean(), "÷ all positions": chosen.sum() / positions,
            "seen tokens, too": real.mean(),
            "[PAD] for −100": (chosen.sum() + (positions - len(chosen)) * np.log(len(vocab))) / positions}

LENGTHS = [24, 48, 96, 192]
by_length = {name: [four_means(length)[name] for length in LENGTHS] for name in four_means(24)}

# %% [markdown]
# We pad the same sequences to other lengths.

# %% jupyter={"source_hidden": true}
def draw_means():
    right = by_length["chosen only (right)"][0]
    return curves(LENGTHS, {"loss": by_length}, "length of the padded sequences",
                  f"One model, one batch: the loss is {right:.2f}, whatever the padding", logx=True,
                  at_least={"loss": (0, 9)})

def unchanged():
    return str(sum(np.ptp(values) < 1e-6 for values in by_length.values()))

GuessChoice("How many of the four numbers stay the same, however much padding there is?",
            ["1", "2", "3", "4"], unchanged, see=draw_means)

# %% [markdown]
# A loss that depends on the padding, or counts seen tokens, cannot be compared across batches or with a paper's.
# And what does a model *learn* from such a formula? We train small models on tiny texts (*the weaver weaves the cloth
# with a loom on friday*). Only the labels differ (dividing by all positions only shrinks the gradient):

# %%
def right_labels(labels, batch):
    return labels

def seen_too(labels, batch):
    return np.where(batch.real, batch.input_ids, -100)

def pad_for_ignore(labels, batch):
    return np.where(labels == -100, PAD, labels)

KINDS = {"chosen only (right)": right_labels, "seen tokens, too": seen_too, "[PAD] for −100": pad_for_ignore}

# %% [markdown]
# Folded: the texts, the training, and an exam, which uses the right formula for all. (Most exam texts occur in training.)

# %% jupyter={"source_hidden": true}
from torch.nn import functional as F
from minibert.config import preset
from minibert.model import Encoder
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece

TRADES = [trade.split() for trade in (
    "cook stirs soup ladle", "baker kneads dough pin", "tailor sews coat needle", "smith forges blade hammer",
    "gardener plants rose spade", "painter paints wall brush", "barber cuts beard razor", "farmer mows meadow scythe",
    "teacher marks essay pencil", "doctor treats wound bandage", "sailor steers boat rudder",
    "potter shapes bowl wheel", "mason lays brick trowel", "weaver weaves cloth loom", "cobbler mends boot awl",
    "hunter tracks deer bow")]
DAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
PLACES = "market harbour village castle garden valley".split()

def tiny_text(rng):
    who, does, what, tool = TRADES[rng.integers(len(TRADES))]
    when = f" on {DAYS[rng.integers(len(DAYS))]}" if rng.random() < 0.5 else ""
    where = f" near the {PLACES[rng.integers(len(PLACES))]}" if rng.random() < 0.5 else ""
    return [f"the {who} {does} the {what} with a {tool}{when}{where}"]

tiny_rng = np.random.default_rng(0)
tiny_train, tiny_exam = ([tiny_text(tiny_rng) for _ in range(count)] for count in (3000, 300))
assert np.mean([text in tiny_train for text in tiny_exam]) > 0.5
words = count_words(sentence for text in tiny_train for sentence in text)
pieces = FastWordPiece(train_wordpiece(words, 400))
tiny = MLM(pieces.specials, len(pieces), 16)
tiny_rows = tiny.build(encode_documents(tiny_train, pieces), None)[0]
exam_batch = tiny.collate(tiny.build(encode_documents(tiny_exam, pieces), None)[0])
exam_inputs, exam_labels = tiny.corrupt(exam_batch, np.random.default_rng(6))
exam_asked = exam_labels["tokens"] != -100                                          # (B, T)
exam_right = torch.tensor(exam_labels["tokens"][exam_asked])                        # (N,)
exam_masked = torch.tensor((exam_inputs["input_ids"] == pieces.specials.mask)[exam_asked])
frequency = np.bincount([token for row, _ in tiny_rows for token in row], minlength=len(pieces))
frequency_loss = -np.log((frequency / frequency.sum())[exam_right]).mean()

SMALL = preset("class", vocab_size=len(pieces), num_hidden_layers=1, hidden_size=64, num_attention_heads=2,
               intermediate_size=128, max_position_embeddings=16)
STEPS_EACH, EVERY = 200, 20

def logits_at(small, inputs, asked):
    return small(**{name: torch.tensor(array) for name, array in inputs.items()}, counted=asked)["tokens"]

def exam(small):
    """(loss, share right at [MASK], share right at the other chosen tokens), in the right formula."""
    with torch.no_grad():
        logits = logits_at(small.eval(), exam_inputs, torch.tensor(exam_asked))
    right = logits.argmax(-1) == exam_right
    shares = (right[some].float().mean() for some in (exam_masked, ~exam_masked))
    numbers = F.cross_entropy(logits, exam_right), *shares
    return list(map(float, numbers))

def train_with(relabel, seed):
    """(losses shown while training, exams), a number and an exam for every 20 steps."""
    torch.manual_seed(seed)
    rng, small, shown, exams = np.random.default_rng(seed), tiny.model(Encoder(SMALL)), [], []
    optimizer = torch.optim.AdamW(small.parameters(), lr=3e-3)
    for step in range(1, STEPS_EACH + 1):
        some = tiny.collate([tiny_rows[i] for i in rng.integers(len(tiny_rows), size=32)])
        inputs, right = tiny.corrupt(some, rng)
        asked_for = torch.tensor(relabel(right["tokens"], some))
        counted = asked_for != -100
        loss = F.cross_entropy(logits_at(small.train(), inputs, counted), asked_for[counted])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        shown.append(loss.item())
        if step % EVERY == 0:
            exams.append(exam(small))
    return np.reshape(shown, (-1, EVERY)).mean(axis=1), np.array(exams)

# %% [markdown]
# Each kind is trained three times, from different random weights.

# %%
runs = {name: [train_with(relabel, seed) for seed in range(3)] for name, relabel in KINDS.items()}
shown = {name: np.mean([losses for losses, _ in three], axis=0) for name, three in runs.items()}
exams = {name: np.array([exam for _, exam in three]) for name, three in runs.items()}  # (seed, time, 3)

# %% [markdown]
# During training, each model shows the loss of its own formula.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.tables import score_table

def from_to(numbers, form):
    low, high = form.format(min(numbers)), form.format(max(numbers))
    return low if low == high else f"{low} to {high}"

def shown_and_true():
    last = {name: three[:, -1] for name, three in exams.items()}                # (seed, 3) each
    loss = {name: three[:, 0] for name, three in last.items()}
    right, seen, pad = KINDS
    apart = loss[seen].mean() - loss[right].mean()
    assert frequency_loss > max(loss[right].max(), loss[seen].max()) and loss[pad].min() > loss[right].max()
    assert shown[seen][-1] < shown[right][-1] / 3
    panels = {"loss shown while training": shown,
              "loss in the exam": {name: three[:, :, 0].mean(axis=0) for name, three in exams.items()}
              | {"frequencies only": np.full(STEPS_EACH // EVERY, frequency_loss)}}
    drawing = curves(np.arange(EVERY, STEPS_EACH + 1, EVERY), panels, "step",
                     f"“{pad}” shows {shown[pad][-1]:.2f}, the right one {shown[right][-1]:.2f}. In the exam: "
                     f"{loss[pad].mean():.2f} and {loss[right].mean():.2f}", markers=False,
                     at_least={name: (0, 4) for name in panels})
    heads = ["labels", "loss shown (mean)", "loss in the exam", "right at [MASK]", "right at other chosen tokens"]
    table = score_table(heads, [(name, f"{shown[name][-1]:.2f}", from_to(three[:, 0], "{:.2f}"),
                                 from_to(100 * three[:, 1], "{:.0f}%"), from_to(100 * three[:, 2], "{:.0f}%"))
                                for name, three in last.items()],
                        "At the end, from the lowest to the highest of three runs")
    passed = EVERY * (1 + int((panels["loss in the exam"][right] < frequency_loss).argmax()))
    verdict = "a tie" if abs(apart) < 0.1 else "they are worse" if apart > 0 else "they are even better"
    return (f"{figure_html(*drawing)}{table}<p><b>Seen tokens, too:</b> the loss shown is "
            "far lower, as most of what it counts need only be copied. "
            f"In the exam, the two differ by {abs(apart):.2f} ({verdict}). The number misleads.</p>"
            "<p><b>[PAD] for −100:</b> "
            "a [MASK] tells the model that a word is asked for, and there it learns. A chosen token that was replaced "
            "or kept looks like the others, whose label is [PAD], so there it tends to predict [PAD].</p>"
            "<p><b>Frequencies only</b> is the loss of predicting how "
            f"frequent each word is, whatever the text. The right model is below it after {passed} steps.</p>")

GuessChoice("Which of the three shows the lowest loss at the end of its training?", list(KINDS),
            lambda: min(shown, key=lambda name: shown[name][-1]), see=shown_and_true)

# %% [markdown]
# In richer text, a model may know only the frequencies for a long time: it stays on a **plateau**, where the loss hardly
# decreases (lesson 10). Compare objectives only after it. And before you ask how low a loss is, ask what it counts.
#
# <details><summary><b>Why not predict the visible tokens as well, then?</b></summary>
#
# It needs logits at all positions instead of 15%, for tokens that are soon copied without a mistake. But more questions
# for each text can pay. ELECTRA's authors tried it with replaced tokens in place of `[MASK]`, so that the model cannot
# know which ones to copy: 84.3 on GLUE, against BERT's 82.2 (Clark et al., 2020, table 5). Best of all was another
# question at every position: *was this token replaced?* (85.0)
# </details>
#
# <details><summary><b>Why is the mean taken over the batch, and not sequence by sequence?</b></summary>
#
# So that each chosen token has the same weight. In a mean of means, a token that is the only chosen one of its sequence
# would weigh as much as five tokens of another.
# </details>
#
# ## 5 · The second question: does B follow A?
#
# Many tasks are about two texts, such as a question and a passage. So BERT has a second objective, **next sentence
# prediction** (NSP): given two segments, A and B, does B follow A? In half of the examples it does (label 0, *IsNext*).
# In the other half B is **foreign**: it comes from another document (label 1, *NotNext*). The model predicts the label
# from the vector of `[CLS]`. Three documents, P, Q and R:

# %%
from minibert.course.widgets.view import View
from minibert.course.widgets.sentence_pairs import documents_html, pairs_html

STORIES = [["The cook wakes up.", "He greets the ladle.", "The soup is hot.", "Nobody eats it."],
           ["A storm came.", "The river rose.", "We lost the bridge."], ["For sale: one cello."]]
View(documents_html(STORIES))

# %% [markdown]
# Each sentence counts as one token here, and a sequence has room for four. Press *New draw* a few times. Which label do
# pairs that begin with R1 get? And what becomes of P2 when P1 gets a foreign B?

# %%
from minibert.data.packing import nsp_examples
from minibert.course.widgets.masking import Redraws

AS_IDS = [[[sentence] for sentence in story] for story in STORIES]

def draw_pairs(number):
    rows, labels = nsp_examples(AS_IDS, 3 + 4, np.random.default_rng(number))       # 3 special tokens
    return pairs_html(STORIES, rows, labels, {0: "B follows A", 1: "another document"})

Redraws(draw_pairs)

# %% [markdown]
# Despite its name, *next sentence* is about segments of one or more sentences. After a foreign B, the sentences that
# would have been B start the next pair. If the document has no sentence left, B must be foreign: R1 always gets
# label 1.
#
# The loss is the same cross-entropy, with two classes. BERT's training loss is the sum of both (Devlin et al., appendix
# A.2):

# %%
from minibert.reference import nsp_loss
from minibert.training.pretraining import bert_objective

both = bert_objective(tokenizer, max_length=32)
rows, row_labels = both.build(held_out_lives, np.random.default_rng(0))
pair_inputs, pair_labels = both.corrupt(both.collate(rows[:64], row_labels[:64]), np.random.default_rng(1))

def bert_loss(one):
    with torch.no_grad():
        out = one.eval()(**{name: torch.tensor(array) for name, array in pair_inputs.items()})
    mlm = mlm_loss(out["tokens"].numpy(), pair_labels["tokens"])
    nsp = nsp_loss(out["pair"].numpy(), pair_labels["pair"])
    return mlm, nsp, mlm + nsp

# %% [markdown]
# Does a model with random weights start near ln V + ln 2? Does the pretrained one beat both ln V and ln 2?

# %%
torch.manual_seed(0)
fresh = both.model(type(model.encoder)(model.encoder.config))
starts = np.log(len(vocab)), np.log(2), np.log(len(vocab)) + np.log(2)
each_loss = {"ln V, ln 2": starts, "random weights": bert_loss(fresh), "pretrained": bert_loss(model)}
for name, each in each_loss.items():
    print(f"{name:15s} MLM {each[0]:.2f} + NSP {each[1]:.2f} = {each[2]:.2f}")

# %% [markdown]
# ## 6 · Three leaks, and a wrong label
#
# A **shortcut** is a sign that predicts the label without the skill that we want to teach. It can leak in when the
# pairs are drawn. **Leak one: short documents.** We cut documents to a few sentences, and draw pairs.

# %%
held_out = encode_documents([document.sentences for document in documents[:150]], tokenizer)

def share_of_ones(sentences):
    short = [document[:sentences] for document in held_out]
    draws = [nsp_examples(short, 128, np.random.default_rng(seed)) for seed in range(10)]
    return np.mean([label for _, labels in draws for label in labels])

# %% [markdown]
# With one sentence per document, all examples have label 1. And with two?

# %% jupyter={"source_hidden": true}
def shares_of_ones():
    lengths = np.arange(1, 7)
    ones = np.array([share_of_ones(n) for n in lengths])
    drawing = curves(lengths, {"share of examples with label 1": {"examples": ones}}, "sentences in a document",
                     f"Short documents make label 1 likelier: {ones[0]:.0%} at one sentence, {ones[1]:.0%} at two, "
                     f"{ones[-1]:.0%} at six", at_least={"share of examples with label 1": (0, 1)})
    return figure_html(*drawing) + (
        "<p>Half of the documents of two sentences give one example, with label 0. In the other half B is foreign, and "
        "the second sentence goes back: <i>two</i> examples with label 1. Always predicting 1 is "
        f"right in {ones[1]:.0%}. Compare with the larger class, never with 50%.</p>") + our_model()

def our_model():
    """Explain the pretrained model's NSP loss, if it is above ln 2."""
    drawn = [nsp_examples(held_out, 112, np.random.default_rng(seed)) for seed in range(10)]
    last = {tuple(document[-1]) for document in held_out}
    ends, ones = np.mean([(tuple(a) in last, label) for pairs in drawn for (a, b), label in zip(*pairs)
                          if len(a) + len(b) <= 32 - 3], axis=0)
    with torch.no_grad():
        pair = model(**{name: torch.tensor(array) for name, array in pair_inputs.items()})["pair"].numpy()
    said, have = (pair.argmax(-1) == 1).mean(), pair_labels["pair"].mean()
    if each_loss["pretrained"][1] < np.log(2) or min(said, ones) < have + 0.1:
        return ""
    return (f"<p>In sequences of up to 112 tokens, {ones:.0%} of the pairs that fit in 32 have label 1 (in {ends:.0%}, A "
            f"is a last sentence). Of section 5's short pairs, {have:.0%} have it; our pretrained model predicts it for "
            f"{said:.0%}. So its loss is above ln 2.</p>")

GuessNumber("Each document has two sentences. What percentage of the examples get label 1?",
            lambda: 100 * share_of_ones(2), within=6, form="{:.0f}%", see=shares_of_ones)

# %% [markdown]
# **Leak two: lengths.** The package makes a foreign B as long as the true one, unless its document ends before. Suppose
# instead that B is the rest of the document when it follows, and a single sentence when it is foreign:

# %%
def careless(docs, rng):
    for document in docs:
        cut = int(rng.integers(1, len(document)))
        other = docs[rng.integers(len(docs))]
        foreign = int(rng.integers(2))
        b = other[rng.integers(len(other))] if foreign else sum(document[cut:], [])
        yield (sum(document[:cut], []), b), foreign

# %% [markdown]
# How good is the best rule that looks only at the length of B (*up to this length: label 1*)?

# %% jupyter={"source_hidden": true}
def best_cut(rows, labels):
    """(accuracy of the best rule, share of the larger class)."""
    sizes, labels = np.array([len(b) for _, b in rows]), np.array(labels)
    right = [np.mean((sizes <= size) == labels) for size in range(sizes.max() + 1)]
    return max(right), max(labels.mean(), 1 - labels.mean())

long_enough = [document for document in held_out if len(document) > 1]
careless_pairs = [pair for seed in range(5) for pair in careless(long_enough, np.random.default_rng(seed))]
careless_rows, careless_labels = zip(*careless_pairs)

def both_ways_to_draw():
    package = [nsp_examples(held_out, 128, np.random.default_rng(seed)) for seed in range(5)]
    rows, labels = (sum((list(each[part]) for each in package), []) for part in (0, 1))
    last = {tuple(document[-1]) for document in held_out}
    inner = [(row, label) for row, label in zip(rows, labels) if tuple(row[0]) not in last]
    drawn = {"carelessly drawn examples": (careless_rows, careless_labels), "the package's examples": (rows, labels),
             "these without leak one (a document's last sentence as A, always with a foreign B)": list(zip(*inner))}
    said = "<p>Of {}, the length of B alone gets {:.0%} right. Always predicting the larger class: {:.0%}.</p>"
    return "".join(said.format(name, *best_cut(*rows)) for name, rows in drawn.items())

GuessNumber("What percentage of the carelessly drawn examples does this rule get right?",
            lambda: 100 * best_cut(careless_rows, careless_labels)[0], within=6, form="{:.0f}%", see=both_ways_to_draw)

# %% [markdown]
# **A wrong label.** `careless` has another fault: it draws the foreign B from *all* n documents, so one in n comes from
# A's own, and its label is wrong. Copies of one text have the same effect. That is not a leak but **label noise**: wrong
# labels here and there. BERT's own code draws again, up to ten times.
#
# **Leak three: the topic.** It comes from the definition of NSP, so no careful drawing avoids it.
#
# ## 7 · A model that reads nothing
#
# A foreign B is usually about something else. The simplest model that could notice has a **bag of words** for A and one
# for B: the words of a text without their order. The fewer training documents a word occurs in, the more it counts.
# This weight is called **IDF**, inverse document frequency.

# %%
from collections import Counter

def words_of(sentence):
    return [word.strip(".,:;!?\"'") for word in sentence.lower().split()]

train_docs = [[words_of(s) for s in text.sentences] for text in World(7).documents(2000, seed=1)]
test_docs = [[words_of(s) for s in text.sentences] for text in World(7).documents(600, seed=1, split="dev")]
documents_with = Counter(word for document in train_docs for word in set(sum(document, [])))
IDF = {word: np.log(len(train_docs) / (1 + documents_with[word]))
       for document in train_docs + test_docs for word in sum(document, [])}

# %% [markdown]
# **Your turn:** add up the weights of the words that are in both texts.

# %%
def shared_weight(a, b, weights):
    """Return the sum of the weights of the words that are in both lists, each word once.

    >>> shared_weight(["the", "cook", "sings"], ["the", "cook", "the"], {"the": 0.5, "cook": 2, "sings": 3})
    2.5
    >>> shared_weight(["the", "cook"], ["a", "storm"], {})
    0
    """
    ...

try_it(shared_weight)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def shared_weight(a, b, weights):
#     return sum(weights[word] for word in set(a) & set(b))
# ```
#
# </details>
#
# Folded: this sum for a list of pairs.

# %% jupyter={"source_hidden": true}
def shared(rows):
    return np.array([sum(IDF[word] for word in sorted(set(a) & set(b))) for a, b in rows])     # (N,)

# %% [markdown]
# Above a threshold learned from training pairs, the model predicts *B follows A*:

# %%
def learn_threshold(rows, labels):
    overlaps, labels = shared(rows), np.array(labels)
    tried = np.quantile(overlaps, np.linspace(0, 1, 200))
    return max(tried, key=lambda t: np.mean((overlaps < t) == labels))

threshold = learn_threshold(*nsp_examples(train_docs, 63, np.random.default_rng(1)))
test_rows, test_labels = nsp_examples(test_docs, 63, np.random.default_rng(2))
overlap, labels_array = shared(test_rows), np.array(test_labels)

# %% [markdown]
# On its own texts, BERT reached 97 to 98% in NSP (Devlin et al., section 3.1). And the bags on ours?

# %% jupyter={"source_hidden": true}
by_topic = np.mean((overlap < threshold) == labels_array)

def how_far_apart():
    larger = max(labels_array.mean(), 1 - labels_array.mean())
    edges = np.linspace(0, 24, 9)
    kinds = {"B follows A": overlap[labels_array == 0], "another document": overlap[labels_array == 1]}
    found = {name: np.histogram(np.minimum(each, 23.9), edges)[0] / len(each) for name, each in kinds.items()}
    fig, told = curves(edges[:-1] + 1.5, {"share of the pairs": found}, "weight of the shared words",
                       f"The threshold (line), {threshold:.1f}, gets {by_topic:.0%} right, "
                       f"the larger class alone {larger:.0%}")
    fig.axes[0].axvline(threshold, color="#000000", linewidth=1)
    return figure_html(fig, told) + "<p>(The last point stands for everything from 21 on.)</p>"

GuessNumber("What percentage of the pairs does the bag of words get right?", lambda: 100 * by_topic, within=5,
            form="{:.0f}%", see=how_far_apart)

# %% [markdown]
# A BERT may use the same shortcut.
#
# ## 8 · Break it
#
# How do you find out *why* a model is right? Change what should matter, and see whether it notices. We cut each
# document in half, which gives A and its true B, and change the pair. The last change is the hardest: the foreign B
# that shares most with A.

# %%
halves = [(sum(d[:len(d) // 2], []), sum(d[len(d) // 2:], [])) for d in test_docs]
firsts, seconds = zip(*halves)
rng = np.random.default_rng(3)

def most_similar(i):
    return max(seconds[:i] + seconds[i + 1:], key=lambda b: shared([(firsts[i], b)])[0])

TESTS = {"the true B": halves, "A and B exchanged": [(b, a) for a, b in halves],
         "words shuffled": [tuple(map(list, map(rng.permutation, pair))) for pair in halves],
         "B of another document": list(zip(firsts, (*seconds[1:], seconds[0]))),
         "the most similar foreign B": [(firsts[i], most_similar(i)) for i in range(len(halves))]}

# %% [markdown]
# A reader would accept only the true B. And the model of section 7?

# %% jupyter={"source_hidden": true}
follows = {name: np.mean(shared(rows) >= threshold) for name, rows in TESTS.items()}

def what_it_says():
    true = follows["the true B"]
    assert true == follows["A and B exchanged"] == follows["words shuffled"]
    return (f"<p>Order makes no difference: {true:.0%} in three cases. The most similar foreign B fools it in "
            f"{follows['the most similar foreign B']:.0%} of the pairs. It has not learned whether B follows A, only "
            "whether they are about the same things.</p>")

GuessBars("Of 100 pairs of each kind, for how many does the model say “B follows A”?", list(follows),
          lambda: [100 * share for share in follows.values()], top=100, within=12, axis="says “B follows A”", unit="%",
          see=what_it_says)

# %% [markdown]
# Ask it yourself. You start with the first held-out life whose first two sentences it accepts. **Try:**
# exchange A and B; shuffle the words; keep only a name in B; put this name into a sentence about something else.

# %% jupyter={"source_hidden": true}
import html

def ask_bags(a, b):
    weight = {word: IDF.get(word, RAREST) for word in sorted(set(words_of(a)) & set(words_of(b)))}
    total = sum(weight.values())
    terms = " + ".join(f"{html.escape(word)} {weight[word]:.1f}"
                       for word in sorted(weight, key=weight.get, reverse=True)) or "No word is in both"
    says = "B follows A" if total >= threshold else "B comes from another document"
    return (f"<p>{terms}{' =' if weight else ':'} <b>{total:.1f}</b>; the threshold is {threshold:.1f}. "
            f"The bags say: <b>{says}</b>.</p>")

RAREST, WIDE = max(IDF.values()), {"width": "620px", "max_width": "98%"}
accepted = next(life for life in lives if "follows" in ask_bags(*life[:2]))
Controls(ask_bags, a=widgets.Text(accepted[0], description="A", layout=WIDE, continuous_update=False),
         b=widgets.Text(accepted[1], description="B", layout=WIDE, continuous_update=False))

# %% [markdown]
# ## 9 · Sentence order
#
# ALBERT (Lan et al., 2020) replaces NSP with **sentence order prediction** (SOP): A and B are consecutive segments of
# one document, exchanged in half of the examples. So the topic says nothing. Press *New draw*. Where is document R?

# %%
from minibert.data.packing import sop_examples

def draw_orders(number):
    rows, labels = sop_examples(AS_IDS, 3 + 4, np.random.default_rng(number))
    return pairs_html(STORIES, rows, labels, {0: "in order", 1: "exchanged"})

Redraws(draw_orders)

# %% [markdown]
# A single sentence has no order, so R is left out. The model of section 7, from now on the *topic model*, learns a new
# threshold from such pairs.

# %% jupyter={"source_hidden": true}
order_train, order_train_labels = sop_examples(train_docs, 63, np.random.default_rng(1))
order_test, order_labels = sop_examples(test_docs, 63, np.random.default_rng(2))
new_threshold = learn_threshold(order_train, order_train_labels)
on_order = np.mean((shared(order_test) < new_threshold) == np.array(order_labels))

GuessNumber("In what percentage of the examples is the topic model right about the order?", lambda: 100 * on_order,
            within=4, form="{:.0f}%",
            see=lambda: "<p>A and B share the same words in both orders, so its number is the same.</p>")

# %% [markdown]
# Does SOP have no shortcut, then? A second model, the *order model*, sees the bag of A minus the bag of B. **Guess
# first:** which words show that a segment comes first?

# %%
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

bag = CountVectorizer(analyzer=list, binary=True, min_df=5)
bag.fit([sum(document, []) for document in train_docs])

def sides(rows):
    return bag.transform([a for a, _ in rows]) - bag.transform([b for _, b in rows])            # (N, words)

order_model = LogisticRegression(C=10, max_iter=2000).fit(sides(order_train), order_train_labels)
names, weights = bag.get_feature_names_out(), order_model.coef_[0].argsort()
print(f"right about the order: {order_model.score(sides(order_test), order_labels):.0%}")
print("more in the first segment: ", *names[weights[:12]])
print("more in the second segment:", *names[weights[:-13:-1]])

# %% [markdown]
# Some words open a text, others continue one (in our generated language more regularly than in real text). So SOP has a
# shortcut, too, but one about how texts go on.
#
# ## 10 · Next, previous, or foreign
#
# StructBERT asks for topic and order at once. So did Cheng et al., in the same months:
#
# | objective | from | labels (B follows A = next, A follows B = previous) |
# |---|---|---|
# | NSP | BERT (Devlin et al., 2019) | next, foreign: a half each |
# | SOP | ALBERT (Lan et al., 2020) | next, previous: a half each |
# | sentence structural objective | StructBERT (Wang et al., 2020) | next, previous, foreign: a third each |
# | NSP with previous sentence prediction | Cheng et al. (2019) | next, previous, foreign. Sentences near A count as next or previous, too, with **label smoothing**: the label gets a little less than 1, the other classes the rest |
#
# Three models try the third objective: from the topic model's sum, the order model's score, or both.

# %%
from minibert.data.packing import structural_examples

QUESTIONS = {"next sentence": nsp_examples, "sentence order": sop_examples,
             "next, previous, foreign": structural_examples}

def topic_input(rows):
    return shared(rows)[:, None] / 10                                   # (N, 1)

def both_inputs(rows):
    overlaps, order = topic_input(rows), order_model.decision_function(sides(rows))[:, None]
    return np.hstack([overlaps, order, overlaps * order])               # (N, 3)

# %% [markdown]
# Each is a logistic regression:

# %% jupyter={"source_hidden": true}
def scores(question):
    (rows, kinds), (exam_rows, exam_kinds) = (QUESTIONS[question](docs, 63, np.random.default_rng(seed))
                                              for docs, seed in ((train_docs, 1), (test_docs, 2)))
    def score(make):
        return LogisticRegression(C=100, max_iter=2000).fit(make(rows), kinds).score(make(exam_rows), exam_kinds)
    return {"always the largest class": np.bincount(exam_kinds).max() / len(exam_kinds), "topic": score(topic_input),
            "order": score(lambda rows: both_inputs(rows)[:, 1:2]), "both": score(both_inputs)}

found = {question: scores(question) for question in QUESTIONS}

def which_trick():
    three = found["next, previous, foreign"]
    table = score_table(["question", *three], [(question, *(f"{share:.0%}" for share in reached.values()))
                                               for question, reached in found.items()])
    alone = max(three["topic"], three["order"])
    return (f"{table}<p>With three labels, one shortcut alone reaches at most {alone:.0%}, both together "
            f"{three['both']:.0%}.</p>")

GuessBars("Next, previous or foreign: what percentage of the examples does each model get right?",
          list(found["next, previous, foreign"]), lambda: [100 * s for s in found["next, previous, foreign"].values()],
          top=100, within=10, axis="accuracy", unit="%", see=which_trick)

# %% [markdown]
# ## 11 · Was it worth it?
#
# What matters is how well the model does after fine-tuning. Three papers removed or replaced NSP (development sets: F1
# for SQuAD 1.1, accuracy for the others; the best of each paper in bold).
#
# | paper | trained with | SQuAD 1.1 | MNLI | SST-2 |
# |---|---|---|---|---|
# | BERT, table 5 | NSP | **88.5** | **84.4** | **92.7** |
# | | no NSP | 87.9 | 83.9 | 92.6 |
# | RoBERTa, table 2 | NSP, pairs of segments | 90.4 | 84.0 | **92.9** |
# | | NSP, pairs of single sentences | 88.7 | 82.9 | 92.1 |
# | | no NSP, full sequences | 90.4 | **84.7** | 92.5 |
# | | no NSP, one document each | **90.6** | **84.7** | 92.7 |
# | ALBERT, table 5 | no NSP | 88.6 | 81.5 | 89.9 |
# | | NSP | 88.4 | 81.6 | **91.1** |
# | | SOP | **89.3** | **82.0** | 90.3 |
#
# - **BERT** is a little worse without NSP, and clearly worse on **QNLI** (does a sentence answer a question? 84.9
#   against 88.4).
# - **RoBERTa** is about as good without NSP. Its authors suspect that BERT's experiment removed the *loss* but kept the
#   *pairs*, and that single sentences are too short to learn long-range dependencies (section 4.2).
# - **ALBERT**: SOP is best on average over five tasks (80.1, NSP 79.2, neither 79.0). Trained with NSP, the model
#   reaches 90.5% in NSP but 52.0% in SOP, near chance, as in section 9. Trained with SOP: 78.9% in NSP, 86.5% in SOP.
#
# <details><summary><b>Why can the model trained with SOP do NSP at all?</b></summary>
#
# Knowing how a text goes on helps to notice a B that does not continue it. But a common topic says nothing about which
# half comes first.
# </details>
#
# <details><summary><b>Why might NSP help with QNLI all the same?</b></summary>
#
# QNLI also compares two texts, and *are they about the same thing?* is a good part of the answer.
# </details>
#
# ## 12 · In real English
#
# Back to the English model. A text of T tokens becomes T sequences, and each masks a different token. The text's
# **pseudo-perplexity** is e to the power of their mean loss (Salazar et al., 2020): the model is as uncertain as if it
# chose among that many equally likely tokens.

# %%
sentence = "The keeper climbed the stairs of the lighthouse every evening."
seen_rows, true_ids = masked_in_turn(sentence)                          # (T, T + 2) each
for row in seen_rows[:3]:
    print(*(english.tokenizer.vocab[i] for i in row))
mean_loss = mlm_loss(predictions(seen_rows).numpy(), true_ids)
print(f"... {len(seen_rows)} sequences. Mean loss {mean_loss:.2f}; pseudo-perplexity {np.exp(mean_loss):.0f}")

# %% [markdown]
# *Pseudo*, because each token is predicted from all the others. In the **perplexity** of a language model it is
# predicted from those before it, and the product of these probabilities is that of the sentence. **Your turn:** write
# the pseudo-perplexity.

# %%
from math import exp, log

def pseudo_perplexity(probs):
    """Return e to the mean of −ln p over the tokens of a sentence, rounded to 2 digits.

    >>> pseudo_perplexity([0.1, 0.1, 0.1])
    10.0
    >>> pseudo_perplexity([0.5, 0.125])
    4.0
    """
    ...

try_it(pseudo_perplexity)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def pseudo_perplexity(probs):
#     return round(exp(sum(-log(p) for p in probs) / len(probs)), 2)
# ```
#
# </details>
#
# **Guess first:** which token will have the highest loss? Type it. Then **try** your own sentence: replace a word with
# a synonym, break the grammar, or use a long and rare word.

# %% jupyter={"source_hidden": true}
import html

def costliest(text, guess):
    tokens, losses = losses_in_turn(text)
    if guess.strip().lower() not in tokens:
        return f"<p>Guess one of these, and press Enter: {html.escape(', '.join(dict.fromkeys(tokens)))}</p>"
    rank = 1 + sum(losses > max(losses[i] for i, token in enumerate(tokens) if token == guess.strip().lower()))
    told = f"Mean loss {losses.mean():.2f}, pseudo-perplexity {np.exp(losses.mean()):.0f}."
    return losses_html(tokens, losses) + f"<p>By loss, your token is number {rank} of {len(tokens)}. {told}</p>"

Controls(costliest, text=sentence_box("My sister plays the violin in a small orchestra."),
         guess=widgets.Text(description="My guess", placeholder="one token", continuous_update=False))

# %% [markdown]
# <details><summary><b>Why does a long and rare word not always have the highest loss?</b></summary>
#
# The vocabulary cuts it into subwords, and only one of them is masked at a time. The others show the model which word
# it is, so its loss is too low. To compare sentences, also mask the subwords to the right in the same word (Kauf and
# Ivanova, 2023).
# </details>
#
# ### Does B follow A?
#
# Six short texts, written for this lesson, two each about bread, bees and ice, are cut into A and B.

# %% jupyter={"source_hidden": true}
PARAGRAPHS = {
    "bread 1": ("Grandmother baked on Saturdays. She mixed flour, water and salt before the rest of us were awake, and "
                "covered the bowl with a cloth.",
                "By noon the dough had doubled. She shaped it into three loaves, and until evening the whole house smelled "
                "of the oven."),
    "bread 2": ("The new bakery on our street opens at six. People stand in line for its rolls, even when it rains, and "
                "by eight they are sold out.",
                "The owner says that the secret is time. He lets his dough rest for two days before he bakes it."),
    "bees 1": ("A bee that has found flowers tells the others about them. Back in the hive she dances in the dark, and the "
               "others follow her.",
               "The angle of her dance gives the direction. The longer she dances, the farther they have to fly to the "
               "flowers."),
    "bees 2": ("My uncle keeps six hives behind the barn. On the first warm day in April he puts on his veil, opens them "
               "and looks for the queen.",
               "If she is there and lays eggs, he closes the lid again. If not, he must find a new queen for the hive, or "
               "he loses it."),
    "ice 1": ("The path to the glacier used to take ten minutes. When I came back after thirty years, I walked for an "
              "hour over bare stones.",
              "A sign showed where the ice had ended in the year when I was born. Now there was a lake, and the glacier "
              "began behind it."),
    "ice 2": ("Ice looks solid, but under its own weight it flows. In a valley, a glacier moves faster in the middle than "
              "at its sides.",
              "You can see this with a row of stakes across the ice. After a year it is no longer straight, but a curve "
              "that points down the valley."),
}

# %% [markdown]
# How probable is it that B follows A? (Texts are truncated to 60 tokens.)

# %%
def follows_in_english(pairs):
    """Probability that B follows A, (N,), for N pairs of texts."""
    ids = [tuple(english.tokenizer.encode(text).ids[:60] for text in pair) for pair in pairs]
    batch = collate(ids, english.tokenizer.specials)
    inputs = map(torch.tensor, (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
    with torch.no_grad():
        return english.model(*inputs)["pair"].softmax(-1)[:, 0].numpy()

# %% [markdown]
# **Guess first:** choose the B that follows. Then you see what the model says of each B.

# %% jupyter={"source_hidden": true}
first_parts, second_parts = zip(*PARAGRAPHS.values())
SHUFFLED = np.random.default_rng(4).permutation(len(PARAGRAPHS))

def which_follows(number, guess):
    told = f"<p><b>A:</b> {first_parts[number - 1]}</p>" + "".join(
        f"<p><b>B{place}:</b> {second_parts[i]}</p>" for place, i in enumerate(SHUFFLED, 1))
    if guess == "–":
        return told
    true = 1 + list(SHUFFLED).index(number - 1)
    probs = follows_in_english([(first_parts[number - 1], second_parts[i]) for i in SHUFFLED])
    notes = {guess: "your guess"} | {f"B{true}": "it follows" + (", and you knew" if guess == f"B{true}" else "")}
    return told + guesses_html([(f"B{place}", p) for place, p in enumerate(probs, 1)], notes)

number = widgets.Dropdown(options=range(1, 1 + len(PARAGRAPHS)), description="Text A")
guess = widgets.Dropdown(options=["–", *(f"B{i}" for i in range(1, 1 + len(PARAGRAPHS)))], description="My guess")
number.observe(lambda _: setattr(guess, "value", "–"), "value")         # a new text needs a new guess
Controls(which_follows, number=number, guess=guess)

# %% [markdown]
# As in section 8, we change the pair:

# %%
count = len(PARAGRAPHS)
CHANGES = {"the true B": zip(first_parts, second_parts), "A and B exchanged": zip(second_parts, first_parts),
           "A once more": zip(first_parts, first_parts),
           "same subject, other text": zip(first_parts, [second_parts[i ^ 1] for i in range(count)]),
           "another subject": zip(first_parts, [second_parts[(i + 2) % count] for i in range(count)])}
means = {name: float(follows_in_english(list(pairs)).mean()) for name, pairs in CHANGES.items()}

# %% [markdown]
# Is it fooled?

# %% jupyter={"source_hidden": true}
def fooled_by():
    false = {name: mean for name, mean in means.items() if name != "the true B"}
    most = [f"“{name}”" for name, mean in false.items() if mean > max(false.values()) - 0.01]
    assert max(false.values()) > 0.5
    return (f"<p>{' and '.join(most)} fool{'s' * (len(most) == 1)} it most: {max(false.values()):.0%}. (Six pairs "
            "are few.) In its training, a false B came from another document, mostly about something else. It never "
            "saw A and B exchanged, or A twice. A model learns only what it needs to tell the pairs of its training "
            "apart.</p>")

GuessBars("How probable does the model find it that B follows A, on average over six pairs?", list(means),
          lambda: [100 * mean for mean in means.values()], top=100, within=15, unit="%", see=fooled_by,
          axis="mean probability that B follows A")

# %% [markdown]
# You start with the true pair about which the model is most certain. **Try** a B that contradicts A, and a B that
# starts with *Therefore* but has nothing to do with A.

# %% jupyter={"source_hidden": true}
def ask_english(a, b):
    forwards, backwards = follows_in_english([(a, b), (b, a)])
    return guesses_html([("B follows A", forwards), ("exchanged: A follows B", backwards)])

surest = follows_in_english(list(zip(first_parts, second_parts))).argmax()
Controls(ask_english,
         a=widgets.Textarea(first_parts[surest], description="A", rows=2, layout=WIDE, continuous_update=False),
         b=widgets.Textarea(second_parts[surest], description="B", rows=2, layout=WIDE, continuous_update=False))

# %% [markdown]
# Finally, both output heads at once. Change B, and watch them.

# %%
from minibert.course.widgets.explorer.widget import explore

explore(english, "She put the [MASK] into the lock.", "Then she opened the door.")

# %% [markdown]
# ## Check yourself
#
# Try the wrong choices, too: each is explained.

# %% jupyter={"source_hidden": true}
Quiz([
    QuizQuestion("At one [MASK] the right word got p = 0.05, at another p = 0.5. What is their loss?", [
        Choice("About 1.84", True, "Right: −ln 0.05 = 3.00, −ln 0.5 = 0.69, and their mean is 1.84."),
        Choice("About 1.29", False, "That is −ln of the mean probability, 0.275. First the logarithms, then the mean."),
        Choice("0.725", False, "That is the mean of 1 − p, which rewards exaggeration."),
    ]),
    QuizQuestion("An untrained model with a vocabulary of 30,522 shows a loss of 1.55 in its first step. What is likely?", [
        Choice("It was lucky with its first weights", False, "Without training it knows nothing: ln 30,522 = 10.33."),
        Choice("Its sum was divided by all positions", True, "Right: 15% are chosen, and 0.15 × 10.33 = 1.55."),
        Choice("The learning rate is too high", False, "Before the first step, the learning rate has had no effect."),
    ]),
    QuizQuestion("What does it mean that the head is tied?", [
        Choice("Input and output share one table", True, "Right. A token has the same row in both."),
        Choice("The head is not trained", False, "It is. The table learns from both uses."),
        Choice("MLM and NSP share one head", False, "Each has its own. They share the encoder."),
    ]),
    QuizQuestion("A corpus has documents of one sentence only. What does NSP become?", [
        Choice("Harder, because the texts are short", False, "It becomes trivial: look at the labels."),
        Choice("Every label is 1, and there is nothing to learn", True, "Right. Nothing ever follows."),
        Choice("A test of order", False, "Order needs at least two sentences of a document."),
    ]),
    QuizQuestion("A model has 98% in NSP. You exchange A and B in all examples with label 0, but its predictions stay. "
                 "What follows?", [
        Choice("It understands both directions of a text", False, "Exchanged, B no longer follows A. It should have "
               "noticed."),
        Choice("It compares topics, not the order of the text", True, "Right: what it uses ignores their order."),
        Choice("Its NSP head is broken", False, "It does what it was trained for: it finds foreign texts."),
    ]),
    QuizQuestion("What did RoBERTa's table 2 show about NSP?", [
        Choice("Without it, most scores are slightly better", True, "Right, with sequences full of connected text. "
               "Only SST-2 loses a little."),
        Choice("It harms every task by many points", False, "The differences are small. Only pairs of single sentences "
               "lose much, and those were trained with NSP."),
        Choice("Sentence order is better", False, "That is ALBERT's finding. RoBERTa did not try it."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **From hidden state to loss**: transform, GELU, LayerNorm, dot product with every embedding (one **tied** table),
#   bias, softmax, −ln p of the right word. A model that knows nothing has the loss ln V.
# - **−ln p rewards honesty**: the cheapest prediction is the true probability.
# - **Only the chosen positions count**, in the sum and in what it is divided by. Any other loss says little about MLM.
# - **NSP**: short documents, lengths and above all the **topic** give away its label. **SOP** exchanges two segments of
#   one text; **StructBERT** asks for next, previous and foreign.
# - RoBERTa dropped NSP, and most scores rose a little. ALBERT gained with SOP, on average.
#
# Next: [the exercise](../exercises/04_objectives/04_objectives.ipynb), where you write `mlm_loss`, `nsp_loss`, `nsp_examples` and `sop_examples` yourself. Then lesson
# 5: the training loop.

# %% [markdown]
# ## Read on
#
# | paper | look for |
# |---|---|
# | Devlin, Chang, Lee, Toutanova (2019): [BERT](https://arxiv.org/abs/1810.04805) | section 3.1: both questions; appendix A.2: the sum of the losses; section 5.1 and table 5: without NSP |
# | Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692) | section 4.2, table 2: with and without NSP |
# | Lan et al. (2020): [ALBERT](https://arxiv.org/abs/1909.11942) | section 3.1: sentence order; section 4.6, table 5 |
# | Wang et al. (2020): [StructBERT](https://arxiv.org/abs/1908.04577) | section 2: next, previous, foreign; putting words in order |
# | Cheng, Xu et al. (2019): [Symmetric Regularization based BERT](https://arxiv.org/abs/1909.03405) | the same three classes, for entailment without shortcuts |
# | Clark et al. (2020): [ELECTRA](https://arxiv.org/abs/2003.10555) | table 5: asking at all positions |
# | Press, Wolf (2017): [Using the Output Embedding to Improve Language Models](https://arxiv.org/abs/1608.05859) | tied embeddings |
# | Inan, Khosravi, Socher (2017): [Tying Word Vectors and Word Classifiers](https://arxiv.org/abs/1611.01462) | the same, from theory |
# | Salazar, Liang, Nguyen, Kirchhoff (2020): [Masked Language Model Scoring](https://arxiv.org/abs/1910.14659) | pseudo-perplexity |
# | Kauf, Ivanova (2023): [A Better Way to Do Masked Language Model Scoring](https://arxiv.org/abs/2305.10588) | words of several subwords |
#
# In the package: `minibert/reference/heads.py`, `losses.py`, `packing.py`; `minibert/objectives/mlm.py`, `nsp.py`,
# `sop.py`, `structural.py`.
