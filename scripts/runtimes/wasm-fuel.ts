// Adds a step counter to a WebAssembly module: each loop iteration and each bulk copy uses fuel; without fuel it
// calls the host or traps. So endless code can be stopped from inside. One pass, without optimisation.

import { Cursor, i32, joinedBytes, u32 } from './wasm/bytes.ts'
import { LOOP, MEMORY_COPY, MEMORY_FILL, PREFIX_FC, readInstruction } from './wasm/instructions.ts'
import {
  CODE,
  EXPORTS,
  GLOBALS,
  moduleOf,
  readGlobals,
  readImports,
  readTypes,
  wasmSections,
} from './wasm/sections.ts'

import type { FunctionType, WasmSection } from './wasm/sections.ts'

/** The exported global (a mutable i32) with the remaining fuel. */
export const FUEL_EXPORT = '__fuel'
/** The fuel before the host adds more. */
const FIRST_FUEL = 1 << 20
/** A bulk copy or fill costs one unit for this many bytes, as a power of two: 16. */
const BULK_SHIFT = 4

/** Without fuel: call an imported function without parameters, whose one result is dropped; or trap. */
export type OnEmpty = { readonly call: string } | 'trap'

export interface Fuelled {
  readonly bytes: Uint8Array
  readonly loops: number
  readonly bulks: number
  /** Mutable globals of the original: besides memory, they must be reset for a new start. */
  readonly mutableGlobals: number
  /** Instructions that change a table; 0 means that a used instance's table is unchanged. */
  readonly tableWrites: number
}

/**
 * `bytes` with a counter. Existing indices stay: the global is appended, and the function is imported already.
 * Throws if the module is invalid, contains an unknown instruction, or lacks the import.
 */
export function addFuel(bytes: Uint8Array, onEmpty: OnEmpty): Fuelled {
  const sections = wasmSections(bytes)
  const body = (id: number): Uint8Array =>
    sections.find((section) => section.id === id)?.body ?? Uint8Array.of(0)
  const types = readTypes(body(1))
  const imports = readImports(body(2))
  const globals = readGlobals(body(GLOBALS))
  const fuel = u32(imports.globals + globals.count)
  const helper = onEmpty === 'trap' ? null : helperIndex(imports.functions, types, onEmpty.call)
  const parameters = typesOfFunctions(body(3)).map((type) => types[type]?.parameters ?? 0)
  const code = countedCode(body(CODE), parameters, fuel, helper)
  const written = withGlobals(sections).map(({ id, body: old }): WasmSection => {
    if (id === GLOBALS) return { id, body: withFuelGlobal(old, globals) }
    if (id === EXPORTS) return { id, body: withFuelExport(old, fuel) }
    return { id, body: id === CODE ? code.body : old }
  })
  const { loops, bulks, tableWrites } = code
  return { bytes: moduleOf(written), loops, bulks, tableWrites, mutableGlobals: globals.mutable }
}

function helperIndex(
  functions: readonly { name: string; type: number }[],
  types: readonly FunctionType[],
  name: string,
): number {
  const index = functions.findIndex((imported) => imported.name === name)
  const type = types[functions[index]?.type ?? -1]
  if (!type?.givesOne)
    throw new Error(`the module imports no function "${name}" that takes nothing and gives one value`)
  return index
}

function typesOfFunctions(body: Uint8Array): readonly number[] {
  const cursor = new Cursor(body)
  return Array.from({ length: cursor.u32() }, () => cursor.u32())
}

/** Adds an empty section of globals or exports to a module without one. */
function withGlobals(sections: readonly WasmSection[]): readonly WasmSection[] {
  return [GLOBALS, EXPORTS].reduce((all: readonly WasmSection[], id) => {
    if (all.some((section) => section.id === id)) return all
    const before = all.findIndex((section) => section.id > id)
    return all.toSpliced(before < 0 ? all.length : before, 0, { id, body: Uint8Array.of(0) })
  }, sections)
}

