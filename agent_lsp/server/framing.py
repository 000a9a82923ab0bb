"""The frames of messages: headers of which one names a length, then a body of so many bytes.

Invariants: any bytes can be read; what is no frame is passed over up to the next header that names
a length, so that one bad frame does not take along those behind it.
"""

import logging
import re
from typing import BinaryIO

# More than any editor sends in one message; who announces more is not waited for.
LONGEST_BODY = 256 * 1024 * 1024
# A header is short; what is longer is read in parts.
_LINE = 65_536
# Behind a body that was longer than announced, a header does not begin a line.
_LENGTH = re.compile(rb"(?i)content-length[ \t]*:[ \t]*(\d{1,9})[ \t]*\r?\n\Z")

logger = logging.getLogger(__name__)


def read_body(stream: BinaryIO) -> bytes | None:
    """The body of the next frame in `stream`, or None where that has ended."""
    length = 0
    while line := stream.readline(_LINE):
        named = _LENGTH.search(line)
        if named is not None:
            length = int(named[1])
        elif length and not line.strip():
            if length <= LONGEST_BODY:
                body = stream.read(length)
                return body if len(body) == length else None
            length = 0
    return None


class Writer:
    """Where messages are sent; what nobody takes any more is dropped, which is said once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.is_closed = False

    def write(self, data: bytes) -> None:
        """Sends `data`."""
        if self.is_closed:
            return
        try:
            self._stream.write(data)
            self._stream.flush()
        # A stream that somebody has closed is a ValueError.
        except (OSError, ValueError) as error:
            self.is_closed = True
            logger.warning("the client does not listen any more: %s", error)

    def close(self) -> None:
        """Sends nothing more."""
        self.is_closed = True
