// How much work an encrypted private key causes when it is read: the rounds of PBKDF2 or the N of scrypt, which its author
// chose.

import { Buffer } from 'node:buffer'

const [INTEGER, SEQUENCE, CONSTRUCTED] = [0x02, 0x30, 0x20]
const MARK = '-----BEGIN ENCRYPTED PRIVATE KEY-----'
const BLOCK = /-----BEGIN ENCRYPTED PRIVATE KEY-----([A-Za-z0-9+/=\s]*)-----END ENCRYPTED PRIVATE KEY-----/g

/** The largest number in the key's parameters: infinite if they cannot be read, and 0 if the key is not encrypted. */
export function roundsOf(bytes: Uint8Array, isPem: boolean): number {
  if (!isPem) return roundsIn(bytes)
  const text = Buffer.from(bytes).toString('latin1')
  const blocks = [...text.matchAll(BLOCK)].map(([, block = '']) => Buffer.from(block, 'base64'))
  return blocks.length === text.split(MARK).length - 1 ? Math.max(0, ...blocks.map(roundsIn)) : Infinity
}

/** An encrypted key begins with its parameters, which are a sequence, and other keys with their version. */
function roundsIn(der: Uint8Array): number {
  const [outer] = partsOf(der)
  const [first] = outer?.tag === SEQUENCE ? partsOf(outer.bytes) : []
  if (!first) return Infinity
  return first.tag === SEQUENCE ? largestIn(first.bytes) : 0
}

function largestIn(der: Uint8Array): number {
  const numbers = partsOf(der).map(({ tag, bytes }) => {
    if (tag === INTEGER) return bytes.length > 6 ? Infinity : bytes.reduce((sum, byte) => sum * 256 + byte, 0)
    return tag & CONSTRUCTED ? largestIn(bytes) : 0
  })
  return Math.max(0, ...numbers)
}

/** The values that follow each other, up to the first that cannot be read, which has the tag 0 and no bytes. */
function partsOf(der: Uint8Array): readonly { readonly tag: number; readonly bytes: Uint8Array }[] {
  const parts: { tag: number; bytes: Uint8Array }[] = []
  for (let at = 0; at < der.length;) {
    const [tag = 0, short = 0] = der.subarray(at, at + 2)
    const more = short < 0x80 ? 0 : short - 0x80
    const length =
      more === 0 ? short : der.subarray(at + 2, at + 2 + more).reduce((sum, byte) => sum * 256 + byte, 0)
    const from = at + 2 + more
    if (more > 4 || from + length > der.length) return []
    parts.push({ tag, bytes: der.subarray(from, from + length) })
    at = from + length
  }
  return parts
}
