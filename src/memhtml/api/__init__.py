"""The Python door: `Store`, which calls the same operations as the command line."""
