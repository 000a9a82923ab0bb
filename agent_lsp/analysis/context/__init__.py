"""Finds the completion context at a cursor."""
