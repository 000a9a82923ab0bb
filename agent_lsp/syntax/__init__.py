"""Turns text into nodes with spans; never fails, knows no vendor."""
