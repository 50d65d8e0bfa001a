"""How lessons and exercises are written: what a reader may count on in each, held against their text sources.

Every rule takes a notebook and returns the problems it sees; each is also tried on a notebook that breaks it.
"""

import ast
import importlib
import itertools
import os
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from minibert import reference
from minibert.course.checks.exercise import Exercise
from minibert.grading.notebook import SUFFIX, field, from_source, is_in_class

ROOT = Path(__file__).resolve().parents[2]
LESSONS = sorted((ROOT / "lessons").glob(f"*{SUFFIX}"))
CLASSES = [path for path in LESSONS if is_in_class(path)]  # notebooks for one class, beside a lesson
SOLUTIONS = sorted((ROOT / "solutions").glob(f"*/*{SUFFIX}"))
MOST_LINES = 12  # of a code cell that is not folded
GUESSES = range(3, 7)  # in a lesson without folded code
MORE_GUESSES = range(4, 20)  # in a lesson with folded code
CORE_CELLS, CORE_WORDS = 60, 1500  # at most before "Going further" in a lesson without folded code
CELLS, WORDS = 25, 900  # of an in-class notebook, at most; folded parts and tables apart
PAPERS = set(
    """arxiv.org aclanthology.org doi.org openreview.net jmlr.org proceedings.mlr.press proceedings.neurips.cc
    cdn.openai.com transacl.org direct.mit.edu""".split()
)
EXERCISES = {
    name
    for path in SOLUTIONS
    for name, value in vars(importlib.import_module(f"minibert.course.unit{path.name[:2]}")).items()
    if isinstance(value, Exercise)
}
HEADING = re.compile(r"^(#+) +(.+)", re.M)
LINK = re.compile(r"\]\(([^)\s]+)[^)]*\)|(?:href|src)=[\"']([^\"']+)")
URL = re.compile(r"https?://[^\s)>\"'`]+")


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def trees(notebook):
    """Each code cell, parsed; a magic or a shell command counts as `pass`."""
    return [ast.parse(re.sub(r"^[%!].*", "pass", cell.source, flags=re.M)) for cell in code(notebook)]


def prose(cell):
    """A Markdown cell's text without its code and formulas, where # and ]( mean something else."""
    return re.sub(r"```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]+\$", "", cell.source, flags=re.S)


def markdown(notebook):
    return [prose(cell) for cell in notebook.cells if cell.cell_type == "markdown"]


def headings(notebook):
    """(level, text) of each."""
    return [(len(marks), text) for cell in markdown(notebook) for marks, text in HEADING.findall(cell)]


def headings_in_order(notebook):
    """One title, at the top, and no level left out below it."""
    found = headings(notebook)
    levels = [level for level, _ in found]
    problems = [f"the headings start with level {levels[:1]}"] if levels[:1] != [1] else []
    problems += [f"{levels.count(1)} titles of level 1"] if levels.count(1) > 1 else []
    return problems + [
        f"{text!r}: level {level} follows level {before}"
        for (before, _), (level, text) in itertools.pairwise(found)
        if level > before + 1
    ]


def links_that_last(notebook):
    """Links lead into the repository, to a file that is there, or to a paper."""
    targets = [
        target for cell in markdown(notebook) for found in LINK.findall(cell) for target in found if target
    ]
    addresses = {
        *filter(URL.match, targets),
        *(url for cell in notebook.cells for url in URL.findall(cell.source)),
    }
    problems = [
        f"not the address of a paper: {url}"
        for url in addresses
        if urlsplit(url).hostname.removeprefix("www.") not in PAPERS or not url.startswith("https://")
    ]
    files = [target.partition("#")[0] for target in targets if not URL.match(target)]
    folders = [ROOT / "lessons", ROOT / "solutions" / "any"]
    return problems + [
        f"no such file: {file}"
        for file in files
        if file and not any(os.path.exists(os.path.normpath(folder / file)) for folder in folders)
    ]


def folded_parts_that_close(notebook):
    """As many ends as beginnings, in each cell."""
    return [
        f"<details> without </details> or <summary>: {cell[:50]!r}"
        for cell in markdown(notebook)
        if not cell.count("<details>") == cell.count("</details>") == cell.count("<summary>")
    ]


def short_code_cells(notebook):
    """What is not folded can be taken in at a glance."""
    sizes = {
        cell.source: len([line for line in cell.source.splitlines() if line.strip()])
        for cell in code(notebook)
        if not folded(cell)
    }
    return [
        f"{lines} lines, more than {MOST_LINES}: {source[:50]!r}"
        for source, lines in sizes.items()
        if lines > MOST_LINES
    ]


