"""Known mistakes about `split_passage`: the windows, and where the answer is in each of them.

Windows with a stride: the `run_squad.py` that the authors released with Devlin et al. (2019, arXiv
1810.04805).
"""

from collections.abc import Callable
from typing import Any

from minibert.data import spans

from ..checks.exercise import Mistake, pairs


def whole_inside(answer: tuple[int, int], begin: int, end: int) -> tuple[int, int] | None:
    """The answer's positions in the window, or None if it is not wholly inside."""
    first, last = answer
    return (first - begin, last - begin) if begin <= first and last < end else None


def placed_where(inside: Callable) -> Callable:
    """Build a label with another rule: inside(answer, begin, end) says when the answer has a place."""
    return lambda answer, begin, end: (
        (answer[0] - begin, answer[1] - begin) if inside(answer, begin, end) else None
    )


def split(
    begins: Callable = spans.windows,
    last: Callable = lambda begin, room, length: min(begin + room, length),
    label: Callable = whole_inside,
    window: Callable = lambda begin, pieces, place: (begin, pieces, place),
) -> Callable:
    """Build `split_passage` with some of its pieces replaced."""

    def made(pieces, answer, room, stride):
        found = []
        for begin in begins(len(pieces), room, stride):
            end = last(begin, room, len(pieces))
            place = None if answer is None else label(answer, begin, end)
            found.append(window(begin, list(pieces[begin:end]), place))
        return found

    return made


def every_stride(length: int, room: int, stride: int) -> list[int]:
    return list(range(0, length, stride))


def whole_windows_only(length: int, room: int, stride: int) -> list[int]:
    return list(range(0, max(length - room, 0) + 1, stride))


def moved_back(length: int, room: int, stride: int) -> list[int]:
    """The beginnings of windows of which the last one starts earlier, so that it is full."""
    return [min(begin, max(0, length - room)) for begin in spans.windows(length, room, stride)]


def by_value(pieces: list, answer: Any, room: int, stride: int) -> list[tuple]:
    """`split_passage` that looks for the answer's pieces in the window, instead of counting."""
    found = []
    for begin, window, place in right(pieces, answer, room, stride):
        found.append((begin, window, place and tuple(window.index(pieces[i]) for i in answer)))
    return found


def filled(by: Any) -> Callable:
    """Build `split_passage` with windows that `by` fills up to `room`."""
    return lambda pieces, answer, room, stride: [
        (begin, window + [by] * (room - len(window)), place)
        for begin, window, place in right(pieces, answer, room, stride)
    ]


def once(pieces: list, answer: Any, room: int, stride: int) -> list[tuple]:
    """`split_passage` with the answer's place in the first window that holds it, and in no other."""
    found: list[tuple] = []
    for begin, window, place in right(pieces, answer, room, stride):
        found.append((begin, window, None if any(known for _, _, known in found) else place))
    return found


def clipped(answer: tuple[int, int], begin: int, end: int) -> tuple[int, int] | None:
    first, last = max(answer[0], begin), min(answer[1], end - 1)
    return (first - begin, last - begin) if first <= last else None


def unpacked(pieces: list[int], answer: tuple[int, int], room: int, stride: int) -> None:
    first, last = answer


def indexed(pieces: list[int], answer: tuple[int, int], room: int, stride: int) -> int:
    return answer[0]


