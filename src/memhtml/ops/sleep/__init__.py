"""Nights as operations: begun, seen, reviewed, taken out of, merged."""
