"""List the papers to which the lessons link."""

import re
from pathlib import Path

import nbformat

PAPER = re.compile(
    r"\[([^\]]+)\]\((https://(?:arxiv\.org/abs|aclanthology\.org|proceedings\.mlr\.press)/[^)]+)\)"
)
AUTHORS = re.compile(  # the text before a link: "Clark et al. (2019), *What Does BERT Look At?*, "
    r"(?:[A-Z][\w’'-]+(?:, | and | et al\.,?)? ?)+\(?\d{4}\)?[:,]? ?(?:\*[^*]+\*[,:]? ?)?\(?$"
)


def papers(lessons: list[Path]) -> str:
    """Return a page that lists the papers to which lessons link, and these lessons."""
    names: dict[str, str] = {}
    places: dict[str, set[Path]] = {}
    for path in lessons:
        for cell in nbformat.read(path, as_version=4).cells:
            text = re.sub(r"\s+", " ", cell.source) if cell.cell_type == "markdown" else ""
            for found in PAPER.finditer(text):
                label, address = found.groups()
                names[address] = max(names.get(address, ""), cited(text[: found.start()], label), key=rank)
                places.setdefault(address, set()).add(path)
    rows = []
    for address, name in sorted(names.items(), key=lambda item: item[1].lower()):
        links = ", ".join(f"[{path.stem[:2]}](lessons/{path.name})" for path in sorted(places[address]))
        rows.append(f"| [{name}]({address}) | {links} |")
    text = "The papers that the lessons treat, and the lessons that treat them."
    return f"# Papers\n\n{text}\n\n| paper | lessons |\n| --- | --- |\n" + "\n".join(rows) + "\n"


def cited(before: str, label: str) -> str:
    """Return a paper's authors, year and title, from the label of its link and the text before it."""
    authors = AUTHORS.search(before)
    number = re.fullmatch(r"(arXiv )?[\dKN][\d.-]+", label)
    told = authors[0] if authors else re.split(r"[|:;.(-] ", before)[-1] if number else ""
    name = re.sub(r"[*()\[]", "", f"{told.strip()} {'' if number else label}").strip(" ,:")
    return re.sub(r",? (\d{4})\b", r" (\1)", name, count=1)


def rank(name: str) -> tuple[bool, int]:
    """Return how well a name says what a paper is: with its year, and long enough to have a title."""
    return bool(re.search(r"\b\d{4}\b", name)), len(name)
