"""The output formats of `check`: one function each, `write_<format>(report, stream)`."""
