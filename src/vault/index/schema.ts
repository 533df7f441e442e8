// The tables of an index of notes.

/** Raised with every change of the tables, of what is put into them, or of how notes are cut: such an index is built anew. */
export const indexFormat = 3;

export const tables = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    -- What the file system said of it when it was read.
    mark TEXT NOT NULL,
    -- Of its bytes.
    hash BLOB NOT NULL,
    -- Milliseconds since 1970.
    modified INTEGER NOT NULL,
    title TEXT NOT NULL,
    tags TEXT NOT NULL,
    -- Why it has no chunks, in words.
    problem TEXT
  ) STRICT;
  CREATE TABLE chunks (
    id INTEGER PRIMARY KEY,
    note INTEGER NOT NULL,
    line INTEGER NOT NULL,
    heading TEXT NOT NULL,
    text TEXT NOT NULL,
    hash BLOB NOT NULL,
    -- Of what a model is given of it.
    meaning BLOB NOT NULL
  ) STRICT;
  CREATE INDEX chunks_of_note ON chunks (note);
  CREATE INDEX chunks_of_meaning ON chunks (meaning);
  -- What was left out of chunks.
  CREATE TABLE secrets (note INTEGER NOT NULL, line INTEGER NOT NULL, kind TEXT NOT NULL) STRICT;
  CREATE INDEX secrets_of_note ON secrets (note);
  CREATE VIRTUAL TABLE words USING fts5 (
    names, heading, text,
    content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2'
  );
`;
