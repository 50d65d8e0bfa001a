"""Turn a lesson into slides for a lecture: `minibert slides 02`.

A single HTML file contains everything: the slides, their figures and reveal.js, which shows them. A slide has
the main sentences of a text and the outputs of the code that follows; its speaker notes have the entire text.
"""

import html
import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path
from string import Template

import mistune
import nbformat
from latex2mathml.converter import convert

from ...grading.sandbox.other_user import is_root
from .execute import executed

MINUTES = 90  # of a lecture; the speaker view compares the time with it
KEPT_WHOLE = 220  # characters: a paragraph that is longer is cut after the sentence that passes them
SHORT = 140  # characters of text that, without outputs, share a slide with the next text
FULL = 420  # characters of text with which a slide is full: outputs get a slide of their own
LONG_CODE = 16  # lines: longer code is not shown
LEFT_OUT = ("Read on",)  # sections
NO_SLIDES = re.compile(r"\b(try_it|here|my_guesses|show_source)\(")  # code for the student's work
FOR_NOTES = (
    "**Try",
    "Press ",
    "Run the cells",
    "The folded cell",
    "**You need**",
)  # paragraphs about the notebook
NO_NEWS = re.compile(r"^(?:import|from|assert) .*\n?", re.MULTILINE)  # lines of code
DEFINES = re.compile(r"^(?:def|class) ", re.MULTILINE)
SENTENCE = re.compile(r"(?<!al\.)(?<=[.?!:])\s+(?=[A-Z*`“$])")
LIST = re.compile(r"^((?!- |  ).+)\n(?=- )", re.MULTILINE)  # the line before a list
FOLD = re.compile(r"<details.*?</details>", re.DOTALL)
ANSWER = re.compile(r'<details class="show-me"><summary>.*?</summary>(.*?)</details>', re.DOTALL)
STEPS = re.compile(r'<div class="steps">(.*)</div>\s*', re.DOTALL)
BREAK = "<!-- next slide -->"  # between questions
BLANK = 2000  # bytes: a smaller PDF has no text
CHROME = ("chromium", "chromium-browser", "google-chrome", "chrome", "msedge")


class Formulas(mistune.HTMLRenderer):
    """A Markdown renderer that writes formulas as MathML, which browsers display without a script."""

    def inline_math(self, text: str) -> str:
        """Return a formula within a line of text as MathML."""
        return convert(text)

    def block_math(self, text: str) -> str:
        """Return a formula on a separate line as MathML."""
        return convert(text, display="block")


markdown = mistune.create_markdown(renderer=Formulas(escape=False), plugins=["table", "math"])


def slides(path: Path) -> str:
    """Return a lesson as an HTML page with slides. Raises ValueError if reveal.js is missing.

    The lesson runs if its outputs are not stored yet.
    """
    reveal = reveal_files()
    lesson = executed(nbformat.read(path, as_version=4), path.stem, path.parent)
    title = lesson.cells[0].source.partition("\n")[0].removeprefix("# ")
    stacks = "\n".join(f"<section>{''.join(stack)}</section>" for stack in sections(lesson))
    template = Template(Path(__file__).with_name("slides.html").read_text(encoding="utf-8"))
    return template.substitute(
        title=html.escape(title),
        reset=reveal["dist/reset.css"],
        reveal=reveal["dist/reveal.css"],
        script=in_script(reveal["dist/reveal.js"]),
        notes=in_script(reveal["plugin/notes/notes.js"]),
        seconds=60 * MINUTES,
        stacks=stacks,
    )


def reveal_files() -> dict[str, str]:
    """Return {name: content} for the files of reveal.js, from the package sphinx-revealjs.

    Raises ValueError if the package is missing.
    """
    try:
        root = resources.files("sphinx_revealjs") / "_static" / "revealjs"
    except ModuleNotFoundError:
        raise ValueError("slides need reveal.js: run `pip install sphinx-revealjs`") from None
    names = ("dist/reset.css", "dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js")
    return {name: (root / name).read_text(encoding="utf-8") for name in names}


def in_script(code: str) -> str:
    """Return JavaScript code escaped so that it can be part of an HTML page."""
    return code.replace("</script", "<\\/script")


def sections(lesson: nbformat.NotebookNode) -> list[list[str]]:
    """Return a list of slides, as HTML, for each section of a lesson."""
    stacks: list[list[str]] = [[]]
    heading, text = "", ""
    outputs: list[str] = []

    def finish() -> None:
        if text or outputs:
            stacks[-1].extend(slides_of(heading, text, outputs))

    for cell in lesson.cells:
        if cell.cell_type == "code":
            if not NO_SLIDES.search(cell.source):
                outputs.append(shown_code(cell) + "".join(map(shown_output, cell.outputs)))
            continue
        for part in re.split(r"^(?=##? )", cell.source, flags=re.MULTILINE):
            if not part.strip():
                continue
            found = re.match(r"##? (.+)\n?", part)
            if not found and text and not any(outputs) and len(main_points(text)) < SHORT:
                text = f"{text}\n\n{part}"
                continue
            finish()
            text, outputs = part, []
            if found:
                heading, text = found[1], part[found.end() :].strip()
                stacks.append([])
    finish()
    done = [stack for stack in stacks if stack]
    return [stack for stack in done if not any(f"<h2>{name}</h2>" in stack[0] for name in LEFT_OUT)]


