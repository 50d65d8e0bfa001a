"""Measure what lesson 14 shows: search in the course, texts from BERT and GPT, long texts, and registers.

    python benchmarks/after_bert.py --data ../shared/data   # an hour on one core; --only search: a part

The experiments are defined in `minibert.course.unit14.experiments`. The ways to search that are trained on
pairs read SQuAD 1.1 (CC BY-SA 4.0) from the folder --data, and the registers read banking77 and sentence
polarity (CC BY 4.0); the folder is not part of the repository.

Each finished run is a line of build/after_bert/runs.jsonl, so the same command resumes after an interruption.
Lines of another language, of other sections of the course or of another recipe are ignored. With --only, the
results of the other parts stay as they are stored, unless their runs are in that file. The script writes
after_bert.json, which lesson 14 reads, after_bert.md, and all texts in after_bert_texts.txt.
"""

import functools
import hashlib
import json
import time
from pathlib import Path

import numpy as np
import places
import runs
import torch

from minibert.course.unit13.experiments.shared import weights_digest
from minibert.course.unit14.experiments import course_search, far_away, long_texts, registers, writing
from minibert.english.model import BASE
from minibert.generated.fingerprint import fingerprint
from minibert.readers.writing import write_text

HERE = Path(__file__).resolve().parent
BUILD = HERE.parent / "build" / "after_bert"
PARTS = ("search", "writing", "long", "far", "registers")
SMALL_SEEDS = 3  # of "far" and "registers"
SEEDS = {"whole": 1, "last": 1}
SLOWEST = writing.WAYS[-1]
SLOW, SLOW_TEXTS = {"whole": 0, "last": 1}, 12  # Metropolis-Hastings: each step reads a text many times
DRAWS = 2000  # of a bootstrap
ABOUT = ("course", "asked", "sections", "training")  # belong to the search
fingerprint_once = functools.cache(fingerprint)


@functools.cache
def course_digest():
    """Return 12 hex digits that identify the questions and the sections of the course."""
    text = course_search.QUESTIONS.read_bytes() + repr(course_search.asked_sections()).encode()
    return hashlib.sha256(text).hexdigest()[:12]


def settings(what, quick):
    part = {
        "search": lambda: [course_digest(), BASE, course_search.TRAINING],
        "writing": lambda: [
            fingerprint_once(),
            weights_digest(),
            writing.COUNT,
            writing.SWEEPS,
            writing.ITERATIONS,
        ],
        "long": lambda: [long_texts.LENGTHS, long_texts.HEAD_SIZE, long_texts.REACH],
        "far": lambda: [far_away.SIZES, far_away.REACH, far_away.DISTANCES, far_away.STEPS, far_away.RATE],
        "registers": lambda: [BASE, registers.TRAIN, registers.STEPS, registers.RATE],
    }
    return json.loads(json.dumps([quick, *part[what["run"]]()]))


def run(what, quick, data):
    torch.set_num_threads(1)
    begin = time.process_time()
    if what["run"] == "search":
        pairs = ()
        if what["way"].startswith("trained"):
            pairs = course_search.question_pairs(data / "squad_v1" / "train_small.json")
        found = course_search.search_run(what["way"], pairs[:20] if quick else pairs)
    elif what["run"] == "writing":
        count = 1 if quick else SLOW_TEXTS if what["way"] == SLOWEST else None
        found = writing.writing_run(what["way"], what["task"], what["seed"], count)
    elif what["run"] == "far":
        found = far_away.far_run(what["kind"], what["seed"], *((2, 8) if quick else ()))
    elif what["run"] == "registers":
        found = registers.register_run(data, what["register"], what["seed"], *((1,) if quick else ()))
    else:
        found = long_texts.growth_run()
    seconds = round(time.process_time() - begin, 1)
    return {"of": what, "settings": settings(what, quick), "found": found, "seconds": seconds}


def plan(part, quick):
    if part == "search":
        return [{"run": part, "way": way} for way in course_search.WAYS]
    if part == "long":
        return [{"run": part}]
    seeds = range(1, 2 if quick else 1 + SMALL_SEEDS)
    if part == "far":
        return [{"run": part, "kind": kind, "seed": seed} for seed in seeds for kind in far_away.KINDS]
    if part == "registers":
        read = [{"run": part, "register": one, "seed": seed} for seed in seeds for one in registers.REGISTERS]
        return [{"run": part, "register": registers.NEITHER, "seed": 0}, *read]
    return [
        {"run": part, "task": task, "way": way, "seed": seed}
        for seed in range(1, 2 if quick else 1 + max(SEEDS.values()))
        for task in reversed(writing.TASKS)
        for way in writing.WAYS
        if seed <= (SLOW if way == SLOWEST else SEEDS)[task]
    ]


