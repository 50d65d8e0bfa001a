"""ELMo, GPT and BERT of lesson 9 over seeds: hidden words by kind while they are pretrained, then fine-tuned
on the same tasks.

    python benchmarks/sights.py             # twenty minutes on one core; writes sights.json and sights.md beside this file

Devlin et al. (2019, arXiv 1810.04805), table 5 in small. A reader's BERT has no NSP, as table 5's second row;
GPT is its third ("LTR & No NSP"), with a BiLSTM on top its fourth. Sizes and budget:
`minibert.elmo_gpt_bert`, which the lesson reads too. A finished run is a line of sights.jsonl, a pretrained
trunk a file of build/sights: the same command goes on where it was stopped. A seed draws weights, rows,
masks, labelled examples and heads; text, hidden words and test examples are the same for all.
"""
import argparse
import dataclasses
import json
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import sights_table
import torch
from transfer import TASKS, TEST_SEED, examples, finished

from minibert import elmo_gpt_bert as readers
from minibert.corpora.errors import write_text
from minibert.finetuning import finetune
from minibert.training import train
from minibert.viz.training import LiveCurve

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "sights"
BUDGET = readers.Budget()               # the lesson's
LONGER = dataclasses.replace(BUDGET, steps=5 * BUDGET.steps, every=5 * BUDGET.every)
SEEDS, LONGER_SEEDS = (1, 2, 3, 4, 5), (1, 2, 3)                # the lesson's live seed is 0
TUNING = {                              # task -> labelled examples, test examples, steps
    "cola": (1000, 500, 250), "ner": (300, 600, 240), "qa": (500, 300, 300),
}
TUNED = ("BERT with NSP", "BERT", "GPT", "GPT + BiLSTM", "ELMo", "random weights")
FEATURES = {"ner": ("BERT", "GPT")}     # task -> whose frozen layers are read, too
BATCH_SIZE, RATES = 8, {"full": 1e-3, "sum-all": 3e-3}          # way -> the largest learning rate


def settings(what):
    """What a line holds for, beside what it is of."""
    fixed = dataclasses.asdict(budget_of(what["steps"]))
    if "task" in what:
        labelled, test, steps = TUNING[what["task"]]
        fixed |= {"labelled": labelled, "test": test, "tuning_steps": steps, "tuning_batch": BATCH_SIZE,
                  "rate": RATES[what["way"]]}
    return fixed


def budget_of(steps):
    """The lesson's budget, or the longer one."""
    return LONGER if steps == LONGER.steps else BUDGET


class Material:
    """What all runs share, made when it is first asked for."""

    def __init__(self):
        self.pieces, self.text = readers.read_text(BUDGET)
        self.tests = readers.hidden_words(BUDGET, self.pieces)
        self.unigram = readers.log_unigram(self.text, self.pieces)

    def scores(self, answer, count=None):
        """Accuracy in percent by kind of hidden word."""
        found = readers.scored(self.tests[:count], answer)
        return {kind: round(100 * score.accuracy, 2) for kind, score in found.items()}


def pretrain(material, model, seed, steps):
    """Train one reader as the lesson does, keep its trunk; what its line says."""
    budget, begin = budget_of(steps), time.process_time()
    made = readers.new_reader(model, budget, material.pieces, seed)
    objective = readers.objective_of(model, budget, material.pieces)
    answers = partial(readers.answers_of, model, made, material.pieces, material.unigram)
    curve = LiveCurve(value=lambda log: material.scores(answers(),
                                                        budget.curve_tests)["all"], every=budget.every)
    log = train(made, objective, partial(objective.build, material.text), budget.training(seed),
                progress=curve,
                precision=torch.float32)
    seconds = time.process_time() - begin
    BUILD.mkdir(parents=True, exist_ok=True)
    torch.save(made.encoder.state_dict(), trunk_file(model, seed, steps))
    ways = readers.JOINED if model == "ELMo" else ("",)
    return {"curve": next(iter(curve.curves.values())), "tokens": sum(entry["tokens"] for entry in log),
            "questions": readers.questions_of(log, objective, material.text, np.random.default_rng(seed)),
            "seconds": round(seconds, 1),
            "scores": {", ".join(filter(None, (model, way))): material.scores(answers(way))
                        for way in ways}}


