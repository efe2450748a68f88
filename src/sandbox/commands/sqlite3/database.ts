// A database of the command `sqlite3`: statements, rows and values. Files are read when they are opened, and written
// when the command ends.

import { negativeErrno } from '../../wasm/errno.ts'
import { integration } from '../../wasm/integration.ts'
import { SqliteMachine } from '../../sqlite/machine.ts'
import { MemoryFiles, type LoadedFile } from '../../sqlite/memory-files.ts'
import { SQLITE_FILE_MAX_BYTES, SQLITE_HEAP_MAX_BYTES } from '../../sqlite/limits.ts'
import { Unsupported, type CommandIo } from '../command.ts'
import { decode, encode } from '../io/text.ts'

const [OPEN_READ_ONLY, OPEN_WRITE, OPEN_URI] = [1, 6, 64]
const [ROW, DONE] = [100, 101]
const [NO_MEMORY, FULL] = [7, 13]
/** SQLite's types of values. */
export const [FLOAT, TEXT, BLOB, NULL] = [2, 3, 4, 5]
const CONFIGURATION = [
  [1013, 1],
  [1014, 1],
  [1023, 15],
] as const
const DEFAULTS = 'PRAGMA page_size=4096; PRAGMA cache_size=-2000'

/** A value with its type, as text. */
export interface SqlValue {
  readonly type: number
  readonly text: string
  readonly bytes: Uint8Array
  readonly double: number
}

export class SqlError extends Error {
  override readonly name = 'SqlError'
  readonly code: number
  readonly extended: number
  readonly offset: number
  readonly phase: 'prepare' | 'step'
  constructor(message: string, code: number, extended: number, offset: number, phase: 'prepare' | 'step') {
    super(message)
    this.code = code
    this.extended = extended
    this.offset = offset
    this.phase = phase
  }
}

export interface Statement {
  readonly handle: number
  readonly names: readonly string[]
  readonly sql: string
}

export class Database {
  readonly #io: CommandIo
  readonly #files: MemoryFiles
  readonly #machine: SqliteMachine
  #handle = 0

  private constructor(io: CommandIo, files: MemoryFiles, machine: SqliteMachine) {
    this.#io = io
    this.#files = files
    this.#machine = machine
  }

  /** Throws an `SqlError` if the file cannot be opened. */
  static async open(io: CommandIo, path: string, readOnly: boolean): Promise<Database> {
    const module = await io.wasm('sqlite')
    const waits = integration.Suspending !== undefined
    const early = new Map<string, LoadedFile | null | number>()
    const isFile = path !== ':memory:' && path !== ''
    if (isFile)
      for (const name of [path, `${path}-journal`, `${path}-wal`])
        early.set(absolute(io, name), await load(io, absolute(io, name)))
    const loaded = (name: string): LoadedFile | null | number | Promise<LoadedFile | null | number> => {
      const known = early.get(name)
      if (known !== undefined) return known
      return waits ? load(io, name) : null
    }
    const files = new MemoryFiles(io.cwd, loaded, SQLITE_FILE_MAX_BYTES)
    const machine = new SqliteMachine(
      module,
      {
        files,
        now: io.now,
        // The cast is safe: the bytes are SQLite's memory, which is not shared.
        random: (bytes) => void crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
        spend: (steps) => io.spend(steps),
        mayGrow: (bytes) => bytes <= SQLITE_HEAP_MAX_BYTES,
      },
      null,
      waits,
    )
    const database = new Database(io, files, machine)
    await database.#open(path, readOnly)
    return database
  }

  async #open(path: string, readOnly: boolean): Promise<void> {
    const machine = this.#machine
    const flags = (readOnly ? OPEN_READ_ONLY : OPEN_WRITE) | OPEN_URI
    const [name, system, pointer] = [
      this.#text(path),
      this.#text('unix'),
      machine.allocate(new Uint8Array(4)),
    ]
    const code = await machine.call('sqlite3_open_v2', name, pointer, flags, system)
    this.#handle = machine.memory.u32(pointer)
    for (const at of [name, system, pointer]) machine.free(at)
    if (code !== 0) throw this.#failure(code, 'prepare')
    for (const [setting, value] of CONFIGURATION)
      machine.callNow('sqlite3__wasm_db_config_ip', this.#handle, setting, value, 0)
    const sql = this.#text(DEFAULTS)
    await machine.call('sqlite3_exec', this.#handle, sql, 0, 0, 0)
    machine.free(sql)
  }

  #text(text: string): number {
    return this.#machine.allocate(encode(text))
  }

