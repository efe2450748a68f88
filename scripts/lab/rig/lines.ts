// Formats figures as rows of a table, each with its target, as text or Markdown. Pure.

import { formatColumns } from '../../lib/columns.ts'

import type { Figures } from './stats.ts'

export interface FigureLine {
  readonly what: string
  readonly figure: string
  readonly goal: string
  /** Whether the target is met; null if there is no target. */
  readonly met: boolean | null
}

/** The result of a part of the benchmark: rows of the table, and their figures. */
export interface PartResult {
  readonly lines: readonly FigureLine[]
  readonly figures: unknown
}

/** Reports progress. */
export type ReportProgress = (text: string) => void

export const ms = (value: number, digits = 1): string => `${value.toFixed(digits)} ms`
export const secondsOf = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`
export const times = (value: number): string => `${value.toFixed(2)} ×`
export const amount = (count: number): string => count.toLocaleString('en-US')
/** Formats a difference, such as `+ 3.1 ms` or `− 2 MB`. */
export const withSign = (value: number, unit: string, digits: number): string =>
  `${value < 0 ? '−' : '+'} ${Math.abs(value).toFixed(digits)} ${unit}`

export function spread({ median, p99 }: Figures): string {
  return `${ms(median)} · p99 ${ms(p99)}`
}

/** A figure without a target. */
export function plain(what: string, figure: string): FigureLine {
  return { what, figure, goal: '', met: null }
}

export function line(what: string, figure: string, goal: string, met: boolean): FigureLine {
  return { what, figure, goal, met }
}

/** A figure with a maximum, in its unit. */
export function under(what: string, figure: string, value: number, limit: number, unit: string): FigureLine {
  return line(what, figure, `≤ ${limit} ${unit}`, value <= limit)
}

/** Median and p99, each with a maximum. */
export function withinBoth(what: string, taken: Figures, [p50, p99]: readonly [number, number]): FigureLine {
  const met = taken.median <= p50 && taken.p99 <= p99
  return line(what, spread(taken), `≤ ${p50} · ${p99} ms`, met)
}

/** The waiting time of trivial requests while other work runs. */
export function waiting(what: string, taken: Figures, limit: number): FigureLine {
  const name = `small request beside ${what}`
  return line(name, spread(taken), `p99 ≤ ${limit} ms`, taken.p99 <= limit)
}

const VERDICTS = new Map([
  [true, 'met'],
  [false, 'missed'],
])

function cellsOf({ what, figure, goal, met }: FigureLine): readonly string[] {
  return [what, figure, goal, (met !== null && VERDICTS.get(met)) || '']
}

export function linesAsText(lines: readonly FigureLine[]): string {
  return formatColumns(lines.map(cellsOf), new Set()).join('\n')
}

/** A Markdown table of three columns, with a verdict after each goal. */
export function linesAsMarkdown(lines: readonly FigureLine[]): string {
  const rows = lines.map((one) => {
    const [what, figure, goal, verdict] = cellsOf(one)
    return `| ${what} | ${figure} | ${verdict === '' ? '' : `${goal}: ${verdict}`} |`
  })
  return ['| measured | figure | goal |', '|---|---|---|', ...rows].join('\n')
}
