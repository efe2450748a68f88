// Reads and assigns variables, considering attributes, array elements and references.

import { evaluate } from '../arithmetic/evaluate.ts'
import { ArithmeticError } from '../arithmetic/tree.ts'
import { CommandError, ExpansionError } from './flow.ts'
import { AssociativeArray } from './associative-array.ts'
import { IndexedList } from './indexed-list.ts'
import type { Shell } from './shell.ts'
import { dynamicValue, setDynamic } from './special.ts'
import type { Value, Variable } from './variables.ts'

const REFERENCES_MAX = 8

/** The variable that a reference (`declare -n`) leads to; other names are returned unchanged. */
export function resolved(shell: Shell, name: string): string {
  let found = name
  for (let count = 0; count < REFERENCES_MAX; count++) {
    const variable = shell.variables.find(found)
    if (!variable?.reference || typeof variable.value !== 'string') return found
    found = variable.value
  }
  throw new CommandError(`${name}: circular name reference`)
}

/** A variable's value; null if it is not set. */
export function valueOf(shell: Shell, name: string): Value | null {
  const dynamic = dynamicValue(shell, name)
  if (dynamic !== undefined) return dynamic
  const target = resolved(shell, name)
  const element = /^([A-Za-z_]\w*)\[(.*)\]$/s.exec(target)
  if (element) return elementOf(shell, element[1] ?? '', element[2] ?? '')
  return shell.variables.find(target)?.value ?? null
}

/** The text of a variable; for an array, that of element 0. */
export function variableText(shell: Shell, name: string): string | null {
  const value = valueOf(shell, name)
  if (value === null || typeof value === 'string') return value
  return value instanceof IndexedList ? (value.get(0) ?? null) : (value.get('0') ?? null)
}

/** `subscript` is already expanded. */
export function elementOf(shell: Shell, name: string, subscript: string): string | null {
  const value = valueOf(shell, name)
  if (value instanceof AssociativeArray) return value.get(subscript) ?? null
  const index = Number(arithmetic(shell, subscript))
  if (value instanceof IndexedList) {
    const position = index < 0 ? value.end + index : index
    return value.get(position) ?? null
  }
  return index === 0 || index === -1 ? value : null
}

export interface AssignRules {
  readonly appends?: boolean
}

/** Assigns to a variable, or to element 0 of an array. Throws a `CommandError` if the variable is read-only. */
export function assign(shell: Shell, name: string, text: string, rules: AssignRules = {}): void {
  const target = resolved(shell, name)
  const element = /^([A-Za-z_]\w*)\[(.*)\]$/s.exec(target)
  if (element) return assignElement(shell, element[1] ?? '', element[2] ?? '', text, rules)
  assignTo(shell, target, shell.variables.obtain(target), text, rules)
}

export function assignTo(
  shell: Shell,
  name: string,
  variable: Variable,
  text: string,
  { appends = false }: AssignRules = {},
): void {
  checkWritable(name, variable)
  if (setDynamic(shell, name, text)) return
  const { value } = variable
  if (value instanceof IndexedList) {
    setElement(shell, name, variable, value, 0, text, appends)
    return
  }
  if (value instanceof AssociativeArray) {
    value.set('0', converted(shell, variable, text, appends ? (value.get('0') ?? '') : null))
    return
  }
  const after = converted(shell, variable, text, appends ? (value ?? '') : null)
  shell.session.characters += after.length - (value?.length ?? 0)
  shell.host.held(after.length)
  checkMemory(shell)
  variable.value = after
  if (shell.options.isOn('allexport')) variable.exported = true
}

/** `subscript` is already expanded; it is an error if it is empty and written as `[]`. */
export function assignElement(
  shell: Shell,
  name: string,
  subscript: string,
  text: string,
  { appends = false }: AssignRules = {},
): void {
  const target = resolved(shell, name)
  const variable = shell.variables.obtain(target)
  checkWritable(target, variable)
  if (variable.value instanceof AssociativeArray) {
    const before = variable.value.get(subscript)
    if (subscript === '') throw new CommandError(`${name}[${subscript}]: bad array subscript`)
    const after = converted(shell, variable, text, appends ? (before ?? '') : null)
    count(shell, after.length - (before?.length ?? -subscript.length))
    variable.value.set(subscript, after)
    return
  }
  const list = listOf(variable)
  const index = Number(arithmetic(shell, subscript))
  const position = index < 0 ? list.end + index : index
  if (position < 0 || subscript.trim() === '')
    throw new CommandError(`${name}[${subscript}]: bad array subscript`)
  setElement(shell, target, variable, list, position, text, appends)
}

function setElement(
  shell: Shell,
  name: string,
  variable: Variable,
  list: IndexedList,
  index: number,
  text: string,
  appends: boolean,
): void {
  checkWritable(name, variable)
  const before = list.get(index)
  const after = converted(shell, variable, text, appends ? (before ?? '') : null)
  count(shell, after.length - (before?.length ?? -16))
  list.set(index, after)
}

/** The list of a variable. If it has none, it is created from the variable's text. */
export function listOf(variable: Variable): IndexedList {
  if (variable.value instanceof IndexedList) return variable.value
  const list = new IndexedList(typeof variable.value === 'string' ? [variable.value] : [])
  variable.value = list
  return list
}

/** Counts characters held in variables. Their number is limited so that a script cannot fill the isolate. */
function count(shell: Shell, characters: number): void {
  shell.session.characters += characters
  checkMemory(shell)
}

function checkMemory(shell: Shell): void {
  shell.host.heldInVariables(shell.session.characters)
}

function checkWritable(name: string, variable: Variable): void {
  if (variable.readonly) throw new CommandError(`${name}: readonly variable`)
}

/** Converts text as the variable's attributes require. `before` is the text to which it is appended. */
function converted(shell: Shell, variable: Variable, text: string, before: string | null): string {
  if (variable.integer) {
    const value = arithmetic(shell, text)
    return (before === null ? value : BigInt.asIntN(64, arithmetic(shell, before) + value)).toString()
  }
  const joined = (before ?? '') + text
  if (variable.letters === null) return joined
  if (variable.letters === 'upper') return joined.toUpperCase()
  const lower = joined.toLowerCase()
  return variable.letters === 'lower' ? lower : lower.replace(/^./su, (first) => first.toUpperCase())
}

/** Evaluates an expression that is already expanded. Throws a `CommandError`. */
export function arithmetic(shell: Shell, text: string, prefix = ''): bigint {
  try {
    return evaluate(text, {
      read: (name, subscript) => {
        const value =
          subscript === null ? variableText(shell, name) : elementOf(shell, name, unquoted(subscript))
        if (value === null && shell.options.isOn('nounset')) throw new UnboundVariable(name)
        return value
      },
      write: (name, subscript, value) =>
        subscript === null
          ? assign(shell, name, value)
          : assignElement(shell, name, unquoted(subscript), value),
    })
  } catch (error) {
    if (error instanceof ArithmeticError)
      throw new CommandError(`${prefix}${error.part ?? text.trimStart()}: ${error.message}`)
    throw error
  }
}

/** The error of `set -u`, which ends the shell. */
export class UnboundVariable extends ExpansionError {
  constructor(name: string) {
    super(`${name}: unbound variable`, 127)
  }
}

/** Removes quotes from a subscript within an expression. */
function unquoted(subscript: string): string {
  return subscript.replaceAll(/\\(.)|["']/g, '$1')
}
