// The tables of a catalog, as numbered migrations that only add. Until the first release there is one.

const V1 = [
  // The live pointer of each custom skill; an unpublished skill has no row here.
  'CREATE TABLE skills (',
  '  name TEXT PRIMARY KEY, digest TEXT NOT NULL, enabled INTEGER NOT NULL, shareable INTEGER NOT NULL,',
  '  updated_at TEXT NOT NULL',
  ');',
  // Every version ever published; outlives the skill. entry: null once the version was purged.
  'CREATE TABLE versions (',
  '  seq INTEGER PRIMARY KEY AUTOINCREMENT,',
  '  name TEXT NOT NULL, digest TEXT NOT NULL, entry TEXT,',
  '  author TEXT NOT NULL, note TEXT, created_at TEXT NOT NULL, findings TEXT NOT NULL,',
  '  purged_at TEXT, purged_by TEXT, purge_note TEXT,',
  '  UNIQUE (name, digest)',
  ');',
  // Of public skills, what is set by hand; null, or no row: as the build says.
  'CREATE TABLE flags (name TEXT PRIMARY KEY, enabled INTEGER, shareable INTEGER);',
  // One version for each (build, overlay) that was met; the same one is given back after.
  'CREATE TABLE catalog_versions (',
  '  version INTEGER PRIMARY KEY AUTOINCREMENT,',
  '  build TEXT NOT NULL, overlay INTEGER NOT NULL, index_sha TEXT NOT NULL,',
  '  at TEXT NOT NULL, author TEXT NOT NULL, action TEXT NOT NULL, note TEXT,',
  '  UNIQUE (build, overlay)',
  ');',
  'CREATE INDEX catalog_versions_index ON catalog_versions (index_sha);',
  // Tools from settings: live pointers, every version ever put, and of tools of the build whether they are on.
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
  // kind: 'skill' or 'tool'; a skill and a tool may have one name. also: what one change did besides its action, as a JSON
  // list of actions.
  'CREATE TABLE history (',
  '  seq INTEGER PRIMARY KEY AUTOINCREMENT,',
  '  at TEXT NOT NULL, action TEXT NOT NULL, kind TEXT NOT NULL, name TEXT, author TEXT NOT NULL, note TEXT,',
  '  before_digest TEXT, after_digest TEXT, catalog_version INTEGER NOT NULL, also TEXT',
  ');',
  'CREATE INDEX history_name ON history (name, seq);',
  'CREATE INDEX history_version ON history (catalog_version, seq);',
  // How often skills or switches were changed: whoever computes a change compares it before and after.
  'CREATE TABLE overlay (k INTEGER PRIMARY KEY CHECK (k = 1), revision INTEGER NOT NULL);',
  'INSERT INTO overlay (k, revision) VALUES (1, 0);',
  // Bytes of this workspace in R2; those of kind 'body' and 'index' lie in KV, too. refs: how many versions, listed
  // archives and catalog versions refer to them; 0: they were only promised, at staged_at (epoch ms), and are swept when
  // nothing came of it. At once where staged_at is 0: a purge took their last reference.
  'CREATE TABLE blobs (',
  '  sha256 TEXT PRIMARY KEY, kind TEXT NOT NULL, refs INTEGER NOT NULL, staged_at INTEGER NOT NULL,',
  '  bytes INTEGER NOT NULL',
  ') WITHOUT ROWID;',
  // The sum of their bytes: counting them would read every row.
  'CREATE TABLE blobs_total (k INTEGER PRIMARY KEY CHECK (k = 1), bytes INTEGER NOT NULL);',
  'INSERT INTO blobs_total (k, bytes) VALUES (1, 0);',
  'CREATE INDEX blobs_staged ON blobs (staged_at) WHERE refs = 0;',
  // heat: log2 of the uses, each halved in every half-life since, plus the half-lives that have gone by since 1970. Time
  // alone changes no row, and never their order.
  'CREATE TABLE skill_use (name TEXT PRIMARY KEY, heat REAL NOT NULL) WITHOUT ROWID;',
  // The ranking as new threads get it; names: a JSON list, most used first. made_at: epoch ms.
  'CREATE TABLE use_ranking (',
  '  k INTEGER PRIMARY KEY CHECK (k = 1), made_at INTEGER NOT NULL, id TEXT NOT NULL, names TEXT NOT NULL',
  ');',
  // Which skills were counted today, and for whom: a hash of the owner and the day. All rows are of one day (days since
  // 1970), and seq numbers them from 1: it is how many there are.
  'CREATE TABLE skill_use_day (',
  '  seq INTEGER PRIMARY KEY, day INTEGER NOT NULL, who TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (who, name)',
  ');',
  // Versions that /.well-known/ listed since the skill was shared, with the sha-256 of the bytes that they are served as.
  // files: a JSON list of paths. Gone when the skill is no longer shared.
  'CREATE TABLE shared_versions (',
  '  name TEXT NOT NULL, category TEXT NOT NULL, digest TEXT NOT NULL, sha256 TEXT NOT NULL, files TEXT NOT NULL,',
  '  PRIMARY KEY (name, category, digest)',
  ') WITHOUT ROWID;',
].join('\n')

export const CATALOG_MIGRATIONS: readonly string[] = [V1]
