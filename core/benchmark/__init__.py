"""Measuring by the field's own protocols."""
