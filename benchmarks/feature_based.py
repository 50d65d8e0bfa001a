"""Compare fine-tuning with feature-based approaches on named entities: a small version of BERT's table 7.

    python benchmarks/feature_based.py                                     # the generated language
    python benchmarks/feature_based.py --data TRAIN DEV --model FOLDER     # CoNLL columns, published weights

Devlin et al. (2019, arXiv 1810.04805), section 5.3. The script writes feature_based.md and .json; the second
command adds a column. Without files, it uses the encoders that labels.py pretrains. Each finished run is
saved in build/feature_based/runs.json, so an interrupted benchmark continues. On the generated language, a
seed determines the encoder, the sentences, the head and their order; on files, only the head and the order.
"""

import argparse
import json
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import places
import torch
from labels import TOUR, pretrained
from transfer import spread_of

from minibert.course.tour import run
from minibert.finetuning.approaches import FEATURE_BASED
from minibert.finetuning.run import finetune
from minibert.generated.fingerprint import fingerprint
from minibert.model.checkpoints.published import load_model
from minibert.readers.conll import read_conll
from minibert.readers.writing import write_text
from minibert.tokenizer import FastWordPiece
from minibert.training.device import choose_device

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build"
GENERATED = "generated language"
WAYS = ("full", *FEATURE_BASED)
# Dev F1 of BERT-base on CoNLL-2003; the paper does not report a linear head on a frozen encoder.
PAPER = {
    "full": 96.4,
    "embeddings": 91.0,
    "second-to-last": 95.6,
    "last": 94.9,
    "sum-last-four": 95.9,
    "concat-last-four": 96.1,
    "sum-all": 95.5,
}
TITLES = {
    "full": "fine-tuning",
    "frozen": "frozen, linear head",
    "embeddings": "embeddings",
    "second-to-last": "second-to-last hidden",
    "last": "last hidden",
    "sum-last-four": "weighted sum, last four hidden",
    "concat-last-four": "concat, last four hidden",
    "sum-all": "weighted sum, all layers",
}


class Recipe(NamedTuple):
    """The length of a training, and its learning rate."""

    epochs: int
    batch_size: int
    peak_rate: float


RECIPES = {  # data -> recipes for full fine-tuning, for the linear head and for the BiLSTMs
    GENERATED: (Recipe(8, 8, 1e-3), Recipe(24, 32, 1e-2), Recipe(24, 32, 3e-3)),
    "files": (Recipe(5, 16, 2e-4), Recipe(20, 32, 5e-3), Recipe(12, 32, 2e-3)),
}


def recipe(data, way):
    return RECIPES.get(data, RECIPES["files"])[{"full": 0, "frozen": 1}.get(way, 2)]


def generated(seed):
    """Return (folder of the encoder, labelled sentences, test sentences) for a seed."""
    stages = BUILD / "labels" / str(seed)
    labelled, test = run.labelled(stages, "ner", pretrained(seed, stages))
    return stages / "bert", labelled[: TOUR.sentences], test


def measure(data, folder, train, dev, way, seed):
    how = recipe(data, way)
    encoder = load_model(folder).encoder.to(choose_device())
    start = time.perf_counter()
    tuned, _ = finetune(
        "ner",
        encoder,
        FastWordPiece.load(Path(folder) / "vocab.txt"),
        train,
        epochs=how.epochs,
        approach=way,
        seed=seed,
        batch_size=how.batch_size,
        peak_rate=how.peak_rate,
        precision=torch.float32,
        progress=False,
    )
    seconds = time.perf_counter() - start
    scores = tuned.task.metric(dev, tuned.task.answer(tuned.model, dev))
    trained = tuned.model if way == "full" else tuned.model.heads
    return {
        "f1": round(float(scores["F1"]), 2),
        "seconds": round(seconds, 1),
        "layers": encoder.config.num_hidden_layers,
        "hidden": encoder.config.hidden_size,
        "sentences": len(train),
        "dev": len(dev),
        "trained": sum(p.numel() for p in trained.parameters()),
    }


def key(line):
    return line["data"], line["model"], line["way"], line["seed"], tuple(line["recipe"])


