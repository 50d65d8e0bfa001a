"""Answers of every bank through nbgrader: wrong ones lose their points, right ones lose none."""

import pytest
from banks import Bank, a_few, bank_of, banked, exercises, found, solutions
from banks.round_trip import Answer, Verdict, graded, problems, sheets, widened

from minibert.grading.notebook import from_source, marked, text

UNITS_EACH = 12  # one unit in so many, where not all tests run


@pytest.mark.slow
@pytest.mark.takes_turns("assignment", "module", every=UNITS_EACH)
@pytest.mark.parametrize("assignment, module", found().items())
def test_answers_of_a_bank_get_what_they_deserve(assignment, module, turn):
    bank = a_few(bank_of(module), turn // UNITS_EACH)
    wrong = problems(assignment, graded(assignment, bank))
    assert not wrong, "\n".join(wrong)


def test_every_assignment_has_a_bank(root):
    assert set(found()) == {path.name for path in (root / "solutions").iterdir() if path.is_dir()}


@pytest.mark.parametrize("assignment, module", found().items())
def test_each_exercise_has_at_least_four_right_answers_and_five_wrong_ones(assignment, module):
    short = {
        exercise: (len(bank.right), len(bank.wrong))
        for exercise, bank in bank_of(module).items()
        if len(bank.right) < 4 or len(bank.wrong) < 5
    }
    assert not short, assignment


@pytest.mark.parametrize(
    "piece, loses, lost, said, problem",
    [
        (None, None, (0, 0), "f: passed.", ""),
        (None, None, (0, 1), "f: no.", "a right answer loses 1 of 3 points: f: no."),
        ("mul  tiply", "all", (2, 1), "f: mul tiply.", ""),
        ("add|multiply", "all", (2, 1), "f: multiply.", ""),
        ("multiply", "all", (2, 1), "f: no.", "caught without its hint, 'multiply': f: no."),
        ("multiply", "all", (0, 0), "", "this wrong answer loses 0 of 3 points, not 2 to 3: "),
        ("multiply", "all", (1, 1), "multiply", ""),
        (
            "multiply",
            "all",
            (0, 1),
            "multiply",
            "this wrong answer loses 1 of 3 points, not 2 to 3: multiply",
        ),
        ("multiply", "hidden", (0, 1), "multiply", ""),
        ("multiply", "hidden", (2, 1), "multiply", "this wrong answer loses 3 of 3 points, not 1: multiply"),
        ("multiply", "visible", (1, 0), "multiply", ""),
        (
            "multiply",
            "visible",
            (0.9, 0),
            "multiply",
            "this wrong answer loses 0.9 of 3 points, not 1 to 2: multiply",
        ),
        ("multiply", 1, (1, 0), "multiply", ""),
        ("multiply", 1, (2, 0), "multiply", "this wrong answer loses 2 of 3 points, not 1: multiply"),
    ],
)
def test_what_differs_from_the_bank_is_said_with_unit_exercise_and_answer(piece, loses, lost, said, problem):
    """An exercise of two visible points and a hidden one."""
    answer = Answer("f", "sum", "", piece, loses)
    points = {"f-visible": lost[0], "f-hidden": lost[1]}
    lines = problems("99_new", [Verdict(answer, points, {"f-visible": 2, "f-hidden": 1}, said)])
    assert lines == ([f"99_new, f, answer 'sum': {problem}"] if problem else [])


BANKS = {
    "f": Bank({"a": "import torch", "b": "def f(): pass"}, {"c": ("", "hint"), "d": ("", "hint", "hidden")}),
    "g": Bank({"a": "def g(): pass"}, {}),
}


NOTEBOOK = """# %% nb="solution f"
import math  # sine

@cache
def f(x):
    \'\'\'Return the sum x + x.\'\'\'
    ### BEGIN SOLUTION
    # add
    return x + x                  # twice x
    ### END SOLUTION
"""
SOLUTION_OF_F = "import math\n\n@cache\ndef f(x):\n    return x + x"
TABLE = r"""
    twice
        return 2 * x
    a helper
        def double(x):
            return 2 * x
        def f(x):
            return double(x)
    thrice [2]: multiply|by 2: once
        return => x += x\nreturn
        x + x =>> x
"""


def test_a_table_gives_answers_by_their_source_their_body_or_edits():
    assert banked(TABLE, SOLUTION_OF_F, builds_on_all=True) == Bank(
        right={
            "the solution": SOLUTION_OF_F,
            "twice": "@cache\ndef f(x):\n    return 2 * x",
            "a helper": "def double(x):\n    return 2 * x\ndef f(x):\n    return double(x)",
        },
        wrong={
            "thrice": ("import math\n\n@cache\ndef f(x):\n    x += x\n    return x", "multiply|by 2: once", 2)
        },
        builds_on_all=True,
    )


@pytest.mark.parametrize(
    "more, said",
    [
        ("    a name: a hint\n    none\n        return x", "'a name' has no answer, or is there twice"),
        ("    twice: a hint\n        return x", "'twice' has no answer, or is there twice"),
        ("    y: a hint\n        y => z", "'y' must occur"),
    ],
)
def test_a_table_with_another_entry_is_refused(more, said):
    with pytest.raises(ValueError, match=said):
        banked(TABLE + more, SOLUTION_OF_F)


def test_the_solution_is_read_without_docstring_and_comments(tmp_path):
    folder = tmp_path / "solutions" / "99_new"
    folder.mkdir(parents=True)
    (folder / "99_new.ipynb").write_text(text(from_source(NOTEBOOK, "99_new.nb.py")), "utf-8")
    assert solutions("99", tmp_path) == {"f": SOLUTION_OF_F}


def test_each_answer_has_its_place_and_right_ones_fill_up():
    first, second = sheets(BANKS, 3)
    assert [answer.name for answer in first["f"] + second["f"]] == ["a", "b", "c", "d", "b", "b"]
    assert [answer.loses for answer in first["f"] + second["f"][:1]] == [None, None, "all", "hidden"]
    assert {answer.name for answer in first["g"] + second["g"]} == {"a"}


def test_what_a_helper_calls_stands_alone_in_its_notebook():
    alone = sheets({"f": BANKS["f"]}, 2, ["f"])
    assert [[answer.name for answer in sheet["f"]] for sheet in alone] == [[name] * 2 for name in "abcd"]


def test_what_builds_on_all_stands_beside_right_answers_only():
    whole = Bank({"e": ""}, {"h": ("", "hint")}, builds_on_all=True)
    *together, apart = sheets({"f": BANKS["f"], "whole": whole}, 3)
    assert [sorted(sheet) for sheet in together] == [["f"], ["f"]]
    assert {name: [answer.name for answer in row] for name, row in apart.items()} == {
        "f": ["b"] * 3,
        "whole": ["e", "h", "e"],
    }


SOLUTION = """# %% nb="read given"
x = 1

# %% nb="solution one"
def helper():
    return 1


def one():
    return helper()

# %%
one()

# %% nb="tests one-visible 2"
assert one() == 1

# %% nb="tests one-hidden 1"
assert one() == 1

# %% [markdown] nb="manual why 2"
# Because.
"""


def test_the_cells_of_an_exercise_stand_several_times_in_the_notebook_that_is_graded():
    solution = from_source(SOLUTION, "99_new.nb.py")
    assert exercises(solution) == {"one": ["one", "one-visible", "one-hidden"]}
    wide = widened(solution, 2)
    again = ["one--2", "one-visible--2", "one-hidden--2"]
    assert list(marked(wide)) == ["given", "one", "one-visible", "one-hidden", *again]
    assert len({cell["id"] for cell in wide.cells}) == len(wide.cells) == 7


def test_a_bank_about_another_exercise_is_refused(root):
    with pytest.raises(
        ValueError, match=r"02_attention asks for \[.*'softmax'.*\], its bank is about \['f', 'g'\]"
    ):
        graded("02_attention", BANKS, root)


def test_a_bank_is_found_by_its_file(tmp_path):
    (tmp_path / "solutions" / "07_new").mkdir(parents=True)
    for name in (
        "solutions/07_new/07_new.nb.py",
        "unit07.py",
        "unit08.py",
        "unit07_more.py",
        "round_trip.py",
    ):
        (tmp_path / name).touch()
    assert found(tmp_path, tmp_path) == {"07_new": "unit07"}
