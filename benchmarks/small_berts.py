"""Make the fine-tuned English model smaller in every way of lesson 11, and score, weigh and time the results.

    python benchmarks/small_berts.py --data ../shared/data   # a quarter of an hour on one core

The experiments are defined in `minibert.course.unit11.experiments`; the original is english-sentiment. The
data are film reviews (Pang and Lee, 2005, CC BY 4.0) in the folder --data, which is not part of the
repository. A seed draws the training reviews, their order and new weights. The layers from which students
start are chosen on dev reviews, with the first seed; all scores are on test reviews. Times are measured at
the end, all models in turns.

Each finished run is a line of build/small_berts/runs.jsonl, so the same command resumes after an
interruption. Lines of another recipe or encoder are ignored. The script writes small_berts.json, which lesson
11 reads, and small_berts.md; `--only NAME ...` runs some ways, and `--so-far` prints the results so far.
"""

import copy
import dataclasses
import hashlib
import io
import json
import platform
import time
from pathlib import Path

import numpy as np
import places
import runs
import torch

from minibert.bench.clock import Spread, take_turns, times_faster
from minibert.course.unit11 import experiments as small
from minibert.course.unit11.experiments import ways
from minibert.english.model import BASE, TASKS, WEIGHTS
from minibert.finetuning.compression.student import HOW, start_from
from minibert.generated.fingerprint import fingerprint
from minibert.model import BiLSTM, Encoder, Model

BUILD = Path(__file__).resolve().parent.parent / "build" / "small_berts"
SEEDS, CONTROL = 3, "3 of 6 layers, labels only"
LEFT = "layers kept: "  # of the trials, before the name of a map
SPEED_OF = {  # name of a way -> name of its time; the others have no fast program, or that of the original
    "original": "PyTorch",
    "bag of words": "bag of words",
    "int8 in ONNX Runtime": "int8 in ONNX Runtime",
    "40% of columns, then trained": "40% of columns",
    **{f"top {count} of 6 layers dropped": f"{6 - count} layers" for count in (1, 2)},
    **{name: "3 layers" for name in small.WAYS if name.startswith(("3 of 6", "top 3"))},
    **{name: "40% of heads" for name in small.WAYS if name.startswith("40% of heads")},
    **{name: "BiLSTM" for name in small.WAYS if name.startswith("BiLSTM")},
}


class Lines(runs.Lines):
    def __init__(self, path, given, so_far):
        self.given = given
        constants = [
            BASE, ways.HALF, ways.HEADS_REMOVED, ways.COLUMNS_REMOVED, ways.GROUP, ways.IMPORTANCE_FROM,
            ways.TEMPERATURE, ways.SHARE, ways.LSTM_RATE,
        ]  # fmt: skip
        settings = [dataclasses.asdict(given.recipe), *constants]
        super().__init__(path, self.one, lambda what: settings, None, so_far)
        self.all_settings = settings

    def one(self, what):
        begin = time.process_time()
        made = small.small_model(what["name"], self.given, what["seed"], what["how"])
        parts = ("dev",) if what["trial"] else ("dev", "test")
        found = {**small.scores(made, self.given, parts), "megabytes": round(made.size, 3)}
        seconds = round(time.process_time() - begin, 1)
        return {"of": what, "settings": self.all_settings, "found": found, "seconds": seconds}

    def shown(self, line):
        return line["found"].values()


def described(name, seed, how, trial=False):
    return {"name": name, "seed": seed, "how": how, "trial": trial}


def chosen_map(lines):
    """Return the map with the best dev score, and all dev scores; the first of equal ones."""
    plan = [described(CONTROL, 0, how, trial=True) for how in HOW]
    found = {line["of"]["how"]: line["found"]["dev"] for line in lines.of(plan)}
    return max(HOW, key=lambda how: found.get(how, 0)), found


