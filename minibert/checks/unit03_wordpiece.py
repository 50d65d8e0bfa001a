"""The known mistakes about the greedy match, and the wrong tokenizers that a student's test words must reveal.

Wu et al. (2016, arXiv 1609.08144), section 4.1. `unit03_train` has those about making the vocabulary.
"""
from minibert.tokenizer import BasicTokenizer, WordPiece

from .base import Invariant, Mistake

UNKNOWN = "[UNK]"


def greedy(longest_first=True, mark="##", shown=str, fails=lambda found, rest: [UNKNOWN], shortest=1, whole=lambda found: found,
           too_long=lambda word, longest: len(word) > longest):
    """The greedy match with one of its steps replaced. fails: what an unknown rest gives; shortest: letters of a piece."""
    def wrong(word, vocab, longest=200):
        if too_long(word, longest):
            return [UNKNOWN]
        found, start = [], 0
        while start < len(word):
            ends = range(len(word), start + shortest - 1, -1)
            ends = ends if longest_first else reversed(ends)
            prefix = mark if start else ""
            end = next((end for end in ends if prefix + word[start:end] in vocab), None)
            if end is None:
                return fails(found, word[start:])
            found.append(shown(prefix + word[start:end]))
            start = end
        return whole(found)
    return wrong


def skipping(keep):
    """A letter that fits no piece is passed over; keep: it leaves [UNK] behind."""
    def wrong(word, vocab, longest=200):
        found, start = [], 0
        while start < len(word):
            prefix = "##" if start else ""
            end = next((end for end in range(len(word), start, -1) if prefix + word[start:end] in vocab), None)
            found += [prefix + word[start:end]] if end else [UNKNOWN] * keep
            start = end or start + 1
        return found
    return wrong


def best_split(word, vocab, start=0):
    """Any split of the word, the longest pieces tried first; None where there is none."""
    if start == len(word):
        return []
    for end in range(len(word), start, -1):
        piece = "##" * (start > 0) + word[start:end]
        rest = best_split(word, vocab, end) if piece in vocab else None
        if rest is not None:
            return [piece, *rest]
    return None


def searching(word, vocab, longest=200):
    return [UNKNOWN] if len(word) > longest else best_split(word, vocab) or [UNKNOWN]


def from_the_end(word, vocab, longest=200):
    """The longest piece that ends the word, again and again."""
    found, end = [], len(word)
    while end and len(word) <= longest:
        start = next((start for start in range(end) if "##" * (start > 0) + word[start:end] in vocab), None)
        if start is None:
            return [UNKNOWN]
        found, end = ["##" * (start > 0) + word[start:end], *found], start
    return found or [UNKNOWN]


def inner_pieces_may_begin(word, vocab, longest=200):
    """A piece with or without ## is taken wherever it fits."""
    found, start = [], 0
    while start < len(word) <= longest:
        end = next((end for end in range(len(word), start, -1)
                    if word[start:end] in vocab or "##" + word[start:end] in vocab), None)
        if end is None:
            break
        text = word[start:end]
        found, start = [*found, text if text in vocab and not start or "##" + text not in vocab else "##" + text], end
    return found if start == len(word) else [UNKNOWN]


def in_lower_case(word, vocab, longest=200):
    return greedy()(word.lower(), vocab, longest)


PLAIN = greedy()
ENCODE = (
    Mistake("you take the shortest piece that fits. Take the longest: try the end of the word first.", greedy(longest_first=False)),
    Mistake("pieces inside a word are looked up without ##. From the second piece on, look up \"##\" + the letters.",
            greedy(mark="")),
    Mistake("pieces inside a word are returned without their ##. It belongs to the piece.",
            greedy(shown=lambda piece: piece.removeprefix("##"))),
    Mistake("when nothing fits, you return what was found so far, with [UNK] at the end. The whole word becomes one [UNK].",
            greedy(fails=lambda found, rest: [*found, UNKNOWN])),
    Mistake("when nothing fits, you return what was found so far. The whole word becomes [\"[UNK]\"].",
            greedy(fails=lambda found, rest: found)),
    Mistake("when nothing fits, you return an empty list. The whole word becomes [\"[UNK]\"].",
            greedy(fails=lambda found, rest: [])),
    Mistake("when nothing fits, you return the text \"[UNK]\"; return a list with it: [\"[UNK]\"].",
            greedy(fails=lambda found, rest: UNKNOWN)),
    Mistake("when nothing fits, the rest becomes a piece of its own. It is not in the vocabulary: return [\"[UNK]\"].",
            greedy(fails=lambda found, rest: [*found, "##" * bool(found) + rest])),
    Mistake("200 is written into your answer. Use the argument `longest`.", greedy(too_long=lambda word, longest: len(word) > 200)),
    Mistake("`longest` is ignored: a word of more letters than `longest` is [UNK] at once.",
            greedy(too_long=lambda word, longest: False)),
    Mistake("a word of exactly `longest` letters is still read. Only longer ones are [UNK].",
            greedy(too_long=lambda word, longest: len(word) >= longest)),
    Mistake("a word that is too long is cut. It becomes [\"[UNK]\"].", lambda word, vocab, longest=200:
            PLAIN(word[:longest], vocab, longest)),
    Mistake("`longest` limits the length of a piece in your answer. It limits the word: a longer one is [UNK] at once.",
            lambda word, vocab, longest=200: greedy(too_long=lambda *_: False)(word, {piece for piece in vocab if len(piece.removeprefix("##")) <= longest})),
    Mistake("a letter that fits no piece becomes [UNK] by itself. One such letter makes the whole word [\"[UNK]\"].",
            skipping(keep=True)),
    Mistake("a letter that fits no piece is passed over. One such letter makes the whole word [\"[UNK]\"].", skipping(keep=False)),
    Mistake("a single letter is never tried. The shortest piece has one letter: word[start:start + 1].", greedy(shortest=2)),
    Mistake("you search for another split where the greedy one gets stuck. WordPiece never goes back: the word becomes [UNK].",
            searching),
    Mistake("you begin at the end of the word. The match runs from left to right.", from_the_end),
    Mistake("a piece is taken with or without ##, whichever there is. The first piece has no ##, all others must have it.",
            inner_pieces_may_begin),
    Mistake("these are ids. Return the pieces, as strings; ids come in exercise 8.", lambda word, vocab, longest=200:
            [vocab[piece] for piece in PLAIN(word, vocab, longest)]),
    Mistake("the pieces are joined to one text. Return a list with one text a piece.", lambda word, vocab, longest=200:
            " ".join(PLAIN(word, vocab, longest))),
    Mistake("the word is lower-cased inside. That is done before, with the whole text; here look the letters up as they are.",
            in_lower_case),
)


