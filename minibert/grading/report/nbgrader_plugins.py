"""Plugins that make nbgrader and formgrader write the same files as `minibert grade`."""

from typing import Any

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import default

from ..notebook import OURS, field
from .feedback_page import page
from .grade_tables import Export
from .gradebook import feedback_of
from .sanitize import sanitized_markdown, sanitized_outputs

__all__ = ["Export", "FeedbackExporter", "SanitizeSubmission"]


class SanitizeSubmission(NbGraderPreprocessor):
    """A preprocessor that sanitizes a student's text and outputs during `nbgrader autograde`."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, cell_index: int
    ) -> tuple[NotebookNode, Any]:
        """Return the sanitized cell, and the resources unchanged."""
        if cell.cell_type == "code":
            cell.outputs = [type(cell)(output) for output in sanitized_outputs(cell.outputs)]
        elif not field(cell, "locked") and not field(cell, "task"):
            # Raw cells become Markdown too, because they would be put into a page unchanged.
            cell.cell_type, cell.source = "markdown", sanitized_markdown(cell.source)
        return cell, resources


class FeedbackExporter(Exporter):
    """An exporter for `nbgrader generate_feedback`; nbgrader's own feedback page would show hidden tests."""

    @default("file_extension")
    def _file_extension_default(self):
        return ".html"

    def from_notebook_node(  # type: ignore[override]  # a page
        self,
        nb: NotebookNode,
        resources: Any = None,
        **kwargs: Any,
    ) -> tuple[str, Any]:
        """Return (feedback page of a notebook, resources), with scores and comments from the gradebook."""
        from nbgrader.api import Gradebook

        nb, resources = super().from_notebook_node(nb, resources, **kwargs)
        about = (resources or {}).get("nbgrader")
        if about is None:  # not in a course
            return page(nb, {}, nb.metadata.get(OURS, {}).get("name", "Feedback")), resources
        with Gradebook(about["db_url"]) as gradebook:
            return feedback_of(
                gradebook, about["notebook"], about["assignment"], about["student"], nb
            ), resources
