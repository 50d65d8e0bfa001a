# %% [markdown]
# # 5 · Pretraining: from random weights to BERT
#
# You have the model (lesson 2), its input (lesson 3) and its training objectives (lesson 4). The training itself is one
# page of code. BERT's took four days on sixteen chips. Yours takes about 80 seconds on two free cores, and you can
# watch.
#
# **After this lesson you can**
#
# - write a training step and a learning rate schedule, and say what each line is for,
# - tell from a loss curve that the learning rate is too large or too small,
# - say which kinds of words a pretrained model can predict, compared with the best possible,
# - interrupt a run and resume it exactly,
# - work out what BERT cost, and what it would cost now,
# - train an English model further on a book of your choice, and measure what it gains and forgets.
#
# **You need** lessons 1 to 4, and the idea of a gradient.
# **Time:** about 85 minutes with guessing and playing; the code alone runs in 220 seconds on two cores.
#
# Run the cells in order with Shift + Enter. Where a question waits for your guess, give one. Those that begin with
# **Your guess** are counted, and at the end you see how many came close.

# %% jupyter={"source_hidden": true}
from minibert.viz.here import here

here(5)

# %% [markdown]
# ## Before and after
#
# Here are two networks of the same architecture. The first has random weights; the second was pretrained. Which tokens
# does each predict for the gap? The first sentence is one in which training shows well. **Try** your own. This lesson
# shows how training leads from the upper bars to the lower ones.

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
    """The likeliest tokens of each model for the gap, as HTML; models: {name: model}."""
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
    Question("A sequence has 100 tokens, and 15 of them are predicted. Over how many does the MLM loss average?", [
        Choice("15", True, "Right. The other labels are −100 and do not count."),
        Choice("100", False, "The loss would be diluted by tokens that the model can simply copy."),
        Choice("12", False, "Those are the [MASK] tokens; random and unchanged ones are predicted too."),
    ]),
    Question("What is the MLM loss of a model that knows nothing, with a vocabulary of V tokens?", [
        Choice("1 / V", False, "That is the probability it gives to the right token."),
        Choice("ln V", True, "Right: minus the logarithm of 1 / V."),
        Choice("0", False, "A loss of 0 means that the model is certain and right."),
    ]),
    Question("Where does the wrong second segment of an NSP pair come from?", [
        Choice("From the same document, further on", False, "Then the segment would often fit, and the label would say it does not."),
        Choice("From another document", True, "Right, which is why the topic alone gives most answers away."),
        Choice("It is the first segment's text, shuffled", False, "ALBERT asks about order, but it swaps whole segments."),
    ]),
])

# %% [markdown]
# ## 1 · A text, and a small BERT
#
# Our text is the generated language of lesson 1: short biographies (*lives*), news, dialogues and reviews. The first
# runs should take seconds, so they use the lives only.

# %%
from minibert.class_model import WORLD_SEED
from minibert.corpora.world import World

world = World(WORLD_SEED)
documents = list(world.documents(6000, seed=1, split="pretrain"))
lives = [document.sentences for document in documents if document.kind == "life"]
print(f"{len(documents):,} documents, {len(lives):,} of them lives. One begins: {' '.join(lives[0][:3])}")

# %% [markdown]
# We learn a WordPiece vocabulary of 4,000 tokens, turn the text into ids, and choose the objective, MLM and NSP, all as
# in lessons 3 and 4.

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
# We mask 30% of the tokens, twice as many as BERT: in a run of seconds each sequence should teach as much as it can.
#
# Now a model with two layers and a hidden size of 64, and one **batch**: the 32 sequences of one training step. A
# sequence is a row of the batch, so we count a batch's size in rows.

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
# The model has random weights. We compute its loss on this batch.

# %%
loss, parts = objective.step(model, batch, np.random.default_rng(1))
first_loss = loss.item()

# %% [markdown]
# For MLM it chooses among 4,000 tokens, for NSP between two answers. (ln 1000 is about 6.9, ln 2 about 0.7.)

# %% jupyter={"source_hidden": true}
from minibert.viz.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

def two_parts(parts=parts):
    told = ", ".join(f"{name} {value:.2f}" for name, value in parts.items())
    return (f"<p>Its parts: {told}. A model that gives all answers the same probability has ln 2 = {np.log(2):.2f} and "
            f"ln 4000 = {np.log(4000):.2f}.</p>")

GuessNumber("How large is its loss, the sum of both parts?", lambda: first_loss, within=0.4, form="{:.1f}",
            see=two_parts)

# %% [markdown]
# ## 2 · One step
#
# The **gradient** says for each weight how the loss changes when this weight changes. A training step moves every
# weight a little in the direction that decreases the loss.
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
# Now the step. The **optimiser**, here AdamW, turns the gradient into changes of the weights; `lr` is the learning rate
# (section 3). **Clipping** shortens a gradient that is too long. At the end the gradient is cleared, because PyTorch
# would add the next one to it.

# %%
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
loss.backward()                                                         # compute the gradient
length = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)        # clip it to length 1
optimizer.step()                                                        # move the weights
optimizer.zero_grad()                                                   # clear the gradient
print(f"length of the gradient: {length:.2f}; after clipping: {min(length, 1):.2f}")

# %% [markdown]
# Then we compute the loss of both batches again, with the same tokens masked as before.

# %% jupyter={"source_hidden": true}
after_step = two_losses()

FALLEN = {(True, False): "only the one of the step", (False, True): "only the other one", (True, True): "both",
          (False, False): "neither"}

def one_step():
    told = [f"{name} {old:.2f} before the step, {new:.2f} after it"
            for name, old, new in zip(("the batch of the step", "the other batch"), before_step, after_step)]
    return (f"<p>Loss of {'; of '.join(told)}. What one step learns (mostly which tokens are frequent) helps "
            "with every batch.</p>")

GuessChoice("Which of the two batches has a lower loss after the step?", list(FALLEN.values()),
            lambda: FALLEN[tuple(new < old for old, new in zip(before_step, after_step))], see=one_step)

# %% [markdown]
# Training repeats this step. You write the loop yourself in the exercise; this is the package's:

