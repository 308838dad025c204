"""Agents' transcripts, read where they are: pointers and heads of prompts, never a copy."""
