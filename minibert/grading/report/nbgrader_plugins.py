"""Plugins that make nbgrader and formgrader write the same files as `minibert grade`."""

from typing import Any

from nbconvert.exporters import Exporter
from nbformat import NotebookNode
from traitlets import default

from ..notebook import OURS
from .feedback_page import page
from .grade_tables import Export
from .gradebook import feedback_of

__all__ = ["Export", "FeedbackExporter"]


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
