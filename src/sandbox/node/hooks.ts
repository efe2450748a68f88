// Functions of ours in QuickJS's table: one that is told of rejected promises, and those that count the bytes that it takes.
// Both are modules of WebAssembly: JavaScript alone cannot make such an entry, and would be in the way of a suspension.

import { RUNTIME_BYTES } from './names.ts'

import type { Memory } from '../wasm/memory.ts'
import type { QuickJs } from './names.ts'
import type { Rejections } from './rejections.ts'

/** QuickJS, and what stands between it and its host. */
export interface Modules {
  readonly quickJs: WebAssembly.Module
  /** Made by scripts/runtimes/wasm-table.ts. */
  readonly relay: WebAssembly.Module
  /** Made by scripts/runtimes/wasm-malloc.ts. */
  readonly malloc: WebAssembly.Module
}

/** Makes the function at `slot` the one that is told of rejections. */
export function hookRejections(
  { __table }: QuickJs,
  relay: WebAssembly.Module,
  slot: number,
  { track }: Rejections,
): void {
  const tracker = new WebAssembly.Instance(relay, { host: { rejected: track } } as never)
  __table.set(slot, tracker.exports['rejected'] as CallableFunction)
}

/** Puts counters before the allocator of `runtime`, whose structure begins with it. Once for each instance. */
export function countAllocations(
  { __table }: QuickJs,
  malloc: WebAssembly.Module,
  memory: WebAssembly.Memory,
  runtime: number,
  words: Memory,
): void {
  const slots = ['malloc', 'free', 'realloc'].map((name, at) => [name, words.u32(runtime + at * 4)] as const)
  const host = Object.fromEntries(slots.map(([name, slot]) => [name, __table.get(slot)]))
  const counting = new WebAssembly.Instance(malloc, { host: { ...host, memory } } as never)
  for (const [name, slot] of slots) __table.set(slot, counting.exports[name] as CallableFunction)
}

/** Which word of `runtime` `change` sets, by its offset in bytes, and to what. */
export function changedWord(
  memory: Memory,
  runtime: number,
  change: () => void,
): { readonly offset: number; readonly value: number } {
  const words = (): Uint32Array =>
    new Uint32Array(memory.bytes.slice(runtime, runtime + RUNTIME_BYTES).buffer)
  const before = words()
  change()
  const after = words()
  const changed = [...after.keys()].filter((index) => after[index] !== before[index])
  const [index = 0] = changed
  if (changed.length !== 1) throw new Error('the handler of interrupts is not where it is looked for')
  return { offset: index * 4, value: after[index] ?? 0 }
}
