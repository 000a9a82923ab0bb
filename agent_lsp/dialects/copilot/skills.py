"""Reads skills as Copilot CLI does, and finds those that an agent starts with.

Facts: Copilot CLI 1.0.102, run 2026-11-29: `skills` puts the text of each skill into the first
message of a sub-agent, above the task, and into the prompt of the agent of a session. It leaves out
a name that no skill has without a word. Above the text it names the other files in the folder. A
skill has the name in its header, or else that of its folder; case does not count. Folders are
searched at any depth, from the folder of the session up to the root of the repository:
`.github/skills`, `.agents/skills`, `.claude/skills`; then those of the user, and then the files in
`.claude/commands` itself, with the name of the file. A skill without a header that is YAML does not
count, but such a command does. Each blank in a name becomes a hyphen. VS Code does not read the
key.
"""

from collections.abc import Iterable, Iterator

from agent_lsp.dialects.copilot import reading, values
from agent_lsp.model.discovery import Skill, SkillHeader, SkillNames
from agent_lsp.model.runtime import Candidate, Catalog, Origin, PromptPart
from agent_lsp.model.template import Template, Value
from agent_lsp.syntax import document
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Mapping, Scalar, Sequence, resolve
from agent_lsp.text import Span

KEY = "skills"
_UNREAD = "its header is not YAML"
_LINE_END = "\r\n"
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


def parts(catalog: Catalog, winner: Candidate, effective: Template) -> Iterator[PromptPart]:
    """The parts of a first message that the skills of an agent are, above its task."""
    for entry, skill in _wanted(catalog, effective):
        title = f"skill `{skill.name if skill is not None else entry.text}`"
        if skill is not None and skill.path is None:
            yield PromptPart(title, "(the runtime's own text)", False, Origin(skill.source))
        elif skill is not None and skill.path is not None and not skill.off:
            own = Origin(f"the {skill.source} skill", skill.path, skill.header.body)
            folder = skill.path.parent
            text = (
                f'<skill-context name="{skill.name}">\nBase directory for this skill: {folder}\n\n'
                "(the names of the other files in this folder, if there are any)\n\n"
                f"{skill.text.lstrip(_LINE_END)}\n</skill-context>"
            )
            yield PromptPart(title, text, False, own)
        elif skill is None and catalog.skill is None:
            said = "(the skill in full, if there is one)"
            yield PromptPart(title, said, False, Origin("the header", winner.path, entry.span))


def left_out(catalog: Catalog, effective: Template) -> Iterator[str]:
    """Says of each entry of an agent why the agent starts without it."""
    for entry, skill in _wanted(catalog, effective) if catalog.skill is not None else ():
        if skill is None:
            said = "this session has none of this name"
            yield f"the agent starts without the skill `{entry.text}`: {said}"
        elif skill.off:
            yield f"the agent starts without the skill `{entry.text}`: {skill.off}"


def _wanted(catalog: Catalog, effective: Template) -> Iterator[tuple[Value, Skill | None]]:
    """The entries of an agent, each with the skill that it means."""
    value = effective.settings.get(KEY)
    for entry in value.items if value is not None else ():
        yield entry, catalog.skill(entry.text) if catalog.skill is not None else None


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
