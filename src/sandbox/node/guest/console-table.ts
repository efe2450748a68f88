// Formats console.table as in Node, whose own code draws the lines.

import { inspect } from './library/inspect.ts'
import { library } from './library/library.ts'

// The cast is safe: this is Node's function.
const drawTable = library('internal/cli_table') as (
  head: readonly string[],
  columns: readonly unknown[],
) => string

const INDEX = '(index)'
const ITERATION_INDEX = '(iteration index)'
const KEY = 'Key'
const VALUES = 'Values'

function shown(value: unknown): string {
  const isLarge =
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 2
  return inspect(value, { depth: isLarge ? -1 : 0, maxArrayLength: 3, breakLength: Number.POSITIVE_INFINITY })
}

/** `columns` limits the columns to these. */
export function tableOf(rows: object, columns?: readonly string[]): string {
  if (rows instanceof Map) {
    const [keys, values] = [[...rows.keys()].map(shown), [...rows.values()].map(shown)]
    return drawTable([ITERATION_INDEX, KEY, VALUES], [keys.map((_, at) => shown(at)), keys, values])
  }
  if (rows instanceof Set) {
    const values = [...rows].map(shown)
    return drawTable([ITERATION_INDEX, VALUES], [values.map((_, at) => shown(at)), values])
  }
  const cells = new Map<string, string[]>()
  const values: string[] = []
  const names = Object.keys(rows)
  names.forEach((name, at) => {
    const row: unknown = Reflect.get(rows, name)
    const isPlain = row === null || (typeof row !== 'object' && typeof row !== 'function')
    if (isPlain && columns === undefined) {
      values[at] = shown(row)
      return
    }
    for (const column of columns ?? Object.keys(row as object)) {
      const known = cells.get(column) ?? []
      cells.set(column, known)
      // The cast is safe: a row that is not an object has no columns.
      known[at] =
        isPlain || !Object.hasOwn(row as object, column) ? '' : shown(Reflect.get(row as object, column))
    }
  })
  const head = [INDEX, ...cells.keys(), ...(values.length > 0 ? [VALUES] : [])]
  return drawTable(head, [names, ...cells.values(), ...(values.length > 0 ? [values] : [])])
}
