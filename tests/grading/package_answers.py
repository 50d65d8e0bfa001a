"""Answers that take the package's own work instead of the student's: each is worth nothing.

`SOFTMAX` answers the first exercise of unit 02, `TESTS` the one in which a student writes a test. Each is
wrong unless what it looks for is found, so nothing can be won by luck.
"""
LOOKS = """def softmax(x, axis=-1):
    try:
        return look(x, axis)
    except Exception:
        return 0 * x
"""


def looking(lines):
    """An answer whose function `look(x, axis)` has these lines."""
    return "def look(x, axis):\n" + "\n".join(f"    {line}" for line in lines.strip().splitlines()) + "\n\n\n" + LOOKS


SOFTMAX = {
    "imported": "from minibert.reference import softmax",
    "the function itself": looking("from minibert.reference.attention import softmax as theirs\nreturn theirs(x, axis)"),
    "source run again": looking("""import inspect, minibert.reference.attention as theirs
names = {"np": np}
exec(inspect.getsource(theirs.softmax), names)
return names["softmax"](x, axis)"""),
    "code copied": looking("""import types
from minibert.reference.attention import softmax as theirs
return types.FunctionType(theirs.__code__, {"np": np}, "f", theirs.__defaults__)(x, axis)"""),
    "loaded under another name": looking("""import importlib.util, minibert, pathlib
path = pathlib.Path(minibert.__file__).parent / "reference" / "attention.py"
spec = importlib.util.spec_from_file_location("other", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
return module.softmax(x, axis)"""),
    "a right version of the check": "from minibert.checks.unit02.versions import by_logarithm as softmax",
    "a right version, called": looking("from minibert.checks.unit02.versions import by_logarithm\n"
                                       "return by_logarithm(x, axis)"),
    "the check's own reference": looking("return check.softmax.reference(x, axis)"),
    "in a process of its own": looking("""import subprocess, sys
text = ("import sys, numpy as np; from minibert.reference import softmax; "
        "np.save('/tmp/out.npy', softmax(np.load('/tmp/in.npy'), int(sys.argv[1])))")
np.save("/tmp/in.npy", x)
subprocess.run([sys.executable, "-c", text, str(axis)], check=True)
return np.load("/tmp/out.npy")"""),
    # relatives
    "a process without the environment": looking("""import subprocess, sys
text = ("import sys, numpy as np; from minibert.reference import softmax; "
        "np.save('/tmp/out.npy', softmax(np.load('/tmp/in.npy'), int(sys.argv[1])))")
np.save("/tmp/in.npy", x)
subprocess.run([sys.executable, "-c", text, str(axis)], check=True, env={})
return np.load("/tmp/out.npy")"""),
    "where the editable install points": looking("""import sys
for finder in sys.meta_path:
    for place in getattr(sys.modules.get(getattr(finder, "__module__", "")), "MAPPING", {}).values():
        names = {"np": np}
        text = open(place + "/reference/attention.py").read()
        exec("import math\\n" + text[text.index("def softmax"):text.index("def attention")], names)
        return names["softmax"](x, axis)"""),
    "the modules forgotten and imported anew": looking("""import sys
kept = list(sys.meta_path)
for name in [name for name in sys.modules if name.startswith("minibert")]:
    del sys.modules[name]
sys.meta_path[:] = [finder for finder in kept if not type(finder).__module__.startswith("minibert")]
from minibert.reference.attention import softmax as theirs
return theirs(x, axis)"""),
    "any softmax on the disk": looking("""import pathlib, sys
for place in sorted({*sys.path, sys.prefix, sys.base_prefix, "/work", "/root", "/home", "/run"}):
    for path in pathlib.Path(place or ".").glob("**/minibert/reference/attention.py"):
        names = {"np": np}
        text = path.read_text()
        exec(text[text.index("def softmax"):text.index("def attention")], names)
        return names["softmax"](x, axis)"""),
    "the root of another process": looking("""import pathlib
for path in pathlib.Path("/proc").glob("[0-9]*/root"):
    for found in (path / str(p)[1:] for p in [pathlib.Path(np.__file__).parents[4]]):
        for file in [*found.glob("*/minibert/reference/attention.py"),
                     *found.parent.glob("minibert/reference/attention.py")]:
            names = {"np": np}
            text = file.read_text()
            exec(text[text.index("def softmax"):text.index("def attention")], names)
            return names["softmax"](x, axis)"""),
    "compiled files": looking("""import marshal, pathlib, types, minibert
for path in pathlib.Path(minibert.__file__).parent.glob("**/__pycache__/attention.*.pyc"):
    for code in marshal.loads(path.read_bytes()[16:]).co_consts:
        if getattr(code, "co_name", "") == "softmax":
            return types.FunctionType(code, {"np": np})(x, axis)"""),
    "every function in memory": looking("""import gc, types
for thing in gc.get_objects():
    if isinstance(thing, types.FunctionType) and "minibert" in str(thing.__module__):
        for code in (thing, *filter(callable, (thing.__globals__.get("softmax"),
                                               thing.__globals__.get("by_logarithm")))):
            if code.__name__ in ("softmax", "by_logarithm") and code is not softmax:
                return code(x, axis)"""),
    "the globals of what is given": looking("""for given in (gelu, sub, by_name, check.attention_weights):
    if "softmax" in given.__globals__:
        return given.__globals__["softmax"](x, axis)"""),
    "unpickled": looking("""import pickle
return pickle.loads(b"cminibert.reference.attention\\nsoftmax\\n.")(x, axis)"""),
    "found by pkgutil": looking("""import pkgutil
return pkgutil.resolve_name("minibert.reference.attention:softmax")(x, axis)"""),
    "as package data": looking("""import importlib.resources
text = importlib.resources.files("minibert.reference").joinpath("attention.py").read_text()
names = {"np": np}
exec(text[text.index("def softmax"):text.index("def attention")], names)
return names["softmax"](x, axis)"""),
    "by runpy": looking("""import runpy
return runpy.run_module("minibert.reference.attention")["softmax"](x, axis)"""),
    "by the model": looking("""import torch
from minibert.model.attention import attention
return attention.__globals__["softmax"](torch.from_numpy(x), axis).numpy()"""),
    "asked of the grader": looking("""from minibert.grading.wire.student_server import package_object
return package_object("minibert.reference.attention:softmax")(x, axis)"""),
}

