"""The course's own model learns to answer, live; what misleads it, and when it should be silent."""

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import ipywidgets as widgets
import numpy as np
import torch

from minibert.finetuning.approaches import training_context
from minibert.finetuning.finetuned import Finetuned
from minibert.generated import World
from minibert.model import Encoder, FastEncoder, Model
from minibert.readers.wording import with_minus
from minibert.reference import span_loss
from minibert.tasks.qa import QA
from minibert.tasks.squad_score import best_threshold
from minibert.training.config import TrainConfig
from minibert.training.loop import train

from ...models.class_model import WORLD_SEED, class_model
from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import GREYS, LINES, bars, curves
from ...widgets.tables import score_table
from ...widgets.try_it import either
from ...widgets.view import Controls, Drawing, View
from .english import by_hand, span_scores
from .held_out import HeldOutCurve
from .qa import Asked
from .reading import examples_of, lures, with_sentence

DOCUMENTS = {"train": 200, "dev": 60, "test": 60}
STARTS = {"pretrained": "pretrained", "scratch": "from scratch"}
SETTINGS = TrainConfig(steps=400, batch_size=8, peak_rate=1e-3, seed=0)
LEARNT, HELD_OUT, TESTED = 800, 100, 100  # questions
LEVELS = {"one of four": float(np.log(4)), "knows nothing": float(np.log(80))}
KINDS = "same kind of fact", "another fact"
TAUGHT: dict[str, Finetuned] = {}


@cache
def questions(split: str) -> list[Asked]:
    """Return questions about passages of the generated language, some of them without an answer."""
    return examples_of(World(WORLD_SEED).documents(DOCUMENTS[split], seed=3, split=split))


def answered() -> list[Asked]:
    """Return the test questions that have an answer."""
    return [example for example in questions("test") if example.answers][:TESTED]


def loss_on(tuned: Finetuned, examples: list[Asked]) -> float:
    """Return the mean span loss, in nats."""
    rows, labels, _ = tuned.task.encode(examples)
    losses = [
        span_loss(*scores.T[:, None].astype(float), *np.array(label)[:, None])
        for scores, label in zip(tuned.task.logits(tuned.model, rows), labels)
    ]
    tuned.model.train()
    return float(np.mean(losses))


def train_on(examples: Any, start: str, curve: HeldOutCurve) -> Finetuned:
    """Fine-tune the course's own model, or its layers with random weights, and draw both losses."""
    model, tokenizer = class_model()
    torch.manual_seed(SETTINGS.seed)
    encoder: Any = FastEncoder.of(model.encoder if start == "pretrained" else Encoder(model.encoder.config))
    task = QA.fit(tokenizer, 128, examples)
    tuned = Finetuned("qa", task, Model(encoder, task.heads(encoder)))
    rows, labels, _ = task.encode(examples)
    curve.watch(STARTS[start], partial(loss_on, tuned, questions("dev")[:HELD_OUT]))
    with training_context(tuned.model, task, "full", rows):
        train(tuned.model, task, lambda rng: (rows, labels), SETTINGS, progress=curve)
    return tuned


def teach() -> View:
    """Train from both starts, live, and score them on other questions and on English."""
    order = np.random.default_rng(0).permutation(len(questions("train")))
    examples = [questions("train")[i] for i in order[:LEARNT]]
    curve = HeldOutCurve("span loss", lines=LEVELS, limits=(0, 4.8))
    for start in STARTS:
        TAUGHT[start] = train_on(examples, start, curve)
    rows = [
        (
            name,
            *span_scores(TAUGHT[start], answered()).mean(axis=0),
            span_scores(TAUGHT[start], by_hand())[:, 1].mean(),
        )
        for start, name in STARTS.items()
    ]
    return View(score_table(["start", "exact match", "F1", "F1 on English"], rows))


def taught() -> Finetuned:
    """Return the pretrained model that `teach` has trained."""
    if "pretrained" not in TAUGHT:
        raise ValueError("run the cell with views.teach() first")
    return TAUGHT["pretrained"]


