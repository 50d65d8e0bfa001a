"""Answers that take the package's own work instead of the student's: each is worth nothing.

`SOFTMAX` answers the first exercise of unit 02, `TESTS` the one in which a student writes a test. Each is
wrong unless what it looks for is found, so nothing can be won by luck.
"""


def looking(lines):
    """An answer that looks for a function with these lines before it is checked, and calls it later."""
    body = "\n".join(f"    {line}" for line in lines.strip().splitlines())
    return (
        f"def look():\n{body}\n\n\ntry:\n    found = look()\nexcept Exception:\n    found = None\n\n\n"
        "def softmax(x, axis=-1):\n    return found(x, axis) if found else 0 * x\n"
    )


COPY = "types.FunctionType({0}.__code__, {0}.__globals__, 'f', {0}.__defaults__)"
CUT = """names = {"np": np}
exec(text[text.index("def softmax"):text.index("def attention")], names)
return names["softmax"]"""
RUN = """import subprocess, sys
text = ("import sys, numpy as np; from minibert.reference import softmax; "
        "np.save('out.npy', softmax(np.load('in.npy'), int(sys.argv[1])))")
def run(x, axis):
    np.save("in.npy", x)
    subprocess.run([sys.executable, "-c", text, str(axis)], check=True{0})
    return np.load("out.npy")
run(np.eye(2), 0)
return run"""
SOFTMAX = {
    # known
    "imported": "from minibert.reference import softmax",
    "source run again": looking("""import inspect, minibert.reference.attention as theirs
names = {"np": np}
exec(inspect.getsource(theirs.softmax), names)
return names["softmax"]"""),
    "code copied": looking(f"""import types
from minibert.reference.attention import softmax as theirs
return {COPY.format("theirs")}"""),
    "loaded under another name": looking("""import importlib.util, minibert, pathlib
path = pathlib.Path(minibert.__file__).parent / "reference" / "attention.py"
spec = importlib.util.spec_from_file_location("other", path)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
return module.softmax"""),
    "a right version": "from minibert.course.unit02.versions import by_logarithm as softmax",
    "in a process of its own": looking(RUN.format("")),
    # relatives
    "a right version, called": looking(
        "from minibert.course.unit02.versions import RIGHT\nreturn lambda x, axis: RIGHT[0].function(x, axis)"
    ),
    "the check's own reference": looking(f"import types\nreturn {COPY.format('check.softmax.reference')}"),
    "a process without the environment": looking(RUN.format(", env={}")),
    "where the editable install points": looking(f"""import pathlib, sys
for finder in sys.meta_path:
    for place in getattr(sys.modules.get(getattr(finder, "__module__", "")), "MAPPING", {{}}).values():
        text = pathlib.Path(place, "reference/attention.py").read_text()
{chr(10).join("        " + line for line in CUT.splitlines())}"""),
    "all forgotten and imported anew": looking("""import sys
for name in [name for name in sys.modules if name.startswith("minibert")]:
    del sys.modules[name]
sys.meta_path[:] = [finder for finder in sys.meta_path if "minibert" not in type(finder).__module__]
from minibert.reference.attention import softmax as theirs
return theirs"""),
    "any such file": looking(f"""import pathlib, sys
for place in {{*sys.path, sys.prefix, sys.base_prefix, "/run", "/tmp", "/home", "/opt", "/root", "/work"}}:
    for pattern in ("", "lib/*/*-packages/", "*/", "*/*/"):
        for path in pathlib.Path(place or ".").glob(pattern + "minibert/reference/attention.py"):
            text = path.read_text()
{chr(10).join("            " + line for line in CUT.splitlines())}"""),
    "the roots of all processes": looking(f"""import pathlib, minibert, sys
places = [pathlib.Path(minibert.__file__).parent, pathlib.Path(sys.prefix).parent / "minibert"]
for root in pathlib.Path("/proc").glob("[0-9]*/root"):
    for place in places:
        path = pathlib.Path(f"{{root}}{{place}}/reference/attention.py")
        if path.exists():
            text = path.read_text()
{chr(10).join("            " + line for line in CUT.splitlines())}"""),
    "compiled files": looking("""import marshal, pathlib, types, minibert
for path in pathlib.Path(minibert.__file__).parent.glob("**/__pycache__/*.pyc"):
    for code in marshal.loads(path.read_bytes()[16:]).co_consts:
        if getattr(code, "co_name", "") in ("softmax", "by_logarithm"):
            return types.FunctionType(code, {"np": np}, "f", (-1,))"""),
    "everything in memory": looking(f"""import gc, sys, types
import minibert.course.unit02, minibert.reference
for thing in [*gc.get_objects(), *[value for module in [*sys.modules.values()] if module is not None
                                   for value in [*vars(module).values()]]]:
    if isinstance(thing, types.FunctionType) and "minibert" in str(thing.__module__):
        if thing.__name__ in ("softmax", "by_logarithm"):
            return {COPY.format("thing")}"""),
    "the globals of what is given": looking(f"""import types
for given in (gelu, sub, by_name, check.attention_weights):
    theirs = given.__globals__.get("softmax") or given.__globals__.get("multi_head_attention")
    if isinstance(theirs, types.FunctionType):
        theirs = theirs.__globals__["softmax"]
        return {COPY.format("theirs")}"""),
    "unpickled": looking(f"""import pickle, types
theirs = pickle.loads(b"cminibert.reference.attention\\nsoftmax\\n.")
return {COPY.format("theirs")}"""),
    "as package data": looking(f"""import importlib.resources
text = importlib.resources.files("minibert.reference").joinpath("attention.py").read_text()
{CUT}"""),
    "by runpy": looking("""import runpy
return runpy.run_module("minibert.reference.attention")["softmax"]"""),
    "by pkgutil": looking(f"""import pkgutil
text = pkgutil.get_data("minibert", "reference/attention.py").decode()
{CUT}"""),
    "by the server in her process": looking(f"""import types
from minibert.grading.wire.student_server import package_object
theirs = package_object("minibert.reference.attention:softmax")
return {COPY.format("theirs")}"""),
}

