"""Known mistakes about `wordpiece_encode`, the greedy match of one word.

Wu et al. (2016, arXiv 1609.08144), section 4.1.
"""

from collections.abc import Container

from ..checks.edits import edits
from ..checks.exercise import Mistake

UNKNOWN = "[UNK]"


def greedy(word: str, vocab: Container[str], longest: int = 200) -> list[str]:
    """Return what `wordpiece_encode` should.

    It does not use the package's own tokenizer, which must stay unusable where this function is lent.
    """
    if len(word) > longest:
        return [UNKNOWN]
    found, start = [], 0
    while start < len(word):
        mark = "##" if start else ""
        ends = range(len(word), start, -1)
        end = next((end for end in ends if mark + word[start:end] in vocab), None)
        if end is None:
            return [UNKNOWN]  # nothing fits
        found.append(mark + word[start:end])
        start = end
    return found


def best_split(word: str, vocab: Container[str], start: int = 0) -> list[str] | None:
    """Return the first split of the word that works, with the longest pieces tried first, or None."""
    if start == len(word):
        return []
    for end in range(len(word), start, -1):
        piece = "##" * (start > 0) + word[start:end]
        rest = best_split(word, vocab, end) if piece in vocab else None
        if rest is not None:
            return [piece, *rest]
    return None


def searching(word: str, vocab: Container[str], longest: int = 200) -> list[str]:
    return [UNKNOWN] if len(word) > longest else best_split(word, vocab) or [UNKNOWN]


def from_the_end(word: str, vocab: Container[str], longest: int = 200) -> list[str]:
    """Match the longest piece at the end of the word, again and again."""
    found: list[str] = []
    end = len(word)
    while end and len(word) <= longest:
        start = next((start for start in range(end) if "##" * (start > 0) + word[start:end] in vocab), None)
        if start is None:
            return [UNKNOWN]
        found, end = ["##" * (start > 0) + word[start:end], *found], start
    return found or [UNKNOWN]


def inner_pieces_may_begin(word: str, vocab: Container[str], longest: int = 200) -> list[str]:
    """Match a piece with or without ##, wherever it fits."""
    found: list[str] = []
    start = 0
    while start < len(word) <= longest:
        end = next(
            (
                end
                for end in range(len(word), start, -1)
                if word[start:end] in vocab or "##" + word[start:end] in vocab
            ),
            None,
        )
        if end is None:
            break
        text = word[start:end]
        found, start = (
            [*found, text if text in vocab and not start or "##" + text not in vocab else "##" + text],
            end,
        )
    return found if start == len(word) else [UNKNOWN]


PIECES = """
$long = len(word) > longest
$ends = range(len(word), start, -1)
$fails = return [UNKNOWN]  # nothing fits
$piece = mark + word[start:end]
"""

ENCODE = (
    *edits(
        greedy,
        PIECES
        + """
you take the shortest piece that fits. Take the longest: try the end of the word first.
    $ends => range(start + 1, len(word) + 1)
pieces inside a word are looked up without ##. From the second piece on, look up "##" + the letters.
    "##" if start else "" => ""
pieces inside a word are returned without their ##. It belongs to the piece.
    found.append($piece) => found.append(word[start:end])
when nothing fits, you return what was found so far, with [UNK] at the end. The whole word becomes one [UNK].
    $fails => return [*found, UNKNOWN]
when nothing fits, you return what was found so far. The whole word becomes ["[UNK]"].
    $fails => return found
when nothing fits, you return an empty list. The whole word becomes ["[UNK]"].
    $fails => return []
when nothing fits, you return the text "[UNK]"; return a list with it: ["[UNK]"].
    $fails => return UNKNOWN
when nothing fits, the rest becomes a piece of its own. It is not in the vocabulary: return ["[UNK]"].
    $fails => return [*found, mark + word[start:]]
200 is written into your answer. Use the argument `longest`.
    $long => len(word) > 200
`longest` is ignored: a word of more letters than `longest` is [UNK] at once.
    $long => False
a word of exactly `longest` letters is still read. Only longer ones are [UNK].
    $long => len(word) >= longest
a word that is too long is cut. It becomes ["[UNK]"].
    return right(word[:longest], vocab, longest)
`longest` limits the length of a piece in your answer. It limits the word: a longer one is [UNK] at once.
    $long => False
    $ends => range(min(len(word), start + longest), start, -1)
a letter that fits no piece becomes [UNK] by itself. One such letter makes the whole word ["[UNK]"].
    $fails => start, found = start + 1, [*found, UNKNOWN]\\ncontinue
a letter that fits no piece is passed over. One such letter makes the whole word ["[UNK]"].
    $fails => start += 1\\ncontinue
a single letter is never tried. The shortest piece has one letter: word[start:start + 1].
    $ends => range(len(word), start + 1, -1)
""",
    ),
    Mistake(
        "you search for another split where the greedy one gets stuck. WordPiece never goes back: the word "
        "becomes [UNK].",
        searching,
    ),
    Mistake("you begin at the end of the word. The match runs from left to right.", from_the_end),
    Mistake(
        "a piece is taken with or without ##, whichever there is. The first piece has no ##, all others must "
        "have it.",
        inner_pieces_may_begin,
    ),
    *edits(
        greedy,
        PIECES
        + """
these are ids. Return the pieces, as strings; ids come in exercise 9.
    return [vocab[piece] for piece in result]
the pieces are joined to one text. Return a list with one text per piece.
    return " ".join(result)
a word that is long becomes [UNK], though it has at most `longest` letters. Only `longest` decides.
    $long => len(word) > min(longest, {20 | 30 | 50 | 64 | 100 | 128})
a long word is cut, though it has at most `longest` letters. Read it to its end.
    return right(word[:{20 | 30 | 50 | 64 | 100 | 128}], vocab, longest)
long pieces are never tried. Try every end, beginning with that of the word.
    $ends => range(min(len(word), start + {2 | 3 | 4 | 5 | 6 | 8 | 10 | 12 | 15 | 16 | 20 | 30}), start, -1)
without the argument `longest`, a word may have 200 letters: leave the default as it is.
    longest: int = 200 => longest: int = {201 | 256 | 300 | 512}
the piece with the id 0 is passed over: 0 counts as False. Ask `piece in vocab`.
    if $piece in vocab => if vocab.get($piece)
a word of other characters than letters is [UNK] in your answer. Look up its pieces like any others.
    $long => $long or not word.isalpha()
a word of a single letter is returned as it is. If the vocabulary lacks it, it is [UNK] too.
    return [word] if len(word) == 1 else result
only the second piece is looked up with ##. All pieces but the first have it.
    "##" if start => "##" if len(found) == 1
a piece that comes twice is returned once. Return every piece, in order.
    return [*dict.fromkeys(result)]
`longest` counts bytes in your answer; it counts characters: len(word).
    $long => len(word.encode()) > longest
the word is lower-cased inside. That is done before, with the whole text; here look the letters up as they
are.
    return right(word.lower(), vocab, longest)
""",
    ),
)
