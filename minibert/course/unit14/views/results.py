"""What BERT and GPT wrote in the generated language, judged by its exact reader: the stored measurements."""

import html
from typing import Any

import ipywidgets as widgets
import numpy as np

from minibert.course import tables
from minibert.course.widgets.guess_then_see import GuessChoice
from minibert.course.widgets.plots import DARK, LINES, NAME_SIZE, PANEL_SIZE, headline, name_lines, plain
from minibert.course.widgets.view import BLUE, ORANGE, YELLOW, Controls, Drawing, View, figure, show

GPT, GIBBS, START, METROPOLIS = "GPT", "Gibbs", "Gibbs from real text", "Metropolis-Hastings"
COLORS = {"real text": YELLOW, GPT: ORANGE}
TASKS = {"the last sentence": "last", "a whole biography": "whole"}
PANELS = (  # title, task and measure
    ("last sentence: grammatical", "last", "grammatical"),
    ("biography: grammatical", "whole", "grammatical"),
    ("biography: different", "whole", "different sentences"),
)
LABELS = {
    "one draw": "BERT: one draw of all tokens",
    "Mask-Predict": "BERT: Mask-Predict, likeliest",
    "Mask-Predict, drawn": "BERT: Mask-Predict, drawn",
    GIBBS: "BERT: Gibbs, from [MASK]",
    START: "BERT: Gibbs, from a real text",
    METROPOLIS: "BERT: Metropolis-Hastings",
}


def written() -> dict[str, dict[str, Any]]:
    """Return the measurements: {task: {way: results}}."""
    return tables.stored("after_bert")["writing"]


def guess_writes() -> GuessChoice:
    """Ask how many of BERT's sentences are grammatical, compared with GPT's."""
    shares = {way: row["grammatical"][0] for way, row in written()["last"].items()}
    choices = {"about as many": 1.0, "about half as many": 0.5, "hardly any": 0.0}
    right = shares[GIBBS] / shares[GPT]
    return GuessChoice(
        "A GPT and a BERT of the same size, trained for as many steps on the same generated biographies, "
        f"write the last sentence of new ones. {shares[GPT]:.0f}% of GPT's sentences are grammatical. And of "
        "BERT's, by Gibbs sampling?",
        list(choices),
        lambda: min(choices, key=lambda name: abs(choices[name] - right)),
        see=writing_bars,
    )


def writing_bars() -> Drawing:
    """Draw how many sentences of each writer are grammatical, with 95% intervals, and how many differ."""
    found = written()
    ways = list(found["last"])
    fig, axes = figure(1.0 + 0.34 * len(ways), ncols=3, sharey=True)
    told = []
    for ax, (title, task, measure) in zip(axes, PANELS):
        for row, way in enumerate(ways):
            if way not in found[task]:
                ax.text(2, row, "not run", va="center", fontsize=NAME_SIZE)
                continue
            value, *ends = np.ravel(found[task][way][measure])
            ax.barh(row, value, color=COLORS.get(way, BLUE), edgecolor=DARK, linewidth=0.5)
            if ends:
                ax.plot(ends, [row, row], color="black", linewidth=1.5)
            ax.text(max([value, *ends]) + 2, row, f"{value:.0f}%", va="center", fontsize=NAME_SIZE)
            interval = f" ({ends[0]:.0f} to {ends[1]:.0f})" if ends else ""
            told.append(f"{title}, {LABELS.get(way, way)} {value:.0f}%{interval}")
        ax.set_title(title, fontsize=PANEL_SIZE)
        ax.set(xlim=(0, 128), xlabel="% of the sentences")
        plain(ax)
    axes[0].set_yticks(range(len(ways)), [LABELS.get(way, way) for way in ways])
    axes[0].invert_yaxis()
    gpt, bert = (found["last"][way]["grammatical"][0] for way in (GPT, GIBBS))
    title = f"GPT writes {gpt:.0f}% grammatical sentences, BERT from only [MASK] {bert:.0f}%"
    headline(fig, title)
    return fig, f"{title}. {'; '.join(told)}."


def over_sweeps() -> View:
    """Draw, sweep by sweep, how grammatical the chains are, and how many tokens they change."""
    rows = {way: written()["last"][way] for way in (START, GIBBS, METROPOLIS)}
    fig, (left, right) = figure(3.4, ncols=2)
    sweeps = np.arange(1, 1 + len(rows[GIBBS]["by sweep"]))
    told = []
    for (color, marker, dash), (way, row) in zip(LINES, rows.items()):
        left.plot(sweeps, row["by sweep"], dash, color=color, marker=marker, markersize=4)
        changed = 100 * np.array(row["changed"])
        right.plot(sweeps[1:], changed, dash, color=color, marker=marker, markersize=4)
        told.append(
            f"{way}: grammatical {row['by sweep'][0]:.0f}% after the first sweep, {row['by sweep'][-1]:.0f}% "
            f"after the last; the last sweep changed {changed[-1]:.0f}% of the tokens"
        )
    left.set(xlabel="sweep", ylabel="grammatical sentences, %", ylim=(-3, 70))
    right.set(xlabel="sweep", ylabel="tokens that the sweep changed, %", ylim=(0, 70))
    for ax in (left, right):
        plain(ax)
    for ax, of in ((left, "by sweep"), (right, "changed")):
        scale = 1 if of == "by sweep" else 100
        name_lines(ax, [(way, sweeps[-1], scale * row[of][-1]) for way, row in rows.items()])
    first, last = rows[START]["by sweep"][0], rows[START]["by sweep"][-1]
    title = (
        f"Even from a real text: {first:.0f}% are grammatical after one sweep, {last:.0f}% after {sweeps[-1]}"
    )
    headline(fig, title)
    return show(fig, f"{title}. {'; '.join(told)}.")


def samples() -> Controls:
    """Show texts that were written in the generated language, and how varied they are."""
    found = written()

    def draw(task: str, by: str) -> str:
        row = found[TASKS[task]].get(by)
        if row is None:
            return "<p>This was not run for whole biographies, because each step reads a text many times.</p>"
        texts = "".join(f"<li>{html.escape(text)}</li>" for text in row["examples"])
        return (
            f'<ul style="max-width:56em">{texts}</ul><p>Of {row["sentences"]} sentences, '
            f"{row['different sentences']:.0f}% are different; {row['repeated words']:.1f}% of the words "
            "repeat the word before.</p>"
        )

    return Controls(
        draw,
        task=widgets.Dropdown(options=list(TASKS), description="Text"),
        by=widgets.Dropdown(
            options=[(LABELS.get(way, way), way) for way in found["last"]], value=GIBBS, description="Writer"
        ),
    )
