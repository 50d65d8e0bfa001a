"""Write documents as plain text for pretraining, as SQuAD for questions, and as CoNLL for entities.

Rajpurkar et al. (2016, arXiv 1606.05250; 2018, arXiv 1806.03822); Tjong Kim Sang and De Meulder (2003, arXiv
cs/0306050), but with BIO2 tags: B- starts every entity, and I- continues it.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from minibert.readers.writing import writing

from ..posterior.needs import WORD
from .documents import Document, Entity


def write_documents(documents: Iterable[Document], path: str | Path) -> None:
    """Write one sentence per line, and a blank line between documents."""
    with writing(path) as file:
        for number, document in enumerate(documents):
            file.write("\n" * (number > 0) + "\n".join(document.sentences) + "\n")


def to_squad(documents: Iterable[Document], name: str = "world") -> dict:
    """Return the answerable questions in the JSON structure of SQuAD 1.1.

    There is one article for each document with such questions. Question ids begin with `name`.
    """
    return {"version": "1.1", "data": list(_articles(documents, name, "1.1"))}


def to_squad2(documents: Iterable[Document], name: str = "world") -> dict:
    """Return all questions in the JSON structure of SQuAD 2.0, each with `is_impossible`.

    There is one article for each document with questions. Question ids begin with `name`, and are the same as
    in SQuAD 1.1.
    """
    return {"version": "v2.0", "data": list(_articles(documents, name, "v2.0"))}


def write_squad(documents: Iterable[Document], path: str | Path, version: str, name: str = "world") -> None:
    """Write the questions as a JSON file of SQuAD, version "1.1" or "v2.0".

    Articles are written one at a time, one per line. Raises ValueError for any other version.
    """
    if version not in ("1.1", "v2.0"):
        raise ValueError(f"version={version!r} must be '1.1' or 'v2.0'")
    with writing(path) as file:
        file.write(f'{{"version": "{version}", "data": [\n')
        for number, article in enumerate(_articles(documents, name, version)):
            file.write(",\n" * (number > 0) + json.dumps(article, ensure_ascii=False))
        file.write("\n]}\n")


def _articles(documents: Iterable[Document], name: str, version: str) -> Iterator[dict]:
    for number, document in enumerate(documents):
        id_ = f"{name}-{number:06d}"
        questions = []
        for place, question in enumerate(document.questions):
            if version == "1.1" and question.impossible:
                continue
            answers = [{"text": text, "answer_start": start} for text, start in question.answers]
            impossible = {"is_impossible": question.impossible} if version == "v2.0" else {}
            questions.append(
                {"id": f"{id_}-{place}", "question": question.text, "answers": answers} | impossible
            )
        if questions:  # in SQuAD, every paragraph has questions
            yield {
                "title": document.title or id_,
                "paragraphs": [{"context": document.text, "qas": questions}],
            }


def to_conll(documents: Iterable[Document]) -> str:
    """Return documents in the format of CoNLL: a token, a space and an entity tag on each line.

    A blank line ends each sentence, and `-DOCSTART- O` opens each document. A token is a run of word
    characters or a single other character, as in BERT's basic tokenizer.
    """
    return "".join(line + "\n" for line in _conll_lines(documents))


def write_conll(documents: Iterable[Document], path: str | Path) -> None:
    with writing(path) as file:
        for line in _conll_lines(documents):
            file.write(line + "\n")


def _conll_lines(documents: Iterable[Document]) -> Iterator[str]:
    for document in documents:
        yield from ("-DOCSTART- O", "")
        start = 0
        for sentence in document.sentences:
            yield from (f"{token} {tag}" for token, tag in _tagged(sentence, start, document.entities))
            yield ""
            start += len(sentence) + 1


def _tagged(sentence: str, start: int, entities: list[Entity]) -> list[tuple[str, str]]:
    inside: dict[int, str] = {}
    for entity in entities:
        if start <= entity.start < start + len(sentence):
            inside |= dict.fromkeys(range(entity.start + 1, entity.end), f"I-{entity.label}")
            inside[entity.start] = f"B-{entity.label}"
    return [(match.group(), inside.get(start + match.start(), "O")) for match in WORD.finditer(sentence)]
