// `diff` of two files in GNU's normal or unified format (-u, -U n, -q, -L). The `diff` of just-bash has only one format
// and no limit for its work. It still handles calls with other options.

import { structuredPatch } from 'diff'

import { BASH_DIFF_EDITS_MAX } from './limits.ts'
import { stdinOf } from './standard-input.ts'
import type { CommandContext, ExecResult } from './shell.js'
import { toText, fromLatin1 } from './text-of-bytes.ts'

interface DiffOptions {
  readonly names: string[]
  /** Labels that replace the file names (`--label`). */
  readonly labels: string[]
  isBrief: boolean
  context: number | null
}

export async function diff(args: string[], context: CommandContext): Promise<ExecResult> {
  const options = optionsOf(args)
  const [oldName = '', newName = ''] = options?.names ?? []
  if (
    !options ||
    options.names.length !== 2 ||
    (await isFolder(oldName, context)) ||
    (await isFolder(newName, context))
  )
    return (await context.origCommand?.(args)) ?? resultOf('', 'diff: not here\n', 2)
  const texts: string[] = []
  for (const name of [oldName, newName])
    try {
      texts.push(await textOf(name, context))
    } catch {
      return resultOf('', `diff: ${name}: No such file or directory\n`, 2)
    }
  const [before = '', after = ''] = texts
  if (before === after) return resultOf('', '', 0)
  const [first = oldName, second = newName] = options.labels
  if (options.isBrief) return resultOf(`Files ${first} and ${second} differ\n`, '', 1)
  const patch = structuredPatch(oldName, newName, before, after, '', '', {
    context: options.context ?? 0,
    maxEditLength: BASH_DIFF_EDITS_MAX,
  })
  if (!patch)
    return resultOf(
      '',
      `diff: the files differ in more than ${BASH_DIFF_EDITS_MAX} lines: compare parts, or sort them\n`,
      2,
    )
  if (options.context === null) return resultOf(patch.hunks.map(formatNormal).join(''), '', 1)
  const lines = [oldName, newName].map(
    async (name, index) => options.labels[index] ?? `${name}\t${await timeOf(name, context)}`,
  )
  const [from = '', to = ''] = await Promise.all(lines)
  return resultOf(`--- ${from}\n+++ ${to}\n` + patch.hunks.map(formatUnified).join(''), '', 1)
}

type Hunk = NonNullable<ReturnType<typeof structuredPatch>>['hunks'][number]

function optionsOf(args: readonly string[]): DiffOptions | null {
  const options: DiffOptions = { names: [], labels: [], isBrief: false, context: null }
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const [, label] = /^(?:--label=|-L(?=.))(.*)$/s.exec(arg) ?? []
    const [, lines] = /^(?:-U|--unified=)(\d+)$/.exec(arg) ?? []
    if (lines !== undefined) options.context = Number(lines)
    else if (arg === '-U') options.context = Number(args[++index])
    else if (arg === '-u' || arg === '--unified') options.context = 3
    else if (label !== undefined) options.labels.push(label)
    else if (arg === '-L' || arg === '--label') options.labels.push(args[++index] ?? '')
    else if (arg === '-q' || arg === '--brief') options.isBrief = true
    else if (arg.startsWith('-') && arg !== '-') return null
    else options.names.push(arg)
  }
  return options
}

/** Formats a hunk in the normal format, which starts with the old lines, the kind of change and the new lines (`2,3c5`). */
function formatNormal({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string {
  const kind = oldLines === 0 ? 'a' : newLines === 0 ? 'd' : 'c'
  const body = lines.map((line) =>
    line.startsWith('\\') ? line : line.replace(/^-/, '< ').replace(/^\+/, '> '),
  )
  const firstNewLine = body.findIndex((line) => line.startsWith('>'))
  if (kind === 'c') body.splice(firstNewLine, 0, '---')
  return `${formatRange(oldStart, oldLines)}${kind}${formatRange(newStart, newLines)}\n${body.join('\n')}\n`
}

function formatUnified({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string {
  const position = (start: number, count: number): string => {
    const first = count === 0 ? start - 1 : start
    return count === 1 ? `${first}` : `${first},${count}`
  }
  return `@@ -${position(oldStart, oldLines)} +${position(newStart, newLines)} @@\n${lines.join('\n')}\n`
}

/** Formats a range of lines. For an empty range, it is the number of the line before it. */
function formatRange(start: number, count: number): string {
  if (count === 0) return `${start - 1}`
  return count === 1 ? `${start}` : `${start},${start + count - 1}`
}

async function isFolder(name: string, { fs, cwd }: CommandContext): Promise<boolean> {
  const path = fs.resolvePath(cwd, name)
  return name !== '-' && (await fs.exists(path)) && (await fs.stat(path)).isDirectory
}

async function textOf(name: string, context: CommandContext): Promise<string> {
  if (name === '-') return toText(fromLatin1(stdinOf(context)), 'utf8')
  return context.fs.readFile(context.fs.resolvePath(context.cwd, name))
}

async function timeOf(name: string, { fs, cwd }: CommandContext): Promise<string> {
  const time = name === '-' ? new Date(0) : (await fs.stat(fs.resolvePath(cwd, name))).mtime
  return `${time.toISOString().replace('T', ' ').replace('Z', '000000')} +0000`
}

function resultOf(stdout: string, stderr: string, exitCode: number): ExecResult {
  return { stdout, stderr, exitCode }
}
