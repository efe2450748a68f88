// The standard library as CPython imports it: the package's zip, whose modules name the build folder in every
// traceback. This replaces it by the library's folder in the sandbox.

import { unzipSync, zipSync } from 'fflate'

/** As long as its replacement: it is inside of marshalled code, after its length. */
const COMPILED_IN = '/tmp/stdlib/'
export const LIBRARY = '/lib/py3.13'
const SAYS = `${LIBRARY}/`
/** The earliest time that a zip can store, so that the bytes are always equal. */
const MOMENT = new Date(1980, 0, 1)

/** The zip with the replaced folder, and with the files `added`. Throws if no module contains the old one. */
export function namedStdlib(zip: Uint8Array, added: ReadonlyMap<string, Uint8Array> = new Map()): Uint8Array {
  const files = { ...unzipSync(zip), ...Object.fromEntries(added) }
  const [from, to] = [COMPILED_IN, SAYS].map((text) => new TextEncoder().encode(text))
  if (!from || !to || from.length !== to.length) throw new Error('the two folders must be of one length')
  let changed = 0
  for (const bytes of Object.values(files))
    for (let at = find(bytes, from, 0); at >= 0; at = find(bytes, from, at + to.length)) {
      bytes.set(to, at)
      changed += 1
    }
  if (changed === 0)
    throw new Error(`no module of the standard library names ${COMPILED_IN}: look at python-stdlib.ts`)
  const entries = Object.entries(files).filter(([name]) => !name.endsWith('/'))
  const sorted = Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  return zipSync(sorted, { level: 9, mtime: MOMENT })
}

function find(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at
  return -1
}
