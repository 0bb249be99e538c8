"""Trains the starter encoder's head and its calibration from captioned photos."""
