"""Students' common mistakes in `split_passage`: in the windows, and in the answer's position in each window.

Windows with a stride are used in `run_squad.py`, released by the authors of Devlin et al. (2019, arXiv
1810.04805).
"""

from minibert.data import spans

from ..checks.edits import edits, pairs_of_edits

Window = tuple[int, list[int], tuple[int, int] | None]


def right_split(pieces: list[int], answer: tuple[int, int] | None, room: int, stride: int) -> list[Window]:
    """Return (begin, tokens, position of the answer or None) for each window, as `split_passage` should."""
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

    you have too many windows. Stop after the first window that reaches the end of the passage.
        $begins => range(0, len(pieces), stride)
        or
        $begins => range(0, max(1, len(pieces) - room + stride + 1), stride)
    you leave out the end of the passage. Add a last window, which may be shorter than `room`.
        $begins => range(0, max(len(pieces) - room, 0) + 1, stride)
    you move the last window to the left to fill it. Keep the distance of `stride`, even if it is shorter.
        $end => begin = min(begin, max(0, len(pieces) - room))\n$end
    your windows do not overlap. Begin each window `stride` tokens after the previous one, not `room` tokens.
        $begins => spans.windows(len(pieces), room, room)
    you use `stride` as the overlap. It is the distance between the beginnings of two windows.
        $begins => spans.windows(len(pieces), room, max(1, room - stride))
    if a window contains only part of the answer, you return that part's position. Return None.
        $inside => begin <= answer[1] and answer[0] < end
        $place => (max(answer[0], begin) - begin, min(answer[1], end - 1) - begin)
    you accept an answer even if only its start is inside the window. If its end is outside, return None.
        $inside => begin <= answer[0] < end
    you accept an answer of which only the end is inside the window. If its start is outside, return None.
        $inside => begin <= answer[1] < end
    you return positions in the passage. Count from the window's first token.
        $place => tuple(answer)
    you reject an answer at the very end of a window. Its last token may be the window's last.
        answer[1] < end => answer[1] < end - 1
    you reject an answer at the very beginning of a window. Its first token may be the window's first.
        begin <= answer[0] => begin < answer[0]
    you accept an answer that ends one token after the window. Its last token must be inside the window.
        answer[1] < end => answer[1] <= end
    you return positions for every window. Return None if the answer is not inside the window.
        $inside => True
    for a window without the answer you return (0, 0), which is the window's first token. Return None.
        place = None => place = answer and (0, 0)
    your windows have one token too few. A full window has `room` tokens.
        begin + room => begin + room - 1
    your windows have one token too many. A full window has `room` tokens.
        begin + room => begin + room + 1
    you leave out windows without the answer. Keep them, so that the model learns that it may be missing.
        return [window for window in result if window[2] is not None]
    `begin` is missing from your results. Return (begin, window, place) for each window.
        (begin, $window => ($window
    you search for the answer's tokens, but a token may occur more than once. Use the answer's positions
    instead.
        $place => tuple($window.index(pieces[i]) for i in answer)
    you pad the last window. Leave it shorter than `room`.
        $window => $window + [{None | 0 | "" | "[PAD]"}] * (begin + room - end)
    you return the answer's position only for the first window that contains it. Windows overlap, so return it
    for each of them.
        $inside => $inside and not any(known for *_, known in found)
    you count `begin` from 1. The index of the passage's first token is 0.
        (begin, $window => (begin + 1, $window
    your second position is one too large. Return the position of the answer's last token.
        answer[1] - begin => answer[1] - begin + 1
    your second number is the length of the answer. Return the position of its last token.
        answer[1] - begin => answer[1] - answer[0] + 1
    you return only the first window. Return all windows.
        return result[:1]
    you return no window for a passage shorter than `room`. Return one window with all of its tokens.
        return result if len(pieces) > room - stride else []
    you return the parts of a window in the wrong order. The order is (begin, window, place).
        $window, place => place, $window
    you accept an answer if any of its tokens is inside the window. All of them must be.
        $inside => begin <= answer[1] and answer[0] < end
    you reject an answer of one token. Accept it: its first token is also its last.
        $inside => begin <= answer[0] < answer[1] < end
    you return the number of the window instead of `begin`. Return the position in the passage at which the
    window begins.
        return [(number, *window[1:]) for number, window in enumerate(result)]
    you use `answer` even if it is None, for a passage without an answer. Check for None first.
        $end => $end\nfirst, last = answer
        or
        answer is not None and =>
    """,
) + pairs_of_edits(
    right_split,
    """
    you have too many windows, because you do not stop at the first one that reaches the end of the passage
        spans.windows(len(pieces), room, stride) => range(0, len(pieces), stride)
    you leave out the end of the passage, which belongs in a last, shorter window
        spans.windows(len(pieces), room, stride) => range(0, max(len(pieces) - room, 0) + 1, stride)
    you return positions if a window contains only part of the answer, but you should return None
        begin <= answer[0] and answer[1] < end => begin <= answer[1] and answer[0] < end
        (answer[0] - begin, => (max(answer[0], begin) - begin,
        answer[1] - begin) => min(answer[1], end - 1) - begin)
    `begin` is missing from your results, which should be (begin, window, place)
        ((begin, list => ((list
    """,
)
