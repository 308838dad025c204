"""Scripts that nobody has read, run where they can do no harm: the only floor that knows the interpreter."""
