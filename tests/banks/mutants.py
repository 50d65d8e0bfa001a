"""Mutants of our own solutions: small changes to their syntax tree, each of which a check should notice.

Kept tools mutate the files of a package and start a test run for each mutant; answers live in notebook cells,
and a check takes milliseconds. So the changes are made here: operators, axes, constants, off-by-one, dropped
terms, swapped arguments, comparisons, negation, removed keywords and statements. A mutant is named by the
lines that it changes.
"""

import ast
import contextlib
import copy
import difflib

OPERATORS = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
COMPARISONS = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
TWINS = {
    "max": "min",
    "min": "max",
    "sum": "mean",
    "mean": "sum",
    "sin": "cos",
    "cos": "sin",
    "zeros": "ones",
    "var": "std",
    "argmax": "argmin",
    "any": "all",
    "all": "any",
    "append": "extend",
    "sqrt": "square",
}
COMMUTE = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr)  # of numbers and arrays; sums of lists are none of ours
SYMMETRIC = ("max", "min", "maximum", "minimum", "swapaxes")
COUNTERS = ("range", "arange")


def mutants(source):
    """Map the name of every mutant, "old lines -> new lines" as ast.unparse writes them, to its source."""
    tree, found = ast.parse(source), {}
    before = ast.unparse(without_docstrings(tree))
    for index, node in enumerate(ast.walk(tree)):
        for new in changes(node):
            with contextlib.suppress(SyntaxError, ValueError):
                after = ast.unparse(ast.fix_missing_locations(replaced(tree, index, new)))
                compile(after, "<mutant>", "exec")
                if after != before and after not in found.values():
                    found[called(before, after, found)] = after
    return found


def without_docstrings(tree):
    """`tree` without the docstrings of its functions and classes, which would be part of mutants' names."""
    for node in ast.walk(tree):
        if (
            isinstance(node, (ast.FunctionDef, ast.ClassDef))
            and ast.get_docstring(node)
            and len(node.body) > 1
        ):
            del node.body[0]
    return tree


def called(before, after, found):
    """The name "old lines -> new lines", followed by a number if it is taken."""
    lines = list(difflib.ndiff(before.split("\n"), after.split("\n")))
    old, new = (" / ".join(line[2:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    name = f"{old} -> {new}"
    return name if name not in found else f"{name} ({sum(other.startswith(name) for other in found) + 1})"


def replaced(tree, index, new):
    """A copy of `tree` in which the node that ast.walk meets at `index` is `new`."""
    tree = copy.deepcopy(tree)
    target = list(ast.walk(tree))[index]
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if value is target:
                setattr(parent, name, new)
            elif isinstance(value, list):
                value[:] = [new if item is target else item for item in value]
    return tree


def changes(node):
    """The nodes that may replace a node of the syntax tree."""
    kind = type(node).__name__
    return [*globals().get(f"of_{kind.lower()}", lambda node: [])(node)]


def with_fields(node, **fields):
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def swapped(items):
    """Yield each list in which two neighbours have changed places."""
    for i in range(len(items) - 1):
        yield [*items[:i], items[i + 1], items[i], *items[i + 2 :]]


def without(items):
    for i in range(len(items)):
        yield [*items[:i], *items[i + 1 :]]


def of_binop(node):
    yield node.left
    yield node.right
    if not isinstance(node.op, COMMUTE):
        yield with_fields(node, left=node.right, right=node.left)
    if type(node.op) in OPERATORS:
        yield with_fields(node, op=OPERATORS[type(node.op)]())


def of_augassign(node):
    yield ast.Pass()
    if type(node.op) in OPERATORS:
        yield with_fields(node, op=OPERATORS[type(node.op)]())


def of_compare(node):
    for op in COMPARISONS.get(type(node.ops[0]), ()):
        yield with_fields(node, ops=[op(), *node.ops[1:]])


def of_boolop(node):
    yield with_fields(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
    for values in without(node.values):
        yield with_fields(node, values=values) if len(values) > 1 else values[0]


def of_unaryop(node):
    yield node.operand


def of_constant(node):
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield from (ast.Constant(node.value + 1), ast.Constant(node.value - 1))
    elif isinstance(node.value, float):
        yield from (ast.Constant(float(f"{node.value * factor or 1.0:.3g}")) for factor in (1.1, 0.9))


def of_call(node):
    for keywords in without(node.keywords):
        yield with_fields(node, keywords=keywords)
    is_method = isinstance(node.func, ast.Attribute)
    name = node.func.attr if is_method else getattr(node.func, "id", "")
    if name not in SYMMETRIC:
        for args in swapped(node.args):
            yield with_fields(node, args=args)
    if name in TWINS:
        twin = TWINS[name]
        yield with_fields(
            node, func=with_fields(node.func, **({"attr": twin} if is_method else {"id": twin}))
        )
    if name in COUNTERS and node.args:
        for op in (ast.Add(), ast.Sub()):
            yield with_fields(node, args=[ast.BinOp(node.args[0], op, ast.Constant(1)), *node.args[1:]])
    if is_method and not (
        isinstance(node.func.value, ast.Name) and node.func.value.id in ("np", "math", "torch")
    ):
        yield node.func.value
    elif node.args:
        yield node.args[0]


def of_ifexp(node):
    yield from (node.body, node.orelse, with_fields(node, body=node.orelse, orelse=node.body))


def of_if(node):
    yield with_fields(node, test=ast.UnaryOp(ast.Not(), node.test))
    yield with_fields(node, test=ast.Constant(True))
    yield with_fields(node, test=ast.Constant(False))


def of_while(node):
    yield with_fields(node, test=ast.UnaryOp(ast.Not(), node.test))
    yield with_fields(node, test=ast.Constant(False))


def of_assign(node):
    yield ast.Pass()


def of_tuple(node):
    if isinstance(node.ctx, ast.Load):
        for elements in swapped(node.elts):
            yield with_fields(node, elts=elements)


def of_subscript(node):
    if isinstance(node.ctx, ast.Load):
        yield node.value


def of_slice(node):
    for name in ("lower", "upper", "step"):
        if getattr(node, name):
            yield with_fields(node, **{name: None})


def of_break(node):
    yield from (ast.Pass(), ast.Continue())


def of_continue(node):
    yield from (ast.Pass(), ast.Break())


def of_return(node):
    yield ast.Pass()
