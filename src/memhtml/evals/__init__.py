"""How good the ranking is: the discrimination gate, and retrieval scores. Scoring is pure."""
