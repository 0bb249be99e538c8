"""Retrieval tools: each ranks the gallery for a text, a reference photo, or metadata."""
