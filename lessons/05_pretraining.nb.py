# %% [markdown]
# # 5 · Pretraining: from random weights to BERT
#
# You have the model, its input and its objectives. What is left is a loop of ten lines, which you write here. BERT
# trained for four days on sixteen chips. Yours takes about 80 seconds on two free cores, and you can watch.
#
# **After this lesson you can**
#
# - write the training loop, and explain AdamW and the learning rate schedule,
# - tell from a loss curve that the learning rate is too large or too small,
# - say which kinds of words a pretrained model can predict, compared with the best possible,
# - resume an interrupted run exactly, and work out what a run costs,
# - train an English model further on a book, and measure what it gains and forgets.
#
# **You need** lessons 1 to 4. **Time:** about 95 minutes; the code alone runs in 220 seconds on two cores.
#
# Questions that begin with **Your guess** are counted: at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(5)

# %% [markdown]
# ## Before and after
#
# Two networks of the same architecture: the first has random weights, the second was pretrained. Which tokens does each
# predict for the gap? We tried four sentences and show the one that training helped most. **Try** your own.

# %% jupyter={"source_hidden": true}
import ipywidgets as widgets
import minibert
from minibert.course.models.class_model import fill_masks
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.training.pretraining import bert_objective, new_model
from minibert.course.widgets.view import Controls
from minibert.course.widgets.guess import gaps_html, sentence_box

english = minibert.load("english")
untrained = new_model(english.config, bert_objective(english.tokenizer, max_length=64), seed=0)
GAPS = {"He opened the [MASK] and went into the house.": "door", "She was born in [MASK].": "town",
        "They sat down at the [MASK] and began to eat.": "table", "The sun rose and it was a new [MASK].": "day"}

def compared(text, models):
    """The likeliest tokens of each model for the gap, as HTML; models: {name: model}."""
    return "".join(f"<p>{name}:</p>{gaps_html(one, text)}" for name, one in models.items())

first = max(GAPS, key=lambda text: dict(english.fill_mask(text, top=1000)[0]).get(GAPS[text], 0.0))
two_networks = {"Random weights": Pretrained(untrained, english.tokenizer), "After pretraining": english}
Controls(lambda text: compared(text, two_networks), text=sentence_box(first))

# %% [markdown]
# ## Do you remember lesson 4?
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("A sequence has 100 tokens, and 15 of them are predicted. Over how many does the MLM loss average?", [
        Choice("15", True, "Right. The other labels are −100 and do not count."),
        Choice("100", False, "The loss would be diluted by tokens that the model can simply copy."),
        Choice("12", False, "Those are the [MASK] tokens; random and unchanged ones are predicted too."),
    ]),
    QuizQuestion("What is the MLM loss of a model that knows nothing, with a vocabulary of V tokens?", [
        Choice("1 / V", False, "That is the probability it gives to the right token."),
        Choice("ln V", True, "Right: minus the logarithm of 1 / V."),
        Choice("0", False, "A loss of 0 means that the model is certain and right."),
    ]),
    QuizQuestion("Where does the wrong second segment of an NSP pair come from?", [
        Choice("From the same document, further on", False, "Then the segment would often fit, and the label would say it does not."),
        Choice("From another document", True, "Right, which is why the topic alone gives most answers away."),
        Choice("It is the first segment's text, shuffled", False, "ALBERT asks about order, but it swaps whole segments."),
    ]),
])

# %% [markdown]
# ## 1 · A text, and a small BERT
#
# BERT read the BooksCorpus (800 million words) and the English Wikipedia (2,500 million words; text passages only, no
# lists, tables or headers): whole documents, since its segments are long (Devlin et al., section 3.1). Our text is the
# generated language of lesson 1. The first runs should take seconds, so they read its short biographies only, the
# *lives*.

# %%
from minibert.course.models.class_model import WORLD_SEED
from minibert.generated import World

world = World(WORLD_SEED)
documents = list(world.documents(6000, seed=1, split="pretrain"))
texts = [document.sentences for document in documents]
lives = [document.sentences for document in documents if document.kind == "life"]
print(f"{len(texts):,} documents, {len(lives):,} of them lives. One begins:\n{' '.join(lives[0][:2])}")

# %% [markdown]
# The vocabulary has 4,000 tokens; the objective is MLM and NSP. We mask 30% of the tokens, twice as many as BERT: in a
# run of seconds each sequence should teach as much as it can.

# %%
from minibert.tokenizer import count_words, train_wordpiece
from minibert.tokenizer.fast import FastWordPiece
from minibert.training.pretraining import bert_objective, encode_documents

tokenizer = FastWordPiece(train_wordpiece(count_words(sentence for text in texts for sentence in text), 4000))
small_text = encode_documents(lives, tokenizer)
objective = bert_objective(tokenizer, max_length=32, rate=0.3)
print(f"{sum(len(ids) for life in small_text for ids in life):,} tokens in the lives")

# %% [markdown]
# Now a model with one layer, one **batch** (the sequences of one training step, here 32), and its loss:

# %%
import numpy as np
from minibert.config import preset
from minibert.training.micro_batch import loss_of_batch
from minibert.training.pretraining import new_model

SMALL = preset("class", num_hidden_layers=1, hidden_size=64, intermediate_size=256, vocab_size=len(tokenizer))
model = new_model(SMALL, objective, seed=0)
rows, labels = objective.build(small_text, np.random.default_rng(0))
batch = objective.collate(rows[:32], labels[:32])
loss, parts = loss_of_batch(objective, model, batch, np.random.default_rng(1))
first_loss = loss.item()
print(f"{sum(p.numel() for p in model.parameters()):,} weights; a batch of {batch.input_ids.shape} tokens")

# %% [markdown]
# All weights are still random. For MLM the model chooses among 4,000 tokens, for NSP between two answers. (ln 1000 is
# about 6.9, ln 2 about 0.7.)

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

def two_parts(parts=parts):
    told = ", ".join(f"{name.upper()} {value:.2f}" for name, value in parts.items())
    return (f"<p>Its parts: {told}. A model that gives all answers the same probability has ln 2 = {np.log(2):.2f} and "
            f"ln 4000 = {np.log(4000):.2f}.</p>")

GuessNumber("How large is the loss of this batch, the sum of both parts?", lambda: first_loss, within=0.4, form="{:.1f}",
            see=two_parts)

# %% [markdown]
# ## 2 · The training loop
#
# The **gradient** says for each weight how the loss changes when this weight changes. The rule that turns gradients
# into moves of the weights is the **optimiser**; the **learning rate** (lr) says how far they go. BERT's optimiser is
# **Adam** (Kingma and Ba, 2015), in the form now called **AdamW** (Loshchilov and Hutter, 2019). In step t, for a weight
# w with gradient g:
#
# | | | |
# |---|---|---|
# | **momentum** | m ← 0.9 m + 0.1 g | a running mean of the gradients, in which their noise partly cancels |
# | running mean of the squares | v ← 0.999 v + 0.001 g² | how large this weight's gradients usually are |
# | **bias correction** | m̂ = m / (1 − 0.9ᵗ), v̂ = v / (1 − 0.999ᵗ) | m and v begin at 0, so at first they are too small, by just these factors |
# | the move | w ← w − lr · m̂ / (√v̂ + 10⁻⁸) | about equally long for weights with large and with small gradients |
# | **decoupled weight decay** | w ← w − lr · 0.01 · w | pulls w towards 0; *decoupled*: the pull stays out of g, m and v |
#
# **Your turn.** Write the first and third lines of the table for one weight: return m̂ after the last gradient.

# %%
from minibert.course.widgets.try_it import try_it

