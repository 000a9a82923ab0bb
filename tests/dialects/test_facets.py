"""A dialect is few facets, each of use to several systems."""

from inspect import signature

from agent_lsp.model.dialect import Dialect, References, Variants
from tests.systems import DIALECTS

MOST = 14
# What a dialect without them has.
MADE = {"references": References(), "variants": Variants(), "id": ""}


def test_a_dialect_has_few_facets() -> None:
    assert len(Dialect.__slots__) <= MOST


def test_each_facet_is_of_use_to_several_systems() -> None:
    facets = signature(Dialect).parameters
    for name in Dialect.__slots__:
        default = MADE[name] if name in MADE else facets[name].default
        used = {one.id for one in DIALECTS if getattr(one, name) != default}
        assert len(used) > 1, name