def shapes(given):
    """Return one model for each time: the weights do not matter."""
    model = small.original().model
    encoder = model.encoder
    encoders = {f"{layers} layers": start_from(encoder, range(layers)) for layers in (5, 4, 3)}
    encoders |= {
        "40% of heads": ways.few_heads(given, 0, important=False),
        "40% of columns": ways.few_columns(),
    }
    found = {"PyTorch": model, **{name: model.with_part("encoder", one) for name, one in encoders.items()}}
    found["bag of words"] = small.small_model("bag of words", given, 0).model
    lstm = BiLSTM(encoder.config.replace(num_hidden_layers=1))
    found["BiLSTM"] = Model(lstm, small.original().task.heads(lstm))
    found["int8 in PyTorch"] = torch.ao.quantization.quantize_dynamic(
        plain(model), {torch.nn.Linear}, dtype=torch.qint8
    )
    for key, int8 in (("ONNX Runtime", False), ("int8 in ONNX Runtime", True)):
        path = given.folder / ("int8.onnx" if int8 else "float32.onnx")
        found[key] = small.OnnxModel(small.onnx_file(model, path, int8))
    return found


def plain(model):
    """Return a copy whose encoder calls its layers as modules, so that these can be replaced."""
    encoder = Encoder(model.encoder.config)
    encoder.load_state_dict(model.encoder.state_dict())
    return copy.deepcopy(model).with_part("encoder", encoder.eval())


