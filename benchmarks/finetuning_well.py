"""Run lesson 13's small fine-tuning experiments with many seeds: a 12 x 12 grid, and one change at a time.

    python benchmarks/finetuning_well.py --data ../shared/data   # 31 minutes; --only grid: only that part

The experiments are defined in `minibert.course.unit13.experiments`. The grid is on four tasks. It grows as a
square, so that an interrupted run has as many initialisations as data orders. Each adapter uses the learning
rate that is best on validation examples, with a seed that is not in any table. The part "english" reads QNLI
(CC BY-SA 4.0, derived from SQuAD) from the folder --data, which is not part of the repository.

Each finished run is a line of build/finetuning_well/runs.jsonl, so the same command resumes after an
interruption. Lines of another language, recipe or encoder are ignored. The script writes
finetuning_well.json, which lesson 13 reads, and finetuning_well.md; parts without any run keep their previous
results.
"""

import dataclasses
import functools
import hashlib
import json
import time
from pathlib import Path

import numpy as np
import places
import runs
import torch

from minibert.course.models.class_model import class_model
from minibert.course.unit13 import experiments as small
from minibert.course.unit13.experiments import knowledge, remedies, shapes, stages, swaps
from minibert.course.unit13.methods.seeds import anova, failed, grid
from minibert.english.model import BASE, TASKS, WEIGHTS
from minibert.finetuning.registry import read_examples
from minibert.generated.fingerprint import fingerprint

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "finetuning_well"
SIDE, TRIAL_SEED = 12, 101  # of the grid; for the trials of learning rates
PARTS = ("grid", "remedies", "adapters", "knowledge", "stages", "batches", "english", "shapes")
LOOKS = {"grid": small.RECIPE.per_epoch}  # evaluations per epoch; the other parts have one
SEEDS = {"remedies": 5, "adapters": 3, "knowledge": 3, "stages": 4, "batches": 3, "english": 3, "shapes": 3}
NUMBERS = ("accuracy", "words", *shapes.TUNED_ON, "parameters", "steps", "bytes", "seconds", "loss")
HEADS = {"accuracy": "test accuracy, %", "words": "masked tokens, %"}
TRIED_ON = ("acceptable", "word order")  # the tasks of the remedies; adapters use the first
LABELS = ("task", "second", "name", "batch_size", "rate")  # fields that identify a row of a table
fingerprint_once = functools.cache(fingerprint)
CONSTANTS = {
    "grid": [],
    "remedies": [remedies.MORE, remedies.DECAY, remedies.MIXOUT, dataclasses.asdict(remedies.SMART)],
    "adapters": [swaps.RANK, swaps.BOTTLENECK, swaps.PROMPTS],
    "stages": [dataclasses.asdict(stages.MANY), dataclasses.asdict(stages.FEW), stages.READ, stages.READING],
    "knowledge": [list(knowledge.KNOWN), sorted(knowledge.STRINGS), knowledge.SIZE],
    "batches": [],
    "english": [BASE, stages.ENGLISH_FEW, stages.ENGLISH_EPOCHS, stages.ENGLISH_RATE],
    "shapes": [dataclasses.asdict(shapes.BRIEFLY), shapes.TUNED_ON, shapes.TUNINGS, shapes.RATE],
}


@functools.cache
def lessons_model():
    """Return a number that identifies the lessons' model, which differs between machines."""
    model, _ = class_model()
    return round(float(sum(p.detach().double().abs().sum() for p in model.encoder.parameters())), 3)


def settings(what, quick):
    part = what["run"]
    recipe = small.RECIPE
    found = {
        "language": fingerprint_once(),
        "encoder": small.weights_digest(),
        "quick": quick,
        "recipe": dataclasses.asdict(recipe),
        "constants": json.loads(json.dumps(CONSTANTS[part])),
    }
    if part in ("grid", "remedies", "adapters", "batches"):
        found["recipe"] = dataclasses.asdict(small.recipe_of(what["task"]))
    if part == "stages":
        found["encoder"] = lessons_model()
    if part == "shapes":
        found["encoder"] = str(shapes.SHAPES[what["name"]])
    if part == "english":
        found |= {"language": "English", "encoder": adapter_digest(what["name"])}
    return found


