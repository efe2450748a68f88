// `xxd -r`: converts a dump back to bytes.

import { Unsupported } from '../command.ts'
import { latin1Of } from '../io/latin1.ts'
import type { XxdOptions } from './xxd-options.ts'

/** The largest offset, 16 MiB: gaps are filled with zeros in memory. */
const OFFSET_MAX_BYTES = 16_777_216

export function undumped(dump: Uint8Array, { style, columns }: XxdOptions): Uint8Array {
  const text = latin1Of(dump)
  if (style === 'plain') return plain(text)
  let bytes = new Uint8Array(4_096)
  let length = 0
  for (const line of text.split('\n')) {
    const [all, address] = /^\s*([\da-fA-F]+):? */.exec(line) ?? []
    if (all === undefined || address === undefined) continue
    const offset = Number.parseInt(address, 16)
    if (offset < length)
      throw new Unsupported('xxd -r of lines that go back', 'lines in the order of their offsets')
    if (offset > OFFSET_MAX_BYTES) throw new Unsupported('xxd -r to so large an offset', 'python3')
    length = offset
    // Two spaces end the bytes; the text column follows.
    const [hex = ''] = /^(?:[\da-fA-F]{2} ?)*/.exec(line.slice(all.length)) ?? []
    const pairs = hex.match(/[\da-fA-F]{2}/g) ?? []
    const needed = length + pairs.length
    if (needed > bytes.length) bytes = grown(bytes, needed)
    for (const pair of pairs.slice(0, columns)) bytes[length++] = Number.parseInt(pair, 16)
  }
  return bytes.subarray(0, length)
}

/** Copies the bytes into a buffer of at least twice the size. */
function grown(bytes: Uint8Array, needed: number): Uint8Array<ArrayBuffer> {
  const copy = new Uint8Array(Math.max(needed, bytes.length * 2))
  copy.set(bytes)
  return copy
}

function plain(text: string): Uint8Array {
  const compact = text.replaceAll(/\s+/g, '')
  const [hex = ''] = /^[\da-fA-F]*/.exec(compact) ?? []
  if (hex.length < compact.length)
    throw new Unsupported('xxd -r -p of other text than hex digits', `tr -cd '0-9a-fA-F' before it`)
  const bytes = new Uint8Array(Math.floor(hex.length / 2))
  for (let at = 0; at < bytes.length; at++) bytes[at] = Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16)
  return bytes
}
