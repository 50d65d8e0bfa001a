"""Known mistakes about `pack_pair`: its tokens, its segment ids, what is cut, and the padding.

Devlin et al. (2019, arXiv 1810.04805), section 3, figure 2 and appendix A.2. T: tokens of the sequence.
"""

import numpy as np

from minibert.data.batch import Specials
from minibert.data.packing import truncate_pair

from ..checks.edits import edits

PAD, CLS, SEP = Specials().pad, Specials().cls, Specials().sep


def plain(a: list[int], b: list[int] | None, max_length: int) -> tuple[np.ndarray, ...]:
    """Return what `pack_pair` should; mistakes that make it too long are cut off."""
    room = max_length - (2 if b is None else 3)
    a, b = (a[:room], None) if b is None else truncate_pair(a, b, room)
    first = [CLS, *a, SEP]
    second = [] if b is None else [*b, SEP]
    tokens = len(first + second)
    gap = max_length - tokens
    ids = first + second + [PAD] * gap
    types = [0] * len(first) + [1] * len(second) + [0] * gap
    real = [True] * tokens + [False] * gap
    return tuple(np.array(part[:max_length]) for part in (ids, types, real))


def first_only(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    """Shorten `a`, and `b` only if that is not enough."""
    keep = max(0, room - len(b))
    return a[:keep], b[: room - min(keep, len(a))]


def shares(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    keep = min(len(a), round(room * len(a) / (len(a) + len(b)))) if len(a) + len(b) > room else len(a)
    return a[:keep], b[: room - keep]


def alternating(a: list[int], b: list[int], room: int) -> tuple[list[int], list[int]]:
    a, b = list(a), list(b)
    turn = 0
    while len(a) + len(b) > room:
        (a, b)[turn] and (a, b)[turn].pop()
        turn = 1 - turn
    return a, b


PACK = edits(
    plain,
    """
    $room = max_length - (2 if b is None else 3)
    $one = (a[:room], None)
    $pair = truncate_pair(a, b, room)
    $first = [CLS, *a, SEP]
    $second = [*b, SEP]
    $types = [0] * len(first) + [1] * len(second)
    $real = [True] * tokens + [False] * gap

    when both are equally long, you cut the first. Cut the second then: it is cut unless A is longer.
        $pair => truncate_pair(b, a, room)[::-1]
    only the first segment is cut. Cut the longer one, token by token, until both fit.
        $pair => first_only(a, b, room)
    only the second segment is cut. Cut the longer one, token by token, until both fit.
        $pair => first_only(b, a, room)[::-1]
    both segments are cut to half the room. A short one should stay whole: cut only the longer one, token by
    token.
        $pair => (a[: room // 2], b[: room - room // 2])
    the segments are cut in proportion to their lengths. Cut the longer one, token by token, until both fit.
        $pair => shares(a, b, room)
    you cut the two in turn. Cut whichever is longer at that moment.
        $pair => alternating(a, b, room)
    you cut at the beginning of a pair's segments. Drop tokens from the end.
        $pair => (part[::-1] for part in truncate_pair(a[::-1], b[::-1], room))
    a single segment is cut at its beginning. Drop tokens from the end.
        $one => (a[max(0, len(a) - room) :], None)
    the finished sequence is cut, so that the last [SEP] is lost. Cut the segments first, and leave room for
    the special tokens.
        $room => 10**9
    the room is too large: the special tokens are not counted, and then the sequence is cut off.
        $room => max_length
    the room for a pair counts two special tokens; it has three: [CLS] and two [SEP].
        $room => max_length - 2
    the room for a single segment counts three special tokens; it has two: [CLS] and one [SEP].
        $room => max_length - 3
    the [SEP] between the segments belongs to segment A: its segment id is 0.
        $types => [0] * (len(first) - 1) + [int(b is not None)] + [1] * len(second)
    the last [SEP] belongs to segment B: its segment id is 1.
        $types => [0] * len(first) + [1] * (len(second) - 1) + [0] * bool(second)
    the segment ids are 1 and 2. They are 0 for A and 1 for B.
        $types => [1] * len(first) + [2] * len(second)
    the segment ids are all 0. Segment B and its [SEP] have 1.
        $types => [0] * tokens
    the segment ids are swapped: A has 0 and B has 1.
        $types => [1] * len(first) + [0] * len(second)
    the padding has segment id 1. It has 0.
        [0] * gap => [1] * gap
    `real` is the wrong way round: True is a token, False is padding.
        $real => [False] * tokens + [True] * gap
    `real` is True everywhere. It is False at the padding.
        $real => [True] * max_length
    `real` leaves out [CLS] and [SEP]. They are real tokens: only padding is False.
        $real => [token not in (CLS, SEP) for token in first + second] + [False] * gap
    there is a second [CLS] before B. A sequence has one, at its beginning.
        $second => [CLS, *b, SEP]
        else 3 => else 4
    the [SEP] between the segments is missing.
        $first => [CLS, *a] + [SEP] * (b is None)
    the last [SEP] of a pair is missing: [CLS] A [SEP] B [SEP].
        $second => [*b]
    [CLS] is missing: a sequence begins with it.
        $first => [*a, SEP]
    [CLS] and [SEP] are swapped: [CLS] begins the sequence, [SEP] ends each segment.
        $first => [SEP, *a, CLS]
        $second => [*b, CLS]
    a sequence without a second segment has one [SEP] only.
        [] if b is None => [SEP] if b is None
    the padding has the id of [SEP]. Fill up with PAD.
        [PAD] => [SEP]
    the padding has another id than PAD. Fill up with PAD.
        [PAD] => [{-100 | -1 | 1}]
    the first place of the padding is real in your answer. Only tokens are.
        $real => [True] * (tokens + 1) + [False] * gap
    the last token, a [SEP], is not real in your answer. All tokens are, special ones too.
        $real => [True] * (tokens - 1) + [False] * (gap + 1)
    the ids are cut off: this dtype holds small numbers only. An id may be 100,000: leave the dtype out.
        return result[0].astype(np.{uint8 | int8 | int16 | uint16}), *result[1:]
    one token of each segment is always kept. If there is no room, a segment is cut to nothing.
        $pair => truncate_pair(a, b, max(room, 2))
    the padding comes first. It comes after the tokens.
        return tuple(np.concatenate([part[~result[2]], part[result[2]]]) for part in result)
    these are the special ids of the published BERT. Use PAD, CLS and SEP.
        $first => [101, *a, 102]
        $second => [*b, 102]
    the order of the results is (input_ids, token_type_ids, real).
        return result[0], result[2], result[1]
    the sequence is not filled up to max_length.
        gap = max_length - tokens => gap = 0
    """,
)