# %%
import inspect
from minibert.training import train

print(inspect.getsource(train))

# %% [markdown]
# Each step sets the learning rate, takes a batch, computes loss and gradient, clips, moves the weights, writes the log
# and saves. A batch that is too large for memory is computed in `parts`. A loss that is not a number stops the run
# before it spoils the weights. The `with` line handles everything around the loop: resuming after a crash, several
# processes, Ctrl-C and the progress bar (`minibert/training/run.py`).
#
# We wrap `train` in a short function that makes a new model, trains it, and returns it with its log:

# %%
from functools import partial
from minibert.training import TrainConfig, start_from_sinusoids
from minibert.viz.training import LiveCurve

STEPS, PEAK = 500, 3e-3

def quick_run(curve, steps=STEPS, batch_size=16, peak_rate=PEAK, seed=0, **settings):
    model = new_model(SMALL, objective, seed)
    start_from_sinusoids(model.encoder)         # position embeddings begin as sine waves: neighbours are found sooner
    config = TrainConfig(steps=steps, batch_size=batch_size, peak_rate=peak_rate, seed=seed, **settings)
    log = train(model, objective, partial(objective.build, small_text), config, progress=curve, precision=torch.float32)
    return model, log

# %% [markdown]
# We need a **baseline**: the loss of a reader who ignores the context and knows only how frequent each token is.

# %%
_, targets = objective.corrupt(objective.collate(rows, labels), np.random.default_rng(0))
shares = np.bincount(targets["tokens"][targets["tokens"] >= 0])
shares = shares[shares > 0] / shares.sum()
no_reading = float(-(shares * np.log(shares)).sum())
print(f"loss of a reader who knows frequencies only: {no_reading:.2f}; who knows nothing: {np.log(4000):.2f}")

# %% [markdown]
# The loss of a single batch is noisy, so we plot means over 40 steps. The folded cell prepares the plot.

# %% jupyter={"source_hidden": true}
def new_curve(**options):
    return LiveCurve("MLM loss", lambda log: float(np.mean([entry["mlm"] for entry in log[-40:]])), every=20,
                     lines={"knows frequencies only": no_reading}, **options)

# %% [markdown]
# **Guess first.** The run has 500 steps of 16 rows, and the MLM loss starts at about 8.3. After how many steps does it
# reach the baseline? Then run the cell, and watch.

# %%
curve = new_curve()
model, log = quick_run(curve)

# %% [markdown]
# To reach the baseline, the model only has to learn which tokens are frequent. To get below it, it must use the
# context. Does it? A model that ignored the context would predict the same tokens for both of these sentences:

# %%
from minibert.class_model import fill_masks

for text in ("Nomi was [MASK] in the town.", "She works as a [MASK]."):
    print(text, "  ", ", ".join(f"{word} {p:.0%}" for word, p in fill_masks(model, pieces, text, top=4)[0]))

# %% [markdown]
# The probabilities are still low: this model has hardly begun. The one of section 6 gets further.
#
# <details><summary><b>Why clip a long gradient?</b></summary>
#
# A gradient is an estimate from one batch, good for a small step. An unusual batch can make it far longer than usual,
# and one such step can undo much training. Clipping keeps the direction. BERT's code clips to length 1
# (`optimization.py`).
# </details>
#
# <details><summary><b>Why not the gradient of the whole text?</b></summary>
#
# It would be exact, but the model would have moved only once. A batch gives a rough direction for a small part of the
# cost, and hundreds of rough steps go further than one exact step.
# </details>

# %% [markdown]
# ## 3 · How large a step: the learning rate
#
# The **learning rate** says how far a step moves the weights. Adam divides each gradient by its usual size, so each
# weight moves by about the learning rate, whether its gradient is large or small. BERT's learning rate goes up in a
# straight line (the **warm-up**) to its **peak**, then down to 0 (the **decay**):

# %%
from minibert.reference import learning_rate

print(inspect.getsource(learning_rate))

# %% [markdown]
# BERT trained for 1,000,000 steps with a warm-up of 10,000 and a peak of 1e-4 (Devlin et al., appendix A.2). The
# learning rate is at half its peak twice, on the way up and on the way down:

# %%
for step in (4_999, 9_999, 505_000):
    print(f"step {step:7,}: {learning_rate(step, 1_000_000, 1e-4, 10_000):.1e}")

# %% [markdown]
# **Try** other schedules and numbers. What does a warm-up of half the steps look like?

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
    title = f"{schedule}: peak {max(rates):.2g} near step {at[np.argmax(rates)]:,}; {rates[-1]:.1g} in the last step"
    return curves(at / 1000, {"learning rate": {"rate": rates}}, "step, in thousands", title, markers=False)

Explorer(draw_rates, schedule=widgets.Dropdown(options=list(SCHEDULES), description="Schedule"),
         steps=widgets.BoundedIntText(1_000_000, min=2, max=10_000_000, description="Steps"),
         warmup=widgets.BoundedIntText(10_000, min=1, max=1_000_000, description="Warm-up"),
         peak=widgets.BoundedFloatText(1e-4, min=1e-7, max=1, description="Peak"))

# %% [markdown]
# The paper and the authors' code differ a little: in the code the decay counts from the start of the run, so the
# learning rate drops by 1% when the warm-up ends. **OneCycle** (Smith, 2018) is a similar idea, usually with a longer
# warm-up. Smith's schedule has straight sides; the smooth ones drawn here are PyTorch's.

# %% [markdown]
# ### Too large, too small
#
# The run above had a peak of 0.003. The folded cell trains two more, with peaks of 0.0001 (a thirtieth) and 0.03 (ten
# times as much). Meanwhile, think about which of the two ends worse. Their curves come with the answer.

# %% jupyter={"source_hidden": true}
rates = new_curve()
rates.show = lambda: None           # the curves wait for the guess
rates.curves["peak 0.003"] = curve.curves["MLM loss"]
for peak in (1e-4, 3e-2):
    rates.line(f"peak {peak:g}")
    last, _ = quick_run(rates, peak_rate=peak)
    print(f"peak {peak:g}: trained")

# %% [markdown]
# Both runs are done. Which was worse?

