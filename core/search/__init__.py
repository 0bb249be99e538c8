"""Composed search: a reference photo and a typed change become a verified answer."""
