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
}
