"""Talk with a fine-tuned model in a terminal, and write the entities of texts as an HTML page.

Colour is never the only sign: each entity carries its type as a word, in the terminal and in HTML.
"""

import html
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from ..readers.writing import writing
from .finetuned import Finetuned
from .predict import find_entities, marked, predict_question, tag_text, tagged_spans
from .registry import read_examples

BACKGROUNDS = (106, 102, 103, 105, 101, 107)  # of a terminal, bright; black text stands on each
# Okabe and Ito's, and neighbours, under black text
FILLS = ("#56B4E9", "#9ad17f", "#F0E442", "#E69F00", "#e3b7d3", "#cccccc")
STYLE = """body { font: 18px/1.9 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }
mark { color: #000; padding: .1em .25em; border-radius: .25em; border-bottom: 3px solid #0008; }
mark b { font-size: .65em; margin-inline-start: .4em; }
ul { padding: 0; } li { display: inline-block; margin-inline-end: 1em; }
""" + "\n".join(f".t{i} {{ background: {fill}; }}" for i, fill in enumerate(FILLS))


def colourful(stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """True for a terminal that shows colours, unless NO_COLOR (no-color.org) is set."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def types_of(task: Any) -> list[str]:
    """The types of a tagging task's label set, sorted."""
    return sorted({tag[2:] if tag[:2] in ("B-", "I-") else tag for tag in task.tags if tag != "O"})


def coloured_text(tuned: Finetuned, text: str) -> str:
    """The text with its entities in brackets, as in tag_text, each on the colour of its type."""
    types = types_of(tuned.task)

    def on_colour(stretch, type_):
        return f"\x1b[30;{BACKGROUNDS[types.index(type_) % len(BACKGROUNDS)]}m[{stretch} {type_}]\x1b[0m"

    return marked(text, find_entities(tuned, text), on_colour)


def answer_line(tuned: Finetuned, question: str, context: str) -> str:
    """The answer to a question and its probability among the best answers, as a line for the console."""
    prediction = predict_question(tuned, question, context)
    probability = next(
        (answer.probability for answer in prediction.best if answer.text == prediction.text), 0.0
    )
    return f"{prediction.text or '(no answer)'}  ({100 * probability:.0f}%)"


def converse(
    tuned: Finetuned,
    lines: Iterator[str],
    out: TextIO,
    prompts: TextIO | None = None,
    context: str | None = None,
) -> None:
    """Answer line by line, until there are no more lines.

    For tagging, each line is a sentence. For question answering, the lines are a passage up to a blank line,
    then questions; another blank line asks for the next passage. out: a file for the answers; prompts: a file
    for what to type next, or None; context: the first passage.
    """

    def ask(what):
        if prompts:
            print(what, end="", file=prompts, flush=True)
        return next(lines, None)

    def say(make, *arguments):
        try:
            print(make(tuned, *arguments), file=out, flush=True)
        except ValueError as error:
            print(f"({error})", file=out, flush=True)

    if hasattr(tuned.task, "tags"):
        talk_sentences(ask, partial(say, coloured_text if colourful(out) else tag_text))
    else:
        talk_questions(ask, partial(say, answer_line), context)
    if prompts:
        print(file=prompts)  # the shell goes on in a line of its own


def talk_sentences(ask: Callable[[str], str | None], say: Callable[[str], None]) -> None:
    """Print the entities of each line."""
    while (line := ask("sentence> ")) is not None:
        if line.strip():
            say(line.rstrip("\n"))


def talk_questions(
    ask: Callable[[str], str | None], say: Callable[[str, str], None], context: str | None
) -> None:
    """Print the answers to questions about one passage after another."""
    while context or (context := read_passage(ask)):
        while (line := ask("question> ")) is not None and line.strip():
            say(line.strip(), context)
        context = None


def read_passage(ask: Callable[[str], str | None]) -> str:
    """The lines up to a blank one, or the end; "" if there are no lines left."""
    passage = ""
    while (line := ask("... " if passage else "passage (a blank line ends it)> ")) is not None:
        if passage and not line.strip():
            break
        passage += line if line.strip() else ""
    return passage.strip()


def entities_page(
    path: str | Path, types: Sequence[str], sentences: Iterable[tuple[str, list[tuple[int, int, str]]]]
) -> int:
    """Write an HTML page with the entities of texts marked, and return the number of texts.

    The page needs no scripts and no network. types: for the legend, in order; sentences: (text, [(start, end,
    type)]), written as they come.
    """
    count = 0
    with writing(path) as file:
        file.write(
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Entities</title>\n'
            f"<style>{STYLE}</style></head>\n<body><h1>Entities</h1>\n<h2>Legend</h2>\n<ul "
            f'aria-label="Types of entities">'
            + "".join(f"<li>{mark(type_, '', i)}</li>" for i, type_ in enumerate(types))
            + "</ul>\n<h2>Text</h2>\n"
        )
        for text, spans in sentences:
            shown = marked(
                text, spans, lambda stretch, type_: mark(stretch, type_, types.index(type_)), html.escape
            )
            count += 1
            file.write(f'<p dir="auto">{shown}</p>\n')
        file.write("</body></html>\n")
    return count


def mark(text: str, type_: str, number: int) -> str:
    """The HTML of one marked stretch; a screen reader reads its type after it."""
    label = f" <b>{html.escape(type_)}</b>" if type_ else ""
    return f'<mark class="t{number % len(FILLS)}"><bdi>{html.escape(text)}</bdi>{label}</mark>'


def page_of_text(tuned: Finetuned, text: str, path: str | Path) -> int:
    """Write the page of one text, a paragraph for each of its lines, and return their number.

    Raises ValueError for a text without words.
    """
    lines = [line for line in text.splitlines() if line.strip()] or [text]
    return entities_page(path, types_of(tuned.task), ((line, find_entities(tuned, line)) for line in lines))


def page_of_file(tuned: Finetuned, source: str | Path, path: str | Path) -> int:
    """Write the page of a CoNLL file, a paragraph for each of its sentences, and return their number."""
    # all at once: a sentence may need the others of its document
    examples = read_examples(tuned.name, source, labelled=False)
    answers = tuned.task.answer(tuned.model, examples)
    return entities_page(
        path, types_of(tuned.task), (joined(example.words, tags) for example, tags in zip(examples, answers))
    )


def joined(words: Sequence[str], tags: Sequence[str]) -> tuple[str, list[tuple[int, int, str]]]:
    """The text of some words, with a space between them, and the spans of its entities.

    >>> joined(["Mira", "left"], ["B-PER", "O"])
    ('Mira left', [(0, 4, 'PER')])
    """
    ends, end = [], -1
    for word in words:
        end += 1 + len(word)
        ends.append(end)
    spans = [
        (ends[first] - len(words[first]), ends[last], type_) for first, last, type_ in tagged_spans(tags)
    ]
    return " ".join(words), spans
