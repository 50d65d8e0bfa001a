"""Fine-tune the published encoder for English tasks, fully and with low-rank adapters, and save the adapters.

    PYTHONPATH=. python benchmarks/english_tasks.py DATA BUILD [--seeds 3] [--tasks qa ner sentiment]

DATA and BUILD are those of `english.py`. Each finished run is a line of BUILD/tasks.jsonl, and an interrupted
one resumes from its checkpoint. Runs that english.json contains with these settings are skipped; remove a run
from that file to repeat it. The adapters of seed 0 are saved in minibert/english/weights.
"""

import argparse
import dataclasses
import json
import shutil
from pathlib import Path

import places
from english import BASE, LICENCE, called, commit
from transfer import finished

from minibert.bench.gpu import name_of
from minibert.english.model import TASKS, WEIGHTS, english_task, task_adapter
from minibert.english.published import encoder_folder
from minibert.finetuning.registry import read_examples
from minibert.finetuning.run import finetune
from minibert.model.checkpoints.pretrained import Pretrained
from minibert.readers.glue import TextExample
from minibert.tasks.label_names import other_types, renamed
from minibert.training.device import choose_device

TYPES = ("PER", "LOC", "ORG", "MISC")  # of CoNLL 2003
SETTINGS = {
    "qa": {"epochs": 3, "max_length": 320},
    "ner": {"epochs": 6, "max_length": 128},
    "sentiment": {"epochs": 4, "max_length": 128},
}
NAMES = {"qa": "qa", "ner": "ner", "sentiment": "sst2"}  # names of the package's tasks
RATES = {"lora": 1e-3, "full": 1e-4}
TEXTS = {
    "qa": "parts of SQuAD 1.1 (CC BY-SA 4.0) and of newwiki (questions CC BY 4.0, text CC BY-SA)",
    "ner": "wikigold (CC BY 4.0), WNUT-17 (CC BY 4.0)",
    "sentiment": "part of Pang and Lee's sentence polarity set (CC BY 4.0)",
}
BATCH = 16
KEPT = places.RESULTS / "english.json"


def questions(data):
    """Return (training examples, {name: test examples})."""
    train = [
        example
        for name in ("squad_v1/train_small.json", "squadshifts_newwiki/train.json")
        for example in read_examples("qa", data / name)
    ]
    return train, {
        "SQuAD": read_examples("qa", data / "squad_v1/dev_small.json"),
        "new Wikipedia": read_examples("qa", data / "squadshifts_newwiki/dev.json"),
    }


def entities(data):
    """Return (training examples, {name: test examples}), all with the entity types of CoNLL 2003."""
    others = other_types(TYPES)

    def read(name):
        return [
            dataclasses.replace(one, tags=[tag[:2] + renamed(tag[2:], TYPES, others) for tag in one.tags])
            for one in read_examples("ner", data / "ner" / name)
        ]

    return read("wikigold/train.conll") + read("wnut17/train.conll"), {
        "wikigold": read("wikigold/dev.conll") + read("wikigold/test.conll"),
        "WNUT-17": read("wnut17/test.conll"),
    }


def sentiment(data):
    """Return (training examples, {name: test examples}): sentences of film reviews."""

    def read(part):
        return [
            TextExample(text.strip(), None, label, str(number), number)
            for label, ending in (("positive", "pos"), ("negative", "neg"))
            for number, text in enumerate(
                (data / f"cls/sentence_polarity/{part}.{ending}").read_text(encoding="utf-8").splitlines(), 1
            )
            if text.strip()
        ]

    return read("train"), {"film reviews": read("dev")}


DATA = {"qa": questions, "ner": entities, "sentiment": sentiment}


def kept_results():
    return json.loads(KEPT.read_text(encoding="utf-8"))


def settings(task, way):
    """Return the settings that runs must share to be comparable."""
    return {"task": task, "way": way, **SETTINGS[task], "rate": RATES[way], "batch_size": BATCH}


def all_tasks(build):
    """Return all runs with the settings of this file, from english.json and from BUILD."""
    runs = [*kept_results()["tasks"], *finished(build / "tasks.jsonl")]
    found = {
        (run["task"], run["way"], run["seed"]): run
        for run in runs
        if settings(run["task"], run["way"]).items() <= run.items()
    }
    return [found[key] for key in sorted(found)]


def scored(tuned, held_out):
    return {
        name: {
            key: round(float(value), 2)
            for key, value in tuned.task.metric(some, tuned.task.answer(tuned.model, some)).items()
        }
        for name, some in held_out.items()
    }


def run(task, way, seed, train, build, device):
    model = Pretrained.load(encoder_folder())
    model.model.to(device)
    folder = build / f"{task}-{way}-{seed}"
    tuned, log = finetune(
        NAMES[task],
        model.encoder,
        model.tokenizer,
        train,
        approach=way,
        seed=seed,
        batch_size=BATCH,
        peak_rate=RATES[way],
        pooler=model.pooler,
        checkpoint=folder,
        label=f"{task}, {way}, seed {seed}",
        **SETTINGS[task],
    )
    shutil.rmtree(folder)
    return tuned, round(sum(entry["seconds"] for entry in log))


def ship(tuned, task, line, held_out):
    """Write the package's file; the scores in its card are those of the model loaded from that file."""
    name = f"english-{task}"
    adapter = task_adapter(
        tuned, {"base": BASE, "text": TEXTS[task], "licence": LICENCE, "command": called(), **line}
    )
    adapter.save(WEIGHTS / TASKS[name], bits=4)
    card = {**adapter.card, "scores": scored(english_task(name), held_out)}
    dataclasses.replace(adapter, card=card).save(WEIGHTS / TASKS[name], bits=4)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("build", type=Path, metavar="BUILD")
    parser.add_argument("--tasks", nargs="+", choices=DATA, default=list(DATA))
    parser.add_argument("--ways", nargs="+", choices=RATES, default=list(RATES))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--device", help="cpu, cuda or mps (default: the best one present)")
    a = parser.parse_args()
    a.build.mkdir(parents=True, exist_ok=True)
    log, device = a.build / "tasks.jsonl", choose_device(a.device)
    runs = all_tasks(a.build)
    for seed in range(a.seeds):
        for task in a.tasks:
            for way in a.ways:
                key = {**settings(task, way), "seed": seed}
                if any(key.items() <= line.items() for line in runs):
                    continue
                train, held_out = DATA[task](a.data)
                tuned, seconds = run(task, way, seed, train, a.build, device)
                line = {
                    **key,
                    "scores": scored(tuned, held_out),
                    "seconds": seconds,
                    "commit": commit(),
                    "device": name_of(device),
                }
                if way == "lora" and seed == 0:
                    ship(tuned, task, line, held_out)
                with open(log, "a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
                print(f"{task}, {way}, seed {seed}: {line['scores']}, {seconds} s", flush=True)


if __name__ == "__main__":
    main()