@functools.cache
def adapter_digest(first):
    """Return 12 hex digits that identify the adapter of a first stage, or "" if it has none."""
    name = stages.ENGLISH[first]
    return hashlib.sha256((WEIGHTS / TASKS[name]).read_bytes()).hexdigest()[:12] if name else ""


@functools.cache
def qnli(data, part):
    """Return the QNLI examples in a folder of real data; part: "train" or "dev"."""
    found = read_examples("qnli", data / "pair" / "qnli" / f"{part}.tsv")
    if part == "dev":  # one of the first stages was trained on SQuAD, so check that no sentence is from there
        read = (data / name for name in ("squad_v1/train_small.json", "squadshifts_newwiki/train.json"))
        passages = "\n".join({one.context for path in read for one in read_examples("qa", path)})
        assert not any(one.second.strip() in passages for one in found)
    return found


def short(recipe, quick):
    """Return a recipe or, for a quick test of the program, a copy with only a few steps."""
    few = {"labelled": 16, "validation": 8, "test": 8, "epochs": 1, "per_epoch": 2, "batch_size": 8}
    return dataclasses.replace(recipe, **few) if quick else recipe


def run(what, quick, data=None):
    torch.set_num_threads(1)
    part, name, seed, begin = what["run"], what.get("name"), what.get("seed"), time.process_time()
    recipe = dataclasses.replace(small.recipe_of(what.get("task", "")), per_epoch=LOOKS.get(part, 1))
    recipe = short(recipe, quick)
    if part == "grid":
        found = small.line(small.tune(what["task"], what["init"], what["order"], recipe))
    elif part == "remedies":
        found = small.remedy_run(name, what["task"], seed, recipe)
    elif part == "adapters":
        found = small.adapter_run(name, what["task"], seed, what["rate"], recipe)
    elif part == "stages" and "task" in what:
        found = small.further_pretraining_run(
            name, what["task"], seed, recipe, 2 if quick else stages.READING
        )
    elif part == "stages":
        found = small.stage_run(
            name, what["second"], seed, short(stages.FEW, quick), short(stages.MANY, quick)
        )
    elif part == "batches":
        found = small.batch_run(what["batch_size"], what["rate"], what["task"], seed, recipe)
    elif part == "english":
        found = small.english_run(
            name,
            seed,
            qnli(data, "train"),
            qnli(data, "dev")[: 8 if quick else None],
            4 if quick else stages.ENGLISH_FEW,
        )
    elif part == "shapes":
        steps = dataclasses.replace(shapes.BRIEFLY, steps=8, batch_size=8, documents=1500)
        found = small.shape_run(
            name, seed, steps if quick else shapes.BRIEFLY, functools.partial(short, quick=quick)
        )
    else:
        found = small.knowledge_run(name, seed, recipe)
    return {
        "of": what,
        "settings": settings(what, quick),
        "found": found,
        "seconds": round(time.process_time() - begin, 1),
    }


def grid_plan(side):
    for init, order in grid(side, side):
        for task in small.TASKS:
            yield {"run": "grid", "task": task, "init": init, "order": order}


