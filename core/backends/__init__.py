"""The only package that imports model, vector and solver libraries."""
