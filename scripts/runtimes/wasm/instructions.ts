// The length of each WebAssembly instruction: enough to skip through code. Covers the 3.0 core that compilers emit
// today; an unknown opcode throws.

import type { Cursor } from './bytes.ts'

export const LOOP = 0x03
export const PREFIX_FC = 0xfc
export const MEMORY_COPY = 10
export const MEMORY_FILL = 11

/** Opcodes below the prefixes, by their operands. */
const NUMBER = new Set([
  0x07, 0x08, 0x09, 0x0c, 0x0d, 0x10, 0x12, 0x14, 0x15, 0x18, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3f,
  0x40, 0x41, 0x42, 0xd0, 0xd2, 0xd5, 0xd6,
])
const BLOCK = new Set([0x02, LOOP, 0x04, 0x06])
const NOTHING = new Set([0x00, 0x01, 0x05, 0x0a, 0x0b, 0x0f, 0x19, 0x1a, 0x1b, 0xd1, 0xd3, 0xd4])
const TABLE_SET = 0x26
/** After 0xfc: table.init, table.copy, table.grow, table.fill. */
const TABLE_WRITES = new Set([12, 14, 15, 17])

/** The parts of an instruction that callers need. */
export interface Instruction {
  readonly opcode: number
  /** The opcode after a prefix. */
  readonly sub: number | null
  /** Whether it changes a table. */
  readonly writesTable: boolean
}

/** Skips one instruction with its operands. Throws at an unknown one, with its position. */
export function readInstruction(code: Cursor): Instruction {
  const start = code.at
  const opcode = code.byte()
  if (opcode === PREFIX_FC) return readMisc(code, start)
  if (opcode === 0xfd) readVector(code)
  else if (opcode === 0xfe) readAtomic(code)
  else if (!readPlain(code, opcode)) throw unknown(start, opcode)
  return { opcode, sub: null, writesTable: opcode === TABLE_SET }
}

function readPlain(code: Cursor, opcode: number): boolean {
  if (NUMBER.has(opcode) || BLOCK.has(opcode)) code.skipNumber()
  else if (opcode >= 0x28 && opcode <= 0x3e) skipMemoryOperand(code)
  else if (opcode === 0x0e) skipNumbers(code, code.u32() + 1)
  else if (opcode === 0x11 || opcode === 0x13) skipNumbers(code, 2)
  else if (opcode === 0x1c) skipNumbers(code, code.u32())
  else if (opcode === 0x1f) skipCatches(code)
  else if (opcode === 0x43) code.at += 4
  else if (opcode === 0x44) code.at += 8
  else return NOTHING.has(opcode) || (opcode >= 0x45 && opcode <= 0xc4)
  return true
}

/** Saturating conversions, bulk memory and tables. */
function readMisc(code: Cursor, start: number): Instruction {
  const sub = code.u32()
  if (sub > 17) throw unknown(start, PREFIX_FC, sub)
  if (sub === 8 || sub === 10 || sub === 12 || sub === 14) skipNumbers(code, 2)
  else if (sub > 7) code.skipNumber()
  return { opcode: PREFIX_FC, sub, writesTable: TABLE_WRITES.has(sub) }
}

function readVector(code: Cursor): void {
  const sub = code.u32()
  if (sub <= 11 || sub === 92 || sub === 93) skipMemoryOperand(code)
  else if (sub === 12 || sub === 13) code.at += 16
  else if (sub >= 21 && sub <= 34) code.at += 1
  else if (sub >= 84 && sub <= 91) {
    skipMemoryOperand(code)
    code.at += 1
  }
}

function readAtomic(code: Cursor): void {
  if (code.u32() === 3) code.at += 1
  else skipMemoryOperand(code)
}

/** `try_table`: a block type, then clauses. */
function skipCatches(code: Cursor): void {
  code.skipNumber()
  for (let count = code.u32(); count > 0; count -= 1) skipNumbers(code, code.byte() < 2 ? 2 : 1)
}

/** Alignment, then a memory index if the alignment has its flag, then an offset. */
function skipMemoryOperand(code: Cursor): void {
  if (code.u32() & 0x40) code.skipNumber()
  code.skipNumber()
}

function skipNumbers(code: Cursor, count: number): void {
  for (let left = count; left > 0; left -= 1) code.skipNumber()
}

function unknown(at: number, ...opcode: readonly number[]): Error {
  const name = opcode.map((part) => `0x${part.toString(16)}`).join(' ')
  return new Error(
    `unknown WebAssembly instruction ${name} at byte ${at}: add it to scripts/runtimes/wasm/instructions.ts`,
  )
}
