// `-printf`: formats with directives for file properties.

import { Failed, Unsupported } from '../command.ts'
import { formatTime } from '../time/format.ts'
import { zoneOf } from '../time/zone.ts'
import { blocksOf, sizeOf } from '../file/facts.ts'
import { permissionsText } from '../file/mode-text.ts'
import { baseOf, typeLetter, type Entry, type Walk } from './entry.ts'

type Part = string | { readonly flags: string; readonly letter: string; readonly time: string }

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}
/** Directives for properties that this tree does not have. */
const REFUSED = 'aAcCBFSiDZu gUG'

export function formatOf(text: string): (entry: Entry, walk: Walk) => Promise<string> {
  const parts = partsOf(text)
  return async (entry, walk) => {
    let shown = ''
    for (const part of parts)
      shown += typeof part === 'string' ? part : padded(part, await valueOf(part, entry, walk))
    return shown
  }
}

function partsOf(text: string): readonly Part[] {
  const parts: Part[] = []
  for (const [all, octal, escape, flags = '', time, letter = ''] of text.matchAll(
    /\\([0-7]{1,3})|\\([\s\S])|%([-+ #0]*\d*(?:\.\d*)?)(?:T([\s\S])|([\s\S]))|[^\\%]+|[\\%]$/g,
  )) {
    if (octal !== undefined) parts.push(String.fromCharCode(Number.parseInt(octal, 8)))
    else if (escape === 'c') return parts
    else if (escape !== undefined) {
      if (ESCAPES[escape] === undefined)
        throw new Unsupported(`find -printf with \\${escape}`, String.raw`the character itself, or \\`)
      parts.push(ESCAPES[escape] ?? '')
    } else if (all.startsWith('%') && all.length > 1) parts.push(directive(all, flags, time, letter))
    else if (all === '%' || all === '\\') throw new Failed(`error: ${all} at end of format string`)
    else parts.push(all)
  }
  return parts
}

function directive(all: string, flags: string, timeLetter: string | undefined, letter: string): Part {
  if (all === '%%') return '%'
  if (timeLetter !== undefined) return { flags, letter: 'T', time: timeLetter }
  if (REFUSED.includes(letter) || !'bdfhHklmMnpPsytY'.includes(letter))
    throw new Unsupported(`find -printf with ${all}`, 'another directive, or stat')
  return { flags, letter, time: '' }
}

function padded({ flags, letter }: Exclude<Part, string>, value: string): string {
  const [, marks = '', width = '', precision] = /^([-+ #0]*)(\d*)(?:\.(\d*))?$/.exec(flags) ?? []
  if (/[+ #]/.test(marks) || (marks.includes('0') && !'md'.includes(letter)) || Number(width) > 10_000)
    throw new Unsupported(`find -printf with %${flags}${letter}`, 'a width without flags')
  const text = precision === undefined ? value : value.slice(0, Number(precision))
  if (marks.includes('-')) return text.padEnd(Number(width))
  return text.padStart(Number(width), marks.includes('0') ? '0' : ' ')
}

async function valueOf(part: Exclude<Part, string>, entry: Entry, walk: Walk): Promise<string> {
  const { path, start, depth, status } = entry
  switch (part.letter) {
    case 'p':
      return path
    case 'f':
      return baseOf(path) + (/.(\/+)$/.exec(path)?.[1] ?? '')
    case 'h':
      return folderOf(path)
    case 'H':
      return start
    case 'P':
      return path.slice(start.length).replace(/^\//, '')
    case 'd':
      return String(depth)
    case 's':
      return String(sizeOf(status))
    case 'b':
      return String(blocksOf(status) * 8)
    case 'k':
      return String(blocksOf(status) * 4)
    case 'y':
      return typeLetter(status)
    case 'Y': {
      const target = status.kind === 'link' ? await walk.io.files.stat(path) : status
      return target ? typeLetter(target) : 'N'
    }
    case 'l':
      return status.kind === 'link' ? walk.io.files.readLink(path) : ''
    case 'm':
      return (status.kind === 'link' ? 0o777 : status.mode & 0o7777).toString(8)
    case 'M':
      return permissionsText(status)
    case 'n': {
      if (status.kind !== 'directory') return '1'
      throw new Unsupported('find -printf with %n of a folder', '-type f before it')
    }
    case 't':
      return timeText('%a %b %e %H:%M:%S', '.', ' %Y', entry, walk)
    default:
      return timePart(part.time, entry, walk)
  }
}

function folderOf(path: string): string {
  const plain = path.replace(/(?<=.)\/+$/, '')
  const slash = plain.lastIndexOf('/')
  return slash === -1 ? '.' : plain.slice(0, slash)
}

function timePart(letter: string, entry: Entry, walk: Walk): string {
  if (letter === '@') return timeText('%s', '.', '', entry, walk)
  if (letter === 'S') return timeText('%S', '.', '', entry, walk)
  if (letter === 'T' || letter === 'X') return timeText('%H:%M:%S', '.', '', entry, walk)
  if (letter === '+') return timeText('%Y-%m-%d+%H:%M:%S', '.', '', entry, walk)
  if (!'aAbBcdDFHhIjklmMprUwWxyYZ'.includes(letter))
    throw new Unsupported(`find -printf with %T${letter}`, '%T@')
  return timeText(`%${letter}`, '', '', entry, walk)
}

/** Formats a time. If `mark` is not empty, ten fractional digits follow it, as find prints them. */
function timeText(before: string, mark: string, after: string, { status }: Entry, { io }: Walk): string {
  const seconds = Math.floor(status.mtimeMs / 1000)
  const nanoseconds = Math.round((status.mtimeMs - seconds * 1000) * 1_000_000)
  const time = { seconds, nanoseconds, zone: zoneOf(io.env['TZ'], 'find'), command: 'find' }
  return formatTime(mark === '' ? before : `${before}${mark}%N0${after}`, time)
}
