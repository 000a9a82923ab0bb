"""Decodes headers in the same way as the libraries of the runtimes."""
