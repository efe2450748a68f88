// Errors and globals that packages expect when they are loaded. Imported first.

import { installEngine } from './engine.ts'
import { installErrors } from './base/errors.ts'
import { installIteratorHelpers } from './iterator-helpers.ts'

installErrors()
installEngine()
installIteratorHelpers()

// The cast is safe: QuickJS does not define these names.
const world = globalThis as unknown as Record<string, unknown>
world['Atomics'] ??= Object.create({}, { [Symbol.toStringTag]: { value: 'Atomics' } })
world['global'] = globalThis
world['console'] ??= {}
world['process'] ??= { env: {}, version: 'v22.18.0', nextTick: () => {}, cwd: () => '/' }
