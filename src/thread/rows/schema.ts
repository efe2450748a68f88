// The tables of a thread, each with rules for its rows when the thread is forked, deleted or exported (see
// thread-table.ts), and the numbered migrations. Migrations only add, so that a Worker that was rolled back
// can read newer rows.
//
// Each index adds a paid write to every row, so there are few: the rows of a run are adjacent. No number needs AUTOINCREMENT,
// because rows are deleted only with the whole thread.
//
// Comments are outside of the SQL, because SQLite stores each table definition and parses it at each opening.

import { FILES_TABLES } from '../../files/schema.ts'
import { statements, table } from '../../lib/tables.ts'
import { ON_DEMAND_TABLES } from './on-demand-schema.ts'
import type { ThreadTable } from './thread-table.ts'

const BEFORE_CUT = '< (SELECT message FROM cut)'
const ASKS_BEFORE_CUT = `id IN (SELECT run_id FROM messages WHERE seq ${BEFORE_CUT} UNION SELECT id FROM messages WHERE seq ${BEFORE_CUT})`
const RUNS_BEFORE_CUT = `SELECT run_id FROM messages WHERE seq ${BEFORE_CUT}`

/** Copies only the links that calls returned, and plans, not their content. */
const CALLS_WITH_LINKS = `SELECT run_id, message, ord, name, call_key, effect, state, tries, started_at, finished_at, made,
   is_error, notes, NULL AS content FROM tool_calls WHERE message ${BEFORE_CUT} AND (instr(notes, '"links"') > 0 OR name = 'write_todos')`

const INHERITED_CATALOGS = `SELECT id, catalog_version, catalog_index FROM runs WHERE id IN (${RUNS_BEFORE_CUT})
   UNION ALL SELECT * FROM inherited WHERE id IN (${RUNS_BEFORE_CUT})`

/** Copies the windows up to that of the cut. The fork has none of the runs in which they began. */
const WINDOWS_AT_CUT = `SELECT number, begins, first, stripped_to, 0 AS run_ord, model, chosen_tools, catalog_version,
   catalog_index, tools_of, skills, least, summary, system, opening FROM windows WHERE begins <= (SELECT message FROM cut)`
const TOOLS_AT_CUT = 'window IN (SELECT tools_of FROM windows WHERE begins <= (SELECT message FROM cut))'

/** Copies all sources as if they had been known from the beginning. */
const SOURCES_FROM_START = 'SELECT source, 0 AS message FROM untrusted'

