-- Where the transcripts of agents are and how far they were read: pointers and capped heads, all made from them.
CREATE TABLE transcripts (
  id INTEGER PRIMARY KEY,
  root TEXT NOT NULL,
  path TEXT NOT NULL,
  project TEXT NOT NULL,
  subagent INTEGER NOT NULL CHECK (subagent IN (0, 1)),
  -- The watermark. A file that is as it was is not opened; what stands before `position` is known by `seam`.
  size INTEGER NOT NULL CHECK (size >= 0),
  modified INTEGER NOT NULL,
  position INTEGER NOT NULL CHECK (position BETWEEN 0 AND size),
  seam BLOB NOT NULL,
  UNIQUE (root, path)
) STRICT;

-- What became of the lines.
CREATE TABLE fates (
  transcript INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  fate TEXT NOT NULL CHECK (fate IN ('user', 'assistant', 'system', 'attachment', 'agent-name', 'ai-title', 'pr-link',
    'skipped', 'unknown', 'unkeyed', 'shapeless', 'broken', 'overlong', 'blank')),
  lines INTEGER NOT NULL CHECK (lines > 0),
  PRIMARY KEY (transcript, fate)
) STRICT, WITHOUT ROWID;

-- What one transcript has of a session; a session may be in several, and a transcript may have several.
CREATE TABLE parts (
  transcript INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  session TEXT NOT NULL,
  records INTEGER NOT NULL CHECK (records >= 0),
  prompts INTEGER NOT NULL CHECK (prompts >= 0),
  started TEXT,
  ended TEXT,
  folder TEXT,
  branch TEXT,
  pull_request TEXT,
  PRIMARY KEY (transcript, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX parts_session ON parts (session);

-- Heads of prompts, and a title and an agent's name for each session of a transcript.
CREATE TABLE heads (
  id INTEGER PRIMARY KEY,
  transcript INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  session TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('prompt', 'title', 'agent')),
  position INTEGER NOT NULL CHECK (position >= 0),
  subagent INTEGER NOT NULL CHECK (subagent IN (0, 1)),
  prompt TEXT,
  at TEXT,
  head TEXT NOT NULL CHECK (length(head) <= 500),
  words TEXT NOT NULL
) STRICT;
CREATE INDEX heads_transcript ON heads (transcript);
CREATE INDEX heads_session ON heads (session, kind);
CREATE UNIQUE INDEX heads_single ON heads (transcript, session, kind) WHERE kind <> 'prompt';

CREATE VIRTUAL TABLE head_words USING fts5 (
  words,
  content = 'heads', content_rowid = 'id',
  tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER heads_in AFTER INSERT ON heads BEGIN
  INSERT INTO head_words (rowid, words) VALUES (new.id, new.words);
END;
CREATE TRIGGER heads_out AFTER DELETE ON heads BEGIN
  INSERT INTO head_words (head_words, rowid, words) VALUES ('delete', old.id, old.words);
END;
CREATE TRIGGER heads_anew AFTER UPDATE ON heads BEGIN
  INSERT INTO head_words (head_words, rowid, words) VALUES ('delete', old.id, old.words);
  INSERT INTO head_words (rowid, words) VALUES (new.id, new.words);
END;

-- Calls that have to do with memories, until their answer is read.
CREATE TABLE calls (
  transcript INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  call TEXT NOT NULL,
  tells INTEGER NOT NULL CHECK (tells IN (0, 1)),
  links TEXT NOT NULL CHECK (json_valid(links)),
  PRIMARY KEY (transcript, call)
) STRICT, WITHOUT ROWID;

-- What sessions did with memories, by what their transcripts show. Paths are as they were then.
CREATE TABLE memory_session_links (
  transcript INTEGER NOT NULL REFERENCES transcripts (id) ON DELETE CASCADE,
  session TEXT NOT NULL,
  rel TEXT NOT NULL CHECK (rel IN ('wrote', 'read', 'corrected', 'reinforced')),
  memory TEXT NOT NULL,
  times INTEGER NOT NULL CHECK (times > 0),
  first TEXT,
  last TEXT,
  PRIMARY KEY (transcript, session, rel, memory)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_session_links_memory ON memory_session_links (memory, session, rel);
CREATE INDEX memory_session_links_session ON memory_session_links (session, memory, rel);
