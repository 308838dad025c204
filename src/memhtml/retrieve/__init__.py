"""Search and recall over one generation of the index."""
