// Parses and combines the options of `grep`.

import { Failed, Unsupported, type CommandIo } from '../command.ts'
import { countsBytes, perlPatternFor, textFor } from '../io/locale.ts'
import { decode } from '../io/text.ts'
import { readAll } from '../io/reader.ts'
import { parseOptions, type Parsed } from '../options.ts'

const OPTIONS = [
  { flags: '-E --extended-regexp' },
  { flags: '-F --fixed-strings' },
  { flags: '-G --basic-regexp' },
  { flags: '-P --perl-regexp' },
  { flags: '-e --regexp', value: 'required' },
  { flags: '-f --file', value: 'required' },
  { flags: '-i --ignore-case -y' },
  { flags: '--no-ignore-case' },
  { flags: '-w --word-regexp' },
  { flags: '-x --line-regexp' },
  { flags: '-z --null-data' },
  { flags: '-s --no-messages' },
  { flags: '-v --invert-match' },
  { flags: '-m --max-count', value: 'required' },
  { flags: '-b --byte-offset' },
  { flags: '-n --line-number' },
  { flags: '--line-buffered' },
  { flags: '-H --with-filename' },
  { flags: '-h --no-filename' },
  { flags: '--label', value: 'required' },
  { flags: '-o --only-matching' },
  { flags: '-q --quiet --silent' },
  { flags: '--binary-files', value: 'required' },
  { flags: '-a --text' },
  { flags: '-I' },
  { flags: '-U --binary' },
  { flags: '-d --directories', value: 'required' },
  { flags: '-D --devices', value: 'required' },
  { flags: '-r --recursive' },
  { flags: '-R --dereference-recursive' },
  { flags: '--include', value: 'required' },
  { flags: '--exclude', value: 'required' },
  { flags: '--exclude-from', value: 'required', refused: '--exclude for each name' },
  { flags: '--exclude-dir', value: 'required' },
  { flags: '-L --files-without-match' },
  { flags: '-l --files-with-matches' },
  { flags: '-c --count' },
  { flags: '-T --initial-tab' },
  { flags: '-Z --null' },
  { flags: '-B --before-context', value: 'required' },
  { flags: '-A --after-context', value: 'required' },
  { flags: '-C --context', value: 'required' },
  { flags: '--group-separator', value: 'required' },
  { flags: '--no-group-separator' },
  { flags: '--color --colour', value: 'optional' },
  { flags: '-u --unix-byte-offsets', refused: '-b without it' },
] as const

export type PatternKind = 'basic' | 'extended' | 'fixed' | 'perl'

/** A pattern given with `--include` or `--exclude`. */
interface NameRule {
  readonly include: boolean
  readonly pattern: string
}

export interface GrepOptions {
  readonly kind: PatternKind
  readonly patterns: readonly string[]
  /** Whether each byte is a character, as in the locale C. */
  readonly bytesOnly: boolean
  readonly operands: readonly string[]
  readonly ignoreCase: boolean
  readonly within: 'anything' | 'word' | 'line'
  readonly inverted: boolean
  /** The character that ends a line. */
  readonly end: '\n' | '\0'
  readonly silent: boolean
  /** Maximum number of selected lines; Infinity for no limit. */
  readonly most: number
  readonly before: number
  readonly after: number
  /** Whether context was requested, even of zero lines, so that a separator is printed between groups. */
  readonly grouped: boolean
  /** The separator between groups; null for none. */
  readonly separator: string | null
  readonly numbered: boolean
  readonly offsets: boolean
  /** Whether numbers are padded to the width of the file size, and followed by a tab. */
  readonly aligned: boolean
  readonly onlyMatches: boolean
  /** What to print for each file. */
  readonly report: 'lines' | 'count' | 'with' | 'without' | 'nothing'
  readonly nullAfterName: boolean
  /** Whether to print file names; null means only if there are several files. */
  readonly names: boolean | null
  readonly label: string
  readonly colored: boolean
  readonly binary: 'message' | 'text' | 'skip'
  readonly folders: 'read' | 'skip' | 'recurse' | 'follow'
  readonly nameRules: readonly NameRule[]
  readonly folderRules: readonly string[]
}

export async function grepOptions(io: CommandIo, kind: PatternKind): Promise<GrepOptions> {
  const { args, digits } = withoutDigits(io.args)
  const given = parseOptions(io.name, args, OPTIONS, { usageExit: 2 })
  const { patterns, operands } = await patternsOf(io, given)
  const kindGiven = kindOf(given) ?? kind
  const patternFor = kindGiven === 'perl' ? perlPatternFor : textFor
  const context = given.has('-C') ? contextOf(given.value('-C') ?? '') : (digits ?? 0)
  const colored = given.values('--color').some(isColored) && isColored(given.value('--color') ?? '')
  if (colored && (io.env['GREP_COLORS'] || io.env['GREP_COLOR']))
    throw new Unsupported('grep --color with GREP_COLORS', 'unset GREP_COLORS GREP_COLOR, before it')
  const binaryFiles = given.last('-a', '-I', '--binary-files')
  return {
    kind: kindGiven,
    patterns: patterns.map((pattern) => patternFor(io.env, pattern)),
    bytesOnly: countsBytes(io.env),
    operands,
    ignoreCase: given.last('-i', '--no-ignore-case') === '-i',
    within: given.has('-x') ? 'line' : given.has('-w') ? 'word' : 'anything',
    inverted: given.has('-v'),
    end: given.has('-z') ? '\0' : '\n',
    silent: given.has('-s'),
    most: mostOf(given.value('-m')),
    before: given.has('-B') ? contextOf(given.value('-B') ?? '') : context,
    after: given.has('-A') ? contextOf(given.value('-A') ?? '') : context,
    grouped: digits !== null || given.has('-A') || given.has('-B') || given.has('-C'),
    separator:
      given.last('--group-separator', '--no-group-separator') === '--no-group-separator'
        ? null
        : (given.value('--group-separator') ?? '--'),
    numbered: given.has('-n'),
    offsets: given.has('-b'),
    aligned: given.has('-T'),
    onlyMatches: given.has('-o'),
    report: reportOf(given),
    nullAfterName: given.has('-Z'),
    names: given.has('-H') || given.has('-h') ? given.last('-H', '-h') === '-H' : null,
    label: given.value('--label') ?? '(standard input)',
    colored,
    binary:
      binaryFiles === '--binary-files'
        ? binaryOf(given.value('--binary-files') ?? '')
        : binaryFiles === '-a'
          ? 'text'
          : binaryFiles === '-I'
            ? 'skip'
            : 'message',
    folders: foldersOf(given),
    nameRules: given.options
      .filter(({ flag }) => flag === '--include' || flag === '--exclude')
      .map(({ flag, value }) => ({ include: flag === '--include', pattern: value })),
    folderRules: given.values('--exclude-dir').map((name) => name.replace(/(?<=.)\/+$/, '')),
  }
}

