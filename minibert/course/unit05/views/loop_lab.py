"""A lab that trains small models with the student's own training loop and plots the losses live.

Each run reads the same number of sequences, whatever its batch size, and is evaluated on held-out documents.
"""

import html
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import ipywidgets as widgets
import numpy as np
import torch
from IPython.display import display
from torch import nn

from minibert.course.widgets.learning_curves import LiveCurve
from minibert.course.widgets.tables import score_table
from minibert.course.widgets.try_it import tried
from minibert.course.widgets.view import Drawing, beside, figure_html
from minibert.training.micro_batch import loss_of_batch

RATES = (1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 1e-1)
BATCHES = (8, 16, 32, 64, 128)
SEQUENCES = 4800  # read by each run
HELD_OUT = 120  # documents to measure on
SMOOTH = 640  # sequences over which a curve is averaged: the same amount of text for every batch size
NOTED = (1, 2, 3, 5, 10, 20, 30, 50, 75, 100, 150, 200, 250, 300)  # steps at which `moves` are measured
SHOWN = 4  # runs in the figure
EVERY = 1.5  # seconds between drawings

Loop = Callable[..., list[float]]


def plain_loop(
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    loss_of: Callable[[nn.Module, Any], torch.Tensor],
    batches: Sequence[Any],
    rates: Sequence[float],
) -> list[float]:
    """Train a model for one step per batch, with a learning rate for each, and return the losses."""
    losses = []
    for batch, rate in zip(batches, rates):
        for group in optimizer.param_groups:
            group["lr"] = rate
        optimizer.zero_grad()
        loss = loss_of(model, batch)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        losses.append(loss.item())
    return losses


def is_right(function: Callable) -> bool:
    """Return whether all examples in a function's docstring give the expected results."""
    return all(one.right for one in tried(function) if one.wanted)


