"""The product agrees with the runtimes' own parsers (`tests/conformance`)."""

import json
from pathlib import Path
from typing import Any

from agent_lsp.decoders.serde_yaml import decode
from agent_lsp.dialects.codex_subagents.dialect import DIALECT as SUBAGENTS
from agent_lsp.dialects.codex_templates.dialect import DIALECT
from agent_lsp.dialects.moltis import definitions
from agent_lsp.dialects.moltis.keys import Generation
from agent_lsp.dialects.moltis.reading import Preset, config
from agent_lsp.model.template import LoadErrorKind, Value
from agent_lsp.syntax import document, toml
from tests.recorded import each
from tests.systems import dialect_of

DATA = Path(__file__).parent / "conformance"


def cases(system: str) -> list[dict[str, Any]]:
    """The cases of one file."""
    lines = (DATA / f"{system}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def plain(value: Value | None) -> object:
    """A decoded value as JSON would hold it."""
    if value is None:
        return None
    if value.records:
        keys = ("name", "description", "model", "reasoning_effort")
        return [{key: plain(record.values.get(key)) for key in keys} for record in value.records]
    if isinstance(value.value, tuple):
        return [item.text for item in value.items]
    return value.value


@each(cases("codex-templates"))
def test_header_loads_and_decodes_as_in_the_runtime(case: dict[str, Any]) -> None:
    """Same verdict, and for what loads the same values."""
    text = case["text"] if case["text"].endswith("\n") or not case["text"] else case["text"] + "\n"
    parsed = document.parse(f"---\n{text}---\nbody\n", DIALECT.format.split)
    header = parsed.frontmatter.inner
    decoded = decode(
        parsed.tree,
        DIALECT.schema.keys,
        "TemplateFrontmatter",
        header.of(parsed.text),
        header.start,
    )
    first = decoded.errors[0].message if decoded.errors else None

    assert (first is None, first) == (case["ok"], case["error"])
    if case["ok"]:
        values = {key.name: plain(decoded.values.get(key.name)) for key in DIALECT.schema.keys}
        values["read_only"] = values["read_only"] or False
        assert values == case["value"]


@each(cases("codex-subagents"))
def test_sub_agent_loads_and_decodes_as_in_the_runtime(case: dict[str, Any]) -> None:
    """Same verdict, same text of the error, and for what loads the same values."""
    text = case["text"] if case["text"].endswith("\n") or not case["text"] else case["text"] + "\n"
    parsed = document.parse(f"---\n{text}---\nbody\n", SUBAGENTS.format.split)
    found = SUBAGENTS.format.read(parsed, "agent")
    first = found.errors[0].message if found.errors else None

    assert (first is None, first) == (case["ok"], case["error"])
    if case["ok"]:
        values = {
            key.name: plain(found.effective.settings.get(key.name)) for key in SUBAGENTS.schema.keys
        }
        assert values == case["value"]


@each(cases("moltis-md"))
def test_moltis_definition_loads_and_decodes_as_in_the_runtime(case: dict[str, Any]) -> None:
    """Same verdict, same text of the error, and for what loads the same values."""
    text = case["text"] if case["text"].endswith("\n") or not case["text"] else case["text"] + "\n"
    parsed = document.parse(f"---\n{text}---\nbody\n", definitions.split)
    found = definitions.read(parsed)
    first = found.errors[0].message if found.errors else None

    assert (first is None, first) == (case["ok"], case["error"])
    if case["ok"]:
        values = definitions.decode(parsed).values
        wanted = {key.name: plain(values.get(key.name)) for key in definitions.KEYS}
        wanted["delegate_only"] = wanted["delegate_only"] or False
        assert wanted == case["value"]


_IDENTITY = ("name", "emoji", "creature", "vibe", "soul")
_SANDBOX = ("enabled", "image", "no_network")


def as_decoded(preset: Preset) -> dict[str, Any]:
    """A preset of the document's generation as the runtime's record."""

    def of(name: str, default: object = None) -> object:
        value = preset.settings.get(name)
        return default if value is None else plain(value)

    sessions = {
        "key_prefix": of("sessions.key_prefix"),
        "allowed_keys": of("sessions.allowed_keys", []),
        "can_send": of("sessions.can_send", True),
        "cross_agent": of("sessions.cross_agent", False),
    }
    return {
        "identity": {key: of(f"identity.{key}") for key in _IDENTITY},
        "model": of("model"),
        "tools": {key: of(f"tools.{key}", []) for key in ("allow", "deny")},
        "system_prompt_suffix": of("system_prompt_suffix"),
        "max_iterations": of("max_iterations"),
        "timeout_secs": of("timeout_secs"),
        "sandbox": {key: of(f"sandbox.{key}") for key in _SANDBOX}
        if "sandbox" in preset.settings
        else None,
        "sessions": sessions if "sessions" in preset.settings else None,
    }


@each(cases("moltis-toml"))
def test_moltis_presets_load_and_decode_as_in_the_runtime(case: dict[str, Any]) -> None:
    """Same verdict, the same words for a wrong type, and for what loads the same values."""
    tree = toml.parse_open(case["text"])
    found = config(tree.root, case["text"], Generation.SEED)

    assert (tree.problem is None and not found.errors) is case["ok"]
    if case["ok"]:
        presets = {preset.name: as_decoded(preset) for preset in found.presets}
        assert {"default": plain(found.default), "presets": presets} == case["value"]["agents"]
    elif tree.problem is None:
        assert found.errors[0].message in case["error"]


@each(cases("glob"))
def test_pattern_covers_a_tool_as_in_the_runtime(case: dict[str, Any]) -> None:
    """`*` and `?` mean what wildmatch makes of them."""
    assert DIALECT.tools.matches(case["pattern"], case["name"]) is case["ok"]


def _error(system: str, text: str) -> str | None:
    """What the product says that the runtime says of a header or of a whole configuration."""
    if system in ("moltis-seed", "moltis-today"):
        tree = toml.parse_open(text)
        generation = Generation.SEED if system == "moltis-seed" else Generation.TODAY
        errors = config(tree.root, text, generation).errors
        return tree.problem.message if tree.problem else errors[0].message if errors else None
    dialect = dialect_of("moltis-agents" if system == "moltis-md" else system)
    read = dialect.format.read(dialect.parse(f"---\n{text}\n---\nbody\n"), "agent")
    found = [error.message for error in read.errors if error.kind not in _OF_THE_BODY]
    return found[0].removeprefix("invalid YAML: ") if found else None


# Declared personas need blocks in the prompt, which these cases do not have.
_OF_THE_BODY = (LoadErrorKind.BLOCKLESS, LoadErrorKind.UNDECLARED)


@each(cases("seed-more"))
def test_what_the_parsers_differ_in_is_read_as_each_of_them_does(case: dict[str, Any]) -> None:
    """Made on 2026-11-29 with the same libraries, and for Moltis with the records of both times."""
    found = _error(case["system"], case["text"])

    assert (found is None) is case["ok"]
    if case["system"] not in ("moltis-seed", "moltis-today"):
        assert found == case["error"]
