"""The output formats of `check`: one module each, with `write(report, stream)`."""
