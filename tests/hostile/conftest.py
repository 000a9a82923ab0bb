"""All tests of this folder are those of `make test-hostile`, unless they measure."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

_HERE = str(Path(__file__).parent)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks the tests of this folder; those of the others are handed in, too."""
    for item in items:
        # As text: to compare thousands of paths takes half a second.
        if str(item.path).startswith(_HERE) and item.get_closest_marker("limits") is None:
            item.add_marker("hostile")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Without a log: a traceback in it, as of a refusal, costs what its source files cost."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)
