// `stat -c` and `--printf`: print the properties of files that this tree has.

import { Unsupported, type Command, type CommandIo, usage } from '../command.ts'
import type { FileStatus } from '../io/files.ts'
import { parseOptions } from '../options.ts'
import { formatTime } from '../time/format.ts'
import { zoneOf } from '../time/zone.ts'
import { blocksOf, linksOf, OWNER, sizeOf } from './facts.ts'
import { permissionsText } from './mode-text.ts'
import { quotedName } from './names.ts'
import { complain } from './report.ts'

const OPTIONS = [
  { flags: '-c --format', value: 'required' },
  { flags: '--printf', value: 'required' },
  { flags: '-L --dereference' },
  { flags: '-f --file-system', refused: 'stat -c FORMAT' },
  { flags: '-t --terse', refused: 'stat -c FORMAT' },
  { flags: '--cached', value: 'required', refused: 'stat without it' },
] as const
const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  '\\': '\\',
}
const KINDS = { file: 0o100_000, directory: 0o040_000, link: 0o120_000 } as const

export const stat: Command = {
  async run(io) {
    const parsed = parseOptions('stat', io.args, OPTIONS)
    const last = parsed.options.findLast(({ flag }) => flag === '-c' || flag === '--printf')
    if (parsed.operands.length === 0) throw usage('stat', 'missing operand')
    if (!last)
      throw new Unsupported('stat without -c', "stat -c '%A %h %U %G %s %y %n', or another format, or ls -l")
    const format = last.flag === '-c' ? `${last.value}\n` : unescaped(last.value)
    let exitCode = 0
    for (const path of parsed.operands) {
      const status =
        path === '' ? null : parsed.has('-L') ? await io.files.stat(path) : await io.files.lstat(path)
      if (status) await io.stdout.write(await formatted(io, format, path, status))
      else {
        await complain(io, `cannot statx ${quotedName(path)}: No such file or directory`)
        exitCode = 1
      }
    }
    return exitCode
  },
}

function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2})|([\s\S]))/g,
    (all, octal: string | undefined, hex: string | undefined, letter: string) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      const found = ESCAPES[letter]
      if (found === undefined) throw new Unsupported(`stat --printf with ${all}`, String.raw`\n or \t`)
      return found
    },
  )
}

async function formatted(io: CommandIo, format: string, path: string, status: FileStatus): Promise<string> {
  let text = ''
  let from = 0
  for (const match of format.matchAll(/%(-?)(0?)(\d*)([\s\S])/g)) {
    const [all, left = '', zero = '', width = '', letter = ''] = match
    const value = letter === '%' ? '%' : await valueOf(io, letter, path, status)
    if (value === null || (zero !== '' && !'asXYhi'.includes(letter)) || Number(width) > 1_000)
      throw new Unsupported(`stat with ${all}`, 'another format, such as %n %s %a %A %F %y %Y')
    const padded =
      left === '' ? value.padStart(Number(width), zero === '' ? ' ' : '0') : value.padEnd(Number(width))
    text += format.slice(from, match.index) + padded
    from = match.index + all.length
  }
  const rest = format.slice(from)
  if (/%[^\n]/.test(rest)) throw new Unsupported(`stat with ${rest.trim()}`, '%n %s %a %A %F %y %Y')
  return text + rest
}

async function valueOf(
  io: CommandIo,
  letter: string,
  path: string,
  status: FileStatus,
): Promise<string | null> {
  const mode = status.kind === 'link' ? 0o777 : status.mode & 0o7777
  switch (letter) {
    case 'a':
      return mode.toString(8)
    case 'A':
      return permissionsText(status)
    case 'b':
      return String(blocksOf(status) * 8)
    case 'B':
      return '512'
    case 'f':
      return (KINDS[status.kind] | mode).toString(16)
    case 'F':
      if (status.kind === 'file') return status.size === 0 ? 'regular empty file' : 'regular file'
      return status.kind === 'directory' ? 'directory' : 'symbolic link'
    case 'g':
    case 'u':
      return OWNER.id
    case 'G':
    case 'U':
      return OWNER.name
    case 'h':
      return String(await linksOf(io, path, status))
    case 'i':
      return String(status.inode)
    case 'n':
      return path
    case 'N':
      return status.kind === 'link'
        ? `${quotedName(path)} -> ${quotedName(await io.files.readLink(path))}`
        : quotedName(path)
    case 'o':
      return '4096'
    case 's':
      return String(sizeOf(status))
    case 't':
    case 'T':
      return '0'
    case 'y': {
      const seconds = Math.floor(status.mtimeMs / 1000)
      const nanoseconds = Math.round((status.mtimeMs - seconds * 1000) * 1_000_000)
      const zone = zoneOf(io.env['TZ'], 'stat')
      return formatTime('%Y-%m-%d %H:%M:%S.%N %z', { seconds, nanoseconds, zone, command: 'stat' })
    }
    case 'Y':
      return String(Math.floor(status.mtimeMs / 1000))
    default:
      return null
  }
}
