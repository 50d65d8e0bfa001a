"""What pretraining is worth: settings compared on dev data, numbers of labels, tasks, and overconfidence."""

from collections import defaultdict
from collections.abc import Callable
from functools import cache
from typing import Any

import ipywidgets as widgets
import numpy as np
import torch
from torch.nn import functional as F

from minibert.course.tables import stored
from minibert.finetuning.finetuned import Finetuned
from minibert.readers.wording import with_minus

from ...models.class_model import class_model
from ...widgets.plots import GREYS, curves, headline, plain
from ...widgets.scores import gap_bars, seed_curves
from ...widgets.tables import score_table
from ...widgets.try_it import either
from ...widgets.view import BLUE, GREY, LIT, VERMILLION, Controls, Drawing, View, drawing_html, figure, show
from ..settings import HELD_OUT, SCRATCH, SETTINGS, sentences, tuned

PASSES, RUNS = (1, 2, 5, 10), range(3)  # epochs, and seeds, of the live runs
STORED = {  # name -> the title of its curve
    "cola": "acceptable or not (Matthews)",
    "stsb": "similarity (Spearman)",
    "qa": "questions about a text (F1)",
    "ner": "named entities (F1)",
}
STARTS = {"pretrained": "pretrained", "scratch": SCRATCH}
NAMES = {
    "sst2": "SST-2",
    "cola": "CoLA",
    "mnli": "MNLI",
    "qnli": "QNLI",
    "rte": "RTE",
    "wnli": "WNLI",
    "qqp": "QQP",
    "mrpc": "MRPC",
    "stsb": "STS-B",
    "swag": "SWAG",
    "race": "RACE",
    "qa": "questions",
    "ner": "named entities",
}
METRICS = {"stsb": "Spearman", "cola": "Matthews", "qa": "F1", "ner": "F1"}  # all others: accuracy


def our_best(scores: dict[str, list[float]]) -> str:
    return max(scores, key=lambda name: float(np.mean(scores[name])))


@cache
def compared(split: str) -> dict[str, list[float]]:
    """Return the stored scores of each setting, one for each seed; split: dev or test."""
    runs = stored("sizes")["compared"]
    return {name: [run[split] for run in runs if run["setting"] == name] for name in SETTINGS}


def settings(best_on_dev: Callable) -> View:
    """Compare the SETTINGS on the dev set, let the student's function choose, and test what it chose."""
    used, said = either(best_on_dev, our_best)
    dev = compared("dev")
    best = [
        used({name: dev[name] for name in dev if name.startswith(SCRATCH) == scratch})
        for scratch in (False, True)
    ]
    rows = [
        (name, np.mean(scores), min(scores), max(scores))
        for name in best
        for scores in [compared("test")[name]]
    ]
    table = score_table(["chosen on dev", "mean on test", "lowest seed", "highest seed"], rows)
    return View(
        f"<p><small>{said}</small></p>{drawing_html(dev_scores(dev, best))}"
        f"<p>Only the chosen setting of each start is scored on the {HELD_OUT} test sentences:</p>{table}"
    )


def dev_scores(dev: dict[str, list[float]], best: list[str]) -> Drawing:
    """Draw the mean of each setting as a bar, and each seed as a mark."""
    fig, ax = figure(0.9 + 0.36 * len(dev), 8.0)
    for place, (name, scores) in enumerate(dev.items()):
        color = VERMILLION if name.startswith(SCRATCH) else BLUE
        ax.barh(place, np.mean(scores), color=color, alpha=0.45, edgecolor=LIT if name in best else GREY)
        ax.plot(scores, [place] * len(scores), "o", color=color, markersize=5)
    ax.set_yticks(range(len(dev)), [f"{name}{' ✓' * (name in best)}" for name in dev])
    ax.set(xlabel="Matthews correlation on the dev sentences; a mark for each seed")
    ax.invert_yaxis()
    plain(ax)
    title = f"Best on average: {best[0]}, and {best[1]}"
    headline(fig, title)
    told = "; ".join(f"{name}: {', '.join(f'{x:.0f}' for x in scores)}" for name, scores in dev.items())
    return fig, f"{title}. Bars of Matthews correlations, with a mark for each seed. {told}."


@cache
def label_curves() -> dict[str, tuple[list[int], dict[str, list[list[float]]]]]:
    """Return {title: (numbers of labels, {start: a list of scores for each seed})}."""
    found: dict[str, tuple[list[int], dict[str, list[list[float]]]]] = {}
    runs, more = stored("sizes")["runs"], stored("labels")
    for name, title in STORED.items():
        if name in more["sizes"]:
            lines = {
                said: [seed[name][start] for seed in more["f1"].values()] for start, said in STARTS.items()
            }
            found[title] = more["sizes"][name], lines
            continue
        of = {(r["seed"], r["labelled"], r["start"]): r["score"] for r in runs if r["task"] == name}
        seeds, sizes = (sorted({key[i] for key in of}) for i in range(2))
        lines = {said: [[of[s, n, start] for n in sizes] for s in seeds] for start, said in STARTS.items()}
        found[title] = sizes, lines
    return found


