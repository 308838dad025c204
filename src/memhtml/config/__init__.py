"""Settings: flags, environment, files and defaults, read once."""
