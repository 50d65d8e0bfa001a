"""Documents as files: plain text for pretraining, SQuAD 1.1 for questions, CoNLL columns for entities.

Rajpurkar et al. (2016, arXiv 1606.05250); Tjong Kim Sang and De Meulder (2003, arXiv cs/0306050), but with BIO2 tags:
B- starts every entity, I- continues it.
"""

import re
from collections.abc import Iterable
from pathlib import Path

from .documents import Document, Entity

TOKEN = re.compile(r"\w+|[^\w\s]")


def write_text(documents: Iterable[Document], path: str | Path) -> None:
    """Writes one sentence per line and a blank line between documents, in UTF-8, one document at a time."""
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        for number, document in enumerate(documents):
            file.write("\n" * (number > 0) + "\n".join(document.sentences) + "\n")


def to_squad(documents: Iterable[Document]) -> dict:
    """The answerable questions in the JSON shape of SQuAD 1.1, one article a document; ids are unique."""
    articles = []
    for number, document in enumerate(documents):
        questions = [
            {
                "id": f"world-{number:06d}-{place}",
                "question": question.text,
                "answers": [{"text": text, "answer_start": start} for text, start in question.answers],
            }
            for place, question in enumerate(document.questions)
            if not question.impossible
        ]
        articles.append({"title": f"world-{number:06d}", "paragraphs": [{"context": document.text, "qas": questions}]})
    return {"version": "1.1", "data": articles}


def to_conll(documents: Iterable[Document]) -> str:
    """Lines of token, space, tag; a blank line ends each sentence, and `-DOCSTART- O` opens each document.

    Tokens are runs of word characters and single other signs, as BERT's basic tokenizer splits them.
    """
    lines = []
    for document in documents:
        lines += ["-DOCSTART- O", ""]
        start = 0
        for sentence in document.sentences:
            lines += [f"{token} {tag}" for token, tag in _tagged(sentence, start, document.entities)] + [""]
            start += len(sentence) + 1
    return "\n".join(lines) + "\n" * bool(lines)


def _tagged(sentence: str, start: int, entities: list[Entity]) -> list[tuple[str, str]]:
    """(token, tag) of a sentence that begins at character `start` of its document."""
    inside = {}
    for entity in entities:
        if start <= entity.start < start + len(sentence):
            inside |= {at: f"I-{entity.label}" for at in range(entity.start + 1, entity.end)}
            inside[entity.start] = f"B-{entity.label}"
    return [(match.group(), inside.get(start + match.start(), "O")) for match in TOKEN.finditer(sentence)]
