"""Photos that are alike: copies, near-duplicates, bursts; what pixels and names tell of kinds."""
