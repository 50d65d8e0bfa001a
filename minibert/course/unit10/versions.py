"""Correct and wrong versions of `infill`, BART's text infilling, which the student's test must tell apart.

Lewis et al. (2020, arXiv 1910.13461), section 2.2: each span becomes one [MASK]; a span of length 0 inserts a
[MASK].
"""

from collections.abc import Sequence
from functools import partial

from ..checks.edits import edited
from ..checks.student_tests import Version

Spans = Sequence[tuple[int, int]]


def infill(ids: list[int], spans: Spans, mask_id: int) -> list[int]:
    """Return the token ids with each span, given as (start, length), replaced by one `mask_id`."""
    result, end = [], 0
    for start, length in spans:
        result += [*ids[end:start], mask_id]
        end = start + length
    return result + ids[end:]


def from_the_end(ids: list[int], spans: Spans, mask_id: int) -> list[int]:
    result = list(ids)
    for start, length in reversed(spans):
        result[start : start + length] = [mask_id]
    return result


def token_by_token(ids: list[int], spans: Spans, mask_id: int) -> list[int]:
    covered = {start + i for start, length in spans for i in range(length)}
    result = []
    for place in range(len(ids) + 1):
        result += [mask_id for start, _ in spans if start == place]
        result += [ids[place]] if place < len(ids) and place not in covered else []
    return result


def one_by_one(ids: list[int], spans: Spans, mask_id: int) -> list[int]:
    """Replace the first span by one `mask_id`, then process the rest of the text recursively."""
    if not spans:
        return list(ids)
    (start, length), *others = spans
    end = start + length
    rest = [(later - end, size) for later, size in others]
    return [*ids[:start], mask_id, *one_by_one(ids[end:], rest, mask_id)]


def unshifted(ids: list[int], spans: Spans, mask_id: int) -> list[int]:
    result = list(ids)
    for start, length in spans:
        result[start : start + length] = [mask_id]
    return result


def in_place(ids: list[int], spans: Spans, mask_id: int) -> list[int]:
    for start, length in reversed(spans):
        ids[start : start + length] = [mask_id]
    return ids


def shifted(ids: list[int], spans: Spans, mask_id: int) -> list[int]:
    """Return the right tokens and masks, but with each mask one place too late where a token follows it."""
    result = infill(ids, spans, mask_id)
    for place in reversed(range(len(result) - 1)):
        if result[place] == mask_id:
            result[place : place + 2] = result[place + 1], mask_id
    return result


def touching(spans: Spans) -> list[tuple[int, int]]:
    """Return the spans, given as (start, length), with adjacent ones merged."""
    result: list[tuple[int, int]] = []
    for start, length in spans:
        if result and sum(result[-1]) == start and length:
            result[-1] = (result[-1][0], result[-1][1] + length)
        else:
            result.append((start, length))
    return result


RIGHT = (
    Version("one that replaces slices of a copy, starting with the last span", from_the_end),
    Version("one that goes through the text token by token", token_by_token),
    Version("one that cuts at the first span and calls itself for the rest", one_by_one),
)
slip = partial(edited, infill)
WRONG = (
    Version(
        "puts one [MASK] for each token of a span, as BERT and SpanBERT do",
        slip("start], mask_id] => start], *[mask_id] * length]"),
    ),
    Version(
        "removes the spans and puts nothing in their place, as token deletion does",
        slip(", mask_id] => ]"),
    ),
    Version("ignores spans of length 0", slip("in spans => in [span for span in spans if span[1]]")),
    Version("lets a span of length 0 replace a token", slip("start + length => start + max(length, 1)")),
    Version("replaces the spans from the left, and forgets that the text gets shorter", unshifted),
    Version("loses the text after the last span", slip("result + ids[end:] => result")),
    Version(
        "writes all [MASK]s at the end of the text",
        slip(", mask_id] => ]", "result + ids[end:] => result + ids[end:] + [mask_id] * len(spans)"),
    ),
    Version(
        "removes one token too many with each span of length 1 or more",
        slip("start + length => start + length + (length > 0)"),
    ),
)
MORE = (
    Version("writes one [MASK] for two spans that touch", slip("in spans => in touching(spans)")),
    Version("replaces only the first span", slip("in spans => in spans[:1]")),
    Version("writes each [MASK] after the token that should follow it", shifted),
    Version(
        "ignores a span of length 0 at the end of the text",
        slip("in spans => in [span for span in spans if span[0] < len(ids)]"),
    ),
    Version(
        "ignores a span of one token or more at the start of the text",
        slip("in spans => in [span for span in spans if span[0] or not span[1]]"),
    ),
    Version(
        "pads the text with 0, so that its length stays the same",
        slip("return result + [0] * (len(ids) - len(result))"),
    ),
    Version("changes its input in place", in_place),
    Version("writes the id 9 of the example for [MASK], whatever mask_id is", slip(", mask_id] => , 9]")),
)
