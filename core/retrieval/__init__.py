"""One retrieval step and how steps combine: tools, set algebra, rank fusion."""
