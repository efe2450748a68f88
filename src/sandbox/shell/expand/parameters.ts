// Expands `$name` and `${…}`.

import { Unsupported } from '../../commands/command.ts'
import { unescape } from '../syntax/ansi.ts'
import type { Operation, Parameter, Word } from '../syntax/tree.ts'
import { assign, assignElement, elementOf, resolved, UnboundVariable, valueOf } from '../state/assign.ts'
import { AssociativeArray } from '../state/associative-array.ts'
import { CommandError } from '../state/flow.ts'
import { IndexedList } from '../state/indexed-list.ts'
import type { Shell } from '../state/shell.ts'
import { byCodePoints, type Variable } from '../state/variables.ts'
import { lengthOf, slice } from './characters.ts'
import { quoteDouble, quoteSingle } from './quoting.ts'
import { changeCase, compilePattern, fillReplacement, lower, replace, trim, upper } from './text-operations.ts'
import type { Sink } from './sinks.ts'

/** The expansions of words, which parameters contain. */
export interface WordExpander {
  text(shell: Shell, word: Word): Promise<string>
  pattern(shell: Shell, word: Word): Promise<string>
  replacement(shell: Shell, word: Word): Promise<string>
  arithmetic(shell: Shell, word: Word): Promise<bigint>
  /** Expands a word into a sink, as a part of the word around it. */
  into(shell: Shell, word: Word, sink: Sink, inDouble: boolean): Promise<void>
}

/** What a parameter refers to. */
interface Target {
  readonly name: string
  /** Expanded; null for a whole variable. */
  readonly subscript: string | null
  /** Set for `$@`, `$*`, `${array[@]}` and `${array[*]}`. */
  readonly list: 'at' | 'star' | null
  /** Null if it is not set. */
  readonly value: string | readonly string[] | null
}

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
    const names = operation.kind === 'names' ? namesWith(shell, parameter.name) : keysOf(shell, parameter.name)
    const separate = operation.kind === 'names' ? operation.separate : parameter.subscript === '@'
    return sink.list(names, !separate, inDouble)
  }
  const target = await targetOf(shell, parameter, words)
  if (operation?.kind === 'default') return expandDefault(shell, parameter, target, operation, sink, inDouble, words)
  const { value } = target
  if (value === null && operation?.kind !== 'transform' && shell.options.has('nounset') && target.list === null)
    throw new UnboundVariable(shownName(parameter))
  if (operation?.kind === 'length') {
    const length = value === null ? 0 : typeof value === 'string' ? lengthOf(shell, value) : value.length
    return emit(String(length), sink, inDouble)
  }
  if (operation?.kind === 'transform') return transform(shell, parameter, target, operation.operator, sink, inDouble)
  if (target.list !== null) {
    const values = typeof value === 'string' ? [value] : (value ?? [])
    const after = operation ? await operateOnList(shell, target, values, operation, words) : values
    return sink.list(after, target.list === 'star', inDouble)
  }
  const text = typeof value === 'string' ? value : ''
  emit(operation ? await operate(shell, text, operation, words) : text, sink, inDouble)
}

function emit(text: string, sink: Sink, inDouble: boolean): void {
  if (inDouble) sink.quoted(text)
  else sink.result(text)
}

function shownName({ name, subscript }: Parameter): string {
  if (subscript === null) return name
  return `${name}[${typeof subscript === 'string' ? subscript : subscript.source}]`
}

