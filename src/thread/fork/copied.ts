// What of a thread's rows a fork gets, in the order in which they are read and written. The prefix and the thread's own row
// are made anew. Runs, events, approvals and who was asked for what stay where they are.

interface Copied {
  /** Of the rows before `cut`, which is a row itself: `message`, `at`, and `images` as a JSON list. */
  readonly select: string
  /** How many of the first columns name a row, and order them. */
  readonly keys: number
  /** The tables of a selected row's columns, in their order. */
  readonly into: readonly { readonly table: string; readonly columns: readonly string[] }[]
}

const MESSAGES = 'seq, id, run_id, role, content, shown, model, step, model_stop, calls, created_at'
const LOADS = 'ord, run_id, message, name, category, digest, via, body'
const CALLS =
  'run_id, message, ord, name, call_key, effect, state, tries, started_at, finished_at, is_error, notes'
const FILES = 'path, object, sha256, bytes, type, origin, told, created_at, updated_at'
const OBJECTS = 'id, key, bytes, pinned, data'

function list(columns: string): readonly string[] {
  return columns.split(', ')
}

const BEFORE = '< (SELECT message FROM cut)'
const RUNS_BEFORE = `SELECT run_id FROM messages WHERE seq ${BEFORE}`

export const COPIED: readonly Copied[] = [
  {
    select: `SELECT ${MESSAGES} FROM messages WHERE seq ${BEFORE}`,
    keys: 1,
    into: [{ table: 'messages', columns: list(MESSAGES) }],
  },
  {
    select: `SELECT message, part, text FROM message_parts WHERE message ${BEFORE}`,
    keys: 2,
    into: [{ table: 'message_parts', columns: ['message', 'part', 'text'] }],
  },
  {
    select: `SELECT ${LOADS} FROM skill_loads WHERE message ${BEFORE}`,
    keys: 1,
    into: [{ table: 'skill_loads', columns: list(LOADS) }],
  },
  // What people wrote: addresses that they gave are given here, too.
  {
    select: `SELECT id, input FROM asks WHERE id IN (${RUNS_BEFORE})`,
    keys: 1,
    into: [{ table: 'asks', columns: ['id', 'input'] }],
  },
  // Of calls only the links that their results brought.
  {
    select: `SELECT ${CALLS} FROM tool_calls WHERE message ${BEFORE} AND instr(notes, '"links"') > 0`,
    keys: 3,
    into: [{ table: 'tool_calls', columns: list(CALLS) }],
  },
  {
    select: `SELECT id, catalog_version, catalog_index FROM runs WHERE id IN (${RUNS_BEFORE})
       UNION ALL SELECT id, catalog_version, catalog_index FROM inherited WHERE id = '' OR id IN (${RUNS_BEFORE})
       UNION ALL SELECT * FROM (SELECT '', catalog_version, catalog_index FROM runs
         WHERE catalog_index <> '' AND NOT EXISTS (SELECT 1 FROM inherited WHERE id = '') ORDER BY ord LIMIT 1)`,
    keys: 1,
    into: [{ table: 'inherited', columns: ['id', 'catalog_version', 'catalog_index'] }],
  },
  {
    select: `SELECT id, key, bytes, 1 AS pinned, data FROM objects WHERE id IN (SELECT value FROM json_each((SELECT images FROM cut)))`,
    keys: 1,
    into: [{ table: 'objects', columns: list(OBJECTS) }],
  },
  // As they are now, each with its bytes, so that one that changes meanwhile is whole. Of an upload that came with the cut
  // message the model has not heard, and what it knows of their contents it may know from what came later.
  {
    select: `SELECT path, object, sha256, files.bytes, type, origin, CASE WHEN told ${BEFORE} THEN told ELSE 0 END AS told,
         created_at, updated_at, id, key, objects.bytes, 0 AS pinned, data
       FROM files JOIN objects ON objects.id = files.object WHERE created_at <= (SELECT at FROM cut)`,
    keys: 1,
    into: [
      { table: 'files', columns: list(FILES) },
      { table: 'objects', columns: list(OBJECTS) },
    ],
  },
  // All of them and last, as if they had been there from the beginning: files may hold what came after the cut, even while
  // they were copied.
  {
    select: 'SELECT source, 0 AS message FROM outside',
    keys: 1,
    into: [{ table: 'outside', columns: ['source', 'message'] }],
  },
]
