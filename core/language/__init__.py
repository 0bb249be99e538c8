"""What a sentence asks: conditions, negations, dates, places, roles; no retrieval."""
