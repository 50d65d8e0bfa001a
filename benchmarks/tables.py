"""Make all stale tables of the generated language again, one after the other.

    python benchmarks/tables.py                        # all stale tables; after an interruption, it continues
    python benchmarks/tables.py --list                 # only list them, with their times
    python benchmarks/tables.py --only labels world    # only these

A table is fresh if it was made with the current language (`fingerprint`), which the table itself records; for
a report without a table, results/tables.json does. Models and files of another language are first set aside
in build, because most benchmarks reuse what they find there. Minutes on one core (two cores take half):

    labels     35   world           5   world_plain 20   feature_based   5   frozen          7   sizes 6
    transfer   75   elmo_gpt_bert 215   variants    64   inside         25   finetuning_well 31
    small_berts 15
    after_bert 30

`small_berts`, `inside` and parts of `finetuning_well` and `after_bert` need data that is not part of the
repository (--data). Afterwards run `minibert build`, and check the text about the results in the lessons, the
README and the .md files.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import places

from minibert.generated.fingerprint import fingerprint
from minibert.readers.writing import write_text

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
DATA = ROOT.parent / "shared" / "data"
# Folders of build whose files do not record their language.
OF_A_LANGUAGE = ("labels", "world_plain", "feature_based", "transfer", "sizes")


class Table(NamedTuple):
    """The recipe of a table: NAME.py with options, and the tables whose change makes it stale.

    The options "{all}" and "{first}" are replaced by the folders of the models that labels.py pretrains.
    """

    minutes: int  # on one core
    options: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


WITHOUT_TABLE = {"frozen"}
TWO = ("--processes", "{processes}")
TABLES = {
    "labels": Table(35),
    "world": Table(5, after=("labels",)),
    "world_plain": Table(20, after=("labels",)),
    "feature_based": Table(5, after=("labels",)),
    "frozen": Table(7, ("--model", "{all}"), ("labels",)),
    "sizes": Table(6, ("--model", "{first}"), ("labels",)),
    "transfer": Table(75, ("--model", "{all}"), ("labels",)),
    "elmo_gpt_bert": Table(215, TWO),
    "variants": Table(64, TWO),
    "small_berts": Table(15, ("--data", "{data}")),
    "inside": Table(25, ("--data", "{data}", *TWO), ("elmo_gpt_bert",)),
    "finetuning_well": Table(31, ("--data", "{data}", *TWO), ("elmo_gpt_bert",)),
    "after_bert": Table(30, ("--data", "{data}", *TWO), ("elmo_gpt_bert",)),
}


def stale(language, stamps, place=places.table):
    """Return the names of the tables that are of another language, or built on such a table, in order.

    stamps: {name: language} for the reports without a table. place: maps a name to the path of its table.
    """
    found = []
    for name, table in TABLES.items():
        made = stamps.get(name) if name in WITHOUT_TABLE else language_of(place(name))
        if made != language or set(table.after) & set(found):
            found.append(name)
    return found


def language_of(path):
    return json.loads(path.read_text(encoding="utf-8")).get("language") if path.is_file() else None


def stamps_of(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def set_aside(build, language):
    """Rename the folders in `build` that were filled for another language, as language.txt there says."""
    stamp = build / "language.txt"
    was = stamp.read_text(encoding="utf-8").strip() if stamp.is_file() else "unknown"
    if was != language:
        for name in OF_A_LANGUAGE:
            if (build / name).is_dir():
                (build / name).rename(build / f"{name} of {was}")
        build.mkdir(parents=True, exist_ok=True)
        write_text(stamp, language + "\n")


def command(name, build, processes, data):
    models = sorted(map(str, build.glob("labels/*/bert")))
    values = {"{all}": models, "{first}": models[:1], "{processes}": [str(processes)], "{data}": [str(data)]}
    return [
        sys.executable,
        str(HERE / f"{name}.py"),
        *(word for option in TABLES[name].options for word in values.get(option, [option])),
    ]


def make(names, language, path, run, build):
    """Make some tables in the order of TABLES; the file `path` records the reports without a table.

    run: a function that makes the table of a name. The models of labels.py are made first if they are
    missing.
    """
    set_aside(build, language)
    wanted = [name for name in TABLES if name in names]
    if any("labels" in TABLES[name].after for name in wanted) and not list(build.glob("labels/*/bert")):
        wanted = ["labels", *(name for name in wanted if name != "labels")]
    for name in wanted:
        print(f"== {name}: about {TABLES[name].minutes} minutes on one core", flush=True)
        run(name)
        if name in WITHOUT_TABLE:
            stamps = stamps_of(path) | {name: language}  # read now, because another call may have added some
            write_text(path, json.dumps(stamps, indent=1, sort_keys=True) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--only", nargs="+", choices=TABLES, default=list(TABLES), metavar="TABLE", help=", ".join(TABLES)
    )
    parser.add_argument("--list", action="store_true", help="list the stale tables without making them")
    parser.add_argument(
        "--processes", type=int, default=2, help="for benchmarks that support it (default: %(default)s)"
    )
    parser.add_argument("--data", type=Path, default=DATA, help="data for two tables (default: %(default)s)")
    a, path, language = parser.parse_args(), places.RESULTS / "tables.json", fingerprint()
    names = [name for name in stale(language, stamps_of(path)) if name in a.only]
    if "inside" in names and not a.data.is_dir():
        print(f"skipping inside: there is no folder {a.data}; give the data with --data")
        names.remove("inside")
    for name in names:
        print(f"{name:16} stale, about {TABLES[name].minutes} minutes on one core")
    if a.list or not names:
        return
    build, environment = ROOT / "build", {**os.environ, "PYTHONPATH": str(ROOT)}
    make(
        names,
        language,
        path,
        lambda name: subprocess.run(
            command(name, build, a.processes, a.data), cwd=ROOT, env=environment, check=True
        ),
        build,
    )


if __name__ == "__main__":
    main()
