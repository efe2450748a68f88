// `diff` of two files as the real one prints it, plain or unified (-u, -U n, -q, -L). just-bash has one format, and no bound
// on its work; what is asked with other options is left to it.

import { structuredPatch } from 'diff'

import { BASH_DIFF_EDITS_MAX } from './limits.ts'
import { stdinOf } from './programs.ts'
import type { CommandContext, ExecResult } from './shell.js'
import { toText, fromLatin1 } from './text-of-bytes.ts'

interface Asked {
  readonly names: string[]
  /** What is said in place of the names: `--label`, of the first file and of the second. */
  readonly labels: string[]
  brief: boolean
  context: number | null
}

export async function diff(args: string[], context: CommandContext): Promise<ExecResult> {
  const asked = ask(args)
  const [one = '', other = ''] = asked?.names ?? []
  if (
    !asked ||
    asked.names.length !== 2 ||
    (await isFolder(one, context)) ||
    (await isFolder(other, context))
  )
    return (await context.origCommand?.(args)) ?? said('', 'diff: not here\n', 2)
  const texts: string[] = []
  for (const name of [one, other])
    try {
      texts.push(await textOf(name, context))
    } catch {
      return said('', `diff: ${name}: No such file or directory\n`, 2)
    }
  const [before = '', after = ''] = texts
  if (before === after) return said('', '', 0)
  const [first = one, second = other] = asked.labels
  if (asked.brief) return said(`Files ${first} and ${second} differ\n`, '', 1)
  const patch = structuredPatch(one, other, before, after, '', '', {
    context: asked.context ?? 0,
    maxEditLength: BASH_DIFF_EDITS_MAX,
  })
  if (!patch)
    return said(
      '',
      `diff: the files differ in more than ${BASH_DIFF_EDITS_MAX} lines: compare parts, or sort them\n`,
      2,
    )
  if (asked.context === null) return said(patch.hunks.map(plain).join(''), '', 1)
  const lines = [one, other].map(
    async (name, at) => asked.labels[at] ?? `${name}\t${await timeOf(name, context)}`,
  )
  const [from = '', to = ''] = await Promise.all(lines)
  return said(`--- ${from}\n+++ ${to}\n` + patch.hunks.map(unified).join(''), '', 1)
}

type Hunk = NonNullable<ReturnType<typeof structuredPatch>>['hunks'][number]

function ask(args: readonly string[]): Asked | null {
  const asked: Asked = { names: [], labels: [], brief: false, context: null }
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const [, label] = /^(?:--label=|-L(?=.))(.*)$/s.exec(arg) ?? []
    const [, lines] = /^(?:-U|--unified=)(\d+)$/.exec(arg) ?? []
    if (lines !== undefined) asked.context = Number(lines)
    else if (arg === '-U') asked.context = Number(args[++at])
    else if (arg === '-u' || arg === '--unified') asked.context = 3
    else if (label !== undefined) asked.labels.push(label)
    else if (arg === '-L' || arg === '--label') asked.labels.push(args[++at] ?? '')
    else if (arg === '-q' || arg === '--brief') asked.brief = true
    else if (arg.startsWith('-') && arg !== '-') return null
    else asked.names.push(arg)
  }
  return asked
}

/** `2,3c5`: lines there, what became of them, lines here. */
function plain({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string {
  const kind = oldLines === 0 ? 'a' : newLines === 0 ? 'd' : 'c'
  const body = lines.map((line) =>
    line.startsWith('\\') ? line : line.replace(/^-/, '< ').replace(/^\+/, '> '),
  )
  const second = body.findIndex((line) => line.startsWith('>'))
  if (kind === 'c') body.splice(second, 0, '---')
  return `${range(oldStart, oldLines)}${kind}${range(newStart, newLines)}\n${body.join('\n')}\n`
}

function unified({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string {
  const part = (start: number, count: number): string => {
    const first = count === 0 ? start - 1 : start
    return count === 1 ? `${first}` : `${first},${count}`
  }
  return `@@ -${part(oldStart, oldLines)} +${part(newStart, newLines)} @@\n${lines.join('\n')}\n`
}

/** Of no lines: the line before. */
function range(start: number, count: number): string {
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

function said(stdout: string, stderr: string, exitCode: number): ExecResult {
  return { stdout, stderr, exitCode }
}
