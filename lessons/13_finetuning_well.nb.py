# %% [markdown]
# # 13 · Fine-tuning well: seeds, stopping early, layers, adapters, smoothness, shapes
#
# You fine-tune BERT twice, with the same data and the same settings, and get two different scores. Which one is "the
# score"? In this lesson one small model was fine-tuned hundreds of times, to see what is luck, what helps, and what you
# may claim.
#
# **After this lesson you can**
#
# - say how much of a score is due to the seed, and what the best of k runs is worth,
# - stop bad runs early and spend the budget on good ones,
# - tell whether a test set can show a gain at all,
# - compare layers, adapters, two stages, smoothness and shapes by a table with several seeds.
#
# **You need** lessons 5 and 6. **Time:** about 95 minutes with guessing, playing and writing; the code alone runs in
# about two minutes on two cores. **Difficulty:** ●●○
#
# Run the cells in order with Shift + Enter. Three functions, marked **Your turn**, are yours to write.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.here import here

here(13)

# %% [markdown]
# ## The finished thing first
#
# Three tasks, one encoder in memory: each task brings only a small **adapter**, trained weights that are added to a
# frozen model. (If the English encoder is missing, small untrained models take its place.)

# %%
import minibert
from minibert.course.models.class_model import untrained_model

sentiment = minibert.load("english-sentiment", instead=untrained_model("sst2", labels=["negative", "positive"]))
names = minibert.load("english-ner", instead=untrained_model("ner", tags=["B-PER", "I-PER", "O"]))
questions = minibert.load("english-qa", instead=untrained_model("qa"))
THREE = {"sentiment": sentiment, "named entities": names, "questions": questions}

# %% [markdown]
# Write a text, and a question about it. All three read it with the same encoder.

# %% jupyter={"source_hidden": true}
import html
import ipywidgets as widgets
from minibert.course.widgets.view import Controls, View, figure, figure_html, show

def ask_all(text, question):
    if not text.strip() or not question.strip():
        return "<p>Write a text and a question, and press Enter.</p>"
    found = ", ".join(f"{one.text} ({one.type})" for one in names.predict(text)) or "none"
    answers = {"sentiment": sentiment.predict(text), "named entities": found,
               "answer": questions.predict(question=question, context=text) or "no answer"}
    return "".join(f"<p><b>{name}</b>: {html.escape(str(value))}</p>" for name, value in answers.items())

def wide(value, name):
    return widgets.Text(value, description=name, continuous_update=False, layout={"width": "620px", "max_width": "98%"})

Controls(ask_all, text=wide("Maria loved the wonderful concert in Vienna.", "Text"),
         question=wide("Where was the concert?", "Question"))

# %% [markdown]
# How large are the three adapter files?

# %% jupyter={"source_hidden": true}
from minibert.english.model import TASKS as ENGLISH_TASKS, WEIGHTS
from minibert.english.published import FILES
from minibert.course.widgets.guess_then_see import GuessBars, GuessChoice, GuessNumber, my_guesses

sizes = {name: (WEIGHTS / file).stat().st_size / 1000 for name, file in ENGLISH_TASKS.items()}

def in_memory():
    places = {one.model.encoder.embeddings.word.weight.data_ptr() for one in THREE.values()}
    shared = ("The word embeddings of all three lie at one place in memory." if len(places) == 1
              else "Without the English encoder, each has a model of its own here.")
    files = ", ".join(f"{name} {size:.0f} KB" for name, size in sizes.items())
    return f"<p>{files}. The encoder that they share: {FILES['model.safetensors'].size / 1000:,.0f} KB. {shared}</p>"

GuessNumber("How many KB are the three files together?", lambda: sum(sizes.values()), within=400, form="{:,.0f} KB",
            see=in_memory)

# %% [markdown]
# Section 7 makes such adapters. First: what is a good score?
#
# ## Do you remember lesson 6?
#
# Choose; you may choose again.

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.quiz import Choice, Quiz, QuizQuestion

Quiz([
    QuizQuestion("What has random weights when fine-tuning begins?", [
        Choice("The new head", True, "Right. The encoder is pretrained, the head is drawn from a seed."),
        Choice("The whole model", False, "That would be training from scratch."),
        Choice("Nothing", False, "The head does not exist before."),
    ]),
    QuizQuestion("Which examples may you use to choose a learning rate?", [
        Choice("The dev (validation) set", True, "Right. The test set only gives the final score."),
        Choice("The test set", False, "Then nothing is left that could say how good the choice is."),
        Choice("The training set", False, "A model can know it by heart."),
    ]),
    QuizQuestion("Two classes are equally frequent. What does a model that learned nothing get?", [
        Choice("50% accuracy", True, "Right: always the same label."),
        Choice("0% accuracy", False, "Half of its answers are right by chance."),
        Choice("Any accuracy", False, "It can only be near 50%."),
    ]),
])

# %% [markdown]
# ## 1 · The same model, the same data, another seed
#
# Two things are drawn when BERT is fine-tuned: the new head's weights (**weight initialisation**, WI) and the order of
# the examples (**data order**, DO). Each gets a seed of its own. (Our model has no dropout.) There are four small tasks,
# made from the generated language:

# %% jupyter={"source_hidden": true}
from dataclasses import asdict, replace
import numpy as np
import torch
from minibert.course.unit13 import experiments as small
from minibert.course import tables
from minibert.course.unit13.methods import early_stopping, seeds
from minibert.readers.wording import with_minus
from minibert.course.unit10.experiments import mean_and_range, verdict
from minibert.course.widgets.tables import score_table

torch.set_num_threads(1)
stored = tables.stored("finetuning_well", encoder=small.weights_digest(),
                       recipes={task: asdict(small.recipe_of(task)) for task in small.TASKS})
TASKS = list(small.TASKS)

def percents(counts, part="test", task=TASKS[0]):
    """Counts of right answers as percent."""
    return 100 * np.array(counts) / stored["recipes"][task][part]

VALIDATION = {task: percents(cells["validation"], "validation", task) for task, cells in stored["grid"].items()}
TEST = {task: percents(cells["test"], "test", task) for task, cells in stored["grid"].items()}     # (W, O, E)
W, O, E = TEST[TASKS[0]].shape
WHAT = {"acceptable": "Is the sentence acceptable English?", "word order": "Were two neighbouring words exchanged?",
        "sentiment": "Is it positive?", "clause": "Is there a subordinate clause or a quotation?"}
assert all(small.material(task, small.recipe_of(task)).texts["train"][1].label in ("1", "yes") for task in TASKS)
View(score_table(["task", "question", "to train on", "an example of “yes”"], [
    (task, WHAT[task], str(small.recipe_of(task).labelled),
     small.material(task, small.recipe_of(task)).texts["train"][1].first) for task in TASKS]))

