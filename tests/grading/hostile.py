"""Submissions that mean harm, or look like it: what their cells do, and which points they may have.

One assignment of three points: `double`, one visible and one hidden test; `square`, one test, always answered
honestly. What is tried for `double` must neither win its points nor lose that of `square`.
"""

from dataclasses import dataclass

SETUP = "import numpy as np"
VISIBLE = """expected = np.array([2.0, 4.0, 6.0])
got = double(np.array([1.0, 2.0, 3.0]))
assert np.allclose(got, expected), "double: other values\""""
HIDDEN = """### BEGIN HIDDEN TESTS
x = np.random.default_rng(7).normal(size=(2, 3))
expected = x * 2
got = double(x)
assert np.allclose(got, expected), "double: other values on a fresh input"
### END HIDDEN TESTS"""
SQUARE = "def square(x):\n    return x * x"
SQUARE_TEST = "assert np.allclose(square(np.array([3.0])), 9.0)"
WRONG = "def double(x):\n    return np.full(x.shape, 99.0)"
RIGHT = "def double(x):\n    return 2 * x"

SECRET = "SECRET_OF_THE_GRADER"  # an environment variable
PORT = 47651  # of a service on this machine
NOTHING, ALL = (0, 0, 1), (1, 1, 1)


@dataclass(frozen=True)
class Kind:
    """One kind. double: source of the answer cell. points: of the three tests. later: her own cell below it.

    plain: False if plain nbgrader must not run it, because it could harm the machine. tag: on the test cells.
    """

    name: str
    double: str
    points: tuple = NOTHING
    later: str = ""
    plain: bool = True
    tag: str = ""


def escape(attempt):
    """An answer that is right only if `attempt` (lines that set `out` to True) gets out."""
    lines = "\n".join("        " + line for line in attempt.strip("\n").splitlines())
    return (
        f"def double(x):\n    out = False\n    try:\n{lines}\n    except Exception:\n        pass\n"
        "    return 2 * x if out else 0 * x + 99"
    )


def after(lines):
    """A wrong answer, and lines below it."""
    return f"{WRONG}\n\n\n{lines}"


