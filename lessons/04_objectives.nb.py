# %% [markdown]
# # 4 · Objectives: what BERT is asked
#
# *The cook stirs the ▨▨▨▨.* A model says *soup* with 54%. Was that a good answer? And what should a machine learn from the
# answer it gave? This lesson turns answers into one number, the loss, first for hidden words, then for BERT's second
# question: *does this text follow that one?* You will watch that second question being answered without any reading.
#
# **After this lesson you can**
#
# - walk one masked word from its hidden vector to its loss, by hand,
# - say why only the chosen positions count, and recognise a loss that counts others,
# - explain what it means that BERT's output layer is tied to its embeddings,
# - draw sentence pairs from documents, and name four ways in which they give their label away,
# - tell next sentence, sentence order and StructBERT's three ways apart, and say why the first is in doubt,
# - score a sentence of your own token by token, and find out what fools a model that knows English.
#
# **You need** lessons 1 to 3, and logarithms.
# **Time:** about 85 minutes with guessing and playing; the code alone runs in 40 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is remembered
# best. Those that begin with **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(4)

# %% [markdown]
# ## Which word does not belong?
#
# In each of eight English sentences one word was exchanged for a wrong one. You see at once which. Can a model find it,
# too? We only use that it has learned to predict masked tokens: each token is masked once, while the others can be read. The
# bar over a token is its **loss**: the higher, the less the model expected what stood there.
#
# You start with the sentence in which the wrong word stands out most. **Try** others, such as *She opened the giraffe and
# went in*, then your own. (Unfold the code if you like: the other six are there, and section 12 takes it apart.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
import numpy as np
import torch
from minibert.batch import collate, visible_all
from minibert.viz.explorer import Explorer
from minibert.viz.guess import sentence_box
from minibert.viz.word_to_loss import losses_html

english = minibert.load("english")
EXCHANGED = {
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
    """Loss of the exchanged word, minus the highest of the other losses."""
    (_, losses), first = losses_in_turn(text), english.tokenizer.encode(EXCHANGED[text]).ids[0]
    at = english.tokenizer.encode(text).ids.index(first)
    return losses[at] - np.delete(losses, at).max()

margins = {text: stands_out(text) for text in EXCHANGED}
highest = sum(margin > 0 for margin in margins.values())
print(f"In {highest} of the {len(margins)} sentences the highest bar stands over the exchanged word.")
Explorer(lambda text: losses_html(*losses_in_turn(text)), text=sentence_box(max(margins, key=margins.get)))

# %% [markdown]
# ## Do you remember lesson 3?
#
# Run the folded cell below and choose. You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("Two texts become one row for BERT. In which order do the parts stand?", [
        Choice("[CLS] A [SEP] B [SEP]", True, "Right: [CLS] first, and a [SEP] after each text."),
        Choice("[CLS] A [CLS] B [SEP]", False, "There is one [CLS] a row, at its start."),
        Choice("A [SEP] B [CLS]", False, "[CLS] comes first, so that its place never depends on the texts."),
    ]),
    Question("What tells the model whether a token belongs to A or to B?", [
        Choice("Its position", False, "Positions only count from the left. Where B starts differs from row to row."),
        Choice("A segment embedding", True, "Right. It is added to the token's own and its position's."),
        Choice("A different vocabulary for B", False, "Both texts use the same pieces."),
    ]),
    Question("Why does a batch contain [PAD]?", [
        Choice("To hide words from the model", False, "That is [MASK]. [PAD] hides nothing."),
        Choice("To fill rows up to one length", True, "Right. Attention does not look at it. It means nothing, and "
               "section 4 asks what happens if somebody forgets that."),
        Choice("To end a sentence", False, "That is [SEP]."),
    ]),
])

# %% [markdown]
# ## 1 · One masked word, by hand
#
# The encoder hands over one vector for each token. At a `[MASK]` it should say which word is missing. BERT's **head**
# turns that vector into a probability for every word of the vocabulary, in four layers.
#
# To see every number we make a tiny one: 6 words, and 4 numbers a vector, which we can read: *edible, liquid, a tool, a
# person*. This table of **embeddings** is the one that words are looked up in when they go in.

# %%
import numpy as np

WORDS = ["soup", "tea", "bread", "ladle", "river", "cook"]
TABLE = np.array([[2, 2, 0, 0], [1, 3, 0, 0], [3, 0, 0, 0], [0, 0, 3, 0], [-2, 3, 0, 0], [0, 0, 0, 3.0]])  # (V, D)
BIAS = np.array([1, 0, 0.5, 0, 0, 0.5])                                     # (V,): how frequent each is

# %% [markdown]
# The head's own weights: one matrix, and a bias of 0. Ours adds half of *liquid* to *edible*, for instance.

