"""Build time only: turns docstrings, tags and syntax trees into pages. Knows no particular package."""
