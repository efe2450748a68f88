// The tables of a thread, each with what a fork, a deletion and an export do with its rows (`thread-table.ts`), and its
// numbered migrations. Migrations only add, so that a Worker that was rolled back can read newer rows.
//
// Each index adds a paid write to a row, so there are few: a run's rows are stored side by side, and readers know where
// they begin. No number needs AUTOINCREMENT: rows are deleted only with the whole thread.
//
// Comments stay outside of the SQL: SQLite stores the text of each table and parses it whenever a database is opened.

import { FILES_TABLES } from '../../files/schema.ts'
import { statements, table } from '../../lib/tables.ts'
import type { ThreadTable } from './thread-table.ts'

const BEFORE = '< (SELECT message FROM cut)'
const RUNS_BEFORE = `SELECT run_id FROM messages WHERE seq ${BEFORE}`

/** Only the links that calls returned. */
const CALLS_WITH_LINKS = `SELECT run_id, message, ord, name, call_key, effect, state, tries, started_at, finished_at, made,
   is_error, notes, NULL AS content FROM tool_calls WHERE message ${BEFORE} AND instr(notes, '"links"') > 0`

const CATALOGS = `SELECT id, catalog_version, catalog_index FROM runs WHERE id IN (${RUNS_BEFORE})
   UNION ALL SELECT * FROM inherited WHERE id = '' OR id IN (${RUNS_BEFORE})
   UNION ALL SELECT * FROM (SELECT '', catalog_version, catalog_index FROM runs
     WHERE catalog_index <> '' AND NOT EXISTS (SELECT 1 FROM inherited WHERE id = '') ORDER BY ord LIMIT 1)`

/** All sources, as if they had been known from the beginning. */
const SOURCES = 'SELECT source, 0 AS message FROM untrusted'

