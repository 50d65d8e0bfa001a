# %% [markdown]
# # 5 · Pretraining: from random weights to BERT
#
# You have the model (lesson 2), its input (lesson 3) and what it is asked (lesson 4). What is missing takes one page of
# code and, at BERT's size, four days on sixteen chips. Here it takes 80 seconds, and you can watch.
#
# **After this lesson you can**
#
# - write a training step and the schedule of its learning rate, and say what each line is for,
# - recognise a rate that is too large, one that is too small, and a missing warm-up by their curves,
# - say what a pretrained model knows, kind of word by kind of word, beside what could be known,
# - interrupt a run and go on with it, exactly,
# - work out what BERT cost, and what it would cost now,
# - let a model that knows English read on in a book of your choice, and measure what it gains and forgets.
#
# **You need** lessons 1 to 4, and the idea of a gradient.
# **Time:** about 85 minutes with guessing and playing; the code alone runs in 220 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one: a wrong guess is remembered
# best. Those that begin with **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(5)

# %% [markdown]
# ## Before and after
#
# Two networks, built alike, with equally many weights. In the first they are random; the second was pretrained. Which
# words does each suggest for the gap? You start with the one of four sentences in which training shows best. **Try** your
# own. This lesson shows how training leads from bars like the upper ones to bars like the lower ones. (The lower model
# came a longer way: see section 10 of lesson 1.)

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
from minibert.class_model import fill_masks
from minibert.training import bert_objective, new_model
from minibert.viz.explorer import Explorer
from minibert.viz.guess import guesses_html, sentence_box

english = minibert.load("english")
untrained = new_model(english.config, bert_objective(english.tokenizer, max_length=64), seed=0)
GAPS = {"He opened the [MASK] and went into the house.": "door", "She was born in [MASK].": "town",
        "They sat down at the [MASK] and began to eat.": "table", "The sun rose and it was a new [MASK].": "day"}

def compared(text, models):
    """The likeliest words of each model for the gap, as HTML; models: {name: model}."""
    return "".join(f"<p>{name}:</p>{guesses_html(fill_masks(one, english.tokenizer, text)[0])}"
                   for name, one in models.items())

first = max(GAPS, key=lambda text: dict(english.fill_mask(text, top=1000)[0]).get(GAPS[text], 0.0))
two_networks = {"Random weights": untrained, "After pretraining": english.model}
Explorer(lambda text: compared(text, two_networks), text=sentence_box(first))

# %% [markdown]
# ## Do you remember lesson 4?
#
# Run the folded cell below and choose. You may choose again.

# %% jupyter={"source_hidden": true}
from minibert.viz.quiz import Choice, Question, Quiz

Quiz([
    Question("A row has 100 tokens, 15 of them are predicted. Over how many does the MLM loss average?", [
        Choice("15", True, "Right. The other labels are −100 and do not count."),
        Choice("100", False, "The loss would be diluted by words that the model can simply copy."),
        Choice("12", False, "Those are the [MASK] tokens; random and unchanged ones are predicted too."),
    ]),
    Question("What is the MLM loss of a model that knows nothing, with a vocabulary of V pieces?", [
        Choice("1 / V", False, "That is the probability it gives to the right piece."),
        Choice("ln V", True, "Right: minus the logarithm of 1 / V."),
        Choice("0", False, "Loss 0 means: certain, and right."),
    ]),
    Question("Where does the wrong second segment of an NSP pair come from?", [
        Choice("From the same document, further on", False, "Then “not next” would be hardly wrong."),
        Choice("From another document", True, "Right, which is why topic alone gives most of it away."),
        Choice("It is the first segment's text, shuffled", False, "Order is what ALBERT's sentence order prediction asks."),
    ]),
])

# %% [markdown]
# ## 1 · A text, and a small BERT
#
# Our text is the generated language of lesson 1: lives, news, dialogues, reviews. To watch many runs, each must take
# seconds; for these we take the lives only.

# %%
from minibert.class_model import WORLD_SEED
from minibert.corpora.world import World

world = World(WORLD_SEED)
documents = list(world.documents(6000, seed=1, split="pretrain"))
lives = [document.sentences for document in documents if document.kind == "life"]
print(f"{len(documents):,} documents, {len(lives):,} of them lives. One begins: {' '.join(lives[0][:3])}")

# %% [markdown]
# Pieces, ids, and the objective, all as in lessons 3 and 4.

# %%
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training import bert_objective, encode_documents

texts = [document.sentences for document in documents]
pieces = FastWordPiece(train_wordpiece(count_words(sentence for text in texts for sentence in text), 4000))
small_text = encode_documents(lives, pieces)
objective = bert_objective(pieces, max_length=32, rate=0.3)
print(f"{sum(len(ids) for life in small_text for ids in life):,} tokens in the lives")

# %% [markdown]
# We hide 30% of the words, twice as many as BERT: in a run of seconds each row must teach as much as it can (lesson 1
# shows where this ends).
#
# Now a model, two layers of 64 numbers a token, and one batch for it.

# %%
import numpy as np
from minibert.config import preset
from minibert.training import new_model

SMALL = preset("class", num_hidden_layers=2, hidden_size=64, intermediate_size=256, vocab_size=len(pieces))
model = new_model(SMALL, objective, seed=0)
rows, labels = objective.build(small_text, np.random.default_rng(0))
batch = objective.collate(rows[:32], labels[:32])
print(f"{sum(p.numel() for p in model.parameters()):,} weights; a batch of {batch.input_ids.shape} tokens")

# %% [markdown]
# The model has random weights, and is asked for the first time.

# %%
loss, parts = objective.step(model, batch, np.random.default_rng(1))
first_loss = loss.item()

# %% [markdown]
# It chooses among 4,000 pieces, and two kinds of pairs. (ln 1000 is about 6.9, ln 2 about 0.7.)

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

def two_parts(parts=parts):
    told = ", ".join(f"{name} {value:.2f}" for name, value in parts.items())
    return (f"<p>Its parts: {told}. A model that spreads its probability evenly has ln 2 = {np.log(2):.2f} and "
            f"ln 4000 = {np.log(4000):.2f}.</p>")

GuessNumber("How large is its loss, the sum of both parts?", lambda: first_loss, within=0.4, form="{:.1f}",
            see=two_parts)

# %% [markdown]
# ## 2 · One step
#
# From the loss comes a **gradient**: for each weight, how the loss changes when this weight does. A step moves every
# weight a little against it.
#
# First we note the loss of this batch, and of another one that takes no part in the step.

# %%
import torch

other = objective.collate(rows[32:64], labels[32:64])

def two_losses():
    with torch.no_grad():
        return [objective.step(model, one, np.random.default_rng(1))[0].item() for one in (batch, other)]

before_step = two_losses()

# %% [markdown]
# Now the step:

# %%
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
loss.backward()
length = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
optimizer.step()
print(f"the gradient was {length:.2f} long, and was shortened to 1 if it was longer")

# %% [markdown]
# Then both batches again, with the same words hidden as before.

# %% jupyter={"source_hidden": true}
after_step = two_losses()

