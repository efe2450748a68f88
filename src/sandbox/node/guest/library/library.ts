// Loads modules of Node's own library, such as assert, events, path and inspect. scripts/runtimes/node-library.ts
// extracts them from Node.

import { bindings } from './binding.ts'

type Source = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: unknown },
  process: object,
  internalBinding: (name: string) => object,
  primordials: object,
) => void

// The cast is safe: the image is built with this variable.
const holder = globalThis as unknown as { nodeLibrary?: Record<string, Source> }
const sources = holder.nodeLibrary ?? {}
delete holder.nodeLibrary

const loaded = new Map<string, unknown>()
/** Satchel's own modules that the library requires, by the library's names. */
const provided = new Map<string, () => unknown>()
/** The process object for the library. It gets the functions of the real one once that exists. */
const libraryProcess: Record<string, unknown> = {
  platform: 'linux',
  versions: { openssl: '3', amaro: '0' },
  features: { inspector: false },
  env: {},
  binding: {},
  stderr: { isTTY: false, columns: 80 },
}
const primordials: Record<string, unknown> = {}

/** Registers `make()` as the module that the library finds under `id`. */
export function provide(id: string, make: () => unknown): void {
  provided.set(id, make)
}

/** Provides the parts of `process` that the library uses. */
export function provideProcess(process: object): void {
  for (const name of [
    'argv',
    'cwd',
    'env',
    'execArgv',
    'emitWarning',
    'nextTick',
    'stderr',
    'noDeprecation',
    'emit',
  ])
    Object.defineProperty(libraryProcess, name, {
      get: (): unknown => Reflect.get(process, name),
      set: (value: unknown) => {
        Reflect.set(process, name, value)
      },
    })
}

function internalBinding(name: string): object {
  const found = Object.hasOwn(bindings, name) ? bindings[name] : undefined
  if (found) return found
  throw new Error(`no binding ${name}`)
}

/** Returns a module of the library. */
export function library(id: string): unknown {
  if (loaded.has(id)) return loaded.get(id)
  const own = provided.get(id)
  if (own) return own()
  const source = Object.hasOwn(sources, id) ? sources[id] : undefined
  if (!source) throw new Error(`no library ${id}`)
  const module = { exports: {} as unknown }
  loaded.set(id, module.exports)
  source(module.exports as object, library, module, libraryProcess, internalBinding, primordials)
  loaded.set(id, module.exports)
  return module.exports
}

const nothing = (): void => {}
provide('internal/options', () => ({ getOptionValue: nothing, getEmbedderOptions: () => ({}) }))
provide('internal/bootstrap/realm', () => ({
  BuiltinModule: {
    exists: (id: string) => id.startsWith('internal/') || id === 'node',
    normalizeRequirableId: nothing,
  },
}))
provide('internal/v8/startup_snapshot', () => ({ namespace: { isBuildingSnapshot: () => false } }))
provide('internal/tty', () => ({ getColorDepth: () => 1 }))
provide('internal/process/warning', () => ({ emitWarningSync: nothing }))
provide('internal/errors/error_source', () => ({ getErrorSourceExpression: nothing }))
provide('internal/crypto/util', () => ({ kKeyObject: Symbol('kKeyObject') }))
provide('internal/events/symbols', () => ({ kFirstEventParam: Symbol('kFirstEventParam') }))

// The library's primordials: copies of all built-in functions, which scripts cannot change.
sources['internal/per_context/primordials']?.(
  {},
  library,
  { exports: {} },
  libraryProcess,
  internalBinding,
  primordials,
)
