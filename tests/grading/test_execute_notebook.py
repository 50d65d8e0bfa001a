"""One notebook in two processes: honest answers, objects, generators, and cells that end badly."""

import os
from pathlib import Path

import nbformat
import pytest
from conftest import ROOT

from minibert.grading.notebook import IDLE, OURS, field, marked, metadata, read
from minibert.grading.run.cell_by_cell import NOT_RUN
from minibert.grading.run.execute_notebook import execute, execute_in
from minibert.grading.run.kernel_pool import KernelPool
from minibert.grading.sandbox import availability, other_user
from minibert.grading.sandbox.limits import Policy

pytestmark = pytest.mark.sandbox
POLICY = Policy(exercise_seconds=2, memory_mb=1500)


def notebook(*cells):
    """A notebook of (mark or None, source)."""
    made = [
        nbformat.v4.new_code_cell(source, metadata={"nbgrader": metadata(mark)} if mark else {})
        for mark, source in cells
    ]
    return nbformat.v4.new_notebook(cells=made)


def answered(answer, *tests, setup="import numpy as np"):
    """A student's cell between the set-up and tests."""
    return notebook(
        ("read setup", setup),
        ("solution answer", answer),
        *[(f"tests t{number} 1", test) for number, test in enumerate(tests)],
    )


def said(executed):
    """What each test says: its error, or an empty string."""
    return [
        next((o.evalue for o in cell.outputs if o.output_type == "error"), "")
        for name, cell in marked(executed.notebook).items()
        if field(cell, "grade")
    ]


@pytest.fixture
def patient(kernels):
    """Kernels with the ordinary limits, for honest work that a slow machine takes longer for."""
    with KernelPool(Policy(memory_mb=POLICY.memory_mb)) as patient:
        yield patient


def test_the_solution_of_a_unit_passes_all_its_tests(patient, taken):
    executed = execute_in(patient, read(ROOT / "solutions" / "02_attention" / "02_attention.ipynb"))
    assert (executed.problems, executed.hints, executed.timed_out) == ((), (), False)
    assert executed.cpu_seconds > 0 and len(taken) == 1  # no test ran again
    cells = marked(executed.notebook)
    shown = cells["softmax-visible"].outputs[0].data
    assert shown["text/plain"].startswith("softmax: passed.") and "<div" in shown["text/html"]
    assert "BROKEN:" in cells["gpt_layer-examined"].outputs[0].text


def test_a_failed_test_says_why_and_nothing_of_itself(kernels):
    tests = [
        "assert answer(2) == 5, 'not 5'",
        "### BEGIN HIDDEN TESTS\nassert answer(2) == 5\n### END HIDDEN TESTS",
        "assert answer(2) == 5",
        "assert missing(2)",
    ]
    given = answered("def answer(x):\n    return x", *tests)
    before = nbformat.writes(given)
    executed = execute_in(kernels, given)
    assert nbformat.writes(given) == before
    lost = "missing: the function does not exist. Was it renamed or deleted?"
    assert said(executed) == ["not 5", "", "", lost]
    shown = [
        cell.outputs[0].traceback for name, cell in marked(executed.notebook).items() if name.startswith("t")
    ]
    assert shown[1] == ["AssertionError: "] and shown[2] == ["assert answer(2) == 5", "AssertionError: "]
    assert [text for _, text in executed.hints] == [
        "not 5",
        "AssertionError",
        "assert answer(2) == 5\nAssertionError",
        lost,
    ]


@pytest.mark.parametrize("call", ["breakpoint()", "import pdb; pdb.set_trace()"])
def test_a_debugger_that_is_left_in_does_nothing(kernels, call):
    executed = execute_in(
        kernels, answered(f"def answer(x):\n    {call}\n    return 2 * x\n{call}", "assert answer(2) == 4")
    )
    assert said(executed) == [""] and not executed.problems


