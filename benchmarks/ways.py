"""Fine-tuning a trunk against reading its layers: table 7 of the BERT paper in small, named entities, over
seeds.

    python benchmarks/ways.py                                       # the generated language, trunks that labels.py pretrains too
    python benchmarks/ways.py --data TRAIN DEV --model FOLDER       # CoNLL columns, published weights; adds a column

Devlin et al. (2019, arXiv 1810.04805), section 5.3. Writes ways.md beside this file. Every run is kept in
build/ways/runs.json when it ends: an interrupted benchmark goes on at the first run that is not there. The
table shows all data ever run, each way by the recipe that it has today. On the generated language a seed
draws trunk, sentences, head and order; on files it draws head and order.
"""
import argparse
import json
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from labels import pretrained
from transfer import spread_of

from minibert.corpora.errors import write_text
from minibert.corpora.readers.conll import read_conll
from minibert.finetuning import finetune
from minibert.finetuning.approaches import NAMES
from minibert.model import load_pretrained
from minibert.tokenizer import FastWordPiece
from minibert.tour import run
from minibert.training import choose_device

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build"
GENERATED = "generated language"
PAPER = {"full": 96.4, "embeddings": 91.0, "second-to-last": 95.6, "last": 94.9, "sum-last-four": 95.9,
         "concat-last-four": 96.1,
         "sum-all": 95.5}  # dev F1 of BERT-base on CoNLL-2003; the paper has no linear head on a frozen trunk
TITLES = {"full": "fine-tuning", "frozen": "frozen, linear head", "embeddings": "embeddings",
          "second-to-last": "second-to-last hidden", "last": "last hidden",
          "sum-last-four": "weighted sum, last four hidden", "concat-last-four": "concat, last four hidden",
          "sum-all": "weighted sum, all layers"}


class Recipe(NamedTuple):
    """How long and how fast to train."""

    epochs: int
    batch_size: int
    peak_rate: float


RECIPES = {                             # data -> for full fine-tuning, for the linear head, for the BiLSTMs
    GENERATED: (Recipe(8, 8, 1e-3), Recipe(24, 32, 1e-2), Recipe(24, 32, 3e-3)),
    "files": (Recipe(5, 16, 2e-4), Recipe(20, 32, 5e-3), Recipe(12, 32, 2e-3)),
}


def recipe(data, way):
    """The Recipe of a way on some data."""
    return RECIPES.get(data, RECIPES["files"])[{"full": 0, "frozen": 1}.get(way, 2)]


def generated(seed):
    """(folder of the trunk, labelled sentences, test sentences) of the generated language."""
    stages = BUILD / "labels" / str(seed)
    config = pretrained(seed, stages)
    return stages / "bert", *run.labelled(stages, "ner", config)


def measure(data, folder, train, dev, way, seed):
    """One run: what its line says."""
    how = recipe(data, way)
    trunk = load_pretrained(folder).encoder.to(choose_device())
    start = time.perf_counter()
    tuned, _ = finetune("ner", trunk, FastWordPiece.load(Path(folder) / "vocab.txt"), train,
                        epochs=how.epochs, approach=way, seed=seed,
                        batch_size=how.batch_size, peak_rate=how.peak_rate, precision=torch.float32,
                        progress=False)
    seconds = time.perf_counter() - start
    scores = tuned.task.metric(dev, tuned.task.answer(tuned.model, dev))
    trained = tuned.model if way == "full" else tuned.model.heads
    return {"f1": round(float(scores["F1"]), 2), "seconds": round(seconds, 1),
            "layers": trunk.config.num_hidden_layers,
            "hidden": trunk.config.hidden_size, "sentences": len(train), "dev": len(dev),
            "trained": sum(p.numel() for p in trained.parameters())}


def key(line):
    """What makes a run another run."""
    return line["data"], line["model"], line["way"], line["seed"], tuple(line["recipe"])


def read_runs(path):
    """The runs that ended, one dict each."""
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []


