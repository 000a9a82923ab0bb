"""What a wrong value of a key costs, as the tables say it, is what the readings make of it.

The readings are compared with the recorded answers of the runtimes (`tests/conformance`).
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.preview import as_written
from agent_lsp.dialects import CONVERTED, SYSTEMS
from agent_lsp.model.dialect import Dialect
from agent_lsp.model.runtime import Scope
from agent_lsp.model.schema import IfWrong, KeyRole, RefusedFile, ValueKind
from agent_lsp.model.template import LoadError, Reading
from agent_lsp.syntax.document import Document
from agent_lsp.workspace.snapshot import template_file
from tests.fixture import fixture
from tests.planted import SYSTEMS as PLANTED
from tests.wrong_values import NAME, VALUES, Place, places, right, texts, without


def _dialects() -> Iterator[tuple[str, Dialect]]:
    """Each form, reader and generation of each system."""
    for system in (*SYSTEMS, *CONVERTED, *PLANTED):
        for one in (system, *system.beside):
            yield one.id, one.dialect
            variants = one.dialect.variants
            yield from ((f"{one.id}: {other.name}", other.load()) for other in variants.readers[1:])
            if variants.in_generation is not None:
                for other in variants.generations[1:]:
                    yield f"{one.id}: {other.name}", variants.in_generation(other.name)


DIALECTS = dict(_dialects())
READ = {name: one for name, one in DIALECTS.items() if not one.format.is_text}
# Of these alone the reading of a file may say nothing.
_SILENT = (IfWrong.IGNORED, IfWrong.EVERYTHING, IfWrong.UNDOCUMENTED)
# The programs that were not run, and the parts of others.
_NOT_RUN = {"cursor": "", "factory": "", "qwen": "hooks."}
# The consequence for a file with an error of its reading, where `RefusedFile` is about something
# else: a file of tables has no prompt, and Copilot CLI and OpenCode 2 have no lower scopes.
_OF_ERRORS = {
    "codex-config": IfWrong.STOPS,
    "moltis": IfWrong.LOST,
    "moltis: today": IfWrong.LOST,
    "copilot: Copilot CLI": IfWrong.LOST,
    "opencode: 2": IfWrong.LOST,
    "opencode-config: 2": IfWrong.LOST,
    "planted-toml": IfWrong.REFUSED,
}
_OF_FILES = {
    RefusedFile.PROMPT: IfWrong.REFUSED,
    RefusedFile.SKIPPED: IfWrong.LOST,
    RefusedFile.CATALOG: IfWrong.STOPS,
}
# The words of readings about values that do not keep a file from loading.
_WORDS = {
    "the runtime ignores it, and the agent gets every tool": IfWrong.EVERYTHING,
    "the runtime ignores it": IfWrong.IGNORED,
    "the runtime denies nothing": IfWrong.IGNORED,
    "the runtime reads it as an empty list": IfWrong.EMPTY,
}
# About a key, or about the entry of a list around it.
_DROPPED = "the runtime drops it, and it never runs"
_MAPPING = VALUES[-1]
# About an item, and not about the value of the key.
_OF_ITEMS = ("the runtime leaves it out", "the runtime leaves the server out")


def severe(name: str) -> IfWrong:
    """What an error of a reading of a dialect costs."""
    return _OF_ERRORS.get(name) or _OF_FILES[READ[name].format.consequence.file]


class Examined:
    """What the reading of a dialect makes of the values of one key."""

    def __init__(self, name: str, place: Place) -> None:
        self.name, self.dialect, self.place = name, READ[name], place
        self.sound = [self._read(text) for text in self._texts(right(place.key))]

    def found(self) -> set[IfWrong]:
        """The consequences of all wrong values, as far as the reading tells them."""
        values = (v for v in VALUES if not (v == "null" and self.dialect.is_toml))
        return {one for value in values for one in self.of(value)}

    def of(self, value: str) -> set[IfWrong]:
        """The consequence of a value, for each context in which the key may stand."""
        return set(self._of(value))

    def takes(self, value: str) -> bool:
        """Whether the reading has nothing to say about a value."""
        read = [reading for _, reading in map(self._read, self._texts(value))]
        return not any(
            _more(one.errors, before.errors) or _more(one.possible_errors, before.possible_errors)
            for one, (_, before) in zip(read, self.sound, strict=True)
        )

    def is_dropped(self) -> bool:
        """Whether a file with some value loads as if the key were not there, if a reading tells."""
        return (
            not self.place.is_outer
            or self.dialect.schema.is_tables
            or any(
                self.place.key.name not in reading.effective.settings and not reading.errors
                for value in VALUES
                if value != "null"
                for _, reading in map(self._read, self._texts(value))
            )
        )

    def _texts(self, value: str) -> list[str]:
        return list(texts(self.dialect, self.place, value))

    def _read(self, text: str) -> tuple[Document, Reading]:
        document = self.dialect.parse(text)
        assert document.tree.problem is None, text
        return document, self.dialect.format.read(document, NAME)

    def _of(self, value: str) -> Iterator[IfWrong]:
        is_null = value == "null" and self.place.key.nullable
        for text, (sound, before) in zip(self._texts(value), self.sound, strict=True):
            document, reading = self._read(text)
            errors = _more(reading.errors, before.errors)
            doubts = [*_more(reading.possible_errors, before.possible_errors)]
            if errors:
                yield self._of_error(errors[0])
            elif doubts:
                yield from () if is_null else self._of_doubt(doubts[0])
            elif _names(self.dialect, document) < _names(self.dialect, sound):
                is_table = self.dialect.schema.is_tables
                yield IfWrong.LEFT_OUT if is_table else IfWrong.LOST
            elif value == _MAPPING and self._allows_everything(reading):
                yield IfWrong.EVERYTHING

    def _of_error(self, error: LoadError) -> IfWrong:
        return error.if_wrong or severe(self.name)

    def _of_doubt(self, error: LoadError) -> Iterator[IfWrong]:
        if error.message.startswith(_OF_ITEMS):
            return
        if error.message == _DROPPED:
            is_in_list = any(key.kind is ValueKind.RECORDS for key, _ in self.place.above)
            yield IfWrong.LEFT_OUT if is_in_list else IfWrong.IGNORED
            return
        said = (one for words, one in _WORDS.items() if error.message.startswith(words))
        # The others are errors in another generation.
        yield next(said, severe(self.name))

    def _allows_everything(self, reading: Reading) -> bool:
        """Whether the key is the list of allowed tools, and the agent has all of them."""
        tools, key = self.dialect.tools, self.place.key
        is_list = self.place.is_outer and key.role is KeyRole.ALLOW
        return is_list and not tools.toolset(reading, tools.names, 1).removed


def _more(after: tuple[LoadError, ...], before: tuple[LoadError, ...]) -> list[LoadError]:
    """The errors that a file with another value does not have."""
    known = Counter((one.kind, one.key, one.message) for one in before)
    found = []
    for one in after:
        sign = (one.kind, one.key, one.message)
        if known[sign]:
            known[sign] -= 1
        else:
            found.append(one)
    return found


def _names(dialect: Dialect, document: Document) -> set[str]:
    names_in = dialect.names.names_in
    files = sorted(dialect.system.files) or [f"{NAME}{dialect.system.extension}"]
    folder = Path("/project")
    scope = Scope("project", "project", folder)
    found = names_in(document, scope, folder / files[0]) if names_in is not None else ()
    return {one.name for one in found}


PLACES = {name: tuple(places(dialect)) for name, dialect in READ.items()}


@pytest.mark.parametrize("name", READ)
def test_a_wrong_value_costs_what_the_tables_say(name: str) -> None:
    schema, wrong = READ[name].schema, []
    for place in PLACES[name]:
        examined = Examined(name, place)
        said, found = schema.consequence(place.key), examined.found()
        if said is IfWrong.UNDOCUMENTED:
            # Which tools such an agent has is a guess of the reading.
            found.discard(IfWrong.EVERYTHING)
        is_silent = said in _SILENT or (said is IfWrong.CALL_FAILS and name.startswith("planted"))
        is_shown = said in found or (is_silent and examined.is_dropped())
        if not is_shown or found - {said}:
            wrong.append((place.name, said.name, sorted(one.name for one in found)))
    assert not wrong


IN_PLUGIN = Scope("plugin", "plugin", Path("/project"), prefix="plugin:")


@pytest.mark.parametrize("name", READ)
def test_in_a_plugin_a_value_costs_and_a_key_is_required_as_the_tables_say(name: str) -> None:
    dialect = READ[name]
    for place in PLACES[name]:
        key = dialect.schema.key_in(place.key, IN_PLUGIN)
        if key == place.key:
            continue
        assert not dialect.schema.consequence(key).is_severe
        files = [text for value in VALUES for text in texts(dialect, place, value)]
        for text in files if key.required_by else (*files, without(dialect, place)):
            document = dialect.parse(text)
            assert not dialect.format.read(document, f"plugin:{NAME}").errors, text


# A file of each form, and of each folder whose files have another loss.
FILES = {
    ".claude/agents/zzz.md": "claude",
    ".codex/.agents/zzz.md": "codex-templates",
    ".codex/agents/zzz.toml": "codex-agents",
    ".codex/config.toml": "codex-config",
    ".gemini/agents/zzz.md": "gemini",
    ".github/agents/zzz.agent.md": "copilot",
    ".kodacode/agents/zzz.md": "kodacode",
    ".moltis/agents/zzz.md": "moltis-agents",
    ".opencode/agent/zzz.md": "opencode",
    ".opencode/modes/zzz.md": "opencode",
    ".qwen/agents/zzz.md": "qwen",
    "moltis.toml": "moltis",
    "opencode.json": "opencode-config",
}
# The losses that a finding tells in other words.
_SAID = {"moltis": "the runtime drops the whole configuration"}


@pytest.mark.parametrize(("path", "name"), FILES.items())
def test_the_hovers_of_a_file_and_of_a_key_and_a_finding_tell_one_loss(
    path: str, name: str, tmp_path: Path
) -> None:
    made, dialect = fixture(tmp_path, f"//- {path}\n"), READ[name]
    said = _SAID.get(name)
    for place in PLACES[name]:
        values = VALUES[:2] if place.is_outer else ()
        for text in (text for value in values for text in texts(dialect, place, value)):
            made.workspace.files.open(made.path, text)
            file = template_file(made.workspace, made.path)
            if file is not None and file.reading.errors:
                loss = dialect.loss(place.key, file.scope)
                assert (as_written.lost(file) or "").endswith(loss), text
                found = diagnostics(made.workspace, made.path)
                assert any((said or loss) in one.message for one in found), text


@pytest.mark.parametrize("name", READ)
def test_a_list_that_is_ignored_allows_everything_if_a_file_without_it_does(name: str) -> None:
    for place in PLACES[name]:
        said = READ[name].schema.consequence(place.key)
        is_all = place.key.default.startswith(("every ", "all "))
        if said is IfWrong.EVERYTHING:
            assert is_all, place.name
        if said is IfWrong.IGNORED and place.key.kind is ValueKind.LIST:
            assert not is_all, place.name


@pytest.mark.parametrize("name", READ)
def test_only_what_was_not_run_is_undocumented(name: str) -> None:
    for place in PLACES[name]:
        if READ[name].schema.consequence(place.key) is IfWrong.UNDOCUMENTED:
            assert place.name.startswith(_NOT_RUN[name]), place.name


@pytest.mark.parametrize("name", READ)
def test_another_word_costs_what_another_type_costs(name: str) -> None:
    for place in PLACES[name]:
        examined = Examined(name, place)
        if (
            place.key.kind is ValueKind.CHOICE
            and READ[name].schema.consequence(place.key).is_severe
        ):
            assert examined.of(f'"{NAME}"') == examined.of("[12]"), place.name


@pytest.mark.parametrize("name", DIALECTS)
def test_a_dialect_has_one_sentence_for_all_severe_consequences(name: str) -> None:
    schema = DIALECTS[name].schema
    keys = [place.key for place in PLACES.get(name, ())]
    severe_ones = {one for one in map(schema.consequence, keys) if one.is_severe}
    assert len(severe_ones) <= 1


@pytest.mark.parametrize("name", READ)
def test_a_file_without_a_mandatory_key_is_refused(name: str) -> None:
    dialect = READ[name]
    for place in PLACES[name]:
        if place.key.mandatory:
            there, gone = next(iter(Examined(name, place).sound))[1], without(dialect, place)
            read = dialect.format.read(dialect.parse(gone), NAME)
            assert _more(read.errors, there.errors), place.name


# yaml.v3 cuts the fraction off.
@pytest.mark.parametrize("name", [one for one in READ if one != "kodacode"])
def test_a_number_may_have_a_fraction_if_the_tables_say_so(name: str) -> None:
    for place in PLACES[name]:
        if place.key.kind is ValueKind.NUMBER and not place.key.no_effect:
            examined = Examined(name, place)
            is_silent = examined.takes(f'"{NAME}"')
            taken = place.key.has_fraction if is_silent else examined.takes("1.5")
            assert place.key.has_fraction is taken, place.name


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".claude/agents/a.md", "---\nname: general-purpose\n---\nGo.\n"),
        (".codex/agents/a.toml", 'name = "explorer"\ndescription = 5\n'),
        (".gemini/agents/a.md", "---\nname: generalist\n---\nGo.\n"),
        (".qwen/agents/a.md", "---\nname: Explore\n---\nGo and look.\n"),
    ],
)
def test_a_refused_file_leaves_the_agent_of_the_program_with_its_name(
    path: str, text: str, tmp_path: Path
) -> None:
    made = fixture(tmp_path, f"//- {path}\n{text}")
    file = template_file(made.workspace, made.path)
    found = [one.message for one in diagnostics(made.workspace, made.path)]

    assert file is not None
    assert any(f"and the built-in `{file.name}` is still used" in one for one in found), found
    assert not any("and there is no" in one or "templates/" in one for one in found)
