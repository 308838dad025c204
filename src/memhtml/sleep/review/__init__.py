"""A run as a person reads it: why, what was and what would be."""
