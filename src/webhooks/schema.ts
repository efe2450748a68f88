// The tables of a hook, each with the rule of a backup for its rows, and the numbered migrations, which only add.

import { statements, table, type SqlTables } from '../lib/tables.ts'

/** The tables that start runs (delivery-starts.ts). Schedules have them, too: each planned time is a delivery. */
export const DELIVERY_TABLES: SqlTables = {
  deliveries: table({ backup: true }, [
    'CREATE TABLE deliveries (',
    // the order of arrival
    '  ord INTEGER PRIMARY KEY AUTOINCREMENT,',
    // webhook_id: the sender's, if it sent one; of a schedule, what starts one run (schedules/rows.ts); digest: of the raw body
    '  webhook_id TEXT, delivery_id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL,',
    // original_id: the delivery that this one replays, or whose ID it uses; null for most
    '  original_id TEXT,',
    // null if the delivery can have no run
    '  thread_id TEXT, run_id TEXT,',
    // 1 if the response contained run_id
    '  promised INTEGER NOT NULL DEFAULT 1,',
    '  build TEXT NOT NULL,',
    '  state TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, next_try_at INTEGER NOT NULL,',
    // problem: why it waits, or why it has no run
    '  received_at INTEGER NOT NULL, settled_at INTEGER, problem TEXT,',
    // 1 if endpoints outside must still be notified that it is dead
    '  unannounced INTEGER NOT NULL DEFAULT 0,',
    // number of authentic deliveries with this ID but a different body, and the time of the newest one
    '  mismatches INTEGER NOT NULL DEFAULT 0, mismatch_at INTEGER,',
    // what became of its run's reply; null before that, or without one
    '  reply TEXT, reply_detail TEXT, reply_at INTEGER',
    ');',
    'CREATE UNIQUE INDEX deliveries_sent ON deliveries (webhook_id) WHERE original_id IS NULL AND webhook_id IS NOT NULL;',
    'CREATE INDEX deliveries_of ON deliveries (original_id) WHERE original_id IS NOT NULL;',
    "CREATE INDEX deliveries_open ON deliveries (ord) WHERE state = 'recorded';",
    'CREATE INDEX deliveries_unannounced ON deliveries (next_try_at) WHERE unannounced = 1;',
    "CREATE INDEX deliveries_in_thread ON deliveries (thread_id, ord) WHERE state = 'recorded';",
    'CREATE INDEX deliveries_age ON deliveries (received_at);',
    'CREATE INDEX deliveries_digest ON deliveries (digest, received_at);',
  ]),
  // body: its content for the template; headers: as JSON, without secrets
  payloads: table({ backup: true }, [
    'CREATE TABLE payloads (',
    '  ord INTEGER PRIMARY KEY, received_at INTEGER NOT NULL,',
    '  headers TEXT NOT NULL, body BLOB NOT NULL, bytes INTEGER NOT NULL',
    ');',
  ]),
  payload_total: table({ backup: true }, [
    'CREATE TABLE payload_total (k INTEGER PRIMARY KEY CHECK (k = 1), bytes INTEGER NOT NULL);',
    'INSERT INTO payload_total VALUES (1, 0);',
    'CREATE TRIGGER payloads_inserted AFTER INSERT ON payloads BEGIN',
    '  UPDATE payload_total SET bytes = bytes + new.bytes;',
    'END;',
    'CREATE TRIGGER deliveries_deleted AFTER DELETE ON deliveries BEGIN',
    '  DELETE FROM payloads WHERE ord = old.ord;',
    'END;',
    'CREATE TRIGGER payloads_deleted AFTER DELETE ON payloads BEGIN',
    '  UPDATE payload_total SET bytes = bytes - old.bytes;',
    'END;',
  ]),
}

export const HOOK_TABLES: SqlTables = {
  hook: table({ backup: true }, [
    'CREATE TABLE hook (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1),',
    '  id TEXT NOT NULL, workspace TEXT NOT NULL,',
    // previous_sealed: the replaced secret, valid until previous_until (epoch milliseconds)
    '  sealed TEXT NOT NULL, previous_sealed TEXT, previous_until INTEGER,',
    // the other fields as JSON
    '  config TEXT NOT NULL,',
    // 1 if callers can no longer see the hook; its rows remain until each waiting delivery has its failed run
    '  removed INTEGER NOT NULL DEFAULT 0',
    ');',
  ]),
  ...DELIVERY_TABLES,
}

export const HOOK_MIGRATIONS: readonly string[] = [statements(HOOK_TABLES)]