async function targetOf(shell: Shell, parameter: Parameter, words: WordExpander): Promise<Target> {
  const { name, subscript, indirect } = parameter
  const key =
    subscript === null || typeof subscript === 'string' ? subscript : await words.text(shell, subscript)
  const list = typeof subscript === 'string' ? subscript : null
  const direct = read(shell, name, list === null ? key : null, list)
  if (!indirect) return direct
  if (shell.variables.find(name)?.reference) return { ...direct, value: resolved(shell, name), list: null }
  const { value } = direct
  if (typeof value !== 'string') {
    if (parameter.operation?.kind === 'default') return { ...direct, value: null }
    throw new CommandError(`${name}: invalid indirect expansion`)
  }
  const [, pointed = '', inner] = /^([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(?:\[(.*)\])?$/s.exec(value) ?? []
  if (pointed === '') throw new CommandError(`${value}: invalid variable name`)
  const whole = inner === '@' || inner === '*' ? inner : null
  return read(shell, pointed, whole === null ? (inner ?? null) : null, whole)
}

function read(shell: Shell, name: string, subscript: string | null, list: '@' | '*' | null): Target {
  const kind = list === '@' ? 'at' : list === '*' ? 'star' : null
  if (name === '@' || name === '*')
    return { name, subscript: null, list: name === '@' ? 'at' : 'star', value: shell.positional.length > 0 ? shell.positional : null }
  const special = specialValue(shell, name)
  if (special !== undefined) return { name, subscript: null, list: null, value: special }
  const value = valueOf(shell, name)
  if (kind !== null) {
    const values = value === null || typeof value === 'string' ? (value === null ? [] : [value]) : value.values()
    return { name, subscript: null, list: kind, value: values.length > 0 ? values : null }
  }
  if (subscript !== null) return { name, subscript, list: null, value: elementOf(shell, name, subscript) }
  if (value instanceof IndexedList) return { name, subscript: null, list: null, value: value.get(0) ?? null }
  if (value instanceof AssociativeArray) return { name, subscript: null, list: null, value: value.get('0') ?? null }
  return { name, subscript: null, list: null, value }
}

/** Undefined if `name` is a variable. */
export function specialValue(shell: Shell, name: string): string | null | undefined {
  if (/^[0-9]+$/.test(name)) {
    const index = Number(name)
    return index === 0 ? shell.name : (shell.positional[index - 1] ?? null)
  }
  switch (name) {
    case '#':
      return String(shell.positional.length)
    case '?':
      return String(shell.status)
    case '$':
      return String(shell.processId)
    case '!':
      return shell.lastJob === null ? null : String(shell.lastJob.id)
    case '-':
      return shell.options.letters(shell.fromArgument)
    case '_':
      return shell.lastArgument
    default:
      return undefined
  }
}

function namesWith(shell: Shell, prefix: string): string[] {
  return shell.variables.names().filter((name) => name.startsWith(prefix)).sort(byCodePoints)
}

function keysOf(shell: Shell, name: string): string[] {
  const value = valueOf(shell, name)
  if (value === null) return []
  if (typeof value === 'string') return ['0']
  return value instanceof IndexedList ? value.indices().map(String) : [...value.keys()]
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
  if (target.subscript === null) assign(shell, target.name, given)
  else assignElement(shell, target.name, target.subscript, given)
  emit(given, sink, inDouble)
}

async function operate(shell: Shell, text: string, operation: Operation, words: WordExpander): Promise<string> {
  if (operation.kind === 'substring') return substring(shell, text, operation, words)
  const change = await changeOf(shell, operation, words)
  return change(text)
}

/** What an operation does with one text. */
async function changeOf(shell: Shell, operation: Operation, words: WordExpander): Promise<(text: string) => string> {
  const rules = { extended: shell.options.has('extglob'), ignoreCase: false }
  if (operation.kind === 'trim') {
    const pattern = compilePattern(await words.pattern(shell, operation.pattern), rules)
    return (text) => trim(text, operation.operator, pattern)
  }
  if (operation.kind === 'replace') {
    const ignoreCase = shell.options.has('nocasematch')
    const pattern = compilePattern(await words.pattern(shell, operation.pattern), { ...rules, ignoreCase })
    const replacement = operation.replacement ? await words.replacement(shell, operation.replacement) : ''
    return (text) => {
      const after = replace(text, operation.where, pattern, (matched) => fillReplacement(replacement, matched))
      shell.host.held(after.length)
      return after
    }
  }
  if (operation.kind === 'case') {
    const pattern = operation.pattern ? compilePattern(await words.pattern(shell, operation.pattern), rules) : null
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
  if (length !== null && length < 0) throw new CommandError(`${operation.length?.source ?? ''}: substring expression < 0`)
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
  return stored.indices().filter((index) => index >= from).slice(0, count).map((index) => stored.get(index) ?? '')
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

function transform(shell: Shell, parameter: Parameter, target: Target, operator: string, sink: Sink, inDouble: boolean): void {
  const variable = shell.variables.find(resolved(shell, target.name))
  if (operator === 'a') {
    const letters = attributes(variable)
    return target.list === null ? emit(letters, sink, inDouble) : sink.list([letters], target.list === 'star', inDouble)
  }
  if (target.value === null) {
    if (shell.options.has('nounset') && target.list === null) throw new UnboundVariable(shownName(parameter))
    return inDouble && target.list === null ? sink.quoted('') : undefined
  }
  if (operator === 'A') return emit(assignment(target, variable), sink, inDouble)
  if ((operator === 'K' || operator === 'k') && target.list !== null) {
    const keys = keysOf(shell, target.name)
    const values = typeof target.value === 'string' ? [target.value] : target.value
    const pairs = keys.flatMap((key, index) =>
      operator === 'k' ? [key, values[index] ?? ''] : [`${key} ${quoteDouble(values[index] ?? '')}`],
    )
    return operator === 'k' ? sink.list(pairs, target.list === 'star', inDouble) : emit(pairs.join(' '), sink, inDouble)
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

/** The letters of `declare`. */
export function attributes(variable: Variable | undefined): string {
  if (!variable) return ''
  return [
    variable.value instanceof IndexedList ? 'a' : '',
    variable.value instanceof AssociativeArray ? 'A' : '',
    variable.reference ? 'n' : '',
    variable.integer ? 'i' : '',
    variable.letters === 'lower' ? 'l' : '',
    variable.readonly ? 'r' : '',
    variable.letters === 'upper' ? 'u' : '',
    variable.exported ? 'x' : '',
  ].join('')
}

/** `declare -a a=([0]="1")`, or `x='1'`. */
function assignment({ name, value }: Target, variable: Variable | undefined): string {
  const letters = attributes(variable)
  if (variable && variable.value !== null && typeof variable.value !== 'string')
    return `declare -${letters} ${name}=${listSource(variable.value)}`
  const text = `${name}=${quoteSingle(typeof value === 'string' ? value : (value ?? []).join(' '))}`
  return letters === '' ? text : `declare -${letters} ${text}`
}

/** `([0]="1" [2]="3")`. */
export function listSource(value: IndexedList | AssociativeArray): string {
  if (value instanceof IndexedList)
    return `(${value.indices().map((index) => `[${index}]=${quoteDouble(value.get(index) ?? '')}`).join(' ')})`
  return `(${value.keys().map((key) => `[${/^[\w./-]+$/.test(key) ? key : quoteDouble(key)}]=${quoteDouble(value.get(key) ?? '')} `).join('')})`
}
