"""The benchmark's report: each row is printed immediately, and all rows are saved as JSON and Markdown."""

import json
import os
import platform
from pathlib import Path
from typing import Any, NamedTuple

import torch

from ..readers.writing import write_text
from .clock import Spread


class Measurement(NamedTuple):
    """The median and quartiles of one measurement, or None if it is missing, for the reason in `note`."""

    section: str
    model: str
    what: str
    value: Spread | None
    unit: str
    note: str = ""

    def cells(self) -> list[str]:
        if self.value is None:
            return [self.model, self.what, "not measured", self.note]
        value, low, high = (number(x) for x in self.value)
        spread = "" if low == high == value else f" ({low} to {high})"
        return [self.model, self.what, f"{value}{spread} {self.unit}", self.note]


def number(x: float) -> str:
    """Format a number with about three significant digits."""
    for least, form in ((100, ",.0f"), (10, ".1f"), (0.01, ".2f")):
        if abs(x) >= least:
            return f"{x:{form}}"
    return f"{x:.1g}"


def machine() -> dict[str, Any]:
    """Return a dict that describes the machine: processor, threads and package versions."""
    name = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), name)
    except OSError:
        pass  # not on Linux: keep the short name
    versions = {"torch": str(torch.__version__)}
    try:
        import transformers

        versions["transformers"] = transformers.__version__
    except ImportError:
        pass  # the report's rows say that it is missing
    return {
        "processor": name,
        "instructions": torch.backends.cpu.get_cpu_capability(),
        "cores": os.cpu_count(),
        "threads": torch.get_num_threads(),
        "python": platform.python_version(),
        **versions,
    }


class BenchmarkReport:
    """A report of measurements, saved as NAME.json and NAME.md in the folder `out`."""

    def __init__(self, out=None, name="speed"):
        self.name = name
        self.rows: list[Measurement] = []
        self.summary: list[str] = []
        self.machine = machine()
        self.out = None if out is None else Path(out)
        print(", ".join(f"{key} {value}" for key, value in self.machine.items()), flush=True)

    def add(
        self, section: str, model: str, what: str, value: Spread | None, unit: str, note: str = ""
    ) -> None:
        row = Measurement(section, model, what, value, unit, note)
        if not self.rows or self.rows[-1].section != section:
            print(f"\n{section}", flush=True)
        print("  " + "  ".join(cell for cell in row.cells() if cell), flush=True)
        self.rows.append(row)
        self.write()

    def say(self, sentence: str) -> None:
        self.summary.append(sentence)
        print(sentence, flush=True)
        self.write()

    def markdown(self) -> str:
        lines = [
            ", ".join(f"{key} {value}" for key, value in self.machine.items()) + ".",
            "",
            *(f"- {sentence}" for sentence in self.summary),
        ]
        for section in dict.fromkeys(row.section for row in self.rows):
            lines += [
                "",
                f"**{section}**",
                "",
                "| model | what | median (quartiles) | |",
                "| --- | --- | --- | --- |",
            ]
            lines += ["| " + " | ".join(row.cells()) + " |" for row in self.rows if row.section == section]
        return "\n".join(lines) + "\n"

    def write(self) -> None:
        if self.out is None:
            return
        self.out.mkdir(parents=True, exist_ok=True)
        rows = [{**row._asdict(), "value": row.value and row.value._asdict()} for row in self.rows]
        everything = {"machine": self.machine, "summary": self.summary, "rows": rows}
        write_text(self.out / f"{self.name}.json", json.dumps(everything, indent=1) + "\n")
        write_text(self.out / f"{self.name}.md", self.markdown())