def trunk_file(model, seed, steps):
    """Where a pretrained trunk is kept."""
    return BUILD / f"{model} {seed} {steps}.pt"


def trunk(material, model, seed, steps):
    """The trunk of a row of TUNED; GPT's reads to the left while it is fine-tuned, too."""
    base = {"random weights": "BERT", "GPT + BiLSTM": "GPT"}.get(model, model)
    encoder = readers.new_reader(base, budget_of(steps), material.pieces, seed).encoder
    if model != "random weights":
        encoder.load_state_dict(torch.load(trunk_file(base, seed, steps)))
    torch.manual_seed(seed)
    return readers.LeftReader(encoder, bilstm=model != base) if base == "GPT" else encoder


def tune(material, model, seed, steps, task, way):
    """Fine-tune once; what its line says."""
    labelled, test, tuning_steps = TUNING[task]
    folder = SimpleNamespace(data=BUILD / "data")
    train_on, test_on = (examples(folder, task, *which)
                         for which in (("train", seed, labelled), ("test", TEST_SEED, test)))
    begin = time.process_time()
    tuned, _ = finetune(task, trunk(material, model, seed, steps), material.pieces, train_on,
                        steps=tuning_steps, seed=seed,
                        batch_size=BATCH_SIZE, peak_rate=RATES[way], max_length=BUDGET.length, approach=way,
                        precision=torch.float32,
                        progress=False)
    score = tuned.task.metric(test_on, tuned.task.answer(tuned.model, test_on))[TASKS[task][1]]
    return {"score": round(float(score), 2), "seconds": round(time.process_time() - begin, 1)}


def plan():
    """What each line is of: first what the lesson trains, then what it is worth, then the longer budget, seed
    by seed.
    """
    for seed in SEEDS:
        for model in (*readers.READERS, *readers.ABLATIONS):
            yield {"model": model, "seed": seed, "steps": BUDGET.steps}
    for seed in SEEDS:
        yield from tunings(TUNED, seed, BUDGET.steps)
    for seed in LONGER_SEEDS:
        for model in ("GPT", "BERT"):
            yield {"model": model, "seed": seed, "steps": LONGER.steps}
        yield from tunings(("GPT", "BERT"), seed, LONGER.steps)


def tunings(models, seed, steps):
    """Each of some models on each task."""
    for task in TUNING:
        for model in models:
            for way in ("full", "sum-all") if model in FEATURES.get(task, ()) else ("full",):
                yield {"model": model, "seed": seed, "steps": steps, "task": task, "way": way}


def run_all(path):
    """Make the runs that have no line yet; all lines of today's plan and settings."""
    path.parent.mkdir(parents=True, exist_ok=True)
    known, material = {json.dumps([line["of"], line["settings"]]): line for line in finished(path)}, None
    lines = []
    for what in plan():
        line = known.get(json.dumps([what, settings(what)]))
        if line is None:
            material = material or Material()
            line = {"of": what, "settings": settings(what),
                    **(tune if "task" in what else pretrain)(material, **what)}
            with open(path, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(what, line.get("score", line.get("scores")), line["seconds"], flush=True)
        lines.append(line)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=HERE, help="folder of the results")
    a = parser.parse_args()
    lines = run_all(a.out / "sights.jsonl")
    pieces, _ = readers.read_text(BUDGET)
    found = sights_table.collected(
        lines, readers.limits(readers.hidden_words(BUDGET, pieces), pieces),
        budget=dataclasses.asdict(BUDGET),
        longer=dataclasses.asdict(LONGER), tuning_batch=BATCH_SIZE,
        tuning={task: dict(zip(sights_table.TUNING, sizes)) for task, sizes in TUNING.items()})
    write_text(a.out / "sights.json", json.dumps(found, indent=1) + "\n")
    write_text(a.out / "sights.md", sights_table.report(found))
    print(sights_table.report(found), end="")


if __name__ == "__main__":
    main()