def run_all(data, model, load, ways, seeds, path):
    """The runs of some data that are not in the file; each is added when it ends. load: seed -> as
    `generated`.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    runs = read_runs(path)
    for seed in range(seeds):
        missing = [{"data": data, "model": model, "way": way, "seed": seed, "recipe": recipe(data, way)}
                   for way in ways]
        missing = [line for line in missing if key(line) not in map(key, runs)]
        loaded = load(seed) if missing else None
        for line in missing:
            runs.append(line | measure(data, *loaded, line["way"], seed))
            write_text(path, json.dumps(runs, indent=1) + "\n")  # the whole file: it is never half written
            print(f"{data}, seed {seed}, {line['way']}: F1 {runs[-1]['f1']:.1f} in "
                  f"{runs[-1]['seconds']:.0f} s", flush=True)


def cells(lines):
    """Mean and standard deviation of F1, mean seconds, trained parameters, as three cells."""
    if not lines:
        return " | | "
    values = [line["f1"] for line in lines]
    return f"{spread_of(values)} | {np.mean([line['seconds'] for line in lines]):.0f} | {lines[0]['trained']:,}"


def note(data, lines):
    """What stands below the table about some data."""
    first, recipes = lines[0], {}
    for line in lines:
        recipes[line["way"] if line["way"] in ("full", "frozen") else "BiLSTM"] = Recipe(*line["recipe"])
    text = (f"{data}: {first['sentences']} labelled sentences, F1 on {first['dev']} others; a trunk of "
            f"{first['layers']} layers of "
            f"{first['hidden']}; {len({line['seed'] for line in lines})} seeds. ")
    text += "; ".join(f"{name}: {how.epochs} epochs, {how.batch_size} rows a step, rate {how.peak_rate:g}"
                      for name, how in recipes.items()) + "."
    return text + " The last four hidden states take in the embeddings here." * (first["layers"] == 3)


def table(lines):
    """Markdown: a row a way, the paper's figure, and for each data and model F1, seconds and parameters."""
    columns = {}
    for line in lines:
        if tuple(line["recipe"]) != recipe(line["data"], line["way"]):
            continue
        columns.setdefault((line["data"], line["model"]), []).append(line)
    heads = [f"{data}, {model}: F1 | seconds | trained numbers" for data, model in columns]
    out = ["| way | paper: CoNLL-2003, BERT-base | " + " | ".join(heads) + " |",
           "| --- " * (2 + 3 * len(columns)) + "|"]
    for way in NAMES:
        found = [cells([line for line in column if line["way"] == way]) for column in columns.values()]
        out.append(f"| {TITLES[way]} | {PAPER.get(way, '')} | " + " | ".join(found) + " |")
    out += ["", *(note(data, column) + "\n" for (data, _), column in columns.items()),
            "Mean ± standard deviation over seeds; entity F1 as conlleval's. The paper: F1 on the dev set, "
            "mean of 5 runs, with",
            "the document around each sentence; here sentences stand alone. Seconds: of training, the "
            "trunk's one pass included."]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, nargs=2, metavar=("TRAIN", "DEV"),
                        help="CoNLL files (default: the generated language)")
    parser.add_argument("--model", type=Path, help="pretrained folder; goes with --data")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--ways", nargs="+", choices=NAMES, default=NAMES, metavar="WAY",
                        help=", ".join(NAMES))
    parser.add_argument("--runs", type=Path, default=BUILD / "ways" / "runs.json", help="the file of runs")
    parser.add_argument("--out", type=Path, default=HERE / "ways.md")
    a = parser.parse_args()
    if (a.data is None) != (a.model is None):
        parser.error("--data and --model go together")
    if a.data:
        train, dev = map(read_conll, a.data)
        run_all(a.data[0].resolve().parent.name, a.model.name,
                lambda seed: (a.model, train, dev), a.ways, a.seeds, a.runs)
    else:
        run_all(GENERATED, "class", generated, a.ways, a.seeds, a.runs)
    text = table(read_runs(a.runs))
    write_text(a.out, text)
    print(text)


if __name__ == "__main__":
    main()