/** The tables of every thread. */
export const INITIAL_TABLES: Readonly<Record<string, ThreadTable>> = {
  thread: table({ key: 'k', fork: 'rewritten', removed: true, exported: true, backup: true }, [
    'CREATE TABLE thread (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1),',
    '  id TEXT NOT NULL, workspace TEXT NOT NULL, owner TEXT NOT NULL, user TEXT,',
    // the key or hook that created the thread
    '  made_by TEXT NOT NULL,',
    "  title TEXT NOT NULL DEFAULT '', titled INTEGER NOT NULL DEFAULT 0, metadata TEXT NOT NULL,",
    '  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,',
    '  model TEXT NOT NULL,',
    // what the first message allowed and selected, as JSON lists; null means all
    '  allow TEXT, chosen_tools TEXT,',
    '  catalog_version INTEGER NOT NULL,',
    // the catalog that the model knows
    '  seen_version INTEGER NOT NULL, seen_index TEXT NOT NULL,',
    // event numbers up to here may have been sent to a reader
    '  reserved_to INTEGER NOT NULL DEFAULT 0,',
    // tokens of the last request and its response, from which the next estimate starts
    '  context_tokens INTEGER NOT NULL DEFAULT 0,',
    // what the provider has cached of the prompt, and the plan, as JSON; null if there is none
    '  cached_prompt TEXT, todos TEXT,',
    '  usage TEXT NOT NULL,',
    // 0 if the newest state has not been reported to the workspace
    '  listed INTEGER NOT NULL DEFAULT 0,',
    // number of changes of the thread's approvals, and of those reported to the workspace; 0 if there never
    // was an approval
    '  approvals_change INTEGER NOT NULL DEFAULT 0, approvals_reported INTEGER NOT NULL DEFAULT 0,',
    // number of the last message whose text was reported to the workspace for search
    '  texts_reported INTEGER NOT NULL DEFAULT 0,',
    // bytes that the workspace granted for the thread's files, and the number of the last request for them
    '  room_kept INTEGER NOT NULL DEFAULT 0, room_stored INTEGER NOT NULL DEFAULT 0, room_change INTEGER NOT NULL DEFAULT 0,',
    // the thread from which this one descends by forks of one owner, or its own ID
    '  root TEXT NOT NULL,',
    // if this is a fork: the source thread, the message before which the fork was made, and the number of
    // messages before it
    '  fork_thread TEXT, fork_message TEXT, fork_messages INTEGER NOT NULL DEFAULT 0',
    ');',
  ]),
  // The windows (rows/windows.ts); requests contain the newest. Not in the row above, which every run writes, because
  // SQLite rewrites a row completely and a window is long.
  windows: table(
    { key: 'number', fork: { select: WINDOWS_AT_CUT }, removed: true, exported: false, backup: true },
    [
      'CREATE TABLE windows (',
      '  number INTEGER PRIMARY KEY,',
      // numbers of the first message that no earlier window has sent, and of the first that requests contain
      '  begins INTEGER NOT NULL, first INTEGER NOT NULL,',
      // messages up to this number are sent without what only their own model accepts
      '  stripped_to INTEGER NOT NULL,',
      // number of the run in which the window began; 0 for window 1 and in a fork
      '  run_ord INTEGER NOT NULL,',
      '  model TEXT NOT NULL, chosen_tools TEXT,',
      '  catalog_version INTEGER NOT NULL, catalog_index TEXT NOT NULL,',
      // the window that stores the tools
      '  tools_of INTEGER NOT NULL,',
      // skills in the opening, as a JSON list
      '  skills TEXT NOT NULL,',
      // 1 if the opening is as short as possible
      '  least INTEGER NOT NULL,',
      '  summary TEXT NOT NULL,',
      '  system TEXT NOT NULL, opening TEXT',
      ');',
    ],
  ),
  // The tools of windows, which are part of the frozen prefix and the only tools that may run.
  tools: table(
    { key: 'window, ord', fork: { where: TOOLS_AT_CUT }, removed: true, exported: false, backup: true },
    [
      'CREATE TABLE tools (',
      '  window INTEGER NOT NULL, ord INTEGER NOT NULL,',
      // spec: JSON, byte for byte as the model gets it; digest: of its canonical JSON
      '  name TEXT NOT NULL, spec TEXT NOT NULL,',
      '  source TEXT NOT NULL, effect TEXT NOT NULL, approval TEXT NOT NULL, digest TEXT NOT NULL,',
      '  PRIMARY KEY (window, ord)',
      ') WITHOUT ROWID;',
    ],
  ),
  runs: table({ key: 'ord', fork: 'none', removed: true, exported: true, backup: true }, [
    'CREATE TABLE runs (',
    '  ord INTEGER PRIMARY KEY,',
    '  id TEXT NOT NULL UNIQUE, request_id TEXT NOT NULL,',
    '  status TEXT NOT NULL, stop_reason TEXT, problem TEXT,',
    '  options TEXT NOT NULL,',
    '  build TEXT NOT NULL, catalog_version INTEGER NOT NULL, catalog_index TEXT NOT NULL, model TEXT NOT NULL,',
    // increased by each new execution, so that older executions can no longer write
    '  epoch INTEGER NOT NULL DEFAULT 0,',
    '  attempts INTEGER NOT NULL DEFAULT 0, resume_at INTEGER,',
    // total time waited for a person or another system, which counts towards no limit, and the start of the current
    // wait
    '  waited_ms INTEGER NOT NULL DEFAULT 0, waiting_since INTEGER,',
    // 1 if it starts before other queued runs; the run that a steered message became, which starts next
    '  jumps_queue INTEGER NOT NULL DEFAULT 0, next_run_id TEXT,',
    '  cancel TEXT, summing_up INTEGER NOT NULL DEFAULT 0, awaits_input INTEGER NOT NULL DEFAULT 0,',
    // how often the current text was continued, and 1 if the model was asked again: after an empty answer, for its plan
    '  continuations INTEGER NOT NULL DEFAULT 0, empty_noticed INTEGER NOT NULL DEFAULT 0, plan_reminded INTEGER NOT NULL DEFAULT 0,',
    '  steps INTEGER NOT NULL DEFAULT 0, model_calls INTEGER NOT NULL DEFAULT 0,',
    '  recoveries INTEGER NOT NULL DEFAULT 0,',
    // crashes while the run only waited for the model, which are not counted as recoveries
    '  interrupted_waits INTEGER NOT NULL DEFAULT 0,',
    '  tool_calls INTEGER NOT NULL DEFAULT 0,',
    '  used_tokens INTEGER NOT NULL DEFAULT 0, used_usd REAL NOT NULL DEFAULT 0,',
    // 1 if part of the usage is an upper bound, because the price of a call is unknown
    '  estimated INTEGER NOT NULL DEFAULT 0,',
    // reserved for the call in progress; counts in full until the call is settled
    '  open_tokens INTEGER NOT NULL DEFAULT 0, open_usd REAL NOT NULL DEFAULT 0,',
    // how many of these tokens are for the request, and how many of those are cached; what the API reported
    // about the request, as JSON
    '  open_input INTEGER NOT NULL DEFAULT 0, open_cached INTEGER NOT NULL DEFAULT 0, open_prompt TEXT,',
    // when the call was made, and when it was last known to be in progress
    '  open_since INTEGER NOT NULL DEFAULT 0, open_seen INTEGER NOT NULL DEFAULT 0,',
    // charged searches of the search engine, and searches in progress, whose price is reserved
    '  searches INTEGER NOT NULL DEFAULT 0, search_usd REAL NOT NULL DEFAULT 0,',
    '  open_searches INTEGER NOT NULL DEFAULT 0, open_search_usd REAL NOT NULL DEFAULT 0,',
    // 1 if the call got its response; written only for a run that crashed before
    '  answered INTEGER NOT NULL DEFAULT 0,',
    // what it may spend of the caps of its workspace, as JSON; null if none were in force when it began
    '  lease TEXT,',
    // the summary that is being written for a new window, as JSON; null if none is due
    '  compaction TEXT,',
    '  usage TEXT NOT NULL,',
    '  accepted_at INTEGER NOT NULL, started_at INTEGER, first_text_at INTEGER, ended_at INTEGER,',
    // the numbers of the run's first and last event
    '  first_seq INTEGER NOT NULL, last_seq INTEGER,',
    // 0 until the run's end was reported to the workspace; 2 if a rating is still to be reported, 1 otherwise
    '  recorded INTEGER NOT NULL DEFAULT 0,',
    // a person's rating, as JSON
    '  rating TEXT',
    ');',
    // Covers open runs, and ended runs that have not been reported completely.
    'CREATE INDEX runs_left ON runs (ord) WHERE recorded <> 1;',
  ]),
  // The request of a run, or of a message that steered one (then `id` is the message's). It is long and never changes,
  // so it is not in the row that each step writes. A fork copies it, so that addresses in it count as written by a
  // person in the fork, too.
  asks: table({ key: 'id', fork: { where: ASKS_BEFORE_CUT }, removed: true, exported: true, backup: true }, [
    'CREATE TABLE asks (id TEXT PRIMARY KEY, input TEXT NOT NULL) WITHOUT ROWID;',
  ]),
  messages: table(
    { key: 'seq', fork: { where: `seq ${BEFORE_CUT}` }, removed: true, exported: true, backup: true },
    [
      'CREATE TABLE messages (',
      '  seq INTEGER PRIMARY KEY,',
      '  id TEXT NOT NULL, run_id TEXT NOT NULL, role TEXT NOT NULL,',
      // content: what the model gets, verbatim; shown: what readers get if that differs
      '  content TEXT NOT NULL, shown TEXT,',
      // the model that wrote it, the step, and why the model stopped
      '  model TEXT, step INTEGER, model_stop TEXT,',
      // 1 if its tool calls are to be made; how long its thinking took
      '  calls INTEGER NOT NULL, thinking_ms INTEGER, created_at INTEGER NOT NULL,',
      // null, or what kind of message it is (rows/message-row.ts)
      '  kind TEXT',
      ');',
    ],
  ),
  // The remainder of content that is too long for one row.
  message_parts: table(
    {
      key: 'message, part',
      fork: { where: `message ${BEFORE_CUT}` },
      removed: true,
      exported: true,
      backup: true,
    },
    [
      'CREATE TABLE message_parts (',
      '  message INTEGER NOT NULL, part INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (message, part)',
      ') WITHOUT ROWID;',
    ],
  ),
  // Tool calls. A call without a row is an unfinished `read` call.
  tool_calls: table(
    {
      key: 'run_id, message, ord',
      fork: { select: CALLS_WITH_LINKS },
      removed: true,
      exported: true,
      backup: true,
    },
    [
      'CREATE TABLE tool_calls (',
      '  run_id TEXT NOT NULL,',
      // number of the message that requests the call, and the call's position in it
      '  message INTEGER NOT NULL, ord INTEGER NOT NULL,',
      '  name TEXT NOT NULL, call_key TEXT NOT NULL,',
      '  effect TEXT NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL,',
      '  started_at INTEGER, finished_at INTEGER,',
      // 1 if the call was passed to its tool, 0 if it was refused before
      '  made INTEGER NOT NULL DEFAULT 0,',
      // content: a JSON list with one item, which is a string or a list of blocks
      '  is_error INTEGER, notes TEXT, content TEXT,',
      '  PRIMARY KEY (run_id, message, ord)',
      ') WITHOUT ROWID;',
    ],
  ),
  // Loaded skills: which are active in a run, and whose instructions the model has.
  skill_loads: table(
    { key: 'ord', fork: { where: `message ${BEFORE_CUT}` }, removed: true, exported: true, backup: true },
    [
      'CREATE TABLE skill_loads (',
      '  ord INTEGER PRIMARY KEY,',
      // number of the message that loaded the skill: the user's for slash and request, the assistant's for a
      // tool call
      '  run_id TEXT NOT NULL, message INTEGER NOT NULL,',
      '  name TEXT NOT NULL, category TEXT NOT NULL, digest TEXT NOT NULL, via TEXT NOT NULL,',
      // 1 if this load added the skill's instructions to the transcript
      '  body INTEGER NOT NULL',
      ');',
    ],
  ),
  // Only in a fork: runs of its source whose messages were copied, with the catalog that the model knew then.
  inherited: table(
    { key: 'id', fork: { select: INHERITED_CATALOGS }, removed: true, exported: false, backup: true },
    [
      'CREATE TABLE inherited (',
      '  id TEXT PRIMARY KEY, catalog_version INTEGER NOT NULL, catalog_index TEXT NOT NULL',
      ') WITHOUT ROWID;',
    ],
  ),
  events: table({ key: 'seq', fork: 'none', removed: true, exported: false, backup: true }, [
    'CREATE TABLE events (',
    '  seq INTEGER PRIMARY KEY, from_seq INTEGER NOT NULL,',
    '  run_id TEXT NOT NULL, type TEXT NOT NULL, body TEXT NOT NULL, at INTEGER NOT NULL',
    ');',
  ]),
  // The mark of a deleted thread, written when the thread is deleted. The mark and the idempotency keys remain for a
  // day.
  deletion: table({ key: 'k', fork: 'none', removed: false, exported: false, backup: false }, [
    'CREATE TABLE deletion (',
    '  k INTEGER PRIMARY KEY CHECK (k = 1), id TEXT NOT NULL, workspace TEXT NOT NULL, at INTEGER NOT NULL,',
    // 1 if this is an unfinished fork, which was never reported to the workspace
    '  draft INTEGER NOT NULL',
    ');',
  ]),
  idempotency: table({ key: 'key', fork: 'none', removed: false, exported: false, backup: true }, [
    'CREATE TABLE idempotency (',
    '  key TEXT PRIMARY KEY, digest TEXT NOT NULL, run_id TEXT NOT NULL, at INTEGER NOT NULL',
    ') WITHOUT ROWID;',
  ]),
  ...FILES_TABLES,
  // The sources of the untrusted content that the model has, each with the first message that contains it or
  // whose calls returned it. Copied after the files: while these are copied, they may receive content that is
  // newer than the cut.
  untrusted: table(
    { key: 'source', fork: { select: SOURCES_FROM_START }, removed: true, exported: false, backup: true },
    ['CREATE TABLE untrusted (source TEXT PRIMARY KEY, message INTEGER NOT NULL) WITHOUT ROWID;'],
  ),
}

export const THREAD_TABLES: Readonly<Record<string, ThreadTable>> = { ...INITIAL_TABLES, ...ON_DEMAND_TABLES }

export const THREAD_MIGRATIONS: readonly string[] = [statements(INITIAL_TABLES)]
