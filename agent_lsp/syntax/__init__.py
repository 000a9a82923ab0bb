"""Parses text into nodes with spans.

Parsing never fails, and knows no runtime.
"""
