// SQLite for one Python job: handles the requests of Python's module _sqlite3 one by one. A request may call back into
// Python. It is then suspended, Python receives a call instead of the answer, and resumes the request with the call's
// result.

import { SqliteMachine, type SqliteRelays } from '../../sqlite/machine.ts'
import { SQLITE_INITIAL_BYTES, SQLITE_PYTHON_HEAP_MAX_BYTES } from '../../sqlite/limits.ts'
import { errorBytes, marshalItems, SqliteFailure } from './answers.ts'
import { giveValue, ValueError, writeValue } from './values.ts'
import { MarshalText, MarshalWriter, readMarshal, type MarshalValue } from './marshal.ts'
import { treeFiles } from './tree-files.ts'
import type { SqliteModules } from './modules.ts'
import type { Process } from '../process.ts'

/** Reads its arguments and writes one answer. May throw a `SqliteFailure` or a `ValueError`. */
type SqliteOperation = (
  session: SqliteSession,
  args: readonly MarshalValue[],
  into: MarshalWriter,
) => void | Promise<void>
export type SqliteOperations = Readonly<Record<string, SqliteOperation>>

/** A running request, and how it reports results. */
interface Frame {
  deliver(response: Uint8Array): void
  fail(error: unknown): void
}

interface Callback {
  readonly frame: Frame
  resume(answer: MarshalValue): void
}

const [FAILED, MEMORY_CODE] = [1, 7]

export class SqliteSession {
  readonly machine: SqliteMachine
  readonly #process: Process
  readonly #operations: SqliteOperations
  readonly #frames: Frame[] = []
  readonly #callbacks: Callback[] = []
  /** The connection that the current operation uses, which is interrupted at a limit. */
  activeDatabase = 0
  #instances = 0
  /** An answer that did not fit into Python's buffer. */
  #left: Uint8Array | null = null

  constructor(process: Process, modules: SqliteModules, operations: SqliteOperations) {
    this.#process = process
    this.#operations = operations
    const { meter } = process
    this.machine = new SqliteMachine(
      modules.sqlite,
      {
        files: treeFiles(process),
        now: process.now,
        random: process.random,
        spend: (steps) => {
          const pause = meter.spend(steps)
          if (meter.stopReason !== null && this.activeDatabase !== 0)
            this.machine.callNow('sqlite3_interrupt', this.activeDatabase)
          return pause
        },
        mayGrow: (bytes) => {
          const growthBytes = bytes - SQLITE_INITIAL_BYTES
          const fits = process.memory.bytes.length + growthBytes <= process.heapBytes
          if (bytes > SQLITE_PYTHON_HEAP_MAX_BYTES || !fits) return false
          process.sqliteGrowthBytes = growthBytes
          return true
        },
      },
      { module: modules.relay, relays: this.#relays() },
      true,
    )
  }

  /**
   * Handles the request at `address`. Writes the answer into the bytearray at `buffer` if it has at most `capacity`
   * bytes; otherwise stores it for `copy`. Resolves to its length.
   */
  async request(address: number, length: number, buffer: number, capacity: number): Promise<number> {
    const [operation, ...args] = marshalItems(
      readMarshal(this.#process.memory.bytes.slice(address, address + length)),
    )
    const response = await this.#respond(String(operation), args)
    this.#process.meter.charge(this.machine.uncharged + response.length)
    if (response.length > capacity) this.#left = response
    else this.#write(response, buffer)
    return response.length
  }

  /** Writes the stored answer into the bytearray at `buffer`. */
  copy(buffer: number): number {
    if (this.#left) this.#write(this.#left, buffer)
    this.#left = null
    return 0
  }

  #write(bytes: Uint8Array, bytearray: number): void {
    const { memory } = this.#process
    memory.bytes.set(bytes, memory.u32(bytearray + BYTEARRAY_START))
  }

  async #respond(operation: string, args: readonly MarshalValue[]): Promise<Uint8Array> {
    if (operation === 'resume') {
      const callback = this.#callbacks.pop()
      if (!callback) throw new Error('nothing is suspended')
      const next = nextOf(callback.frame)
      callback.resume(args)
      return next
    }
    const frame: Frame = { deliver: () => {}, fail: () => {} }
    const next = nextOf(frame)
    this.#frames.push(frame)
    const end = (report: () => void): void => {
      this.#frames.splice(this.#frames.indexOf(frame), 1)
      report()
    }
    void this.#perform(operation, args).then(
      (response) => end(() => frame.deliver(response)),
      (error: unknown) => end(() => frame.fail(error)),
    )
    return next
  }

