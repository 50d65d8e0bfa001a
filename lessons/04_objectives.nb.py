# %% [markdown]
# # 4 · Objectives: what BERT is asked
#
# *The cook stirs the ▨▨▨▨.* A model gives *soup* a probability of 54%. Was that a good prediction? A pretraining
# **objective** says what the model must predict, and how its predictions are turned into one number, the loss. BERT has
# two: predict the masked tokens, and answer *does this text follow that one?* You will see the second one answered by a
# model that cannot read.
#
# **After this lesson you can**
#
# - compute the loss of one masked token by hand, starting from its hidden state,
# - say why only the chosen positions count, and recognise a loss that counts others too,
# - explain what it means that BERT's output layer is tied to its embeddings,
# - draw sentence pairs from documents, and name four ways in which such pairs give away their label,
# - compare next sentence prediction with the objectives of ALBERT and StructBERT, and say why it is in doubt,
# - score a sentence of your own token by token, and find out what fools a model trained on English.
#
# **You need** lessons 1 to 3, and logarithms.
# **Time:** about 85 minutes with guessing and playing; the code alone runs in 40 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is
# remembered best. Questions that begin with **Your guess** are counted; at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(4)

# %% [markdown]
# ## Which word does not belong?
#
# In each of eight English sentences, one word was replaced with a wrong one. You see at once which. Can a model find it
# too? It has only learned to predict masked tokens, so we mask each token in turn and let the model read all the
# others. The bar over a token is its **loss**: the higher it is, the less the model expected this token.
#
# You start with the sentence in which the wrong word stands out most. **Try** others, such as *She opened the giraffe
# and went in*, then your own. (The other six are in the folded code, which section 12 explains.)

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
# Run the folded cell, then choose. You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("Two texts become one input sequence. In which order do its parts stand?", [
        Choice("[CLS] A [SEP] B [SEP]", True, "Right: [CLS] first, and a [SEP] after each text."),
        Choice("[CLS] A [CLS] B [SEP]", False, "A sequence has one [CLS], at its start."),
        Choice("A [SEP] B [CLS]", False, "[CLS] comes first, so that its place never depends on the texts."),
    ]),
    Question("What tells the model whether a token belongs to A or to B?", [
        Choice("Its position", False, "Positions count from the left, but B can start at any of them."),
        Choice("A segment embedding", True, "Right. It is added to the token's own and its position's."),
        Choice("A different vocabulary for B", False, "Both texts use the same tokens."),
    ]),
    Question("Why does a batch contain [PAD]?", [
        Choice("To hide words from the model", False, "That is [MASK]. [PAD] hides nothing."),
        Choice("To fill rows up to one length", True, "Right. The attention mask keeps it out of sight. Section 4 asks "
               "what happens if the loss counts it."),
        Choice("To end a sentence", False, "That is [SEP]."),
    ]),
])

# %% [markdown]
# ## 1 · One masked word, by hand
#
# The encoder's output is one vector for each token, its **hidden state**. BERT's **output head** turns the hidden state
# at a `[MASK]` into a probability for every word of the vocabulary.
#
# Ours is tiny, so that you can see every number: 6 words, and vectors of 4 numbers, which mean *edible, liquid, a tool,
# a person*. Each word has a row in the table of embeddings, the same table that the input is looked up in.

# %%
import numpy as np

WORDS = ["soup", "tea", "bread", "ladle", "river", "cook"]
TABLE = np.array([[2, 2, 0, 0], [1, 3, 0, 0], [3, 0, 0, 0], [0, 0, 3, 0], [-2, 3, 0, 0], [0, 0, 0, 3.0]])  # (V, D)
BIAS = np.array([1, 0, 0.5, 0, 0, 0.5])                                     # (V,): how frequent each is

# %% [markdown]
# The head has one weight matrix of its own. Ours adds half of *liquid* to *edible*, and doubles *liquid*.