def corrected_mean(gradients, beta=0.9):
    """Return Adam's mean of these gradients, starting from m = 0, after the bias correction.

    >>> corrected_mean([4.0], beta=0.5)
    4.0
    >>> corrected_mean([4.0, 1.0], beta=0.5)
    2.0
    """
    ...

try_it(corrected_mean)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def corrected_mean(gradients, beta=0.9):
#     m = 0.0
#     for g in gradients:
#         m = beta * m + (1 - beta) * g
#     return m / (1 - beta ** len(gradients))
# ```
#
# Without the correction, the first example would give 2.0: half of the only gradient there is.
# </details>
#
# <details><summary><b>Did BERT use exactly this?</b></summary>
#
# The paper says Adam with weight decay. The authors' code (`optimization.py`) decouples the decay, adds 10⁻⁶ instead
# of 10⁻⁸, and leaves out the bias correction, so its first moves are longer than the learning rate.
# </details>
#
# ### One step
#
# First the loss of our batch, and of another one that takes no part in the step.

# %%
import torch

other = objective.collate(rows[32:64], labels[32:64])

def two_losses():
    with torch.no_grad():
        return [loss_of_batch(objective, model, one, np.random.default_rng(1))[0].item() for one in (batch, other)]

before_step = two_losses()

# %% [markdown]
# Now the step. **Clipping** shortens a gradient that is too long. The gradient is cleared first, because PyTorch adds
# to what is there.

# %%
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
optimizer.zero_grad()                                                   # clear the gradient
loss.backward()                                                         # compute it
length = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)        # clip it to length 1
optimizer.step()                                                        # move the weights
print(f"length of the gradient: {length:.2f}; after clipping: {min(length, 1):.2f}")

# %% [markdown]
# Both losses again, with the same tokens masked:

# %% jupyter={"source_hidden": true}
after_step = two_losses()

FALLEN = {(True, False): "only the one of the step", (False, True): "only the other one", (True, True): "both",
          (False, False): "neither"}

def one_step():
    told = [f"{name} {old:.2f} before the step, {new:.2f} after it"
            for name, old, new in zip(("the step's batch", "the other batch"), before_step, after_step)]
    return (f"<p>Loss of {'; of '.join(told)}. What one step learns (mostly which tokens are frequent) helps "
            "with every batch.</p>")

GuessChoice("Which of the two batches has a lower loss after the step?", list(FALLEN.values()),
            lambda: FALLEN[tuple(new < old for old, new in zip(before_step, after_step))], see=one_step)

# %% [markdown]
# ### Your turn: the loop
#
# Training repeats this step. For each batch and its learning rate: set the `"lr"` of each of the
# `optimizer.param_groups`, clear the gradient, compute `loss_of(model, batch)` and its gradient, clip to length 1,
# move. Collect the losses as numbers, with `loss.item()`. In the examples the "model" is one weight, and the optimiser
# plain **SGD**: minus learning rate times gradient.

# %%
def training_loop(model, optimizer, loss_of, batches, rates):
    """Take one step for each batch, at that step's learning rate; return the list of losses.

    >>> w = torch.nn.ParameterList([torch.tensor(2.0)])
    >>> sgd = torch.optim.SGD(w.parameters(), lr=99)
    >>> training_loop(w, sgd, lambda w, batch: (w[0] - batch) ** 2 / 8, [0, 0, 0], [2, 4, 0])
    [0.5, 0.125, 0.0]
    >>> training_loop(w, sgd, lambda w, batch: (w[0] - batch) ** 2 / 8, [16, 16], [4, 0])
    [32.0, 18.0...]
    """
    ...

try_it(training_loop)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def training_loop(model, optimizer, loss_of, batches, rates):
#     losses = []
#     for batch, rate in zip(batches, rates):
#         for group in optimizer.param_groups:
#             group["lr"] = rate
#         optimizer.zero_grad()
#         loss = loss_of(model, batch)
#         loss.backward()
#         torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
#         optimizer.step()
#         losses.append(loss.item())
#     return losses
# ```
#
# If the third loss is 0.5, the gradient was not cleared. If the last loss is 0.0, it was not clipped.
# </details>

# %% [markdown]
# Now your loop trains the small BERT. (Until all examples are right, the package's loop stands in.) Every run reads
# 4,800 sequences; the curve averages the MLM loss over 640. The dotted line is a **baseline**: a reader who ignores the
# context and knows only how frequent each token is. **Guess first**: does one layer get below it?

# %%
from minibert.training.schedule import learning_rate
from minibert.training.recipes import start_from_neighbours
from minibert.course.unit05.views.loop_lab import LoopLab

def fresh(seed):
    one = new_model(SMALL, objective, seed)
    start_from_neighbours(one.encoder)      # attention heads begin by looking at neighbours: see section 7
    return one

lab = LoopLab(training_loop, fresh, objective, small_text, learning_rate)
lab.start()

# %% [markdown]
# **Try** other settings. What does a learning rate of 0.1 do? The same settings again use a new seed.
#
# To get below the baseline, the model must use the context. We mask one word after the other in 120 lives that it has
# not read. Here are the first two different words that it predicts right:

# %%
from minibert.course.unit05.views.loop_lab import first_right

first_run = lab.runs[0]

def fill(text):
    return fill_masks(first_run.model, tokenizer, text, top=4)[0]

for text, word, top in first_right(fill, lives[:120]):
    print(f"{text}   It was: {word}. Predicted:", ", ".join(f"{token} {p:.0%}" for token, p in top))

# %% [markdown]
# The package's `train` is the same loop; it also saves its state now and then (section 8) and refuses a loss that is
# not a number:

# %%
import inspect
from minibert.training.loop import train

print(inspect.getsource(train).split('"""')[2])

# %% [markdown]
# <details><summary><b>Why clip a long gradient?</b></summary>
#
# A gradient is an estimate from one batch, good for a small step. An unusual batch can make it far longer than usual,
# and one such step can undo much training. Clipping keeps the direction. BERT's code clips to length 1
# (`optimization.py`).
# </details>
#
# <details><summary><b>Why not the gradient of the whole text?</b></summary>
#
# It would be exact, but one step would cost as much as hundreds of rough ones, which go further.
# </details>

# %% [markdown]
# ## 3 · The learning rate
#
# BERT's learning rate goes up in a straight line (the **warm-up**) to its **peak**, 1e-4, in the first 10,000 of its
# 1,000,000 steps, then down to 0 (the **decay**; Devlin et al., appendix A.2).

# %%
for step in (4_999, 9_999, 505_000):
    print(f"step {step:7,}: {learning_rate(step, 1_000_000, 1e-4, 10_000):.1e}")

# %% [markdown]
# **OneCycle** (Smith, 2018) is similar. Our rule of thumb: start at a hundredth of the peak, end at a hundredth of the
# start, warm up for 10% of the steps. **Try** it, with a warm-up of 100000.

# %% jupyter={"source_hidden": true}
from minibert.training.schedule import bert_rate, one_cycle
from minibert.course.widgets.plots import curves

SCHEDULES = {
    "BERT's paper": learning_rate,
    "BERT's code": bert_rate,
    "OneCycle": lambda step, steps, peak, warmup: one_cycle(step, steps, warmup / steps, peak / 100, peak, peak / 1e4),
}

def draw_rates(schedule, steps, warmup, peak):
    at = np.unique(np.linspace(0, steps - 1, 201).astype(int))
    rates = [SCHEDULES[schedule](int(step), steps, peak, warmup) for step in at]
    title = f"{schedule}: peak {max(rates):.2g} near step {at[np.argmax(rates)]:,}; {rates[-1]:.1g} in the last step"
    return curves(at / 1000, {"learning rate": {"rate": rates}}, "step, in thousands", title, markers=False)

