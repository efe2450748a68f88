// Formats attributes and lists of variables as `declare` prints them.

import { AssociativeArray } from '../state/associative-array.ts'
import { IndexedList } from '../state/indexed-list.ts'
import type { Variable } from '../state/variables.ts'
import { quoteDouble } from '../syntax/quoting.ts'

/** The attributes as letters of `declare`. */
export function attributes(variable: Variable | undefined): string {
  if (!variable) return ''
  return [
    variable.value instanceof IndexedList ? 'a' : '',
    variable.value instanceof AssociativeArray ? 'A' : '',
    variable.reference ? 'n' : '',
    variable.integer ? 'i' : '',
    variable.letters === 'capital' ? 'c' : '',
    variable.letters === 'lower' ? 'l' : '',
    variable.readonly ? 'r' : '',
    variable.letters === 'upper' ? 'u' : '',
    variable.exported ? 'x' : '',
  ].join('')
}

/** Formats a list as `([0]="1" [2]="3")`. */
export function listSource(value: IndexedList | AssociativeArray): string {
  if (value instanceof IndexedList)
    return `(${value
      .indices()
      .map((index) => `[${index}]=${quoteDouble(value.get(index) ?? '')}`)
      .join(' ')})`
  return `(${value
    .keys()
    .map(
      (key) => `[${/^[\w./-]+$/.test(key) ? key : quoteDouble(key)}]=${quoteDouble(value.get(key) ?? '')} `,
    )
    .join('')})`
}