# %%
W = np.array([[1, 0.5, 0, 0], [0, 2, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])  # (D, D)

# %% [markdown]
# You know GELU, LayerNorm and the softmax from lesson 2. The **logits** are the scores that go into the softmax:

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
# **Guess first.** The encoder has read *the cook stirs the [MASK]*. The hidden state at `[MASK]` is (1, 1, −1, 0):
# rather edible, rather liquid, not a tool. Which two of the six words will be the most probable?
#
# Press **Next step** and check each number. Then choose another word as the right one, and type another vector.

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
# The package's own head gives the same logits:

# %%
from minibert.reference import token_head

hidden = np.array([1, 1, -1, 0.0])
head = {"transform.weight": W, "transform.bias": np.zeros(4), "norm.weight": np.ones(4), "norm.bias": np.zeros(4),
        "decoder.weight": TABLE, "decoder.bias": BIAS}
print("the same logits:", np.allclose(token_head(hidden, head), by_hand(hidden)["logits"]))

# %% [markdown]
# The loss −ln p is called the **cross-entropy**. It depends only on the probability of the right word, not on how the
# rest is shared among the wrong ones.
#
# <details><summary><b>Why does one right word teach something about all the others?</b></summary>
#
# Probabilities sum to 1. To give *soup* more, the model must take it from the others, so the gradient reaches the
# logits of all six words, and in BERT those of all 30,522 tokens.
# </details>

# %% [markdown]
# ## 2 · Why minus the logarithm?
#
# A prediction that is right and certain should cost nothing, a wrong one a lot. A simpler cost would do that too:
# 1 − p, where p is the probability of the right word.
#
# Take two bad predictions: the first gives the right word p = 0.01, the second ten times less, 0.001.

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses
from minibert.viz.plots import bars, curves

def both_costs():
    p = np.linspace(0.001, 1, 200)
    return curves(p, {"cost of the prediction": {"−ln p": np.log(1 / p), "1 − p": 1 - p}}, "p of the right word",
                  f"−ln p never stops growing: {-np.log(p[0]):.1f} at p = 0.001, where 1 − p is {1 - p[0]:.3f}",
                  markers=False)

GuessNumber("With 1 − p, the second prediction costs 0.009 more than the first. How much more with −ln p?",
            lambda: np.log(0.01 / 0.001), within=0.4, form="{:.1f}", see=both_costs)

# %% [markdown]
# With 1 − p, a hopeless prediction costs hardly more than a bad one, so the gradient at the logits is close to 0. There
# is a deeper reason, too. Suppose the masked word is *soup* in 70 of 100 texts and *tea* in the other 30, and nothing
# else in the text differs. An honest model gives 70% and 30%. What do other predictions cost on average?

# %%
said = np.linspace(0.001, 0.999, 999)                                   # probability that the model gives to soup
costs = {"−ln p": -0.7 * np.log(said) - 0.3 * np.log(1 - said), "1 − p": 0.7 * (1 - said) + 0.3 * said}
cheapest = {name: said[cost.argmin()] for name, cost in costs.items()}

# %% [markdown]
# Training moves a model towards the prediction that costs least.

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import figure_html

def cheapest_words():
    truth, boast = cheapest["−ln p"], cheapest["1 − p"]
    drawing = curves(said, {"mean cost": costs}, "probability given to soup",
                     f"Cheapest: {truth:.0%} with −ln p, the true share; {boast:.0%} with 1 − p", markers=False)
    return figure_html(*drawing) + (
        "<p>With −ln p, the honest prediction is the cheapest. With 1 − p, exaggeration is.</p>")

GuessNumber("The cost is 1 − p. Which probability for soup is the cheapest on average?",
            lambda: 100 * cheapest["1 − p"], within=5, form="{:.0f}%", see=cheapest_words)

# %% [markdown]
# With −ln p, even the honest model has a loss of 0.7 · −ln 0.7 + 0.3 · −ln 0.3 = 0.61 on average. No model can do
# better here.
#
# A rule to remember: with V words to choose from, a model that knows nothing has the loss ln V.

# %%
for size, name in ((6, "our six words"), (2, "yes or no"), (30_522, "BERT's vocabulary")):
    print(f"{name + ':':19s} every p is 1/{size:,}, so the loss is ln {size:,} = {np.log(size):.2f}")

# %% [markdown]
# If a training run does not start near ln V, look for a bug.

# %% [markdown]
# ## 3 · The same in a real model, and a table used twice
#
# Now the small BERT of this course, which has read our generated language. (If you do not have it yet, a smaller one is
# trained first, in about half a minute.)

# %%
import torch
from minibert.batch import collate, visible_all
from minibert.class_model import class_model

model, tokenizer = class_model()
vocab = list(tokenizer.vocab)

# %% [markdown]
# This function returns the hidden state at `[MASK]`:

# %%
def hidden_at_mask(text):
    left, right = text.split("[MASK]")
    ids = [*tokenizer.encode(left).ids, tokenizer.specials.mask, *tokenizer.encode(right).ids]
    batch = collate([(ids, None)], tokenizer.specials)
    with torch.no_grad():
        out = model.encoder(*map(torch.tensor, (batch.input_ids, visible_all(batch.real), batch.token_type_ids)))
    return out["hidden"][0, batch.input_ids[0].tolist().index(tokenizer.specials.mask)].numpy()     # (D,)

# %% [markdown]
# The weights of its output head go into the function of section 1. Look at their shapes: V is the first number of the
# last two lines.

# %%
real_head = {name: weight.numpy() for name, weight in model.heads["tokens"].state_dict().items()}
for name, weight in real_head.items():
    print(f"{name:18s} {weight.shape}")
print(f"ln V = ln {len(vocab):,} = {np.log(len(vocab)):.2f}")

# %% [markdown]
# Start with the example, then type a text with one `[MASK]`, and the right word. **Guess first**, before you press
# Enter: will the loss be above or below ln V? Then delete the words that give away the answer: how does the loss
# change?

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import Explorer
from minibert.viz.guess import guesses_html

def ask(text, word):
    if word not in vocab:
        raise ValueError(f"{word!r} is not a token of this vocabulary")
    logits = token_head(hidden_at_mask(text), real_head)                        # (V,)
    probs = np.exp(logits - logits.max()) / np.exp(logits - logits.max()).sum()
    mine, top = vocab.index(word), probs.argsort()[::-1][:5]
    told = f"<p>“{word}” got p = {probs[mine]:.4f}, so the loss is −ln p = <b>{-np.log(probs[mine]):.2f}</b>.</p>"
    return told + guesses_html([(vocab[i], probs[i]) for i in top])

Explorer(ask, text=widgets.Text("Chesworth was born [MASK] Lambury in 1946.", description="My text",
                                layout={"width": "560px"}, continuous_update=False),
         word=widgets.Text("in", description="Right word", continuous_update=False))

# %% [markdown]
# The head's largest matrix by far is `decoder.weight`: one vector of 128 numbers for each token of the vocabulary. The
# embedding table has the same shape, and for a good reason:

# %%
embeddings = model.encoder.embeddings.word.weight                       # (V, D)
print("decoder.weight is the embedding table:", model.heads["tokens"].decoder.weight is embeddings)

# %% [markdown]
# They are not just equal: they are one array in memory. The output head is **tied** to the embeddings: a token's row is
# its vector in the input and its weights in the output. The head asks: *whose embedding fits this vector best?*
#
# So tokens with similar embeddings get similar logits. The nearest neighbours of a few words:

# %%
unit = embeddings.detach().numpy()
unit = unit / np.linalg.norm(unit, axis=1, keepdims=True)               # (V, D)
for word in ("cook", "owl", "violin", "monday"):
    if word in vocab:
        near = (unit @ unit[vocab.index(word)]).argsort()[::-1][1:6]
        print(f"{word:8s}", *(vocab[i] for i in near))

# %% [markdown]
# BERT-base has 109.5 million weights in its encoder, including the embeddings: 30,522 tokens, 768 numbers each.

# %% jupyter={"source_hidden": true}
V, D = 30_522, 768

def head_in_parts():
    parts = {"encoder, with its embeddings": 109_482_240, "transform and LayerNorm": D * D + D + 2 * D,
             "a bias for each token": V, "a second table, if not tied": V * D}
    title = f"Tying saves {V * D / 1e6:.1f} million weights; the head adds {(D * D + 3 * D + V) / 1e6:.2f} million"
    return bars(list(parts), [size / 1e6 for size in parts.values()], "million weights", title, chosen=3,
                form="{:.2f}")

GuessNumber("How many million weights more would BERT-base have if its output used a second table?",
            lambda: V * D / 1e6, within=3, form="{:.1f} million", see=head_in_parts)

# %% [markdown]
# Saving weights is one reason. Another: in a second table, a rare word's row would be pulled towards its contexts only
# when that word is masked. A shared row also learns whenever the word is read. (Press and Wolf, 2017, and Inan et al.,
# 2017, showed that tying improves language models.)
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

# %% [markdown]
# ## 4 · Only the chosen positions count
#
# In masked language modeling, 15% of the tokens are chosen. The label of a chosen token is its true id. Everywhere else
# the label is −100: the loss **ignores** this position. We try it on lives (short biographies) new to the model.

# %%
from minibert.corpora.world import World
from minibert.training import encode_documents

documents = list(World(7).documents(600, seed=3, split="dev"))
lives = [document.sentences for document in documents if document.kind == "life"]
held_out_lives = encode_documents(lives, tokenizer)

# %% [markdown]
# In the package, `MLM` is BERT's first objective. It chooses positions, masks them, and returns the model's inputs and
# the labels (`IGNORE` is −100; `hide` replaces 80% of the chosen tokens with `[MASK]` and 10% with random ones):

# %%
import inspect
from minibert.objectives import MLM

print(inspect.getsource(MLM.corrupt))

# %% [markdown]
# We apply it to 64 sequences, and compute the logits at every position.

# %%
objective = MLM(tokenizer.specials, len(tokenizer), max_length=24)
batch = objective.collate(objective.build(held_out_lives, None)[0][:64])
inputs, labels = objective.corrupt(batch, np.random.default_rng(4))
labels = labels["tokens"]                                                       # (B, T)
with torch.no_grad():
    logits = model(**{name: torch.tensor(array) for name, array in inputs.items()})["tokens"].numpy()  # (B, T, V)

# %% [markdown]
# Each chosen token is framed, with its label and its loss below. Which of them look untouched? Choose other rows of the
# batch, too.

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
# The loss of a batch is one mean over the chosen positions of all its sequences: `mlm_loss` in the package.

# %%
from minibert.reference import mlm_loss

count = (labels != -100).sum()
print(f"{labels.size} positions, {batch.real.sum()} without padding, {count} of them chosen")
print(f"mlm_loss: {mlm_loss(logits, labels):.3f}   by hand: {losses[labels != -100].mean():.3f}")

# %% [markdown]
# Now three ways to get it wrong: divide by all positions; average over all non-padding tokens, even those that the
# model can see; or count `[PAD]` as if it were a word.

# %%
def four_means(length):
    padding = len(labels) * length - batch.real.sum()
    chosen, real = losses[labels != -100], losses[batch.real]
    pad_loss = np.log(len(vocab))                                       # it has never learned to predict [PAD]
    return {"chosen positions (right)": chosen.mean(), "÷ all positions": chosen.sum() / (len(labels) * length),
            "all non-padding tokens": real.mean(),
            "padding, too": (real.sum() + padding * pad_loss) / (len(labels) * length)}

# %% [markdown]
# (For `[PAD]` we assume the probability 1/V.) Now pad the sequences to other lengths. The model and the text stay the
# same. **Guess first**, before you choose a length: which of the four numbers will change?

# %% jupyter={"source_hidden": true}
def draw_means(length):
    means = four_means(length)
    loss = means["chosen positions (right)"]
    title = f"Sequences of {length} tokens: the loss is {loss:.2f}; the other three formulas are wrong"
    return bars(list(means), list(means.values()), "loss", title, chosen=0, limit=9)

Explorer(draw_means, length=widgets.Dropdown(options=[24, 48, 96, 192], description="Row length"))

# %% [markdown]
# A loss that depends on the padding cannot be compared with ln V, with another batch or with a paper. And a model that
# is trained with such a formula learns what the formula asks for. To see it, we train three small models on the same
# text, for the same number of steps. Only the labels differ, that is, which tokens the model is *asked* for.

# %%
class SeenToo(MLM):
    """Every non-padding token has a label, masked or not."""
    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return inputs, {"tokens": np.where(batch.real, batch.input_ids, -100)}

class PaddingToo(MLM):
    """Every position has a label: where it should be -100, it is the id of [PAD]."""
    def corrupt(self, batch, rng):
        inputs, labels = super().corrupt(batch, rng)
        return inputs, {"tokens": np.where(labels["tokens"] == -100, self.specials.pad, labels["tokens"])}

# %% [markdown]
# Folded: their training text with a vocabulary of 800 tokens, the training, and an exam. The exam uses the right
# formula for all three, on documents that none of them has read.

# %% jupyter={"source_hidden": true}
from minibert.config import preset
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training import Phase, TrainConfig, pretrain

train_texts = [document.sentences for document in World(7).documents(1500, seed=1, split="pretrain")]
pieces = FastWordPiece(train_wordpiece(count_words(sentence for text in train_texts for sentence in text), 800))
texts = [document.sentences for document in documents[:150]]
train_ids, exam_ids = encode_documents(train_texts, pieces), encode_documents(texts, pieces)

SMALL = preset("class", num_hidden_layers=1, hidden_size=96, num_attention_heads=3, intermediate_size=192)
STEPS_EACH = TrainConfig(steps=300, batch_size=16, peak_rate=3e-3, optimizer="muon")

def train_with(kind):
    def make(tokenizer, max_length):
        return kind(tokenizer.specials, len(tokenizer), max_length)
    return pretrain(train_ids, pieces, SMALL, [Phase(STEPS_EACH, 40)], torch.device("cpu"), make_objective=make,
                    progress=False)

def exam(model):
    right = MLM(pieces.specials, len(pieces), 40)
    batch = right.collate(right.build(exam_ids, None)[0])
    inputs, labels = right.corrupt(batch, np.random.default_rng(6))
    with torch.no_grad():
        logits = model(**{name: torch.tensor(array) for name, array in inputs.items()})["tokens"].numpy()
    asked = labels["tokens"] != -100
    return mlm_loss(logits, labels["tokens"]), (logits.argmax(-1) == labels["tokens"])[asked].mean()

# %% [markdown]
# Now we train all three. (This takes a few seconds.)

# %%
KINDS = {"asked only (right)": MLM, "seen tokens, too": SeenToo, "[PAD] asked, too": PaddingToo}
trained = {name: train_with(kind) for name, kind in KINDS.items()}
shown = {name: [entry["loss"] for entry in log] for name, (_, log) in trained.items()}
exams = {name: exam(small) for name, (small, _) in trained.items()}

# %% [markdown]
# During training, each model shows the loss of its own formula.

# %% jupyter={"source_hidden": true}
means_shown = {name: np.reshape(loss, (-1, 20)).mean(axis=1) for name, loss in shown.items()}    # over 20 steps each

def shown_and_true():
    worst = max(exams, key=lambda name: exams[name][0])
    assert exams["seen tokens, too"] < exams["[PAD] asked, too"]
    drawing = curves(np.arange(20, STEPS_EACH.steps + 1, 20), {"loss shown while training": means_shown}, "step",
                     f"A low curve proves nothing: “{worst}” shows {means_shown[worst][-1]:.2f} and has "
                     f"{exams[worst][0]:.2f} in the exam", at_least={"loss shown while training": (0, 7)})
    told = "".join(f"<li>{name}: loss {loss:.2f}, {accuracy:.0%} of the chosen tokens right</li>"
                   for name, (loss, accuracy) in exams.items())
    return (f"{figure_html(*drawing)}<p>In the exam (ln {len(pieces)} = {np.log(len(pieces)):.2f}):</p><ul>{told}</ul>"
            "<p>The low curves come from easy positions. A token that can be seen need only be copied, and a model "
            "whose labels are nearly all [PAD] learns to predict [PAD]. At most about 15% of what is counted is "
            "masked language modeling. Copying does little harm in so short a run (it also trains the embeddings), "
            "but its curve does not show how well masked tokens are predicted.</p>")

GuessChoice("Which of the three shows the lowest loss at the end of its training?", list(KINDS),
            lambda: min(means_shown, key=lambda name: means_shown[name][-1]), see=shown_and_true)

# %% [markdown]
# Before you ask how low a loss is, ask what it counts.
#
# <details><summary><b>Why not predict the visible tokens as well?</b></summary>
#
# Copying is learned in a few steps and then teaches nothing more, though it needs logits at all positions instead of
# 15%. BERT does predict a few visible tokens, 10% of the chosen ones (lesson 1 says what for). ELECTRA's objective
# gains by using every position, but it asks something else: *was this token replaced?*
# </details>
#
# <details><summary><b>Why is the mean taken over the batch, and not sequence by sequence?</b></summary>
#
# So that each chosen token has the same weight. In a mean of means, a token that is the only chosen one of its sequence
# would weigh as much as five tokens of another.
# </details>

# %% [markdown]
# ## 5 · The second question: does B follow A?
#
# Many tasks are about two texts: a question and a passage, a claim and its evidence. Masked words hardly teach how two
# texts relate. So BERT has a second objective, **next sentence prediction** (NSP). Each example is a pair of segments,
# A and B. In half of the examples B follows A in the document (label 0, *IsNext*). In the other half B is **foreign**:
# it comes from another document (label 1, *NotNext*). The model must predict the label from the vector of `[CLS]`.
#
# Like masked words, such pairs need no human labels. Here are three documents:

# %%
from minibert.viz.explorer import View
from minibert.viz.sentence_pairs import documents_html, pairs_html

STORIES = [["The cook wakes up.", "He greets the ladle.", "The soup is hot.", "Nobody eats it."],
           ["A storm came.", "The river rose.", "We lost the bridge."], ["For sale: one cello."]]
View(documents_html(STORIES))

# %% [markdown]
# The package draws pairs of lists of ids. Here each sentence counts as one id, and a sequence has room for four of them
# and its three special tokens.

# %%
from minibert.reference import nsp_examples

def draw_pairs(number):
    as_ids = [[[sentence] for sentence in story] for story in STORIES]
    rows, labels = nsp_examples(as_ids, 3 + 4, np.random.default_rng(number))
    return pairs_html(STORIES, rows, labels, {0: "B follows A", 1: "another document"})

# %% [markdown]
# Press *New draw* a few times, and watch two things: the label of the pairs that begin with C1, and what becomes of A2
# when A1 gets a foreign B.

# %%
from minibert.viz.masking import Redraws

Redraws(draw_pairs)

# %% [markdown]
# You can see three rules:
#
# - A **segment** is one or more sentences in a row, despite the name *next sentence* (Devlin et al., appendix A.2).
# - After a foreign B, the sentences that would have been B go back and start the next pair.
# - If no sentence of the document is left, B must be foreign: C1 always gets label 1.
#
# The loss is the same cross-entropy, with two classes instead of V words: a model that knows nothing has ln 2 = 0.69.
#
# BERT's training loss is the sum of both losses (appendix A.2). In the package:

# %%
from minibert.objectives.sum import Sum

print(inspect.getsource(Sum.loss))

# %% [markdown]
# A model with random weights should start near ln 2 + ln V. Does it? And what does the pretrained model reach?

# %%
from minibert.training import bert_objective

both = bert_objective(tokenizer, max_length=32)
rows, row_labels = both.build(held_out_lives, np.random.default_rng(0))
torch.manual_seed(0)
fresh = both.model(type(model.encoder)(model.encoder.config))
print(f"{'ln 2 + ln V':18s} {np.log(2 * len(vocab)):.2f} = {np.log(2):.2f} + {np.log(len(vocab)):.2f}")
for name, one in {"random weights": fresh, "pretrained": model}.items():
    with torch.no_grad():
        total, parts = both.step(one.eval(), both.collate(rows[:64], row_labels[:64]), np.random.default_rng(1))
    print(f"{name:18s} {total:.2f} =", " + ".join(f"{part:.2f} ({key})" for key, part in parts.items()))

# %% [markdown]
# ## 6 · Four ways to give the label away
#
# A model may use any **shortcut**: a sign that predicts the label without the skill that we want to teach. For NSP,
# such signs can come from how the pairs were drawn.
#
# **One: short documents.** A document of one sentence can only give label 1. To see what this does to a collection, we
# cut documents of all kinds to a few sentences, and draw pairs with the package's function.

# %%
held_out = encode_documents(texts, tokenizer)

def share_of_ones(sentences):
    short = [document[:sentences] for document in held_out] * 10        # each ten times, so that chance evens out
    return np.mean(nsp_examples(short, 128, np.random.default_rng(0))[1])

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
        "<p>Half of the documents of two sentences give one example with label 0. In the other half B is foreign, and "
        "the second sentence goes back: that gives <i>two</i> examples with label 1. A model that always predicts 1 is "
        f"right in {ones[1]:.0%} of them. Compare with the larger class, never with 50%.</p>")

