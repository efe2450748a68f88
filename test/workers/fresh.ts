// Runs before each test file. One workerd runs many files, so this discards what the previous one stored, kept alive or
// changed in a module. Modules in node_modules hold no state, so they are not reset: re-evaluating them for each file
// would take most of the time.

interface Evaluated {
  promise: unknown
  exports: unknown
  evaluated: boolean
  readonly importers: Set<string>
}

/** Vitest's own record of evaluated modules. `vi.resetModules()` removes everything from it except Vitest. */
interface Runner {
  readonly evaluatedModules: { readonly idToModuleMap: ReadonlyMap<string, Evaluated> }
}

/** Workspaces that several files use. */
const SHARED_WORKSPACES = ['default', 'other', 'elsewhere', 'w1']

// A reset leaves out objects that workerd evicted because they were idle for ten seconds. So those of the workspaces that
// files have in common are used once more, and reset before anything else.
const before = await import('cloudflare:test')
for (const objects of [before.env.CATALOGS, before.env.WORKSPACES])
  for (const name of SHARED_WORKSPACES)
    await before.runInDurableObject(objects.getByName(name), () => null).catch(() => null)
await before.reset()

const { evaluatedModules } = Reflect.get(globalThis, '__vitest_worker__') as Runner
for (const [path, module] of evaluatedModules.idToModuleMap)
  if (!path.includes('/node_modules/'))
    Object.assign(module, { promise: undefined, exports: undefined, evaluated: false }).importers.clear()

// Evaluates the Worker again. Meanwhile pending work of the last file's answers finishes.
const { reset } = await import('cloudflare:test')
await reset()

export {}