def read_runs(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


def run_all(data, model, load, approaches, seeds, path):
    """Run everything that is missing in the file; each result is saved when its run ends.

    load: a function from a seed to (folder of the encoder, labelled sentences, test sentences).
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    runs = read_runs(path)
    for seed in range(seeds):
        missing = [
            {"data": data, "model": model, "way": way, "seed": seed, "recipe": recipe(data, way)}
            for way in approaches
        ]
        missing = [line for line in missing if key(line) not in map(key, runs)]
        loaded = load(seed) if missing else None
        for line in missing:
            runs.append(line | measure(data, *loaded, line["way"], seed))
            write_text(path, json.dumps(runs, indent=1) + "\n")  # written atomically
            print(
                f"{data}, seed {seed}, {line['way']}: F1 {runs[-1]['f1']:.1f} in {runs[-1]['seconds']:.0f} s",
                flush=True,
            )


def cells(lines):
    """Return F1 (mean and standard deviation), mean seconds and trained parameters as three cells."""
    if not lines:
        return " | | "
    values = [line["f1"] for line in lines]
    seconds = np.mean([line["seconds"] for line in lines])
    return f"{spread_of(values)} | {seconds:.0f} | {lines[0]['trained']:,}"


def note(data, lines):
    first, recipes = lines[0], {}
    for line in lines:
        recipes[line["way"] if line["way"] in ("full", "frozen") else "BiLSTM"] = Recipe(*line["recipe"])
    sizes = [line["dev"] for line in lines]
    others = " to ".join(map(str, sorted({min(sizes), max(sizes)})))
    text = (
        f"{data}: {first['sentences']} labelled sentences, F1 on {others} others; an encoder of "
        f"{first['layers']} layers of {first['hidden']}; {len({line['seed'] for line in lines})} seeds. "
    )
    text += (
        "; ".join(
            f"{name}: {how.epochs} epochs, {how.batch_size} sequences a step, learning rate {how.peak_rate:g}"
            for name, how in recipes.items()
        )
        + "."
    )
    return text + " The last four hidden states include the embeddings here." * (first["layers"] == 3)


def table(lines):
    """Return a Markdown table of the paper's F1 and of our results, with a row for each approach."""
    columns = {}
    for line in lines:
        if tuple(line["recipe"]) != recipe(line["data"], line["way"]):
            continue
        columns.setdefault((line["data"], line["model"]), []).append(line)
    heads = [f"{data}, {model}: F1 | seconds | trained numbers" for data, model in columns]
    out = [
        "| approach | paper: CoNLL-2003, BERT-base | " + " | ".join(heads) + " |",
        "| --- " * (2 + 3 * len(columns)) + "|",
    ]
    for way in WAYS:
        found = [cells([line for line in column if line["way"] == way]) for column in columns.values()]
        out.append(f"| {TITLES[way]} | {PAPER.get(way, '')} | " + " | ".join(found) + " |")
    out += [
        "",
        *(note(data, column) + "\n" for (data, _), column in columns.items()),
        "Mean ± standard deviation over seeds; entity F1 as in conlleval. The paper: F1 on the dev set, "
        "mean of 5 runs, with",
        "the document around each sentence; here each sentence is read alone. Seconds: training, "
        "including the encoder's single pass.",
    ]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--data",
        type=Path,
        nargs=2,
        metavar=("TRAIN", "DEV"),
        help="CoNLL files (default: the generated language)",
    )
    parser.add_argument("--model", type=Path, help="pretrained folder; requires --data")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument(
        "--approaches", nargs="+", choices=WAYS, default=WAYS, metavar="NAME", help=", ".join(WAYS)
    )
    parser.add_argument(
        "--runs", type=Path, default=BUILD / "feature_based" / "runs.json", help="file of finished runs"
    )
    parser.add_argument(
        "--out", type=Path, help="folder for the results (default: where lessons and readers look)"
    )
    a = parser.parse_args()
    if (a.data is None) != (a.model is None):
        parser.error("--data and --model must be given together")
    if a.data:
        train, dev = map(read_conll, a.data)
        run_all(
            a.data[0].resolve().parent.name,
            a.model.name,
            lambda seed: (a.model, train, dev),
            a.approaches,
            a.seeds,
            a.runs,
        )
    else:
        run_all(GENERATED, "the tour's model", generated, a.approaches, a.seeds, a.runs)
    runs = read_runs(a.runs)
    text = table(runs)
    write_text(places.report("feature_based", a.out), text)
    found = {"language": fingerprint(), "runs": runs}
    write_text(places.table("feature_based", a.out), json.dumps(found, indent=1) + "\n")
    print(text)


if __name__ == "__main__":
    main()
