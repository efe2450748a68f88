// Commands that declare variables: `declare`, `local`, `export`, `readonly`, and `unset`.

import { Unsupported } from '../../commands/command.ts'
import { quoteDouble } from '../syntax/quoting.ts'
import { assignDeclared } from '../expand/assignments.ts'
import { attributes, listSource } from '../expand/attributes.ts'
import { arithmetic, listOf, resolved, valueOf } from '../state/assign.ts'
import { AssociativeArray, BUCKETS_OF_CONVERTED } from '../state/associative-array.ts'
import { CommandError, ExpansionError } from '../state/flow.ts'
import { IndexedList } from '../state/indexed-list.ts'
import type { Shell } from '../state/shell.ts'
import type { Variable } from '../state/variables.ts'
import { printFunction } from '../syntax/print.ts'
import { Parser } from '../syntax/parser.ts'
import { Source } from '../syntax/source.ts'
import type { Assignment } from '../syntax/tree.ts'
import { expandText } from '../expand/words.ts'
import {
  NAME,
  parseLetters,
  print,
  report,
  type Builtin,
  type BuiltinCall,
  type DeclareArgument,
} from './builtin.ts'

interface Flags {
  /** Attributes to set, and those to remove. */
  readonly on: ReadonlySet<string>
  readonly off: ReadonlySet<string>
  readonly operands: readonly DeclareArgument[]
}

const LETTERS = 'aAcfFgiIlnprtux'
const CASES = [
  ['l', 'lower'],
  ['u', 'upper'],
  ['c', 'capital'],
] as const

function flagsOf(declared: readonly DeclareArgument[], allowed: string): Flags {
  const on = new Set<string>()
  const off = new Set<string>()
  let index = 0
  for (; index < declared.length; index++) {
    const argument = declared[index]
    if (typeof argument !== 'string' || !/^[-+]./.test(argument)) break
    if (argument === '--') {
      index++
      break
    }
    for (const letter of argument.slice(1)) {
      if (!allowed.includes(letter))
        throw new CommandError(`${argument[0] ?? ''}${letter}: invalid option`, 2)
      if (argument.startsWith('-')) on.add(letter)
      else off.add(letter)
    }
  }
  return { on, off, operands: declared.slice(index) }
}

export const declare: Builtin = async (call) => {
  const flags = flagsOf(call.declared, LETTERS)
  if (flags.on.has('f') || flags.on.has('F')) return functions(call, flags)
  if (flags.on.has('I') || flags.on.has('t'))
    throw new Unsupported(`${call.name} -I and -t`, 'local, and an assignment')
  if (flags.on.has('p') || flags.operands.length === 0) return printAll(call, flags)
  const { shell } = call
  const inFunction = shell.frames.some(({ kind }) => kind === 'function')
  return declareEach(call, flags, (name) =>
    inFunction && !flags.on.has('g')
      ? shell.variables.declareLocal(name)
      : shell.variables.declareGlobal(name),
  )
}

export const local: Builtin = async (call) => {
  const { shell } = call
  if (!shell.frames.some(({ kind }) => kind === 'function'))
    throw new CommandError('can only be used in a function')
  const flags = flagsOf(call.declared, LETTERS)
  if (flags.operands.some((operand) => operand === '-')) throw new Unsupported('local -', 'a subshell')
  if (flags.operands.length === 0) throw new Unsupported('local without names', 'declare -p NAME')
  return declareEach(call, flags, (name) => shell.variables.declareLocal(name))
}

export const exports: Builtin = async (call) => {
  const { on, operands, off } = flagsOf(call.declared, 'aAfnp')
  const { shell } = call
  if (on.has('f')) {
    for (const name of operands) {
      const known = typeof name === 'string' ? shell.functions.get(name) : undefined
      if (!known) throw new CommandError(`${typeof name === 'string' ? name : name.name}: not a function`)
      known.exported = !on.has('n')
    }
    return 0
  }
  if (operands.length === 0 || on.has('p')) return printAll(call, { on: new Set(['x']), off, operands: [] })
  const kinds = [...on].filter((letter) => letter === 'a' || letter === 'A')
  return declareEach(
    call,
    { on: new Set(on.has('n') ? kinds : [...kinds, 'x']), off: new Set(on.has('n') ? ['x'] : []), operands },
    (name) => shell.variables.obtain(resolved(shell, name)),
  )
}

