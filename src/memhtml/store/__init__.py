"""The git repository: layout, lock, journal, commits, and the changes that memories go through."""
