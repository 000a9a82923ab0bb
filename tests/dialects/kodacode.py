"""A catalog of KodaCode's agents from texts, for the tests of its functions."""

from pathlib import Path

from agent_lsp.dialects.kodacode import reading
from agent_lsp.installed import installed
from agent_lsp.model.runtime import Candidate, Catalog, Scope
from agent_lsp.model.template import Reading
from agent_lsp.syntax import document

ROOT = Path("/work")
PROJECT = Scope("project", "project", ROOT / ".kodacode/agents")
GLOBAL = Scope("user", "global", Path("/home/me/.config/kodacode/agents"))
BUILTIN = Scope("builtin", "built into the runtime", installed("templates/kodacode/builtin"), True)


def read(text: str, name: str = "agent") -> Reading:
    """What the runtime makes of a file."""
    return reading.read(document.parse(text, reading.split), name)


def catalog(project: dict[str, str] | None = None, user: dict[str, str] | None = None) -> Catalog:
    """The catalog of these files over the built-in agents."""
    texts = {BUILTIN.folder / path.name: path.read_text() for path in BUILTIN.folder.iterdir()}
    texts |= {PROJECT.folder / name: text for name, text in (project or {}).items()}
    texts |= {GLOBAL.folder / name: text for name, text in (user or {}).items()}
    scopes = (PROJECT, GLOBAL, BUILTIN)
    names = {path: reading.name_of(path.name) for path in texts}

    def candidates(name: str) -> tuple[Candidate, ...]:
        return tuple(
            Candidate(name, path, scope)
            for scope in scopes
            for path in sorted(texts)
            if path.parent == scope.folder and names[path] == name
        )

    return Catalog(
        ROOT,
        scopes,
        tuple(sorted({name for name in names.values() if name is not None})),
        candidates,
        lambda candidate: read(texts[candidate.path], candidate.name),
    )
