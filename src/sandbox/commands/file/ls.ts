// `ls`: lists files and folders, one per line, as if its output were not a terminal.

import { Unsupported, type Command, type CommandIo } from '../command.ts'
import type { FileStatus } from '../io/files.ts'
import { latin1OfText } from '../io/latin1.ts'
import { parseOptions, type Parsed } from '../options.ts'
import { wildcard } from '../wildcard.ts'
import { blocksOf, sizeOf, type Listed } from './facts.ts'
import { humanSize } from './human-size.ts'
import { longRows } from './long-list.ts'
import { joinedPath, quotedName } from './names.ts'
import { complain } from './report.ts'

const COLUMNS = 'ls -1, or ls | column'
const OPTIONS = [
  { flags: '-1' },
  { flags: '-a --all' },
  { flags: '-A --almost-all' },
  { flags: '-B --ignore-backups' },
  { flags: '-d --directory' },
  { flags: '-F --classify', value: 'optional' },
  { flags: '-g' },
  { flags: '-G --no-group' },
  { flags: '-h --human-readable' },
  { flags: '-i --inode' },
  { flags: '-I --ignore', value: 'required' },
  { flags: '-k --kibibytes' },
  { flags: '-l' },
  { flags: '-L --dereference' },
  { flags: '-n --numeric-uid-gid' },
  { flags: '-N --literal' },
  { flags: '-o' },
  { flags: '-p' },
  { flags: '-r --reverse' },
  { flags: '-R --recursive' },
  { flags: '-s --size' },
  { flags: '-S' },
  { flags: '-t' },
  { flags: '-v' },
  { flags: '-X' },
  { flags: '--color', value: 'optional' },
  { flags: '--file-type' },
  { flags: '--format', value: 'required' },
  { flags: '--full-time' },
  { flags: '--group-directories-first' },
  { flags: '--sort', value: 'required' },
  { flags: '--time-style', value: 'required' },
  { flags: '-b --escape', refused: 'ls without it' },
  { flags: '-c', refused: 'ls -t' },
  { flags: '-C', refused: COLUMNS },
  { flags: '-f', refused: 'ls -a' },
  { flags: '-H', refused: 'ls -L' },
  { flags: '-m', refused: 'ls | paste -sd,' },
  { flags: '-q --hide-control-chars', refused: 'ls without it' },
  { flags: '-Q --quote-name', refused: 'ls without it' },
  { flags: '-T --tabsize', value: 'required', refused: COLUMNS },
  { flags: '-u', refused: 'ls -t' },
  { flags: '-U', refused: 'ls without it' },
  { flags: '-w --width', value: 'required', refused: COLUMNS },
  { flags: '-x', refused: COLUMNS },
  { flags: '-Z --context', refused: 'ls without it' },
  { flags: '--block-size', value: 'required', refused: 'ls -l, or -h' },
  { flags: '--hide', value: 'required', refused: 'ls -I' },
  { flags: '--si', refused: 'ls -h' },
  { flags: '--zero', refused: 'find -print0' },
  { flags: '--author', refused: 'ls -l' },
  { flags: '--quoting-style', value: 'required', refused: 'ls without it' },
  { flags: '--indicator-style', value: 'required', refused: 'ls -F or -p' },
  { flags: '--hyperlink', value: 'optional', refused: 'ls without it' },
] as const
const TROUBLE = 2

export const ls: Command = {
  async run(io) {
    const parsed = parseOptions('ls', io.args, OPTIONS, { usageExit: TROUBLE })
    check(parsed)
    const files: Listed[] = []
    const folders: Listed[] = []
    let exitCode = 0
    for (const path of parsed.operands.length === 0 ? ['.'] : parsed.operands) {
      // A long listing shows a link itself; otherwise the folder that it points to is listed.
      const follows = parsed.has('-L') || !(isLong(parsed) || parsed.has('-F') || parsed.has('-d'))
      const status =
        path === '' ? null : ((follows ? await io.files.stat(path) : null) ?? (await io.files.lstat(path)))
      if (!status) {
        await complain(io, `cannot access ${quotedName(path)}: No such file or directory`)
        exitCode = TROUBLE
      } else
        (status.kind === 'directory' && !parsed.has('-d') ? folders : files).push({
          name: path,
          path,
          status,
        })
    }
    if (files.length > 0) await show(io, parsed, sorted(files, parsed), false)
    const titled = folders.length > 1 || files.length > 0 || parsed.has('-R') || exitCode > 0
    let first = files.length === 0
    for (const folder of sorted(folders, parsed)) {
      await showFolder(
        io,
        parsed,
        folder.path,
        titled && parsed.operands.length > (parsed.has('-R') ? -1 : 1),
        first,
      )
      first = false
    }
    return exitCode
  },
}

