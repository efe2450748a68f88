// The tables of a catalog, as numbered migrations that only add. Until the first release there is one.

const V1 = [
  // The live version of each custom skill. An unpublished skill has no row here.
  'CREATE TABLE skills (',
  '  name TEXT PRIMARY KEY, digest TEXT NOT NULL, enabled INTEGER NOT NULL, shareable INTEGER NOT NULL,',
  '  updated_at TEXT NOT NULL',
  ');',
  // Every version ever published, kept after the skill is unpublished. entry: null once the version was purged.
  'CREATE TABLE versions (',
  '  seq INTEGER PRIMARY KEY AUTOINCREMENT,',
  '  name TEXT NOT NULL, digest TEXT NOT NULL, entry TEXT,',
  '  author TEXT NOT NULL, note TEXT, created_at TEXT NOT NULL, findings TEXT NOT NULL,',
  '  purged_at TEXT, purged_by TEXT, purge_note TEXT,',
  '  UNIQUE (name, digest)',
  ');',
  // Flags that a workspace set on built-in skills; null, or no row: as in the build.
  'CREATE TABLE flags (name TEXT PRIMARY KEY, enabled INTEGER, shareable INTEGER);',
  // One catalog version for each (build, overlay) that was used.
  'CREATE TABLE catalog_versions (',
  '  version INTEGER PRIMARY KEY AUTOINCREMENT,',
  '  build TEXT NOT NULL, overlay INTEGER NOT NULL, index_sha TEXT NOT NULL,',
  '  at TEXT NOT NULL, author TEXT NOT NULL, action TEXT NOT NULL, note TEXT,',
  '  UNIQUE (build, overlay)',
  ');',
  'CREATE INDEX catalog_versions_index ON catalog_versions (index_sha);',
  // HTTP tools: live versions, every version ever stored, and the switches of the build's tools.
  'CREATE TABLE tools (',
  '  name TEXT PRIMARY KEY, digest TEXT NOT NULL, enabled INTEGER NOT NULL, updated_at TEXT NOT NULL',
  ');',
  'CREATE TABLE tool_versions (',
  '  seq INTEGER PRIMARY KEY AUTOINCREMENT,',
  '  name TEXT NOT NULL, digest TEXT NOT NULL, definition TEXT NOT NULL,',
  '  author TEXT NOT NULL, note TEXT, created_at TEXT NOT NULL,',
  '  UNIQUE (name, digest)',
  ');',
  'CREATE TABLE tool_switches (name TEXT PRIMARY KEY, enabled INTEGER NOT NULL);',
  // kind: 'skill' or 'tool', because both may have the same name. also: what a change did besides its action, as a JSON
  // list of actions.
  'CREATE TABLE history (',
  '  seq INTEGER PRIMARY KEY AUTOINCREMENT,',
  '  at TEXT NOT NULL, action TEXT NOT NULL, kind TEXT NOT NULL, name TEXT, author TEXT NOT NULL, note TEXT,',
  '  before_digest TEXT, after_digest TEXT, catalog_version INTEGER NOT NULL, also TEXT',
  ');',
  'CREATE INDEX history_name ON history (name, seq);',
  'CREATE INDEX history_version ON history (catalog_version, seq);',
  // Number of changes of skills and switches. A change compares it before and after planning.
  'CREATE TABLE overlay (k INTEGER PRIMARY KEY CHECK (k = 1), revision INTEGER NOT NULL);',
  'INSERT INTO overlay (k, revision) VALUES (1, 0);',
  // Bytes of this workspace in R2; those of kind 'body' and 'index' are in KV too. refs: how many versions, listed
  // archives and catalog versions refer to them. At 0 they are only staged, since staged_at (epoch ms), and are swept a
  // day later, or at once when staged_at is 0: a purge removed their last reference.
  'CREATE TABLE blobs (',
  '  sha256 TEXT PRIMARY KEY, kind TEXT NOT NULL, refs INTEGER NOT NULL, staged_at INTEGER NOT NULL,',
  '  bytes INTEGER NOT NULL',
  ') WITHOUT ROWID;',
  // The sum of their bytes, because adding them up would read every row.
  'CREATE TABLE blobs_total (k INTEGER PRIMARY KEY CHECK (k = 1), bytes INTEGER NOT NULL);',
  'INSERT INTO blobs_total (k, bytes) VALUES (1, 0);',
  'CREATE INDEX blobs_staged ON blobs (staged_at) WHERE refs = 0;',
  // heat: log2 of the uses, each halved in every half-life since, plus the number of half-lives since 1970. So rows and
  // their order do not change with time alone.
  'CREATE TABLE skill_use (name TEXT PRIMARY KEY, heat REAL NOT NULL) WITHOUT ROWID;',
  // The ranking for new threads. names: a JSON list, most used first. made_at: epoch ms.
  'CREATE TABLE use_ranking (',
  '  k INTEGER PRIMARY KEY CHECK (k = 1), made_at INTEGER NOT NULL, id TEXT NOT NULL, names TEXT NOT NULL',
  ');',
  // Which skills were counted today, and for whom: a hash of the owner and the day. All rows have the same day (days
  // since 1970). seq starts at 1, so the last one is their number.
  'CREATE TABLE skill_use_day (',
  '  seq INTEGER PRIMARY KEY, day INTEGER NOT NULL, who TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (who, name)',
  ');',
  // Versions that /.well-known/ listed since the skill was shared, with the SHA-256 of the bytes served. files: a JSON
  // list of paths. Deleted when the skill is no longer shared.
  'CREATE TABLE shared_versions (',
  '  name TEXT NOT NULL, category TEXT NOT NULL, digest TEXT NOT NULL, sha256 TEXT NOT NULL, files TEXT NOT NULL,',
  '  PRIMARY KEY (name, category, digest)',
  ') WITHOUT ROWID;',
].join('\n')

export const CATALOG_MIGRATIONS: readonly string[] = [V1]