Controls(draw_rates, schedule=widgets.Dropdown(options=list(SCHEDULES), description="Schedule"),
         steps=widgets.BoundedIntText(1_000_000, min=2, max=10_000_000, description="Steps"),
         warmup=widgets.BoundedIntText(10_000, min=1, max=1_000_000, description="Warm-up"),
         peak=widgets.BoundedFloatText(1e-4, min=1e-7, max=1, description="Peak"))

# %% [markdown]
# <details><summary><b>Where do these schedules differ?</b></summary>
#
# In BERT's code the decay counts from the start of the run, so the learning rate drops by 1% when the warm-up ends.
# Smith's OneCycle has straight sides, equally long; the smooth ones drawn here are PyTorch's, which by default starts at
# 1/25 of the peak and warms up for 30% of the steps. Both lower the momentum while the learning rate is high.
# </details>
#
# ### Too large, too small
#
# Your loop trains with three peaks, and three seeds for each, because one run may be lucky. We compare the loss on the
# lives that were kept back.

# %%
by_peak = {}
for peak in (3e-4, 3e-3, 3e-2):
    by_peak[f"{peak:g}"] = lab.three_seeds(rate=peak)
    print(f"peak {peak:g}: three runs trained")

# %% [markdown]
# The curves come with the answer.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.view import figure_html
from minibert.course.unit05.views.loop_lab import run_curves, seed_table

def mean_loss(runs):
    return np.mean([run.dev_loss for run in runs])

def three_peaks():
    small, good, large = by_peak.values()
    drawn = run_curves({f"peak {name}": runs[0] for name, runs in by_peak.items()}, lab.baseline,
                       "MLM loss in training, the first seed of each peak")
    asked = "Nomi was [MASK] in the town.", "She lives [MASK] a house."
    first = [fill_masks(large[0].model, tokenizer, text, top=1)[0][0][0] for text in asked]
    slow = (" With the smallest, the loss is still decreasing when the run ends: it needs more steps."
            if small[0].curve()[-1][1] < small[0].curve()[-8][1] - 0.02 else "")
    said = f"first <code>{first[0]}</code>, then <code>{first[1]}</code>"
    said = f"<code>{first[0]}</code> both times" if first[0] == first[1] else said
    stuck = (" With the largest, the loss stays near the baseline: the model knows how frequent tokens are, and hardly more. "
             f"For the gaps of <i>{asked[0]}</i> and <i>{asked[1]}</i> it predicts {said}."
             if abs(mean_loss(large) - lab.baseline) < 0.2 else "")
    best = min(by_peak, key=lambda name: mean_loss(by_peak[name]))
    return f"{figure_html(*drawn)}{seed_table(by_peak, 'peak')}<p>The best of the three is {best}.{slow}{stuck}</p>"

GuessChoice("Which peak ends with the highest loss?", list(by_peak),
            lambda: max(by_peak, key=lambda name: mean_loss(by_peak[name])), see=three_peaks)

# %% [markdown]
# ### Why warm up?
#
# In step 1, Adam has seen one gradient: m̂ is g, and √v̂ its size. So **every** weight with a gradient moves by one
# full learning rate, in a direction that a single batch has decided. Later the gradients partly cancel in m, but not in
# v, and the moves get shorter. How much shorter were they in your first run?

# %% jupyter={"source_hidden": true}
def adam_moves():
    steps = [step for step in (1, 2, 5, 10, 20, 50, 100, 200) if step in first_run.moves]
    return curves(steps, {"learning rates": {"mean move": [first_run.moves[step] for step in steps]}}, "step",
                  f"Adam's mean move in the layer's matrices, in learning rates: {first_run.moves[1]:.2f} in step 1, "
                  f"{first_run.moves[100]:.2f} in step 100",
                  logx=True, at_least={"learning rates": (0, 1)})

GuessNumber("In step 1 a weight moves by 1 learning rate. By how many in step 100, on average?",
            lambda: first_run.moves[100], within=0.12, form="{:.2f}", see=adam_moves)

# %% [markdown]
# So without warm-up, the longest moves rest on the fewest batches (Liu, Jiang et al., 2020, section 3). A Transformer
# for translation then ended with a training loss of about 10 instead of 3 (their figure 1). **Try** a warm-up of 0 in
# the lab: does one layer need it?
#
# <details><summary><b>Does every Transformer need warm-up?</b></summary>
#
# With LayerNorm after each residual connection, as in BERT, the gradients near the output are large at the start, and
# a large learning rate can make training unstable (Xiong et al., 2020, section 3). With LayerNorm before each sublayer
# they are smaller, and the authors could leave out the warm-up.
# </details>

# %% [markdown]
# ## 4 · The batch size
#
# BERT's batch has 256 sequences. RoBERTa's authors tried larger ones in fewer steps, on the same number of tokens (Liu,
# Ott et al., 2019, section 4.3). **Perplexity** is e to the power of the loss; 4 means as unsure as when choosing among
# four equally likely tokens. The last two columns: accuracy in %.
#
# | batch size | steps | peak learning rate | perplexity | MNLI-m | SST-2 |
# |---|---|---|---|---|---|
# | 256 | 1,000,000 | 1e-4 | 3.99 | 84.7 | 92.7 |
# | 2,000 | 125,000 | 7e-4 | 3.68 | 85.2 | 92.9 |
# | 8,000 | 31,000 | 1e-3 | 3.77 | 84.6 | 92.8 |
#
# We keep the number of sequences **and the learning rate**, and compare three batch sizes, again with three seeds.

# %%
by_size = {}
for size in (8, 16, 64):
    by_size[f"{size} sequences, {4800 // size} steps"] = lab.three_seeds(batch_size=size)
    print(f"{size} sequences: three runs trained")

# %% [markdown]
# Again the curves come with the answer.

# %% jupyter={"source_hidden": true}
_, middle, large = map(mean_loss, by_size.values())
assert large > middle + 0.2, "a quarter of the steps should end with the higher loss"

def lowest():
    return min(by_size, key=lambda name: mean_loss(by_size[name]))

def three_sizes():
    drawn = run_curves({name: runs[0] for name, runs in by_size.items()}, lab.baseline,
                       "MLM loss in training, the first seed of each batch size")
    told = " They make the most steps." if lowest().startswith("8 ") else ""
    fast = ", ".join(f"{np.median([sum(run.tokens) / run.seconds for run in runs]):,.0f} with {name.split(',')[0]}"
                     for name, runs in by_size.items())
    return (f"{figure_html(*drawn)}{seed_table(by_size, 'batch')}<p>From the same text and at the same learning rate, "
            f"batches of {lowest().split(',')[0]} learn most.{told} Tokens a second on this machine: {fast}.</p>")

GuessChoice("Which of the three ends with the lowest loss?", list(by_size), lowest, see=three_sizes)

# %% [markdown]
# Why then are BERT's batches so large? Large matrix products keep a processor busier, and 16 chips can share 256
# sequences but not 8. The gradient of a large batch is also less noisy, so the learning rate can be higher, as in the
# table. **Try** 64 sequences with 0.01 in the lab.

# %% [markdown]
# ## 5 · What a batch is made of
#
# Sequences are filled with [PAD] to the length of the longest in the batch, and what is computed for [PAD] is wasted.
# So `train` takes a **pool** of 50 batches' worth of shuffled sequences, sorts it by length, cuts it into batches, and
# shuffles these. We count the padding on whole documents, for pools of 1 to 100 batches.

# %%
from minibert.data.bucketing import bucket_by_length

lengths = np.array([sum(map(len, text)) for text in encode_documents(texts[:3200], tokenizer)])

