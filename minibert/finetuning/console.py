"""Interactive use of a fine-tuned model in a terminal, and HTML pages with the entities of texts.

Entity types are never shown by colour alone: each entity is also labelled with its type as a word.
"""

import html
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TextIO

from ..readers.writing import writing
from ..tasks.base import Task
from ..tasks.records import BRACKETS, Style
from .finetuned import Finetuned
from .registry import read_examples

BACKGROUNDS = (106, 102, 103, 105, 101, 107)  # bright terminal backgrounds, readable under black text
# Colours of Okabe and Ito and similar ones, readable under black text.
FILLS = ("#56B4E9", "#9ad17f", "#F0E442", "#E69F00", "#e3b7d3", "#cccccc")
STYLE = """body { font: 18px/1.9 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }
mark { color: #000; padding: .1em .25em; border-radius: .25em; border-bottom: 3px solid #0008; }
mark b { font-size: .65em; margin-inline-start: .4em; }
ul { padding: 0; } li { display: inline-block; margin-inline-end: 1em; }
""" + "\n".join(f".t{i} {{ background: {fill}; }}" for i, fill in enumerate(FILLS))


def supports_colour(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a stream is a terminal with colours and NO_COLOR (no-color.org) is not set."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def style_for(task: Task, stream: TextIO) -> Style:
    """Return a Style with brackets around entities, and a colour for each type if the stream has colours."""

    def on_colour(text, type_):
        colour = BACKGROUNDS[task.types.index(type_) % len(BACKGROUNDS)]
        return f"\x1b[30;{colour}m{BRACKETS.mark(text, type_)}\x1b[0m"

    return Style(on_colour) if supports_colour(stream) else BRACKETS


def converse(
    tuned: Finetuned,
    lines: Iterator[str],
    out: TextIO,
    prompts: TextIO | None = None,
    context: str | None = None,
    probabilities: bool = False,
) -> None:
    """Answer lines of input one by one, until there are no more.

    If the task needs a context, the input is a passage, a blank line, and then questions; another blank line
    starts the next passage. out: a file for the answers. prompts: a file for the prompts, or None. context:
    the first passage. probabilities: give the probabilities of the possible answers.
    """
    task, style = tuned.task, style_for(tuned.task, out)
    needs_context = "context" in task.input_names

    def ask(what):
        if prompts:
            print(what, end="", file=prompts, flush=True)
        return next(lines, None)

    def reply(line):
        try:
            inputs = {task.input_names[0]: line, "context": context}
            if probabilities:
                return task.show_probabilities(tuned.predict(**inputs, probabilities=True))
            return task.reply(*tuned.ask(**inputs), style)
        except ValueError as error:
            return f"({error})"

    while not needs_context or context or (context := read_passage(ask)):
        line = ask(task.prompt)
        if line and line.strip():
            print(reply(line.rstrip("\n")), file=out, flush=True)
        elif needs_context:
            context = None
        elif line is None:
            break
    if prompts:
        print(file=prompts)  # so that the shell's prompt starts on a new line


def read_passage(ask: Callable[[str], str | None]) -> str:
    """Return the lines from `ask` up to a blank line or the end of input as one string."""
    passage = ""
    while (line := ask("... " if passage else "passage (a blank line ends it)> ")) is not None:
        if passage and not line.strip():
            break
        passage += line if line.strip() else ""
    return passage.strip()


def entities_page(path: str | Path, task: Task, answered: Iterable[tuple[Any, Any]]) -> int:
    """Write an HTML page of texts with marked entities, and return the number of texts.

    The page uses no scripts and no network. answered: an (example, prediction) for each text.
    """
    types, count = task.types, 0
    style = Style(lambda text, type_: mark(text, type_, types.index(type_)), html.escape)
    with writing(path) as file:
        file.write(
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Entities</title>\n'
            f"<style>{STYLE}</style></head>\n<body><h1>Entities</h1>\n<h2>Legend</h2>\n<ul "
            f'aria-label="Types of entities">'
            + "".join(f"<li>{mark(type_, '', i)}</li>" for i, type_ in enumerate(types))
            + "</ul>\n<h2>Text</h2>\n"
        )
        for example, prediction in answered:
            count += 1
            file.write(f'<p dir="auto">{task.show(example, prediction, style)}</p>\n')
        file.write("</body></html>\n")
    return count


def mark(text: str, type_: str, number: int) -> str:
    """Return HTML that marks a text as a span of the given type, in colour `number`."""
    label = f" <b>{html.escape(type_)}</b>" if type_ else ""
    return f'<mark class="t{number % len(FILLS)}"><bdi>{html.escape(text)}</bdi>{label}</mark>'


def page_of_text(tuned: Finetuned, text: str, path: str | Path) -> int:
    """Write an HTML page of the predictions for a text; return the number of its lines.

    Raises ValueError if the text has no words.
    """
    lines = [line for line in text.splitlines() if line.strip()] or [text]
    return entities_page(path, tuned.task, (tuned.ask(text=line) for line in lines))


def page_of_file(tuned: Finetuned, source: str | Path, path: str | Path) -> int:
    """Write an HTML page with the predictions for a CoNLL file; return the number of its sentences."""
    # Read the whole file first, because a sentence may need the others of its document.
    examples = read_examples(tuned.name, source, labelled=False)
    return entities_page(path, tuned.task, zip(examples, tuned.task.predict(tuned.model, examples)))