@cache
def misled() -> tuple[int, dict[str, float]]:
    """Return a number of questions, and the F1 on them without and with a sentence about somebody else."""
    rng = np.random.default_rng(1)
    tried: list[Any] = [
        (example, *(found[rng.integers(len(found))] for found in both))
        for example in answered()
        if all(both := [lures(example, answered(), same) for same in (True, False)])
    ]
    scored = {"as it was": [example for example, *_ in tried]}
    for place, kind in enumerate(KINDS, 1):
        for where in ("before", "after"):
            scored[f"{kind}, {where}"] = [
                with_sentence(row[0], row[place], where == "before") for row in tried
            ]
    return len(tried), {name: span_scores(taught(), some)[:, 1].mean() for name, some in scored.items()}


def guess_misled() -> GuessChoice:
    """Ask which kind of sentence about somebody else costs the model most."""
    choices = [f"{kind}, {where}" for kind in KINDS for where in ("before", "after")]

    def see() -> Drawing:
        number, f1 = misled()
        before = (f1[f"{kind}, before"] - f1["as it was"] for kind in KINDS)
        first, control = (with_minus(change, "{:+.0f}") for change in before)
        title = (
            f"A sentence in front: {first} points of F1 with the same kind of fact, {control} with another"
        )
        place = 1 + choices.index(lowest())
        return bars(list(f1), list(f1.values()), f"F1 on {number} questions", title, place, "{:.0f}", 100)

    def lowest() -> str:
        f1 = misled()[1]
        return min(choices, key=lambda name: f1[name])

    return GuessChoice(
        "A sentence about somebody else is added before or after the passage. Which costs the most F1?",
        choices,
        lowest,
        see=see,
    )


def our_score_at(threshold: float, odds: Any, f1: Any, has_answer: Any) -> float:
    silent = np.asarray(odds) > threshold
    return float(np.where(silent, ~np.asarray(has_answer, bool), f1).mean())


@cache
def odds_of(split: str) -> tuple[Any, Any, Any]:
    """Return (null odds, F1 of the best span from 0 to 1, whether there is an answer) of each question."""
    examples = questions(split)
    odds = np.array([found.null_odds for found in taught().task.predict(taught().model, examples)])
    return odds, span_scores(taught(), examples)[:, 1] / 100, np.array([bool(e.answers) for e in examples])


def silence(score_at: Callable) -> Controls:
    """Move a threshold along the student's curve, and test the best one on other questions."""
    used, said = either(score_at, our_score_at)
    odds, f1, has_answer = odds_of("dev")
    kinds: dict[str, Any] = {"all": slice(None), "with an answer": has_answer, "without": ~has_answer}
    thresholds = np.linspace(odds.min() - 1, odds.max() + 1, 81)

    def at(threshold: float) -> dict[str, float]:
        return {n: 100 * used(threshold, odds[some], f1[some], has_answer[some]) for n, some in kinds.items()}

    lines = {name: np.array([at(threshold)[name] for threshold in thresholds]) for name in kinds}
    _, best = best_threshold(f1, has_answer, odds)
    scores = [f"{100 * used(threshold, *odds_of('test')):.0f}" for threshold in (best, 0)]
    tested = f"Best here: {with_minus(best, '{:.1f}')}. On test questions: {scores[0]}; with 0: {scores[1]}."

    def draw(threshold: float) -> Drawing:
        answers = odds <= threshold
        wrongly = (answers & ~has_answer).sum()
        title = (
            f"Threshold {with_minus(threshold, '{:g}')}: {answers.sum()} of {len(answers)} questions are "
            f"answered, {wrongly} of them without an answer. {tested}"
        )
        looks, limits = [*GREYS[:1], LINES[2], LINES[3]], {"score": (0, 100)}
        fig, alt = curves(
            thresholds, {"score": lines}, "threshold", title, markers=False, at_least=limits, looks=looks
        )
        fig.axes[0].axvline(threshold, color="black", linewidth=1, linestyle=(0, (1, 3)))
        fig.axes[0].plot([threshold] * 3, list(at(threshold).values()), "o", color="black", markersize=6)
        return fig, f"{alt} {said}"

    low, high = min(-1, int(odds.min()) - 1), max(1, int(odds.max()) + 1)
    slider = widgets.FloatSlider(
        0, min=low, max=high, step=0.5, description="Threshold", continuous_update=False
    )
    return Controls(draw, threshold=slider)