def padding(pool):
    batches = bucket_by_length(lengths, 32, pool, np.random.default_rng(0))
    computed = sum(len(rows) * lengths[rows].max() for rows in batches)
    return 1 - lengths.sum() / computed

POOLS = np.array([1, 2, 5, 10, 25, 50, 100])
wasted = [100 * padding(int(pool)) for pool in POOLS]

# %% [markdown]
# A pool of one batch leaves the documents in random order.

# %% jupyter={"source_hidden": true}
def padding_by_pool():
    return curves(POOLS, {"padding, % of what is computed": {"batches of 32": wasted}}, "pool, in batches",
                  f"A pool of 50 batches brings the padding from {wasted[0]:.0f}% to {wasted[5]:.1f}%", logx=True,
                  at_least={"padding, % of what is computed": (0, 1)})

GuessNumber("A batch is 32 documents at random. What percentage of the tokens that are computed is padding?",
            lambda: wasted[0], within=8, form="{:.0f}%", see=padding_by_pool)

# %% [markdown]
# ### Length 128, then 512
#
# For each of T tokens, a layer of hidden size D computes 12 D² multiplications with its weight matrices, and 2 T D for
# attention to all tokens. So over the whole sequence, attention grows with the **square** of the length. What is its
# share for BERT-base, with D = 768?

# %% jupyter={"source_hidden": true}
def share(T, D=768):
    return 2 * T * D / (12 * D * D + 2 * T * D)

def four_lengths():
    told = ", ".join(f"{share(T):.1%} in sequences of {T:,}" for T in (32, 128, 512, 2048))
    return (f"<p>{told}. The weight matrices take the larger part until a sequence has {6 * 768:,} tokens. In all, a token "
            f"costs {(1 - share(128)) / (1 - share(512)) - 1:.0%} more in 512 tokens than in 128.</p>")

GuessBars("What percentage of BERT-base's multiplications is attention between tokens?", ["128 tokens", "512 tokens"],
          lambda: [100 * share(128), 100 * share(512)], top=60, within=4, axis="of all multiplications",
          unit="%", see=four_lengths)

# %% [markdown]
# BERT trains 90% of its steps on sequences of 128 tokens and the last 10% on 512. The paper's reason is the square
# (Devlin et al., appendix A.2). By our count it saves little per token; but a step on as many short sequences has a
# quarter of the tokens. **Positions 129 to 512 have embeddings of their own**, which learn nothing until long sequences
# come.
#
# ### Sentence pairs or a stream of text?
#
# BERT's sequences have two segments because NSP needs two. RoBERTa's authors pretrained a BERT-base with each of four
# forms (Liu, Ott et al., 2019, table 2; **RACE**: questions from school exams about a text):
#
# | form of a sequence | | SQuAD 2.0 (F1) | MNLI-m | SST-2 | RACE |
# |---|---|---|---|---|---|
# | segment pair, with NSP | two segments of several sentences, as in BERT | 78.7 | 84.0 | 92.9 | 64.2 |
# | sentence pair, with NSP | two single sentences | 76.2 | 82.9 | 92.1 | 63.0 |
# | full sentences | as many as fit, across the ends of documents | 79.1 | 84.7 | 92.5 | 64.8 |
# | one document | as many as fit, up to the end of the document | 79.7 | 84.7 | 92.7 | 65.6 |
#
# A model that reads only two sentences at a time cannot learn to use distant context. One document is never worse than
# full sentences, but such sequences differ in length, so RoBERTa took full sentences. How long are they on our text?

# %%
from minibert.data.batch import row_size
from minibert.data.packing import nsp_examples
from minibert.data.formats import doc_sentences, full_sentences, sentence_pairs

rng, longest, all_text = np.random.default_rng(0), 128, encode_documents(texts, tokenizer)
FORMS = {"segment pair": nsp_examples(all_text, longest, rng), "sentence pair": sentence_pairs(all_text, longest, rng),
         "full sentences": full_sentences(all_text, longest, tokenizer.specials.sep),
         "one document": doc_sentences(all_text, longest)}
for form, (made, _) in FORMS.items():
    print(f"{form:15s} {len(made):6,} sequences, "
          f"on average {np.mean([row_size(one) for one in made]):5.1f} of {longest} tokens")

# %% [markdown]
# ## 6 · Eighty seconds of pretraining
#
# Now the whole language, and a model with three layers and twice the hidden size. A program wrote the text by known
# rules, so for each masked token we can compute **exactly** how likely each answer is. On average, no model can do better
# than this **best reader**, and even it cannot know every token. The test is on 110 documents that are not used for
# training.

# %%
from minibert.generated.posterior.reader import Reader
from minibert.generated.posterior.reachable import best_answers, frequency_answers, hidden_rows, scored

tests = list(hidden_rows(world.pages(110, 1001, "pretrain"), tokenizer.encode, tokenizer.specials, 112,
                         np.random.default_rng(0)))
reader = Reader(world, lambda sentence: tokenizer.encode(sentence).ids, tokenizer.specials, "pretrain")
best = scored(tests, best_answers(reader))
counts = np.bincount(np.concatenate([ids for one in all_text for ids in one]), minlength=len(tokenizer))
frequent = scored(tests, frequency_answers(counts))
print(f"{best['all'].count:,} masked tokens: best reachable {best['all'].accuracy:.1%}, "
      f"most frequent token {frequent['all'].accuracy:.1%}")

# %% [markdown]
# Our plan differs from BERT's in more than the masking rate. There is no dropout. The model begins with one layer and
# gets the others later, since steps with few layers are fast. (Gong et al., 2019, copy trained layers; ours are new.)
# Position embeddings start as sinusoids. And the optimiser for the layers' matrices is **Muon** (Jordan et al., 2024;
# Liu, Su et al., 2025), which makes a matrix's move about equally long in all directions.

# %%
from minibert.training.config import TrainConfig
from minibert.training.recipes import growing_phases

plan = TrainConfig(steps=850, batch_size=24, peak_rate=3e-3, optimizer="muon")
phases = growing_phases(plan, max_length=112, layers=3)
for phase in phases:
    print(f"{phase.config.steps} steps of {phase.config.batch_size} sequences of {phase.max_length} tokens; "
          f"layers: {phase.layers}")

# %% [markdown]
# The folded cell makes the model and the plot.

# %% jupyter={"source_hidden": true}
from minibert.model.growth import add_layers
from minibert.training.recipes import start_from_sinusoids
from minibert.training.pretraining import model_answers
from minibert.course.widgets.learning_curves import LiveCurve

def accuracy(log):
    right = scored(tests, model_answers(bert.eval(), tokenizer.specials))["all"].accuracy
    bert.train()
    return 100 * right

bert = new_model(preset("class", num_hidden_layers=phases[0].layers, vocab_size=len(tokenizer)),
                 bert_objective(tokenizer, phases[0].max_length), seed=0)
start_from_sinusoids(bert.encoder)
lines = {"best reachable": 100 * best["all"].accuracy, "most frequent token": 100 * frequent["all"].accuracy}
live = LiveCurve("accuracy, %", accuracy, every=85, lines=lines, limits=(0, 100))

# %% [markdown]
# **Guess first.** How far does the accuracy come between the baseline and the best: a third of the way, half, nearly
# all? Does it rise evenly?

# %%
from functools import partial

run_log = []
for phase in phases:
    add_layers(bert.encoder, phase.layers, seed=phase.layers)
    task = bert_objective(tokenizer, phase.max_length, rate=0.3)
    run_log += train(bert, task, partial(task.build, all_text), phase.config, progress=live)

# %% [markdown]
# Here is the answer:

