"""The starter encoder: EfficientNet-Lite0 and MiniLM, joined by a small head of our own."""
