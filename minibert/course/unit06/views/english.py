"""The English model judges reviews, and learns two tasks from a few dozen sentences."""

import copy
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import torch

import minibert
from minibert.finetuning.finetuned import Finetuned
from minibert.finetuning.run import finetune
from minibert.model import Encoder
from minibert.readers.glue import TextExample
from minibert.reference import softmax
from minibert.tasks.metrics import accuracy

from ...models.class_model import untrained_model
from ...models.english import english
from ...widgets.guess import guesses_html, sentence_box
from ...widgets.guess_then_see import GuessChoice
from ...widgets.plots import bars
from ...widgets.scores import leaderboard
from ...widgets.tables import score_table
from ...widgets.try_it import either
from ...widgets.view import Controls, drawing_html

PLAIN = {
    "A beautiful and moving film.": "positive",
    "The worst film of the year.": "negative",
    "I enjoyed every scene.": "positive",
    "The dialogue is awful.": "negative",
    "Funny, clever and full of heart.": "positive",
    "It was so dull that I fell asleep.": "negative",
    "A masterpiece with excellent actors.": "positive",
    "Ugly pictures, terrible music.": "negative",
}
ROUNDABOUT = {
    "Not bad at all.": "positive",
    "A great film, if you need to sleep.": "negative",
    "You will not regret a minute.": "positive",
    "The trailer was the best part.": "negative",
    "Nothing in it is dull or false.": "positive",
    "My dog enjoyed it more than I did.": "negative",
    "They said it was terrible, and they were wrong.": "positive",
    "It would be a masterpiece without its second half.": "negative",
}
FEW, SOME, MOST = "0 to 3", "4 to 6", "7 or 8"
QUESTIONS = {"What is it about?": 0, "Past or future?": 1}
FIRST = 6  # of ten sentences with the same two labels, those to learn from
STARTS = {"fine-tuned": False, "from scratch": True}
EPOCHS, PEAK_RATE = 20, 1e-4


@cache
def sentiment() -> Any:
    """Return the English sentiment model, or an untrained one if it cannot be downloaded."""
    return minibert.load(
        "english-sentiment", instead=untrained_model("sst2", labels=["negative", "positive"])
    )


def examples_of(texts: Sequence[str]) -> list[TextExample]:
    return [TextExample(text, second=None, label=None, id="0", line=1) for text in texts]


def probabilities(tuned: Finetuned, texts: Sequence[str]) -> np.ndarray:
    """Return the probability of each label, (texts, C)."""
    rows, _, _ = tuned.task.encode(examples_of(texts))
    return softmax(np.array(tuned.task.logits(tuned.model, rows)))


def verdict_html(labels: Sequence[str], shares: Sequence[float]) -> str:
    """Return labels and their probabilities as bars, the most probable first."""
    return guesses_html(sorted(zip(labels, map(float, shares)), key=lambda pair: -pair[1]))


def my_review() -> Controls:
    """Judge a film review of the student's own."""

    def draw(text: str) -> str:
        return verdict_html(sentiment().labels, probabilities(sentiment(), [text])[0])

    return Controls(draw, text=sentence_box("The story is slow, but the music is wonderful."))


def without_each() -> Controls:
    """Show how each word of a review changes the probability of “positive”."""

    def draw(text: str) -> str:
        words = re.findall(r"[\w'’]+", text)[:30]
        if len(words) < 2:
            raise ValueError("write at least two words")
        shorter = [" ".join(words[:i] + words[i + 1 :]) for i in range(len(words))]
        positive = probabilities(sentiment(), [" ".join(words), *shorter])[:, -1]
        change = 100 * (positive[0] - positive[1:])
        most = int(np.abs(change).argmax())
        fig, alt = bars(
            words,
            change.tolist(),
            "points that the word adds to “positive”",
            f"With all words: {positive[0]:.0%} positive. “{words[most]}” matters most",
            most,
            "{:+.0f}",
            max(10.0, 1.25 * float(change.max())),
        )
        return drawing_html((fig, alt))

    return Controls(draw, text=sentence_box("The story is slow but the music is wonderful"))


@cache
def judged(reviews: str) -> tuple[int, str]:
    """Return how many of the PLAIN or ROUNDABOUT reviews are judged right, and a table of all as HTML."""
    labels = {"plain": PLAIN, "roundabout": ROUNDABOUT}[reviews]
    shares = probabilities(sentiment(), list(labels))
    said = [sentiment().labels[best] for best in shares.argmax(axis=1)]
    right = sum(a == b for a, b in zip(said, labels.values()))
    marks = ["✓" if a == b else "✗" for a, b in zip(said, labels.values())]
    rows = zip(labels, labels.values(), said, (f"{p:.0%}" for p in shares.max(axis=1)), marks)
    columns = ["review", "label", "the model says", "its probability", ""]
    return right, score_table(columns, rows, f"{right} of {len(labels)} {reviews} reviews are judged right")


