// The tables of a thread's files; part of the thread's schema.

export const FILES_SCHEMA = [
  // A path of the tree, and the object that holds its bytes.
  'CREATE TABLE files (',
  // relative to /mnt/user-data
  '  path TEXT PRIMARY KEY,',
  '  object INTEGER NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, type TEXT NOT NULL,',
  // who brought it: 'upload' or 'tool'; told: number of the message in which the model heard of an upload, 0: it has
  // not, -1: there is nothing to tell
  '  origin TEXT NOT NULL, told INTEGER NOT NULL,',
  // sha-256 of what the model last read or wrote here
  '  known TEXT,',
  '  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL',
  ') WITHOUT ROWID;',
  // Bytes that a file, a message or an upload under way needs. An object never changes.
  'CREATE TABLE objects (',
  // never given again: a message names it for ever, and somebody may still be reading one that is gone
  '  id INTEGER PRIMARY KEY AUTOINCREMENT,',
  // what R2 holds it under; null: the bytes are here
  '  key TEXT,',
  '  bytes INTEGER NOT NULL,',
  // R2's id of an upload in parts under the key, which may not come to its end; null: there is none
  '  upload TEXT,',
  // 1: a message shows it, so it stays as long as the thread
  '  pinned INTEGER NOT NULL DEFAULT 0,',
  // since when no file needs it (epoch ms): it goes a while after that; null: one does
  '  loose_at INTEGER,',
  // last: what lies behind a long value is read through it
  '  data BLOB',
  ');',
  // Asked at the end of each run; nearly always empty.
  'CREATE INDEX objects_loose ON objects (loose_at) WHERE loose_at IS NOT NULL;',
].join('\n')