def test_her_own_exceptions_keep_name_text_and_her_lines(kernels):
    answer = (
        "class Own(ValueError):\n    pass\ndef helper(x):\n    raise Own(f'{x} is odd')\n"
        "def answer(x):\n    return helper(x)"
    )
    executed = execute_in(kernels, answered(answer, "answer(3)", "answer(4)\n### BEGIN HIDDEN TESTS"))
    (output,) = marked(executed.notebook)["t0"].outputs
    assert (output.ename, output.evalue) == ("Own", "3 is odd")
    assert output.traceback == [
        "line 6, in answer: return helper(x)",
        "line 4, in helper: raise Own(f'{x} is odd')",
        "Own: 3 is odd",
    ]
    caught = (
        "try:\n    answer(3)\nexcept ValueError as error:\n    assert error.raised_in == 'helper'\n"
        "else:\n    assert False"
    )
    assert said(execute_in(kernels, answered(answer, caught))) == [""]


def test_what_she_changes_in_place_is_changed_for_the_test(kernels):
    answer = """def answer(x, items, names, rng):
    x += 1
    items.append(3)
    names['new'] = 4
    return rng.random()"""
    test = """x, items, names, rng = np.zeros(2), [1], {"old": 2}, np.random.default_rng(0)
same = np.random.default_rng(0)
assert answer(x, items, names, rng) == same.random()
assert (x == 1).all() and items == [1, 3] and names == {"old": 2, "new": 4}
assert rng.random() == same.random()"""
    assert said(execute_in(kernels, answered(answer, test))) == [""]


def test_a_counted_generator_is_not_sent_back_and_ends_a_loop(kernels):
    test = """from minibert.course.checks.chance import counted
once, rng = counted(np.random.default_rng(0)), np.random.default_rng(0)
states = [one.bit_generator.state for one in (once, rng)]
answer(once), answer(rng)
assert [one.bit_generator.state == state for one, state in zip((once, rng), states)] == [True, False]"""
    assert said(execute_in(kernels, answered("def answer(rng):\n    return rng.random()", test))) == [""]
    test = "from minibert.course.checks.chance import counted\nanswer(counted(np.random.default_rng(0)))"
    executed = execute_in(kernels, answered("def answer(rng):\n    while True:\n        rng.random()", test))
    assert said(executed)[0].startswith("your loop does not end") and not executed.timed_out


def test_a_stand_in_keeps_the_protocol_of_answers(kernels):
    setup = "import numpy as np\nfrom minibert.reference.attention import softmax"
    answer = """def answer(x, axis=-1):
    return softmax(x, axis), helper(x)
def helper(x):
    return 'hers'"""
    test = """import inspect
from minibert.course.checks.guard import CheckFailed
assert callable(answer) and answer.__name__ == "answer"
assert str(inspect.signature(answer)) == "(x, axis=-1)"
assert answer(np.zeros(2))[1] == "hers"
assert answer.sibling("nothing") is None and answer.sibling("helper")(1) == "hers"
with answer.without(["minibert.reference.attention:softmax"]):
    for _ in range(2):
        try:
            answer(np.zeros(2))
        except CheckFailed as error:
            assert "own implementation" in str(error)
        else:
            assert False
with answer.lend({"helper": softmax}):
    assert np.array_equal(answer(np.zeros(2))[1], [0.5, 0.5])
assert answer(np.zeros(2))[1] == "hers"
before = answer.global_states()
answer(np.zeros(2))
assert answer.global_states() == before and 0 <= answer.seconds < 1"""
    assert said(execute_in(kernels, answered(answer, test, setup=setup))) == [""]


def test_global_generators_start_alike_and_are_seen_to_move(kernels):
    answer = "import random\ndef answer():\n    return np.random.random(), random.random()"
    test = """before = answer.global_states()
first = answer()
assert before["np.random"] != answer.global_states()["np.random"]"""
    show = "print(answer())"
    runs = [execute_in(kernels, answered(answer, test, show)) for _ in range(2)]
    assert said(runs[0]) == ["", ""]
    texts = [marked(run.notebook)["t1"].outputs[0].text for run in runs]
    assert texts[0] == texts[1]


