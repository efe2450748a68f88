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

/** Rewrites `paste -sd+` to `paste -s -d + -`. */
export const paste: Run = async (args, context) => {
  const rewritten = args.flatMap((arg) => {
    const [, serial = '', delimiter = ''] = /^-(s?)d(.+)$/s.exec(arg) ?? []
    if (delimiter === '') return arg === '-sd' ? ['-s', '-d'] : [arg]
    return [...(serial ? ['-s'] : []), '-d', delimiter]
  })
  const files = rewritten.filter(
    (arg, index) => (arg === '-' || !arg.startsWith('-')) && rewritten[index - 1] !== '-d',
  )
  return runOriginal(context, files.length === 0 ? [...rewritten, '-'] : rewritten)
}

/** Rewrites `od -tx1` to `od -t x1`. */
export const od: Run = async (args, context) =>
  runOriginal(
    context,
    args.flatMap((arg) => (/^-t.+$/.test(arg) ? ['-t', arg.slice(2)] : [arg])),
  )

/** Replaces expressions such as `date -d "2 days ago"` with the time that they mean. */
export function date(now: () => number): Run {
  return async (args, context) => {
    const rewritten: string[] = []
    for (let index = 0; index < args.length; index++) {
      const arg = args[index] ?? ''
      const attached = /^(?:--date=|-d)(.+)$/s.exec(arg)?.[1]
      const expression = attached ?? (arg === '-d' || arg === '--date' ? args[++index] : undefined)
      if (expression === undefined) rewritten.push(arg)
      else rewritten.push('-d', parseRelativeTime(expression, now()) ?? expression)
    }
    return runOriginal(context, rewritten)
  }
}

const UNITS: Readonly<Record<string, number>> = {
  sec: 1_000,
  second: 1_000,
  min: 60_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
  fortnight: 1_209_600_000,
}
const TIME_STEP =
  /^\s*([+-]?)\s*(\d+|next|last|a|an)?\s*(sec|second|min|minute|hour|day|week|fortnight|month|year)s?\b(\s+ago\b)?/i

/** An ISO time; null if `expression` is no relative time or is too long. */
function parseRelativeTime(expression: string, now: number): string | null {
  if (expression.length > 100) return null
  const named =
    /^\s*(now|today|yesterday|tomorrow|@-?\d+|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?)?(?:\s+UTC)?/i.exec(
      expression,
    )
  const base = baseOf(named?.[1] ?? '', now)
  let steps = expression.slice(named?.[0].length ?? 0)
  if (base === null || (steps.trim() === '' && !/^(?:yesterday|tomorrow)$/i.test(named?.[1] ?? '')))
    return null
  const time = new Date(base)
  while (steps.trim() !== '') {
    const match = TIME_STEP.exec(steps)
    if (!match) return null
    const [step, sign = '', amount = '1', unit = '', ago] = match
    const count = /^last$/i.test(amount) ? -1 : /^\d+$/.test(amount) ? Number(amount) : 1
    shift(time, unit.toLowerCase(), count * (sign === '-' ? -1 : 1) * (ago ? -1 : 1))
    steps = steps.slice(step.length)
  }
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

function baseOf(named: string, now: number): number | null {
  const word = named.toLowerCase()
  if (word === '' || word === 'now' || word === 'today') return now
  if (word === 'yesterday') return now - 86_400_000
  if (word === 'tomorrow') return now + 86_400_000
  if (word.startsWith('@')) return Number(word.slice(1)) * 1_000
  const iso = named.replace(' ', 'T')
  const ms = Date.parse(iso.length === 10 || iso.endsWith('Z') ? iso : `${iso}Z`)
  return Number.isNaN(ms) ? null : ms
}

function shift(time: Date, unit: string, count: number): void {
  if (unit === 'month') time.setUTCMonth(time.getUTCMonth() + count)
  else if (unit === 'year') time.setUTCFullYear(time.getUTCFullYear() + count)
  else time.setTime(time.getTime() + count * (UNITS[unit] ?? 0))
}

async function runOriginal({ origCommand }: CommandContext, args: string[]): Promise<ExecResult> {
  return (await origCommand?.(args)) ?? { stdout: '', stderr: 'bash: not here\n', exitCode: 127 }
}
