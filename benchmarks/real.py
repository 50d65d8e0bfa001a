"""Compare random, own and published weights on real text.

    python benchmarks/real.py --published DIR --own build/labels/0/bert --qa TRAIN.json DEV.json --ner
    TRAIN.conll DEV.conll \\
        --sst2 TRAIN.pos DEV.pos

"Own" weights were pretrained on the generated language. All weights are fine-tuned for several seeds, with a
learning rate that suits their size. "Hugging Face" are the published weights again, trained by the loop of
`plain_loop.py` with the same examples, learning rate, schedule and epochs. A finished run is a line of
real.jsonl, so the same command resumes after an interruption, and real.md shows the finished runs. Sentiment
is also compared with TF-IDF and logistic regression.
"""

import argparse
import json
from pathlib import Path

import places
import torch
from plain_loop import finetune_plainly
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from transfer import finished, spread_of

from minibert.course.models.class_model import load_bert
from minibert.finetuning.registry import read_examples
from minibert.finetuning.run import finetune
from minibert.model import Encoder
from minibert.readers.writing import write_text
from minibert.training.device import choose_device

HERE = Path(__file__).resolve().parent
SCORES = {"qa": "F1", "ner": "F1", "sst2": "accuracy"}
MAX_LENGTH = {"qa": 384, "ner": 256, "sst2": 128}
STARTS = {  # peak learning rates: small or random encoders need larger ones
    "random": 5e-4,
    "generated language": 5e-4,
    "published": 1e-4,
    "Hugging Face": 1e-4,
}


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--published",
        type=Path,
        required=True,
        metavar="DIR",
        help="published weights; the random model has the same size",
    )
    parser.add_argument(
        "--own", type=Path, required=True, metavar="DIR", help="weights pretrained on the generated language"
    )
    for task in SCORES:
        parser.add_argument(
            f"--{task}",
            type=Path,
            nargs=2,
            metavar=("TRAIN", "DEV"),
            help=f"files of {task} (default: skip it)",
        )
    parser.add_argument("--starts", nargs="+", choices=STARTS, default=list(STARTS), metavar="START")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--device", help="cpu, cuda or mps (default: the best one present)")
    parser.add_argument("--out", type=Path, default=places.RESULTS, help="folder for the results")
    return parser.parse_args()


def run(a, task, start, seed):
    """Fine-tune once, and return every score of the task and the seconds of the steps."""
    train, dev = (read_examples(task, path) for path in getattr(a, task))
    model, tokenizer = load_bert(a.own if start == "generated language" else a.published)
    encoder, pooler = model.encoder, model.heads["pair"].pooler
    if start == "random":
        torch.manual_seed(seed)
        encoder, pooler = Encoder(encoder.config), None
    device = choose_device(a.device)
    same = {
        "epochs": a.epochs,
        "batch_size": a.batch_size,
        "peak_rate": STARTS[start],
        "seed": seed,
        "max_length": min(MAX_LENGTH[task], encoder.config.max_position_embeddings),
    }
    if start == "Hugging Face":
        tuned, seconds = finetune_plainly(task, a.published, tokenizer, train, device=device, **same)
    else:
        label = f"{task}, {start}, seed {seed}"
        tuned, log = finetune(task, encoder.to(device), tokenizer, train, pooler=pooler, label=label, **same)
        seconds = sum(entry["seconds"] for entry in log)
    scores = tuned.task.metric(dev, tuned.task.answer(tuned.model, dev))
    return {**{key: round(float(score), 2) for key, score in scores.items()}, "seconds": round(seconds)}


def words_alone(paths):
    """Return the accuracy of TF-IDF with logistic regression, with scikit-learn's defaults."""
    train, dev = (read_examples("sst2", path) for path in paths)
    model = make_pipeline(TfidfVectorizer(), LogisticRegression(max_iter=1000))
    model.fit([e.first for e in train], [e.label for e in train])
    return 100 * model.score([e.first for e in dev], [e.label for e in dev])


def table(runs, beside):
    """Return the results as a Markdown table. beside: {task: (name, score)} of methods without BERT."""
    lines = [
        "| task | score | " + " | ".join(STARTS) + " | seconds of the last two | without BERT |",
        "| --- |" + " --- |" * 7,
    ]
    for task, score in SCORES.items():
        found = {
            start: [r["scores"] for r in runs if (r["task"], r["start"]) == (task, start)] for start in STARTS
        }
        cells = [
            f"{spread_of([r[score] for r in some])} ({len(some)} seeds)" if some else ""
            for some in found.values()
        ]
        if any(cells):
            seconds = [
                spread_of([r["seconds"] for r in found[start]])
                for start in ("published", "Hugging Face")
                if found[start]
            ]
            lines.append(
                f"| {task} | {score} | {' | '.join(cells)} | {', '.join(seconds)} | "
                f"{'{} {:.1f}'.format(*beside[task]) if task in beside else ''} |"
            )
    return "\n".join(lines) + "\n"


def main():
    a = arguments()
    fixed = {"epochs": a.epochs, "batch_size": a.batch_size}
    log = a.out / "real.jsonl"
    runs = [r for r in finished(log) if {key: r.get(key) for key in fixed} == fixed]
    beside = {"sst2": ("TF-IDF", words_alone(a.sst2))} if a.sst2 else {}
    for seed in range(a.seeds):
        for task in SCORES:
            for start in a.starts:
                key = {"task": task, "start": start, "seed": seed}
                if not getattr(a, task) or any(key.items() <= r.items() for r in runs):
                    continue
                runs.append({**key, **fixed, "scores": run(a, task, start, seed)})
                with open(log, "a", encoding="utf-8") as file:
                    file.write(json.dumps(runs[-1]) + "\n")
                print(f"{task}, {start}, seed {seed}: {runs[-1]['scores']}", flush=True)
                write_text(a.out / "real.md", table(runs, beside))
    print(table(runs, beside), end="")


if __name__ == "__main__":
    main()
