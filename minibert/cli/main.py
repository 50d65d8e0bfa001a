"""The entry point of the command line.

Exit status: 0 success, 1 a check found problems (build --check, doctor), 2 invalid input, 130 interrupted.
"""

import inspect
import os
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, Group, Parameter, UnknownOptionError

from . import engineers, instructors, students
from .options import spell
from .version import version_line

app = App(
    name="minibert",
    help="A small, readable BERT, and a course about it. "
    "`minibert COMMAND --help` shows an example and the options of a command.",
    help_format="plaintext",
    version=version_line,
    version_flags=["--version"],
    default_parameter=Parameter(
        negative="",
        consume_multiple=True,
        allow_repeating=True,
        show_default=lambda value: None if value is False else value,
    ),
)
# Options of other programs: our names, which their spelling does not suggest.
ELSEWHERE = {"--lr": "--peak-rate", "--learning-rate": "--peak-rate"}
app.register_install_completion_command()
for title, module in (("Students", students), ("Instructors", instructors), ("Engineers", engineers)):
    group = Group.create_ordered(title)
    for place, command in enumerate(module.COMMANDS):
        parameters = inspect.signature(command).parameters.values()
        command.__annotations__ = {parameter.name: spell(parameter) for parameter in parameters}
        app.command(command, group=group, sort_key=place, help_format="markdown")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command given by `argv` (by default, the command line) and return its exit status."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(
            line_buffering=True, encoding=sys.stdout.encoding if sys.stdout.isatty() else "utf-8"
        )
    argv = sys.argv[1:] if argv is None else argv
    name = " ".join(["minibert", *app.parse_commands(argv)[0]])
    try:
        command, values, _ = app.parse_args(argv, print_error=False, exit_on_error=False)
        return command(*values.args, **values.kwargs) or 0
    except KeyboardInterrupt:
        resumes = name not in ("minibert doctor", "minibert lab")
        print("\nInterrupted." + " Run the same command again to continue." * resumes, file=sys.stderr)
        return 130
    except BrokenPipeError:  # the program that reads our output, such as `head`, has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (CycloptsError, ValueError, OSError, FloatingPointError) as error:
        ours = ELSEWHERE.get(error.token.keyword or "") if isinstance(error, UnknownOptionError) else None
        print(f"{name}: {error}" + f" Did you mean {ours}?" * bool(ours), file=sys.stderr)
        return 2
