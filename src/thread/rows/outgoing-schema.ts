// The tables of what a thread sends outside about its runs (schema.ts).

import { table } from '../../lib/tables.ts'
import type { ThreadTable } from './thread-table.ts'

export const OUTGOING_TABLES: Readonly<Record<string, ThreadTable>> = {
  // Events for endpoints outside that their objects have not recorded yet. Either endpoint or url is null: a
  // callback's URL determines its endpoint, and an endpoint has a URL of its own.
  outbox: table({ key: 'ord', fork: 'none', removed: true, exported: false }, [
    'CREATE TABLE outbox (',
    '  ord INTEGER PRIMARY KEY,',
    '  endpoint TEXT, url TEXT, id TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL',
    ');',
  ]),
  // Replies where the questions of runs came from. plan, start_values: JSON; start, state: ReplyState of the two calls;
  // unreported: 1 if the hook must still show the state.
  replies: table({ key: 'run_id', fork: 'none', removed: true, exported: true }, [
    'CREATE TABLE replies (',
    '  run_id TEXT PRIMARY KEY, plan TEXT NOT NULL, start TEXT, start_values TEXT NOT NULL,',
    '  state TEXT NOT NULL, detail TEXT, at INTEGER NOT NULL, unreported INTEGER NOT NULL DEFAULT 0',
    ');',
    "CREATE INDEX replies_open ON replies (run_id) WHERE state IN ('waiting', 'sending');",
    'CREATE INDEX replies_unreported ON replies (run_id) WHERE unreported = 1;',
  ]),
}
