"""The templates of our pages, one HTML file each in this folder. They escape all values put into them."""

from pathlib import Path

import jinja2

TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)
