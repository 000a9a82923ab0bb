"""The language server: the Language Server Protocol on top of the analysis.

No other package knows the protocol.
"""
