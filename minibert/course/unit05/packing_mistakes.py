"""Test inputs, common mistakes and required properties for `pack_sentences`.

Liu et al. (2019, arXiv 1907.11692), section 4.2: FULL-SENTENCES and DOC-SENTENCES.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ..checks.compare import is_list
from ..checks.edits import edits
from ..checks.exercise import Invariant, Mistake

SEP = 3
Docs = list[list[list[int]]]
PLANS: tuple[tuple[list[list[int]], int], ...] = (  # sentence lengths of each document, room of a sequence
    ([[3, 2], [2, 3, 1], [1]], 8),  # a sequence that is exactly full
    ([[5], [3, 2], [4, 1, 1]], 8),  # a sentence that would fit without the separator
    ([[7], [1, 4], [2], [2], [3, 5]], 8),  # room for the separator only
    ([[6, 6], [6], [2, 3]], 6),  # sentences that fill a sequence
    ([[2], [3], [1]], 20),  # everything in one sequence
    ([[4]], 9),
    ([[1, 1, 1], [1, 1]], 1),
)


def documents(lengths: Iterable[Iterable[int]], first: int = 10) -> Docs:
    """Return documents whose sentences have the given lengths and consist of the ids first, first + 1, ..."""
    ids = itertools.count(first)
    return [[[next(ids) for _ in range(size)] for size in doc] for doc in lengths]


def drawn(rng: np.random.Generator, most: int = 7, count: int = 8) -> list[list[int]]:
    """Return `count` documents as lists of one to five random sentence lengths from 1 to `most`."""
    return [rng.integers(1, most + 1, size=int(rng.integers(1, 6))).tolist() for _ in range(count)]


def packing_cases(rng: np.random.Generator) -> list[tuple]:
    """Return arguments for `pack_sentences`, starting with the ones that reveal the most mistakes."""
    plans = [(drawn(rng), 17), (drawn(rng), 12), *PLANS, (drawn(rng, most=20, count=12), 64)]
    first, sep = int(rng.integers(200, 300)), int(rng.integers(3, 100))
    return [
        *(
            (documents(lengths, first), room, sep, cross)
            for lengths, room in plans
            for cross in (True, False)
        ),
        ([[[first]], [[first + 1]], [[first]]], 9, sep, True),  # two equal documents
    ]


def packed(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """Pack sentences into sequences of at most `room` tokens, as `pack_sentences` should."""
    sequences: list[list[int]] = []
    row: list[int] = []
    for doc in docs:
        for number, sentence in enumerate(doc):
            if row and number == 0 and not cross:
                sequences.append(row)
                row = []
            edge = [sep] if cross and row and number == 0 else []
            if row and len(row) + len(edge) + len(sentence) > room:
                sequences.append(row)
                row, edge = [], []
            row = row + edge + sentence
    return [*sequences, row]


def stream(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """Pack documents incorrectly, by cutting them into sequences of `room` tokens, even inside a sentence."""
    flat = [[*itertools.chain(*doc)] for doc in docs]
    if cross:
        flat = [[*itertools.chain(*([sep, *doc] for doc in flat))][1:]]
    return [doc[i : i + room] for doc in flat for i in range(0, len(doc), room)]


def first_fit(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """Pack documents incorrectly, by putting each sentence into the first sequence with enough space."""
    sequences: list[list[int]] = []
    for group in [docs] if cross else [[doc] for doc in docs]:
        begun: list[list[int]] = []
        for doc in group:
            for number, sentence in enumerate(doc):
                edge = number == 0 and cross and doc is not docs[0]
                place = next((row for row in begun if len(row) + edge + len(sentence) <= room), None)
                if place is None:
                    begun.append([*sentence])
                else:
                    place += [sep] * edge + sentence
        sequences += begun
    return sequences


PACKING = (
    *edits(
        packed,
        r"""
        $new = row and number == 0 and not cross
        $border = cross and row and number == 0
        $edge = [sep] if cross and row and number == 0 else []
        $length = len(row) + len(edge) + len(sentence)
        $close = row, edge = [], []

        you use `cross` the wrong way round. If it is True, let a sequence continue with the next document.
            return right(docs, room, sep, not cross)
        your sequences always continue with the next document. Begin a new sequence for each document if
        cross=False.
            $new => False
            $border => row and number == 0
        with cross=False, a sequence continues with the next document, without a separator. Begin a new
        sequence for each document.
            $new => False
        each document begins a new sequence. With cross=True, continue in the same sequence, after a
        separator.
            $new => row and number == 0
        there is no separator between documents. With cross=True, put `sep` before the first sentence of the
        next document.
            $edge => []
        you leave room for the separator but do not add it. Put it into the sequence.
            return [[token for token in row if token != sep] for row in result]
        there is a separator between all sentences. Put separators between documents only.
            $border => cross and row
        you put separators between the sentences of a document, even with cross=False. Put them only between
        two documents.
            $border => row
        some sequences begin with a separator. Leave it out if a document begins a new sequence.
            $close => row = []
        each document begins with a separator, even at the start of a sequence. Leave it out there.
            $border => cross and number == 0
            $close => row = []
        there is a separator after each document, even at the end of a sequence. Add it together with the next
        document's first sentence, if both fit.
            if $new: => row = row + [sep] * (cross and number == 0 and 0 < len(row) < room)\nif $new:
            $edge => []
            [*sequences, row] => [*sequences, row + [sep] * (cross and len(row) < room)]
        a sequence ends with a separator if the next document does not fit. Add it only together with the next
        document's first sentence.
            $close => sequences[-1] = row + edge * (len(row) < room)\n$close
        you do not count the separator, so a sequence can be one token too long. Add its length.
            $length => len(row) + len(sentence)
        you leave room for a separator before every sentence. It comes only before a document's first
        sentence.
            $length => len(row) + 1 + len(sentence)
        you close a sequence that the next sentence would fill exactly. A sequence may have up to `room`
        tokens.
            $length > room => $length >= room
        you leave two tokens free. Use all of `room`, which already excludes [CLS] and the last [SEP].
            $length > room => $length > room - 2
        the last sequence is missing. Add the open sequence to the list after the loop.
            [*sequences, row] => sequences
        a sentence that does not fit is lost. Begin the next sequence with it.
            $close => row = []\ncontinue
            [*sequences, row] => [*sequences, row] if row else sequences
        you close a sequence only when it is full or too long. Before you add a sentence, check whether it
        fits.
            $length > room => len(row) >= room
        each sentence becomes a separate sequence. Put as many sentences as fit into a sequence.
            row and $length > room => row
        a document that does not fit as a whole begins a new sequence. Put as many of its first sentences as
        fit into the open sequence.
            $new => row and number == 0 and (not cross or len(row) + 1 + sum(map(len, doc)) > room)
        a sequence is a list of sentences in your answer. Make it one flat list of ids.
            len(row) => sum(map(len, row))
            row = row + edge + sentence => row = [*row, *[[sep]] * len(edge), sentence]
        the first sequence is empty. Close a sequence only if it contains tokens.
            return [[], *result]
        """,
    ),
    Mistake(
        "some sequences end in the middle of a sentence. If a sentence no longer fits, begin the next "
        "sequence with it.",
        stream,
    ),
    Mistake(
        "the order of the sentences changes, because later ones fill gaps in earlier sequences. Keep one "
        "sequence open at a time.",
        first_fit,
    ),
)


def flat(parts: Iterable[Iterable]) -> list:
    return [*itertools.chain(*parts)]


def texts() -> list[tuple[Docs, int]]:
    """Return the test texts for the invariants as a list of (documents, maximum sequence length)."""
    more = drawn(np.random.default_rng(7), count=20)
    return [(documents(lengths), room) for lengths, room in (*PLANS, (more, 16))]


def each(holds: Callable) -> Callable:
    """Return a check of a student's function on multiple texts, with both values of `cross`.

    holds(sequences, docs, room, cross): checks one text, and returns True, False or a hint.
    """

    def for_all(answer, rng):
        __tracebackhide__ = True
        for (docs, room), cross in itertools.product(texts(), (True, False)):
            sequences = answer(docs, room, SEP, cross)
            said = holds([[int(token) for token in sequence] for sequence in sequences], docs, room, cross)
            if said is not True:
                return said
        return True

    return for_all


def lists_of_ids(answer: Callable, rng: np.random.Generator) -> bool | str:
    __tracebackhide__ = True
    for (docs, room), cross in itertools.product(texts(), (True, False)):
        got = answer(docs, room, SEP, cross)
        if not is_list(got) or not all(map(is_list, got)):
            return (
                f"you return a {type(got).__name__}. Return a list of sequences, each of which is a flat "
                "list of ids."
            )
        if any(is_list(token) for sequence in got for token in sequence):
            return "one of your sequences contains a list. Make each sequence one flat list of ids."
    return True


def in_order(sequences: list[list[int]], docs: Docs, room: int, cross: bool) -> bool:
    return [token for token in flat(sequences) if token != SEP] == flat(flat(docs))


def short_enough(sequences: list[list[int]], docs: Docs, room: int, cross: bool) -> bool | str:
    longest = max(map(len, sequences), default=0)
    return longest <= room or f"a sequence has {longest} tokens. Put at most room={room} tokens into each."


def whole(sequences: list[list[int]], docs: Docs, room: int, cross: bool) -> bool:
    ends = {sentence[-1] for doc in docs for sentence in doc} | {SEP}
    return all(not sequence or sequence[-1] in ends for sequence in sequences)


def separated(sequences: list[list[int]], docs: Docs, room: int, cross: bool) -> bool:
    document = {token: number for number, doc in enumerate(docs) for token in flat(doc)}

    def right(sequence: Sequence[int]) -> bool:
        parts = [[*group] for is_sep, group in itertools.groupby(sequence, lambda token: token == SEP)]
        numbers = [[document[token] for token in part] for part in parts[::2]]
        return (
            len(parts) % 2 == 1
            and parts[0] != [SEP]
            and all(part == [SEP] for part in parts[1::2])
            and all(len({*part}) == 1 for part in numbers)
            and all(a[0] != b[0] for a, b in itertools.pairwise(numbers))
        )

    return all(sequence and right(sequence) for sequence in sequences)


def full(sequences: list[list[int]], docs: Docs, room: int, cross: bool) -> bool:
    starts = {
        sentence[0]: (len(sentence), number == 0) for doc in docs for number, sentence in enumerate(doc)
    }
    for before, after in itertools.pairwise(sequences):
        size, start = starts[after[0]]
        if (cross or not start) and len(before) + size + start <= room:
            return False
    return True


PACKING_INVARIANTS = (
    Invariant("returns flat lists of ids", lists_of_ids),
    Invariant("each token of the text appears once, in the order of the text", each(in_order)),
    Invariant("no sequence is longer than `room`", each(short_enough)),
    Invariant("no sentence is split", each(whole)),
    Invariant("there is a separator between two documents in a sequence, and nowhere else", each(separated)),
    Invariant(
        "a new sequence begins only if the next sentence does not fit, or if a new "
        "document begins and cross=False",
        each(full),
    ),
)
