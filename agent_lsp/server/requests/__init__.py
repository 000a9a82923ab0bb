"""Answers the requests of an editor, one module for each feature."""
