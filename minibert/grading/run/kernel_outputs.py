"""Collect a cell's outputs from kernel messages, drop malformed ones and cut long ones."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import nbformat
from nbformat import NotebookNode

from ..cell_messages import CUT

SHOWN = (
    "text/plain",
    "text/html",
    "text/markdown",
    "text/latex",
    "image/png",
    "image/jpeg",
    "image/svg+xml",
)  # all of them text: a message may also contain JSON, nested too deeply to be copied
MOST_MESSAGES = 1_000  # of one cell; a progress bar sends ten per second
TEST_BYTES = 200_000  # bytes of one test's output, apart from its error or value
SAID = 20_000  # characters of a test's error or value
MOST_LINES = 20  # lines of a test's traceback
CELL = re.compile(r"\(\d+\.py, (line \d+)\)")  # ipykernel's name for a cell, which means nothing to a reader


@dataclass
class OutputBudget:
    """The numbers of bytes and messages that may still be shown; even small messages use memory."""

    bytes: int
    messages: int

    def take(self, size: int) -> bool:
        """Subtract one message of `size` bytes, and return whether there was room for it."""
        self.bytes, self.messages = self.bytes - size, self.messages - 1
        return self.bytes >= 0 and self.messages >= 0


class Outputs:
    """A collector of outputs that stops when one of the given budgets is used up.

    list: nbformat's outputs. cut: whether something was left out. interrupted: why the cell was interrupted.
    """

    def __init__(self, *rooms: OutputBudget) -> None:
        self.rooms, self.cut, self.interrupted = rooms, False, ""
        self.list: list[NotebookNode] = []

    def add(self, message: Mapping[str, Any]) -> None:
        """Add the output in one message from the kernel; other messages are ignored."""
        read = READERS.get(message.get("msg_type", ""))
        content = message.get("content")
        output: Any = read(content) if read and isinstance(content, dict) else None
        if output is None or self.cut:
            return
        size = len(str(output))
        fits = [room.take(size) for room in self.rooms]  # taken from every budget, even if one is used up
        if not all(fits):
            self.cut = True
            output = stream({"name": "stdout", "text": CUT})
        last = self.list[-1] if self.list else None
        if (
            last is not None
            and last.output_type == output.output_type == "stream"
            and last.name == output.name
        ):
            last.text += output.text
        else:
            self.list.append(output)

    def interrupt(self, reason: str) -> None:
        """Replace the cell's error with the reason why it was interrupted."""
        self.interrupted = reason
        self.list = [output for output in self.list if output.output_type != "error"] + [
            stopped("OutOfTime", reason)
        ]


def stopped(name: str, reason: str) -> NotebookNode:
    """Return the error output of a cell that had to be stopped."""
    return nbformat.v4.new_output("error", ename=name, evalue=reason, traceback=[f"{name}: {reason}"])


def stream(content: Mapping[str, Any]) -> NotebookNode | None:
    """Return the output of a stream message, or None if the message is malformed."""
    name, text = content.get("name"), content.get("text")
    if name in ("stdout", "stderr") and isinstance(text, str):
        return nbformat.v4.new_output("stream", name=name, text=text)
    return None


def display(kind: str) -> Callable[[Mapping[str, Any]], NotebookNode | None]:
    """Return a function that converts a display message to an output, or to None if it is malformed."""

    def read(content):
        data = content.get("data")
        data = data if isinstance(data, dict) else {}
        data = {mime: data[mime] for mime in SHOWN if isinstance(data.get(mime), str)}
        return nbformat.v4.new_output(kind, data=data) if data else None

    return read


def error(content: Mapping[str, Any]) -> NotebookNode | None:
    """Return the output of an error message, or None if the message is malformed."""
    name, text, trace = content.get("ename"), content.get("evalue"), content.get("traceback")
    if not isinstance(name, str) or not isinstance(text, str) or not isinstance(trace, list):
        return None
    return nbformat.v4.new_output(
        "error",
        ename=name,
        evalue=CELL.sub(r"(\1 of the cell)", text),
        traceback=[line for line in trace if isinstance(line, str)],
    )


READERS = {
    "stream": stream,
    "display_data": display("display_data"),
    "execute_result": display("execute_result"),
    "error": error,
}


def of_test(outputs: Iterable[Mapping[str, Any]]) -> list[NotebookNode]:
    """Cut a test's outputs, which may contain text from the student, but keep its error or points."""
    room, kept = OutputBudget(TEST_BYTES, MOST_MESSAGES), []
    for output in map(nbformat.from_dict, outputs):
        if output.output_type == "error":
            output.evalue = output.evalue[:SAID]
            output.traceback = [line[: SAID // MOST_LINES] for line in output.traceback[:MOST_LINES]]
        elif output.output_type == "execute_result":
            output.data = {mime: value for mime, value in output.data.items() if len(str(value)) <= SAID}
        elif not room.take(len(str(output))):
            continue
        kept.append(output)
    return kept