DIRECT = """
class Answers:      # takes the list itself, whatever a decorator would do with it
    __name__ = "test_softmax"
    def __call__(self, softmax):
        return [say(place, version, softmax) for place, version in enumerate(softmax)]


test_softmax = Answers()
"""
TESTS = {
    "by the names of the versions": DIRECT
    + """
def say(place, version, versions):
    return "accepted" if ":RIGHT." in str(version) else "AssertionError\"""",
    # relatives
    "by number and place": DIRECT
    + """
def say(place, version, versions):
    return "accepted" if len(versions) == 9 or len(versions) > 7 and place < 9 else "AssertionError\"""",
    "by counting": DIRECT
    + """
calls = []
def say(place, version, versions):
    calls.append(version)
    return "accepted" if len(calls) % len(versions) in range(1, 10) else "AssertionError\"""",
    "by how often each occurs": DIRECT
    + """
def say(place, version, versions):
    x = np.array([[0.3, -1.2], [2.5, 0.1]])
    outputs = [np.asarray(each(x, 0)).tobytes() for each in versions]
    return "accepted" if outputs.count(outputs[place]) == 3 else "AssertionError\"""",
    "by what a closure holds": """
@by_name
def test_softmax(softmax):
    held = [softmax]
    for function in held:
        held += [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    names = [getattr(thing, "__name__", "") for thing in held]
    assert {"by_logarithm", "in_loops", "in_float32"} & {*names}""",
    "by the reference": """
@by_name
def test_softmax(softmax):
    import types
    from minibert.reference.attention import softmax as theirs
    theirs = types.FunctionType(theirs.__code__, theirs.__globals__)
    for x in (np.array([[1.0, 2.0], [5.0, 3.0]]), np.array([[1e4, 1e4], [-1e4, -1e4]])):
        for axis in (0, 1):
            given = x.copy()
            assert np.allclose(softmax(given, axis), theirs(x, axis)) and (given == x).all()""",
    "by the frames below it": """
@by_name
def test_softmax(softmax):
    import sys
    frame, seen = sys._getframe(1), ""
    while frame:
        seen += str({name: repr(value)[:3000] for name, value in frame.f_locals.items()})
        frame = frame.f_back
    assert "RIGHT" in seen""",
    "by the error it gives": """
@by_name
def test_softmax(softmax):
    import traceback
    try:
        softmax("no array")
    except Exception as error:
        text = "".join(traceback.format_exception(error))
        assert "by_logarithm" in text or "in_loops" in text or "float32" in text""",
    "by the versions it finds": """
@by_name
def test_softmax(softmax):
    from minibert.course.unit02 import versions
    for x in (np.array([[1.0, 2.0], [5.0, 3.0]]), np.array([[1e4, 1e4], [-1e4, -1e4]])):
        for axis in (0, 1):
            given, right = x.copy(), versions.by_logarithm(x, axis)
            assert np.allclose(softmax(given, axis), right) and (given == x).all()""",
}
