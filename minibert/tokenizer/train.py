"""Make a WordPiece vocabulary: start from characters, and join the best pair of neighbours again and again.

Schuster and Nakajima (2012, "Japanese and Korean voice search"), section 3; Sennrich et al. (2016, arXiv
1508.07909), section 3.2, for joining the most frequent pair. `wordpiece` only uses a vocabulary; this file
makes one. Google never published the trainer behind BERT's vocabulary, so both scores below are readings of
what is told about it.
"""
import heapq
import re
from collections import Counter, defaultdict

from ..batch import SPECIAL_TOKENS
from .basic import BasicTokenizer, is_cjk, is_punctuation
from .wordpiece import CONTINUES

SCORES = {
    # how often the pair occurs: byte-pair encoding, and what the `tokenizers` library does under the name
    # WordPiece
    "frequency": lambda pair, left, right: pair,
    # how much oftener than if its parts met by chance: WordPiece as commonly described
    "likelihood": lambda pair, left, right: pair / (left * right),
}


def count_words(texts, lower_case=True):
    """How often each word occurs in an iterable of texts, as BasicTokenizer splits them: Counter of str.

    >>> count_words(["Hug a pug.", "A hug!"]).most_common(2)
    [('hug', 2), ('a', 2)]
    """
    chunks = Counter()  # most words come again and again: each distinct run of characters is split only once
    for text in texts:
        chunks.update(re.findall(r"[^ \t\r\n]+", text))
    basic, counts = BasicTokenizer(lower_case), Counter()
    for chunk, count in chunks.items():
        for word in basic.split(chunk):
            counts[word.text] += count
    return counts


def train_wordpiece(counts, vocab_size, score="frequency"):
    """The vocabulary, a list of pieces: the special tokens, the alphabet, then the joined pieces in order of
    joining.

    counts: word -> how often it occurs. score: "frequency" or "likelihood" (see SCORES; the second joins rare
    characters that always stand together first). The better score wins; among equals, the pair that sorts
    first (by code points, so ## before letters): the same counts give the same pieces on every machine. The
    list is shorter than `vocab_size` when every word has become one piece. Raises ValueError for no words, an
    unknown score, or less room than the alphabet needs.

    >>> train_wordpiece({"hug": 10, "pug": 5, "hugs": 5}, 20)[15:]
    ['##ug', 'hug', 'hugs', 'pug']
    """
    if score not in SCORES:
        raise ValueError(f"score {score!r} is not one of {', '.join(SCORES)}")
    counts = {word: count for word, count in counts.items() if word and count}
    if not counts:
        raise ValueError("0 words to train on: the corpus is empty")
    vocab = [*SPECIAL_TOKENS, *alphabet(counts)]
    if vocab_size < len(vocab):
        raise ValueError(
            f"vocab_size={vocab_size} is too small: {len(SPECIAL_TOKENS)} special tokens and an alphabet "
                         f"of {len(vocab) - len(SPECIAL_TOKENS)} pieces need at least {len(vocab)}")
    known, pairs = set(vocab), Pairs(counts, SCORES[score])
    while len(vocab) < vocab_size:
        best = pairs.best()
        if best is None:
            break
        piece = pairs.join(*best)
        if piece not in known:  # the # signs of a text can spell a piece that is there: ## + ##a is ##a
            known.add(piece)
            vocab.append(piece)
    return vocab


def spell(word):
    """A word as its characters: "hug" is h ##u ##g."""
    return [CONTINUES * (i > 0) + c for i, c in enumerate(word)]


def glue(left, right):
    """Two pieces as one: "##u" and "##g" is ##ug."""
    return left + right.removeprefix(CONTINUES)


def alphabet(counts):
    """The pieces of one character: those that open a word, then those that go on, each sorted.

    A character has both forms, wherever it was seen, so that no word of known characters is [UNK]; but
    punctuation and ideographs, which the basic tokenizer sets apart, have the second only where a word of
    `counts` needs it.
    """
    characters = {c for word in counts for c in word}
    continuing = {c for word in counts for c in word[1:]}
    continuing |= {c for c in characters if not is_punctuation(c) and not is_cjk(c)}
    return sorted(characters) + [CONTINUES + c for c in sorted(continuing)]


class Pairs:
    """All neighbouring pieces, counted; a join recounts only the words it changes, and the scores that move
    with them.

    spell: a word to its first pieces; glue: two pieces to one. A heap holds (-score, pair), the best first. A
    score that changes gets a new entry; old ones are passed over.
    """

    def __init__(self, counts, score, spell=spell, glue=glue):
        self.words, self.times = [spell(word) for word in counts], list(counts.values())
        self.score, self.glue = score, glue
        self.pieces, self.pairs = Counter(), Counter()  # how often each occurs in the corpus
        # pair -> its words; piece -> its pairs
        self.where, self.partners = defaultdict(set), defaultdict(set)
        self.heap, self.newest = [], {}  # entries; pair -> its valid -score
        for index in range(len(self.words)):
            self.count(index, +1)
        self.rank(self.pairs)

    def count(self, index, sign):
        """Add a word's pieces and pairs to the counts, or take them away."""
        word, times = self.words[index], sign * self.times[index]
        for piece in word:
            self.pieces[piece] += times
        for pair in zip(word, word[1:]):
            self.pairs[pair] += times
            (self.where[pair].add if sign > 0 else self.where[pair].discard)(index)
            self.partners[pair[0]].add(pair)
            self.partners[pair[1]].add(pair)

    def rank(self, pairs):
        """Give each of these pairs the score it has now; a pair that is gone has None."""
        for pair in pairs:
            left, right = pair
            low = -self.score(self.pairs[pair], self.pieces[left],
                              self.pieces[right]) if self.pairs[pair] else None
            if self.newest.get(pair) != low:
                self.newest[pair] = low
                if low is not None:
                    heapq.heappush(self.heap, (low, pair))

    def best(self):
        """The pair with the best score, or None when no pair is left."""
        while self.heap:
            low, pair = heapq.heappop(self.heap)
            if self.newest[pair] == low:
                return pair
        return None

    def join(self, left, right):
        """Make one piece of a pair, in every word that has it. Returns the piece."""
        piece = self.glue(left, right)
        for index in sorted(self.where[left, right]):
            self.count(index, -1)
            self.words[index] = join_in(self.words[index], left, right, piece)
            self.count(index, +1)
        self.rank(self.partners[left] | self.partners[right] | self.partners[piece])
        return piece


def join_in(word, left, right, piece):
    """The pieces of a word with `left`, `right` replaced by `piece`, from left to right.

    >>> join_in(["a", "##b", "##a", "##b"], "##a", "##b", "##ab")
    ['a', '##b', '##ab']
    """
    joined, i = [], 0
    while i < len(word):
        found = word[i:i + 2] == [left, right]
        joined.append(piece if found else word[i])
        i += 1 + found
    return joined
