"""Each exercise is worth what it is worth alone: whatever one answer does, the others keep their points."""

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import nbformat
import pytest
from conftest import ROOT
from test_execute_notebook import notebook, said

from minibert.grading.author.assignment_bundle import make_bundle
from minibert.grading.class_run.grade_submission import grade_submission
from minibert.grading.intake.as_bytes import to_bytes
from minibert.grading.notebook import field, fill, grade_id, marked, read, text
from minibert.grading.report.feedback_page import hint
from minibert.grading.run.execute_notebook import execute_in
from minibert.grading.run.kernel_outputs import MOST_MESSAGES
from minibert.grading.run.parts import MOST_ENDS, parts, run_last
from minibert.grading.sandbox import availability
from minibert.grading.sandbox.limits import Policy, Times, Usage, Watch

UNIT = "02_attention"
POLICY = Policy(exercise_seconds=8, idle_seconds=4, memory_mb=1500, processes=100)
LOOP = "    while True:\n        pass"
# name of an answer that is lost, or "after" and a cell behind which her own one stands -> source;
# `hostile.py` has more ways to harm
HARM = {
    "loop in a helper": {
        "split_heads": f"def helper():\n{LOOP}\ndef split_heads(x, num_heads):\n    return helper()",
        "layer_norm": "def layer_norm(x, gamma, beta, eps=1e-12):\n    return helper()",
    },
    "_exit": {"split_heads": "import os\ndef split_heads(x, num_heads):\n    os._exit(0)"},
    "10 GB": {"softmax": "def softmax(x, axis=-1):\n    return [bytearray(10 ** 8) for _ in range(100)]"},
    "name deleted": {"softmax": "def softmax(x, axis=-1):\n    return x\ndel softmax"},
    "exit in her own cell": {"after softmax-hidden": "import os\nos._exit(0)"},
    "timer": {"after imports": "import os, threading\nthreading.Timer(0.5, os._exit, [0])"},
    "sleep in her own cell": {"after imports": "import time\ntime.sleep(600)"},
}


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize("harm", HARM)
def test_what_harms_costs_its_own_exercise_alone(harm, kernels, taken):
    bundle = bytes(make_bundle(ROOT, UNIT))
    solution, exercise = (read(ROOT / kind / UNIT / f"{UNIT}.ipynb") for kind in ("solutions", "exercises"))
    right = {name: cell.source for name, cell in marked(solution).items() if field(cell, "solution")}
    answers = {name: source for name, source in HARM[harm].items() if "after" not in name}
    made = fill(exercise, right | answers)
    for name in HARM[harm].keys() - answers.keys():
        place = [grade_id(cell) for cell in made.cells].index(name.removeprefix("after "))
        made.cells.insert(place + 1, nbformat.v4.new_code_cell(HARM[harm][name]))

    def execute(notebook, policy, files):
        return execute_in(kernels, notebook, files)

    sent = to_bytes({f"{UNIT}.ipynb": text(made).encode()})
    result = json.loads(grade_submission(bundle, sent, POLICY, execute))
    tests = [cell for cell in result["cells"] if not cell["manual"]]
    lost = {cell["name"].rpartition("-")[0] for cell in tests if cell["points"] < cell["max_points"]}
    assert lost == set(answers), result["problems"]
    assert len(taken) <= 2 * len(right)  # kernels


@pytest.mark.sandbox
def test_an_answer_that_waits_to_harm_others_costs_them_nothing(kernels):
    bomb = (
        "import os, threading, builtins\ndef first():\n    return 1\n"
        "def wait():\n    while 'armed' not in globals():\n        pass\n    os._exit(0)\n"
        "threading.Thread(target=wait, daemon=True).start()"
    )
    arms = "import time\ndef {}():\n    global armed\n    armed = 1\n    time.sleep(0.3)\n    return 2"
    cells = [
        ("solution first", bomb),
        ("tests t0 1", "assert first() == 1"),
        ("solution second", arms.format("second")),
        ("tests t1 1", "assert second() == 2"),
        ("solution third", arms.format("third")),
        ("tests t2 1", "assert third() == 2"),
    ]
    executed = execute_in(kernels, notebook(*cells))
    assert said(executed) == ["", "", ""], executed.problems
    assert executed.problems == ()  # it has all its points: nobody needs to know


