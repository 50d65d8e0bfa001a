"""Wrong answers beyond the banks: how many keep all points though they are wrong; writes combined.md.

    PYTHONPATH=. python benchmarks/combined.py [--count 40] [--seed 0] [--processes 2] [UNIT ...]

For each exercise with one right result: two mutants of our solution at once, and mistakes of the bank that
show in one regime of inputs only (tests/banks/combined.py). One that keeps all points is tried on up to
10,000 further inputs; where it differs from the right result on one, it is a miss.
"""

import argparse
import multiprocessing
import os
import sys
from pathlib import Path

import places
from tqdm import tqdm

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from banks import combined, quiet  # noqa: E402  the folder of the tests is not part of the package

OUT = places.report("combined")


def tried(job):
    """(assignment, exercise, answers, misses) of one exercise."""
    assignment, name, count, seed = job
    with quiet():
        answers = combined.answers(assignment, name, count, seed)
        missed = [called for called, _ in combined.missed(assignment, name, answers, seed)]
        return assignment, name, len(answers), missed


def report(results, count, seed):
    """The page."""
    answers, misses = sum(row[2] for row in results), sum(len(row[3]) for row in results)
    lines = [
        "# Wrong answers beyond the banks",
        "",
        f"Made by `benchmarks/combined.py --count {count} --seed {seed}`: {answers} answers with two "
        "mutants at once, or with a mistake of the bank in one regime of inputs only. A *miss* keeps "
        "all points and is wrong on one of up to 10,000 inputs, or of those of "
        f"{combined.SECONDS} seconds, on which the right answers of the bank agree. {misses} are "
        f"misses, {misses / max(1, answers):.1%}.",
        "",
        "| exercise | answers | misses | which |",
        "| --- | --- | --- | --- |",
    ]
    for assignment, name, made, missed in results:
        which = "; ".join(one.replace("|", "\\|")[:120] for one in missed[:6])
        lines.append(f"| {assignment[:2]}, `{name}` | {made} | {len(missed)} | {which} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("units", nargs="*", metavar="UNIT", help="numbers such as 02 (default: all)")
    parser.add_argument("--count", type=int, default=40, help="of answers of both kinds for each exercise")
    parser.add_argument("--seed", type=int, default=0, help="of the answers and inputs that are drawn")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    args = parser.parse_args()
    jobs = [
        (*place, args.count, args.seed)
        for place in combined.exercises()
        if not args.units or place[0][:2] in args.units
    ]
    with multiprocessing.get_context("fork").Pool(args.processes, maxtasksperchild=1) as pool:
        results = list(tqdm(pool.imap(tried, jobs), total=len(jobs), unit=" exercises", disable=None))
    OUT.write_text(report(results, args.count, args.seed), encoding="utf-8")
    print(OUT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
