"""The opening of the lesson, and where a model's megabytes and its work are."""

from collections.abc import Callable
from functools import cache
from typing import Any

import ipywidgets as widgets
import torch

from minibert.config import ModelConfig
from minibert.course.widgets.guess import columns_html, sentence_box
from minibert.course.widgets.guess_then_see import GuessChoice
from minibert.course.widgets.plots import DARK, NAME_SIZE, plain
from minibert.course.widgets.tables import score_table
from minibert.course.widgets.try_it import either
from minibert.course.widgets.view import ORANGE, SKY, YELLOW, Controls, Drawing, View, figure, panels
from minibert.finetuning.compression.student import layer_map
from minibert.model import Encoder
from minibert.model.checkpoints.pretrained import Pretrained

from . import ours
from .chart import PANEL
from .exam import gaps, is_english, milliseconds, parameters, with_encoder, with_fewer_bits, with_layers
from .heads import Heads

PARTS = {"embeddings": SKY, "attention": YELLOW, "feed-forward": ORANGE}
TOKENS = 32  # of the text for which multiplications are counted
GROUP = 128  # weights that share a step
TIME = "milliseconds, measured now in turns (quartiles)"
WAYS = "8 bits for each weight", "4 bits for each weight", "half of the layers", "half of the heads"


def shrink(model: Pretrained) -> Controls:
    """Show what a model and a smaller copy of it put into the gap of a sentence."""
    made = smaller_copies(model)

    def draw(sentence: str, way: str) -> str:
        if "[MASK]" not in sentence:
            return "<p>Write a sentence with [MASK] for a gap.</p>"
        whole, (small, size) = with_encoder(model, model.encoder), made(way)
        before = ours.megabytes(parameters(whole.model), 32)
        names, models = ("as it is", way), (whole, small)
        rows = [
            (name, f"{mb:.0f}", f"{median:.1f} ({low:.1f} to {high:.1f})")
            for name, mb, (median, low, high) in zip(names, (before, size), milliseconds(models, sentence))
        ]
        fills = {name: one.fill_mask(sentence)[0] for name, one in zip(names, models)}
        return columns_html(fills) + score_table(["", "megabytes", TIME], rows)

    box = widgets.Dropdown(options=WAYS, description="Smaller by", layout={"width": "340px"})
    return Controls(draw, sentence=sentence_box(gaps(model)[0]), way=box)


def smaller_copies(model: Pretrained) -> Callable[[str], tuple[Pretrained, float]]:
    """Return a function from one of WAYS to the smaller model and its megabytes."""

    @cache
    def made(way: str) -> tuple[Pretrained, float]:
        L = model.config.num_hidden_layers
        if way.endswith("weight"):
            bits = int(way[0])
            small = with_fewer_bits(model, bits, GROUP, ours.rounded)
            return small, ours.megabytes(parameters(small.model), bits + 32 / GROUP)
        if way.endswith("layers"):
            small = with_layers(model, layer_map(L, (L + 1) // 2, "every"))
        else:
            heads = Heads(model)
            small = heads.without(heads.most // 2)
        return small, ours.megabytes(parameters(small.model), 32)

    return made


def count_parts(config: ModelConfig) -> dict[str, int]:
    """Return the parameters of an encoder's parts, by name."""
    with torch.device("meta"):
        encoder = Encoder(config)
    found: Any = encoder.layers
    attention = sum(parameters(layer.attention) for layer in found)
    layers = sum(map(parameters, found))
    return {
        "embeddings": parameters(encoder.embeddings),
        "attention": attention,
        "feed-forward": layers - attention,
    }


def multiplications(config: ModelConfig, tokens: int = TOKENS) -> dict[str, float]:
    """Return the multiplications for a text, in millions, by part; an embedding is looked up, without any."""
    D, F, L = config.hidden_size, config.intermediate_size, config.num_hidden_layers
    return {
        "embeddings": 0.0,
        "attention": L * tokens * (4 * D * D + 2 * tokens * D) / 1e6,
        "feed-forward": L * tokens * 2 * D * F / 1e6,
    }


def where_it_is(model: Pretrained, megabytes: Callable[[float, int], float]) -> View:
    """Draw the megabytes and the multiplications of each part, of this model and of BERT-base."""
    size, said = either(megabytes, ours.megabytes)
    name = "our English model" if is_english(model) else "the course's model"
    configs = {name: model.config, "BERT-base": ModelConfig()}
    mb = {
        one: {part: size(n, 32) for part, n in count_parts(config).items()} for one, config in configs.items()
    }
    work = {one: multiplications(config) for one, config in configs.items()}
    share = mb[name]["embeddings"] / sum(mb[name].values())
    title = f"Embeddings are {share:.0%} of the megabytes of {name}, and cost its encoder no multiplications"
    quantities = {"megabytes (32 bits a weight)": mb, f"million multiplications for {TOKENS} tokens": work}
    drawings = (stacked(label, bars) for label, bars in quantities.items())
    return View(panels(title, *drawings) + f"<p><small>{said}</small></p>")


def stacked(label: str, bars: dict[str, dict[str, float]]) -> Drawing:
    """Draw a bar for each model, divided into parts. label: the quantity."""
    fig, ax = figure(2.4, PANEL)
    whole = max(sum(parts.values()) for parts in bars.values())
    for row, parts in enumerate(bars.values()):
        left = 0.0
        for part, value in parts.items():
            ax.barh(row, value, left=left, color=PARTS[part], edgecolor=DARK, linewidth=0.5, label=part)
            if value > 0.06 * whole:
                place = left + value / 2, row
                ax.text(*place, f"{value:,.0f}", ha="center", va="center", fontsize=NAME_SIZE, color=DARK)
            left += value
    ax.set_yticks(range(len(bars)), list(bars))
    ax.set(xlabel=label)
    ax.invert_yaxis()
    plain(ax)
    handles, labels = ax.get_legend_handles_labels()
    fig.legend(
        handles[: len(PARTS)],
        labels[: len(PARTS)],
        loc="outside lower center",
        ncols=len(PARTS),
        frameon=False,
        fontsize=NAME_SIZE,
    )
    told = (
        f"{name}: " + ", ".join(f"{part} {value:,.0f}" for part, value in parts.items())
        for name, parts in bars.items()
    )
    return fig, f"{label}. {'; '.join(told)}."


def guess_half_the_layers(model: Pretrained) -> GuessChoice:
    """Ask how large the file is after half of the layers are removed."""
    parts = count_parts(model.config)
    left = 1 - (parts["attention"] + parts["feed-forward"]) / 2 / sum(parts.values())
    choices = {"about a half": 0.5, "about three quarters": 0.75, "about nine tenths": 0.9}
    why = (
        f"<p>{left:.0%}: all embeddings stay, a vector for each of {model.config.vocab_size:,} tokens. The "
        "encoder's multiplications, however, are halved.</p>"
    )
    return GuessChoice(
        "Half of the layers are removed. How large is the encoder's file, compared with before?",
        list(choices),
        lambda: min(choices, key=lambda name: abs(choices[name] - left)),
        see=lambda: why,
    )