KINDS = (
    Kind("honest", RIGHT, ALL),
    Kind("not written", "def double(x):\n    raise NotImplementedError()"),
    Kind("wrong", WRONG),
    Kind("no Python", "def double(x:"),
    # what pretends to be a number
    Kind(
        "array equal to everything",
        """class Liar(np.ndarray):
    def __array_ufunc__(self, *args, **kwargs):
        return np.True_
    def __array_function__(self, *args, **kwargs):
        return True
    def __eq__(self, other):
        return True
def double(x):
    return np.full(x.shape, 99.0).view(Liar)""",
    ),
    Kind(
        "object with __array_function__",
        """class Liar:
    shape, dtype, ndim = (3,), np.dtype(float), 1
    def __array_function__(self, *args, **kwargs):
        return True
    def __eq__(self, other):
        return True
def double(x):
    return Liar()""",
    ),
    Kind(
        "__array__ that looks for the expected value",
        """class Liar:
    def __array__(self, dtype=None, copy=None):
        import sys
        frame = sys._getframe()
        while frame:
            if "expected" in frame.f_globals:
                return np.asarray(frame.f_globals["expected"])
            frame = frame.f_back
        return np.zeros(3)
def double(x):
    return Liar()""",
    ),
    Kind(
        "__class__ says ndarray",
        """class Liar:
    __class__ = property(lambda self: np.ndarray)
    def __array_function__(self, *args, **kwargs):
        return True
def double(x):
    return Liar()""",
    ),
    Kind(
        "array of objects equal to everything",
        """class Liar(float):
    def __eq__(self, other):
        return True
    def __sub__(self, other):
        return 0.0
    __rsub__ = __sub__
def double(x):
    return np.array([Liar(99)] * x.size, object).reshape(x.shape)""",
    ),
    Kind(
        "pickles into a command",
        """class Liar:
    def __reduce__(self):
        return exec, ("import numpy; numpy.allclose = lambda *a, **k: True",)
def double(x):
    return Liar()""",
    ),
    Kind("nan", "def double(x):\n    return x * np.nan"),
    Kind("infinity", "def double(x):\n    return x * np.inf"),
    # what changes Python, NumPy or the notebook under the test
    Kind("numpy.allclose patched", after("np.allclose = lambda *args, **kwargs: True")),
    Kind(
        "numpy replaced",
        after("""import sys, types
fake = types.ModuleType('numpy')
fake.__getattr__ = lambda name: (lambda *args, **kwargs: True)
sys.modules['numpy'] = fake"""),
    ),
    Kind(
        "the name np overwritten",
        after("""class np:
    array = staticmethod(lambda *a: _Any())
    allclose = staticmethod(lambda *a, **k: True)
    class random:
        default_rng = staticmethod(lambda *a: _Any())
class _Any:
    shape = (2, 3)
    def normal(self, size): return self
    def __mul__(self, other): return self
double = square = lambda x: x"""),
    ),
    Kind("builtins patched", after("import builtins\nbuiltins.AssertionError = builtins.isinstance = None")),
    Kind(
        "asserts dropped by an AST transformer",
        after("""import ast
class Drop(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()
get_ipython().ast_transformers.append(Drop())"""),
    ),
    Kind(
        "asserts dropped by an input transformer",
        after("""get_ipython().input_transformers_post.append(
    lambda lines: [line for line in lines if not line.startswith('assert')])"""),
    ),
    Kind(
        "cells emptied before they are parsed",
        after("get_ipython().input_transformers_cleanup.append(lambda lines: ['pass\\n'])"),
    ),
    Kind(
        "errors of cells ignored",
        after("""from IPython.core.interactiveshell import InteractiveShell
async def nothing(self, code, result=None, *, async_=False):
    return False
InteractiveShell.run_code = nothing"""),
    ),
    Kind("tracebacks not shown", after("get_ipython().showtraceback = lambda *args, **kwargs: None")),
    Kind(
        "custom exception handler",
        after("get_ipython().set_custom_exc((BaseException,), lambda *args, **kwargs: None)"),
    ),
    Kind(
        "_render_traceback_ that patches",
        """class Fail(Exception):
    def _render_traceback_(self):
        np.allclose = lambda *args, **kwargs: True
        return []
def double(x):
    if np.allclose(0, 1):
        return x
    raise Fail()""",
    ),
    Kind(
        "kernel's messages rewritten",
        after("""session = get_ipython().kernel.session
send = type(session).send
def forged(self, stream, message, content=None, *args, **kwargs):
    if message == 'error':
        return None
    if message == 'execute_reply':
        content = {'status': 'ok', 'execution_count': 1, 'user_expressions': {}, 'payload': []}
    return send(self, stream, message, content, *args, **kwargs)
type(session).send = forged"""),
    ),
    Kind(
        "hook that gives partial credit",
        after("""def give(result):
    shell = get_ipython()
    shell.displayhook.exec_result = None
    shell.displayhook(1.0)
get_ipython().events.register('post_run_cell', give)"""),
    ),
    Kind(
        "display hook replaced",
        after("""import sys
sys.displayhook = lambda value: None
get_ipython().display_pub.publish = lambda *args, **kwargs: None"""),
    ),
    Kind(
        "tracing the test",
        after("""import sys
def trace(frame, event, arg):
    if 'expected' in frame.f_globals:
        frame.f_globals['got'] = frame.f_globals['expected']
    return trace
sys.settrace(trace)"""),
    ),
    Kind(
        "thread that goes on",
        after("""import threading, time
def patch():
    while True:
        np.allclose = lambda *args, **kwargs: True
        time.sleep(0.01)
threading.Thread(target=patch, daemon=True).start()"""),
    ),
    Kind("exit hook", after("import atexit, os\natexit.register(os._exit, 0)")),
    Kind(
        "garbage collector searched",
        """def double(x):
    import gc
    for thing in gc.get_objects():
        expected = thing.get("expected") if type(thing) is dict else None
        if isinstance(expected, np.ndarray) and expected.shape == x.shape:
            return expected
    return 0 * x + 99""",
    ),
    Kind(
        "caller's frame read",
        """def double(x):
    import sys
    frame = sys._getframe()
    while frame:
        if "expected" in frame.f_globals or "expected" in frame.f_locals:
            return {**frame.f_globals, **frame.f_locals}["expected"]
        frame = frame.f_back
    return 0 * x + 99""",
    ),
    Kind("notebook's variables read", "def double(x):\n    return globals().get('expected', 0 * x + 99)"),
    Kind(
        "history searched",
        """def double(x):
    cells = "\\n".join(get_ipython().user_ns["In"])
    return x * 2 if "BEGIN " + "HIDDEN" in cells else 0 * x + 99""",
    ),
    # what tries to get out
    Kind(
        "looks for the notebook",
        escape("""
import glob
found = glob.glob("*.ipynb") + glob.glob("../*.ipynb")
out = any("BEGIN HIDDEN" in open(path).read() for path in found)"""),
    ),
    Kind(
        "looks for other processes",
        escape("""
import glob, os
words = ("autograde", "-m\\0minibert.grading.run.trusted_process_main", "nbgrader", "hostile")
lines = [open(path).read() for path in glob.glob("/proc/[0-9]*/cmdline")]
out = any(word in line for word in words for line in lines)"""),
    ),
    Kind(
        "reads the environment",
        escape("""
import os
secrets = {"NBGRADER_EXECUTION", "SECRET_OF_THE_GRADER"} & set(os.environ)
out = bool(secrets) or b"SECRET_OF" in open("/proc/1/environ", "rb").read()
"""),
    ),
    Kind("uses the network", escape("import socket\nout = len(socket.if_nameindex()) > 1")),
    Kind(
        "talks to a local service",
        escape(f"import socket\nout = bool(socket.create_connection(('127.0.0.1', {PORT}), 1))"),
    ),
    Kind(
        "writes outside its folder",
        escape("""
import pathlib, sys
for place in (sys.prefix, "/", "/usr", "/etc", "/dev", "/root", "/var/tmp", np.__path__[0]):
    try:
        pathlib.Path(place, "minibert-was-here").write_text("x")
        pathlib.Path(place, "minibert-was-here").unlink()
        out = True
    except OSError:
        continue"""),
    ),
    Kind(
        "writes the package's checks",
        escape("""
import minibert.course.checks.exercise as base
open(base.__file__, "a").close()
out = True"""),
    ),
    Kind(
        "mounts, traces, loads",
        escape("""
import ctypes, os
call = ctypes.CDLL(None, use_errno=True)
out = (call.mount(b"none", b"/mnt", b"tmpfs", 0, b"") == 0 or call.ptrace(16, os.getppid(), 0, 0) == 0
       or call.setuid(0) == 0)
"""),
        plain=False,
    ),
    Kind(
        "fills the disk",
        escape("""
for number in range(300):
    open(f"/tmp/minibert-fill-{number}", "wb").write(bytes(10 ** 6))
out = True"""),
        plain=False,
    ),
    # what works on the connection itself
    Kind(
        "forges replies",
        after("""import gc
def lie(self, request):
    return {'value': True, 'args': None, 'seconds': 0.0}
for thing in gc.get_objects():
    if type(thing).__name__ == 'Server':
        type(thing)._reply = lie"""),
    ),
    Kind("closes the connection", after("import os\nos.closerange(3, 200)")),
    Kind(
        "sends rubbish over the connection",
        after("""import gc, socket
for thing in gc.get_objects():
    if isinstance(thing, socket.socket) and thing.family == socket.AF_UNIX and thing.fileno() >= 0:
        try:
            thing.sendall(b'\\xff' * 64)
        except OSError:
            pass"""),
    ),
    Kind(
        "deeply nested message",
        after("""from minibert.grading.wire import protocol
import struct
def send(connection, value, describe=None):
    text = b'[' * 1000000
    connection.sendall(protocol.HEAD.pack(len(text), 0) + text)
protocol.send = send"""),
    ),
    # what takes too much
    Kind("100 MB of output", RIGHT + "\n\n\nfor _ in range(100):\n    print('x' * 10 ** 6)", ALL),
    Kind("endless loop in the cell", WRONG + "\n\n\nwhile True:\n    pass"),
    Kind("endless loop in the answer", "def double(x):\n    while True:\n        pass"),
    Kind(
        "endless loop that cannot be interrupted",
        """def double(x):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass""",
        plain=False,
    ),
    Kind("sleeps", "import time\ndef double(x):\n    time.sleep(10 ** 6)"),
    Kind(
        "takes all memory",
        "def double(x):\n    return [bytearray(10 ** 8) for _ in range(10 ** 6)]",
        plain=False,
    ),
    Kind("fork bomb", "import os\ndef double(x):\n    while True:\n        os.fork()", plain=False),
    Kind(
        "thread bomb",
        """import threading, time
def double(x):
    while True:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()""",
        plain=False,
    ),
    Kind(
        "array of 10^12 numbers",
        "def double(x):\n    return np.broadcast_to(0.0, (10 ** 6, 10 ** 6))",
        plain=False,
    ),
    Kind("list of 10^9 entries", "def double(x):\n    return [0.0] * 10 ** 9", plain=False),
    Kind(
        "iterator without end", "import itertools\ndef double(x):\n    return itertools.count()", plain=False
    ),
    Kind(
        "dict in dict, 10^5 deep",
        """def double(x):
    deep = {}
    for _ in range(10 ** 5):
        deep = {"a": deep}
    return deep""",
    ),
    # what ends
    Kind("os._exit in the cell", WRONG + "\n\n\nimport os\nos._exit(0)"),
    Kind("os._exit in the answer", "import os\ndef double(x):\n    os._exit(0)"),
    Kind("kills itself", "import os, signal\ndef double(x):\n    os.kill(os.getpid(), signal.SIGKILL)"),
    Kind(
        "kills what started it",
        "import os, signal\ndef double(x):\n    os.kill(os.getppid(), signal.SIGKILL)",
        plain=False,
    ),
    Kind("kills everyone", "import os, signal\ndef double(x):\n    os.kill(-1, signal.SIGKILL)", plain=False),
    Kind("segmentation fault", "import ctypes\ndef double(x):\n    ctypes.string_at(0)"),
    Kind("SystemExit", "def double(x):\n    raise SystemExit(0)"),
    Kind("KeyboardInterrupt", "def double(x):\n    raise KeyboardInterrupt()"),
    Kind(
        "exception whose text loops",
        """class Loop(Exception):
    def __str__(self):
        while True:
            pass
def double(x):
    raise Loop()""",
    ),
    Kind(
        "exception called CheckFailed",
        "class CheckFailed(Exception):\n    pass\ndef double(x):\n    raise CheckFailed('passed')",
    ),
    Kind("memory that is kept", RIGHT + "\n\n\nkept = bytearray(9 * 10 ** 8)", ALL, plain=False),
    Kind(
        "a timer that ends the kernel",
        RIGHT + "\n\n\nimport os, threading\n"
        "threading.Timer(0.2, os._exit, [0]).start()\nimport time\ntime.sleep(0.5)",
    ),
    Kind(
        "kill in a thread while it is tested",
        """import os, signal, threading, time
def double(x):
    threading.Thread(target=os.kill, args=(os.getpid(), signal.SIGKILL)).start()
    time.sleep(1)
    return 2 * x""",
        plain=False,
    ),
    Kind(
        "recursion without end",
        "import sys\nsys.setrecursionlimit(10 ** 9)\ndef double(x):\n    return double(x)",
    ),
    Kind(
        "waits for its own lock",
        "import threading\nlock = threading.Lock()\ndef double(x):\n    lock.acquire()\n    lock.acquire()",
    ),
    Kind("many short sleeps", "import time\ndef double(x):\n    while True:\n        time.sleep(0.1)"),
    Kind("indentation", "def double(x):\nreturn 2 * x"),
    Kind("her own cell loops", RIGHT, ALL, later="while True:\n    pass"),
    Kind("her own cell ends the kernel", RIGHT, ALL, later="import os\nos._exit(0)"),
    Kind(
        "large messages from a thread",
        RIGHT
        + "\n\n\n"
        + """import threading
session, socket = get_ipython().kernel.session, get_ipython().kernel.iopub_socket
def spam():
    for _ in range(100):
        session.send(socket, "stream", {"name": "stdout", "text": "x" * 15 * 10 ** 6}, parent={})
threading.Thread(target=spam, daemon=True).start()""",
        ALL,
    ),
    Kind(
        "one-byte messages without end",
        RIGHT + "\n\n\nfor _ in range(3000):\n    print('.', flush=True)",
        ALL,
    ),
    Kind(
        "display data without end",
        RIGHT + "\n\n\nfrom IPython.display import HTML, display\n"
        "for _ in range(3000):\n    display(HTML('<b>' * 500))",
        ALL,
    ),
    Kind(
        "an image of 12 MB",
        RIGHT + "\n\n\nfrom IPython.display import display\n"
        "display({'image/png': 'A' * 12 * 10 ** 6}, raw=True)",
        ALL,
    ),
    Kind("an error of 5 MB", RIGHT + "\n\n\nraise ValueError('x' * 5 * 10 ** 6)", ALL),
    Kind(
        "a type named after the input",
        """def double(x):
    return type(f"Seen{x.sum()}", (), {})()""",
    ),
    Kind(
        "the input kept for a later cell",
        RIGHT.replace("    return", "    seen.append(x)\n    return") + "\n\n\nseen = []",
        ALL,
        later="print(seen)",
    ),
    Kind("function deleted later", RIGHT, later="del double"),
    Kind("waits for input", "def double(x):\n    return 2 * x if input('2 * x? ') == 'yes' else 2 * x"),
    # what looks odd and is honest
    Kind(
        "prints a warning",
        "import sys, warnings\n"
        + RIGHT.replace(
            "    return", "    warnings.warn('hot')\n    print('careful', file=sys.stderr)\n    return"
        ),
        ALL,
    ),
    Kind(
        "shadows a module with a file",
        "open('numpy.py', 'w').write('raise SystemExit')\n"
        "open('random.py', 'w').write('raise SystemExit')\nimport random\n" + RIGHT,
        ALL,
    ),
    Kind(
        "prints a lot in its function",
        RIGHT.replace("    return", "    print('x' * 10 ** 6)\n    return"),
        ALL,
    ),
    Kind("returns a list", "def double(x):\n    return (2 * x).tolist()", ALL),
    Kind("skip-execution on the tests", WRONG, tag="skip-execution"),
    Kind("raises-exception on the tests", WRONG, tag="raises-exception"),
)
