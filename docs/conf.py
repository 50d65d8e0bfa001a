"""Sphinx's settings for the site; `docs/site/pages.py` writes the pages and calls Sphinx."""

import re
from collections import Counter
from pathlib import Path

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

add_module_names = False
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


def inline(self, node) -> None:
    """Write a formula within a line as MathML, which browsers draw without a script."""
    self.body.append(convert(node.astext()))
    raise SkipNode


def block(self, node) -> None:
    """Write a formula on a separate line."""
    formula = convert(node.astext(), display="block")
    self.body.append(f'<div class="formula" tabindex="0" role="group" aria-label="formula">{formula}</div>')
    raise SkipNode


PLAIN = re.compile(
    r'<span class="(?:n|p|o|w|kc|nn|nc|nf|nb|bp|fm|si|se)">([^<]*)</span>'
)  # in the text's colour
STYLED = re.compile(r'(<\w+)( style="[^"]+")')  # an element whose first attribute is a style


def lighter(app, page, template, context, doctree) -> None:
    """Make a page smaller: drop spans that give code no colour, and name styles that many elements share."""
    body = PLAIN.sub(r"\1", context.get("body", ""))
    often = [
        style for style, times in Counter(found[1] for found in STYLED.findall(body)).items() if times > 3
    ]
    names = {style: f"style-{number}" for number, style in enumerate(often)}
    body = STYLED.sub(
        lambda found: f'{found[1]} class="{names[found[2]]}"' if found[2] in names else found[0], body
    )
    rules = "".join(f".{name}{{{style[8:-1]}}}" for style, name in names.items())
    body = EMPTY.sub("<td></td>", body).replace('<summary aria-label="Toggle hidden content">', "<summary>")
    context["body"] = f"<style>{rules}</style>{body}" if rules else body


EMPTY = re.compile(r"<th[^>]*>(?:<p></p>)?</th>")  # no header for screen readers
NAMED = {  # what the theme leaves out for screen readers
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Site">',
    '<aside class="toc-drawer">': '<aside class="toc-drawer" aria-label="This page">',
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<div id="search-results">': '<h1>Search</h1><div id="search-results">',
}


def named(app, problem) -> None:
    """Complete the pages for screen readers."""
    for path in Path(app.outdir).rglob("*.html"):
        text = path.read_text(encoding="utf-8")
        for before, after in NAMED.items():
            text = text.replace(before, after) if after not in text else text
        path.write_text(text, encoding="utf-8")


def setup(app) -> None:
    """Register the renderer of formulas."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    app.connect("html-page-context", lighter)
    app.connect("build-finished", named)