def plan(part, seeds, rates):
    """Yield the runs of another part, seed by seed."""
    for seed in range(1, seeds + 1):
        if part == "remedies":
            for task in TRIED_ON:
                yield from (
                    {"run": part, "task": task, "name": name, "seed": seed} for name in small.REMEDIES
                )
        elif part == "adapters":
            yield from (
                {"run": part, "task": TRIED_ON[0], "name": name, "seed": seed, "rate": rates[name]}
                for name in small.ADAPTERS
            )
        elif part == "stages":
            for second in stages.SECOND:
                yield from (
                    {"run": part, "name": name, "second": second, "seed": seed} for name in stages.FIRST
                )
            yield from (
                {"run": part, "name": name, "task": TRIED_ON[0], "seed": seed} for name in stages.READS
            )
        elif part == "batches":
            yield from (
                {"run": part, "task": TRIED_ON[1], "batch_size": size, "rate": rate, "seed": seed}
                for size in small.BATCHES
                for rate in remedies.BATCH_RATES
            )
        else:
            names = {"knowledge": small.WAYS, "english": stages.ENGLISH, "shapes": small.SHAPES}[part]
            yield from ({"run": part, "name": name, "seed": seed} for name in names)


def rate_trials():
    for name in small.ADAPTERS:
        for rate in small.RATES:
            yield {"run": "adapters", "task": TRIED_ON[0], "name": name, "seed": TRIAL_SEED, "rate": rate}


class Lines(runs.Lines):
    """The result lines of this benchmark. quick: of runs with only a few steps."""

    def __init__(self, path, pool, quick, so_far, **more):
        super().__init__(
            path,
            functools.partial(run, quick=quick, **more),
            functools.partial(settings, quick=quick),
            pool,
            so_far,
        )


