"""Checks the file itself: its name, its folder, its system, and whether it is read and wins."""

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from agent_lsp.analysis.checks import header
from agent_lsp.analysis.checks.messages import code, listed, shown, some
from agent_lsp.analysis.suggest import known_tools
from agent_lsp.model.check import Basis, Check, Field, Finding, Related, Trait
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate
from agent_lsp.model.schema import RefusedFile, Severity
from agent_lsp.text import Span
from agent_lsp.workspace.catalogs import candidates
from agent_lsp.workspace.misplaced import Foreign, Misplaced, MisplacedReason
from agent_lsp.workspace.scopes import session_root
from agent_lsp.workspace.snapshot import TemplateFile, deeper


def proposal(file: TemplateFile, extension: str) -> str | None:
    """A name close to the file's own with which it is an agent, or None."""
    return name_for(file.dialect, file.path, extension)


def name_for(dialect: Dialect, path: Path, extension: str) -> str | None:
    """A name close to that of the file at `path` with which it is an agent, or None."""
    if dialect.system.new_ending and path.suffix == f".{extension}":
        ending = dialect.system.new_ending
        stem = path.name[: -len(ending)] if path.name.lower().endswith(ending) else None
        return dialect.system.file_name(stem or dialect.names.name_of(path.name) or path.name)
    stem = path.name.rpartition(".")[0]
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode().lower()
    for name in (stem, re.sub("[^a-z0-9_]+", "-", plain).strip("-")):
        if dialect.names.name_of(f"{name}.{extension}") is not None:
            return f"{name}.{extension}"
    return None


