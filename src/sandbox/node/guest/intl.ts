// Intl and locale-dependent methods, implemented by the host. The time zone is UTC, and the default locale is en-US.

import { failure, tried } from './base/host.ts'

type Locales = string | readonly string[] | undefined

function hostIntl(
  kind: string,
  locales: Locales,
  options: object | undefined,
  method: string,
  args: readonly unknown[],
): unknown {
  const answer = tried('intl', JSON.stringify({ kind, locales, options, method, args }))
  if (answer !== null) return answer === undefined ? undefined : JSON.parse(String(answer))
  const { code, message } = failure()
  throw code === 'RangeError' ? new RangeError(message) : new TypeError(message)
}

/** Converts a date to milliseconds, and a bigint to text, which formatters also accept. */
function plain(value: unknown): unknown {
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new RangeError('Invalid time value')
    return value.getTime()
  }
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return value
}

const METHODS: Readonly<Record<string, readonly string[]>> = {
  NumberFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions'],
  DateTimeFormat: ['format', 'formatToParts', 'formatRange', 'resolvedOptions'],
  Collator: ['compare', 'resolvedOptions'],
  PluralRules: ['select', 'resolvedOptions'],
  ListFormat: ['format', 'formatToParts', 'resolvedOptions'],
  RelativeTimeFormat: ['format', 'formatToParts', 'resolvedOptions'],
  DisplayNames: ['of', 'resolvedOptions'],
  Segmenter: ['segment', 'resolvedOptions'],
}

function formatter(kind: string, methods: readonly string[]): unknown {
  const made = function (this: unknown, locales?: Locales, options?: object): object {
    const self = new.target ? (this as object) : Object.create(made.prototype as object)
    hostIntl(kind, locales, options, 'resolvedOptions', [])
    for (const method of methods) {
      const call = (...args: readonly unknown[]): unknown => {
        const now =
          kind === 'DateTimeFormat' && method.startsWith('format') && args[0] === undefined
            ? [Date.now()]
            : args
        return hostIntl(
          kind,
          locales,
          options,
          method,
          now.map((arg) =>
            Array.isArray(arg)
              ? arg
              : typeof arg === 'object' && arg !== null && Symbol.iterator in arg
                ? [...(arg as Iterable<unknown>)]
                : plain(arg),
          ),
        )
      }
      Object.defineProperty(self, method, { value: call, enumerable: false })
    }
    return self
  }
  Object.defineProperty(made, 'name', { value: kind })
  Object.assign(made, {
    supportedLocalesOf: (locales: Locales) => (typeof locales === 'string' ? [locales] : (locales ?? [])),
  })
  return made
}

function method(
  owner: object,
  name: string,
  call: (this: unknown, ...args: readonly never[]) => unknown,
): void {
  Object.defineProperty(owner, name, { value: call, writable: true, configurable: true, enumerable: false })
}

/**
 * Maximum length of texts passed to the host, which accepts no more. Longer texts are compared from their first
 * difference.
 */
const COMPARED_CHARS = 16_384

function comparable(one: string, other: string): readonly [string, string] {
  if (Math.max(one.length, other.length) <= COMPARED_CHARS) return [one, other]
  let [same, differ] = [0, Math.min(one.length, other.length)]
  if (other.startsWith(one.slice(0, differ))) same = differ
  // Binary search: the engine compares slices far faster than a loop here.
  while (differ - same > 1) {
    const middle = (same + differ) >> 1
    if (one.slice(same, middle) === other.slice(same, middle)) same = middle
    else differ = middle
  }
  // Start a little earlier, because a combining mark belongs to the letter before it.
  const from = Math.max(0, same - 32)
  return [one.slice(from, from + COMPARED_CHARS), other.slice(from, from + COMPARED_CHARS)]
}

export function installIntl(): void {
  const intl = Object.fromEntries(
    Object.entries(METHODS).map(([kind, methods]) => [kind, formatter(kind, methods)]),
  )
  Object.defineProperty(globalThis, 'Intl', {
    value: {
      ...intl,
      getCanonicalLocales: (locales: Locales) => (typeof locales === 'string' ? [locales] : (locales ?? [])),
    },
    writable: true,
    configurable: true,
  })
  const number = function (this: unknown, locales?: Locales, options?: object): unknown {
    return hostIntl('NumberFormat', locales, options, 'format', [plain((this as number | bigint).valueOf())])
  }
  method(Number.prototype, 'toLocaleString', number)
  method(BigInt.prototype, 'toLocaleString', number)
  method(
    String.prototype,
    'localeCompare',
    function (this: unknown, other: string, locales?: Locales, options?: object) {
      return hostIntl('Collator', locales, options, 'compare', comparable(String(this), String(other)))
    },
  )
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
    method(Date.prototype, name, function (this: unknown, locales?: Locales, options?: object) {
      const ms = (this as Date).getTime()
      return Number.isNaN(ms) ? 'Invalid Date' : hostIntl('Date', locales, options, name, [ms])
    })
}
