// Guards that a WebAssembly module with a step counter behaves as before and cannot run forever.

import { describe, expect, test } from 'vitest'

import { addFuel, FUEL_EXPORT } from '../../../scripts/runtimes/wasm-fuel.ts'
import { Cursor, i32, u32 } from '../../../scripts/runtimes/wasm/bytes.ts'
import { readInstruction } from '../../../scripts/runtimes/wasm/instructions.ts'

const INT = 0x7f
const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]

interface Parts {
  /** The body of `run(n: i32) -> i32`: code without the final `end`. */
  readonly code: readonly number[]
  /** Groups of locals, `[count, type]`. */
  readonly locals?: readonly (readonly [number, number])[]
}

/** A module that imports `help() -> i32` as function 0, has a page of memory, and exports `run` and `memory`. */
function moduleWith({ code, locals = [] }: Parts): Uint8Array<ArrayBuffer> {
  const section = (id: number, ...body: readonly number[]): number[] => [id, ...u32(body.length), ...body]
  const body = [...u32(locals.length), ...locals.flat(), ...code, 0x0b]
  return Uint8Array.from([
    ...HEADER,
    ...section(1, 2, 0x60, 0, 1, INT, 0x60, 1, INT, 1, INT),
    ...section(2, 1, 1, 0x65, 4, 0x68, 0x65, 0x6c, 0x70, 0, 0),
    ...section(3, 1, 1),
    ...section(5, 1, 0, 1),
    ...section(7, 2, 3, 0x72, 0x75, 0x6e, 0, 1, 6, 0x6d, 0x65, 0x6d, 0x6f, 0x72, 0x79, 2, 0),
    ...section(10, 1, ...u32(body.length), ...body),
  ])
}

/** Increments local 1 as many times as local 0 says. */
const COUNT_UP = {
  locals: [[1, INT]] as const,
  code: [
    0x03, 0x40, 0x20, 1, 0x41, 1, 0x6a, 0x21, 1, 0x20, 0, 0x41, 1, 0x6b, 0x22, 0, 0x0d, 0, 0x0b, 0x20, 1,
  ],
}
const FOR_EVER = { code: [0x03, 0x40, 0x0c, 0, 0x0b, 0x41, 0] }

interface Ran {
  readonly run: (count: number) => number
  readonly fuel: { value: number }
  readonly memory: Uint8Array
}

function load(bytes: Uint8Array, help: () => number): Ran {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(bytes)), { e: { help } })
  // The cast is safe: the module above has these exports.
  const {
    run,
    memory,
    [FUEL_EXPORT]: fuel,
  } = instance.exports as unknown as {
    run: Ran['run']
    memory: { readonly buffer: ArrayBuffer }
    [FUEL_EXPORT]: Ran['fuel']
  }
  return { run, fuel, memory: new Uint8Array(memory.buffer) }
}

const OK = (): number => 0

describe('a counted module', () => {
  test('returns the same as the original, and uses one unit per iteration', () => {
    const { bytes, loops } = addFuel(moduleWith(COUNT_UP), { call: 'help' })
    expect(loops).toBe(1)
    const { run, fuel } = load(bytes, OK)
    fuel.value = 1_000
    expect(run(700)).toBe(700)
    expect(fuel.value).toBe(300)
  })

  test('calls the host when its fuel is used up, and continues when the host refilled it', () => {
    let calls = 0
    const { bytes } = addFuel(moduleWith(COUNT_UP), { call: 'help' })
    const ran = load(bytes, () => {
      calls += 1
      ran.fuel.value = 100
      return 7
    })
    ran.fuel.value = 100
    expect(ran.run(1_000)).toBe(1_000)
    expect(calls).toBe(10)
  })

  test('that never ends is ended by an exception of the host', () => {
    const { bytes } = addFuel(moduleWith(FOR_EVER), { call: 'help' })
    const { run } = load(bytes, () => {
      throw new Error('enough')
    })
    expect(() => run(0)).toThrow('enough')
  })

  test('traps without a host function', () => {
    const { bytes } = addFuel(moduleWith(FOR_EVER), 'trap')
    const { run, fuel } = load(bytes, OK)
    fuel.value = 10
    expect(() => run(0)).toThrow(/unreachable/)
  })

  test('pays for a bulk fill by its length, and the fill is made', () => {
    const fill = { code: [0x41, 0, 0x41, 9, 0x20, 0, 0xfc, 11, 0, 0x41, 0] }
    const { bytes, bulks } = addFuel(moduleWith(fill), { call: 'help' })
    expect(bulks).toBe(1)
    const { run, fuel, memory } = load(bytes, OK)
    fuel.value = 10_000
    run(1_600)
    expect(fuel.value).toBe(9_900)
    expect([memory[0], memory[1_599], memory[1_600]]).toEqual([9, 9, 0])
  })

  test('pays for a bulk copy by its length, and the copy is made', () => {
    const copy = {
      locals: [[2, 0x7e]] as const,
      code: [0x41, ...i32(64), 0x41, 0, 0x20, 0, 0xfc, 10, 0, 0, 0x41, 0],
    }
    const { run, fuel, memory } = load(addFuel(moduleWith(copy), { call: 'help' }).bytes, OK)
    memory.set([1, 2, 3])
    fuel.value = 100
    run(32)
    expect(fuel.value).toBe(98)
    expect([...memory.subarray(64, 67)]).toEqual([1, 2, 3])
  })

  test('is reproducible', () => {
    const once = addFuel(moduleWith(COUNT_UP), { call: 'help' }).bytes
    expect(addFuel(moduleWith(COUNT_UP), { call: 'help' }).bytes).toEqual(once)
  })
})