GuessNumber("Each document has two sentences. What percentage of the examples get label 1?",
            lambda: 100 * share_of_ones(2), within=6, form="{:.0f}%", see=shares_of_ones)

# %% [markdown]
# **Two: the same document twice.** If a foreign B is drawn from *all* documents, it sometimes comes from A's own. Then
# label 1 is wrong.

# %%
rng = np.random.default_rng(0)
for n in (2, 5, 20, 1000):
    own = rng.integers(n, size=100_000)                                 # A's document
    drawn = rng.integers(n, size=100_000)                               # B's, carelessly
    print(f"{n:5d} documents: {np.mean(own == drawn):6.2%} of the foreign B's come from A's own document")

# %% [markdown]
# With n documents it is one in n. That is rare in a large collection, but copies of one text (a quote, a licence, a
# news item) have the same effect. BERT's own code draws again, up to ten times.
#
# **Three: lengths.** Suppose B is the rest of the document when it follows, and one sentence when it is foreign. Then a
# short B suggests label 1. To avoid this, the package makes a foreign B as long as the true one would have been. The
# careless way:

# %%
def careless(docs, rng):
    for document in docs:
        cut = int(rng.integers(1, len(document)))
        other = docs[rng.integers(len(docs))]
        label = int(rng.integers(2))
        yield (sum(document[:cut], []), other[rng.integers(len(other))] if label else sum(document[cut:], [])), label