  #string(at: number): string {
    if (at === 0) return ''
    const { bytes } = this.#machine.memory
    return decode(bytes.subarray(at, bytes.indexOf(0, at)))
  }

  #failure(code: number, phase: 'prepare' | 'step'): SqlError {
    const machine = this.#machine
    if (code === NO_MEMORY)
      throw new Unsupported(
        `sqlite3 with more than ${SQLITE_HEAP_MAX_BYTES / 1_048_576} MiB of memory`,
        'fewer rows at a time, or a file in place of :memory:',
      )
    if (code === FULL)
      throw new Unsupported(
        `sqlite3 with a database of more than ${SQLITE_FILE_MAX_BYTES / 1_048_576} MiB`,
        'several databases',
      )
    return new SqlError(
      this.#string(machine.callNow('sqlite3_errmsg', this.#handle)),
      code & 0xff,
      machine.callNow('sqlite3_extended_errcode', this.#handle),
      machine.callNow('sqlite3_error_offset', this.#handle),
      phase,
    )
  }

  /**
   * Prepares the first statement of `sql`, null for spaces and comments, and returns it with the remaining text.
   * Throws an `SqlError`.
   */
  async prepare(sql: string): Promise<{ readonly statement: Statement | null; readonly rest: string }> {
    const machine = this.#machine
    const bytes = encode(sql)
    const [at, pointer] = [machine.allocate(bytes), machine.allocate(new Uint8Array(8))]
    try {
      const code = await machine.call('sqlite3_prepare_v2', this.#handle, at, -1, pointer, pointer + 4)
      if (code !== 0) throw this.#failure(code, 'prepare')
      const handle = machine.memory.u32(pointer)
      const end = machine.memory.u32(pointer + 4) - at
      const rest = decode(bytes.subarray(end))
      const own = decode(bytes.subarray(0, end))
      if (handle === 0) return { statement: null, rest }
      const count = machine.callNow('sqlite3_column_count', handle)
      const names = Array.from({ length: count }, (_, index) =>
        this.#string(machine.callNow('sqlite3_column_name', handle, index)),
      )
      return { statement: { handle, names, sql: own }, rest }
    } finally {
      machine.free(at)
      machine.free(pointer)
    }
  }

  /** Executes one step. Returns whether there is a row. Throws an `SqlError`. */
  async step({ handle }: Statement): Promise<boolean> {
    const code = await this.#machine.call('sqlite3_step', handle)
    if (code === ROW) return true
    if (code === DONE) return false
    throw this.#failure(code, 'step')
  }

  row({ handle, names }: Statement): readonly SqlValue[] {
    const machine = this.#machine
    return names.map((_, column): SqlValue => {
      const type = machine.callNow('sqlite3_column_type', handle, column)
      const double = type === FLOAT ? machine.callNow('sqlite3_column_double', handle, column) : 0
      if (type === NULL) return { type, text: '', bytes: new Uint8Array(0), double }
      const at = machine.callNow(
        type === BLOB ? 'sqlite3_column_blob' : 'sqlite3_column_text',
        handle,
        column,
      )
      const length = machine.callNow('sqlite3_column_bytes', handle, column)
      const bytes = machine.bytes(at, length)
      // The real shell prints C strings, which end at NUL.
      const end = bytes.indexOf(0)
      return { type, text: decode(end < 0 ? bytes : bytes.subarray(0, end)), bytes, double }
    })
  }

  bind({ handle }: Statement, index: number, text: string | null): void {
    const machine = this.#machine
    if (text === null) machine.callNow('sqlite3_bind_null', handle, index)
    else {
      const bytes = encode(text)
      const at = machine.allocate(bytes)
      if (at === 0) throw this.#failure(NO_MEMORY, 'step')
      machine.callNow('sqlite3_bind_text', handle, index, at, bytes.length, -1)
      machine.free(at)
    }
  }

  async reset({ handle }: Statement): Promise<void> {
    await this.#machine.call('sqlite3_reset', handle)
  }

  async finalize({ handle }: Statement): Promise<void> {
    await this.#machine.call('sqlite3_finalize', handle)
  }

  /** All rows of one statement, as text. */
  async all(sql: string): Promise<readonly (readonly SqlValue[])[]> {
    const { statement } = await this.prepare(sql)
    if (!statement) return []
    const rows: (readonly SqlValue[])[] = []
    try {
      while (await this.step(statement)) rows.push(this.row(statement))
    } finally {
      await this.finalize(statement)
    }
    return rows
  }

  get inTransaction(): boolean {
    return this.#machine.callNow('sqlite3_get_autocommit', this.#handle) === 0
  }

  get changes(): readonly [number, number] {
    return [
      this.#machine.callNow('sqlite3_changes', this.#handle),
      this.#machine.callNow('sqlite3_total_changes', this.#handle),
    ]
  }

  /** Whether `sql` is a complete statement. */
  isComplete(sql: string): boolean {
    const at = this.#text(sql)
    const complete = this.#machine.callNow('sqlite3_complete', at) !== 0
    this.#machine.free(at)
    return complete
  }

  isKeyword(word: string): boolean {
    const at = this.#text(word)
    const keyword = this.#machine.callNow('sqlite3_keyword_check', at, encode(word).length) !== 0
    this.#machine.free(at)
    return keyword
  }

  get version(): string {
    return `${this.#string(this.#machine.callNow('sqlite3_libversion'))} ${this.#string(this.#machine.callNow('sqlite3_sourceid'))}`
  }

  /** Writes the changed files. An open transaction is rolled back. */
  async close(): Promise<void> {
    await this.#machine.call('sqlite3_close_v2', this.#handle)
    for (const [path, bytes] of this.#files.takeChanges())
      if (bytes) await this.#io.files.write(path, bytes)
      else if (await this.#io.files.stat(path)) await this.#io.files.remove(path)
  }
}

function absolute(io: CommandIo, path: string): string {
  const resolved = io.files.resolve(path)
  return resolved.startsWith('/') ? resolved : `/${resolved}`
}

async function load(io: CommandIo, path: string): Promise<LoadedFile | null | number> {
  const status = await io.files.stat(path)
  if (status?.kind === 'directory') return negativeErrno('ISDIR')
  if (status) {
    if (status.size > SQLITE_FILE_MAX_BYTES)
      throw new Unsupported(
        `sqlite3 with a database of more than ${SQLITE_FILE_MAX_BYTES / 1_048_576} MiB`,
        'several databases',
      )
    return { bytes: await io.files.read(path), writable: (status.mode & 0o200) !== 0 }
  }
  const folder = path.slice(0, path.lastIndexOf('/'))
  return folder === '' || (await io.files.stat(folder)) ? null : negativeErrno('NOENT')
}
