// An instance of QuickJS with its host calls, started from scratch or reset to an image. Guest calls are handled by
// the attached `Surroundings`.

import { refill } from '../wasm/image.ts'
import { Memory } from '../wasm/memory.ts'
import { CALL_STEPS } from '../wasm/meter.ts'
import { Exit, Killed } from '../wasm/stop.ts'
import { GARBAGE_THRESHOLD, MEMORY, NOW, TRACKER_AFTER_INTERRUPT } from './call/names.ts'
import { changedWord, countAllocations, hookRejections } from './hooks.ts'
import { integration } from '../wasm/integration.ts'
import { Rejections } from './rejections.ts'
import { cCalls } from './c-calls.ts'
import { Values } from './call/values.ts'

import type { Image } from '../wasm/image.ts'
import type { Meter } from '../wasm/meter.ts'
import type { Modules } from './hooks.ts'
import type { QuickJs } from './call/names.ts'
import type { Value } from './call/values.ts'

/** The environment of a guest: its limits, and the handler of its calls. */
export interface Surroundings {
  readonly meter: Meter
  readonly heapBytes: number
  refusedMemory: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Handles a guest call. `null` reports a failure, and the next call fetches the error. */
  readonly call: (operation: string, args: readonly Value[]) => Value | Promise<Value>
}

/** The size of the guest's stack, enough for about 1,100 nested calls. The host engine allows little more. */
const STACK_BYTES = 196_608
/** Number of words that an image stores: the runtime, the context, the guest's function and the tracker's slot. */
const FACTS = 4
/** Fuel for a short call, more than any of them needs. The fuel that was used is charged afterward. */
const PLAIN_FUEL = 2 ** 31 - 1
/** The amount of new memory after which garbage is collected; a collection takes about 10 ms. */
const LENT_BYTES = 8_388_608
/** The flag for compiling and running code as a script. */
const SCRIPT = 0
/** The calls into QuickJS that may be suspended. */
const WAITING = new Set([NOW, 's', 'h', 'g'])