# %% [markdown]
# The best rule that looks only at the length of B (*up to this length: label 1*), and the share of the larger class:

# %%
def best_cut(rows, labels):
    sizes, labels = np.array([len(b) for _, b in rows]), np.array(labels)
    right = [np.mean((sizes <= size) == labels) for size in range(sizes.max() + 1)]
    return max(right), max(labels.mean(), 1 - labels.mean())

# %% [markdown]
# We draw carelessly. About half of these examples have label 1. How far does the length of B get you?

# %% jupyter={"source_hidden": true}
careless_rows, careless_labels = zip(*careless(held_out * 5, np.random.default_rng(0)))

def both_ways_to_draw():
    package = nsp_examples(held_out * 5, 128, np.random.default_rng(0))
    drawn = {"carelessly drawn examples": (careless_rows, careless_labels), "the package's examples": package}
    said = "<p>Of {}, the length of B alone gets {:.0%} right. Always predicting the larger class: {:.0%}.</p>"
    return "".join(said.format(name, *best_cut(*rows)) for name, rows in drawn.items())

GuessNumber("What percentage of the carelessly drawn examples does this rule get right?",
            lambda: 100 * best_cut(careless_rows, careless_labels)[0], within=6, form="{:.0f}%", see=both_ways_to_draw)

