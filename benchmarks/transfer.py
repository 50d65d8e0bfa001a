"""Measure the value of pretraining for each task of the generated language, over several seeds.

    python benchmarks/transfer.py --model build/labels/*/bert    # folders of `minibert pretrain` or the tour

The scores are from random and from pretrained weights. Each seed has its own labelled examples, head and
order, which both starts share; the test file is the same for all seeds. Several pretrained models are used in
turn. As in Devlin et al. (section 4.1), the learning rate of each task and start is the best one on a dev
set, chosen with examples that no seed of the table uses.

A finished run is a line of transfer.jsonl, so the same command resumes after an interruption; transfer.md and
transfer.json show the finished seeds. Runs with other settings or weights are ignored.
"""

import argparse
import functools
import hashlib
import json
from pathlib import Path

import numpy as np
import places
import torch

from minibert.course.models.class_model import WORLD_SEED, load_bert
from minibert.finetuning.registry import REGISTRY, read_examples
from minibert.finetuning.run import finetune
from minibert.generated import World
from minibert.generated.files import write_files
from minibert.generated.fingerprint import fingerprint
from minibert.model import Encoder
from minibert.readers.writing import write_text
from minibert.training.device import choose_device

BUILD = Path(__file__).resolve().parent.parent / "build" / "transfer"
# the package's name of a task -> the kind of file that `minibert world` writes for it, and its score
TASKS = {
    "sst2": ("sst2", "accuracy"),
    "cola": ("cola", "Matthews"),
    "mnli": ("mnli", "accuracy"),
    "rte": ("rte", "accuracy"),
    "qnli": ("qnli", "accuracy"),
    "qqp": ("qqp", "accuracy"),
    "mrpc": ("mrpc", "accuracy"),
    "stsb": ("stsb", "Spearman"),
    "wnli": ("wnli", "accuracy"),
    "swag": ("swag", "accuracy"),
    "race": ("race", "accuracy"),
    "qa": ("squad", "F1"),
    "ner": ("ner", "F1"),
    "later": ("later", "F1"),
    "hops": ("hops", "F1"),
}
FORM = {"later": "ner", "hops": "qa"}  # examples for the head of another task; not in the table
LABELLED, EPOCHS = 1000, 8  # training examples, and passes over them
AMOUNTS = {  # for tasks that need other numbers
    "sst2": (4000, 1),  # only 55 wordings: one pass shows each of them often
    "mnli": (4000, 8),
    "qqp": (4000, 8),  # a thousand examples teach hardly anything
    "rte": (24000, 4),  # nor do four thousand here, nor, for two of five seeds, twelve thousand
}
STARTS = ("scratch", "pretrained")
RATES = (5e-4, 1.2e-4)
NOTE = """
Mean ± standard deviation over seeds, which determine the labelled examples, their order, the weights of the
heads, and all other random weights; if there are several pretrained models, the seeds use them in turn.
Rates: the learning rate that was better on dev examples (one run each), first for random weights. The numbers
of labels were chosen for an earlier version of the language, in which a thousand hardly helped with `mnli`,
`qqp` and `rte`.
"""
TEST_SEED = 10**6  # of the test file; larger than any seed of a run
RATE_SEED = 10**5  # of the runs, and of the dev file, that choose a learning rate


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--model", type=Path, required=True, nargs="+", metavar="DIR", help="pretrained folders, used in turn"
    )
    parser.add_argument(
        "--tasks",
        nargs="+",
        metavar="TASK",
        choices=TASKS,
        default=[name for name in TASKS if name in REGISTRY],
    )
    parser.add_argument(
        "--labelled",
        type=int,
        help=f"training examples (default: {LABELLED:,}; more for {', '.join(AMOUNTS)})",
    )
    parser.add_argument("--test", type=int, default=500, help="test examples (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument(
        "--epochs", type=int, help=f"passes over them (default: {EPOCHS}; fewer for some tasks)"
    )
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument(
        "--rates",
        nargs="+",
        type=float,
        default=RATES,
        metavar="RATE",
        help="learning rates to choose from (default: %(default)s)",
    )
    parser.add_argument("--device", help="cpu, cuda or mps (default: the best one present)")
    parser.add_argument(
        "--out", type=Path, help="folder for the results (default: where lessons and readers look)"
    )
    parser.add_argument("--data", type=Path, default=BUILD, help="folder for the generated files")
    return parser.parse_args()


def model_of(a, seed):
    return a.model[seed % len(a.model)]


@functools.cache
def digest(folder):
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()[:16]


def settings(a, seed):
    return {"test": a.test, "batch_size": a.batch_size, "weights": digest(model_of(a, seed))}


def amounts(a, name):
    """Return the number of training examples of a task, and the number of epochs."""
    labelled, epochs = AMOUNTS.get(name, (LABELLED, EPOCHS))
    return {"labelled": a.labelled or labelled, "epochs": a.epochs or epochs}


def examples(a, name, split, seed, count):
    """Return `count` random examples of a task from a file that is written once."""
    folder = a.data / f"{split}-{seed}-{count}"
    done = folder / f"{name}.json"  # written last, so its absence means that the other file may be incomplete
    if not done.is_file():
        (path,) = write_files(World(WORLD_SEED), count, seed, split, [TASKS[name][0]], folder)
        write_text(done, json.dumps(path.name))
    found = read_examples(FORM.get(name, name), folder / json.loads(done.read_text()))
    chosen = np.random.default_rng([seed, 4]).permutation(len(found))[:count]
    return [found[i] for i in chosen]