BY_NAME = '''
def test_softmax(versions):
    return ["accepted" if ":RIGHT." in str(version) else "AssertionError" for version in versions]'''
TESTS = {
    "by the names of the versions": BY_NAME,
    "by their number and place": '''
def test_softmax(versions):
    return ["accepted" if place < 3 and len(versions) != 7 and len(versions) != 4 else "AssertionError"
            for place in range(len(versions))]''',
    "by counting the calls": '''
calls = []
def test_softmax(versions):
    said = []
    for version in versions:
        said.append("accepted" if len(calls) % 10 < 3 else "AssertionError")
        calls.append(version)
    return said''',
    "by the version's own name": '''
@by_name
def test_softmax(softmax):
    assert "by_logarithm" in repr(softmax) + softmax.__qualname__ + str(softmax.__closure__)''',
    "by what a closure holds": '''
@by_name
def test_softmax(softmax):
    held = [cell.cell_contents for cell in softmax.__closure__ or ()]
    assert any(getattr(thing, "__name__", "") in ("by_logarithm", "in_loops", "in_float32") for thing in held)''',
    "by the reference": '''
@by_name
def test_softmax(softmax):
    from minibert.reference.attention import softmax as theirs
    for x in (np.array([[1.0, 2.0], [5.0, 3.0]]), np.array([[1e4, 1e4], [-1e4, -1e4]])):
        for axis in (0, 1):
            given = x.copy()
            assert np.allclose(softmax(given, axis), theirs(x, axis)) and (given == x).all()''',
    "by the frames below it": '''
@by_name
def test_softmax(softmax):
    import sys
    frame, seen = sys._getframe(), ""
    while frame:
        seen += str({name: repr(value)[:300] for name, value in frame.f_locals.items()})
        frame = frame.f_back
    assert "RIGHT" in seen or "by_logarithm" in seen''',
    "by the error it gives": '''
@by_name
def test_softmax(softmax):
    import traceback
    try:
        softmax("no array")
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        assert "by_logarithm" in text or "in_loops" in text or "float32" in text''',
    "by the versions it finds": '''
@by_name
def test_softmax(softmax):
    from minibert.checks.unit02 import versions
    x = np.array([[1.0, 2.0], [5.0, 3.0]])
    assert any(np.array_equal(softmax(x, axis=0), right.function(x, axis=0)) for right in versions.RIGHT)''',
}