@pytest.mark.sandbox
def test_a_test_that_ends_alone_and_fails_there_says_so_in_whole_sentences(kernels):
    slow = "def first():\n    return 1\ndef helper():\n    while True:\n        pass"
    cells = [
        ("solution first", slow),
        ("tests t0 1", "assert first() == 1"),
        ("solution second", "def second():\n    return helper()"),
        ("tests t1 1", "assert second() == 2"),
    ]
    (problem,) = execute_in(kernels, notebook(*cells)).problems
    assert re.fullmatch(
        r"cell t1: without the other answers it finished, which counts; with them, it computed "
        r"for more than [\d.]+ s; is there an endless loop\?",
        problem,
    )


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("def splitHeads(x):", "but splitHeads does. Rename it to split_heads, as in the tests."),
        ("def split_heads(x)", "because its cell stops with SyntaxError: expected ':' (line 1 of the cell)"),
        ("def join_heads(x):", "Was it renamed or deleted?"),
    ],
)
def test_a_missing_function_is_named_and_one_with_a_similar_name(line, reason, kernels):
    secret = "### BEGIN HIDDEN TESTS\nassert split_heads(2) == 2\n### END HIDDEN TESTS"
    executed = execute_in(
        kernels,
        notebook(
            ("solution split_heads", f"{line}\n    return x"),
            ("tests t0 1", "assert split_heads(1) == 1"),
            ("tests t1 1", secret),
            ("solution join", "def join_heads(x):\n    return x"),
            ("tests t2 1", "assert join_heads(1) == 1"),
        ),
    )
    shown = [hint(cell) for name, cell in marked(executed.notebook).items() if name.startswith("t")]
    assert all(one.startswith("split_heads: the function does not exist") for one in shown[:2])
    assert all(one.endswith(reason) for one in shown[:2]) and shown[2] == ""


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize(
    "harm",
    [
        "import numpy\nnumpy.allclose = lambda *a, **k: True",
        "import builtins\nbuiltins.sum = max",
        "np = None",
    ],
)
def test_what_another_answer_has_changed_costs_no_points(harm, kernels):
    cells = [
        ("read setup", "import numpy as np"),
        ("solution first", f"{harm}\ndef first():\n    return 0"),
        ("tests t0 1", "assert first() == 1, 'wrong'"),
        ("solution second", "def second(x):\n    return sum(x) + np.allclose(x, 0)"),
        ("tests t1 1", "assert second([1, 2]) == 3, 'wrong'"),
    ]
    assert said(execute_in(kernels, notebook(*cells))) == ["wrong", ""]


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize(
    "shows",
    [
        *["print('x')", "print('x' * 10 ** 5)", "sys.stderr.write('x' * 10 ** 5)"],
        "display({'text/plain': 'x' * 10 ** 5}, raw=True)",
    ],
)
def test_a_thread_that_shows_things_for_ever_costs_no_points_and_no_kernel(shows, kernels):
    flood = (
        f"import sys, threading\nfrom IPython.display import display\ndef first():\n    return 1\n"
        f"def talk():\n    while True:\n        {shows}\n"
        "threading.Thread(target=talk, daemon=True).start()"
    )
    slow = "import time\ndef second():\n    time.sleep(2)\n    return 2"
    tests = ("tests t1 1", "assert second() == 2"), ("tests t2 1", "assert first() == 1")
    cells = (
        ("solution first", flood),
        ("tests t0 1", "assert first() == 1"),
        ("solution second", slow),
        *tests,
    )
    executed = execute_in(kernels, notebook(*cells))
    assert said(executed) == ["", "", ""], executed.problems
    assert not [problem for problem in executed.problems if "cut" not in problem]


@pytest.mark.sandbox
def test_an_exercise_is_not_tried_again_and_again(kernels):
    tests = [(f"tests t{number} 1", "answer()") for number in range(MOST_ENDS + 3)]
    answer = "import os\ndef answer():\n    os._exit(0)"
    executed = execute_in(kernels, notebook(("solution answer", answer), *tests))
    spared = f"tests of this exercise ended the kernel {MOST_ENDS} times"
    assert said(executed) == ["the kernel ended"] * MOST_ENDS + [spared] * 3


def test_an_exercise_goes_from_what_precedes_its_answer_to_its_last_test():
    first = ("read a", "1"), ("solution b", "f = 1"), ("tests c 1", "f"), (None, "2"), ("tests d 1", "f")
    second = (None, "3"), ("solution e", "g = 1"), ("tests h 1", "g"), (None, "4")
    cells = notebook(*first, *second).cells
    found = parts(cells, {"c", "d", "h"}, Policy())
    assert [part.cells for part in found] == [[0, 1, 2, 3, 4], [5, 6, 7], [8]]
    assert [part.tests for part in found] == [[2, 4], [7], []]
    assert [part.names for part in found] == [{"f"}, {"g"}, set()]