# %% [markdown]
# The package cannot avoid this completely: if A is the last sentence of a document, B is a single foreign sentence.
#
# **Four** cannot be avoided by drawing more carefully. It comes from the definition of NSP, and is the next section.

# %% [markdown]
# ## 7 · A model that reads nothing
#
# A foreign B is usually about something else. So we build the simplest model that could notice: it compares which words
# are in A and in B, without their order (two **bags of words**), and adds up the weights of those in both. A rare word
# weighs more than a frequent one (**TF-IDF** weights). It knows no word order and no grammar.

# %%
from sklearn.feature_extraction.text import TfidfVectorizer

def words_of(sentence):
    return [word.strip(".,:;!?\"'") for word in sentence.lower().split()]

train_docs = [[words_of(s) for s in text.sentences] for text in World(7).documents(2000, seed=1)]
test_docs = [[words_of(s) for s in text.sentences] for text in World(7).documents(600, seed=1, split="dev")]
bag = TfidfVectorizer(analyzer=list, sublinear_tf=True).fit([sum(document, []) for document in train_docs + test_docs])

# %% [markdown]
# Each pair gets one number:

# %%
def shared(rows):
    a, b = (bag.transform([row[side] for row in rows]) for side in (0, 1))      # (N, words) each
    return np.asarray(a.multiply(b).sum(axis=1)).ravel()                        # (N,)

# %% [markdown]
# We draw examples for training and for testing. A token is a word here, and a sequence has room for 60.

# %%
train_rows, train_labels = nsp_examples(train_docs, 63, np.random.default_rng(1))
test_rows, test_labels = nsp_examples(test_docs, 63, np.random.default_rng(2))
overlap, labels_array = shared(test_rows), np.array(test_labels)

# %% [markdown]
# How much A and B share, in true pairs and in foreign ones (the last point stands for everything above 0.35):

# %%
from minibert.viz.explorer import show

edges = np.linspace(0, 0.4, 9)
found_overlaps = {"B follows A": overlap[labels_array == 0], "another document": overlap[labels_array == 1]}
histogram = {name: np.histogram(np.minimum(each, 0.39), edges)[0] / len(each) for name, each in found_overlaps.items()}
show(*curves(np.round(edges[:-1] + 0.025, 3), {"share of the pairs": histogram}, "weight of the shared words",
             f"{histogram['another document'][0]:.0%} of the foreign pairs share less than 0.05, but only "
             f"{histogram['B follows A'][0]:.0%} of the true ones"))

# %% [markdown]
# The whole model is one threshold, learned from the training pairs. From this value on, it predicts *B follows A*.

# %%
def learn_threshold(rows, labels):
    overlaps, labels = shared(rows), np.array(labels)
    tried = np.quantile(overlaps, np.linspace(0, 1, 200))
    return max(tried, key=lambda t: np.mean((overlaps < t) == labels))

threshold = learn_threshold(train_rows, train_labels)
by_topic = np.mean((overlap < threshold) == labels_array)
larger = max(labels_array.mean(), 1 - labels_array.mean())
print(f"accuracy in next sentence prediction, by shared words: {by_topic:.0%} (always the larger class: {larger:.0%})")

# %% [markdown]
# That is a high accuracy for a model that cannot read. A BERT may use the same shortcut, and just compare names and
# topics.

# %% [markdown]
# ## 8 · Break it
#
# How do you find out *why* a model is right? Change what should matter, and see whether it notices. We cut each
# document in half, which gives A and its true B, and make three changes:

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
# The fourth change is the hardest: of all foreign B's, take the one that shares most with A.

# %%
similar = (bag.transform(firsts) @ bag.transform(seconds).T).toarray()         # (N, N)
np.fill_diagonal(similar, -1)                                           # not its own
TESTS["the most similar foreign B"] = [(a, seconds[i]) for a, i in zip(firsts, similar.argmax(axis=1))]

# %% [markdown]
# A reader would say *B follows A* only of the true B. And the model of section 7? Drag each bar.

# %% jupyter={"source_hidden": true}
follows = {name: np.mean(shared(rows) >= threshold) for name, rows in TESTS.items()}

def what_it_says():
    true = follows["the true B"]
    assert true == follows["A and B exchanged"] == follows["words of A and B shuffled"]
    return (f"<p>Order makes no difference: {true:.0%} in three cases. The most similar foreign B fools it in "
            f"{follows['the most similar foreign B']:.0%} of the pairs. It has not learned whether B follows A, only "
            "whether they are about the same things.</p>")

GuessBars("Of 100 pairs of each kind, of how many does the model say “B follows A”?", list(follows),
          lambda: [100 * share for share in follows.values()], top=100, within=12, axis="says “B follows A”", unit="%",
          see=what_it_says)

# %% [markdown]
# Now for the small BERT of section 3. Its probability that B follows A:

# %%
def follows_by_bert(a, b):
    row = collate([(tokenizer.encode(a).ids, tokenizer.encode(b).ids)], tokenizer.specials)
    with torch.no_grad():
        logits = model(*map(torch.tensor, (row.input_ids, visible_all(row.real), row.token_type_ids)))["pair"]
    return float(logits.softmax(-1)[0, 0])                              # logits: (1, 2)