def slides_of(heading: str, text: str, outputs: list[str]) -> list[str]:
    """Return the slides for a text and outputs: more than one for a long text or many questions."""
    said, seen = main_points(text), "".join(outputs)
    if said.endswith(":") and not seen:
        said = said.rpartition("\n\n")[0]  # what it announces is code that is not shown
    notes = f'<aside class="notes">{markdown(text)}</aside>'
    first, *more = seen.split(BREAK)
    parts = [str(markdown(said)), first] if len(said) > FULL else [f"{markdown(said)}{first}"]
    return [
        f"<section><h2>{mistune.html(heading)[3:-5]}</h2><div class='body'>{part}</div>{notes}</section>"
        for part in parts + more
        if part.strip()
    ]


def main_points(text: str) -> str:
    """Return a slide's text, without folded parts, notebook instructions or the ends of long paragraphs."""
    blocks = []
    text = LIST.sub(r"\1\n\n", FOLD.sub("", text)).replace("<br>", "")
    for block in re.split(r"\n\s*\n", text.strip()):
        block = block.partition("**Your turn")[0].rstrip()
        if not block or block.startswith(FOR_NOTES):
            continue
        if re.match(r"[-|>#$`<]|\d+\. |\s", block):
            blocks.append(block)
            continue
        kept = ""
        for sentence in SENTENCE.split(block.replace("\n", " ")):
            if kept and len(kept) + len(sentence) > KEPT_WHOLE:
                break
            kept = f"{kept} {sentence}".strip()
        blocks.append(kept)
    return "\n\n".join(blocks)


def shown_code(cell: nbformat.NotebookNode) -> str:
    """Return code as HTML without imports and assertions.

    Return "" if the code is hidden or too long, draws a figure, or neither prints nor defines anything.
    """
    code = NO_NEWS.sub("", cell.source).strip()
    drawing = any("text/html" in output.get("data", {}) for output in cell.outputs)
    hidden = drawing or cell.metadata.get("jupyter", {}).get("source_hidden")
    hidden = hidden or code.count("\n") >= LONG_CODE or not (cell.outputs or DEFINES.search(code))
    return "" if hidden or not code else f"<pre><code>{html.escape(code)}</code></pre>"


def shown_output(output: nbformat.NotebookNode) -> str:
    """Return an output of a cell as HTML for a slide, with answers and steps that appear one at a time."""
    if output.get("name") == "stdout":
        return f"<pre>{html.escape(output.text)}</pre>"
    data = output.get("data", {})
    if "text/html" not in data:
        return f"<pre>{html.escape(data['text/plain'])}</pre>" if "text/plain" in data else ""
    shown, asked = ANSWER.subn(rf'<div class="fragment">\1</div>{BREAK}', data["text/html"])
    shown = shown.removesuffix(BREAK) if asked > 1 else shown.replace(BREAK, "")
    steps = steps_in(shown)
    return stacked(steps) if len(steps) > 1 else shown


def steps_in(text: str) -> list[str]:
    """Return the HTML of each step if `text` is an output with the steps of a calculation, else []."""
    found = STEPS.fullmatch(text)
    return re.findall(r"<section>(.*?)</section>", found[1], re.DOTALL) if found else []


def stacked(steps: list[str]) -> str:
    """Return two or more steps of a calculation as HTML in which each step replaces the previous one."""
    kinds = ["fragment fade-out", *["fragment current-visible"] * (len(steps) - 2), "fragment"]
    numbers = [0, *range(len(steps) - 1)]
    return '<div class="r-stack">{}</div>'.format(
        "".join(
            f'<div class="{kind}" data-fragment-index="{number}">{step}</div>'
            for kind, number, step in zip(kinds, numbers, steps, strict=True)
        )
    )


def print_pdf(page: Path) -> Path:
    """Print slides to a PDF in the same folder, using Chrome or Chromium, and return its path.

    Raises ValueError if there is no such browser, or if it writes nothing.
    """
    program = next(filter(None, map(shutil.which, CHROME)), None)
    by_hand = f"open {page.resolve().as_uri()}?print-pdf in a browser and print it"
    if program is None:
        raise ValueError(f"a PDF needs Chrome or Chromium, which is not on the PATH; or {by_hand}")
    pdf = page.with_suffix(".pdf")
    pdf.unlink(missing_ok=True)  # of an earlier run
    options = ["--headless", *["--no-sandbox"] * is_root(), "--disable-gpu", "--virtual-time-budget=120000"]
    options += ["--no-pdf-header-footer", f"--print-to-pdf={pdf.resolve()}"]
    done = subprocess.run([program, *options, f"{page.resolve().as_uri()}?print-pdf"], capture_output=True)
    if done.returncode or not pdf.exists() or pdf.stat().st_size < BLANK:
        raise ValueError(f"{program} wrote no PDF, or a blank one; {by_hand}")
    return pdf
