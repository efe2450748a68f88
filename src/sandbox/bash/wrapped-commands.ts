// Commands of just-bash that lack a spelling that scripts use: the arguments are rewritten to one that it
// knows.

import type { CommandContext, ExecResult } from './shell.js'

type Run = (args: string[], context: CommandContext) => Promise<ExecResult>

/** `xargs -n1` is `xargs -n 1`. The number of parallel processes and the line length have no effect. */
export const xargs: Run = async (args, context) => {
  const plain: string[] = []
  let at = 0
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (!arg.startsWith('-') || arg === '-') break
    const [, letter = '', value = ''] = /^-([nILPdEas])(.+)$/s.exec(arg) ?? []
    const long = /^--(max-args|replace|max-procs|delimiter)=(.*)$/s.exec(arg)
    if (long) plain.push(LONG[long[1] ?? ''] ?? '', long[2] ?? '')
    else if (letter === 's' || arg === '-s') at += letter === '' ? 1 : 0
    else if (letter !== '') plain.push(`-${letter}`, value)
    else {
      plain.push(arg)
      if (/^-[nILPdEa]$/.test(arg)) plain.push(args[++at] ?? '')
    }
  }
  // With -I, a line is one argument.
  const lines = plain.includes('-I') && !plain.some((one) => one === '-d' || one === '-0' || one === '--null')
  return original(context, [...(lines ? ['-d', '\n'] : []), ...plain, ...args.slice(at)])
}

const LONG: Readonly<Record<string, string>> = {
  'max-args': '-n',
  replace: '-I',
  'max-procs': '-P',
  delimiter: '-d',
}

/** `ls` of several paths: files first, without empty lines between them, then each folder under its name. */
export const ls: Run = async (args, context) => {
  const flags = args.filter((arg) => arg.startsWith('-') && arg !== '-')
  const names = args.filter((arg) => !arg.startsWith('-') || arg === '-')
  if (names.length < 2) return original(context, args)
  const whole = flags.some((flag) => /^-[^-]*d/.test(flag) || flag === '--directory')
  const folders: string[] = []
  const listing = { stdout: '', stderr: '', exitCode: 0 }
  const add = async (name: string): Promise<void> => {
    const result = await original(context, [...flags, name])
    listing.stdout += result.stdout
    listing.stderr += result.stderr
    listing.exitCode = Math.max(listing.exitCode, result.exitCode)
  }
  for (const name of names) {
    const path = context.fs.resolvePath(context.cwd, name)
    const folder = !whole && (await context.fs.exists(path)) && (await context.fs.stat(path)).isDirectory
    if (folder) folders.push(name)
    else await add(name)
  }
  for (const name of folders) {
    if (listing.stdout !== '') listing.stdout += '\n'
    listing.stdout += `${name}:\n`
    await add(name)
  }
  return listing
}

/** `paste -sd+` is `paste -s -d + -`. */
export const paste: Run = async (args, context) => {
  const plain = args.flatMap((arg) => {
    const [, serial = '', mark = ''] = /^-(s?)d(.+)$/s.exec(arg) ?? []
    return mark === '' ? (arg === '-sd' ? ['-s', '-d'] : [arg]) : [...(serial ? ['-s'] : []), '-d', mark]
  })
  const files = plain.filter((arg, at) => (arg === '-' || !arg.startsWith('-')) && plain[at - 1] !== '-d')
  return original(context, files.length === 0 ? [...plain, '-'] : plain)
}

/** `od -tx1` is `od -t x1`. */
export const od: Run = async (args, context) =>
  original(
    context,
    args.flatMap((arg) => (/^-t.+$/.test(arg) ? ['-t', arg.slice(2)] : [arg])),
  )

/** Turns `date -d "2 days ago"` and similar expressions into the time that they mean. */
export function date(now: () => number): Run {
  return async (args, context) => {
    const plain: string[] = []
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] ?? ''
      const glued = /^(?:--date=|-d)(.+)$/s.exec(arg)?.[1]
      const expression = glued ?? (arg === '-d' || arg === '--date' ? args[++at] : undefined)
      if (expression === undefined) plain.push(arg)
      else plain.push('-d', timeMeant(expression, now()) ?? expression)
    }
    return original(context, plain)
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
const STEP =
  /^\s*([+-]?)\s*(\d+|next|last|a|an)?\s*(sec|second|min|minute|hour|day|week|fortnight|month|year)s?\b(\s+ago\b)?/i

/** An ISO time; null if `expression` is no relative time. Long texts are none. */
function timeMeant(expression: string, now: number): string | null {
  if (expression.length > 100) return null
  const named =
    /^\s*(now|today|yesterday|tomorrow|@-?\d+|\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?Z?)?)?(?:\s+UTC)?/i.exec(
      expression,
    )
  const base = baseOf(named?.[1] ?? '', now)
  let rest = expression.slice(named?.[0].length ?? 0)
  if (base === null || (rest.trim() === '' && !/^(?:yesterday|tomorrow)$/i.test(named?.[1] ?? '')))
    return null
  const time = new Date(base)
  while (rest.trim() !== '') {
    const found = STEP.exec(rest)
    if (!found) return null
    const [all, sign = '', amount = '1', unit = '', ago] = found
    const count = /^last$/i.test(amount) ? -1 : /^\d+$/.test(amount) ? Number(amount) : 1
    shift(time, unit.toLowerCase(), count * (sign === '-' ? -1 : 1) * (ago ? -1 : 1))
    rest = rest.slice(all.length)
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
  const at = Date.parse(iso.length === 10 || iso.endsWith('Z') ? iso : `${iso}Z`)
  return Number.isNaN(at) ? null : at
}

function shift(time: Date, unit: string, count: number): void {
  if (unit === 'month') time.setUTCMonth(time.getUTCMonth() + count)
  else if (unit === 'year') time.setUTCFullYear(time.getUTCFullYear() + count)
  else time.setTime(time.getTime() + count * (UNITS[unit] ?? 0))
}

async function original({ origCommand }: CommandContext, args: string[]): Promise<ExecResult> {
  return (await origCommand?.(args)) ?? { stdout: '', stderr: 'bash: not here\n', exitCode: 127 }
}