FALLEN = {(True, False): "only the one of the step", (False, True): "only the other one", (True, True): "both",
          (False, False): "neither"}

def one_step():
    told = [f"{name} {old:.2f} before the step, {new:.2f} after it"
            for name, old, new in zip(("the batch of the step", "the other batch"), before_step, after_step)]
    return (f"<p>Loss of {'; of '.join(told)}. Most of what one step learns (which words are frequent at all) is true "
            "of every batch.</p>")

GuessChoice("Which of the two batches has a lower loss after the step?", list(FALLEN.values()),
            lambda: FALLEN[tuple(new < old for old, new in zip(before_step, after_step))], see=one_step)

# %% [markdown]
# The step as a function, and a loop around it, are what the exercise asks for. The loop of this package is that, too.
# Here it is, whole:

# %%
import inspect
from minibert.training import train

print(inspect.getsource(train))

# %% [markdown]
# Each step: set the learning rate, take a batch, compute loss and gradient, clip, move, log, save. A batch comes with its
# masks drawn, and divided into `parts` where it is too large to be computed at once. A loss that is not a number stops
# the run before it spoils the weights. What surrounds the loop (going on after a crash, several processes,
# Ctrl-C, the progress bar) is in the `with` line, `minibert/training/run.py`. We call the loop through one line of our
# own, which keeps the model beside its log:

# %%
from functools import partial
from minibert.training import TrainConfig, start_from_sinusoids
from minibert.viz.training import LiveCurve

STEPS, PEAK = 500, 3e-3

def quick_run(curve, steps=STEPS, batch_size=16, peak_rate=PEAK, seed=0, **settings):
    model = new_model(SMALL, objective, seed)
    start_from_sinusoids(model.encoder)         # as `pretrain` does: a small model finds its neighbours sooner
    config = TrainConfig(steps=steps, batch_size=batch_size, peak_rate=peak_rate, seed=seed, **settings)
    log = train(model, objective, partial(objective.build, small_text), config, progress=curve, precision=torch.float32)
    return model, log

# %% [markdown]
# One line to compare with: the loss of a reader who knows how often each piece is hidden, and nothing else.

# %%
_, targets = objective.corrupt(objective.collate(rows, labels), np.random.default_rng(0))
shares = np.bincount(targets["tokens"][targets["tokens"] >= 0])
shares = shares[shares > 0] / shares.sum()
no_reading = float(-(shares * np.log(shares)).sum())
print(f"{no_reading:.2f}, of {np.log(4000):.2f} for a reader who knows nothing")

# %% [markdown]
# The loss of a single batch trembles, so we draw means over 40 steps.

# %%
def new_curve(**options):
    return LiveCurve("MLM loss", lambda log: float(np.mean([entry["mlm"] for entry in log[-40:]])), every=20,
                     lines={"knows frequencies only": no_reading}, **options)

# %% [markdown]
# **Guess first.** 500 steps of 16 rows. The MLM loss starts at about 8.3. After how many steps does it reach the line?
# Then run the cell, and watch.

# %%
curve = new_curve()
model, log = quick_run(curve)

# %% [markdown]
# To come down to the line, the model needs no context at all: it learns which pieces are frequent. What it learns below
# the line comes from reading.

# %%
from minibert.class_model import fill_masks

for text in ("Nomi was [MASK] in the town.", "She works as a [MASK]."):
    print(text, "  ", ", ".join(f"{word} {p:.0%}" for word, p in fill_masks(model, pieces, text, top=4)[0]))

# %% [markdown]
# <details><summary><b>Why shorten a long gradient?</b></summary>
#
# A gradient is a guess from one batch, good for a small step. A strange batch, or weights in a steep place, can make it
# a hundred times longer than usual, and one such step can undo hours. BERT clips to length 1 in its code
# (`optimization.py`); its direction stays.
# </details>
#
# <details><summary><b>Why not the gradient of the whole text?</b></summary>
#
# It would be exact, and the model would have moved once. A batch gives a rough direction for a small part of the price,
# and hundreds of rough steps go further than one exact one.
# </details>

# %% [markdown]
# ## 3 · How large a step: the learning rate
#
# The optimiser moves each weight by about the **learning rate**, whatever the gradient's size: Adam divides by the
# gradient's usual size. So the rate is a length, and the most important number of a run. BERT's goes up in a straight
# line, then down:

# %%
from minibert.reference import learning_rate

print(inspect.getsource(learning_rate))

# %% [markdown]
# BERT's run: 1,000,000 steps, warm-up 10,000, peak 1e-4 (Devlin et al., appendix A.2). The rate is half its peak twice,
# on the way up and on the way down. Here are both steps, and the peak between them.

# %%
for step in (4_999, 9_999, 505_000):
    print(f"step {step:7,}: {learning_rate(step, 1_000_000, 1e-4, 10_000):.1e}")

# %% [markdown]
# Now other schedules and other numbers. What does a warm-up of half the steps look like?

# %% jupyter={"source_hidden": true}
from minibert.training.schedule import bert_rate, one_cycle
from minibert.viz.plots import curves
import ipywidgets as widgets

SCHEDULES = {
    "BERT's paper": learning_rate,
    "BERT's code": bert_rate,
    "OneCycle": lambda step, steps, peak, warmup: one_cycle(step, steps, warmup / steps, peak / 25, peak, 0),
}

def draw_rates(schedule, steps, warmup, peak):
    at = np.unique(np.linspace(0, steps - 1, 201).astype(int))
    rates = [SCHEDULES[schedule](int(step), steps, peak, warmup) for step in at]
    title = f"{schedule}: the rate is highest, {max(rates):.2g}, near step {at[np.argmax(rates)]:,}; the last is {rates[-1]:.1g}"
    return curves(at / 1000, {"learning rate": {"rate": rates}}, "step, in thousands", title, markers=False)

Explorer(draw_rates, schedule=widgets.Dropdown(options=list(SCHEDULES), description="Schedule"),
         steps=widgets.BoundedIntText(1_000_000, min=2, max=10_000_000, description="Steps"),
         warmup=widgets.BoundedIntText(10_000, min=1, max=1_000_000, description="Warm-up"),
         peak=widgets.BoundedFloatText(1e-4, min=1e-7, max=1, description="Peak"))

# %% [markdown]
# The paper's words and the authors' code differ a little: in the code the decay counts from the run's start, so that
# the rate jumps down by a hundredth when the warm-up ends. **OneCycle** (Smith, 2018) is the same idea, mostly with a
# longer way up; while the rate is high, it lowers the momentum. Smith's sides are straight; the smooth ones drawn here
# are PyTorch's.

# %% [markdown]
# ### Too large, too small
#
# Besides the run above, with a peak of 0.003, we train two more: one with a thirtieth of it, one with ten times as
# much. Meanwhile, think about which of the two ends worse. (They take some seconds. Their curves come with the answer.)

# %%
rates = new_curve()
rates.show = lambda: None           # not yet
rates.curves["peak 0.003"] = curve.curves["MLM loss"]
for peak in (1e-4, 3e-2):
    rates.line(f"peak {peak:g}")
    last, _ = quick_run(rates, peak_rate=peak)
    print(f"peak {peak:g}: trained")

