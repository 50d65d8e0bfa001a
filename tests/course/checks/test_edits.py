"""Tables of known mistakes: hints, and what to replace by what."""

import pytest

from minibert.course.checks.edits import edited, edits, named, pairs_of_edits


def half(x):
    return x / 2


def area(width, height):
    """Multiply: width * height."""
    total = width * height
    return total + half(0)


TABLE = """
$total = width * height

the sides are added. Multiply
them.
    return total => return total + 1
    $total => width + height
this is rounded.
    return round(result)
    or
    return round(result, 1)
it starts with a print.
    total = => print("area")\\ntotal =
half is a third.
    x / 2 => x / 3
    half(0) => half(3)
"""


def test_a_table_gives_its_mistakes_in_order():
    mistakes = edits(area, TABLE, half)
    assert [mistake.hint for mistake in mistakes] == [
        "the sides are added. Multiply them.",
        "this is rounded.",
        "this is rounded.",
        "it starts with a print.",
        "half is a third.",
    ]
    assert [mistake.function(2.5, 2.5) for mistake in mistakes] == [6, 6, 6.2, 6.25, 7.25]
    assert area(2.5, 2.5) == 6.25


def test_a_mistake_is_found_by_a_piece_of_its_hint():
    mistakes = edits(area, TABLE, half)
    assert named(mistakes, "are added")(1, 1) == 3
    assert named(mistakes, "rounded")(2.5, 2.5) == 6
    with pytest.raises(ValueError, match="2 hints contain 'a', but exactly 1 should"):
        named(mistakes[:1] + mistakes[-1:], "a")


def test_a_choice_makes_a_version_with_each_of_its_values():
    mistakes = edits(half, "a multiple.\n    x / 2 => {2 | 3} * x + {0 | 10}\n")
    assert [mistake.function(1) for mistake in mistakes] == [2, 12, 3, 13]
    assert {mistake.hint for mistake in mistakes} == {"a multiple."}


def test_another_result_keeps_the_default_arguments():
    def power(base, exponent=2):
        return base**exponent

    wrong = edited(power, "return result + exponent")
    assert wrong(3) == 11 and wrong(3, 1) == 4


def test_a_piece_must_be_there_once_or_be_replaced_everywhere():
    assert edited(area, "total =>> whole")(2, 3) == 6
    with pytest.raises(ValueError, match="'total' must occur exactly once .+ occurs 2 times"):
        edited(area, "total => whole")(2, 3)
    with pytest.raises(ValueError, match="'volume' must occur .+ once in this source, but it occurs 0 times"):
        edited(area, "volume =>> whole")(2, 3)


def test_a_piece_may_span_lines_with_the_indentation_of_its_first():
    def steps(n):
        for k in range(n):
            n += k
            n -= 1
        return n

    assert edited(steps, r"n += k\nn -= 1 => n += 1\nif n > 5:\n    break")(4) == 6
    with pytest.raises(ValueError, match="occurs 0 times"):
        edited(steps, r"n -= 1\nreturn => return")(3)


def test_two_edits_of_one_piece_make_no_pair():
    both = pairs_of_edits(
        area,
        """
        the sides are added
            width * height => width + height
        the sides are subtracted
            width * height => width - height
        1 is added
            half(0) => 1
        """,
    )
    assert [(pair.hint, pair.function(2, 3)) for pair in both] == [
        ("two mistakes at once: the sides are added; and 1 is added.", 6),
        ("two mistakes at once: the sides are subtracted; and 1 is added.", 0),
    ]


@pytest.mark.parametrize(
    "table, said",
    [
        ("a hint alone.\n", "'a hint alone.': write edits, or a single `return ...`, below the hint"),
        ("a hint.\n    return 1\n    half => third\n", "write edits, or a single"),
        ("a hint.\n    half -> third\n", "'half -> third' must be `old => new`"),
        ("a hint.\n    $half => third\n", r"\$half is not defined above"),
    ],
)
def test_a_table_with_another_line_is_refused(table, said):
    with pytest.raises(ValueError, match=said):
        edits(area, table)


def test_the_source_is_that_of_the_declared_function_even_while_its_code_is_replaced():
    mistakes, code = edits(half, "it is a third.\n    x / 2 => x / 3\n"), half.__code__
    try:
        half.__code__ = (lambda x: None).__code__
        assert mistakes[0].function(3) == 1
    finally:
        half.__code__ = code
