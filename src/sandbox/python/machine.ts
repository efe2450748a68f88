// An instance of the Python interpreter with its host calls, started from scratch or reset to an image.

import { fileCalls } from './calls-files.ts'
import { pathCalls } from './calls-paths.ts'
import { restCalls } from './calls-rest.ts'
import { refill } from '../wasm/image.ts'
import { integration } from '../wasm/integration.ts'
import { Memory } from '../wasm/memory.ts'
import { CALL_STEPS } from '../wasm/meter.ts'
import { Exit } from '../wasm/stop.ts'

import type { Call, Calls } from './calls.ts'
import type { Image } from '../wasm/image.ts'
import type { Process } from './process.ts'

/** Calls that may suspend the guest. */
const SUSPENDING_CALLS = new Set([
  '__syscall_openat',
  '__syscall_truncate64',
  'fd_read',
  'fd_pread',
  '_mmap_js',
  '_emscripten_system',
  '_Py_CheckEmscriptenSignals_Helper',
])
/** A very frequent call, which charges for its own work. */
const UNCHARGED_CALL = '_Py_CheckEmscriptenSignals_Helper'

/**
 * Size of the interpreter's stack. The module's own stack has 64 KiB, with CPython's data below it, which deep
 * recursion would overwrite.
 */
const STACK_BYTES = 1_048_576
/** Offsets in the 32-bit structures of CPython: the type of an object, and `tp_call` of a type. */
const OBJECT_TYPE = 4
const TYPE_CALL = 64

/** CPython's exports. */
interface Exports {
  readonly memory: WebAssembly.Memory
  readonly __fuel: { value: number }
  readonly __indirect_function_table: { get(index: number): CallableFunction }
  readonly Py_EMSCRIPTEN_SIGNAL_HANDLING: { readonly value: number }
  __wasm_call_ctors(): void
  __main_argc_argv(count: number, list: number): number
  malloc(bytes: number): number
  emscripten_builtin_memalign(alignment: number, bytes: number): number
  _emscripten_stack_restore(at: number): void
  _emscripten_stack_alloc(bytes: number): number
  emscripten_stack_get_current(): number
}

export class Machine {
  readonly #exports: Exports
  readonly memory: Memory
  #process: Process | null = null
  #pristine = true

  /** `waits` says whether host calls may suspend the guest. If so, start it with `enter`, otherwise with `start`. */
  constructor(module: WebAssembly.Module, waits: boolean, onResolution: (() => void) | null = null) {
    const current = (): Process => {
      if (!this.#process) throw new Exit(1)
      return this.#process
    }
    const calls: Calls = {
      ...pathCalls(current),
      ...fileCalls(current, () => ({
        memalign: (...args) => this.#exports.emscripten_builtin_memalign(...args),
      })),
      ...restCalls(current, {
        invoke: (pointer, argument) => void this.#exports.__indirect_function_table.get(pointer)(argument),
        onResolution,
      }),
    }
    const imports = Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [
        name,
        waits ? suspendingCall(name, chargedCall(name, call, current)) : call,
      ]),
    )
    const instance = new WebAssembly.Instance(module, {
      env: imports,
      wasi_snapshot_preview1: imports,
    } as never)
    // The cast is safe: the pinned build defines these exports.
    this.#exports = instance.exports as unknown as Exports
    this.memory = new Memory(this.#exports.memory)
  }

  /** The guest's step counter. */
  get fuel(): { value: number } {
    return this.#exports.__fuel
  }

  /** Sets the run that calls belong to. Without a run, a call ends the guest. */
  attach(process: Process | null): void {
    this.#process = process
  }

  /** Runs `main` with these arguments, from the beginning. Throws `Exit`. */
  start(args: readonly string[]): void {
    const { memory } = this
    this.#exports.__wasm_call_ctors()
    const stack = this.#exports.malloc(STACK_BYTES)
    this.#exports._emscripten_stack_restore((stack + STACK_BYTES) & ~15)
    const encoder = new TextEncoder()
    const pointers = args.map((text) => {
      const at = this.#exports._emscripten_stack_alloc(encoder.encode(text).length + 1)
      memory.setText(at, text)
      return at
    })
    const list = this.#exports._emscripten_stack_alloc((args.length + 1) * 4)
    for (const [index, at] of [...pointers, 0].entries()) memory.setU32(list + index * 4, at)
    throw new Exit(this.#exports.__main_argc_argv(args.length, list))
  }

  /** The stack pointer. */
  get stack(): number {
    return this.#exports.emscripten_stack_get_current()
  }

  /**
   * Resets all memory and the stack to the image, and calls the image's function, which never returns. Rejects with
   * `Exit` or `Killed`.
   */
  async enter(image: Image): Promise<never> {
    const { memory } = this
    refill(memory, image, this.#pristine)
    this.#pristine = false
    this.#exports._emscripten_stack_restore(image.stack)
    memory.setU32(this.#exports.Py_EMSCRIPTEN_SIGNAL_HANDLING.value, 1)
    const call = memory.u32(memory.u32(image.run + OBJECT_TYPE) + TYPE_CALL)
    await integration.promising(this.#exports.__indirect_function_table.get(call))(image.run, image.empty, 0)
    throw new Exit(1)
  }
}

/** Wraps a call so that it is charged to the guest. */
function chargedCall(name: string, call: Call, current: () => Process): Call {
  if (name === UNCHARGED_CALL) return call
  return (...args) => {
    current().meter.charge(CALL_STEPS)
    return call(...args)
  }
}

function suspendingCall(name: string, call: Call): Call {
  return SUSPENDING_CALLS.has(name) ? new integration.Suspending(call) : call
}