@dataclass
class LabRun:
    """A training run: its hyperparameters, and the MLM loss and number of tokens of each step.

    dev_loss: the MLM loss on held-out documents after the last step. seconds: the duration of the training
    loop. moves: maps some steps to the mean distance that Adam moves an encoder weight in the step, in units
    of the learning rate.
    """

    rate: float
    warmup: int
    batch_size: int
    seed: int
    losses: list[float]
    tokens: list[int]
    moves: dict[int, float]
    model: Any = None
    dev_loss: float = float("nan")
    seconds: float = float("nan")

    @property
    def name(self) -> str:
        """Return the run's name in a figure: its hyperparameters."""
        again = f" · seed {self.seed}" if self.seed else ""
        return f"{self.rate:g} · {self.warmup}% · {self.batch_size}{again}"

    def curve(self) -> list[tuple[float, float]]:
        """Return points (tokens read, mean loss) for a smoothed plot of the training loss.

        Each mean covers the same number of sequences, whatever the batch size.
        """
        width = max(1, SMOOTH // self.batch_size)
        read = np.cumsum(self.tokens)
        ends = range(width, len(self.losses) + 1, max(1, width // 4))
        return [(float(read[end - 1]), float(np.mean(self.losses[end - width : end]))) for end in ends]


def adam_move(model: nn.Module, optimizer: torch.optim.Optimizer) -> float:
    """Return how far Adam moves an encoder weight on average, in units of the learning rate.

    This is the mean of |m| / sqrt(v) over the weight matrices of the encoder's layers, with bias-corrected
    running means m and v, or NaN if the optimizer has none.
    """
    moves = []
    for weight in model.encoder.layers.parameters():  # type: ignore[union-attr, operator]
        state = optimizer.state.get(weight, {})
        if weight.dim() > 1 and "exp_avg_sq" in state:
            (b1, b2), step = optimizer.param_groups[0]["betas"], float(state["step"])
            mean, square = state["exp_avg"] / (1 - b1**step), state["exp_avg_sq"] / (1 - b2**step)
            moves.append((mean.abs() / (square.sqrt() + 1e-8)).flatten())
    return float(torch.cat(moves).mean()) if moves else float("nan")


class LoopLab(widgets.VBox):
    """A widget with sliders for the hyperparameters and a button that trains a new model with `loop`.

    loop(model, optimizer, loss_of, batches, rates): trains the model and returns the losses. If an example in
    the docstring of `loop` fails, `plain_loop` is used instead. fresh(seed): makes a model. objective: an
    Objective whose loss has a term "mlm". documents: lists of sentences, which are lists of token ids.
    schedule(step, steps, peak, warmup): returns the learning rate of a step. The attribute `baseline` is the
    MLM loss on the held-out documents if each token is predicted with its frequency in the training text.
    """

    def __init__(
        self,
        loop: Loop,
        fresh: Callable[[int], Any],
        objective: Any,
        documents: Sequence[Sequence[Sequence[int]]],
        schedule: Callable[..., float],
    ):
        self.own = is_right(loop)
        self.loop = loop if self.own else plain_loop
        self.fresh, self.objective, self.schedule = fresh, objective, schedule
        self.rows, self.labels = objective.build(documents[HELD_OUT:], np.random.default_rng(0))
        self.held_out = objective.collate(*objective.build(documents[:HELD_OUT], np.random.default_rng(0)))
        self.baseline = self.frequency_loss(self.held_out)
        self.runs: list[LabRun] = []  # started with the button
        self.trained: list[LabRun] = []  # all runs
        style: dict[str, Any] = {"style": {"description_width": "initial"}, "layout": {"width": "22rem"}}
        self.rate = widgets.SelectionSlider(
            options=[(f"{rate:g}", rate) for rate in RATES], value=3e-3, description="Learning rate", **style
        )
        self.warmup = widgets.IntSlider(10, min=0, max=50, step=5, description="Warm-up, %", **style)
        self.batch_size = widgets.SelectionSlider(
            options=BATCHES, value=16, description="Batch size", **style
        )
        self.button = widgets.Button(description="Train", button_style="primary")
        self.button.on_click(lambda _: self.train())
        self.plan, self.view = widgets.HTML(), widgets.HTML()
        for control in (self.rate, self.warmup, self.batch_size):
            control.observe(lambda _: self.tell(), "value")
        self.tell()
        row = widgets.HBox([self.rate, self.warmup, self.batch_size], layout={"flex_flow": "row wrap"})
        super().__init__([row, widgets.HBox([self.button, self.plan]), self.view])

    def frequency_loss(self, held_out: Any) -> float:
        """Return the MLM loss on `held_out` if tokens are predicted with their training frequencies."""

        def targets(batch, seed):
            labels = self.objective.corrupt(batch, np.random.default_rng(seed))[1]["tokens"]
            return labels[labels >= 0]

        counts = 1 + np.bincount(
            targets(self.objective.collate(self.rows, self.labels), 0), minlength=self.objective.vocab_size
        )
        return float(-np.log(counts / counts.sum())[targets(held_out, 1)].mean())

    def run(
        self,
        rate: float = 3e-3,
        warmup: int = 10,
        batch_size: int = 16,
        seed: int = 0,
        watch: Callable[[LabRun], None] = lambda run: None,
    ) -> LabRun:
        """Train a new model, evaluate it on the held-out documents, and return the run.

        rate: the peak learning rate. warmup: the percentage of steps in the warm-up. watch: a function that
        is called with the unfinished run before each step.
        """
        steps = SEQUENCES // batch_size
        run = LabRun(rate, warmup, batch_size, seed, [], [], {})
        run.model = model = self.fresh(seed)
        optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
        masks, order = np.random.default_rng([seed, 1]), self.order(seed)
        batches = [self.collated(order[i * batch_size : (i + 1) * batch_size]) for i in range(steps)]
        rates = [self.schedule(step, steps, rate, round(steps * warmup / 100)) for step in range(steps)]

        def loss_of(model: nn.Module, batch: Any) -> torch.Tensor:
            if len(run.losses) in NOTED:
                run.moves[len(run.losses)] = adam_move(model, optimizer)
            watch(run)
            loss, terms = loss_of_batch(self.objective, model, batch, masks)
            run.losses.append(float(terms["mlm"].detach()))
            run.tokens.append(int(batch.real.sum()))
            return loss

        model.train()
        torch.manual_seed(seed)
        start = time.perf_counter()
        self.loop(model, optimizer, loss_of, batches, rates)
        run.seconds = time.perf_counter() - start
        model.eval()
        with torch.no_grad():
            _, terms = loss_of_batch(self.objective, model, self.held_out, np.random.default_rng(1))
            run.dev_loss = float(terms["mlm"])
        self.trained.append(run)
        return run

    def three_seeds(self, **settings: Any) -> list[LabRun]:
        """Return runs with seeds 0, 1 and 2, training only the ones not trained before.

        settings: keyword arguments of `run`.
        """
        settings = {"rate": 3e-3, "warmup": 10, "batch_size": 16, **settings}
        runs = []
        for seed in range(3):
            name = LabRun(**settings, seed=seed, losses=[], tokens=[], moves={}).name
            runs += [run for run in self.trained if run.name == name][:1] or [self.run(**settings, seed=seed)]
        return runs

    def order(self, seed: int) -> np.ndarray:
        """Return the indices of the sequences that a run reads, as successive random permutations."""
        rng, count = np.random.default_rng(seed), len(self.rows)
        return np.concatenate([rng.permutation(count) for _ in range(-(-SEQUENCES // count))])[:SEQUENCES]

    def collated(self, numbers: np.ndarray) -> Any:
        labels = self.labels and [self.labels[i] for i in numbers]
        return self.objective.collate([self.rows[i] for i in numbers], labels)

    def tell(self) -> None:
        """Show a description of the next run beside the button that starts it."""
        steps = SEQUENCES // self.batch_size.value
        warmup = round(steps * self.warmup.value / 100)
        up = f"rises to {self.rate.value:g} in {warmup} steps" if warmup else f"starts at {self.rate.value:g}"
        self.plan.value = (
            f"<span role='status' style='margin-left:1em'>{steps:,} steps of "
            f"{self.batch_size.value} sequences; the learning rate {up}, then decays to 0."
            "</span>"
        )

    def train(self) -> None:
        """Train with the values of the sliders, and plot the losses live."""
        settings = self.rate.value, self.warmup.value, self.batch_size.value
        seed = sum((one.rate, one.warmup, one.batch_size) == settings for one in self.runs)
        due = time.monotonic() + EVERY

        def watch(run: LabRun) -> None:
            nonlocal due
            if time.monotonic() > due:
                self.draw(run)
                due = time.monotonic() + EVERY

        self.button.disabled = True
        try:
            self.runs.append(self.run(*settings, seed, watch))
            self.draw()
        except Exception as error:
            said = html.escape(f"{type(error).__name__}: {error}")
            self.view.value = f'<p class="minibert-error" role="alert">{said}</p>'
        finally:
            self.button.disabled = False

    def draw(self, running: LabRun | None = None) -> None:
        """Plot the latest runs, including `running` if a run is in progress, and list their results."""
        runs = [*self.runs, *([running] if running else [])][-SHOWN:]
        drawn = run_curves(
            {run.name: run for run in runs},
            self.baseline,
            "MLM loss in training, by learning rate · warm-up · batch size",
        )
        whose = "your loop" if self.own else "the package's loop, since yours is not right yet"
        done = [
            (
                f"{run.rate:g}",
                f"{run.warmup}%",
                f"{run.batch_size}",
                f"{len(run.losses):,}",
                f"{run.dev_loss:.2f}",
            )
            for run in runs
            if run is not running
        ]
        table = (
            score_table(
                ("learning rate", "warm-up", "batch size", "steps", "loss on held-out documents"), done
            )
            if done
            else ""
        )
        self.view.value = f"{figure_html(*drawn)}{table}<p><small>Trained by {whose}.</small></p>"

    def start(self) -> None:
        """Show the lab, and train once with the initial values of the sliders."""
        handle = display(self, display_id=True)
        self.train()
        if handle:
            handle.update(self)

    def _repr_mimebundle_(self, **kwargs):
        """Return the live widget, and its current content as HTML for viewers without a Jupyter kernel."""
        return beside(super()._repr_mimebundle_(**kwargs), self.view.value)


class Curves(LiveCurve):
    """A plot of the loss curves of multiple runs, with the title `headline`."""

    headline = ""

    def title(self) -> str:
        """Return the title of the figure."""
        return self.headline


def run_curves(runs: Mapping[str, LabRun], baseline: float, title: str) -> Drawing:
    """Plot the training losses of runs against the number of tokens read; return (Figure, description).

    runs: maps names to runs. baseline: a loss to show as a horizontal line.
    """
    lines = Curves("MLM loss", over="tokens", lines={"knows frequencies only": baseline})
    lines.headline = title
    lines.curves = {name: run.curve() for name, run in runs.items()}
    return lines.draw()


def seed_table(runs: Mapping[str, Sequence[LabRun]], what: str) -> str:
    """Return an HTML table with the mean and range of the held-out loss for each name in `runs`.

    runs: maps names to runs with different seeds. what: the heading of the column of names.
    """
    seeds = min(map(len, runs.values()))
    return score_table(
        (what, f"loss on held-out documents: mean of {seeds} seeds (range)"),
        [(name, by_seed(some)) for name, some in runs.items()],
    )


def first_right(
    fill: Callable[[str], list[tuple[str, float]]], documents: Sequence[Sequence[str]], count: int = 2
) -> list[tuple[str, str, list[tuple[str, float]]]]:
    """Mask the words of a text one at a time, and return the first `count` that are predicted correctly.

    fill(text with [MASK]): returns the most likely tokens with their probabilities, best first. Returns a
    list of (text with [MASK], word, result of `fill`).

    >>> first_right(lambda text: [("sees", 0.9)], [["A dog sees a cat."]])
    [('A dog [MASK] a cat.', 'sees', [('sees', 0.9)])]
    """
    found: dict[str, tuple[str, str, list[tuple[str, float]]]] = {}
    for sentence in (sentence for document in documents for sentence in document):
        for word in re.findall(r"[a-z]+", sentence.lower()):
            text = re.sub(rf"\b{word}\b", "[MASK]", sentence, count=1, flags=re.I)
            top = fill(text)
            if top[0][0] == word:
                found.setdefault(word, (text, word, top))
            if len(found) == count:
                return list(found.values())
    return list(found.values())


def by_seed(runs: Sequence[LabRun]) -> str:
    """Return the held-out losses of runs as text: "mean (lowest to highest)".

    >>> by_seed([LabRun(0.1, 0, 8, seed, [], [], {}, None, loss) for seed, loss in enumerate((1.0, 2.0))])
    '1.50 (1.00 to 2.00)'
    """
    losses = [run.dev_loss for run in runs]
    return f"{np.mean(losses):.2f} ({min(losses):.2f} to {max(losses):.2f})"
