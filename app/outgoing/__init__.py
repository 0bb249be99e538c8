"""Photos on their way out: copies, sidecars, the trash; and the last decision taken back."""
