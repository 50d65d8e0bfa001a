import ast
import importlib.util
import os
import shutil
import sys
import time
from collections import namedtuple
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "setup_env.py"


@pytest.fixture
def setup(tmp_path):
    """The set-up script as a module, in a clone that has no environment yet."""
    for name in ("pyproject.toml", "constraints.txt", "scripts/setup_env.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    spec = importlib.util.spec_from_file_location("setup_env", tmp_path / "scripts" / "setup_env.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "output, sentence",
    [
        (
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "The disk is full.",
        ),
        (
            "WARNING: Retrying ... NewConnectionError('...: Failed to establish a new connection')\n"
            "ERROR: No matching distribution found for torch==2.13.0",
            "cannot be reached",
        ),
        ("ERROR: No matching distribution found for torch==2.13.0", "PyTorch has no build for this machine."),
        ("ssl.SSLCertVerificationError: CERTIFICATE_VERIFY_FAILED", "certificate is not trusted"),
        ("ERROR: [Errno 13] Permission denied: '/x'", "cannot write to this folder"),
        (
            "The virtual environment was not created successfully because ensurepip is not available.",
            "apt install python3-venv",
        ),
        (
            "building\nERROR: something else\nhint",
            "ERROR: something else (see .venv-setup.log for the whole output)",
        ),
    ],
)
def test_what_pip_says_becomes_one_sentence(setup, output, sentence):
    assert sentence in setup.reason(output)


@pytest.mark.parametrize(
    "version, wrong", [((3, 9), True), ((3, 10), False), ((3, 14), False), ((3, 15), True)]
)
def test_a_wrong_python_is_named_with_the_right_ones(setup, monkeypatch, version, wrong):
    monkeypatch.setattr(setup.sys, "version_info", (*version, 0))
    if not wrong:
        return setup.check_python()
    with pytest.raises(setup.SetupError, match=r"the course needs 64-bit Python 3\.10 to 3\.14"):
        setup.check_python()


def test_a_full_disk_is_named_before_anything_is_written(setup, monkeypatch, capsys):
    usage = namedtuple("usage", "total used free")(0, 0, 2**30)
    monkeypatch.setattr(setup.shutil, "disk_usage", lambda path: usage)
    monkeypatch.setattr(setup, "cpu_build_reachable", lambda: True)
    monkeypatch.setattr(sys, "argv", ["setup_env.py"])
    assert setup.main() == 1 and not setup.VENV.exists()
    assert "The set-up needs 3 GiB of disk space, but" in capsys.readouterr().err


def installed(setup, stamp):
    setup.VENV.joinpath("bin" if os.name != "nt" else "Scripts").mkdir(parents=True)
    setup.venv_python().symlink_to(sys.executable)
    setup.STAMP.write_text(stamp)


def test_nothing_is_done_where_nothing_changed(setup):
    installed(setup, setup.key("dev"))
    assert setup.finished("dev") and setup.finished("course")


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_changed_requirement_asks_for_a_new_set_up(setup, name):
    installed(setup, setup.key("dev"))
    with (setup.ROOT / name).open("a") as file:
        file.write("# changed\n")
    assert not setup.finished("dev")


def test_a_killed_set_up_is_started_anew_and_a_clean_failure_goes_on(setup, monkeypatch, capsys):
    commands = []
    monkeypatch.setattr(setup, "run", commands.append)
    installed(setup, setup.key("course"))
    setup.make_venv(switch=False)
    assert commands == []
    setup.STAMP.write_text(setup.UNFINISHED)
    assert capsys.readouterr().out == ""
    setup.make_venv(switch=False)
    assert capsys.readouterr().out == "  continuing after an interruption; finished downloads are kept\n"
    assert commands == [[sys.executable, "-m", "venv", "--clear", str(setup.VENV)]]


def test_a_silent_command_shows_that_it_still_works(setup, monkeypatch, capsys):
    monkeypatch.setattr(setup, "ALIVE", 0.05)
    setup.run([sys.executable, "-c", "import time; time.sleep(0.5)"])
    said = capsys.readouterr().out
    assert said.startswith("  still working: 0.0 minutes\n")
    time.sleep(0.2)
    assert capsys.readouterr().out == "", "the signs of life end with the command"


def test_the_constraints_name_no_machine_and_no_local_build():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert "torch==2.13.0" in pins
    assert not [pin for pin in pins if "+" in pin or "/" in pin or "==" not in pin]


def test_the_script_and_the_package_ask_for_the_same_python(setup):
    lowest, above = "{}.{}".format(*setup.OLDEST), f"{setup.NEWEST[0]}.{setup.NEWEST[1] + 1}"
    assert f'requires-python = ">={lowest},<{above}"' in (ROOT / "pyproject.toml").read_text()


def test_an_old_python_still_reads_the_script():
    ast.parse(SCRIPT.read_text(), feature_version=(3, 6))
