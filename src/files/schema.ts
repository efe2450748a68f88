// The tables of a thread's files, a part of the thread's schema. `src/thread/rows/thread-table.ts` explains the
// declarations.

import { table } from '../lib/tables.ts'

/** Bytes that messages show. Those of files are copied with the files. */
const SHOWN = `SELECT id, key, bytes, NULL AS upload, 1 AS pinned, NULL AS loose_at, data FROM objects
   WHERE id IN (SELECT value FROM json_each((SELECT images FROM cut)))`

/**
 * The current files with their bytes, so that a file that changes meanwhile is copied whole. Uploads announced in the
 * cut message, or later, are not announced in the fork. The model's knowledge of contents is dropped, because it may
 * come from later messages.
 */
const FILES_NOW = `SELECT path, object, sha256, files.bytes, type, origin,
     CASE WHEN announced < (SELECT message FROM cut) THEN announced ELSE 0 END AS announced, NULL AS known, created_at, updated_at,
     id, key, objects.bytes, NULL AS upload, 0 AS pinned, NULL AS loose_at, data
   FROM files JOIN objects ON objects.id = files.object WHERE created_at <= (SELECT at FROM cut)`

/** Rows of objects whose upload may still be running stay until it must be over. */
const ARRIVED = 'loose_at IS NULL OR key IS NULL'

export const FILES_TABLES = {
  // Bytes that a file, a message or a running upload needs. An object never changes.
  objects: table({ key: 'id', fork: { select: SHOWN }, removed: { where: ARRIVED }, exported: true }, [
    'CREATE TABLE objects (',
    // never reused: a message refers to it forever, and a deleted object may still be streamed
    '  id INTEGER PRIMARY KEY AUTOINCREMENT,',
    // the R2 key; null: the bytes are in this row
    '  key TEXT,',
    '  bytes INTEGER NOT NULL,',
    // the R2 id of a multipart upload that may be unfinished; null if there is none
    '  upload TEXT,',
    // 1: a message shows it, so it is kept as long as the thread
    '  pinned INTEGER NOT NULL DEFAULT 0,',
    // since when no file needs it (epoch ms), to sweep it later; null: a file needs it
    '  loose_at INTEGER,',
    // last, because SQLite reads columns after a long value through it
    '  data BLOB',
    ');',
    // Queried at the end of each run; nearly always empty.
    'CREATE INDEX objects_loose ON objects (loose_at) WHERE loose_at IS NOT NULL;',
  ]),
  // A path in the tree, and the object with its bytes.
  files: table(
    { key: 'path', fork: { select: FILES_NOW, brings: 'objects' }, removed: true, exported: true },
    [
      'CREATE TABLE files (',
      // relative to /mnt/user-data
      '  path TEXT PRIMARY KEY,',
      '  object INTEGER NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, type TEXT NOT NULL,',
      // origin: 'upload' or 'tool'. announced: number of the message that announced an upload to the model; 0: not yet,
      // -1: not needed
      '  origin TEXT NOT NULL, announced INTEGER NOT NULL,',
      // SHA-256 of the content that the model last read or wrote
      '  known TEXT,',
      '  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL',
      ') WITHOUT ROWID;',
    ],
  ),
}
