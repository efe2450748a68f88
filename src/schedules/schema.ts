// The tables of a schedule, as numbered migrations that only add.

import { DELIVERIES } from '../webhooks/schema.ts'

const V1 = [
  'CREATE TABLE schedule (',
  '  k INTEGER PRIMARY KEY CHECK (k = 1),',
  // config: what an admin decided, as JSON; thread_id: the one thread of all runs, if there is one
  '  config TEXT NOT NULL, thread_id TEXT,',
  // next_at: the first planned time that was not handled, in epoch milliseconds; null while paused, or if none is left
  '  paused INTEGER NOT NULL DEFAULT 0, next_at INTEGER,',
  // 1 if callers can no longer see the schedule; its rows remain until each waiting occurrence has its failed run
  '  removed INTEGER NOT NULL DEFAULT 0',
  ');',
  ...DELIVERIES,
].join('\n')

export const SCHEDULE_MIGRATIONS: readonly string[] = [V1]
