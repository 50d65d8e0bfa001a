"""Limit the length of a student's stdout and stderr, so that long output takes no memory."""

from collections import Counter
from typing import Any

from ipykernel.iostream import OutStream


class BoundedStream(OutStream):
    """A stdout or stderr that drops whatever a cell and its threads print beyond `most` characters."""

    most = 0

    def __init__(self, *args: Any, **options: Any) -> None:
        self.printed: Counter[str] = Counter()  # cell -> characters
        super().__init__(*args, **options)

    def write(self, string: str) -> int:  # type: ignore[override]
        """Write `string` unless the limit is exceeded, and return its length in any case."""
        cell = (self.parent_header or {}).get("msg_id", "")
        self.printed[cell] += len(string)
        if self.printed[cell] <= self.most:
            super().write(string)
        return len(string)
