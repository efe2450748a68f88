// The options of `patch`.

import { Failed, Unsupported } from '../command.ts'
import { parseOptions } from '../options.ts'

export interface PatchOptions {
  readonly file: string | null
  /** The patch file, or `-` for standard input. */
  readonly input: string
  readonly folder: string
  /** Number of leading folders to remove from names; null for all. */
  readonly strip: number | null
  readonly reverse: boolean
  readonly dryRun: boolean
  readonly silent: boolean
  readonly forward: boolean
  readonly force: boolean
  readonly batch: boolean
  readonly ignoresBlanks: boolean
  readonly binary: boolean
  readonly fuzz: number
  readonly output: string | null
  readonly backup: 'always' | 'mismatch' | 'never'
  readonly backupName: (path: string) => string
  readonly rejects: string | null
  readonly rejectFormat: 'unified' | 'context' | null
  readonly removesEmpty: boolean
  readonly format: PatchFormat | null
}

export type PatchFormat = 'unified' | 'context' | 'normal'

const RULES = [
  { flags: '-b --backup' },
  { flags: '--backup-if-mismatch' },
  { flags: '--no-backup-if-mismatch' },
  { flags: '--binary' },
  { flags: '-B --prefix', value: 'required' },
  { flags: '-c --context' },
  { flags: '-d --directory', value: 'required' },
  { flags: '--dry-run' },
  { flags: '-E --remove-empty-files' },
  { flags: '-f --force' },
  { flags: '-F --fuzz', value: 'required' },
  { flags: '-i --input', value: 'required' },
  { flags: '-l --ignore-whitespace' },
  { flags: '-n --normal' },
  { flags: '-N --forward' },
  { flags: '-o --output', value: 'required' },
  { flags: '-p --strip', value: 'required' },
  { flags: '-r --reject-file', value: 'required' },
  { flags: '-R --reverse' },
  { flags: '--reject-format', value: 'required' },
  { flags: '-s --quiet --silent' },
  { flags: '-t --batch' },
  { flags: '-u --unified' },
  { flags: '-z --suffix', value: 'required' },
  { flags: '-D --ifdef', value: 'required', refused: 'patch without it' },
  { flags: '-e --ed', refused: 'a patch that diff -u has made' },
  { flags: '-g --get', value: 'required', refused: 'patch without it' },
  { flags: '-m --merge', value: 'optional', refused: 'patch without it, which writes rejects' },
  { flags: '--posix', refused: 'patch without it' },
  { flags: '-T --set-time', refused: 'touch -d after it' },
  { flags: '-Z --set-utc', refused: 'touch -d after it' },
  { flags: '-V --version-control', value: 'required', refused: '-b with -z SUFFIX' },
  { flags: '-Y --basename-prefix', value: 'required', refused: '-b with -z SUFFIX or -B PREFIX' },
  { flags: '--verbose', refused: 'patch without it' },
  { flags: '--quoting-style', value: 'required', refused: 'patch without it' },
  { flags: '--read-only', value: 'required', refused: 'patch without it' },
  { flags: '--follow-symlinks', refused: 'the file that the link names' },
] as const
const TROUBLE = 2

export function patchOptions(args: readonly string[]): PatchOptions {
  const parsed = parseOptions('patch', args, RULES, { usageExit: TROUBLE })
  const [file, input, extra] = parsed.operands
  if (extra !== undefined)
    throw new Failed(`${extra}: extra operand\npatch: Try 'patch --help' for more information.`, TROUBLE)
  const strip = parsed.value('-p')
  const fuzz = parsed.value('-F') ?? '2'
  if (strip !== undefined && !/^\d+$/.test(strip))
    throw new Failed(`**** strip count ${strip} is not a number`, TROUBLE)
  if (!/^\d+$/.test(fuzz)) throw new Failed(`**** fuzz factor ${fuzz} is not a number`, TROUBLE)
  const format = parsed.last('-c', '-n', '-u')
  const reject = parsed.value('--reject-format')
  if (reject !== undefined && reject !== 'unified' && reject !== 'context')
    throw new Unsupported(`patch --reject-format=${reject}`, 'unified or context')
  const mismatch = parsed.last('--backup-if-mismatch', '--no-backup-if-mismatch')
  const [prefix, suffix] = [parsed.value('-B') ?? '', parsed.value('-z')]
  const end = suffix ?? (prefix === '' ? '.orig' : '')
  return {
    file: file ?? null,
    input: parsed.value('-i') ?? input ?? '-',
    folder: parsed.value('-d') ?? '',
    strip: strip === undefined ? null : Number(strip),
    reverse: parsed.has('-R'),
    dryRun: parsed.has('--dry-run'),
    silent: parsed.has('-s'),
    forward: parsed.has('-N'),
    force: parsed.has('-f'),
    batch: parsed.has('-t'),
    ignoresBlanks: parsed.has('-l'),
    binary: parsed.has('--binary'),
    fuzz: Number(fuzz),
    output: parsed.value('-o') ?? null,
    backup: parsed.has('-b') ? 'always' : mismatch === '--no-backup-if-mismatch' ? 'never' : 'mismatch',
    backupName: (path) => prefix + path + end,
    rejects: parsed.value('-r') ?? null,
    rejectFormat: reject ?? null,
    removesEmpty: parsed.has('-E'),
    format: format === '-c' ? 'context' : format === '-n' ? 'normal' : format === '-u' ? 'unified' : null,
  }
}