# For `revealing_words`: what the test words are read with. Its notebook prints this vocabulary.
SMALL = ("h", "hu", "hug", "p", "pu", "hugg", "##u", "##g", "##s", "##gs", "##gy", "##ing", "u", "s")
BUGS = (
    ("takes the shortest piece that fits", greedy(longest_first=False)),
    ("looks pieces inside a word up without ##", greedy(mark="")),
    ("keeps what was found before it got stuck, and adds [UNK]", greedy(fails=lambda found, rest: [*found, UNKNOWN])),
    ("goes back and tries another split when it gets stuck", searching),
    ("begins at the end of the word", from_the_end),
    ("never tries a single letter", greedy(shortest=2)),
    ("lets a piece with ## begin a word", inner_pieces_may_begin),
)
MOST_WORDS = 6


def few_words(answer, rng):
    """`holds`: a list of 1 to MOST_WORDS texts."""
    __tracebackhide__ = True
    words = answer()
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        return "it should return a list of words, such as [\"hugs\", \"pug\"]."
    if not 1 <= len(words) <= MOST_WORDS:
        return f"it returns {len(words)} words; one to {MOST_WORDS} are allowed. Choose those that reveal most."
    return all(word.isalpha() for word in words) or "a word here has letters only: no spaces, no signs, and at least one letter."


def revealed(name, wrong):
    """An invariant: at least one of the student's words is split otherwise by this wrong tokenizer."""
    def holds(answer, rng):
        __tracebackhide__ = True
        vocab = dict.fromkeys(SMALL)
        return any(wrong(word, vocab) != PLAIN(word, vocab) for word in answer()) or (
            f"a tokenizer that {name} splits all your words as it should. Find a word that reveals it.")
    return Invariant(f"reveals one that {name}", holds)


REVEALED = tuple(revealed(name, wrong) for name, wrong in BUGS)


def ids_with(words_of, wrap=lambda ids, vocab: ids, match=PLAIN):
    """tokenize with one of its steps replaced."""
    def wrong(text, vocab):
        places = {piece: i for i, piece in enumerate(vocab)}
        return wrap([places[piece] for word in words_of(text) for piece in match(word, places)], vocab)
    return wrong


def right_words(text):
    return [word.text for word in BasicTokenizer().split(text)]


TOKENIZE = (
    Mistake("the text is split at spaces only. BasicTokenizer also lower-cases, strips accents and sets punctuation apart.",
            ids_with(str.split)),
    Mistake("the text is lower-cased and split at spaces only. BasicTokenizer also strips accents, sets punctuation apart, and "
            "ideographs.", ids_with(lambda text: text.lower().split())),
    Mistake("the words keep their capitals and accents. Take `word.text` from BasicTokenizer().split(text): its default is lower "
            "case.", ids_with(lambda text: [word.text for word in BasicTokenizer(lower_case=False).split(text)])),
    Mistake("these are the pieces. Return their ids: the place of each piece in `vocab`.", lambda text, vocab:
            WordPiece(vocab).encode(text).pieces),
    Mistake("[CLS] and [SEP] are around it already. pack_pair adds them; here return the ids of the text alone.",
            ids_with(right_words, lambda ids, vocab: [vocab.index("[CLS]"), *ids, vocab.index("[SEP]")])),
    Mistake("there is a list for each word. Return one list for the whole text.", lambda text, vocab:
            [WordPiece(vocab).encode_words([word]).ids for word in right_words(text)]),
    Mistake("the ids are those of the sorted vocabulary. A piece's id is its place in `vocab` as it is given.",
            lambda text, vocab: [sorted(vocab).index(piece) for piece in WordPiece(vocab).encode(text).pieces]),
    Mistake("the ids are counted from 1; the first piece has the id 0.", ids_with(right_words, lambda ids, vocab:
            [i + 1 for i in ids])),
    Mistake("words with an unknown piece are left out. They become [UNK], with its id.", ids_with(right_words, lambda ids, vocab:
            [i for i in ids if vocab[i] != UNKNOWN])),
    Mistake("the id of [UNK] is fixed in your answer. Look it up like any other piece.", ids_with(right_words, lambda ids, vocab:
            [1 if vocab[i] == UNKNOWN else i for i in ids])),
)