def latencies(models, first, rounds):
    """Return the milliseconds of models for each of small.SHAPES, measured in turns on one thread.

    It is CPU time, which other programs hardly change. first: the name of the original. For each model:
    "milliseconds" (median) and "times faster" than the original, as median, lower and upper quartile over
    rounds.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        found = {name: {} for name in models}
        for shape, (B, T) in small.SHAPES.items():
            calls = {name: small.call(model, B, T) for name, model in models.items()}
            seconds = take_turns(calls, rounds, 3, time.process_time)
            for name, times in seconds.items():
                faster = times_faster(times, seconds[first])
                found[name][shape] = {
                    "milliseconds": round(1000 * Spread.of(times).median, 3),
                    "times faster": [round(value, 3) for value in faster],
                }
    finally:
        torch.set_num_threads(threads)
    return {
        "machine": platform.machine(),
        "threads": 1,
        "clock": "CPU time",
        "shapes": small.SHAPES,
        "rounds": rounds,
        "models": found,
        "megabytes": {name: megabytes(model) for name, model in models.items() if name != "bag of words"},
    }


def megabytes(model):
    """Return the size of a model's file: of the ONNX file, or of all its tensors in PyTorch's format."""
    if isinstance(model, small.OnnxModel):
        return round(model.path.stat().st_size / 1e6, 2)
    file = io.BytesIO()
    torch.save(model.state_dict(), file)
    return round(len(file.getbuffer()) / 1e6, 2)


def collected(lines, how, trials, times, minutes):
    rows = []
    for line in lines:
        what, found = line["of"], line["found"]
        way, time_of = small.WAYS[what["name"]][0], SPEED_OF.get(what["name"])
        measured = times["models"].get(time_of, {}).get("one", {}) if times else {}
        rows.append(
            {
                "task": "sentiment",
                "way": way,
                "name": what["name"],
                "seed": what["seed"],
                "score": found["test"],
                "dev": found["dev"],
                "same": found["same"],
                "megabytes": found["megabytes"],
                "milliseconds": measured.get("milliseconds"),
                "times faster": measured.get("times faster"),
            }
        )
    return {
        "language": fingerprint(),
        "encoder": BASE[:12],
        "adapter": hashlib.sha256((WEIGHTS / TASKS[small.NAME]).read_bytes()).hexdigest()[:12],
        "command": "python benchmarks/small_berts.py --data ../shared/data",
        "minutes": minutes,
        "threads": 1,
        "tokens": small.SHAPES["one"][1],
        "machine": platform.machine(),
        "recipe": dataclasses.asdict(small.RECIPE),
        "layers kept": how,
        "dev by layers kept": trials,
        "runs": rows,
        "latency": times,
    }


def spread(values):
    mean = f"{np.mean(values):.1f}"
    return mean if len(values) == 1 else f"{mean} ({min(values):.1f} to {max(values):.1f})"


def faster(times):
    return f"{times[0]:.2f} ({times[1]:.2f} to {times[2]:.2f})" if times else ""


def report(result):
    original = next((row["score"] for row in result["runs"] if row["name"] == "original"), 0)
    columns = ["way", "model", "seeds", "test, %", "minus the original's", "same answers, %", "MB"]
    text = [
        f"Made by `{result['command']}`, encoder {result['encoder']}, {result['minutes']:.0f} minutes on one "
        "core. Mean (lowest to highest) over seeds; times: median (quartiles) of rounds.",
        "",
        f"Accuracy on film reviews. Students start from the layers `{result['layers kept']}`; dev accuracy "
        f"of each choice: {result['dev by layers kept']}.",
        "",
        f"| {' | '.join(columns)} | ms for one text | times faster |",
        "| --- " * (len(columns) + 2) + "|",
    ]
    for name in small.WAYS:
        rows = [row for row in result["runs"] if row["name"] == name]
        if rows:
            score, agree, size = ([row[key] for row in rows] for key in ("score", "same", "megabytes"))
            cells = [rows[0]["way"], name, str(len(rows)), spread(score), f"{np.mean(score) - original:+.1f}"]
            cells += [f"{np.mean(agree):.1f}", f"{np.mean(size):.1f}", str(rows[0]["milliseconds"] or "")]
            text.append(f"| {' | '.join(cells)} | {faster(rows[0]['times faster'])} |")
    if result["latency"]:
        names = list(result["latency"]["shapes"])
        heads = " | ".join(f"{name}: ms | times faster" for name in names)
        text += ["", f"| program or shape | MB on disk | {heads} |", "| --- " * (2 + 2 * len(names)) + "|"]
        for name, found in result["latency"]["models"].items():
            cells = [f"{one['milliseconds']} | {faster(one['times faster'])}" for one in found.values()]
            size = result["latency"]["megabytes"].get(name, "")
            text.append(f"| {name} | {size} | {' | '.join(cells)} |")
    return "\n".join(text) + "\n"


def main():
    parser = runs.options(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder that contains cls/sentence_polarity")
    parser.add_argument("--only", nargs="+", choices=small.WAYS, default=list(small.WAYS))
    parser.add_argument("--build", type=Path, default=BUILD, help="folder of finished runs and models")
    parser.add_argument("--no-times", action="store_true", help="keep the times of the previous table")
    a = parser.parse_args()
    recipe = (
        dataclasses.replace(small.RECIPE, train=32, dev=32, epochs=2, repair=2) if a.quick else small.RECIPE
    )
    given = small.material(a.data, a.build, recipe)
    lines = Lines(a.build / "runs.jsonl", given, a.so_far)
    how, trials = chosen_map(lines)
    seeds = {name: 1 if a.quick or way in small.ONCE else SEEDS for name, (way, _) in small.WAYS.items()}
    lines.of([described(name, seed, how) for name in a.only for seed in range(seeds[name])])
    lines.so_far = True
    found = [lines.of([described(name, seed, how) for seed in range(seeds[name])]) for name in seeds]
    made = [line for some, name in zip(found, seeds) if len(some) == seeds[name] for line in some]
    path = places.table("small_berts", a.out)
    if a.so_far or a.no_times:
        times = json.loads(path.read_text(encoding="utf-8"))["latency"] if path.is_file() else None
    else:
        times = latencies(shapes(given), "PyTorch", 3 if a.quick else 15)
    minutes = round(sum(line["seconds"] for line in lines.known.values()) / 60, 1)
    result = collected(made, how, trials, times, minutes)
    runs.finish("small_berts", result, report(result), a.out, a.so_far)


if __name__ == "__main__":
    main()