# %% [markdown]
# The model is lesson 9's BERT; the settings are the same for all runs of a task. Two tasks imitate CoLA and SST-2. (RTE
# and MRPC compare two texts: section 6 takes a larger model for that.) Live: three initialisations times three data
# orders. (The learning rate is high on purpose, near where training fails.)

# %%
LIVE = "word order"
live = {(init, order): small.tune(LIVE, init, order) for init in range(100, 103) for order in range(200, 203)}
given = small.material(LIVE)
live_test = percents([[live[init, order].test[-1] for order in range(200, 203)] for init in range(100, 103)], task=LIVE)

# %% [markdown]
# Nine runs that differ only in their seeds. How far apart are best and worst?

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.plots import cells, curves, headline

def nine_runs():
    fig, ax = figure(3.0)
    cells(ax, live_test / 100, [f"WI {i}" for i in range(100, 103)], [f"DO {i}" for i in range(200, 203)],
          vmin=live_test.min() / 100 - 0.02, vmax=live_test.max() / 100)
    title = f"Test accuracy from {live_test.min():.1f}% to {live_test.max():.1f}%, by seeds alone"
    headline(fig, title)
    return fig, title

GuessNumber("How many points of accuracy lie between the best and the worst of the nine?",
            lambda: live_test.max() - live_test.min(), within=2, form="{:.1f}", see=nine_runs)

# %% [markdown]
# Dodge et al. (2020) fine-tuned BERT-large 2,100 times: 25 × 25 runs on each of RTE, MRPC and CoLA, and 15 × 15 on SST-2.
# With our small model, on each task:

# %%
print(f"{len(TASKS)} tasks x {W} x {O} = {len(TASKS) * W * O} runs, {E} evaluations each;",
      f"{sum(np.sum(cells['seconds']) for cells in stored['grid'].values()) / 60:.0f} minutes of training on one core")

# %% [markdown]
# A run that ends at 55% or below counts as **failed**: on 300 test examples, guessing can get as much. How many failed?

# %% jupyter={"source_hidden": true}
from minibert.course.unit13.views.runs import score_strips

FAILED = 55
last = {task: TEST[task][:, :, -1] for task in TASKS}
failures = {task: int(seeds.failed(scores, FAILED).sum()) for task, scores in last.items()}
worst_task = max(failures, key=failures.get)

def all_runs():
    spans = {task: scores.max() - scores.min() for task, scores in last.items()}
    title = (f"Best and worst run of a task: {min(spans.values()):.0f} to {max(spans.values()):.0f} points apart; "
             f"{sum(failures.values())} of {W * O * len(TASKS)} runs failed")
    live_mark = {LIVE: [(live_test.min(), "your worst"), (live_test.max(), "your best")]}
    drawing = score_strips(last, "test accuracy, %", title, FAILED, live_mark)
    told = ", ".join(f"{task}: {count}" for task, count in failures.items())
    return f"{figure_html(*drawing)}<p>Failed, by task: {told}.</p>"

GuessNumber(f"Of {W * O * len(TASKS)} runs, how many failed?", lambda: sum(failures.values()), within=15, see=all_runs)

# %% [markdown]
# In failed runs, gradients vanish (Mosbach et al., 2021); the others generalise differently even at the same training
# loss. Section 5 tries that paper's remedies. On which tasks do failed runs form a group of their own here?
#
# **ANOVA**, analysis of variance, asks whether the groups of a table differ by more than chance: here its rows, the
# initialisations, or its columns, the data orders. Its p is the probability of differences this large if no seed were
# better than another.

# %% jupyter={"source_hidden": true}
tests = {task: seeds.anova(scores) for task, scores in last.items()}
shares = {task: seeds.variance_shares(scores) for task, scores in last.items()}
below = {kind: sum(tests[task][kind][1] < 0.05 for task in TASKS) for kind in ("WI", "DO")}

def which_seed():
    rows = [(task, *(f"F = {f:.1f}, " + (f"p = {p:.3f}" if p >= 0.001 else "p < 0.001") for f, p in tests[task].values()),
             *(f"{share:.0%}" for share in shares[task].values())) for task in TASKS]
    table = score_table(["", "WI", "DO", "of the variance: WI", "DO", "the rest"], rows)
    return (f"{table}<p>At p &lt; 0.05, WI matters on {below['WI']} and DO on {below['DO']} of {len(TASKS)} tasks. In the "
            "paper both matter, about equally. By chance alone, one test in 20 is below 0.05 (section 5 corrects for that), "
            f"and WI has {(W - 1) / (W * O - 1):.0%} of the variance, and DO {(O - 1) / (W * O - 1):.0%}.</p>")

GuessChoice("Which seed matters on more of the four tasks?", ["WI", "DO", "both equally often"],
            lambda: "both equally often" if below["WI"] == below["DO"] else max(below, key=below.get), see=which_seed)

# %% [markdown]
# Is there a lucky seed, one that is good for every task? The same seed gives the same head here, as all tasks have two
# labels. We rank the initialisations on two tasks, and shuffle one of the rankings 500 times (a **permutation test**):

# %%
pairs = [(a, b) for i, a in enumerate(TASKS) for b in TASKS[i + 1:]]
lucky = {f"{a} / {b}": seeds.agreement(last[a], last[b], np.random.default_rng(0), 500) for a, b in pairs}
agree = sum(p < 0.05 for _, p in lucky.values())
View(score_table(["do the same initialisations do well?", "rank correlation", "p"],
                 [(name, with_minus(r, "{:+.2f}"), f"{p:.3f}") for name, (r, p) in lucky.items()],
                 f"p below 0.05 in {agree} of {len(lucky)} pairs of tasks"))

# %% [markdown]
# In the paper, some initialisations did well on all four tasks. Does this table agree?
#
# <details><summary><b>Why do seeds not cover everything?</b></summary>
#
# In the paper only the last layer is new; here it is the pooler, too, since lesson 9's BERT was pretrained without NSP.
# The machine, library versions, and the order in which a GPU adds numbers change scores, too. And another program draws
# other weights from the same seed.
# </details>
#
# ## 2 · The best of k runs
#
# Train k times and keep the best on validation: you report more than one run gives. How much more? The **expected
# validation performance** (Dodge et al., 2019) is the mean of the best of k runs, computed exactly from a table.

# %% jupyter={"source_hidden": true}
K = 20
expected = {task: early_stopping.expected_curve(VALIDATION[task][:, :, -1].ravel(), K) for task in TASKS}
best_of_20 = expected[LIVE][0][-1] - expected[LIVE][0][0]

