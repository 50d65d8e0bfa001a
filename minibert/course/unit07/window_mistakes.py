"""Known mistakes in `split_passage`: the windows, and the place of the answer in each of them.

Windows with a stride are used in `run_squad.py`, released by the authors of Devlin et al. (2019, arXiv
1810.04805).
"""

from minibert.data import spans

from ..checks.edits import edits, pairs_of_edits

Window = tuple[int, list[int], tuple[int, int] | None]


def right_split(pieces: list[int], answer: tuple[int, int] | None, room: int, stride: int) -> list[Window]:
    """Return (begin, tokens, place of the answer) of each window: the reference of `split_passage`."""
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

    you have too many windows: the one before the last already reaches the end of the passage. Stop there.
        $begins => range(0, len(pieces), stride)
    the rest of the passage is lost. The last window may be shorter than `room`.
        $begins => range(0, max(len(pieces) - room, 0) + 1, stride)
    you move the last window to the left to fill it. Keep the stride; the last window may be shorter.
        $end => begin = min(begin, max(0, len(pieces) - room))\n$end
    your windows do not overlap. Each begins `stride` tokens after the previous one, not `room`.
        $begins => spans.windows(len(pieces), room, room)
    you use `stride` as the overlap. It is the distance between the beginnings of two windows.
        $begins => spans.windows(len(pieces), room, max(1, room - stride))
    if the window's edge cuts an answer, you return a part of it. Half an answer does not count: return None.
        $inside => begin <= answer[1] and answer[0] < end
        $place => (max(answer[0], begin) - begin, min(answer[1], end - 1) - begin)
    you accept an answer if only its start is inside. Its end must be inside too; otherwise return None.
        $inside => begin <= answer[0] < end
    you accept an answer if only its end is inside. Its start must be inside too; otherwise return None.
        $inside => begin <= answer[1] < end
    you return places in the passage. Count from the window's first token: subtract `begin`.
        $place => tuple(answer)
    you reject an answer at the very end of a window. Its last token may be the window's last.
        answer[1] < end => answer[1] < end - 1
    you reject an answer at the very beginning of a window. Its first token may be the window's first.
        begin <= answer[0] => begin < answer[0]
    you accept an answer that ends one token after the window. Its last token must be inside.
        answer[1] < end => answer[1] <= end
    every window has a place for the answer. Return None if the answer is not inside the window.
        $inside => True
    for a window without the answer you return (0, 0). This is [CLS] in a whole sequence, but here it is the
    window's first token: return None.
        place = None => place = answer and (0, 0)
    your windows have one token too few. `room` is the number of tokens.
        begin + room => begin + room - 1
    your windows have one token too many. `room` is the number of tokens.
        begin + room => begin + room + 1
    you leave out windows without the answer. Keep them: they teach the model that the answer may be missing.
        return [window for window in result if window[2] is not None]
    `begin` is missing. A window is (begin, pieces, place).
        (begin, $window => ($window
    you search for the answer's tokens, but a token may occur more than once.
    Compute the place: subtract `begin`.
        $place => tuple($window.index(pieces[i]) for i in answer)
    you fill up the last window. It may be shorter than `room`.
        $window => $window + [{None | 0 | "" | "[PAD]"}] * (begin + room - end)
    only the first window with the answer has a place. Windows overlap, so several may
    contain it: return a place in each.
        $inside => $inside and not any(known for *_, known in found)
    you count `begin` from 1. The first token of the passage is number 0.
        (begin, $window => (begin + 1, $window
    your second place is one too large. It is the place of the answer's last token.
        answer[1] - begin => answer[1] - begin + 1
    your second number is the answer's length. It should be the place of its last token.
        answer[1] - begin => answer[1] - answer[0] + 1
    you return only the first window. Return all of them.
        return result[:1]
    a passage shorter than `room` gets no window. Return one window with all of its tokens.
        return result if len(pieces) > room - stride else []
    your results are in the wrong order. The order is (begin, window, place).
        $window, place => place, $window
    you accept an answer if any of its tokens is inside. All must be inside; otherwise return None.
        $inside => begin <= answer[1] and answer[0] < end
    you reject an answer of one token. Its first token is also its last.
        $inside => begin <= answer[0] < answer[1] < end
    you return the number of the window instead of `begin`, the place where it begins in the passage.
        return [(number, *window[1:]) for number, window in enumerate(result)]
    `answer` is None if the passage has no answer. Check `answer is not None` before you use its places.
        $end => $end\nfirst, last = answer
        or
        answer is not None and =>
    """,
) + pairs_of_edits(
    right_split,
    """
    there is one window too many at the end
        spans.windows(len(pieces), room, stride) => range(0, len(pieces), stride)
    the rest of the passage is lost
        spans.windows(len(pieces), room, stride) => range(0, max(len(pieces) - room, 0) + 1, stride)
    an answer cut by the window's edge has a place, not None
        begin <= answer[0] and answer[1] < end => begin <= answer[1] and answer[0] < end
        (answer[0] - begin, => (max(answer[0], begin) - begin,
        answer[1] - begin) => min(answer[1], end - 1) - begin)
    `begin` is missing
        ((begin, list => ((list
    """,
)
