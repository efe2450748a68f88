// The object `console`: writes text formatted as in Node to the two output streams.

import { formatWithOptions, inspect } from './library/inspect.ts'

import { tableOf } from './console-table.ts'
import { polish } from './base/errors.ts'
import { print } from './process.ts'
import { elapsed } from './base/timers.ts'

type Args = readonly unknown[]

export function format(...args: Args): string {
  for (const arg of args) polish(arg)
  return formatWithOptions({}, ...args)
}

export class Console {
  #indent = ''
  readonly #counts = new Map<string, number>()
  readonly #times = new Map<string, number>()
  readonly #out: (text: string) => void
  readonly #error: (text: string) => void

  constructor(out: unknown, error?: unknown) {
    // The cast is safe: the argument is a stream, or an object that contains the streams.
    const streams = (
      typeof out === 'object' && out !== null && 'stdout' in out ? out : { stdout: out, stderr: error }
    ) as {
      stdout?: { write(text: string): void }
      stderr?: { write(text: string): void }
    }
    this.#out = (text) => (streams.stdout ? streams.stdout.write(text) : print(1, text))
    this.#error = (text) => (streams.stderr ? streams.stderr.write(text) : print(2, text))
    for (const name of Object.getOwnPropertyNames(Console.prototype)) {
      // The cast is safe: these are methods looked up by name, bound as in Node.
      const own = this as unknown as Record<string, unknown>
      const method = own[name]
      if (name !== 'constructor' && typeof method === 'function')
        Object.defineProperty(this, name, {
          value: method.bind(this),
          writable: true,
          configurable: true,
          enumerable: true,
        })
    }
  }

  #line(write: (text: string) => void, text: string): void {
    write(`${this.#indent === '' ? text : this.#indent + text.replaceAll('\n', `\n${this.#indent}`)}\n`)
  }

  log(...args: Args): void {
    this.#line(this.#out, format(...args))
  }

  info(...args: Args): void {
    this.#line(this.#out, format(...args))
  }

  debug(...args: Args): void {
    this.#line(this.#out, format(...args))
  }

  error(...args: Args): void {
    this.#line(this.#error, format(...args))
  }

  warn(...args: Args): void {
    this.#line(this.#error, format(...args))
  }

  trace(...args: Args): void {
    const text = format(...args)
    this.#line(
      this.#error,
      `${`Trace: ${text}`.trimEnd()}\n${String(new Error('x').stack).replace(/^.*\n/, '')}`,
    )
  }

  dir(value: unknown, options?: object): void {
    this.#line(this.#out, inspect(value, { customInspect: false, ...options }))
  }

  dirxml(...args: Args): void {
    this.log(...args)
  }

  assert(condition?: unknown, ...args: Args): void {
    if (condition) return
    const [first, ...rest] = args
    if (typeof first === 'string') this.error(`Assertion failed: ${first}`, ...rest)
    else this.error(...(args.length === 0 ? ['Assertion failed'] : ['Assertion failed:', ...args]))
  }

  group(...args: Args): void {
    if (args.length > 0) this.log(...args)
    this.#indent += '  '
  }

  groupCollapsed(...args: Args): void {
    this.group(...args)
  }

  groupEnd(): void {
    this.#indent = this.#indent.slice(2)
  }

  count(label = 'default'): void {
    const count = (this.#counts.get(label) ?? 0) + 1
    this.#counts.set(label, count)
    this.log(`${label}: ${count}`)
  }

  countReset(label = 'default'): void {
    this.#counts.delete(label)
  }

  time(label = 'default'): void {
    this.#times.set(label, elapsed())
  }

  timeEnd(label = 'default'): void {
    this.timeLog(label)
    this.#times.delete(label)
  }

  timeLog(label = 'default', ...args: Args): void {
    const began = this.#times.get(label)
    if (began !== undefined) this.log(`${label}: ${(elapsed() - began).toFixed(3)}ms`, ...args)
  }

  table(rows: unknown, columns?: readonly string[]): void {
    if (typeof rows !== 'object' || rows === null) return this.log(rows)
    this.log(tableOf(rows, columns))
  }
}
