// Runs compound commands.

import { compilePattern } from '../pattern/match.ts'
import { messagePrefix } from '../builtins/builtin.ts'
import { expandArithmetic, expandFields, expandPattern, expandText } from '../expand/words.ts'
import { assign } from '../state/assign.ts'
import { writeText } from '../state/descriptors.ts'
import { CommandError, ExpansionError, LineFlow, LoopFlow } from '../state/flow.ts'
import type { Shell } from '../state/shell.ts'
import type { Compound, CompoundCommand, Script, Word } from '../syntax/tree.ts'
import { printCommand, printHead } from '../syntax/print.ts'
import { announce } from './events.ts'
import { runCondition } from './conditions.ts'
import type { Execution } from './execution.ts'
import { redirect } from './redirects.ts'
import { redirectFailure } from './simple.ts'
import { trace } from './trace.ts'

export async function runCompound(
  execution: Execution,
  shell: Shell,
  command: CompoundCommand,
): Promise<number> {
  const before = shell.descriptors
  try {
    await redirect(shell, command.redirects)
  } catch (error) {
    shell.descriptors = before
    return redirectFailure(shell, error, command.body.kind === 'subshell')
  }
  try {
    return await runBody(execution, shell, command.body, command.line)
  } finally {
    if (command.redirects.length > 0) shell.descriptors = before
  }
}

async function runBody(execution: Execution, shell: Shell, body: Compound, line: number): Promise<number> {
  switch (body.kind) {
    case 'group':
      return execution.list(shell, body.body)
    case 'subshell': {
      const status = await execution.subshell(shell, async (copy) =>
        inParentheses(execution, copy, body.body),
      )
      if (status !== 0 && shell.traps.running.size === 0)
        shell.command = () => printCommand({ kind: 'compound', line, body, redirects: [] })
      return status
    }
    case 'if':
      return runIf(execution, shell, body)
    case 'loop':
      return runWhile(execution, shell, body)
    case 'for':
      return runFor(execution, shell, body, line)
    case 'count':
      return runCount(execution, shell, body)
    case 'case':
      return runCase(execution, shell, body)
    case 'condition':
      await announce(execution, shell, () => printHead(body))
      return guarded(shell, async () => runCondition(shell, body.test))
    case 'arithmetic':
      await announce(execution, shell, () => printHead(body))
      return guarded(shell, async () => {
        await trace(shell, `(( ${body.expression.source} ))`)
        return (await expandArithmetic(shell, body.expression, '((: ')) === 0n ? 1 : 0
      })
    case 'function':
      shell.functions.set(body.name, {
        name: body.name,
        body: body.body,
        file: shell.frames.at(-1)?.file ?? shell.script ?? 'environment',
        exported: false,
      })
      return 0
    default:
      return body satisfies never
  }
}

async function inParentheses(execution: Execution, copy: Shell, list: Script): Promise<number> {
  try {
    return await execution.list(copy, list)
  } catch (error) {
    if (error instanceof LineFlow) return error.subshellStatus
    throw error
  }
}

/** Reports a failure of `[[` or `((`, which does not skip the rest of the line. */
async function guarded(shell: Shell, run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof CommandError) || error instanceof ExpansionError) throw error
    if (error.message !== '')
      await writeText(shell.descriptors, 2, `${messagePrefix(shell)}${error.message}\n`)
    return error.status
  }
}

/** Runs a list whose failure is a normal result, as in a condition. */
async function tested(shell: Shell, run: () => Promise<number>): Promise<number> {
  shell.conditions++
  try {
    return await run()
  } finally {
    shell.conditions--
  }
}

async function runIf(
  execution: Execution,
  shell: Shell,
  { branches, otherwise }: Extract<Compound, { kind: 'if' }>,
): Promise<number> {
  for (const { test, body } of branches)
    if ((await tested(shell, async () => execution.list(shell, test))) === 0)
      return execution.list(shell, body)
  return otherwise ? execution.list(shell, otherwise) : 0
}

/** Runs the body of a loop once. Returns false if the loop must end. */
async function round(shell: Shell, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    if (!(error instanceof LoopFlow)) throw error
    shell.status = 0
    if (--error.levels > 0) throw error
    return error.kind === 'continue'
  }
}

async function looping(shell: Shell, run: () => Promise<number>): Promise<number> {
  shell.loops++
  try {
    return await run()
  } finally {
    shell.loops--
  }
}

async function runWhile(
  execution: Execution,
  shell: Shell,
  { test, body, until }: Extract<Compound, { kind: 'loop' }>,
): Promise<number> {
  return looping(shell, async () => {
    let status = 0
    for (;;) {
      let passes = false
      const tests = await round(shell, async () => {
        passes = ((await tested(shell, async () => execution.list(shell, test))) === 0) !== until
      })
      if (!tests) return 0
      if (!passes) return status
      if (!(await round(shell, async () => execution.list(shell, body)))) return shell.status
      ;({ status } = shell)
    }
  })
}

async function runFor(
  execution: Execution,
  shell: Shell,
  loop: Extract<Compound, { kind: 'for' }>,
  line: number,
): Promise<number> {
  const { name, words, body } = loop
  const values = words ? await expandFields(shell, words) : [...shell.positional]
  shell.status = 0
  return looping(shell, async () => {
    for (const value of values) {
      shell.line = line
      await announce(execution, shell, () => printHead(loop))
      if (words) await trace(shell, `for ${name} in ${words.map(({ source }) => source).join(' ')}`)
      assign(shell, name, value)
      if (!(await round(shell, async () => execution.list(shell, body)))) return shell.status
    }
    return shell.status
  })
}

async function runCount(
  execution: Execution,
  shell: Shell,
  { parts: [first, test, step], body }: Extract<Compound, { kind: 'count' }>,
): Promise<number> {
  const value = async (word: Word): Promise<bigint> => {
    await announce(execution, shell, () => `((${word.source.trim()}))`)
    await trace(shell, `(( ${word.source.trim()} ))`)
    return expandArithmetic(shell, word, '((: ')
  }
  return guarded(shell, async () => {
    await value(first)
    shell.status = 0
    let status = 0
    return looping(shell, async () => {
      while (test.source.trim() === '' || (await value(test)) !== 0n) {
        if (!(await round(shell, async () => execution.list(shell, body)))) return shell.status
        ;({ status } = shell)
        if (step.source.trim() !== '') await value(step)
      }
      return status
    })
  })
}

async function runCase(
  execution: Execution,
  shell: Shell,
  body: Extract<Compound, { kind: 'case' }>,
): Promise<number> {
  const { word, clauses } = body
  await announce(execution, shell, () => printHead(body))
  await trace(shell, `case ${word.source} in`)
  const text = await expandText(shell, word)
  const rules = { extended: shell.options.isOn('extglob'), ignoreCase: shell.options.isOn('nocasematch') }
  let status = 0
  let falls = false
  for (const { patterns, body: list, end } of clauses) {
    let matches = falls
    for (const pattern of patterns) {
      if (matches) break
      matches = compilePattern(await expandPattern(shell, pattern), rules).test(text)
    }
    if (!matches) continue
    shell.status = 0
    if (list.items.length > 0) status = await execution.list(shell, list)
    else status = 0
    if (end === ';;') return status
    falls = end === ';&'
  }
  return status
}
