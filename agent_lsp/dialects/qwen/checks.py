"""The checks of `qwen` alone."""

REPLACED = ()
CHECKS = ()
