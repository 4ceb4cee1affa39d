"""How good a text is. These checkers share no code with what they check."""
