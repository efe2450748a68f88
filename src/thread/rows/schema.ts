// The tables of a thread, each with what a fork, a deletion and an export do with its rows (`thread-table.ts`), and its numbered
// migrations. Migrations only add, so that a Worker rolled back reads newer rows.
//
// A row is paid for in each b-tree that it stands in, so there are few indexes: rows of a run stand side by side, and whoever
// looks for them knows where they begin. No number needs AUTOINCREMENT: rows go only when the whole thread does.
//
// Comments stay here: the text of a table lies in each database, and is read whenever one is opened.

import { FILES_TABLES } from '../../files/schema.ts'
import { statements, table } from '../../lib/tables.ts'
import type { ThreadTable } from './thread-table.ts'

const BEFORE = '< (SELECT message FROM cut)'
const RUNS_BEFORE = `SELECT run_id FROM messages WHERE seq ${BEFORE}`

/** Of calls only the links that their results brought. */
const CALLS_WITH_LINKS = `SELECT run_id, message, ord, name, call_key, effect, state, tries, started_at, finished_at, made,
   is_error, notes, NULL AS content FROM tool_calls WHERE message ${BEFORE} AND instr(notes, '"links"') > 0`

const CATALOGS = `SELECT id, catalog_version, catalog_index FROM runs WHERE id IN (${RUNS_BEFORE})
   UNION ALL SELECT * FROM inherited WHERE id = '' OR id IN (${RUNS_BEFORE})
   UNION ALL SELECT * FROM (SELECT '', catalog_version, catalog_index FROM runs
     WHERE catalog_index <> '' AND NOT EXISTS (SELECT 1 FROM inherited WHERE id = '') ORDER BY ord LIMIT 1)`

/** All of them, as if they had been there from the beginning. */
const SOURCES = 'SELECT source, 0 AS message FROM untrusted'

