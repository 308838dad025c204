"""Transcripts as operations: read, searched, and held against the memories that came of them."""
