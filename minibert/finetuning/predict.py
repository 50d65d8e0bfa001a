"""Answers of a fine-tuned model: to one question, to one sentence, to a file."""
import re
from pathlib import Path

from ..corpora.conll import Sentence
from ..corpora.errors import write_text
from ..corpora.squad import QAExample
from .kinds import read_examples


def answer_question(tuned, question, context):
    """The answer's text. Raises ValueError for an empty question or passage."""
    for name, text in (("question", question), ("context", context)):
        if not text.strip():
            raise ValueError(f"the {name} is empty")
    return tuned.task.answer(tuned.model, [QAExample("0", question, context, [], False, "")])[0]


def tag_text(tuned, text):
    """The sentence with its entities in brackets: [Mira Harlow PER] lives in [Ashby LOC]."""
    words = re.findall(r"\w+|[^\w\s]", text)
    if not words:
        raise ValueError("the text is empty")
    tags = tuned.task.answer(tuned.model, [Sentence(words, ["O"] * len(words), 1)])[0]
    shown = ""
    for i, (word, tag) in enumerate(zip(words, tags)):
        following = tags[i + 1] if i + 1 < len(tags) else "O"
        opens = tag != "O" and (tag[0] == "B" or i == 0 or tags[i - 1][2:] != tag[2:])
        closes = tag != "O" and following != f"I-{tag[2:]}"
        space = " " if i and (word.isalnum() or opens) else ""
        shown += space + ("[" if opens else "") + word + (f" {tag[2:]}]" if closes else "")
    return shown


def predict_file(tuned, path, out=None):
    """Answers to a SQuAD file (JSON, id to text) or a CoNLL file (word and tag columns); returns their number.

    The labels of the file are not looked at; the questions of a SQuAD file need none.
    """
    examples = read_examples(tuned.name, path, labelled=False)
    text = tuned.task.text(examples, tuned.task.answer(tuned.model, examples))
    if out is None:
        print(text, end="")
    else:
        write_text(Path(out), text)
    return len(examples)