export const THREAD_TABLES: Readonly<Record<string, ThreadTable>> = {
  thread: table({ key: 'k', fork: 'anew', removed: true, exported: true }, [
    'CREATE TABLE thread (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1),',
    '  id TEXT NOT NULL, workspace TEXT NOT NULL, owner TEXT NOT NULL, user TEXT,',
    // the key or hook that made it
    '  made_by TEXT NOT NULL,',
    "  title TEXT NOT NULL DEFAULT '', titled INTEGER NOT NULL DEFAULT 0, metadata TEXT NOT NULL,",
    '  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,',
    '  model TEXT NOT NULL,',
    // what its first message allowed and chose, as JSON lists; null: all
    '  allow TEXT, chosen_tools TEXT,',
    '  catalog_version INTEGER NOT NULL,',
    // the catalog that the model knows
    '  seen_version INTEGER NOT NULL, seen_index TEXT NOT NULL,',
    // event numbers up to here may have been shown to a reader
    '  reserved_to INTEGER NOT NULL DEFAULT 0,',
    // tokens of the last request and its answer: what the next call starts from
    '  context_tokens INTEGER NOT NULL DEFAULT 0,',
    // what the provider remembers of the prompt, as JSON; null: nothing that is known
    '  cached_prompt TEXT,',
    '  usage TEXT NOT NULL,',
    // 0: the newest state is yet to be reported to the workspace
    '  listed INTEGER NOT NULL DEFAULT 0,',
    // changes of the requests for approval, and how many of them the workspace heard of; 0: there never was one
    '  approvals_change INTEGER NOT NULL DEFAULT 0, approvals_heard INTEGER NOT NULL DEFAULT 0,',
    // number of the last message whose text the workspace heard, for search
    '  texts_heard INTEGER NOT NULL DEFAULT 0,',
    // bytes that its files may take, as the workspace granted them, and the number of the last request for that
    '  room_kept INTEGER NOT NULL DEFAULT 0, room_stored INTEGER NOT NULL DEFAULT 0, room_change INTEGER NOT NULL DEFAULT 0,',
    // of a fork: the thread, and the message before which it begins
    '  fork_thread TEXT, fork_message TEXT',
    ');',
  ]),
  // The frozen prefix: the same bytes for the life of the thread. Apart from the row above, which every run writes:
  // SQLite writes a row anew as a whole, and this one is long.
  prefix: table({ key: 'k', fork: 'anew', removed: true, exported: false }, [
    'CREATE TABLE prefix (k INTEGER PRIMARY KEY CHECK (k = 1), system TEXT NOT NULL);',
  ]),
  // Of the prefix too, and all that may be run.
  tools: table({ key: 'ord', fork: 'anew', removed: true, exported: false }, [
    'CREATE TABLE tools (',
    '  ord INTEGER PRIMARY KEY,',
    // as JSON, byte for byte as the model is given it; digest: of its canonical JSON
    '  name TEXT NOT NULL, spec TEXT NOT NULL,',
    '  source TEXT NOT NULL, effect TEXT NOT NULL, approval TEXT NOT NULL, digest TEXT NOT NULL',
    ');',
  ]),
  runs: table({ key: 'ord', fork: 'none', removed: true, exported: true }, [
    'CREATE TABLE runs (',
    '  ord INTEGER PRIMARY KEY,',
    '  id TEXT NOT NULL UNIQUE, request_id TEXT NOT NULL,',
    '  status TEXT NOT NULL, stop_reason TEXT, problem TEXT,',
    '  options TEXT NOT NULL,',
    '  build TEXT NOT NULL, catalog_version INTEGER NOT NULL, catalog_index TEXT NOT NULL, model TEXT NOT NULL,',
    // fences the writes of an execution: those of an older epoch write nothing
    '  epoch INTEGER NOT NULL DEFAULT 0,',
    '  attempts INTEGER NOT NULL DEFAULT 0, resume_at INTEGER,',
    // for others, which counts towards no limit; since when it does now
    '  waited_ms INTEGER NOT NULL DEFAULT 0, waiting_since INTEGER,',
    '  cancel TEXT, summing_up INTEGER NOT NULL DEFAULT 0, asked INTEGER NOT NULL DEFAULT 0,',
    '  steps INTEGER NOT NULL DEFAULT 0, model_calls INTEGER NOT NULL DEFAULT 0,',
    '  recoveries INTEGER NOT NULL DEFAULT 0,',
    // deaths while it merely waited for the model: not charged as recoveries
    '  interrupted_waits INTEGER NOT NULL DEFAULT 0,',
    '  tool_calls INTEGER NOT NULL DEFAULT 0,',
    '  used_tokens INTEGER NOT NULL DEFAULT 0, used_usd REAL NOT NULL DEFAULT 0,',
    // 1: part of what was used is an upper bound, because nobody said what a call cost
    '  estimated INTEGER NOT NULL DEFAULT 0,',
    // reserved for the call that is going on; holds in full until it is settled
    '  open_tokens INTEGER NOT NULL DEFAULT 0, open_usd REAL NOT NULL DEFAULT 0,',
    // of these tokens, those of the request, and of those what is read from the cache; what the API reported of it, as JSON
    '  open_input INTEGER NOT NULL DEFAULT 0, open_cached INTEGER NOT NULL DEFAULT 0, open_prompt TEXT,',
    // when it was made, and when it was last known to go on
    '  open_since INTEGER NOT NULL DEFAULT 0, open_seen INTEGER NOT NULL DEFAULT 0,',
    // searches by the engine that were charged, and those under way, whose price is held back
    '  searches INTEGER NOT NULL DEFAULT 0, search_usd REAL NOT NULL DEFAULT 0,',
    '  open_searches INTEGER NOT NULL DEFAULT 0, open_search_usd REAL NOT NULL DEFAULT 0,',
    // 1: that call was answered; written only for a run that died before
    '  answered INTEGER NOT NULL DEFAULT 0,',
    '  usage TEXT NOT NULL,',
    '  accepted_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,',
    // its first event and its last one
    '  first_seq INTEGER NOT NULL, last_seq INTEGER,',
    // 1: its end was reported to the workspace
    '  recorded INTEGER NOT NULL DEFAULT 0,',
    // what a person thinks of it, as JSON
    '  rating TEXT',
    ');',
    // Those that are open, and those that ended and are still to be reported.
    'CREATE INDEX runs_left ON runs (ord) WHERE recorded = 0;',
  ]),
  // Secrets that the request of a run brought, encrypted; they go with its end.
  run_secrets: table({ key: 'run_id, name', fork: 'none', removed: true, exported: false }, [
    'CREATE TABLE run_secrets (run_id TEXT NOT NULL, name TEXT NOT NULL, sealed TEXT NOT NULL, PRIMARY KEY (run_id, name)) WITHOUT ROWID;',
  ]),
  // What a run was asked: long, and never changed, so not in the row that each step writes. What people wrote is copied, so that
  // addresses that they gave are given in the fork, too.
  asks: table({ key: 'id', fork: { where: `id IN (${RUNS_BEFORE})` }, removed: true, exported: true }, [
    'CREATE TABLE asks (id TEXT PRIMARY KEY, input TEXT NOT NULL) WITHOUT ROWID;',
  ]),
  messages: table({ key: 'seq', fork: { where: `seq ${BEFORE}` }, removed: true, exported: true }, [
    'CREATE TABLE messages (',
    '  seq INTEGER PRIMARY KEY,',
    '  id TEXT NOT NULL, run_id TEXT NOT NULL, role TEXT NOT NULL,',
    // what the model gets, verbatim; shown: what readers get where that differs
    '  content TEXT NOT NULL, shown TEXT,',
    // which model said it, at which step, and why it stopped
    '  model TEXT, step INTEGER, model_stop TEXT,',
    // 1: its tool calls are to be made
    '  calls INTEGER NOT NULL, created_at INTEGER NOT NULL',
    ');',
  ]),
  // the rest of a content longer than a row may be
  message_parts: table(
    { key: 'message, part', fork: { where: `message ${BEFORE}` }, removed: true, exported: true },
    [
      'CREATE TABLE message_parts (',
      '  message INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (message, part)',
      ') WITHOUT ROWID;',
    ],
  ),
  // A call without a row reads, and is not finished.
  tool_calls: table(
    { key: 'run_id, message, ord', fork: { select: CALLS_WITH_LINKS }, removed: true, exported: true },
    [
      'CREATE TABLE tool_calls (',
      '  run_id TEXT NOT NULL,',
      // number of the message that asked for it, and its place there
      '  message INTEGER NOT NULL, ord INTEGER NOT NULL,',
      '  name TEXT NOT NULL, call_key TEXT NOT NULL,',
      '  effect TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,',
      '  started_at INTEGER, finished_at INTEGER,',
      // 1: it was handed to its tool, 0: it was refused before
      '  made INTEGER NOT NULL DEFAULT 0,',
      // content: in a JSON list of one, being text or a list itself
      '  is_error INTEGER, notes TEXT, content TEXT,',
      '  PRIMARY KEY (run_id, message, ord)',
      ') WITHOUT ROWID;',
    ],
  ),
  // Requests for a person's approval, one for each time that it was asked for.
  approvals: table({ key: 'id', fork: 'none', removed: true, exported: true }, [
    'CREATE TABLE approvals (',
    '  id INTEGER PRIMARY KEY,',
    // the call, as in tool_calls
    '  run_id TEXT NOT NULL, message INTEGER NOT NULL, ord INTEGER NOT NULL,',
    '  tool_use_id TEXT NOT NULL, name TEXT NOT NULL,',
    // as it is shown; input null: it is too long for a list
    '  input TEXT, request TEXT, reason TEXT NOT NULL,',
    // JSON pointers of what the rule frees
    '  free TEXT NOT NULL,',
    // what is asked for: digest of the tool's definition, sha-256 of the request as it will be sent, and of both with the call
    '  definition TEXT NOT NULL, preview TEXT NOT NULL, digest TEXT NOT NULL,',
    // it is asked for all links of this host
    '  host TEXT,',
    // 1: only an admin may decide
    '  by_admin INTEGER NOT NULL,',
    '  requested_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,',
    // null: it is waited for
    '  decision TEXT, decided_by TEXT, decided_at INTEGER, note TEXT,',
    // which calls it covers from then on: of this run or thread, those with the same sha-256 of name, definition and input
    // (but for fields that the rule frees), as long as no untrusted content came from elsewhere. untrusted: the sources known then,
    // as a JSON list; null: it covers none
    '  remember TEXT, same TEXT NOT NULL, untrusted TEXT,',
    // id of the remembered yes that covered this call, of which nobody was asked
    '  covered_by INTEGER',
    ');',
  ]),
  // Skills as they were loaded, whoever asked for them: what is active in a run, and whose instructions the model has.
  skill_loads: table({ key: 'ord', fork: { where: `message ${BEFORE}` }, removed: true, exported: true }, [
    'CREATE TABLE skill_loads (',
    '  ord INTEGER PRIMARY KEY,',
    // number of the message that asked: the user's for slash and request, the assistant's for a tool call
    '  run_id TEXT NOT NULL, message INTEGER NOT NULL,',
    '  name TEXT NOT NULL, category TEXT NOT NULL, digest TEXT NOT NULL, via TEXT NOT NULL,',
    // 1: its instructions stand in the transcript because of this load
    '  body INTEGER NOT NULL',
    ');',
  ]),
  // Of a fork: runs of the thread that it came from, whose messages it has, with the catalog that the model knew then; of
  // the id '': the catalog of the prefix.
  inherited: table({ key: 'id', fork: { select: CATALOGS }, removed: true, exported: false }, [
    'CREATE TABLE inherited (',
    '  id TEXT PRIMARY KEY, catalog_version INTEGER NOT NULL, catalog_index TEXT NOT NULL',
    ') WITHOUT ROWID;',
  ]),
  // Forks of this thread that belong to its owner.
  branches: table({ key: 'thread', fork: 'none', removed: true, exported: false }, [
    'CREATE TABLE branches (',
    '  thread TEXT PRIMARY KEY, message TEXT NOT NULL, at INTEGER NOT NULL',
    ') WITHOUT ROWID;',
  ]),
  events: table({ key: 'seq', fork: 'none', removed: true, exported: false }, [
    'CREATE TABLE events (',
    '  seq INTEGER PRIMARY KEY, from_seq INTEGER NOT NULL,',
    '  run_id TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL',
    ');',
  ]),
  // There from the moment in which the thread is deleted; that row and the keys below are what stays for a day.
  deletion: table({ key: 'k', fork: 'none', removed: false, exported: false }, [
    'CREATE TABLE deletion (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1), id TEXT NOT NULL, workspace TEXT NOT NULL, at INTEGER NOT NULL,',
    // 1: a fork that is not there yet, of which the workspace never heard
    '  draft INTEGER NOT NULL',
    ');',
  ]),
  idempotency: table({ key: 'key', fork: 'none', removed: false, exported: false }, [
    'CREATE TABLE idempotency (',
    '  key TEXT PRIMARY KEY, digest TEXT NOT NULL, run_id TEXT NOT NULL, at INTEGER NOT NULL',
    ') WITHOUT ROWID;',
  ]),
  ...FILES_TABLES,
  // Where the untrusted content came from that the model has, and the first message with it, or whose calls brought it.
  // Behind the files, which may hold what came after the cut, even while they were copied.
  untrusted: table({ key: 'source', fork: { select: SOURCES }, removed: true, exported: false }, [
    'CREATE TABLE untrusted (source TEXT PRIMARY KEY, message INTEGER NOT NULL) WITHOUT ROWID;',
  ]),
}

export const THREAD_MIGRATIONS: readonly string[] = [statements(THREAD_TABLES)]
