"""Questions and answers compared by their vectors, before and after training on pairs."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from minibert.course.widgets.plots import NAME_SIZE, PANEL_SIZE, cells, headline
from minibert.course.widgets.try_it import either
from minibert.course.widgets.view import Drawing, View, figure, show
from minibert.finetuning.search import unit
from minibert.finetuning.sentences import TEMPERATURE
from minibert.model.encoding import Pooling

from . import ours, search

PAIRS = (
    ("How old are you?", "I turned twenty-seven in March."),
    ("Where can I buy bread?", "The bakery is around the corner."),
    ("What is the weather like?", "It has been raining since this morning."),
    ("Who wrote this novel?", "Jane Austen published it in 1813."),
    ("Why is he in hospital?", "The doctor says that he broke his leg."),
    ("How much does the ticket cost?", "Twelve euros, please."),
)
PANELS: dict[str, tuple[str, Pooling]] = {
    "masked words: [CLS]": ("English model", "cls"),
    "masked words: mean": ("English model", "mean"),
    "trained on pairs: mean": ("published", "mean"),
}


class Compared(NamedTuple):
    """A batch of pairs under one encoder: cosines (B, B) of questions with answers, and the loss."""

    cosines: np.ndarray
    loss: float

    @property
    def own(self) -> float:
        """Return the mean cosine of a question with its own answer."""
        return float(np.diag(self.cosines).mean())

    @property
    def others(self) -> float:
        """Return the mean cosine of a question with the other answers."""
        return float(self.cosines[~np.eye(len(self.cosines), dtype=bool)].mean())


def before_and_after(batch_loss: Callable[[np.ndarray], float]) -> View:
    """Draw the similarity of each question with each answer; `batch_loss` is the student's function."""
    loss, said = either(batch_loss, ours.batch_loss)
    view = show(*similarity_maps({panel: compared(*way, loss) for panel, way in PANELS.items()}))
    return View(f"{view.content}<p><small>{said}</small></p>")


def compared(name: str, pooling: Pooling, loss: Callable[[np.ndarray], float]) -> Compared:
    """Compare the questions of PAIRS with the answers under one encoder."""
    questions, answers = (unit(search.vectors(name, pooling, list(side))) for side in zip(*PAIRS))
    cosines = questions @ answers.T  # (B, B)
    return Compared(cosines, float(loss(cosines / TEMPERATURE)))


def similarity_maps(panels: dict[str, Compared]) -> Drawing:
    """Draw a heat map of cosines for each encoder, with its loss."""
    fig, axes = figure(4.2, ncols=len(panels))
    numbers = [str(number) for number in range(1, len(PAIRS) + 1)]
    told = []
    for ax, (panel, one) in zip(axes, panels.items()):
        rows = [question for question, _ in PAIRS] if ax is axes[0] else numbers
        cells(ax, one.cosines.round(2) + 0.0, rows, numbers, vmin=0, vmax=1)
        ax.set_title(f"{panel}\nloss {one.loss:.2f}", fontsize=PANEL_SIZE)
        ax.set_xlabel("answer", fontsize=NAME_SIZE)
        ax.tick_params(labelsize=NAME_SIZE)
        told.append(
            f"{panel}: own answer {one.own:.2f} on average, others {one.others:.2f}, loss {one.loss:.2f}"
        )
    first, last = list(panels.values())[0], list(panels.values())[-1]
    title = (
        f"Before, other answers are similar to a question, too ({first.others:.2f} on average); "
        f"after training on pairs, hardly ({last.others:.2f})"
    )
    headline(fig, title)
    return fig, f"{title}. {'; '.join(told)}."
