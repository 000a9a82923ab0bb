"""Tells, while you type, what an agent runtime will do with an agent template."""

__version__ = "0.1.0"