function check(parsed: Parsed): void {
  const color = parsed.value('--color')
  if (color !== undefined && !/^(?:never|no|none|auto|tty|if-tty)$/.test(color))
    throw new Unsupported(`ls --color=${color}`, 'ls without it')
  const format = parsed.value('--format')
  if (format !== undefined && !/^(?:long|verbose|single-column)$/.test(format))
    throw new Unsupported(`ls --format=${format}`, COLUMNS)
  const classify = parsed.options.find(({ flag, value }) => flag === '-F' && value !== '')
  if (classify && !/^(?:always|yes|force)$/.test(classify.value))
    throw new Unsupported('ls --classify=WHEN', 'ls -F')
  const sort = parsed.value('--sort')
  if (sort !== undefined && !/^(?:size|time|extension|name)$/.test(sort))
    throw new Unsupported(`ls --sort=${sort}`, 'ls | sort')
  if (parsed.has('-v')) throw new Unsupported('ls -v', 'ls | sort -V')
}

function isLong(parsed: Parsed): boolean {
  return (
    ['-l', '-g', '-o', '-n', '--full-time'].some((flag) => parsed.has(flag)) ||
    /^(?:long|verbose)$/.test(parsed.value('--format') ?? '')
  )
}

async function showFolder(
  io: CommandIo,
  parsed: Parsed,
  path: string,
  titled: boolean,
  first: boolean,
): Promise<void> {
  const ignored = parsed.values('-I').map((pattern) => wildcard(pattern))
  const all = parsed.has('-a')
  const hidden = all || parsed.has('-A')
  const names = (await io.files.list(path)).filter(
    (name) =>
      (hidden || !name.startsWith('.')) &&
      !(parsed.has('-B') && name.endsWith('~')) &&
      !ignored.some((fits) => fits(name)),
  )
  const entries: Listed[] = []
  for (const name of all ? ['.', '..', ...names] : names) {
    const inner = joinedPath(path, name)
    const status = (parsed.has('-L') ? await io.files.stat(inner) : null) ?? (await io.files.lstat(inner))
    if (status) entries.push({ name, path: inner, status })
  }
  const shown = sorted(entries, parsed)
  if (!first) await io.stdout.write('\n')
  if (titled) await io.stdout.write(`${path}:\n`)
  await show(io, parsed, shown, true)
  if (!parsed.has('-R')) return
  for (const { name, path: inner, status } of shown)
    if (status.kind === 'directory' && name !== '.' && name !== '..')
      await showFolder(io, parsed, inner, true, false)
}

function sorted(entries: readonly Listed[], parsed: Parsed): readonly Listed[] {
  const keyed = entries.map((entry) => ({ entry, key: latin1OfText(entry.name) }))
  const by = parsed.last('-S', '-t', '-X', '--sort')
  const kind =
    by === '--sort'
      ? (parsed.value('--sort') ?? '')
      : by === '-S'
        ? 'size'
        : by === '-t'
          ? 'time'
          : by === '-X'
            ? 'extension'
            : 'name'
  const extension = (name: string): string => (name.includes('.') ? name.slice(name.lastIndexOf('.')) : '')
  const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
  const turn = parsed.has('-r') ? -1 : 1
  const foldersFirst = parsed.has('--group-directories-first')
  return keyed
    .toSorted((a, b) => {
      const folders =
        Number(b.entry.status.kind === 'directory') - Number(a.entry.status.kind === 'directory')
      if (foldersFirst && folders !== 0) return folders
      let order = 0
      if (kind === 'size') order = sizeOf(b.entry.status) - sizeOf(a.entry.status)
      else if (kind === 'time') order = b.entry.status.mtimeMs - a.entry.status.mtimeMs
      else if (kind === 'extension') order = text(extension(a.key), extension(b.key))
      return turn * (order === 0 ? text(a.key, b.key) : order)
    })
    .map(({ entry }) => entry)
}

/** Prints the rows of one list, with a `total` line for folders. */
async function show(
  io: CommandIo,
  parsed: Parsed,
  entries: readonly Listed[],
  inFolder: boolean,
): Promise<void> {
  const mark = (status: FileStatus): string => {
    if (status.kind === 'directory')
      return parsed.has('-F') || parsed.has('-p') || parsed.has('--file-type') ? '/' : ''
    if (status.kind === 'link') return parsed.has('-F') || parsed.has('--file-type') ? '@' : ''
    return parsed.has('-F') && (status.mode & 0o111) !== 0 ? '*' : ''
  }
  const long = isLong(parsed)
  const sizes = parsed.has('-s')
  if (inFolder && (long || sizes)) {
    const blocks = entries.reduce((sum, { status }) => sum + blocksOf(status) * 4, 0)
    await io.stdout.write(`total ${parsed.has('-h') ? humanSize(blocks * 1024) : blocks}\n`)
  }
  const prefixes = entries.map(({ status }) => [
    ...(parsed.has('-i') ? [String(status.inode)] : []),
    ...(sizes ? [parsed.has('-h') ? humanSize(blocksOf(status) * 4096) : String(blocksOf(status) * 4)] : []),
  ])
  const widths = [0, 1].map((at) => Math.max(0, ...prefixes.map((texts) => texts[at]?.length ?? 0)))
  const rows = long
    ? await longRows(io, parsed, entries, mark)
    : entries.map(({ name, status }) => name + mark(status))
  for (const [index, row] of rows.entries()) {
    const before = (prefixes[index] ?? []).map((text, at) => `${text.padStart(widths[at] ?? 0)} `).join('')
    await io.stdout.write(`${before}${row}\n`)
  }
}
