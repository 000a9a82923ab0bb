"""What older versions or other systems call otherwise than a dialect does."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Renamed:
    """What became of a key that the runtime ignores.

    `key` is the one to write instead, or None where nothing in a header does the same. `lost`
    says what the file loses, in a clause. `empty_meant_all` says that an empty list under the old
    key was no restriction, which an empty list under the new one is.
    """

    key: str | None
    lost: str
    empty_meant_all: bool = False


@dataclass(frozen=True, slots=True)
class Misnamed:
    """An entry of a tool list that means tools of MCP servers, spelt as no tool can be.

    `fix` says what to write; `meant` are the entries that do it, where they are certain.
    """

    fix: str
    meant: tuple[str, ...] = ()