def a_view_ends_its_cell(notebook):
    """Jupyter shows a View only where it is the cell's last line."""
    return [
        f"not shown: {ast.unparse(line)[:50]!r}"
        for tree in trees(notebook)
        for line in tree.body[:-1]
        if isinstance(line, ast.Expr) and ast.unparse(line).startswith(("View(", "show("))
    ]


def folded(cell):
    return cell.metadata.get("jupyter", {}).get("source_hidden", False)


def no_pasted_package_code(notebook):
    """What minibert.reference defines is imported and shown with show_source, never written again."""
    names = [
        node.name
        for tree in trees(notebook)
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]
    return [f"defines {name}, which minibert.reference has" for name in names if hasattr(reference, name)]


def exercises_not_given_away(notebook):
    """Code that an exercise asks for is shown in a fold only, by show_source(..., fold=)."""
    calls = [
        node
        for tree in trees(notebook)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("show_source", "inspect.getsource")
    ]
    shown = {
        ast.unparse(argument).rpartition(".")[2]
        for call in calls
        for argument in call.args
        if not any(keyword.arg == "fold" for keyword in call.keywords)
    }
    return [f"the code of {name}, an exercise" for name in sorted(shown & EXERCISES)]


def imports_that_exist(notebook):
    """What a cell imports from the package is there: without a browser, nobody runs a lesson."""
    problems = []
    for tree in trees(notebook):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "minibert":
                problems += [
                    f"no {alias.name} in {node.module}"
                    for alias in node.names
                    if not is_there(node.module, alias.name)
                ]
    return problems


def minibert_before_torch(notebook):
    """`minibert` says how threads wait for one another, and PyTorch listens once, when it is loaded."""
    found = [
        name.partition(".")[0]
        for tree in trees(notebook)
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in ([node.module] if isinstance(node, ast.ImportFrom) else [n.name for n in node.names])
    ]
    first = next((name for name in found if name in ("minibert", "torch")), "minibert")
    return [] if first == "minibert" else ["torch is imported before minibert"]


def is_there(module, name):
    try:
        if not hasattr(importlib.import_module(module), name):
            importlib.import_module(f"{module}.{name}")
    except ImportError:
        return False
    return True


def promises_at_the_start(notebook):
    """What the reader will be able to do, what she needs, and how long it takes."""
    first_code = [cell.cell_type for cell in notebook.cells].index("code")
    start = "\n".join(map(prose, notebook.cells[:first_code]))
    wanted = {
        "objectives": r"you can\b.*\n+- .*\n- ",
        "prerequisites": r"\*\*You need\b",
        "minutes": r"\d+ minutes",
    }
    return [f"no {name} at the start" for name, pattern in wanted.items() if not re.search(pattern, start)]


def guesses_before_answers(notebook):
    """Some that wait for a guess, each in a view or a folded cell, and a cell with how many were close."""
    views = [cell for cell in code(notebook) if re.search(r"^views\.guess_\w+\(", cell.source, re.M)]
    asking = [
        cell for cell in code(notebook) if re.search(r"^Guess(Number|Choice|Bars|Curve)\(", cell.source, re.M)
    ]
    right = MORE_GUESSES if any(map(folded, code(notebook))) else GUESSES
    count = len(views) + len(asking)
    problems = [] if count in right else [f"{count} guesses, not {right[0]} to {right[-1]}"]
    problems += [f"the answer can be read in {cell.source[:50]!r}" for cell in asking if not folded(cell)]
    said = any(cell.source.strip().endswith("my_guesses()") for cell in code(notebook))
    return problems + ([] if said else ["no my_guesses() at the end"])


def a_core_of_50_minutes(notebook):
    """A lesson without folded code has a short core; the rest stands under "Going further"."""
    if any(map(folded, code(notebook))):
        return []
    texts = [cell.source for cell in notebook.cells]
    further = [place for place, text in enumerate(texts) if text.startswith("## Going further")]
    if not further:
        return ["no cell that begins with ## Going further"]
    core = [cell for cell in notebook.cells[: further[0]] if cell.cell_type == "markdown"]
    words = sum(
        len(re.sub(r"<details>.*?</details>|^\|.*", "", prose(c), flags=re.S | re.M).split()) for c in core
    )
    sizes = ((further[0], CORE_CELLS, "cells"), (words, CORE_WORDS, "words"))
    return [f"{size} {what} in the core, more than {most}" for size, most, what in sizes if size > most]


def answers_that_wait(notebook):
    """What a guess is compared with is the same later on: no cell below gives its names another meaning."""
    cells = [ast.parse(cell.source) for cell in code(notebook)]
    return [
        f"{name} of the guess in code cell {number} is another thing in code cell {later}"
        for number, cell in enumerate(cells)
        if any(map(asks, ast.walk(cell)))
        for name in sorted(needed_later(cell))
        for later, below in enumerate(cells)
        if later > number and name in bound(below)
    ]


