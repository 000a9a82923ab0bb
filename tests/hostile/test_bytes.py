"""Whatever bytes are in a file: every question about it is answered, in bounds and in time.

Most of it is run by `make test-hostile`, which tries a hundred times as much with `EFFORT=20`:
each prefix of each template, and in each system each slow text, at its full length, and each that
was found before.
"""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from agent_lsp.analysis.decorations import semantic_tokens
from agent_lsp.analysis.diagnostics import diagnostics
from agent_lsp.analysis.fixes import repaired, suppressions_at
from agent_lsp.analysis.navigation.structure import document_symbols, walk
from agent_lsp.text import Span
from agent_lsp.workspace.disk import MAX_BYTES, MAX_TABLES
from agent_lsp.workspace.snapshot import template_file
from tests.effort import EFFORT, examples, within
from tests.fixture import Fixture, fixture
from tests.hostile.ask import PLACES, Place, everything, fixed
from tests.hostile.texts import BOMBS, SEEDS, SHIPPED, edited, noise
from tests.systems import DIALECTS

hostile = pytest.mark.hostile

# For all questions about one text: what grows with the square takes minutes. In a hurry, long texts
# have a third of their length.
_PATIENCE = 60 if EFFORT > 1 else 20
_LARGE = 30_000
_KIB = 1024
TEXTS = tuple(path.read_text(encoding="utf-8") for path in SHIPPED)
PREFIXED = tuple(
    zip((f"{path.parent.parent.name}-{path.stem}" for path in SHIPPED), TEXTS, strict=True)
)
# Each shipped template in the place of its own system.
OWN = [
    pytest.param(place, text, id=name)
    for place in PLACES
    for name, text in PREFIXED
    if name.startswith(f"{place.dialect}-")
]
# Each text for the systems that it is made for; in a hurry for one of them, of these two in turn.
READERS = ("codex-templates", "kodacode")
BOMBED = [
    (place, bomb)
    for at, bomb in enumerate(BOMBS)
    for place in PLACES
    if bomb.startswith("TOML") == (place.dialect == "moltis")
    and (EFFORT > 1 or place.dialect in ("moltis", READERS[at % 2]))
]

# What was found before, for each system a third of it, and in turn.
FOUND = [
    pytest.param(place, seed, id=f"{place.dialect}-{at}")
    for turn, place in enumerate(PLACES)
    for at, seed in enumerate(SEEDS)
    if EFFORT > 1 or (turn + at) % 3 == 0
]

trying = settings(
    max_examples=examples(25) if EFFORT > 1 else 5,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    database=None,
)
in_each_place = pytest.mark.parametrize("place", PLACES, ids=lambda place: place.dialect)


@pytest.fixture(scope="module", params=PLACES, ids=lambda place: place.dialect)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Fixture:
    place: Place = request.param
    other = place.name.replace("reviewer", "other").replace("moltis.toml", "sub/moltis.toml")
    beside = f"//- {other}\n---\nname: other\ndescription: o\n---\nAsk `reviewer`.\n"
    return fixture(tmp_path_factory.mktemp("hostile"), f"{place.source}{beside}")


def typed(made: Fixture, text: str, *offsets: int) -> None:
    """All questions about `text` as an editor holds it."""
    made.workspace.files.open(made.path, text, 1)
    everything(made.workspace, made.path, (0, *offsets, len(text)))
    at = offsets[0] if offsets else 0
    fixed(made.workspace, made.path, Span(min(at, len(text)), len(text)))


@hostile
@trying
@given(text=noise(), at=st.integers(0, 80))
def test_noise_is_answered(made: Fixture, text: str, at: int) -> None:
    typed(made, f"---\ndescription: x\n{text}", at)
    typed(made, text, at)


@hostile
@trying
@given(text=st.text(max_size=200), at=st.integers(0, 200))
@example(text="---\na: \ud800\n---\n", at=4)
@example(text="---\r---\r", at=3)
def test_any_text_is_answered(made: Fixture, text: str, at: int) -> None:
    typed(made, text, at)


@hostile
@trying
@given(text=edited(TEXTS), at=st.integers(0, 4000))
def test_an_edited_template_is_answered(made: Fixture, text: str, at: int) -> None:
    typed(made, text, at)


@hostile
@trying
@given(data=st.binary(max_size=300), text=edited(TEXTS), at=st.integers(0, 300))
@example(data=b"\xff\xfe-\x00-\x00", text="", at=0)
@example(data=b"\xed\xa0\x80", text="---\n", at=4)
def test_any_bytes_on_the_disk_are_answered(made: Fixture, data: bytes, text: str, at: int) -> None:
    whole = text.encode("utf-8", "surrogatepass")
    made.workspace.files.close(made.path)
    for content in (data, whole[:at] + data + whole[at:]):
        made.path.write_bytes(content)
        made.workspace.files.changed(made.path)
        everything(made.workspace, made.path, (0, at))


