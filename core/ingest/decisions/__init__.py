"""What the user decides by hand, and what is proposed for it: carried out, kept, undone."""