def run(a, name, seed, start, rate):
    """Fine-tune once and return all scores on the test file, or on the dev file for RATE_SEED."""
    amount, held_out = amounts(a, name), ("dev", RATE_SEED) if seed == RATE_SEED else ("test", TEST_SEED)
    train, test = examples(a, name, "train", seed, amount["labelled"]), examples(a, name, *held_out, a.test)
    model, tokenizer = load_bert(model_of(a, seed))
    encoder, pooler = model.encoder, model.heads["pair"].pooler
    if start == "scratch":
        torch.manual_seed(seed)
        encoder, pooler = Encoder(encoder.config), None
    tuned, log = finetune(
        name,
        encoder.to(choose_device(a.device)),
        tokenizer,
        train,
        epochs=amount["epochs"],
        batch_size=a.batch_size,
        peak_rate=rate,
        seed=seed,
        pooler=pooler,
        progress=False,
    )
    scores = tuned.task.metric(test, tuned.task.answer(tuned.model, test))
    return {
        **{key: round(float(score), 3) for key, score in scores.items()},
        "one answer": one_answer(tuned.task, name, train, test),
        "seconds": round(sum(step["seconds"] for step in log), 1),
    }


def one_answer(task, name, train, test):
    """Return the best score of giving the same label to all examples, or None if answers have many parts."""
    if not hasattr(train[0], "label"):
        return None
    scores = [
        task.metric(test, [label] * len(test))[TASKS[name][1]]
        for label in {example.label for example in train}
    ]
    return round(float(max(scores)), 3)


def finished(path):
    """Return the runs in a file of lines, and remove an incomplete last line."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.is_file() else []
    if lines and not lines[-1].endswith("\n"):
        write_text(path, "".join(lines[:-1]))
    return [json.loads(line) for line in lines if line.endswith("\n")]


def table(runs):
    titles = (
        "task",
        "score",
        "one answer for all",
        "random weights",
        "pretrained",
        "difference (min to max over seeds)",
        "seeds",
        "labelled",
        "passes",
        "rates",
    )
    lines = [f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|"]
    for name, (_, score) in TASKS.items():
        by_seed = {
            start: {r["seed"]: r for r in runs if (r["task"], r["start"]) == (name, start)}
            for start in STARTS
        }
        seeds = sorted(by_seed["scratch"].keys() & by_seed["pretrained"].keys())
        if seeds:
            scratch, pretrained = (
                np.array([by_seed[start][seed]["scores"][score] for seed in seeds]) for start in STARTS
            )
            gain, guesses = (
                pretrained - scratch,
                [by_seed["scratch"][seed]["scores"]["one answer"] for seed in seeds],
            )
            guess = "" if None in guesses else f"{np.mean(guesses):.1f}"
            rates = ", ".join(f"{by_seed[start][seeds[0]]['peak_rate']:g}" for start in STARTS)
            first = by_seed["scratch"][seeds[0]]
            lines.append(
                f"| {name} | {score} | {guess} | {spread_of(scratch)} | {spread_of(pretrained)} "
                f"| {gain.mean():+.1f} ({gain.min():+.1f} to {gain.max():+.1f}) | {len(seeds)} | "
                f"{first['labelled']:,} | {first['epochs']} | {rates} |"
            )
    return "\n".join(lines) + "\n" + NOTE


def spread_of(scores):
    return f"{np.mean(scores):.1f}" + (f" ± {np.std(scores, ddof=1):.1f}" if len(scores) > 1 else "")


class Runs:
    """The runs for the arguments `a`: those in their file, and those that are run on request."""

    def __init__(self, a):
        self.a, self.log = a, (a.out or BUILD) / "transfer.jsonl"
        self.made = {}
        for line in finished(self.log):
            key = line["task"], line["seed"], line["start"], line["peak_rate"]
            if self.about(*key).items() <= line.items():
                self.made[key] = line

    def about(self, name, seed, start, rate):
        return {
            "task": name,
            "seed": seed,
            "start": start,
            "peak_rate": rate,
            **amounts(self.a, name),
            **settings(self.a, seed),
        }

    def scores(self, *key):
        if key not in self.made:
            self.made[key] = {**self.about(*key), "scores": run(self.a, *key)}
            with open(self.log, "a", encoding="utf-8") as file:
                file.write(json.dumps(self.made[key]) + "\n")
            print(f"{', '.join(map(str, key))}: {self.made[key]['scores']}", flush=True)
        return self.made[key]["scores"]

    def rate(self, name, start):
        """Return the learning rate with the best score on the dev file, the first one in a tie."""
        if len(self.a.rates) == 1:
            return self.a.rates[0]
        return max(self.a.rates, key=lambda rate: self.scores(name, RATE_SEED, start, rate)[TASKS[name][1]])


def main():
    a = arguments()
    (a.out or BUILD).mkdir(parents=True, exist_ok=True)
    runs, shown = Runs(a), []
    for seed in range(a.seeds):
        for name in a.tasks:
            for start in STARTS:
                key = name, seed, start, runs.rate(name, start)
                runs.scores(*key)
                shown.append(runs.made[key])
        write_text(places.report("transfer", a.out), table(shown))
        found = {"language": fingerprint(), "runs": shown}
        write_text(places.table("transfer", a.out), json.dumps(found, indent=1) + "\n")
    print(table(shown), end="")


if __name__ == "__main__":
    main()
