// Transformations such as `${name@Q}`.

import { Unsupported } from '../../commands/command.ts'
import { unescape } from '../syntax/ansi.ts'
import type { Parameter } from '../syntax/tree.ts'
import { resolved, UnboundVariable } from '../state/assign.ts'
import { AssociativeArray } from '../state/associative-array.ts'
import type { Shell } from '../state/shell.ts'
import type { Variable } from '../state/variables.ts'
import { attributes, listSource } from './attributes.ts'
import { quoteDouble, quoteSingle } from '../syntax/quoting.ts'
import type { Sink } from './sinks.ts'
import { emit, keysOf, unboundName, type Target } from './targets.ts'
import { changeCase, lower, upper } from './text-operations.ts'

export function transform(
  shell: Shell,
  parameter: Parameter,
  target: Target,
  operator: string,
  sink: Sink,
  inDouble: boolean,
): void {
  const variable = shell.variables.find(resolved(shell, target.name))
  if (operator === 'a') {
    const letters = attributes(variable)
    return target.list === null
      ? emit(letters, sink, inDouble)
      : sink.list([letters], target.list === 'star', inDouble)
  }
  if (target.value === null) {
    if (shell.options.isOn('nounset') && target.list === null)
      throw new UnboundVariable(unboundName(parameter))
    return inDouble && target.list === null ? sink.quoted('') : undefined
  }
  if (operator === 'A') return emit(assignment(target, variable), sink, inDouble)
  if ((operator === 'K' || operator === 'k') && target.list !== null) {
    const keys = keysOf(shell, target.name)
    const values = typeof target.value === 'string' ? [target.value] : target.value
    const pairs = keys.flatMap((key, index) =>
      operator === 'k' ? [key, values[index] ?? ''] : [`${key} ${quoteDouble(values[index] ?? '')}`],
    )
    // Each pair of an associative array ends with a blank.
    const end = variable?.value instanceof AssociativeArray ? ' ' : ''
    return operator === 'k'
      ? sink.list(pairs, target.list === 'star', inDouble)
      : emit(pairs.join(' ') + end, sink, inDouble)
  }
  const change = (text: string): string => transformed(text, operator)
  if (typeof target.value === 'string') emit(change(target.value), sink, inDouble)
  else sink.list(target.value.map(change), target.list === 'star', inDouble)
}

function transformed(text: string, operator: string): string {
  switch (operator) {
    case 'U':
      return upper(text)
    case 'u':
      return changeCase(text, '^', null)
    case 'L':
      return lower(text)
    case 'E':
      return unescape(text, { quotes: true, zeroOctal: false }).text
    case 'P':
      if (/[\\$`]/.test(text)) throw new Unsupported('bash: ${name@P}', 'eval, or printf')
      return text
    default:
      return quoteSingle(text)
  }
}

/** Formats `declare -a a=([0]="1")`, or `x='1'`. */
function assignment({ name, value }: Target, variable: Variable | undefined): string {
  const letters = attributes(variable)
  if (variable && variable.value !== null && typeof variable.value !== 'string')
    return `declare -${letters} ${name}=${listSource(variable.value)}`
  const text = `${name}=${quoteSingle(typeof value === 'string' ? value : (value ?? []).join(' '))}`
  return letters === '' ? text : `declare -${letters} ${text}`
}
