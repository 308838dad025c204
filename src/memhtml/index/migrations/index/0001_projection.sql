-- The projection of a store's tree. Everything here can be made again from the tree (vectors: by the embedder).

-- One row: which state of the store the tables hold. `projection` is the version of the rules that made the rows.
CREATE TABLE generation (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  number INTEGER NOT NULL CHECK (number >= 0),
  head TEXT,
  projection INTEGER NOT NULL
) STRICT;
INSERT INTO generation (one, number, head, projection) VALUES (1, 0, NULL, 0);

-- What the indexed commit holds, and what the work tree has otherwise (blob NULL: deleted there).
CREATE TABLE branch (
  path TEXT PRIMARY KEY,
  blob TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE work (
  path TEXT PRIMARY KEY,
  blob TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  blob TEXT NOT NULL,
  content_hash TEXT NOT NULL CHECK (content_hash GLOB 'sha256:*' AND length(content_hash) = 71),
  claimed_hash TEXT,
  type TEXT NOT NULL CHECK (type IN ('episodic', 'semantic', 'procedural', 'agent_insight', 'user_preference',
    'error_pattern', 'verdict', 'precedent', 'arc', 'task')),
  status TEXT NOT NULL CHECK (status IN ('active', 'archived')),
  -- By the path, not by the meta.
  archived INTEGER NOT NULL CHECK (archived IN (0, 1)),
  -- The path with one archive/<YYYY>/ taken off: links written before the move still name it.
  original TEXT NOT NULL,
  workspace TEXT,
  created TEXT NOT NULL,
  updated TEXT NOT NULL,
  event_at TEXT,
  moment TEXT NOT NULL GENERATED ALWAYS AS (coalesce(event_at, updated)) VIRTUAL,
  valid_from TEXT,
  valid_until TEXT,
  superseded_by TEXT,
  task_status TEXT CHECK (task_status IN ('todo', 'doing', 'blocked', 'done')),
  due TEXT,
  confidence REAL CHECK (confidence BETWEEN 0.0 AND 1.0),
  importance INTEGER CHECK (importance BETWEEN 1 AND 10),
  reprieves INTEGER CHECK (reprieves >= 0),
  needs_revision INTEGER CHECK (needs_revision IN (0, 1)),
  archived_at TEXT,
  author TEXT,
  session TEXT,
  prompt TEXT,
  turn TEXT,
  title TEXT NOT NULL,
  gist TEXT NOT NULL,
  CHECK ((type = 'task') = (task_status IS NOT NULL))
) STRICT;
-- One live memory a content; a second file with the same article stands in `duplicates`.
CREATE UNIQUE INDEX files_live_content ON files (content_hash) WHERE archived = 0 AND type <> 'task';
CREATE INDEX files_moment ON files (moment DESC, path);
CREATE INDEX files_workspace ON files (workspace) WHERE workspace IS NOT NULL;
CREATE INDEX files_original ON files (original) WHERE archived = 1;
CREATE INDEX files_content ON files (content_hash);

CREATE TABLE duplicates (
  path TEXT PRIMARY KEY,
  blob TEXT NOT NULL,
  content_hash TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX duplicates_content ON duplicates (content_hash);

CREATE TABLE unreadable (
  path TEXT PRIMARY KEY,
  blob TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE texts (
  file INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  body TEXT NOT NULL,
  disclosure TEXT NOT NULL
) STRICT;

CREATE TABLE entities (
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  folded TEXT NOT NULL,
  folded_name TEXT NOT NULL,
  PRIMARY KEY (file, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX entities_name ON entities (type, name);
CREATE INDEX entities_folded ON entities (folded);
CREATE INDEX entities_folded_name ON entities (folded_name);

CREATE TABLE tags (
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  tag TEXT NOT NULL,
  folded TEXT NOT NULL,
  PRIMARY KEY (file, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_tag ON tags (tag);
CREATE INDEX tags_folded ON tags (folded);

CREATE TABLE aliases (
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  alias TEXT NOT NULL,
  folded TEXT NOT NULL,
  PRIMARY KEY (file, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX aliases_folded ON aliases (folded);

CREATE TABLE facets (
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  number REAL,
  PRIMARY KEY (file, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX facets_value ON facets (name, value);

CREATE TABLE citations (
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  uri TEXT,
  PRIMARY KEY (file, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  rel TEXT NOT NULL CHECK (rel IN ('supersedes', 'contradicts', 'caused_by', 'leads_to', 'part_of', 'relates_to',
    'example_of', 'supports', 'laterally_related', 'about_person', 'authored_by', 'from_session', 'blocks',
    'subtask_of')),
  target TEXT NOT NULL,
  PRIMARY KEY (file, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX links_target ON links (target);

-- Where an article is cut, and the hash of what the embedder is given for each piece. It names the vector, so a
-- moved or restored file finds the vectors that it had.
CREATE TABLE chunks (
  file INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  start INTEGER NOT NULL CHECK (start >= 0),
  stop INTEGER NOT NULL CHECK (stop > start),
  text_hash TEXT NOT NULL,
  PRIMARY KEY (file, position)
) STRICT, WITHOUT ROWID;
CREATE INDEX chunks_text ON chunks (text_hash);

-- The tokens of each file, as `search` indexes them; kept because an entry can only be taken out with its old tokens.
CREATE TABLE documents (
  id INTEGER PRIMARY KEY REFERENCES files (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  claim TEXT NOT NULL,
  body TEXT NOT NULL,
  tags TEXT NOT NULL,
  entities TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE search USING fts5 (
  title, claim, body, tags, entities,
  content = 'documents', content_rowid = 'id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);

-- At most one space at a time.
CREATE TABLE space (
  name TEXT PRIMARY KEY,
  dimension INTEGER NOT NULL CHECK (dimension > 0),
  one INTEGER NOT NULL UNIQUE CHECK (one = 1)
) STRICT, WITHOUT ROWID;
-- Ids run from 1 without a gap, so that a vector's row in the matrix is its id less one, and a vector never changes.
-- `chain` is a digest over the space and all texts up to this one: it tells whether a matrix was made from these rows.
CREATE TABLE vectors (
  id INTEGER PRIMARY KEY,
  space TEXT NOT NULL REFERENCES space (name),
  text_hash TEXT NOT NULL,
  chain TEXT NOT NULL,
  UNIQUE (text_hash, space)
) STRICT;
-- float32, little end first. Apart from the rows above, which are looked up by the hundred in a search.
CREATE TABLE components (
  id INTEGER PRIMARY KEY REFERENCES vectors (id),
  vector BLOB NOT NULL
) STRICT;

-- How many chunks there are and how many of them have a vector, counted as they come and go, since every search asks.
-- Vectors are only ever taken out all together, and then `covered` is set to 0.
CREATE TABLE coverage (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  chunks INTEGER NOT NULL CHECK (chunks >= 0),
  covered INTEGER NOT NULL CHECK (covered BETWEEN 0 AND chunks)
) STRICT;
INSERT INTO coverage (one, chunks, covered) VALUES (1, 0, 0);
CREATE TRIGGER chunk_came AFTER INSERT ON chunks BEGIN
  UPDATE coverage SET
    chunks = chunks + 1,
    covered = covered + (SELECT count(*) FROM vectors JOIN space ON space.name = vectors.space
      WHERE vectors.text_hash = new.text_hash);
END;
CREATE TRIGGER chunk_went AFTER DELETE ON chunks BEGIN
  UPDATE coverage SET
    chunks = chunks - 1,
    covered = covered - (SELECT count(*) FROM vectors JOIN space ON space.name = vectors.space
      WHERE vectors.text_hash = old.text_hash);
END;
CREATE TRIGGER vector_came AFTER INSERT ON vectors BEGIN
  UPDATE coverage SET covered = covered + (SELECT count(*) FROM chunks WHERE chunks.text_hash = new.text_hash);
END;
