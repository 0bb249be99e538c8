"""Reads what is left in a damaged library file, page by page, without SQLite."""
