"""Build, hand out, collect, run and mark notebooks.

This package depends on nbgrader but not on any model. Each part imports only from the parts listed before it,
which `make check` enforces:

    notebook, cell_messages   notebooks as data, and the messages in their executed cells
    author      turns an instructor's text source into notebooks for students and a bundle for grading
    intake      reads and repairs the notebooks that a class hands in; `minibert doctor`
    sandbox     isolates students' code: where it runs and what it may use
    wire        messages between the trusted process and the student's process
    run         executes one notebook: its cells in the sandbox, the tests in the trusted process
    report      feedback pages, gradebook, tables and summary; plugins for plain nbgrader
    integrity   academic integrity: flags suspicious lines of code and finds similar answers
    class_run   grades one submission (`grade_submission`) or a whole class (`grade_class`)
    export      offers the same grading as an autograder for Gradescope or GitHub Classroom

`run` and `report` do not import each other.
"""

import sys

# nbformat's JSON schemas have no IRIs, and compiling the grammar for them would take each process a second
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]
