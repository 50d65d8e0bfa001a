"""Known mistakes about `wordpiece_encode`, the greedy match of one word.

Wu et al. (2016, arXiv 1609.08144), section 4.1.
"""

from collections.abc import Callable, Container

from ..checks.exercise import Mistake

UNKNOWN = "[UNK]"


def greedy(
    longest_first: bool = True,
    mark: str = "##",
    shown: Callable = str,
    fails: Callable = lambda found, rest: [UNKNOWN],
    shortest: int = 1,
    whole: Callable = lambda found: found,
    too_long: Callable = lambda word, longest: len(word) > longest,
) -> Callable:
    """Build the greedy match with some of its steps replaced.

    fails: the result for a rest that no piece fits; shortest: the least number of letters of a piece.
    """

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


def skipping(keep: bool) -> Callable:
    """Build a match that skips a letter which fits no piece; keep: it leaves [UNK] behind."""

    def wrong(word, vocab, longest=200):
        found, start = [], 0
        while start < len(word):
            prefix = "##" if start else ""
            end = next(
                (end for end in range(len(word), start, -1) if prefix + word[start:end] in vocab), None
            )
            found += [prefix + word[start:end]] if end else [UNKNOWN] * keep
            start = end or start + 1
        return found

    return wrong


def best_split(word: str, vocab: Container[str], start: int = 0) -> list[str] | None:
    """The first split of the word that works, with the longest pieces tried first, or None."""
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


def in_lower_case(word: str, vocab: Container[str], longest: int = 200) -> list[str]:
    return greedy()(word.lower(), vocab, longest)


def second_only(word: str, vocab: Container[str], longest: int = 200) -> list[str]:
    """Match with ## for the second piece, and without it for all others."""
    found: list[str] = []
    start = 0
    while start < len(word) <= longest:
        mark = "##" if len(found) == 1 else ""
        end = next((end for end in range(len(word), start, -1) if mark + word[start:end] in vocab), None)
        if end is None:
            return [UNKNOWN]
        found, start = [*found, mark + word[start:end]], end
    return found or [UNKNOWN]