/** `-2` and `-12`, also within clusters, set the number of context lines. */
function withoutDigits(args: readonly string[]): { args: readonly string[]; digits: number | null } {
  const kept: string[] = []
  let digits: number | null = null
  let at = 0
  for (; at < args.length && args[at] !== '--'; at++) {
    const arg = args[at] ?? ''
    const [, letters = '', number, more = ''] = /^-([a-zA-Z]*?)(\d+)([a-zA-Z]*)$/.exec(arg) ?? []
    // After these letters, digits are the option's value.
    if (number === undefined || /[ABCDdefm]/.test(letters)) {
      kept.push(arg)
      if (
        /^-[a-zA-Z]*[ABCDdefm]$/.test(arg) ||
        /^--(?:regexp|file|label|max-count|include|exclude|context)$/.test(arg)
      )
        kept.push(...args.slice(++at, at + 1))
      continue
    }
    digits = Number(number)
    if (letters + more !== '') kept.push(`-${letters}${more}`)
  }
  return { args: [...kept, ...args.slice(at)], digits }
}

async function patternsOf(
  io: CommandIo,
  given: Parsed,
): Promise<{ patterns: readonly string[]; operands: readonly string[] }> {
  const patterns: string[] = []
  for (const { flag, value } of given.options)
    if (flag === '-e') patterns.push(...value.split('\n'))
    else if (flag === '-f') {
      const text = decode(value === '-' ? await readAll(io.stdin) : await fileOf(io, value))
      if (text !== '') patterns.push(...text.replace(/\n$/, '').split('\n'))
    }
  if (given.has('-e') || given.has('-f')) return { patterns, operands: given.operands }
  const [pattern, ...operands] = given.operands
  if (pattern === undefined)
    throw new Failed('a pattern is needed. Usage: grep [OPTION]... PATTERNS [FILE]...', 2)
  return { patterns: pattern.split('\n'), operands }
}

async function fileOf(io: CommandIo, path: string): Promise<Uint8Array> {
  try {
    return await io.files.read(path)
  } catch (error) {
    throw new Failed(`${path}: ${error instanceof Error ? error.message : String(error)}`, 2)
  }
}

const KINDS: Readonly<Record<string, PatternKind>> = {
  '-E': 'extended',
  '-F': 'fixed',
  '-G': 'basic',
  '-P': 'perl',
}

function kindOf(given: Parsed): PatternKind | null {
  return KINDS[given.last('-E', '-F', '-G', '-P') ?? ''] ?? null
}

function reportOf(given: Parsed): GrepOptions['report'] {
  if (given.has('-q')) return 'nothing'
  const list = given.last('-l', '-L')
  if (list !== undefined) return list === '-l' ? 'with' : 'without'
  return given.has('-c') ? 'count' : 'lines'
}

function foldersOf(given: Parsed): GrepOptions['folders'] {
  const last = given.last('-r', '-R', '-d')
  if (last === '-r') return 'recurse'
  if (last === '-R') return 'follow'
  const action = given.value('-d') ?? 'read'
  if (action !== 'read' && action !== 'skip' && action !== 'recurse')
    throw new Failed(`invalid argument '${action}' for '--directories'`, 2)
  return action
}

function isColored(when: string): boolean {
  if (['always', 'yes', 'force'].includes(when)) return true
  if (['', 'auto', 'tty', 'if-tty', 'never', 'no', 'none'].includes(when)) return false
  throw new Failed(`invalid argument '${when}' for '--color'`, 2)
}

function binaryOf(kind: string): GrepOptions['binary'] {
  if (kind === 'text') return 'text'
  if (kind === 'binary') return 'message'
  if (kind === 'without-match') return 'skip'
  throw new Failed(`invalid argument '${kind}' for '--binary-files'`, 2)
}

function contextOf(text: string): number {
  if (!/^\s*\+?\d+$/.test(text)) throw new Failed(`${text}: invalid context length argument`, 2)
  return Number(text)
}

function mostOf(text: string | undefined): number {
  if (text === undefined) return Infinity
  const found = /^(-?\d+)([kKM]?)$/.exec(text)
  if (!found) throw new Failed('invalid max count', 2)
  const count = Number(found[1]) * { '': 1, k: 1024, K: 1024, M: 1_048_576 }[found[2] as '' | 'k' | 'K' | 'M']
  return count < 0 ? Infinity : count
}
