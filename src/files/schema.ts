// The tables of a thread's files; part of the thread's schema (`src/thread/rows/thread-table.ts` says what is declared).

import { table } from '../lib/tables.ts'

/** Bytes that messages show; those of files are copied with the files. */
const SHOWN = `SELECT id, key, bytes, NULL AS upload, 1 AS pinned, NULL AS loose_at, data FROM objects
   WHERE id IN (SELECT value FROM json_each((SELECT images FROM cut)))`

/**
 * As they are now, each with its bytes, so that one that changes meanwhile is whole. Of an upload that came with the cut message
 * the model has not heard, and what it knows of their contents it may know from what came later.
 */
const FILES_NOW = `SELECT path, object, sha256, files.bytes, type, origin,
     CASE WHEN told < (SELECT message FROM cut) THEN told ELSE 0 END AS told, NULL AS known, created_at, updated_at,
     id, key, objects.bytes, NULL AS upload, 0 AS pinned, NULL AS loose_at, data
   FROM files JOIN objects ON objects.id = files.object WHERE created_at <= (SELECT at FROM cut)`

/** Objects whose bytes may still be on their way into the store stay as rows until none can be. */
const ARRIVED = 'loose_at IS NULL OR key IS NULL'

export const FILES_TABLES = {
  // Bytes that a file, a message or an upload under way needs. An object never changes.
  objects: table({ key: 'id', fork: { select: SHOWN }, removed: { where: ARRIVED }, exported: true }, [
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
  ]),
  // A path of the tree, and the object that holds its bytes.
  files: table(
    { key: 'path', fork: { select: FILES_NOW, brings: 'objects' }, removed: true, exported: true },
    [
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
    ],
  ),
}