right = split()
SPLIT = (
    Mistake(
        "there is a window too many: the one before it reaches the passage's end already. Stop there.",
        split(every_stride),
    ),
    Mistake(
        "the rest of the passage is lost: the last window may be shorter than `room`.",
        split(whole_windows_only),
    ),
    Mistake(
        "the last window begins earlier, so that it is full. Keep the stride; the last window may be "
        "shorter.",
        split(moved_back),
    ),
    Mistake(
        "the windows do not overlap: each begins `stride` after the one before, not `room`.",
        split(lambda length, room, stride: spans.windows(length, room, room)),
    ),
    Mistake(
        "`stride` is how far a window begins after the one before, not how many pieces they share.",
        split(lambda length, room, stride: spans.windows(length, room, max(1, room - stride))),
    ),
    Mistake(
        "an answer that is cut by the window's edge is cut too. Half an answer counts as none: give None.",
        split(label=clipped),
    ),
    Mistake(
        "an answer counts as soon as its start is inside. Its end must be, too: else None.",
        split(label=placed_where(lambda a, begin, end: begin <= a[0] < end)),
    ),
    Mistake(
        "an answer counts as soon as its end is inside. Its start must be, too: else None.",
        split(label=placed_where(lambda a, begin, end: begin <= a[1] < end)),
    ),
    Mistake(
        "the places are those in the passage. Count from the window's first piece: subtract `begin`.",
        split(label=lambda a, begin, end: tuple(a) if begin <= a[0] and a[1] < end else None),
    ),
    Mistake(
        "an answer at the very end of a window is refused. Its last piece is `last`, and it may be the "
        "window's last.",
        split(label=placed_where(lambda a, begin, end: begin <= a[0] and a[1] < end - 1)),
    ),
    Mistake(
        "an answer at the very beginning of a window is refused. Its first piece may be the window's first.",
        split(label=placed_where(lambda a, begin, end: begin < a[0] and a[1] < end)),
    ),
    Mistake(
        "an answer that ends one piece after the window counts as inside.",
        split(label=placed_where(lambda a, begin, end: begin <= a[0] and a[1] <= end)),
    ),
    Mistake(
        "the places are the same wherever the answer stands. None where it is not inside.",
        split(label=lambda a, begin, end: (a[0] - begin, a[1] - begin)),
    ),
    Mistake(
        "for a window without the answer you give (0, 0). That is [CLS] in a whole row, but here it is "
        "the window's first piece: give None.",
        split(label=lambda a, begin, end: whole_inside(a, begin, end) or (0, 0)),
    ),
    Mistake(
        "a window has one piece too few.",
        split(last=lambda begin, room, length: min(begin + room, length) - (begin + room <= length)),
    ),
    Mistake(
        "a window has one piece too many: `room` is how many there are.",
        split(last=lambda begin, room, length: min(begin + room + 1, length)),
    ),
    Mistake(
        "windows without the answer are left out. Keep them: they teach that there are passages without "
        "an answer.",
        lambda pieces, answer, room, stride: [
            w for w in right(pieces, answer, room, stride) if w[2] is not None
        ],
    ),
    Mistake(
        "`begin` is missing: a window is (begin, pieces, place).",
        split(window=lambda begin, pieces, place: (pieces, place)),
    ),
    Mistake(
        "the answer is looked for among the pieces, and a piece may stand more than once. Count: "
        "subtract "
        "`begin`.",
        by_value,
    ),
    *(
        Mistake("the last window is filled up. It may be shorter than `room`.", filled(by))
        for by in (None, 0, "", "[PAD]")
    ),
    Mistake(
        "only the first window that holds the answer gives its place. Windows overlap: each that holds "
        "it "
        "does.",
        once,
    ),
    Mistake(
        "`begin` is counted from 1. The first piece of the passage is number 0.",
        split(window=lambda begin, pieces, place: (begin + 1, pieces, place)),
    ),
    Mistake(
        "the second place is one too large: it is that of the answer's last piece.",
        split(
            label=lambda a, begin, end: (
                (a[0] - begin, a[1] - begin + 1) if whole_inside(a, begin, end) else None
            )
        ),
    ),
    Mistake(
        "the second number is the answer's length. It should be the place of its last piece.",
        split(
            label=lambda a, begin, end: (
                (a[0] - begin, a[1] - a[0] + 1) if whole_inside(a, begin, end) else None
            )
        ),
    ),
    Mistake("only the first window is there.", lambda *case: right(*case)[:1]),
    Mistake(
        "a passage that is shorter than `room` gets no window. It has one, with all of its pieces.",
        lambda pieces, answer, room, stride: (
            right(pieces, answer, room, stride) if len(pieces) > room - stride else []
        ),
    ),
    Mistake(
        "the order of the three is (begin, window, place).",
        split(window=lambda begin, pieces, place: (begin, place, pieces)),
    ),
    Mistake(
        "an answer counts as soon as any of its pieces is inside. All must be: else None.",
        split(label=placed_where(lambda a, begin, end: begin <= a[1] and a[0] < end)),
    ),
    Mistake(
        "an answer of one piece is refused. Its first piece is its last.",
        split(label=placed_where(lambda a, begin, end: begin <= a[0] < a[1] < end)),
    ),
    Mistake(
        "you return the number of the window in place of `begin`, where it begins in the passage.",
        lambda pieces, answer, room, stride: [
            (i, w, place) for i, (_, w, place) in enumerate(right(pieces, answer, room, stride))
        ],
    ),
    *(
        Mistake(
            "`answer` is None if the passage holds no answer. Test `answer is not None` before you take "
            "its places.",
            crash,
        )
        for crash in (unpacked, indexed)
    ),
    *pairs(
        split,
        (dict(begins=every_stride), "there is a window too many at the end"),
        (dict(begins=whole_windows_only), "the rest of the passage is lost"),
        (dict(label=clipped), "an answer that the window's edge cuts is cut too, but should be None"),
        (dict(window=lambda begin, pieces, place: (pieces, place)), "`begin` is missing"),
    ),
)
