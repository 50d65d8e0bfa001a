"""Students' common mistakes in `wordpiece_encode`, which splits one word by greedy matching.

Wu et al. (2016, arXiv 1609.08144), section 4.1.
"""

from collections.abc import Container

from ..checks.edits import edits
from ..checks.exercise import Mistake

UNKNOWN = "[UNK]"


def greedy(word: str, vocab: Container[str], longest: int = 200) -> list[str]:
    """Return the tokens of a word, as `wordpiece_encode` should.

    The package's tokenizer is not used, because checks block it.
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
    """Return the first complete split of word[start:] into tokens, trying long tokens first, or None."""
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
    """Split a word into tokens from right to left, always taking the longest token that fits."""
    found: list[str] = []
    end = len(word)
    while end and len(word) <= longest:
        start = next((start for start in range(end) if "##" * (start > 0) + word[start:end] in vocab), None)
        if start is None:
            return [UNKNOWN]
        found, end = ["##" * (start > 0) + word[start:end], *found], start
    return found or [UNKNOWN]


def inner_pieces_may_begin(word: str, vocab: Container[str], longest: int = 200) -> list[str]:
    """Split a word into tokens, wrongly accepting tokens with or without ## at any position."""
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
you take the shortest token that fits. Take the longest: try the end of the word first.
    $ends => range(start + 1, len(word) + 1)
you look up tokens inside a word without ##. From the second token on, look up "##" followed by the letters.
    "##" if start else "" => ""
you return tokens inside a word without their ##. Keep the ##, which is part of the token.
    found.append($piece) => found.append(word[start:end])
if nothing fits, you return the tokens found so far, with [UNK] at the end. Return ["[UNK]"] for the
whole word.
    $fails => return [*found, UNKNOWN]
if nothing fits, you return the tokens found so far. Return ["[UNK]"] for the whole word.
    $fails => return found
if nothing fits, you return an empty list. Return ["[UNK]"] for the whole word.
    $fails => return []
if nothing fits, you return the string "[UNK]". Return a list that contains it: ["[UNK]"].
    $fails => return UNKNOWN
if nothing fits, you return the rest of the word as a token, although it is not in the vocabulary. Return
["[UNK]"] for the whole word.
    $fails => return [*found, mark + word[start:]]
200 is hard-coded in your answer. Use the argument `longest`.
    $long => len(word) > 200
you ignore `longest`. Return ["[UNK]"] for a word of more than `longest` characters.
    $long => False
you return [UNK] for a word of exactly `longest` characters. Return it only for longer words.
    $long => len(word) >= longest
you cut off a word that is too long. Return ["[UNK]"] for it.
    return right(word[:longest], vocab, longest)
you use `longest` as the maximum length of a token. Use it as the maximum length of the word, and return
["[UNK]"] for a longer word.
    $long => False
    $ends => range(min(len(word), start + longest), start, -1)
you return [UNK] for a single letter that has no token. Return ["[UNK]"] for the whole word.
    $fails => start, found = start + 1, [*found, UNKNOWN]\\ncontinue
    or
    $fails => start, found = start + 1, [*found, UNKNOWN]\\ncontinue
    $long => False
you skip a letter that has no token. Return ["[UNK]"] for the whole word.
    $fails => start += 1\\ncontinue
    or
    $fails => start += 1\\ncontinue
    $long => False
you never try a single letter. Try it last, if no longer token fits.
    $ends => range(len(word), start + 1, -1)
""",
    ),
    Mistake(
        "you search for another split if the greedy split gets stuck. WordPiece never goes back: return "
        '["[UNK]"].',
        searching,
    ),
    Mistake("you start at the end of the word. Match from left to right.", from_the_end),
    Mistake(
        "you take a token with or without ##, whichever exists. Take the first token without ##, and all "
        "others with ##.",
        inner_pieces_may_begin,
    ),
    *edits(
        greedy,
        PIECES
        + """
you return ids. Return the tokens as strings; ids come in exercise 9.
    return [vocab[piece] for piece in result]
    or
    return [vocab[piece] for piece in result] if len(word) <= longest else result
you join the tokens into one string. Return a list with one string per token.
    return " ".join(result)
    or
    return " ".join(result) if len(word) <= longest else result
a long word becomes [UNK], although it has at most `longest` characters. Compare its length with `longest`
only.
    $long => len(word) > min(longest, {20 | 30 | 50 | 64 | 100 | 128})
you cut off a long word, although it has at most `longest` characters. Split the whole word.
    return right(word[:{20 | 30 | 50 | 64 | 100 | 128}], vocab, longest)
you never try long tokens. Try every end, starting with the end of the word.
    $ends => range(min(len(word), start + {2 | 3 | 4 | 5 | 6 | 8 | 10 | 12 | 15 | 16 | 20 | 30}), start, -1)
you changed the default of `longest`. Leave it at 200.
    longest: int = 200 => longest: int = {201 | 256 | 300 | 512}
you skip the token with the id 0, because 0 counts as False. Test whether the token is in the vocabulary.
    if $piece in vocab => if vocab.get($piece)
you return [UNK] for a word with characters other than letters. Look up its tokens like any others.
    $long => $long or not word.isalpha()
you return a word of a single letter as it is. Return ["[UNK]"] if it is not in the vocabulary.
    return [word] if len(word) == 1 else result
you look up only the second token with ##. Look up all tokens except the first with ##.
    "##" if start => "##" if len(found) == 1
you return a token only once if it occurs twice. Return every token, in order.
    return [*dict.fromkeys(result)]
you compare `longest` with the number of bytes. Compare it with the number of characters.
    $long => len(word.encode()) > longest
you lowercase the word, which is done earlier, for the whole text. Look up the letters as they are.
    return right(word.lower(), vocab, longest)
""",
    ),
)
