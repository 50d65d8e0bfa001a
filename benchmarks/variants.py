"""Run the small experiments of lesson 10 with several seeds: one change to BERT at a time, at equal compute.

    python benchmarks/variants.py --processes 2    # three quarters of an hour

The experiments are defined in `minibert.course.unit10.experiments`. A seed determines weights, batches, masks
and labelled examples; text and test set are the same for all. ELECTRA's three objectives use the learning
rate that is best on dev sentences, with a seed that is not in any table.

Each finished run is a line of build/variants/runs.jsonl, so the same command resumes after an interruption.
Lines of another language or recipe are ignored. The script writes variants.json, which lesson 10 reads, and
variants.md.
"""

import dataclasses
import functools
import time
from pathlib import Path

import numpy as np
import runs
import torch

from minibert.course.unit10 import experiments as small
from minibert.course.unit10.experiments import albert, electra, ernie, roberta, shared, stacked
from minibert.generated.fingerprint import fingerprint

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "variants"
TRIAL_SEED, TRIAL_BUDGET = 101, 500
fingerprint_once = functools.cache(fingerprint)
EXPERIMENTS = ("masks", "stacking", "ernie", "electra", "albert", "formats")
RECIPES = {"albert": small.ALBERT, "stacking": small.DEEP}
CONSTANTS = {
    "masks": [roberta.FEW, list(roberta.EPOCHS)],
    "ernie": [ernie.EACH, [list(map(list, plan)) for plan in ernie.PLANS.values()]],
    "stacking": [stacked.EVERY],
}


def recipe_of(experiment, quick):
    """Return the recipe of an experiment; with `quick`, only a few steps, to try the program."""
    recipe = RECIPES.get(experiment, small.RECIPE)
    return dataclasses.replace(recipe, steps=8, batch_size=8, documents=1500) if quick else recipe


def settings(what, quick):
    constants = list(CONSTANTS.get(what["run"], []))
    if "ELECTRA" in what["name"]:
        constants += [electra.OBJECTIVES[what["name"]], electra.WEIGHT]
    if what["name"] in ("factorised", "ALBERT"):
        constants += [albert.NARROWER]
    return {
        "language": fingerprint_once(),
        **dataclasses.asdict(recipe_of(what["run"], quick)),
        "labelled": shared.LABELLED,
        "tuning_steps": shared.TUNING_STEPS,
        "constants": constants,
    }


def run(what, quick):
    torch.set_num_threads(1)
    recipe, begin = recipe_of(what["run"], quick), time.process_time()
    name, seed = what["name"], what["seed"]
    if what["run"] == "masks":
        found = small.masks_run(name, seed, recipe, *((1, 2), 10) if quick else ())
    elif what["run"] == "formats":
        found = small.format_run(name, seed, recipe)
    elif what["run"] == "albert":
        found = small.albert_run(name, seed, recipe)
    elif what["run"] == "electra":
        found = small.electra_run(
            name, 6 if quick else what["budget"], seed, what["rate"], recipe, dev=seed == TRIAL_SEED
        )
    elif what["run"] == "stacking":
        found = small.stacking_run(name, seed, recipe, 2 if quick else stacked.EVERY)
    else:
        found = small.ernie_run(name, seed, recipe, 6 if quick else ernie.EACH)
    return {
        "of": what,
        "settings": settings(what, quick),
        "found": found,
        "seconds": round(time.process_time() - begin, 1),
    }


def plan(experiment, seed, rates):
    names = {
        "masks": small.MASKS,
        "formats": small.FORMATS,
        "albert": small.SHARINGS,
        "electra": small.OBJECTIVES,
        "stacking": small.WAYS,
        "ernie": small.PLANS,
    }[experiment]
    for name in names:
        if experiment != "electra":
            yield {"run": experiment, "name": name, "seed": seed}
        else:
            for budget in small.BUDGETS:
                yield {"run": experiment, "name": name, "seed": seed, "budget": budget, "rate": rates[name]}


def rate_trials():
    """Yield the trials that choose the learning rates of ELECTRA's objectives."""
    for name in small.OBJECTIVES:
        for rate in small.RATES:
            yield {"run": "electra", "name": name, "seed": TRIAL_SEED, "budget": TRIAL_BUDGET, "rate": rate}


class Lines(runs.Lines):
    """The result lines of this benchmark. quick: of runs with only a few steps."""

    def __init__(self, path, pool, quick, so_far):
        super().__init__(
            path, functools.partial(run, quick=quick), functools.partial(settings, quick=quick), pool, so_far
        )


def best_rates(lines):
    """Return {objective: the best learning rate on dev sentences}, the middle one if there were no trials."""

    def f1(name, rate):
        return max(
            (
                line["found"]["entities"]
                for line in lines
                if (line["of"]["name"], line["of"]["rate"]) == (name, rate)
            ),
            default=0.0,
        )

    middle = small.RATES[len(small.RATES) // 2]
    return {name: max((middle, *small.RATES), key=lambda rate: f1(name, rate)) for name in small.OBJECTIVES}


def collected(lines, rates, speed):
    """Return the contents of variants.json: {experiment: {name: results by seed}} and how it was made."""
    tables = {}
    for line in lines:
        what = line["of"]
        name = what["name"] if "budget" not in what else f"{what['name']} {what['budget']}"
        rows = tables.setdefault(what["run"], {})
        rows.setdefault(name, []).append({"seed": what["seed"], **line["found"]})
    return {
        "language": fingerprint_once(),
        "command": "python benchmarks/variants.py --processes 2",
        "recipe": dataclasses.asdict(small.RECIPE),
        "epochs": list(small.EPOCHS),
        "budgets": list(small.BUDGETS),
        "few": roberta.FEW,
        "rates": rates,
        "speed": speed,
        "frequencies": round(shared.frequency_loss(small.material()), 3),
        "minutes": round(sum(line["seconds"] for line in lines) / 60, 1),
        **tables,
    }


def speeds():
    """Return {name: milliseconds per batch} for ALBERT's four encoders, measured one after the other."""
    torch.set_num_threads(1)
    config = small.ALBERT.config(small.material().tokenizer)
    return {name: small.milliseconds(small.albert_encoder(name, config, 0)) for name in small.SHARINGS}


def report(found):
    return runs.report(found, EXPERIMENTS, flat, spread)


def flat(one):
    numbers = {
        key: value[-1] if isinstance(value, list) else value for key, value in one.items() if key != "seed"
    }
    stage = numbers.pop("stages", {})
    return numbers | stage


def spread(seeds, key):
    values = [one[key] for one in seeds if key in one]
    if not values:
        return ""
    if len(set(values)) == 1:
        return f"{values[0]:,}"
    return f"{np.mean(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main():
    parser = runs.options(__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds (default: %(default)s)")
    parser.add_argument("--experiments", nargs="+", choices=EXPERIMENTS, default=EXPERIMENTS)
    a = parser.parse_args()
    pool = runs.processes(1 if a.so_far else a.processes)
    lines, found, rates = Lines(BUILD / "runs.jsonl", pool, a.quick, a.so_far), [], {}
    if "electra" in a.experiments:
        rates = best_rates(lines.of(() if a.quick else rate_trials()))
    for seed in range(1, a.seeds + 1):
        for experiment in a.experiments:
            found += lines.of(plan(experiment, seed, rates))
    result = collected(found, rates, speeds())
    runs.finish("variants", result, report(result), a.out, a.so_far)


if __name__ == "__main__":
    main()
