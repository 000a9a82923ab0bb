"""The Language Server Protocol over the analysis; the only place that knows the protocol."""
