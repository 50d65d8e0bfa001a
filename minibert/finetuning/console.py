"""Talk with a fine-tuned model: a passage and questions about it, or sentences whose entities are shown; and
those as a page.

Colour is never the only sign: each entity carries its type as a word, in the terminal and in HTML.
"""
import html
import os
from functools import partial

from ..files import writing
from .kinds import read_examples
from .predict import find_entities, marked, predict_question, tag_text, tagged_spans

BACKGROUNDS = (106, 102, 103, 105, 101, 107)  # of a terminal, bright; black text stands on each
# Okabe and Ito's, and neighbours, under black text
FILLS = ("#56B4E9", "#9ad17f", "#F0E442", "#E69F00", "#e3b7d3", "#cccccc")
STYLE = """body { font: 18px/1.9 system-ui, sans-serif; max-width: 50em; margin: 2em auto; padding: 0 1em; }
mark { color: #000; padding: .1em .25em; border-radius: .25em; border-bottom: 3px solid #0008; }
mark b { font-size: .65em; margin-inline-start: .4em; } ul { padding: 0; } li { display: inline-block; margin-inline-end: 1em; }
""" + "\n".join(f".t{i} {{ background: {fill}; }}" for i, fill in enumerate(FILLS))


def colourful(stream, environment=os.environ):
    """True for a terminal that shows colours, unless NO_COLOR (no-color.org) is set."""
    return stream.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def types_of(task):
    """The types of a tagging task's label set, sorted."""
    return sorted({tag[2:] if tag[:2] in ("B-", "I-") else tag for tag in task.tags if tag != "O"})


def coloured_text(tuned, text):
    """As tag_text, each entity on the colour of its type."""
    types = types_of(tuned.task)

    def on_colour(stretch, type_):
        return f"\x1b[30;{BACKGROUNDS[types.index(type_) % len(BACKGROUNDS)]}m[{stretch} {type_}]\x1b[0m"
    return marked(text, find_entities(tuned, text), on_colour)


def answer_line(tuned, question, context):
    """What the console says to a question: the answer and its probability, of those in the list."""
    prediction = predict_question(tuned, question, context)
    probability = next((answer.probability for answer in prediction.best if answer.text == prediction.text),
                       0.0)
    return f"{prediction.text or '(no answer)'}  ({100 * probability:.0f}%)"


def converse(tuned, lines, out, prompts=None, context=None):
    """Answer line by line until there are no more: for question answering, a passage up to a blank line, then
    questions, and a blank line asks for another passage; for tagging, sentences.

    lines: an iterator of them; out: a file for the answers; prompts: one for what to type next, or None;
    context: the passage.
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
        print(file=prompts)                     # the shell goes on in a line of its own


def talk_sentences(ask, say):
    """Say the entities of each line."""
    while (line := ask("sentence> ")) is not None:
        if line.strip():
            say(line.rstrip("\n"))


def talk_questions(ask, say, context):
    """Say the answers to questions about one passage after another."""
    while context or (context := read_passage(ask)):
        while (line := ask("question> ")) is not None and line.strip():
            say(line.strip(), context)
        context = None


def read_passage(ask):
    """The lines up to a blank one, or the end; "" where there are none left."""
    passage = ""
    while (line := ask("... " if passage else "passage (a blank line ends it)> ")) is not None:
        if passage and not line.strip():
            break
        passage += line if line.strip() else ""
    return passage.strip()


def entities_page(path, types, sentences):
    """Write HTML with the entities of texts marked: a page of its own, without scripts or anything from a
    network.

    types: of the legend, in order; sentences: (text, [(start, end, type)]) each, written as they come.
    Returns their number.
    """
    count = 0
    with writing(path) as file:
        file.write('<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Entities</title>\n'
                   f'<style>{STYLE}</style></head>\n<body><h1>Entities</h1>\n<h2>Legend</h2>\n<ul '
                   f'aria-label="Types of entities">'
                   + "".join(f"<li>{mark(type_, '', i)}</li>"
                             for i, type_ in enumerate(types)) + "</ul>\n<h2>Text</h2>\n")
        for text, spans in sentences:
            shown = marked(text, spans,
                           lambda stretch, type_: mark(stretch, type_, types.index(type_)), html.escape)
            count += 1
            file.write(f'<p dir="auto">{shown}</p>\n')
        file.write("</body></html>\n")
    return count


def mark(text, type_, number):
    """One marked stretch; a screen reader says its type after it."""
    label = f' <b>{html.escape(type_)}</b>' if type_ else ""
    return f'<mark class="t{number % len(FILLS)}"><bdi>{html.escape(text)}</bdi>{label}</mark>'


def page_of_text(tuned, text, path):
    """The page of one text, a paragraph for each of its lines; returns their number. Raises ValueError for a
    text without words.
    """
    lines = [line for line in text.splitlines() if line.strip()] or [text]
    return entities_page(path, types_of(tuned.task), ((line, find_entities(tuned, line)) for line in lines))


def page_of_file(tuned, source, path):
    """The page of a CoNLL file: its sentences, words parted by spaces; returns their number."""
    # at once: a sentence may need those of its document
    examples = read_examples(tuned.name, source, labelled=False)
    answers = tuned.task.answer(tuned.model, examples)
    return entities_page(path, types_of(tuned.task),
                         (joined(example.words, tags) for example, tags in zip(examples, answers)))


def joined(words, tags):
    """Words as a text, and the spans of its entities.

    >>> joined(["Mira", "left"], ["B-PER", "O"])
    ('Mira left', [(0, 4, 'PER')])
    """
    ends, end = [], -1
    for word in words:
        end += 1 + len(word)
        ends.append(end)
    spans = [(ends[first] - len(words[first]), ends[last], type_)
             for first, last, type_ in tagged_spans(tags)]
    return " ".join(words), spans
