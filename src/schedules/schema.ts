// The tables of a schedule, each with the rule of a backup for its rows, and the numbered migrations, which only add.

import { statements, table, type SqlTables } from '../lib/tables.ts'
import { DELIVERY_TABLES } from '../webhooks/schema.ts'

export const SCHEDULE_TABLES: SqlTables = {
  schedule: table({ backup: true }, [
    'CREATE TABLE schedule (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1),',
    // config: what an admin decided, as JSON; thread_id: the one thread of all runs, if there is one
    '  config TEXT NOT NULL, thread_id TEXT,',
    // next_at: the first planned time that was not handled, in epoch milliseconds; null while paused, or if none is left
    '  paused INTEGER NOT NULL DEFAULT 0, next_at INTEGER,',
    // 1 if callers can no longer see the schedule; its rows remain until each waiting occurrence has its failed run
    '  removed INTEGER NOT NULL DEFAULT 0',
    ');',
  ]),
  ...DELIVERY_TABLES,
}

export const SCHEDULE_MIGRATIONS: readonly string[] = [statements(SCHEDULE_TABLES)]
