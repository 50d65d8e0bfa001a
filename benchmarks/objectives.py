"""Show which objective passes which common check, and how many lines of code similar objectives differ by.

python benchmarks/objectives.py    # runs two files of tests/objectives: about a minute
"""

import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent.parent / "tests" / "objectives"
MARKS = {"test_an_objective_keeps_the_contract": "yes", "test_an_exception_is_one": "-"}


class Table:
    """A pytest plugin that collects {(check, objective): mark}."""

    marks = {}

    def pytest_runtest_logreport(self, report):
        test, _, run = report.nodeid.rpartition("::")[2].partition("[")
        if test in MARKS and report.when == "call":
            self.marks[tuple(run[:-1].split("-", 1))] = MARKS[test] if report.passed else "NO"


def main():
    files = [str(TESTS / f"test_{name}.py") for name in ("contract", "neighbours")]
    code = pytest.main(["-q", *files], [Table()])
    contract, near = sys.modules["test_contract"], sys.modules["test_neighbours"]
    checks = [check.__name__ for check in contract.CHECKS]
    print("", *(f"{number:>2} {check.replace('_', ' ')}" for number, check in enumerate(checks, 1)), sep="\n")
    print(f"\n{'':<24}" + "".join(f"{number:>5}" for number in range(1, len(checks) + 1)))
    for case in contract.CASES:
        print(
            f"{case.name:<24}" + "".join(f"{Table.marks.get((check, case.name), '?'):>5}" for check in checks)
        )
    print("\n- does not apply to this objective, and a test shows that the check would fail:")
    print(*(f"{name:<24} {reason}" for (_, name), reason in contract.EXCEPTIONS.items()), sep="\n")
    print("\nLines of code that a file adds to its neighbour's, and that it removes:")
    for name, other in near.NEIGHBOURS:
        added, gone = near.changed(near.code(near.FILES[other]), near.code(near.FILES[name]))
        print(f"{other + ' -> ' + name:<28} {f'+{added}':>5} {f'-{gone}':>5}  {near.LONGER.get(name, '')}")
    return code


if __name__ == "__main__":
    sys.exit(main())