export class Machine {
  readonly #quickJs: QuickJs
  readonly #values: Values
  readonly #waits: boolean
  readonly #modules: Modules
  readonly #raw = new WebAssembly.Memory(MEMORY)
  readonly memory = new Memory(this.#raw)
  readonly rejections: Rejections
  #surroundings: Surroundings | null = null
  #runtime = 0
  #context = 0
  #guest = 0
  #lent = 0
  #pristine = true

  /** `waits` says whether host calls may suspend the guest. */
  constructor(modules: Modules, waits: boolean) {
    this.#waits = waits
    this.#modules = modules
    const calls: Record<string, CallableFunction> = {
      ...cCalls(this.memory, (bytes) => this.#grow(bytes)),
      [NOW]: () => this.#now(),
      s: (_context: number, _self: number, count: number, list: number) => this.#called(count, list),
      h: (_runtime: number, _context: number, name: number) => this.#load(name),
      g: (_runtime: number, _context: number, base: number, name: number) => this.#resolve(base, name),
    }
    const imports = Object.entries(calls).map(([name, call]) => [
      name,
      waits && WAITING.has(name) ? new integration.Suspending(call) : call,
    ])
    const instance = new WebAssembly.Instance(modules.quickJs, {
      a: { ...Object.fromEntries(imports), a: this.#raw },
    } as never)
    // The cast is safe: the pinned build defines these exports.
    this.#quickJs = instance.exports as unknown as QuickJs
    this.#values = new Values(this.#quickJs, this.memory)
    this.rejections = new Rejections(this.memory)
  }

  /** The guest's step counter. */
  get fuel(): { value: number } {
    return this.#quickJs.__fuel
  }

  /** Directs guest calls to `surroundings`. If it is null, a host call ends the guest. */
  attach(surroundings: Surroundings | null): void {
    this.#surroundings = surroundings
    this.rejections.clear()
  }

  get #current(): Surroundings {
    if (this.#surroundings) return this.#surroundings
    throw new Exit(1)
  }

  /** Starts a runtime and runs `prelude`, whose value is the guest's entry function. Throws its error. */
  start(prelude: string): void {
    const quickJs = this.#quickJs
    quickJs.u()
    this.#runtime = quickJs.K()
    this.#hook()
    quickJs.D(this.#runtime, STACK_BYTES)
    this.#context = quickJs.N(this.#runtime, 0)
    quickJs.Ha(this.#runtime, 1)
    const host = quickJs.Da(this.#context, this.#values.text('host'), 0, 0, 1)
    quickJs.ja(this.#context, this.#script('globalThis'), this.#values.make(this.#context, 'host'), host)
    const value = this.#script(prelude)
    const error = quickJs.na(this.#context, value)
    if (error !== 0) throw new Error(this.#errorText(error))
    this.#guest = value
  }

  #hook(): void {
    countAllocations(this.#quickJs, this.#modules.malloc, this.#raw, this.#runtime, this.memory)
  }

  #script(code: string): number {
    const bytes = new TextEncoder().encode(code)
    const [at, file] = [this.#values.bytes(bytes), this.#values.text('node:internal')]
    return this.#quickJs.pa(this.#context, at, bytes.length, file, 0, SCRIPT)
  }

  #errorText(error: number): string {
    this.#quickJs.ja(
      this.#context,
      this.#script('globalThis'),
      this.#values.make(this.#context, 'wrong'),
      error,
    )
    return String(this.#values.read(this.#context, this.#script('`${wrong}\n${wrong?.stack}`')))
  }

  /** Stores in memory the addresses that a reset needs, and returns what an image needs. */
  settle(): Pick<Image, 'stack' | 'run' | 'empty' | 'total'> {
    const quickJs = this.#quickJs
    const slot = changedWord(this.memory, this.#runtime, () => quickJs.Fa(this.#runtime))
    quickJs.Ga(this.#runtime)
    this.memory.setU32(this.#runtime + slot.offset + TRACKER_AFTER_INTERRUPT, slot.value)
    const run = quickJs.v(FACTS * 4)
    for (const [index, fact] of [this.#runtime, this.#context, this.#guest, slot.value].entries())
      this.memory.setU32(run + index * 4, fact)
    return { stack: quickJs.Oa(), run, empty: 0, total: this.memory.bytes.length }
  }

  /** Resets all memory to the image, so that nothing of an earlier guest remains. */
  enter(image: Image): void {
    refill(this.memory, image, this.#pristine)
    this.#lent = 0
    this.#quickJs.Ma(image.stack)
    const fact = (index: number): number => this.memory.u32(image.run + index * 4)
    ;[this.#runtime, this.#context, this.#guest] = [fact(0), fact(1), fact(2)]
    if (!this.#pristine) return
    this.#pristine = false
    this.#hook()
    // This is the slot of the interrupt handler, which is never set because fuel replaces it.
    hookRejections(this.#quickJs, this.#modules.relay, fact(3), this.rejections)
  }

  /** Calls the guest's entry function. Undefined if it threw, after which it cannot continue. */
  async ask(operation: string, ...args: readonly Value[]): Promise<Value> {
    const made = await this.#callGuest(
      [operation, ...args].map((value) => this.#plain(() => this.#values.make(this.#context, value))),
    )
    return made === 0 ? undefined : this.#plain(() => this.#taken(made))
  }

  /** Calls the guest's entry function with a value of the guest, which is given as its 64 bits. */
  async askOf(operation: string, bits: bigint): Promise<Value> {
    const value = this.#plain(() => this.#quickJs.v(8))
    this.memory.setU32(value, Number(bits & 0xffff_ffffn))
    this.memory.setU32(value + 4, Number((bits >> 32n) & 0xffff_ffffn))
    const made = await this.#callGuest([
      this.#plain(() => this.#values.make(this.#context, operation)),
      value,
    ])
    return made === 0 ? undefined : this.#plain(() => this.#taken(made))
  }

  async #callGuest(args: readonly number[]): Promise<number> {
    const quickJs = this.#quickJs
    const list = this.#plain(() => quickJs.v(args.length * 4))
    for (const [index, arg] of args.entries()) this.memory.setU32(list + index * 4, arg || quickJs.E())
    const value = await this.#run(quickJs.ma, this.#context, this.#guest, quickJs.E(), args.length, list)
    this.#plain(() => {
      for (const arg of args) if (arg !== 0) quickJs.P(this.#context, arg)
      quickJs.M(list)
    })
    return value
  }

  #taken(value: number): Value {
    const taken = this.#values.read(this.#context, value)
    this.#quickJs.P(this.#context, value)
    return taken
  }

  /** Runs all promise jobs, and returns their number. */
  async runJobs(): Promise<number> {
    const into = this.#plain(() => this.#quickJs.v(4))
    const value = await this.#run(this.#quickJs.ga, this.#runtime, -1, into)
    return this.#plain(() => {
      this.#quickJs.M(into)
      return Number(this.#taken(value)) || 0
    })
  }

  /** Compiles and runs a script. Returns a pointer to its value or to a thrown exception. */
  async #evaluate(code: string, file: string): Promise<number> {
    const bytes = new TextEncoder().encode(code)
    const [at, name] = this.#plain(() => [this.#values.bytes(bytes), this.#values.text(file)])
    if (at === 0 || name === 0) throw new Killed('memory')
    const { pa } = this.#quickJs
    const value = await this.#run(pa, this.#context, at ?? 0, bytes.length, name ?? 0, 0, SCRIPT)
    this.#plain(() => [at, name].forEach((pointer) => this.#quickJs.M(pointer ?? 0)))
    return value
  }

  /** Calls QuickJS so that its calls may suspend it. Nested calls share one stack and end first. */
  async #run(call: CallableFunction, ...args: readonly number[]): Promise<number> {
    if (!this.#waits) return this.#plain(() => call(...args) as number)
    return integration.promising(call)(...args)
  }

  /** Makes a small call into QuickJS from a host frame. It must not wait: it cannot be suspended. */
  #plain<T>(call: () => T): T {
    const { fuel } = this
    const left = fuel.value
    fuel.value = PLAIN_FUEL
    try {
      return call()
    } finally {
      fuel.value = left - (PLAIN_FUEL - fuel.value)
    }
  }

  /** Returns the time. If the granted steps are used up, also checks whether the guest may continue. */
  #now(): number | Promise<number> {
    const { meter, now } = this.#current
    if (this.fuel.value > 0) return now()
    const judged = (): number => {
      if (meter.stopReason !== null) throw new Killed(meter.stopReason)
      return now()
    }
    const rest = meter.check()
    return typeof rest === 'number' ? judged() : rest.then(judged)
  }

  #grow(bytes: number): boolean {
    const { heapBytes } = this.#current
    const has = this.memory.bytes.length
    const wanted = Math.min(heapBytes, Math.max(bytes, has + (has >>> 3)))
    if (bytes <= heapBytes && this.memory.grow(wanted)) return true
    this.#current.refusedMemory = true
    return false
  }

  #called(count: number, list: number): number | Promise<number> {
    const { meter } = this.#current
    meter.charge(CALL_STEPS)
    const [operation, ...args] = this.#plain(() =>
      Array.from({ length: count }, (_, index) => this.#values.read(this.#context, list + index * 8)),
    )
    if (operation === 'compile') return this.#evaluate(String(args[0]), String(args[1]))
    const answer = this.#current.call(String(operation), args)
    const give = (value: Value): number => {
      if (value instanceof Uint8Array) {
        meter.charge(value.length >>> 4)
        this.#lend(value.length)
      }
      const made = this.#plain(() => this.#values.make(this.#context, value))
      if (made === 0 && value !== undefined) throw new Killed('memory')
      return made
    }
    return answer instanceof Promise ? answer.then(give) : give(answer)
  }

  /** Counts host memory that QuickJS does not know of, and makes QuickJS collect garbage if there is too much. */
  #lend(bytes: number): void {
    this.#lent += bytes
    if (this.#lent < LENT_BYTES) return
    this.#lent = 0
    this.memory.setU32(this.#runtime + GARBAGE_THRESHOLD, 0)
  }

  /** The source of a module, from the guest's own loader. */
  async #load(name: number): Promise<number> {
    const text = await this.ask('load', this.memory.text(name) ?? '')
    return typeof text === 'string' ? this.#plain(() => this.#values.text(text)) : 0
  }

  async #resolve(base: number, name: number): Promise<number> {
    const found = await this.ask('resolve', this.memory.text(base) ?? '', this.memory.text(name) ?? '')
    return this.#plain(() => this.#values.text(String(found)))
  }
}
