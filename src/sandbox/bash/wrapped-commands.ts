// Commands of just-bash that do not accept all spellings of options that scripts use. The arguments are rewritten to a
// spelling that just-bash accepts.

import type { CommandContext, ExecResult } from './shell.js'

type Run = (args: string[], context: CommandContext) => Promise<ExecResult>

/** Rewrites `xargs -n1` to `xargs -n 1`. The number of parallel processes and the line length have no effect. */
export const xargs: Run = async (args, context) => {
  const rewritten: string[] = []
  let index = 0
  for (; index < args.length; index++) {
    const arg = args[index] ?? ''
    if (!arg.startsWith('-') || arg === '-') break
    const [, letter = '', value = ''] = /^-([nILPdEas])(.+)$/s.exec(arg) ?? []
    const long = /^--(max-args|replace|max-procs|delimiter)=(.*)$/s.exec(arg)
    if (long) rewritten.push(SHORT_OPTIONS[long[1] ?? ''] ?? '', long[2] ?? '')
    else if (letter === 's' || arg === '-s') index += letter === '' ? 1 : 0
    else if (letter !== '') rewritten.push(`-${letter}`, value)
    else {
      rewritten.push(arg)
      if (/^-[nILPdEa]$/.test(arg)) rewritten.push(args[++index] ?? '')
    }
  }
  // With -I, a line is one argument.
  const readsLines =
    rewritten.includes('-I') && !rewritten.some((arg) => arg === '-d' || arg === '-0' || arg === '--null')
  return runOriginal(context, [...(readsLines ? ['-d', '\n'] : []), ...rewritten, ...args.slice(index)])
}

const SHORT_OPTIONS: Readonly<Record<string, string>> = {
  'max-args': '-n',
  replace: '-I',
  'max-procs': '-P',
  delimiter: '-d',
}

/** Lists several paths: files first, without empty lines between them, and then each folder under its name. */
export const ls: Run = async (args, context) => {
  const flags = args.filter((arg) => arg.startsWith('-') && arg !== '-')
  const names = args.filter((arg) => !arg.startsWith('-') || arg === '-')
  if (names.length < 2) return runOriginal(context, args)
  const listsFolders = flags.some((flag) => /^-[^-]*d/.test(flag) || flag === '--directory')
  const folders: string[] = []
  const listing = { stdout: '', stderr: '', exitCode: 0 }
  const add = async (name: string): Promise<void> => {
    const result = await runOriginal(context, [...flags, name])
    listing.stdout += result.stdout
    listing.stderr += result.stderr
    listing.exitCode = Math.max(listing.exitCode, result.exitCode)
  }
  for (const name of names) {
    const path = context.fs.resolvePath(context.cwd, name)
    const isExpanded =
      !listsFolders && (await context.fs.exists(path)) && (await context.fs.stat(path)).isDirectory
    if (isExpanded) folders.push(name)
    else await add(name)
  }
  for (const name of folders) {
    if (listing.stdout !== '') listing.stdout += '\n'
    listing.stdout += `${name}:\n`
    await add(name)
  }
  return listing
}

async function runOriginal({ origCommand }: CommandContext, args: string[]): Promise<ExecResult> {
  return (await origCommand?.(args)) ?? { stdout: '', stderr: 'bash: not here\n', exitCode: 127 }
}
