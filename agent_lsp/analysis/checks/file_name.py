"""A file's name cannot be the name of an agent."""

from collections.abc import Iterator

from agent_lsp.analysis.checks import header, naming
from agent_lsp.analysis.checks.messages import code
from agent_lsp.analysis.checks.model import Finding, Rule
from agent_lsp.workspace.snapshot import TemplateFile


def check(file: TemplateFile) -> Iterator[Finding]:
    """Yields a finding for a name that the runtime passes over."""
    if not file.name and file.name is not None:
        thing = f"{code(file.path.name)} gives no name to its agent: rename the file"
        yield Finding(
            header.first_line(file), f"{thing}, or {file.dialect.consequence.header_refused}"
        )
    if file.name is not None or file.misplaced is not None:
        return
    stem, _, extension = file.path.name.rpartition(".")
    thing = f"the runtime passes over {code(file.path.name)}"
    wrong = _wrong_characters(file, stem.strip())
    if wrong:
        thing += f": the name of an agent may not contain {wrong}"
    proposal = naming.proposal(file, extension)
    if proposal is not None:
        thing += f"; call it {code(proposal)}"
    yield Finding(header.first_line(file), thing)


def _wrong_characters(file: TemplateFile, stem: str) -> str:
    name_of = file.dialect.name_of
    wrong = [sign for sign in dict.fromkeys(stem) if name_of(f"a{sign}a.md") is None]
    visible = [sign for sign in wrong if sign.isprintable() and not sign.isspace()]
    blank = ["a blank"] if " " in wrong else []
    hidden = [f"U+{ord(sign):04X}" for sign in wrong if sign not in (*visible, " ")]
    words = [*map(code, visible), *blank, *hidden]
    return " or ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


RULE = Rule("file-name", check, of_tables=None)
