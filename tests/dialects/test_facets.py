"""A dialect is few facets, each of use to several systems."""

from dataclasses import MISSING, fields

from agent_lsp.model.dialect import Dialect
from tests.systems import DIALECTS

MOST = 14


def test_a_dialect_has_few_facets() -> None:
    assert len(fields(Dialect)) <= MOST


def test_each_facet_is_of_use_to_several_systems() -> None:
    for facet in fields(Dialect):
        default = facet.default
        if facet.default_factory is not MISSING:
            default = facet.default_factory()
        used = {one.id for one in DIALECTS if getattr(one, facet.name) != default}
        assert len(used) > 1, facet.name