# %% jupyter={"source_hidden": true}
(_, ended), reached = live.ends()[0][1:], [y for _, y in next(iter(live.curves.values()))]
low, high = lines["most frequent token"], lines["best reachable"]
rises = np.diff([reached[0], *reached])
print(f"The accuracy came {(ended - low) / (high - low):.0%} of the way from the baseline to the best. Its largest rise "
      f"within 85 steps was {round(rises.max())} points, the last one {round(rises[-1])}.")

# %% [markdown]
# ## 7 · What does it know?
#
# The program that wrote the documents knows why it chose each word, so we can measure by kind:
#
# | what determines the word | example |
# |---|---|
# | its own sentence (grammar) | *She works **as** a baker.* |
# | an earlier sentence, a later one, or either of them | the baker's name, used twice |
# | knowledge of the world | *The baker cleans the **oven**.* No other sentence says oven, but bakers have ovens |
# | nothing | a house number that is used once |

# %%
model_scores = scored(tests, model_answers(bert.eval(), tokenizer.specials))
KINDS = {"syntax": "its own sentence", "left": "an earlier sentence", "right": "a later sentence",
         "both": "an earlier or a later one", "world": "knowledge of the world", "nothing": "nothing"}

# %% [markdown]
# Which kinds has it learned?

# %% jupyter={"source_hidden": true}
from minibert.course.unit05.views.pretraining import accuracy_ranges

def six_kinds():
    floor, reached, top = ([100 * scores[kind].accuracy for kind in KINDS] for scores in (frequent, model_scores, best))
    names = [f"{meaning} ({best[kind].count / best['all'].count:.0%})" for kind, meaning in KINDS.items()]
    title = (f"Grammar: {reached[0]:.0f}% (best: {top[0]:.0f}%). Only another sentence determines it: "
             f"{100 * model_scores['elsewhere'].accuracy:.0f}% (best: {100 * best['elsewhere'].accuracy:.0f}%)")
    drawn = figure_html(*accuracy_ranges(names, floor, reached, top, title, "most frequent token"))
    own, known, copied = (model_scores[kind].accuracy / best[kind].accuracy for kind in ("syntax", "world", "elsewhere"))
    return (f"{drawn}<p>(In brackets: each kind's share of the words.) Of what the best reader gets right, the model gets "
            f"{own:.0%} where <b>its own sentence</b> determines the word, {known:.0%} where <b>knowledge of the world</b> "
            f"does, and {copied:.0%} where <b>only another sentence</b> does. A likely reason for the last: to copy a name "
            "from another sentence, layers must work together. One finds the place, the next "
            "copies the word, and the first is of no use before the second has learned its part. Where nothing determines "
            f"the word, the model predicts {reached[5]:.0f}% right, and the best reader {top[5]:.0f}%.</p>")

GuessBars("What percentage of the words of each kind does your model predict right?", list(KINDS.values()),
          lambda: [100 * model_scores[kind].accuracy for kind in KINDS], top=100, within=15, axis="predicted right",
          unit="%", see=six_kinds)

# %% [markdown]
# Ask it yourself; the first gap is an easy one. **Try** the other kinds too, such as *The baker cleans the [MASK].*

# %% jupyter={"source_hidden": true}
def ask(text):
    guesses = fill_masks(bert, tokenizer, text)[0]
    return "<p>" + ", ".join(f"<b>{word}</b> {p:.0%}" for word, p in guesses) + "</p>"

SURE = {"She works [MASK] a baker.": "as", "He was [MASK] in the town.": "born", "She lives in [MASK] house.": "a",
        "They went to [MASK] market.": "the"}
known = [text for text, word in SURE.items() if fill_masks(bert, tokenizer, text)[0][0][0] == word]
Controls(ask, text=widgets.Text([*known, *SURE][0], description="Text", continuous_update=False,
                                layout={"width": "520px"}))

# %% [markdown]
# Does it only need more steps? The course's own model (`make tour` in a terminal) is trained differently.

# %% jupyter={"source_hidden": true}
from minibert.course.tables import stored
from minibert.course.tour import TourConfig
from minibert.course.widgets.tables import score_table

TOUR = TourConfig()
PLANS = {"3,000 steps of 32 sequences, without the tour's changes": "world_plain",
         f"{TOUR.steps} steps of {TOUR.batch_size}, with the tour's changes": "world"}
COLUMNS = {"syntax": KINDS["syntax"], "world": KINDS["world"], "elsewhere": "another sentence"}

kept = {name: stored(table)["accuracy"] for name, table in PLANS.items()}
kept = {f"your run, {plan.steps} steps of {plan.batch_size}": {kind: f"{100 * model_scores[kind].accuracy:.1f}"
                                                              for kind in COLUMNS}, **kept}
plain, tour = (float(kept[name]["elsewhere"].split()[0]) for name in PLANS)
share_elsewhere = best["elsewhere"].count / best["all"].count
drawn = score_table(["accuracy in %", *COLUMNS.values()],
                    [[name, *map(some.get, COLUMNS)] for name, some in kept.items()])
widgets.HTML(f"{drawn}<p>(All but your run are stored: the mean of three runs and their range, on 600 documents. "
             f"Yours is live, on 110.) Another sentence alone determines {share_elsewhere:.0%} of the masked tokens. "
             f"Without the tour's changes a model learns to predict {plain:.0f}% of these, with them {tour:.0f}%.</p>")

# %% [markdown]
# <details><summary><b>What does the tour change?</b></summary>
#
# `benchmarks/world_plain.py` and `benchmarks/world.py` make the two tables.
#
# - Once the model knows some grammar, words that occur again in the text are **masked more often**
#   (`minibert.objectives.RepeatedWordMLM`).
# - Each head of its first layer starts out attending to one neighbour (`minibert.training.recipes.start_from_neighbours`), as
#   in the lab of section 2. BERT has such heads too, learned in its long training (Clark et al., 2019, section 3.1).
# - The third layer joins only for the last quarter of the steps.
# - The batch is larger, and the weight decay is stronger.
# </details>
#
# <details><summary><b>Why is the best at “an earlier sentence” below 100%?</b></summary>
#
# The earlier word may be masked too, as 15% of all tokens are. Then nobody can know.
# </details>
#
# <details><summary><b>Is it worth masking a word that nothing determines?</b></summary>
#
# Hardly: even the best reader rarely predicts it. But in real text nobody knows beforehand which words these are.
# </details>

# %% [markdown]
# Now look inside your model. Open a layer, then a head. Does any head attend from [MASK] to its neighbours?

# %%
from minibert.course.widgets.explorer.widget import explore

explore((bert, tokenizer), "She works [MASK] a baker.")

# %% [markdown]
# The folded cell keeps your model for the next lessons, unless this machine has one already.

# %% jupyter={"source_hidden": true}
from minibert.course.models import class_model
from minibert.model.checkpoints.published import save_model

if class_model.cache_folder().is_dir():
    print("There is a model already. It stays.")
else:
    save_model(bert, folder := class_model.cache_folder().with_name("lesson-05"), tokenizer.vocab)
    class_model.keep(folder)
    print("Kept. Deleting it costs one more run, and nothing else.")

# %% [markdown]
# ## 8 · Stop, and go on
#
# Long runs are interrupted. A **checkpoint** holds all that the rest of the run depends on: the weights, the
# optimiser's state (Adam's m and v), the number of the step, and the place in the data. Random choices depend only on
# the seed and the step. The folded cell defines a progress display that presses Ctrl-C for us.

# %% jupyter={"source_hidden": true}
import contextlib
import signal
import sys
import tempfile

class InterruptAt:
    """A progress display for `train` that presses Ctrl-C after the given step."""
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
# One run of 40 steps without a stop, one that is stopped after step 25, and the same call again to resume it:

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
# Are the losses of all 40 steps equal, to the last bit?

