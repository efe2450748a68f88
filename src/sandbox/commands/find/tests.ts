// The tests of find for names, types, sizes, modes and times.

import { Failed, Unsupported, type CommandIo } from '../command.ts'
import { parsePattern } from '../pattern/parse.ts'
import { Pattern } from '../pattern/pattern.ts'
import { sequence } from '../pattern/tree.ts'
import { wildcard } from '../wildcard.ts'
import { parseDate } from '../time/parse-date.ts'
import { zoneOf } from '../time/zone.ts'
import { sizeOf } from '../file/facts.ts'
import { baseOf, typeLetter, type Entry, type Predicate, type Walk } from './entry.ts'

/** A parsed `+N`, `-N` or `N`. */
interface Compared {
  readonly sign: '+' | '-' | ''
  readonly count: number
}

const UNITS: Readonly<Record<string, number>> = { b: 512, c: 1, w: 2, k: 1024, M: 1024 ** 2, G: 1024 ** 3 }
const DAY_MS = 86_400_000
const TYPES = 'bcdpflsD'

export interface TestParts {
  readonly io: CommandIo
  readonly nowMs: number
  /** Whether `-daystart` came before. */
  readonly dayStart: boolean
  readonly regexType: string
}

/** The test for `-name ARGUMENT`; null if there is no such test. */
export async function testOf(name: string, argument: string, parts: TestParts): Promise<Predicate | null> {
  switch (name) {
    case '-name':
    case '-iname': {
      const test = nameTest(argument, name === '-iname')
      return ({ path }) => test(baseOf(path))
    }
    case '-path':
    case '-wholename':
    case '-ipath':
    case '-iwholename': {
      const test = nameTest(argument, name.startsWith('-i'))
      return ({ path }) => test(path)
    }
    case '-lname':
    case '-ilname': {
      const test = nameTest(argument, name === '-ilname')
      return async ({ path, status }) => status.kind === 'link' && test(await parts.io.files.readLink(path))
    }
    case '-regex':
    case '-iregex':
      return regexTest(argument, name === '-iregex', parts.regexType)
    case '-type':
      return typeTest(argument, typeLetterOf)
    case '-xtype':
      return typeTest(argument, async ({ path, status }, { follows }) => {
        if (follows) throw new Unsupported('find -L with -xtype', 'find -type l, or find -L -type')
        if (status.kind !== 'link') return typeLetter(status)
        const target = await parts.io.files.stat(path)
        return target ? typeLetter(target) : 'l'
      })
    case '-size':
      return sizeTest(argument)
    case '-perm':
      return permissionTest(argument)
    case '-mtime':
    case '-mmin':
      return ageTest(name, argument, parts)
    case '-newer':
    case '-newermm': {
      const reference = await parts.io.files.lstat(argument)
      if (!reference) throw new Failed(`‘${argument}’: No such file or directory`)
      return ({ status }) => status.mtimeMs > reference.mtimeMs
    }
    case '-newermt': {
      const time = parseDate(argument, parts.nowMs, zoneOf(parts.io.env['TZ'], 'find'))
      if (!time) throw new Failed(`I cannot figure out how to interpret ‘${argument}’ as a date or time`)
      const ms = time.seconds * 1000 + time.nanoseconds / 1_000_000
      return ({ status }) => status.mtimeMs > ms
    }
    default:
      return null
  }
}

function nameTest(pattern: string, ignoreCase: boolean): (text: string) => boolean {
  const fits = wildcard(ignoreCase ? pattern.toLowerCase() : pattern)
  return ignoreCase ? (text) => fits(text.toLowerCase()) : fits
}

function typeLetterOf({ status }: Entry): string {
  return typeLetter(status)
}

function typeTest(
  argument: string,
  letter: (entry: Entry, walk: Walk) => string | Promise<string>,
): Predicate {
  const wanted = argument.split(',')
  for (const one of wanted) {
    if (one === '')
      throw new Failed("Last file type in list argument to -type is missing, i.e., list is ending on: ','")
    if (one.length > 1) throw new Failed("Must separate multiple arguments to -type using: ','")
    if (!TYPES.includes(one)) throw new Failed(`Unknown argument to -type: ${one}`)
  }
  return async (entry, walk) => wanted.includes(await letter(entry, walk))
}

