// Declares the tables of a thread's files, which are part of the thread's schema. `src/thread/rows/thread-table.ts` explains the
// declarations.

import { table } from '../lib/tables.ts'

/** Selects the objects that copied messages show. FILES_NOW selects those of files. */
const SHOWN_OBJECTS = `SELECT id, key, bytes, NULL AS upload, 1 AS pinned, NULL AS loose_at, data FROM objects
   WHERE id IN (SELECT value FROM json_each((SELECT images FROM cut)))`

/**
 * Selects the current files together with their bytes, so that a file that changes during the fork is copied consistently. Uploads
 * announced in the cut message or later count as not announced in the fork. The fork forgets which contents the
 * model knows, because the model may have learned them in later messages.
 */
const FILES_NOW = `SELECT path, object, sha256, files.bytes, type, origin,
     CASE WHEN announced < (SELECT message FROM cut) THEN announced ELSE 0 END AS announced, NULL AS known, created_at, updated_at,
     id, key, objects.bytes, NULL AS upload, 0 AS pinned, NULL AS loose_at, data
   FROM files JOIN objects ON objects.id = files.object WHERE created_at <= (SELECT at FROM cut)`

/** Selects rows that can be deleted with their thread. Rows of unfinished uploads remain until the upload must have ended. */
const WITHOUT_UPLOAD = 'loose_at IS NULL OR key IS NULL'

export const FILES_TABLES = {
  // The bytes that a file, a message or a running upload needs. The bytes of an object never change.
  objects: table(
    {
      key: 'id',
      fork: { select: SHOWN_OBJECTS },
      removed: { where: WITHOUT_UPLOAD },
      exported: true,
      backup: true,
    },
    [
      'CREATE TABLE objects (',
      // never reused: a message refers to it forever, and a deleted object may still be streamed
      '  id INTEGER PRIMARY KEY AUTOINCREMENT,',
      // the R2 key, or null if the bytes are in this row
      '  key TEXT,',
      '  bytes INTEGER NOT NULL,',
      // the R2 id of a multipart upload that may be unfinished; null if there is none
      '  upload TEXT,',
      // 1 if a message shows the object, which is then kept as long as the thread
      '  pinned INTEGER NOT NULL DEFAULT 0,',
      // the time since which no file has needed the object (epoch ms), for the sweep; null if a file needs it
      '  loose_at INTEGER,',
      // the last column, because SQLite reads through a long value to reach the columns after it
      '  data BLOB',
      ');',
      // Queried at the end of each run, and nearly always empty.
      'CREATE INDEX objects_loose ON objects (loose_at) WHERE loose_at IS NOT NULL;',
    ],
  ),
  // Each row is a path in the file tree, with the object that holds its bytes.
  files: table(
    {
      key: 'path',
      fork: { select: FILES_NOW, joinedTable: 'objects' },
      removed: true,
      exported: true,
      backup: true,
    },
    [
      'CREATE TABLE files (',
      // relative to /mnt/user-data
      '  path TEXT PRIMARY KEY,',
      '  object INTEGER NOT NULL, sha256 TEXT NOT NULL, bytes INTEGER NOT NULL, type TEXT NOT NULL,',
      // origin is 'upload' or 'tool'. announced is the number of the message that announced an upload to the model, 0 if none has
      // yet, or -1 if none needs to.
      '  origin TEXT NOT NULL, announced INTEGER NOT NULL,',
      // the SHA-256 of the content that the model last read or wrote
      '  known TEXT,',
      '  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL',
      ') WITHOUT ROWID;',
    ],
  ),
}
