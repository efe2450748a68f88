// Exports the function table of a WebAssembly module, and builds a module with one entry for it.

import { Cursor, joinedBytes, u32 } from './wasm/bytes.ts'
import { EXPORTS, moduleOf, wasmSections } from './wasm/sections.ts'

const TABLE_EXPORT = '__table'
/** The export kind of a table. */
const TABLE = 1
const [I32, I64] = [0x7f, 0x7e]

/** `bytes` with its first table exported. Throws if the module is invalid. */
export function exportTable(bytes: Uint8Array): Uint8Array {
  const name = new TextEncoder().encode(TABLE_EXPORT)
  const sections = wasmSections(bytes).map(({ id, body }) => {
    if (id !== EXPORTS) return { id, body }
    const cursor = new Cursor(body)
    const count = cursor.u32()
    return {
      id,
      body: joinedBytes([u32(count + 1), body.subarray(cursor.at), [name.length], name, [TABLE, 0]]),
    }
  })
  return moduleOf(sections)
}

/**
 * A module that re-exports the function `rejected` of its import `host` with the type that QuickJS calls: `(context
 * i32, promise i64, reason i64, handled i32, opaque i32)`. JavaScript alone cannot create such an entry.
 */
export function relayModule(): Uint8Array {
  const text = (word: string): readonly number[] => [word.length, ...new TextEncoder().encode(word)]
  const section = (id: number, body: readonly number[]): { id: number; body: Uint8Array } => ({
    id,
    body: Uint8Array.from(body),
  })
  return moduleOf([
    section(1, [1, 0x60, 5, I32, I64, I64, I32, I32, 0]),
    section(2, [1, ...text('host'), ...text('rejected'), 0, 0]),
    section(EXPORTS, [1, ...text('rejected'), 0, 0]),
  ])
}
