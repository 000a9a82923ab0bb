"""Finds the completion context: what stands at a cursor."""