function withFuelGlobal(
  old: Uint8Array,
  { count, from }: { readonly count: number; readonly from: number },
): Uint8Array {
  return joinedBytes([u32(count + 1), old.subarray(from), [0x7f, 1, 0x41, ...i32(FIRST_FUEL), 0x0b]])
}

function withFuelExport(old: Uint8Array, fuel: readonly number[]): Uint8Array {
  const cursor = new Cursor(old)
  const count = cursor.u32()
  const name = new TextEncoder().encode(FUEL_EXPORT)
  return joinedBytes([u32(count + 1), old.subarray(cursor.at), [name.length], name, [3], fuel])
}

interface Counted {
  readonly body: Uint8Array
  readonly loops: number
  readonly bulks: number
  readonly tableWrites: number
}

function countedCode(
  body: Uint8Array,
  parameters: readonly number[],
  fuel: readonly number[],
  helper: number | null,
): Counted {
  const cursor = new Cursor(body)
  const count = cursor.u32()
  const parts: (Uint8Array | readonly number[])[] = [u32(count)]
  const sum = { loops: 0, bulks: 0, tableWrites: 0 }
  const turn = oneTurn(fuel, helper)
  for (let index = 0; index < count; index += 1) {
    const length = cursor.u32()
    const source = body.subarray(cursor.at, cursor.at + length)
    cursor.at += length
    const written = countedFunction(source, parameters[index] ?? 0, turn, fuel, sum)
    parts.push(u32(written.length), written)
  }
  return { body: joinedBytes(parts), ...sum }
}

function countedFunction(
  source: Uint8Array,
  parameters: number,
  turn: Uint8Array,
  fuel: readonly number[],
  sum: { loops: number; bulks: number; tableWrites: number },
): Uint8Array {
  const code = new Cursor(source)
  const groups = code.u32()
  const groupsAt = code.at
  let locals = parameters
  for (let left = groups; left > 0; left -= 1) {
    locals += code.u32()
    code.skipNumber()
  }
  const codeAt = code.at
  const parts: Uint8Array[] = []
  let copied = codeAt
  let bulks = 0
  while (code.at < source.length) {
    const start = code.at
    const { opcode, sub, writesTable } = readInstruction(code)
    if (writesTable) sum.tableWrites += 1
    if (opcode === LOOP) {
      parts.push(source.subarray(copied, code.at), turn)
      copied = code.at
      sum.loops += 1
    } else if (opcode === PREFIX_FC && (sub === MEMORY_COPY || sub === MEMORY_FILL)) {
      parts.push(source.subarray(copied, start), bulkCharge(fuel, locals))
      copied = start
      bulks += 1
    }
  }
  if (code.at !== source.length) throw new Error('a function ends inside of an instruction')
  sum.bulks += bulks
  parts.push(source.subarray(copied))
  if (bulks === 0) return joinedBytes([source.subarray(0, codeAt), ...parts])
  // Two more locals of type i32, for lengths.
  return joinedBytes([u32(groups + 1), source.subarray(groupsAt, codeAt), [2, 0x7f], ...parts])
}

/** `fuel -= 1; if (fuel <= 0) helper()`, or a trap. */
function oneTurn(fuel: readonly number[], helper: number | null): Uint8Array {
  const empty = helper === null ? [0x00] : [0x10, ...u32(helper), 0x1a]
  const [get, set] = [
    [0x23, ...fuel],
    [0x24, ...fuel],
  ]
  return joinedBytes([get, [0x41, 1, 0x6b], set, get, [0x41, 0, 0x4c, 0x04, 0x40], empty, [0x0b]])
}

/** Keeps the length on top of the stack: `fuel -= length >>> 4`. */
function bulkCharge(fuel: readonly number[], local: number): Uint8Array {
  const [length, units] = [u32(local), u32(local + 1)]
  return joinedBytes([
    [0x22, ...length, 0x41, BULK_SHIFT, 0x76, 0x21, ...units],
    [0x23, ...fuel, 0x20, ...units, 0x6b, 0x24, ...fuel],
    [0x20, ...length],
  ])
}
