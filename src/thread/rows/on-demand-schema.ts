// The tables that few threads need (schema.ts). Each is created with its first row, because a new thread writes a row for
// each of its tables and indexes. A migration that changes one begins with the `CREATE TABLE IF NOT EXISTS` of
// its earlier columns.

import { table } from '../../lib/tables.ts'
import type { ThreadTable } from './thread-table.ts'

// `satisfies` keeps the names, so that only these tables can be created on demand.
export const ON_DEMAND_TABLES = {
  // Secrets that came with the run's request, encrypted; deleted when the run ends.
  run_secrets: table({ key: 'run_id, name', fork: 'none', removed: true, exported: false, backup: false }, [
    'CREATE TABLE run_secrets (run_id TEXT NOT NULL, name TEXT NOT NULL, sealed TEXT NOT NULL, PRIMARY KEY (run_id, name)) WITHOUT ROWID;',
  ]),
  // Messages that steer a run and have not joined it yet (rows/steered.ts), as JSON.
  steered: table({ key: 'ord', fork: 'none', removed: true, exported: true, backup: true }, [
    'CREATE TABLE steered (ord INTEGER PRIMARY KEY, run_id TEXT NOT NULL, message TEXT NOT NULL);',
  ]),
  // What the calls of a run wait for (rows/waits.ts). until, due_at: the latest end of the wait, and when the thread acts at the
  // latest; state: what the tool needs to ask its server, as JSON.
  waits: table({ key: 'run_id, message, ord', fork: 'none', removed: true, exported: false, backup: true }, [
    'CREATE TABLE waits (',
    '  run_id TEXT NOT NULL, message INTEGER NOT NULL, ord INTEGER NOT NULL,',
    '  tool_use_id TEXT NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL,',
    '  since INTEGER NOT NULL, until INTEGER, due_at INTEGER NOT NULL, state TEXT,',
    '  PRIMARY KEY (run_id, message, ord)',
    ') WITHOUT ROWID;',
  ]),
  // Requests for a person's approval, one for each time that a call needed one.
  approvals: table({ key: 'id', fork: 'none', removed: true, exported: true, backup: true }, [
    'CREATE TABLE approvals (',
    '  id INTEGER PRIMARY KEY,',
    // identifies the call, as in tool_calls
    '  run_id TEXT NOT NULL, message INTEGER NOT NULL, ord INTEGER NOT NULL,',
    '  tool_use_id TEXT NOT NULL, name TEXT NOT NULL,',
    // what the person is shown; input is null if it is too long for a list
    '  input TEXT, request TEXT, reason TEXT NOT NULL,',
    // JSON pointers of the fields that the rule allows to vary
    '  free TEXT NOT NULL,',
    // what is approved: a digest of the tool's definition, the SHA-256 of the request as it will be sent, and
    // a digest of both together with the call
    '  definition TEXT NOT NULL, preview TEXT NOT NULL, digest TEXT NOT NULL,',
    // if not null, the approval covers all links on this host
    '  host TEXT,',
    // 1 if only an admin may decide
    '  by_admin INTEGER NOT NULL,',
    '  requested_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,',
    // null as long as there is no decision
    '  decision TEXT, decided_by TEXT, decided_at INTEGER, note TEXT,',
    // Which later calls the approval covers: calls of this run or thread with the same SHA-256 of name,
    // definition and input (without the fields that the rule allows to vary), until untrusted content arrives from
    // another source. untrusted: the sources known at the decision, as a JSON list; null if it covers no
    // later call.
    '  remember TEXT, same TEXT NOT NULL, untrusted TEXT,',
    // ID of the remembered approval that covers this call
    '  covered_by INTEGER',
    ');',
  ]),
  // Forks of this thread that belong to the same owner.
  branches: table({ key: 'thread', fork: 'none', removed: true, exported: false, backup: true }, [
    'CREATE TABLE branches (',
    '  thread TEXT PRIMARY KEY, message TEXT NOT NULL, at INTEGER NOT NULL',
    ') WITHOUT ROWID;',
  ]),
  // Events for endpoints outside that their objects have not recorded yet. Either endpoint or url is null: a
  // callback's URL determines its endpoint, and an endpoint has a URL of its own.
  outbox: table({ key: 'ord', fork: 'none', removed: true, exported: false, backup: false }, [
    'CREATE TABLE outbox (',
    '  ord INTEGER PRIMARY KEY,',
    '  endpoint TEXT, url TEXT, id TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL',
    ');',
  ]),
  // Replies where the questions of runs came from. plan, start_values: JSON; start, state: ReplyState of the two calls;
  // unreported: 1 if the hook must still show the state.
  replies: table({ key: 'run_id', fork: 'none', removed: true, exported: true, backup: true }, [
    'CREATE TABLE replies (',
    '  run_id TEXT PRIMARY KEY, plan TEXT NOT NULL, start TEXT, start_values TEXT NOT NULL,',
    '  state TEXT NOT NULL, detail TEXT, at INTEGER NOT NULL, unreported INTEGER NOT NULL DEFAULT 0',
    ');',
    "CREATE INDEX replies_open ON replies (run_id) WHERE state IN ('waiting', 'sending');",
    'CREATE INDEX replies_unreported ON replies (run_id) WHERE unreported = 1;',
  ]),
  // The deferred tools whose definitions the model was shown (rows/revealed.ts). message: number of the message that requested
  // the search; the other columns are those of tools.
  revealed: table(
    {
      key: 'message, name',
      fork: { where: 'message < (SELECT message FROM cut)' },
      removed: true,
      exported: false,
      backup: true,
    },
    [
      'CREATE TABLE revealed (',
      '  message INTEGER NOT NULL, name TEXT NOT NULL, spec TEXT NOT NULL,',
      '  source TEXT NOT NULL, effect TEXT NOT NULL, approval TEXT NOT NULL, digest TEXT NOT NULL,',
      '  PRIMARY KEY (message, name)',
      ') WITHOUT ROWID;',
    ],
  ),
} satisfies Readonly<Record<string, ThreadTable>>
