// An instance of SQLite's WebAssembly module: its memory, metered calls, and callbacks.

import { integration } from '../wasm/integration.ts'
import { Memory } from '../wasm/memory.ts'
import { SQLITE_WAITING, sqliteCalls, type SqliteCall, type SqliteSystem } from './calls.ts'
import { SQLITE_INITIAL_BYTES, SQLITE_QUANTUM } from './limits.ts'

const PAGE_BYTES = 65_536
const MEMORY_MAX_PAGES = 32_768
/**
 * Fuel for a call that only reads or writes memory, more than any needs: copying a gigabyte takes a sixteenth of it.
 */
const PLENTY = 1 << 30
/** The import that SQLite calls for the time, and when the fuel is used up (scripts/runtimes/sqlite.ts). */
const TICK = 'emscripten_get_now'

/** Functions of `relay.wasm` that SQLite can call back, by their parameters. */
export const SQLITE_RELAYS = [
  'scalar',
  'final',
  'value',
  'inverse',
  'compare',
  'poll',
  'authorize',
  'trace',
] as const
export type SqliteRelay = (typeof SQLITE_RELAYS)[number]
export type SqliteRelays = Readonly<Record<SqliteRelay, (...args: number[]) => unknown>>

/** A function of SQLite. 64-bit integers are `bigint`. */
type SqliteFunction = (...args: readonly (number | bigint)[]) => number | bigint

export class SqliteMachine {
  readonly memory: Memory
  readonly #functions: Readonly<Record<string, SqliteFunction>>
  readonly #waits: boolean
  readonly #fuel: { value: number }
  readonly #relays = new Map<SqliteRelay, number>()

  /** `waits` says whether calls may suspend SQLite. If not, all files must be loaded already. */
  constructor(
    module: WebAssembly.Module,
    system: SqliteSystem,
    callbacks: { readonly module: WebAssembly.Module; readonly relays: SqliteRelays } | null,
    waits: boolean,
  ) {
    this.#waits = waits
    const wasmMemory = new WebAssembly.Memory({
      initial: SQLITE_INITIAL_BYTES / PAGE_BYTES,
      maximum: MEMORY_MAX_PAGES,
    })
    this.memory = new Memory(wasmMemory)
    const calls: Record<string, SqliteCall> = {
      ...sqliteCalls(
        () => this.memory,
        (bytes) => this.callNow('malloc', bytes),
        system,
      ),
    }
    calls[TICK] = () => {
      const fuel = this.#fuel
      if (fuel.value > 0) return system.now()
      const pause = system.spend(SQLITE_QUANTUM - fuel.value)
      fuel.value = SQLITE_QUANTUM
      return pause && waits ? pause.then(() => 0) : 0
    }
    const suspending = (name: string, call: SqliteCall): SqliteCall =>
      waits && (name === TICK || SQLITE_WAITING.has(name)) ? new integration.Suspending(call) : call
    const imports = {
      ...Object.fromEntries(Object.entries(calls).map(([name, call]) => [name, suspending(name, call)])),
      memory: wasmMemory,
    }
    const { exports } = new WebAssembly.Instance(module, {
      env: imports,
      wasi_snapshot_preview1: imports,
    } as never)
    // The cast is safe: the digest of the module is pinned (scripts/runtimes/sqlite.ts).
    this.#functions = exports as unknown as Readonly<Record<string, SqliteFunction>>
    const { __fuel: fuel, __indirect_function_table: table } = exports as unknown as {
      readonly __fuel: { value: number }
      readonly __indirect_function_table: { grow(by: number): number; set(at: number, call: unknown): void }
    }
    this.#fuel = fuel
    fuel.value = SQLITE_QUANTUM
    this.callNow('__wasm_call_ctors')
    if (callbacks) this.#addRelays(callbacks.module, callbacks.relays, table)
  }

  #addRelays(
    module: WebAssembly.Module,
    relays: SqliteRelays,
    table: { grow(by: number): number; set(at: number, call: unknown): void },
  ): void {
    const host = Object.fromEntries(
      Object.entries(relays).map(([name, call]) => [
        name,
        this.#waits ? new integration.Suspending(call) : call,
      ]),
    )
    const { exports } = new WebAssembly.Instance(module, { host } as never)
    const first = table.grow(SQLITE_RELAYS.length)
    for (const [index, name] of SQLITE_RELAYS.entries()) {
      // The cast is safe: scripts/runtimes/sqlite.ts builds the module from the same list.
      table.set(first + index, (exports as unknown as Record<string, unknown>)[name])
      this.#relays.set(name, first + index)
    }
  }

  /** The pointer to a relay function, which SQLite can call. */
  pointer(relay: SqliteRelay): number {
    return this.#relays.get(relay) ?? 0
  }

  /** Calls a function that may execute SQL, open files or call back. */
  call(name: string, ...args: readonly (number | bigint)[]): number | Promise<number> {
    const called = this.#function(name)
    // The casts are safe: none of these functions has a 64-bit result.
    if (!this.#waits) return called(...args) as number
    return integration.promising(called)(...(args as number[]))
  }

  /** Calls a function that only reads or writes memory. */
  callNow(name: string, ...args: readonly (number | bigint)[]): number {
    return Number(this.#unpaused(name, args))
  }

  /** Like `callNow`, with a 64-bit result. */
  callLong(name: string, ...args: readonly (number | bigint)[]): bigint {
    return BigInt(this.#unpaused(name, args))
  }

  /** Calls with enough fuel that the call is never suspended, and charges the fuel afterward. */
  #unpaused(name: string, args: readonly (number | bigint)[]): number | bigint {
    const fuel = this.#fuel
    const before = fuel.value
    fuel.value = PLENTY
    try {
      return this.#function(name)(...args)
    } finally {
      fuel.value += before - PLENTY
    }
  }

  #function(name: string): SqliteFunction {
    const found = this.#functions[name]
    if (!found) throw new Error(`SQLite has no function ${name}`)
    return found
  }

  /** Steps since the last call of `spend`. */
  get uncharged(): number {
    return SQLITE_QUANTUM - this.#fuel.value
  }

  /** Copies bytes into SQLite's memory, which `free` releases. Returns 0 if there is no memory left. */
  allocate(bytes: Uint8Array): number {
    const at = this.callNow('malloc', bytes.length + 1)
    if (at === 0) return 0
    this.memory.bytes.set(bytes, at)
    this.memory.bytes[at + bytes.length] = 0
    return at
  }

  free(at: number): void {
    if (at !== 0) this.callNow('free', at)
  }

  /** Copies bytes out of memory. */
  bytes(at: number, length: number): Uint8Array {
    return this.memory.bytes.slice(at, at + length)
  }
}
