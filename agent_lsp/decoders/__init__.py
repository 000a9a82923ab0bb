"""Decodes headers as the runtimes' own parsers do."""