# %%
gaps = [abs(a["loss"] - b["loss"]) for a, b in zip(whole, continued, strict=True)]
assert max(gaps) == 0.0
print(f"{len(continued)} steps; largest difference {max(gaps)}. Loss of step 40: {whole[-1]['loss']:.6f} and "
      f"{continued[-1]['loss']:.6f}")

# %% [markdown]
# They are.
#
# <details><summary><b>Why must the optimiser's state be saved?</b></summary>
#
# Without it, Adam's averages would start again from the first batches after the stop, without a warm-up, and the run
# would be a different one. (Between the phases of section 6 we allow that: sequences or layers are new there anyway.)
# </details>

# %% [markdown]
# ## 9 · How large a model?
#
# BERT's authors compared six models, up to the 340 million weights of BERT-large (Devlin et al., table 6). The
# perplexity of masked tokens in held-out text decreases from row to row:
#
# | layers | hidden size | heads | perplexity |
# |---|---|---|---|
# | 3 | 768 | 12 | 5.84 |
# | 6 | 768 | 3 | 5.24 |
# | 6 | 768 | 12 | 4.68 |
# | 12 | 768 | 12 | 3.99 |
# | 12 | 1,024 | 16 | 3.54 |
# | 24 | 1,024 | 16 | 3.23 |
#
# They also fine-tuned each model on tasks. **MRPC** asks whether two sentences mean the same, and has only 3,600
# labelled pairs. A large model could **overfit** them: learn them by heart and do worse on new pairs.

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
    panel = {name: scores[::-1] for name, scores in TASKS.items()}
    drawn = curves(held_out[::-1], {"accuracy on the development set, %": panel}, "perplexity of the masked tokens",
                   "The lower the perplexity, the better every task, down to the largest model", logx=True)
    return (f"{figure_html(*drawn)}<p>The authors believed that nobody had shown this before: after enough "
            "pretraining, a larger model helps small tasks, too. Their hypothesis: few weights have to be learned from the "
            "labels alone (Devlin et al., section 5.2).</p>")

GuessChoice("Does the largest model still gain on the 3,600 pairs, or does it overfit?", GAINS,
            lambda: GAINS[0 if TASKS["MRPC"][-1] == max(TASKS["MRPC"]) else 1], see=all_sizes)

# %% [markdown]
# <details><summary><b>Why can perplexity not compare just any two models?</b></summary>
#
# It depends on the vocabulary (longer tokens are harder to predict), on which tokens are masked, and on the text. These
# six models share all three. Even then a lower perplexity is no promise: in section 4's table, perplexities of 3.99 and
# 3.77 go with 84.7 and 84.6 on MNLI-m.
# </details>

# %% [markdown]
# ## 10 · What did BERT cost?
#
# BERT-base trained for 4 days on 16 TPU chips. About the data the paper says two things that do not quite fit together:
# 256 sequences of 512 tokens a step for 1,000,000 steps; and only 128 tokens in 90% of the steps (appendix A.2).
#
# A rule of thumb: each weight costs 6 operations a token, a multiplication and an addition in the forward pass, and
# twice that in the backward pass (Kaplan et al., 2020, section 2.1). A Cloud TPU v2 was sold as 180 teraflops, 45 × 10¹²
# operations a second for each of its four chips. If BERT-base ran on them, what share of this speed did it use?

# %%
from minibert.config import count_parameters
from minibert.course.unit05.definitions import pretraining_cost

READINGS = {"512 tokens in all steps": [(1_000_000, 256, 512)],
            "128 tokens in 90% of the steps": [(900_000, 256, 128), (100_000, 256, 512)]}
weights = {name: sum(count_parameters(preset(name)).values()) for name in ("base", "large")}
for name, steps in READINGS.items():
    cost = pretraining_cost(weights["base"], steps, chips=16, peak=45e12, utilisation=1.0)
    print(f"{name}: {cost['tokens'] / 1e9:.1f} billion tokens, {cost['flops']:.1e} operations\n"
          f"    {cost['days']:.1f} days at full speed, so 4 days used {cost['days'] / 4:.0%} of it")

# %% [markdown]
# No run reaches full speed: chips wait for memory, data and each other. And the rule is rough: embeddings are looked
# up, not multiplied (Kaplan et al. leave them out); the output head scores masked tokens only; attention between tokens
# has no weights. So we count again, for BERT and your own run.

# %% jupyter={"source_hidden": true}
def multiplications(layers, D, vocab, T, masked):
    """Of one token in the forward pass: matrices of the layers, attention, and the head where it is masked."""
    return layers * (12 * D * D + 2 * T * D) + masked * (D * D + D * vocab)

for T in (128, 512):
    counted = multiplications(12, 768, 30_522, T, 0.15)
    print(f"BERT-base, {T} tokens: {counted / 1e6:.1f} million multiplications a token, where the rule says "
          f"{weights['base'] / 1e6:.1f} million: {weights['base'] / counted - 1:.0%} more")

ends = np.cumsum([0, *(phase.config.steps for phase in phases)])
tokens, seconds = (sum(entry[name] for entry in run_log) for name in ("tokens", "seconds"))
done = sum(6 * multiplications(phase.layers, 128, len(tokenizer), phase.max_length, 0.3)
           * sum(entry["tokens"] for entry in run_log[start:end])
           for phase, start, end in zip(phases, ends, ends[1:]))
own_speed = done / seconds
base = multiplications(12, 768, 30_522, 128, 0.15)
years = pretraining_cost(base, READINGS["128 tokens in 90% of the steps"], 1, own_speed, 1.0)["days"] / 365
print(f"Your run: {tokens / 1e6:.1f} million tokens in {seconds:.0f} s, {own_speed / 1e9:.0f} billion operations a second. "
      f"At this speed BERT-base would take this machine {years:,.0f} years.")

# %% [markdown]
# And on newer chips? The makers give these peaks for 16-bit numbers, in 10¹² operations a second: V100 (2017) 125,
# A100 (2020) 312, H100 (2022) 989. With 128 tokens in 90% of the steps, the rule says 2.8 × 10¹⁹ operations.

# %% jupyter={"source_hidden": true}
CHIPS = {"TPU v2 chip (2017)": 45e12, "V100 (2017)": 125e12, "A100 (2020)": 312e12, "H100 (2022)": 989e12,
         "this machine": own_speed}

def cost_html(model, reading, chip, chips, utilisation, price):
    measured = chip == "this machine"               # its speed is no peak
    cost = pretraining_cost(weights[model], READINGS[reading], chips, CHIPS[chip], 1.0 if measured else utilisation / 100)
    hours = 24 * cost["days"]
    took = f"{cost['days']:,.1f} days" if cost["days"] >= 2 else f"{hours:,.1f} hours"
    speed = "at the speed of your run" if measured else f"at {utilisation}% of the peak"
    return (f"<p>BERT-{model}: 6 × {weights[model] / 1e6:.1f} million weights × {cost['tokens'] / 1e9:.1f} billion tokens = "
            f"<b>{cost['flops']:.1e}</b> operations.</p><p>{chips} × {chip} {speed}: <b>{took}</b>, "
            f"{chips * hours:,.0f} chip-hours, <b>${chips * hours * price:,.0f}</b>.</p>")

SHORT_ROWS = list(READINGS)[1]
assert f"{pretraining_cost(weights['base'], READINGS[SHORT_ROWS], 8, 1e12, 1.0)['flops']:.1e}" == "2.8e+19", "the text says so"
GuessNumber("How many hours does BERT-base take on eight A100s at a third of their peak?",
            lambda: 24 * pretraining_cost(weights["base"], READINGS[SHORT_ROWS], 8, CHIPS["A100 (2020)"], 0.33)["days"],
            within=3, form="{:.0f} hours", see=lambda: cost_html("base", SHORT_ROWS, "A100 (2020)", 8, 33, 2.0))

