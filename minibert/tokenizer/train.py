"""WordPiece training: start with characters, and repeatedly merge the best pair of adjacent pieces.

Schuster and Nakajima (2012, "Japanese and Korean voice search"), section 3; Sennrich et al. (2016, arXiv
1508.07909), section 3.2, for merging the most frequent pair. Google never published its code for training
BERT's vocabulary, so both scores below follow descriptions of it.
"""

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping

from ..data.batch import SPECIAL_TOKENS
from .basic import BasicTokenizer, is_cjk, is_punctuation
from .wordpiece import CONTINUES

PairScore = Callable[[int, int, int], float]  # arguments: counts of a pair, its left and its right piece

SCORES: dict[str, PairScore] = {
    # the count of the pair: byte-pair encoding, and what the `tokenizers` library calls WordPiece
    "frequency": lambda pair, left, right: pair,
    # how much more often the pair occurs than by chance: WordPiece as it is commonly described
    "likelihood": lambda pair, left, right: pair / (left * right),
}


def count_words(texts: Iterable[str], lower_case: bool = True) -> Counter[str]:
    """Count the words in texts, as split by BasicTokenizer.

    >>> count_words(["Hug a pug.", "A hug!"]).most_common(2)
    [('hug', 2), ('a', 2)]
    """
    chunks: Counter[str] = Counter()  # words repeat, so each distinct run of characters is split only once
    for text in texts:
        chunks.update(re.findall(r"[^ \t\r\n]+", text))
    basic, counts = BasicTokenizer(lower_case), Counter[str]()
    for chunk, count in chunks.items():
        for word in basic.split(chunk):
            counts[word.text] += count
    return counts


def train_wordpiece(counts: Mapping[str, int], vocab_size: int, score: str = "frequency") -> list[str]:
    """Train a vocabulary: the special tokens, the alphabet, then the merged pieces in the order of merging.

    counts: a dict that maps each word to its number of occurrences. score: "frequency" or "likelihood" (which
    first merges rare characters that always occur together). The pair with the best score is merged; in a
    tie, the first in sorted order (by code points, so ## comes before letters). The vocabulary is smaller
    than `vocab_size` if each word has become one piece. Raises ValueError if there are no words, if the score
    is unknown, or if `vocab_size` is too small for the alphabet.

    >>> train_wordpiece({"hug": 10, "pug": 5, "hugs": 5}, 20)[15:]
    ['##ug', 'hug', 'hugs', 'pug']
    """
    if score not in SCORES:
        raise ValueError(f"score {score!r} is not one of {', '.join(SCORES)}")
    counts = {word: count for word, count in counts.items() if word and count}
    if not counts:
        raise ValueError("there are no words to train on: the corpus is empty")
    vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
    if vocab_size < len(vocab):
        raise ValueError(
            f"vocab_size={vocab_size} is too small: {len(SPECIAL_TOKENS)} special tokens and an "
            f"alphabet of {len(vocab) - len(SPECIAL_TOKENS)} pieces need at least {len(vocab)}"
        )
    known, pairs = set(vocab), Pairs(counts, SCORES[score])
    while len(vocab) < vocab_size:
        best = pairs.best()
        if best is None:
            break
        piece = pairs.merge(*best)
        if piece not in known:  # the # signs of a text can spell a known piece: ## + ##a is ##a
            known.add(piece)
            vocab.append(piece)
    return vocab


def spell(word: str) -> list[str]:
    """Split a word into its characters: "hug" becomes h ##u ##g."""
    return [CONTINUES * (i > 0) + c for i, c in enumerate(word)]


def glue(left: str, right: str) -> str:
    """Merge two pieces: "##u" and "##g" become ##ug."""
    return left + right.removeprefix(CONTINUES)


def alphabet(counts: Iterable[str]) -> list[str]:
    """Return the sorted one-character pieces that begin a word, then those that continue one.

    Each character gets both forms, no matter where it occurred, so that no word of known characters is [UNK].
    Punctuation and ideographs, which the basic tokenizer isolates, are exceptions.
    """
    characters = {c for word in counts for c in word}
    continuing = {c for word in counts for c in word[1:]}
    continuing |= {c for c in characters if not is_punctuation(c) and not is_cjk(c)}
    return sorted(characters) + [CONTINUES + c for c in sorted(continuing)]


Pair = tuple[str, str]


class Pairs:
    """The counts of all pairs of adjacent pieces; a merge updates only the words that it changes.

    spell: splits a word into its first pieces; glue: merges two pieces into one. A heap holds (-score, pair),
    with the best pair first. If a score changes, a new entry is pushed, and outdated entries are skipped.
    """

    def __init__(
        self,
        counts: Mapping[str, int],
        score: PairScore,
        spell: Callable[[str], list[str]] = spell,
        glue: Callable[[str, str], str] = glue,
    ):
        self.words, self.times = [spell(word) for word in counts], list(counts.values())
        self.score, self.glue = score, glue
        self.pieces: Counter[str] = Counter()  # how often each piece occurs in the corpus
        self.pairs: Counter[Pair] = Counter()
        self.where: defaultdict[Pair, set[int]] = defaultdict(set)  # pair -> words that contain it
        self.partners: defaultdict[str, set[Pair]] = defaultdict(set)  # piece -> pairs that contain it
        self.heap: list[tuple[float, Pair]] = []
        self.newest: dict[Pair, float | None] = {}  # pair -> its current -score
        for index in range(len(self.words)):
            self.count(index, +1)
        self.rank(self.pairs)

    def count(self, index: int, sign: int) -> None:
        """Add the pieces and pairs of word `index` to the counts (sign +1), or subtract them (sign -1)."""
        word, times = self.words[index], sign * self.times[index]
        for piece in word:
            self.pieces[piece] += times
        for pair in zip(word, word[1:]):
            self.pairs[pair] += times
            (self.where[pair].add if sign > 0 else self.where[pair].discard)(index)
            self.partners[pair[0]].add(pair)
            self.partners[pair[1]].add(pair)

    def rank(self, pairs: Iterable[Pair]) -> None:
        """Update the scores of these pairs; a pair that no longer occurs gets None."""
        for pair in pairs:
            left, right = pair
            low = (
                -self.score(self.pairs[pair], self.pieces[left], self.pieces[right])
                if self.pairs[pair]
                else None
            )
            if self.newest.get(pair) != low:
                self.newest[pair] = low
                if low is not None:
                    heapq.heappush(self.heap, (low, pair))

    def best(self) -> Pair | None:
        """Return the pair with the best score, or None if there are no pairs."""
        while self.heap:
            low, pair = heapq.heappop(self.heap)
            if self.newest[pair] == low:
                return pair
        return None

    def merge(self, left: str, right: str) -> str:
        """Merge a pair in every word that contains it, and return the new piece."""
        piece = self.glue(left, right)
        for index in sorted(self.where[left, right]):
            self.count(index, -1)
            self.words[index] = merge_in(self.words[index], left, right, piece)
            self.count(index, +1)
        self.rank(self.partners[left] | self.partners[right] | self.partners[piece])
        return piece


def merge_in(word: list[str], left: str, right: str, piece: str) -> list[str]:
    """Replace each adjacent `left`, `right` in a word by `piece`, from left to right.

    >>> merge_in(["a", "##b", "##a", "##b"], "##a", "##b", "##ab")
    ['a', '##b', '##ab']
    """
    merged, i = [], 0
    while i < len(word):
        found = word[i : i + 2] == [left, right]
        merged.append(piece if found else word[i])
        i += 1 + found
    return merged
