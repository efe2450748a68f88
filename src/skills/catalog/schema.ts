// The tables of a catalog, as numbered migrations that only add.

const V1 = `
-- The live pointer of each custom skill; a retired skill has no row here.
CREATE TABLE skills (
  name TEXT PRIMARY KEY, digest TEXT NOT NULL, enabled INTEGER NOT NULL, shareable INTEGER NOT NULL,
  updated_at TEXT NOT NULL
);
-- Every version ever published; outlives the skill.
CREATE TABLE versions (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL, digest TEXT NOT NULL, entry TEXT NOT NULL,
  author TEXT NOT NULL, note TEXT, created_at TEXT NOT NULL, findings TEXT NOT NULL,
  UNIQUE (name, digest)
);
-- On or off for public skills; no row: as the build says.
CREATE TABLE switches (name TEXT PRIMARY KEY, enabled INTEGER NOT NULL, updated_at TEXT NOT NULL);
-- One version for each (build, overlay) that was met; the same one is given back after.
CREATE TABLE catalog_versions (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  build TEXT NOT NULL, overlay INTEGER NOT NULL, index_sha TEXT NOT NULL,
  at TEXT NOT NULL, author TEXT NOT NULL, action TEXT NOT NULL,
  UNIQUE (build, overlay)
);
CREATE INDEX catalog_versions_index ON catalog_versions (index_sha);
CREATE TABLE history (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at TEXT NOT NULL, action TEXT NOT NULL, name TEXT, author TEXT NOT NULL, note TEXT,
  before_digest TEXT, after_digest TEXT, catalog_version INTEGER NOT NULL
);
CREATE INDEX history_name ON history (name, seq);
-- How often skills or switches were changed: whoever computes a change compares it before and after.
CREATE TABLE overlay (k INTEGER PRIMARY KEY CHECK (k = 1), revision INTEGER NOT NULL);
INSERT INTO overlay (k, revision) VALUES (1, 0);
`

export const CATALOG_MIGRATIONS: readonly string[] = [V1]
