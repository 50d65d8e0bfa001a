"""Students' common mistakes in `pack_pair`: tokens, segment ids, truncation and padding.

Devlin et al. (2019, arXiv 1810.04805), section 3, figure 2 and appendix A.2. Axes: T tokens.
"""

import numpy as np

from minibert.data.batch import Specials
from minibert.data.packing import truncate_pair

from ..checks.edits import edits

PAD, CLS, SEP = Specials().pad, Specials().cls, Specials().sep


def plain(a: list[int], b: list[int] | None, max_length: int) -> tuple[np.ndarray, ...]:
    """Return the token ids, segment ids and mask of one or two segments, as `pack_pair` should.

    If a mistake makes them longer than `max_length`, they are cut off.
    """
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
    """Cut `a` until both segments fit in `room` tokens, then `b` if necessary, and return both."""
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

    you truncate A if both segments are equally long. Truncate B in this case.
        $pair => truncate_pair(b, a, room)[::-1]
    you truncate only the first segment. Truncate the longer one, token by token, until both fit.
        $pair => first_only(a, b, room)
    you truncate only the second segment. Truncate the longer one, token by token, until both fit.
        $pair => first_only(b, a, room)[::-1]
    you cut both segments to half of the available length. A short segment should stay whole: truncate only
    the longer one, token by token.
        $pair => (a[: room // 2], b[: room - room // 2])
    you truncate the segments in proportion to their lengths. Truncate the longer one, token by token, until
    both fit.
        $pair => shares(a, b, room)
    you truncate the two segments in turn. At each step, drop a token of the longer segment.
        $pair => alternating(a, b, room)
    you drop tokens at the beginning of the segments of a pair. Drop them at the end.
        $pair => (part[::-1] for part in truncate_pair(a[::-1], b[::-1], room))
        or
        $pair => (part[::-1] for part in truncate_pair(a[::-1], b[::-1], room))
        $one => (a[max(0, len(a) - room) :], None)
    you drop tokens at the beginning of a single segment. Drop them at the end.
        $one => (a[max(0, len(a) - room) :], None)
    you truncate the finished sequence, so the last [SEP] is lost. Truncate the segments before you add the
    special tokens.
        $room => 10**9
    the segments are too long. Truncate them further, to leave room for the special tokens.
        $room => max_length
    you leave room for only two special tokens in a pair. Leave room for three: [CLS] and two [SEP].
        $room => max_length - 2
    you leave room for three special tokens with a single segment. Leave room for two: [CLS] and one [SEP].
        $room => max_length - 3
    the [SEP] between the segments has segment id 1. Give it 0, because it belongs to segment A.
        $types => [0] * (len(first) - 1) + [int(b is not None)] + [1] * len(second)
    the last [SEP] has segment id 0. Give it 1, because it belongs to segment B.
        $types => [0] * len(first) + [1] * (len(second) - 1) + [0] * bool(second)
    your segment ids are 1 and 2. Use 0 for A and 1 for B.
        $types => [1] * len(first) + [2] * len(second)
    all your segment ids are 0. Use 1 for segment B and its [SEP].
        $types => [0] * tokens
    the segment ids are swapped. Use 0 for A and 1 for B.
        $types => [1] * len(first) + [0] * len(second)
    the padding has segment id 1. Use 0 for padding.
        [0] * gap => [1] * gap
    `real` is the wrong way round. Use True for tokens and False for padding.
        $real => [False] * tokens + [True] * gap
    `real` is True everywhere. Make it False for padding.
        $real => [True] * max_length
    `real` is False for [CLS] and [SEP]. Make it False only for padding.
        $real => [token not in (CLS, SEP) for token in first + second] + [False] * gap
    there is a second [CLS] before B. Use only one, at the beginning of the sequence.
        $second => [CLS, *b, SEP]
        else 3 => else 4
    the [SEP] between the segments is missing. The sequence should be [CLS] A [SEP] B [SEP].
        $first => [CLS, *a] + [SEP] * (b is None)
    the last [SEP] of a pair is missing. The sequence should be [CLS] A [SEP] B [SEP].
        $second => [*b]
    [CLS] is missing. Start every sequence with it.
        $first => [*a, SEP]
    [CLS] and [SEP] are swapped. Start the sequence with [CLS], and end each segment with [SEP].
        $first => [SEP, *a, CLS]
        $second => [*b, CLS]
    a sequence without a second segment has two [SEP]. Add only one, after the first segment.
        [] if b is None => [SEP] if b is None
        or
        [] if b is None => [SEP] if b is None
        2 if b is None else 3 => 3
    you pad with the id of [SEP]. Use the id PAD instead.
        [PAD] => [SEP]
    you pad with the wrong id. Use the id PAD.
        [PAD] => [{-100 | -1 | 1}]
    `real` is True for the first padding position. Make it True only for tokens.
        $real => [True] * (tokens + 1) + [False] * gap
    `real` is False for the last token, a [SEP]. Make it True for all tokens, including special tokens.
        $real => [True] * (tokens - 1) + [False] * (gap + 1)
    the dtype of your ids is too small, because an id may exceed 100,000. Do not pass a dtype.
        return result[0].astype(np.{uint8 | int8 | int16 | uint16}), *result[1:]
    you always keep one token of each segment. If there is no room, truncate a segment to nothing.
        $pair => truncate_pair(a, b, max(room, 2))
    the padding comes first. Put it after the tokens.
        return tuple(np.concatenate([part[~result[2]], part[result[2]]]) for part in result)
    you use the special ids of the published BERT. Use PAD, CLS and SEP instead.
        $first => [101, *a, 102]
        $second => [*b, 102]
    the results are in the wrong order. Return (input_ids, token_type_ids, real).
        return result[0], result[2], result[1]
    the sequence is not padded to max_length. Add PAD at the end.
        gap = max_length - tokens => gap = 0
    """,
)
