"""Keys that older versions or other systems have for one of a dialect's own."""

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
