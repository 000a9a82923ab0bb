"""Says whether an agent exists as it stands, where a person confirms it or can switch it off."""

from pathlib import Path

from agent_lsp.model.availability import Availability
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate, Catalog
from agent_lsp.workspace.disk import SourceFile
from agent_lsp.workspace.scopes import texts_of
from agent_lsp.workspace.snapshot import TemplateFile, Workspace

_MARK = "\ufeff"


def confirmation(
    workspace: Workspace, dialect: Dialect, root: Path, candidate: Candidate
) -> Availability | None:
    """Whether a session in `root` has the agent of `candidate`, as far as a person has to confirm.

    None if nobody has to.
    """
    asked = dialect.references.confirmation
    source = workspace.files.read(candidate.path) if asked is not None else None
    if asked is None or source is None or source.problem is not None:
        return None
    files = workspace.files
    records = texts_of(asked.records, root, workspace.host_paths, files)
    manifest = files.read(candidate.path.parent.parent / asked.manifest)
    texts = (*records, manifest.text if manifest is not None else None)
    folders = tuple(dict.fromkeys((str(root), str(files.real(root)))))
    return asked.standing(texts, folders, candidate, _text(source))


def taken(dialect: Dialect, found: Catalog, candidate: Candidate) -> str:
    """Whose calls the agent gets, or what else becomes of it, in words; empty for most."""
    return dialect.names.taken(found, candidate) if dialect.names.taken is not None else ""


def confirmation_of(file: TemplateFile) -> Availability | None:
    """The same for the template `file`, in sessions of its root."""
    if file.name is None or file.reading.errors or file.misplaced is not None:
        return None
    candidate = Candidate(file.name, file.path, file.scope)
    return confirmation(file.workspace, file.dialect, file.root, candidate)


def _text(source: SourceFile) -> str:
    """The text as a runtime that reads UTF-8 has it, with a byte-order mark if there is one."""
    is_cut = source.bom and not source.text.startswith(_MARK)
    return f"{_MARK}{source.text}" if is_cut else source.text