def test_something_of_the_time_is_left_for_the_tests():
    (part,) = parts(notebook(("solution b", "f = 1"), ("tests c 1", "f")).cells, {"c"}, POLICY)
    for _ in range(10):
        part.left = part.left.without(part.allowed(0))
    assert part.allowed(1).computed >= POLICY.exercise_seconds / 4
    assert part.left.computed == 0 < part.allowed(0).computed


def test_hidden_tests_run_last_unless_a_later_cell_needs_what_they_define():
    hidden = "### BEGIN HIDDEN TESTS\nassert f\n### END HIDDEN TESTS"
    cells = notebook(
        ("solution a", "f = 1"),
        ("tests b 1", hidden),
        ("tests c 1", "x = 1\n" + hidden),
        ("tests d 1", "assert x"),
    ).cells
    assert run_last(cells, {"b", "c", "d"}) == [1]


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize(
    "tells",
    [
        *["print(seen)", "seen", "import warnings; warnings.warn(str(seen))", "raise KeyError(str(seen))"],
        "from IPython.display import display; display(seen)",
    ],
)
def test_nothing_that_she_shows_can_tell_the_input_of_a_hidden_test(tells, kernels):
    answer = "seen = []\ndef answer(x):\n    seen.append(x)\n    return x"
    test = "### BEGIN HIDDEN TESTS\nassert answer(271828) == 271828\n### END HIDDEN TESTS"
    cells = [
        ("solution answer", answer),
        ("tests t0 1", test),
        (None, tells),
        ("solution more", "def more():\n    return seen"),
        ("tests t1 1", "assert more() == [], more()"),
    ]
    executed = execute_in(kernels, notebook(*cells))
    assert said(executed) == ["", ""]
    shown = [cell for cell in executed.notebook.cells if grade_id(cell) != "t0"]
    assert "271828" not in str(shown) + str(executed.hints) + str(executed.problems)


@pytest.mark.sandbox
def test_a_hidden_test_sees_her_names_as_they_were_at_its_place(kernels):
    test = "### BEGIN HIDDEN TESTS\nassert answer() == 1 == ours()\n### END HIDDEN TESTS"
    cells = [
        ("read a", "def ours():\n    return 1"),
        ("solution b", "def answer():\n    return 1"),
        ("tests t0 1", test),
        (None, "def answer():\n    return 2\ndel answer"),
        ("read c", "def ours():\n    return 2"),
        ("tests t1 1", "assert ours() == 2"),
    ]
    assert said(execute_in(kernels, notebook(*cells))) == ["", ""]


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize(
    "result",
    ["type(f'Seen{seen}', (), {})()", "np.zeros(seen)", "{f'seen {seen}': 1}", "np.zeros((seen, 0))"],
)
def test_the_form_of_a_result_tells_nothing_of_a_hidden_input(result, kernels):
    answer = f"import numpy as np\nseen = 271828\ndef softmax(x, axis=-1):\n    return {result}"
    test = (
        "from minibert.course import unit02 as check\n### BEGIN HIDDEN TESTS\n"
        "check.softmax(softmax, hidden=True)\n### END HIDDEN TESTS"
    )
    executed = execute_in(kernels, notebook(("solution a", answer), ("tests t0 1", test)))
    assert "on a fresh input" in said(executed)[0] and "271828" not in str(executed.notebook.cells[1].outputs)


