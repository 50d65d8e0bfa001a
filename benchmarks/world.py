"""Measure how well the generated language can be predicted, by an exact reader and by the tour's model.

    python benchmarks/world.py             # writes world.md and world.json

It also measures the speed of writing. It reads the models that labels.py pretrained, and uses held-out
documents with 15% of the tokens masked, always by [MASK]. "of the best" is the model's share of the best
reachable accuracy, counted from the accuracy of the most frequent token. The table shows the mean over the
models, and the lowest and highest of them.
"""

import argparse
import json
import time
from pathlib import Path

import numpy as np
import places
import torch

from minibert.course.models.class_model import WORLD_SEED, load_bert
from minibert.data.batch import collate, visible_all
from minibert.generated import World
from minibert.generated.fingerprint import fingerprint
from minibert.generated.posterior.needs import NEEDS, needs
from minibert.generated.posterior.reachable import (
    best_answers,
    best_left_answers,
    frequency_answers,
    hidden_rows,
    scored,
    split_pairs,
)
from minibert.generated.posterior.reader import Reader
from minibert.readers.writing import write_text
from minibert.training.pretraining import model_answers

HERE = Path(__file__).resolve().parent
SPLIT, ROWS_SEED, TEXT_SEED = "pretrain", 1001, 1
LENGTH = 112


@torch.no_grad()
def pair_accuracies(model, tokens, documents, reader):
    """Return accuracies in percent: a model's and the best for the next sentence, the best for order."""
    found = {"model": [], "next": [], "order": []}
    for number, (a, b, label) in enumerate(split_pairs(documents, np.random.default_rng(0))):
        batch = collate([(a, b)], tokens.specials)
        if batch.input_ids.shape[1] > LENGTH:
            continue
        inputs = (
            torch.from_numpy(x) for x in (batch.input_ids, visible_all(batch.real), batch.token_type_ids)
        )
        logits = model(*inputs, counted=torch.zeros(batch.input_ids.shape, dtype=torch.bool))["pair"]
        found["model"].append(int(logits.argmax()) == label)
        found["next"].append((reader.best_next(batch.input_ids[0]) > 0.5) == bool(label))
        if not label:  # B continues A: swap every other pair
            swapped = number % 2
            row = collate([(b, a) if swapped else (a, b)], tokens.specials).input_ids[0]
            found["order"].append((reader.best_order(row) > 0.5) == bool(swapped))
    return [100 * np.mean(found[name]) for name in found]


def check_line(model, best):
    """Raise SystemExit if a model beats the best by more than chance: a leak, or a wrong limit."""
    error = (0.25 / best.count) ** 0.5  # largest standard error of an accuracy
    if model.accuracy > best.accuracy + 3 * error or model.loss < best.loss - 0.05:
        raise SystemExit(
            f"a model with accuracy {model.accuracy:.3f} (loss {model.loss:.3f}) beats the best reachable "
            f"{best.accuracy:.3f} (loss {best.loss:.3f})"
        )


def rate(world, seconds=3.0):
    """Return the number of words that one process writes per second, with labels."""
    words, start = 0, time.perf_counter()
    for document in world.documents(10**9, seed=5, split=SPLIT):
        words += len(document.text.split())
        if time.perf_counter() - start > seconds:
            break
    return words / (time.perf_counter() - start)


def elsewhere_share(pages):
    """Return the percentage of words (without punctuation) that only another sentence reveals."""
    found = [
        need.elsewhere
        for page in pages
        for need in needs(page)
        if any(map(str.isalnum, " ".join(page.sentences)[need.start : need.end]))
    ]
    return 100 * np.mean(found)


def cell(values, form):
    spread = f" ({form.format(min(values))} to {form.format(max(values))})" if len(values) > 1 else ""
    return form.format(np.mean(values)) + spread


