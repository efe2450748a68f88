// Instances of jq's WebAssembly module: started with arguments, stopped at limits, and reused.

import { Unsupported } from '../command.ts'
import { encode } from '../io/text.ts'
import { JqMemory, type WasmMemory } from './memory.ts'

/** Maximum size of the heap, which starts at 16 MiB. */
const HEAP_BYTES = 67_108_864
/** Size of the C stack, which follows the data. */
const STACK_BYTES = 1_048_576
/** Bytes at the end of the stack that show whether it was exceeded. */
const GUARD_BYTES = 4_096
const GUARD = 0xa5
/** Steps between two calls of `spend`. */
const QUANTUM = 65_536
/** Number of instances kept for later runs. A pipe may run several at the same time. */
const IDLE_MAX = 2

/** Thrown through jq when it exits. */
export class JqExit extends Error {
  override readonly name = 'JqExit'
  readonly code: number
  constructor(code: number) {
    super(`exit ${code}`)
    this.code = code
  }
}

/** A function that jq calls. 64-bit integers are `bigint`. May return a promise if its name is in `WAITING`. */
export type JqCall = (...args: readonly never[]) => unknown

/** The host functions of a run, by the names of the module's imports. */
export interface JqRun {
  calls(memory: JqMemory): Readonly<Record<string, JqCall>>
  /** Milliseconds since 1970. */
  now(): number
  /** Charges steps. Returns a promise if other work has to run first. */
  spend(steps: number): Promise<void> | undefined
}

/** The exports used here, by their minified names in jq-wasm 3.0.0-jq-1.8.2. */
interface Exports {
  readonly F: WasmMemory
  readonly __fuel: { value: number }
  /** Runs the C constructors. */
  G(): void
  /** `main`. */
  readonly H: (count: number, list: number) => number
  /** Sets the stack pointer. */
  J(at: number): void
  /** Returns the stack pointer. */
  L(): number
}

/** Imports during which jq may be suspended: date_now, openat, read, write, and three forms of stat. */
const WAITING: readonly string[] = ['g', 'f', 'h', 'd', 'A', 'B', 'C']
/** `emscripten_date_now`, which jq calls to get the time, and when its fuel is used up. */
const DATE_NOW = 'g'
/** `emscripten_resize_heap`. */
const RESIZE = 'k'

/** JavaScript Promise Integration, which platform types do not include. Missing in Node. */
interface Integration {
  readonly Suspending?: new (call: JqCall) => JqCall
  readonly promising?: (call: CallableFunction) => (...args: readonly number[]) => Promise<number>
}
// The cast is safe: the interface describes the API.
const integration = WebAssembly as unknown as Integration

/** Whether jq can be suspended to wait for input. Otherwise all input must be available before the start. */
export const CAN_WAIT = integration.Suspending !== undefined

const idle = new WeakMap<WebAssembly.Module, JqMachine[]>()

/** Runs jq to its end. Returns its exit code. Throws an `Unsupported` at a limit. */
export async function runJq(
  module: WebAssembly.Module,
  args: readonly string[],
  run: JqRun,
): Promise<number> {
  const kept = idle.get(module) ?? []
  idle.set(module, kept)
  const machine = kept.pop() ?? new JqMachine(module)
  const exitCode = await machine.run(args, run)
  if (machine.reusable && kept.length < IDLE_MAX) kept.push(machine)
  return exitCode
}

class JqMachine {
  readonly #exports: Exports
  readonly #memory: JqMemory
  /** The initial data, below the stack. */
  readonly #image: Uint8Array
  readonly #stack: number
  readonly #initialBytes: number
  #calls: Readonly<Record<string, JqCall>> = {}
  #run: JqRun | null = null
  #pristine = true