def interval(texts, of=lambda texts: texts.sum(0)[0] / max(texts.sum(0)[1], 1)):
    """Return [value, low, high], 95%, of a bootstrap over texts; texts: (N, 2), right and all. In percent."""
    texts = np.asarray(texts, float)
    draws = np.random.default_rng(0).integers(len(texts), size=(DRAWS, len(texts)))
    values = [100 * of(texts[draw]) for draw in draws]
    return [round(float(x), 1) for x in (100 * of(texts), *np.quantile(values, [0.025, 0.975]))]


def written(lines):
    """Return {task: {way: results}} over all seeds, with the share after each sweep."""
    tables = {}
    for line in lines:
        what = line["of"]
        tables.setdefault(what["task"], {}).setdefault(what["way"], []).append(line["found"])
    return {task: {way: summary(found) for way, found in ways.items()} for task, ways in tables.items()}


def summary(found):
    """Return the results of one way from its lines, one per seed."""
    right, count, documents = (
        np.concatenate([np.array(one[name], float) for one in found])
        for name in ("grammatical", "sentences", "documents")
    )  # (N, sweeps)
    texts = [text for one in found for text in one["texts"]]
    parts = [sentence.strip() for text in texts for sentence in text.split(" .") if sentence.strip()]
    words = [word for text in texts for word in text.split()]
    return {
        "texts": len(texts),
        "sentences": int(count[:, -1].sum()),
        "grammatical": interval(np.stack([right[:, -1], count[:, -1]], 1)),
        "documents": interval(np.stack([documents[:, -1], np.ones(len(documents))], 1)),
        "different sentences": round(100 * len(set(parts)) / len(parts), 1),
        "repeated words": round(100 * float(np.mean([a == b for a, b in zip(words, words[1:])])), 1),
        "by sweep": (100 * right.sum(0) / count.sum(0)).round(1).tolist(),
        "changed": np.mean([one["changed"] for one in found], 0).round(3).tolist(),
        "examples": texts[:3],
    }


def report(found):
    lines = [f"Made by `{found['command']}`, language {found['language']}.", ""]
    if found.get("search"):
        lines += [
            f"## Search: {found['asked']} questions, {found['sections']} sections",
            "",
            "Mean and 95% interval of a bootstrap over the questions. The published encoder is under the "
            "English model; its authors trained it on sentence pairs.",
            "",
            "| | hit@1, % | hit@3, % | MRR |",
            "| --- " * 4 + "|",
            *(
                f"| {way} | {' | '.join(map(spread, row['measures'].values()))} |"
                for way, row in found["search"].items()
            ),
            "",
        ]
    for task, ways in found.get("writing", {}).items():
        names = ("grammatical", "documents")
        lines += [
            f"## Writing: {'a whole biography' if task == 'whole' else 'the last sentence of a biography'}",
            "",
            "| | texts | grammatical sentences, % | possible documents, % | different sentences, % | "
            "repeated words, % |",
            "| --- " * 6 + "|",
            *(
                f"| {way} | {row['texts']} | {' | '.join(spread(row[name]) for name in names)} | "
                f"{row['different sentences']} | {row['repeated words']} |"
                for way, row in ways.items()
            ),
            "",
        ]
    if found.get("long"):
        growth = found["long"]
        lines += [
            "## Long attention",
            "",
            f"| tokens | {' | '.join(f'{length:,}' for length in growth['lengths'])} | exponent |",
            "| --- " * (len(growth["lengths"]) + 2) + "|",
        ]
        for way in ("full", "linear"):
            sizes = " | ".join(f"{size / 2**20:.1f}" for size in growth[way]["bytes"])
            times = " | ".join(map(str, growth[way]["relative time"]))
            lines += [
                f"| {way}, MiB | {sizes} | {growth[way]['bytes exponent']} |",
                f"| {way}, relative time | {times} | {growth[way]['time exponent']} |",
            ]
        lines += [
            f"| times faster | {' | '.join(map(str, growth['times faster']))} | |",
            "",
            "Largest difference between the two: "
            + ", ".join(f"{value:.1g} in {name}" for name, value in growth["difference"].items())
            + ".",
            "",
        ]
    lines += far_report(found.get("far", {})) + register_report(found.get("registers", {}))
    return "\n".join(lines)