def test_classes_make_objects_whose_methods_give_data(kernels):
    answer = """class Answer:
    def __init__(self, start):
        self.start, self.seen = start, {}
    def add(self, x):
        self.seen[x] = self.start + x
        return self
    def __len__(self):
        return len(self.seen)
    def __iter__(self):
        return iter(self.seen.items())
    def __eq__(self, other):
        return True
def answer(start):
    return Answer(start)"""
    test = """thing = Answer(10)
assert type(thing).__name__ == "Answer" and type(answer(1)).__name__ == "Answer"
assert thing.add(1).add(2).seen == {1: 11, 2: 12} and len(thing) == 2 and list(thing) == [(1, 11), (2, 12)]
thing.start = 20
assert thing.add(3).seen[3] == 23
assert thing != Answer(10) and not np.allclose(0, 1)
try:
    thing.nothing
except AttributeError:
    pass
else:
    assert False"""
    assert said(execute_in(kernels, answered(answer, test))) == [""]


def test_modules_of_pytorch_give_tensors(kernels):
    pytest.importorskip("torch")
    answer = """import torch
class Answer(torch.nn.Module):
    def __init__(self, size):
        super().__init__()
        self.linear = torch.nn.Linear(size, 2)
    def forward(self, x):
        return self.linear(x)"""
    test = """import torch
model = Answer(3)
state = model.state_dict()
assert sorted(state) == ["linear.bias", "linear.weight"] and state["linear.weight"].shape == (2, 3)
x = torch.arange(6.0).reshape(2, 3)
assert torch.allclose(model(x), x @ state["linear.weight"].T + state["linear.bias"])
assert sum(p.numel() for p in model.parameters()) == 8
model.load_state_dict({name: torch.zeros_like(value) for name, value in state.items()})
assert not model(x).any()"""
    executed = execute(answered(answer, test))  # importing PyTorch takes seconds
    assert said(executed) == [""], executed.problems


def test_set_up_runs_in_both_and_files_are_there_and_shadow_nothing(kernels):
    setup = "import random\nrows = open('rows.csv').read()\ndef drawn(x):\n    return x, random.randrange(1)"
    answer = "import helper\ndef answer():\n    return drawn(len(rows) + helper.value)"
    test = "assert answer() == drawn(len(rows) + len(open('deep/more.txt').read()))"
    files = {"helper.py": b"value = 3", "random.py": b"raise SystemExit"}
    files |= {"rows.csv": b"1,2", "deep/more.txt": b"abc"}
    executed = execute_in(kernels, answered(answer, test, setup=setup), files)
    assert said(executed) == [""], executed.problems


def test_set_up_behind_the_last_test_is_the_students_alone(kernels, tmp_path):
    setups = [
        f"open('{tmp_path / name}', 'w').close()" for name in ("before", "behind")
    ]  # her sandbox has no such folder
    answer = ("solution b", "answer = 1"), ("tests c 1", "answer")
    execute_in(kernels, notebook(("read a", setups[0]), *answer, ("read d", setups[1])))
    assert [path.name for path in tmp_path.iterdir()] == ["before"]


def test_an_idle_cell_is_not_run_and_says_so(kernels):
    cells = notebook(("tests t0 1", "1"), (None, "while True:\n    pass"))
    cells.cells[1].metadata[OURS] = {IDLE: True}
    executed = execute_in(kernels, cells)
    assert executed.notebook.cells[1].outputs[0].text == NOT_RUN and not executed.problems