# %% [markdown]
# Both are trained, and wait for your guess.

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import figure_html

def three_rates(model=last):
    sentences = "Nomi was [MASK] in the town.", "She works as a [MASK]."
    tops = {sentence: fill_masks(model, pieces, sentence, top=4)[0] for sentence in sentences}
    asked = "".join(f"<p>{sentence} &nbsp; {', '.join(f'{word} {p:.0%}' for word, p in top)}</p>"
                    for sentence, top in tops.items())
    same = len({top[0][0] for top in tops.values()}) == 1
    small, large = (rates.curves[f"peak {peak}"][-1][1] for peak in ("0.0001", "0.03"))
    stays = (" It stays at the line: it has learned how often each piece is hidden, and nothing else. Its long steps "
             "have thrown the weights to where all tokens look alike to the last layer, and from there no gradient "
             "leads back.")
    return (f"{figure_html(*rates.draw())}<p>The rate that is too small looks like patience: smooth, falling, far "
            f"behind ({small:.2f}). The one that is too large ends at {large:.2f}."
            f"{stays if abs(large - no_reading) < 0.3 else ''} Asked twice, that model says "
            f"{'the same' if same else 'this'}:</p>{asked}")

GuessChoice("Which peak ends with the higher loss?", ["0.0001", "0.03"],
            lambda: max(("0.0001", "0.03"), key=lambda peak: rates.curves[f"peak {peak}"][-1][1]), see=three_rates)

# %% [markdown]
# ### Without warm-up
# The first gradients come from random weights, and Adam's idea of their usual size from a handful of batches. Full
# steps on such a basis can do damage. Our first run spent a tenth of its steps on the way up. If it starts at the full
# rate of 0.003 instead, does it gain those 50 steps, or lose? Watch:

# %%
warm = new_curve()
warm.curves["with warm-up"] = curve.curves["MLM loss"]
warm.line("without warm-up")
_ = quick_run(warm, warmup=0.0)

# %% [markdown]
# <details><summary><b>Why does depth make warm-up more important?</b></summary>
#
# With LayerNorm after each residual, as in BERT, the gradients near the output are large at the start, however deep the
# stack, and they fade towards the lower layers (Xiong et al., 2020, section 3). So the more layers, the less one rate
# suits them all. Two layers forgive much. With twelve or twenty-four, a run without warm-up may not learn at all. Models
# that norm before the sublayer can do without.
# </details>

# %% [markdown]
# ## 4 · How many rows a step: the batch
#
# BERT takes 256 rows a step; RoBERTa tried 8,000 with fewer steps and a higher rate, on equally many tokens (Liu et
# al., 2019, section 4.3):
#
# | rows a step | steps | peak rate | perplexity | MNLI-m | SST-2 |
# |---|---|---|---|---|---|
# | 256 | 1,000,000 | 1e-4 | 3.99 | 84.7 | 92.7 |
# | 2,000 | 125,000 | 7e-4 | 3.68 | 85.2 | 92.9 |
# | 8,000 | 31,000 | 1e-3 | 3.77 | 84.6 | 92.8 |
#
# We keep the tokens equal and the rate as it is, and take half the rows twice as often, or four times the rows a
# quarter as often. Which learns most from the same text? Again the curves come with the answer.

