"""The records of the student's end of the wire: the connection, and the request that is being served."""

import socket
from dataclasses import dataclass


@dataclass
class Serving:
    """The request that is being served; its number is known once it has been read."""

    number: int = 0


@dataclass
class Link:
    """The connection to the trusted process, and the request that is being served over it, if any."""

    connection: socket.socket
    serving: Serving | None = None