def best_of_k():
    means = {task: mean for task, (mean, _) in expected.items()}
    drawing = curves(np.arange(1, K + 1), {"best validation accuracy, %": means}, "k, runs",
                     f"{LIVE}: the best of {K} is {best_of_20:.1f} points above a single run, with no better method")
    spread = ", ".join(f"{task} ± {std[-1]:.1f}" for task, (_, std) in expected.items())
    return f"{figure_html(*drawing)}<p>Standard deviation of the best of {K}: {spread}.</p>"

GuessNumber(f"On “{LIVE}”, how many points is the best of {K} runs above a single run, on average?",
            lambda: best_of_20, within=1.5, form="{:.1f}", see=best_of_k)

# %% [markdown]
# One known bias: runs are drawn with replacement, so the best one is often missing, and the mean is a little too low for
# large k (Tang et al., 2020). The `unbiased_maximum` draws without replacement:

# %%
scores = VALIDATION[LIVE][:, :, -1].ravel()
for count in (1, 5, 20, len(scores)):
    print(f"best of {count:3d}: {early_stopping.expected_curve(scores, count)[0][-1]:.2f},",
          f"unbiased {early_stopping.unbiased_maximum(scores, count):.2f}")

# %% [markdown]
# ### Looking more often
#
# Each run was evaluated 30 times. If a run may stop where its validation score is best, evaluating more often raises that
# score *by construction*: a maximum over more numbers is never lower. And on the test set?

# %% jupyter={"source_hidden": true}
EVERY = {"once": E, "once an epoch": 10, "twice an epoch": 5, "10 times an epoch": 1}
looks = {name: [early_stopping.best_by_validation(VALIDATION[task].reshape(-1, E), TEST[task].reshape(-1, E), every)
                for task in TASKS] for name, every in EVERY.items()}
validation_gain, test_gain = (np.mean(looks["10 times an epoch"], 0) - np.mean(looks["once"], 0)).round(2)

def more_looks():
    rows = [(name, *(f"{a:.1f} / {b:.1f}" for a, b in pairs)) for name, pairs in looks.items()]
    return (score_table(["evaluated", *TASKS], rows, "Mean accuracy at the best evaluation: validation / test")
            + "<p>On average {} points of validation and {} of test.</p>".format(
                *(with_minus(gain, "{:+.1f}") for gain in (validation_gain, test_gain))))

GuessNumber(f"Evaluating 30 times instead of once adds {validation_gain:.1f} points of validation. How many of test?",
            lambda: test_gain, within=0.5, form="{:+.1f}", see=more_looks)

# %% [markdown]
# ## 3 · Start many, stop early, continue some
#
# Can a bad run be seen early? **Your turn:** of the p runs that are best early, how many are among the p best at the end?

# %%
import numpy as np
from minibert.course.widgets.try_it import try_it

def still_best(early, late, p):
    """early, late: (N,) scores of the same runs. Return how many runs are among the p best in both.

    >>> still_best(np.array([60., 70, 65, 50]), np.array([80., 75, 85, 60]), 2)
    1
    >>> still_best(np.array([60., 70, 65, 50]), np.array([80., 75, 85, 60]), 3)
    3
    """
    ...

try_it(still_best)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def still_best(early, late, p):
#     return len(set(np.argsort(-early)[:p].tolist()) & set(np.argsort(-late)[:p].tolist()))
# ```
#
# </details>
#
# We rank the runs after each evaluation, and compare with their ranks at the end, by Spearman's correlation. Draw the
# curve:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.guess_then_see import GuessCurve

rank_correlation_with_end = {task: early_stopping.rank_correlation_with_end(VALIDATION[task].reshape(-1, E)) for task in TASKS}
TENTHS = [E * tenth // 10 - 1 for tenth in (1, 2, 3, 5, 7, 10)]
NAMED = ["10%", "20%", "30%", "50%", "70%", "100%"]
at_30 = np.mean([rank_correlation_with_end[task][TENTHS[2]] for task in TASKS])

def seen_early():
    rows = [(task, *(100 * rank_correlation_with_end[task][at] for at in TENTHS[:-1])) for task in TASKS]
    return score_table(["after", *NAMED[:-1]], rows,
                       f"Rank correlation with the end, in percent: {at_30:.0%} on average after 30% of the training")

GuessCurve("How well do the ranks of the runs agree with those at the end (mean of four tasks)?", NAMED,
           lambda: [100 * np.mean([max(0, rank_correlation_with_end[task][at]) for task in TASKS]) for at in TENTHS], top=100, within=15,
           axis="rank correlation", along="of the training", unit="%", see=seen_early, at=[10, 20, 30, 50, 70, 100])

# %% [markdown]
# In the paper, many runs on small data sets fail midway. So Dodge et al. (2020) **start** t runs, stop all but the best p
# after the share f of their training, and **continue** these p. If a full run takes s steps, that costs (t f + p (1 − f)) s.
# Are full runs for the same budget better? Change t, f and p: you see one sample of our runs, and the mean of 300 samples.

# %% jupyter={"source_hidden": true}
from minibert.course.unit13.views.runs import stopped_runs

seen_best = max(TASKS, key=lambda task: rank_correlation_with_end[task][TENTHS[2]])      # where stopping early should work best

def policy(task, t, f, p, sample):
    if p > t:
        return "<p>p must be at most t: one cannot continue more runs than were started.</p>"
    table = VALIDATION[task].reshape(-1, E)
    budget, reduction = early_stopping.gain(table, t, f / 100, p, np.random.default_rng(0), draws=300)
    chosen = table[np.random.default_rng(sample).permutation(len(table))[:t]]
    stop = round(f / 100 * E)
    kept, best = early_stopping.successive_stopping(chosen, t, f / 100, p)
    title = (f"Budget {budget:.1f} full runs; on average {with_minus(-reduction, '{:+.1%}')} error "
             "against as many full runs")
    return stopped_runs(chosen, stop, kept.tolist(), best, 100 * np.arange(1, E + 1) / E, "% of the training",
                        "validation accuracy, %", title)

def whole(value, least, most, name, step=1):
    return widgets.BoundedIntText(value, min=least, max=most, step=step, description=name, layout={"width": "150px"})

Controls(policy, task=widgets.Dropdown(options=TASKS, value=seen_best, description="Task"), t=whole(20, 1, 60, "t"),
         f=whole(30, 10, 100, "f, %", 10), p=whole(5, 1, 60, "p"), sample=whole(1, 1, 99, "Sample"))

# %% [markdown]
# **Try** the other tasks. Then t = 40, p = 1, f = 10%. What lowers the error, 100% − accuracy, most? In the paper: f of 20
# to 30%, t much larger than p, and p about half of the full runs that the budget would pay for. We search our own table:

# %% jupyter={"source_hidden": true}
def best_policy(task, budget, draws=120):
    """The settings within a budget of full runs, and near it, that reduce the error most: (gain, t, f, p)."""
    table, found = VALIDATION[task].reshape(-1, E), []
    for f in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7):
        for p in range(1, budget):
            t = int((budget - p * (1 - f)) / f + 1e-9)
            if p < t <= len(table):
                found.append((early_stopping.gain(table, t, f, p, np.random.default_rng(1), draws)[1], t, f, p))
    return max(found)

