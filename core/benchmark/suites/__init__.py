"""The suites: each measures one thing end to end."""
