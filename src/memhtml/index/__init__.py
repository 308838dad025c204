"""The rebuildable SQLite projection of a store, and the state that cannot be rebuilt."""
