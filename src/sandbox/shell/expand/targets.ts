// Finds what `$name` and `${…}` refer to.

import type { Parameter, Word } from '../syntax/tree.ts'
import { elementOf, resolved, valueOf } from '../state/assign.ts'
import { AssociativeArray } from '../state/associative-array.ts'
import { CommandError } from '../state/flow.ts'
import { IndexedList } from '../state/indexed-list.ts'
import type { Shell } from '../state/shell.ts'
import { byCodePoints } from '../state/variables.ts'
import type { Sink } from './sinks.ts'

/** Expands words that parameters contain. */
export interface WordExpander {
  text(shell: Shell, word: Word): Promise<string>
  pattern(shell: Shell, word: Word): Promise<string>
  replacement(shell: Shell, word: Word): Promise<string>
  arithmetic(shell: Shell, word: Word): Promise<bigint>
  /** Expands a word that is a part of another word into its sink. */
  into(shell: Shell, word: Word, sink: Sink, inDouble: boolean): Promise<void>
}

/** The variable or special parameter that an expansion refers to. */
export interface Target {
  readonly name: string
  /** The expanded subscript; null for a whole variable. */
  readonly subscript: string | null
  /** Set for `$@`, `$*`, `${array[@]}` and `${array[*]}`. */
  readonly list: 'at' | 'star' | null
  /** Null if the variable is not set. */
  readonly value: string | readonly string[] | null
}

export function emit(text: string, sink: Sink, inDouble: boolean): void {
  if (inDouble) sink.quoted(text)
  else sink.result(text)
}

export function shownName({ name, subscript }: Parameter): string {
  if (subscript === null) return name
  return `${name}[${typeof subscript === 'string' ? subscript : subscript.source}]`
}

/** The name for the message of `set -u`. */
export function unboundName(parameter: Parameter): string {
  const { name, indirect, operation, source } = parameter
  if (/^\$[0-9!]$/.test(source)) return source
  if (operation?.kind === 'length') return name
  return `${indirect ? '!' : ''}${shownName(parameter)}`
}

export async function targetOf(shell: Shell, parameter: Parameter, words: WordExpander): Promise<Target> {
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
    return {
      name,
      subscript: null,
      list: name === '@' ? 'at' : 'star',
      value: shell.positional.length > 0 ? shell.positional : null,
    }
  const special = specialValue(shell, name)
  if (special !== undefined) return { name, subscript: null, list: null, value: special }
  const value = valueOf(shell, name)
  if (kind !== null) {
    const values =
      value === null || typeof value === 'string' ? (value === null ? [] : [value]) : value.values()
    return { name, subscript: null, list: kind, value: values.length > 0 ? values : null }
  }
  if (subscript !== null) return { name, subscript, list: null, value: elementOf(shell, name, subscript) }
  if (value instanceof IndexedList) return { name, subscript: null, list: null, value: value.get(0) ?? null }
  if (value instanceof AssociativeArray)
    return { name, subscript: null, list: null, value: value.get('0') ?? null }
  return { name, subscript: null, list: null, value }
}

/** Returns undefined if `name` is an ordinary variable. */
function specialValue(shell: Shell, name: string): string | null | undefined {
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

export function namesWith(shell: Shell, prefix: string): string[] {
  return shell.variables
    .names()
    .filter((name) => name.startsWith(prefix))
    .sort(byCodePoints)
}

export function keysOf(shell: Shell, name: string): string[] {
  const value = valueOf(shell, name)
  if (value === null) return []
  if (typeof value === 'string') return ['0']
  return value instanceof IndexedList ? value.indices().map(String) : [...value.keys()]
}
