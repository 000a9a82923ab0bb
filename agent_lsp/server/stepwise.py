"""An answer that takes long, and is found in steps so that no keystroke waits for it.

Invariant: an answer about a text is never about another one than its request. It ends when that
text changes.
"""

from collections.abc import Callable, Generator
from time import perf_counter

from pygls.exceptions import JsonRpcException


class OutdatedRequest(JsonRpcException):
    """Refuses a request because its text has changed, which editors do not show."""

    # `ContentModified` in the protocol.
    CODE = -32801


class Stepwise:
    """An answer that `steps` return; they yield where the work can pause.

    `is_current` tells whether the answer would still be about the current text.
    """

    __slots__ = ("_is_current", "_steps", "answer")

    def __init__(
        self, steps: Generator[None, None, object], is_current: Callable[[], bool]
    ) -> None:
        self._steps, self._is_current = steps, is_current
        self.answer: object = None

    def is_done(self, seconds: float) -> bool:
        """Works for `seconds`, to the end of a step; whether `answer` is there now.

        Raises `OutdatedRequest` if the text has changed since the request.
        """
        if not self._is_current():
            message = "the text has changed since the request"
            raise OutdatedRequest(message)
        until = perf_counter() + seconds
        try:
            next(self._steps)
            while perf_counter() < until:
                next(self._steps)
        except StopIteration as end:
            self.answer = end.value
            return True
        return False

    def close(self) -> None:
        """Ends the steps."""
        self._steps.close()
