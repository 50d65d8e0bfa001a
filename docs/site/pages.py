"""Build the site of the course: `make site`, or

    python docs/site/pages.py [--quick] [FOLDER]

The pages are written to a folder that mirrors the repository, so that their links hold. Sphinx turns them
into build/site, or FOLDER. --quick runs no lesson and loads no model: outputs are those of earlier runs only.
"""

import html
import itertools
import json
import os
import re
import sys
from pathlib import Path
from urllib.parse import quote

import nbformat
from check import faults
from papers import papers
from sphinx.cmd.build import build_main

from minibert.course.rendered.execute import executed
from minibert.course.rendered.slides import steps_in
from minibert.course.widgets.plots import TITLE_SIZE
from minibert.course.widgets.theme import DARK, LIGHT

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LESSONS = ROOT / "lessons"  # where the notebooks run
LIVE = "application/x-live+json"  # as in still.py
FRONT = """import minibert
from minibert.course.widgets.explorer.widget import explore
explore(minibert.load("english"), "He cut the bread with a knife.")  # the model finds the last word
"""
THEMES = {"light": LIGHT["ink"], "dark": DARK["ink"]}  # the colour of their text
FIXED = "The sentence is fixed here. In the notebook, you can type your own."  # below an explorer
COPIED = ("[!R]*.md", "docs/*.md", "docs/dev/*.md", "benchmarks/results/*.md", "lessons/glossary.md")
LISTS = (
    "index.md",
    "api.md",
    "documentation.md",
    "papers.md",
    "gallery.md",
    "lessons/index.md",
    "exercises/index.md",
    "benchmarks/results/index.md",
)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
FIGURE = re.compile(r"<svg [^>]*class=\"minibert-figure\".*?</svg>", re.DOTALL)
FOLDED = re.compile(
    r'<details class="show-me".*?</details>|<div class="steps">.*?</section></div>', re.DOTALL
)  # figures in folds are not in the gallery
LARGE = 20_000  # bytes of steps, all but the first of which are not part of the page
UNITS = re.compile(r"^(\| unit .*?)\n\n", re.DOTALL | re.MULTILINE)  # README's table
TITLE = re.compile(rf"font-weight: 700; font-size: {TITLE_SIZE}px[^>]*>([^<]+)</text>")


