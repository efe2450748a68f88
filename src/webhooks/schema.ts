// The tables of a hook, as numbered migrations that only add.

/** The table that starts runs (delivery-starts.ts). Schedules have it, too: each planned time is a delivery. */
export const DELIVERIES: readonly string[] = [
  'CREATE TABLE deliveries (',
  // the order of arrival
  '  ord INTEGER PRIMARY KEY AUTOINCREMENT,',
  // webhook_id: the sender's, if it sent one; of a schedule, what starts one run (schedules/rows.ts)
  '  webhook_id TEXT UNIQUE, delivery_id TEXT NOT NULL UNIQUE,',
  // digest: of the raw body; body: its content for the template, deleted once the run has started
  '  digest TEXT NOT NULL, body BLOB,',
  '  thread_id TEXT NOT NULL, run_id TEXT NOT NULL, build TEXT NOT NULL,',
  '  state TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next_try_at INTEGER NOT NULL,',
  '  received_at INTEGER NOT NULL, problem TEXT,',
  // 1 if endpoints outside must still be notified that it is dead
  '  unannounced INTEGER NOT NULL DEFAULT 0,',
  // number of authentic deliveries with this ID but a different body, and the time of the newest one
  '  mismatches INTEGER NOT NULL DEFAULT 0, mismatch_at INTEGER',
  ');',
  "CREATE INDEX deliveries_open ON deliveries (ord) WHERE state = 'recorded';",
  'CREATE INDEX deliveries_unannounced ON deliveries (next_try_at) WHERE unannounced = 1;',
  'CREATE INDEX deliveries_age ON deliveries (received_at);',
  'CREATE INDEX deliveries_digest ON deliveries (digest, received_at);',
]

const V1 = [
  'CREATE TABLE hook (',
  '  k INTEGER PRIMARY KEY CHECK (k = 1),',
  '  id TEXT NOT NULL, workspace TEXT NOT NULL,',
  // previous_secret: valid until previous_until (epoch milliseconds)
  '  secret TEXT NOT NULL, previous_secret TEXT, previous_until INTEGER,',
  // the other fields as JSON
  '  config TEXT NOT NULL,',
  // 1 if callers can no longer see the hook; its rows remain until each waiting delivery has its failed run
  '  removed INTEGER NOT NULL DEFAULT 0',
  ');',
  ...DELIVERIES,
].join('\n')

export const HOOK_MIGRATIONS: readonly string[] = [V1]