/** A test with a pattern for the whole path. */
function regexTest(text: string, ignoreCase: boolean, type: string): Predicate {
  const emacs = type === 'emacs' || type === 'findutils-default'
  const extended = /^(?:posix-extended|posix-egrep|egrep)$/.test(type)
  if (!emacs && !extended && !/^(?:posix-basic|ed|sed|grep)$/.test(type))
    throw new Unsupported(`find -regextype ${type}`, '-regextype posix-extended')
  const { tree, groups } = parsePattern(emacs ? fromEmacs(text) : text, {
    extended: emacs || extended,
    ignoreCase,
  })
  const whole = sequence([{ kind: 'mark', mark: 'textStart' }, tree, { kind: 'mark', mark: 'textEnd' }])
  const pattern = new Pattern(whole, { groups, ignoreCase })
  return ({ path }) => pattern.test(path)
}

/** Converts a pattern from Emacs syntax, in which parentheses, braces and `|` are literal unless escaped. */
function fromEmacs(text: string): string {
  return text.replaceAll(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\\?[(){}|]/g, (part) => {
    if (part.startsWith('[') && part.length > 1) return part
    if (part.length === 1) return `\\${part}`
    return '{}'.includes(part[1] ?? '') ? part : part.slice(1)
  })
}

function compared(name: string, argument: string): Compared {
  const [, sign = '', digits] = /^([+-]?)(\d+)$/.exec(argument) ?? []
  if (digits === undefined) throw new Failed(`invalid argument \`${argument}' to \`${name}'`)
  return { sign: sign === '+' ? '+' : sign === '-' ? '-' : '', count: Number(digits) }
}

function sizeTest(argument: string): Predicate {
  const [, number = '', unit = 'b'] = /^([+-]?\d+)([bcwkMG]?)$/.exec(argument) ?? []
  if (number === '') {
    const last = argument.at(-1) ?? ''
    throw new Failed(
      /^[+-]?\d+./.test(argument)
        ? `invalid -size type \`${last}'`
        : `Invalid argument \`${argument}' to -size`,
    )
  }
  const { sign, count } = compared('-size', number)
  const bytes = UNITS[unit === '' ? 'b' : unit] ?? 512
  return ({ status }) => fits(Math.ceil(sizeOf(status) / bytes), sign, count)
}

function fits(value: number, sign: Compared['sign'], count: number): boolean {
  return sign === '+' ? value > count : sign === '-' ? value < count : value === count
}

function ageTest(name: string, argument: string, { nowMs, dayStart }: TestParts): Predicate {
  if (/^[+-]?\d*\.\d+$/.test(argument)) throw new Unsupported(`find ${name} with a fraction`, '-newermt DATE')
  const { sign, count } = compared(name, argument)
  const base = dayStart ? (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS : nowMs
  if (name === '-mtime')
    return ({ status }) => fits(Math.floor((base - status.mtimeMs) / DAY_MS), sign, count)
  const limit = count * 60_000
  return ({ status }) => {
    const age = base - status.mtimeMs
    if (sign === '+') return age > limit
    return sign === '-' ? age < limit : age >= limit - 60_000 && age < limit
  }
}

function permissionTest(argument: string): Predicate {
  const [, kind = '', text = ''] = /^([-/]?)(.*)$/s.exec(argument) ?? []
  const mode = modeOf(text)
  if (mode === null) throw new Failed(`invalid mode ‘${argument}’`)
  return ({ status }) => {
    const bits = status.kind === 'link' ? 0o777 : status.mode & 0o7777
    if (kind === '') return bits === mode
    return kind === '-' ? (bits & mode) === mode : mode === 0 || (bits & mode) !== 0
  }
}

const WHO: Readonly<Record<string, number>> = { u: 0o700, g: 0o070, o: 0o007, a: 0o777 }
const WHAT: Readonly<Record<string, number>> = { r: 0o444, w: 0o222, x: 0o111 }

/** Parses `644`, `u+x` or `a=r,u+w`; null for other text. */
function modeOf(text: string): number | null {
  if (/^[0-7]{1,4}$/.test(text)) return Number.parseInt(text, 8)
  let mode = 0
  for (const clause of text.split(',')) {
    const [, who = '', sign = '', what = ''] = /^([ugoa]*)([+=-])([rwx]*)$/.exec(clause) ?? []
    if (sign === '') return null
    const mask = Array.from(who === '' ? 'a' : who).reduce((sum, one) => sum | (WHO[one] ?? 0), 0)
    const bits = Array.from(what).reduce((sum, one) => sum | (WHAT[one] ?? 0), 0) & mask
    mode = sign === '+' ? mode | bits : sign === '-' ? mode & ~bits : (mode & ~mask) | bits
  }
  return mode
}
