"""Plots and widgets that draw what the rest of the package computes.

They compute nothing themselves, and load nothing from a network.
"""
from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    """`explore` is found here and lives where the model is traced: it is loaded when it is asked for."""
    if name == "explore":
        return import_module("minibert.explore.widget").explore
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
