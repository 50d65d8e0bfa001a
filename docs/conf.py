"""Sphinx's settings for the site; `docs/site/pages.py` writes the pages and calls Sphinx."""

from docutils.nodes import SkipNode
from latex2mathml.converter import convert

project, author, copyright = "minibert", "The minibert maintainers", "the minibert maintainers"
extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "myst-nb", ".ipynb": "myst-nb"}

nb_execution_mode = "off"  # pages.py has run the lessons
nb_code_prompt_show, nb_code_prompt_hide = "Show the code", "Hide the code"
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 4
myst_update_mathjax = False
suppress_warnings = ["myst.header"]  # a lesson may go from # to ###

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # the docstrings say them in words
default_role = "literal"
napoleon_google_docstring = True

html_theme = "furo"
html_title = "minibert, a course on BERT"
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_js_files = [("live.js", {"defer": "defer"})]
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
html_math_renderer = "mathml"


def inline(self, node):
    """Write a formula within a line as MathML, which browsers draw without a script."""
    self.body.append(convert(node.astext()))
    raise SkipNode


def block(self, node):
    """Write a formula on a line of its own."""
    formula = convert(node.astext(), display="block")
    self.body.append(f'<div class="formula" tabindex="0" role="group" aria-label="formula">{formula}</div>')
    raise SkipNode


def setup(app):
    """Register the renderer of formulas."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
