"""What `check` is made of: which files, which findings, their fixes, and the report."""
