// The names of imports and exports in the pinned build of QuickJS (from its glue code;
// scripts/runtimes/node.ts checks the digest of that build), and offsets in its structures. Constants and
// types only.

/** Exports, with the names of the C functions. The caller frees a returned pointer to a JSValue. */
export interface QuickJs {
  /** The constructors of the module. */
  u(): void
  /** malloc, free */
  v(bytes: number): number
  M(pointer: number): void
  /** QTS_Throw: returns a pointer that stands for a thrown exception. */
  w(context: number, value: number): number
  /** QTS_RuntimeSetMaxStackSize */
  D(runtime: number, bytes: number): void
  /** QTS_GetUndefined, QTS_GetNull: return pointers that must not be freed. */
  E(): number
  F(): number
  /** QTS_NewRuntime, QTS_NewContext */
  K(): number
  N(runtime: number, intrinsics: number): number
  /** QTS_FreeValuePointer */
  P(context: number, value: number): void
  /** QTS_FreeCString */
  S(context: number, text: number): void
  /** QTS_NewArrayBuffer: takes ownership of memory from `v`. */
  X(context: number, memory: number, bytes: number): number
  /** QTS_NewFloat64, QTS_GetFloat64 */
  Y(context: number, value: number): number
  Z(context: number, value: number): number
  /** QTS_NewString, QTS_GetString: C strings. */
  _(context: number, text: number): number
  $(context: number, value: number): number
  /** QTS_GetArrayBuffer: a copy in memory of `v`; QTS_GetArrayBufferLength */
  aa(context: number, value: number): number
  ba(context: number, value: number): number
  /** QTS_ExecutePendingJob */
  readonly ga: (runtime: number, most: number, into: number) => number
  /** QTS_SetProp */
  ja(context: number, object: number, name: number, value: number): void
  /** QTS_Call: `list` holds pointers. */
  readonly ma: (context: number, callee: number, self: number, count: number, list: number) => number
  /** QTS_ResolveException: the exception that was thrown, or 0. */
  na(context: number, value: number): number
  /** QTS_Eval */
  readonly pa: (
    context: number,
    code: number,
    bytes: number,
    file: number,
    detect: number,
    flags: number,
  ) => number
  /** QTS_NewFunction */
  Da(context: number, name: number, length: number, isConstructor: number, id: number): number
  /** QTS_RuntimeEnableInterruptHandler, QTS_RuntimeDisableInterruptHandler */
  Fa(runtime: number): void
  Ga(runtime: number): void
  /** QTS_RuntimeEnableModuleLoader */
  Ha(runtime: number, normalizes: number): void
  /** _emscripten_stack_restore, emscripten_stack_get_current */
  Ma(at: number): void
  Oa(): number
  /** Added by scripts/runtimes: the step counter, the table of functions. */
  readonly __fuel: { value: number }
  readonly __table: {
    get(index: number): CallableFunction
    set(index: number, entry: CallableFunction): void
  }
}

/**
 * emscripten_date_now, of type `() -> f64`, which reads the time. The step counter also calls it when it is
 * empty.
 */
export const NOW = 'p'
/** The initial and maximum pages of the imported memory. */
export const MEMORY = { initial: 256, maximum: 32_768 }

/** Tags of JSValues, the upper half of their 64 bits. */
export const TAG = { int: 0, bool: 1, null: 2, undefined: 3, rope: -6, string: -7, object: -1 } as const
/** In a JSString: the word with length and width, and the first unit. In a flattened rope: the string. */
export const STRING_LENGTH = 4
export const STRING_UNITS = 16
export const ROPE_LEFT = 16
/** In a JSRuntime, after the interrupt handler: the tracker of unhandled rejections. */
export const TRACKER_AFTER_INTERRUPT = 8
/** In a JSRuntime: the heap size that triggers the next garbage collection. */
export const GARBAGE_THRESHOLD = 108
/** How many bytes of a JSRuntime are searched for that handler. */
export const RUNTIME_BYTES = 512
