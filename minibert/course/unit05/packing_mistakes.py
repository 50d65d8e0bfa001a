"""Inputs, known mistakes and invariants of `pack_sentences`.

Liu et al. (2019, arXiv 1907.11692), section 4.2: FULL-SENTENCES and DOC-SENTENCES.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from minibert.data import formats

from ..checks.compare import is_list
from ..checks.exercise import Invariant, Mistake

SEP = 3
Docs = list[list[list[int]]]
PLANS: tuple[tuple[list[list[int]], int], ...] = (  # lengths of the sentences of each document, room
    ([[3, 2], [2, 3, 1], [1]], 8),  # a sequence that is full to the last token
    ([[5], [3, 2], [4, 1, 1]], 8),  # a sentence that would fit without the separator
    ([[7], [1, 4], [2], [2], [3, 5]], 8),  # room for the separator alone
    ([[6, 6], [6], [2, 3]], 6),  # sentences that fill a sequence
    ([[2], [3], [1]], 20),  # everything in one sequence
    ([[4]], 9),
    ([[1, 1, 1], [1, 1]], 1),
)


def documents(lengths: Iterable[Iterable[int]], first: int = 10) -> Docs:
    """Documents with sentences of these lengths; all their ids differ, and none is SEP."""
    ids = itertools.count(first)
    return [[[next(ids) for _ in range(size)] for size in doc] for doc in lengths]


def drawn(rng: np.random.Generator, most: int = 7, count: int = 8) -> list[list[int]]:
    """Lengths of sentences, in documents of one to five."""
    return [rng.integers(1, most + 1, size=int(rng.integers(1, 6))).tolist() for _ in range(count)]


def packing_cases(rng: np.random.Generator) -> list[tuple]:
    """Both formats of each text, beginning with texts on which most mistakes show."""
    plans = [(drawn(rng), 17), (drawn(rng), 12), *PLANS, (drawn(rng, most=20, count=12), 64)]
    first, sep = int(rng.integers(200, 300)), int(rng.integers(3, 100))
    return [
        (documents(lengths, first), room, sep, cross) for lengths, room in plans for cross in (True, False)
    ]


def fits(used: int, border: int, size: int, room: int) -> bool:
    return used + border + size <= room


def packer(
    fits: Callable = fits,
    border: Callable = lambda used, start, cross: cross and used and start,
    new: Callable = lambda cross, start: start and not cross,
    kept: bool = False,
    last: bool = True,
) -> Callable:
    """Build a `pack_sentences` with one piece replaced.

    fits(used, border, size, room): whether a sentence still goes into the sequence. border(used, start,
    cross): whether a separator stands before a sentence; start: it is its document's first. new(cross,
    start): whether a new sequence begins. kept: a separator stays also where a new sequence begins. last:
    whether the last sequence is returned.
    """

    def wrong(docs, room, sep, cross):
        sequences, row = [], []
        for doc in docs:
            for number, sentence in enumerate(doc):
                if row and new(cross, number == 0):
                    sequences, row = [*sequences, row], []
                edge = [sep] if border(len(row), number == 0, cross) else []
                if row and not fits(len(row), len(edge), len(sentence), room):
                    sequences, row, edge = [*sequences, row], [], edge if kept else []
                row = row + edge + sentence
        return [*sequences, row] if last else sequences

    return wrong


def turned(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    return formats.pack_sentences(docs, room, sep, not cross)


def stream(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """Cut wherever a sequence is full, inside sentences too."""
    flat = [[*itertools.chain(*doc)] for doc in docs]
    if cross:
        flat = [[*itertools.chain(*([sep, *doc] for doc in flat))][1:]]
    return [doc[i : i + room] for doc in flat for i in range(0, len(doc), room)]


def separator_last(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """A separator behind each document, wherever it fits."""
    sequences: list[list[int]] = [[]]
    for doc in docs:
        for sentence in doc:
            if sequences[-1] and len(sequences[-1]) + len(sentence) > room:
                sequences.append([])
            sequences[-1] = sequences[-1] + sentence
        if cross and len(sequences[-1]) < room:
            sequences[-1] = [*sequences[-1], sep]
        elif not cross:
            sequences.append([])
    return [row for row in sequences if row]


def separator_closes(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """As asked, but where the next document does not fit, the separator stays behind."""
    right = formats.pack_sentences(docs, room, sep, cross)
    ends = {doc[-1][-1] for doc in docs[:-1]}
    return [[*row, sep] if cross and row[-1] in ends and len(row) < room else row for row in right]


def left_out(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """The sentence that does not fit is dropped."""
    sequences: list[list[int]] = []
    row: list[int] = []
    for doc in docs:
        for number, sentence in enumerate(doc):
            if row and not cross and number == 0:
                sequences, row = [*sequences, row], []
            edge = [sep] if cross and row and number == 0 else []
            if len(row) + len(edge) + len(sentence) > room:
                sequences, row = [*sequences, row], []
            else:
                row = row + edge + sentence
    return [*sequences, row] if row else sequences


def looked_late(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """A sequence ends when it is full or more than full."""
    return packer(fits=lambda used, border, size, room: used < room)(docs, room, sep, cross)


def whole_documents(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """A document that does not fit as a whole begins a new sequence."""
    sequences: list[list[int]] = []
    row: list[int] = []
    for doc in docs:
        flat = [*itertools.chain(*doc)]
        if row and (not cross or len(row) + 1 + len(flat) > room):
            sequences, row = [*sequences, row], []
        for number, sentence in enumerate(doc):
            edge = [sep] if row and number == 0 else []
            if row and len(row) + len(edge) + len(sentence) > room:
                sequences, row, edge = [*sequences, row], [], []
            row = row + edge + sentence
    return [*sequences, row]


def first_fit(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """Each sentence goes into the first sequence that has room for it."""
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


def nested(docs: Docs, room: int, sep: int, cross: bool) -> list[list[Any]]:
    """The sentences of a sequence stay lists."""
    sequences: list[list[Any]] = []
    row: list[Any] = []
    used = 0
    for doc in docs:
        for number, sentence in enumerate(doc):
            edge = bool(cross and row and number == 0)
            if row and (number == 0 and not cross or used + edge + len(sentence) > room):
                sequences, row, used, edge = [*sequences, row], [], 0, False
            row, used = [*row, *[[sep]] * edge, sentence], used + edge + len(sentence)
    return [*sequences, row]


def bare(docs: Docs, room: int, sep: int, cross: bool) -> list[list[int]]:
    """No separator, but as much room as if there were one."""
    return [
        [token for token in row if token != sep] for row in formats.pack_sentences(docs, room, sep, cross)
    ]


PACKING = (
    Mistake("`cross` is turned round: True means that a sequence may go on into the next document.", turned),
    Mistake(
        "your sequences always cross documents. With cross=False each document begins a new sequence.",
        packer(new=lambda cross, start: False, border=lambda used, start, cross: used and start),
    ),
    Mistake(
        "with cross=False a sequence goes on into the next document, only without a separator. Begin a "
        "new sequence there.",
        packer(new=lambda cross, start: False),
    ),
    Mistake(
        "your sequences never cross documents. With cross=True the next document goes on in the same "
        "sequence, behind a separator.",
        packer(new=lambda cross, start: start),
    ),
    Mistake(
        "sequences end in the middle of a sentence. Only whole sentences go into a sequence: what no "
        "longer fits begins the next one.",
        stream,
    ),
    Mistake(
        "there is no separator between documents. With cross=True put `sep` before the first sentence of "
        "the next document.",
        packer(border=lambda used, start, cross: False),
    ),
    Mistake("a token is kept free for the separator, but it is not there. Put it into the sequence.", bare),
    Mistake(
        "a separator stands between all sentences. It stands between documents only.",
        packer(border=lambda used, start, cross: cross and used),
    ),
    Mistake(
        "sentences within a document are separated, also with cross=False. A separator stands between "
        "two documents only.",
        packer(border=lambda used, start, cross: used),
    ),
    Mistake(
        "sequences begin with a separator. Where a document begins a new sequence, none is needed.",
        packer(kept=True),
    ),
    Mistake(
        "each document begins with a separator, also where it begins a sequence.",
        packer(border=lambda used, start, cross: cross and start, kept=True),
    ),
    Mistake(
        "a separator stands behind each document, also at the end of a sequence. Put it in together with "
        "the next document's first sentence, if both fit.",
        separator_last,
    ),
    Mistake(
        "a sequence ends with a separator where the next document does not fit. A separator stands "
        "between two documents, so put it in with the next sentence only.",
        separator_closes,
    ),
    Mistake(
        "the separator does not count: a sequence with it can be one token too long. It takes room, too.",
        packer(fits=lambda used, border, size, room: used + size <= room),
    ),
    Mistake(
        "every sentence keeps a token free for a separator. Only a document's first sentence needs it.",
        packer(fits=lambda used, border, size, room: used + 1 + size <= room),
    ),
    Mistake(
        "a sequence that would be just full is closed too early: a sentence fits if the length becomes "
        "at most `room`, so use <=.",
        packer(fits=lambda used, border, size, room: used + border + size < room),
    ),
    Mistake(
        "two tokens stay free. `room` leaves [CLS] and the last [SEP] out already.",
        packer(fits=lambda used, border, size, room: used + border + size <= room - 2),
    ),
    Mistake("the last sequence is missing. When the loop ends, one is still open.", packer(last=False)),
    Mistake("a sentence that does not fit is lost. It begins the next sequence.", left_out),
    Mistake(
        "a sequence is closed only when it is full or too long. Look before you add a sentence: does it "
        "still fit?",
        looked_late,
    ),
    Mistake(
        "each sentence is a sequence of its own. Put in as many as fit.",
        packer(fits=lambda used, border, size, room: False),
    ),
    Mistake(
        "documents are kept whole: one that does not fit into what is left begins a new sequence. Fill "
        "the sequence with its first sentences.",
        whole_documents,
    ),
    Mistake(
        "sentences change places: a later one fills the gap of an earlier sequence. Keep the order of "
        "the text, one open sequence at a time.",
        first_fit,
    ),
    Mistake(
        "a sequence is a list of sentences in your answer. It should be one flat list of ids: use + or "
        "extend, not append.",
        nested,
    ),
    Mistake(
        "the first sequence is empty. Close a sequence only if something is in it.",
        lambda docs, room, sep, cross: [[], *formats.pack_sentences(docs, room, sep, cross)],
    ),
)


def flat(parts: Iterable[Iterable]) -> list:
    return [*itertools.chain(*parts)]


def texts() -> list[tuple[Docs, int]]:
    """The texts that the invariants look at: documents and room."""
    more = drawn(np.random.default_rng(7), count=20)
    return [(documents(lengths), room) for lengths, room in (*PLANS, (more, 16))]


def each(holds: Callable) -> Callable:
    """Build a `holds` of one for a single result: holds(sequences, docs, room, cross)."""

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
            return f"it returns a {type(got).__name__} that is no list of sequences, each a flat list of ids."
        if any(is_list(token) for sequence in got for token in sequence):
            return "a sequence should be one flat list of ids, and in yours there is a list inside."
    return True


def in_order(sequences: list[list[int]], docs: Docs, room: int, cross: bool) -> bool:
    return [token for token in flat(sequences) if token != SEP] == flat(flat(docs))


def short_enough(sequences: list[list[int]], docs: Docs, room: int, cross: bool) -> bool | str:
    longest = max(map(len, sequences), default=0)
    return longest <= room or f"a sequence has {longest} tokens, where room={room} is the most."


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
    Invariant("gives flat lists of ids", lists_of_ids),
    Invariant("each token of the text comes once, in the order of the text", each(in_order)),
    Invariant("no sequence is longer than `room`", each(short_enough)),
    Invariant("no sentence is divided", each(whole)),
    Invariant("a separator stands between two documents of a sequence, and nowhere else", each(separated)),
    Invariant(
        "a new sequence begins only where the next sentence does not fit, or a new document begins "
        "that must not be in the same",
        each(full),
    ),
)
