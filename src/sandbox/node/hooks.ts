// Adds functions to QuickJS's function table that track rejected promises and count allocated bytes. They are
// WebAssembly modules, because JavaScript functions cannot be added directly, and their stack frames would prevent
// suspension.

import { RUNTIME_BYTES } from './call/names.ts'

import type { Memory } from '../wasm/memory.ts'
import type { QuickJs } from './call/names.ts'
import type { Rejections } from './rejections.ts'

/** The WebAssembly modules: QuickJS, and the adapters between it and its host. */
export interface Modules {
  readonly quickJs: WebAssembly.Module
  /** The adapter built by scripts/runtimes/wasm-table.ts. */
  readonly relay: WebAssembly.Module
  /** The adapter built by scripts/runtimes/wasm-malloc.ts. */
  readonly malloc: WebAssembly.Module
}

/** Sets the function at `slot` as the handler of rejections. */
export function hookRejections(
  { __table }: QuickJs,
  relay: WebAssembly.Module,
  slot: number,
  { track }: Rejections,
): void {
  const tracker = new WebAssembly.Instance(relay, { host: { rejected: track } } as never)
  __table.set(slot, tracker.exports['rejected'] as CallableFunction)
}

/**
 * Wraps the allocator of `runtime`, which is the first part of its structure, with counters. Call once per
 * instance.
 */
export function countAllocations(
  { __table }: QuickJs,
  malloc: WebAssembly.Module,
  memory: WebAssembly.Memory,
  runtime: number,
  view: Memory,
): void {
  const slots = ['malloc', 'free', 'realloc'].map((name, at) => [name, view.u32(runtime + at * 4)] as const)
  const host = Object.fromEntries(slots.map(([name, slot]) => [name, __table.get(slot)]))
  const counting = new WebAssembly.Instance(malloc, { host: { ...host, memory } } as never)
  for (const [name, slot] of slots) __table.set(slot, counting.exports[name] as CallableFunction)
}

/** Runs `change`, and returns the byte offset and the value of the word of `runtime` that it changed. */
export function changedWord(
  memory: Memory,
  runtime: number,
  change: () => void,
): { readonly offset: number; readonly value: number } {
  const read = (): Uint32Array => new Uint32Array(memory.bytes.slice(runtime, runtime + RUNTIME_BYTES).buffer)
  const before = read()
  change()
  const after = read()
  const changed = [...after.keys()].filter((index) => after[index] !== before[index])
  const [index = 0] = changed
  if (changed.length !== 1) throw new Error('the interrupt handler is not at its expected offset')
  return { offset: index * 4, value: after[index] ?? 0 }
}
