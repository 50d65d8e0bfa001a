"""Plots and widgets that draw what the rest of the package computes.

They compute nothing themselves, and load nothing from a network. Here is what all views share: colours,
plots, chips, and drawings that are redone when a control changes. `asking` has what waits for a student's
answer; `text`, `network`, `learning` and `tasks`, what becomes of a text, what happens in the layers, how a
model learns, and what it says in the end; `variants` and `inside`, the views of lessons 10 and 12.
"""
from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """`explore` is found here and lives where the model is traced: it is loaded when it is asked for."""
    if name == "explore":
        return import_module("minibert.explore.widget").explore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
