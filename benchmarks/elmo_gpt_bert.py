"""ELMo, GPT and BERT of lesson 9 over several seeds: pretrained, tested on masked words, then fine-tuned.

    python benchmarks/elmo_gpt_bert.py      # 20 minutes on one core; writes elmo_gpt_bert.json and .md

Devlin et al. (2019, arXiv 1810.04805), table 5 in small. The lesson's BERT has no NSP, like table 5's second
row; GPT is its third ("LTR & No NSP"), with a BiLSTM on top its fourth. Sizes and budget are in
`minibert.elmo_gpt_bert`, which the lesson reads too. Each finished run is a line of elmo_gpt_bert.jsonl, each
pretrained encoder a file of build/elmo_gpt_bert: after an interruption the same command continues there. A
seed draws weights, batches, masks, labelled examples and heads; text, masked words and test examples are the
same for all.
"""
import argparse
import dataclasses
import json
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import elmo_gpt_bert_table
import numpy as np
import torch
from transfer import TASKS, TEST_SEED, examples, finished

from minibert import elmo_gpt_bert
from minibert.files import write_text
from minibert.finetuning import finetune
from minibert.training import train
from minibert.viz.training import LiveCurve

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "elmo_gpt_bert"
BUDGET = elmo_gpt_bert.Budget()               # the lesson's
LONGER = dataclasses.replace(BUDGET, steps=5 * BUDGET.steps, every=5 * BUDGET.every)
SEEDS, LONGER_SEEDS = (1, 2, 3, 4, 5), (1, 2, 3)                # the lesson's live seed is 0
TUNING = {                              # task -> labelled examples, test examples, steps
    "cola": (1000, 500, 250), "ner": (300, 600, 240), "qa": (500, 300, 300),
}
TUNED = ("BERT with NSP", "BERT", "GPT", "GPT + BiLSTM", "ELMo", "random weights")
FEATURES = {"ner": ("BERT", "GPT")}     # task -> models whose frozen layers are tested, too
BATCH_SIZE, RATES = 8, {"full": 1e-3, "sum-all": 3e-3}          # approach -> the largest learning rate


def settings(what):
    """Return the budget and recipe for which a run's line is valid."""
    fixed = dataclasses.asdict(budget_of(what["steps"]))
    if "task" in what:
        labelled, test, steps = TUNING[what["task"]]
        fixed |= {"labelled": labelled, "test": test, "tuning_steps": steps, "tuning_batch": BATCH_SIZE,
                  "rate": RATES[what["way"]]}
    return fixed


def budget_of(steps):
    """Return the lesson's budget, or the longer one."""
    return LONGER if steps == LONGER.steps else BUDGET


class Material:
    """The tokenizer, text and test that all runs share."""

    def __init__(self):
        self.tokenizer, self.text = elmo_gpt_bert.pretraining_text(BUDGET)
        self.tests = elmo_gpt_bert.masked_words(BUDGET, self.tokenizer)
        self.unigram = elmo_gpt_bert.log_unigram(self.text, self.tokenizer)

    def scores(self, answer, count=None):
        """Return the accuracy in percent for each kind of masked word."""
        found = elmo_gpt_bert.scored(self.tests[:count], answer)
        return {kind: round(100 * score.accuracy, 2) for kind, score in found.items()}


def pretrain(material, model, seed, steps):
    """Train one model as the lesson does and save its encoder; returns the results of its line."""
    budget, begin = budget_of(steps), time.process_time()
    made = elmo_gpt_bert.new_model(model, budget, material.tokenizer, seed)
    objective = elmo_gpt_bert.objective_of(model, budget, material.tokenizer)
    answers = partial(elmo_gpt_bert.answers_of, model, made, material.tokenizer, material.unigram)
    curve = LiveCurve(value=lambda log: material.scores(answers(), budget.curve_tests)["all"],
                      every=budget.every)
    log = train(made, objective, partial(objective.build, material.text), budget.training(seed),
                progress=curve, precision=torch.float32)
    seconds = time.process_time() - begin
    BUILD.mkdir(parents=True, exist_ok=True)
    torch.save(made.encoder.state_dict(), encoder_file(model, seed, steps))
    names = elmo_gpt_bert.COMBINED if model == "ELMo" else ("",)
    return {"curve": next(iter(curve.curves.values())), "tokens": sum(entry["tokens"] for entry in log),
            "questions": elmo_gpt_bert.questions_of(log, objective, material.text,
                                                    np.random.default_rng(seed)),
            "seconds": round(seconds, 1),
            "scores": {", ".join(filter(None, (model, name))): material.scores(answers(name))
                       for name in names}}