# %% [markdown]
# You start with two sentences that belong together: of the lives of section 4, the pair about which the model is most
# certain. (It is a small model, and often wrong.) **Try:** exchange A and B; give them nothing in common; put the same
# name into two unrelated sentences; shuffle the words.

# %%
pairs = [(text[0], text[1]) for text in lives]
a, b = max(pairs, key=lambda pair: follows_by_bert(*pair))

def ask_pair(a, b):
    return guesses_html([("B follows A", follows_by_bert(a, b)), ("exchanged: A follows B", follows_by_bert(b, a))])

WIDE = {"width": "620px"}
Explorer(ask_pair, a=widgets.Text(a, description="A", layout=WIDE, continuous_update=False),
         b=widgets.Text(b, description="B", layout=WIDE, continuous_update=False))

# %% [markdown]
# ## 9 · Sentence order
#
# ALBERT (Lan et al., 2020) replaces NSP with **sentence order prediction** (SOP): both segments come from one document,
# and in half of the examples they are exchanged. So the topic is the same for both labels.

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
# From now on, we call the model of section 7 the *topic model*. It learns a new threshold from pairs of this kind. Half
# of the examples are in order.

# %% jupyter={"source_hidden": true}
order_train, order_train_labels = sop_examples(train_docs, 63, np.random.default_rng(1))
order_test, order_labels = sop_examples(test_docs, 63, np.random.default_rng(2))
new_threshold = learn_threshold(order_train, order_train_labels)
on_order = np.mean((shared(order_test) < new_threshold) == np.array(order_labels))

GuessNumber("In what percentage of the examples is the topic model right about the order?", lambda: 100 * on_order,
            within=4, form="{:.0f}%",
            see=lambda: "<p>A and B share the same words in both orders, so its number is the same.</p>")

# %% [markdown]
# Does SOP have no shortcut, then? A second model, the *order model*, knows no word order within a segment either. It
# learns which words tend to be in the first segment and which in the second (the bag of A minus the bag of B).

# %%
from sklearn.linear_model import LogisticRegression

def sides(rows):
    return bag.transform([a for a, _ in rows]) - bag.transform([b for _, b in rows])            # (N, words)

order_model = LogisticRegression(C=10, max_iter=2000).fit(sides(order_train), order_train_labels)
print(f"accuracy in sentence order, by words of each segment: {order_model.score(sides(order_test), order_labels):.0%}")

# %% [markdown]
# **Guess first:** which words show that a segment comes first?

# %%
names = bag.get_feature_names_out()
weights = order_model.coef_[0].argsort()
print("more in the first segment: ", *names[weights[:12]])
print("more in the second segment:", *names[weights[:-13:-1]])

# %% [markdown]
# Some words open a text (the *dear* of a letter, a *riddle*, somebody *woke*), others continue one (*said*, *after*,
# *next*). In our generated language they are very regular, so this shortcut works very well. Real text is less tidy.
# Every objective has shortcuts, but a shortcut of SOP is at least about how texts go on.

# %% [markdown]
# ## 10 · Next, previous, or foreign
#
# StructBERT (Wang et al., 2020) combines both, with three labels: B follows A, B precedes A, B comes from another
# document. Each makes up a third of the examples.
#
# Three models try it: the topic model, the order model, and one that uses both.

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
# The order model keeps its weights of section 9. You see StructBERT's objective first.

# %% jupyter={"source_hidden": true}
def scores(question):
    (rows, kinds), (exam_rows, exam_kinds) = (QUESTIONS[question](docs, 63, np.random.default_rng(seed))
                                              for docs, seed in ((train_docs, 4), (test_docs, 5)))
    def score(make):
        return LogisticRegression(C=100, max_iter=2000).fit(make(rows), kinds).score(make(exam_rows), exam_kinds)
    return {"always the largest class": np.bincount(exam_kinds).max() / len(exam_kinds), "topic": score(topic_input),
            "order": score(lambda rows: both_inputs(rows)[:, 1:2]), "both": score(both_inputs)}

found = {question: scores(question) for question in QUESTIONS}

def which_trick():
    better = {question: max(("topic", "order"), key=reached.get) for question, reached in found.items()}
    three = found["next, previous, foreign"]
    return (f"<p>For next sentence, {better['next sentence']} is the better shortcut, for sentence order it is "
            f"{better['sentence order']}. With three labels, one shortcut alone reaches at most "
            f"{max(three['topic'], three['order']):.0%}, both together {three['both']:.0%}.</p>")

GuessBars("Next, previous or foreign: what percentage of the examples does each model get right?",
          list(found["next, previous, foreign"]), lambda: [100 * s for s in found["next, previous, foreign"].values()],
          top=100, within=10, axis="accuracy", unit="%", see=which_trick)

# %% [markdown]
# Compare with the other two objectives:

# %% jupyter={"source_hidden": true}
def draw_scores(question):
    found_here = found[question]
    best = max(("topic", "order"), key=found_here.get)
    title = f"{question.capitalize()}: {best} alone {found_here[best]:.0%}, both together {found_here['both']:.0%}"
    return bars(list(found_here), list(found_here.values()), "accuracy", title, chosen=3, limit=1.1,
                form="{:.0%}")

Explorer(draw_scores, question=widgets.Dropdown(options=list(QUESTIONS), description="Question"))

# %% [markdown]
# ## 11 · Was it worth it?
#
# What matters is not the accuracy in NSP, but how well the model does after fine-tuning. Three papers removed NSP or
# replaced it, and measured three tasks on their development sets: SQuAD 1.1 (find the answer to a question in a
# passage; in F1), MNLI (does a text entail another?) and SST-2 (sentiment), both in accuracy. The numbers are in
# percent.
#
# Does NSP help? Look at all nine pictures before you read on.

# %% jupyter={"source_hidden": true}
PAPERS = {
    "BERT, table 5": {"with NSP": {"SQuAD 1.1": 88.5, "MNLI": 84.4, "SST-2": 92.7},
                      "without": {"SQuAD 1.1": 87.9, "MNLI": 83.9, "SST-2": 92.6}},
    "RoBERTa, table 2": {"NSP, pairs of segments": {"SQuAD 1.1": 90.4, "MNLI": 84.0, "SST-2": 92.9},
                         "NSP, pairs of sentences": {"SQuAD 1.1": 88.7, "MNLI": 82.9, "SST-2": 92.1},
                         "without, full sequences": {"SQuAD 1.1": 90.4, "MNLI": 84.7, "SST-2": 92.5},
                         "without, one document each": {"SQuAD 1.1": 90.6, "MNLI": 84.7, "SST-2": 92.7}},
    "ALBERT, table 5": {"without": {"SQuAD 1.1": 88.6, "MNLI": 81.5, "SST-2": 89.9},
                        "NSP": {"SQuAD 1.1": 88.4, "MNLI": 81.6, "SST-2": 91.1},
                        "SOP": {"SQuAD 1.1": 89.3, "MNLI": 82.0, "SST-2": 90.3}},
}

