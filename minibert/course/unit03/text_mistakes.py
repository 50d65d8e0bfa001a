"""Known mistakes about `tokenize`, and the wrong tokenizers that `revealing_words` must reveal.

Devlin et al. (2019, arXiv 1810.04805), section 3.
"""

import operator
from collections.abc import Callable

import numpy as np

from minibert.tokenizer import BasicTokenizer, WordPiece
from minibert.tokenizer.basic import ASCII_SIGNS

from ..checks.compare import is_list
from ..checks.exercise import Invariant, Mistake
from .wordpiece_mistakes import PLAIN, UNKNOWN, from_the_end, greedy, inner_pieces_may_begin, searching

# For `revealing_words`: what the test words are read with. Its notebook prints this vocabulary.
SMALL = ("h", "hu", "hug", "p", "pu", "hugg", "##u", "##g", "##s", "##gs", "##gy", "##ing", "u", "s")
BUGS = (
    ("takes the shortest piece that fits", greedy(longest_first=False)),
    ("looks pieces inside a word up without ##", greedy(mark="")),
    (
        "keeps what was found before it got stuck, and adds [UNK]",
        greedy(fails=lambda found, rest: [*found, UNKNOWN]),
    ),
    ("goes back and tries another split when it gets stuck", searching),
    ("begins at the end of the word", from_the_end),
    ("never tries a single letter", greedy(shortest=2)),
    ("lets a piece with ## begin a word", inner_pieces_may_begin),
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
        return any(wrong(word, vocab) != PLAIN(word, vocab) for word in answer()) or (
            f"your words do not reveal a tokenizer that {name}. Find a word that it splits otherwise than a "
            "right one does."
        )

    return Invariant(f"reveals one that {name}", holds)


REVEALED = tuple(revealed(name, wrong) for name, wrong in BUGS)


def ids_with(
    words_of: Callable, wrap: Callable = lambda ids, vocab: ids, match: Callable = PLAIN
) -> Callable:
    """Build `tokenize` with some of its steps replaced."""

    def wrong(text, vocab):
        places = {piece: i for i, piece in enumerate(vocab)}
        return wrap([places[piece] for word in words_of(text) for piece in match(word, places)], vocab)

    return wrong


def right_words(text: str) -> list[str]:
    return [word.text for word in BasicTokenizer().split(text)]


TOKENIZE = (
    Mistake(
        "the text is split at spaces only. BasicTokenizer also lower-cases, strips accents and sets "
        "punctuation apart.",
        ids_with(str.split),
    ),
    Mistake(
        "the text is lower-cased and split at spaces only. BasicTokenizer also strips accents, sets "
        "punctuation apart, and ideographs.",
        ids_with(lambda text: text.lower().split()),
    ),
    Mistake(
        "the words keep their capitals and accents. Take `word.text` from BasicTokenizer().split(text): "
        "its default is lower case.",
        ids_with(lambda text: [word.text for word in BasicTokenizer(lower_case=False).split(text)]),
    ),
    Mistake(
        "these are the pieces. Return their ids: the place of each piece in `vocab`.",
        lambda text, vocab: WordPiece(vocab).encode(text).pieces,
    ),
    Mistake(
        "you put [CLS] and [SEP] around it. pack_pair does that; here return the ids of the text alone.",
        ids_with(right_words, lambda ids, vocab: [vocab.index("[CLS]"), *ids, vocab.index("[SEP]")]),
    ),
    *(
        Mistake("BasicTokenizer gives words with their places. The text of one is `word.text`.", crash)
        for crash in (
            lambda text, vocab: len(BasicTokenizer().split(text)[0]),  # type: ignore[arg-type]  # the mistake
            lambda text, vocab: operator.add("##", (text,)),
        )
    ),  # a word, sent to another process
    Mistake(
        "there is a list for each word. Return one list for the whole text.",
        lambda text, vocab: [WordPiece(vocab).encode_words([word]).ids for word in right_words(text)],
    ),
    Mistake(
        "the ids are those of the sorted vocabulary. A piece's id is its place in `vocab` as it is given.",
        lambda text, vocab: [sorted(vocab).index(piece) for piece in WordPiece(vocab).encode(text).pieces],
    ),
    Mistake(
        "the ids are counted from 1; the first piece has the id 0.",
        ids_with(right_words, lambda ids, vocab: [i + 1 for i in ids]),
    ),
    Mistake(
        "words with an unknown piece are left out. They become [UNK], with its id.",
        ids_with(right_words, lambda ids, vocab: [i for i in ids if vocab[i] != UNKNOWN]),
    ),
    Mistake(
        "a word that comes again is left out. Return the ids of every word, in order.",
        ids_with(lambda text: [*dict.fromkeys(right_words(text))]),
    ),
    Mistake(
        "punctuation is left out. Every sign is a word of its own.",
        ids_with(lambda text: [word for word in right_words(text) if word not in ASCII_SIGNS]),
    ),
    Mistake(
        "numbers are left out. They are words like any others.",
        ids_with(lambda text: [word for word in right_words(text) if not word.isdigit()]),
    ),
    Mistake("the words come in reverse order.", ids_with(lambda text: right_words(text)[::-1])),
    Mistake(
        "the words are joined to one before they are cut into pieces. Cut word by word.",
        ids_with(lambda text: ["".join(right_words(text))]),
    ),
    Mistake(
        "only the first line of the text is read.", ids_with(lambda text: right_words(text.split("\n")[0]))
    ),
    Mistake(
        "only the first piece of each word is there. Return the ids of all its pieces.",
        ids_with(right_words, match=lambda word, places: PLAIN(word, places)[:1]),
    ),
    Mistake(
        "words are looked up whole. Cut each into pieces with wordpiece_encode.",
        ids_with(right_words, match=lambda word, places: [word if word in places else UNKNOWN]),
    ),
    Mistake(
        "an empty text has no words, and so no ids.", ids_with(lambda text: right_words(text) or [UNKNOWN])
    ),
    Mistake(
        "the ids are counted from the end of the list.",
        ids_with(right_words, lambda ids, vocab: [len(vocab) - 1 - i for i in ids]),
    ),
    Mistake(
        "the ids are texts. Return whole numbers.",
        ids_with(right_words, lambda ids, vocab: [str(i) for i in ids]),
    ),
    Mistake(
        "the text is changed before BasicTokenizer reads it, such as by casefold(), which turns ß into ss.",
        ids_with(lambda text: right_words(text.casefold())),
    ),
    *(
        Mistake(
            "long words become [UNK] too early. wordpiece_encode has a `longest` of its own: leave it.",
            ids_with(right_words, match=lambda word, places, limit=limit: PLAIN(word, places, limit)),
        )
        for limit in (20, 50, 100)
    ),
    *(
        Mistake(
            "long words are cut. Read each to its end.",
            ids_with(right_words, match=lambda word, places, limit=limit: PLAIN(word[:limit], places)),
        )
        for limit in (20, 50, 100)
    ),
    *(
        Mistake(
            "a long text is cut. Return all its ids.",
            ids_with(right_words, lambda ids, vocab, limit=limit: ids[:limit]),
        )
        for limit in (128, 256, 512)
    ),
    Mistake(
        "of several [UNK] in a row only one is left. Each word keeps its own.",
        ids_with(
            right_words,
            lambda ids, vocab: [
                i for before, i in zip([None, *ids], ids) if not i == before == vocab.index(UNKNOWN)
            ],
        ),
    ),
    *(
        Mistake(
            "the id of [UNK] is fixed in your answer. Look it up like any other piece.",
            ids_with(
                right_words,
                lambda ids, vocab, fixed=fixed: [fixed if vocab[i] == UNKNOWN else i for i in ids],
            ),
        )
        for fixed in (0, -1)
    ),
    Mistake(
        "the id of [UNK] is fixed in your answer. Look it up like any other piece.",
        ids_with(right_words, lambda ids, vocab: [1 if vocab[i] == UNKNOWN else i for i in ids]),
    ),
)