def file_name(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for a name that the runtime ignores."""
    if not file.name and file.name is not None:
        thing = f"{code(file.path.name)} cannot be the name of an agent: rename the file"
        yield Finding(
            header.first_line(file),
            f"{thing}, or {file.consequence.header_refused}",
        )
    if file.name is not None or file.misplaced is not None or _has_unread_name(file):
        return
    stem, _, extension = file.path.name.rpartition(".")
    thing = f"the runtime ignores {code(file.path.name)}"
    wrong = _wrong_characters(file, stem.strip())
    if wrong:
        thing += f": the name of an agent may not contain {wrong}"
    right_name = proposal(file, extension)
    if right_name is not None:
        thing += f"; call it {code(right_name)}"
    yield Finding(header.first_line(file), thing)


def _has_unread_name(file: TemplateFile) -> bool:
    """Whether the name of the agent stands in a text that is not known here."""
    names = file.dialect.names
    is_taken = file.scope.counts(file.path.name) and names.name_of(file.path.name) is not None
    return file.source.problem is not None and names.names_in is not None and is_taken


def _wrong_characters(file: TemplateFile, stem: str) -> str:
    name_of = file.dialect.names.name_of
    wrong = [
        sign
        for sign in dict.fromkeys(stem)
        if name_of(f"a{sign}a{file.dialect.system.extension}") is None
    ]
    visible = [sign for sign in wrong if sign.isprintable() and not sign.isspace()]
    blank = ["a space"] if " " in wrong else []
    hidden = [f"U+{ord(sign):04X}" for sign in wrong if sign not in (*visible, " ")]
    words = [*map(code, visible), *blank, *hidden]
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


FILE_NAME = Check(("file-name",), file_name, basis=Basis.FILE, needs=(Trait.NAMELESS,))


def unreadable(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for a file without text, or with bytes that the runtime replaces."""
    at = file.document.text.find("\ufffd") if file.source.replaced else -1
    if at >= 0 and header.is_seen(file):
        message = "not UTF-8: the runtime reads U+FFFD instead of this; save the file as UTF-8"
        yield Finding(Span(at, at + 1), message, Severity.INFORMATION)
    # If names stand in the text of a file, a file without text has no known name.
    is_table, is_named = (
        file.dialect.schema.is_tables,
        file.dialect.names.names_in is None,
    )
    if file.source.problem is None or (file.name is None and is_named):
        return
    place = Span(0, 0)
    if file.source.too_large:
        yield Finding(place, f"{file.source.problem}: not checked", Severity.INFORMATION)
        return
    if file.dialect.format.is_text:
        # The runtime takes the whole file as text, and its treatment of such bytes is not known.
        return
    if file.consequence.file is not RefusedFile.CATALOG and not is_table:
        what = code(file.name or "") if is_named else "agent"
        lost = (
            file.consequence.unreadable or f"the runtime ignores the file, and it defines no {what}"
        )
        yield Finding(place, f"{file.source.problem}: {lost}")
        return
    loss = file.consequence.header_refused
    if file.source.as_utf_16 and file.dialect.format.replaces_bytes and not is_table:
        absent = file.consequence.header_absent
        yield Finding(place, f"the file is UTF-16: save it as UTF-8, or {absent}")
        return
    if file.source.unsure and not is_table:
        message = f"{file.source.problem}: if the runtime fails on that in the header, {loss}"
        yield Finding(place, message, Severity.WARNING)
        return
    yield Finding(place, f"{file.source.problem}: {loss}")


UNREADABLE = Check(
    ("unreadable",),
    unreadable,
    changes=frozenset({Field.LOADS}),
    basis=Basis.FILE,
    needs=(Trait.UNREADABLE,),
)


def misplaced_file(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding on the first line of a template in a wrong place."""
    if file.misplaced is None:
        return
    thing, verb = _words(file, file.misplaced)
    name = proposal(file, "md")
    target = file.misplaced.belongs if name is None else file.misplaced.belongs / name
    place = code(shown(file, target))
    if name is None or file.workspace.files.read(target) is None:
        yield Finding(header.opening(file), f"{thing}: {verb} {place}")
        return
    related = (Related(target, Span(0, 0), "this is the file that the runtime reads"),)
    yield Finding(header.opening(file), f"{thing}; {place} already exists", related=related)


def _words(file: TemplateFile, at: Misplaced) -> tuple[str, str]:
    """The reason why the file is misplaced, and what to do."""
    thing, folder = "the runtime does not read this file", code(shown(file, file.path.parent))
    if at.reason is MisplacedReason.EXTENSION:
        return f"{thing}, because it reads only `*.md`", "rename it to"
    if at.reason is MisplacedReason.BELOW:
        above = code(shown(file, at.belongs))
        return f"{thing}, because it reads none from folders below {above}", "move it to"
    thing += ", which is a template by its header"
    return f"{thing}, because it does not read {folder}", "move it to"


MISPLACED = Check(("misplaced",), misplaced_file, basis=Basis.FILE, needs=(Trait.MISPLACED,))


def other_system(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a file of another system, with the effect of the file in this one."""
    if file.foreign is None or not header.is_seen(file):
        return
    thing, runtime, which = _signs(file.foreign)
    if file.reading.errors:
        said = f"{runtime} skips {which}: {file.reading.errors[0].message}"
    else:
        tools = file.dialect.tools.toolset(file.reading, known_tools(file.dialect, file.options), 1)
        has = f"with {len(tools.kept)} of the" if tools.kept else "without any of the"
        name = code(file.name or "")
        said = f"{runtime} still loads {which}, as {name} {has} tools that are known here"
    yield Finding(_place(file, file.foreign), f"{thing}: {' '.join(said.split())}")


def _signs(told: Foreign) -> tuple[str, str, str]:
    """The reason why the file is foreign, and the phrases for this system and for the file."""
    if told.is_note:
        return "a note by its name", "this system", "it"
    if not told.has_header:
        return "a file without a header", "this system", "it"
    belong = "belongs" if len(told.keys) == 1 else "belong"
    return f"{listed(told.keys, 'and')} {belong} to another system", "this one", "the file"


def _place(file: TemplateFile, told: Foreign) -> Span:
    top = header.root(file)
    entry = top.get(told.keys[0]) if top and told.keys and not told.is_note else None
    return entry.key.span if entry is not None else header.opening(file)


OTHER_SYSTEM = Check(("other-system",), other_system, of_foreign=True, basis=Basis.FILE)


# A message names and links at most this many files.
_MOST, _MOST_RELATED = 3, 10


def shadowed(file: TemplateFile) -> Iterator[Finding]:
    """Yields one finding on a shadowed file: never used, not in its root, or not below it."""
    if file.name is None or file.source.problem is not None or file.dialect.names.is_merged:
        return
    chain = candidates(file.workspace, file.dialect, file.root, file.name)
    if not any(other.path == file.path for other in chain):
        return
    winner, own = chain[0], next(other for other in chain if other.path == file.path)
    twins = [other for other in chain if other.scope == own.scope]
    tie = file.dialect.names.tie(own.scope)
    if tie and len(twins) > 1:
        yield _undecided(file, own, [other for other in twins if other is not own], tie)
        return
    twin = twins[0]
    if twin.path != file.path:
        is_beside = twin.path.parent == file.path.parent
        other = (
            f"{code(twin.path.name)} in the same folder"
            if is_beside
            else code(shown(file, twin.path))
        )
        thing = f"never used: {other} defines {code(file.name)}, too"
        order = "last, which is the one used" if file.dialect.names.last_wins else "first"
        message = f"{thing}, and comes {order}"
        yield Finding(_name_span(file, own), message, Severity.WARNING, related=_related(twin))
        return
    if winner.path != file.path:
        yield Finding(_name_span(file, own), _loses(file, winner), related=_related(winner))
        return
    nearer = deeper(file)
    if nearer:
        disk = file.workspace.files
        roots = (session_root(file.dialect.system, other.path.parent, disk) for other in nearer)
        where = some([shown(file, root) for root in roots if root is not None], _MOST)
        files = "a nearer file defines" if len(nearer) == 1 else "nearer files define"
        message = (
            f"not used in sessions started in {where} or below: {files} {code(file.name)}, too"
        )
        related = tuple(link for other in nearer[:_MOST_RELATED] for link in _related(other))
        yield Finding(_name_span(file, own), message, related=related)


def _name_span(file: TemplateFile, own: Candidate) -> Span:
    """The name in the file, or its first line if the file's name is the agent's name."""
    return own.span or header.opening(file)


def _undecided(file: TemplateFile, own: Candidate, others: list[Candidate], tie: str) -> Finding:
    """The finding on several files of one scope if nobody can tell which one is used."""
    files = some([shown(file, other.path) for other in others], _MOST, "and")
    defines = "defines" if len(others) == 1 else "define"
    decides = f"one of them is used, and {tie} decides which"
    related = tuple(
        Related(other.path, other.span or Span(0, 0), f"defines {code(other.name)}, too")
        for other in others[:_MOST_RELATED]
    )
    message = f"{files} {defines} {code(file.name or '')}, too: {decides}"
    return Finding(_name_span(file, own), message, Severity.WARNING, related=related)


def _loses(file: TemplateFile, winner: Candidate) -> str:
    where = f"not used in sessions started in {code(shown(file, file.root))}"
    other = code(shown(file, winner.path))
    return f"{where}: {other} defines {code(winner.name)}, too, and comes first"


def _related(winner: Candidate) -> tuple[Related, ...]:
    return (
        Related(
            winner.path, winner.span or Span(0, 0), f"this file is used for {code(winner.name)}"
        ),
    )


SHADOWED = Check(("shadowed",), shadowed, basis=Basis.FILE)
