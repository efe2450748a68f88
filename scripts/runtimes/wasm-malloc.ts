// A module that wraps QuickJS's malloc, free and realloc and counts allocated bytes. On this platform QuickJS
// counts allocations only, and would collect garbage by their number.

import { joinedBytes, u32 } from './wasm/bytes.ts'
import { CODE, EXPORTS, moduleOf } from './wasm/sections.ts'

const I32 = 0x7f
const [END, CALL, IF, ELSE, EQZ, ADD, SUB, AND] = [0x0b, 0x10, 0x04, 0x05, 0x45, 0x6a, 0x6b, 0x71]
const EMPTY = 0x40
/** In JSMallocState: the allocated bytes, which trigger the collector. */
const SIZE = 4

type Part = number | readonly number[]
/** Concatenates pieces of code. */
const code = (...parts: readonly Part[]): readonly number[] => parts.flat()
const get = (local: number): readonly number[] => [0x20, local]
const set = (local: number): readonly number[] => [0x21, local]
const tee = (local: number): readonly number[] => [0x22, local]
const load = (offset: number): readonly number[] => [0x28, 2, offset]
const store = (offset: number): readonly number[] => [0x36, 2, offset]
const constant = (small: number): readonly number[] => [0x41, small & 0x7f]
const call = (index: number): readonly number[] => [CALL, index]
const when = (condition: Part, then: Part): readonly number[] => code(condition, IF, EMPTY, then, END)

/** The size of the chunk at `pointer`: dlmalloc stores it in the word before it, with three flags. */
const sizeOf = (pointer: number): readonly number[] =>
  code(get(pointer), constant(4), SUB, load(0), constant(-8), AND)
/** `state.size = state.size <change>`; `change` finds the size on the stack. The state is the first parameter. */
const resized = (...change: readonly Part[]): readonly number[] =>
  code(get(0), get(0), load(SIZE), ...change, store(SIZE))

/** Parameters: state, bytes; the pointer is local 2. */
const MALLOC = code(get(0), get(1), call(0), set(2), when(get(2), resized(sizeOf(2), ADD)), get(2))
/** Parameters: state, pointer. */
const FREE = code(when(get(1), resized(sizeOf(1), SUB)), get(0), get(1), call(1))
/** Parameters: state, pointer, bytes; the old size is local 3, the new pointer local 4. A failure frees nothing. */
const REALLOC = code(
  when(get(1), code(sizeOf(1), set(3))),
  code(get(0), get(1), get(2), call(2), tee(4)),
  code(IF, EMPTY, resized(sizeOf(4), ADD, get(3), SUB)),
  code(ELSE, when(code(get(2), EQZ), resized(get(3), SUB)), END),
  get(4),
)

/** Exports `malloc`, `free` and `realloc`; imports the originals of these names from `host`, and its `memory`. */
export function countingModule(): Uint8Array {
  const text = (word: string): readonly number[] => [word.length, ...new TextEncoder().encode(word)]
  const section = (
    id: number,
    ...parts: readonly (readonly number[])[]
  ): { id: number; body: Uint8Array } => ({
    id,
    body: joinedBytes(parts),
  })
  const names = ['malloc', 'free', 'realloc']
  const values = (count: number): readonly number[] => [count, ...Array.from({ length: count }, () => I32)]
  const type = (parameters: number, results: number): readonly number[] =>
    code(0x60, values(parameters), values(results))
  const body = (locals: number, what: readonly number[]): readonly number[] => {
    const all = code(locals === 0 ? [0] : [1, locals, I32], what, END)
    return code(u32(all.length), all)
  }
  return moduleOf([
    section(1, [3], type(2, 1), type(2, 0), type(3, 1)),
    section(
      2,
      [4],
      ...names.map((name, index) => code(text('host'), text(name), 0, index)),
      code(text('host'), text('memory'), 2, 0, 0),
    ),
    section(3, [3, 0, 1, 2]),
    section(EXPORTS, [3], ...names.map((name, index) => code(text(name), 0, names.length + index))),
    section(CODE, [3], body(1, MALLOC), body(0, FREE), body(2, REALLOC)),
  ])
}
