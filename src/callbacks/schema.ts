// The tables of an endpoint, each with the rule of a backup for its rows, and the numbered migrations, which only add.

import { statements, table, type SqlTables } from '../lib/tables.ts'

export const ENDPOINT_TABLES: SqlTables = {
  endpoint: table({ backup: true }, [
    'CREATE TABLE endpoint (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1),',
    // events: a JSON list; answer: 1 if events contain the run's answer
    '  id TEXT NOT NULL, workspace TEXT NOT NULL, url TEXT NOT NULL, events TEXT NOT NULL, answer INTEGER NOT NULL,',
    // previous_sealed: the replaced secret, which also signs until previous_until (epoch milliseconds)
    '  sealed TEXT NOT NULL, previous_sealed TEXT, previous_until INTEGER, created_at TEXT NOT NULL,',
    // epoch milliseconds of the first of the latest failures, and why nothing is sent; null if neither applies
    '  failing_since INTEGER, disabled TEXT',
    ');',
  ]),
  log: table({ backup: true }, [
    'CREATE TABLE log (',
    '  id INTEGER PRIMARY KEY AUTOINCREMENT,',
    '  event_id TEXT NOT NULL, type TEXT NOT NULL, url TEXT NOT NULL, body TEXT NOT NULL,',
    '  state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0, created_at INTEGER NOT NULL,',
    '  last_attempt_at INTEGER, next_attempt_at INTEGER, status INTEGER, problem TEXT,',
    '  UNIQUE (event_id, url)',
    ');',
    // for the deletion of a thread
    "CREATE INDEX log_thread ON log (body ->> '$.data.thread_id');",
    "CREATE INDEX log_waiting ON log (next_attempt_at) WHERE state = 'waiting';",
  ]),
}

export const ENDPOINT_MIGRATIONS: readonly string[] = [statements(ENDPOINT_TABLES)]
