// The WebAssembly module of SQLite for the shell and Python: the pinned package's, with a step counter; and the
// module through which SQLite calls functions of the host.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { SQLITE_RELAYS, type SqliteRelay } from '../../src/sandbox/sqlite/machine.ts'
import { digestOf } from './store.ts'
import { addFuel } from './wasm-fuel.ts'
import { joinedBytes, u32 } from './wasm/bytes.ts'
import { CODE, EXPORTS, moduleOf } from './wasm/sections.ts'

/** The file of the release whose imports src/sandbox/sqlite/ contains. Its JavaScript is not used: it needs a browser. */
export const SQLITE_FILE = 'node_modules/@sqlite.org/sqlite-wasm/dist/sqlite3.wasm'
const DIGEST = 'a75d7fee5beaae101e47997514d354950d8516fd9257881407c551551d36ec0b'
/** Called when the counter is empty. */
const HELPER = 'emscripten_get_now'
const I32 = 0x7f

/** Throws if the package's file is another. */
export function sqliteModule(root: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(readFileSync(join(root, SQLITE_FILE)))
  const digest = digestOf([['sqlite3.wasm', bytes]])
  if (digest !== DIGEST)
    throw new Error(
      `${SQLITE_FILE} is not the one of @sqlite.org/sqlite-wasm 3.54.1-build1 (its digest is ${digest}): compare its imports ` +
        'with src/sandbox/sqlite/calls.ts, then change scripts/runtimes/sqlite.ts',
    )
  const counted = new Uint8Array(addFuel(bytes, { call: HELPER }).bytes)
  if (!WebAssembly.validate(counted)) throw new Error('the rewritten sqlite3.wasm is not valid WebAssembly')
  return counted
}

/** The number of parameters of each relay, and whether it has a result. */
const TYPES: Readonly<Record<SqliteRelay, readonly [parameters: number, results: number]>> = {
  scalar: [3, 0],
  final: [1, 0],
  value: [1, 0],
  inverse: [3, 0],
  compare: [5, 1],
  poll: [1, 1],
  authorize: [6, 1],
  trace: [4, 1],
}

/** A module whose functions call those of the same names in its import `host`. JavaScript alone cannot create such functions. */
export function sqliteRelayModule(): Uint8Array<ArrayBuffer> {
  const count = SQLITE_RELAYS.length
  const text = (word: string): readonly number[] => [word.length, ...new TextEncoder().encode(word)]
  const section = (id: number, ...parts: readonly (readonly number[])[]) => ({ id, body: joinedBytes(parts) })
  const values = (length: number): readonly number[] => [length, ...Array.from({ length }, () => I32)]
  const body = (index: number, parameters: number): readonly number[] => {
    const pushed = Array.from({ length: parameters }, (_, local) => [0x20, local]).flat()
    const all = [0, ...pushed, 0x10, index, 0x0b]
    return [...u32(all.length), ...all]
  }
  const rows = SQLITE_RELAYS.map((name) => [name, ...TYPES[name]] as const)
  return new Uint8Array(
    moduleOf([
      section(
        1,
        [count],
        ...rows.map(([, parameters, results]) => [0x60, ...values(parameters), ...values(results)]),
      ),
      section(2, [count], ...rows.map(([name], index) => [...text('host'), ...text(name), 0, index])),
      section(3, [count, ...rows.map((_, index) => index)]),
      section(EXPORTS, [count], ...rows.map(([name], index) => [...text(name), 0, count + index])),
      section(CODE, [count], ...rows.map(([, parameters], index) => body(index, parameters))),
    ]),
  )
}