def draw_paper(paper, task):
    values = {name: row[task] for name, row in PAPERS[paper].items()}
    least, most = min(values.values()), max(values.values())
    best = [name for name, value in values.items() if value == most]
    title = f"{paper}, {task}: {' and '.join(f'“{name}”' for name in best)} best with {most}"
    return bars([f"{name}: {value}" for name, value in values.items()], [value - least for value in values.values()],
                f"percentage points above the lowest score, {least}", title,
                list(values).index(best[0]) if len(best) == 1 else None, limit=2.2, form="+{:.1f}")

Explorer(draw_paper, paper=widgets.Dropdown(options=list(PAPERS), description="Paper"),
         task=widgets.Dropdown(options=["SQuAD 1.1", "MNLI", "SST-2"], description="Task"))

# %% [markdown]
# - **BERT**: without NSP it is a little worse here, and clearly worse on QNLI (84.9 against 88.4), which asks whether a
#   sentence answers a question.
# - **RoBERTa**: without NSP it is equal or slightly better on SQuAD 1.1 and MNLI, and a little worse on SST-2. Pairs of
#   single *sentences* do most harm: these sequences are short, so the model probably does not learn long-range
#   dependencies.
# - **ALBERT**: NSP and no second objective are about equal. SOP is best on average over five tasks (80.1 against 79.2
#   and 79.0).
#
# How can BERT and RoBERTa disagree? RoBERTa's authors suspect that BERT's experiment removed the *loss* but kept the
# *pairs* (section 4.2). A sequence that is cut in two has less connected text. Their sequences without NSP are full of
# consecutive sentences.
#
# ALBERT's table 5 confirms section 8. Trained with NSP, the model reaches 90.5% in NSP, but 52.0% in sentence order,
# which is near chance. Trained with SOP, it reaches 86.5% in sentence order, and still 78.9% in NSP.
#
# <details><summary><b>Why can the model trained with SOP do NSP at all?</b></summary>
#
# To know how a text goes on helps to notice that a foreign text does not. But a common topic says nothing about which
# half comes first.
# </details>
#
# <details><summary><b>Why might NSP help with QNLI all the same?</b></summary>
#
# QNLI also compares two texts, and *are they about the same thing?* is a good part of the answer.
# </details>

# %% [markdown]
# ## 12 · In real English
#
# Back to the English model of the first picture.
#
# A text of T tokens becomes a batch of T sequences, each with another token masked, and only the masked token counts.
# Below are the first three sequences, and the mean loss over all of them.

# %%
sentence = "The keeper climbed the stairs of the lighthouse every evening."
seen_rows, true_ids = masked_in_turn(sentence)                          # (T, T + 2) each
for row in seen_rows[:3]:
    print(*(english.tokenizer.vocab[i] for i in row))
mean_loss = mlm_loss(predictions(seen_rows).numpy(), true_ids)
print(f"... {len(seen_rows)} sequences. Mean loss {mean_loss:.2f}; e to the power of it: {np.exp(mean_loss):.0f}")

# %% [markdown]
# e to the power of the mean loss is the **pseudo-perplexity** (Salazar et al., 2020). The model is, on average, as
# uncertain as if it had to choose among that many equally likely tokens. It is *pseudo* because each token is predicted
# from all the others: the product of these probabilities is not the probability of the sentence.
#
# **Guess first:** which token of the sentence will have the highest loss? Type it, and the losses appear. Then **try**
# your own sentence: replace a word with a synonym, break the grammar, or use a long and rare word.

# %% jupyter={"source_hidden": true}
import html

def costliest(text, guess):
    tokens, losses = losses_in_turn(text)
    if guess.strip().lower() not in tokens:
        return f"<p>Guess one of these, and press Enter: {html.escape(', '.join(dict.fromkeys(tokens)))}</p>"
    rank = 1 + sum(losses > max(losses[i] for i, token in enumerate(tokens) if token == guess.strip().lower()))
    told = f"Mean loss {losses.mean():.2f}, pseudo-perplexity {np.exp(losses.mean()):.0f}."
    return losses_html(tokens, losses) + f"<p>By loss, your token is number {rank} of {len(tokens)}. {told}</p>"

