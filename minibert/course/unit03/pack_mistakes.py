"""Known mistakes about `pack_pair`: its tokens, its segment ids, what is cut, and the padding.

Devlin et al. (2019, arXiv 1810.04805), section 3, figure 2 and appendix A.2. T: tokens of the sequence.
"""

from collections.abc import Callable

import numpy as np

from minibert.data.batch import Specials
from minibert.data.packing import truncate_pair

from ..checks.exercise import Mistake

PAD, CLS, SEP = Specials().pad, Specials().cls, Specials().sep


def longer_first(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    return truncate_pair(a, b, room)


def laid_out(a: list[int], b: list[int] | None) -> tuple[list[int], list[int]]:
    """The ids of [CLS] A [SEP] B [SEP], and their segments."""
    first = [CLS, *a, SEP]
    second = [] if b is None else [*b, SEP]
    return first + second, [0] * len(first) + [1] * len(second)


def packer(
    cut: Callable = longer_first,
    cut_one: Callable = lambda a, room: a[:room],
    layout: Callable = laid_out,
    special: Callable = lambda b: 2 if b is None else 3,
    pad: int = PAD,
    pad_type: int = 0,
    real: Callable = lambda ids, T: np.arange(T) < len(ids),
    order: Callable = lambda parts: parts,
    after: bool | None = None,
) -> Callable:
    """Build `pack_pair` with some of its steps replaced.

    after: cut the finished sequence instead of the segments.
    """

    def wrong(a, b, max_length):
        a, b = list(a), None if b is None else list(b)
        if after is None:
            room = max_length - special(b)
            a, b = (cut_one(a, room), None) if b is None else cut(a, b, room)
        ids, types = layout(a, b)
        ids, types = ids[:max_length], types[:max_length]
        gap = max_length - len(ids)
        return order((np.array(ids + [pad] * gap), np.array(types + [pad_type] * gap), real(ids, max_length)))

    return wrong


def only(which: str) -> Callable:
    """Build a `cut` that shortens one segment first, and the other only where that is not enough."""

    def cut(a, b, room):
        first, second = (a, b) if which == "a" else (b, a)
        keep = max(0, room - len(second))
        first, second = first[:keep], second[: room - min(keep, len(first))]
        return (first, second) if which == "a" else (second, first)

    return cut


def halves(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    return a[: room // 2], b[: room - room // 2]


def shares(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    keep = min(len(a), round(room * len(a) / (len(a) + len(b)))) if len(a) + len(b) > room else len(a)
    return a[:keep], b[: room - keep]


def from_the_front(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    x, y = truncate_pair(a, b, room)
    return a[len(a) - len(x) :], b[len(b) - len(y) :]


def tie_to_a(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    b, a = truncate_pair(b, a, room)
    return a, b


def alternating(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    turn = 0
    while len(a) + len(b) > room:
        (a, b)[turn] and (a, b)[turn].pop()
        turn = 1 - turn
    return a, b


def typed(types: Callable) -> Callable:
    """Build a layout with other segment ids: types(tokens up to the first [SEP], tokens after it)."""

    def layout(a, b):
        ids, right = laid_out(a, b)
        first = len(a) + 2
        return ids, types(first, len(right) - first)

    return layout


def with_ids(change: Callable) -> Callable:
    """Build a layout with other tokens: change(a, b) returns those of both segments."""

    def layout(a, b):
        first, second = change(a, b)
        return first + second, [0] * len(first) + [1] * len(second)

    return layout


PACK = (
    Mistake(
        "when both are equally long, you cut the first. Cut the second then: it is cut unless A is longer.",
        packer(cut=tie_to_a),
    ),
    Mistake(
        "only the first segment is cut. Cut the longer one, token by token, until both fit.",
        packer(cut=only("a")),
    ),
    Mistake(
        "only the second segment is cut. Cut the longer one, token by token, until both fit.",
        packer(cut=only("b")),
    ),
    Mistake(
        "both segments are cut to half the room. A short one should stay whole: cut only the longer one, "
        "token by token.",
        packer(cut=halves),
    ),
    Mistake(
        "the segments are cut in proportion to their lengths. Cut the longer one, token by token, until "
        "both fit.",
        packer(cut=shares),
    ),
    Mistake("you cut the two in turn. Cut whichever is longer at that moment.", packer(cut=alternating)),
    Mistake(
        "you cut at the beginning of a pair's segments. Drop tokens from the end.", packer(cut=from_the_front)
    ),
    Mistake(
        "a single segment is cut at its beginning. Drop tokens from the end.",
        packer(cut_one=lambda a, room: a[len(a) - min(len(a), room) :]),
    ),
    Mistake(
        "the finished sequence is cut, so that the last [SEP] is lost. Cut the segments first, and leave "
        "room for the special tokens.",
        packer(after=True),
    ),
    Mistake(
        "the room is too large: the special tokens are not counted, and then the sequence is cut off.",
        packer(special=lambda b: 0),
    ),
    Mistake(
        "the room for a pair counts two special tokens; it has three: [CLS] and two [SEP].",
        packer(special=lambda b: 2),
    ),
    Mistake(
        "the room for a single segment counts three special tokens; it has two: [CLS] and one [SEP].",
        packer(special=lambda b: 3),
    ),
    Mistake(
        "the [SEP] between the segments belongs to segment A: its segment id is 0.",
        packer(
            layout=typed(lambda first, rest: [0] * (first - 1) + [1] * (rest + bool(rest)) + [0] * (not rest))
        ),
    ),
    Mistake(
        "the last [SEP] belongs to segment B: its segment id is 1.",
        packer(layout=typed(lambda first, rest: [0] * first + [1] * (rest - 1) + [0] * (rest > 0))),
    ),
    Mistake(
        "the segment ids are 1 and 2. They are 0 for A and 1 for B.",
        packer(layout=typed(lambda first, rest: [1] * first + [2] * rest)),
    ),
    Mistake(
        "the segment ids are all 0. Segment B and its [SEP] have 1.",
        packer(layout=typed(lambda first, rest: [0] * (first + rest))),
    ),
    Mistake(
        "the segment ids are swapped: A has 0 and B has 1.",
        packer(layout=typed(lambda first, rest: [1] * first + [0] * rest)),
    ),
    Mistake("the padding has segment id 1. It has 0.", packer(pad_type=1)),
    Mistake(
        "`real` is the wrong way round: True is a token, False is padding.",
        packer(real=lambda ids, T: np.arange(T) >= len(ids)),
    ),
    Mistake(
        "`real` is True everywhere. It is False at the padding.", packer(real=lambda ids, T: np.ones(T, bool))
    ),
    Mistake(
        "`real` leaves out [CLS] and [SEP]. They are real tokens: only padding is False.",
        packer(
            real=lambda ids, T: np.array(
                [token not in (CLS, SEP) for token in ids] + [False] * (T - len(ids))
            )
        ),
    ),
    Mistake(
        "there is a second [CLS] before B. A sequence has one, at its beginning.",
        packer(
            layout=with_ids(lambda a, b: ([CLS, *a, SEP], [] if b is None else [CLS, *b, SEP])),
            special=lambda b: 2 if b is None else 4,
        ),
    ),
    Mistake(
        "the [SEP] between the segments is missing.",
        packer(layout=with_ids(lambda a, b: ([CLS, *a, SEP], []) if b is None else ([CLS, *a], [*b, SEP]))),
    ),
    Mistake(
        "the last [SEP] of a pair is missing: [CLS] A [SEP] B [SEP].",
        packer(layout=with_ids(lambda a, b: ([CLS, *a, SEP], [] if b is None else [*b]))),
    ),
    Mistake(
        "[CLS] is missing: a sequence begins with it.",
        packer(layout=with_ids(lambda a, b: ([*a, SEP], [] if b is None else [*b, SEP]))),
    ),
    Mistake(
        "[CLS] and [SEP] are swapped: [CLS] begins the sequence, [SEP] ends each segment.",
        packer(layout=with_ids(lambda a, b: ([SEP, *a, CLS], [] if b is None else [*b, CLS]))),
    ),
    Mistake(
        "a sequence without a second segment has one [SEP] only.",
        packer(layout=with_ids(lambda a, b: ([CLS, *a, SEP], [SEP] if b is None else [*b, SEP]))),
    ),
    Mistake("the padding has the id of [SEP]. Fill up with PAD.", packer(pad=SEP)),
    *(
        Mistake("the padding has another id than PAD. Fill up with PAD.", packer(pad=pad))
        for pad in (-100, -1, 1)
    ),
    Mistake(
        "the first place of the padding is real in your answer. Only tokens are.",
        packer(real=lambda ids, T: np.arange(T) <= len(ids)),
    ),
    Mistake(
        "the last token, a [SEP], is not real in your answer. All tokens are, special ones too.",
        packer(real=lambda ids, T: np.arange(T) < len(ids) - 1),
    ),
    *(
        Mistake(
            "the ids are cut off: this dtype holds small numbers only. An id may be 100,000: leave the "
            "dtype out.",
            packer(order=lambda parts, dtype=dtype: (parts[0].astype(dtype), *parts[1:])),
        )
        for dtype in (np.uint8, np.int8, np.int16, np.uint16)
    ),
    Mistake(
        "one token of each segment is always kept. If there is no room, a segment is cut to nothing.",
        packer(cut=lambda a, b, room: longer_first(a, b, max(room, 2))),
    ),
    Mistake(
        "the padding comes first. It comes after the tokens.",
        packer(
            order=lambda parts: tuple(np.concatenate([part[parts[2] == 0], part[parts[2]]]) for part in parts)
        ),
    ),
    Mistake(
        "these are the special ids of the published BERT. Use PAD, CLS and SEP.",
        packer(layout=with_ids(lambda a, b: ([101, *a, 102], [] if b is None else [*b, 102]))),
    ),
    Mistake(
        "the order of the results is (input_ids, token_type_ids, real).",
        packer(order=lambda parts: (parts[0], parts[2], parts[1])),
    ),
    Mistake(
        "the sequence is not filled up to max_length.",
        lambda a, b, max_length: (*map(np.array, laid_out(a, b)), np.ones(len(laid_out(a, b)[0]), bool)),
    ),
)
