"""Insert texts that several exercise notebooks share into their sources."""

import re
from pathlib import Path

from ..notebook import SourceError, from_source, text

FILE = "solutions/shared_texts.md"
PLACE = re.compile(r"^# \{\{(.+)\}\}$", re.M)


def notebook_text(source: Path, root: Path, name: str) -> str:
    """Return the content of the notebook that is built from a source in `root`. name: the notebook's name.

    Raises SourceError if the source cannot be converted.
    """
    return text(from_source(with_shared_texts(source.read_text("utf-8"), root, name), source.name))


def with_shared_texts(source: str, root: Path, name: str) -> str:
    """Return `source` with each line `# {{name}}` replaced by the section `## name` of FILE in `root`.

    name: the name of the notebook, such as "07_question_answering"; it replaces NAME, and its number UNIT.
    Raises SourceError for a section that is not in the file.
    """
    file = root / FILE
    _, *parts = re.split(r"^## (.+)\n", file.read_text("utf-8") if file.exists() else "", flags=re.M)
    sections = dict(zip(parts[::2], parts[1::2]))

    def section(place):
        if place[1] not in sections:
            raise SourceError(f"there is no section {place[1]!r} in {FILE}; it has {', '.join(sections)}")
        found = sections[place[1]].strip().replace("UNIT", name[:2]).replace("NAME", name)
        lines = found.split("\n")
        return "\n".join(f"# {line}".rstrip() for line in lines)

    return PLACE.sub(section, source)