  constructor(module: WebAssembly.Module) {
    const names = WebAssembly.Module.imports(module).map(({ name }) => name)
    const imports = Object.fromEntries(names.map((name) => [name, this.#import(name)]))
    // The cast is safe: the digest of the module is pinned (scripts/runtimes/jq.ts).
    this.#exports = new WebAssembly.Instance(module, { a: imports } as never).exports as unknown as Exports
    this.#memory = new JqMemory(this.#exports.F)
    this.#stack = this.#exports.L()
    this.#initialBytes = this.#memory.bytes.length
    this.#image = this.#memory.bytes.slice(0, this.#stack - STACK_BYTES)
  }

  /** Memory that has grown cannot shrink, so the instance is not reused. */
  get reusable(): boolean {
    return this.#memory.bytes.length === this.#initialBytes
  }

  async run(args: readonly string[], run: JqRun): Promise<number> {
    const { bytes } = this.#memory
    if (!this.#pristine) {
      bytes.fill(0, this.#image.length)
      bytes.set(this.#image)
      this.#exports.J(this.#stack)
    }
    this.#pristine = false
    bytes.fill(GUARD, this.#image.length, this.#image.length + GUARD_BYTES)
    this.#run = run
    this.#calls = run.calls(this.#memory)
    this.#exports.__fuel.value = QUANTUM
    try {
      this.#exports.G()
      const list = this.#writeArguments(args)
      const { H: start } = this.#exports
      const main = integration.promising?.(start) ?? start
      return await main(args.length, list)
    } catch (error) {
      if (error instanceof JqExit) return error.code
      if (error instanceof RangeError || error instanceof WebAssembly.RuntimeError) throw tooDeep()
      throw error
    } finally {
      const left = this.#exports.__fuel.value
      this.#run = null
      this.#calls = {}
      this.#checkStack()
      void run.spend(Math.max(0, QUANTUM - left))
    }
  }

  /** Writes the arguments to the stack. Returns the address of their list. */
  #writeArguments(args: readonly string[]): number {
    const bytes = args.map((arg) => encode(arg).length + 1)
    const size = bytes.reduce((sum, length) => sum + length, (args.length + 1) * 4)
    if (size > STACK_BYTES / 4)
      throw new Unsupported('jq with arguments this long', 'a file (-f, --slurpfile)')
    const list = (this.#stack - size) & ~15
    let at = list + (args.length + 1) * 4
    for (const [index, arg] of args.entries()) {
      this.#memory.setI32(list + index * 4, at)
      at += this.#memory.setText(at, arg)
    }
    this.#memory.setI32(list + args.length * 4, 0)
    this.#exports.J(list)
    return list
  }

  #import(name: string): JqCall {
    const call: JqCall =
      name === DATE_NOW
        ? () => this.#tick()
        : name === RESIZE
          ? (bytes: number) => this.#resize(bytes)
          : (...args) => {
              const found = this.#calls[name]
              if (!found) throw new Error(`jq called ${name}`)
              return found(...args)
            }
    return integration.Suspending && WAITING.includes(name) ? new integration.Suspending(call) : call
  }

  /** Returns the time. If the fuel is used up, charges for the work so far. */
  #tick(): number | Promise<number> {
    if (!this.#run) throw new JqExit(1)
    const fuel = this.#exports.__fuel
    if (fuel.value > 0) return this.#run.now()
    this.#checkStack()
    const pause = this.#run.spend(QUANTUM - fuel.value)
    fuel.value = QUANTUM
    return pause && CAN_WAIT ? pause.then(() => 0) : 0
  }

  #resize(wanted: number): number {
    const bytes = wanted >>> 0
    const more = Math.min(HEAP_BYTES, Math.max(bytes, Math.ceil(this.#memory.bytes.length * 1.25)))
    if (bytes <= HEAP_BYTES && this.#memory.grow(more)) return 1
    throw new Unsupported(
      `jq with more than ${HEAP_BYTES / 1_048_576} MiB of memory`,
      'a filter that handles one value at a time (without -s, or with --stream), or python3 with its module json',
    )
  }

  #checkStack(): void {
    const from = this.#image.length
    if (this.#memory.bytes.subarray(from, from + GUARD_BYTES).some((byte) => byte !== GUARD)) throw tooDeep()
  }
}

function tooDeep(): Unsupported {
  return new Unsupported('jq with values or calls nested this deeply', 'python3 with its module json')
}
