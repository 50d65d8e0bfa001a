"""Known mistakes about `split_passage`: the windows, and where the answer is in each of them.

Windows with a stride: the `run_squad.py` that the authors released with Devlin et al. (2019, arXiv
1810.04805).
"""

from minibert.data import spans

from ..checks.edits import edits, pairs_of_edits

Window = tuple[int, list[int], tuple[int, int] | None]


def right_split(pieces: list[int], answer: tuple[int, int] | None, room: int, stride: int) -> list[Window]:
    """The reference of `split_passage`: (begin, pieces, place of the answer) of each window."""
    found: list[Window] = []
    for begin in spans.windows(len(pieces), room, stride):
        end = min(begin + room, len(pieces))
        place = None
        if answer is not None and begin <= answer[0] and answer[1] < end:
            place = (answer[0] - begin, answer[1] - begin)
        found.append((begin, list(pieces[begin:end]), place))
    return found


SPLIT = edits(
    right_split,
    r"""
    $begins = spans.windows(len(pieces), room, stride)
    $end = end = min(begin + room, len(pieces))
    $inside = begin <= answer[0] and answer[1] < end
    $place = (answer[0] - begin, answer[1] - begin)
    $window = list(pieces[begin:end])

    there is a window too many: the one before it reaches the passage's end already. Stop there.
        $begins => range(0, len(pieces), stride)
    the rest of the passage is lost: the last window may be shorter than `room`.
        $begins => range(0, max(len(pieces) - room, 0) + 1, stride)
    the last window begins earlier, so that it is full. Keep the stride; the last window may be shorter.
        $end => begin = min(begin, max(0, len(pieces) - room))\n$end
    the windows do not overlap: each begins `stride` after the one before, not `room`.
        $begins => spans.windows(len(pieces), room, room)
    `stride` is how far a window begins after the one before, not how many pieces they share.
        $begins => spans.windows(len(pieces), room, max(1, room - stride))
    an answer that is cut by the window's edge is cut too. Half an answer counts as none: give None.
        $inside => begin <= answer[1] and answer[0] < end
        $place => (max(answer[0], begin) - begin, min(answer[1], end - 1) - begin)
    an answer counts as soon as its start is inside. Its end must be, too: else None.
        $inside => begin <= answer[0] < end
    an answer counts as soon as its end is inside. Its start must be, too: else None.
        $inside => begin <= answer[1] < end
    the places are those in the passage. Count from the window's first piece: subtract `begin`.
        $place => tuple(answer)
    an answer at the very end of a window is refused. Its last piece is `last`, and it may be the window's
    last.
        answer[1] < end => answer[1] < end - 1
    an answer at the very beginning of a window is refused. Its first piece may be the window's first.
        begin <= answer[0] => begin < answer[0]
    an answer that ends one piece after the window counts as inside.
        answer[1] < end => answer[1] <= end
    every window gives places for the answer. Give None if the answer is not inside the window.
        $inside => True
    for a window without the answer you give (0, 0). That is [CLS] in a whole row, but here it is the window's
    first piece: give None.
        place = None => place = answer and (0, 0)
    a window has one piece too few.
        begin + room => begin + room - 1
    a window has one piece too many: `room` is how many there are.
        begin + room => begin + room + 1
    windows without the answer are left out. Keep them: they teach that there are passages without an answer.
        return [window for window in result if window[2] is not None]
    `begin` is missing: a window is (begin, pieces, place).
        (begin, $window => ($window
    the answer is looked for among the pieces, and a piece may occur more than once. Count: subtract `begin`.
        $place => tuple($window.index(pieces[i]) for i in answer)
    the last window is filled up. It may be shorter than `room`.
        $window => $window + [{None | 0 | "" | "[PAD]"}] * (begin + room - end)
    only the first window that holds the answer gives its place. Windows overlap: each that holds it does.
        $inside => $inside and not any(known for *_, known in found)
    `begin` is counted from 1. The first piece of the passage is number 0.
        (begin, $window => (begin + 1, $window
    the second place is one too large: it is that of the answer's last piece.
        answer[1] - begin => answer[1] - begin + 1
    the second number is the answer's length. It should be the place of its last piece.
        answer[1] - begin => answer[1] - answer[0] + 1
    only the first window is there.
        return result[:1]
    a passage that is shorter than `room` gets no window. It has one, with all of its pieces.
        return result if len(pieces) > room - stride else []
    the order of the three is (begin, window, place).
        $window, place => place, $window
    an answer counts as soon as any of its pieces is inside. All must be: else None.
        $inside => begin <= answer[1] and answer[0] < end
    an answer of one piece is refused. Its first piece is its last.
        $inside => begin <= answer[0] < answer[1] < end
    you return the number of the window in place of `begin`, where it begins in the passage.
        return [(number, *window[1:]) for number, window in enumerate(result)]
    `answer` is None if the passage holds no answer. Test `answer is not None` before you take its places.
        $end => $end\nfirst, last = answer
        or
        answer is not None and =>
    """,
) + pairs_of_edits(
    right_split,
    """
    there is a window too many at the end
        spans.windows(len(pieces), room, stride) => range(0, len(pieces), stride)
    the rest of the passage is lost
        spans.windows(len(pieces), room, stride) => range(0, max(len(pieces) - room, 0) + 1, stride)
    an answer that the window's edge cuts is cut too, but should be None
        begin <= answer[0] and answer[1] < end => begin <= answer[1] and answer[0] < end
        (answer[0] - begin, => (max(answer[0], begin) - begin,
        answer[1] - begin) => min(answer[1], end - 1) - begin)
    `begin` is missing
        ((begin, list => ((list
    """,
)