class Site:
    """The pages of the site before Sphinx reads them, in `pages`, and its other files, in `extra`."""

    def __init__(self, work: Path, repository: str, run: bool) -> None:
        self.pages, self.extra, self.repository, self.run = work / "pages", work / "extra", repository, run
        self.figures: list[tuple[str, str, str]] = []  # lesson, name and title
        self.written: set[Path] = set()
        self.sources = {
            path.relative_to(ROOT).as_posix(): path for pattern in COPIED for path in ROOT.glob(pattern)
        }
        self.lessons = sorted(ROOT.glob("lessons/*.ipynb"))
        self.exercises = sorted(ROOT.glob("exercises/*/*.ipynb"))
        self.names = {
            *LISTS,
            *self.sources,
            *(path.relative_to(ROOT).as_posix() for path in self.lessons + self.exercises),
        }

    def write(self, name: str, text: str) -> None:
        """Write a page."""
        self.put(self.pages / name, text.encode())

    def keep(self, name: str, text: str) -> None:
        """Write a file that is no page."""
        self.put(self.extra / name, text.encode())

    def put(self, path: Path, content: bytes) -> None:
        """Write a file if its content is new, so that Sphinx reads only pages that have changed."""
        self.written.add(path)
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)

    def sweep(self) -> None:
        """Delete files of an earlier build."""
        for path in [*self.pages.rglob("*"), *self.extra.rglob("*")]:
            if path.is_file() and path not in self.written:
                path.unlink()

    # ---- Markdown

    def linked(self, text: str, name: str) -> str:
        """Return Markdown whose links to files that are no pages lead to the repository, or are left out."""
        parts = re.split(r"(^```.*?^```|`[^`\n]+`)", text, flags=re.DOTALL | re.MULTILINE)
        parts[::2] = [LINK.sub(lambda found: self.link(found, name), part) for part in parts[::2]]
        return "".join(parts)

    def link(self, found: re.Match[str], name: str) -> str:
        """Return a link of a page as it is on the site."""
        picture, label, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found[0]
        path, _, anchor = target.partition("#")
        folder = os.path.dirname(name)
        path = os.path.normpath(os.path.join(folder, path)).replace(os.sep, "/")
        if path == "README.md":
            return f"[{label}]({os.path.relpath('index.md', folder or '.')})"
        if path in self.names:
            return found[0]
        if picture:
            self.put(self.pages / path, (ROOT / path).read_bytes())
            return found[0]
        kind = "tree" if (ROOT / path).is_dir() else "blob"
        return f"[{label}]({self.repository}/{kind}/main/{path})" if self.repository else label

    # ---- Notebooks

    def notebook(self, path: Path) -> None:
        """Write a lesson with its outputs, or an exercise, as a page."""
        name, stem = path.relative_to(ROOT).as_posix(), path.stem
        lesson = path in self.lessons
        notebook = nbformat.read(path, as_version=4)
        notebook = executed(notebook, stem, LESSONS, self.run) if lesson else notebook
        key = stem[:2] + "c" * stem.endswith("in_class")
        self.keep(f"notebooks/{stem}{'' if lesson else '_exercise'}.ipynb", path.read_text(encoding="utf-8"))
        up = "../" * name.count("/")
        section, count = "", 0
        for number, cell in enumerate(notebook.cells):
            if cell.cell_type == "markdown":
                cell.source, section = self.with_feedback(self.linked(cell.source, name), name, section)
                if number == 0:
                    title, _, rest = cell.source.partition("\n")
                    cell.source = f"{title}\n\n{self.run_it(name)}\n{rest}"
                continue
            tags = ["hide-input"] if cell.metadata.get("jupyter", {}).get("source_hidden") else []
            cell.metadata = nbformat.from_dict({"tags": tags})
            cell.outputs = [one for one in cell.outputs if one.get("name") != "stderr"]
            for output in cell.outputs:
                if data := output.get("data"):
                    count += 1
                    output["data"] = self.output(data, f"{key}-{count}", stem, up)
        if section and self.repository:
            notebook.cells.append(nbformat.v4.new_markdown_cell(self.feedback(name, section)))
        notebook.metadata = nbformat.from_dict({"language_info": {"name": "python"}})
        self.write(name, nbformat.writes(notebook))

    def output(self, data: dict, key: str, stem: str, up: str) -> dict:
        """Return the data of an output as it is on the site. key: a name for its files."""
        if "text/html" not in data:
            return {kind: value for kind, value in data.items() if kind in ("text/markdown", "text/plain")}
        text = re.sub(r'(href="[^":]+)\.ipynb\b', r"\1.html", data["text/html"])
        folds = [fold.span() for fold in FOLDED.finditer(text)]
        number = itertools.count(1)

        def figure(found: re.Match[str]) -> str:
            folded = any(start < found.start() < end for start, end in folds)
            return self.figure(found[0], f"{key}-{next(number)}", "" if folded else stem, up)

        text = FIGURE.sub(figure, text)
        if len(text) > LARGE and (steps := steps_in(text)):
            first, *more = steps
            self.keep(f"live/{key}.js", f'live("{key}", {json.dumps(more)});\n')
            text = f'<div class="steps" data-more="{up}live/{key}"><section>{first}</section></div>'
        if LIVE in data:
            text = self.live(data[LIVE], key, text, up)
        return {"text/html": text}

    def figure(self, svg: str, name: str, stem: str, up: str) -> str:
        """Write a figure for each theme, and return its HTML. The gallery lists it if `stem` is a lesson."""
        alt = html.unescape(re.search(r'aria-label="([^"]*)"', svg)[1])
        for theme, ink in THEMES.items():
            one = re.sub(r"light-dark\(([^,()]+), ([^()]+)\)", r"\1" if theme == "light" else r"\2", svg)
            one = one.replace("currentColor", ink).replace("max-width:100%", "")
            if "xmlns=" not in one:
                one = one.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
            self.keep(f"figures/{name}-{theme}.svg", one)
        if stem:
            title = " ".join(TITLE.findall(svg)) or html.escape(alt.partition(". ")[0])
            self.figures.append((stem, name, title))
        return picture(name, alt, up, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups(), bool(stem))

    def live(self, stored: dict, key: str, still: str, up: str, told: str = FIXED) -> str:
        """Write what `live.js` needs to draw an anywidget, and return the HTML that it replaces.

        told: a text for below the explorer.
        """
        for question, answer in stored.pop("answers", {}).items():
            self.keep(f"live/{key}_{question}.js", f'live("{key}_{question}", {json.dumps(answer)});\n')
        self.keep(f"live/{key}.js", f'live("{key}", {json.dumps(stored)});\n')
        explorer = "first" in stored["state"]
        below = f'<p class="controls">{told}</p>' if explorer else ""
        return f'<div class="live{" explorer" * explorer}" data-live="{up}live/{key}">{still}</div>{below}'

    # ---- What every lesson and exercise has

    def run_it(self, name: str) -> str:
        """Return a box with the ways to run a notebook."""
        stem, unit = Path(name).stem, Path(name).stem[:2]
        exercise = name.startswith("exercises")
        option = " --in-class" if stem.endswith("in_class") else " --exercise" if exercise else ""
        ways = [f"`minibert lab {unit}{option}`"]
        if self.repository.startswith("https://github.com/"):
            owner = self.repository.removeprefix("https://github.com/")
            ways += [f"[Colab](https://colab.research.google.com/github/{owner}/blob/main/{name})"]
            ways += [f"[Binder](https://mybinder.org/v2/gh/{owner}/HEAD?urlpath=lab/tree/{name})"]
        file = f"{'../' * name.count('/')}notebooks/{stem}{'_exercise' * exercise}.ipynb"
        ways.append(f'<a href="{file}" download>the file</a>')
        line = " · ".join(ways)
        if self.repository:
            colab = f"[this cell]({'../' * name.count('/')}docs/run_anywhere.md)"
            line += f"\n\nIn Colab, first run {colab}. {self.feedback(name)}"
        return f":::{{admonition}} Run it\n:class: run-it\n{line}\n:::\n"

    def feedback(self, name: str, section: str = "") -> str:
        """Return a link to a new issue, with the lesson and the section filled in."""
        title = f"{Path(name).stem}: {section}" if section else Path(name).stem
        body = f"Page: {name}\nSection: {section}\n\n"
        address = f"{self.repository}/issues/new?title={quote(title)}&body={quote(body)}"
        return f'<a class="feedback" href="{address}">Feedback on this {"section" if section else "page"}</a>'

    def with_feedback(self, text: str, name: str, section: str) -> tuple[str, str]:
        """Return Markdown with a link about each section at its end, and the name of the last section."""
        lines = []
        for line in text.split("\n"):
            if line.startswith("## "):
                if section and self.repository:
                    lines += [self.feedback(name, section), ""]
                section = line[3:]
            lines.append(line)
        return "\n".join(lines), section

    # ---- Pages of their own

    def explorer(self) -> str:
        """Return the front page's explorer, or its picture if the English model has not run."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(FRONT)])
        outputs = executed(notebook, "front", LESSONS, self.run).cells[0].outputs
        told = "Click a word to mask it, and BERT fills the gap. Click a layer to see its numbers. "
        told += "The sentence is fixed here; in the lesson you can type your own."
        data = next((output["data"] for output in outputs if LIVE in output.get("data", {})), None)
        alt = "The explorer: a sentence's tokens, the layers of BERT, and its predictions for a masked word."
        still = f'<img src="figures/explorer.png" alt="{alt}" width="1344" height="666">'
        self.put(self.extra / "figures" / "explorer.png", (ROOT / "docs" / "explorer.png").read_bytes())
        return self.live(data[LIVE], "front", still, "", told) if data else still

    def lists(self) -> None:
        """Write the pages that list lessons, exercises, results, papers and figures."""
        front = (HERE / "index.md").read_text(encoding="utf-8")
        names = [Path(name).with_suffix("").as_posix() for name in sorted(self.sources)]
        others = "\n".join(name for name in names if not name.startswith(("b", "l")) and name not in front)
        explorer = self.explorer()
        for name in ("index.md", "api.md", "documentation.md"):
            text = (HERE / name).read_text(encoding="utf-8")
            text = text.replace("EXPLORER", explorer).replace("OTHERS", others)
            self.write(name, self.linked(text, name))
        table = UNITS.search((ROOT / "README.md").read_text(encoding="utf-8"))[1]
        table = (
            self.linked(table, "index.md")
            .replace("](lessons/", "](")
            .replace("](exercises/", "](../exercises/")
        )
        text = "Each lesson is a notebook that you run. Here you read it with its outputs."
        stems = toctree([path.stem for path in self.lessons])
        self.write("lessons/index.md", f"# Lessons\n\n{text}\n\n{table}\n\n{stems}")
        text = "Each exercise is a notebook with checks that name your mistake. The site has no solutions."
        names = [f"{path.stem}/{path.stem}" for path in self.exercises]
        self.write("exercises/index.md", f"# Exercises\n\n{text}\n\n{toctree(names, hidden=False)}")
        names = sorted(Path(name).stem for name in self.sources if name.startswith("benchmarks/"))
        text = "The tables behind [the results](../../docs/results.md), each as its script writes it."
        self.write("benchmarks/results/index.md", f"# All tables\n\n{text}\n\n{toctree(names, hidden=False)}")
        self.write("papers.md", papers(self.lessons))
        self.write("gallery.md", gallery(self.figures))


def picture(name: str, alt: str, up: str, size: tuple[str, str], anchor: bool = False) -> str:
    """Return the HTML of a figure that exists for the light and the dark theme, in points."""
    width, height = (float(side) * 4 / 3 for side in size)
    sized = f'alt="{html.escape(alt)}" width="{width:.0f}" height="{height:.0f}" loading="lazy"'
    images = (f'<img class="only-{one}" src="{up}figures/{name}-{one}.svg" {sized}>' for one in THEMES)
    place = f' id="figure-{name}"' if anchor else ""
    return f'<div class="figure"{place} style="--width:{width:.0f}px">{"".join(images)}</div>'


def toctree(names: list[str], hidden: bool = True) -> str:
    """Return a table of contents in MyST."""
    return "```{toctree}\n" + ":hidden:\n" * hidden + ":maxdepth: 1\n\n" + "\n".join(names) + "\n```\n"


def gallery(figures: list[tuple[str, str, str]]) -> str:
    """Return a page with the lessons' figures, each with a link to its place."""
    parts, last = ["# Gallery\n\nThe figures of the lessons. Each one links to its place.\n"], ""
    for stem, name, said in figures:
        if stem != last:
            title = (
                nbformat.read(ROOT / "lessons" / f"{stem}.ipynb", as_version=4).cells[0].source.split("\n")[0]
            )
            parts.append(f"#{title}\n")
            last = stem
        images = "".join(
            f'<img class="only-{theme}" src="figures/{name}-{theme}.svg" alt="" loading="lazy">'
            for theme in ("light", "dark")
        )
        parts.append(
            f'<a class="card" href="lessons/{stem}.html#figure-{name}">{images}<span>{said}</span></a>'
        )
    return "\n".join(parts) + "\n"


