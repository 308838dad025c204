-- Digests of the texts by which a memory is known (title, claim, body), so that it is found by its very words at once.
CREATE TABLE wordings (
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  digest INTEGER NOT NULL,
  PRIMARY KEY (file, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX wordings_digest ON wordings (digest);
