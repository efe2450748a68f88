// What the packages in here want to find before any of them is loaded. Imported first.

// The cast: names that QuickJS does not have.
const world = globalThis as unknown as Record<string, unknown>
world['Atomics'] ??= Object.create({}, { [Symbol.toStringTag]: { value: 'Atomics' } })
world['global'] = globalThis
world['console'] ??= {}
world['process'] ??= { env: {}, version: 'v22.18.0', nextTick: () => {}, cwd: () => '/' }