Explorer(costliest, text=sentence_box("My sister plays the violin in a small orchestra."),
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
# Now for NSP. Here are six short texts, two each about bread, bees and ice. They were written for this lesson, so the
# model has not read them. Each is cut in two: A, and the B that follows. (They are folded: you will be asked which
# follows which.)

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
# The model sees one B at a time: how probable is it that this B follows A? (Texts are truncated to 60 tokens.)

# %%
def follows_in_english(pairs):
    """Probability that B follows A, (N,), for N pairs of texts."""
    ids = [tuple(english.tokenizer.encode(text).ids[:60] for text in pair) for pair in pairs]
    batch = collate(ids, english.tokenizer.specials)
    inputs = map(torch.tensor, (batch.input_ids, visible_all(batch.real), batch.token_type_ids))
    with torch.no_grad():
        return english.model(*inputs)["pair"].softmax(-1)[:, 0].numpy()

# %% [markdown]
# **Guess first:** choose the B that follows. Then you see the model's prediction. Is it right, and is it certain?

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
# Where it is right, is it right for the right reason? As in section 8, we change what should matter. There are four
# kinds of false pairs: A and B *exchanged*; *A once more* in place of B; the B *from the other text about it*, that is,
# about the same topic; and a B *about another subject*.

# %%
count = len(PARAGRAPHS)
CHANGES = {"the true B": zip(first_parts, second_parts), "A and B exchanged": zip(second_parts, first_parts),
           "A once more": zip(first_parts, first_parts),
           "from the other text about it": zip(first_parts, [second_parts[i ^ 1] for i in range(count)]),
           "about another subject": zip(first_parts, [second_parts[(i + 2) % count] for i in range(count)])}
means = {name: float(follows_in_english(list(pairs)).mean()) for name, pairs in CHANGES.items()}

# %% [markdown]
# A reader would say *B follows A* only of the true B. And this model?

# %% jupyter={"source_hidden": true}
def fooled_by():
    most = max(list(means)[1:], key=means.get)
    return (f"<p>Of the four, “{most}” fools it most: {means[most]:.0%}. (Six pairs are few.) In training, "
            "a false B came from another document, usually about something else, and that is what the model learned to "
            "reject. It never saw A and B exchanged, or A twice, and hardly ever two texts about one topic.</p>")

GuessBars("How probable does the model find it that B follows A, on average over six pairs?", list(means),
          lambda: [100 * mean for mean in means.values()], top=100, within=15, axis="mean probability that B follows A",
          unit="%", see=fooled_by)

# %% [markdown]
# A model learns only what it needs to tell the right pairs from the wrong ones in its training.
#
# Your turn: you start with the true pair about which the model is most certain. **Try** a B about the same topic that
# contradicts A, and a B that starts with *She* or *Therefore* but has nothing to do with A.

# %%
def ask_english(a, b):
    forwards, backwards = follows_in_english([(a, b), (b, a)])
    return guesses_html([("B follows A", forwards), ("exchanged: A follows B", backwards)])

surest = follows_in_english(list(zip(first_parts, second_parts))).argmax()
Explorer(ask_english, a=widgets.Text(first_parts[surest], description="A", layout=WIDE, continuous_update=False),
         b=widgets.Text(second_parts[surest], description="B", layout=WIDE, continuous_update=False))

# %% [markdown]
# Finally, the whole model with both output heads: its prediction at `[MASK]` and, from `[CLS]`, whether B follows A.
# Change B, and watch both.

# %%
from minibert.viz import explore

explore(english, "She put the [MASK] into the lock.", "Then she opened the door.")

# %% [markdown]
# ## Check yourself
#
# Every choice is explained, the wrong ones too, so try them. (The folded code holds the answers.)

# %% jupyter={"source_hidden": true}
Quiz([
    Question("At one [MASK] the right word got p = 0.05, at another p = 0.5. What is the loss of the two?", [
        Choice("About 1.84", True, "Right: −ln 0.05 = 3.00, −ln 0.5 = 0.69, and their mean is 1.84."),
        Choice("About 1.29", False, "That is −ln of the mean probability, 0.275. First the logarithms, then the mean."),
        Choice("0.725", False, "That is the mean of 1 − p, which rewards exaggeration."),
    ]),
    Question("An untrained model with a vocabulary of 30,522 shows a loss of 1.55 in its first step. What is likely?", [
        Choice("It was lucky with its first weights", False, "Without training it knows nothing: ln 30,522 = 10.33."),
        Choice("Its sum was divided by all positions", True, "Right: 15% are chosen, and 0.15 × 10.33 = 1.55."),
        Choice("The learning rate is too high", False, "Before the first step, the learning rate has had no effect."),
    ]),
    Question("What does it mean that the head is tied?", [
        Choice("Input and output share one table", True, "Right. A token has the same row in both."),
        Choice("The head is not trained", False, "It is. The table learns from both uses."),
        Choice("MLM and NSP share one head", False, "Each has its own. They share the encoder."),
    ]),
    Question("A corpus has documents of one sentence only. What does NSP become?", [
        Choice("Harder, because the texts are short", False, "It becomes trivial: look at the labels."),
        Choice("Every label is 1, and there is nothing to learn", True, "Right. Nothing ever follows."),
        Choice("A test of order", False, "Order needs at least two sentences of a document."),
    ]),
    Question("A model has 98% in NSP. You exchange A and B in all examples with label 0, but its predictions stay. "
             "What follows?", [
        Choice("It understands both directions of a text", False, "Exchanged, B no longer follows A. It should have "
               "noticed."),
        Choice("It compares topics, not the order of the text", True, "Right: what it uses ignores their order."),
        Choice("Its NSP head is broken", False, "It does what it was trained for: it finds foreign texts."),
    ]),
    Question("What did RoBERTa's table 2 show about NSP?", [
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
# - **From hidden state to loss**: transform, GELU, LayerNorm, dot product with every embedding, bias, softmax, −ln p of
#   the right word. A model that knows nothing has the loss ln V.
# - **−ln p rewards honesty**: the cheapest prediction is the true probability. 1 − p rewards exaggeration.
# - **Only the chosen positions count**, in the sum and in what it is divided by. A loss that also counts padding or
#   visible tokens looks low, and says little about masked language modeling.
# - The output head is **tied** to the embeddings: one table for input and output.
# - **NSP** takes half of its B's from other documents. Short documents, the same document twice, lengths and above all
#   the **topic** give away its label.
# - **SOP** exchanges two neighbouring segments: the topic says nothing, but words that open a text do. **StructBERT**
#   asks for next, previous and foreign at once.
# - RoBERTa dropped NSP and lost next to nothing. ALBERT replaced it with SOP and gained.
# - **In real English**: mask each token in turn; e to the power of the mean loss is the sentence's pseudo-perplexity.
#   NSP fails on false pairs of a kind that was not in its training.
#
# Next: the exercises of this unit, where you write `mlm_loss`, `nsp_loss`, `nsp_examples` and `sop_examples` yourself.
# Then lesson 5: the training loop that decreases the loss.

# %% [markdown]
# ## Read on
#
# - Devlin, Chang, Lee, Toutanova (2019): [BERT](https://arxiv.org/abs/1810.04805). Section 3.1 for both questions,
#   appendix A.2 for the sum of the losses, section 5.1 and table 5 for training without NSP.
# - Liu et al. (2019): [RoBERTa](https://arxiv.org/abs/1907.11692). Section 4.2 and table 2: with and without NSP.
# - Lan et al. (2020): [ALBERT](https://arxiv.org/abs/1909.11942). Section 3.1 for sentence order, section 4.6, table 5.
# - Wang et al. (2020): [StructBERT](https://arxiv.org/abs/1908.04577). Section 2: next, previous, foreign; and putting
#   words in order.
# - Press, Wolf (2017): [Using the Output Embedding to Improve Language Models](https://arxiv.org/abs/1608.05859).
# - Inan, Khosravi, Socher (2017): [Tying Word Vectors and Word Classifiers](https://arxiv.org/abs/1611.01462).
# - Salazar, Liang, Nguyen, Kirchhoff (2020): [Masked Language Model Scoring](https://arxiv.org/abs/1910.14659), with
#   each token masked in turn. Kauf, Ivanova (2023): [A Better Way to Do Masked Language Model
#   Scoring](https://arxiv.org/abs/2305.10588), for words of several subwords.
# - In the package: `minibert/reference/heads.py`, `losses.py` and `packing.py`; `minibert/objectives/` has `mlm.py`,
#   `nsp.py`, `sop.py` and `structural.py`, each a page.