# %% [markdown]
# **Try** other models, chips and prices.

# %% jupyter={"source_hidden": true}
Controls(cost_html, model=widgets.Dropdown(options=list(weights), description="Model"),
         reading=widgets.Dropdown(options=list(READINGS), value=SHORT_ROWS, description="Tokens"),
         chip=widgets.Dropdown(options=list(CHIPS), value="H100 (2022)", description="Chip"),
         chips=widgets.BoundedIntText(1, min=1, max=10_000, description="Chips"),
         utilisation=widgets.BoundedIntText(33, min=1, max=100, description="Used, %"),
         price=widgets.BoundedFloatText(2.0, min=0, max=100, step=0.1, description="$ an hour"))

# %% [markdown]
# Fine-tuning is inexpensive: from the pretrained model, all results of the paper can be reproduced in at most an hour on
# one Cloud TPU, or in a few hours on a GPU (Devlin et al., section 3.2). What others report about pretraining:
#
# | who | on | for | what came out |
# |---|---|---|---|
# | Devlin et al. (2019) | 16 TPU chips | 4 days | BERT-base |
# | Devlin et al. (2019) | 64 TPU chips | 4 days | BERT-large |
# | Liu, Ott et al. (2019) | 1,024 V100 | about a day | RoBERTa-large, first 100,000 steps |
# | You et al. (2020) | a pod of 1,024 TPU v3 chips | 76 minutes | BERT-large, with batches of 32,768 sequences and more |
# | Izsak et al. (2021) | 8 GPUs of 12 GB | 24 hours | competitive with BERT-base on GLUE |
# | Geiping and Goldstein (2022) | one consumer GPU | one day | close to BERT on GLUE |
# | Portes et al. (2023) | 8 A100 | 1.13 hours, about $20 | MosaicBERT-base, 79.6 on GLUE's development sets |
#
# Chips got faster, and training takes less work: short sequences, more masked tokens, no NSP, less padding, 16-bit
# numbers.

# %% [markdown]
# ## 11 · The same on a GPU, and on eight
#
# In a terminal, pretraining is one command. With eight GPUs there are eight processes: each takes an eighth of the
# batch, and the eight gradients are added.
#
# <details><summary><b>The commands</b></summary>
#
# ```
# minibert pretrain --out mybert --steps 3000
# torchrun --nproc-per-node 8 -m minibert pretrain --out mybert \
#     --corpus books/*.txt --vocab-size 30000 --preset base --steps 100000
# ```
#
# The first uses a GPU if there is one, the second starts eight processes. Repeated, either command resumes its run.
# </details>
#
# <details><summary><b>How fast is one H100?</b></summary>
#
# On one NVIDIA H100, with `--compile`, BERT-base reads 566,000 tokens a second in sequences of 128 tokens, and 515,000 in
# sequences of 512 (`benchmarks/results/gpu.md` in the repository). The paper's million steps, nine tenths of them on the short
# sequences, would take that card 22 hours. We have not tried eight at once.
#
# And a small BERT? A model of the same shape as our English encoder was trained there from scratch. After 68 million
# tokens of books, Wikipedia and web pages, which took 3 minutes, it predicted 37.8% of the masked tokens in held-out
# books. The encoder that you load in these lessons started from published weights and read another 160 million tokens:
# 44.5% (`benchmarks/results/english.json`, *as BERT counts*).
# </details>

# %% [markdown]
# Some of the eight parts have more masked tokens than others. Is the sum still the gradient of the whole batch?

# %%
def gradient(*parts):
    model.zero_grad()
    for part in parts:
        loss, _ = loss_of_batch(objective, model, batch, np.random.default_rng(1), part)
        loss.backward()
    return torch.cat([p.grad.flatten() for p in model.parameters()])

whole, eighths = gradient(slice(0, 32)), gradient(*(slice(i, i + 4) for i in range(0, 32, 4)))
assert (whole - eighths).norm() < 1e-4 * whole.norm()
print(f"length of the gradient: {whole.norm():.3f}; of its difference from the sum: {(whole - eighths).norm():.1e}")

# %% [markdown]
# It is, up to rounding, because each part divides by the number of masked tokens in the **whole** batch. For a batch
# that does not fit into memory, `--accumulate 8` computes the parts one after the other.

# %% [markdown]
# ## 12 · In real English: a model reads on
#
# **Continued pretraining** takes a pretrained model and goes on with the same objective, on texts of the kind that you
# care about. Gururangan et al. (2020) did it for science, news and reviews. We train the English model of *Before
# and after* for about a minute on *Alice's Adventures in Wonderland* by Lewis Carroll (1865; in the public domain, and
# kept out of this course's own training). **Try** a text file of your own, ten pages or more. The model reads the
# first four fifths; the test is on the pages that follow.

# %%
from minibert.course.texts.books import ALICE
from minibert.readers.plain_text import read_documents

BOOK = ALICE                            # or a file of your own: BOOK = "my_book.txt"
stretches = encode_documents(read_documents(BOOK), english.tokenizer)
cut = 4 * len(stretches) // 5
book_start, book_end = stretches[:cut], stretches[cut:][:50]
print(f"{sum(len(ids) for part in book_start for ids in part):,} tokens to train on, "
      f"{sum(len(ids) for part in book_end for ids in part):,} at the end to test on")

# %% [markdown]
# A second test, for comparison: forty passages of other English, written for this course.

# %%
from minibert.course.texts.passages import passages
from minibert.training.pretraining import evaluate_pretraining

TESTS = {"end of the book": book_end,
         "other English": encode_documents([passage.sentences for passage in passages()], english.tokenizer)}

def measured(one):
    """(percent right, perplexity) for each test, on the same masked tokens each time."""
    scores = {name: evaluate_pretraining(one, english.tokenizer, docs, max_length=128) for name, docs in TESTS.items()}
    return {name: (found["mlm"], np.exp(found["mlm_loss"])) for name, found in scores.items()}

before = measured(english.model)
for name, (right, perplexity) in before.items():
    print(f"{name}: accuracy {right:.1f}%, perplexity {perplexity:.1f}")

# %% [markdown]
# Now the minute of training. Its learning rate is smaller than in section 2, since large steps would spoil weights that
# are already good; we chose it on earlier pages, never on the end.

# %%
import copy

reading_on = copy.deepcopy(english.model)                   # `english` stays as it is
reading = bert_objective(english.tokenizer, max_length=128)
reading_curve = LiveCurve("MLM loss", lambda log: float(np.mean([entry["mlm"] for entry in log[-10:]])), every=2)
one_minute = TrainConfig(steps=60, batch_size=16, peak_rate=1e-4)
minute_log = train(reading_on, reading, partial(reading.build, book_start), one_minute, progress=reading_curve,
                   precision=torch.float32)

# %% [markdown]
# Now we repeat the test, on the same masked tokens.

# %%
after = measured(reading_on)

# %% [markdown]
# Each perplexity may have decreased or increased. (Lower is better.)

# %% jupyter={"source_hidden": true}
def after_a_minute(before=before):
    return "".join(f"<p>{name}: perplexity {before[name][1]:.1f} before, {after[name][1]:.1f} after; "
                   f"accuracy {before[name][0]:.1f}% before, {after[name][0]:.1f}% after.</p>" for name in TESTS)

GuessBars("Call each perplexity before the training 100%. How high is it after the training?", list(TESTS),
          lambda: [100 * after[name][1] / before[name][1] for name in TESTS], top=200, within=6,
          axis="of the perplexity before", unit="%", see=after_a_minute)

