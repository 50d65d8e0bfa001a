"""Compare ELMo, GPT and BERT as in lesson 9, each with its best recipe, for several lengths of training.

    python benchmarks/elmo_gpt_bert.py      # three and a half hours on one core; --processes 2: half of that

This is table 5 and figure 5 of Devlin et al. (2019, arXiv 1810.04805) on a small scale. Sizes, text and
recipes are in `minibert.course.models.elmo_gpt_bert`; the recipes were chosen on a dev set by the trials that
run first. Each model is then trained from scratch for each of LENGTHS: a point of a curve is a whole
training, not an intermediate state of a longer one. Its encoder is then fine-tuned with the learning rate
that is best for this kind of model on dev sets. GPT is the third row of table 5 ("LTR & No NSP"), and GPT
with a BiLSTM on top is the fourth.

Each finished run is a line of build/elmo_gpt_bert/runs.jsonl, and each encoder a file next to it. After an
interruption the same command continues. A seed determines weights, batches, masks, labelled examples and
heads; text, masked tokens and test examples are the same for all. The script writes elmo_gpt_bert.json and
.md, and saves the models of one seed in minibert/course/models/elmo_gpt_bert.
"""

import argparse
import collections
import dataclasses
import functools
import hashlib
import json
import time
from pathlib import Path
from types import SimpleNamespace

import elmo_gpt_bert_table
import numpy as np
import runs
import torch
from transfer import FORM, RATE_SEED, TASKS, TEST_SEED, examples

from minibert.course.models import elmo_gpt_bert as twins
from minibert.course.models.elmo_gpt_bert import training as elmo_gpt_bert
from minibert.finetuning.run import finetune
from minibert.generated.fingerprint import fingerprint
from minibert.model import FastEncoder
from minibert.training.loop import train
from minibert.training.pretraining import forget

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "elmo_gpt_bert"
SEEDS, TRIAL_SEEDS = (1, 2, 3), (101, 102, 103)
LENGTHS = tuple(round(twins.SHARED.steps / 2**halvings) for halvings in range(5, -1, -1))  # in steps
LAST, TUNED_LENGTHS = LENGTHS[-1], LENGTHS[2:]
TRIAL_STEPS, DEV_PAGES = 1000, 1002  # for the trials of recipes, and the seed of their dev set
LONG = ("BERT",)  # its two best recipes are also tried at full length: masking 40% is best only in short runs
TIE = 1.0  # recipes within this many percentage points are a tie, so the package may use any of them
TRIALS = {  # model -> recipes to try
    "BERT": [{"peak_rate": 4e-3, "mask_rate": share} for share in (0.3, 0.15, 0.4)]
    + [{"peak_rate": rate, "mask_rate": 0.3} for rate in (2e-3, 8e-3)],
    "GPT": [{"peak_rate": rate} for rate in (4e-3, 8e-3, 2e-3)],
    "ELMo": [{"peak_rate": rate} for rate in (6.4e-2, 3.2e-2, 1.6e-2, 8e-3, 4e-3, 2e-3)],
}
TUNING = {  # task -> labelled examples, test examples, steps
    "cola": (2000, 1000, 500),
    "ner": (300, 600, 300),
    "later": (300, 600, 2000),
    "qa": (1000, 600, 500),
    "hops": (1000, 600, 500),
}
BATCH_SIZE, RATES = 8, (5e-4, 1e-3, 2e-3, 4e-3, 8e-3)  # for fine-tuning; a family uses its best learning rate
FAMILIES = ("ELMo", "GPT", "BERT", "from scratch", "ELMo, frozen")
ABLATIONS = ("BERT with NSP", "GPT + BiLSTM", "from scratch", "ELMo, frozen")


def settings(what):
    budget = twins.SHARED
    if "model" in what:
        budget = twins.trained_budget(base_of(what["model"]), steps=what["steps"], **what.get("recipe", {}))
    fixed = {"language": fingerprint_once(), **dataclasses.asdict(budget)}
    if "task" in what:
        fixed |= dict(zip(elmo_gpt_bert_table.TUNING, TUNING[what["task"]])) | {"tuning_batch": BATCH_SIZE}
    return fixed


fingerprint_once = functools.cache(fingerprint)


