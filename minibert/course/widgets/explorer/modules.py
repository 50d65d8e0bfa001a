"""Several JavaScript modules as one script, for places where a module has no address to import from.

Such places are a page opened from disk and a widget. A module of this folder names what it exports where it
defines it (`export function f`, `export const c`, `export class C`) and imports by name from its neighbours
(`import { f, c } from "./other.js";`).
"""

import re
from pathlib import Path

FOLDER = Path(__file__).parent
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const|let) (\w+))", re.MULTILINE)


def one_script(*names: str, folder: Path = FOLDER) -> str:
    """A script that defines an object NAMEModule of each module's exports; what a module imports comes first.

    Raises ValueError for an import or export of another form, and for modules that import each other.
    """
    done: dict[str, str] = {}
    for name in names:
        add(name, folder, done, ())
    return "".join(done.values())


def add(name: str, folder: Path, done: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module to `done`, by name, after what it imports; importers: the modules that wait for it."""
    if name in importers:
        raise ValueError(f"{name}.js imports itself, by way of {', '.join(importers)}")
    if name in done:
        return
    text = (folder / f"{name}.js").read_text(encoding="utf-8")
    for _, other in IMPORT.findall(text):
        add(other, folder, done, (*importers, name))
    exported = EXPORT.findall(text)
    text = EXPORT.sub("", IMPORT.sub(lambda found: f"const {{{found[1]}}} = {found[2]}Module;\n", text))
    if left := re.search(r"^(import|export)\b.*", text, re.MULTILINE):
        raise ValueError(f"{name}.js: {left[0]!r} is an import or export of another form")
    done[name] = f"const {name}Module = (() => {{\n{text}\nreturn {{ {', '.join(exported)} }};\n}})();\n"
