"""Answers the requests of an editor, one feature a module."""