def base_of(model):
    """Return the pretrained model on which a row of the tables is based."""
    return {"from scratch": "BERT", "GPT + BiLSTM": "GPT"}.get(model, model.removesuffix(", frozen"))


def family_of(model):
    """Return the member of FAMILIES whose learning rate is used to fine-tune a model."""
    return "ELMo, frozen" if model.endswith(", frozen") else model if model in FAMILIES else model.split()[0]


@functools.cache
def material():
    """Return the tokenizer, the text, the token frequencies, and a function that masks the test documents."""
    tokenizer, text = twins.trained_text()
    return SimpleNamespace(
        tokenizer=tokenizer,
        text=text,
        unigram=elmo_gpt_bert.log_unigram(text, tokenizer),
        tests=functools.cache(functools.partial(elmo_gpt_bert.masked_words, twins.SHARED, tokenizer)),
    )


def scores(model, name, combined="product", pages=elmo_gpt_bert.TEST_PAGES):
    """Return, for each kind of masked token, the accuracy in percent, and the cross-entropy as "loss"."""
    answer = elmo_gpt_bert.answers_of(name, model, material().tokenizer, material().unigram, combined)
    found = elmo_gpt_bert.scored(material().tests(pages), answer)
    return {
        **{kind: round(100 * score.accuracy, 2) for kind, score in found.items()},
        "loss": round(found["all"].loss, 4),
    }


def trained(what):
    """Train one model, or resume its training, and return (model, the results of the training)."""
    model, seed, tokenizer = what["model"], what["seed"], material().tokenizer
    budget = twins.trained_budget(model, steps=what["steps"], **what.get("recipe", {}))
    made = elmo_gpt_bert.new_model(model, budget, tokenizer, seed)
    objective = elmo_gpt_bert.objective_of(model, budget, tokenizer)
    name = hashlib.sha256(json.dumps([what, settings(what)]).encode()).hexdigest()[:16]
    folder = BUILD / "training" / name
    here, begin = Steps(), time.process_time()
    log = train(
        made,
        objective,
        functools.partial(objective.build, material().text),
        budget.training(seed),
        checkpoint=folder,
        precision=torch.float32,
        progress=here,
        about=settings(what),
    )
    seconds = (time.process_time() - begin) * budget.steps / max(1, here.count)
    forget(folder)
    return made, {
        "tokens": sum(entry["tokens"] for entry in log),
        "questions": elmo_gpt_bert.questions_of(log, objective, material().text, np.random.default_rng(seed)),
        "seconds": round(seconds, 1),
    }


class Steps:
    """A counter of the steps that this process has trained, without those before an interruption."""

    count = 0

    def begin(self, log):
        pass

    def update(self):
        self.count += 1

    def end(self):
        pass


def try_recipe(what):
    """Train with a recipe for a shorter time and return the scores on the dev set."""
    model, line = trained(what)
    return line | {"dev": scores(model, what["model"], pages=DEV_PAGES)}


def pretrain(what):
    """Train one model, save its weights and return its test scores; ELMo's also for each direction alone."""
    model, line = trained(what)
    torch.save(model.state_dict(), weights_file(what["model"], what["seed"], what["steps"]))
    line["scores"] = scores(model, what["model"])
    if what["model"] == "ELMo":
        line["alone"] = {way: scores(model, "ELMo", way) for way in ("left", "right")}
    return line


def weights_file(model, seed, steps):
    return BUILD / f"{model} {seed} {steps}.pt"


def pretrained(model, seed, steps):
    """Return a pretrained model; train it again if its weights are missing."""
    if not weights_file(model, seed, steps).is_file():
        pretrain({"run": "pretrain", "model": model, "seed": seed, "steps": steps})
    made = elmo_gpt_bert.new_model(model, twins.trained_budget(model), material().tokenizer, seed)
    made.load_state_dict(torch.load(weights_file(model, seed, steps)))
    return made


def encoder_of(model, seed, steps):
    """Return the encoder of a row of the tables as it is fine-tuned; GPT's sees only the left context."""
    base = base_of(model)
    torch.manual_seed(seed)
    if model == "from scratch":
        return FastEncoder(twins.SHARED.config(material().tokenizer))
    encoder = pretrained(base, seed, steps).encoder
    if base == "GPT":
        encoder = elmo_gpt_bert.LeftToRightEncoder(encoder, bilstm=model.endswith("BiLSTM"))
    return elmo_gpt_bert.FeatureEncoder(encoder) if model.endswith(", frozen") else encoder