# %% jupyter={"source_hidden": true}
from minibert.viz.explorer import figure_html

def three_rates(model=last):
    sentences = "Nomi was [MASK] in the town.", "She works as a [MASK]."
    tops = {sentence: fill_masks(model, pieces, sentence, top=4)[0] for sentence in sentences}
    asked = "".join(f"<p>{sentence} &nbsp; {', '.join(f'{word} {p:.0%}' for word, p in top)}</p>"
                    for sentence, top in tops.items())
    same = len({top[0][0] for top in tops.values()}) == 1
    small, large = (rates.curves[f"peak {peak}"][-1][1] for peak in ("0.0001", "0.03"))
    stays = (" It stays at the baseline: it has learned how frequent each token is, and nothing else. Its large steps "
             "have moved the weights to where all tokens look alike to the last layer, and it does not recover.")
    return (f"{figure_html(*rates.draw())}<p>With the small learning rate the loss decreases smoothly but slowly, and "
            f"ends at {small:.2f}. With the large one it ends at {large:.2f}."
            f"{stays if abs(large - no_reading) < 0.3 else ''} For two different sentences, that model's first "
            f"prediction is {'the same' if same else 'not the same'}:</p>{asked}")

GuessChoice("Which peak ends with the higher loss?", ["0.0001", "0.03"],
            lambda: max(("0.0001", "0.03"), key=lambda peak: rates.curves[f"peak {peak}"][-1][1]), see=three_rates)

# %% [markdown]
# ### Without warm-up
# The first gradients come from random weights, and Adam has seen only a few batches when it estimates their usual size.
# Large steps can do damage then. Our first run spent a tenth of its steps, 50, on the warm-up. What if it starts at the
# peak of 0.003 instead? **Guess first**: which of the two runs has the lower loss at the end?

# %%
warm = new_curve()
warm.curves["with warm-up"] = curve.curves["MLM loss"]
warm.line("without warm-up")
_ = quick_run(warm, warmup=0.0)

# %% [markdown]
# Without warm-up the loss decreases faster at first, because the first steps are larger. Now compare the ends.
#
# <details><summary><b>Why does a deep model need warm-up more?</b></summary>
#
# With LayerNorm after each residual connection, as in BERT, the gradients near the output are large at the start, and
# they get smaller towards the lower layers (Xiong et al., 2020, section 3). So the more layers there are, the less one
# learning rate suits them all. In our two layers it makes little difference. With twelve or twenty-four layers, a run
# without warm-up may not learn at all. Models with LayerNorm before each sublayer can do without warm-up.
# </details>

# %% [markdown]
# ## 4 · How many rows a step: the batch
#
# BERT's batch has 256 rows. RoBERTa's authors tried larger batches with fewer steps and a higher learning rate, on the
# same number of tokens (Liu et al., 2019, section 4.3). **Perplexity** is e to the power of the MLM loss; 4 means as
# unsure as when choosing among four equally likely tokens. MNLI-m and SST-2 are tasks of lesson 6, in percent right.
#
# | rows in a batch | steps | peak learning rate | perplexity | MNLI-m | SST-2 |
# |---|---|---|---|---|---|
# | 256 | 1,000,000 | 1e-4 | 3.99 | 84.7 | 92.7 |
# | 2,000 | 125,000 | 7e-4 | 3.68 | 85.2 | 92.9 |
# | 8,000 | 31,000 | 1e-3 | 3.77 | 84.6 | 92.8 |
#
# We keep the number of tokens **and the learning rate**, and compare our batch of 16 rows with 8 rows in twice as many
# steps and 64 rows in a quarter of the steps. The folded cell trains both. Again the curves come with the answer.