BUDGET = 8
policies = {task: best_policy(task, BUDGET) for task in TASKS}
paper_like = [task for task, (_, t, f, p) in policies.items() if 0.2 <= f <= 0.3 and t >= 2 * p]

def best_settings():
    rows = [(task, str(t), f"{f:.0%}", str(p), with_minus(-gain, "{:+.1%}"))
            for task, (gain, t, f, p) in policies.items()]
    return (score_table(["", "t", "f", "p", "change of the error"], rows,
                        f"The best settings for a budget of {BUDGET} full runs")
            + f"<p>f of 20 to 30% and t at least twice p: on {len(paper_like)} of {len(TASKS)} tasks. The best of many "
            "settings is lucky, too: expect smaller reductions.</p>")

GuessNumber(f"A budget of {BUDGET} full runs, on “{LIVE}”: which f from 10 to 70% is best?",
            lambda: 100 * policies[LIVE][2], within=10, form="{:.0f}%", see=best_settings)

# %% [markdown]
# **Hyperband** (Li et al., 2018) need not choose f: it runs several plans, its brackets. The first starts many runs and
# stops often, the last stops none:

# %%
from minibert.course.unit13.views.runs import brackets

plan = early_stopping.hyperband_brackets(27)
show(*brackets(plan, "Hyperband: from many runs that are stopped early to a few full ones"))

# %% [markdown]
# ## 4 · Is it better, or lucky?
#
# "BERT, seeds only": the best of the paper's many seeds, beside published models (validation sets; Dodge et al., 2020,
# table 1):
#
# | | MRPC | RTE | CoLA | SST-2 |
# |---|---|---|---|---|
# | BERT (Phang et al., 2018) | 90.7 | 70.0 | 62.1 | 92.5 |
# | BERT (Liu et al., 2019) | 88.0 | 70.4 | 60.6 | 93.2 |
# | **BERT, seeds only** | **91.4** | 77.3 | 67.6 | 95.1 |
# | STILTs | 90.9 | 83.4 | 62.1 | 93.2 |
# | XLNet | 89.2 | 83.8 | 63.6 | 95.6 |
# | RoBERTa | 90.9 | 86.6 | 68.0 | 96.4 |
# | ALBERT | 90.9 | **89.2** | **71.4** | **96.9** |
#
# On MRPC (papers score it by accuracy or by F1), seeds alone beat all the newer models. What is that worth? It is the best
# of hundreds of runs, on the very set that chose it. The other rows come from papers that chose their runs in other ways;
# and leaderboards list ensembles (section 9) beside single models. How much of such a gain stays on a test set?

# %% jupyter={"source_hidden": true}
def chosen_gain(task):
    """(validation, test) points that the run with the best validation has above the mean run."""
    at = np.unravel_index(VALIDATION[task][:, :, -1].argmax(), (W, O))
    return tuple(part[task][:, :, -1][at] - part[task][:, :, -1].mean() for part in (VALIDATION, TEST))

gains = {task: chosen_gain(task) for task in TASKS}
stays = 100 * np.sum([b for _, b in gains.values()]) / np.sum([a for a, _ in gains.values()])

def what_stays():
    rows = [(task, *(with_minus(gain, "{:+.1f}") for gain in pair)) for task, pair in gains.items()]
    return (score_table(["", "validation", "test"], rows, f"The best of {W * O} by validation, above the mean run")
            + f"<p>Of {np.sum([a for a, _ in gains.values()]):.1f} points on validation, "
              f"{np.sum([b for _, b in gains.values()]):.1f} are there on test, over the four tasks. That gain is the "
              "model's: the method is the same.</p>")

GuessNumber(f"The best of {W * O} runs gains on validation. What share of that gain stays on test, in percent?",
            lambda: stays, within=20, form="{:.0f}%", see=what_stays)

# %% [markdown]
# Published gains are often small, and significance tests rare (Dror et al., 2018). Two tests for two models that answer the
# same examples: **McNemar's test** counts where only one is right; the **paired bootstrap** draws the examples anew, for
# both models together. Take your best and your worst live run:

# %%
from minibert.tasks import significance

exam, order = given.test, live_test.ravel().argsort()
runs = list(live.values())
best, worst = (exam.answers(runs[at].model) for at in (order[-1], order[0]))
p = significance.mcnemar(exam.gold, best, worst)
p_boot, low, high = significance.paired_bootstrap(exam.gold, best, worst, np.random.default_rng(0))
print(f"{np.mean(best == exam.gold):.1%} and {np.mean(worst == exam.gold):.1%}: McNemar p = {p:.1g},",
      f"bootstrap p = {p_boot:.3f}, difference {with_minus(low, '{:+.1%}')} to {with_minus(high, '{:+.1%}')}")

# %% [markdown]
# What a test set *can* show depends on its size, and on how often exactly one of the models is right (at first: your two):

# %% jupyter={"source_hidden": true}
DEV_SETS = {"RTE": 277, "MRPC": 408, "SST-2": 872, "CoLA": 1043, "MNLI": 9815}
differ = float(np.mean(best != worst))

def smallest(share):
    gains = [100 * significance.smallest_gain(size, share / 100) for size in DEV_SETS.values()]
    from minibert.course.widgets.plots import bars
    return bars([f"{name}, {size:,}" for name, size in DEV_SETS.items()], gains, "smallest significant gain, points",
                f"If only one is right on {share}%, a gain below {gains[0]:.1f} points on RTE is not significant", form="{:.1f}")

Controls(smallest, share=widgets.IntSlider(min(60, max(2, round(100 * differ))), min=2, max=60, description="Differ, %",
                                           continuous_update=False))

# %% [markdown]
# <details><summary><b>Why is a significant difference between two runs not yet one between two methods?</b></summary>
#
# Your two models are one method with two seeds. (And you picked them by this test set, which makes p too small.) To compare
# methods, train each with several seeds, and compare their scores (below, by Welch's t-test). To be found reliably, a
# true gain must be larger than the smallest significant one (Card et al., 2020).
# </details>
#
# ## 5 · What helps
#
# Fifteen changes, five seeds each, at section 1's high learning rate. Which help?
#
# | | |
# |---|---|
# | optimisation | more steps; a lower learning rate; no warm-up; BERT's own Adam without **bias correction**, whose first steps are too large |
# | layers | new top layer (Zhang et al., 2021); lower learning rates below (**layer-wise decay**); first layer or all frozen |
# | what the head reads | a weighted sum of all layers (Su and Cheng, 2019; Kondratyuk and Straka, 2019); a deep layer beside the output (Yang and Zhao, 2019); [CLS] normalised (Zhou et al., 2019); mean or maximum of the tokens |
# | smoothness | **mixout** puts pretrained weights back at random (Lee et al., 2020); **SMART**, below |

