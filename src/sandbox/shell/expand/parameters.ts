// Expands `$name` and `${…}`.

import type { Operation, Parameter } from '../syntax/tree.ts'
import { assign, assignElement, UnboundVariable, valueOf, variableText } from '../state/assign.ts'
import { AssociativeArray } from '../state/associative-array.ts'
import { CommandError, FailedAssignment } from '../state/flow.ts'
import { IndexedList } from '../state/indexed-list.ts'
import type { Shell } from '../state/shell.ts'
import { lengthOf, slice } from './characters.ts'
import { changeCase, compilePattern, fillReplacement, replace, trim } from './text-operations.ts'
import type { Sink } from './sinks.ts'
import {
  emit,
  keysOf,
  namesWith,
  shownName,
  targetOf,
  unboundName,
  type Target,
  type WordExpander,
} from './targets.ts'
import { transform } from './transforms.ts'

export async function expandParameter(
  shell: Shell,
  parameter: Parameter,
  sink: Sink,
  inDouble: boolean,
  words: WordExpander,
): Promise<void> {
  const { operation } = parameter
  if (operation?.kind === 'invalid') throw new CommandError(`${parameter.source}: bad substitution`)
  if (operation?.kind === 'names' || operation?.kind === 'keys') {
    const names =
      operation.kind === 'names' ? namesWith(shell, parameter.name) : keysOf(shell, parameter.name)
    const separate = operation.kind === 'names' ? operation.separate : parameter.subscript === '@'
    return sink.list(names, !separate, inDouble)
  }
  const target = await targetOf(shell, parameter, words)
  if (operation?.kind === 'default')
    return expandDefault(shell, parameter, target, operation, sink, inDouble, words)
  const { value } = target
  if (
    value === null &&
    operation?.kind !== 'transform' &&
    shell.options.isOn('nounset') &&
    target.list === null
  )
    throw new UnboundVariable(unboundName(parameter))
  if (operation?.kind === 'length') {
    const length = value === null ? 0 : typeof value === 'string' ? lengthOf(shell, value) : value.length
    return emit(String(length), sink, inDouble)
  }
  if (operation?.kind === 'transform')
    return transform(shell, parameter, target, operation.operator, sink, inDouble)
  if (target.list !== null) {
    const values = typeof value === 'string' ? [value] : (value ?? [])
    const after = operation ? await operateOnList(shell, target, values, operation, words) : values
    return sink.list(after, target.list === 'star', inDouble)
  }
  const text = typeof value === 'string' ? value : ''
  // In an unset variable nothing is replaced, not even an empty match.
  if (value === null && operation?.kind === 'replace') return emit('', sink, inDouble)
  emit(operation ? await operate(shell, text, operation, words) : text, sink, inDouble)
}

async function expandDefault(
  shell: Shell,
  parameter: Parameter,
  target: Target,
  { operator, orEmpty, word }: Extract<Operation, { kind: 'default' }>,
  sink: Sink,
  inDouble: boolean,
  words: WordExpander,
): Promise<void> {
  const { value } = target
  const text = value === null || typeof value === 'string' ? value : value.join(' ')
  const missing = text === null || (orEmpty && text === '')
  if (operator === '+') {
    if (!missing) return words.into(shell, word, sink, inDouble)
    return inDouble && target.list === null ? sink.quoted('') : undefined
  }
  if (!missing) {
    if (typeof value !== 'string' && value !== null) return sink.list(value, target.list === 'star', inDouble)
    return emit(text, sink, inDouble)
  }
  if (operator === '-') return words.into(shell, word, sink, inDouble)
  const given = await words.text(shell, word)
  if (operator === '?') {
    const message = word.source === '' ? `parameter ${orEmpty ? 'null or ' : ''}not set` : given
    throw new CommandError(`${shownName(parameter)}: ${message}`, 127)
  }
  if (!/^[A-Za-z_]/.test(target.name)) throw new CommandError(`$${target.name}: cannot assign in this way`)
  const isElement = target.list !== null || target.subscript !== null
  if (parameter.indirect && parameter.subscript === null && isElement)
    throw new CommandError(`${variableText(shell, parameter.name) ?? ''}: invalid variable name`)
  try {
    if (target.list !== null) assignWhole(shell, parameter, given)
    else if (target.subscript === null) assign(shell, target.name, given)
    else assignElement(shell, target.name, target.subscript, given)
  } catch (error) {
    throw error instanceof CommandError ? new FailedAssignment(error.message) : error
  }
  emit(given, sink, inDouble)
}

