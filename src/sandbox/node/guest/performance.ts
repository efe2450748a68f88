// node:perf_hooks: the clock and its entries. Observers are not supported.

import { unavailable } from './base/errors.ts'
import { tried } from './base/host.ts'
import { elapsed } from './base/timers.ts'
import { DOMException } from './base/web-errors.ts'

const ORIGIN = Number(tried('now'))

class PerformanceEntry {
  readonly name: string
  readonly entryType: string
  readonly startTime: number
  readonly duration: number
  readonly detail: unknown

  constructor(name: string, entryType: string, startTime: number, duration: number, detail: unknown = null) {
    this.name = name
    this.entryType = entryType
    this.startTime = startTime
    this.duration = duration
    this.detail = detail
  }

  toJSON(): object {
    const { name, entryType, startTime, duration, detail } = this
    return { name, entryType, startTime, duration, detail }
  }
}
class PerformanceMark extends PerformanceEntry {}
class PerformanceMeasure extends PerformanceEntry {}

let entries: PerformanceEntry[] = []

interface MarkOptions {
  readonly startTime?: number
  readonly detail?: unknown
}
interface MeasureOptions {
  readonly start?: string | number
  readonly end?: string | number
  readonly duration?: number
  readonly detail?: unknown
}

/** The time of the last mark with a name; a number is already a time. */
function timeOf(mark: string | number): number {
  if (typeof mark === 'number') return mark
  const found = entries.findLast((entry) => entry.entryType === 'mark' && entry.name === mark)
  if (found) return found.startTime
  throw new DOMException(`The "${mark}" performance mark has not been set`, 'SyntaxError')
}

function added<T extends PerformanceEntry>(entry: T): T {
  entries.push(entry)
  return entry
}

function cleared(type: string, name: string | undefined): void {
  entries = entries.filter((entry) => entry.entryType !== type || (name !== undefined && entry.name !== name))
}

const sorted = (): PerformanceEntry[] => entries.toSorted((a, b) => a.startTime - b.startTime)

export const performance = {
  now: () => elapsed(),
  timeOrigin: ORIGIN,
  nodeTiming: { name: 'node', entryType: 'node', startTime: 0 },
  mark: (name: string, options: MarkOptions = {}) =>
    added(new PerformanceMark(name, 'mark', options.startTime ?? elapsed(), 0, options.detail)),
  measure: (name: string, from?: string | MeasureOptions, to?: string) => {
    const options: MeasureOptions =
      typeof from === 'object'
        ? from
        : { ...(from === undefined ? {} : { start: from }), ...(to === undefined ? {} : { end: to }) }
    const end = options.end === undefined ? undefined : timeOf(options.end)
    const start = options.start === undefined ? 0 : timeOf(options.start)
    const until = end ?? (options.duration === undefined ? elapsed() : start + options.duration)
    return added(new PerformanceMeasure(name, 'measure', start, until - start, options.detail))
  },
  clearMarks: (name?: string) => cleared('mark', name),
  clearMeasures: (name?: string) => cleared('measure', name),
  getEntries: sorted,
  getEntriesByName: (name: string, type?: string) =>
    sorted().filter((entry) => entry.name === name && (type === undefined || entry.entryType === type)),
  getEntriesByType: (type: string) => sorted().filter((entry) => entry.entryType === type),
  eventLoopUtilization: () => ({ idle: 0, active: elapsed(), utilization: 1 }),
  timerify: (call: unknown) => call,
  toJSON: () => ({ timeOrigin: ORIGIN }),
}

class PerformanceObserver {
  static readonly supportedEntryTypes: readonly string[] = []

  constructor() {
    throw unavailable('PerformanceObserver is not available: use performance.getEntries after the work')
  }
}

export const performanceModule = {
  performance,
  PerformanceEntry,
  PerformanceMark,
  PerformanceMeasure,
  PerformanceObserver,
  constants: {},
}
