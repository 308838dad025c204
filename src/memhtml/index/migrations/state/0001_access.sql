-- What was used, how often and to what end. Not in the tree: its durable copy is .memhtml/state/access.jsonl.
CREATE TABLE access (
  path TEXT PRIMARY KEY,
  opens INTEGER NOT NULL DEFAULT 0 CHECK (opens >= 0),
  reinforcements INTEGER NOT NULL DEFAULT 0 CHECK (reinforcements >= 0),
  -- In ten-thousandths.
  outcome INTEGER NOT NULL DEFAULT 0 CHECK (outcome BETWEEN -10000 AND 10000),
  last_opened TEXT,
  last_reinforced TEXT,
  updated TEXT NOT NULL
) STRICT, WITHOUT ROWID;