def test_a_dead_kernel_costs_its_cell_and_no_other(kernels):
    catches = "try:\n    first()\nexcept Exception:\n    raise ValueError('it is wrong') from None"
    cells = [
        ("read setup", "import os"),
        ("solution first", "def first():\n    os._exit(1)"),
        ("tests t0 1", "first()"),
        ("tests t1 1", catches),
        ("solution second", "os._exit(1)"),
        ("solution third", "def third():\n    return 3"),
        ("tests t2 1", "assert third() == 3"),
        (None, "third() + 1"),
    ]
    executed = execute_in(kernels, notebook(*cells))
    assert said(executed)[0] == "the kernel ended" and said(executed)[2] == ""
    assert executed.problems == tuple(f"cell {name}: the kernel ended" for name in ("t0", "t1", "second"))
    assert executed.notebook.cells[-1].outputs[0].data["text/plain"] == "4"


def test_a_loop_is_interrupted_and_the_rest_goes_on(kernels):
    cells = [
        ("solution first", "def first():\n    while True:\n        pass"),
        ("tests t0 1", "first()"),
        (None, "while True:\n    pass"),
        ("solution second", "def second():\n    return 2"),
        ("tests t1 1", "assert second() == 2"),
    ]
    executed = execute_in(kernels, notebook(*cells))
    assert said(executed)[0].startswith("it computed for more than 2 s") and said(executed)[1] == ""
    assert [problem.split(":")[0] for problem in executed.problems] == ["cell t0", "cell 3"]
    assert executed.timed_out
    assert 3 <= executed.cpu_seconds < 12


def test_a_test_that_never_ends_is_ended(kernels):
    executed = execute_in(
        kernels, answered("def answer():\n    return 1", "while answer():\n    pass", "assert answer() == 1")
    )
    assert executed.timed_out and said(executed)[1] == "another test of this exercise took too long"


def test_a_check_may_show_html_and_give_a_part_of_the_points(kernels):
    from nbgrader.utils import determine_grade

    html = """import sys
from IPython.display import HTML, display
display(HTML('<b>good</b>'))
print('passed')
print('w', file=sys.stderr)"""
    part = "print('why')\nanswer() / 4"
    executed = execute_in(kernels, answered("def answer():\n    print(9)\n    return 1", html, part))
    outputs = marked(executed.notebook)["t0"].outputs
    assert [output.output_type for output in outputs] == ["stream", "stream", "display_data"]
    assert outputs[2].data["text/html"] == "<b>good</b>" and outputs[0].name == outputs[1].name == "stdout"
    assert determine_grade(marked(executed.notebook)["t1"])[0] == 0.25
    assert executed.hints == (("t1", "0.25 of 1 points"),)


def test_the_time_that_an_answer_takes_is_measured_from_outside(kernels):
    answer = "import time\ntime.process_time = lambda: 0.0\ndef answer():\n    return sum(range(10 ** 7))"
    assert said(execute_in(kernels, answered(answer, "answer()\nassert 0.05 < answer.seconds < 5"))) == [""]


def test_a_check_shows_its_box(kernels):
    test = "from minibert.course import unit02 as check\ncheck.softmax(answer)"
    answer = "def answer(x, axis=-1):\n    return np.exp(x - x.max()) / np.exp(x - x.max()).sum()"
    executed = execute_in(kernels, answered(answer, test))
    outputs = marked(executed.notebook)["t0"].outputs
    assert [output.output_type for output in outputs] == ["display_data", "error"]
    assert "not passed yet" in outputs[0].data["text/html"] and outputs[1].ename == "CheckFailed"
    assert executed.hints[0][1].startswith("softmax: ") and executed.hints[0][1] == outputs[1].evalue


def test_names_of_cells_may_choose_what_is_trusted(kernels):
    executed = execute_in(
        kernels, answered("def answer():\n    return 1", "x = 1", "assert answer() == 1"), trusted=("t1",)
    )
    assert said(executed) == ["", ""] and executed.hints == ()


def test_what_a_test_makes_stays_its_own_whatever_the_student_calls_so(kernels):
    tests = ["wanted = 3\nassert answer() == wanted", "assert wanted == 3\nassert other == 8"]
    answer = "wanted, other = 5, 8\ndef answer():\n    return 3"
    assert said(execute_in(kernels, answered(answer, *tests))) == ["", ""]


