"""The English text that `english.py` trains on and holds out: books, Wikipedia, web text and others.

Whole books, articles and documents are held out. DATA is a folder laid out as its README says: `lm/books`,
`lm/books_more`, `lm/wikitext2`, `squad_v1`, `squad_v2`, `squadshifts_newwiki`, `ud_ewt`.
"""

import json
import re
from pathlib import Path

from minibert.readers.plain_text import read_documents
from minibert.readers.sentences import split_sentences

HELD_OUT_BOOKS = ("alice", "the_call_of_the_wild", "the_war_of_the_worlds", "anne_of_green_gables")
HELD_OUT_ARTICLES = 8  # the last ones in WikiText
SHARES = {"books": 0.45, "wikipedia": 0.25, "web": 0.2, "stories": 0.04, "speeches": 0.06}  # of all tokens
TOGETHER = 8  # short documents of the web are joined until they have this many sentences
WIKITEXT_SPACES = (
    (" @-@ ", "-"),
    (" @,@ ", ","),
    (" @.@ ", "."),
    (" , ", ", "),
    (" . ", ". "),
    (" ; ", "; "),
    (" : ", ": "),
    (" 's ", "'s "),
    (" ) ", ") "),
    (" ( ", " ("),
    ("<unk>", "[UNK]"),
)


def texts(data):
    """Return ({kind: training documents}, {kind: held-out documents}); a document is a list of sentences."""
    books = sorted((data / "lm").glob("books*/*.txt"))
    held = [path for path in books if path.stem in HELD_OUT_BOOKS]
    articles = wikitext(data / "lm/wikitext2/valid.txt")
    train = {
        "books": read_documents([path for path in books if path not in held]),
        "wikipedia": articles[:-HELD_OUT_ARTICLES]
        + passages(
            data / "squad_v1/train_small.json",
            data / "squad_v2/train_small.json",
            data / "squadshifts_newwiki/train.json",
        ),
        "web": gathered(web(data / "ud_ewt/train.conllu")),
        "stories": read_documents(data / "lm/tinystories_sample.txt"),
        "speeches": read_documents(data / "lm/state_union.txt"),
    }
    held_out = {
        "books": read_documents(held),
        "wikipedia": articles[-HELD_OUT_ARTICLES:]
        + passages(data / "squad_v1/dev_small.json", data / "squadshifts_newwiki/dev.json"),
        "web": gathered(web(data / "ud_ewt/dev.conllu")),
    }
    return train, held_out


def everyday_lines():
    path = Path(__file__).with_name("english_everyday.txt")
    return [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def passages(*paths):
    return [
        [
            sentence
            for paragraph in article["paragraphs"]
            for sentence in split_sentences(paragraph["context"])
        ]
        for path in paths
        for article in json.loads(path.read_text(encoding="utf-8"))["data"]
    ]


def wikitext(path):
    """Return the articles of WikiText, without the extra spaces around punctuation."""
    articles = []
    for line in path.read_text(encoding="utf-8").splitlines():
        line = f" {line.strip()} "
        if re.fullmatch(r" = [^=].*[^=] = ", line):
            articles.append([])
        elif line.strip() and not line.startswith(" =") and articles:
            for spaced, plain in WIKITEXT_SPACES:
                line = line.replace(spaced, plain)
            articles[-1] += split_sentences(line.strip())
    return articles


def web(path):
    """Return the documents of a treebank: blogs, emails, newsgroups, reviews, answers."""
    documents = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# newdoc"):
            documents.append([])
        elif line.startswith("# text = "):
            documents[-1].append(line.removeprefix("# text = "))
    return documents


def gathered(documents):
    """Join consecutive short documents until they have TOGETHER sentences."""
    found, joined = [], []
    for document in documents:
        joined = joined + document
        if len(joined) >= TOGETHER:
            found.append(joined)
            joined = []
    return found
