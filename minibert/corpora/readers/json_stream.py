"""A JSON file of any size, read one element of its long list at a time.

The standard library's `json` reads a whole file or nothing; its decoder for one value is called here on a
window of the text, which grows until the value is whole. Errors are named by line and column, as for a file
that is read at once.
"""
import json

from ..errors import CorpusError, open_text, read_text

CHUNK = 1 << 16         # characters read at a time, and more while one value is longer
NEAR = 16               # a value that breaks off so near the end of the window may only have been cut by it


class JsonStream:
    """The text of an open file around the place reached. path: of the file, for messages."""

    def __init__(self, path, file):
        self.path, self.file = path, file
        # line and column are those of text[0]
        self.text, self.at, self.line, self.column, self.whole = "", 0, 1, 1, False

    def more(self):
        """Forget what is behind, read on, the more the longer the present value is; False at the end of the
        file.
        """
        self.line, self.column = self.place(self.at)
        self.text, self.at = self.text[self.at:], 0
        try:
            chunk = self.file.read(max(CHUNK, len(self.text)))
        except UnicodeDecodeError:
            read_text(self.path)                            # names the byte
            raise
        self.text, self.whole = self.text + chunk, not chunk
        return not self.whole

    def place(self, at):
        """(line, column) of a position of the text, from 1."""
        lines = self.text.count("\n", 0, at)
        return self.line + lines, at - self.text.rfind("\n", 0, at) if lines else self.column + at

    def fail(self, message, at):
        """Raise CorpusError for a position of the text."""
        line, column = self.place(at)
        rest = self.text[at:].strip()
        cut = message.startswith("Unterminated") or any(word.startswith(rest)
                                                        for word in ("true", "false", "null"))
        rule = "the JSON is cut off" if cut else "broken JSON"
        raise CorpusError.at(self.path, f"column {column}: {rule} ({message})", line)

    def peek(self):
        """The next sign that is no white space, "" at the end."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in " \t\n\r":
                self.at += 1
            if self.at < len(self.text) or not self.more():
                return self.text[self.at:self.at + 1]

    def take(self, signs, message):
        """Step over one of `signs`, and return it."""
        sign = self.peek()
        if not sign or sign not in signs:
            self.fail(message, self.at)
        self.at += 1
        return sign

    def value(self):
        """The next value, whatever it is."""
        self.peek()
        while True:
            start = self.at
            try:
                value, end = json.JSONDecoder().raw_decode(self.text, start)
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or len(self.text) - error.pos < NEAR
                if not cut or not self.more():
                    self.fail(error.msg, error.pos - start + self.at)
            except RecursionError:
                raise CorpusError.at(self.path, "the JSON is nested too deeply") from None
            else:
                if len(self.text) - end > NEAR or not self.more():  # else a number may go on, as 1 in 1.5
                    self.at += end - start
                    return value

    def items(self):
        """The elements of the list that comes next."""
        self.take("[", "Expecting value")
        if self.peek() == "]":
            self.at += 1
            return
        while True:
            yield self.value()
            if self.take(",]", "Expecting ',' delimiter") == "]":
                return


def elements(path, key, kind_of=lambda value: type(value).__name__):
    """The elements of the list `key` of the JSON object in a file, in order; its other values are read and
    dropped.

    kind_of: how an error names what stands in the place of the object or the list. Raises CorpusError, when
    it is reached, for JSON that is cut off or broken, a file without the list, and what `read_text` refuses.
    """
    with open_text(path) as file:
        stream = JsonStream(path, file)
        if stream.peek() == "":
            raise CorpusError.at(path, "the file holds nothing but blank lines")
        if stream.peek() != "{":
            raise CorpusError.at(path, f"the file is {kind_of(stream.value())}, not an object")
        stream.at += 1
        found, sign = False, "," if stream.peek() != "}" else stream.take("}", "")
        while sign == ",":
            if stream.peek() != '"':
                stream.fail("Expecting property name enclosed in double quotes", stream.at)
            name = stream.value()
            stream.take(":", "Expecting ':' delimiter")
            if name != key:
                stream.value()
            elif stream.peek() == "[":
                found = True
                yield from stream.items()
            elif stream.peek():
                raise CorpusError.at(path, f"{key} is {kind_of(stream.value())}, not a list")
            else:
                stream.fail("Expecting value", stream.at)
            sign = stream.take(",}", "Expecting ',' delimiter")
        if stream.peek():
            stream.fail("Extra data", stream.at)
        if not found:
            raise CorpusError.at(path, f"{key} is missing")


def load(path):
    """The JSON of a file that fits in memory. Raises CorpusError, with line and column, for broken JSON."""
    text = read_text(path)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        cut = not text[error.pos:].strip() or error.msg.startswith("Unterminated")
        rule = "the JSON is cut off" if cut else "broken JSON"
        raise CorpusError.at(path, f"column {error.colno}: {rule} ({error.msg})", error.lineno) from None
    except RecursionError:
        raise CorpusError.at(path, "the JSON is nested too deeply") from None