def far_report(found):
    if not found:
        return []
    distances = next(iter(found.values()))[0]["distances"]
    lines = [
        f"## An answer far away: right answers in percent, {SMALL_SEEDS} seeds",
        "",
        f"Chance is {100 / far_away.ANSWERS:.1f}%. The last row: all models, asked without the answer.",
        "",
        f"| tokens to the answer | {' | '.join(map(str, distances))} |",
        "| --- " * (len(distances) + 1) + "|",
    ]
    for kind, seeds in found.items():
        rows = np.array([one["accuracy"] for one in seeds])  # (seeds, distances)
        cells = [f"{row.mean():.0f} ({row.min():.0f} to {row.max():.0f})" for row in rows.T]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    without = np.mean([one["without answer"] for seeds in found.values() for one in seeds], 0)
    return [*lines, f"| without the answer | {' | '.join(f'{x:.0f}' for x in without)} |", ""]


def register_report(found):
    if not found:
        return []
    lines = [
        "## Registers: masked tokens right in percent, mean (lowest to highest) over seeds",
        "",
        f"| pretrained further on | {' | '.join(registers.REGISTERS)} |",
        "| --- " * (len(registers.REGISTERS) + 1) + "|",
    ]
    for register, seeds in found.items():
        rows = [[one["right"][name] for one in seeds] for name in registers.REGISTERS]
        cells = [f"{np.mean(row):.1f} ({min(row):.1f} to {max(row):.1f})" for row in rows]
        lines.append(f"| {register} | {' | '.join(cells)} |")
    return [*lines, ""]


def spread(values):
    digits = 2 if max(values) <= 1 else 1
    value, low, high = (f"{x:.{digits}f}" for x in values)
    return f"{value} ({low} to {high})"


def about_search():
    """Return what the search depends on, under the names of ABOUT."""
    found = course_search.asked_sections()
    return dict(
        zip(ABOUT, (course_digest(), len(course_search.questions()), len(found), course_search.TRAINING))
    )


def searched(lines):
    """Return {way: measures and ranks}."""
    return {
        line["of"]["way"]: {
            "measures": course_search.measures(np.array(line["found"]["ranks"]), np.random.default_rng(0)),
            "ranks": line["found"]["ranks"],
        }
        for line in lines
    }


def by_seed(lines, name):
    """Return {value of `name` in the plan: the results of all seeds}."""
    found = {}
    for line in lines:
        found.setdefault(line["of"][name], []).append(line["found"])
    return found


OF_PART = {
    "search": searched,
    "writing": written,
    "long": lambda lines: lines[0]["found"],
    "far": functools.partial(by_seed, name="kind"),
    "registers": functools.partial(by_seed, name="register"),
}


def stored_before(out):
    """Return the stored table, or {} if there is none or it was made with another language or encoder."""
    path = places.table("after_bert", out)
    found = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    same = (found.get("language"), found.get("encoder")) == (fingerprint_once(), weights_digest())
    return found if same else {}


def main():
    parser = runs.options(__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, help="parts to run")
    parser.add_argument("--data", type=Path, help="has squad_v1; without it, nothing is trained on pairs")
    parser.add_argument("--build", type=Path, default=BUILD, help="folder of finished runs")
    a = parser.parse_args()
    made = runs.Lines(
        a.build / "runs.jsonl",
        functools.partial(run, quick=a.quick, data=a.data),
        functools.partial(settings, quick=a.quick),
        runs.processes(1 if a.so_far else a.processes),
    )
    lines = {}
    for part in PARTS:
        made.so_far = a.so_far or part not in a.only
        wanted = plan(part, a.quick)
        if a.data is None and not made.so_far:
            wanted = [what for what in wanted if not what.get("way", "").startswith("trained")]
        lines[part] = made.of(wanted)
    kept = stored_before(a.out)
    result = {
        "language": fingerprint_once(),
        "encoder": weights_digest(),
        "command": "python benchmarks/after_bert.py --data ../shared/data",
        **(about_search() if lines["search"] else {name: kept.get(name) for name in ABOUT}),
        **{part: OF_PART[part](lines[part]) if lines[part] else kept.get(part, {}) for part in PARTS},
    }
    if lines["writing"] and not a.so_far:
        text = "".join(
            f"{line['of']['task']}, {line['of']['way']}, seed {line['of']['seed']}\n"
            + "".join(f"  {one}\n" for one in line["found"]["texts"])
            for line in lines["writing"]
        )
        write_text((a.out or places.RESULTS) / "after_bert_texts.txt", text)
    runs.finish("after_bert", result, report(result), a.out, a.so_far, indent=None)


if __name__ == "__main__":
    main()
