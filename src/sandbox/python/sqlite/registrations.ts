// Further operations for Python's module _sqlite3: functions, collations and hooks of a connection, copies, and
// settings.

import { number, withStrings } from './arguments.ts'
import type { SqliteRelay } from '../../sqlite/machine.ts'
import type { SqliteOperations, SqliteSession } from './session.ts'

const UTF8 = 1
const TRACE_STATEMENT = 1
/** SQLite takes ownership of the bytes of a deserialized database, and may grow them. */
const DESERIALIZE_FLAGS = 3

function pointer({ machine }: SqliteSession, relay: SqliteRelay, wanted: boolean): number {
  return wanted ? machine.pointer(relay) : 0
}

export const REGISTRATIONS: SqliteOperations = {
  /** `kind` is function, aggregate or window. A null ID removes the function. */
  async create(session, [database, name, count, flags, kind, id], into) {
    const db = number(database)
    const has = id !== null
    const kindName = String(kind)
    if (has) session.setKind(number(id), kindName === 'function' ? 'function' : 'aggregate')
    const aggregate = has && kindName !== 'function'
    const [scalar, final] = [pointer(session, 'scalar', true), pointer(session, 'final', aggregate)]
    const common = [number(count), UTF8 | number(flags), number(id)] as const
    const code = await withStrings(session, [name], (at) =>
      kindName === 'window'
        ? session.machine.call(
            'sqlite3_create_window_function',
            db,
            at,
            ...common,
            has ? scalar : 0,
            final,
            pointer(session, 'value', has),
            pointer(session, 'inverse', has),
            0,
          )
        : session.machine.call(
            'sqlite3_create_function_v2',
            db,
            at,
            ...common,
            has && !aggregate ? scalar : 0,
            aggregate ? scalar : 0,
            final,
            0,
          ),
    )
    session.check(code, db)
    into.value(['ok'])
  },
  async collation(session, [database, name, id], into) {
    const db = number(database)
    const compare = pointer(session, 'compare', id !== null)
    const code = await withStrings(session, [name], (at) =>
      session.machine.call('sqlite3_create_collation', db, at, UTF8, number(id), compare),
    )
    session.check(code, db)
    into.value(['ok'])
  },
  progress(session, [database, id, steps], into) {
    const poll = pointer(session, 'poll', id !== null)
    session.machine.callNow('sqlite3_progress_handler', number(database), number(steps), poll, number(id))
    into.value(['ok'])
  },
  authorizer(session, [database, id], into) {
    const authorize = pointer(session, 'authorize', id !== null)
    session.machine.callNow('sqlite3_set_authorizer', number(database), authorize, number(id))
    into.value(['ok'])
  },
  trace(session, [database, id], into) {
    const trace = pointer(session, 'trace', id !== null)
    const mask = id === null ? 0 : TRACE_STATEMENT
    session.machine.callNow('sqlite3_trace_v2', number(database), mask, trace, number(id))
    into.value(['ok'])
  },
  async backup_init(session, [target, targetName, source, sourceName], into) {
    const backup = await withStrings(session, [targetName, sourceName], (to, from) =>
      session.machine.callNow('sqlite3_backup_init', number(target), to, number(source), from),
    )
    if (backup === 0) session.check(1, number(target))
    into.value(['ok', backup])
  },
  async backup_step(session, [backup, pages], into) {
    const { machine } = session
    const code = await machine.call('sqlite3_backup_step', number(backup), number(pages))
    const remaining = machine.callNow('sqlite3_backup_remaining', number(backup))
    into.value(['ok', code, remaining, machine.callNow('sqlite3_backup_pagecount', number(backup))])
  },
  async backup_finish(session, [backup], into) {
    into.value(['ok', await session.machine.call('sqlite3_backup_finish', number(backup))])
  },
  async serialize(session, [database, name], into) {
    const { machine } = session
    const size = machine.callNow('malloc', 8)
    const at = Number(
      await withStrings(session, [name], (schema) =>
        machine.call('sqlite3_serialize', number(database), schema, size, 0),
      ),
    )
    const length = machine.memory.i64(size)
    machine.free(size)
    into.value(['ok', at === 0 ? null : machine.bytes(at, length)])
    if (at !== 0) machine.callNow('sqlite3_free', at)
  },
  async deserialize(session, [database, name, bytes], into) {
    const { machine } = session
    const data = bytes instanceof Uint8Array ? bytes : new Uint8Array(0)
    const at = machine.callNow('sqlite3_malloc', data.length)
    machine.memory.bytes.set(data, at)
    const size = BigInt(data.length)
    const code = await withStrings(session, [name], (schema) =>
      machine.call('sqlite3_deserialize', number(database), schema, at, size, size, DESERIALIZE_FLAGS),
    )
    session.check(code, number(database))
    into.value(['ok'])
  },
  interrupt(session, [database], into) {
    session.machine.callNow('sqlite3_interrupt', number(database))
    into.value(['ok'])
  },
  limit(session, [database, category, limit], into) {
    into.value([
      'ok',
      session.machine.callNow('sqlite3_limit', number(database), number(category), number(limit)),
    ])
  },
  config(session, [database, setting, value], into) {
    const { machine } = session
    const result = machine.allocate(new Uint8Array(4))
    const code = machine.callNow(
      'sqlite3__wasm_db_config_ip',
      number(database),
      number(setting),
      number(value),
      result,
    )
    const state = machine.memory.i32(result)
    machine.free(result)
    session.check(code, number(database))
    into.value(['ok', state])
  },
  async complete(session, [sql], into) {
    into.value([
      'ok',
      await withStrings(session, [sql], (at) => session.machine.callNow('sqlite3_complete', at)),
    ])
  },
  async version(session, _args, into) {
    const at = session.machine.callNow('sqlite3_libversion')
    into.value(['ok', session.machine.memory.text(at) ?? ''])
  },
}