# %% jupyter={"source_hidden": true}
import warnings
from scipy.stats import ttest_ind

def remedy_scores(task):
    found = {}
    for row in stored["remedies"]:
        if row["task"] == task:
            name = row["name"].replace("the rate", "the learning rate")
            found.setdefault(name, []).append(float(percents(row["test"][-1], task=task)))
    return found

REMEDIED = list(dict.fromkeys(row["task"] for row in stored["remedies"]))
remedied = {task: remedy_scores(task) for task in REMEDIED}
others = list(remedied[LIVE])[1:]
with warnings.catch_warnings():
    warnings.simplefilter("ignore")                             # SciPy's, where all seeds failed alike
    raw_p = {(task, name): float(ttest_ind(remedied[task][name], remedied[task]["plain"], equal_var=False).pvalue)
             for task in REMEDIED for name in others}
holm_p = dict(zip(raw_p, significance.holm(np.nan_to_num(list(raw_p.values()), nan=1.0))))
better = {task: max(others, key=lambda name: np.mean(remedied[task][name])) for task in REMEDIED}

def clear_cut():
    """Which changes have every seed above, or below, every seed of plain."""
    told = []
    for task in REMEDIED:
        plain = remedied[task]["plain"]
        above = [name for name in others if min(remedied[task][name]) > max(plain)]
        under = [name for name in others if max(remedied[task][name]) < min(plain)]
        told.append(f"On “{task}”, every seed is above plain with: {', '.join(above) or 'none'}; every seed is below it "
                    f"with: {', '.join(under) or 'none'}.")
    return " ".join(told)

def remedy_table():
    rows = [(name, *(text for task in REMEDIED for text in (
        mean_and_range(remedied[task][name]), f"{holm_p[task, name]:.2f}" if name != "plain" else "")))
        for name in remedied[LIVE]]
    times = {name: np.median([row["seconds"] for row in stored["remedies"] if row["name"] == name])
             for name in ("plain", "SMART")}
    small_p = [sum(value < 0.05 for value in each.values()) for each in (raw_p, holm_p)]
    gained = sum(value < 0.05 and np.mean(remedied[task][name]) > np.mean(remedied[task]["plain"])
                 for (task, name), value in raw_p.items())
    return (score_table(["", *(text for task in REMEDIED for text in (task, "p"))], rows,
                        "Test accuracy, mean (lowest to highest) of five seeds; p against plain, after Holm")
            + f"<p>Of {len(raw_p)} comparisons, {small_p[0]} ({gained} of them gains) have p &lt; 0.05 by themselves, "
            f"{small_p[1]} after <b>Holm's correction</b> for looking so often. With five seeds, only large differences can show. {clear_cut()} "
            f"SMART takes {times['SMART'] / times['plain']:.1f} times as long as plain.</p>")

OFFERED = ["3 times the steps", "a third of the learning rate", "no bias correction", "encoder frozen", "SMART", "another one"]
GuessChoice(f"Which has the highest mean on “{LIVE}”?", OFFERED,
            lambda: better[LIVE] if better[LIVE] in OFFERED else "another one", see=remedy_table)

# %% [markdown]
# "3 times the steps" costs three times as much, and SMART runs the model several times in each step.
#
# ### Batch size and learning rate
#
# They belong together (lesson 5). BERT's authors advise batches of 16 or 32, learning rates of 5e-5, 3e-5 or 2e-5, and 2 to
# 4 epochs (appendix A.3). Here, three epochs of "word order" (larger batches, fewer steps), with three seeds:

# %% jupyter={"source_hidden": true}
SIZES, RATES = (sorted({row[key] for row in stored["batches"]}) for key in ("batch_size", "rate"))
by_batch = {part: np.array([[[percents(row[part][-1], part, LIVE) for row in stored["batches"]
                              if (row["task"], row["batch_size"], row["rate"]) == (LIVE, size, rate)]
                             for rate in RATES] for size in SIZES])                         # (sizes, rates, seeds)
            for part in ("validation", "test")}
chosen_rate = {size: f"{RATES[scores.mean(-1).argmax()]:g}" for size, scores in zip(SIZES, by_batch["validation"])}

def batch_map():
    fig, ax = figure(3.0)
    means = by_batch["test"].mean(-1) / 100
    cells(ax, means, [f"batches of {size}" for size in SIZES], [f"{rate:g}" for rate in RATES], vmin=0.5, vmax=means.max())
    ax.set_xlabel("peak learning rate")
    title = f"Batches of {SIZES[0]} and {SIZES[-1]}: " + ", ".join(
        f"{means[0, i]:.0%} and {means[-1, i]:.0%} at {RATES[i]:g}" for i in (0, -1))
    headline(fig, title)
    chosen = ", ".join(f"{rate} for batches of {size}" for size, rate in chosen_rate.items())
    return (f"{figure_html(fig, title)}<p>Mean test accuracy; the three seeds of a cell differ by up to "
            f"{np.ptp(by_batch['test'], axis=-1).max():.0f} points. Validation chooses {chosen}.</p>")

GuessChoice(f"Which learning rate does the validation set choose for batches of {SIZES[0]}?",
            [f"{rate:g}" for rate in RATES], lambda: chosen_rate[SIZES[0]], see=batch_map)

# %% [markdown]
# Which layers did your best live run change? And how does the head that reads all layers weigh them?

# %%
from minibert.finetuning.layers import changes_by_layer

start, _ = small.backbone()
moved = changes_by_layer(start, runs[order[-1]].encoder)
mixed = [row["shares"] for row in stored["remedies"] if "shares" in row and row["task"] == LIVE]
View(score_table(["", "embeddings", *(f"layer {i}" for i in range(1, len(moved)))],
                 [("relative change of the weights", *(f"{m:.0%}" for m in moved)),
                  ("weight in the mix", *(f"{m:.0%}" for m in np.mean(mixed, 0)))]))

# %% [markdown]
# ### Smoothness: SMART
#
# An output should not change if the input moves by a hair. SMART (Jiang et al., 2020) moves the embeddings within a tiny
# radius in the worst direction, and adds to the loss how far the output moves. It also keeps outputs close to those of an
# average of earlier weights (**Bregman proximal steps**). Both are measured by a symmetric KL divergence. **Your turn:**

