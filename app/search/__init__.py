"""The search screen: the bar, the results and why they are there."""
