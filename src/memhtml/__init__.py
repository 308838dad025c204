"""Long-term memory for software agents, kept as a git repository of semantic HTML files."""
