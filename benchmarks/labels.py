"""Measure the value of pretraining: F1 by number of labelled examples, pretrained and from scratch.

    python benchmarks/labels.py      # writes labels.json, labels.md and labels.svg

It runs the stages of the tour, once per seed; the tour's number of labels (marked) was fixed before seeing
these results. Pretrained models stay in build/labels, so an interrupted run resumes there.
"""

import argparse
import dataclasses
import json
from pathlib import Path

import numpy as np
import places
import torch
from transfer import spread_of

from minibert.config import preset
from minibert.course.tour import TourConfig, run
from minibert.course.widgets.view import BLUE, VERMILLION, figure, figure_html
from minibert.finetuning.run import finetune
from minibert.generated.fingerprint import fingerprint
from minibert.model import Encoder
from minibert.model.checkpoints.published import load_model
from minibert.readers.writing import write_text
from minibert.tokenizer import FastWordPiece
from minibert.training.device import choose_device

HERE = Path(__file__).resolve().parent
SIZES = {"qa": (250, 500, 1000), "ner": (100, 300, 600)}
TITLES = {"qa": "Question answering", "ner": "Named entities"}
LABELS = {"pretrained": "pretrained first", "scratch": "from scratch"}
TOUR = TourConfig()
UNITS = {"qa": "labelled questions", "ner": "labelled sentences"}


def pretrained(seed, stages, config=TOUR):
    """Make the tour's language, tokenizer and model in `stages` unless they exist, and return their sizes."""
    largest = dataclasses.replace(config, seed=seed, questions=max(SIZES["qa"]), sentences=max(SIZES["ner"]))
    if not run.fits(stages, largest):
        stages.mkdir(parents=True, exist_ok=True)
        for stage in (run.language, run.vocabulary, run.pretraining):
            stage(stages, largest, device=choose_device(), precision="auto")
        write_text(stages / "config.json", json.dumps(largest.key()))
    return largest


def measure(seed, stages):
    """Pretrain once, and return {task: {start: [F1 for each size]}}."""
    largest, device, precision = pretrained(seed, stages), choose_device(), torch.float32
    wordpiece = FastWordPiece.load(stages / "vocab.txt")
    scores = {}
    for name, sizes in SIZES.items():
        examples, test = run.labelled(stages, name, largest)
        scores[name] = {"pretrained": [], "scratch": []}
        for size in sizes:
            for start in scores[name]:
                torch.manual_seed(seed)
                encoder = (
                    load_model(stages / "bert").encoder
                    if start == "pretrained"
                    else Encoder(preset(largest.preset, vocab_size=len(wordpiece)))
                )
                tuned, _ = finetune(
                    name,
                    encoder.to(device),
                    wordpiece,
                    examples[:size],
                    seed=seed,
                    precision=precision,
                    progress=False,
                    **run.tuning(name, largest),
                )
                f1 = tuned.task.metric(test, tuned.task.answer(tuned.model, test))["F1"]
                scores[name][start].append(round(float(f1), 2))
                print(f"seed {seed}: {name} {size} {start}: F1 {f1:.1f}", flush=True)
    return scores


def table(results):
    lines = [
        "| task | labelled | pretrained F1 | from scratch F1 | difference (min to max over seeds) |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, sizes in SIZES.items():
        for i, size in enumerate(sizes):
            a, b = (
                np.array([r[name][start][i] for r in results.values()]) for start in ("pretrained", "scratch")
            )
            d = a - b
            lines.append(
                f"| {TITLES[name]} | {size} | {spread_of(a)} "
                f"| {spread_of(b)} | {d.mean():+.1f} ({d.min():+.1f} to {d.max():+.1f}) |"
            )
    return "\n".join(lines) + "\n"


def draw(results):
    fig, axes = figure(3.4, ncols=2)
    chosen = {"qa": TOUR.questions, "ner": TOUR.sentences}
    for ax, (name, sizes) in zip(axes, SIZES.items()):
        for start, colour, style in (("pretrained", BLUE, "o-"), ("scratch", VERMILLION, "s--")):
            scores = np.array([r[name][start] for r in results.values()])  # (seeds, sizes)
            ax.fill_between(sizes, scores.min(0), scores.max(0), color=colour, alpha=0.2, linewidth=0)
            ax.plot(sizes, scores.mean(0), style, color=colour, label=LABELS[start])
        ax.axvline(chosen[name], color="0.6", linewidth=1, linestyle=":")
        gains = [
            np.subtract(r[name]["pretrained"], r[name]["scratch"]) for r in results.values()
        ]  # (seeds, sizes)
        gain = np.mean(gains, axis=0)[sizes.index(chosen[name])]
        ax.set(
            title=f"{TITLES[name]}: {gain:+.0f} points at {chosen[name]}",
            xlabel=UNITS[name],
            ylabel="F1",
            ylim=(0, 100),
            xticks=sizes,
        )
        ax.legend(frameon=False, loc="lower right" if name == "ner" else "upper left")
    return fig, (
        "F1 over the number of labelled examples for two tasks; pretraining first lies above "
        "training from scratch at every size."
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    results = {}
    for seed in range(parser.parse_args().seeds):
        results[seed] = measure(seed, HERE.parent / "build" / "labels" / str(seed))
    places.table("labels").write_text(
        json.dumps({"language": fingerprint(), "sizes": SIZES, "config": TOUR.key(), "f1": results}, indent=1)
        + "\n"
    )
    places.report("labels").write_text(table(results))
    svg = figure_html(*draw(results)).replace("currentColor", "#444")
    (places.RESULTS / "labels.svg").write_text(svg)
    print(table(results))


if __name__ == "__main__":
    main()