def encoder_file(model, seed, steps):
    """Return the path of a pretrained encoder."""
    return BUILD / f"{model} {seed} {steps}.pt"


def encoder_of(material, model, seed, steps):
    """Return the encoder of a row of TUNED; GPT's looks to the left only while it is fine-tuned, too."""
    base = {"random weights": "BERT", "GPT + BiLSTM": "GPT"}.get(model, model)
    encoder = elmo_gpt_bert.new_model(base, budget_of(steps), material.tokenizer, seed).encoder
    if model != "random weights":
        encoder.load_state_dict(torch.load(encoder_file(base, seed, steps)))
    torch.manual_seed(seed)
    return elmo_gpt_bert.LeftToRightEncoder(encoder, bilstm=model != base) if base == "GPT" else encoder


def tune(material, model, seed, steps, task, way):
    """Fine-tune once; returns the results of its line."""
    labelled, test, tuning_steps = TUNING[task]
    folder = SimpleNamespace(data=BUILD / "data")
    train_on, test_on = (examples(folder, task, *which)
                         for which in (("train", seed, labelled), ("test", TEST_SEED, test)))
    begin = time.process_time()
    tuned, _ = finetune(task, encoder_of(material, model, seed, steps), material.tokenizer, train_on,
                        steps=tuning_steps, seed=seed, batch_size=BATCH_SIZE, peak_rate=RATES[way],
                        max_length=BUDGET.length, approach=way, precision=torch.float32, progress=False)
    score = tuned.task.metric(test_on, tuned.task.answer(tuned.model, test_on))[TASKS[task][1]]
    return {"score": round(float(score), 2), "seconds": round(time.process_time() - begin, 1)}


def plan():
    """Yield what each line is of: the lesson's models, their fine-tuning, then the longer budget."""
    for seed in SEEDS:
        for model in (*elmo_gpt_bert.MODELS, *elmo_gpt_bert.ABLATIONS):
            yield {"model": model, "seed": seed, "steps": BUDGET.steps}
    for seed in SEEDS:
        yield from tunings(TUNED, seed, BUDGET.steps)
    for seed in LONGER_SEEDS:
        for model in ("GPT", "BERT"):
            yield {"model": model, "seed": seed, "steps": LONGER.steps}
        yield from tunings(("GPT", "BERT"), seed, LONGER.steps)


def tunings(models, seed, steps):
    """Yield the fine-tuning runs of some models on each task."""
    for task in TUNING:
        for model in models:
            for way in ("full", "sum-all") if model in FEATURES.get(task, ()) else ("full",):
                yield {"model": model, "seed": seed, "steps": steps, "task": task, "way": way}


def run_all(path):
    """Make the runs that have no line yet; returns all lines of the present plan and settings."""
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
    lines = run_all(a.out / "elmo_gpt_bert.jsonl")
    tokenizer, _ = elmo_gpt_bert.pretraining_text(BUDGET)
    found = elmo_gpt_bert_table.collected(
        lines, elmo_gpt_bert.limits(elmo_gpt_bert.masked_words(BUDGET, tokenizer), tokenizer),
        budget=dataclasses.asdict(BUDGET), longer=dataclasses.asdict(LONGER), tuning_batch=BATCH_SIZE,
        tuning={task: dict(zip(elmo_gpt_bert_table.TUNING, sizes)) for task, sizes in TUNING.items()})
    write_text(a.out / "elmo_gpt_bert.json", json.dumps(found, indent=1) + "\n")
    write_text(a.out / "elmo_gpt_bert.md", elmo_gpt_bert_table.report(found))
    print(elmo_gpt_bert_table.report(found), end="")


if __name__ == "__main__":
    main()
