// Commands that start other commands. `env` exports the variables that it sets, because programs need them; `bash`
// accepts options; `nohup` has no effect.

import { stdinOf } from './programs.ts'
import type { CommandContext, ExecResult } from './shell.js'

type Run = (args: string[], context: CommandContext) => Promise<ExecResult>

/** `env A=1 -u B command …`. Other uses go to just-bash's own `env`. */
export const env: Run = async (args, context) => {
  const unset: string[] = []
  const setLines: string[] = []
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(arg) ?? []
    if (name !== '') setLines.push(`${name}=${quoted(value)}`)
    else if (arg === '-u') unset.push(args[++index] ?? '')
    else break
  }
  const [command = '', ...commandArgs] = args.slice(index)
  const isSupported =
    command !== '' && !command.startsWith('-') && unset.every((name) => /^[A-Za-z_]\w*$/.test(name))
  if (!isSupported) return runOriginal(context, args)
  const prefix = unset.length > 0 ? `unset ${unset.join(' ')}; ` : ''
  return start(`${prefix}${[...setLines, quoted(command), ...commandArgs.map(quoted)].join(' ')}`, context)
}

/**
 * `bash -euo pipefail FILE`, `bash -lc TEXT`, `bash -s`: the options become a line of the script. Without
 * options, just-bash's own `bash` runs.
 */
export const bash: Run = async (args, context) => {
  const setLines: string[] = []
  let index = 0
  let from: 'file' | 'text' | 'input' = 'file'
  for (; /^[-+]./.test(args[index] ?? '') && args[index] !== '--'; index++) {
    const arg = args[index] ?? ''
    if (arg.startsWith('--')) continue
    if (!/^[-+][a-zA-Z]+$/.test(arg)) return runOriginal(context, args)
    const letters = arg.slice(1).replace(/[li]/g, '')
    if (letters.includes('c')) from = 'text'
    else if (letters.includes('s')) from = 'input'
    const options = letters.replace(/[cs]/g, '')
    // `o` takes the next argument.
    if (options !== '')
      setLines.push(
        `set ${arg[0]}${options}${options.endsWith('o') ? ` ${quoted(args[++index] ?? '')}` : ''}`,
      )
  }
  const [first = '', ...scriptArgs] = args.slice(args[index] === '--' ? index + 1 : index)
  if (index === 0) return runOriginal(context, args)
  const prefix = setLines.map((line) => `${line}\n`).join('')
  if (from === 'text') return runOriginal(context, ['-c', prefix + first, ...scriptArgs])
  const positional = first === '' ? [] : [first, ...scriptArgs]
  if (from === 'input' || first === '')
    return runOriginal(context, ['-c', prefix + stdinOf(context), 'bash', ...positional])
  const path = context.fs.resolvePath(context.cwd, first)
  if (!(await context.fs.exists(path))) return runOriginal(context, [first, ...scriptArgs])
  return runOriginal(context, ['-c', prefix + (await context.fs.readFile(path)), first, ...scriptArgs])
}

export const nohup: Run = async (args, context) =>
  args.length === 0
    ? { stdout: '', stderr: 'nohup: missing operand\n', exitCode: 125 }
    : start(args.map(quoted).join(' '), context)

async function start(text: string, context: CommandContext): Promise<ExecResult> {
  const { exec, cwd, signal } = context
  const options = { cwd, stdin: stdinOf(context), stdinKind: 'bytes' } as const
  const result = await exec?.(text, { ...options, ...(signal ? { signal } : {}) })
  return result ?? { stdout: '', stderr: 'bash: not here\n', exitCode: 127 }
}

async function runOriginal({ origCommand }: CommandContext, args: string[]): Promise<ExecResult> {
  return (await origCommand?.(args)) ?? { stdout: '', stderr: 'bash: not here\n', exitCode: 127 }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
