"""Write the tour's report: one HTML file with all figures, which opens without a network connection."""

import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from minibert.readers.writing import write_text

from ..widgets.attention import attention_map
from ..widgets.view import BLUE, VERMILLION, Drawing, figure, figure_html
from .english import english_section

LABEL_COLOURS = {"PER": "#56B4E9", "LOC": "#9ad17f", "ORG": "#E69F00", "DATE": "#F0E442"}  # for black text
STYLE = """body { font: 16px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; }
table { border-collapse: collapse; }
td, th { padding: .25em .8em; border-bottom: 1px solid #8888; text-align: left; }
td.number { text-align: right; font-variant-numeric: tabular-nums; }
mark { padding: 0 .2em; border-radius: .2em; color: #000; }
sub { font-size: .65em; } figure { margin: 1em 0; } h2 { margin-top: 2em; }"""


def write_report(path: Path, figures: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> Path:
    """Write the tour's HTML report and its figures `learning.svg` and `english.svg`, and return `path`.

    path: the file for the report; the figures are written to the same folder. figures: the results of each
    stage of the tour, by name. rows: the rows of the results table, from `figures_table`.
    """
    pre, qa, ner = figures["pretraining"], figures["qa"], figures["ner"]
    learning = figure_html(*pretraining_curve(pre["curve"]))
    write_text(path.with_name("learning.svg"), learning.replace("currentColor", "#777"))
    gain = qa["pretrained"]["F1"] - qa["scratch"]["F1"]
    sections = [
        ("Results", table(rows)),
        (
            "The language",
            f"<p>One of the {figures['language']['documents']:,} documents of this run:</p>"
            f"<blockquote>{html.escape(figures['language']['sample'])}</blockquote>",
        ),
        (
            "The subwords",
            f"<p>The vocabulary has {figures['vocabulary']['pieces']:,} entries, learned from "
            f"{figures['vocabulary']['forms']:,} word forms. A sentence of the text: "
            f"{html.escape(' · '.join(figures['vocabulary']['sentence_pieces']))}</p>",
        ),
        (
            "Pretraining",
            f"<figure>{learning}</figure>"
            + image(
                *attention_map(
                    np.array(pre["attention"]["probs"]), pre["attention"]["tokens"], pre["attention"]["title"]
                )
            ),
        ),
        (
            "Question answering",
            f"<p>There are {qa['labelled']} labelled questions. F1 differs by {gain:+.1f} points from that"
            f" of the same model trained from scratch.</p>"
            + image(*task_curves(qa["curves"], "question answering"))
            + qa_example(qa),
        ),
        (
            "Named entities",
            f"<p>There are {ner['labelled']} labelled sentences. The names in the test set do not occur in"
            " labelled examples, only in the unlabelled text. The same name may be a person, a place or a"
            " firm, depending on the context.</p>"
            + image(*task_curves(ner["curves"], "named entities"))
            + ner_example(ner),
        ),
        *([("Grading", submissions(figures["grading"]["submissions"]))] if "grading" in figures else []),
        ("In real English", english_section(path.parent)),
    ]
    body = "".join(f"<h2>{title}</h2>\n{content}\n" for title, content in sections)
    write_text(
        path,
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>The tour</title>\n'
        f"<style>{STYLE}</style></head>\n<body><h1>From text to answers: the "
        f"tour</h1>\n{body}</body></html>\n",
    )
    return path


def image(fig: Figure, alt: str) -> str:
    """Return a figure as HTML. alt: a description of the figure for screen readers."""
    return f"<figure>{figure_html(fig, alt)}</figure>"


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the results as an HTML table; rows: as returned by `figures_table`."""
    head = "<tr><th></th><th>this run</th><th>compared with</th><th>which is</th></tr>"
    return (
        "<table>"
        + head
        + "".join(
            f"<tr><td>{html.escape(r['what'])}</td><td class=number>{r['ours']:.1f}</td>"
            f"<td class=number>{r['beside']:.1f}</td><td>{html.escape(r['note'])}</td></tr>"
            for r in rows
        )
        + "</table>"
    )


def smooth(values: Sequence[float] | np.ndarray, window: int) -> np.ndarray:
    """Return the running mean of N values over windows of `window` values, (N - window + 1,)."""
    return np.convolve(values, np.ones(window) / window, mode="valid")


def stretches(curve: Sequence[Mapping[str, float]], name: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return (steps, values) of the loss `name` for each stretch of consecutive steps in a training log."""
    steps = np.array([entry["step"] for entry in curve if name in entry])
    values = np.array([entry[name] for entry in curve if name in entry])
    gaps = np.flatnonzero(np.diff(steps) > 1) + 1
    return list(zip(np.split(steps, gaps), np.split(values, gaps)))


def pretraining_curve(curve: Sequence[Mapping[str, float]]) -> Drawing:
    """Plot the two losses of pretraining over the steps, and return (Figure, description).

    curve: for each step, a dict of losses.
    """
    fig, axes = figure(3.2, ncols=2)
    window = max(1, len(curve) // 50)
    losses = {name: stretches(curve, name) for name in ("mlm", "nsp")}
    for ax, parts, title in zip(axes, losses.values(), ("Masked words", "Next sentence")):
        for steps, values in parts:
            smoothed = smooth(values, min(window, len(values)))
            ax.plot(steps[-len(smoothed) :], smoothed, color=BLUE)
        for (before, _), (after, _) in zip(parts, parts[1:]):
            ax.text(
                (before[-1] + after[0]) / 2,
                0.1,
                "not trained here",
                ha="center",
                transform=ax.get_xaxis_transform(),
            )
        first, last = parts[0][1][:window].mean(), parts[-1][1][-window:].mean()
        ax.set(
            xlabel="step",
            ylabel="loss (nats)",
            title=f"{title}: {first:.2f} to {last:.2f}",
            xlim=(0, curve[-1]["step"]),
        )
        ax.set_ylim(bottom=0)
    words, pairs = (f"from {parts[0][1][0]:.2f} to {parts[-1][1][-1]:.2f}" for parts in losses.values())
    pause = ", which is not trained in the middle," if len(losses["nsp"]) > 1 else ""
    return fig, (
        f"Two curves. The loss for masked words decreases {words}, and the loss for next sentences{pause} "
        f"{pairs}."
    )


def task_curves(curves: Mapping[str, Sequence[float]], what: str) -> Drawing:
    """Plot the fine-tuning losses of a pretrained and an untrained encoder over the steps.

    curves: the losses of the two encoders, "pretrained" and "scratch". what: the task. Returns (Figure,
    description).
    """
    fig, ax = figure(3.0)
    for (start, values), colour, style in zip(curves.items(), (BLUE, VERMILLION), ("-", "--")):
        window = max(1, len(values) // 25)
        ax.plot(
            np.arange(len(values) - window + 1) + window,
            smooth(values, window),
            style,
            color=colour,
            label=start,
        )
    ax.set(xlabel="step", ylabel="training loss (nats)", title=f"{what.capitalize()}: {verdict(curves)}")
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    last = {start: np.mean(values[-max(1, len(values) // 25) :]) for start, values in curves.items()}
    return fig, (
        f"Training loss for {what}: at the end, it is {last['pretrained']:.2f} for the pretrained model and "
        f"{last['scratch']:.2f} for the model trained from scratch."
    )


def verdict(curves: Mapping[str, Sequence[float]]) -> str:
    """Return a phrase with the losses of a pretrained and an untrained encoder after 20% of the steps."""
    early = {
        start: np.mean(values[len(values) // 5 : len(values) // 5 + 10]) for start, values in curves.items()
    }
    return f"early loss {early['pretrained']:.2f}, from scratch {early['scratch']:.2f}"


def qa_example(qa: Mapping[str, Any]) -> str:
    """Return a test question as HTML, with the answers of the pretrained and the untrained model."""
    pretrained, scratch = qa["pretrained_example"], qa["scratch_example"]
    context = html.escape(pretrained["context"])
    gold = html.escape(pretrained["gold"])
    if gold:
        context = context.replace(gold, f'<mark style="background:{LABEL_COLOURS["PER"]}">{gold}</mark>')
    return (
        f"<blockquote>{context}</blockquote><p><b>{html.escape(pretrained['question'])}</b><br>"
        f"Pretrained: {html.escape(pretrained['answer']) or '(nothing)'}<br>"
        f"From scratch: {html.escape(scratch['answer']) or '(nothing)'}<br>Correct: {gold}</p>"
    )


def ner_example(ner: Mapping[str, Any]) -> str:
    """Return a test sentence as HTML, with the correct tags and those predicted by both fine-tuned models."""
    lines = (
        ("Pretrained", ner["pretrained_example"]["tags"]),
        ("From scratch", ner["scratch_example"]["tags"]),
        ("Correct", ner["pretrained_example"]["gold"]),
    )
    return "".join(
        f"<p>{name}: {tagged(ner['pretrained_example']['words'], tags)}</p>" for name, tags in lines
    )


def tagged(words: Sequence[str], tags: Sequence[str]) -> str:
    """Return words as HTML, with entities in colours and labelled with their BIO tags."""

    def mark(word, tag):
        word = html.escape(word)
        if tag == "O":
            return word
        colour = LABEL_COLOURS.get(tag[2:], "#ccc")
        return f'<mark style="background:{colour}">{word}<sub> {html.escape(tag)}</sub></mark>'

    return " ".join(mark(word, tag) for word, tag in zip(words, tags))


def submissions(results: Sequence[Mapping[str, Any]]) -> str:
    """Return the points and hints for the graded submissions as HTML."""
    items = []
    for result in results:
        hints = (
            "".join(f"<li>{html.escape(hint)}</li>" for hint in result["hints"])
            or "<li>all checks passed</li>"
        )
        items.append(
            f"<p><b>{html.escape(result['student'])}</b>: {result['points']:g} of "
            f"{result['max_points']:g} points</p><ul>{hints}</ul>"
        )
    return "".join(items)
