"""Says whether an agent exists as it stands, for runtimes that ask a person about each text."""

from pathlib import Path

from agent_lsp.model.availability import Availability
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Candidate
from agent_lsp.workspace.disk import SourceFile
from agent_lsp.workspace.scopes import on_machine
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
    record = on_machine(asked.record, workspace.host_paths)
    kept = workspace.files.read(record) if record is not None else None
    folders = tuple(dict.fromkeys((str(root), str(workspace.files.real(root)))))
    return asked.standing(kept.text if kept else None, folders, candidate, _text(source))


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