describe('a refusal', () => {
  test('of bytes that are not a module', () => {
    expect(() => addFuel(new Uint8Array([1, 2, 3]), 'trap')).toThrow('not a WebAssembly module')
  })

  test('of a module without the import to call', () => {
    expect(() => addFuel(moduleWith(COUNT_UP), { call: 'nobody' })).toThrow('imports no function "nobody"')
  })

  test('of an unknown instruction, with its position', () => {
    expect(() => addFuel(moduleWith({ code: [0x06 + 0x21] }), 'trap')).toThrow(
      /unknown WebAssembly instruction 0x27 at byte/,
    )
  })

  test('of a truncated module', () => {
    const whole = moduleWith(COUNT_UP)
    expect(() => addFuel(whole.subarray(0, whole.length - 4), 'trap')).toThrow('cut off')
  })
})

describe('the parser', () => {
  test.each([
    ['block', [0x02, 0x40]],
    ['br_table with three targets', [0x0e, 2, 0, 1, 2]],
    ['call_indirect', [0x11, 0x80, 0x01, 0]],
    ['try_table with two clauses', [0x1f, 0x40, 2, 0, 1, 2, 2, 3]],
    ['i32.load with a far offset', [0x28, 2, 0x80, 0x80, 4]],
    ['i64.load of another memory', [0x29, 0x43, 1, 8]],
    ['i64.const of ten bytes', [0x42, ...Array.from({ length: 9 }, () => 0x80), 0x7f]],
    ['f64.const', [0x44, 0, 0, 0, 0, 0, 0, 0, 0]],
    ['select with types', [0x1c, 1, INT]],
    ['memory.init', [0xfc, 8, 1, 0]],
    ['i32.trunc_sat', [0xfc, 3]],
    ['v128.const', [0xfd, 12, ...Array.from({ length: 16 }, () => 9)]],
    ['v128.load8_lane', [0xfd, 84, 0, 0, 3]],
    ['i8x16.extract_lane', [0xfd, 21, 3]],
    ['i32x4.add', [0xfd, 0xae, 0x01]],
    ['i32.atomic.rmw.add', [0xfe, 0x1e, 2, 0]],
    ['atomic.fence', [0xfe, 3, 0]],
  ])('knows the length of %s', (_, bytes) => {
    const cursor = new Cursor(Uint8Array.from([...bytes, 0x0b, 0x0b, 0x0b]))
    readInstruction(cursor)
    expect(cursor.at).toBe(bytes.length)
  })

  test('detects writes to a table', () => {
    const writes = (bytes: readonly number[]): boolean =>
      readInstruction(new Cursor(Uint8Array.from(bytes))).writesTable
    expect(
      [
        [0x26, 0],
        [0xfc, 15, 0],
        [0xfc, 14, 0, 0],
        [0xfc, 16, 0],
        [0x25, 0],
      ].map(writes),
    ).toEqual([true, true, true, false, false])
  })

  test('writes numbers that it reads', () => {
    for (const value of [0, 1, 127, 128, 300, 65_536, 2 ** 31, 2 ** 32 - 1])
      expect(new Cursor(Uint8Array.from(u32(value))).u32()).toBe(value)
    expect([i32(0), i32(63), i32(64), i32(-1), i32(-65)]).toEqual([
      [0],
      [63],
      [0xc0, 0],
      [0x7f],
      [0xbf, 0x7f],
    ])
  })
})
