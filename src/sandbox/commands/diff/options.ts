// The options of diff.

import { Failed, Unsupported } from '../command.ts'
import { parseOptions, type Parsed } from '../options.ts'
import type { Ignoring } from './lines.ts'
import type { LineFormats } from './shown.ts'
import type { Columns } from './side-by-side.ts'

export interface DiffOptions {
  readonly style: 'normal' | 'unified' | 'context' | 'ed' | 'rcs' | 'columns' | 'formats'
  readonly context: number
  readonly columns: Columns
  readonly formats: LineFormats
  readonly ignoring: Ignoring
  readonly blankLines: boolean
  readonly brief: boolean
  readonly saysEqual: boolean
  readonly labels: readonly string[]
  readonly recursive: boolean
  /** `-N`, `--unidirectional-new-file`. */
  readonly newFiles: boolean
  readonly text: boolean
  readonly minimal: boolean
  readonly stripsReturns: boolean
  readonly exclude: readonly string[]
  readonly operands: readonly string[]
  /** The options as printed in front of the differences of each file. */
  readonly written: readonly string[]
}

const REFUSED = 'diff without it'
const RULES = [
  { flags: '--normal' },
  { flags: '-q --brief' },
  { flags: '-s --report-identical-files' },
  { flags: '-c' },
  { flags: '-C', value: 'required' },
  { flags: '--context', value: 'optional' },
  { flags: '-u' },
  { flags: '-U', value: 'required' },
  { flags: '--unified', value: 'optional' },
  { flags: '-e --ed' },
  { flags: '-n --rcs' },
  { flags: '-y --side-by-side' },
  { flags: '-W --width', value: 'required' },
  { flags: '--left-column' },
  { flags: '--suppress-common-lines' },
  { flags: '-t --expand-tabs' },
  { flags: '-L --label', value: 'required' },
  { flags: '-r --recursive' },
  { flags: '-N --new-file' },
  { flags: '-x --exclude', value: 'required' },
  { flags: '-i --ignore-case' },
  { flags: '-Z --ignore-trailing-space' },
  { flags: '-b --ignore-space-change' },
  { flags: '-w --ignore-all-space' },
  { flags: '-B --ignore-blank-lines' },
  { flags: '--strip-trailing-cr' },
  { flags: '-a --text' },
  { flags: '-d --minimal' },
  { flags: '--old-line-format', value: 'required' },
  { flags: '--new-line-format', value: 'required' },
  { flags: '--unchanged-line-format', value: 'required' },
  { flags: '--line-format', value: 'required' },
  { flags: '--color', value: 'optional' },
  { flags: '-E --ignore-tab-expansion', refused: '-b' },
  { flags: '-I --ignore-matching-lines', value: 'required', refused: 'grep -v before it' },
  { flags: '-p --show-c-function', refused: REFUSED },
  { flags: '-F --show-function-line', value: 'required', refused: REFUSED },
  { flags: '-f --forward-ed', refused: '-e' },
  { flags: '-P --unidirectional-new-file', refused: '-N' },
  { flags: '-T --initial-tab', refused: REFUSED },
  { flags: '-l --paginate', refused: REFUSED },
  { flags: '-D --ifdef', value: 'required', refused: '-u' },
  { flags: '-X --exclude-from', value: 'required', refused: '-x' },
  { flags: '-S --starting-file', value: 'required', refused: REFUSED },
  { flags: '-H --speed-large-files', refused: REFUSED },
  { flags: '--no-dereference', refused: REFUSED },
  { flags: '--horizon-lines', value: 'required', refused: REFUSED },
  { flags: '--tabsize', value: 'required', refused: REFUSED },
  { flags: '--suppress-blank-empty', refused: REFUSED },
  { flags: '--from-file', value: 'required', refused: 'a loop' },
  { flags: '--to-file', value: 'required', refused: 'a loop' },
  { flags: '--old-group-format', value: 'required', refused: '--old-line-format' },
  { flags: '--new-group-format', value: 'required', refused: '--new-line-format' },
  { flags: '--changed-group-format', value: 'required', refused: '--old-line-format and --new-line-format' },
  { flags: '--unchanged-group-format', value: 'required', refused: '--unchanged-line-format' },
] as const

