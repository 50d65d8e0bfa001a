"""Imports run one way, and the first lessons load no PyTorch."""

import ast
import re
import subprocess
import sys

import pytest
from conftest import ROOT

import minibert.reference

# The floors of the house, lowest first. A module may import those on lower floors, never its neighbours or
# those above.
FLOORS = {
    "what everything rests on: sizes, the padded batch, files that are written whole, words of messages": {
        "config",
        "batch",
        "files",
        "messages",
    },
    "text and the definition: tokenizers, NumPy's BERT, texts and the generated language": {
        "tokenizer",
        "reference",
        "corpora",
    },
    "the model in PyTorch": {"model"},
    "what a model is trained for": {"objectives", "tasks"},
    "training": {"training"},
    "the models after BERT": {"variants"},
    "fine-tuning": {"finetuning"},
    "a pretrained model in one object": {"pretrained"},
    "an encoder that knows English": {"english"},
    "the model of the lessons": {"class_model"},
    "what an option may be": {"options"},
    "load, use and score a model, in Python": {"api"},
    "look inside a model: its numbers, their picture, a page with both": {"explore"},
    "pretrain and fine-tune on files, in Python": {"runs"},
    "the tour, the speed tables, lesson 9's three models, lesson 10's small experiments": {
        "tour",
        "bench",
        "elmo_gpt_bert",
        "small_variants",
    },
    "lesson 9's three models, trained well": {"twins"},
    "what is measured inside lesson 12's three models, lesson 13's small fine-tunings": {
        "inside",
        "small_tuning",
    },
    "the commands": {"commands"},
    "the command line": {"cli"},
    "python -m minibert": {"__main__"},
}
ORDER = list(FLOORS.values())
# Beside the floors: these know nothing of models; the command line, the tour and the explorer use them.
ALLOWED = {
    "viz": {"viz", "messages"},
    "checks": {"checks", "reference", "config", "batch", "tokenizer"},
    "analysis": {"analysis", "reference"},
    "grading": {"grading", "checks"},
}
EXTRA = {
    "commands": {"grading", "viz"},
    "tour": {"viz", "grading"},
    "explore": {"viz"},
    "inside": {"analysis"},
}
# The wings of minibert/grading, in the same way; files beside the wings come first.
WINGS = [
    {"notebook"},
    {"cell_messages"},
    {"author", "sandbox"},
    {"intake", "wire"},
    {"run", "report"},
    {"integrity"},
    {"class_run"},
    {"export"},
]


def imports_of(path):
    """The top-level minibert modules that a file imports, at any depth of its functions."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level:
            base = parts[: len(parts) - node.level]
            for name in [node.module] if node.module else [alias.name for alias in node.names]:
                yield (*base, *name.split("."))[1]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "minibert":
            names = node.module.split(".")[1:] or [alias.name for alias in node.names]
            yield names[0]
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("minibert."):
                    yield alias.name.split(".")[1]


def allowed(module):
    """The modules that `module` may import."""
    if module in ALLOWED:
        return ALLOWED[module]
    rank = next(i for i, group in enumerate(ORDER) if module in group)
    return set().union(*ORDER[:rank]) | {module} | EXTRA.get(module, set())


FILES = sorted(
    path for path in (ROOT / "minibert").rglob("*.py") if path != ROOT / "minibert" / "__init__.py"
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_modules_before_it(path):
    module = path.relative_to(ROOT / "minibert").with_suffix("").parts[0]
    wrong = {target for target in imports_of(path) if target not in allowed(module)}
    assert not wrong, f"{module} must not import {wrong}"


GRADING = ROOT / "minibert" / "grading"


def wings_of(path):
    """The parts of minibert.grading that a file imports, at any depth of its functions."""
    depth = len(path.relative_to(GRADING).parts)  # dots that lead from the file to minibert.grading
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level == depth:
            yield from [node.module.split(".")[0]] if node.module else [alias.name for alias in node.names]


@pytest.mark.parametrize(
    "path", sorted(GRADING.glob("*/*.py")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_a_wing_of_grading_imports_only_wings_before_it(path):
    wing = path.relative_to(GRADING).parts[0]
    rank = next(i for i, group in enumerate(WINGS) if wing in group)
    wrong = set(wings_of(path)) - set().union(*WINGS[:rank]) - {wing}
    assert not wrong, f"{wing} must not import {wrong}"


def test_contributing_draws_the_floors():
    lines = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("\n")
    drawn = [line for line in lines if line.startswith("| ") and line.endswith(" |")]
    for number, (words, modules) in enumerate(FLOORS.items(), 1):
        line = f"| {number} | {words} | {' '.join(f'`{name}`' for name in sorted(modules))} |"
        assert line in drawn, f"CONTRIBUTING.md lacks: {line}"


def test_the_list_of_definitions_names_every_file_once():
    folder = ROOT / "minibert" / "reference"
    listed = re.findall(r"^    \d\d  (.+)$", minibert.reference.__doc__, re.M)
    names = [name for line in listed for name in line.split(", ")]
    assert sorted([*names, "backward", "__init__"]) == sorted(path.stem for path in folder.glob("*.py"))


UNITS = ROOT / "minibert" / "checks"


@pytest.mark.parametrize("unit", sorted(path.name for path in UNITS.glob("unit*")))
def test_a_unit_of_checks_knows_the_engine_and_no_other_unit(unit):
    for path in (UNITS / unit).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 2:
                assert (node.module or "engine").split(".")[0] == "engine", path


def test_an_arrow_that_turns_is_found():
    assert "training" not in allowed("model") and "model" in allowed("training")
    assert "torch" not in allowed("reference")


@pytest.mark.parametrize(
    "module",
    [
        "minibert",
        "minibert.reference",
        "minibert.data.batch",
        "minibert.course",
        "minibert.course.unit01",
        "minibert.course.unit02",
        "minibert.course.unit05",
        "minibert.course.widgets.view",
        "minibert.tokenizer",
        "minibert.generated",
    ],
)
def test_first_lessons_load_no_pytorch(module):
    code = f"import sys, {module}; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.mark.parametrize("module", ["minibert.reference", "minibert.course.unit01", "minibert.course.unit06"])
def test_checks_of_numpy_open_without_scipy(module):
    code = f"import sys, {module}; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.mark.parametrize("folder", ["reference", "analysis"])
def test_definitions_import_numpy_and_scipy_only(folder):
    for path in (ROOT / "minibert" / folder).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module]
                if isinstance(node, ast.ImportFrom) and not node.level
                else []
            )
            assert {name.split(".")[0] for name in names} <= {
                "numpy",
                "scipy",
                "sklearn",
                *sys.stdlib_module_names,
            }, path
