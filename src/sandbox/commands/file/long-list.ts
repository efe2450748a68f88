// Formats the rows of `ls -l`: permissions, links, owner, size, time and name in columns.

import { Unsupported, type CommandIo } from '../command.ts'
import type { FileStatus } from '../io/files.ts'
import type { Parsed } from '../options.ts'
import { formatTime } from '../time/format.ts'
import { zoneOf } from '../time/zone.ts'
import { linksOf, OWNER, sizeOf, type Listed } from './facts.ts'
import { humanSize } from './human-size.ts'
import { permissionsText } from './mode-text.ts'

/** Older files are shown with their year. */
const HALF_YEAR_MS = (31_556_952 / 2) * 1000

export async function longRows(
  io: CommandIo,
  parsed: Parsed,
  entries: readonly Listed[],
  mark: (status: FileStatus) => string,
): Promise<readonly string[]> {
  const numeric = parsed.has('-n')
  const owner = numeric ? OWNER.id : OWNER.name
  const cells: string[][] = []
  for (const { path, status } of entries)
    cells.push([
      String(await linksOf(io, path, status)),
      ...(parsed.has('-g') ? [] : [owner]),
      ...(parsed.has('-o') || parsed.has('-G') ? [] : [owner]),
      parsed.has('-h') ? humanSize(sizeOf(status)) : String(sizeOf(status)),
    ])
  const widths = (cells[0] ?? []).map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)))
  const rows: string[] = []
  for (const [index, { name, path, status }] of entries.entries()) {
    const texts = (cells[index] ?? []).map((text, at) => text.padStart(widths[at] ?? 0))
    let shown = name + (status.kind === 'link' ? '' : mark(status))
    if (status.kind === 'link') {
      const target = await io.files.stat(path)
      shown += ` -> ${await io.files.readLink(path)}${target ? mark(target) : ''}`
    }
    rows.push(`${permissionsText(status)} ${texts.join(' ')} ${timeText(io, parsed, status)} ${shown}`)
  }
  return rows
}

function timeText(io: CommandIo, parsed: Parsed, { mtimeMs }: FileStatus): string {
  const seconds = Math.floor(mtimeMs / 1000)
  const nanoseconds = Math.round((mtimeMs - seconds * 1000) * 1_000_000)
  const recent = mtimeMs > io.now() - HALF_YEAR_MS && mtimeMs <= io.now()
  const time = { seconds, nanoseconds, zone: zoneOf(io.env['TZ'], 'ls'), command: 'ls' }
  return formatTime(formatOf(parsed, recent), time)
}

function formatOf(parsed: Parsed, recent: boolean): string {
  const style = parsed.last('--full-time', '--time-style')
  const name =
    style === '--full-time' ? 'full-iso' : (parsed.value('--time-style') ?? 'locale').replace(/^posix-/, '')
  if (name.startsWith('+')) {
    const [old = '', ...news] = name.slice(1).split('\n')
    return recent ? (news[0] ?? old) : old
  }
  switch (name) {
    case 'full-iso':
      return '%Y-%m-%d %H:%M:%S.%N %z'
    case 'long-iso':
      return '%Y-%m-%d %H:%M'
    case 'iso':
      return recent ? '%m-%d %H:%M' : '%Y-%m-%d '
    case 'locale':
      return recent ? '%b %e %H:%M' : '%b %e  %Y'
    default:
      throw new Unsupported(`ls --time-style=${name}`, '--time-style=long-iso')
  }
}