PLAIN = greedy()
ENCODE = (
    Mistake(
        "you take the shortest piece that fits. Take the longest: try the end of the word first.",
        greedy(longest_first=False),
    ),
    Mistake(
        'pieces inside a word are looked up without ##. From the second piece on, look up "##" + the '
        "letters.",
        greedy(mark=""),
    ),
    Mistake(
        "pieces inside a word are returned without their ##. It belongs to the piece.",
        greedy(shown=lambda piece: piece.removeprefix("##")),
    ),
    Mistake(
        "when nothing fits, you return what was found so far, with [UNK] at the end. The whole word "
        "becomes one [UNK].",
        greedy(fails=lambda found, rest: [*found, UNKNOWN]),
    ),
    Mistake(
        'when nothing fits, you return what was found so far. The whole word becomes ["[UNK]"].',
        greedy(fails=lambda found, rest: found),
    ),
    Mistake(
        'when nothing fits, you return an empty list. The whole word becomes ["[UNK]"].',
        greedy(fails=lambda found, rest: []),
    ),
    Mistake(
        'when nothing fits, you return the text "[UNK]"; return a list with it: ["[UNK]"].',
        greedy(fails=lambda found, rest: UNKNOWN),
    ),
    Mistake(
        "when nothing fits, the rest becomes a piece of its own. It is not in the vocabulary: return "
        '["[UNK]"].',
        greedy(fails=lambda found, rest: [*found, "##" * bool(found) + rest]),
    ),
    Mistake(
        "200 is written into your answer. Use the argument `longest`.",
        greedy(too_long=lambda word, longest: len(word) > 200),
    ),
    Mistake(
        "`longest` is ignored: a word of more letters than `longest` is [UNK] at once.",
        greedy(too_long=lambda word, longest: False),
    ),
    Mistake(
        "a word of exactly `longest` letters is still read. Only longer ones are [UNK].",
        greedy(too_long=lambda word, longest: len(word) >= longest),
    ),
    Mistake(
        'a word that is too long is cut. It becomes ["[UNK]"].',
        lambda word, vocab, longest=200: PLAIN(word[:longest], vocab, longest),
    ),
    Mistake(
        "`longest` limits the length of a piece in your answer. It limits the word: a longer one is "
        "[UNK] at once.",
        lambda word, vocab, longest=200: greedy(too_long=lambda *_: False)(
            word, {piece for piece in vocab if len(piece.removeprefix("##")) <= longest}
        ),
    ),
    Mistake(
        "a letter that fits no piece becomes [UNK] by itself. One such letter makes the whole word "
        '["[UNK]"].',
        skipping(keep=True),
    ),
    Mistake(
        'a letter that fits no piece is passed over. One such letter makes the whole word ["[UNK]"].',
        skipping(keep=False),
    ),
    Mistake(
        "a single letter is never tried. The shortest piece has one letter: word[start:start + 1].",
        greedy(shortest=2),
    ),
    Mistake(
        "you search for another split where the greedy one gets stuck. WordPiece never goes back: the "
        "word becomes [UNK].",
        searching,
    ),
    Mistake("you begin at the end of the word. The match runs from left to right.", from_the_end),
    Mistake(
        "a piece is taken with or without ##, whichever there is. The first piece has no ##, all others "
        "must have it.",
        inner_pieces_may_begin,
    ),
    Mistake(
        "these are ids. Return the pieces, as strings; ids come in exercise 9.",
        lambda word, vocab, longest=200: [vocab[piece] for piece in PLAIN(word, vocab, longest)],
    ),
    Mistake(
        "the pieces are joined to one text. Return a list with one text per piece.",
        lambda word, vocab, longest=200: " ".join(PLAIN(word, vocab, longest)),
    ),
    *(
        Mistake(
            "a word that is long becomes [UNK], though it has at most `longest` letters. Only `longest` "
            "decides.",
            greedy(too_long=lambda word, longest, limit=limit: len(word) > min(limit, longest)),
        )
        for limit in (20, 30, 50, 64, 100, 128)
    ),
    *(
        Mistake(
            "a long word is cut, though it has at most `longest` letters. Read it to its end.",
            lambda word, vocab, longest=200, limit=limit: PLAIN(word[:limit], vocab, longest),
        )
        for limit in (20, 30, 50, 64, 100, 128)
    ),
    *(
        Mistake(
            "long pieces are never tried. Try every end, beginning with that of the word.",
            lambda word, vocab, longest=200, limit=limit: PLAIN(
                word, {piece for piece in vocab if len(piece.removeprefix("##")) <= limit}, longest
            ),
        )
        for limit in (2, 3, 4, 5, 6, 8, 10, 12, 15, 16, 20, 30)
    ),
    *(
        Mistake(
            "without the argument `longest`, a word may have 200 letters: leave the default as it is.",
            lambda word, vocab, longest=default: PLAIN(word, vocab, longest),
        )
        for default in (20, 50, 100, 128, 199, 201, 256, 300, 512)
    ),
    Mistake(
        "the piece with the id 0 is passed over: 0 counts as False. Ask `piece in vocab`.",
        lambda word, vocab, longest=200: PLAIN(word, {piece for piece in vocab if vocab[piece]}, longest),
    ),
    Mistake(
        "a word of other characters than letters is [UNK] in your answer. Look up its pieces like any "
        "others.",
        lambda word, vocab, longest=200: PLAIN(word, vocab, longest) if word.isalpha() else [UNKNOWN],
    ),
    Mistake(
        "a word of a single letter is returned as it is. If the vocabulary lacks it, it is [UNK] too.",
        lambda word, vocab, longest=200: [word] if len(word) == 1 else PLAIN(word, vocab, longest),
    ),
    Mistake("only the second piece is looked up with ##. All pieces but the first have it.", second_only),
    Mistake(
        "a piece that comes twice is returned once. Return every piece, in order.",
        lambda word, vocab, longest=200: [*dict.fromkeys(PLAIN(word, vocab, longest))],
    ),
    Mistake(
        "`longest` counts bytes in your answer; it counts characters: len(word).",
        greedy(too_long=lambda word, longest: len(word.encode()) > longest),
    ),
    Mistake(
        "the word is lower-cased inside. That is done before, with the whole text; here look the letters "
        "up as they are.",
        in_lower_case,
    ),
)
