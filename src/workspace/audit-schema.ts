// The tables of the audit. They are created with the first row (audit-log.ts), and delay no start of the Worker. The deletion of a
// thread or a user changes none of them: they say who did what, also to data that no longer exists.

import { table } from '../lib/tables.ts'
import type { WorkspaceTable } from './schema.ts'

export const AUDIT_TABLES: Readonly<Record<string, WorkspaceTable>> = {
  // Actions of admins and publishers, oldest first. at: epoch milliseconds; status: null until the action has ended; before,
  // after: JSON of the fields that changed; unannounced: 1 until the endpoints that subscribe have the event.
  audit: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE audit (',
    '  id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, request_id TEXT NOT NULL,',
    '  key TEXT NOT NULL, user TEXT, role TEXT NOT NULL, network TEXT NOT NULL,',
    '  action TEXT NOT NULL, target TEXT, status INTEGER, before TEXT, after TEXT, unannounced INTEGER NOT NULL',
    ');',
    'CREATE INDEX audit_at ON audit (at);',
    'CREATE INDEX audit_unannounced ON audit (id) WHERE unannounced = 1;',
    "CREATE INDEX audit_of_chats ON audit (id) WHERE role = 'chat';",
    // Not even a mistake in the code can change what was recorded.
    'CREATE TRIGGER audit_is_final BEFORE UPDATE ON audit',
    '  WHEN old.status IS NOT NULL AND (new.status IS NOT old.status OR new.before IS NOT old.before OR new.after IS NOT old.after)',
    '    OR (new.id, new.at, new.request_id, new.key, new.role, new.network, new.action)',
    '      <> (old.id, old.at, old.request_id, old.key, old.role, old.network, old.action)',
    '    OR new.user IS NOT old.user OR (old.target IS NOT NULL AND new.target IS NOT old.target)',
    "BEGIN SELECT RAISE(ABORT, 'what the audit has recorded cannot be changed'); END;",
  ]),
  // How often each network failed to sign in within a minute. minute: epoch milliseconds; key: the one that it tried last.
  failed_sign_ins: table({ threadColumn: null, backup: true }, [
    'CREATE TABLE failed_sign_ins (',
    '  minute INTEGER NOT NULL, network TEXT NOT NULL, key TEXT NOT NULL, count INTEGER NOT NULL,',
    '  PRIMARY KEY (minute, network)',
    ') WITHOUT ROWID;',
  ]),
}
