"""The error of a command that cannot do what it was asked for."""


class CommandError(Exception):  # it ends a command, and is no fault of the program
    """Ends the command: its text says what, where and what to do; `code` is the exit code."""

    def __init__(self, text: str, code: int = 2) -> None:
        super().__init__(text)
        self.code = code
