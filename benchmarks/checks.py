"""Quality of the checks: how many wrong answers lose points and get their hint, and how many right ones pass.

    PYTHONPATH=. python benchmarks/checks.py            # all units with a bank: about two minutes each
    PYTHONPATH=. python benchmarks/checks.py 02         # one unit

nbgrader grades the answers of the banks, collections of right and wrong answers. The script prints each miss
and writes checks.md; units that were not run keep their rows.
"""

import argparse
import re
import sys
from pathlib import Path

import places

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from banks import bank_of, found, told  # noqa: E402  the folder of the tests is not part of the package
from banks.round_trip import graded, problems  # noqa: E402

OUT = places.report("checks")
COLUMNS = (
    "unit",
    "exercise",
    "wrong answers",
    "caught",
    "named",
    "right answers",
    "passed",
)
TITLE = """# How good the checks are

Made by `benchmarks/checks.py`. *Caught*: loses points in nbgrader; *named*: gets the hint for its mistake;
*passed*: loses no points. The answers are those of our own banks, with which the checks were developed: of
students' new wrong answers, fewer get a hint.
"""


def row(unit, exercise, verdicts):
    """Return the numbers of one exercise, in the order of COLUMNS."""
    wrong = [v for v in verdicts if v.answer.hint is not None]
    right = [v for v in verdicts if v.answer.hint is None]
    named = sum(told(v.answer.hint, v.said) for v in wrong)
    return (
        unit,
        exercise,
        len(wrong),
        sum(any(v.lost.values()) for v in wrong),
        named,
        len(right),
        sum(not any(v.lost.values()) for v in right),
    )


def measured(assignment, bank):
    verdicts = graded(assignment, bank)
    rows = [
        row(assignment[:2], exercise, [v for v in verdicts if v.answer.exercise == exercise])
        for exercise in bank
    ]
    return rows, problems(assignment, verdicts)


def table(rows):
    """Return a Markdown table with the sums in the last row."""
    lines = [
        COLUMNS,
        tuple("---" for _ in COLUMNS),
        *rows,
        ("", "together", *(sum(int(row[i]) for row in rows) for i in range(2, len(COLUMNS)))),
    ]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def summary(rows):
    wrong, _, names, right, passed = (sum(int(row[i]) for row in rows) for i in range(2, len(COLUMNS)))
    return (
        f"{names / max(1, wrong):.1%} of {wrong} wrong answers are named; "
        f"{right - passed} of {right} right answers lose a point."
    )


def kept(units, path=OUT):
    """Return (rows, misses) from the table in `path` for all other units."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    rows = [
        tuple(cell.strip() for cell in line.strip("| ").split("|"))
        for line in text.split("\n")
        if re.match(r"\| \d\d ", line)
    ]
    lines = re.findall(r"^- ((\d\d)_.*)$", text, re.M)
    return [row for row in rows if row[0] not in units], [line for line, unit in lines if unit not in units]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("units", nargs="*", metavar="UNIT", help="numbers such as 02 (default: all)")
    arguments = parser.parse_args()
    chosen = {
        name: module for name, module in found().items() if not arguments.units or name[:2] in arguments.units
    }
    unknown = set(arguments.units) - {name[:2] for name in chosen}
    if unknown:
        parser.error(
            f"there is no bank for unit {', '.join(sorted(unknown))}; choose from "
            f"{', '.join(name[:2] for name in found())}"
        )
    for assignment, module in chosen.items():
        rows, missed = measured(assignment, bank_of(module))
        others, more = kept({assignment[:2]})
        rows, missed = sorted(others + rows, key=lambda row: row[0]), sorted(more + missed)
        listed = "\n\n## What is missed\n\n" + "\n".join(f"- {line}" for line in missed) if missed else ""
        OUT.write_text(f"{TITLE}\n{table(rows)}\n\n{summary(rows)}{listed}\n", encoding="utf-8")
    print(OUT.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
