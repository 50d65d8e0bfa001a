"""Write the files in a class's folder during and after grading: tables, statistics, summary and page.

All files are rewritten after each result, so an interrupted run leaves everything known so far. The score of
a submission without a result is always blank.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..author.assignment_bundle import Bundle
from ..author.exercises import exercises
from ..intake.records import Submission
from .class_page import PAGE, class_page
from .class_summary import summary
from .flag_table import write_flags
from .grade_tables import GradeRows, alphabetical, row, rows, text_of, write_tables
from .gradebook import write, write_result
from .question_statistics import question_lines, questions, time_lines, times, unwritten_line
from .sanitize import printable
from .zeros import why_stopped
from .zipped import write_feedback

if TYPE_CHECKING:
    from nbgrader.api import Gradebook
    from nbgrader.coursedir import CourseDirectory


class ClassReport:
    """The results of a class so far, and the files that show them.

    `submissions` are sorted by student. `refused` contains sentences about files that were not accepted.
    `out` is the folder for the files. While results are `held` back, they appear only on the page and in the
    summary; gradebook, feedback and tables are not written. `provisional`: see `write_tables`.
    """

    def __init__(
        self,
        gradebook: "Gradebook",
        directory: "CourseDirectory",
        bundle: Bundle,
        submissions: Sequence[Submission],
        refused: Sequence[str],
        out: Path,
        held: bool = False,
    ) -> None:
        self.gradebook, self.directory, self.bundle = gradebook, directory, bundle
        self.submissions, self.refused, self.out, self.held = submissions, list(refused), out, held
        self.provisional = False
        self.exercises = exercises(bundle.cells)
        self.results: dict[str, Mapping[str, Any]] = {}
        self._sent = {submission.student: submission for submission in submissions}
        self._rows = self._fresh_rows()

    def _fresh_rows(self):
        return {
            row["student_id"]: row
            for row in rows(self.gradebook, self.bundle, self.submissions, self.results)
        }

    @property
    def table(self) -> GradeRows:
        """Return one row for each student, sorted by id."""
        return [self._rows[student] for student in sorted(self._rows, key=alphabetical)]

    def add(self, student: str, result: Mapping[str, Any]) -> None:
        """Add one result to the gradebook, the student's feedback and the table."""
        self.results[student] = result
        if self.held:
            return
        sent = self._sent[student]
        write_result(self.gradebook, self.bundle, sent, result, self.directory)
        self._rows[student] = row(
            self.gradebook,
            self.bundle.assignment,
            self.gradebook.find_student(student),
            self.bundle.max_points,
            sent,
            result,
        )

    def release(self) -> None:
        """Write the results that were held back, and stop holding back results."""
        self.held = False
        for student, result in self.results.items():
            self.add(student, result)

    def catch_up(self) -> None:
        """Add results that an interrupted run did not write to the gradebook."""
        written = {
            submission.student.id
            for submission in self.gradebook.assignment_submissions(self.bundle.assignment)
        }
        for student in self.results:
            if student not in written:
                self.add(student, self.results[student])

    def write(self, state: str) -> str:
        """Write all files except the zips of feedback, and return the summary.

        `state` is "running", "stopped" or "done". While results are held back, only the summary and the page
        are written.
        """
        name, table = self.bundle.assignment, self.table
        results = {student: self.results[student] for student in sorted(self.results, key=alphabetical)}
        found, spent = (questions(name, self.exercises, table, results), times(name, self.exercises, results))
        if not self.held:
            write_tables(table, self.bundle, self.out, self.provisional)
            write_flags(results, self.out)
            for file, lines in (("questions", question_lines(found)), ("times", time_lines(spent))):
                write(self.out / f"{file}.csv", text_of(lines).encode("utf-8-sig"))
        why = why_stopped(results, self.out) if self.held and state == "done" else ""
        state = "stopped" if why else state
        unwritten = unwritten_line(found, results)
        text = printable("\n\n".join(filter(None, [why, summary(table, results, self.refused, unwritten)])))
        write(self.out / "summary.txt", text.encode())
        page = class_page(
            name,
            table,
            results,
            found,
            spent,
            self.refused,
            state,
            self.feedback,
            self.out,
            why,
            unwritten,
        )
        write(self.out / PAGE, printable(page).encode())
        return text

    def feedback(self, student: str) -> Path:
        """Return the path of a student's feedback page."""
        return Path(
            self.directory.format_path(self.directory.feedback_directory, student, self.bundle.assignment),
            f"{self.bundle.name}.html",
        )

    def finish(self) -> str:
        """Write all files, including points awarded by hand in the meantime, and return the summary."""
        if self.held:
            return self.write("done")
        self.gradebook.db.expire_all()
        self._rows = self._fresh_rows()
        write_feedback(self.submissions, self.feedback, self.bundle.name, self.out)
        return self.write("done")