export const THREAD_TABLES: Readonly<Record<string, ThreadTable>> = {
  thread: table({ key: 'k', fork: 'anew', removed: true, exported: true }, [
    'CREATE TABLE thread (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1),',
    '  id TEXT NOT NULL, workspace TEXT NOT NULL, owner TEXT NOT NULL, user TEXT,',
    // the key or hook that created it
    '  made_by TEXT NOT NULL,',
    "  title TEXT NOT NULL DEFAULT '', titled INTEGER NOT NULL DEFAULT 0, metadata TEXT NOT NULL,",
    '  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,',
    '  model TEXT NOT NULL,',
    // what its first message allowed and selected, as JSON lists; null: all
    '  allow TEXT, chosen_tools TEXT,',
    '  catalog_version INTEGER NOT NULL,',
    // the catalog that the model knows
    '  seen_version INTEGER NOT NULL, seen_index TEXT NOT NULL,',
    // event numbers up to here may have been sent to a reader
    '  reserved_to INTEGER NOT NULL DEFAULT 0,',
    // tokens of the last request and its answer: the start of the next estimate
    '  context_tokens INTEGER NOT NULL DEFAULT 0,',
    // what the provider has cached of the prompt, as JSON; null if nothing is known
    '  cached_prompt TEXT,',
    '  usage TEXT NOT NULL,',
    // 0: the newest state is not yet reported to the workspace
    '  listed INTEGER NOT NULL DEFAULT 0,',
    // number of changes of its approvals, and of those reported to the workspace; 0: it never had an approval
    '  approvals_change INTEGER NOT NULL DEFAULT 0, approvals_reported INTEGER NOT NULL DEFAULT 0,',
    // number of the last message whose text was reported to the workspace, for search
    '  texts_reported INTEGER NOT NULL DEFAULT 0,',
    // bytes that the workspace granted for its files, and the number of the last such request
    '  room_kept INTEGER NOT NULL DEFAULT 0, room_stored INTEGER NOT NULL DEFAULT 0, room_change INTEGER NOT NULL DEFAULT 0,',
    // of a fork: the thread, and the message before which it begins
    '  fork_thread TEXT, fork_message TEXT',
    ');',
  ]),
  // The frozen prefix: the same bytes as long as the thread exists. Not in the row above, which every run writes:
  // SQLite rewrites a row as a whole, and this one is long.
  prefix: table({ key: 'k', fork: 'anew', removed: true, exported: false }, [
    'CREATE TABLE prefix (k INTEGER PRIMARY KEY CHECK (k = 1), system TEXT NOT NULL);',
  ]),
  // Part of the frozen prefix, and the only tools that may run.
  tools: table({ key: 'ord', fork: 'anew', removed: true, exported: false }, [
    'CREATE TABLE tools (',
    '  ord INTEGER PRIMARY KEY,',
    // as JSON, byte for byte as the model gets it; digest: of its canonical JSON
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
    // time waited for others, which counts towards no limit; start of the current wait
    '  waited_ms INTEGER NOT NULL DEFAULT 0, waiting_since INTEGER,',
    '  cancel TEXT, summing_up INTEGER NOT NULL DEFAULT 0, awaits_input INTEGER NOT NULL DEFAULT 0,',
    '  steps INTEGER NOT NULL DEFAULT 0, model_calls INTEGER NOT NULL DEFAULT 0,',
    '  recoveries INTEGER NOT NULL DEFAULT 0,',
    // crashes while it only waited for the model: not counted as recoveries
    '  interrupted_waits INTEGER NOT NULL DEFAULT 0,',
    '  tool_calls INTEGER NOT NULL DEFAULT 0,',
    '  used_tokens INTEGER NOT NULL DEFAULT 0, used_usd REAL NOT NULL DEFAULT 0,',
    // 1: part of the usage is an upper bound, because the price of a call is unknown
    '  estimated INTEGER NOT NULL DEFAULT 0,',
    // reserved for the call in progress; counts in full until it is settled
    '  open_tokens INTEGER NOT NULL DEFAULT 0, open_usd REAL NOT NULL DEFAULT 0,',
    // of these tokens, those of the request, and of those the cached ones; what the API reported about the request, as
    // JSON
    '  open_input INTEGER NOT NULL DEFAULT 0, open_cached INTEGER NOT NULL DEFAULT 0, open_prompt TEXT,',
    // when it was made, and when it was last known to be in progress
    '  open_since INTEGER NOT NULL DEFAULT 0, open_seen INTEGER NOT NULL DEFAULT 0,',
    // charged searches of the search engine, and those in progress, whose price is reserved
    '  searches INTEGER NOT NULL DEFAULT 0, search_usd REAL NOT NULL DEFAULT 0,',
    '  open_searches INTEGER NOT NULL DEFAULT 0, open_search_usd REAL NOT NULL DEFAULT 0,',
    // 1: that call was answered; written only for a run that crashed before
    '  answered INTEGER NOT NULL DEFAULT 0,',
    '  usage TEXT NOT NULL,',
    '  accepted_at INTEGER NOT NULL, started_at INTEGER, ended_at INTEGER,',
    // its first and last event
    '  first_seq INTEGER NOT NULL, last_seq INTEGER,',
    // 1: its end was reported to the workspace
    '  recorded INTEGER NOT NULL DEFAULT 0,',
    // a person's rating, as JSON
    '  rating TEXT',
    ');',
    // Open runs, and ended ones that are not yet reported.
    'CREATE INDEX runs_left ON runs (ord) WHERE recorded = 0;',
  ]),
  // Secrets that the run's request brought, encrypted; deleted when the run ends.
  run_secrets: table({ key: 'run_id, name', fork: 'none', removed: true, exported: false }, [
    'CREATE TABLE run_secrets (run_id TEXT NOT NULL, name TEXT NOT NULL, sealed TEXT NOT NULL, PRIMARY KEY (run_id, name)) WITHOUT ROWID;',
  ]),
  // The request of a run: long and never changed, so not in the row that each step writes. A fork copies what people
  // wrote, so that addresses in it count as given by a person there, too.
  asks: table({ key: 'id', fork: { where: `id IN (${RUNS_BEFORE})` }, removed: true, exported: true }, [
    'CREATE TABLE asks (id TEXT PRIMARY KEY, input TEXT NOT NULL) WITHOUT ROWID;',
  ]),
  messages: table({ key: 'seq', fork: { where: `seq ${BEFORE}` }, removed: true, exported: true }, [
    'CREATE TABLE messages (',
    '  seq INTEGER PRIMARY KEY,',
    '  id TEXT NOT NULL, run_id TEXT NOT NULL, role TEXT NOT NULL,',
    // what the model gets, verbatim; shown: what readers get if that differs
    '  content TEXT NOT NULL, shown TEXT,',
    // which model wrote it, at which step, and why it stopped
    '  model TEXT, step INTEGER, model_stop TEXT,',
    // 1: its tool calls are to be made
    '  calls INTEGER NOT NULL, created_at INTEGER NOT NULL',
    ');',
  ]),
  // the remainder of content that is too long for one row
  message_parts: table(
    { key: 'message, part', fork: { where: `message ${BEFORE}` }, removed: true, exported: true },
    [
      'CREATE TABLE message_parts (',
      '  message INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (message, part)',
      ') WITHOUT ROWID;',
    ],
  ),
  // A call without a row is an unfinished `read` call.
  tool_calls: table(
    { key: 'run_id, message, ord', fork: { select: CALLS_WITH_LINKS }, removed: true, exported: true },
    [
      'CREATE TABLE tool_calls (',
      '  run_id TEXT NOT NULL,',
      // number of the message that requests it, and its position there
      '  message INTEGER NOT NULL, ord INTEGER NOT NULL,',
      '  name TEXT NOT NULL, call_key TEXT NOT NULL,',
      '  effect TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,',
      '  started_at INTEGER, finished_at INTEGER,',
      // 1: it was handed to its tool, 0: it was refused first
      '  made INTEGER NOT NULL DEFAULT 0,',
      // content: in a JSON list of one, because it is a text or a list itself
      '  is_error INTEGER, notes TEXT, content TEXT,',
      '  PRIMARY KEY (run_id, message, ord)',
      ') WITHOUT ROWID;',
    ],
  ),
  // Requests for a person's approval, one for each time that a call asked for it.
  approvals: table({ key: 'id', fork: 'none', removed: true, exported: true }, [
    'CREATE TABLE approvals (',
    '  id INTEGER PRIMARY KEY,',
    // the call, as in tool_calls
    '  run_id TEXT NOT NULL, message INTEGER NOT NULL, ord INTEGER NOT NULL,',
    '  tool_use_id TEXT NOT NULL, name TEXT NOT NULL,',
    // as shown; input null: too long for a list
    '  input TEXT, request TEXT, reason TEXT NOT NULL,',
    // JSON pointers of the fields that the rule frees
    '  free TEXT NOT NULL,',
    // what is approved: a digest of the tool's definition, the SHA-256 of the request as it will be sent, and a digest
    // of both together with the call
    '  definition TEXT NOT NULL, preview TEXT NOT NULL, digest TEXT NOT NULL,',
    // the approval is for all links of this host
    '  host TEXT,',
    // 1: only an admin may decide
    '  by_admin INTEGER NOT NULL,',
    '  requested_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,',
    // null: no decision yet
    '  decision TEXT, decided_by TEXT, decided_at INTEGER, note TEXT,',
    // The later calls that it covers: of this run or thread, with the same sha-256 of name, definition and input
    // (without the fields that the rule frees), while no untrusted content arrives from another source. untrusted: the
    // sources known at the decision, as a JSON list; null if it covers none.
    '  remember TEXT, same TEXT NOT NULL, untrusted TEXT,',
    // id of the remembered approval that covered this call
    '  covered_by INTEGER',
    ');',
  ]),
  // Loaded skills, whoever requested them: which are active in a run, and whose instructions the model has.
  skill_loads: table({ key: 'ord', fork: { where: `message ${BEFORE}` }, removed: true, exported: true }, [
    'CREATE TABLE skill_loads (',
    '  ord INTEGER PRIMARY KEY,',
    // number of the message that requested it: the user's for slash and request, the assistant's for a tool call
    '  run_id TEXT NOT NULL, message INTEGER NOT NULL,',
    '  name TEXT NOT NULL, category TEXT NOT NULL, digest TEXT NOT NULL, via TEXT NOT NULL,',
    // 1: this load put its instructions into the transcript
    '  body INTEGER NOT NULL',
    ');',
  ]),
  // Of a fork: runs of its source whose messages it has, with the catalog that the model knew then; the id '' has the
  // catalog of the prefix.
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
  // Written when the thread is deleted. This row and the keys below remain for a day.
  deletion: table({ key: 'k', fork: 'none', removed: false, exported: false }, [
    'CREATE TABLE deletion (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1), id TEXT NOT NULL, workspace TEXT NOT NULL, at INTEGER NOT NULL,',
    // 1: an unfinished fork, which was never reported to the workspace
    '  draft INTEGER NOT NULL',
    ');',
  ]),
  idempotency: table({ key: 'key', fork: 'none', removed: false, exported: false }, [
    'CREATE TABLE idempotency (',
    '  key TEXT PRIMARY KEY, digest TEXT NOT NULL, run_id TEXT NOT NULL, at INTEGER NOT NULL',
    ') WITHOUT ROWID;',
  ]),
  ...FILES_TABLES,
  // The sources of the untrusted content that the model has, each with the first message that contains it or whose
  // calls returned it. After the files, which may contain content from after the cut, even while they are copied.
  untrusted: table({ key: 'source', fork: { select: SOURCES }, removed: true, exported: false }, [
    'CREATE TABLE untrusted (source TEXT PRIMARY KEY, message INTEGER NOT NULL) WITHOUT ROWID;',
  ]),
}

export const THREAD_MIGRATIONS: readonly string[] = [statements(THREAD_TABLES)]