def asks(node):
    return isinstance(node, ast.Call) and getattr(node.func, "id", "") in (
        "GuessNumber",
        "GuessChoice",
        "GuessBars",
        "GuessCurve",
    )


def needed_later(cell):
    """The names that the functions of a cell read when they are called."""
    names = set()
    for node in ast.walk(cell):
        if isinstance(node, (ast.Lambda, ast.FunctionDef)):
            body = node.body if isinstance(node.body, list) else [node.body]
            inside = [name for part in body for name in ast.walk(part) if isinstance(name, ast.Name)]
            own = {argument.arg for argument in ast.walk(node) if isinstance(argument, ast.arg)}
            own |= {name.id for name in inside if isinstance(name.ctx, ast.Store)}
            names |= {name.id for name in inside} - own
    return names


def bound(cell):
    """The names that a cell gives a meaning to, outside its functions, comprehensions and imports."""
    names, waiting = set(), list(cell.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            waiting += ast.iter_child_nodes(node)
    return names


def short_enough_for_a_class(notebook):
    """An in-class notebook says its 45 minutes, is short, and ends with a folded page for the teacher."""
    running = re.sub(r"<details>.*?</details>|^\|.*", "", "\n".join(markdown(notebook)), flags=re.S | re.M)
    sizes = ((len(notebook.cells), CELLS, "cells"), (len(running.split()), WORDS, "words"))
    problems = [f"{size} {what}, more than {most}" for size, most, what in sizes if size > most]
    problems += [] if "45 minutes" in running else ["no 45 minutes"]
    page = markdown(notebook)[-1].strip()
    folded = page.startswith("<details><summary><b>For the teacher</b>") and page.endswith("</details>")
    return problems + ([] if folded else ["no folded page for the teacher at the end"])


def a_price_on_each_exercise(notebook):
    """Points, minutes and difficulty are said at each exercise, and add up to what nbgrader will give."""
    said = [
        int(points)
        for cell in markdown(notebook)
        for points in re.findall(r"^\*\*(\d+) points? · \d+ minutes · [●○]{3}\*\*", cell, re.M)
    ]
    answers = sum(field(cell, "solution", False) for cell in notebook.cells)
    given = sum(field(cell, "points", 0) for cell in notebook.cells)
    problems = (
        [f"{answers} answers, {len(said)} with points, minutes, difficulty"] if answers != len(said) else []
    )
    return problems + ([f"{sum(said)} points said, {given:g} given"] if sum(said) != given else [])


def a_check_under_each_answer(notebook):
    """A student runs the check below as soon as she has written; folded hints stand above."""
    problems, folded = [], False
    for cell, below in itertools.pairwise([*notebook.cells, None]):
        folded = "<details>" in cell.source if cell.cell_type == "markdown" else folded
        if cell.cell_type == "code" and field(cell, "solution"):
            tested = below is not None and field(below, "grade") and not field(below, "solution")
            problems += [] if tested else [f"no check under {field(cell, 'grade_id')}"]
            problems += [] if folded else [f"no folded hint for {field(cell, 'grade_id')}"]
    return problems


COMMON = [
    headings_in_order,
    links_that_last,
    folded_parts_that_close,
    imports_that_exist,
    minibert_before_torch,
    a_view_ends_its_cell,
]
IN_CLASS_OR_NOT = [
    *COMMON,
    short_code_cells,
    no_pasted_package_code,
    exercises_not_given_away,
    promises_at_the_start,
    answers_that_wait,
]
LESSON = [*IN_CLASS_OR_NOT, guesses_before_answers, a_core_of_50_minutes]
FOR_A_CLASS = [*IN_CLASS_OR_NOT, short_enough_for_a_class]
SOLUTION = [*COMMON, a_price_on_each_exercise, a_check_under_each_answer]
CASES = [
    *itertools.product([path for path in LESSONS if path not in CLASSES], LESSON),
    *itertools.product(CLASSES, FOR_A_CLASS),
    *itertools.product(SOLUTIONS, SOLUTION),
]


@pytest.mark.parametrize(
    "path, rule", CASES, ids=[f"{path.parts[-2]}-{path.name}-{rule.__name__}" for path, rule in CASES]
)
def test_a_notebook_keeps_the_rule(path, rule):
    assert rule(from_source(path.read_text(encoding="utf-8"), path.name)) == []


GOOD = """\
# %% [markdown]
# # Title
# After this lesson you can
#
# - see,
# - say.
#
# **You need** nothing. It takes 5 minutes.

# %%
Quiz([])
show_source(len)
show_source(softmax, fold='Later')

# %% [markdown]
# Guess.

# %% jupyter={"source_hidden": true}
GuessNumber("How many?", lambda ready=1: len(names) + ready, within=1)

# %% [markdown]
# Guess.

# %% jupyter={"source_hidden": true}
GuessChoice("Which?", names, first)

# %% [markdown]
# Guess.

# %% jupyter={"source_hidden": true}
GuessBars("How high?", names, heights, top=1, within=0.1, axis="height")

# %% [markdown]
# Guess.

# %% jupyter={"source_hidden": true}
GuessCurve("How does it go?", names, heights, top=1, within=0.1, axis="height", along="names")

# %% [markdown]
# Your guesses:

# %%
my_guesses()

# %% [markdown]
# ## In short
# That was all.
# ### 1 · Task
# **2 points · 5 minutes · ●○○**
# <details><summary>Why?</summary>Because.</details>

# %% nb="solution task"
pass

# %% nb="tests task-visible 2"
assert True

# %% [markdown]
# ## Read on
# A [paper](https://arxiv.org/abs/1810.04805).
"""
BREAKS = [
    (headings_in_order, "# # Title", "# ## Title"),
    (headings_in_order, "# ### 1 · Task", "# #### 1 · Task"),
    (headings_in_order, "# ## Read on", "# # Read on"),
    (links_that_last, "https://arxiv.org/", "https://example.org/"),
    (links_that_last, "https://arxiv.org/", "http://arxiv.org/"),
    (links_that_last, "https://arxiv.org/abs/1810.04805", "../nowhere.ipynb"),
    (links_that_last, "Quiz([])", "get('https://example.org')"),
    (folded_parts_that_close, "</details>", ""),
    *(
        (exercises_not_given_away, "Quiz([])", shown)
        for shown in ("show_source(len, reference.softmax)", "print(inspect.getsource(softmax))")
    ),
    (imports_that_exist, "Quiz([])", "from minibert.nowhere import softmax"),
    (imports_that_exist, "Quiz([])", "from minibert.reference import no_such_function"),
    (minibert_before_torch, "Quiz([])", "import torch\n\nfrom minibert.reference import softmax"),
    (a_view_ends_its_cell, "my_guesses()", "View(table)\nmy_guesses()"),
    (short_code_cells, "Quiz([])", "\n\n# %%\n".join(["a = 1\n" * 30] * 9)),
    (no_pasted_package_code, "Quiz([])", "def softmax(x):\n    return x"),
    (promises_at_the_start, "# - say.", ""),
    (promises_at_the_start, "**You need**", "Here is"),
    (promises_at_the_start, "5 minutes.", "long."),
    (guesses_before_answers, "GuessCurve(", "curve("),
    (guesses_before_answers, '# %% jupyter={"source_hidden": true}\nGuessBars', "# %%\nGuessBars"),
    (guesses_before_answers, "my_guesses()", "print()"),
    *(
        (answers_that_wait, "my_guesses()", f"my_guesses()\n{again}")
        for again in ("names = 1", "for names in x:\n    pass", "def names():\n    pass")
    ),
    (a_price_on_each_exercise, "●○○", ""),
    (a_price_on_each_exercise, "task-visible 2", "task-visible 3"),
    (a_check_under_each_answer, '# %% nb="tests task-visible 2"', "# %%"),
    (a_check_under_each_answer, "# <details><summary>Why?</summary>Because.</details>", "#"),
]


@pytest.mark.parametrize("rule", sorted({*LESSON, *SOLUTION}, key=lambda rule: rule.__name__))
def test_a_rule_accepts_a_notebook_that_keeps_it(rule):
    assert rule(from_source(GOOD, "good.nb.py")) == []


@pytest.mark.parametrize("rule, part, broken", BREAKS)
def test_a_rule_refuses_a_notebook_that_breaks_it(rule, part, broken):
    assert part in GOOD and rule(from_source(GOOD.replace(part, broken), "bad.nb.py"))


CLASS = """\
# %% [markdown]
# # Title
# It takes 45 minutes.

# %% [markdown]
# <details><summary><b>For the teacher</b></summary>
# A plan.
# </details>
"""


@pytest.mark.parametrize(
    "part, broken, said",
    [
        ("A plan.", "A plan. " * WORDS, []),
        ("It takes", "It takes " * WORDS, [f"{2 * WORDS + 4} words, more than {WORDS}"]),
        (
            "# It takes",
            "# It\n\n# %% [markdown]\n" * CELLS + "# takes",
            [f"{CELLS + 2} cells, more than {CELLS}"],
        ),
        ("45 minutes", "an hour", ["no 45 minutes"]),
        ("For the teacher", "A plan", ["no folded page for the teacher at the end"]),
        ("# </details>", "# </details>\n# More.", ["no folded page for the teacher at the end"]),
    ],
)
def test_an_in_class_notebook_is_short_and_ends_with_a_page_for_the_teacher(part, broken, said):
    assert short_enough_for_a_class(from_source(CLASS.replace(part, broken), "bad.nb.py")) == said
