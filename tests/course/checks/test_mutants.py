"""Mutants are small, named by their change and judged by the test cells; reasons for equivalent ones hold."""

import pytest
from banks import Bank, bank_of, found, kills
from banks.mutants import mutants

from minibert.grading.notebook import marked, read

SOURCE = '''
def f(x, axis=-1):
    """A sentence."""
    if x is None:
        return 0.5
    y = g(x[1:], axis, keepdims=True)
    while y < 3 and x:
        y += 1
        break
    return x - y, ~x
'''


@pytest.mark.parametrize(
    "new",
    [
        "def f(x, axis=-0):",
        "def f(x, axis=-2):",
        "if x is not None:",
        "return 0.55",
        "y = g(axis, x[1:], keepdims=True)",
        "y = g(x[1:], axis)",
        "y = g(x[2:], axis, keepdims=True)",
        "y = g(x, axis, keepdims=True)",
        "y = x[1:]",
        "while y <= 3 and x:",
        "while y >= 3 and x:",
        "while y < 3 or x:",
        "while y < 3:",
        "while not (y < 3 and x):",
        "while False:",
        "y -= 1",
        "y += 2",
        "continue",
        "return (y - x, ~x)",
        "return (x + y, ~x)",
        "return (x, ~x)",
        "return (x - y, x)",
        "return (~x, x - y)",
        "y = g(x[1:], axis, keepdims=False)",
        "pass",
    ],
)
def test_each_kind_of_change_is_made(new):
    assert any(name.endswith(f"-> {new}") for name in mutants(SOURCE))


def test_mutants_differ_from_each_other_and_from_the_source_and_compile():
    made = mutants(SOURCE)
    assert len(set(made.values())) == len(made) > 30
    assert not any("sentence" in source for source in made.values())
    for source in made.values():
        compile(source, "mutant", "exec")


def test_what_commutes_is_not_swapped():
    assert not any(name.endswith("return y + x") for name in mutants("def f(x, y):\n    return x + y"))


CELL = "def double(x):\n    return 2 * x"
TESTS = {"visible": ("4.0 if double(2) == 4 else 1.5", 4), "hidden": ("assert double(3) == 6", 2)}


@pytest.mark.parametrize(
    "answer, failed",
    [
        (CELL, ()),
        (CELL.replace("2 * x", "4"), ("hidden",)),
        (CELL.replace("return", "yield"), ("visible", "hidden")),
        ("def double(x:", ("visible", "hidden")),
    ],
)
def test_a_mutant_fails_the_tests_cells_that_notice_it(answer, failed):
    assert kills.failed(answer, TESTS, {}) == failed


def test_a_mutant_that_goes_on_for_ever_is_ended(monkeypatch):
    monkeypatch.setattr(kills, "SECONDS", 1)
    endless = (
        "def double(x):\n    while True:\n        try:\n            x = -x\n"
        "        except Exception:\n            pass"
    )
    assert kills.failed(endless, TESTS, {}) == ("visible", "hidden")


@pytest.mark.parametrize("assignment, module", found().items())
def test_each_equivalent_mutant_is_a_mutant_and_has_a_reason(assignment, module, root):
    cells = marked(read(root / "solutions" / assignment / f"{assignment}.ipynb"))
    asked = kills.exercises(read(root / "solutions" / assignment / f"{assignment}.ipynb"))
    for exercise, bank in bank_of(module).items():
        unknown = set(bank.equivalent) - set(mutants(cells[asked[exercise][0]].source))
        assert not unknown, exercise
        assert all(bank.equivalent.values()), exercise


def test_a_bank_without_equivalent_mutants_needs_no_entry():
    assert Bank({}, {}).equivalent == {}