@pytest.mark.parametrize("way", ["limits", "none"])
def test_without_a_sandbox_it_works_alike(way):
    tests = "assert answer(np.ones(2)).sum() == 4", "assert answer(1) == 3, 'no'"
    executed = execute(
        answered("def answer(x):\n    return x + 1", *tests), Policy(sandbox=way), {"rows.csv": b"1"}
    )
    assert [bool(text) for text in said(executed)] == [False, True] and executed.problems == ()


@pytest.mark.parametrize("way", ["bwrap", "none"])
def test_other_people_on_the_machine_cannot_reach_a_kernel(way):
    with KernelPool(Policy(sandbox=way)) as kernels:
        folder = kernels.waiting[0].exchange
        assert folder.stat().st_mode & 0o077 == 0
        owner = folder.stat().st_uid
        becomes_another = other_user.is_root() and way == "bwrap"
        assert owner in other_user.USERS if becomes_another else owner == os.getuid()


def test_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    with KernelPool(Policy(sandbox="bwrap" if not availability.reason_unavailable() else "none")) as kernels:
        execute_in(kernels, answered("answer = 1", "assert answer == 1"))
        pids = [kernels.trusted_process.process.pid, *(student.process.pid for student in kernels.waiting)]
    assert list(tmp_path.iterdir()) == []
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_many_calls_in_one_crossing_are_as_one_after_the_other(kernels):
    answer = """
def answer(x, rng, end=False):
    if end:
        raise LookupError("it is the end")
    x += 1
    buffer[:] = x + rng.random()
    return buffer
buffer = np.zeros(2)"""
    test = """
x, rng, same = np.zeros(2), np.random.default_rng(3), np.random.default_rng(3)
got = list(answer.many([(x, rng)] * 3))
assert [value[0] for value in got] == [number + 1 + same.random() for number in range(3)], got
assert x.tolist() == [3, 3] and rng.random() == same.random()
rows = answer.many([(x, rng), (x, rng, True), (x, rng)])
assert next(rows)[0] > 4
try:
    next(rows)
    raise AssertionError("nothing was raised")
except LookupError as error:
    assert str(error) == "it is the end" and x.tolist() == [4, 4]"""
    refused = """
from minibert.course.checks.guard import CheckFailed
with answer.without(["minibert.reference.attention:softmax"]):
    try:
        list(answer.many([(np.zeros(2),)]))
        raise AssertionError("nothing was raised")
    except CheckFailed as error:
        assert "package's own implementation" in str(error)"""
    assert said(execute_in(kernels, answered(answer, test))) == [""]
    theirs = "from minibert.reference import softmax\nanswer = lambda x: softmax(x)"
    assert said(execute_in(kernels, answered(theirs, refused))) == [""]


@pytest.mark.parametrize(
    "raised, name",
    [
        ("ValueError(f'the input is {x}')", "ValueError"),
        ("CheckFailed(f'the input is {x}')", "Error"),
        ("AssertionError(f'the input is {x}')", "AssertionError"),
        ("type(f'TheInputIs{x}', (KeyError,), {})()", "Error"),
    ],
)
def test_what_her_code_raises_in_a_hidden_test_says_nothing_but_its_type(kernels, raised, name):
    answer = f"from minibert.course.checks.guard import CheckFailed\ndef answer(x):\n    raise {raised}"
    test = "### BEGIN HIDDEN TESTS\nassert answer(271828) == 5\n### END HIDDEN TESTS"
    executed = execute_in(kernels, answered(answer, test, "answer(31)"))
    hidden, visible = (marked(executed.notebook)[cell].outputs for cell in ("t0", "t1"))
    assert (hidden[0].ename, hidden[0].evalue, hidden[0].traceback) == (name, "", [name])
    assert "271828" not in str(hidden) + str(executed.hints) and "31" in str(visible)
