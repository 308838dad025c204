"""How a run comes to main, and what it must prove before."""
