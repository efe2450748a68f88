// Divides bytes in the ways that `split` supports.

import { Failed, Unsupported } from '../command.ts'
import { concat } from '../io/bytes.ts'

export function byBytes(input: Uint8Array, size: number): readonly Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let at = 0; at < input.length; at += size) parts.push(input.subarray(at, at + size))
  return parts
}

export function byLines(input: Uint8Array, count: number, mark: number): readonly Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let from = 0; from < input.length;) {
    let at = from
    for (let line = 0; line < count && at < input.length; line++) at = endOfLine(input, at, mark)
    parts.push(input.subarray(from, at))
    from = at
  }
  return parts
}

/** Parts of at most `size` bytes with whole lines; a longer line is divided. */
export function byLineBytes(input: Uint8Array, size: number, mark: number): readonly Uint8Array[] {
  const parts: Uint8Array[] = []
  for (let from = 0; from < input.length;) {
    let to = Math.min(input.length, from + size)
    if (to < input.length) {
      const last = input.subarray(from, to).lastIndexOf(mark)
      if (last !== -1) to = from + last + 1
    }
    parts.push(input.subarray(from, to))
    from = to
  }
  return parts
}

/** `N` parts of equal size, `l/N` with whole lines, or `r/N` with lines distributed in turn. */
export function byChunks(input: Uint8Array, wanted: string, mark: number): readonly Uint8Array[] {
  const [, kind = '', digits] = /^(?:([lr])\/)?(\d+)$/.exec(wanted) ?? []
  const count = Number(digits)
  if (digits === undefined || count === 0) throw new Failed(`invalid number of chunks: ‘${wanted}’`)
  if (count > 100_000) throw new Unsupported(`split into ${count} parts`, 'fewer parts')
  if (kind === 'r') return inTurn(input, count, mark)
  const size = Math.max(1, Math.floor(input.length / count))
  // The last part takes the rest.
  const ends = Array.from({ length: count }, (_, at) => (at === count - 1 ? input.length : (at + 1) * size))
  if (kind === '') return ends.map((end, at) => input.subarray(ends[at - 1] ?? 0, end))
  let from = 0
  return lineEnds(input, size, count, mark).map((end) => {
    const part = input.subarray(from, end)
    from = end
    return part
  })
}

/** Each part ends with the line that contains the end of its share of the bytes. The last part takes the rest. */
function lineEnds(input: Uint8Array, size: number, count: number, mark: number): readonly number[] {
  let at = 0
  return Array.from({ length: count }, (_, index) => {
    if (index === count - 1) return input.length
    const share = (index + 1) * size
    if (at < share) at = endOfLine(input, share - 1, mark)
    return at
  })
}

function inTurn(input: Uint8Array, count: number, mark: number): readonly Uint8Array[] {
  const parts: Uint8Array[][] = Array.from({ length: count }, () => [])
  let line = 0
  for (let from = 0; from < input.length; line++) {
    const to = endOfLine(input, from, mark)
    parts[line % count]?.push(input.subarray(from, to))
    from = to
  }
  return parts.map((pieces) => concat(pieces))
}

/** The position after the end of the line at `from`. */
function endOfLine(input: Uint8Array, from: number, mark: number): number {
  const found = input.indexOf(mark, from)
  return found === -1 ? input.length : found + 1
}