def build(out: Path, run: bool) -> list[str]:
    """Build the site into a folder, and return what is wrong with it.

    run: whether to run lessons that have no outputs yet.
    """
    work = out.parent / f"{out.name}-pages"
    site = Site(work, address(), run)
    for name, path in site.sources.items():
        text = path.read_text(encoding="utf-8")
        title = "" if text.startswith("# ") else f"# {path.stem.replace('_', ' ')}\n\n"
        site.write(name, site.linked(title + text, name))
    for path in site.lessons + site.exercises:
        site.notebook(path)
    site.lists()
    site.sweep()
    options = ["-q", "-W", "--keep-going", "-c", str(ROOT / "docs"), "-d", str(work / "doctrees")]
    options += ["-D", f"html_extra_path={site.extra}", str(site.pages), str(out)]
    return ["Sphinx warns; see above"] * bool(build_main(options)) + sorted(faults(out))


def address() -> str:
    """Return the repository's address, from MINIBERT_REPOSITORY or pyproject.toml, or "" if there is none."""
    settings = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'^Repository = "([^"]+)"', settings, re.MULTILINE)
    return os.environ.get("MINIBERT_REPOSITORY", found[1] if found else "").rstrip("/")


if __name__ == "__main__":
    arguments = [argument for argument in sys.argv[1:] if argument != "--quick"]
    out = Path(arguments[0]) if arguments else ROOT / "build" / "site"
    wrong = build(out.resolve(), "--quick" not in sys.argv)
    print(*wrong, sep="\n")
    sys.exit(bool(wrong))
