// Makes CPython use Linux's error numbers. In C they stay the platform's; they are translated where C raises a
// Python exception, and where CPython records the numbers with a class of their own (FileNotFoundError).

import { ERRORS } from './errno-table.ts'
import { Cursor, i32, joinedBytes, u32 } from './wasm/bytes.ts'
import { readInstruction } from './wasm/instructions.ts'
import { CODE, moduleOf, wasmSections } from './wasm/sections.ts'

/** In PyErr_SetFromErrnoWithFilenameObjects: `strerror(i)` and what follows. `i` is local 3, which holds errno. */
const MESSAGE = [0x20, 3, 0x10, 0x80, 0x37]
const DECODED = [0x41, 0xa2, 0xc7, 0x06, 0x10, 0x80, 0x12]
const NUMBER = [0x20, 3]
/** PyLong_FromLong. */
const LONG = [0x10, 0xf0, 0x09]
/** The errors with classes, in the order of _PyExc_InitTypes. */
const CLASSES = (
  'EAGAIN EALREADY EINPROGRESS EWOULDBLOCK EPIPE ESHUTDOWN ECHILD ECONNABORTED ECONNREFUSED ECONNRESET EEXIST ' +
  'ENOENT EISDIR ENOTDIR EINTR EACCES EPERM ESRCH ETIMEDOUT'
).split(' ')

/** Throws if the module is not the expected build. */
export function withLinuxErrors(bytes: Uint8Array): Uint8Array {
  const sections = wasmSections(bytes)
  let changed = 0
  const written = sections.map((section) => {
    if (section.id !== CODE) return section
    const cursor = new Cursor(section.body)
    const count = cursor.u32()
    const parts: (Uint8Array | readonly number[])[] = [u32(count)]
    for (let index = 0; index < count; index += 1) {
      const length = cursor.u32()
      const source = section.body.subarray(cursor.at, cursor.at + length)
      cursor.at += length
      const other = turned(source) ?? withClasses(source)
      if (other) changed += 1
      parts.push(u32((other ?? source).length), other ?? source)
    }
    return { ...section, body: joinedBytes(parts) }
  })
  if (changed !== 2)
    throw new Error(
      `python.wasm has ${changed} functions of those that scripts/runtimes/wasm-errno.ts changes, not 2`,
    )
  return moduleOf(written)
}

/** `i = linux(i)` after the message: a chain of `select`, one per number. */
function turned(source: Uint8Array): Uint8Array | null {
  const at = positionOf(source, [...MESSAGE, ...DECODED])
  if (at < 0) return null
  const after = at + MESSAGE.length
  const each = ERRORS.flatMap(([, here, linux]) => [
    ...constant(linux),
    ...NUMBER,
    ...constant(here),
    0x47,
    0x1b,
  ])
  return joinedBytes([source.subarray(0, after), NUMBER, each, [0x21, 3], source.subarray(after)])
}

function withClasses(source: Uint8Array): Uint8Array | null {
  const [first = 0, ...others] = CLASSES.map((name) => numbersOf(name)[0])
  if (positionOf(source, [...constant(first), ...LONG]) < 0) return null
  const found: { readonly from: number; readonly to: number; readonly number: number }[] = []
  const code = bodyOf(source)
  for (let at = code.at, before = { from: at, number: NaN }; at < source.length; at = code.at) {
    const { opcode } = readInstruction(code)
    if (
      opcode === 0x10 &&
      LONG.every((byte, index) => source[at + index] === byte) &&
      !Number.isNaN(before.number)
    )
      found.push({ ...before, to: at })
    before = { from: at, number: opcode === 0x41 ? signed(source, at + 1) : NaN }
  }
  const start = found.findIndex(
    ({ number }, index) =>
      number === first && others.every((wanted, later) => found[index + later + 1]?.number === wanted),
  )
  if (start < 0) return null
  const parts: (Uint8Array | readonly number[])[] = []
  let copied = 0
  for (const [index, name] of CLASSES.entries()) {
    const match = found[start + index]
    if (!match) return null
    parts.push(source.subarray(copied, match.from), constant(numbersOf(name)[1]))
    copied = match.to
  }
  return joinedBytes([...parts, source.subarray(copied)])
}

function constant(value: number): readonly number[] {
  return [0x41, ...i32(value)]
}

function numbersOf(name: string): readonly [number, number] {
  const row = ERRORS.find(([one]) => one === name)
  if (!row) throw new Error(`there is no error ${name}`)
  return [row[1], row[2]]
}

/** The code after the locals. */
function bodyOf(source: Uint8Array): Cursor {
  const code = new Cursor(source)
  for (let left = code.u32(); left > 0; left -= 1) {
    code.u32()
    code.skipNumber()
  }
  return code
}

/** A signed LEB128. */
function signed(bytes: Uint8Array, from: number): number {
  let value = 0
  for (let at = from, shift = 0; ; at += 1, shift += 7) {
    const byte = bytes[at] ?? 0
    value |= (byte & 0x7f) << shift
    if (byte < 0x80) return shift < 28 && byte & 0x40 ? value | (-1 << (shift + 7)) : value
  }
}

function positionOf(bytes: Uint8Array, wanted: readonly number[]): number {
  const [first = 0] = wanted
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at
  return -1
}
