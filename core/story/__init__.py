"""Stories: a brief becomes a bundle of photos that belong together, in order, each with a role."""