# %%
read = np.cumsum([entry["tokens"] for entry in log])
batches, logs = new_curve(over="tokens"), {16: log}
batches.show = lambda: None         # not yet
batches.curves[f"16 rows, {STEPS} steps"] = [(int(read[step - 1]), value) for step, value in curve.curves["MLM loss"]]
for rows_a_step, steps in ((8, 2 * STEPS), (64, STEPS // 4)):
    batches.line(f"{rows_a_step} rows, {steps} steps")
    _, logs[rows_a_step] = quick_run(batches, steps=steps, batch_size=rows_a_step)
    print(f"{rows_a_step} rows: trained")

# %% [markdown]
# All have read equally many tokens, and wait for your guess.

# %% jupyter={"source_hidden": true}
def lowest():
    return min(batches.curves, key=lambda name: batches.curves[name][-1][1])

def three_batches():
    speeds = {rows: sum(entry["tokens"] for entry in entries) / sum(entry["seconds"] for entry in entries)
              for rows, entries in sorted(logs.items())}
    told = " More steps are more moves." if lowest().startswith("8 ") else ""
    fast = ", ".join(f"{speed:,.0f} with {rows} rows" for rows, speed in speeds.items())
    return (f"{figure_html(*batches.draw())}<p>From the same text and at the same rate, the run of {lowest()} learns "
            f"most.{told} Tokens a second on this machine: {fast}.</p>")

GuessChoice("Which of the three runs ends with the lowest loss?",
            sorted(batches.curves, key=lambda name: int(name.split()[0])), lowest, see=three_batches)

# %% [markdown]
# Why do BERT and RoBERTa take so many rows? Large products keep a processor busier, and on many chips the difference is
# everything: 256 rows can be shared by 16 chips, 8 rows cannot. The gradient of a large batch is also less random, and
# bears a higher rate: in the table above, 2,000 and 8,000 rows reach a lower perplexity than 256, in fewer steps.

# %% [markdown]
# ## 5 · What a batch is made of
#
# A batch is as long as its longest row. The rest is [PAD]: computed, and thrown away. So the loop puts rows of like
# length together, but not too strictly: it shuffles, takes a pool of 50 batches, sorts that, cuts it, and shuffles the
# batches.
#
# Documents of the generated language have all lengths. How much of what the model computes is padding? We count it for
# pools of 1 batch (documents as they come) to 100 batches.

# %%
from minibert.reference import bucket_by_length

lengths = np.array([sum(map(len, text)) for text in encode_documents(texts[:3200], pieces)])

def padding(pool):
    batches = bucket_by_length(lengths, 32, pool, np.random.default_rng(0))
    computed = sum(len(rows) * lengths[rows].max() for rows in batches)
    return 1 - lengths.sum() / computed

POOLS = np.array([1, 2, 5, 10, 25, 50, 100])
wasted = [100 * padding(int(pool)) for pool in POOLS]

# %% [markdown]
# Counted, and waiting for your guess.

# %% jupyter={"source_hidden": true}
def padding_by_pool():
    return curves(POOLS, {"padding, % of what is computed": {"batches of 32": wasted}}, "pool, in batches",
                  f"A pool of 50 batches brings the padding from {wasted[0]:.0f}% to {wasted[5]:.1f}%", logx=True,
                  at_least={"padding, % of what is computed": (0, 1)})

GuessNumber("Batches of 32 take documents as they come. What percentage of the tokens that are computed is padding?",
            lambda: wasted[0], within=8, form="{:.0f}%", see=padding_by_pool)

# %% [markdown]
# ### Length 128, then 512
#
# Attention compares each token with each other, so its price grows with the **square** of the length. For each token of
# a row of T, a layer of width D computes 12 D² products with its matrices, and 2 T D with the other tokens.
#
# So this share of a layer's products compares tokens:

# %%
def comparing(T, D=768):
    return 2 * T * D / (12 * D * D + 2 * T * D)

# %% [markdown]
# BERT-base is 768 wide.

# %% jupyter={"source_hidden": true}
def four_lengths():
    told = ", ".join(f"{comparing(T):.1%} in rows of {T:,}" for T in (32, 128, 512, 2048))
    return f"<p>{told}: the matrices are the larger part until a row has {6 * 768:,} tokens.</p>"

GuessBars("What percentage of BERT-base's products compare tokens?", ["rows of 128 tokens", "rows of 512 tokens"],
          lambda: [100 * comparing(128), 100 * comparing(512)], top=60, within=4, axis="of all products", unit="%",
          see=four_lengths)

# %% [markdown]
# Long rows also need more memory, and 256 rows of 512 are four times the tokens of 256 rows of 128. So BERT trains 90%
# of its steps on rows of 128 tokens and the last 10% on 512. Words learn their company from short rows as well. But
# **positions 129 to 512 have a vector each**, and a vector that is never used is never learned (Devlin et al.,
# appendix A.2).

# %%
from minibert.training import two_lengths

for phase in two_lengths(TrainConfig(steps=1_000_000, batch_size=256)):
    config = phase.config
    print(f"{config.steps:,} steps from step {config.first_step:,} on, rows of {phase.max_length} tokens")

# %% [markdown]
# <details><summary><b>Why does the rate run over both phases as over one?</b></summary>
#
# The second phase begins where the first one left the weights, near a good place. A second warm-up to the full rate
# would throw much of it away. So `first_step` tells the schedule how far the run has come.
# </details>

# %% [markdown]
# ### Sentence pairs or a stream of text?
#
# BERT's rows are two **segments**, since NSP needs two. Without NSP, a row can simply be full of text. RoBERTa tried
# four forms (Liu et al., 2019, section 4.2). Here they are on our text, as the package builds them:

# %%
from minibert.batch import row_size
from minibert.reference import nsp_examples
from minibert.reference.formats import doc_sentences, full_sentences, sentence_pairs

rng, length, text = np.random.default_rng(0), 128, encode_documents(texts, pieces)
FORMS = {"segment pair": nsp_examples(text, length, rng), "sentence pair": sentence_pairs(text, length, rng),
         "full sentences": full_sentences(text, length, pieces.specials.sep), "one document": doc_sentences(text, length)}
for form, (rows, _) in FORMS.items():
    print(f"{form:15s} {len(rows):6,} rows, {np.mean([row_size(row) for row in rows]):5.1f} of {length} tokens filled with text")

# %% [markdown]
# What RoBERTa found (table 2; its BERT-base, pretrained on BookCorpus and Wikipedia; RACE asks questions from school
# exams about a text):

# %%
ROBERTA = {  # form of a row: SQuAD 2.0 F1, MNLI-m, SST-2, RACE
    "segment pair, NSP": (78.7, 84.0, 92.9, 64.2),
    "sentence pair, NSP": (76.2, 82.9, 92.1, 63.0),
    "full sentences": (79.1, 84.7, 92.5, 64.8),
    "one document": (79.7, 84.7, 92.7, 65.6),
}
for form, scores in ROBERTA.items():
    print(f"{form:20s}", "  ".join(f"{task} {score}" for task, score in zip(("SQuAD 2.0", "MNLI", "SST-2", "RACE"), scores)))

# %% [markdown]
# Single sentences hurt most: a model that never reads far back does not learn to. Between the others the gaps are
# small. Rows from one document do best and come in uneven lengths, so RoBERTa took the stream.

# %% [markdown]
# ## 6 · Eighty seconds of pretraining
#
# Now the whole language, and a model of three layers, twice as wide. We own the grammar, so we know for each hidden
# word of a new document how likely each piece is, **exactly**: nobody can guess better. First that, on 110 documents
# that no training will see.

# %%
from minibert.corpora.world.posterior.reader import Reader
from minibert.corpora.world.posterior.reachable import best_answers, frequency_answers, hidden_rows, scored

tests = list(hidden_rows(world.pages(110, 1001, "pretrain"), pieces.encode, pieces.specials, 112, np.random.default_rng(0)))
print(f"{len(tests)} documents, {sum(row.hidden.sum() for row in tests):,} hidden pieces")

# %% [markdown]
# The best that can be reached, and what needs no reading at all: always the most frequent piece.

# %%
reader = Reader(world, lambda sentence: pieces.encode(sentence).ids, pieces.specials, "pretrain")
best = scored(tests, best_answers(reader))
counts = np.bincount(np.concatenate([ids for t in text for ids in t]), minlength=len(pieces))
frequent = scored(tests, frequency_answers(counts))
print(f"best reachable {best['all'].accuracy:.1%}, most frequent piece {frequent['all'].accuracy:.1%}")

# %% [markdown]
# Even the best reader is not always right: some words nothing can tell.
#
# The plan uses what sections 3 to 5 have shown, and two things that BERT did not have: it begins with one layer and
# adds the others when they are needed, since steps of few layers are cheap (Gong et al., 2019); and **Muon**, an
# optimiser that learns a small model in fewer steps than Adam.

# %%
from minibert.training import growing_phases

plan = TrainConfig(steps=850, batch_size=24, peak_rate=3e-3, optimizer="muon")
phases = growing_phases(plan, max_length=112, layers=3)
for phase in phases:
    print(f"{phase.config.steps} steps, {phase.config.batch_size} rows of {phase.max_length} tokens, {phase.layers} layer(s)")

# %% [markdown]
# **Guess first.** How far does it come in eighty seconds, between the two lines: a third of the way, half, nearly all?

# %%
from minibert.model.growth import add_layers
from minibert.training import start_from_sinusoids
from minibert.training.pretraining import model_answers

def accuracy(log):
    right = scored(tests, model_answers(bert.eval(), pieces.specials))["all"].accuracy
    bert.train()
    return 100 * right

bert = new_model(preset("class", num_hidden_layers=phases[0].layers, vocab_size=len(pieces)),
                 bert_objective(pieces, phases[0].max_length), seed=0)
start_from_sinusoids(bert.encoder)
lines = {"best reachable": 100 * best["all"].accuracy, "most frequent piece": 100 * frequent["all"].accuracy}
live = LiveCurve("hidden words guessed right, %", accuracy, every=85, lines=lines, limits=(0, 100))

# %% [markdown]
# This is the cell that takes eighty seconds. Run it, and watch: does the curve rise evenly?

# %%
run_log = []
for phase in phases:
    add_layers(bert.encoder, phase.layers, seed=phase.layers)
    task = bert_objective(pieces, phase.max_length, rate=0.3)
    run_log += train(bert, task, partial(task.build, text), phase.config, progress=live)

# %% [markdown]
# ## 7 · What does it know?
#
# One number hides which words it knows. The program that wrote the documents knows why each word stands there, so we
# can ask by kind:
#
# | a word that needs ... | example |
# |---|---|
# | its own sentence: grammar | *She works **as** a baker.* |
# | an earlier sentence (left), a later one (right), or both | the baker's name, told once and used again |
# | knowledge of the world | *The baker cleans the **oven**.* No other sentence says oven; bakers have them |
# | a miracle | a house number that is told once |
#
# Your model of eighty seconds takes the exam, on the documents of section 6.

# %%
model_scores = scored(tests, model_answers(bert.eval(), pieces.specials))
KINDS = {"syntax": "its own sentence", "left": "an earlier sentence", "right": "a later sentence",
         "both": "an earlier or a later one", "world": "knowledge of the world", "nothing": "nothing can tell"}

# %% [markdown]
# Which kinds has it learned, and which has it hardly begun?

# %% jupyter={"source_hidden": true}
from minibert.viz.pretraining import accuracy_ranges

def six_kinds():
    floor, reached, top = ([100 * scores[kind].accuracy for kind in KINDS] for scores in (frequent, model_scores, best))
    names = [f"{meaning} ({best[kind].count / best['all'].count:.0%})" for kind, meaning in KINDS.items()]
    title = (f"Grammar {reached[0]:.0f}% of a possible {top[0]:.0f}%; what only another sentence tells: "
             f"{100 * model_scores['elsewhere'].accuracy:.0f}% of {100 * best['elsewhere'].accuracy:.0f}%")
    drawn = figure_html(*accuracy_ranges(names, floor, reached, top, title, "most frequent piece"))
    return (f"{drawn}<p>(In brackets: how many of the words are of this kind.) The <b>grammar</b> comes first, then, "
            f"word by word, what goes together in the <b>world</b>: {reached[4]:.0f}% so far. Last come words that "
            "only another sentence tells, such as a name that was told before. To copy a name from forty tokens away, "
            "layers must work together: one finds the place, the next fetches the word, and nothing rewards the first "
            f"before the second is there. Where nothing can tell, the model guesses {reached[5]:.0f}%, and the best "
            f"reader {top[5]:.0f}%.</p>")

GuessBars("What percentage of the words of each kind does your model guess right?", list(KINDS.values()),
          lambda: [100 * model_scores[kind].accuracy for kind in KINDS], top=100, within=15, axis="guessed right",
          unit="%", see=six_kinds)

# %% [markdown]
# Ask it something of each kind. How sure is it, and does its word fit?

# %%
def ask(text):
    guesses = fill_masks(bert, pieces, text)[0]
    return "<p>" + ", ".join(f"<b>{word}</b> {p:.0%}" for word, p in guesses) + "</p>"

Explorer(ask, text=widgets.Text("The baker cleans the [MASK].", description="Text", continuous_update=False,
                                layout={"width": "520px"}))

# %% [markdown]
# Does it only need longer? With three and a half times the steps, models of this size came to 87% of the grammar, 26% of
# the world, and 6% of what only another sentence tells ([means of three runs](../benchmarks/world_plain.md)). Grammar
# fills up, the world follows, and the last kind still waits: only one hidden word in eight is of it, and its gradient
# drowns in that of the others.
#
# So the model of `make tour` is asked otherwise. Once it knows some grammar, words that its text gives away are **hidden
# more often** (`minibert.objectives.LookUpMLM`). And it is helped to begin: each head of its first layer starts out looking
# at one neighbour (`minibert.training.start_from_neighbours`), a head that BERT finds by itself in its long training
# (Clark et al., 2019, section 3.1). The third layer joins only for the last quarter. With 128 rows a step and more weight
# decay, **two to two and a half minutes** then bring 88% of the grammar, 46% of the world, and 52% of what only another
# sentence tells ([means of three runs](../benchmarks/two_minutes.md)); the tour's four minutes bring 92%, 68% and 58%
# ([the same](../benchmarks/world.md)). A model learns what it is asked, and sooner from a good beginning.
#
# <details><summary><b>Why is the best at “an earlier sentence” below 100%?</b></summary>
#
# The earlier word may be hidden too: 15% of all words are. Then nobody can know.
# </details>
#
# <details><summary><b>Is a word that nothing can tell worth hiding?</b></summary>
#
# For learning, hardly: its loss cannot fall below the uncertainty, and its gradient is noise. But nobody knows
# beforehand which words these are in real text. Lesson 1's entity and phrase masks, and later work on what to mask, are
# guesses at it.
# </details>

# %% [markdown]
# Walk into your own model: it has been trained for a minute, and all its numbers are here. Open a layer, and a head. Is
# there one that looks at the right word?

# %%
from minibert.viz import explore

explore((bert, pieces), "Nomi works as a [MASK].")

# %% [markdown]
# If no better model lies in this machine's cache, keep yours: the next lessons begin with it (`make tour` trains a
# longer one).

# %%
from minibert import class_model
from minibert.model import save_pretrained

if class_model.cache_folder().is_dir():
    print("There is a model already. It stays.")
else:
    save_pretrained(bert, folder := class_model.cache_folder().with_name("lesson-05"), pieces.vocab)
    class_model.keep(folder)
    print("Kept. Deleting it costs one more run, and nothing else.")

# %% [markdown]
# ## 8 · Stop, and go on
#
# Long runs are interrupted: by power cuts, by schedulers, by you. A **checkpoint** holds all that the rest of the run
# depends on: weights, the optimiser's memory, the step, the place in the data. What is drawn at random depends only on
# the seed and the step's number, so nothing else has to be saved.
#
# So a run of 40 steps that is interrupted after step 25 and started again must have the same losses as a run that
# nobody interrupted. To see whether it has, we need somebody who presses Ctrl-C.

# %% jupyter={"source_hidden": true}
import contextlib
import signal
import sys
import tempfile

class InterruptAt:
    """Stands where the live curve stood, and presses Ctrl-C after a step."""
    def __init__(self, step):
        self.step = step

    def begin(self, log):
        self.log = log

    def update(self):
        if len(self.log) == self.step:
            signal.raise_signal(signal.SIGINT)

    def end(self):
        print(f"the run ends after step {len(self.log)}")

# %% [markdown]
# The same call three times: without a stop, with one after step 25, and once more, which goes on. (The second line in
# the function only shows messages here that would go to the terminal.)

# %%
def saved_run(folder, stop_after):
    with contextlib.redirect_stderr(sys.stdout), contextlib.suppress(KeyboardInterrupt):
        model = new_model(SMALL, objective, seed=0)
        return train(model, objective, partial(objective.build, small_text), TrainConfig(steps=40, save_every=10),
                     checkpoint=folder, progress=InterruptAt(stop_after), precision=torch.float32)

with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
    whole = saved_run(one, stop_after=None)
    saved_run(two, stop_after=25)
    continued = saved_run(two, stop_after=None)

# %% [markdown]
# Now the losses, step by step, compared to the last bit.

# %%
gaps = [abs(a["loss"] - b["loss"]) for a, b in zip(whole, continued, strict=True)]
assert max(gaps) == 0.0
print(f"{len(continued)} steps; largest difference {max(gaps)}. Loss of step 40: {whole[-1]['loss']:.6f} and "
      f"{continued[-1]['loss']:.6f}")

# %% [markdown]
# They are the same to the last bit. A run that was stopped ten times gives the same model, too.
#
# <details><summary><b>Why must the optimiser's memory be saved?</b></summary>
#
# Else the run would be another one: Adam's means would begin anew with the first batches after the stop, without a
# warm-up. (Between the phases of section 6 we allow that: rows or layers are new there anyway.)
# </details>

# %% [markdown]
# ## 9 · How large a model?
#
# BERT's authors pretrained six sizes, and fine-tuned each on tasks (Devlin et al., table 6). The smallest has three
# layers, the largest 24, with 340 million weights. On held-out text, the larger ones have a lower perplexity of the
# masked words, which is e to the power of the loss. But do they do better on the tasks, too? One of these, MRPC, asks
# whether two sentences mean the same. It has only 3,600 labelled pairs.

# %% jupyter={"source_hidden": true}
from scipy.stats import spearmanr

SIZES = [  # layers, width, heads, perplexity, MNLI-m, MRPC, SST-2
    (3, 768, 12, 5.84, 77.9, 79.8, 88.4),
    (6, 768, 3, 5.24, 80.6, 82.2, 90.7),
    (6, 768, 12, 4.68, 81.9, 84.8, 91.3),
    (12, 768, 12, 3.99, 84.4, 86.7, 92.9),
    (12, 1024, 16, 3.54, 85.7, 86.9, 93.3),
    (24, 1024, 16, 3.23, 86.6, 87.8, 93.7),
]
TASKS = {name: [size[column] for size in SIZES] for column, name in ((4, "MNLI-m"), (5, "MRPC"), (6, "SST-2"))}
GAINS = ["it gains", "it overfits"]

def all_sizes():
    held_out = [size[3] for size in SIZES]
    ranks = [spearmanr(held_out, scores).statistic for scores in TASKS.values()]
    assert max(ranks) < -0.999, "not every step to a lower perplexity is a step up in every task"
    drawn = curves(held_out, {"accuracy on the development set": TASKS}, "perplexity of the masked words",
                   "The lower the perplexity, the better every task, down to the largest model", logx=True)
    return (f"{figure_html(*drawn)}<p>This surprised many in 2018: with pretraining, a larger model helps small tasks "
            "too, since most of its weights need not be learned from their labels (Devlin et al., section 5.2).</p>")

GuessChoice("Does the largest model still gain on the 3,600 pairs, or does it overfit?", GAINS,
            lambda: GAINS[0 if TASKS["MRPC"][-1] == max(TASKS["MRPC"]) else 1], see=all_sizes)

# %% [markdown]
# What each change of size did to the perplexity:

# %%
for (L, D, H, before, *_), (l, d, h, after, *_) in zip(SIZES, SIZES[1:]):
    print(f"{L:2d} layers x {D:4d}, {H:2d} heads -> {l:2d} x {d:4d}, {h:2d} heads: perplexity {before:.2f} -> {after:.2f}")

# %% [markdown]
# <details><summary><b>Why is perplexity no score to compare any two models by?</b></summary>
#
# It depends on the vocabulary (longer pieces are harder to guess), on which words are hidden, and on the text. These
# six share all three. And even then: in section 4's table, perplexities of 3.99 and 3.77 go with 84.7 and 84.6 on MNLI.
# </details>

# %% [markdown]
# ## 10 · What did BERT cost?
#
# The paper says (section A.2): BERT-base on 4 Cloud TPUs, 16 chips together, for 4 days; BERT-large on 16 Cloud TPUs,
# 64 chips, for 4 days. And about the data it says two things that do not quite fit: 256 rows × 512 tokens a step for
# 1,000,000 steps; and rows of only 128 tokens in 90% of the steps. We count both.
#
# Each parameter costs 6 operations a token: a product and a sum on the way forward, twice that on the way back.

# %%
from minibert.config import count_parameters
from minibert.reference import pretraining_cost

print(inspect.getsource(pretraining_cost).split('"""')[2])

# %% [markdown]
# A Cloud TPU of 2018 was sold as 180 teraflops, so each of its four chips does 45 × 10¹² operations a second at best.
# How much of that did the four days reach?

# %%
READINGS = {"512 tokens in all steps": [(1_000_000, 256, 512)],
            "128 tokens in 90% of the steps": [(900_000, 256, 128), (100_000, 256, 512)]}
weights = {name: sum(count_parameters(preset(name)).values()) for name in ("base", "large")}

for name, steps in READINGS.items():
    cost = pretraining_cost(weights["base"], steps, chips=16, peak=45e12, utilisation=1.0)
    print(f"{name}: {cost['tokens'] / 1e9:.1f} billion tokens, {cost['flops']:.1e} operations, {cost['days']:.1f} days at full "
          f"speed; in 4 days {cost['days'] / 4:.0%} of it")

# %% [markdown]
# A third or a tenth, depending on which sentence you believe. Both are usual: chips wait for memory, for data and for
# each other.
#
# And your own run? The same formula, with the tokens and seconds of its log:

# %%
tokens, seconds = (sum(entry[name] for entry in run_log) for name in ("tokens", "seconds"))
own_weights = sum(p.numel() for p in bert.parameters())
own_speed = 6 * own_weights * tokens / seconds
years = pretraining_cost(weights["base"], READINGS["128 tokens in 90% of the steps"], 1, own_speed, 1.0)["days"] / 365
print(f"{tokens / 1e6:.1f} million tokens in {seconds:.0f} s: {own_speed / 1e9:.0f} billion operations a second. "
      f"BERT-base would take this machine {years:,.0f} years at this speed.")

# %% [markdown]
# Other chips, with the peaks of the makers' data sheets, for bfloat16 or float16:

# %%
CHIPS = {"TPU v2 chip (2017)": 45e12, "V100 (2017)": 125e12, "A100 (2020)": 312e12, "H100 (2022)": 989e12,
         "this machine": own_speed}

def cost_html(model, reading, chip, chips, utilisation, price):
    cost = pretraining_cost(weights[model], READINGS[reading], chips, CHIPS[chip], utilisation / 100)
    hours = 24 * cost["days"]
    took = f"{cost['days']:,.1f} days" if cost["days"] >= 2 else f"{hours:,.1f} hours"
    return (f"<p>BERT-{model}: 6 × {weights[model] / 1e6:.1f} million weights × {cost['tokens'] / 1e9:.1f} billion tokens = "
            f"<b>{cost['flops']:.1e}</b> operations.</p><p>{chips} × {chip} at {utilisation}%: <b>{took}</b>, "
            f"{chips * hours:,.0f} chip-hours, <b>${chips * hours * price:,.0f}</b>.</p>")

# %% [markdown]
# Rows of 128 tokens in 90% of the steps, as above.

# %% jupyter={"source_hidden": true}
SHORT_ROWS = list(READINGS)[1]
GuessNumber("How many hours does BERT-base take on eight A100s at a third of their peak?",
            lambda: 24 * pretraining_cost(weights["base"], READINGS[SHORT_ROWS], 8, CHIPS["A100 (2020)"], 0.33)["days"],
            within=3, form="{:.0f} hours", see=lambda: cost_html("base", SHORT_ROWS, "A100 (2020)", 8, 33, 2.0))

# %% [markdown]
# Now change everything. Prices are yours to fill in: they differ by a factor of ten between offers, and change by the
# month.

# %%
Explorer(cost_html, model=widgets.Dropdown(options=list(weights), description="Model"),
         reading=widgets.Dropdown(options=list(READINGS), value=SHORT_ROWS, description="Tokens"),
         chip=widgets.Dropdown(options=list(CHIPS), value="H100 (2022)", description="Chip"),
         chips=widgets.BoundedIntText(1, min=1, max=10_000, description="Chips"),
         utilisation=widgets.BoundedIntText(33, min=1, max=100, description="Used, %"),
         price=widgets.BoundedFloatText(2.0, min=0, max=100, step=0.1, description="$ an hour"))

# %% [markdown]
# What others needed, in their own words:
#
# | who | on | for | what came out |
# |---|---|---|---|
# | Devlin et al. (2019) | 16 TPU chips | 4 days | BERT-base |
# | Devlin et al. (2019) | 64 TPU chips | 4 days | BERT-large |
# | Liu et al. (2019) | 1,024 V100 | about a day | RoBERTa-large, first 100,000 steps |
# | You et al. (2020) | a pod of 1,024 TPU v3 chips | 76 minutes | BERT-large, with batches of 32,768 rows and more |
# | Izsak et al. (2021) | 8 GPUs of 12 GB | 24 hours | on a level with BERT-base on GLUE, the tasks of lesson 6 |
# | Geiping and Goldstein (2022) | one consumer GPU | one day | close to BERT on GLUE |
# | Portes et al. (2023) | 8 A100 | 1.13 hours, about $20 | MosaicBERT-base, 79.6 on GLUE's development sets |
#
# From four days on sixteen chips to an hour on eight: some of that is the chips, and much is what you met here: rows of
# 128 tokens, more words hidden, no NSP, less padding, half precision.

# %% [markdown]
# ## 11 · The same on a GPU, and on eight
#
# In a terminal the same run is one command. It takes the GPU if there is one, writes checkpoints, and goes on where it
# stopped if you give it again:
#
# ```
# minibert pretrain --out mybert --steps 3000
# minibert pretrain --out mybert --corpus books/*.txt --vocab-size 30000 --preset base --steps 100000
# torchrun --nproc-per-node 8 -m minibert pretrain --out mybert \
#     --corpus books/*.txt --vocab-size 30000 --preset base --steps 100000
# ```
#
# The third command starts eight processes, one for each GPU. `--batch-size` stays the rows of a **whole** step: each
# process takes an eighth of them, and the eight gradients are added.
#
# On one NVIDIA H100, with `--compile`, BERT-base reads 566,000 tokens a second in rows of 128, and 515,000 in rows of
# 512. The paper's million steps, nine tenths of them with rows of 128, would take that card 22 hours. Eight at once we
# have not tried.
#
# And a small BERT? A model of the English encoder's shape started there from random weights. After 68 million tokens of
# books, Wikipedia and web pages, which took 3 minutes, it predicted 37.8% of the masked tokens in books that it had
# never seen. The encoder that you load in these lessons had been published, and read 142 million tokens more: 41.8%.
#
# The loss is a mean over hidden words, and the parts have unequally many of them. Is the sum of their gradients still
# that of the whole batch? We compare.

# %%
def gradient(*parts):
    model.zero_grad()
    for part in parts:
        loss, _ = objective.step(model, batch, np.random.default_rng(1), part)
        loss.backward()
    return torch.cat([p.grad.flatten() for p in model.parameters()])

whole, eighths = gradient(slice(0, 32)), gradient(*(slice(i, i + 4) for i in range(0, 32, 4)))
print(f"the gradient is {whole.norm():.3f} long; the sum of eight parts differs by {(whole - eighths).norm():.1e}")

# %% [markdown]
# It is, up to rounding, because each part divides by the words of the whole batch. If each divided by its own, words in
# poor parts would count more. The same sum serves a batch that does not fit into memory: `--accumulate 8` computes its
# parts one after the other.

# %% [markdown]
# ## 12 · In real English: a model reads on
#
# Nobody has to begin with random weights. **Continued pretraining** goes on with the same objective where another run has
# ended, on texts of the kind that one cares about. Gururangan et al. (2020) did it for papers of medicine and of computer
# science, for news and for reviews. Our example is much smaller: we give the model of the first picture a book for a
# minute, with the `train` of section 2.
#
# The book is *Alice's Adventures in Wonderland* by Lewis Carroll, of 1865: long enough for a minute, in the public domain,
# and kept out of this course's own training. (The published encoder that we started from may have met it, and so may the
# larger model that it learned from.) **Try** a text file of your own, of ten pages or more. The model reads the first
# four fifths; what it gains is measured on the pages that follow.

# %%
from minibert.corpora.books import ALICE
from minibert.corpora.text.plain import read_documents

BOOK = ALICE                            # or a file of your own: BOOK = "my_book.txt"
stretches = encode_documents(read_documents(BOOK), english.tokenizer)
cut = 4 * len(stretches) // 5
book_start, book_end = stretches[:cut], stretches[cut:][:50]
print(f"{sum(len(ids) for part in book_start for ids in part):,} tokens to read, "
      f"{sum(len(ids) for part in book_end for ids in part):,} at the end to be tested on")

# %% [markdown]
# How well does the model predict masked tokens before it has read the book? Beside the share that is right we take the
# **perplexity**, e to the power of the mean loss (lesson 4). A perplexity of 20 means: as unsure as when choosing among
# 20 equally likely tokens. The second text is for comparison: forty passages of other English, written for this course,
# which it will not read either.

# %%
from minibert.corpora.passages import passages
from minibert.training.pretraining import evaluate_pretraining

TESTS = {"end of the book": book_end,
         "other English": encode_documents([passage.sentences for passage in passages()], english.tokenizer)}

def measured(one):
    """(percent right, perplexity) for each test, on the same masked tokens each time."""
    scores = {name: evaluate_pretraining(one, english.tokenizer, docs, max_length=128) for name, docs in TESTS.items()}
    return {name: (found["mlm"], np.exp(found["mlm_loss"])) for name, found in scores.items()}

before = measured(english.model)
for name, (right, perplexity) in before.items():
    print(f"{name}: {right:.1f}% right, perplexity {perplexity:.1f}")

# %% [markdown]
# Now the minute. All weights are trained, at a much smaller learning rate than that of our small model in section 2,
# since large steps would spoil weights that are already good. (The rate was chosen on the pages before the end, never on
# the end itself. Next sentences are trained as well; with one book, a wrong B comes from the same book.)

# %%
import copy

reading_on = copy.deepcopy(english.model)                   # `english` stays as it is
reading = bert_objective(english.tokenizer, max_length=128)
reading_curve = LiveCurve("MLM loss", lambda log: float(np.mean([entry["mlm"] for entry in log[-10:]])), every=2)
one_minute = TrainConfig(steps=60, batch_size=16, peak_rate=1e-4)
minute_log = train(reading_on, reading, partial(reading.build, book_start), one_minute, progress=reading_curve,
                   precision=torch.float32)

# %% [markdown]
# Each batch is another part of the book, so the curve trembles. The test is the same as before, token for token.

# %%
after = measured(reading_on)

# %% [markdown]
# Each of the two perplexities may have fallen or risen. (Less is better.)

# %% jupyter={"source_hidden": true}
def after_a_minute(before=before):
    return "".join(f"<p>{name}: perplexity {before[name][1]:.1f} before, {after[name][1]:.1f} after; "
                   f"{before[name][0]:.1f}% right before, {after[name][0]:.1f}% after.</p>" for name in TESTS)

GuessBars("Call each perplexity before the minute 100%. How high is it after the minute?", list(TESTS),
          lambda: [100 * after[name][1] / before[name][1] for name in TESTS], top=200, within=6,
          axis="of the perplexity before", unit="%", see=after_a_minute)

# %% [markdown]
# What is gained in the book is what continued pretraining is for. If perplexity has risen in the other English, that is
# the price. A model that reads one kind of text only may lose what it knew of others, which is called **catastrophic
# forgetting** where it is severe. It grows with the number of steps and with the learning rate; mixing in other texts
# helps against it. (This is one run with one seed. Run the cells again with `seed=1` in `TrainConfig` to see how much is
# luck; a minute with other English would show how much is the book's doing.)
#
# What has changed? Ask the model before and after, first in the book's own words. Then **try** a sentence of a newspaper,
# such as *The [MASK] of the company resigned.* Does the model put in a word of the book now?

# %%
minute = {"Before": english.model, "After the minute": reading_on}
Explorer(lambda text: compared(text, minute), text=sentence_box("‘I don’t know what you mean,’ said [MASK]."))

# %% [markdown]
# <details><summary><b>Why test on the end, and not on all of the book?</b></summary>
#
# A model that has read a page three times can fill its gaps by heart. Only pages that it has not read tell whether it
# has learned how the book speaks and whom it speaks of.
# </details>

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    Question("A loss falls quickly to the level of frequencies, and stays there for good. What was it, most likely?", [
        Choice("The rate was too large", True, "Right: its long steps threw the weights to where all tokens look alike."),
        Choice("The rate was too small", False, "Then it would fall slowly, and go on falling."),
        Choice("The batch was too small", False, "That makes a curve tremble; it does not end the learning."),
    ]),
    Question("What happens if a step forgets to clear the gradients?", [
        Choice("Nothing, they are overwritten", False, "PyTorch adds to what is there."),
        Choice("Each step also moves along all earlier gradients", True, "Right: they add up."),
        Choice("An error", False, "It runs, and that is the trap."),
    ]),
    Question("Why is the first 90% of BERT's steps trained on rows of 128 tokens?", [
        Choice("Most sentences are shorter than 128 tokens", False, "A segment is many sentences; 512 would be filled too."),
        Choice("They are cheaper, and words learn most from near neighbours", True, "Right; the rest trains the late positions."),
        Choice("Attention cannot see further at first", False, "It sees whatever the row holds."),
    ]),
    Question("At equal tokens, a batch four times as large ended higher in our runs. What do large batches buy?", [
        Choice("A lower loss for the same text", False, "Not at the same rate: there are fewer steps."),
        Choice("Time, where many chips share a step", True, "Right; with a higher rate nothing need be lost: see RoBERTa's table."),
        Choice("Less memory", False, "More: all rows of a batch are held at once."),
    ]),
    Question("Of the words that nothing can tell, your model guesses few. Should it train longer to guess more?", [
        Choice("Yes, the best model would guess them all", False, "The best reader of all guesses hardly more."),
        Choice("No, it is where the best reader is", True, "Right. To know what can be known, you need the other line."),
        Choice("Yes, but with a larger vocabulary", False, "The word is not in the text, whatever the pieces."),
    ]),
    Question("What must a checkpoint hold besides the weights?", [
        Choice("The optimiser's memory and the place in the data", True, "Right, and the step, which gives the rate."),
        Choice("The gradients of the last step", False, "The next step clears them anyway."),
        Choice("The batches read so far", False, "The seed and the place in the epoch make them again."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - **A step**: set the rate, clear the gradients, loss, gradient, clip, move. BERT made a million of them.
# - **The rate** is the length of a step: too small looks like patience, too large never comes back. Warm up, then
#   decay.
# - **The batch**: at equal tokens, smaller batches make more steps; larger ones keep more chips busy. 256 rows for
#   BERT, up to 8,000 for RoBERTa.
# - **Rows**: like lengths together; 128 tokens for 90% of the steps, then 512 for the late positions.
# - **What is learned, in order**: frequencies, grammar, the world, and last, what only another sentence tells; sooner, if
#   it is asked more often, and if attention begins at the neighbours.
# - **A line to compare with** is worth more than a lower loss: some words nobody can guess.
# - **A checkpoint** is weights, optimiser, step and place; the run goes on to the bit.
# - **The bill** is 6 operations a weight and token: BERT-base about 3 to 9 × 10¹⁹.
# - **Continued pretraining** starts from a pretrained model: a small rate, texts of one kind, and a test that shows what
#   it gains there and forgets elsewhere.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 5.2 and table 6 (sizes),
#   appendix A.2 (the run), appendix C.1 (number of steps).
# - Clark et al. (2019), *What Does BERT Look At?*, [arXiv 1906.04341](https://arxiv.org/abs/1906.04341): section 3.1 (heads
#   that look at a neighbour).
# - Liu et al. (2019), *RoBERTa*, [arXiv 1907.11692](https://arxiv.org/abs/1907.11692): sections 4.2 (rows), 4.3
#   (batches).
# - Smith (2018), *A disciplined approach to neural network hyper-parameters*, [arXiv
#   1803.09820](https://arxiv.org/abs/1803.09820): section 4 (OneCycle).
# - Xiong et al. (2020), *On Layer Normalization in the Transformer Architecture*, [arXiv
#   2002.04745](https://arxiv.org/abs/2002.04745): section 3 (why warm-up).
# - Kaplan et al. (2020), *Scaling Laws for Neural Language Models*, [arXiv
#   2001.08361](https://arxiv.org/abs/2001.08361): section 2.1 (6 operations).
# - Gururangan et al. (2020), *Don't Stop Pretraining*, [arXiv 2004.10964](https://arxiv.org/abs/2004.10964): sections 3 and
#   4 (reading on in the domain, and in the task's own texts).
# - You et al. (2020), *Large Batch Optimization for Deep Learning*, [arXiv
#   1904.00962](https://arxiv.org/abs/1904.00962); Izsak et al. (2021), *How to Train BERT with an Academic Budget*,
#   [arXiv 2104.07705](https://arxiv.org/abs/2104.07705); Geiping and Goldstein (2022), *Cramming*, [arXiv
#   2212.14034](https://arxiv.org/abs/2212.14034); Portes et al. (2023), *MosaicBERT*, [arXiv
#   2312.17482](https://arxiv.org/abs/2312.17482).
# - In the package: `minibert/training/loop.py`, which reads aloud, and `minibert/training/phases.py`; our own recipes for minutes
#   on a laptop are in `minibert/training/recipes.py`.
#
# **Next**: the exercise `exercises/05_pretraining`. You write the schedule, the step, the batches and the bill, and
# train a small BERT with them. Then lesson 6: what all this was for.
