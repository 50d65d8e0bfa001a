"""Detect imports, internal names, strings and commands that access the package's own code."""

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeGuard, cast

LONGEST = 200_000  # a longer cell is searched line by line instead of parsed
LINE = 300  # characters of a line that are searched for a command
DEEPEST = 3  # depth to which code in strings is searched: exec("exec('...')")
PACKAGE = re.compile(r"\bminibert\b")
INSIDE = set(
    """__code__ __globals__ __closure__ __wrapped__ __builtins__ __subclasses__ __loader__ __spec__
    __file__ __path__ __func__ __mro__ __bases__ __dict__ __getattribute__ __reduce_ex__ f_globals f_locals
    f_back tb_frame gi_frame""".split()
)
READERS = set(
    """getsource getsourcelines getsourcefile getfile getmodule findsource getmembers _getframe
    currentframe get_objects get_referrers get_referents import_module __import__ spec_from_file_location
    find_spec module_from_spec run_module run_path resolve_name get_data iter_modules walk_packages read_text
    read_bytes rglob walk scandir listdir popen system modules""".split()
)
MODULES = set(
    """inspect importlib subprocess runpy pkgutil gc ctypes marshal dis imp zipimport linecache ast
    code codeop builtins site sysconfig multiprocessing pickle dill cloudpickle glob shutil socket
    urllib requests""".split()
)
RUNNERS = {"exec", "eval", "compile", "globals", "locals", "vars", "__import__", "breakpoint"}
SHELLS = r"(?:ba|z|c)?sh|script|system|sx|run|load|loadpy|psource|pfile|pinfo2?|(?:py)?cat|python[\d.]*|pip"
ASSIGNED = r"(?:[\w, ]{1,80}=\s{0,9})?"  # bounded, so that every line is searched fast
COMMAND = re.compile(rf"{ASSIGNED}(?:!|%%?\s{{0,9}}(?:{SHELLS})\b)|[\w.]+\?\?|\?\?[\w.]")
MAGIC = re.compile(rf"{ASSIGNED}[!%?]|[\w.]+\?{{1,2}}\s*$")
WORDS = re.compile(rf"\b(?:minibert|getsource|import_module|subprocess|{'|'.join(sorted(INSIDE))})\b")
Suspicion = tuple[int, str]  # (line, counted from 1; reason)


@dataclass(frozen=True)
class KnownNames:
    """The names that students may use: those in the released notebook, required functions and data files."""

    imports: frozenset[str]
    aliases: frozenset[str]  # names bound to modules of the package, such as `check`
    chains: frozenset[str]  # such as check.softmax.hint
    files: frozenset[str]

    @classmethod
    def of(cls, released: Iterable[str], functions: Iterable[str], files: Iterable[str]) -> "KnownNames":
        """Return the names that the released cells use, together with those of the functions and files."""
        imports, aliases, chains = set[str](), set[str](), set[str]()
        trees = [tree for tree in map(parsed, released) if tree is not None]
        for node in (node for tree in trees for node in ast.walk(tree)):
            for target, bound in imported(node):
                imports.add(target)
                aliases |= {bound} if target.split(".")[0] == "minibert" else set()
            if isinstance(node, ast.Attribute) and (chain := name_of(node)):
                chains.add(chain)
        for alias in aliases:
            for function in functions:
                chains |= {f"{alias}.{function}", f"{alias}.{function}.hint"}
        return cls(frozenset(imports), frozenset(aliases), frozenset(chains), frozenset(files))


def parsed(source: str) -> ast.Module | None:
    """Parse a cell into a syntax tree, without its magic lines.

    Returns None if the cell is not Python or is too long.
    """
    if len(source) > LONGEST:
        return None
    for text in (source, without_magic(source)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def without_magic(source: str) -> str:
    """Replace each line that only IPython understands with `pass`."""
    lines = [(line, line.lstrip()) for line in source.split("\n")]
    return "\n".join(
        line[: len(line) - len(bare)] + "pass" if MAGIC.match(bare[:LINE]) else line for line, bare in lines
    )


def findings(source: str, known: KnownNames, depth: int = 0) -> Iterator[Suspicion]:
    """Yield (line, reason) for everything that a cell does to access the package's code."""
    tree = parsed(source)
    inside = lines_inside_texts(tree)
    for number, line in enumerate(source.split("\n"), 1):
        if COMMAND.match(line.lstrip()[:LINE]) and number not in inside:
            yield number, "runs a command, or shows or loads code"
        elif tree is None and (word := WORDS.search(line)):
            yield number, f"names {word[0]}, in a cell that is not valid Python"
    if tree is None:
        return
    plain = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}  # docstrings
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop()
        # the parts of a sum are searched as one text, not each of its beginnings
        nodes += terms_of(node) if is_sum(node) else ast.iter_child_nodes(node)
        for why in reasons(node, known, id(node) in plain, depth):
            yield getattr(node, "lineno", 1), why


