// Builds the image of QuickJS: starts it, loads Node's modules, and copies its memory. With a fixed clock and fixed
// random numbers, so that the image is reproducible.

import { writeImage } from '../../src/sandbox/wasm/image.ts'
import { Meter } from '../../src/sandbox/wasm/meter.ts'
import { Machine } from '../../src/sandbox/node/machine.ts'

import type { Modules } from '../../src/sandbox/node/hooks.ts'
import type { Value } from '../../src/sandbox/node/call/values.ts'

const MOMENT_MS = Date.UTC(2026, 0, 1)
const UNBOUNDED = { wallMs: Number.POSITIVE_INFINITY, steps: Number.POSITIVE_INFINITY }
const LOTS = 1 << 28
/** The script whose value is the guest's entry function. */
const WRAPPED = (code: string): string => `(function(){${code}\nreturn prelude.dispatch})()`

/** Handles guest calls while the modules load. The image must not depend on the returned values. */
function answer(operation: string, args: readonly Value[]): Value {
  if (operation === 'now') return MOMENT_MS
  if (operation === 'elapsed') return 0
  if (operation === 'random') return new Uint8Array(Number(args[0]))
  if (operation === 'cwd') return '/'
  if (operation === 'encode') return new TextEncoder().encode(String(args[0]))
  if (operation === 'decode')
    return new TextDecoder().decode(args[2] instanceof Uint8Array ? args[2] : new Uint8Array(0))
  throw new Error(`"${operation}" is called while the image is built`)
}

/** Builds the image. Throws if the prelude does. */
export function makeNodeImage(
  modules: Readonly<Record<keyof Modules, Uint8Array<ArrayBuffer>>>,
  prelude: string,
): Uint8Array {
  const compiled = (bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module => new WebAssembly.Module(bytes)
  const { quickJs, relay, malloc } = modules
  const machine = new Machine(
    { quickJs: compiled(quickJs), relay: compiled(relay), malloc: compiled(malloc) },
    false,
  )
  const now = (): number => MOMENT_MS
  const meter = new Meter(UNBOUNDED, machine.fuel, now, () => {})
  // Nothing else runs during the build, so there is no need to yield.
  meter.hostFrames = 1
  machine.attach({ meter, heapBytes: LOTS, refusedMemory: false, now, call: answer })
  machine.start(WRAPPED(prelude))
  const facts = machine.settle()
  return writeImage(machine.memory.bytes, facts)
}