def main(models, documents, out, table, about=""):
    world = World(WORLD_SEED)
    needed = {}
    for folder in models:
        model, tokens = load_bert(folder)
        model.eval()
        reader = Reader(world, lambda text, tokens=tokens: tokens.encode(text).ids, tokens.specials, SPLIT)
        rows = list(
            hidden_rows(
                world.pages(documents, ROWS_SEED, SPLIT),
                tokens.encode,
                tokens.specials,
                LENGTH,
                np.random.default_rng(0),
            )
        )
        text = [tokens.encode(document.text).ids for document in world.documents(2000, TEXT_SEED, SPLIT)]
        counts = np.bincount(np.concatenate(text), minlength=len(tokens))
        start = time.perf_counter()
        best = scored(rows, best_answers(reader))
        speed = len(rows) / (time.perf_counter() - start)
        left = scored(rows[: len(rows) // 4], best_left_answers(reader))
        results = {
            "frequency": scored(rows, frequency_answers(counts)),
            "left": left,
            "best": best,
            "model": scored(rows, model_answers(model, tokens.specials)),
        }
        ids = [
            [tokens.encode(s).ids for s in d.sentences]
            for d in world.documents(documents // 2, ROWS_SEED, SPLIT)
        ]
        check_line(results["model"]["all"], best["all"])
        needed[folder] = results, pair_accuracies(model, tokens, ids, reader), speed
    first = next(iter(needed.values()))[0]
    lines = [
        "| what the masked token needs | share % | most frequent token | best, left side | best, both "
        "sides | model | of the best % |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    accuracy = {}
    for name in ("all", *NEEDS, "elsewhere"):

        def accuracies(kind, name=name):
            return [100 * results[kind][name].accuracy for results, *_ in needed.values()]

        of_best = [
            100 * (m - f) / (b - f) if b > f else float("nan")
            for f, b, m in zip(accuracies("frequency"), accuracies("best"), accuracies("model"), strict=True)
        ]
        accuracy[name] = cell(accuracies("model"), "{:.1f}")
        share = 100 * first["best"][name].count / first["best"]["all"].count
        lines.append(
            f"| {name} | {share:.1f} | {cell(accuracies('frequency'), '{:.1f}')} | "
            f"{cell(accuracies('left'), '{:.1f}')} | "
            f"{cell(accuracies('best'), '{:.1f}')} | {accuracy[name]} | "
            f"{cell(of_best, '{:.0f}')} |"
        )
    losses = {kind: [results[kind]["all"].loss for results, *_ in needed.values()] for kind in first}
    pairs = list(zip(*(pair for _, pair, _ in needed.values()), strict=True))
    lines += [
        "",
        "The left side alone has no masks, both sides together have 15% masked; so the left side alone can "
        "be better if it is sufficient.",
        "",
        "Loss in nats: "
        + ", ".join(f"{kind} {cell(values, '{:.2f}')}" for kind, values in losses.items())
        + ".",
        "",
        f"Next sentence (pairs of `split_pairs`, chance 50): model {cell(pairs[0], '{:.1f}')}, best "
        f"{cell(pairs[1], '{:.1f}')}. Sentence order, best {cell(pairs[2], '{:.1f}')}.",
        "",
        f"{len(needed)} model(s), {first['best']['all'].count:,} masked tokens in {documents:,} "
        f"documents; the exact posterior reads "
        f"{cell([speed for *_, speed in needed.values()], '{:.0f}')} sequences per second. "
        f"Only another sentence reveals {elsewhere_share(world.pages(documents, ROWS_SEED, SPLIT)):.1f}% "
        f"of the words (without punctuation). One process writes {rate(world):,.0f} words per second, "
        f"including questions and entities.",
    ]
    text = "\n".join(lines) + "\n"
    write_text(out, about + text)
    write_text(table, json.dumps({"language": fingerprint(), "accuracy": accuracy}, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--models", type=Path, nargs="+", help="pretrained folders (default: build/labels/*/bert)"
    )
    parser.add_argument("--documents", type=int, default=600)
    parser.add_argument("--out", type=Path, default=places.report("world"))
    chosen = parser.parse_args()
    folders = chosen.models or sorted(Path("build/labels").glob("*/bert"))
    if not folders:
        parser.error("no pretrained models: run benchmarks/labels.py first, or give --models")
    main(folders, chosen.documents, chosen.out, places.table("world"))
