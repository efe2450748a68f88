// Guards "QuickJS knows how many bytes it holds": the functions in front of its allocator add up allocations and
// releases.

import { expect, test } from 'vitest'

import { countingModule } from '../../../scripts/runtimes/wasm-malloc.ts'

const STATE = 64
const SIZE = STATE + 4
/** As in dlmalloc: the word before a chunk holds its size in bytes, with flags in the last bits. */
const FLAGS = 3

function counting(): {
  readonly held: () => number
  readonly call: (name: 'malloc' | 'free' | 'realloc', ...args: readonly number[]) => number
} {
  const memory = new WebAssembly.Memory({ initial: 1 })
  const view = new DataView(memory.buffer)
  let next = 1_024
  const malloc = (_state: number, bytes: number): number => {
    if (bytes > 1_000) return 0
    const chunk = ((bytes + 4 + 7) & ~7) | FLAGS
    view.setUint32(next - 4, chunk, true)
    next += 2_048
    return next - 2_048
  }
  const host = {
    memory,
    malloc,
    free: () => {},
    realloc: (state: number, _pointer: number, bytes: number) => (bytes === 0 ? 0 : malloc(state, bytes)),
  }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(countingModule())), {
    host,
  })
  return {
    held: () => view.getUint32(SIZE, true),
    // The cast is safe: the module has these exports.
    call: (name, ...args) => (exports[name] as (...args: readonly number[]) => number)(STATE, ...args),
  }
}

test('counts memory that is allocated, freed or resized by its chunk', () => {
  const { held, call } = counting()
  const one = call('malloc', 100)
  expect(held()).toBe(104)
  const other = call('malloc', 10)
  expect(held()).toBe(120)
  const larger = call('realloc', one, 500)
  expect(held()).toBe(504 + 16)
  call('free', other)
  expect(held()).toBe(504)
  expect(call('realloc', larger, 0)).toBe(0)
  expect(held()).toBe(0)
})

test('counts nothing for failed or empty allocations', () => {
  const { held, call } = counting()
  expect(call('malloc', 5_000)).toBe(0)
  call('free', 0)
  expect(held()).toBe(0)
  const fresh = call('realloc', 0, 20)
  expect(held()).toBe(24)
  expect(call('realloc', fresh, 5_000)).toBe(0)
  expect(held()).toBe(24)
})