SPAM = """
import threading
session, socket = get_ipython().kernel.session, get_ipython().kernel.iopub_socket
def spam():
    while True:
        session.send(socket, "stream", {"name": "stdout", "text": "x" * SIZE}, parent={})
threading.Thread(target=spam, daemon=True).start()
"""
MEASURED = """
import resource, sys
sys.path.insert(0, {tests!r})
from test_execute_notebook import notebook
from minibert.grading.run.execute_notebook import execute
from minibert.grading.sandbox.limits import Policy
execute(notebook((None, "1")), Policy(exercise_seconds=4))
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
execute(notebook((None, {spam!r}), ("solution a", "def a():\\n    return sum(range(10 ** 8))"),
                 ("tests t 1", "a()")), Policy(exercise_seconds=4))
print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
"""


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize("size", [1, 10_000, 15_000_000])
def test_messages_from_a_thread_cost_the_grader_little_memory(size):
    if availability.reason_unavailable():
        pytest.skip(availability.reason_unavailable())
    code = MEASURED.format(tests=str(ROOT / "tests" / "grading"), spam=SPAM.replace("SIZE", str(size)))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert re.fullmatch(r"\d+\n", done.stdout), done.stderr
    assert int(done.stdout) < 300  # MB; without a cap they are thousands


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize(
    "source",
    [
        "print('x' * 10 ** 6)",
        "from IPython.display import display, HTML\nfor _ in range(1500):\n    display(HTML('y' * 1000))",
        "import sys\nfor n in range(3000):\n    print(1, file=(sys.stdout, sys.stderr)[n % 2], flush=True)",
        "raise ValueError('z' * 10 ** 6)",
    ],
)
def test_what_a_notebook_shows_is_bounded_whatever_it_is_made_of(source, kernels):
    cells = *[(None, source)] * 12, ("solution a", "a = 1"), ("tests t 1", "a")
    executed = execute_in(kernels, notebook(*cells))
    made = text(executed.notebook)
    assert len(made) < 3 * POLICY.output_bytes, len(made)
    assert sum(len(cell.outputs) for cell in executed.notebook.cells) <= 2 * MOST_MESSAGES + 20
    assert "the rest of this output was cut" in made
    assert len(executed.problems) <= 21


@pytest.mark.sandbox
def test_a_test_keeps_its_verdict_however_much_of_hers_it_shows(kernels):
    test = "from IPython.display import display\nprint(a)\nfor _ in range(9):\n    display(a)\n0.5"
    executed = execute_in(kernels, notebook(("solution a", "a = 'x' * 10 ** 6"), ("tests t 1", test)))
    outputs = executed.notebook.cells[1].outputs
    assert outputs[-1].data["text/plain"] == "0.5" and len(str(outputs)) < 500_000


def test_a_watch_adds_up_the_time_in_which_nothing_is_done(monkeypatch):
    """Short sleeps one after another are one long sleep, and a test that computes is no idle exercise."""
    clock, used = [0.0], [0.0]
    monkeypatch.setattr("minibert.grading.sandbox.limits.time.monotonic", lambda: clock[0])
    tree = SimpleNamespace(usage=lambda: Usage(used[0], 0, 1), descriptors=int)
    watch = Watch(Policy(idle_seconds=3), tree)
    watch.start_cell(Times(60, 3, 300))
    for _ in range(10):
        clock[0], used[0] = clock[0] + 2, used[0] + 0.05  # a fortieth of the processor: a busy machine
        assert watch.broken_limit() is None
    said = []
    for number in range(4):
        clock[0], used[0] = clock[0] + 2, used[0] + 0.5 * (number % 2)
        said.append(watch.broken_limit())
    assert said[:2] == [None] * 2 and said[2][0].startswith("it was idle for 3 s")


@pytest.mark.sandbox
@pytest.mark.every(3)
@pytest.mark.parametrize("later", ["def helper(x):\n    return x + 1", "factor = 0", "del helper"])
def test_a_later_cell_that_changes_a_helper_costs_no_hidden_test(later, kernels):
    answer = "factor = 2\ndef helper(x):\n    return factor * x\ndef double(x):\n    return helper(x)"
    hidden = "### BEGIN HIDDEN TESTS\nassert double(4) == 8\n### END HIDDEN TESTS"
    tests = ("tests t0 1", "assert double(3) == 6"), ("tests t1 1", hidden)
    cells = ("solution double", answer), *tests, ("solution other", later), ("tests t2 1", "assert True")
    assert execute_in(kernels, notebook(*cells)).hints == ()


@pytest.mark.sandbox
def test_several_hidden_tests_run_again_each_at_its_place(kernels):
    hidden = "### BEGIN HIDDEN TESTS\nassert {} == {}\n### END HIDDEN TESTS"
    answer = "factor = {}\ndef {}(x):\n    return factor * x"
    ends = "import os\nif factor == 2 and os.path.exists('x'):\n    os._exit(0)\nopen('x', 'w')"
    executed = execute_in(
        kernels,
        notebook(
            ("solution one", answer.format(1, "one")),
            ("tests t0 1", hidden.format("one(4)", 4)),
            ("solution two", answer.format(2, "two")),
            ("tests t1 1", hidden.format("two(4)", 8)),
            (None, ends),
            ("solution three", "factor = 3\ndef three(x):\n    return factor"),
            ("tests t2 1", hidden.format("three(4)", 12)),
            ("tests t3 1", hidden.format("two(1) + one(1)", 6)),
            ("solution four", "factor = 4"),
            ("tests t4 1", "assert factor == 4"),
        ),
    )
    assert executed.hints == (("t2", "AssertionError"),)