  async #perform(operation: string, args: readonly MarshalValue[]): Promise<Uint8Array> {
    const perform = this.#operations[operation]
    if (!perform) throw new Error(`there is no operation ${operation}`)
    const into = new MarshalWriter()
    try {
      await perform(this, args, into)
      return into.done()
    } catch (error) {
      if (error instanceof ValueError) return errorBytes([FAILED, error.message, -1, -1])
      if (error instanceof SqliteFailure) return errorBytes(error.facts)
      throw error
    }
  }

  /** The failure of the connection for this code, or null for success. */
  check(code: number, database: number): void {
    if (code === 0 || code === 100 || code === 101) return
    const { machine } = this
    if (database === 0) throw new SqliteFailure([code, '', -1, code])
    const extended = machine.callNow('sqlite3_extended_errcode', database)
    const message = machine.memory.bytes
    const at = machine.callNow('sqlite3_errmsg', database)
    const text = message.slice(at, message.indexOf(0, at))
    const memory = code === MEMORY_CODE ? MEMORY_CODE : extended & 0xff
    throw new SqliteFailure([
      memory,
      new MarshalText(text),
      machine.callNow('sqlite3_error_offset', database),
      extended,
    ])
  }

  /** Sends a call to Python, and waits for its result: whether it succeeded, and the value. */
  async #callBack(write: (into: MarshalWriter) => void): Promise<readonly MarshalValue[]> {
    const frame = this.#frames.at(-1)
    if (!frame) throw new Error('SQLite calls back without a request')
    const into = new MarshalWriter()
    into.tuple(5)
    into.value('call')
    write(into)
    const database = this.activeDatabase
    const answer = await new Promise<MarshalValue>((resume) => {
      this.#callbacks.push({ frame, resume })
      frame.deliver(into.done())
    })
    this.activeDatabase = database
    return marshalItems(answer)
  }

  #relays(): SqliteRelays {
    const { memory } = { memory: () => this.machine.memory }
    const calledBack = async (
      kind: string,
      id: number,
      instance: number,
      writeArguments: (into: MarshalWriter) => void,
    ): Promise<readonly MarshalValue[]> =>
      this.#callBack((into) => {
        into.value(kind)
        into.value(id)
        into.value(instance)
        writeArguments(into)
      })
    const values =
      (count: number, list: number) =>
      (into: MarshalWriter): void => {
        into.tuple(count)
        for (let index = 0; index < count; index += 1)
          writeValue(
            this.machine,
            { prefix: 'sqlite3_value', args: [memory().u32(list + index * 4)] },
            into,
            false,
          )
      }
    const text = (at: number): MarshalValue =>
      at === 0 ? null : new MarshalText(memory().bytes.slice(at, memory().bytes.indexOf(0, at)))
    const give = (context: number, [succeeded, value = null]: readonly MarshalValue[]): void => {
      const { machine } = this
      if (succeeded === true) {
        try {
          giveValue(machine, 'sqlite3_result', [context], value)
          return
        } catch (error) {
          if (!(error instanceof ValueError)) throw error
        }
      }
      const message = machine.allocate(
        new TextEncoder().encode(String(succeeded === true ? 'bad value' : value)),
      )
      machine.callNow('sqlite3_result_error', context, message, -1)
      machine.free(message)
    }
    /** The number of an aggregate's instance, stored in the memory that SQLite gives it. */
    const instanceOf = (context: number, creates: boolean): number => {
      const at = this.machine.callNow('sqlite3_aggregate_context', context, creates ? 4 : 0)
      if (at === 0) return 0
      const known = memory().u32(at)
      if (known === 0) memory().setU32(at, (this.#instances += 1))
      return known === 0 ? this.#instances : known
    }
    const ids = (context: number): number => this.machine.callNow('sqlite3_user_data', context)
    return {
      scalar: async (context = 0, count = 0, list = 0) => {
        const id = ids(context)
        const kind = this.kindOf(id)
        if (kind === 'function') give(context, await calledBack('function', id, 0, values(count, list)))
        else {
          const [succeeded, message] = await calledBack(
            'step',
            id,
            instanceOf(context, true),
            values(count, list),
          )
          if (succeeded !== true) give(context, [false, message ?? null])
        }
      },
      final: async (context = 0) => {
        const id = ids(context)
        give(context, await calledBack('final', id, instanceOf(context, false), (into) => into.tuple(0)))
      },
      value: async (context = 0) => {
        const id = ids(context)
        give(context, await calledBack('value', id, instanceOf(context, false), (into) => into.tuple(0)))
      },
      inverse: async (context = 0, count = 0, list = 0) => {
        const instance = instanceOf(context, true)
        const [succeeded, message] = await calledBack('inverse', ids(context), instance, values(count, list))
        if (succeeded !== true) give(context, [false, message ?? null])
      },
      compare: async (id = 0, firstLength = 0, first = 0, secondLength = 0, second = 0) => {
        const [one, two] = [this.machine.bytes(first, firstLength), this.machine.bytes(second, secondLength)]
        const [, order] = await calledBack('collation', id, 0, (into) =>
          into.value([new MarshalText(one), new MarshalText(two)]),
        )
        return Number(order ?? 0n)
      },
      poll: async (id = 0) => Number((await calledBack('progress', id, 0, (into) => into.tuple(0)))[1] ?? 0n),
      authorize: async (id = 0, action = 0, ...texts: readonly number[]) => {
        const details = texts.map(text)
        return Number(
          (await calledBack('authorizer', id, 0, (into) => into.value([action, ...details])))[1] ?? 0n,
        )
      },
      trace: async (_event = 0, id = 0, statement = 0) => {
        const expanded = this.machine.callNow('sqlite3_expanded_sql', statement)
        const sql = text(expanded === 0 ? this.machine.callNow('sqlite3_sql', statement) : expanded)
        if (expanded !== 0) this.machine.callNow('sqlite3_free', expanded)
        await calledBack('trace', id, 0, (into) => into.value([sql]))
        return 0
      },
    }
  }

  readonly #kinds = new Map<number, 'function' | 'aggregate'>()

  setKind(id: number, kind: 'function' | 'aggregate'): void {
    this.#kinds.set(id, kind)
  }

  kindOf(id: number): 'function' | 'aggregate' {
    return this.#kinds.get(id) ?? 'function'
  }
}

/** Offset of the data pointer in CPython's bytearray structure. */
const BYTEARRAY_START = 20

/** The next message of a frame: its answer, or a call. */
function nextOf(frame: Frame): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    frame.deliver = resolve
    frame.fail = reject
  })
}