def tune(what):
    """Fine-tune once and return the score on the test set, or on the dev set in a trial of a rate."""
    task, seed, trial = what["task"], what["seed"], what["run"] == "try rate"
    labelled, test, steps = TUNING[task]
    folder = SimpleNamespace(data=BUILD / "data")
    train_on, test_on = (
        examples(folder, task, *which)
        for which in (
            ("train", RATE_SEED if trial else seed, labelled),
            ("dev", RATE_SEED, test) if trial else ("test", TEST_SEED, test),
        )
    )
    begin = time.process_time()
    encoder = encoder_of(what["model"], seed, what["steps"])
    tuned, _ = finetune(
        FORM.get(task, task),
        encoder,
        material().tokenizer,
        train_on,
        steps=steps,
        seed=seed,
        batch_size=BATCH_SIZE,
        peak_rate=what["rate"],
        max_length=twins.SHARED.length,
        precision=torch.float32,
        progress=False,
    )
    score = tuned.task.metric(test_on, tuned.task.answer(tuned.model, test_on))[TASKS[task][1]]
    return {"score": round(float(score), 2), "seconds": round(time.process_time() - begin, 1)}


def limits(_what):
    """Return the best reachable accuracies in percent for each side, and the number of masked tokens."""
    begin, shared = time.process_time(), material()
    found = elmo_gpt_bert.limits(shared.tests(elmo_gpt_bert.TEST_PAGES), shared.tokenizer)
    return {
        "limits": {
            side: {kind: round(100 * score.accuracy, 2) for kind, score in by_kind.items()}
            for side, by_kind in found.items()
        },
        "hidden": {kind: score.count for kind, score in found["both"].items()},
        "seconds": round(time.process_time() - begin, 1),
    }


RUNS = {"limits": limits, "try recipe": try_recipe, "pretrain": pretrain, "try rate": tune, "tune": tune}


def try_recipes(lines):
    """Try the recipes of each model, the best two with three seeds, and return the results."""

    def of(trials, seeds, steps=TRIAL_STEPS):
        return lines.of(
            {"run": "try recipe", "model": model, "seed": seed, "steps": steps, "recipe": recipe}
            for model, recipe in trials
            for seed in seeds
        )

    first = of([(model, recipe) for model, recipes in TRIALS.items() for recipe in recipes], TRIAL_SEEDS[:1])
    best = [
        (line["of"]["model"], line["of"]["recipe"])
        for model in TRIALS
        for line in sorted(
            (line for line in first if line["of"]["model"] == model), key=lambda line: -line["dev"]["all"]
        )[:2]
    ]
    long = [(model, recipe) for model, recipe in best if model in LONG]
    return first + of(best, TRIAL_SEEDS[1:]) + of(long, TRIAL_SEEDS, LAST)


def check_recipes(trials):
    """Raise ValueError if a recipe in the trials was better than the one that the package uses."""
    for model, kept in twins.RECIPES.items():
        scores = collections.defaultdict(list)
        for line in trials:
            if line["of"]["model"] == model:
                scores[line["of"]["steps"], json.dumps(line["of"]["recipe"])].append(line["dev"]["all"])
        whole = {
            key: float(np.mean(found)) for key, found in scores.items() if len(found) == len(TRIAL_SEEDS)
        }
        steps = max((steps for steps, _ in whole), default=None)
        means = {recipe: mean for (of, recipe), mean in whole.items() if of == steps}
        best = max(means, key=means.get, default=None)
        stands = [
            recipe
            for recipe in means
            if json.loads(recipe).items() <= kept.items() and means[recipe] >= means[best] - TIE
        ]
        if means and not stands:
            raise ValueError(
                f"{model} is trained with {kept} in minibert/course/models/elmo_gpt_bert, but {best} is "
                f"better on dev sets: {means}. Change the recipe there."
            )


def pretrainings(seed):
    for steps in LENGTHS:
        for model in ("BERT", "GPT", "ELMo", *(elmo_gpt_bert.ABLATIONS if steps == LAST else ())):
            yield {"run": "pretrain", "model": model, "seed": seed, "steps": steps}


