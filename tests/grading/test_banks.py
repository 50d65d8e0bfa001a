"""Every answer of every bank through nbgrader: wrong ones lose their points and hear their hint, right ones lose none."""
import pytest
from banks import bank_of, found
from banks.round_trip import graded, problems


@pytest.mark.slow
@pytest.mark.parametrize("assignment, module", found().items())
def test_every_answer_of_a_bank_gets_what_it_deserves(assignment, module):
    wrong = problems(assignment, graded(assignment, bank_of(module)))
    assert not wrong, "\n".join(wrong)