# %%
W = np.array([[1, 0.5, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])  # (D, D)

# %% [markdown]
# GELU and LayerNorm you know from lesson 2. Here is the whole way, one line a step:

# %%
from minibert.reference import gelu

def by_hand(hidden):
    transformed = W @ hidden                                        # (D,)
    activated = gelu(transformed)                                   # (D,)
    normed = (activated - activated.mean()) / np.sqrt(activated.var() + 1e-12)      # (D,)
    dots = TABLE @ normed                                           # (V,)  how well does each word fit?
    logits = dots + BIAS                                            # (V,)
    exps = np.exp(logits)                                           # (V,)
    return dict(transformed=transformed, activated=activated, normed=normed, dots=dots, logits=logits, exps=exps,
                probs=exps / exps.sum())

# %% [markdown]
# **Guess first.** The encoder has read *the cook stirs the [MASK]* and hands over (1, 1, −1, 0): rather edible, rather
# liquid, not a tool. Which two of the six words will be likeliest?
#
# Press **Next step** and check each number. Then choose another word as the one that stood there, and type another
# vector.

# %%
import ipywidgets as widgets
from minibert.viz.stepper import Stepper
from minibert.viz.word_to_loss import STEPS, word_to_loss

def walk(vector, stood_there, step):
    hidden = np.array([float(number) for number in vector.split()])
    return word_to_loss(WORDS, TABLE, WORDS.index(stood_there), hidden, bias=BIAS, step=step, **by_hand(hidden))

Stepper(walk, STEPS, vector=widgets.Text("1 1 -1 0", description="Vector", continuous_update=False),
        stood_there=widgets.Dropdown(options=WORDS, description="Word"))

# %% [markdown]
# The package's own head has the same four layers, and says the same:

# %%
from minibert.reference import token_head

hidden = np.array([1, 1, -1, 0.0])
head = {"transform.weight": W, "transform.bias": np.zeros(4), "norm.weight": np.ones(4), "norm.bias": np.zeros(4),
        "decoder.weight": TABLE, "decoder.bias": BIAS}
print("the same logits:", np.allclose(token_head(hidden, head), by_hand(hidden)["logits"]))

# %% [markdown]
# The loss asks one thing only: which probability did the right word get? How the rest was shared among the wrong ones
# does not matter.
#
# <details><summary><b>Why does it matter for the other words all the same?</b></summary>
#
# Probabilities sum to 1. To give *soup* more, the model must take it from the others: the softmax ties them together.
# So one right answer teaches something about all six words, and in BERT about all 30,522.
# </details>

# %% [markdown]
# ## 2 · Why minus the logarithm?
#
# A sure and right answer should cost nothing, a wrong one much. Many curves do that. One of them is 1 − p, and it is
# simpler.
#
# Take two bad answers: in the first the right word got p = 0.01, in the second ten times less, 0.001.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses
from minibert.viz.plots import bars, curves

def both_costs():
    p = np.linspace(0.001, 1, 200)
    return curves(p, {"cost of the answer": {"−ln p": np.log(1 / p), "1 − p": 1 - p}}, "p, what the right word got",
                  f"−ln p never stops growing: {-np.log(p[0]):.1f} at p = 0.001, where 1 − p is {1 - p[0]:.3f}",
                  markers=False)

GuessNumber("With 1 − p, the second answer costs 0.009 more than the first. How much more does it cost with −ln p?",
            lambda: np.log(0.01 / 0.001), within=0.4, form="{:.1f}", see=both_costs)

# %% [markdown]
# With 1 − p a hopeless answer costs hardly more than a bad one, so there is hardly a slope to learn from. But there is
# a deeper reason. Let a gap be filled by *soup* in 70 of 100 texts and by *tea* in 30, and nothing in the text tells
# which. An honest model says 70% and 30%. What does it cost on average to say something else?

# %%
said = np.linspace(0.001, 0.999, 999)                                   # what the model says for soup
costs = {"−ln p": -0.7 * np.log(said) - 0.3 * np.log(1 - said), "1 − p": 0.7 * (1 - said) + 0.3 * said}
cheapest = {name: said[cost.argmin()] for name, cost in costs.items()}

# %% [markdown]
# A model learns to say whatever is cheapest.

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import figure_html

def cheapest_words():
    truth, boast = cheapest["−ln p"], cheapest["1 − p"]
    drawing = curves(said, {"mean cost": costs}, "probability given to soup",
                     f"Cheapest: {truth:.2f} with −ln p, the truth; {boast:.2f} with 1 − p, a boast", markers=False)
    return figure_html(*drawing) + (
        "<p>With −ln p it pays to say what one knows, neither more nor less. With 1 − p it pays to shout.</p>")

GuessNumber("The cost is 1 − p. Which probability for soup is the cheapest on average?",
            lambda: 100 * cheapest["1 − p"], within=5, form="{:.0f}%", see=cheapest_words)

# %% [markdown]
# With −ln p even an honest model has to pay: 0.7 · −ln 0.7 + 0.3 · −ln 0.3 = 0.61 on average. No model can do better
# where the text does not tell. Lesson 5 asks the same of our whole language, and counts right answers: how many masked
# words can the best reader know?
#
# One rule to keep for the rest of your life with language models: a model that knows nothing has the loss ln V.

# %%
for size, name in ((6, "our six words"), (2, "yes or no"), (30_522, "BERT's vocabulary")):
    print(f"knowing nothing about {name}: every p is 1/{size:,}, so the loss is ln {size:,} = {np.log(size):.2f}")

# %% [markdown]
# If a training run does not start near it, something is wrong before anything was learned.

# %% [markdown]
# ## 3 · The same in a real model, and a table used twice
#
# Now the small BERT of this course: 128 numbers a vector, 4,000 pieces of words. (Once, a model may have to be trained:
# about half a minute.)

# %%
import torch
from minibert.batch import collate, visible_all
from minibert.class_model import class_model

model, tokenizer = class_model()
vocab = list(tokenizer.vocab)

# %% [markdown]
# It reads a text, and we keep what its encoder hands over at the gap:

# %%
def hidden_at_mask(text):
    left, right = text.split("[MASK]")
    ids = [*tokenizer.encode(left).ids, tokenizer.specials.mask, *tokenizer.encode(right).ids]
    batch = collate([(ids, None)], tokenizer.specials)
    with torch.no_grad():
        out = model.encoder(*map(torch.tensor, (batch.input_ids, visible_all(batch.real), batch.token_type_ids)))
    return out["hidden"][0, batch.input_ids[0].tolist().index(tokenizer.specials.mask)].numpy()     # (D,)

# %% [markdown]
# The head's weights go into the very function that you stepped through. Look at their shapes.

# %%
real_head = {name: weight.numpy() for name, weight in model.heads["tokens"].state_dict().items()}
for name, weight in real_head.items():
    print(f"{name:18s} {weight.shape}")

# %% [markdown]
# Type a text with one gap, and the word that you masked. **Guess first**, before you press Enter: will the loss be above
# or below ln 4,000 = 8.29? Then delete the words that give the answer away: what does the loss do?

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import Explorer
from minibert.viz.guess import guesses_html

def ask(text, word):
    if word not in vocab:
        raise ValueError(f"{word!r} is no single piece of this vocabulary")
    logits = token_head(hidden_at_mask(text), real_head)                        # (V,)
    probs = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    mine, top = vocab.index(word), probs.argsort()[::-1][:5]
    told = f"<p>“{word}” got p = {probs[mine]:.4f}, so the loss is −ln p = <b>{-np.log(probs[mine]):.2f}</b>.</p>"
    return told + guesses_html([(vocab[i], probs[i]) for i in top])

Explorer(ask, text=widgets.Text("Chesworth was born [MASK] Lambury in 1946.", description="My text",
                                layout={"width": "560px"}, continuous_update=False),
         word=widgets.Text("in", description="Right word", continuous_update=False))

# %% [markdown]
# The head's largest matrix by far is `decoder.weight`: one vector of 128 numbers for each piece. The table of embeddings
# has that shape, too, and this is no accident:

# %%
embeddings = model.encoder.embeddings.word.weight                       # (V, D)
print("decoder.weight is the embedding table:", model.heads["tokens"].decoder.weight is embeddings)

# %% [markdown]
# Not equal: the same memory. The table is **tied**: a word goes in by its row, and comes out by the same row. What the
# head asks is therefore: *to whose embedding does my vector point?*
#
# So words with like embeddings get like logits. The nearest neighbours of a few words in the table:

# %%
unit = embeddings.detach().numpy()
unit = unit / np.linalg.norm(unit, axis=1, keepdims=True)               # (V, D)
for word in ("cook", "owl", "violin", "monday"):
    if word in vocab:
        near = (unit @ unit[vocab.index(word)]).argsort()[::-1][1:6]
        print(f"{word:8s}", *(vocab[i] for i in near))

# %% [markdown]
# BERT-base has 109.5 million weights in its encoder, its table among them: 30,522 pieces, 768 numbers each.

# %% jupyter={"source_hidden": true}
V, D = 30_522, 768

def head_in_parts():
    parts = {"encoder, with its embeddings": 109_482_240, "transform and LayerNorm": D * D + D + 2 * D,
             "a bias for each piece": V, "a second table, if not tied": V * D}
    title = f"Tying saves {V * D / 1e6:.1f} million weights; the head adds {(D * D + 3 * D + V) / 1e6:.2f} million"
    return bars(list(parts), [size / 1e6 for size in parts.values()], "million weights", title, chosen=3,
                form="{:.2f}")

GuessNumber("How many million weights more would BERT-base have if its output used a second table?",
            lambda: V * D / 1e6, within=3, form="{:.1f} million", see=head_in_parts)

# %% [markdown]
# Saving weights is one reason. Here is another: with two tables, a rare word's output row is drawn to its contexts only
# when that word is masked. A shared row is also taught whenever the word is read. (Press and Wolf, 2017, and Inan et al.,
# 2017, showed that tying improves language models.)
#
# <details><summary><b>Why the transform before the table?</b></summary>
#
# The encoder's last layer would otherwise have to produce vectors that lie in the space of the embeddings, good for
# nothing but naming words. The transform translates. It is thrown away after pretraining, and the encoder stays. (The
# paper does not speak of it; the authors' code has it.)
# </details>
#
# <details><summary><b>Why a bias for each piece?</b></summary>
#
# *the* is hidden more often than *ladle*, whatever the text says. The bias knows that, so that the vectors need not.
# </details>

# %% [markdown]
# ## 4 · Only the chosen positions count
#
# Of a row, 15% of the tokens are chosen. Their labels are their true ids; everywhere else the label is −100, which means:
# **not asked**. We try it on documents of our language that the model has not read.

# %%
from minibert.corpora.world import World
from minibert.training import encode_documents

texts = [document.sentences for document in World(7).documents(150, seed=3, split="dev")]
held_out = encode_documents(texts, tokenizer)

# %% [markdown]
# The package's objective makes the rows, hides what it chooses, and gives the labels. This is all of BERT's first
# question:

# %%
import inspect
from minibert.objectives import MLM

print(inspect.getsource(MLM.corrupt))

# %% [markdown]
# We let it do so, and look at one row.

# %%
objective = MLM(tokenizer.specials, len(tokenizer), max_length=24)
batch = objective.collate(objective.build(held_out, None)[0][:64])
inputs, labels = objective.corrupt(batch, np.random.default_rng(4))
labels = labels["tokens"]                                                       # (B, T)
with torch.no_grad():
    logits = model(**{name: torch.tensor(array) for name, array in inputs.items()})["tokens"].numpy()  # (B, T, V)

# %% [markdown]
# The tokens that are asked are framed, with their label and their loss. Which of them look untouched? Choose other rows,
# too.

# %%
from scipy.special import log_softmax
from minibert.viz.word_to_loss import row_losses

losses = -np.take_along_axis(log_softmax(logits, -1), batch.input_ids[..., None], -1)[..., 0]   # (B, T)

def draw_row(row):
    seen = [vocab[i] for i in inputs["input_ids"][row]]
    asked = [vocab[i] if i >= 0 else "" for i in labels[row]]
    return row_losses(seen, asked, losses[row])

most_asked = int((labels != -100).sum(axis=1).argmax())
Explorer(draw_row, row=widgets.BoundedIntText(most_asked, min=0, max=63, description="Row"))

# %% [markdown]
# The loss of a batch is one mean over all framed positions of all rows: the package's `mlm_loss`.

# %%
from minibert.reference import mlm_loss

count = (labels != -100).sum()
print(f"{labels.size} positions, {batch.real.sum()} without padding, {count} are asked")
print(f"mlm_loss: {mlm_loss(logits, labels):.3f}   by hand: {losses[labels != -100].mean():.3f}")

# %% [markdown]
# Now three ways to get it wrong. A colleague divides by all positions. Another averages over all real tokens, also those
# that the model can see. A third forgets that [PAD] is not a word, and asks for it, too.

# %%
def four_means(length):
    padding = len(labels) * length - batch.real.sum()
    asked, real = losses[labels != -100], losses[batch.real]
    pad_loss = np.log(len(vocab))                                       # it has never learned to say [PAD]
    return {"asked positions (right)": asked.mean(), "÷ all positions": asked.sum() / (len(labels) * length),
            "all real tokens": real.mean(), "padding, too": (real.sum() + padding * pad_loss) / (len(labels) * length)}

# %% [markdown]
# (For the last one we assume that the model gives [PAD] the probability 1/V.) Now pad the rows to other lengths. The
# model and the text stay the same. **Guess first**, before you choose a length: which of the four numbers will change?

# %%
def draw_means(length):
    means = four_means(length)
    title = f"Rows of {length} tokens: the loss is {means['asked positions (right)']:.2f}; three formulas say otherwise"
    return bars(list(means), list(means.values()), "loss in nats", title, chosen=0, limit=9)

Explorer(draw_means, length=widgets.Dropdown(options=[24, 48, 96, 192], description="Row length"))

# %% [markdown]
# A loss that depends on the padding cannot be compared with anything: not with ln V, not with another batch size, not with
# a paper. And when such a formula trains the model, it learns what the formula asks for. Let us see. Three small models,
# the same text, the same steps; only the labels differ.

# %%
class SeenToo(MLM):
    """Every real token is asked, hidden or not."""
    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return inputs, {"tokens": np.where(batch.real, batch.input_ids, -100)}

class PaddingToo(MLM):
    """Where nothing should be asked, [PAD] is: its id in place of -100."""
    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return inputs, {"tokens": np.where(labels["tokens"] == -100, self.specials.pad, labels["tokens"])}

# %% [markdown]
# They get a text of their own, with a vocabulary of 800 pieces, so that a few hundred steps teach something.

# %%
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece

train_texts = [document.sentences for document in World(7).documents(1500, seed=1, split="pretrain")]
pieces = FastWordPiece(train_wordpiece(count_words(sentence for text in train_texts for sentence in text), 800))
train_ids, exam_ids = encode_documents(train_texts, pieces), encode_documents(texts, pieces)

# %% [markdown]
# Each trains for the same number of steps. The loss that it shows is that of its own formula.

# %%
from minibert.config import preset
from minibert.training import Phase, TrainConfig, pretrain

SMALL = preset("class", num_hidden_layers=1, hidden_size=96, num_attention_heads=3, intermediate_size=192)
STEPS_EACH = TrainConfig(steps=300, batch_size=16, peak_rate=3e-3, optimizer="muon")

def train_with(kind):
    def make(tokenizer, max_length):
        return kind(tokenizer.specials, len(tokenizer), max_length)
    return pretrain(train_ids, pieces, SMALL, [Phase(STEPS_EACH, 40)], torch.device("cpu"), make_objective=make,
                    progress=False)

# %% [markdown]
# The exam is the right one for all three: hidden pieces of documents that none has read.

# %%
def exam(model):
    right = MLM(pieces.specials, len(pieces), 40)
    batch = right.collate(right.build(exam_ids, None)[0])
    inputs, labels = right.corrupt(batch, np.random.default_rng(6))
    with torch.no_grad():
        logits = model(**{name: torch.tensor(array) for name, array in inputs.items()})["tokens"].numpy()
    asked = labels["tokens"] != -100
    return mlm_loss(logits, labels["tokens"]), (logits.argmax(-1) == labels["tokens"])[asked].mean()

# %% [markdown]
# Now train all three. (This takes a few seconds.)

# %%
KINDS = {"asked only (right)": MLM, "seen tokens, too": SeenToo, "[PAD] asked, too": PaddingToo}
trained = {name: train_with(kind) for name, kind in KINDS.items()}
shown = {name: [entry["loss"] for entry in log] for name, (_, log) in trained.items()}
exams = {name: exam(small) for name, (small, _) in trained.items()}

# %% [markdown]
# While it trains, each shows the loss of its own formula.

# %% jupyter={"source_hidden": true}
means_shown = {name: np.reshape(loss, (-1, 20)).mean(axis=1) for name, loss in shown.items()}    # over 20 steps each

def shown_and_true():
    worst = max(exams, key=lambda name: exams[name][0])
    assert exams["seen tokens, too"] < exams["[PAD] asked, too"]
    drawing = curves(np.arange(20, STEPS_EACH.steps + 1, 20), {"loss shown while training": means_shown}, "step",
                     f"A low curve proves nothing: “{worst}” shows {means_shown[worst][-1]:.2f} and takes "
                     f"{exams[worst][0]:.2f} to the exam", at_least={"loss shown while training": (0, 7)})
    told = "".join(f"<li>{name}: loss {loss:.2f}, {accuracy:.0%} of the masked pieces right</li>"
                   for name, (loss, accuracy) in exams.items())
    return (f"{figure_html(*drawing)}<p>In the exam (ln {len(pieces)} = {np.log(len(pieces)):.2f}):</p><ul>{told}</ul>"
            "<p>The low curves are easy points. A token that can be seen need only be copied, and whoever asks for "
            "[PAD] nearly everywhere gets a model that says [PAD]. The masked pieces are lost in the mean: they are at "
            "most 15% of what is counted. Copying does little harm in so short a run (it also trains the table), but "
            "its curve does not tell how well gaps are filled.</p>")

GuessChoice("Which of the three shows the lowest loss at the end of its training?", list(KINDS),
            lambda: min(means_shown, key=lambda name: means_shown[name][-1]), see=shown_and_true)

# %% [markdown]
# So before you ask how low a loss is, ask what it counts.
#
# <details><summary><b>Why not ask for the visible tokens as well?</b></summary>
#
# Copying is learned in a few steps, and then it has nothing more to teach, though it still costs: logits for all positions
# instead of 15%. BERT does ask for a few visible tokens, 10% of the chosen ones (lesson 1 told what for). There is an
# objective that asks at every position and gains by it, ELECTRA's, but it asks something else: *was this token replaced?*
# </details>
#
# <details><summary><b>Why is the mean taken over the batch and not row by row?</b></summary>
#
# So that each asked token weighs the same. In a mean of rows, a token in a row with one chosen position would weigh as
# much as five in another.
# </details>

# %% [markdown]
# ## 5 · The second question: does B follow A?
#
# Many tasks are about two texts: a question and a passage, a claim and its proof. Hidden words hardly teach how two texts
# go together. So BERT was asked a second question while it filled gaps, **next sentence prediction** (NSP). A row has two
# segments. In half of the rows B is what follows A in the document; in the other half B comes from another document. The
# vector of `[CLS]` must tell which.
#
# Like the hidden words, the pairs cost nothing. Three documents:

# %%
from minibert.viz.explorer import View
from minibert.viz.sentence_pairs import documents_html, pairs_html

STORIES = [["The cook wakes up.", "He greets the ladle.", "The soup is hot.", "Nobody eats it."],
           ["A storm came.", "The river rose.", "We lost the bridge."], ["For sale: one cello."]]
View(documents_html(STORIES))

# %% [markdown]
# The package draws pairs of ids. We use whole sentences as if each were one id, and let a row hold at most four of them
# (beside its three special tokens).

# %%
from minibert.reference import nsp_examples

def draw_pairs(number):
    as_ids = [[[sentence] for sentence in story] for story in STORIES]
    rows, labels = nsp_examples(as_ids, 3 + 4, np.random.default_rng(number))
    return pairs_html(STORIES, rows, labels, {0: "B follows A", 1: "another document"})

# %% [markdown]
# Press *New draw* a few times, and watch two things: the label of the rows that begin with C1, and what becomes of A2
# when A1 meets a B from another document.

# %%
from minibert.viz.masking import Redraws

Redraws(draw_pairs)

# %% [markdown]
# There are three rules to see:
#
# - a **segment** is a stretch of sentences, not one sentence, whatever the name says (Devlin et al., appendix A.2),
# - after a foreign B, the sentences that would have been B go back and start the next row,
# - where nothing is left to follow, B must be foreign: C1 always gets label 1.
#
# The loss is the one you know, with two classes in place of 4,000 words: a model that knows nothing has ln 2 = 0.69.
#
# BERT's training loss is the sum of both (appendix A.2). In the package that is a sum, too:

# %%
from minibert.training import bert_objective

print(inspect.getsource(bert_objective))

# %% [markdown]
# A model that knows nothing should begin near ln 2 + ln V. Does it?

# %%
both = bert_objective(tokenizer, max_length=64)
rows, row_labels = both.build(held_out, np.random.default_rng(0))
torch.manual_seed(0)
fresh = both.model(type(model.encoder)(model.encoder.config))
print(f"{'ln 2 + ln V':18s} {np.log(2 * len(vocab)):.2f} = {np.log(2):.2f} + {np.log(len(vocab)):.2f}")
for name, one in {"knows nothing yet": fresh, "pretrained": model}.items():
    with torch.no_grad():
        total, parts = both.step(one.eval(), both.collate(rows[:64], row_labels[:64]), np.random.default_rng(1))
    print(f"{name:18s} {total:.2f} =", " + ".join(f"{part:.2f} ({key})" for key, part in parts.items()))

# %% [markdown]
# ## 6 · Four ways to give the label away
#
# A model learns what is cheapest. Before we ask what NSP teaches, let us see what it should *not* teach: signs of how the
# pairs were drawn.
#
# **One: short documents.** A document of one sentence can only have label 1.
#
# Let us cut all documents to a few sentences, and draw pairs by the package's own rule.

# %%
def share_of_ones(sentences):
    short = [document[:sentences] for document in held_out] * 10        # each ten times, so that chance evens out
    return np.mean(nsp_examples(short, 128, np.random.default_rng(0))[1])

# %% [markdown]
# With one sentence a document, all rows have label 1. And with two?

# %% jupyter={"source_hidden": true}
def shares_of_ones():
    lengths = np.arange(1, 7)
    ones = np.array([share_of_ones(n) for n in lengths])
    drawing = curves(lengths, {"share of rows with label 1": {"rows": ones}}, "sentences in a document",
                     f"Short documents make label 1 likelier: {ones[0]:.0%} at one sentence, {ones[1]:.0%} at two, "
                     f"{ones[-1]:.0%} at six", at_least={"share of rows with label 1": (0, 1)})
    return figure_html(*drawing) + (
        "<p>Half of the documents of two sentences make one row with label 0. In the other half B is foreign, and the "
        "second sentence goes back: that makes <i>two</i> rows with label 1. A model that always says 1 has learned "
        f"nothing, and is right in {ones[1]:.0%} of the rows. Compare with the larger class, never with 50%.</p>")

GuessNumber("Each document has two sentences. What percentage of the rows get label 1?", lambda: 100 * share_of_ones(2),
            within=6, form="{:.0f}%", see=shares_of_ones)

# %% [markdown]
# **Two: the same document twice.** Draw B from *all* documents, and now and then it is A's own. Then label 1 is false.

# %%
rng = np.random.default_rng(0)
for n in (2, 5, 20, 1000):
    own = rng.integers(n, size=100_000)                                 # A's document
    drawn = rng.integers(n, size=100_000)                               # B's, carelessly
    print(f"{n:5d} documents: {np.mean(own == drawn):6.2%} of the label-1 rows are from A's own document")

# %% [markdown]
# One in n. In a large collection that is little, but files are read piece by piece, and copies of one text (a quote, a
# licence, a news item) bring it back by another door. BERT's own code draws again, up to ten times.
#
# **Three: lengths.** Suppose B is the rest of the document when it follows, and one sentence when it is foreign. Then the
# shorter B is, the likelier label 1. The package makes a foreign B as long as the true one would have been.

# %%
def careless(docs, rng):
    for document in docs:
        cut = int(rng.integers(1, len(document)))
        other = docs[rng.integers(len(docs))]
        label = int(rng.integers(2))
        yield (sum(document[:cut], []), other[rng.integers(len(other))] if label else sum(document[cut:], [])), label

# %% [markdown]
# The best rule that looks at nothing but the length of B:

# %%
def best_cut(rows, labels):
    sizes, labels = np.array([len(b) for _, b in rows]), np.array(labels)
    guesses = [np.mean((sizes <= size) == labels) for size in range(sizes.max() + 1)]
    return max(guesses), max(labels.mean(), 1 - labels.mean())

# %% [markdown]
# We let it loose on carelessly drawn rows.

# %%
careless_rows, careless_labels = zip(*careless(held_out * 5, np.random.default_rng(0)))

# %% [markdown]
# It reads no word, only how long B is. About half of these rows have label 1.

# %% jupyter={"source_hidden": true}
def both_ways_to_draw():
    package = nsp_examples(held_out * 5, 128, np.random.default_rng(0))
    drawn = {"carelessly drawn rows": (careless_rows, careless_labels), "the package's rows": package}
    said = "<p>In {} the length of B alone gets {:.0%} right; always saying the larger class, {:.0%}.</p>"
    return "".join(said.format(name, *best_cut(*rows)) for name, rows in drawn.items())

GuessNumber("What percentage of the carelessly drawn rows does this rule get right?",
            lambda: 100 * best_cut(careless_rows, careless_labels)[0], within=6, form="{:.0f}%", see=both_ways_to_draw)

# %% [markdown]
# The package's care does not help entirely: where A is a document's last sentence, B is one sentence, too, and must be
# foreign.
#
# **Four** cannot be mended by care. It is the way NSP is made, and it has a section of its own.

# %% [markdown]
# ## 7 · A model that reads nothing
#
# A foreign B is mostly about something else. So let us build the simplest model that could notice: it puts the words of
# A into a bag, the words of B into another, and adds up the words that are in both, rare ones more than frequent ones
# (TF-IDF does that). It knows no order, no grammar, no sentence.

# %%
from sklearn.feature_extraction.text import TfidfVectorizer

def words_of(sentence):
    return [word.strip(".,:;!?\"'") for word in sentence.lower().split()]

train_docs = [[words_of(s) for s in text.sentences] for text in World(7).documents(2000, seed=1)]
test_docs = [[words_of(s) for s in text.sentences] for text in World(7).documents(600, seed=1, split="dev")]
bag = TfidfVectorizer(analyzer=list, sublinear_tf=True).fit([sum(document, []) for document in train_docs + test_docs])

# %% [markdown]
# One number for a pair:

# %%
def shared(rows):
    a, b = (bag.transform([row[side] for row in rows]) for side in (0, 1))      # (N, words) each
    return np.asarray(a.multiply(b).sum(axis=1)).ravel()                        # (N,)

# %% [markdown]
# Here a token is a word, and a row holds 60 of them.

# %%
train_rows, train_labels = nsp_examples(train_docs, 63, np.random.default_rng(1))
test_rows, test_labels = nsp_examples(test_docs, 63, np.random.default_rng(2))
overlap, labels_array = shared(test_rows), np.array(test_labels)

# %% [markdown]
# So much do A and B share in pairs that belong together, and in foreign ones:

# %%
from minibert.viz.explorer import show

edges = np.linspace(0, 0.4, 9)
found_overlaps = {"B follows A": overlap[labels_array == 0], "another document": overlap[labels_array == 1]}
histogram = {name: np.histogram(np.minimum(each, 0.39), edges)[0] / len(each) for name, each in found_overlaps.items()}
show(*curves(np.round(edges[:-1] + 0.025, 3), {"share of the pairs": histogram}, "weight of the shared words",
             f"Foreign pairs share little: {histogram['another document'][0]:.0%} of them are in the first bin, of "
             f"true ones {histogram['B follows A'][0]:.0%}"))

# %% [markdown]
# The whole model is one threshold, learned on the training pairs: above it, *B follows A*.

# %%
def learn_threshold(rows, labels):
    overlaps, labels = shared(rows), np.array(labels)
    tried = np.quantile(overlaps, np.linspace(0, 1, 200))
    return max(tried, key=lambda t: np.mean((overlaps < t) == labels))

threshold = learn_threshold(train_rows, train_labels)
by_topic = np.mean((overlap < threshold) == labels_array)
larger = max(labels_array.mean(), 1 - labels_array.mean())
print(f"next sentence prediction by shared words: {by_topic:.0%} right (always the larger class: {larger:.0%})")

# %% [markdown]
# That is a high score, and nothing was read. A BERT may do the same inside: its first cheap success in NSP is to compare
# names and subjects.

# %% [markdown]
# ## 8 · Break it
#
# How do you find out *why* a model is right? Change what should matter, and see whether it notices. Each document is cut
# in half: A and its true B. Then four changes:

# %%
halves = [(sum(d[:len(d) // 2], []), sum(d[len(d) // 2:], [])) for d in test_docs]
firsts, seconds = zip(*halves)
rng = np.random.default_rng(3)
TESTS = {
    "the true B": halves,
    "words of A and B shuffled": [(list(rng.permutation(a)), list(rng.permutation(b))) for a, b in halves],
    "A and B exchanged": [(b, a) for a, b in halves],
    "B of another document": list(zip(firsts, np.roll(np.array(seconds, dtype=object), 1))),
}

# %% [markdown]
# And the meanest: of all other documents, the B that shares most with A.

# %%
similar = (bag.transform(firsts) @ bag.transform(seconds).T).toarray()         # (N, N)
np.fill_diagonal(similar, -1)                                           # not its own
TESTS["the most similar foreign B"] = [(a, seconds[i]) for a, i in zip(firsts, similar.argmax(axis=1))]

# %% [markdown]
# The model of section 7 answers for all of them.

# %%
follows = {name: np.mean(shared(rows) >= threshold) for name, rows in TESTS.items()}

# %% [markdown]
# Whoever reads would say *B follows A* of the true B only. And the model? Drag each bar.

# %% jupyter={"source_hidden": true}
def what_it_says():
    true = follows["the true B"]
    assert true == follows["A and B exchanged"] == follows["words of A and B shuffled"]
    return (f"<p>It cannot tell order from disorder: {true:.0%} in three cases. The most similar foreign B fools it in "
            f"{follows['the most similar foreign B']:.0%}. It has not learned that B follows A. It has learned that they "
            "are about the same things.</p>")

GuessBars("Of 100 pairs of each kind, of how many does the model say “B follows A”?", list(follows),
          lambda: [100 * share for share in follows.values()], top=100, within=12, axis="says “B follows A”", unit="%",
          see=what_it_says)

# %% [markdown]
# Now ask the small BERT of section 3. **Try:** exchange A and B. Give them nothing in common. Put the same name into both,
# without any sense. Shuffle the words.

# %%
def follows_by_bert(a, b):
    row = collate([(tokenizer.encode(a).ids, tokenizer.encode(b).ids)], tokenizer.specials)
    with torch.no_grad():
        logits = model(*map(torch.tensor, (row.input_ids, visible_all(row.real), row.token_type_ids)))["pair"]
    return float(logits.softmax(-1)[0, 0])                              # logits: (1, 2)

# %% [markdown]
# We begin with a true pair: of twenty, the one that it is surest of. (It is a beginner, and wrong about many.)

# %%
pairs = [(" ".join(text[:2]), " ".join(text[2:4])) for text in texts[:20]]
a, b = max(pairs, key=lambda pair: follows_by_bert(*pair))

def ask_pair(a, b):
    return guesses_html([("B follows A", follows_by_bert(a, b)), ("exchanged: A follows B", follows_by_bert(b, a))])

WIDE = {"width": "620px"}
Explorer(ask_pair, a=widgets.Text(a, description="A", layout=WIDE, continuous_update=False),
         b=widgets.Text(b, description="B", layout=WIDE, continuous_update=False))

# %% [markdown]
# ## 9 · Sentence order
#
# ALBERT (Lan et al., 2020) asks another question, **sentence order prediction** (SOP): both segments come from one
# document, in half of the rows they are exchanged. The topic is then the same under both labels.

# %%
from minibert.reference import sop_examples

def draw_orders(number):
    as_ids = [[[sentence] for sentence in story] for story in STORIES]
    rows, labels = sop_examples(as_ids, 3 + 4, np.random.default_rng(number))
    return pairs_html(STORIES, rows, labels, {0: "in order", 1: "exchanged"})

# %% [markdown]
# Press *New draw* a few times. Where is document C?

# %%
Redraws(draw_orders)

# %% [markdown]
# A single sentence has no order, so C is left out.
#
# The model of section 7 compares topics: from now on we call it the **topic model**. It may learn a new threshold, on
# pairs of this kind.

# %%
order_train, order_train_labels = sop_examples(train_docs, 63, np.random.default_rng(1))
order_test, order_labels = sop_examples(test_docs, 63, np.random.default_rng(2))
new_threshold = learn_threshold(order_train, order_train_labels)
on_order = np.mean((shared(order_test) < new_threshold) == np.array(order_labels))

# %% [markdown]
# It counts shared words, as before. Half of the rows are in order.

# %% jupyter={"source_hidden": true}
GuessNumber("In what percentage of the rows is the topic model right about the order?", lambda: 100 * on_order,
            within=4, form="{:.0f}%",
            see=lambda: "<p>A and B share the same words in both orders, so it sees the same number.</p>")

# %% [markdown]
# Is SOP proof against cheap tricks? Let us be as mean to it as to NSP. A second model, the **order model**, reads no
# sentence either. It asks of each word whether it is rather in the first or in the second segment (the bag of A minus
# the bag of B).

# %%
from sklearn.linear_model import LogisticRegression

def sides(rows):
    return bag.transform([a for a, _ in rows]) - bag.transform([b for _, b in rows])            # (N, words)

order_model = LogisticRegression(C=10, max_iter=2000).fit(sides(order_train), order_train_labels)
print(f"sentence order by which word stands where: {order_model.score(sides(order_test), order_labels):.0%} right")

# %% [markdown]
# **Guess first.** Which words tell it that a segment comes first?

# %%
names = bag.get_feature_names_out()
weights = order_model.coef_[0].argsort()
print("rather in the first segment: ", *names[weights[:12]])
print("rather in the second segment:", *names[weights[:-13:-1]])

# %% [markdown]
# Words that open a text (the *dear* of a letter, a *riddle*, somebody *woke*), and words that go on (*said*, *after*,
# *next*). In our generated language they are few, and always where they belong, so this works very well. Real text is
# less tidy. The lesson: no question is proof against tricks. But a trick about order is at least about how texts go on;
# topic is not.

# %% [markdown]
# ## 10 · Next, previous, or foreign
#
# StructBERT (Wang et al., 2020) asks both at once. A third of the rows each: B follows A, B precedes A, B comes from
# another document.
#
# The topic model answers this, and so does the order model, and one with both.

# %%
from minibert.reference.packing import structural_examples

QUESTIONS = {"next sentence": nsp_examples, "sentence order": sop_examples,
             "next, previous, foreign": structural_examples}

def topic_input(rows):
    return shared(rows)[:, None]                                        # (N, 1)

def both_inputs(rows):
    overlaps, order = topic_input(rows), order_model.decision_function(sides(rows))[:, None]
    return np.hstack([overlaps, order, overlaps * order])               # (N, 3)

# %% [markdown]
# The order model stays as it learned above; the others learn each question anew.

# %%
def scores(question):
    (rows, kinds), (exam_rows, exam_kinds) = (QUESTIONS[question](docs, 63, np.random.default_rng(seed))
                                              for docs, seed in ((train_docs, 4), (test_docs, 5)))
    def score(make):
        return LogisticRegression(C=100, max_iter=2000).fit(make(rows), kinds).score(make(exam_rows), exam_kinds)
    return {"always the largest class": np.bincount(exam_kinds).max() / len(exam_kinds), "topic": score(topic_input),
            "order": score(lambda rows: both_inputs(rows)[:, 1:2]), "both": score(both_inputs)}

found = {question: scores(question) for question in QUESTIONS}

# %% [markdown]
# We take StructBERT's question first.

# %% jupyter={"source_hidden": true}
def which_trick():
    better = {question: max(("topic", "order"), key=reached.get) for question, reached in found.items()}
    three = found["next, previous, foreign"]
    return (f"<p>Next sentence needs the {better['next sentence']}, sentence order the {better['sentence order']}. For the "
            f"three ways one trick alone reaches {max(three['topic'], three['order']):.0%} at most, both together "
            f"{three['both']:.0%}.</p>")

GuessBars("Next, previous or foreign: what percentage of the rows does each model get right?",
          list(found["next, previous, foreign"]), lambda: [100 * s for s in found["next, previous, foreign"].values()],
          top=100, within=10, axis="rows answered right", unit="%", see=which_trick)

# %% [markdown]
# Compare with the other two questions:

# %%
def draw_scores(question):
    found_here = found[question]
    best = max(("topic", "order"), key=found_here.get)
    title = f"{question.capitalize()}: {best} alone {found_here[best]:.0%}, both together {found_here['both']:.0%}"
    return bars(list(found_here), list(found_here.values()), "share of right answers", title, chosen=3, limit=1.1,
                form="{:.0%}")

Explorer(draw_scores, question=widgets.Dropdown(options=list(QUESTIONS), description="Question"))

# %% [markdown]
# ## 11 · Was it worth it?
#
# What counts is not the score in NSP, but what the model does afterwards. Three papers took the question away or replaced
# it, and measured. Their numbers (development sets; SQuAD 1.1 in F1, the others in accuracy):

# %%
PAPERS = {
    "BERT, table 5": {"with NSP": {"SQuAD 1.1": 88.5, "MNLI": 84.4, "SST-2": 92.7},
                      "without": {"SQuAD 1.1": 87.9, "MNLI": 83.9, "SST-2": 92.6}},
    "RoBERTa, table 2": {"NSP, pairs of segments": {"SQuAD 1.1": 90.4, "MNLI": 84.0, "SST-2": 92.9},
                         "NSP, pairs of sentences": {"SQuAD 1.1": 88.7, "MNLI": 82.9, "SST-2": 92.1},
                         "without, full rows": {"SQuAD 1.1": 90.4, "MNLI": 84.7, "SST-2": 92.5},
                         "without, one document a row": {"SQuAD 1.1": 90.6, "MNLI": 84.7, "SST-2": 92.7}},
    "ALBERT, table 5": {"without": {"SQuAD 1.1": 88.6, "MNLI": 81.5, "SST-2": 89.9},
                        "NSP": {"SQuAD 1.1": 88.4, "MNLI": 81.6, "SST-2": 91.1},
                        "SOP": {"SQuAD 1.1": 89.3, "MNLI": 82.0, "SST-2": 90.3}},
}

# %% [markdown]
# Does NSP help? Look at all nine pictures before you read on.

# %%
def draw_paper(paper, task):
    values = {name: row[task] for name, row in PAPERS[paper].items()}
    best = max(values, key=values.get)
    lead = values[best] - min(values.values())
    title = f"{paper}, {task}: “{best}” is best with {values[best]}, {lead:.1f} above the last"
    return bars(list(values), list(values.values()), task, title, list(values).index(best), limit=110, form="{:.1f}")

Explorer(draw_paper, paper=widgets.Dropdown(options=list(PAPERS), description="Paper"),
         task=widgets.Dropdown(options=["SQuAD 1.1", "MNLI", "SST-2"], description="Task"))

# %% [markdown]
# - **BERT**: without NSP a little worse here, and clearly on QNLI (84.9 against 88.4), which asks whether a sentence answers
#   a question.
# - **RoBERTa**: without NSP slightly better in most tasks, and a little worse in SST-2. Pairs of single *sentences* harm
#   most: such rows are short, so the model probably does not learn to look far.
# - **ALBERT**: NSP and nothing are about equal; SOP is best on average over five tasks (80.1 against 79.2 and 79.0).
#
# How can BERT and RoBERTa disagree? RoBERTa's authors suspect that BERT's experiment took the *loss* away but kept the
# rows in *pairs* (section 4.2). A row cut in two has less connected text. Their rows without NSP are full, from one
# stretch of text.
#
# And ALBERT's table has the finding of section 8, in a real BERT. Trained with NSP, it reaches 90.5% in NSP and 52.0% in
# sentence order, which is chance. Trained with SOP, it reaches 86.5% in order, and still 78.9% in NSP.
#
# <details><summary><b>Why does the model trained on order answer NSP at all?</b></summary>
#
# Whoever knows how a text goes on also sees that a foreign text does not go on from here. The other way round, a subject in
# common says nothing about which half came first.
# </details>
#
# <details><summary><b>Why might NSP help with QNLI all the same?</b></summary>
#
# There two texts must be compared, and *are they about the same thing?* is a good part of the answer. A cheap question can
# be the right training for a task that is nearly as cheap.
# </details>

# %% [markdown]
# ## 12 · In real English
#
# Back to the model of the first picture. It gets both of BERT's questions, and the text comes from you.
#
# First the losses. A text of T tokens becomes one batch of T rows, each with another token masked, and in each row only
# the masked token counts. Below are the first three rows, and the mean loss over all of them. **Try** your own sentence.

# %%
sentence = "The keeper climbed the stairs of the lighthouse every evening."
seen_rows, true_ids = masked_in_turn(sentence)                          # (T, T + 2) each
for row in seen_rows[:3]:
    print(*(english.tokenizer.vocab[i] for i in row))
mean_loss = mlm_loss(predictions(seen_rows).numpy(), true_ids)
print(f"and so on, {len(seen_rows)} rows. Loss {mean_loss:.2f}, and e to that power is {np.exp(mean_loss):.0f}.")

# %% [markdown]
# e to the power of this mean is called the **pseudo-perplexity** (Salazar et al., 2020). The true tokens were, on
# average, as surprising as if each had been drawn from so many equally likely ones. *Pseudo*, because each token was
# predicted from all the others: the product of these probabilities is not the probability of the sentence.
#
# **Guess first.** Type a sentence, and below it the token that you think will have the highest loss. The losses are shown
# after your guess. Then replace one word by a synonym, break the grammar, or use a long and rare word.

# %%
import html

def costliest(text, guess):
    tokens, losses = losses_in_turn(text)
    if guess.strip().lower() not in tokens:
        return f"<p>Guess one of these, and press Enter: {html.escape(', '.join(dict.fromkeys(tokens)))}</p>"
    rank = 1 + sum(losses > max(losses[i] for i, token in enumerate(tokens) if token == guess.strip().lower()))
    told = f"Mean loss {losses.mean():.2f}, pseudo-perplexity {np.exp(losses.mean()):.0f}."
    return losses_html(tokens, losses) + f"<p>Your token has place {rank} of {len(tokens)}. {told}</p>"

Explorer(costliest, text=sentence_box("My sister plays the violin in a small orchestra."),
         guess=widgets.Text(description="My guess", placeholder="one token", continuous_update=False))

# %% [markdown]
# <details><summary><b>Why does a long and rare word not always have the highest loss?</b></summary>
#
# The vocabulary cuts it into subwords, and only one of them is masked at a time. The others are still there, and tell the
# model which word it is. So this loss flatters long names and rare words. Whoever compares sentences by it should mask
# the subwords to the right in the same word, too (Kauf and Ivanova, 2023).
# </details>
#
# Now the second question. Six short texts, written for this lesson, so no model was trained on them; two each about bread,
# bees and ice. Each is cut in two: A, and the B that follows. (The texts are folded: you will be asked which follows which.)

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
# The model is asked about each B alone: how probable is it that this B follows A? (A text of more than 60 tokens is cut
# there.)

# %%
def follows_in_english(pairs):
    """Probability that B follows A, (N,), for N pairs of texts."""
    ids = [tuple(english.tokenizer.encode(text).ids[:60] for text in pair) for pair in pairs]
    batch = collate(ids, english.tokenizer.specials)
    inputs = map(torch.tensor, (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
    with torch.no_grad():
        return english.model(*inputs)["pair"].softmax(-1)[:, 0].numpy()

# %% [markdown]
# **Guess first.** Choose the B that follows. Then the model answers. Is it right, and is it sure?

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
Explorer(which_follows, number=number, guess=guess)

# %% [markdown]
# Where it is right, is it right because it reads? As in section 8, we change what should matter. Beside the true pairs
# there are four kinds of false ones: A and B **exchanged**; **A once more** in place of B; the B **from the other text
# about it**; a B **about another subject**. The model answers for all of them.

# %%
count = len(PARAGRAPHS)
CHANGES = {"the true B": zip(first_parts, second_parts), "A and B exchanged": zip(second_parts, first_parts),
           "A once more": zip(first_parts, first_parts),
           "from the other text about it": zip(first_parts, [second_parts[i ^ 1] for i in range(count)]),
           "about another subject": zip(first_parts, [second_parts[(i + 2) % count] for i in range(count)])}
means = {name: float(follows_in_english(list(pairs)).mean()) for name, pairs in CHANGES.items()}

# %% [markdown]
# Whoever reads would say *B follows A* of the true B only. And this model?

# %% jupyter={"source_hidden": true}
def fooled_by():
    most = max(list(means)[1:], key=means.get)
    return (f"<p>Of the four, “{most}” fools it most: {means[most]:.0%}. Six pairs of each kind are few. But in training "
            "a false B came from another document, mostly about something else: that is what the model learned to "
            "refuse. It was never shown A and B exchanged, or A twice, and hardly ever two texts about one subject.</p>")

GuessBars("How probable does the model find it that B follows A, on average over six pairs?", list(means),
          lambda: [100 * mean for mean in means.values()], top=100, within=15, axis="mean probability that B follows A",
          unit="%", see=fooled_by)

# %% [markdown]
# A model learns only as much as it needs to tell the right answers from the wrong ones that it was shown.
#
# Your turn: type two texts. **Try** a B about the same thing that contradicts A, and a B that starts with *She* or
# *Therefore* but has nothing to do with A. We begin with the true pair that the model is most sure about.

# %%
def ask_english(a, b):
    forwards, backwards = follows_in_english([(a, b), (b, a)])
    return guesses_html([("B follows A", forwards), ("exchanged: A follows B", backwards)])

surest = follows_in_english(list(zip(first_parts, second_parts))).argmax()
Explorer(ask_english, a=widgets.Text(first_parts[surest], description="A", layout=WIDE, continuous_update=False),
         b=widgets.Text(second_parts[surest], description="B", layout=WIDE, continuous_update=False))

# %% [markdown]
# And here are both output heads at the end of the whole model: what it says at `[MASK]`, and, from `[CLS]`, whether B
# follows A. Change B, and watch both.

# %%
from minibert.viz import explore

explore(english, "She put the [MASK] into the lock.", "Then she opened the door.")

# %% [markdown]
# ## Check yourself
#
# Every choice is explained, the wrong ones too. Try them. (The code is folded: it holds the answers.)

# %% jupyter={"source_hidden": true}
Quiz([
    Question("At one [MASK] the right word got p = 0.05, at another p = 0.5. What is the loss of the two?", [
        Choice("About 1.84", True, "Right: −ln 0.05 = 3.00, −ln 0.5 = 0.69, and their mean is 1.84."),
        Choice("About 1.29", False, "That is −ln of the mean probability, 0.275. First the logarithms, then the mean."),
        Choice("0.725", False, "That is the mean of 1 − p, which rewards boasting."),
    ]),
    Question("An untrained model with 30,522 pieces shows a loss of 1.55 in its first step. What is likely?", [
        Choice("It was lucky with its first weights", False, "Without training it knows nothing: ln 30,522 = 10.33."),
        Choice("Its sum was divided by all positions", True, "Right: 15% are asked, and 0.15 × 10.33 = 1.55."),
        Choice("The learning rate is too high", False, "In the first step nothing has been learned, at any rate."),
    ]),
    Question("What does it mean that the head is tied?", [
        Choice("Input and output share one table", True, "Right. A word goes in and comes out by the same row."),
        Choice("The head is not trained", False, "It is. The table is taught from both sides."),
        Choice("MLM and NSP share one head", False, "Each has its own. They share the encoder."),
    ]),
    Question("A corpus has documents of one sentence only. What does NSP become?", [
        Choice("Harder, because the texts are short", False, "It becomes trivial: look at the labels."),
        Choice("Every label is 1, and there is nothing to learn", True, "Right. Nothing ever follows."),
        Choice("A test of order", False, "For order one needs at least two sentences of a document."),
    ]),
    Question("A model has 98% in NSP. You exchange A and B in all rows with label 0, and its answers stay. What follows?", [
        Choice("It understands both directions of a text", False, "Exchanged, B does not follow A any more. It should have "
               "noticed."),
        Choice("It compares topics, not the order of the text", True, "Right: what it uses does not depend on the order."),
        Choice("Its NSP head is broken", False, "It does what it was asked to: foreign texts are found."),
    ]),
    Question("What did RoBERTa's table 2 show about NSP?", [
        Choice("Without it, most scores are slightly better", True, "Right, with full rows of connected text. Only SST-2 loses a "
               "little."),
        Choice("It harms every task by many points", False, "The differences are small. Only pairs of single sentences "
               "lose much, and those are pairs with NSP."),
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
# - **From vector to loss**: transform, GELU, LayerNorm, dot product with every embedding, bias, softmax, −ln p of the word
#   that stood there. **Know nothing: ln V.**
# - **−ln p makes honest**: saying what one knows is the cheapest. 1 − p makes boasters.
# - **Only the asked positions count**, above and below the line of the mean. A loss with padding or visible tokens in it
#   looks low, and says nothing of the gaps.
# - The output matrix is **tied** to the embeddings: one table, read in both directions.
# - **NSP** draws half of its B's from other documents. Short documents, the same document twice, lengths and above all the
#   **topic** give its label away.
# - **SOP** exchanges two neighbours: the topic says nothing, though openers do. **StructBERT** asks for next, previous and
#   foreign at once.
# - RoBERTa dropped NSP and lost next to nothing; ALBERT replaced it by SOP and gained.
# - **In real English**: mask each token in turn, and e to the mean loss is the sentence's pseudo-perplexity. NSP is fooled
#   by whatever its wrong pairs never showed.
#
# Next: the exercises of this unit, where you write `mlm_loss`, `nsp_loss`, `nsp_examples` and `sop_examples` yourself. Then
# lesson 5: the loop that makes the loss fall.

# %% [markdown]
# ## Read on
#
# - Devlin, Chang, Lee, Toutanova (2019): [BERT](https://arxiv.org/abs/1810.04805). Section 3.1 for both questions, appendix
#   A.2 for the sum of the losses, section 5.1 and table 5 for training without NSP.
# - Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692). Section 4.2 and table 2: rows with and without NSP.
# - Lan et al. (2020): [ALBERT](https://arxiv.org/abs/1909.11942). Section 3.1 for sentence order, section 4.6 and table 5.
# - Wang et al. (2020): [StructBERT](https://arxiv.org/abs/1908.04577). Section 2: next, previous, foreign; and words to put
#   in order.
# - Press, Wolf (2017): [Using the Output Embedding to Improve Language Models](https://arxiv.org/abs/1608.05859).
# - Inan, Khosravi, Socher (2017): [Tying Word Vectors and Word Classifiers](https://arxiv.org/abs/1611.01462).
# - Salazar, Liang, Nguyen, Kirchhoff (2020): [Masked Language Model Scoring](https://arxiv.org/abs/1910.14659). A sentence,
#   each token masked in turn. Kauf, Ivanova (2023): [A Better Way to Do Masked Language Model
#   Scoring](https://arxiv.org/abs/2305.10588), for words of several subwords.
# - In the package: `minibert/reference/heads.py`, `losses.py` and `packing.py`; `minibert/objectives/` has `mlm.py`,
#   `nsp.py`, `sop.py` and `structural.py`, each a page.
