"""The use cases, and the table of operations that every door is made from."""
