// The tables of a catalog, each with the rule of a backup for its rows, and the numbered migrations, which only add. There is one
// until the first release.

import { statements, table, type SqlTables } from '../../lib/tables.ts'

export const CATALOG_TABLES: SqlTables = {
  // The live version of each custom skill. An unpublished skill has no row here.
  skills: table({ backup: true }, [
    'CREATE TABLE skills (',
    '  name TEXT PRIMARY KEY, digest TEXT NOT NULL, enabled INTEGER NOT NULL, shareable INTEGER NOT NULL,',
    '  updated_at TEXT NOT NULL',
    ');',
  ]),
  // Every version ever published, kept after the skill is unpublished. entry is null once the version has been purged.
  versions: table({ backup: true }, [
    'CREATE TABLE versions (',
    '  seq INTEGER PRIMARY KEY AUTOINCREMENT,',
    '  name TEXT NOT NULL, digest TEXT NOT NULL, entry TEXT,',
    '  author TEXT NOT NULL, note TEXT, created_at TEXT NOT NULL, findings TEXT NOT NULL,',
    '  purged_at TEXT, purged_by TEXT, purge_note TEXT,',
    '  UNIQUE (name, digest)',
    ');',
  ]),
  // Flags that a workspace set on built-in skills. Without a row, or where a flag is null, the build decides.
  flags: table({ backup: true }, [
    'CREATE TABLE flags (name TEXT PRIMARY KEY, enabled INTEGER, shareable INTEGER);',
  ]),
  // One catalog version for each pair of build and overlay that was ever live.
  catalog_versions: table({ backup: true }, [
    'CREATE TABLE catalog_versions (',
    '  version INTEGER PRIMARY KEY AUTOINCREMENT,',
    '  build TEXT NOT NULL, overlay INTEGER NOT NULL, index_sha TEXT NOT NULL,',
    '  at TEXT NOT NULL, author TEXT NOT NULL, action TEXT NOT NULL, note TEXT,',
    '  UNIQUE (build, overlay)',
    ');',
    'CREATE INDEX catalog_versions_index ON catalog_versions (index_sha);',
  ]),
  // HTTP tools and MCP servers: the live versions, every version ever stored, and whether each tool of the build is
  // switched on.
  tools: table({ backup: true }, [
    'CREATE TABLE tools (',
    '  name TEXT PRIMARY KEY, digest TEXT NOT NULL, enabled INTEGER NOT NULL, updated_at TEXT NOT NULL',
    ');',
  ]),
  tool_versions: table({ backup: true }, [
    'CREATE TABLE tool_versions (',
    '  seq INTEGER PRIMARY KEY AUTOINCREMENT,',
    '  name TEXT NOT NULL, digest TEXT NOT NULL, definition TEXT NOT NULL,',
    '  author TEXT NOT NULL, note TEXT, created_at TEXT NOT NULL,',
    '  UNIQUE (name, digest)',
    ');',
  ]),
  tool_switches: table({ backup: true }, [
    'CREATE TABLE tool_switches (name TEXT PRIMARY KEY, enabled INTEGER NOT NULL);',
  ]),
  // What an admin approved of an MCP server of the workspace or of the build (source): a row for each tool, because all
  // of them do not fit into one. Part 0 is the rest, with an empty list.
  tool_approvals: table({ backup: true }, [
    'CREATE TABLE tool_approvals (',
    '  source TEXT NOT NULL, name TEXT NOT NULL, part INTEGER NOT NULL, json TEXT NOT NULL,',
    '  PRIMARY KEY (source, name, part)',
    ') WITHOUT ROWID;',
  ]),
  // kind is 'skill' or 'tool', because a skill and a tool may have the same name. also is a JSON list of the actions
  // that a change took in addition to `action`.
  history: table({ backup: true }, [
    'CREATE TABLE history (',
    '  seq INTEGER PRIMARY KEY AUTOINCREMENT,',
    '  at TEXT NOT NULL, action TEXT NOT NULL, kind TEXT NOT NULL, name TEXT, author TEXT NOT NULL, note TEXT,',
    '  before_digest TEXT, after_digest TEXT, catalog_version INTEGER NOT NULL, also TEXT',
    ');',
    'CREATE INDEX history_name ON history (name, seq);',
    'CREATE INDEX history_version ON history (catalog_version, seq);',
  ]),
  // The number of changes so far. A change compares it before planning and before writing.
  overlay: table({ backup: true }, [
    'CREATE TABLE overlay (k INTEGER PRIMARY KEY CHECK (k = 1), revision INTEGER NOT NULL);',
    'INSERT INTO overlay (k, revision) VALUES (1, 0);',
  ]),
  // Bytes of this workspace in R2; blobs of kind 'body' and 'index' are also in KV. refs is the number of versions,
  // listed archives and catalog versions that refer to a blob. A blob with refs = 0 is only staged and is swept a day
  // after staged_at (epoch ms). After a purge removed its last reference, staged_at is 0: it is swept immediately.
  blobs: table({ backup: true }, [
    'CREATE TABLE blobs (',
    '  sha256 TEXT PRIMARY KEY, kind TEXT NOT NULL, refs INTEGER NOT NULL, staged_at INTEGER NOT NULL,',
    '  bytes INTEGER NOT NULL',
    ') WITHOUT ROWID;',
  ]),
  // The total of blobs.bytes, stored because adding them up would read every row.
  blobs_total: table({ backup: true }, [
    'CREATE TABLE blobs_total (k INTEGER PRIMARY KEY CHECK (k = 1), bytes INTEGER NOT NULL);',
    'INSERT INTO blobs_total (k, bytes) VALUES (1, 0);',
    'CREATE INDEX blobs_staged ON blobs (staged_at) WHERE refs = 0;',
  ]),
  // heat is log2 of the uses, each halved for every half-life since, plus the number of half-lives since 1970. This way
  // neither the rows nor their order change as time passes.
  skill_use: table({ backup: true }, [
    'CREATE TABLE skill_use (name TEXT PRIMARY KEY, heat REAL NOT NULL) WITHOUT ROWID;',
  ]),
  // The ranking for new threads. names is a JSON list, most used first; made_at is in epoch ms.
  use_ranking: table({ backup: true }, [
    'CREATE TABLE use_ranking (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1), made_at INTEGER NOT NULL, id TEXT NOT NULL, names TEXT NOT NULL',
    ');',
  ]),
  // Which skills were counted today, and for whom: `who` is a hash of the owner and the day. All rows have the same day
  // (days since 1970). seq starts at 1, so the highest seq is the number of rows.
  skill_use_day: table({ backup: true }, [
    'CREATE TABLE skill_use_day (',
    '  seq INTEGER PRIMARY KEY, day INTEGER NOT NULL, who TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (who, name)',
    ');',
  ]),
  // Versions listed under /.well-known/ since the skill was shared, with the SHA-256 of the bytes served. files is a
  // JSON list of paths. Rows are deleted when the skill is no longer shared.
  shared_versions: table({ backup: true }, [
    'CREATE TABLE shared_versions (',
    '  name TEXT NOT NULL, category TEXT NOT NULL, digest TEXT NOT NULL, sha256 TEXT NOT NULL, files TEXT NOT NULL,',
    '  PRIMARY KEY (name, category, digest)',
    ') WITHOUT ROWID;',
  ]),
}

export const CATALOG_MIGRATIONS: readonly string[] = [statements(CATALOG_TABLES)]
