"""Transcripts of agents as the index keeps them: a database of their own, read and written here alone."""
