// The operations that Python's module _sqlite3 requests from SQLite, by name. Each reads its arguments and writes one
// answer.

import type { MarshalValue, MarshalWriter } from './marshal.ts'
import { giveValue, writeValue } from './values.ts'
import { number, stringAt, withStrings } from './arguments.ts'
import { marshalItems } from './answers.ts'
import type { SqliteOperations, SqliteSession } from './session.ts'
import { REGISTRATIONS } from './registrations.ts'

const [ROW, TRANSIENT_BYTES] = [100, 1_048_576]
/** Settings that other builds do not have: two for quoted words, and the number of digits of floats. */
const CONFIGURATION = [
  [1013, 1],
  [1014, 1],
  [1023, 15],
] as const
const DEFAULTS = 'PRAGMA page_size=4096; PRAGMA cache_size=-2000'

const statements = new WeakMap<SqliteSession, Map<number, number>>()
/** Returns the connection of each statement. */
function databases(session: SqliteSession): Map<number, number> {
  const known = statements.get(session) ?? new Map<number, number>()
  statements.set(session, known)
  return known
}

/**
 * Executes up to `max` steps. Writes whether the statement is done, the rows, whether a row has text that is not
 * UTF-8, and the connection's state.
 */
async function step(
  session: SqliteSession,
  statement: number,
  max: number,
  raw: boolean,
  into: MarshalWriter,
): Promise<void> {
  const { machine } = session
  const database = databases(session).get(statement) ?? 0
  session.activeDatabase = database
  into.tuple(8)
  const rows = into.list()
  let count = 0
  let odd = false
  let done = false
  while (count < max && into.length < TRANSIENT_BYTES) {
    const code = await machine.call('sqlite3_step', statement)
    if (code !== ROW) {
      session.check(code, database)
      done = true
      break
    }
    const columns = machine.callNow('sqlite3_data_count', statement)
    into.tuple(columns)
    for (let column = 0; column < columns; column += 1)
      if (writeValue(machine, { prefix: 'sqlite3_column', args: [statement, column] }, into, raw)) odd = true
    count += 1
  }
  rows.close(count)
  if (done) machine.callNow('sqlite3_reset', statement)
  into.value(done)
  into.value(odd)
  writeState(session, database, into)
}

function writeState({ machine }: SqliteSession, database: number, into: MarshalWriter): void {
  into.int(machine.callLong('sqlite3_changes64', database))
  into.int(machine.callLong('sqlite3_total_changes64', database))
  into.int(machine.callLong('sqlite3_last_insert_rowid', database))
  into.value(machine.callNow('sqlite3_get_autocommit', database))
  into.none()
}

/** Binds all parameters of a statement that is not running. Python resets statements when it stops using them. */
function bind(session: SqliteSession, statement: number, values: readonly MarshalValue[]): void {
  const { machine } = session
  const database = databases(session).get(statement) ?? 0
  machine.callNow('sqlite3_clear_bindings', statement)
  for (const [index, value] of values.entries())
    session.check(giveValue(machine, 'sqlite3_bind', [statement, index + 1], value), database)
}

export const OPERATIONS: SqliteOperations = {
  async open(session, [path, flags, vfs], into) {
    const { machine } = session
    const pointer = machine.allocate(new Uint8Array(4))
    const code = await withStrings(session, [path, vfs ?? 'unix'], (name, system) =>
      machine.call('sqlite3_open_v2', name, pointer, number(flags), system),
    )
    const database = machine.memory.u32(pointer)
    machine.free(pointer)
    if (code !== 0) {
      try {
        session.check(code, database)
      } finally {
        await machine.call('sqlite3_close_v2', database)
      }
    }
    machine.callNow('sqlite3_extended_result_codes', database, 1)
    for (const [setting, value] of CONFIGURATION)
      machine.callNow('sqlite3__wasm_db_config_ip', database, setting, value, 0)
    await withStrings(session, [DEFAULTS], (sql) => machine.call('sqlite3_exec', database, sql, 0, 0, 0))
    into.value(['ok', database])
  },
  async close(session, [database], into) {
    await session.machine.call('sqlite3_close_v2', number(database))
    into.value(['ok'])
  },
  /** Answers with the statement (0 if there is none), the rest of the SQL, its columns, types, parameters and kind. */
  async prepare(session, [database, sql], into) {
    const { machine } = session
    const db = number(database)
    const pointer = machine.allocate(new Uint8Array(8))
    session.activeDatabase = db
    try {
      await withStrings(session, [sql], async (at) => {
        const code = await machine.call('sqlite3_prepare_v2', db, at, -1, pointer, pointer + 4)
        session.check(code, db)
        const statement = machine.memory.u32(pointer)
        const rest = stringAt(session, machine.memory.u32(pointer + 4))
        if (statement !== 0) databases(session).set(statement, db)
        const each = (count: number, from: number, name: string): readonly MarshalValue[] =>
          Array.from({ length: count }, (_, index) =>
            stringAt(session, machine.callNow(name, statement, index + from)),
          )
        const columns = statement === 0 ? 0 : machine.callNow('sqlite3_column_count', statement)
        const parameters = statement === 0 ? 0 : machine.callNow('sqlite3_bind_parameter_count', statement)
        into.value([
          'ok',
          statement,
          rest,
          each(columns, 0, 'sqlite3_column_name'),
          each(columns, 0, 'sqlite3_column_decltype'),
          each(parameters, 1, 'sqlite3_bind_parameter_name'),
          statement !== 0 && machine.callNow('sqlite3_stmt_readonly', statement) !== 0,
        ])
      })
    } finally {
      machine.free(pointer)
    }
  },
  async run(session, [statement, values, max, raw], into) {
    bind(session, number(statement), marshalItems(values))
    await step(session, number(statement), number(max), raw === true, into)
  },
  async next(session, [statement, max, raw], into) {
    await step(session, number(statement), number(max), raw === true, into)
  },
  /**
   * Runs a statement with each row of parameters. Answers with the total number of changes, then the connection's
   * state.
   */
  async many(session, [statement, rows], into) {
    const { machine } = session
    const database = databases(session).get(number(statement)) ?? 0
    session.activeDatabase = database
    let changes = 0n
    for (const values of marshalItems(rows)) {
      bind(session, number(statement), marshalItems(values))
      let code = await machine.call('sqlite3_step', number(statement))
      while (code === ROW) code = await machine.call('sqlite3_step', number(statement))
      session.check(code, database)
      // The statement has ended, so nothing more is written.
      machine.callNow('sqlite3_reset', number(statement))
      changes += machine.callLong('sqlite3_changes64', database)
    }
    into.tuple(6)
    into.int(changes)
    writeState(session, database, into)
  },
  async reset(session, [statement], into) {
    await session.machine.call('sqlite3_reset', number(statement))
    into.value(['ok'])
  },
  async finalize(session, [statement], into) {
    databases(session).delete(number(statement))
    await session.machine.call('sqlite3_finalize', number(statement))
    into.value(['ok'])
  },
  state(session, [database], into) {
    into.tuple(5)
    writeState(session, number(database), into)
  },
  ...REGISTRATIONS,
}