const STYLES: Readonly<Record<string, DiffOptions['style']>> = {
  '--normal': 'normal',
  '-c': 'context',
  '-C': 'context',
  '--context': 'context',
  '-u': 'unified',
  '-U': 'unified',
  '--unified': 'unified',
  '-e': 'ed',
  '-n': 'rcs',
  '-y': 'columns',
}

export function optionsOf(args: readonly string[]): DiffOptions {
  // `-u0` is the old form of `-U0`.
  const modern = args.map((arg) =>
    arg.replace(
      /^-([a-zA-Z]*)([uc])(\d+)$/,
      (_all, more: string, kind: string, count: string) => `-${more}${kind.toUpperCase()}${count}`,
    ),
  )
  const parsed = parseOptions('diff', modern, RULES, { usageExit: 2 })
  const color = parsed.value('--color')
  if (color !== undefined && color !== 'never' && color !== 'auto' && color !== '')
    throw new Unsupported(`diff --color=${color}`, REFUSED)
  const formatFlags = ['--old-line-format', '--new-line-format', '--unchanged-line-format', '--line-format']
  const styles = [...new Set(parsed.options.flatMap(({ flag }) => STYLES[flag] ?? []))]
  if (styles.length > 1)
    throw new Failed("conflicting output style options\ndiff: Try 'diff --help' for more information.", 2)
  const formats = formatFlags.some((flag) => parsed.has(flag))
  const general = parsed.value('--line-format') ?? '%l\n'
  if (parsed.has('-t') && styles[0] !== 'columns')
    throw new Unsupported('diff -t without -y', 'diff | expand')
  return {
    style: formats ? 'formats' : (styles[0] ?? 'normal'),
    context: contextOf(parsed),
    columns: {
      width: countOf(parsed.value('-W') ?? '130', 'width'),
      onlyChanges: parsed.has('--suppress-common-lines'),
      leftColumn: parsed.has('--left-column'),
      expandsTabs: parsed.has('-t'),
    },
    formats: {
      old: parsed.value('--old-line-format') ?? general,
      new: parsed.value('--new-line-format') ?? general,
      same: parsed.value('--unchanged-line-format') ?? general,
    },
    ignoring: {
      allSpace: parsed.has('-w'),
      spaceChange: parsed.has('-b'),
      trailingSpace: parsed.has('-Z'),
      letterCase: parsed.has('-i'),
      lineEnd: !formats && styles[0] === 'ed',
    },
    blankLines: parsed.has('-B'),
    brief: parsed.has('-q'),
    saysEqual: parsed.has('-s'),
    labels: parsed.values('-L').slice(0, 2),
    recursive: parsed.has('-r'),
    newFiles: parsed.has('-N'),
    text: parsed.has('-a'),
    minimal: parsed.has('-d'),
    stripsReturns: parsed.has('--strip-trailing-cr'),
    exclude: parsed.values('-x'),
    operands: parsed.operands,
    written: writtenOf(args, parsed),
  }
}

function contextOf(parsed: Parsed): number {
  const given = parsed.options.filter(({ flag }) =>
    ['-c', '-u', '-C', '-U', '--context', '--unified'].includes(flag),
  )
  const counts = given.map(({ flag, value }) =>
    value === '' && flag !== '-C' && flag !== '-U' ? 3 : countOf(value, 'context length'),
  )
  return Math.max(
    0,
    ...(given.some(({ value }) => value !== '') ? counts.filter((_, at) => given[at]?.value !== '') : counts),
  )
}

function countOf(text: string, what: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new Failed(`invalid ${what} '${text}'\ndiff: Try 'diff --help' for more information.`, 2)
}

/** The options as written, without the two operands. */
function writtenOf(args: readonly string[], { operands }: Parsed): readonly string[] {
  const left = [...operands]
  const options: string[] = []
  for (const arg of args.toReversed()) {
    if (left.length > 0 && arg === left.at(-1)) left.pop()
    else options.unshift(arg)
  }
  return options.map((word) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`,
  )
}
