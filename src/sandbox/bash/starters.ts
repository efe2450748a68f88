// Commands that start another: `env` exports the variables that it sets, because programs need them; `bash`
// accepts options; `nohup` has no effect.

import { stdinOf } from './programs.ts'
import type { CommandContext, ExecResult } from './shell.js'

type Run = (args: string[], context: CommandContext) => Promise<ExecResult>

/** `env A=1 -u B command …`. Other uses go to just-bash's own `env`. */
export const env: Run = async (args, context) => {
  const unset: string[] = []
  const set: string[] = []
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    const [, name = '', value = ''] = /^([A-Za-z_]\w*)=(.*)$/s.exec(arg) ?? []
    if (name !== '') set.push(`${name}=${quoted(value)}`)
    else if (arg === '-u') unset.push(args[++at] ?? '')
    else break
  }
  const [command = '', ...rest] = args.slice(at)
  const plain =
    command !== '' && !command.startsWith('-') && unset.every((name) => /^[A-Za-z_]\w*$/.test(name))
  if (!plain) return original(context, args)
  const before = unset.length > 0 ? `unset ${unset.join(' ')}; ` : ''
  return start(`${before}${[...set, quoted(command), ...rest.map(quoted)].join(' ')}`, context)
}

/**
 * `bash -euo pipefail FILE`, `bash -lc TEXT`, `bash -s`: the options become a line of the script. Without
 * options, just-bash's own `bash` runs.
 */
export const bash: Run = async (args, context) => {
  const set: string[] = []
  let at = 0
  let from: 'file' | 'text' | 'input' = 'file'
  for (; /^[-+]./.test(args[at] ?? '') && args[at] !== '--'; at++) {
    const arg = args[at] ?? ''
    if (arg.startsWith('--')) continue
    if (!/^[-+][a-zA-Z]+$/.test(arg)) return original(context, args)
    const letters = arg.slice(1).replace(/[li]/g, '')
    if (letters.includes('c')) from = 'text'
    else if (letters.includes('s')) from = 'input'
    const left = letters.replace(/[cs]/g, '')
    // `o` takes the next argument.
    if (left !== '')
      set.push(`set ${arg[0]}${left}${left.endsWith('o') ? ` ${quoted(args[++at] ?? '')}` : ''}`)
  }
  const [first = '', ...rest] = args.slice(args[at] === '--' ? at + 1 : at)
  if (at === 0) return original(context, args)
  const before = set.map((one) => `${one}\n`).join('')
  if (from === 'text') return original(context, ['-c', before + first, ...rest])
  const names = first === '' ? [] : [first, ...rest]
  if (from === 'input' || first === '')
    return original(context, ['-c', before + stdinOf(context), 'bash', ...names])
  const path = context.fs.resolvePath(context.cwd, first)
  if (!(await context.fs.exists(path))) return original(context, [first, ...rest])
  return original(context, ['-c', before + (await context.fs.readFile(path)), first, ...rest])
}

export const nohup: Run = async (args, context) =>
  args.length === 0
    ? { stdout: '', stderr: 'nohup: missing operand\n', exitCode: 125 }
    : start(args.map(quoted).join(' '), context)

async function start(text: string, context: CommandContext): Promise<ExecResult> {
  const { exec, cwd, signal } = context
  const given = { cwd, stdin: stdinOf(context), stdinKind: 'bytes' } as const
  const result = await exec?.(text, { ...given, ...(signal ? { signal } : {}) })
  return result ?? { stdout: '', stderr: 'bash: not here\n', exitCode: 127 }
}

async function original({ origCommand }: CommandContext, args: string[]): Promise<ExecResult> {
  return (await origCommand?.(args)) ?? { stdout: '', stderr: 'bash: not here\n', exitCode: 127 }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}
