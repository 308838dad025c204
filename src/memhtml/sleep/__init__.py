"""Curation of a whole store, proposed on a branch that a person reviews."""
