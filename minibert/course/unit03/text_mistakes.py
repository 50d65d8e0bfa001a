"""Students' common mistakes in `tokenize`, and wrong tokenizers that their `revealing_words` must reveal.

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

# The vocabulary of `revealing_words`, which the notebook prints.
SMALL = ("h", "hu", "hug", "p", "pu", "hugg", "##u", "##g", "##s", "##gs", "##gy", "##ing", "u", "s")
BUGS = tuple(
    (name, named(ENCODE, piece))
    for name, piece in (
        ("takes the shortest token that fits", "the shortest token that fits"),
        ("looks up tokens inside a word without ##", "look up tokens inside a word without ##"),
        ("keeps the tokens found before it got stuck, and adds [UNK]", "so far, with [UNK] at the end"),
        ("goes back and tries another split when it gets stuck", "search for another split"),
        ("starts at the end of the word", "start at the end of the word"),
        ("never tries a single letter", "you never try a single letter"),
        ("lets a token with ## start a word", "with or without ##, whichever"),
    )
)
MOST_WORDS = 6


def few_words(answer: Callable, rng: np.random.Generator) -> bool | str:
    """Return True if the student's function returns a list of 1 to MOST_WORDS words, else a hint."""
    __tracebackhide__ = True
    words = answer()
    if not is_list(words) or not all(isinstance(word, str) for word in words):
        return 'you do not return a list of words. Return one such as ["hugs", "pug"].'
    if not 1 <= len(words) <= MOST_WORDS:
        return (
            f"you return {len(words)} words, but 1 to {MOST_WORDS} are allowed. Choose the words that "
            "reveal the most."
        )
    return (
        all(word.isalpha() for word in words)
        or "each word must consist of letters only, without spaces or other characters."
    )


def revealed(name: str, wrong: Callable) -> Invariant:
    """Return an Invariant that holds if at least one of the student's words reveals a tokenizer's mistake.

    name: the mistake, as a phrase that begins with a verb. wrong: the tokenizer, which takes a word and a
    vocabulary.
    """

    def holds(answer, rng):
        __tracebackhide__ = True
        vocab = dict.fromkeys(SMALL)
        return any(wrong(word, vocab) != greedy(word, vocab) for word in answer()) or (
            f"your words do not reveal a tokenizer that {name}. Find a word that it splits differently from "
            "a correct tokenizer."
        )

    return Invariant(f"reveals a tokenizer that {name}", holds)


REVEALED = tuple(revealed(name, wrong) for name, wrong in BUGS)


def ids_of_words(words: Iterable[str], vocab: Sequence[str]) -> list[int]:
    """Return a single list with the token ids of all words."""
    places = {piece: i for i, piece in enumerate(vocab)}
    return [places[piece] for word in words for piece in greedy(word, places)]


def plain(text: str, vocab: Sequence[str]) -> list[int]:
    """Return the token ids of a text, as `tokenize` should."""
    words = [word.text for word in BasicTokenizer().split(text)]
    return ids_of_words(words, vocab)


TOKENIZE = edits(
    plain,
    """
    $words = [word.text for word in BasicTokenizer().split(text)]
    $pieces = greedy(word, places)
    $ids = places[piece] for word in words for piece in greedy(word, places)

    you only split the text at spaces. Use BasicTokenizer, which also lowercases it, strips accents and
    separates punctuation.
        $words => text.split()
    you only lowercase the text and split it at spaces. Use BasicTokenizer, which also strips accents and
    separates punctuation and ideographs.
        $words => text.lower().split()
    the words keep their capitals and accents. Use BasicTokenizer as it is, which lowercases by default.
        BasicTokenizer() => BasicTokenizer(lower_case=False)
    you return the tokens themselves. Return their ids: the index of each token in `vocab`.
        return [vocab[i] for i in result]
    you add [CLS] and [SEP]. Leave that to pack_pair, and return only the ids of the text.
        return [vocab.index("[CLS]"), *result, vocab.index("[SEP]")]
    you use a word of BasicTokenizer as a string. Use its text, `word.text`.
        word.text for => word for
        or
        word.text for => "##" + (word,) for
    you return a list for each word. Return one list for the whole text.
        $ids => [places[piece] for piece in $pieces] for word in words
    you return indices in the sorted vocabulary. The id of a token is its index in `vocab` as it is.
        return [sorted(vocab).index(vocab[i]) for i in result]
    you count the ids from 1. Give the first token of `vocab` the id 0.
        return [i + 1 for i in result]
    you leave out words that cannot be split into tokens. Return the id of [UNK] for each of them.
        return [i for i in result if vocab[i] != UNKNOWN]
    you leave out repeated words. Return the ids of every word, in order.
        $words => [*dict.fromkeys($words)]
    you leave out punctuation. Treat every punctuation mark as a separate word.
        split(text)] => split(text) if word.text not in ASCII_SIGNS]
    you leave out numbers. Treat them like any other words.
        split(text)] => split(text) if not word.text.isdigit()]
    the words are in reverse order. Keep the order of the text.
        $words => $words[::-1]
    you join all words into one before you split them into tokens. Split each word separately.
        $words => ["".join($words)]
        or
        $words => ["".join($words) or "[UNK]"]
    you read only the first line of the text. Pass the whole text to BasicTokenizer.
        split(text) => split(text.partition(chr(10))[0])
    you return only the first token of each word. Return the ids of all its tokens.
        $pieces => $pieces[:1]
    you look up only whole words. Split each word into tokens with wordpiece_encode.
        $pieces => [word if word in places else UNKNOWN]
    you return a token for an empty text. It has no words, so return an empty list.
        $words => $words or [UNKNOWN]
    you count the ids from the end of the list. Give the first token of `vocab` the id 0.
        return [len(vocab) - 1 - i for i in result]
    the ids are strings. Return them as integers.
        return [str(i) for i in result]
    you change the text first, for instance with casefold(), which turns ß into ss. Pass it to BasicTokenizer
    as it is.
        split(text) => split(text.casefold())
    long words become [UNK] too early. Do not change `longest`, the maximum length, in wordpiece_encode.
        $pieces => greedy(word, places, {50 | 100})
    you cut off long words. Pass each word on as a whole.
        $pieces => greedy(word[:{20 | 50 | 100}], places)
    you cut off a long text. Return the ids of the whole text.
        return result[:{128 | 256 | 512}]
    you return a single [UNK] for several unknown words in a row. Return one for each word.
        return [i for before, i in zip([None, *result], result) if not i == before == vocab.index(UNKNOWN)]
    the id of [UNK] is hard-coded in your answer. Look it up like any other token.
        return [{0 | -1 | 1} if vocab[i] == UNKNOWN else i for i in result]
    """,
    ids_of_words,
    ASCII_SIGNS=ASCII_SIGNS,
    UNKNOWN=UNKNOWN,
)
