"""What nbgrader_config.py names, so that nbgrader's own commands, and formgrader's buttons, write what
`minibert grade` writes.
"""
from nbconvert.exporters import Exporter
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import default

from ..notebook import OURS, field
from .feedback import page
from .grade_tables import Export
from .gradebook import feedback
from .sanitize import inert_markdown, inert_outputs

__all__ = ["Export", "FeedbackExporter", "Inert"]


class Inert(NbGraderPreprocessor):
    """`nbgrader autograde`: what a student wrote or her code showed is text and pixels; nothing of it runs in
    formgrader.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type == "code":
            cell.outputs = [type(cell)(output) for output in inert_outputs(cell.outputs)]
        elif not field(cell, "locked") and not field(cell, "task"):
            # a raw cell is put into a page as it is
            cell.cell_type, cell.source = "markdown", inert_markdown(cell.source)
        return cell, resources


class FeedbackExporter(Exporter):
    """`nbgrader generate_feedback`: the page of `feedback.py` in place of nbgrader's, which shows hidden
    tests.
    """

    @default("file_extension")
    def _file_extension_default(self):
        return ".html"

    def from_notebook_node(self, nb, resources=None, **kwargs):
        from nbgrader.api import Gradebook

        nb, resources = super().from_notebook_node(nb, resources, **kwargs)
        about = (resources or {}).get("nbgrader")
        if about is None:           # not in a course
            return page(nb, {}, nb.metadata.get(OURS, {}).get("name", "Feedback")), resources
        with Gradebook(about["db_url"]) as gradebook:
            return feedback(gradebook, about["notebook"], about["assignment"], about["student"],
                            nb), resources
