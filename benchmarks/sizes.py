"""Measure the value of pretraining for sentence tasks, by number of labels and over several seeds.

    python benchmarks/sizes.py --model build/labels/0/bert    # a folder of `minibert pretrain` or the tour

The scores are from random and from pretrained weights. Every run has about equally many steps, however few
its labels. Then it compares settings for fine-tuning, such as a frozen encoder. The results are in
sizes.json, which lesson 6 draws; after an interruption, the same command resumes.
"""

import argparse
import json
from pathlib import Path

import places
import transfer

from minibert.course.models.class_model import load_bert
from minibert.course.unit06 import settings
from minibert.generated.fingerprint import fingerprint
from minibert.readers.writing import write_text

HERE = Path(__file__).resolve().parent


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", type=Path, required=True, nargs=1, metavar="DIR", help="pretrained folder")
    parser.add_argument(
        "--tasks", nargs="+", metavar="TASK", choices=transfer.TASKS, default=["cola", "stsb"]
    )
    parser.add_argument(
        "--sizes",
        nargs="+",
        type=int,
        default=[100, 300, 1000],
        help="training examples (default: %(default)s)",
    )
    parser.add_argument("--test", type=int, default=500, help="test examples (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument(
        "--steps", type=int, default=400, help="steps per run, rounded to whole epochs (default: %(default)s)"
    )
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument(
        "--peak-rate", type=float, default=1e-3, help="learning rate after warm-up (default: %(default)s)"
    )
    parser.add_argument("--device", help="cpu, cuda or mps (default: the best one present)")
    parser.add_argument("--out", type=Path, default=places.table("sizes"), help="file for the results")
    parser.add_argument(
        "--data", type=Path, default=HERE.parent / "build" / "sizes", help="folder for the generated files"
    )
    return parser.parse_args()


def plan(a):
    return [
        (task, labelled, seed, start)
        for seed in range(a.seeds)
        for task in a.tasks
        for labelled in a.sizes
        for start in transfer.STARTS
    ]


def run(a, task, labelled, seed, start):
    a.labelled, a.epochs = labelled, max(1, round(a.steps * a.batch_size / labelled))
    return transfer.run(a, task, seed, start, a.peak_rate)[transfer.TASKS[task][1]]


def compare(a, setting, seed):
    """Return the scores of a setting on the dev and on the test sentences."""
    model, tokenizer = load_bert(a.model[0])
    tuned = settings.tuned(model, tokenizer, setting, seed, steps=settings.STEPS)
    return {split: round(settings.matthews(tuned, split), 3) for split in ("dev", "test")}


def main():
    a = arguments()
    a.labelled, a.epochs = None, None  # set for each run
    fixed = {**transfer.settings(a, 0), "peak_rate": a.peak_rate, "steps": a.steps}
    fixed = {name: value for name, value in fixed.items() if value is not None}
    known = json.loads(a.out.read_text()) if a.out.is_file() else {}
    made = {"language": fingerprint(), "settings": fixed, "runs": [], "compared": []}
    if known.get("settings") == fixed:
        made |= known

    def keep(runs, about, scores):
        runs.append(about | scores)
        write_text(a.out, json.dumps(made, indent=1) + "\n")
        print(runs[-1], flush=True)

    done = {(r["task"], r["labelled"], r["seed"], r["start"]) for r in made["runs"]}
    for task, labelled, seed, start in plan(a):
        if (task, labelled, seed, start) not in done:
            about = {"task": task, "labelled": labelled, "seed": seed, "start": start}
            keep(made["runs"], about, {"score": run(a, task, labelled, seed, start)})
    done = {(r["setting"], r["seed"]) for r in made["compared"]}
    for setting in settings.SETTINGS:
        for seed in settings.SEEDS:
            if (setting, seed) not in done:
                keep(made["compared"], {"setting": setting, "seed": seed}, compare(a, setting, seed))


if __name__ == "__main__":
    main()