/** For `${a[@]:=x}`: only an associative array can store the value, under the key `@` or `*`. */
function assignWhole(shell: Shell, parameter: Parameter, text: string): void {
  const { name, subscript } = parameter
  if (!(valueOf(shell, name) instanceof AssociativeArray))
    throw new CommandError(`${shownName(parameter)}: bad array subscript`)
  assignElement(shell, name, subscript === '*' ? '*' : '@', text)
}

async function operate(
  shell: Shell,
  text: string,
  operation: Operation,
  words: WordExpander,
): Promise<string> {
  if (operation.kind === 'substring') return substring(shell, text, operation, words)
  const change = await changeOf(shell, operation, words)
  return change(text)
}

/** Returns the function that an operation applies to one text. */
async function changeOf(
  shell: Shell,
  operation: Operation,
  words: WordExpander,
): Promise<(text: string) => string> {
  const rules = { extended: shell.options.isOn('extglob'), ignoreCase: false }
  if (operation.kind === 'trim') {
    const pattern = compilePattern(await words.pattern(shell, operation.pattern), rules)
    return (text) => trim(text, operation.operator, pattern)
  }
  if (operation.kind === 'replace') {
    const ignoreCase = shell.options.isOn('nocasematch')
    const pattern = compilePattern(await words.pattern(shell, operation.pattern), { ...rules, ignoreCase })
    const fills = shell.options.isOn('patsub_replacement')
    const { replacement: word } = operation
    const replacement = word ? await words[fills ? 'replacement' : 'text'](shell, word) : ''
    return (text) => {
      const after = replace(text, operation.where, pattern, (matched) =>
        fills ? fillReplacement(replacement, matched) : replacement,
      )
      shell.host.held(after.length)
      return after
    }
  }
  if (operation.kind === 'case') {
    const pattern = operation.pattern
      ? compilePattern(await words.pattern(shell, operation.pattern), rules)
      : null
    return (text) => changeCase(text, operation.operator, pattern)
  }
  return (text) => text
}

async function operateOnList(
  shell: Shell,
  target: Target,
  values: readonly string[],
  operation: Operation,
  words: WordExpander,
): Promise<readonly string[]> {
  if (operation.kind !== 'substring') {
    const change = await changeOf(shell, operation, words)
    return values.map((value) => change(value))
  }
  const positional = target.name === '@' || target.name === '*'
  const offset = Number(await words.arithmetic(shell, operation.offset))
  const length = operation.length ? Number(await words.arithmetic(shell, operation.length)) : null
  if (length !== null && length < 0)
    throw new CommandError(`${operation.length?.source ?? ''}: substring expression < 0`)
  const count = length ?? Infinity
  if (positional) {
    const all = [shell.name, ...values]
    const from = offset < 0 ? all.length + offset : offset
    return from < 0 ? [] : all.slice(from, from + count)
  }
  const stored = valueOf(shell, target.name)
  if (!(stored instanceof IndexedList)) {
    const from = offset < 0 ? values.length + offset : offset
    return from < 0 ? [] : values.slice(from, from + count)
  }
  const from = offset < 0 ? stored.end + offset : offset
  if (from < 0) return []
  return stored
    .indices()
    .filter((index) => index >= from)
    .slice(0, count)
    .map((index) => stored.get(index) ?? '')
}

async function substring(
  shell: Shell,
  text: string,
  { offset, length }: Extract<Operation, { kind: 'substring' }>,
  words: WordExpander,
): Promise<string> {
  const size = lengthOf(shell, text)
  const first = Number(await words.arithmetic(shell, offset))
  const from = first < 0 ? size + first : first
  const count = length ? Number(await words.arithmetic(shell, length)) : Infinity
  if (from < 0 || from > size) return ''
  const to = count < 0 ? size + count : from + count
  if (to < from) throw new CommandError(`${length?.source ?? ''}: substring expression < 0`)
  return slice(shell, text, from, to)
}
