"""Data classes for the student's end of the connection."""

import socket
from dataclasses import dataclass


@dataclass
class CurrentRequest:
    """The request being served. Its number is set as soon as the request has been read."""

    number: int = 0


@dataclass
class Link:
    """The connection to the trusted process, and the request being served over it, if any."""

    connection: socket.socket
    serving: CurrentRequest | None = None
