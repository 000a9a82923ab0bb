"""Reads skills as Copilot CLI does, and finds those that an agent starts with.

Facts: Copilot CLI 1.0.102, run 2026-11-29: `skills` puts the text of each skill into the first
message, as an agent and as a sub-agent, and leaves out a name that no skill has without a word. A
skill has the name in its header, or else that of its folder; case does not count. Folders are
searched at any depth, from the folder of the session up to the root of the repository:
`.github/skills`, `.agents/skills`, `.claude/skills`; then those of the user, and then the files in
`.claude/commands` itself, with the name of the file. A skill without a header that is YAML does not
count, but such a command does. Each blank in a name becomes a hyphen. VS Code does not read the
key.
"""

from collections.abc import Iterable

from agent_lsp.dialects.copilot import reading, values
from agent_lsp.model.skills import Skill, SkillHeader, SkillNames
from agent_lsp.model.template import Value
from agent_lsp.syntax import document
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Mapping, Scalar, Sequence, resolve
from agent_lsp.text import Span

KEY = "skills"
_UNREAD = "its header is not YAML"
_OWN = ("customize-cloud-agent", "github-pr-media")


def read(text: str) -> SkillHeader:
    """What the text of a skill says."""
    file = document.parse(text, reading.split_for_cli)
    body, top = file.frontmatter.body, resolve(file.tree.root)
    is_read = file.frontmatter.fence is FenceKind.CLOSED and file.tree.problem is None
    if not is_read or not isinstance(top, Mapping):
        return SkillHeader("", "", body, off_in_folder=_UNREAD)
    name, description = (_text(top, key) for key in ("name", "description"))
    return SkillHeader("-".join(name.split()), description, body)


def _text(top: Mapping, key: str) -> str:
    entry = top.get(key)
    node = resolve(entry.value) if entry is not None else None
    return node.value if isinstance(node, Scalar) else ""


def find(skills: Iterable[Skill], name: str) -> Skill | None:
    """The skill that `name` means, or None."""
    return next((one for one in skills if one.name.lower() == name.lower()), None)


def entries(found: Document) -> tuple[Value, ...]:
    """The entries of a header, whichever program reads it."""
    top = resolve(found.tree.root)
    entry = top.get(KEY) if isinstance(top, Mapping) else None
    node = resolve(entry.value) if entry is not None else None
    return tuple(values.texts(node)) if isinstance(node, Sequence) else ()


NAMES = SkillNames(
    key=KEY,
    read=read,
    find=find,
    own=tuple(
        Skill(name, "built into the runtime", header=SkillHeader("", "", Span(0, 0)))
        for name in _OWN
    ),
    entries=entries,
    is_in_header=True,
    others="a plugin",
)
