// Runs simple commands: expands their words, and finds the function, built-in command or program with that name.

import { Unsupported } from '../../commands/command.ts'
import { messagePrefix, type Builtin, type DeclareArgument } from '../builtins/builtin.ts'
import { BUILTINS, DECLARING } from '../builtins/table.ts'
import { performAssignment } from '../expand/assignments.ts'
import { expandFields, expandText } from '../expand/words.ts'
import { writeText } from '../state/descriptors.ts'
import { CommandError, ExpansionError, ReturnFlow } from '../state/flow.ts'
import type { FunctionDefinition, Shell } from '../state/shell.ts'
import { newVariable, type Variable } from '../state/variables.ts'
import { printCommand } from '../syntax/print.ts'
import { literalOf, type SimpleCommand, type Word } from '../syntax/tree.ts'
import type { Execution } from './execution.ts'
import { announce, runReturnTrap } from './events.ts'
import { runBuiltin } from './builtin-call.ts'
import { executorBuiltins } from './executor-builtins.ts'
import { FATAL, redirect } from './redirects.ts'
import { trace, traceWords } from './trace.ts'

/** Maximum depth of nested function calls. Each keeps its variables in memory. */
const FUNCTIONS_MAX = 2_000

export async function runSimple(execution: Execution, shell: Shell, command: SimpleCommand): Promise<number> {
  await announce(execution, shell, () => printCommand(command))
  shell.line = command.line
  shell.substituted = null
  const opened = shell.processes.length
  const declares = command.words[0] !== undefined && DECLARING.has(literalOf(command.words[0]) ?? '')
  const { words, declared } = declares
    ? await declaredWords(shell, command.words)
    : { words: await expandFields(shell, command.words), declared: [] }
  const before = shell.descriptors
  if (words.length === 0) return runAssignments(shell, command)
  try {
    await redirect(shell, command.redirects)
  } catch (error) {
    shell.descriptors = before
    const isOwnProcess = !shell.functions.has(words[0] ?? '') && !builtinOf(execution, words[0] ?? '')
    return redirectFailure(shell, error, isOwnProcess)
  }
  const [name = '', ...args] = words
  const keeps = name === 'exec' && args.length === 0
  try {
    return await runNamed(execution, shell, name, args, declared, command)
  } finally {
    // Keep descriptors opened by `exec < <(…)` open.
    if (keeps) shell.processes.splice(opened)
    else shell.descriptors = before
    shell.lastArgument = words.at(-1) ?? ''
  }
}

/**
 * Reports a failed redirection, after which the command does not run. `isOwnProcess` means that it would have run
 * outside of this shell.
 */
export async function redirectFailure(shell: Shell, error: unknown, isOwnProcess = false): Promise<number> {
  if (!(error instanceof CommandError)) throw error
  if (error instanceof ExpansionError && (!isOwnProcess || error.status === FATAL)) throw error
  await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${error.message}\n`)
  return 1
}

/** Handles assignments without a command, and redirections that only create or check files. */
async function runAssignments(shell: Shell, command: SimpleCommand): Promise<number> {
  const before = shell.descriptors
  for (const assignment of command.assignments) await trace(shell, await performAssignment(shell, assignment))
  try {
    await redirect(shell, command.redirects)
  } catch (error) {
    return redirectFailure(shell, error)
  } finally {
    shell.descriptors = before
  }
  return shell.substituted ?? 0
}

/** Expands the words of `declare` and similar commands. Assignments are neither split nor expanded to file names. */
async function declaredWords(
  shell: Shell,
  words: readonly Word[],
): Promise<{ words: string[]; declared: DeclareArgument[] }> {
  const texts: string[] = []
  const declared: DeclareArgument[] = []
  for (const word of words) {
    if (word.assignment) {
      declared.push(word.assignment)
      texts.push(word.source)
      continue
    }
    const fields = await expandFields(shell, [word])
    texts.push(...fields)
    declared.push(...fields)
  }
  return { words: texts, declared: declared.slice(1) }
}

async function runNamed(
  execution: Execution,
  shell: Shell,
  name: string,
  args: readonly string[],
  declared: readonly DeclareArgument[],
  command: SimpleCommand,
): Promise<number> {
  const definition = shell.functions.get(name)
  const builtin = definition ? null : builtinOf(execution, name)
  if (definition || builtin) {
    const values = await assignedValues(shell, command)
    await traceWords(shell, [
      name,
      ...(declared.length > 0 ? declared.map((one) => (typeof one === 'string' ? one : one.name)) : args),
    ])
    if (definition) return runFunction(execution, shell, definition, args, values)
    return withVariables(shell, values, async () =>
      runBuiltin(shell, builtin ?? (() => 0), name, args, declared),
    )
  }
  const env = { ...shell.variables.exported() }
  for (const [assigned, { value }] of await assignedValues(shell, command))
    if (typeof value === 'string') env[assigned] = value
  await traceWords(shell, [name, ...args])
  return execution.external(shell, name, args, env)
}

function builtinOf(execution: Execution, name: string): Builtin | null {
  if (Object.hasOwn(BUILTINS, name)) return BUILTINS[name] ?? null
  const own = executorBuiltins(execution)
  return Object.hasOwn(own, name) ? (own[name] ?? null) : null
}

/** Expands the assignments before a command, which only this command sees. */
async function assignedValues(shell: Shell, command: SimpleCommand): Promise<[string, Variable][]> {
  const values: [string, Variable][] = []
  for (const { name, subscript, appends, value } of command.assignments) {
    if (subscript || Array.isArray(value))
      throw new Unsupported('an array assignment before a command', 'an assignment of its own')
    // The cast is safe: arrays were excluded above.
    const text = await expandText(shell, value as Word, true)
    const earlier =
      values.findLast(([known]) => known === name)?.[1].value ?? shell.variables.find(name)?.value
    if (shell.variables.find(name)?.readonly) throw new CommandError(`${name}: readonly variable`)
    const variable = newVariable(appends && typeof earlier === 'string' ? earlier + text : text)
    variable.exported = true
    values.push([name, variable])
    await trace(shell, `${name}=${text}`)
  }
  return values
}

async function withVariables(
  shell: Shell,
  values: readonly (readonly [string, Variable])[],
  run: () => Promise<number>,
): Promise<number> {
  if (values.length === 0) return run()
  const restore = values.map(([name, variable]) => shell.variables.replace(name, variable))
  try {
    return await run()
  } finally {
    for (const undo of restore.reverse()) undo()
  }
}

async function runFunction(
  execution: Execution,
  shell: Shell,
  definition: FunctionDefinition,
  args: readonly string[],
  values: readonly (readonly [string, Variable])[],
): Promise<number> {
  if (shell.frames.length >= FUNCTIONS_MAX) shell.host.tooMuch()
  const { positional, loops, line } = shell
  const returnTrap = shell.traps.get('RETURN')
  shell.frames.push({ name: definition.name, kind: 'function', line, file: definition.file })
  shell.positional = [...args]
  shell.loops = 0
  shell.variables.pushScope()
  for (const [name, variable] of values) shell.variables.put(name, variable)
  try {
    shell.status = await execution.command(shell, definition.body)
  } catch (error) {
    if (!(error instanceof ReturnFlow)) throw error
    shell.status = error.status
  } finally {
    shell.variables.popScope()
    shell.positional = positional
    shell.loops = loops
    shell.line = line
  }
  if (shell.traps.get('RETURN') !== returnTrap || shell.options.isOn('functrace'))
    await runReturnTrap(execution, shell)
  shell.frames.pop()
  return shell.status
}
