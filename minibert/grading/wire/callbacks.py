"""Let the student's code call trusted functions through tokens.

If a check passes a function to the student's code, neither the function nor its name enters the student's
process. A token is a random number, valid for one request only.
"""

import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from . import protocol
from .errors import describe_our_error, rebuild_error
from .in_place_changes import apply_changes, encoded_arguments, read_only_changes
from .link import Link


class OfferedFunctions:
    """The functions that student code may call during one request, by token."""

    def __init__(self) -> None:
        self.functions: dict[str, Callable] = {}

    def token(self, function: Callable) -> str:
        """Return a new token for a function."""
        token = secrets.token_hex(8)
        self.functions[token] = function
        return token

    def reply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Run the function whose token is in a student's request.

        Returns {"error": ...}, or {"value": ..., "args": ...} with None as "args" if no argument changed.
        """
        try:
            args = request["args"]
            positional, named = args
            before = encoded_arguments(args)
            with np.errstate(all="ignore"):
                value = self.functions[request["function"]](*positional, **named)
            return {"value": value, "args": None if encoded_arguments(args) == before else args}
        except Exception as error:
            return {"error": describe_our_error(error)}


def remote(link: Link, token: str) -> Callable:
    """Return a function that calls the trusted function with this token during the current request."""
    mine = link.serving

    def version(*args, **kwargs):
        if mine is None or link.serving is not mine:
            raise RuntimeError("this function can be called only while its check runs")
        given = (list(args), kwargs)
        protocol.send(link.connection, (mine.number, {"function": token, "args": given}))
        _, reply = protocol.receive(link.connection)
        if "error" in reply:
            raise rebuild_error(reply["error"])
        if reply["args"] is not None:
            if read_only_changes(given, reply["args"]):
                raise ValueError("assignment destination is read-only")
            apply_changes(given, reply["args"])
        return reply["value"]

    return version