def labels() -> Controls:
    """Show the scores over the number of labels, pretrained and from scratch."""

    def draw(task: str) -> Drawing:
        sizes, lines = label_curves()[task]
        first = np.mean(lines["pretrained"], 0)[0]
        scratch = np.mean(lines[SCRATCH], 0)
        enough = [(n, score) for n, score in zip(sizes, scratch) if score >= first]
        size, score = (enough or [(sizes[-1], scratch[-1])])[0]
        title = (
            f"Pretrained, {sizes[0]} labels: {first:.0f}. From scratch, {size:,} labels "
            f"{'reach' if enough else 'reach only'} {score:.0f}"
        )
        return seed_curves(sizes, lines, "labelled examples", task, title)

    options = widgets.Dropdown(
        options=list(STORED.values()), description="Task", layout={"width": "340px", "max_width": "98%"}
    )
    return Controls(draw, task=options)


@cache
def trained_for(epochs: int, seed: int) -> Finetuned:
    """Return the course's own model after so many passes over the sentences, at a rate of 1e-3."""
    return tuned(*class_model(), "all, 1e-3", seed, epochs=epochs)


def measured(model: Finetuned, split: str) -> tuple[float, float, float]:
    """Return (loss, percentage right, mean probability of the answers in %) on the train or dev sentences."""
    rows, gold, _ = model.task.encode(sentences(split)[:HELD_OUT])
    logits = torch.tensor(np.array(model.task.logits(model.model, rows)))
    labels = torch.tensor(gold)
    sure, answers = logits.softmax(dim=1).max(dim=1)
    right = (answers == labels).float().mean()
    return float(F.cross_entropy(logits, labels)), 100 * float(right), 100 * float(sure.mean())


def too_sure() -> View:
    """Show what longer training does to the loss, the right answers and the probabilities."""
    results = {
        split: np.array([[measured(trained_for(n, seed), split) for n in PASSES] for seed in RUNS]).mean(
            axis=0
        )
        for split in ("train", "dev")
    }
    panels = {
        "loss": {"training": results["train"][:, 0], "dev": results["dev"][:, 0]},
        "dev sentences, %": {"mean probability": results["dev"][:, 2], "right": results["dev"][:, 1]},
    }
    last, low = results["dev"][-1], results["dev"][:, 0].argmin()
    title = (
        f"After {PASSES[-1]} epochs the model is {last[2]:.0f}% sure, and {last[1]:.0f}% right. "
        f"The dev loss is lowest after {PASSES[low]}"
    )
    return show(*curves(PASSES, panels, "epochs (a run for each)", title, logx=True, looks=GREYS))


@cache
def gains() -> dict[str, dict[str, Any]]:
    """Return for each task: its number of labels, and the scores of each start by seed."""
    found: dict[str, dict[str, Any]] = defaultdict(lambda: defaultdict(dict))
    for run in stored("transfer")["runs"]:
        task = found[NAMES[run["task"]]]
        task[run["start"]][run["seed"]] = run["scores"][METRICS.get(run["task"], "accuracy")]
        task["labels"] = run["labelled"]
        task["metric"] = METRICS.get(run["task"], "accuracy")
        task["one answer"][run["seed"]] = run["scores"]["one answer"]
    for task in found.values():
        task["gain"] = [task["pretrained"][s] - task["scratch"][s] for s in task["scratch"]]
    return dict(sorted(found.items(), key=lambda item: -np.mean(item[1]["gain"])))


def task_by_task() -> View:
    """Show what pretraining gains on each task of the generated language."""

    def mean(scores: dict[int, float | None]) -> float | None:
        values = [score for score in scores.values() if score is not None]
        return float(np.mean(values)) if values else None

    found = gains()
    nothing = [name for name, task in found.items() if min(task["gain"]) <= 0]
    drawn = gap_bars(
        [f"{name} ({task['labels']:,} labels)" for name, task in found.items()],
        [float(np.mean(task["gain"])) for task in found.values()],
        "points gained by pretraining, mean over the seeds",
        f"At least one seed gains nothing on: {', '.join(nothing) or 'no task'}",
    )
    names = "task", "metric", "always the same label", SCRATCH, "pretrained", "smallest gain", "largest gain"
    rows = [
        (
            name,
            task["metric"],
            *(mean(task[start]) for start in ("one answer", "scratch", "pretrained")),
            *(with_minus(gain, "{:+.1f}") for gain in (min(task["gain"]), max(task["gain"]))),
        )
        for name, task in found.items()
    ]
    return View(
        f"{drawing_html(drawn)}<details><summary><b>All scores</b></summary>"
        f"{score_table(names, rows)}</details>"
    )