@hostile
@pytest.mark.parametrize(("made", "seed"), FOUND, indirect=["made"])
def test_what_was_found_before_is_answered_at_each_place(made: Fixture, seed: str) -> None:
    places = 12 if EFFORT > 1 else 4
    for at in range(0, len(seed), max(1, len(seed) // places)):
        typed(made, seed, at)


@hostile
@pytest.mark.parametrize(("place", "text"), OWN)
def test_each_prefix_of_a_template_is_answered(place: Place, text: str, tmp_path: Path) -> None:
    made = fixture(tmp_path, place.source)
    # The header, letter by letter; of the prompt, and in a hurry, less.
    header = min(len(text), text.find("\n---\n", 4) + 10, 700)
    stops = (
        range(len(text)) if EFFORT > 1 else (*range(0, header, 17), *range(header, len(text), 307))
    )
    for stop in stops:
        made.workspace.files.open(made.path, text[:stop], stop)
        everything(made.workspace, made.path, (stop,))


@pytest.mark.parametrize(("place", "bomb"), BOMBED, ids=str)
def test_a_text_made_to_be_slow_is_answered_in_time(
    bomb: str, place: Place, tmp_path: Path
) -> None:
    text = BOMBS[bomb]()
    # A larger one would be left alone.
    assert len(text) < (MAX_TABLES if place.name.endswith((".toml", ".json")) else MAX_BYTES)
    made = fixture(tmp_path, place.source)
    made.workspace.files.open(made.path, text, 1)
    with within(_PATIENCE):
        found = everything(made.workspace, made.path, (len(text) // 2,))
    assert len(found) < 2000
    if len(text) < _LARGE:
        fixed(made.workspace, made.path, Span(0, len(text)))


def test_every_system_is_asked() -> None:
    assert {place.dialect for place in PLACES} == {dialect.id for dialect in DIALECTS}


# Servers and tools are looked up once for a list, however many entries it has.
@hostile
@pytest.mark.parametrize("bomb", ["tools", "tools of servers"])
def test_a_list_of_thousands_of_tools_takes_as_long_as_it_is_long(
    bomb: str, tmp_path: Path
) -> None:
    text = BOMBS[bomb]().replace("---\n", "---\nname: x\n", 1)
    made = fixture(tmp_path, "//- .claude/agents/a.md\nx\n")
    made.workspace.files.open(made.path, text, 1)
    file = template_file(made.workspace, made.path)
    assert file is not None
    with within(15):
        suppressions_at(made.workspace, made.path, Span(0, len(text)))
        assert semantic_tokens(file)


@hostile
def test_an_outline_is_no_longer_than_anybody_reads(tmp_path: Path) -> None:
    made = fixture(tmp_path, "//- .claude/agents/a.md\nx\n")
    made.workspace.files.open(made.path, BOMBS["headings"](), 1)
    file = template_file(made.workspace, made.path)
    assert file is not None
    assert 2000 <= len(list(walk(document_symbols(file)))) < 2010


@hostile
@pytest.mark.parametrize("bomb", ["lists of tools", "markers"])
def test_what_can_be_done_about_such_a_text_is_told_in_time(bomb: str, tmp_path: Path) -> None:
    """An editor asks about all that is selected, and each fix is tried before it is offered."""
    made = fixture(tmp_path, f"//- {PLACES[0].name}\n{BOMBS[bomb]()}")
    with within(_PATIENCE):
        fixed(made.workspace, made.path, Span(0, len(made.text)))
        repaired(made.workspace, made.path)


@hostile
@in_each_place
def test_a_larger_file_is_reported_once_and_left_alone(place: Place, tmp_path: Path) -> None:
    made = fixture(tmp_path, place.source)
    text = "x" * 10_000_000
    made.path.write_text(text, encoding="utf-8")
    for is_open in (False, True):
        if is_open:
            made.workspace.files.open(made.path, text, 1)
        else:
            made.workspace.files.changed(made.path)
        with within(10):
            found = everything(made.workspace, made.path, (0, MAX_BYTES))
        assert [one.code for one in found] == ["unreadable"]
        assert "larger than 1 MB" in found[0].message


@pytest.mark.limits
def test_memory_stays_bounded_whatever_is_typed(tmp_path: Path) -> None:
    """Each text is another one: what is kept of it must not add up."""
    resource = pytest.importorskip("resource")
    made = fixture(tmp_path, f"//- {PLACES[0].name}\nx\n")
    rows = "".join(f"k{number}: [a, b, c]\n" for number in range(300))
    before = 0
    for turn in range(80):
        text = f"---\ndescription: x{turn}\n{rows}---\nb\n"
        made.workspace.files.open(made.path, text, turn)
        diagnostics(made.workspace, made.path)
        if turn == 30:
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    # Fifty more of these texts with their trees would be twice as much.
    assert grown < 100 * _KIB


@pytest.mark.parametrize(("name", "begun"), [("moltis.toml", "#"), ("opencode.json", "{}//")])
def test_larger_tables_are_reported_once_and_left_alone(
    name: str, begun: str, tmp_path: Path
) -> None:
    """All of a TOML or JSON file is looked into, as the header of a template is."""
    made = fixture(tmp_path, f"//- {name}\nx\n")
    for size, codes in ((MAX_TABLES - 4, []), (MAX_TABLES + 1, ["unreadable"])):
        made.workspace.files.open(made.path, begun + "#" * (size - len(begun)), 1)
        assert [one.code for one in diagnostics(made.workspace, made.path)] == codes