# %%
def symmetric_kl(p, q):
    """p, q: (C,) probabilities above 0. Return KL(p, q) + KL(q, p), to 2 digits.

    >>> symmetric_kl(np.array([0.5, 0.5]), np.array([0.5, 0.5]))
    0.0
    >>> symmetric_kl(np.array([0.9, 0.1]), np.array([0.5, 0.5]))
    0.88
    """
    ...

try_it(symmetric_kl)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def symmetric_kl(p, q):
#     return round(float(((p - q) * (np.log(p) - np.log(q))).sum()), 2)
# ```
#
# </details>
#
# Is the loss flatter around a model that was trained with SMART? We train one, live, and walk from both solutions in the
# same two random directions. In each, every row is as long as that row of the weights (Li et al., 2018):

# %% jupyter={"source_hidden": true}
from minibert.course.unit06.loss_surface import losses_around, random_direction, weights_of
from torch.nn import functional as F

smart = small.tune(LIVE, 100, 200, change=small.REMEDIES["SMART"])
looked = given.test.batches[0]

def loss_of(model):
    model.eval()
    with torch.no_grad():
        return float(F.cross_entropy(model(**looked[1])["label"], torch.from_numpy(given.test.gold[looked[0]])))

AT = np.linspace(-0.5, 0.5, 9)

def surface_of(model):
    centre = weights_of(model)
    first, second = (random_direction(centre, torch.Generator().manual_seed(seed)) for seed in (1, 2))
    return np.array(losses_around(model, loss_of, centre, first, second, AT, AT))

both = {"plain": surface_of(live[100, 200].model), "SMART": surface_of(smart.model)}

# %% [markdown]
# Loss on 100 test sentences; the dot is the solution. On which map does it rise less? Look, then open the line below:

# %% jupyter={"source_hidden": true}
from minibert.course.widgets.surface import loss_maps

