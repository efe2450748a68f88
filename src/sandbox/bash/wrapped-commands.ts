// Commands of just-bash that do not accept all spellings of options that scripts use. The arguments are rewritten to a
// spelling that just-bash accepts.

import type { CommandContext, ExecResult } from './shell.js'

type Run = (args: string[], context: CommandContext) => Promise<ExecResult>

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
