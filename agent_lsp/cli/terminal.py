"""Formats text for a terminal: its width, its colours, and characters that could control it.

Invariant: `visible` text is one line that moves no cursor and sets no colour, whatever a template
contains.
"""

import json
import os
import re
import sys
import unicodedata
from codecs import lookup
from collections.abc import Iterator
from io import TextIOWrapper
from typing import TextIO

from agent_lsp.data_classes import dataclass
from agent_lsp.patterns import regex

# The width for files and pipes, so that the output does not depend on a window.
_WIDTH = 100
_NARROWEST = 40
_RESET = "\x1b[0m"
# ENABLE_VIRTUAL_TERMINAL_PROCESSING
_OBEYS_CODES = 4
_COLOURS = {
    "bold": "\x1b[1m",
    "dim": "\x1b[2m",
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "information": "\x1b[1;34m",
    "hint": "\x1b[1;36m",
}
# Control characters, and the pictures that are shown instead.
_PICTURES = {code: 0x2400 + code for code in range(0x20)} | {0x7F: 0x2421}
_CONTROLS = dict.fromkeys(range(0x80, 0xA0), 0xFFFD)
# These characters end a line, or reorder the text after them.
_REORDERING = dict.fromkeys(
    (0x061C, *range(0x200E, 0x2010), *range(0x2028, 0x202F), *range(0x2066, 0x206A)), 0xFFFD
)
_SHOWN = _PICTURES | _CONTROLS | _REORDERING
# A text of several lines has its line ends and tabs.
_SHOWN_IN_LINES = {code: shown for code, shown in _SHOWN.items() if chr(code) not in "\n\t"}
_OWN_CODES = regex("(" + "|".join(map(re.escape, (*_COLOURS.values(), _RESET))) + ")")
# JSON has escaped the others, and its own line ends are to be obeyed.
_HIDDEN = frozenset({0x7F, *_CONTROLS, *_REORDERING})


@dataclass(frozen=True, slots=True)
class Look:
    """The width of a line, and whether it may have colours."""

    width: int = _WIDTH
    colour: bool = False

    def paint(self, text: str, colour: str) -> str:
        """`text` in `colour`, which is a severity's name, `bold` or `dim`."""
        return f"{_COLOURS[colour]}{text}{_RESET}" if self.colour and text else text


def look(stream: TextIO) -> Look:
    """The width of the terminal at `stream`, and colours if it is a terminal that shows them.

    `NO_COLOR` turns colours off, and `FORCE_COLOR` turns them on for everything else. After these
    count the older `CLICOLOR_FORCE`, which turns them on, and a `CLICOLOR` of 0, which turns them
    off.
    """
    colour = has_colours(stream)
    if not stream.isatty():
        return Look(colour=colour)
    import shutil  # noqa: PLC0415 - rarely needed; slow to import

    return Look(max(shutil.get_terminal_size((_WIDTH, 24)).columns, _NARROWEST), colour)


def has_colours(stream: TextIO) -> bool:
    """Whether text for `stream` may have colours, as in `look`."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR") or os.environ.get("CLICOLOR_FORCE", "0") not in ("", "0"):
        return True
    if os.environ.get("CLICOLOR") == "0":
        return False
    return stream.isatty() and os.environ.get("TERM") != "dumb" and takes_codes(stream)


def takes_codes(stream: TextIO) -> bool:
    """Whether the terminal at `stream` obeys escape codes; a Windows console is set to do so.

    Source: "Console Virtual Terminal Sequences" in the documentation of Windows, read 2026-11-28.
    """
    if sys.platform != "win32":
        return True
    import ctypes  # noqa: PLC0415 - only on Windows
    import msvcrt  # noqa: PLC0415 - only on Windows

    try:
        console = ctypes.c_void_p(msvcrt.get_osfhandle(stream.fileno()))
        system, mode = ctypes.windll.kernel32, ctypes.c_uint32()
        is_console = system.GetConsoleMode(console, ctypes.byref(mode))
        return bool(is_console and system.SetConsoleMode(console, mode.value | _OBEYS_CODES))
    except (OSError, ValueError):
        return False


def visible(text: str) -> str:
    """`text` on one line; characters that control the terminal are replaced by pictures."""
    return text.translate(_SHOWN)


def visible_lines(text: str) -> str:
    """`text` with its line ends; all other controls are replaced by pictures."""
    return "\n".join(map(visible, text.split("\n")))


def harmless(text: str, *, is_coloured: bool) -> str:
    """`text` with its lines, and its colours if it may have some; other controls are pictures."""
    if text.isascii() and text.isprintable():
        return text
    if not is_coloured:
        return text.translate(_SHOWN_IN_LINES)
    # Every second piece is a code.
    pieces = _OWN_CODES.split(text)
    pieces[::2] = [piece.translate(_SHOWN_IN_LINES) for piece in pieces[::2]]
    return "".join(pieces)


def wrapped(text: str, indent: int, width: int, hang: int = 2) -> str:
    """`text` as a paragraph; lines after the first are indented by `hang` more columns."""
    from textwrap import fill  # noqa: PLC0415 - rarely needed; slow to import

    return fill(
        visible(" ".join(text.split())),
        width,
        initial_indent=" " * indent,
        subsequent_indent=" " * (indent + hang),
        break_long_words=False,
        break_on_hyphens=False,
    )


def quoted(text: str, indent: int) -> Iterator[str]:
    """The lines of `text` with a bar before each, not wrapped."""
    for line in text.replace("\r\n", "\n").split("\n"):
        yield f"{' ' * indent}| {'	'.join(map(visible, line.split('	')))}".rstrip()


def for_programs(stream: TextIO) -> None:
    """Sets `stream` to UTF-8, which programs expect, unless it is a terminal.

    On Windows, a pipe and a file have the code page of a country.
    """
    if isinstance(stream, TextIOWrapper) and not stream.isatty():
        # A new encoding would bring exceptions for what it cannot write.
        stream.reconfigure(encoding="utf-8", errors="replace")


def as_json(value: object, stream: TextIO) -> str:
    """`value` as JSON; non-ASCII characters are escaped if `stream` cannot encode them.

    Whatever the encoding of a pipe or a file is, what is written to it is JSON in UTF-8. For a
    terminal, characters that would control it are escaped as well.
    """
    text = json.dumps(value, indent=2, ensure_ascii=False)
    encoding = stream.encoding or "ascii"
    try:
        text.encode(encoding if stream.isatty() or lookup(encoding).name == "utf-8" else "ascii")
    except UnicodeEncodeError:
        text = json.dumps(value, indent=2)
    if stream.isatty():
        text = "".join(f"\\u{ord(one):04x}" if ord(one) in _HIDDEN else one for one in text)
    return text


def put_file(text: str, stream: TextIO) -> None:
    """Writes the content of a file; into a file or a pipe in UTF-8, with its own line ends.

    With the encoding or the line ends of the stream, the reader would get another file. On a
    terminal, characters that would control it are pictures.
    """
    if stream.isatty():
        lines = text.replace("\r\n", "\n").split("\n")
        stream.write("\n".join("\t".join(map(visible, line.split("\t"))) for line in lines))
        return
    if not isinstance(stream, TextIOWrapper):
        stream.write(text)
        return
    stream.flush()
    stream.buffer.write(text.encode("utf-8", "replace"))


def columns(character: str) -> int:
    """The number of columns that `character` takes on a terminal."""
    if character.isascii():
        return 1
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
