// The tables of a workspace, each with a rule for which rows are removed when a thread is deleted, and the numbered
// migrations, which only add tables and columns. `audit-schema.ts` has the tables that are created when they are needed.

import { statements, table, type SqlTable } from '../lib/tables.ts'

interface TableRule {
  /**
   * The column with a thread's ID: rows with the ID of a deleted thread are removed. Null if rows belong to
   * no thread, or remain.
   */
  readonly threadColumn: string | null
}

export type WorkspaceTable = SqlTable<TableRule>

export const WORKSPACE_TABLES: Readonly<Record<string, WorkspaceTable>> = {
  keys: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE keys (',
    '  seq INTEGER PRIMARY KEY AUTOINCREMENT,',
    '  id TEXT NOT NULL UNIQUE, secret_hash TEXT NOT NULL, role TEXT NOT NULL, user TEXT, note TEXT,',
    // JSON of the tools and of the models that the key allows its runs, and of its caps; null means all, or the default
    '  tools TEXT, models TEXT, caps TEXT, max_budget TEXT,',
    // last_used_at: the hour; previous_hash: of the secret before the last rotation, which is valid until previous_until
    '  created_at TEXT NOT NULL, expires_at TEXT, last_used_at TEXT, rotated_at TEXT,',
    '  previous_hash TEXT, previous_until TEXT, revoked_at TEXT',
    ');',
    'CREATE INDEX keys_ended ON keys (coalesce(revoked_at, expires_at) DESC, seq DESC)',
    '  WHERE coalesce(revoked_at, expires_at) IS NOT NULL;',
  ]),
  // info: the thread's own report, as JSON. The other columns are for queries.
  threads: table({ threadColumn: 'id', backup: true }, [
    'CREATE TABLE threads (',
    '  id TEXT PRIMARY KEY, owner TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL,',
    // made_by: the key or hook that created the thread; text_bytes: bytes of its texts below, without the
    // title
    '  made_by TEXT NOT NULL, text_bytes INTEGER NOT NULL DEFAULT 0,',
    // the thread from which this one descends by forks, or its own ID
    '  root TEXT NOT NULL,',
    '  info TEXT NOT NULL',
    ');',
    'CREATE INDEX threads_newest ON threads (updated_at DESC, id DESC);',
    'CREATE INDEX threads_of_owner ON threads (owner, updated_at DESC, id DESC);',
    'CREATE INDEX threads_of_root ON threads (root, updated_at DESC, id DESC);',
    'CREATE INDEX threads_of_key ON threads (made_by, updated_at) WHERE text_bytes > 0;',
  ]),
  // The number of listed threads of each key, and the sum of their text_bytes.
  key_threads: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE key_threads (key TEXT PRIMARY KEY, threads INTEGER NOT NULL, text_bytes INTEGER NOT NULL) WITHOUT ROWID;',
    'CREATE TRIGGER threads_inserted AFTER INSERT ON threads BEGIN',
    '  INSERT INTO key_threads VALUES (new.made_by, 1, 0) ON CONFLICT (key) DO UPDATE SET threads = threads + 1;',
    'END;',
    'CREATE TRIGGER threads_deleted AFTER DELETE ON threads BEGIN',
    '  UPDATE key_threads SET threads = threads - 1, text_bytes = text_bytes - old.text_bytes WHERE key = old.made_by;',
    '  DELETE FROM key_threads WHERE key = old.made_by AND threads = 0;',
    'END;',
  ]),
  // The searchable texts of threads: titles (position 0), and the beginning of each message.
  texts: table({ threadColumn: 'thread', backup: true }, [
    'CREATE TABLE texts (',
    // in order of arrival
    '  id INTEGER PRIMARY KEY AUTOINCREMENT,',
    '  thread TEXT NOT NULL, position INTEGER NOT NULL, bytes INTEGER NOT NULL, text TEXT NOT NULL',
    ');',
    'CREATE UNIQUE INDEX texts_of ON texts (thread, position);',
  ]),
  // bytes: of all texts except titles, including overhead. gone: of the texts up to this ID, only titles
  // remain.
  text_total: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE text_total (k INTEGER PRIMARY KEY CHECK (k = 1), bytes INTEGER NOT NULL, gone INTEGER NOT NULL);',
    'INSERT INTO text_total VALUES (1, 0, 0);',
  ]),
  // The index terms of the texts, including the tag of each text's owner (see thread-search/terms.ts).
  // `search.ts` removes them with their texts.
  words: table({ threadColumn: null, backup: false }, [
    "CREATE VIRTUAL TABLE words USING fts5 (text, content='', contentless_delete=1, detail='none', tokenize='ascii');",
  ]),
  // Deleted threads, so that a late report does not list one of them again.
  forgotten: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE forgotten (id TEXT PRIMARY KEY, at TEXT NOT NULL);',
    'CREATE INDEX forgotten_at ON forgotten (at);',
  ]),
  // Runs that have ended, oldest first. Times are epoch milliseconds; amounts of money are micro-dollars. When their
  // thread is deleted, `forget` removes thread, user and skills; their amounts remain.
  run_rows: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE run_rows (',
    '  ended_at INTEGER NOT NULL, run TEXT NOT NULL, thread TEXT, key TEXT NOT NULL, user TEXT, model TEXT NOT NULL,',
    // JSON of pairs: name, digest
    '  skills TEXT NOT NULL,',
    '  status TEXT NOT NULL, stop_reason TEXT, accepted_at INTEGER NOT NULL, started_at INTEGER, first_text_at INTEGER,',
    '  waited_ms INTEGER NOT NULL, steps INTEGER NOT NULL, tool_calls INTEGER NOT NULL,',
    '  recoveries INTEGER NOT NULL, interrupted_waits INTEGER NOT NULL,',
    '  input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,',
    '  cache_creation_input_tokens INTEGER NOT NULL, cache_read_input_tokens INTEGER NOT NULL,',
    '  cost_micro INTEGER, charged_tokens INTEGER NOT NULL, charged_micro INTEGER NOT NULL, estimated INTEGER NOT NULL,',
    '  rating TEXT,',
    '  PRIMARY KEY (ended_at, run)',
    ') WITHOUT ROWID;',
    // shows which runs are recorded already
    'CREATE UNIQUE INDEX run_rows_of_run ON run_rows (run);',
  ]),
  // Sums over runs. dimension: all (then value is empty), key, user, model, skill or hook.
  usage_days: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE usage_days (',
    '  dimension TEXT NOT NULL, day TEXT NOT NULL, value TEXT NOT NULL,',
    '  runs INTEGER NOT NULL, failed INTEGER NOT NULL, cancelled INTEGER NOT NULL,',
    '  steps INTEGER NOT NULL, tool_calls INTEGER NOT NULL,',
    '  input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,',
    '  cache_creation_input_tokens INTEGER NOT NULL, cache_read_input_tokens INTEGER NOT NULL,',
    '  charged_tokens INTEGER NOT NULL, charged_micro INTEGER NOT NULL,',
    // null until the price of at least one run is known
    '  cost_micro INTEGER, estimated INTEGER NOT NULL,',
    '  PRIMARY KEY (dimension, day, value)',
    ') WITHOUT ROWID;',
  ]),
  // The counters of the metrics, since the workspace was created. series: a JSON list of the metric's name and its
  // labels. A deletion changes nothing, because no label names a thread or a user.
  metrics: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE metrics (series TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;',
  ]),
  // Runs that ended before summed_to are in the sums; kept: how many of them have a row.
  usage_state: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE usage_state (k INTEGER PRIMARY KEY CHECK (k = 1), summed_to INTEGER NOT NULL, kept INTEGER NOT NULL);',
    'INSERT INTO usage_state VALUES (1, 0, 0);',
  ]),
  // The workspace's name, which its object does not know when an alarm wakes it.
  background: table({ threadColumn: null, backup: false }, [
    'CREATE TABLE background (k INTEGER PRIMARY KEY CHECK (k = 1), workspace TEXT NOT NULL);',
  ]),
  // Deletions of all data of a user. digest: of the workspace and the user's name; user: null once everything is deleted. position:
  // the last thread that was handled in this round. removed: counts of what was deleted, as JSON.
  user_deletions: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE user_deletions (',
    '  id TEXT PRIMARY KEY, digest TEXT NOT NULL, user TEXT,',
    '  requested_at INTEGER NOT NULL, finished_at INTEGER, due_at INTEGER NOT NULL,',
    '  starters_done INTEGER NOT NULL DEFAULT 0, rounds INTEGER NOT NULL DEFAULT 0,',
    "  position TEXT NOT NULL DEFAULT '', removed TEXT NOT NULL",
    ');',
    'CREATE INDEX user_deletions_of ON user_deletions (digest, requested_at DESC);',
    'CREATE INDEX user_deletions_open ON user_deletions (due_at) WHERE finished_at IS NULL;',
  ]),
  // Runs that have not ended, written with a short delay. since: when it was first reported in this state; until: when the
  // row no longer counts (epoch milliseconds).
  open_runs: table({ threadColumn: 'thread', backup: false }, [
    'CREATE TABLE open_runs (',
    '  thread TEXT NOT NULL, run TEXT NOT NULL, key TEXT NOT NULL, queued INTEGER NOT NULL, until INTEGER NOT NULL,',
    '  since INTEGER NOT NULL,',
    '  PRIMARY KEY (thread, run)',
    ') WITHOUT ROWID;',
  ]),
  // What a run may spend on a UTC day, until it is recorded. number: of its last request; runs: 1 in the first lease of the run;
  // micro (micro-dollars), tokens: null if no cap limits them; until: when it expires (epoch milliseconds). A deleted user's
  // leases lose the user.
  leases: table({ threadColumn: 'thread', backup: false }, [
    'CREATE TABLE leases (',
    '  run TEXT NOT NULL, day TEXT NOT NULL, thread TEXT NOT NULL, key TEXT NOT NULL, user TEXT,',
    '  number INTEGER NOT NULL, runs INTEGER NOT NULL, micro INTEGER, tokens INTEGER, until INTEGER NOT NULL,',
    '  PRIMARY KEY (run, day)',
    ') WITHOUT ROWID;',
  ]),
  // What recorded runs spent, for each cap that was in use. window: a UTC day, or a month such as 2026-11; scope: see
  // cap-limits.ts; warning: the text of the warning that most of the cap is used. A deleted user's are deleted.
  cap_sums: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE cap_sums (',
    '  window TEXT NOT NULL, scope TEXT NOT NULL,',
    '  micro INTEGER NOT NULL, tokens INTEGER NOT NULL, runs INTEGER NOT NULL, warning TEXT,',
    '  PRIMARY KEY (window, scope)',
    ') WITHOUT ROWID;',
  ]),
  // The space granted for the files of each thread. kept: for its files; stored: including bytes in transit
  // or still to be deleted; made_at: when the thread was created (epoch milliseconds).
  file_room: table({ threadColumn: 'thread', backup: true }, [
    'CREATE TABLE file_room (',
    '  thread TEXT PRIMARY KEY, key TEXT NOT NULL, made_at INTEGER NOT NULL, change INTEGER NOT NULL,',
    '  kept INTEGER NOT NULL, stored INTEGER NOT NULL, at INTEGER NOT NULL',
    ') WITHOUT ROWID;',
    'CREATE INDEX file_room_empty ON file_room (at) WHERE stored = 0;',
  ]),
  // The sums of `kept` and `stored` of the table above for each key.
  key_files: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE key_files (key TEXT PRIMARY KEY, kept INTEGER NOT NULL, stored INTEGER NOT NULL) WITHOUT ROWID;',
  ]),
  // Calls that wait for an approval. info: the call as listed, as JSON.
  approvals: table({ threadColumn: 'thread', backup: true }, [
    'CREATE TABLE approvals (',
    '  thread TEXT NOT NULL, position INTEGER NOT NULL, owner TEXT NOT NULL, by_admin INTEGER NOT NULL,',
    '  requested_at TEXT NOT NULL, expires_at TEXT NOT NULL, info TEXT NOT NULL,',
    '  PRIMARY KEY (thread, position)',
    ') WITHOUT ROWID;',
    'CREATE INDEX approvals_of_owner ON approvals (owner);',
  ]),
  // The newest approval report of each thread that ever sent one, so that a late report changes nothing.
  approval_reports: table({ threadColumn: 'thread', backup: true }, [
    'CREATE TABLE approval_reports (thread TEXT PRIMARY KEY, created_at TEXT NOT NULL, change INTEGER NOT NULL) WITHOUT ROWID;',
  ]),
  hooks: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE hooks (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at TEXT NOT NULL);',
  ]),
  // Addresses that receive events. events: a JSON list; answer: 1 if the events contain the run's answer.
  endpoints: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE endpoints (',
    '  id TEXT PRIMARY KEY, url TEXT NOT NULL, events TEXT NOT NULL, answer INTEGER NOT NULL, created_at TEXT NOT NULL',
    ');',
  ]),
  schedules: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE schedules (id TEXT PRIMARY KEY, created_at TEXT NOT NULL);',
  ]),
  // The newest row applies; older ones are the history. value: all settings; change: what this version
  // changed.
  settings: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE settings (',
    '  version INTEGER PRIMARY KEY, at TEXT NOT NULL, author TEXT NOT NULL, change TEXT NOT NULL, value TEXT NOT NULL',
    ');',
  ]),
  // What admins limit (cap-api.ts), as versions like those of the settings.
  limits: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE limits (',
    '  version INTEGER PRIMARY KEY, at TEXT NOT NULL, author TEXT NOT NULL, change TEXT NOT NULL, value TEXT NOT NULL',
    ');',
  ]),
  // Secrets, encrypted for this workspace, name and host with a key that is not stored here.
  secrets: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE secrets (',
    '  name TEXT PRIMARY KEY, host TEXT NOT NULL, sealed TEXT NOT NULL,',
    '  created_at TEXT NOT NULL, updated_at TEXT NOT NULL, by TEXT NOT NULL',
    ') WITHOUT ROWID;',
  ]),
  // What was last seen of MCP servers. at: of the last observation; listing: how its tools differ from the approved
  // ones, as JSON.
  mcp_servers: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE mcp_servers (',
    '  name TEXT PRIMARY KEY, url TEXT NOT NULL, at TEXT NOT NULL,',
    '  seen_at TEXT, error_at TEXT, error TEXT, listing TEXT',
    ') WITHOUT ROWID;',
  ]),
  // Access tokens, encrypted for this workspace and key. key: a hash of the server's address and its client; secret: the
  // name of the secret with which the token was obtained.
  tokens: table({ threadColumn: null, backup: false }, [
    'CREATE TABLE tokens (',
    '  key TEXT PRIMARY KEY, secret TEXT NOT NULL, sealed TEXT NOT NULL, digest TEXT NOT NULL,',
    '  expires_at INTEGER NOT NULL',
    ') WITHOUT ROWID;',
  ]),
}

export const WORKSPACE_MIGRATIONS: readonly string[] = [statements(WORKSPACE_TABLES)]
