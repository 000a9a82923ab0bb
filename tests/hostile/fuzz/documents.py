"""The texts that an editor has, and what it may be told about them while it types on."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.hostile.answers import Lines


@dataclass
class Document:
    """A text in the editor; `history` has its latest versions.

    `is_loose` is true after a message that no editor sends: nobody knows then what the server has.
    """

    uri: str
    text: str = ""
    version: int = 0
    is_open: bool = False
    is_loose: bool = False
    history: dict[int, str] = field(default_factory=dict)

    def hold(self, text: str, version: int) -> None:
        """Has `text` from now on."""
        self.text, self.version = text, version
        self.history[version] = text
        for old in list(self.history)[:-200]:
            del self.history[old]


class Editor:
    """An editor on the workspace `root`; columns are counted in units of `encoding`.

    `disk` counts the changes of files by others, or is None while there are some that the server
    was not told.
    """

    def __init__(self, root: Path, home: Path) -> None:
        self.root, self.home = root, home
        self.encoding = "utf-16"
        self.documents: dict[str, Document] = {}
        self.disk: int | None = 0


class TextsThen:
    """The texts of an editor as they were when it asked something, for the checks of the answer."""

    def __init__(self, editor: Editor, *, is_search: bool) -> None:
        self._editor, self._is_search, self._disk = editor, is_search, editor.disk
        held = (one for one in editor.documents.values() if one.is_open)
        self._held = {one.uri: None if one.is_loose else one.version for one in held}

    def lines(self, uri: str) -> Lines | None:
        """The lines of a text; None if it may have changed since a search began."""
        if uri not in self._held:
            return self.versions(uri).get(None)
        since = self._since(uri)
        if not since or (len(since) > 1 and self._is_search):
            return None
        return Lines(next(iter(since.values())), self._editor.encoding)

    def versions(self, uri: str) -> Mapping[int | None, Lines | None]:
        """The versions since the client has asked, in their order; the one of a closed file."""
        if uri not in self._held:
            document = self._editor.documents.get(uri)
            is_open = document is not None and document.is_open
            return {} if is_open else self._closed(uri)
        encoding = self._editor.encoding
        return {one: Lines(text, encoding) for one, text in self._since(uri).items()}

    def _since(self, uri: str) -> Mapping[int, str]:
        document, begun = self._editor.documents[uri], self._held[uri]
        if begun is None or begun not in document.history or document.is_loose:
            return {}
        if not document.is_open:
            return {}
        return {one: text for one, text in document.history.items() if one >= begun}

    def _closed(self, uri: str) -> Mapping[int | None, Lines | None]:
        if self._disk is None or self._disk != self._editor.disk or not uri.startswith("file:///"):
            return {}
        path = Path(unquote(urlsplit(uri).path))
        try:
            # A device may have no end, and a pipe no beginning.
            if not path.is_file():
                return {}
            text = path.read_bytes().decode()
        except (OSError, ValueError):
            return {}
        return {None: Lines(text.removeprefix("\ufeff"), self._editor.encoding)}

    def is_inside(self, uri: str) -> bool:
        """Whether files may be created, renamed or deleted there."""
        folders = self._editor.root.as_uri(), self._editor.home.as_uri()
        return uri.startswith(folders)
