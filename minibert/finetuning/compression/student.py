"""Students that start as part of their teacher: which layers they get, and how these are copied.

Sanh et al. (2019, arXiv 1910.01108), section 3, take one layer out of two; Sun et al. (2019, arXiv
1908.09355) start from the first ones. Axes: L layers.
"""

from collections.abc import Sequence

from ...model import Encoder, FastEncoder
from ...model.low_rank import has_adapters, merged
from ...spelling import did_you_mean

HOW = ("every", "skip", "top", "bottom")


def layer_map(teacher_layers: int, student_layers: int, how: str) -> list[int]:
    """Return one layer of the teacher for each layer of the student: increasing numbers, counted from 0.

    how: "every" takes the last of each group of adjacent layers, as TinyBERT does (Jiao et al., 2020, arXiv
    1909.10351, section 3.1); "skip" goes from the first to the last layer in equal steps, as DistilBERT's
    code does; "top" and "bottom" are the last and the first layers. Raises ValueError for another `how`, or
    unless 1 <= student_layers <= teacher_layers.

    >>> [layer_map(12, 6, how) for how in ("every", "skip")]
    [[1, 3, 5, 7, 9, 11], [0, 2, 4, 7, 9, 11]]
    """
    if not 1 <= student_layers <= teacher_layers:
        raise ValueError(
            f"student_layers={student_layers} must be between 1 and teacher_layers={teacher_layers}"
        )
    if how not in HOW:
        raise ValueError(f"how={how!r} must be one of {', '.join(map(repr, HOW))}{did_you_mean(how, HOW)}")
    L, S = teacher_layers, student_layers
    return {
        "every": [(i + 1) * L // S - 1 for i in range(S)],
        "skip": [(2 * i * (L - 1) + S - 1) // (2 * (S - 1)) for i in range(S)] if S > 1 else [0],
        "top": list(range(L - S, L)),
        "bottom": list(range(S)),
    }[how]


def start_from(teacher: Encoder, layers: Sequence[int]) -> FastEncoder:
    """Return a student with copies of the teacher's embeddings and of some of its layers, in this order.

    layers: numbers counted from 0. Raises ValueError if there are none, or if the teacher lacks one.
    """
    count = len(teacher.layers)
    if not layers or not all(0 <= number < count for number in layers):
        raise ValueError(f"layers={list(layers)} must be numbers between 0 and {count - 1}, at least one")
    teacher = merged(teacher) if has_adapters(teacher) else teacher
    student = FastEncoder(teacher.config.replace(num_hidden_layers=len(layers)))
    student.embeddings.load_state_dict(teacher.embeddings.state_dict())
    for layer, number in zip(student.layers, layers):
        layer.load_state_dict(teacher.layers[number].state_dict())
    return student.to(next(teacher.parameters()).device)
