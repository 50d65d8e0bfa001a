"""Articles of the Universal Declaration of Human Rights (United Nations, 1948) in seven languages.

The texts say the same in each language, so that they can be compared. The spelling of the official
translations is kept, apart from a few misprints.
"""

from functools import cache
from pathlib import Path

SOURCE = Path(__file__).with_name("declaration.txt")


@cache
def declaration() -> dict[str, dict[int, str]]:
    """Return {language: {number of an article: its text}}; all languages have the same articles.

    >>> declaration()["German"][3]
    'Jeder hat das Recht auf Leben, Freiheit und Sicherheit der Person.'
    """
    found = {}
    for block in SOURCE.read_text(encoding="utf-8").strip().split("\n\n"):
        language, *lines = block.splitlines()
        found[language] = {int(number): text for number, text in (line.split("\t") for line in lines)}
    return found
