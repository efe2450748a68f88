// Timers, immediates and ticks, and the order in which they run. The host asks for the delay until the next.

import { tried } from './host.ts'

type Callback = (...args: readonly unknown[]) => unknown
/** The propagated values by storage (async-hooks.ts). */
type Context = ReadonlyMap<object, unknown>

let context: Context = new Map()
export const currentContext = (): Context => context
export function setContext(next: Context): void {
  context = next
}

/** Binds `call` to the current values. */
export function captureContext<T extends readonly unknown[]>(
  call: (...args: T) => unknown,
): (...args: T) => unknown {
  const captured = context
  return (...args) => {
    const before = context
    context = captured
    try {
      return call(...args)
    } finally {
      context = before
    }
  }
}

export class Timeout {
  readonly callback: Callback
  readonly args: readonly unknown[]
  readonly every: number | null
  readonly order: number
  due: number
  open = true
  counted = true

  constructor(callback: Callback, ms: unknown, args: readonly unknown[], repeats: boolean) {
    if (typeof callback !== 'function')
      throw Object.assign(new TypeError('The "callback" argument must be of type function.'), {
        code: 'ERR_INVALID_ARG_TYPE',
      })
    const wait = Number(ms)
    const delay = wait >= 1 && wait <= 2_147_483_647 ? Math.trunc(wait) : 1
    this.callback = captureContext(callback)
    this.args = args
    this.every = repeats ? delay : null
    this.due = elapsed() + delay
    this.order = counter += 1
    insert(this)
    byNumber.set(this.order, this)
  }

  ref(): this {
    this.counted = true
    return this
  }

  unref(): this {
    this.counted = false
    return this
  }

  hasRef(): boolean {
    return this.counted
  }

  refresh(): this {
    return this
  }

  close(): this {
    clearTimer(this)
    return this
  }

  [Symbol.toPrimitive](): number {
    return this.order
  }
}

class Immediate {
  readonly callback: Callback
  readonly args: readonly unknown[]
  open = true

  constructor(callback: Callback, args: readonly unknown[]) {
    this.callback = captureContext(callback)
    this.args = args
  }
}

let counter = 0
/** Sorted by due time, then by creation. */
const timers: Timeout[] = []
const byNumber = new Map<number, Timeout>()
let immediates: Immediate[] = []
let ticks: (() => unknown)[] = []

export function elapsed(): number {
  return Number(tried('elapsed'))
}

function insert(timer: Timeout): void {
  let [low, high] = [0, timers.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = timers[middle]
    if (other && (other.due < timer.due || (other.due === timer.due && other.order < timer.order)))
      low = middle + 1
    else high = middle
  }
  timers.splice(low, 0, timer)
}

export function clearTimer(timer: unknown): void {
  const known = timer instanceof Timeout ? timer : byNumber.get(Number(timer))
  if (known) {
    known.open = false
    byNumber.delete(known.order)
    const at = timers.indexOf(known)
    if (at >= 0) timers.splice(at, 1)
  }
  if (timer instanceof Immediate) timer.open = false
}

export function nextTick(callback: Callback, ...args: readonly unknown[]): void {
  const captured = captureContext(callback)
  ticks.push(() => captured(...args))
}

export const timerFunctions = {
  setTimeout: (callback: Callback, ms?: unknown, ...args: readonly unknown[]) =>
    new Timeout(callback, ms, args, false),
  setInterval: (callback: Callback, ms?: unknown, ...args: readonly unknown[]) =>
    new Timeout(callback, ms, args, true),
  setImmediate: (callback: Callback, ...args: readonly unknown[]) => {
    const immediate = new Immediate(callback, args)
    immediates.push(immediate)
    return immediate
  },
  clearTimeout: clearTimer,
  clearInterval: clearTimer,
  clearImmediate: clearTimer,
}

/** Runs pending ticks. Returns whether there were any. `failed` receives thrown errors. */
export function runTicks(failed: (error: unknown) => void): boolean {
  if (ticks.length === 0) return false
  while (ticks.length > 0) {
    const now = ticks
    ticks = []
    for (const tick of now) guarded(tick, failed)
  }
  return true
}

function guarded(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    call()
  } catch (error) {
    failed(error)
  }
}

/** Milliseconds until the next timer or immediate; negative if there is none. */
export function waitForNext(): number {
  if (immediates.length > 0) return 0
  if (!timers.some(({ counted }) => counted)) return -1
  return Math.max(0, (timers[0]?.due ?? 0) - elapsed())
}

/** Runs one due timer, or else one pending immediate, so that other work can run between two of them. */
export function runTurn(failed: (error: unknown) => void): void {
  const [timer] = timers
  if (timer && timer.due <= elapsed() + (immediates.length > 0 ? 1 : 0)) {
    timers.shift()
    if (timer.every === null) {
      timer.open = false
      byNumber.delete(timer.order)
    }
    guarded(() => timer.callback(...timer.args), failed)
    if (timer.every !== null && timer.open) {
      timer.due = elapsed() + timer.every
      insert(timer)
    }
    return
  }
  const immediate = immediates.shift()
  if (immediate?.open) guarded(() => immediate.callback(...immediate.args), failed)
}

/** Drops all timers, because an exit stops everything. */
export function stopTimers(): void {
  timers.length = 0
  immediates = []
  ticks = []
}
