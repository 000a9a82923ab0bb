"""The table of conversions says what conversions do."""

from tests.conversion_page import PAGE, page


def test_the_table_of_conversions_is_current() -> None:
    rewrite = "run `python -m tests.write_conversion`"
    assert PAGE.read_text(encoding="utf-8") == page(), rewrite