def rate_trials():
    """Yield the fine-tuning runs, with the first seed's encoders, that choose each family's learning rate."""
    for task in TUNING:
        for model in FAMILIES:
            for rate in RATES:
                yield {
                    "run": "try rate",
                    "model": model,
                    "seed": SEEDS[0],
                    "steps": LAST,
                    "task": task,
                    "rate": rate,
                }


def best_rates(lines):
    def mean(model, rate):
        return np.mean(
            [line["score"] for line in lines if (line["of"]["model"], line["of"]["rate"]) == (model, rate)]
            or [0.0]
        )

    return {model: max(RATES, key=lambda rate: mean(model, rate)) for model in FAMILIES}


def tunings(seed, rates):
    """Yield the fine-tuning runs of a seed: three models for most lengths, the others for the last one."""
    rows = [(model, steps) for steps in TUNED_LENGTHS for model in elmo_gpt_bert.MODELS]
    for model, steps in [*rows, *((model, LAST) for model in ABLATIONS)]:
        for task in TUNING:
            yield {
                "run": "tune",
                "model": model,
                "seed": seed,
                "steps": steps,
                "task": task,
                "rate": rates[family_of(model)],
            }


def run(what):
    torch.set_num_threads(1)
    return {"of": what, "settings": settings(what), **RUNS[what["run"]](what)}


class Lines(runs.Lines):
    """The result lines of this benchmark; a new line is printed with its score."""

    def __init__(self, path, pool=None, so_far=False):
        super().__init__(path, run, settings, pool, so_far)

    def shown(self, line):
        return [line.get("scores", line.get("dev", {})).get("all", line.get("score"))]


def run_all(lines):
    check_recipes(trials := try_recipes(lines))
    found = trials + lines.of([{"run": "limits"}, *pretrainings(SEEDS[0])])
    write_examples(lines.so_far)
    found += (rate_lines := lines.of(rate_trials()))
    rates = best_rates(rate_lines)
    found += lines.of(tunings(SEEDS[0], rates))
    for seed in SEEDS[1:]:
        found += lines.of(pretrainings(seed))
        found += lines.of(tunings(seed, rates))
    return found


def write_examples(so_far=False):
    """Write the files of labelled examples before several processes read them."""
    folder = SimpleNamespace(data=BUILD / "data")
    for task, (labelled, test, _) in () if so_far else TUNING.items():
        for which in (
            *(("train", seed, labelled) for seed in (*SEEDS, RATE_SEED)),
            ("dev", RATE_SEED, test),
            ("test", TEST_SEED, test),
        ):
            examples(folder, task, *which)


def keep_twins(lines):
    """Save three models of one seed in the package for the lessons: the seed with the best BERT."""
    lasting = {
        (line["of"]["model"], line["of"]["seed"]): line
        for line in lines
        if line["of"]["run"] == "pretrain" and line["of"]["steps"] == LAST
    }
    seed = max(SEEDS, key=lambda seed: lasting["BERT", seed]["scores"]["all"])
    for name in elmo_gpt_bert.MODELS:
        card = {
            "model": name,
            "language": fingerprint_once(),
            "data": f"the lives among {twins.SHARED.documents:,} documents",
            "seed": seed,
            "recipe": dataclasses.asdict(twins.trained_budget(name)),
            **{key: lasting[name, seed][key] for key in ("tokens", "scores")},
        }
        twins.save_trained(name, pretrained(name, seed, LAST), material().tokenizer, card)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--processes", type=int, default=1, help="single-threaded processes (default: %(default)s)"
    )
    parser.add_argument("--so-far", action="store_true", help=runs.SO_FAR)
    a = parser.parse_args()
    pool = runs.processes(1 if a.so_far else a.processes)
    lines = run_all(Lines(BUILD / "runs.jsonl", pool, a.so_far))
    if not a.so_far:
        keep_twins(lines)
    found = elmo_gpt_bert_table.collected(
        lines,
        language=fingerprint_once(),
        shared=dataclasses.asdict(twins.SHARED),
        recipes=twins.RECIPES,
        tuning_batch=BATCH_SIZE,
        tuning={task: dict(zip(elmo_gpt_bert_table.TUNING, sizes)) for task, sizes in TUNING.items()},
    )
    runs.finish("elmo_gpt_bert", found, elmo_gpt_bert_table.report(found), None, a.so_far)


if __name__ == "__main__":
    main()
