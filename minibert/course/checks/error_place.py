"""Report which line of a student's cell raised an error, and whether a reduction there lost an axis."""

import ast
import inspect
import textwrap
import traceback

REDUCTIONS = {"mean", "var", "std", "sum", "max", "min", "amax", "amin", "median", "prod"}
MODULES = {"np", "numpy", "torch"}
SHAPES_DIFFER = ("could not be broadcast together", "must match the size of tensor")  # NumPy, PyTorch


def student_lines(error: BaseException) -> list[str]:
    """Return the lines of student code that raised an error, such as "line 2, in softmax: return x / y"."""
    return [
        f"line {frame.lineno}, in {frame.name}: {frame.line}"
        for frame in traceback.extract_tb(error.__traceback__)
        if in_cell(frame.filename)
    ]


def in_cell(filename: str) -> bool:
    """Return whether code with this file name was defined in a notebook's cell."""
    return "ipykernel" in filename or filename.startswith("<")


def explained(error: BaseException) -> str:
    """Describe the innermost line of student code that raised an error, and perhaps ask about `keepdims`.

    The question is added if shapes do not fit, no known mistake explains the error (attribute `hint`), and
    the line or its function reduces an axis without `keepdims=True`. The result is empty if no line of
    student code is known. The line is left out for an error from another process, which lists its lines in
    the attribute `lines`, because the grader shows them.
    """
    lines = getattr(error, "lines", None)
    said = "" if lines is not None else next((f"{line}." for line in student_lines(error)[-1:]), "")
    if not getattr(error, "hint", "") and any(text in str(error) for text in SHAPES_DIFFER):
        source = lines[-1].partition(": ")[2] if lines else innermost_source(error)
        if drops_axis(source):
            said = f"{said} Did you forget `keepdims=True`?".strip()
    return said


def innermost_source(error: BaseException) -> str:
    """Return the source of the student's function that raised an error, or "" if it is unavailable."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    codes = [frame.f_code for frame in frames if in_cell(frame.f_code.co_filename)]
    try:
        return textwrap.dedent(inspect.getsource(codes[-1]))
    except (IndexError, OSError, TypeError):
        return ""


def drops_axis(source: str) -> bool:
    """Return whether source code reduces an axis, for example with `x.mean(-1)`, without `keepdims=True`.

    >>> drops_axis("x - x.mean(-1)"), drops_axis("x - x.mean(-1, keepdims=True)"), drops_axis("x - x.max()")
    (True, False, False)
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in REDUCTIONS
        ):
            owner = node.func.value
            before_axis = 1 if isinstance(owner, ast.Name) and owner.id in MODULES else 0
            named = {keyword.arg for keyword in node.keywords}
            if (len(node.args) > before_axis or named & {"axis", "dim"}) and not named & {
                "keepdims",
                "keepdim",
            }:
                return True
    return False