export const readonly: Builtin = async (call) => {
  const { on, off, operands } = flagsOf(call.declared, 'aAfp')
  if (on.has('f')) throw new Unsupported('readonly -f', 'a function without it')
  if (operands.length === 0 || on.has('p')) return printAll(call, { on: new Set(['r']), off, operands: [] })
  return declareEach(call, { on: new Set([...on, 'r']), off, operands }, (name) =>
    call.shell.variables.obtain(resolved(call.shell, name)),
  )
}

async function declareEach(
  call: BuiltinCall,
  flags: Flags,
  obtain: (name: string) => Variable,
): Promise<number> {
  let status = 0
  for (const operand of flags.operands)
    try {
      await declareOne(call.shell, operand, flags, obtain)
    } catch (error) {
      if (!(error instanceof CommandError) || error instanceof ExpansionError) throw error
      await report(call, error.message)
      status = 1
    }
  return status
}

async function declareOne(
  shell: Shell,
  operand: DeclareArgument,
  { on, off }: Flags,
  obtain: (name: string) => Variable,
): Promise<void> {
  const assignment: Assignment | string = operand
  const name = typeof assignment === 'string' ? assignment.replace(/\[.*$/s, '') : assignment.name
  const [, textName, textValue] =
    typeof operand === 'string' ? (/^([A-Za-z_]\w*)=(.*)$/s.exec(operand) ?? []) : []
  const target = textName ?? name
  if (!NAME.test(target))
    throw new CommandError(`\`${typeof operand === 'string' ? operand : name}': not a valid identifier`)
  const before = shell.variables.find(target)
  const variable = obtain(target)
  if (variable.readonly && (typeof operand !== 'string' || textValue !== undefined))
    throw new CommandError(`${target}: readonly variable`)
  if (variable.readonly && off.has('r')) throw new CommandError(`${target}: readonly variable`)
  if (on.has('A')) {
    if (variable.value instanceof IndexedList)
      throw new CommandError(`${target}: cannot convert indexed to associative array`)
    if (typeof variable.value === 'string')
      variable.value = new AssociativeArray(new Map([['0', variable.value]]), BUCKETS_OF_CONVERTED)
    if (variable.value === null) {
      variable.value = new AssociativeArray()
      variable.value.isBare = true
    }
  } else if (on.has('a')) {
    const isNew = variable.value === null
    if (!(variable.value instanceof AssociativeArray)) listOf(variable).isBare ||= isNew
  }
  if (on.has('i')) variable.integer = true
  if (off.has('i')) variable.integer = false
  const cases = CASES.filter(([letter]) => on.has(letter)).length
  for (const [letter, kind] of CASES) {
    if (on.has(letter)) variable.letters = cases > 1 ? null : kind
    if (off.has(letter) && variable.letters === kind) variable.letters = null
  }
  if (typeof operand !== 'string') {
    const listed = on.has('a') || on.has('A') ? await listInText(shell, operand) : null
    await assignDeclared(shell, listed ?? operand, variable, on.has('n'))
  } else if (textValue !== undefined)
    await assignDeclared(
      shell,
      {
        name: target,
        subscript: null,
        appends: false,
        value: { parts: [{ kind: 'text', text: textValue, quoted: true }], source: textValue },
      },
      variable,
      on.has('n'),
    )
  if (on.has('n')) variable.reference = true
  if (off.has('n')) variable.reference = false
  if (on.has('x')) variable.exported = true
  if (off.has('x')) variable.exported = false
  if (on.has('r')) variable.readonly = true
  if (before === undefined && variable.value === null && on.has('x')) variable.exported = true
}

/** Parses a value that is written like a list: `declare -a a='(1 2)'`. Returns null for other values. */
async function listInText(
  shell: Shell,
  { name, subscript, appends, value }: Assignment,
): Promise<Assignment | null> {
  if (subscript !== null || !('parts' in value)) return null
  const text = await expandText(shell, value, true)
  if (!/^\(.*\)$/s.test(text)) return null
  const parser = new Parser(new Source(`${name}${appends ? '+' : ''}=${text}`, shell.line), false)
  const command = parser.nextLine()?.items[0]?.chain[0]?.pipeline.commands[0]
  return command?.kind === 'simple' ? (command.assignments[0] ?? null) : null
}

async function functions(call: BuiltinCall, { on, operands }: Flags): Promise<number> {
  const { shell } = call
  const names = operands.length > 0 ? operands.map(String) : [...shell.functions.keys()].sort()
  let status = 0
  for (const name of names) {
    const definition = shell.functions.get(name)
    const line = operands.length > 0 ? name : `declare -f${definition?.exported ? 'x' : ''} ${name}`
    if (!definition) status = 1
    else if (on.has('F')) await print(call, `${line}\n`)
    else await print(call, `${printFunction(name, definition.body)}\n`)
  }
  return status
}

async function printAll(call: BuiltinCall, { on, operands }: Flags): Promise<number> {
  const { shell } = call
  let status = 0
  const wanted = ['a', 'A', 'c', 'i', 'l', 'n', 'r', 'u', 'x'].filter((letter) => on.has(letter))
  if (operands.length === 0 && wanted.length === 0)
    throw new Unsupported(`${call.name} of all variables`, `${call.name} -p NAME, or env`)
  const names = operands.length > 0 ? operands.map(String) : shell.variables.names()
  for (const name of names) {
    const variable = shell.variables.find(name)
    const value = valueOf(shell, name)
    if (!variable && value === null) {
      status = await report(call, `${name}: not found`)
      continue
    }
    const letters = attributes(variable)
    if (operands.length === 0 && !wanted.some((letter) => letters.includes(letter))) continue
    await print(call, `${described(name, variable, value, letters)}\n`)
  }
  return status
}

function described(
  name: string,
  variable: Variable | undefined,
  value: ReturnType<typeof valueOf>,
  letters: string,
): string {
  const head = `declare -${letters === '' ? '-' : letters} ${name}`
  const own = variable?.reference ? variable.value : value
  if (own === null || (typeof own !== 'string' && own.isBare)) return head
  return typeof own === 'string' ? `${head}=${quoteDouble(own)}` : `${head}=${listSource(own)}`
}

export const unset: Builtin = async (call) => {
  const { shell, args } = call
  const { letters, operands } = parseLetters(args, 'fvn')
  let status = 0
  for (const operand of operands) {
    const [, name = '', subscript] = /^([A-Za-z_]\w*)(?:\[(.*)\])?$/s.exec(operand) ?? []
    if (letters.has('f')) {
      shell.functions.delete(operand)
      continue
    }
    if (name === '') {
      if (shell.functions.delete(operand)) continue
      status = await report(call, `\`${operand}': not a valid identifier`)
      continue
    }
    const target = letters.has('n') ? name : resolved(shell, name)
    const variable = shell.variables.find(target)
    if (variable?.readonly) {
      status = await report(call, `${name}: cannot unset: readonly variable`)
      continue
    }
    if (subscript !== undefined) unsetElement(shell, name, variable, subscript)
    else if (variable) shell.variables.unset(target)
    else if (valueOf(shell, name) !== null) shell.unsetDynamic.add(name)
    else shell.functions.delete(operand)
  }
  return status
}

function unsetElement(shell: Shell, name: string, variable: Variable | undefined, subscript: string): void {
  const value = variable?.value
  if (value instanceof AssociativeArray) value.delete(subscript)
  else if (value instanceof IndexedList) {
    if (subscript === '@' || subscript === '*') {
      shell.variables.unset(name)
      return
    }
    const index = Number(arithmetic(shell, subscript))
    const position = index < 0 ? value.end + index : index
    if (position < 0) throw new CommandError(`[${subscript}]: bad array subscript`)
    value.delete(position)
  } else if (typeof value === 'string') throw new CommandError(`${name}: not an array variable`)
}