rises = {name: float(np.mean(losses) - losses[len(AT) // 2, len(AT) // 2]) for name, losses in both.items()}
flatter = min(rises, key=rises.get)
told = (f"Mean rise around the solution: plain {rises['plain']:.2f}, SMART {rises['SMART']:.2f}"
        + (": a tie." if abs(rises["plain"] - rises["SMART"]) < 0.1 else f"; {flatter} is flatter, in this one run."))
maps = loss_maps(both, AT, AT, "direction 1", "direction 2", "The loss around each solution", points=[(0, 0, "solution")])
View(f"{figure_html(*maps)}<details><summary><b>The numbers</b></summary><p>{told}</p></details>")

# %% [markdown]
# ## 6 · Two stages
#
# STILTs (Phang et al., 2018) fine-tune on a related task with many labels first, such as MNLI before RTE. That gave BERT
# 1.4 points on GLUE, most where labels are few, and made restarts agree better. Gururangan et al. (2020) **pretrain
# further**, on text like the task's. Here the course's own, larger model is trained on 4,000 MNLI-like pairs, or on
# sentiment, and then on 300 examples of the target, with four seeds.

# %% jupyter={"source_hidden": true}
from minibert.course.unit13.methods.two_stage import gain as stage_gain

def group(part, key, keep=lambda row: True):
    found = {}
    for row in stored[part]:
        if keep(row):
            found.setdefault(row[key].replace("mnli", "MNLI"), []).append(float(percents(row["test"][-1])))
    return found

stage_tables = {f"{second}-like": group("stages", "name", lambda row, second=second: row.get("second") == second.lower())
                for second in ("RTE", "CoLA")}
stage_tables["acceptable"] = group("stages", "name", lambda row: "task" in row)
plain_names = {"RTE-like": "nothing", "CoLA-like": "nothing", "acceptable": "plain"}
stage_rows = [(second, name, *stage_gain(found[plain_names[second]], scores), scores)
              for second, found in stage_tables.items() for name, scores in found.items() if name != plain_names[second]]
stage_p = significance.holm([row[3] for row in stage_rows])
most = max((row for row in stage_rows if row[0] == "RTE-like"), key=lambda row: row[2])

def two_stages():
    rows = [(second, "nothing", mean_and_range(found[plain_names[second]]), "", "")
            for second, found in stage_tables.items()]
    rows += [(second, name, mean_and_range(scores), with_minus(points, "{:+.1f}"), f"{p:.3f}")
             for (second, name, points, _, scores), p in zip(stage_rows, stage_p)]
    rows.sort(key=lambda row: list(stage_tables).index(row[0]))
    table = score_table(["target", "first", "test accuracy, %", "gain", "p, after Holm"], rows)
    return (f"{table}<p>RTE-like: {verdict('MNLI first', 'sentiment first', stage_tables['RTE-like'])}. "
            "(“acceptable” is the small model's task of section 1, pretrained further on unlabelled sentences of that task.)</p>")

GuessChoice("After which first stage is the RTE-like mean higher?", ["MNLI first", "sentiment first"], lambda: most[1],
            see=two_stages)

# %% [markdown]
# The first MNLI or sentiment stage was run once, for all seeds: these p speak of the second stage only.
#
# Does this carry over to English? The target is **QNLI**, made from SQuAD: does a sentence answer a question? We train new
# adapters on 200 examples, directly, or after merging a shipped adapter into the encoder: the one for questions (trained on
# SQuAD, so perhaps on these examples, but on no sentence of the test) or the one for sentiment.

# %% jupyter={"source_hidden": true}
english = {}
for row in stored["english"]:
    english.setdefault(row["name"], []).append(row["accuracy"])
firsts = [name for name in english if name != "nothing"]
helps = [name for name in firsts if min(english[name]) > max(english["nothing"])]
WHO = {"both": firsts, **{f"only {name}": [name] for name in firsts}, "neither": []}

def english_stages():
    rows = [(name, mean_and_range(scores)) for name, scores in english.items()]
    told = "; ".join(verdict(name, "nothing", english) for name in firsts)
    return (score_table(["first", "test accuracy, %"], rows, "QNLI, mean (lowest to highest) of three seeds") + f"<p>{told}.</p>")

GuessChoice("With which first stage is every seed above every seed without one?", list(WHO),
            lambda: next(name for name, found in WHO.items() if found == helps), see=english_stages)

# %% [markdown]
# ## 7 · Adapters
#
# Full fine-tuning makes a whole model for each task. **Adapters** train a small part, with the rest frozen: bottlenecks
# (narrow layers), at first near the identity, behind both sublayers (Houlsby et al., 2019) or one (Pfeiffer et al.,
# 2021); **LoRA** (Hu et al., 2022) adds a product of two thin matrices, at first 0, to weight matrices; **BitFit** (Ben
# Zaken et al., 2022) trains biases; **prompt vectors** (Lester et al., 2021) stand before the text. **Your turn:** count
# Houlsby's.

# %%
def houlsby_parameters(hidden_size, bottleneck, layers):
    """Return the parameters of two adapters a layer: down and up matrices, and both biases.

    >>> houlsby_parameters(4, 2, 1)
    44
    >>> houlsby_parameters(768, 64, 12)
    2379264
    """
    ...

try_it(houlsby_parameters)

# %% [markdown]
# <details><summary><b>One way to write it</b></summary>
#
# ```python
# def houlsby_parameters(hidden_size, bottleneck, layers):
#     return layers * 2 * (2 * hidden_size * bottleneck + bottleneck + hidden_size)
# ```
#
# </details>
#
# To BERT-base's 110 million parameters, bottlenecks of 64 add 2.4 million. In our table, each method has the best of three
# learning rates, chosen on validation, and three seeds. How far from full fine-tuning is the adapter that validation prefers?

# %% jupyter={"source_hidden": true}
adapters_found = {}
for row in stored["adapters"]:
    adapters_found.setdefault(row["name"], []).append(row)
adapter_scores = {name: [float(percents(row["test"][-1])) for row in rows] for name, rows in adapters_found.items()}
best_adapter = max(list(adapter_scores)[1:],
                   key=lambda name: np.mean([row["validation"][-1] for row in adapters_found[name]]))

def adapter_table():
    rows = [(name, f"{rows[0]['parameters']:,}", mean_and_range(adapter_scores[name]), f"{rows[0]['rate']:g}",
             f"{np.mean([row['seconds'] for row in rows]):.1f}", f"{rows[0]['bytes'] / 1000:.0f}")
            for name, rows in adapters_found.items()]
    guessing = ", ".join(name for name, scores in adapter_scores.items() if np.mean(scores) <= FAILED) or "none"
    return (score_table(["", "parameters trained", "test accuracy, %", "learning rate", "seconds", "file, KB"], rows)
            + f"<p>{verdict(best_adapter, 'full', adapter_scores)}. With these few labels and learning rates, no better than "
              f"guessing: {guessing}. Each row counts the head; Houlsby's and LoRA's the LayerNorms, too, LoRA's the biases.</p>")

GuessNumber(f"That adapter minus full fine-tuning on “{stored['adapters'][0]['task']}”, in points of accuracy?",
            lambda: np.mean(adapter_scores[best_adapter]) - np.mean(adapter_scores["full"]), within=2, form="{:+.1f}",
            see=adapter_table)

# %% [markdown]
# To swap tasks, you swap the adapter of a model in memory. Live: adapters for two tasks, put into the same model
# one after the other. Each answers both tasks:

# %%
from minibert.course.unit13.methods.adapters import put, size_in_bytes, trained

adapters_of = replace(small.ADAPTERS["LoRA"], training={"peak_rate": 1e-2}, times=2)
files = {}
for learned in ("sentiment", "clause"):
    tuned = small.tune(learned, 0, 0, small.recipe_of(learned), adapters_of)
    files[learned] = {name: tensor.detach().clone() for name, tensor in trained(tuned.model).items()}
for learned, file in files.items():
    put(tuned.model, file)
    right = {asked: small.material(asked, small.recipe_of(asked)).test.right(tuned.model) for asked in files}
    print(f"{size_in_bytes(file) / 1000:.0f} KB of “{learned}” are in. Of 300 right:", right)

# %% [markdown]
# The English adapters were made by the same code, `with_low_rank`. Their files say how:

# %%
from minibert.english.adapter import Adapter
from minibert.model.low_rank import trained as low_rank_parts, with_low_rank

shipped = Adapter.load(WEIGHTS / ENGLISH_TASKS["english-sentiment"])
ours = low_rank_parts(with_low_rank(small.backbone()[0], shipped.rank))
kinds = [{name.split(".", 2)[-1] for name in found if name.startswith("layers.0.")} for found in (ours, shipped.encoder)]
assert kinds[0] == kinds[1]
print(f"rank {shipped.rank}: {shipped.card['command']}")
print(f"in each layer, as in ours: {', '.join(sorted(kinds[0])[:4])}, ...")

# %% [markdown]
# ## 8 · Knowledge as input
#
# *Does this person's instrument have strings?* If the sentence does not name the instrument, nobody can know, unless the
# model is told who the person is. ERNIE (Zhang et al., 2019) and KnowBert (Peters et al., 2019) add **entity embeddings**
# from a knowledge base to the tokens of a name. Here, an embedding made of a person's facts stands as a token before the
# sentence. Test people are new.

# %% jupyter={"source_hidden": true}
known = group("knowledge", "name")

def entity_table():
    rows = [(name, mean_and_range(scores)) for name, scores in known.items()]
    return (score_table(["the fact is in", "test accuracy, %"], rows, "Mean (lowest to highest) of three seeds")
            + f"<p>Where the text is silent: {verdict('embedding', 'neither', known)}. Where it tells: "
              f"{verdict('text and embedding', 'text', known)}; with “text”, "
              f"{np.sum(np.array(known['text']) <= FAILED)} of {len(known['text'])} failed.</p>")

GuessBars("The fact is in neither text nor embedding, in one, or in both. What accuracy does each reach?", list(known),
          lambda: [np.mean(scores) for scores in known.values()], top=100, within=10, axis="test accuracy", unit="%", see=entity_table)

# %% [markdown]
# The embedding holds the fact itself, so the question is only whether fine-tuning learns to read it. Other knowledge, such
# as part-of-speech tags, can be given as further embeddings, too, or as a further objective.
#
# ## 9 · Several models together
#
# An *ensemble* (lesson 7) takes the mean of several models' probabilities. Many tables compare ensembles with single
# models: read their small print.

# %% jupyter={"source_hidden": true}
def probabilities(model):
    found = np.empty((len(exam.gold), 2))
    with torch.no_grad():
        for places, inputs in exam.batches:
            found[places] = model.eval()(**inputs)["label"].softmax(-1).numpy()
    return found

voted = 100 * np.mean(np.mean([probabilities(run.model) for run in runs], 0).argmax(1) == exam.gold)

def ensemble():
    return (f"<p>Single runs: mean {live_test.mean():.1f}%, best {live_test.max():.1f}%. Their ensemble: {voted:.1f}%. It "
            "costs nine times as much.</p>")

GuessNumber(f"Your nine live runs reach {live_test.mean():.1f}% on average. What does their ensemble reach?", lambda: voted,
            within=2, form="{:.1f}%", see=ensemble)

# %% [markdown]
# ## 10 · Shapes
#
# Devlin et al. (2019, table 6; lesson 5) found larger models better. But wide or deep, if the size is fixed? Here small
# models, named by hidden size × layers, with four heads, were pretrained for some seconds, at one learning rate, then
# fine-tuned twice on each of two tasks; three seeds. Embeddings are not counted. "Equal compute": smaller models take more
# steps.
#
# A layer is an attention sublayer, then a feed-forward sublayer. Press et al. (2020) reorder them: a **sandwich** has more
# attention at the bottom, more feed-forward at the top. It gained in language modelling, but not in translation.

# %% jupyter={"source_hidden": true}
from minibert.course.unit13.experiments.shapes import GROUPS, TUNED_ON

shaped = {}
for row in stored["shapes"]:
    shaped.setdefault(row["name"], []).append(row)
masked = {name: [row["words"] for row in rows] for name, rows in shaped.items()}
shape_best, shape_worst = ({group: pick(names, key=lambda name: np.mean(masked[name])) for group, names in GROUPS.items()}
                           for pick in (max, min))

def shape_table():
    rows = [(group if i == 0 else "", name.replace(" x ", " × "), f"{shaped[name][0]['parameters']:,}",
             f"{shaped[name][0]['steps']:,}", mean_and_range(masked[name]),
             *(mean_and_range([row[task] for row in shaped[name]]) for task in TUNED_ON))
            for group, names in GROUPS.items() for i, name in enumerate(names)]
    told = "<br>".join(f"{group.capitalize()}: {verdict(shape_best[group], shape_worst[group], masked)}" for group in GROUPS)
    return (score_table(["", "shape", "parameters", "steps", "masked tokens, %", *(f"{task}, %" for task in TUNED_ON)], rows)
            + f"<p>Masked tokens, best against worst.<br>{told.replace(' x ', ' × ')}.</p>")

GuessChoice("At equal parameters, which shape predicts masked tokens best?",
            [name.replace(" x ", " × ") for name in GROUPS["equal parameters"]],
            lambda: shape_best["equal parameters"].replace(" x ", " × "), see=shape_table)

# %% [markdown]
# Each head of the first layer starts out looking at a different neighbour; a single head has only one. Such small, short
# runs say little about large models: only the method carries over.
#
# ## Check yourself
#
# Try the wrong choices, too: each is explained.

# %% jupyter={"source_hidden": true}
Quiz([
    QuizQuestion("One of three runs ends at 50%, the others at 66%. What is that one?", [
        Choice("A failed run, as good as guessing", True, "Right. Report how many failed; a mean hides them."),
        Choice("An outlier that may be left out", False, "Then the method looks more reliable than it is."),
        Choice("The true score", False, "One run says little, in either direction."),
    ]),
    QuizQuestion("You evaluate ten times as often and keep the best checkpoint. Your validation score rises. Why, at least in "
                 "part?", [
        Choice("A maximum over more numbers is never lower", True, "Right, by construction. Measure it on test."),
        Choice("The model trains longer", False, "It takes the same steps."),
        Choice("Evaluation regularises", False, "Evaluation changes no weight."),
    ]),
    QuizQuestion("t = 20, f = 0.25, p = 5: how many full runs does it cost?", [
        Choice("8.75", True, "Right: 20 × 0.25 + 5 × 0.75."),
        Choice("10", False, "That would be t f + p: the first quarter of the five would be paid twice."),
        Choice("25", False, "The 15 others are stopped after a quarter."),
    ]),
    QuizQuestion("RTE has 277 validation examples, and your model is one point better. What does that show?", [
        Choice("Hardly anything: that is about three examples", True, "Right. See the slider of section 4."),
        Choice("It is better", False, "Three examples may be luck."),
        Choice("It is worse", False, "Nor that."),
    ]),
    QuizQuestion("Why must an adapter be near the identity at first?", [
        Choice("So that the pretrained model works as before", True, "Right: training starts from there."),
        Choice("To save memory", False, "Its size does not depend on its values."),
        Choice("So that its gradient is 0", False, "Then it could not learn."),
    ]),
])

# %% [markdown]
# And your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
#
# - A score belongs to a model, a data set **and a seed**. Report all runs, failed ones too, and how the best was chosen.
# - The best of k beats a single run, with no better method. Compare at equal k, on a set that chose nothing.
# - Start many, stop early, continue some: (t f + p (1 − f)) s steps. Badly set, it loses to full runs.
# - A test set has a smallest gain that it can show, and several comparisons need a correction.
# - Adapters: a small share of the parameters, files of kilobytes, one encoder for many tasks.
#
# ## Read on
#
# | paper | look for |
# |---|---|
# | Dodge et al. (2020): [Fine-tuning pretrained language models](https://arxiv.org/abs/2002.06305) | table 1; stopping early |
# | Dodge et al. (2019): [Show your work](https://arxiv.org/abs/1909.03004); Tang et al. (2020): [its bias](https://arxiv.org/abs/2004.13705) | the expected best of k runs |
# | Mosbach et al. (2021): [On the stability of fine-tuning BERT](https://arxiv.org/abs/2006.04884) | failed runs and vanishing gradients |
# | Zhang et al. (2021): [Revisiting few-sample BERT fine-tuning](https://arxiv.org/abs/2006.05987) | bias correction, new top layers |
# | Li et al. (2018): [Hyperband](https://arxiv.org/abs/1603.06560) | algorithm 1 |
# | Dror et al. (2018): [The hitchhiker's guide to testing significance](https://aclanthology.org/P18-1128/); Card et al. (2020): [power](https://aclanthology.org/2020.emnlp-main.745/) | which test; how many examples |
# | Jiang et al. (2020): [SMART](https://arxiv.org/abs/1911.03437); Lee et al. (2020): [Mixout](https://arxiv.org/abs/1909.11299) | how each keeps close to earlier weights |
# | Phang et al. (2018): [STILTs](https://arxiv.org/abs/1811.01088); Gururangan et al. (2020): [Don't stop pretraining](https://arxiv.org/abs/2004.10964) | when it helps |
# | Houlsby et al. (2019): [adapters](https://arxiv.org/abs/1902.00751); Hu et al. (2022): [LoRA](https://arxiv.org/abs/2106.09685) | figure 2; figure 1 |
# | Zhang et al. (2019): [ERNIE](https://arxiv.org/abs/1905.07129); Peters et al. (2019): [KnowBert](https://arxiv.org/abs/1909.04164) | entities as input |
# | Press et al. (2020): [Reordering sublayers](https://arxiv.org/abs/1911.03864) | the sandwich |
#
# In the package: `minibert/finetuning/`, `minibert/course/unit13/experiments/`, `minibert/tasks/significance.py`; every stored score
# comes from `benchmarks/finetuning_well.py`.
#
# **Next**: [the exercise](../exercises/13_finetuning_well/13_finetuning_well.ipynb). You compute the best of k runs,
# stop runs early, build an adapter, merge LoRA, test significance, and mend a report that uses its validation set
# twice.