def best_rates(lines):
    def right(name, rate):
        return max(
            (
                line["found"]["validation"][-1]
                for line in lines
                if (line["of"]["name"], line["of"]["rate"]) == (name, rate)
            ),
            default=0,
        )

    middle = small.RATES[len(small.RATES) // 2]
    return {name: max((middle, *small.RATES), key=lambda rate: right(name, rate)) for name in small.ADAPTERS}


def collected(found, rates, quick):
    """Return the contents of finetuning_well.json; for the grid, the largest square that all tasks have."""
    tables = {}
    for line in found.pop("grid", []):
        what = line["of"]
        tables.setdefault(what["task"], {})[what["init"], what["order"]] = line["found"]
    side = max(
        (
            k
            for k in range(SIDE + 1)
            if all((i, j) in cells for cells in tables.values() for i in range(k) for j in range(k))
        ),
        default=0,
    )
    squares = (
        {
            task: {
                part: [[cells[i, j][part] for j in range(side)] for i in range(side)]
                for part in ("validation", "test", "loss", "seconds")
            }
            for task, cells in tables.items()
        }
        if side
        else {}
    )
    rows = {part: [{**line["of"], **line["found"]} for line in lines] for part, lines in found.items()}
    return {
        "language": fingerprint_once(),
        "encoder": small.weights_digest(),
        "recipes": {task: dataclasses.asdict(short(small.recipe_of(task), quick)) for task in small.TASKS},
        "command": "python benchmarks/finetuning_well.py --processes 2",
        "side": side,
        "rates": rates,
        "shipped": {name: adapter_digest(name) for name in stages.ENGLISH},
        "grid": squares,
        **rows,
    }


def with_stored(result, path, parts):
    """Fill the missing parts of a result from a file, if its language and encoder agree."""
    stored = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    if any(stored.get(key) != result[key] for key in ("language", "encoder", "recipes")):
        return result
    kept = {part: stored[part] for part in parts if part in stored and not result.get(part)}
    about = {"grid": "side", "adapters": "rates", "english": "shipped"}
    kept |= {about[part]: stored[about[part]] for part in about if part in kept}
    minutes = {**(stored["minutes"] if kept else {}), **result["minutes"]}
    return {**result, **kept, "minutes": minutes}


def report(found):
    lines = [
        f"Made by `{found['command']}`, language {found['language']}, encoder {found['encoder']}, "
        f"{sum(found['minutes'].values()):.0f} minutes on one core.",
        "",
    ]
    if found["side"]:
        lines += [
            f"## grid: {found['side']} initialisations x {found['side']} data orders",
            "",
            "| task | mean test accuracy at the end | standard deviation | lowest | highest | failed | "
            "F, p of WI | F, p of DO |",
            "| --- " * 8 + "|",
        ]
        for task, cells in found["grid"].items():
            size = found["recipes"][task]
            last = 100 * np.array(cells["test"])[:, :, -1] / size["test"]  # (W, O)
            told = [f"{f:.1f}, {p:.3f}" for f, p in anova(last).values()] if found["side"] > 1 else ["", ""]
            lines.append(
                f"| {task} | {last.mean():.1f} | {last.std(ddof=1):.1f} | {last.min():.1f} | "
                f"{last.max():.1f} | {failed(last, 55).sum()} | {' | '.join(told)} |"
            )
        lines.append("")
    for part in PARTS[1:]:
        groups = {}
        for row in found.get(part, []):
            keys = [key for key in LABELS if key in row and (part, key) != ("adapters", "rate")]
            name = tuple(str(row[key]) for key in keys)
            groups.setdefault(name, []).append(row)
        if groups:
            size = next(iter(found["recipes"].values()))["test"]
            groups = {
                name: [
                    {"accuracy": 100 * row["test"][-1] / size, **row} if "test" in row else row
                    for row in rows
                ]
                for name, rows in groups.items()
            }
            numbers = [key for key in NUMBERS if key in next(iter(groups.values()))[0]]
            lines += [
                f"## {part}",
                "",
                f"| | seeds | {' | '.join(HEADS.get(key, key) for key in numbers)} |",
                "| --- " * (len(numbers) + 2) + "|",
            ]
            lines += [
                f"| {', '.join(name)} | {len(rows)} | "
                + " | ".join(spread([row[key] for row in rows if key in row]) for key in numbers)
                + " |"
                for name, rows in groups.items()
            ]
            lines.append("")
    return "\n".join(lines)


def spread(values):
    if not values or len(set(values)) == 1:
        return "" if not values else f"{values[0]:,}" if isinstance(values[0], int) else f"{values[0]:.2f}"
    return f"{np.mean(values):.2f} ({min(values):.2f} to {max(values):.2f})"


def main():
    parser = runs.options(__doc__)
    parser.add_argument(
        "--only",
        nargs="+",
        choices=PARTS,
        default=PARTS,
        help="parts to run; finished runs of the others are used as they are",
    )
    parser.add_argument("--data", type=Path, help='has pair/qnli; without it, "english" is not run again')
    parser.add_argument("--side", type=int, default=SIDE, help="side of the grid (default: %(default)s)")
    parser.add_argument("--build", type=Path, default=BUILD, help="folder of finished runs")
    a = parser.parse_args()
    pool = runs.processes(1 if a.so_far else a.processes)
    path, there = a.build / "runs.jsonl", a.data is not None and (a.data / "pair" / "qnli").is_dir()
    made, found, rates = Lines(path, pool, a.quick, a.so_far, data=a.data), {}, {}
    for part in PARTS:
        made.so_far = a.so_far or part not in a.only or part == "english" and not there
        if made.so_far and not any(line["of"]["run"] == part for line in made.known.values()):
            continue  # its settings may take long to compute
        if part == "grid":
            found[part] = made.of(grid_plan(2 if a.quick else a.side))
            continue
        if part == "adapters":
            rates = best_rates(made.of(() if a.quick else rate_trials()))
        found[part] = made.of(plan(part, 1 if a.quick else SEEDS[part], rates))
    minutes = {
        part: round(sum(line["seconds"] for line in lines) / 60, 1) for part, lines in found.items() if lines
    }
    result = with_stored(
        {**collected(found, rates, a.quick), "minutes": minutes},
        places.table("finetuning_well", a.out),
        PARTS,
    )
    runs.finish("finetuning_well", result, report(result), a.out, a.so_far, indent=None)


if __name__ == "__main__":
    main()