# %% [markdown]
# A gain on the book is the purpose. If the perplexity of the other English has increased, that is the price: a model
# may lose what it knew of other texts, which is called **catastrophic forgetting** where it is severe.
#
# <details><summary><b>What makes a model forget?</b></summary>
#
# Forgetting grows with the steps and the learning rate; mixing in other texts helps. And this is one run: with `seed=1`
# in `TrainConfig` you see how much is luck.
# </details>

# %% [markdown]
# Compare both models on a sentence in the book's style that is not in it: the first of our three that the second model
# gets right, if any. Then **try** one of a newspaper, such as *The [MASK] of the company resigned.*

# %%
STYLE = {"‘That is a strange thing to say,’ said [MASK].": "alice", "‘Where is my hat?’ said the [MASK].": "hatter",
         "The Mock [MASK] began to laugh.": "turtle"}
book = " ".join(" ".join(part) for part in read_documents(BOOK)).lower()
assert not any(text.replace("[MASK]", word).lower() in book for text, word in STYLE.items())
learned = [text for text, word in STYLE.items()
           if fill_masks(reading_on, english.tokenizer, text)[0][0][0] == word]
minute = {"Before": english, "After the minute": Pretrained(reading_on, english.tokenizer)}
Controls(lambda text: compared(text, minute), text=sentence_box([*learned, *STYLE][0]))

# %% [markdown]
# <details><summary><b>Why test on the end, and not on all of the book?</b></summary>
#
# A model that has read a page several times may know it by heart. Only pages that it has not read show whether it has
# learned the book's style and characters.
# </details>

# %% [markdown]
# ## Check yourself
#
# Run the folded cell and choose.

# %% jupyter={"source_hidden": true}
Quiz([
    QuizQuestion("A loss decreases quickly to the baseline of frequencies, and stays there. What is the most likely cause?", [
        Choice("The learning rate was too large", True, "Right: with too large steps it learns the frequencies, and hardly more."),
        Choice("The learning rate was too small", False, "Then it would decrease slowly, and go on decreasing."),
        Choice("The batch was too small", False, "That makes a curve noisy; it does not stop the learning."),
    ]),
    QuizQuestion("What happens if a step forgets to clear the gradients?", [
        Choice("Nothing, they are overwritten", False, "PyTorch adds to what is there."),
        Choice("Each step also moves along all earlier gradients", True, "Right: they add up."),
        Choice("An error", False, "It runs, and that is the trap."),
    ]),
    QuizQuestion("Why does BERT train on sequences of 128 tokens in the first 90% of its steps?", [
        Choice("Most sentences are shorter than 128 tokens", False, "A segment has many sentences; they would fill 512 tokens, too."),
        Choice("Such a step costs much less", True, "Right: a quarter of the tokens. The rest trains the late positions."),
        Choice("Attention cannot see further at first", False, "It sees the whole sequence."),
    ]),
    QuizQuestion("On equally many tokens, a batch four times as large ended with a higher loss in our runs. What is a large batch good for?", [
        Choice("A lower loss for the same text", False, "Not at the same learning rate: there are fewer steps."),
        Choice("Speed, when many chips share a step", True, "Right; with a higher learning rate little or nothing is lost: see RoBERTa's table."),
        Choice("Less memory", False, "More: all sequences of a batch are held at once."),
    ]),
    QuizQuestion("Your model predicts few of the words that nothing determines. Would longer training help much?", [
        Choice("Yes, the best model would predict them all", False, "Even the best reader cannot know them."),
        Choice("No, even the best reader predicts few", True, "Right. That is why we compare with the best reachable."),
        Choice("Yes, but with a larger vocabulary", False, "Nothing in the text says which word it is, whatever the tokens."),
    ]),
    QuizQuestion("What must a checkpoint hold besides the weights?", [
        Choice("The optimiser's state and the place in the data", True, "Right, and the step, which gives the learning rate."),
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
# - **A step**: set the learning rate, clear the gradient, compute the loss and its gradient, clip, move.
# - **AdamW** divides a running mean of the gradients by their usual size. Its first moves are the longest: warm up.
# - **The learning rate**: too small, and the loss decreases slowly; too large, and it stays near the baseline or above.
# - **The batch**: on equally many tokens, smaller ones make more steps; larger ones keep more chips busy, and allow a
#   higher learning rate.
# - **Sequences**: similar lengths together; short ones first, then long ones for the late positions.
# - **What is learned**: frequencies and grammar first; last, what only another sentence determines. Compare with the best
#   reachable.
# - **A checkpoint** holds weights, optimiser state, step and place in the data.
# - **The cost** is about 6 operations for each weight and token.
# - **Continued pretraining**: a small learning rate; test what is gained and what is forgotten.
#
# ## Read on
#
# | paper | there |
# |---|---|
# | Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805) | section 3.1 (data), 5.2 and table 6 (sizes), appendix A.2 (the run), C.1 (number of steps) |
# | Kingma and Ba (2015), *Adam*, [arXiv 1412.6980](https://arxiv.org/abs/1412.6980); Loshchilov and Hutter (2019), *Decoupled Weight Decay Regularization*, [arXiv 1711.05101](https://arxiv.org/abs/1711.05101) | the optimiser |
# | Liu, Jiang et al. (2020), *On the Variance of the Adaptive Learning Rate and Beyond*, [arXiv 1908.03265](https://arxiv.org/abs/1908.03265); Xiong et al. (2020), *On Layer Normalization in the Transformer Architecture*, [arXiv 2002.04745](https://arxiv.org/abs/2002.04745) | section 3 of each: why warm-up |
# | Smith (2018), *A disciplined approach to neural network hyper-parameters*, [arXiv 1803.09820](https://arxiv.org/abs/1803.09820) | section 4 (OneCycle) |
# | Liu, Ott et al. (2019), *RoBERTa*, [arXiv 1907.11692](https://arxiv.org/abs/1907.11692) | sections 4.2 (forms of a sequence), 4.3 (batches) |
# | Gong et al. (2019), *Efficient Training of BERT by Progressively Stacking*, [ICML](https://proceedings.mlr.press/v97/gong19a.html) | algorithm 1 (layers are copied) |
# | Liu, Su et al. (2025), *Muon is Scalable for LLM Training*, [arXiv 2502.16982](https://arxiv.org/abs/2502.16982) | section 2 (the Muon of Jordan et al., 2024) |
# | Clark et al. (2019), *What Does BERT Look At?*, [arXiv 1906.04341](https://arxiv.org/abs/1906.04341) | section 3.1 (heads that look at a neighbour) |
# | Kaplan et al. (2020), *Scaling Laws for Neural Language Models*, [arXiv 2001.08361](https://arxiv.org/abs/2001.08361) | section 2.1 (6 operations) |
# | Gururangan et al. (2020), *Don't Stop Pretraining*, [arXiv 2004.10964](https://arxiv.org/abs/2004.10964) | sections 3 and 4 (reading on in the domain, and in the task's own texts) |
# | You et al. (2020), [arXiv 1904.00962](https://arxiv.org/abs/1904.00962); Izsak et al. (2021), [arXiv 2104.07705](https://arxiv.org/abs/2104.07705); Geiping and Goldstein (2022), [arXiv 2212.14034](https://arxiv.org/abs/2212.14034); Portes et al. (2023), [arXiv 2312.17482](https://arxiv.org/abs/2312.17482) | fast and inexpensive pretraining |
#
# **Next**: [the exercise](../exercises/05_pretraining/05_pretraining.ipynb). Then lesson 6 puts a pretrained model to
# use.