def lines_inside_texts(tree: ast.Module | None) -> set[int]:
    """Return the numbers of the lines that begin inside a multi-line string."""
    return {
        number
        for node in (ast.walk(tree) if tree else ())
        if isinstance(node, ast.Constant)
        for number in range(node.lineno + 1, (node.end_lineno or 0) + 1)
    }


def reasons(node: ast.AST, known: KnownNames, is_docstring: bool, depth: int) -> Iterator[str]:
    for target, _ in imported(node):
        top = target.split(".")[0]
        if target in known.imports:
            continue
        if top == "minibert":
            yield f"imports {target}, which the notebook does not"
        elif top in MODULES or target.split(".")[-1] in READERS:
            yield f"imports {target}, which can read or run code"
    if isinstance(node, ast.Attribute):
        yield from reasons_of_attribute(node, known)
    elif isinstance(node, ast.Name) and node.id in RUNNERS | INSIDE | READERS:
        if node.id in INSIDE or isinstance(node.ctx, ast.Load) and node.id not in ("walk", "modules"):
            yield f"uses {node.id}"
    elif isinstance(node, ast.Call):
        yield from reasons_of_call(node, known)
    if not is_docstring and (text := text_of(node)) is not None:
        yield from reasons_of_text(text, known, depth)


def reasons_of_attribute(node: ast.Attribute, known: KnownNames) -> Iterator[str]:
    """Yield the reason to flag an attribute access such as a.b.c, if there is one."""
    chain = name_of(node)
    if node.attr in INSIDE:
        yield f"accesses {node.attr}"
    elif node.attr in READERS and chain not in known.chains:
        yield f"uses {chain or node.attr}"
    elif chain and chain.split(".")[0] in known.aliases and chain not in known.chains:
        yield f"uses {chain}, which the notebook does not"


def reasons_of_call(node: ast.Call, known: KnownNames) -> Iterator[str]:
    """Yield the reason to flag a call that opens a file, if there is one.

    A call is flagged if it computes the file's name, or opens code or a file outside the assignment's folder.
    """
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    if name not in ("open", "Path", "fromfile", "getline", "getlines") or not node.args:
        return
    path = text_of(node.args[0])
    if path is None and name != "Path":
        yield f"calls {name}() with a computed file name"
    elif path and path not in known.files and re.search(r"^[/~]|\.\.|\.py[cio]?$|\.ipynb$|^\w:\\", path):
        yield f"calls {name}() with {path[:60]!r}"


def reasons_of_text(text: str, known: KnownNames, depth: int) -> Iterator[str]:
    """Yield a reason to flag a string that names the package or contains code that would be flagged."""
    if PACKAGE.search(text):
        yield "has a string that names the package"
    elif text in INSIDE | {"getsource", "exec", "eval", "__import__", "import_module"}:
        yield f"has a string that names {text}"
    elif (
        depth < DEEPEST
        and any(word in text for word in ("import", "getsource", "__", "exec"))
        and any(True for _ in findings(text, known, depth + 1))
    ):
        yield "has a string of code that would itself be flagged"


def imported(node: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield (dotted name, name that it is bound to) for each name in an import statement."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name, alias.asname or alias.name.split(".")[0]
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            yield f"{'.' * node.level}{node.module or ''}.{alias.name}", alias.asname or alias.name


def name_of(node: ast.Attribute) -> str:
    """Return the text "a.b.c" for the expression a.b.c, or "" if it does not begin with a name."""
    parts, inner = [node.attr], node.value
    while isinstance(inner, ast.Attribute):
        parts.append(inner.attr)
        inner = inner.value
    return ".".join([inner.id, *reversed(parts)]) if isinstance(inner, ast.Name) else ""


def text_of(node: ast.AST) -> str | None:
    """Return the string that an expression builds from constants with +, `join` or an f-string, or None."""
    if isinstance(node, ast.Constant):
        return (
            node.value
            if isinstance(node.value, str)
            else node.value.decode("latin-1")
            if isinstance(node.value, bytes)
            else None
        )
    parts: list[ast.expr] = []
    separator: ast.expr = ast.Constant("")
    if is_sum(node):
        parts = terms_of(node)
    elif isinstance(node, ast.JoinedStr):
        parts = [part.value if isinstance(part, ast.FormattedValue) else part for part in node.values]
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "join"
        and len(node.args) == 1
        and isinstance(node.args[0], ast.List | ast.Tuple)
    ):
        separator, parts = node.func.value, node.args[0].elts
    try:
        between, *texts = [text_of(part) for part in (separator, *parts)]
    except RecursionError:
        return None
    if not parts or None in texts:
        return None
    return (between or "").join(text for text in texts if text is not None)


def is_sum(node: ast.AST) -> TypeGuard[ast.BinOp]:
    """Return whether an expression adds two values."""
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)


def terms_of(node: ast.AST) -> list[ast.expr]:
    """Return the terms of a sum a + b + c, in order; without recursion, since there may be thousands."""
    right = []
    while is_sum(node):
        right.append(node.right)
        node = node.left
    return [cast(ast.expr, node), *reversed(right)]
