"""Known mistakes about `tokenize`, and the wrong tokenizers that `revealing_words` must reveal.

Devlin et al. (2019, arXiv 1810.04805), section 3.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from minibert.tokenizer import BasicTokenizer
from minibert.tokenizer.basic import ASCII_SIGNS

from ..checks.compare import is_list
from ..checks.edits import edits, named
from ..checks.exercise import Invariant
from .wordpiece_mistakes import ENCODE, UNKNOWN, greedy

# For `revealing_words`: what the test words are read with. Its notebook prints this vocabulary.
SMALL = ("h", "hu", "hug", "p", "pu", "hugg", "##u", "##g", "##s", "##gs", "##gy", "##ing", "u", "s")
BUGS = tuple(
    (name, named(ENCODE, piece))
    for name, piece in (
        ("takes the shortest piece that fits", "the shortest piece that fits"),
        ("looks pieces inside a word up without ##", "are looked up without ##"),
        ("keeps what was found before it got stuck, and adds [UNK]", "so far, with [UNK] at the end"),
        ("goes back and tries another split when it gets stuck", "search for another split"),
        ("begins at the end of the word", "begin at the end of the word"),
        ("never tries a single letter", "a single letter is never tried"),
        ("lets a piece with ## begin a word", "with or without ##, whichever"),
    )
)
MOST_WORDS = 6


def few_words(answer: Callable, rng: np.random.Generator) -> bool | str:
    """`holds`: a list of 1 to MOST_WORDS words."""
    __tracebackhide__ = True
    words = answer()
    if not is_list(words) or not all(isinstance(word, str) for word in words):
        return 'it should return a list of words, such as ["hugs", "pug"].'
    if not 1 <= len(words) <= MOST_WORDS:
        return (
            f"it returns {len(words)} words; one to {MOST_WORDS} are allowed. Choose those that reveal most."
        )
    return (
        all(word.isalpha() for word in words)
        or "a word here has letters only: no spaces, no signs, and at least one letter."
    )


def revealed(name: str, wrong: Callable) -> Invariant:
    """Build the Invariant that this wrong tokenizer splits one of the student's words differently."""

    def holds(answer, rng):
        __tracebackhide__ = True
        vocab = dict.fromkeys(SMALL)
        return any(wrong(word, vocab) != greedy(word, vocab) for word in answer()) or (
            f"your words do not reveal a tokenizer that {name}. Find a word that it splits otherwise than a "
            "right one does."
        )

    return Invariant(f"reveals one that {name}", holds)


REVEALED = tuple(revealed(name, wrong) for name, wrong in BUGS)


def ids_of_words(words: Iterable[str], vocab: Sequence[str]) -> list[int]:
    """Return the ids of the words' pieces."""
    places = {piece: i for i, piece in enumerate(vocab)}
    return [places[piece] for word in words for piece in greedy(word, places)]


def plain(text: str, vocab: Sequence[str]) -> list[int]:
    """Return what `tokenize` should."""
    words = [word.text for word in BasicTokenizer().split(text)]
    return ids_of_words(words, vocab)


TOKENIZE = edits(
    plain,
    """
    $words = [word.text for word in BasicTokenizer().split(text)]
    $pieces = greedy(word, places)
    $ids = places[piece] for word in words for piece in greedy(word, places)

    the text is split at spaces only. BasicTokenizer also lower-cases, strips accents and sets punctuation
    apart.
        $words => text.split()
    the text is lower-cased and split at spaces only. BasicTokenizer also strips accents, sets punctuation
    apart, and ideographs.
        $words => text.lower().split()
    the words keep their capitals and accents. Take `word.text` from BasicTokenizer().split(text): its default
    is lower case.
        BasicTokenizer() => BasicTokenizer(lower_case=False)
    these are the pieces. Return their ids: the place of each piece in `vocab`.
        return [vocab[i] for i in result]
    you put [CLS] and [SEP] around it. pack_pair does that; here return the ids of the text alone.
        return [vocab.index("[CLS]"), *result, vocab.index("[SEP]")]
    BasicTokenizer gives words with their places. The text of one is `word.text`.
        word.text for => word for
        or
        word.text for => "##" + (word,) for
    there is a list for each word. Return one list for the whole text.
        $ids => [places[piece] for piece in $pieces] for word in words
    the ids are those of the sorted vocabulary. A piece's id is its place in `vocab` as it is given.
        return [sorted(vocab).index(vocab[i]) for i in result]
    the ids are counted from 1; the first piece has the id 0.
        return [i + 1 for i in result]
    words with an unknown piece are left out. They become [UNK], with its id.
        return [i for i in result if vocab[i] != UNKNOWN]
    a word that comes again is left out. Return the ids of every word, in order.
        $words => [*dict.fromkeys($words)]
    punctuation is left out. Every sign is a word of its own.
        split(text)] => split(text) if word.text not in ASCII_SIGNS]
    numbers are left out. They are words like any others.
        split(text)] => split(text) if not word.text.isdigit()]
    the words come in reverse order.
        $words => $words[::-1]
    the words are joined to one before they are cut into pieces. Cut word by word.
        $words => ["".join($words)]
    only the first line of the text is read.
        split(text) => split(text.partition(chr(10))[0])
    only the first piece of each word is there. Return the ids of all its pieces.
        $pieces => $pieces[:1]
    words are looked up whole. Cut each into pieces with wordpiece_encode.
        $pieces => [word if word in places else UNKNOWN]
    an empty text has no words, and so no ids.
        $words => $words or [UNKNOWN]
    the ids are counted from the end of the list.
        return [len(vocab) - 1 - i for i in result]
    the ids are texts. Return whole numbers.
        return [str(i) for i in result]
    the text is changed before BasicTokenizer reads it, such as by casefold(), which turns ß into ss.
        split(text) => split(text.casefold())
    long words become [UNK] too early. wordpiece_encode has a `longest` of its own: leave it.
        $pieces => greedy(word, places, {50 | 100})
    long words are cut. Read each to its end.
        $pieces => greedy(word[:{20 | 50 | 100}], places)
    a long text is cut. Return all its ids.
        return result[:{128 | 256 | 512}]
    of several [UNK] in a row only one is left. Each word keeps its own.
        return [i for before, i in zip([None, *result], result) if not i == before == vocab.index(UNKNOWN)]
    the id of [UNK] is fixed in your answer. Look it up like any other piece.
        return [{0 | -1 | 1} if vocab[i] == UNKNOWN else i for i in result]
    """,
    ids_of_words,
    ASCII_SIGNS=ASCII_SIGNS,
    UNKNOWN=UNKNOWN,
)
