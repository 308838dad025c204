"""The phases of a night: each looks at the store and proposes changes, and none of them commits."""
