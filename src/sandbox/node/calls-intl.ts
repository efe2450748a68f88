// Provides Intl to the guest with the Intl of the host engine, because QuickJS has none. Requests and results
// are JSON.

import { NODE_INTL_MAX_CHARS } from './call/limits.ts'

import type { CallResult } from './call/call.ts'

/** The formatter, its locales, the method and its arguments. Dates are milliseconds. */
interface Request {
  readonly kind: string
  readonly locales?: string | string[]
  readonly options?: object
  readonly method: string
  readonly args: readonly unknown[]
}

interface Formatter {
  readonly [method: string]: unknown
}

const CONSTRUCTORS: Readonly<
  Record<string, (locales: string | string[] | undefined, options: object) => object>
> = {
  NumberFormat: (locales, options) => new Intl.NumberFormat(locales, options),
  DateTimeFormat: (locales, options) => new Intl.DateTimeFormat(locales, { timeZone: 'UTC', ...options }),
  Collator: (locales, options) => new Intl.Collator(locales, options),
  PluralRules: (locales, options) => new Intl.PluralRules(locales, options),
  ListFormat: (locales, options) => new Intl.ListFormat(locales, options),
  // The casts are safe: options come from a guest, and the constructor validates them.
  RelativeTimeFormat: (locales, options) => new Intl.RelativeTimeFormat(locales, options),
  DisplayNames: (locales, options) => new Intl.DisplayNames(locales, options as Intl.DisplayNamesOptions),
  Segmenter: (locales, options) => new Intl.Segmenter(locales, options),
  Date: () => new Date(0),
}
const METHODS = new Set([
  'format',
  'formatToParts',
  'formatRange',
  'compare',
  'select',
  'of',
  'segment',
  'resolvedOptions',
])
const DATE_METHODS = new Set(['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'])
/**
 * Caches formatters, because creating one takes a hundred times as long as using it. They contain no data of
 * a job.
 */
const CACHED_FORMATTERS_MAX = 32
const cachedFormatters = new Map<string, object>()

/** `charge` is called for each formatter that is created. */
export function intlCall(request: string, charge: () => void): CallResult {
  try {
    if (request.length > NODE_INTL_MAX_CHARS)
      throw new RangeError(`Intl accepts up to ${NODE_INTL_MAX_CHARS} characters at once: pass smaller parts`)
    // The cast is safe: the guest code sends this, and anything else is refused below.
    const { kind, locales, options = {}, method, args } = JSON.parse(request) as Request
    if (kind === 'Date') charge()
    if (kind === 'Date') return dateCall(method, Number(args[0]), locales, options)
    const formatter = formatterOf(kind, locales, options, charge)
    const call = formatter[method]
    if (!METHODS.has(method) || typeof call !== 'function') throw new TypeError(`${kind} has no ${method}`)
    // The cast is safe: `call` is a method of Intl, looked up by name.
    const answer: unknown = Reflect.apply(call, formatter, [...args])
    return JSON.stringify(kind === 'Segmenter' && method === 'segment' ? segmentsOf(answer) : answer)
  } catch (error) {
    const code = error instanceof RangeError ? 'RangeError' : 'TypeError'
    return { failed: { code, message: error instanceof Error ? error.message : '' } }
  }
}

function dateCall(method: string, ms: number, locales: Request['locales'], options: object): CallResult {
  if (!DATE_METHODS.has(method)) throw new TypeError(`Date has no ${method}`)
  const date = new Date(ms)
  const dateOptions: Intl.DateTimeFormatOptions = { timeZone: 'UTC', ...options }
  if (method === 'toLocaleDateString') return JSON.stringify(date.toLocaleDateString(locales, dateOptions))
  if (method === 'toLocaleTimeString') return JSON.stringify(date.toLocaleTimeString(locales, dateOptions))
  return JSON.stringify(date.toLocaleString(locales, dateOptions))
}

function formatterOf(
  kind: string,
  locales: Request['locales'],
  options: object,
  charge: () => void,
): Formatter {
  const key = JSON.stringify([kind, locales, options])
  let formatter = cachedFormatters.get(key)
  if (!formatter) {
    const construct = Object.hasOwn(CONSTRUCTORS, kind) ? CONSTRUCTORS[kind] : undefined
    if (!construct) throw new TypeError(`Intl.${kind} is not available`)
    charge()
    formatter = construct(locales, options)
    if (cachedFormatters.size >= CACHED_FORMATTERS_MAX) cachedFormatters.clear()
    cachedFormatters.set(key, formatter)
  }
  // The cast is safe: the formatter was looked up by name and checked.
  return formatter as Formatter
}

function segmentsOf(segments: unknown): unknown {
  // The cast is safe: this is the result of Intl.Segmenter.
  return [...(segments as Iterable<{ segment: string; index: number; isWordLike?: boolean }>)].map(
    ({ segment, index, isWordLike }) => ({ segment, index, isWordLike }),
  )
}
