"""Finds the skills that presets and definitions of Moltis allow and deny.

Facts: moltis-org/moltis, `filter_skills_for_agent`, `crates/skills/src/discover.rs`, `bundled.rs`
and `parse.rs`, read 2026-11-29. An entry means the skill of this name, or all skills of Moltis'
own in this category; case counts, and an entry that means none is not reported. Skills are in
`.moltis/skills` and `skills` of the data folder, one folder each, with the name in the header.
More of them are installed, from plugins and registries, or ship with Moltis, which changes its list
from version to version.
"""

from collections.abc import Iterable, Iterator

from agent_lsp.dialects.moltis import definitions, reading
from agent_lsp.dialects.moltis.policy import items
from agent_lsp.model.discovery import Skill, SkillHeader, SkillNames, SkillUse
from agent_lsp.model.template import Value
from agent_lsp.syntax import document
from agent_lsp.syntax.document import Document
from agent_lsp.syntax.frontmatter import FenceKind
from agent_lsp.syntax.nodes import Mapping, Scalar, resolve

_IN_PRESET, _IN_FILE = ("skills.allow", "skills.deny"), ("skills_allow", "skills_deny")
_WORD = "skills"
_UNREAD, _UNNAMED = "it has no header that is YAML", "it has no `name`"
_OWN_SOURCE = "built into Moltis"
# By category, as they are in the repository.
_OWN = {
    "apple": ("apple-notes", "apple-reminders", "findmy", "imessage"),
    "autonomous-ai-agents": ("build-agent-systems", "claude-code", "codex", "opencode"),
    "creative": (
        *("architecture-diagram", "ascii-art", "baoyu-infographic", "creative-ideation"),
        *("excalidraw", "p5js", "pixel-art", "popular-web-designs"),
        "songwriting-and-ai-music",
    ),
    "data-science": ("jupyter-live-kernel",),
    "devops": ("mcp-servers", "webhook-subscriptions"),
    "dogfood": (),
    "email": ("himalaya",),
    "gaming": ("minecraft-modpack-server", "pokemon-player"),
    "github": (
        *("codebase-inspection", "github-auth", "github-code-review", "github-issues"),
        *("github-pr-workflow", "github-repo-management"),
    ),
    "media": ("gif-search", "heartmula", "songsee", "youtube-content"),
    "messaging": ("discrawl", "slacrawl", "wacrawl"),
    "mlops": (
        *("lm-evaluation-harness", "weights-and-biases", "huggingface-hub", "llama-cpp"),
        *("obliteratus", "vllm", "audiocraft", "segment-anything", "dspy", "axolotl"),
        *("trl-fine-tuning", "unsloth"),
    ),
    "note-taking": ("obsidian",),
    "productivity": (
        *("google-workspace", "linear", "maps", "nano-pdf", "notion", "ocr-and-documents"),
        "powerpoint",
    ),
    "red-teaming": ("godmode",),
    "research": (
        *("arxiv", "blogwatcher", "data-sync", "gogcli", "llm-wiki", "polymarket"),
        "summarize",
    ),
    "smart-home": ("openhue",),
    "social-media": ("birdclaw", "xurl"),
    "software-development": (
        *("plan", "requesting-code-review", "subagent-driven-development"),
        *("systematic-debugging", "test-driven-development", "writing-plans"),
    ),
}


def read(text: str) -> SkillHeader:
    """What the text of a skill says."""
    file = document.parse(text, definitions.split)
    body, top = file.frontmatter.body, resolve(file.tree.root)
    is_sound = file.frontmatter.fence is FenceKind.CLOSED and file.tree.problem is None
    if not is_sound or not isinstance(top, Mapping):
        return SkillHeader("", "", body, off=_UNREAD)
    name, slug, description = (_text(top, key) for key in ("name", "slug", "description"))
    # The runtime takes the slug if the name is not one for a call.
    called = name if name == name.lower() and " " not in name else slug or name
    return SkillHeader(called, description, body, off="" if name else _UNNAMED)


def _text(top: Mapping, key: str) -> str:
    entry = top.get(key)
    node = entry.node if entry is not None else None
    return node.value if isinstance(node, Scalar) else ""


def find(skills: Iterable[Skill], name: str) -> Skill | None:
    """The skill that `name` means, or None."""
    return next((one for one in skills if one.name == name), None)


def in_presets(found: Document) -> tuple[Value, ...]:
    """The entries of all presets of a configuration."""
    return tuple(item for key in _IN_PRESET for item in _of_presets(found, key))


def _of_presets(found: Document, key: str) -> Iterator[Value]:
    for preset in reading.config_of(found).presets if _WORD in found.text else ():
        yield from items(preset.settings, key)


def in_file(found: Document) -> tuple[Value, ...]:
    """The entries of a definition."""
    return tuple(item for key in _IN_FILE for item in _of_file(found, key))


def _of_file(found: Document, key: str) -> tuple[Value, ...]:
    settings = definitions.read(found).declared.settings if _WORD in found.text else {}
    return items(settings, key)


_KEPT_BACK = "Moltis does not load the skill"
_FIX = "correct the name"
_ALLOWS = SkillUse(
    there="Allows the skill",
    kept_back=_KEPT_BACK,
    missing="so this allows none",
    fix=_FIX,
)
_DENIES = SkillUse(
    there="Denies the skill",
    kept_back=_KEPT_BACK,
    missing="so this denies none",
    fix=_FIX,
)
OF_FILES = SkillNames(
    key=_IN_FILE[0],
    read=read,
    find=find,
    own=tuple(Skill(name, _OWN_SOURCE) for names in _OWN.values() for name in names),
    entries=in_file,
    is_in_header=True,
    others="a plugin or a newer Moltis",
    groups=frozenset(_OWN),
    use=lambda found, entry: _DENIES if entry in _of_file(found, _IN_FILE[1]) else _ALLOWS,
)
OF_PRESETS = SkillNames(
    key=_IN_PRESET[0],
    read=read,
    find=find,
    own=OF_FILES.own,
    entries=in_presets,
    is_in_header=True,
    others=OF_FILES.others,
    groups=OF_FILES.groups,
    use=lambda found, entry: _DENIES if entry in _of_presets(found, _IN_PRESET[1]) else _ALLOWS,
)
