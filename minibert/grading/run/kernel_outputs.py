"""Collects the outputs of a student's cell from kernel messages; drops malformed ones, cuts long ones."""
from collections.abc import Callable, Mapping
from typing import Any

import nbformat
from nbformat import NotebookNode

SHOWN = ("text/plain", "text/html", "text/markdown", "text/latex", "image/png", "image/jpeg", "image/svg+xml",
         "application/json")
CUT = "... the rest of this output was cut ...\n"


class Outputs:
    """Collects outputs up to `most` bytes.

    list: nbformat's outputs. cut: whether something was left out. interrupted: why the cell was interrupted.
    """

    def __init__(self, most: int) -> None:
        self.most, self.size, self.cut, self.interrupted = most, 0, False, ""
        self.list: list[NotebookNode] = []

    def add(self, message: Mapping[str, Any]) -> None:
        """Add the output of one message of the kernel; ignore other messages."""
        read = READERS.get(message.get("msg_type", ""))
        content = message.get("content")
        output: Any = read(content) if read and isinstance(content, dict) else None
        if output is None or self.cut:
            return
        self.size += len(str(output))
        if self.size > self.most:
            self.cut = True
            output = stream({"name": "stdout", "text": CUT})
        last = self.list[-1] if self.list else None
        if (last is not None and last.output_type == output.output_type == "stream"
                and last.name == output.name):
            last.text += output.text
        else:
            self.list.append(output)

    def interrupt(self, reason: str) -> None:
        """Put the reason why the cell was interrupted in the place of its error."""
        self.interrupted = reason
        self.list = [output for output in self.list
                     if output.output_type != "error"] + [stopped("OutOfTime", reason)]


def stopped(name: str, reason: str) -> NotebookNode:
    """The error output of a cell that did not end by itself."""
    return nbformat.v4.new_output("error", ename=name, evalue=reason, traceback=[f"{name}: {reason}"])


def stream(content: Mapping[str, Any]) -> NotebookNode | None:
    """The output of a stream message; None if it is malformed."""
    name, text = content.get("name"), content.get("text")
    if name in ("stdout", "stderr") and isinstance(text, str):
        return nbformat.v4.new_output("stream", name=name, text=text)
    return None


def display(kind: str) -> Callable[[Mapping[str, Any]], NotebookNode | None]:
    """The reader of messages that show a value."""
    def read(content):
        data = content.get("data")
        data = {mime: data[mime] for mime in SHOWN if isinstance(data, dict) and mime in data}
        data = {mime: value for mime, value in data.items() if isinstance(value, str)
                or mime == "application/json"}
        return nbformat.v4.new_output(kind, data=data) if data else None
    return read


def error(content: Mapping[str, Any]) -> NotebookNode | None:
    """The output of an error message; None if it is malformed."""
    name, text, trace = content.get("ename"), content.get("evalue"), content.get("traceback")
    if not isinstance(name, str) or not isinstance(text, str) or not isinstance(trace, list):
        return None
    return nbformat.v4.new_output("error", ename=name, evalue=text,
                                  traceback=[line for line in trace if isinstance(line, str)])


READERS = {"stream": stream, "display_data": display("display_data"),
           "execute_result": display("execute_result"), "error": error}
