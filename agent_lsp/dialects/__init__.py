"""The agent systems that the product knows, one module or folder each."""
