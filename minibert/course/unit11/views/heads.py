"""Heads removed one by one, with their weights, and weights that are only set to 0."""

import time
from functools import cache
from typing import Any

import ipywidgets as widgets
import numpy as np
import torch

from minibert.course.widgets.guess_then_see import GuessChoice
from minibert.course.widgets.plots import DARK, PANEL_SIZE, headline
from minibert.course.widgets.view import SKY, Controls, Drawing, figure, figure_html
from minibert.finetuning.compression.importance import head_importance, least_important
from minibert.finetuning.compression.pruning import magnitude_mask, prune_heads
from minibert.model.checkpoints.pretrained import Pretrained

from . import ours
from .exam import EXAM, OTHERS, Exam, first_matrix, masking, parameters, sentences, sequences, with_encoder
from .gaps import fills_html

ORDERS = "the least important first", "at random", "the most important first"


class Heads:
    """The heads of a model in the order in which they are removed; each layer keeps one.

    importance: (L, H), measured on other sentences than those of the exam. most: how many can be removed.
    """

    def __init__(self, model: Pretrained) -> None:
        self.model = model
        self.shape = model.config.num_hidden_layers, model.config.num_attention_heads
        self.most = self.shape[0] * (self.shape[1] - 1)

    @property
    def importance(self) -> np.ndarray:
        return importance_of(self.model)

    def chosen(self, count: int, order: str = ORDERS[0]) -> list[tuple[int, int]]:
        """Return the first `count` heads to remove in an order, one of ORDERS."""
        scores = self.importance
        if order == ORDERS[1]:
            scores = np.random.default_rng(0).random(self.shape)
        return least_important(-scores if order == ORDERS[2] else scores, count)

    def without(self, count: int, order: str = ORDERS[0]) -> Pretrained:
        """Return the model without `count` heads."""
        return with_encoder(self.model, prune_heads(self.model.encoder, self.chosen(count, order)))


@cache
def importance_of(model: Pretrained) -> np.ndarray:
    """Return the importance of each head for masked tokens, (L, H)."""
    objective: Any = masking(model)
    rows = sequences(model, sentences(model)[EXAM : EXAM + OTHERS])
    one = with_encoder(model, model.encoder).model
    return head_importance(one, objective, rows, [0] * len(rows))


def remove_heads(model: Pretrained) -> Controls:
    """Show which heads are removed, and what the model then puts into gaps."""
    heads, exam = Heads(model), Exam(model)
    whole = with_encoder(model, model.encoder)

    @cache
    def measured(count: int, order: str) -> tuple[Pretrained, float]:
        small = heads.without(count, order)
        return small, exam.score(small)

    def draw(count: int, order: str) -> str:
        small, score = measured(count, order)
        size, before = (ours.megabytes(parameters(one.model), 32) for one in (small, whole))
        L, H = heads.shape
        title = (
            f"{L * H - count} of {L * H} heads left: {score:.0f}% of {exam.count} masked tokens right "
            f"(all heads: {measured(0, order)[1]:.0f}%), {size:.0f} of {before:.0f} MB"
        )
        return figure_html(*head_grid(heads, count, order, title)) + fills_html(model, small)

    return Controls(
        draw,
        count=widgets.IntSlider(0, 0, heads.most, description="Removed", continuous_update=False),
        order=widgets.Dropdown(options=ORDERS, description="Order", layout={"width": "300px"}),
    )


def head_grid(heads: Heads, count: int, order: str, title: str) -> Drawing:
    """Draw a box for each head: filled if it is left, and empty with a cross if it is removed."""
    (L, H), gone = heads.shape, set(heads.chosen(count, order))
    fig, ax = figure(0.9 + 0.24 * L)
    for layer, head in np.ndindex(L, H):
        left = (layer, head) not in gone
        ax.barh(
            layer,
            0.86,
            left=head + 0.07,
            height=0.8,
            color=SKY if left else "none",
            edgecolor=DARK,
            linewidth=0.6,
        )
        if not left:
            ax.text(head + 0.5, layer, "×", ha="center", va="center", fontsize=9)
    ax.set_yticks(range(L), [f"layer {i + 1}" for i in range(L)])
    ax.set_xticks(np.arange(H) + 0.5, range(1, H + 1))
    ax.set(xlim=(0, H), ylim=(L - 0.5, -0.5))
    ax.set_xlabel("head (a cross: removed)", fontsize=PANEL_SIZE)
    ax.tick_params(length=0)
    ax.spines[:].set_visible(False)
    headline(fig, title)
    removed = ", ".join(f"layer {i + 1}: {sum(layer == i for layer, _ in gone)}" for i in range(L))
    return fig, f"{title}. Removed heads by layer. {removed}."


def guess_zeros(model: Pretrained) -> GuessChoice:
    """Ask how much time is saved if most weights of the model are 0."""
    SHARE = 0.9

    def measured() -> str:
        weights = torch.from_numpy(first_matrix(model))
        x = torch.randn(128, weights.shape[1], generator=torch.Generator().manual_seed(0))
        zeros = torch.from_numpy(magnitude_mask(weights.numpy(), SHARE))
        full, thin = (times(x, one) for one in (weights, weights * zeros))
        zeroed = 1 - zeros.float().mean()
        return (
            f"<p>One matrix here, now: {full:.2f} ms, and {thin:.2f} ms with {zeroed:.0%} of its weights at "
            "0. A matrix product multiplies by 0 as by any other number, and the file stores each 0. Only "
            "special formats and hardware use them. If whole rows and columns go, as with heads and layers, "
            "the matrices are smaller on any hardware.</p>"
        )

    return GuessChoice(
        f"In each matrix, the {SHARE:.0%} smallest weights are set to 0. How much faster is the model?",
        ["not at all", "about twice", "about ten times"],
        lambda: "not at all",
        see=measured,
    )


def times(x: torch.Tensor, weights: torch.Tensor) -> float:
    """Return the milliseconds of x (N, D) times weights (F, D): the fastest of many runs."""
    found = []
    for _ in range(50):
        begin = time.perf_counter()
        x @ weights.T
        found.append(time.perf_counter() - begin)
    return 1000 * min(found)
