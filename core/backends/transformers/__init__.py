"""Encoders from folders of safetensors weights, run by the transformers library."""
