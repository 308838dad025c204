"""Enough English to deny a claim, to ask for it, and to see a sentence that came out wrong; it knows no memories."""
