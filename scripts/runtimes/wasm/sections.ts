// Parses a WebAssembly binary into sections, and reads what is needed to rewrite it.

import { Cursor, joinedBytes, u32 } from './bytes.ts'

export const GLOBALS = 6
export const EXPORTS = 7
export const CODE = 10

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

export interface WasmSection {
  readonly id: number
  readonly body: Uint8Array
}

/** Parses the sections in order. Throws if `bytes` is not a WebAssembly 1 module. */
export function wasmSections(bytes: Uint8Array): readonly WasmSection[] {
  if (!HEADER.every((byte, at) => bytes[at] === byte)) throw new Error('not a WebAssembly module')
  const cursor = new Cursor(bytes, HEADER.length)
  const sections: WasmSection[] = []
  while (cursor.at < bytes.length) {
    const id = cursor.byte()
    const length = cursor.u32()
    if (cursor.at + length > bytes.length)
      throw new Error(`the WebAssembly binary is cut off in its section ${id}`)
    sections.push({ id, body: bytes.subarray(cursor.at, cursor.at + length) })
    cursor.at += length
  }
  return sections
}

/** Builds a module from sections. */
export function moduleOf(sections: readonly WasmSection[]): Uint8Array {
  return joinedBytes([HEADER, ...sections.flatMap(({ id, body }) => [[id, ...u32(body.length)], body])])
}

/** How many parameters a function type has, and whether it has none and one result. */
export interface FunctionType {
  readonly parameters: number
  readonly givesOne: boolean
}

export function readTypes(body: Uint8Array): readonly FunctionType[] {
  const cursor = new Cursor(body)
  return Array.from({ length: cursor.u32() }, () => {
    if (cursor.byte() !== 0x60) throw new Error('only plain function types are known here')
    const parameters = cursor.u32()
    cursor.at += parameters
    const results = cursor.u32()
    const givesOne = parameters === 0 && results === 1
    cursor.at += results
    return { parameters, givesOne }
  })
}

/** Imported functions by name with their type, in index order; and the number of imported globals. */
export interface Imports {
  readonly functions: readonly { readonly name: string; readonly type: number }[]
  readonly globals: number
}

export function readImports(body: Uint8Array): Imports {
  const cursor = new Cursor(body)
  const functions: { name: string; type: number }[] = []
  let globals = 0
  for (let count = cursor.u32(); count > 0; count -= 1) {
    cursor.name()
    const name = cursor.name()
    const kind = cursor.byte()
    if (kind === 0) functions.push({ name, type: cursor.u32() })
    else if (kind === 3) {
      cursor.at += 2
      globals += 1
    } else if (kind === 1 || kind === 2) {
      if (kind === 1) cursor.at += 1
      if (cursor.byte() & 1) cursor.skipNumber()
      cursor.skipNumber()
    } else throw new Error(`import "${name}" is of an unknown kind (${kind})`)
  }
  return { functions, globals }
}

/** The number of globals in a section, how many are mutable, and where the list begins. */
export function readGlobals(body: Uint8Array): {
  readonly count: number
  readonly mutable: number
  readonly from: number
} {
  const cursor = new Cursor(body)
  const count = cursor.u32()
  const from = cursor.at
  let mutable = 0
  for (let left = count; left > 0; left -= 1) {
    cursor.at += 1
    mutable += cursor.byte()
    skipConstant(cursor)
  }
  return { count, mutable, from }
}

/** Skips a constant expression. */
function skipConstant(cursor: Cursor): void {
  for (let opcode = cursor.byte(); opcode !== 0x0b; opcode = cursor.byte()) {
    if (opcode === 0x43) cursor.at += 4
    else if (opcode === 0x44) cursor.at += 8
    else cursor.skipNumber()
  }
}