# %% jupyter={"source_hidden": true}
read = np.cumsum([entry["tokens"] for entry in log])
batches, logs = new_curve(over="tokens"), {16: log}
batches.show = lambda: None         # the curves wait for the guess
batches.curves[f"16 rows, {STEPS} steps"] = [(int(read[step - 1]), value) for step, value in curve.curves["MLM loss"]]
for rows_a_step, steps in ((8, 2 * STEPS), (64, STEPS // 4)):
    batches.line(f"{rows_a_step} rows, {steps} steps")
    _, logs[rows_a_step] = quick_run(batches, steps=steps, batch_size=rows_a_step)
    print(f"{rows_a_step} rows: trained")

# %% [markdown]
# All three runs have read the same number of tokens.

# %% jupyter={"source_hidden": true}
def lowest():
    return min(batches.curves, key=lambda name: batches.curves[name][-1][1])

def three_batches():
    speeds = {rows: sum(entry["tokens"] for entry in entries) / sum(entry["seconds"] for entry in entries)
              for rows, entries in sorted(logs.items())}
    told = " It makes the most steps." if lowest().startswith("8 ") else ""
    fast = ", ".join(f"{speed:,.0f} with {rows} rows" for rows, speed in speeds.items())
    return (f"{figure_html(*batches.draw())}<p>From the same text and at the same learning rate, the run of {lowest()} "
            f"learns most.{told} Tokens a second on this machine: {fast}.</p>")

GuessChoice("Which of the three runs ends with the lowest loss?",
            sorted(batches.curves, key=lambda name: int(name.split()[0])), lowest, see=three_batches)

# %% [markdown]
# BERT's and RoBERTa's batches are large for two reasons. Large matrix products keep a processor busier, and 16 chips
# can share 256 rows but not 8. The gradient of a large batch is also less noisy, so the learning rate can be higher: in
# the table above, 2,000 and 8,000 rows reach a lower perplexity than 256, in fewer steps.

# %% [markdown]
# ## 5 · What a batch is made of
#
# All rows of a batch are as long as its longest sequence. Shorter ones are filled with [PAD], whose computation is
# wasted. So the loop puts sequences of similar length together, but keeps some randomness: it shuffles them, takes a
# **pool** of 50 batches' worth, sorts the pool by length, cuts it into batches, and shuffles the batches.
#
# Documents of the generated language differ in length. How much of what the model computes is padding? We count it for
# pools of 1 batch (documents in random order) to 100 batches.

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
# First the pool of one batch, which puts no similar lengths together.

# %% jupyter={"source_hidden": true}
def padding_by_pool():
    return curves(POOLS, {"padding, % of what is computed": {"batches of 32": wasted}}, "pool, in batches",
                  f"A pool of 50 batches brings the padding from {wasted[0]:.0f}% to {wasted[5]:.1f}%", logx=True,
                  at_least={"padding, % of what is computed": (0, 1)})

GuessNumber("32 documents at random make a batch. What percentage of the tokens that are computed is padding?",
            lambda: wasted[0], within=8, form="{:.0f}%", see=padding_by_pool)

# %% [markdown]
# ### Length 128, then 512
#
# Attention compares each token with every other, so its cost grows with the **square** of the length. Take a sequence
# of T tokens and a hidden size of D. For each token, a layer computes 12 D² multiplications with its weight matrices.
# The attention between tokens adds 2 T D: T D for the scores, and T D for the weighted sum of the values.
#
# So this is attention's share of a layer's multiplications:

# %%
def comparing(T, D=768):            # BERT-base's hidden size
    return 2 * T * D / (12 * D * D + 2 * T * D)

# %% [markdown]
# How much is it at BERT's two lengths?

# %% jupyter={"source_hidden": true}
def four_lengths():
    told = ", ".join(f"{comparing(T):.1%} in rows of {T:,}" for T in (32, 128, 512, 2048))
    return f"<p>{told}. The weight matrices take the larger part until a sequence has {6 * 768:,} tokens.</p>"

GuessBars("What percentage of BERT-base's multiplications is attention between tokens?", ["rows of 128 tokens", "rows of 512 tokens"],
          lambda: [100 * comparing(128), 100 * comparing(512)], top=60, within=4, axis="of all multiplications",
          unit="%", see=four_lengths)

# %% [markdown]
# Long sequences also need more memory, and 256 rows of 512 tokens are four times as much text as 256 rows of 128. So
# BERT trains 90% of its steps on sequences of 128 tokens and the last 10% on 512 (Devlin et al., appendix A.2). Much of
# what a model learns about a token comes from its neighbours, which short sequences contain as well. But **positions
# 129 to 512 have embeddings of their own**, which learn nothing until long sequences come.

# %%
from minibert.training import two_lengths

for phase in two_lengths(TrainConfig(steps=1_000_000, batch_size=256)):
    config = phase.config
    print(f"{config.steps:,} steps from step {config.first_step:,} on, sequences of {phase.max_length} tokens")

# %% [markdown]
# <details><summary><b>Why does one learning rate schedule cover both phases?</b></summary>
#
# The second phase begins with the weights that the first one learned. A second warm-up to the peak would undo much of
# that. So `first_step` tells the schedule how far the run has come.
# </details>

# %% [markdown]
# ### Sentence pairs or a stream of text?
#
# BERT's sequences have two segments, because NSP needs two. Without NSP, a sequence can simply be full of text.
# RoBERTa's authors compared four forms (Liu et al., 2019, section 4.2):
#
# - **segment pair**: two segments of several sentences each, as in BERT,
# - **sentence pair**: two single sentences,
# - **full sentences**: as many sentences as fit, across the ends of documents,
# - **one document**: the same, but each sequence ends where its document ends.
#
# How full are they on our text?

# %%
from minibert.batch import row_size
from minibert.reference import nsp_examples
from minibert.reference.formats import doc_sentences, full_sentences, sentence_pairs

rng, length, text = np.random.default_rng(0), 128, encode_documents(texts, pieces)
FORMS = {"segment pair": nsp_examples(text, length, rng), "sentence pair": sentence_pairs(text, length, rng),
         "full sentences": full_sentences(text, length, pieces.specials.sep), "one document": doc_sentences(text, length)}
for form, (rows, _) in FORMS.items():
    print(f"{form:15s} {len(rows):6,} sequences, on average {np.mean([row_size(row) for row in rows]):5.1f} of {length} tokens")

# %% [markdown]
# And which form makes the better model? RoBERTa's authors pretrained a BERT-base with each (table 2). RACE asks
# questions from school exams about a text; the other three are tasks of the next lessons.
#
# | form of a sequence | SQuAD 2.0 (F1) | MNLI-m | SST-2 | RACE |
# |---|---|---|---|---|
# | segment pair, with NSP | 78.7 | 84.0 | 92.9 | 64.2 |
# | sentence pair, with NSP | 76.2 | 82.9 | 92.1 | 63.0 |
# | full sentences | 79.1 | 84.7 | 92.5 | 64.8 |
# | one document | 79.7 | 84.7 | 92.7 | 65.6 |
#
# Sentence pairs are worst: a model that reads only two sentences at a time does not learn to use distant context. The
# differences between the other forms are small. One document is best, or equal to the best, in three of the four tasks.
# But its sequences differ in length, so RoBERTa took full sentences.

# %% [markdown]
# ## 6 · Eighty seconds of pretraining
#
# Now we take the whole language, and a model with three layers and twice the hidden size. A program wrote the text by
# known rules, so for each masked token we can compute **exactly** how likely each answer is. No model can do better
# than this **best reader**. We measure on 110 documents that are not used for training.

# %%
from minibert.corpora.world.posterior.reader import Reader
from minibert.corpora.world.posterior.reachable import best_answers, frequency_answers, hidden_rows, scored

tests = list(hidden_rows(world.pages(110, 1001, "pretrain"), pieces.encode, pieces.specials, 112, np.random.default_rng(0)))
print(f"{len(tests)} documents, {sum(row.hidden.sum() for row in tests):,} masked tokens")

# %% [markdown]
# We compute the accuracy of the best reader, and of a baseline that always predicts the most frequent token.

# %%
reader = Reader(world, lambda sentence: pieces.encode(sentence).ids, pieces.specials, "pretrain")
best = scored(tests, best_answers(reader))
counts = np.bincount(np.concatenate([ids for t in text for ids in t]), minlength=len(pieces))
frequent = scored(tests, frequency_answers(counts))
print(f"best reachable {best['all'].accuracy:.1%}, most frequent token {frequent['all'].accuracy:.1%}")

# %% [markdown]
# Even the best reader is not always right: some tokens cannot be known from the text.
#
# Our plan uses what sections 3 to 5 have shown, and two things that BERT did not have. It begins with one layer and
# adds the others later, since steps with few layers are fast (Gong et al., 2019). And its optimiser is **Muon**, with
# which a small model needs fewer steps than with Adam.

# %%
from minibert.training import growing_phases

plan = TrainConfig(steps=850, batch_size=24, peak_rate=3e-3, optimizer="muon")
phases = growing_phases(plan, max_length=112, layers=3)
for phase in phases:
    print(f"{phase.config.steps} steps, {phase.config.batch_size} rows of {phase.max_length} tokens, layers: {phase.layers}")

# %% [markdown]
# The folded cell makes the model, with one layer to begin with, and the plot.

# %% jupyter={"source_hidden": true}
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
lines = {"best reachable": 100 * best["all"].accuracy, "most frequent token": 100 * frequent["all"].accuracy}
live = LiveCurve("accuracy in %", accuracy, every=85, lines=lines, limits=(0, 100))

# %% [markdown]
# **Guess first.** How far does the accuracy come, between the baseline and the best: a third of the way, half, nearly
# all? Then run the cell (about eighty seconds on two free cores), and watch. Does the curve rise evenly?

# %%
run_log = []
for phase in phases:
    add_layers(bert.encoder, phase.layers, seed=phase.layers)
    task = bert_objective(pieces, phase.max_length, rate=0.3)
    run_log += train(bert, task, partial(task.build, text), phase.config, progress=live)

# %% [markdown]
# ## 7 · What does it know?
#
# A single accuracy does not say which words the model knows. The program that wrote the documents knows why it chose
# each word, so we can measure by kind:
#
# | what tells the word | example |
# |---|---|
# | its own sentence (grammar) | *She works **as** a baker.* |
# | an earlier sentence, a later one, or either of them | the baker's name, told once and used again |
# | knowledge of the world | *The baker cleans the **oven**.* No other sentence says oven, but bakers have ovens |
# | nothing | a house number that is told only once |
#
# We measure your model on the documents of section 6.

# %%
model_scores = scored(tests, model_answers(bert.eval(), pieces.specials))
KINDS = {"syntax": "its own sentence", "left": "an earlier sentence", "right": "a later sentence",
         "both": "an earlier or a later one", "world": "knowledge of the world", "nothing": "nothing can tell"}

# %% [markdown]
# Which kinds has it learned, and which has it hardly begun to learn?

# %% jupyter={"source_hidden": true}
from minibert.viz.pretraining import accuracy_ranges

def six_kinds():
    floor, reached, top = ([100 * scores[kind].accuracy for kind in KINDS] for scores in (frequent, model_scores, best))
    names = [f"{meaning} ({best[kind].count / best['all'].count:.0%})" for kind, meaning in KINDS.items()]
    title = (f"Grammar: {reached[0]:.0f}% (best: {top[0]:.0f}%). Told only by another sentence: "
             f"{100 * model_scores['elsewhere'].accuracy:.0f}% (best: {100 * best['elsewhere'].accuracy:.0f}%)")
    drawn = figure_html(*accuracy_ranges(names, floor, reached, top, title, "most frequent token"))
    return (f"{drawn}<p>(In brackets: the share of the words that are of this kind.) The model learns the "
            f"<b>grammar</b> first, then, word by word, what goes together in the <b>world</b>: {reached[4]:.0f}% so "
            "far. Words that only another sentence tells, such as a name, come last. To copy a name from forty tokens "
            "away, layers must work together: one finds the place, the next copies the word, and the first is of no "
            f"use before the second has learned its part. Where nothing can tell, the model predicts {reached[5]:.0f}% "
            f"right, and the best reader {top[5]:.0f}%.</p>")

GuessBars("What percentage of the words of each kind does your model predict right?", list(KINDS.values()),
          lambda: [100 * model_scores[kind].accuracy for kind in KINDS], top=100, within=15, axis="predicted right",
          unit="%", see=six_kinds)

# %% [markdown]
# Ask it yourself, beginning with grammar. Then **try** the other kinds, such as *The baker cleans the [MASK].* How sure
# is the model, and does its word fit?

# %% jupyter={"source_hidden": true}
def ask(text):
    guesses = fill_masks(bert, pieces, text)[0]
    return "<p>" + ", ".join(f"<b>{word}</b> {p:.0%}" for word, p in guesses) + "</p>"

Explorer(ask, text=widgets.Text("She works [MASK] a baker.", description="Text", continuous_update=False,
                                layout={"width": "520px"}))

# %% [markdown]
# Does it only need more steps? With three and a half times as many, grammar is mostly learned, but copying from another
# sentence has hardly begun (first line of the table): only one masked token in eight is of that kind.
#
# So `make tour` trains its model differently:
#
# - Once it knows some grammar, words that occur again in the text are **masked more often**
#   (`minibert.objectives.LookUpMLM`).
# - Each head of its first layer starts out attending to one neighbour (`minibert.training.start_from_neighbours`). BERT
#   has such heads too, learned in its long training (Clark et al., 2019, section 3.1).
# - The third layer joins only for the last quarter of the steps.
# - A step has 128 rows, and the weight decay is stronger.
#
# | accuracy, means of three runs | grammar | world | another sentence |
# |---|---|---|---|
# | 3,000 steps without these changes ([all numbers](../benchmarks/world_plain.md)) | 87% | 26% | 6% |
# | these changes, two to two and a half minutes ([all numbers](../benchmarks/two_minutes.md)) | 88% | 46% | 52% |
# | these changes, four minutes ([all numbers](../benchmarks/world.md)) | 92% | 68% | 58% |
#
# <details><summary><b>Why is the best at “an earlier sentence” below 100%?</b></summary>
#
# The earlier word may be masked too, as 15% of all tokens are. Then nobody can know.
# </details>
#
# <details><summary><b>Is a word that nothing can tell worth masking?</b></summary>
#
# Hardly: the model cannot learn to predict it. But in real text nobody knows beforehand which words these are.
# </details>

# %% [markdown]
# Now look inside your model. Open a layer, then a head. Which heads attend from [MASK] to its neighbours *works* and
# *a*?

# %%
from minibert.viz import explore

explore((bert, pieces), "She works [MASK] a baker.")

# %% [markdown]
# The next lessons start from a pretrained model. The folded cell keeps yours for them, unless this machine has one
# already (`make tour` trains a better one).

# %% jupyter={"source_hidden": true}
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
# depends on: the weights, the optimiser's state (Adam's averages of past gradients), the number of the step, and the
# place in the data. Random choices depend only on the seed and the step, so nothing else has to be saved.
#
# So a run of 40 steps that is interrupted after step 25 and resumed must have the same losses as an uninterrupted run.
# To test this, the folded cell defines a progress display that presses Ctrl-C for us.

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
# We make the same call three times: without a stop, with a stop after step 25, and once more to resume that run. (The
# function's second line only brings messages for the terminal to this page.)

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
# They are: a difference of 0.0.
#
# <details><summary><b>Why must the optimiser's state be saved?</b></summary>
#
# Without it, Adam's averages would start again from the first batches after the stop, without a warm-up, and the run
# would be a different one. (Between the phases of section 6 we allow that: sequences or layers are new there anyway.)
# </details>

# %% [markdown]
# ## 9 · How large a model?
#
# BERT's authors pretrained six sizes (Devlin et al., table 6). The largest has 340 million weights. The perplexity is
# that of masked tokens in held-out text:
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
# It decreases from row to row. The authors also fine-tuned each model on tasks. One of these, MRPC, asks whether two
# sentences mean the same, and has only 3,600 labelled pairs. A large model could **overfit** them: learn them by heart
# and do worse on new pairs.

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
    drawn = curves(held_out, {"accuracy on the development set, %": TASKS}, "perplexity of the masked tokens",
                   "The lower the perplexity, the better every task, down to the largest model", logx=True)
    return (f"{figure_html(*drawn)}<p>This surprised many in 2018: with pretraining, a larger model helps small tasks "
            "too, since most of its weights need not be learned from their labels (Devlin et al., section 5.2).</p>")

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
# According to the paper (section A.2), BERT-base trained for 4 days on 4 Cloud TPUs (16 chips), and BERT-large for 4
# days on 16 Cloud TPUs (64 chips). About the data it says two things that do not quite fit together: 256 rows × 512
# tokens a step for 1,000,000 steps; and only 128 tokens in 90% of the steps. We count both.
#
# Each parameter costs 6 operations a token: a multiplication and an addition in the forward pass, and twice that in the
# backward pass (Kaplan et al., 2020, section 2.1).

# %%
from minibert.config import count_parameters
from minibert.reference import pretraining_cost

print(inspect.getsource(pretraining_cost).split('"""')[2])

# %% [markdown]
# A Cloud TPU of 2018 was sold as 180 teraflops, so each of its four chips does 45 × 10¹² operations a second at best.
# What share of that did BERT-base's four days use?

# %%
READINGS = {"512 tokens in all steps": [(1_000_000, 256, 512)],
            "128 tokens in 90% of the steps": [(900_000, 256, 128), (100_000, 256, 512)]}
weights = {name: sum(count_parameters(preset(name)).values()) for name in ("base", "large")}

for name, steps in READINGS.items():
    cost = pretraining_cost(weights["base"], steps, chips=16, peak=45e12, utilisation=1.0)
    print(f"{name}: {cost['tokens'] / 1e9:.1f} billion tokens, {cost['flops']:.1e} operations\n"
          f"    {cost['days']:.1f} days at full speed, so 4 days used {cost['days'] / 4:.0%} of it")

# %% [markdown]
# A third or a tenth, depending on which sentence you believe. No run reaches the full speed: chips wait for memory, for
# data and for each other.
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
# How long would it take on newer chips? The makers' data sheets give these peaks for bfloat16 or float16, in 10¹²
# operations a second: V100 (2017) 125, A100 (2020) 312, H100 (2022) 989. The folded cell makes a calculator from the
# formula.

# %% jupyter={"source_hidden": true}
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
# We take the cheaper count: 128 tokens in 90% of the steps, 2.8 × 10¹⁹ operations.

# %% jupyter={"source_hidden": true}
SHORT_ROWS = list(READINGS)[1]
GuessNumber("How many hours does BERT-base take on eight A100s at a third of their peak?",
            lambda: 24 * pretraining_cost(weights["base"], READINGS[SHORT_ROWS], 8, CHIPS["A100 (2020)"], 0.33)["days"],
            within=3, form="{:.0f} hours", see=lambda: cost_html("base", SHORT_ROWS, "A100 (2020)", 8, 33, 2.0))

# %% [markdown]
# **Try** other models, chips and prices. Prices are yours to fill in, since offers differ widely and change often.

# %% jupyter={"source_hidden": true}
Explorer(cost_html, model=widgets.Dropdown(options=list(weights), description="Model"),
         reading=widgets.Dropdown(options=list(READINGS), value=SHORT_ROWS, description="Tokens"),
         chip=widgets.Dropdown(options=list(CHIPS), value="H100 (2022)", description="Chip"),
         chips=widgets.BoundedIntText(1, min=1, max=10_000, description="Chips"),
         utilisation=widgets.BoundedIntText(33, min=1, max=100, description="Used, %"),
         price=widgets.BoundedFloatText(2.0, min=0, max=100, step=0.1, description="$ an hour"))

# %% [markdown]
# What others report:
#
# | who | on | for | what came out |
# |---|---|---|---|
# | Devlin et al. (2019) | 16 TPU chips | 4 days | BERT-base |
# | Devlin et al. (2019) | 64 TPU chips | 4 days | BERT-large |
# | Liu et al. (2019) | 1,024 V100 | about a day | RoBERTa-large, first 100,000 steps |
# | You et al. (2020) | a pod of 1,024 TPU v3 chips | 76 minutes | BERT-large, with batches of 32,768 rows and more |
# | Izsak et al. (2021) | 8 GPUs of 12 GB | 24 hours | as good as BERT-base on GLUE, the tasks of lesson 6 |
# | Geiping and Goldstein (2022) | one consumer GPU | one day | close to BERT on GLUE |
# | Portes et al. (2023) | 8 A100 | 1.13 hours, about $20 | MosaicBERT-base, 79.6 on GLUE's development sets |
#
# From four days on sixteen chips to an hour on eight GPUs: the chips got faster, and training takes less work, with
# short sequences, more masked tokens, no NSP, less padding and 16-bit numbers.

# %% [markdown]
# ## 11 · The same on a GPU, and on eight
#
# In a terminal, pretraining is one command. It uses the GPU if there is one, writes checkpoints, and resumes where it
# stopped if you repeat it:
#
# ```
# minibert pretrain --out mybert --steps 3000
# minibert pretrain --out mybert --corpus books/*.txt --vocab-size 30000 --preset base --steps 100000
# torchrun --nproc-per-node 8 -m minibert pretrain --out mybert \
#     --corpus books/*.txt --vocab-size 30000 --preset base --steps 100000
# ```
#
# The third command starts eight processes, one for each GPU. `--batch-size` is still the number of rows in a **whole**
# step: each process takes an eighth of them, and the eight gradients are added.
#
# On one NVIDIA H100, with `--compile`, BERT-base reads 566,000 tokens a second in rows of 128, and 515,000 in rows of
# 512. The paper's million steps, nine tenths of them with rows of 128, would take that card 22 hours. Eight at once we
# have not tried.
#
# And a small BERT? A model of the English encoder's shape started there from random weights. After 68 million tokens of
# books, Wikipedia and web pages, which took 3 minutes, it predicted 37.8% of the masked tokens in books that it had
# never seen. The encoder that you load in these lessons had been published, and read 142 million tokens more: 41.8%.
#
# Back to the eight parts of a batch. The loss is a mean over masked tokens, and some parts have more of these than
# others. Is the sum of the parts' gradients still the gradient of the whole batch? We compare.

# %%
def gradient(*parts):
    model.zero_grad()
    for part in parts:
        loss, _ = objective.step(model, batch, np.random.default_rng(1), part)
        loss.backward()
    return torch.cat([p.grad.flatten() for p in model.parameters()])

whole, eighths = gradient(slice(0, 32)), gradient(*(slice(i, i + 4) for i in range(0, 32, 4)))
print(f"length of the gradient: {whole.norm():.3f}; of its difference from the sum: {(whole - eighths).norm():.1e}")

# %% [markdown]
# It is, up to rounding, because each part divides by the number of masked tokens in the whole batch. If each divided by
# its own number, tokens in parts with few of them would count more. A batch that does not fit into memory is treated
# the same way: `--accumulate 8` computes its parts one after the other.

# %% [markdown]
# ## 12 · In real English: a model reads on
#
# You do not have to train from scratch. **Continued pretraining** takes a pretrained model and goes on with the same
# objective, on texts of the kind that you care about. Gururangan et al. (2020) did it for medical and computer science
# papers, news and reviews. Our example is much smaller: we train the English model of the first picture on a book for
# about a minute, with the `train` of section 2.
#
# The book is *Alice's Adventures in Wonderland* by Lewis Carroll, of 1865. It is in the public domain, and we kept it
# out of this course's own training. (The published encoder that we started from may have seen it, and so may the larger
# model that it learned from.) **Try** a text file of your own, of ten pages or more. The model reads the first four
# fifths; what it gains is measured on the pages that follow.

# %%
from minibert.corpora.books import ALICE
from minibert.corpora.text.plain import read_documents

BOOK = ALICE                            # or a file of your own: BOOK = "my_book.txt"
stretches = encode_documents(read_documents(BOOK), english.tokenizer)
cut = 4 * len(stretches) // 5
book_start, book_end = stretches[:cut], stretches[cut:][:50]
print(f"{sum(len(ids) for part in book_start for ids in part):,} tokens to train on, "
      f"{sum(len(ids) for part in book_end for ids in part):,} at the end to test on")

# %% [markdown]
# How well does the model predict masked tokens before it has read the book? We measure accuracy and perplexity. The
# second test text is for comparison: forty passages of other English, written for this course. The model is trained on
# neither.

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
    print(f"{name}: accuracy {right:.1f}%, perplexity {perplexity:.1f}")

# %% [markdown]
# Now the minute of training. All weights are trained, at a much smaller learning rate than in section 2, since large
# steps would spoil weights that are already good. (We chose the learning rate on the pages before the end, never on the
# end itself. NSP is trained as well; with only one book, the wrong second segment comes from the same book.)

# %%
import copy

reading_on = copy.deepcopy(english.model)                   # `english` stays as it is
reading = bert_objective(english.tokenizer, max_length=128)
reading_curve = LiveCurve("MLM loss", lambda log: float(np.mean([entry["mlm"] for entry in log[-10:]])), every=2)
one_minute = TrainConfig(steps=60, batch_size=16, peak_rate=1e-4)
minute_log = train(reading_on, reading, partial(reading.build, book_start), one_minute, progress=reading_curve,
                   precision=torch.float32)

# %% [markdown]
# Each batch is another part of the book, so the curve is noisy. Now we repeat the test, on the same masked tokens.

# %%
after = measured(reading_on)

# %% [markdown]
# Each of the two perplexities may have decreased or increased. (Lower is better.)

# %% jupyter={"source_hidden": true}
def after_a_minute(before=before):
    return "".join(f"<p>{name}: perplexity {before[name][1]:.1f} before, {after[name][1]:.1f} after; "
                   f"accuracy {before[name][0]:.1f}% before, {after[name][0]:.1f}% after.</p>" for name in TESTS)

GuessBars("Call each perplexity before the training 100%. How high is it after the training?", list(TESTS),
          lambda: [100 * after[name][1] / before[name][1] for name in TESTS], top=200, within=6,
          axis="of the perplexity before", unit="%", see=after_a_minute)

# %% [markdown]
# The gain in the book is the purpose of continued pretraining. If the perplexity of the other English has increased,
# that is the price. A model trained on one kind of text may lose what it knew of others; if the loss is severe, this is
# called **catastrophic forgetting**. It grows with the number of steps and with the learning rate; mixing in other
# texts helps against it. (Run the cells again with `seed=1` in `TrainConfig` to see how
# much is luck.)
#
# What has changed? Compare the model before and after, first on a sentence in the style of the book. Then **try** a
# newspaper's sentence, such as *The [MASK] of the company resigned.* Does the model now predict a word of the book?

# %%
minute = {"Before": english.model, "After the minute": reading_on}
Explorer(lambda text: compared(text, minute), text=sentence_box("‘I don’t know what you mean,’ said [MASK]."))

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
    Question("A loss decreases quickly to the baseline of frequencies, and stays there. What is the most likely cause?", [
        Choice("The rate was too large", True, "Right: its large steps moved the weights to where all tokens look alike."),
        Choice("The rate was too small", False, "Then it would decrease slowly, and go on decreasing."),
        Choice("The batch was too small", False, "That makes a curve noisy; it does not stop the learning."),
    ]),
    Question("What happens if a step forgets to clear the gradients?", [
        Choice("Nothing, they are overwritten", False, "PyTorch adds to what is there."),
        Choice("Each step also moves along all earlier gradients", True, "Right: they add up."),
        Choice("An error", False, "It runs, and that is the trap."),
    ]),
    Question("Why does BERT train on sequences of 128 tokens in the first 90% of its steps?", [
        Choice("Most sentences are shorter than 128 tokens", False, "A segment has many sentences; they would fill 512 tokens, too."),
        Choice("They are cheaper, and words learn most from near neighbours", True, "Right; the rest trains the late positions."),
        Choice("Attention cannot see further at first", False, "It sees the whole sequence."),
    ]),
    Question("From equally many tokens, a batch four times as large ended with a higher loss in our runs. What is it good for?", [
        Choice("A lower loss for the same text", False, "Not at the same learning rate: there are fewer steps."),
        Choice("Time, where many chips share a step", True, "Right; with a higher learning rate nothing is lost: see RoBERTa's table."),
        Choice("Less memory", False, "More: all rows of a batch are held at once."),
    ]),
    Question("Of the words that nothing can tell, your model predicts few. Should it train longer to predict more?", [
        Choice("Yes, the best model would guess them all", False, "The best reader predicts few, too."),
        Choice("No, it is where the best reader is", True, "Right. That is why we compare with the best reachable."),
        Choice("Yes, but with a larger vocabulary", False, "The word is not in the text, whatever the pieces."),
    ]),
    Question("What must a checkpoint hold besides the weights?", [
        Choice("The optimiser's memory and the place in the data", True, "Right, and the step, which gives the learning rate."),
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
# - **A step**: set the learning rate, compute loss and gradient, clip, move the weights, clear the gradient. BERT made
#   a million of them.
# - **The learning rate** is the size of a step. Too small, and the loss decreases slowly; too large, and it may never
#   get below the baseline. Warm up, then decay.
# - **The batch**: on equally many tokens, smaller batches make more steps; larger ones keep more chips busy. BERT takes
#   256 rows, RoBERTa up to 8,000.
# - **Sequences**: similar lengths together; 128 tokens for 90% of the steps, then 512 for the late positions.
# - **What is learned, in order**: frequencies, grammar, the world, and last, what only another sentence tells. That
#   comes sooner if such words are masked more often, and if heads start out attending to neighbours.
# - **Compare with a baseline and with the best reachable**: some words nobody can predict.
# - **A checkpoint** holds weights, optimiser state, step and place in the data. With it a run resumes exactly.
# - **The cost** is 6 operations for each weight and token: for BERT-base about 3 to 9 × 10¹⁹.
# - **Continued pretraining** starts from a pretrained model, with a small learning rate and texts of one kind. Test
#   what it gains there and what it forgets elsewhere.
#
# ## Read on
#
# - Devlin et al. (2019), *BERT*, [arXiv 1810.04805](https://arxiv.org/abs/1810.04805): section 5.2 and table 6 (sizes),
#   appendix A.2 (the run), appendix C.1 (number of steps).
# - Clark et al. (2019), *What Does BERT Look At?*, [arXiv 1906.04341](https://arxiv.org/abs/1906.04341): section 3.1
#   (heads that look at a neighbour).
# - Liu et al. (2019), *RoBERTa*, [arXiv 1907.11692](https://arxiv.org/abs/1907.11692): sections 4.2 (forms of a
#   sequence), 4.3 (batches).
# - Smith (2018), *A disciplined approach to neural network hyper-parameters*, [arXiv
#   1803.09820](https://arxiv.org/abs/1803.09820): section 4 (OneCycle).
# - Xiong et al. (2020), *On Layer Normalization in the Transformer Architecture*, [arXiv
#   2002.04745](https://arxiv.org/abs/2002.04745): section 3 (why warm-up).
# - Kaplan et al. (2020), *Scaling Laws for Neural Language Models*, [arXiv
#   2001.08361](https://arxiv.org/abs/2001.08361): section 2.1 (6 operations).
# - Gururangan et al. (2020), *Don't Stop Pretraining*, [arXiv 2004.10964](https://arxiv.org/abs/2004.10964): sections 3
#   and 4 (reading on in the domain, and in the task's own texts).
# - You et al. (2020), *Large Batch Optimization for Deep Learning*, [arXiv
#   1904.00962](https://arxiv.org/abs/1904.00962); Izsak et al. (2021), *How to Train BERT with an Academic Budget*,
#   [arXiv 2104.07705](https://arxiv.org/abs/2104.07705); Geiping and Goldstein (2022), *Cramming*, [arXiv
#   2212.14034](https://arxiv.org/abs/2212.14034); Portes et al. (2023), *MosaicBERT*, [arXiv
#   2312.17482](https://arxiv.org/abs/2312.17482).
# - In the package: `minibert/training/loop.py` and `minibert/training/phases.py`; our own recipes for minutes on a
#   laptop are in `minibert/training/recipes.py`.
#
# **Next**: the exercise `exercises/05_pretraining`. You write the schedule, the step, the batches and the cost, and
# train a small BERT with them. Then lesson 6 puts a pretrained model to use.
