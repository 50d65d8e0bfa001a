"""How often the host waits for a GPU in a step of training, and how many arrays it copies there.

    python benchmarks/waits.py          # on an emulated GPU, see tests/devices: half a minute

Prints a Markdown table, a row for each objective, and each task with the approaches it is fine-tuned by; with
`--lines`, also the lines of code that wait.
"""

import sys
import tempfile
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent / "tests"
sys.path[:0] = [str(TESTS / folder) for folder in ("devices", "objectives", "")]


def main() -> None:
    """Measure all of them and print the table."""
    from steps import BY_NAME, TUNED, costs_of_objective, costs_of_task

    print("| | waits for results | waits for copies | copies |\n| --- | ---: | ---: | ---: |")
    found = [(name, lambda name=name: costs_of_objective(name)) for name in BY_NAME]
    with tempfile.TemporaryDirectory() as folder:
        found += [
            (f"{name}, {approach}", lambda case=(name, approach): costs_of_task(*case, folder))
            for name, approach in TUNED
        ]
        for name, measure in found:
            costs = measure()
            print(f"| {name} | {costs.reads:g} | {costs.blocking:g} | {costs.copies:g} |", flush=True)
            if "--lines" in sys.argv:
                print(*(f"    {line}" for line in costs.lines), sep="\n")


if __name__ == "__main__":
    main()
