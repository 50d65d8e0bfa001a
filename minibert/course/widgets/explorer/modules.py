"""Combine the JavaScript modules of this folder into one script.

Pages opened from disk and widgets need one script, because they have no URL from which to import modules. A
module must export names where it defines them (`export function f`, `export const c`, `export class C`), and
import names from modules in this folder (`import { f, c } from "./other.js";`).
"""

import re
from pathlib import Path

FOLDER = Path(__file__).parent
IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const|let) (\w+))", re.MULTILINE)


def one_script(*names: str, folder: Path = FOLDER) -> str:
    """Combine JavaScript modules into one script that works without `import` and `export`.

    For each module NAME, the script defines an object NAMEModule with its exports. Raises ValueError for an
    import or export in a form that it cannot convert, and for circular imports.
    """
    done: dict[str, str] = {}
    for name in names:
        add(name, folder, done, ())
    return "".join(done.values())


def add(name: str, folder: Path, done: dict[str, str], importers: tuple[str, ...]) -> None:
    """Convert a JavaScript module and the modules that it imports, and add them to `done`, imports first.

    done: converted code by module name. importers: the chain of modules that import this one.
    """
    if name in importers:
        raise ValueError(f"circular import: {name}.js imports itself through {', '.join(importers)}")
    if name in done:
        return
    text = (folder / f"{name}.js").read_text(encoding="utf-8")
    for _, other in IMPORT.findall(text):
        add(other, folder, done, (*importers, name))
    exported = EXPORT.findall(text)
    text = EXPORT.sub("", IMPORT.sub(lambda found: f"const {{{found[1]}}} = {found[2]}Module;\n", text))
    if left := re.search(r"^(import|export)\b.*", text, re.MULTILINE):
        raise ValueError(f"{name}.js: {left[0]!r} is an import or export of an unsupported form")
    done[name] = f"const {name}Module = (() => {{\n{text}\nreturn {{ {', '.join(exported)} }};\n}})();\n"
