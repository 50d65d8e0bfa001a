"""Runs of a benchmark, stored as lines of a file: finished ones are read, and missing ones are run."""

import argparse
import concurrent.futures
import json
import multiprocessing
import os
import threading
import time
from pathlib import Path

import places
from transfer import finished

from minibert.readers.writing import write_text

SO_FAR = "print the results of finished runs, without running or writing anything"


def options(doc):
    """Return a parser with the common options of benchmarks. doc: the benchmark's docstring."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument(
        "--processes", type=int, default=1, help="single-threaded processes (default: %(default)s)"
    )
    parser.add_argument("--quick", action="store_true", help="only a few steps each, to try the program")
    parser.add_argument("--so-far", action="store_true", help=SO_FAR)
    parser.add_argument(
        "--out", type=Path, help="folder for the results (default: where lessons and readers look)"
    )
    return parser


def processes(count):
    """Return a pool of processes that end with this one, however it ends, or None for a count of 1."""
    return (
        None
        if count == 1
        else concurrent.futures.ProcessPoolExecutor(
            count, multiprocessing.get_context("spawn"), end_with, (os.getpid(),)
        )
    )


def end_with(parent):
    """End this process soon after its parent process has ended."""

    def watch():
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class Lines:
    """The result lines of runs: those in a file, and those that are computed on request.

    run: maps a run's description to its line, a dict with the description as "of", "settings" and "seconds".
    settings: maps the description to all other settings on which the line depends. so_far: compute nothing.
    """

    def __init__(self, path, run, settings, pool=None, so_far=False):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path, self.run, self.settings, self.pool, self.so_far = path, run, settings, pool, so_far
        self.known = {json.dumps([line["of"], line["settings"]]): line for line in finished(path)}

    def of(self, plan):
        """Return the lines of a plan in its order; missing ones are computed, in any order."""
        keys = {json.dumps([what, self.settings(what)]): what for what in plan}
        missing = [what for key, what in keys.items() if key not in self.known]
        for line in () if self.so_far else self.made(missing):
            self.known[json.dumps([line["of"], line["settings"]])] = line
            with open(self.path, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
            print(*line["of"].values(), *self.shown(line), f"{line['seconds']:.0f} s", flush=True)
        return [self.known[key] for key in keys if key in self.known]

    def made(self, missing):
        if self.pool is None:
            yield from map(self.run, missing)
        else:
            futures = [self.pool.submit(self.run, what) for what in missing]
            yield from (future.result() for future in concurrent.futures.as_completed(futures))

    def shown(self, line):
        """Return further values to print with a new line."""
        return ()


def finish(name, result, text, out, so_far=False, indent=1):
    """Print the report of a benchmark and write name.json and name.md, unless `so_far` is set.

    result: a JSON-serialisable object; text: the report; out: a folder, or None for the usual places; indent:
    of the JSON, or None for one line.
    """
    if not so_far:
        separators = None if indent else (",", ":")
        write_text(places.table(name, out), json.dumps(result, indent=indent, separators=separators) + "\n")
        write_text(places.report(name, out), text)
    print(text, end="")


def report(found, experiments, flat, spread, note=""):
    """Return the tables of some experiments as Markdown: mean (lowest to highest) over the seeds.

    found: "command", "language", "minutes", and {experiment: {name: one dict per seed}}; flat: maps such a
    dict to its numbers by name; spread: maps (these dicts for all seeds, a name) to a cell.
    """
    lines = [
        f"Made by `{found['command']}`, language {found['language']}, {found['minutes']:.0f} minutes on "
        f"one core. Mean (lowest to highest) over seeds{note}.",
        "",
    ]
    for experiment in experiments:
        rows = {name: [flat(one) for one in seeds] for name, seeds in found.get(experiment, {}).items()}
        if rows:
            columns = list(dict.fromkeys(key for seeds in rows.values() for key in seeds[0]))
            lines += [
                f"## {experiment}",
                "",
                f"| | seeds | {' | '.join(columns)} |",
                "| --- " * (len(columns) + 2) + "|",
            ]
            lines += [
                f"| {name} | {len(seeds)} | {' | '.join(spread(seeds, key) for key in columns)} |"
                for name, seeds in rows.items()
            ]
            lines.append("")
    return "\n".join(lines)
