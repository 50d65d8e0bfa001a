"""The outputs of a student's cell as messages bring them: what is not well formed is left out, what is long
is cut.
"""
import nbformat

SHOWN = ("text/plain", "text/html", "text/markdown", "text/latex", "image/png", "image/jpeg", "image/svg+xml",
         "application/json")
CUT = "... the rest of this output was cut ...\n"


class Outputs:
    """Collects up to `most` bytes. list: nbformat's outputs. cut: something was left out. interrupted: why
    the cell was.
    """

    def __init__(self, most):
        self.list, self.most, self.size, self.cut, self.interrupted = [], most, 0, False, ""

    def add(self, message):
        """Take one message of the kernel, if it is an output."""
        read = READERS.get(message.get("msg_type"))
        content = message.get("content")
        output = read(content) if read and isinstance(content, dict) else None
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

    def late(self, reason):
        """Say why the cell was interrupted."""
        self.interrupted = reason
        self.list = [output for output in self.list
                     if output.output_type != "error"] + [stopped("OutOfTime", reason)]


def stopped(name, reason):
    """The error of a cell that did not come to its end."""
    return nbformat.v4.new_output("error", ename=name, evalue=reason, traceback=[f"{name}: {reason}"])


def stream(content):
    name, text = content.get("name"), content.get("text")
    if name in ("stdout", "stderr") and isinstance(text, str):
        return nbformat.v4.new_output("stream", name=name, text=text)
    return None


def display(kind):
    def read(content):
        data = content.get("data")
        data = {mime: data[mime] for mime in SHOWN if isinstance(data, dict) and mime in data}
        data = {mime: value for mime, value in data.items() if isinstance(value, str)
                or mime == "application/json"}
        return nbformat.v4.new_output(kind, data=data) if data else None
    return read


def error(content):
    name, text, trace = content.get("ename"), content.get("evalue"), content.get("traceback")
    if not isinstance(name, str) or not isinstance(text, str) or not isinstance(trace, list):
        return None
    return nbformat.v4.new_output("error", ename=name, evalue=text,
                                  traceback=[line for line in trace if isinstance(line, str)])


READERS = {"stream": stream, "display_data": display("display_data"),
           "execute_result": display("execute_result"),
           "error": error}
