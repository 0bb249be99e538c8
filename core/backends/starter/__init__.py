"""The starter encoder: two EfficientNet-Lites and MiniLM, joined by a small head of our own."""
