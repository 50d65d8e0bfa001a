"""Makes plain `nbgrader` commands work in this repository: the course's folders under nbgrader's names."""

c = get_config()  # noqa: F821  nbgrader defines it

c.CourseDirectory.course_id = "minibert"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "exercises"
# generate_assignment copies every other file of a solution's folder into the exercise: never its text source
c.CourseDirectory.ignore = [".ipynb_checkpoints", "*.pyc", "__pycache__", "feedback", "*.nb.py"]

# the stub for a written answer; for code it is nbgrader's own `raise NotImplementedError()`, known to checks
c.ClearSolutions.text_stub = "*Your answer here.*"

# without this, each kernel that autograde starts warns that it uses TCP
c.Execute.extra_arguments = ["--IPKernelApp.log_level=ERROR"]

# per cell; nbgrader's 30 s would fail honest answers on a busy machine
c.Execute.timeout = 120

# a student never reads hidden tests in her feedback, and nothing in it runs; in a table, what is not graded
# is blank, not 0
c.GenerateFeedback.exporter_class = "minibert.grading.report.nbgrader_plugins.FeedbackExporter"
c.ExportApp.plugin_class = "minibert.grading.report.nbgrader_plugins.Export"

# answers are repaired and graded as `minibert grade` does, in a sandbox: nbgrader's own list, with another
# Execute. Before that, nothing is read that a submission says about its cells. Without bubblewrap it says
# what to do; MINIBERT_SANDBOX=limits or none is for answers that you trust
c.Autograde.sanitize_preprocessors = []
c.Autograde.autograde_preprocessors = [
    "minibert.grading.class_run.nbgrader_autograde.SandboxedExecute",
    "nbgrader.preprocessors.IgnorePattern",
    "nbconvert.preprocessors.ClearMetadataPreprocessor",
    "nbgrader.preprocessors.LimitOutput",
    "nbgrader.preprocessors.SaveAutoGrades",
    "nbgrader.preprocessors.AssignLatePenalties",
    "nbgrader.preprocessors.CheckCellMetadata",
]
