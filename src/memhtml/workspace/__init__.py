"""The composition root: opens a store with its index, models and clock, and closes them."""