def guess_roundabout() -> GuessChoice:
    """Ask how many reviews that avoid the plain word are judged right."""

    def answer() -> str:
        right, _ = judged("roundabout")
        return FEW if right <= 3 else SOME if right <= 6 else MOST

    return GuessChoice(
        f"Of eight plain reviews, such as “{list(PLAIN)[0]}”, the model gets {judged('plain')[0]} right. "
        f"Eight others say it in a roundabout way, such as “{list(ROUNDABOUT)[1]}” How many of these?",
        [FEW, SOME, MOST],
        answer,
        see=lambda: judged("roundabout")[1],
    )


def our_classify(pooled: np.ndarray, weight: np.ndarray, bias: np.ndarray) -> np.ndarray:
    return softmax(weight @ pooled + bias)


def pooled_vector(tuned: Any, text: str) -> np.ndarray:
    """Return the vector of [CLS] after the pooler, (D,)."""
    rows, labels, _ = tuned.task.encode(examples_of([text]))
    with torch.no_grad():
        hidden = tuned.model.encoder(**tuned.task.inputs(tuned.task.collate(rows, labels), "cpu"))["hidden"]
        return torch.tanh(tuned.model.heads["label"].pooler(hidden[0, 0])).numpy()


def with_mine(classify: Callable) -> Controls:
    """Judge a review with the student's function on top of the English sentiment model."""
    used, said = either(classify, our_classify)
    tuned = sentiment()
    head = tuned.model.heads["label"].classifier
    weight, bias = head.weight.detach().numpy(), head.bias.detach().numpy()

    def draw(text: str) -> str:
        shares = used(pooled_vector(tuned, text), weight, bias)
        shown = ", ".join(f"{number:.2f}" for number in pooled_vector(tuned, text)[:4])
        return (
            f"<p><small>{said}</small></p>{verdict_html(tuned.labels, shares)}"
            f"<p>[CLS] after the pooler: {shown}, … ({weight.shape[1]} numbers). New in this task: "
            f"{weight.size + bias.size} weights.</p>"
        )

    return Controls(draw, text=sentence_box("I could watch this film every day."))


def everyday(question: str, test: bool) -> list[TextExample]:
    """Return sentences with the label of a question, those to learn from or those of the test."""
    lines = files("minibert.course.unit06").joinpath("everyday.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return [
        TextExample(text, second=None, label=kinds[QUESTIONS[question]], id="0", line=1)
        for i, (*kinds, text) in enumerate(rows)
        if (i % 10 >= FIRST) == test
    ]


@cache
def taught(question: str, scratch: bool) -> Any:
    """Fine-tune the English encoder, or one with random weights, to answer one of the QUESTIONS."""
    torch.manual_seed(0)
    model: Any = english()
    return finetune(
        "text",
        Encoder(model.config) if scratch else copy.deepcopy(model.encoder),
        model.tokenizer,
        everyday(question, test=False),
        epochs=EPOCHS,
        peak_rate=PEAK_RATE,
        pooler=None if scratch else model.pooler,
        progress=False,
        precision=torch.float32,
    )[0]


def right_answers(question: str, tuned: Finetuned | None = None) -> float:
    """Return the percentage of right answers on the test; without a model, of always the same one."""
    examples = everyday(question, test=True)
    answers = tuned.task.answer(tuned.model, examples) if tuned else [examples[0].label] * len(examples)
    return 100 * accuracy([example.label for example in examples], answers)


def teach() -> Controls:
    """Fine-tune the English model live for two tasks, compare, and judge a sentence of the student's own."""
    rows = {"always the same label": [right_answers(question) for question in QUESTIONS]}
    for name, scratch in STARTS.items():
        rows[name] = [right_answers(question, taught(question, scratch)) for question in QUESTIONS]
    counts = [len(everyday("Past or future?", test)) for test in (False, True)]
    best = " and ".join(f"{score:.0f}%" for score in rows["fine-tuned"])
    table = leaderboard(
        list(QUESTIONS),
        rows,
        f"Fine-tuned on {counts[0]} sentences: {best} of {counts[1]} others right. (One seed: a sentence "
        f"more or less is {100 / counts[1]:.0f} points.)",
        head="training",
    )

    def draw(text: str) -> str:
        both = (taught(question, scratch=False) for question in QUESTIONS)
        return table + "".join(verdict_html(tuned.labels, probabilities(tuned, [text])[0]) for tuned in both)

    return Controls(draw, text=sentence_box("Tomorrow we will make dumplings."))
